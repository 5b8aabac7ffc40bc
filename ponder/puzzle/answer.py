"""What a method knows about a board when it stops: presses, a bound with its evidence, a reason.

Every search for few presses answers in this one form, whether it chooses a press set, orders it, or
repeats presses. Nothing is lost on the way to the `Result`: a search that found no sequence in time
still hands over the bound that it has proved.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ponder.puzzle.evidence import Bound
from ponder.types import Bits, Ints

CP_SAT_SAYS = "cp_sat_says"
"""The name, among the figures for people, of what CP-SAT says and nothing proves."""

NOT_MET = "the limits were reached before sequence and bound met"
"""A reason, where there is none that says more."""


@dataclass(frozen=True, eq=False)
class Best:
    """The best presses found, and what is proved of all others.

    `method`       who found it
    `presses`      bulbs in play order; None when none were found
    `lower_bound`  no presses of the kind that was asked for are fewer; None when nothing is proved
    `evidence`     for `lower_bound`; None when there is none that can be checked
    `reason`       why the search ended before the two met, else None
    `statistics`   figures for people

    >>> import numpy as np
    >>> Best("peeling", np.array([3, 1]), 2).optimal, Best("peeling", None, 2).count
    (True, None)
    """

    method: str
    presses: Ints | None
    lower_bound: int | None = None
    evidence: Bound | None = None
    reason: str | None = None
    statistics: dict[str, object] = field(default_factory=dict)

    @property
    def count(self) -> int | None:
        """The number of presses."""
        return None if self.presses is None else int(self.presses.size)

    @property
    def optimal(self) -> bool:
        """Whether the bound meets the presses."""
        return self.presses is not None and self.count == self.lower_bound


@dataclass(frozen=True, eq=False, kw_only=True)
class Chosen(Best):
    """The cheapest press set found; the bound is on all of them. It may be still to be pressed.

    `press_set`  (n,) bits
    `cost`       no legal sequence whose odd presses are `press_set` has fewer presses
    """

    lower_bound: int
    evidence: Bound
    press_set: Bits
    cost: int
