"""Counts and lists of orders and orientations, against brute force and the chromatic polynomial."""

from __future__ import annotations

import random
from itertools import chain, combinations, permutations

import numpy as np
import pytest

import ponder
from ponder.find import counting
from ponder.find.counting import (
    each_order,
    each_orientation,
    orders_of_problem,
    orientations_of_problem,
)
from ponder.model.ordering_problem import OrderingProblem
from ponder.system.limits import NeedsMemory
from tests.boards import all_pressed
from tests.depth import deep

Edges = list[tuple[int, int]]


def by_force(size: int, edges: Edges, fixed: Edges) -> dict[frozenset[int], tuple[int, int]]:
    """Return by T how many orders and how many orientations there are."""
    orders: dict[frozenset[int], int] = {}
    oriented: dict[frozenset[int], set[tuple[bool, ...]]] = {}
    for order in permutations(range(size)):
        place = np.argsort(order).tolist()
        if any(place[u] > place[v] for u, v in fixed):
            continue
        ways = tuple(place[u] < place[v] for u, v in edges)
        degree = [0] * size
        for (u, v), way in zip(edges, ways, strict=True):
            degree[u if way else v] += 1
        odd = frozenset(v for v in range(size) if degree[v] % 2)
        orders[odd] = orders.get(odd, 0) + 1
        oriented.setdefault(odd, set()).add(ways)
    return {odd: (orders[odd], len(oriented[odd])) for odd in orders}


def problem(size: int, edges: Edges, odd: frozenset[int], fixed: Edges) -> OrderingProblem:
    made = OrderingProblem.from_edges(size, edges, sorted(odd))
    arcs = np.array(fixed, dtype=np.int64).reshape(-1, 2) if fixed else None
    return OrderingProblem(made.graph, made.bulbs, made.odd, fixed=arcs)


@pytest.mark.parametrize("seed", range(12))
def test_counts_against_brute_force(seed: int) -> None:
    """Random graphs to six vertices, trees and several components among them, every T."""
    rng = random.Random(seed)
    size = rng.randint(1, 6)
    every = list(combinations(range(size), 2))
    edges = [pair for pair in every if rng.random() < rng.choice((0.3, 0.6, 0.9))]
    fixed = [rng.choice(edges)] if edges and seed % 3 == 0 else []
    known = by_force(size, edges, fixed)
    subsets = chain.from_iterable(combinations(range(size), k) for k in range(size + 1))
    for odd in map(frozenset, subsets):
        asked = problem(size, edges, odd, fixed)
        orders, orientations = known.get(odd, (0, 0))
        assert (orders_of_problem(asked).number, orders_of_problem(asked).exact) == (orders, True)
        assert orientations_of_problem(asked).number == orientations, (edges, odd)
        assert len(list(each_order(asked))) == orders
        assert len(list(each_orientation(asked))) == orientations


def test_orientations_over_all_parities_are_those_of_the_chromatic_polynomial() -> None:
    """Stanley 1973: the 3-cube has |χ(−1)| = 1862 acyclic orientations, K5 has 5!."""
    cube = [(u, u ^ bit) for u in range(8) for bit in (1, 2, 4) if u < u ^ bit]
    complete = list(combinations(range(5), 2))
    for size, edges, known in ((8, cube, 1862), (5, complete, 120)):
        subsets = chain.from_iterable(combinations(range(size), k) for k in range(size + 1))
        total = 0
        for odd in subsets:
            asked = problem(size, edges, frozenset(odd), [])
            total += orientations_of_problem(asked).number
        assert total == known


def test_numbers_beyond_64_bits_and_blocks() -> None:
    """24 vertices without an edge have 24! orders; blocks multiply, a bound says so."""
    from math import factorial

    empty = OrderingProblem.from_edges(24, [], [])
    assert orders_of_problem(empty).number == factorial(24)
    complete = list(combinations(range(14), 2))  # out-degrees 13, …, 0 in this order
    asked = OrderingProblem.from_edges(14, complete, list(range(0, 14, 2)))
    assert (
        orders_of_problem(asked).number
        == factorial(7) ** 2
        == orientations_of_problem(asked).number
    )
    path = [(k, k + 1) for k in range(39)]
    asked = OrderingProblem.from_edges(40, path, list(range(39)))
    assert orientations_of_problem(asked).number == 1
    assert not orders_of_problem(asked).exact


def test_what_is_too_large_is_open_and_never_none() -> None:
    """A path of 60 presses has orders: no table of subsets holds it, so nothing is said of it."""
    path = [(v, v + 1) for v in range(59)]
    board = all_pressed(60, path, [])
    found = ponder.count_orders(board, list(range(60)))
    assert not found.orders.exact
    assert "at least 0 of 1 press set can be ordered" in str(found)
    circle = OrderingProblem.from_edges(60, [*path, (0, 59)], [])
    assert not orientations_of_problem(circle).exact
    assert orientations_of_problem(OrderingProblem.from_edges(60, path, [0])).exact


@pytest.mark.parametrize("size", deep(1500, 3000))
def test_long_orders_are_listed_without_recursion(size: int) -> None:
    path = OrderingProblem.from_edges(
        size, [(v, v + 1) for v in range(size - 1)], [*range(1, size)]
    )
    assert next(each_order(path)) is not None
    with pytest.raises(NeedsMemory, match="too many to list"):
        next(each_order(OrderingProblem.from_edges(counting.LISTED + 1, [], [])))
