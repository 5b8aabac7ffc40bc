"""An order as an SVG that plays by itself: SMIL, no script, one element for what moves.

Idea. What a press toggles always has the same shape, so its flash is one shape that jumps from
press to press, cut off at the edge of the board (on a torus it is there nine times, once for each
way around); so is the ring around the pressed bulb. A bulb that changes is an unlit one with a lit
one over it, whose opacity has a list of moments. Readers that know no animation show the board at
the start. On a graph each bulb has a flash of its own.

Cost and size: O(bulbs + toggles); a 30×30 row/column board with 429 presses takes half a megabyte.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, product

import numpy as np

from ponder.limits import NEVER, Limits
from ponder.pictures.answers import cell_size
from ponder.pictures.frames import Frame, frame_words, frames_of
from ponder.pictures.scene import Marks, Scene, square
from ponder.pictures.shapes import Bulb, Circle, Words
from ponder.pictures.svg import Writer, at, number
from ponder.pictures.themes import ThemeName
from ponder.puzzle.board import Board
from ponder.puzzle.graph import CrossGraph, GridGraph, StencilGraph
from ponder.types import Ints

AWAY = "-9999"
"""Where a shape waits that is not to be seen, in units."""


def order_animation(
    board: Board,
    presses: Ints,
    theme: ThemeName = "light",
    *,
    speed: float | None = None,
    label: bool = True,
    lines: bool = True,
    cell: int | None = None,
    limits: Limits = NEVER,
) -> str:
    """Return presses on a board, played for ever, as an SVG document.

    `speed` in presses a second; `label`: with words that say how far it is; `lines`: with the line
    bits of the presses that are left. TimeUp when the limits are reached.

    >>> board = Board.from_rows(["00", "00"], "plus", "any")
    >>> order_animation(board, np.array([0, 3]))[:38]
    '<svg xmlns="http://www.w3.org/2000/svg'
    """
    frames = []
    for frame in frames_of(board, presses, speed):
        limits.check()
        frames.append(frame)
    return "\n".join(_Film(board, presses, frames, theme, cell, label, lines).document())


class _Film:
    """The frames of an order, and the moments at which they begin."""

    def __init__(
        self,
        board: Board,
        presses: Ints,
        frames: list[Frame],
        theme: ThemeName,
        cell: int | None,
        label: bool,
        lines: bool,
    ) -> None:
        self.board, self.frames, self.writer = board, frames, Writer(theme)
        self.said = [frame_words(board, frame, presses.size) for frame in frames] if label else []
        self.bits = lines and frames[0].bits is not None
        marks: Marks = (
            {"lines": [bit.tolist() for bit in frames[0].bits or ()]} if self.bits else {}
        )
        heading = max(self.said, key=len) if label else ""
        self.scene = Scene(board, marks, heading, cell=cell or cell_size(board))
        ends = np.cumsum([frame.seconds for frame in frames])
        self.seconds = float(ends[-1])
        digits = 4 + len(str(len(frames)))
        self.moments = ["0", *(f"{x / self.seconds:.{digits}f}"[1:] for x in ends[:-1].tolist())]
        self.once = f'calcMode="discrete" dur="{self.seconds:.2f}s" repeatCount="indefinite"'

    def document(self) -> Iterator[str]:
        """Yield the lines of the document."""
        yield from self.writer.head(
            replace(self.scene, heading=f"{self.frames[-1].presses} presses")
        )
        graph = self.board.graph
        yield from map(self.writer.shape, self.scene.under())
        yield from self._flash(graph) if isinstance(graph, GridGraph) else self._flashes()
        yield from self._bulbs()
        still = replace(self.scene, marks={})
        yield from map(self.writer.shape, still.over())
        if self.bits:
            yield from self._squares()
        yield self._ring()
        yield from self._words()
        yield "</svg>\n"

    def _animate(self, name: str, values: Sequence[str]) -> str:
        """Return an attribute's values, one for each frame, as an animation; changes only."""
        changes = [k for k, value in enumerate(values) if k == 0 or value != values[k - 1]]
        if len(changes) == 1:
            return ""
        if name == "transform":
            element, what = "animateTransform", 'attributeName="transform" type="translate"'
        else:
            element, what = "animate", f'attributeName="{name}"'
        times = ";".join(self.moments[k] for k in changes)
        listed = ";".join(values[k] for k in changes)
        return f'<{element} {what} {self.once} keyTimes="{times}" values="{listed}"/>'

    def _bulbs(self) -> Iterator[str]:
        """Yield the bulbs; those that change in both states."""
        states = np.array([frame.lit for frame in self.frames])
        for v, bulb in enumerate(self.scene.bulbs()):
            shown = states[:, v]
            if shown.all() or not shown.any():
                yield self.writer.bulb(bulb)
                continue
            values = ["1" if lit else "0" for lit in shown.tolist()]
            yield self.writer.bulb(Bulb(bulb.x, bulb.y, lit=False))
            inside = self._animate("opacity", values)
            yield self.writer.bulb(Bulb(bulb.x, bulb.y, lit=True), inside, values[0])

    def _middles(self, wanted: list[bool]) -> list[tuple[str, str]]:
        """Return where the pressed bulb of each frame lies; `AWAY` where it is not wanted."""
        centres = self.scene.places.centres + np.array([self.scene.left, 0.0])
        found = []
        for frame, there in zip(self.frames, wanted, strict=True):
            if frame.pressed is None or not there:
                found.append((AWAY, AWAY))
            else:
                x, y = centres[frame.pressed].tolist()
                found.append((number(x), number(y)))
        return found

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
        places = self._middles([frame.toggled for frame in self.frames])
        moves = self._animate("transform", [f"{x} {y}" for x, y in places])
        yield (
            f'<g clip-path="url(#{name})"><path d="{_footprint(graph)}" '
            f'fill="{self.writer.theme.flash}" transform="translate({AWAY})">{moves}</path></g>'
        )

    def _flashes(self) -> Iterator[str]:
        """Yield a flash for every bulb of a graph that is ever toggled."""
        graph = self.board.graph
        near = [
            {frame.pressed, *graph.neighbours(frame.pressed).tolist()}
            if frame.toggled and frame.pressed is not None
            else set()
            for frame in self.frames
        ]
        for v, bulb in enumerate(self.scene.bulbs()):
            inside = self._animate("opacity", ["1" if v in bulbs else "0" for bulbs in near])
            if inside:
                colour = self.writer.theme.flash
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
                values = ["1" if bit else "0" for bit in shown[:, k].tolist()]
                for box in square(x, y, filled=False, marked=False):
                    yield self.writer.shape(box)
                inside = self._animate("opacity", values)
                if inside or values[0] == "1":
                    full = next(iter(square(x, y, filled=True, marked=False)))
                    yield (f'<g opacity="{values[0]}">{inside}{self.writer.shape(full)}</g>')

    def _ring(self) -> str:
        """Return the ring around the pressed bulb."""
        places = self._middles([True] * len(self.frames))
        ring = self.writer.shape(Circle(0, 0, 0.45, None, "dot", 0.07))
        moves = self._animate("transform", [f"{x} {y}" for x, y in places])
        return f'<g transform="translate({AWAY})">{moves}{ring}</g>'

    def _words(self) -> Iterator[str]:
        """Yield the words, each for its time."""
        for line in self.scene.words():
            assert isinstance(line, Words)
            first = self.said[0]
            for text, _ in groupby(self.said):
                values = ["1" if said == text else "0" for said in self.said]
                inside = self._animate("opacity", values)
                more = "" if text == first else ' opacity="0"'
                yield self.writer.words(replace(line, text=text), inside, more)


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
