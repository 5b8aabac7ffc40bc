"""Refutations by a solver's proof: make the formula anew, compare it, check the proof.

The formula is made from the board and the press counts by the encoder that is named, and must have
the SHA-256 that the refutation states. A wrong encoder would be wrong here too; the tests hold
every encoder against brute force. Clauses that a lazy formula was given later must each forbid a
cycle of presses, which the encoder confirms from the clause. Proofs in cutting planes are about the
OPB file of that formula, or, where a certificate is refuted anew, of the half factor (theory §6.5).

Cost. That of the formula and a pass over the proof; `drat` searches besides. What either asks for
is held against the limits before anything of its size is made (`formulas`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING

from ponder.check.cutting_planes import check_veripb
from ponder.check.drat import check_drat
from ponder.check.fields import enum_value, fail, number, quote, sequence, unpacked
from ponder.check.formulas import demand_size
from ponder.check.limits import Budget
from ponder.check.lrat import check_lrat
from ponder.check.wirings import ordering_problem
from ponder.model.board import Board
from ponder.model.ordering_problem import OrderingProblem
from ponder.system.errors import PonderError
from ponder.system.limits import LimitReached, NeedsMemory
from ponder.system.types import Ints, Json

if TYPE_CHECKING:
    from ponder.formulas.cnf import Cnf
    from ponder.formulas.encoder import Encoder, Options

MOST_PROOF = {"drat": 40_000_000, "lrat": 400_000_000, "veripb": 100_000_000}
"""Characters of a proof: those of DRAT are about 1 GB as lists, the others are read by lines."""
OF_ALL_PRESS_SETS = ("line-parities", "weighted-cuts")
IN_VERIPB = ("line-count", "line-cut", *OF_ALL_PRESS_SETS)  # what cutting planes can prove anew
MOST_WORD = 80  # characters of an encoding's name, or of an option
_NS_BULB = 5_000  # nanoseconds for a bulb's constraints, in the formula of all press sets
_NS_CUT = 5_000  # nanoseconds for a literal of a clause that was added to a lazy formula


@dataclass(frozen=True)
class GivenProof:
    """A proof of the user's, in place of the result's own or beside it, and its format."""

    text: str | bytes
    form: str


def check_problem(problem: OrderingProblem, refutation: Json, budget: Budget) -> str | None:
    """Check a proof that a problem has no order; return why not checked, if so. Raises TooLarge.

    Raises CheckFailed if the proof, or what is said about its formula, is wrong. `proof` is a text,
    bytes of a file, or a `GivenProof`; its `format` is `drat`, or where that is said `lrat`.
    """
    usual = form = enum_value(refutation.get("format", "drat"), ("drat", "lrat"), "format")
    proof = refutation.get("proof")
    if isinstance(proof, GivenProof):
        form, proof = proof.form, proof.text
    if proof is None and refutation.get("packed") is not None:
        proof = unpacked(refutation["packed"], MOST_PROOF[form], budget)
    if proof is not None and not isinstance(proof, str | bytes):
        fail(f"sat-proof: the proof is {quote(proof)}, not a text")
    stated = {key: number(refutation.get(key), key) for key in ("variables", "clauses", "lemmas")}
    try:
        made, options = _encoder(refutation)
        if not made.refutes(problem, options):
            fail("the horizon of this encoding is too short: it refutes nothing")
        demand_size(made, options, problem, budget)
        budget.demand(len(proof or ""), MOST_PROOF[form], "characters of the proof")
        formula = made.encode(problem, options)
        formula = formula.extended("cuts", _cuts(refutation, made, problem, options, budget))
        _compare(formula, refutation, stated)
        if proof is None:
            return "the proof is neither in the result nor in a file beside it: give its file"
        found = _lemmas(formula, form, proof, "format" in refutation, budget)
        if form == usual and found != stated["lemmas"]:
            fail(f"{stated['lemmas']} lemmas stated, the proof has {found}")
    except NeedsMemory as error:
        return str(error)
    except PonderError as error:
        fail(f"sat-proof: {error}")
    return None


def check_in_veripb(
    board: Board, counts: Ints, refutation: Json, proof: GivenProof, budget: Budget
) -> None:
    """Check a VeriPB proof of a certificate in IN_VERIPB. Raises CheckFailed or TooLarge."""
    from ponder.encodings.half_factor import HalfFactor
    from ponder.formulas import opb
    from ponder.formulas.cardinality import NATIVE
    from ponder.formulas.switched_half_factor import SwitchedHalfFactor

    budget.demand(len(proof.text), MOST_PROOF["veripb"], "characters of the proof")
    try:
        if refutation.get("kind") in OF_ALL_PRESS_SETS:
            budget.spend(_NS_BULB * board.graph.size, "making the formula of all press sets")
            formula = _text_of(
                SwitchedHalfFactor.of(board, counts > 0, refutation.get("side")).write
            )
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


def _lemmas(formula: Cnf, form: str, proof: str | bytes, in_file: bool, budget: Budget) -> int:
    """Return the number of lemmas of a proof, checked: of a file's all, of a solver's the used."""
    clauses = formula.clauses()
    if form == "veripb":
        from ponder.formulas import opb

        return check_veripb(_text_of(partial(opb.write, formula)), _text(proof), budget=budget)
    if form == "lrat":
        return check_lrat(clauses, proof, budget=budget)
    found = check_drat(formula.variables, clauses, proof, explicit=True, budget=budget)
    return found.written if in_file else found.lemmas


def _encoder(refutation: Json) -> tuple[Encoder, Options]:
    from ponder.encodings.registry import encoder
    from ponder.formulas.encoder import Encoder

    name, settings = refutation.get("encoding"), sequence(refutation.get("options"), "options")
    if not isinstance(name, str):
        fail(f"encoding is {quote(name)}, not a name")
    words = [setting for setting in settings if isinstance(setting, str)]
    if len(words) < len(settings):
        fail(f"options are {quote(settings)}, not texts")
    for text in (name, *words):
        if len(text) > MOST_WORD:
            fail(f"{quote(text)} is neither an encoding nor an option of one")
    made = encoder(name)
    if not isinstance(made, Encoder):
        fail(f"the encoding {name} makes no formula")
    return made, made.options(words)


def _cuts(
    refutation: Json, made: Encoder, problem: OrderingProblem, options: Options, budget: Budget
) -> list[list[int]]:
    """Return the clauses that were added, each of which must hold for every order."""
    cuts: list[list[int]] = []
    for item in sequence(refutation.get("cuts", []), "cuts"):
        entry = sequence(item, "cuts: an entry")
        budget.spend(_NS_CUT * (len(entry) + 1), "looking at all cuts")
        cut = [x for x in entry if type(x) is int]
        if len(cut) < len(entry) or not made.is_cut(problem, options, cut):
            fail(f"the cut {quote(item)} is not a clause that every order obeys")
        cuts.append(cut)
    return cuts


def _compare(formula: Cnf, refutation: Json, stated: Mapping[str, int]) -> None:
    from ponder.formulas.dimacs import body_sha256

    for key, truth in (("variables", formula.variables), ("clauses", formula.size.clauses)):
        if stated[key] != truth:
            fail(f"{stated[key]} {key} stated, the board's formula has {truth}")
    if refutation.get("cnf_sha256") != body_sha256(formula):
        fail("cnf_sha256 is not that of the board's formula")
