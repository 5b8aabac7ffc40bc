"""The files of a proof: written with the formula that it is about, and found again."""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ponder.proofs.lemma_templates import Format
    from ponder.proofs.refused import Refused
    from ponder.puzzle.result import Result
    from ponder.puzzle.solver_refutations import SatProof
    from ponder.types import Bits, Ints, Json


@dataclass(frozen=True)
class ProofFiles:
    """Where to write proofs and their formulas; None: nowhere.

    `proof`, `lrat`, `cnf`   clauses: the proof, the proof with hints, the formula
    `veripb`, `opb`          cutting planes: the proof, the formula
    """

    proof: str | None = None
    lrat: str | None = None
    cnf: str | None = None
    veripb: str | None = None
    opb: str | None = None

    @classmethod
    def of_options(
        cls,
        proof: str | None,
        lrat: str | None,
        cnf: str | None,
        veripb: str | None = None,
        opb: str | None = None,
    ) -> ProofFiles:
        """Make of what the user said; the formula goes beside a proof. PonderError early."""
        from ponder.cli.places import check_file

        beside = proof or lrat
        files = cls(
            proof,
            lrat,
            cnf or (None if beside is None else f"{beside}.cnf"),
            veripb,
            opb or (None if veripb is None else f"{veripb}.opb"),
        )
        for file in files.named:
            check_file(file)
        return files

    @property
    def clauses(self) -> list[str]:
        """The files about clauses that are wanted."""
        return [file for file in (self.cnf, self.proof, self.lrat) if file is not None]

    @property
    def planes(self) -> list[str]:
        """The files about cutting planes that are wanted."""
        return [file for file in (self.opb, self.veripb) if file is not None]

    @property
    def named(self) -> list[str]:
        """The files that are wanted."""
        return [*self.clauses, *self.planes]

    def write(self, result: Result) -> tuple[Result, list[str]]:
        """Write what there is a proof for, packed by the files' endings.

        Return a result that names the files of a solver's proof, and the files that were not
        written because the result has no such proof. Formula and proof are written both or not
        at all.
        """
        from ponder.proofs.clausal import TECHNIQUES
        from ponder.proofs.cutting_planes import WRITERS
        from ponder.proofs.refused import Refused
        from ponder.puzzle.solver_refutations import SatProof

        if not self.named:
            return result, []
        missing: list[str] = []
        refused = Refused.of_result(result)
        if isinstance(result.refutation, SatProof) and result.counts is not None:
            result = self._write_solvers(result, result.refutation, result.counts)
        elif refused is not None and refused.kind in TECHNIQUES:
            self._write_clauses(refused)
        else:
            missing += self.clauses
        if refused is not None and refused.kind in WRITERS:
            self._write_planes(refused)
        else:
            missing += self.planes
        return result, missing

    def _write_solvers(self, result: Result, refutation: SatProof, counts: Ints | Bits) -> Result:
        """Write the proof of a SAT solver."""
        from ponder.cli.encoding import formula_encoder
        from ponder.formulas import dimacs
        from ponder.puzzle.files import packed_file
        from ponder.puzzle.ordering_problem import OrderingProblem

        if not self.clauses:
            return result
        encoder = formula_encoder(refutation.encoding)
        options = encoder.options(refutation.options)
        problem = OrderingProblem.of_board(result.board, counts)
        formula = encoder.encode(problem, options).extended("cuts", refutation.cuts)
        with ExitStack() as stack:  # nothing has its final name until all is written
            if self.cnf is not None:
                file = stack.enter_context(packed_file(self.cnf))
                dimacs.write(formula, file, encoder.describe(problem, options, result.board))
            for name, text in ((self.proof, refutation.proof), (self.lrat, refutation.lrat)):
                if name is not None:
                    stack.enter_context(packed_file(name)).write((text or "").encode("ascii"))
        return replace(
            result, refutation=replace(refutation, proof_file=self.proof, cnf_file=self.cnf)
        )

    def _write_clauses(self, refused: Refused) -> None:
        """Write the formula that a refutation contradicts, and the proof made from it."""
        from ponder.proofs.clausal import ClausalProof
        from ponder.puzzle.files import packed_file

        if not self.clauses:
            return
        made = ClausalProof.of(refused)
        forms: tuple[tuple[str | None, Format], ...] = ((self.proof, "drat"), (self.lrat, "lrat"))
        with ExitStack() as stack:
            if self.cnf is not None:
                made.write_formula(stack.enter_context(packed_file(self.cnf)))
            for name, form in forms:
                if name is not None:
                    made.write_proof(stack.enter_context(packed_file(name)), form)

    def _write_planes(self, refused: Refused) -> None:
        """Write the pseudo-Boolean formula, and the sums of its constraints that refute it."""
        from ponder.proofs.cutting_planes import planes
        from ponder.puzzle.files import packed_file

        if not self.planes:
            return
        made = planes(refused)
        with ExitStack() as stack:
            if self.opb is not None:
                made.write_formula(stack.enter_context(packed_file(self.opb)))
            if self.veripb is not None:
                made.write_proof(stack.enter_context(packed_file(self.veripb)))


def attach_proof(content: Json, source: str, proof: str | None, limit: int) -> None:
    """Put the proof that a result names, or the file `proof`, into its refutation.

    A name is looked for beside the result, then from here. Only files are read, no devices, and
    none that is too large for the limits (TooLarge).
    """
    from ponder.check.limits import Budget
    from ponder.check.proofs import MOST_PROOF
    from ponder.errors import BoardError
    from ponder.puzzle.files import read_bytes

    refutation = content.get("refutation")
    if not isinstance(refutation, dict) or refutation.get("kind") != "sat-proof":
        if proof is not None:
            raise BoardError("the result rests on no proof of a SAT solver: --proof", source)
        return
    if proof is not None:
        refutation["proof"] = read_bytes(proof)[0]
        return
    name = refutation.get("proof_file")
    if refutation.get("proof") is None and isinstance(name, str):
        for file in (os.path.join(os.path.dirname(source), name), name):
            if "\0" not in file and os.path.isfile(file):
                Budget(limit).demand(os.path.getsize(file), MOST_PROOF, "bytes of the proof's file")
                refutation["proof"] = read_bytes(file)[0]
                return
