"""`order` from board to verdict: equal to brute force, replayed, verified."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest

import ponder
from ponder.find.order import order
from ponder.model.board import Board
from ponder.model.graph import CrossGraph
from tests import brute
from tests.boards import bits_of
from tests.clocks import stopping
from tests.depth import deep

Shape = tuple[int, int]


def judged(board: Board, edges: list[tuple[int, int]]) -> ponder.Result:
    """The result of `order`, after brute force and the checker have agreed with it."""
    result = order(board)
    size = board.graph.size
    lit = sum(1 << v for v in range(size) if board.lit[v])
    goal = sum(1 << v for v in range(size) if board.goal[v])
    fewest = brute.fewest_once(size, edges, lit, goal, board.rule)
    assert result.count == fewest
    if fewest is None:
        assert result.verdict == "impossible"
    else:
        assert result.verdict == "solved"
        assert result.presses is not None
        assert result.optimal
        assert len(set(result.presses.tolist())) == fewest
        assert brute.replays(size, edges, lit, goal, result.presses.tolist(), board.rule)
    report = ponder.verify(board, json.loads(json.dumps(result.to_json())))
    assert not report.unchecked_verdict
    return result


@pytest.mark.parametrize("step", deep(11, 1))
@pytest.mark.parametrize("shape", [(3, 4), (4, 3)])
def test_all_solvable_3x4_boards(step: int, shape: Shape) -> None:
    edges = brute.grid_edges(*shape, "cross")
    graph = CrossGraph(shape)
    solvable = {tuple(graph.apply(bits_of(s, 12)).tolist()) for s in range(1 << 12)}
    assert len(solvable) == 2**9
    for change in sorted(solvable)[::step]:
        judged(Board(graph, ~np.array(change), np.ones(12, dtype=np.bool_)), edges)


@pytest.mark.parametrize("count", deep(30, 100))
def test_random_solvable_5x5_boards(count: int) -> None:
    """Against the coset: all 256 press sets, each by the table of orderable subsets' theory."""
    rng = np.random.default_rng(5)
    graph = CrossGraph((5, 5))
    kernel = [
        np.array([[(u >> i & 1) ^ (v >> j & 1) for j in range(5)] for i in range(5)]).reshape(-1)
        for u, v in itertools.product(range(32), range(32))
        if u.bit_count() % 2 == 0 and v.bit_count() % 2 == 0
    ]
    members = np.unique(np.array(kernel, dtype=np.bool_), axis=0)
    assert len(members) == 256
    edges = brute.grid_edges(5, 5, "cross")
    for _ in range(count):
        presses = rng.random(25) < rng.choice([0.2, 0.35, 0.5])
        board = Board(graph, ~graph.apply(presses), np.ones(25, dtype=np.bool_))
        result = order(board)
        sets = [np.flatnonzero(presses ^ m) for m in members]
        sets.sort(key=len)
        fewest = None
        for chosen in sets:
            if result.count is not None and chosen.size < result.count:
                within = [
                    (int(np.searchsorted(chosen, a)), int(np.searchsorted(chosen, b)))
                    for a, b in edges
                    if a in chosen and b in chosen
                ]
                if brute.orderable(chosen.size, within):
                    fewest = chosen.size
                    break
        assert fewest is None, "a lighter press set has an order"
        assert result.verdict == "solved"
        assert result.presses is not None
        lit = sum(1 << v for v in range(25) if board.lit[v])
        assert brute.replays(25, edges, lit, (1 << 25) - 1, result.presses.tolist())


def test_claims_on_a_given_press_set() -> None:
    board = Board.from_rows(["110", "101", "011"])
    free = order(board)
    assert free.presses is not None
    result = order(board, press_set=free.presses)
    assert (result.verdict, result.count, result.lower_bound) == ("solved", free.count, None)
    ponder.verify(board, json.loads(json.dumps(result.to_json())))
    with pytest.raises(ponder.BoardError, match="bulbs wrong"):
        order(board, press_set=np.array([], dtype=np.int64))
    with pytest.raises(ponder.BoardError, match="listed twice"):
        order(board, press_set=np.array([0, 0]))
    refuted = Board.from_rows(["0110", "0000", "0000", "0000"])
    sets = ponder.press_sets(refuted)
    assert isinstance(sets, ponder.PressSets)
    claim = order(refuted, press_set=np.flatnonzero(sets.particular))
    if claim.verdict == "impossible":
        assert claim.claim == "C1"


def test_methods_must_fit() -> None:
    with pytest.raises(ponder.PonderError, match="unknown method"):
        order(Board.from_rows(["00"]), method="magic")  # type: ignore[arg-type]
    with pytest.raises(ponder.PonderError, match="the method lines"):
        order(Board.from_rows(["00"], pattern="plus"), method="lines")


def test_greedy_reports_its_trials() -> None:
    board = ponder.read("instances/ibm-2023-04-24x24.txt")
    result = order(board, method="greedy", trials=2, variant="random", direction="forwards", seed=1)
    assert result.statistics["trials"] in (1, 2)
    assert result.statistics["placed"]
    assert result.verdict in ("solved", "unknown")
    again = order(board, method="greedy", trials=2, variant="random", direction="forwards", seed=1)
    assert again.statistics == result.statistics


def test_a_time_limit_gives_unknown_never_impossible() -> None:
    board = ponder.read("instances/ibm-2023-04-24x24.txt")
    result = order(board, method="greedy", timeout=0.0)
    assert result.verdict == "unknown"
    assert result.claim is None
    assert result.lower_bound is None
    bounds = []
    for look in range(1, 40):
        result = order(board, method="greedy", timeout=stopping(look))
        assert result.verdict != "impossible"
        assert result.claim is None
        bounds.append(result.lower_bound)
    assert set(bounds) == {None, 280}
