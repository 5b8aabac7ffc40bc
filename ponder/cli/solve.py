"""`ponder solve`: the fewest legal presses, repeats allowed, with a proved lower bound."""

from __future__ import annotations

import click

from ponder.cli import params
from ponder.cli.boards import Header, questions_of
from ponder.cli.many import Ask, answer_each, jobs_option
from ponder.cli.output import Progress, Showing, present
from ponder.find.solve import solve
from ponder.system.limits import Limits


@params.command(
    """
Examples:
  ponder solve board.txt
  ponder solve board.txt --json > answer.json
  ponder solve board.txt --at-most 429               are 429 presses enough?
  ponder solve board.txt --timeout 60                the best sequence and bound by then
  ponder solve board.txt --explain                   what was tried, and what it cost
  ponder solve board.txt --rule any --all            all lightest press sets, in any order
  ponder solve board.txt --lit now.txt --goal goal.txt
  ponder solve machines.txt                          a line for each of many, and the sum

Exit codes: 0 answered (either way), 2 bad input, 3 unknown, 130 interrupted before any answer.
"""
)
@params.file_argument
@params.header_option
@click.option(
    "--at-most", metavar="K", type=click.IntRange(0), help="Is a sequence of K presses enough?"
)
@click.option("--all", "list_all", is_flag=True, help="Under the rule any: all shortest, if few.")
@click.option("--explain", is_flag=True, help="Print what was tried, and what it cost.")
@jobs_option
@params.seed_option
@params.clock_option
@params.showing_option
def command(
    file: str,
    header: Header,
    at_most: int | None,
    list_all: bool,
    explain: bool,
    jobs: int,
    seed: int,
    clock: Limits,
    showing: Showing,
) -> int:
    """Reach the goal of the board in FILE with the fewest presses ("-": standard input).

    Prints a sequence that has been replayed, and the proved bound below which none exists; or the
    proof that no sequence of any length works.
    """
    first, many = questions_of(file, header.format, header.line)
    if many is not None:
        ask = Ask("solve", showing.as_json, seed, clock.left(), header)
        return answer_each(ask, many, jobs, showing.quiet)
    board = header.board(first, clock)
    if list_all and board.rule != "any":
        raise click.UsageError("--all needs the rule any, where the order does not matter")
    with Progress(showing.quiet) as progress:
        result = solve(
            board, at_most=at_most, seed=seed, timeout=clock, progress=progress.say, every=list_all
        )
    return present(result, showing, explain=explain)
