"""Signals that come while a child is started or a file is given its name: they wait for the block.

Everywhere else Ctrl-C is Python's KeyboardInterrupt, and the command turns SIGTERM and SIGHUP into
SystemExit: everything open is closed on the way out, children included.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

ENDING: Final[tuple[signal.Signals, ...]] = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
"""The signals that end a process in an orderly way, as far as the system has them."""


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
