"""The options that commands share, and what they mean."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from ponder.board import Board

Command = TypeVar("Command", bound=Callable[..., Any])

board_argument = click.argument("file", metavar="FILE", type=str)


def board_options(command: Command) -> Command:
    """Add --pattern, --rule and --goal, which replace what the board file says."""
    for option in (
        click.option("--goal", metavar="GOAL", help="The goal: lit, unlit, or a board file."),
        click.option("--rule", metavar="RULE", help="Which bulbs may be pressed: unlit, lit, any."),
        click.option(
            "--pattern",
            metavar="PATTERN",
            help="What a press toggles: cross, plus, king, torus-plus, torus-king, "
            "'stencil 0,1 0,-1 …'.",
        ),
    ):
        command = option(command)
    return command


def run_options(command: Command) -> Command:
    """Add --json, --seed, --timeout, --quiet, --trace, --trace-to and --coords."""
    for option in (
        coords_option,
        click.option(
            "--trace-to", metavar="FILE", help="Write the trace to FILE (implies --trace)."
        ),
        click.option(
            "--trace", is_flag=True, help="Print the board after each press (in a pager if long)."
        ),
        click.option("--quiet", "-q", is_flag=True, help="No progress and no remarks."),
        timeout_option,
        seed_option,
        json_option,
    ):
        command = option(command)
    return command


json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
seed_option = click.option(
    "--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True, metavar="N",
    help="Seed of everything random.",
)  # fmt: skip
timeout_option = click.option(
    "--timeout",
    type=click.FloatRange(min=0),
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


def read_board(file: str, pattern: str | None, rule: str | None, goal: str | None) -> Board:
    """Read the board that the arguments name; a goal that is a file gives the goal grid."""
    from ponder.formats import read, read_bytes

    if goal is not None and goal not in ("lit", "unlit"):
        data, source = read_bytes(goal)
        return read(file, pattern=pattern, rule=rule, goal=(data, source))
    return read(file, pattern=pattern, rule=rule, goal=goal)


def read_start(board: Board, start: str | None) -> Board:
    """Return the board in another state: `lit`, `unlit`, or the state that a file shows."""
    if start is None:
        return board
    from dataclasses import replace

    from ponder.formats import parse_state, read_bytes

    state = start if start in ("lit", "unlit") else read_bytes(start)
    return replace(board, lit=parse_state(state, board.graph))
