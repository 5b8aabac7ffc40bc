"""`states`: a search through all states of a wiring of few lights, breadth first.

It is the rule of the game (theory §2.9): the goal is none of the states that legal presses lead to,
or none that fewer presses do. Finders call the same search. Letters: m lights, at most MOST_LIGHTS.
Cost: 2^m numbers of 32 bits, and 40 ns for each state that is reached and each press.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import numpy as np

from ponder.check.fields import fail
from ponder.check.kinds import Bound, Claim, Refutation, Refuted
from ponder.check.limits import Budget, TooLarge
from ponder.check.written import Number
from ponder.model.board import Board
from ponder.model.wired_graph import Wired
from ponder.system.errors import quoted
from ponder.system.printable import inflect, pluralise
from ponder.system.types import Ints

MOST_LIGHTS = 22  # boards of more lights have too many states
_NS_WIRE = 500
NS_STATE, NS_STEP = 40, 100_000  # nanoseconds for a press in a state, for a step through states
_TOGETHER = 1 << 16  # presses in states that are looked at in one go
_NEVER = np.uint32(0xFFFFFFFF)
_THEORY = "§2.9: it is the rule of the game"


class States(Refutation):
    """A wiring of few lights: the goal is none of the `reached` states that legal presses reach."""

    kind = "states"
    claim: ClassVar[Claim | None] = "C4"
    of_press_set: ClassVar[bool] = False
    theory = _THEORY
    of_orders: ClassVar[bool] = False
    of_wirings: ClassVar[bool] = True
    explained: ClassVar[tuple[str, ...]] = (
        "Legal presses lead from here to a limited number of arrangements of lights. All of them "
        "were looked at, and none is the goal.",
    )
    reached: Number

    def check(self, board: Board, counts: Ints, budget: Budget) -> Refuted:
        """Check that no sequence of legal presses leads to the goal."""
        reached = all_states(board, budget)
        if not isinstance(reached, int):
            reach = inflect(reached.size, "reaches", "reach")
            fail(f"states: {pluralise(reached.size, 'press')} {reach} the goal")
        if self.reached != reached:
            fail(f"states: {reached:,} states are reached, not {quoted(self.reached)}")
        return Refuted(counts)

    def sentence(self, board: Board) -> str:
        """Return how many states there are."""
        which = inflect(self.reached, "it is not", "none of them is")
        states = inflect(self.reached, "state", "states")
        return f"legal presses reach {self.reached:,} {states} of the lights, and {which} the goal"


class AllStates(Bound):
    """A wiring of few lights: a search through all states finds no shorter way."""

    kind = "states"
    theory = _THEORY
    commands = ("solve",)
    of_wirings: ClassVar[bool] = True
    says: ClassVar[str] = "a search through all states of the lights finds no shorter way"

    def proves(self, board: Board, command: str, enough: int, budget: Budget) -> int:
        """Return how many presses the shortest way has; 0 where there is none."""
        way = all_states(board, budget)
        return 0 if isinstance(way, int) else way.size


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
        spend(NS_STEP + NS_STATE * layer.size * flips.size)
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
        spend(NS_STEP + NS_STATE * flips.size)
        before = at ^ flips
        presses[step] = np.argmax((when[before] == step) & (before & asks == wants))
        at = before[presses[step]]
    return presses
