"""Whether so many pairs may be enough for a press set: a formula, a SAT solver, a checked proof.

Idea (theory §7.13). A `PairQuestion` is about a press set and what is refused of it, by the search
for few presses. The formula is the checker's own (`ponder.check.pair_formula`), so that what is
proved here is what will be checked. The solver is asked for a proof at once; it is checked before
it counts. Where there are pairs instead, and then more cuts, a solver that keeps what it knows gets
new clauses alone, until it says no, and is asked again for a proof.

Cost. A child process for the solver (`ponder.solvers.sat`), 50 ms, and a second one for a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from ponder.check.lrat import check_lrat
from ponder.check.pair_formula import PairFormula
from ponder.errors import CheckFailed, SolverError
from ponder.limits import Limits, TimeUp
from ponder.puzzle.decomposition import BlockCut, PairProof
from ponder.puzzle.solver_refutations import packed
from ponder.solvers.clause_arrays import Formula, Sat, Unsat
from ponder.solvers.lrat_trimming import trimmed
from ponder.solvers.sat import Session, solve

SOLVER = "cadical195"


@dataclass(frozen=True)
class PairQuestion:
    """May `pairs` pairs be enough for a press set, by the parities and these cuts?

    `cap` is more than the pairs of any bulb in a cut: more pairs of a bulb are not told apart.
    """

    press_set: tuple[int, ...]
    pairs: int
    cap: int
    cuts: tuple[BlockCut, ...]


Decide: TypeAlias = Callable[[PairQuestion, Limits], "Sequence[int] | PairProof | None"]
"""Returns the pairs e of every bulb, a proof that there are none, or None when time is up."""


class Decider:
    """Answers a `PairQuestion` about press sets of one board; it remembers the last one's solver.

    `near` are the neighbours of every bulb, `odd` its t.
    """

    def __init__(self, near: Sequence[Sequence[int]], odd: Sequence[int], seed: int = 0) -> None:
        self.near, self.odd, self.seed = near, odd, seed
        self._session: Session | None = None
        self._asked: PairQuestion | None = None
        self._formula: PairFormula | None = None

    def __call__(self, question: PairQuestion, limits: Limits) -> Sequence[int] | PairProof | None:
        """Return pairs, or a proof that so many are not enough, or None when time is up."""
        try:
            return self._decided(question, limits)
        except TimeUp:
            self.close()
            return None
        except BaseException:
            self.close()
            raise

    def _decided(self, question: PairQuestion, limits: Limits) -> Sequence[int] | PairProof | None:
        new = self._continued(question)
        if new is None:
            formula = self._formula = self._whole(question, limits)
            self._asked = question
        else:
            formula, known = new, len(new.clauses)
            known_cuts = 0 if self._asked is None else len(self._asked.cuts)
            for cut in question.cuts[known_cuts:]:
                formula.add_cut(cut)
            self._asked = question
            if self._session is None:
                self._session = Session(self._clauses(formula), solver=SOLVER, seed=self.seed)
            else:
                self._session.add(formula.clauses[known:], formula.variables)
            outcome = self._session.solve(limits)
            if isinstance(outcome, Sat):
                return self._pairs(formula, outcome)
            self.close()
            if not isinstance(outcome, Unsat):
                return None
        outcome = solve(
            self._clauses(formula),
            solver=SOLVER,
            timeout=limits,
            seed=self.seed,
            proof=True,
            lrat=True,
        )
        if isinstance(outcome, Sat):
            return self._pairs(formula, outcome)
        if not isinstance(outcome, Unsat) or outcome.proof is None:
            return None
        proof = trimmed(outcome.proof, len(formula.clauses), limits)
        try:
            check_lrat(formula.clauses, limits.over(proof.splitlines()))
        except CheckFailed as failure:
            raise SolverError(f"the proof of {SOLVER} is refused: {failure}") from None
        return PairProof(
            question.press_set, question.pairs, question.cap, question.cuts, packed(proof)
        )

    def _continued(self, question: PairQuestion) -> PairFormula | None:
        """Return the formula of the last question, if this one only has more cuts."""
        old = self._asked
        if old is None or len(question.cuts) <= len(old.cuts):
            return None
        same = replace(question, cuts=question.cuts[: len(old.cuts)]) == old
        return self._formula if same else None

    def _whole(self, question: PairQuestion, limits: Limits) -> PairFormula:
        self.close()
        formula = PairFormula(
            self.near, self.odd, question.press_set, question.pairs, question.cap, limits.check
        )
        for cut in question.cuts:
            formula.add_cut(cut)
        return formula

    @staticmethod
    def _clauses(formula: PairFormula) -> Formula:
        return Formula.of(formula.variables, formula.clauses)

    @staticmethod
    def _pairs(formula: PairFormula, outcome: Sat) -> list[int]:
        return formula.pairs_of(set(outcome.literals[outcome.literals > 0].tolist()))

    def close(self) -> None:
        """End the solver's process, and forget the last question."""
        self._asked = None
        if self._session is not None:
            self._session.close()
            self._session = None
