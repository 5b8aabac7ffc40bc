"""`ponder verify`: check a result against its board, with code that imports no solver."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ponder.check.limits import MOST_RESULT, Budget, TooLarge
from ponder.cli import options
from ponder.cli.options import argument, gathered, option
from ponder.cli.terminal import painter, remark, say
from ponder.errors import BoardError, CheckFailed, LargeFile
from ponder.limits import NEVER
from ponder.printable import agreeing, counted
from ponder.puzzle.files import MOST_BYTES, names_of, read_bytes
from ponder.puzzle.json_text import RESULT, parse_result

if TYPE_CHECKING:
    from ponder.check.proofs import GivenProof
    from ponder.check.verification import Statement
    from ponder.puzzle.render import Coordinates
    from ponder.types import Json

SCHEMA = "ponder.check/1"


@options.command(
    """
Examples:
  ponder order board.txt --json > answer.json
  ponder verify board.txt answer.json
  ponder verify board.txt my-presses.txt        your own presses: one "row column" a line
  ponder verify board.txt answer.json --proof board.drat
  ponder verify board.txt answer.json --proof board.pbp
  ponder verify 23 answer.json                  a result of most-moves: FILE is a size or a board
  ponder verify graph.txt answer.json           a result of orient: FILE is a graph

Exit codes: 0 all that the result says was checked and holds; 1 something is false or malformed;
2 bad input; 3 nothing was found wrong, but something could not be checked.
"""
)
def command(
    file: str = options.board_argument,
    result: str = argument("RESULT"),
    header: options.Header = gathered(options.Header),
    coords: Coordinates = options.coords_option,
    as_json: bool = options.json_option,
    proof: str | None = option(
        "--proof FILE",
        "A proof that RESULT neither holds nor names: the SAT solver's (LRAT if the name ends in "
        ".lrat, else DRAT), or one in cutting planes (.pbp, for VeriPB). It may be packed (.gz).",
    ),
    limit: int = option(
        "--limit N",
        "Allow the result N times as much time and memory: formulas, proofs, searches.",
        type=options.Whole(1, 1_000_000),
        default=1,
    ),
    quiet: bool = option("-q, --quiet", "Only the exit code."),
) -> int:
    """Check the JSON RESULT of `order` or `solve` against the board in FILE.

    Orders are replayed press by press, and refutations are checked by their own arithmetic.
    RESULT may also be a plain list of presses.
    """
    from ponder.check.most_moves import SCHEMA as MOST_MOVES
    from ponder.check.most_moves import verify_most_moves
    from ponder.check.orientation import SCHEMA as ORIENTATION
    from ponder.check.orientation import verify_orientation
    from ponder.check.replay import replay, spend_replay
    from ponder.check.verification import Statement, verify_within
    from ponder.puzzle.graph_files import parse_graph
    from ponder.puzzle.press_lists import parse_presses

    source = "standard input" if result == "-" else result
    budget = Budget(limit)
    statements: list[Statement] = []
    failure, stage = None, "the result"
    try:
        data = read_within(result, "a result", MOST_BYTES, budget)
        schemas = RESULT, MOST_MOVES, ORIENTATION
        try:
            content = parse_result(data, source, schemas, MOST_RESULT * budget.limit)
        except LargeFile:  # presses, which are pairs of numbers, may be more than all else
            budget.demand(len(data), MOST_RESULT, "bytes of a result")
            raise
        if content is None:
            board = header.read(file, wirings=True)
            presses = parse_presses(data, board, source, coords, grids=False)
            reach = agreeing(presses.size, "reaches", "reach")
            stage = f"{counted(presses.size, 'press')}, each legal, that {reach} the goal"
            spend_replay(board, presses, budget)
            replay(board, presses)
            statements.append(Statement(stage))
        elif content["schema"] == MOST_MOVES:
            named = content.get("pattern")
            pattern = header.pattern or (named if isinstance(named, str) else None)
            board = options.dark_board(file, pattern, NEVER)
            lower, upper = verify_most_moves(board, content, budget.for_words())
            most = counted(upper, "press")
            statements.append(Statement(f"no board of this shape needs more than {most}"))
            statements.append(Statement(f"the board of press_set needs {lower} or more"))
        elif content["schema"] == ORIENTATION:
            stage = "the file of the proof"
            attach_proof(content, source, proof, budget)
            graph = parse_graph(*read_bytes(file))
            statements = list(verify_orientation(graph, content, budget.for_words()).statements)
        else:
            board = header.read(file, wirings=True)
            stage = "the file of the proof"
            veripb = attach_proof(content, source, proof, budget)
            statements = list(verify_within(board, content, budget.for_words(), veripb).statements)
    except TooLarge as reason:
        statements.append(Statement(stage, str(reason), reason.raisable))
    except CheckFailed as error:
        failure = str(error)
    complete = all(statement.unchecked is None for statement in statements)
    code = 1 if failure is not None else 0 if complete else 3
    if as_json:
        listed = [{"text": s.text, "status": s.status, "why": s.unchecked} for s in statements]
        said = {"schema": SCHEMA, "holds": code == 0, "failure": failure, "statements": listed}
        click.echo(json.dumps(said))
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


def attach_proof(
    content: Json, source: str, proof: str | None, budget: Budget
) -> GivenProof | None:
    """Put the proofs that a result names, or the file `proof`, into the result. Raises TooLarge.

    A proof in cutting planes of a certificate is returned instead. A name is that of a regular file
    beside the result.
    """
    from ponder.check.proofs import IN_VERIPB, MOST_PROOF, GivenProof

    resting, veripb = _resting_on_files(content), None
    if proof is not None and _is(".pbp", proof):
        most = MOST_PROOF["veripb"]
        given = GivenProof(read_within(proof, "a proof's file", most, budget), "veripb")
        refutation = content.get("refutation")
        kind = refutation.get("kind") if isinstance(refutation, dict) else None
        if kind in IN_VERIPB and content.get("verdict") == "impossible":
            veripb = given
        elif isinstance(refutation, dict) and kind == "sat-proof":
            refutation["proof"] = given
        else:
            reason = "--proof: the result refutes nothing that cutting planes can prove"
            raise BoardError(reason, source)
    elif proof is not None:
        if not resting:
            raise BoardError("--proof: the result rests on no proof in a file", source)
        if len(resting) > 1:
            raise BoardError(f"--proof: the result names {len(resting)} proofs, not one", source)
        lrat = _is(".lrat", proof) or resting[0].get("format") == "lrat"
        given = GivenProof(read_bytes(proof)[0], "lrat" if lrat else "drat")
        resting[0]["proof"], budget.given = given, budget.given + len(given.text)
        return None
    held = 0
    for entry in resting:
        file = _beside(entry.get("proof_file"), source) if entry.get("proof") is None else None
        if file is not None:
            most = MOST_PROOF["lrat" if _is(".lrat", file) else "drat"]
            entry["proof"] = found = read_within(file, "a proof's file", most, budget)
            held += len(found)
            budget.hold(held, "proofs in files")
    return veripb


def read_within(file: str, what: str, most: int, budget: Budget) -> bytes:
    """Return the content of a file that a stranger has made, taken off a budget; TooLarge."""
    try:
        data = read_bytes(file, min(most * budget.limit, MOST_BYTES))[0]
    except LargeFile:
        if most * budget.limit < MOST_BYTES:  # a higher limit helps
            budget.demand(most * budget.limit + 1, most, f"bytes of {what}, at least,")
        raise
    budget.read(len(data), what, most)
    budget.given += os.stat(file).st_size if os.path.isfile(file) else len(data)
    return data


def _is(ending: str, file: str) -> bool:
    return ending in Path(file).suffixes[-2:]


def _resting_on_files(content: Json) -> list[Json]:
    refutation, proofs = content.get("refutation"), content.get("proofs")
    listed = proofs if isinstance(proofs, list) else []
    if isinstance(refutation, dict) and refutation.get("kind") == "sat-proof":
        listed = [refutation, *listed]
    return [entry for entry in listed if isinstance(entry, dict)]


def _beside(name: object, source: str) -> str | None:
    """Return the regular file of that name beside a result, behind no link; None without one."""
    if not isinstance(name, str):
        return None
    folder = os.path.realpath(os.path.dirname(source))
    for called in names_of(name):
        if "\0" in called or os.path.basename(called) != called:
            continue
        file = os.path.realpath(os.path.join(folder, called))
        if os.path.dirname(file) == folder and os.path.isfile(file):
            return file
    return None
