"""Results that a command reads to go on with them: checked against board or graph, or refused."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from ponder.check.orientation import CIRCLE, Question, question_of, verify_orientation
from ponder.check.orientation import SCHEMA as ORIENTATION
from ponder.check.reader import mapping
from ponder.check.replay import replay
from ponder.check.result import Result
from ponder.check.verification import Statement, verify
from ponder.cli.boards import Header, graph_of, question_in
from ponder.cli.output import remark
from ponder.find.orient import asked_in_words, sentence_of
from ponder.model.board import board_name
from ponder.model.files import read_bytes
from ponder.model.json_text import RESULT, parse_result
from ponder.model.press_lists import parse_presses
from ponder.model.render import Coordinates
from ponder.system.errors import BoardError, CheckFailed, NoShortProof
from ponder.system.limits import NEVER, Limits
from ponder.system.printable import names_listed
from ponder.system.types import Json


def question_asked(file: str, fields: Json, source: str, limits: Limits = NEVER) -> Question:
    """Return the question of a result of `orient`, which is checked. Raises CheckFailed."""
    graph = graph_of(question_in(file))
    demand_checked(verify_orientation(graph, fields, limits).statements, source)
    return question_of(graph, fields)


def demand_checked(statements: Iterable[Statement], source: str) -> None:
    """Raise BoardError if a statement of a result was left open."""
    for statement in statements:
        if statement.unchecked is not None:
            raise BoardError(f"`ponder verify` leaves open: {statement.said}", source)


def as_order(question: Question, fields: Json) -> Json:
    """Return a checked result of `orient` as one about the order of presses, each vertex once.

    A circle of given arcs says nothing of presses: NoShortProof.
    """
    refutation = None
    if fields.get("refutation") is not None:
        refutation = dict(mapping(fields["refutation"], "refutation"))
        if refutation["kind"] == CIRCLE:
            raise NoShortProof("the given arcs run in a circle, which is the whole proof")
        refutation["press_counts"] = [1] * question.graph.size
        refutation["bulbs"] = refutation.pop("vertices", None)
    return {
        "command": "order",
        "verdict": "solved" if fields["verdict"] == "oriented" else fields["verdict"],
        "claim": None if refutation is None else "C1",
        "presses": fields.get("order"),
        "refutation": refutation,
        "method": fields.get("method"),
    }


class Answer(NamedTuple):
    """A result that was checked; of an orientation also what its picture says, and its arcs."""

    result: Result
    words: tuple[str, str, object] | None = None


def checked_answer(
    name: str, file: str, header: Header, coords: Coordinates, clock: Limits
) -> Answer:
    """Return the result in a file, checked but for its bounds. Raises BoardError if it is false.

    An orientation is drawn as its order, all vertices numbered, with heading and text of its own.
    """
    data, source = read_bytes(name)
    content = parse_result(data, source, (RESULT, ORIENTATION))
    try:
        if content is not None and content["schema"] == ORIENTATION:
            return _orientation(question_asked(file, content, source, clock), content, file)
        board = header.read(file, clock)
        if content is None:
            presses = parse_presses(data, board, source, coords, grids=False)
            replay(board, presses, clock)
            return Answer(Result("solve", board, "solved", "given", presses=presses))
        if content.get("presses") is not None and content.get("verdict") == "solved":
            unbounded = {"claim": None, "lower_bound": None, "bound": None, "optimal": False}
            content = {**content, **unbounded}
        if verify(board, content, timeout=clock).unchecked_verdict:
            remark("what is drawn could not be checked: see `ponder verify`")
        return Answer(Result.from_json(board, {**content, "bound": None}))
    except CheckFailed as error:
        raise BoardError(str(error), source) from None


def _orientation(question: Question, content: Json, file: str) -> Answer:
    board = replace(question.board, name=board_name(file))
    result = Result.from_json(board, as_order(question, content))
    asked = asked_in_words(question)
    if result.refutation is not None:
        text = sentence_of(result.refutation, question)
        text = f"{text[:1].upper()}{text[1:]}."
        return Answer(result, (f"No such orientation ({asked})", text, []))
    assert result.presses is not None
    order = names_listed(question.graph.labels(result.presses.tolist()))
    text = f"Every edge leads to the right in {order}."
    return Answer(result, (f"An acyclic orientation ({asked})", text, content["arcs"]))
