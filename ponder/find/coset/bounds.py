"""Quick lower bounds on all legal sequences, from the linear stage alone.

modulo four   nearly all boards have as many legal presses modulo 4 whatever the sequence
              (theory §1.7): a bound is raised to that
packing       bulbs that must change, whose closed neighbourhoods do not meet: a press each (§1.6)
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ponder.check.dual import MOST_NULLITY, ModuloFour, Packing, presses_modulo_four, raised
from ponder.find.context import SearchContext, SearchOutcome
from ponder.find.linear.press_sets import PressSets
from ponder.model.board import Board
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints, indices

TRIES, TRIED = 16, 2**20  # packings, and the bulbs and neighbours looked at in all but the first
MOST_MEMBERS = 2**26  # where the closed neighbourhoods have more in all, none are packed
MOST_BASIS = 1 << 28  # bits of a basis whose vectors are looked at modulo 4
LOOK_SECONDS = 6e-8  # for a bit of it


def remainder_of(board: Board, sets: PressSets, limits: Limits = NEVER) -> int | None:
    """Return the presses of every legal sequence modulo 4; None if not one number, or not soon.

    >>> from ponder.find.linear.press_sets import press_sets
    >>> board = Board.from_rows(["00000"] * 5, "plus")
    >>> remainder_of(board, press_sets(board))
    3
    """
    bits = sets.nullity * board.graph.size
    if board.odd_later is None or sets.nullity > MOST_NULLITY or bits > MOST_BASIS:
        return None
    if LOOK_SECONDS * bits > limits.within(40.0) / 4:
        return None
    return presses_modulo_four(board.graph, board.odd_later, sets.particular, sets.kernel_basis)


def raised_bound(
    found: SearchOutcome, remainder: int | None, most: int | None = None
) -> SearchOutcome:
    """Return a bound that is raised to the presses that legal sequences have modulo 4.

    Not beyond `most`: there is no sequence of that kind then, which has evidence of its own.
    """
    least, why = found.lower_bound, found.evidence
    if remainder is None or why is None or not least or isinstance(why, ModuloFour):
        return found
    more = raised(least, remainder)
    if more == least or (most is not None and more > most):
        return found
    return replace(found, lower_bound=more, evidence=ModuloFour(least, why))


def packing_bound(board: Board, sets: PressSets, context: SearchContext) -> SearchOutcome | None:
    """Return what a packing proves, with the parity of all press sets. Raises TimeUp."""
    found = packing(board, seed=context.seed, limits=context.limits)
    if not found.size:
        return None
    bound = int(found.size) + (int(found.size) + int(np.count_nonzero(sets.particular))) % 2
    return SearchOutcome("lower bound", None, bound, Packing(found))


def packing(board: Board, *, seed: int = 0, limits: Limits = NEVER) -> Ints:
    """Return bulbs that must change, ascending, whose closed neighbourhoods do not meet.

    There are none on a graph with too many neighbours. Raises TimeUp if the time is up.
    """
    graph = board.graph
    if graph.size + 2 * graph.edge_count() > MOST_MEMBERS:
        return np.empty(0, dtype=np.int64)
    members, owner = graph.neighbourhoods(np.arange(graph.size))
    limits.check()
    starts = np.searchsorted(owner, np.arange(graph.size)) if graph.size else owner
    rng = np.random.default_rng(seed)
    best: Ints = np.empty(0, dtype=np.int64)
    for at in range(max(1, min(TRIES, TRIED // max(1, members.size)))):
        chosen = _packed(board.change, members, starts, rng, limits, 0.5 if at else 0.01)
        best = chosen if chosen.size > best.size else best
    return best


def _packed(
    change: Bits,
    members: Ints,
    starts: Ints,
    rng: np.random.Generator,
    limits: Limits,
    noise: float,
) -> Ints:
    """Return one packing that nothing can be added to.

    Every bulb that still can be chosen draws a number, small where few others would be ruled out;
    it is chosen if its number is the least within two steps (M. Luby 1986). Some ten rounds of
    array operations, O(|E|) each.
    """
    left, chosen = change.copy(), np.zeros(change.size, dtype=np.bool_)

    def over_closed(values: NDArray[Any], fold: np.ufunc) -> NDArray[Any]:
        limits.check()
        return np.asarray(fold.reduceat(values[members], indices(starts)))

    while left.any():
        beside = over_closed(over_closed(left.astype(np.int32), np.add), np.add)
        draws = beside * (1 + noise * rng.random(change.size)) + rng.random(change.size) / 2**20
        number = np.where(left, draws, np.inf)
        nearest = over_closed(over_closed(number, np.minimum), np.minimum)
        taken = left & (number == nearest)
        chosen |= taken
        covered = over_closed(taken, np.logical_or)
        left &= ~over_closed(covered, np.logical_or)
    return np.flatnonzero(chosen)
