"""Refutations by a SAT solver's proof: make the formula anew, compare it, check the proof.

What is established, and on what it rests

    the formula has no model      the proof, checked by `drat`, which shares no code with the
                                  encoders, the solvers, or what runs them
    the formula is the board's    the encoder: the formula is made anew from the board and the
                                  press counts, by the named encoder, and must have the SHA-256 that
                                  the refutation states. So nothing in a result file can smuggle a
                                  clause in; but a wrong encoder would be wrong here too. (The tests
                                  hold every encoder against brute force.)
    cuts are valid                clauses that a lazy formula was given later must each forbid a
                                  cycle of presses, which the encoder confirms from the clause

The solver that made the proof is not trusted at all. The encoders are imported only when a proof is
checked; nothing that solves ever is.

Cost. That of the formula and of `drat`. Result files are a stranger's: formulas larger than
`MOST_CLAUSES` are reported as not checked, before anything of their size is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ponder.board import Board
from ponder.check.drat import check_drat
from ponder.check.fields import fail, number, quote, sequence
from ponder.errors import NeedsMemory, PonderError
from ponder.graph import Ints
from ponder.ordering import OrderingProblem
from ponder.refutation import Json

if TYPE_CHECKING:
    from ponder.cnf import Cnf
    from ponder.encoders import Encoder, Options

MOST_CLAUSES = 30_000_000
MOST_PRESSES = 10_000


def check(board: Board, counts: Ints, refutation: Json) -> str | None:
    """Check that the press counts have no order, by a proof; return why not checked, if so.

    CheckFailed when the proof, or what is said about its formula, is wrong. `proof` is DRAT: text,
    or bytes where it was read from a file.
    """
    proof = refutation.get("proof")
    if proof is not None and not isinstance(proof, str | bytes):
        fail(f"sat-proof: the proof is {quote(proof)}, not a text")
    if int(counts.sum()) > MOST_PRESSES:
        return f"more than {MOST_PRESSES:,} presses"
    try:
        made, options = _encoder(refutation)
        problem = OrderingProblem.of_board(board, counts)
        if not made.refutes(problem, options):
            fail("the horizon of this encoding is too short: it refutes nothing")
        formula = made.encode(problem, options)
        if formula.size.clauses > MOST_CLAUSES:
            return f"a formula of more than {MOST_CLAUSES:,} clauses"
        formula = formula.extended("cuts", _cuts(refutation, made, problem, options))
        _compare(formula, refutation)
        if proof is None:
            return "the proof is not part of the result: give its file"
        found = check_drat(formula.variables, formula.clauses(), proof, explicit=True)
        stated = number(refutation.get("lemmas"), "lemmas")
        if stated != found.lemmas:
            fail(f"{quote(stated)} lemmas stated, the proof has {found.lemmas}")
    except NeedsMemory as error:
        return str(error)
    except PonderError as error:
        fail(f"sat-proof: {error}")
    except MemoryError:
        return "this machine's memory is too small for the formula"
    return None


def _encoder(refutation: Json) -> tuple[Encoder, Options]:
    """Return the encoder that is named, and its options."""
    from ponder.encoders import Encoder, encoder

    name, settings = refutation.get("encoding"), sequence(refutation.get("options"), "options")
    if not isinstance(name, str):
        fail(f"encoding is {quote(name)}, not a name")
    words = [setting for setting in settings if isinstance(setting, str)]
    if len(words) < len(settings):
        fail(f"options are {quote(settings)}, not texts")
    made = encoder(name)
    if not isinstance(made, Encoder):
        fail(f"the encoding {name} makes no formula")
    return made, made.options(words)


def _cuts(
    refutation: Json, made: Encoder, problem: OrderingProblem, options: Options
) -> list[list[int]]:
    """Return the clauses that were added, each of which must hold for every order."""
    cuts: list[list[int]] = []
    for item in sequence(refutation.get("cuts", []), "cuts"):
        entry = sequence(item, "cuts: an entry")
        cut = [x for x in entry if type(x) is int]
        if len(cut) < len(entry) or not made.is_cut(problem, options, cut):
            fail(f"the cut {quote(item)} is no clause that every order obeys")
        cuts.append(cut)
    return cuts


def _compare(formula: Cnf, refutation: Json) -> None:
    """Check that the formula is the one that is spoken of."""
    from ponder.dimacs import body_sha256

    for key, truth in (("variables", formula.variables), ("clauses", formula.size.clauses)):
        stated = number(refutation.get(key), key)
        if stated != truth:
            fail(f"{quote(stated)} {key} stated, the board's formula has {truth}")
    if refutation.get("cnf_sha256") != body_sha256(formula):
        fail("cnf_sha256 is not that of the board's formula")
