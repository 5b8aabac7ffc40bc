"""The options that commands share. Those that belong together reach a command as one object."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from math import isfinite
from typing import TYPE_CHECKING, Any

import click

from ponder.puzzle.patterns import EXAMPLES

if TYPE_CHECKING:
    from ponder.limits import Limits
    from ponder.puzzle.board import Board
    from ponder.puzzle.render import Coordinates

MOST = 10**9
"""Boards, trials, repetitions, seconds and megabytes are counted up to this."""

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def gathered(name: str, into: type[Any], *options: Decorator) -> Decorator:
    """Add options, in this order in the help; their values reach the command as one argument.

    `into` is a dataclass with a field for every option.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        names = [field.name for field in fields(into)]

        @wraps(command)
        def asked(**given: Any) -> Any:
            given[name] = into(**{key: given.pop(key) for key in names})
            return command(**given)

        added: Callable[..., Any] = asked
        for option in reversed(options):
            added = option(added)
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
timeout_option = click.option(
    "--timeout",
    type=Finite(0, MOST),
    metavar="SECONDS",
    help="Stop after so long and print what is known (exit code 3).",
)
coords_option = click.option(
    "--coords",
    type=click.Choice(["rc", "xy"]),
    default="rc",
    show_default=True,
    help="Coordinates in texts: rc (row, column from the top left, from 0) or xy (IBM's column "
    "from the left, row from the bottom, from 1). JSON is always rc.",
)
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

    pattern: str | None
    rule: str | None
    goal: str | None

    def read(self, file: str, clock: Limits | None = None) -> Board:
        """Read the board in a file; a goal that is a file gives the goal grid.

        TimeUp when the clock stops before that is done, and it has taken long.
        """
        from ponder.limits import Limits
        from ponder.puzzle.formats import read

        left = None if clock is None else clock.left()
        limit = Limits(None if left is None else max(left, READING))
        return read(file, pattern=self.pattern, rule=self.rule, goal=self.state, limits=limit)

    @property
    def state(self) -> str | tuple[bytes, str] | None:
        """The goal as `ponder.puzzle.formats` takes it; a file is read."""
        return None if self.goal is None else state_named(self.goal)


header_options = gathered(
    "header",
    Header,
    click.option(
        "--pattern",
        metavar="PATTERN",
        help=f"What a press toggles: {EXAMPLES}.",
    ),
    click.option("--rule", metavar="RULE", help="Which bulbs may be pressed: unlit, lit, any."),
    click.option("--goal", metavar="GOAL", help="The goal: lit, unlit, or a board file."),
)


@dataclass(frozen=True)
class Showing:
    """How a result is printed."""

    as_json: bool = False
    quiet: bool = False
    trace: bool = False
    trace_to: str | None = None
    coords: Coordinates = "rc"

    def __post_init__(self) -> None:
        if self.trace and self.as_json and self.trace_to is None:
            raise click.UsageError("--trace with --json needs --trace-to FILE")
        if self.trace_to is not None:
            from ponder.cli.places import check_file

            check_file(self.trace_to)


showing_options = gathered(
    "showing",
    Showing,
    json_option,
    quiet_option,
    click.option(
        "--trace", is_flag=True, help="Print the board after each press (in a pager if long)."
    ),
    click.option("--trace-to", metavar="FILE", help="Write the trace to FILE (implies --trace)."),
    coords_option,
)


def read_start(board: Board, start: str | None) -> Board:
    """Return the board in another state: `lit`, `unlit`, or the state that a file shows."""
    if start is None:
        return board
    from dataclasses import replace

    from ponder.puzzle.formats import parse_state

    return replace(board, lit=parse_state(state_named(start), board.graph, "--from"))


def state_named(name: str) -> str | tuple[bytes, str]:
    """Return a state as `ponder.puzzle.formats` takes it: a word, or what the file `name` holds.

    A word that is no file's name, nor looks like one, is left for `parse_state` to refuse.
    """
    import os

    from ponder.puzzle.files import read_bytes

    if name in ("lit", "unlit") or not (os.path.exists(name) or name == "-" or set(name) & {*"./"}):
        return name
    return read_bytes(name)
