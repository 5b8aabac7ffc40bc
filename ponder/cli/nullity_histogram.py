"""`ponder nullity --histogram`: how many sizes have each nullity, and where they lie.

One line for each nullity: how many sizes have it, the first and the last of them, and the residues
of their longer sides modulo 6 — for squares of nullity 2 on the plus pattern only 5 is known to
occur (theory §8.3).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ponder.types import Json

MODULUS = 6

HEADER = ("nullity", "sizes", "first", "last", f"residues_mod_{MODULUS}")

Line = tuple[int, int, int]
"""Rows, columns, nullity."""


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


def histogram(lines: list[Line]) -> list[Bin]:
    """Return the nullities that occur, ascending.

    >>> [one.fields() for one in histogram([(4, 4, 4), (5, 5, 2), (17, 17, 2)])]
    [('2', '2', '5x5', '17x17', '5'), ('4', '1', '4x4', '4x4', '4')]
    """
    bins: dict[int, Bin] = {}
    for rows, columns, nullity in lines:
        bins.setdefault(nullity, Bin(nullity)).add(rows, columns)
    return [bins[nullity] for nullity in sorted(bins)]


def table(bins: list[Bin]) -> list[str]:
    """Return the lines of a table for people.

    >>> table(histogram([(4, 4, 4), (5, 5, 2), (17, 17, 2)]))[1]
    '      2      2    5x5  17x17  5'
    """
    rows: list[tuple[str, ...]] = [("nullity", "sizes", "first", "last", f"residues mod {MODULUS}")]
    rows += [one.fields() for one in bins]
    widths = [max(len(row[k]) for row in rows) for k in range(4)]
    return [
        "  ".join([*(f"{row[k]:>{widths[k]}}" for k in range(4)), row[4]]).rstrip() for row in rows
    ]
