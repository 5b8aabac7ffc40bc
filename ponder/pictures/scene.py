"""A board with its marks as shapes: what lies under the bulbs, the bulbs, what lies over them.

How each mark (`marks`) looks is decided here, for SVG and pixels alike, and as on the page
(`page/static/marks.js`). Cost: O(bulbs + marks), and a layout for a graph without positions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import hypot, sqrt
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ponder.model.board import Board
from ponder.model.edge_graph import EdgeGraph
from ponder.model.graph import Graph, GridGraph
from ponder.model.render import title
from ponder.model.wired_graph import WiringGraph
from ponder.pictures.graph_layout import SIDE as SIDE_OF_LAYOUT
from ponder.pictures.graph_layout import layout
from ponder.pictures.vocabulary import (
    Box,
    Bulb,
    Circle,
    Role,
    Segment,
    Shape,
    Strokes,
    Words,
    wrapped,
)
from ponder.system.errors import BoardError
from ponder.system.printable import pluralise, printable, shortened
from ponder.system.types import Ints, Label

Marks: TypeAlias = dict[str, Any]

MOST_WORDS = 400  # characters of a reason below a picture, at most
MOST_DRAWN = 40_000  # bulbs that are drawn, at most: on 200×200 each has five pixels of a screen
MOST_NODES = 300  # nodes that are drawn, at most
NARROW, WIDE = 0.4, 0.9  # margins in cells, without line bits and with them
SIDE, NUMBERED_SIDE = 720, 1200  # pixels of a picture's longer side, without numerals and with
NEAREST = 1.5  # cells between the bulbs and buttons of a wiring, at least
MOST_SIDE = 180  # cells of a layout by positions, at most
_NARROWEST = 300  # pixels of a picture with words, at least
_HEADING, _TEXT = 15.0, 12.5  # pixels


class Places(NamedTuple):
    """Where the bulbs lie, in cells from the picture's upper left corner.

    `centres`   the middle of every bulb, then of every button of a wiring, (n, 2)
    `margin`    on all sides, wide enough for line bits where there are any
    `width`, `height`   with the margins
    """

    centres: NDArray[np.float64]
    margin: float
    width: float
    height: float


def places_of(board: Board, *, wide: bool = False) -> Places:
    """Lay a board out. Raises BoardError for one that is too large to be looked at.

    Positions of a graph that are so near that bulbs would meet are stretched; where two bulbs, or
    two buttons, have the same one, the graph is laid out as if none were given.
    """
    graph = board.graph
    is_grid = isinstance(graph, GridGraph)
    most, thing = (MOST_DRAWN, "cells") if is_grid else (MOST_NODES, "nodes")
    size = int(np.prod(graph.shape)) if isinstance(graph, GridGraph) else joined(graph)[0]
    if size > most:
        reason = f"a board of {size:,} {thing} is too large for a picture (at most {most:,})"
        raise BoardError(reason, board.name)
    if isinstance(graph, GridGraph):
        margin = WIDE if wide else NARROW
        height, width = graph.shape
        centres = np.stack([graph.columns, graph.rows], axis=1).astype(np.float64) + margin + 0.5
        return Places(centres, margin, width + 2 * margin, height + 2 * margin)
    positions = graph.positions
    kinds = [] if positions is None else [positions[: graph.size], positions[graph.size :]]
    if positions is None or any(len(np.unique(kind, axis=0)) < len(kind) for kind in kinds):
        positions = layout(size, joined(graph)[1]).astype(np.float64)
        positions *= 1.8 * sqrt(size) / SIDE_OF_LAYOUT
    low, high = positions.min(axis=0), positions.max(axis=0)
    size = len(np.unique(positions, axis=0))  # a button may lie on its light
    side, stretched = max(float((high - low).max()), 1e-9), 1.0
    if size > 1 and side < 0.7 * (sqrt(size) - 1):
        stretched = 1.8 * sqrt(size) / side
    elif side > MOST_SIDE:
        stretched = MOST_SIDE / side
    if isinstance(graph, WiringGraph):  # bulbs, buttons and the arrows between them lie apart
        x, y = np.unique(positions, axis=0).T
        apart = np.hypot(np.subtract.outer(x, x), np.subtract.outer(y, y)) + 1e9 * np.eye(size)
        stretched = max(stretched, min(NEAREST / float(apart.min()), MOST_SIDE / side))
    width, height = ((high - low) * stretched + 2 * WIDE).tolist()
    return Places((positions - low) * stretched + WIDE, WIDE, width, height)


def graph_words(graph: EdgeGraph) -> str:
    """Return what an orientation is of: `graph, 10 vertices, 15 edges`."""
    vertices, edges = pluralise(graph.size, "vertex"), pluralise(len(graph.edges), "edge")
    return f"graph, {vertices}, {edges}"


def joined(graph: Graph) -> tuple[int, Ints]:
    """Return how many bulbs and buttons there are, and the wires between them, (m, 2).

    Buttons count on from the bulbs. A wire leads to the seat of a button too.
    """
    if isinstance(graph, EdgeGraph):
        return graph.size, graph.edges
    assert isinstance(graph, WiringGraph)
    seated = np.flatnonzero(graph.at >= 0)
    ends = np.concatenate([graph.toggled, graph.at[seated]])
    owners = np.concatenate([graph.owners, seated])
    wires = np.unique(np.stack([ends, owners + graph.size], axis=1), axis=0)
    return graph.size + graph.presses, wires


def cell_size(board: Board, most: int = SIDE) -> int:
    """Return a cell's pixels, 4 to 40: `most` a longer side."""
    places = places_of(board)
    return max(4, min(40, int(most / max(places.width, places.height))))


@dataclass(frozen=True, eq=False)
class Scene:
    """What a picture shows, before colours and pixels.

    `marks`     as `ponder.pictures.marks` makes them
    `heading`   the verdict, in bold below the board; `text` the reason
    `cell`      the pixels of a cell: words are of the same size in all pictures

    >>> scene = Scene(Board.from_rows(["01"]), {"presses": [(0, 0)]})
    >>> [type(shape).__name__ for shape in scene.shapes()]
    ['Bulb', 'Bulb', 'Circle', 'Circle']
    """

    board: Board
    marks: Marks = field(default_factory=dict)
    heading: str = ""
    text: str = ""
    cell: int = 40

    @cached_property
    def places(self) -> Places:
        """Where the bulbs lie."""
        return places_of(self.board, wide="lines" in self.marks or "rows" in self.marks)

    @cached_property
    def width(self) -> float:
        """The width of the picture, in cells."""
        return max(self.places.width, _NARROWEST / self.cell if self.heading or self.text else 0.0)

    @property
    def height(self) -> float:
        """The height of the picture, in cells."""
        return self._written[1]

    @property
    def pixels(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return round(self.width * self.cell), round(self.height * self.cell)

    @cached_property
    def left(self) -> float:
        """How far the board is moved to the right, where the words need more room than it has."""
        return (self.width - self.places.width) / 2

    @property
    def title(self) -> str:
        """What the picture shows, for those who do not see it."""
        graph = self.board.graph
        description = title(self.board)
        if self.oriented and isinstance(graph, EdgeGraph):
            description = graph_words(graph)
        return printable(f"{shortened(self.board.name, 100)}: {description}")

    @property
    def oriented(self) -> bool:
        """Whether an orientation is drawn: vertices and arcs, without lights and a goal."""
        return "arcs" in self.marks

    @property
    def description(self) -> str:
        """All its words."""
        parts = (self.heading, str(self.marks.get("label", "")), self.text)
        return printable(". ".join(part for part in parts if part))

    def shapes(self) -> Iterator[Shape]:
        """Yield all shapes, those behind first."""
        yield from self.under()
        yield from self.bulbs()
        yield from self.over()
        yield from self.words()

    def under(self) -> Iterator[Shape]:
        """Yield the wires of a graph, hatched witnesses, outlined blocks, buttons."""
        graph = self.board.graph
        if isinstance(graph, EdgeGraph):
            yield Strokes(self._between(graph.edges.tolist()), "wire", 0.05)
            arcs = [graph.bulbs(arc).tolist() for arc in self.marks.get("arcs", ())]
            yield from self._heads(arcs, "ink")
        elif isinstance(graph, WiringGraph):
            yield from self._wires(graph)
        for group in self.marks.get("groups", ()):
            if group["style"] == "hatch":
                lights = graph.of_lights.bulbs(group["bulbs"]).tolist()
                yield from _hatched([self.middle(v) for v in lights])
            else:
                ends = tuple(self._joined(self._spots(group["bulbs"])))
                yield Strokes(ends, "mark", 0.94)
                yield Strokes(ends, "mark_fill", 0.94 - 2 * 0.05)
        if isinstance(graph, WiringGraph):
            for k in np.flatnonzero(graph.apart).tolist():
                x, y = self.spot(k)
                yield Box(x - 0.28, y - 0.28, 0.56, 0.56, 0.12, "card", "ring", 0.05)

    def names(self) -> Iterator[Words]:
        """Yield the names of nodes and buttons, over all that lies there."""
        graph, names = self.board.graph, dict[int, Label]()
        if isinstance(graph, EdgeGraph):
            names = dict(enumerate(graph.names))
        elif isinstance(graph, WiringGraph):
            buttons = {graph.size + k: graph.label(k) for k in np.flatnonzero(graph.apart).tolist()}
            names = {**dict(enumerate(graph.of_lights.names)), **buttons}
        for v, label in names.items():
            x, y = self.middle(v)
            name = printable(shortened(str(label), 6))
            size = min(0.24, 1.3 / max(len(name), 1))
            yield Words(x + 0.36, y + 0.42, name, size, "soft", halo=True)

    def _wires(self, graph: WiringGraph) -> Iterator[Shape]:
        """Yield the wires of a wiring, dotted ones to seats.

        Where a button lies on its light, arrows say which wires go one way, and a dashed ring that
        it leaves its own light alone.
        """
        wires = np.stack([graph.owners + graph.size, graph.toggled], axis=1)
        yield Strokes(self._between(wires.tolist()), "wire", 0.05)
        on_light = ~graph.apart[graph.owners]
        pairs = np.stack([graph.at[graph.owners], graph.toggled], axis=1)[on_light]
        ways = set(map(tuple, pairs.tolist()))
        yield from self._heads([way for way in sorted(ways) if way[::-1] not in ways], "soft")
        for k, seat in enumerate(graph.at.tolist()):
            x, y = self.spot(k)
            if not graph.apart[k] and seat not in graph.lights_of(k):
                yield Circle(x, y, 0.42, None, "soft", 0.03, dashed=True)
            elif graph.apart[k] and seat >= 0:
                u, v = self.middle(seat)
                steps = np.arange(0.4, hypot(u - x, v - y), 0.15) / hypot(u - x, v - y)
                dots = [(x + s * (u - x), y + s * (v - y)) for s in steps.tolist()]
                yield Strokes(tuple((*at, *at) for at in dots), "ring", 0.08)

    def _heads(self, pairs: Sequence[Sequence[int]], colour: Role) -> Iterator[Shape]:
        """Yield the arrowheads of wires that go one way."""
        heads = [part for ends in self._between(pairs) for part in _head(*ends)]
        if heads:
            yield Strokes(tuple(heads), colour, 0.05)

    def bulbs(self) -> Iterator[Bulb]:
        """Yield the bulbs; of an orientation all unlit."""
        for v, lit in enumerate(self.board.lit.tolist()):
            yield Bulb(*self.middle(v), lit and not self.oriented)

    def over(self) -> Iterator[Shape]:
        """Yield the goal, strokes, dots, numerals, the ring of the next press, line bits, names."""
        graph = self.board.graph
        yield from self.goal()
        pairs = [self._spots(pair) for pair in self.marks.get("pairs", ())]
        if pairs:
            yield Strokes(self._between(pairs), "card", 0.16)
            yield Strokes(self._between(pairs), "mark", 0.1)
        for v in self._spots(self.marks.get("presses", ())):
            yield from dot(*self.middle(v))
        for label, count in self.marks.get("counts", ()):
            place = self.spot(graph.bulb(label))
            yield from dot(*place) if count == 1 else badge(*place, [str(count)])
        for label, numbers in self.marks.get("numbers", ()):
            lines = [str(k) for k in numbers] if len(numbers) <= 2 else [str(numbers[0]), "…"]
            yield from badge(*self.spot(graph.bulb(label)), lines)
        if "next" in self.marks:
            yield ring(*self.spot(graph.bulb(self.marks["next"])))
        yield from self._line_bits()
        yield from self.names()

    def goal(self) -> Iterator[Shape]:
        """Yield dashed rings around the bulbs that a drawn goal wants lit."""
        if self.board.goal_name == "grid" and not self.oriented:
            for v in self.board.goal.nonzero()[0].tolist():
                yield Circle(*self.middle(v), 0.44, None, "lit_rim", 0.045, dashed=True)

    def middle(self, place: int) -> tuple[float, float]:
        """Return where a bulb lies; the buttons of a wiring count on from its lights."""
        x, y = self.places.centres[place].tolist()
        return x + self.left, y

    def spot(self, press: int) -> tuple[float, float]:
        """Return where a press is made: on a bulb, or a button."""
        graph = self.board.graph
        return self.middle(press + graph.size if isinstance(graph, WiringGraph) else press)

    def _spots(self, labels: Sequence[object]) -> list[int]:
        """Return the places of presses by their names, for `middle`."""
        graph = self.board.graph
        first = graph.size if isinstance(graph, WiringGraph) else 0
        places: list[int] = (graph.bulbs(labels) + first).tolist()
        return places

    def _between(self, pairs: Sequence[Sequence[int]]) -> tuple[Segment, ...]:
        return tuple((*self.middle(u), *self.middle(v)) for u, v in pairs)

    def _joined(self, bulbs: list[int]) -> Iterator[Segment]:
        """Yield a dot for each bulb of a group; on a grid also strokes that join neighbours."""
        graph, members = self.board.graph, set(bulbs)
        for v in bulbs:
            yield (*self.middle(v), *self.middle(v))
        if isinstance(graph, GridGraph):
            pairs = [self._spots(pair) for pair in self.marks.get("pairs", ())]
            numbers, width = graph.numbers, graph.shape[1]
            for v in bulbs:
                row, column = divmod(int(graph.cells[v]), width)
                block = numbers[row : row + 2, column : column + 2]
                near = [int(u) for u in (*block[1:, 0], *block[0, 1:]) if int(u) in members]
                if block.size == 4 and members.issuperset(block.ravel().tolist()):
                    near.append(int(block[1, 1]))  # no hole in the middle of four
                yield from self._between([(v, u) for u in near])
            for x, y, right, down in self._between(pairs):
                if abs(right - x) < 1.1 and abs(down - y) < 1.1:
                    yield x, y, right, down

    def line_places(self) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
        """Return where the squares of rows and of columns lie."""
        assert isinstance(self.board.graph, GridGraph)
        height, width = self.board.graph.shape
        margin, left = self.places.margin, self.left
        rows = [(left + margin / 2, margin + r + 0.5) for r in range(height)]
        return rows, [(left + margin + c + 0.5, margin / 2) for c in range(width)]

    def _line_bits(self) -> Iterator[Shape]:
        """Yield the squares in the margins and the numbers beside them."""
        graph, marks = self.board.graph, self.marks
        if not isinstance(graph, GridGraph) or not ("lines" in marks or "rows" in marks):
            return
        height, width = graph.shape
        bits = marks.get("lines", ([False] * height, [False] * width))
        marked = marks.get("rows", ()), marks.get("columns", ())
        for side, places in enumerate(self.line_places()):
            for k, place in enumerate(places):
                yield from square(*place, filled=bits[side][k], marked=k in marked[side])
        margin = self.places.margin
        sums = (
            (marks.get("row_number"), margin / 2, 1.5 * margin + height),
            (marks.get("column_number"), 1.5 * margin + width, margin / 2),
        )
        for number, x, y in sums:
            if number is not None:
                yield Words(self.left + x, y, str(number), 0.42, "mark", bold=True)

    def words(self) -> Iterator[Words]:
        """Yield the words below the board."""
        yield from self._written[0]

    @cached_property
    def _written(self) -> tuple[list[Words], float]:
        """The words, and where they end."""
        y, lines, pixel = self.places.height, list[Words](), 1 / self.cell
        if not (self.heading or self.text):
            return lines, y
        x, width = 12 * pixel, self.width - 24 * pixel
        parts: tuple[tuple[str, float, Role, bool], ...] = (
            (self.heading, _HEADING * pixel, "ink", True),
            (str(self.marks.get("label", "")), _TEXT * pixel, "mark", True),
            (shortened(self.text, MOST_WORDS), _TEXT * pixel, "soft", False),
        )
        for text, size, colour, bold in parts:
            for line in wrapped(text, size * (1.15 if bold else 1.0), width):
                lines.append(Words(x, y + 0.75 * size, line, size, colour, bold, anchor="start"))
                y += 1.5 * size
        return lines, y + 10 * pixel


def _head(x: float, y: float, right: float, down: float) -> Iterator[Segment]:
    """Yield the two strokes of an arrow's head in the middle of a wire."""
    dx, dy = right - x, down - y
    share = 0.1 / max(hypot(dx, dy), 1e-9)
    tip = x + dx * (0.5 + share), y + dy * (0.5 + share)
    for side in (share, -share):
        yield (*tip, tip[0] - 2 * share * dx + side * dy, tip[1] - 2 * share * dy - side * dx)


def _hatched(places: list[tuple[float, float]]) -> Iterator[Shape]:
    """Yield squares with slanting lines."""
    half, slants = 0.46, []
    for x, y in places:
        yield Box(x - half, y - half, 2 * half, 2 * half, 0.1, None, "mark", 0.03)
        for k in range(-3, 4):
            off = 0.23 * k  # the line u + v = off within the square
            u, v = max(-half, off - half), min(half, off + half)
            slants.append((x + u, y + off - u, x + v, y + off - v))
    yield Strokes(tuple(slants), "mark", 0.025)


def dot(x: float, y: float) -> Iterator[Shape]:
    """Yield the mark of a press."""
    yield Circle(x, y, 0.13, "card")
    yield Circle(x, y, 0.095, "dot")


def ring(x: float, y: float) -> Circle:
    """Return the mark of the next press."""
    return Circle(x, y, 0.45, None, "dot", 0.07)


def badge(x: float, y: float, lines: list[str]) -> Iterator[Shape]:
    """Yield numerals on a disc; several lines where a bulb is pressed several times."""
    yield Circle(x, y, 0.3, "card")
    yield Circle(x, y, 0.265, "dot")
    longest = max(map(len, lines))
    size = min(0.3, 0.8 / max(longest, 2), 0.4 / len(lines))
    for k, line in enumerate(lines):
        yield Words(x, y + (k - (len(lines) - 1) / 2) * size, line, size, "on_dot", bold=True)


def square(x: float, y: float, *, filled: bool, marked: bool) -> Iterator[Box]:
    """Yield the line bit of a row or a column."""
    side = 0.25
    colour: Role = "mark" if marked else "soft"
    fill = colour if filled else None
    yield Box(x - side / 2, y - side / 2, side, side, 0.22 * side, fill, colour, 0.04)
    if marked:
        yield Box(x - side, y - side, 2 * side, 2 * side, 0.5 * side, None, "mark", 0.03)
