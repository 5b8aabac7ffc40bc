"""`ponder.order` and `ponder.solve` from board to checked answer, on random boards of every kind.

A case of twenty boards runs all of them: the time is that of the slowest, the remark says how many
were proved.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from ponder.find.order import order
from ponder.find.solve import solve
from ponder.model.board import Board
from ponder.model.formats import read
from ponder.model.graph import grid_graph
from tests.bench import Case
from tests.boards import solved_by

IBM = Path(__file__).parents[2] / "instances" / "ibm-2023-04-30x30.txt"


def solvable(pattern: str, shape: tuple[int, int], seed: int) -> Board:
    """A board that a random press set solves."""
    graph = grid_graph(pattern, shape)
    presses = np.random.default_rng(seed).random(graph.size) < 0.5
    return solved_by(graph, presses)


def warm() -> None:
    """Load the libraries."""
    for pattern in ("cross", "plus"):
        solve(solvable(pattern, (4, 5), 0))
        order(solvable(pattern, (4, 5), 0))


def one(ask: Callable[[Board], object], make: Callable[[], Board]) -> Callable[[], object]:
    """Ask about one board."""
    warm()
    board = make()
    return lambda: ask(board)


def ordered(pattern: str, size: int) -> Callable[[], Callable[[], object]]:
    """Decide one random board."""

    def ask(board: Board) -> str:
        result = order(board)
        return result.verdict if result.refutation is None else result.refutation.kind

    return lambda: one(ask, lambda: solvable(pattern, (size, size), 1))


def fewest(pattern: str, size: int) -> Callable[[], Callable[[], object]]:
    """Solve one random board."""
    return lambda: one(
        lambda board: f"optimal: {solve(board).optimal}", lambda: solvable(pattern, (size, size), 1)
    )


def general_route() -> Callable[[], object]:
    """The 429 presses with the row/column theorem switched off."""
    return one(lambda board: order(board, method="spanning").verdict, lambda: read(IBM))


def twenty(pattern: str, size: int, limit: float) -> Callable[[], Callable[[], object]]:
    """Solve twenty random boards; report how many were proved within the limit, and the slowest."""

    def prepare() -> Callable[[], object]:
        warm()
        boards = [solvable(pattern, (size, size), 1000 + seed) for seed in range(20)]

        def job() -> str:
            seconds, proved = [], 0
            for board in boards:
                start = time.perf_counter()
                proved += solve(board, timeout=limit).optimal
                seconds.append(time.perf_counter() - start)
            return (
                f"{proved} of 20 proved; median {np.median(seconds):.3f} s, "
                f"slowest {max(seconds):.3f} s"
            )

        return job

    return prepare


CASES = [
    Case("order, random plus 10x10", 0.1, ordered("plus", 10), memory=2),
    Case("order, random plus 50x50", 0.5, ordered("plus", 50), memory=2),
    Case("order, random plus 300x300", 10.0, ordered("plus", 300), memory=2),
    Case("order, random king 12x12", 1.0, ordered("king", 12), memory=2),
    Case("order, random torus-plus 20x20", 1.0, ordered("torus-plus", 20), memory=2),
    Case("order, IBM 30x30 by the general route", 2.0, general_route, memory=2),
    Case("solve, row/column 24x24", 0.02, fewest("cross", 24), runs=20),
    Case("solve, row/column 30x30", 0.02, fewest("cross", 30), runs=20),
    Case("solve, row/column 1000x1000", 3.0, fewest("cross", 1000), runs=3),
    Case("solve, twenty row/column 11x11", 20 * 1.0, twenty("cross", 11, 1.0), runs=1),
    Case("solve, twenty row/column 15x15", 20 * 5.0, twenty("cross", 15, 5.0), runs=1),
    Case("solve, twenty row/column 21x21", 20 * 60.0, twenty("cross", 21, 60.0), runs=1),
    Case("solve, twenty plus 10x10", 20 * 0.5, twenty("plus", 10, 0.5), runs=1),
    Case("solve, twenty plus 15x15", 20 * 5.0, twenty("plus", 15, 5.0), runs=1),
    Case("solve, twenty plus 20x20", 20 * 60.0, twenty("plus", 20, 60.0), runs=1),
]
