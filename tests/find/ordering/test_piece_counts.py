"""Piece counts found: never against an order, and checked again."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest

import ponder
from ponder.check.evidence.piece_count import PieceCount
from ponder.check.limits import Budget
from ponder.find.ordering.piece_counts import count_pieces
from ponder.find.ordering.subsets import order_subsets
from ponder.model.ordering_problem import Order, OrderingProblem
from tests.depth import deep


@pytest.mark.parametrize("cases", deep(150, 20000))
def test_no_order_is_refused(cases: int) -> None:
    rng, found = random.Random(1), 0
    for _ in range(cases):
        size = rng.randint(5, 10)
        edges = [pair for pair in combinations(range(size), 2) if rng.random() < 0.35]
        odd = [v for v in range(size) if rng.random() < 0.5]
        problem = OrderingProblem.from_edges(size, edges, odd)
        why = count_pieces(problem, grown=True)
        if isinstance(why, PieceCount):
            found += 1
            why.check(problem.board, np.ones(size, dtype=np.int64), Budget())
            assert not isinstance(order_subsets(problem), Order)
    assert found


def triangles(size: int, seed: int) -> tuple[int, list[tuple[int, int]]]:
    """A random cubic graph of some vertices, each of which became a triangle."""
    rng = random.Random(seed)
    while True:
        ends = [v for v in range(size) for _ in range(3)]
        rng.shuffle(ends)
        cubic = {(min(pair), max(pair)) for pair in zip(ends[::2], ends[1::2], strict=True)}
        if len(cubic) == 3 * size // 2 and all(u != v for u, v in cubic):
            break
    edges = [(3 * i + a, 3 * i + b) for i in range(size) for a, b in ((0, 1), (0, 2), (1, 2))]
    used = [0] * size
    for u, v in sorted(cubic):
        edges.append((3 * u + used[u], 3 * v + used[v]))
        used[u] += 1
        used[v] += 1
    return 3 * size, edges


@pytest.mark.parametrize("size", [34, 102, 702])
def test_triangles(size: int) -> None:
    """Each triangle but that of the odd vertex needs two edges, and has half of three."""
    found = ponder.orient(triangles(size, 1), [0])
    assert isinstance(found, ponder.Refusal)
    assert found.method == "circuits"
    assert found.certificate["kind"] == "piece-count"
    assert found.certificate["border"] == 3 * size // 2
    assert sum(found.certificate["least"]) == 2 * size - 1  # type: ignore[call-overload]
