"""Boards worth playing: from a seed, with an order where the rule asks for one, and graded.

Making one: begin at the goal and take presses back at random, each bulb at most once. A press under
`unlit` leaves its bulb lit, so a lit bulb may have been the last press; what is reached has an
order.

Grading one, by its lightest press set that has an order, or by the presses taken back where none is
lighter or press sets are too many. With the goal `pressed` the set is all bulbs: a random order of
them is drawn, and each bulb is lit or unlit as its press requires. Under `unlit` and `lit` the
measure is *stuck*: the percentage of PLAYS random legal plays of the set that halt before its end.
Under `any`, and beyond MOST_GRADED bulbs, it is *presses*: those of the set, in percent of the
bulbs. The board of a grade is the first of ATTEMPTS candidates within its limits, or the nearest to
them. Each bounds the presses of the next.

Cost: O(ATTEMPTS·PLAYS·p²) for p presses.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date

import numpy as np

from ponder.find.context import SearchContext
from ponder.find.linear.press_sets import kernel
from ponder.find.ordering.engine import find_order
from ponder.find.row_column.ordering import order_lines
from ponder.find.wirings import order_one_way
from ponder.model.board import Board
from ponder.model.graph import Graph, GridGraph, StencilGraph
from ponder.model.ordering_problem import Order, OrderingProblem
from ponder.model.presets import GRADES, PUZZLES, Puzzle, unwinnable
from ponder.model.wired_graph import Wired, board_graph
from ponder.studies.families import CannotGenerate
from ponder.system.printable import pluralise
from ponder.system.types import Bits, Ints

ATTEMPTS = 32
PLAYS = 40
MOST_GRADED = 400
MOST_PLAYED = 10_000  # bulbs of a board to play
LISTED = 12  # at most 2^LISTED press sets are listed,
TRIED = 64  # and so many of them asked for an order, lightest first
STUCK_LIMITS = (20, 40, 60)  # percent up to which a board is easy, medium, hard
ONCE_LIMITS = (50, 70, 85)  # the same where every bulb is pressed
STUCK_SHARES = ((12, 35), (12, 50), (20, 65), (25, 65))  # presses in percent of the bulbs, at first
PRESS_LIMITS = (20, 28, 36)
PRESS_SHARES = ((12, 20), (21, 28), (29, 36), (37, 60))
FEWEST_PLANTED = (2, 3, 3, 3)

WEEK = ("easy", "easy", "medium", "medium", "hard", "hard", "expert")  # from Monday on


@dataclass(frozen=True)
class Played:
    """A board to play and the press set that grades it: bulb numbers, measure, value, grade."""

    board: Board
    presses: Ints
    measure: str
    percent: int
    grade: str

    @property
    def sentence(self) -> str:
        """The grade and its reason, in a line."""
        whole = "random plays of them get stuck" if self.measure == "stuck" else "the bulbs"
        presses = pluralise(self.presses.size, "press")
        return f"{self.grade}: {presses}, {self.percent} % of {whole}"


def board_to_play(template: Board, grade: str, seed: int = 0) -> Played:
    """Return the board of a grade and a seed, with the graph, rule and goal of `template`.

    Raises CannotGenerate if the template is too large or cannot be won, and ValueError
    if the grade is none of GRADES or the seed is not from 0 to 2^63 - 1.

    >>> board_to_play(Board.from_rows(["0000"] * 4), "medium", seed=7).sentence
    'medium: 5 presses, 30 % of random plays of them get stuck'
    """
    if grade not in GRADES or not 0 <= seed < 2**63:
        raise ValueError(f"no grade {grade!r}, or no seed {seed}")
    game, wanted = _Game(template), GRADES.index(grade)
    key = [seed, wanted, *_shape(game.graph), *_name(template).encode()]
    key = [word % 2**64 for word in key]  # of wires that lead to no bulb there are -1
    least, most = game.shares[wanted]
    low, high = (-1, *game.limits, 100)[wanted : wanted + 2]
    candidates: list[tuple[int, int, Played]] = []
    rng = np.random.default_rng(key)
    for attempt in range(ATTEMPTS):
        share = int(rng.integers(least, most + 1))
        played = game.candidate(rng, max(FEWEST_PLANTED[wanted], share * game.graph.presses // 100))
        if played is None:
            continue
        miss = max(low + 1 - played.percent, played.percent - high, 0)
        candidates.append((miss, attempt, played))
        if not miss:
            break
        least, most = (least, share) if played.percent > high else ((least + share) // 2, most)
    if not candidates:
        raise CannotGenerate("the board is too small to play: no presses change it")
    return min(candidates, key=lambda candidate: candidate[:2])[2]


class _Game:
    def __init__(self, template: Board) -> None:
        graph = template.graph
        if max(graph.size, graph.presses) > MOST_PLAYED:
            raise CannotGenerate(f"a board to play has at most {MOST_PLAYED:,} bulbs")
        if isinstance(graph, Wired):
            if template.pressed:
                raise CannotGenerate("no wirings are made whose buttons are pressed once each")
            self.near, self.at = np.split(graph.toggled, graph.starts[1:-1]), graph.at
        elif (never := unwinnable(template.rule, template.goal_name)) is not None:
            raise CannotGenerate(never.sentence)
        else:
            self.at = np.arange(graph.size)
            members, owners = graph.neighbourhoods(self.at)
            self.near = np.split(members, np.flatnonzero(np.diff(owners)) + 1)
        self.template, self.graph = template, graph
        self.toggles_itself = np.array(
            [v in near for v, near in zip(self.at, self.near, strict=True)]
        )
        self.always = (self.at < 0) | (template.rule == "any")
        graded = graph.presses <= MOST_GRADED
        self.quiet = np.zeros((1, graph.presses), dtype=np.bool_)
        if graded and (quiet := kernel(graph)).nullity <= LISTED:
            for pattern in quiet.combine(np.eye(quiet.nullity, dtype=np.bool_)):
                self.quiet = np.concatenate((self.quiet, self.quiet ^ pattern))
        self.by_plays = graded and not self.always.all()
        self.limits = PRESS_LIMITS
        if self.by_plays:
            self.limits = ONCE_LIMITS if template.pressed else STUCK_LIMITS
        self.shares = STUCK_SHARES if self.by_plays else PRESS_SHARES

    def candidate(self, rng: np.random.Generator, count: int) -> Played | None:
        """Take up to `count` presses back from the goal; None where that is the goal again."""
        if self.template.pressed:
            return self.graded(self.pressed_once(rng), np.arange(self.graph.presses), rng)
        goal, before = self.template.goal, self.template.rule == "lit"
        state, left = goal.copy(), np.ones(self.graph.presses, dtype=np.bool_)
        for _ in range(count):
            last = np.flatnonzero(
                left & (self.always | (state[self.at] ^ self.toggles_itself == before))
            )
            if not last.size:
                break
            bulb = last[rng.integers(last.size)]
            left[bulb] = False
            state[self.near[bulb]] ^= True
        if (state == goal).all():
            return None
        sets = self.quiet ^ ~left  # the first is that of the presses taken back
        weights = sets.sum(axis=1)
        board = replace(self.template, lit=state)
        lighter = np.argsort(weights, kind="stable")[: (weights < weights[0]).sum()][:TRIED]
        tried = (sets[k] for k in lighter if not self.by_plays or _has_order(board, sets[k]))
        return self.graded(state, np.flatnonzero(next(tried, sets[0])), rng)

    def pressed_once(self, rng: np.random.Generator) -> Bits:
        """Return lights under which a random order presses each bulb once."""
        if self.template.rule == "any":
            return rng.random(self.graph.size) < 0.5
        lit = np.full(self.graph.size, self.template.rule == "lit")
        left = np.ones_like(lit)
        for bulb in rng.permutation(self.graph.size):
            left[bulb] = False
            lit[self.near[bulb]] ^= left[self.near[bulb]]
        return lit

    def graded(self, state: Bits, presses: Ints, rng: np.random.Generator) -> Played:
        """Return the board of a state, graded by its press set."""
        measure, percent = "presses", 100 * presses.size // self.graph.presses
        if self.by_plays:
            measure, percent = "stuck", 100 * self.stuck(state, presses, rng) // PLAYS
        grade = GRADES[sum(percent > limit for limit in self.limits)]
        return Played(replace(self.template, lit=state), presses, measure, percent, grade)

    def stuck(self, state: Bits, presses: Ints, rng: np.random.Generator) -> int:
        """Return how many of PLAYS random legal plays of the presses halt before the last."""
        near = np.zeros((presses.size, self.graph.size), dtype=np.bool_)
        for k, v in enumerate(presses):
            near[k, self.near[v]] = True
        near = near[:, self.at[presses]] & ~self.always[presses]
        allowed = self.always | (state[self.at] == (self.template.rule == "lit"))
        legal = np.tile(allowed[presses], (PLAYS, 1))
        left, plays = np.ones_like(legal), np.arange(PLAYS)
        for _ in range(presses.size):
            ranks = (legal & left).cumsum(axis=1)
            count = ranks[:, -1]
            chosen = (ranks > (rng.random(PLAYS) * count)[:, None]).argmax(axis=1)
            going = count > 0
            left[plays[going], chosen[going]] = False
            legal[going] ^= near[chosen[going]]
        return int(left.any(axis=1).sum())


def _has_order(board: Board, press_set: Bits) -> bool:
    """Whether a press set has an order, as far as that is soon known."""
    problem = OrderingProblem.of_board(board, press_set)
    if problem.even_lines or not problem.plain:
        return isinstance((order_lines if problem.plain else order_one_way)(problem), Order)
    return isinstance(find_order(problem, SearchContext(), quick=True)[0], Order)


def _shape(graph: Graph) -> Iterable[int]:
    """Return the numbers that say which graph it is, beside its pattern."""
    if isinstance(graph, Wired) and not isinstance(graph, GridGraph):
        return [graph.size, *graph.at.tolist(), *graph.starts.tolist(), *graph.toggled.tolist()]
    if isinstance(graph, GridGraph):
        return graph.shape
    return [graph.size, *graph.edges_within(np.arange(graph.size)).ravel().tolist()]


def _name(template: Board) -> str:
    """Return pattern, rule and goal as the seed takes them in."""
    graph, words = template.graph, template.graph.pattern.split()
    if isinstance(graph, StencilGraph) and len(words) > 1:
        words[1:] = [f"{down},{right}" for down, right in graph.offsets]
    return " ".join([*words, template.rule, template.goal_name])


@dataclass(frozen=True)
class PuzzleFamily:
    """Boards of a puzzle, a size and a grade, by seed. Raises CannotGenerate if there are none."""

    puzzle: Puzzle
    rows: int
    columns: int
    grade: str

    def played(self, seed: int) -> Played:
        """Return the board of a seed, named for what makes it, with its grade."""
        if not 1 <= self.rows * self.columns <= MOST_PLAYED:
            raise CannotGenerate(f"a board to play has from 1 to {MOST_PLAYED:,} bulbs")
        graph = board_graph(self.puzzle.pattern, (self.rows, self.columns))
        if (why := self.puzzle.misfit(graph)) is not None:
            raise CannotGenerate(f"{why}; a size is 1x7, say")
        goal, once = np.full(graph.size, self.puzzle.goal == "lit"), self.puzzle.goal == "pressed"
        name = f"{self.puzzle.key}-{self.grade}-{self.rows}x{self.columns}-{seed}"
        board = Board(graph, goal, goal, self.puzzle.rule, name, once)
        return board_to_play(board, self.grade, seed)

    def board(self, seed: int) -> Board:
        """Return the board of a seed."""
        return self.played(seed).board


def daily(day: date) -> tuple[PuzzleFamily, int]:
    """Return what makes the board of a day, and its seed: the same for everybody.

    The puzzles of squares take turns. The grade rises from Monday to Sunday, the size goes with it.

    >>> made, seed = daily(date(2026, 11, 22))
    >>> made.puzzle.key, made.rows, made.grade, seed
    ('lights-out', 7, 'expert', 20261122)
    """
    squares = [puzzle for puzzle in PUZZLES if puzzle.shape(2) == (2, 2)]
    puzzle, grade = squares[day.toordinal() % len(squares)], WEEK[day.weekday()]
    side = puzzle.sizes[GRADES.index(grade)]
    return PuzzleFamily(puzzle, side, side, grade), int(f"{day:%Y%m%d}")
