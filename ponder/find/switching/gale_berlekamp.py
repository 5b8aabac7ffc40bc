"""The switching game: the fewest ones that patterns, added to whole rows and columns, leave.

Idea (theory §4.14). A grid of bits is given, and patterns that may be added to any row, or to any
column: one, or two and their sum. In signs M (+ for 0) lines are multiplied. Once the rows have
chosen, every column chooses alone. Rows that are alike in all patterns of the columns are in one
*class*; with d_k(j) the sum of column j over class k, Σ_j F_j = R·C − 2·(ones) is to be large:

    one pattern      F = |d|:                         rows and columns are switched as a whole
    two, and a sum   F = max(|d_0|, |d_1|) + |m + d_2|,   m = sgn(d_0·d_1)·min(|d_0|, |d_1|).

Both suit `meet_in_the_middle`: the halves are some rows and the others, or the classes 0 and 1 and
class 2. As many rows stay as the columns have patterns. A local search provides what to beat.
Letters: R, C the sides (turned so that fewer choices are listed), M, d, F, m as above.
Cost: halves of some 2^(R/2), or 4^(2R/3), choices. 34 × 34 0.3 s; two patterns: 21 × 21 7 s.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ponder.find.switching.meet_in_the_middle import Half, Pair, all_sums, halves_fit
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints, indices

Signs: TypeAlias = NDArray[np.int8]
Reals: TypeAlias = NDArray[np.float32]

STARTS = 256  # the starts of a round, fewer where the grid is large
ROUNDS = 8
MAJORITIES = 8
FEW_CHOICES = 20  # where lines choose among 2^FEW_CHOICES two rounds are enough


@dataclass(frozen=True, eq=False)
class SwitchableLines:
    """The rows, or the columns, as the patterns see them that are added to the lines across.

    `classes`   (n,) the class of each line
    `patterns`  (A, K) signs, what each pattern does to each class; the first does nothing
    """

    classes: Ints
    patterns: Signs

    @classmethod
    def of(cls, basis: Bits) -> SwitchableLines:
        """Return the lines, given independent patterns that may be added across: (d, n)."""
        bits = 1 << np.arange(len(basis), dtype=np.int64)
        profiles, classes = np.unique(bits @ basis, return_inverse=True)
        sums = np.bitwise_count(np.arange(1 << len(basis))[:, None] & profiles)
        return cls(classes.reshape(-1), (1 - 2 * (sums % 2).astype(np.int8)).astype(np.int8))

    @property
    def dimension(self) -> int:
        """How many independent patterns there are: A = 2^dimension."""
        return len(self.patterns).bit_length() - 1

    @cached_property
    def members(self) -> list[Ints]:
        """The lines of each class."""
        return [np.flatnonzero(self.classes == k) for k in range(self.patterns.shape[1])]


@dataclass(frozen=True, eq=False)
class Played:
    """A grid after the best choices found; no choices leave fewer ones than `least`."""

    grid: Bits
    least: int

    @property
    def ones(self) -> int:
        """The ones that are left."""
        return int(np.count_nonzero(self.grid))


class Game:
    """A grid of bits (R, C), and its rows and columns.

    Rows take patterns of `columns`, columns those of `rows`. Raises ValueError if these are more
    than two and their sum, or one, or none, each other than 0 on every line.
    """

    def __init__(self, grid: Bits, rows: SwitchableLines, columns: SwitchableLines) -> None:
        self.grid = grid
        self.rows = rows
        self.columns = columns
        for lines in (rows, columns):
            if lines.dimension > 2 or lines.patterns.shape[1] != max(1, len(lines.patterns) - 1):
                raise ValueError("the patterns of a game are one, or two and their sum, or none")

    @cached_property
    def turned(self) -> Game:
        """The same with rows for columns."""
        return Game(self.grid.T, self.columns, self.rows)

    @property
    def choices(self) -> int:
        """The rows choose among 2^choices, less by those that the columns have as well."""
        height, b = len(self.grid), self.rows.dimension
        return self.columns.dimension * max(0, height - b)

    @cached_property
    def signs(self) -> Signs:
        """M: + for 0."""
        return (1 - 2 * self.grid.astype(np.int8)).astype(np.int8)

    @property
    def options(self) -> Signs:
        """What each row may add to the columns, by its patterns: (R, A, C)."""
        return self.columns.patterns[:, self.columns.classes] * self.signs[:, None]

    @cached_property
    def _tiles(self) -> list[tuple[int, int, Ints, Ints, Reals]]:
        """The signs of each class of rows and columns, with their numbers and lines."""
        return [
            (k, other, rows, columns, self.signs[np.ix_(rows, columns)].astype(np.float32))
            for k, rows in enumerate(self.rows.members)
            for other, columns in enumerate(self.columns.members)
        ]

    def scores(self, y: Ints) -> Reals:
        """Return what each pattern makes of each column's sum, given the rows': (N, R) → (B, N, C).

        `y` says which of its patterns each row takes.
        """
        patterns = self.columns.patterns.astype(np.float32)
        if len(self._tiles) == 1:
            sums = (patterns[:, 0].take(indices(y)) @ self._tiles[0][-1])[None]
        else:
            sums = np.empty((self.rows.patterns.shape[1], len(y), self.grid.shape[1]), np.float32)
            for k, other, rows, columns, real in self._tiles:
                sums[k][:, columns] = patterns[:, other].take(indices(y[:, rows])) @ real
        return np.asarray(np.einsum("bk,knc->bnc", self.rows.patterns.astype(np.float32), sums))

    def majorities(self, y: Ints, times: int, limits: Limits = NEVER) -> Ints:
        """Return better row choices, (N, R), columns and rows choosing in turn. Raises TimeUp."""
        turned = self.turned
        for _ in range(times):
            limits.check()
            y = turned.scores(self.scores(y).argmax(axis=0)).argmax(axis=0)
        return y

    def after(self, y: Ints, x: Ints) -> Bits:
        """Return the grid after the choices of rows (R,) and of columns (C,)."""
        of_rows = self.columns.patterns[y[:, None], self.columns.classes]
        of_columns = self.rows.patterns[x, self.rows.classes[:, None]]
        return np.asarray(self.signs * of_rows * of_columns < 0)

    def halves(self, limits: Limits = NEVER) -> tuple[Half, Half, Ints]:
        """Return both halves of the rows' choices, and the rows whose patterns their codes number.

        Digit i, to the base A, of the first codes and then of the second says what the i-th of
        these rows takes. The other rows stay. Raises TimeUp.
        """
        options = self.options
        last, single = len(self.grid) - 1, len(self.rows.members) == 1
        if single:
            groups = [np.arange((last + 1) // 2), np.arange((last + 1) // 2, last)]
            starts: list[Signs | int] = [0, self.signs[last]]
        else:
            zero, one, two = self.rows.members
            groups, starts = [zero[1:], one[1:], two], [self.signs[zero[0]], self.signs[one[0]], 0]
        lists = [all_sums(options[rows], at) for rows, at in zip(groups, starts, strict=True)]
        inner = lists.pop()
        outer, beta = (lists[0], _nothing(lists[0])) if single else _joined(lists, limits)
        halves = [
            Half.of(np.arange(len(more)), sums, more, last + 1, limits)
            for sums, more in ((outer, beta), (inner, _nothing(inner)))
        ]
        return halves[0], halves[1], np.concatenate(groups)

    @property
    def listed(self) -> tuple[int, int]:
        """The binary logarithms of the sizes of both halves."""
        height, a = len(self.grid), self.columns.dimension
        if len(self.rows.members) == 1:
            return a * (height // 2), a * ((height + 1) // 2 - 1)
        sizes = [len(rows) for rows in self.rows.members]
        return a * (sizes[0] + sizes[1] - 2), a * sizes[2]

    @property
    def fits(self) -> bool:
        """Whether there is memory for the halves, and whether their sums fit a byte."""
        return halves_fit(self.listed, self.grid.shape[1])


def play(
    game: Game,
    *,
    parity: int | None = None,
    seed: int = 0,
    most_pairs: int = 2**33,
    limits: Limits = NEVER,
) -> Played:
    """Return a game's end with few ones, and a lower bound: the same where there is time.

    With `parity` the ones that are left must have it; rows and columns that may be switched are
    then switched as a whole and have an odd length, so that one column more mends it. No more than
    `most_pairs` pairs of halves are looked at. Raises TimeUp if the time is up.

    >>> one = SwitchableLines.of(np.ones((1, 3), dtype=bool))
    >>> played = play(Game(np.array([[1, 0, 1], [0, 1, 0], [1, 1, 1]], dtype=bool), one, one))
    >>> played.ones, played.least
    (1, 1)
    """
    turned = game.turned
    if game.choices and (not turned.choices or game.choices > turned.choices):
        found = play(turned, parity=parity, seed=seed, most_pairs=most_pairs, limits=limits)
        return Played(found.grid.T, found.least)
    if not game.choices:
        end = _end(game, np.zeros(len(game.grid), dtype=np.int64), parity)
        return Played(end, int(np.count_nonzero(end)))
    y, least = _local_search(game, np.random.default_rng(seed), limits), 0
    if most_pairs and game.fits:
        y, least = _meet(game, y, parity, most_pairs, limits)
    return Played(_end(game, y, parity), least)


def _ones(game: Game, scores: Reals, parity: int | None) -> Ints:
    """Return the fewest ones that the columns leave, given their scores (B, N, C). (N,)."""
    size = scores.max(axis=0).sum(axis=1, dtype=np.float64)
    ones: Ints = ((game.grid.size - size) / 2).astype(np.int64)
    if parity is not None and len(scores) == 2:
        ones += (ones % 2 != parity) * np.abs(scores[0]).min(axis=1).astype(np.int64)
    return ones


def _end(game: Game, y: Ints, parity: int | None) -> Bits:
    """Return the grid after the rows' choices (R,) and the best ones of the columns."""
    scores = game.scores(y[None])[:, 0]
    x = scores.argmax(axis=0)
    if len(scores) == 2 and parity not in (None, np.count_nonzero(game.after(y, x)) % 2):
        x[np.abs(scores[0]).argmin()] ^= 1
    return game.after(y, x)


def _local_search(game: Game, rng: np.random.Generator, limits: Limits) -> Ints:
    """Return row choices with a large Σ_j F_j: by majorities, from the best ones shaken. (R,)."""
    rows, patterns = len(game.grid), len(game.columns.patterns)
    starts = max(8, min(STARTS, 2**18 // game.grid.size))
    best, largest = np.zeros(rows, dtype=np.int64), -1.0
    for at in range(ROUNDS if game.choices >= FEW_CHOICES else 2):
        y = rng.integers(0, patterns, (starts, rows))
        if at:
            shaken = rng.random((starts, rows)) < rng.uniform(1, 6) / rows
            y = np.where(shaken, (best + rng.integers(1, patterns, rows)) % patterns, best)
        y = game.majorities(y, MAJORITIES, limits)
        size = game.scores(y).max(axis=0).sum(axis=1)
        if size.max() > largest:
            best, largest = y[int(size.argmax())], float(size.max())
    return best


def _meet(
    game: Game, y: Ints, parity: int | None, most_pairs: int, limits: Limits
) -> tuple[Ints, int]:
    """Return the best row choices found, from these, and a bound on the ones of all."""
    outer, inner, free = game.halves(limits)
    pair = Pair(outer, inner, len(game.grid))
    split, digit = game.listed[0], game.columns.dimension
    found = least = int(_ones(game, game.scores(y[None]), parity)[0])
    step = 1 if parity is None else 2

    def needed(ones: int) -> int:
        """Return the Σ_j F_j of choices that leave fewer ones."""
        return game.grid.size - 2 * (ones - step)

    # too many pairs: prove the best bound that there is time for
    if pair.count(needed(found)) > most_pairs:
        bounds = range(found % step, found + 1, step)
        provable = bisect_right(bounds, most_pairs, key=lambda ones: pair.count(needed(ones)))
        least = bounds[max(0, provable - 1)]

    def wanted() -> int:
        return needed(min(found, least))

    for _, first, second in pair.scan(wanted):
        limits.check()
        if first.size:
            codes = first | second << split  # what each free row takes, digit by digit
            chosen = np.zeros((len(codes), len(game.grid)), dtype=np.int64)
            chosen[:, free] = codes[:, None] >> digit * np.arange(len(free), dtype=np.int64) & (
                (1 << digit) - 1
            )
            ones = _ones(game, game.scores(chosen), parity)
            if ones.min() < found:
                y, found = chosen[int(ones.argmin())], int(ones.min())
    return y, min(least, found)


def _nothing(sums: Signs) -> NDArray[np.int32]:
    """Return β = 0 for each choice."""
    return np.zeros(sums.shape[1], dtype=np.int32)


def _joined(lists: list[Signs], limits: Limits) -> tuple[Signs, NDArray[np.int32]]:
    """Return m and β = Σ_j max(|d_0|, |d_1|) of each d_0 (C, N_0) with each d_1 (C, N_1)."""
    zero, one = lists
    sums = np.empty((len(zero), one.shape[1], zero.shape[1]), dtype=np.int8)
    beta = np.zeros(sums.shape[1:], dtype=np.int32)
    for joined, a, b in zip(sums, zero, one[:, :, None], strict=True):
        limits.check()
        np.multiply(np.minimum(np.abs(a), np.abs(b)), np.sign(a) * np.sign(b), out=joined)
        beta += np.maximum(np.abs(a), np.abs(b))
    return sums.reshape(len(zero), -1), beta.reshape(-1)
