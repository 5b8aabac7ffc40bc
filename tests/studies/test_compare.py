"""Comparisons: the same results from any number of workers, nothing lost, faults reported."""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import IO

import pytest

from ponder.model.board import Board
from ponder.model.formats import read
from ponder.studies.compare import Plan, Task, Workers, compare, run_task
from ponder.studies.executors import by_cluster, by_processes
from ponder.studies.methods import Method, chosen
from ponder.studies.plots import draw_plots
from ponder.studies.sampling import BoardFiles, GeneratedBoards, find_files, parse_family
from ponder.studies.study import FAILING, Run, Study, read_studies, write_csv
from ponder.studies.tables import lines, text
from ponder.system.errors import PonderError
from tests import planted
from tests.processes import fake

INSTANCES = Path(__file__).resolve().parents[2] / "instances"


def here(tasks: Iterator[Task]) -> Iterator[list[Run]]:
    """Do the tasks in this process."""
    return ([run_task(task)] for task in tasks)


def plan(*families: str, methods: tuple[str, ...] = (), timeout: float | None = 10.0) -> Plan:
    return Plan(tuple(map(parse_family, families)), tuple(chosen(methods, 3)), 1, (timeout,) * 3)


def planned(name: str, family: str = "cross:4:boards=12", timeout: float | None = 10.0) -> Plan:
    method = Method(name, f"tests.planted:{name}")
    return Plan((parse_family(family),), (method,), limits=(timeout,) * 3)


def content(study: Study) -> list[Run]:
    """All that a study says, but for the times."""
    return [run._replace(solve_seconds=0.0, check_seconds=0.0) for run in study.runs()]


def done(wanted: Plan, workers: Workers = here) -> list[Run]:
    with Study(":memory:", create=True) as study:
        tally = compare(study, wanted, workers)
        assert tally.done == wanted.total
        return content(study)


def boards_of(wanted: Plan) -> dict[str, Board]:
    (source,) = wanted.sources
    assert isinstance(source, GeneratedBoards)
    return {board.sha256: board for board in (item.board() for item in source)}


# ------------------------------------------------------------------- any number of workers


def test_two_processes_and_none_say_the_same() -> None:
    wanted = plan("cross:4..5:boards=3", "plus:4:density=0.4:boards=3", methods=("greedy", "solve"))
    runs = done(wanted)
    assert runs == done(wanted, partial(by_processes, count=2))
    assert {run.verdict for run in runs} >= {"solved", "unknown"}
    assert all(run.checked for run in runs if run.verdict != "unknown")


def test_a_study_grows_by_what_is_new(tmp_path: Path) -> None:
    with Study(tmp_path / "a.study", create=True) as study:
        compare(study, plan("cross:4:boards=5", methods=("auto",)), here)
    with Study(tmp_path / "a.study") as study:
        more = plan("cross:4:boards=8", methods=("auto", "greedy:random"))
        tally = compare(study, more, here)
        assert (tally.stored, tally.done, tally.total) == (5, 11, 16)
        again = compare(study, plan("cross:4:boards=8", methods=("auto",), timeout=9.0), here)
        assert again.done == 8  # under another limit, in the place of the old ones
        assert len(content(study)) == 16


def test_retry_loses_no_failure_that_it_does_not_repeat() -> None:
    """Of other methods, of other shards, and of those to come when it is interrupted."""
    failing = planned("crashing", "cross:4:boards=40")
    with Study(":memory:", create=True) as study:
        compare(study, failing, here)
        kept = content(study)
        failures = study.troubles(FAILING)
        again = compare(study, replace(plan("cross:4:boards=2"), retry=True), here)
        assert (again.stored, study.troubles(FAILING)) == (0, failures)
        halves = [replace(failing, shard=(index, 2), retry=True) for index in range(2)]
        with pytest.raises(KeyboardInterrupt):
            compare(study, halves[0], interrupting(0))
        assert study.troubles(FAILING) == failures
        assert sum(compare(study, half, here).done for half in halves) == len(failures)
        assert [run for run in content(study) if run.method == "crashing"] == kept


def test_shards_make_the_whole() -> None:
    whole = plan("cross:4..6:boards=5", methods=("auto",))
    parts = [
        Plan(whole.sources, whole.methods, whole.seed, (10.0,) * 3, shard=(index, 4))
        for index in range(4)
    ]
    assert sum(part.total for part in parts) == whole.total
    assert sorted(run for part in parts for run in done(part)) == sorted(done(whole))


def interrupting(runs: int) -> Workers:
    """Return workers that Ctrl-C ends after some runs."""

    def breaking(tasks: Iterator[Task]) -> Iterator[list[Run]]:
        for count, batch in enumerate(here(tasks)):
            if count == runs:
                raise KeyboardInterrupt
            yield batch

    return breaking


def test_interrupted_and_resumed(tmp_path: Path) -> None:
    wanted = plan("cross:4..5:boards=4", methods=("greedy", "auto"))
    with Study(tmp_path / "a.study", create=True) as study:
        with pytest.raises(KeyboardInterrupt):
            compare(study, wanted, interrupting(10))
        assert len(content(study)) == 10
        tally = compare(study, wanted, here)
        assert (tally.stored, tally.done) == (10, 6)
        assert content(study) == sorted(done(wanted))


def test_a_file_that_has_changed_is_asked_again(tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    methods = tuple(chosen(("auto",)))
    with Study(":memory:", create=True) as study:
        for rows, runs in (("00\n00\n", 1), ("00\n00\n", 0), ("01\n10\n", 1)):
            file.write_text(rows)
            files = BoardFiles(tuple(find_files([str(tmp_path), "nothing.txt"])[0]), read)
            tally = compare(study, Plan((files,), methods), here)
            assert tally.done == runs
            assert len(tally.unreadable) == 1
        assert len(content(study)) == 1
        compare(study, Plan((files,), tuple(chosen(("greedy",)))), here)
        file.write_text("00\n00\n")
        compare(study, Plan((files,), methods), here)
        assert [run.method for run in study.runs()] == ["auto"]  # no other has asked about this one
        (board,) = study.of_several_contents()
        assert board.endswith("board.txt")


def test_the_boards_of_a_folder_are_those_that_mean_to_be_boards(tmp_path: Path) -> None:
    boards = {
        "grid.txt": "01\n10\n",
        "graph.json": '{"nodes": 2, "edges": [[0, 1]]}',
        "wiring.json": '{"lights": 2, "buttons": [{"toggles": [0, 1]}]}',
    }
    empty = tmp_path / "empty"
    empty.mkdir()
    others = {"list.json": "[[0, 1]]", "manifest.json": '{"schema": "ponder.family/1"}'}
    for name, content_of_file in {
        **boards,
        **others,
        "notes.md": "01",
        ".hidden.txt": "01",
    }.items():
        (tmp_path / name).write_text(content_of_file)
    named = [{path.name for path in paths} for paths in find_files([str(tmp_path)])]
    assert named == [set(boards), set(others)]
    with pytest.raises(PonderError, match="no boards in this folder"):
        find_files([str(empty)])


# -------------------------------------------------------------- methods that are wrong or die


@pytest.mark.parametrize(
    ("name", "trouble"),
    [
        ("wrong_order", "rejected"),
        ("wrong_impossible", "rejected"),
        ("wrong_bound", "rejected"),
        ("crashing", "crashed"),
        ("greedy_for_memory", "lost"),
        ("no_result", "crashed"),
    ],
)
def test_what_is_wrong_is_told(name: str, trouble: str) -> None:
    kinds = Counter(
        run.trouble.partition(":")[0] for run in done(planned(name, "cross:4:boards=40"))
    )
    assert kinds[trouble]
    assert set(kinds) <= {trouble, ""}


@pytest.mark.deep
@pytest.mark.parametrize("name", ["deadly", "endless"])
def test_a_run_that_kills_its_process_or_does_not_end_costs_itself_alone(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(planted.ASLEEP, str(tmp_path / "asleep"))
    monkeypatch.setattr("ponder.studies.executors.overtime", lambda timeout: timeout)
    wanted = planned(name, "cross:4:boards=8", timeout=None if name == "deadly" else 1.0)
    drawn = boards_of(wanted)
    runs = done(wanted, partial(by_processes, count=2))
    assert len(runs) == 8
    for run in runs:
        hit = planted.hit(drawn[run.sha256])
        kind = "lost" if name == "deadly" else "late"
        assert run.trouble.startswith(f"{kind}: ") if hit else run.verdict != "unknown"
    assert any(run.trouble for run in runs)


def test_contradictions_are_told() -> None:
    blank = Run("a", "one", 0, "cross", "2×2", 4, "0" * 64, command="order", checked=1)
    solved = blank._replace(verdict="solved", presses=3, bound=2)
    false = (
        blank._replace(method="two", verdict="impossible"),
        blank._replace(method="two", verdict="unknown", bound=4),
        blank._replace(method="two", verdict="impossible", command="solve"),
        blank._replace(method="two", verdict="unknown", bound=4, command="solve"),
        blank._replace(method="two", verdict="unknown", bound=2, said="no order"),
    )
    true = (
        blank._replace(method="two", verdict="solved", presses=4, bound=3),
        blank._replace(method="two", verdict="impossible", sha256="1" * 64),
        blank._replace(method="two", verdict="impossible", trouble="rejected: planted"),
    )
    for other in (*false, *true):
        with Study(":memory:", create=True) as study:
            study.add([solved, other])
            told = study.contradictions()
            assert len(told) == (other in false), other
            assert all(("at least" in text) == (other.bound == 4) for text in told)
    with Study(":memory:", create=True) as study:  # solve may do what order cannot
        study.add([solved._replace(command="solve"), false[0]])
        assert study.contradictions() == []


# ------------------------------------------------------------------------------------ what is told


def test_the_table_and_the_file(tmp_path: Path) -> None:
    wanted = plan("cross:4:boards=9", "plus:4:boards=4", methods=("greedy", "auto"))
    with Study(tmp_path / "a.study", create=True) as study:
        compare(study, wanted, here)
        table = lines(study.runs())
        assert [(line.family, line.method, line.runs) for line in table] == [
            ("cross", "auto", 9), ("cross", "greedy trials=3", 9), ("plus", "auto", 4),
            ("plus", "greedy trials=3", 4),
        ]  # fmt: skip
        exact, greedy = table[:2]
        assert exact.solved == exact.possible == greedy.possible >= greedy.solved
        assert exact.solved + sum(exact.impossible.values()) == exact.runs
        assert len(text(table)) == 5
        assert write_csv(study, tmp_path / "runs.csv") == 26
        runs = content(study)
    with (tmp_path / "runs.csv").open(encoding="utf-8") as file:
        assert [row["sha256"] for row in csv.DictReader(file)] == [run.sha256 for run in runs]
    with read_studies([tmp_path / "a.study", tmp_path / "a.study"]) as together:
        assert content(together) == runs


def test_a_row_is_right_against_all_methods_of_its_question() -> None:
    """Solve solves boards that have no order: these do not count against order."""
    table = lines(done(plan("cross:4:boards=12", methods=("auto", "solve"))))
    auto, fewest = table
    assert auto.possible == auto.solved < fewest.solved == fewest.possible == 12


def test_other_files_are_no_studies(tmp_path: Path) -> None:
    for content_of_file in (b"no database at all, " * 99, b""):
        file = tmp_path / "other"
        file.write_bytes(content_of_file)
        with pytest.raises(PonderError, match="other: "):
            Study(file)
    with pytest.raises(PonderError, match="no such study"):
        Study(tmp_path / "none")
    wanted = plan("cross:4:boards=2", methods=("auto",))
    for change in (
        *("solve_seconds = 'abc'", "bulbs = NULL", "bulbs = 'many'", "check_timeout = -1"),
        *("solve_seconds = 9e999", "checked = 0.5", "reason = x'ff'", ""),
    ):
        file = tmp_path / "damaged.study"
        file.unlink(missing_ok=True)
        with Study(file, create=True) as study:
            compare(study, wanted, here)
            with study.database:
                damage = f"UPDATE runs SET {change}" if change else "ALTER TABLE runs DROP trials"
                study.database.execute(damage)
        with pytest.raises(PonderError, match=r"damaged.study: "), Study(file) as study:
            lines(study.runs())


@pytest.mark.deep
def test_plots_are_drawn_and_repeatable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    figures = pytest.importorskip("matplotlib.figure", reason="the extra plots is not installed")

    def interrupted(self: object, target: IO[bytes] | Path, **_: object) -> None:
        with open(target, "wb") if isinstance(target, Path) else nullcontext(target) as file:
            file.write(b"a part")
        raise KeyboardInterrupt

    with Study(":memory:", create=True) as study:
        compare(study, plan("cross:3..5:boards=4", methods=("greedy", "auto")), here)
        names = [[path.name for path in draw_plots(study, tmp_path / x)] for x in "ab"]
        monkeypatch.setattr(figures.Figure, "savefig", interrupted)
        with pytest.raises(KeyboardInterrupt):
            draw_plots(study, tmp_path / "c")
    assert list((tmp_path / "c").iterdir()) == []
    assert names[0] == names[1] == ["success.svg", "success.png", "cactus.svg", "cactus.png"]
    for name in names[0]:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


# --------------------------------------------------------------------------------- many machines


@pytest.mark.deep
@pytest.mark.cluster
def test_a_cluster_says_the_same_and_loses_one_run(monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed", reason="the extra cluster is not installed")
    import dask

    wanted = plan("cross:4:boards=9", methods=("greedy", "auto"))
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1}),
        distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=None) as cluster,
    ):
        workers = partial(by_cluster, address=cluster.scheduler_address)
        assert done(wanted, workers) == done(wanted)
        deadly = planned("deadly", "cross:4:boards=8")
        boards = boards_of(deadly)
        runs = done(deadly, workers)
        for run in runs:  # a run may wait at a worker that another one takes with it
            assert run.trouble.startswith("lost: ") or not planted.hit(boards[run.sha256])
        assert any(run.verdict != "unknown" for run in runs)


@pytest.mark.deep
@pytest.mark.cluster
def test_no_scheduler_is_one_line() -> None:
    pytest.importorskip("distributed", reason="the extra cluster is not installed")
    with pytest.raises(PonderError, match="no Dask scheduler answers there"):
        list(by_cluster(iter(()), "tcp://127.0.0.1:1"))


# ------------------------------------------------------------------------------ names of methods


@pytest.mark.parametrize(
    "name",
    [
        *("greedi", "greedy:x", "greedy:random:up", "sat", "sat:x", "sat:cpsat_time"),
        *("cpsat:precedence", "asp:x", "none.here:f", "math:none"),
    ],
)
def test_methods_that_are_none(name: str) -> None:
    with pytest.raises(PonderError, match=r"method|encoding|model"):
        chosen((name,))


def test_a_method_in_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("method_of_mine.py").write_text("from ponder import order as f\n")
    before = sys.path.copy()
    assert chosen(("method_of_mine:f",))[0].name == "method_of_mine:f"
    assert sys.path == before


def test_names_of_methods() -> None:
    assert [method.name for method in chosen(())] == ["greedy", "auto"]
    assert len(chosen(("greedy:all", "greedy:random:forwards"))) == 6
    assert chosen((), solvers=("cadical195",))[-1].name == "sat:precedence by cadical195"
    for solver, reason in (
        ("kissatt {cnf}", "is not on the PATH"),
        ("sleep 100", "neither a command with {cnf}"),
        ("true '{cnf}", "cannot be read"),
    ):
        with pytest.raises(PonderError, match=reason):
            chosen((), solvers=(solver,))


def test_a_no_without_a_checked_proof_is_unproved(tmp_path: Path) -> None:
    """Of a liar, a solver without proofs, and one whose proof is not checked, or not in time."""
    liar = fake(tmp_path, "print('s UNSATISFIABLE')")
    solvers = (liar, "minisat22", "cadical195")
    methods = tuple(chosen((), solvers=solvers, encodings=("half_factor",)))[1:]
    solvable, refused = parse_family("balanced:4:boards=1"), parse_family("cut:4:boards=1")
    for check, reason in ((9.0, ""), (0.0, "no check was asked"), (1e-9, "while its proof was")):
        asked = methods[2:] if reason else methods
        *unproved, last = sorted(
            done(Plan((refused,), asked, limits=(9.0, 9.0, check))),
            key=lambda run: run.method.endswith("cadical195"),
        )
        for run in (*unproved, *[last] * (reason != "")):
            assert (run.verdict, run.said) == ("unknown", "no order")
            assert run.encode_seconds
            assert json.loads(json.dumps(asdict(lines([run])[0])))["unproved"] == {run.reason: 1}
        assert reason in last.reason
        assert reason or last.verdict == "impossible"
    with Study(":memory:", create=True) as study:  # where an order is known, it is wrong
        compare(study, Plan((solvable,), (methods[0], *chosen(("auto",)))), here)
        assert any("says no order" in said for said in study.contradictions())


@pytest.mark.parametrize(
    ("body", "arguments", "reason"),
    [
        ("n = int(open(cnf).read().split()[2])\n", "", "wrong model"),
        ("print('s UNSATISFIABLE')", " {proof}", "no proof"),
        ("open(sys.argv[2], 'w').write('0\\n')\nprint('s UNSATISFIABLE')", " {proof}", "refused"),
        ("sys.exit(1)", "", "died"),
    ],
)
def test_a_solver_that_fails_is_told(
    body: str, arguments: str, reason: str, tmp_path: Path
) -> None:
    if reason == "wrong model":
        body += "print('s SATISFIABLE\\nv', *(-v for v in range(1, n + 1)), 0)"
    (method,) = chosen((), solvers=(fake(tmp_path, body) + arguments,))[1:]
    boards = BoardFiles((INSTANCES / "plus-5x5-order.txt",), read)
    with Study(":memory:", create=True) as study:
        compare(study, Plan((boards,), (method,)), here)
        failures = study.troubles(FAILING)
    assert len(failures) == 1
    assert "failed: " in failures[0]
    assert reason in failures[0]


def test_parts_have_limits_of_their_own() -> None:
    (method,) = chosen(("sat:precedence",))
    (item,) = parse_family("plus:12:boards=1")
    reasons = [
        run_task(Task(item, method, 0, limits)).reason
        for limits in ((1e-9, 9.0, 9.0), (99.0, 1e-9, 9.0))
    ]
    assert ["in encoding" in reason for reason in reasons] == [True, False]
    assert all("time limit" in reason for reason in reasons)


def test_one_process_at_a_time_fills_a_study(tmp_path: Path) -> None:
    file = tmp_path / "a.study"
    with Study(file, create=True):
        with pytest.raises(PonderError, match="another process fills it"):
            Study(file, create=True)
        with Study(file) as reading:
            assert content(reading) == []
    with Study(file, create=True):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["a.study"]
