"""`ponder draw`: what it writes, what it draws by default, and what it refuses."""

from __future__ import annotations

import json
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

import ponder
from tests.boards import INSTANCES
from tests.commands import ROOT, here
from tests.pictures import reading
from tests.processes import HANG

ORDERED = INSTANCES / "plus-5x5-order.txt"
REFUSED = INSTANCES / "plus-10x10-no-order.txt"


@pytest.fixture
def answers(tmp_path: Path) -> dict[str, Path]:
    """Results as files: of an order, of a refusal, of a sequence with repeats."""
    found = {}
    for name, result in (
        ("order", ponder.order(ponder.read(ORDERED))),
        ("refusal", ponder.order(ponder.read(REFUSED))),
        ("repeats", ponder.solve(ponder.read(REFUSED))),
    ):
        found[name] = tmp_path / f"{name}.json"
        found[name].write_text(json.dumps(result.to_json()))
    return found


def drawn(capsys: pytest.CaptureFixture[str], tmp_path: Path, file: str, *given: Any) -> bytes:
    path = tmp_path / file
    code, out, error = here(capsys, "draw", *map(str, given), "-o", str(path))
    assert (code, out, error) == (0, "", ""), error
    return path.read_bytes()


@pytest.mark.parametrize(
    ("file", "form", "frames"),
    [("o.svg", None, 0), ("o.png", "PNG", 1), ("o.gif", "GIF", 22), ("o.apng", "PNG", 22)],
)
def test_the_ending_says_what_is_drawn(
    file: str, form: str | None, frames: int,
    answers: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    data = drawn(capsys, tmp_path, file, ORDERED, answers["order"])
    if form is None:
        assert ElementTree.fromstring(data).find(f".//{reading.SVG}animate") is not None
        return
    with Image.open(BytesIO(data)) as image:
        assert (image.format, getattr(image, "n_frames", 1)) == (form, frames)


def test_what_is_drawn_by_default_and_when_asked(
    answers: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def texts(*given: Any) -> list[str]:
        root = ElementTree.fromstring(drawn(capsys, tmp_path, "x.svg", *given))
        return [text.text or "" for text in root.iter(f"{reading.SVG}text")]

    assert texts(ORDERED) == []
    assert texts(ORDERED, "--show", "presses")[-2:] == [
        "Press set of 10 bulbs", "One of 2^2, and none has fewer.",
    ]  # fmt: skip
    assert texts(ORDERED, answers["order"])[0] == "press 0 of 10, 12 lit"
    numbers = texts(ORDERED, answers["order"], "--show", "numbers")
    assert sorted(numbers[:10], key=int) == [str(k) for k in range(1, 11)]
    assert numbers[10:] == ["10 presses", "Each bulb at most once."]
    assert texts(ORDERED, answers["order"], "--show", "counts", "--no-label") == []
    assert texts(REFUSED, answers["refusal"])[:2] == ["No order", "5 pairs: odd"]
    assert texts(REFUSED, answers["repeats"], "--show", "counts")[:2] in (["3", "2"], ["2", "3"])
    witness = INSTANCES / "plus-5x5-no-solution.txt"
    assert texts(witness, "--show", "presses")[0] == "No press set"


def test_options_reach_the_picture(
    answers: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = drawn(
        capsys, tmp_path, "o.gif", ORDERED, answers["order"], "--speed", 10, "--cell", 12,
        "--theme", "dark", "--no-label",
    )  # fmt: skip
    frames = list(reading.frames_of(data))
    assert frames[0][0].size == (70, 70)
    assert [seconds for _, seconds in frames[1:-1]] == [0.1] * 10
    board = ponder.read(ORDERED)
    places = reading.centres(board, (70, 70), 12, 0.4)
    assert np.array_equal(reading.state_of(frames[0][0], places, 12, "dark"), board.lit)
    lines = INSTANCES / "cross-4x7-order.txt"
    wide = ElementTree.fromstring(drawn(capsys, tmp_path, "l.svg", lines, "--show", "presses"))
    narrow = ElementTree.fromstring(
        drawn(capsys, tmp_path, "n.svg", lines, "--show", "presses", "--no-lines")
    )
    assert len(wide.findall(f"{reading.SVG}rect")) == 1 + 11
    assert len(narrow.findall(f"{reading.SVG}rect")) == 1


def test_a_press_list_is_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = ponder.read(ORDERED)
    presses = ponder.order(board).presses
    assert presses is not None
    listed = tmp_path / "presses.txt"
    listed.write_text("".join(f"{v // 5} {v % 5}\n" for v in presses.tolist()))
    data = drawn(capsys, tmp_path, "x.svg", ORDERED, listed)
    states = reading.svg_states(data.decode(), board)
    assert reading.presses_between(board, states) == presses.tolist()


def test_pipes(answers: dict[str, Path]) -> None:
    """The result from standard input, the picture to standard output."""
    done = subprocess.run(
        [sys.executable, "-m", "ponder", "draw", str(ORDERED), "-", "-o", "-", "--format", "gif"],
        input=answers["order"].read_bytes(), capture_output=True, cwd=ROOT, timeout=HANG,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert len(list(reading.frames_of(done.stdout))) == 22


def spoiled(answer: Path, **changes: Any) -> Path:
    content = json.loads(answer.read_text())
    content.update(changes)
    path = answer.with_name("spoiled.json")
    path.write_text(json.dumps(content))
    return path


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (["BOARD"], "OUT must end in one of .svg, .png, .gif, .apng: say --format"),
        (["BOARD", "-o", "x.gif"], "an animation needs a RESULT with presses"),
        (["BOARD", "-o", "x.svg", "--show", "counts"], "--show counts needs a RESULT"),
        (["BOARD", "-o", "no/x.svg"], "there is no such folder"),
        (["-", "-", "-o", "x.svg"], "FILE and RESULT cannot both be standard input"),
        (["BOARD", "ORDER", "-o", "x.png", "--show", "animation"], "a PNG does not move"),
        (["BOARD", "ORDER", "-o", "x.gif", "--show", "numbers"], "numbers does not move"),
        (["BOARD", "ORDER", "-o", "x.svg", "--show", "refusal"], "no refusal to draw"),
        (["REFUSED", "REFUSAL", "-o", "x.apng"], "does not move"),
        (["REFUSED", "REFUSAL", "-o", "x.svg", "--show", "numbers"], "no presses to draw"),
        (["REFUSED", "ORDER", "-o", "x.svg"], "order.json: the result is about another board"),
        (["BOARD", "missing.json", "-o", "x.svg"], "missing.json: cannot be read"),
        (["BOARD", "-o", "x.svg", "--speed", "0"], "--speed"),
    ],
)
def test_what_cannot_be_drawn_is_one_line(
    given: list[str], reason: str, answers: dict[str, Path],
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    words = {
        "BOARD": ORDERED, "REFUSED": REFUSED, "ORDER": answers["order"],
        "REFUSAL": answers["refusal"],
    }  # fmt: skip
    arguments = [str(words.get(word, word)) for word in given]
    if "-o" not in arguments:
        arguments += ["-o", "picture"]
    code, out, error = here(capsys, "draw", *arguments)
    assert (code, out) == (2, "")
    assert reason in error
    assert error.count("\n") == 1
    assert not list(tmp_path.glob("x.*"))
    assert not list(tmp_path.glob(".ponder-*"))


@pytest.mark.parametrize(
    ("which", "changes", "reason"),
    [
        ("order", {"presses": [[0, 0]], "count": 1}, "spoiled.json: press 1 at (0,0): the bulb is"),
        ("order", {"presses": [[9, 9]], "count": 1}, "there is no bulb [9, 9]"),
        ("order", {"count": 3}, "count is 3"),
        ("order", {"schema": "ponder.result/9"}, "schema"),
        ("order", {"verdict": "impossible"}, "impossible"),
        ("refusal", {"refutation": {"kind": "odd-component", "bulbs": [[0, 0]]}}, "press_counts"),
        ("refusal", {"refutation": {"kind": "a later one"}}, "kind"),
        ("refusal", {"refutation": None}, "no refutation"),
    ],
)  # fmt: skip
def test_a_result_that_does_not_hold_is_not_drawn(
    which: str, changes: dict[str, Any], reason: str, answers: dict[str, Path],
    tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    board = ORDERED if which == "order" else REFUSED
    path = spoiled(answers[which], **changes)
    code, out, error = here(capsys, "draw", str(board), str(path), "-o", str(tmp_path / "x.svg"))
    assert (code, out) == (2, "")
    assert reason in error
    assert error.count("\n") == 1
    assert not (tmp_path / "x.svg").exists()


def test_a_false_bound_is_not_told(
    answers: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bounds are neither checked nor drawn: no word of them comes from a file."""
    claims = spoiled(answers["order"], lower_bound=10, bound={"kind": "unique-press-set"})
    data = drawn(capsys, tmp_path, "x.svg", ORDERED, claims, "--show", "numbers")
    assert b"fewer" not in data


def test_who_is_said_to_have_made_a_proof_may_be_anything(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the checker has no use for is told as it is given, and nothing breaks."""
    answer = tmp_path / "answer.json"
    content: Any = ponder.order(ponder.read(REFUSED), method="sat").to_json()
    content["refutation"] |= {"solver": "<3>", "proof": None, "proof_file": "gone.drat"}
    answer.write_text(json.dumps(content))
    out = tmp_path / "x.svg"
    code, _, remark = here(capsys, "draw", str(REFUSED), str(answer), "-o", str(out))
    assert (code, remark.count("\n")) == (0, 1)
    assert b"&lt;3&gt; looked for an order" in out.read_bytes()
    content["refutation"]["solver"] = 3
    answer.write_text(json.dumps(content))
    code, _, remark = here(capsys, "draw", str(REFUSED), str(answer), "-o", str(out))
    assert (code, remark.count("\n")) == (2, 1)


def test_too_few_presses_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Here the verdict rests on a bound, which was checked."""
    answer = tmp_path / "answer.json"
    result = ponder.solve(ponder.read(REFUSED), at_most=55)
    answer.write_text(json.dumps(result.to_json()))
    data = drawn(capsys, tmp_path, "x.svg", REFUSED, answer)
    assert b"55 presses do not suffice" in data
    assert b"No legal sequence has fewer than 56." in data
    path = spoiled(answer, lower_bound=60)
    assert here(capsys, "draw", str(REFUSED), str(path), "-o", str(tmp_path / "y.svg"))[0] == 2


def test_a_board_that_needs_no_press_is_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board, answer = tmp_path / "board.txt", tmp_path / "answer.json"
    board.write_text("11\n11\n")
    answer.write_text(json.dumps(ponder.order(ponder.read(board)).to_json()))
    for form in ("svg", "png", "gif", "apng"):
        assert drawn(capsys, tmp_path, f"x.{form}", board, answer)


def test_not_in_time_leaves_no_file(
    answers: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for file in ("x.svg", "x.png", "x.gif"):
        out = tmp_path / file
        code, _, error = here(
            capsys, "draw", str(ORDERED), str(answers["order"]), "-o", str(out), "--timeout", "0"
        )
        assert code == 3
        assert error.count("\n") == 1
        assert not out.exists()
