"""Proofs in cutting planes, as `verify` reads them: true ones, spoilt ones, and ones that cost."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import ponder
from ponder.check import limits
from ponder.check.cutting_planes import check_veripb
from ponder.check.evidence.sat_proof import SatProof
from ponder.check.limits import Budget, TooLarge
from ponder.check.line_refutations import LineRefutation
from ponder.check.proofs import GivenProof
from ponder.check.verification import verify_within
from ponder.encodings.precedence import Precedence
from ponder.find.solvers.by_encoding import SolverSettings
from ponder.formulas import opb
from ponder.formulas.press_sets import SwitchedHalfFactor
from ponder.model.board import Board
from ponder.model.formats import board_text
from ponder.model.ordering_problem import OrderingProblem
from ponder.proofs.cutting_planes import veripb_proof
from ponder.proofs.refused import Refused
from ponder.proofs.veripb import proof_lines, resolution_steps
from ponder.system.errors import CheckFailed
from ponder.system.types import Json
from tests import checking, true_results
from tests.boards import cross_pressed, instance
from tests.commands import here

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
Capture = pytest.CaptureFixture[str]


def columns_pressed() -> Board:
    """Five rows of four: the first column is pressed."""
    return cross_pressed(np.array([[1, 0, 0, 0]] * 5, dtype=bool))


BOARDS: dict[str, Callable[[], Board]] = {
    "line-count": lambda: instance("cross-6x6-no-order-count"),
    "line-cut": lambda: instance("cross-6x6-no-order-cut"),
    "line-parities": columns_pressed,
    "weighted-cuts": lambda: instance("cross-3x4-no-order"),
}


def case(kind: str) -> tuple[Board, Json, str]:
    """A board, its refutation, and a proof of the same."""
    board, file = BOARDS[kind](), io.BytesIO()
    result = ponder.order(board)
    refused = Refused.of_result(result)
    assert refused is not None
    assert refused.kind == kind
    veripb_proof(refused).write_proof(file)
    return board, checking.loads(result.to_json()), file.getvalue().decode()


def said(board: Board, content: Json, proof: str, budget: Budget | None = None) -> str:
    """The last statement about a result that comes with a proof."""
    given = GivenProof(proof, "veripb")
    return str(verify_within(board, content, budget or Budget(), given).statements[-1])


def test_every_kind_that_is_written_is_read() -> None:
    assert set(BOARDS) == set(LineRefutation.kinds())
    for kind in BOARDS:
        board, content, proof = case(kind)
        text = said(board, content, proof)
        whose = "the press set" if kind in ("line-count", "line-cut") else "all press sets"
        assert text.startswith(f"checked: the half factor of {whose} ")
        assert " has no solution: cutting planes (" in text


@pytest.mark.parametrize("kind", sorted(BOARDS))
def test_a_spoilt_proof_is_refused(kind: str) -> None:
    """Without any one of its constraints the last sum can be satisfied, or is no sum."""
    board, content, proof = case(kind)
    lines = proof.splitlines()
    (last,) = [i for i, line in enumerate(lines) if line.startswith("pol")][-1:]
    words = lines[last].split()
    refused = 0
    for k in range(1, len(words)):
        lines[last] = " ".join([*words[:k], *words[k + 1 :]])
        with pytest.raises(CheckFailed, match="proof line"):
            said(board, content, "\n".join(lines) + "\n")
        refused += 1
    assert refused >= 5


def test_a_proof_of_another_board_is_refused() -> None:
    proofs = {kind: case(kind) for kind in BOARDS}
    for kind, (board, content, _) in proofs.items():
        for other, (_, _, proof) in proofs.items():
            if other != kind:
                with pytest.raises(CheckFailed, match="proof line"):
                    said(board, content, proof)


def test_it_stands_beside_a_refutation_alone() -> None:
    _, _, proof = case("line-count")
    for board, why in (
        (instance("cross-5x5-order"), "and no refutation"),
        (instance("plus-10x10-no-order"), "kind refuted is 'odd-component'"),
    ):
        with pytest.raises(CheckFailed, match=why):
            said(board, checking.loads(ponder.order(board).to_json()), proof)


def test_press_sets_that_may_change_their_parities_have_no_such_formula() -> None:
    board, presses = instance("cross-3x4-no-order"), np.zeros(12, bool)
    with pytest.raises(ponder.PonderError, match="the parities of the columns may be switched"):
        SwitchedHalfFactor.of(board, presses, "columns")
    with pytest.raises(ponder.PonderError, match="neither rows nor columns"):
        SwitchedHalfFactor.of(board, presses, 3)
    with pytest.raises(ponder.PonderError, match="on full rectangles"):
        SwitchedHalfFactor.of(instance("plus-10x10-no-order"), presses, "rows")


def test_a_solvers_proof_as_cutting_planes(tmp_path: Path, capsys: Capture) -> None:
    """A `sat-proof` may be proved by resolutions, written as sums, of the same clauses."""
    board = true_results.counted()[0]
    result = ponder.order(board, method="sat", solver_settings=SolverSettings("precedence"))
    refutation, made = result.refutation, Precedence()
    assert isinstance(refutation, SatProof)
    assert refutation.lrat is not None
    assert result.counts is not None
    problem = OrderingProblem.of_board(board, result.counts)
    clauses = list(made.encode(problem, made.options(refutation.options)).clauses())
    sums = resolution_steps(clauses, refutation.lrat)
    files = [str(tmp_path / name) for name in ("board.txt", "answer.json", "proof.pbp.gz")]
    Path(files[0]).write_text(board_text(board))
    Path(files[1]).write_text(json.dumps(result.to_json()))
    Path(files[2]).write_bytes(gzip.compress(b"".join(proof_lines(len(clauses), sums))))
    assert here(capsys, "verify", *files[:2], "--proof", files[2])[0] == 0
    Path(files[2]).write_bytes(gzip.compress(b"".join(proof_lines(len(clauses), sums[:-1]))))
    code, _, err = here(capsys, "verify", *files[:2], "--proof", files[2])
    assert code == 1
    assert "can be satisfied" in err


def test_exit_codes(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    board = str(INSTANCES / "cross-6x6-no-order-cut.txt")
    proof, answer = tmp_path / "a.pbp", tmp_path / "a.json"
    _, out, _ = here(capsys, "order", board, "--veripb", str(proof), "--json")
    answer.write_text(out)
    asked = ("verify", board, str(answer), "--proof")
    code, out, _ = here(capsys, *asked, str(proof))
    assert (code, out.count("checked")) == (0, 3)
    code, _, err = here(capsys, *asked, str(tmp_path / "none.pbp"))
    assert code == 2
    assert "none.pbp: cannot be read" in err
    text = proof.read_text()
    monkeypatch.setattr(limits, "MOST_HELD", 1 << 24)
    proof.write_text(text.replace("pol ", f"pol{' 1 s' * 60_000}\npol ", 1))
    code, out, err = here(capsys, *asked, str(proof))
    assert code == 3
    assert "not checked: too much memory" in out
    monkeypatch.undo()
    proof.write_bytes(b"\xff\x00" + text.encode())
    assert here(capsys, *asked, str(proof))[0] == 1
    answer.write_text(answer.read_text().replace("line-cut", "odd-component"))
    code, out, err = here(capsys, *asked, str(proof))
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "nothing that cutting planes can prove" in err


OPB = "* #variable= 1 #constraint= 2\n+1 x1 >= 1 ;\n-1 x1 >= 0 ;\n"
HEAD = "pseudo-Boolean proof version 2.0\nf 2\n"


def test_numbers_do_not_grow_without_end() -> None:
    """A factor after the other, and a sum multiplied again and again."""
    large = "9" * 99
    for line in (
        "pol 1 " + f"{large} * " * 2,
        "pol 1 2 + " + f"{large} * 1 + " * 3,
        f"pol 1 {large} *\npol 3 {large} *",
    ):
        with pytest.raises(CheckFailed, match="a number of more than 100 digits"):
            check_veripb(OPB, HEAD + line + "\n")


def test_the_work_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short lines that copy a long constraint again and again."""
    monkeypatch.setattr(limits, "MOST_HELD", 1 << 24)
    terms = " ".join(f"+1 x{k}" for k in range(1, 10_001))
    formula = f"* #variable= 10000 #constraint= 1\n{terms} >= 1 ;\n"
    proof = "pseudo-Boolean proof version 2.0\nf 1\n" + "pol 1 s\n" * 1000
    with pytest.raises(TooLarge, match="too much memory"):
        check_veripb(formula, proof, budget=Budget())
    proof = "pseudo-Boolean proof version 2.0\nf 1\n" + f"pol 1{' 1 +' * 10_000}\n"
    budget = Budget()
    budget.left //= 1000
    with pytest.raises(TooLarge, match="too much work"):
        check_veripb(formula, proof, budget=budget)
    file = io.BytesIO()
    opb.write_linear(file, 1, [])
    with pytest.raises(CheckFailed, match="expected f 0"):
        check_veripb(file.getvalue().decode(), proof)


@pytest.mark.parametrize("operation", ["*", "d"])
@pytest.mark.parametrize("number", ["0", "-6", "-14", "-99"])
def test_a_factor_or_divisor_below_one_is_refused(operation: str, number: str) -> None:
    """A number that counts back beyond the first constraint is no negative factor."""
    formula = "* #variable= 1 #constraint= 1\n+1 x1 >= 0 ;\n"
    proof = (
        f"pseudo-Boolean proof version 2.0\nf 1\npol x1 {number} {operation} ~x1 {number} "
        f"{operation} +\noutput NONE\nconclusion UNSAT : 2\nend pseudo-Boolean proof\n"
    )
    with pytest.raises(CheckFailed, match="number from 1 up"):
        check_veripb(formula, proof)


@pytest.mark.parametrize(
    ("name", "board", "options"),
    [
        ("pb_forged", "00\n00\n", ["--pattern", "plus"]),
        ("orient_pb_forged", "0 1\n1 2\n", ["--odd", "0,1", "--fixed", "none"]),
    ],
)
def test_results_forged_with_a_negative_factor_are_refused(
    name: str, board: str, options: list[str], tmp_path: Path, capsys: Capture
) -> None:
    """The board has an order, and so has every path of three vertices."""
    (tmp_path / "board.txt").write_text(board)
    forged = str(Path(__file__).parent / f"{name}.json")
    code, out, err = here(capsys, "verify", str(tmp_path / "board.txt"), forged, *options)
    assert code == 1
    assert "number from 1 up" in out + err
