"""Where the vertices of a graph lie in a picture: of several drawings the one that reads best.

Letters: n vertices, m edges; a drawing is an array of points, (n, 2), y downwards.

Drawings tried: the circle; least stress, where distances on paper are as near as can be to those in
the graph (stress majorisation, from two starts); and, where a short cycle that is induced and does
not separate the graph serves as the outer face, Tutte's drawing: every other vertex lies in the
middle of its neighbours. Of a planar graph that is 3-connected such cycles are the faces, and that
drawing has no crossings. Then points are also drawn away from the middle, where Tutte's crowd. The
best has few crossings, and room between vertices and past edges. No chance and no library is
involved: the same graph has the same drawing everywhere. Cost: O(n³ + m²) a drawing.

References. W. T. Tutte, "How to draw a graph", Proc. London Math. Soc. 13 (1963). E. R. Gansner,
Y. Koren, S. North, "Graph drawing by stress majorization", GD 2004.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ponder.system.types import Ints

Points: TypeAlias = NDArray[np.float64]

SIDE = 256  # places lie on a lattice of SIDE × SIDE points
MOST_FACES = 12  # cycles that are tried as the outer face
MOST_PATHS = 1000  # pairs of edges at a vertex, each of which a cycle is looked for through
MOST_CROSSED = 700  # edges whose crossings are counted, at most
MOST_MOVED = 20  # vertices of a crowded drawing that are moved one by one, at most
CROWDED = 0.16  # room below which that is done
MOVES, SWEEPS = (0.12, 0.05), 3  # how far, and how often each may be
STEPS = 200  # of stress majorisation
SPREADS = (1.0, 0.75, 0.55)  # powers of the distance from the middle
CROSSING = 1.2  # what it costs that all edges are crossed, against logarithms of room


def layout(size: int, edges: Ints, *, loosen: bool = False) -> Ints:
    """Return a place for each vertex, (n, 2) from 0 to SIDE − 1, no two the same: (x, y).

    `loosen` moves single vertices of a crowded drawing, whatever symmetry it has.

    >>> layout(4, np.array([[0, 1], [1, 2], [2, 3], [0, 3]])).tolist()
    [[0, 0], [255, 0], [255, 255], [0, 255]]
    """
    near: list[list[int]] = [[] for _ in range(size)]
    for u, v in edges.tolist():
        near[u].append(v)
        near[v].append(u)
    drawings = (fitted(points) for points in _drawings(size, near))  # of two, the one before
    best = max(drawings, key=lambda points: round(_worth(points, edges), 1))
    if loosen and size <= MOST_MOVED and room(best, edges) < CROWDED:
        best = _moved(best, edges)
    return on_lattice(fitted(best))


def fitted(points: Points) -> Points:
    """Return points moved and scaled into the unit square, in its middle."""
    low, high = points.min(axis=0), points.max(axis=0)
    span = float((high - low).max()) or 1.0
    moved: Points = (points - (low + high) / 2) / span + 0.5
    return moved


def on_lattice(points: Points) -> Ints:
    """Return points of the unit square on the lattice; who comes second moves to a free place."""
    found = np.floor(points * (SIDE - 1) + 0.5 + 1e-6).astype(np.int64)
    taken: set[tuple[int, int]] = set()
    lattice = np.stack(np.divmod(np.arange(SIDE * SIDE), SIDE), axis=1)
    for k, (x, y) in enumerate(found.tolist()):
        if (x, y) in taken:
            far = ((lattice - (x, y)) ** 2).sum(axis=1)
            ways = map(tuple, lattice[np.argsort(far, kind="stable")].tolist())
            x, y = next(place for place in ways if place not in taken)
            found[k] = x, y
        taken.add((x, y))
    return found


def _drawings(size: int, near: list[list[int]]) -> Iterator[Points]:
    circle = polygon(size)
    yield circle
    if size < 3:
        return
    apart = _distances(near)
    for face in _faces(near):
        drawn = _tutte(face, near)
        from_middle = np.hypot(*drawn.T)[:, None]
        for power in SPREADS:
            yield drawn * np.maximum(from_middle, 1e-9) ** (power - 1)
        yield _least_stress(apart, drawn, 12)
    golden = np.arange(size) * 2.399963  # the angle of sunflowers: no symmetry to be caught in
    around = np.stack([np.cos(golden), np.sin(golden)], axis=1)
    for start in (circle, around * np.sqrt(np.arange(1, size + 1))[:, None]):
        yield _least_stress(apart, start)


def polygon(size: int) -> Points:
    """Return a regular polygon, clockwise: with a flat top where its sides are even in number."""
    turns = 2 * np.pi * (np.arange(size) - (0.5 if size % 2 == 0 else 0.0)) / size
    corners: Points = np.stack([np.sin(turns), -np.cos(turns)], axis=1)
    return corners


def _distances(near: list[list[int]]) -> Points:
    """Return the distances in the graph; between its components a little more than within."""
    size = len(near)
    apart = np.full((size, size), np.inf)
    for start in range(size):
        apart[start, start], layer, far = 0, [start], 0
        while layer:
            far += 1
            layer = [v for u in layer for v in near[u] if apart[start, v] == np.inf]
            apart[start, layer] = far
            layer = sorted({*layer})
    apart[apart == np.inf] = 1 + max(2.0, float(apart[apart < np.inf].max()) / 2)
    return apart


def _least_stress(apart: Points, points: Points, steps: int = STEPS) -> Points:
    """Return a drawing of little stress Σ (|x_i − x_j| − d_ij)² / d_ij², from a start."""
    size = len(apart)
    weights = 1 / np.maximum(apart, 0.5) ** 2
    np.fill_diagonal(weights, 0)
    laplacian = np.diag(weights.sum(axis=1)) - weights + 1 / size
    inverse = np.linalg.inv(laplacian)
    points = points * float(apart.mean()) / max(float(np.hypot(*points.T).mean()), 1e-9)
    for _ in range(steps):
        lengths = np.hypot(*(points[:, None] - points).transpose(2, 0, 1))
        pull = -weights * apart / np.maximum(lengths, 1e-9)
        np.fill_diagonal(pull, 0)
        np.fill_diagonal(pull, -pull.sum(axis=1))
        points = inverse @ (pull @ points)
    return points


def _faces(near: list[list[int]]) -> Iterator[list[int]]:
    """Yield cycles that may be the outer face, the longest first: induced, not separating."""
    found: dict[frozenset[int], list[int]] = {}
    if sum(len(beside) * (len(beside) - 1) // 2 for beside in near) > MOST_PATHS:
        return  # dense, and not planar, or with a hub, which least stress puts into the middle
    for v, beside in enumerate(near):
        for a, u in enumerate(beside):
            for w in beside[a + 1 :]:
                if (path := _path(near, u, w, v)) is not None:
                    found.setdefault(frozenset(path) | {v}, [v, *path])
    cycles = sorted(found.values(), key=lambda cycle: (-len(cycle), cycle))
    kept = 0
    for cycle in cycles:
        members = {*cycle}
        induced = all(len(members.intersection(near[v])) == 2 for v in cycle)
        if induced and kept < MOST_FACES and _together(near, members):
            kept += 1
            yield cycle


def _path(near: list[list[int]], start: int, end: int, without: int) -> list[int] | None:
    """Return a shortest path that leaves a vertex out, None where there is none."""
    before, layer = {start: start, without: without}, [start]
    while layer and end not in before:
        fresh = []
        for u in layer:
            for v in near[u]:
                if v not in before:
                    before[v] = u
                    fresh.append(v)
        layer = fresh
    if end not in before:
        return None
    path = [end]
    while path[-1] != start:
        path.append(before[path[-1]])
    return path


def _together(near: list[list[int]], without: set[int]) -> bool:
    """Whether the vertices outside of a set hang together, and there are some."""
    left = set(range(len(near))) - without
    if not left:
        return False
    reached = {min(left)}
    waiting = [*reached]
    while waiting:
        fresh = left.intersection(near[waiting.pop()]) - reached
        reached |= fresh
        waiting += fresh
    return reached == left


def _tutte(face: list[int], near: list[list[int]]) -> Points:
    """Return the drawing with a face outside, each other vertex in the middle of its neighbours."""
    size = len(near)
    matrix, right = np.eye(size), np.zeros((size, 2))
    right[face] = polygon(len(face))
    for v in set(range(size)) - {*face}:
        matrix[v, near[v]] = (1e-6 - 1) / len(near[v])  # apart from the face: in the middle
    return np.linalg.solve(matrix, right).astype(np.float64)


def _moved(points: Points, edges: Ints) -> Points:
    """Return a drawing after single vertices were moved, each time for the better."""
    points, worth = points.copy(), _worth(points, edges)
    ways = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
    for far in MOVES:
        for _ in range(SWEEPS):
            better = False
            for v in range(len(points)):
                for way in ways:
                    before = points[v].copy()
                    points[v] = np.clip(before + far * np.array(way), 0, 1)
                    if (found := _worth(points, edges)) > worth + 1e-3:
                        worth, better = found, True
                    else:
                        points[v] = before
            if not better:
                break
    return points


def _worth(points: Points, edges: Ints) -> float:
    """Return how well a drawing in the unit square reads: much room, few crossings."""
    space = room(points, edges)
    crossed = crossings(points, edges) / len(edges) if 0 < len(edges) <= MOST_CROSSED else 0.0
    return float(np.log(max(space, 1e-6))) - CROSSING * crossed


def room(points: Points, edges: Ints) -> float:
    """Return the least distance between two vertices, or twice that from one to an edge."""
    if len(points) < 2:
        return 1.0
    lengths = np.hypot(*(points[:, None] - points).transpose(2, 0, 1))
    np.fill_diagonal(lengths, np.inf)
    least = float(lengths.min())
    if not len(edges):
        return least
    start, along = points[edges[:, 0]], points[edges[:, 1]] - points[edges[:, 0]]
    share = ((points - start[:, None]) * along[:, None]).sum(axis=2)
    share /= np.maximum((along**2).sum(axis=1), 1e-12)[:, None]
    feet = start[:, None] + np.clip(share, 0, 1)[..., None] * along[:, None]
    past = np.hypot(*(points - feet).transpose(2, 0, 1))
    np.put_along_axis(past, edges, np.inf, axis=1)
    return min(least, 2 * float(past.min()))


def crossings(points: Points, edges: Ints) -> int:
    """Return how many pairs of edges cross, or touch apart from their ends. O(m²)."""
    start, end = points[edges[:, 0]], points[edges[:, 1]]

    def side(a: Points, b: Points, c: Points) -> Points:
        turned = (b - a)[..., 0] * (c - a)[..., 1] - (b - a)[..., 1] * (c - a)[..., 0]
        return np.where(np.abs(turned) < 1e-9, 0.0, np.sign(turned))

    one, other = (start[:, None], end[:, None]), (start[None], end[None])
    across = side(*one, other[0]) * side(*one, other[1]) <= 0
    across &= side(*other, one[0]) * side(*other, one[1]) <= 0
    boxes = [(np.minimum(a, b), np.maximum(a, b)) for a, b in (one, other)]
    (low, high), (least, most) = boxes
    across &= ((low <= most + 1e-9) & (least <= high + 1e-9)).all(axis=2)  # on one line, but apart
    shared = (edges[:, None, :, None] == edges[None, :, None, :]).any(axis=(2, 3))
    return int(np.count_nonzero(np.triu(across & ~shared, 1)))
