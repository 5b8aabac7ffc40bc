"""Giving a check up: whoever asks for a proof to be checked may say when it has taken too long.

Trust. Imports nothing but the standard library.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")


class Stopped(Exception):
    """The check was given up because its `stop` said so; nothing is known of the proof."""


def until(
    stop: Callable[[], bool] | None, items: Iterable[Item], every: int = 4096
) -> Iterator[Item]:
    """Yield the items; raise `Stopped` when `stop()`, asked before every so many, says True.

    >>> list(until(lambda: False, "ab"))
    ['a', 'b']
    """
    if stop is None:
        yield from items
        return
    for count, item in enumerate(items):
        if count % every == 0 and stop():
            raise Stopped
        yield item
