"""`ponder nullity`: how many dimensions of press sets change nothing, by size."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple

import click

from ponder.cli import options
from ponder.cli.options import argument, gathered, option
from ponder.cli.terminal import Progress, remark, say
from ponder.system.limits import Limits, TimeUp
from ponder.system.printable import inflect, pluralise

Line = tuple[int, int, int]  # rows, columns, nullity


@options.command(
    """
Examples:
  ponder nullity 5 23 4x6
  ponder nullity --upto 40                      all squares
  ponder nullity --upto 10000 --only 2          the squares of nullity 2
  ponder nullity --upto 100 --pattern torus-plus --csv > nullities.csv
  ponder nullity --upto 10000 --histogram       how many sizes have each nullity
  ponder nullity board.txt --puzzle lights-out  the shape of a board, holes and all; a graph
  ponder nullity 100000                         seconds: polynomials, no elimination

A board of nullity k has 2^k press sets or none; one state in 2^k can be solved.
Exit codes: 0 answered, 2 bad usage, 3 not in time (what is known is printed), 130 interrupted.
"""
)
def command(
    sizes: tuple[str, ...] = argument("[SIZE|FILE]...", nargs=-1),
    header: options.Header = gathered(options.Header),
    upto: int | None = option(
        "--upto N", "All squares from 1×1 to N×N.", type=options.Whole(1, 10**7)
    ),
    only: int | None = option("--only K", "Only those with nullity K.", type=options.Whole(0)),
    histogram: bool = option("--histogram", "How many sizes have each nullity."),
    as_csv: bool = option("--csv", "Print rows,columns,nullity."),
    as_json: bool = options.json_option,
    clock: Limits = options.clock_option,
    quiet: bool = options.quiet_option,
) -> int:
    """Print the nullity of the full board of each SIZE: N for N×N, RxC, or a range 4..40.

    The pattern of a size is plus unless it is named. FILE: the shape of a board or graph.
    """
    from ponder.lights_out.nullities import nullity_of, squares
    from ponder.studies.sampling import parse_sizes

    if files := [word for word in sizes if set(word) - set("0123456789.,x× ")]:
        if len(sizes) > 1 or only is not None or histogram or as_csv:
            raise click.UsageError(
                f"{files[0][:40]!r} is not a size, and of one FILE alone is told"
            )
        return _of_board(files[0], header, clock, as_json)
    pattern = header.pattern_for("plus")
    if bool(sizes) == (upto is not None):
        raise click.UsageError("name sizes or --upto" + (", not both" if sizes else ""))
    if as_csv and as_json:
        raise click.UsageError("--csv or --json, not both")
    lines: Iterator[Line]
    if upto is None:
        asked = parse_sizes(",".join(sizes))
        whole, lines = len(asked), ((*size, nullity_of(pattern, size, clock)) for size in asked)
    else:
        every = enumerate(squares(pattern, upto, clock), start=1)
        whole, lines = upto, ((n, n, nullity) for n, nullity in every)
    found: list[Line] = []
    count, late = 0, False
    with Progress(quiet) as progress:
        try:
            for line in lines:
                count += 1
                if count % 64 == 0:
                    progress.say(f"{count:,} of {whole:,} sizes")
                if only is None or line[2] == only:
                    found.append(line)
        except TimeUp:
            late = True
    bins = histogram_of(found) if histogram else []
    if as_json:
        content: dict[str, object] = {
            "schema": "ponder.nullities/1",
            "pattern": pattern,
            "sizes": [[rows, columns] for rows, columns, _ in found],
            "nullities": [nullity for *_, nullity in found],
            "complete": not late,
        }
        if histogram:
            content["histogram"] = [dict(zip(HEADER, one, strict=True)) for one in bins]
        click.echo(json.dumps(content))
    elif histogram and as_csv:
        say([",".join(row) for row in (HEADER, *(b.fields() for b in bins))])
    elif histogram:
        say(_aligned([(*HEADER[:4], f"residues mod {MODULUS}"), *(b.fields() for b in bins)]))
    elif as_csv:
        say(["rows,columns,nullity", *(f"{r},{c},{nullity}" for r, c, nullity in found)])
    else:
        width = max((len(str(nullity)) for *_, nullity in found), default=0)
        say(_aligned([(f"{r}×{c}", f"{nullity:>{width}}") for r, c, nullity in found]))
        if only is not None:
            have = inflect(len(found), "has", "have")
            say([f"{len(found)} of {pluralise(count, 'size')} {have} nullity {only}"])
    if header.pattern is header.puzzle is None and not (as_json or as_csv):
        remark("the pattern is plus; --pattern or --puzzle names another", quiet)
    if late:
        remark(f"the time limit was reached after {count:,} of {whole:,} sizes")
    return 3 if late else 0


def _of_board(file: str, header: options.Header, clock: Limits, as_json: bool) -> int:
    """Print the nullity of the shape of a board; return the exit code."""
    from ponder.find.linear.press_sets import kernel
    from ponder.model import render
    from ponder.model.graph import GridGraph

    graph = header.read(file, clock, wirings=True).graph
    found = kernel(graph, clock).nullity
    if as_json:
        size = list(graph.shape) if isinstance(graph, GridGraph) else None
        content = {"schema": "ponder.nullities/1", "pattern": graph.pattern, "sizes": [size]}
        click.echo(json.dumps({**content, "nullities": [found], "complete": True}))
    else:
        say([f"{render.shape_text(graph)}: nullity {found}"])
    return 0


MODULUS = 6

HEADER = ("nullity", "sizes", "first", "last", f"residues_mod_{MODULUS}")


class Bin(NamedTuple):
    """The sizes of one nullity: how many, the first and the last, and their residues."""

    nullity: int
    sizes: int
    first: tuple[int, int]
    last: tuple[int, int]
    residues: list[int]

    def fields(self) -> tuple[str, ...]:
        """Return the fields as words, in the order of HEADER."""
        first, last = (f"{rows}x{columns}" for rows, columns in (self.first, self.last))
        return str(self.nullity), str(self.sizes), first, last, " ".join(map(str, self.residues))


def histogram_of(lines: list[Line]) -> list[Bin]:
    """Return the nullities that occur, ascending."""
    of: dict[int, list[Line]] = {}
    for line in lines:
        of.setdefault(line[2], []).append(line)
    return [
        Bin(nullity, len(x), x[0][:2], x[-1][:2], sorted({max(r, c) % MODULUS for r, c, _ in x}))
        for nullity, x in sorted(of.items())
    ]


def _aligned(rows: list[tuple[str, ...]]) -> list[str]:
    """Return the rows of a table in aligned columns; the last column is not padded."""
    columns = [*zip(*rows, strict=True)]
    widths = [*(max(map(len, column)) for column in columns[:-1]), 0]
    return [
        "  ".join(f"{word:>{width}}" for word, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
