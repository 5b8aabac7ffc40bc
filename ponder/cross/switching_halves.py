"""Odd-sized row/column boards: a search in two halves for the few settings that may be cheap.

Idea (theory §4.10, §4.14). Put a multiplier μ on the constraint k_c = k_r: |μ| ≤ 1, or any μ if
every bulb is pressed at most once. Then the count bound of a setting (`switching_count`) is at
least, without any sorting,

    (C·(R + μ) − μ·R − g)/2,        g = Σ_j |D_j + μ| − μ·Σ_i ±1,

and a setting matters only if its g is large. The D_j and the last sum are linear in the signs of
u. Split the rows into two halves, the one with the sums a_j (μ included) and α, the other with b_j
and β. For every set J of columns

    g = Σ_j |a_j + b_j| − μ(α + β)  ≤  Σ_{j∈J} |a_j + b_j| + rest(a) + rest(b),
    rest(a) = Σ_{j∉J} |a_j| − μα,   rest(b) = Σ_{j∉J} |b_j| − μβ.

With J = ∅ and both halves sorted by `rest`, every member of the one goes with a prefix of the
other. The pairs that are left are added up on some first columns J, by array operations; the few
that pass this as well are added up in full. How many columns, a sample says.

Letters: as in `ponder.cross.switching_rectangle`; μ the multiplier (a Lagrange multiplier).
Cost: 2^(R/2)·C for the halves; then pairs·|J| additions of bytes, 0.1 ns each. Random boards: 31×31
10⁷ pairs, 41×41 10⁹ (of 2³⁰ and 2⁴⁰ settings), |J| about a quarter of the columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ponder.cross.switching_rectangle import Rectangle
from ponder.limits import NEVER, Limits
from ponder.types import Bits, Ints

MOST_SUMS = 2**29
"""The bytes that the sums of the larger half may take."""
TOGETHER = 2**15
"""How many pairs are looked at in one array operation."""
SAMPLE = 2**12
"""How many pairs tell how many columns to add up first."""
GATHERED = 16
"""What a column of a single pair costs, if that of one among many costs 1."""


def best_multiplier(rectangle: Rectangle, u: Bits, highest: int, cost: int) -> int:
    """Return the μ, |μ| ≤ highest, with which the fewest settings stay, by a sample u (N, R).

    The bounds of all settings are about normally distributed; `cost` should lie as many standard
    deviations below their mean as possible.
    """
    rows, columns = rectangle.shape
    extra = rectangle.extra(u)
    k_r = np.count_nonzero(rectangle.parities_under(u), axis=1)

    def tail(multiplier: int) -> float:
        bounds = (columns * (rows + multiplier) - np.abs(extra + multiplier).sum(axis=1)) / 2
        bounds -= multiplier * k_r
        return float((bounds.mean() - cost) / (bounds.std() + 1e-9))

    return max(sorted(range(-highest, highest + 1), key=abs), key=tail)


def halves_fit(shape: tuple[int, int]) -> bool:
    """Tell whether there is memory for the halves of an R×C board."""
    rows, columns = shape
    return columns << (rows + 1) // 2 <= MOST_SUMS and rows < 64


@dataclass(frozen=True, eq=False)
class Half:
    """The settings of some of the rows, an even number of them switched or an odd one.

    `codes`    (N,) bit i says that row i is switched, counted from the first of these rows
    `sums`     (C, N) what they add to each D_j, with μ in the first half
    `balance`  (N,) −μ·Σ ±1, + for an even row
    `all`      (N,) Σ|sums| + balance, descending
    """

    codes: Ints
    sums: NDArray[np.int8]
    balance: NDArray[np.int32]
    all: NDArray[np.int32]

    @classmethod
    def of(
        cls, signs: NDArray[np.int8], balance: NDArray[np.int8], multiplier: int, *, first: bool
    ) -> list[Half]:
        """Return both, by the parity of the switched rows; signs (m, C), balance (m,) ±1."""
        sums = signed_sums(signs)
        if first:
            sums += np.int8(multiplier)
        balances = -multiplier * signed_sums(balance[:, None])[0].astype(np.int32)
        size = absolute_sum(sums, len(signs) + abs(multiplier)) + balances
        odd = np.zeros(1, dtype=np.bool_)
        for _ in signs:
            odd = np.concatenate([odd, ~odd])
        halves = []
        for parity in (False, True):
            codes = np.flatnonzero(odd == parity)
            codes = codes[np.argsort(-size[codes], kind="stable")]
            # `take` keeps the members of one column side by side, which an index does not
            there = np.take(sums, codes, axis=1)
            halves.append(cls(codes, there, balances[codes], size[codes]))
        return halves

    def rest(self, first: int, highest: int) -> NDArray[np.int32]:
        """Return what the columns from `first` on add at most. (N,)."""
        return absolute_sum(self.sums[first:], highest) + self.balance

    def prefixes(self, needed: NDArray[np.int32]) -> Ints:
        """Return how many members have a sum of all columns that is at least so much."""
        return np.searchsorted(-self.all, -needed, side="right")


class Halves:
    """All settings of a rectangle as pairs of halves, for one multiplier."""

    def __init__(self, rectangle: Rectangle, multiplier: int, limits: Limits = NEVER) -> None:
        rows, columns = rectangle.shape
        self.rows, self.columns, self.multiplier = rows, columns, multiplier
        self.split = (rows - 1) // 2
        self.highest = rows + abs(multiplier)
        """No |D_j + μ| is larger; it must fit into a signed byte."""
        # Σ ±1 over the rows, + for p = 0, is R − 2k_r
        balance = (1 - 2 * rectangle.parities).astype(np.int8)
        split, signs = self.split, rectangle.signs
        outer = Half.of(signs[:split], balance[:split], multiplier, first=True)
        limits.check()
        inner = Half.of(signs[split:], balance[split:], multiplier, first=False)
        limits.check()
        self.pairs = list(zip(outer, inner, strict=True))
        """Even with even and odd with odd: u is even."""

    def needed(self, cost: int) -> int:
        """Return the g of a setting whose bound is less than `cost`: less by two, by parity."""
        fixed = self.columns * (self.rows + self.multiplier) - self.multiplier * self.rows
        return max(fixed - 2 * (cost - 2), -(2**30))

    def count(self, cost: int) -> int:
        """Return how many pairs may have a bound below `cost`, by the sums of all columns."""
        needed = self.needed(cost)
        return sum(int(inner.prefixes(needed - outer.all).sum()) for outer, inner in self.pairs)

    def scan(self, cost: Callable[[], int]) -> Iterator[tuple[int, Bits]]:
        """Yield, batch by batch, how many pairs it had and the settings of a bound below cost().

        The settings are rows of u, (N, R). Every setting whose bound is below the last cost() is
        among them.
        """
        for outer, inner in self.pairs:
            first = self.first_columns(outer, inner, self.needed(cost()))
            rests = outer.rest(first, self.highest), inner.rest(first, self.highest)
            at = 0
            while at < outer.codes.size:
                needed = self.needed(cost())
                width = int(inner.prefixes(np.array([needed - outer.all[at]]))[0])
                if not width:
                    break
                height = max(1, TOGETHER // width)
                block = slice(at, at + height)
                for start in range(0, width, TOGETHER):
                    part = slice(start, min(start + TOGETHER, width))
                    pairs = min(height, outer.codes.size - at) * (part.stop - start)
                    found = self._pairs(outer, inner, rests, block, part, first, needed)
                    yield pairs, self._settings(outer, inner, *found)
                at += height

    def first_columns(self, outer: Half, inner: Half, needed: int) -> int:
        """Return on how many columns to add up a pair first, by a sample of those not yet out."""
        prefixes = inner.prefixes(needed - outer.all)
        ends = np.cumsum(prefixes)
        if not ends.size or not ends[-1]:
            return self.columns
        draws = np.random.default_rng(0).integers(0, ends[-1], SAMPLE)
        i = np.searchsorted(ends, draws, side="right")
        k = draws - (ends - prefixes)[i]
        a, b = outer.sums[:, i].astype(np.int32), inner.sums[:, k].astype(np.int32)
        balance = outer.balance[i] + inner.balance[k]
        gain = np.abs(a) + np.abs(b) - np.abs(a + b)
        upper = (np.abs(a) + np.abs(b)).sum(axis=0) + balance - np.cumsum(gain, axis=0)
        passed = np.count_nonzero(upper >= needed, axis=1) / SAMPLE
        counted = np.arange(1, self.columns + 1)
        return int(counted[np.argmin(counted + passed * (self.columns - counted) * GATHERED)])

    def _pairs(
        self,
        outer: Half,
        inner: Half,
        rests: tuple[NDArray[np.int32], NDArray[np.int32]],
        block: slice,
        part: slice,
        first: int,
        needed: int,
    ) -> tuple[Ints, Ints]:
        """Return the pairs of a block and a part that have what is needed, as two index arrays."""
        sums = outer.sums[:first, block, None] + inner.sums[:first, None, part]
        total = absolute_sum(sums, self.highest)
        total += rests[0][block, None] - np.int32(needed)
        total += rests[1][part]
        i, k = np.nonzero(total >= 0)
        total = total[i, k]
        i, k = i + block.start, k + part.start
        if i.size and first < self.columns:
            a, b = outer.sums[first:, i], inner.sums[first:, k]
            for one in (np.abs(a), np.abs(b)):
                total -= absolute_sum(one, self.highest)
            total += absolute_sum(a + b, self.highest)
            i, k = i[total >= 0], k[total >= 0]
        return i, k

    def _settings(self, outer: Half, inner: Half, i: Ints, k: Ints) -> Bits:
        """Return the row switches of pairs, (N, R)."""
        codes = outer.codes[i] | inner.codes[k] << self.split
        return (codes[:, None] >> np.arange(self.rows) & 1).astype(np.bool_)


def absolute_sum(sums: NDArray[np.int8], highest: int) -> NDArray[np.int32]:
    """Return Σ|·| over the first axis; no absolute value is more than `highest`.

    As many columns as fit into a byte are added up in bytes.

    >>> absolute_sum(np.array([[1, -2], [3, 4]], dtype=np.int8), 4).tolist()
    [4, 6]
    """
    size = np.abs(sums).view(np.uint8)
    together = 255 // max(1, highest)
    total = np.zeros(sums.shape[1:], dtype=np.int32)
    for start in range(0, len(size), together):
        total += np.add.reduce(size[start : start + together], axis=0, dtype=np.uint8)
    return total


def signed_sums(signs: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return ± the rows of `signs`, summed in all combinations: (m, C) -> (C, 2^m).

    Bit i of the combination's number says that row i is subtracted.
    """
    sums = np.zeros((signs.shape[1], 1), dtype=np.int8)
    for row in signs[:, :, None]:
        sums = np.concatenate([sums + row, sums - row], axis=1)
    return np.ascontiguousarray(sums)
