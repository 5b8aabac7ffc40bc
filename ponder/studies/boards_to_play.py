"""Boards worth playing: from a seed, with an order where the rule asks for one, and graded.

The page makes the same boards in JavaScript (`page/static/generator.js`), bit for bit.

Making one. Begin at the goal and take presses back at random, each bulb at most once: a press
under the rule `unlit` leaves its bulb lit, so a bulb that is lit may be the one pressed last. What
is reached has an order, the presses taken back in the other direction.

Grading one. Under `unlit` and `lit` the measure is *stuck*: the percentage of PLAYS random legal
plays of the planted press set that come to a halt before its end. Under `any` nothing gets stuck,
and the measure is *fewest*: the fewest presses, in percent of the bulbs. A board of a grade is the
first of ATTEMPTS candidates whose measure lies within the grade's limits, or the nearest to them:
small boards do not reach every grade. A candidate that is too hard bounds the number of presses of
those after it from above, one that is too easy from below. Beyond MOST_GRADED bulbs, and where press sets are too many to
be listed, the measure is *presses*: those planted, in percent of the bulbs.

Random numbers are a counter put through a hash of 32 bits: number n under the key k is
mix(k + n·GOLD), which arrays make all at once, and JavaScript with `Math.imul`. `mix` is C.
Wellons' lowbias32, https://nullprogram.com/blog/2018/07/31/.

Letters: n bulbs, p presses planted. Cost: O(ATTEMPTS·PLAYS·p²); 3 to 60 ms up to 10×10.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np
from numpy.typing import NDArray

from ponder.puzzle.board import Board
from ponder.puzzle.graph import GridGraph, StencilGraph
from ponder.puzzle.presets import GRADES, PUZZLES, Puzzle, unwinnable
from ponder.puzzle.wired_graph import board_graph, no_wiring
from ponder.studies.generate import CannotGenerate, KnownAnswer, SizedFamily
from ponder.types import Bits, Ints

ATTEMPTS = 32
PLAYS = 40
MOST_GRADED = 400
MOST_PLAYED = 10_000  # bulbs of a board to play
LISTED = 8  # of at most 2^LISTED press sets the lightest is found

STUCK_LIMITS = (20, 40, 60)  # percent up to which a board is easy, medium, hard
STUCK_SHARES = ((12, 25), (12, 50), (20, 65), (25, 65))  # presses in percent of the bulbs, at first
PRESS_LIMITS = (20, 28, 36)
PRESS_SHARES = ((12, 20), (21, 28), (29, 36), (37, 60))
FEWEST_PLANTED = 3

WEEK = ("easy", "easy", "medium", "medium", "hard", "hard", "expert")
"""The grade of the daily board, from Monday on."""

GOLD, TWO_32 = 0x9E3779B9, 1 << 32
Words = NDArray[np.uint32]


@dataclass(frozen=True)
class Played:
    """A board to play, its planted presses (bulb numbers), and how hard it is.

    `measure` is `stuck`, `fewest` or `presses`, `percent` its value, and `grade` the grade that
    this makes; where no board of that grade was found, it is not the one asked for.
    """

    board: Board
    presses: Ints
    measure: str
    percent: int
    grade: str

    @property
    def sentence(self) -> str:
        """The grade and its reason, in a line."""
        what = {
            "stuck": "of random plays of its press set get stuck",
            "fewest": "of the bulbs must be pressed",
            "presses": "of the bulbs are pressed",
        }
        return f"{self.grade}: {self.presses.size} presses, {self.percent} % {what[self.measure]}"


def board_to_play(template: Board, grade: str, seed: int = 0) -> Played:
    """Return the board of a grade and a seed, with the graph, rule and goal of `template`.

    Raises CannotGenerate if the template is no grid, is too large, or cannot be won; ValueError if
    the grade is none of GRADES or the seed is not from 0 to 2^63 - 1.

    >>> template = Board.from_rows(["0000"] * 4)
    >>> found = board_to_play(template, "medium", seed=7)
    >>> found.board.lit.astype(int).reshape(4, 4).tolist()
    [[0, 0, 1, 1], [1, 0, 0, 1], [1, 0, 0, 1], [0, 1, 1, 0]]
    >>> found.sentence
    'medium: 7 presses, 22 % of random plays of its press set get stuck'
    """
    if grade not in GRADES or not 0 <= seed < 2**63:
        raise ValueError(f"no grade {grade!r}, or no seed {seed}")
    game = _Game(template)
    wanted = GRADES.index(grade)
    key = _key([*game.shape, wanted, seed % TWO_32, seed >> 32, *game.name.encode()])
    least, most = game.shares[wanted]
    low, high = (-1, *game.limits, 100)[wanted : wanted + 2]
    best: Played | None = None
    nearest = 0
    for attempt in range(ATTEMPTS):
        candidate = _draw(key, attempt)
        share = least + _below(_draw(candidate, 0), most - least + 1)
        found = game.candidate(candidate, max(FEWEST_PLANTED, share * game.size // 100))
        if found is None:
            continue
        far = max(low + 1 - found.percent, found.percent - high, 0)
        if best is None or far < nearest:
            best, nearest = found, far
        if not far:
            break
        least, most = (least, share) if found.percent > high else ((least + share) // 2, most)
    if best is None:
        raise CannotGenerate("the board is too small to play: no presses change it")
    return best


class _Game:
    """What all candidates of a template share."""

    def __init__(self, template: Board) -> None:
        graph = no_wiring(template.graph)
        if not isinstance(graph, GridGraph):
            raise CannotGenerate("boards to play are grids")
        if graph.size > MOST_PLAYED:
            raise CannotGenerate(f"a board to play has at most {MOST_PLAYED:,} bulbs")
        if (never := unwinnable(template.rule, template.goal_name)) is not None:
            raise CannotGenerate(never.sentence)
        self.template, self.graph, self.shape, self.size = template, graph, graph.shape, graph.size
        self.free = template.rule == "any"
        self.after = template.rule == "unlit"  # whether a bulb is lit once it is pressed
        self.name = _name(template)
        self.graded = graph.size <= MOST_GRADED
        self.near, self.quiet = np.zeros((0, 0), dtype=np.bool_), None
        if self.graded:
            members, owners = graph.neighbourhoods(np.arange(graph.size))
            self.near = np.zeros((graph.size, graph.size), dtype=np.bool_)
            self.near[owners, members] = True
        if self.graded and self.free:
            from ponder.linear.press_sets import kernel

            found = kernel(graph)
            if found.nullity <= LISTED:
                digits = np.arange(1 << found.nullity)[:, None] >> np.arange(found.nullity) & 1
                self.quiet = found.combine(digits.astype(np.bool_))
        stuck = self.graded and not self.free
        self.limits = STUCK_LIMITS if stuck else PRESS_LIMITS
        self.shares = STUCK_SHARES if stuck else PRESS_SHARES

    def candidate(self, key: int, count: int) -> Played | None:
        """Take `count` presses back from the goal if there are as many; None for the goal itself."""
        making = _draw(key, 1)
        state, left = self.template.goal.copy(), np.ones(self.size, dtype=np.bool_)
        for step in range(count):
            last = np.flatnonzero(left if self.free else left & (state == self.after))
            if not last.size:
                break
            bulb = last[_below(_draw(making, step), last.size)]
            left[bulb] = False
            if self.graded:
                state ^= self.near[bulb]
            else:
                members, _ = self.graph.neighbourhoods(np.array([bulb]))
                state[members] ^= True
        presses = np.flatnonzero(~left)
        if (state == self.template.goal).all():
            return None
        board = replace(self.template, lit=state)
        measure, percent = "presses", 100 * presses.size // self.size
        if self.graded and not self.free:
            measure, percent = "stuck", 100 * self.stuck(state, presses, key) // PLAYS
        elif self.quiet is not None:
            fewest = int((self.quiet ^ ~left).sum(axis=1).min())
            measure, percent = "fewest", 100 * fewest // self.size
        grade = GRADES[sum(percent > limit for limit in self.limits)]
        return Played(board, presses, measure, percent, grade)

    def stuck(self, state: Bits, presses: Ints, key: int) -> int:
        """Return how many of PLAYS random legal plays of the presses halt before the last."""
        near = self.near[np.ix_(presses, presses)]
        legal = np.tile(state[presses] != self.after, (PLAYS, 1))
        left = np.ones_like(legal)
        keys = _draws(key, np.arange(2, PLAYS + 2))[:, None]
        draws = _draws(keys, np.arange(presses.size)[None, :]).astype(np.uint64)
        every = np.arange(PLAYS)
        for step in range(presses.size):
            ranks = (legal & left).cumsum(axis=1, dtype=np.uint64)
            count = ranks[:, -1]
            chosen = (ranks > (draws[:, step] * count >> np.uint64(32))[:, None]).argmax(axis=1)
            going = count > 0
            left[every[going], chosen[going]] = False
            legal[going] ^= near[chosen[going]]
        return int(left.any(axis=1).sum())


def _name(template: Board) -> str:
    """Return pattern, rule and goal as the key of all random numbers takes them in."""
    graph, word = template.graph, template.graph.pattern.split()[0]
    offsets = ""
    if isinstance(graph, StencilGraph) and word in ("stencil", "toggles", "torus-toggles"):
        offsets = "".join(f" {down},{right}" for down, right in graph.offsets)
    return f"{word}{offsets} {template.rule} {template.goal_name}"


# ---------------------------------------------------------------------------- random numbers


def _mix(numbers: Words) -> Words:
    """Return the hash of many numbers of 32 bits; arithmetic is mod 2^32 all along."""
    numbers = numbers ^ numbers >> np.uint32(16)
    numbers = numbers * np.uint32(0x7FEB352D)
    numbers = numbers ^ numbers >> np.uint32(15)
    numbers = numbers * np.uint32(0x846CA68B)
    return np.asarray(numbers ^ numbers >> np.uint32(16), dtype=np.uint32)


def _draws(keys: Words | int, counters: Ints) -> Words:
    """Return the numbers of some counters under some keys, of shapes that go together."""
    return _mix((np.asarray(keys, dtype=np.int64) + counters * GOLD).astype(np.uint32))


def _draw(key: int, counter: int) -> int:
    return int(_draws(key, np.array([counter]))[0])


def _below(drawn: int, count: int) -> int:
    """Return one of 0 … count - 1, all nearly equally likely."""
    return drawn * count >> 32


def _key(words: Sequence[int]) -> int:
    key = 0
    for word in words:
        key = _draw(key ^ word, 1)
    return key


# ----------------------------------------------------------------------------- puzzles by name


@dataclass(frozen=True)
class PuzzleFamily(SizedFamily):
    """Boards of a puzzle, a size and a grade, by seed; CannotGenerate where there are none."""

    puzzle: Puzzle
    rows: int
    columns: int
    grade: str

    def board(self, seed: int) -> Board:
        """Return the board of a seed, named for what makes it."""
        return self.played(seed).board

    def played(self, seed: int) -> Played:
        """Return the board of a seed, with its grade."""
        if self.rows < 1 or self.columns < 1 or self.rows * self.columns > MOST_PLAYED:
            raise CannotGenerate(f"a board to play has from 1 to {MOST_PLAYED:,} bulbs")
        graph = board_graph(self.puzzle.pattern, (self.rows, self.columns))
        goal = np.full(graph.size, self.puzzle.goal == "lit")
        name = f"{self.puzzle.key}-{self.grade}-{self.rows}x{self.columns}-{seed}"
        template = Board(graph, goal, goal, self.puzzle.rule, name)
        return board_to_play(template, self.grade, seed)

    @property
    def known(self) -> KnownAnswer:
        """What is known by construction."""
        return KnownAnswer("solved")


def daily(day: date) -> tuple[PuzzleFamily, int]:
    """Return what makes the board of a day, and its seed: the same for everybody.

    The puzzles take turns, the grade rises from Monday to Sunday, and the size goes with it.

    >>> made, seed = daily(date(2026, 11, 22))
    >>> made.puzzle.key, made.rows, made.grade, seed
    ('lights-out', 7, 'expert', 20261122)
    """
    puzzle, grade = PUZZLES[day.toordinal() % len(PUZZLES)], WEEK[day.weekday()]
    side = puzzle.sizes[GRADES.index(grade)]
    return PuzzleFamily(puzzle, side, side, grade), int(f"{day:%Y%m%d}")
