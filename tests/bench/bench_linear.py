"""The linear stage: all press sets of a board.

Boards are random but solvable, so that press sets, not witnesses, are found; the seed is fixed.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ponder.find.linear import gf2
from ponder.find.linear.press_sets import press_sets
from ponder.model.board import Board
from ponder.model.graph import grid_graph
from tests.bench import Case
from tests.boards import solved_by


def solvable_board(pattern: str, shape: tuple[int, int], holes: float = 0.0) -> Board:
    """A random board that some press set solves."""
    rng = np.random.default_rng(2023)
    mask = rng.random(shape) >= holes if holes else None
    graph = grid_graph(pattern, shape, mask)
    presses = rng.random(graph.size) < 0.5
    return solved_by(graph, presses)


def linear_stage(
    pattern: str, shape: tuple[int, int], holes: float = 0.0
) -> Callable[[], Callable[[], object]]:
    """All press sets of one board; the board is made before the clock starts."""

    def prepare() -> Callable[[], object]:
        board = solvable_board(pattern, shape, holes)
        board.change  # noqa: B018  (computed once, on demand)
        return lambda: press_sets(board)

    return prepare


def elimination(size: int) -> Callable[[], Callable[[], object]]:
    """Reduced form of a random dense matrix."""

    def prepare() -> Callable[[], object]:
        rng = np.random.default_rng(2023)
        words = rng.integers(0, 2**64, size=(size, size // 64), dtype=np.uint64)
        return lambda: gf2.eliminate(words, size)

    return prepare


CASES = [
    Case("dense elimination 4096x4096", 1.0, elimination(4096)),
    Case("press sets, cross 30x30", 0.003, linear_stage("cross", (30, 30))),
    Case("press sets, cross 4000x4000", 1.0, linear_stage("cross", (4000, 4000))),
    Case("press sets, cross 10000x10000", 5.0, linear_stage("cross", (10000, 10000))),
    Case("press sets, cross 2000x2000, 10 % holes", 2.0, linear_stage("cross", (2000, 2000), 0.1)),
    Case("press sets, plus 5x5", 0.003, linear_stage("plus", (5, 5))),
    Case("press sets, plus 1000x1000", 2.0, linear_stage("plus", (1000, 1000))),
    Case("press sets, torus-plus 200x200", 2.0, linear_stage("torus-plus", (200, 200))),
    Case("press sets, king 300x300", 2.0, linear_stage("king", (300, 300))),
    Case("press sets, king 2000x2000", 2.0, linear_stage("king", (2000, 2000))),
    Case("press sets, torus-king 2000x2000", 2.0, linear_stage("torus-king", (2000, 2000))),
    Case("press sets, plus 300x300, 10 % holes", 2.0, linear_stage("plus", (300, 300), 0.1)),
]
