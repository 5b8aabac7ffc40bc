"""`ponder nullity`: how many dimensions of press sets change nothing, by size; and which."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click
import numpy as np

from ponder.cli import params
from ponder.cli.boards import Header
from ponder.cli.output import Progress, drawn, legend, remark, say, say_json
from ponder.find.linear.press_sets import kernel
from ponder.lights_out.covers import Covers, covers
from ponder.lights_out.nullities import nullity_of, squares
from ponder.model.graph import GridGraph
from ponder.model.render import shape_text
from ponder.model.shapes import shape_of
from ponder.studies.sampling import parse_sizes
from ponder.system.limits import Limits, TimeUp
from ponder.system.printable import pluralise
from ponder.system.types import Json

SHOWN = 16  # covers drawn at most


@params.command(
    """
Examples:
  ponder nullity 5 23 4x6
  ponder nullity --upto 40                      all squares
  ponder nullity --upto 10000 --only 2          the squares of nullity 2
  ponder nullity board.txt --puzzle lights-out  the shape of a board, holes and all; a graph
  ponder nullity 100000                         seconds: polynomials, no elimination
  ponder nullity 5 --covers                     the patterns that change nothing, drawn

A board of nullity d has 2^d press sets or none; one state in 2^d can be solved (of a wiring of b
buttons, 2^(b-d) states). A cover (quiet pattern) changes nothing when all its bulbs are pressed.
The covers of a board are the sums of a basis. Bulbs with one number in the map lie in the same
covers; a dot is a bulb in none.
Exit codes: 0 answered, 2 bad usage, 3 not in time (what is known is printed), 130 interrupted.
"""
)
@click.argument("sizes", metavar="[SIZE|FILE]...", nargs=-1)
@params.header_of("rule, goal, lit", params.OF_SIZES)
@click.option("--upto", metavar="N", type=click.IntRange(1, 10**7), help="All squares to N×N.")
@click.option("--only", metavar="D", type=click.IntRange(0), help="Only those with nullity D.")
@click.option("--covers", "drawing", is_flag=True, help="Draw a basis of the quiet patterns.")
@params.json_option
@params.quiet_option
@params.clock_option
def command(
    sizes: tuple[str, ...],
    header: Header,
    upto: int | None,
    only: int | None,
    drawing: bool,
    as_json: bool,
    quiet: bool,
    clock: Limits,
) -> int:
    """Print the nullity of each SIZE (N for N×N, RxC, or a range 4..40), or of a FILE's shape."""
    if (upto is None) == (not sizes):
        raise click.UsageError("name sizes, or --upto")
    files = [word for word in sizes if set(word) - set("0123456789.,x× ") or shape_of(word)]
    if not files:
        params.refuse({"line", "format"}, "is about a FILE, and these are sizes")
    if drawing or files:
        if upto is not None or only is not None:
            raise click.UsageError("--upto and --only are about sizes, and without --covers")
        for word in sizes:
            shapes = [word] if word in files else [f"{r}x{c}" for r, c in parse_sizes(word)]
            for shape in shapes:
                _of_board(shape, header, drawing, as_json, clock)
        return 0
    pattern = header.pattern_of_sizes
    lines: Iterator[tuple[int, int, int]]
    asked = ((upto, upto),) if upto is not None else parse_sizes(",".join(sizes))
    if header.puzzle is not None:  # which may be one of a single row, or of graphs
        Header(header.pattern, puzzle=header.puzzle).dark("2x1" if max(asked)[0] > 1 else "1x1")
    if upto is not None:
        lines = ((n, n, x) for n, x in enumerate(squares(pattern, upto, clock), start=1))
    else:
        lines = ((*size, nullity_of(pattern, size, clock)) for size in asked)
    known: list[tuple[int, int, int]] = []
    count, late = 0, False
    with Progress(quiet) as progress:
        try:
            for count, line in enumerate(lines, 1):  # it is used below
                progress.say(f"{count:,} sizes")
                if only is None or line[2] == only:
                    known.append(line)
        except TimeUp:
            late = True
    if as_json:
        sizes_known, nullities = [size for *size, _ in known], [nullity for *_, nullity in known]
        say_json(_content(pattern, sizes_known, nullities, complete=not late))
    else:
        names = [f"{rows}×{columns}" for rows, columns, _ in known]
        width = max(map(len, names), default=0)
        if known:
            say(f"{name:>{width}}  {x[2]}" for name, x in zip(names, known, strict=True))
        if only is not None:
            say([f"{len(known)} of {pluralise(count, 'size')} with nullity {only}"])
        if header.pattern is header.puzzle is None:
            remark("the pattern is plus; --pattern or --puzzle names another", quiet)
    if late:
        remark(f"the time limit was reached after {count:,} sizes")
    return 3 if late else 0


def _of_board(word: str, header: Header, drawing: bool, as_json: bool, clock: Limits) -> None:
    """Print the nullity of a size or a board's shape, and its covers where they are asked for."""
    board = header.dark(word, clock)
    graph = board.graph
    size = list(graph.shape) if isinstance(graph, GridGraph) else None
    quiet = covers(graph, clock) if drawing else None
    nullity = kernel(graph, clock).nullity if quiet is None else quiet.nullity
    if as_json:
        content = _content(graph.pattern, [size], [nullity], complete=True)
        if quiet is not None:
            content["basis"] = [graph.labels(np.flatnonzero(cover)) for cover in quiet.basis]
        say_json(content)
        return
    if quiet is None:
        say([f"{shape_text(graph)}: nullity {nullity}"])
        return
    many = f"{pluralise(nullity, 'cover')} in a basis, 2^{nullity} in all"
    say([shape_text(graph), f"nullity {nullity}: {many}"])
    for at, (cover, tile) in enumerate(zip(quiet.basis[:SHOWN], quiet.tiles, strict=False), 1):
        tiled = "" if tile is None else f", the tiling by one of {tile[0]}×{tile[1]}"
        say(["", f"cover {at}, {pluralise(int(cover.sum()), 'bulb')}{tiled}", ""])
        say(drawn(board, marked=cover))
    if quiet.nullity:
        say([*legend("bulbs of the cover", graph), "", *_map(quiet)])


def _content(pattern: str, sizes: list[Any], nullities: list[int], *, complete: bool) -> Json:
    schema = {"schema": "ponder.nullities/1", "pattern": pattern}
    return {**schema, "sizes": sizes, "nullities": nullities, "complete": complete}


def _map(quiet: Covers) -> list[str]:
    """Return the regions of a grid as a picture, and how large they are."""
    regions = quiet.regions()
    sizes = np.bincount(regions)
    free = f", and {sizes[0]} in no cover" if sizes[0] else ""
    lines = [f"the bulbs make {pluralise(len(sizes) - 1, 'region')}{free}"]
    if isinstance(quiet.graph, GridGraph):
        width = len(str(len(sizes) - 1))
        names = ["", "·", *map(str, range(1, len(sizes)))]
        words = np.array([name.rjust(width) for name in names])
        numbers = quiet.graph.numbers
        shown = words[np.where(numbers >= 0, regions[numbers] + 1, 0)]
        lines += ["", *(" ".join(row).rstrip() for row in shown)]
    return [*lines, "", "bulbs of a region: " + ", ".join(map(str, sizes[1:]))]
