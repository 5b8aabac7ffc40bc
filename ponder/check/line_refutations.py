"""Row/column boards: what the refutations and bounds that add up the presses of lines share.

In build order the presses of a line have the colours 0, 1, 0, 1, …, if every t(v) = 0 and no bulb
is pressed twice (theory §4.4, §4.5, §4.9). A *cut* is a set of lines X of one kind, the `side`, and
Y of the other. Sums of halves of lines are at most twice the board.

Letters: S the press set, d(l) its presses in line l, R rows, C columns. Cost: O(cells).
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ponder.check.fields import fail, later_parities, set_of_lines
from ponder.check.kinds import Claim, Refutation
from ponder.check.written import Side
from ponder.model.board import Board
from ponder.model.graph import CrossGraph
from ponder.system.printable import pluralise
from ponder.system.types import Bits, Ints, Json

EARLY = (
    "A bulb that must be pressed may be pressed only while its row and its column agree: an even "
    "number of presses is left in both, or an odd number in both. Call a press early if those "
    "numbers are even.",
    "In each line the number that is left falls by one with each press, so even and odd take "
    "turns, down to one. Half of the presses in a line are early, rounded down.",
)
"""How all arguments about lines begin, under the plain rules."""

OTHER: dict[Side, Side] = {"rows": "columns", "columns": "rows"}
NAMED = 4  # lines that a sentence names at most; of more it says how many there are


class LineRefutation(Refutation):
    """Base of the refutations of a half factor: cutting planes can prove the same anew (§6.5)."""

    theory = "§4.4, own proof"


class SideRefutation(LineRefutation):
    """Base of those of all press sets of a full rectangle, of which `side` has an odd number."""

    claim: ClassVar[Claim | None] = "C2"
    side: Side


def cross_of(board: Board, what: str) -> CrossGraph:
    """Return the graph of a row/column board."""
    if not isinstance(board.graph, CrossGraph):
        fail(f"{what} is about row/column boards, the pattern is {board.graph.pattern}")
    return board.graph


def plain_cross(board: Board, what: str) -> CrossGraph:
    """Return the graph of a row/column board with every t(v) = 0."""
    graph = cross_of(board, what)
    if board.odd_later is None or board.odd_later.any():
        fail(f"{what} holds where every press needs an even number of later neighbours")
    return graph


def alternating(board: Board, counts: Ints, what: str) -> CrossGraph:
    """Return the graph of a row/column board, of which every bulb that is pressed has t(v) = 0."""
    graph = cross_of(board, what)
    if (later_parities(board, what) & (counts > 0)).any():
        fail(f"{what}: by rule and goal a pressed bulb needs an odd number of later neighbours")
    return graph


def same_lines(listed: Ints, odd: Bits, what: str) -> None:
    """Check that the lines listed are the odd ones."""
    differ = set_of_lines(listed, odd.size, what) ^ odd
    if differ.any():
        line = int(np.argmax(differ))
        parity = "odd" if odd[line] else "even"
        fail(f"{what} is wrong at line {line}, which has an {parity} number of presses")


def cut_of(
    graph: CrossGraph, presses: Bits, side: Side, lines: tuple[Ints, Ints], what: str
) -> tuple[int, int, int, int]:
    """Return what a cut says: Σ⌊d/2⌋ over X, over the other lines of its kind, and room in Y.

    `lines` are rows and columns. The room is Σ⌊d/2⌋ over Y and the presses in X outside Y; the last
    number is Σ⌊d/2⌋ over all lines of the kind of Y.
    """
    grid = graph.to_grid(presses)
    x, y = (set_of_lines(k, n, what) for k, n in zip(lines, graph.shape, strict=True))
    if side == "columns":
        grid, x, y = grid.T, y, x
    own, other = (grid.sum(axis=axis, dtype=np.int64) // 2 for axis in (1, 0))
    room = int(other[y].sum()) + int(np.count_nonzero(grid[np.ix_(x, ~y)]))
    return int(own[x].sum()), int(own[~x].sum()), room, int(other.sum())


def named(kind: str, lines: Ints) -> str:
    """Return what people call some rows or columns, which they count from 1."""
    if not lines.size or lines.size > NAMED:
        return pluralise(lines.size, kind) if lines.size else f"no {kind}"
    *first, last = map(str, (lines + 1).tolist())
    return f"{kind}s {', '.join(first)} and {last}" if first else f"{kind} {last}"


def line_marks(side: Side, rows: Ints, columns: Ints, numbers: tuple[int, int], label: str) -> Json:
    """Return lines as marks, with a number for each kind: first that of the lines on the side."""
    row, column = numbers if side == "rows" else numbers[::-1]
    lines = {"rows": rows.tolist(), "columns": columns.tolist()}
    return {**lines, "row_number": row, "column_number": column, "label": label}
