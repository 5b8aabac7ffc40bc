"""The study file: what goes in comes out, twice is once, and nothing else is taken for one."""

from __future__ import annotations

import csv
import sqlite3
from pathlib import Path

import numpy as np
import pytest

import ponder
from ponder.check.result import Result
from ponder.cli import run
from ponder.model.board import Board
from ponder.model.formats import parse_board
from ponder.studies.compare import Plan, compare
from ponder.studies.methods import Method, chosen
from ponder.studies.processes import Workers
from ponder.studies.report import export
from ponder.studies.runs import Job, Record, Verify, describe, one_run, sample_of
from ponder.studies.sampling import Family, Generated, parse_family
from ponder.studies.study import SCHEMA_VERSION, Study, StudyError, packed, unpacked
from ponder.system.errors import PonderError

FAMILY = Family("cross")


def record(study: Study, index: int, method: str = "auto") -> tuple[Board, Record]:
    """One board, asked here."""
    item = Generated(FAMILY, (4, 4), index)
    board = item.board()
    (asked,) = chosen((method,))
    job = Job(asked, study.method(asked.name, asked.options), 0)
    return board, Record(describe(board), sample_of(item, board), one_run(board, job, None, "all"))


def fill(study: Study, boards: int) -> list[Board]:
    made = [record(study, index) for index in range(boards)]
    records = [entry for _, entry in made]
    study.add(
        [r.board for r in records if r.board],
        [r.sample for r in records if r.sample],
        [r.run for r in records],
    )
    return [board for board, _ in made]


def test_a_study_stands_alone(tmp_path: Path) -> None:
    """The boards' texts and the results in the file suffice to verify every result."""
    import zlib

    path = tmp_path / "a.study"
    with Study(path, create=True) as study:
        boards = fill(study, 20)
    with Study(path) as study:
        assert study.counts()["samples"] == 20
        for sha256, text in study.rows("SELECT sha256, text FROM boards").fetchall():
            board = parse_board(zlib.decompress(text))
            assert bytes.fromhex(board.sha256) == sha256
            result = study.result(sha256, "auto", 0)
            assert result is not None
            ponder.verify(board, result)
        lightest = dict(study.rows("SELECT lower(hex(sha256)), lightest FROM boards"))
    for board in boards:
        assert lightest[board.sha256] == int(board.graph.apply(board.change).sum())


def test_a_batch_written_twice_is_written_once(tmp_path: Path) -> None:
    with Study(tmp_path / "a.study", create=True) as study:
        fill(study, 5)
        once = study.counts()
        fill(study, 5)
        assert study.counts() == once


def test_a_batch_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    with Study(tmp_path / "a.study", create=True) as study:
        _, entry = record(study, 0)
        _, other = record(study, 1)
        before = study.counts()
        assert entry.board is not None
        with pytest.raises(KeyError):
            study.add([entry.board], [], [entry.run, other.run])  # the other's board is missing
        assert study.counts() == before


def test_results_are_stored_without_what_differs_from_run_to_run() -> None:
    content = {"seconds": 3.0, "board": {"name": "x", "bulbs": 4}, "presses": [[0, 1]]}
    assert unpacked(packed(content)) == {"board": {"bulbs": 4}, "presses": [[0, 1]]}


def not_a_study(path: Path) -> None:
    path.write_text("pattern: cross\n01\n10\n" * 100)


def another_database(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE t(x)")


def another_version(path: Path) -> None:
    Study(path, create=True).database.close()
    with sqlite3.connect(path) as database:
        database.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")


def one_byte(path: Path) -> None:
    path.write_bytes(b"x")


def a_folder(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (not_a_study, "this is not a study of ponder"),
        (another_database, "this is not a study of ponder"),
        (another_version, f"a study of version {SCHEMA_VERSION + 1}"),
        (a_folder, "this is not a file"),
        (one_byte, "this is not a study of ponder"),
    ],
)
def test_what_is_no_study_is_refused(
    make: object, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file"
    assert callable(make)
    make(path)
    content = path.read_bytes() if path.is_file() else None
    with pytest.raises(StudyError, match=message):
        Study(path, create=True)
    assert run(["compare", "--family", "cross:4", "--study", str(path)]) == 2
    captured = capsys.readouterr()
    assert (captured.out, captured.err.count("\n")) == ("", 1)
    assert message in captured.err
    assert content is None or path.read_bytes() == content


def test_a_column_that_holds_bytes_is_no_parquet(tmp_path: Path) -> None:
    path = tmp_path / "a.study"
    with Study(path, create=True) as study:
        fill(study, 2)
    with sqlite3.connect(path) as database:
        database.execute("UPDATE boards SET goal = x'68ff'")
    with Study(path) as study, pytest.raises(StudyError, match="a column is not of its type"):
        export(study, tmp_path / "runs.parquet")
    assert not (tmp_path / "runs.parquet").exists()


def test_exports_say_the_same(tmp_path: Path) -> None:
    from pyarrow import parquet

    with Study(tmp_path / "a.study", create=True) as study:
        fill(study, 12)
        assert export(study, tmp_path / "runs.csv") == 12
        assert export(study, tmp_path / "runs.parquet") == 12
        with pytest.raises(PonderError, match=r"must end in \.csv or \.parquet"):
            export(study, tmp_path / "runs.xls")
        with pytest.raises(PonderError, match="cannot be written"):
            export(study, tmp_path / "no" / "runs.csv")
    with open(tmp_path / "runs.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    table = parquet.read_table(tmp_path / "runs.parquet").to_pylist()
    texts = [{k: "" if v is None else str(v) for k, v in row.items()} for row in table]
    assert texts == rows
    assert {row["size"] for row in rows} == {"4×4"}
    assert [row["sample"] for row in rows] == [f"{k:06d}" for k in range(12)]
    solved = [row for row in table if row["verdict"] == "solved"]
    assert solved
    assert all(row["presses"] == row["lower_bound"] == row["lightest"] for row in solved)
    assert all(np.isfinite(row["seconds"]) for row in table)


@pytest.fixture(scope="module")
def sound(two: Workers, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A study of two families."""
    path = tmp_path_factory.mktemp("sound") / "a.study"
    draws = [parse_family(text) for text in ("cross:4:boards=3", "graph:8:boards=3")]
    with Study(path, create=True) as study:
        compare(study, Plan(tuple(draws), tuple(chosen(("auto",)))), two)
    return path.read_bytes()


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE runs SET presses = 'many'",
        "UPDATE runs SET bound = 4611686018427387904",
        "UPDATE runs SET outcome = 99",
        "UPDATE runs SET seconds = 9e999",
        "UPDATE boards SET lightest = 'x'",
        "UPDATE strata SET size = x'ff'",
        "UPDATE methods SET options = '[]'",
        "UPDATE methods SET options = '{'",
        "DELETE FROM methods",
        "DELETE FROM strata",
    ],
)
def test_what_ponder_never_wrote_is_refused(
    damage: str, sound: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.study"
    path.write_bytes(sound)
    with sqlite3.connect(path) as database:
        database.execute(damage)
    database.close()
    capsys.readouterr()
    assert run(["report", str(path)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)


def a_boaster(board: Board, options: object, timeout: float | None, seed: int) -> Result:
    return Result("order", board, "unknown", "boaster", lower_bound=10**30)


def test_a_bound_that_no_study_has_room_for_costs_one_run() -> None:
    board = Board.from_rows(["00", "00"])
    method = Method("boaster", f"{__name__}:a_boaster")
    choices: tuple[Verify, ...] = ("all", "none")
    for verify in choices:
        run = one_run(board, Job(method, 1, 0), 1.0, verify)
        assert run.trouble is not None
        assert run.bound is None
        assert run.trouble.startswith(("crashed: ", "rejected: "))
