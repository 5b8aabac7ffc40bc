"""The search over subsets against brute force."""

from __future__ import annotations

import itertools
import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ponder.check.block import Block
from ponder.find.ordering.engine import order_subsets
from ponder.model.graph import grid_graph
from ponder.model.ordering_problem import Order, OrderingProblem, Unknown
from tests import brute
from tests.boards import is_order

Edges = list[tuple[int, int]]
ODDS = st.integers(0, 2**9 - 1)  # bits of up to nine presses


def judged(n: int, edges: Edges, odd: list[int]) -> bool:
    """Compare with brute force and check the order; return the verdict."""
    problem = OrderingProblem.from_edges(n, edges, odd)
    answer = order_subsets(problem)
    possible = brute.orderable(n, edges, odd)
    if isinstance(answer, Order):
        assert possible, (n, edges, odd)
        assert is_order(problem, answer)
    else:
        assert isinstance(answer, Block)
        assert not possible, (n, edges, odd)
        assert answer.bulbs.tolist() == list(range(n))
    return possible


def test_a_large_block() -> None:
    n = 22
    rng = random.Random(22)
    edges = [pair for pair in itertools.combinations(range(n), 2) if rng.random() < 0.3]
    place = rng.sample(range(n), n)
    earlier = [u if place[u] < place[v] else v for u, v in edges]
    odd = [v for v in range(n) if earlier.count(v) % 2]
    problem = OrderingProblem.from_edges(n, edges, odd)
    answer = order_subsets(problem)
    assert isinstance(answer, Order)
    assert is_order(problem, answer)
    wrong = OrderingProblem.from_edges(n, edges, sorted(set(odd) ^ {0}))
    assert isinstance(order_subsets(wrong), Block)


@given(st.lists(st.tuples(st.integers(1, 4), st.booleans()), max_size=4), st.integers(0, 63), ODDS)
def test_presses_that_are_alike(groups: list[tuple[int, bool]], joined: int, mask: int) -> None:
    """Cliques and independent sets, some of them joined: many presses are of one kind."""
    owner = [k for k, (many, _) in enumerate(groups) for _ in range(many)][:9]
    pairs = list(itertools.combinations(range(4), 2))
    near = {pair for i, pair in enumerate(pairs) if joined >> i & 1}
    near |= {(k, k) for k, (_, clique) in enumerate(groups) if clique}
    all_pairs = itertools.combinations(range(len(owner)), 2)
    edges = [(u, v) for u, v in all_pairs if (owner[u], owner[v]) in near]
    judged(len(owner), edges, [v for v in range(len(owner)) if mask >> v & 1])


def test_presses_of_too_many_kinds_are_left_open() -> None:
    cycle = [(v, (v + 1) % 26) for v in range(26)]
    for edges in (cycle, [pair for pair in itertools.combinations(range(50), 2) if sum(pair) < 50]):
        assert isinstance(order_subsets(OrderingProblem.from_edges(50, edges)), Unknown)


def test_members_are_bulbs_and_each_is_named_once() -> None:
    graph = grid_graph("plus", (3, 3))
    bulbs = np.array([4, 4, 7])
    answer = order_subsets(OrderingProblem(graph, bulbs, np.ones(3, dtype=np.bool_)))
    assert isinstance(answer, Block)
    assert answer.bulbs.tolist() == [4, 7]
