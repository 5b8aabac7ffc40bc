"""A legal sequence, always: a press set played greedily, with a helper wherever it gets stuck.

Idea (theory §2.6, §7.11). Open bulbs of those to press are pressed, the one with the fewest
neighbours still to do first (`plays`). When only closed ones are left, a few legal presses add up
to one of them (`press_equivalent`). These are **u, v, u** with an open neighbour u. Where all of
N[v] is closed, the lemma of theory §2.6 gives them; its cases bear the same letters here. A press
that is open, or by u, v, u, is called *free*. The lemma fails only in small pieces of the board,
played by the theorem (`by_theorem`). Some plays forwards, some backwards.

Letters: S the press set; a *piece* is a connected part of the board; U the bulbs outside N[v].
Cost: 4 µs for each press of few neighbours, a free press O(degree); else a search for the distances
from v, and 9 to 15 presses and 4 more for each two steps of distance. Measured: theory §7.11.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import numpy as np

from ponder.find.fewest.plays import (
    Mirror,
    NeighbourIndex,
    Play,
    Sketch,
    State,
    openings_of,
    play_of,
)
from ponder.model.board import Board
from ponder.model.components import pieces
from ponder.system.limits import NEVER, Limits, TimeUp
from ponder.system.types import Bits, Ints, bincount, distinct

_TRIALS = 4  # plays, every other one backwards
_ONCE = 200_000  # presses beyond which there is a single play


def legal_sequences(
    board: Board, press_set: Bits, near: NeighbourIndex, rng: Random, limits: Limits = NEVER
) -> Iterator[Ints]:
    """Yield bulbs in a legal play order that leads to the goal, a few times; none at a dead end.

    `near` are the neighbours of every bulb (`near_of`). When time is up after a first play, returns
    that. Raises TimeUp before.
    """
    piece = pieces(board, limits)
    must_change = bincount(piece[board.change], minlength=int(piece.max(initial=-1)) + 1) > 0
    todo = np.flatnonzero(press_set & must_change[piece])
    for trial in range(_TRIALS if todo.size <= _ONCE else 1):
        try:
            found = _played(board, todo, near, piece, rng, limits, backwards=trial % 2 == 0)
        except TimeUp:
            if not trial:
                raise
            return
        if found is None:
            return
        yield found


def legal_sequence(
    board: Board, press_set: Bits, near: NeighbourIndex, rng: Random, limits: Limits = NEVER
) -> Ints | None:
    """Return the shortest of some legal sequences (`legal_sequences`); None where none is legal.

    >>> from ponder.find.linear.press_sets import press_sets
    >>> board = Board.from_rows(["0000"], "plus")
    >>> near = [[1], [0, 2], [1, 3], [2]]
    >>> legal_sequence(board, press_sets(board).particular, near, Random(0)).size
    2
    """
    found = legal_sequences(board, press_set, near, rng, limits)
    return min(found, key=lambda presses: presses.size, default=None)


def _played(
    board: Board,
    todo: Ints,
    near: NeighbourIndex,
    piece: Ints,
    rng: Random,
    limits: Limits,
    *,
    backwards: bool,
) -> Ints | None:
    """Make one play; None where even the theorem does not help: at a dead end."""
    play = play_of(board, todo, near, rng, limits, backwards=backwards)
    stuck = _to_the_end(play, rng, limits)
    moves = np.array(play.moves, dtype=np.int64)
    moves = moves[::-1] if backwards else moves
    if not stuck:
        return moves
    parts = [moves[~np.isin(piece[moves], piece[stuck])]]
    openings = openings_of(board, False).astype(np.uint8).tobytes()
    for k in distinct(piece[stuck]).tolist():
        inside = todo[piece[todo] == k].tolist()
        found = by_theorem(near, openings, inside, np.flatnonzero(piece == k).tolist(), limits)
        if found is None:
            return None
        parts.append(np.array(found, dtype=np.int64))
    return np.concatenate(parts)


def _to_the_end(play: Play, rng: Random, limits: Limits) -> list[int]:
    """Play until nothing is to do, or nothing helps any more: return what is left then."""
    play.run(limits)
    while left := play.left():
        rng.shuffle(left)
        helped = _helped(play, left, limits, freely=True) or _helped(play, left, limits)
        if not helped:
            return left
    return []


def _helped(play: Play, left: list[int], limits: Limits, *, freely: bool = False) -> bool:
    """Press closed bulbs by what adds up to them (`freely`: by u, v, u), and what that opens."""
    helped = False
    for v in left:
        if play.waits(v) and (press_freely(play, v) if freely else press_equivalent(play, v)):
            play.done(v)
            play.run(limits)
            limits.check()
            helped = True
    return helped


def press_freely(play: State, bulb: int) -> bool:
    """Press a bulb that is open, or by u, v, u; return whether either could be done."""
    if play.is_open(bulb):
        play.press(bulb)
        return True
    helper = next((u for u in play.near[bulb] if play.is_open(u)), None)
    if helper is None:
        return False
    for v in (helper, bulb, helper):
        play.press(v)
    return True


def press_equivalent(play: State, bulb: int) -> bool:
    """Make legal presses that add up to one of a bulb; False where the lemma does not apply."""
    if press_freely(play, bulb):
        return True
    around = list(play.near[bulb])
    near = {bulb, *around}
    second = {u for w in around for u in play.near[w] if u not in near}  # at distance 2
    states = {play.is_open(u) for u in second}
    if states == {True, False}:
        presses = _cases_a_b(play, bulb, around, second)
        _freely(play, presses)
        return True
    if not states:
        return False
    path = _path(play.near, bulb, play, not states.pop())
    if path is None:
        return False
    if play.is_open(path[2]):
        _case_c(play, path)
        return True
    # (D): from the other end, with open and closed exchanged
    mirror = Mirror(play, near)
    _case_c(mirror, path)
    for v in reversed(mirror.moves):
        play.press(v)
    return True


def _freely(play: State, presses: Sequence[int]) -> None:
    for v in presses:
        if not press_freely(play, v):
            raise RuntimeError("internal error: a press that must be free is not")


def _cases_a_b(play: State, bulb: int, around: list[int], second: set[int]) -> list[int]:
    """Return the presses where some bulbs at distance 2 are open and some are closed."""
    only: dict[bool, int] = {}
    for w in around:
        states = {play.is_open(u) for u in play.near[w] if u in second}
        if len(states) == 2:
            return [w, bulb, w]  # (A)
        for state in states:
            only[state] = w
    w, other = only[True], only[False]  # (B)
    if other not in play.near[w]:
        return [w, other, bulb, w, other]
    c = next(u for u in play.near[other] if u in second)
    return [w, c, bulb, w, c]


def _path(near: NeighbourIndex, bulb: int, play: State, wanted: bool) -> list[int] | None:
    """Return a shortest path from v to a bulb at distance 3 or more of the state wanted."""
    before = {bulb: bulb}
    queue = [bulb]
    skipped = {bulb, *near[bulb]}
    for v in queue:  # grows while it is walked through
        if v not in skipped and play.is_open(v) == wanted:
            path = [v]
            while path[-1] != bulb:
                path.append(before[path[-1]])
            return path[::-1]
        for u in near[v]:
            if u not in before:
                before[u] = v
                queue.append(u)
    return None


def _case_c(play: State, path: list[int]) -> None:
    """Press the first bulb of a path: closed, closed, open, …, open, closed."""
    a, k, pressed = path, len(path) - 1, []
    while k > 4:  # brings the closed end two steps nearer
        play.press(a[k - 1])
        pressed.append(a[k - 1])
        k -= 2
    if k == 3:
        _freely(play, [a[2], a[0], a[2]])
    else:
        _freely(play, [a[3], a[4], a[2], a[0], a[2], a[4], a[3]])
    _freely(play, pressed[::-1])


def by_theorem(
    near: NeighbourIndex,
    openings: bytes,
    press_set: Sequence[int],
    piece: Sequence[int],
    limits: Limits,
) -> list[int] | None:
    """Return a legal sequence in one connected piece of a board, by the theorem; None at dead ends.

    `press_set` is the part of a press set that lies in `piece`, which must change. Raises TimeUp.
    """
    place = {v: 1 << k for k, v in enumerate(piece)}
    column = {v: sum(place[u] for u in near[v]) | place[v] for v in limits.over(piece)}
    chosen = _independent(press_set, column, limits)
    for shift in range(len(chosen)):
        moves = _sketched(near, openings, [*chosen[shift:], *chosen[:shift]], limits)
        if moves is not None:
            return moves
    if len(chosen) != 2:
        return None
    first, second = chosen
    spanned = {column[first], column[second], column[first] ^ column[second]}
    for c in piece:
        one = column[c] == column[first] ^ column[second]
        if one or column[c] not in spanned:
            bulbs = [c] if one else [c, first, second, c]
            moves = _sketched(near, openings, bulbs, limits)
            if moves is not None:
                return moves
    return None


def _sketched(
    near: NeighbourIndex, openings: bytes, bulbs: Sequence[int], limits: Limits
) -> list[int] | None:
    sketch = Sketch(near, openings)
    for v in bulbs:
        limits.check()
        if not press_equivalent(sketch, v):
            return None
    return sketch.moves


def _independent(press_set: Sequence[int], column: dict[int, int], limits: Limits) -> list[int]:
    """Return a part of the press set with the same sum of columns, which are independent."""
    chosen = list(press_set)
    while True:
        zero = _dependent(chosen, column, limits)
        if not zero:
            return chosen
        chosen = [v for k, v in enumerate(chosen) if not zero >> k & 1]


def _dependent(chosen: list[int], column: dict[int, int], limits: Limits) -> int:
    """Return which of some columns add up to nothing, as bits; 0 where they are independent."""
    pivots: dict[int, tuple[int, int]] = {}  # leading bit -> sum, and of which columns
    for k, v in limits.over(enumerate(chosen), 1):
        row, used = column[v], 1 << k
        while row:
            known = pivots.get(row.bit_length())
            if known is None:
                pivots[row.bit_length()] = row, used
                break
            row, used = row ^ known[0], used ^ known[1]
        else:
            return used
    return 0
