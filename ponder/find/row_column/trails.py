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

from collections.abc import Callable, Iterable, Sequence, Sized
from dataclasses import dataclass
from functools import partial
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
    begins = np.flatnonzero(surplus > 0).tolist()
    return _walk(stacks, [stack.pop for stack in stacks], begins, limits)


def split_undirected(u: Ints, v: Ints, limits: Limits = NEVER) -> tuple[Trails, Trails]:
    """Split a simple undirected graph with the edges {u[i], v[i]} into (simple cycles, paths).

    Every vertex of odd degree ends one simple path, no other ends any. A plain loop, 1 µs an edge.
    """
    near: list[set[int]] = [
        set() for _ in range(int(max(u.max(initial=-1), v.max(initial=-1))) + 1)
    ]
    for a, b in zip(u.tolist(), v.tolist(), strict=True):
        near[a].add(b)
        near[b].add(a)

    def follow(a: int) -> int:
        b = near[a].pop()
        near[b].remove(a)
        return b

    # walks from vertices that are odd by then become paths, all others return
    still_odd = (a for a, others in enumerate(near) if len(others) & 1)
    return _walk(near, [partial(follow, a) for a in range(len(near))], still_odd, limits)


def _walk(
    edges: Sequence[Sized],
    follow: list[Callable[[], int]],
    starts: Iterable[int],
    limits: Limits,
) -> tuple[Trails, Trails]:
    """Use up all edges; return cycles and paths. `follow[v]()` takes one of the `edges[v]` left."""
    place = [-1] * len(edges)  # where on the walk a vertex is, −1 when it is not
    cycles: list[int] = []
    cycle_lengths: list[int] = []
    paths: list[int] = []
    path_lengths: list[int] = []
    for start in chain(starts, range(len(edges))):
        if not edges[start]:
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
        except LookupError:  # no edge leaves `at` any more
            for vertex in walk:
                place[vertex] = -1
            if last:  # else the graph was balanced, and the walk is back where it began
                paths += walk
                path_lengths.append(last + 1)
    cycle_trails, path_trails = (
        Trails(np.array(vertices, dtype=np.int64), np.array(lengths, dtype=np.int64))
        for vertices, lengths in ((cycles, cycle_lengths), (paths, path_lengths))
    )
    return cycle_trails, path_trails
