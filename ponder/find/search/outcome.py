"""What a search answers with: the best presses and a bound, or why there are none of that kind.

A search for few presses that found no sequence in time still hands over the bound that it has
proved. While it goes on, its best is an `Incumbent` of its own, which changes; this is the end.
What a solver says and nothing proves (`integer-model`) never leaves the program (`find.driver`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ponder.check.kinds import Bound, Claim, Refutation
from ponder.check.result import Sought
from ponder.check.written import Count
from ponder.model.board import Board
from ponder.system.types import Bits, Ints


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
