"""One way from a board to its `Result`, for `ponder.order` and for `ponder.solve`.

    linear    the press sets; where there is none, the odd witness is the answer (claim C4)
    dead end  where the rule allows no first press, or no last one, that is (claim C4, too)
    any       under the rule `any` every order is legal, and the lightest press set wins
    search    what the command brings: it answers with the best presses (`Best`) or a refutation
    replay    no sequence leaves unchecked: it is played on the board by `ponder.check`
    proved    what is a solver's word becomes a remark: no claim rests on it
    limits    when time or memory ends a stage, the verdict is `unknown`, with what is `known`

Every stage leaves a `Step` in the log, which is what `--explain` prints.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

import numpy as np

from ponder.check.replay import replay
from ponder.errors import NeedsMemory
from ponder.fewest.dead_ends import dead_end
from ponder.limits import NEVER, Limits, TimeUp
from ponder.linear.press_sets import PressSets, press_sets
from ponder.pipeline.search_settings import SearchSettings
from ponder.printable import counted
from ponder.puzzle.answer import CP_SAT_SAYS, NOT_MET, Best
from ponder.puzzle.board import Board
from ponder.puzzle.bound_evidence import BoundByWord, UniquePressSet
from ponder.puzzle.graph import CrossGraph
from ponder.puzzle.press_set_refutations import OddWitness
from ponder.puzzle.refutation import Claim, Refutation
from ponder.puzzle.result import Result
from ponder.puzzle.solver_refutations import IntegerModel, Randomised
from ponder.types import Bits, Ints

REPLAYING = 0.5
"""Seconds for the replay of a sequence when the time is up already."""

REPLAYING_EACH = 2e-6
"""And so much for each press."""

PROMPT = 1 << 14
"""On boards of up to so many bulbs a dead end is found however short the time."""

UNIQUE = UniquePressSet()
"""The evidence for the bound that the only press set is."""


@dataclass(frozen=True, eq=False)
class Refuted:
    """There are no presses of the kind asked for: who says so, why, and what that proves.

    `counts` is the press set that `why` is about, where it is about one.
    """

    method: str
    why: Refutation
    claim: Claim
    counts: Bits | Ints | None = None


Found: TypeAlias = "Best | Refuted"


@dataclass
class Run:
    """One call: the board, what settings it, and what is known should a limit end it."""

    board: Board
    settings: SearchSettings
    command: Literal["order", "solve"] = "order"
    known: Best = field(default_factory=lambda: Best("linear", None))
    stage: str = "linear"

    def stopped(self, why: TimeUp | NeedsMemory) -> Best:
        """Return what is known when a limit ends the search."""
        return replace(self.known, method=self.stage, reason=str(why))

    def press_sets(self) -> PressSets | Found:
        """Find the press sets to search among, or the answer; TimeUp, NeedsMemory."""
        self.settings.progress("solving the linear system")
        sets = self._linear()
        if isinstance(sets, OddWitness):
            return Refuted("linear", sets, "C4")
        self.stage = self.settings.method
        if sets.nullity == 0:
            presses = int(np.count_nonzero(sets.particular))
            self.known = Best("linear", None, presses, UNIQUE)
        # who asks for a method, or for proofs in files, wants a reason of that kind
        if self.settings.method == "auto" and self.settings.recipe is None:
            limits = NEVER if self.board.graph.size <= PROMPT else self.settings.limits
            dead = dead_end(self.board, limits)
            if dead is not None:
                return Refuted("dead end", dead, "C4")
        if sets.nullity:
            self._bound_soon(sets)
        return self._any_order(sets) if self.board.rule == "any" else sets

    def _bound_soon(self, sets: PressSets) -> None:
        """Prove a lower bound before the search among many press sets, as far as that is soon."""
        from ponder.cosets.lower_bounds import soon

        settings = self.settings
        found = soon(self.board, sets, seed=settings.seed, limits=settings.limits)
        if found is not None and found.lower_bound is not None:
            # the press set found on the way is an answer where its order does not matter
            self.known = found if self.board.rule == "any" else replace(found, presses=None)
            settings.progress(f"at least {counted(found.lower_bound, 'press')}")

    def _linear(self) -> PressSets | OddWitness:
        with self.settings.stage("linear") as stage:
            sets = press_sets(self.board, self.settings.limits)
            if isinstance(sets, OddWitness):
                return stage.said(sets, "no press set: odd witness")
            presses = counted(int(np.count_nonzero(sets.particular)), "press")
            which = "the only press set" if sets.nullity == 0 else f"one of 2^{sets.nullity}"
            return stage.said(sets, f"{which}, {presses}")

    def _any_order(self, sets: PressSets) -> Best:
        from ponder.cosets.minimum_weight import lightest

        settings, known = self.settings, self.known
        if known.optimal and not settings.every:
            return known
        with settings.stage("lightest") as stage:
            found = lightest(
                self.board,
                sets,
                least=known.lower_bound or 0,
                seed=settings.seed,
                timeout=settings.limits,
                progress=settings.progress,
                every=settings.every,
            )
            stage.said(found)
        lighter = known.count is not None and (found.count is None or known.count < found.count)
        return replace(found, presses=known.presses) if lighter else found

    def result(self, found: Found) -> Result:
        """Return what a search has found as a result; presses are replayed first."""
        found = self._proved(found)
        if isinstance(found, Best):
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
            case Best():
                return replace(
                    base,
                    verdict="unknown" if found.presses is None else "solved",
                    presses=found.presses,
                    lower_bound=found.lower_bound,
                    evidence=found.evidence,
                    reason=None if found.optimal else found.reason,
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

    def _proved(self, found: Found) -> Found:
        """Return what is found without what is CP-SAT's word, of which a remark is made."""
        known = self.known
        if isinstance(known.evidence, BoundByWord):
            known = Best("linear", None)
        least = known.lower_bound or (0 if self.command == "solve" else None)
        if isinstance(found, Refuted) and isinstance(found.why, IntegerModel):
            said = found.why.sentence(self.board)
            best = Best(found.method, None, reason="CP-SAT says no, which is not proved")
        elif isinstance(found, Best) and isinstance(found.evidence, BoundByWord):
            what = "no order of single presses" if self.command == "order" else "no legal sequence"
            said = f"{what} has fewer than {counted(found.lower_bound or 0, 'press')}"
            best = replace(found, reason=found.reason or NOT_MET)
            if (found.lower_bound or 0) <= (least or 0):
                return replace(best, lower_bound=least, evidence=known.evidence)
        else:
            return found
        remarks = {**best.statistics, CP_SAT_SAYS: said}
        return replace(best, lower_bound=least, evidence=known.evidence, statistics=remarks)

    def _bounded(self, best: Best) -> Best:
        """Return the best presses with the better bound, that of the search or the one before."""
        known = self.known
        if (known.lower_bound or 0) <= (best.lower_bound or 0):
            return best
        return replace(best, lower_bound=known.lower_bound, evidence=known.evidence)

    def _replayed(self, best: Best) -> Best:
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


def has_holes(board: Board) -> bool:
    """Whether a row/column board is no full rectangle."""
    return isinstance(board.graph, CrossGraph) and board.graph.mask is not None
