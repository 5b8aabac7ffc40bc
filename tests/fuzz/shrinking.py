"""Delta debugging: a failing input made small, as long as it fails in the same way.

Idea. Take away half of the input, then quarters, and so on down to single parts; whatever can go
goes. When single parts were tried and something went, start again.

Reference. A. Zeller, R. Hildebrandt, "Simplifying and isolating failure-inducing input", IEEE
Transactions on Software Engineering 28, 2002.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

Parts = TypeVar("Parts", bytes, str, tuple[Any, ...])


@dataclass
class Patience:
    """How much shrinking may cost: tries, and seconds."""

    tries: int = 2000
    seconds: float = 10.0
    start: float = field(default_factory=time.monotonic)

    def spend(self) -> bool:
        """Take one try; False when there is none left."""
        self.tries -= 1
        return self.tries >= 0 and time.monotonic() - self.start < self.seconds


def shrunk(parts: Parts, fails: Callable[[Parts], bool], patience: Patience) -> Parts:
    """Return a part of the input that still fails: bytes, text, or a tuple of anything.

    >>> shrunk("a lot of noise! and more", lambda text: "!" in text, Patience())
    '!'
    >>> shrunk((3, 1, 4, 1, 5, 9, 2, 6), lambda numbers: sum(numbers) > 14, Patience())
    (5, 9, 2)
    """
    size = max(1, len(parts) // 2)
    while parts:
        at, gone = 0, False
        while at < len(parts):
            if not patience.spend():
                return parts
            rest = parts[:at] + parts[at + size :]
            if fails(rest):
                parts, gone = rest, True
            else:
                at += 1 if size <= 4 else size  # an option goes with its value
        if size == 1 and not gone:
            return parts
        size = max(1, size // 2) if size > 1 else 1
    return parts
