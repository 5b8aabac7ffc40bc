"""Speed and memory, measured: `python -m tests.bench` prints the table.

A case prepares its input outside the clock, is run several times in a process of its own, and
reports the median and the peak memory of that process beside what is asked of it. Nothing here
is a test: a slow machine fails nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """One line of the table.

    `prepare` makes the input and returns what is to be timed; that may return a remark (the
    verdict, say), which is printed. `limit` is what is asked for, in seconds; `memory` in GB.
    """

    name: str
    limit: float
    prepare: Callable[[], Callable[[], object]]
    runs: int = 5
    memory: float | None = None
