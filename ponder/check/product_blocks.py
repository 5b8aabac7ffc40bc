"""The bound `product-blocks`: on king boards and their like, block by block.

Let the closed neighbourhood of a cell be some rows times some columns, so that pressing the grid S
toggles P S Qᵀ. If e_i + e_i' is orthogonal to ker P, it is P z for some z (P is symmetric), and so
is e_j + e_j' = Q w for such columns. Then pressing z ⊗ w tells the parity of s(i,j) + s(i,j') +
s(i',j) + s(i',j'): press z wᵀ, and A is symmetric, so

    (e_i + e_i')ᵀ S (e_j + e_j') = zᵀ (P S Qᵀ) w = zᵀ B w

is the same for all press sets S. Where the rows of a block cannot be told apart by ker P, nor its
columns by ker Q, any two press sets differ in the block by whole rows and columns of it. If e_i
itself is orthogonal to ker P, s(i,j) + s(i,j') is the same as well: no columns are switched; and no
rows if e_j is orthogonal to ker Q. The least number of presses in the block after such switches is
found by the checker; blocks are disjoint, so their sum bounds every press set. All press sets have
the same parity: a quiet pattern k has |k| ≡ Σ_v A_vv·k_v ≡ kᵀ A k = 0 (A is symmetric, with ones on
its diagonal). The sum is rounded up to it.

Cost: two halves of each block's switches (`ponder.check.switch_settings`); 34 × 34 0.5 s.
"""

from __future__ import annotations

import numpy as np

from ponder.check.fields import fail, lines, mapping, number, sequence
from ponder.check.limits import Budget
from ponder.check.linear import press_sets
from ponder.check.switch_settings import Settings
from ponder.puzzle.board import Board
from ponder.puzzle.graph import StencilGraph
from ponder.types import Bits, Json

WHAT = "product-blocks"


def least_of_blocks(board: Board, bound: Json, budget: Budget) -> int:
    """Return what the blocks prove of every press set; CheckFailed where one proves less."""
    rows_of, columns_of = _factors(board)
    row_profiles, column_profiles = _profiles(rows_of), _profiles(columns_of)
    base = press_sets(board).base
    if base is None:
        fail("the goal cannot be reached by any presses")
    grid = base.reshape(len(rows_of), len(columns_of))
    taken = np.zeros(grid.shape, dtype=np.bool_)
    total = 0
    for item in sequence(bound.get("blocks"), f"{WHAT}: blocks"):
        block = mapping(item, f"{WHAT}: a block")
        rows = np.flatnonzero(lines(block.get("rows"), len(grid), f"{WHAT}: rows"))
        columns = np.flatnonzero(lines(block.get("columns"), grid.shape[1], f"{WHAT}: columns"))
        least = number(block.get("least"), f"{WHAT}: least")
        cells = np.ix_(rows, columns)
        if taken[cells].any():
            fail(f"{WHAT}: two blocks have a cell in common")
        taken[cells] = True
        row_profile = {row_profiles[i] for i in rows.tolist()}
        column_profile = {column_profiles[j] for j in columns.tolist()}
        if len(row_profile) > 1 or len(column_profile) > 1:
            fail(f"{WHAT}: the press sets do not differ by whole lines of a block")
        found = _least(grid[cells], any(column_profile), any(row_profile), least, budget)
        if found < least:
            fail(f"{WHAT}: a block may have {found} presses, fewer than {least}")
        total += least
    return total + (total + int(np.count_nonzero(base))) % 2


def _factors(board: Board) -> tuple[list[int], list[int]]:
    """Return P and Q, each line a number whose bit k says that it reaches line k."""
    graph = board.graph
    if not isinstance(graph, StencilGraph) or graph.mask is not None:
        fail(f"{WHAT}: the board is no full grid or torus with a stencil")
    (height, width), wraps = graph.shape, graph.wraps
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


def _least(cells: Bits, by_rows: bool, by_columns: bool, enough: int, budget: Budget) -> int:
    """Return the fewest ones that switches of rows, of columns or of both leave, or `enough`."""
    height, width = cells.shape

    if not (by_rows and by_columns):
        if by_rows:
            of_rows = np.count_nonzero(cells, axis=1)
            return int(np.minimum(of_rows, width - of_rows).sum())
        of_columns = np.count_nonzero(cells, axis=0)
        if not by_columns:
            return int(np.count_nonzero(cells))
        return int(np.minimum(of_columns, height - of_columns).sum())
    if height > width:
        cells = np.ascontiguousarray(cells.T)
    size, height = cells.size, len(cells)
    # Σ_j |D_j| = size − 2·ones, and u does as its complement: if R is odd, one of them is even
    needed, least = size - 2 * (enough - 1), enough
    for flipped in (False,) if height % 2 else (False, True):
        start = cells.copy()
        start[-1] ^= flipped
        settings = Settings(start, np.zeros(height, dtype=np.bool_), height - 1, "solve")
        for _, extra, _ in settings.reaching(0, needed, budget):
            least = min(least, (size - int(np.abs(extra).sum(axis=1).max())) // 2)
    return least
