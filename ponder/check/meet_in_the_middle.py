"""Which choices of switches make large sums: meet in the middle (theory §4.14).

The switches are split in two. The one part adds a_j to column j of a grid of signs and counts p,
the other adds b_j and counts q. With a worth w of what is counted,

    Σ |a_j + b_j| + w·(p + q) ≤ (Σ |a_j| + w·p) + (Σ |b_j| + w·q),

so that with the second part sorted by its sum each member of the first goes with a prefix of it. Of
these pairs some columns are added up exactly, the rest bounded as before, and the pairs that are
left are added up in full.

Sums over columns are no larger than twice the number of bulbs; those of a few fit bytes where
`absolute` says so. Cost: O(N·C) for a part of N members, some 20 ns for each pair.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ponder.check.caps import TooLarge, demand
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Ints, indices

Sums: TypeAlias = NDArray[np.signedinteger[Any]]

MOST_TABLE = 1 << 27  # the largest number of sums that a part may have: bytes, four times over
MOST_BITS = 62  # the numbers of choices fit 64 bits
_AT_A_TIME, _SUMS = 1 << 15, 1 << 22  # pairs that are looked at together, and their sums


@dataclass(frozen=True, eq=False)
class PartChoices:
    """One part's choices: their numbers (N,), the sums (C, N) that they make, what they count (N,).

    No sum is larger than `highest`, nor one of a pair of parts that share it.
    """

    numbers: Ints
    sums: Sums
    counted: Ints
    highest: int

    @classmethod
    def of(cls, options: Sums, start: Sums, highest: int) -> PartChoices:
        """Return all choices of one option a line, (m, A, C), added to `start` (C,)."""
        sums: Sums = start[:, None].astype(np.int8 if highest < 128 else np.int32)
        for line in options.astype(sums.dtype):
            sums = np.concatenate([sums + option[:, None] for option in line], axis=1)
        numbers = np.arange(sums.shape[1], dtype=np.int64)
        return cls(numbers, sums, np.zeros_like(numbers), highest)

    def of_these(self, at: Ints) -> PartChoices:
        """Return some of the choices."""
        sums = np.take(self.sums, indices(at), axis=1)
        return PartChoices(self.numbers[at], sums, self.counted[at], self.highest)

    def sizes(self, start: int, worth: int) -> Ints:
        """Return Σ |sum| over the columns from `start` on, and the worth of what is counted."""
        return self.absolute(self.sums[start:]) + worth * self.counted

    def absolute(self, sums: Sums) -> Ints:
        """Return Σ|·| over the columns, in bytes as long as these suffice."""
        small = sums.dtype == np.int8
        together = 255 // max(1, self.highest) if small else max(1, len(sums))
        total = np.zeros(sums.shape[1:], dtype=np.int64)
        for start in range(0, len(sums), together):
            size = np.abs(sums[start : start + together])
            size = size.view(np.uint8) if small else size
            total += np.add.reduce(size, axis=0, dtype=size.dtype)
        return total


def demand_part(columns: int, bits: int) -> None:
    """Hold a part of 2^bits members against the caps. Raises TooLarge."""
    if bits > MOST_BITS:
        raise TooLarge(f"2^{bits} choices of the switches are too many to go through")
    demand(columns << bits, MOST_TABLE, "sums of half the switches")


def reaching(
    first: PartChoices,
    second: PartChoices,
    needed: int,
    exact: int,
    limits: Limits = NEVER,
    worth: int = 1,
) -> Iterator[tuple[Ints, Ints, Ints]]:
    """Yield the pairs with Σ_j |sum| + worth·(what they count) ≥ needed.

    Numbers, (N,) ascending in a chunk: those of both parts added; sums, (N, C); what they count.
    Of each pair `exact` columns are added up first. Raises TimeUp.
    """
    first, second = (
        part.of_these(np.argsort(-part.sizes(0, worth), kind="stable")) for part in (first, second)
    )
    prefix = np.searchsorted(-second.sizes(0, worth), first.sizes(0, worth) - needed, side="right")
    rests = [part.sizes(exact, worth) for part in (first, second)]
    together = max(1, min(_AT_A_TIME, _SUMS // max(1, len(first.sums))))
    row = 0
    while row < prefix.size and prefix[row]:
        end = row + max(1, together // int(prefix[row]))
        for start in range(0, int(prefix[row]), together):
            limits.check()
            stop = min(start + together, int(prefix[row]))
            sums = first.sums[:exact, row:end, None] + second.sums[:exact, None, start:stop]
            total = first.absolute(sums) + rests[1][start:stop]
            i, k = np.nonzero(total + (rests[0][row:end, None] - needed) >= 0)
            if i.size:
                yield from _whole(first, second, i + row, k + start, needed, worth)
        row = end


def _whole(
    first: PartChoices, second: PartChoices, i: Ints, k: Ints, needed: int, worth: int
) -> Iterator[tuple[Ints, Ints, Ints]]:
    """Yield those of some pairs that have what is needed on all columns."""
    sums = first.sums[:, i].astype(np.int64) + second.sums[:, k]
    counted = first.counted[i] + second.counted[k]
    left = np.flatnonzero(np.abs(sums).sum(axis=0, dtype=np.int64) + worth * counted >= needed)
    if left.size:
        numbers = first.numbers[i[left]] + second.numbers[k[left]]
        ascending = np.argsort(numbers)
        left = left[ascending]
        yield numbers[ascending], sums[:, left].T, counted[left]
