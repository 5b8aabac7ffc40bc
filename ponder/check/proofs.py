"""Proofs about formulas: make the formula anew, compare it, check the proof.

The formula is made from the board and the press counts by the encoder that is named, and must have
the SHA-256 that is stated. A wrong encoder would be wrong here too; the tests hold every encoder
against brute force. Clauses that a lazy formula was given later must each forbid a cycle of
presses, which the encoder confirms from the clause. Proofs in cutting planes are about the OPB file
of that formula, or, where a refutation by lines is proved anew, of the half factor (theory §6.5).

Cost. That of the formula and a pass over the proof; `drat` searches besides. What either asks for
is held against the limits before anything of its size is made: the encoder says how many literals
its formula has at most.
"""

from __future__ import annotations

import base64
import os
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeAlias

import numpy as np

from ponder.check.coset import Coset
from ponder.check.cutting_planes import check_veripb
from ponder.check.drat import check_drat
from ponder.check.fields import fail, integer, sequence, unpacked
from ponder.check.limits import Budget
from ponder.check.line_refutations import LineRefutation, SideRefutation
from ponder.check.linear import press_sets
from ponder.check.lrat import check_lrat
from ponder.check.neighbourhoods import closed_sums, ordering_problem, spend_sums
from ponder.check.written import Form, Number, Reading, Text, Written
from ponder.model.board import Board
from ponder.model.files import written
from ponder.model.ordering_problem import OrderingProblem
from ponder.system.errors import PonderError, quoted
from ponder.system.limits import LimitReached, NeedsMemory
from ponder.system.types import Ints, Json

if TYPE_CHECKING:
    from ponder.formulas.cnf import Cnf
    from ponder.formulas.encoder import Encoder, Options

MOST_PRESSES = 10_000
MOST_LITERALS = 10_000_000  # about 1 GB as the lists of `drat`
_NS_LOOK = 1500  # nanoseconds for a look at a press, or neighbour, that may be eliminated next
_NS_FORMULA = 2_000_000  # … for a formula, however small
_NS_LITERAL = 200  # … for a literal of one

MOST_PROOF = {"drat": 40_000_000, "lrat": 400_000_000, "veripb": 100_000_000}
"""Characters of a proof: those of DRAT are about 1 GB as lists, the others are read by lines."""
PRESS_SETS = "press sets"
"""The first words of a proof that a board has no others, and its format among given ones."""
NOT_HELD = "the proof is neither in the result nor in a file beside it"
MOST_WORD = 80  # characters of an encoding's name, or of an option
_NS_BULB = 5_000  # nanoseconds for a bulb's constraints, in the formula of all press sets
_NS_CUT = 5_000  # nanoseconds for a literal of a clause that was added to a lazy formula


@dataclass(frozen=True)
class GivenProof:
    """A proof of the user's, in place of the result's own or beside it, and its format."""

    text: str | bytes
    form: str


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
ProofFormat: TypeAlias = Literal["lrat", "drat", "veripb"]
FORMATS = {"lrat": "LRAT", "drat": "DRAT", "veripb": "VeriPB"}


class FormulaProof(Written, kw_only=True):
    """A proof that the formula in clauses "these presses have a legal order" has no model.

    `format`                   LRAT, with hints, VeriPB, or DRAT, where nothing is said
    `encoding`, `options`      the encoder and all its options, `key=value`
    `cnf_sha256`               of the formula's DIMACS file without comment lines
    `variables`, `clauses`     of the formula; `lemmas` of the proof
    `cuts`                     clauses that were added to a formula that leaves some out
    `proof`, `packed`          its text, or that compressed, where the result has it
    `proof_file`, `cnf_file`   where they were written; a result has the names
    """

    counts_all: ClassVar[bool] = True  # `lemmas` of DRAT are all, or those that were needed
    format: ProofFormat | None = None
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
        usual = self.format or "drat"
        form, proof = self.whole(budget)
        try:
            made, options = self._encoder()
            if not made.refutes(problem, options):
                fail("the horizon of this encoding is too short: it refutes nothing")
            demand_size(made, options, problem, budget)
            budget.demand(len(proof or ""), MOST_PROOF[form], "characters of the proof")
            formula = made.encode(problem, options)
            cuts = self._cuts(made, problem, options, budget)
            self._compare(formula := formula.extended("cuts", cuts))
            if proof is None:
                return f"{NOT_HELD}: give its file"
            found = self._lemmas(formula, form, proof, budget)
            if form == usual and found != self.lemmas:
                fail(f"{self.lemmas} lemmas stated, the proof has {found}")
        except NeedsMemory as error:
            return str(error)
        except PonderError as error:
            fail(f"sat-proof: {error}")
        return None

    def whole(self, budget: Budget) -> tuple[str, str | bytes | None]:
        """Return the proof's format, and the proof: the user's, or that of the result, unpacked."""
        form, proof = self.format or "drat", self.proof
        if isinstance(proof, GivenProof):
            return proof.form, proof.text
        if proof is None and self.packed is not None:
            proof = unpacked(self.packed, budget, MOST_PROOF[form])
        return form, proof

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

    def _lemmas(self, formula: Cnf, form: str, proof: str | bytes, budget: Budget) -> int:
        """Return the number of lemmas of a proof, after checking it."""
        clauses = formula.clauses()
        if form == "veripb":
            from ponder.formulas import opb

            return check_veripb(_text_of(partial(opb.write, formula)), _text(proof), budget=budget)
        if form == "lrat":
            return check_lrat(clauses, proof, budget=budget)
        found = check_drat(formula.variables, clauses, proof, explicit=True, budget=budget)
        return found.written if self.counts_all else found.lemmas


def name_of(file: str | None) -> str | None:
    """Return what a result calls a file that lies beside it: its name without folders."""
    return None if file is None else written(os.path.basename(file))


def packed(text: str) -> str:
    """Return a proof compressed, as letters and digits; `fields.unpacked` reads it back."""
    return base64.b64encode(zlib.compress(text.encode("ascii"), 6)).decode("ascii")


def is_of_press_sets(proof: GivenProof) -> bool:
    """Whether a proof in cutting planes says that it is about the press sets of a board."""
    _, _, text = _text(proof.text[:1000]).partition("\n")
    return text.lstrip("*% ").startswith(PRESS_SETS)


def check_press_sets(board: Board, proof: GivenProof, budget: Budget) -> int:
    """Check that a board has no press sets but some; return how many these are."""
    from ponder.formulas.press_sets import OtherPressSet

    budget.demand(len(proof.text), MOST_PROOF["veripb"], "characters of the proof")
    coset = Coset.of(board, press_sets(board, budget))
    budget.spend(_NS_BULB * board.graph.size << len(coset.basis), "listing the press sets")
    listed = np.array([coset.member(index) for index in range(coset.size)])
    formula = _text_of(OtherPressSet(board, listed).write)
    check_veripb(formula, _text(proof.text), budget=budget)
    return coset.size


def check_in_veripb(
    board: Board, counts: Ints, why: LineRefutation, proof: GivenProof, budget: Budget
) -> None:
    """Check a VeriPB proof of what a refutation says. Raises CheckFailed or TooLarge."""
    from ponder.encodings.half_factor import HalfFactor
    from ponder.formulas import opb
    from ponder.formulas.cardinality import NATIVE
    from ponder.formulas.press_sets import SwitchedHalfFactor

    budget.demand(len(proof.text), MOST_PROOF["veripb"], "characters of the proof")
    try:
        if isinstance(why, SideRefutation):
            budget.spend(_NS_BULB * board.graph.size, "making the formula of all press sets")
            formula = _text_of(SwitchedHalfFactor.of(board, counts > 0, why.side).write)
        else:
            half, options = HalfFactor(), HalfFactor().options([f"card={NATIVE}"])
            problem = ordering_problem(board, counts, budget)
            demand_size(half, options, problem, budget)
            formula = _text_of(partial(opb.write, half.encode(problem, options)))
    except LimitReached:
        raise
    except PonderError as error:
        fail(f"cutting planes: {error}")
    check_veripb(formula, _text(proof.text), budget=budget)


def _text_of(write: Callable[[BytesIO], object]) -> str:
    file = BytesIO()
    write(file)
    return file.getvalue().decode("ascii")


def _text(proof: str | bytes) -> str:
    return proof if isinstance(proof, str) else proof.decode("ascii", errors="replace")


def demand_size(made: Encoder, options: Options, problem: OrderingProblem, budget: Budget) -> None:
    """Take the making of a formula, of single presses, off the budget. Raises TooLarge."""
    budget.demand(problem.size, MOST_PRESSES, "presses")
    spend_sums(problem.graph, budget, "counting the neighbours of presses")
    degrees = degrees_of(problem)
    budget.demand(int(degrees.sum(dtype=np.int64)), MOST_LITERALS, "pairs of neighbouring presses")
    looks = made.looks(problem, options, degrees)
    budget.spend(_NS_LOOK * looks, "eliminating the presses one by one")
    count = 0
    for count in made.literals_within(problem, options, degrees):
        budget.demand(count, MOST_LITERALS, "literals in the formula, by estimate,")
    budget.spend(_NS_FORMULA + _NS_LITERAL * count, "making the formulas")


def degrees_of(problem: OrderingProblem) -> Ints:
    """Return d for every press, by counting alone."""
    pressed = problem.graph.set_of(problem.bulbs)
    return closed_sums(problem.graph, pressed)[problem.bulbs] - 1
