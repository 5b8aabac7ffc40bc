"""The fuzzers: a few batches of every kind with a fixed seed, and planted faults that they find."""

from __future__ import annotations

import io
import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest

from ponder.check.certificate import Refuted
from ponder.model.board import Board
from tests.fuzz import KINDS, Failure, limits, running
from tests.fuzz.calling import Call, complaint, judged, tried
from tests.fuzz.puzzles import puzzle
from tests.fuzz.shrinking import Patience, shrunk
from tests.processes import HANG

SEED = 10
BATCHES = 2
NOTHING = Refuted(np.zeros(0, np.int64))


@pytest.mark.parametrize("kind", KINDS)
def test_a_few_batches_find_nothing(kind: str) -> None:
    for batch in range(1, BATCHES + 1):
        answer = running.do(SEED, kind, batch)
        assert isinstance(answer, int), running.describe(answer, SEED)
        assert answer > 0


def test_the_boards_are_what_they_say() -> None:
    """The edges worked out by the definition of the patterns are those of ponder's graphs."""
    seen = set()
    for number in range(200):
        made = puzzle(running.generator(SEED, "puzzles", number))
        graph = made.board.graph
        near = [(u, v) for u in range(graph.size) for v in graph.neighbours(u).tolist() if u < v]
        assert tuple(near) == made.edges, made.content
        assert graph.labels(range(graph.size)) == list(made.labels)
        seen.add((graph.pattern.split()[0], made.rule, made.board.goal_name))
    assert len(seen) > 40


# --------------------------------------------------------------------------- planted faults


def test_a_crash_is_found_and_shrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    def fragile(board: Board, limit: object = None) -> NoReturn:
        raise ZeroDivisionError("planted")

    monkeypatch.setattr("ponder.cli.draw.press_sets", fragile)
    files = {"board.txt": b"# a remark\npattern: plus\n0110\n1111\n", "unused": b"x"}
    with pytest.raises(Failure, match="ponder draw ends in ZeroDivisionError: planted") as caught:
        tried(Call(("draw", "board.txt", "--show", "presses", "--coords", "xy"), files))
    assert caught.value.key == "ZeroDivisionError in cli/draw.py:_on_terminal"
    shown = caught.value.reproduction.splitlines()
    assert shown[-1] == "$ ponder draw board.txt --show presses"
    assert len(shown) == 2
    assert len(shown[0]) <= len("board.txt = b'0'")


@pytest.mark.parametrize(
    ("code", "err", "wrong"),
    [
        (4, "", "exit code 4"),
        (-6, "", "exit code -6"),
        (10, "", "exit code 10"),
        (2, "", "no lines of reason"),
        (2, "ponder: one\nponder: two\n", "2 lines of reason"),
        (2, "ponder: \n", "no reason"),
        (2, "ponder: " + "a" * 2000 + "\n", "a reason without end"),
        (2, "ponder: \x1b[31m is not a board\n", "a control character on standard error"),
        (1, "Traceback (most recent call last):\n", "'Traceback' on standard error"),
        (0, "ponder: internal error\n", "'internal error' on standard error"),
        (0, "a.py:3: RuntimeWarning: overflow\n", "a warning of Python's"),
        (2, "1.00 s  working\nponder: a.txt: is not a board\n", None),
        (2, "ponder: one of 2^3 press sets\nponder: out: is not an answer\n", None),
        (0, "", None),
    ],
)
def test_the_judgement(
    code: int, err: str, wrong: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(arguments: list[str]) -> int:
        import sys

        sys.stderr.write(err)
        return code

    monkeypatch.setattr("ponder.cli.run", run)
    call = Call(("draw", "a.txt"))
    if wrong is None:
        assert judged(call).code == code
        return
    with pytest.raises(Failure) as caught:
        judged(call)
    assert caught.value.description.startswith(f"ponder draw: {wrong} (")


def test_real_processes_are_judged_alike() -> None:
    files = {"board.txt": b"01\n10\n"}
    for words in (("draw", "board.txt"), ("draw", "missing"), ("order", "board.txt", "--trials=0")):
        call = Call(words, files)
        here, real = judged(call), judged(call, real=True)
        assert (here.code, here.out, here.err) == (real.code, real.out, real.err)
        assert complaint(call, real) is None


def test_a_changed_file_is_noticed() -> None:
    files = {"board.txt": b"01\n10\n", "a": b"x"}
    call = Call(("export", "board.txt", "-o", "a"), files, kept=("a",))
    with pytest.raises(Failure, match="a file is changed"):
        judged(call)


def test_a_false_answer_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy as np

    import ponder
    from ponder.check.result import Result

    def wrong(board: Board, **options: object) -> Result:
        return Result(
            command="order", board=board, verdict="solved", method="planted", presses=np.array([0])
        )

    monkeypatch.setattr(ponder, "order", wrong)
    answer = running.do(SEED, "answers", 1)
    assert isinstance(answer, running.Found)
    assert "presses that do not replay" in answer.description
    assert "ponder.order(ponder.parse_board(b'" in answer.reproduction


def test_a_false_proof_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fuzz.formulas.check_lrat", lambda clauses, proof: 1)
    found = [running.do(SEED, "formulas", batch) for batch in range(1, 6)]
    said = [answer.description for answer in found if isinstance(answer, running.Found)]
    assert "check_lrat accepts a refutation of a formula with a model" in said


# ------------------------------------------------------------------------------------- limits


def work_until(happened: Callable[[], bool]) -> None:
    while not happened():
        pass


def test_a_hang_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SECONDS", 0.1)
    heard: list[int] = []
    handler = signal.signal(signal.SIGPROF, lambda number, frame: heard.append(number))
    before = signal.setitimer(signal.ITIMER_PROF, 0.3)
    try:
        with pytest.raises(Failure, match="not over after"), limits.limited("endless", "…"):
            work_until(lambda: False)
        work_until(lambda: bool(heard))  # the alarm that was set before
        assert heard == [signal.SIGPROF]
    finally:
        signal.signal(signal.SIGPROF, handler)
        signal.setitimer(signal.ITIMER_PROF, *before)


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="no /proc")
def test_a_bomb_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MEMORY", 50_000_000)
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    with pytest.raises(Failure, match="greedy: takes") as caught, limits.limited("greedy", "…"):
        b"x" * 200_000_000  # noqa: B018
    assert caught.value.key == "memory: greedy"
    with limits.limited("modest", "…"):
        b"x" * 1_000_000  # noqa: B018


# ------------------------------------------------------------------------------------- runner


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Python's own way to hear Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupted(batch: int) -> NoReturn:
    """Interrupt the runner from the process that works for it."""
    os.kill(os.getppid(), signal.SIGINT)
    time.sleep(3600)
    raise AssertionError(batch)


@pytest.mark.usefixtures("ctrl_c")
def test_the_runner_survives_and_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of eight batches one dies, one is silent, one fails twice alike, and all are counted."""

    def do(seed: int, kind: str, batch: int, known: list[str]) -> int | running.Found:
        assert seed == SEED
        match batch:
            case 2:
                os._exit(3)
            case 3:
                time.sleep(3600)
            case 4 | 5:
                again = "" if known and "planted" in known else "how"
                return running.Found(kind, batch, "planted", "it fails", again)
            case 9:
                interrupted(batch)
        return 7

    def ask(worker: running._Worker, kind: str, batch: int, known: list[str]) -> object:
        monkeypatch.setattr(running, "SILENCE", 0.2 if batch == 3 else HANG)
        return asked(worker, kind, batch, known)

    asked = running._Worker.ask
    monkeypatch.setattr(running, "do", do)
    monkeypatch.setattr(running._Worker, "ask", ask)
    out = io.StringIO()
    tally = running.run(["boards"], 3600.0, SEED, out)
    assert [found.batch for found in tally.found.values()] == [2, 3, 4]
    assert [found.key for found in tally.found.values()] == [
        "boards: the process died (exit code 3)",
        "boards: hangs where no alarm is heard",
        "planted",
    ]
    counts = tally.counts["boards"]
    assert (counts.batches, counts.failing, counts.inputs) == (9, 4, 4 * 7 + 4)
    assert out.getvalue().count("made again by: python -m tests.fuzz --kind boards --batch") == 3
    assert "3 different failures:" in list(running.summary(tally))


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_prints_the_counts_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    def do(seed: int, kind: str, batch: int, known: list[str]) -> int:
        return 7 if batch < 3 else interrupted(batch)

    monkeypatch.setattr(running, "do", do)
    tally = running.run(["boards"], 3600.0, SEED, io.StringIO())
    assert tally.counts["boards"].inputs == 14
    assert list(running.summary(tally))[-1] == "no failure"
    assert multiprocessing.active_children() == []


def test_the_same_seed_makes_the_same_batch() -> None:
    def made(seed: int, batch: int) -> bytes:
        return puzzle(running.generator(seed, "boards", batch)).content

    assert made(1, 2) == made(1, 2)
    assert len({made(seed, batch) for seed in range(3) for batch in range(3)}) > 6


def test_shrinking_keeps_the_failure() -> None:
    assert shrunk(b"x" * 999 + b"ab" + b"y" * 99, lambda b: b"ab" in b, Patience()) == b"ab"
    assert shrunk((1, 2, 3), lambda numbers: True, Patience()) == ()
    assert shrunk("abc", lambda text: text == "abc", Patience()) == "abc"
    tries = Patience(tries=3)
    assert len(shrunk("x" * 100, lambda text: "x" in text, tries)) > 1
