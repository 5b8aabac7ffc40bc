"""The path's levels: each board is what the level says, by the engine, and its words are true."""

from __future__ import annotations

import json
import re
from typing import Any, Final

import numpy as np
import pytest

from ponder import order, parse_board, solve, verify
from ponder.check.cut import Cut, cross_of
from ponder.check.linear import press_sets
from ponder.model.board import Board
from ponder.model.graph import GridGraph
from ponder.page.refute import Marking, group_of, least_cut, refute
from ponder.page.riddles import own_marking
from tests import brute
from tests.page.browser import ROOT
from tools import page_ideas, page_puzzles

STATIC = ROOT / "ponder/page/static"
MOST_BULBS: Final = 16
"""Of boards whose sequences are all gone through."""


def written(name: str) -> list[dict[str, Any]]:
    text = (STATIC / "levels.js").read_text(encoding="utf-8")
    match = re.search(rf"{name} = (\[.*?\n\]);", text, re.DOTALL)
    assert match is not None
    levels: list[dict[str, Any]] = json.loads(match[1])
    return levels


LEVELS: Final = written("LEVELS")


def board_of(level: int) -> Board:
    return parse_board(LEVELS[level - 1]["board"])


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
    result = order(board)
    if "presses" in said:
        assert result.places is not None
        assert replays(board, board.graph.bulbs(result.places).tolist())
        assert said["presses"] == result.count == solve(board).count
        assert solve(board).optimal
    else:
        assert said["asks"] == "riddle"
        assert result.refutation is not None

        marking = own_marking(board, result.refutation, result.counts)
        assert marking is not None
        judged = refute(board, marking, said["reason"])
        assert judged.result is not None
        assert judged.result.refutation is not None
        why = judged.result.refutation
        kind = "cut" if said["reason"] == "count" else said["reason"]
        assert kind == getattr(why, "rule", why.kind)
        assert verify(board, judged.result).complete
    if board.graph.size <= MOST_BULBS:
        assert once(board) == said.get("presses")


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(5))
def test_a_bot_that_marks_at_random_clears_no_refutation_level(seed: int) -> None:
    """Twenty checks a level, each of a marking of the kind that the level is about."""
    rng = np.random.default_rng([53, seed])
    for said, board in ((said, board_of(k)) for k, said in enumerate(LEVELS, 1)):
        graph = board.graph
        assert isinstance(graph, GridGraph)
        for _ in range(20 if "reason" in said else 0):
            sizes = graph.shape if said["reason"] in ("count", "cut") else (graph.size,)
            chosen = [np.flatnonzero(rng.random(n) < rng.random()) for n in sizes]
            none = np.zeros(0, dtype=np.int64)
            marking = Marking(*([none, *chosen] if len(sizes) == 2 else [*chosen, none, none]))
            assert refute(board, marking, said["reason"]).result is None


def test_a_level_accepts_only_the_reason_it_teaches() -> None:
    """The board of level 10 has a cut too, which another board would accept."""
    board, none = board_of(10), np.zeros(0, dtype=np.int64)
    cut = Marking(none, *least_cut(cross_of(board, "cut"), *counted(board)))
    group = Marking(np.flatnonzero(group_of(board, counted(board)[0], 1)), none, none)
    assert refute(board, cut).result is not None
    for marking, told in ((cut, "even number of dots"), (group, "rows and columns")):
        assert told in str(refute(board, marking, "count").missing)


def counted(board: Board) -> tuple[Any, Cut]:
    """Return the presses of a board that has one press set, and the cut of all lines."""
    presses = press_sets(board).one
    return presses, Cut.of_all(cross_of(board, "cut"), presses)


def test_thirty_levels_in_six_chapters() -> None:
    chapters = [level["chapter"] for level in LEVELS]
    assert chapters == sorted(chapters)
    assert {*chapters} == {*range(1, 7)}
    assert len(LEVELS) == 30
    for third in range(3, 31, 3):  # an idea: two boards that need it, and one that only looks so
        assert "presses" in LEVELS[third - 1]
    words = (STATIC / "lessons.js").read_text(encoding="utf-8")
    assert words.count("{ idea: ") == words.count(", after: ") == len(LEVELS)


def test_the_page_has_what_python_and_the_documents_say() -> None:
    assert page_puzzles.MODULE.read_text(encoding="utf-8") == page_puzzles.module()
    assert page_ideas.PAGE.read_text(encoding="utf-8") == page_ideas.page()
