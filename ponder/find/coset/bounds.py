"""Quick lower bounds on all legal sequences, from the linear stage alone.

modulo four   nearly all boards have as many legal presses modulo 4 whatever the sequence
              (theory §1.7): a bound is raised to that
packing       bulbs that must change, whose closed neighbourhoods do not meet: a press each (§1.6)
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from ponder.check.dual import MOST_NULLITY, ModuloFour, Packing, presses_modulo_four, raised
from ponder.find.context import SearchContext, SearchOutcome
from ponder.find.linear.press_sets import PressSets
from ponder.model.board import Board
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Ints, bincount

MOST_MEMBERS = 2**26  # where the closed neighbourhoods have more in all, none are packed
BLOCK = 1 << 12  # bulbs that are tried between two looks at the clock
MOST_BASIS = 1 << 25  # bits of a basis whose weights are checked modulo 4: some 2 s


def remainder_of(board: Board, sets: PressSets) -> int | None:
    """Return the presses of every legal sequence modulo 4; None if not one number, or not soon.

    >>> from ponder.find.linear.press_sets import press_sets
    >>> board = Board.from_rows(["00000"] * 5, "plus")
    >>> remainder_of(board, press_sets(board))
    3
    """
    bits = sets.nullity * board.graph.size
    if board.odd_later is None or sets.nullity > MOST_NULLITY or bits > MOST_BASIS:
        return None
    return presses_modulo_four(board.graph, board.odd_later, sets.particular, sets.kernel_basis)


def raised_bound(
    outcome: SearchOutcome, remainder: int | None, most: int | None = None
) -> SearchOutcome:
    """Return a bound that is raised to the presses that legal sequences have modulo 4.

    Not beyond `most`: there is no sequence of that kind then, which has evidence of its own.
    """
    least, why = outcome.lower_bound, outcome.evidence
    if remainder is None or why is None or not least or isinstance(why, ModuloFour):
        return outcome
    more = raised(least, remainder)
    if more == least or (most is not None and more > most):
        return outcome
    return replace(outcome, lower_bound=more, evidence=ModuloFour(least, why))


def packing_bound(board: Board, sets: PressSets, context: SearchContext) -> SearchOutcome | None:
    """Return what a packing proves, with the parity of all press sets. Raises TimeUp."""
    chosen = packing(board, context.limits)
    if not chosen.size:
        return None
    bound = int(chosen.size) + (int(chosen.size) + int(np.count_nonzero(sets.particular))) % 2
    return SearchOutcome("lower bound", None, bound, Packing(chosen))


def packing(board: Board, limits: Limits = NEVER) -> Ints:
    """Return bulbs that must change, ascending, whose closed neighbourhoods do not meet.

    The first that fits is taken, bulb by bulb. There are none on a graph with too many neighbours.
    Raises TimeUp.
    """
    graph = board.graph
    if graph.size + 2 * graph.edge_count() > MOST_MEMBERS:
        return np.empty(0, dtype=np.int64)
    covered, chosen = bytearray(graph.size), []
    changed = np.flatnonzero(board.change)
    for start in range(0, changed.size, BLOCK):
        limits.check()
        bulbs = changed[start : start + BLOCK]
        members, owner = graph.neighbourhoods(bulbs)
        ends = bincount(owner, minlength=bulbs.size).cumsum().tolist()
        flat = members.tolist()
        for v, (first, end) in zip(bulbs.tolist(), pairwise([0, *ends]), strict=True):
            near = flat[first:end]
            if not any(covered[u] for u in near):
                chosen.append(v)
                for u in near:
                    covered[u] = 1
    return np.array(chosen, dtype=np.int64)
