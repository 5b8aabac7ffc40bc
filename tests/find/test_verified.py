"""Whatever ponder answers, `verify` accepts whole: no claim rests on a solver's word."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import ponder
from ponder.check.result import Result
from ponder.check.verification import verify
from ponder.model.board import Board, Rule
from ponder.model.edge_graph import EdgeGraph
from ponder.model.formats import read
from ponder.model.graph import Graph, grid_graph
from tests.boards import random_edges, solved_by

INSTANCES = Path(__file__).parents[2] / "instances"
PATTERNS = ("cross", "plus", "king", "torus-plus", "torus-king", "stencil 1,2 -1,-2")
WORDS = ("rests on", "not checked", "rests_on", "integer-model", "cp-sat")


def a_board(pattern: str, seed: int, sides: tuple[int, int]) -> Board:
    """Draw a board that some press set solves, or (one in eight) any."""
    rng = np.random.default_rng(seed)
    shape = (int(rng.integers(*sides)), int(rng.integers(*sides)))
    graph: Graph
    if pattern == "graph":
        import random

        size = int(rng.integers(2, 2 + shape[0] * shape[1]))
        graph = EdgeGraph(size, random_edges(size, 3 / size, random.Random(seed)))
    else:
        graph = grid_graph(pattern, shape)
    rule: Rule = rng.choice(["unlit", "unlit", "lit", "any"])
    bits = rng.random(graph.size) < 0.5
    goal = (
        np.ones(graph.size, dtype=np.bool_) if rng.random() < 0.7 else rng.random(bits.size) < 0.5
    )
    if rng.random() < 0.125:
        return Board(graph, bits, goal, rule)
    return solved_by(graph, bits, goal, rule)


def all_checked(board: Board, result: Result) -> None:
    text = json.dumps(result.to_json())
    report = verify(board, json.loads(text))
    assert report.complete, f"{board.name}: {report.statements}"
    assert not any(word in text for word in WORDS)


@pytest.mark.parametrize("pattern", [*PATTERNS, "graph"])
def test_every_answer_is_checked_whole(pattern: str) -> None:
    sweep(pattern, range(12), (2, 8))


@pytest.mark.deep
@pytest.mark.parametrize("pattern", [*PATTERNS, "graph"])
def test_every_answer_is_checked_whole_deep(pattern: str) -> None:
    sweep(pattern, range(200), (2, 11))


def sweep(pattern: str, seeds: range, sides: tuple[int, int]) -> None:
    for seed in seeds:
        board = a_board(pattern, seed, sides)
        for command in (ponder.order, ponder.solve):
            all_checked(board, command(board, timeout=5))


@pytest.mark.parametrize("name", ["cpsat", "sat"])
def test_every_answer_by_an_encoding_is_checked_whole(name: str) -> None:
    for seed in range(6):
        board = a_board(("cross", "plus", "king")[seed % 3], seed, (2, 6))
        all_checked(board, ponder.order(board, method=name, timeout=10))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "file", sorted(path.name for path in INSTANCES.iterdir() if path.name != "expected.json")
)
def test_every_instance_is_checked_whole(file: str) -> None:
    board = read(INSTANCES / file)
    for command in (ponder.order, ponder.solve):
        all_checked(board, command(board, timeout=10))
