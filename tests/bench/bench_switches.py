"""How fast odd-sized row/column boards are settled: `python -m tests.bench.bench_switches`.

Random boards of each size, every one proved; median and largest time of `choose` in seconds. With
arguments, only those sizes: `python -m tests.bench.bench_switches 31x31 33x33`.
"""

from __future__ import annotations

import statistics
import sys
import time

import numpy as np

from ponder.check.kinds import Refutation
from ponder.find.search.context import SearchContext
from ponder.find.search.outcome import Chosen
from ponder.find.switching.choose import choose
from ponder.model.board import Board
from ponder.model.graph import CrossGraph
from ponder.system.limits import Limits
from ponder.system.types import Bits

SIZES: tuple[str, ...] = (
    "11x11",
    "15x15",
    "21x21",
    "25x25",
    "29x29",
    "31x31",
    "35x35",
    "41x41",
    "15x16",
    "21x40",
    "101x15",
    "27x101",
    "1001x1000",
)

SEEDS = 7


def random_board(rows: int, columns: int, seed: int, density: float) -> tuple[Board, Bits]:
    """A solvable board and one of its press sets."""
    graph = CrossGraph((rows, columns))
    presses = np.random.default_rng(seed).random(graph.size) < density
    goal = np.ones(graph.size, dtype=np.bool_)
    return Board(graph, goal ^ graph.apply(presses), goal), presses


def measure(size: str, density: float, once: bool) -> tuple[list[float], int]:
    """The seconds that each seed takes, and how many boards were settled with proof."""
    rows, columns = map(int, size.split("x"))
    seconds, proved = [], 0
    for seed in range(SEEDS):
        board, presses = random_board(rows, columns, seed, density)
        start = time.perf_counter()
        answer = choose(board, presses, once=once, context=SearchContext(limits=Limits(120)))
        seconds.append(time.perf_counter() - start)
        proved += isinstance(answer, Refutation) or (
            isinstance(answer, Chosen) and answer.cost == answer.lower_bound
        )
    return seconds, proved


def main() -> None:
    """Print the table."""
    choose(*random_board(3, 3, 0, 0.5), once=True)  # imports
    print(f"{'size':>10} {'presses':>8} {'problem':>8} {'median':>9} {'largest':>9}  proved")
    for size in sys.argv[1:] or SIZES:
        for density in (0.5, 0.06):
            for once in (True, False):
                seconds, proved = measure(size, density, once)
                print(
                    f"{size:>10} {density:>8.0%} {'once' if once else 'repeats':>8} "
                    f"{statistics.median(seconds):>9.4f} {max(seconds):>9.4f}  {proved}/{SEEDS}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
