"""What a result may ask for: a stranger's numbers must not cost hours, or all of the memory.

Idea. A result file of a few lines can ask for a formula of 30 million clauses, or for all orders of
24 bulbs, a thousand times over. So every step of a check is estimated *before* it is done and taken
off one budget for the whole result: its work in one sum, its memory and its sizes one by one. A
step beyond the budget is `TooLarge`, that is *open*, never "false". A user who trusts a result
raises all limits. Claims get a small share of the budget, a larger one if the file is long.
Work that the board alone calls for, such as its press sets, is taken off the whole.

A budget is no clock (`ponder.system.limits`): what it grants is the same on every machine, and is
known before the work begins. The checkers of proofs, which solvers' proofs go through as well, get
an `Unlimited` one there, with the clock's `stop`. Either ends in a `LimitReached`.

Sums. Arrays hold 64 bits and wrap in silence. So no number of a result enters one before its range
is known (`fields`), and where such numbers are added up or multiplied, a bound of the sum is held
against MOST_NUMBER first (`fits`). Units: nanoseconds, by constants measured once, and bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sized
from typing import TypeVar

from ponder.system.limits import LimitReached, TimeUp

MOST_NUMBER = 1 << 62
"""No number of a result, and no sum of such numbers in an array, is larger: 64 bits hold twice
that."""

MOST_WORK = 1 << 38  # nanoseconds, by estimate, for one result: some five minutes
MOST_ASKED, _NS_GIVEN = 1 << 33, 8000  # … for what its words ask for, and for each byte on disk
MOST_HELD = 1 << 31  # bytes, by estimate, that a check may hold at a time
MOST_RESULT = 1 << 27  # bytes of the file of a result, unpacked
_NS_STEP = 100  # nanoseconds for a step in the check of a proof
_NS_BYTE = 100  # … for a byte of a result: read, and looked at once by whatever checks it

BYTES_CLAUSE, BYTES_LITERAL = 150, 36  # of a clause of a proof, and of each of its literals
BYTES_WORD = 30  # for each character of a line that is cut into words

Item = TypeVar("Item", bound=Sized)


class TooLarge(LimitReached):
    """Too large for this check: the result stays *open*. `raisable`: a higher limit would help."""

    def __init__(self, reason: str, *, raisable: bool = False) -> None:
        super().__init__(reason)
        self.raisable = raisable


def fits(bound: int, what: str) -> None:
    """Hold a bound on sums of some numbers against what an array holds. Raises TooLarge beyond."""
    if bound > MOST_NUMBER:
        raise TooLarge(f"{what} are too large to add up")


class Budget:
    """The rest of one result's budget; `limit` multiplies everything that it may ask for.

    >>> budget = Budget()
    >>> budget.spend(MOST_WORK - 1, "the first step")
    >>> budget.left
    1
    """

    def __init__(self, limit: int = 1, whole: Budget | None = None, most: int = 0) -> None:
        self.limit: int = limit
        self.most: int = (most or MOST_WORK) * limit
        self.left: int = self.most
        self.given = 0  # bytes of the files that were read, as they lie on the disk
        self.of_board: Budget = whole or self  # the whole, for what the board alone calls for

    def spend(self, nanoseconds: int, what: str) -> None:
        """Take work about to be done off the budget. Raises TooLarge if that is not enough."""
        if nanoseconds > self.left:
            seconds = -((self.left - self.most - nanoseconds) // 10**9)
            raise TooLarge(f"too much work (about {_said(seconds)} s): {what}", raisable=True)
        if self.of_board is not self:
            self.of_board.spend(nanoseconds, what)
        self.left -= nanoseconds

    def for_words(self) -> Budget:
        """Return a budget for what the words of the files ask for, a part of this one."""
        return Budget(self.limit, self, min(MOST_WORK, MOST_ASKED + _NS_GIVEN * self.given))

    def work(self, steps: int) -> None:
        """Take steps in the check of a proof off the budget, some 0.1 µs each. Raises TooLarge."""
        self.spend(_NS_STEP * steps, "checking the proofs")

    def clauses(self, clauses: Iterable[Item]) -> Iterator[Item]:
        """Yield clauses of a proof that will be kept. Raises TooLarge."""
        held = 0
        for clause in clauses:
            held += BYTES_CLAUSE + BYTES_LITERAL * len(clause)
            self.hold(held)
            self.work(16 + 2 * len(clause))
            yield clause

    def hold(self, size: int, what: str = "the clauses of a proof") -> None:
        """Hold memory that is about to be taken against the limit. Raises TooLarge beyond."""
        if size > MOST_HELD * self.limit:
            reason = f"too much memory (about {_said(size // 10**6)} MB): {what}"
            raise TooLarge(reason, raisable=True)

    def demand(self, size: int, most: int, what: str) -> None:
        """Hold a size against a limit. Raises TooLarge if it is beyond."""
        if size > most * self.limit:
            reason = f"{_said(size)} {what} are more than {most * self.limit:,}"
            raise TooLarge(reason, raisable=True)

    def read(self, size: int, what: str, most: int = MOST_RESULT) -> None:
        """Take the bytes of a text about to be read off the budget. Raises TooLarge beyond."""
        self.demand(size, most, f"bytes of {what}")
        self.spend(_NS_BYTE * size, f"reading {what}")


class Unlimited(Budget):
    """Grants whatever is asked for, until `stop()` says True."""

    def __init__(self, stop: Callable[[], bool] | None = None) -> None:
        super().__init__()
        self._stop = stop

    def spend(self, nanoseconds: int, what: str) -> None:
        """Ask `stop`. Raises TimeUp."""
        if self._stop is not None and self._stop():
            raise TimeUp("the check was stopped")

    def demand(self, size: int, most: int, what: str) -> None:
        """Do nothing."""

    def hold(self, size: int, what: str = "") -> None:
        """Do nothing."""


FREE = Unlimited()


def _said(count: int) -> str:
    return f"{count:,}" if count < 10**18 else "more than 10^18"
