"""Short proofs on the command line: `order --lrat`, `prove`, `verify`."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ponder.check.cutting_planes import check_veripb
from ponder.check.lrat import check_lrat
from tests.commands import here
from tests.dimacs import parse

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
COUNT = str(INSTANCES / "cross-6x6-no-order-count.txt")
CUT = str(INSTANCES / "cross-6x6-no-order-cut.txt")
HARD = str(INSTANCES / "cross-24x24-no-order.txt")
ORDER = str(INSTANCES / "cross-5x5-order.txt")
EMPTY = str(INSTANCES / "plus-5x5-no-solution.txt")

Capture = pytest.CaptureFixture[str]


def answer(capsys: Capture, folder: Path, board: str, *more: str) -> Path:
    """The result of `order`, in a file."""
    code, out, err = here(capsys, "order", board, "--json", "--quiet", *more)
    assert (code, err) == (0, "")
    result = folder / "answer.json"
    result.write_text(out)
    return result


@pytest.mark.parametrize("board", [COUNT, CUT, pytest.param(HARD, marks=pytest.mark.deep)])
def test_order_writes_a_proof_whatever_the_method(
    tmp_path: Path, capsys: Capture, board: str
) -> None:
    lrat, cnf, drat = tmp_path / "b.lrat", tmp_path / "b.cnf", tmp_path / "b.drat.gz"
    files = ["--lrat", str(lrat), "--cnf", str(cnf), "--proof", str(drat)]
    for method in ("auto", "lines"):
        result = answer(capsys, tmp_path, board, "--method", method, *files)
        _, clauses, _ = parse(cnf.read_bytes())
        lemmas = check_lrat(clauses, lrat.read_bytes())
        proofs = json.loads(result.read_text())["proofs"]
        assert [proof["format"] for proof in proofs] == ["drat", "lrat"]
        assert {proof["lemmas"] for proof in proofs} == {lemmas}
        assert gzip.decompress(drat.read_bytes()).endswith(b"\n0\n")
    code, out, _ = here(capsys, "verify", board, str(result))
    assert code == 0
    assert out.count("checked") == 4


@pytest.mark.parametrize("more", [(), ("--lrat", "a.lrat"), ("--veripb", "a.pbp")])
def test_the_writers_of_proofs_are_loaded_when_there_is_one_to_write(
    tmp_path: Path, more: tuple[str, ...]
) -> None:
    script = (
        "import sys; from ponder.cli import run; run(sys.argv[1:]);"
        "print(any(name.startswith('ponder.proofs') for name in sys.modules))"
    )
    command = [sys.executable, "-c", script, "order", COUNT, "--quiet", *more]
    done = subprocess.run(command, capture_output=True, check=True, cwd=tmp_path, text=True)
    assert done.stdout.splitlines()[-1] == str(bool(more))


def test_verify_reads_the_file_that_a_result_names(tmp_path: Path, capsys: Capture) -> None:
    lrat = tmp_path / "b.lrat.gz"
    result = answer(capsys, tmp_path, COUNT, "--lrat", str(lrat))
    whole = gzip.decompress(lrat.read_bytes())
    assert here(capsys, "verify", COUNT, str(result))[0] == 0
    lines = whole.splitlines(keepends=True)
    lrat.write_bytes(gzip.compress(b"".join(lines[:40] + lines[41:])))
    code, _, err = here(capsys, "verify", COUNT, str(result))
    assert (code, err.count("\n")) == (1, 1)
    assert "LRAT line" in err
    other = tmp_path / "other.lrat"
    other.write_bytes(whole)
    assert here(capsys, "verify", COUNT, str(result), "--proof", str(other))[0] == 0
    lrat.unlink()
    code, out, _ = here(capsys, "verify", COUNT, str(result))
    assert code == 3
    assert "give its file" in out


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        ("lemmas", 5, "5 lemmas stated"),
        ("cnf_sha256", "0" * 64, "cnf_sha256"),
        ("variables", 1, "1 variables stated"),
        ("format", "pbp", "format"),
        ("encoding", "cpsat_time", "makes no formula"),
        ("options", ["card=totalizer"], "variables stated"),
    ],
)
def test_false_words_about_a_proof_are_rejected(
    tmp_path: Path, capsys: Capture, key: str, value: object, why: str
) -> None:
    result = answer(capsys, tmp_path, COUNT, "--lrat", str(tmp_path / "b.lrat"))
    content = json.loads(result.read_text())
    content["proofs"][0][key] = value
    result.write_text(json.dumps(content))
    code, _, err = here(capsys, "verify", COUNT, str(result))
    assert code == 1
    assert why in err


def test_a_proof_needs_a_refutation_of_one_press_set(tmp_path: Path, capsys: Capture) -> None:
    proofs = json.loads(
        answer(capsys, tmp_path, COUNT, "--lrat", str(tmp_path / "b.lrat")).read_text()
    )["proofs"]
    for board in (ORDER, EMPTY):
        result = answer(capsys, tmp_path, board)
        content = json.loads(result.read_text())
        result.write_text(json.dumps({**content, "proofs": proofs}))
        code, _, err = here(capsys, "verify", board, str(result))
        assert (code, err.count("\n")) == (1, 1)


def test_prove(tmp_path: Path, capsys: Capture) -> None:
    """The files of a result made earlier, all of which `verify` accepts."""
    result, folder = answer(capsys, tmp_path, COUNT), tmp_path / "deep" / "proof"
    code, out, err = here(capsys, "prove", COUNT, str(result), "-o", str(folder))
    assert (code, err) == (0, "")
    names = [Path(line).name for line in out.splitlines()]
    assert names == [
        "formula.cnf", "proof.lrat", "formula.opb", "proof.pbp", "press-sets.opb",
        "press-sets.pbp", "result.json", "README",
    ]  # fmt: skip
    assert sorted(path.name for path in folder.iterdir()) == sorted(names)
    for line in ("lrat-check formula.cnf proof.lrat", "veripb formula.opb proof.pbp"):
        assert line in (folder / "README").read_text()
    for more in ((), ("--proof", str(folder / "proof.pbp"))):
        assert here(capsys, "verify", COUNT, str(folder / "result.json"), *more)[0] == 0

    both = ["--format", "drat", "--format", "lrat", "--pack", "--encoding", "precedence", "-q"]
    code, out, _ = here(capsys, "prove", COUNT, str(result), "-o", str(folder), *both)
    assert (code, out) == (0, "")
    content = json.loads((folder / "result.json").read_text())
    assert [proof["proof_file"] for proof in content["proofs"]] == [
        "proof.drat.gz",
        "proof.lrat.gz",
    ]
    assert {proof["encoding"] for proof in content["proofs"]} == {"precedence"}
    assert here(capsys, "verify", COUNT, str(folder / "result.json"))[0] == 0


def test_prove_refuses(tmp_path: Path, capsys: Capture) -> None:
    def refused(board: str, result: Path, *more: str) -> tuple[int, str]:
        code, out, err = here(capsys, "prove", board, str(result), "-o", str(tmp_path / "o"), *more)
        assert (out, err.count("\n")) == ("", 1)
        return code, err

    solved = answer(capsys, tmp_path, ORDER)
    nothing = "the verdict is solved: there is nothing to prove, except with --format coq"
    assert refused(ORDER, solved) == (2, f"ponder: {solved}: {nothing}\n")
    code, err = refused(EMPTY, answer(capsys, tmp_path, EMPTY))
    assert code == 2
    assert "odd-witness has no short proof" in err
    count = answer(capsys, tmp_path, COUNT)
    assert refused(COUNT, count, "--encoding", "none")[0] == 2
    assert "not cpsat_time" in refused(COUNT, count, "--encoding", "cpsat_time")[1]
    content = json.loads(count.read_text())
    content["refutation"]["odd_rows"] = []
    count.write_text(json.dumps(content))
    assert refused(COUNT, count)[0] == 1  # a false result
    presses = tmp_path / "presses.txt"
    presses.write_text("0 0\n")
    code, err = refused(COUNT, presses)
    assert code == 2
    assert "not a result" in err
    assert not (tmp_path / "o").exists()


def test_nothing_to_write(tmp_path: Path, capsys: Capture) -> None:
    code, _, err = here(capsys, "order", ORDER, "--lrat", str(tmp_path / "b.lrat"))
    assert code == 0
    assert "no proof to write (solved)" in err
    assert not list(tmp_path.iterdir())


def test_names_of_files_that_are_no_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """What is written is JSON that anybody reads, and `verify` finds the proofs that it names."""
    monkeypatch.chdir(tmp_path)
    board, proof, cnf = (os.fsdecode(b"\xff" + name) for name in (b"b.txt", b" %.lrat", b".cnf"))
    shutil.copy(COUNT, board)
    for more in ((), ("--method", "sat")):
        code, out, err = here(
            capsys,
            "order",
            board,
            *more,
            "--lrat",
            proof,
            "--proof",
            "a.drat",
            "--cnf",
            cnf,
            "--json",
        )
        assert (code, err) == (0, "")
        content = json.loads(out.encode("utf-8"))
        json.dumps(content, ensure_ascii=False).encode("utf-8")  # no half of a surrogate pair
        Path("result.json").write_text(out, encoding="utf-8")
        code, out, err = here(capsys, "verify", board, "result.json")
        assert (code, err) == (0, "")
    assert Path(proof).exists()
    content["refutation"]["proof_file"] = "..%2Fa.drat"  # only what is written so is read so
    content["refutation"]["proof"] = None
    Path("sub").mkdir()
    Path("sub/result.json").write_text(json.dumps(content), encoding="utf-8")
    assert here(capsys, "verify", board, "sub/result.json")[0] == 3


UNPROVED = "has no short proof in clauses; these have: line-count"


@pytest.mark.parametrize(
    ("board", "options", "why"),
    [
        ("plus-5x5-no-solution", ("--opb", "q"), "odd-witness has no cutting-plane proof"),
        ("cross-5x5-no-solution", ("--lrat", "p"), f"odd-witness {UNPROVED}"),
        ("cross-5x5-no-solution", ("--veripb", "p"), "odd-witness has no cutting-plane proof"),
        ("cross-3x4-no-order", ("--proof", "p"), f"weighted-cuts {UNPROVED}"),
        ("cross-3x4-no-order", ("--cnf", "p"), f"weighted-cuts {UNPROVED}"),
    ],
)
def test_a_proof_that_cannot_be_had_is_an_error(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
    board: str,
    options: tuple[str, ...],
    why: str,
) -> None:
    """The answer, if there was time for one, is printed; the reason is one line, the code 2."""
    monkeypatch.chdir(tmp_path)
    code, _, err = here(capsys, "order", str(INSTANCES / f"{board}.txt"), *options, "--quiet")
    assert code == 2
    assert why in err
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())


PLUS = str(INSTANCES / "plus-10x10-no-order.txt")


@pytest.mark.parametrize(
    ("board", "solver"), [(PLUS, None), (PLUS, "cadical195"), (COUNT, "glucose4")]
)
@pytest.mark.parametrize("version", ["2.0", "3.0"])
def test_every_proof_in_clauses_has_one_for_veripb(
    tmp_path: Path, capsys: Capture, board: str, solver: str | None, version: str
) -> None:
    """A short one, a solver's with hints, one without; `result.json` names it, spoilt or not."""
    by = () if solver is None else ("--method", "sat", "--solver", solver)
    result, folder = answer(capsys, tmp_path, board, *by), tmp_path / "o"
    asked = ("prove", board, str(result), "-o", str(folder), "--veripb-version", version, "-q")
    assert here(capsys, *asked) == (0, "", "")
    proof, opb = folder / "proof.pbp", (folder / "formula.opb").read_text()
    assert proof.read_text().startswith(f"pseudo-Boolean proof version {version}\n")
    assert check_veripb(opb, proof.read_text()) > 0
    _, clauses, _ = parse((folder / "formula.cnf").read_bytes())
    assert check_lrat(clauses, (folder / "proof.lrat").read_bytes()) > 0
    code, out, _ = here(capsys, "verify", board, str(folder / "result.json"))
    assert (code, out.count("VeriPB"), out.count("LRAT")) == (0, 1, 1)
    lines = proof.read_text().splitlines(keepends=True)
    proof.write_text("".join([*lines[:4], *lines[5:]]))
    assert here(capsys, "verify", board, str(folder / "result.json"))[0] == 1


def test_that_no_other_press_set_exists(tmp_path: Path, capsys: Capture) -> None:
    """Where all of a board is refused for one press set, or for some: cutting planes."""
    many = str(INSTANCES / "cross-3x4-no-order.txt")
    for board, more, part in ((PLUS, (), ()), (many, ("--method", "sat"), ("--part", "2"))):
        result, folder = answer(capsys, tmp_path, board, *more), tmp_path / f"o{len(more)}"
        assert here(capsys, "prove", board, str(result), "-o", str(folder), "-q", *part)[0] == 0
        proof, opb = folder / "press-sets.pbp", (folder / "press-sets.opb").read_text()
        assert check_veripb(opb, proof.read_text()) > 0
        asked = ("verify", board, str(folder / "result.json"), "--proof", str(proof))
        code, out, _ = here(capsys, *asked)
        assert code == 0
        assert "has no press sets but the particular one and its sums with quiet patterns" in out
        proof.write_text(proof.read_text().replace(" d 2 * ", " d 1 * ", 1))
        assert here(capsys, *asked)[0] == 1
    whole = answer(capsys, tmp_path, many)  # weighted cuts: the formula is about all press sets
    assert here(capsys, "prove", many, str(whole), "-o", str(tmp_path / "w"), "-q")[0] == 0
    assert not (tmp_path / "w" / "press-sets.pbp").exists()


def test_order_writes_for_veripb_whatever_the_pattern(tmp_path: Path, capsys: Capture) -> None:
    files = [str(tmp_path / name) for name in ("p.pbp", "p.opb")]
    result = answer(capsys, tmp_path, PLUS, "--veripb", files[0], "--opb", files[1])
    assert check_veripb(Path(files[1]).read_text(), Path(files[0]).read_text()) > 0
    assert json.loads(result.read_text())["proofs"][0]["format"] == "veripb"
    assert here(capsys, "verify", PLUS, str(result))[0] == 0


def test_a_proof_that_is_not_held_is_named(tmp_path: Path, capsys: Capture) -> None:
    """`prove` says which command makes it."""
    result = answer(capsys, tmp_path, COUNT, "--method", "sat")
    content = json.loads(result.read_text())
    content["refutation"] |= {"proof": None, "packed": None}
    result.write_text(json.dumps(content))
    code, out, err = here(capsys, "prove", COUNT, str(result), "-o", str(tmp_path / "o"))
    assert (code, out) == (2, "")
    assert "`ponder order BOARD --method sat --cnf FILE --lrat FILE --json` makes it again" in err
    content["refutation"]["proof_file"] = "p.lrat"
    assert (
        here(capsys, "order", COUNT, "--method", "sat", "-q", "--lrat", str(tmp_path / "p.lrat"))[0]
        == 0
    )
    result.write_text(json.dumps(content))
    assert here(capsys, "prove", COUNT, str(result), "-o", str(tmp_path / "o"))[0] == 0


def test_a_trace_without_presses_is_told(tmp_path: Path, capsys: Capture) -> None:
    code, _, err = here(capsys, "order", COUNT, "--trace-to", str(tmp_path / "t"))
    assert code == 0
    assert "no presses to trace (impossible)" in err
    code, _, err = here(capsys, "solve", COUNT, "--proof-dir", str(tmp_path / "d"))
    assert code == 0
    assert "no proofs to write" in err
    none = str(INSTANCES / "cross-5x5-no-solution.txt")
    files = ["--lrat", str(tmp_path / "l"), "--trace-to", str(tmp_path / "t")]
    code, _, err = here(capsys, "order", none, *files)
    assert code == 2
    assert f"odd-witness {UNPROVED}" in err
    assert "no presses to trace (impossible)" in err
    assert err.count("\n") == 1


def test_a_board_where_nothing_works_has_proofs_too(tmp_path: Path, capsys: Capture) -> None:
    """Without files C4, the stronger claim; with them a reason that has a proof in clauses."""
    board = str(INSTANCES / "ibm-2023-04-example-4x4.txt")
    said = [here(capsys, "order", board, "--rule", "lit", "--json", *more)
            for more in ((), ("--lrat", str(tmp_path / "p.lrat")))]  # fmt: skip
    assert [json.loads(out)["claim"] for _, out, _ in said] == ["C4", "C2"]
    result = tmp_path / "result.json"
    result.write_text(said[1][1])
    code, out, _ = here(capsys, "verify", board, str(result), "--rule", "lit")
    assert code == 0
    assert "LRAT" in out


def test_what_verify_leaves_open_is_not_proved(tmp_path: Path, capsys: Capture) -> None:
    """In a line, whatever is asked for: nothing is written of what was not checked."""
    board, result = str(INSTANCES / "plus-10x10-no-order.txt"), tmp_path / "result.json"
    content = json.loads(here(capsys, "solve", board, "--json", "--quiet")[1])
    result.write_text(json.dumps(content | {"bound": None}))
    for form in ("lrat", "drat", "veripb", "coq"):
        folder = tmp_path / form
        asked = ["prove", board, str(result), "-o", str(folder), "--format", form]
        code, out, err = here(capsys, *asked)
        assert (code, out) == (2, "")
        assert "`ponder verify` leaves open: no legal sequence" in err
        assert err.count("\n") == 1
        assert not folder.exists()


def test_a_solvers_proof_about_given_arcs(tmp_path: Path, capsys: Capture) -> None:
    """The formula of `orient --fixed` has the arcs in it, and so has what `prove` writes."""
    graph, answer, folder = (tmp_path / name for name in ("g.txt", "a.json", "o"))
    graph.write_text("0 1\n1 2\n2 3\n3 0\n0 2\n")
    asked = ("orient", str(graph), "--odd", "0", "--fixed", "0:1,1:2,3:0", "--json", "-q")
    _, out, _ = here(capsys, *asked)
    assert json.loads(out)["refutation"]["kind"] == "sat-proof"
    answer.write_text(out)
    assert here(capsys, "prove", str(graph), str(answer), "-o", str(folder), "-q") == (0, "", "")
    texts = [(folder / name).read_text() for name in ("formula.opb", "proof.pbp")]
    assert check_veripb(texts[0], texts[1]) > 0
    _, clauses, _ = parse((folder / "formula.cnf").read_bytes())
    assert check_lrat(clauses, (folder / "proof.lrat").read_bytes()) > 0
