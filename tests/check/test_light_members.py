"""Bounds on large cosets: press sets ruled out many at a time, and no more than is true."""

from __future__ import annotations

import json

import numpy as np
import pytest

from ponder.check import coset as cosets
from ponder.check import odd_components
from ponder.check.coset import Coset
from ponder.check.limits import Budget, TooLarge
from ponder.check.linear import press_sets
from ponder.check.odd_components import Pieces, light_members
from ponder.check.verification import check_bound, verify
from ponder.find.solve import solve
from ponder.model.board import Board
from ponder.model.graph import grid_graph
from ponder.system.errors import CheckFailed
from tests.boards import solved_by


def random_board(pattern: str, shape: tuple[int, int], seed: int) -> Board:
    graph, rng = grid_graph(pattern, shape), np.random.default_rng(seed)
    goal = rng.random(graph.size) < 0.5 if seed % 2 else np.ones(graph.size, dtype=bool)
    return solved_by(graph, rng.random(graph.size) < 0.5, goal)


def near_of(board: Board) -> list[list[int]]:
    return [board.graph.neighbours(v).tolist() for v in range(board.graph.size)]


@pytest.mark.parametrize("at_once", [1 << 20, 7])
@pytest.mark.parametrize(
    ("pattern", "shape"), [("plus", (9, 9)), ("torus-plus", (6, 6)), ("king", (5, 8))]
)
def test_what_is_ruled_out_needs_as_many(
    monkeypatch: pytest.MonkeyPatch, pattern: str, shape: tuple[int, int], at_once: int
) -> None:
    """Each member that is ruled out has so many odd components; others come with their weight."""
    monkeypatch.setattr(odd_components, "at_once", lambda size: at_once)
    ruled_out = 0
    for seed in range(2):
        board = random_board(pattern, shape, seed)
        odd_later = board.odd_later
        assert odd_later is not None
        coset, near = Coset.of(board, press_sets(board)), near_of(board)
        weights = coset.weights()
        enough = int(np.median(weights)) + 2
        found = dict(light_members(coset, near, odd_later, enough, Budget()))
        for index in range(coset.size):
            if index in found:
                assert found[index] == weights[index] < enough
            elif weights[index] < enough:
                pieces = Pieces.of(coset.member(index), near, odd_later)
                assert weights[index] + 2 * len(pieces.odd) >= enough
                ruled_out += 1
    assert ruled_out > 0 or pattern == "king"


def test_where_light_ones_are_too_many_those_without_small_components_are_weighed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The same members may have an order, by whichever list."""
    for pattern, seed in (("plus", 0), ("plus", 1), ("torus-plus", 0)):
        board = random_board(pattern, {"plus": (9, 9), "torus-plus": (6, 6)}[pattern], seed)
        odd_later = board.odd_later
        assert odd_later is not None
        coset, near = Coset.of(board, press_sets(board)), near_of(board)
        enough = int(np.median(coset.weights())) + 2
        usual = light_members(coset, near, odd_later, enough, Budget(), once=True)
        assert usual
        with monkeypatch.context() as few:
            few.setattr(cosets, "MOST_LIGHTER", 1)
            assert light_members(coset, near, odd_later, enough, Budget(), once=True) == usual
            with pytest.raises(TooLarge):
                light_members(coset, near, odd_later, enough, Budget())


def test_a_proof_over_a_large_coset() -> None:
    """Nullity 16: true evidence is accepted, and a bound that is higher by one or two is not."""
    proved = 0
    for seed in range(4):
        board = random_board("plus", (19, 19), 2 * seed)
        found = solve(board)
        if not found.optimal or found.bound is None or found.bound["kind"] != "odd-components":
            continue
        proved += 1
        content = json.loads(json.dumps(found.to_json()))
        assert verify(board, content).complete
        count = found.count
        assert count is not None
        for bound in (count + 1, count + 2):
            reason = f"odd-components proves {count}, not {bound}"
            with pytest.raises(CheckFailed, match=reason):
                check_bound(board, "solve", bound, {**content["bound"], "parts": []})
    assert proved > 0


def test_a_stranger_may_not_ask_for_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    board = random_board("plus", (19, 19), 0)
    evidence = {"kind": "odd-components", "parts": []}
    with pytest.raises(TooLarge, match=r"too much work .*: looking at 65536 press sets"):
        check_bound(board, "solve", 10**6, evidence, spent(Budget(), 1 << 24))
    monkeypatch.setattr(cosets, "MOST_LIGHTER", 100)
    with pytest.raises(TooLarge, match="press sets of fewer than 300 presses are more than 100"):
        check_bound(board, "solve", 300, evidence)


def spent(budget: Budget, left: int) -> Budget:
    """A budget of which so much is left."""
    budget.spend(budget.left - left, "what came before")
    return budget
