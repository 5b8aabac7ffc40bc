"""Greedy orders where edges are fixed, or where a vertex hears some of its neighbours alone.

Idea. As in `greedy`: one vertex after the other is placed, from the first press on or from the
last, wherever the vertices placed so far allow it. Here a vertex is placed for good without harm
as soon as nobody still waiting hears it; one that has heard all it ever hears, and is not allowed
then, never will be. So a choice is looked at by what it does to those who hear it: first by how
many it shuts out for ever, then by how many it closes and opens. A trial that gets stuck proves
nothing.

Letters
    hears(v)   the neighbours that v counts; t(v) the parity of those that come later
    open(v)    the vertices placed so far give v the parity that it needs: t(v) backwards,
               t(v) + |hears(v)| forwards

Cost. O(n · LOOKED_AT · d) a trial.
"""

from __future__ import annotations

from random import Random

from ponder.limits import NEVER, Limits
from ponder.puzzle.ordering_problem import Order, OrderingProblem, Unknown

LOOKED_AT = 24
"""So many of the vertices that are open are compared before one is placed."""


def order_one_way(
    problem: OrderingProblem, *, trials: int = 20, seed: int = 0, limits: Limits = NEVER
) -> Order | Unknown:
    """Order a problem by greedy trials, backwards and forwards in turn. TimeUp.

    >>> import numpy as np
    >>> chain = OrderingProblem.one_way([[1], [2], []], np.array([True, True, False]))
    >>> order_one_way(chain).vertices.tolist()  # 0 hears 1 after it, and 1 hears 2
    [0, 1, 2]
    """
    rng = Random(seed)
    for trial in range(trials):
        backwards = trial % 2 == 0
        placed = _trial(problem, backwards, rng, limits)
        if len(placed) == problem.size:
            return Order.from_build(placed if backwards else placed[::-1])
    return Unknown(f"greedy found no order in {trials} trials")


def _trial(problem: OrderingProblem, backwards: bool, rng: Random, limits: Limits) -> list[int]:
    """Place vertices until none is open; return them in turn."""
    size, hears = problem.size, problem.heard_lists
    heard_by: list[list[int]] = [[] for _ in range(size)]
    for v, near in enumerate(hears):
        for u in near:
            heard_by[u].append(v)
    freed_by: list[list[int]] = [[] for _ in range(size)]  # by a fixed edge
    waits = [0] * size
    for u, v in () if problem.fixed is None else problem.fixed.tolist():
        first, then = (v, u) if backwards else (u, v)
        freed_by[first].append(then)
        waits[then] += 1
    left = [len(near) for near in hears]
    odd = problem.odd.tolist()
    right = [(odd[v] + (0 if backwards else left[v])) % 2 == 0 for v in range(size)]
    waiting = [True] * size
    ready = {v for v in range(size) if right[v] and not waits[v]}
    placed: list[int] = []

    def harm(v: int) -> tuple[int, int, float]:
        shut = closed = 0
        for u in heard_by[v]:
            if waiting[u]:
                shut += right[u] and left[u] == 1
                closed += 1 if right[u] else -1
        return shut, closed, rng.random()

    while ready:
        limits.check()
        some = list(ready) if len(ready) <= LOOKED_AT else rng.sample(sorted(ready), LOOKED_AT)
        v = min(some, key=harm)
        ready.discard(v)
        waiting[v] = False
        placed.append(v)
        for u in freed_by[v]:
            waits[u] -= 1
            if not waits[u] and right[u] and waiting[u]:
                ready.add(u)
        for u in heard_by[v]:
            left[u] -= 1
            right[u] = not right[u]
            if waiting[u] and not waits[u]:
                (ready.add if right[u] else ready.discard)(u)
    return placed
