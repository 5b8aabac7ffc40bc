"""`ponder nullity`: how many dimensions of press sets change nothing, by size."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

import click

from ponder.cli.options import clock_option, json_option, quiet_option
from ponder.cli.terminal import Progress, remark, say
from ponder.freeorder.nullities import nullity_of, squares
from ponder.limits import Limits, TimeUp
from ponder.printable import agreeing, counted
from ponder.puzzle.patterns import EXAMPLES
from ponder.studies.sampling import parse_sizes
from ponder.types import Json

SCHEMA = "ponder.nullities/1"

Line = tuple[int, int, int]
"""Rows, columns, nullity."""


@click.command(
    "nullity",
    epilog="""\b
Examples:
  ponder nullity 5 23 4x6
  ponder nullity --upto 40                      all squares
  ponder nullity --upto 10000 --only 2          the squares of nullity 2
  ponder nullity --upto 100 --pattern torus-plus --csv > nullities.csv
  ponder nullity --upto 10000 --histogram       how many sizes have each nullity
  ponder nullity 100000                         seconds: polynomials, no elimination

\b
A board of nullity k has 2^k press sets or none; one state in 2^k can be solved.
Exit codes: 0 answered, 2 bad usage, 3 not in time (what is known is printed), 130 interrupted.
""",
)
@click.argument("sizes", metavar="[SIZE]...", nargs=-1)
@click.option(
    "--pattern",
    default="plus",
    show_default=True,
    metavar="PATTERN",
    help=f"{EXAMPLES}.",
)
@click.option(
    "--upto", type=click.IntRange(1, 10**7), metavar="N", help="All squares from 1×1 to N×N."
)
@click.option("--only", type=click.IntRange(0), metavar="K", help="Only those with nullity K.")
@click.option("--histogram", is_flag=True, help="How many sizes have each nullity.")
@click.option("--csv", "as_csv", is_flag=True, help="Print rows,columns,nullity.")
@json_option
@clock_option
@quiet_option
def command(
    sizes: tuple[str, ...],
    pattern: str,
    upto: int | None,
    only: int | None,
    histogram: bool,
    as_csv: bool,
    as_json: bool,
    clock: Limits,
    quiet: bool,
) -> int:
    """Print the nullity of the full board of each SIZE: N for N×N, RxC, or a range 4..40."""
    if bool(sizes) == (upto is not None):
        raise click.UsageError("name sizes or --upto" + (", not both" if sizes else ""))
    if as_csv and as_json:
        raise click.UsageError("--csv or --json, not both")
    asked = parse_sizes(",".join(sizes)) if sizes else ()
    whole = len(asked) if upto is None else upto
    found: list[Line] = []
    count, late = 0, False
    with Progress(quiet) as progress:
        try:
            for line in _lines(pattern, asked, upto, clock):
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
            "schema": SCHEMA,
            "pattern": pattern,
            "sizes": [[rows, columns] for rows, columns, _ in found],
            "nullities": [nullity for *_, nullity in found],
            "complete": not late,
        }
        if histogram:
            content["histogram"] = [one.to_json() for one in bins]
        click.echo(json.dumps(content))
    elif histogram and as_csv:
        say([",".join(row) for row in (HEADER, *(b.fields() for b in bins))])
    elif histogram:
        say(_histogram_table(bins))
    elif as_csv:
        say(["rows,columns,nullity", *(f"{r},{c},{nullity}" for r, c, nullity in found)])
    else:
        say(_table(found))
        if only is not None:
            have = agreeing(len(found), "has", "have")
            say([f"{len(found)} of {counted(count, 'size')} {have} nullity {only}"])
    if late:
        remark(f"the time limit was reached after {count:,} of {whole:,} sizes")
    return 3 if late else 0


def _lines(
    pattern: str, sizes: tuple[tuple[int, int], ...], upto: int | None, clock: Limits
) -> Iterator[Line]:
    """Yield the sizes asked for, with their nullities."""
    if upto is not None:
        for n, nullity in enumerate(squares(pattern, upto, clock), start=1):
            yield n, n, nullity
    for rows, columns in sizes:
        yield rows, columns, nullity_of(pattern, (rows, columns), clock)


def _table(found: list[Line]) -> list[str]:
    """Return the sizes and nullities, in two columns that line up."""
    names = [f"{rows}×{columns}" for rows, columns, _ in found]
    width = max(map(len, names), default=0)
    digits = max((len(str(nullity)) for *_, nullity in found), default=0)
    return [
        f"{name:>{width}}  {line[2]:>{digits}}" for name, line in zip(names, found, strict=True)
    ]


# ------------------------------------------------------------------------------ --histogram

MODULUS = 6

HEADER = ("nullity", "sizes", "first", "last", f"residues_mod_{MODULUS}")


@dataclass
class Bin:
    """The sizes of one nullity."""

    nullity: int
    sizes: int = 0
    first: tuple[int, int] | None = None
    last: tuple[int, int] | None = None
    residues: set[int] = field(default_factory=set)

    def add(self, rows: int, columns: int) -> None:
        """Count one more size."""
        self.last = rows, columns
        self.first = self.first or self.last
        self.sizes += 1
        self.residues.add(max(rows, columns) % MODULUS)

    def fields(self) -> tuple[str, ...]:
        """Return the fields in the order of HEADER."""
        first, last = (
            "" if size is None else f"{size[0]}x{size[1]}" for size in (self.first, self.last)
        )
        residues = " ".join(map(str, sorted(self.residues)))
        return str(self.nullity), str(self.sizes), first, last, residues

    def to_json(self) -> Json:
        """Return the same as a JSON object."""
        values = self.nullity, self.sizes, self.first, self.last, sorted(self.residues)
        return dict(zip(HEADER, values, strict=True))


def histogram_of(lines: list[Line]) -> list[Bin]:
    """Return the nullities that occur, ascending.

    >>> [one.fields() for one in histogram_of([(4, 4, 4), (5, 5, 2), (17, 17, 2)])]
    [('2', '2', '5x5', '17x17', '5'), ('4', '1', '4x4', '4x4', '4')]
    """
    bins: dict[int, Bin] = {}
    for rows, columns, nullity in lines:
        bins.setdefault(nullity, Bin(nullity)).add(rows, columns)
    return [bins[nullity] for nullity in sorted(bins)]


def _histogram_table(bins: list[Bin]) -> list[str]:
    """Return the lines of a table for people.

    >>> _histogram_table(histogram_of([(4, 4, 4), (5, 5, 2), (17, 17, 2)]))[1]
    '      2      2    5x5  17x17  5'
    """
    rows: list[tuple[str, ...]] = [("nullity", "sizes", "first", "last", f"residues mod {MODULUS}")]
    rows += [one.fields() for one in bins]
    widths = [max(len(row[k]) for row in rows) for k in range(4)]
    return [
        "  ".join([*(f"{row[k]:>{widths[k]}}" for k in range(4)), row[4]]).rstrip() for row in rows
    ]
