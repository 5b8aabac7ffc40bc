"""`ponder prove`: the files with which checkers from outside see that a result is true.

They are packed by their endings, all of them or none written. A solver's proof is the result's;
else the refutation needs a short proof of its kind.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from ponder.check.formula import NOT_HELD
from ponder.check.formula import Formula as FormulaProof
from ponder.check.orientation import SCHEMA as ORIENTATION
from ponder.check.reader import TooLarge
from ponder.cli import params
from ponder.cli.boards import Header
from ponder.cli.output import remark, say
from ponder.cli.results import oriented, question_asked
from ponder.model.board import board_name
from ponder.model.files import packed_file, read_bytes
from ponder.model.json_text import RESULT, parse_result
from ponder.system.errors import BoardError, NoShortProof, quoted
from ponder.system.limits import Limits

if TYPE_CHECKING:
    from ponder.check.orientation import Question
    from ponder.check.result import Result
    from ponder.model.board import Board
    from ponder.model.ordering_problem import OrderingProblem
    from ponder.proofs.refused import Refused
    from ponder.system.types import Json

Files = dict[str, Callable[[IO[bytes]], Any]]  # what writes each file, by its name

FORMS = ("lrat", "veripb", "coq")


@params.command(
    """
Examples:
  ponder order board.txt --json > answer.json
  ponder prove board.txt answer.json -o proof
  cake_lpr proof/formula.cnf proof/proof.lrat
  veripb proof/formula.opb proof/proof.pbp
  ponder solve board.txt --json > answer.json
  ponder prove board.txt answer.json -o proof --format coq
  ponder orient graph.g6 --odd none --json > answer.json
  ponder prove graph.g6 answer.json -o proof    a graph that has no such orientation

A formula says that the presses have a legal order, each bulb at most once. Its header names the
board and the meaning of the variables; the proof shows that there is no model. certificate.v holds
the board and theorems about it: `make -C verified && coqc -R verified Ponder certificate.v`.

Exit codes: 0 written; 1 the result is false; 2 bad input, or a result that has no short proof;
3 not in time (no file is left).
"""
)
@params.file_argument
@click.argument("result", metavar="RESULT")
@params.stack("header", Header, *params.header_options[:-1])  # its own --format
@click.option("-o", "--output", metavar="DIR", required=True, help="The folder, made if missing.")
@click.option(
    "--format",
    "forms",
    type=click.Choice(FORMS),
    multiple=True,
    help="LRAT (with hints), cutting planes, or a certificate for Coq (of sequences and bounds "
    "too); may be repeated.  [default: LRAT or cutting planes, whichever there is]",
)
@params.clock_option
@params.quiet_option
def command(
    file: str,
    result: str,
    header: Header,
    output: str,
    forms: tuple[str, ...],
    clock: Limits,
    quiet: bool,
) -> int:
    """Write the refutation in the JSON RESULT of `order` as formulas and short proofs into DIR.

    With --format coq, RESULT may be any result of `order` or `solve`. The proofs come from the
    certificates in it. What a SAT solver proved is written with its formula.
    """
    data, source = read_bytes(result)
    content = parse_result(data, source, (RESULT, ORIENTATION))
    if content is None:
        raise BoardError("is not a result of `ponder order --json`", source)
    _take_in(content)
    question = None
    if content["schema"] == ORIENTATION:
        question = question_asked(file, content, source, clock)
        board = replace(question.board, name=board_name(file))
    else:
        board = header.read(file, clock)
        _verify(board, content, source, clock)
    files: Files = {}
    for form in forms or FORMS[:2]:
        try:
            if form == "coq":
                files |= _coq(board, content, question, clock, quiet)
            else:
                refused = _refused(file, board, content, question, source)
                make = _lrat if form == "lrat" else _veripb
                files |= make(refused, clock)
        except NoShortProof:
            if forms or (form == "veripb" and not files):
                raise
    folder = Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    write_all({str(folder / name): write for name, write in files.items()})
    if not quiet:
        say(str(folder / name) for name in files)
    return 0


def write_all(files: Files) -> None:
    """Write files: none has its name until all are written."""
    with ExitStack() as stack:
        opened = [(stack.enter_context(packed_file(name)), write) for name, write in files.items()]
        for out, write in opened:
            write(out)


def write_lrat(result: Result, file: str) -> tuple[Result, str | None]:
    """Write the proof of a refusal, and its formula beside it; return why not, where not."""
    from ponder.find.formula_question import formula_encoder
    from ponder.formulas import dimacs
    from ponder.model.ordering_problem import OrderingProblem
    from ponder.proofs.refused import Refused
    from ponder.proofs.write_lrat import LratProof

    why = result.refutation
    if not isinstance(why, FormulaProof) or result.counts is None:
        refused = Refused.of_result(result)
        if refused is None:
            return result, "this refutation has no short proof"
        try:
            proof = LratProof.of(refused)
        except NoShortProof as reason:
            return result, str(reason)
        _write_pair(file, proof.write_formula, proof.write_proof)
        return result, None
    encoder = formula_encoder(why.encoding)
    options = encoder.options(why.options)
    problem = OrderingProblem.of_board(result.board, result.counts)
    formula = encoder.encode(problem, options).extended("cuts", why.cuts)
    comments = encoder.describe(problem, options, result.board)
    if why.lrat is None:
        return result, NOT_HELD
    text = why.lrat.encode("ascii")
    _write_pair(file, lambda out: dimacs.write(formula, out, comments), lambda out: out.write(text))
    return result, None


def _write_pair(
    file: str, formula: Callable[[IO[bytes]], object], proof: Callable[[IO[bytes]], object]
) -> None:
    """Write a proof, and beside it the formula, whose second line names the proof's SHA-256."""
    proved, stated = io.BytesIO(), io.BytesIO()
    proof(proved)
    formula(stated)
    first, _, rest = stated.getvalue().partition(b"\n")
    mark = f"c proof sha256 {hashlib.sha256(proved.getvalue()).hexdigest()}".encode()
    text = b"\n".join([first, mark, rest])
    lemmas = proved.getvalue()
    write_all({f"{file}.cnf": lambda out: out.write(text), file: lambda out: out.write(lemmas)})


def _lrat(refused: Refused, clock: Limits) -> Files:
    from ponder.proofs.write_lrat import LratProof

    proof = LratProof.of(refused, clock)
    write = partial(proof.write_proof, limits=clock)
    return {"formula.cnf": proof.write_formula, "proof.lrat": write}


def _veripb(refused: Refused, clock: Limits) -> Files:
    from ponder.proofs.write_veripb import VeriPbProof

    proof = VeriPbProof.of(refused)
    return {"formula.opb": proof.write_formula, "proof.pbp": proof.write_proof}


def _coq(
    board: Board, content: Json, question: Question | None, clock: Limits, quiet: bool
) -> Files:
    from ponder.find.row_column.maximum_flow import half_factor_of
    from ponder.proofs.coq import Certificate

    again = partial(proved_again, clock=clock, quiet=quiet)
    try:
        if question is not None:
            made = Certificate.of_orientation(question, content, board.name, again, clock)
        else:
            made = Certificate.of(board, content, half_factor_of, again, clock)
    except TooLarge as reason:
        raise NoShortProof(f"no Coq certificate: {reason}") from None
    remark(made.left_out, quiet)
    return {"certificate.v": lambda out: out.write(made.text.encode())}


def _take_in(content: Json) -> None:
    """Refuse a result whose formula lacks its proof. Raises NoShortProof."""
    refutation = content.get("refutation")
    by_formula = isinstance(refutation, dict) and refutation.get("kind") == "formula"
    if isinstance(refutation, dict) and by_formula and refutation.get("lrat") is None:
        again = "ponder order BOARD --method sat --lrat FILE --json"
        raise NoShortProof(f"{NOT_HELD}: `{again}` makes it again, and its formula")


def proved_again(problem: OrderingProblem, clock: Limits, quiet: bool) -> FormulaProof | None:
    """Return a proof in the encoding that Coq knows. Raises NoShortProof."""
    from ponder.find.context import SearchContext
    from ponder.find.solvers.by_encoding import SolverSettings, order_encoded

    remark("proving it again with precedence, which Coq knows", quiet)
    settings = SolverSettings("precedence", ("lines=off",))
    proof = order_encoded(problem, "sat", settings, SearchContext(limits=clock))
    if not isinstance(proof, FormulaProof):
        clock.check()
        raise NoShortProof(f"precedence does not refute it: {getattr(proof, 'reason', proof)}")
    return proof


def _verify(board: Board, content: Json, source: str, clock: Limits) -> None:
    """Raise CheckFailed for a false result, BoardError for one that is not checked in full."""
    from ponder.check.verification import verify

    for statement in verify(board, content, timeout=clock).statements:
        if statement.unchecked:
            raise BoardError(f"`ponder verify` leaves open: {statement.said}", source)


def _refused(
    file: str, board: Board, content: Json, question: Question | None, source: str
) -> Refused:
    """Return what a verified result refutes. Raises BoardError if nothing."""
    import numpy as np

    from ponder.check.reader import press_counts
    from ponder.proofs.refused import Refused

    refutation = content.get("refutation")
    if content["verdict"] != "impossible" or not isinstance(refutation, dict):
        verdict = quoted(content["verdict"])
        reason = f"the verdict is {verdict}: there is nothing to prove, except with --format coq"
        raise BoardError(reason, source)
    if question is not None:
        board, order = oriented(file, content, source)
        refutation = order["refutation"]
        assert isinstance(refutation, dict)
        arcs = question.fixed if question.fixed.size and refutation["kind"] == "formula" else None
        return Refused(board, np.ones(board.graph.size, dtype=np.bool_), refutation, arcs)
    if refutation["kind"] == "members":
        parts = refutation["parts"]
        if not isinstance(parts, list) or len(parts) != 1 or not isinstance(parts[0], dict):
            raise NoShortProof("many press sets, each refuted by itself, have no short proof")
        refutation = parts[0]
    if refutation.get("press_counts") is None:
        raise NoShortProof(f"a refutation of the kind {refutation['kind']} has no short proof")
    return Refused(board, press_counts(board, refutation["press_counts"]) > 0, refutation)
