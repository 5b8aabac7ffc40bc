"""A board being played: which bulbs may be pressed now, and the presses made so far.

Idea. The rule allows or forbids a press by the state of its bulb alone, so a play is one bit for
each bulb, *open* or closed, and a press of v toggles the bits of N[v]. The same play read backwards
from the goal is a play too, with other bits at the start:

    forwards, `unlit`   open = unlit         backwards, `unlit`   open = lit, as the goal has it
    forwards, `lit`     open = lit           backwards, `lit`     open = unlit in the goal

A play has bulbs *to do*, each to be pressed an odd number of times. `run` presses those that are
open, one after the other, until all that are left are closed; nothing is taken back. `press` makes
any other press. What a play needs in order to go on is in `leading`.

    ByNeighbours  any graph, by neighbour lists; of the open bulbs the one with the fewest
                  neighbours still to do goes first (`ponder.ordering.greedy`)
    ByLines       row/column boards, by one bit for each line and each bulb

Cost. `ByNeighbours`: 4 µs for each press of few neighbours. `ByLines`: 0.2 µs for each look at a
bulb, some ten of them for each press.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from random import Random

import numpy as np

from ponder.fewest.neighbours import Looked, Near
from ponder.limits import NEVER, Limits
from ponder.puzzle.board import Board
from ponder.puzzle.graph import CrossGraph
from ponder.types import Bits, Ints

_POLL = 1023  # presses between two looks at the clock, as a mask
_BLOCK = 1 << 19  # neighbours that are counted at a time
_MOST_LEFT = (1 << 12) - 1  # neighbours to do that are told apart
_PLACE = (1 << 30) - 1  # the bits of a queue entry that name the bulb


class Play(ABC):
    """A play: `moves` are the presses so far."""

    near: Near
    moves: list[int]

    @abstractmethod
    def is_open(self, bulb: int) -> bool:
        """Whether the rule allows a press of the bulb now."""

    @abstractmethod
    def press(self, bulb: int) -> None:
        """Press a bulb, whether or not it is open, and whether or not it is to do."""

    @abstractmethod
    def done(self, bulb: int) -> None:
        """Strike a bulb off the list of those to do."""

    @abstractmethod
    def run(self, limits: Limits = NEVER) -> None:
        """Press what is open and to do, until all that is left is closed. TimeUp."""

    @abstractmethod
    def waits(self, bulb: int) -> bool:
        """Whether the bulb is still to do."""

    @abstractmethod
    def left(self) -> list[int]:
        """Return what is still to do."""


class ByNeighbours(Play):
    """A play by neighbour lists.

    >>> play = ByNeighbours([[1], [0, 2], [1]], b"\\1\\1\\1", [0, 2], Random(0))
    >>> play.run()
    >>> play.left(), sorted(play.moves), [play.is_open(v) for v in range(3)]
    ([], [0, 2], [False, True, False])
    """

    def __init__(
        self,
        near: Near,
        openings: bytes,
        todo: Sequence[int],
        rng: Random,
        left: list[int] | None = None,
    ) -> None:
        """`left`: how many of the neighbours of each bulb are to do, where that is known."""
        self.near, self.moves = near, []
        self._open = bytearray(openings)
        self._todo = bytearray(len(openings))
        for v in todo:
            self._todo[v] = 1
        if left is None:
            left = [0] * len(openings)
            for v in todo:
                for u in near[v]:
                    left[u] += 1
        self._left, self._rest, self._draw = left, list(todo), rng.getrandbits
        self._queue = [self._entry(v) for v in todo if self._open[v]]
        heapify(self._queue)

    def _entry(self, bulb: int) -> int:
        """Return the place of an open bulb in the queue: fewest left first, ties at random."""
        return (min(self._left[bulb], _MOST_LEFT) << 20 | self._draw(20)) << 30 | bulb

    def is_open(self, bulb: int) -> bool:
        """Whether the rule allows a press of the bulb now."""
        return bool(self._open[bulb])

    def press(self, bulb: int) -> None:
        """Toggle N[v]; what is to do and has become open is queued."""
        self.moves.append(bulb)
        self._open[bulb] ^= 1
        for u in self.near[bulb]:
            self._open[u] ^= 1
            if self._open[u] and self._todo[u]:
                heappush(self._queue, self._entry(u))
        if self._open[bulb] and self._todo[bulb]:
            heappush(self._queue, self._entry(bulb))

    def done(self, bulb: int) -> None:
        """Strike a bulb off; its neighbours have one less to wait for."""
        self._todo[bulb] = 0
        for u in self.near[bulb]:
            self._left[u] -= 1
            if self._open[u] and self._todo[u]:
                heappush(self._queue, self._entry(u))

    def waits(self, bulb: int) -> bool:
        """Whether the bulb is still to do."""
        return bool(self._todo[bulb])

    def left(self) -> list[int]:
        """Return what is still to do."""
        self._rest = [v for v in self._rest if self._todo[v]]
        return self._rest.copy()

    def run(self, limits: Limits = NEVER) -> None:
        """Press what is open, the fewest neighbours to do first."""
        near, opened, todo, left = self.near, self._open, self._todo, self._left
        queue, moves, draw = self._queue, self.moves, self._draw
        while queue:
            entry = heappop(queue)
            v = entry & _PLACE
            # an entry is out of date when its bulb is pressed, closed, or has fewer left since
            if not (todo[v] and opened[v] and entry >> 50 == min(left[v], _MOST_LEFT)):
                continue
            moves.append(v)
            todo[v] = opened[v] = 0
            for u in near[v]:
                left[u] -= 1
                opened[u] ^= 1
                if opened[u] and todo[u]:
                    count = min(left[u], _MOST_LEFT)
                    heappush(queue, (count << 20 | draw(20)) << 30 | u)
            if not len(moves) & _POLL:
                limits.check()


class ByLines(Play):
    """A play on a row/column board: bulb (r, c) has been toggled by r's presses and by c's.

    >>> board = Board.from_rows(["000", "000"])
    >>> play = ByLines(board.graph, b"\\1" * 6, [0, 4], Random(0))
    >>> play.run()
    >>> play.left(), len(play.moves), [v for v in range(6) if play.is_open(v)]
    ([], 2, [1, 3])
    """

    def __init__(
        self, graph: CrossGraph, openings: bytes, todo: Sequence[int], rng: Random
    ) -> None:
        self.near, self.moves = Looked(graph), []
        self._rows = [0] * graph.shape[0]
        self._columns = [0] * graph.shape[1]
        self._own = bytearray(openings)  # open at the start, and toggled by the bulb's own presses
        rest = list(todo)
        rng.shuffle(rest)
        rows, columns = graph.places(np.array(rest, dtype=np.int64))
        self._graph = graph
        self._rest = list(zip(rest, rows.tolist(), columns.tolist(), strict=True))
        self._todo = set(rest)

    def is_open(self, bulb: int) -> bool:
        """Whether the rule allows a press of the bulb now."""
        row, column = self._place(bulb)
        return bool(self._own[bulb] ^ self._rows[row] ^ self._columns[column])

    def press(self, bulb: int) -> None:
        """Toggle the row and the column; the bulb itself, which is in both, once more."""
        self.moves.append(bulb)
        row, column = self._place(bulb)
        self._own[bulb] ^= 1
        self._rows[row] ^= 1
        self._columns[column] ^= 1

    def _place(self, bulb: int) -> tuple[int, int]:
        graph = self._graph
        return divmod(bulb if graph.mask is None else int(graph.cells[bulb]), graph.shape[1])

    def done(self, bulb: int) -> None:
        """Strike a bulb off."""
        self._todo.discard(bulb)
        self._rest = [entry for entry in self._rest if entry[0] != bulb]

    def waits(self, bulb: int) -> bool:
        """Whether the bulb is still to do."""
        return bulb in self._todo

    def left(self) -> list[int]:
        """Return what is still to do."""
        return [v for v, _, _ in self._rest]

    def run(self, limits: Limits = NEVER) -> None:
        """Press what is open, pass after pass."""
        own, rows, columns, moves = self._own, self._rows, self._columns, self.moves
        rest = self._rest
        before = len(rest) + 1
        while len(rest) < before:
            before, closed = len(rest), []
            for entry in limits.over(rest, _POLL + 1):
                v, row, column = entry
                if own[v] ^ rows[row] ^ columns[column]:
                    moves.append(v)
                    own[v] ^= 1
                    rows[row] ^= 1
                    columns[column] ^= 1
                else:
                    closed.append(entry)
            rest = closed
        self._rest = rest
        self._todo = {v for v, _, _ in rest}


class _Idle(Play):
    """A play with nothing to do, to try presses on."""

    def done(self, bulb: int) -> None:
        """Nothing is to do."""

    def run(self, limits: Limits = NEVER) -> None:
        """Nothing is to do."""

    def waits(self, bulb: int) -> bool:
        """Nothing is to do."""
        return False

    def left(self) -> list[int]:
        """Nothing is to do."""
        return []


class Sketch(_Idle):
    """A play that starts from a state given.

    >>> sketch = Sketch([[1], [0]], b"\\1\\0")
    >>> sketch.press(0)
    >>> sketch.openings()
    b'\\x00\\x01'
    """

    def __init__(self, near: Near, openings: bytes) -> None:
        self.near, self.moves = near, []
        self._open = bytearray(openings)

    def is_open(self, bulb: int) -> bool:
        """Whether the rule allows a press of the bulb now."""
        return bool(self._open[bulb])

    def openings(self) -> bytes:
        """Return a byte for each bulb, 1 where it is open."""
        return bytes(self._open)

    def press(self, bulb: int) -> None:
        """Toggle N[v]."""
        self.moves.append(bulb)
        self._open[bulb] ^= 1
        for u in self.near[bulb]:
            self._open[u] ^= 1


class Mirror(_Idle):
    """Another play as it is now, with open and closed exchanged but for the bulbs `kept`.

    Only what is pressed takes memory.

    >>> mirror = Mirror(Sketch([[1], [0], []], b"\\1\\0\\0"), {0})
    >>> mirror.press(0)
    >>> [mirror.is_open(v) for v in range(3)]
    [False, False, True]
    """

    def __init__(self, play: Play, kept: set[int]) -> None:
        self.near, self.moves = play.near, []
        self._play, self._kept = play, kept
        self._toggled: set[int] = set()

    def is_open(self, bulb: int) -> bool:
        """Whether the rule allows a press of the bulb now."""
        return self._play.is_open(bulb) ^ (bulb not in self._kept) ^ (bulb in self._toggled)

    def press(self, bulb: int) -> None:
        """Toggle N[v]."""
        self.moves.append(bulb)
        self._toggled ^= {bulb, *self.near[bulb]}


def openings_of(board: Board, backwards: bool) -> Bits:
    """Return which bulbs are open at the start of a play.

    >>> board = Board.from_rows(["01"], goal="lit")
    >>> openings_of(board, False).tolist(), openings_of(board, True).tolist()
    ([True, False], [True, True])
    """
    state = board.goal if backwards else board.lit
    return state.copy() if backwards == (board.rule == "unlit") else ~state


def play_of(
    board: Board, todo: Ints, near: Near, rng: Random, limits: Limits, *, backwards: bool
) -> Play:
    """Return a play on a board at its start."""
    openings = openings_of(board, backwards).astype(np.uint8).tobytes()
    if isinstance(board.graph, CrossGraph):
        return ByLines(board.graph, openings, todo.tolist(), rng)
    left = np.zeros(board.graph.size, dtype=np.int64)
    block = max(1, _BLOCK * board.graph.size // (2 * board.graph.edge_count() + 1))
    for start in range(0, todo.size, block):
        limits.check()
        members, _ = board.graph.neighbourhoods(todo[start : start + block])
        left += np.bincount(members, minlength=left.size)
    left[todo] -= 1
    return ByNeighbours(near, openings, todo.tolist(), rng, left.tolist())
