"""`switching-blocks`: parts of a grid in which press sets differ by patterns of lines.

Idea. Two press sets differ in the cell (i, j) by U_i·x_j + y_i·V_j, U_i and V_j the *profiles* of
row and column (theory §1.6): in a block a column takes a pattern of its rows, a row a pattern of
its columns, none if the profiles are 0. On row/column boards whole columns are switched if R is
odd, whole rows if C is. Blocks are disjoint, so their least numbers of presses add up to a bound.
They may overlap: one with `times` t counts for 1/t, and the shares at a cell are at most 1 in all.
The least of a block, of at most three profiles, which then sum to 0, is a game for
`meet_in_the_middle` (§4.14): the rows' choices are split in two, some rows and the others, or the
profiles 0 and 1, and 2. One row of each of the first two stays: columns can undo what it adds.

Sums: all of them count bulbs, with signs. Cost: that of the pairs; 34 × 34 0.5 s.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import ClassVar

import numpy as np

from ponder.check.fields import fail, set_of_lines
from ponder.check.kinds import Bound
from ponder.check.limits import Budget
from ponder.check.line_patterns import MOST_SIDE, profiles_of
from ponder.check.linear import press_sets
from ponder.check.meet_in_the_middle import PartChoices, Sums, demand, reaching
from ponder.check.written import Count, Lines, Written
from ponder.model.board import Board
from ponder.model.graph import CrossGraph
from ponder.system.errors import quoted
from ponder.system.types import Bits, Ints

WHAT = "switching-blocks"
MOST_TIMES = 8  # blocks that share a cell, each counted for a part
_NS_PAIR = 60  # nanoseconds for two lines, whose profiles are compared
_NS_BLOCK = 100_000  # … for a block, however small
_BYTES_CELL = 80  # bytes: signs, and what up to four patterns make of them
_NS_LINE = 20  # … for a line of the board, each time that a block names its own


class GameBlock(Written):
    """Rows and columns in whose cells press sets differ by such patterns, and the least weight."""

    rows: Lines
    columns: Lines
    least: Count
    times: Count | None = None

    @property
    def share(self) -> Fraction:
        """What the block counts for."""
        return Fraction(1, self.times or 1)


def added(blocks: Iterable[GameBlock]) -> Fraction:
    """Return the presses of some blocks, each by what it counts for."""
    return sum((block.share * block.least for block in blocks), Fraction())


class SwitchingBlocks(Bound):
    """Separate blocks in which press sets differ by patterns of whole lines."""

    kind = WHAT
    theory = "§1.6, §4.14, own proof"
    of_orders: ClassVar[bool] = False
    says: ClassVar[str] = "the board holds separate blocks, and the fewest presses of each add up"
    argues: ClassVar[str] = (
        "press sets differ by patterns of lines in disjoint blocks, whose least weights add up"
    )
    blocks: tuple[GameBlock, ...]

    def proves(self, board: Board, command: str, enough: int, budget: Budget) -> int:
        """Return what the blocks prove of every press set, if none of them proves less."""
        lines_of = sum(getattr(board.graph, "shape", ()))
        budget.spend(_NS_PAIR * min(lines_of, 2 * MOST_SIDE) ** 2, f"{WHAT}: the profiles of lines")
        row_profiles, column_profiles = profiles_of(board)
        base = press_sets(board, budget).one
        grid = base.reshape(len(row_profiles), len(column_profiles))
        parity = int(np.count_nonzero(base)) % 2
        most = max((block.times or 1 for block in self.blocks), default=1)
        if most > MOST_TIMES or any(block.times == 0 for block in self.blocks):
            fail(f"{WHAT}: a block counts for 1/{quoted(most)}, or its `times` is 0")
        unit = lcm(*range(1, most + 1))  # of the shares
        taken = np.zeros(grid.shape, dtype=np.int64)
        work = len(self.blocks) * (_NS_BLOCK + _NS_LINE * sum(grid.shape))
        budget.spend(work, f"{WHAT}: {len(self.blocks)} blocks")
        for block in self.blocks:
            # blocks must be disjoint: then their least numbers add up
            rows = np.flatnonzero(set_of_lines(block.rows, len(grid), f"{WHAT}: rows"))
            width, least = grid.shape[1], block.least
            columns = np.flatnonzero(set_of_lines(block.columns, width, f"{WHAT}: columns"))
            cells = np.ix_(rows, columns)
            taken[cells] += unit // (block.times or 1)
            if (taken[cells] > unit).any():
                fail(f"{WHAT}: two blocks have a cell in common")
            # of a whole rectangle the parity is known too
            whole = isinstance(board.graph, CrossGraph) and rows.size * columns.size == grid.size
            of_rows, of_columns = (
                _Lines.of([profiles[i] for i in chosen.tolist()])
                for profiles, chosen in ((row_profiles, rows), (column_profiles, columns))
            )
            one_of = parity if whole else None
            found = _least(grid[cells], of_rows, of_columns, one_of, least, budget.of_board)
            if found < least:
                fail(f"{WHAT}: a block may have {found} presses, fewer than {least}")
        total = -int(-added(self.blocks) // 1)
        return total + (total + parity) % 2


@dataclass(frozen=True, eq=False)
class _Lines:
    """A block's lines by profile, and what is added across: (A, n) of ±1, first +1 everywhere."""

    groups: list[Ints]
    patterns: Sums

    @classmethod
    def of(cls, profiles: list[int]) -> _Lines:
        """Return the lines of these profiles. Raises CheckFailed if these are too many."""
        distinct = sorted(set(profiles))
        if len(distinct) > 1 and (len(distinct) > 3 or not distinct[0]):
            fail(f"{WHAT}: the lines of a block have {len(distinct)} profiles, or some have none")
        if len(distinct) == 3 and distinct[0] ^ distinct[1] ^ distinct[2]:
            fail(f"{WHAT}: the three profiles of a block do not sum to 0")
        chosen: list[list[int]] = [[0] * len(distinct)]
        for free in range(min(2, len(distinct)) if any(distinct) else 0):
            alone = [int(k in (free, 2)) for k in range(len(distinct))]
            chosen += [[x ^ y for x, y in zip(one, alone, strict=True)] for one in chosen]
        which = np.array([distinct.index(profile) for profile in profiles], dtype=np.int64)
        signs = 1 - 2 * np.array(chosen, dtype=np.int64).reshape(len(chosen), -1)
        groups = [np.flatnonzero(which == k) for k in range(len(distinct))]
        return cls(groups, signs[:, which])


def _least(
    cells: Bits, rows: _Lines, columns: _Lines, parity: int | None, enough: int, budget: Budget
) -> int:
    """Return the fewest ones that the patterns leave, or `enough`; with a parity, ones of it."""
    if not cells.size:
        return 0
    a, b = len(columns.patterns), len(rows.patterns)  # what a row, and a column, may take
    budget.hold(_BYTES_CELL * cells.size, f"{WHAT}: the patterns of a block's cells")
    if a > 1 and (b == 1 or a ** len(cells) > b ** cells.shape[1]):
        turned = np.ascontiguousarray(cells.T)
        return _least(turned, columns, rows, parity, enough, budget)
    signs = np.where(cells, -1, 1).astype(np.int64)
    if a == 1:
        best = (rows.patterns @ signs).max(axis=0)[None]
        return _ones(best, best.sum(axis=1), cells.size, parity if b == 2 else None)
    least = enough
    first, second = _halves(signs, rows, columns, budget)
    exact = max(1, cells.shape[1] // (3 if cells.shape[1] < 2 * len(cells) else 2))
    needed = cells.size - 2 * (enough - 1)
    for _, sums, more in reaching(first, second, needed, exact, budget):
        total = np.abs(sums).sum(axis=1, dtype=np.int64) + more
        least = min(least, _ones(sums, total, cells.size, parity))
    return least


def _halves(
    signs: Sums, rows: _Lines, columns: _Lines, budget: Budget
) -> tuple[PartChoices, PartChoices]:
    (height, width), a = signs.shape, len(columns.patterns)
    options = columns.patterns * signs[:, None]  # (R, A, C)
    nothing = np.zeros(width, dtype=np.int64)

    def part(lines: Ints, first_stays: bool) -> PartChoices:
        free = lines[1:] if first_stays else lines
        demand(width, (a.bit_length() - 1) * free.size, budget)
        start = signs[lines[0]] if first_stays else nothing
        return PartChoices.of(options[free], start, height)

    if len(rows.groups) == 1:
        half = (height + 1) // 2
        return part(np.arange(half), True), part(np.arange(half, height), False)
    zero, one = part(rows.groups[0], True), part(rows.groups[1], True)
    two = rows.groups[2] if len(rows.groups) == 3 else rows.groups[0][:0]
    members = zero.numbers.size * one.numbers.size
    demand(width, members.bit_length() - 1, budget)
    sums = np.empty((width, members), dtype=zero.sums.dtype)
    counted = np.zeros(members, dtype=np.int64)
    for j in range(width):
        # twice the larger size: bytes do, since `demand` lets no part have 2^62 members, and so
        # neither sum is larger than 63
        added = np.abs(zero.sums[j][:, None] + one.sums[j]).reshape(-1)
        apart = np.abs(zero.sums[j][:, None] - one.sums[j]).reshape(-1)
        sums[j] = (added - apart) // 2
        counted += (added + apart) // 2
    joined = PartChoices(np.arange(members, dtype=np.int64), sums, counted, height)
    return joined, part(two, False)


def _ones(extra: Ints, total: Ints, size: int, parity: int | None) -> int:
    """Return the fewest ones; a column, `extra` (N, C), is switched to mend the parity."""
    ones: Ints = (size - total) // 2
    if parity is not None:
        ones = np.where(ones % 2 == parity, ones, ones + np.abs(extra).min(axis=1))
    return int(ones.min())
