"""Half factors of row/column press sets, by maximum flow; and the cut when there is none.

Idea (theory §4.2, §4.4). In the bipartite graph of lines and presses a largest Z ⊆ S with *at most*
⌊d(v)/2⌋ presses on every line v is a maximum flow

    source ──⌊d(row)/2⌋──► row ──1 per press──► column ──⌊d(column)/2⌋──► sink

so there is a *half factor*, a Z with exactly ⌊d(v)/2⌋ on every line, iff the flow's value f equals
both H_R and H_C. The minimum cut says why f is not larger.

Letters: d(v) the presses on line v; H_R, H_C the sums of ⌊d/2⌋ over rows and over columns; f = |Z|;
X, Y the rows and the columns on the source's side of a minimum cut. Cost: that of the flow.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ponder.check.cut import Cut
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints, bincount, ones_of

# ------------------------------------------------------------------------------- maximum flow

# Dinic's algorithm. Lines are searched in layers, from the rows that have room to the first layer
# with a column that has room. A press that is not chosen leads from its row to its column, a chosen
# one back. Paths from layer to layer are followed until there is none; then the layers are made
# anew. The lines seen when no column can be reached are the source's side of a minimum cut, the
# smallest. A set of lines is one whole number, so that a step to all lines beyond one is a single
# operation. A greedy choice comes first and leaves little to do.
#
# Cost for V lines: O(V^(2/3)) layerings, mostly less than ten, each of V operations on V bits.
# Measured, half of all cells pressed: 30×30 0.4 ms, 1000×1000 25 ms, 3000×3000 0.2 s.
# Reference: Dinic 1970; for unit capacities Even and Tarjan 1975.


def largest_choice(
    rows: Ints, columns: Ints, row_room: Ints, column_room: Ints, limits: Limits = NEVER
) -> tuple[Bits, Bits]:
    """Return which of the presses at (rows[i], columns[i]) are chosen, and the lines of a cut.

    `row_room`, `column_room`: how many presses may be chosen on each line. The presses are
    distinct. The lines, rows first, are those on the source's side of the smallest minimum cut. May
    raise TimeUp.

    >>> room = np.array([1]), np.array([0, 0])
    >>> chosen, side = largest_choice(np.array([0, 0]), np.array([0, 1]), *room)
    >>> chosen.tolist(), side.tolist()
    ([False, False], [True, True, True])
    """
    grid = np.zeros((row_room.size, column_room.size), dtype=np.bool_)
    grid[rows, columns] = True
    chosen, *room = _greedy(grid, row_room, column_room, limits)
    # From each row the columns of presses that are not chosen, from each column back.
    beyond = _numbers(grid & ~chosen), _numbers(chosen.T)
    hungry, sinks = (_numbers(np.array([left > 0]))[0] for left in room)
    row_left, column_left = (left.tolist() for left in room)
    while True:
        layers, seen = _layers(beyond, hungry, sinks, limits)
        if not layers[-1]:
            break
        for row in ones_of(hungry):
            while row_left[row] and (path := _path(beyond, layers, row)):
                for depth, (line, following) in enumerate(pairwise(path)):
                    beyond[depth & 1][line] ^= 1 << following
                    beyond[~depth & 1][following] ^= 1 << line
                row_left[row] -= 1
                column_left[path[-1]] -= 1
                if not column_left[path[-1]]:
                    sinks ^= 1 << path[-1]
                    layers[-1] ^= 1 << path[-1]
            hungry ^= (not row_left[row]) << row
            limits.check()
    side = [_bits([lines], left.size)[0] for lines, left in zip(seen, room, strict=True)]
    return ~_bits(beyond[0], column_room.size)[rows, columns], np.concatenate(side)


def _greedy(
    grid: Bits, row_room: Ints, column_room: Ints, limits: Limits
) -> tuple[Bits, Ints, Ints]:
    """Choose row by row in the columns with the most room; return that, and the room left."""
    chosen = np.zeros_like(grid)
    row_room, column_room = row_room.copy(), column_room.copy()
    for row in limits.over(range(len(grid))):
        there = np.flatnonzero(grid[row] & (column_room > 0))
        taken = there[np.argsort(-column_room[there], kind="stable")[: row_room[row]]]
        chosen[row, taken] = True
        column_room[taken] -= 1
        row_room[row] -= taken.size
    return chosen, row_room, column_room


def _layers(
    beyond: tuple[list[int], list[int]], hungry: int, sinks: int, limits: Limits
) -> tuple[list[int], list[int]]:
    """Return layers of rows and columns in turn, the last one sinks or empty, and all seen."""
    layers, seen = [hungry], [hungry, 0]
    while layers[-1]:
        limits.check()
        kind = len(layers) & 1
        reached = 0
        for line in ones_of(layers[-1]):
            reached |= beyond[1 - kind][line]
        reached &= ~seen[kind]
        seen[kind] |= reached
        if kind and reached & sinks:
            return [*layers, reached & sinks], seen
        layers.append(reached)
    return layers, seen


def _path(beyond: tuple[list[int], list[int]], layers: list[int], row: int) -> list[int]:
    """Return a path of lines, one of each layer, or nothing; dead ends leave their layers."""
    path = [row]
    while path and len(path) < len(layers):
        depth = len(path) - 1
        there = beyond[depth & 1][path[-1]] & layers[depth + 1]
        if there:
            path.append((there & -there).bit_length() - 1)
        else:
            layers[depth] ^= 1 << path.pop()
    return path


def _numbers(grid: Bits) -> list[int]:
    """Return the rows of an array of bits as whole numbers."""
    packed = np.packbits(grid, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in packed]


def _bits(numbers: list[int], width: int) -> Bits:
    """Return whole numbers as the rows of an array of bits."""
    size = -(-width // 8)
    packed = np.frombuffer(b"".join(n.to_bytes(size, "little") for n in numbers), dtype=np.uint8)
    whole = packed.reshape(len(numbers), size)
    return np.unpackbits(whole, axis=1, count=width, bitorder="little").astype(np.bool_)


MOST_LINES = 20_000  # of larger boards cuts are not made small; it takes time quadratic in lines
_NEVER = np.iinfo(np.int64).min // 2


@dataclass(frozen=True, eq=False)
class HalfFactor:
    """A largest Z with at most ⌊d/2⌋ presses on every line, and the cut that proves it largest."""

    chosen: Bits  # Z, one bit per press
    value: int  # f = |Z|
    rows_half: int  # H_R
    columns_half: int  # H_C
    cut_rows: Bits  # X, one bit per row
    cut_columns: Bits  # Y, one bit per column

    @property
    def exists(self) -> bool:
        """Whether Z is a half factor: exactly ⌊d/2⌋ presses on every line."""
        return self.value == self.rows_half == self.columns_half

    @property
    def deficit(self) -> int:
        """H_R + H_C − 2f: by how much Z misses ⌊d/2⌋, summed over all lines."""
        return self.rows_half + self.columns_half - 2 * self.value


def half_factor(
    rows: Ints, columns: Ints, shape: tuple[int, int], limits: Limits = NEVER
) -> HalfFactor:
    """Return a largest Z of the presses at (rows[i], columns[i]) on a board of `shape` lines.

    The presses are distinct. Nothing is assumed of the line counts: without a half factor the
    result still holds the largest Z and the minimum cut. Raises TimeUp if the deadline passes.

    >>> corner = half_factor(np.array([0, 0, 1]), np.array([0, 1, 0]), (2, 2))
    >>> corner.exists, corner.value, corner.chosen.tolist()
    (True, 1, [True, False, False])
    >>> half_factor(np.array([0, 0]), np.array([0, 1]), (1, 2)).deficit
    1
    """
    height, width = shape
    row_room = bincount(rows, minlength=height) >> 1
    column_room = bincount(columns, minlength=width) >> 1
    chosen, side = largest_choice(rows, columns, row_room, column_room, limits)
    value = int(np.count_nonzero(chosen))
    halves = int(row_room.sum()), int(column_room.sum())
    return HalfFactor(chosen, value, *halves, side[:height], side[height:])


def half_factor_of(grid: Bits) -> HalfFactor:
    """Return a largest Z of a press set given as an (R, C) array, its presses row by row."""
    rows, columns = np.nonzero(grid)
    return half_factor(rows, columns, (grid.shape[0], grid.shape[1]))


def line_cut(rows: Ints, columns: Ints, factor: HalfFactor, limits: Limits = NEVER) -> Cut:
    """Return the refutation that the cut of a missing half factor gives, made small.

    The cut speaks twice: X and Y say that the rows X need too much, their complements that the
    columns outside Y do. Both are shrunk line by line while the inequality holds; returns the one
    with fewer lines. Z is no half factor. O(presses + min(lines, MOST_LINES)²).
    """
    cuts: list[Cut] = []
    if factor.value < factor.rows_half:
        x, y = _shrunk(rows, columns, factor.cut_rows, factor.cut_columns, limits)
        cuts.append(Cut("rows", np.flatnonzero(x), np.flatnonzero(y)))
    if factor.value < factor.columns_half:
        x, y = _shrunk(columns, rows, ~factor.cut_columns, ~factor.cut_rows, limits)
        cuts.append(Cut("columns", np.flatnonzero(y), np.flatnonzero(x)))
    return min(cuts, key=lambda cut: cut.rows.size + cut.columns.size)


def _shrunk(x_line: Ints, y_line: Ints, x: Bits, y: Bits, limits: Limits) -> tuple[Bits, Bits]:
    """Leave lines out of X and Y, best first, while Σ_X ⌊d/2⌋ exceeds the room.

    `x_line` is the line of every press of X's kind, `y_line` that of Y's kind. Lines of both kinds
    are numbered through, X's kind first. Leaving a line out changes the excess by `gain`:
    |presses in x outside Y| − ⌊d(x)/2⌋ for x ∈ X, ⌊d(y)/2⌋ − |presses in y inside X| for y ∈ Y.
    """
    size = x.size + y.size
    if size > MOST_LINES:
        return x, y
    ends = np.concatenate([x_line, y_line + x.size]), np.concatenate([y_line + x.size, x_line])
    degrees = bincount(ends[0], minlength=size)
    near = ends[1][np.argsort(ends[0], kind="stable")]
    starts = np.concatenate([[0], np.cumsum(degrees)])

    inside = np.concatenate([x, y])
    half = degrees >> 1
    outside_y = bincount(x_line[~y[y_line]], minlength=x.size)
    inside_x = bincount(y_line[x[x_line]], minlength=y.size)
    gain = np.concatenate([outside_y - half[: x.size], half[x.size :] - inside_x])
    excess = -int(gain[: x.size][x].sum()) - int(half[x.size :][y].sum())
    gain[~inside] = _NEVER
    while True:
        limits.check()
        line = int(np.argmax(gain))
        if excess + int(gain[line]) < 1:
            return inside[: x.size], inside[x.size :]
        excess += int(gain[line])
        inside[line] = False
        gain[line] = _NEVER
        gain[near[starts[line] : starts[line + 1]]] += 1
