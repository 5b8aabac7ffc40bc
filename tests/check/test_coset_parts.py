"""The least weight by lists on parts of a board, against all weights, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from ponder.check import coset_parts
from ponder.check.coset import Coset, least_weight
from ponder.check.coset_parts import Light, least_in_parts, light, lighter_members
from ponder.check.limits import Budget, TooLarge
from ponder.check.linear import press_sets
from ponder.check.verification import check_bound, verify
from ponder.find.solve import solve
from ponder.model.board import Board, Rule
from ponder.model.graph import grid_graph
from ponder.system.errors import CheckFailed
from ponder.system.types import Bits, Ints

# All off to all on, n×n plus (OEIS A075464), of nullity 4 to 32.
ALL_OFF = {
    9: 25, 14: 56, 16: 104, 19: 141, 23: 231, 24: 270, 29: 345, 30: 376, 32: 428, 33: 469,
    34: 520, 35: 563, 39: 561, 44: 772, 47: 971, 49: 1165, 50: 1220,
}  # fmt: skip


def dark(side: int, rule: Rule = "any") -> Board:
    graph = grid_graph("plus", (side, side))
    off = np.zeros(graph.size, dtype=np.bool_)
    return Board(graph, off, ~off, rule)


def boards() -> Iterator[Board]:
    rng = np.random.default_rng(7)
    for pattern, shape in (
        ("plus", (4, 4)), ("plus", (9, 9)), ("plus", (14, 14)), ("plus", (5, 11)),
        ("torus-plus", (6, 6)), ("torus-plus", (8, 10)), ("plus", (11, 11)), ("plus", (4, 9)),
    ):  # fmt: skip
        graph = grid_graph(pattern, shape)
        for _ in range(3):
            goal = graph.apply(rng.random(graph.size) < 0.5)
            yield Board(graph, np.zeros(graph.size, dtype=np.bool_), goal, "any")


def test_all_weights_agree() -> None:
    suited = 0
    for board in boards():
        sets = press_sets(board)
        found = least_in_parts(board.graph, sets.one, sets.quiet, Budget())
        if found is None or not sets.nullity:
            continue
        suited += 1
        assert found[:2] == least_weight(sets.one, sets.quiet, Budget())
        assert {int(np.count_nonzero(one)) for one in found.members} == {found.weight}
        assert len({one.tobytes() for one in found.members}) == found.how_many
        assert all((board.graph.apply(one) == board.change).all() for one in found.members)
    assert suited >= 12


@pytest.mark.parametrize("n", ALL_OFF)
def test_from_all_off_to_all_on(n: int) -> None:
    board = dark(n)
    sets = press_sets(board)
    found = least_in_parts(board.graph, sets.one, sets.quiet, Budget())
    assert found is not None
    assert found.weight == ALL_OFF[n]


def test_all_lighter_members_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    """By parts wherever these suit, and as their weights say."""
    by_weights, asked = Coset.lighter, []

    def counted(self: Coset, bound: int, budget: Budget) -> tuple[Ints, Ints]:
        asked.append(bound)
        return by_weights(self, bound, budget)

    monkeypatch.setattr(Coset, "lighter", counted)
    monkeypatch.setattr(coset_parts, "MOST_WEIGHED_SOON", 0)
    monkeypatch.setattr(coset_parts, "_WORTH", -20)
    every = 0
    for board in [*boards(), dark(14), dark(16), dark(19)]:
        coset = Coset.of(board, press_sets(board))
        weights = coset.weights()
        least = int(weights.min())
        for bound in (0, least, least + 1, least + 5, least + 13):
            every += 1
            indices, their = lighter_members(coset, bound, Budget())
            order = np.argsort(indices)
            assert indices[order].tolist() == np.flatnonzero(weights < bound).tolist()
            assert their[order].tolist() == weights[indices[order]].tolist()
    assert len(asked) < every - 60


def test_short_lists_prove_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where too few members are listed, the answer stays open; it is never a wrong one."""
    board = dark(19)
    sets = press_sets(board)
    monkeypatch.setattr(coset_parts, "MOST_LIGHT", 1)
    with pytest.raises(TooLarge, match="too many"):
        least_in_parts(board.graph, sets.one, sets.quiet, Budget())
    for most in (20, 100, 300):
        monkeypatch.setattr(coset_parts, "MOST_LIGHT", most)
        try:
            found = least_in_parts(board.graph, sets.one, sets.quiet, Budget())
        except TooLarge:
            continue
        assert found is not None
        assert found[:2] == (141, 28)


def test_the_lists_are_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    sets = press_sets(dark(16))
    whole = light(sets.one, sets.quiet, Budget())
    assert whole.members.size == 256
    monkeypatch.setattr(coset_parts, "MOST_LIGHT", 50)
    few = light(sets.one, sets.quiet, Budget())
    assert few.members.size <= 50
    assert np.array_equal(few.members, whole.members[: few.members.size])
    assert int(whole.weights[few.members.size]) >= few.bound > int(few.weights[-1])


def test_a_stranger_lists_too_few() -> None:
    """A lister that says truly how far it got: the answer is right, or open."""
    board = dark(16)
    sets = press_sets(board)

    def lister(base: Bits, basis: Bits) -> Light:
        whole = light(base, basis, Budget())
        bound = int(whole.weights[0]) + 1
        kept = whole.weights < bound
        return Light(bound, whole.members[kept], whole.weights[kept])

    with pytest.raises(TooLarge):
        least_in_parts(board.graph, sets.one, sets.quiet, Budget(), lister)


def test_a_budget_is_asked_first() -> None:
    board = dark(39)
    sets = press_sets(board)
    budget = Budget()
    budget.left = 1 << 20
    with pytest.raises(TooLarge, match="work"):
        least_in_parts(board.graph, sets.one, sets.quiet, budget)


def test_2_to_the_40_press_sets() -> None:
    """61×61, all off to all on, legally: the answer is verified, and no other number is."""
    board = dark(61, "unlit")
    result = solve(board)
    assert (result.count, result.optimal) == (1629, True)
    assert verify(board, result).complete
    assert result.bound == {"kind": "coset-minimum", "press_sets": 8}
    for bound, evidence in ((1631, result.bound), (1629, {**result.bound, "press_sets": 9})):
        with pytest.raises(CheckFailed, match="coset-minimum"):
            check_bound(board, "solve", bound, evidence)
