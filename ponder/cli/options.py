"""The options that commands share, and what they stand for: boards, clocks, files to be written.

An option is declared once, as the default of the parameter that it goes to; those that belong
together reach a command as one object. What reads boards is loaded when one is read: the server of
the page needs no numpy.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import wraps
from inspect import Parameter, signature
from itertools import chain
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import click

from ponder.cli import BEGUN
from ponder.model.presets import NAMES
from ponder.model.shapes import sides_of as sides_of
from ponder.system.errors import BoardError, bad_argument
from ponder.system.limits import Limits

if TYPE_CHECKING:
    from ponder.check.orientation import Question as Orientation
    from ponder.find.orient import Asked
    from ponder.model.board import Board
    from ponder.model.formats import Question
    from ponder.model.graph import EdgeGraph
    from ponder.model.render import Coordinates
    from ponder.system.types import Bits, Json

EXAMPLES = "cross, plus, king, torus-plus, torus-king, 'stencil 0,1 0,-1 …'"  # as one types them
MOST = 10**9  # boards, trials, repetitions, seconds and megabytes are counted up to this

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class Word(click.types.StringParamType):
    """Any text but none: an empty word (an unset variable of a script) names nothing."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the word; a usage error for an empty one."""
        if value == "":
            self.fail("it is empty.", param, ctx)
        return str(super().convert(value, param, ctx))


class OneOf(click.Choice[str]):
    """One of some words; of any other it is asked which of them is meant."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the word; a usage error for any other."""
        try:
            return str(super().convert(value, param, ctx))
        except click.BadParameter as error:
            from ponder.system.errors import meant

            self.fail(error.message.rstrip(".") + meant(value, self.choices), param, ctx)


class Whole(click.IntRange):
    """A whole number with limits."""

    name = "integer"  # click's own name asks for a range, where a number is asked for


class Finite(click.FloatRange):
    """A number with limits that is neither infinite nor none at all (nan passes any limit)."""

    name = "float"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number; a usage error for anything else."""
        number = float(super().convert(value, param, ctx))
        if not isfinite(number):
            self.fail(f"{number} is not a finite number.", param, ctx)
        return number


def option(
    usage: str, help_text: str, *, choices: Sequence[str] = (), once: bool = False, **more: Any
) -> Any:
    """Return an option as a parameter's default. `usage`: names, and a value's word, or a flag.

    One that may be given `once` states the question: of two values none is dropped in silence.
    """
    words = usage.replace(", ", " ").split()
    names = [word for word in words if word.startswith("-")]
    metavar = words[-1] if words[-1] not in names else None
    if choices:
        more["type"] = OneOf(choices)
    elif metavar is None:
        more["is_flag"] = True
    else:
        more.setdefault("type", Word())
    if once:
        more |= {"multiple": True, "callback": _once}
    more.setdefault("show_default", "default" in more)
    return lambda name: click.option(*names, name, metavar=metavar, help=help_text, **more)


def _once(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> str | None:
    if len(values) > 1:
        raise click.UsageError(f"{param.opts[0]} is given {len(values)} times: give one", ctx)
    return values[0] if values else None


def argument(metavar: str, **more: Any) -> Any:
    """Return an argument in the same way; one in brackets may be left out."""
    more = {"type": Word(), "required": not metavar.startswith("["), **more}
    return lambda name: click.argument(name, metavar=metavar, **more)


def gathered(into: type[Any]) -> Any:
    """Return the options of a dataclass's fields; they reach a command as one object."""
    parameters = signature(into).parameters

    def named(name: str) -> Decorator:
        def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
            @wraps(function)
            def asked(**given: Any) -> Any:
                given[name] = into(**{each: given.pop(each) for each in parameters})
                return function(**given)

            return _declared(asked, parameters)

        return decorate

    return named


def command(epilog: str) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a command of a function with options as defaults; its help: the docstring, `epilog`."""
    kept = "".join(f"\b\n{part}\n\n" for part in epilog.strip("\n").split("\n\n"))

    def decorate(function: Callable[..., Any]) -> click.Command:
        made = click.command(cls=_Door, epilog=kept)
        return made(_declared(function, signature(function).parameters))

    return decorate


class _Door(click.Command):
    """A command in which `--shape NAME SIZE` stands for a FILE, the shape's word: `hex:4`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse; the words of a shape become the first argument, where boards are named."""
        takes_shapes = any(param.name == "shape" for param in self.params)
        if takes_shapes and any(word.partition("=")[0] == "--shape" for word in args):
            from ponder.model.shapes import sized_shape

            begun = (word.split("=", 1) if word[:8] == "--shape=" else [word] for word in args)
            args = [*chain.from_iterable(begun)]
            at = args.index("--shape")
            name, *rest = args[at + 1 :] or [""]
            size = rest.pop(0) if rest and sides_of(rest[0]) is not None else ""
            sides = (sides_of(size) or ())[: 2 if "x" in size or "×" in size else 1]
            args = [sized_shape(name, *sides).word, *args[:at], *rest]
        try:
            return super().parse_args(ctx, [*args])
        except click.UsageError as error:
            if takes_shapes and "unexpected extra argument" in error.message and len(args) > 1:
                from ponder.model.shapes import SHAPES_BY_NAME

                if args[0] in SHAPES_BY_NAME and sides_of(args[1]) is not None:
                    said = f"a shape is one word: {args[0]}:{args[1]}"
                    raise click.UsageError(said, ctx) from None
                if is_shape(args[0]):
                    said = f"{error.message.rstrip('.')}: give FILE or --shape, not both"
                    raise click.UsageError(said, ctx) from None
            raise


def _declared(
    function: Callable[..., Any], parameters: Mapping[str, Parameter]
) -> Callable[..., Any]:
    for name in reversed(list(parameters)):
        function = parameters[name].default(name)(function)
    return function


SHARE, COUNT, SEED = Finite(0, 1), Whole(1, MOST), Whole(0, 2**63 - 1)


def _running(ctx: click.Context, param: click.Parameter, seconds: float | None) -> Limits:
    """Return a clock that has run since the command was named: what is loaded counts too."""
    begun = ctx.meta.get(BEGUN, time.perf_counter())
    return Limits(None if seconds is None else seconds - (time.perf_counter() - begun))


board_argument: Any = argument("FILE")
json_option: Any = option("--json", "Print the result as JSON.")
quiet_option: Any = option("-q, --quiet", "Print no progress and no remarks.")
progress_option: Any = option(
    "--progress", "Tell every step, and every better count and bound, as it comes."
)
explain_option: Any = option(
    "--explain", "Print the reason for a mathematician, and what was tried."
)
seed_option: Any = option("--seed N", "The seed of all random choices.", type=SEED, default=0)
timeout_option: Any
clock_option: Any
timeout_option, clock_option = (
    option(
        "--timeout SECONDS",
        "Stop after this time, and print what is known (exit code 3).",
        type=Finite(0, MOST),
        callback=callback,
    )
    for callback in (None, _running)
)
coords_option: Any = option(
    "--coords",
    "Coordinates in texts: rc (row, column from the top left, from 0) or xy (IBM's column from the "
    "left, row from the bottom, from 1). JSON is always rc.",
    choices=["rc", "xy"],
    default="rc",
)
press_set_option: Any = option(
    "--press-set FILE", "Order just these presses (a grid of 0 and 1, a press list, or a result)."
)
limit_option: Any = option(
    "--limit N",
    "Allow the result N times as much time and memory: formulas, proofs, searches.",
    type=Whole(1, 1_000_000),
    default=1,
)
shape_option: Any = option(
    "--shape NAME",
    "In place of FILE, a shape and its size: `hex 4`, `torus 5x7`, `petersen`, …; `ponder shapes` "
    "lists them.",
)
ODD = "The vertices with odd out-degrees; `all` of them, or `none`"
odd_option: Any = option("--odd V,V,…", f"{ODD}.", once=True)
fixed_option: Any = option(
    "--fixed V:W,…", "Arcs that it must have, from:to, or `none`.", once=True
)
settings_option: Any = option(
    "--option KEY=VALUE", "An option of the encoding; may be repeated.", multiple=True
)
trials_option: Any = option("--trials N", "How often greedy tries.", type=COUNT, default=20)
Format = Literal["svg", "png", "gif", "apng", "pdf"]  # how a picture is written


def format_of(output: str, known: tuple[Format, ...], otherwise: str = "") -> Format:
    """Return the format that a file's name asks for. Raises UsageError for any other."""
    ending = os.path.splitext(output)[1].lower().removeprefix(".")
    for form in known:
        if form == ending:
            return form
    raise click.UsageError(f"OUT must end in one of {', '.join(f'.{x}' for x in known)}{otherwise}")


def theme_option(help_text: str, default: str = "light") -> Any:
    """Return the option for the colours of a picture."""
    from ponder.pictures.shapes import THEME_NAMES

    return option("--theme", help_text, choices=THEME_NAMES, default=default)


def speed_option(help_text: str) -> Any:
    """Return the option for how fast something is played."""
    return option("--speed N", help_text, type=Finite(0.1, 50))


READING = 0.5  # seconds that reading a board may take however short the time: the answer names it


@dataclass(frozen=True)
class Header:
    """What replaces the header of a board file, and its goal."""

    pattern: str | None = option(
        "--pattern PATTERN", f"What a press toggles: {EXAMPLES}.", once=True
    )
    rule: str | None = option(
        "--rule RULE", "Which bulbs may be pressed: unlit, lit, any.", once=True
    )
    goal: str | None = option("--goal GOAL", "The goal: lit, unlit, or a board file.", once=True)
    puzzle: str | None = option(
        "--puzzle NAME", f"Pattern, rule and goal by one name: {', '.join(NAMES)}.", once=True
    )
    lit: str | None = option(
        "--lit STATE",
        "What is lit at the start: lit, unlit, a file, or bulbs: `a,b`, `0,1;2,3`.",
        once=True,
    )

    def read(self, file: str, clock: Limits | None = None, *, wirings: bool = False) -> Board:
        """Read the board in a file, or make that of a size (5, 5x7) or a shape (hex:4).

        A goal that is a file gives the goal grid. Raises BoardError for a wiring, unless the
        command knows `wirings`. Raises TimeUp.
        """
        board = self.board(question_in(file), clock)
        if not wirings:
            from ponder.model.wired_graph import no_wiring

            no_wiring(board.graph, board.name)
        return board

    def board(self, question: Question, clock: Limits | None = None) -> Board:
        """Return the board of a question; its name has the line of one among many."""
        from ponder.model.formats import parse_board

        if question.pattern is not None and self.pattern is not None:
            said = f"the shape {question.source} says what a press toggles"
            raise click.UsageError(f"--pattern: {said}: give one")
        left = None if clock is None else clock.left()
        limit = Limits(None if left is None else max(left, READING))
        pattern = question.pattern or self.pattern
        named = {"puzzle": self.puzzle, "pattern": pattern, "rule": self.rule}
        board = parse_board(question.data, question.source, **named, goal=self.state, limits=limit)
        if self.lit is not None:
            board = replace(board, lit=_state_of(board, self.lit))
        if question.line is None:
            return board
        return replace(board, name=f"{board.name}:{question.line}")

    shape: str | None = shape_option

    def pattern_for(self, usual: str) -> str:
        """The pattern of a grid of which nothing else says it."""
        from ponder.model.presets import puzzle_named

        puzzle = None if self.puzzle is None else puzzle_named(self.puzzle)
        return self.pattern or (usual if puzzle is None else puzzle.pattern)

    @property
    def state(self) -> str | tuple[bytes, str] | None:
        """The goal as `ponder.model.formats` takes it; a file is read."""
        return None if self.goal is None else state_named(self.goal)


@dataclass(frozen=True)
class Showing:
    """How a result is printed."""

    as_json: bool = json_option
    quiet: bool = quiet_option
    trace: bool = option("--trace", "Print the board after each press (in a pager if long).")
    trace_to: str | None = option("--trace-to FILE", "Write the trace to FILE (implies --trace).")
    coords: Coordinates = coords_option

    def __post_init__(self) -> None:
        if self.trace and self.as_json and self.trace_to is None:
            raise click.UsageError("--trace with --json needs --trace-to FILE")
        if self.trace_to is not None:
            check_file(self.trace_to)


def question_in(file: str) -> Question:
    """Return what a file asks, or a size or a shape in its place."""
    from ponder.model.files import read_bytes
    from ponder.model.formats import Question
    from ponder.model.shapes import dark_text, shape_of

    if (sides := sides_of(file)) is not None:
        return Question(dark_text(sides, file), file)
    if (shape := shape_of(file)) is not None:
        return Question(shape.text, shape.word, pattern=shape.shape.pattern)
    return Question(*read_bytes(file))


def is_shape(word: str) -> bool:
    """Whether a word is a size or a shape, and no file."""
    from ponder.model.shapes import shape_of

    return sides_of(word) is not None or shape_of(word) is not None


def _state_of(board: Board, text: str) -> Bits:
    """Return the bulbs that are lit by the value of --lit. Raises BoardError."""
    from ponder.model.board import unknown_state
    from ponder.model.formats import parse_state
    from ponder.model.graph import GridGraph
    from ponder.model.press_lists import parse_presses

    graph, state = board.graph.of_lights, state_named(text)
    on_grid = isinstance(graph, GridGraph)
    is_word = on_grid and not any(map(str.isdigit, text))
    if isinstance(state, tuple) or state in ("lit", "unlit") or is_word:
        return parse_state(state, board.graph, "lit")
    if on_grid and any(map(str.isalpha, text)):
        bad_argument(unknown_state(text, "a board file, places as in `0,1;2,3`", "state"), "lit")
    lines = text if isinstance(graph, GridGraph) else text.replace(",", "\n")
    named = replace(board, graph=graph)
    lit = parse_presses(
        lines.replace(";", "\n").encode(errors="surrogatepass"), named, "--lit", grids=False
    )
    return graph.set_of(lit)


def state_named(name: str) -> str | tuple[bytes, str]:
    """Return a word for `parse_state` to judge, or what the file that it names holds."""
    from ponder.model.files import read_bytes

    if name in ("lit", "unlit") or not (os.path.exists(name) or name == "-" or set(name) & {*"./"}):
        return name
    return read_bytes(name)


def asked_of(question: Question, odd: str, fixed: str) -> Asked:
    """Return what is asked of the graph of a text, by the values of --odd and --fixed."""
    from ponder.find.orient import Asked
    from ponder.model.formats import parse_board
    from ponder.model.graph_files import arcs_named, parse_graph, vertices_named

    data, source = question.data, question.source
    try:
        graph = parse_graph(data, source)
    except BoardError as error:
        refused = error
        with suppress(BoardError):
            parse_board(data, source)
            said = "`orient` takes graphs, and this is none: `order` and `solve` take boards"
            refused = BoardError(said, source)
        raise refused from None
    return Asked.of(graph, vertices_named(graph, odd), arcs_named(graph, fixed))


def oriented(file: str, fields: Json, source: str, limit: int = 1) -> tuple[Board, Json]:
    """Return what a result of `orient` says, verified, as one of presses, each vertex once.

    Raises BoardError where it does not hold, or is not about the graph in `file`.
    """
    from ponder.check.orientation import as_order
    from ponder.model.board import board_name
    from ponder.system.errors import CheckFailed

    question = question_asked(file, fields, source, limit)
    try:
        found = as_order(question, fields)
    except CheckFailed as error:
        raise BoardError(str(error), source) from None
    return replace(question.board, name=board_name(file)), found


def question_asked(file: str, fields: Json, source: str, limit: int = 1) -> Orientation:
    """Return what a result of `orient` is about, which holds.

    Raises BoardError where it does not hold, or is not about the graph in `file`.
    """
    from ponder.check.limits import Budget
    from ponder.check.orientation import question_of, verify_orientation
    from ponder.system.errors import CheckFailed

    graph = graph_in(file)
    try:
        report = verify_orientation(graph, fields, Budget(limit))
        question = question_of(graph, fields)
    except CheckFailed as error:
        raise BoardError(str(error), source) from None
    for one in report.statements:
        if one.unchecked is not None:
            raise BoardError(f"`ponder verify` leaves open: {one.said}", source)
    return question


def graph_in(file: str) -> EdgeGraph:
    """Return the graph in a file, or of a shape. Raises BoardError for anything else."""
    from ponder.model.graph_files import parse_graph

    question = question_in(file)
    return parse_graph(question.data, question.source)


def dark_board(word: str, header: Header, clock: Limits) -> Board:
    """Return the unlit board, to be lit, of a file or a size, of which plus is the usual pattern.

    Its rule is `any`: what is asked of it is about press sets alone.
    """
    if sides_of(word) is not None:
        header = replace(header, pattern=header.pattern_for("plus"))
    board = replace(header, goal=None).read(word, clock)
    return replace(board, lit=board.lit & False, goal=board.goal | True, rule="any")


class ProofFiles(NamedTuple):
    """Where the formula and the LRAT proof go; None: nowhere."""

    cnf: str | None
    lrat: str | None


class VeriPbFiles(NamedTuple):
    """Where the formula and the proof for VeriPB go; None: nowhere."""

    opb: str | None
    veripb: str | None


# Asked before the work, not after. Nothing is made or touched, and what is free now may be taken
# later: the writing itself has the last word.


def check_file(file: str) -> None:
    """Refuse a name that no file can be written under. Raises BoardError with the reason."""
    target = _target(file)
    if os.path.isdir(target):
        raise _refused(file, "this is a folder")
    if os.path.exists(target) and not os.path.isfile(target):  # a device or a pipe
        return
    folder = os.path.dirname(target)
    if not os.path.isdir(folder):
        raise _refused(file, "there is no such folder")
    if not os.access(folder, os.W_OK):
        raise _refused(file, "no permission")


def check_folder(folder: str) -> None:
    """Refuse a name under which no folder, nor those above it, can be made and written to."""
    above = _target(folder)
    while not os.path.lexists(above) and above != os.path.dirname(above):
        above = os.path.dirname(above)
    if not os.path.isdir(above):
        raise _refused(folder, f"{above} is not a folder")
    if not os.access(above, os.W_OK):
        raise _refused(folder, "no permission")


def _target(name: str) -> str:
    """Return what a name stands for, links followed. Raises BoardError for a bad name."""
    try:
        target = os.path.realpath(name)
        os.lstat(target)
    except (FileNotFoundError, NotADirectoryError):
        pass
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise _refused(name, str(reason)) from None
    return target


def _refused(name: str, reason: str) -> BoardError:
    return BoardError(f"cannot be written: {reason}", name)
