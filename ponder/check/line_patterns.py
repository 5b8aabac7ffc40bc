"""Press sets that differ by patterns of whole lines, and all of them that are light.

Idea (theory §1.6). Two press sets differ in the cell (i, j) by U_i·x_j + y_i·V_j, U_i and V_j the
*profiles* of row and column: a column takes a pattern x_j of its rows, a row a pattern y_i of its
columns. Independent rows may stay: what they take, columns can undo. Once the rows with a profile
have chosen, each column chooses alone, and so does each row without a profile. These *lines* have
a few choices each, which cost what they cost: wherever all best ones together are light enough,
dearer ones are taken, line by line, as far as that leaves a press set light enough (§1.8). The
choices of the rows meet in the middle: what columns *score* by those of two halves is bounded.
Where rows take sums of two patterns, strips of columns say how they may choose (`line_strips`).

Letters: U, V, x, y as above; N choices of half the rows; B sums of patterns of a column. Sums: all
of them count bulbs of a line, with signs. Cost: O(B·N·C), and the pairs of halves that may do: king
20 × 20 0.02 s.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ponder.check import line_strips
from ponder.check.fields import fail
from ponder.check.limits import Budget, TooLarge
from ponder.check.linear import echelon
from ponder.check.meet_in_the_middle import Sums
from ponder.model.board import Board
from ponder.model.graph import CrossGraph, StencilGraph
from ponder.system.errors import CheckFailed
from ponder.system.types import Bits, Ints

WHAT = "the patterns of lines"
MOST_SIDE = 4096  # lines of a side whose profiles are worked out by elimination
MOST_SCORES = 1 << 27  # of half the rows' choices: each sum of patterns in each column
MOST_PATTERNS = 4  # independent patterns that a line takes a sum of
MOST_LIGHT = 1 << 19  # press sets that are listed
_NS_PAIR = 60  # nanoseconds for two lines, whose profiles are compared
_NS_SCORE = 8  # … for a choice of half the rows, a column and one of its sums
_NS_PAIR_OF = 8  # … for a pair of such choices, and one of the sums
_BYTES_SCORE = 17  # of what a choice that is left scores, and the presses by it
_NS_CELL = 10  # … for a bulb of a press set that is listed
_BYTES_COST = 8  # of what a choice of a column costs, by the choices of the rows
_STRIPS_PAY = 2  # the choices of rows meet in the middle; those of a strip's columns do not
_AT_A_TIME = 1 << 15  # pairs


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
    ways = [(grid, rows, columns), (grid.T, columns, rows)]
    sizes = [_choosing(*lines)[1] for _, *lines in ways]
    strips = [line_strips.bits_of_choices(*lines) for _, *lines in ways]
    narrow = min((bits for bits in strips if bits is not None), default=None)
    light, k = _light, sizes.index(min(sizes))
    if narrow is not None and _STRIPS_PAY * narrow < sizes[k]:
        light, k = _light_by_strips, strips.index(narrow)
    found = light(*ways[k], bound, budget)
    found = found.transpose(0, 2, 1) if k else found
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
    choosing, digits = _choosing(rows, columns)[0], max(columns, default=0).bit_length()
    parts, profiled = _parts(choosing, rows), [i for i, profile in enumerate(rows) if profile]
    lines = [
        _Line(i, True, np.count_nonzero(grid[i] ^ of_row, axis=1)[:, None])
        for i in range(len(rows))
        if i not in profiled
    ]
    looks = (len(of_column) * grid.shape[1]) << digits * max(map(len, parts))
    budget.demand(looks, MOST_SCORES, "scores of half the choices of lines")
    budget.spend(_NS_SCORE * looks, f"{WHAT}: 2^{digits * len(choosing)} choices")
    budget.hold(4 * looks, WHAT)
    kind: type[np.signedinteger] = np.int8 if len(grid) < 128 else np.int32
    signs, taking, across = (
        np.where(bits, -1, 1).astype(kind) for bits in (grid, of_row, of_column)
    )
    staying = [i for i in profiled if i not in choosing]
    scores = (across[:, staying] @ signs[staying])[:, :, None]
    halves: list[Sums] = []
    for part in parts:
        for i in part:
            options = across[:, i, None, None] * (signs[i] * taking).T  # (B, C, A)
            scores = (scores[:, :, None] + options[..., None]).reshape(*scores.shape[:2], -1)
        halves.append(scores)
        scores = np.zeros_like(scores[:, :, :1])
    spare = bound - 1 - sum(int(line.presses.min()) for line in lines)
    numbers, scores = _joined(halves, len(profiled) * grid.shape[1] - 2 * spare, budget)
    budget.hold(_BYTES_SCORE * scores.size, WHAT)
    lines += [
        _Line(j, False, (len(profiled) - score) >> 1)
        for j, score in enumerate(scores.astype(np.int64).transpose(1, 0, 2))
    ]
    chosen = [
        (i, numbers >> digits * k & (1 << digits) - 1) for k, i in enumerate(parts[0] + parts[1])
    ]
    return _taken(grid, lines, (of_row, of_column), chosen, bound, budget)


def _light_by_strips(
    grid: Bits, rows: list[int], columns: list[int], bound: int, budget: Budget
) -> Bits:
    """Return the light press sets, (m, R, C), by the choices of the rows, found in strips."""
    of_row, of_column = _sums(columns), _sums(rows)
    choosing = _choosing(rows, columns)[0]
    staying = [i for i, profile in enumerate(rows) if profile and i not in choosing]
    alone = [j for j, profile in enumerate(columns) if not profile]
    costs = {j: np.count_nonzero(grid[:, j] ^ of_column, axis=1)[:, None] for j in alone}
    spare = bound - 1 - sum(int(cost.min()) for cost in costs.values())
    takes = line_strips.choices_of_rows(grid, rows, columns, staying, spare, budget)
    budget.hold(_BYTES_COST * len(takes) * len(of_column) * (len(rows) + len(columns)), WHAT)
    budget.spend(_NS_CELL * len(takes) * len(of_column) * grid.size, WHAT)
    for j in range(len(columns)):
        if j not in costs:  # what its rows make of it, by their choices
            column = of_row[takes, j] ^ grid[:, j]  # (N, R)
            costs[j] = np.stack([np.count_nonzero(column ^ x, axis=1) for x in of_column])
    lines = [_Line(j, False, costs[j]) for j in range(len(columns))]
    chosen = [(i, takes[:, i]) for i in range(len(rows)) if i not in staying]
    return _taken(grid, lines, (of_row, of_column), chosen, bound, budget)


def _parts(choosing: list[int], rows: list[int]) -> tuple[list[int], list[int]]:
    """Return the rows that choose in two parts, of whole profiles where there are several."""
    staying = {rows[i] for i in range(len(rows)) if i not in choosing}
    ordered = sorted(choosing, key=lambda i: (rows[i] not in staying, rows[i]))
    ends = [k for k in range(1, len(ordered)) if rows[ordered[k - 1]] != rows[ordered[k]]]
    half = len(ordered) // 2
    end = min(ends, key=lambda k: abs(2 * k - len(ordered)), default=half)
    return ordered[:end], ordered[end:]


def _joined(halves: list[Sums], needed: int, budget: Budget) -> tuple[Ints, Sums]:
    """Return all pairs whose columns score `needed` at their best: numbers (N,), scores (B, C, N).

    The best of a sum is no more than the sum of the bests. So with the halves sorted by these each
    choice of the first goes with a prefix of the second. First a third of the columns is added up.
    """
    orders = [np.argsort(-_best(half), kind="stable") for half in halves]
    first, second = (np.take(half, at, axis=2) for half, at in zip(halves, orders, strict=True))
    prefix = np.searchsorted(-_best(second), _best(first) - needed, side="right")
    pairs = int(prefix.sum(dtype=np.int64))
    work = _NS_PAIR_OF * pairs * len(first)
    budget.spend(work, f"{WHAT}: going through {pairs:,} pairs of choices")
    exact = first.shape[1] // 3
    rests = [_best(half[:, exact:]) for half in (first, second)]
    found, row, count = [np.empty((2, 0), dtype=np.int64)], 0, 0
    while row < prefix.size and prefix[row]:
        end = row + max(1, _AT_A_TIME // int(prefix[row]))
        for start in range(0, int(prefix[row]), _AT_A_TIME):
            stop = min(start + _AT_A_TIME, int(prefix[row]))
            most = _best(first[:, :exact, row:end, None] + second[:, :exact, None, start:stop])
            most += rests[0][row:end, None] + rests[1][start:stop]
            i, k = np.nonzero(most >= needed)
            i, k = i + row, k + start
            left = np.flatnonzero(_best(first[:, :, i] + second[:, :, k]) >= needed)
            found.append(np.stack([i[left], k[left]]))
            count += left.size
            budget.demand(count, MOST_LIGHT, "choices of lines")
        row = end
    i, k = np.concatenate(found, axis=1)
    return orders[0][i] + halves[0].shape[2] * orders[1][k], first[:, :, i] + second[:, :, k]


def _best(scores: Sums) -> Ints:
    """Return what the best sums of patterns of all columns score. (B, C, ...) -> (...)."""
    return np.asarray(np.add.reduce(scores.max(axis=0), axis=0, dtype=np.int32))


def _taken(
    grid: Bits,
    lines: list[_Line],
    patterns: tuple[Bits, Bits],
    chosen: list[tuple[int, Ints]],
    bound: int,
    budget: Budget,
) -> Bits:
    """Return the press sets of fewer than `bound` bulbs, once it is known what lines cost.

    `chosen` are the rows that have chosen, with what they take in each of all choices.
    """
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
    for i, takes in chosen:
        found[:, i] ^= of_row[takes[at]]
    for line, choice in zip(lines, taken, strict=True):
        if line.is_row:
            found[:, line.number] ^= of_row[choice]
        else:
            found[:, :, line.number] ^= of_column[choice]
    return found
