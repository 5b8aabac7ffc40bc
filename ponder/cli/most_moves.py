"""`ponder most-moves`: how many presses the hardest board of a shape needs, in any order."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from ponder.cli.options import (
    json_option,
    quiet_option,
    seed_option,
    timeout_option,
)
from ponder.printable import counted

if TYPE_CHECKING:
    from ponder.freeorder.most_moves import MostMoves
    from ponder.puzzle.board import Board
    from ponder.types import Bits, Json


@click.command(
    "most-moves",
    short_help="Bound how many presses the hardest board of a size needs, in any order.",
    epilog="""\b
Examples:
  ponder most-moves 5
  ponder most-moves 4x7 --pattern torus-plus
  ponder most-moves 23 --timeout 30 --json > answer.json
  ponder most-moves 23 --from answer.json --json > better.json
  ponder verify 23 answer.json
  ponder most-moves --upto 49 --timeout 60 --table most_moves.csv

\b
The number is the covering radius of the code of quiet patterns. Below stands a board, by a press
set than which it has no lighter one; above a count of the bulbs by type, and where that is not
enough a proof by congruences (docs/theory.md, 8.5).
Exit codes: 0 both bounds are printed, 2 bad input, 3 not in time, 130 interrupted.
""",
)
@click.argument("file", metavar="[SIZE]", type=str, required=False)
@click.option("--pattern", metavar="PATTERN", help="For a size: plus unless named.")
@click.option(
    "--upto", type=click.IntRange(1, 1000), metavar="N", help="All squares to N×N, in a --table."
)
@click.option(
    "--table",
    metavar="FILE",
    help="Where the table is kept (CSV); what stands there is the start, and is bettered.",
)
@click.option("--from", "earlier", metavar="RESULT", help="Begin with the board of a result.")
@seed_option
@json_option
@timeout_option
@quiet_option
def command(
    file: str | None,
    pattern: str | None,
    upto: int | None,
    table: str | None,
    earlier: str | None,
    seed: int,
    as_json: bool,
    timeout: float | None,
    quiet: bool,
) -> int:
    """Bound the most moves of a SIZE (N or RxC), or of the shape of a board FILE."""
    import numpy as np

    from ponder.cli.shapes import graph_of
    from ponder.cli.terminal import Progress, ascii_only, painter, remark, say
    from ponder.freeorder.most_moves import most_moves
    from ponder.limits import Limits, TimeUp
    from ponder.puzzle import render
    from ponder.puzzle.board import Board

    if (file is None) == (upto is None) or (upto is None) != (table is None):
        raise click.UsageError("name a SIZE, or --upto with --table")
    if table is not None and upto is not None:
        if earlier is not None or as_json:
            raise click.UsageError("--upto goes without --from and --json")
        return _table(table, pattern or "plus", upto, timeout, seed, quiet)
    clock = Limits(timeout)
    try:
        graph = graph_of(str(file), pattern, clock)
        nothing = np.zeros(graph.size, dtype=np.bool_)
        board = Board(graph, nothing, ~nothing)
        known = _known(earlier, board)
        with Progress(quiet) as progress:
            found = most_moves(graph, clock, seed, progress.say, known)
    except TimeUp:
        remark("the time limit was reached")
        return 3
    if as_json:
        click.echo(json.dumps(content_of(found)))
        return 0
    bounds = f"{found.lower}" if found.optimal else f"{found.lower} to {found.upper}"
    say([f"most moves: {bounds} ({counted(graph.size, 'bulb')}, nullity {len(found.types.basis)})"])
    say(["", f"a board that needs {found.lower}, by a lightest press set:", ""])
    marked, lit = found.press_set, ~graph.apply(found.press_set)
    say(render.draw(board, lit=lit, marked=marked, paint=painter(), ascii_only=ascii_only()))
    return 0


def _table(file: str, pattern: str, top: int, timeout: float | None, seed: int, quiet: bool) -> int:
    """Make or better a table, and print its bounds."""
    from ponder.cli.most_moves_table import grow
    from ponder.cli.places import check_file
    from ponder.cli.terminal import Progress, say

    check_file(file)
    with Progress(quiet) as progress:
        lines = grow(file, pattern, top, timeout, seed, progress.say)
    for line in lines:
        bounds = f"{line.lower}" if line.lower == line.upper else f"{line.lower} to {line.upper}"
        say([f"{line.n}×{line.n}: {bounds}"])
    return 0


def _known(earlier: str | None, board: Board) -> Bits | None:
    """Return the press set of an earlier result."""
    from ponder.check.fields import bulb_set
    from ponder.check.most_moves import SCHEMA
    from ponder.errors import CheckFailed, PonderError
    from ponder.puzzle.files import read_bytes
    from ponder.puzzle.result_json import parse_result

    if earlier is None:
        return None
    data, source = read_bytes(earlier)
    content = parse_result(data, source, (SCHEMA,))
    try:
        return bulb_set(board, (content or {}).get("press_set"), "press_set")
    except CheckFailed as reason:
        raise PonderError(f"{source}: {reason}") from None


def content_of(found: MostMoves) -> Json:
    """Return both bounds and their evidence as a JSON object."""
    import numpy as np

    from ponder.check.most_moves import SCHEMA
    from ponder.puzzle.graph import GridGraph

    graph = found.types.graph
    content: Json = {"schema": SCHEMA}
    if isinstance(graph, GridGraph):
        content |= {"rows": graph.shape[0], "columns": graph.shape[1]}
    return content | {
        "pattern": graph.pattern,
        "bulbs": graph.size,
        "nullity": len(found.types.basis),
        "lower_bound": found.lower,
        "upper_bound": found.upper,
        "optimal": found.optimal,
        "press_set": graph.labels(np.flatnonzero(found.press_set)),
        "evidence": (
            {"kind": found.upper_by} if found.tree is None else found.tree.to_json(found.types)
        ),
    }
