"""`ponder orient`: an acyclic orientation with given odd out-degrees, or why there is none."""

from __future__ import annotations

import json

from ponder.cli import params
from ponder.cli.boards import asked_of, questions_of
from ponder.cli.many import (
    Ask,
    answer_each,
    count_of_graph,
    jobs_option,
    listing_options,
    present_all,
    present_count,
)
from ponder.cli.output import Progress, remark, say, say_json
from ponder.find.context import SolveSession
from ponder.find.orient import Asked, Outcome, Unknown, outcome_json
from ponder.system.limits import Limits
from ponder.system.printable import names_listed


@params.command(
    """
Examples:
  ponder orient graph.edges --odd 1,5,7           an edge list: two names a line
  ponder orient graph.g6 --odd 0                graph6; also DIMACS .col, JSON, GML
  ponder orient graph.edges --odd a,b --fixed a:b,c:d    with these arcs
  ponder orient graph.edges --odd 1 --json > answer.json
  ponder verify graph.edges answer.json
  ponder orient graph.g6 --odd none --count     how many there are; --all lists them
  ponder orient petersen --odd none
  geng -c 8 | ponder orient - --odd none        a line for each graph of a list, and counts

The vertices of --odd have odd out-degrees, all others even ones. Many graphs, a line each in
graph6 or JSON, are answered each; --timeout is then for each.
Exit codes: 0 answered (either way), 2 bad input, 3 unknown, 130 interrupted.
"""
)
@params.file_argument
@params.odd_option
@params.fixed_option
@params.line_option
@params.format_option
@listing_options("orientations")
@jobs_option
@params.seed_option
@params.clock_option
@params.json_option
@params.quiet_option
def command(
    file: str,
    odd: str | None,
    fixed: str | None,
    line: int | None,
    format: str | None,
    count: bool,
    list_all: bool,
    jobs: int,
    seed: int,
    clock: Limits,
    as_json: bool,
    quiet: bool,
) -> int:
    """Orient the graph in FILE without a cycle, with odd out-degrees at the vertices of --odd.

    Prints a topological order and its arcs, or the reason why there is no such orientation.
    """
    first, many = questions_of(file, format, line)
    if many is not None:
        ask = Ask("orient", as_json, seed, clock.left(), odd=odd, fixed=fixed, counting=count)
        return answer_each(ask, many, jobs, quiet)
    asked = asked_of(first, odd, fixed)
    if list_all:
        from ponder.find.counting import orientations_of

        orientations = orientations_of(asked, clock)
        if as_json:
            lines = (json.dumps({"order": x.order, "arcs": x.arcs}) for x in orientations)
            return present_all(lines, quiet)
        return present_all(
            (" ".join(names_listed(arc, "->") for arc in x.arcs) for x in orientations), quiet
        )
    if count:
        with Progress(quiet) as progress:
            counted = count_of_graph(asked, clock, progress.say)
        return present_count(counted, as_json)
    with Progress(quiet) as progress:
        outcome = asked.outcome(SolveSession(seed=seed, limits=clock, progress=progress.say))
    return present_outcome(asked, outcome, as_json, seed, clock.elapsed)


def present_outcome(
    asked: Asked, outcome: Outcome, as_json: bool, seed: int = 0, seconds: float = 0.0
) -> int:
    """Print an orientation or a refusal, and return the exit code."""
    if as_json:
        say_json(outcome_json(asked, outcome, seed, seconds))
    elif isinstance(outcome, Unknown):
        remark(outcome.sentence)
    else:
        say(str(outcome).splitlines())
    return 3 if isinstance(outcome, Unknown) else 0
