"""A board being played: which bulbs may be pressed now, and the presses made so far.

Idea. The rule allows or forbids a press by the state of its bulb alone, so a play is one bit for
each bulb, *open* or closed, and a press of v toggles the bits of N[v]. Read backwards from the goal
it is a play too, with other bits at the start (`openings_of`). A play has bulbs *to do*, each to be
pressed an odd number of times: `run` presses those that are open until all that are left are
closed. `legal_sequence` keeps a play going.

    ByNeighbours  any graph: the open bulb with the fewest neighbours still to do goes first. 4 µs
                  for each press of few neighbours
    ByLines       row/column boards, by one bit for each line and each bulb. 0.2 µs for each look

A bulb's neighbours take 0.05 µs from lists, 0.5 µs by steps on full local grids, 5 µs from graphs.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from random import Random
from typing import Protocol, TypeAlias

import numpy as np

from ponder.find.fewest.clusters import neighbour_lists, refuse_all_neighbours
from ponder.model.board import Board
from ponder.model.graph import CrossGraph, Graph, StencilGraph
from ponder.system.limits import NEVER, Limits, NeedsMemory
from ponder.system.types import Bits, Ints, bincount

_FAR = 1 << 16  # full local grids above this have no neighbour lists
_POLL = 1023  # presses between two looks at the clock, as a mask
_BLOCK = 1 << 19  # neighbours that are counted at a time
_MOST_LEFT = (1 << 12) - 1  # neighbours to do that are told apart
_PLACE = (1 << 30) - 1  # the bits of a queue entry that name the bulb


class NeighbourIndex(Protocol):
    """The neighbours of every bulb."""

    def __getitem__(self, bulb: int, /) -> Sequence[int]: ...


class Looked:
    """Neighbours that the graph is asked for, one bulb at a time."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def __getitem__(self, bulb: int) -> Sequence[int]:
        near: list[int] = self._graph.neighbours(bulb).tolist()
        return near


def _short(step: int, side: int) -> int:
    """Return the shorter way round."""
    return step if 2 * step <= side else step - side


class _Shifted(Looked):
    """Neighbours on a full local grid: the same steps from every bulb that is far from its edge."""

    def __init__(self, graph: StencilGraph) -> None:
        rows, columns = graph.shape
        offsets = graph.offsets
        if graph.wraps:  # on a torus an offset of −1 is one of side − 1
            offsets = tuple((_short(dr, rows), _short(dc, columns)) for dr, dc in offsets)
        super().__init__(graph)
        self._steps = sorted(dr * columns + dc for dr, dc in offsets)
        down = max((abs(dr) for dr, _ in offsets), default=0)
        right = max((abs(dc) for _, dc in offsets), default=0)
        inner = np.zeros(graph.shape, dtype=np.uint8)
        inner[down : rows - down, right : columns - right] = 1
        self._inner = inner.tobytes()

    def __getitem__(self, bulb: int) -> Sequence[int]:
        if self._inner[bulb]:
            return [bulb + step for step in self._steps]
        return super().__getitem__(bulb)


def neighbour_index(board: Board, limits: Limits = NEVER) -> NeighbourIndex:
    """Return the neighbours of every bulb: as lists where those are small. Raises TimeUp."""
    graph = board.graph
    if isinstance(graph, CrossGraph):
        return Looked(graph)
    if isinstance(graph, StencilGraph) and graph.mask is None and graph.size > _FAR:
        return _Shifted(graph)
    try:
        refuse_all_neighbours(board)
    except NeedsMemory:
        return Looked(graph)
    return neighbour_lists(board, limits)


class State(Protocol):
    """A board on which one presses: `moves` are the presses so far."""

    moves: list[int]

    @property
    def near(self) -> NeighbourIndex:
        """The neighbours of every bulb."""

    def is_open(self, bulb: int) -> bool:
        """Whether the rule allows a press of the bulb now."""

    def press(self, bulb: int) -> None:
        """Press a bulb, whether or not it is open, and whether or not it is to do."""


class Sketch:
    """A state by one byte for each bulb, with nothing to do."""

    def __init__(self, near: NeighbourIndex, openings: bytes) -> None:
        self.near = near
        self.moves: list[int] = []
        self._open = bytearray(openings)

    def is_open(self, bulb: int) -> bool:
        """Whether the rule allows a press of the bulb now."""
        return bool(self._open[bulb])

    def press(self, bulb: int) -> None:
        """Toggle N[v]."""
        self.moves.append(bulb)
        self._open[bulb] ^= 1
        for u in self.near[bulb]:
            self._open[u] ^= 1


class Mirror:
    """A copy of this state, with open and closed exchanged except for the bulbs `kept`."""

    def __init__(self, play: State, kept: set[int]) -> None:
        self.near: NeighbourIndex = play.near
        self.moves: list[int] = []
        self._play, self._kept = play, kept
        self._toggled: set[int] = set()

    def is_open(self, bulb: int) -> bool:
        """Whether the rule allows a press of the bulb now."""
        return self._play.is_open(bulb) ^ (bulb not in self._kept) ^ (bulb in self._toggled)

    def press(self, bulb: int) -> None:
        """Toggle N[v]."""
        self.moves.append(bulb)
        self._toggled ^= {bulb, *self.near[bulb]}


class ByNeighbours(Sketch):
    """A play by neighbour lists; `left` of the neighbours of each bulb are to do.

    >>> play = ByNeighbours([[1], [0, 2], [1]], b"\\1\\1\\1", [0, 2], [0, 2, 0], Random(0))
    >>> play.run()
    >>> play.left(), sorted(play.moves), [play.is_open(v) for v in range(3)]
    ([], [0, 2], [False, True, False])
    """

    def __init__(
        self,
        near: NeighbourIndex,
        openings: bytes,
        todo: Sequence[int],
        left: list[int],
        rng: Random,
    ) -> None:
        super().__init__(near, openings)
        self._todo = bytearray(len(openings))
        for v in todo:
            self._todo[v] = 1
        self._left, self._rest, self._draw = left, list(todo), rng.getrandbits
        self._queue = [self._entry(v) for v in todo if self._open[v]]
        heapify(self._queue)

    def _entry(self, bulb: int) -> int:
        """Return the place of an open bulb in the queue: fewest left first, ties at random."""
        return (min(self._left[bulb], _MOST_LEFT) << 20 | self._draw(20)) << 30 | bulb

    def press(self, bulb: int) -> None:
        """Toggle N[v]; bulbs still to be pressed that become open are queued."""
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


class ByLines:
    """A play on a row/column board: bulb (r, c) has been toggled by r's presses and by c's."""

    def __init__(
        self, graph: CrossGraph, openings: bytes, todo: Sequence[int], rng: Random
    ) -> None:
        self.near: NeighbourIndex = Looked(graph)
        self.moves: list[int] = []
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


Play: TypeAlias = ByNeighbours | ByLines


def openings_of(board: Board, backwards: bool) -> Bits:
    """Return which bulbs are open at the start; backwards, those of the other state in the goal."""
    state = board.goal if backwards else board.lit
    return state.copy() if backwards == (board.rule == "unlit") else ~state


def play_of(
    board: Board, todo: Ints, near: NeighbourIndex, rng: Random, limits: Limits, *, backwards: bool
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
        left += bincount(members, minlength=left.size)
    left[todo] -= 1
    return ByNeighbours(near, openings, todo.tolist(), left.tolist(), rng)
