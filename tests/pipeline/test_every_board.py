"""`order` and `solve` against brute force: every board to 4x4, and random boards with many sets.

Every pattern, every rule, both orientations of every shape, and three goals: all lit, all unlit,
and one drawn for the shape. What is compared is the number of presses, which must be proved the
fewest, or that there is none; every seventh answer goes through the checker as well.

The default run takes 8 boards of every shape to 3x3 and a few of 4x4. `pytest -m deep` takes every
STRIDE-th board, and every board with the environment variable PONDER_EVERY_BOARD set: 4 million
boards, each by both commands, two hours of one processor.
"""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Iterator

import numpy as np
import pytest

import ponder
from ponder.linear.press_sets import PressSets, press_sets
from ponder.puzzle.board import RULES, Board, Rule
from ponder.puzzle.graph import Graph, grid_graph
from ponder.puzzle.result import Result
from ponder.types import Bits
from tests import brute
from tests.boards import edges_of, numbered, random_coset_board

Shape = tuple[int, int]

SLANTED = "stencil 0,1 0,-1 1,1 -1,-1"
PATTERNS = ("cross", "plus", "king", "torus-plus", "torus-king", SLANTED)
GOALS = ("lit", "unlit", "drawn")
STRIDE = 1 if os.environ.get("PONDER_EVERY_BOARD") else 23
SHAPES: tuple[Shape, ...] = tuple(itertools.product(range(1, 5), range(1, 5)))


def judge(result: Result, fewest: int | None) -> None:
    """The fewest presses, proved and replayed by brute force; or a proof that there are none."""
    board = result.board
    if fewest is None:
        assert result.verdict == "impossible"
        assert result.claim in {"C2", "C4"}
        return
    assert (result.verdict, result.count, result.optimal) == ("solved", fewest, True)
    assert result.presses is not None
    size, edges = board.graph.size, edges_of(board.graph)
    lit, goal = number(board.lit), number(board.goal)
    assert brute.replays(size, edges, lit, goal, result.presses.tolist(), board.rule)


def both(board: Board, once: int | None, fewest: int | None, *, verify: bool) -> None:
    """Compare both commands with brute force."""
    for result, expected in ((ponder.order(board), once), (ponder.solve(board), fewest)):
        judge(result, expected)
        if verify:
            report = ponder.verify(board, json.loads(json.dumps(result.to_json())))
            assert not report.unchecked_verdict


def number(bits: Bits) -> int:
    return sum(1 << v for v in np.flatnonzero(bits).tolist())


def goal_of(graph: Graph, kind: str) -> int:
    everything = (1 << graph.size) - 1
    if kind == "drawn":
        return int(np.random.default_rng(graph.size).integers(everything + 1))
    return everything if kind == "lit" else 0


def every_board(pattern: str, rule: Rule, kind: str, shape: Shape, states: range) -> int:
    """Judge the boards of these start states; how many there were."""
    graph = grid_graph(pattern, shape)
    size, goal = graph.size, goal_of(graph, kind)
    edges = edges_of(graph) if pattern == SLANTED else brute.grid_edges(*shape, pattern)
    once = brute.fewest_once_everywhere(size, edges, goal, rule)
    fewest = brute.distances(size, edges, goal, rule)
    for at, state in enumerate(states):
        single = int(once[state])
        board = numbered(graph, state, goal, rule)
        both(board, single if single <= size else None, fewest.get(state), verify=at % 7 == 0)
    return len(states)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("pattern", PATTERNS)
def test_some_boards_to_3x3(pattern: str, rule: Rule) -> None:
    for kind, shape in itertools.product(GOALS, itertools.product(range(1, 4), range(1, 4))):
        every = 1 << shape[0] * shape[1]
        every_board(pattern, rule, kind, shape, range(every % 5, every, (every >> 3) + 1))


@pytest.mark.parametrize("pattern", PATTERNS)
def test_some_boards_of_4x4(pattern: str) -> None:
    every_board(pattern, "unlit", "lit", (4, 4), range(0, 1 << 16, 463))


@pytest.mark.deep
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("kind", GOALS)
def test_boards_to_4x4(pattern: str, rule: Rule, kind: str) -> None:
    judged = 0
    for rows, columns in SHAPES:
        size = rows * columns
        states = range(0, 1 << size, STRIDE if size > 9 else 1)
        judged += every_board(pattern, rule, kind, (rows, columns), states)
    print(f"{judged} boards")


# Random boards with many press sets


def with_many_sets(seed: int, count: int, most: int) -> Iterator[Board]:
    rng = np.random.default_rng([seed, 77])
    while count:
        board = random_coset_board(rng, most, RULES)
        sets = press_sets(board)
        assert isinstance(sets, PressSets)
        if sets.nullity >= 3:
            count -= 1
            yield board


@pytest.mark.parametrize(
    ("seed", "count", "most"),
    [(0, 40, 10), *(pytest.param(k, 100, 16, marks=pytest.mark.deep) for k in range(1, 21))],
)
def test_random_boards(seed: int, count: int, most: int) -> None:
    """2,000 boards in the deep sweep, nullity 3 or more."""
    for board in with_many_sets(seed, count, most):
        size, edges = board.graph.size, edges_of(board.graph)
        lit, goal = number(board.lit), number(board.goal)
        single = int(brute.fewest_once_everywhere(size, edges, goal, board.rule)[lit])
        fewest = brute.distances(size, edges, goal, board.rule).get(lit)
        both(board, single if single <= size else None, fewest, verify=True)
