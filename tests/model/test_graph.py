"""Graphs: every family against plain definitions, by brute force."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ponder.model.edge_graph import EdgeGraph
from ponder.model.graph import Graph, StencilGraph, grid_graph
from ponder.model.ordering_problem import OrderingProblem
from ponder.model.wired_graph import board_graph
from tests import brute
from tests.boards import random_edges
from tests.depth import deep

PATTERNS = ["cross", "plus", "king", "torus-plus", "torus-king"]


def agrees_with_edges(graph: Graph, edges: list[tuple[int, int]]) -> None:
    """neighbours, edges_within and apply all say the same as the edge list."""
    n = graph.size
    near = brute.masks(n, edges)
    everything = np.arange(n)
    assert graph.edges_within(everything).tolist() == [list(e) for e in sorted(edges)]
    assert graph.edge_count() >= len(edges)
    chosen = everything[::-2]
    members, owner = graph.neighbourhoods(chosen)
    near_some = [[u for u in range(n) if near[v] >> u & 1 or u == v] for v in chosen.tolist()]
    assert [members[owner == k].tolist() for k in range(chosen.size)] == near_some
    assert (np.diff(owner) >= 0).all()
    for v in range(n):
        assert graph.neighbours(v).tolist() == [u for u in range(n) if near[v] >> u & 1]
        assert graph.bulb(graph.label(v)) == v
        toggled = graph.apply(graph.set_of([v]))
        assert np.flatnonzero(toggled).tolist() == sorted([v, *graph.neighbours(v).tolist()])
    assert graph.bulbs(list(graph.labels(everything))).tolist() == everything.tolist()


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("shape", [(1, 1), (1, 4), (2, 2), (2, 3), (3, 3), (3, 4), (5, 2)])
def test_grid_patterns(pattern: str, shape: tuple[int, int]) -> None:
    agrees_with_edges(grid_graph(pattern, shape), brute.grid_edges(*shape, pattern))


@given(st.data())
def test_holes_and_stencils(data: st.DataObject) -> None:
    rows, columns = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
    bits = data.draw(st.lists(st.booleans(), min_size=rows * columns, max_size=rows * columns))
    mask = np.array(bits).reshape(rows, columns)
    pattern = data.draw(st.sampled_from([*PATTERNS, "stencil 1,2 -1,-2", "stencil 5,0 -5,0 0,0"]))
    if not mask.any():
        return
    graph = grid_graph(pattern, (rows, columns), mask)
    cells = np.flatnonzero(mask).tolist()
    if pattern.startswith("stencil 1"):
        full = [
            (r * columns + c, (r + 1) * columns + c + 2)
            for r in range(rows - 1)
            for c in range(columns - 2)
        ]
    elif pattern.startswith("stencil 5"):
        full = []
    else:
        full = brute.grid_edges(rows, columns, pattern)
    edges = [(cells.index(u), cells.index(v)) for u, v in full if u in cells and v in cells]
    agrees_with_edges(graph, edges)


@given(st.integers(1, 8), st.data())
def test_any_graph(size: int, data: st.DataObject) -> None:
    pairs = list(itertools.combinations(range(size), 2))
    edges = data.draw(st.sets(st.sampled_from(pairs))) if pairs else set()
    agrees_with_edges(EdgeGraph(size, edges), sorted(edges))
    chosen = data.draw(st.permutations(range(size)))[: data.draw(st.integers(0, size))]
    within = EdgeGraph(size, edges).edges_within(np.array(chosen, dtype=np.int64))
    expected = {
        (min(i, j), max(i, j))
        for i, u in enumerate(chosen)
        for j, v in enumerate(chosen)
        if i < j and (min(u, v), max(u, v)) in edges
    }
    assert {tuple(e) for e in within.tolist()} == expected


def test_apply_is_linear_and_symmetric() -> None:
    rng = np.random.default_rng(1)
    for pattern in [*PATTERNS, "stencil 0,2 0,-2 1,1 -1,-1"]:
        graph = grid_graph(pattern, (4, 5), rng.random((4, 5)) < 0.8)
        a, b = rng.random((2, graph.size)) < 0.5
        assert np.array_equal(graph.apply(a ^ b), graph.apply(a) ^ graph.apply(b))
        assert (graph.apply(a) & b).sum() % 2 == (a & graph.apply(b)).sum() % 2


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("stencil 0,1", "not symmetric"),
        ("stencil", "at least one"),
        ("stencil a,b", "not a stencil offset"),
        ("stencil 0,1 0,-1 0,1", "repeated"),
        ("star", "unknown pattern"),
        ("plus 3", "unknown pattern"),
    ],
)
def test_bad_patterns(pattern: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        grid_graph(pattern, (3, 3))


@pytest.mark.parametrize("edge", [(0, 3), (-1, 1)])
def test_an_edge_to_no_vertex_is_refused(edge: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="an edge ends outside the 3 vertices"):
        EdgeGraph(3, [(0, 1), edge])


@pytest.mark.parametrize("word", ["toggles", "torus-toggles"])
@pytest.mark.parametrize("count", deep(100, 2000))
def test_patterns_that_list_what_is_toggled(word: str, count: int) -> None:
    """Each press toggles these places; a graph only where all presses go both ways."""
    kinds = set()
    for rng in map(random.Random, range(count)):
        height, width = rng.randint(1, 4), rng.randint(1, 4)
        places = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if rng.random() < 0.4] or [(0, 1)]
        places += [(-r, -c) for r, c in places if rng.random() < 0.8]
        text = " ".join([word, *(f"{r},{c}" for r, c in sorted({*places}))])
        graph = board_graph(text, (height, width))
        reach = []
        for k in range(height * width):
            reached = {(k // width + r, k % width + c) for r, c in places}
            if word == "torus-toggles":
                reached = {(r % height, c % width) for r, c in reached}
            inside = [r * width + c for r, c in reached if 0 <= r < height and 0 <= c < width]
            assert np.flatnonzero(graph.apply(graph.set_of([k]))).tolist() == sorted(inside)
            reach.append(inside)
        if word == "torus-toggles":
            both = all(
                k in near and all(k in reach[j] for j in near) for k, near in enumerate(reach)
            )
            assert isinstance(graph, StencilGraph) == both
        kinds.add(isinstance(graph, StencilGraph))
    assert kinds == {False, True}


@pytest.mark.parametrize("count", deep(200, 3000))
def test_problems_of_presses(count: int) -> None:
    """The edges among presses, some of one bulb, and who hears whom, by their definitions."""
    for seed in range(count):
        rng = random.Random(seed)
        size = rng.randint(1, 6)
        graph = EdgeGraph(size, random_edges(size, 0.5, rng))
        bulbs = np.array([rng.randrange(size) for _ in range(rng.randint(1, 8))])
        problem = OrderingProblem(graph, bulbs, np.zeros(bulbs.size, dtype=np.bool_))
        near = [{v, *graph.neighbours(v).tolist()} for v in range(size)]
        pairs = itertools.combinations(range(bulbs.size), 2)
        edges = [[i, j] for i, j in pairs if bulbs[i] in near[bulbs[j]]]
        assert problem.edges.tolist() == edges
        assert problem.edge_count == len(edges)
        mutual = [
            [u for u in range(bulbs.size) if sorted((u, v)) in edges] for v in range(bulbs.size)
        ]
        assert problem.neighbours == problem.heard_lists == mutual
        hears = [[u for u in range(size) if u != v and rng.random() < 0.3] for v in range(size)]
        one_way = OrderingProblem.one_way(hears, np.zeros(size, dtype=np.bool_))
        assert one_way.heard_lists == hears
