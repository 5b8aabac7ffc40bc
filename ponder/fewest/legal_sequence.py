"""A legal sequence, always: a press set played greedily, with a helper wherever it gets stuck.

Idea. Of the bulbs to press, those that are open are pressed, the one with the fewest neighbours
still to do first (`plays`). When all that are left are closed, one of them is pressed all the same,
by a few legal presses that add up to it (`leading`): mostly u, v, u with an open neighbour u, that
is two presses more. That opens others, and the play goes on. By theory §2.6 it cannot fail, but for
pieces of the board that are all closed, or all open, on the way; those are small, and played by the
theorem.

Played forwards and backwards, a few times each; the shortest sequence counts. It is the one to
start from: `repair` and the search for the fewest presses know better, but need more time.

Letters: S the press set; a *piece* is a connected part of the board.

Measured, random press sets, the best of four plays: 20×20 plus 0.01 s, 13 % above |S|; 100×100 plus
0.15 s, 20 %; 100×100 king 0.2 s, 8 %. Cost: 4 µs for each press of few neighbours.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np

from ponder.fewest.leading import by_theorem, lead, press_freely
from ponder.fewest.neighbours import Near
from ponder.fewest.plays import Play, openings_of, play_of
from ponder.limits import NEVER, Limits, TimeUp
from ponder.puzzle.board import Board
from ponder.puzzle.components import pieces
from ponder.types import Bits, Ints

_TRIALS = 4  # plays, every other one backwards
_ONCE = 200_000  # presses beyond which there is a single play


def legal_sequences(
    board: Board,
    press_set: Bits,
    near: Near,
    rng: Random,
    limits: Limits = NEVER,
    trials: int = _TRIALS,
) -> Iterator[Ints]:
    """Yield bulbs in a legal play order that leads to the goal, a few times; none at a dead end.

    `near` are the neighbours of every bulb (`near_of`). TimeUp.
    """
    piece = pieces(board, limits)
    todo = np.flatnonzero(press_set & (np.bincount(piece, weights=board.change) > 0)[piece])
    for trial in range(trials if todo.size <= _ONCE else 1):
        found = _played(board, todo, near, piece, rng, limits, backwards=trial % 2 == 0)
        if found is None:
            return
        yield found


def legal_sequence(
    board: Board, press_set: Bits, near: Near, rng: Random, limits: Limits = NEVER
) -> Ints | None:
    """Return the shortest of some legal sequences (`legal_sequences`); None where none is legal.

    When the time is up after a first play, its sequence is the answer; TimeUp before.

    >>> from ponder.linear.press_sets import press_sets
    >>> board = Board.from_rows(["0000"], "plus")
    >>> near = [[1], [0, 2], [1, 3], [2]]
    >>> legal_sequence(board, press_sets(board).particular, near, Random(0)).size
    2
    """
    best: Ints | None = None
    try:
        for found in legal_sequences(board, press_set, near, rng, limits):
            if best is None or found.size < best.size:
                best = found
    except TimeUp:
        if best is None:
            raise
    return best


def _played(
    board: Board,
    todo: Ints,
    near: Near,
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
    for k in np.unique(piece[stuck]).tolist():
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
        if play.waits(v) and (press_freely(play, v) if freely else lead(play, v)):
            play.done(v)
            play.run(limits)
            limits.check()
            helped = True
    return helped
