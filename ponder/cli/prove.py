"""`ponder prove`: the files with which checkers from outside see that a result is true.

They are packed by their endings, all of them or none written. A solver's proof is the result's;
else the refutation needs a short proof of its kind.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import IO, Any

import click
import numpy as np

from ponder.check.formula import NOT_HELD
from ponder.check.formula import Formula as FormulaProof
from ponder.check.orientation import SCHEMA as ORIENTATION
from ponder.check.orientation import Question
from ponder.check.reader import TooLarge, press_counts
from ponder.check.result import Result
from ponder.check.verification import verify
from ponder.cli import params
from ponder.cli.boards import Header
from ponder.cli.output import remark, say
from ponder.cli.verify import as_order, demand_checked, one_answer, question_asked
from ponder.find.context import SearchContext
from ponder.find.row_column.maximum_flow import half_factor_of
from ponder.find.solvers.by_encoding import SolverSettings, order_encoded
from ponder.model.board import Board, board_name
from ponder.model.files import packed_file, read_bytes
from ponder.model.json_text import RESULT, parse_result
from ponder.model.ordering_problem import OrderingProblem
from ponder.proofs.coq import KINDS, Certificate
from ponder.proofs.write_lrat import LratProof, Refused
from ponder.proofs.write_veripb import IN_VERIPB, VeriPbProof
from ponder.system.errors import BoardError, NoShortProof, quoted
from ponder.system.limits import Limits
from ponder.system.types import Json

Files = dict[str, Callable[[IO[bytes]], Any]]  # what writes each file, by its name

FORMS = ("lrat", "veripb", "coq", "drat")


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
    help="LRAT (with hints), cutting planes, a certificate for Coq (of sequences and bounds too), "
    "or DRAT (no hints); may be repeated.  [default: LRAT or cutting planes, whichever there is]",
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
    data, source = one_answer(*read_bytes(result), header.line)
    content = parse_result(data, source, (RESULT, ORIENTATION))
    if content is None:
        needed = "`ponder order --json` or `ponder decode --proof FILE --json`"
        raise BoardError(f"is not a result: prove needs one of {needed}", source)
    why = content.get("refutation")
    if isinstance(why, dict) and why.get("kind") == "formula" and why.get("lrat") is None:
        again = "ponder order BOARD --method sat --lrat FILE --json"
        raise NoShortProof(f"{NOT_HELD}: `{again}` makes it again, and its formula")
    question = None
    if content["schema"] == ORIENTATION:
        question = question_asked(file, header, content, source, clock)
        board = replace(question.board, name=board_name(file))
    else:
        board = header.read(file, clock)
        demand_checked(verify(board, content, timeout=clock).statements, source)
    files: Files = {}
    for form in forms or FORMS[:2]:
        try:
            if form == "coq":
                files |= _coq(board, content, question, clock, quiet)
            else:
                refused = _refused(board, content, question, source)
                files |= {"lrat": _lrat, "drat": _drat, "veripb": _veripb}[form](refused, clock)
        except NoShortProof as reason:
            if forms or (form == "veripb" and not files):
                raise NoShortProof(f"{reason}{_instead(why or {}, forms)}") from None
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


def write_lrat(result: Result, file: str) -> str | None:
    """Write the proof of a refusal, and its formula beside it; return why not, where not.

    The second line of the formula names the proof's SHA-256.
    """
    refused, other = Refused.of_result(result), _instead(result.to_json()["refutation"])
    if refused is None:
        return f"this refutation has no LRAT proof{other}"
    try:
        proof = LratProof.of(refused)
    except NoShortProof as reason:
        return f"{reason}{other}"
    proved, stated = io.BytesIO(), io.BytesIO()
    proof.write_proof(proved)
    proof.write_formula(stated)
    lemmas = proved.getvalue()
    first, _, rest = stated.getvalue().partition(b"\n")
    mark = f"c proof sha256 {hashlib.sha256(lemmas).hexdigest()}".encode()
    text = b"\n".join([first, mark, rest])
    write_all({f"{file}.cnf": lambda out: out.write(text), file: lambda out: out.write(lemmas)})
    return None


def _instead(why: Any, asked: tuple[str, ...] = ()) -> str:
    """Return which other proof a refutation may have."""
    word, known = why.get("rule") or why.get("kind"), {"veripb": IN_VERIPB, "coq": KINDS}
    forms = [form for form, kinds in known.items() if word in kinds and form not in asked]
    return f"; try `ponder prove BOARD RESULT -o DIR --format {forms[0]}`" if forms else ""


def _lrat(refused: Refused, clock: Limits) -> Files:
    proof = LratProof.of(refused, clock)
    write = partial(proof.write_proof, limits=clock)
    return {"formula.cnf": proof.write_formula, "proof.lrat": write}


def drat_of(lrat: bytes) -> bytes:
    """Return the lemmas of an LRAT proof alone: without numbers, hints and deletions."""
    return re.sub(rb"(?m)^\d+ (?:d .*\n|((?:-?[1-9]\d* )*0)\b.*$)", rb"\1", lrat)


def _drat(refused: Refused, clock: Limits) -> Files:
    files, lemmas = _lrat(refused, clock), io.BytesIO()
    files.pop("proof.lrat")(lemmas)
    return files | {"proof.drat": lambda out: out.write(drat_of(lemmas.getvalue()))}


def _veripb(refused: Refused, clock: Limits) -> Files:
    proof = VeriPbProof.of(refused)
    return {"formula.opb": proof.write_formula, "proof.pbp": proof.write_proof}


def _coq(
    board: Board, content: Json, question: Question | None, clock: Limits, quiet: bool
) -> Files:
    again = partial(proved_again, clock=clock, quiet=quiet)
    try:
        if question is not None:
            certificate = Certificate.of_orientation(question, content, board.name, again, clock)
        else:
            certificate = Certificate.of(board, content, half_factor_of, again, clock)
    except TooLarge as reason:
        raise NoShortProof(f"no Coq certificate: {reason}") from None
    remark(certificate.left_out, quiet)
    return {"certificate.v": lambda out: out.write(certificate.text.encode())}


def proved_again(problem: OrderingProblem, clock: Limits, quiet: bool) -> FormulaProof | None:
    """Return a proof in the encoding that Coq knows. Raises NoShortProof."""
    remark("proving it again with precedence, which Coq knows", quiet)
    settings = SolverSettings("precedence", ("lines=off",))
    proof = order_encoded(problem, "sat", settings, SearchContext(limits=clock))
    if not isinstance(proof, FormulaProof):
        clock.check()
        raise NoShortProof(f"precedence does not refute it: {getattr(proof, 'reason', proof)}")
    return proof


def _refused(board: Board, content: Json, question: Question | None, source: str) -> Refused:
    """Return what a verified result refutes. Raises BoardError if nothing."""
    refutation = content.get("refutation")
    if content["verdict"] != "impossible" or not isinstance(refutation, dict):
        verdict = quoted(content["verdict"])
        reason = f"the verdict is {verdict}: there is nothing to prove, except with --format coq"
        raise BoardError(reason, source)
    if question is not None:
        refutation = as_order(question, content)["refutation"]
        assert isinstance(refutation, dict)
        arcs = question.fixed if question.fixed.size and refutation["kind"] == "formula" else None
        return Refused(board, np.ones(board.graph.size, dtype=np.bool_), refutation, arcs)
    if refutation["kind"] == "members":
        parts = refutation["parts"]
        if not isinstance(parts, list) or len(parts) != 1 or not isinstance(parts[0], dict):
            raise NoShortProof("many press sets, each refuted by itself, have no LRAT proof")
        refutation = parts[0]
    if refutation.get("press_counts") is None:
        raise NoShortProof(f"a refutation of the kind {refutation['kind']} has no LRAT proof")
    return Refused(board, press_counts(board, refutation["press_counts"]) > 0, refutation)
