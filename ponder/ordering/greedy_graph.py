"""Greedy trials on any graph, by neighbour lists.

Idea. `wrong[v]` is 1 while v may not be placed: placing a vertex flips it for all its neighbours.
What the variants are, and when v may be placed: `ponder.ordering.greedy`.

Cost of a trial, H the graph of n presses: `random` O(n + |E(H)|); `rounds` the same, plus the legal
presses of every round; `fewest` O((n + |E(H)|) log n).
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heapify, heappop, heappush
from random import Random

import numpy as np

from ponder.limits import Limits
from ponder.puzzle.ordering_problem import OrderingProblem

POLL = 255
"""Presses between two looks at the clock, as a mask."""


class Neighbours:
    """Plays any problem; a variant returns what it placed, in order, and the number of rounds.

    >>> path = OrderingProblem.from_edges(3, [(0, 1), (1, 2)])
    >>> player = Neighbours(path, forwards=True)
    >>> player.wrong  # an end has one neighbour still to come
    [1, 0, 1]
    >>> player.random(Random(0), Limits(None))[0][0]
    1
    """

    def __init__(self, problem: OrderingProblem, *, forwards: bool) -> None:
        self.near = problem.neighbours
        degree = np.diff(problem.adjacency[0])
        wrong = problem.odd ^ (degree % 2 == 1) if forwards else problem.odd
        self.wrong: list[int] = wrong.astype(np.int8).tolist()

    def random(self, rng: Random, limits: Limits) -> tuple[list[int], int]:
        """A legal press, all equally likely."""
        legal = [v for v, bit in enumerate(self.wrong) if not bit]
        placed: list[int] = []
        draw_from_list(legal, len(self.near), self.near.__getitem__, placed, rng, limits)
        return placed, len(placed)

    def rounds(self, rng: Random, limits: Limits) -> tuple[list[int], int]:
        """A random maximal independent set of the legal presses, all of it, and again."""
        near, wrong = self.near, self.wrong.copy()
        done = [False] * len(near)
        legal = [v for v, bit in enumerate(wrong) if not bit]
        placed: list[int] = []
        rounds = 0
        while legal and not (rounds and limits.expired):
            rounds += 1
            rng.shuffle(legal)
            touched: dict[int, None] = {}  # a set that keeps its order
            layer = []
            for v in legal:
                if v not in touched:
                    layer.append(v)
                    done[v] = True
                    touched.update(dict.fromkeys(near[v]))
            for v in layer:
                for u in near[v]:
                    wrong[u] ^= 1
            placed += layer
            # Every legal press was either placed or, the set being maximal, touched.
            legal = [u for u in touched if not (wrong[u] or done[u])]
        return placed, rounds

    def fewest(self, rng: Random, limits: Limits) -> tuple[list[int], int]:
        """The legal press with the fewest neighbours still to be placed."""
        near, wrong = self.near, self.wrong.copy()
        left = [len(neighbours) for neighbours in near]
        uniform = rng.random
        # An entry is out of date when its vertex is placed, illegal, or has fewer left since.
        queue = [(left[v], uniform(), v) for v, bit in enumerate(wrong) if not bit]
        heapify(queue)
        placed: list[int] = []
        while queue:
            count, _, v = heappop(queue)
            if wrong[v] or left[v] != count:
                continue
            placed.append(v)
            wrong[v] = 2  # for good: neighbours flip the low bit only
            for u in near[v]:
                wrong[u] ^= 1
                left[u] -= 1
                if not wrong[u]:
                    heappush(queue, (left[u], uniform(), u))
            if not len(placed) & POLL and limits.expired:
                break
        return placed, len(placed)


def draw_from_list(
    legal: list[int],
    size: int,
    near: Callable[[int], list[int]],
    placed: list[int],
    rng: Random,
    limits: Limits,
) -> None:
    """Place random presses of `legal` until none is left, appending them to `placed`.

    `near(v)` are the presses whose legality v changes, v itself and placed ones allowed.

    >>> placed = [0]  # an edge: placing 1 lets nothing follow, for 0 is placed
    >>> draw_from_list([1], 2, lambda v: [1 - v], placed, Random(0), Limits(None))
    >>> placed
    [0, 1]
    """
    # Where a press stands in `legal`: −1 not there, −2 placed.
    place = [-1] * size
    for v in placed:
        place[v] = -2
    for k, v in enumerate(legal):
        place[v] = k
    uniform = rng.random
    while legal:
        v = legal[int(uniform() * len(legal))]
        placed.append(v)
        last = legal.pop()
        if last != v:
            legal[place[v]] = last
            place[last] = place[v]
        place[v] = -2
        for u in near(v):
            k = place[u]
            if k >= 0:
                last = legal.pop()
                if last != u:
                    legal[k] = last
                    place[last] = k
                place[u] = -1
            elif k == -1:
                place[u] = len(legal)
                legal.append(u)
        if not len(placed) & POLL and limits.expired:
            break
