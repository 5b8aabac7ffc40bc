"""The board's graph G: one vertex per bulb, and an edge where a press of one toggles the other.

A press of bulb v toggles its closed neighbourhood N[v] = {v} ∪ {u : u ~ v}; the relation is
symmetric. Over GF(2) pressing the bulbs of s toggles A·s with A = adjacency(G) + I.

* `CrossGraph`    a press toggles its whole row and column ("lines"): O(cells) by line parities
* `StencilGraph`  a press toggles fixed offsets (plus, king, torus, …): O(cells · offsets)
* `EdgeGraph`     any graph, as sorted neighbour lists (`edge_graph`)

Bulbs are numbered 0 … n−1; on a grid in row-major order, skipping holes.
Cell (row, column) is 0-based with row 0 on top.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np

from ponder.system.errors import unknown
from ponder.system.types import Bits, Ints, Label, Positions, distinct, read_only

Offset: TypeAlias = tuple[int, int]

PLUS: tuple[Offset, ...] = ((-1, 0), (0, -1), (0, 1), (1, 0))
KING: tuple[Offset, ...] = tuple((r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0))

STENCILS: Mapping[str, tuple[tuple[Offset, ...], bool]] = {
    "plus": (PLUS, False),
    "king": (KING, False),
    "torus-plus": (PLUS, True),
    "torus-king": (KING, True),
}
"""The offsets of every name, and whether they wrap."""

NAMED = ("cross", *STENCILS)

PATTERNS = (*NAMED, "stencil <dr,dc> …", "toggles <dr,dc> …")  # what a board may say

ALSO_PATTERNS = {
    "+": "plus", "lights-out": "plus", "lights out": "plus", "rows": "cross", "lines": "cross",
    "moore": "king", "torus": "torus-plus",
}  # fmt: skip
"""What people call them elsewhere, to be asked whether they mean that."""


class Graph(ABC):
    """Which bulbs a press toggles. Immutable; everything derived is computed once, on demand."""

    size: int  # the number of bulbs n
    presses: int  # the number of things that can be pressed: n, but on a wiring
    positions: Positions | None = None  # of bulbs, then of buttons, where a file says
    remarks: tuple[str, ...] = ()  # on how the text was read, for the person who wrote it
    pattern: str  # the header word of the board file: `cross`, `plus`, …, `stencil …`, or `graph`

    @abstractmethod
    def apply(self, presses: Bits) -> Bits:
        """Return A·s: which bulbs are toggled an odd number of times. (n,) -> (n,)."""

    @abstractmethod
    def neighbours(self, bulb: int) -> Ints:
        """Return the bulbs other than `bulb` that a press of `bulb` toggles, ascending."""

    @abstractmethod
    def neighbourhoods(self, bulbs: Ints) -> tuple[Ints, Ints]:
        """Return the closed neighbourhoods of many bulbs, flat: (members, whose they are).

        The second says for every member the place in `bulbs` of the bulb that it is next to;
        ascending, and so are the members of each. A local graph makes them O(result).
        """

    @abstractmethod
    def edge_count(self) -> int:
        """Return a bound on the number of edges, without making any; exact but for stencils."""

    @abstractmethod
    def edges_within(self, bulbs: Ints) -> Ints:
        """Return the edges between *distinct* `bulbs`, (m, 2) positions i < j, in their order."""

    @abstractmethod
    def label(self, bulb: int) -> Label:
        """Return what users call the bulb: (row, column) on a grid, its name on a graph."""

    @abstractmethod
    def bulb(self, label: object) -> int:
        """Return the number of the bulb that users call `label`. Raises KeyError."""

    def labels(self, bulbs: Iterable[int] | Ints) -> list[Label]:
        """Return the labels of many bulbs, in their order."""
        return [self.label(int(v)) for v in bulbs]

    def bulbs(self, labels: Sequence[object]) -> Ints:
        """Return the numbers of many labels. Raises KeyError for the first that is no bulb."""
        return np.array([self.bulb(label) for label in labels], dtype=np.int64)

    def meets(self, lights: Bits) -> Bits:
        """Return which presses toggle an odd number of some lights: here A·y, as A is symmetric."""
        return self.apply(lights)

    def seats(self, presses: Bits) -> Bits:
        """Return the lights at which some presses sit: here the same. (n,) -> (m,)."""
        return presses

    @property
    def of_lights(self) -> Graph:
        """The graph whose labels are those of lights: this one, where a bulb is its own button."""
        return self

    def set_of(self, bulbs: Iterable[int] | Ints) -> Bits:
        """Return the characteristic vector of some presses, (n,)."""
        chosen = np.zeros(self.presses, dtype=np.bool_)
        chosen[np.asarray(bulbs, dtype=np.int64)] = True
        return chosen


class GridGraph(Graph):
    """A graph of cells of an (R, C) rectangle; `mask` is True where there is a bulb, or None."""

    def __init__(self, pattern: str, shape: tuple[int, int], mask: Bits | None = None) -> None:
        if mask is not None and mask.all():
            mask = None
        self.pattern: str = pattern
        self.shape: tuple[int, int] = shape
        self.mask: Bits | None = None if mask is None else read_only(mask)
        self.size: int = shape[0] * shape[1] if mask is None else int(np.count_nonzero(mask))
        self.presses: int = self.size

    @cached_property
    def cells(self) -> Ints:
        """The row-major cell number of every bulb."""
        mask = self.mask
        cells = np.arange(self.size, dtype=np.int64) if mask is None else np.flatnonzero(mask)
        return read_only(cells, fresh=True)

    @cached_property
    def rows(self) -> Ints:
        """The row of every bulb."""
        return read_only(self.cells // self.shape[1], fresh=True)

    @cached_property
    def columns(self) -> Ints:
        """The column of every bulb."""
        return read_only(self.cells % self.shape[1], fresh=True)

    @cached_property
    def numbers(self) -> Ints:
        """The bulb number of every cell as an (R, C) array, −1 in holes."""
        numbers = np.full(self.shape[0] * self.shape[1], -1, dtype=np.int64)
        numbers[self.cells] = np.arange(self.size)
        return read_only(numbers.reshape(self.shape), fresh=True)

    def to_grid(self, values: Bits) -> Bits:
        """Lay one bit per bulb out as an (R, C) grid; holes are False."""
        if self.mask is None:
            return values.reshape(self.shape)
        grid = np.zeros(self.shape, dtype=np.bool_)
        grid[self.mask] = values
        return grid

    def to_digits(self, values: Bits | Ints) -> list[str]:
        """Write one digit per bulb, a string a row; `-` for holes."""
        cells = np.full(self.shape[0] * self.shape[1], ord("-"), dtype=np.uint8)
        cells[self.cells] = values.astype(np.uint8) + ord("0")
        text = cells.tobytes().decode("ascii")
        return [text[i : i + self.shape[1]] for i in range(0, len(text), self.shape[1])]

    def from_grid(self, grid: Bits) -> Bits:
        """Read one bit per bulb off an (R, C) grid."""
        return grid.reshape(-1) if self.mask is None else grid[self.mask]

    def places(self, bulbs: Ints) -> tuple[Ints, Ints]:
        """Return the rows and the columns of some bulbs; O(bulbs) on a full rectangle."""
        rows, columns = np.divmod(bulbs if self.mask is None else self.cells[bulbs], self.shape[1])
        return rows, columns

    def at_offsets(self, bulbs: Ints, offsets: Sequence[Offset], *, wraps: bool) -> Ints:
        """Return the bulbs at offsets from some bulbs, (bulbs, offsets), −1 where there is none."""
        rows, columns = self.places(bulbs)
        down, right = np.array(offsets, dtype=np.int64).T
        rows, columns = rows[:, None] + down, columns[:, None] + right
        if wraps:
            rows %= self.shape[0]
            columns %= self.shape[1]
        inside = (rows >= 0) & (rows < self.shape[0]) & (columns >= 0) & (columns < self.shape[1])
        near = np.where(inside, rows * self.shape[1] + columns, 0)
        if self.mask is not None:
            near = self.numbers.reshape(-1)[near]
        near[~inside] = -1
        return near

    def label(self, bulb: int) -> Label:
        """Return the (row, column) of a bulb."""
        cell = bulb if self.mask is None else int(self.cells[bulb])
        return divmod(cell, self.shape[1])

    def labels(self, bulbs: Iterable[int] | Ints) -> list[Label]:
        """Return the (row, column) of many bulbs."""
        rows, columns = self.places(np.asarray(bulbs, dtype=np.int64))
        return list(zip(rows.tolist(), columns.tolist(), strict=True))

    def bulb(self, label: object) -> int:
        """Return the bulb at (row, column)."""
        match label:
            case [int(row), int(column)] if not isinstance(row, bool):
                if 0 <= row < self.shape[0] and 0 <= column < self.shape[1]:
                    if self.mask is None:
                        return row * self.shape[1] + column
                    if self.mask[row, column]:
                        return int(self.numbers[row, column])
        raise KeyError(label)

    def bulbs(self, labels: Sequence[object]) -> Ints:
        """Return the bulbs at many (row, column) pairs."""
        try:
            pairs = np.asarray(labels)
        except ValueError:  # ragged
            pairs = np.empty(0)
        if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind != "i":
            return super().bulbs(labels)
        inside = (pairs >= 0).all(axis=1) & (pairs < self.shape).all(axis=1)
        if not inside.all():
            raise KeyError(pairs[int(np.argmin(inside))].tolist())
        if self.mask is None:
            return np.asarray(pairs[:, 0] * self.shape[1] + pairs[:, 1], dtype=np.int64)
        bulbs: Ints = self.numbers[pairs[:, 0], pairs[:, 1]]
        if bulbs.size and bulbs.min() < 0:
            raise KeyError(pairs[int(np.argmin(bulbs))].tolist())
        return bulbs


class CrossGraph(GridGraph):
    """A press toggles its whole row and column, across holes (IBM's Ponder This, April 2023)."""

    def __init__(self, shape: tuple[int, int], mask: Bits | None = None) -> None:
        super().__init__("cross", shape, mask)

    def apply(self, presses: Bits) -> Bits:
        """Return A·s by line parities: (A s)(i,j) = r_i + c_j + s_ij. O(cells)."""
        grid = self.to_grid(presses)
        rows, columns = line_parities(grid)
        toggled = grid ^ rows[:, None]
        toggled ^= columns
        return self.from_grid(toggled)

    def neighbours(self, bulb: int) -> Ints:
        """Return the other bulbs of the row and the column."""
        row, column = divmod(int(self.cells[bulb]), self.shape[1])
        across = self.numbers[:, column]
        near = np.concatenate([self.numbers[row], across[:row], across[row + 1 :]])
        near.sort()
        return np.asarray(near[(near >= 0) & (near != bulb)])

    def neighbourhoods(self, bulbs: Ints) -> tuple[Ints, Ints]:
        """Return the closed neighbourhoods, whole lines at once."""
        rows, columns = self.places(bulbs)
        along, across = self.numbers[rows], self.numbers.T[columns]
        across[np.arange(bulbs.size), rows] = -1  # the bulb itself is there already
        near = np.concatenate([along, across], axis=1)
        near.sort(axis=1)
        there = near >= 0
        return near[there], np.nonzero(there)[0]

    def edge_count(self) -> int:
        """Return the pairs that share a line, added up over the lines."""
        if self.mask is None:
            sizes = np.repeat(np.array(self.shape[::-1], dtype=np.int64), self.shape)
        else:
            sizes = np.concatenate([self.mask.sum(axis=k, dtype=np.int64) for k in (0, 1)])
        return int((sizes * (sizes - 1) // 2).sum())

    def edges_within(self, bulbs: Ints) -> Ints:
        """Return all pairs that share a line. O(result), a loop over lines only."""
        pieces = [np.empty((0, 2), dtype=np.int64)]
        for line in (self.rows[bulbs], self.columns[bulbs]):
            by_line = np.argsort(line, kind="stable")
            ends = np.flatnonzero(np.diff(line[by_line], append=-1))
            start = 0
            for end in (ends + 1).tolist():
                first, second = np.triu_indices(end - start, 1)
                members = by_line[start:end]
                pieces.append(np.stack([members[first], members[second]], axis=1))
                start = end
        return sorted_edges(np.concatenate(pieces))


class StencilGraph(GridGraph):
    """A press toggles the cells at fixed offsets, on a rectangle or (`wraps`) on a torus.

    Offsets are symmetric: with (dr, dc) comes (−dr, −dc); the own cell is implied. On a torus
    two offsets that meet in one cell count once: the graph is simple.
    """

    def __init__(
        self,
        pattern: str,
        shape: tuple[int, int],
        offsets: Iterable[Offset],
        mask: Bits | None = None,
        *,
        wraps: bool = False,
    ) -> None:
        super().__init__(pattern, shape, mask)
        self.wraps: bool = wraps
        distinct = {(dr % shape[0], dc % shape[1]) if wraps else (dr, dc) for dr, dc in offsets}
        self.offsets: tuple[Offset, ...] = tuple(sorted(distinct - {(0, 0)}))

    def apply(self, presses: Bits) -> Bits:
        """Return A·s by shifted grids. O(cells · offsets)."""
        grid = self.to_grid(presses)
        toggled = grid.copy()
        for offset in self.offsets:
            if self.wraps:
                toggled ^= np.roll(grid, offset, axis=(0, 1))
            else:
                here, there = self._overlap(offset)
                toggled[here] ^= grid[there]
        return self.from_grid(toggled)

    def neighbours(self, bulb: int) -> Ints:
        """Return the bulbs at the offsets."""
        row, column = divmod(int(self.cells[bulb]), self.shape[1])
        near = []
        for dr, dc in self.offsets:
            r, c = row + dr, column + dc
            if self.wraps:
                r, c = r % self.shape[0], c % self.shape[1]
            if 0 <= r < self.shape[0] and 0 <= c < self.shape[1] and self.numbers[r, c] >= 0:
                near.append(int(self.numbers[r, c]))
        return np.array(sorted(near), dtype=np.int64)

    def neighbourhoods(self, bulbs: Ints) -> tuple[Ints, Ints]:
        """Return the closed neighbourhoods, by adding all offsets at once."""
        near = self.at_offsets(bulbs, [(0, 0), *self.offsets], wraps=self.wraps)
        near.sort(axis=1)
        there = near >= 0
        return near[there], np.nonzero(there)[0]

    def edge_count(self) -> int:
        """Return half the offsets of every bulb: no fewer than the edges."""
        return self.size * len(self.offsets) // 2

    def edges_within(self, bulbs: Ints) -> Ints:
        """Return the pairs at an offset from each other. O(bulbs · offsets + cells)."""
        place = np.full(self.shape, -1, dtype=np.int64)
        place[self.places(bulbs)] = np.arange(bulbs.size)
        pieces = [np.empty((0, 2), dtype=np.int64)]
        for offset in self.offsets:
            back = (-offset[0], -offset[1])
            if self.wraps:
                back = (back[0] % self.shape[0], back[1] % self.shape[1])
            if offset < back:  # the same pairs
                continue
            if self.wraps:
                here, there = place, np.roll(place, back, axis=(0, 1))
            else:
                inside, outside = self._overlap(back)
                here, there = place[inside], place[outside]
            both = (here >= 0) & (there >= 0)
            pair = np.empty((np.count_nonzero(both), 2), dtype=np.int64)
            pair[:, 0], pair[:, 1] = here[both], there[both]
            pieces.append(pair)
        return sorted_edges(np.concatenate(pieces))

    def _overlap(self, offset: Offset) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
        """Return the slices (here, there) with here = there + offset, both inside the grid."""
        here, there = [], []
        for shift, length in zip(offset, self.shape, strict=True):
            low, high = max(shift, 0), min(length + shift, length)
            if high <= low:
                low = high = shift = 0
            here.append(slice(low, high))
            there.append(slice(low - shift, high - shift))
        return (here[0], here[1]), (there[0], there[1])


def line_parities(grid: Bits) -> tuple[Bits, Bits]:
    """Return which rows, (R,), and which columns, (C,), hold an odd number of ones. O(cells)."""
    octets = grid.view(np.uint8)  # reduced many times faster than booleans
    rows = np.bitwise_xor.reduce(octets, axis=1).view(np.bool_)
    return rows, np.bitwise_xor.reduce(octets, axis=0).view(np.bool_)


def sorted_edges(pairs: Ints) -> Ints:
    """Return undirected edges as unique rows (i, j), i < j, in lexicographic order."""
    if not len(pairs):
        return np.empty((0, 2), dtype=np.int64)
    first, second = pairs[:, 0], pairs[:, 1]
    span = int(pairs.max()) + 1
    keys = distinct(np.minimum(first, second) * span + np.maximum(first, second))
    edges = np.empty((keys.size, 2), dtype=np.int64)
    np.divmod(keys, span, out=(edges[:, 0], edges[:, 1]))
    return edges


def grid_graph(pattern: str, shape: tuple[int, int], mask: Bits | None = None) -> GridGraph:
    """Return the graph of a named pattern on a rectangle with holes.

    Raises ValueError, in one sentence, for an unknown pattern or a stencil that is not symmetric.
    """
    word, *rest = pattern.split() or [""]
    if not word:
        raise ValueError("the pattern is empty")
    if word == "stencil":
        offsets = offsets_of("stencil", rest) - {(0, 0)}
        for dr, dc in sorted(offsets):
            if (-dr, -dc) not in offsets:
                pair = f"it has {dr},{dc} but not {-dr},{-dc}; `toggles` takes any offsets"
                raise ValueError(f"the stencil is not symmetric: {pair}")
        text = "stencil " + (" ".join(f"{dr},{dc}" for dr, dc in sorted(offsets)) or "0,0")
        return StencilGraph(text, shape, offsets, mask)
    if not rest and word == "cross":
        return CrossGraph(shape, mask)
    if not rest and word in STENCILS:
        named, wraps = STENCILS[word]
        return StencilGraph(word, shape, named, mask, wraps=wraps)
    raise ValueError(unknown("pattern", pattern[:40], PATTERNS, ALSO_PATTERNS))


def offsets_of(kind: str, words: list[str]) -> set[Offset]:
    """Return a pattern's offsets `<dr,dc>`. Raises ValueError, in one sentence, if it has none."""
    if not words:
        raise ValueError(f"`{kind}` needs at least one offset, as in: {kind} 0,1 0,-1")
    offsets: set[Offset] = set()
    for word in words:
        match = re.fullmatch(r"([-+]?\d{1,9}),([-+]?\d{1,9})", word, re.ASCII)
        if match is None:
            raise ValueError(f"{word[:40]!r} is not a {kind} offset: write <dr,dc>, as in 1,-2")
        dr, dc = int(match[1]), int(match[2])
        if (dr, dc) in offsets:
            raise ValueError(f"the {kind} offset {dr},{dc} is repeated")
        offsets.add((dr, dc))
    return offsets
