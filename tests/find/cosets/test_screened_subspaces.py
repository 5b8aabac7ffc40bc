"""What the screened walk finds: light press sets without odd components, each once."""

from __future__ import annotations

import numpy as np
import pytest

from ponder.check.odd_components import Pieces
from ponder.find.cosets.annealing import CosetSearch
from ponder.find.cosets.screened_subspaces import ScreenedWalk
from ponder.find.linear.press_sets import PressSets, press_sets
from ponder.model.board import Board
from ponder.model.graph import grid_graph
from ponder.system.limits import NEVER, Limits
from tests.boards import solved_by


def walk_of(board: Board, seed: int = 0) -> ScreenedWalk:
    sets = press_sets(board)
    assert isinstance(sets, PressSets)
    search = CosetSearch(board, sets, once=True)
    return ScreenedWalk(board, search.sets, search.moves, search.components.count, seed)


@pytest.mark.parametrize(("pattern", "side"), [("torus-king", 9), ("king", 11), ("torus-plus", 5)])
def test_what_is_found_has_no_odd_component(pattern: str, side: int) -> None:
    graph, rng = grid_graph(pattern, (side, side)), np.random.default_rng(5)
    board = solved_by(graph, rng.random(graph.size) < 0.5)
    near = [graph.neighbours(v).tolist() for v in range(graph.size)]
    walk, known, told = walk_of(board), None, set()
    for _ in range(4):
        found = walk.few(known, 40, NEVER)
        assert [weight for weight, _ in found] == sorted(weight for weight, _ in found)
        for weight, press_set in found:
            assert np.array_equal(graph.apply(press_set), board.change)
            assert weight == np.count_nonzero(press_set)
            assert known is None or weight < known
            assert board.odd_later is not None
            assert Pieces.of(press_set, near, board.odd_later).odd == []
            assert press_set.tobytes() not in told
            told.add(press_set.tobytes())
        known = known if not found else found[len(found) // 2][0]
    assert told


def test_it_is_repeatable_and_ends() -> None:
    graph = grid_graph("torus-king", (9, 9))
    board = solved_by(graph, np.random.default_rng(2).random(graph.size) < 0.5)
    one, two = (walk_of(board, 3).few(None, 30, NEVER) for _ in range(2))
    assert [s.tolist() for _, s in one] == [s.tolist() for _, s in two]
    assert walk_of(board).few(None, 1 << 30, Limits(0.0)) == []
