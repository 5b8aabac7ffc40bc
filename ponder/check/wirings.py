"""Wirings: what refutes one press set, and the search through all states.

Who finds these uses the same tests and search: they are the definitions, with no way to be led. The
ordering problem of some presses (theory §2.9) is made anew from the board. Where all neighbours
hear each other, `local_refutations` checks it. Else a refutation names presses B, whose own
conditions it uses and no others, so that it holds whatever the rest does:

    no-first-press   B hears nobody else, and each of B needs an odd number before it
    no-last-press    the same, and each needs an odd number after it
    odd-component    the same, B hears both ways; its pairs and its odd presses differ in parity
    exhausted        all orders of B and whom it hears

Cost. O(wires); `exhausted` as in `subset_table`; states O(2^m·n) for m lights and n presses.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import numpy as np

from ponder.check.claims import LOCAL
from ponder.check.fields import bulb_set, enum_value, fail, number, place, quote, unpacked
from ponder.check.limits import Budget, TooLarge
from ponder.check.local_refutations import check_local
from ponder.check.lrat import check_lrat
from ponder.check.neighbourhoods import spend_sums
from ponder.check.subset_table import SubsetTable
from ponder.model.board import Board
from ponder.model.ordering_problem import OrderingProblem
from ponder.model.wired_graph import Wired
from ponder.system.errors import CheckFailed
from ponder.system.printable import inflect, pluralise
from ponder.system.types import Ints, Json, bincount

MOST_LIGHTS = 22  # boards of more lights have too many states
MOST_PROOF = 200_000_000  # bytes of a proof that some number of presses is too small
_NS_WIRE = 500
_NS_HEARD, _BYTES_HEARD = 1200, 250  # for a pair of presses, one of which hears the other
_NS_LITERAL = 200
_NS_STATE, _NS_STEP = 40, 100_000  # nanoseconds for a press in a state, for a step through states
_TOGETHER = 1 << 16  # presses in states that are looked at in one go
_NEVER = np.uint32(0xFFFFFFFF)


def check_wired(board: Board, counts: Ints, refutation: Json, budget: Budget) -> None:
    """Check that a press set of a wiring has no order. Raises CheckFailed or TooLarge."""
    kind = enum_value(refutation.get("kind"), LOCAL, "refutation of a wiring: kind")
    members = bulb_set(board, refutation.get("bulbs"), f"{kind}: bulbs")
    if (members & (counts == 0)).any():
        idle = int(np.argmax(members & (counts == 0)))
        fail(f"{kind}: {place(board.graph.label(idle))} is not pressed")
    problem = ordering_problem(board, counts, budget)
    at = np.searchsorted(problem.bulbs, np.flatnonzero(members))
    if problem.plain:
        every = np.ones(problem.size, dtype=np.int64)
        check_local(problem.board, every, {"kind": kind, "bulbs": at.tolist()}, budget)
        return
    members, hears, odd = at.tolist(), problem.heard_lists, problem.odd.tolist()
    budget.spend(_NS_WIRE * sum(map(len, hears)), "looking at who hears whom")
    if kind == "exhausted":
        _table(members, hears, odd).spend(budget)
    elif not {*members}.issuperset(u for v in members for u in hears[v]):
        fail(f"{kind}: one of the presses hears another that is not named")
    if not impossible(kind, members, hears, odd):
        fail(f"{kind}: it is not so")


def ordering_problem(board: Board, counts: Ints, budget: Budget) -> OrderingProblem:
    """Return the problem of pressing some bulbs once each, taken off a budget. Raises TooLarge."""
    graph, what = board.graph, "the ordering problem of some presses"
    spend_sums(graph, budget, what)
    if isinstance(graph, Wired):
        pressed = (counts > 0)[graph.owners]
        togglers = bincount(graph.toggled[pressed], minlength=graph.size)
        seats = graph.at[(graph.at >= 0) & (counts > 0)]
        heard = int(togglers[seats].sum())  # pairs of presses, the first of which hears the second
        budget.spend(_NS_WIRE * (graph.presses + graph.edge_count()) + _NS_HEARD * heard, what)
        budget.hold(_BYTES_HEARD * heard, what)
    return OrderingProblem.of_board(board, counts > 0)


def impossible(
    kind: str, members: Collection[int], hears: Sequence[Collection[int]], odd: Sequence[bool]
) -> bool:
    """Whether presses meet the condition of a kind: all but `exhausted` if they hear no others."""
    if kind == "no-first-press":
        return all((odd[v] + len(hears[v])) % 2 for v in members)
    if kind == "no-last-press":
        return all(odd[v] for v in members)
    if kind == "odd-component":
        pairs = {(u, v) for v in members for u in hears[v]}
        mutual = {(v, u) for u, v in pairs} == pairs
        return mutual and (len(pairs) // 2 + sum(odd[v] for v in members)) % 2 == 1
    table = _table(members, hears, odd)
    return not table.reachable() >> table.full


def _table(
    members: Collection[int], hears: Sequence[Collection[int]], odd: Sequence[bool]
) -> SubsetTable:
    """Return the table of some presses and of those that they hear, these without conditions."""
    every = sorted({*members}.union(*(hears[v] for v in members)))
    place = {u: k for k, u in enumerate(every)}
    near: list[list[int]] = [[] for _ in every]
    heard_by: list[list[int]] = [[] for _ in every]
    needs = [False] * len(every)
    for v in members:
        near[place[v]] = [place[u] for u in hears[v]]
        needs[place[v]] = (odd[v] + len(hears[v])) % 2 == 1
        for u in hears[v]:
            heard_by[place[u]].append(place[v])
    return SubsetTable.of(near, needs, heard_by)


def search_states(
    board: Board, graph: Wired, spend: Callable[[int], None] = lambda work: None
) -> Ints | int:
    """Return the fewest legal presses in play order, or how many states there are without the goal.

    Breadth first: states are numbers of m ≤ MOST_LIGHTS bits, a press is an exclusive or, and a
    table holds when each was reached. `spend` hears of the work, in nanoseconds, before every step.
    """
    bit = 1 << np.arange(graph.size, dtype=np.int64)
    flips = np.zeros(graph.presses, dtype=np.int64)
    np.bitwise_xor.at(flips, graph.owners, bit[graph.toggled])
    sits = (graph.at >= 0) & (board.rule != "any")
    asks = np.where(sits, 1 << np.maximum(graph.at, 0), 0)  # the light, and how it shall be
    wants = asks * (board.rule == "lit")
    when = np.full(1 << graph.size, _NEVER)
    goal = int(bit[board.goal].sum())
    layer = np.array([bit[board.lit].sum()], dtype=np.int64)
    when[layer] = steps = 0
    while layer.size and when[goal] == _NEVER:
        steps += 1
        spend(_NS_STEP + _NS_STATE * layer.size * flips.size)
        found = [layer[:0]]
        width = max(1, _TOGETHER // layer.size)
        for k in range(0, flips.size, width):
            some = slice(k, k + width)
            fresh = (layer ^ flips[some, None])[layer & asks[some, None] == wants[some, None]]
            fresh = fresh[when[fresh] == _NEVER]
            if width > 1:  # two presses may lead to one state: each once
                when[fresh] = every = np.arange(fresh.size, dtype=np.uint32)
                fresh = fresh[when[fresh] == every]
            when[fresh] = steps
            found.append(fresh)
        layer = np.concatenate(found)
    if when[goal] == _NEVER:
        return int(np.count_nonzero(when != _NEVER))
    presses = np.zeros(steps, dtype=np.int64)
    at = np.int64(goal)
    for step in range(steps - 1, -1, -1):  # backwards, to a state one press earlier
        spend(_NS_STEP + _NS_STATE * flips.size)
        before = at ^ flips
        presses[step] = np.argmax((when[before] == step) & (before & asks == wants))
        at = before[presses[step]]
    return presses


def all_states(board: Board, budget: Budget) -> Ints | int:
    """Return what `search_states` does, within a budget. Raises CheckFailed, TooLarge."""
    graph = board.graph
    if not isinstance(graph, Wired):
        fail("states: the board is not a wiring")
    if graph.size > MOST_LIGHTS:
        raise TooLarge(f"2^{graph.size} states are too many to go through")
    what = "going through all states"
    budget.hold((32 << graph.size) + 64 * (_TOGETHER + graph.edge_count()), what)
    budget.spend(_NS_WIRE * (graph.presses + graph.edge_count()), what)
    return search_states(board, graph, lambda work: budget.of_board.spend(work, what))


def check_states(board: Board, refutation: Json, budget: Budget) -> None:
    """Check that no sequence of legal presses leads to the goal (claim C4). Raises CheckFailed."""
    stated = number(refutation.get("reached"), "states: reached")
    reached = all_states(board, budget)
    if not isinstance(reached, int):
        reach = inflect(reached.size, "reaches", "reach")
        fail(f"states: {pluralise(reached.size, 'press')} {reach} the goal")
    if stated != reached:
        fail(f"states: {reached:,} states are reached, not {quote(stated)}")


def beyond_steps(board: Board, bound: Json, budget: Budget) -> int:
    """Return how many presses are needed at least, by a proof about the formula of fewer steps."""
    from ponder.formulas.planning import literals_within, within_steps

    graph, steps = board.graph, number(bound.get("steps"), "within-steps: steps")
    if not isinstance(graph, Wired):
        fail("within-steps: the board is not a wiring")
    budget.spend(_NS_LITERAL * literals_within(graph, steps), "making the formula")
    try:
        formula = within_steps(board, graph, steps)
        lrat = unpacked(bound.get("lrat"), MOST_PROOF, budget)
        check_lrat(formula.clauses(), lrat, budget=budget)
    except CheckFailed as failure:
        fail(f"within-steps: that {steps} presses are too few: {failure}")
    return steps + 1
