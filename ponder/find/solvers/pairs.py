"""May K pairs be enough for a press set? A formula, a SAT solver, a checked proof.

Idea (theory §7.13). A `PairQuestion` is about a press set and what is refused of it, by the search
for few presses. The formula is the checker's own (`ponder.check.t_join_formula`), so the checker
checks what is proved here. A question with more cuts is a new one: they are few, and "no" needs a
proof of all. Cost: the formula, and what it takes to solve it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ponder.check.evidence.decomposition import Decomposition, TooFewPairs
from ponder.check.kinds import Parts
from ponder.check.lrat import check_lrat
from ponder.check.proofs import packed
from ponder.check.t_join_formula import BlockCut, TJoinFormula
from ponder.find.solvers.clause_arrays import Formula, Sat, Unsat
from ponder.find.solvers.sat import solve
from ponder.proofs.lrat_trimming import trimmed
from ponder.system.errors import CheckFailed, SolverError
from ponder.system.limits import Limits, TimeUp

SOLVER = "cadical195"


@dataclass(frozen=True, eq=False)
class PairProof:
    """Of one press set: a number of pairs is too small, by cuts and a packed LRAT proof."""

    press_set: tuple[int, ...]
    pairs: int
    cap: int
    cuts: tuple[BlockCut, ...]
    lrat: str


def decomposition(parts: Parts, proofs: Sequence[PairProof]) -> Decomposition:
    """Return the evidence of some proofs, with each cut once."""
    numbers: dict[BlockCut, int] = {}
    stated = []
    for proof in proofs:
        cuts = tuple(numbers.setdefault(cut, len(numbers)) for cut in proof.cuts)
        presses = np.array(proof.press_set, dtype=np.int64)
        stated.append(TooFewPairs(presses, proof.pairs, proof.cap, cuts, proof.lrat))
    return Decomposition(parts, tuple(numbers), tuple(stated))


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


@dataclass(frozen=True)
class Decider:
    """Answers a `PairQuestion` about one board: `near` are every bulb's neighbours, `odd` its t."""

    near: Sequence[Sequence[int]]
    odd: Sequence[int]
    seed: int = 0

    def __call__(self, question: PairQuestion, limits: Limits) -> Sequence[int] | PairProof | None:
        """Return pairs, or a proof that they are too few, or None when time is up."""
        press_set, pairs, cap = question.press_set, question.pairs, question.cap
        try:
            formula = TJoinFormula(self.near, self.odd, press_set, pairs, cap, limits.check)
            for cut in question.cuts:
                formula.add_cut(cut)
            answer = decided(formula.variables, formula.clauses, limits, self.seed)
        except TimeUp:
            return None
        if isinstance(answer, set):
            return formula.pairs_of(answer)
        return None if answer is None else PairProof(press_set, pairs, cap, question.cuts, answer)


def decided(
    variables: int, clauses: Sequence[list[int]], limits: Limits, seed: int = 0
) -> set[int] | str | None:
    """Return the true variables of a model, a packed LRAT proof that there is none, or None.

    The proof is checked; None when the solver gave up. Raises TimeUp.
    """
    formula = Formula.of(variables, clauses)
    outcome = solve(formula, solver=SOLVER, timeout=limits, seed=seed, proof=True, lrat=True)
    if isinstance(outcome, Sat):
        return set(outcome.literals[outcome.literals > 0].tolist())
    if not isinstance(outcome, Unsat) or outcome.proof is None:
        return None
    proof = trimmed(outcome.proof, len(clauses), limits)
    try:
        check_lrat(clauses, limits.over(proof.splitlines()))
    except CheckFailed as failure:
        raise SolverError(f"the proof of {SOLVER} is refused: {failure}") from None
    return packed(proof)
