"""The files of a proof: written with the formula that it is about, and found again."""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ponder.limits import NEVER, Limits

if TYPE_CHECKING:
    from ponder.proofs.clausal import ClausalProof
    from ponder.puzzle.proof_file import ProofFile
    from ponder.puzzle.result import Result
    from ponder.puzzle.solver_refutations import SatProof
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

        A solver's proof is written as it is; where the refutation has a short proof, that one;
        NoShortProof where it has neither. A result that refuses nothing is returned as it is.
        """
        from ponder.errors import NoShortProof
        from ponder.proofs.clausal import IN_CLAUSES, TECHNIQUES, ClausalProof
        from ponder.proofs.refused import Refused
        from ponder.puzzle.solver_refutations import SatProof

        if not self.named or result.verdict != "impossible" or result.refutation is None:
            return result
        if isinstance(result.refutation, SatProof):
            return self._solvers(result, result.refutation)
        refused = Refused.of_result(result)
        if refused is None:
            raise NoShortProof.of_kind(result.refutation.kind, IN_CLAUSES, TECHNIQUES)
        return replace(result, proofs=self.short(ClausalProof.of(refused)))

    def short(self, proof: ClausalProof, limits: Limits = NEVER) -> tuple[ProofFile, ...]:
        """Write formula and proofs, these from the refutation; return what they are."""
        from ponder.formulas import dimacs
        from ponder.proofs.lemma_templates import Format
        from ponder.puzzle.files import packed_file
        from ponder.puzzle.proof_file import ProofFile

        size, made = proof.formula.size, []
        forms: tuple[tuple[Format, str | None], ...] = (("drat", self.proof), ("lrat", self.lrat))
        with ExitStack() as stack:  # nothing has its final name until all is written
            if self.cnf is not None:
                proof.write_formula(stack.enter_context(packed_file(self.cnf)))
            for form, name in forms:
                if name is None:
                    continue
                lemmas = proof.write_proof(stack.enter_context(packed_file(name)), form, limits)
                made.append(
                    ProofFile(
                        form,
                        proof.made.name,
                        tuple(str(proof.options).split()),
                        dimacs.body_sha256(proof.formula),
                        size.variables,
                        size.clauses,
                        lemmas,
                        name,
                        self.cnf,
                    )
                )
        return tuple(made)

    def _solvers(self, result: Result, refutation: SatProof) -> Result:
        """Write the proof of a solver."""
        from ponder.cli.encoding import formula_encoder
        from ponder.formulas import dimacs
        from ponder.puzzle.files import packed_file
        from ponder.puzzle.ordering_problem import OrderingProblem

        if result.counts is None:
            return result
        encoder = formula_encoder(refutation.encoding)
        options = encoder.options(refutation.options)
        problem = OrderingProblem.of_board(result.board, result.counts)
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
    """Put the proofs that a result names, or the file `proof`, into the result.

    A name is looked for beside the result, then from here. Only files are read, no devices, and
    none that is too large for the limits (TooLarge).
    """
    from ponder.errors import BoardError

    resting = _resting_on_files(content)
    if proof is not None:
        from ponder.puzzle.files import read_bytes

        if not resting:
            raise BoardError("the result rests on no proof in a file: --proof", source)
        if len(resting) > 1:
            raise BoardError(f"the result names {len(resting)} proofs, not one: --proof", source)
        resting[0]["proof"] = read_bytes(proof)[0]
        if _is_lrat(proof):
            resting[0]["given_format"] = "lrat"
        return
    for entry in resting:
        if entry.get("proof") is None:
            entry["proof"] = _found(entry.get("proof_file"), source, limit)


def _is_lrat(file: str) -> bool:
    """Whether a file's name says that it holds LRAT, packed or not."""
    return any(part == ".lrat" for part in Path(file).suffixes[-2:])


def _resting_on_files(content: Json) -> list[Json]:
    """Return the parts of a result that may name the file of a proof."""
    refutation, proofs = content.get("refutation"), content.get("proofs")
    found = [refutation] if isinstance(refutation, dict) else []
    found = [entry for entry in found if entry.get("kind") == "sat-proof"]
    return (
        found + [entry for entry in proofs if isinstance(entry, dict)]
        if isinstance(proofs, list)
        else found
    )


def _found(name: object, source: str, limit: int) -> bytes | None:
    """Return what is in a file that a result names; None where there is none."""
    from ponder.check.limits import Budget
    from ponder.check.proofs import MOST_PROOF
    from ponder.puzzle.files import names_of, read_bytes

    if not isinstance(name, str) or "\0" in name:
        return None
    for called in names_of(name):
        for file in (os.path.join(os.path.dirname(source), called), called):
            if os.path.isfile(file):
                most = MOST_PROOF["lrat" if _is_lrat(file) else "drat"]
                Budget(limit).demand(os.path.getsize(file), most, "bytes of the proof's file")
                return read_bytes(file)[0]
    return None
