"""Atlas: the fewest presses of *every* board of a shape, by search backwards from the goal.

Idea. The solvable boards are goal + A·s, a copy of the image of A: at rank r there are 2^r, each
a number x. Let P be r bulbs whose columns of A are a basis of its image. Bit i of x stands for a
press of the i-th of P, a press of bulb v adds c_v to x, and v differs from its goal iff x & g_v has
an odd number of bits, g_v the mask of P ∩ N[v]. Breadth-first search from the goal finds the fewest
legal presses, repeats allowed, of all boards: y is one press of v away from x iff y = x + c_v and
the rule allows v in y. Under `unlit` v is lit after its press: x & g_v has parity 1 + goal(v);
under `lit`, goal(v).

Cost: O(n·2^r) time, 2^r bytes and some for the layers: 2^23 boards of plus 5×5 3 s, at most 2^25.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ponder.find.context import Progress, silent
from ponder.find.linear.gf2 import closed_adjacency, eliminate, pack, unpack
from ponder.model.board import Board
from ponder.system.errors import PonderError
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Ints

LARGEST_RANK = 25  # shapes with more than 2^25 solvable boards are refused
MOST_BULBS = 1024
NEVER_REACHED = 255


@dataclass(frozen=True, eq=False)
class Atlas:
    """The fewest presses of all boards with one graph, goal and rule; made by `atlas_of`."""

    board: Board  # any of them: graph, goal and rule
    basis: Ints  # P
    steps: tuple[int, ...]  # c_v of every bulb
    parities: tuple[int, ...]  # g_v of every bulb
    distances: NDArray[np.uint8]  # of all boards by number, NEVER_REACHED: no legal sequence
    histogram: tuple[int, ...]  # how many boards need exactly 0, 1, 2, … presses

    @property
    def largest(self) -> int:
        """The largest number of presses that a solvable board needs."""
        return len(self.histogram) - 1

    @property
    def solvable(self) -> int:
        """The number of boards that a legal sequence solves."""
        return sum(self.histogram)

    @property
    def nullity(self) -> int:
        """N − r: one in 2^nullity of the 2^N boards has a press set."""
        return self.board.graph.size - self.basis.size

    @property
    def hardest_number(self) -> int:
        """The least number of a board that needs `largest` presses."""
        return int(np.argmax(self.distances == self.largest))

    @property
    def hardest(self) -> Board:
        """A board that needs `largest` presses."""
        graph, goal = self.board.graph, self.board.goal
        pressed = self.basis[self.hardest_number >> np.arange(self.basis.size) & 1 == 1]
        lit = goal ^ graph.apply(graph.set_of(pressed))
        return Board(graph, lit, goal, self.board.rule, "hardest")

    def way_back(self, number: int) -> Ints:
        """Return the presses of a fewest sequence under the rule `any`, in some order."""
        presses = []
        while left := int(self.distances[number]):
            near = self.distances[number ^ np.array(self.steps)]
            presses.append(int(np.flatnonzero(near == left - 1)[0]))
            number ^= self.steps[presses[-1]]
        return np.array(presses, dtype=np.int64)


def atlas_of(board: Board, progress: Progress = silent, limits: Limits = NEVER) -> Atlas:
    """Search all boards with the graph, the goal and the rule of `board`, whatever is lit in it.

    Raises TimeUp, and PonderError for more than 2^25 solvable boards.

    >>> atlas_of(Board.from_rows(["000", "000", "000"], "plus", "any")).histogram
    (1, 9, 36, 84, 126, 126, 84, 36, 9, 1)
    """
    graph = board.graph
    if max(graph.size, graph.presses) > MOST_BULBS:
        raise PonderError(f"{graph.size:,} bulbs are too many for all boards at once")
    toggles = unpack(closed_adjacency(graph), graph.size)
    reduced = eliminate(pack(toggles), graph.size)
    if reduced.rank > LARGEST_RANK:
        raise PonderError(
            f"2^{reduced.rank} solvable boards are too many to be searched at once; "
            f"at most 2^{LARGEST_RANK}"
        )
    by_bulb = np.argsort(reduced.pivot_columns)
    basis = reduced.pivot_columns[by_bulb]
    # column v of the reduced form says which columns of the basis add up to column v of A
    sums = unpack(reduced.words[reduced.pivot_rows[by_bulb]], graph.size)
    value = np.int64(1) << np.arange(basis.size, dtype=np.int64)
    steps = tuple((sums * value[:, None]).sum(axis=0).tolist())
    parities = tuple((toggles[:, basis] * value).sum(axis=1).tolist())
    left_lit = None if board.rule == "any" else board.goal == (board.rule == "lit")

    distances = np.full(1 << basis.size, NEVER_REACHED, dtype=np.uint8)
    distances[0] = 0
    layer = np.zeros(1, dtype=np.int32)
    histogram = []
    while layer.size:
        histogram.append(layer.size)
        progress(f"{sum(histogram):,} boards within {len(histogram) - 1} presses")
        fresh = np.zeros(distances.size, dtype=np.bool_)
        for v in range(graph.size):
            limits.check()
            able = layer
            if left_lit is not None:
                able = layer[np.bitwise_count(layer & np.int32(parities[v])) & 1 == left_lit[v]]
            fresh[able ^ np.int32(steps[v])] = True
        fresh &= distances == NEVER_REACHED
        layer = np.flatnonzero(fresh).astype(np.int32)
        distances[layer] = len(histogram)
    return Atlas(board, basis, steps, parities, distances, tuple(histogram))
