"""The files of a proof: written with the formula that it is about, and found again."""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ponder.limits import NEVER, Limits

if TYPE_CHECKING:
    from ponder.check.limits import Budget
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


def attach_proof(content: Json, source: str, proof: str | None, budget: Budget) -> None:
    """Put the proofs that a result names, or the file `proof`, into the result.

    A name is one of a regular file beside the result. What is read is taken off the budget
    (TooLarge).
    """
    from ponder.check.proofs import MOST_PROOF, GivenProof
    from ponder.errors import BoardError
    from ponder.puzzle.files import read_bytes

    resting = _resting_on_files(content)
    if proof is not None:
        if not resting:
            raise BoardError("the result rests on no proof in a file: --proof", source)
        if len(resting) > 1:
            raise BoardError(f"the result names {len(resting)} proofs, not one: --proof", source)
        usual = "lrat" if resting[0].get("format") == "lrat" else "drat"
        form = "lrat" if _is_lrat(proof) else usual
        resting[0]["proof"] = GivenProof(read_bytes(proof)[0], form)
        return
    held = 0
    for entry in resting:
        file = _beside(entry.get("proof_file"), source) if entry.get("proof") is None else None
        if file is not None:
            most = MOST_PROOF["lrat" if _is_lrat(file) else "drat"]
            entry["proof"] = found = read_within(file, "a proof's file", most, budget)
            held += len(found)
            budget.hold(held, "proofs in files")


def read_within(file: str, what: str, most: int, budget: Budget) -> bytes:
    """Return the content of a file that a stranger has made, taken off a budget; TooLarge."""
    from ponder.errors import LargeFile
    from ponder.puzzle.files import MOST_BYTES, read_bytes

    try:
        data = read_bytes(file, min(most * budget.limit, MOST_BYTES))[0]
    except LargeFile:
        if most * budget.limit < MOST_BYTES:  # a higher limit helps
            budget.demand(most * budget.limit + 1, most, f"bytes of {what}, at least,")
        raise
    budget.read(len(data), what, most)
    return data


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


def _beside(name: object, source: str) -> str | None:
    """Return the regular file of that name beside a result; None where there is none.

    A stranger's result names no folder, and no link leads out of its own.
    """
    from ponder.puzzle.files import names_of

    if not isinstance(name, str):
        return None
    folder = os.path.realpath(os.path.dirname(source))
    for called in names_of(name):
        if "\0" in called or os.path.basename(called) != called:
            continue
        file = os.path.realpath(os.path.join(folder, called))
        if os.path.dirname(file) == folder and os.path.isfile(file):
            return file
    return None
