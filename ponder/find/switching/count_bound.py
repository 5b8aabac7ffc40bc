"""Odd-sized row/column boards: the count bound, of one parity class and of those where it is small.

Idea (theory §4.10). In a parity class (see `rectangle`) k_r is fixed, and |x| is a sum over columns
that are even or odd independently. So the least |x| + |k_r − k_c|, or the least |x| with k_c = k_r
if every bulb is pressed at most once, is found by sorting the columns by D_j. With a Lagrange
multiplier μ on k_c = k_r (|μ| ≤ 1, or any μ if once) it is at least, without any sorting,

    (C·(R + μ) − μ·R − g)/2,        g = Σ_j |D_j + μ| − μ·Σ_i ±1,

and `meet_in_the_middle` finds the classes of a large g. *Descent* finds good classes fast:
majorities (`gale_berlekamp`) from 64 starts, then, from the best, steps that switch one row or two.
Letters: as in `rectangle`; N parity classes at a time. Cost: O(C·(R + log C)) for a parity class;
31×31 0.1 s for all of them, 41×41 3 to 20 s, 27×101 1 s.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator

import numpy as np

from ponder.check.switches import IMPOSSIBLE
from ponder.find.switching.meet_in_the_middle import (
    Half,
    Pair,
    all_sums,
    codes_of_parity,
    halves_fit,
)
from ponder.find.switching.rectangle import Rectangle, made_even
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints

STARTS = 64  # the starts of a round
MAJORITIES = 12  # how often the majorities alternate
DESCENTS = 4  # the starts of a round from which to descend


def count_bounds(rectangle: Rectangle, u: Bits, once: bool) -> Ints:
    """Return the count bounds of many parity classes, (N, R) -> (N,).

    If `once`, IMPOSSIBLE where k_r > C: no press set has as many odd columns.

    >>> eye = Rectangle.of(np.eye(3, dtype=bool))
    >>> count_bounds(eye, np.array([[0, 0, 0], [1, 1, 0]], dtype=bool), False).tolist()
    [3, 3]
    """
    rows, columns = rectangle.shape
    extra = rectangle.extra(u)
    k_r = np.count_nonzero(rectangle.parities_under(u), axis=1)
    least = np.empty((len(u), columns + 1), dtype=np.int64)
    least[:, 0] = (rows * columns - extra.sum(axis=1)) // 2
    np.cumsum(np.sort(extra, axis=1), axis=1, out=least[:, 1:])
    least[:, 1:] += least[:, :1]
    if once:
        possible = k_r <= columns
        at = np.take_along_axis(least, np.where(possible, k_r, 0)[:, None], axis=1)[:, 0]
        return np.asarray(np.where(possible, at, np.int64(IMPOSSIBLE)))
    apart = np.abs(np.arange(columns + 1) - k_r[:, None])
    return np.asarray(np.where(apart % 2, np.int64(IMPOSSIBLE), least + apart).min(axis=1))


def cheapest(rectangle: Rectangle, u: Bits, once: bool) -> Bits:
    """Return the x of least count bound in one parity class, with k_r ≤ C if once, (R, C)."""
    columns = rectangle.shape[1]
    extra = rectangle.extra(u[None])[0]
    k_r = int(np.count_nonzero(rectangle.parities_under(u)))
    by_extra = np.argsort(extra, kind="stable")
    k_c = k_r
    if not once:
        apart = np.abs(np.arange(columns + 1) - k_r)
        bounds = np.concatenate([[0], np.cumsum(extra[by_extra])]) + apart
        k_c = int(np.where(apart % 2, np.int64(IMPOSSIBLE), bounds).argmin())
    odd = np.zeros(columns, dtype=np.bool_)
    odd[by_extra[:k_c]] = True
    return np.asarray(rectangle.even ^ u[:, None] ^ odd)


def best_multiplier(rectangle: Rectangle, u: Bits, highest: int, cost: int) -> int:
    """Return the μ, |μ| ≤ highest, with which the fewest parity classes stay, by a sample u (N, R).

    The bounds of all parity classes are about normally distributed; `cost` should lie as many
    standard deviations below their mean as possible.
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
    """All parity classes of a rectangle as pairs of halves, for one multiplier: R + |μ| ≤ 127."""

    def __init__(self, rectangle: Rectangle, multiplier: int, limits: Limits = NEVER) -> None:
        rows, columns = rectangle.shape
        self.rows: int = rows
        self.columns: int = columns
        self.multiplier = multiplier
        self.split: int = (rows - 1) // 2
        self.parity: int = int(np.count_nonzero(rectangle.presses)) % 2
        # Σ ±1 over the rows, + for p = 0, is R − 2k_r
        balance = (1 - 2 * rectangle.parities).astype(np.int8)[:, None]
        balances = np.stack([balance, -balance], axis=1)
        highest, halves = rows + abs(multiplier), []
        for part, shift in ((slice(0, self.split), multiplier), (slice(self.split, rows), 0)):
            beta = -multiplier * all_sums(balances[part])[0].astype(np.int32)
            sums = all_sums(rectangle.game.options[part], shift)
            for parity in (False, True):
                codes = codes_of_parity(len(balances[part]), parity)
                halves.append(Half.of(codes, sums[:, codes], beta[codes], highest, limits))
        self.pairs: list[Pair] = [Pair(halves[p], halves[p + 2], highest) for p in range(2)]

    @staticmethod
    def fit(shape: tuple[int, int]) -> bool:
        """Tell whether there is memory for the halves of R × C signs."""
        rows, columns = shape
        return halves_fit((rows // 2, (rows + 1) // 2), columns)

    def needed(self, cost: int) -> int:
        """Return the g of a class whose bound is less than `cost`: less by two, by parity."""
        fixed = self.columns * (self.rows + self.multiplier) - self.multiplier * self.rows
        return max(fixed - 2 * (cost - 2), -(2**30))

    def count(self, cost: int) -> int:
        """Return how many pairs may have a bound below `cost`, by the sums of all columns."""
        return sum(pair.count(self.needed(cost)) for pair in self.pairs)

    def below_with(self, pairs: int, cost: int) -> int:
        """Return the largest bound, at most `cost`, that these pairs prove: of |x₀|'s parity."""
        bounds = range(self.parity, min(cost, self.rows * self.columns) + self.parity + 1, 2)
        return bounds[max(0, bisect_right(bounds, pairs, key=self.count) - 1)]

    def scan(self, cost: Callable[[], int]) -> Iterator[tuple[int, Bits]]:
        """Yield, batch by batch, how many pairs it had and the classes of a bound below cost().

        The classes are rows of u, (N, R), among them every class of a bound below the last cost().
        """
        for pair in self.pairs:
            for pairs, outer, inner in pair.scan(lambda: self.needed(cost())):
                codes = outer | inner << self.split
                yield pairs, (codes[:, None] >> np.arange(self.rows) & 1).astype(np.bool_)


def descend(
    rectangle: Rectangle,
    once: bool,
    rounds: int,
    seed: int,
    limits: Limits,
    tell: Callable[[str], None],
) -> Iterator[tuple[Bits, int]]:
    """Yield parity classes that switching one row or two does not better, and their count bounds.

    Raises TimeUp if the time is up.
    """
    rows = rectangle.shape[0]
    random = np.random.default_rng(seed)
    moves = _moves(rectangle.shape, random)
    best: Bits | None = None
    lowest = IMPOSSIBLE
    for at in range(rounds):
        starts = random.random((STARTS, rows)) < 0.5
        if best is not None and at % 4:
            starts = best ^ (random.random((STARTS, rows)) < random.uniform(2, 6) / rows)
        chosen = rectangle.game.majorities(starts.astype(np.int64), MAJORITIES, limits)
        pool = made_even(np.unique(chosen == 1, axis=0))
        bounds = count_bounds(rectangle, pool, once)
        for start in np.argsort(bounds, kind="stable")[:DESCENTS].tolist():
            here, bound = pool[start], int(bounds[start])
            while True:
                limits.check()
                tell(f"local search {at + 1}")
                near = made_even(here ^ moves)
                near_bounds = count_bounds(rectangle, near, once)
                step = int(near_bounds.argmin())
                if near_bounds[step] >= bound:
                    break
                here, bound = near[step], int(near_bounds[step])
            yield here, bound
            if bound < lowest:
                lowest, best = bound, here


def _moves(shape: tuple[int, int], random: np.random.Generator) -> Bits:
    """Return the switches of one row, and of two, or a random part of them on large boards."""
    rows, columns = shape
    single = np.eye(rows, dtype=np.bool_)
    first, second = np.triu_indices(rows if rows <= 64 else 0, 1)
    moves = np.concatenate([single, single[first] ^ single[second]])
    most = max(64, 2**20 // columns)
    return moves if len(moves) <= most else random.permutation(moves)[:most]
