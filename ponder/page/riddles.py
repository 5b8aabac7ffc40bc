"""Boards for *Possible or not?*: by a coin from the seed one that can be done, or one that cannot.

Of an impossible board the reason is known, and is one that `refute` takes: boards are drawn until
`ponder.order` says what the coin says, by press sets of a few bulbs and, where some boards have no
solution at all or each bulb is to be pressed, at random. Cost: that of `ponder.order`, a few draws.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Final

import numpy as np

from ponder.check.block import Block
from ponder.check.certificate import Refutation
from ponder.check.cut import Cut, cross_of
from ponder.check.linear import press_sets
from ponder.check.neighbourhoods import line_sums
from ponder.check.witness import Witness
from ponder.find.linear.press_sets import nullity
from ponder.find.order import order
from ponder.model.board import Board
from ponder.model.graph import grid_graph
from ponder.model.presets import GRADES, Puzzle
from ponder.page.refute import Marking, group_of, least_cut, least_witness, refute
from ponder.studies.families import CannotGenerate
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints

DRAWS: Final = 400
FEWEST: Final = 3  # presses of the easiest press sets; each grade has up to three more
NONE: Final = np.zeros(0, dtype=np.int64)


def puzzle_riddle(puzzle: Puzzle, grade: str, seed: int, limits: Limits = NEVER) -> Board:
    """Return the board of a puzzle, a grade and a seed: see `riddle`.

    Where any bulb may be pressed, only a board without a solution is impossible; the sides are the
    next with such. Where the order matters, a square with many press sets has mostly such boards;
    half of the boards are a column wider, for reasons about the order.

    >>> from ponder.model.presets import puzzle_named
    >>> puzzle_riddle(puzzle_named("rows-and-columns"), "easy", 7).graph.size
    16
    """
    side = puzzle.sizes[GRADES.index(grade)]
    square, once = grid_graph(puzzle.pattern, puzzle.shape(side)), puzzle.goal == "pressed"
    if puzzle.rule == "any":
        squares = (grid_graph(puzzle.pattern, (n, n)) for n in count(side))
        square = next(graph for graph in squares if nullity(graph))
    elif not once and seed % 2 and nullity(square):
        wide = grid_graph(puzzle.pattern, (side, side + 1))
        square = square if nullity(wide) else wide
    goal = np.full(square.size, puzzle.goal == "lit")
    return riddle(Board(square, goal, goal, puzzle.rule, pressed=once), grade, seed, limits)


def riddle(template: Board, grade: str, seed: int, limits: Limits = NEVER) -> Board:
    """Return a board of a grade and a seed with the graph, rule and goal of `template`.

    About half of the seeds have boards that cannot be done. Raises CannotGenerate if none is found,
    ValueError if the grade or the seed is none.
    """
    if type(seed) is not int or not 0 <= seed < 2**63:
        raise ValueError(f"no seed {seed}")
    graph, level = template.graph, GRADES.index(grade)
    rng = np.random.default_rng([seed, level])
    possible, dark = bool(rng.random() < 0.5), nullity(graph) > 0
    for _ in range(DRAWS):
        limits.check()
        if template.pressed or (dark and not possible):
            lit = rng.random(graph.size) < 0.5
        else:
            least, most = FEWEST + 2 * level, FEWEST + 3 * (level + 1)
            size = min(int(rng.integers(least, most)), graph.size)
            presses = graph.set_of(rng.choice(graph.size, size, replace=False))
            lit = template.goal ^ graph.apply(presses)
        board = replace(template, lit=lit)
        result = order(board, timeout=limits.share(0.2))
        if possible and result.verdict == "solved" and result.count:
            return board
        if not possible and result.refutation is not None:
            marking = own_marking(board, result.refutation, result.counts)
            if marking is not None and refute(board, marking, None, limits).result is not None:
                return board
    raise CannotGenerate("no such board was found: nearly all of this kind can be done")


def own_marking(board: Board, why: Refutation, counts: Ints | Bits | None) -> Marking | None:
    """Return the marking that says what a refutation says; None where a player cannot mark it.

    No smaller marking says it.
    """
    if isinstance(why, Witness):
        bulbs = np.flatnonzero(least_witness(board, board.graph.set_of(why.bulbs)))
        return Marking(bulbs, NONE, NONE)
    if counts is None or not counts.size:
        counts = press_sets(board).one
    if isinstance(why, Block):
        return Marking(np.flatnonzero(group_of(board, counts, int(why.bulbs[0]))), NONE, NONE)
    if isinstance(why, Cut) and why.all_lines:
        rows, columns = line_sums(cross_of(board, why.kind), counts)
        return Marking(NONE, np.flatnonzero(rows & 1), np.flatnonzero(columns & 1))
    if isinstance(why, Cut):
        return Marking(NONE, *least_cut(cross_of(board, why.kind), counts, why))
    return None
