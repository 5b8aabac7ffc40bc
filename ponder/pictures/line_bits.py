"""Line bits: one bit for every row and column, by which one sees why a press is legal.

Idea (theory §4). On a row/column board let s be a press set and r_i, c_j the parities of its
presses along row i and column j. Then bulb (i, j) has the state goal + r_i + c_j + s(i, j). Where
every t(v) = 0 a press is legal iff the bulb differs from its goal: so a bulb of s may be pressed
iff its two bits are alike, and any other iff they differ. A press of (i, j) flips r_i, c_j.

Cost: O(cells).
"""

from __future__ import annotations

from ponder.puzzle.board import Board
from ponder.puzzle.graph import CrossGraph, line_parities
from ponder.types import Bits


def line_bits(board: Board, press_set: Bits) -> tuple[Bits, Bits] | None:
    """Return the bits of the rows and of the columns; None on boards that have none.

    >>> board = Board.from_rows(["0011", "1101", "0110", "0001"])
    >>> from ponder.linear.press_sets import press_sets
    >>> rows, columns = line_bits(board, press_sets(board).particular)
    >>> rows.astype(int).tolist(), columns.astype(int).tolist()
    ([0, 1, 0, 1], [1, 0, 0, 1])
    """
    graph = board.graph
    if not isinstance(graph, CrossGraph) or not board.even_lines:
        return None
    return line_parities(graph.to_grid(press_set))
