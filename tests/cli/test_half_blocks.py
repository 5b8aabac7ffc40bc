"""Boards on a terminal: half blocks where there is one, plain marks elsewhere, played in place."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import time
from fcntl import ioctl
from termios import TIOCSWINSZ

import numpy as np
import pytest

import ponder
from ponder.cli.terminal import SCALES, half_blocks, scale_for
from ponder.model.graph import GridGraph
from tests.boards import INSTANCES
from tests.commands import ROOT, here
from tests.processes import HANG

PAPER, LIT, UNLIT, MARK = 39, 93, 90, 91


def pixels(lines: list[str]) -> list[list[int]]:
    """Return the colours that half blocks show, two rows to a line, 39 where there is none."""
    found: list[list[int]] = []
    for line in lines:
        upper, lower, colours = [], [], (PAPER, PAPER)
        for style, sign in re.findall(r"\x1b\[([0-9;]*)m|(.)", line):
            if not sign:
                parts = [int(part) for part in style.split(";")]
                front = next((part for part in parts if part < 98), PAPER)
                back = next((part - 10 for part in parts if part > 98), PAPER)
                colours = (PAPER, PAPER) if parts == [0] else (front, back)
            elif sign == "▀":
                upper.append(colours[0])
                lower.append(colours[1])
            elif sign == "▄":
                upper.append(PAPER)
                lower.append(colours[0])
            else:
                assert sign == " "
                upper.append(PAPER)
                lower.append(PAPER)
        found += [upper, lower]
    return found


@pytest.mark.parametrize(
    ("columns", "lines", "scale"), [(130, 70, 4), (80, 40, 2), (40, 20, 1), (20, 20, None)]
)
def test_cells_are_as_large_as_the_terminal_allows(columns: int, lines: int, scale: int) -> None:
    assert scale_for(ponder.Board.from_rows(["0" * 30] * 30), columns, lines) == scale


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(
    "name", ["cross-6x7-holes.txt", "plus-triangle-7.txt", "cross-4x7-order.txt"]
)
def test_the_pixels_are_the_board(name: str, scale: int) -> None:
    board = ponder.read(INSTANCES / name)
    shown = pixels(half_blocks(board, scale, board.lit))
    graph = board.graph
    assert isinstance(graph, GridGraph)
    for v, (row, column) in enumerate(zip(graph.rows, graph.columns, strict=True)):
        colour = shown[int(row) * scale][int(column) * scale]
        assert colour == (LIT if board.lit[v] else UNLIT)
    filled = sum(colour != PAPER for line in shown for colour in line)
    assert filled == {1: 1, 2: 4}.get(scale, 8) * board.graph.size + (scale == 4) * board.lit.sum()


@pytest.mark.parametrize("scale", SCALES)
def test_a_mark_is_seen(scale: int) -> None:
    board = ponder.Board.from_rows(["01", "10"], "plus")
    marked = np.array([True, True, False, False])
    shown = pixels(half_blocks(board, scale, board.lit, marked))
    if scale == 1:
        assert shown == [[31, 95], [LIT, UNLIT]]
    else:
        assert sum(colour == MARK for line in shown for colour in line) == 2


class Terminal:
    """A command on a terminal of its own: what it wrote, and how it ended."""

    def __init__(
        self, *arguments: str, size: tuple[int, int] = (50, 100), more: dict[str, str] | None = None
    ) -> None:
        master, slave = pty.openpty()
        ioctl(slave, TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        environment = {**os.environ, "TERM": "xterm", "PYTHONIOENCODING": "utf-8", **(more or {})}
        for name in {"NO_COLOR", "COLUMNS", "LINES"} - set(more or {}):
            environment.pop(name, None)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ponder", *arguments],
            stdin=slave, stdout=slave, stderr=slave, env=environment, cwd=ROOT,
        )  # fmt: skip
        os.close(slave)
        self.master, self.data, self.text = master, b"", ""

    def read(self, until: str | None = None, seconds: float = HANG) -> str:
        """Read to the end, or until something is written."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and (until is None or until not in self.text):
            if not select.select([self.master], [], [], 0.1)[0]:
                if self.process.poll() is not None:
                    break
                continue
            try:
                piece = os.read(self.master, 65536)
            except OSError:
                break
            if not piece:
                break
            self.data += piece
            self.text = self.data.decode(errors="ignore").replace("\r\n", "\n")
        return self.text

    def end(self) -> int:
        """Wait for the command, and return its exit code."""
        code = self.process.wait(HANG)
        os.close(self.master)
        return code


def test_show_on_a_terminal() -> None:
    board = ponder.read(INSTANCES / "cross-4x7-order.txt")
    terminal = Terminal("show", "instances/cross-4x7-order.txt")
    lines = terminal.read().split("\n\n")[1].split("\n")
    assert terminal.end() == 0
    shown = pixels([line for line in lines if line])
    assert [[cell == LIT for cell in row[::4]] for row in shown[::4]] == board.lit.reshape(
        4, 7
    ).tolist()


@pytest.mark.parametrize("more", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"COLUMNS": "6"}])
def test_plain_marks_where_colours_are_not_wanted_or_there_is_no_room(more: dict[str, str]) -> None:
    terminal = Terminal("show", "instances/cross-4x7-order.txt", more=more)
    text = terminal.read()
    assert terminal.end() == 0
    assert "▀" not in text
    assert "●" in text


def test_plain_marks_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = here(capsys, "show", str(INSTANCES / "cross-4x7-order.txt"))
    assert "▀" not in out
    assert "● ○" in out


def test_a_trace_on_a_terminal() -> None:
    terminal = Terminal("order", "instances/ibm-2023-04-example-4x4.txt", "--trace", "--quiet")
    text = terminal.read()
    assert terminal.end() == 0
    assert text.count("press ") == 4
    last = text.split("(1,1)\n\n")[-1]
    assert {cell for row in pixels(last.strip("\n").split("\n")) for cell in row} == {
        PAPER, LIT, MARK,
    }  # fmt: skip


def test_an_order_is_played_in_place() -> None:
    terminal = Terminal(
        "order", "instances/ibm-2023-04-example-4x4.txt", "--animate", "--speed", "50"
    )
    text = terminal.read()
    assert terminal.end() == 0
    start, end = text.index("\x1b[?25l"), text.index("\x1b[?25h")
    frames = re.split(r"\x1b\[10F", text[start:end])
    assert len(frames) == 6
    assert [re.findall(r"press \d of 4, \d+ lit", frame) for frame in frames][-1] == [
        "press 4 of 4, 16 lit"
    ]
    assert "4 presses" in text[end:]


def test_ctrl_c_brings_the_cursor_back() -> None:
    terminal = Terminal(
        "order", "instances/plus-5x5-order.txt", "--animate", "--speed", "0.2", size=(12, 30)
    )
    terminal.read(until="press 0 of 10")
    terminal.process.send_signal(signal.SIGINT)
    text = terminal.read(until="interrupted")
    assert terminal.end() == 130
    assert text.index("\x1b[?25l") < text.index("\x1b[?25h")
    assert text.rstrip().endswith("ponder: interrupted")


@pytest.mark.parametrize(
    ("more", "reason"),
    [([], "standard output is not one"), (["--json"], "excludes --json")],
)
def test_playing_needs_a_terminal(
    more: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, error = here(
        capsys, "order", str(INSTANCES / "plus-5x5-order.txt"), "--animate", *more
    )
    assert code == 2
    assert reason in error


def test_a_terminal_that_is_too_low_is_told_so() -> None:
    terminal = Terminal("order", "instances/plus-10x10-order.txt", "--animate", size=(5, 80))
    text = terminal.read()
    assert terminal.end() == 2
    assert "its picture has 10 lines, the terminal 2" in text
