"""`ponder solve --each`: every line of a file is a machine of its own; the sum of the presses."""

from __future__ import annotations

import json

import click

from ponder.cli.options import Header
from ponder.cli.terminal import Progress, remark, say
from ponder.limits import Limits
from ponder.pipeline.solve import solve
from ponder.puzzle.board import BoardOptions
from ponder.puzzle.files import read_bytes
from ponder.puzzle.input_errors import fail
from ponder.puzzle.result import Result
from ponder.puzzle.wiring_files import machine_lines, parse_machine

SCHEMA = "ponder.each/1"


def solve_each(
    file: str, header: Header, seed: int, clock: Limits, as_json: bool, quiet: bool
) -> int:
    """Print the fewest presses of every machine in a file, and their sum; return the exit code."""
    data, source = read_bytes(file)
    lines = machine_lines(data)
    if not lines:
        fail("there is no machine in it", source)
    options = BoardOptions(header.pattern, header.rule)
    boards = [parse_machine(line, source, at, options) for at, line in lines]
    results: list[Result] = []
    with Progress(quiet) as progress:
        for board in boards:
            progress.say(f"{len(results):,} of {len(boards):,} machines")
            results.append(solve(board, seed=seed, timeout=clock))
    counts = [result.count if result.optimal else None for result in results]
    total = sum(count or 0 for count in counts)
    done = all(result.optimal or result.verdict == "impossible" for result in results)
    if as_json:
        content = {"schema": SCHEMA, "counts": counts, "sum": total, "complete": done}
        content["verdicts"] = [result.verdict for result in results]
        click.echo(json.dumps(content))
    else:
        for (at, _), result in zip(lines, results, strict=True):
            say([f"{at}: {result.count if result.optimal else _why(result)}"])
        say([f"sum {total}"])
    braces = sum(getattr(board.graph, "remark", None) is not None for board in boards)
    if braces:
        remark(f"what stands in braces is no part of a machine: {braces} ignored", quiet)
    return 0 if done else 3


def _why(result: Result) -> str:
    """Return why there is no number."""
    if result.refutation is not None:
        return f"no solution: {result.refutation.sentence(result.board)}"
    return f"unknown, between {result.lower_bound} and {result.count or 'any number'}"
