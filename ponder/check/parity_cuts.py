"""The bounds `neighbourhood-packing` and `linear-relaxation`: parities of closed neighbourhoods.

Let s be the presses of any press set, as 0 and 1. Around every bulb v, |s ∩ N[v]| ≡ b(v). So for
F ⊆ N[v] with |F| ≢ b(v) the presses in N[v] are not exactly F:

    Σ_{u∈F} (1 − s(u)) + Σ_{u∈N[v]−F} s(u) ≥ 1.

*Packing.* Bulbs with b(v) = 1 whose N[v] do not meet: one press in each (F = ∅).

*Relaxation.* Cuts k with weights w_k ≥ 0, and a divisor D. As D·|s| ≥ D·|s| − Σ_k w_k·(cut_k − 1),

    D·|s| ≥ Σ_k w_k·(1 − |F_k|) + Σ_u min(0, D − Σ_k ±w_k),

+ for the cuts with u ∈ N[v_k] − F_k, − for those with u ∈ F_k: a sum of whole numbers. The
coefficient of s(u) is at most D + Σ w_k in size, so that all of them together are below
n·(D + Σ w_k), which is held against MOST_NUMBER.

Every sequence presses each bulb of some press set, so both bound all sequences. All press sets have
the same parity (see `ponder.check.switching_blocks`), to which the bound may be rounded up.

Cost: O(|E|), and the press set that tells the parity, where it is needed.
"""

from __future__ import annotations

import numpy as np

from ponder.check.fields import bulb_set, bulbs, fail, number, objects, place
from ponder.check.limits import Budget, fits
from ponder.check.linear import press_sets
from ponder.check.neighbourhoods import asking, beside, closed_sums, spend_sums
from ponder.puzzle.board import Board
from ponder.types import Ints, Json

_NS_CUT = 10_000  # nanoseconds for a cut of the relaxation
PACKING, RELAXATION = "neighbourhood-packing", "linear-relaxation"


def least_of_packing(board: Board, claimed: int, bound: Json, budget: Budget) -> int:
    """Return what the packed closed neighbourhoods prove of every press set.

    >>> board = Board.from_rows(["000000"], "plus")
    >>> least_of_packing(board, 2, {"bulbs": [[0, 1], [0, 4]]}, Budget())
    2
    """
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
    budget.spend((_NS_CUT + asking(graph)) * len(items), what)
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
    """Return the bulb v of a cut, and its F."""
    named = bulbs(board, [cut.get("bulb")], f"{RELAXATION}: bulb")
    side = bulbs(board, cut.get("without"), f"{RELAXATION}: without")
    v = int(named[0])
    name = place(board.graph.label(v))
    if np.unique(side).size < side.size:
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
