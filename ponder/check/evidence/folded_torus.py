"""`folded-torus`: a torus with even sides is taken apart into smaller ones, `times` over.

The presses in a class of cells are a press set of a smaller torus whose change is A·b there, so the
sum of their least weights is a bound; this may be repeated (theory §1.6, §7.8). Cost: a linear
system and a transform for every class.
"""

from __future__ import annotations

from itertools import product
from typing import ClassVar

import numpy as np

from ponder.check.coset import least_weight
from ponder.check.fields import fail
from ponder.check.kinds import Bound
from ponder.check.limits import Budget
from ponder.check.linear import press_sets
from ponder.check.neighbourhoods import closed_sums, spend_sums
from ponder.check.written import Number
from ponder.model.board import Board
from ponder.model.graph import StencilGraph, grid_graph

FOLDED = "folded-torus"
FOLDABLE = ("torus-plus", "torus-king")
_NS_BOARD = 150_000  # nanoseconds for a class of a torus, in its linear system and its weights


class FoldedTorus(Bound):
    """Tori with even sides, folded into smaller ones, whose least weights add up."""

    kind = FOLDED
    theory = "§1.6, §7.8, own proof"
    of_orders: ClassVar[bool] = False
    exact = False
    says: ClassVar[str] = "the board folds into smaller ones, and the fewest presses of each add up"
    argues: ClassVar[str] = (
        "folding makes a press set one of several smaller tori, whose least weights add up"
    )
    times: Number

    def proves(self, board: Board, command: str, enough: int, budget: Budget) -> int:
        """Return the sum of the least weights of the boards that a torus is folded into."""
        boards = [board]
        for _ in range(self.times):  # no side can be halved often
            budget.spend(4 * _NS_BOARD * len(boards), "folding the torus")
            spend_sums(board.graph, budget, "folding the torus")
            boards = [part for one in boards for part in _fold(one)]
        total = 0
        for part in boards:
            budget.spend(_NS_BOARD, "the weights of the folded boards")
            found = press_sets(part, budget)
            total += least_weight(found.one, found.quiet, budget)[0]
        return total


def _fold(board: Board) -> list[Board]:
    graph = board.graph
    if not isinstance(graph, StencilGraph) or graph.mask is not None:
        fail(f"{FOLDED}: the board is not a full torus")
    if graph.pattern not in FOLDABLE or not graph.wraps:
        fail(f"{FOLDED}: the pattern is {graph.pattern}, not one of {', '.join(FOLDABLE)}")
    height, width = graph.shape
    if height % 2 and width % 2:
        fail(f"{FOLDED}: a torus of {height} × {width} has no even side left")
    tops, lefts = 2 - height % 2, 2 - width % 2
    if min(height // tops, width // lefts) < 3:
        fail(f"{FOLDED}: folded once more, {height} × {width} would have a side of less than 3")
    smaller = grid_graph(graph.pattern, (height // tops, width // lefts))
    goal = np.ones(smaller.size, dtype=np.bool_)
    twice = (closed_sums(graph, board.change) & 1 == 1).reshape(height, width)
    parts = []
    for top, left in product(range(tops), range(lefts)):
        rows = (top + 2 * np.arange(height // tops)) % height
        columns = (left + 2 * np.arange(width // lefts)) % width
        parts.append(Board(smaller, ~twice[np.ix_(rows, columns)].reshape(-1), goal, "any"))
    return parts
