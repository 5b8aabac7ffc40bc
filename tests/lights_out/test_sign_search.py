"""Boards that need many presses, where no table of all points is kept."""

from __future__ import annotations

import json

import numpy as np
import pytest

from ponder.check.most_moves import verify_most_moves
from ponder.cli.most_moves import content_of
from ponder.lights_out import sign_search
from ponder.lights_out.bulb_types import bulb_types, transform
from ponder.lights_out.most_moves import most_moves
from ponder.lights_out.nullities import full_graph
from ponder.lights_out.sign_search import heaviest_by_local_search
from ponder.model.board import Board
from ponder.system.errors import CheckFailed
from ponder.system.limits import Limits, TimeUp
from tests.clocks import Looks, stopping


@pytest.mark.parametrize("pattern", ["plus", "king", "torus-plus"])
def test_the_maximum_by_a_table(pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The σ that is returned is admissible, and reaches its maximum at 0."""
    monkeypatch.setattr(sign_search, "LARGEST_TABLE", 0)
    seen = 0
    for size in [(4, 4), (5, 5), (4, 6), (6, 6), (8, 8), (9, 9), (11, 11)]:
        types = bulb_types(full_graph(pattern, size))
        if not 0 < types.rank <= 14:
            continue
        sigma, height = heaviest_by_local_search(types, seed=1, limits=stopping(300))
        assert ((np.abs(sigma) <= types.sizes) & ((types.sizes - sigma) % 2 == 0)).all()
        table = np.zeros(1 << types.rank, dtype=np.int64)
        table[types.places] = sigma
        heights = transform(table)
        assert height == heights.max() == heights[0]
        seen += 1
    assert seen


def test_a_rank_without_a_table() -> None:
    """30×30, rank 20: better than chance, never worse than where it began, and checked."""
    graph = full_graph("plus", (30, 30))
    found = most_moves(graph, stopping(250), seed=1)
    assert 383 <= found.lower == np.count_nonzero(found.press_set) < found.upper == 441
    again = most_moves(graph, stopping(200), seed=2, known=found.press_set)
    assert again.lower >= found.lower
    nothing = np.zeros(graph.size, dtype=np.bool_)
    board = Board(graph, nothing, ~nothing)
    content = json.loads(json.dumps(content_of(found)))
    assert verify_most_moves(board, content) == (found.lower, 441)
    with pytest.raises(CheckFailed, match=f"solved by {found.lower} presses, fewer than"):
        verify_most_moves(board, content | {"lower_bound": found.lower + 1})


def test_the_time_is_up_before_the_first_round(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_search, "LARGEST_TABLE", 0)
    types = bulb_types(full_graph("plus", (9, 9)))
    with pytest.raises(TimeUp):
        heaviest_by_local_search(types, limits=Limits(0))
    graph, looks = full_graph("plus", (30, 30)), Looks(None)
    bulb_types(graph, looks.clock)
    found = most_moves(graph, stopping(looks.seen + 2))
    assert found.lower <= found.upper == 441


def test_tables_and_pools_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small boards by the pool alone: the same exact numbers."""
    monkeypatch.setattr(sign_search, "LARGEST_TABLE", 0)
    for n, moves in ((4, 7), (11, 65), (14, 123)):
        found = most_moves(full_graph("plus", (n, n)), seed=1)
        assert (found.lower, found.upper) == (moves, moves)
