"""Press sets by weight, and the lightest: against lists of all of them."""

from __future__ import annotations

import numpy as np
import pytest

import ponder
from ponder.find.context import SearchContext, ended
from ponder.find.coset import by_weight, minimum_weight
from ponder.find.coset.by_weight import ByWeight, light_members
from ponder.find.coset.minimum_weight import LightestSearch, lightest_press_set, walk
from ponder.find.linear.gf2 import SpannedKernel
from ponder.find.linear.press_sets import PressSets, press_sets
from ponder.model.board import Board
from ponder.model.graph import grid_graph
from ponder.system.limits import Limits, TimeUp
from ponder.system.types import Bits, Ints
from tests import corpus
from tests.boards import random_coset_board, solved_by
from tests.depth import deep


def a_coset(seed: int) -> tuple[Board, PressSets]:
    board = random_coset_board(np.random.default_rng(seed), 16, ["unlit", "any"])
    sets = press_sets(board)
    assert isinstance(sets, PressSets)
    return board, sets


def rows(press_sets: Bits) -> set[bytes]:
    return {press_set.tobytes() for press_set in press_sets}


@pytest.mark.parametrize("seed", range(20))
def test_windows_hold_every_press_set_once(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    board, sets = a_coset(seed)
    monkeypatch.setattr(by_weight, "WHOLE", -1)
    monkeypatch.setattr(by_weight, "WINDOW", 5)
    source, listed, bound = ByWeight(board, sets, Limits(None)), [], 0
    while not source.done:
        window = source.following(board.graph.size + 1)
        assert window is not None
        places = np.arange(window.weights.size)
        members = window.press_sets(places)
        assert np.array_equal(np.count_nonzero(members, axis=1), window.weights)
        assert ((window.weights >= bound) & (window.weights < source.bound)).all()
        planes = window.planes(places)
        if places.size:
            bits = np.unpackbits(planes.view(np.uint8), axis=1, bitorder="little")
            assert np.array_equal(bits[:, : places.size].T, members)
        listed += list(members)
        bound = source.bound
    assert len(listed) == 1 << sets.nullity
    assert rows(np.array(listed)) == rows(sets.members())
    assert source.least == np.count_nonzero(sets.members(), axis=1).min()


@pytest.mark.parametrize(("pattern", "side"), [("king", 5), ("king", 8), ("torus-king", 6)])
@pytest.mark.parametrize("few", [1, 50])
def test_lists_by_lines_are_those_by_weight(
    pattern: str, side: int, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = grid_graph(pattern, (side, side))
    board = solved_by(graph, np.random.default_rng(2).random(graph.size) < 0.5)
    sets = press_sets(board)
    assert isinstance(sets, PressSets)
    monkeypatch.setattr(by_weight, "BY_LINES", 99)
    whole = ByWeight(board, sets, Limits(None)).following(1 << 30)
    assert whole is not None
    monkeypatch.setattr(by_weight, "BY_LINES", 0)
    monkeypatch.setattr(by_weight, "FEW_BY_LINES", few)
    source, listed = ByWeight(board, sets, Limits(None)), list[Bits]()
    for _ in range(2):
        window = source.following(graph.size)
        assert window is not None
        listed += list(window.press_sets(slice(None)))
    places = np.flatnonzero(whole.weights < source.bound)
    assert len(listed) == places.size
    assert rows(np.array(listed)) == rows(whole.press_sets(places))


def test_a_list_under_a_clock_ends() -> None:
    board, sets = a_coset(1)
    with pytest.raises(TimeUp):
        light_members(sets.particular, sets.kernel_basis, 5, Limits(0.0))
    basis = np.zeros((40, 8), dtype=np.bool_)
    far = PressSets(np.zeros(8, dtype=np.bool_), SpannedKernel(basis))
    assert ByWeight(board, far, Limits(1.0)).following(5) is None


@pytest.mark.parametrize("seed", range(20))
def test_the_lightest_press_set_and_how_many_are_as_light(seed: int) -> None:
    board, sets = a_coset(seed)
    weights = np.count_nonzero(sets.members(), axis=1)
    outcome = ended(LightestSearch(board, sets, SearchContext(), list_all=True).run())
    assert (outcome.count, outcome.lower_bound) == (weights.min(), weights.min())
    quick, proved = lightest_press_set(sets)
    assert proved
    assert np.count_nonzero(quick) == weights.min()
    free = Board(board.graph, board.lit, board.goal, "any")
    result = ponder.solve(free)
    assert result.count == weights.min()
    ponder.verify(free, result)


@pytest.mark.parametrize("count", deep(200, 4000))
def test_the_lightest_of_every_nullity(count: int) -> None:
    """From one press set to many, against the weights of all of them."""
    nullities = set()
    for question in corpus.questions([*corpus.grid_worlds(), *corpus.graph_worlds()], count):
        board, sets = question.board, press_sets(question.board)
        if isinstance(sets, PressSets):
            weights = question.world.weights[question.world.press_sets(question.state)]
            outcome = ended(LightestSearch(board, sets, SearchContext(), list_all=True).run())
            least = int(weights.min())
            assert (outcome.count, outcome.lower_bound) == (least, least), str(question)
            assert outcome.evidence is not None
            assert outcome.evidence.proves(board, "solve", least) == least
            nullities.add(sets.nullity)
    assert {0, 1, 2, 3} <= nullities


def test_a_walk_comes_near_the_lightest(monkeypatch: pytest.MonkeyPatch) -> None:
    """And where a coset cannot be listed, nothing is claimed of it."""
    graph = Board.from_rows(["0" * 9] * 9, "plus").graph
    presses = np.random.default_rng(5).random(81) < 0.5
    board = Board(graph, graph.apply(presses), np.zeros(81, dtype=np.bool_), "any")
    sets = press_sets(board)
    assert isinstance(sets, PressSets)
    least = np.count_nonzero(sets.members(), axis=1).min()

    def weigh(press_sets: Bits, weights: Ints) -> Ints:
        return weights

    met = walk(sets, weigh, np.random.default_rng(1), Limits(None), 3)
    assert met[0][0] == least == np.count_nonzero(met[0][1])
    assert len(walk(sets, weigh, np.random.default_rng(1), Limits(0.0))) == 1
    monkeypatch.setattr(by_weight, "WEIGHED", -1)
    monkeypatch.setattr(minimum_weight, "AT_ONCE", -1)
    outcome = ended(LightestSearch(board, sets, SearchContext()).run())
    assert (outcome.count, outcome.lower_bound, outcome.evidence) == (least, 0, None)
    assert lightest_press_set(sets, Limits(None))[1] is False
