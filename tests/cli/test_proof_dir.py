"""`ponder solve --proof-dir`: the formulas and proofs of a bound, as files that stand alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ponder.check.lrat import check_lrat
from ponder.cli import run
from tests.dimacs import parse

INSTANCES = Path(__file__).parents[2] / "instances"
PAIRS = str(INSTANCES / "plus-12x12-pairs.txt")


def test_formulas_and_proofs_are_written_and_hold(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "new" / "proofs"
    assert run(["solve", PAIRS, "--proof-dir", str(folder), "--json"]) == 0
    said = capsys.readouterr()
    result = json.loads(said.out)
    assert result["bound"]["kind"] == "decomposition"
    assert result["optimal"]
    files = sorted(path.name for path in folder.iterdir())
    assert files == [f"pairs-1.{ending}" for ending in ("cnf", "lrat")]
    assert said.err.count("wrote") == 2
    _, clauses, _ = parse((folder / "pairs-1.cnf").read_bytes())
    proof = (folder / "pairs-1.lrat").read_bytes()
    assert check_lrat(clauses, proof)
    answer = tmp_path / "answer.json"
    answer.write_text(json.dumps(result))
    assert run(["verify", PAIRS, str(answer)]) == 0
    assert "rests on" not in capsys.readouterr().out


def test_other_bounds_have_no_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = str(INSTANCES / "plus-10x10-no-order.txt")
    assert run(["solve", board, "--proof-dir", str(tmp_path), "--quiet"]) == 0
    assert list(tmp_path.iterdir()) == []
    assert "2 groups of neighbours" in capsys.readouterr().out


def test_a_folder_that_cannot_be_is_refused_early(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert run(["solve", PAIRS, "--proof-dir", str(file / "proofs")]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "Traceback" not in said.err
