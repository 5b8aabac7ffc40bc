"""A board's SHA-256: one for each puzzle, and what was named in the old way is told apart."""

from __future__ import annotations

import itertools
import json
import sqlite3
from pathlib import Path

import numpy as np
import pytest

import ponder
from ponder.cli import run
from ponder.model.board import RULES, Board, name_before_0_2
from ponder.model.formats import board_text, parse_board
from ponder.model.graph import EdgeGraph, grid_graph
from ponder.studies.compare import Plan, compare
from ponder.studies.methods import chosen
from ponder.studies.processes import Workers
from ponder.studies.report import Figures
from ponder.studies.sampling import find_files
from ponder.studies.study import Study, StudyError
from ponder.system.errors import CheckFailed

TWINS = (
    Board.from_rows(["1100", "1100", "0011", "0011"], goal=["1010", "1010", "0101", "0111"]),
    Board.from_rows(["10--", "10--", "--10", "--10"], goal=["01--", "01--", "--01", "--11"]),
)
"""Their old names were the same: the mask of one, read on, is the state of the other."""


def test_the_twins_of_old_have_their_own_names() -> None:
    first, second = TWINS
    assert name_before_0_2(first) == name_before_0_2(second)
    assert first.sha256 != second.sha256


def test_a_study_keeps_the_twins_apart(tmp_path: Path) -> None:
    for k, board in enumerate(TWINS):
        (tmp_path / f"{k}.txt").write_text(board_text(board))
    plan = Plan((find_files([str(tmp_path)]),), tuple(chosen(("auto", "solve"))))
    with Study(":memory:", create=True) as study:
        with Workers(1) as workers:
            compare(study, plan, workers)
        assert study.counts()["boards"] == 2
        asked = "SELECT sample, presses FROM v_runs WHERE method = 'solve' ORDER BY sample"
        found = dict(study.rows(asked).fetchall())
        assert found[str(tmp_path / "0.txt")] != 5
        assert found[str(tmp_path / "1.txt")] == 5
        assert Figures.of(study).runs.size == 4


def test_no_two_small_boards_share_a_name() -> None:
    """Every shape of up to 4 cells, every mask, state and goal, two patterns and rules."""
    names: set[str] = set()
    count = 0
    for rows, columns in ((1, 1), (1, 2), (2, 1), (1, 3), (2, 2), (1, 4)):
        for pattern, rule in itertools.product(("cross", "plus"), RULES[:2]):
            for mask in itertools.product((False, True), repeat=rows * columns):
                if not any(mask):
                    continue
                holes = np.array(mask).reshape(rows, columns)
                graph = grid_graph(pattern, (rows, columns), holes)
                for bits in itertools.product((False, True), repeat=2 * graph.size):
                    lit, goal = np.array(bits[: graph.size]), np.array(bits[graph.size :])
                    names.add(Board(graph, lit, goal, rule).sha256)
                    count += 1
    assert len(names) == count > 4000


def test_names_of_nodes_matter_and_are_kept_apart() -> None:
    texts = [
        '{"nodes": 2}',
        '{"nodes": [1, 0]}',
        '{"nodes": ["0", "1"]}',
        '{"nodes": ["i0", "1"]}',
        '{"nodes": ["", "01"]}',
        '{"nodes": ["01", ""]}',
        '{"nodes": ["0", 1]}',
        '{"nodes": ["0\\u0000", 1]}',
        '{"nodes": 2, "edges": [[0, 1]]}',
    ]
    assert len({parse_board(text).sha256 for text in texts}) == len(texts)
    assert parse_board('{"nodes": [0, 1]}').sha256 == parse_board('{"nodes": 2}').sha256
    lone = Board(EdgeGraph(1, [], ["\ud800\udc00"]), np.zeros(1, bool), np.ones(1, bool))
    pair = Board(EdgeGraph(1, [], ["\U00010000"]), np.zeros(1, bool), np.ones(1, bool))
    assert lone.sha256 != pair.sha256


def test_an_old_result_is_recognised() -> None:
    board = TWINS[1]
    result = json.loads(json.dumps(ponder.solve(board).to_json()))
    assert ponder.verify(board, result).statements
    result["board"]["sha256"] = name_before_0_2(board)
    with pytest.raises(CheckFailed, match=r"before 0\.2: ask again"):
        ponder.verify(board, result)
    result["board"]["sha256"] = name_before_0_2(Board.from_rows(["00"]))
    with pytest.raises(CheckFailed, match="another board"):
        ponder.verify(board, result)


def test_an_old_formula_is_recognised(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = Board.from_rows(["0011", "1101", "0110", "0001"])
    file, formula = tmp_path / "board.txt", tmp_path / "board.cnf"
    file.write_text(board_text(board))
    how = ["--encoding", "half_factor"]
    assert run(["export", str(file), *how, "-o", str(formula)]) == 0
    formula.write_text(formula.read_text().replace(board.sha256, name_before_0_2(board)))
    answer = tmp_path / "answer.txt"
    answer.write_text("s UNKNOWN\n")
    code = run(["decode", str(file), *how, "--formula", str(formula), str(answer)])
    assert (code, "before 0.2: export it again" in capsys.readouterr().err) == (2, True)


def test_an_old_study_is_recognised(tmp_path: Path) -> None:
    path = tmp_path / "old.study"
    with Study(path, create=True):
        pass
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 1")
    database.close()
    for create in (False, True):
        with pytest.raises(StudyError, match=r"a ponder before 0\.2"):
            Study(path, create=create)
