"""What a result may ask for: a stranger's numbers must not cost hours, or all of the memory.

Idea. A result file of a few lines can ask for a formula of 30 million clauses, for all orders of
24 bulbs, a thousand times over. So whatever a result, and not the board alone, makes expensive is
estimated before it is done and held against a limit: sizes one by one, work in one sum for the
whole result. What is beyond is `TooLarge`, that is *open*, never "false". Whoever trusts a
result raises all limits by a factor.

Units: work in nanoseconds, roughly, by constants that were measured once; sizes in what they count.
"""

from __future__ import annotations

MOST_WORK = 1 << 38
"""Nanoseconds, by estimate, for one result: some five minutes."""


class TooLarge(Exception):
    """Too large for this check: the result stays *open*, with this reason.

    `raisable`: a higher limit would help.
    """

    def __init__(self, reason: str, *, raisable: bool = False) -> None:
        super().__init__(reason)
        self.raisable = raisable


class Budget:
    """What is left for one result; `limit` multiplies all that it may ask for.

    >>> budget = Budget()
    >>> budget.spend(MOST_WORK, "the first step")
    >>> budget.spend(1, "the second step")
    Traceback (most recent call last):
    ...
    ponder.check.limits.TooLarge: the second step would take too long
    >>> budget.demand(12_000, 10_000, "presses")
    Traceback (most recent call last):
    ...
    ponder.check.limits.TooLarge: 12,000 presses are more than 10,000
    >>> Budget(2).demand(12_000, 10_000, "presses")
    """

    def __init__(self, limit: int = 1) -> None:
        self.limit = limit
        self.left = MOST_WORK * limit

    def spend(self, nanoseconds: int, what: str) -> None:
        """Take work that is about to be done off the budget; TooLarge when that is not enough."""
        if nanoseconds > self.left:
            raise TooLarge(f"{what} would take too long", raisable=True)
        self.left -= nanoseconds

    def demand(self, size: int, most: int, what: str) -> None:
        """Hold a size against a limit; TooLarge when it is beyond."""
        if size > most * self.limit:
            counted = f"{size:,}" if size < 10**18 else "more than 10^18"
            raise TooLarge(f"{counted} {what} are more than {most * self.limit:,}", raisable=True)
