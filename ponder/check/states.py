"""`states`: a search through all states of a wiring of few lights, breadth first.

It is the rule of the game (theory §2.9): the goal is none of the states that legal presses lead to,
or none that fewer presses do. Letters: m lights, at most MOST_LIGHTS.
Cost: 2^m numbers of 32 bits, and 40 ns for each state that is reached and each press.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from ponder.check.caps import TooLarge
from ponder.check.certificate import Bound, Claim, Refutation, Refuted
from ponder.check.reader import fail
from ponder.model.board import Board
from ponder.model.wired_graph import Wired
from ponder.system.limits import NEVER, Limits
from ponder.system.printable import inflect, pluralise
from ponder.system.types import Ints, Json

MOST_LIGHTS = 22  # boards of more lights have too many states
_TOGETHER = 1 << 16  # presses in states that are looked at in one go
_NEVER = np.uint32(0xFFFFFFFF)


@dataclass(frozen=True, eq=False)
class States(Refutation, Bound):
    """Of a wiring of few lights, all states that legal presses reach were gone through."""

    kind = "states"
    claim: ClassVar[Claim | None] = "C4"
    of_press_set: ClassVar[bool] = False
    of_orders: ClassVar[bool] = False
    of_wirings: ClassVar[bool] = True
    commands: ClassVar[tuple[str, ...]] = ("solve",)

    @classmethod
    def read(cls, board: Board, content: Json) -> Self:
        """Return it: it has no fields."""
        return cls()

    def check(self, board: Board, counts: Ints, limits: Limits = NEVER) -> Refuted:
        """Check that no sequence of legal presses leads to the goal."""
        way = search_states(board, _few_lights(board), limits)
        if not isinstance(way, int):
            reach = inflect(way.size, "reaches", "reach")
            fail(f"states: {pluralise(way.size, 'press')} {reach} the goal")
        return Refuted(counts)

    def proves(self, board: Board, command: str, enough: int, limits: Limits = NEVER) -> int:
        """Return how many presses the shortest way has; 0 where there is none."""
        way = search_states(board, _few_lights(board), limits)
        return 0 if isinstance(way, int) else way.size


def _few_lights(board: Board) -> Wired:
    graph = board.graph
    if not isinstance(graph, Wired):
        fail("states: the board is not a wiring")
    if graph.size > MOST_LIGHTS:
        raise TooLarge(f"2^{graph.size} states are too many to go through")
    return graph


def search_states(board: Board, graph: Wired, limits: Limits = NEVER) -> Ints | int:
    """Return the fewest legal presses in play order, or how many states there are without the goal.

    Breadth first: states are numbers of m ≤ MOST_LIGHTS bits, a press is an exclusive or, and a
    table holds when each was reached. Raises TimeUp.
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
        reached = [layer[:0]]
        width = max(1, _TOGETHER // layer.size)
        for k in range(0, flips.size, width):
            limits.check()
            some = slice(k, k + width)
            fresh = (layer ^ flips[some, None])[layer & asks[some, None] == wants[some, None]]
            fresh = fresh[when[fresh] == _NEVER]
            if width > 1:  # two presses may lead to one state: each once
                when[fresh] = every = np.arange(fresh.size, dtype=np.uint32)
                fresh = fresh[when[fresh] == every]
            when[fresh] = steps
            reached.append(fresh)
        layer = np.concatenate(reached)
    if when[goal] == _NEVER:
        return int(np.count_nonzero(when != _NEVER))
    presses = np.zeros(steps, dtype=np.int64)
    at = np.int64(goal)
    for step in range(steps - 1, -1, -1):  # backwards, to a state one press earlier
        limits.check()
        before = at ^ flips
        presses[step] = np.argmax((when[before] == step) & (before & asks == wants))
        at = before[presses[step]]
    return presses
