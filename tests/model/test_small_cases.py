"""The smallest cases of what puts boards, files and answers into words, and of a few look-ups."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ponder.check.block import Block
from ponder.check.certificate import part_json
from ponder.check.reader import place, press_counts, press_counts_json
from ponder.find.context import SearchContext, SearchOutcome, told
from ponder.formulas.cnf import Cnf
from ponder.formulas.dimacs import described
from ponder.model.board import Board
from ponder.model.components import labels, pieces
from ponder.model.formats import parse_state
from ponder.model.json_text import parse_result
from ponder.model.ordering_problem import Unknown
from ponder.model.render import label_text, press_lines, seconds_text, title, wrapped
from ponder.system.errors import meant, quoted

COLUMN = Board.from_rows(["00", "00", "00"])
HOLED = Board.from_rows(["01-", "000"])


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (label_text(COLUMN, (0, 1)), "(0,1)"),
        (label_text(COLUMN, (0, 1), "xy"), "(2,3)"),
        (list(press_lines(COLUMN, np.array([2, 1]))), ["  (1,0) (0,1)"]),
        (list(wrapped(["(0,1)", "(2,3)", "(4,5)"], width=14)), ["  (0,1) (2,3)", "  (4,5)"]),
        ([seconds_text(s) for s in (0.0034, 12.34, 200)], ["3.4 ms", "12.3 s", "200 s"]),
        (
            title(Board.from_rows(["01", "10"], pattern="plus")),
            "2×2 plus, 4 bulbs, 2 lit; press unlit bulbs until all are lit",
        ),
        (meant("solv", ["order", "solve"]), "; did you mean `solve`?"),
        (meant("frobnicate", ["order", "solve"]), ""),
        (quoted(list(range(99))), "[0, 1, 2, 3, 4, 5, …]"),
        (quoted("\n"), "'\\n'"),
        ([place(x) for x in ((3, 4), "hall", "up\ndown")], ["(3,4)", "hall", "'up\\ndown'"]),
        (told(SearchOutcome("clusters", np.array([4, 0, 4]), 1)), "3 presses, at least 1"),
        (told(SearchOutcome("clusters", None, 7)), "nothing found, at least 7 presses"),
        (parse_state("lit", HOLED.graph).tolist(), [True] * 5),
        (parse_result(b"[[0, 1]]"), None),
        (press_counts_json(HOLED, np.array([1, 0, 0, 2, 1])), ["10-", "021"]),
        (press_counts_json(HOLED, np.array([10, 0, 0, 2, 1])), [10, 0, 0, 2, 1]),
        (press_counts(HOLED, ["10-", "021"]).tolist(), [1, 0, 0, 2, 1]),
        (
            part_json(HOLED, (HOLED.lit, Block(np.array([1]), "last"))),
            {"kind": "block", "rule": "last", "bulbs": [(0, 1)], "press_counts": ["01-", "000"]},
        ),
        (pieces(Board.from_rows(["0-0"], "plus")).tolist(), [0, 1]),
        (labels(5, np.array([[0, 3], [2, 4]])).tolist(), [0, 1, 2, 0, 2]),
        (list(described(Cnf("toy").extended("one", [[1, -2]])))[1:], ["group 1..1: one"]),
    ],
)
def test_small_case(said: Any, expected: Any) -> None:
    assert said == expected


def test_a_method_that_is_asked_again_has_one_line() -> None:
    context = SearchContext()
    for most in (20, 22):
        with context.stage("subsets") as stage:
            stage.said(Unknown(f"more than {most} presses"))
    assert [step.outcome for step in context.log.steps] == ["2 open"]
