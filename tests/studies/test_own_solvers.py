"""`compare --solver` and `--odd`: own solvers, orientations; rows count only their own answers."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.commands import here

Capture = pytest.CaptureFixture[str]

REAL = """
import sys
from pysat.formula import CNF
from pysat.solvers import Solver
with Solver("minisat22", CNF(sys.argv[1]).clauses) as found:
    if found.solve():
        print("s SATISFIABLE")
        print("v", *found.get_model(), 0)
    else:
        print("s UNSATISFIABLE")
"""
LIAR = "print('s UNSATISFIABLE')"


def solver(tmp_path: Path, name: str, program: str) -> str:
    path = tmp_path / name
    path.write_text(f"#!{sys.executable}\n{program}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return f"{path} {{cnf}}"


def rows(capsys: Capture, *words: str) -> list[dict[str, Any]]:
    code, out, err = here(capsys, "compare", *words, "--workers", "1", "-q", "--json")
    assert code == 0, err
    return list(json.loads(out)["lines"])


@pytest.mark.skipif(os.name == "nt", reason="a script as a program")
def test_a_solver_of_ones_own_is_asked_and_checked(tmp_path: Path, capsys: Capture) -> None:
    real, liar = solver(tmp_path, "real", REAL), solver(tmp_path, "liar", LIAR)
    table = rows(
        capsys, "hex:2", "--solver", real, "--solver", liar,
        "--encoding", "precedence", "--encoding", "time_indexed",
    )  # fmt: skip
    of = {row["method"]: row for row in table}
    assert of["auto"]["solved"] == 1
    for encoding in ("precedence", "time_indexed"):
        assert of[f"sat:{encoding} by {real}"]["solved"] == 1
        lies = of[f"sat:{encoding} by {liar}"]
        assert (lies["solved"], len(lies["impossible"]), lies["unknown"]) == (0, 0, 1)


@pytest.mark.usefixtures("ready")
@pytest.mark.parametrize(
    ("words", "solved"),
    [
        (["--odd", "1,2,3"], 1),
        (["--odd", "1,2"], 0),
        (["--odd", "1,2,3", "--fixed", "1:2"], 1),
        (["--odd", "1,2", "--fixed", "1:2"], 0),
    ],
)
def test_orientations_are_compared_with_t_and_arcs(
    words: list[str], solved: int, capsys: Capture
) -> None:
    table = rows(capsys, "petersen", "--method", "auto", "--method", "sat:precedence", *words)
    assert [(row["solved"], sum(row["impossible"].values())) for row in table] == [
        (solved, 1 - solved)
    ] * 2


def test_rows_of_clingo_have_no_other_answers(capsys: Capture) -> None:
    pytest.importorskip("clingo")
    board = "instances/cross-5x5-no-solution.txt"
    asp, auto = rows(capsys, board, "--method", "asp:count", "--method", "auto")
    assert (asp["method"], len(asp["impossible"]), asp["unknown"]) == ("asp:count", 0, 1)
    assert asp["others"] == {"linear, before": 1}
    assert auto["impossible"]
