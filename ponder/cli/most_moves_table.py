"""`ponder most-moves --upto N`: a table of all squares, kept in a file that grows better.

Each line has both bounds, how the upper one was found, and the certificate of the lower one: a
lightest press set of a board that needs so many, read row by row, 1 for a press, as a number in
hexadecimal digits. A later run begins with it, and leaves alone what is known exactly.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ponder.errors import BoardError, PonderError

if TYPE_CHECKING:
    from ponder.freeorder.most_moves import MostMoves
    from ponder.types import Bits

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
    from pathlib import Path

    from ponder.freeorder.most_moves import most_moves
    from ponder.freeorder.nullities import full_graph
    from ponder.limits import Limits, TimeUp
    from ponder.puzzle.files import read_bytes, whole_file

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
