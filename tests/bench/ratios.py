"""Ratios for CI: `python -m tests.bench.ratios` fails where a method is `SLIP` times slower.

A time says nothing on a machine that is not known. So each case is divided by a piece of work that
never changes, a *reference* of the same kind, measured in the same run around it: sorting for
arrays, a loop for plain Python. Both count processor time, the least of several runs, which other
programs hardly disturb. `EXPECTED` holds the ratios of the day on which they were written down;
a case that seems to have slipped is measured again before it fails.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Final

import numpy as np

from tests.bench.__main__ import cases

SLIP: Final = 3.0
"""A case fails that is so many times slower than expected."""

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
    "order, IBM 30x30": (loop, 0.15),
    "order, balanced 1000x1000": (arrays, 8.6),
    "half factor alone, IBM 30x30": (loop, 0.11),
    "greedy fewest, IBM 30x30": (loop, 0.33),
    "press sets, plus 1000x1000": (arrays, 6.7),
    "press sets, plus 300x300, 10 % holes": (arrays, 74.0),
    "dense elimination 4096x4096": (arrays, 21.0),
    "order, random plus 50x50": (loop, 8.7),
    "order, random king 12x12": (loop, 0.14),
    "spanning: order 8-regular 1000": (loop, 3.5),
    "solve, row/column 1000x1000": (arrays, 19.0),
    "fewest presses, random plus 15x15, seed 0": (loop, 1.1),
    "odd components, 2,000 of plus 30x30": (arrays, 18.0),
    "bound, torus-plus 40x40": (arrays, 220.0),
    "atlas, plus 5x5": (arrays, 18.0),
    "export time_indexed, IBM 24x24": (arrays, 38.0),
    "short proof, line count 24×24, modulo 2": (loop, 8.5),
    "LRAT of an odd component of a 20×20 plus board": (loop, 15.0),
}


def spent(job: Callable[[], object]) -> float:
    """Return the least processor time of some runs, in seconds."""
    least, whole = np.inf, 0.0
    while whole < SECONDS:
        start = time.process_time()
        job()
        took = time.process_time() - start
        least, whole = min(least, took), whole + max(took, SECONDS / 200)
    return float(least)


def main() -> None:
    """Measure every case; exit with 1 where one has slipped."""
    every, slipped = cases(), []
    print(f"{'case':<50} {'ratio':>8} {'expected':>8}")
    for name, (reference, expected) in EXPECTED.items():
        job = every[name].prepare()
        ratio = np.inf
        for _ in range(ATTEMPTS):
            ratio = min(ratio, spent(job) / spent(reference))
            if ratio <= SLIP * expected:
                break
        else:
            slipped.append(name)
        print(f"{name:<50} {ratio:>8.3g} {expected:>8.3g}", flush=True)
    if slipped:
        sys.exit(f"{SLIP:g} times slower than expected, or more: {'; '.join(slipped)}")


if __name__ == "__main__":
    main()
