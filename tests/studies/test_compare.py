"""Comparisons: the same results whoever runs them, nothing lost, nothing wrong unnoticed."""

from __future__ import annotations

import csv
import json
import os
import random
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ponder.cli import run
from ponder.studies.compare import Plan, Tally, compare
from ponder.studies.methods import ENTRIES, Method, chosen
from ponder.studies.processes import Workers, _Worker
from ponder.studies.report import Figures, disagreements, write_table
from ponder.studies.runs import Chunk, Job, Record, Task, run_chunk
from ponder.studies.sampling import (
    Family,
    Generated,
    parse_family,
    parse_sizes,
    size_label,
)
from ponder.studies.study import Outcome, Run, Study
from ponder.system.errors import PonderError
from tests import planted
from tests.depth import deep, deeper
from tests.processes import HANG, until

ROOT = Path(__file__).resolve().parents[2]


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "ponder", "compare", *arguments]


def content(path: Path | Study) -> list[tuple[object, ...]]:
    """All that a study says, but for the times and for the numbers of its rows."""
    study = path if isinstance(path, Study) else Study(path)
    found: list[tuple[object, ...]] = []
    for query in (
        "SELECT family, size, sample, sha256, nullity, lightest, method, options, version, seed, "
        "verdict, claim, certificate, solver, presses, lower_bound, trials, checked, trouble "
        "FROM v_runs",
        "SELECT sha256, text FROM boards",
        "SELECT sha256, name, seed, result FROM results JOIN boards ON boards.id = board "
        "JOIN methods ON methods.id = method",
        "SELECT name, reason FROM failures",
    ):
        found += sorted(study.rows(query).fetchall(), key=repr)
    if study is not path:
        study.database.close()
    return found


def plan(
    *families: str, methods: tuple[str, ...] = (), timeout: float = 10.0, boards: int = 12
) -> Plan:
    draws = [parse_family(text, "4..6", boards=boards, seed=5) for text in families]
    return Plan(tuple(draws), tuple(chosen(methods, trials=3)), seed=1, timeout=timeout)


# --------------------------------------------------------------------------------- boards


def test_a_drawn_board_depends_on_its_name_alone() -> None:
    family = Family("plus", density=0.3)
    names = [((4, 4), 0), ((4, 4), 1), ((4, 5), 0), ((5, 4), 0)]
    boards = {name: family.draw(*name).sha256 for name in names}
    assert len(set(boards.values())) == len(names)
    assert {name: family.draw(*name).sha256 for name in reversed(names)} == boards


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["plus", "--size", "5"], "plus:5"),
        (["plus", "--pattern", "king", "--size", "4x6"], "king:4x6"),
        (["balanced", "--size", "6", "--density", "0.4"], "balanced:6:density=0.4"),
        (["balanced", "--size", "6"], "cross:6:balance=balanced"),
        (["unbalanced", "--size", "6", "--by", "4"], "unbalanced:6:by=4"),
        (["cut", "--size", "6"], "cut:6"),
        (["graph", "--size", "9"], "graph:9"),
        (["graph", "--size", "8", "--degree", "3"], "graph:8:degree=3"),
        (["graph", "--size", "8", "--edges", "0.25"], "graph:8:edges=0.25"),
    ],
)
def test_the_boards_are_those_of_ponder_generate(
    words: list[str], text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "boards"
    options = ["--seed", "3", "--count", "4", "-o", str(folder)]
    assert run(["generate", *words, *options]) == 0
    entries = json.loads((folder / "manifest.json").read_text())["boards"]
    draws = parse_family(text, boards=4, seed=3)
    (shape,) = draws.sizes
    drawn = [draws.family.draw(shape, seed) for seed in range(3, 7)]
    assert [board.sha256 for board in drawn] == [entry["sha256"] for entry in entries]
    assert {size_label(board) for board in drawn} == {draws.family.size(shape)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not a size"),
        ("4x", "is not a size"),
        ("0", "has a zero"),
        ("3x0", "has a zero"),
        ("9..4", "run backwards"),
        ("4..8..0", "has a zero"),
        ("1..999999", "more than"),
    ],
)
def test_sizes_that_are_none(text: str, message: str) -> None:
    with pytest.raises(PonderError, match=message):
        parse_sizes(text)


# ------------------------------------------------------------------- the same, whoever runs


@pytest.mark.parametrize("boards", deep(3, 12))
def test_one_worker_two_workers_and_none_say_the_same(two: Workers, boards: int) -> None:
    methods = ("greedy", "auto", "lines")
    wanted = plan("cross", "plus:density=0.4", methods=methods, boards=boards)
    with Study(":memory:", create=True) as here, Study(":memory:", create=True) as there:
        tally = compare(here, wanted, two)
        assert (tally.done, tally.total) == (wanted.total, 2 * 3 * boards * 8)
        with Workers(1) as one:
            compare(there, wanted, one)
        assert content(here) == content(there)
        # and with no process at all, in another order
        jobs = tuple(
            Job(m, here.method(m.name, m.options | {"timeout": 10.0}), 1) for m in wanted.methods
        )
        done = {
            (r.run.sha256, r.run.method): r.run
            for source in reversed(wanted.sources)
            for r in run_chunk(_all_tasks(source, jobs))
        }
        for sha256, method, verdict, presses in here.rows(
            "SELECT sha256, method, verdict, presses FROM runs JOIN boards ON boards.id = board "
            "JOIN outcomes ON outcomes.id = outcome"
        ):
            run = done[sha256, method]
            assert (run.outcome.verdict, run.presses) == (verdict, presses)
        assert not disagreements(here)
        again = compare(here, wanted, two)
        assert (again.done, again.stored) == (0, wanted.total)


def _all_tasks(source: object, jobs: tuple[Job, ...]) -> Chunk:
    from ponder.studies.sampling import GeneratedBoards

    assert isinstance(source, GeneratedBoards)
    every = tuple(range(len(jobs)))
    tasks = [
        Task(Generated(source.family, shape, source.seed + k), every)
        for shape in reversed(source.sizes)
        for k in reversed(range(source.boards))
    ]
    return Chunk(tuple(tasks), jobs, 10.0, "none")


def test_a_study_grows_by_what_is_new(two: Workers) -> None:
    with Study(":memory:", create=True) as study:
        compare(study, plan("cross:4:boards=5", methods=("auto",)), two)
        more = plan("cross:4:boards=8", methods=("auto", "greedy-random-forwards"))
        tally = compare(study, more, two)
        assert (tally.stored, tally.done, tally.total) == (5, 11, 16)
        assert (
            compare(study, plan("cross:4:boards=8", methods=("auto",), timeout=9.0), two).done == 8
        )


def test_a_part_of_a_chunk_is_that_part_of_its_runs() -> None:
    jobs = tuple(Job(Method(name, "tests.planted:right"), k, 0) for k, name in enumerate("ab"))
    family = Family("cross")
    tasks = (
        Task(Generated(family, (4, 4), 0), (0, 1)),
        Task(Generated(family, (4, 4), 1), (1,)),
        Task(Generated(family, (4, 4), 2), (0, 1)),
    )
    chunk = Chunk(tasks, jobs, None, "none")

    def names(part: Chunk) -> list[tuple[int, int]]:
        return [
            (t.item.seed, k) for t in part.tasks for k in t.todo if isinstance(t.item, Generated)
        ]

    every = names(chunk)
    for first in range(len(chunk) + 1):
        for last in range(first, len(chunk) + 1):
            assert names(chunk.part(first, last)) == every[first:last]


# ------------------------------------------------------------------------- killed, interrupted


def runs_in(path: Path) -> int:
    """The number of runs in a study that somebody else is writing."""
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=5) as database:
            return int(database.execute("SELECT count(*) FROM runs").fetchone()[0])
    except sqlite3.Error:
        return 0


def killed_and_resumed(folder: Path, workers: Workers, boards: int, kills: int, seed: int) -> None:
    """Kill a command that cannot end, because its process comes to a stand, at random moments."""
    rng = random.Random(seed)
    path = folder / "killed.study"
    endless = {**os.environ, planted.RUNS: str(boards // (kills + 1))}
    order = command(
        "--family", f"cross:6:boards={boards}", "--method", "tests.planted:slow", "--workers", "1",
        "--quiet", "--study", str(path),
    )  # fmt: skip
    stored = 0
    for _ in range(kills):
        with subprocess.Popen(order, cwd=ROOT, stderr=subprocess.PIPE, env=endless) as process:
            assert until(lambda: runs_in(path) > stored)  # noqa: B023
            time.sleep(rng.uniform(0, 0.4))
            process.kill()
        assert stored < runs_in(path) < boards
        stored = runs_in(path)
    done = subprocess.run(order, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert runs_in(path) == boards
    wanted = Plan(
        (parse_family(f"cross:6:boards={boards}"),),
        tuple(chosen(("tests.planted:slow",))),
        timeout=10.0,
    )
    with Study(":memory:", create=True) as undisturbed:
        compare(undisturbed, wanted, workers)
        assert content(path) == content(undisturbed)


def test_killed_at_random_moments_and_resumed(tmp_path: Path, two: Workers) -> None:
    killed_and_resumed(tmp_path, two, boards=120, kills=1, seed=1)


@pytest.mark.deep
def test_killed_ten_times_and_resumed(tmp_path: Path, two: Workers) -> None:
    killed_and_resumed(tmp_path, two, boards=1500, kills=10, seed=2)


@pytest.mark.parametrize(
    ("number", "word"),
    [
        (signal.SIGINT, "interrupted"),
        deeper(signal.SIGTERM, "terminated"),
        deeper(signal.SIGHUP, "hung up"),
    ],
)
def test_a_signal_keeps_what_is_finished(tmp_path: Path, number: int, word: str) -> None:
    path = tmp_path / "stopped.study"
    order = command(
        "--family", "cross:6:boards=2000", "--method", "tests.planted:slow", "--study", str(path),
        "--workers", "2",
    )  # fmt: skip
    with subprocess.Popen(
        order, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True, env={**os.environ, planted.RUNS: "900"},
    ) as process:  # fmt: skip
        assert until(lambda: runs_in(path))
        os.killpg(process.pid, number)  # a terminal sends it to the whole group
        out, error = process.communicate(timeout=HANG)
    assert process.returncode == 128 + number
    assert "Traceback" not in error
    assert error.strip().endswith(word)
    assert out == ""
    assert 0 < runs_in(path) < 2000


# ------------------------------------------------------------------------------- what is wrong


@pytest.mark.usefixtures("ready")
@pytest.mark.parametrize(
    ("method", "verify", "message"),
    [
        ("wrong_impossible", "none", "proved that no sequence of single presses does"),
        ("wrong_impossible", "all", "rejected: "),
        ("wrong_bound", "none", "proved that it takes at least"),
        ("wrong_bound", "all", "rejected: "),
        ("wrong_order", "none", "rejected: "),
        ("crashing", "none", "crashed: RuntimeError: planted"),
        ("no_result", "none", "crashed: TypeError: NoneType is not a ponder.Result"),
    ],
)
def test_a_wrong_method_fails_the_command(
    method: str, verify: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [
        "compare", "--family", "cross:4:balance=balanced:boards=16", "--verify", verify, "--method",
        "auto", "--method", f"tests.planted:{method}", "--workers", "1", "--quiet",
    ]  # fmt: skip
    assert run(arguments) == 1
    out = capsys.readouterr().out
    assert "answers that are wrong or contradict each other" in out
    assert message in out
    assert "auto (seed 0): rejected" not in out


@pytest.mark.usefixtures("ready")
def test_a_right_method_of_another_origin_is_welcome(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [
        "compare", "--family", "cross:4:boards=6", "--method", "auto", "--method",
        "tests.planted:right", "--workers", "1", "--quiet", "--json",
    ]  # fmt: skip
    assert run(arguments) == 0
    lines = json.loads(capsys.readouterr().out)["lines"]
    first, second = ({k: v for k, v in x.items() if k not in ("method", "seconds")} for x in lines)
    assert first == second


def claim(
    study: Study, board: bytes, name: str, outcome: Outcome, presses: int | None, bound: int | None
) -> None:
    method = study.method(name, {})
    study.add([], [], [Run(board, method, 0, outcome, presses, bound, None, 0.1, 1, None, None)])


SOLVED = Outcome("order", "solved", "", "", "", True)
REPEATED = Outcome("solve", "solved", "", "", "", False)
NO_ORDER = Outcome("order", "impossible", "C2", "line-count", "", True)
NO_SEQUENCE = Outcome("solve", "impossible", "C4", "odd-witness", "", True)
ORDER_OPEN = Outcome("order", "unknown", "", "", "", True)
SOLVE_OPEN = Outcome("solve", "unknown", "", "", "", True)


@pytest.mark.parametrize(
    ("x", "y", "text"),
    [
        ((SOLVED, 8, None), (NO_ORDER, None, None), "no sequence of single presses"),
        ((SOLVED, 8, None), (NO_SEQUENCE, None, None), "no sequence does"),
        ((REPEATED, 8, None), (NO_SEQUENCE, None, None), "no sequence does"),
        ((REPEATED, 8, None), (NO_ORDER, None, None), None),  # repeats are allowed here
        ((REPEATED._replace(once=True), 8, None), (NO_ORDER, None, None), "no sequence of single"),
        ((SOLVED, 8, 8), (SOLVED, 10, 10), "called 10 the fewest"),
        ((SOLVED, 8, 8), (SOLVED, 10, 8), None),
        ((SOLVED, 8, None), (ORDER_OPEN, None, 9), "at least 9"),
        ((SOLVED, 8, None), (SOLVE_OPEN, None, 9), "at least 9"),
        ((REPEATED, 8, None), (SOLVE_OPEN, None, 9), "at least 9"),
        ((REPEATED, 8, None), (ORDER_OPEN, None, 9), None),  # that bound is on single presses
        ((REPEATED, 8, 8), (SOLVED, 10, 10), None),
        ((NO_ORDER, None, None), (NO_SEQUENCE, None, None), None),
        ((SOLVED, 8, 8), (ORDER_OPEN, None, 8), None),
    ],
)
def test_every_kind_of_contradiction(
    x: tuple[Outcome, int | None, int | None],
    y: tuple[Outcome, int | None, int | None],
    text: str | None,
) -> None:
    with Study(":memory:", create=True) as study:
        item = Generated(Family("cross"), (4, 4), 0)
        (entry,) = _records(item)
        assert entry.board is not None
        assert entry.sample is not None
        study.add([entry.board], [entry.sample], [])
        claim(study, entry.board.sha256, "x", *x)
        claim(study, entry.board.sha256, "y", *y)
        found = disagreements(study)
        assert len(found) == (text is not None)
        assert text is None or text in found[0]


def _records(item: Generated) -> list[Record]:
    job = Job(Method("right", "tests.planted:right"), 1, 0)
    return list(run_chunk(Chunk((Task(item, (0,)),), (job,), None, "none")))


def test_what_a_run_does_to_its_process_costs_no_other_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed from outside, over its time limit, out of memory: named, and the rest goes on.

    Over its limit is who has said that it will never end.
    """
    asleep = tmp_path / "asleep"
    asleep.touch()
    late = _Worker.late

    def late_asleep(worker: _Worker) -> tuple[int, float] | None:
        return late(worker) if str(worker.process.pid) in asleep.read_text().split() else None

    monkeypatch.setenv(planted.ASLEEP, str(asleep))
    monkeypatch.setattr("ponder.studies.processes.overtime", lambda timeout: 0.0)
    monkeypatch.setattr(_Worker, "late", late_asleep)
    boards = 6
    family = Family("cross")
    hits = sum(planted.hit(family.draw((4, 4), k)) for k in range(boards))
    assert 0 < hits < 3
    methods = ("deadly", "endless", "greedy_for_memory", "right")
    wanted = Plan(
        (parse_family(f"cross:4:boards={boards}"),),
        tuple(chosen(tuple(f"tests.planted:{name}" for name in methods))),
        timeout=HANG,
    )
    with Study(":memory:", create=True) as study, Workers(2) as workers:
        tally = compare(study, wanted, workers)
        assert tally.done == boards * 4
        assert tally.troubles == {"lost": 2 * hits, "late": hits}
        rows = study.rows("SELECT method, trouble, verdict, sample FROM v_runs").fetchall()
        assert not disagreements(study)
        lines = {line.method.partition(":")[2]: line for line in Figures.of(study).lines()}
    for method, trouble, verdict, sample in rows:
        board = family.draw((4, 4), int(sample))
        if method != "tests.planted:right" and planted.hit(board):
            assert verdict == "unknown"
            assert re.match(
                r"lost: its process was killed|late: killed after|lost: out of", trouble
            )
        else:
            assert trouble is None
            assert verdict != "unknown"
    assert lines["deadly"].troubles == {"lost": hits}
    assert lines["endless"].troubles == {"late": hits}
    assert lines["right"].solved + lines["right"].refuted == boards


def test_a_run_that_ends_while_the_parent_looks_is_not_late() -> None:
    """The numbers that a worker shares change between two readings of them."""

    class Flickering:
        reads = 0

        def __getitem__(self, place: int) -> float:
            self.reads += 1
            return time.monotonic() - 0.1 if self.reads == 2 else 0.0

    worker = _Worker.__new__(_Worker)
    numbers: Any = Flickering()
    worker.chunk, worker.numbers = Chunk((), (), 0.5, "none"), numbers
    assert worker.late() is None
    worker.numbers = [3.0, time.monotonic() - 60, 0.0]
    run, seconds = worker.late() or (0, 0.0)
    assert run == 3
    assert seconds > 59


def test_troubled_runs_are_done_again_when_asked(tmp_path: Path, two: Workers) -> None:
    with Study(tmp_path / "a.study", create=True) as study:
        wanted = plan("cross:4:boards=12", methods=("tests.planted:crashing",))
        crashed = compare(study, wanted, two).troubles["crashed"]
        assert compare(study, wanted, two).done == 0
        assert study.forget_troubles(("late", "crashed")) == crashed
        assert compare(study, wanted, two).done == crashed


# ------------------------------------------------------------------------------------ files


@pytest.mark.usefixtures("ready")
def test_other_json_in_a_folder_is_skipped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Results and manifests live beside boards; what is broken, or meant to be a board, is not."""
    (tmp_path / "a.txt").write_text("01\n10\n")
    (tmp_path / "b.json").write_text('{"nodes": 2, "edges": [[0, 1]]}')
    (tmp_path / "answer.json").write_text('{"schema": "ponder.result/1", "presses": []}')
    (tmp_path / "presses.json").write_text("[[0, 0]]")
    (tmp_path / "broken.json").write_text('{"nodes": 2')
    (tmp_path / "nodeless.json").write_text('{"edges": [[0, 1]]}')
    arguments = ["compare", str(tmp_path), "--method", "auto", "--workers", "1"]
    assert run(arguments) == 0
    captured = capsys.readouterr()
    assert "files that are not boards: 2" in captured.out
    assert {"broken.json", "nodeless.json"} <= set(re.findall(r"\w+\.json", captured.out))
    passed = next(line for line in captured.err.splitlines() if "skipped" in line)
    assert re.findall(r"\w+\.json", passed) == ["answer.json", "presses.json"]
    assert run([*arguments, str(tmp_path / "answer.json")]) == 0  # named, so it is read
    assert "answer.json:" in capsys.readouterr().out


def test_a_folder_without_boards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", str(tmp_path)]) == 2
    assert "no boards in this folder" in capsys.readouterr().err


def test_the_list_has_every_method(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", "--list"]) == 0
    listed = capsys.readouterr().out.splitlines()
    for entry in ENTRIES:
        (line,) = (text for text in listed if text.split()[:1] == [_shown(entry.name)])
        assert line.endswith(entry.summary)


def _shown(name: str) -> str:
    return name + ("ENCODING" if name.endswith(":") else "")


# ------------------------------------------------------------------------------ tables, plots


@pytest.mark.parametrize("boards", deep(4, 12))
def test_the_figures_are_those_of_the_runs(two: Workers, tmp_path: Path, boards: int) -> None:
    """Against plain loops over the rows."""
    with Study(":memory:", create=True) as study:
        compare(study, plan("cross", "plus", methods=("greedy", "auto"), boards=boards), two)
        rows = [
            dict(zip((c[0] for c in cursor.description), row, strict=True))
            for cursor in [study.rows("SELECT * FROM v_runs")]
            for row in cursor.fetchall()
        ]
        lines = Figures.of(study).lines()
        whole = Figures.of(study).lines("family")
    write_table(lines, tmp_path / "table.csv")
    with open(tmp_path / "table.csv", newline="", encoding="utf-8") as file:
        written = list(csv.DictReader(file))
    assert [(row["family"], row["size"], int(row["solved"])) for row in written] == [
        (line.family, line.size, line.solved) for line in lines
    ]
    assert len(lines) == 2 * 3 * 7
    solvable = {row["sha256"] for row in rows if row["verdict"] == "solved"}
    fewest = {
        row["sha256"]: row["presses"]
        for row in rows
        if row["verdict"] == "solved" and row["presses"] == row["lower_bound"]
    }
    for line in lines:
        mine = [
            row
            for row in rows
            if (row["family"], row["size"], row["method"]) == (line.family, line.size, line.method)
        ]
        solved = [row for row in mine if row["verdict"] == "solved"]
        assert (line.runs, line.solved) == (boards, len(solved))
        assert line.possible == sum(row["sha256"] in solvable for row in mine)
        assert line.unknown == sum(row["verdict"] == "unknown" for row in mine)
        for kind, count in line.impossible.items():
            assert count == sum(row["certificate"] == kind for row in mine)
        assert line.refuted == boards - line.solved - line.unknown
        assert line.seconds is not None
        assert line.seconds.median == pytest.approx(np.median([row["seconds"] for row in mine]))
        trials = [row["trials"] for row in solved if row["trials"] is not None]
        assert (line.trials is None) == (not trials)
        if line.trials is not None:
            assert line.trials.ninety == pytest.approx(np.percentile(trials, 90))
        excess = [
            row["presses"] - fewest[row["sha256"]] for row in solved if row["sha256"] in fewest
        ]
        assert (line.compared, line.met) == (len(excess), excess.count(0))
        if line.excess is not None:
            assert line.excess == pytest.approx(np.mean(excess))
    for line in whole:
        parts = [x for x in lines if (x.family, x.method) == (line.family, line.method)]
        assert line.solved == sum(part.solved for part in parts)
        assert line.runs == 3 * boards


def test_extra_presses_are_counted_from_the_lightest_press_set() -> None:
    with Study(":memory:", create=True) as study:
        expected = {}
        for index in range(4):
            (entry,) = _records(Generated(Family("cross"), (4, 4), index))
            assert entry.board is not None
            assert entry.board.lightest is not None
            assert entry.sample is not None
            study.add([entry.board], [entry.sample], [])
            least = entry.board.lightest + 2 * index
            claim(study, entry.board.sha256, "solve", REPEATED, least, least)
            expected[entry.board.sha256] = 2 * index
        figures = Figures.of(study)
        (line,) = figures.lines()
        assert line.extra == pytest.approx(3.0)
        assert sorted(figures.extra[figures.extra >= 0].tolist()) == [0, 2, 4, 6]


# ---------------------------------------------------------------------------------- clusters


@contextmanager
def dask(part: str, *arguments: str, **more: str) -> Iterator[subprocess.Popen[bytes]]:
    """A scheduler or a worker of Dask."""
    order = [sys.executable, "-m", f"distributed.cli.dask_{part}", *arguments, "--no-dashboard"]
    with subprocess.Popen(
        order, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)} | more,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.cluster
def test_a_cluster_that_loses_a_worker_and_then_its_scheduler(tmp_path: Path, two: Workers) -> None:
    """Without a worker all goes on, without a scheduler nothing; what was finished is stored."""
    from ponder.studies.dask_cluster import Cluster

    file, path = tmp_path / "scheduler.json", tmp_path / "a.study"
    host = ("--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file))
    wanted = plan("cross:6:boards=120", methods=("tests.planted:slow", "greedy-rounds-forwards"))
    killed_at: list[int] = []

    def kill_one(tally: Tally) -> None:
        if tally.done and not killed_at:
            killed_at.append(tally.done)
            lost.kill()

    with ExitStack() as stack:
        boss = stack.enter_context(dask("scheduler", *host))
        assert until(lambda: file.exists() and file.read_text().rstrip().endswith("}"))
        address = str(json.loads(file.read_text())["address"])
        one = (address, "--nthreads", "1", "--no-nanny", "--local-directory")
        lost, _ = (
            stack.enter_context(
                dask("worker", *one, str(tmp_path / name), **{planted.RUNS: "2000"})
            )
            for name in ("a", "b")
        )
        there = stack.enter_context(Study(":memory:", create=True))
        with Cluster(address) as cluster:
            tally = compare(there, wanted, cluster, kill_one)
        here = stack.enter_context(Study(":memory:", create=True))
        compare(here, wanted, two)
        assert 0 < killed_at[0] < tally.done == wanted.total
        assert lost.wait() == -signal.SIGKILL
        assert not tally.troubles
        assert content(there) == content(here)

        order = command(
            "--family", "cross:6:boards=3000", "--method", "tests.planted:slow", "--quiet",
            "--cluster", address, "--study", str(path),
        )  # fmt: skip
        with subprocess.Popen(order, cwd=ROOT, stderr=subprocess.PIPE, text=True) as process:
            assert until(lambda: runs_in(path))
            boss.kill()
            _, error = process.communicate(timeout=HANG)
    assert process.returncode == 2
    assert error.count("\n") == 1, error
    assert "the scheduler is gone" in error
    assert 0 < runs_in(path) < 3000


@pytest.mark.cluster
def test_a_scheduler_that_is_not_there(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ponder.studies.dask_cluster.CONNECT", 0.5)
    with socket.socket() as taken:  # bound, not listening: nobody answers
        taken.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        assert run(["compare", "--family", "cross:4", "--cluster", address]) == 2
    assert run(["compare", "--family", "cross:4", "--cluster", "nonsense"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert [line.partition(": ")[2] for line in lines] == [
        f"{address}: no Dask scheduler answers there",
        "nonsense: no Dask scheduler answers there",
    ]


def test_a_name_that_is_as_long_as_a_book(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", "a" * 5000]) == 2
    assert all(len(line) <= 600 for line in capsys.readouterr().err.splitlines())
