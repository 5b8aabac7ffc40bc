"""`ponder verify`: check a result against its board, with code that imports no solver."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import click
import numpy as np

from ponder.check.linear import press_sets
from ponder.check.orientation import Question, question_of, verify_orientation
from ponder.check.reader import MOST_RESULT
from ponder.check.verification import Statement, about_board, replayed, verify_within
from ponder.cli import params
from ponder.cli.boards import Header, graph_of, question_in
from ponder.cli.output import painter, remark, say, say_json
from ponder.lights_out.check_most_moves import SCHEMA as MOST_MOVES
from ponder.lights_out.check_most_moves import states_named, verify_most_moves
from ponder.model.board import Board
from ponder.model.files import read_bytes
from ponder.model.graph import GridGraph
from ponder.model.graph_files import arcs_named, vertices_named
from ponder.model.json_text import ORIENTATION, RESULT, parse_result
from ponder.model.press_lists import parse_presses, read_presses
from ponder.model.render import Coordinates, label_text
from ponder.model.shapes import sides_of
from ponder.system.errors import BadArgument, CheckFailed, LargeFile
from ponder.system.limits import NEVER, LimitReached, Limits
from ponder.system.machine import memory_limit
from ponder.system.printable import pluralise
from ponder.system.types import Ints, Json, bincount

SECONDS = 60.0  # for all checks of a result, where no other time is given
NAMED = 12  # presses of a list that a message names
MOST_PROOF = 400_000_000  # characters of a proof
STATING: dict[str | None, tuple[str, ...]] = {
    None: ("pattern", "rule", "goal", "puzzle", "lit", "format"),
    RESULT: ("pattern", "rule", "goal", "puzzle", "lit", "format", "proof", "press_set"),
    MOST_MOVES: ("pattern", "puzzle", "format"),
    ORIENTATION: ("format", "proof", "odd", "fixed"),
}
"""The options that state the question of a result, or bring its proof, by schema."""

MOST_PATTERN = 1 << 26  # letters of a pattern times the bulbs of a size


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
@params.about_option
@click.option("--proof", metavar="FILE", help="The proof (LRAT) of a formula that RESULT lacks.")
@params.clock_option
@params.coords_option
@params.json_option
@params.quiet_option
def command(
    file: str,
    result: str,
    header: Header,
    about: dict[str, str | None],
    proof: str | None,
    clock: Limits,
    coords: Coordinates,
    as_json: bool,
    quiet: bool,
) -> int:
    """Check the JSON RESULT of `order` or `solve` against the board in FILE.

    Orders are replayed press by press, and refutations are checked by their own arithmetic.
    RESULT may also be a plain list of presses. What is not checked within the time (60 seconds,
    where none is given) or the memory is left open.
    """
    source = "standard input" if result == "-" else result
    clock = clock if clock.left() is not None else Limits(SECONDS)
    statements: Sequence[Statement] = ()
    failure = None
    try:
        data = read_bytes(result, MOST_RESULT)[0]
        content = parse_result(data, source, (RESULT, MOST_MOVES, ORIENTATION))
        schema = None if content is None else str(content["schema"])
        for name, value in (header._asdict() | about | {"proof": proof}).items():
            if value is not None and name not in STATING[schema]:
                kind = "a list of presses" if schema is None else f"a result of {schema}"
                raise BadArgument(f"it says nothing about {kind}", name)
        press_set, odd, fixed = (about[key] for key in ("press_set", "odd", "fixed"))
        lrat = None
        if proof is not None:
            lrat = read_bytes(proof, MOST_PROOF)[0].decode("ascii", "replace")
        if content is None:
            board = header.read(file)
            presses = parse_presses(data, board, source, coords, grids=False)
            statements = _of_presses(board, presses, coords, clock)
        elif schema == MOST_MOVES:
            statements = _of_most_moves(file, header, content, clock)
        elif schema == ORIENTATION:
            graph = graph_of(question_in(file, header.format))
            vertices = None if odd is None else vertices_named(graph, odd)
            arcs = None if fixed is None else arcs_named(graph, fixed)
            report = verify_orientation(graph, content, clock, odd=vertices, fixed=arcs, proof=lrat)
            statements = report.statements
        else:
            board = header.read(file)
            chosen = None if press_set is None else read_presses(press_set, board, coords)
            statements = verify_within(board, content, clock, lrat, chosen).statements
    except LimitReached as error:
        statements = [Statement("the result", str(error))]
    except LargeFile as error:
        statements = [Statement("the result", error.reason)]
    except MemoryError:
        allowed = memory_limit()
        most = "there is" if allowed is None else f"{allowed / 1e9:.1f} GB"
        statements = [Statement("the result", f"it needs more memory than {most}")]
    except CheckFailed as error:
        failure = str(error)
    return _told(result, statements, failure, as_json, quiet)


def _of_presses(
    board: Board, presses: Ints, coords: Coordinates, clock: Limits
) -> Sequence[Statement]:
    """Replay a list of presses. Raises CheckFailed that names which are wrong."""
    try:
        played = replayed(board, presses, ", each legal,", clock)
    except CheckFailed as error:
        faults = [_by(str(error), board, coords), *_faults(board, presses, coords)]
        raise CheckFailed("; ".join(faults)) from None
    return about_board(board, [played])


def _of_most_moves(file: str, header: Header, content: Json, clock: Limits) -> Sequence[Statement]:
    """Check a result of `most-moves` on a size or the shape of a board. Raises CheckFailed."""
    pattern, sides = content.get("pattern"), sides_of(file)
    if sides is not None and isinstance(pattern, str) and header.puzzle is None:
        pattern = header.pattern or pattern  # of a size; that of a file is the file's
        if len(pattern) * sides[0] * sides[1] > MOST_PATTERN:
            raise CheckFailed("the pattern is too long for a board of this size")
        header = header._replace(pattern=pattern)
    board = header.dark(file)
    lower, upper = verify_most_moves(board, content, clock)
    least, most = pluralise(lower, "press"), pluralise(upper, "press")
    states = states_named(board)
    return [
        Statement(f"no solvable board needs more than {most} ({states})"),
        Statement(f"the board that press_set solves needs {least} or more ({states})"),
    ]


def _by(text: str, board: Board, coords: Coordinates) -> str:
    """Return a message of the checker with its places, (row,column), in other coordinates."""
    if coords == "rc" or not isinstance(board.graph, GridGraph):
        return text
    place = re.compile(r"\((\d+),(\d+)\)")
    return place.sub(lambda x: label_text(board, (int(x[1]), int(x[2])), coords), text)


def _faults(board: Board, presses: Ints, coords: Coordinates) -> Iterator[str]:
    """Yield which presses of a list are doubled, and against the only press set, if there is one,
    which are missing and which are surplus.
    """
    counts = bincount(presses, board.graph.presses)
    kinds = {"pressed again": counts > 1}
    sets = press_sets(board)
    if sets.base is not None and not sets.nullity:
        kinds["missing"] = sets.base & (counts % 2 == 0)
        kinds["surplus"] = ~sets.base & (counts % 2 == 1)
    for kind, members in kinds.items():
        bulbs = np.flatnonzero(members)
        if bulbs.size:
            named = [
                label_text(board, board.graph.label(v), coords) for v in bulbs[:NAMED].tolist()
            ]
            more = f" and {bulbs.size - NAMED} more" if bulbs.size > NAMED else ""
            yield f"{kind}: {' '.join(named)}{more}"


def _told(
    result: str, statements: Sequence[Statement], failure: str | None, as_json: bool, quiet: bool
) -> int:
    """Print what was found, and return the exit code."""
    complete = all(statement.unchecked is None for statement in statements)
    code = 1 if failure is not None else 0 if complete else 3
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
    if failure is not None:
        remark(f"{result}: rejected: {failure}")
    return code


# --------------------------------------- for the commands that go on with a result of another one


def question_asked(file: str, fields: Json, source: str, limits: Limits = NEVER) -> Question:
    """Return the question of a result of `orient`, which is checked. Raises CheckFailed."""
    graph = graph_of(question_in(file))
    verify_orientation(graph, fields, limits).demand(source)
    return question_of(graph, fields)
