"""What is marked for every kind of refutation, on real boards."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import ponder
from ponder.check.block import Block
from ponder.check.members import Members
from ponder.find.linear.press_sets import PressSets, press_sets
from ponder.pictures.marks import line_bits, marks_of
from tests.boards import INSTANCES


def marked(name: str) -> tuple[ponder.Board, dict[str, Any], dict[str, Any]]:
    """Return a board, its refutation and the marks, both as they come out of JSON."""
    board = ponder.read(INSTANCES / name)
    result = ponder.order(board, seed=0)
    assert result.refutation is not None
    marks = marks_of(board, result.refutation, result.counts)
    content: Any = json.loads(json.dumps(result.to_json()))
    return board, content["refutation"], json.loads(json.dumps(marks))


def test_an_odd_component_is_outlined_and_its_pairs_counted() -> None:
    board, refutation, marks = marked("plus-10x10-no-order.txt")
    assert marks["groups"] == [{"style": "outline", "bulbs": refutation["bulbs"]}]
    assert len(marks["pairs"]) == 5
    assert marks["label"] == "5 pairs: odd"
    for first, second in marks["pairs"]:
        near = board.graph.neighbours(board.graph.bulb(first))
        assert board.graph.bulb(second) in near
        assert first in refutation["bulbs"]
        assert second in refutation["bulbs"]
    sets = press_sets(board)
    assert isinstance(sets, PressSets)
    assert np.array_equal(board.graph.set_of(board.graph.bulbs(marks["presses"])), sets.particular)


def test_odd_lines_are_counted_on_both_sides() -> None:
    _, _, marks = marked("cross-24x24-no-order.txt")
    assert (len(marks["rows"]), len(marks["columns"])) == (13, 11)
    assert (marks["row_number"], marks["column_number"]) == (13, 11)
    assert "groups" not in marks


def test_a_cut_says_what_it_needs_and_has_room_for() -> None:
    _, refutation, marks = marked("cross-6x6-no-order-cut.txt")
    assert marks["label"] == "needs 1, has room for 0"
    numbers = (marks["row_number"], marks["column_number"])
    assert numbers == ((1, 0) if refutation["side"] == "rows" else (0, 1))


def test_an_odd_witness_is_hatched() -> None:
    for name in ("cross-5x5-no-solution.txt", "plus-5x5-no-solution.txt"):
        board, refutation, marks = marked(name)
        assert marks["groups"] == [{"style": "hatch", "bulbs": refutation["bulbs"]}]
        change = int(marks["label"].split()[0])
        assert change % 2 == 1
        assert change == board.change[board.graph.bulbs(refutation["bulbs"])].sum()


def test_of_a_coset_the_first_part_is_drawn() -> None:
    board = ponder.Board.from_rows(["000", "000"], "plus")
    part = (board.graph.set_of([0, 1]), Block(np.array([0, 1]), "parity"))
    marks = marks_of(board, Members((part,)))
    assert marks["kind"] == "members"
    assert marks["presses"] == [(0, 0), (0, 1)]
    assert marks["pairs"] == [[(0, 0), (0, 1)]]
    assert set(marks_of(board, Members())) == {"kind", "sentence"}


@pytest.mark.parametrize(("rule", "goal"), [("unlit", "lit"), ("lit", "unlit")])
@pytest.mark.parametrize("shape", [(4, 6), (3, 4), (5, 5)])
def test_line_bits_say_which_presses_are_legal(
    rule: Any, goal: str, shape: tuple[int, int]
) -> None:
    """A bulb of the press set iff its bits are alike, any other iff they differ; by the rule."""
    rng = np.random.default_rng(7)
    blank = ponder.Board.from_rows(["0" * shape[1]] * shape[0], rule=rule, goal=goal)
    lit = blank.goal ^ blank.graph.apply(rng.random(blank.graph.size) < 0.5)
    board = ponder.Board(blank.graph, lit, blank.goal, rule)
    sets = press_sets(board)
    assert isinstance(sets, PressSets)
    bits = line_bits(board, sets.particular)
    assert bits is not None
    alike = (bits[0][:, None] == bits[1]).reshape(-1)
    legal = board.lit == (rule == "lit")
    assert np.array_equal(legal, alike == sets.particular)


def test_other_boards_have_no_line_bits() -> None:
    for board in (
        ponder.Board.from_rows(["01"], "plus"),
        ponder.Board.from_rows(["01"], rule="any"),
        ponder.Board.from_rows(["01"], goal="unlit"),
    ):
        assert line_bits(board, board.lit) is None
