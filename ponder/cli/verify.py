"""`ponder verify`: check a result against its board, with code that imports no solver."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from ponder.check.limits import MOST_HELD, MOST_RESULT, Budget, TooLarge
from ponder.check.naming import states_named
from ponder.check.orientation import SCHEMA as ORIENTATION
from ponder.check.orientation import verify_orientation
from ponder.check.verification import Statement, about_board, replayed, verify_within
from ponder.cli import params
from ponder.cli.output import painter, remark, say, say_json
from ponder.cli.params import Header, graph_in
from ponder.lights_out.check_most_moves import SCHEMA as MOST_MOVES
from ponder.lights_out.check_most_moves import verify_most_moves
from ponder.model.files import MOST_BYTES, names_of, read_bytes
from ponder.model.graph_files import arcs_named, vertices_named
from ponder.model.json_text import RESULT, memory_of, parse_result
from ponder.model.press_lists import parse_presses, read_presses
from ponder.model.render import Coordinates
from ponder.model.shapes import sides_of
from ponder.system.errors import BadArgument, BoardError, CheckFailed, LargeFile
from ponder.system.printable import pluralise

if TYPE_CHECKING:
    from ponder.system.types import Json

GO_WITH = {
    None: ("pattern", "rule", "goal", "puzzle", "lit"),
    RESULT: ("pattern", "rule", "goal", "puzzle", "lit", "proof", "press_set"),
    MOST_MOVES: ("pattern", "puzzle"),
    ORIENTATION: ("proof", "odd", "fixed"),
}
"""The options that state the question of a result, or bring its proof, by schema."""

_NS_LETTER = 10_000  # nanoseconds for a letter of a pattern, beside one for each bulb


@params.command(
    """
Examples:
  ponder order board.txt --json > answer.json
  ponder verify board.txt answer.json
  ponder verify board.txt my-presses.txt        your own presses: one "row column" a line
  ponder verify board.txt answer.json --proof board.lrat
  ponder verify board.txt answer.json --press-set mine.txt    what it refutes must be this press set
  ponder verify 23 answer.json                  a result of most-moves: FILE is a size or a board
  ponder verify graph.txt answer.json           a result of orient: FILE is a graph
  ponder verify graph.txt answer.json --odd 1,5 --fixed none    of this question, and no other

Each statement names the question. What is left to the result (a press set, odd vertices, arcs, the
pattern of a size) can be stated by an option: then a result about anything else is refused.

Exit codes: 0 all that the result says was checked and holds; 1 something is false or malformed;
2 bad input; 3 nothing was found wrong, but something could not be checked.
"""
)
@params.file_argument
@click.argument("result", metavar="RESULT")
@params.header_option
@click.option("--press-set", metavar="FILE", help="The press set that the result must be about.")
@params.odd_option
@params.fixed_option
@click.option("--proof", metavar="FILE", help="A proof (LRAT) that RESULT neither holds nor names.")
@click.option(
    "--limit", metavar="N", type=click.IntRange(1, 10**6), default=1, help="N times the work."
)
@params.coords_option
@params.json_option
@params.quiet_option
def command(
    file: str,
    result: str,
    header: Header,
    press_set: str | None,
    odd: str | None,
    fixed: str | None,
    proof: str | None,
    limit: int,
    coords: Coordinates,
    as_json: bool,
    quiet: bool,
) -> int:
    """Check the JSON RESULT of `order` or `solve` against the board in FILE.

    Orders are replayed press by press, and refutations are checked by their own arithmetic.
    RESULT may also be a plain list of presses.
    """
    source = "standard input" if result == "-" else result
    budget = Budget(limit)
    statements: list[Statement] = []
    failure, stage = None, "the result"
    try:
        data = read_within(result, "a result", MOST_BYTES, budget)
        schemas = RESULT, MOST_MOVES, ORIENTATION
        try:
            most = MOST_RESULT * budget.limit, MOST_HELD * budget.limit
            content = parse_result(data, source, schemas, *most)
        except LargeFile:  # presses, which are pairs of numbers, may be more than all else
            budget.demand(len(data), MOST_RESULT, "bytes of a result")
            budget.hold(memory_of(data), "the lists of a result")
            raise
        schema = None if content is None else str(content["schema"])
        stated = {"proof": proof, "press_set": press_set, "odd": odd, "fixed": fixed}
        for name, value in (header._asdict() | stated).items():
            if value is not None and name not in GO_WITH[schema]:
                about = "a list of presses" if schema is None else f"a result of {schema}"
                raise BadArgument(f"it says nothing about {about}", name)
        if content is None:
            board = header.read(file)
            presses = parse_presses(data, board, source, coords, grids=False)
            statements = [*about_board(board, [replayed(board, presses, ", each legal,", budget)])]
        elif content["schema"] == MOST_MOVES:
            pattern, sides = content.get("pattern"), sides_of(file)
            if sides is not None and isinstance(pattern, str) and header.puzzle is None:
                pattern = header.pattern or pattern  # of a size; that of a file is the file's
                budget.spend(len(pattern) * (_NS_LETTER + sides[0] * sides[1]), "the pattern")
                header = header._replace(pattern=pattern)
            board = header.dark(file)
            lower, upper = verify_most_moves(board, content)
            states = states_named(board)
            statements = [
                Statement(f"{words} ({states})")
                for words in (
                    f"no solvable board needs more than {pluralise(upper, 'press')}",
                    f"the board that press_set solves needs {pluralise(lower, 'press')} or more",
                )
            ]
        elif content["schema"] == ORIENTATION:
            stage = "the file of the proof"
            attach_proof(content, source, proof, budget)
            stage = "the result"
            graph = graph_in(file)
            vertices = None if odd is None else vertices_named(graph, odd)
            arcs = None if fixed is None else arcs_named(graph, fixed)
            words = budget.for_words()
            report = verify_orientation(graph, content, words, odd=vertices, fixed=arcs)
            statements = list(report.statements)
        else:
            board = header.read(file)
            stage = "the file of the proof"
            attach_proof(content, source, proof, budget)
            stage = "the result"
            chosen = None if press_set is None else read_presses(press_set, board, coords)
            report = verify_within(board, content, budget.for_words(), chosen)
            statements = list(report.statements)
    except TooLarge as reason:
        statements.append(Statement(stage, str(reason), reason.raisable))
    except CheckFailed as error:
        failure = str(error)
    return _told(result, statements, failure, as_json, quiet)


def _told(
    result: str, statements: list[Statement], failure: str | None, as_json: bool, quiet: bool
) -> int:
    """Print what was found, and return the exit code."""
    complete = all(statement.unchecked is None for statement in statements)
    code = 0 if complete else 3
    code = 1 if failure is not None else code
    if as_json:
        listed = [{"text": s.text, "status": s.status, "why": s.unchecked} for s in statements]
        holds = {"schema": "ponder.check/1", "holds": code == 0, "failure": failure}
        say_json({**holds, "statements": listed})
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


def attach_proof(content: Json, source: str, proof: str | None, budget: Budget) -> None:
    """Put the proofs that a result names, or the file `proof`, into the result. Raises TooLarge.

    A name is that of a regular file beside the result.
    """
    from ponder.check.proofs import MOST_PROOF, GivenProof

    resting = _resting_on_files(content)
    if proof is not None:
        if not resting:
            raise BoardError("--proof: the result rests on no proof in a file", source)
        if len(resting) > 1:
            raise BoardError(f"--proof: the result names {len(resting)} proofs, not one", source)
        given = GivenProof(read_bytes(proof)[0])
        resting[0]["proof"], budget.given = given, budget.given + len(given.text)
        return
    held = 0
    for entry in resting:
        file = _beside(entry.get("proof_file"), source) if entry.get("proof") is None else None
        if file is not None:
            entry["proof"] = text = read_within(file, "a proof's file", MOST_PROOF, budget)
            held += len(text)
            budget.hold(held, "proofs in files")


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
