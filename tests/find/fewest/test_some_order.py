"""Some press set with an order: on boards where the lightest is far, and against brute force."""

from __future__ import annotations

import json

import numpy as np
import pytest

import ponder
from ponder.check.replay import replay
from ponder.find.cosets import annealing, coset
from ponder.find.cosets.annealing import CosetSearch
from ponder.find.fewest import each_bulb_once
from ponder.find.fewest.each_bulb_once import SomeOrder
from ponder.find.linear.press_sets import PressSets, press_sets
from ponder.find.order import order
from ponder.find.search.context import SearchContext
from ponder.find.search.outcome import SearchOutcome, ended
from ponder.model.board import Board, Rule
from ponder.model.graph import EdgeGraph, Graph, grid_graph
from ponder.system.limits import NEVER, Limits
from tests import brute
from tests.boards import edges_of, random_coset_board
from tests.clocks import stopping


@pytest.fixture
def first_order_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two restarts in vain end a search for lighter ones."""
    monkeypatch.setattr(annealing, "RESTARTS", 2)


def solvable(pattern: str, side: int, seed: int) -> Board:
    graph = grid_graph(pattern, (side, side))
    rng = np.random.default_rng(seed)
    goal = np.ones(graph.size, dtype=np.bool_)
    return Board(graph, goal ^ graph.apply(rng.random(graph.size) < 0.5), goal)


@pytest.mark.parametrize(
    ("pattern", "side"),
    [
        ("king", 20),
        ("torus-king", 15),
        *(
            pytest.param(*each, marks=pytest.mark.deep)
            for each in [("torus-king", 12), ("king", 50), ("torus-king", 30)]
        ),
    ],
)
@pytest.mark.usefixtures("first_order_alone")
@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(k, marks=pytest.mark.deep) for k in range(1, 10))]
)
def test_dense_boards_are_never_unknown(pattern: str, side: int, seed: int) -> None:
    board = solvable(pattern, side, seed)
    result = order(board)
    assert result.verdict == "solved"
    assert result.count is not None
    if seed == 0 or side > 20:  # by others two restarts may end too high for a list by lines
        assert result.optimal == (side <= 20)
    report = ponder.verify(board, json.loads(json.dumps(result.to_json())))
    assert report.complete


@pytest.mark.usefixtures("first_order_alone")
def test_other_rules_goals_and_graphs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(annealing, "STEPS", 300)
    rng = np.random.default_rng(0)
    twins = 60  # pairs of bulbs with the same closed neighbourhood: nullity 60 or more
    edges = [(2 * v, 2 * v + 1) for v in range(twins)]
    for u, v in rng.integers(twins, size=(120, 2)).tolist():
        edges += [(2 * u + i, 2 * v + j) for i in (0, 1) for j in (0, 1) if u != v]
    graph = EdgeGraph(2 * twins, sorted({(min(e), max(e)) for e in edges}))
    stencil = grid_graph("stencil 1,1 -1,-1 1,0 -1,0 0,1 0,-1 1,-1 -1,1", (17, 17))
    cases: list[tuple[Graph, Rule]]
    cases = [(graph, "unlit"), (stencil, "lit"), (grid_graph("king", (17, 17)), "lit")]
    for each, rule in cases:
        goal = rng.random(each.size) < 0.5
        board = Board(each, goal ^ each.apply(rng.random(each.size) < 0.5), goal, rule)
        result = order(board)
        assert result.verdict == "solved"  # and replayed


# What the search promises


@pytest.mark.parametrize("once", [False, True])
@pytest.mark.parametrize("pattern", ["king", "torus-king", "plus", "cross"])
def test_what_restarts_find(pattern: str, once: bool) -> None:
    """Press sets of the board, with what they are to cost; each number is that of a count."""
    rng = np.random.default_rng(5)
    graph = grid_graph(pattern, {"plus": (9, 9), "king": (8, 8)}.get(pattern, (9, 9)))
    if pattern == "cross":
        graph = grid_graph(pattern, (5, 7))
    goal = rng.random(graph.size) < 0.7
    board = Board(graph, goal ^ graph.apply(rng.random(graph.size) < 0.5), goal)
    sets = press_sets(board)
    assert isinstance(sets, PressSets)
    assert sets.nullity >= 2
    assert not graph.meets(CosetSearch(board, sets).moves[0]).any()
    search = CosetSearch(board, sets, seed=3, once=once)
    again = CosetSearch(board, sets, seed=3, once=once)
    for steps in (50, 200, 200):
        found = search.annealed(steps)
        for cost, press_set in found:
            assert np.array_equal(graph.apply(press_set), board.change)
            odd = int(search.components.count(press_set[None])[0])
            assert cost == np.count_nonzero(press_set) + 2 * odd
            assert not (once and odd)
        assert [cost for cost, _ in found] == sorted(cost for cost, _ in found)
        same = [(cost, one.tolist()) for cost, one in again.annealed(steps)]
        assert same == [(cost, one.tolist()) for cost, one in found]


def test_restarts_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """After so many in vain, or when time is up; the reason says which."""
    monkeypatch.setattr(annealing, "STEPS", 100)
    board = solvable("king", 8, 3)
    sets = press_sets(board)
    assert isinstance(sets, PressSets)
    search = CosetSearch(board, sets)
    assert len(list(search.restarts(lambda: 40, NEVER))) == annealing.RESTARTS
    assert f"{annealing.RESTARTS} restarts" in search.reason
    assert list(search.restarts(lambda: 40, Limits(0.0))) == []
    assert "restarts" not in search.reason
    assert search.annealed(1000, Limits(0.0)) == []


def test_an_improvement_is_lighter_and_legal(monkeypatch: pytest.MonkeyPatch) -> None:
    board = solvable("king", 20, 3)
    sets = press_sets(board)
    assert isinstance(sets, PressSets)
    some = SomeOrder(board, sets, SearchContext(seed=1))
    ended(some.look(Limits(0.0)))
    assert some.presses is None
    with monkeypatch.context() as short:
        short.setattr(annealing, "STEPS", 40)
        ended(some.look(NEVER, first=True))
    first = some.weight
    ended(some.look(stopping(4000)))
    assert some.weight is not None
    assert first is not None
    assert some.weight < first
    assert some.presses is not None
    replay(board, some.presses)


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
    """10 boards, and 20 for each seed of the deep sweep: 1,000 or so."""
    rng = np.random.default_rng([seed, 12])
    made = 0
    while made < (10 if seed == 0 else 20):
        drawn = random_board(rng, 12 if seed == 0 else 16)
        if drawn is None:
            continue
        made += 1
        board, sets = drawn
        expected = fewest_by_brute_force(board, sets)
        ways = [("SOON", 0.5), ("SOON", 0.0)]
        if made % 5 == 0:  # these take their time
            ways += [("CROSSED_OFF", 0), ("LISTED", 0)]
        for name, value in ways:
            with monkeypatch.context() as patch:
                # at once; some order first; in batches; what is found at hand alone
                module = coset if name == "LISTED" else each_bulb_once
                patch.setattr(module, name, value)
                patch.setattr(each_bulb_once, "FINDING_SECONDS", 0.05)
                patch.setattr(each_bulb_once, "IMPROVING_SECONDS", 0.02)
                patch.setattr(annealing, "RESTARTS", 3)  # there may be no order
                found = each_bulb_once.order_over_coset(board, sets, SearchContext(seed))
            if not isinstance(found, SearchOutcome):
                assert expected is None
            elif expected is None:
                assert found.presses is None
                assert name in ("CROSSED_OFF", "LISTED")
            else:
                assert found.presses is not None
                assert found.count is not None
                assert found.count >= expected
                assert (found.lower_bound or 0) <= expected
                if name != "LISTED":
                    assert found.count == expected == found.lower_bound
                replay(board, found.presses)


def test_without_lists_of_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where memory does not allow the search by clusters, an order is found all the same."""
    monkeypatch.setattr("ponder.system.machine.MOST_BYTES", 100_000)
    board = solvable("king", 20, 4)
    result = order(board)
    assert result.verdict == "solved"
    assert result.reason is not None
    assert "neighbours" in result.reason
