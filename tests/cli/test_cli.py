"""The command line as a whole: the published boards, help, processes and what they need."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ponder import __version__
from ponder.cli import COMMANDS
from tests.commands import here, ponder, without_progress
from tests.processes import HANG

ROOT = Path(__file__).resolve().parents[2]
INSTANCES = ROOT / "instances"
IBM = {"example-4x4": 4, "24x24": 280, "30x30": 429}


@pytest.mark.parametrize(("name", "count"), IBM.items())
def test_the_ibm_boards_are_ordered_and_verified(
    capsys: pytest.CaptureFixture[str], name: str, count: int
) -> None:
    board = str(INSTANCES / f"ibm-2023-04-{name}.txt")
    done = ponder("order", board, "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["schema"].startswith("ponder.result/")
    assert (result["verdict"], result["count"], result["optimal"]) == ("solved", count, True)
    assert result["lower_bound"] == len(result["presses"]) == count
    assert here(capsys, "verify", board, "-", stdin=done.stdout)[0] == 0
    result["presses"][0], result["presses"][-1] = result["presses"][-1], result["presses"][0]
    code, _, err = here(capsys, "verify", board, "-", stdin=json.dumps(result))
    assert (code, "rejected" in err) == (1, True)


def test_help_names_every_command_and_has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = here(capsys, "--help")
    assert code == 0
    assert len(COMMANDS) == 15
    for name in COMMANDS:
        assert name in out
        code, text, _ = here(capsys, name, "--help")
        assert code == 0
        assert "Examples:" in text, f"{name} --help shows no example"
        of_sizes = name in ("nullity", "most-moves")  # whose pattern of a size is plus
        assert ("--lit" in text, "of a SIZE plus" in " ".join(text.split())) in (
            [(False, True)] if of_sizes else [(True, False), (False, False)]
        )
    assert ponder().returncode == 2
    assert ponder("--version").stdout.strip().endswith(__version__)


def test_pipes_have_no_colours_and_standard_input_is_a_file(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, err = here(capsys, "order", "-", "--pattern", "plus", stdin="010\n111\n010\n")
    assert (code, without_progress(err)) == (0, "")
    assert "\x1b[" not in out


@pytest.mark.parametrize("command", ["order", "solve"])
def test_no_time_at_all(capsys: pytest.CaptureFixture[str], command: str) -> None:
    board = str(INSTANCES / "ibm-2023-04-example-4x4.txt")
    code, out, _ = here(capsys, command, board, "--timeout", "0", "--json")
    assert (code, json.loads(out)["verdict"]) == (3, "unknown")


def test_no_round_marks_where_they_cannot_be_shown() -> None:
    done = ponder("draw", "instances/ibm-2023-04-example-4x4.txt", PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    assert "0 0 1 1" in done.stdout


@pytest.mark.parametrize(
    ("given", "threads"),
    [({}, "1"), ({"OMP_NUM_THREADS": "3"}, None), ({"OPENBLAS_NUM_THREADS": "2"}, "2")],
)
def test_threads_of_linear_algebra(given: dict[str, str], threads: str | None) -> None:
    """One for the command, unless the environment says otherwise."""
    names = ("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS")
    clean = {name: value for name, value in os.environ.items() if name not in names} | given
    told = "import atexit, os; atexit.register(lambda: print(os.getenv('OPENBLAS_NUM_THREADS')))"
    start = "from ponder.__main__ import main; import sys; sys.argv = ['ponder', '-V']; main()"
    done = subprocess.run(
        [sys.executable, "-c", f"{told}\n{start}"],
        capture_output=True,
        check=True,
        cwd=ROOT,
        env=clean,
        text=True,
        timeout=HANG,
    )
    assert done.stdout.splitlines()[-1] == str(threads)


def test_a_command_loads_no_solver_that_it_does_not_need() -> None:
    board = str(INSTANCES / "ibm-2023-04-example-4x4.txt")
    code = (
        "import sys; from ponder.cli import run; run(sys.argv[1:]);"
        "heavy = {'pysat', 'ortools', 'matplotlib', 'PIL', 'networkx', 'multiprocessing'};"
        "print('loaded:', *sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "order", board], capture_output=True, text=True, cwd=ROOT
    )
    assert done.stdout.splitlines()[-1] == "loaded:"


def test_an_older_proof_is_never_left_beside_another_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    proof, formula = tmp_path / "p.lrat", tmp_path / "p.lrat.cnf"
    refused, solved = (
        str(ROOT / "instances" / name)
        for name in ("plus-10x10-no-order.txt", "ibm-2023-04-example-4x4.txt")
    )
    assert here(capsys, "order", refused, "--lrat", str(proof), "-q")[0] == 0
    assert proof.is_file()
    assert formula.is_file()
    code, _, err = here(capsys, "order", solved, "--lrat", str(proof), "-q")
    assert (code, str(proof) in err) == (0, True)
    assert not proof.exists()
    assert not formula.exists()
    for beside in (False, True):  # a solver's own proof of a formula that ponder wrote stays, too
        if beside:
            proof.unlink()
            here(capsys, "order", refused, "--lrat", str(proof), "-q")
        proof.write_text("mine")
        code, out, err = here(capsys, "order", solved, "--lrat", str(proof))
        assert (code, out, str(proof) in err, proof.read_text()) == (2, "", True, "mine")


def test_a_list_of_presses_in_the_puzzle_pages_form(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Out as a list, checked as one; what is wrong with another is said place by place."""
    board, listed = str(INSTANCES / "ibm-2023-04-24x24.txt"), tmp_path / "list.txt"
    code, out, _ = here(capsys, "order", board, "--coords", "xy", "--list", "-q")
    places = json.loads(out.replace("(", "[").replace(")", "]"))
    assert (code, len(places)) == (0, 280)
    listed.write_text(out)
    assert here(capsys, "verify", board, str(listed), "--coords", "xy")[0] == 0
    (x, y), gone = places[-1], places[5]
    wrong = [*places[:5], *places[6:-1], places[0]]
    listed.write_text(str([tuple(place) for place in wrong]))
    code, _, err = here(capsys, "verify", board, str(listed), "--coords", "xy")
    assert code == 1
    missing = err.split("missing: ")[1]
    assert f"({x},{y})" in missing
    assert f"({gone[0]},{gone[1]})" in missing
    assert f"pressed again: ({places[0][0]},{places[0][1]})" in err


def test_names_in_words_are_read_where_the_format_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words, answer = tmp_path / "words.txt", tmp_path / "answer.json"
    words.write_text("one two\ntwo three\n")
    code, _, err = here(capsys, "orient", str(words), "--odd", "none")
    assert (code, "--format edges" in err) == (2, True)
    said = [str(words), "--format", "edges"]
    code, out, _ = here(capsys, "orient", *said, "--odd", "none", "--json")
    assert (code, json.loads(out)["verdict"]) == (0, "oriented")
    answer.write_text(out)
    assert here(capsys, "verify", str(words), str(answer), "--format", "edges")[0] == 0
    assert here(capsys, "order", *said, "-q")[0] == 0


def test_a_false_orientation_is_neither_proved_nor_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No such orientation, said of other odd vertices than those it was proved for."""
    answer = tmp_path / "answer.json"
    code, out, _ = here(capsys, "orient", "petersen", "--odd", "none", "--json")
    assert (code, json.loads(out)["verdict"]) == (0, "impossible")
    answer.write_text(json.dumps({**json.loads(out), "odd": [1]}))
    code, _, err = here(capsys, "prove", "petersen", str(answer), "-o", str(tmp_path / "proof"))
    assert (code, err.count("\n"), (tmp_path / "proof").exists()) == (1, 1, False)
    picture = tmp_path / "picture.svg"
    assert here(capsys, "draw", "petersen", str(answer), "-o", str(picture))[0] == 2
    assert not picture.exists()


def test_a_manifest_lists_what_is_in_its_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After several commands, and where some of the files or all others have no formula."""
    monkeypatch.chdir(tmp_path)
    for size, count in (("3,4", "2"), ("4", "1"), ("5", "1")):
        words = ("--size", size, "--count", count, "-o", "boards", "-q")
        assert here(capsys, "generate", "plus", *words)[0] == 0
    listed = json.loads(Path("boards/manifest.json").read_text())["boards"]
    names = sorted(path.name for path in Path("boards").glob("*.txt"))
    assert [entry["file"] for entry in listed] == names
    assert len(names) == 5
    code, _, err = here(capsys, "generate", "cut", "--size", "4", "-o", "boards")
    assert (code, "boards/manifest.json: " in err) == (2, True)
    assert sorted(path.name for path in Path("boards").glob("*.txt")) == names
    monkeypatch.setattr("ponder.formulas.cnf.MOST_TEMPLATE", 2000)
    asked = ("-o", "formulas", "--encoding", "time_indexed", "-q")
    Path("no.txt").write_text("pattern: plus\n0001\n0000\n0000\n0000\n")
    for board, reason in (("no.txt", "no press set"), ("20x20", "too large"), ("none.txt", "")):
        boards = ("3x3", board, f"boards/{names[0]}")
        code, out, err = here(capsys, "export", *boards, *asked)
        assert (code, out, err.count("\n"), reason in err) == (2, "", 1, True), err
        assert err.startswith(f"ponder: {board}: ")
        listed = json.loads(Path("formulas/manifest.json").read_text())["formulas"]
        assert [entry["board"] for entry in listed] == ["3x3", f"boards/{names[0]}"]


def test_the_runs_of_a_study_on_standard_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("two.g6").write_text("Bw\n# no board\nDQc\n")
    words = ("compare", "3x3", "two.g6", "--method", "greedy", "-o", "-", "--quiet")
    code, out, err = here(capsys, *words)
    boards = ["files in . two.g6:1", "files in . two.g6:3", "shapes 3x3"]
    rows = [line.split(",")[:2] for line in out.splitlines()]
    assert (code, rows) == (0, [["board", "method"], *([board, "greedy"] for board in boards)])
    assert "family" in err


def test_what_is_wrong_about_a_formula_names_its_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cut proof, a header of another board or press set, options that make no clauses."""
    monkeypatch.chdir(tmp_path)
    board = str(INSTANCES / "cross-6x6-no-order-count.txt")
    assert here(capsys, "export", board, "-o", "f.cnf", "--encoding", "half_factor")[0] == 0
    Path("out").write_text("s UNSATISFIABLE\n")
    Path("cut.lrat").write_text("1000 1 0 1\n")
    Path("binary.lrat").write_bytes(b"a\x05\x02\x00\xe4\x01\x00")
    decode = ("decode", board, "out", "--encoding", "half_factor")
    for proof, reason in (("cut.lrat", "cut short"), ("binary.lrat", "binary LRAT is not read")):
        code, _, err = here(capsys, *decode, "--proof", proof)
        assert (code, err.startswith(f"ponder: {proof}: "), reason in err) == (1, True, True), err
    text = Path("f.cnf").read_text()
    for word in ("board", "presses"):
        Path("g.cnf").write_text(re.sub(rf"(?m)^(c {word} .*sha256 )", r"\1f", text))
        code, _, err = here(capsys, *decode, "--formula", "g.cnf")
        assert (code, err.count("\n"), f"its header says {word}" in err) == (2, 1, True), err
    asked = ("--method", "sat", "--encoding", "half_factor", "--json")
    code, out, _ = here(capsys, "order", board, *asked)
    assert code == 0
    solved = str(INSTANCES / "ibm-2023-04-example-4x4.txt")
    Path("solved.json").write_text(here(capsys, "order", solved, "--json")[1])
    Path("bare.jsonl").write_text('{"line": 1, "schema": "ponder.result/2"}\n{"line": 2}\n')
    code, said, _ = here(capsys, "verify", solved, "bare.jsonl")
    assert (code, "1: rejected: command is None" in said) == (1, True), said
    code, _, err = here(capsys, "verify", solved, "solved.json", "--proof", "cut.lrat")
    assert (code, "rests on no proof" in err) == (2, True), err
    Path("forged.json").write_text(out.replace("card=sequential", "card=native"))
    code, _, err = here(capsys, "verify", board, "forged.json")
    assert (code, "forged.json: rejected: " in err) == (1, True), err
