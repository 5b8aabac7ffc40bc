"""Where the vertices of a graph lie in a picture: where distances on paper are near those in it.

Stress majorisation from a circle: each step solves a linear system that lowers
Σ (|x_i − x_j| − d_ij)² / d_ij², d_ij the distance of i and j in the graph. No chance is involved:
the same graph has the same drawing everywhere. Cost: O(n³).

Reference. E. R. Gansner, Y. Koren, S. North, "Graph drawing by stress majorization", GD 2004.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ponder.system.types import Ints

Points: TypeAlias = NDArray[np.float64]

SIDE = 256  # places lie on a lattice of SIDE × SIDE points
STEPS = 200  # of stress majorisation


def layout(size: int, edges: Ints) -> Ints:
    """Return a place for each vertex, (n, 2) from 0 to SIDE − 1, no two the same: (x, y).

    >>> layout(4, np.array([[0, 1], [1, 2], [2, 3], [0, 3]])).tolist()
    [[0, 0], [255, 0], [255, 255], [0, 255]]
    """
    turns = 2 * np.pi * (np.arange(size) - (0.5 if size % 2 == 0 else 0.0)) / max(size, 1)
    points: Points = np.stack([np.sin(turns), -np.cos(turns)], axis=1)
    apart = _distances(size, edges)
    weights = 1 / np.maximum(apart, 0.5) ** 2
    np.fill_diagonal(weights, 0)
    inverse = np.linalg.inv(np.diag(weights.sum(axis=1)) - weights + 1 / max(size, 1))
    points *= max(float(apart.mean()), 1e-9) if size else 1.0
    for _ in range(STEPS):
        lengths = np.hypot(*(points[:, None] - points).transpose(2, 0, 1))
        pull = -weights * apart / np.maximum(lengths, 1e-9)
        np.fill_diagonal(pull, 0)
        np.fill_diagonal(pull, -pull.sum(axis=1))
        points = inverse @ (pull @ points)
    return on_lattice(fitted(points))


def fitted(points: Points) -> Points:
    """Return points moved and scaled into the unit square, in its middle."""
    low, high = points.min(axis=0), points.max(axis=0)
    span = float((high - low).max()) or 1.0
    moved: Points = (points - (low + high) / 2) / span + 0.5
    return moved


def on_lattice(points: Points) -> Ints:
    """Return points of the unit square on the lattice, each on a place of its own."""
    places = np.floor(points * (SIDE - 1) + 0.5 + 1e-6).astype(np.int64)
    taken: set[tuple[int, int]] = set()
    lattice = np.stack(np.divmod(np.arange(SIDE * SIDE), SIDE), axis=1)
    for k, (x, y) in enumerate(places.tolist()):
        if (x, y) in taken:
            far = ((lattice - (x, y)) ** 2).sum(axis=1)
            ways = map(tuple, lattice[np.argsort(far, kind="stable")].tolist())
            x, y = next(place for place in ways if place not in taken)
            places[k] = x, y
        taken.add((x, y))
    return places


def _distances(size: int, edges: Ints) -> Points:
    """Return the distances in the graph; between its components a little more than within."""
    near: list[list[int]] = [[] for _ in range(size)]
    for u, v in edges.tolist():
        near[u].append(v)
        near[v].append(u)
    apart = np.full((size, size), np.inf)
    for start in range(size):
        apart[start, start], layer, far = 0, [start], 0
        while layer:
            far += 1
            layer = [*dict.fromkeys(v for u in layer for v in near[u] if apart[start, v] == np.inf)]
            apart[start, layer] = far
    inside = apart[np.isfinite(apart)]
    apart[np.isinf(apart)] = float(inside.max(initial=1.0)) + 1
    return apart
