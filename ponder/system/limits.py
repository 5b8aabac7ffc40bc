"""A time limit that is handed from stage to stage, and a way to be told to stop.

Every loop that can be long looks at the clock. A search that keeps a best answer asks `expired` and
returns it. A stage that has nothing to return before it is done calls `check()`, and `TimeUp` ends
it. `ponder.order` and `ponder.solve` turn that into the verdict `unknown`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from numbers import Real
from typing import Protocol, TypeAlias, TypeVar

from ponder.system.errors import BadArgument, PonderError, quoted

LONGEST = 1e9  # seconds of a time limit at most: 30 years

Item = TypeVar("Item")


class Event(Protocol):
    """What tells a search to stop once it is set, such as an event of `threading`."""

    def is_set(self) -> bool:
        """Whether it is time to stop."""


Cancel: TypeAlias = "Event | Callable[[], object]"
"""Asked now and then, in the thread that searches: stop when the answer is true."""


class LimitReached(Exception):
    """A limit was reached: of time (`TimeUp`), memory, or the work of a check (`TooLarge`)."""


class TimeUp(LimitReached):
    """The time is up, or the caller says stop; the work in progress is given up."""


class NeedsMemory(PonderError, LimitReached):
    """More memory would be needed than is allowed; said before any of it is asked for."""


class Limits:
    """The moment when an answer is due (None means never), or when `stop` says so.

    Longer limits are clamped to LONGEST. Raises BadArgument for what is no number of seconds.

    >>> Limits(None).left() is None, Limits(0.0).expired
    (True, True)
    """

    def __init__(self, seconds: float | None, stop: Callable[[], object] | None = None) -> None:
        if seconds is not None and (not isinstance(seconds, Real) or seconds != seconds):  # NaN
            raise BadArgument(f"{quoted(seconds)} is not a number of seconds", "seconds")
        self.seconds: float | None = seconds
        self.start: float = time.perf_counter()
        self._end = None if seconds is None else self.start + min(seconds, LONGEST)
        self._stop = stop

    @property
    def expired(self) -> bool:
        """Whether the time is up, or a stop was asked for."""
        if self._end is not None and time.perf_counter() >= self._end:
            return True
        return self.cancelled

    @property
    def cancelled(self) -> bool:
        """Whether a stop was asked for."""
        return self._stop is not None and bool(self._stop())

    @property
    def reason(self) -> str:
        """Why it has expired."""
        return "cancelled" if self.cancelled else "the time limit was reached"

    def check(self) -> None:
        """Raise `TimeUp` when the time is up; some 0.1 µs, so any loop can afford it."""
        if self.expired:
            raise TimeUp(self.reason)

    @property
    def elapsed(self) -> float:
        """The seconds since the start."""
        return time.perf_counter() - self.start

    def left(self, share: float = 1.0) -> float | None:
        """Return a share of the seconds that are left (never negative), None without a limit."""
        if self._end is None:
            return None
        return max(0.0, self._end - time.perf_counter()) * share

    def before(self, seconds: float) -> Limits:
        """Return a clock with the same stop, so much earlier, by half of what is left at most."""
        left = self.left()
        return Limits(None if left is None else max(left - seconds, left / 2), self._stop)

    @classmethod
    def begin(cls, limit: float | Limits | None, cancel: Cancel | None = None) -> Limits:
        """Return a running clock unchanged; start one that stops after some seconds.

        It stops as well once `cancel`, an event or a function, says so. Raises BadArgument for what
        is no number of seconds from 0 on, and for a `cancel` that cannot be asked.

        >>> Limits.begin(60, cancel=lambda: True).reason
        'cancelled'
        """
        if cancel is not None:
            stop = getattr(cancel, "is_set", cancel)
            if not callable(stop):
                reason = f"{quoted(cancel)} is neither an event, with `is_set`, nor a function"
                raise BadArgument(reason, "cancel")
            clock = cls.begin(limit)
            before = clock._stop
            return Limits(clock.left(), stop if before is None else lambda: before() or stop())
        if isinstance(limit, Limits):
            return limit
        if limit is None:
            return cls(None)
        if not isinstance(limit, Real) or isinstance(limit, bool) or not limit >= 0:  # nor NaN
            raise BadArgument(f"{quoted(limit)} is not a number of seconds from 0 on", "timeout")
        return cls(float(min(limit, LONGEST)))

    @staticmethod
    def need(value: object) -> None:
        """Raise BadArgument for a parameter `limits` that is no clock."""
        if not isinstance(value, Limits):
            raise BadArgument(f"{quoted(value)} is not of the class Limits", "limits")

    def over(self, items: Iterable[Item], every: int = 64) -> Iterator[Item]:
        """Yield the items, and look at the clock now and then."""
        for count, item in enumerate(items):
            if count % every == 0:
                self.check()
            yield item

    def sooner(self, seconds: float | None) -> Limits:
        """Return a clock with the same stop, due after some seconds, or when this one is."""
        return Limits(self.left() if seconds is None else self.within(seconds), self._stop)

    def share(self, part: float, otherwise: float | None = None) -> Limits:
        """Return a clock for a part of what is left; for some seconds where there is no limit."""
        left = self.left(part)
        return self.sooner(otherwise if left is None else left)

    def within(self, seconds: float) -> float:
        """Return `seconds`, or what is left where that is less."""
        left = self.left()
        return seconds if left is None else min(seconds, left)


NEVER = Limits(None)  # no limit at all, for callers that set none
