"""Odd-sized row/column boards: the few settings that may be cheap, by a search in two halves.

Idea (theory §4.10, §4.14). Put a multiplier μ on the constraint k_c = k_r: |μ| ≤ 1, or any μ if
every bulb is pressed at most once. Then the count bound of a setting (`switching_count`) is at
least, without any sorting,

    (C·(R + μ) − μ·R − g)/2,        g = Σ_j |D_j + μ| − μ·Σ_i ±1,

and a setting matters only if its g is large. The D_j and the last sum are linear in the signs of
u: `ponder.linear.two_halves` finds those settings. u is even: even choices of the one half go with
even ones of the other, and odd with odd.

Letters: as in `ponder.cross.switching_rectangle`; μ the multiplier (a Lagrange multiplier).
Cost: see `two_halves`; 31×31 0.1 s, 35×35 0.4 s, 41×41 3 to 20 s, 27×101 1 s.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from ponder.cross.switching_rectangle import Rectangle
from ponder.limits import NEVER, Limits
from ponder.switching.meet_in_the_middle import Half, Pair, all_sums, codes_of_parity
from ponder.types import Bits


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


class Halves:
    """All settings of a rectangle as pairs of halves, for one multiplier: R + |μ| ≤ 127."""

    def __init__(self, rectangle: Rectangle, multiplier: int, limits: Limits = NEVER) -> None:
        rows, columns = rectangle.shape
        self.rows, self.columns, self.multiplier = rows, columns, multiplier
        self.split = (rows - 1) // 2
        self.parity = int(np.count_nonzero(rectangle.presses)) % 2
        # Σ ±1 over the rows, + for p = 0, is R − 2k_r
        balance = (1 - 2 * rectangle.parities).astype(np.int8)[:, None]
        highest, halves = rows + abs(multiplier), []
        for part, shift in ((slice(0, self.split), multiplier), (slice(self.split, rows), 0)):
            beta = -multiplier * all_sums(_signed(balance[part]))[0].astype(np.int32)
            sums = all_sums(_signed(rectangle.signs[part]), shift)
            for parity in (False, True):
                codes = codes_of_parity(len(balance[part]), parity)
                halves.append(Half.of(codes, sums[:, codes], beta[codes], highest, limits))
        self.pairs = [Pair(halves[parity], halves[parity + 2], highest) for parity in range(2)]

    def needed(self, cost: int) -> int:
        """Return the g of a setting whose bound is less than `cost`: less by two, by parity."""
        fixed = self.columns * (self.rows + self.multiplier) - self.multiplier * self.rows
        return max(fixed - 2 * (cost - 2), -(2**30))

    def count(self, cost: int) -> int:
        """Return how many pairs may have a bound below `cost`, by the sums of all columns."""
        return sum(pair.count(self.needed(cost)) for pair in self.pairs)

    def below_with(self, pairs: int, cost: int) -> int:
        """Return the largest bound, at most `cost`, that so many pairs prove: of |x₀|'s parity."""
        bounds = range(self.parity, min(cost, self.rows * self.columns) + self.parity + 1, 2)
        return bounds[max(0, bisect_right(bounds, pairs, key=self.count) - 1)]

    def scan(self, cost: Callable[[], int]) -> Iterator[tuple[int, Bits]]:
        """Yield, batch by batch, how many pairs it had and the settings of a bound below cost().

        The settings are rows of u, (N, R). Every setting whose bound is below the last cost() is
        among them.
        """
        for pair in self.pairs:
            for pairs, outer, inner in pair.scan(lambda: self.needed(cost())):
                codes = outer | inner << self.split
                yield pairs, (codes[:, None] >> np.arange(self.rows) & 1).astype(np.bool_)


def _signed(signs: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return what each row adds, and what it adds where it is switched: (m, C) to (m, 2, C)."""
    return np.stack([signs, -signs], axis=1)
