"""`ponder.prove`: proof files of a result for other checkers.

Endings such as `.gz` compress; all files are written, or none. A solver's proof is taken from the
result; any other refutation needs a short proof of its kind.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import IO, Any, Literal, TypeAlias, get_args

import numpy as np

from ponder.check.formula import NOT_HELD
from ponder.check.formula import Formula as FormulaProof
from ponder.check.orientation import Question, as_order, question_of
from ponder.check.reader import TooLarge, mapping, press_counts
from ponder.check.result import Result
from ponder.check.verification import verify
from ponder.find.context import Progress, SearchContext, told_to
from ponder.find.row_column.maximum_flow import half_factor_of
from ponder.find.solvers.by_encoding import SolverSettings, order_encoded
from ponder.model.arguments import one_of
from ponder.model.board import Board, GraphLike
from ponder.model.edge_graph import graph_given
from ponder.model.files import packed_file
from ponder.model.json_text import ORIENTATION
from ponder.model.ordering_problem import OrderingProblem
from ponder.proofs.coq import KINDS, Certificate
from ponder.proofs.write_lrat import LratProof, Refused
from ponder.proofs.write_veripb import IN_VERIPB, VeriPbProof
from ponder.system.errors import BadArgument, BoardError, NoShortProof, quoted
from ponder.system.limits import Cancel, Limits
from ponder.system.types import Json

Files: TypeAlias = dict[str, Callable[[IO[bytes]], Any]]  # the writer of each file, by its name
Form: TypeAlias = Literal["lrat", "veripb", "coq", "drat"]
FORMS: tuple[Form, ...] = get_args(Form)


def prove(
    board: Board | GraphLike,
    result: object,
    folder: str | os.PathLike[str],
    *,
    forms: Iterable[Form] = (),
    timeout: float | Limits | None = None,
    cancel: Cancel | None = None,
    progress: Progress | None = None,
) -> list[Path]:
    """Write proofs of a result for other checkers; return the files.

    Parameters
    ----------
    board
        The board that the result is about; the graph, of an answer of `orient`.
    result
        What `order`, `solve` or `orient` returned, or its JSON object.
    folder
        The folder for the files, created if missing.
    forms
        `lrat`, `veripb`, `coq`, `drat`. Default: LRAT or VeriPB, whichever exists.

    Raises
    ------
    NoShortProof
        If the result has no such proof; CheckFailed if it is false, LimitReached when time is up.

    >>> import tempfile
    >>> board = Board.from_rows(["1011", "1101", "0110", "0001"])
    >>> from ponder.find.order import order
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [path.name for path in prove(board, order(board), folder)]
    ['formula.opb', 'proof.pbp']
    """
    if not isinstance(folder, str | os.PathLike):
        raise BadArgument(f"{quoted(folder)} is not the name of a folder", "folder")
    given: Any = result
    content = mapping(given.to_json() if hasattr(given, "to_json") else given, "the result")
    if isinstance(forms, str) or not isinstance(forms, Iterable):
        raise BadArgument(f"{quoted(forms)} is not a list of forms", "forms")
    chosen = tuple(forms)
    for form in chosen:
        one_of(form, FORMS, "forms")
    limits, tell = Limits.begin(timeout, cancel), told_to(progress)
    return write_into(folder, proof_files(board, content, chosen, limits, tell))


def proof_files(
    asked: Board | GraphLike,
    content: Json,
    forms: tuple[Form, ...],
    clock: Limits,
    tell: Progress,
    source: str = "result",
    name: str = "graph",
) -> Files:
    """Check a result that came from `source`; return the writers of its files."""
    why = content.get("refutation")
    if isinstance(why, dict) and why.get("kind") == "formula" and why.get("lrat") is None:
        again = "ponder order BOARD --method sat --lrat FILE --json"
        raise NoShortProof(f"{NOT_HELD}: `{again}` makes it again, and its formula")
    verify(asked, content, timeout=clock).demand(source)
    question, board = None, asked
    if content["schema"] == ORIENTATION:
        question = question_of(graph_given(asked)[1], content)
        board = replace(question.board, name=name)
    files: Files = {}
    for form in forms or FORMS[:2]:
        try:
            if form == "coq":
                files |= _coq(board, content, question, clock, tell)
            else:
                refused = _refused(board, content, question, source)
                files |= {"lrat": _lrat, "drat": _drat, "veripb": _veripb}[form](refused, clock)
        except NoShortProof as reason:
            if forms or (form == "veripb" and not files):
                raise NoShortProof(f"{reason}{_instead(why or {}, forms)}") from None
    return files


def write_into(folder: str | os.PathLike[str], files: Files) -> list[Path]:
    """Write files into a folder, created if missing: all or none. Return their names."""
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    written = {target / name: write for name, write in files.items()}
    write_all({str(path): write for path, write in written.items()})
    return list(written)


def write_all(files: Files) -> None:
    """Write files; they get their names when all are written."""
    with ExitStack() as stack:
        opened = [(stack.enter_context(packed_file(name)), write) for name, write in files.items()]
        for out, write in opened:
            write(out)


def write_lrat(result: Result, file: str) -> str | None:
    """Write the proof of a refusal, and its formula beside it; return a reason if there is none.

    The second line of the formula names the proof's SHA-256.
    """
    refused, hint = Refused.of_result(result), _instead(result.to_json()["refutation"])
    if refused is None:
        return f"this refutation has no LRAT proof{hint}"
    try:
        proof = LratProof.from_refused(refused)
    except NoShortProof as reason:
        return f"{reason}{hint}"
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
    """Return a hint at another proof that a refutation may have."""
    word, known = why.get("rule") or why.get("kind"), {"veripb": IN_VERIPB, "coq": KINDS}
    forms = [form for form, kinds in known.items() if word in kinds and form not in asked]
    return f"; try `ponder prove FILE RESULT -o DIR --format {forms[0]}`" if forms else ""


def _lrat(refused: Refused, clock: Limits) -> Files:
    proof = LratProof.from_refused(refused, clock)
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
    proof = VeriPbProof.from_refused(refused)
    return {"formula.opb": proof.write_formula, "proof.pbp": proof.write_proof}


def _coq(
    board: Board, content: Json, question: Question | None, clock: Limits, tell: Progress
) -> Files:
    again = partial(proved_again, clock=clock, tell=tell)
    try:
        if question is not None:
            certificate = Certificate.of_orientation(question, content, board.name, again, clock)
        else:
            certificate = Certificate.write(board, content, half_factor_of, again, clock)
    except TooLarge as reason:
        raise NoShortProof(f"no Coq certificate: {reason}") from None
    if certificate.left_out is not None:
        tell(certificate.left_out)
    return {"certificate.v": lambda out: out.write(certificate.text.encode())}


def proved_again(problem: OrderingProblem, clock: Limits, tell: Progress) -> FormulaProof | None:
    """Return a proof in the encoding that Coq knows. Raises NoShortProof."""
    tell("proving it again with the encoding precedence, which Coq knows")
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
            raise NoShortProof("many press sets, each refuted alone, have no LRAT or VeriPB proof")
        refutation = parts[0]
    kind = refutation["kind"]
    if refutation.get("press_counts") is None:
        raise NoShortProof(f"a refutation of the kind {kind} has no LRAT or VeriPB proof")
    return Refused(board, press_counts(board, refutation["press_counts"]) > 0, refutation)
