"""Greedy trials on row/column boards, by one parity bit per line.

Idea. Two presses are neighbours when they share a line. So the parity of v's placed neighbours is
the sum of two bits, the parity of the placed presses of v's row and of its column (0 at first, or
the parity of all of the line's presses for playing forwards): a press is legal iff its two bits add
up to t(v), and placing it flips both. H's edges, quadratic in a line's presses, are never made. An
independent set is a matching of rows and columns. What the variants are:
`ponder.find.ordering.greedy`.

Cost of a trial with n presses, expected: `random` O(n), `rounds` O(n) numpy per round, `fewest` O(n
· line's presses). `random` and `fewest` draw presses until a legal one comes up; after `_DRAWS`
misses `random` looks through all, and keeps a list of the legal ones once they are rare, and
`fewest` looks through the line. `fewest` leaves many lines stuck, and is slow beyond some 50,000
presses (3 s).
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heapify, heappop, heappush
from random import Random
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ponder.system.limits import Limits, TimeUp
from ponder.system.types import Ints, bincount

Ints8: TypeAlias = NDArray[np.int8]

POLL = 255  # presses between two looks at the clock, as a mask

_DRAWS = 16  # misses before one looks through all candidates
_RARE = 8  # legal presses are rare when fewer than one in eight are legal
_SETUP = 1 << 15  # presses between two looks at the clock while the lists are made


class LinePlayer:
    """Plays row/column problems; a variant returns what it placed, in order, and the rounds.

    `rows` and `columns` are the lines of the presses, `odd` their t(v). Lines are numbered through,
    rows before columns; only lines with presses occur.

    >>> even = np.zeros(2, np.int8)
    >>> player = LinePlayer(np.array([4, 4]), np.array([0, 7]), even, forwards=False)
    >>> player.row, player.column, player.lines
    ([0, 0], [1, 2], 3)
    >>> len(player.random(Random(0), Limits(None))[0])  # the row is odd after one press
    1
    """

    def __init__(self, rows: Ints, columns: Ints, odd: Ints8, *, forwards: bool) -> None:
        row_names, rows = np.unique(rows, return_inverse=True)
        column_names, columns = np.unique(columns, return_inverse=True)
        self.row_array: Ints = rows
        self.column_array: Ints = columns + row_names.size
        self.odd_array = odd
        self.lines: int = row_names.size + column_names.size
        ends = np.concatenate([self.row_array, self.column_array])
        held = bincount(ends, minlength=self.lines)
        self.parity_array: Ints8 = (held & forwards).astype(np.int8)
        self.row: list[int] = self.row_array.tolist()
        self.column: list[int] = self.column_array.tolist()
        self.odd: list[int] = odd.tolist()

    def random(self, rng: Random, limits: Limits) -> tuple[list[int], int]:
        """A legal press, all equally likely."""
        row, column, odd = self.row, self.column, self.odd
        parity: list[int] = self.parity_array.tolist()
        placed: list[int] = []
        left = self._draw_while_common(parity, placed, rng, limits)
        # Legal presses have become rare: keep a list of them, at a line's length per press.
        members: list[list[int]] = [[] for _ in range(self.lines)]
        for v in left:
            members[row[v]].append(v)
            members[column[v]].append(v)
        legal = [v for v in left if parity[row[v]] ^ parity[column[v]] == odd[v]]
        draw_from_list(
            legal, len(row), lambda v: members[row[v]] + members[column[v]], placed, rng, limits
        )
        return placed, len(placed)

    def _draw_while_common(
        self, parity: list[int], placed: list[int], rng: Random, limits: Limits
    ) -> list[int]:
        """Draw and place legal presses; return what is left when these are rare."""
        row, column, odd = self.row, self.column, self.odd
        left = list(range(len(row)))
        uniform = rng.random
        while left:
            for _ in range(_DRAWS):
                k = int(uniform() * len(left))
                v = left[k]
                if parity[row[v]] ^ parity[column[v]] == odd[v]:
                    break
            else:
                legal = [
                    k for k, v in enumerate(left) if parity[row[v]] ^ parity[column[v]] == odd[v]
                ]
                if len(legal) * _RARE < len(left):
                    return left
                k = legal[int(uniform() * len(legal))]
                v = left[k]
            placed.append(v)
            left[k] = left[-1]
            left.pop()
            parity[row[v]] ^= 1
            parity[column[v]] ^= 1
            if not len(placed) & POLL and limits.expired:
                return []
        return left

    def rounds(self, rng: Random, limits: Limits) -> tuple[Ints, int]:
        """A random matching of the legal presses' lines, as large as can be, and again."""
        generator = np.random.default_rng(rng.getrandbits(64))
        row, column, odd = self.row_array, self.column_array, self.odd_array
        left = np.arange(row.size)
        parity = self.parity_array.copy()
        layers = [left[:0]]
        while True:
            legal = np.flatnonzero((parity[row] ^ parity[column]) == odd)
            if not legal.size or (len(layers) > 1 and limits.expired):
                break
            layer = legal[_random_matching(row[legal], column[legal], self.lines, generator)]
            parity[row[layer]] ^= 1
            parity[column[layer]] ^= 1
            layers.append(left[layer])
            stays = np.ones(left.size, dtype=np.bool_)
            stays[layer] = False
            left, row, column, odd = left[stays], row[stays], column[stays], odd[stays]
        return np.concatenate(layers), len(layers) - 1

    def fewest(self, rng: Random, limits: Limits) -> tuple[list[int], int]:
        """Any legal press of the line that has the fewest presses left."""
        placed: list[int] = []
        try:
            state = _LinesLeft(self, rng, limits)
        except TimeUp:
            return placed, 0
        while (v := state.legal_press()) >= 0:
            placed.append(v)
            state.place(v)
            if not len(placed) & POLL and limits.expired:
                break
        return placed, len(placed)


class _LinesLeft:
    """The presses left on every line, and the lines in the order of how many that are.

    `left[line]` are a line's presses, in no order; `row_place[v]` and `column_place[v]` say where v
    stands in its two lists. `queue` holds (number left, a random tie, line); an entry is out of
    date when the line has lost presses since. A line without a legal press is *stuck*, and out of
    the queue, until the parity of a line that crosses it in a press changes.
    """

    def __init__(self, player: LinePlayer, rng: Random, limits: Limits) -> None:
        self.row, self.column, self.odd = player.row, player.column, player.odd
        self.parity: list[int] = player.parity_array.tolist()
        self.uniform = rng.random
        self.left: list[list[int]] = [[] for _ in range(player.lines)]
        self.row_place, self.column_place = [0] * len(self.row), [0] * len(self.row)
        left, row_place, column_place = self.left, self.row_place, self.column_place
        for v, (r, c) in enumerate(zip(self.row, self.column, strict=True)):
            if v % _SETUP == _SETUP - 1:
                limits.check()
            row_place[v], column_place[v] = len(left[r]), len(left[c])
            left[r].append(v)
            left[c].append(v)
        self.queue = [(len(presses), self.uniform(), line) for line, presses in enumerate(left)]
        heapify(self.queue)
        self.stuck = [False] * player.lines
        self.stuck_lines = 0

    def legal_press(self) -> int:
        """Return a legal press of the line with the fewest left that has one; −1 for none."""
        while self.queue:
            count, _, line = heappop(self.queue)
            presses = self.left[line]
            if not count or count != len(presses):
                continue
            v = self.drawn(presses)
            if v >= 0:
                return v
            self.stuck[line] = True
            self.stuck_lines += 1
        return -1

    def drawn(self, presses: list[int]) -> int:
        """Return one of the legal ones among a line's presses; −1 when there is none."""
        row, column, odd, parity = self.row, self.column, self.odd, self.parity
        count = len(presses)
        for _ in range(_DRAWS if count > _DRAWS else 0):
            v = presses[int(self.uniform() * count)]
            if parity[row[v]] ^ parity[column[v]] == odd[v]:
                return v
        legal = [v for v in presses if parity[row[v]] ^ parity[column[v]] == odd[v]]
        return legal[int(self.uniform() * len(legal))] if legal else -1

    def place(self, v: int) -> None:
        """Place v: its lines lose it and flip, and what was stuck on their parity is freed."""
        self.take(v, self.row[v], self.row_place, self.column)
        self.take(v, self.column[v], self.column_place, self.row)

    def take(self, v: int, line: int, place: list[int], across: list[int]) -> None:
        """Take v from one of its lines; `across[u]` is the line that crosses this one in u."""
        self.parity[line] ^= 1
        presses = self.left[line]
        last = presses.pop()
        if last != v:
            presses[place[v]] = last
            place[last] = place[v]
        heappush(self.queue, (len(presses), self.uniform(), line))
        if not self.stuck_lines:
            return
        stuck = self.stuck
        for u in presses:
            crossing = across[u]
            if stuck[crossing]:
                stuck[crossing] = False
                self.stuck_lines -= 1
                heappush(self.queue, (len(self.left[crossing]), self.uniform(), crossing))


def _random_matching(row: Ints, column: Ints, lines: int, generator: np.random.Generator) -> Ints:
    """Return the positions of presses that are taken, where they fit, in random order.

    No two share a line, and no other can be added. A few presses per line, drawn with repetition (a
    repeated one fits no more), make most lines busy; only the rest is put in order.
    """
    drawn = np.empty(0, dtype=np.int64)
    if row.size > 4 * lines:
        drawn = generator.integers(row.size, size=4 * lines)
    taken = drawn[_matching(row[drawn], column[drawn], lines)]
    busy = np.zeros(lines, dtype=np.bool_)
    busy[row[taken]] = True
    busy[column[taken]] = True
    rest = generator.permutation(np.flatnonzero(~(busy[row] | busy[column])))
    return np.concatenate([taken, rest[_matching(row[rest], column[rest], lines)]])


def _matching(row: Ints, column: Ints, lines: int) -> Ints:
    """Return the positions that going through the presses in order, taking all that fit, takes.

    A press that comes first in its row and in its column among those still open is taken; then
    all that meet one are closed. In random order a few passes suffice.
    """
    first = np.empty(lines, dtype=np.int64)
    busy = np.zeros(lines, dtype=np.bool_)
    taken = [np.empty(0, dtype=np.int64)]
    still = np.arange(row.size)
    while still.size:
        r, c = row[still], column[still]
        # Where an index occurs twice numpy keeps the last value: from behind, the first.
        first[r[::-1]] = still[::-1]
        first[c[::-1]] = still[::-1]
        wins = (first[r] == still) & (first[c] == still)
        taken.append(still[wins])
        busy[r[wins]] = True
        busy[c[wins]] = True
        still = still[~(busy[r] | busy[c])]
    return np.concatenate(taken)


def draw_from_list(
    legal: list[int],
    size: int,
    near: Callable[[int], list[int]],
    placed: list[int],
    rng: Random,
    limits: Limits,
) -> None:
    """Place random presses of `legal`; `near(v)` are those whose legality v changes, and more."""
    # Where a press stands in `legal`: −1 not there, −2 placed.
    place = [-1] * size
    for v in placed:
        place[v] = -2
    for k, v in enumerate(legal):
        place[v] = k
    uniform = rng.random
    while legal:
        v = legal[int(uniform() * len(legal))]
        placed.append(v)
        last = legal.pop()
        if last != v:
            legal[place[v]] = last
            place[last] = place[v]
        place[v] = -2
        for u in near(v):
            k = place[u]
            if k >= 0:
                last = legal.pop()
                if last != u:
                    legal[k] = last
                    place[last] = k
                place[u] = -1
            elif k == -1:
                place[u] = len(legal)
                legal.append(u)
        if not len(placed) & POLL and limits.expired:
            break
