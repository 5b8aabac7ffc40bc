"""Counts and lists of orders and orientations, against brute force and the chromatic polynomial."""

from __future__ import annotations

import random
from itertools import chain, combinations, permutations
from typing import Any

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
    plain = OrderingProblem.from_edges(size, edges, sorted(odd))
    arcs = np.array(fixed, dtype=np.int64).reshape(-1, 2) if fixed else None
    return OrderingProblem(plain.graph, plain.bulbs, plain.odd, fixed=arcs)


@pytest.mark.parametrize("seed", range(12))
def test_counts_against_brute_force(seed: int) -> None:
    """Random graphs to six vertices, trees and several components among them, every T."""
    rng = random.Random(seed)
    size = rng.randint(1, 6)
    pairs = list(combinations(range(size), 2))
    edges = [pair for pair in pairs if rng.random() < rng.choice((0.3, 0.6, 0.9))]
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


def test_what_is_too_large_has_a_bound_and_a_reason() -> None:
    """No table of subsets holds 60 presses: one order is known, or it is known that none is."""
    path = [(v, v + 1) for v in range(59)]
    none = ponder.count_orders(all_pressed(60, path, []), list(range(60)))
    assert (none.orders.number, none.orders.exact) == (0, True), "59 edges are odd in number"
    circle = [*path, (0, 59)]
    said: list[str] = []
    count = ponder.count_orders(all_pressed(60, circle, []), range(60), progress=said.append)
    assert str(count) == "at least 1 legal order; at least 1 of 1 press set can be ordered"
    assert count.orders.reason == said[0] != ""
    assert "60 presses that depend on each other" in said[0], "before anything is searched"
    square = [(60, 61), (61, 62), (62, 63), (60, 63), (0, 60)]
    counted = ponder.count_orientations((64, [*circle, *square]), [0])
    assert (counted.number, counted.exact) == (2, False), "the square has two, whatever the circle"
    assert orientations_of_problem(OrderingProblem.from_edges(60, path, [0])).exact


def test_a_count_that_is_cut_short_says_what_is_known() -> None:
    """No time, or a caller that stops: a bound and the reason, and no error."""
    complete = list(combinations(range(14), 2))
    odd = range(0, 14, 2)
    in_time = ponder.count_orientations((14, complete), odd)
    for given, reason in (({"timeout": 0}, "time limit"), ({"cancel": lambda: True}, "cancelled")):
        cut: Any = given
        counts = [ponder.count_orientations((14, complete), odd, **cut)]
        counts.append(ponder.count_orders(all_pressed(14, complete, odd), **cut).orders)
        for count in counts:
            assert count.number <= in_time.number
            assert not count.exact
            assert reason in (count.reason or "")


@pytest.mark.parametrize("size", deep(1500, 3000))
def test_long_orders_are_listed_without_recursion(size: int) -> None:
    path = OrderingProblem.from_edges(
        size, [(v, v + 1) for v in range(size - 1)], [*range(1, size)]
    )
    assert next(each_order(path)) is not None
    with pytest.raises(NeedsMemory, match="too many to list"):
        next(each_order(OrderingProblem.from_edges(counting.LISTED + 1, [], [])))
