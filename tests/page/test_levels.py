"""The path's levels: each board is what the level says, by the engine, and its words are true."""

from __future__ import annotations

import json
import re
from itertools import permutations, product
from typing import Any, Final

import numpy as np
import pytest

from ponder import order, parse_board, solve, verify
from ponder.check.evidence.line_cut import LineCut
from ponder.check.evidence.odd_witness import OddWitness
from ponder.find.linear.press_sets import PressSets, press_sets
from ponder.model.board import Board
from ponder.model.graph import CrossGraph
from ponder.page.refute import refute
from ponder.page.riddles import own_marking
from tests import brute
from tests.page import ideas
from tests.page.browser import ROOT

STATIC = ROOT / "ponder/page/static"
MARKED: Final = {
    "line-count", "line-cut", "odd-witness", "odd-component", "no-first-press", "no-last-press",
}  # fmt: skip
MOST_BULBS: Final = 16
"""Of boards whose sequences are all gone through."""


def written(name: str) -> list[dict[str, Any]]:
    text = (STATIC / "levels.js").read_text(encoding="utf-8")
    found = re.search(rf"{name} = (\[.*?\n\]);", text, re.DOTALL)
    assert found is not None
    levels: list[dict[str, Any]] = json.loads(found[1])
    return levels


LEVELS: Final = written("LEVELS")


def board_of(level: int) -> Board:
    return parse_board(LEVELS[level - 1]["board"])


def presses_of(level: int) -> list[int]:
    """Return the only press set of a level's board."""
    sets = press_sets(board_of(level))
    assert isinstance(sets, PressSets)
    assert sets.nullity == 0
    (found,) = sets
    return np.flatnonzero(found).tolist()


def replays(board: Board, presses: tuple[int, ...] | list[int]) -> bool:
    """Whether presses are legal one after the other and reach the goal."""
    lit = board.lit.copy()
    for v in presses:
        if board.rule == "unlit" and lit[v]:
            return False
        lit ^= board.graph.apply(board.graph.set_of([v]))
    return bool((lit == board.goal).all())


def once(board: Board) -> int | None:
    """Return the fewest presses, each bulb at most once, by trying all."""
    size = board.graph.size
    edges = [(u, v) for v in range(size) for u in board.graph.neighbours(v).tolist() if u < v]
    lit, goal = (sum(1 << v for v in np.flatnonzero(on).tolist()) for on in (board.lit, board.goal))
    return brute.fewest_once(size, edges, lit, goal, board.rule)


@pytest.mark.parametrize("level", range(1, len(LEVELS) + 1))
def test_a_level_is_what_it_says(level: int) -> None:
    said, board = LEVELS[level - 1], board_of(level)
    found = order(board)
    if "presses" in said:
        assert found.places is not None
        assert replays(board, board.graph.bulbs(found.places).tolist())
        assert said["presses"] == found.count == solve(board).count
        assert solve(board).optimal
    else:
        assert said["asks"] == "riddle"
        assert found.refutation is not None
        marking = own_marking(found.refutation)
        assert marking is not None
        judged = refute(board, marking)
        assert judged.result is not None
        assert judged.result.refutation is not None
        assert judged.result.refutation.kind == said["reason"]
        assert said["reason"] in MARKED
        assert verify(board, judged.result).complete
    if board.graph.size <= MOST_BULBS:
        assert once(board) == said.get("presses")
    if said.get("dots"):
        presses_of(level)  # the dots are the only way


def test_thirty_levels_in_six_chapters() -> None:
    chapters = [level["chapter"] for level in LEVELS]
    assert chapters == sorted(chapters)
    assert {*chapters} == {*range(1, 7)}
    assert len(LEVELS) == 30
    for third in range(3, 31, 3):  # an idea: two boards that need it, and one that only looks so
        assert "presses" in LEVELS[third - 1]
    words = (STATIC / "lessons.js").read_text(encoding="utf-8")
    assert words.count("{ idea: ") == words.count(", after: ") == len(LEVELS)


def test_the_order_matters_where_it_is_said() -> None:
    for level, firsts, works in ((4, 1, False), (5, 1, False), (6, 5, True), (24, 1, False)):
        board, presses = board_of(level), presses_of(level)
        legal = [one for one in permutations(presses) if replays(board, one)]
        assert len({one[0] for one in legal}) == firsts
        assert (len(legal) == len([*permutations(presses)])) == works
    found = press_sets(board_of(9))
    assert isinstance(found, PressSets)
    for chosen in found:  # of three presses each has one that is dark
        if np.count_nonzero(chosen) == 3:
            assert np.count_nonzero(chosen & ~board_of(9).lit) == 1
    for level in (4, 5, 24):
        assert np.count_nonzero(~board_of(level).lit[presses_of(level)]) == 1


def test_the_count_of_dark_bulbs_says_which() -> None:
    for level, says in ((7, True), (8, True), (9, False)):
        board = board_of(level)
        counted = board.graph.apply(~board.lit)
        reached = board.graph.apply(counted) == ~board.lit
        assert bool(reached.all()) == says


def test_lines_are_counted_as_it_is_said() -> None:
    for level, rows, columns in ((10, 1, 3), (11, 2, 6), (12, 3, 3)):
        board = board_of(level)
        assert isinstance(board.graph, CrossGraph)
        pressed = board.graph.set_of(np.array(presses_of(level))).reshape(board.graph.shape)
        odd = [int((pressed.sum(axis=k) % 2).sum()) for k in (1, 0)]
        assert odd == [rows, columns]


def test_chasing_comes_out_as_it_is_said() -> None:
    for level, right in ((13, 1), (14, 1), (15, 16)):
        board = board_of(level)
        rows, columns = board.graph.shape  # type: ignore[attr-defined]
        outcomes = []
        for first in product((False, True), repeat=columns):
            chosen = np.zeros((rows, columns), dtype=np.bool_)
            chosen[0] = first
            for r in range(1, rows):
                lit = board.lit ^ board.graph.apply(chosen.ravel())
                chosen[r] = ~lit.reshape(rows, columns)[r - 1]
            outcomes.append(bool((board.lit ^ board.graph.apply(chosen.ravel())).all()))
        assert sum(outcomes) == right
        assert outcomes[0] == (level != 14)


def test_pairs_and_groups_are_as_it_is_said() -> None:
    for level, pairs in ((19, 1), (20, 5), (21, 4), (22, 6), (28, 3), (30, 4)):
        graph, presses = board_of(level).graph, {*presses_of(level)}
        near = [(u, v) for v in presses for u in graph.neighbours(v).tolist() if u in presses]
        assert len(near) == 2 * pairs
    assert board_of(22).lit[presses_of(22)].all()
    assert not board_of(23).goal[presses_of(23)].any()
    assert np.count_nonzero(~board_of(28).lit) == 1
    for level, members in ((16, 4), (17, 4)):
        board = board_of(level)
        witness = press_sets(board)
        assert isinstance(witness, OddWitness)
        assert len(witness.members) == members
    assert np.count_nonzero(board_of(16).lit[[0, 1, 3, 4]]) == 1


def test_the_ideas_are_those_of_the_document() -> None:
    assert ideas.PAGE.read_text(encoding="utf-8") == ideas.page()


def test_words_name_the_lines_of_the_cut() -> None:
    board = board_of(25)
    refused = order(board).refutation
    assert refused is not None
    assert isinstance(refused, LineCut)
    assert refused.columns.tolist() == [3]
    assert refused.rows.size == 2
