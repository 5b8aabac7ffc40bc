"""Methods that are wrong, slow or deadly, for tests of what `ponder compare` makes of them.

Each is named `tests.planted:NAME` and asked in a worker process. Which boards are hit depends on
the board alone, so that every process hits the same ones.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from dataclasses import replace
from itertools import count
from typing import Final

import numpy as np

from ponder.check.cut import Cut
from ponder.check.result import Result
from ponder.find.order import order
from ponder.model.board import Board
from ponder.system.types import Json


def hit(board: Board) -> bool:
    """About one board in four."""
    return int(board.sha256[:8], 16) % 4 == 0


def right(board: Board, options: Json, timeout: float | None, seed: int) -> Result:
    return order(board, timeout=timeout, seed=seed)


RUNS: Final = "PONDER_TEST_RUNS"
"""After so many runs, by this variable of the environment, a process is `slow` without end."""

ASLEEP: Final = "PONDER_TEST_ASLEEP"
"""The file in which a process that is `endless` puts its number, by this variable."""

_runs = count(1)


def slow(board: Board, options: Json, timeout: float | None, seed: int) -> Result:
    time.sleep(0.01)
    if next(_runs) > int(os.environ.get(RUNS, sys.maxsize)):
        time.sleep(3600)
    return order(board, timeout=timeout, seed=seed)


def wrong_impossible(board: Board, options: Json, timeout: float | None, seed: int) -> Result:
    """Refuses boards that have an order, by a count that is not so."""
    result = order(board, timeout=timeout, seed=seed)
    if result.verdict != "solved" or not hit(board):
        return result
    refutation = Cut("rows", np.array([0, 1]), np.array([], dtype=np.int64))
    return replace(
        result, verdict="impossible", claim="C2", presses=None, lower_bound=None, evidence=None,
        refutation=refutation,
    )  # fmt: skip


def wrong_bound(board: Board, options: Json, timeout: float | None, seed: int) -> Result:
    """Claims a lower bound that is too high."""
    result = order(board, timeout=timeout, seed=seed)
    if result.count is None:
        return result
    return replace(
        result, verdict="unknown", presses=None, lower_bound=result.count + 2, reason="planted"
    )


def wrong_order(board: Board, options: Json, timeout: float | None, seed: int) -> Result:
    """Presses in an order that is not legal."""
    result = order(board, timeout=timeout, seed=seed)
    if result.presses is None or not hit(board):
        return result
    return replace(result, presses=result.presses[::-1])


def deadly(board: Board, options: Json, timeout: float | None, seed: int) -> Result:
    """Takes its process with it, as the kernel does when memory runs out."""
    if hit(board):
        os.kill(os.getpid(), signal.SIGKILL)
    return order(board, timeout=timeout, seed=seed)


def endless(board: Board, options: Json, timeout: float | None, seed: int) -> Result:
    """Ignores its time limit, and says so in the file that a variable names."""
    if hit(board):
        with open(os.environ[ASLEEP], "a", encoding="ascii") as file:
            file.write(f"{os.getpid()}\n")
        time.sleep(3600)
    return order(board, timeout=timeout, seed=seed)


def crashing(board: Board, options: Json, timeout: float | None, seed: int) -> Result:
    if hit(board):
        raise RuntimeError("planted")
    return order(board, timeout=timeout, seed=seed)


def greedy_for_memory(board: Board, options: Json, timeout: float | None, seed: int) -> Result:
    if hit(board):
        raise MemoryError
    return order(board, timeout=timeout, seed=seed)


def no_result(board: Board, options: Json, timeout: float | None, seed: int) -> object:
    return None
