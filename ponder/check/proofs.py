"""Proofs about formulas: make the formula anew, compare it, check the proof.

The formula is made from the board and the press counts by the encoder that is named, and must have
the SHA-256 that is stated. A wrong encoder would be wrong here too; the tests hold every encoder
against brute force. Clauses that a lazy formula was given later must each forbid a cycle of
presses, which the encoder confirms from the clause.

Cost. That of the formula and a pass over the proof. What either asks for is held against the limits
before anything of its size is made: the encoder says how many literals its formula has at most.
"""

from __future__ import annotations

import base64
import os
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from ponder.check.fields import fail, integer, sequence, unpacked
from ponder.check.limits import Budget
from ponder.check.lrat import check_lrat
from ponder.check.neighbourhoods import spend_sums
from ponder.check.written import Form, Number, Reading, Text, Written
from ponder.model.board import Board
from ponder.model.files import written
from ponder.model.ordering_problem import OrderingProblem
from ponder.system.errors import PonderError, quoted
from ponder.system.limits import NeedsMemory
from ponder.system.types import Json

if TYPE_CHECKING:
    from ponder.formulas.cnf import Cnf
    from ponder.formulas.encoder import Encoder, Options

MOST_PRESSES = 10_000
MOST_LITERALS = 10_000_000  # about 1 GB as lists
_NS_LOOK = 1500  # nanoseconds for a look at a press, or neighbour, that may be eliminated next
_NS_FORMULA = 2_000_000  # … for a formula, however small
_NS_LITERAL = 200  # … for a literal of one

MOST_PROOF = 400_000_000  # characters of a proof, which is read by lines
NOT_HELD = "the proof is neither in the result nor in a file beside it"
MOST_WORD = 80  # characters of an encoding's name, or of an option
_NS_BULB = 5_000  # nanoseconds for a bulb's constraints, in the formula of all press sets
_NS_CUT = 5_000  # nanoseconds for a literal of a clause that was added to a lazy formula


@dataclass(frozen=True)
class GivenProof:
    """A proof of the user's, LRAT, in place of the result's own."""

    text: str | bytes


def _proof(of: Reading, value: object, what: str) -> Any:
    """Return a proof: the text, bytes of a file, or what the user gave."""
    known = isinstance(value, str | bytes | GivenProof)
    return value if known else fail(f"{what} is {quoted(value)}, not a text")


def _literals(of: Reading, value: object, what: str) -> tuple[int, ...]:
    return tuple(integer(x, what) for x in sequence(value, what))


Proof: TypeAlias = Annotated[str | bytes | GivenProof, Form(_proof, {"type": "string"})]
Literals: TypeAlias = Annotated[
    tuple[int, ...], Form(_literals, {"type": "array", "items": {"type": "integer"}})
]
Sha256: TypeAlias = Annotated[
    str, Form(lambda of, x, what: x, {"type": "string", "pattern": "^[0-9a-f]{64}$"})
]
ProofFormat: TypeAlias = Literal["lrat"]


class FormulaProof(Written, kw_only=True):
    """A proof that the formula in clauses "these presses have a legal order" has no model.

    `format`                   LRAT
    `encoding`, `options`      the encoder and all its options, `key=value`
    `cnf_sha256`               of the formula's DIMACS file without comment lines
    `variables`, `clauses`     of the formula; `lemmas` of the proof
    `cuts`                     clauses that were added to a formula that leaves some out
    `proof`, `packed`          its text, or that compressed, where the result has it
    `proof_file`, `cnf_file`   where they were written; a result has the names
    """

    format: ProofFormat = "lrat"
    encoding: Text
    options: tuple[Text, ...]
    cnf_sha256: Sha256
    variables: Number
    clauses: Number
    cuts: tuple[Literals, ...] | None = None
    lemmas: Number
    proof_file: Text | None = None
    cnf_file: Text | None = None
    proof: Proof | None = None
    packed: Text | None = None

    def to_json(self, board: Board) -> Json:
        """Return what is written beside a result's certificate."""
        keys = ("format", "encoding", "options", "cnf_sha256", "variables", "clauses", "lemmas")
        told = {key: getattr(self, key) for key in keys} | {"options": list(self.options)}
        return {
            **told,
            "proof_file": name_of(self.proof_file),
            "cnf_file": name_of(self.cnf_file),
            **({"cuts": [list(cut) for cut in self.cuts]} if self.cuts else {}),
        }

    def check_problem(self, problem: OrderingProblem, budget: Budget) -> str | None:
        """Check that a problem has no order; return why not checked, if so. Raises TooLarge.

        Raises CheckFailed if the proof, or what is said about its formula, is wrong.
        """
        proof = self.whole(budget)
        try:
            made, options = self._encoder()
            if not made.refutes(problem, options):
                fail("the horizon of this encoding is too short: it refutes nothing")
            demand_size(problem, budget)
            budget.demand(len(proof or ""), MOST_PROOF, "characters of the proof")
            formula = made.encode(problem, options)
            budget.demand(formula.literals, MOST_LITERALS, "literals in the formula")
            budget.spend(_NS_FORMULA + _NS_LITERAL * formula.literals, "making the formulas")
            cuts = self._cuts(made, problem, options, budget)
            self._compare(formula := formula.extended("cuts", cuts))
            if proof is None:
                return f"{NOT_HELD}: give its file"
            found = check_lrat(formula.clauses(), proof, budget=budget)
            if found != self.lemmas:
                fail(f"{self.lemmas} lemmas stated, the proof has {found}")
        except NeedsMemory as error:
            return str(error)
        except PonderError as error:
            fail(f"sat-proof: {error}")
        return None

    def whole(self, budget: Budget) -> str | bytes | None:
        """Return the proof: the user's, or that of the result, unpacked."""
        proof = self.proof
        if isinstance(proof, GivenProof):
            return proof.text
        if proof is None and self.packed is not None:
            proof = unpacked(self.packed, budget, MOST_PROOF)
        return proof

    def _encoder(self) -> tuple[Encoder, Options]:
        from ponder.encodings.registry import encoder
        from ponder.formulas.encoder import Encoder

        for text in (self.encoding, *self.options):
            if len(text) > MOST_WORD:
                fail(f"{quoted(text)} is neither an encoding nor an option of one")
        made = encoder(self.encoding)
        if not isinstance(made, Encoder):
            fail(f"the encoding {self.encoding} makes no formula")
        return made, made.options(self.options)

    def _cuts(
        self, made: Encoder, problem: OrderingProblem, options: Options, budget: Budget
    ) -> list[list[int]]:
        """Return the clauses that were added, each of which must hold for every order."""
        for cut in self.cuts or ():
            budget.spend(_NS_CUT * (len(cut) + 1), "looking at all cuts")
            if not made.is_cut(problem, options, cut):
                fail(f"the cut {quoted(list(cut))} is not a clause that every order obeys")
        return [list(cut) for cut in self.cuts or ()]

    def _compare(self, formula: Cnf) -> None:
        from ponder.formulas.dimacs import body_sha256

        for key, truth in (("variables", formula.variables), ("clauses", formula.size.clauses)):
            if getattr(self, key) != truth:
                fail(f"{getattr(self, key)} {key} stated, the board's formula has {truth}")
        if self.cnf_sha256 != body_sha256(formula):
            fail("cnf_sha256 is not that of the board's formula")


def name_of(file: str | None) -> str | None:
    """Return what a result calls a file that lies beside it: its name without folders."""
    return None if file is None else written(os.path.basename(file))


def packed(text: str) -> str:
    """Return a proof compressed, as letters and digits; `fields.unpacked` reads it back."""
    return base64.b64encode(zlib.compress(text.encode("ascii"), 6)).decode("ascii")


def demand_size(problem: OrderingProblem, budget: Budget) -> None:
    """Hold the presses and neighbours against what a formula may have. Raises TooLarge."""
    budget.demand(problem.size, MOST_PRESSES, "presses")
    spend_sums(problem.graph, budget, "counting the neighbours of presses")
