"""Press sets that differ by patterns of whole lines, and all of them that are light.

Idea (theory §1.6). Two press sets differ in the cell (i, j) by U_i·x_j + y_i·V_j, U_i and V_j the
*profiles* of row and column: a column takes a pattern x_j of its rows, a row a pattern y_i of its
columns. Independent rows may stay: what they take, columns can undo. Once the rows with a profile
have chosen, each column chooses alone, and so does each row without a profile. These *lines* have
a few choices each, with a known number of presses: wherever the best choices together are light
enough, dearer ones are taken, line by line, as far as that leaves a press set light enough (§1.8).
The choices of the rows meet in the middle: what columns *score* by those of two halves is bounded.

Letters: R rows, C columns, n bulbs; U, V, x, y as above; A sums of patterns of a row, B sums of
patterns of a column, N choices of half the rows. A *score* of a column is (cells without a press) −
(cells with one) among the rows with a profile. Sums: all of them count bulbs of a line, with signs.
Cost: O(B·N·C), and the pairs of halves that may do: king 20 × 20 takes 0.02 s.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

import numpy as np

from ponder.check.linear import echelon
from ponder.check.meet_in_the_middle import MOST_SUMS, Sums, pairs_reaching
from ponder.check.reader import TooLarge, demand, gathered
from ponder.model.board import Board
from ponder.model.graph import StencilGraph
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints

MOST_SIDE = 4096  # lines of a side whose profiles are worked out by elimination
MOST_PATTERNS = 4  # independent patterns that a line takes a sum of
MOST_LIGHT = 1 << 19  # press sets that are listed
MOST_CELLS = 1 << 30  # bulbs of all of them


def profiles_of(graph: StencilGraph) -> tuple[list[int], list[int]] | None:
    """Return the profile of each row and of each column: 0 where crossing lines do not move it.

    None where the pattern is no product of rows and columns.
    """
    (height, width), wraps = graph.shape, graph.wraps
    demand(max(height, width), MOST_SIDE, "lines of a side")
    closed = {(0, 0), *graph.offsets}
    if wraps:
        closed = {(dr % height, dc % width) for dr, dc in closed}
    down, right = {dr for dr, _ in closed}, {dc for _, dc in closed}
    if len(closed) != len(down) * len(right) or len(closed) != 1 + len(graph.offsets):
        return None
    return _profiles(height, down, wraps), _profiles(width, right, wraps)


def _profiles(length: int, steps: set[int], wraps: bool) -> list[int]:
    """Return for each line its bits in a basis of the factor's kernel: bit k of vector k."""
    rows = []
    for i in range(length):
        ends = {(i + step) % length if wraps else i + step for step in steps}
        reached = sum(1 << k for k in ends if 0 <= k < length)
        rows.append(reached << length | 1 << i)  # each with its own number
    # lines that sum to nothing: the factor is symmetric
    kernel = [row for lead, row in echelon(rows).items() if lead < length]
    if len(kernel) > MOST_PATTERNS:
        raise TooLarge(f"lines take sums of {len(kernel)} patterns, more than {MOST_PATTERNS}")
    return [sum((row >> k & 1) << j for j, row in enumerate(kernel)) for k in range(length)]


def light_press_sets(board: Board, base: Bits, bound: int, limits: Limits = NEVER) -> Bits | None:
    """Return all press sets of fewer than `bound` bulbs, (m, n); `base` is one of them all.

    None where press sets do not differ by patterns that all lines choose freely. Raises
    LimitReached.

    >>> board = Board.from_rows(["00000"] * 5, "king")
    >>> presses = np.outer([0, 1, 0, 0, 1], [1, 0, 0, 1, 0]).astype(bool).reshape(-1)
    >>> light_press_sets(board, presses, 5).shape
    (12, 25)
    """
    graph = board.graph
    if not isinstance(graph, StencilGraph) or graph.mask is not None:
        return None
    profiles = profiles_of(graph)
    if profiles is None:
        return None
    bound = min(bound, base.size + 1)  # which no press set reaches
    rows, columns = profiles
    grid = base.reshape(graph.shape)
    ways = [(grid, rows, columns), (grid.T, columns, rows)]
    sizes = [len(_choosing(way[1])) * max(way[2], default=0).bit_length() for way in ways]
    turned = sizes[1] < sizes[0]
    light = _light(*ways[turned], bound, limits)
    light = light.transpose(0, 2, 1) if turned else light
    return light.reshape(len(light), base.size)


def _choosing(rows: list[int]) -> list[int]:
    """Return the rows with a profile that choose; those that stay have a basis of the profiles."""
    staying: dict[int, int] = {}
    choosing = []
    for i, profile in enumerate(rows):
        if profile and len(more := echelon([*staying.values(), profile])) > len(staying):
            staying = more
        elif profile:
            choosing.append(i)
    return choosing


def _sums(profiles: list[int]) -> Bits:
    """Return what each sum of the patterns does to each line: (2^d, lines)."""
    d = max(profiles, default=0).bit_length()
    masked = np.arange(1 << d)[:, None] & np.array(profiles, dtype=np.int64)
    return np.asarray(np.bitwise_count(masked) & 1 == 1)


@dataclass(frozen=True, eq=False)
class _Line:
    """A line that chooses by itself: its number, and the presses of its choices, (A, N | 1)."""

    number: int
    is_row: bool
    presses: Ints


def _light(grid: Bits, rows: list[int], columns: list[int], bound: int, limits: Limits) -> Bits:
    """Return the light press sets, (m, R, C), by the choices of the rows."""
    of_row, of_column = _sums(columns), _sums(rows)  # what they take: (A, C) and (B, R)
    choosing, digits = _choosing(rows), max(columns, default=0).bit_length()
    halves_of_rows = _halves(choosing, rows)
    profiled = [i for i, profile in enumerate(rows) if profile]
    looks = (len(of_column) * grid.shape[1]) << digits * max(map(len, halves_of_rows))
    demand(looks, MOST_SUMS, "scores of half the choices of lines")
    kind: type[np.signedinteger] = np.int8 if len(grid) < 128 else np.int32
    signs, taking, across = (
        np.where(bits, -1, 1).astype(kind) for bits in (grid, of_row, of_column)
    )  # (R, C), (A, C), (B, R)
    staying = [i for i in profiled if i not in choosing]
    scores: Sums = (across[:, staying] @ signs[staying])[:, :, None]  # (B, C, 1)
    halves: list[Sums] = []
    for half in halves_of_rows:
        for i in half:
            limits.check()
            options = across[:, i, None, None] * (signs[i] * taking).T  # (B, C, A)
            # (B, C, N, 1) + (B, C, 1, A) -> (B, C, N·A): the later row in the higher digits
            scores = (scores[:, :, None] + options[..., None]).reshape(*scores.shape[:2], -1)
        halves.append(scores)
        scores = np.zeros_like(scores[:, :, :1])
    lines = [
        _Line(i, True, np.count_nonzero(grid[i] ^ of_row, axis=1)[:, None])  # (A, 1)
        for i in range(len(rows))
        if i not in profiled
    ]
    spare = bound - 1 - sum(int(line.presses.min()) for line in lines)
    needed = len(profiled) * grid.shape[1] - 2 * spare
    numbers, scores = _joined((halves[0], halves[1]), needed, limits)  # (N,) and (B, C, N)
    lines += [
        _Line(j, False, (len(profiled) - score) >> 1)  # (B, N)
        for j, score in enumerate(scores.astype(np.int64).transpose(1, 0, 2))
    ]
    chosen = [
        (i, numbers >> digits * k & (1 << digits) - 1)
        for k, i in enumerate(halves_of_rows[0] + halves_of_rows[1])
    ]
    return _taken(grid, lines, (of_row, of_column), chosen, bound, limits)


def _halves(choosing: list[int], rows: list[int]) -> tuple[list[int], list[int]]:
    """Return the rows that choose in two halves, of whole profiles where there are several."""
    staying = {rows[i] for i in range(len(rows)) if i not in choosing}
    ordered = sorted(choosing, key=lambda i: (rows[i] not in staying, rows[i]))
    ends = [k for k in range(1, len(ordered)) if rows[ordered[k - 1]] != rows[ordered[k]]]
    half = len(ordered) // 2
    end = min(ends, key=lambda k: abs(2 * k - len(ordered)), default=half)
    return ordered[:end], ordered[end:]


def _joined(halves: tuple[Sums, Sums], needed: int, limits: Limits) -> tuple[Ints, Sums]:
    """Return all pairs whose columns score `needed` at best: numbers (N,), scores (B, C, N)."""
    pairs = (np.stack(pair) for pair in pairs_reaching(halves, _best, needed, limits))
    none = np.empty((2, 0), dtype=np.int64)
    i, k = gathered(chain([none], pairs), MOST_LIGHT, "choices of lines")
    return i + halves[0].shape[2] * k, halves[0][:, :, i] + halves[1][:, :, k]


def _best(scores: Sums) -> Ints:
    """Return what the best sums of patterns of all columns score. (B, C, ...) -> (...)."""
    return np.asarray(np.add.reduce(scores.max(axis=0), axis=0, dtype=np.int32))


def _taken(
    grid: Bits,
    lines: list[_Line],
    patterns: tuple[Bits, Bits],
    chosen: list[tuple[int, Ints]],
    bound: int,
    limits: Limits,
) -> Bits:
    """Return the press sets of fewer than `bound` bulbs, (m, R, C).

    `chosen` are the rows that have chosen, with what they take in each of all choices, (N,).
    """
    least = sum((line.presses.min(axis=0) for line in lines), np.zeros(1, dtype=np.int64))
    at = np.flatnonzero(least < bound)  # the choices of the rows; (m,) from here on
    slack = bound - 1 - least[at]
    taken = np.empty((0, at.size), dtype=np.uint8)  # those of the lines: (lines so far, m)
    for line in lines:
        limits.check()
        alike = line.presses.shape[1] == 1
        dearer = line.presses[:, at * 0 if alike else at]  # (A, m)
        dearer = dearer - dearer.min(axis=0)
        which, where = np.nonzero(dearer <= slack)
        demand(where.size, MOST_LIGHT, f"press sets of fewer than {bound} presses")
        slack = slack[where] - dearer[which, where]
        taken = np.concatenate([taken[:, where], which[None].astype(np.uint8)])
        at = at[where]
    demand(at.size * grid.size, MOST_CELLS, "bulbs of light press sets")
    of_row, of_column = patterns
    light = np.repeat(grid[None], at.size, axis=0)
    for i, takes in chosen:
        light[:, i] ^= of_row[takes[at]]
    for line, choice in zip(lines, taken, strict=True):
        if line.is_row:
            light[:, line.number] ^= of_row[choice]
        else:
            light[:, :, line.number] ^= of_column[choice]
    return light
