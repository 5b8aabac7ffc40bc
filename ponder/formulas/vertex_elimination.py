"""Vertex elimination: a chordal supergraph H' of H, by eliminating one vertex after another.

Eliminating a vertex joins its remaining neighbours pairwise. An orientation of the chordal graph
that this makes is acyclic iff no triangle is a cycle (theory §6.2). All triangles of H' are found
at their first eliminated vertex, among its later neighbours.

Neighbourhoods are Python integers as bit sets, so that joining is one `or` per neighbour. For n
vertices and F edges of H' of degree d': O(F·n/64) word operations with the vertex of least degree
first, O(n·d'³·n/64) with least fill, which is counted anew only around the vertex that goes.

Reference   Rose, Tarjan, Lueker, "Algorithmic aspects of vertex elimination on graphs" (1976).
"""

from __future__ import annotations

from heapq import heappop, heappush

import numpy as np

from ponder.model.ordering_problem import MOST_EDGES, OrderingProblem
from ponder.system.limits import NEVER, Limits, NeedsMemory
from ponder.system.types import Ints, distinct

MOST = 1 << 16  # vertices at most: their bit sets take 0.5 GB


def eliminated(
    problem: OrderingProblem,
    order: str,
    limits: Limits = NEVER,
    most_triangles: int | None = None,
) -> list[Ints]:
    """Return, for every vertex, its neighbours in H' that are eliminated after it, ascending.

    `order` is `degree` or `fill`: what is least at the vertex that comes next. Raises NeedsMemory
    if H' has too many edges, or more than `most_triangles` would be forbidden, and TimeUp.

    >>> square = OrderingProblem.from_edges(4, [(0, 1), (1, 2), (2, 3), (0, 3)])
    >>> [near.tolist() for near in eliminated(square, "degree")]
    [[1, 3], [2, 3], [3], []]
    """
    n = problem.size
    if n > MOST:
        raise NeedsMemory(
            f"{n:,} presses are too many for elimination, which keeps a bit for every pair: "
            f"at most {MOST:,}"
        )
    near = [sum(1 << u for u in beside) for beside in limits.over(problem.neighbours, 1)]

    def cost(v: int) -> tuple[int, int, int]:
        limits.check()
        return (_fill(near, v) if order == "fill" else 0), near[v].bit_count(), v

    later: list[Ints] = [np.empty(0, dtype=np.int64)] * n
    costs = {v: cost(v) for v in range(n)}
    waiting = sorted(costs.values())  # a heap; entries that are not in `costs` are out of date
    edges = triangles = 0
    while waiting:
        entry = heappop(waiting)
        v = entry[2]
        if costs.get(v) != entry:
            continue
        del costs[v]
        members, beside = _members(near[v]), near[v]
        for u in members:
            near[u] = (near[u] | near[v]) & ~(1 << u | 1 << v)
            if order == "fill":
                beside |= near[u]
        later[v] = np.array(members, dtype=np.int64)
        for u in _members(beside):
            if (new := cost(u)) != costs[u]:
                costs[u] = new
                heappush(waiting, new)
        edges += len(members)
        triangles += len(members) * (len(members) - 1)
        if most_triangles is not None and triangles > most_triangles:
            raise NeedsMemory(f"elimination makes more than {most_triangles:,} clauses")
        if edges > MOST_EDGES:
            raise NeedsMemory(f"elimination makes more than {MOST_EDGES:,} pairs of neighbours")
    return later


def added_edges(problem: OrderingProblem, later: list[Ints]) -> Ints:
    """Return the edges of H' that are not in H, as pairs u < v, ascending."""
    n = problem.size
    present = problem.edges @ [n, 1]
    keys = [np.minimum(near, v) * n + np.maximum(near, v) for v, near in enumerate(later)]
    either = distinct(np.concatenate([present, *keys]))
    added = np.delete(either, np.searchsorted(either, present))
    return np.stack([added // max(n, 1), added % max(n, 1)], axis=1)


def _fill(near: list[int], v: int) -> int:
    """Return how many edges the elimination of v would add, doubled."""
    members = _members(near[v])
    joined = sum((near[u] & near[v]).bit_count() for u in members)
    return len(members) * (len(members) - 1) - joined


def _members(bits: int) -> list[int]:
    raw = np.frombuffer(bits.to_bytes(bits.bit_length() // 8 + 1, "little"), dtype=np.uint8)
    members: list[int] = np.flatnonzero(np.unpackbits(raw, bitorder="little")).tolist()
    return members
