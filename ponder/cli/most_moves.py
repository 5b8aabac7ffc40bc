"""`ponder most-moves`: how many presses the hardest board of a shape needs, in any order."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from ponder.cli import options
from ponder.cli.options import argument, gathered, option
from ponder.cli.terminal import Progress, drawn, legend, remark, say
from ponder.model.files import read_bytes, whole_file
from ponder.model.json_text import parse_result
from ponder.system.errors import BoardError, CheckFailed, PonderError, without_ortools
from ponder.system.limits import Limits, TimeUp
from ponder.system.printable import pluralise

if TYPE_CHECKING:
    from ponder.find.search.context import Progress as Told
    from ponder.lights_out.most_moves import MostMoves
    from ponder.model.board import Board
    from ponder.system.types import Bits, Json


@options.command(
    """
Examples:
  ponder most-moves 5
  ponder most-moves 4x7 --pattern torus-plus
  ponder most-moves 23 --timeout 30 --json > answer.json
  ponder most-moves 23 --from answer.json --json > better.json
  ponder verify 23 answer.json
  ponder most-moves --upto 49 --timeout 60 --table most_moves.csv

The number is the covering radius of the code of quiet patterns. The lower bound is a board, given
by one of its lightest press sets. The upper bound is a count of the bulbs by type, with a proof by
congruences where that is not enough (docs/theory.md, 8.5).
Exit codes: 0 both bounds are printed, 2 bad input, 3 not in time, 130 interrupted.
"""
)
def command(
    file: str | None = argument("[SIZE]"),
    header: options.Header = gathered(options.Header),
    upto: int | None = option(
        "--upto N", "All squares to N×N, in a --table.", type=options.Whole(1, 1000)
    ),
    table: str | None = option(
        "--table FILE",
        "The file of the table (CSV); an existing table is continued.",
    ),
    earlier: str | None = option("--from RESULT", "Begin with the board of a result."),
    seed: int = options.seed_option,
    as_json: bool = options.json_option,
    timeout: float | None = options.timeout_option,
    quiet: bool = options.quiet_option,
) -> int:
    """Bound the most moves of a SIZE (N or RxC), or of the shape of a board FILE."""
    from ponder.lights_out.most_moves import most_moves
    from ponder.model import render

    if (file is None) == (upto is None) or (upto is None) != (table is None):
        raise click.UsageError("name a SIZE, or --upto with --table")
    if table is not None and upto is not None:
        if earlier is not None or as_json:
            raise click.UsageError("--upto excludes --from and --json")
        options.check_file(table)
        with Progress(quiet) as progress:
            lines = grow(table, header.pattern_for("plus"), upto, timeout, seed, progress.say)
        say(f"{line.n}×{line.n}: {_bounds(line.lower, line.upper)}" for line in lines)
        return 0
    clock = Limits(timeout)
    board = options.dark_board(str(file), header, clock)
    known = _known(earlier, board)
    with Progress(quiet) as progress:
        found = most_moves(board.graph, clock, seed, progress.say, known)
    if as_json:
        click.echo(json.dumps(content_of(found)))
        return 0
    if not found.optimal and (lacking := without_ortools()) is not None:
        remark(lacking)
    bulbs, nullity = pluralise(board.graph.size, "bulb"), len(found.types.basis)
    say([render.shape_text(board.graph)])
    say([f"most moves: {_bounds(found.lower, found.upper)} ({bulbs}, nullity {nullity})"])
    say(["", f"a board that needs {found.lower}, by a lightest press set:", ""])
    say(drawn(board, lit=~board.graph.apply(found.press_set), marked=found.press_set))
    say(legend("bulbs of the press set, lit and unlit"))
    return 0


def _bounds(lower: int, upper: int) -> str:
    return f"{lower}" if lower == upper else f"{lower} to {upper}"


def _known(earlier: str | None, board: Board) -> Bits | None:
    from ponder.check.fields import some_bulbs
    from ponder.check.most_moves import SCHEMA

    if earlier is None:
        return None
    data, source = read_bytes(earlier)
    content = parse_result(data, source, (SCHEMA,))
    try:
        bulbs = some_bulbs(board, (content or {}).get("press_set"), "press_set")
        return board.graph.set_of(bulbs)
    except CheckFailed as reason:
        raise PonderError(f"{source}: {reason}") from None


def content_of(found: MostMoves) -> Json:
    """Return both bounds and their evidence as a JSON object."""
    import numpy as np

    from ponder.check.most_moves import SCHEMA
    from ponder.model.graph import GridGraph

    graph = found.types.graph
    content: Json = {"schema": SCHEMA}
    evidence: Json = {"kind": found.upper_by}
    if found.tree is not None:
        evidence = found.tree.to_json(found.types)
    elif found.named is not None:
        evidence["bulbs"] = graph.labels(found.named)
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
        "evidence": evidence,
    }


class Line(NamedTuple):
    """One square; `press_set` as `packed` writes it."""

    n: int
    bulbs: int
    nullity: int
    lower: int
    upper: int
    upper_by: str
    press_set: str


def packed(presses: Bits) -> str:
    """Return a press set as hexadecimal digits, the first bulb in the highest bit."""
    number = int("0" + "".join("01"[int(bit)] for bit in presses), 2)
    return f"{number:0{(presses.size + 3) // 4}x}"


def unpacked(digits: str, bulbs: int) -> Bits:
    """Return the press set that `packed` wrote. Raises ValueError for anything else."""
    import numpy as np

    number = int(digits, 16)
    if number < 0 or number >> bulbs:
        raise ValueError("too many presses")
    return np.array([bit == "1" for bit in f"{number:0{bulbs}b}"], dtype=np.bool_)


def read_table(text: str, source: str) -> dict[int, Line]:
    """Return the lines of a table. Raises BoardError with the line and the reason."""
    lines: dict[int, Line] = {}
    for number, row in enumerate(csv.reader(io.StringIO(text)), start=1):
        if not row or row[0].startswith("#") or tuple(row) == Line._fields:
            continue
        try:
            n, bulbs, nullity, lower, upper = map(int, row[:5])
            unpacked(row[6], bulbs)
            if bulbs != n * n or len(row) != len(Line._fields):
                raise ValueError
        except (ValueError, IndexError):
            raise BoardError("not a line of a table of most moves", source, number) from None
        lines[n] = Line(n, bulbs, nullity, lower, upper, row[5], row[6])
    return lines


def grow(
    file: str, pattern: str, top: int, timeout: float | None, seed: int, told: Told
) -> list[Line]:
    """Make or better the table in a file, square by square, and return its lines up to `top`."""
    from ponder.lights_out.most_moves import most_moves
    from ponder.lights_out.nullities import full_graph

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
            told(f"{n}×{n}: {text}")

        try:
            found = most_moves(graph, Limits(timeout), seed, said, known)
        except (TimeUp, PonderError) as reason:
            told(f"{n}×{n}: {reason}")
            continue
        above, below = (found.upper, found.upper_by), (found.lower, packed(found.press_set))
        if old is not None and old.upper < found.upper:  # not done again in this run
            above = old.upper, old.upper_by
        if old is not None and old.lower > found.lower:  # no time even to look at it again
            below = old.lower, old.press_set
        lines[n] = Line(n, n * n, len(found.types.basis), below[0], *above, below[1])
        with whole_file(file) as out:
            out.write(f"# {remark}\n")
            table = csv.writer(out, lineterminator="\n")
            table.writerows([Line._fields, *(lines[at] for at in sorted(lines))])
    return [lines[n] for n in sorted(lines) if n <= top]
