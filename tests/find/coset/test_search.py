"""The search over a coset: boards beyond the corpus, stopped anywhere, and what it never claims."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import ponder
from ponder.check.certificate import Answer
from ponder.check.result import Result
from ponder.find.context import Known, SearchOutcome, SolveSession, ended
from ponder.find.coset import by_weight
from ponder.find.coset import search as module
from ponder.find.coset.clusters import Cluster, Clusters
from ponder.find.coset.minimum_weight import walk
from ponder.find.coset.search import CosetSearch
from ponder.find.linear.press_sets import PressSets, press_sets
from ponder.model.board import Board
from ponder.model.edge_graph import EdgeGraph
from ponder.model.graph import grid_graph
from ponder.model.ordering_problem import Unknown
from ponder.system.limits import Limits, TimeUp
from tests import brute
from tests.boards import edges_of, needs_the_oracle, random_coset_board, random_edges, solved_by
from tests.clocks import Looks, stopping
from tests.depth import deep

PATTERNS = ("plus", "king", "torus-plus", "torus-king")


def verified(result: Result) -> Result:
    ponder.verify(result.board, json.loads(json.dumps(result.to_json())))
    return result


def random_board(pattern: str, side: int, seed: int) -> Board:
    graph, rng = grid_graph(pattern, (side, side)), np.random.default_rng(seed)
    return solved_by(graph, rng.random(graph.size) < 0.5)


def searched(board: Board, once: bool, limits: Limits | None = None) -> SearchOutcome:
    """The outcome of a search, also where a limit ends it."""
    sets = press_sets(board)
    assert isinstance(sets, PressSets)
    session = SolveSession(limits=limits or Limits(None), command="order" if once else "solve")
    search = CosetSearch(session, Known(board, solved=sets))
    try:
        return ended(search.run())
    except TimeUp as stopped:
        return search.outcome(str(stopped))


def number(bits: np.typing.NDArray[np.bool_]) -> int:
    return sum(1 << int(v) for v in np.flatnonzero(bits))


@pytest.mark.parametrize("count", deep(40, 600))
def test_random_graphs_of_large_nullity(count: int) -> None:
    """Bulbs doubled, so that press sets are many: brute force knows all of them."""
    for seed in range(count):
        board = random_coset_board(np.random.default_rng(seed), 11, ["unlit", "lit"])
        size, edges = board.graph.size, edges_of(board.graph)
        lit, goal = number(board.lit), number(board.goal)
        fewest = brute.distances(size, edges, goal, board.rule).get(lit)
        once = brute.fewest_once(size, edges, lit, goal, board.rule)
        for command, truth in ((ponder.solve, fewest), (ponder.order, once)):
            result = verified(command(board))
            assert result.count == truth
            assert result.optimal == (truth is not None)


@pytest.mark.parametrize("which", range(4))
def test_small_boards_that_need_the_oracle(which: int) -> None:
    board = needs_the_oracle(which)
    outcome = searched(board, once=False)
    assert outcome.optimal
    assert outcome.evidence is not None
    assert outcome.evidence.kind == "members"
    known = brute.distances(board.graph.size, edges_of(board.graph), number(board.goal))
    assert outcome.count == known[number(board.lit)]
    verified(ponder.solve(board))


@pytest.mark.parametrize("command", [ponder.order, ponder.solve])
@pytest.mark.parametrize(
    ("pattern", "side"), [("plus", 19), ("king", 11), ("torus-king", 12), ("torus-plus", 12)]
)
def test_larger_boards_are_proved(
    pattern: str, side: int, command: Callable[[Board], Result]
) -> None:
    result = verified(command(random_board(pattern, side, 1)))
    assert result.optimal or result.verdict == "impossible"


@pytest.mark.parametrize("pattern", PATTERNS)
def test_lists_by_lines_and_by_weights_agree(pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    board = random_board(pattern, 6, 3)
    full = [searched(board, once) for once in (True, False)]
    monkeypatch.setattr(by_weight, "BY_LINES", 0)
    monkeypatch.setattr(by_weight, "FEW_BY_LINES", 4)
    monkeypatch.setattr(by_weight, "WHOLE", 2)
    monkeypatch.setattr(by_weight, "WINDOW", 8)
    monkeypatch.setattr(module, "FIRST_SLICE", 3)
    for once, known in zip((True, False), full, strict=True):
        outcome = searched(board, once)
        assert (outcome.count, outcome.lower_bound) == (known.count, known.lower_bound)


@pytest.mark.parametrize("once", [True, False])
def test_a_search_that_stops_at_any_look_says_what_holds(once: bool) -> None:
    rng = random.Random(9)
    graph = EdgeGraph(24, random_edges(24, 0.12, rng))
    board = solved_by(graph, np.array([rng.random() < 0.5 for _ in range(24)]))
    for case in (board, random_board("torus-king", 6, 2)):
        looks = Looks(None)
        full = searched(case, once, looks.clock)
        assert looks.seen > 3
        for look in sorted({*range(1, 12), *np.linspace(1, looks.seen, 25, dtype=int).tolist()}):
            outcome = searched(case, once, stopping(look))
            if outcome.refutation is not None:
                assert full.refutation is not None
            elif full.count is not None:
                assert (outcome.lower_bound or 0) <= full.count
                assert outcome.count is None or outcome.count >= full.count


@pytest.mark.parametrize("command", [ponder.order, ponder.solve])
def test_ctrl_c_leaves_what_is_known(
    command: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    board = random_board("plus", 9, 4)
    full = command(board)
    for after in range(1, 40, 4):
        calls = [0]

        def refused(
            self: Clusters, counts: list[int], calls: list[int], known: Callable[..., object]
        ) -> object:
            calls[0] += 1
            if calls[0] == after:  # noqa: B023
                raise KeyboardInterrupt
            return known(self, counts)

        with monkeypatch.context() as patch:
            known = Clusters.refused
            patch.setattr(
                Clusters,
                "refused",
                lambda self, counts, known=known, calls=calls: refused(self, counts, calls, known),
            )
            result = verified(command(board))
        if calls[0] < after:
            break
        assert result.reason == "interrupted" or result.optimal
        assert (result.lower_bound or 0) <= (full.count or 10**6)


def test_clusters_that_stay_open_settle_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def doubtful(self: Clusters, cluster: Cluster) -> Answer:
        return Unknown("not decided")

    board = random_board("plus", 5, 2)
    full = ponder.solve(board)
    monkeypatch.setattr(Clusters, "_decide", doubtful)
    for command in (ponder.order, ponder.solve):
        result = verified(command(board))
        assert result.verdict != "impossible"
        assert (result.lower_bound or 0) <= (full.count or 0)


def test_a_question_about_a_number_of_presses_is_answered() -> None:
    board = random_board("plus", 9, 5)
    count = ponder.solve(board).count
    assert count is not None
    assert verified(ponder.solve(board, at_most=count - 1)).verdict == "impossible"
    assert verified(ponder.solve(board, at_most=count)).verdict == "solved"


def test_cosets_that_cannot_be_listed_are_walked_through(monkeypatch: pytest.MonkeyPatch) -> None:
    board = random_board("plus", 9, 1)
    full = [searched(board, once) for once in (True, False)]
    monkeypatch.setattr(by_weight, "WEIGHED", -1)
    for once, known in zip((True, False), full, strict=True):
        outcome = searched(board, once)
        assert outcome.evidence is None
        assert not outcome.lower_bound
        assert outcome.refutation is None
        if outcome.count is not None:
            assert known.count is not None
            assert known.count <= outcome.count <= 1.3 * known.count


def test_a_time_limit_buys_more_walks(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a limit `order` walks on, other ways, and keeps what the first walks have shown."""
    monkeypatch.setattr(by_weight, "WEIGHED", -1)
    monkeypatch.setattr(module, "WALKED_LAST", 5)
    walks: list[object] = []

    def counted(*given: Any) -> Any:
        walks.append(given)
        return walk(*given)

    monkeypatch.setattr(module, "walk", counted)
    more = 0
    for seed in range(4):
        board = random_board("plus", 9, seed)
        first, before = searched(board, True), len(walks)
        later = searched(board, True, Limits(3600.0))
        if first.count is not None:
            assert later.count is not None
            assert later.count <= first.count
            more += len(walks) - 2 * before >= 5
        walks.clear()
    assert more


def test_the_same_seed_gives_the_same_answer() -> None:
    board = random_board("torus-plus", 8, 6)
    first, second = (ponder.solve(board, seed=3) for _ in range(2))
    assert first.places == second.places


def test_any_rule_has_nothing_to_order() -> None:
    board = Board.from_rows(["00", "00"], "plus", rule="any")
    with pytest.raises(ValueError, match="nothing to order"):
        partial(searched, board, True)()


@pytest.mark.deep
def test_an_order_from_press_sets_that_cannot_be_listed() -> None:
    """A walk meets a press set with an order, or random draws do after it."""
    graph, rng = grid_graph("torus-plus", (24, 24)), np.random.default_rng(0)
    board = solved_by(graph, rng.random(graph.size) < 0.5)
    assert ponder.order(board, timeout=60).verdict == "solved"
