"""Two halves, and lower bounds at once: row/column boards with two odd sides, large cosets.

Ten random boards a case; a case's time is the median of the ten, the remark says how many were
proved and how long the checker takes, or how far the bound is from the lightest press set known.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable

import numpy as np

from ponder.check.verification import verify
from ponder.find.cosets.lower_bounds import quick_lower_bound
from ponder.find.cosets.random_subspaces import CosetWalk
from ponder.find.linear.press_sets import PressSets, press_sets
from ponder.find.search.context import SearchContext
from ponder.find.solve import solve
from ponder.model.board import Board
from ponder.model.graph import grid_graph
from ponder.system.limits import Limits
from tests.bench import Case
from tests.boards import solved_by

BOARDS = 10


def solvable(pattern: str, shape: tuple[int, int], seed: int) -> Board:
    """A board that a random press set solves."""
    graph = grid_graph(pattern, shape)
    return solved_by(graph, np.random.default_rng(seed).random(graph.size) < 0.5)


def ten(shape: tuple[int, int], limit: float) -> Callable[[], Callable[[], object]]:
    """Solve ten row/column boards, and check the answers again."""

    def prepare() -> Callable[[], object]:
        solve(solvable("cross", (4, 5), 0))
        boards = [solvable("cross", shape, seed) for seed in range(BOARDS)]

        def job() -> str:
            seconds, checks, proved = [], [], 0
            for board in boards:
                start = time.perf_counter()
                result = solve(board, timeout=10 * limit)
                seconds.append(time.perf_counter() - start)
                proved += result.optimal
                text = json.loads(json.dumps(result.to_json()))
                start = time.perf_counter()
                verify(board, text)
                checks.append(time.perf_counter() - start)
            return (
                f"{proved} of {BOARDS} proved; median {statistics.median(seconds):.2f} s, slowest "
                f"{max(seconds):.2f} s; checked in {statistics.median(checks):.2f} s"
            )

        return job

    return prepare


def bounded(pattern: str, side: int) -> Callable[[], Callable[[], object]]:
    """Bound all press sets of a board, and compare with a light one from a short search."""

    def prepare() -> Callable[[], object]:
        board = solvable(pattern, (side, side), 1)
        sets = press_sets(board)
        assert isinstance(sets, PressSets)
        light = int(np.count_nonzero(CosetWalk(board, sets).light(Limits(20))))

        def job() -> str:
            best = quick_lower_bound(board, sets, SearchContext(limits=Limits(20)))
            if best is None or best.lower_bound is None or best.evidence is None:
                return "no bound"
            count = light if best.count is None else min(light, best.count)
            return f"{best.lower_bound} of {count}: {best.evidence.kind}"

        return job

    return prepare


CASES = [
    Case("solve, ten row/column 31x31", BOARDS * 0.7, ten((31, 31), 0.7), runs=1, memory=4),
    Case("solve, ten row/column 35x35", BOARDS * 4.0, ten((35, 35), 4.0), runs=1, memory=4),
    Case("solve, ten row/column 27x101", BOARDS * 5.0, ten((27, 101), 5.0), runs=1, memory=4),
    Case("solve, ten row/column 41x41", BOARDS * 120.0, ten((41, 41), 120.0), runs=1, memory=4),
    Case("bound, king 20x20", 0.2, bounded("king", 20), memory=4),
    Case("bound, king 50x50", 1.0, bounded("king", 50), memory=4),
    Case("bound, king 101x101", 5.0, bounded("king", 101), memory=4),
    Case("bound, torus-king 30x30", 1.0, bounded("torus-king", 30), memory=4),
    Case("bound, torus-plus 20x20", 0.2, bounded("torus-plus", 20), memory=4),
    Case("bound, torus-plus 40x40", 0.5, bounded("torus-plus", 40), memory=4),
    Case("bound, torus-plus 100x100", 0.5, bounded("torus-plus", 100), memory=4),
    Case("bound, plus 47x47", 5.0, bounded("plus", 47), memory=4),
]
