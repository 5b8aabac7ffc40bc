"""Lower bounds on all press sets, by what A s = b says of some bulbs (theory §1.6).

* `neighbourhood-packing`: bulbs with b(v) = 1 whose N[v] do not meet hold one press each.
* `linear-relaxation`: odd cuts (v, F), |F| ≢ b(v), with weights w and a divisor D, by the theorem
  there. All its sums are below n·(D + Σ w), which is held against MOST_NUMBER.
* `folded-torus`: the presses in a class of cells are a press set of a smaller torus whose change is
  A b there. The sum of their least weights is the bound; this may be repeated.

All press sets have the same parity, to which a bound may be rounded up.
Cost: O(|E|), and the press set that tells the parity; a linear system and a transform for a class.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from ponder.check.coset import least_weight
from ponder.check.fields import bulb_set, bulbs, fail, number, objects, place
from ponder.check.limits import Budget, fits
from ponder.check.linear import press_sets
from ponder.check.neighbourhoods import beside, closed_sums, query_cost, spend_sums
from ponder.model.board import Board
from ponder.model.graph import StencilGraph, grid_graph
from ponder.system.types import Ints, Json, distinct

PACKING, RELAXATION, FOLDED = "neighbourhood-packing", "linear-relaxation", "folded-torus"
FOLDABLE = ("torus-plus", "torus-king")
MOST_TIMES = 64  # no side of a board can be halved so often
_NS_CUT = 10_000  # nanoseconds for a cut of the relaxation
_NS_BOARD = 150_000  # … for a class of a torus, in its linear system and its weights


def least_of_packing(board: Board, claimed: int, bound: Json, budget: Budget) -> int:
    """Return what the packed closed neighbourhoods prove of every press set."""
    spend_sums(board.graph, budget, PACKING)
    chosen = bulb_set(board, bound.get("bulbs"), f"{PACKING}: bulbs")
    still = np.flatnonzero(chosen & ~board.change)
    if still.size:
        fail(f"{PACKING}: the bulb {place(board.graph.label(int(still[0])))} need not change")
    shared = np.flatnonzero(closed_sums(board.graph, chosen) > 1)
    if shared.size:
        where = place(board.graph.label(int(shared[0])))
        fail(f"{PACKING}: two of the closed neighbourhoods meet in {where}")
    return _rounded(board, int(np.count_nonzero(chosen)), claimed, budget)


def least_of_relaxation(board: Board, claimed: int, bound: Json, budget: Budget) -> int:
    """Return what the weighted cuts prove of every press set."""
    graph = board.graph
    divisor = number(bound.get("divisor"), f"{RELAXATION}: divisor")
    if not divisor:
        fail(f"{RELAXATION}: the divisor is 0")
    items = objects(bound.get("cuts"), f"{RELAXATION}: cuts", f"{RELAXATION}: a cut")
    what = f"{RELAXATION}: adding up {len(items)} cuts"
    budget.spend((_NS_CUT + query_cost(graph)) * len(items), what)
    spend_sums(graph, budget, what, 2)
    around = np.zeros(graph.size, dtype=np.int64)  # the weights of the cuts around each bulb
    apart = np.zeros(graph.size, dtype=np.int64)  # … of those that have it in F
    constant = total = 0
    for cut in items:
        weight = number(cut.get("weight"), f"{RELAXATION}: weight")
        v, side = _cut(board, cut)
        total += weight
        fits(4 * (total + divisor) * graph.size, "the weights of the cuts")
        around[v] += weight
        apart[side] += weight
        constant += weight * (1 - side.size)
    factor = divisor - closed_sums(graph, around) + 2 * apart
    least = constant + int(np.minimum(factor, 0).sum(dtype=np.int64))
    return _rounded(board, max(0, -(-least // divisor)), claimed, budget)


def _cut(board: Board, cut: Json) -> tuple[int, Ints]:
    named = bulbs(board, [cut.get("bulb")], f"{RELAXATION}: bulb")
    side = bulbs(board, cut.get("without"), f"{RELAXATION}: without")
    v = int(named[0])
    name = place(board.graph.label(v))
    if distinct(side).size < side.size:
        fail(f"{RELAXATION}: `without` names a bulb twice")
    if not beside(board.graph, v, side).all():
        fail(f"{RELAXATION}: `without` names a bulb that is not beside {name}")
    if side.size % 2 == int(board.change[v]):
        fail(f"{RELAXATION}: {side.size} presses around {name} are not forbidden")
    return v, side


def _rounded(board: Board, proved: int, claimed: int, budget: Budget) -> int:
    """Return what is proved, and one more where all press sets have the parity of that claim."""
    if claimed != proved + 1:
        return proved
    return proved + (proved + int(np.count_nonzero(press_sets(board, budget).one))) % 2


def least_of_classes(board: Board, bound: Json, budget: Budget) -> int:
    """Return the sum of the least weights of the boards that a torus is folded into."""
    times = number(bound.get("times"), f"{FOLDED}: times", MOST_TIMES)
    boards = [board]
    for _ in range(times):
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
