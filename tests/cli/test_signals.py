"""Signals and streams, one test for each event: the exit code, and nothing that stays behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ponder.model.board import Board
from ponder.model.formats import board_text
from ponder.model.graph import grid_graph
from ponder.system.machine import deferred_signals
from tests.processes import HANG, left_with, processes_with, until

ROOT = Path(__file__).parents[2]
PONDER = [sys.executable, "-m", "ponder"]
HARD = str(ROOT / "instances" / "cross-24x24-no-order.txt")


@pytest.fixture
def board(tmp_path: Path) -> str:
    """A board that is searched for minutes."""
    graph = grid_graph("plus", (39, 39))
    presses = np.random.default_rng(5).random(graph.size) < 0.5
    lit = ~graph.apply(presses)
    file = tmp_path / "39.txt"
    file.write_text(board_text(Board(graph, lit, lit | True)), encoding="utf-8")
    return str(file)


def interrupted(
    arguments: list[str],
    work: float = 0.0,
    number: int = signal.SIGINT,
    mark: str | None = None,
) -> tuple[int, str]:
    """Run a command, and send it a signal after some processor seconds: exit code, standard error.

    With a `mark`, the signal is sent when a child works for the command.
    """

    def is_due() -> bool:
        if process.poll() is not None:
            return True
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        spent = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return spent >= work and (mark is None or len(processes_with(mark)) >= 2)

    with subprocess.Popen(
        [*PONDER, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        assert until(is_due)
        process.send_signal(number)
        _, err = process.communicate(timeout=HANG)
    return process.returncode, err


def test_ctrl_c_ends_a_search_with_what_is_known(board: str, left_over: str) -> None:
    code, err = interrupted(["solve", board, "--json", "--quiet"], 1.2)
    assert code == 130
    assert "Traceback" not in err


def test_ctrl_c_ends_the_child_that_solves(left_over: str) -> None:
    words = ["order", HARD, "--method", "sat", "--encoding", "half_factor", "--quiet"]
    code, err = interrupted(words, mark=left_over)
    assert code == 130, err
    assert "Traceback" not in err


def test_ctrl_c_while_the_command_is_loaded() -> None:
    code, err = interrupted(["order", HARD], 0.05)
    assert code in (130, -signal.SIGINT) or "KeyboardInterrupt" in err  # of Python itself
    assert "Traceback" not in err or "KeyboardInterrupt" in err


def test_sigterm_leaves_no_file(tmp_path: Path, left_over: str) -> None:
    words = ["export", HARD, "--encoding", "layered", "-o", str(tmp_path / "out.cnf.gz")]
    code, err = interrupted(words, 0.5, signal.SIGTERM)
    assert code == 143
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []


def test_a_killed_command_leaves_no_process(left_over: str) -> None:
    words = ["order", HARD, "--method", "sat", "--encoding", "half_factor", "--quiet"]
    interrupted(words, number=signal.SIGKILL, mark=left_over)
    until(lambda: left_with(left_over) == [])


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f"{sys.executable} -m ponder order instances/ibm-2023-04-30x30.txt"
    for reader in ("--trace | head -n 1", "--json | true"):
        line = f"{command} {reader} > /dev/null; echo ${{PIPESTATUS[0]}}"
        done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, cwd=ROOT)
        assert (done.stdout, done.stderr) == ("0\n", "")
    line = f"echo '[]' | {sys.executable} -m ponder verify instances/king-6x6.txt - 2>&1 | true"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", line], text=True, cwd=ROOT)
    assert done.returncode == 1


@pytest.mark.parametrize("stream", [">&-", "> /dev/full", "2>&-"])
def test_closed_and_full_streams(stream: str) -> None:
    line = f"{sys.executable} -m ponder order instances/ibm-2023-04-example-4x4.txt {stream}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode in (0, 2)
    assert "Traceback" not in done.stderr


def test_signals_wait_for_a_block() -> None:
    caught: list[int] = []
    ended = False
    try:
        with deferred_signals() as caught:
            os.kill(os.getpid(), signal.SIGINT)
            ended = True
    except KeyboardInterrupt:
        assert ended
    assert caught == [signal.SIGINT]
