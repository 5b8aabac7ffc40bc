"""`ponder verify`: check a result against its board, with code that imports no solver."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from ponder.check.limits import MOST_HELD, MOST_RESULT, Budget, TooLarge
from ponder.cli import options
from ponder.cli.options import argument, gathered, option
from ponder.cli.terminal import painter, remark, say
from ponder.model.files import MOST_BYTES, names_of, read_bytes
from ponder.model.json_text import RESULT, json_object, memory_of, parse_result
from ponder.system.errors import BoardError, CheckFailed, LargeFile, quoted
from ponder.system.limits import NEVER
from ponder.system.printable import pluralise

if TYPE_CHECKING:
    from ponder.check.verification import Statement
    from ponder.model.render import Coordinates
    from ponder.system.types import Json

SCHEMA = "ponder.check/1"
_NS_LETTER = 10_000  # nanoseconds for a letter of a pattern, beside one for each bulb
_OF_BOARDS = ("--pattern", "--rule", "--goal", "--puzzle", "--lit")
GO_WITH: dict[str | None, tuple[str, ...]] = {
    None: _OF_BOARDS,
    RESULT: (*_OF_BOARDS, "--proof", "--press-set"),
    "ponder.most-moves/1": ("--pattern", "--puzzle"),
    "ponder.orientation/1": ("--proof", "--odd", "--fixed"),
}
"""The options that state the question of a result, or bring its proof, by schema."""


@options.command(
    """
Examples:
  ponder order board.txt --json > answer.json
  ponder verify board.txt answer.json
  ponder verify board.txt my-presses.txt        your own presses: one "row column" a line
  ponder verify board.txt answer.json --proof board.lrat
  ponder verify board.txt answer.json --proof board.pbp
  ponder verify board.txt answer.json --press-set mine.txt    what it refutes must be this press set
  ponder verify 23 answer.json                  a result of most-moves: FILE is a size or a board
  ponder verify graph.txt answer.json           a result of orient: FILE is a graph
  ponder verify list.g6 answers.jsonl           the answers to many questions, each by its line
  ponder verify graph.txt answer.json --odd 1,5 --fixed none    of this question, and no other

Each statement names the question. What is left to the result (a press set, odd vertices, arcs, the
pattern of a size) can be stated by an option: then a result about anything else is refused.

Exit codes: 0 all that the result says was checked and holds; 1 something is false or malformed;
2 bad input; 3 nothing was found wrong, but something could not be checked.
"""
)
def command(
    file: str = options.board_argument,
    result: str = argument("RESULT"),
    header: options.Header = gathered(options.Header),
    press_set: str | None = option(
        "--press-set FILE", "The press set that a result of `order --press-set` must be about."
    ),
    odd: str | None = options.odd_option,
    fixed: str | None = options.fixed_option,
    coords: Coordinates = options.coords_option,
    as_json: bool = options.json_option,
    proof: str | None = option(
        "--proof FILE",
        "A proof that RESULT neither holds nor names: the SAT solver's, LRAT; it may be "
        "packed (.gz).",
    ),
    limit: int = options.limit_option,
    quiet: bool = option("-q, --quiet", "Only the exit code."),
) -> int:
    """Check the JSON RESULT of `order` or `solve` against the board in FILE.

    Orders are replayed press by press, and refutations are checked by their own arithmetic.
    RESULT may also be a plain list of presses.
    """
    from ponder.check.most_moves import SCHEMA as MOST_MOVES
    from ponder.check.most_moves import bounds_named, verify_most_moves
    from ponder.check.orientation import SCHEMA as ORIENTATION
    from ponder.check.orientation import verify_orientation
    from ponder.check.verification import Statement, about_board, replayed, verify_within
    from ponder.model.graph_files import arcs_named, vertices_named
    from ponder.model.press_lists import parse_presses, read_presses

    source = "standard input" if result == "-" else result
    budget = Budget(limit)
    statements: list[Statement] = []
    options_given = {"--proof": proof, "--press-set": press_set, "--odd": odd, "--fixed": fixed}
    options_given |= {f"--{name}": value for name, value in vars(header).items()}
    failure, stage = None, "the result"
    try:
        data = read_within(result, "a result", MOST_BYTES, budget)
        if is_list(data):
            if proof is not None or press_set is not None:
                raise BoardError("--proof and --press-set are about one result", source)
            for each in _of_list(file, data, source, header, options_given, limit):
                statements.append(each)
            return _told(result, statements, None, as_json, quiet)
        schemas = RESULT, MOST_MOVES, ORIENTATION
        try:
            most = MOST_RESULT * budget.limit, MOST_HELD * budget.limit
            content = parse_result(data, source, schemas, *most)
        except LargeFile:  # presses, which are pairs of numbers, may be more than all else
            _demand_room(data, budget)
            raise
        schema = None if content is None else str(content["schema"])
        check_goes(schema, options_given, source)
        if content is None:
            board = header.read(file, wirings=True)
            presses = parse_presses(data, board, source, coords, grids=False)
            statements = [*about_board(board, [replayed(board, presses, ", each legal,", budget)])]
        elif content["schema"] == MOST_MOVES:
            pattern, named = header.pattern, content.get("pattern")
            sides = options.sides_of(file)
            if sides is not None and isinstance(named, str) and header.puzzle is None:
                pattern = pattern or named  # of a size; that of a file is the file's
                budget.spend(len(pattern) * (_NS_LETTER + sides[0] * sides[1]), "the pattern")
            board = options.dark_board(file, replace(header, pattern=pattern), NEVER)
            bounds = verify_most_moves(board, content, budget.for_words())
            statements += map(Statement, bounds_named(board, *bounds))
        elif content["schema"] == ORIENTATION:
            stage = "the file of the proof"
            attach_proof(content, source, proof, budget)
            stage = "the result"
            graph = options.graph_in(file)
            vertices = None if odd is None else vertices_named(graph, odd)
            arcs = None if fixed is None else arcs_named(graph, fixed)
            words = budget.for_words()
            report = verify_orientation(graph, content, words, odd=vertices, fixed=arcs)
            statements = list(report.statements)
        else:
            board = header.read(file, wirings=True)
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


def check_goes(schema: str | None, given: Mapping[str, str | None], source: str) -> None:
    """Refuse options that say nothing of a result of some schema, or of a list of presses."""
    for name, value in given.items():
        if value is not None and name not in GO_WITH.get(schema, ()):
            what = "a list of presses" if schema is None else f"a result of {schema}"
            raise BoardError(f"{name} does not go with {what}", source)


def is_list(data: bytes) -> bool:
    """Whether a text is the answers to many questions: lines, each of them an object."""
    first, _, rest = data.strip().partition(b"\n")
    return first[:1] == b"{" and first.rstrip()[-1:] == b"}" and bool(rest)


def _of_list(
    file: str,
    data: bytes,
    source: str,
    header: options.Header,
    given: Mapping[str, str | None],
    limit: int,
) -> Iterator[Statement]:
    """Yield what is said of each question of a list, held against it. Raises CheckFailed."""
    from ponder.check.orientation import SCHEMA as ORIENTATION
    from ponder.check.orientation import verify_orientation
    from ponder.check.verification import Statement, verify_within
    from ponder.cli.each import COUNTS, ERROR
    from ponder.model.formats import questions
    from ponder.model.graph_files import arcs_named, parse_graph, vertices_named

    asked = {question.line or 1: question for question in questions(file)}
    total, verdicts, numbers = len(asked), list[str](), list[int]()
    for at, text in enumerate(data.splitlines(), 1):
        if not text.strip():
            continue
        budget = Budget(limit).for_words()
        try:
            _demand_room(text, budget)
        except TooLarge as reason:
            yield Statement(f"line {at}", str(reason), reason.raisable)
            continue
        fields = json_object(text, f"{source}:{at}")
        line, schema = fields.get("line"), fields.get("schema")
        if schema == COUNTS:
            of = Counter(verdicts)
            complete = not of["unknown"] and not of[ERROR]
            sums = {"questions": len(verdicts), "verdicts": of, "sum": sum(numbers)}
            sums |= {"complete": complete}
            if _as_text({key: fields.get(key) for key in sums}) != _as_text(sums):
                raise CheckFailed(f"line {at}: the counts are not those of the lines above")
            continue
        question = asked.pop(line, None) if type(line) is int else None
        if question is None:
            raise CheckFailed(f"line {at}: `line` is {quoted(line)}, where no question waits")
        exact = fields.get("exact") is True
        verdict = fields.get("verdict", "counted" if exact else "unknown")
        verdicts.append(ERROR if ERROR in fields else str(verdict))
        number = fields.get("count") if exact or fields.get("optimal") is True else None
        numbers.append(number if type(number) is int else 0)
        if schema in (RESULT, ORIENTATION):
            check_goes(str(schema), given, source)
        what = f"question {line}"
        try:
            if schema == ORIENTATION:
                graph = parse_graph(question.data, question.source)
                odd, fixed = given["--odd"], given["--fixed"]
                vertices = None if odd is None else vertices_named(graph, odd)
                arcs = None if fixed is None else arcs_named(graph, fixed)
                found = verify_orientation(graph, fields, budget, odd=vertices, fixed=arcs)
            elif schema == RESULT:
                found = verify_within(header.board(question), fields, budget)
            else:
                yield Statement(what, "it has no answer with evidence")
                continue
        except TooLarge as reason:
            yield Statement(what, str(reason), reason.raisable)
            continue
        except CheckFailed as error:
            raise CheckFailed(f"{what}: {error}") from None
        yield from (replace(each, text=f"{what}: {each.text}") for each in found.statements)
    if asked:
        yield Statement(f"{len(asked)} of {pluralise(total, 'question')}", "without an answer")


def _as_text(value: object) -> str:
    """Return JSON by which 1, 1.0 and true differ."""
    return json.dumps(value, sort_keys=True)


def _demand_room(data: bytes, budget: Budget) -> None:
    """Hold a result, and the memory that reading it takes, against the limits. Raises TooLarge."""
    budget.demand(len(data), MOST_RESULT, "bytes of a result")
    budget.hold(memory_of(data), "the lists of a result")


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
            entry["proof"] = found = read_within(file, "a proof's file", MOST_PROOF, budget)
            held += len(found)
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
