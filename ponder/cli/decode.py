"""`ponder decode`: what a solver's output about an exported formula means for the board."""

from __future__ import annotations

from dataclasses import replace

import click

from ponder.check.evidence.sat_proof import SatProof
from ponder.cli import params
from ponder.cli.export import formula_options, question_of
from ponder.cli.orient import present_outcome
from ponder.cli.output import present, remark
from ponder.cli.params import Header, Showing
from ponder.find.context import Known, SolveSession
from ponder.find.formula_question import formula_encoder
from ponder.find.order import outcome_of
from ponder.find.solvers.decoding import answer_of_output
from ponder.find.stages import result
from ponder.formulas import dimacs, opb
from ponder.model.files import read_bytes
from ponder.system.errors import PonderError


@params.command(
    """
Examples:
  ponder export board.txt --encoding precedence -o board.cnf
  minisat board.cnf answer.txt
  ponder decode board.txt --encoding precedence answer.txt
  cadical --lrat --no-binary board.cnf proof.lrat > answer.txt
  ponder decode board.txt --encoding precedence answer.txt --proof proof.lrat --json > result.json
  ponder verify board.txt result.json
  ponder decode graph.g6 --odd none answer.txt  of a formula about a graph, with the same --odd

Board, encoding, options and press set must be those of the export; --formula makes sure of it.

Exit codes: 0 an order, or no order by a proof that was checked; 1 a model or a proof that is
wrong; 2 bad input; 3 the output is not an answer, or says unsatisfiable without a proof.
"""
)
@params.file_argument
@click.argument("output", metavar="SOLVER_OUTPUT")
@params.header_option
@formula_options
@click.option("--formula", metavar="FILE", help="The exported formula, to compare.")
@click.option("--proof", metavar="FILE", help="The solver's proof: LRAT (.lrat) or DRAT.")
@params.showing_option
def command(
    file: str,
    output: str,
    header: Header,
    encoding: str | None,
    settings: tuple[str, ...],
    press_set: str | None,
    odd: str | None,
    fixed: str | None,
    formula: str | None,
    proof: str | None,
    showing: Showing,
) -> int:
    """Read SOLVER_OUTPUT, about the formula that `export` made of the board in FILE.

    The output is that of a SAT solver (`s` and `v` lines, or minisat's result file) or of a
    pseudo-Boolean solver. A model is checked against the formula, and its order is replayed.
    """
    encoder = formula_encoder(encoding or "precedence")
    options = encoder.options(settings)
    asked = question_of(file, header, press_set, odd, fixed, showing.coords)
    if formula is not None:
        given = read_bytes(formula)[0]
        made = encoder.encode(asked.problem, options)
        head = b"p cnf %d %d\n" % (made.size.variables, made.size.clauses)
        body = opb.body(made) if given.startswith(b"*") else [head, *dimacs.body(made)]
        lines = (x for x in given.splitlines(keepends=True) if not x.startswith((b"c", b"*")))
        if b"".join(lines) != b"".join(body):
            reason = "not the formula that `export` makes of these arguments"
            raise PonderError(f"{formula}: {reason}")
    data, source = read_bytes(output)
    text = data.decode("ascii", errors="replace")
    proved = None if proof is None else read_bytes(proof)[0]
    answer = answer_of_output(asked.problem, encoder, options, text, proof=proved, source=source)
    remark(asked.remark, showing.quiet)
    if isinstance(answer, SatProof) and proof != "-":
        answer = replace(answer, proof_file=proof, cnf_file=formula)
    if asked.asked is not None:
        outcome = asked.asked.outcome_of(answer, encoder.name)
        return present_outcome(asked.asked, outcome, showing.as_json)
    searched = outcome_of(asked.problem, answer, encoder.name, asked.chosen, asked.claim)
    return present(result(SolveSession(), Known(asked.board, answer=searched)), showing)
