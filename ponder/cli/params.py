"""The options that commands share: three stacks, of boards, clocks and showing.

Each stack reaches its command as one argument: `header`, `clock` and `showing`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ponder.cli.output import Showing, remark_once
from ponder.model.board import Board, unknown_state
from ponder.model.files import read_bytes
from ponder.model.formats import parse_board, parse_state
from ponder.model.graph import EdgeGraph, GridGraph
from ponder.model.presets import NAMES, puzzle_named
from ponder.model.press_lists import parse_presses
from ponder.model.questions import Question
from ponder.model.shapes import dark_text, shape_of, sides_of
from ponder.system.errors import BoardError, bad_argument
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits

if TYPE_CHECKING:
    from ponder.find.orient import Asked

MOST = 10**9  # boards, trials, seconds and megabytes are counted up to this
READING = 0.5  # seconds that reading a board may take however short the time: the answer names it
EXAMPLES = "cross, plus, king, torus-plus, torus-king, 'stencil 0,1 0,-1 …'"

Function = Callable[..., Any]
COUNT, SEED, SHARE = click.IntRange(1, MOST), click.IntRange(0, 2**63 - 1), click.FloatRange(0, 1)


def command(epilog: str) -> Callable[[Function], click.Command]:
    """Make a command of a function; its help is the docstring, then `epilog` as it is broken."""
    kept = "".join(f"\b\n{part}\n\n" for part in epilog.strip("\n").split("\n\n"))
    return click.command(epilog=kept)


def stack(name: str, make: Function, *options: Function) -> Callable[[Function], Function]:
    """Return a decorator of several options, which reach the function as the argument `name`."""

    def decorate(function: Function) -> Function:
        @wraps(function)
        def gathered(**given: Any) -> Any:
            kept = {key: given.pop(key) for key in keys}
            return function(**{name: make(**kept)}, **given)

        keys: list[str] = []
        for option in reversed(options):
            option(gathered)
            keys.append(gathered.__click_params__[-1].name)  # type: ignore[attr-defined]
        return gathered

    return decorate


class Header(NamedTuple):
    """What replaces the header of a board file, its goal and its start."""

    pattern: str | None = None
    rule: str | None = None
    goal: str | None = None
    puzzle: str | None = None
    lit: str | None = None
    format: str | None = None

    def read(self, file: str, clock: Limits = NEVER) -> Board:
        """Return the board in a file, or of a size (5, 5x7) or a shape (hex:4)."""
        return self.board(question_in(file), clock)

    def board(self, question: Question, clock: Limits = NEVER) -> Board:
        """Return the board of a question; its name has the line of one among many."""
        if question.pattern is not None and self.pattern is not None:
            said = f"--pattern: the shape {question.source} says what a press toggles: give one"
            raise click.UsageError(said)
        left = clock.left()
        board = parse_board(
            question.data,
            question.source,
            puzzle=self.puzzle,
            pattern=question.pattern or self.pattern,
            rule=self.rule,
            goal=None if self.goal is None else _state_named(self.goal),
            format=self.format or question.format,
            limits=NEVER if left is None else Limits(max(left, READING)),
        )
        remark_once(board.remarks)
        if self.lit is not None:
            board = replace(board, lit=_lit_by(board, self.lit))
        if question.line is None:
            return board
        return replace(board, name=f"{board.name}:{question.line}")

    def dark(self, word: str, clock: Limits = NEVER) -> Board:
        """Return the unlit board, to be lit, of a file or a size; what is asked is its press sets.

        The pattern of a size is plus unless it is named.
        """
        pattern = self.pattern_of_sizes if sides_of(word) is not None else self.pattern
        board = self._replace(goal=None, pattern=pattern).read(word, clock)
        return replace(board, lit=board.lit & False, goal=board.goal | True, rule="any")

    @property
    def pattern_of_sizes(self) -> str:
        """The pattern of a size: plus unless it is named."""
        return self.pattern or (puzzle_named(self.puzzle).pattern if self.puzzle else "plus")


file_argument = click.argument("file", metavar="FILE")
header_options = (
    click.option("--pattern", metavar="PATTERN", help=f"What a press toggles: {EXAMPLES}."),
    click.option("--rule", metavar="RULE", help="Which bulbs may be pressed: unlit, lit, any."),
    click.option("--goal", metavar="GOAL", help="The goal: lit, unlit, or a board file."),
    click.option("--puzzle", metavar="NAME", help=f"Pattern, rule, goal: {', '.join(NAMES)}."),
    click.option(
        "--lit",
        metavar="STATE",
        help="What is lit at the start: lit, unlit, a file, or bulbs: `a,b`, `0,1;2,3`.",
    ),
    click.option(
        "--format", metavar="NAME", help="The format of FILE, where its text does not say: edges."
    ),
)
header_option = stack("header", Header, *header_options)
clock_option = stack(
    "clock",
    lambda timeout: Limits(timeout),
    click.option(
        "--timeout",
        metavar="SECONDS",
        type=click.FloatRange(0, MOST),
        help="Stop after this time, and print what is known (exit code 3).",
    ),
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
quiet_option = click.option("-q", "--quiet", is_flag=True, help="No progress and no remarks.")
coords_option = click.option(
    "--coords",
    type=click.Choice(["rc", "xy"]),
    default="rc",
    show_default=True,
    help="Coordinates in texts: rc (row, column from the top left, from 0) or xy (IBM's column "
    "from the left, row from the bottom, from 1). JSON is always rc.",
)
showing_option = stack(
    "showing",
    Showing,
    json_option,
    quiet_option,
    click.option("--trace", is_flag=True, help="Print the board after each press."),
    coords_option,
)
seed_option = click.option(
    "--seed", metavar="N", type=SEED, default=0, show_default=True, help="Of all random choices."
)
press_set_option = click.option(
    "--press-set", metavar="FILE", help="Just these presses: a grid, a press list, or a result."
)
odd_option = click.option(
    "--odd", metavar="V,V,…", help="The vertices with odd out-degrees; `all`, or `none`."
)
fixed_option = click.option(
    "--fixed", metavar="V:W,…", help="Arcs that it must have, from:to, or `none`."
)
encoding_options = (
    click.option("--encoding", metavar="NAME", help="`ponder export --list` lists them."),
    click.option(
        "--option", "settings", metavar="KEY=VALUE", multiple=True, help="Of the encoding."
    ),
)
trials_option = click.option(
    "--trials",
    metavar="N",
    type=COUNT,
    default=20,
    show_default=True,
    help="How often greedy tries.",
)


def with_options(*options: Function) -> Callable[[Function], Function]:
    """Return one decorator of several options."""

    def decorate(function: Function) -> Function:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def question_in(file: str) -> Question:
    """Return the question in a file, or of a size or a shape in its place."""
    if (sides := sides_of(file)) is not None:
        return Question(dark_text(sides, file), file)
    if (shape := shape_of(file)) is not None:
        return Question(shape.text, shape.word, pattern=shape.shape.pattern)
    return Question(*read_bytes(file))


def graph_in(file: str) -> EdgeGraph:
    """Return the graph in a file, or of a shape. Raises BoardError for anything else."""
    from ponder.model.formats import parse_graph

    question = question_in(file)
    graph = parse_graph(question.data, question.source, format=question.format)
    remark_once(graph.remarks)
    return graph


def asked_of(question: Question, odd: str | None, fixed: str | None) -> Asked:
    """Return the orientation asked for, by the values of --odd and --fixed."""
    from ponder.find.orient import Asked
    from ponder.model.formats import parse_graph
    from ponder.model.graph_files import arcs_named, vertices_named

    try:
        graph = parse_graph(question.data, question.source, format=question.format)
    except BoardError:
        with suppress(BoardError):
            parse_board(question.data, question.source, format=question.format)
            raise click.UsageError(
                f"{question.source}: `orient` takes graphs; `order` and `solve` take boards"
            ) from None
        raise
    remark_once(graph.remarks)
    return Asked.of(graph, vertices_named(graph, odd or ""), arcs_named(graph, fixed or ""))


def _lit_by(board: Board, text: str) -> Bits:
    """Return the bulbs that are lit by the value of --lit. Raises BoardError."""
    graph, state = board.graph.of_lights, _state_named(text)
    on_grid = isinstance(graph, GridGraph)
    is_word = on_grid and not any(map(str.isdigit, text))
    if isinstance(state, tuple) or state in ("lit", "unlit") or is_word:
        return parse_state(state, board.graph, "lit")
    if on_grid and any(map(str.isalpha, text)):
        bad_argument(unknown_state(text, "a board file, places as in `0,1;2,3`", "state"), "lit")
    lines = (text if on_grid else text.replace(",", "\n")).replace(";", "\n")
    named = replace(board, graph=graph)
    listed = parse_presses(lines.encode(errors="surrogatepass"), named, "--lit", grids=False)
    return graph.set_of(listed)


def _state_named(name: str) -> str | tuple[bytes, str]:
    """Return a word for `parse_state` to judge, or the content of the file that it names."""
    if name in ("lit", "unlit") or not (os.path.exists(name) or name == "-" or set(name) & {*"./"}):
        return name
    return read_bytes(name)
