"""All light press sets of boards whose press sets differ by patterns of lines, against all."""

from __future__ import annotations

import numpy as np
import pytest

import ponder
from ponder.check import coset as cosets
from ponder.check import line_patterns, linear
from ponder.check.coset import Coset, lighter
from ponder.check.evidence.odd_components import OddComponents
from ponder.check.evidence.presses_modulo_four import PressesModuloFour
from ponder.check.limits import Budget, TooLarge
from ponder.check.line_patterns import light_press_sets
from ponder.check.linear import press_sets
from ponder.check.verification import check_bound, verify
from ponder.model.graph import grid_graph
from ponder.system.errors import CheckFailed
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
