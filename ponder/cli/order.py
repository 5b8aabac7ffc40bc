"""`ponder order`: each bulb at most once: a legal order, or a proof that there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ponder.cli.options import board_argument, board_options, read_board, run_options

if TYPE_CHECKING:
    from ponder.exact import Method
    from ponder.greedy import Direction, Variant


@click.command(
    "order",
    short_help="Find a legal order that presses each bulb at most once, or prove there is none.",
    epilog="""\b
Examples:
  ponder order board.txt
  ponder order board.txt --json > answer.json
  ponder order - --pattern plus < board.txt
  ponder order board.txt --trace                     the board after each press
  ponder order board.txt --explain                   what was tried, and what it cost
  ponder order board.txt --method greedy --trials 100 --seed 7
  ponder order board.txt --press-set presses.txt     only these presses

\b
Exit codes: 0 answered (either way), 2 bad input, 3 unknown, 130 interrupted.
""",
)
@board_argument
@board_options
@click.option(
    "--method",
    type=click.Choice(["auto", "greedy", "lines", "spanning"]),
    default="auto",
    show_default=True,
    help="auto: whatever answers; greedy: fast tries that may fail; lines: the half factor of "
    "row/column boards; spanning: the algebraic test and the search that it guides.",
)
@click.option(
    "--press-set",
    metavar="FILE",
    help="Order just these presses (a grid of 0 and 1, a press list, or a result).",
)
@click.option(
    "--trials",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    metavar="N",
    help="How often greedy tries.",
)
@click.option(
    "--variant",
    type=click.Choice(["random", "rounds", "fewest"]),
    default="fewest",
    show_default=True,
    help="Greedy: a random legal press at a time, rounds of independent presses, or the press "
    "with the fewest neighbours left.",
)
@click.option(
    "--direction",
    type=click.Choice(["forwards", "backwards"]),
    default="backwards",
    show_default=True,
    help="Greedy: forwards from the board, or backwards from the goal.",
)
@click.option("--explain", is_flag=True, help="Print what was tried, what it cost, how it ended.")
@run_options
def command(
    file: str,
    pattern: str | None,
    rule: str | None,
    goal: str | None,
    method: Method,
    press_set: str | None,
    trials: int,
    variant: Variant,
    direction: Direction,
    explain: bool,
    as_json: bool,
    seed: int,
    timeout: float | None,
    quiet: bool,
    trace: bool,
    trace_to: str | None,
    coords: str,
) -> int:
    """Order the presses on the board in FILE ("-": standard input), each bulb at most once.

    Prints a legal order with the fewest presses, replayed; or the reason why none exists.
    """
    from ponder.cli.answer import present
    from ponder.cli.terminal import Progress
    from ponder.formats import read_presses
    from ponder.once import order

    if trace and as_json and trace_to is None:
        raise click.UsageError("--trace with --json needs --trace-to FILE")
    board = read_board(file, pattern, rule, goal)
    chosen = None
    if press_set is not None:
        chosen = read_presses(press_set, board, "xy" if coords == "xy" else "rc")
    with Progress(quiet) as progress:
        result = order(
            board,
            method=method,
            press_set=chosen,
            seed=seed,
            timeout=timeout,
            trials=trials,
            variant=variant,
            direction=direction,
            progress=progress.say,
        )
    return present(
        result,
        as_json=as_json,
        coords=coords,
        quiet=quiet,
        trace=trace,
        trace_to=trace_to,
        explain=explain,
    )
