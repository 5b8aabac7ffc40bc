"""Proofs in clauses of line cuts, with presses outside the cut and without."""

from __future__ import annotations

import io
from collections import Counter

import numpy as np
import pytest

from ponder.check.evidence.line_cut import LineCut
from ponder.check.lrat import check_lrat
from ponder.find.row_column.ordering import order_lines
from ponder.proofs.clausal import ClausalProof
from ponder.proofs.refused import Refused
from ponder.system.errors import NoShortProof, PonderError
from ponder.system.types import Bits
from tests.boards import cross_pressed
from tests.proofs.combs import comb, of_comb, stated


def cut_of(presses: Bits) -> Refused | None:
    """The presses, if a line cut refutes them."""
    board = cross_pressed(presses)
    refused = Refused(board, presses.reshape(-1), {})
    answer = order_lines(refused.problem)
    if not isinstance(answer, LineCut):
        return None
    return Refused(board, refused.presses, answer.to_json(board))


def outside(refused: Refused) -> int:
    """How many presses are in the lines of one kind of the cut and not of the other."""
    assert refused.problem.lines is not None
    rows, columns = (
        np.isin(lines, np.array(refused.numbers(key), dtype=np.int64))
        for lines, key in zip(refused.problem.lines, ("rows", "columns"), strict=True)
    )
    return int((rows ^ columns).sum())


def accept(refused: Refused, encoding: str | None = None) -> None:
    proof, file = ClausalProof.of(refused, encoding), io.BytesIO()
    lemmas = proof.write_proof(file)
    assert check_lrat(proof.formula.clauses(), file.getvalue()) == lemmas


def test_cuts_of_random_boards() -> None:
    rng = np.random.default_rng(0)
    met: Counter[tuple[object, int]] = Counter()
    for shape, density in (((6, 6), 0.3), ((8, 8), 0.25), ((7, 10), 0.25), ((12, 12), 0.2)):
        for _ in range(500):
            refused = cut_of(rng.random(shape) < density)
            if refused is not None:
                key = refused.refutation["side"], min(outside(refused), 2)
                met[key] += 1
                if met[key] <= 6:
                    accept(refused)
    assert {k for _, k in met} == {0, 1, 2}
    assert {side for side, _ in met} == {"rows", "columns"}


@pytest.mark.parametrize(("alone", "shared"), [(2, 0), (4, 1), (4, 2), (6, 4), (8, 5)])
def test_presses_outside(alone: int, shared: int) -> None:
    refused = of_comb(alone, shared)
    assert outside(refused) == shared
    accept(refused)
    turned = stated(comb(alone, shared).T, list(range(alone)), [0], "columns")
    accept(turned)


def test_the_other_way_round() -> None:
    """The columns have room for none; a press of theirs in another row changes nothing."""
    presses = np.zeros((3, 5), dtype=np.bool_)
    presses[0, :4] = presses[1, 3:] = presses[2, 4] = True
    refused = stated(presses, [0], [0, 1, 2, 3], "rows")
    assert outside(refused) == 1
    accept(refused)


def test_a_cut_that_would_need_millions_of_lemmas() -> None:
    with pytest.raises(NoShortProof, match="58 presses outside"):
        ClausalProof.of(of_comb(60, 58)).write_proof(io.BytesIO())


@pytest.mark.parametrize(
    ("side", "rows", "columns", "why"),
    [
        ("rows", [0], [0, 1, 2], "refutes nothing"),
        ("columns", [0], [0], "refutes nothing"),
        ("rows", [], [], "refutes nothing"),
        ("rows", [7, 99], [-1], "refutes nothing"),
        ("diagonals", [0], [0], "no side"),
    ],
)
def test_cuts_that_are_none(side: str, rows: list[int], columns: list[int], why: str) -> None:
    with pytest.raises(PonderError, match=why):
        ClausalProof.of(stated(comb(3, 3), rows, columns, side)).write_proof(io.BytesIO())


def test_other_encodings() -> None:
    for encoding in ("time_indexed", "layered", "precedence"):
        accept(of_comb(4, 2), encoding)
