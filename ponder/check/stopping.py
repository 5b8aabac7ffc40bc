"""What the check of a proof costs: said to whoever asked for it, who counts it or gives it up.

A `Meter` is told how many steps are about to be done, or have been done since (a word that was
read, a clause or a literal that is looked at: some 0.1 µs each), and how many bytes are held. What
it raises ends the check.

Trust. Imports nothing but the standard library.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sized
from typing import TypeVar

Item = TypeVar("Item", bound=Sized)

BYTES_CLAUSE, BYTES_LITERAL = 150, 36


class Stopped(Exception):
    """The check was given up because its `stop` said so; nothing is known of the proof."""


class Meter:
    """Takes all that it is told of."""

    def work(self, steps: int) -> None:
        """Take steps."""

    def hold(self, size: int) -> None:
        """Take that so many bytes are held now."""

    def clauses(self, clauses: Iterable[Item]) -> Iterator[Item]:
        """Yield clauses that will be kept.

        >>> list(Meter().clauses(["ab", "c"]))
        ['ab', 'c']
        """
        held = 0
        for clause in clauses:
            held += BYTES_CLAUSE + BYTES_LITERAL * len(clause)
            self.hold(held)
            self.work(2 + 2 * len(clause))
            yield clause


FREE = Meter()


class Until(Meter):
    """Raises `Stopped` when `stop()` says True.

    >>> Until(lambda: True).work(3)
    Traceback (most recent call last):
    ...
    ponder.check.stopping.Stopped
    """

    def __init__(self, stop: Callable[[], bool] | None) -> None:
        self._stop = stop

    def work(self, steps: int) -> None:
        """Ask `stop`."""
        if self._stop is not None and self._stop():
            raise Stopped
