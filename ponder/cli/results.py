"""Results of `orient` that a command reads: checked against the graph, or refused."""

from __future__ import annotations

from dataclasses import replace

from ponder.check.orientation import Question, as_order, question_of, verify_orientation
from ponder.cli.params import graph_in
from ponder.model.board import Board, board_name
from ponder.system.errors import BoardError, CheckFailed
from ponder.system.limits import NEVER, Limits
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
