"""All choices of signs whose sums are large: a search in two halves.

Idea (theory §4.14). Given are signs M (R × C). Every choice of signs u for the rows has the sums
w_j = Σ_i u_i·M_ij, a shift μ added, and asked for are the u with

    Σ_j |w_j| + β(u) ≥ g,        β linear in u.

Split the rows into two halves, the one with the sums a_j (μ included) and β₁, the other with b_j
and β₂. By the triangle inequality, for every set J of columns

    Σ_j |a_j + b_j| + β₁ + β₂ ≤ Σ_{j∈J} |a_j + b_j| + rest(a) + rest(b),
    rest(a) = Σ_{j∉J} |a_j| + β₁,   rest(b) = Σ_{j∉J} |b_j| + β₂.

With J = ∅ and both halves sorted by `rest`, every member of the one goes with a prefix of the
other. The pairs that are left are added up on some first columns J, by array operations; the few
that pass this as well are added up in full. How many columns, a sample says.

Letters: M, u, w, μ, β, g, a, b, J as above.
Cost: 2^(R/2)·C for the halves, 1 ms to 1 s; then about 10 ns for a pair. Random signs, g near the
largest: 31 × 31 10⁷ pairs, 41 × 41 10⁸ to 10⁹ (of 2³⁰ and 2⁴⁰ choices), |J| a third of the columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ponder.limits import NEVER, Limits
from ponder.types import Ints

MOST_SUMS = 2**29
"""The bytes that the sums of the larger half may take; both take twice as much in all."""
MOST_ROWS = 62
TOGETHER = 2**15
"""How many pairs are looked at in one array operation, fewer where more columns are added up."""
SAMPLE = 2**12
"""How many pairs tell how many columns to add up first."""
MOST_SUMMED = 2**19
"""How many sums are made in one array operation, at most."""
GATHERED = 16
"""What a column of a single pair costs, if that of one among many costs 1."""


def halves_fit(shape: tuple[int, int]) -> bool:
    """Tell whether there is memory for the halves of R × C signs, and whether sums fit a byte."""
    rows, columns = shape
    return rows <= MOST_ROWS and columns << (rows + 1) // 2 <= MOST_SUMS


@dataclass(frozen=True, eq=False)
class Half:
    """The sign choices of some of the rows, or a part of these choices.

    `codes`    (N,) bit i says that row i is subtracted, counted from the first of these rows
    `sums`     (C, N) the sums, with μ in one of the halves
    `beta`     (N,) what else the choice adds
    `size`     (N,) Σ|sums| + beta, descending
    """

    codes: Ints
    sums: NDArray[np.int8]
    beta: NDArray[np.int32]
    size: NDArray[np.int32]

    @classmethod
    def of(
        cls,
        signs: NDArray[np.int8],
        beta: NDArray[np.int32],
        codes: Ints,
        shift: int = 0,
        limits: Limits = NEVER,
    ) -> Half:
        """Return the choices with these codes; signs (m, C), beta (2^m,). TimeUp."""
        columns = signs.shape[1]
        sums = np.empty((columns, codes.size), dtype=np.int8)
        size = beta[codes]
        for first in range(0, columns, 8):  # columns are few at a time, for the limits and memory
            limits.check()
            some = slice(first, first + 8)
            np.take(signed_sums(signs[:, some], shift), codes, axis=1, out=sums[some])
            size += absolute_sum(sums[some], len(signs) + abs(shift))
        limits.check()
        order = np.argsort(-size, kind="stable")
        for column in sums:  # the members of a column stay side by side
            limits.check()
            column[:] = column[order]
        return cls(codes[order], sums, beta[codes[order]], size[order])

    def rest(self, first: int, highest: int) -> NDArray[np.int32]:
        """Return what the columns from `first` on add at most. (N,)."""
        return absolute_sum(self.sums[first:], highest) + self.beta

    def prefixes(self, needed: NDArray[np.int32]) -> Ints:
        """Return how many members have a size that is at least so much."""
        return np.searchsorted(-self.size, -needed, side="right")


@dataclass(frozen=True, eq=False)
class Pair:
    """Two halves, of which all pairs are looked at; `highest`: no |w_j| is larger."""

    outer: Half
    inner: Half
    highest: int

    def count(self, needed: int) -> int:
        """Return how many pairs may reach what is needed, by the sums of all columns."""
        return int(self.inner.prefixes(needed - self.outer.size).sum())

    def scan(self, needed: Callable[[], int]) -> Iterator[tuple[int, Ints, Ints]]:
        """Yield, batch by batch, how many pairs it had and the codes of those that reach needed().

        No pair that reaches the last needed() is left out; that may only grow.
        """
        outer, inner = self.outer, self.inner
        first = self._first_columns(needed())
        rests = outer.rest(first, self.highest), inner.rest(first, self.highest)
        together = max(2**8, min(TOGETHER, MOST_SUMMED // first))  # sums that fit a cache
        at = 0
        while at < outer.codes.size:
            least = needed()
            width = int(inner.prefixes(np.array([least - outer.size[at]]))[0])
            if not width:
                break
            height = max(1, together // width)
            block = slice(at, at + height)
            for start in range(0, width, together):
                part = slice(start, min(start + together, width))
                pairs = min(height, outer.codes.size - at) * (part.stop - start)
                i, k = self._reaching(rests, block, part, first, least)
                yield pairs, outer.codes[i], inner.codes[k]
            at += height

    def _first_columns(self, needed: int) -> int:
        """Return on how many columns to add up a pair first, by a sample of those not yet out."""
        outer, inner, columns = self.outer, self.inner, len(self.outer.sums)
        prefixes = inner.prefixes(needed - outer.size)
        ends = np.cumsum(prefixes)
        if not ends.size or not ends[-1]:
            return columns
        size = max(64, min(SAMPLE, MOST_SUMMED // columns))
        draws = np.random.default_rng(0).integers(0, ends[-1], size)
        i = np.searchsorted(ends, draws, side="right")
        k = draws - (ends - prefixes)[i]
        a, b = outer.sums[:, i].astype(np.int32), inner.sums[:, k].astype(np.int32)
        apart = np.abs(a) + np.abs(b)
        upper = outer.size[i] + inner.size[k] - np.cumsum(apart - np.abs(a + b), axis=0)
        passed = np.count_nonzero(upper >= needed, axis=1) / size
        counted = np.arange(1, columns + 1)
        return int(counted[np.argmin(counted + passed * (columns - counted) * GATHERED)])

    def _reaching(
        self,
        rests: tuple[NDArray[np.int32], NDArray[np.int32]],
        block: slice,
        part: slice,
        first: int,
        needed: int,
    ) -> tuple[Ints, Ints]:
        """Return the pairs of a block and a part that have what is needed, as two index arrays."""
        outer, inner = self.outer, self.inner
        sums = outer.sums[:first, block, None] + inner.sums[:first, None, part]
        total = absolute_sum(sums, self.highest)
        total += rests[0][block, None] - np.int32(needed)
        total += rests[1][part]
        i, k = np.nonzero(total >= 0)
        total = total[i, k]
        i, k = i + block.start, k + part.start
        if i.size and first < len(outer.sums):
            a, b = outer.sums[first:, i], inner.sums[first:, k]
            for one in (a, b):
                total -= absolute_sum(one, self.highest)
            total += absolute_sum(a + b, self.highest)
            i, k = i[total >= 0], k[total >= 0]
        return i, k


def codes_of_parity(count: int, parity: bool) -> Ints:
    """Return the codes of an even number of `count` rows, or of an odd one.

    >>> codes_of_parity(3, True).tolist()
    [1, 2, 4, 7]
    """
    odd = np.zeros(1, dtype=np.bool_)
    for _ in range(count):
        odd = np.concatenate([odd, ~odd])
    return np.flatnonzero(odd == parity)


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


def signed_sums(signs: NDArray[np.int8], shift: int = 0) -> NDArray[np.int8]:
    """Return the shift ± the rows of `signs`, summed in all combinations: (m, C) -> (C, 2^m).

    Bit i of the combination's number says that row i is subtracted.

    >>> signed_sums(np.array([[1], [3]], dtype=np.int8)).tolist()
    [[4, 2, -2, -4]]
    """
    sums = np.full((signs.shape[1], 1), shift, dtype=np.int8)
    for row in signs[:, :, None]:
        sums = np.concatenate([sums + row, sums - row], axis=1)
    return np.ascontiguousarray(sums)
