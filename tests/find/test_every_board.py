"""`order` and `solve` against brute force: every board to 4x4, and random boards with many sets.

Every pattern, every rule, both orientations of every shape, and three goals: all lit, all unlit,
and one drawn for the shape. What is compared is the number of presses, which must be proved the
fewest, or that there is none; every seventh answer goes through the checker as well.

The default run takes 5 boards of every shape to 3x3 and a few of 4x4. `pytest -m deep` takes one
board of each class: boards are alike that a symmetry of the shape, of its pattern and of its goal
turns into each other (reflections, shifts of a torus, swaps of lines of a row/column board). Where
a shape has more than MOST classes, as with most drawn goals, it takes every 23rd. With the variable
PONDER_EVERY_BOARD set it takes all boards: 4 million, each by both commands, two hours of one
processor.
"""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

import ponder
from ponder.check.result import Result
from ponder.find.linear.press_sets import PressSets, press_sets
from ponder.model.board import RULES, Board, Rule
from ponder.model.graph import Graph, grid_graph
from ponder.system.types import Bits
from tests import brute
from tests.boards import edges_of, numbered, random_coset_board
from tests.depth import deep

Shape = tuple[int, int]

SLANTED = "stencil 0,1 0,-1 1,1 -1,-1"
PATTERNS = ("cross", "plus", "king", "torus-plus", "torus-king", SLANTED)
GOALS = ("lit", "unlit", "drawn")
EVERY = bool(os.environ.get("PONDER_EVERY_BOARD"))
MOST = 12_000
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


def edges_between(pattern: str, shape: Shape) -> list[tuple[int, int]]:
    if pattern == SLANTED:
        return edges_of(grid_graph(pattern, shape))
    return brute.grid_edges(*shape, pattern)


def symmetries(pattern: str, shape: Shape, goal: int) -> list[list[int]]:
    """Permutations of the bulbs that keep edges and goal: those of a list that do."""
    cells = np.arange(shape[0] * shape[1]).reshape(shape)
    candidates = [cells[::-1], cells[:, ::-1], np.roll(cells, 1, 0), np.roll(cells, 1, 1)]
    candidates += [cells.T] * (shape[0] == shape[1]) + [cells[::-1, ::-1]]
    for axis, count in enumerate(shape):
        for k in range(count - 1):
            lines = list(range(count))
            lines[k : k + 2] = k + 1, k
            candidates.append(np.take(cells, lines, axis))
    edges = {frozenset(edge) for edge in edges_between(pattern, shape)}
    found = []
    for candidate in candidates:
        to = candidate.ravel().tolist()
        moved = {frozenset((to[u], to[v])) for u, v in edges}
        if moved == edges and all((goal >> v & 1) == (goal >> w & 1) for v, w in enumerate(to)):
            found.append(to)
    return found


def classes(pattern: str, shape: Shape, goal: int) -> list[int]:
    """The least start state of each class of boards that are alike."""
    size = shape[0] * shape[1]
    states = np.arange(1 << size)
    images = [
        sum((states >> v & 1) << w for v, w in enumerate(to))
        for to in symmetries(pattern, shape, goal)
    ]
    least = states.copy()
    while True:
        before = least.copy()
        for image in images:
            np.minimum.at(least, image, least.copy())
            least = np.minimum(least, least[image])
        if (least == before).all():
            return [int(state) for state in states[least == states]]


def test_classes() -> None:
    """As many as are known, up to reflections, swaps of lines, or shifts."""
    assert len(classes("plus", (2, 2), 0)) == 6
    assert len(classes("plus", (4, 4), 0)) == 8548  # A054247
    assert len(classes("cross", (4, 4), 0)) == 192  # A006383
    assert len(classes("torus-plus", (4, 4), 0)) == 805  # A255016, with transpositions
    assert classes("plus", (2, 3), 0b000001) == list(range(64))


def every_board(
    pattern: str, rule: Rule, kind: str, shape: Shape, states: Sequence[int] | None
) -> int:
    """Judge the boards of these start states, None for one of each class; how many there were."""
    graph = grid_graph(pattern, shape)
    size, goal = graph.size, goal_of(graph, kind)
    edges = edges_between(pattern, shape)
    if states is None:
        states = classes(pattern, shape, goal)
        states = states[:: 1 if len(states) <= MOST else 23]
    once = brute.fewest_once_everywhere(size, edges, goal, rule)
    fewest = brute.distances(size, edges, goal, rule)
    for at, state in enumerate(states):
        single = int(once[state])
        board = numbered(graph, state, goal, rule)
        both(board, single if single <= size else None, fewest.get(state), verify=at % 7 == 0)
    return len(states)


@pytest.mark.parametrize("most", deep(2, 8))
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("pattern", PATTERNS)
def test_some_boards_to_3x3(most: int, pattern: str, rule: Rule) -> None:
    for kind, shape in itertools.product(GOALS, itertools.product(range(1, 4), range(1, 4))):
        every = 1 << shape[0] * shape[1]
        every_board(pattern, rule, kind, shape, range(every % 5, every, every // most + 1))


@pytest.mark.parametrize("step", deep(1999, 463))
@pytest.mark.parametrize("pattern", PATTERNS)
def test_some_boards_of_4x4(step: int, pattern: str) -> None:
    every_board(pattern, "unlit", "lit", (4, 4), range(0, 1 << 16, step))


@pytest.mark.deep
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("kind", GOALS)
def test_boards_to_4x4(pattern: str, rule: Rule, kind: str) -> None:
    judged = 0
    for rows, columns in SHAPES:
        size = rows * columns
        states = range(1 << size) if EVERY or size <= 9 else None
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
