"""The bound by odd components: true by exhaustive search, as strong as the solver's, not fooled."""

from __future__ import annotations

import copy
import itertools
import random

import numpy as np
import pytest

import ponder
from ponder.check.limits import Budget
from ponder.check.linear import press_sets
from ponder.check.odd_components import Pieces, least_presses
from ponder.check.verification import verify
from ponder.find.coset.clusters import neighbour_lists
from ponder.model.board import Board
from ponder.model.graph import EdgeGraph, Graph, grid_graph
from ponder.system.errors import CheckFailed
from tests import brute
from tests.depth import deep

ENOUGH = 1 << 20
"""More presses than any of these boards needs: the bound itself is returned."""


def every_state_is_bounded(graph: Graph, edges: list[tuple[int, int]], rng: random.Random) -> int:
    """Compare the bound of every start state with the fewest presses; count where it is met."""
    size = graph.size
    goal = rng.choice([(1 << size) - 1, rng.randrange(1 << size)])
    met = 0
    for state, presses in brute.distances(size, edges, goal).items():
        lit, target = ((m >> np.arange(size) & 1).astype(np.bool_) for m in (state, goal))
        board = Board(graph, lit, target)
        bound = least_presses(board, "solve", ENOUGH, (), Budget())
        assert bound <= presses, f"{edges} {state:b} -> {goal:b}"
        met += bound == presses
    return met


def test_no_state_of_small_boards_needs_less() -> None:
    rng = random.Random(1)
    for pattern, shape in (("plus", (3, 3)), ("king", (3, 3)), ("plus", (2, 5))):
        graph = grid_graph(pattern, shape)
        assert every_state_is_bounded(graph, brute.grid_edges(*shape, pattern), rng) > 100


@pytest.mark.parametrize("count", deep(8, 40))
def test_no_state_of_random_graphs_needs_less(count: int) -> None:
    """Sparse graphs, in which one helper may touch several odd components."""
    rng = random.Random(2)
    for _ in range(count):
        size = rng.randint(5, 10)
        pairs = list(itertools.combinations(range(size), 2))
        edges = sorted(rng.sample(pairs, min(len(pairs), rng.randint(size - 1, size + 4))))
        assert every_state_is_bounded(EdgeGraph(size, edges), edges, rng)


def test_a_helper_between_three_odd_components_saves_two_pairs() -> None:
    """A spider whose three legs are two bulbs long: one pair at the hub serves all."""
    edges = [(0, 1), (1, 2), (0, 3), (3, 4), (0, 5), (5, 6)]
    near = neighbour_lists(Board(EdgeGraph(7, edges), np.zeros(7, bool), np.ones(7, bool)))
    legs = np.array([0, 1, 1, 1, 1, 1, 1], dtype=np.bool_)
    pieces = Pieces.of(legs, near, np.zeros(7, dtype=np.bool_))
    assert len(pieces.odd) == 3
    assert pieces.pairs(ENOUGH) == 1
    legs[5:] = False
    pieces = Pieces.of(legs, near, np.zeros(7, dtype=np.bool_))
    assert (len(pieces.odd), pieces.pairs(ENOUGH)) == (2, 2)


def test_evidence_that_is_wrong_is_rejected() -> None:
    rng = np.random.default_rng(5)
    boards = listed = 0
    while boards < 12:
        shape = (int(rng.integers(5, 11)), int(rng.integers(5, 11)))
        graph = grid_graph("plus", shape)
        lit = rng.random(graph.size) < 0.5
        board = Board(graph, lit, np.ones(graph.size, dtype=np.bool_))
        if press_sets(board).base is None:
            continue
        result = ponder.solve(board)
        good = result.to_json()
        bound = good["bound"]
        if not isinstance(bound, dict) or bound["kind"] != "odd-components":
            continue
        boards += 1
        assert all(s.status == "checked" for s in verify(board, good).statements)
        wrong = []
        more = copy.deepcopy(good)
        more["lower_bound"] = int(str(good["lower_bound"])) + 2  # nobody can
        more["count"] = more["presses"] = None
        more["optimal"], more["verdict"] = False, "unknown"
        wrong.append(more)
        once = copy.deepcopy(good)
        once["command"] = "order"
        wrong.append(once)
        if "components" in bound:
            listed += 1
            for change in (bound["components"][1:], [*bound["components"], [(0, 0), (0, 1)]], 3):
                other = copy.deepcopy(good)
                other["bound"]["components"] = change  # type: ignore[index]
                wrong.append(other)
        for result_ in wrong:
            with pytest.raises(CheckFailed):
                verify(board, result_)
    assert listed > 5


def test_refuted_press_sets_cannot_be_spared() -> None:
    """Even components may be refused too: then the evidence needs their refutations."""
    rng = np.random.default_rng(6)
    graph = grid_graph("king", (3, 4))
    found = 0
    while found < 3:
        board = Board(graph, rng.random(graph.size) < 0.5, np.ones(graph.size, dtype=np.bool_))
        result = ponder.solve(board).to_json()
        bound = result["bound"]
        if not isinstance(bound, dict) or not bound.get("parts"):
            continue
        if bound["kind"] == "odd-components":
            found += 1
            assert verify(board, result).statements[-1].status == "checked"
            del bound["parts"][-1]
            with pytest.raises(CheckFailed, match="odd-components proves"):
                verify(board, result)
