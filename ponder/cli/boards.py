"""What the options of boards stand for: the board or the graph that a command is asked about."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import click

from ponder.cli.output import remark_once
from ponder.model.board import GOALS, Board, unknown_state
from ponder.model.edge_graph import EdgeGraph
from ponder.model.files import read_bytes
from ponder.model.formats import parse_board, parse_graph, parse_state
from ponder.model.graph import GridGraph
from ponder.model.graph_files import arcs_named, vertices_named
from ponder.model.presets import puzzle_named, refuse_lights
from ponder.model.press_lists import parse_presses
from ponder.model.questions import Question, questions
from ponder.model.shapes import SHAPES_BY_NAME, dark_text, shape_of, sides_of
from ponder.system.errors import BadArgument, BoardError, bad_argument, meant
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits

if TYPE_CHECKING:
    from ponder.find.orient import Asked

READING = 0.5  # seconds that reading a board may take however short the time: the answer names it


class Header(NamedTuple):
    """What replaces the header of a board file, its goal and its start."""

    pattern: str | None = None
    rule: str | None = None
    goal: str | None = None
    puzzle: str | None = None
    lit: str | None = None
    line: int | None = None
    format: str | None = None

    def read(self, file: str, clock: Limits = NEVER) -> Board:
        """Return the board in a file, or of a size (5, 5x7) or a shape (hex:4)."""
        return self.board(question_in(file, self.format, self.line), clock)

    def all_in(self, file: str) -> Iterator[tuple[str, Board]]:
        """Yield all boards in a file, or that of a size or a shape, each with its `:LINE`."""
        first, many = questions_of(file, self.format, self.line)
        for question in many or [first]:
            yield "" if question.line is None else f":{question.line}", self.board(question)

    def board(self, question: Question, clock: Limits = NEVER) -> Board:
        """Return the board of a question; its name has the line of one among many."""
        if question.pattern is not None and self.pattern is not None:
            reason = f"--pattern: the shape {question.source} says what a press toggles: give one"
            raise click.UsageError(reason)
        left = clock.left()
        board = parse_board(
            question.data,
            question.source,
            puzzle=self.puzzle,
            pattern=question.pattern or self.pattern,
            rule=self.rule,
            goal=None if self.goal is None else _state_named(self.goal),
            format=self.format or question.format,
            timeout=NEVER if left is None else Limits(max(left, READING)),
        )
        remark_once(board.remarks)
        if self.lit is not None:
            refuse_lights(self.puzzle)
            board = replace(board, lit=_lit_by(board, self.lit))
        if question.line is None:
            return board
        return replace(board, name=f"{board.name}:{question.line}")

    def dark(self, word: str, clock: Limits = NEVER) -> Board:
        """Return the unlit board, to be lit, of a file or a size; what is asked is its press sets.

        The pattern of a size is plus unless it is named.
        """
        board = self.of_size(word)._replace(goal=None).read(word, clock)
        off, on = board.lit & False, board.goal | True
        return replace(board, lit=off, goal=on, rule="any", pressed=False)

    def of_size(self, word: str) -> Header:
        """Return the header for a size or a file: the pattern of a size is plus unless named."""
        return self if sides_of(word) is None else self._replace(pattern=self.pattern_of_sizes)

    @property
    def pattern_of_sizes(self) -> str:
        """The pattern of a size: plus unless it is named."""
        return self.pattern or (puzzle_named(self.puzzle).pattern if self.puzzle else "") or "plus"


def questions_of(
    file: str, format: str | None = None, line: int | None = None
) -> tuple[Question, Iterator[Question] | None]:
    """Return the first question of a file, or that of a line; also all questions if there are many.

    A size or a shape may replace the file.
    """
    if (sides := sides_of(file)) is not None:
        if line is not None:
            raise BadArgument(f"{file} is a size, and no file of many questions", "line")
        return Question(dark_text(sides, file), file), None
    try:
        shape = shape_of(file)
    except BadArgument as error:
        raise BoardError(error.reason, file) from None
    if shape is not None:
        return Question(shape.text, shape.word, pattern=shape.shape.pattern), None
    if not set(file) & {*"-./\\"} and not os.path.exists(file):
        near = meant(file.partition(":")[0], SHAPES_BY_NAME)
        raise BoardError(f"no such file, and no shape (see `ponder draw --list`){near}", file)
    asked = questions(file, format)
    first = next(asked)
    if line is None:
        return first, None if first.line is None else chain([first], asked)
    begins = []
    for question in chain([first], asked):
        begins.append(str(question.line or 1))
        if (question.line or 1) == line:
            return question, None
    lines = ", ".join(begins[:12]) + (", …" if len(begins) > 12 else "")
    raise BadArgument(
        f"no question begins at line {line} of {first.source}, but at {lines}", "line"
    )


def question_in(file: str, format: str | None = None, line: int | None = None) -> Question:
    """Return the one question in a file, or that of a line. Raises BoardError for many."""
    first, many = questions_of(file, format, line)
    if many is not None:
        count = sum(1 for _ in many)
        how = "--line N picks one; `order`, `solve` and `orient` answer each"
        raise BoardError(f"{count:,} questions in one file: {how}", first.source)
    return first


def graph_of(question: Question) -> EdgeGraph:
    """Return the graph of a question. Raises BoardError for anything else."""
    graph = parse_graph(question.data, question.source, format=question.format)
    remark_once(graph.remarks)
    return graph


def asked_of(question: Question, odd: str | None, fixed: str | None) -> Asked:
    """Return the orientation asked for, by the values of --odd and --fixed."""
    from ponder.find.orient import Asked

    try:
        graph = graph_of(question)
    except BoardError:
        with suppress(BoardError):
            parse_board(question.data, question.source, format=question.format)
            raise click.UsageError(
                f"{question.source}: `orient` takes the edges of a graph; `order` takes boards"
            ) from None
        raise
    return Asked.read(graph, vertices_named(graph, odd or ""), arcs_named(graph, fixed or ""))


def _lit_by(board: Board, text: str) -> Bits:
    """Return the bulbs that are lit by the value of --lit. Raises BoardError."""
    graph, state = board.graph.of_lights, _state_named(text)
    on_grid = isinstance(graph, GridGraph)
    is_word = on_grid and not any(map(str.isdigit, text))
    listed_bits = not on_grid and text.lstrip()[:1] == "["
    if isinstance(state, tuple) or state in ("lit", "unlit") or is_word or listed_bits:
        return parse_state(state, board.graph, "lit")
    if on_grid and any(map(str.isalpha, text)):
        bad_argument(unknown_state(text, "a board file, places as in `0,1;2,3`", "state"), "lit")
    lines = (text if on_grid else text.replace(",", "\n")).replace(";", "\n")
    named = replace(board, graph=graph)
    listed = parse_presses(lines.encode(errors="surrogatepass"), named, "--lit", grids=False)
    return graph.set_of(listed)


def _state_named(name: str) -> str | tuple[bytes, str]:
    """Return a word for `parse_state` to judge, or the content of the file that it names."""
    if name in GOALS or not (os.path.exists(name) or name == "-" or set(name) & {*"./"}):
        return name
    return read_bytes(name)
