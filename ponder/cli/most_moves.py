"""`ponder most-moves`: how many presses the hardest board of a shape needs, in any order."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import click
import numpy as np

from ponder.check.fields import bulb_set
from ponder.check.most_moves import SCHEMA
from ponder.cli import options
from ponder.cli.shapes import dark, graph_of
from ponder.cli.terminal import Progress, drawn, remark, say
from ponder.errors import BoardError, CheckFailed, PonderError
from ponder.freeorder.most_moves import MostMoves, most_moves
from ponder.freeorder.nullities import full_graph
from ponder.limits import Limits, TimeUp
from ponder.printable import counted
from ponder.puzzle.board import Board
from ponder.puzzle.files import read_bytes, whole_file
from ponder.puzzle.graph import GridGraph
from ponder.puzzle.json_text import parse_result
from ponder.types import Bits, Json


@click.command(
    "most-moves",
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
@options.seed_option
@options.json_option
@options.timeout_option
@options.quiet_option
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
    if (file is None) == (upto is None) or (upto is None) != (table is None):
        raise click.UsageError("name a SIZE, or --upto with --table")
    if table is not None and upto is not None:
        if earlier is not None or as_json:
            raise click.UsageError("--upto goes without --from and --json")
        return _table(table, pattern or "plus", upto, timeout, seed, quiet)
    clock = Limits(timeout)
    try:
        graph = graph_of(str(file), pattern, clock)
        board = dark(graph)
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
    say(drawn(board, lit=~graph.apply(found.press_set), marked=found.press_set))
    return 0


def _table(file: str, pattern: str, top: int, timeout: float | None, seed: int, quiet: bool) -> int:
    """Make or better a table, and print its bounds."""
    options.check_file(file)
    with Progress(quiet) as progress:
        lines = grow(file, pattern, top, timeout, seed, progress.say)
    for line in lines:
        bounds = f"{line.lower}" if line.lower == line.upper else f"{line.lower} to {line.upper}"
        say([f"{line.n}×{line.n}: {bounds}"])
    return 0


def _known(earlier: str | None, board: Board) -> Bits | None:
    """Return the press set of an earlier result."""
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


# ------------------------------------------------------------------------------------- --table

HEADER = ("n", "bulbs", "nullity", "lower", "upper", "upper_by", "press_set")


@dataclass(frozen=True)
class Line:
    """One square."""

    n: int
    nullity: int
    lower: int
    upper: int
    upper_by: str
    press_set: str

    def fields(self) -> tuple[object, ...]:
        """Return the fields in the order of HEADER."""
        return (
            self.n, self.n**2, self.nullity, self.lower, self.upper, self.upper_by, self.press_set
        )  # fmt: skip


def line_of(n: int, found: MostMoves) -> Line:
    """Return the line of an answer."""
    return Line(
        n, len(found.types.basis), found.lower, found.upper, found.upper_by, packed(found.press_set)
    )


def packed(presses: Bits) -> str:
    """Return a press set as hexadecimal digits, the first bulb in the highest bit.

    >>> packed(np.array([False, True, True, False, True])), unpacked("0d", 5).tolist()
    ('0d', [False, True, True, False, True])
    """
    digits = (presses.size + 3) // 4
    number = int("0" + "".join("01"[int(bit)] for bit in presses), 2)
    return f"{number:0{digits}x}"


def unpacked(digits: str, bulbs: int) -> Bits:
    """Return the press set that `packed` wrote; ValueError for anything else."""
    number = int(digits, 16)
    if number < 0 or number >> bulbs:
        raise ValueError("too many presses")
    found: Bits = np.array([number >> (bulbs - 1 - v) & 1 for v in range(bulbs)], dtype=np.bool_)
    return found


def read_table(text: str, source: str) -> dict[int, Line]:
    """Return the lines of a table; BoardError with the line and the reason.

    >>> read_table("# a remark\\nn,bulbs,nullity,lower,upper,upper_by,press_set\\n", "table")
    {}
    """
    lines: dict[int, Line] = {}
    for number, row in enumerate(csv.reader(io.StringIO(text)), start=1):
        if not row or row[0].startswith("#") or tuple(row) == HEADER:
            continue
        try:
            n, bulbs, nullity, lower, upper = map(int, row[:5])
            unpacked(row[6], bulbs)
            if bulbs != n * n or len(row) != len(HEADER):
                raise ValueError
        except (ValueError, IndexError):
            raise BoardError("no line of a table of most moves", source, number) from None
        lines[n] = Line(n, nullity, lower, upper, row[5], row[6])
    return lines


def table_text(lines: dict[int, Line], remark: str) -> str:
    """Return the table as it is written."""
    out = io.StringIO()
    out.write(f"# {remark}\n")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEADER)
    writer.writerows(lines[n].fields() for n in sorted(lines))
    return out.getvalue()


def grow(
    file: str,
    pattern: str,
    top: int,
    timeout: float | None,
    seed: int,
    progress: Callable[[str], None],
) -> list[Line]:
    """Make or better the table in a file, square by square, and return its lines up to `top`."""
    lines: dict[int, Line] = {}
    if Path(file).exists():
        lines = read_table(read_bytes(file)[0].decode("utf-8", "replace"), file)
    limit = "" if timeout is None else f" --timeout {timeout:g}"
    remark = f"ponder most-moves --upto {top} --pattern {pattern}{limit} --table FILE"
    for n in range(1, top + 1):
        old = lines.get(n)
        if old is not None and old.lower == old.upper:
            continue
        graph = full_graph(pattern, (n, n))
        known = None if old is None else unpacked(old.press_set, n * n)

        def said(text: str, n: int = n) -> None:
            progress(f"{n}×{n}: {text}")

        try:
            new = line_of(n, most_moves(graph, Limits(timeout), seed, said, known))
        except (TimeUp, PonderError) as reason:
            progress(f"{n}×{n}: {reason}")
            continue
        if old is not None and old.upper < new.upper:  # not done again in this run
            new = replace(new, upper=old.upper, upper_by=old.upper_by)
        if old is not None and old.lower > new.lower:  # no time even to look at it again
            new = replace(new, lower=old.lower, press_set=old.press_set)
        lines[n] = new
        with whole_file(file) as out:
            out.write(table_text(lines, remark))
    return [lines[n] for n in sorted(lines) if n <= top]
