"""Walking wrong parities together: what it returns are orders, and what it keeps is true."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ponder.check.replay import check_order
from ponder.find.coset.component_batches import ComponentBatches
from ponder.find.ordering.parity_walks import _Walks, order_by_walks
from ponder.model.graph import grid_graph
from ponder.model.ordering_problem import Order, OrderingProblem, Unknown
from ponder.system.limits import Limits, NeedsMemory, TimeUp
from ponder.system.types import Bits
from tests.boards import random_edges


def drawn(size: int, density: float, seed: int) -> OrderingProblem:
    rng = random.Random(seed)
    odd = [v for v in range(size) if rng.random() < 0.2]
    return OrderingProblem.from_edges(size, random_edges(size, density, rng), odd)


def defects(problem: OrderingProblem, rank: list[int]) -> set[int]:
    """The vertices whose number of neighbours of lower rank has the wrong parity."""
    wrong = set()
    for v, near in enumerate(problem.neighbours):
        if sum(rank[u] < rank[v] for u in near) % 2 != problem.odd[v]:
            wrong.add(v)
    return wrong


def test_walks_on_dense_graphs_give_up_soon() -> None:
    """Hardly an edge can be turned there, and each takes long: spanning trees are sooner done."""
    gave_up = 0
    for seed in range(20):
        answer = order_by_walks(drawn(100, 0.98, seed))
        turned = answer.statistics["turned"]
        assert isinstance(turned, int)
        assert turned < 400
        gave_up += turned > 0 and isinstance(answer, Unknown)
    assert gave_up > 5


@given(st.integers(2, 14), st.floats(0.1, 1), st.integers(0, 1 << 32))
def test_turning_edges_keeps_ranks_and_moves_defects(size: int, density: float, seed: int) -> None:
    problem = drawn(size, density, seed)
    walks = _Walks(problem, random.Random(seed), Limits(None))
    assert walks.defects == defects(problem, walks.rank)
    rng = random.Random(seed)
    for u, v in rng.choices(problem.edges.tolist(), k=30) if len(problem.edges) else []:
        before = list(walks.rank)
        turned = walks.turn(u, v)
        assert sorted(walks.rank) == list(range(size))
        changed = {
            (a, b)
            for a, b in problem.edges.tolist()
            if (before[a] < before[b]) != (walks.rank[a] < walks.rank[b])
        }
        assert changed == ({(u, v)} if turned else set())
    # the edges to the latest earlier and the earliest later neighbour can always be turned
    for v, near in enumerate(problem.neighbours):
        earlier = [u for u in near if walks.rank[u] < walks.rank[v]]
        if earlier:
            assert walks.turn(v, max(earlier, key=walks.rank.__getitem__))
        later = [u for u in near if walks.rank[u] > walks.rank[v]]
        if later:
            assert walks.turn(v, min(later, key=walks.rank.__getitem__))


def without_odd(pattern: str, side: int, seed: int) -> Bits:
    """Random bulbs of a board of which no component is odd."""
    graph = grid_graph(pattern, (side, side))
    count = ComponentBatches(graph, np.zeros(graph.size, dtype=np.bool_)).count
    rng = np.random.default_rng(seed)
    while True:
        chosen = rng.random((100, graph.size)) < 0.5
        fits = np.flatnonzero(count(chosen) == 0)
        if fits.size:
            press_set: Bits = chosen[fits[0]]
            return press_set


@pytest.mark.parametrize(("pattern", "side"), [("king", 25), ("torus-king", 25)])
def test_where_greedy_gets_stuck(pattern: str, side: int) -> None:
    ordered = 0
    for seed in range(6):
        graph = grid_graph(pattern, (side, side))
        bulbs = np.flatnonzero(without_odd(pattern, side, seed))
        problem = OrderingProblem(graph, bulbs, np.zeros(bulbs.size, dtype=np.bool_))
        answer = order_by_walks(problem)
        if isinstance(answer, Order):
            check_order(problem, answer.vertices)
            assert answer.statistics["defects"] != 0
            ordered += 1
    assert ordered >= 3  # the others may have none: a small block may be at odds


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    square = [(0, 1), (1, 2), (2, 3), (0, 3)]
    with pytest.raises(TimeUp):
        order_by_walks(OrderingProblem.from_edges(4, square), limits=Limits(0.0))
    monkeypatch.setattr("ponder.find.ordering.parity_walks.MOST_LISTED", 3)
    with pytest.raises(NeedsMemory):
        order_by_walks(OrderingProblem.from_edges(4, square))
