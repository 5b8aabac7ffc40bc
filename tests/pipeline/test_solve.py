"""`solve` from board to verdict: equal to exhaustive search, replayed, verified, honest."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import ponder
from ponder.pipeline.solve import solve
from ponder.puzzle.board import Board, Rule
from ponder.puzzle.formats import board_text
from ponder.puzzle.graph import EdgeGraph, Graph, grid_graph
from ponder.types import Bits
from tests import brute
from tests.boards import bits_of

Shape = tuple[int, int]
Edges = list[tuple[int, int]]


def number(bits: Bits) -> int:
    return sum(1 << v for v, bit in enumerate(bits) if bit)


def judge(board: Board, edges: Edges, found: dict[int, int], *, verify: bool = True) -> None:
    """`solve` must equal the table of distances, and everything it says must hold."""
    result = solve(board)
    size, lit, goal = board.graph.size, number(board.lit), number(board.goal)
    fewest = found.get(lit)
    if fewest is None:
        assert (result.verdict, result.claim) == ("impossible", "C4")
    else:
        assert result.verdict == "solved"
        assert (result.count, result.lower_bound, result.optimal) == (fewest, fewest, True)
        assert result.presses is not None
        assert brute.replays(size, edges, lit, goal, result.presses.tolist(), board.rule)
    if verify:
        ponder.verify(board, json.loads(json.dumps(result.to_json())))


def every_state(
    graph: Graph, edges: Edges, rule: Rule = "unlit", goal: int | None = None, step: int = 1
) -> None:
    size = graph.size
    target = (1 << size) - 1 if goal is None else goal
    found = brute.distances(size, edges, target, rule)
    for state in range(0, 1 << size, step):
        board = Board(graph, bits_of(state, size), bits_of(target, size), rule)
        judge(board, edges, found, verify=state % 7 == 0)


@pytest.mark.parametrize("shape", [(1, 1), (1, 3), (1, 4), (2, 2), (2, 3), (3, 2), (2, 4), (3, 3)])
def test_every_small_row_column_board(shape: Shape) -> None:
    every_state(grid_graph("cross", shape), brute.grid_edges(*shape, "cross"))


def test_row_column_3x4() -> None:
    every_state(grid_graph("cross", (3, 4)), brute.grid_edges(3, 4, "cross"))


@pytest.mark.parametrize("step", [61, pytest.param(1, marks=pytest.mark.deep)])
def test_row_column_4x4(step: int) -> None:
    every_state(grid_graph("cross", (4, 4)), brute.grid_edges(4, 4, "cross"), step=step)


@pytest.mark.parametrize("pattern", ["plus", "king"])
@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 3)])
def test_every_small_local_board(pattern: str, shape: Shape) -> None:
    every_state(grid_graph(pattern, shape), brute.grid_edges(*shape, pattern))


@pytest.mark.parametrize("rule", ["lit", "any"])
@pytest.mark.parametrize("goal", [0, 0b101010101, 0b111111111])
def test_rules_and_goals(rule: Rule, goal: int) -> None:
    for pattern in ("plus", "cross"):
        graph = grid_graph(pattern, (3, 3))
        every_state(graph, brute.grid_edges(3, 3, pattern), rule, goal, step=3)


@pytest.mark.parametrize(
    ("pattern", "shape"), [("plus", (3, 4)), ("king", (3, 4)), ("plus", (4, 4))]
)
@pytest.mark.parametrize("step", [29, pytest.param(1, marks=pytest.mark.deep)])
def test_larger_local_boards(pattern: str, shape: Shape, step: int) -> None:
    every_state(grid_graph(pattern, shape), brute.grid_edges(*shape, pattern), step=step)


@pytest.mark.parametrize("count", [6, pytest.param(50, marks=pytest.mark.deep)])
def test_every_state_of_random_graphs(count: int) -> None:
    rng = np.random.default_rng(11)
    for _ in range(count):
        size = int(rng.integers(3, 8 if count < 50 else 11))
        pairs = [(u, v) for u in range(size) for v in range(u) if rng.random() < 0.45]
        every_state(EdgeGraph(size, pairs), pairs)


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


def test_ctrl_c_leaves_a_sequence_and_a_bound(tmp_path: Path) -> None:
    board = Board.from_grid(np.random.default_rng(5).random((40, 40)) < 0.5, "plus")
    file = tmp_path / "board.txt"
    file.write_text(board_text(board), encoding="utf-8")
    command = [sys.executable, "-m", "ponder", "solve", str(file), "--json"]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(4)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert "Traceback" not in err
    result = json.loads(out)
    if running.returncode == 130:  # else it was faster than the signal
        assert result["reason"] == "interrupted"
    assert result["verdict"] == "solved"
    assert 0 < result["lower_bound"] <= result["count"]
    ponder.verify(board, result)


def test_a_time_limit_leaves_a_sequence_and_a_bound() -> None:
    board = Board.from_grid(np.random.default_rng(3).random((25, 25)) < 0.5, "plus")
    result = solve(board, timeout=1.0)
    assert result.verdict == "solved"
    assert result.count is not None
    assert result.lower_bound is not None
    assert 0 < result.lower_bound <= result.count
    ponder.verify(board, json.loads(json.dumps(result.to_json())))
