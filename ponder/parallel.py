"""A pure function over many items, in processes of this machine.

Idea. `in_parallel` is a `map` whose results come in the order of the items, and whose processes
are gone when it ends, however it ends: time limit, Ctrl-C, or an error. The processes hear no
signal of a terminal, and end by themselves with their parent. They are *spawned*, since a fork of a
process with threads (OR-tools', numpy's) may stand still; that takes some 0.2 s, so it is for work
of seconds. Where they cannot be started at all (a script without the `__main__` guard), or die, the
work is done here, one item after the other.

`ponder.studies.processes` does what this does not: it kills one late run and goes on.
"""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from ponder.limits import NEVER, Limits
from ponder.signals import ENDING, held

Item = TypeVar("Item")
Found = TypeVar("Found")

_LOOK = 0.05
"""Seconds between two looks at the clock."""


def cores() -> int:
    """Return how many processes can run at once here.

    >>> cores() >= 1
    True
    """
    try:
        return max(1, len(os.sched_getaffinity(0)))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


def in_parallel(
    function: Callable[[Item], Found],
    items: Iterable[Item],
    processes: int | None = None,
    limits: Limits = NEVER,
) -> Iterator[Found]:
    """Yield `function(item)` for every item, in their order. TimeUp when the time is up.

    `function` is one of a module's own (it is sent by name), and has no effect but its result; an
    error of it is raised here. At most three items a process are on their way, so `items` may be
    made while this runs. One process (`processes`, the machine's cores) means: here.

    >>> list(in_parallel(abs, [3, -4], processes=1))
    [3, 4]
    """
    count = cores() if processes is None else processes
    if count <= 1:
        for item in items:
            limits.check()
            yield function(item)
        return
    yield from _Pool(count, limits).map(function, items)


class _Pool:
    """The processes, and what is on its way."""

    def __init__(self, count: int, limits: Limits) -> None:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        self.limits = limits
        self.most = 3 * count
        self.executor = ProcessPoolExecutor(count, get_context("spawn"), _hear_nothing)
        self.processes: dict[int, Any] = {}

    def map(self, function: Callable[[Item], Found], items: Iterable[Item]) -> Iterator[Found]:
        from concurrent.futures.process import BrokenProcessPool

        waiting: deque[tuple[Item, Any]] = deque()
        alive = True

        def oldest() -> Found:
            nonlocal alive
            item, future = waiting.popleft()
            if alive:
                try:
                    found: Found = self._result(future)
                    return found
                except BrokenProcessPool:
                    alive = False
            self.limits.check()
            return function(item)

        try:
            for item in items:
                future = None
                if alive:
                    try:
                        with held():
                            future = self.executor.submit(function, item)
                            self.processes |= self.executor._processes or {}
                    except BrokenProcessPool:
                        alive = False
                waiting.append((item, future))
                if len(waiting) >= self.most:
                    yield oldest()
            while waiting:
                yield oldest()
        finally:
            self._end()

    def _result(self, future: Any) -> Any:
        from concurrent.futures import wait

        while not wait([future], _LOOK).done:
            self.limits.check()
        return future.result()

    def _end(self) -> None:
        with held():
            for process in self.processes.values():
                process.kill()
            self.executor.shutdown(wait=True, cancel_futures=True)  # its thread joins them


def _hear_nothing() -> None:
    """Begin the life of a process: signals are its parent's business, whose end is its own."""
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import connection, parent_process

    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
