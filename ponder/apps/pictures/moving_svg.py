"""An order as an SVG that plays by itself: SMIL, no script, one element for what moves.

Idea. The toggled bulbs of a press always have the same shape, so the flash is one shape that jumps
from press to press, cut off at the edge (on a torus it is there nine times). So is the ring. A bulb
that changes is an unlit one with a lit one over it, whose opacity has a list of moments. Readers
without animation show the board at the start. On a graph each bulb has a flash of its own.

Cost and size: O(bulbs + toggles); a 30×30 row/column board with 429 presses takes half a megabyte.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby, product

import numpy as np

from ponder.apps.pictures.frames import Film
from ponder.apps.pictures.scene import square
from ponder.apps.pictures.shapes import Bulb, Circle, ThemeName, Words
from ponder.apps.pictures.svg import Timeline, Writer, at, number
from ponder.model.graph import CrossGraph, GridGraph, StencilGraph
from ponder.system.printable import pluralise
from ponder.system.types import Bits

AWAY = "-9999"  # where a shape waits that is not to be seen, in units


def order_animation(film: Film, theme: ThemeName = "light") -> str:
    """Return presses on a board as an SVG document that loops.

    >>> from ponder.model.board import Board
    >>> board = Board.from_rows(["00", "00"], "plus", "any")
    >>> order_animation(Film.of(board, np.array([0, 3])))[:38]
    '<svg xmlns="http://www.w3.org/2000/svg'
    """
    return "\n".join(_Document(film, theme).lines())


class _Document:
    """A film as elements."""

    def __init__(self, film: Film, theme: ThemeName) -> None:
        self.scene, self.frames, self.said = film.scene, film.frames, film.said
        self.board, self.writer = film.scene.board, Writer(theme)
        seconds = [frame.seconds for frame in self.frames]
        self.time = Timeline(seconds, 4 + len(str(len(seconds))))

    def lines(self) -> Iterator[str]:
        told = f"{pluralise(self.frames[-1].presses, 'press')}, played"
        yield from self.writer.scene(self.scene, told)
        graph = self.board.graph
        yield from map(self.writer.shape, self.scene.under())
        yield from self._flash(graph) if isinstance(graph, GridGraph) else self._flashes()
        yield from self._bulbs()
        if "lines" in self.scene.marks:  # no goal but lit has line bits: nothing else is over bulbs
            yield from self._squares()
        else:
            yield from map(self.writer.shape, self.scene.over())
        yield self._ring()
        yield from self._words()
        yield "</svg>\n"

    def _shown(self, when: Bits) -> str:
        return self.time.shown(when, "opacity", "0", "1")

    def _moved(self, wanted: Bits) -> str:
        """Return an animation that leads to the pressed bulb of each frame that is wanted."""
        centres = self.scene.places.centres + np.array([self.scene.left, 0.0])
        changes, values = list[int](), list[str]()
        for k, (frame, there) in enumerate(zip(self.frames, wanted.tolist(), strict=True)):
            place = f"{AWAY} {AWAY}"
            if frame.pressed is not None and there:
                x, y = centres[frame.pressed].tolist()
                place = f"{number(x)} {number(y)}"
            if not values or place != values[-1]:
                changes.append(k)
                values.append(place)
        return (
            f'<animateTransform attributeName="transform" type="translate" '
            f'{self.time.timed(changes)} values="{";".join(values)}"/>'
        )

    def _bulbs(self) -> Iterator[str]:
        """Yield the bulbs; those that change in both states."""
        states = np.array([frame.lit for frame in self.frames])
        for v, bulb in enumerate(self.scene.bulbs()):
            shown = states[:, v]
            inside = self._shown(shown)
            if not inside:
                yield self.writer.bulb(bulb)
                continue
            yield self.writer.bulb(Bulb(bulb.x, bulb.y, lit=False))
            yield self.writer.bulb(Bulb(bulb.x, bulb.y, lit=True), inside, "01"[int(shown[0])])

    def _flash(self, graph: GridGraph) -> Iterator[str]:
        """Yield the one flash of a grid, cut off where there is no bulb."""
        name = f"ponder-board-{self.board.sha256[:12]}-{self.scene.cell}"
        left, margin = self.scene.left + self.scene.places.margin, self.scene.places.margin
        cells = "".join(
            f"M{number(left + first)} {number(margin + row)}h{number(last - first)}"
            f"v{number(1)}h-{number(last - first)}z"
            for row, first, last in _runs(graph)
        )
        yield f'<clipPath id="{name}"><path d="{cells}"/></clipPath>'
        moves = self._moved(np.array([frame.toggled for frame in self.frames]))
        yield (
            f'<g clip-path="url(#{name})"><path d="{_footprint(graph)}" '
            f'fill="{self.writer.theme["flash"]}" transform="translate({AWAY})">{moves}</path></g>'
        )

    def _flashes(self) -> Iterator[str]:
        """Yield a flash for every bulb of a graph that is ever toggled."""
        graph = self.board.graph
        toggled = np.zeros((len(self.frames), graph.size), dtype=np.bool_)
        for shown, frame in zip(toggled, self.frames, strict=True):
            if frame.toggled and frame.pressed is not None:
                shown[[frame.pressed, *graph.neighbours(frame.pressed).tolist()]] = True
        for v, bulb in enumerate(self.scene.bulbs()):
            if inside := self._shown(toggled[:, v]):
                colour = self.writer.theme["flash"]
                yield (
                    f'<circle {at(bulb.x, bulb.y)} r="{number(0.56)}" fill="{colour}" '
                    f'opacity="0">{inside}</circle>'
                )

    def _squares(self) -> Iterator[str]:
        """Yield the line bits: an open square each, and a full one that comes and goes."""
        margin, left = self.scene.places.margin, self.scene.left
        for side in (0, 1):
            shown = np.array([frame.bits[side] for frame in self.frames if frame.bits is not None])
            for k in range(shown.shape[1]):
                along = margin + k + 0.5
                x, y = (left + along, margin / 2) if side else (left + margin / 2, along)
                for box in square(x, y, filled=False, marked=False):
                    yield self.writer.shape(box)
                inside = self._shown(shown[:, k])
                if inside or shown[0, k]:
                    full = next(iter(square(x, y, filled=True, marked=False)))
                    opacity = "01"[int(shown[0, k])]
                    yield f'<g opacity="{opacity}">{inside}{self.writer.shape(full)}</g>'

    def _ring(self) -> str:
        ring = self.writer.shape(Circle(0, 0, 0.45, None, "dot", 0.07))
        moves = self._moved(np.ones(len(self.frames), dtype=np.bool_))
        return f'<g transform="translate({AWAY})">{moves}{ring}</g>'

    def _words(self) -> Iterator[str]:
        for line in self.scene.words():
            assert isinstance(line, Words)
            first = 0
            for text, group in groupby(self.said):
                after = first + len(list(group))
                changes = [k for k in (0, first, after) if k < len(self.said)]
                values = ["0", "1", "0"][: len(changes)]
                if first == 0:
                    changes, values = changes[1:], values[1:]
                inside = self.time.animate("opacity", changes, values)
                more = "" if first == 0 else ' opacity="0"'
                yield self.writer.words(replace(line, text=text), inside, more)
                first = after


def _runs(graph: GridGraph) -> Iterator[tuple[int, int, int]]:
    """Yield the cells that have bulbs as (row, first column, last column + 1)."""
    for row, numbers in enumerate(graph.numbers):
        there = np.flatnonzero(np.diff(np.r_[False, numbers >= 0, False]))
        for first, last in there.reshape(-1, 2).tolist():
            yield row, first, last


def _footprint(graph: GridGraph) -> str:
    """Return what a press toggles, as a path around the pressed bulb."""
    height, width = graph.shape
    if isinstance(graph, CrossGraph):
        across, down, half = number(width), number(height), number(0.5)
        row = f"M-{across} -{half}H{across}V{half}H-{across}z"
        return row + f"M-{half} -{down}V{down}H{half}V-{down}z"
    assert isinstance(graph, StencilGraph)
    around = [-1, 0, 1] if graph.wraps else [0]
    offsets = {
        (dr + down * height, dc + across * width)
        for dr, dc in ((0, 0), *graph.offsets)
        for down, across in product(around, around)
    }
    side = number(1)
    return "".join(
        f"M{number(dc - 0.5)} {number(dr - 0.5)}h{side}v{side}h-{side}z"
        for dr, dc in sorted(offsets)
    )
