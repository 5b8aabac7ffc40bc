"""Orders by walking wrong parities together: local repairs of an acyclic orientation (theory §5.4).

Idea. Any sequence of all presses is an acyclic orientation of H. A vertex is a *defect* when the
number of its neighbours built before it has not the parity t(v). Turning an edge at a defect round
moves the defect to the other end, and where a defect is already, both vanish. An edge u → v can be
turned iff no other path leads from u to v. A defect that is shut in has some edges nearby turned at
random. Greedy gives the start, with few defects. It proves nothing when it fails.

Letters: H, t, T as in `ponder.model.ordering_problem`; rank, a vertex's place in build order.
Reference. Pearce, Kelly, "A dynamic topological sort algorithm for directed acyclic graphs", 2007.
Cost. A turned edge costs what lies between its ends in rank and hangs on them: two or three
vertices on grids. King 50×50 takes 0.1 s.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from random import Random

import numpy as np

from ponder.find.ordering.greedy import MOST_LISTED, fewest_first
from ponder.model.ordering_problem import Order, OrderingProblem, Unknown
from ponder.system.limits import NEVER, Limits
from ponder.system.printable import pluralise

ATTEMPTS = 2  # so often is a new start tried, unless told otherwise

_PATIENCE = 400  # edges that may be turned for each defect of a start, and for eight more
_WORK = 10  # neighbours that may be looked at, times n·(n + 100)
_STEPS = 60  # of one walk, before some edges are turned at random
_KICKS = 4  # edges that are turned then
_NEAR = 4  # and how far away from the defect
_NOISE = 1.0  # mean of the chance that is added to a distance, in edges
_LOOKED_AT = 40  # neighbours at most among which it chooses
_BACK = 2.0  # added to the distance of the vertex that a defect has just come from


def order_by_walks(
    problem: OrderingProblem,
    *,
    seed: int = 0,
    limits: Limits = NEVER,
    attempts: int = ATTEMPTS,
) -> Order | Unknown:
    """Return an order found by walking defects together, else Unknown: never a refusal.

    The same seed gives the same answer, limits apart. Raises TimeUp and NeedsMemory. `statistics`:
    `seed`, number of `attempts`, `defects` of the last start, edges `turned` in all.

    >>> square = OrderingProblem.from_edges(4, [(0, 1), (1, 2), (2, 3), (0, 3)], [0, 2])
    >>> order = order_by_walks(square)
    >>> sorted(order.vertices.tolist()), order.statistics["attempts"]
    ([0, 1, 2, 3], 1)
    """
    problem.prepare(limits, MOST_LISTED)
    random = Random(seed)
    statistics: dict[str, object] = {"seed": seed, "attempts": 0, "defects": 0, "turned": 0}
    turned = 0
    for attempt in range(1, attempts + 1):
        walks = _Walks(problem, random, limits)
        defects = len(walks.defects)
        if defects % 2:
            return Unknown("the defects are odd in number", statistics)
        ordered = walks.run(_PATIENCE * (defects + 8))
        turned += walks.turned
        statistics |= {"attempts": attempt, "defects": defects, "turned": turned}
        if ordered:
            return Order.from_build(np.argsort(np.array(walks.rank)), **statistics)
        if limits.expired:
            return Unknown("the limit was reached while defects were walked together", statistics)
    return Unknown(f"the defects did not all meet in {pluralise(attempts, 'attempt')}", statistics)


class _Walks:
    """One attempt: the ranks of all vertices, and the defects."""

    def __init__(self, problem: OrderingProblem, random: Random, limits: Limits) -> None:
        self.near, self.random, self.limits = problem.neighbours, random, limits
        self.near_sets = [set(near) for near in self.near]
        wrong = problem.odd.astype(np.int8).tolist()
        build, defects = fewest_first(self.near, wrong, random, forced=True)
        self.rank = [0] * len(build)
        for place, v in enumerate(build):
            self.rank[v] = place
        self.defects = set(defects)
        self.queue = deque(defects)
        self.turned = 0
        self.work = _WORK * len(build) * (len(build) + 100)  # what is left of it

    def run(self, patience: int) -> bool:
        """Walk until no defect is left (True), time is up, or the edges to turn are used up."""
        walked = 0  # a defect without neighbours turns no edge
        while self.defects:
            walked += 1
            if max(self.turned, walked) > patience or self.work < 0 or self.limits.expired:
                return False
            v = self.queue.popleft()
            if v not in self.defects:
                continue
            away = self.distances(v)
            v, met = self.walk(v, away)
            if not met:
                self.kick(v)
                self.queue.append(v)
        return True

    def distances(self, start: int) -> dict[int, int]:
        """Return the distances to the defect nearest to `start`, as far as a walk may need them."""
        far: dict[int, int] = {}
        defects = (v for v in self.outwards(start, far) if v != start and v in self.defects)
        target = next(defects, None)
        if target is None:
            return {}
        away: dict[int, int] = {}
        for v in self.outwards(target, away):
            if away[v] == 2 * far[target] + 2:
                break
        return away

    def outwards(self, start: int, far: dict[int, int]) -> Iterator[int]:
        """Yield all vertices, the nearest to `start` first; `far` takes down their distances."""
        far[start] = 0
        queue = [start]
        for v in queue:  # grows while it is walked through
            yield v
            for u in self.near[v]:
                if u not in far:
                    far[u] = far[v] + 1
                    queue.append(u)

    def walk(self, v: int, away: dict[int, int]) -> tuple[int, bool]:
        """Move a defect towards another one; return where it ended and whether it met one."""
        chance, before, outside = self.random.expovariate, -1, 2 * len(away) + 1
        for _ in range(_STEPS):
            if self.work < 0:
                break
            near = self.near[v]
            if len(near) > _LOOKED_AT:
                near = self.random.sample(near, _LOOKED_AT)
            order = sorted(
                (away.get(u, outside) + _NOISE * chance(1.0) + _BACK * (u == before), u)
                for u in near
            )
            moved = next((u for _, u in order if self.turn(v, u)), None)
            if moved is None:  # no neighbours at all
                return v, False
            self.defects.discard(v)
            if moved in self.defects:
                self.defects.discard(moved)
                return moved, True
            self.defects.add(moved)
            before, v = v, moved
        return v, False

    def kick(self, v: int) -> None:
        """Turn some edges near v round, whatever defects that makes."""
        for _ in range(_KICKS):
            for _ in range(self.random.randrange(_NEAR)):
                v = self.random.choice(self.near[v] or [v])
            if not self.near[v]:
                return
            u = self.random.choice(self.near[v])
            if self.turn(u, v):
                self.defects ^= {u, v}
                self.queue += [end for end in (u, v) if end in self.defects]

    def turn(self, a: int, b: int) -> bool:
        """Turn the edge ab round, unless another path joins its ends."""
        rank = self.rank
        u, v = (a, b) if rank[a] < rank[b] else (b, a)
        # from the end with fewer neighbours first: most edges at a hub cannot be turned
        ends = ((u, v), (v, u)) if len(self.near[u]) < len(self.near[v]) else ((v, u), (u, v))
        between = {}
        for start, target in ends:
            if (vertices := self.between(start, target)) is None:
                return False
            between[start] = sorted(vertices, key=rank.__getitem__)
        moved = between[v] + between[u]
        for place, x in zip(sorted([rank[x] for x in moved]), moved, strict=True):
            rank[x] = place
        self.turned += 1
        return True

    def between(self, start: int, target: int) -> set[int] | None:
        """Return the end of an edge and what it leads to before the other; None if to that one."""
        rank, near, last = self.rank, self.near, self.near_sets[target]
        way = 1 if rank[start] < rank[target] else -1
        end = way * rank[target]
        reached, stack = {start}, [start]
        while stack:
            x = stack.pop()
            here = way * rank[x]
            self.work -= len(near[x])
            for y in near[x]:
                if here < way * rank[y] < end and y not in reached:
                    if y in last:
                        return None
                    reached.add(y)
                    stack.append(y)
        return reached
