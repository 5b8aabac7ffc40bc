"""`ponder verify`: check a result against its board, with code that imports no solver."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from ponder.cli.options import board_argument, coords_option, header_options, json_option
from ponder.printable import agreeing, counted

if TYPE_CHECKING:
    from ponder.cli.options import Header
    from ponder.puzzle.board import Board
    from ponder.puzzle.render import Coordinates
    from ponder.types import Json

SCHEMA = "ponder.check/1"


@click.command(
    "verify",
    short_help="Check a result against its board, independently.",
    epilog="""\b
Examples:
  ponder order board.txt --json > answer.json
  ponder verify board.txt answer.json
  ponder verify board.txt my-presses.txt        your own presses: one "row column" a line
  ponder verify board.txt answer.json --proof board.drat
  ponder verify 23 answer.json                  a result of most-moves: FILE is a size or a board

\b
Exit codes: 0 all that the result says was checked and holds; 1 something is false or malformed;
2 bad input; 3 nothing was found wrong, but something could not be checked.
""",
)
@board_argument
@click.argument("result", metavar="RESULT", type=str)
@header_options
@coords_option
@json_option
@click.option(
    "--proof",
    metavar="FILE",
    help="The proof of a SAT solver that RESULT speaks of (LRAT if the name ends in .lrat or "
    ".lrat.gz, else DRAT), where RESULT neither holds nor "
    "names it.",
)
@click.option(
    "--limit",
    type=click.IntRange(1, 1_000_000),
    default=1,
    show_default=True,
    metavar="N",
    help="Let the result ask for N times as much time and memory: formulas, proofs, searches.",
)
@click.option("--quiet", "-q", is_flag=True, help="Only the exit code.")
def command(
    file: str,
    result: str,
    header: Header,
    coords: Coordinates,
    as_json: bool,
    proof: str | None,
    limit: int,
    quiet: bool,
) -> int:
    """Check the JSON RESULT of `order` or `solve` against the board in FILE.

    Orders are replayed press by press, refutations are checked by their own arithmetic. RESULT
    may also be a plain list of presses.
    """
    from ponder.check.limits import MOST_RESULT, Budget, TooLarge
    from ponder.check.most_moves import SCHEMA as MOST_MOVES
    from ponder.check.most_moves import verify_most_moves
    from ponder.check.replay import replay, spend_replay
    from ponder.check.verification import Statement, verify_within
    from ponder.cli.proof_files import attach_proof, read_within
    from ponder.cli.terminal import painter, remark, say
    from ponder.errors import CheckFailed
    from ponder.puzzle.press_lists import parse_presses
    from ponder.puzzle.result_json import RESULT, parse_result

    source = "standard input" if result == "-" else result
    budget = Budget(limit)
    statements: list[Statement] = []
    failure, stage = None, "the result"
    try:
        data = read_within(result, "a result", MOST_RESULT, budget)
        content = parse_result(data, source, (RESULT, MOST_MOVES))
        about_moves = content is not None and content["schema"] == MOST_MOVES
        board = _dark(file, header, content) if about_moves else header.read(file)
        if content is None:
            presses = parse_presses(data, board, source, coords, grids=False)
            reach = agreeing(presses.size, "reaches", "reach")
            stage = f"{counted(presses.size, 'press')}, each legal, that {reach} the goal"
            spend_replay(board, presses, budget)
            replay(board, presses)
            statements.append(Statement(stage))
        elif about_moves:
            lower, upper = verify_most_moves(board, content, budget)
            most = counted(upper, "press")
            statements.append(Statement(f"no board of this shape needs more than {most}"))
            statements.append(Statement(f"the board of press_set needs {lower} or more"))
        else:
            stage = "the file of the proof"
            attach_proof(content, source, proof, budget)
            statements = list(verify_within(board, content, budget).statements)
    except TooLarge as reason:
        statements.append(Statement(stage, str(reason), reason.raisable))
    except CheckFailed as error:
        failure = str(error)
    complete = all(statement.unchecked is None for statement in statements)
    code = 1 if failure is not None else 0 if complete else 3
    if as_json:
        listed = [{"text": s.text, "status": s.status, "why": s.unchecked} for s in statements]
        content = {"schema": SCHEMA, "holds": code == 0, "failure": failure, "statements": listed}
        click.echo(json.dumps(content))
        return code
    if not quiet:
        paint = painter()
        for statement in statements:
            mark = paint(f"{statement.status:<11}", "dim" if statement.unchecked else "good")
            say([f"{mark}  {statement.said}"])
    if any(statement.raisable for statement in statements):
        remark("a higher --limit lets a result ask for more time and memory", quiet)
    if failure is not None:
        remark(f"{result}: rejected: {failure}")
    return code


def _dark(file: str, header: Header, content: Json | None) -> Board:
    """Return the unlit board of a size or a board file, for results about a shape."""
    import numpy as np

    from ponder.cli.shapes import graph_of
    from ponder.limits import NEVER
    from ponder.puzzle.board import Board

    named = (content or {}).get("pattern")
    graph = graph_of(file, header.pattern or (named if isinstance(named, str) else None), NEVER)
    nothing = np.zeros(graph.size, dtype=np.bool_)
    return Board(graph, nothing, ~nothing)
