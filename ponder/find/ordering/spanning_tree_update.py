"""The inverse of the spanning-tree matrix on a region, kept up to date while vertices are built.

Building a vertex (theory §5.4). v may be built when t(v) = 0; then row and column v of K go
(`ponder.find.ordering.determinant_test`), and K_uu of u ~ v changes by d_u = p_v/(p_u(p_u + p_v)),
while t(u) flips. With M = K⁻¹, N = v and its neighbours, and S = M[N,N] + diag(0 for v, 1/d_u for
u), the remaining matrix is nonsingular iff S is. Its inverse is M − M[:,N]·S⁻¹·M[N,:] (Woodbury;
deleting v is adding infinity to K_vv). So one small matrix tells whether an order can go on with v.

A region. Vertices outside it are eliminated first (`ponder.find.linear.gf2k_multifrontal`); the
inverse of the rest is the block of K⁻¹ on the region (theory §5.5). Vertices with all neighbours in
it can be built.

Cost with r vertices in the region, v of degree d: r³ to enter, (1 + d)·r² for each vertex built.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from random import Random

import numpy as np

from ponder.find.linear.gf2k import Elements, Field
from ponder.find.linear.gf2k_dense import Poll, add_product, inverse
from ponder.find.linear.gf2k_multifrontal import condense
from ponder.find.ordering.determinant_test import spanning_matrix
from ponder.model.ordering_problem import OrderingProblem
from ponder.system.types import Bits, Ints


class Guide:
    """M = K⁻¹ on a region, kept up to date while vertices of the region are built.

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
