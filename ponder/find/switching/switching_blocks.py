"""Boards whose press sets differ by patterns of whole rows and columns: the fewest presses.

Idea (theory §1.6). Let A = P ⊗ Q, with bases U of ker P and V of ker Q (`kronecker`). Two press
sets differ by Uᵀ X + Y V: any column may take a sum of the patterns in U, and any row one of V. If
U falls into parts that have no line in common, V likewise, the rows of a part of U and the columns
of a part of V are a *block*, whose patterns change nothing elsewhere. Where no pattern of U goes,
lines across choose alone. Blocks are disjoint: the sum of the fewest presses that the patterns
leave in each (`gale_berlekamp`) is a lower bound on every press set, rounded up to the parity that
all have. It is met if no part has more than two patterns and their sum (boards and tori of king),
and no block is too large. Smaller blocks prove less: all rows times the columns that are alike in
all patterns, all rows that are alike times these, and of them parts of some rows. Such parts may
overlap: if each row is in t of them, each counts for 1/t. All but one of k parts of the rows, in
turn, prove more than separate parts do. A full row/column rectangle is one block.

Letters: P, Q, U, V as in `kronecker`; k parts of the rows, t of them in a game.
Cost: that of the games; king 50 × 50 is one of 34 × 34: 0.3 s.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb, erfc, log, pi, sqrt
from typing import TypeAlias

import numpy as np

from ponder.check.evidence.switching_blocks import MOST_TIMES, GameBlock, SwitchingBlocks, added
from ponder.find.linear import gf2
from ponder.find.linear.kronecker import factors_of
from ponder.find.search.outcome import SearchOutcome
from ponder.find.switching.gale_berlekamp import Game, SwitchableLines, play
from ponder.find.switching.meet_in_the_middle import halves_fit
from ponder.model.board import Board
from ponder.model.graph import CrossGraph, GridGraph
from ponder.system.limits import NEVER, Limits, TimeUp
from ponder.system.types import Bits, Ints

PAIRS_PER_SECOND = 2**25  # how many pairs of halves a second is enough for, a little less
MOST_PAIRS = 2**31  # how many pairs all games may look at: one minute
SHARE = 0.5  # what the games may take of the time that is left
QUICK_SHARE, QUICK_SECONDS = 0.25, 10.0  # for all bounds before a search: of a limit, and without
FIRST = 16  # a part of the pairs proves a bound first, where parts overlap
ROW_PARTS = 8  # parts of the rows of which some make a game
SPREAD = sqrt(1 - 2 / pi)  # of |x| for a standard normal x
JOINED = 2  # two classes make a half in R times as long as looking at R / JOINED pairs takes


@dataclass(frozen=True, eq=False)
class PatternedLines:
    """Lines of a board, and independent patterns (d, n) on them that may be added across."""

    lines: Ints
    patterns: Bits

    def by_profile(self) -> list[PatternedLines]:
        """Return the lines that are alike in all patterns, which are added as a whole or not."""
        if not len(self.patterns):
            return [self]
        profiles, which = np.unique(self.patterns.T, axis=0, return_inverse=True)
        alike = [self.lines[which.reshape(-1) == k] for k in range(len(profiles))]
        return [PatternedLines(lines, np.ones((1, lines.size), dtype=np.bool_)) for lines in alike]

    def cut(self, count: int, together: int = 1) -> list[PatternedLines]:
        """Return a number of parts, or all choices of some of them; patterns stay independent."""
        parts = np.array_split(np.arange(self.lines.size), count)
        places = (np.concatenate(some) for some in combinations(parts, together))
        return [PatternedLines(self.lines[some], self.patterns[:, some]) for some in places]


Pieces: TypeAlias = list[tuple[PatternedLines, PatternedLines]]


@dataclass(frozen=True, eq=False)
class SwitchingBlock:
    """The presses left in a block, and of what parts of it the bound consists.

    `grid`    (rows, columns) after good choices
    `least`   rows and columns, and how many presses no choices of patterns leave there
    """

    grid: Bits
    least: list[GameBlock]


def blocks_bound(
    board: Board, press_set: Bits, *, seed: int = 0, limits: Limits = NEVER
) -> SearchOutcome | None:
    """Return a bound on the presses of every sequence; None where press sets have no such form.

    `press_set` is any one of the board, (n,) bits. `presses` is a light press set where every part
    has at most two patterns: the lightest, if it meets the bound. When the time is up the bound is
    that of the blocks so far. Raises TimeUp before.

    >>> from ponder.find.linear.press_sets import press_sets
    >>> board = Board.from_rows(["000000"] * 9, "torus-king")
    >>> found = blocks_bound(board, press_sets(board).particular)
    >>> found.lower_bound, found.optimal
    (6, True)
    """
    graph = board.graph
    if not isinstance(graph, GridGraph) or graph.mask is not None:
        return None
    crosses = isinstance(graph, CrossGraph)
    if crosses:  # the patterns U and V: kernels of both factors
        u, v = (np.ones((side % 2, side), dtype=np.bool_) for side in graph.shape)
    else:
        factors = factors_of(graph)
        if factors is None:
            return None
        u, v = (
            gf2.eliminate(gf2.pack(one), len(one), limits).kernel()
            for one in (factors.rows, factors.columns)
        )
    grid = press_set.reshape(graph.shape)
    parity = int(np.count_nonzero(grid)) % 2
    areas = [(rows, columns) for rows in parts_of(u) for columns in parts_of(v)]
    # the time is shared among blocks where both sides choose
    games = sum(bool(rows.patterns.size and columns.patterns.size) for rows, columns in areas)
    pairs = pairs_in_time(MOST_PAIRS, limits.left(SHARE))
    search = _BlockSearch(grid, parity if crosses else None, seed, limits)
    found, least = grid.copy(), []
    for rows, columns in areas:  # play every block by itself
        block = search.block(rows, columns, pairs // max(1, games))
        found[np.ix_(rows.lines, columns.lines)] = block.grid
        least += block.least
    bound = -int(-added(least) // 1)
    bound += (bound + parity) % 2
    evidence = SwitchingBlocks(tuple(least))
    small = all(len(part.patterns) <= 2 for area in areas for part in area)
    return SearchOutcome(
        "switching blocks", np.flatnonzero(found) if small else None, bound, evidence
    )


def pairs_in_time(most: int, seconds: float | None) -> int:
    """Return how many pairs of halves there is time for."""
    return most if seconds is None else min(most, int(seconds * PAIRS_PER_SECOND))


def parts_of(basis: Bits) -> list[PatternedLines]:
    """Return the lines without a pattern, then those of linked ones; the basis is reduced."""
    still = np.flatnonzero(~basis.any(axis=0))
    parts = [PatternedLines(still, basis[:0, still])] if still.size else []
    left = np.ones(len(basis), dtype=np.bool_)
    while left.any():
        linked: Bits = np.zeros_like(left)
        linked[left.argmax()] = True
        while True:
            lines = basis[linked].any(axis=0)
            wider: Bits = np.asarray(basis[:, lines].any(axis=1))
            if np.array_equal(wider, linked):
                break
            linked = wider
        parts.append(PatternedLines(np.flatnonzero(lines), basis[np.ix_(linked, lines)]))
        left &= ~linked
    return parts


@dataclass(frozen=True, eq=False)
class _BlockSearch:
    """Blocks of one press set (R, C); with a parity, they are the whole board."""

    grid: Bits
    parity: int | None
    seed: int
    limits: Limits

    def block(
        self, rows: PatternedLines, columns: PatternedLines, pairs: int, whole: bool = False
    ) -> SwitchingBlock:
        """Return a block, played with some pairs of halves: whole, in parts if not, or both."""
        grid, least = self.grid[np.ix_(rows.lines, columns.lines)], list[GameBlock]()
        pieces, times = ([], 1) if whole else _pieces(rows, columns, pairs)
        if times > 1:  # others first, should these take too long
            least = self._pieced(*_pieces(rows, columns, pairs // FIRST), pairs // FIRST)
        least = max(least, self._pieced(pieces, times, pairs), key=added)
        if max(len(rows.patterns), len(columns.patterns)) > 2:
            return SwitchingBlock(grid, least)
        game = Game(grid, SwitchableLines.of(rows.patterns), SwitchableLines.of(columns.patterns))
        # where the pieces are parts of some rows, what is left of the block is for a local search
        most = pairs if not pieces or _worth(game, pairs) else 0
        with suppress(TimeUp):
            played = play(
                game, parity=self.parity, seed=self.seed, most_pairs=most, limits=self.limits
            )
            grid = played.grid
            if played.least >= added(least):
                least = [GameBlock(rows.lines, columns.lines, played.least)]
        return SwitchingBlock(grid, least)

    def _pieced(self, pieces: Pieces, times: int, pairs: int) -> list[GameBlock]:
        """Return what some pieces prove, each cell being in so many of them."""
        least: list[GameBlock] = []
        with suppress(TimeUp):  # what was bounded until then counts
            for piece in pieces:
                one = _BlockSearch(self.grid, None, self.seed, self.limits)
                found = one.block(*piece, pairs // len(pieces), times > 1).least
                least += [replace(block, times=times) for block in found] if times > 1 else found
        return least


def _worth(game: Game, pairs: int) -> bool:
    """Whether the halves of a game with two patterns and their sum are quickly made."""
    if game.turned.choices < game.choices:
        game = game.turned
    if not game.fits:
        return False
    if len(game.rows.members) == 1:  # a strip, whose lines take two patterns and their sum?
        return game.columns.dimension == 2 and 2 ** (0.7 * game.choices) <= pairs
    return (len(game.grid) << max(game.listed)) <= JOINED * pairs


def _pieces(rows: PatternedLines, columns: PatternedLines, pairs: int) -> tuple[Pieces, int]:
    """Return the smaller blocks in which a block is bounded, too; none where it is small.

    And in how many of them each cell is.
    """
    patterns = len(rows.patterns), len(columns.patterns)
    if max(patterns) > 2 or sorted(patterns) == [1, 2]:
        by_rows, by_columns = (part.by_profile() for part in (rows, columns))
        return [(some, others) for some in by_rows for others in by_columns], 1
    if patterns == (2, 2):  # strips: each line across takes a pattern in each by itself
        if rows.lines.size < columns.lines.size:
            return [(some, columns) for some in rows.by_profile()], 1
        return [(rows, some) for some in columns.by_profile()], 1
    if not min(patterns):
        return [], 1
    short, width = sorted((rows.lines.size, columns.lines.size))
    count, together = _parts(short, width, pairs)
    if count == together:
        return [], 1
    times = comb(count - 1, together - 1)
    if rows.lines.size > columns.lines.size:
        return [(rows, some) for some in columns.cut(count, together)], times
    return [(some, columns) for some in rows.cut(count, together)], times


def _parts(height: int, width: int, pairs: int) -> tuple[int, int]:
    """Return in how many parts the rows fall, and how many make a game, so that all end in time.

    The games are to have as many rows as can be.
    """
    if _pairs_of(height, width) <= pairs:
        return 1, 1
    best, tallest = (height, 1), 1
    for count in range(2, height):
        for together in range(1, count if count <= ROW_PARTS else 2):
            tall = min(height, together * -(-height // count))
            games, times = comb(count, together), comb(count - 1, together - 1)
            soon = games * _pairs_of(tall, width) <= pairs
            if soon and times <= MOST_TIMES and tall > tallest:
                best, tallest = (count, together), tall
    return best


def _pairs_of(height: int, width: int) -> float:
    """Return about how many pairs of halves a game of random signs looks at, by their number."""
    if not halves_fit((height // 2, -(-height // 2)), width):
        return float("inf")
    spread = SPREAD * sqrt(height * width)
    largest = width * sqrt(2 * height / pi) + 0.94 * spread * sqrt(2 * height * log(2))
    above = (largest - 2 * width * sqrt(height / pi)) / spread  # of |a_j| + |b_j|, in the mean
    return float(2 ** (height - 1) * erfc(above / sqrt(2)) / 2 * max(1, width / 64))
