"""Whether so many pairs may do, decided in this process: no child, no proof, for tests alone."""

from __future__ import annotations

from collections.abc import Sequence

from ponder.check.t_join_formula import TJoinFormula
from ponder.find.fewest.sat_oracle import PairProof, PairQuestion
from ponder.system.limits import Limits


def formula_of(
    near: Sequence[Sequence[int]], odd: Sequence[int], question: PairQuestion
) -> TJoinFormula:
    """Return the formula with all its cuts."""
    formula = TJoinFormula(near, odd, question.press_set, question.pairs, question.cap)
    for cut in question.cuts:
        formula.add_cut(cut)
    return formula


class InThisProcess:
    """Decides like `ponder.find.fewest.sat_oracle.Decider`; its proofs are empty."""

    def __init__(self, near: Sequence[Sequence[int]], odd: Sequence[int], seed: int = 0) -> None:
        self.near, self.odd = near, odd

    def __call__(self, question: PairQuestion, limits: Limits) -> Sequence[int] | PairProof | None:
        from pysat.solvers import Cadical195

        limits.check()
        formula = formula_of(self.near, self.odd, question)
        with Cadical195(bootstrap_with=formula.clauses) as solver:
            if solver.solve():
                return formula.pairs_of({x for x in solver.get_model() if x > 0})
        return PairProof(question.press_set, question.pairs, question.cap, question.cuts, "")
