"""`settings`: the count bound, for every choice of the lines of a rectangle that are switched.

Idea. A full row/column rectangle with every t(v) = 0. Turn the board so that the lines of `side`,
odd in number, are its R rows, each of C bulbs. The row parities p of a press set name its *setting*
(theory §4.9), in which every column is free: of its w or R − w presses one is even, its *even
state*. A sum over columns with k of them odd is least at Σ(even value) + the k smallest of (odd
value − even value). So the *count bound* |x| + |k − |p|| (§4.10) is found for all press sets of a
setting; `order` needs k = |p|. All costs have the parity of |x₀|. The rows u that are switched, an
even number, name the settings: those of a small count bound are found by a price μ on odd rows,
with u in two halves (§4.14). If C is even there is a single setting, and where |p| > C no press set
has an order.

Sums. No number of presses of a column, no price is larger than 2R + 1 in size. Cost: a sort if one
side is even; if both are odd O(2^(R/2)·C) and some 20 ns for each pair of halves: 35×35 0.5 s.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ponder.check.caps import MOST_NUMBER, TooLarge
from ponder.check.certificate import Bound, Claim, Refutation, Refuted
from ponder.check.cut import cross_of, plain_cross
from ponder.check.linear import press_sets
from ponder.check.meet_in_the_middle import PartChoices, demand_part, reaching
from ponder.check.reader import SIDES, Side, enum_value, fail
from ponder.model.board import Board
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints, Json

IMPOSSIBLE = MOST_NUMBER  # the cost of what cannot be done
MOST_FREE = 62  # rows that are switched freely: the number of a setting fits 64 bits
_SAMPLE = 256


@dataclass(frozen=True, eq=False)
class Rectangle:
    """One press set as an (R, C) grid, R odd, and what the rows are called on the board."""

    grid: Bits
    side: Side

    @classmethod
    def of(cls, board: Board, presses: Bits, side: Side) -> Rectangle:
        """Turn a board's press set so that the lines of `side` are the rows. Raises CheckFailed."""
        graph = cross_of(board, "settings")
        if board.rule != "any":
            plain_cross(board, "settings")
        shape = graph.shape if side == "rows" else graph.shape[::-1]
        if graph.mask is not None or shape[0] % 2 == 0:
            fail(f"settings: the board is not a full rectangle with an odd number of {side}")
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

    @property
    def even(self) -> Bits:
        """A press set of the same setting, with every column in its even state. (R, C)."""
        return np.asarray(self.grid ^ np.bitwise_xor.reduce(self.grid, axis=0))


@dataclass(frozen=True, eq=False)
class Settings(Refutation, Bound):
    """Full row/column rectangles with an odd side: no choice of the lines to switch needs fewer."""

    kind = "settings"
    claim: ClassVar[Claim | None] = "C2"
    of_orders: ClassVar[bool] = False  # a bound under the rule `any`, too
    of_press_set: ClassVar[bool] = False
    side: Side

    def fields(self, board: Board) -> Json:
        """Return the side."""
        return {"side": self.side}

    @classmethod
    def read(cls, board: Board, content: Json) -> Self:
        """Read the side."""
        return cls(enum_value(content.get("side"), SIDES, "settings: side"))

    def check(self, board: Board, counts: Ints, limits: Limits = NEVER) -> Refuted:
        """Check that all press sets share more odd rows than there are columns."""
        plain_cross(board, "settings")
        rectangle = Rectangle.of(board, press_sets(board, limits).one, self.side)
        odd, width = int(np.count_nonzero(rectangle.odd_rows)), rectangle.grid.shape[1]
        if rectangle.switched_rows:
            fail(f"settings: the odd {self.side} are not the same in all press sets")
        if odd <= width:
            fail(f"settings: {odd} odd {self.side} do not outnumber the {width} lines across")
        return Refuted(counts)

    def proves(self, board: Board, command: str, enough: int, limits: Limits = NEVER) -> int:
        """Return what the settings prove, at most `enough`: no press set costs less."""
        base = press_sets(board, limits).one
        rectangle = Rectangle.of(board, base, self.side)
        parity = int(np.count_nonzero(base)) & 1
        most = min(enough, 4 * base.size + 16)  # no cost is larger
        most += -2 + (most + parity) % 2  # costs have the parity of |x₀|
        least = enough
        question = "any" if board.rule == "any" else command
        for _, costs in SwitchSettings(rectangle, question).cheap(most, limits):
            least = min(least, int(costs.min(initial=IMPOSSIBLE)))
        return least


class SwitchSettings:
    """All settings of a rectangle. `order` asks for k = |p|, under the rule `any` k is free.

    `signs` (R, C): +1 without a press, −1 with one, where all columns are in their even states.
    Raises TooLarge.
    """

    def __init__(self, rectangle: Rectangle, question: str) -> None:
        self.odd_rows: Bits = rectangle.odd_rows
        self.free: int = rectangle.switched_rows
        if self.free > MOST_FREE:
            raise TooLarge(f"2^{self.free} settings of the switches are too many to go through")
        self.signs: NDArray[np.int8] = np.where(rectangle.even, -1, 1).astype(np.int8)
        self.question: str = question

    def cheap(self, most: int, limits: Limits = NEVER) -> Iterator[tuple[Ints, Ints]]:
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
        demand_part(width, self.free - low)
        between = self._part(slice(low, self.free), 0, price)
        for parity in (0, 1):
            there = np.flatnonzero(np.bitwise_count(between.numbers) % 2 == parity)
            second = between.of_these(there)
            second = replace(second, numbers=second.numbers << low)
            first = self._first(low, parity, price)
            for numbers, sums, odd in reaching(first, second, needed, exact, limits, 2 * price):
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

        highest = {"order": height, "any": 0}.get(self.question, 1)
        return max(sorted(range(-highest, highest + 1), key=abs), key=depth)

    def _count_bounds(self, extra: Ints, odd_rows: Ints) -> Ints:
        """Return the count bound of each setting. (N, C), (N,) -> (N,). `extra` is R − 2e.

        k columns are odd, |p| for `order`, for `solve` as many more or fewer as pay.
        """
        width = extra.shape[1]
        least = np.zeros((len(extra), width + 1), dtype=np.int64)
        np.cumsum(np.sort(extra, axis=1), axis=1, out=least[:, 1:])
        least += ((len(self.signs) - extra) // 2).sum(axis=1, dtype=np.int64)[:, None]
        if self.question == "order":
            k = np.minimum(odd_rows, width)[:, None]
            at = np.take_along_axis(least, k, axis=1)[:, 0]
            return np.where(odd_rows <= width, at, np.int64(IMPOSSIBLE))
        apart = np.abs(np.arange(width + 1, dtype=np.int64) - odd_rows[:, None])
        extra_presses = np.int64(0) if self.question == "any" else apart
        costs = np.where(apart % 2, np.int64(IMPOSSIBLE), least + extra_presses)
        return np.asarray(costs.min(axis=1))
