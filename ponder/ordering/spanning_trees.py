"""Any graph: a randomised polynomial test for orders, and the search that it guides.

The test (theory §5). Give every vertex its own random nonzero p_v in GF(2^k). K is the matrix with
1/(p_u + p_v) for every edge uv and, on the diagonal, the sum of v's edge weights plus 1/p_v where
t(v) = 0: the Laplacian of H and a root z, p_z = 0, that is joined to every v with t(v) = 0,
without the row and column of z. (Seen in build order, t(v) is the parity of the neighbours built
before v.)

    An order exists  ⟹  det K ≠ 0 as a rational function of p. Proved: let p shrink fast along the
    build order, in the sense of valuations. Of v's weights those to earlier neighbours are nearly
    1/p_v, t(v) mod 2 of them, and the root's brings their number to 1 mod 2: the diagonal is about
    1/p_v. Scaled by √p_v from both sides, K is the identity and smaller terms.
    det K ≠ 0  ⟹  an order exists. From the literature; measured on all graphs of up to five
    vertices with every T and tens of thousands of larger ones. A yes is never taken on trust: the
    order is found.

Error of a "no". det K is a sum over the spanning trees of H + z of the products of their weights
(matrix-tree theorem). Times all p_u + p_v, a polynomial Q in p is left; it has one factor for every
edge outside the tree, so its degree is at most |E| + |V| − |V| = |E|. Let Q ≠ 0, and draw the
values of p one after the other, each uniformly from the nonzero elements that are left, at least
2^k − |V| of them. Take Q as a polynomial in the last variable, of degree e: its leading coefficient
is a polynomial of degree at most |E| − e in the others, and where that is not 0, at most e values
of the last one make Q zero. By induction Q(p) = 0 with probability at most |E|/(2^k − |V|), which
is at most (|E| + |V|)/2^k whenever the latter is at most 1. Trials are independent: the bounds
multiply. ∎ (The lemma of DeMillo, Lipton, Schwartz and Zippel, without repetition.)

Building a vertex. v may be built when t(v) = 0, and what then remains is again such a problem: v is
one with the root, p_v := 0, so row and column v go, and u ~ v gets 1/p_u for 1/(p_u + p_v) while
t(u) flips: in all K_uu changes by d_u = p_v/(p_u(p_u + p_v)). With M = K⁻¹, N = v and its
neighbours, and S = M[N,N] + diag(0 for v, 1/d_u for u), the matrix of what remains is nonsingular
iff S is, and then its inverse is M − M[:,N]·S⁻¹·M[N,:], in which row and column v are 0
(Woodbury; deleting v is adding infinity to K_vv). So one small matrix tells whether an order can go
on with v, and an update of rank 1 + deg v goes on.

The search. A state is *completable* if what remains has an order; the empty prefix of an order is,
and so are all prefixes of it. For every connected part of what remains:
    1. Greedy. If it gets through, this part is done.
    2. Gallop back from where greedy got stuck: longer and longer remainders (at first small
       matrices) until one is completable. Greedy's prefix up to there stands.
    3. When even most of the part is not: is the whole of it completable? If no, there is no order.
       Otherwise build vertices guided by M as above: a completable state has a vertex with which
       it stays completable, so this never gets stuck. A quarter of the part at a time, then again
       from 1.
Large parts are guided region by region. A region is `REGION` vertices with all their neighbours;
all others are eliminated first (`ponder.linear.gf2k_multifrontal`), and M is the inverse of what
is left. The vertices whose neighbours all lie in the region can be built.

Reference: B. Szegedy, C. Szegedy, "Symplectic spaces and ear-decomposition of matroids", 2006, for
the algebra; the search is ours.

Cost with n vertices of degree d, dense: a test n³/3 steps of 0.6 ns (`ponder.linear.gf2k_dense`),
the whole search about (2 + d/3)·n³ when greedy is no help at all; on sparse graphs far less. The
search's field is GF(2^16) as long as |E| + |V| < 2^15. Measured (tests/bench/bench_spanning.py):
the 429 presses of IBM's 30×30 board 0.01 s, without greedy 1.1 s; 1000 vertices of degree 8 0.02 s,
without greedy 2.2 s; a king board of 6000 presses whose T leads greedy astray every 30 presses
11 s. A "no" on 1000 vertices of degree 8 takes 1.2 s, on a king board of 6000 presses 3 s.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import islice
from random import Random
from typing import TypeAlias

import numpy as np

from ponder.limits import Limits
from ponder.linear.gf2k import Elements, Field, field
from ponder.linear.gf2k_dense import Poll, add_product, inverse, nonsingular
from ponder.linear.gf2k_multifrontal import condense
from ponder.ordering.greedy import greedy_prefix
from ponder.puzzle.components import component_numbers, components
from ponder.puzzle.graph import EdgeGraph
from ponder.puzzle.ordering_problem import MOST_EDGES, Order, OrderingProblem, Unknown
from ponder.puzzle.solver_refutations import Randomised
from ponder.types import Bits, Ints

Stop: TypeAlias = Callable[[], bool]
Progress: TypeAlias = Callable[[str], None]

ERROR_BITS = 64
"""A "no" errs with probability at most 2^−ERROR_BITS, unless the trials are prescribed."""
REGION = 250
"""So many vertices, at most, can be built by the guidance of one inverse."""
GREEDY_TRIALS = 4
"""Greedy trials for every connected part of the problem; later parts get one."""
TOO_LARGE = "the problem's matrix would be too large"
_WHOLE = 100  # parts of at most so many vertices are guided to the end


@dataclass(frozen=True, eq=False)
class Completable:
    """The test's yes: det K ≠ 0 (on every connected part), so an order exists.

    `trials` is the largest number of trials that a part took.
    """

    bits: int
    trials: int
    seed: int


@dataclass(frozen=True, eq=False)
class _Part:
    """A connected part of what remains: a problem of its own, and its vertices in the whole."""

    problem: OrderingProblem
    vertices: Ints


class _Halted(Exception):
    """Time is up, or the caller asked to stop."""


def completable(
    problem: OrderingProblem,
    *,
    seed: int = 0,
    bits: int | None = None,
    trials: int | None = None,
    timeout: float | None = None,
    stop: Stop | None = None,
) -> Completable | Randomised | Unknown:
    """Return whether the problem has an order, by the algebraic test alone.

    Field and trials are chosen so that the error bound of a "no" is below 2^−64, as cheaply as
    possible. With `bits` (2 to 16, 32 or 64) and `trials` they can be prescribed; ValueError when
    a connected part has more vertices than the field has nonzero elements, or when no number of
    trials reaches the bound in that field and none is prescribed.

    >>> path = [(0, 1), (1, 2)]
    >>> type(completable(OrderingProblem.from_edges(3, path))).__name__
    'Completable'
    >>> answer = completable(OrderingProblem.from_edges(3, [*path, (0, 2)]))
    >>> answer.bits, answer.trials, round(answer.log2_error, 1)
    (16, 5, -67.1)
    """
    rng, poll = np.random.default_rng(seed), _poll(Limits(timeout), stop)
    most, largest = 0, 0
    if _too_large(problem):
        return Unknown(TOO_LARGE)
    try:
        for part in sorted(_parts(problem, poll), key=lambda part: part.problem.size):
            verdict = _test(part.problem, rng, seed, poll, bits, trials)
            if isinstance(verdict, Randomised):
                return verdict
            most, largest = max(most, verdict.trials), max(largest, verdict.bits)
    except _Halted:
        return Unknown("the limit was reached before the test was through")
    except MemoryError:
        return Unknown(TOO_LARGE)
    return Completable(largest or bits or 16, most, seed)


def order_spanning(
    problem: OrderingProblem,
    *,
    seed: int = 0,
    timeout: float | Limits | None = None,
    progress: Progress = lambda text: None,
    stop: Stop | None = None,
) -> Order | Randomised | Unknown:
    """Return an order, or the evidence that there is none; Unknown only when time runs out.

    `timeout` is in seconds; `stop` is asked now and then and ends the search when it says True.
    The same seed gives the same answer, limits apart.

    `statistics`: `seed`, `tests` (matrices tested) and `largest_test` (vertices of the largest),
    `parts` (connected parts dealt with), and how many vertices stand where greedy put them
    (`by_greedy`), or where the algebra did (`guided`, of `regions` inverses; `refused` vertices
    would have led astray).

    >>> square = OrderingProblem.from_edges(4, [(0, 1), (1, 2), (2, 3), (0, 3)])
    >>> sorted(order_spanning(square).vertices.tolist())
    [0, 1, 2, 3]
    """
    search = _Search(problem, seed, Limits.of(timeout), stop, progress)
    if _too_large(problem):
        return Unknown(TOO_LARGE, search.statistics)
    try:
        return search.run()
    except _Halted:
        reason = f"the limit was reached with {len(search.built)} of {problem.size} presses placed"
        return Unknown(reason, search.statistics)
    except MemoryError:
        return Unknown(TOO_LARGE, search.statistics)


# --- The test ---


def spanning_matrix(
    field: Field, problem: OrderingProblem, p: Elements
) -> tuple[Elements, Elements]:
    """Return K as the weights of the edges and the diagonal: 1/(p_u + p_v), and their sums."""
    u, v = problem.edges[:, 0], problem.edges[:, 1]
    weights = field.inverse(p[u] ^ p[v])
    diagonal = np.where(problem.odd, field.dtype.type(0), field.inverse(p))
    np.bitwise_xor.at(diagonal, u, weights)
    np.bitwise_xor.at(diagonal, v, weights)
    return weights, diagonal


def _is_nonsingular(
    problem: OrderingProblem, field: Field, rng: np.random.Generator, poll: Poll
) -> bool:
    """Make one trial: draw p, and eliminate."""
    p = field.distinct(problem.size, rng)
    weights, diagonal = spanning_matrix(field, problem, p)
    _, matrix = condense(field, problem.edges, weights, diagonal, poll=poll)
    return nonsingular(field, matrix, poll)


def _test(
    problem: OrderingProblem,
    rng: np.random.Generator,
    seed: int,
    poll: Poll,
    bits: int | None = None,
    trials: int | None = None,
) -> Completable | Randomised:
    """Make trials on a connected problem until one is nonsingular or they suffice for a "no"."""
    weight = len(problem.edges) + problem.size
    if bits is None:
        bits = _cheapest_bits(weight)
    exponent = min(0.0, math.log2(weight) - bits)  # of the bound on one trial's error
    if trials is None:
        if exponent == 0:
            raise ValueError(f"in GF(2^{bits}) no number of trials bounds the error")
        trials = math.ceil(ERROR_BITS / -exponent)
    for trial in range(trials):
        poll()
        if _is_nonsingular(problem, field(bits), rng, poll):
            return Completable(bits, trial + 1, seed)
    return Randomised(bits, trials, trials * exponent, seed)


def _cheapest_bits(weight: int) -> int:
    """Return the field in which a "no" costs least: trials times bits², what a step costs."""

    def cost(bits: int) -> float:
        spare = bits - math.log2(weight)
        return math.ceil(ERROR_BITS / spare) * bits**2 if spare >= 1 else math.inf

    return min((16, 32, 64), key=cost)


# --- The search ---


class _Search:
    """The state: what is built so far, and the connected parts of what remains."""

    def __init__(
        self,
        problem: OrderingProblem,
        seed: int,
        limits: Limits,
        stop: Stop | None,
        progress: Progress,
    ) -> None:
        self.problem, self.seed, self.limits = problem, seed, limits
        self.stop, self.progress, self.poll = stop, progress, _poll(limits, stop)
        self.rng = np.random.default_rng(seed)
        self.random = Random(seed)
        self.built: list[int] = []
        self.tests = self.largest = self.dealt = 0
        self.by_greedy = self.guided = self.regions = self.refused = 0

    @property
    def statistics(self) -> dict[str, object]:
        """The figures of `order_spanning`."""
        return {
            "seed": self.seed,
            "tests": self.tests,
            "largest_test": self.largest,
            "parts": self.dealt,
            "by_greedy": self.by_greedy,
            "guided": self.guided,
            "regions": self.regions,
            "refused": self.refused,
        }

    def run(self) -> Order | Randomised | Unknown:
        """Take part after part, the smallest of the unknown ones first."""
        unknown = sorted(_parts(self.problem, self.poll), key=lambda part: -part.problem.size)
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
        """Build some of the part's vertices; return what remains of it, all of it completable.

        `first`: nothing is known about the part yet. Otherwise it is completable.
        """
        self.dealt += 1
        problem = part.problem
        prefix = greedy_prefix(
            problem,
            trials=GREEDY_TRIALS if first else 1,
            seed=self.random.getrandbits(32),
            timeout=self.limits,
            stop=self.stop,
        )
        self.poll()
        if prefix.size == problem.size:
            return self.build(part, prefix, [], greedy=True)
        rest = self.gallop(problem, prefix)
        if rest is not None:
            placed = problem.size - sum(sub.problem.size for sub in rest)
            return self.build(part, prefix[:placed], rest, greedy=True)
        if first and not self.are_completable([part]):
            verdict = _test(problem, self.rng, self.seed, self.poll)
            if isinstance(verdict, Randomised):
                return verdict
        return self.guide(part)

    def build(self, part: _Part, placed: Ints, rest: list[_Part], greedy: bool) -> list[_Part]:
        """Build the vertices (of the part) and return the rest."""
        self.built += part.vertices[placed].tolist()
        if greedy:
            self.by_greedy += placed.size
        else:
            self.guided += placed.size
        return rest

    def gallop(self, problem: OrderingProblem, prefix: Ints) -> list[_Part] | None:
        """Return the parts of the first remainder that is completable, None when most is not.

        Remainders grow from what greedy left, of which nothing can be built, by 4, 8, 16, ….
        """
        left, extra = problem.size - prefix.size, 4
        while 8 * (left + extra) <= 7 * problem.size:
            rest = _remainder(problem, prefix[: prefix.size - extra], self.poll)
            if self.are_completable(rest):
                return rest
            extra *= 2
        return None

    def are_completable(self, parts: list[_Part]) -> bool:
        """Whether all parts are, by parity (exact) and then by one trial each."""
        if any((len(part.problem.edges) + int(part.problem.odd.sum())) % 2 for part in parts):
            return False
        for part in sorted(parts, key=lambda part: part.problem.size):
            self.poll()
            self.tests += 1
            self.largest = max(self.largest, part.problem.size)
            if not _is_nonsingular(part.problem, _field_for(part.problem), self.rng, self.poll):
                return False
        return True

    def guide(self, part: _Part) -> list[_Part] | Unknown:
        """Build vertices of a completable part so that it stays completable; at least one."""
        problem = part.problem
        gf = _field_for(problem)
        quota = problem.size if problem.size <= _WHOLE else -(-problem.size // 4)
        legal = np.flatnonzero(~problem.odd).tolist()
        spare = gf.bits - math.log2(len(problem.edges) + problem.size)
        for _ in range(math.ceil(ERROR_BITS / spare)):
            # An unlucky p may hide what is completable; so all are tried with several.
            p = gf.distinct(problem.size, self.rng)
            untried = dict.fromkeys(self.random.sample(legal, len(legal)))
            while untried:
                keep = _region(problem, next(iter(untried)))
                self.regions += 1
                guide = _Guide.enter(gf, problem, p, keep, self.poll)
                if guide is None:
                    break
                placed = guide.build(quota, self.random, self.poll)
                self.refused += guide.refused
                if placed:
                    build = np.array(placed, dtype=np.int64)
                    rest = _remainder(problem, build, self.poll)
                    return self.build(part, build, rest, greedy=False)
                for v in guide.interior:
                    untried.pop(v, None)
        return Unknown(
            "the algebraic test says that an order exists but that none can begin: please report",
            self.statistics,
        )


class _Guide:
    """M = K⁻¹ on a region, kept up to date while vertices of the region are built.

    `rows[v]` is v's row in M, −1 for none. `interior` are the vertices that can be built: those
    whose neighbours all have a row.
    """

    def __init__(
        self, gf: Field, problem: OrderingProblem, p: Elements, left: Ints, m: Elements
    ) -> None:
        self.gf, self.p, self.m, self.left = gf, p, m, left
        self.rows = np.full(problem.size, -1, dtype=np.int64)
        self.rows[left] = np.arange(left.size)
        self.near = [set(near) for near in problem.neighbours]
        self.odd: list[bool] = problem.odd.tolist()
        inside = self.rows >= 0
        outside = np.zeros(problem.size, dtype=np.bool_)
        for a, b in (problem.edges.T, problem.edges[:, ::-1].T):
            outside[a[~inside[b]]] = True
        self.interior: list[int] = np.flatnonzero(inside & ~outside).tolist()
        self.refused = 0

    @classmethod
    def enter(
        cls, gf: Field, problem: OrderingProblem, p: Elements, keep: Bits, poll: Poll
    ) -> _Guide | None:
        """Eliminate what is outside the region, and invert the rest; None when K is singular."""
        weights, diagonal = spanning_matrix(gf, problem, p)
        left, matrix = condense(gf, problem.edges, weights, diagonal, keep, poll)
        m = inverse(gf, matrix, poll)
        return None if m is None else cls(gf, problem, p, left, m)

    def build(self, quota: int, random: Random, poll: Poll) -> list[int]:
        """Return up to `quota` vertices in build order, after which the rest is completable.

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
            if not queue:
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
            for u in self.near[v]:
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


def _field_for(problem: OrderingProblem) -> Field:
    """Return the smallest field in which a completable problem mostly looks so."""
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


def _remainder(problem: OrderingProblem, placed: Ints, poll: Poll) -> list[_Part]:
    """Return the connected parts of what remains when a prefix of a build order is placed."""
    gone = np.zeros(problem.size, dtype=np.bool_)
    gone[placed] = True
    u, v = problem.edges[:, 0], problem.edges[:, 1]
    before = np.bincount(u[gone[v]], minlength=problem.size)
    before += np.bincount(v[gone[u]], minlength=problem.size)
    left = np.flatnonzero(~gone)
    rest = problem.restricted(left, (problem.odd ^ (before % 2 == 1))[left])
    return [_Part(part.problem, left[part.vertices]) for part in _parts(rest, poll)]


def _parts(problem: OrderingProblem, poll: Poll) -> list[_Part]:
    """Return the connected parts of a problem, in order of their least vertices."""
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
    cuts = np.cumsum(np.bincount(of_edge, minlength=len(groups)))[:-1]
    found = []
    for group, own in zip(groups, np.split(edges, cuts), strict=True):
        poll()
        graph = EdgeGraph(group.size, own)
        part = OrderingProblem(graph, np.arange(group.size), problem.odd[group])
        found.append(_Part(part, group))
    return found


def _too_large(problem: OrderingProblem) -> bool:
    """Whether there are too many edges. O(presses) on a row/column board: a sum over lines."""
    return problem.edge_count > MOST_EDGES


def _poll(limits: Limits, stop: Stop | None) -> Poll:
    """Return what raises `_Halted` when it is time to give up."""

    def poll() -> None:
        if limits.expired or (stop is not None and stop()):
            raise _Halted

    return poll
