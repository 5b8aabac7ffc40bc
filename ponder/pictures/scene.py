"""A board with its marks as shapes: what lies under the bulbs, the bulbs, what lies over them.

How each mark (`marks`) looks is decided here, for SVG and pixels alike, and as on the page
(`page/static/marks.js`). Cost: O(bulbs + marks).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from math import hypot, pi, sin, sqrt
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ponder.model.board import Board
from ponder.model.graph import EdgeGraph, GridGraph
from ponder.model.render import title
from ponder.model.wired_graph import no_wiring
from ponder.pictures.shapes import (
    Box,
    Bulb,
    Circle,
    Role,
    Segment,
    Shape,
    Strokes,
    Words,
    text_width,
    wrapped,
)
from ponder.system.errors import BoardError
from ponder.system.printable import printable, shortened
from ponder.system.types import Bits, Ints, Positions

Marks: TypeAlias = dict[str, Any]

MOST_WORDS = 400  # characters of a reason below a picture, at most

_NARROWEST = 300  # pixels of a picture with words, at least
_HEADING, _TEXT = 15.0, 12.5  # pixels


MOST_DRAWN = 40_000  # bulbs that are drawn, at most: on 200×200 each has five pixels of a screen
MOST_NODES = 300  # nodes that are drawn, at most: a circle of more of them shows nothing
NARROW, WIDE = 0.4, 0.9  # margins in cells, without line bits and with them
SIDE, NUMBERED_SIDE = 720, 1200  # pixels of a picture's longer side, without numerals and with
MOST_SIDE = 180  # cells of a layout by positions, at most
_BENDS = 12  # strokes of an arc
_APART = 1.35  # cells between the middles of neighbours on a circle


@dataclass(frozen=True, eq=False)
class Places:
    """Where the bulbs lie, in cells from the picture's upper left corner.

    On a grid a bulb lies in the middle of its cell; those of a graph on a circle, in their order,
    far enough apart for a disc and a name between any two of them. There is a margin on all sides,
    wide enough for line bits where there are any.

    `centres`   the middle of every bulb, (n, 2)
    `margin`    on all sides
    `width`, `height`   with the margins
    """

    centres: NDArray[np.float64]
    margin: float
    width: float
    height: float

    @classmethod
    def of(cls, board: Board, *, wide: bool = False) -> Places:
        """Lay a board out. Raises BoardError for one that is too large to be looked at."""
        graph = board.graph
        if isinstance(graph, GridGraph):
            height, width = graph.shape
            if height * width > MOST_DRAWN:
                raise BoardError(
                    f"a board of {height}×{width} is too large for a picture "
                    f"(at most {MOST_DRAWN:,} cells)",
                    board.name,
                )
            margin = WIDE if wide else NARROW
            centres = np.stack([graph.columns, graph.rows], axis=1).astype(np.float64)
            centres += margin + 0.5
            return cls(centres, margin, width + 2 * margin, height + 2 * margin)
        if isinstance(graph, EdgeGraph) and graph.positions is not None:
            return cls.placed(graph.positions)
        if graph.size > MOST_NODES:
            raise BoardError(
                f"a graph of {graph.size:,} nodes is too large for a picture "
                f"(at most {MOST_NODES})",
                board.name,
            )
        radius = 0.0 if graph.size < 2 else max(1.0, _APART / (2 * sin(pi / graph.size)))
        middle = radius + 1.4
        turns = 2 * pi * np.arange(graph.size) / max(graph.size, 1)
        around = np.stack([np.sin(turns), -np.cos(turns)], axis=1)
        return cls(middle + radius * around, WIDE, 2 * middle, 2 * middle)

    @classmethod
    def placed(cls, positions: Positions) -> Places:
        """Lay out what has positions; a layout so narrow that bulbs would meet is stretched."""
        low = positions.min(axis=0)
        size = positions.max(axis=0) - low
        needed, side = sqrt(len(positions)), max(float(size.max()), 1e-9)
        stretched = 1.0
        if len(positions) > 1 and side < 0.7 * (needed - 1):
            stretched = 1.8 * needed / side
        elif side > MOST_SIDE:
            stretched = MOST_SIDE / side
        centres = (positions - low) * stretched + WIDE
        width, height = (size * stretched + 2 * WIDE).tolist()
        return cls(centres, WIDE, width, height)


def cell_size(board: Board, most: int = SIDE) -> int:
    """Return a cell's pixels, 4 to 40: `most` a longer side. Raises BoardError for a wiring."""
    no_wiring(board.graph)
    places = Places.of(board)
    return max(4, min(40, int(most / max(places.width, places.height))))


@dataclass(frozen=True, eq=False)
class Scene:
    """What a picture shows, before colours and pixels.

    `marks`     as `ponder.pictures.marks` makes them
    `heading`   the verdict, in bold below the board; `text` the reason
    `cell`      the pixels of a cell: words are of the same size in all pictures
    `lit`       another state than the board's;  `flashing`  bulbs that were just toggled

    >>> scene = Scene(Board.from_rows(["01"]), {"presses": [(0, 0)]})
    >>> [type(shape).__name__ for shape in scene.shapes()]
    ['Bulb', 'Bulb', 'Circle', 'Circle']
    """

    board: Board
    marks: Marks = field(default_factory=dict)
    heading: str = ""
    text: str = ""
    cell: int = 40
    lit: Bits | None = None
    flashing: Sequence[int] = ()

    @cached_property
    def places(self) -> Places:
        """Where the bulbs lie."""
        return Places.of(self.board, wide="lines" in self.marks or "rows" in self.marks)

    @cached_property
    def width(self) -> float:
        """The width of the picture, in cells."""
        return max(self.places.width, _NARROWEST / self.cell if self.below else 0.0)

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
        return printable(f"{shortened(self.board.name, 100)}: {title(self.board)}")

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

    # --------------------------------------------------------------------------- the board

    def under(self) -> Iterator[Shape]:
        """Yield the wires of a graph, hatched witnesses, outlined components, flashes."""
        graph = self.board.graph
        if isinstance(graph, EdgeGraph):
            middle = [self._middle(v) for v in range(graph.size)]
            pairs, bent = graph.edges.tolist(), set[int]()
            if graph.positions is not None and graph.size <= MOST_NODES:
                bent = _blocked(self.places.centres, graph.edges)
            wires = chain.from_iterable(
                _bow(*middle[u], *middle[v]) if k in bent else [(*middle[u], *middle[v])]
                for k, (u, v) in enumerate(pairs)
            )
            yield Strokes(tuple(wires), "wire", 0.05)
            if arcs := {tuple(graph.bulbs(arc).tolist()) for arc in self.marks.get("arcs", ())}:
                heads = chain.from_iterable(
                    _head(*middle[u], *middle[v], bent=k in bent, forward=(u, v) in arcs)
                    for k, (u, v) in enumerate(pairs)
                )
                yield Strokes(tuple(heads), "ink", 0.05)
            yield from self._names(graph)
        for group in self.marks.get("groups", ()):
            bulbs = graph.bulbs(group["bulbs"]).tolist()
            if group["style"] == "hatch":
                for x, y in map(self._middle, bulbs):
                    yield Box(x - 0.46, y - 0.46, 0.92, 0.92, 0.2, None, "mark", 0.03, hatched=True)
            else:
                ends = tuple(self._joined(bulbs))
                yield Strokes(ends, "mark", 0.94)
                yield Strokes(ends, "mark_fill", 0.94 - 2 * 0.05)
        for bulb in self.flashing:
            yield Circle(*self._middle(bulb), 0.56, "flash")

    def bulbs(self) -> Iterator[Bulb]:
        """Yield the bulbs."""
        state = self.board.lit if self.lit is None else self.lit
        shifted = self.places.centres + np.array([self.left, 0.0])
        for (x, y), lit in zip(shifted.tolist(), state.tolist(), strict=True):
            yield Bulb(x, y, lit)

    def over(self) -> Iterator[Shape]:
        """Yield the goal, strokes, dots, numerals, the ring of the next press, line bits."""
        board, graph = self.board, self.board.graph
        if board.goal_name == "grid":
            for v in board.goal.nonzero()[0].tolist():
                yield Circle(*self._middle(v), 0.44, None, "lit_rim", 0.045, dashed=True)
        pairs = [graph.bulbs(pair).tolist() for pair in self.marks.get("pairs", ())]
        if pairs:
            ends = tuple((*self._middle(u), *self._middle(v)) for u, v in pairs)
            yield Strokes(ends, "mark", 0.1)
        for bulb in graph.bulbs(self.marks.get("presses", ())).tolist():
            yield from dot(*self._middle(bulb))
        for label, count in self.marks.get("counts", ()):
            place = self._middle(graph.bulb(label))
            yield from dot(*place) if count == 1 else badge(*place, [str(count)])
        for label, numbers in self.marks.get("numbers", ()):
            lines = [str(k) for k in numbers] if len(numbers) <= 2 else [str(numbers[0]), "…"]
            yield from badge(*self._middle(graph.bulb(label)), lines)
        if "next" in self.marks:
            yield Circle(*self._middle(graph.bulb(self.marks["next"])), 0.45, None, "dot", 0.07)
        yield from self._line_bits()

    def _middle(self, bulb: int) -> tuple[float, float]:
        x, y = self.places.centres[bulb].tolist()
        return x + self.left, y

    def _joined(self, bulbs: list[int]) -> Iterator[Segment]:
        """Yield a dot for each bulb of a group, and strokes that make one shape of neighbours."""
        graph, members = self.board.graph, set(bulbs)
        for v in bulbs:
            yield (*self._middle(v), *self._middle(v))
        if isinstance(graph, GridGraph):
            numbers, width = graph.numbers, graph.shape[1]
            for v in bulbs:
                row, column = divmod(int(graph.cells[v]), width)
                block = numbers[row : row + 2, column : column + 2]
                near = [int(u) for u in (*block[1:, 0], *block[0, 1:]) if int(u) in members]
                if block.size == 4 and members.issuperset(block.ravel().tolist()):
                    near.append(int(block[1, 1]))  # no hole in the middle of four
                for u in near:
                    yield (*self._middle(v), *self._middle(u))
        for pair in self.marks.get("pairs", ()):
            u, v = graph.bulbs(pair).tolist()
            (x, y), (right, down) = self._middle(u), self._middle(v)
            if abs(right - x) < 1.1 and abs(down - y) < 1.1:
                yield x, y, right, down

    def _names(self, graph: EdgeGraph) -> Iterator[Shape]:
        """Yield the names of a graph's nodes, outside of the circle."""
        middle = self.places.width / 2
        if graph.positions is not None:
            for v in range(graph.size if graph.size <= MOST_NODES else 0):
                x, y = self._middle(v)
                name = printable(shortened(str(graph.label(v)), 6))
                yield Words(x + 0.36, y + 0.42, name, min(0.24, 0.7 / max(len(name), 1)), "soft")
            return
        for v in range(graph.size):
            x, y = self.places.centres[v].tolist()
            away = ((x - middle) ** 2 + (y - middle) ** 2) ** 0.5 or 1.0
            out = 0.8 / away
            name = printable(shortened(str(graph.label(v)), 6))
            x, y = x + (x - middle) * out + self.left, y + (y - middle) * out
            yield Words(x, y, name, min(0.36, 1.5 / max(len(name), 1)), "soft")

    def _line_bits(self) -> Iterator[Shape]:
        """Yield the squares in the margins and the numbers beside them."""
        graph, marks = self.board.graph, self.marks
        if not isinstance(graph, GridGraph) or not ("lines" in marks or "rows" in marks):
            return
        height, width = graph.shape
        bits = marks.get("lines", ([False] * height, [False] * width))
        margin, rows, columns = self.places.margin, marks.get("rows", ()), marks.get("columns", ())
        for r in range(height):
            yield from square(
                self.left + margin / 2, margin + r + 0.5, filled=bits[0][r], marked=r in rows
            )
        for c in range(width):
            yield from square(
                self.left + margin + c + 0.5, margin / 2, filled=bits[1][c], marked=c in columns
            )
        sums = (
            (marks.get("row_number"), margin / 2, 1.5 * margin + height),
            (marks.get("column_number"), 1.5 * margin + width, margin / 2),
        )
        for number, x, y in sums:
            if number is not None:
                yield Words(self.left + x, y, str(number), 0.42, "mark", bold=True)

    # --------------------------------------------------------------------------- the words

    @property
    def below(self) -> bool:
        """Whether there are words below the board."""
        return bool(self.heading or self.text)

    def words(self) -> Iterator[Shape]:
        """Yield the words below the board."""
        yield from self._written[0]

    @cached_property
    def _written(self) -> tuple[list[Shape], float]:
        """The words, and where they end."""
        y, found = self.places.height, list[Shape]()
        if not self.below:
            return found, y
        if isinstance(self.board.graph, GridGraph) and "row_number" not in self.marks:
            y += NARROW - self.places.margin  # there is nothing in the lower margin
        pixel = 1 / self.cell
        x, width = 12 * pixel, self.width - 24 * pixel
        y += 4 * pixel
        end = x
        for line in wrapped(self.heading, _HEADING * pixel, width):
            y += 11 * pixel
            found.append(Words(x, y, line, _HEADING * pixel, "ink", bold=True, anchor="start"))
            end = x + 1.15 * text_width(line, _HEADING * pixel) + 12 * pixel
            y += 11 * pixel
        if label := str(self.marks.get("label", "")):
            size = 12 * pixel
            strip = text_width(label, size) * 1.08 + 16 * pixel
            if self.heading and end + strip <= x + width:
                top = y - 21 * pixel
            else:
                end, top = x, y + 2 * pixel
                y += 25 * pixel
            found.append(Box(end, top, strip, 20 * pixel, 10 * pixel, "mark"))
            middle = (end + strip / 2, top + 10 * pixel)
            found.append(Words(*middle, label, size, "on_mark", bold=True))
        for line in wrapped(shortened(self.text, MOST_WORDS), _TEXT * pixel, width):
            y += 9 * pixel
            found.append(Words(x, y, line, _TEXT * pixel, "soft", anchor="start"))
            y += 9 * pixel
        return found, y + 10 * pixel


def _blocked(centres: Positions, edges: Ints) -> set[int]:
    """Return which wires would run through a bulb that is not at their end. O(wires · bulbs)."""
    found = set[int]()
    for k, (u, v) in enumerate(edges.tolist()):
        along = centres[v] - centres[u]
        share = (centres - centres[u]) @ along / max(float(along @ along), 1e-9)
        off = np.hypot(*(centres - centres[u] - share[:, None] * along).T)
        hit = (share > 0) & (share < 1) & (off < 0.3)
        hit[[u, v]] = False
        if hit.any():
            found.add(k)
    return found


def _bow(x: float, y: float, right: float, down: float) -> Iterator[Segment]:
    """Yield the strokes of an arc between two places, to the left of the way."""
    across, along, last = (down - y) * 0.14, (right - x) * 0.14, (x, y)
    for k in range(1, _BENDS + 1):
        t = k / _BENDS
        out = 4 * t * (1 - t)
        place = x + (right - x) * t + across * out, y + (down - y) * t - along * out
        yield (*last, *place)
        last = place


def _head(
    x: float, y: float, right: float, down: float, *, bent: bool, forward: bool
) -> Iterator[Segment]:
    """Yield the two strokes of an arrow's head in the middle of a wire, which is `bent` or not."""
    dx, dy, out = right - x, down - y, 0.14 if bent else 0.0
    share = (0.1 if forward else -0.1) / max(hypot(dx, dy), 1e-9)
    tip = x + dx * (0.5 + share) + out * dy, y + dy * (0.5 + share) - out * dx
    for side in (share, -share):
        yield (*tip, tip[0] - 2 * share * dx + side * dy, tip[1] - 2 * share * dy - side * dx)


def dot(x: float, y: float) -> Iterator[Shape]:
    """Yield the mark of a press."""
    yield Circle(x, y, 0.13, "card")
    yield Circle(x, y, 0.095, "dot")


def badge(x: float, y: float, lines: list[str]) -> Iterator[Shape]:
    """Yield numerals on a disc; several lines where a bulb is pressed several times."""
    yield Circle(x, y, 0.3, "card")
    yield Circle(x, y, 0.265, "dot")
    longest = max(map(len, lines))
    size = min(0.3, 0.8 / max(longest, 2), 0.4 / len(lines))
    for k, line in enumerate(lines):
        yield Words(x, y + (k - (len(lines) - 1) / 2) * size, line, size, "on_dot", bold=True)


def square(x: float, y: float, *, filled: bool, marked: bool) -> Iterator[Shape]:
    """Yield the line bit of a row or a column."""
    side = 0.25
    colour: Role = "mark" if marked else "soft"
    fill = colour if filled else None
    yield Box(x - side / 2, y - side / 2, side, side, 0.22 * side, fill, colour, 0.04)
    if marked:
        yield Box(x - side, y - side, 2 * side, 2 * side, 0.5 * side, None, "mark", 0.03)
