"""The presses of all legal sequences modulo 4, against shortest plays; what is refused."""

from __future__ import annotations

import random

import numpy as np
import pytest

import ponder
from ponder.check.evidence.presses_modulo_four import presses_modulo_four, raised
from ponder.check.verification import check_bound, verify
from ponder.find.coset.bounds import remainder_of
from ponder.find.linear.press_sets import PressSets, press_sets
from ponder.model.board import Board
from ponder.model.graph import EdgeGraph, Graph, grid_graph
from ponder.system.errors import CheckFailed
from tests import boards, brute
from tests.depth import deep
from tests.evidence import forms

PATTERNS = ["cross", "plus", "king", "torus-plus", "torus-king", "stencil 1,1 -1,-1"]


def judged(graph: Graph, goal: int, rule: str) -> int:
    """Compare every start from which a goal is reached; return how many have one remainder."""
    found = 0
    for lit, fewest in brute.distances(graph.size, boards.edges_of(graph), goal, rule).items():
        board = boards.numbered(graph, lit, goal, rule)  # type: ignore[arg-type]
        sets = press_sets(board)
        assert isinstance(sets, PressSets)
        assert board.odd_later is not None
        of_each = {presses_modulo_four(graph, board.odd_later, s, []) for s in sets.members()}
        remainder = remainder_of(board, sets)
        assert of_each == {remainder} if remainder is not None else len(of_each) == 2
        assert fewest % 4 in of_each
        found += remainder is not None
    return found


@pytest.mark.parametrize("goals", deep(0, 6))
@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 3)])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_shortest_plays_have_it(pattern: str, shape: tuple[int, int], goals: int) -> None:
    rng = random.Random(shape[0] * shape[1])
    graph = grid_graph(pattern, shape)
    whole = (1 << graph.size) - 1
    for rule in ("unlit", "lit"):
        for goal in (whole, *(rng.randrange(whole) for _ in range(goals))):
            judged(graph, goal, rule)


@pytest.mark.parametrize("count", deep(6, 60))
def test_graphs(count: int) -> None:
    rng = random.Random(count)
    for _ in range(count):
        graph = EdgeGraph(6, boards.random_edges(6, 0.5, rng))
        for rule in ("unlit", "lit"):
            judged(graph, rng.randrange(64), rule)


@pytest.mark.parametrize("pattern", ["king", "torus-king", "cross"])
def test_large_boards_have_one_remainder(pattern: str) -> None:
    rng = np.random.default_rng(1)
    graph = grid_graph(pattern, (15, 17 if pattern == "king" else 15))
    board = boards.solved_by(graph, rng.random(graph.size) < 0.5)
    sets = press_sets(board)
    assert isinstance(sets, PressSets)
    assert remainder_of(board, sets) is not None


def test_a_bound_is_raised() -> None:
    assert [raised(bound, 3) for bound in (0, 3, 4, 7, 8)] == [3, 3, 7, 7, 11]
    evidence = forms()["solve presses-modulo-four"]
    board, result = evidence.board, ponder.solve(evidence.board)
    assert verify(board, result).complete
    assert result.optimal


def test_what_is_refused() -> None:
    evidence = forms()["solve presses-modulo-four"]
    board, content = evidence.board, evidence.content["bound"]
    assert isinstance(content, dict)
    bound = {**content}
    proved = evidence.content["lower_bound"]
    assert isinstance(proved, int)
    assert check_bound(board, "solve", proved, bound) is None
    nested = {"kind": "presses-modulo-four", "least": proved, "because": bound}
    for spoilt in (bound | {"least": proved - 4}, bound | {"because": None}, nested):
        with pytest.raises(CheckFailed):
            check_bound(board, "solve", proved, spoilt)
    for wrong in (proved - 2, proved + 2, proved + 4):
        with pytest.raises(CheckFailed):
            check_bound(board, "solve", wrong, bound)
    lights_out = Board(board.graph, board.lit, board.goal, "any")
    with pytest.raises(CheckFailed, match="every order is legal"):
        check_bound(lights_out, "solve", proved, bound)


def test_press_sets_that_differ_are_refused() -> None:
    """Two press sets whose presses are 2 apart modulo 4: no bound is raised."""
    path = EdgeGraph(2, [(0, 1)])
    board = boards.numbered(path, 0b10, 0b01)
    sets = press_sets(board)
    assert isinstance(sets, PressSets)
    assert remainder_of(board, sets) is None
    why = {"kind": "coset-minimum"}
    least = min(int(s.sum()) for s in sets.members())
    bound = {"kind": "presses-modulo-four", "least": least, "because": why}
    with pytest.raises(CheckFailed, match="differ"):
        check_bound(board, "solve", least + 2, bound)


def test_no_bound_of_an_order_is_beyond_its_bulbs() -> None:
    """Where that would be so there is no order, and the bound stays below."""
    board = ponder.parse_board("pattern: plus\nrule: unlit\ngoal: unlit\n-1\n-1\n")
    found = ponder.order(board, method="greedy")
    assert found.lower_bound is None or found.lower_bound <= 2
    ponder.verify(board, found)
