"""Splitting a directed graph into simple cycles and simple paths, by loop erasure.

Idea. Walk along unused edges (Hierholzer 1873); whenever the walk returns to a vertex that it
holds, the loop just closed is a simple cycle: cut it out and go on. Where every vertex has out − in
∈ {−1, 0, 1}, a walk from a vertex with one more edge out than in gets stuck exactly at one with one
more in than out, and its rest is a simple path. Once all paths are taken the graph is balanced, and
a walk from any vertex ends where it began.

Cost: linear. Each step depends on the last, so the walk is a plain loop over Python lists, about
0.3 µs per edge; everything before and after it is array work.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np

from ponder.system.limits import NEVER, Limits
from ponder.system.types import Ints, bincount, indices


@dataclass(frozen=True, eq=False)
class Trails:
    """Walks laid end to end: `vertices`, and how many of them belong to each walk, `lengths`.

    A cycle's first vertex is not repeated: a cycle of k vertices has k edges, a path k − 1.
    """

    vertices: Ints
    lengths: Ints

    @property
    def starts(self) -> Ints:
        """Where in `vertices` each walk begins."""
        return np.cumsum(self.lengths) - self.lengths

    def walks(self) -> list[list[int]]:
        """Return the vertices of every walk, as Python lists."""
        flat, ends = self.vertices.tolist(), np.cumsum(self.lengths).tolist()
        return [flat[first:last] for first, last in pairwise([0, *ends])]

    @property
    def walk(self) -> Ints:
        """The number of the walk that each of `vertices` belongs to."""
        return np.repeat(np.arange(self.lengths.size), indices(self.lengths))


def split(tails: Ints, heads: Ints, size: int, limits: Limits = NEVER) -> tuple[Trails, Trails]:
    """Split the edges tails[i] → heads[i] on vertices 0 … size−1 into (simple cycles, paths).

    Each path goes from a vertex with one more edge out than in to one with one more edge in than
    out. Raises ValueError unless the edges are distinct and out − in ∈ {−1, 0, 1} everywhere, and
    TimeUp if the deadline passes.

    >>> cycles, paths = split(np.array([0, 1, 2, 1]), np.array([1, 2, 1, 3]), 4)
    >>> cycles.vertices.tolist(), paths.vertices.tolist()
    ([1, 2], [0, 1, 3])
    """
    out = bincount(tails, minlength=size)
    surplus = out - bincount(heads, minlength=size)
    if np.abs(surplus).max(initial=0) > 1:
        raise ValueError("in-degree and out-degree differ by more than one")
    # A stable sort of 16-bit keys is a radix sort.
    key = tails.astype(np.uint16) if size <= 1 << 16 else tails
    sorted_heads = heads[np.argsort(key, kind="stable")]
    # One int object per vertex, shared by all its edges: less memory, and it stays in the cache.
    flat = np.arange(size).astype(object)[sorted_heads].tolist()
    ends = np.cumsum(out).tolist()
    stacks = [flat[first:last] for first, last in pairwise([0, *ends])]
    del flat
    begins = np.flatnonzero(surplus > 0).tolist()
    cycles, cycle_lengths, paths, path_lengths = _walk(stacks, begins, limits)
    return _trails(cycles, cycle_lengths), _trails(paths, path_lengths)


def split_undirected(u: Ints, v: Ints, limits: Limits = NEVER) -> tuple[Trails, Trails]:
    """Split a simple undirected graph with the edges {u[i], v[i]} into (simple cycles, paths).

    Every vertex of odd degree ends one simple path, no other ends any. A plain loop, 1 µs an edge.
    """
    near: dict[int, set[int]] = {}
    for a, b in zip(u.tolist(), v.tolist(), strict=True):
        near.setdefault(a, set()).add(b)
        near.setdefault(b, set()).add(a)
    cycles: list[int] = []
    cycle_lengths: list[int] = []
    paths: list[int] = []
    path_lengths: list[int] = []
    still_odd = (vertex for vertex in near if len(near[vertex]) & 1)
    for start in chain(still_odd, near):  # walks from odd vertices become paths, all others return
        walk, at = [start], start
        place = {start: 0}
        while near[at]:
            last, at = at, near[at].pop()
            near[at].remove(last)
            first = place.get(at)
            if first is None:  # a new vertex
                place[at] = len(walk)
                walk.append(at)
            else:
                limits.check()  # back on the walk: cut off the loop
                cycles += walk[first:]
                cycle_lengths.append(len(walk) - first)
                for vertex in walk[first + 1 :]:
                    del place[vertex]
                del walk[first + 1 :]
        if len(walk) > 1:  # else it is back where it began
            paths += walk
            path_lengths.append(len(walk))
    return _trails(cycles, cycle_lengths), _trails(paths, path_lengths)


def _walk(
    stacks: list[list[int]], starts: list[int], limits: Limits
) -> tuple[list[int], list[int], list[int], list[int]]:
    """Use up all edges; return vertices and lengths of the cycles, then of the paths."""
    follow = [stack.pop for stack in stacks]  # follow[v]() takes an unused edge of v
    place = [-1] * len(stacks)  # where on the walk a vertex is, −1 when it is not
    cycles: list[int] = []
    cycle_lengths: list[int] = []
    paths: list[int] = []
    path_lengths: list[int] = []
    for start in chain(starts, range(len(stacks))):
        if not stacks[start]:
            continue
        walk, at, last = [start], start, 0
        place[start] = 0
        push = walk.append
        try:
            while True:
                at = follow[at]()
                first = place[at]
                if first < 0:
                    last += 1
                    place[at] = last
                    push(at)
                else:
                    limits.check()
                    loop = walk[first:]
                    del walk[first + 1 :]
                    for vertex in loop:
                        place[vertex] = -1
                    place[at] = last = first
                    cycles += loop
                    cycle_lengths.append(len(loop))
        except IndexError:  # no edge leaves `at` any more
            for vertex in walk:
                place[vertex] = -1
            if last:  # else the graph was balanced, and the walk is back where it began
                paths += walk
                path_lengths.append(last + 1)
    return cycles, cycle_lengths, paths, path_lengths


def _trails(vertices: list[int], lengths: list[int]) -> Trails:
    return Trails(np.array(vertices, dtype=np.int64), np.array(lengths, dtype=np.int64))
