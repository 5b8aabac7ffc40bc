"""Greedy orders: always legal, never where brute force finds none, and reproducible."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from ponder.check.replay import check_order
from ponder.find.ordering import greedy
from ponder.find.ordering.greedy import (
    DIRECTIONS,
    VARIANTS,
    Direction,
    Trials,
    Variant,
    fewest_first,
    order_greedy,
)
from ponder.model.formats import read
from ponder.model.graph import grid_graph
from ponder.model.ordering_problem import Order, OrderingProblem, Unknown
from ponder.system.errors import BadArgument
from ponder.system.limits import Limits, NeedsMemory
from tests import brute
from tests.boards import random_edges

WAYS = list(itertools.product(VARIANTS, DIRECTIONS))


@pytest.mark.parametrize(("variant", "direction"), WAYS)
def test_small_graphs(variant: Variant, direction: Direction) -> None:
    rng = random.Random(variant)
    ordered = missed = 0
    for seed in range(200):
        size = rng.randint(0, 8)
        edges = random_edges(size, rng.random(), rng)
        odd = [v for v in range(size) if rng.random() < 0.3]
        problem = OrderingProblem.from_edges(size, edges, odd)
        trials = Trials(variant, direction, 40, seed)
        answer = order_greedy(problem, trials)
        able = brute.orderable(size, edges, odd)
        if isinstance(answer, Order):
            assert able
            check_order(problem, answer.vertices)
            again = order_greedy(problem, trials)
            assert isinstance(again, Order)
            assert again.vertices.tolist() == answer.vertices.tolist()
        else:
            missed += able
            placed = answer.statistics["placed"]
            assert isinstance(placed, int)
            assert placed < size
        ordered += isinstance(answer, Order)
    assert ordered > 30
    assert missed <= 5, "forty trials suffice for nearly all small graphs"


@pytest.mark.parametrize(("variant", "direction"), WAYS)
def test_every_order_is_met(variant: Variant, direction: Direction) -> None:
    """Each legal order has a chance; rounds meet those that their layers allow."""
    edges = [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)]
    odd = [0]
    problem = OrderingProblem.from_edges(4, edges, odd)
    met = set()
    for seed in range(300):
        answer = order_greedy(problem, Trials(variant, direction, 3, seed))
        if isinstance(answer, Order):
            met.add(tuple(answer.vertices.tolist()))
    legal = set()
    for order in itertools.permutations(range(4)):
        later = [sum({v, u} in [{*e} for e in edges] for u in order[k + 1 :]) for k, v in
                 enumerate(order)]  # fmt: skip
        if sorted(v for v, many in zip(order, later, strict=True) if many % 2) == odd:
            legal.add(order)
    assert met <= legal
    assert met == legal or variant != "random"


def test_a_large_board() -> None:
    """IBM's 30x30 board by the general way: most variants order it or place nearly all."""
    board = read("instances/ibm-2023-04-30x30.txt")
    problem = OrderingProblem.of_board(board, board.graph.apply(board.change))
    answer = order_greedy(problem, Trials(count=20))
    assert isinstance(answer, Order)
    check_order(problem, answer.vertices)


def test_a_forced_trial_places_all() -> None:
    for seed in range(30):
        rng = random.Random(seed)
        size = rng.randint(1, 20)
        problem = OrderingProblem.from_edges(size, random_edges(size, 0.4, rng))
        placed, defects = fewest_first(problem.neighbours, [0] * size, rng, forced=True)
        assert sorted(placed) == list(range(size))
        earlier = set[int]()
        for v in placed:
            assert (len(earlier & {*problem.neighbours[v]}) % 2 == 1) == (v in defects)
            earlier.add(v)


def test_limits_and_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = grid_graph("king", (40, 40))
    bulbs = np.arange(graph.size)
    problem = OrderingProblem(graph, bulbs, np.zeros(graph.size, dtype=np.bool_))
    for variant, direction in WAYS:
        answer = order_greedy(problem, Trials(variant, direction), Limits(0.0))
        assert isinstance(answer, Unknown)
    assert isinstance(order_greedy(problem, Trials(count=0)), Unknown)
    monkeypatch.setattr(greedy, "MOST_LISTED", 10)
    with pytest.raises(NeedsMemory):
        order_greedy(OrderingProblem(graph, bulbs, problem.odd))
    for wrong in ({"variant": "best"}, {"direction": "up"}, {"count": -1}):
        with pytest.raises(BadArgument):
            Trials(**wrong)
