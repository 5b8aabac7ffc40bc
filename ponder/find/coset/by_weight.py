"""All press sets of a board in windows of ascending weight.

    transform   up to a nullity of 32 the weights of all 2^d press sets, in blocks, by the
                Walsh–Hadamard transform of the signed histogram of kernel columns (theory §7.8)
    lines       king boards and tori, where press sets differ by patterns of whole lines: all that
                are lighter than a bound (§1.8)
    neither     other cosets cannot be listed (`minimum_weight`)

Letters: n bulbs, d the nullity; a press set's number has its coordinates as binary digits.
Cost. 4 ns a press set for each window of the transform; king 20×20 0.02 s for a list by lines.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import erf, sqrt

import numpy as np

from ponder.check.coset import Coset, kernel_columns, weight_blocks
from ponder.check.line_patterns import light_press_sets
from ponder.check.odd_components import without_small
from ponder.check.small_components import planes_of, planes_of_members
from ponder.find.linear.gf2 import SpannedKernel
from ponder.find.linear.press_sets import PressSets
from ponder.model.board import Board
from ponder.system.limits import LimitReached, Limits, NeedsMemory
from ponder.system.types import Bits, Ints, Words, bincount

WEIGHED = 32  # of cosets up to 2^WEIGHED all weights are computed, where there is time
MEMBER_SECONDS, WEIGHING_SHARE = 7e-9, 0.5  # for a press set; of the time left for all of them
WHOLE = 20  # up to 2^WHOLE press sets are one window
WINDOW = 1 << 20  # press sets of a window, or 2^(d − 12) where that is more
MOST_HELD = 1 << 25  # press sets of one weight, at most
BY_LINES = 16  # from this nullity on press sets are listed by lines where that suits
FEW_BY_LINES, STEP = 1 << 10, 2  # a window by lines has so many, if the bound is not met before
LINES_SHARE, LINES_SECONDS = 0.3, 30.0  # for one list by lines: of the time left, and without limit


@dataclass(frozen=True, eq=False)
class Window:
    """Some press sets, lightest first: by their numbers, or `listed` one by one."""

    weights: Ints
    numbers: Ints
    sets: PressSets
    columns: Ints
    listed: Bits | None = None

    def press_sets(self, places: Ints | slice) -> Bits:
        """Return the press sets at some places. (m,) to (m, n)."""
        if self.listed is not None:
            return np.asarray(self.listed[places])
        chosen = self.numbers[places][:, None] >> np.arange(self.sets.nullity) & 1
        return self.sets.particular ^ self.sets.kernel.combine(chosen.astype(np.bool_))

    def planes(self, places: Ints | slice) -> Words:
        """Return the press sets at some places side by side. (m,) to (n, words)."""
        if self.listed is not None:
            return planes_of(self.press_sets(places))
        return planes_of_members(self.sets.particular, self.columns, self.numbers[places])


def light_members(
    base: Bits, basis: Bits, most: int, limits: Limits, *, least: int = 0, below: int | None = None
) -> tuple[Ints, Ints, int]:
    """Return numbers and weights of the lightest members of base + span, and what others weigh.

    Of those that weigh at least `least` and less than `below`; about `most` of them, or all of one
    weight. All others from `least` on weigh the last number at least. Raises TimeUp, NeedsMemory.
    """
    bound = base.size + 1 if below is None else below
    histogram = np.zeros(base.size + 2, dtype=np.int64)
    numbers, weights = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    held = 0
    for first, block in weight_blocks(base, basis, limits):
        limits.check()
        light = np.flatnonzero((block >= least) & (block < bound))
        numbers.append(first + light)
        weights.append(block[light])
        histogram += bincount(weights[-1], minlength=histogram.size)
        held += light.size
        if held > 2 * most:
            lightest = int(np.flatnonzero(histogram)[0])
            few = int(np.searchsorted(np.cumsum(histogram), most, side="right"))
            bound = max(few, lightest + 1)
            kept = [piece < bound for piece in weights]
            numbers = [np.concatenate([x[k] for x, k in zip(numbers, kept, strict=True)])]
            weights = [np.concatenate([x[k] for x, k in zip(weights, kept, strict=True)])]
            histogram[bound:] = 0
            held = weights[0].size
            if held > MOST_HELD:
                raise NeedsMemory(f"there are too many press sets of {bound - 1} presses")
    number, weight = np.concatenate(numbers), np.concatenate(weights)
    order = np.argsort(weight.astype(np.int32), kind="stable")
    return number[order], weight[order], bound


class ByWeight:
    """The press sets of a board, window after window.

    `bound`  all press sets that weigh less were listed; `done` says whether all were
    `least`  the least weight of all press sets, once it is known

    >>> from ponder.find.linear.press_sets import press_sets
    >>> board = Board.from_rows(["111", "111"], "cross")
    >>> source = ByWeight(board, press_sets(board), Limits(None))
    >>> source.following(100).weights.tolist(), source.done
    ([0, 6], True)
    """

    def __init__(self, board: Board, sets: PressSets, limits: Limits) -> None:
        self.board: Board = board
        self.limits: Limits = limits
        self.size: int = sets.particular.size
        self.nullity: int = sets.nullity
        self.sets: PressSets = sets
        self.bound: int = 0
        self.done: bool = False
        self.least: int | None = None
        self._too_many = self.size + 2  # a list by lines below this bound took too long
        self._by_lines = self.nullity >= BY_LINES
        self._columns = np.empty(0, dtype=np.int64)
        if self.nullity <= WEIGHED:
            basis = sets.kernel_basis
            self.sets = PressSets(sets.particular, SpannedKernel(basis))
            self._columns = kernel_columns(basis)

    @property
    def in_time(self) -> bool:
        """Whether all press sets can be weighed before most of the time is over."""
        left = self.limits.left(WEIGHING_SHARE)
        soon = left is None or MEMBER_SECONDS * 2.0**self.nullity < left
        return self.nullity <= WEIGHED and (soon or self.nullity <= WHOLE)

    def following(self, most: int, about: int = WINDOW) -> Window | None:
        """Return the next press sets that are lighter than `most`, roughly `about` of them.

        None where that takes long. Raises TimeUp, NeedsMemory.
        """
        if self._by_lines:
            window = self._listed_by_lines(most)
            if window is not None or self._by_lines:
                return window
        if not self.in_time:
            return None
        basis, below = self.sets.kernel_basis, None if self.nullity <= WHOLE else most
        numbers, weights, bound = light_members(
            self.sets.particular, basis, max(about, 1 << max(0, self.nullity - 12)), self.limits,
            least=self.bound, below=below,
        )  # fmt: skip
        return self._window(weights, numbers, bound)

    def _window(
        self, weights: Ints, numbers: Ints, bound: int, listed: Bits | None = None
    ) -> Window:
        if self.least is None and weights.size:
            self.least = int(weights[0])
        self.bound, self.done = bound, bound > self.size
        return Window(weights, numbers, self.sets, self._columns, listed)

    def _listed_by_lines(self, most: int) -> Window | None:
        """List more by patterns of lines; None where that does not suit, or takes too long."""
        below = min(max(self._expected(FEW_BY_LINES), self.bound + STEP), most, self._too_many - 1)
        best: tuple[Ints, Ints, int, Bits] | None = None
        while self.bound < below < self._too_many:
            left = self.limits.left(LINES_SHARE)
            seconds = LINES_SECONDS if left is None else min(LINES_SECONDS, left)
            try:
                soon = self.limits.sooner(seconds)
                listed = light_press_sets(self.board, self.sets.particular, below, soon)
            except LimitReached:  # too many, or too late
                self.limits.check()
                self._too_many = below
                if best is not None:
                    break
                below -= STEP
                continue
            if listed is None:
                self._by_lines = False
                return None
            weights = np.count_nonzero(listed, axis=1)
            order = np.argsort(weights, kind="stable")
            order = order[np.searchsorted(weights[order], self.bound) :]
            best = weights[order], np.arange(order.size), below, listed[order]
            if order.size >= FEW_BY_LINES or below >= most:
                break
            below = min(below + STEP, most)
        return None if best is None else self._window(*best)

    def _expected(self, count: int) -> int:
        """Return a weight below which so many press sets are expected: half of the bulbs are
        pressed in half of them.
        """
        mean, spread = self.size / 2, sqrt(self.size) / 2
        for weight in range(self.size):
            below = 0.5 * (1 + erf((weight - mean) / spread / sqrt(2)))
            if below * 2.0**self.nullity >= count:
                return weight
        return self.size

    def without_small(self, near: list[list[int]], odd_later: Bits) -> Window:
        """Return all press sets without an odd component of one bulb or two. Raises TimeUp."""
        basis = self.sets.kernel_basis
        coset = Coset(self.board, self.sets.particular, basis, [])
        numbers = without_small(coset, near, odd_later, self.limits)
        all_listed = Window(numbers, numbers, self.sets, self._columns)
        weights = np.empty(numbers.size, dtype=np.int64)
        for start in range(0, numbers.size, 1 << 12):
            self.limits.check()
            places = slice(start, start + (1 << 12))
            weights[places] = np.count_nonzero(all_listed.press_sets(places), axis=1)
        order = np.argsort(weights, kind="stable")
        return self._window(weights[order], numbers[order], self.size + 1)
