"""Clocks that stop after so many looks, so that tests of time limits need no time."""

from __future__ import annotations

from itertools import count

from ponder.system.limits import Limits


class Looks:
    """Counts how often a clock was looked at, and stops at one look and all later ones.

    The time limit is so far away that it plays no part.
    """

    def __init__(self, stop_at: int | None) -> None:
        self.seen = 0
        self._numbers, self._stop_at = count(1), stop_at

    def stop(self) -> bool:
        self.seen = next(self._numbers)
        return self._stop_at is not None and self.seen >= self._stop_at

    @property
    def clock(self) -> Limits:
        return Limits(3600.0, self.stop)


def stopping(look: int) -> Limits:
    """A clock whose time is up at the look of that number (0: before it is asked)."""
    return Looks(look).clock
