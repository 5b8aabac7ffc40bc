"""The options that commands share, and what they stand for: boards, clocks, files to be written.

Options that belong together reach a command as one object. What reads boards is loaded when one is
read: the server of the page needs no numpy.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from functools import wraps
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal

import click

from ponder.cli import BEGUN
from ponder.errors import BoardError
from ponder.limits import Limits
from ponder.pictures.shapes import THEME_NAMES
from ponder.puzzle.patterns import EXAMPLES

if TYPE_CHECKING:
    from ponder.puzzle.board import Board
    from ponder.puzzle.render import Coordinates

MOST = 10**9
"""Boards, trials, repetitions, seconds and megabytes are counted up to this."""

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def option(*names: str, **more: Any) -> Any:
    """Return a field of a dataclass for `gathered`: the option that its value comes from."""
    return field(metadata={"option": lambda name: click.option(*names, name, **more)})


def shared(decorator: Decorator) -> Any:
    """Return such a field for an option of several commands."""
    return field(metadata={"option": lambda name: decorator})


def gathered(name: str, into: type[Any]) -> Decorator:
    """Add the options of a dataclass's fields, in their order; they reach a command as one object.

    >>> @dataclass
    ... class Size:
    ...     rows: int = option("--rows", type=int, default=3)
    >>> @click.command()
    ... @gathered("size", Size)
    ... def command(size):
    ...     print(size)
    >>> command.main([], standalone_mode=False)
    Size(rows=3)
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def asked(**given: Any) -> Any:
            given[name] = into(**{each.name: given.pop(each.name) for each in fields(into)})
            return command(**given)

        added: Callable[..., Any] = asked
        for each in reversed(fields(into)):
            added = each.metadata["option"](each.name)(added)
        return added

    return decorate


class Finite(click.FloatRange):
    """A number with limits that is neither infinite nor none at all (nan passes any limit)."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number; a usage error for anything else."""
        number = float(super().convert(value, param, ctx))
        if not isfinite(number):
            self.fail(f"{number} is no finite number.", param, ctx)
        return number


def _running(ctx: click.Context, param: click.Parameter, seconds: float | None) -> Limits:
    """Return a clock that has run since the command was named: what is loaded counts too."""
    begun = ctx.meta.get(BEGUN, time.perf_counter())
    return Limits(None if seconds is None else seconds - (time.perf_counter() - begun))


board_argument = click.argument("file", metavar="FILE", type=str)
json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
quiet_option = click.option("--quiet", "-q", is_flag=True, help="No progress and no remarks.")
explain_option = click.option(
    "--explain", is_flag=True, help="Print what was tried, what it cost, how it ended."
)
seed_option = click.option(
    "--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True, metavar="N",
    help="Seed of everything random.",
)  # fmt: skip
timeout_option, clock_option = (
    click.option(
        "--timeout",
        name,
        type=Finite(0, MOST),
        callback=callback,
        metavar="SECONDS",
        help="Stop after so long and print what is known (exit code 3).",
    )
    for name, callback in (("timeout", None), ("clock", _running))
)
coords_option = click.option(
    "--coords",
    type=click.Choice(["rc", "xy"]),
    default="rc",
    show_default=True,
    help="Coordinates in texts: rc (row, column from the top left, from 0) or xy (IBM's column "
    "from the left, row from the bottom, from 1). JSON is always rc.",
)
Format = Literal["svg", "png", "gif", "apng"]
"""How a picture is written."""


def format_of(output: str, known: tuple[Format, ...], otherwise: str = "") -> Format:
    """Return the format that a file's name asks for; UsageError: it is none of these."""
    ending = os.path.splitext(output)[1].lower().removeprefix(".")
    for form in known:
        if form == ending:
            return form
    raise click.UsageError(f"OUT ends in none of {', '.join(f'.{x}' for x in known)}{otherwise}")


def theme_option(help_text: str) -> Decorator:
    """Return the option for the colours of a picture."""
    kind = click.Choice(THEME_NAMES)
    return click.option("--theme", type=kind, default="light", show_default=True, help=help_text)


def speed_option(help_text: str) -> Decorator:
    """Return the option for how fast something is played."""
    return click.option("--speed", type=Finite(0.1, 50), metavar="N", help=help_text)


trials_option = click.option(
    "--trials",
    type=click.IntRange(1, MOST),
    default=20,
    show_default=True,
    metavar="N",
    help="How often greedy tries.",
)

READING = 0.5
"""The seconds that a board may take to be read however short the time: the answer names it."""


@dataclass(frozen=True)
class Header:
    """What replaces the header of a board file, and its goal."""

    pattern: str | None = option(
        "--pattern", metavar="PATTERN", help=f"What a press toggles: {EXAMPLES}."
    )
    rule: str | None = option(
        "--rule", metavar="RULE", help="Which bulbs may be pressed: unlit, lit, any."
    )
    goal: str | None = option(
        "--goal", metavar="GOAL", help="The goal: lit, unlit, or a board file."
    )

    def read(self, file: str, clock: Limits | None = None) -> Board:
        """Read the board in a file; a goal that is a file gives the goal grid.

        TimeUp when the clock stops before that is done, and it has taken long.
        """
        from ponder.puzzle.formats import read

        left = None if clock is None else clock.left()
        limit = Limits(None if left is None else max(left, READING))
        return read(file, pattern=self.pattern, rule=self.rule, goal=self.state, limits=limit)

    @property
    def state(self) -> str | tuple[bytes, str] | None:
        """The goal as `ponder.puzzle.formats` takes it; a file is read."""
        return None if self.goal is None else state_named(self.goal)


header_options = gathered("header", Header)


@dataclass(frozen=True)
class Showing:
    """How a result is printed."""

    as_json: bool = shared(json_option)
    quiet: bool = shared(quiet_option)
    trace: bool = option(
        "--trace",
        is_flag=True,
        help="Print the board after each press (in a pager if long).",
    )
    trace_to: str | None = option(
        "--trace-to", metavar="FILE", help="Write the trace to FILE (implies --trace)."
    )
    coords: Coordinates = shared(coords_option)

    def __post_init__(self) -> None:
        if self.trace and self.as_json and self.trace_to is None:
            raise click.UsageError("--trace with --json needs --trace-to FILE")
        if self.trace_to is not None:
            check_file(self.trace_to)


showing_options = gathered("showing", Showing)


def read_start(board: Board, start: str | None) -> Board:
    """Return the board in another state: `lit`, `unlit`, or the state that a file shows."""
    if start is None:
        return board
    from ponder.puzzle.formats import parse_state

    return replace(board, lit=parse_state(state_named(start), board.graph, "--from"))


def state_named(name: str) -> str | tuple[bytes, str]:
    """Return a state as `ponder.puzzle.formats` takes it: a word, or what the file `name` holds.

    A word that is no file's name, nor looks like one, is left for `parse_state` to refuse.
    """
    from ponder.puzzle.files import read_bytes

    if name in ("lit", "unlit") or not (os.path.exists(name) or name == "-" or set(name) & {*"./"}):
        return name
    return read_bytes(name)


# ------------------------------------------------------------------------- what will be written

# Asked before the work, not after. Nothing is made or touched, and what is free now may be taken
# later: the writing itself has the last word.


def check_file(file: str) -> None:
    """Refuse a name that no file can be written under; BoardError with the reason.

    >>> check_file("no/such/folder/answer.txt")
    Traceback (most recent call last):
    ...
    ponder.errors.BoardError: no/such/folder/answer.txt: cannot be written: there is no such folder
    """
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
    """Refuse a name under which no folder is or can be made, with those above it, and written to.

    >>> check_folder("no/such/folder")
    >>> check_folder("/dev/null/plots")
    Traceback (most recent call last):
    ...
    ponder.errors.BoardError: /dev/null/plots: cannot be written: /dev/null is no folder
    """
    above = _target(folder)
    while not os.path.lexists(above) and above != os.path.dirname(above):
        above = os.path.dirname(above)
    if not os.path.isdir(above):
        raise _refused(folder, f"{above} is no folder")
    if not os.access(above, os.W_OK):
        raise _refused(folder, "no permission")


def _target(name: str) -> str:
    """Return what a name stands for, links followed; BoardError for one that no system takes."""
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
