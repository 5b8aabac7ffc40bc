"""What a program found: evidence by trials, a proof by a SAT solver, a solver's word.

A solver's word never leaves the program as a claim (`ponder.find.driver`).
"""

from __future__ import annotations

import base64
import os
import re
import zlib
from dataclasses import dataclass, field
from typing import Literal, Self

from ponder.check.evidence.refutation import Refutation
from ponder.check.evidence.written import form
from ponder.model.board import Board
from ponder.model.files import written
from ponder.system.printable import inflect, pluralise, printable
from ponder.system.types import Json

INLINE = 200_000
"""A result holds proofs of at most this many characters as text; longer ones packed."""

PACKED = 40_000_000  # proofs of more characters than that need a file


@dataclass(frozen=True, eq=False)
class Randomised(Refutation):
    """Evidence, never proof: the matrix of theory §5 was singular in every trial.

    If an order exists, one trial is singular with probability at most (|E| + |V|) / 2^k.
    `log2_error` is the base-2 logarithm of the bound over all trials.
    """

    kind = "randomised"
    bits: int = field(metadata=form(name="field_bits"))
    trials: int
    log2_error: float
    seed: int

    def to_json(self, board: Board) -> Json:
        """Return the field size, the trials and the error bound."""
        content = super().to_json(board)
        return content | {"error": 2.0**self.log2_error, "seed": content.pop("seed")}

    def sentence(self, board: Board) -> str:
        """Return the evidence."""
        trials = pluralise(self.trials, "trial")
        wrong = f"it errs with probability at most 2^{self.log2_error:.0f}"
        return f"a randomised test found no order in {trials}; {wrong}"

    def argument(self, board: Board) -> str:
        """Return the evidence with its error bound."""
        trials = pluralise(self.trials, "trial")
        return (
            f"a randomised test over GF(2^{self.bits}) found no order in {trials}; it errs with "
            f"probability at most 2^{self.log2_error:.0f}"
        )


@dataclass(frozen=True, eq=False)
class IntegerModel(Refutation):
    """Full row/column boards, every t(v) = 0: CP-SAT says that no press set has a half factor."""

    kind = "integer-model"
    log2_press_sets: int

    def sentence(self, board: Board) -> str:
        """Return what is said."""
        return f"none of the 2^{self.log2_press_sets} choices of presses has an order"


@dataclass(frozen=True, eq=False)
class SatProof(Refutation):
    """A formula that says "this order is legal" has no model, by a proof. Claims C1.

    `ponder.check` has checked `proof`, DRAT or LRAT (`form`). That a legal order would be a model
    rests on the encoder (`encodings/`), which is run again when the proof is verified: the formula
    must have the same SHA-256. The solver is not trusted.

    `encoding`, `options`   the encoder and all its options, `key=value`
    `solver`                whose proof it is; of lemmas about pieces that do without one, ponder's
    `cnf_sha256`            of the DIMACS file without comment lines
    `lemmas`                of the proof, as far as they were needed to be read
    `cuts`                  clauses that were added to a formula that leaves some out
    `proof`, `lrat`         the text of the proof, and with hints where asked for
    `proof_file`, `cnf_file`  where they were written, if anywhere; a result has the names
    """

    kind = "sat-proof"
    encoding: str
    options: tuple[str, ...]
    solver: str
    cnf_sha256: str
    variables: int
    clauses: int
    lemmas: int
    proof: str
    form: Literal["lrat", "drat"] = "drat"
    cuts: tuple[tuple[int, ...], ...] = ()
    lrat: str | None = None
    proof_file: str | None = None
    cnf_file: str | None = None

    def to_json(self, board: Board) -> Json:
        """Return what the formula is, and the proof itself unless it is very large."""
        return {
            "kind": self.kind,
            **({"format": self.form} if self.form == "lrat" else {}),
            "encoding": self.encoding,
            "options": list(self.options),
            "solver": printable(self.solver),
            "cnf_sha256": self.cnf_sha256,
            "variables": self.variables,
            "clauses": self.clauses,
            "cuts": [list(cut) for cut in self.cuts],
            "lemmas": self.lemmas,
            "proof_file": name_of(self.proof_file),
            "cnf_file": name_of(self.cnf_file),
            "proof": self.proof if len(self.proof) <= INLINE else None,
            "packed": packed(self.proof) if INLINE < len(self.proof) <= PACKED else None,
        }

    @classmethod
    def from_json(cls, board: Board, content: Json) -> Self:
        """Return the object of a text form, as far as its sentence needs it: without the proof."""
        told = ("encoding", "solver", "cnf_sha256", "variables", "clauses", "lemmas")
        rest = {key: value for key, value in content.items() if key in told}
        return super().from_json(board, {**rest, "options": (), "proof": ""})

    @property
    def who(self) -> str:
        """The solver's name, or the command as it ran, on files of these names."""
        files = {"{cnf}": "formula.cnf", "{proof}": "proof.drat", "{model}": "model.txt"}
        return re.sub(r"\{\w+\}", lambda found: files.get(found[0], "0"), str(self.solver))

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


# ----------------------------------------------------- proofs beside the certificate of a result


def name_of(file: str | None) -> str | None:
    """Return what a result calls a file that lies beside it: its name without folders."""
    return None if file is None else written(os.path.basename(file))


@dataclass(frozen=True)
class ProofFile:
    """A clausal proof that the formula "the refuted presses have a legal order" has no model.

    `form`                     LRAT, with hints, or DRAT
    `encoding`, `options`      the encoder and all its options, `key=value`
    `cnf_sha256`               of the formula's DIMACS file without comment lines
    `variables`, `clauses`     of the formula; `lemmas` of the proof
    `proof_file`, `cnf_file`   where they were written; a result has the names
    """

    form: Literal["lrat", "drat"]
    encoding: str
    options: tuple[str, ...]
    cnf_sha256: str
    variables: int
    clauses: int
    lemmas: int
    proof_file: str
    cnf_file: str | None

    def to_json(self) -> Json:
        """Return what `ponder.check` reads."""
        names = {"proof_file": name_of(self.proof_file), "cnf_file": name_of(self.cnf_file)}
        told = vars(self) | {"options": list(self.options)} | names
        return {"format": told.pop("form"), **told}


def packed(text: str) -> str:
    """Return a proof compressed, as letters and digits; `check.fields.unpacked` reads it back."""
    return base64.b64encode(zlib.compress(text.encode("ascii"), 6)).decode("ascii")
