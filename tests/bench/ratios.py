"""Ratios for CI: `python -m tests.bench.ratios` fails where a job is `SLIP` times slower.

A time says nothing on a machine that is not known. So each job is divided by a piece of work that
never changes, a *reference* of the same kind, measured in the same run: sorting for arrays, a loop
for plain Python. Both count processor time, the least of several runs, which other programs hardly
disturb. A job that seems to have slipped is measured again before it fails.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Final

import numpy as np

from tests.bench.cases import CASES

SLIP: Final = 3.0
ATTEMPTS: Final = 3
SECONDS: Final = 0.3  # of processor time, at least, that each measurement takes


def arrays() -> None:
    """Sort and add: what numpy does when it is at work, in memory that no cache holds."""
    numbers = np.random.default_rng(1).integers(1 << 62, size=1 << 19)
    np.cumsum(np.sort(numbers) & 1)


def loop() -> None:
    """Count in a dictionary: what the interpreter does when it is at work."""
    seen: dict[int, int] = {}
    for number in range(50_000):
        key = number * number % 1009
        seen[key] = seen.get(key, 0) + 1


EXPECTED: Final[dict[str, tuple[Callable[[], None], float]]] = {
    "order, IBM 30×30": (loop, 0.17),
    "order, balanced 1000×1000": (arrays, 10.0),
    "order, plus 50×50": (loop, 1.4),
    "order, king 12×12": (loop, 0.17),
    "order, 8-regular 1000": (loop, 6.0),
    "solve, row/column 1000×1000": (arrays, 14.0),
    "solve, plus 15×15": (loop, 2.0),
    "solve, king 12×12": (loop, 1.2),
    "press sets, plus 1000×1000": (arrays, 5.8),
    "press sets, plus 300×300, 10 % holes": (arrays, 54.0),
    "verify, plus 30×30": (loop, 110.0),
    "export precedence, plus 30×30": (loop, 3.3),
}


def spent(job: Callable[[], object]) -> float:
    """Return the least processor time of some runs, in seconds."""
    least, total = np.inf, 0.0
    while total < SECONDS:
        start = time.process_time()
        job()
        took = time.process_time() - start
        least, total = min(least, took), total + max(took, SECONDS / 200)
    return float(least)


def main() -> None:
    """Measure every job; exit with 1 where one has slipped."""
    slipped = []
    print(f"{'job':<40} {'ratio':>8} {'expected':>8}")
    for name, prepare in CASES.items():
        reference, expected = EXPECTED[name]
        job = prepare()
        ratio = np.inf
        for _ in range(ATTEMPTS):
            ratio = min(ratio, spent(job) / spent(reference))
            if ratio <= SLIP * expected:
                break
        else:
            slipped.append(name)
        print(f"{name:<40} {ratio:>8.3g} {expected:>8.3g}", flush=True)
    if slipped:
        sys.exit(f"{SLIP:g} times slower than expected, or more: {'; '.join(slipped)}")


if __name__ == "__main__":
    main()
