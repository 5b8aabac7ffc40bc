"""Full rectangles with an odd side: all press sets at once, by counting and by weighted cuts.

Idea. Every t(v) = 0. Turn the board so that the lines of `side`, odd in number, are its R rows,
each of C bulbs. The row parities p of a press set name its *setting* (theory §4.9), in which every
column is free: of its w or R − w presses one is even, its *even state*. A sum over columns with k
of them odd is least at Σ(even value) + the k smallest of (odd value − even value). So the *count
bound* |x| + |k − |p|| (§4.10) and the weighted cuts, in units of 1/D (§4.11), are found for all
press sets of a setting; `order` needs k = |p|. All costs have the parity of |x₀|. The rows u that
are switched, an even number, name the settings: those of a small count bound are found by a price
μ, with u in two halves (§4.14).

Sums. No number of presses in X, no excess of a column, no price is larger than 2R + 1 in size, and
all sums with the weights are below 16·RC·(D + Σ weights), held against MOST_NUMBER. Cost: O(RC) a
cut; if both sides are odd O(2^(R/2)·C) and some 20 ns for each pair of halves: 35×35 0.5 s.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ponder.check.fields import fail, set_of_lines
from ponder.check.limits import MOST_NUMBER, Budget, TooLarge, fits
from ponder.check.line_refutations import plain_cross
from ponder.check.meet_in_the_middle import PartChoices, demand, reaching
from ponder.check.written import Lines, Number, Side, Written
from ponder.model.board import Board
from ponder.system.types import Bits, Ints

IMPOSSIBLE = MOST_NUMBER  # the cost of what cannot be done
MOST_FREE = 62  # rows that are switched freely: the number of a setting fits 64 bits

_NS_CUT = 4  # nanoseconds for a bulb in a weighted cut
_NS_BULB = 30  # … for a bulb, each time that the weighted cuts of a setting are added up
_NS_SORTED = 10  # … for a column of a setting whose columns are sorted
_SAMPLE = 256


@dataclass(frozen=True, eq=False)
class Rectangle:
    """One press set as an (R, C) grid, R odd, and what the rows are called on the board."""

    grid: Bits
    side: Side

    @classmethod
    def of(cls, board: Board, presses: Bits, side: Side, what: str) -> Rectangle:
        """Turn a board's press set so that the lines of `side` are the rows."""
        graph = plain_cross(board, what)
        shape = graph.shape if side == "rows" else graph.shape[::-1]
        if graph.mask is not None or shape[0] % 2 == 0:
            fail(f"{what}: the board is not a full rectangle with an odd number of {side}")
        grid = graph.to_grid(presses)
        return cls(np.ascontiguousarray(grid if side == "rows" else grid.T), side)

    @property
    def switched_rows(self) -> int:
        """How many rows can be switched independently; the last one makes their number even."""
        return self.grid.shape[0] - 1 if self.grid.shape[1] % 2 else 0

    @property
    def odd_rows(self) -> Bits:
        """The row parities p. (R,)."""
        return np.asarray(np.bitwise_xor.reduce(self.grid, axis=1))

    def setting(self, odd_rows: Bits) -> int | None:
        """Return the number of the setting whose odd rows these are; None if there is none."""
        u = odd_rows ^ self.odd_rows
        if np.count_nonzero(u) % 2 or (u.any() and not self.switched_rows):
            return None
        return sum(1 << int(i) for i in np.flatnonzero(u[:-1]))

    def with_odd_rows(self, odd_rows: Bits) -> Bits:
        """Return a press set of that setting, with every column in its even state. (R, C)."""
        grid = self.grid ^ (odd_rows ^ self.odd_rows)[:, None]
        return np.asarray(grid ^ np.bitwise_xor.reduce(grid, axis=0))


class WeightedCut(Written):
    """A set X of lines and its weight λ_X, a multiple of λ_X where there is a divisor."""

    lines: Lines
    weight: Number


def weighted(
    rectangle: Rectangle,
    odd_rows: Bits,
    listed: Sequence[WeightedCut],
    divisor: int,
    command: str,
    budget: Budget,
) -> int:
    """Return the least of D·|x| + Σ weight·penalty (`solve`: + (D − Σ weights)·|k − |p||)."""
    grid = rectangle.with_odd_rows(odd_rows)
    work = (_NS_CUT * len(listed) + _NS_BULB) * grid.size
    budget.spend(work, f"adding up {len(listed)} weighted cuts")
    budget.hold(16 * len(listed) * sum(grid.shape), f"{len(listed)} weighted cuts")
    cuts = np.zeros((len(listed), len(grid)), dtype=np.bool_)
    for row, cut in zip(cuts, listed, strict=True):
        row[:] = set_of_lines(cut.lines, len(grid), "weighted cuts: lines")
    weights = [cut.weight for cut in listed]
    total = sum(weights)
    if command == "solve" and total > divisor:
        fail(f"weighted cuts: the weights are more than the divisor {divisor}")
    fits((divisor + total) * 16 * grid.size, "the weights of the cuts")
    weight = np.array(weights, dtype=np.int64)
    even = grid.sum(axis=0, dtype=np.int64)
    inside = cuts.astype(np.int64) @ grid.astype(np.int64)
    sizes = cuts.sum(axis=1, dtype=np.int64)
    outside = sizes[:, None] - inside  # in X when the column is in its odd state
    of_even = divisor * even + weight @ (2 * inside - 4 * np.minimum(even // 2, inside))
    odd = len(grid) - even
    of_odd = divisor * odd + weight @ (2 * outside - 1 - 4 * np.minimum(odd // 2, outside))
    k = int(np.count_nonzero(odd_rows))
    in_cut = (cuts & odd_rows).sum(axis=1, dtype=np.int64)
    least = _least(of_even[None], (of_odd - of_even)[None], np.array([k]), command, divisor - total)
    return int(least[0]) + int(weight @ (k - 2 * in_cut))


def _least(even: Ints, more: Ints, k: Ints, command: str, apart_costs: int = 1) -> Ints:
    """Return the least sum over columns of each setting. (N, C), (N, C), (N,) -> (N,).

    An odd state adds `more`; `k` columns are odd, or for `solve` as many more or fewer as pay.
    """
    width = more.shape[1]
    least = np.zeros((len(more), width + 1), dtype=np.int64)
    np.cumsum(np.sort(more, axis=1), axis=1, out=least[:, 1:])
    least += even.sum(axis=1, dtype=np.int64)[:, None]
    if command == "order":
        at = np.take_along_axis(least, np.minimum(k, width)[:, None], axis=1)[:, 0]
        return np.where(k <= width, at, np.int64(IMPOSSIBLE))
    apart = np.abs(np.arange(width + 1, dtype=np.int64) - k[:, None])
    costs = np.where(apart % 2, np.int64(IMPOSSIBLE), least + apart_costs * apart)
    return np.asarray(costs.min(axis=1))


class SwitchSettings:
    """All settings of a rectangle; `command` says whether k = |p| is asked for. Raises TooLarge.

    `signs` (R, C): +1 without a press, −1 with one, where all columns are in their even states.
    """

    def __init__(self, rectangle: Rectangle, command: str) -> None:
        self.odd_rows: Bits = rectangle.odd_rows
        self.free: int = rectangle.switched_rows
        if self.free > MOST_FREE:
            raise TooLarge(f"2^{self.free} settings of the switches are too many to go through")
        self.signs: NDArray[np.int8] = np.where(
            rectangle.with_odd_rows(self.odd_rows), -1, 1
        ).astype(np.int8)
        self.command = command

    def cheap(self, most: int, budget: Budget) -> Iterator[tuple[Ints, Ints]]:
        """Yield the settings whose count bound may be at most `most`, and their count bounds.

        Bit i of a setting's number says that row i is switched. Numbers ascend in a chunk.
        """
        height, width = self.signs.shape
        if not self.free:
            extra = self.signs.sum(axis=0, dtype=np.int64)[None]
            odd = np.array([np.count_nonzero(self.odd_rows)], dtype=np.int64)
            yield np.zeros(1, dtype=np.int64), self._count_bounds(extra, odd)
            return
        price, low = self._best_price(most), self.free // 2
        # the count bound is at least ⌊(C(R + μ) − g)/2⌋ for g = Σ_j |D_j + μ| + 2μ·|p|
        needed = width * (height + price) - 2 * most - 1
        exact = max(1, width // (3 if width < 2 * height else 2))
        demand(width, self.free - low, budget)
        between = self._part(slice(low, self.free), 0, price)
        for parity in (0, 1):
            there = np.flatnonzero(np.bitwise_count(between.numbers) % 2 == parity)
            second = between.of_these(there)
            second = replace(second, numbers=second.numbers << low)
            first = self._first(low, parity, price)
            for numbers, sums, odd in reaching(first, second, needed, exact, budget, 2 * price):
                budget.spend(_NS_SORTED * int(sums.size), "sorting the columns of cheap settings")
                yield numbers, self._count_bounds(sums - price, odd)

    def _part(self, rows: slice, shift: int, price: int) -> PartChoices:
        """Return all switches of some rows, `shift` added, with their odd rows counted."""
        height, width = self.signs.shape
        options = np.stack([self.signs[rows], -self.signs[rows]], axis=1)
        start = np.full(width, shift, dtype=np.int64)
        part = PartChoices.of(options, start, height + abs(price))
        odd = np.zeros(1, dtype=np.int64)
        for parity in self.odd_rows[rows].tolist():
            odd = np.concatenate([odd + parity, odd + 1 - parity])
        return replace(part, counted=odd)

    def _first(self, low: int, parity: int, price: int) -> PartChoices:
        """Return all switches of the first rows, the price added; the last row makes u even."""
        part = self._part(slice(0, low), price, price)
        last = (np.bitwise_count(part.numbers) & 1).astype(np.int64) ^ parity
        column = self.signs[-1][:, None].astype(part.sums.dtype)
        sums = part.sums + np.where(last, -column, column)
        return replace(part, sums=sums, counted=part.counted + (last ^ int(self.odd_rows[-1])))

    def _best_price(self, most: int) -> int:
        """Return the price μ that leaves the fewest settings to be sorted, by a sample of them:
        `most` should lie as many standard deviations below the mean as possible.
        """
        height, width = self.signs.shape
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
        """Return the count bound of each setting. (N, C), (N,) -> (N,). `extra` is R − 2e."""
        return _least((len(self.signs) - extra) // 2, extra, odd_rows, self.command)
