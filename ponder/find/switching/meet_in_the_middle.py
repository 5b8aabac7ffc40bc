"""All choices of switches whose sums are large: meet in the middle.

Idea (theory §4.14). The switches fall into two halves, chosen independently, which add a_j and b_j
to the column j of a grid of signs, and β₁ and β₂ besides. Asked for are the pairs with

    Σ_j |a_j + b_j| + β₁ + β₂ ≥ g,      for every set J of columns at most
    Σ_{j∈J} |a_j + b_j| + rest(a) + rest(b),     rest(a) = Σ_{j∉J} |a_j| + β₁,  rest(b) likewise.

Sorted by `rest` with J = ∅, every member of the one half goes with a prefix of the other. What is
left is added up on the first half of the columns, J, and what passes in full.

Letters: C columns; N members of a half; a, b, β, g, J as above. Cost: O(N·C) for a half, and about
10 ns for a pair. Random signs, g near the largest: 31 × 31 10⁷ pairs, 41 × 41 10⁸ to 10⁹.
Reference: Horowitz, Sahni, "Computing partitions with applications to the knapsack problem", 1974.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ponder.check.meet_in_the_middle import MOST_BITS, MOST_TABLE
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Ints

TOGETHER = 2**15  # pairs in one array operation, fewer where more columns are added up
MOST_SUMMED = 2**19  # how many sums are made in one array operation, at most


def halves_fit(bits: tuple[int, int], columns: int) -> bool:
    """Tell whether there is memory for halves of 2^bits members, and whether their codes fit."""
    return sum(bits) <= MOST_BITS and columns << max(bits) <= MOST_TABLE


@dataclass(frozen=True, eq=False)
class Half:
    """Choices of some of the switches.

    `codes`    (N,) the choices, as numbered by the maker of the half
    `sums`     (C, N) what the choice adds to the columns
    `beta`     (N,) what else it adds
    `size`     (N,) Σ|sums| + beta, descending
    """

    codes: Ints
    sums: NDArray[np.int8]
    beta: NDArray[np.int32]
    size: NDArray[np.int32]

    @classmethod
    def of(
        cls,
        codes: Ints,
        sums: NDArray[np.int8],
        beta: NDArray[np.int32],
        highest: int,
        limits: Limits = NEVER,
    ) -> Half:
        """Return a half, largest first; it takes over `sums`, |sum| ≤ `highest`. Raises TimeUp."""
        limits.check()
        size = absolute_sum(sums, highest) + beta
        order = np.argsort(-size, kind="stable")
        for column in sums:  # the members of a column stay side by side
            limits.check()
            column[:] = column[order]
        return cls(codes[order], sums, beta[order], size[order])

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

    @cached_property
    def _sizes(self) -> tuple[NDArray[np.int32], Ints]:
        """The different sizes of the outer half, and how many members have each."""
        return np.unique(self.outer.size, return_counts=True)

    def count(self, needed: int) -> int:
        """Return how many pairs may reach what is needed, by the sums of all columns."""
        sizes, members = self._sizes
        return int(members @ self.inner.prefixes(needed - sizes))

    def scan(self, needed: Callable[[], int]) -> Iterator[tuple[int, Ints, Ints]]:
        """Yield, batch by batch, how many pairs it had and the codes of those that reach needed().

        No pair that reaches the last needed() is left out; that may only grow.
        """
        outer, inner = self.outer, self.inner
        first = (len(outer.sums) + 1) // 2
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
    """Return the codes of an even number of `count` rows, or of an odd one."""
    odd = np.zeros(1, dtype=np.bool_)
    for _ in range(count):
        odd = np.concatenate([odd, ~odd])
    return np.flatnonzero(odd == parity)


def absolute_sum(sums: NDArray[np.int8], highest: int) -> NDArray[np.int32]:
    """Return Σ|·| over the first axis, in bytes; no absolute value is more than `highest`."""
    together = 255 // max(1, highest)
    total = np.zeros(sums.shape[1:], dtype=np.int32)
    for start in range(0, len(sums), together):
        size = np.abs(sums[start : start + together]).view(np.uint8)
        total += np.add.reduce(size, axis=0, dtype=np.uint8)
    return total


def all_sums(options: NDArray[np.int8], start: NDArray[np.int8] | int = 0) -> NDArray[np.int8]:
    """Return the sums of one option for each line, in all combinations: (m, A, C) to (C, A^m).

    Line i takes the option that is digit i of the combination's number, to base A. `start` is
    added.

    >>> all_sums(np.array([[[1], [-1]], [[3], [-3]]], dtype=np.int8)).tolist()
    [[4, 2, -2, -4]]
    """
    lines, choices, columns = options.shape
    sums = np.empty((columns, choices**lines), dtype=np.int8)
    sums[:, 0], done = start, 1
    for line in options[:, :, :, None]:
        for k in range(choices - 1, -1, -1):  # the first one last: it takes the place of the sums
            np.add(sums[:, :done], line[k], out=sums[:, k * done : (k + 1) * done])
        done *= choices
    return sums
