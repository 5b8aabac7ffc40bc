"""Results that a command reads to go on with them: checked against board or graph, or refused."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from ponder.check.orientation import CIRCLE, Question, question_of, verify_orientation
from ponder.check.orientation import SCHEMA as ORIENTATION
from ponder.check.reader import fail, mapping
from ponder.check.replay import replay
from ponder.check.result import Result
from ponder.check.verification import verify
from ponder.cli.boards import Header, graph_in
from ponder.cli.output import remark
from ponder.find.orient import asked_in_words, sentence_of
from ponder.model.board import Board, board_name
from ponder.model.edge_graph import EdgeGraph
from ponder.model.files import read_bytes
from ponder.model.json_text import RESULT, parse_result
from ponder.model.press_lists import parse_presses
from ponder.model.render import Coordinates
from ponder.system.errors import BoardError, CheckFailed
from ponder.system.limits import NEVER, Limits
from ponder.system.printable import names_listed
from ponder.system.types import Json


def oriented(file: str, fields: Json, source: str, limits: Limits = NEVER) -> tuple[Board, Json]:
    """Return a result of `orient`, verified, as one of presses, each vertex once.

    Raises BoardError where it does not hold, or is not about the graph in `file`.
    """
    question = question_asked(file, fields, source, limits)
    try:
        order = as_order(question, fields)
    except CheckFailed as error:
        raise BoardError(str(error), source) from None
    return replace(question.board, name=board_name(file)), order


def as_order(question: Question, fields: Json) -> Json:
    """Return the same answer as one about the order of presses on the question's board.

    `fields` have been verified. A circle of given arcs says nothing of presses: CheckFailed.
    """
    refutation = None
    if fields.get("refutation") is not None:
        refutation = dict(mapping(fields["refutation"], "refutation"))
        if refutation["kind"] == CIRCLE:
            fail("the given arcs run in a circle, which is the whole proof")
        refutation["press_counts"] = [1] * question.graph.size
        refutation["bulbs"] = refutation.pop("vertices", None)
    verdict = "solved" if fields["verdict"] == "oriented" else fields["verdict"]
    claim = "C1" if refutation is not None else None
    order: Json = {"command": "order", "verdict": verdict, "claim": claim}
    order["refutation"] = refutation
    return {**order, "presses": fields.get("order"), "method": fields.get("method")}


def question_asked(file: str, fields: Json, source: str, limits: Limits = NEVER) -> Question:
    """Return the question of a result of `orient`, which holds; BoardError as for `oriented`."""
    graph = graph_in(file)
    try:
        report = verify_orientation(graph, fields, limits)
        question = question_of(graph, fields)
    except CheckFailed as error:
        raise BoardError(str(error), source) from None
    for statement in report.statements:
        if statement.unchecked is not None:
            raise BoardError(f"`ponder verify` leaves open: {statement.said}", source)
    return question


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
    if content is not None and content["schema"] == ORIENTATION:
        result = Result.from_json(*oriented(file, content, source, clock))
        assert isinstance(result.board.graph, EdgeGraph)
        question, why = question_of(result.board.graph, content), result.refutation
        asked = asked_in_words(question)
        if why is None and result.presses is not None:
            order = names_listed(result.board.graph.labels(result.presses.tolist()))
            text = f"Every edge leads to the right in {order}."
            return Answer(result, (f"An acyclic orientation ({asked})", text, content["arcs"]))
        assert why is not None
        text = sentence_of(why, question)
        text = f"{text[:1].upper()}{text[1:]}."
        return Answer(result, (f"No such orientation ({asked})", text, []))
    board = header.read(file, clock)
    try:
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
