"""Wirings: refutations of one press set, and the search through all states, done again.

The ordering problem of some presses (theory §2.9) is made anew from the board. Where all neighbours
hear each other, it is that of a graph, and `local_refutations` checks it. Else a refutation names
presses B, whose own conditions it uses and no others, so that it holds whatever the rest does:

    no-first-press   B hears nobody else, and each of B needs an odd number before it
    no-last-press    the same, and each needs an odd number after it
    odd-component    the same, B hears both ways; its pairs and its odd presses differ in parity
    exhausted        all orders of B and whom it hears

Cost. O(wires); `exhausted` O(2^k·k) for k presses, states O(2^m·n) for m lights and n presses.
"""

from __future__ import annotations

import numpy as np

from ponder.check.claims import LOCAL
from ponder.check.fields import bulb_set, fail, number, place, quote, word
from ponder.check.limits import Budget, TooLarge
from ponder.check.local_refutations import check_local
from ponder.printable import agreeing, counted
from ponder.puzzle.board import Board
from ponder.puzzle.ordering_problem import OrderingProblem
from ponder.puzzle.wired_graph import Wired
from ponder.types import Ints, Json

MOST_LIGHTS = 22
"""Boards of more lights have too many states."""
MOST_EXHAUSTED = 16
"""The most presses whose orders are gone through; a higher limit allows more."""
MOST_TABLED = 24
_NS_SUBSET = 500
_NS_STATE = 20


def check_wired(board: Board, counts: Ints, refutation: Json, budget: Budget) -> None:
    """Check that a press set of a wiring has no order; CheckFailed, TooLarge."""
    kind = word(refutation.get("kind"), LOCAL, "refutation of a wiring: kind")
    members = bulb_set(board, refutation.get("bulbs"), f"{kind}: bulbs")
    if (members & (counts == 0)).any():
        idle = int(np.argmax(members & (counts == 0)))
        fail(f"{kind}: {place(board.graph.label(idle))} is not pressed")
    problem = OrderingProblem.of_board(board, counts > 0)
    at = np.searchsorted(problem.bulbs, np.flatnonzero(members))
    if problem.plain:
        every = np.ones(problem.size, dtype=np.int64)
        check_local(problem.board, every, {"kind": kind, "bulbs": at.tolist()}, budget)
        return
    inside, odd = set(at.tolist()), problem.odd.tolist()
    hears = [frozenset(near) for near in problem.heard_lists]
    budget.spend(_NS_SUBSET * sum(map(len, hears)), "looking at who hears whom")
    before = [(odd[v] + len(near)) % 2 == 1 for v, near in enumerate(hears)]
    if kind == "exhausted":
        _exhausted(inside, hears, before, budget)
    else:
        if any(u not in inside for v in inside for u in hears[v]):
            fail(f"{kind}: one of the presses hears another that is not named")
        pairs = sum(v in hears[u] for v in inside for u in hears[v])
        heard = sum(len(hears[v]) for v in inside)
        holds = {
            "no-first-press": all(before[v] for v in inside),
            "no-last-press": all(odd[v] for v in inside),
            "odd-component": pairs == heard and (pairs // 2 + sum(odd[v] for v in inside)) % 2 == 1,
        }
        if not holds[kind]:
            fail(f"{kind}: it is not so")


def _exhausted(
    inside: set[int], hears: list[frozenset[int]], before: list[bool], budget: Budget
) -> None:
    """Fill the table of the beginnings of orders."""
    every = sorted(inside.union(*(hears[v] for v in inside)))
    if len(every) > MOST_TABLED:
        raise TooLarge(f"{len(every)} presses have too many orders to go through")
    budget.demand(1 << len(every), 1 << MOST_EXHAUSTED, f"beginnings of {len(every)} presses")
    budget.spend(_NS_SUBSET * len(every) << len(every), "going through all orders of a few presses")
    near = [sum(1 << every.index(u) for u in hears[v]) if v in inside else 0 for v in every]
    odd = [before[v] if v in inside else False for v in every]
    layer = {0}
    for _ in every:
        layer = {
            done | 1 << k
            for done in layer
            for k in range(len(every))
            if not done >> k & 1 and (done & near[k]).bit_count() % 2 == odd[k]
        }
    if layer:
        fail(f"exhausted: these {len(every)} presses have a legal order")


def fewest_by_states(board: Board, budget: Budget) -> tuple[int | None, int]:
    """Return the fewest legal presses to the goal, and how many states were reached on the way.

    None where no presses lead there, after all states that can be reached. TooLarge for more than
    MOST_LIGHTS lights; CheckFailed where the board is no wiring.
    """
    graph = board.graph
    if not isinstance(graph, Wired):
        fail("states: the board is no wiring")
    if graph.size > MOST_LIGHTS:
        raise TooLarge(f"2^{graph.size} states are too many to go through")
    budget.hold(1 << graph.size, "a table of all states")
    budget.spend(_NS_STATE * graph.presses << graph.size, "going through all states")
    bit = 1 << np.arange(graph.size, dtype=np.int64)
    flips = [0] * graph.presses
    for press, light in zip(graph.owners.tolist(), graph.toggled.tolist(), strict=True):
        flips[press] |= 1 << light
    at = np.array([int(bit[board.lit].sum())], dtype=np.int64)
    goal, seen, count = int(bit[board.goal].sum()), np.zeros(1 << graph.size, dtype=np.bool_), 0
    seen[at] = True
    while at.size and not seen[goal]:
        reached: list[Ints] = []
        for flip, seat in zip(flips, graph.at.tolist(), strict=True):
            some = at
            if board.rule != "any" and seat >= 0:
                some = at[(at >> seat & 1) == (board.rule == "lit")]
            fresh = some ^ flip
            fresh = fresh[~seen[fresh]]
            seen[fresh] = True
            reached.append(fresh)
        at, count = np.concatenate(reached), count + 1
    return count if seen[goal] else None, int(np.count_nonzero(seen))


def check_states(board: Board, refutation: Json, budget: Budget) -> None:
    """Check that no sequence of legal presses leads to the goal (claim C4); CheckFailed."""
    stated = number(refutation.get("reached"), "states: reached")
    found, reached = fewest_by_states(board, budget)
    if found is not None:
        reach = agreeing(found, "reaches", "reach")
        fail(f"states: {counted(found, 'press')} {reach} the goal")
    if stated != reached:
        fail(f"states: {reached:,} states are reached, not {quote(stated)}")
