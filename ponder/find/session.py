"""What one call of `order`, `solve` or `orient` asks, and what is known of its board.

They go together from stage to stage (`ponder.find.driver`): what is asked stays as it is, what is
known grows. Searches below know of their limits alone (`SearchContext`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from ponder.check.kinds import Claim, Refutation
from ponder.find.linear.press_sets import PressSets
from ponder.find.ordering.greedy import Trials
from ponder.find.search.context import SearchContext
from ponder.find.search.outcome import SearchOutcome
from ponder.model.board import Board
from ponder.system.limits import LimitReached
from ponder.system.types import Bits

if TYPE_CHECKING:
    from ponder.find.solvers.by_encoding import SolverSettings

Method: TypeAlias = Literal["auto", "greedy", "lines", "sat", "cpsat", "asp"]
METHODS: tuple[Method, ...] = get_args(Method)

TRIALS = 20  # how often greedy tries by default


@dataclass(kw_only=True)
class SolveSession(SearchContext):
    """The settings of one call, added to those of every search (`SearchContext`).

    `command`    whether each bulb is pressed at most once (`order`), or may be repeated (`solve`)
    `method`     the method asked for; `auto` takes whatever answers
    `trials`     the trials of the greedy method
    `solver_settings`  the encoding and the solver of the methods `sat`, `cpsat` and `asp`
    `every`      name all lightest press sets under the rule `any`, if they are few
    `at_most`    the number of presses that is asked about, if one is

    One object goes from stage to stage; a stage with a shorter time gets a copy, with the same log.
    """

    command: Literal["order", "solve"] = "order"
    method: Method = "auto"
    trials: Trials = field(default_factory=lambda: Trials(count=TRIALS))
    solver_settings: SolverSettings | None = None
    every: bool = False
    at_most: int | None = None


@dataclass(frozen=True, eq=False)
class Known:
    """What is known of a board.

    `bound`     the best bound with its evidence: the answer, should a limit end the search
    `solved`    all press sets, or the one that was given as if there were no other
    `remainder` that of the presses of every legal sequence modulo 4; None where not known
    `claim`     what a refutation of the only press set proves
    `choice`    a press set chosen for its half factor, or the bound on all of them
    `answer`    what ends the search
    """

    board: Board
    bound: SearchOutcome = field(default_factory=lambda: SearchOutcome("linear"))
    solved: PressSets | None = None
    remainder: int | None = None
    claim: Claim = "C2"
    choice: SearchOutcome | None = None
    answer: SearchOutcome | None = None

    @property
    def sets(self) -> PressSets:
        """The press sets, which every stage but the first may ask for."""
        assert self.solved is not None
        return self.solved

    def answered(self, answer: SearchOutcome) -> Known:
        """Return what is known with an answer."""
        return replace(self, answer=answer)

    def refuted(self, method: str, why: Refutation, claim: Claim, of: Bits | None = None) -> Known:
        """Return what is known with the answer that there are no such presses."""
        return self.answered(SearchOutcome(method, refutation=why, claim=claim, counts=of))

    def stopped(self, session: SolveSession, why: LimitReached) -> Known:
        """Return what is known with the answer that a limit ended the search."""
        method = "linear" if self.solved is None else session.method
        return self.answered(replace(self.bound, method=method, reason=str(why)))


def is_own(method: str, by: str) -> bool:
    """Whether an answer by `by` is a method's own; `auto` and strangers' take whatever answers.

    A block of the presses counts for the method that ordered it.

    >>> is_own("asp:count", "asp"), is_own("greedy", "blocks+greedy"), is_own("asp", "linear")
    (True, True, False)
    """
    word = method.partition(" ")[0].partition(":")[0].partition("-")[0]
    own = {word, "blocks", *(("switches",) if word == "lines" else ())}
    parts = by.split("+")
    return word not in METHODS or word == "auto" or ({*parts} <= own and parts != ["blocks"])
