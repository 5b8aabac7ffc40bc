"""What a stranger's result may cost: a clock, and a cap on each size.

Every loop of the checker that can be long looks at a clock (`ponder.system.limits`), and every size
that a result may choose is held against a cap before anything of that size is made. Either ends in
a `LimitReached`, and what was asked stays *open*; it is never "false". Commands limit the memory of
their process besides (`ponder.system.machine.limit_memory`).

Arrays hold 64 bits and wrap without a word. So no number of a result enters one before its range is
known (`reader`), and sums of such numbers are bounded before they are made (`fits`).
"""

from __future__ import annotations

from ponder.system.limits import LimitReached

MOST_NUMBER = 1 << 62
"""No number of a result, and no sum of such numbers in an array, is larger."""
MOST_RESULT = 1 << 27
"""Bytes of the file of a result, unpacked."""
MOST_NEIGHBOURS = 1 << 24
"""Entries of the lists of all neighbours of a board."""


class TooLarge(LimitReached):
    """Beyond a cap of the checker."""


def demand(size: int, most: int, what: str) -> None:
    """Hold a size against a cap. Raises TooLarge beyond it.

    >>> demand(3, 2, "presses")
    Traceback (most recent call last):
    ponder.check.caps.TooLarge: 3 presses are more than 2
    """
    if size > most:
        said = f"{size:,}" if size < 10**18 else "more than 10^18"
        raise TooLarge(f"{said} {what} are more than {most:,}")


def fits(bound: int, what: str) -> None:
    """Hold a bound on sums of some numbers against what an array holds. Raises TooLarge beyond."""
    if bound > MOST_NUMBER:
        raise TooLarge(f"{what} are too large to add up")
