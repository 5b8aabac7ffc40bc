"""`ponder.order` where the coset is too large for the lightest: any order, and how light it is.

A case asks about ten random solvable boards, and its time is that of all ten; the remark has the
median of one, how many had an order, how many presses these have, and the bound.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np

from ponder.find.order import order
from ponder.find.ordering.odd_component_batches import OddComponents
from ponder.model.graph import grid_graph
from tests.bench import Case
from tests.bench.bench_solve import solvable, warm

BOARDS = 10
SECONDS = 20.0


def some_order(pattern: str, size: int) -> Callable[[], Callable[[], object]]:
    """Order ten boards; the remark has the median time of one."""

    def prepare() -> Callable[[], object]:
        warm()
        boards = [solvable(pattern, (size, size), seed) for seed in range(BOARDS)]

        def job() -> str:
            seconds, presses, bounds = [], [], []
            for board in boards:
                start = time.perf_counter()
                result = order(board, timeout=SECONDS)
                seconds.append(time.perf_counter() - start)
                if result.count is not None:
                    presses.append(result.count)
                    bounds.append(result.lower_bound or 0)
            found = f"{len(presses)} of {BOARDS} ordered, median {statistics.median(seconds):.2f} s"
            if not presses:
                return found
            return f"{found}, {np.mean(presses):.0f} presses, at least {np.mean(bounds):.0f}"

        return job

    return prepare


def batches(pattern: str, size: int, sets: int) -> Callable[[], Callable[[], object]]:
    """Count the odd components of many random press sets."""

    def prepare() -> Callable[[], object]:
        graph = grid_graph(pattern, (size, size))
        components = OddComponents(graph, np.zeros(graph.size, dtype=np.bool_))
        chosen = np.random.default_rng(0).random((sets, graph.size)) < 0.5
        return lambda: f"{int((components.count(chosen) == 0).sum())} without any"

    return prepare


# the limit is that of all ten boards: a second each
CASES = [
    *(
        Case(f"order, 10 random {pattern} {size}x{size}", 10.0, some_order(pattern, size), runs=1)
        for pattern, size in [
            ("king", 20),
            ("king", 50),
            ("torus-king", 12),
            ("torus-king", 15),
            ("torus-king", 30),
        ]
    ),
    Case("odd components, 2,000 of plus 30x30", 0.3, batches("plus", 30, 2000)),
    Case("odd components, 1,000 of king 50x50", 1.5, batches("king", 50, 1000)),
]
