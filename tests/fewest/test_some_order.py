"""Some press set with an order: on boards where the lightest is far, and against brute force."""

from __future__ import annotations

import json

import numpy as np
import pytest

import ponder
from ponder.check.replay import replay
from ponder.fewest import each_bulb_once
from ponder.fewest.random_subspaces import Subspaces
from ponder.fewest.some_order import SomeOrder, order_quickly
from ponder.limits import Limits
from ponder.linear.press_sets import PressSets, press_sets
from ponder.pipeline.order import order
from ponder.puzzle.answer import Best
from ponder.puzzle.board import Board, Rule
from ponder.puzzle.graph import EdgeGraph, Graph, grid_graph
from ponder.puzzle.ordering_problem import OrderingProblem, Unknown
from tests import brute
from tests.boards import edges_of, random_coset_board
from tests.clocks import stopping


def solvable(pattern: str, side: int, seed: int) -> Board:
    graph = grid_graph(pattern, (side, side))
    rng = np.random.default_rng(seed)
    goal = np.ones(graph.size, dtype=np.bool_)
    return Board(graph, goal ^ graph.apply(rng.random(graph.size) < 0.5), goal)


@pytest.mark.parametrize(
    ("pattern", "side"),
    [("king", 20), ("king", 50), ("torus-king", 12), ("torus-king", 15), ("torus-king", 30)],
)
@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(k, marks=pytest.mark.deep) for k in range(1, 10))]
)
def test_dense_boards_are_never_unknown(pattern: str, side: int, seed: int) -> None:
    board = solvable(pattern, side, seed)
    result = order(board)
    assert result.verdict == "solved"
    assert result.count is not None
    assert not result.optimal
    assert result.lower_bound is None or result.lower_bound < result.count
    report = ponder.verify(board, json.loads(json.dumps(result.to_json())))
    assert not report.unchecked_verdict


def test_other_rules_goals_and_graphs() -> None:
    rng = np.random.default_rng(0)
    twins = 60  # pairs of bulbs with the same closed neighbourhood: nullity 60 or more
    edges = [(2 * v, 2 * v + 1) for v in range(twins)]
    for u, v in rng.integers(twins, size=(120, 2)).tolist():
        edges += [(2 * u + i, 2 * v + j) for i in (0, 1) for j in (0, 1) if u != v]
    graph = EdgeGraph(2 * twins, sorted({(min(e), max(e)) for e in edges}))
    stencil = grid_graph("stencil 1,1 -1,-1 1,0 -1,0 0,1 0,-1 1,-1 -1,1", (20, 20))
    cases: list[tuple[Graph, Rule]]
    cases = [(graph, "unlit"), (stencil, "lit"), (grid_graph("king", (20, 20)), "lit")]
    for each, rule in cases:
        goal = rng.random(each.size) < 0.5
        board = Board(each, goal ^ each.apply(rng.random(each.size) < 0.5), goal, rule)
        result = order(board)
        assert result.verdict == "solved"  # and replayed


# The quadratic form, and what the walk promises


@pytest.mark.parametrize("pattern", ["king", "torus-king", "plus", "cross"])
def test_subspaces(monkeypatch: pytest.MonkeyPatch, pattern: str) -> None:
    monkeypatch.setattr("ponder.fewest.random_subspaces.DIMENSION", 8)
    rng = np.random.default_rng(5)
    graph = grid_graph(pattern, {"plus": (5, 5), "king": (8, 8)}.get(pattern, (9, 9)))
    if pattern == "cross":
        graph = grid_graph(pattern, (5, 7))
    goal = rng.random(graph.size) < 0.7
    board = Board(graph, goal ^ graph.apply(rng.random(graph.size) < 0.5), goal)
    sets = press_sets(board)
    assert isinstance(sets, PressSets)
    assert sets.nullity >= 2
    walk = Subspaces(board, sets, seed=3)
    for _ in range(10):
        current = sets.particular ^ sets.kernel.member(rng.random(sets.nullity) < 0.5)
        coordinates, sub = walk._around(current)
        r = sub.nullity
        every = sub.particular ^ sub.kernel.combine(
            (np.arange(1 << r)[:, None] >> np.arange(r) & 1).astype(np.bool_)
        )
        edges = [len(graph.edges_within(np.flatnonzero(s))) for s in every]
        odd = (np.array(edges) + (every & ~goal).sum(axis=1)) % 2
        chosen = coordinates @ (1 << np.arange(r))
        assert sorted(chosen.tolist()) == np.flatnonzero(odd == 0).tolist()
        weights = every[chosen].sum(axis=1)
        assert (np.diff(weights) >= 0).all()
        for lighter in walk.lighter(current, Limits(None)):
            assert np.array_equal(graph.apply(lighter), board.change)
            assert np.count_nonzero(lighter) < np.count_nonzero(current)
            assert walk.components.count(lighter[None]).odd[0] == 0


def test_an_improvement_is_lighter_and_legal() -> None:
    board = solvable("king", 20, 3)
    sets = press_sets(board)
    assert isinstance(sets, PressSets)
    some = SomeOrder(board, sets, seed=1)
    some.improve(Limits(None))  # nothing to improve
    assert some.presses is None
    assert some.find(Limits(None))
    first = some.weight
    some.improve(stopping(2000))
    assert some.weight is not None
    assert first is not None
    assert some.weight < first
    assert some.presses is not None
    replay(board, some.presses)


def test_quick_methods_never_refuse_what_has_an_order() -> None:
    rng = np.random.default_rng(2)
    for _ in range(300):
        size = int(rng.integers(1, 9))
        pairs = [(u, v) for u in range(size) for v in range(u) if rng.random() < 0.5]
        odd = np.flatnonzero(rng.random(size) < 0.3).tolist()
        problem = OrderingProblem.from_edges(size, pairs, odd)
        answer = order_quickly(problem, 0, Limits(None))
        assert not isinstance(answer, Unknown)
        assert hasattr(answer, "vertices") == brute.orderable(size, pairs, odd)


# Against brute force, with every way to an answer


def random_board(rng: np.random.Generator, most: int) -> tuple[Board, PressSets] | None:
    """A random solvable board with a nullity of 3 or more."""
    board = random_coset_board(rng, most, ("unlit", "lit"))
    sets = press_sets(board)
    assert isinstance(sets, PressSets)
    return (board, sets) if sets.nullity >= 3 else None


def fewest_by_brute_force(board: Board, sets: PressSets) -> int | None:
    odd_later = board.odd_later
    assert odd_later is not None
    odd = np.flatnonzero(odd_later).tolist()
    table = brute.orderable_sets(board.graph.size, edges_of(board.graph), odd)
    members = sets.members()
    numbers = members @ (1 << np.arange(board.graph.size))
    orderable = members[table[numbers]]
    return int(orderable.sum(axis=1).min()) if len(orderable) else None


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(k, marks=pytest.mark.deep) for k in range(1, 50))]
)
def test_random_boards_against_brute_force(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """40 boards a seed: 2,000 in the deep sweep."""
    rng = np.random.default_rng([seed, 12])
    made = 0
    while made < 40:
        drawn = random_board(rng, 12 if seed == 0 else 16)
        if drawn is None:
            continue
        made += 1
        board, sets = drawn
        expected = fewest_by_brute_force(board, sets)
        ways = [("SOON", 0.5), ("SOON", 0.0)]
        if made % 5 == 0:  # these take the integer model and its time
            ways += [("LISTED", 0), ("PROVED", 0)]
        for name, value in ways:
            with monkeypatch.context() as patch:
                # at once; some order first; by the integer model; what is found at hand alone
                patch.setattr(each_bulb_once, name, value)
                patch.setattr(each_bulb_once, "FINDING_SECONDS", 0.05)
                patch.setattr(each_bulb_once, "IMPROVING_SECONDS", 0.02)
                if name == "PROVED":
                    patch.setattr(each_bulb_once, "LISTED", 0)
                found = each_bulb_once.once(board, sets, seed=seed)
            if not isinstance(found, Best):
                assert expected is None
            elif expected is None:
                assert found.presses is None
                assert name in ("LISTED", "PROVED")
            else:
                assert found.presses is not None
                assert found.count is not None
                assert found.count >= expected
                assert (found.lower_bound or 0) <= expected
                if name != "PROVED":
                    assert found.count == expected == found.lower_bound
                replay(board, found.presses)


def test_without_lists_of_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where memory does not allow the search by clusters, an order is found all the same."""
    monkeypatch.setattr("ponder.memory.MOST_BYTES", 100_000)
    board = solvable("king", 20, 4)
    result = order(board)
    assert result.verdict == "solved"
    assert result.reason is not None
    assert "neighbours" in result.reason
