"""Each bulb at most once over the coset, and the lightest press set, against brute force."""

from __future__ import annotations

import itertools
import json
import random
from typing import Any

import numpy as np
import pytest

import ponder
from ponder.check import odd_components
from ponder.check.evidence.coset import CosetRefuted
from ponder.check.evidence.coset_minimum import CosetMinimum
from ponder.check.evidence.odd_witness import OddWitness
from ponder.check.kinds import Answer
from ponder.check.limits import Budget
from ponder.check.verification import check_bound, verify
from ponder.find.cosets import annealing, coset
from ponder.find.cosets.coset import agreeing, kernel_columns, press_set_of, transform
from ponder.find.cosets.minimum_weight import lightest
from ponder.find.fewest import each_bulb_once
from ponder.find.fewest.clusters import Cluster, Clusters
from ponder.find.fewest.each_bulb_once import order_over_coset
from ponder.find.fewest.fewest_presses import fewest
from ponder.find.linear.press_sets import PressSets, press_sets
from ponder.find.search.context import SearchContext
from ponder.find.search.outcome import SearchOutcome
from ponder.model.board import Board, Rule
from ponder.model.graph import EdgeGraph, Graph, grid_graph
from ponder.model.ordering_problem import Order, Unknown
from ponder.system.errors import CheckFailed
from ponder.system.limits import Limits
from ponder.system.types import Json
from tests import brute
from tests.boards import bits_of, numbered, solved_by
from tests.depth import deeper

Edges = list[tuple[int, int]]


def compare(graph: Graph, edges: Edges, state: int, goal: int, rule: Rule = "unlit") -> str:
    """Compare one state with brute force; return what the answer was."""
    size = graph.size
    board = numbered(graph, state, goal, rule)
    sets = press_sets(board)
    expected = brute.fewest_once(size, edges, state, goal, rule)
    if isinstance(sets, OddWitness):
        assert expected is None
        return "unsolvable"
    found = lightest(board, sets) if rule == "any" else order_over_coset(board, sets)
    if isinstance(found, CosetRefuted):
        assert expected is None
        check_parts(board, sets, found)
        return "refuted"
    assert found.presses is not None
    assert found.count == expected == found.lower_bound
    press_set = board.graph.set_of(found.presses)
    assert np.count_nonzero(press_set) == found.count
    assert np.array_equal(board.graph.apply(press_set), board.change)
    assert brute.replays(size, edges, state, goal, found.presses.tolist(), rule)
    return "solved"


def check_parts(board: Board, sets: PressSets, found: CosetRefuted) -> None:
    """Every member agrees with some part on that part's component and all beside it."""
    members = [tuple(s.tolist()) for s in sets.members()]
    left = set(members)
    clusters = Clusters(board)
    for press_set, why in found.parts:
        assert tuple(press_set.tolist()) in members
        assert why.bulbs is not None
        cluster = clusters.at(press_set.astype(int).tolist(), int(why.bulbs[0]))
        scope = [*cluster.bulbs, *clusters.beside(cluster.bulbs)]
        left -= {s for s in left if all(s[v] == press_set[v] for v in scope)}
    assert not left
    assert len(found.to_json(board)["parts"]) == len(found.parts)  # type: ignore[arg-type]
    assert found.sentence(board)


@pytest.mark.parametrize("seconds", [0.0, 1e9])
@pytest.mark.parametrize(
    ("pattern", "shape"), [("plus", (9, 9)), ("plus", (14, 14)), ("torus-plus", (6, 6))]
)
def test_odd_components_refute_all_press_sets(
    monkeypatch: pytest.MonkeyPatch, pattern: str, shape: tuple[int, int], seconds: float
) -> None:
    """What is too large to be crossed off ends the same, all at once or a few more at a time."""
    graph, rng = grid_graph(pattern, shape), np.random.default_rng(5)
    ends = []
    for _ in range(6):
        board = solved_by(graph, rng.random(graph.size) < 0.5, rng.random(graph.size) < 0.8)
        plain = ponder.order(board)
        with monkeypatch.context() as patch:
            patch.setattr(each_bulb_once, "CROSSED_OFF", 0)
            patch.setattr(each_bulb_once, "LOOK", seconds)  # of everything: no time, or too long
            patch.setattr(coset, "MOST_LISTED", 20)
            patch.setattr(coset, "SPARED", 60)
            found = ponder.order(board)
            patch.setattr(odd_components, "BY_PARTS", 0)
            content = json.loads(json.dumps(found.to_json()))
            assert verify(board, content).complete
            if found.refutation is not None:  # a part that is needed is missed
                parts = content["refutation"]["parts"]
                for k in range(len(parts)):
                    fewer = {**content["refutation"], "parts": parts[:k] + parts[k + 1 :]}
                    with pytest.raises(CheckFailed, match="press sets are not refuted"):
                        verify(board, {**content, "refutation": fewer})
        assert (found.verdict, found.count, found.optimal) == (
            plain.verdict,
            plain.count,
            plain.optimal,
        )
        ends.append(found.verdict)
    assert ("impossible" in ends) == (shape == (14, 14))


def test_lighter_orders_are_looked_for_before_each_longer_list(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    graph, rng = grid_graph("plus", (9, 9)), np.random.default_rng(5)
    turns: list[str] = []
    list_more = coset.ByWeight.go_on

    def listing(source: coset.ByWeight, *limits: Any) -> None:
        turns.append("list")
        list_more(source, *limits)

    monkeypatch.setattr(coset.ByWeight, "go_on", listing)
    monkeypatch.setattr(each_bulb_once.SomeOrder, "screen", lambda some: turns.append("look"))
    monkeypatch.setattr(each_bulb_once, "CROSSED_OFF", 0)
    monkeypatch.setattr(each_bulb_once, "LOOK", 1e9)
    monkeypatch.setattr(coset, "MOST_LISTED", 20)
    monkeypatch.setattr(coset, "SPARED", 60)
    monkeypatch.setattr(each_bulb_once, "SOON", 0.0)
    monkeypatch.setattr(annealing, "RESTARTS", 3)
    for _ in range(30):
        board = solved_by(graph, rng.random(graph.size) < 0.5, rng.random(graph.size) < 0.8)
        turns.clear()
        ponder.order(board)
        if "look" in turns:  # an order was at hand
            following = turns[turns.index("look") :]
            assert following == ["look", "list"] * (len(following) // 2)
            return
    raise AssertionError("no list was made longer beside an order")


def test_a_board_with_an_order_is_not_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    board = solved_by(grid_graph("plus", (4, 4)), np.arange(16) == 5)
    found = ponder.order(board)
    assert found.count is not None
    forged = CosetRefuted(16, ())
    for most in (20, 0):
        monkeypatch.setattr(odd_components, "BY_PARTS", most)
        with pytest.raises(CheckFailed, match="of the board's 16 press sets are not refuted"):
            forged.check(board, np.zeros(16, dtype=np.int64), Budget())


@pytest.mark.parametrize("pattern", ["plus", "king"])
def test_every_state_of_3x3_boards(pattern: str) -> None:
    edges = brute.grid_edges(3, 3, pattern)
    answers = {compare(grid_graph(pattern, (3, 3)), edges, s, 511) for s in range(0, 512, 2)}
    assert answers >= {"solved", "refuted"}


@pytest.mark.deep
@pytest.mark.parametrize(
    ("pattern", "shape"),
    [("plus", (3, 3)), ("king", (3, 3)), ("torus-plus", (3, 4)), ("plus", (3, 4))],
)
def test_every_state(pattern: str, shape: tuple[int, int]) -> None:
    edges, graph = brute.grid_edges(*shape, pattern), grid_graph(pattern, shape)
    goal = (1 << graph.size) - 1
    assert "solved" in {compare(graph, edges, s, goal) for s in range(1 << graph.size)}


@pytest.mark.parametrize(
    ("pattern", "shape", "count"),
    [("plus", (4, 4), 4), ("torus-plus", (3, 4), 15), ("torus-plus", (4, 4), 4)],
)
def test_some_states(pattern: str, shape: tuple[int, int], count: int) -> None:
    some_states(pattern, shape, count)


@pytest.mark.deep
@pytest.mark.parametrize("pattern", ["plus", "torus-plus"])
def test_many_states_of_4x4(pattern: str) -> None:
    some_states(pattern, (4, 4), 150)


def some_states(pattern: str, shape: tuple[int, int], count: int) -> None:
    """Compare states that random press sets solve."""
    edges, graph = brute.grid_edges(*shape, pattern), grid_graph(pattern, shape)
    rng = random.Random(4)
    goal = (1 << graph.size) - 1
    for _ in range(count):
        pressed = bits_of(rng.randrange(1 << graph.size), graph.size)
        lit = graph.apply(pressed) ^ bits_of(goal, graph.size)
        state = sum(1 << v for v in np.flatnonzero(lit).tolist())
        assert compare(graph, edges, state, goal) != "unsolvable"


@pytest.mark.parametrize("seed", range(40))
def test_random_graphs_rules_and_goals(seed: int) -> None:
    rng = random.Random(seed)
    size = rng.randint(1, 6)
    edges = [p for p in itertools.combinations(range(size), 2) if rng.random() < 0.5]
    rule: Rule = rng.choice(["unlit", "lit", "any"])
    goal = rng.randrange(1 << size)
    for state in range(1 << size):
        compare(EdgeGraph(size, edges), edges, state, goal, rule)


def test_no_time_and_interruption_are_unknown() -> None:
    board = Board.from_rows(["0000"] * 4, "plus")
    sets = press_sets(board)
    assert isinstance(sets, PressSets)
    late = order_over_coset(board, sets, SearchContext(limits=Limits(0.0)))
    assert isinstance(late, SearchOutcome)
    assert late.presses is None
    assert late.lower_bound == transform(sets).lightest().weight
    assert isinstance(late.evidence, CosetMinimum)

    def interrupt(text: str) -> None:
        raise KeyboardInterrupt

    stopped = order_over_coset(board, sets, SearchContext(progress=interrupt))
    assert isinstance(stopped, SearchOutcome)
    assert stopped.presses is None
    assert stopped.reason == "interrupted"


def test_undecided_components_refute_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    decide = Clusters._decide

    def doubtful(self: Clusters, cluster: Cluster) -> Answer:
        answer = decide(self, cluster)
        return answer if isinstance(answer, Order) else Unknown("not decided")

    monkeypatch.setattr(Clusters, "_decide", doubtful)
    edges = brute.grid_edges(3, 3, "king")
    reasons = set()
    for state in range(0, 512, 5):
        board = numbered(grid_graph("king", (3, 3)), state, 511)
        sets = press_sets(board)
        if isinstance(sets, OddWitness):
            continue
        found = order_over_coset(board, sets)
        expected = brute.fewest_once(9, edges, state, 511)
        assert isinstance(found, SearchOutcome)
        assert found.lower_bound is not None
        if found.count is not None:
            assert expected is not None
            assert found.lower_bound <= expected <= found.count
        else:
            reasons.add(found.reason)
    assert reasons == {"some press sets could be neither ordered nor refuted"}


# ------------------------------------------------------------------------------------ lightest


@pytest.mark.parametrize("seed", range(20))
def test_weights_by_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size = 7
    edges = [p for p in itertools.combinations(range(size), 2) if rng.random() < 0.5]
    graph = EdgeGraph(size, edges)
    lit = graph.apply(rng.random(size) < 0.5)
    board = Board(graph, lit, np.zeros(size, dtype=np.bool_), "any")
    sets = press_sets(board)
    assert isinstance(sets, PressSets)
    listed = transform(sets).lighter(size + 1, 1 << sets.nullity)
    for number, weight in zip(listed.members.tolist(), listed.weights.tolist(), strict=True):
        pressed = press_set_of(sets, number)
        assert np.array_equal(graph.apply(pressed), board.change)
        assert pressed.sum() == weight
    found = lightest(board, sets)
    assert found.lower_bound == found.count == listed.weights.min()
    # members that agree on a bulb, by its type
    of_bulb = kernel_columns(sets.kernel_basis)
    same = agreeing(0, [int(of_bulb[0])], sets.nullity)
    for number in range(1 << sets.nullity):
        assert (number in same) == (press_set_of(sets, number)[0] == sets.particular[0])


@pytest.mark.parametrize("seed", range(4))
def test_walks_where_not_all_are_weighed(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """They are made far above this size; here one step looks at all press sets."""
    rng = np.random.default_rng(seed)
    graph = grid_graph("plus", (5, 5) if seed % 2 else (4, 4))
    lit = graph.apply(rng.random(graph.size) < 0.5)
    board = Board(graph, lit, np.zeros(graph.size, dtype=np.bool_), "any")
    sets = press_sets(board)
    assert isinstance(sets, PressSets)
    least = transform(sets).lightest().weight
    monkeypatch.setattr("ponder.find.cosets.minimum_weight.WEIGHED", 0)
    found = lightest(board, sets)
    assert (found.count, found.lower_bound, found.evidence) == (least, 0, None)
    assert found.presses is not None
    assert np.array_equal(graph.apply(graph.set_of(found.presses)), board.change)


@pytest.mark.parametrize(
    ("pattern", "shape"), [("plus", (4, 4)), deeper("cross", (3, 4)), deeper("cross", (3, 3))]
)
def test_large_cosets_give_the_same_answers(
    monkeypatch: pytest.MonkeyPatch, pattern: str, shape: tuple[int, int]
) -> None:
    """In large cosets odd components are counted, and still larger ones are not listed."""
    graph = grid_graph(pattern, shape)
    goal = np.ones(graph.size, dtype=np.bool_)
    rng = np.random.default_rng(1)
    answers = set()
    for _ in range(2):
        board = Board(graph, goal ^ graph.apply(rng.random(graph.size) < 0.5), goal)
        sets = press_sets(board)
        assert isinstance(sets, PressSets)
        listed, shortest = order_over_coset(board, sets), fewest(board, sets)
        with monkeypatch.context() as patch:
            patch.setattr("ponder.find.fewest.each_bulb_once.CROSSED_OFF", 0)
            counted = order_over_coset(board, sets)
        with monkeypatch.context() as patch:
            patch.setattr("ponder.find.cosets.coset.LISTED", 0)
            patch.setattr("ponder.find.cosets.annealing.RESTARTS", 3)
            patch.setattr("ponder.find.cosets.annealing.STEPS", 300)  # of some dozen press sets
            walked, anytime = (
                order_over_coset(board, sets),
                fewest(board, sets),
            )
        assert isinstance(counted, SearchOutcome)
        assert isinstance(walked, SearchOutcome)
        answers.add(type(listed))
        if isinstance(listed, SearchOutcome):
            assert counted.count == counted.lower_bound == listed.count
            assert listed.count is not None
            assert counted.evidence is not None
            assert (
                check_bound(board, "order", listed.count, counted.evidence.to_json(board)) is None
            )
            with pytest.raises(CheckFailed):
                check_bound(board, "order", listed.count + 1, counted.evidence.to_json(board))
            assert walked.count is not None
            assert listed.count <= walked.count
        else:
            assert counted.presses is walked.presses is None
        assert (walked.evidence, walked.lower_bound) == (None, None)
        assert anytime.count is not None
        assert shortest.lower_bound is not None
        assert shortest.lower_bound <= anytime.count
        assert (anytime.lower_bound, anytime.evidence) == (0, None)
        assert "restarts" in (anytime.reason or "")
    assert SearchOutcome in answers


def test_as_much_is_proved_as_with_repeats() -> None:
    """King 11×11, nullity 21: `order` goes through the press sets that `solve` goes through."""
    kinds = set()
    graph = grid_graph("king", (11, 11))
    for seed in range(3):
        board = solved_by(graph, np.random.default_rng(seed).random(graph.size) < 0.5)
        ordered, solved = ponder.order(board), ponder.solve(board)
        assert ordered.optimal
        assert solved.optimal
        assert solved.count is not None
        assert ordered.count is not None
        assert solved.count <= ordered.count
        kinds.add((ordered.bound or {})["kind"])
        assert verify(board, json.loads(json.dumps(ordered.to_json()))).complete
    assert kinds == {"coset-minimum", "odd-components"}


def test_spoilt_counts_of_odd_components() -> None:
    """What `order` says of lighter press sets is counted again, and one without any is seen."""
    graph = grid_graph("king", (5, 5))
    board = solved_by(graph, np.random.default_rng(4).random(graph.size) < 0.5)
    best = ponder.order(board).count
    assert best is not None
    evidence: Json = {"kind": "odd-components", "parts": []}
    assert check_bound(board, "order", best, evidence) is None
    with pytest.raises(CheckFailed, match=f"proves {best}, not"):
        check_bound(board, "order", best + 1, evidence)
