"""Any graph: a search for an order that the spanning-tree test guides (theory §5.4–5.5).

Idea. What remains after a prefix of a build order falls into connected parts. For each part:
    1. Greedy. If it gets through, the part is done.
    2. Gallop back from where greedy got stuck: longer and longer remainders (at first small
       matrices) until one is orderable. Greedy's prefix up to there stands.
    3. When even most of the part is not: is the whole of it orderable? If no, there is no order.
       Otherwise build vertices guided by M = K⁻¹ (`Guide`), which never gets stuck: a
       quarter of the part at a time, region by region in large ones, then again from 1.

Cost with n vertices of degree d, dense: a test n³/3 steps of 0.6 ns, the whole search about
(2 + d/3)·n³ when greedy is no help; on sparse graphs far less: IBM's 30×30 board 0.01 s.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import islice
from random import Random

import numpy as np

from ponder.check.evidence.randomised import Randomised
from ponder.find.linear.gf2k import Elements, Field, Poll, add_product, field, inverse
from ponder.find.linear.gf2k_multifrontal import condense
from ponder.find.ordering.determinant_test import (
    ERROR_BITS,
    evidence_against,
    is_nonsingular,
    spanning_matrix,
)
from ponder.find.ordering.greedy import Trials, greedy_prefix
from ponder.find.search.context import Progress, silent
from ponder.model.components import component_numbers, components
from ponder.model.graph import EdgeGraph
from ponder.model.ordering_problem import MOST_EDGES, Order, OrderingProblem, Unknown
from ponder.system.limits import NEVER, Limits, TimeUp
from ponder.system.types import Bits, Ints, bincount


class Guide:
    """M = K⁻¹ on a region, kept up to date while vertices of the region are built.

    Building a vertex (theory §5.4). v may be built when t(v) = 0; then row and column v of K go
    (`ponder.find.ordering.determinant_test`), and K_uu of u ~ v changes by d_u = p_v/(p_u(p_u +
    p_v)), while t(u) flips. With N = v and its neighbours, and S = M[N,N] + diag(0 for v, 1/d_u for
    u), the remaining matrix is nonsingular iff S is. Its inverse is M − M[:,N]·S⁻¹·M[N,:]
    (Woodbury). So one small matrix tells whether an order can go on with v. The inverse on a region
    is the block of K⁻¹ there (§5.5): the vertices outside are eliminated first. Cost with r
    vertices in the region, v of degree d: r³ to enter, (1 + d)·r² for each vertex built.

    `rows[v]` is v's row in M, −1 for none. `interior` are the vertices that can be built: those
    whose neighbours all have a row. `refused` counts those that would have led astray.
    """

    def __init__(
        self, gf: Field, problem: OrderingProblem, p: Elements, left: Ints, m: Elements
    ) -> None:
        self.gf = gf
        self.p = p
        self.m: Elements = m
        self.left: Ints = left
        self.rows: Ints = np.full(problem.size, -1, dtype=np.int64)
        self.rows[left] = np.arange(left.size)
        self.near: list[set[int]] = [set(near) for near in problem.neighbours]
        self.odd: list[bool] = problem.odd.tolist()
        inside = self.rows >= 0
        outside = np.zeros(problem.size, dtype=np.bool_)
        for a, b in (problem.edges.T, problem.edges[:, ::-1].T):
            outside[a[~inside[b]]] = True
        self.interior: list[int] = np.flatnonzero(inside & ~outside).tolist()
        self.refused: int = 0

    @classmethod
    def enter(
        cls, gf: Field, problem: OrderingProblem, p: Elements, keep: Bits, poll: Poll
    ) -> Guide | None:
        """Eliminate what is outside the region, and invert the rest; None when K is singular."""
        weights, diagonal = spanning_matrix(gf, problem, p)
        left, matrix = condense(gf, problem.edges, weights, diagonal, keep, poll)
        m = inverse(gf, matrix, poll)
        return None if m is None else cls(gf, problem, p, left, m)

    def build(self, quota: int, random: Random, poll: Poll) -> list[int]:
        """Return up to `quota` vertices in build order, after which the rest is orderable.

        The vertex with the fewest neighbours comes first: it is the cheapest. A vertex that was
        refused is tried again when there is no other, and something was built since.
        """
        placed: list[int] = []
        inside, done = set(self.interior), set[int]()
        queue = [(len(self.near[v]), random.random(), v) for v in self.interior if not self.odd[v]]
        heapify(queue)
        refused: list[tuple[int, float, int]] = []
        built_since = False
        while len(placed) < quota:
            if not queue:  # try the refused ones again, now that M has changed
                if not (refused and built_since):
                    break
                queue, refused, built_since = refused, [], False
                heapify(queue)
            degree, tie, v = heappop(queue)
            if v in done or self.odd[v] or degree != len(self.near[v]):
                continue
            poll()
            if not self.contract(v):
                self.refused += 1
                refused.append((degree, tie, v))
                continue
            built_since = True
            done.add(v)
            placed.append(v)
            for u in self.near[v]:  # building v turns the parities of its neighbours
                self.near[u].discard(v)
                self.odd[u] ^= True
                if u in inside and not self.odd[u]:
                    heappush(queue, (len(self.near[u]), random.random(), u))
            self.compact()
        return placed

    def contract(self, v: int) -> bool:
        """Update M for the building of v; False (and no change) if v would lead astray."""
        gf, p = self.gf, self.p
        near = np.fromiter(self.near[v], dtype=np.int64, count=len(self.near[v]))
        row, rows = self.rows[v], self.rows[near]
        if near.size:
            joint = np.concatenate([[row], rows])
            small = self.m[joint[:, None], joint]
            change = gf.multiply(gf.multiply(p[near], p[near] ^ p[v]), gf.inverse(p[v]))
            inner = np.arange(1, joint.size)
            small[inner, inner] ^= change
            solved = inverse(gf, small)
            if solved is None:
                return False
            across = self.m[joint]
            update = np.zeros_like(across)
            add_product(gf, update, solved, across)
            add_product(gf, self.m, across.T, update)
        self.rows[v] = -1
        return True

    def compact(self) -> None:
        """Drop the rows of what is built (they are 0) once they are a quarter of M."""
        stays = self.rows[self.left] >= 0
        if 4 * np.count_nonzero(stays) > 3 * self.left.size:
            return
        self.left = self.left[stays]
        self.m = self.m[np.ix_(stays, stays)]
        self.rows[self.left] = np.arange(self.left.size)


REGION = 250  # vertices at most that one inverse guides
GREEDY_TRIALS = 4  # greedy trials for every connected part of the problem; later parts get one
FIGURES = (
    "tests", "largest_test", "parts", "by_greedy", "guided", "regions", "refused"
)  # fmt: skip
"""What is counted; `order_spanning` says what each is."""
_TOO_LARGE = "the problem's matrix would be too large"
_WHOLE = 100  # parts of at most this many vertices are guided to the end


def order_spanning(
    problem: OrderingProblem, *, seed: int = 0, limits: Limits = NEVER, progress: Progress = silent
) -> Order | Randomised | Unknown:
    """Return an order, or the evidence that there is none; Unknown only when time runs out.

    The same seed gives the same answer, limits apart.

    `statistics`: `seed`, `tests` (matrices tested) and `largest_test` (vertices of the largest),
    `parts` (connected parts dealt with), and how many vertices greedy placed (`by_greedy`), or the
    algebra (`guided`, of `regions` inverses; `refused` ones would have led astray).

    >>> square = OrderingProblem.from_edges(4, [(0, 1), (1, 2), (2, 3), (0, 3)])
    >>> sorted(order_spanning(square).vertices.tolist())
    [0, 1, 2, 3]
    """
    search = _GuidedSearch(problem, seed, limits, progress)
    if problem.edge_count > MOST_EDGES:
        return Unknown(_TOO_LARGE, search.statistics)
    try:
        return search.run()
    except TimeUp:
        reason = f"the limit was reached with {len(search.built)} of {problem.size} presses placed"
        return Unknown(reason, search.statistics)
    except MemoryError:
        return Unknown(_TOO_LARGE, search.statistics)


class _GuidedSearch:
    """The state: what is built so far, and the connected parts of what remains."""

    def __init__(
        self, problem: OrderingProblem, seed: int, limits: Limits, progress: Progress
    ) -> None:
        self.problem, self.seed, self.limits = problem, seed, limits
        self.progress, self.poll = progress, limits.check
        self.rng = np.random.default_rng(seed)
        self.random = Random(seed)
        self.built: list[int] = []
        self.figures = dict.fromkeys(FIGURES, 0)

    @property
    def statistics(self) -> dict[str, object]:
        return {"seed": self.seed, **self.figures}

    def run(self) -> Order | Randomised | Unknown:
        """Take part after part, the smallest of the unknown ones first."""
        unknown = sorted(
            _connected_parts(self.problem, self.poll), key=lambda part: -part.problem.size
        )
        while unknown:
            known = [unknown.pop()]
            first = True
            while known:
                part = known.pop()
                self.poll()
                self.progress(f"{len(self.built)} of {self.problem.size} presses placed")
                outcome = self.advance(part, first)
                if not isinstance(outcome, list):
                    return outcome
                known += [_Part(sub.problem, part.vertices[sub.vertices]) for sub in outcome]
                first = False
        return Order.from_build(self.built, **self.statistics)

    def advance(self, part: _Part, first: bool) -> list[_Part] | Randomised | Unknown:
        """Build some vertices of a part, orderable unless it is the `first`; return the rest."""
        self.figures["parts"] += 1
        problem = part.problem
        prefix = greedy_prefix(
            problem,
            Trials(count=GREEDY_TRIALS if first else 1, seed=self.random.getrandbits(32)),
            self.limits,
        )
        self.poll()
        if prefix.size == problem.size:
            return self.build(part, prefix, [], by="by_greedy")
        rest = self.gallop(problem, prefix)
        if rest is not None:
            placed = problem.size - sum(sub.problem.size for sub in rest)
            return self.build(part, prefix[:placed], rest, by="by_greedy")
        if first and not self.are_orderable([part]):
            evidence = evidence_against(problem, self.rng, self.seed, self.poll)
            if evidence is not None:
                return evidence
        return self.guide(part)

    def build(self, part: _Part, placed: Ints, rest: list[_Part], by: str) -> list[_Part]:
        """Build the vertices (of the part) and return the rest."""
        self.built += part.vertices[placed].tolist()
        self.figures[by] += placed.size
        return rest

    def gallop(self, problem: OrderingProblem, prefix: Ints) -> list[_Part] | None:
        """Return the parts of the first remainder that is orderable, None when most is not."""
        left, extra = problem.size - prefix.size, 4  # nothing of what greedy left can be built
        while 8 * (left + extra) <= 7 * problem.size:
            rest = _remainder(problem, prefix[: prefix.size - extra], self.poll)
            if self.are_orderable(rest):
                return rest
            extra *= 2
        return None

    def are_orderable(self, parts: list[_Part]) -> bool:
        """Whether all parts are, by parity (exact) and then by one trial each."""
        if any((len(part.problem.edges) + int(part.problem.odd.sum())) % 2 for part in parts):
            return False
        for part in sorted(parts, key=lambda part: part.problem.size):
            self.poll()
            self.figures["tests"] += 1
            largest = max(self.figures["largest_test"], part.problem.size)
            self.figures["largest_test"] = largest
            if not is_nonsingular(part.problem, _field_for(part.problem), self.rng, self.poll):
                return False
        return True

    def guide(self, part: _Part) -> list[_Part] | Unknown:
        """Build vertices of an orderable part so that it stays orderable; at least one."""
        problem = part.problem
        gf = _field_for(problem)
        quota = problem.size if problem.size <= _WHOLE else -(-problem.size // 4)
        legal = np.flatnonzero(~problem.odd).tolist()
        spare = gf.bits - math.log2(len(problem.edges) + problem.size)
        for _ in range(math.ceil(ERROR_BITS / spare)):
            # An unlucky p may hide what is orderable; so all are tried with several.
            p = gf.distinct(problem.size, self.rng)
            untried = dict.fromkeys(self.random.sample(legal, len(legal)))
            while untried:
                keep = _region(problem, next(iter(untried)))
                self.figures["regions"] += 1
                guide = Guide.enter(gf, problem, p, keep, self.poll)
                if guide is None:
                    break
                placed = guide.build(quota, self.random, self.poll)
                self.figures["refused"] += guide.refused
                if placed:
                    build = np.array(placed, dtype=np.int64)
                    rest = _remainder(problem, build, self.poll)
                    return self.build(part, build, rest, by="guided")
                for v in guide.interior:
                    untried.pop(v, None)
        return Unknown(
            "the algebraic test says that an order exists but that none can begin: please report",
            self.statistics,
        )


def _field_for(problem: OrderingProblem) -> Field:
    """Return the smallest field in which an orderable problem mostly looks so."""
    weight = len(problem.edges) + problem.size
    return field(next(bits for bits in (16, 32, 64) if weight < 1 << (bits - 1)))


def _region(problem: OrderingProblem, centre: int) -> Bits:
    """Return the `REGION` vertices nearest to the centre, and all neighbours of these."""
    chosen = np.zeros(problem.size, dtype=np.bool_)
    chosen[centre] = True
    ball = [centre]
    for v in islice(ball, REGION):  # the ball grows meanwhile
        for u in problem.neighbours[v]:
            if not chosen[u]:
                chosen[u] = True
                ball.append(u)
    return chosen


@dataclass(frozen=True, eq=False)
class _Part:
    """A connected part of what remains: a problem of its own, and its vertices in the whole."""

    problem: OrderingProblem
    vertices: Ints


def _connected_parts(problem: OrderingProblem, poll: Poll) -> list[_Part]:
    """Return the connected parts of a problem, by their least vertices; `poll` is called often."""
    if not problem.size:
        return []
    poll()
    number = component_numbers(problem)
    poll()
    groups = components(problem, number)
    if len(groups) == 1:
        return [_Part(problem, groups[0])]
    place = np.empty(problem.size, dtype=np.int64)
    for group in groups:
        place[group] = np.arange(group.size)
    of_edge = number[problem.edges[:, 0]]
    edges = place[problem.edges[np.argsort(of_edge, kind="stable")]]
    cuts = np.cumsum(bincount(of_edge, minlength=len(groups)))[:-1]
    found = []
    for group, own in zip(groups, np.split(edges, cuts), strict=True):
        poll()
        graph = EdgeGraph(group.size, own)
        part = OrderingProblem(graph, np.arange(group.size), problem.odd[group])
        found.append(_Part(part, group))
    return found


def _remainder(problem: OrderingProblem, placed: Ints, poll: Poll) -> list[_Part]:
    """Return the connected parts of what remains when a prefix of a build order is placed."""
    gone = np.zeros(problem.size, dtype=np.bool_)
    gone[placed] = True
    u, v = problem.edges[:, 0], problem.edges[:, 1]
    before = bincount(u[gone[v]], minlength=problem.size)
    before += bincount(v[gone[u]], minlength=problem.size)
    left = np.flatnonzero(~gone)
    rest = problem.restricted(left, (problem.odd ^ (before % 2 == 1))[left])
    return [_Part(part.problem, left[part.vertices]) for part in _connected_parts(rest, poll)]
