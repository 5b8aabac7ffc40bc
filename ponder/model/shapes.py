"""Boards by the names of their shapes: `hex:4`, `cube:3`, `torus:5x7`, `petersen`.

A shape says which bulbs are neighbours, and where they are drawn; every bulb is dark at first, and
rule and goal are the caller's. A shape on a rectangle is a grid with a pattern, and has all that
grids have; any other is a graph with `positions`. `shape_text` writes the board file of either, so
that whatever reads board files reads shapes. It loads no arrays: `--help` does without. O(bulbs +
wires).

The stickers of a cube are called as solvers of Rubik's cube call them (H. Kociemba): U1 … U9 from
the upper left, then R, F, D, L, B, in a net with U above F.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import cos, pi, sin, sqrt
from typing import TYPE_CHECKING, NamedTuple

from ponder.system.errors import BoardError, bad_argument, quoted, unknown

if TYPE_CHECKING:
    from ponder.model.board import Board
    from ponder.model.formats import State
    from ponder.system.types import Json

MOST_CELLS = 400_000_000  # of a grid, as in board files
MOST_NODES = 20_000  # bulbs of a shape that is a graph

Point = tuple[float, float]
Wire = tuple[int, int]


class Drawn(NamedTuple):
    """The bulbs of a graph, where they are drawn (y downwards), their wires, their names."""

    points: Sequence[Point]
    wires: Iterable[Wire]
    names: list[str] | None = None


@dataclass(frozen=True)
class Shape:
    """A shape: `sides` is how its size is written (`N`, `RxC`, or nothing).

    It is a `pattern` on a rectangle, of which `holes` leaves out cells, or what `make` draws;
    `bulbs` counts before anything is made.
    """

    key: str
    sides: str
    example: str
    summary: str
    make: Callable[[int, int], Drawn] | None = None
    bulbs: Callable[[int, int], int] = lambda rows, columns: rows * columns
    pattern: str | None = None
    holes: Callable[[int, int, int], bool] | None = None
    least: int = 1

    @property
    def sides_of_example(self) -> list[int]:
        """The size that is shown."""
        return [int(side) for side in self.example.split("x") if side]


# ------------------------------------------------------------------------------ how they are drawn


def _around(count: int, radius: float) -> list[Point]:
    """Return points on a circle, the first on top."""
    angles = (2 * pi * k / count for k in range(count))
    return [(radius * sin(angle), -radius * cos(angle)) for angle in angles]


def _circle(count: int, wires: Iterable[Wire]) -> Drawn:
    """Draw bulbs on a circle, neighbours on it 1.2 apart."""
    return Drawn(_around(count, 0.6 / sin(pi / max(count, 2))), wires)


def _ring(count: int, first: int = 0, step: int = 1) -> list[Wire]:
    return [(first + k, first + (k + step) % count) for k in range(count)]


def _hexagonal(cells: Iterable[tuple[int, int]]) -> Drawn:
    """Draw cells (q, r) of a honeycomb: each row is shifted by half a cell."""
    number = {cell: k for k, cell in enumerate(sorted(cells, key=lambda cell: cell[::-1]))}
    wires = (
        (k, number[q + dq, r + dr])
        for (q, r), k in number.items()
        for dq, dr in ((1, 0), (0, 1), (-1, 1))
        if (q + dq, r + dr) in number
    )
    return Drawn([(q + r / 2, r * sqrt(3) / 2) for q, r in number], wires)


def _hexagon(n: int) -> Drawn:
    span = range(1 - n, n)
    return _hexagonal((q, r) for q in span for r in span if abs(q + r) < n)


def _glued(rows: int, columns: int, across: str, down: str = "") -> list[Wire]:
    """Return the wires of a rectangle whose sides are glued: `even`, `twisted`, or not at all."""
    wires = []
    for k in range(rows * columns):
        r, c = divmod(k, columns)
        if c + 1 < columns:
            wires.append((k, k + 1))
        elif across:
            wires.append((k, (rows - 1 - r if across == "twisted" else r) * columns))
        if r + 1 < rows:
            wires.append((k, k + columns))
        elif down:
            wires.append((k, columns - 1 - c if down == "twisted" else c))
    return wires


def _sheet(rows: int, columns: int, wires: list[Wire]) -> Drawn:
    return Drawn([(1.3 * c, 1.3 * r) for r in range(rows) for c in range(columns)], wires)


def _band(rows: int, columns: int, across: str) -> Drawn:
    """Draw a band around a hole: its rows are circles."""
    inner = max(0.6 / sin(pi / max(columns, 2)), 0.6)
    points = [point for r in range(rows) for point in _around(columns, inner + rows - 1 - r)]
    return Drawn(points, _glued(rows, columns, across))


_FACES = (
    ("U", 1, 0, "c", "n", "r"), ("R", 2, 1, "n", "-r", "-c"), ("F", 1, 1, "c", "-r", "n"),
    ("D", 1, 2, "c", "-n", "-r"), ("L", 0, 1, "-n", "-r", "c"), ("B", 3, 1, "-c", "-r", "-n"),
)  # fmt: skip
"""The faces, where they lie in the net, and of the sticker in row r and column c x, y and z."""


def _cube(n: int) -> Drawn:
    """Draw the net of a cube; over an edge, a sticker's neighbour lies on the next face."""
    names, points, places = list[str](), list[Point](), list[list[int]]()
    for face, right, below, *axes in _FACES:
        for k in range(n * n):
            r, c = divmod(k, n)
            at = {"n": n, "r": 2 * r - n + 1, "c": 2 * c - n + 1}
            names.append(f"{face}{k + 1}")
            points.append((right * (n + 0.25) + c, below * (n + 0.25) + r))
            places.append([at[axis[-1]] * (-1 if axis[0] == "-" else 1) for axis in axes])
    number = {tuple(place): k for k, place in enumerate(places)}
    wires = []
    for k, place in enumerate(places):
        outward = next(axis for axis in range(3) if abs(place[axis]) == n)
        for axis in {0, 1, 2} - {outward}:
            for step in (2, -2):
                near = [*place]
                near[axis] += step
                if abs(near[axis]) > n:  # over the edge, onto the face on that side
                    near[axis] -= step // 2
                    near[outward] -= 1 if near[outward] > 0 else -1
                wires.append((k, number[tuple(near)]))
    return Drawn(points, wires, names)


def _generalised_petersen(n: int, step: int) -> Drawn:
    """Draw a cycle, a star inside with steps of that length, and the spokes between them."""
    inner = max(0.5 / sin(pi / n), 0.7)
    wires = [*_ring(n), *_ring(n, n, step), *((k, n + k) for k in range(n))]
    return Drawn([*_around(n, inner + 1), *_around(n, inner)], wires)


def _hypercube(n: int) -> Drawn:
    """Draw 2^n bulbs: a bit of a bulb's number moves it in a direction of its own."""
    ways = [(1.3, 0.0), (0.0, 1.3), (0.55, -0.5)]
    ways += [(x * 2.9, y * 2.9) for x, y in ways] + [(x * 7.9, y * 7.9) for x, y in ways]
    points = [
        (sum(ways[k][0] for k in range(n) if v >> k & 1),
         sum(ways[k][1] for k in range(n) if v >> k & 1))
        for v in range(1 << n)
    ]  # fmt: skip
    return Drawn(points, [(v, v ^ 1 << k) for v in range(1 << n) for k in range(n)])


def _tree(n: int) -> Drawn:
    """Draw a binary tree of n levels, its root on top."""
    points = []
    for v in range(1, 1 << n):
        level = v.bit_length() - 1
        width = 2.0 ** (n - 1 - level)
        points.append((width * (v - (1 << level) + 0.5), 1.2 * level))
    return Drawn(points, [(v // 2 - 1, v - 1) for v in range(2, 1 << n)])


def _bipartite(rows: int, columns: int) -> Drawn:
    middle = (rows - columns) / 2
    above = [(float(k), 0.0) for k in range(rows)]
    below = [(k + middle, 0.5 * max(rows, columns) + 0.7) for k in range(columns)]
    wires = [(u, rows + v) for u in range(rows) for v in range(columns)]
    return Drawn([*above, *below], wires)


def _hub(n: int, rim: bool) -> Drawn:
    points = [(0.0, 0.0), *_around(n, max(0.6 / sin(pi / max(n, 2)), 1.2))]
    return Drawn(points, [*((0, k) for k in range(1, n + 1)), *(_ring(n, 1) if rim else ())])


SHAPES: tuple[Shape, ...] = (
    Shape("torus", "RxC", "4x6", "a rectangle without edges", pattern="torus-plus"),
    Shape("king-torus", "RxC", "4x6", "the same, with diagonals", pattern="torus-king"),
    Shape("diamond", "N", "5", "a square on its tip, of N rows", pattern="plus",
          holes=lambda n, r, c: abs(2 * r - n + 1) + abs(2 * c - n + 1) > n),
    Shape("knight", "RxC", "5", "a press reaches what a knight of chess does",
          pattern="stencil -2,-1 -2,1 -1,-2 -1,2 1,-2 1,2 2,-1 2,1"),
    Shape("cube", "N", "3", "the stickers of a cube, over its edges too",
          lambda n, _: _cube(n), lambda n, _: 6 * n * n),
    Shape("cylinder", "RxC", "3x8", "a rectangle, left and right side glued",
          lambda r, c: _band(r, c, "even")),
    Shape("mobius", "RxC", "3x8", "the same, glued with a twist",
          lambda r, c: _band(r, c, "twisted")),
    Shape("klein", "RxC", "4x5", "a Klein bottle: top and bottom glued too, with a twist",
          lambda r, c: _sheet(r, c, _glued(r, c, "even", "twisted"))),
    Shape("projective", "RxC", "4x5", "a projective plane: both glued with a twist",
          lambda r, c: _sheet(r, c, _glued(r, c, "twisted", "twisted"))),
    Shape("hex", "RxC", "4", "a rhombus of hexagons, the board of the game Hex",
          lambda r, c: _hexagonal((q, k) for q in range(c) for k in range(r))),
    Shape("hexagon", "N", "3", "a hexagon of hexagons, N a side",
          lambda n, _: _hexagon(n), lambda n, _: 3 * n * (n - 1) + 1),
    Shape("triangle", "N", "5", "a triangle of N rows, as for peg solitaire",
          lambda n, _: _hexagonal((c - r, r) for r in range(n) for c in range(r + 1)),
          lambda n, _: n * (n + 1) // 2),
    Shape("path", "N", "6", "a row of N",
          lambda n, _: Drawn([(1.2 * k, 0.0) for k in range(n)], [(k - 1, k) for k in range(1, n)]),
          lambda n, _: n),
    Shape("cycle", "N", "8", "a ring of N", lambda n, _: _circle(n, _ring(n)), lambda n, _: n,
          least=3),
    Shape("complete", "N", "6", "each next to each",
          lambda n, _: _circle(n, [(u, v) for v in range(n) for u in range(v)]),
          lambda n, _: n if n < 1500 else n * n),
    Shape("bipartite", "RxC", "3x4", "R above, C below, each next to all of the other side",
          _bipartite, lambda r, c: max(r + c, r * c // 50)),
    Shape("star", "N", "7", "a hub and N around it", lambda n, _: _hub(n, False),
          lambda n, _: n + 1),
    Shape("wheel", "N", "7", "the same with a rim",
          lambda n, _: _hub(n, True), lambda n, _: n + 1, least=3),
    Shape("prism", "N", "6", "two rings of N, one in the other",
          lambda n, _: _generalised_petersen(n, 1), lambda n, _: 2 * n, least=3),
    Shape("tree", "N", "4", "a binary tree of N levels", lambda n, _: _tree(n),
          lambda n, _: 1 << min(n, 40)),
    Shape("hypercube", "N", "4", "2^N bulbs, neighbours differ in one bit",
          lambda n, _: _hypercube(n), lambda n, _: 1 << n if n < 10 else 1 << 40),
    Shape("octahedron", "", "", "six, each next to all but the opposite one",
          lambda *_: _circle(6, [(u, v) for v in range(6) for u in range(v) if v - u != 3])),
    Shape("petersen", "", "", "the Petersen graph, of 10",
          lambda *_: _generalised_petersen(5, 2)),
    Shape("dodecahedron", "", "", "the corners of a dodecahedron, 20",
          lambda *_: _generalised_petersen(10, 2)),
)  # fmt: skip

SHAPES_BY_NAME = {shape.key: shape for shape in SHAPES}
_MEANT = {
    "ring": "cycle", "moebius": "mobius", "möbius": "mobius", "line": "path", "clique": "complete",
    "k": "complete", "rhombus": "hex", "klein-bottle": "klein", "torus-king": "king-torus",
    "torus-plus": "torus", "triangular": "triangle", "faces": "cube", "binary-tree": "tree",
}  # fmt: skip
_WORD = re.compile(r"([^\W\d_][\w-]*?)(?:[: ](\d{1,9})(?:[x×](\d{1,9}))?)?", re.UNICODE)


@dataclass(frozen=True)
class SizedShape:
    """A shape of a size."""

    shape: Shape
    rows: int = 1
    columns: int = 1

    @property
    def text(self) -> bytes:
        """The board file: dark, and without a rule or a goal."""
        shape, rows, columns = self.shape, self.rows, self.columns
        if shape.make is None:
            hole = shape.holes or (lambda n, row, column: False)
            lines = (
                "".join("-" if hole(rows, r, c) else "0" for c in range(columns))
                for r in range(rows)
            )
            return "\n".join([f"pattern: {shape.pattern}", *lines, ""]).encode()
        points, wires, names = shape.make(rows, columns)
        ends = sorted({(min(wire), max(wire)) for wire in wires if wire[0] != wire[1]})
        content: Json = {
            "nodes": names or len(points),
            "edges": [[names[u], names[v]] for u, v in ends] if names else ends,
            "positions": [[round(x, 3), round(y, 3)] for x, y in points],
        }
        return json.dumps(content).encode()

    @property
    def word(self) -> str:
        """What a command takes: `hex:4`, `torus:4x6`, `petersen`."""
        sides = str(self.rows) if self.rows == self.columns else f"{self.rows}x{self.columns}"
        return f"{self.shape.key}:{sides}" if self.shape.sides else self.shape.key


def shape_of(word: str) -> SizedShape | None:
    """Return the shape that a word names; None for other words, such as names of files.

    Raises BoardError for a size that the shape does not have.

    >>> shape_of("hex:4").word, shape_of("board.txt")
    ('hex:4', None)
    """
    match = _WORD.fullmatch(word)
    if match is None or match[1] not in SHAPES_BY_NAME:
        name, colon, _ = word.partition(":")
        if colon and name in SHAPES_BY_NAME and not os.path.exists(word):
            # refused, with the way in which its size is written
            return sized_shape(name, *(() if SHAPES_BY_NAME[name].sides else (1,)))
        return None
    return sized_shape(match[1], *(int(side) for side in match.groups()[1:] if side is not None))


def sized_shape(name: str, *sides: int) -> SizedShape:
    """Return a shape of a size. Raises BoardError for an unknown one, or one of another size."""
    if name not in SHAPES_BY_NAME:
        bad_argument(unknown("shape", name, list(SHAPES_BY_NAME), _MEANT), "shape")
    known = SHAPES_BY_NAME[name]
    usage = f"write {name}:{known.example}" if known.sides else f"write {name} alone"
    if not sides and known.sides:
        bad_argument(f"the shape {name} needs a size {known.sides}: {usage}", "shape")
    if sides and not known.sides:
        bad_argument(f"the shape {name} has one size: {usage}", "shape")
    rows, columns = sides[0] if sides else 1, sides[-1] if sides else 1
    if known.sides == "N" and rows != columns:
        bad_argument(f"the size of {name} is one number: {usage}", "shape")
    if min(rows, columns) < known.least:
        bad_argument(f"the smallest size of {name} is {known.least}", "shape")
    if known.make is not None and known.bulbs(rows, columns) > MOST_NODES:
        bad_argument(f"{name} of this size is too large (at most {MOST_NODES:,} bulbs)", "shape")
    if known.make is None and rows * columns > MOST_CELLS:
        bad_argument(f"a board of {rows * columns:,} cells is too large", "shape")
    return SizedShape(known, rows, columns)


def sides_of(word: str) -> tuple[int, int] | None:
    """Return the sides that a size says, N or RxC; None for any other word: a file name."""
    match = re.fullmatch(r"(\d{1,9})(?:[x×](\d{1,9}))?", word, re.ASCII)
    return None if match is None else (int(match[1]), int(match[2] or match[1]))


def dark_text(sides: tuple[int, int], word: str) -> bytes:
    """Return the text of an unlit grid. Raises BoardError for sides that no board has."""
    rows, columns = sides
    if not rows or not columns:
        raise BoardError("a board has at least one row and one column", word)
    if rows * columns > MOST_CELLS:
        raise BoardError(f"a board of {rows * columns:,} cells is too large", word)
    return b"\n".join([b"0" * columns] * rows)


def shape(
    name: str,
    *size: int,
    puzzle: str | None = None,
    rule: str | None = None,
    goal: State | None = None,
    lit: State | Iterable[int | str] | None = None,
) -> Board:
    """Return the board of a shape: `shape("hex", 4)`, `shape("torus", 5, 7)`, `shape("petersen")`.

    `puzzle` names rule and goal together, else they are unlit and lit; `lit` is a state, or what
    the lit bulbs are called. `ponder draw --list` lists shapes. Raises BoardError for any other.

    >>> cube = shape("cube", 3, puzzle="lights-out", lit=["U5", "F1"])
    >>> cube.graph.size, cube.rule, int(cube.lit.sum())
    (54, 'any', 2)
    """
    from ponder.model.arguments import press_set_of, whole_number
    from ponder.model.formats import parse_board, parse_state
    from ponder.model.presets import refuse_lights

    for side in size:
        whole_number(side, "size")
    if not isinstance(name, str) or len(size) > 2:
        bad_argument(f"{quoted(name)} with {len(size)} sizes is no shape", "shape")
    sized = (shape_of(name) if not size else None) or sized_shape(name, *size)
    pattern = sized.shape.pattern
    board = parse_board(
        sized.text, sized.word, puzzle=puzzle, pattern=pattern, rule=rule, goal=goal
    )
    if lit is None:
        return board
    refuse_lights(puzzle)
    if isinstance(lit, str | tuple):
        state = parse_state(lit, board.graph, "lit")
    else:
        state = board.graph.set_of(press_set_of(board.graph, lit, "lit"))
    return replace(board, lit=state)
