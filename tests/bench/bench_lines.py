"""Speed and memory of `order_lines`: python -m tests.bench.bench_lines [--most-presses N]

Every board is measured in a process of its own. The time is the median of several calls after a
first one that loads the libraries, each on a fresh problem; boards are made and the press set is
found outside the clock. The memory is the process's peak, the board and its making included.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from ponder.board import Board
from ponder.formats import read
from ponder.generate import balanced_lines
from ponder.lines import order_lines
from ponder.ordering import OrderingProblem

INSTANCES = Path(__file__).parents[2] / "instances"


@dataclass(frozen=True)
class Timing:
    """One line of the table."""

    name: str
    presses: int
    answer: str
    seconds: float
    runs: int
    peak: int

    def __str__(self) -> str:
        each = self.seconds / max(self.presses, 1)
        return (
            f"{self.name:<24}{self.presses:>11,}  {self.answer:<12}{self.seconds * 1e3:>10.2f} ms"
            f"{each * 1e9:>8.0f} ns/press{self.peak / 1e6:>8.0f} MB  (median of {self.runs})"
        )


def ibm() -> Board:
    return read(INSTANCES / "ibm-2023-04-30x30.txt")


def dense(size: int) -> Board:
    return balanced_lines(size, size)


def sparse(size: int) -> Board:
    return balanced_lines(size, size, density=0.01)


CASES: dict[str, tuple[Callable[..., Board], tuple[int, ...], int, int]] = {
    # name: (maker, its arguments, presses at least, runs); even boards have one press set
    "IBM 30x30": (ibm, (), 429, 200),
    "balanced 1000x1000": (dense, (1000,), 500_000, 15),
    "balanced 2000x2000": (dense, (2000,), 2_000_000, 7),
    "balanced 4000x4000": (dense, (4000,), 8_000_000, 5),
    "balanced 10000x10000, 1 %": (sparse, (10_000,), 1_000_000, 5),
}


def measure(name: str) -> Timing:
    """Time one case, in this process."""
    maker, arguments, _, runs = CASES[name]
    board = maker(*arguments)
    presses = board.graph.apply(board.change)
    seconds = []
    for _ in range(runs + 1):
        problem = OrderingProblem.of_board(board, presses)
        start = time.perf_counter()
        answer = order_lines(problem)
        seconds.append(time.perf_counter() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (
        1 if sys.platform == "darwin" else 1024
    )
    kind = type(answer).__name__
    return Timing(name, problem.size, kind, statistics.median(seconds[1:]), runs, peak)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--most-presses", type=int, default=10**9, help="skip larger boards")
    most = parser.parse_args().most_presses
    for name, (_, _, presses, _) in CASES.items():
        if presses <= most:
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as one:
                print(one.submit(measure, name).result(), flush=True)


if __name__ == "__main__":
    main()
