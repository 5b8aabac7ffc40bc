"""Speed of the linear stage: `python -m tests.bench.bench_linear`.

Prints the median and the least wall-clock time of several runs. Boards are random but solvable,
so that press sets, not witnesses, are found; the seed is fixed.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np

from ponder import gf2
from ponder.board import Board
from ponder.graph import grid_graph
from ponder.presses import press_sets

RUNS = 5


def solvable_board(pattern: str, shape: tuple[int, int], holes: float = 0.0) -> Board:
    """A random board that some press set solves."""
    rng = np.random.default_rng(2023)
    mask = rng.random(shape) >= holes if holes else None
    graph = grid_graph(pattern, shape, mask)
    presses = rng.random(graph.size) < 0.5
    return Board(graph, ~graph.apply(presses), np.ones(graph.size, dtype=np.bool_))


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


CASES: dict[str, Callable[[], Callable[[], object]]] = {
    "dense elimination 4096 × 4096": elimination(4096),
    "cross 30 × 30": linear_stage("cross", (30, 30)),
    "cross 4000 × 4000": linear_stage("cross", (4000, 4000)),
    "cross 10000 × 10000": linear_stage("cross", (10000, 10000)),
    "cross 2000 × 2000, 10 % holes": linear_stage("cross", (2000, 2000), 0.1),
    "plus 5 × 5": linear_stage("plus", (5, 5)),
    "plus 1000 × 1000": linear_stage("plus", (1000, 1000)),
    "torus-plus 200 × 200": linear_stage("torus-plus", (200, 200)),
    "king 300 × 300": linear_stage("king", (300, 300)),
    "plus 300 × 300, 10 % holes": linear_stage("plus", (300, 300), 0.1),
}


def main() -> None:
    """Print the table."""
    print(f"{'case':32}{'median ms':>12}{'least ms':>12}")
    for name, prepare in CASES.items():
        run = prepare()
        times = []
        for _ in range(RUNS):
            start = time.perf_counter()
            run()
            times.append(1000 * (time.perf_counter() - start))
        print(f"{name:32}{statistics.median(times):12.2f}{min(times):12.2f}", flush=True)


if __name__ == "__main__":
    main()
