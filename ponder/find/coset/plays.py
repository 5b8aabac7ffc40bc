"""A legal sequence, always: a press set played greedily, with helpers wherever it gets stuck.

Idea (theory §2.6, §7.11). The rule allows a press by the state of its bulb alone, so a play is one
bit for each bulb, *open* or closed, and a press of v toggles the bits of N[v]. Read backwards from
the goal it is a play too. Open bulbs of those to press are pressed, the one with the fewest
neighbours still to do first. When only closed ones are left, a few legal presses add up to one of
them (`press_equivalent`): **u, v, u** with an open neighbour u, or where all of N[v] is closed the
presses of the lemma of theory §2.6, whose cases bear the same letters here. A press that is open,
or by u, v, u, is called *free*. The lemma fails only in small pieces of the board, played by the
theorem (`by_theorem`). Some plays go forwards, some backwards.

Cost: 4 µs for each press of few neighbours; a lemma takes a search for the distances from v, and 9
to 15 presses and 4 more for each two steps of distance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heapify, heappop, heappush
from random import Random
from typing import Protocol

import numpy as np

from ponder.find.coset.clusters import neighbour_lists
from ponder.model.board import Board
from ponder.model.components import pieces
from ponder.model.graph import Graph
from ponder.system.limits import NEVER, Limits, NeedsMemory, TimeUp
from ponder.system.types import Bits, Ints, bincount, distinct

_TRIALS = 4  # plays, every other one backwards
_ONCE = 200_000  # presses beyond which there is a single play
_POLL = 1023  # presses between two looks at the clock, as a mask
_BLOCK = 1 << 19  # neighbours that are counted at a time
_MOST_LEFT = (1 << 12) - 1  # neighbours to do that are told apart
_PLACE = (1 << 30) - 1  # the bits of a queue entry that name the bulb
_EXCHANGED = bytes([1, 0]) + bytes(254)  # open and closed, for `translate`


class Neighbours(Protocol):
    """The neighbours of every bulb."""

    def __getitem__(self, bulb: int, /) -> Sequence[int]: ...


class _OfGraph:
    """Neighbours that the graph is asked for, one bulb at a time."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def __getitem__(self, bulb: int) -> Sequence[int]:
        near: list[int] = self._graph.neighbours(bulb).tolist()
        return near


def neighbours_of(board: Board, limits: Limits = NEVER) -> Neighbours:
    """Return the neighbours of every bulb: as lists where those fit memory. Raises TimeUp."""
    try:
        return neighbour_lists(board.graph, limits)
    except NeedsMemory:
        return _OfGraph(board.graph)


def legal_sequences(
    board: Board, press_set: Bits, near: Neighbours, rng: Random, limits: Limits = NEVER
) -> Iterator[Ints]:
    """Yield bulbs in a legal play order that leads to the goal, a few times; none at a dead end.

    When time is up after a first play, returns that. Raises TimeUp before.

    >>> from ponder.find.linear.press_sets import press_sets
    >>> board = Board.from_rows(["0000"], "plus")
    >>> near = [[1], [0, 2], [1, 3], [2]]
    >>> plays = legal_sequences(board, press_sets(board).particular, near, Random(0))
    >>> min(play.size for play in plays)
    2
    """
    piece = pieces(board, limits)
    must_change = bincount(piece[board.change], minlength=int(piece.max(initial=-1)) + 1) > 0
    todo = np.flatnonzero(press_set & must_change[piece])
    for trial in range(_TRIALS if todo.size <= _ONCE else 1):
        try:
            presses = _played(board, todo, near, piece, rng, limits, backwards=trial % 2 == 0)
        except TimeUp:
            if not trial:
                raise
            return
        if presses is None:
            return
        yield presses


def openings_of(board: Board, backwards: bool) -> bytes:
    """Return which bulbs are open at the start; backwards, those of the other state in the goal."""
    state = board.goal if backwards else board.lit
    return (state ^ (backwards != (board.rule == "unlit"))).astype(np.uint8).tobytes()


def _played(
    board: Board,
    todo: Ints,
    near: Neighbours,
    piece: Ints,
    rng: Random,
    limits: Limits,
    *,
    backwards: bool,
) -> Ints | None:
    """Make one play; None where even the theorem does not help: at a dead end."""
    left = np.zeros(board.graph.size, dtype=np.int64)
    block = max(1, _BLOCK * board.graph.size // (2 * board.graph.edge_count() + 1))
    for start in range(0, todo.size, block):
        limits.check()
        members, _ = board.graph.neighbourhoods(todo[start : start + block])
        left += bincount(members, minlength=left.size)
    left[todo] -= 1
    play = Play(near, openings_of(board, backwards), todo.tolist(), left.tolist(), rng)
    stuck = _to_the_end(play, rng, limits)
    moves = np.array(play.moves, dtype=np.int64)
    moves = moves[::-1] if backwards else moves
    if not stuck:
        return moves
    parts = [moves[~np.isin(piece[moves], piece[stuck])]]
    for k in distinct(piece[stuck]).tolist():
        inside = todo[piece[todo] == k].tolist()
        bulbs = np.flatnonzero(piece == k).tolist()
        presses = by_theorem(near, openings_of(board, False), inside, bulbs, limits)
        if presses is None:
            return None
        parts.append(np.array(presses, dtype=np.int64))
    return np.concatenate(parts)


def _to_the_end(play: Play, rng: Random, limits: Limits) -> list[int]:
    """Play until nothing is to do, or nothing helps any more: return what is left then."""
    play.run(limits)
    while left := play.left():
        rng.shuffle(left)
        for press in (press_freely, press_equivalent):  # what opens others is done in between
            helped = False
            for v in left:
                if play.todo[v] and press(play, v):
                    play.done(v)
                    play.run(limits)
                    limits.check()
                    helped = True
            if helped:
                break
        else:
            return left
    return []


# -------------------------------------------------------------------------- a board being played


class Play:
    """A play of a board: the `moves` so far, and which bulbs are `opened`, a byte each.

    The bulbs in `todo` are still to be pressed; `left` counts such neighbours of each bulb.

    >>> play = Play([[1], [0, 2], [1]], b"\\1\\1\\1", [0, 2], [0, 2, 0], Random(0))
    >>> play.run()
    >>> play.left(), sorted(play.moves), list(play.opened)
    ([], [0, 2], [0, 1, 0])
    """

    def __init__(
        self,
        near: Neighbours,
        openings: bytes | bytearray,
        todo: Sequence[int] = (),
        left: Sequence[int] = (),
        rng: Random | None = None,
    ) -> None:
        self.near: Neighbours = near
        self.moves: list[int] = []
        self.opened: bytearray = bytearray(openings)
        self.todo: bytearray = bytearray(len(openings))
        for v in todo:
            self.todo[v] = 1
        self._left = list(left)
        self._rest = list(todo)
        self._draw = (rng or Random(0)).getrandbits
        self._queue = [self._entry(v) for v in todo if self.opened[v]]
        heapify(self._queue)

    def _entry(self, bulb: int) -> int:
        """Return the place of an open bulb in the queue: fewest left first, ties at random."""
        return (min(self._left[bulb], _MOST_LEFT) << 20 | self._draw(20)) << 30 | bulb

    def press(self, bulb: int) -> None:
        """Press a bulb, open or not; bulbs in `todo` that become open are queued."""
        self.moves.append(bulb)
        for u in (bulb, *self.near[bulb]):
            self.opened[u] ^= 1
            if self.opened[u] and self.todo[u]:
                heappush(self._queue, self._entry(u))

    def done(self, bulb: int) -> None:
        """Strike a bulb off; its neighbours have one less to wait for."""
        self.todo[bulb] = 0
        for u in self.near[bulb]:
            self._left[u] -= 1
            if self.opened[u] and self.todo[u]:
                heappush(self._queue, self._entry(u))

    def left(self) -> list[int]:
        """Return what is still to do."""
        self._rest = [v for v in self._rest if self.todo[v]]
        return self._rest.copy()

    def run(self, limits: Limits = NEVER) -> None:
        """Press what is open, the fewest neighbours to do first."""
        near, opened, todo, left = self.near, self.opened, self.todo, self._left
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
                    heappush(queue, (min(left[u], _MOST_LEFT) << 20 | draw(20)) << 30 | u)
            if not len(moves) & _POLL:
                limits.check()


# ------------------------------------------------------------------- presses that add up to one


def press_freely(play: Play, bulb: int) -> bool:
    """Press a bulb that is open, or by u, v, u; return whether either could be done."""
    if play.opened[bulb]:
        play.press(bulb)
        return True
    helper = next((u for u in play.near[bulb] if play.opened[u]), None)
    if helper is None:
        return False
    for v in (helper, bulb, helper):
        play.press(v)
    return True


def press_equivalent(play: Play, bulb: int) -> bool:
    """Make legal presses that add up to one of a bulb; False where the lemma does not apply."""
    if press_freely(play, bulb):
        return True
    around = list(play.near[bulb])
    near = {bulb, *around}
    second = {u for w in around for u in play.near[w] if u not in near}  # at distance 2
    states = {play.opened[u] for u in second}
    if states == {0, 1}:
        _all_freely(play, _cases_a_b(play, bulb, around, second))
        return True
    if not states:
        return False
    path = _path(play, bulb, 1 - states.pop())
    if path is None:
        return False
    if play.opened[path[2]]:
        _case_c(play, path)
        return True
    # (D): from the other end, with open and closed exchanged but for N[v]
    mirrored = play.opened.translate(_EXCHANGED)
    for v in near:
        mirrored[v] ^= 1
    mirror = Play(play.near, mirrored)
    _case_c(mirror, path)
    for v in reversed(mirror.moves):
        play.press(v)
    return True


def _all_freely(play: Play, presses: Sequence[int]) -> None:
    for v in presses:
        if not press_freely(play, v):
            raise RuntimeError("internal error: a press that must be free is not")


def _cases_a_b(play: Play, bulb: int, around: list[int], second: set[int]) -> list[int]:
    """Return the presses where some bulbs at distance 2 are open and some are closed."""
    only: dict[int, int] = {}
    for w in around:
        states = {play.opened[u] for u in play.near[w] if u in second}
        if len(states) == 2:
            return [w, bulb, w]  # (A)
        for state in states:
            only[state] = w
    w, beside_closed = only[1], only[0]  # (B)
    if beside_closed not in play.near[w]:
        return [w, beside_closed, bulb, w, beside_closed]
    c = next(u for u in play.near[beside_closed] if u in second)
    return [w, c, bulb, w, c]


def _path(play: Play, bulb: int, wanted: int) -> list[int] | None:
    """Return a shortest path from v to a bulb at distance 3 or more of the state wanted."""
    before = {bulb: bulb}
    queue = [bulb]
    skipped = {bulb, *play.near[bulb]}
    for v in queue:  # grows while it is walked through
        if v not in skipped and play.opened[v] == wanted:
            path = [v]
            while path[-1] != bulb:
                path.append(before[path[-1]])
            return path[::-1]
        for u in play.near[v]:
            if u not in before:
                before[u] = v
                queue.append(u)
    return None


def _case_c(play: Play, path: list[int]) -> None:
    """Press the first bulb of a path: closed, closed, open, …, open, closed."""
    a, k, pressed = path, len(path) - 1, []
    while k > 4:  # brings the closed end two steps nearer
        play.press(a[k - 1])
        pressed.append(a[k - 1])
        k -= 2
    if k == 3:
        _all_freely(play, [a[2], a[0], a[2]])
    else:
        _all_freely(play, [a[3], a[4], a[2], a[0], a[2], a[4], a[3]])
    _all_freely(play, pressed[::-1])


def by_theorem(
    near: Neighbours, openings: bytes, press_set: list[int], piece: list[int], limits: Limits
) -> list[int] | None:
    """Return a legal sequence in one connected piece of a board, by the theorem; None at dead ends.

    `press_set` is the part of a press set that lies in `piece`, which must change. Raises TimeUp.
    """
    place = {v: 1 << k for k, v in enumerate(piece)}
    column = {v: sum(place[u] for u in near[v]) | place[v] for v in limits.over(piece)}
    chosen = _independent(press_set, column, limits)
    for shift in range(len(chosen)):
        moves = _led_over(near, openings, [*chosen[shift:], *chosen[:shift]], limits)
        if moves is not None:
            return moves
    if len(chosen) != 2:
        return None
    first, second = chosen
    spanned = {column[first], column[second], column[first] ^ column[second]}
    for c in piece:
        both = column[c] == column[first] ^ column[second]
        if both or column[c] not in spanned:
            moves = _led_over(near, openings, [c] if both else [c, first, second, c], limits)
            if moves is not None:
                return moves
    return None


def _led_over(
    near: Neighbours, openings: bytes, bulbs: Sequence[int], limits: Limits
) -> list[int] | None:
    attempt = Play(near, openings)
    for v in bulbs:
        limits.check()
        if not press_equivalent(attempt, v):
            return None
    return attempt.moves


def _independent(press_set: Sequence[int], column: dict[int, int], limits: Limits) -> list[int]:
    """Return a part of the press set with the same sum of columns, which are independent."""
    pivots: dict[int, tuple[int, int]] = {}  # leading bit -> sum, and of which columns

    def reduced(row: int, used: int) -> tuple[int, int]:
        while row and (known := pivots.get(row.bit_length())):
            row, used = row ^ known[0], used ^ known[1]
        return row, used

    total = 0
    for k, v in limits.over(enumerate(press_set), 1):
        total ^= column[v]
        row, used = reduced(column[v], 1 << k)
        if row:
            pivots[row.bit_length()] = row, used
    _, used = reduced(total, 0)
    return [v for k, v in enumerate(press_set) if used >> k & 1]
