"""`ponder decode`: what a solver's output about an exported formula means for the board."""

from __future__ import annotations

from dataclasses import replace

import click

from ponder.cli.answer import present
from ponder.cli.encodings import FormulaOptions, FormulaQuestion, formula_options
from ponder.cli.options import Header, Showing, board_argument, header_options, showing_options
from ponder.cli.terminal import remark
from ponder.errors import PonderError
from ponder.formulas import dimacs, opb
from ponder.formulas.encoder import Encoder, Options
from ponder.pipeline.driver import Run
from ponder.pipeline.order import found_of
from ponder.pipeline.search_settings import SearchSettings
from ponder.puzzle.files import read_bytes
from ponder.puzzle.naming import name_before_0_2
from ponder.puzzle.solver_refutations import SatProof
from ponder.solvers.solver_output import answer_of_output


@click.command(
    "decode",
    epilog="""\b
Examples:
  ponder export board.txt --encoding precedence -o board.cnf
  minisat board.cnf answer.txt
  ponder decode board.txt --encoding precedence answer.txt
  cadical --no-binary board.cnf proof.drat > answer.txt
  ponder decode board.txt --encoding precedence answer.txt --proof proof.drat --json > result.json
  ponder verify board.txt result.json

\b
Board, encoding, options and press set must be those of the export; --formula makes sure of it.

\b
Exit codes: 0 an order, or no order by a proof that was checked; 1 a model or a proof that is
wrong; 2 bad input; 3 the output is no answer, or says unsatisfiable without a proof.
""",
)
@board_argument
@click.argument("output", metavar="SOLVER_OUTPUT")
@header_options
@formula_options
@click.option("--formula", metavar="FILE", help="The exported formula, to compare.")
@click.option("--proof", metavar="FILE", help="The solver's DRAT proof, text or binary.")
@showing_options
def command(
    file: str,
    output: str,
    header: Header,
    wanted: FormulaOptions,
    formula: str | None,
    proof: str | None,
    showing: Showing,
) -> int:
    """Read SOLVER_OUTPUT, about the formula that `export` made of the board in FILE.

    The output is that of a SAT solver (`s` and `v` lines, or minisat's result file) or of a
    pseudo-Boolean solver. A model is checked against the formula, its order is replayed.
    """
    encoder = wanted.encoder
    options = encoder.options(wanted.settings)
    asked = wanted.question(header.read(file), showing.coords)
    if formula is not None:
        _compare(encoder, options, asked, formula)
    data, source = read_bytes(output)
    answer = answer_of_output(
        asked.problem,
        encoder,
        options,
        data.decode("ascii", errors="replace"),
        proof=None if proof is None else read_bytes(proof)[0],
        source=source,
    )
    remark(asked.remark, showing.quiet)
    if isinstance(answer, SatProof) and proof != "-":
        answer = replace(answer, proof_file=proof, cnf_file=formula)
    run = Run(asked.board, SearchSettings())
    result = run.result(found_of(asked.problem, answer, encoder.name, asked.chosen, asked.claim))
    return present(result, showing)


def _compare(encoder: Encoder, options: Options, asked: FormulaQuestion, file: str) -> None:
    """PonderError when a file is not the formula that `export` makes of the same arguments."""
    data, source = read_bytes(file)
    is_opb = data.startswith(b"*")
    comment = b"* " if is_opb else b"c "
    expected = encoder.encode(asked.problem, options)
    described = set(encoder.describe(asked.problem, options, asked.board))
    words = {line.split()[0] for line in described}
    body: list[bytes] = []
    for line in data.splitlines(keepends=True):
        if not line.startswith(comment.strip()):
            body.append(line)
            continue
        text = line.removeprefix(comment).decode("utf-8", "replace").strip()
        if text.startswith("board sha256") and name_before_0_2(asked.board) in text:
            raise PonderError(f"{source}: made by a version of ponder before 0.2: export it again")
        if text.split(" ")[0] in words and text not in described:
            raise PonderError(f"{source}: another formula: its header says {text!r}")
    if is_opb:
        same = b"".join(opb.body(expected)) == b"".join(body)
    else:
        size = expected.size
        head = b"p cnf %d %d\n" % (size.variables, size.clauses)
        same = head + b"".join(dimacs.body(expected)) == b"".join(body)
    if not same:
        raise PonderError(f"{source}: not the formula that `export` makes of these arguments")
