"""One way from a board to its `Result`, for `ponder.order` and for `ponder.solve`.

    linear    the press sets; where there is none, the odd witness is the answer (claim C4)
    dead end  where the rule allows no first press, or no last one, that is (claim C4, too): the
              only obstacle to a sequence with repeats where there is a press set (theory §2.6)
    any       under the rule `any` every order is legal, and the lightest press set wins
    search    what the command brings: it answers with the best presses (`SearchOutcome`) or a
              refutation
    replay    no sequence leaves unchecked: it is played on the board by `ponder.check`
    proved    what is a solver's word becomes a remark: no claim rests on it
    limits    when time or memory ends a stage, the verdict is `unknown`, with what is `known`

Every stage leaves a `Step` in the log, which is what `--explain` prints.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np

from ponder.check.evidence.bound_evidence import BoundByWord, UniquePressSet
from ponder.check.evidence.press_set_refutations import DeadEnd, OddWitness
from ponder.check.evidence.refutation import Claim, Refutation
from ponder.check.evidence.solver_refutations import IntegerModel, Randomised
from ponder.check.replay import replay
from ponder.check.result import CP_SAT_SAYS, NOT_MET, Result
from ponder.find.linear.press_sets import PressSets, press_sets
from ponder.find.ordering.greedy import Trials
from ponder.find.search.context import SearchContext
from ponder.find.search.outcome import Chosen, SearchOutcome
from ponder.model.board import Board
from ponder.model.components import pieces
from ponder.model.graph import CrossGraph
from ponder.model.wired_graph import Wired
from ponder.system.errors import without_ortools
from ponder.system.limits import NEVER, LimitReached, Limits, TimeUp
from ponder.system.printable import pluralise
from ponder.system.types import Bits, Ints, bincount

if TYPE_CHECKING:
    from ponder.find.solvers.by_encoding import SolverSettings

Method: TypeAlias = Literal["auto", "greedy", "lines", "spanning", "sat", "cpsat", "asp"]
METHODS: tuple[Method, ...] = get_args(Method)

TRIALS = 20  # how often greedy tries by default
REPLAYING = 0.5  # seconds for the replay of a sequence when the time is up already
REPLAYING_EACH = 2e-6  # and so much for each press
PROMPT = 1 << 14  # up to this many bulbs, a dead end is found however short the time
BUILDING_SECONDS = 8e-7  # to order, replay and print a chosen press set, per bulb
KEPT = 0.04  # of the time, at least, for that: a step of a choice may take 0.5 s
UNIQUE = UniquePressSet()  # the evidence for the bound that the only press set is


@dataclass
class SearchSettings(SearchContext):
    """How one call goes about it, beside what every search is told (`SearchContext`).

    `method`     the method that was asked for; `auto` takes whatever answers
    `trials`     how greedy tries
    `solver_settings`     the encoding and the solver of the methods `sat`, `cpsat` and `asp`
    `every`      name all lightest press sets under the rule `any`, if they are few

    One object goes from stage to stage; a stage with a shorter time gets a copy, with the same log.
    """

    method: Method = "auto"
    trials: Trials = field(default_factory=lambda: Trials(count=TRIALS))
    solver_settings: SolverSettings | None = None
    every: bool = False


@dataclass(frozen=True, eq=False)
class Refuted:
    """No presses are of the kind asked for: who says so, why (of `counts`), what that proves."""

    method: str
    why: Refutation
    claim: Claim
    counts: Bits | Ints | None = None


Found: TypeAlias = "SearchOutcome | Refuted"


@dataclass
class SolveSession:
    """One call: the board, what settings it, and what is known should a limit end it."""

    board: Board
    settings: SearchSettings
    command: Literal["order", "solve"] = "order"
    known: SearchOutcome = field(default_factory=lambda: SearchOutcome("linear", None))
    stage: str = "linear"
    among_many: bool = False  # whether there are many press sets, all of which a bound is about

    def stopped(self, why: LimitReached) -> SearchOutcome:
        """Return what is known when a limit ends the search."""
        return replace(self.known, method=self.stage, reason=str(why))

    def press_sets(self) -> PressSets | Found:
        """Find the press sets to search among, or the answer. Raises TimeUp or NeedsMemory."""
        self.settings.progress("solving the linear system")
        sets = self._linear()
        if isinstance(sets, OddWitness):
            return Refuted("linear", sets, "C4")
        self.stage = self.settings.method
        if sets.nullity == 0:
            presses = int(np.count_nonzero(sets.particular))
            self.known = SearchOutcome("linear", None, presses, UNIQUE)
        if isinstance(self.board.graph, Wired):  # what follows is about graphs
            return self._any_order(sets) if self.board.rule == "any" else sets
        # who asks for a method, or for proofs in files, wants a reason of that kind
        if self.settings.method == "auto" and self.settings.solver_settings is None:
            limits = NEVER if self.board.graph.size <= PROMPT else self.settings.limits
            dead = dead_end(self.board, limits)
            if dead is not None:
                return Refuted("dead end", dead, "C4")
        self.among_many = sets.nullity > 0
        if self.among_many:
            self._bound_soon(sets)
        return self._any_order(sets) if self.board.rule == "any" else sets

    def _bound_soon(self, sets: PressSets) -> None:
        """Prove a lower bound before the search among many press sets, as far as that is soon."""
        from ponder.find.cosets.coset import SEARCHED

        if sets.nullity <= SEARCHED:
            return  # all of them are weighed as soon
        from ponder.find.cosets.lower_bounds import quick_lower_bound

        settings = self.settings
        found = quick_lower_bound(self.board, sets, settings)
        if found is not None and found.lower_bound is not None:
            # the press set found on the way is an answer where its order does not matter
            self.known = found if self.board.rule == "any" else replace(found, presses=None)
            settings.progress(f"at least {pluralise(found.lower_bound, 'press')}")

    def _linear(self) -> PressSets | OddWitness:
        with self.settings.stage("linear") as stage:
            sets = press_sets(self.board, self.settings.limits)
            if isinstance(sets, OddWitness):
                return stage.said(sets, "no press set: odd witness")
            presses = pluralise(int(np.count_nonzero(sets.particular)), "press")
            which = "the only press set" if sets.nullity == 0 else f"one of 2^{sets.nullity}"
            return stage.said(sets, f"{which}, {presses}")

    def _any_order(self, sets: PressSets) -> SearchOutcome:
        from ponder.find.cosets.minimum_weight import lightest

        settings, known = self.settings, self.known
        if known.optimal and not settings.every:
            return known
        with settings.stage("lightest") as stage:
            least = known.lower_bound or 0
            found = lightest(self.board, sets, settings, least=least, every=settings.every)
            stage.said(found)
        lighter = known.count is not None and (found.count is None or known.count < found.count)
        return replace(found, presses=known.presses) if lighter else found

    def choose_press_set(self, sets: PressSets, *, once: bool) -> SearchOutcome | Refutation:
        """Choose a press set and its half factor together: full rectangles with an odd side.

        With `once` it is one whose bulbs can be ordered (theory §4.9,
        `ponder.find.switching.choose`). The bound is `known` from then on, whatever else ends the
        call.
        """
        from ponder.find.switching.choose import choose

        settings, board = self.settings, self.board
        settings.progress(f"choosing among 2^{sets.nullity} press sets")
        kept = max(BUILDING_SECONDS * board.graph.size, settings.limits.left(KEPT) or 0.0)
        with settings.stage("switches") as stage:
            choice = choose(
                board,
                sets.particular,
                once=once,
                timeout=settings.limits.before(kept),
                seed=settings.seed,
                progress=settings.progress,
            )
            if isinstance(choice, Refutation):
                return stage.said(choice)
            if not isinstance(choice, Chosen):
                return stage.said(choice, choice.reason or "")
            stage.said(choice, f"{choice.cost} presses, at least {choice.lower_bound}")
        self.known = SearchOutcome("switches", None, choice.lower_bound, choice.evidence)
        return choice

    def rather_listed(self, sets: PressSets, choice: SearchOutcome) -> bool:
        """Whether a choice is open for want of OR-tools, and all press sets can be weighed."""
        if choice.lower_bound == getattr(choice, "cost", None) or without_ortools() is None:
            return False
        from ponder.find.cosets.coset import listed_in_time

        return listed_in_time(sets.nullity, self.settings.limits)

    def result(self, found: Found) -> Result:
        """Return what a search has found as a result; presses are replayed first."""
        found = self._proved(found)
        if isinstance(found, SearchOutcome):
            found = self._replayed(self._bounded(found))
        base = Result(
            command=self.command,
            board=self.board,
            verdict="unknown",
            method=found.method,
            seed=self.settings.seed,
            seconds=self.settings.limits.elapsed,
            steps=self.settings.log.steps,
        )
        match found:
            case SearchOutcome():
                return replace(
                    base,
                    verdict="unknown" if found.presses is None else "solved",
                    presses=found.presses,
                    lower_bound=found.lower_bound,
                    evidence=found.evidence,
                    reason=None if found.optimal else self._reason(found),
                    statistics=found.statistics,
                )
            case Refuted(why=Randomised()):
                reason = "the evidence says that there is no order, but nothing proves it"
                return replace(base, reason=reason, refutation=found.why, counts=found.counts)
            case Refuted():
                return replace(
                    base,
                    verdict="impossible",
                    claim=found.claim,
                    refutation=found.why,
                    counts=found.counts,
                )

    def _reason(self, best: SearchOutcome) -> str | None:
        """Return why the presses are not proved to be fewest."""
        said = "OR-tools" in (best.reason or "")
        lacking = without_ortools() if self.among_many and not said else None
        return "; ".join(filter(None, (best.reason, lacking))) or None

    def _proved(self, found: Found) -> Found:
        """Return what is found without what is CP-SAT's word, of which a remark is made."""
        known = self.known
        if isinstance(known.evidence, BoundByWord):
            known = SearchOutcome("linear", None)
        least = known.lower_bound or (0 if self.command == "solve" else None)
        if isinstance(found, Refuted) and isinstance(found.why, IntegerModel):
            said = found.why.sentence(self.board)
            best = SearchOutcome(found.method, None, reason="CP-SAT says no, which is not proved")
        elif isinstance(found, SearchOutcome) and isinstance(found.evidence, BoundByWord):
            what = "no order of single presses" if self.command == "order" else "no legal sequence"
            said = f"{what} has fewer than {pluralise(found.lower_bound or 0, 'press')}"
            best = replace(found, reason=found.reason or NOT_MET)
            if (found.lower_bound or 0) <= (least or 0):
                return replace(best, lower_bound=least, evidence=known.evidence)
        else:
            return found
        remarks = {**best.statistics, CP_SAT_SAYS: said}
        return replace(best, lower_bound=least, evidence=known.evidence, statistics=remarks)

    def _bounded(self, best: SearchOutcome) -> SearchOutcome:
        """Return the best presses with the better bound, that of the search or the one before."""
        known = self.known
        if (known.lower_bound or 0) <= (best.lower_bound or 0):
            return best
        return replace(best, lower_bound=known.lower_bound, evidence=known.evidence)

    def _replayed(self, best: SearchOutcome) -> SearchOutcome:
        """Replay the presses; without them where the time does not even suffice for that."""
        if best.presses is None:
            return best
        # a search that ran until the limit, or nearly so, must not lose what it found
        late = REPLAYING + best.presses.size * REPLAYING_EACH
        left = self.settings.limits.left()
        try:
            replay(self.board, best.presses, Limits(None if left is None else max(left, late)))
        except TimeUp as stopped:
            return replace(best, presses=None, reason=str(stopped))
        return best


def is_own(method: str, by: str) -> bool:
    """Whether an answer by `by` is a method's own; `auto` and strangers' take whatever answers.

    A block of the presses counts for the method that ordered it.

    >>> is_own("asp:count", "asp"), is_own("spanning", "blocks+spanning"), is_own("asp", "linear")
    (True, True, False)
    """
    word = method.partition(" ")[0].partition(":")[0].partition("-")[0]
    own = {word, "blocks", *(("switches",) if word == "lines" else ())}
    parts = by.split("+")
    return word not in METHODS or word == "auto" or ({*parts} <= own and parts != ["blocks"])


def dead_end(board: Board, limits: Limits = NEVER) -> DeadEnd | None:
    """Return a piece of the board that no legal sequence can change although it must (theory §2.5).

    There the rule allows no first press, or no last one. O(bulbs + edges). Raises TimeUp.
    """
    odd_later = board.odd_later
    if odd_later is None or not (board.change & odd_later).any():
        return None  # at either end all bulbs of the piece are so, and one of them must change
    limits.check()
    piece = pieces(board, limits)
    limits.check()
    sizes = bincount(piece)
    must_change = bincount(piece[board.change], minlength=sizes.size) > 0
    blocked = board.lit if board.rule == "unlit" else ~board.lit
    ends: tuple[tuple[Literal["start", "goal"], Bits], ...] = (
        ("start", blocked),
        ("goal", odd_later),
    )
    for end, stuck in ends:
        all_stuck = bincount(piece[stuck], minlength=sizes.size) == sizes
        dead = np.flatnonzero(must_change & all_stuck)
        if dead.size:
            return DeadEnd(end, np.flatnonzero(piece == dead[0]))
    return None


def has_holes(board: Board) -> bool:
    """Whether a row/column board is no full rectangle."""
    return isinstance(board.graph, CrossGraph) and board.graph.mask is not None
