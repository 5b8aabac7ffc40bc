"""That there are no other press sets: the checker accepts it, and refuses it where there are."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

import ponder
from ponder.check.coset import Coset
from ponder.check.cutting_planes import check_veripb
from ponder.check.linear import press_sets
from ponder.formulas.press_sets import OtherPressSet
from ponder.model.board import Board
from ponder.proofs.press_sets import no_other
from ponder.system.errors import CheckFailed, NoShortProof

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
SIZES = [
    (rows, columns, pattern)
    for rows in range(1, 4)
    for columns in range(1, 5)
    for pattern in ("cross", "plus", "king")
]


def file_of(formula: OtherPressSet) -> str:
    file = io.BytesIO()
    formula.write(file)
    return file.getvalue().decode()


@pytest.mark.parametrize(("rows", "columns", "pattern"), SIZES)
def test_all_press_sets_are_listed(rows: int, columns: int, pattern: str) -> None:
    rng = np.random.default_rng(rows * columns)
    graph = Board.from_rows(["0" * columns] * rows, pattern=pattern).graph
    goal = np.ones(graph.size, dtype=np.bool_)
    board = Board(graph, goal ^ graph.apply(rng.random(graph.size) < 0.5), goal, "unlit")
    coset = Coset.of(board, press_sets(board))
    listed = np.array([coset.member(index) for index in range(coset.size)])
    made, file = no_other(board), io.BytesIO()
    made.write_proof(file)
    proof = file.getvalue().decode()
    assert check_veripb(file_of(OtherPressSet(board, listed)), proof) == made.derived
    for gone in range(len(listed)):
        short = OtherPressSet(board, np.delete(listed, gone, axis=0))
        with pytest.raises(CheckFailed):
            check_veripb(file_of(short), proof)
        with pytest.raises(CheckFailed):  # with its lines renumbered, too
            check_veripb(
                file_of(short), proof.replace(f"f {made.inequalities};", f"f {short.inequalities};")
            )


def test_what_has_no_such_proof() -> None:
    for board, reason in (
        (ponder.read(INSTANCES / "wiring-levers.json"), "a wiring"),
        (Board.from_rows(["0" * 51] * 50, pattern="plus"), "more than 2,500 bulbs"),
        (Board.from_rows(["0" * 19] * 19, pattern="plus"), "it would name 2\\^16 press sets"),
    ):
        with pytest.raises(NoShortProof, match=reason):
            no_other(board)
