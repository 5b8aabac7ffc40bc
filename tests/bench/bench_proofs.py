"""Fewest presses with a proof that is checked: random plus boards, solved, written, and verified.

A case of thirty boards runs all of them; its limit is that of one board times thirty. The remark
has the slowest of them, by the wall clock.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable

from ponder.check.verification import verify
from ponder.find.solve import solve
from tests.bench import Case
from tests.bench.bench_solve import solvable, warm


def proved(size: int, seeds: range, limit: float) -> Callable[[], Callable[[], object]]:
    """Solve random boards of one size; report how many were proved, by what, and the slowest."""

    def prepare() -> Callable[[], object]:
        warm()
        boards = [solvable("plus", (size, size), seed) for seed in seeds]

        def job() -> str:
            seconds, kinds = [], Counter[str]()
            for board in boards:
                start = time.perf_counter()
                result = solve(board, timeout=limit)
                seconds.append(time.perf_counter() - start)
                kinds[str((result.bound or {}).get("kind")) if result.optimal else "open"] += 1
            told = ", ".join(f"{many} {kind}" for kind, many in kinds.most_common())
            return f"slowest {max(seconds):.2f} s; {told}"

        return job

    return prepare


def checked(size: int, seeds: range) -> Callable[[], Callable[[], object]]:
    """Verify the results about random boards of one size; report the slowest."""

    def prepare() -> Callable[[], object]:
        boards = [solvable("plus", (size, size), seed) for seed in seeds]
        texts = [json.dumps(solve(board).to_json()) for board in boards]

        def job() -> str:
            seconds, complete = [], 0
            for board, text in zip(boards, texts, strict=True):
                start = time.perf_counter()
                complete += verify(board, json.loads(text)).complete
                seconds.append(time.perf_counter() - start)
            return f"{complete} of {len(boards)} complete; slowest {max(seconds):.2f} s"

        return job

    return prepare


CASES = [
    Case("solve and prove, thirty plus 20x20", 30 * 10.0, proved(20, range(30), 60.0), runs=1),
    Case("verify those thirty", 30 * 3.0, checked(20, range(30)), runs=1),
    Case("solve and prove, ten plus 28x28", 10 * 60.0, proved(28, range(10), 60.0), runs=1),
    Case("verify those ten", 10 * 3.0, checked(28, range(10)), runs=1, memory=1),
]
