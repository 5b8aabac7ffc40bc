"""The bound `switching-blocks`: parts of a grid in which press sets differ by whole lines.

*Row/column boards*, full R × C rectangles: A s = 0 says s(i,j) = r_i + c_j for the parities of the
lines, so press sets differ by whole rows and columns. Summing up row i, r_i = C·r_i + Σ c_j: if C
is even all r_i are alike, and only columns are switched (or everything, which is all columns);
likewise only rows if R is even. Switches are even in number. As each crosses an odd number of
bulbs, those which leave the parity of the presses as it is are, and so the least is asked for among
these, where a block is the whole board.

*King boards and their like.* Let the closed neighbourhood of a cell be some rows times some
columns, so that pressing the grid S toggles P S Qᵀ. If e_i + e_i' is orthogonal to ker P, it is P z
for some z (P is symmetric), and so is e_j + e_j' = Q w for such columns. Then

    s(i,j) + s(i,j') + s(i',j) + s(i',j') = (P z)ᵀ S (Q w) = zᵀ (P S Qᵀ) w = zᵀ B w

is the same for all press sets S. Where the rows of a block cannot be told apart by ker P, nor its
columns by ker Q, any two press sets differ in the block by whole rows and columns of it. If e_i
itself is orthogonal to ker P, s(i,j) + s(i,j') is the same as well: no columns are switched; and no
rows if e_j is orthogonal to ker Q. The least number of presses in the block after such switches is
found by the checker; blocks are disjoint, so their sum bounds every press set. All press sets have
the same parity: a quiet pattern k has |k| ≡ Σ_v A_vv·k_v ≡ kᵀ A k = 0 (A is symmetric, with ones on
its diagonal). The sum is rounded up to it.

Sums: all of them count bulbs, with signs.
Cost: two halves of each block's switches (`ponder.check.switch_settings`); 34 × 34 0.5 s.
"""

from __future__ import annotations

import numpy as np

from ponder.check.fields import amount, fail, lines, objects
from ponder.check.limits import Budget, TooLarge
from ponder.check.linear import press_sets
from ponder.check.switch_settings import Settings
from ponder.puzzle.board import Board
from ponder.puzzle.graph import CrossGraph, StencilGraph
from ponder.types import Bits, Ints, Json

WHAT = "switching-blocks"
MOST_SIDE = 4096
"""Lines of a side whose profiles are worked out by elimination."""
_NS_PAIR = 60  # nanoseconds for two lines, whose profiles are compared
_NS_BLOCK = 100_000  # … for a block, however small
_NS_LINE = 20  # … for a line of the board, each time that a block names its own


def least_of_blocks(board: Board, bound: Json, budget: Budget) -> int:
    """Return what the blocks prove of every press set; CheckFailed where one proves less."""
    lines_of = sum(getattr(board.graph, "shape", ()))
    budget.spend(_NS_PAIR * min(lines_of, 2 * MOST_SIDE) ** 2, f"{WHAT}: the profiles of lines")
    row_profiles, column_profiles = _profiles_of(board)
    base = press_sets(board, budget).one
    grid = base.reshape(len(row_profiles), len(column_profiles))
    parity = int(np.count_nonzero(base)) % 2
    taken = np.zeros(grid.shape, dtype=np.bool_)
    total = 0
    items = objects(bound.get("blocks"), f"{WHAT}: blocks", f"{WHAT}: a block")
    work = len(items) * (_NS_BLOCK + _NS_LINE * sum(grid.shape))
    budget.spend(work, f"{WHAT}: {len(items)} blocks")
    for block in items:
        rows = np.flatnonzero(lines(block.get("rows"), len(grid), f"{WHAT}: rows"))
        columns = np.flatnonzero(lines(block.get("columns"), grid.shape[1], f"{WHAT}: columns"))
        least = amount(block.get("least"), f"{WHAT}: least")
        cells = np.ix_(rows, columns)
        if taken[cells].any():
            fail(f"{WHAT}: two blocks have a cell in common")
        taken[cells] = True
        row_profile = {row_profiles[i] for i in rows.tolist()}
        column_profile = {column_profiles[j] for j in columns.tolist()}
        if len(row_profile) > 1 or len(column_profile) > 1:
            fail(f"{WHAT}: the press sets do not differ by whole lines of a block")
        whole = isinstance(board.graph, CrossGraph) and rows.size * columns.size == grid.size
        moved = any(column_profile), any(row_profile)
        found = _least(grid[cells], moved, parity if whole else None, least, budget)
        if found < least:
            fail(f"{WHAT}: a block may have {found} presses, fewer than {least}")
        total += least
    return total + (total + parity) % 2


def _profiles_of(board: Board) -> tuple[list[int], list[int]]:
    """Return the profile of each row and of each column: 0 where crossing lines do not move it."""
    graph = board.graph
    if isinstance(graph, CrossGraph) and graph.mask is None:
        height, width = graph.shape
        return [height % 2] * height, [width % 2] * width
    rows_of, columns_of = _factors(board)
    return _profiles(rows_of), _profiles(columns_of)


def _factors(board: Board) -> tuple[list[int], list[int]]:
    """Return P and Q, each line a number whose bit k says that it reaches line k."""
    graph = board.graph
    if not isinstance(graph, StencilGraph) or graph.mask is not None:
        fail(f"{WHAT}: the board is no full grid or torus")
    (height, width), wraps = graph.shape, graph.wraps
    if max(height, width) > MOST_SIDE:
        raise TooLarge(f"{max(height, width)} lines are too many to eliminate")
    closed = {(0, 0), *graph.offsets}
    if wraps:
        closed = {(dr % height, dc % width) for dr, dc in closed}
    down, right = {dr for dr, _ in closed}, {dc for _, dc in closed}
    if len(closed) != len(down) * len(right) or len(closed) != 1 + len(graph.offsets):
        fail(f"{WHAT}: the stencil is no product of rows and columns")
    return _reached(height, down, wraps), _reached(width, right, wraps)


def _reached(length: int, steps: set[int], wraps: bool) -> list[int]:
    found = []
    for i in range(length):
        ends = {(i + step) % length if wraps else i + step for step in steps}
        found.append(sum(1 << k for k in ends if 0 <= k < length))
    return found


def _profiles(factor: list[int]) -> list[int]:
    """Return for each line its bits in a basis of the factor's kernel: bit k of vector k.

    >>> _profiles([0b011, 0b111, 0b110]), _profiles([0b11, 0b11])
    ([0, 0, 0], [1, 1])
    """
    size = len(factor)
    pivots: dict[int, tuple[int, int]] = {}  # of what is left of a line, and the lines in it
    profiles, count = [0] * size, 0
    for i, line in enumerate(factor):
        mixed = 1 << i
        while line and (high := line.bit_length()) in pivots:
            line ^= pivots[high][0]
            mixed ^= pivots[high][1]
        if line:
            pivots[line.bit_length()] = line, mixed
            continue
        for k in range(size):  # the lines in `mixed` sum to nothing, and the factor is symmetric
            profiles[k] |= (mixed >> k & 1) << count
        count += 1
    return profiles


def _least(
    cells: Bits, moved: tuple[bool, bool], parity: int | None, enough: int, budget: Budget
) -> int:
    """Return the fewest ones that switches leave, of rows, of columns or both, or `enough`.

    With a parity, the fewest ones of that parity.
    """
    by_rows, by_columns = moved
    if not by_rows and not by_columns:
        return int(np.count_nonzero(cells))
    if (by_rows and not by_columns) or (by_rows and len(cells) > cells.shape[1]):
        cells = np.ascontiguousarray(cells.T)
    height, size, least = len(cells), cells.size, enough
    if not by_rows or not by_columns:
        extra = np.where(cells, -1, 1).sum(axis=0, dtype=np.int64)[None]
        return int(_ones(extra, size, parity).min())
    # Σ_j |D_j| = size − 2·ones, and u does as its complement: if R is odd, one of them is even
    needed = size - 2 * (enough - 1)
    for flipped in (False,) if height % 2 else (False, True):
        start = cells.copy()
        start[-1] ^= flipped
        settings = Settings(start, np.zeros(height, dtype=np.bool_), height - 1, "solve")
        for _, extra, _ in settings.reaching(0, needed, budget):
            least = min(least, int(_ones(extra, size, parity).min()))
    return least


def _ones(extra: Ints, size: int, parity: int | None) -> Ints:
    """Return the fewest ones with column sums D of ±1, (N, C); one column may mend the parity."""
    ones: Ints = (size - np.abs(extra).sum(axis=1, dtype=np.int64)) // 2
    if parity is None:
        return ones
    return np.where(ones % 2 == parity, ones, ones + np.abs(extra).min(axis=1))
