"""Wirings: presses and lights are two things, and who toggles whom need not go both ways.

A button toggles any lights. It may sit *at* one: under the rule `unlit` (`lit`) it may be pressed
when that light is unlit (lit); a button without one always. Where a file describes a graph whose
bulbs are buttons at their own lights, its reader makes that graph.

`size` counts the m lights, `presses` the n buttons; `label`, `bulb` and `set_of` are about presses,
`of_lights` has the labels of lights. Pressing s toggles B s, with B the matrix, m × n.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from typing import Any, NoReturn

import numpy as np

from ponder.model.edge_graph import EdgeGraph
from ponder.model.graph import Graph, GridGraph, Offset, StencilGraph, grid_graph, offsets_of
from ponder.system.errors import BoardError
from ponder.system.limits import NeedsMemory
from ponder.system.types import Bits, Ints, Label, bincount, indices

TOGGLES = {"toggles": False, "torus-toggles": True}  # patterns by place, and whether they wrap
MOST_HEARD = 3_000_000  # pairs of presses, one of which hears the other, that are listed at most
MOST_WIRES = 30_000_000  # wires of a grid that are listed at most: about a gigabyte


def refuse(*_asked: Any, source: str = "board", **_named: Any) -> NoReturn:
    """Raise BoardError: something makes no sense on a wiring."""
    reason = "this needs neighbours, and a wiring has none: `order`, `solve`, `draw` take it"
    raise BoardError(reason, source)


class Wired(Graph):
    """`starts`, `toggled` list the lights of every button (CSR), `at` where it sits, −1 nowhere."""

    presses: int
    starts: Ints
    toggled: Ints
    at: Ints

    def wire(self, pairs: Ints, presses: int, at: Ints) -> None:
        """Take in the wires, (k, 2): a button and a light that it toggles, each pair once."""
        pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
        self.presses, self.at, self.toggled = presses, at, pairs[:, 1]
        self.starts = np.searchsorted(pairs[:, 0], np.arange(presses + 1)).astype(np.int64)

    @cached_property
    def owners(self) -> Ints:
        """The button of every wire."""
        return np.repeat(np.arange(self.presses), indices(np.diff(self.starts)))

    def apply(self, presses: Bits) -> Bits:
        """Return B·s. (n,) -> (m,)."""
        lights = self.toggled[presses[self.owners]]
        return np.asarray(bincount(lights, minlength=self.size) & 1, dtype=np.bool_)

    def meets(self, lights: Bits) -> Bits:
        """Return which presses toggle an odd number of some lights. (m,) -> (n,)."""
        owners = self.owners[lights[self.toggled]]
        return np.asarray(bincount(owners, minlength=self.presses) & 1, dtype=np.bool_)

    def seats(self, presses: Bits) -> Bits:
        """Return the lights at which some presses sit. (n,) -> (m,)."""
        sat = np.zeros(self.size, dtype=np.bool_)
        sat[self.at[presses & (self.at >= 0)]] = True
        return sat

    def hears(self, chosen: Ints) -> list[list[int]]:
        """Return by press the places of the others that toggle its light. Raises NeedsMemory."""
        place = np.full(self.presses, -1)
        place[chosen] = np.arange(chosen.size)
        toggle: dict[int, list[int]] = {}
        for light, owner in zip(self.toggled.tolist(), place[self.owners].tolist(), strict=True):
            if owner >= 0:
                toggle.setdefault(light, []).append(owner)
        seats = self.at[chosen].tolist()
        if (pairs := sum(len(toggle.get(seat, ())) for seat in seats)) > MOST_HEARD:
            raise NeedsMemory(
                f"{pairs:,} pairs of presses, one of which hears the other, are too many"
            )
        return [[u for u in toggle.get(seat, ()) if u != v] for v, seat in enumerate(seats)]

    def edge_count(self) -> int:
        """Return the number of wires."""
        return int(self.toggled.size)

    neighbours: Any = refuse
    neighbourhoods: Any = refuse
    edges_within: Any = refuse


def no_wiring(graph: Graph, source: str = "board") -> Graph:
    """Return a graph that is no wiring. Raises BoardError for a wiring."""
    return refuse(source=source) if isinstance(graph, Wired) else graph


class WiringGraph(Wired):
    """Lights and buttons by numbers or `names`."""

    pattern = "wiring"

    def __init__(
        self,
        size: int,
        buttons: Sequence[Sequence[int]],
        at: Sequence[int] | Ints | None = None,
        names: Sequence[int | str] | None = None,
        lights: Sequence[int | str] | None = None,
    ) -> None:
        self._lights = EdgeGraph(size, [], lights)
        self.size: int = size
        self._buttons = EdgeGraph(len(buttons), [], names)
        owners = np.repeat(np.arange(len(buttons)), [len(toggled) for toggled in buttons])
        ends = np.array([*chain.from_iterable(buttons)], dtype=np.int64)
        seats = np.full(len(buttons), -1) if at is None else np.asarray(at, dtype=np.int64)
        self.wire(np.stack([owners, ends], axis=1), len(buttons), seats)

    @property
    def named(self) -> bool:
        """Whether the buttons are called anything else than 0, 1, 2, …"""
        return self._buttons.named

    @property
    def names(self) -> list[int | str]:
        """The name of every button."""
        return self._buttons.names

    def lights_of(self, button: int) -> Ints:
        """Return the lights that a button toggles."""
        return self.toggled[self.starts[button] : self.starts[button + 1]]

    @property
    def apart(self) -> Bits:
        """Which buttons are drawn apart from the lights at which they sit. (n,)."""
        if self.positions is None:
            return np.ones(self.presses, dtype=np.bool_)
        places, seats = self.positions[self.size :], self.positions[self.at]
        return np.asarray((self.at < 0) | (places != seats).any(axis=1))

    @property
    def of_lights(self) -> EdgeGraph:
        """The lights, with their names and positions, as a graph without edges."""
        self._lights.positions = None if self.positions is None else self.positions[: self.size]
        return self._lights

    def label(self, bulb: int) -> Label:
        """Return the name of a button."""
        return self._buttons.label(bulb)

    def bulb(self, label: object) -> int:
        """Return the button of a name."""
        return self._buttons.bulb(label)


class ToggleGraph(Wired, GridGraph):
    """A grid on which a press toggles the cells at some offsets, each once; it sits at its own."""

    def __init__(
        self,
        pattern: str,
        shape: tuple[int, int],
        offsets: Sequence[Offset],
        mask: Bits | None = None,
        *,
        wraps: bool = False,
    ) -> None:
        GridGraph.__init__(self, pattern, shape, mask)
        places = np.arange(self.size, dtype=np.int64)
        ends = self.at_offsets(places, offsets, wraps=wraps)
        owner, k = np.nonzero(ends >= 0)
        self.wire(np.unique(np.stack([owner, ends[owner, k]], axis=1), axis=0), self.size, places)


def board_graph(pattern: str, shape: tuple[int, int], mask: Bits | None = None) -> GridGraph:
    """Return the graph of a pattern, as `grid_graph` does, and those that list what is toggled.

    Where each place comes with its mirror image and with the own cell, it is a `StencilGraph`.
    Raises ValueError, in one sentence, if the pattern is none.

    >>> board_graph("toggles 0,0 0,1 0,-1", (2, 2)).neighbours(0).tolist()
    [1]
    """
    word, *rest = pattern.split() or [""]
    if word not in TOGGLES:
        return grid_graph(pattern, shape, mask)
    offsets = offsets_of(word, rest)
    text = " ".join([word, *(f"{dr},{dc}" for dr, dc in sorted(offsets))])
    if shape[0] * shape[1] * len(offsets) > MOST_WIRES:
        raise ValueError(f"a grid of {word} has at most {MOST_WIRES:,} wires")
    wraps, (height, width) = TOGGLES[word], shape
    seen = {(r % height, c % width) for r, c in offsets} if wraps else offsets
    mirrored = {(-r % height, -c % width) if wraps else (-r, -c) for r, c in seen}
    if mirrored == seen and (0, 0) in seen:
        return StencilGraph(text, shape, seen, mask, wraps=wraps)
    return ToggleGraph(text, shape, sorted(seen), mask, wraps=wraps)
