"""Wirings and given arcs: orders where a vertex hears only some neighbours, or edges are fixed.

Greedy. As in `greedy`, from the first press on or from the last. The next vertex is the one that
shuts out the fewest who hear it (they have heard all, and are not allowed), then closes the fewest.
Refutations (theory §2.9): conditions of some presses B alone are impossible, where B is a strong
component of who hears whom, or all that one press hears, and what these hear, and so on.

Letters: hears(v) the neighbours that v counts; t(v) the parity of those that come later. v is open
where those placed so far give it the parity that it needs: t(v) backwards, t(v) + |hears(v)|
forwards. Cost. O(n · LOOKED_AT · d) a trial; O(n·wires) for refutations, O(2^k·k) for k presses.
"""

from __future__ import annotations

from random import Random

from ponder.check.block import RULES, Block, broken_one_way
from ponder.check.certificate import Refutation
from ponder.model.ordering_problem import Order, OrderingProblem, Unknown
from ponder.system.limits import NEVER, Limits

LOOKED_AT = 24  # open vertices that are compared before one is placed
MOST_REFUTED = 1000  # presses through which it is followed who hears whom
MOST_TRIED = 12  # all orders are tried of at most this many presses


def order_one_way(
    problem: OrderingProblem, *, trials: int = 20, seed: int = 0, limits: Limits = NEVER
) -> Order | Unknown:
    """Order a problem by greedy trials, backwards and forwards in turn. Raises TimeUp.

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
    left = [len(near) for near in hears]  # how many heard vertices are still to come
    odd = problem.odd.tolist()
    right = [(odd[v] + (0 if backwards else left[v])) % 2 == 0 for v in range(size)]
    waiting = [True] * size
    ready = {v for v in range(size) if right[v] and not waits[v]}
    placed: list[int] = []

    def harm(v: int) -> tuple[int, int, float]:
        """How many others placing v shuts out, and how many it closes."""
        near = [u for u in heard_by[v] if waiting[u]]
        shut = sum(right[u] and left[u] == 1 for u in near)
        return shut, sum(1 if right[u] else -1 for u in near), rng.random()

    while ready:
        limits.check()
        seen = list(ready) if len(ready) <= LOOKED_AT else rng.sample(sorted(ready), LOOKED_AT)
        v = min(seen, key=harm)
        ready.discard(v)
        waiting[v] = False
        placed.append(v)
        for u in freed_by[v]:  # given directions
            waits[u] -= 1
            if not waits[u] and right[u] and waiting[u]:
                ready.add(u)
        for u in heard_by[v]:  # parities
            left[u] -= 1
            right[u] = not right[u]
            if waiting[u] and not waits[u]:
                (ready.add if right[u] else ready.discard)(u)
    return placed


def refute_one_way(problem: OrderingProblem, limits: Limits = NEVER) -> Refutation | None:
    """Refute a one-way problem by a count or all orders of a few presses. Raises TimeUp."""
    if problem.size > MOST_REFUTED:
        return None
    hears, odd = problem.heard_lists, problem.odd.tolist()
    closures = [_closure(v, hears) for v in limits.over(range(problem.size), 1)]
    parts = {
        tuple(sorted(u for u in closure if v in closures[u])) for v, closure in enumerate(closures)
    }
    for closed in sorted({*closures, frozenset(range(problem.size))}, key=len):
        limits.check()
        for rule in RULES[:3]:
            if broken_one_way(rule, closed, hears, odd):
                return Block(problem.bulbs[sorted(closed)], rule)
    for part in sorted(parts, key=len):
        few = len({*part}.union(*(hears[v] for v in part))) <= MOST_TRIED
        if few and broken_one_way("orders", part, hears, odd, limits):
            return Block(problem.bulbs[list(part)], "orders")
    return None


def _closure(start: int, hears: list[list[int]]) -> frozenset[int]:
    """Return a press, those that it hears, those that these hear, and so on."""
    heard, todo = {start}, [start]
    for v in todo:
        new = [u for u in hears[v] if u not in heard]
        heard.update(new)
        todo += new
    return frozenset(heard)
