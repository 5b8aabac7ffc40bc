"""`sat-proof`: a formula that says "this order is legal" has no model, by a proof.

The checker checks the proof. That a legal order would be a
model rests on the encoder (`encodings/`, theory §6.1 to §6.4), which is run again: the formula must
have the same SHA-256. The solver is not trusted. Cost: as `ponder.check.proofs` says.
"""

from __future__ import annotations

import re
from typing import ClassVar

from ponder.check.kinds import Refutation, Refuted
from ponder.check.limits import Budget
from ponder.check.neighbourhoods import ordering_problem
from ponder.check.proofs import FormulaProof, name_of, packed
from ponder.check.written import Text
from ponder.model.board import Board
from ponder.system.printable import inflect, printable
from ponder.system.types import Ints, Json

INLINE = 200_000
"""A result holds proofs of at most this many characters as text; longer ones packed."""

PACKED = 40_000_000  # proofs of more characters than that need a file


class SatProof(FormulaProof, Refutation):
    """The formula has no model, by a proof.

    `solver`  whose proof it is; of lemmas about pieces that do without one, ponder's
    """

    kind = "sat-proof"
    theory = "§6.1 to §6.4"
    of_wirings: ClassVar[bool] = True
    explained: ClassVar[tuple[str, ...]] = (
        "The question was written as a formula, and a solver proved that it has no solution. "
        "Another program checks that proof line by line.",
    )
    solver: Text

    def check(self, board: Board, counts: Ints, budget: Budget) -> Refuted:
        """Check the proof about the formula of the presses."""
        problem = ordering_problem(board, counts, budget)
        return Refuted(counts, unchecked=self.check_problem(problem, budget))

    def to_json(self, board: Board) -> Json:
        """Return what the formula is, and the proof itself unless it is very large."""
        size = len(self.text)
        return {
            "kind": self.kind,
            "format": self.format,
            "encoding": self.encoding,
            "options": list(self.options),
            "solver": printable(self.solver),
            "cnf_sha256": self.cnf_sha256,
            "variables": self.variables,
            "clauses": self.clauses,
            "cuts": [list(cut) for cut in self.cuts or ()],
            "lemmas": self.lemmas,
            "proof_file": name_of(self.proof_file),
            "cnf_file": name_of(self.cnf_file),
            **(held(self.text) if 0 < size <= PACKED else {"proof": None, "packed": self.packed}),
        }

    @property
    def text(self) -> str:
        """The proof, where it is at hand."""
        return self.proof if isinstance(self.proof, str) else ""

    @property
    def who(self) -> str:
        """The solver's name, or the command as it ran, on files of these names."""
        files = {"{cnf}": "formula.cnf", "{proof}": "proof.drat", "{model}": "model.txt"}
        return re.sub(r"\{\w+\}", lambda found: files.get(found[0], "0"), self.solver)

    def sentence(self, board: Board) -> str:
        """Return who has looked for an order."""
        return f"{self.who} looked for an order of these presses, and proved that there is none"

    def argument(self, board: Board) -> str:
        """Return the claim and who has made and checked the proof."""
        return (
            f"the formula {self.encoding} of {self.variables:,} variables and {self.clauses:,} "
            f"clauses has no model: {self.who} gave a proof of {self.lemmas:,} "
            f"{inflect(self.lemmas, 'lemma', 'lemmas')}, which was checked"
        )


def held(text: str) -> Json:
    """Return how a result holds a proof."""
    short = len(text) <= INLINE
    return {"proof": text if short else None, "packed": None if short else packed(text)}
