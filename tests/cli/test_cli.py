"""The command line, run as a user runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from ponder.cli import COMMANDS
from tests.commands import here, ponder, without_progress
from tests.processes import HANG

ROOT = Path(__file__).resolve().parents[2]
INSTANCES = ROOT / "instances"
IBM = {"example-4x4": 4, "24x24": 280, "30x30": 429}


@pytest.mark.parametrize(("name", "count"), IBM.items())
def test_the_ibm_boards_are_ordered_and_verified(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, count: int
) -> None:
    board = str(INSTANCES / f"ibm-2023-04-{name}.txt")
    done = ponder("order", board, "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["schema"] == "ponder.result/1"
    assert (result["verdict"], result["count"], result["optimal"]) == ("solved", count, True)
    assert result["lower_bound"] == len(result["presses"]) == count
    (tmp_path / "answer.json").write_text(done.stdout)
    assert here(capsys, "verify", board, str(tmp_path / "answer.json"))[0] == 0
    assert here(capsys, "verify", board, "-", stdin=done.stdout)[0] == 0
    result["presses"][0], result["presses"][-1] = result["presses"][-1], result["presses"][0]
    code, _, said = here(capsys, "verify", board, "-", stdin=json.dumps(result))
    assert code == 1
    assert "rejected" in said


def test_help_names_every_command_and_has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = here(capsys, "--help")
    assert code == 0
    assert "Examples:" in out
    for name in COMMANDS:
        assert name in out
        code, text, _ = here(capsys, name, "--help")
        assert code == 0
        assert "Examples:" in text, f"{name} --help shows no example"


def test_text_answers(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = here(capsys, "order", str(INSTANCES / "ibm-2023-04-example-4x4.txt"))
    assert (code, without_progress(err)) == (0, "")
    assert "4 presses, each bulb at most once; replayed; proved: no order has fewer" in out
    assert "\x1b[" not in out  # no colours into a pipe


def test_coordinates(capsys: pytest.CaptureFixture[str]) -> None:
    board = str(INSTANCES / "ibm-2023-04-example-4x4.txt")
    rc = here(capsys, "order", board, "--quiet")[1]
    xy = here(capsys, "order", board, "--quiet", "--coords", "xy")[1]
    pairs = [eval(word) for word in rc.split() if word.startswith("(")]
    flipped = [eval(word) for word in xy.split() if word.startswith("(")]
    assert len(pairs) == 4
    assert flipped == [(c + 1, 4 - r) for r, c in pairs]


def test_plain_press_lists_can_be_verified(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    board = str(INSTANCES / "ibm-2023-04-example-4x4.txt")
    presses = json.loads(here(capsys, "order", board, "--json")[1])["presses"]
    mine = tmp_path / "mine.txt"
    mine.write_text("".join(f"{r} {c}\n" for r, c in presses))
    assert here(capsys, "verify", board, str(mine))[0] == 0
    mine.write_text("".join(f"{c + 1} {4 - r}\n" for r, c in presses))
    assert here(capsys, "verify", board, str(mine), "--coords", "xy")[0] == 0
    mine.write_text("".join(f"{r} {c}\n" for r, c in presses[:-1]))
    code, _, err = here(capsys, "verify", board, str(mine))
    assert code == 1
    assert "differ from the goal" in err


def test_a_press_list_of_two_columns_is_no_grid(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """`0 1` and `1 0` are two presses in this order, and the first is that of an unlit bulb."""
    board, mine = tmp_path / "board.txt", tmp_path / "mine.txt"
    board.write_text("pattern: plus\nrule: any\n01\n10\n")
    presses = json.loads(here(capsys, "order", str(board), "--json")[1])["presses"]
    assert sorted(presses) == [[0, 0], [1, 1]]
    mine.write_text("0 0\n1 1\n")
    assert here(capsys, "verify", str(board), str(mine))[0] == 0
    mine.write_text("10\n01\n")
    code, _, err = here(capsys, "verify", str(board), str(mine))
    assert code == 2
    assert "'10' is not a press" in err


def test_standard_input_and_options(capsys: pytest.CaptureFixture[str]) -> None:
    done = ponder("order", "-", "--pattern", "plus", "--json", stdin="010\n111\n010\n")
    result = json.loads(done.stdout)
    assert result["board"]["pattern"] == "plus"
    assert done.returncode in (0, 3)


def test_trace(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    board = str(INSTANCES / "ibm-2023-04-example-4x4.txt")
    code, out, _ = here(capsys, "order", board, "--trace")
    assert code == 0
    assert out.count("\npress ") == 4
    final = out.strip().split("\n\n")[-1]
    assert set(final.split()) <= {"●", "◉"}
    target = tmp_path / "trace.txt"
    code, out, _ = here(capsys, "order", board, "--trace-to", str(target), "--json")
    assert code == 0
    assert json.loads(out)["count"] == 4
    assert target.read_text(encoding="utf-8").count("\npress ") == 4


def test_show(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    board = str(INSTANCES / "ibm-2023-04-example-4x4.txt")
    code, out, _ = here(capsys, "show", board)
    assert code == 0
    assert "○ ○ ● ●\n● ● ○ ●\n○ ● ● ○\n○ ○ ○ ●" in out
    code, out, _ = here(capsys, "show", board, "--presses")
    picture, said = out.split("◉ ◎: bulbs to press, lit and unlit")
    assert picture.count("◎") + picture.count("◉") == 4
    assert "press set of 4 bulbs, the only one" in said
    answer = tmp_path / "answer.json"
    answer.write_text(here(capsys, "order", board, "--json")[1])
    again = here(capsys, "show", board, "--mark", str(answer))[1]
    assert again.count("◎") + again.count("◉") == 4 + 2  # and the legend
    assert len(json.loads(here(capsys, "show", board, "--presses", "--json")[1])["marked"]) == 4


def test_no_time_at_all(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 3; the board is named, or drawn, all the same."""
    board = str(INSTANCES / "ibm-2023-04-example-4x4.txt")
    for command in ("order", "solve"):
        code, out, _ = here(capsys, command, board, "--timeout", "0", "--json")
        assert code == 3
        result = json.loads(out)
        assert result["verdict"] == "unknown"
        assert result["reason"] == "the time limit was reached"
    code, out, _ = here(capsys, "show", board, "--presses", "--timeout", "0")
    assert code == 3
    assert out.splitlines()[2].count("○") > 0
    assert out.splitlines()[-1] == "press set unknown: the time limit was reached"
    code, out, err = here(capsys, "encodings", board, "--timeout", "0")
    assert (code, out, err) == (3, "", "ponder: unknown: the time limit was reached\n")


def test_no_round_marks_where_they_cannot_be_shown() -> None:
    done = ponder("show", "instances/ibm-2023-04-example-4x4.txt", PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    assert "0 0 1 1" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        (["order", "no-such-file.txt"], "", "no-such-file.txt: cannot be read"),
        (["order", "-"], "01\n0\n", "standard input:2: this row has 1 cell"),
        (["order", "-"], "", "standard input:1: no grid"),
        (["order", "-", "--pattern", "star"], "01\n", "--pattern: unknown pattern 'star'"),
        (["order", "-", "--rule", "on"], "01\n", "--rule: unknown rule 'on'"),
        (["order", "-", "--goal", "none.txt"], "01\n", "none.txt: cannot be read"),
        (["order"], "", "Missing argument 'FILE'"),
        (["order", "-", "--frobnicate"], "01\n", "No such option"),
        (["order", "-", "--timeout", "-1"], "01\n", "--timeout"),
        (["order", "-", "--json", "--trace"], "01\n", "--trace-to"),
        (["frobnicate"], "", "No such command 'frobnicate' (see"),
        (["solv", "-"], "01\n", "No such command 'solv'; did you mean `solve`? (see"),
        (["Order", "-"], "01\n", "did you mean `order`?"),
        (
            ["order", "-", "--goal", "off"],
            "01\n",
            "--goal: unknown state 'off'; known: lit, unlit, a board file; did you mean `unlit`?",
        ),
        (["solve", "-", "--from", "on"], "01\n", "--lit: unknown state 'on'; known:"),
        (["solve", "-", "--lit", "u1"], "01\n", "--lit: unknown state 'u1'; known: lit, unlit, a"),
        (["order", "-", "--pattern", "+"], "01\n", "did you mean `plus`?"),
        (["order", "-", "--pattern", "Plus"], "01\n", "did you mean `plus`?"),
        (["order", "-", "--puzzle", "light-out"], "01\n", "did you mean `lights-out`?"),
        (["generate", "--puzzle", "torsu", "--size", "4"], "", "did you mean `torus`?"),
        (["generate", "--daily", "2026-02-30"], "", "is not a date such as 2026-11-22"),
        (["generate", "--daily", "2026-02-20", "--count", "2"], "", "--daily names one board"),
        (["generate", "--daily", "2026-02-20", "--seed", "2"], "", "--daily names one board"),
        (["generate", "--size", "4"], "", "name a FAMILY, a --difficulty or a --daily date"),
        (["order", "-", "--rule", "Lit"], "01\n", "did you mean `lit`?"),
        (["nullity", "5", "--pattern", "tours-plus"], "", "did you mean `torus-plus`?"),
        (["schema", "results"], "", "did you mean `result/1`?"),
        (["help"], "", "did you mean `--help`?"),
        (["order", "-", "--method", "line"], "01\n", "did you mean `lines`?"),
        (["generate", "plsu", "--size", "4"], "", "did you mean `plus`?"),
        (["compare", "--family", "balancd:4"], "", "did you mean `balanced`?"),
        (["order", "-", "--timeout", "soon"], "01\n", "'soon' is not a valid float. (see"),
        (["order", "-", "--seed", "x"], "01\n", "'x' is not a valid integer. (see"),
        (["encodings", "-", "--encoding", "x"], "01\n", "No such option"),
        (["export", "-", "--encoding", "layred", "-o", "x"], "01\n", "did you mean `layered`?"),
        (["verify", "-", "none.json"], "01\n", "none.json: cannot be read"),
        (["order", "-", "--press-set", "none.txt"], "01\n", "none.txt: cannot be read"),
        (
            ["order", "-", "--method", "lines", "--pattern", "plus"],
            "000\n000\n",
            "method lines needs",
        ),
    ],
)
def test_bad_input_is_one_clear_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], stdin: str, message: str
) -> None:
    code, out, said = here(capsys, *arguments, stdin=stdin)
    assert (code, out) == (2, ""), said
    assert said.startswith("ponder: ")
    assert said.count("ponder: ") == 1
    assert said.count("\n") == 1
    assert message in said


def test_bare_ponder_shows_the_help() -> None:
    done = ponder()
    assert "Commands:" in done.stdout
    assert done.returncode == 2


def test_a_reader_that_goes_away_is_no_error() -> None:
    board = INSTANCES / "ibm-2023-04-30x30.txt"
    line = f"{sys.executable} -m ponder order {board} --trace | head -n 1"
    done = subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert "Traceback" not in done.stderr


def test_version() -> None:
    from ponder import __version__

    assert ponder("--version").stdout.strip().endswith(__version__)


def test_what_is_there_and_what_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = metadata.version

    def version(name: str) -> str:
        if name == "distributed":
            raise metadata.PackageNotFoundError(name)
        return usual(name)

    monkeypatch.setattr(metadata, "version", version)
    code, said, _ = here(capsys, "--version", "--verbose")
    told = {line.split()[0]: line.split(maxsplit=1)[1] for line in said.splitlines()}
    assert code == 0
    assert told["numpy"] == usual("numpy")
    assert told["distributed"] == "missing (extra cluster)"
    assert "cadical" in told
    assert "pytest" not in told
    assert here(capsys, "--verbose", "nullity", "4")[0] == 2


@pytest.mark.parametrize(
    ("instance", "sentence"),
    [
        ("ibm-2023-04-30x30", "not fewer than 429: the only press set has 429 bulbs"),
        (
            "cross-24x24-no-order",
            "not fewer than 285: the only press set has 283 bulbs; 1 place on its lines cannot be "
            "balanced, and this costs two extra presses",
        ),
        (
            "plus-10x10-no-order",
            "not fewer than 56: the only press set has 52 bulbs; 2 groups of neighbours in it have "
            "no order, which costs 4 extra presses",
        ),
        (
            "cross-5x5-order",
            "not fewer than 7: every combination of switched rows was tried, and none needs fewer",
        ),
        ("torus-plus-6x6", "not fewer than 13: no press set of fewer bulbs has an order"),
        ("knight-6x6", "not fewer than 10: no press set has fewer bulbs"),
    ],
)
def test_solve_says_why_not_fewer(
    capsys: pytest.CaptureFixture[str], instance: str, sentence: str
) -> None:
    code, out, _ = here(capsys, "solve", str(INSTANCES / f"{instance}.txt"), "--quiet")
    assert code == 0
    assert " ".join(out.split()).endswith(sentence)


@pytest.mark.parametrize(
    ("given", "threads"),
    [({}, "1"), ({"OMP_NUM_THREADS": "3"}, None), ({"OPENBLAS_NUM_THREADS": "2"}, "2")],
)
def test_threads_of_linear_algebra(given: dict[str, str], threads: str | None) -> None:
    """One for the command, unless somebody says otherwise; who imports ponder decides alone."""
    names = ("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS")
    clean = {name: value for name, value in os.environ.items() if name not in names} | given
    told = "import atexit, os; atexit.register(lambda: print(os.getenv('OPENBLAS_NUM_THREADS')))"
    for start, expected in (
        (
            "from ponder.__main__ import main; import sys; sys.argv = ['ponder', '-V']; main()",
            threads,
        ),
        ("import ponder, ponder.cli; ponder.order", given.get("OPENBLAS_NUM_THREADS")),
    ):
        said = subprocess.run(
            [sys.executable, "-c", f"{told}\n{start}"],
            capture_output=True,
            check=True,
            cwd=ROOT,
            env=clean,
            text=True,
            timeout=HANG,
        )
        assert said.stdout.splitlines()[-1] == str(expected)
