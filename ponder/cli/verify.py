"""`ponder verify`: check a result against its board, with code that imports no solver."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

import click
import numpy as np

from ponder.check.linear import press_sets
from ponder.check.orientation import Question, question_of, verify_orientation
from ponder.check.reader import MOST_RESULT
from ponder.check.verification import (
    Statement,
    about_board,
    replayed,
    stopped_by,
    verify_within,
)
from ponder.cli import params
from ponder.cli.boards import Header, graph_of, question_in, questions_of
from ponder.cli.output import Progress, painter, remark, say, say_json
from ponder.lights_out.check_most_moves import SCHEMA as MOST_MOVES
from ponder.lights_out.check_most_moves import states_named, verify_most_moves
from ponder.model.board import Board
from ponder.model.files import read_bytes
from ponder.model.graph import GridGraph
from ponder.model.graph_files import arcs_named, vertices_named
from ponder.model.json_text import COUNTS, ORIENTATION, RESULT, json_object, parse_result
from ponder.model.press_lists import parse_presses, read_presses
from ponder.model.questions import Question as Asked
from ponder.model.render import Coordinates, label_text
from ponder.model.shapes import sides_of
from ponder.system.errors import BadArgument, BoardError, CheckFailed, LargeFile, quoted
from ponder.system.limits import NEVER, LimitReached, Limits
from ponder.system.printable import pluralise
from ponder.system.types import Ints, Json, bincount

SECONDS = 60.0  # for all checks of a result, where no other time is given
NAMED = 12  # presses of a list that a message names
MOST_PROOF = 400_000_000  # characters of a proof
STATING: dict[str | None, tuple[str, ...]] = {
    None: ("pattern", "rule", "goal", "puzzle", "lit", "line", "format"),
    RESULT: ("pattern", "rule", "goal", "puzzle", "lit", "line", "format", "proof", "press_set"),
    MOST_MOVES: ("pattern", "puzzle", "line", "format"),
    ORIENTATION: ("line", "format", "proof", "odd", "fixed"),
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
  ponder verify graph.edges answer.json           a result of orient: FILE is a graph
  ponder verify graph.edges answer.json --odd 1,5 --fixed none    of this question, and no other
  ponder verify list.g6 answers.jsonl           many answers: how many hold, and which do not
  ponder verify list.g6 answers.jsonl --line 7  one of them, statement by statement

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
@click.option("-v", "--verbose", is_flag=True, help="Of many answers: a line for each.")
@params.json_option
@params.quiet(help="Only what does not hold.")
def command(
    file: str,
    result: str,
    header: Header,
    about: dict[str, str | None],
    proof: str | None,
    clock: Limits,
    coords: Coordinates,
    verbose: bool,
    as_json: bool,
    quiet: bool,
) -> int:
    """Check a RESULT, JSON of any command that answers, against FILE.

    Orders are replayed press by press; refutations and bounds are checked without a solver.
    RESULT may also be a plain list of presses. What is not checked within the time (60 seconds,
    where none is given) or the memory is left open.
    """
    source = "standard input" if result == "-" else result
    clock = clock if clock.left() is not None else Limits(SECONDS)
    stated = {**header._asdict(), **about, "proof": proof}
    lrat = None

    def statements(asked: Asked | None, data: bytes, source: str) -> Sequence[Statement]:
        """Check a result; `asked` is its question among many."""
        content = parse_result(data, source, (RESULT, MOST_MOVES, ORIENTATION))
        schema = None if content is None else str(content["schema"])
        for name, value in stated.items():
            if value is not None and name not in STATING[schema]:
                kind = "a list of presses" if schema is None else f"a result of {schema}"
                raise BadArgument(f"this does not apply to {kind}", name)
        why = None if content is None else content.get("refutation")
        if lrat is not None and not (isinstance(why, dict) and why.get("kind") == "formula"):
            raise BadArgument("this result rests on no proof of a formula", "proof")
        press_set, odd, fixed = (about[key] for key in ("press_set", "odd", "fixed"))
        if content is not None and schema == MOST_MOVES:
            return _of_most_moves(file, header, content, clock)
        asked = asked or question_in(file, header.format, header.line)
        if content is not None and schema == ORIENTATION:
            graph = graph_of(asked)
            vertices = None if odd is None else vertices_named(graph, odd)
            arcs = None if fixed is None else arcs_named(graph, fixed)
            report = verify_orientation(graph, content, clock, odd=vertices, fixed=arcs, proof=lrat)
            return report.statements
        board = header.board(asked)
        if content is None:
            presses = parse_presses(data, board, source, coords, grids=False)
            return _of_presses(board, presses, coords, clock)
        chosen = None if press_set is None else read_presses(press_set, board, coords)
        return verify_within(board, content, clock, lrat, chosen).statements

    try:
        data = read_bytes(result, MOST_RESULT)[0]
        if proof is not None:
            lrat = read_bytes(proof, MOST_PROOF)[0].decode("ascii", "replace")
    except LargeFile as error:
        large = Judged((Statement(error.source, error.reason),))
        return _print_check(source, large, as_json, quiet)
    if not data.strip():
        raise BoardError("empty: no answers; `[]` says no presses", source, 1)
    answers = answers_in(data)
    if answers is None or header.line is not None:
        named = source if proof is None else f"{source} with {proof}"
        data, source = one_answer(data, source, header.line)
        return _print_check(named, judged(partial(statements, None, data, source)), as_json, quiet)
    for name in ("press_set", "proof"):
        if stated[name] is not None:
            raise BadArgument("it is about one question: --line N picks it", name)
    if about["odd"] is None and any(b"orient" in text for _, text in answers):
        remark("each answer is checked for the odd vertices it names; --odd states them", quiet)
    first, many = questions_of(file, header.format)
    asked = {question.line or 1: question for question in many or [first]}
    with Progress(quiet) as progress:
        lines = _of_list(asked, answers, source, statements)
        return _print_checks(first.source, lines, progress, (verbose, as_json, quiet))


class Judged(NamedTuple):
    """The check of a result: its statements, or why it is false; in a list also its verdict."""

    statements: Sequence[Statement] = ()
    failure: str | None = None
    verdict: str = ""

    @property
    def code(self) -> int:
        """The exit code."""
        return 1 if self.failure is not None else 3 if self.unchecked else 0

    @property
    def unchecked(self) -> list[str]:
        """The statements that were left open."""
        return [statement.said for statement in self.statements if statement.unchecked is not None]

    def to_json(self) -> Json:
        """Return what `--json` prints."""
        listed = [{"text": s.text, "status": s.status, "why": s.unchecked} for s in self.statements]
        head: Json = {"schema": "ponder.check/1", "holds": self.code == 0, "failure": self.failure}
        return {**head, "statements": listed}


def judged(check: Callable[[], Sequence[Statement]]) -> Judged:
    """Run a check; if it reaches a limit, the result is left open."""
    try:
        return Judged(check())
    except (LimitReached, MemoryError) as error:
        return Judged((Statement("the result", stopped_by(error)),))
    except CheckFailed as error:
        return Judged((), str(error))


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
        kinds["missing"] = sets.base & (counts == 0)
        kinds["surplus"] = ~sets.base & (counts % 2 == 1)
    for kind, members in kinds.items():
        bulbs = np.flatnonzero(members)
        if bulbs.size:
            named = [
                label_text(board, board.graph.label(v), coords) for v in bulbs[:NAMED].tolist()
            ]
            more = f" and {bulbs.size - NAMED} more" if bulbs.size > NAMED else ""
            yield f"{kind}: {' '.join(named)}{more}"


def _print_check(result: str, check: Judged, as_json: bool, quiet: bool) -> int:
    """Print the check of one result, and return the exit code."""
    with suppress(BrokenPipeError):  # a reader that goes away changes no verdict
        if as_json:
            say_json(check.to_json())
            return check.code
        paint = painter()
        for statement in () if quiet else check.statements:
            mark = paint(f"{statement.status:<11}", "dim" if statement.unchecked else "good")
            say([f"{mark}  {statement.said}"])
    if check.failure is not None:
        remark(f"{result}: rejected: {check.failure}")
    return check.code


# ------------------------------------------------------------------- the answers to many questions


def answers_in(data: bytes) -> list[tuple[int, bytes]] | None:
    """Return the lines of the answers to many questions, by number; None for one result."""
    lines = [(at, line) for at, line in enumerate(data.splitlines(), 1) if line.strip()]
    first = lines[0][1].strip() if lines else b""
    many = len(lines) > 1 and first[-1:] == b"}"
    return lines if first[:1] == b"{" and (many or first.startswith(b'{"line":')) else None


def one_answer(data: bytes, source: str, line: int | None) -> tuple[bytes, str]:
    """Return the text of one result: all of it, or the answer to the question of a line."""
    answers = answers_in(data)
    if answers is None:
        return data, source
    if line is None:
        raise BoardError(
            f"{pluralise(len(answers), 'line')} of answers: --line N picks one", source
        )
    for at, text in answers:
        if json_object(text, f"{source}:{at}").get("line") == line:
            return text, f"{source}:{at}"
    raise BoardError(f"there is no answer to the question of line {line}", source)


def _of_list(
    asked: dict[int, Asked],
    answers: list[tuple[int, bytes]],
    source: str,
    statements: Callable[[Asked, bytes, str], Sequence[Statement]],
) -> Iterator[tuple[object, Judged]]:
    """Yield the line of each question and the check of its answer; last, questions without one."""
    verdicts, total = Counter[str](), 0
    for at, text in answers:
        fields, where = json_object(text, f"{source}:{at}"), f"line {at} of the answers"
        if fields.get("schema") == COUNTS:
            complete = not verdicts["unknown"] + verdicts["error"]
            counts: Json = {"questions": verdicts.total(), "verdicts": verdicts, "sum": total}
            stated = {"schema": COUNTS, **counts, "complete": complete}
            if json.dumps(fields, sort_keys=True) != json.dumps(stated, sort_keys=True):
                yield where, Judged((), "the counts are not those of the lines above")
            continue
        exact, line = fields.get("exact") is True, fields.get("line")
        number = fields.get("count") if exact or fields.get("optimal") is True else None
        total += number if type(number) is int else 0
        verdict = "error" if "error" in fields else "counted" if exact else "unknown"
        verdicts[str(fields.get("verdict", verdict))] += 1
        question = asked.pop(line, None) if type(line) is int else None
        if question is None:
            yield where, Judged((), f"`line` is {quoted(line)}, which is no unanswered question")
        elif fields.get("schema", "ponder.count/1") == "ponder.count/1":
            answer = quoted(fields.get("error") or fields.get("unknown") or "a count")
            yield line, Judged((Statement(f"the answer {answer}", "it has no certificate"),))
        else:
            try:
                check = judged(partial(statements, question, text, source))
                answer = f"{fields.get('command')}: {fields.get('verdict')}"
                answer += f" {fields.get('claim')}" if answer == "order: impossible" else ""
                yield line, check._replace(verdict=answer)
            except BoardError as error:
                yield line, Judged((), str(error))
    yield from ((line, Judged((Statement("the answer", "it is missing"),))) for line in asked)


def _print_checks(
    source: str,
    checks: Iterable[tuple[object, Judged]],
    progress: Progress,
    showing: tuple[bool, bool, bool],
) -> int:
    """Print a line for each answer that does not hold, and the numbers; return the exit code."""
    (verbose, as_json, quiet), statuses, verdicts = showing, Counter[str](), Counter[str]()
    for line, check in checks:
        status = ("checked", "rejected", "", "open")[check.code]
        statuses[status] += 1
        verdicts[check.verdict] += check.code == 0
        try:
            if as_json:
                say_json({"line": line, "status": status, **check.to_json()})
            elif verbose or check.code:
                texts = check.unchecked or [statement.text for statement in check.statements[1:]]
                say([f"{line}: {status}: {check.failure or '; '.join(texts) or check.verdict}"])
        except BrokenPipeError:  # what is left is not checked
            return 1 if statuses["rejected"] else 3
        progress.say(f"{statuses.total():,} answers")
    code = 1 if statuses["rejected"] else 3 if statuses["open"] else 0
    if as_json:
        counts = {"statuses": statuses, "verdicts": +verdicts, "holds": code == 0}
        say_json({"schema": "ponder.checks/1", "questions": statuses.total(), **counts})
    elif not quiet:
        kinds = ", ".join(f"{n:,} {verdict}" for verdict, n in sorted((+verdicts).items()))
        named = ", ".join(
            f"{n:,} {status}" + (f" ({kinds})" if status == "checked" else "")
            for status, n in sorted(statuses.items())
        )
        say([f"{source}: {pluralise(statuses.total(), 'answer')}: {named}"])
    return code


# ------------------------------------------------- for commands that read results of others


def question_asked(
    file: str, header: Header, fields: Json, source: str, limits: Limits = NEVER
) -> Question:
    """Return the question of a result of `orient`, which is checked. Raises CheckFailed."""
    graph = graph_of(question_in(file, header.format, header.line))
    verify_orientation(graph, fields, limits).demand(source)
    return question_of(graph, fields)
