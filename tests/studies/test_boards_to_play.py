"""Boards worth playing: with an order, and of their grade."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import ponder
from ponder.model.board import Board
from ponder.model.presets import GRADES, PUZZLES
from ponder.studies.boards_to_play import PuzzleFamily, board_to_play
from ponder.studies.families import CannotGenerate


@pytest.mark.parametrize("grade", GRADES)
@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.key)
def test_boards_have_an_order_and_are_not_solved(puzzle: Any, grade: str) -> None:
    shape = puzzle.shape(puzzle.sizes[GRADES.index(grade)])
    family, graded = PuzzleFamily(puzzle, shape[0], shape[1], grade), 0
    names = set()
    for seed in range(20):
        played = family.played(seed)
        board = played.board
        assert board.pressed or not (board.lit == board.goal).all()
        best = ponder.order(board)
        assert best.optimal
        assert board.pressed or best.count == played.presses.size
        assert ponder.order(board, press_set=played.presses).solved
        graded += played.grade == grade
        names.add(board.sha256)
    assert graded >= 16  # else the usual size is the wrong one for this grade
    assert len(names) >= min(18, shape[0] * shape[1] + 6)  # of six cards 32 boards can be done


def test_a_grade_is_what_plays_and_press_sets_say() -> None:
    """`stuck` again, by playing with another source of chance; `fewest` by the solver."""
    rng = np.random.default_rng(7)
    for grade, low, high in [("easy", 0.0, 0.35), ("expert", 0.45, 1.0)]:
        family = PuzzleFamily(PUZZLES[1], 6, 6, grade)
        for seed in range(5):
            played = family.played(seed)
            halts = sum(_halts(played.board, played.presses.tolist(), rng) for _ in range(300))
            assert low <= halts / 300 <= high, (grade, seed)
    for seed in range(10):  # 2^8 press sets, few of which have an order
        played = PuzzleFamily(PUZZLES[4], 5, 5, "expert").played(seed)
        assert ponder.order(played.board).count == played.presses.size
    for seed in range(10):
        played = PuzzleFamily(PUZZLES[2], 5, 5, "hard").played(seed)
        fewest = ponder.solve(replace(played.board, rule="any"))
        assert (fewest.optimal, fewest.count) == (True, played.presses.size)


def _halts(board: Board, presses: list[int], rng: np.random.Generator) -> bool:
    """Whether a random legal play of some presses comes to a halt before it is through."""
    lit, left = board.lit.copy(), list(presses)
    while left:
        legal = [v for v in left if not lit[v]]
        if not legal:
            return True
        pressed = legal[int(rng.integers(len(legal)))]
        left.remove(pressed)
        lit ^= board.graph.apply(board.graph.set_of([pressed]))
    return False


def test_what_cannot_be_played_is_refused_in_a_sentence() -> None:
    wanted = ponder.parse_board("rule: lit\ngoal: lit\n0000\n0000\n")
    with pytest.raises(CannotGenerate, match=r"Nobody can win this: .* all unlit it can be won"):
        board_to_play(wanted, "easy")
    with pytest.raises(CannotGenerate, match="from 1 to 10,000 bulbs"):
        PuzzleFamily(PUZZLES[0], 10**6, 10**6, "easy").played(1)
    with pytest.raises(CannotGenerate, match=r"`cards` is a row .* 1x7"):
        PuzzleFamily(PUZZLES[-1], 7, 7, "easy").played(1)
    with pytest.raises(ValueError, match="no grade"):
        board_to_play(wanted, "simple")
