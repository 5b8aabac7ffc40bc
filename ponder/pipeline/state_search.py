"""The fewest legal presses of a wiring of few lights: breadth first through all states.

States are numbers of m bits, a press is an exclusive or; the table of the states that were reached
holds when. A layer is taken button by button, by operations on whole arrays. From the goal back,
every state has one before it that was reached one press earlier.

Letters: m lights, n presses. Cost: O(2^m·n), 2^m bytes or two.
"""

from __future__ import annotations

import numpy as np

from ponder.limits import Limits
from ponder.puzzle.board import Board
from ponder.puzzle.wired_graph import Wired
from ponder.types import Ints

MOST_LIGHTS = 22

_NEVER = np.uint16(0xFFFF)


def search_states(board: Board, graph: Wired, limits: Limits) -> Ints | int:
    """Return the fewest legal presses in play order, or how many states there are without the goal.

    TimeUp. At most MOST_LIGHTS lights.
    """
    bit = 1 << np.arange(graph.size, dtype=np.int64)
    flips = np.zeros(graph.presses, dtype=np.int64)
    np.bitwise_xor.at(flips, graph.owners, bit[graph.toggled])
    seats = np.where(board.rule == "any", -1, graph.at).tolist()
    buttons = list(zip(flips.tolist(), seats, strict=True))
    pressable = board.rule == "lit"
    when = np.full(1 << graph.size, _NEVER)
    goal = int(bit[board.goal].sum())
    layer = np.array([bit[board.lit].sum()], dtype=np.int64)
    when[layer] = steps = 0
    while layer.size and when[goal] == _NEVER:
        steps += 1
        found = []
        for flip, seat in buttons:
            limits.check()
            some = layer if seat < 0 else layer[(layer >> seat & 1) == pressable]
            fresh = some ^ flip
            fresh = fresh[when[fresh] == _NEVER]
            when[fresh] = steps
            found.append(fresh)
        layer = np.concatenate([np.empty(0, dtype=np.int64), *found])
    if when[goal] == _NEVER:
        return int(np.count_nonzero(when != _NEVER))
    presses, at = [], goal
    for step in range(int(when[goal]) - 1, -1, -1):
        press = next(
            v
            for v, (flip, seat) in enumerate(buttons)
            if when[at ^ flip] == step and (seat < 0 or (at ^ flip) >> seat & 1 == pressable)
        )
        presses.append(press)
        at ^= buttons[press][0]
    return np.array(presses[::-1], dtype=np.int64)
