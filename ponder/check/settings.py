"""`settings`: the count bound, for every choice of the lines of a rectangle that are switched.

Idea. A full row/column rectangle with every t(v) = 0. Turn the board so that the lines of `side`,
odd in number, are its R rows, each of C bulbs. The row parities p of a press set name its *setting*
(theory §4.9), in which every column is free: of its w or R − w presses one is even, its *even
state*. A sum over columns with k of them odd is least at Σ(even value) + the k smallest of (odd
value − even value). So the *count bound* |x| + |k − |p|| (§4.10) is found for all press sets of a
setting; `order` needs k = |p|. All costs have the parity of |x₀|. The rows u that are switched, an
even number, name the settings: those of a small count bound are found with u in two halves (§4.14).
If C is even there is a single setting, and where |p| > C no press set has an order.

Letters: D_j cost of the odd state of column j minus that of the even one, |D_j| ≤ R. Cost: a
sort if one side is even; if both are odd O(2^(R/2)·C) and some 20 ns for each pair of halves: 31×31
0.3 s.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ponder.check.certificate import Bound, Claim, Refutation, Refuted
from ponder.check.cut import cross_of, plain_cross
from ponder.check.linear import press_sets
from ponder.check.meet_in_the_middle import MOST_SUMS, Sums, pairs_reaching
from ponder.check.reader import MOST_NUMBER, SIDES, Side, demand, enum_value, fail
from ponder.model.board import Board
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints, Json

IMPOSSIBLE = MOST_NUMBER  # the cost of what cannot be done


@dataclass(frozen=True, eq=False)
class Rectangle:
    """One press set as an (R, C) grid, R odd, and what the rows are called on the board."""

    grid: Bits
    side: Side

    @classmethod
    def turned(cls, board: Board, presses: Bits, side: Side) -> Rectangle:
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
    def read(cls, board: Board, content: Json, limits: Limits = NEVER) -> Self:
        """Read the side."""
        return cls(enum_value(content.get("side"), SIDES, "settings: side"))

    def check(self, board: Board, counts: Ints, limits: Limits = NEVER) -> Refuted:
        """Check that all press sets share more odd rows than there are columns."""
        plain_cross(board, "settings")
        rectangle = Rectangle.turned(board, press_sets(board, limits).one, self.side)
        odd, width = int(np.count_nonzero(rectangle.odd_rows)), rectangle.grid.shape[1]
        if rectangle.switched_rows:
            fail(f"settings: the odd {self.side} are not the same in all press sets")
        if odd <= width:
            fail(f"settings: {odd} odd {self.side} do not outnumber the {width} lines across")
        return Refuted(counts)

    def proves(self, board: Board, command: str, enough: int, limits: Limits = NEVER) -> int:
        """Return what the settings prove, at most `enough`: no press set costs less."""
        base = press_sets(board, limits).one
        rectangle = Rectangle.turned(board, base, self.side)
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
    """

    def __init__(self, rectangle: Rectangle, question: str) -> None:
        self.odd_rows: Bits = rectangle.odd_rows
        self.free: int = rectangle.switched_rows
        self.signs: NDArray[np.int8] = np.where(rectangle.even, -1, 1).astype(np.int8)
        self.question: str = question

    def cheap(self, most: int, limits: Limits = NEVER) -> Iterator[tuple[Ints, Ints]]:
        """Yield the settings whose count bound may be at most `most`, and their count bounds.

        Bit i of a setting's number says that row i is switched. Raises LimitReached.
        """
        height, width = self.signs.shape
        if not self.free:
            extra = self.signs.sum(axis=0, dtype=np.int64)[None]
            odd = np.array([np.count_nonzero(self.odd_rows)], dtype=np.int64)
            yield np.zeros(1, dtype=np.int64), self._count_bounds(extra, odd)
            return
        low = self.free // 2
        demand(width << self.free - low, MOST_SUMS, "sums of half the switches")
        first, second = (
            self._sums(rows, limits) for rows in (slice(0, low), slice(low, self.free))
        )
        of_first, of_second = (
            np.bitwise_count(np.arange(half.shape[1])) & 1 for half in (first, second)
        )
        column = self.signs[-1][:, None].astype(first.dtype)
        odd_bits = sum(1 << i for i in np.flatnonzero(self.odd_rows[:-1]).tolist())
        needed = width * height - 2 * most  # the count bound is at least (C·R − Σ_j |D_j|)/2
        for parity in (0, 1):
            matching = np.flatnonzero(of_second == parity).astype(np.int64)
            # the last row makes u even
            halves = first + np.where(of_first == parity, column, -column), second[:, matching]
            for i, k in pairs_reaching(halves, self._absolute, needed, limits):
                numbers = i + (matching[k] << low)
                extra = halves[0][:, i].astype(np.int64) + halves[1][:, k]
                odd = np.bitwise_count(numbers ^ odd_bits).astype(np.int64)
                odd += (of_first[i] ^ parity) != self.odd_rows[-1]
                yield numbers, self._count_bounds(extra.T, odd)

    def _sums(self, rows: slice, limits: Limits) -> Sums:
        """Return the column sums of all switches of the given rows: (C, 2^rows), by number."""
        sums: Sums = np.zeros(
            (self.signs.shape[1], 1), np.int8 if len(self.signs) < 128 else np.int32
        )
        for row in limits.over(self.signs[rows], 1):
            column = row[:, None].astype(sums.dtype)
            sums = np.concatenate([sums + column, sums - column], axis=1)
        return sums

    def _absolute(self, sums: Sums) -> Ints:
        """Return Σ_j |D_j| over columns, (C, …) -> (…), in blocks whose sums fit a byte."""
        small = sums.dtype == np.int8
        together = 255 // len(self.signs) if small else max(1, len(sums))
        total = np.zeros(sums.shape[1:], dtype=np.int64)
        for start in range(0, len(sums), together):
            size = np.abs(sums[start : start + together])
            size = size.view(np.uint8) if small else size
            total += np.add.reduce(size, axis=0, dtype=size.dtype)
        return total

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
