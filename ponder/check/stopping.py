"""What the check of a proof costs: said to whoever asked for it, who counts it or gives it up.

`Work` is told how many steps are about to be done, or have been done since: a word that was read, a
clause or a literal that is looked at, some 0.1 µs each. What it raises ends the check.

Trust. Imports nothing but the standard library.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sized
from typing import TypeAlias, TypeVar

Work: TypeAlias = Callable[[int], None]
Item = TypeVar("Item", bound=Sized)


class Stopped(Exception):
    """The check was given up because its `stop` said so; nothing is known of the proof."""


def free(steps: int) -> None:
    """Take any work that it is told of."""


def until(stop: Callable[[], bool] | None) -> Work:
    """Return a `Work` that raises `Stopped` when `stop()` says True.

    >>> until(lambda: True)(3)
    Traceback (most recent call last):
    ...
    ponder.check.stopping.Stopped
    """

    def work(steps: int) -> None:
        if stop is not None and stop():
            raise Stopped

    return work


def paid(work: Work, clauses: Iterable[Item]) -> Iterator[Item]:
    """Yield the clauses, after `work` was told of their lengths.

    >>> steps = []
    >>> list(paid(steps.append, ["ab", "c"])), steps
    (['ab', 'c'], [3, 2])
    """
    for clause in clauses:
        work(1 + len(clause))
        yield clause
