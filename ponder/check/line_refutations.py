"""Row/column boards: refutations and the bound `line-flow`, by adding up a few small numbers.

In build order the presses of a line have the colours 0, 1, 0, 1, …, if every t(v) = 0 and no bulb
is pressed twice, which is checked first (theory §4.4, §4.5, §4.9). So sums are ≤ twice the board.

Letters: S the press set, d(l) its presses in line l, R rows, C columns. Cost: O(cells).
"""

from __future__ import annotations

import numpy as np

from ponder.check.fields import count, enum_value, fail, later_parities, lines, number, quote
from ponder.check.limits import Budget
from ponder.check.linear import unique_press_set
from ponder.check.neighbourhoods import line_sums
from ponder.model.board import Board
from ponder.model.graph import CrossGraph
from ponder.system.types import Bits, Ints, Json


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


def check_line_count(board: Board, counts: Ints, refutation: Json) -> None:
    """Check that the odd rows and columns are the ones named, and differ in number."""
    graph = _alternating(board, counts, "line-count")
    odd_rows, odd_columns = (sums & 1 == 1 for sums in line_sums(graph, counts))
    _same(refutation, "odd_rows", odd_rows)
    _same(refutation, "odd_columns", odd_columns)
    rows, columns = np.count_nonzero(odd_rows), np.count_nonzero(odd_columns)
    if rows == columns:
        fail(f"line-count: {rows} rows and as many columns are odd, which refutes nothing")


def check_line_cut(board: Board, counts: Ints, refutation: Json) -> int:
    """Check that the lines X need more presses of colour 1 than there is room for.

    Return the extra presses of every sequence with these odd presses, by theorem 3 (theory §4.5).
    The flow is at most H − need + room, for H = Σ⌊d/2⌋ over the lines of X's kind.
    """
    graph = _alternating(board, counts, "line-cut")
    (x, own, in_x), (y, other, in_y) = _cut_lines(graph, counts, refutation, "line-cut")
    need = int(own[x].sum())
    room = int(other[y].sum()) + int(np.count_nonzero((counts > 0) & in_x & ~in_y))
    for key, value in (("need", need), ("room", room)):
        if count(refutation.get(key), f"line-cut: {key}") != value:
            fail(f"line-cut: {key} is {value} by the press set, not {quote(refutation[key])}")
    if need <= room:
        side = refutation["side"]
        fail(f"line-cut: the {side} need {need} and there is room for {room}: no contradiction")
    if later_parities(board, "line-cut").any():
        return 2  # theorem 3 is about boards with every t(v) = 0, a refutation about its presses
    return max(2, 2 * int(other.sum() - own.sum() + 2 * (need - room)))


def line_flow(board: Board, bound: Json, budget: Budget) -> int:
    """Return what the capacity of a cut proves of the only press set, by theorem 3 (theory §4.5).

    Source → own lines → other lines → sink; the lines that are named lie with the source.
    """
    graph = plain_cross(board, "bound: line-flow")
    presses = unique_press_set(board, budget)
    named = {"side": "rows", **bound}
    (x, own, in_x), (y, other, in_y) = _cut_lines(graph, presses, named, "line-flow")
    capacity = int(own[~x].sum() + other[y].sum()) + int(np.count_nonzero(presses & in_x & ~in_y))
    if number(bound.get("flow"), "line-flow: flow") != capacity:
        fail(f"line-flow: the cut has the capacity {capacity}, not {quote(bound['flow'])}")
    return int(np.count_nonzero(presses)) + 2 * (int(own.sum() + other.sum()) - 2 * capacity)


def _cut_lines(
    graph: CrossGraph, counts: Ints | Bits, cut: Json, what: str
) -> list[tuple[Bits, Ints, Bits]]:
    """Return named lines, half the presses of each line, and the bulbs in them: `side` first."""
    side = enum_value(cut.get("side"), ("rows", "columns"), f"{what}: side")
    rows = lines(cut.get("rows"), graph.shape[0], f"{what}: rows")
    columns = lines(cut.get("columns"), graph.shape[1], f"{what}: columns")
    of_rows, of_columns = (sums // 2 for sums in line_sums(graph, counts))
    in_rows, in_columns = (
        graph.from_grid(np.broadcast_to(chosen, graph.shape)) for chosen in (rows[:, None], columns)
    )
    kinds = [(rows, of_rows, in_rows), (columns, of_columns, in_columns)]
    return kinds if side == "rows" else kinds[::-1]


def check_line_parities(board: Board, counts: Ints, refutation: Json) -> None:
    """Check that more lines are odd, in every press set, than there are lines across.

    On a full rectangle with R odd and C even two press sets differ by whole columns, an even number
    of them: the odd rows are the same for all (theory §4.9). No order has more of them than C.
    """
    graph = _alternating(board, counts, "line-parities")
    if later_parities(board, "line-parities").any():
        fail("line-parities: a press set may press bulbs that need an odd number of later ones")
    side = enum_value(refutation.get("side"), ("rows", "columns"), "line-parities: side")
    height, width = graph.shape if side == "rows" else graph.shape[::-1]
    if graph.mask is not None or height % 2 == 0 or width % 2 == 1:
        fail(f"line-parities: the parities of the {side} are not the same for all press sets")
    odd = line_sums(graph, counts)[0 if side == "rows" else 1] & 1 == 1
    _same(refutation, "odd_lines", odd)
    others = "columns" if side == "rows" else "rows"
    if count(refutation.get("others"), "line-parities: others") != width:
        fail(f"line-parities: there are {width} {others}")
    if np.count_nonzero(odd) <= width:
        fail(f"line-parities: {np.count_nonzero(odd)} odd {side} do not exceed {width} {others}")


def _alternating(board: Board, counts: Ints, kind: str) -> CrossGraph:
    graph = cross_of(board, kind)
    if counts.size and counts.max() > 1:
        fail(f"{kind} is about bulbs pressed once, press_counts has a {counts.max()}")
    if (later_parities(board, kind) & (counts > 0)).any():
        fail(f"{kind}: by rule and goal a pressed bulb needs an odd number of later neighbours")
    return graph


def _same(refutation: Json, key: str, odd: Bits) -> None:
    listed = lines(refutation.get(key), odd.size, key)
    if not np.array_equal(listed, odd):
        line = int(np.argmax(listed != odd))
        parity = "odd" if odd[line] else "even"
        fail(f"{key} is wrong at line {line}, which has an {parity} number of presses")
