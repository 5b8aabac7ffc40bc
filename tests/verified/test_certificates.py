"""`verified/` is built, rests on nothing, and accepts and refuses certificates."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

from ponder.find.row_column.maximum_flow import half_factor_of
from ponder.model.board import Board
from ponder.proofs.coq import Certificate
from ponder.system.types import Json
from tests.commands import here
from tests.verified import building, certificates
from tests.verified.building import VERIFIED, compiled, theorems, without_remarks

CLOSED = "Closed under the global context"
BELIEVED = re.compile(
    r"\b(Admitted|admit|give_up|Axioms?|Parameters?|Conjectures?|Declare|bypass_check|Unset Guard|"
    r"Unset Universe|Unset Positivity|type_in_type|native_\w+)\b"
)

coq = pytest.mark.coq


@cache
def written() -> list[tuple[Board, Json, Certificate]]:
    return [
        (board, result, Certificate.write(board, result, half_factor_of))
        for board, result in certificates.results()
    ]


def test_nothing_is_taken_for_granted() -> None:
    assert building.FILES
    for file in building.FILES:
        assert BELIEVED.search(without_remarks(file.read_text(encoding="utf-8"))) is None, file
    for line in ("Axiom a : False.", "Proof. Admitted.", "(* (* *) *) Parameter p : nat."):
        assert BELIEVED.search(without_remarks(line))
    assert BELIEVED.search(without_remarks('(* "Axiom" (* Admitted *) *) Check 0.')) is None


def test_every_file_is_built() -> None:
    listed = (VERIFIED / "_CoqProject").read_text(encoding="utf-8").split()
    assert sorted(word for word in listed if word.endswith(".v")) == [
        file.name for file in building.FILES
    ]


def test_the_board_stands_in_the_certificate_as_in_its_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, file in (("24x24", "cross-24x24-no-order.txt"), ("holes", "cross-6x7-holes.txt")):
        board = certificates.INSTANCES / file
        _, answer, _ = here(capsys, "order", str(board), "--json")
        (tmp_path / "answer.json").write_text(answer)
        given = ["prove", str(board), str(tmp_path / "answer.json"), "-o", str(tmp_path / name)]
        assert here(capsys, *given, "--format", "coq", "--quiet") == (0, "", "")
        text = (tmp_path / name / "certificate.v").read_text()
        (stated,) = re.findall(r'the_text := "\n([^"]*)"', text)
        lines = board.read_text().splitlines()
        assert stated.split("\n") == [line for line in lines if re.fullmatch("[01-]+", line)]
        assert {"certificate.v"} == {path.name for path in (tmp_path / name).iterdir()}


def test_every_claim_has_its_certificate() -> None:
    claims = [theorem.claim.split(" the_board")[0] for *_, made_ in written() for theorem in
              made_.theorems]  # fmt: skip
    assert set(claims) == {
        "an_order", "solution", "order_at_least", "at_least", "no_order", "no_order_of",
        "unsolvable",
    }  # fmt: skip


@coq
def test_the_theorems_rest_on_no_axiom(tmp_path: Path) -> None:
    building.build()
    stated = theorems()
    assert len(stated) > 50
    files = " ".join(sorted({theorem.file for theorem in stated}))
    names = ", ".join(f"@{theorem.file}.{theorem.name}" for theorem in stated)
    text = f"From Ponder Require {files}.\nDefinition all := ({names}).\nPrint Assumptions all.\n"
    done = compiled(tmp_path, text)
    assert (done.returncode, done.stdout.strip()) == (0, CLOSED), done.stderr
    done = compiled(tmp_path, "Axiom a : False.\nPrint Assumptions a.\n")
    assert CLOSED not in done.stdout


@coq
def test_certificates_are_accepted(tmp_path: Path) -> None:
    building.build()
    done = compiled(tmp_path, certificates.together(certificates.sound(c) for *_, c in written()))
    assert done.returncode == 0, done.stderr
    alone = compiled(tmp_path, written()[0][2].text)
    assert (alone.returncode, alone.stdout.strip()) == (0, CLOSED), alone.stderr


@coq
def test_spoilt_certificates_are_refused(tmp_path: Path) -> None:
    building.build()
    bodies = [
        body
        for _, result, certificate in written()
        for body in certificates.spoilt(certificate, result["optimal"] is True)
    ]
    assert len(bodies) >= 20
    all_refused(tmp_path, bodies)
    sound = certificates.sound(written()[1][2]).replace("Qed.", "Fail Qed.\nAbort.")
    assert compiled(tmp_path, certificates.together([sound])).returncode != 0


def all_refused(folder: Path, bodies: list[str]) -> None:
    """Each `Qed` fails, and for the one reason that a computation says false."""
    done = compiled(folder, certificates.together(bodies))
    assert done.returncode == 0, done.stderr
    reason = 'The term "eq_refl" has type "true = true" while it is expected'
    assert (done.stdout + done.stderr).count(reason) == len(bodies)


@coq
@pytest.mark.deep
def test_coqchk_finds_no_axiom() -> None:
    """But for machine numbers and arrays, which the kernel has itself."""
    building.build()
    command = ["coqchk", "-silent", "-o", "-R", ".", "Ponder"]
    command += [f"Ponder.{file.stem}" for file in building.FILES]
    done = subprocess.run(command, cwd=VERIFIED, capture_output=True, text=True, check=True)
    axioms = (done.stdout + done.stderr).split("* Axioms:")[1].split("\n  \n")[0].split()
    assert all(re.match(r"<none>|Coq\.(Numbers\.Cyclic\.Int63|Array)\.", name) for name in axioms)
