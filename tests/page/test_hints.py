"""Hints with a reason: each sentence is true of the board, by brute force."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import ponder
from ponder.model.board import Board
from ponder.model.formats import board_text
from ponder.model.presets import OFFERED, puzzle_named
from ponder.page.hints import after, hint
from ponder.page.tasks import answered
from ponder.studies.boards_to_play import PuzzleFamily
from ponder.system.limits import Limits


@pytest.mark.parametrize("name", [name for name in OFFERED if name != "cards"])
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.deep)])
def test_sentences_are_true(name: str, seed: int) -> None:
    board = PuzzleFamily(puzzle_named(name), 4, 4, "easy").board(seed)
    answer = ponder.solve(board)
    assert answer.presses is not None
    sequence = answer.presses.tolist()
    for k, bulb in enumerate(sequence):
        now = after(board, sequence[:k])
        told: Any = hint(board, sequence[:k], sequence[k:])
        left = sequence[k + 1 :]
        looked = set(now.graph.bulbs(told["bulbs"]).tolist())
        labels: Any = now.graph.labels(np.arange(16))
        place = [x + 1 for x in labels[bulb]]
        assert told["which"].startswith("Row {}, column {}: ".format(*place))
        assert bulb in looked
        if "Look at row" in told["where"]:
            (row, count) = map(int, re.findall(r"\d+", told["where"]))
            assert row == place[0]
            assert count == len({v for v in [bulb, *left] if labels[v][0] == row - 1})
        elif "Look at these" in told["where"]:
            assert looked <= {bulb, *left}
        else:
            assert looked & {*left} == set()
        in_all = all(press_set[bulb] for press_set in ponder.press_sets(now))  # type: ignore[union-attr]
        assert ("every solution" in told["which"]) == in_all
        shortest = f"a solution in {len(left) + 1} presses" if left else "solves the board"
        assert (shortest in told["which"]) == (not in_all)
        if now.rule == "any":
            continue
        changing = sum(now.graph.apply(now.graph.set_of([v]))[bulb] for v in left)
        said = re.findall(r"(\d+) press(?:es)? to come", told["which"])
        assert ([int(n) for n in said] or [0]) == [changing]
        assert told["which"].split(".")[1].endswith("lit" if now.goal[bulb] else "unlit")
        if rival := re.findall(r"Press row (\d+), column (\d+) first", told["which"]):
            v = now.graph.bulb(tuple(int(x) - 1 for x in rival[0]))
            assert now.lit[v] == now.lit[bulb]
            assert after(now, [v]).lit[bulb] != now.lit[bulb]


def test_the_press_that_loses_the_order_is_named() -> None:
    """Every press after it leaves no order too, and before it there was one."""
    named = 0
    for seed in range(6):
        board = PuzzleFamily(puzzle_named("kings-move"), 4, 4, "easy").board(seed)
        rng = np.random.default_rng(seed)
        done: list[int] = []
        for _ in range(3):
            now = after(board, done)
            done.append(int(rng.choice(np.flatnonzero(~now.lit))))
            now = after(board, done)
            answer = ponder.solve(now)
            if answer.presses is None or not answer.presses.size:
                break
            told: Any = hint(board, done, answer.presses.tolist())
            lost = re.findall(r"After press (\d+) there is no order any more", told["where"])
            verdicts = [
                ponder.order(after(board, done[:k])).verdict == "solved"
                for k in range(len(done) + 1)
            ]
            if lost:
                named += 1
                assert verdicts[int(lost[0]) - 1]
                assert not any(verdicts[int(lost[0]) :])
            else:
                assert verdicts[-1] or not any(verdicts)
    assert named


def test_bad_requests() -> None:
    board = Board.from_rows(["00", "01"])
    text = board_text(board)
    for wrong in ({}, {"sequence": [[1, 1]]}, {"sequence": "1"}, {"presses": [[5, 5]]}):
        answer = answered("hint", {"board": text, **wrong}, Limits(5), print)
        assert answer["status"] == 400


def test_hints_about_cards_are_about_those_that_are_left() -> None:
    rows, taken = "0110111", list[tuple[int, int]]()
    sequence = ponder.order(ponder.Board.from_rows([rows], puzzle="cards")).places or []
    assert sequence
    for k, at in enumerate(sequence):
        lit = [int(x) for x in rows]
        for _, v in taken:
            lit[max(0, v - 1) : v + 2] = [1 - x for x in lit[max(0, v - 1) : v + 2]]
        left = "".join("-" if (0, v) in taken else str(x) for v, x in enumerate(lit))
        text = f"puzzle: cards\n{left}\n"
        asked: Any = {"board": text, "presses": [], "sequence": sequence[k:]}
        told: Any = answered("hint", asked, Limits(5), print)["end"]
        assert f"column {at[1] + 1}: every bulb is pressed once. It is lit now" in told["which"]
        assert at in told["bulbs"]
        assert set(told["bulbs"]) <= {(0, v) for v, x in enumerate(left) if x != "-"}
        refused = {**asked, "presses": [at]}
        assert "that are left" in str(answered("hint", refused, Limits(5), print)["error"])
        taken.append(at)
