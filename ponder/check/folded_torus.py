"""The bound `folded-torus`: a torus with even sides, taken apart into smaller ones.

A is a sum of translations T^k, k in the closed stencil, which commute; so A² = Σ T^(2k) (mod 2). It
links cells with an even number of rows and of columns between them. With i = 2i' + a along an even
side, and i = 2i' along an odd one (where each i is 2i' for one i'), T^(2k) is the translation by k
of the numbers i'. So A s = b gives A² s = A b, and the presses of s in a class of cells are a press
set of the smaller torus of the same pattern, whose change is A b there. Classes are disjoint: the
sum of the least weights of these boards bounds every press set. This may be repeated.

Cost: a linear system and a transform for each class.
"""

from __future__ import annotations

import numpy as np

from ponder.check.coset import Coset
from ponder.check.fields import fail, number
from ponder.check.limits import Budget
from ponder.check.linear import press_sets
from ponder.check.neighbourhoods import closed_sums, spend_sums
from ponder.puzzle.board import Board
from ponder.puzzle.graph import StencilGraph, grid_graph
from ponder.types import Json

_NS_BOARD = 150_000  # nanoseconds for a class, in its linear system and its weights
WHAT = "folded-torus"
MOST_TIMES = 64
"""No side of a board can be halved so often."""
PATTERNS = ("torus-plus", "torus-king")


def least_of_classes(board: Board, bound: Json, budget: Budget) -> int:
    """Return the sum of the least weights of the boards that a torus is folded into."""
    times = number(bound.get("times"), f"{WHAT}: times", MOST_TIMES)
    boards = [board]
    for _ in range(times):
        budget.spend(4 * _NS_BOARD * len(boards), "folding the torus")
        spend_sums(board.graph, budget, "folding the torus")
        boards = [part for one in boards for part in _fold(one)]
    total = 0
    for part in boards:
        budget.spend(_NS_BOARD, "the weights of the folded boards")
        weights = Coset.of(part, press_sets(part, budget)).weights(budget)
        total += int(weights.min())
    return total


def _fold(board: Board) -> list[Board]:
    """Return the boards of the classes; CheckFailed where the torus cannot be folded."""
    graph = board.graph
    if not isinstance(graph, StencilGraph) or graph.mask is not None:
        fail(f"{WHAT}: the board is no full torus")
    if graph.pattern not in PATTERNS or not graph.wraps:
        fail(f"{WHAT}: the pattern is {graph.pattern}, not one of {', '.join(PATTERNS)}")
    height, width = graph.shape
    if height % 2 and width % 2:
        fail(f"{WHAT}: a torus of {height} × {width} has no even side left")
    if min(height // (2 - height % 2), width // (2 - width % 2)) < 3:
        fail(f"{WHAT}: folded once more, {height} × {width} would have a side of less than 3")
    twice = (closed_sums(graph, board.change) & 1).astype(np.bool_).reshape(height, width)
    parts = []
    for top in range(2 - height % 2):
        for left in range(2 - width % 2):
            rows = (top + 2 * np.arange(height // (2 - height % 2))) % height
            columns = (left + 2 * np.arange(width // (2 - width % 2))) % width
            change = twice[rows][:, columns].reshape(-1)
            smaller = grid_graph(graph.pattern, (rows.size, columns.size))
            goal = np.ones(change.size, dtype=np.bool_)
            parts.append(Board(smaller, goal ^ change, goal, "any"))
    return parts
