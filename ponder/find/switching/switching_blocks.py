"""Boards whose press sets differ by patterns of whole rows and columns: the fewest presses.

Idea (theory §1.6). Let A = P ⊗ Q, with bases U of ker P and V of ker Q (`kronecker`). Two press
sets differ by Uᵀ X + Y V: any column may take a sum of the patterns in U, and any row one of V. If
U falls into parts that have no line in common, V likewise, the rows of a part of U and the columns
of a part of V are a *block*, whose patterns change nothing elsewhere. Where no pattern of U goes,
lines across choose alone. Blocks are disjoint: the sum of the fewest presses that the patterns
leave in each (`game`) is a lower bound on every press set, rounded up to the parity that all have.
It is met if no part has more than two patterns and their sum (boards and tori of king), and no
block is too large. Smaller blocks prove less: all rows that are alike in all patterns times all
such columns, and of these the parts of some rows. A full row/column rectangle is one block.

Letters: P, Q, U, V as in `kronecker`.
Cost: that of the games; king 50 × 50 is one of 34 × 34: 0.3 s.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from ponder.check.evidence.switching_blocks import GameBlock, SwitchingBlocks
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

    def cut(self, count: int) -> list[PatternedLines]:
        """Return a number of parts of the lines; the patterns are to remain independent."""
        places = np.array_split(np.arange(self.lines.size), count)
        return [PatternedLines(self.lines[some], self.patterns[:, some]) for some in places]


@dataclass(frozen=True, eq=False)
class SwitchingBlock:
    """The presses left in a block, and of what parts of it the bound consists.

    `grid`    (rows, columns) after good choices
    `least`   rows and columns, and how many presses no choices of patterns leave there
    """

    grid: Bits
    least: list[tuple[Ints, Ints, int]]


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
    bound = sum(one for _, _, one in least)
    bound += (bound + parity) % 2
    evidence = SwitchingBlocks(tuple(GameBlock(*block) for block in least))
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

    def block(self, rows: PatternedLines, columns: PatternedLines, pairs: int) -> SwitchingBlock:
        """Return a block, played with at most some pairs of halves: whole, in parts, or both."""
        grid = self.grid[np.ix_(rows.lines, columns.lines)]
        pieces, least = _pieces(rows, columns, pairs), []
        with suppress(TimeUp):  # what was bounded until then counts
            for piece in pieces:
                one = _BlockSearch(self.grid, None, self.seed, self.limits)
                least += one.block(*piece, pairs // len(pieces)).least
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
            if played.least >= sum(one for _, _, one in least):
                least = [(rows.lines, columns.lines, played.least)]
        return SwitchingBlock(grid, least)


def _worth(game: Game, pairs: int) -> bool:
    """Whether the halves of a game with two patterns and their sum are quickly made."""
    if game.turned.choices < game.choices:
        game = game.turned
    if len(game.rows.members) == 1 or not game.fits:
        return False
    return (len(game.grid) << max(game.listed)) <= JOINED * pairs


def _pieces(
    rows: PatternedLines, columns: PatternedLines, pairs: int
) -> list[tuple[PatternedLines, PatternedLines]]:
    """Return the smaller blocks in which a block is bounded, too; none where it is small."""
    patterns = sorted((len(rows.patterns), len(columns.patterns)))
    if patterns[1] > 2 or (patterns[0] and patterns[1] == 2):
        by_rows, by_columns = (part.by_profile() for part in (rows, columns))
        return [(some, others) for some in by_rows for others in by_columns]
    if not patterns[0]:
        return []
    short, width = sorted((rows.lines.size, columns.lines.size))
    count = _part_count(short, width, pairs)
    if count == 1:
        return []
    if rows.lines.size > columns.lines.size:
        return [(rows, some) for some in columns.cut(count)]
    return [(some, columns) for some in rows.cut(count)]


def _part_count(height: int, width: int, pairs: int) -> int:
    """Return in how many parts of its rows a block is bounded, so that its games end in time."""
    count = 1
    while count < height:
        tall = -(-height // count)
        if halves_fit((tall // 2, -(-tall // 2)), width):  # so that the powers are numbers
            wide = width > 1.5 * tall
            pairs_of_one = 2 ** (tall - 2) * max(1, width / 16) if wide else 2 ** (0.7 * tall)
            if count * pairs_of_one <= pairs:
                break
        count += 1
    return count
