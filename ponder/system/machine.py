"""What the system has: processors, memory, signals; and what to do without them.

Windows has no process groups and no `resource`; a browser (Pyodide, Emscripten) has only this
thread. What only some systems have is never used at an import.

Signals that come while a child is started or a file is given its name wait for the end of the block
(`deferred_signals`). Everywhere else Ctrl-C is Python's KeyboardInterrupt, and the command turns
SIGTERM and SIGHUP into SystemExit: everything open is closed on the way out, children included.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

from ponder.system.limits import NeedsMemory

MOST_BYTES = 2_000_000_000  # arrays above this are refused before they are made

ENDING: Final[tuple[signal.Signals, ...]] = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
"""The signals that end a process in an orderly way, as far as the system has them."""


def refuse_above_limit(subject: str, size: int) -> None:
    """Raise NeedsMemory, before anything is made, when `size` bytes are more than `MOST_BYTES`."""
    if size > MOST_BYTES:
        raise NeedsMemory(
            f"{subject} needs about {size / 1e9:.1f} GB, more than the {MOST_BYTES / 1e9:.0f} GB "
            "that are allowed"
        )


def memory_limit() -> int | None:
    """Return how many bytes this process may take; None where that is not limited or not known."""
    try:
        import resource
    except ImportError:
        return None
    soft = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if soft == resource.RLIM_INFINITY else soft


def limit_memory(most: int) -> None:
    """Limit the memory of this process, where the system can: more of it is a MemoryError.

    For commands and children alone, never in a library call: it holds until the process ends.
    """
    try:
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        known = [size for size in (most, memory_limit(), hard) if size not in (None, -1)]
        resource.setrlimit(resource.RLIMIT_AS, (min(map(int, known)), hard))
    except (ImportError, OSError, ValueError):
        return


def single_threaded_platform() -> bool:
    """Whether there can be no other process and no other thread."""
    return sys.platform in ("emscripten", "wasi")


def cores() -> int:
    """Return how many processors this process may use."""
    if single_threaded_platform():
        return 1
    try:
        return max(1, len(os.sched_getaffinity(0)))
    except AttributeError:
        return os.cpu_count() or 1


@contextmanager
def deferred_signals() -> Iterator[list[int]]:
    """Defer signals to the end of a block: they are collected, and the first is handled there.

    Only those that have a handler of Python's, in the main thread. A second Ctrl-C is not deferred.

    >>> try:
    ...     with deferred_signals() as caught:
    ...         signal.raise_signal(signal.SIGINT)
    ... except KeyboardInterrupt:
    ...     print(f"interrupted by {len(caught)} signal")
    interrupted by 1 signal
    """
    caught: list[int] = []
    before: dict[int, Any] = {}

    def catch(number: int, frame: FrameType | None) -> None:
        if number == signal.SIGINT and number in caught:
            before[number](number, frame)
        caught.append(number)

    try:
        if threading.current_thread() is threading.main_thread():
            for number in ENDING:
                if callable(handler := signal.getsignal(number)):
                    before[number] = handler
                    signal.signal(number, catch)
        yield caught
    finally:
        for named, handler in before.items():
            signal.signal(named, handler)
        if caught:
            before[caught[0]](caught[0], None)
