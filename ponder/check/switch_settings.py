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
between. The first adds its D_j and μ, the second its D_j, and both count their odd rows, each worth
2μ: `ponder.check.meet_in_the_middle` finds all settings with a large g. They are sorted (theory
§4.10). Sums: |D_j| ≤ R and |μ| ≤ R, and `most` is a number of presses (`fields.amount`).

Cost: O(2^(R/2)·C), and some 20 ns for each pair, of which random boards have about 2^(0.7·R):
31×31 0.1 s, 35×35 0.5 s, 41×41 3 to 20 s. How many there are is counted before the work is begun.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ponder.check.limits import MOST_NUMBER, Budget, TooLarge
from ponder.check.meet_in_the_middle import Part, demand, reaching
from ponder.types import Bits, Ints

IMPOSSIBLE = MOST_NUMBER
"""The cost of what cannot be done."""
MOST_FREE = 62
"""Rows that are switched freely: the number of a setting fits 64 bits."""

_NS_SORTED = 10  # nanoseconds for a column of a setting whose columns are sorted
_SAMPLE = 256


@dataclass(frozen=True, eq=False)
class SwitchSettings:
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
        height, width = self.even.shape
        low = self.free // 2
        demand(width, self.free - low, budget)
        between = self._part(slice(low, self.free), 0, price)
        for parity in (0, 1):
            there = np.flatnonzero(_odd_ones(between.numbers) == parity)
            second = between.of_these(there)
            second = replace(second, numbers=second.numbers << low)
            first = self._first(low, parity, price)
            exact = max(1, width // (3 if width < 2 * height else 2))
            for numbers, sums, odd in reaching(first, second, needed, exact, budget, 2 * price):
                yield numbers, sums - price, odd

    def _part(self, rows: slice, shift: int, price: int) -> Part:
        """Return all switches of some rows, `shift` added, with their odd rows counted."""
        height, width = self.even.shape
        options = np.stack([self.signs[rows], -self.signs[rows]], axis=1)
        start = np.full(width, shift, dtype=np.int64)
        part = Part.of(options, start, height + abs(price))
        odd = np.zeros(1, dtype=np.int64)
        for parity in self.odd_rows[rows].tolist():
            odd = np.concatenate([odd + parity, odd + 1 - parity])
        return replace(part, counted=odd)

    def _first(self, low: int, parity: int, price: int) -> Part:
        """Return all switches of the first rows, the price added; the last row makes u even."""
        part = self._part(slice(0, low), price, price)
        last = _odd_ones(part.numbers) ^ parity
        column = self.signs[-1][:, None].astype(part.sums.dtype)
        sums = part.sums + np.where(last, -column, column)
        return replace(part, sums=sums, counted=part.counted + (last ^ int(self.odd_rows[-1])))

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


def _odd_ones(numbers: Ints) -> Ints:
    """Return the parity of the ones of each number.

    >>> _odd_ones(np.array([0, 1, 2, 3, 7])).tolist()
    [0, 1, 1, 0, 1]
    """
    odd = numbers.copy()
    for shift in (32, 16, 8, 4, 2, 1):
        odd ^= odd >> shift
    return odd & 1
