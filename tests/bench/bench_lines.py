"""Orders of row/column boards: the main job, from the library and as a process, beside greedy."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from ponder.find.order import order
from ponder.find.ordering.greedy import Trials, Variant, order_greedy
from ponder.find.row_column.ordering import order_lines
from ponder.model.board import Board
from ponder.model.formats import parse_board, read
from ponder.model.graph import CrossGraph
from ponder.studies.generate import Balanced, balance
from ponder.system.limits import Limits
from tests.bench import Case
from tests.boards import even_problem, solved_by

IBM = Path(__file__).parents[2] / "instances" / "ibm-2023-04-30x30.txt"


def whole(make: Callable[[], Board]) -> Callable[[], Callable[[], object]]:
    """The library call `order`: linear stage, half factor, order, replay."""

    def prepare() -> Callable[[], object]:
        board = make()
        order(Board.from_rows(["00", "00"]))  # load the libraries
        return lambda: order(board).verdict

    return prepare


def by_flow(make: Callable[[], Board]) -> Callable[[], Callable[[], object]]:
    """The ordering stage alone."""

    def prepare() -> Callable[[], object]:
        problem = even_problem(make())
        order_lines(even_problem(Board.from_rows(["00", "00"])))
        return lambda: type(order_lines(problem)).__name__

    return prepare


def by_greedy(make: Callable[[], Board], variant: Variant) -> Callable[[], Callable[[], object]]:
    """Greedy on the same press set, at most 100 trials."""

    def prepare() -> Callable[[], object]:
        problem = even_problem(make())

        def job() -> str:
            answer = order_greedy(
                problem, Trials(variant=variant, direction="forwards", count=100), Limits(60)
            )
            return f"{type(answer).__name__} after {answer.statistics['trials']} trials"

        return job

    return prepare


def process(*arguments: str) -> Callable[[], Callable[[], object]]:
    """The command line as a process of its own."""

    def prepare() -> Callable[[], object]:
        command = [sys.executable, "-m", "ponder", *arguments]

        def job() -> None:
            subprocess.run(command, check=True, capture_output=True)

        return job

    return prepare


def reading() -> Callable[[], object]:
    """A board file of 100 million cells."""
    grid = np.random.default_rng(0).integers(48, 50, (10_000, 10_001), dtype=np.uint8)
    grid[:, -1] = ord("\n")
    data = grid.tobytes()
    return lambda: f"{parse_board(data).graph.size:,} bulbs"


def random_board(size: int) -> Board:
    return Board.from_grid(np.random.default_rng(size).random((size, size)) < 0.5)


def large() -> Board:
    """A balanced board of 100 million bulbs, drawn bit by bit, so that it takes no more memory."""
    rng = np.random.default_rng(0)
    bits = np.unpackbits(rng.integers(256, size=(10_000, 1250), dtype=np.uint8), axis=1)
    presses = balance(bits.view(np.bool_), rng)
    return solved_by(CrossGraph(presses.shape), presses.reshape(-1))


def refusal() -> Callable[[], object]:
    """A random even board that has no order."""
    board = random_board(24)
    return lambda: order(board).verdict


def ibm() -> Board:
    return read(IBM)


CASES = [
    Case("order, IBM 30x30", 0.003, whole(ibm), runs=50),
    Case("order, random 24x24", 0.003, refusal, runs=50),
    Case("order, balanced 1000x1000", 1.0, whole(lambda: Balanced(1000, 1000).board(0))),
    Case("order, balanced 2000x2000", 2.5, whole(lambda: Balanced(2000, 2000).board(0)), runs=3),
    Case(
        "order, balanced 4000x4000",
        10.0,
        whole(lambda: Balanced(4000, 4000).board(0)),
        3,
        memory=4.0,
    ),
    Case("order, balanced 10000x10000", 12.0, whole(large), runs=1, memory=4.0),
    Case("half factor alone, IBM 30x30", 0.003, by_flow(ibm), runs=50),
    Case("greedy fewest, IBM 30x30", 60.0, by_greedy(ibm, "fewest"), runs=3),
    Case("greedy random, IBM 30x30", 60.0, by_greedy(ibm, "random"), runs=3),
    Case("greedy rounds, IBM 30x30", 60.0, by_greedy(ibm, "rounds"), runs=3),
    Case("process: ponder order, IBM 30x30", 0.5, process("order", str(IBM))),
    Case("process: ponder --help", 0.2, process("--help")),
    Case("process: ponder order --help", 0.2, process("order", "--help")),
    Case("read 10000x10000", 5.0, reading, runs=3),
]
