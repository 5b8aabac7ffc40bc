"""King and row/column boards: the fewest presses, or a bound on them, by games of switches.

Idea (theory §1.6). Let A = P ⊗ Q, with bases U of ker P and V of ker Q (`kronecker`). Two press
sets differ by Uᵀ X + Y V: what a change of theirs does in the cell (i, j) depends on the *profiles*
U_i, V_j, the bits that the basis vectors have there:

    U_i · x_j + y_i · V_j,         x_j, y_i free.

So in a *block*, the rows of one profile times the columns of one, the press sets differ by whole
rows and columns of the block, and by rows only if V_j ≠ 0, by columns only if U_i ≠ 0. The presses
of a block are at least what such switches leave (`switching_game`, or nothing to choose), and
blocks are disjoint: their sum is a lower bound on every press set. It is rounded up to the parity
of one of them, which all have (theory §1.1).

If P and Q have at most one kernel vector each (king boards), x_j and y_i are single bits, each of
them is a switch of one block only, and the sum is met unless a block had to be bounded in parts:
the lightest press set is found.

A full row/column rectangle is one block (theory §1.2): columns are switched if the number of rows
is odd, rows if that of the columns is. Switches must be even in number; as they cross an odd number
of bulbs each, that is what the parity of the presses says.

Letters: P, Q, U, V as in `kronecker`; x_j, y_i what is chosen for a column and for a row.
Cost: that of the games; king 50 × 50 is one of 34 × 34: 0.3 s. Blocks that are too large for two
halves are cut into parts of some rows.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from ponder.limits import NEVER, Limits, TimeUp
from ponder.linear import gf2
from ponder.linear.kronecker import Factors, factors_of
from ponder.linear.press_sets import PressSets
from ponder.linear.switching_game import play
from ponder.linear.two_halves import halves_fit
from ponder.puzzle.answer import Best
from ponder.puzzle.board import Board
from ponder.puzzle.bound_evidence import GameBlock, SwitchingBlocks
from ponder.puzzle.graph import CrossGraph, GridGraph
from ponder.types import Bits, Ints

PAIRS_PER_SECOND = 2**25
"""How many pairs of halves a second is enough for."""
MOST_PAIRS = 2**31
"""How many pairs all games may look at: one minute."""
SHARE = 0.5
"""What the games may take of the time that is left."""


@dataclass(frozen=True, eq=False)
class Block:
    """The rows of one profile and the columns of one, and how few presses switches leave there.

    `rows`, `columns`    numbers of lines of the board
    `x`, `y`             the columns, and the rows, that are switched for few presses
    `least`              the presses of parts of the block, by their rows and columns; no switches
                         of a part leave fewer
    """

    rows: Ints
    columns: Ints
    x: Bits
    y: Bits
    least: list[tuple[Ints, Ints, int]]


def blocks_bound(
    board: Board, sets: PressSets, *, seed: int = 0, limits: Limits = NEVER
) -> Best | None:
    """Return a bound on the presses of every sequence; None where press sets have no such form.

    `presses` is a light press set where P and Q have at most one kernel vector: the lightest, if it
    meets the bound. When the time is up the bound is that of the blocks so far; TimeUp before.

    >>> from ponder.linear.press_sets import press_sets
    >>> board = Board.from_rows(["00000"] * 5, "king")
    >>> found = blocks_bound(board, press_sets(board))
    >>> found.lower_bound, found.optimal
    (4, True)
    """
    graph = board.graph
    if not isinstance(graph, GridGraph) or graph.mask is not None:
        return None
    crosses = isinstance(graph, CrossGraph)
    if crosses:
        u, v = (np.ones((side % 2, side), dtype=np.bool_) for side in graph.shape)
    else:
        factors = factors_of(graph)
        if factors is None:
            return None
        u, v = kernels(factors, limits)
    grid = sets.particular.reshape(graph.shape)
    parity = int(np.count_nonzero(grid)) % 2
    blocks = _blocks(grid, u, v, parity if crosses else None, seed, limits)
    parts = [part for block in blocks for part in block.least]
    bound = sum(least for _, _, least in parts)
    presses = None
    if len(u) <= 1 and len(v) <= 1:
        found = grid.copy()
        for block in blocks:
            cells = np.ix_(block.rows, block.columns)
            found[cells] ^= block.y[:, None] ^ block.x
        presses = np.flatnonzero(found)
    bound += (bound + parity) % 2
    evidence = SwitchingBlocks(tuple(GameBlock(*part) for part in parts))
    return Best("switching blocks", presses, bound, evidence)


def kernels(factors: Factors, limits: Limits = NEVER) -> tuple[Bits, Bits]:
    """Return bases of ker P and ker Q: (dU, R), (dV, C)."""
    found = []
    for factor in (factors.rows, factors.columns):
        size = len(factor)
        found.append(gf2.eliminate(gf2.pack(factor), size, limits).kernel())
    return found[0], found[1]


def _blocks(
    grid: Bits, u: Bits, v: Bits, parity: int | None, seed: int, limits: Limits
) -> list[Block]:
    """Return the blocks of all profiles, large ones in parts, each with its least presses."""
    areas = [
        (rows, columns, moved_x, moved_y)
        for rows, moved_x in _classes(u)
        for columns, moved_y in _classes(v)
    ]
    games = sum(moved_x and moved_y for _, _, moved_x, moved_y in areas)
    left = limits.left(SHARE)
    pairs = MOST_PAIRS if left is None else min(MOST_PAIRS, int(left * PAIRS_PER_SECOND))
    blocks = []
    for rows, columns, moved_x, moved_y in areas:
        cells = grid[np.ix_(rows, columns)]
        if moved_x and moved_y:
            blocks.append(_with_game(cells, rows, columns, parity, pairs // games, seed, limits))
        else:
            blocks.append(_without_game(cells, rows, columns, moved_x, moved_y, parity))
    return blocks


def _with_game(
    cells: Bits,
    rows: Ints,
    columns: Ints,
    parity: int | None,
    pairs: int,
    seed: int,
    limits: Limits,
) -> Block:
    """Return a block in which rows and columns may be switched, large ones bounded in parts."""
    turned = rows.size > columns.size
    short, width = min(rows.size, columns.size), max(rows.size, columns.size)
    parts = np.array_split(np.arange(short), _part_count(short, width, pairs))
    x, y = np.zeros(columns.size, dtype=np.bool_), np.zeros(rows.size, dtype=np.bool_)
    least = []
    with suppress(TimeUp):  # what was bounded until then counts
        if len(parts) == 1:
            game = play(cells, parity=parity, seed=seed, most_pairs=pairs, limits=limits)
            return Block(rows, columns, game.columns, game.rows, [(rows, columns, game.least)])
        for part in parts:
            own = (slice(None), part) if turned else (part, slice(None))
            game = play(cells[own], seed=seed, most_pairs=pairs // len(parts), limits=limits)
            least.append((rows[own[0]], columns[own[1]], game.least))
        game = play(cells, parity=parity, seed=seed, most_pairs=0, limits=limits)
        x, y = game.columns, game.rows
    return Block(rows, columns, x, y, least)


def _part_count(height: int, width: int, pairs: int) -> int:
    """Return in how many parts of its rows a block is bounded, so that its games end in time.

    A part of h rows has about 2^(0.7·h) pairs of halves, and if it is much wider 2^(h−2).
    """
    count = 1
    while count < height:
        tall = -(-height // count)
        if halves_fit((tall, width)):  # so that the powers are numbers that a machine has
            wide = width > 1.5 * tall
            pairs_of_one = 2 ** (tall - 2) * max(1, width / 16) if wide else 2 ** (0.7 * tall)
            if count * pairs_of_one <= pairs:
                break
        count += 1
    return count


def _classes(basis: Bits) -> list[tuple[Ints, bool]]:
    """Return the lines of each profile, and whether it is not 0: whether crossing lines move them.

    >>> [(lines.tolist(), moved) for lines, moved in _classes(np.array([[1, 1, 0, 1, 1]], bool))]
    [([2], False), ([0, 1, 3, 4], True)]
    """
    profiles, which = np.unique(basis.T, axis=0, return_inverse=True)
    which = which.reshape(-1)
    return [(np.flatnonzero(which == k), bool(one.any())) for k, one in enumerate(profiles)]


def _without_game(
    cells: Bits, rows: Ints, columns: Ints, moved_x: bool, moved_y: bool, parity: int | None
) -> Block:
    """Return a block in which only rows, or only columns, may be switched, or nothing."""
    x, y = np.zeros(columns.size, dtype=np.bool_), np.zeros(rows.size, dtype=np.bool_)
    if moved_x or moved_y:
        switched, axis = (x, 0) if moved_x else (y, 1)
        more = cells.shape[axis] - 2 * np.count_nonzero(cells, axis=axis)  # what a switch adds
        switched |= more < 0
        if parity not in (None, np.count_nonzero(cells ^ x ^ y[:, None]) % 2):
            switched[np.abs(more).argmin()] ^= True
    least = int(np.count_nonzero(cells ^ x ^ y[:, None]))
    return Block(rows, columns, x, y, [(rows, columns, least)])
