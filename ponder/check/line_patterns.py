"""Press sets that differ by patterns of whole lines, and all of them that are light.

Idea (theory §1.6). Two press sets differ in the cell (i, j) by U_i·x_j + y_i·V_j, U_i and V_j the
*profiles* of row and column: a column takes a pattern x_j of its rows, a row a pattern y_i of its
columns. Independent rows may stay: what they take, columns can undo. Once the rows with a profile
have chosen, each column chooses alone, and so does each row without a profile. These *lines* have
a few choices each, which cost what they cost: wherever all best ones together are light enough,
dearer ones are taken, line by line, as far as that leaves a press set light enough (§1.8).

Letters: U, V, x, y as above; N choices of the rows, at most MOST_CHOICES. Sums: all of them count
bulbs of a line, with signs. Cost: O(N·C) and what is found: king 20 × 20 0.05 s, torus-king 12 × 12
3 s.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ponder.check.fields import fail
from ponder.check.limits import Budget, TooLarge
from ponder.check.linear import echelon
from ponder.model.board import Board
from ponder.model.graph import CrossGraph, StencilGraph
from ponder.system.errors import CheckFailed
from ponder.system.types import Bits, Ints, distinct

WHAT = "the patterns of lines"
MOST_SIDE = 4096  # lines of a side whose profiles are worked out by elimination
MOST_CHOICES = 22  # bits of the rows' choices
MOST_PATTERNS = 4  # independent patterns that a line takes a sum of
MOST_LIGHT = 1 << 19  # press sets that are listed
_NS_PAIR = 60  # nanoseconds for two lines, whose profiles are compared
_NS_CHOICE = 4  # … for a choice of the rows, a column and one of its sums
_NS_CELL = 10  # … for a bulb of a press set that is listed


def profiles_of(board: Board) -> tuple[list[int], list[int]]:
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
        fail(f"{WHAT}: the board is not a full grid or torus")
    (height, width), wraps = graph.shape, graph.wraps
    if max(height, width) > MOST_SIDE:
        raise TooLarge(f"{max(height, width)} lines are too many to eliminate")
    closed = {(0, 0), *graph.offsets}
    if wraps:
        closed = {(dr % height, dc % width) for dr, dc in closed}
    down, right = {dr for dr, _ in closed}, {dc for _, dc in closed}
    if len(closed) != len(down) * len(right) or len(closed) != 1 + len(graph.offsets):
        fail(f"{WHAT}: the stencil is not a product of rows and columns")
    return _reached(height, down, wraps), _reached(width, right, wraps)


def _reached(length: int, steps: set[int], wraps: bool) -> list[int]:
    found = []
    for i in range(length):
        ends = {(i + step) % length if wraps else i + step for step in steps}
        found.append(sum(1 << k for k in ends if 0 <= k < length))
    return found


def _profiles(factor: list[int]) -> list[int]:
    """Return for each line its bits in a basis of the factor's kernel: bit k of vector k."""
    size = len(factor)
    rows = [line << size | 1 << i for i, line in enumerate(factor)]  # each with its own number
    # lines that sum to nothing: the factor is symmetric
    kernel = [row for lead, row in echelon(rows).items() if lead < size]
    return [sum((row >> k & 1) << j for j, row in enumerate(kernel)) for k in range(size)]


def light_press_sets(board: Board, base: Bits, bound: int, budget: Budget) -> Bits | None:
    """Return all press sets of fewer than `bound` bulbs, (m, n); `base` is one of them all.

    None where press sets do not differ by patterns that all lines choose freely. Raises TooLarge.

    >>> board = Board.from_rows(["00000"] * 5, "king")
    >>> presses = np.outer([0, 1, 0, 0, 1], [1, 0, 0, 1, 0]).astype(bool).reshape(-1)
    >>> light_press_sets(board, presses, 5, Budget()).shape
    (12, 25)
    """
    graph = board.graph
    if not isinstance(graph, StencilGraph):
        return None
    budget.spend(_NS_PAIR * min(sum(graph.shape), 2 * MOST_SIDE) ** 2, WHAT)
    try:
        rows, columns = profiles_of(board)
    except CheckFailed:
        return None
    grid = base.reshape(graph.shape)
    if _choosing(rows, columns)[1] <= _choosing(columns, rows)[1]:
        found = _light(grid, rows, columns, bound, budget)
    else:
        found = _light(grid.T, columns, rows, bound, budget).transpose(0, 2, 1)
    return found.reshape(len(found), base.size)


def _choosing(rows: list[int], columns: list[int]) -> tuple[list[int], int]:
    """Return the rows with a profile that choose, while others stay, and the bits of all choices.

    Those that stay have a basis of the profiles.
    """
    staying: dict[int, int] = {}
    choosing = []
    for i, profile in enumerate(rows):
        if profile and len(found := echelon([*staying.values(), profile])) > len(staying):
            staying = found
        elif profile:
            choosing.append(i)
    return choosing, len(choosing) * max(columns, default=0).bit_length()


def _sums(profiles: list[int]) -> Bits:
    """Return what each sum of the patterns does to each line: (2^d, n)."""
    d = max(profiles, default=0).bit_length()
    if d > MOST_PATTERNS:
        raise TooLarge(f"lines take sums of {d} patterns, more than {MOST_PATTERNS}")
    every = np.arange(1 << d)[:, None] & np.array(profiles, dtype=np.int64)
    return np.asarray(np.bitwise_count(every) & 1 == 1)


@dataclass(frozen=True, eq=False)
class _Line:
    """A line that chooses by itself: its number, and what every choice costs, (A, N) or (A, 1)."""

    number: int
    is_row: bool
    presses: Ints


def _light(grid: Bits, rows: list[int], columns: list[int], bound: int, budget: Budget) -> Bits:
    """Return the light press sets, (m, R, C), by the choices of the rows."""
    of_row, of_column = _sums(columns), _sums(rows)  # what they take: (A, C) and (B, R)
    (choosing, bits), digits = _choosing(rows, columns), max(columns, default=0).bit_length()
    if bits > MOST_CHOICES:
        raise TooLarge(f"2^{bits} choices of lines are too many to go through")
    profiles = distinct(np.array([p for p in rows if p], dtype=np.int64)).tolist()
    looks = grid.shape[1] * (len(of_column) + len(profiles)) << bits
    budget.spend(_NS_CHOICE * looks, f"{WHAT}: 2^{bits} choices")
    budget.hold(looks, WHAT)
    kind = np.int8 if len(grid) < 128 else np.int32
    signs = np.where(grid, -1, 1).astype(kind)
    sums = np.zeros((len(profiles), grid.shape[1], 1), dtype=kind)
    for i, profile in enumerate(rows):
        if profile and i not in choosing:
            sums[profiles.index(profile), :, 0] += signs[i]
    turned = np.where(of_row, -1, 1).astype(kind)
    for i in choosing:
        k, options = profiles.index(rows[i]), []
        for pattern in turned:
            option = sums.copy()
            option[k] += (signs[i] * pattern)[:, None]
            options.append(option)
        sums = np.concatenate(options, axis=2)
    lines = [
        _Line(i, True, np.count_nonzero(grid[i] ^ of_row, axis=1)[:, None])
        for i, profile in enumerate(rows)
        if not profile
    ]
    size = sum(profile > 0 for profile in rows)
    turned = np.where(_sums(profiles), -1, 1).astype(np.int64)[: len(of_column)]
    for j in range(grid.shape[1]):
        score = turned @ sums[:, j].astype(np.int64)
        lines.append(_Line(j, False, (size - score) >> 1))
    return _taken(grid, lines, (of_row, of_column), choosing, digits, bound, budget)


def _taken(
    grid: Bits,
    lines: list[_Line],
    patterns: tuple[Bits, Bits],
    choosing: list[int],
    digits: int,
    bound: int,
    budget: Budget,
) -> Bits:
    """Return the press sets of fewer than `bound` bulbs, once it is known what lines cost."""
    least = sum((line.presses.min(axis=0) for line in lines), np.zeros(1, dtype=np.int64))
    at = np.flatnonzero(least < bound)  # the choices of the rows
    slack = bound - 1 - least[at]
    taken = np.empty((0, at.size), dtype=np.uint8)  # those of the lines
    for line in lines:
        alike = line.presses.shape[1] == 1
        dearer = line.presses[:, at * 0 if alike else at]
        dearer = dearer - dearer.min(axis=0)
        which, where = np.nonzero(dearer <= slack)
        budget.demand(where.size, MOST_LIGHT, f"press sets of fewer than {bound} presses")
        budget.spend(_NS_CELL * where.size * len(lines), WHAT)
        slack = slack[where] - dearer[which, where]
        taken = np.concatenate([taken[:, where], which[None].astype(np.uint8)])
        at = at[where]
    budget.hold(at.size * grid.size, WHAT)
    budget.spend(_NS_CELL * at.size * grid.size, WHAT)
    of_row, of_column = patterns
    found = np.repeat(grid[None], at.size, axis=0)
    for k, i in enumerate(choosing):
        found[:, i] ^= of_row[at >> digits * k & (1 << digits) - 1]
    for line, choice in zip(lines, taken, strict=True):
        if line.is_row:
            found[:, line.number] ^= of_row[choice]
        else:
            found[:, :, line.number] ^= of_column[choice]
    return found
