"""Saving trees: what pairs they save, and that no more is claimed, by trying all pairs."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from ponder.check.odd_components import Pieces
from ponder.find.fewest import odd_components, saving_trees
from ponder.find.fewest.clusters import Clusters
from ponder.find.fewest.fewest_presses import fewest
from ponder.find.fewest.odd_components import Savings, savings
from ponder.find.fewest.saving_trees import most_saved
from ponder.find.linear.press_sets import PressSets, press_sets
from ponder.find.search.outcome import SearchOutcome
from ponder.model.graph import EdgeGraph
from tests import brute
from tests.boards import bits_of, edges_of, numbered

Edges = list[tuple[int, int]]


def saving_board(pieces: int) -> tuple[EdgeGraph, Edges, int]:
    """A hub beside some pairs of bulbs: one helper serves them all when their number is odd."""
    edges = [(0, 1 + 2 * k) for k in range(pieces)]
    edges += [(1 + 2 * k, 2 + 2 * k) for k in range(pieces)]
    return EdgeGraph(1 + 2 * pieces, edges), edges, sum(0b11 << (1 + 2 * k) for k in range(pieces))


@pytest.mark.parametrize("pieces", [1, 2, 3, 4, 5])
def test_a_hub_saves_pairs(pieces: int) -> None:
    graph, edges, pressed = saving_board(pieces)
    goal = (1 << graph.size) - 1
    lit = graph.apply(bits_of(pressed, graph.size)) ^ bits_of(goal, graph.size)
    state = sum(1 << v for v in np.flatnonzero(lit).tolist())
    board = numbered(graph, state, goal)
    sets = press_sets(board)
    assert isinstance(sets, PressSets)
    best = fewest(board, sets)
    assert isinstance(best, SearchOutcome)
    assert best.count == best.lower_bound == brute.distances(graph.size, edges, goal)[state]
    clusters = Clusters(board)
    found = savings(clusters, clusters.of([int(b) for b in bits_of(pressed, graph.size)]))
    assert len(found.odd) == pieces
    triples = len(list(itertools.combinations(range(pieces), 3)))
    assert found.trees == ({frozenset([0]): triples} if triples else {})


def test_what_helpers_of_one_group_save() -> None:
    """Two helpers that touch one component save no more than either."""
    touched = {1: {10, 11, 12}, 2: {12, 13, 14}}
    assert most_saved({}, touched, touched) == 0
    assert most_saved({frozenset([1]): 1}, touched, touched) == 2
    assert most_saved({frozenset([1]): 1, frozenset([2]): 1}, touched, touched) == 2


def fewest_pairs(clusters: Clusters, press_set: list[int], most: int) -> int:
    """The fewest pairs that leave no cluster of odd parity, by trying all of them."""
    for pairs in range(most + 1):
        for extra in itertools.combinations_with_replacement(range(len(press_set)), pairs):
            counts = list(press_set)
            for v in extra:
                counts[v] += 2
            if not any(clusters.parity(cluster) for cluster in clusters.of(counts)):
                return pairs
    return most + 1


@pytest.mark.parametrize("seed", range(30))
def test_savings_never_claim_too_much(seed: int) -> None:
    """`least`, and the inequality of the module, hold at the true optimum of the parities."""
    rng = random.Random(seed)
    size = 9
    edges = [p for p in itertools.combinations(range(size), 2) if rng.random() < 0.25]
    clusters = Clusters(numbered(EdgeGraph(size, edges), 0, rng.randrange(1 << size)))
    press_set = [rng.randrange(2) for _ in range(size)]
    found = savings(clusters, clusters.of(press_set))
    least = fewest_pairs(clusters, press_set, 3)
    assert found.least <= least
    assert least > 3 or least % 2 == len(found.odd) % 2
    if found.trees == {}:
        assert least >= min(4, len(found.odd))


def hubs(touched: list[list[int]], joined: Edges, odd: int, even: int) -> tuple[EdgeGraph, int]:
    """Helpers that touch odd components, pairs of bulbs, and even ones, single bulbs.

    The graph and its press set; component k < odd is a pair.
    """
    first = [len(touched) + 2 * k for k in range(odd)]
    first += [len(touched) + 2 * odd + k for k in range(even)]
    edges = [(v, v + 1) for v in first[:odd]] + joined
    edges += [(w, first[k]) for w, which in enumerate(touched) for k in which]
    size = len(touched) + 2 * odd + even
    return EdgeGraph(size, edges), (1 << size) - (1 << len(touched))


def savings_of(graph: EdgeGraph, pressed: int) -> Savings:
    clusters = Clusters(numbered(graph, 0, (1 << graph.size) - 1))
    return savings(clusters, clusters.of([int(b) for b in bits_of(pressed, graph.size)]))


@pytest.mark.parametrize(
    ("touched", "joined", "odd", "even", "least"),
    [
        ([[0, 1, 2, 3], [4, 5, 6, 7]], [], 8, 0, 4),  # one helper saves an even number: 2, not 3
        ([[0, 1, 2], [2, 3, 4]], [], 5, 0, 3),  # both want the third component
        ([[0, 1, 2], [3, 4, 5]], [(0, 1)], 6, 0, 2),  # here both save
        ([[0, 1, 4], [2, 3, 4]], [], 4, 1, 2),  # through an even component
        ([[0, 1], [2, 3], [4, 5]], [(0, 1), (1, 2)], 6, 0, 4),
    ],
)
def test_what_groups_of_helpers_save(
    touched: list[list[int]], joined: Edges, odd: int, even: int, least: int
) -> None:
    graph, pressed = hubs(touched, joined, odd, even)
    found = savings_of(graph, pressed)
    assert len(found.odd) == odd
    counts = [int(b) for b in bits_of(pressed, graph.size)]
    assert found.least == least == fewest_pairs(found.clusters, counts, least)
    pieces = Pieces.of(
        bits_of(pressed, graph.size), found.clusters.near, np.zeros(graph.size, bool)
    )
    assert pieces.pairs(100) == least  # the checker's own count


def test_groups_never_claim_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound by groups, exact or rough, against all ways to spend pairs: of boards twice over.

    Two copies need twice the pairs of one, and what is claimed too much of one shows in two.
    """
    rng, sharper = random.Random(7), 0
    for _ in range(100):
        odd, even, count = rng.randint(3, 4), rng.randint(0, 1), rng.randint(1, 3)
        touched = [
            rng.sample(range(odd + even), min(odd + even, rng.randint(2, 4))) for _ in range(count)
        ]
        joined = [p for p in itertools.combinations(range(count), 2) if rng.random() < 0.3]
        graph, pressed = hubs(touched, joined, odd, even)
        size = graph.size
        one = savings_of(graph, pressed)
        needed = fewest_pairs(one.clusters, [int(b) for b in bits_of(pressed, size)], odd)
        edges = edges_of(graph)
        twice = EdgeGraph(2 * size, [*edges, *((u + size, v + size) for u, v in edges)])
        found = savings_of(twice, pressed | pressed << size)
        assert found.least <= 2 * needed
        assert found.trees is not None
        plain = 2 * odd - sum(kinds + 1 for kinds in found.trees.values())
        sharper += found.least > max(plain + plain % 2, found.quick)
        with monkeypatch.context() as patch:
            patch.setattr(saving_trees, "TRIED", 0)
            assert savings_of(twice, pressed | pressed << size).least <= found.least
    assert sharper >= 10


def test_trees_are_given_up_before_they_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A branch is as long as its last helper's number: on millions of bulbs half a megabyte."""
    graph, _, pressed = saving_board(5)
    clusters = Clusters(numbered(graph, 0, (1 << graph.size) - 1))
    chosen = [int(b) for b in bits_of(pressed, graph.size)]
    monkeypatch.setattr(odd_components, "MOST_BYTES", 10)
    found = savings(clusters, clusters.of(chosen))
    assert len(found.odd) == 5
    assert found.trees is None
    assert found.least == found.quick == 1
