"""For Coq: how many presses are needed at least, by layers of states (theory §2.9).

The kernel finds the states that fewer than k presses lead to, and the goal is none of them. Where
any bulb may be pressed it goes some layers from the start and others from the goal, which do not
meet. A board is a wiring for that, each bulb a button at its own light. Evidence of any kind is
replaced by this where the press sets do not show the bound, or are too many.

Letters: n presses, m lights. A *visit* is a press in a state: Coq has some 500,000 a second.
Cost: n visits a state; those of layer j are at most C(n, j) and 2^m.
"""

from __future__ import annotations

from math import comb

import numpy as np

from ponder.check.evidence.states import MOST_LIGHTS, NS_STATE, NS_STEP, search_states
from ponder.model.board import Board
from ponder.model.wired_graph import Wired, WiringGraph
from ponder.system.errors import NoShortProof
from ponder.system.limits import Limits

MOST_VISITS = 8_000_000


class _Counted(Exception):
    """The layers that matter have been gone through."""


def by_layers(board: Board, k: int, limits: Limits) -> str:
    """Return the end of the lemma by which fewer than k presses do not reach the goal.

    Raises NoShortProof where the states are too many, and TimeUp.
    """
    if board.rule == "any":
        some = k // 2
        others = k - 1 - some
        if _at_most(board, some) + _at_most(board, others) <= MOST_VISITS:
            return f"meeting_by (some := {some}) (others := {others})"
    if _at_most(board, k - 1) > MOST_VISITS:
        check_visits(board, limits, k)
    return "steps_by"


def _at_most(board: Board, layers: int) -> int:
    """Return a bound on the visits in some layers."""
    graph = board.graph
    count = graph.presses if isinstance(graph, Wired) else graph.size
    return count * sum(min(comb(count, j), 1 << graph.size) for j in range(layers))


def check_visits(board: Board, limits: Limits, k: int | None = None) -> None:
    """Raise NoShortProof if too many states are reached, by fewer than k presses or by any."""
    graph, visits, layers = board.graph, 0, 0
    if graph.size > MOST_LIGHTS:
        raise NoShortProof(f"2^{graph.size} states are too many for a Coq certificate")
    if not isinstance(graph, Wired):
        near = [[v, *graph.neighbours(v).tolist()] for v in range(graph.size)]
        graph = WiringGraph(graph.size, near, np.arange(graph.size))

    def spend(work: int) -> None:
        nonlocal visits, layers
        limits.check()
        layers += 1
        if layers == k:
            raise _Counted
        visits += (work - NS_STEP) // NS_STATE
        if visits > MOST_VISITS:
            raise NoShortProof(
                f"a Coq certificate goes through at most {MOST_VISITS:,} presses in states, and "
                "there are more"
            )

    try:
        search_states(board, graph, spend)
    except _Counted:
        return
