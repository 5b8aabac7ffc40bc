"""Whether so many pairs may be enough for a press set: a formula, a SAT solver, a checked proof.

Idea (theory §7.13). The formula is the checker's own (`ponder.check.pair_formula`), so that what is
proved here is what will be checked. While cuts are learnt the solver keeps what it knows, and gets
new clauses alone. Once it says no, it is asked again, for a proof, which is checked before it
counts.

Cost. A child process for the solver (`ponder.solvers.sat`), 50 ms, and a second one for a proof.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Sequence
from functools import cached_property

from ponder.check.lrat import check_lrat
from ponder.check.pair_formula import PairFormula
from ponder.errors import CheckFailed, SolverError
from ponder.fewest.clusters import neighbour_lists
from ponder.fewest.master import Question
from ponder.limits import Limits
from ponder.puzzle.board import Board
from ponder.puzzle.decomposition import PairProof
from ponder.solvers.clause_arrays import Formula, Sat, Unsat
from ponder.solvers.lrat_trimming import trimmed
from ponder.solvers.sat import Session, solve

SOLVER = "cadical195"


class Decider:
    """Answers a `Question` about press sets of one board; it remembers the last one's solver."""

    def __init__(self, board: Board, seed: int = 0) -> None:
        self.board, self.seed = board, seed
        self.odd = [] if board.odd_later is None else [int(t) for t in board.odd_later]
        self._session: Session | None = None
        self._asked: Question | None = None
        self._formula: PairFormula | None = None

    def __call__(self, question: Question, limits: Limits) -> Sequence[int] | PairProof | None:
        """Return pairs, or a proof that so many are not enough, or None when time is up."""
        limits.check()
        formula = self._ready(question)
        assert self._session is not None
        outcome = self._session.solve(timeout=limits.left(), stop=lambda: limits.expired)
        if isinstance(outcome, Sat):
            return formula.pairs_of(set(outcome.literals[outcome.literals > 0].tolist()))
        self.close()
        if not isinstance(outcome, Unsat):
            return None
        whole = Formula.of(formula.variables, formula.clauses)
        outcome = solve(
            whole,
            solver=SOLVER,
            timeout=limits.left(),
            seed=self.seed,
            proof=True,
            lrat=True,
            stop=lambda: limits.expired,
        )
        if not isinstance(outcome, Unsat) or outcome.proof is None:
            return None
        proof = trimmed(outcome.proof, len(formula.clauses))
        try:
            check_lrat(formula.clauses, proof)
        except CheckFailed as failure:
            raise SolverError(f"the proof of {SOLVER} is refused: {failure}") from None
        lrat = base64.b64encode(zlib.compress(proof.encode("ascii"), 6)).decode("ascii")
        return PairProof(question.press_set, question.pairs, question.cap, question.cuts, lrat)

    def _ready(self, question: Question) -> PairFormula:
        """Return the formula, which the session knows."""
        old, formula = self._asked, self._formula
        self._asked = question
        if (
            self._session is not None
            and formula is not None
            and old is not None
            and (old.press_set, old.pairs, old.cap)
            == (question.press_set, question.pairs, question.cap)
            and question.cuts[: len(old.cuts)] == old.cuts
        ):
            known = len(formula.clauses)
            for cut in question.cuts[len(old.cuts) :]:
                formula.add_cut(cut)
            self._session.add(formula.clauses[known:], formula.variables)
            return formula
        self.close()
        formula = self._formula = PairFormula(
            self.near, self.odd, question.press_set, question.pairs, question.cap
        )
        for cut in question.cuts:
            formula.add_cut(cut)
        self._session = Session(
            Formula.of(formula.variables, formula.clauses), solver=SOLVER, seed=self.seed
        )
        return formula

    @cached_property
    def near(self) -> list[list[int]]:
        """The neighbours of every bulb."""
        return neighbour_lists(self.board)

    def __enter__(self) -> Decider:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the solver's process."""
        if self._session is not None:
            self._session.close()
            self._session = None
