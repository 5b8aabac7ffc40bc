"""What one input may take: seconds of work, by an alarm, and memory, by its peak.

The limits are far above what any input of these sizes needs, and the seconds are those in which
this process computes, so that a busy machine trips over none of them. What neither an alarm nor a
peak can stop, such as a wait for what never comes, the runner's other process does.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from tests.fuzz import Failure

SECONDS = 10.0
"""For one input that takes a millisecond or two."""
MEMORY = 1 << 30
"""Bytes above what was in use before."""

_STATUS = Path("/proc/self/status")
_RESET = Path("/proc/self/clear_refs")


class Hung(BaseException):
    """An input took too long. No `Exception`: nothing on its way may take it for an error."""


@contextmanager
def limited(description: str, reproduction: str, times: float = 1.0) -> Iterator[None]:
    """Do one thing within the limits, of time `times` as much; Failure when it takes more."""
    before, seconds = _peak(), times * SECONDS
    try:
        with alarm(seconds):
            yield
    except Hung as hung:
        raise Failure(
            f"{description}: not over after {seconds:g} s", reproduction, f"hung: {description}"
        ) from hung
    after = _peak()
    if before is not None and after is not None and after - before > MEMORY:
        _RESET.write_text("5", encoding="ascii")
        raise Failure(
            f"{description}: takes {after / 1e9:.1f} GB", reproduction, f"memory: {description}"
        )


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raise `Hung` after so many seconds of work; an alarm that was set before keeps its time."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise Hung

    start = time.process_time()
    handler = signal.signal(signal.SIGPROF, ring)
    left, interval = signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, handler)
        if left:
            rest = max(left - (time.process_time() - start), 0.001)
            signal.setitimer(signal.ITIMER_PROF, rest, interval)


def _peak() -> int | None:
    """Return the most memory that this process ever held, in bytes; None where nobody can tell."""
    try:
        text = _STATUS.read_bytes()
    except OSError:
        return None
    at = text.find(b"VmHWM:")
    return None if at < 0 else int(text[at + 6 : text.index(b"kB", at)]) << 10
