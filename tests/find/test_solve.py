"""`solve` from board to verdict: equal to exhaustive search, replayed, verified, honest."""

from __future__ import annotations

import json
import os
import signal

import numpy as np
import pytest

import ponder
from ponder.find.solve import solve
from ponder.model.board import Board
from ponder.model.graph import Graph, grid_graph
from ponder.system.limits import Limits
from ponder.system.types import Bits
from tests import brute
from tests.boards import bits_of
from tests.clocks import Looks
from tests.depth import deep

Shape = tuple[int, int]
Edges = list[tuple[int, int]]


def number(bits: Bits) -> int:
    return sum(1 << v for v, bit in enumerate(bits) if bit)


def judge(board: Board, edges: Edges, table: dict[int, int], *, verify: bool = True) -> None:
    """`solve` must equal the table of distances, and everything it says must hold."""
    result = solve(board)
    size, lit, goal = board.graph.size, number(board.lit), number(board.goal)
    fewest = table.get(lit)
    if fewest is None:
        assert (result.verdict, result.claim) == ("impossible", "C4")
    else:
        assert result.verdict == "solved"
        assert (result.count, result.lower_bound, result.optimal) == (fewest, fewest, True)
        assert result.presses is not None
        assert brute.replays(size, edges, lit, goal, result.presses.tolist(), board.rule)
    if verify:
        ponder.verify(board, json.loads(json.dumps(result.to_json())))


def every_state(graph: Graph, edges: Edges, step: int) -> None:
    size = graph.size
    target = (1 << size) - 1
    table = brute.distances(size, edges, target)
    for state in range(0, 1 << size, step):
        board = Board(graph, bits_of(state, size), bits_of(target, size))
        judge(board, edges, table, verify=state % 7 == 0)


@pytest.mark.parametrize(
    ("pattern", "shape"),
    [("cross", (3, 4)), ("cross", (4, 4)), ("plus", (3, 4)), ("king", (3, 4)), ("plus", (4, 4))],
)
@pytest.mark.parametrize("step", deep(127, 5))
def test_boards_beyond_the_corpus(pattern: str, shape: Shape, step: int) -> None:
    every_state(grid_graph(pattern, shape), brute.grid_edges(*shape, pattern), step=step)


def test_at_most() -> None:
    board = ponder.read("instances/ibm-2023-04-30x30.txt")
    yes = solve(board, at_most=429)
    assert (yes.verdict, yes.count) == ("solved", 429)
    no = solve(board, at_most=428)
    assert (no.verdict, no.claim, no.presses, no.lower_bound) == ("impossible", "C3", None, 429)
    for result in (yes, no):
        ponder.verify(board, json.loads(json.dumps(result.to_json())))


@pytest.mark.parametrize("size", [6, 10, 24, 30, 100])
def test_random_even_boards_meet_the_bound(size: int) -> None:
    rng = np.random.default_rng(size)
    for _ in range(20):
        board = Board.from_grid(rng.random((size, size)) < 0.5)
        result = solve(board)
        assert result.optimal
        if size <= 30:
            ponder.verify(board, json.loads(json.dumps(result.to_json())))


@pytest.mark.parametrize("how", ["interrupted", "time is up"])
def test_what_is_known_is_said_when_it_ends_early(how: str) -> None:
    """A sequence and a bound, when both are known and do not meet: by Ctrl-C, by the clock."""
    graph = grid_graph("plus", (24, 24))
    presses = np.random.default_rng(6).random(graph.size) < 0.5
    board = Board.from_grid(graph.to_grid(~graph.apply(presses)), "plus")
    told: list[str] = []

    def tell(text: str) -> None:
        if text.startswith("between ") and not text.startswith("between 0 "):
            told.append(text)
            if how == "interrupted" and len(told) == 2:
                os.kill(os.getpid(), signal.SIGINT)

    limits = Limits(None, lambda: how != "interrupted" and len(told) >= 2)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        result = solve(board, timeout=limits, progress=tell)
    finally:
        signal.signal(signal.SIGINT, before)
    assert result.verdict == "solved"
    assert (result.reason == "interrupted") == (how == "interrupted")
    assert result.count is not None
    assert result.lower_bound is not None
    assert 0 < result.lower_bound < result.count
    ponder.verify(board, json.loads(json.dumps(result.to_json())))


@pytest.mark.parametrize(("pattern", "size"), [("plus", 6), ("torus-king", 6), ("cross", 7)])
def test_a_search_gets_better_and_ends_like_solve(pattern: str, size: int) -> None:
    board = ponder.generate(pattern, size, seed=1)
    looks = Looks(None)
    last = solve(board, timeout=looks.clock)
    *before, final = ponder.search(board)
    assert (final.count, final.lower_bound, final.reason) == (
        last.count,
        last.lower_bound,
        last.reason,
    )
    assert ponder.verify(board, final).complete
    known = [(x.lower_bound or 0, -(x.count or board.graph.size * 9)) for x in before]
    assert known == sorted(set(known))
    for earlier in before:
        ponder.verify(board, earlier)  # its presses; its bound is proved by the last


def test_a_search_that_is_closed_looks_at_no_clock_again() -> None:
    looks = Looks(None)
    steps = ponder.search(ponder.generate("torus-king", 12, seed=1), timeout=looks.clock)
    while next(steps).count is None:
        pass
    seen = looks.seen
    steps.close()
    assert looks.seen == seen
    assert list(steps) == []
