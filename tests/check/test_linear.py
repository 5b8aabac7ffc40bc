"""The checker's linear algebra and its tables over the coset, against trying all sets."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ponder.check import linear
from ponder.check.coset import Coset, ones
from ponder.check.limits import Budget, TooLarge
from ponder.check.linear import press_sets
from ponder.check.neighbourhoods import closed_sums, reaches_goal
from ponder.model.board import Board
from ponder.model.graph import EdgeGraph, Graph, grid_graph
from tests import checking

PATTERNS = ["cross", "plus", "king", "torus-plus", "torus-king", "stencil 1,2 -1,-2 0,1 0,-1"]


def boards(graph: Graph, seed: int, count: int) -> list[Board]:
    """Some boards that a random press set solves, and some random ones."""
    rng = np.random.default_rng(seed)
    states = rng.random((count, graph.size)) < 0.5
    goal = rng.random(graph.size) < 0.5
    return [
        Board(graph, goal ^ (graph.apply(state) if k % 2 else state), goal)
        for k, state in enumerate(states)
    ]


def a_graph(data: st.DataObject) -> Graph:
    if data.draw(st.booleans()):
        size = data.draw(st.integers(1, 7))
        pairs = list(itertools.combinations(range(size), 2))
        edges = data.draw(st.sets(st.sampled_from(pairs))) if pairs else set()
        return EdgeGraph(size, edges)
    height, width = data.draw(st.sampled_from([(1, 1), (1, 7), (2, 2), (2, 4), (3, 3), (4, 2)]))
    cells = st.lists(st.booleans(), min_size=height * width, max_size=height * width)
    mask = np.array(data.draw(cells)).reshape(height, width)
    mask[0, 0] = True
    chosen = mask if data.draw(st.booleans()) else None
    return grid_graph(data.draw(st.sampled_from(PATTERNS)), (height, width), chosen)


@given(st.data())
def test_press_sets_and_coset(data: st.DataObject) -> None:
    graph = a_graph(data)
    for board in boards(graph, data.draw(st.integers(0, 9)), 2):
        everything = checking.press_sets(board)
        found = press_sets(board)
        assert (found.base is not None) == bool(everything)
        if found.base is None or found.basis is None:
            continue
        assert 1 << found.nullity == len(everything)
        assert reaches_goal(board, found.base.astype(np.int64))
        coset = Coset.of(board, found)
        assert sorted(coset.index(s) for s in everything) == list(range(coset.size))
        weights = coset.weights()
        for s in everything:
            assert weights[coset.index(s)] == s.sum()


@given(st.data())
def test_closed_sums(data: st.DataObject) -> None:
    graph = a_graph(data)
    values = np.array(
        data.draw(st.lists(st.integers(0, 9), min_size=graph.size, max_size=graph.size))
    )
    sums = [int(values[[v, *graph.neighbours(v).tolist()]].sum()) for v in range(graph.size)]
    assert closed_sums(graph, values).tolist() == sums


@given(st.integers(0, 5), st.integers(0, 7), st.randoms())
def test_ones(d: int, m: int, random: object) -> None:
    rng = np.random.default_rng(hash(random) % 2**32)
    base, basis = rng.random(m) < 0.5, rng.random((d, m)) < 0.5
    for x in range(1 << d):
        member = base.copy()
        for i in range(d):
            if x >> i & 1:
                member ^= basis[i]
        assert ones(base, basis, Budget())[x] == member.sum()


def test_larger_boards() -> None:
    """Both orientations, a torus, holes in a row/column board; every answer solves its board."""
    rng = np.random.default_rng(3)
    holes = rng.random((12, 9)) < 0.7
    for graph, nullity in [
        (grid_graph("plus", (9, 40)), None),
        (grid_graph("plus", (40, 9)), None),
        (grid_graph("plus", (19, 19)), 16),
        (grid_graph("torus-plus", (12, 12)), 16),
        (grid_graph("cross", (12, 9), holes), None),
        (grid_graph("cross", (11, 11)), 20),
        (grid_graph("cross", (40, 30)), 0),
    ]:
        s = rng.random(graph.size) < 0.5
        board = Board(graph, graph.apply(s), np.zeros(graph.size, dtype=bool))
        found = press_sets(board)
        assert found.base is not None
        assert reaches_goal(board, found.base.astype(np.int64))
        assert found.basis is not None
        assert nullity is None or found.nullity == nullity
        for vector in found.basis:
            assert not (closed_sums(graph, vector) & 1).any()
    assert press_sets(boards(grid_graph("plus", (9, 40)), 1, 1)[0]).nullity == (
        press_sets(boards(grid_graph("plus", (40, 9)), 1, 1)[0]).nullity
    )


def test_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the limits nothing is claimed."""
    monkeypatch.setattr(linear, "MOST_PARAMETERS", 5)
    for pattern in ("plus", "cross"):
        with pytest.raises(TooLarge):
            press_sets(boards(grid_graph(pattern, (7, 7)), 1, 1)[0])
    assert press_sets(boards(grid_graph("plus", (7, 5)), 1, 1)[0]).basis is not None
    board = boards(EdgeGraph(30, []), 1, 2)[1]
    many = Board(
        EdgeGraph(126, [(i, i + 63) for i in range(63)]), np.zeros(126, bool), np.zeros(126, bool)
    )
    monkeypatch.undo()
    assert press_sets(board).nullity == 0
    found = press_sets(many)
    assert (found.nullity, found.basis) == (63, None)
    with pytest.raises(TooLarge, match="2\\^63 press sets"):
        Coset.of(many, found)
