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

from ponder.model.board import Board
from ponder.model.formats import board_text
from ponder.model.graph import grid_graph
from ponder.system.child_program import NUMBERS
from ponder.system.signals import ENDING, Ended, deferred_signals
from tests.depth import deeper
from tests.processes import HANG, left_with, processes_with, until

ROOT = Path(__file__).parents[2]
HARD = str(ROOT / "instances" / "cross-24x24-no-order.txt")
LONGEST = 4.0
"""Seconds after its start when a command is interrupted at the latest."""

OFTEN = 25
"""Interrupts of each command in the deep test."""

COMMANDS = {
    "solve": ["solve", "{folder}/../33.txt", "--json", "--quiet"],
    "solve-any": ["solve", "{folder}/../39.txt", "--rule", "any", "--json", "--quiet"],
    "order": ["order", "{folder}/../39.txt", "--json", "--quiet"],
    "order-sat": ["order", HARD, "--method", "sat", "--encoding", "half_factor", "--quiet"],
    "order-cpsat": [
        "order", HARD, "--method", "cpsat", "--encoding", "cpsat_time",
        "--option", "layers=200", "--quiet",
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
def _signals_are_handled() -> Iterator[None]:
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

    def __str__(self) -> str:
        codes = ", ".join(f"{count}× {code}" for code, count in sorted(self.codes.items()))
        early = ", ".join(f"{count}× {code}" for code, count in sorted(self.early.items()))
        return f"{codes}; before Python ran ponder: {early}"


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
    words = [word.format(folder=work) for word in COMMANDS[name]]
    start = [sys.executable, "-m", "ponder", *words]
    # Into a file: a pipe that nobody reads is full after 64 kB, and holds up the rest of an answer.
    answer = work / "answer"
    with answer.open("wb") as to:
        process = subprocess.Popen(
            start, stdout=to, stderr=subprocess.PIPE, text=True, start_new_session=True,
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
        if process.poll() is None:
            (os.killpg if whole_group else os.kill)(process.pid, number)
        try:
            _, errors = process.communicate(timeout=HANG)
        except subprocess.TimeoutExpired:
            seen.wrong.append(f"{name} hangs after {after} s")
            os.killpg(process.pid, signal.SIGKILL)
            return
    out = answer.read_text(encoding="utf-8")
    answer.unlink()
    code = process.returncode
    if early:
        seen.early[code] += 1
        return
    seen.codes[code] += 1
    story = f"{name}, {number.name} after {after}: exit {code}, {errors!r}"
    if code not in (128 + number, 0, 3):  # it may have been done
        seen.wrong.append(story)
    answered = bool(out) and number == signal.SIGINT  # what was known says itself that it ended
    line = f"ponder: {Ended(number)}\n" if code == 128 + number and not answered else ""
    if errors != line:
        seen.wrong.append(story)
    if out and "--json" in words and not out.endswith("}\n"):
        seen.wrong.append(f"{story}: half an answer")
    if running := left_with(mark):
        seen.wrong.append(f"{story}: left {running}")
    left = [path.name for path in temporary.iterdir()]
    if left:
        seen.wrong.append(f"{story}: left {left}")
    files = {path.name for path in work.iterdir()} - {"tmp"}
    if code and not files <= {"a.study"}:
        seen.wrong.append(f"{story}: left {files}")


def write_boards(folder: Path) -> None:
    """Write boards with many press sets: `solve` works on them for seconds or minutes."""
    for size in (33, 39):
        graph = grid_graph("plus", (size, size))
        presses = np.random.default_rng(6).random(graph.size) < 0.5
        board = Board.from_grid(graph.to_grid(~graph.apply(presses)), "plus")
        (folder / f"{size}.txt").write_text(board_text(board), encoding="utf-8")


@pytest.mark.parametrize("name", COMMANDS)
def test_interrupted(tmp_path: Path, left_over: str, name: str) -> None:
    """Each command by one of the signals, early or late; the deep test has them all."""
    write_boards(tmp_path)
    rng = random.Random(name)
    seen = Seen()
    k = [*COMMANDS].index(name) % 3
    number, after = ENDING[k], (0.02, 0.2, 0.7)[k]
    at = rng.random() * after
    interrupt(name, tmp_path, left_over, at, number, whole_group=k == 2, seen=seen)
    assert seen.wrong == []


@pytest.mark.deep
@pytest.mark.parametrize("name", COMMANDS)
def test_interrupted_often(tmp_path: Path, left_over: str, name: str) -> None:
    write_boards(tmp_path)
    rng = random.Random(1)
    seen = Seen()
    for k in range(OFTEN):
        after = rng.choice([0.1, 0.5, LONGEST]) * rng.random() if k % 10 else None
        number = signal.SIGINT if k % 4 else rng.choice(ENDING[1:])
        group = rng.random() < 0.5
        interrupt(name, tmp_path, left_over, after, number, whole_group=group, seen=seen)
    print(f"{name}: {seen}")
    assert seen.wrong == []


# ------------------------------------------------------------------------------------- bad moments


def told(code: str, number: signal.Signals, **more: str) -> tuple[int, str]:
    """Run Python code, send it a signal when it prints a line, and a line then.

    Return exit code and errors.
    """
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, env={**os.environ, **more}, cwd=ROOT,
    )  # fmt: skip
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "here\n"
        process.send_signal(number)
        _, errors = process.communicate("told\n", timeout=HANG)
    return process.returncode, errors


@pytest.mark.parametrize("number", ENDING)
def test_before_the_command_line_is_loaded(tmp_path: Path, number: signal.Signals) -> None:
    slow = "import time\nprint('here', flush=True)\ntime.sleep(60)\n"
    (tmp_path / "click.py").write_text(slow, encoding="ascii")
    code = "from ponder.__main__ import main; main()"
    ended, errors = told(code, number, PYTHONPATH=str(tmp_path))
    assert (ended, errors) == (128 + number, f"ponder: {Ended(number)}\n")


IMPORTS = {
    "loses it": "pass",
    "makes it another": "raise ImportError('broken')",
    "has no end": "time.sleep(600)",
}


@pytest.mark.parametrize("what", IMPORTS)
@pytest.mark.parametrize("number", ENDING)
def test_in_an_import(tmp_path: Path, what: str, number: signal.Signals) -> None:
    """Such as the first one of numpy and of OR-tools, which are long, and partly C."""
    module = (
        "import time\nfrom ponder.system import signals\ntry:\n"
        "    print('here', flush=True)\n"
        "    while signals.received() is None: time.sleep(0.001)\n"
        "    time.sleep(0.1)\n"  # it comes again and again
        f"finally:\n    {IMPORTS[what]}\n"
    )
    (tmp_path / "numpy.py").write_text(module, encoding="ascii")
    board = str(ROOT / "instances" / "ibm-2023-04-example-4x4.txt")
    code = f"from ponder.__main__ import main; import sys; sys.argv[1:] = ['order', {board!r}]\n"
    code += "from ponder.system import signals; signals.PATIENCE = 0.5\n" if "end" in what else ""
    ended, errors = told(code + "main()", number, PYTHONPATH=str(tmp_path))
    assert (ended, errors) == (128 + number, f"ponder: {Ended(number)}\n")


def test_in_a_destructor() -> None:
    """Python drops the exception there, and only says so."""
    code = """
import time
from ponder.system import signals
class Slow:
    def __del__(self):
        print("here", flush=True)
        time.sleep(60)
signals.listen()
slow = Slow()
try:
    with signals.command():
        del slow
        for _ in range(1000):
            time.sleep(0.01)
except signals.Ended as ended:
    signals.leave(ended.code)
"""
    assert told(code, signal.SIGTERM) == (143, "")


def test_in_a_finder_of_modules() -> None:
    """It takes every ImportError for its own and goes on: the handler must not raise one."""
    code = """
import builtins, sys, time
from ponder.system import signals
def half_imported(*_):
    raise ImportError("cannot import name, most likely due to a circular import")
def hook(path):
    imports, builtins.__import__ = builtins.__import__, half_imported
    print("here", flush=True)
    while signals.received() is None:
        time.sleep(0.001)
    builtins.__import__ = imports
    raise ImportError("not for me")
signals.listen()
try:
    with signals.command():
        sys.path_hooks.insert(0, hook)
        sys.path.insert(0, "nowhere")
        try:
            import a_module_that_is_nowhere
        except ImportError:
            pass
        for _ in range(1000):
            time.sleep(0.01)
except signals.Ended as ended:
    signals.leave(ended.code)
"""
    assert told(code, signal.SIGTERM) == (143, "")


def test_ignored_from_the_start() -> None:
    """`nohup` is heeded."""
    code = """
import signal
signal.signal(signal.SIGHUP, signal.SIG_IGN)
from ponder.system import signals
signals.listen()
with signals.command():
    print("here", flush=True)
    input()
"""
    assert told(code, signal.SIGHUP) == (0, "")


def test_deferred() -> None:
    """The handlers that were there are called at the end of the outermost block, and stay."""
    heard: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, frame: heard.append(number))
    try:
        with deferred_signals() as outer:
            with deferred_signals() as inner:
                signal.raise_signal(signal.SIGTERM)
                assert (inner, heard) == ([signal.SIGTERM], [])
            assert (outer, heard) == ([signal.SIGTERM], [])
            signal.raise_signal(signal.SIGTERM)
        assert heard == [signal.SIGTERM]
        signal.raise_signal(signal.SIGTERM)
        assert heard == [signal.SIGTERM] * 2
    finally:
        signal.signal(signal.SIGTERM, before)


def test_a_second_interrupt_is_not_deferred() -> None:
    reached: list[int] = []
    with pytest.raises(KeyboardInterrupt), deferred_signals():  # noqa: PT012 - both belong to the block
        for k in range(3):
            reached.append(k)
            signal.raise_signal(signal.SIGINT)
    assert reached == [0, 1]


@pytest.mark.parametrize(
    ("name", "started"),
    [
        ("compare", False),
        ("compare-sat", True),
        ("order-sat", False),
        ("order-cpsat", True),
        deeper("compare", True),
        deeper("compare-sat", False),
        deeper("order-sat", True),
        deeper("order-cpsat", False),
    ],
)
def test_killed(tmp_path: Path, left_over: str, name: str, started: bool) -> None:
    """After `kill -9` workers and solvers end by themselves, at work and at their start."""
    write_boards(tmp_path)
    work = tmp_path / "work"
    work.mkdir()
    words = [word.format(folder=work) for word in COMMANDS[name]]
    process = subprocess.Popen(
        [sys.executable, "-m", "ponder", *words], cwd=ROOT, stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, env={**os.environ, "TMPDIR": str(tmp_path)},
    )  # fmt: skip
    expected = {"order-cpsat": 1, "order-sat": 3, "compare": 3, "compare-sat": 5}[name]
    if not started:
        expected = min(expected, 2)
    assert until(lambda: len(processes_with(left_over)) >= expected)
    process.kill()
    process.wait()
    assert left_with(left_over) == []
    left = list(tmp_path.glob("ponder-*"))
    if not started and left:  # its child was about to be started: nobody is there to remove it
        assert len(left) == 1
        assert {path.name for path in left[0].iterdir()} <= {NUMBERS, "errors.txt"}
    else:
        assert left == []
