"""Blocks that were refused an order: where they are met again, and what a search makes of them."""

from __future__ import annotations

import numpy as np
import pytest

from ponder.check.local_refutations import LocalRefutation
from ponder.find.cosets import annealing
from ponder.find.cosets.annealing import CosetSearch, RefusedBlocks
from ponder.find.linear.press_sets import PressSets, press_sets
from ponder.find.ordering.engine import find_order
from ponder.find.ordering.odd_component_batches import OddComponents
from ponder.find.search.context import SearchContext
from ponder.model.board import Board
from ponder.model.graph import grid_graph
from ponder.model.ordering_problem import Order, OrderingProblem
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints
from tests.boards import solved_by


def even_press_sets(board: Board, some: Bits) -> Bits:
    assert board.odd_later is not None
    odd = OddComponents(board.graph, board.odd_later)
    even = [k for k in range(len(some)) if odd.count(some[k, None])[0] == 0]
    return some[np.array(even, dtype=np.int64)]


@pytest.mark.parametrize("pattern", ["king", "torus-king"])
def test_a_block_that_hangs_at_one_bulb_is_refused_wherever_it_is_met(pattern: str) -> None:
    """Whatever is pressed elsewhere, if no component is odd; a block without a hold is one too."""
    rng, met = np.random.default_rng(7), 0
    graph = grid_graph(pattern, (5, 5))
    for _ in range(40):
        board = solved_by(graph, rng.random(graph.size) < 0.5)
        for press_set in even_press_sets(board, rng.random((600, graph.size)) < 0.4)[:20]:
            why, _ = find_order(OrderingProblem.of_board(board, press_set), SearchContext())
            if not isinstance(why, LocalRefutation):
                continue
            near, owner = graph.neighbourhoods(why.members)
            if np.unique(owner[press_set[near] & ~np.isin(near, why.members)]).size > 1:
                continue
            blocks = RefusedBlocks(graph)
            blocks.add(press_set, why.members)
            others = np.repeat(press_set[None], 3000, axis=0)
            others ^= rng.random(others.shape) < 0.15
            others = even_press_sets(board, others[blocks.count(others) == 1])
            for other in others[:20]:
                met += 1
                problem = OrderingProblem.of_board(board, other)
                assert not isinstance(find_order(problem, SearchContext())[0], Order)
    assert met > 50


def test_a_search_passes_over_what_is_refused() -> None:
    """Every press set that it names was judged; none has a block that was refused."""
    graph = grid_graph("king", (8, 8))
    board = solved_by(graph, np.random.default_rng(3).random(graph.size) < 0.5)
    sets = press_sets(board)
    assert isinstance(sets, PressSets)
    search, refused = CosetSearch(board, sets, seed=1, once=True), list[tuple[Bits, Ints]]()
    judged = set[bytes]()

    def judge(press_set: Bits, limits: Limits) -> Ints | None:
        assert press_set.tobytes() not in {old.tobytes() for old, _ in refused}
        judged.add(press_set.tobytes())
        if len(refused) == 3:
            return None
        refused.append((press_set.copy(), np.flatnonzero(press_set)[:3]))
        return refused[-1][1]

    search.judge = judge
    found = [one for _ in range(4) for _, one in search.annealed(400, NEVER)]
    assert len(refused) == 3
    assert found
    blocks = RefusedBlocks(graph)
    for press_set, block in refused:
        blocks.add(press_set, block)
    for one in found:
        assert one.tobytes() in judged
        assert not blocks.count(one[None])[0]


def test_of_many_blocks_the_first_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a long search does not get slower and slower."""
    monkeypatch.setattr(annealing, "MOST_BLOCKS", 3)
    blocks, pressed = RefusedBlocks(grid_graph("plus", (1, 9))), np.eye(9, dtype=np.bool_)
    for v in range(5):
        blocks.add(pressed[v], np.array([v]))
    assert blocks.count(pressed).tolist() == [0, 0, 1, 1, 1, 0, 0, 0, 0]
    assert blocks.added == 5
