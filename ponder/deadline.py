"""A time limit that is handed from stage to stage, and a way to be told to stop.

>>> Deadline(None).left() is None, Deadline(0.0).expired
(True, True)
"""

from __future__ import annotations

import time


class Deadline:
    """The moment when an answer is due; None means never."""

    def __init__(self, seconds: float | None) -> None:
        self.start = time.perf_counter()
        self._end = None if seconds is None else self.start + seconds

    @property
    def expired(self) -> bool:
        """Whether the time is up."""
        return self._end is not None and time.perf_counter() >= self._end

    @property
    def elapsed(self) -> float:
        """The seconds since the start."""
        return time.perf_counter() - self.start

    def left(self, share: float = 1.0) -> float | None:
        """Return a share of the seconds that are left (never negative), None without a limit."""
        if self._end is None:
            return None
        return max(0.0, self._end - time.perf_counter()) * share

    def within(self, seconds: float) -> float:
        """Return `seconds`, or what is left where that is less."""
        left = self.left()
        return seconds if left is None else min(seconds, left)
