"""`ponder decode`: what a solver's output about an exported formula means for the board."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ponder.cli import options
from ponder.cli.encodings import FormulaOptions
from ponder.cli.options import argument, gathered, option
from ponder.cli.terminal import remark
from ponder.model.files import read_bytes
from ponder.system.errors import PonderError

if TYPE_CHECKING:
    from ponder.find.formula_question import FormulaQuestion
    from ponder.formulas.encoder import Encoder, Options


@options.command(
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
wrong; 2 bad input; 3 the output is not an answer, or says unsatisfiable without a proof.
"""
)
def command(
    file: str = options.board_argument,
    output: str = argument("SOLVER_OUTPUT"),
    header: options.Header = gathered(options.Header),
    wanted: FormulaOptions = gathered(FormulaOptions),
    formula: str | None = option("--formula FILE", "The exported formula, to compare."),
    proof: str | None = option(
        "--proof FILE", "The solver's proof: LRAT, or DRAT as text or binary."
    ),
    showing: options.Showing = gathered(options.Showing),
) -> int:
    """Read SOLVER_OUTPUT, about the formula that `export` made of the board in FILE.

    The output is that of a SAT solver (`s` and `v` lines, or minisat's result file) or of a
    pseudo-Boolean solver. A model is checked against the formula, and its order is replayed.
    """
    from ponder.check.evidence.sat_proof import SatProof
    from ponder.cli.answer import present
    from ponder.find.driver import result
    from ponder.find.formula_question import formula_encoder
    from ponder.find.order import outcome_of
    from ponder.find.session import Known, SolveSession
    from ponder.find.solvers.decoding import answer_of_output

    encoder = formula_encoder(wanted.encoding)
    settings = encoder.options(wanted.settings)
    asked = wanted.question(file, header, showing.coords)
    if formula is not None:
        _compare(encoder, settings, asked, formula)
    data, source = read_bytes(output)
    text = data.decode("ascii", errors="replace")
    drat = None if proof is None else read_bytes(proof)[0]
    answer = answer_of_output(asked.problem, encoder, settings, text, proof=drat, source=source)
    remark(asked.remark, showing.quiet)
    if isinstance(answer, SatProof) and proof != "-":
        answer = replace(answer, proof_file=proof, cnf_file=formula)
    if asked.asked is not None:
        from ponder.cli.orient import present_outcome

        outcome = asked.asked.outcome_of(answer, encoder.name)
        return present_outcome(asked.asked, outcome, showing.as_json)
    found = outcome_of(asked.problem, answer, encoder.name, asked.chosen, asked.claim)
    return present(result(SolveSession(), Known(asked.board, answer=found)), showing)


def _compare(encoder: Encoder, settings: Options, asked: FormulaQuestion, file: str) -> None:
    """Raise PonderError if a file is not the formula that `export` makes of these arguments."""
    from ponder.formulas import dimacs, opb

    data, source = read_bytes(file)
    is_opb = data.startswith(b"*")
    comment = b"* " if is_opb else b"c "
    expected = encoder.encode(asked.problem, settings)
    described = set(encoder.describe(asked.problem, settings, asked.board))
    words = {line.split()[0] for line in described}
    body: list[bytes] = []
    for line in data.splitlines(keepends=True):
        if not line.startswith(comment.strip()):
            body.append(line)
            continue
        text = line.removeprefix(comment).decode("utf-8", "replace").strip()
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
