"""Proofs beside the certificate of a result: in a file of their own, or packed inside."""

from __future__ import annotations

import base64
import os
import zlib
from dataclasses import dataclass
from typing import Literal

from ponder.puzzle.files import written
from ponder.types import Json


def name_of(file: str | None) -> str | None:
    """Return what a result calls a file: its name without folders, for it lies beside the result.

    >>> name_of("proofs/a.lrat"), name_of(None)
    ('a.lrat', None)
    """
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
        return {
            "format": self.form,
            "encoding": self.encoding,
            "options": list(self.options),
            "cnf_sha256": self.cnf_sha256,
            "variables": self.variables,
            "clauses": self.clauses,
            "lemmas": self.lemmas,
            "proof_file": name_of(self.proof_file),
            "cnf_file": name_of(self.cnf_file),
        }


def packed(text: str) -> str:
    """Return a proof as it stands inside a result: ASCII, compressed to letters and digits.

    A solver's proof shrinks to a third. `ponder.check.fields.unpacked` reads it back.

    >>> len(packed("1 0 2 3 0\\n" * 1000)) < 200
    True
    """
    return base64.b64encode(zlib.compress(text.encode("ascii"), 6)).decode("ascii")
