"""The checker's weights of cosets against a list of all members, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest

from ponder.check import coset
from ponder.check.coset import least_weight, lighter, ones, weight_blocks
from ponder.check.limits import Budget, TooLarge
from ponder.check.verification import check_bound
from ponder.find.solve import solve
from ponder.model.board import Board
from ponder.system.errors import CheckFailed


@pytest.mark.parametrize("digits", [16, 5, 1])
@pytest.mark.parametrize("nullity", [0, 1, 4, 9, 12])
def test_blocks_against_a_list(monkeypatch: pytest.MonkeyPatch, nullity: int, digits: int) -> None:
    monkeypatch.setattr(coset, "_DIGITS", digits)
    rng = np.random.default_rng(nullity)
    for size in (1, 7, 60):
        base, basis = rng.random(size) < 0.5, rng.random((nullity, size)) < 0.5
        every = np.arange(1 << nullity)[:, None] >> np.arange(nullity) & 1
        table = ((every @ basis.astype(int) + base) % 2).sum(axis=1)
        assert ones(base, basis, Budget()).tolist() == table.tolist()
        blocks = list(weight_blocks(base, basis, Budget()))
        assert np.concatenate([block for _, block in blocks]).tolist() == table.tolist()
        assert [first for first, _ in blocks] == list(range(0, table.size, len(blocks[0][1])))
        least = int(table.min())
        assert least_weight(base, basis, Budget()) == (least, int(np.count_nonzero(table == least)))
        light, weights = lighter(base, basis, least + 3, Budget())
        assert light.tolist() == np.flatnonzero(table < least + 3).tolist()
        assert weights.tolist() == table[light].tolist()


def test_the_limits_of_a_stranger(monkeypatch: pytest.MonkeyPatch) -> None:
    base, basis = np.zeros(50, dtype=bool), np.random.default_rng(1).random((45, 50)) < 0.5
    with pytest.raises(TooLarge, match=r"too much work \(about .* s\): weighing 2\^45 press sets"):
        least_weight(base, basis, Budget())
    monkeypatch.setattr(coset, "MOST_LIGHTER", 100)
    with pytest.raises(TooLarge, match="press sets of fewer than 60 presses are more than 100"):
        lighter(base, basis[:10], 60, Budget())


def test_the_least_weight_as_evidence() -> None:
    """True evidence is accepted, and no other number of presses, nor of press sets."""
    board = Board.from_rows(["0" * 23] * 23, "plus", rule="any")
    found = solve(board)
    assert found.optimal
    assert found.lower_bound == 231
    assert found.bound == {"kind": "coset-minimum", "press_sets": 8}
    assert check_bound(board, "solve", 231, found.bound) is None
    for bound in (230, 232):
        with pytest.raises(CheckFailed, match=f"coset-minimum proves 231, not {bound}"):
            check_bound(board, "solve", bound, found.bound)
    for count, reason in ((7, "8 press sets have 231 presses, not 7"), ("8", "press_sets")):
        with pytest.raises(CheckFailed, match=reason):
            check_bound(board, "solve", 231, {"kind": "coset-minimum", "press_sets": count})


def test_more_press_sets_than_a_table_holds() -> None:
    """Nullity 24: this was `not checked` before."""
    rng = np.random.default_rng(2)
    graph = Board.from_rows(["0" * 30] * 30, "torus-plus").graph
    lit = ~graph.apply(rng.random(graph.size) < 0.5)
    board = Board(graph, lit, np.ones(graph.size, dtype=bool), "any")
    found = solve(board)
    assert found.optimal
    assert found.lower_bound is not None
    assert check_bound(board, "solve", found.lower_bound, found.bound) is None


def test_all_lightest_press_sets() -> None:
    """They are named when asked for, and a list that lacks one, or has another, is refused."""
    board = Board.from_rows(["0" * 9] * 9, "plus", rule="any")
    bound = solve(board, every=True).bound
    assert bound is not None
    listed = bound["listed"]
    assert isinstance(listed, list)
    assert bound["press_sets"] == len(listed) == 6
    assert check_bound(board, "solve", 25, bound) is None
    for spoilt, reason in (
        (listed[1:], "5 press sets are listed, there are 6"),
        ([*listed[1:], listed[1]], "5 press sets are listed, there are 6"),
        ([*listed[1:], listed[0][1:]], "none of 25 presses"),
        ([*listed[1:], [[8, 8], *listed[0][1:]]], "none of 25 presses"),
        (7, "listed"),
    ):
        with pytest.raises(CheckFailed, match=reason):
            check_bound(board, "solve", 25, {**bound, "listed": spoilt})
    assert "listed" not in (solve(board).bound or {})
