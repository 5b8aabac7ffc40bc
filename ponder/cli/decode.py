"""`ponder decode`: what a solver's output about an exported formula means for the board."""

from __future__ import annotations

import click

from ponder.cli import params
from ponder.cli.boards import Header
from ponder.cli.export import question_of
from ponder.cli.orient import present_outcome
from ponder.cli.output import Showing, present, remark
from ponder.find.context import Known, SolveSession
from ponder.find.formula_question import formula_encoder
from ponder.find.order import outcome_of
from ponder.find.solvers.decoding import answer_of_output
from ponder.find.stages import result
from ponder.formulas import dimacs, opb
from ponder.model.files import read_bytes
from ponder.model.formats import normalised
from ponder.model.json_text import parse_result
from ponder.system.errors import CheckFailed, PonderError, SolverError

HEADS = "board sha256 ", "presses "  # of lines in the header of a formula


@params.command(
    """
Examples:
  ponder export board.txt --encoding precedence -o board.cnf
  minisat board.cnf answer.txt
  ponder decode board.txt --encoding precedence answer.txt
  cadical --no-binary board.cnf proof.drat > answer.txt
  ponder decode board.txt --encoding precedence answer.txt --proof proof.drat --json > result.json
  ponder verify board.txt result.json
  ponder decode graph.g6 --odd none answer.txt  of a formula about a graph, with the same --odd

Board, encoding, options and press set must be those of the export; --formula makes sure of it.

Exit codes: 0 an order, or no order by a proof that was checked; 1 a model or a proof that is
wrong; 2 bad input, or an output that is no answer; 3 the solver gave up, or says unsatisfiable
without a proof.
"""
)
@params.file_argument
@click.argument("output", metavar="SOLVER_OUTPUT")
@params.header_option
@params.encoding_option
@params.settings_option
@params.about_option
@click.option(
    "--formula", metavar="FILE", help="The exported formula: compared, and asked for the encoding."
)
@click.option("--proof", metavar="FILE", help="The solver's proof: DRAT, or LRAT as text.")
@params.showing_option
def command(
    file: str,
    output: str,
    header: Header,
    encoding: str | None,
    settings: tuple[str, ...],
    about: dict[str, str | None],
    formula: str | None,
    proof: str | None,
    showing: Showing,
) -> int:
    """Read SOLVER_OUTPUT, about the formula that `export` made of the board in FILE.

    The output is that of a SAT solver (`s` and `v` lines, or minisat's result file) or of a
    pseudo-Boolean solver. A model is checked against the formula, and its order is replayed.
    """
    given = None if formula is None else _formula_lines(formula)
    if given is not None:
        encoding, settings = _encoding_in(given, f"{formula}", encoding, settings)
    encoder = formula_encoder(encoding or "precedence")
    options = encoder.options(settings)
    asked = question_of(file, header, about, showing.coords)
    if given is not None:
        again = encoder.encode(asked.problem, options)
        head = b"p cnf %d %d\n" % (again.size.variables, again.size.clauses)
        in_opb = bool(given) and given[0][:1] == b"*"
        body = opb.body(again) if in_opb else [head, *dimacs.body(again)]
        if [line for line in given if line[:1] not in b"c*"] != b"".join(body).splitlines():
            reason = "not the formula that `export` makes of this FILE with these options"
            raise PonderError(f"{formula}: {reason}")
        texts = [x[2:].decode("utf-8", "replace") for x in given], asked.described(encoder, options)
        names = [{x.split(":")[0] for x in text if x.startswith(HEADS)} for text in texts]
        if differing := names[0] - names[1]:
            raise PonderError(f"{formula}: its header says {min(differing)}, not that of FILE")
    data, source = read_bytes(output)
    text = normalised(data, source).decode("utf-8", errors="replace")
    proved = None if proof is None else read_bytes(proof)[0]
    parse_result(data, source)  # a list of answers, or another tool's JSON, is named
    try:
        answer = answer_of_output(
            asked.problem, encoder, options, text, proof=proved, source=source
        )
    except (CheckFailed, SolverError) as error:
        if proof is not None and not str(error).startswith(f"{source}: "):
            raise type(error)(f"{proof}: {error}") from None
        foreign = "the model breaks", "the model leaves", "a model with variable"
        if encoding is None and any(words in str(error) for words in foreign):
            hint = f"read as {encoder.name}, as no --encoding or --formula says which it is"
            raise type(error)(f"{error} ({hint})") from None
        raise
    remark(asked.remark, showing.quiet)
    if asked.asked is not None:
        outcome = asked.asked.outcome_of(answer, encoder.name)
        return present_outcome(asked.asked, outcome, showing.as_json)
    searched = outcome_of(asked.problem, answer, encoder.name, asked.chosen, asked.claim)
    return present(result(SolveSession(), Known(asked.board, answer=searched)), showing)


def _formula_lines(file: str) -> list[bytes]:
    """Return the lines of an exported formula, without blank ones and whatever ends them."""
    lines = normalised(read_bytes(file)[0], file).split(b"\n")
    return [line.rstrip() for line in lines if line.strip()]


def _encoding_in(
    lines: list[bytes], formula: str, encoding: str | None, settings: tuple[str, ...]
) -> tuple[str, tuple[str, ...]]:
    """Return the encoding and the options in the header of a formula. Raises PonderError."""
    for line in lines:
        words = line.decode("utf-8", "replace").split()
        if words[1:2] == ["encoding"] and words[0] in ("c", "*"):
            if encoding not in (None, words[2]):
                raise PonderError(f"{formula}: its header says {words[2]}, not {encoding}")
            return words[2], (*words[3:], *settings)
        if words[0] not in ("c", "*"):
            break
    if encoding is None:
        raise PonderError(f"{formula}: its header names no encoding: name it by --encoding")
    return encoding, settings
