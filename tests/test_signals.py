"""Ctrl-C, SIGTERM and SIGHUP at any moment: the exit code, and nothing that stays behind."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from ponder.board import Board
from ponder.formats import board_text
from ponder.signals import ENDING
from tests.test_sat import left_over, processes_with  # noqa: F401 - a fixture

ROOT = Path(__file__).parents[1]
HARD = str(ROOT / "instances" / "cross-24x24-no-order.txt")
LONGEST = 4.0
"""Seconds after its start when a command is interrupted at the latest."""

OFTEN = 50
"""Interrupts of each command in the deep test."""

COMMANDS = {
    "solve": ["solve", "{plus}", "--json", "--quiet"],
    "order": ["order", "{plus}", "--json", "--quiet", "--timeout", "20"],
    "order-sat": ["order", HARD, "--method", "sat", "--encoding", "half_factor", "--quiet"],
    "order-cpsat": [
        "order", HARD, "--method", "cpsat", "--encoding", "cpsat_time",
        "--option", "layers=60", "--quiet",
    ],
    "compare": [
        "compare", "--family", "cross:12", "--boards", "3000", "--method", "greedy",
        "--method", "auto", "--workers", "2", "--quiet", "--study", "{folder}/a.study",
    ],
    "compare-sat": [
        "compare", "--family", "cross:10", "--boards", "400", "--method", "sat:half_factor",
        "--workers", "2", "--quiet",
    ],
    "export": [
        "export", HARD, "--encoding", "layered", "--quiet", "-o", "{folder}/out.cnf.gz",
    ],
}  # fmt: skip


@pytest.fixture(autouse=True)
def _signals_are_heard() -> Iterator[None]:
    """Undo `nohup` and `&`: a signal that is ignored here is ignored by children too."""
    before = {number: signal.getsignal(number) for number in ENDING}
    for number in ENDING:
        if before[number] is signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@dataclass
class Seen:
    """What became of interrupted commands."""

    codes: Counter[int] = field(default_factory=Counter)
    early: Counter[int] = field(default_factory=Counter)  # before ponder could listen
    wrong: list[str] = field(default_factory=list)
    slowest: float = 0.0

    def __str__(self) -> str:
        codes = ", ".join(f"{count}× {code}" for code, count in sorted(self.codes.items()))
        early = ", ".join(f"{count}× {code}" for code, count in sorted(self.early.items()))
        return f"{codes}; before Python ran ponder: {early}; slowest end {self.slowest:.2f} s"


def listens(process: subprocess.Popen[str]) -> bool:
    """Whether a process has a handler for SIGTERM, which Python itself never sets."""
    for line in Path(f"/proc/{process.pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("SigCgt:"):
            return bool(int(line.split()[1], 16) >> (signal.SIGTERM - 1) & 1)
    return False


def interrupt(
    name: str,
    folder: Path,
    mark: str,
    after: float | None,
    number: signal.Signals,
    *,
    whole_group: bool = False,
    seen: Seen,
) -> None:
    """Start a command, send it a signal, and look at what it leaves.

    `after` seconds from the moment when it listens; None for one in the first 50 ms of all.
    """
    work = folder / uuid.uuid4().hex
    temporary = work / "tmp"
    temporary.mkdir(parents=True)
    words = [word.format(folder=work, plus=folder / "plus.txt") for word in COMMANDS[name]]
    start = [sys.executable, "-m", "ponder", *words]
    process = subprocess.Popen(
        start, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        env={**os.environ, "TMPDIR": str(temporary), "PONDER_TEST_MARK": mark}, cwd=ROOT,
    )  # fmt: skip
    with process:
        if after is None:
            time.sleep(random.random() * 0.05)
        else:
            while process.poll() is None and not listens(process):
                time.sleep(0.001)
            time.sleep(after)
        early = process.poll() is None and not listens(process)
        begin = time.monotonic()
        if process.poll() is None:
            (os.killpg if whole_group else os.kill)(process.pid, number)
        try:
            out, errors = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            seen.wrong.append(f"{name} hangs after {after} s")
            os.killpg(process.pid, signal.SIGKILL)
            return
    seen.slowest = max(seen.slowest, time.monotonic() - begin)
    code = process.returncode
    if early:
        seen.early[code] += 1
        return
    seen.codes[code] += 1
    story = f"{name}, {number.name} after {after}: exit {code}, {errors!r}"
    if code not in (128 + number, 0, 3):  # it may have been done
        seen.wrong.append(story)
    if "Traceback" in errors or "Exception" in errors or errors.count("\n") > 1:
        seen.wrong.append(story)
    if out and name in ("solve", "order") and not out.endswith("}\n"):
        seen.wrong.append(f"{story}: half an answer")
    if processes_with(mark):
        seen.wrong.append(f"{story}: left {processes_with(mark)}")
    left = [path.name for path in temporary.iterdir()]
    if left:
        seen.wrong.append(f"{story}: left {left}")
    files = {path.name for path in work.iterdir()} - {"tmp"}
    if code and not files <= {"a.study"}:
        seen.wrong.append(f"{story}: left {files}")


def write_board(folder: Path) -> None:
    """Write a board that `solve` works on for minutes."""
    board = Board.from_grid(np.random.default_rng(5).random((30, 30)) < 0.5, "plus")
    (folder / "plus.txt").write_text(board_text(board), encoding="utf-8")


@pytest.mark.parametrize("name", COMMANDS)
def test_interrupted(tmp_path: Path, left_over: str, name: str) -> None:  # noqa: F811
    """Each command by each signal, early and late."""
    write_board(tmp_path)
    rng = random.Random(name)
    seen = Seen()
    for number, after in zip(ENDING, [0.02, 0.3, 1.5], strict=True):
        at = rng.random() * after
        interrupt(name, tmp_path, left_over, at, number, whole_group=after == 1.5, seen=seen)
    assert seen.wrong == []


@pytest.mark.deep
@pytest.mark.parametrize("name", COMMANDS)
def test_interrupted_often(tmp_path: Path, left_over: str, name: str) -> None:  # noqa: F811
    write_board(tmp_path)
    rng = random.Random(1)
    seen = Seen()
    for k in range(OFTEN):
        after = rng.choice([0.1, 0.5, LONGEST]) * rng.random() if k % 10 else None
        number = signal.SIGINT if k % 4 else rng.choice(ENDING[1:])
        group = rng.random() < 0.5
        interrupt(name, tmp_path, left_over, after, number, whole_group=group, seen=seen)
    print(f"{name}: {seen}")
    assert seen.wrong == []
