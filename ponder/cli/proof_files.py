"""The files of a SAT solver's proof: written with the formula that it is about, and found again."""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ponder.puzzle.result import Result
    from ponder.types import Json


@dataclass(frozen=True)
class ProofFiles:
    """Where to write the proof, the proof with hints, and the formula; None: nowhere."""

    proof: str | None
    lrat: str | None
    cnf: str | None

    @classmethod
    def of_options(cls, proof: str | None, lrat: str | None, cnf: str | None) -> ProofFiles:
        """Make of what the user said; the formula goes beside a proof. PonderError early."""
        from ponder.cli.places import check_file

        beside = proof or lrat
        files = cls(proof, lrat, cnf or (None if beside is None else f"{beside}.cnf"))
        for file in files.named:
            check_file(file)
        return files

    @property
    def named(self) -> list[str]:
        """The files that are wanted."""
        return [file for file in (self.cnf, self.proof, self.lrat) if file is not None]

    def write(self, result: Result) -> Result:
        """Write all of them or none, packed by their endings; return a result that names them.

        A result without a proof is returned as it is.
        """
        from ponder.cli.encoding import formula_encoder
        from ponder.formulas import dimacs
        from ponder.puzzle.files import packed_file
        from ponder.puzzle.ordering_problem import OrderingProblem
        from ponder.puzzle.solver_refutations import SatProof

        refutation, counts = result.refutation, result.counts
        if not isinstance(refutation, SatProof) or counts is None or not self.named:
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
