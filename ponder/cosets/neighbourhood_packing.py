"""A lower bound at once: closed neighbourhoods that do not meet, of bulbs that must change.

Idea (theory §1.6). Where b(v) = 1 every press set has an odd number of presses in N[v], at least
one. Disjoint closed neighbourhoods of such bulbs number no more than the presses of any sequence,
under any rule. They are packed greedily: every bulb that still can be chosen draws a number, small
where few others would be ruled out; it is chosen if its number is the least within two steps. So a
round is a few array operations, and a handful of rounds choose them all. Some tries are made, with
other draws.

Letters: b, N[v] as in the theory. Cost: O(|E|) for a round, some ten of them: 4 s for 2000 × 2000.
Reference: maximal independent sets in rounds: Luby 1986.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ponder.limits import NEVER, Limits
from ponder.puzzle.board import Board
from ponder.types import Bits, Ints

TRIES = 16
TRIED = 2**20
"""Bulbs and neighbours that are looked at in all tries but the first."""
MOST_MEMBERS = 2**26
"""Where the closed neighbourhoods have more members than this in all, none are packed."""


_SECONDS = 2e-7  # for each of these that is looked at


def seconds(board: Board) -> float:
    """Return about how many seconds a packing takes.

    >>> 0.1 < seconds(Board.from_rows(["0" * 400] * 400, "plus")) < 1
    True
    """
    members = board.graph.size + 2 * board.graph.edge_count()
    return _SECONDS * max(members, min(TRIES * members, TRIED))


def packing(board: Board, *, seed: int = 0, limits: Limits = NEVER) -> Ints:
    """Return bulbs that must change, ascending, whose closed neighbourhoods do not meet.

    There are none on a graph with too many neighbours. TimeUp when the time is up.

    >>> packing(Board.from_rows(["000000"], "plus")).tolist()
    [0, 5]
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
    """Return one packing that nothing can be added to."""
    left, chosen = change.copy(), np.zeros(change.size, dtype=np.bool_)

    def over_closed(values: NDArray[Any], fold: np.ufunc) -> NDArray[Any]:
        limits.check()
        return np.asarray(fold.reduceat(values[members], starts))

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
