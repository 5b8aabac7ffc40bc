"""Full rectangles with two odd sides: the settings of the rows whose count bound is too small.

A setting is an even number of row switches u; in it every column may be even, with e presses, or
odd, with D = R − 2e presses more, D_j = Σ_i u_i·M_ij for signs u and M (see `check.switches`).
Its *count bound*, the least |x| + |k − |p|| over k odd columns (`order`: the least |x| with
k = |p|), is found by sorting the D_j.

*Priced.* Any k odd columns cost at least Σ min(e, e + D + μ) − μ·k, for k = |p| (`order`), or as
|k − |p|| ≥ μ·(k − |p|) for |μ| ≤ 1 (`solve`). So the count bound is at least

    ⌊(C(R + μ) − g)/2⌋,    g = Σ_j |D_j + μ| + 2μ·|p|,

and a setting whose g is less than C(R + μ) − 2·most − 1 costs more than `most`.

*Two halves.* u is split in two: some first rows and the last one, which makes u even; and the rows
between. With the sums a_j (and μ), b_j of either part and the odd rows p, q among them

    g = Σ |a_j + b_j| + 2μ(p + q) ≤ (Σ |a_j| + 2μp) + (Σ |b_j| + 2μq),

so that with the second part sorted by its sum each member of the first goes with a prefix of it.
Of these pairs a third of the columns (or half of many) is added up exactly, the rest bounded as
before, and the pairs that are left are sorted (theory §4.10, §4.14). No setting is left out that
the bound does not refuse.

Sums: |D_j| ≤ R and |μ| ≤ R, so sums over columns are below 2·RC, those of a few columns fit bytes
where `_absolute` says so, and `most` is a number of presses (`fields.amount`).

Cost: O(2^(R/2)·C), and some 20 ns for each pair, of which random boards have about 2^(0.7·R):
31×31 0.1 s, 35×35 0.5 s, 41×41 3 to 20 s. How many there are is counted before the work is begun.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ponder.check.limits import MOST_NUMBER, Budget, TooLarge
from ponder.types import Bits, Ints

IMPOSSIBLE = MOST_NUMBER
"""The cost of what cannot be done."""
MOST_TABLE = 1 << 29
"""The largest number of sums that a half may have: bytes, four times over."""
MOST_FREE = 62
"""Rows that are switched freely: the number of a setting fits 64 bits."""

_NS_PAIR = 24  # nanoseconds for a pair of halves on which the columns are added up
_NS_SUM = 12  # … for a sum in a half
_NS_COLUMN = 8  # … for a column of a pair that is left
_NS_SORTED = 10  # … for a column of a setting whose columns are sorted
_AT_A_TIME = 1 << 15
_SAMPLE = 256


@dataclass(frozen=True, eq=False)
class Part:
    """One half's switches: their numbers, the sums (C, N) that they make, and the odd rows (N,)."""

    numbers: Ints
    sums: NDArray[Any]
    odd: Ints

    def sorted_by(self, key: Ints) -> Part:
        """Return the same with the largest key first."""
        at = np.argsort(-key, kind="stable")
        return Part(self.numbers[at], np.take(self.sums, at, axis=1), self.odd[at])


@dataclass(frozen=True, eq=False)
class Settings:
    """All settings: a press set with even columns, its odd rows, how many rows are switched freely.

    `command` is `order` or `solve`: whether k = |p| is asked for.
    """

    even: Bits
    odd_rows: Bits
    free: int
    command: str

    def __post_init__(self) -> None:
        """Refuse (TooLarge) settings whose numbers would not fit an array."""
        if self.free > MOST_FREE:
            raise TooLarge(f"2^{self.free} settings of the switches are too many to go through")

    @property
    def signs(self) -> NDArray[np.int8]:
        """+1 without a press, −1 with one. (R, C)."""
        return np.where(self.even, -1, 1).astype(np.int8)

    def cheap(self, most: int, budget: Budget) -> Iterator[tuple[Ints, Ints]]:
        """Yield the settings whose count bound may be at most `most`, and their count bounds.

        Bit i of a setting's number says that row i is switched. Numbers ascend in a chunk.
        """
        if not self.free:
            extra = self.signs.sum(axis=0, dtype=np.int64)[None]
            odd = np.array([np.count_nonzero(self.odd_rows)], dtype=np.int64)
            yield np.zeros(1, dtype=np.int64), self._count_bounds(extra, odd)
            return
        height, width = self.even.shape
        price = self._best_price(most)
        needed = width * (height + price) - 2 * most - 1
        for numbers, extra, odd in self.reaching(price, needed, budget):
            work = _NS_SORTED * int(extra.size)
            budget.spend(work, "sorting the columns of cheap settings")
            yield numbers, self._count_bounds(extra, odd)

    def reaching(
        self, price: int, needed: int, budget: Budget
    ) -> Iterator[tuple[Ints, Ints, Ints]]:
        """Yield the settings with Σ_j |D_j + μ| + 2μ·|p| ≥ needed, their D (N, C) and |p|."""
        width = self.even.shape[1]
        low = self.free // 2
        budget.demand(width << (self.free - low), MOST_TABLE, "sums of half the switches")
        budget.hold(16 * _AT_A_TIME * width, "pairs of settings of the switches")
        budget.spend(_NS_SUM * (width << (self.free - low)), "adding up half of the switches")
        between = self._part(slice(low, self.free), self.free - low, 0)
        count = between.numbers
        for parity in (0, 1):
            there = np.flatnonzero(_odd_ones(count) == parity)
            first = self._first(low, parity, price)
            second = Part(count[there], np.take(between.sums, there, axis=1), between.odd[there])
            yield from self._pairs(first, second, (low, price, needed), budget)

    def _part(self, rows: slice, size: int, shift: int) -> Part:
        """Return all switches of some rows."""
        numbers = np.arange(1 << size, dtype=np.int64)
        sums = np.full((self.even.shape[1], 1), shift, dtype=_byte(len(self.even)))
        odd = np.zeros(1, dtype=np.int64)
        for signs, parity in zip(self.signs[rows], self.odd_rows[rows].tolist(), strict=True):
            column = signs[:, None].astype(sums.dtype)
            sums = np.concatenate([sums + column, sums - column], axis=1)
            odd = np.concatenate([odd + parity, odd + 1 - parity])
        return Part(numbers, sums, odd)

    def _first(self, low: int, parity: int, price: int) -> Part:
        """Return all switches of the first rows, the price added; the last row makes u even."""
        part = self._part(slice(0, low), low, price)
        last = _odd_ones(part.numbers) ^ parity
        column = self.signs[-1][:, None].astype(part.sums.dtype)
        sums = part.sums + np.where(last, -column, column)
        return Part(part.numbers, sums, part.odd + (last ^ int(self.odd_rows[-1])))

    def _pairs(
        self, first: Part, second: Part, what: tuple[int, int, int], budget: Budget
    ) -> Iterator[tuple[Ints, Ints, Ints]]:
        """Yield the settings of the pairs that have what is needed."""
        low, price, needed = what
        first = first.sorted_by(self._sizes(first, 0, price))
        second = second.sorted_by(self._sizes(second, 0, price))
        of_first, of_second = self._sizes(first, 0, price), self._sizes(second, 0, price)
        prefix = np.searchsorted(-of_second, of_first - needed, side="right")
        pairs = int(prefix.sum(dtype=np.int64))
        budget.spend(_NS_PAIR * pairs, f"going through {pairs:,} pairs of settings of the switches")
        height, width = self.even.shape
        exact = max(1, width // (3 if width < 2 * height else 2))
        rests = [self._sizes(part, exact, price) for part in (first, second)]
        row = 0
        while row < prefix.size and prefix[row]:
            end = row + max(1, _AT_A_TIME // int(prefix[row]))
            for start in range(0, int(prefix[row]), _AT_A_TIME):
                stop = min(start + _AT_A_TIME, int(prefix[row]))
                sums = first.sums[:exact, row:end, None] + second.sums[:exact, None, start:stop]
                total = self._absolute(sums, price) + rests[1][start:stop]
                i, k = np.nonzero(total + (rests[0][row:end, None] - needed) >= 0)
                if i.size:
                    i, k = i + row, k + start
                    budget.spend(_NS_COLUMN * width * i.size, "adding up the pairs that are left")
                    yield from self._whole(first, second, i, k, (low, price, needed))
            row = end

    def _whole(
        self, first: Part, second: Part, i: Ints, k: Ints, what: tuple[int, int, int]
    ) -> Iterator[tuple[Ints, Ints, Ints]]:
        """Yield those of some pairs that have what is needed on all columns."""
        low, price, needed = what
        extra = first.sums[:, i].astype(np.int64) + second.sums[:, k]
        odd = first.odd[i] + second.odd[k]
        size = np.abs(extra).sum(axis=0, dtype=np.int64)
        left = np.flatnonzero(size + 2 * price * odd >= needed)
        if left.size:
            numbers = first.numbers[i[left]] | second.numbers[k[left]] << low
            ascending = np.argsort(numbers)
            left = left[ascending]
            yield numbers[ascending], extra[:, left].T - price, odd[left]

    def _sizes(self, part: Part, start: int, price: int) -> Ints:
        """Return Σ |sum| over the columns from `start` on, with the price of the odd rows."""
        return self._absolute(part.sums[start:], price) + 2 * price * part.odd

    def _absolute(self, sums: NDArray[Any], price: int) -> Ints:
        """Return Σ|·| over the columns, in bytes as long as these suffice."""
        size, together = np.abs(sums), max(1, len(sums))
        if size.dtype == np.int8:
            size, together = size.view(np.uint8), 255 // (len(self.even) + abs(price))
        total = np.zeros(size.shape[1:], dtype=np.int64)
        for start in range(0, len(size), together):
            total += np.add.reduce(size[start : start + together], axis=0, dtype=size.dtype)
        return total

    def _best_price(self, most: int) -> int:
        """Return the price μ that leaves the fewest settings to be sorted, by a sample of them.

        Their bounds are about normally distributed: `most` should lie as many standard deviations
        below the mean as possible.
        """
        height, width = self.even.shape
        u = np.random.default_rng(0).integers(0, 2, (_SAMPLE, height), dtype=np.int8) == 1
        u[:, -1] ^= np.bitwise_xor.reduce(u, axis=1)
        extra = self.signs.T.astype(np.int64) @ np.where(u, -1, 1).T.astype(np.int64)
        odd_rows = np.count_nonzero(u ^ self.odd_rows, axis=1).astype(np.int64)

        def depth(price: int) -> Fraction:
            total = np.abs(extra + price).sum(axis=0, dtype=np.int64) + 2 * price * odd_rows
            priced = ((width * (height + price) - total) // 2).tolist()
            below = sum(priced) - _SAMPLE * most
            spread = _SAMPLE * sum(x * x for x in priced) - sum(priced) ** 2
            return Fraction(below * abs(below), spread + 1)

        highest = height if self.command == "order" else 1
        return max(sorted(range(-highest, highest + 1), key=abs), key=depth)

    def _count_bounds(self, extra: Ints, odd_rows: Ints) -> Ints:
        """Return the count bound of each setting. (N, C), (N,) -> (N,).

        `extra` is what the odd state of each column costs more: R − 2e.
        """
        height, width = self.even.shape
        least = np.zeros((len(extra), width + 1), dtype=np.int64)
        np.cumsum(np.sort(extra, axis=1), axis=1, out=least[:, 1:])
        least += ((height - extra) // 2).sum(axis=1, dtype=np.int64)[:, None]
        if self.command == "order":
            at = np.take_along_axis(least, np.minimum(odd_rows, width)[:, None], axis=1)[:, 0]
            return np.where(odd_rows <= width, at, IMPOSSIBLE)
        apart = np.abs(np.arange(width + 1, dtype=np.int64) - odd_rows[:, None])
        return np.asarray(np.where(apart % 2, IMPOSSIBLE, least + apart).min(axis=1))


def _byte(height: int) -> type[np.signedinteger[Any]]:
    """Return what holds a sum over the rows, with a price added: at most twice their number."""
    return np.int8 if 2 * height < 128 else np.int32


def _odd_ones(numbers: Ints) -> Ints:
    """Return the parity of the ones of each number.

    >>> _odd_ones(np.array([0, 1, 2, 3, 7])).tolist()
    [0, 1, 1, 0, 1]
    """
    odd = numbers.copy()
    for shift in (32, 16, 8, 4, 2, 1):
        odd ^= odd >> shift
    return odd & 1
