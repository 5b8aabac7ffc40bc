"""`ponder orient`: an acyclic orientation with given odd out-degrees, or why there is none."""

from __future__ import annotations

import json

import click

from ponder.apps.cli import options
from ponder.apps.cli.terminal import Progress, remark, say
from ponder.model.files import read_bytes
from ponder.system.limits import Limits


@options.command(
    """
Examples:
  ponder orient graph.txt --odd 1,5,7           an edge list: two names a line
  ponder orient graph.g6 --odd 0                graph6; also DIMACS .col, and boards in JSON
  ponder orient graph.txt --odd a,b --fixed a:b,c:d    with these arcs
  ponder orient graph.txt --odd 1 --json > answer.json
  ponder verify graph.txt answer.json

The vertices of --odd have odd out-degrees, all others even ones.
Exit codes: 0 answered (either way), 2 bad input, 3 unknown, 130 interrupted.
"""
)
def command(
    file: str = options.board_argument,
    odd: str | None = options.odd_option,
    fixed: str | None = options.fixed_option,
    seed: int = options.seed_option,
    clock: Limits = options.clock_option,
    as_json: bool = options.json_option,
    quiet: bool = options.quiet_option,
) -> int:
    """Orient the graph in FILE without a cycle, with odd out-degrees at the vertices of --odd.

    Prints a topological order and its arcs, or the reason why there is no such orientation.
    """
    from ponder.find.orient import Asked, Orientation, Refusal, outcome_json
    from ponder.find.session import SolveSession
    from ponder.model.graph_files import parse_graph

    data, name = read_bytes(file)
    graph = parse_graph(data, name)
    arcs = options.arcs_named(graph, fixed or "")
    asked = Asked.of(graph, options.vertices_named(graph, odd or ""), arcs)
    with Progress(quiet) as progress:
        outcome = asked.outcome(SolveSession(seed=seed, limits=clock, progress=progress.say))
    if as_json:
        click.echo(json.dumps(outcome_json(asked, outcome, seed, clock.elapsed)))
    elif isinstance(outcome, Orientation):
        say([f"an acyclic orientation, by {outcome.method}; every edge leads to the right in"])
        say([" ".join(map(str, outcome.order)), ""])
        say(f"{u} -> {v}" for u, v in outcome.arcs)
    elif isinstance(outcome, Refusal):
        say([f"no such orientation: {outcome.sentence}"])
        members = outcome.certificate.get("vertices")
        if isinstance(members, list):
            say([" ".join(map(str, members))])
    else:
        remark(f"unknown: {outcome.reason}")
    return 0 if isinstance(outcome, Orientation | Refusal) else 3
