"""The row reduction: its steps replayed, what is read off, and how the command shows it."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ponder
from ponder.find.linear import gf2
from ponder.find.linear.press_sets import PressSets, press_sets
from ponder.find.linear.row_reduction import RowReduction, even_patterns, row_reduction
from ponder.model.board import Board
from ponder.model.graph import EdgeGraph, grid_graph
from ponder.pictures.elimination import frames_of
from tests.boards import bits_of, instance, random_edges
from tests.commands import ROOT, here
from tests.processes import HANG

NAMES = ["plus-5x5-order", "plus-5x5-no-solution", "cross-3x4-no-order", "graph-petersen"]


def file_of(name: str) -> str:
    (found,) = ROOT.glob(f"instances/{name}.*")
    return str(found)


def written_out(board: Board) -> list[list[int]]:
    """A | b by pressing every bulb in turn, as lists."""
    size = board.graph.size
    columns = [board.graph.apply(bits_of(1 << v, size)).astype(int).tolist() for v in range(size)]
    return [[column[row] for column in columns] + [int(board.change[row])] for row in range(size)]


def replayed(rows: list[list[int]], found: RowReduction) -> list[list[int]]:
    """The steps, played on a fresh matrix by hand."""
    rows = [list(row) for row in rows]
    for step in found.steps:
        if step.kind == "swap":
            rows[step.source], rows[step.target] = rows[step.target], rows[step.source]
        else:
            added = zip(rows[step.target], rows[step.source], strict=True)
            rows[step.target] = [(x + y) % 2 for x, y in added]
    return rows


@pytest.mark.parametrize("name", NAMES)
def test_the_steps_reduce_a_fresh_matrix(name: str) -> None:
    board = ponder.read(file_of(name))
    found = row_reduction(board)
    rows = replayed(written_out(board), found)
    assert rows == found.reduced.astype(int).tolist()
    for row, column in found.pivots:
        assert [line[column] for line in rows] == [int(k == row) for k in range(len(rows))]
        assert not any(rows[row][:column])
    assert not any(any(row[:-1]) for row in rows[len(found.pivots) :])


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 8), st.randoms(use_true_random=False), st.data())
def test_as_the_fast_linear_stage(size: int, random: object, data: st.DataObject) -> None:
    edges = random_edges(size, data.draw(st.sampled_from([0.2, 0.5, 0.8])), random)  # type: ignore[arg-type]
    lit = bits_of(data.draw(st.integers(0, 2**size - 1)), size)
    graph = EdgeGraph(size, list(edges))
    board = Board(graph, lit, np.ones(size, dtype=np.bool_))
    found, fast = row_reduction(board), press_sets(board)
    assert len(found.pivots) + len(found.free) == size
    assert isinstance(fast, PressSets) == (found.press_set is not None)
    if isinstance(fast, PressSets):
        assert found.odd_witness is None
        assert len(found.free) == fast.nullity
        ours = {(found.press_set ^ sums).tobytes() for sums in _sums(found.quiet_patterns)}
        assert ours == {member.tobytes() for member in fast.members()}
    else:
        witness = found.odd_witness
        assert witness is not None
        assert not graph.apply(witness).any()
        assert (witness & board.change).sum() % 2 == 1
    assert gf2.eliminate(gf2.pack(found.quiet_patterns), size).rank == len(found.free)
    for even in even_patterns(graph, found.quiet_patterns):
        assert even.bulbs.size % 2 == 0


def _sums(basis: np.ndarray) -> list[np.ndarray]:
    found = [np.zeros(basis.shape[1], dtype=np.bool_)]
    for quiet in basis:
        found += [one ^ quiet for one in found]
    return found


def test_a_pattern_that_is_not_quiet_is_refused() -> None:
    with pytest.raises(ValueError, match="not quiet"):
        even_patterns(grid_graph("plus", (2, 2)), np.array([[True, False, False, False]]))


def test_frames_by_press_and_by_step_end_alike() -> None:
    board = instance("plus-5x5-no-solution")
    found = row_reduction(board)
    by_step = list(frames_of(found, board))
    by_press = list(frames_of(found, board, whole_stages=True))
    assert len(by_press) == 25 + 2
    assert len(by_step) == len(found.steps) + 2 + sum(not stage.steps for stage in found.stages)
    for frames in (by_step, by_press):
        assert frames[-1].words == "equation 24 says 0 = 1: no press set"
        assert (frames[-1].rows == found.reduced).all()
        assert frames[-2].pivots == found.pivots
        assert frames[-2].free == found.free == (23, 24)


def test_the_command_lists_and_reads_off(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = here(capsys, "eliminate", file_of("plus-5x5-order"))
    assert code == 0
    assert "press 2 (0,1): exchange equations 2 and 3; add equation 2 to 1, 6, 7" in out
    assert "rank 23: 2 presses are free, 2^2 press sets" in out
    assert out.count("changes nothing") == 2
    code, out, _ = here(capsys, "eliminate", file_of("plus-5x5-no-solution"), "--matrices")
    assert code == 0
    assert "equation 24 says 0 = 1: no press set" in out
    assert "9 of them are lit, and\n  16 must be: an odd number stays odd" in out
    assert len(re.findall(r"^ 25 ", out, re.M)) == 25 + 1


def test_json_replays(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = here(capsys, "eliminate", file_of("cross-3x4-no-order"), "--json")
    found = json.loads(out)
    assert (code, found["schema"]) == (0, "ponder.elimination/1")
    rows = [
        [int(sign) for sign in row + bit]
        for row, bit in zip(found["matrix"], found["change"], strict=True)
    ]
    for step in found["steps"]:
        source, target = step["source"], step["target"]
        if step["kind"] == "swap":
            rows[source], rows[target] = rows[target], rows[source]
        else:
            rows[target] = [x ^ y for x, y in zip(rows[target], rows[source], strict=True)]
    assert ["".join(map(str, row)) for row in rows] == found["reduced"]
    board = ponder.read(file_of("cross-3x4-no-order"))
    presses = board.graph.set_of(board.graph.bulbs(found["press_set"]))
    assert (board.graph.apply(presses) == board.change).all()
    assert len(found["quiet_patterns"]) == len(found["free"]) == len(found["even"]) == 3


def test_why_always_solvable(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = here(capsys, "eliminate", file_of("cross-3x4-no-order"), "--why-always-solvable")
    assert code == 0
    assert "pattern 1: 4 + 4 + 4 + 4 + 4 + 4 = 24 = 6 + 2·9, so 6 is even" in out
    assert out.endswith("toggle every bulb:\n\n◎ ○ ○ ○\n◎ ○ ○ ○\n◎ ○ ○ ○\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ("nowhere.txt",),
        (file_of("ibm-2023-04-24x24"),),
        (file_of("plus-5x5-order"), "--auto"),
        (file_of("plus-5x5-order"), "--json", "--matrices"),
        (file_of("plus-5x5-order"), "-o", "matrix.png"),
        (file_of("plus-5x5-order"), "-o", "no/such/folder/matrix.gif"),
        (file_of("plus-5x5-order"), "--speed", "0"),
    ],
)
def test_bad_input_is_one_line(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = here(capsys, "eliminate", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_animations(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    from PIL import Image

    board = tmp_path / "board.txt"
    board.write_text("pattern: plus\n010\n101\n")
    found = row_reduction(ponder.read(board))
    for form in ("gif", "apng", "svg"):
        out = tmp_path / f"matrix.{form}"
        assert here(capsys, "eliminate", str(board), "-o", str(out))[0] == 0
        data = out.read_bytes()
        if form == "svg":
            tree = ElementTree.fromstring(data)
            space = "{http://www.w3.org/2000/svg}"
            title = tree.findtext(f"{space}title")
            assert title == "board: the row reduction of 6 equations"
            rows, ever = (np.column_stack([found.matrix, found.change]) for _ in range(2))
            for step in found.steps:
                step.apply(rows)
                ever |= rows
            assert len(tree.findall(f".//{space}animate")) >= ever.sum() - 6
        else:
            frames = getattr(Image.open(io.BytesIO(data)), "n_frames", 1)
            assert len(found.steps) < frames <= len(list(frames_of(found, ponder.read(board))))


def on_a_terminal(keys: list[str], *arguments: str) -> str:
    """Run the command on a pseudo-terminal; each key is typed once its picture stands."""
    mine, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "NO_COLOR": "1", "LINES": "24", "COLUMNS": "90"}
    command = [sys.executable, "-m", "ponder", "eliminate", *arguments]
    seen = b""
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=ROOT, env=environment
    ) as process:
        os.close(theirs)
        end = time.monotonic() + HANG
        waiting = list(keys)
        pictures = 0
        while time.monotonic() < end:
            if not select.select([mine], [], [], 1.0)[0]:
                continue
            try:
                new = os.read(mine, 65536)
            except OSError:  # the terminal is closed
                break
            if not new:
                break
            seen += new
            while waiting and seen.count(b"q done") > pictures:
                pictures += 1
                os.write(mine, waiting.pop(0).encode())
        os.close(mine)
        assert process.wait(HANG) == 0
    return seen.decode()


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals")
def test_keys_step_forward_and_back() -> None:
    keys = [" ", "\r", "\x1b[D", "\x1b[B", "e", "q"]
    seen = on_a_terminal(keys, file_of("cross-3x4-no-order"))
    count = len(row_reduction(instance("cross-3x4-no-order")).steps) + 3 + 1
    at = [int(x) for x in re.findall(r"(\d+) of \d+   space", seen)]
    assert at[:4] == [0, 1, 2, 1]
    assert at[4] > 2
    assert at[5] == count
    assert "\x1b[?1049h" in seen
    assert "\x1b[?25h\x1b[?1049l" in seen
    assert "quiet pattern 3" in seen.split("\x1b[?1049l")[1]


def test_auto_plays_to_the_end() -> None:
    seen = on_a_terminal([], file_of("cross-3x4-no-order"), "--auto", "--speed", "50")
    screen, after = seen.split("\x1b[?1049l")
    assert "rank 9: 3 presses are free" in screen
    assert "the press set, without free presses" in after
