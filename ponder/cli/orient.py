"""`ponder orient`: an acyclic orientation with given odd out-degrees, or why there is none."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from ponder.cli import counting, options
from ponder.cli.each import Ask, answer_each, jobs_option, questions_of
from ponder.cli.options import option
from ponder.cli.terminal import Progress, remark, say
from ponder.system.limits import Limits

if TYPE_CHECKING:
    from ponder.find.orient import Asked, Outcome

NO_HEADER = options.Header(None, None, None, None, None, None)


@options.command(
    """
Examples:
  ponder orient graph.txt --odd 1,5,7           an edge list: two names a line
  ponder orient graph.g6 --odd 0                graph6; also sparse6, DIMACS .col, GML, JSON
  ponder orient graph.txt --odd a,b --fixed a:b,c:d    with these arcs
  ponder orient graph.txt --odd 1 --json > answer.json
  ponder verify graph.txt answer.json
  ponder orient graph.g6 --odd none --count     how many there are; --all lists them
  ponder orient graph.g6 --odd auto             for how many sets of odd vertices there is one
  ponder orient --shape petersen --odd auto
  geng -c 8 | ponder orient - --odd none        a line for each graph of a list, and counts

The vertices of --odd have odd out-degrees, all others even ones. Many graphs, a line each in
graph6, sparse6 or JSON, are answered each; --timeout is then for each.
Exit codes: 0 answered (either way), 2 bad input, 3 unknown, 130 interrupted.
"""
)
def command(
    file: str = options.board_argument,
    odd: str | None = option(
        "--odd V,V,…",
        f"{options.ODD} (as without --odd), or `auto`: for how many sets of them there is one.",
        once=True,
    ),
    fixed: str | None = options.fixed_option,
    shape: str | None = options.shape_option,
    count: bool = counting.count_option,
    every: bool = counting.all_option,
    seed: int = options.seed_option,
    jobs: int = jobs_option,
    clock: Limits = options.clock_option,
    as_json: bool = options.json_option,
    quiet: bool = options.quiet_option,
) -> int:
    """Orient the graph in FILE without a cycle, with odd out-degrees at the vertices of --odd.

    Prints a topological order and its arcs, or the reason why there is no such orientation.
    """
    from ponder.find.session import SolveSession

    first, many = questions_of(file)
    counted = counting.asked(count, every) or odd == counting.AUTO
    odd, fixed = odd or "", fixed or ""
    if many is not None:
        if every:
            raise click.UsageError("--all is about one graph")
        ask = Ask("orient", NO_HEADER, as_json, seed, clock.left(), odd, fixed, count=counted)
        return answer_each(ask, many, jobs, quiet=quiet)
    if every:
        return counting.list_of_graph(first, odd, fixed, clock, as_json, quiet)
    if counted:
        return counting.present(lambda: counting.count_of_graph(first, odd, fixed, clock), as_json)
    asked = options.asked_of(first, odd, fixed)
    with Progress(quiet) as progress:
        outcome = asked.outcome(SolveSession(seed=seed, limits=clock, progress=progress.say))
    return present_outcome(asked, outcome, as_json, seed, clock.elapsed)


def present_outcome(
    asked: Asked, outcome: Outcome, as_json: bool, seed: int = 0, seconds: float = 0.0
) -> int:
    """Print an orientation or a refusal, and return the exit code."""
    from ponder.find.orient import Unknown, outcome_json

    if as_json:
        click.echo(json.dumps(outcome_json(asked, outcome, seed, seconds)))
    elif isinstance(outcome, Unknown):
        remark(outcome.sentence)
    else:
        say(str(outcome).splitlines())
    return 3 if isinstance(outcome, Unknown) else 0
