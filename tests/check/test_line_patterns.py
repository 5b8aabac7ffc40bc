"""All light press sets of boards whose press sets differ by patterns of lines, against all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ponder
from ponder.check import coset as cosets
from ponder.check import line_patterns, linear
from ponder.check.coset import Coset, lighter
from ponder.check.evidence import coset_minimum
from ponder.check.evidence.coset_minimum import CosetMinimum
from ponder.check.evidence.odd_components import OddComponents
from ponder.check.evidence.presses_modulo_four import PressesModuloFour
from ponder.check.limits import Budget, TooLarge
from ponder.check.line_patterns import light_press_sets
from ponder.check.linear import press_sets
from ponder.check.verification import check_bound, verify
from ponder.find.cosets import annealing, minimum_weight
from ponder.find.cosets.coset import LighterThan
from ponder.find.cosets.minimum_weight import lightest
from ponder.find.fewest import each_bulb_once, fewest_presses
from ponder.find.linear.press_sets import PressSets
from ponder.find.linear.press_sets import press_sets as linear_press_sets
from ponder.find.search.context import SearchContext
from ponder.model.graph import grid_graph
from ponder.system.errors import CheckFailed
from ponder.system.limits import Limits
from tests.boards import solved_by
from tests.bounding import half_pressed
from tests.depth import deep

WIDE = "stencil 0,2 0,-2 2,0 -2,0 2,2 -2,-2 2,-2 -2,2"
FAR = "stencil " + " ".join(f"{r},{c}" for r in (-2, -1, 0, 1, 2) for c in (-1, 0, 1) if r or c)
BOARDS = [
    ("king", (5, 5)),
    ("king", (2, 8)),
    ("king", (8, 3)),
    ("king", (5, 6)),
    ("torus-king", (3, 3)),
    ("torus-king", (6, 3)),
    ("torus-king", (3, 4)),
    ("torus-king", (4, 6)),
    ("torus-king", (6, 6)),
    ("torus-king", (2, 6)),
    ("torus-king", (6, 4)),
    ("torus-king", (4, 201)),  # a strip of more columns than a number has bits
    ("torus-king", (201, 4)),
    (WIDE, (5, 4)),
    (WIDE, (4, 4)),
    (WIDE, (3, 4)),
    (FAR, (5, 5)),
    (FAR, (3, 5)),
]


@pytest.mark.parametrize("count", deep(2, 40))
@pytest.mark.parametrize("by_strips", [False, True])
@pytest.mark.parametrize(("pattern", "shape"), BOARDS)
def test_against_all_press_sets(
    monkeypatch: pytest.MonkeyPatch,
    pattern: str,
    shape: tuple[int, int],
    by_strips: bool,
    count: int,
) -> None:
    """Both ways: the choices of rows meet in the middle, or strips of columns say how they fit."""
    monkeypatch.setattr(line_patterns, "_STRIPS_PAY", 0 if by_strips else 1 << 40)
    rng = np.random.default_rng(shape[0])
    graph = grid_graph(pattern, shape)
    for _ in range(count):
        board = solved_by(graph, rng.random(graph.size) < 0.5)
        coset = Coset.of(board, press_sets(board))
        weights = coset.weights()
        bounds = [0, int(weights.min()), int(weights.min()) + 3]
        for bound in bounds if coset.size > 1 << 16 else [*bounds, graph.size + 1]:
            found = light_press_sets(board, coset.base, bound, Budget())
            assert found is not None
            listed = {s.tobytes() for s in found}
            light = np.flatnonzero(weights < bound).tolist()
            assert len(listed) == len(found) == len(light)
            assert listed == {coset.member(index).tobytes() for index in light}


def test_members_by_lines_or_by_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cosets, "MOST_WEIGHED", 0)
    board = half_pressed("torus-king", (6, 6))
    coset = Coset.of(board, press_sets(board))
    bound = int(lighter(coset.base, coset.basis, 99, Budget())[1].min()) + 3
    for indices, weights in (coset.lighter(bound, Budget()),):
        expected = lighter(coset.base, coset.basis, bound, Budget())
        order = np.argsort(indices)
        assert indices[order].tolist() == expected[0].tolist()
        assert weights[order].tolist() == expected[1].tolist()


def test_other_boards_have_no_such_patterns() -> None:
    for pattern in ("plus", "cross", "torus-plus", "stencil 1,1 -1,-1"):
        board = half_pressed(pattern, (6, 6))
        found = light_press_sets(board, press_sets(board).one, 9, Budget())
        assert found is None


def test_too_many_choices_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for pattern, side in (("king", 80), ("torus-king", 90)):
        board = half_pressed(pattern, (side, side))
        with pytest.raises(TooLarge, match="scores of half the choices"):
            light_press_sets(board, press_sets(board).one, 50, Budget())
    board = half_pressed("torus-king", (15, 15))
    base = press_sets(board).one
    monkeypatch.setattr(line_patterns, "_STRIPS_PAY", 0)
    wide = half_pressed("torus-king", (2, 84))  # 2^28 choices of a strip: two numbers for each
    with pytest.raises(TooLarge, match=r"too much memory.*choices of lines"):
        light_press_sets(wide, press_sets(wide).one, 50, Budget())
    for bound, most, why in ((90, 0, "choices of lines are more"), (65, 10**7, "too much work")):
        with pytest.raises(TooLarge, match=why):
            light_press_sets(board, base, bound, Budget(most=most))
    board = half_pressed("king", (14, 14))
    with pytest.raises(TooLarge, match="press sets of fewer than 120 presses"):
        light_press_sets(board, press_sets(board).one, 120, Budget())


def test_press_sets_without_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of fewer than 30 bulbs of a torus, as if its 2^16 press sets were too many."""
    graph, rng = grid_graph("torus-king", (6, 6)), np.random.default_rng(6)
    board = solved_by(graph, rng.random(graph.size) < 0.5)
    found = OddComponents((), None)
    least = [found.proves(board, command, 12, Budget()) for command in ("solve", "order")]
    monkeypatch.setattr(linear, "MOST_NULLITY", 8)
    monkeypatch.setattr(linear.press_sets, "__defaults__", (None, 8))
    assert press_sets(board).basis is None
    assert least == [found.proves(board, command, 12, Budget()) for command in ("solve", "order")]


@pytest.mark.parametrize("side", [12, 15, 18])
def test_a_least_weight_by_lines_is_that_of_a_game(side: int) -> None:
    """Of 2^44, 2^56 and 2^68 press sets, each too many to weigh; by another way of counting."""
    board = half_pressed("torus-king", (side, side))
    result = ponder.solve(board)
    assert result.count is not None
    assert result.optimal
    for enough in (result.count, result.count + 1):
        assert CosetMinimum(None, None).proves(board, "solve", enough, Budget()) == result.count


@pytest.mark.parametrize(("pattern", "shape"), [("torus-king", (6, 6)), (WIDE, (5, 4))])
def test_the_lightest_by_lines(
    monkeypatch: pytest.MonkeyPatch, pattern: str, shape: tuple[int, int]
) -> None:
    """As if all were too many: the least weight, how many have it, and no other is accepted."""
    board = half_pressed(pattern, shape)
    weights = Coset.of(board, press_sets(board)).weights()
    least, count = int(weights.min()), int(np.count_nonzero(weights == weights.min()))
    monkeypatch.setattr(minimum_weight, "SEARCHED", 0)
    monkeypatch.setattr(minimum_weight, "in_parts", lambda *_: None)
    monkeypatch.setattr(coset_minimum, "MOST_WEIGHED", 0)
    sets = linear_press_sets(board)
    assert isinstance(sets, PressSets)
    for limit in (None, 10.0):
        found = lightest(board, sets, SearchContext(0, Limits(limit)))
        assert found.presses is not None
        assert (found.presses.size, found.lower_bound) == (least, least)
        assert isinstance(found.evidence, CosetMinimum)
        assert found.evidence.press_sets == count
    assert CosetMinimum(count, None).proves(board, "solve", least, Budget()) == least
    assert CosetMinimum(None, None).proves(board, "solve", least + 1, Budget()) == least
    for wrong in (count + 1, 0):
        with pytest.raises(CheckFailed, match=f"{count} press sets have {least} presses"):
            CosetMinimum(wrong, None).proves(board, "solve", least, Budget())


@pytest.mark.deep
@pytest.mark.parametrize("side", [18, 21, 24])
def test_a_torus_whose_press_sets_are_beyond_numbers(side: int) -> None:
    """2^68 press sets: those lighter than the answer are listed, and looked at one by one."""
    graph, rng = grid_graph("torus-king", (side, side)), np.random.default_rng(1)
    board = solved_by(graph, rng.random(graph.size) < 0.5)
    result = ponder.solve(board, timeout=10)
    assert isinstance(result.evidence, (OddComponents, PressesModuloFour))
    assert verify(board, result.to_json()).complete


@pytest.mark.parametrize("seed", deep(1, 2, 3, 4, 5, 6))
@pytest.mark.parametrize(("pattern", "shape"), [("king", (5, 5)), ("torus-king", (3, 6))])
def test_solve_is_the_same_by_lines(
    monkeypatch: pytest.MonkeyPatch, pattern: str, shape: tuple[int, int], seed: int
) -> None:
    """As if all press sets were too many: the same minimum, and its evidence is accepted."""
    graph, rng = grid_graph(pattern, shape), np.random.default_rng(seed)
    for _ in range(2):
        goal = (
            np.ones(graph.size, dtype=bool) if rng.random() < 0.5 else rng.random(graph.size) < 0.5
        )
        board = solved_by(graph, rng.random(graph.size) < 0.5, goal)
        expected = ponder.solve(board)
        with monkeypatch.context() as patched:
            patched.setattr(fewest_presses, "listed_in_time", lambda nullity, limits: False)
            patched.setattr(annealing, "STEPS", 20)
            patched.setattr(fewest_presses, "IN_VAIN", 0)
            patched.setattr(cosets, "MOST_WEIGHED", 0)
            found = ponder.solve(board)
            assert expected.optimal
            assert (found.verdict, found.count) == (expected.verdict, expected.count)
            assert (found.lower_bound or 0) <= (expected.count or 0)
            assert verify(board, found).complete


@pytest.mark.parametrize("seed", deep(1, 2, 3, 4, 5, 6))
@pytest.mark.parametrize(("pattern", "shape"), [("king", (5, 5)), ("torus-king", (3, 6))])
def test_order_is_the_same_by_lines(
    monkeypatch: pytest.MonkeyPatch, pattern: str, shape: tuple[int, int], seed: int
) -> None:
    """As if all press sets were too many, and odd components were counted."""
    graph, rng = grid_graph(pattern, shape), np.random.default_rng(seed)
    proved = 0
    for _ in range(4):
        board = solved_by(graph, rng.random(graph.size) < 0.5)
        expected = ponder.order(board)
        with monkeypatch.context() as patched:
            patched.setattr(each_bulb_once, "listed_in_time", lambda nullity, limits: False)
            patched.setattr(each_bulb_once, "CROSSED_OFF", 0)
            patched.setattr(annealing, "STEPS", 20)
            patched.setattr(each_bulb_once, "IN_VAIN", 0)
            patched.setattr(cosets, "MOST_WEIGHED", 0)
            found = ponder.order(board)
            if found.count is not None:
                assert (found.lower_bound or 0, found.count) == (expected.count, expected.count)
                proved += isinstance(found.evidence, PressesModuloFour | OddComponents)
            assert verify(board, found).complete
    assert proved


def test_a_large_board_is_proved_and_forgeries_are_refused() -> None:
    """Nullity 36: there are 2^5 choices of rows."""
    graph, rng = grid_graph("king", (8, 29)), np.random.default_rng(2)
    board = solved_by(graph, rng.random(graph.size) < 0.5)
    result = ponder.solve(board)
    assert result.optimal
    assert verify(board, result).complete
    assert result.evidence is not None
    bound = result.evidence.to_json(board)
    for wrong in (1, 2, 3, 4):
        with pytest.raises(CheckFailed):
            check_bound(board, "solve", (result.count or 0) + wrong, bound)
    if isinstance(result.evidence, PressesModuloFour):
        higher = PressesModuloFour(result.evidence.least + 4, result.evidence.because)
        with pytest.raises(CheckFailed):
            check_bound(board, "solve", (result.count or 0) + 4, higher.to_json(board))


def test_a_list_of_all_that_matter_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """All press sets that matter are listed and refuted: no restart, no other list comes after."""
    lists: list[int] = []
    listed = LighterThan.by_lines

    def counted(*given: Any) -> LighterThan | None:
        lists.append(given[2])
        return listed(*given)

    monkeypatch.setattr(LighterThan, "by_lines", counted)
    graph, rng = grid_graph("torus-king", (15, 15)), np.random.default_rng(2)
    board = solved_by(graph, rng.random(graph.size) < 0.5)
    result = ponder.order(board)
    assert (result.count, result.lower_bound) == (62, 62)
    assert len(lists) == 1
    assert lists[0] >= 59
