"""`ponder atlas`: the fewest presses of every board of a shape, and a hardest board."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from ponder.cli import options
from ponder.cli.options import argument, gathered, option
from ponder.cli.terminal import Progress, drawn, painter, say
from ponder.model.files import whole_file
from ponder.model.json_text import json_lines
from ponder.system.limits import Limits
from ponder.system.printable import inflect, pluralise
from ponder.system.version import __version__

if TYPE_CHECKING:
    from ponder.find.fewest.atlas import Atlas
    from ponder.system.types import Json


@options.command(
    """
Examples:
  ponder atlas 5x5 --pattern plus
  ponder atlas 4x6 --puzzle lights-out --json
  ponder atlas 4 -o hardest.txt                 a hardest board, as a board file
  ponder atlas board.txt                        the shape of a board, and what this board needs

Exit codes: 0 answered, 2 bad input or too large a shape, 3 not in time, 130 interrupted.
"""
)
def command(
    file: str | None = argument("[FILE|SIZE]"),
    size: str | None = option("--size RxC", "The same as a size in place of FILE."),
    header: options.Header = gathered(options.Header),
    output: str | None = option("-o, --output OUT", "Write a hardest board to the file OUT."),
    clock: Limits = options.clock_option,
    as_json: bool = options.json_option,
    quiet: bool = options.quiet_option,
) -> int:
    """Search all boards of a shape at once: graph, rule and goal, whatever is lit at the start.

    Prints the largest number of presses that a solvable board needs (repeats allowed), how many
    boards need how many, and a hardest board. Up to 2^27 solvable boards.
    """
    from ponder.find.fewest.atlas import atlas_of
    from ponder.model.formats import board_text

    if (file is None) == (size is None):
        raise click.UsageError("name a board FILE or a --size" + (", not both" if file else ""))
    if output is not None:
        options.check_file(output)
    if size is not None and options.sides_of(size) is None:
        raise click.UsageError(f"{size[:40]!r} is not a size: write RxC or N")
    board = header.read(str(size or file), clock)
    with Progress(quiet) as progress:
        chart = atlas_of(board, progress.say, clock)
    seconds = clock.elapsed
    asked = file is not None and not options.is_shape(file)  # a size has no board of its own
    own = chart.distance(board) if asked else None
    if output is not None:
        with whole_file(output) as out:
            out.write(board_text(chart.hardest))
    if as_json:
        content = _content(chart, seconds)
        if asked:
            content["board"] = {"sha256": board.sha256, "fewest": own}
        click.echo("".join(json_lines(content)))
        return 0
    say(_text(chart, seconds, quiet))
    if asked:
        needs = "cannot be solved" if own is None else f"needs {pluralise(own, 'press')}"
        say(["", f"{board.name} {needs}"])
    return 0


def _content(chart: Atlas, seconds: float) -> Json:
    from ponder.model.formats import board_text
    from ponder.model.graph import GridGraph

    graph, hardest = chart.graph, chart.hardest
    return {
        "schema": "ponder.atlas/1",
        "pattern": graph.pattern,
        "shape": list(graph.shape) if isinstance(graph, GridGraph) else None,
        "bulbs": graph.size,
        "rule": chart.rule,
        "goal": hardest.goal_name,
        "nullity": chart.nullity,
        "solvable": chart.solvable,
        "largest": chart.largest,
        "histogram": list(chart.histogram),
        "hardest": {"sha256": hardest.sha256, "text": board_text(hardest)},
        "seconds": round(seconds, 6),
        "version": __version__,
    }


def _text(chart: Atlas, seconds: float, quiet: bool) -> Iterator[str]:
    from ponder.model import render

    paint, hardest = painter(), chart.hardest
    yield render.shape_text(chart.graph)
    yield paint(pluralise(chart.largest, "press"), "good") + " at most, repeats allowed"
    yield f"{chart.solvable:,} of 2^{chart.graph.size} boards can be solved"
    if chart.stuck:
        boards = inflect(chart.stuck, "board has", "boards have")
        yield f"{chart.stuck:,} {boards} a press set but no legal sequence"
    yield ""
    width = max(len(f"{count:,}") for count in chart.histogram)
    yield f"presses  {'boards':>{max(width, 6)}}"
    for presses, count in enumerate(chart.histogram):
        yield f"{presses:>7}  {count:>{max(width, 6)},}"
    yield ""
    yield f"a hardest board: {render.title(hardest)}"
    yield ""
    yield from drawn(hardest)
    if hardest.goal_name == "grid":
        yield from ("", "its goal", "")
        yield from drawn(hardest, lit=hardest.goal)
    if not quiet:
        yield ""
        yield paint(f"atlas, {render.seconds_text(seconds)}", "dim")
