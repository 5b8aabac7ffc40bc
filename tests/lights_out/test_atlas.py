"""All boards of a shape at once: against brute force, published tables and the binomial theorem."""

from __future__ import annotations

from math import comb
from typing import get_args

import numpy as np
import pytest

from ponder.find.linear.press_sets import PressSets, press_sets
from ponder.lights_out.atlas import NEVER_REACHED, atlas_of
from ponder.model.board import Board, Rule
from ponder.model.edge_graph import EdgeGraph
from ponder.model.graph import Graph, grid_graph
from ponder.system.errors import PonderError
from tests import brute
from tests.boards import edges_of

PUBLISHED = {  # OEIS A079873, whose entry for 7 presses has two digits exchanged
    (5, 5): (1, 25, 300, 2300, 12650, 53130, 176176, 467104, 982335, 1596279, 1935294, 1684446,
             1004934, 383670, 82614, 7350),
    (4, 4): (1, 16, 120, 560, 1387, 1440, 540, 32),
}  # fmt: skip


def off(graph: Graph, rule: Rule = "any", goal: int = -1) -> Board:
    bits = np.array([goal >> v & 1 for v in range(graph.size)], dtype=np.bool_)
    return Board(graph, np.zeros(graph.size, dtype=np.bool_), bits, rule)


@pytest.mark.parametrize("rule", get_args(Rule))
@pytest.mark.parametrize("seed", range(8))
def test_every_board_by_brute_force(rule: Rule, seed: int) -> None:
    rng = np.random.default_rng(seed)
    size = int(rng.integers(1, 9))
    graph = EdgeGraph(size, [(a, b) for a in range(size) for b in range(a) if rng.random() < 0.5])
    board = off(graph, rule, int(rng.integers(1 << size)))
    goal = sum(1 << v for v in np.flatnonzero(board.goal).tolist())
    wanted = brute.distances(size, edges_of(graph), goal, rule)
    atlas = atlas_of(board)
    assert (atlas.solvable, atlas.largest) == (len(wanted), max(wanted.values()))
    for state in range(1 << size):
        lit = np.array([state >> v & 1 for v in range(size)], dtype=np.bool_)
        if isinstance(sets := press_sets(Board(graph, lit, board.goal, rule)), PressSets):
            number = np.bitwise_xor.reduce(np.array(atlas.steps)[sets.particular], initial=0)
            assert atlas.distances[number] == wanted.get(state, NEVER_REACHED)
        else:
            assert state not in wanted
    hardest = sum(1 << v for v in np.flatnonzero(atlas.hardest.lit).tolist())
    assert wanted[hardest] == atlas.largest


@pytest.mark.parametrize("size", [(4, 4), pytest.param((5, 5), marks=pytest.mark.deep)])
def test_published_tables(size: tuple[int, int]) -> None:
    atlas = atlas_of(off(grid_graph("plus", size)))
    assert atlas.histogram == PUBLISHED[size]
    presses = atlas.way_back(atlas.hardest_number)
    pressed = atlas.board.graph.set_of(presses)
    assert presses.size == np.count_nonzero(pressed) == atlas.largest
    assert (atlas.board.graph.apply(pressed) ^ atlas.hardest.lit == atlas.hardest.goal).all()


def test_without_quiet_patterns_all_press_sets_are_lightest() -> None:
    atlas = atlas_of(off(grid_graph("plus", (3, 4))))
    assert atlas.histogram == tuple(comb(12, k) for k in range(13))


def test_too_many_boards_are_refused_at_once() -> None:
    with pytest.raises(PonderError, match="too many"):
        atlas_of(off(grid_graph("plus", (6, 6))))
    with pytest.raises(PonderError, match="too many"):
        atlas_of(off(grid_graph("plus", (50, 50))))
