"""Quick lower bounds on all sequences, from the linear stage alone (theory §1.6).

What bounds all press sets bounds all sequences, whatever the rule. Each of these that suits the
board and the time is asked, and the best is kept, rounded up to the parity of all press sets:

    switching blocks   king and row/column boards: games of switches, in blocks (`switching_blocks`)
    folded torus       tori with even sides, taken apart into smaller ones (`folded_torus`)
    parts              all press sets, by lists on parts of the board (`minimum_weight.in_parts`)
    spectral           row/column boards with an odd side: a singular value (`spectral_bound`)
    packing            bulbs that must change, whose closed neighbourhoods do not meet: a press each
    relaxation         a linear program with odd cuts (`linear_relaxation`)

Most boards have as many legal presses modulo 4 whatever the sequence: a bound is `raised` to that.
Where all press sets are weighed in the end (`coset`) a bound that takes longer is not asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ponder.check.evidence.linear_relaxation import NeighbourhoodPacking
from ponder.check.evidence.presses_modulo_four import (
    MOST_NULLITY,
    PressesModuloFour,
    presses_modulo_four,
    raised,
)
from ponder.check.evidence.spectral import Spectral
from ponder.check.kinds import Bound
from ponder.find.cosets import linear_relaxation
from ponder.find.cosets.coset import listed_in_time
from ponder.find.cosets.folded_torus import folded_bound
from ponder.find.cosets.minimum_weight import in_parts
from ponder.find.cosets.walsh_hadamard import estimated
from ponder.find.linear.press_sets import PressSets
from ponder.find.search.context import SearchContext
from ponder.find.search.outcome import SearchOutcome
from ponder.find.switching import spectral_bound
from ponder.find.switching.switching_blocks import QUICK_SECONDS, QUICK_SHARE, blocks_bound
from ponder.model.board import Board
from ponder.model.graph import CrossGraph
from ponder.system.errors import NeedsLibrary
from ponder.system.limits import NEVER, Limits, TimeUp
from ponder.system.types import Bits, Ints, indices

TRIES, TRIED = 16, 2**20  # packings, and the bulbs and neighbours looked at in all but the first
MOST_MEMBERS = 2**26  # where the closed neighbourhoods have more in all, none are packed
_SUM, _BASIS = 4e-9, 1 << 28  # seconds for a number added up, and the largest basis for that
_LEAST, _FOLDING, _LOOK = 0.02, 0.1, 2e-7  # seconds of any bound, smaller tori, a look of a packing


def quick_lower_bound(
    board: Board, sets: PressSets, context: SearchContext | None = None
) -> SearchOutcome | None:
    """Return the best lower bound that is found sooner than all press sets are weighed, or None.

    Its `presses` are a light press set found on the way or None, in no order; lightest if optimal.

    >>> from ponder.find.linear.press_sets import press_sets
    >>> board = Board.from_rows(["0" * 20] * 20, "king")
    >>> found = quick_lower_bound(board, press_sets(board))
    >>> found.lower_bound, found.optimal
    (49, True)
    """
    if board.full_lines and board.even_lines:
        return None  # the search asks them itself: it chooses among games of switches
    context = context or SearchContext()
    limits = context.limits
    own = limits.share(QUICK_SHARE, QUICK_SECONDS)
    games = limits if limits.left() is None else own  # a game is played to its end
    if listed_in_time(sets.nullity, limits):
        own = games = own.sooner(estimated(sets.nullity))
    best = SearchOutcome("lower bound", None)
    if (own.left() or 0.0) < _LEAST:
        return None
    for seconds, bound in _bounds(board, sets, context.seed, own, games):
        if seconds > (own.left() or 0.0):
            continue
        with suppress(TimeUp, NeedsLibrary):
            found = bound()
            best = max(best, found or best, key=lambda best: best.lower_bound or 0)
        if best.optimal:
            break
    return None if best.lower_bound is None else best


def remainder_of(board: Board, sets: PressSets, limits: Limits = NEVER) -> int | None:
    """Return the presses of every legal sequence modulo 4; None if not one number, or not soon.

    >>> from ponder.find.linear.press_sets import press_sets
    >>> board = Board.from_rows(["00000"] * 5, "plus")
    >>> remainder_of(board, press_sets(board))
    3
    """
    numbers = sets.nullity * board.graph.size
    seconds = 16 * _SUM * numbers
    if board.odd_later is None or sets.nullity > MOST_NULLITY or numbers > _BASIS:
        return None
    if seconds > min(limits.left(QUICK_SHARE) or QUICK_SECONDS, QUICK_SECONDS):
        return None
    return presses_modulo_four(board.graph, board.odd_later, sets.particular, sets.kernel_basis)


def raised_bound(
    found: SearchOutcome, remainder: int | None, most: int | None = None
) -> SearchOutcome:
    """Return a bound that is raised to the presses that legal sequences have modulo 4.

    Not beyond `most`: there is no sequence of that kind then, which has evidence of its own.
    """
    least, why = found.lower_bound, found.evidence
    if remainder is None or why is None or not least or why.raises:
        return found
    more = raised(least, remainder)
    if more == least or (most is not None and more > most):
        return found
    return replace(found, lower_bound=more, evidence=PressesModuloFour(least, why))


def _bounds(
    board: Board, sets: PressSets, seed: int, own: Limits, games: Limits
) -> Iterator[tuple[float, Callable[[], SearchOutcome | None]]]:
    """Yield the bounds that suit a board, each with the seconds that it takes at least."""
    odd = bool(np.count_nonzero(sets.particular) % 2)

    def rounded(bound: int | None, evidence: Bound | None) -> SearchOutcome | None:
        if not bound:
            return None
        return SearchOutcome("lower bound", None, bound + (bound + odd) % 2, evidence)

    def spectral() -> SearchOutcome | None:
        assert isinstance(board.graph, CrossGraph)
        grid = board.graph.to_grid(sets.particular)
        grid = grid if len(grid) <= grid.shape[1] else grid.T
        return rounded(spectral_bound.spectral_bound(grid), Spectral())

    def packed() -> SearchOutcome | None:
        found = packing(board, seed=seed, limits=own)
        return rounded(int(found.size), NeighbourhoodPacking(found))

    def relaxation() -> SearchOutcome | None:
        found = linear_relaxation.relaxation(board, own)
        return None if found is None else rounded(found.lower_bound, found.evidence)

    yield _LEAST, lambda: blocks_bound(board, sets.particular, seed=seed, limits=games)
    yield _FOLDING, lambda: folded_bound(board, own)
    yield _FOLDING, lambda: in_parts(board, sets, SearchContext(seed=seed, limits=own))
    if isinstance(board.graph, CrossGraph) and board.full_lines:
        yield spectral_bound.seconds(board.graph.shape), spectral
    members = board.graph.size + 2 * board.graph.edge_count()
    yield _LOOK * max(members, min(TRIES * members, TRIED)), packed
    yield linear_relaxation.seconds(board), relaxation


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
        if chosen.size > best.size:
            best = chosen
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
    array operations, O(|E|) each: 4 s for 2000 × 2000.
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
