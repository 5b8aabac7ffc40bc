"""What a search answers with: the best presses and a bound, or why there are none of that kind.

A search for few presses that found no sequence in time still hands over the bound that it has
proved. While it goes on it yields what is `Found`, whenever more is known; this is the end. So
whoever asks can stop it, at what it yields, by closing it. What a solver says and nothing proves
(`integer-model`) never leaves the program (`find.driver`).
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TypeAlias, TypeVar

from ponder.check.kinds import Bound, Claim, Refutation
from ponder.check.result import Sought
from ponder.check.written import Count
from ponder.model.board import Board
from ponder.system.printable import pluralise
from ponder.system.types import Bits, Ints

Outcome = TypeVar("Outcome")


@dataclass(frozen=True, eq=False)
class Found:
    """What a search knows on its way: `count` presses do (None: none known), and no fewer than so.

    `play` makes the sequence, which takes time: it is called while the search stands still.
    """

    count: int | None
    lower_bound: int
    play: Callable[[], Ints | None]

    def __str__(self) -> str:
        """Return what is said of it.

        >>> str(Found(5, 4, lambda: None)), str(Found(None, 4, lambda: None))
        ('between 4 and 5 presses, gap 20.0 %', 'at least 4 presses')
        """
        if self.count is None:
            return f"at least {pluralise(self.lower_bound, 'press')}"
        if self.count <= self.lower_bound:
            return f"{pluralise(self.count, 'press')}, and no fewer"
        gap = 100 * (self.count - self.lower_bound) / self.count
        return f"between {self.lower_bound} and {self.count} presses, gap {gap:.1f} %"


Steps: TypeAlias = Generator[Found, None, Outcome]


def improving(steps: Steps[Outcome], progress: Callable[[str], None]) -> Steps[Outcome]:
    """Yield what is more than was known before, and tell of it; return the outcome.

    An interruption goes to the search, which ends with what it knows.
    """
    best = Found(None, 0, lambda: None)
    stop: KeyboardInterrupt | None = None
    with closing(steps):
        while True:
            try:
                found = next(steps) if stop is None else steps.throw(stop)
            except StopIteration as end:
                outcome: Outcome = end.value
                return outcome
            stop = None
            fewer = found.count is not None and (best.count is None or found.count < best.count)
            if not fewer and found.lower_bound <= best.lower_bound:
                continue
            bound = max(best.lower_bound, found.lower_bound)
            best = replace(found if fewer else best, lower_bound=bound)
            try:
                progress(str(best))
                yield best
            except KeyboardInterrupt as interruption:
                stop = interruption


def ended(steps: Steps[Outcome]) -> Outcome:
    """Return what a search answers in the end."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            outcome: Outcome = end.value
            return outcome


@dataclass(frozen=True, eq=False)
class SearchOutcome(Sought):
    """The best presses found, and what is proved of all others; or a refutation.

    `method`       who found it
    `presses`      bulbs in play order; None when none were found
    `lower_bound`  no presses of the kind that was asked for are fewer; None when nothing is proved
    `evidence`     for `lower_bound`; None when there is none that can be checked
    `reason`       why the search ended before the two met, else None
    `statistics`   figures for people
    `refutation`   why there are no presses of the kind that was asked for, of `counts`
    `claim`        what the refutation proves; None where it is evidence and no proof
    """

    method: str
    presses: Ints | None = None
    lower_bound: int | None = None
    evidence: Bound | None = None
    reason: str | None = None
    statistics: dict[str, object] = field(default_factory=dict)
    refutation: Refutation | None = None
    claim: Claim | None = None
    counts: Bits | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Chosen(SearchOutcome):
    """The cheapest press set found; the bound is on all of them. It is not yet ordered.

    `press_set`  (n,) bits
    `cost`       no legal sequence whose odd presses are `press_set` has fewer presses
    """

    lower_bound: int
    evidence: Bound
    press_set: Bits
    cost: int


class IntegerModel(Refutation):
    """Full row/column boards, every t(v) = 0: CP-SAT says that no press set has a half factor."""

    kind = "integer-model"
    log2_press_sets: Count

    def sentence(self, board: Board) -> str:
        """Return what is said."""
        return f"none of the 2^{self.log2_press_sets} choices of presses has an order"


class BoundByWord(Bound):
    """A bound that is CP-SAT's word: no evidence, and no result holds it."""

    kind = "integer-model"
