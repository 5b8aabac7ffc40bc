"""Formulas on the command line: out to files, through real solvers, and back."""

from __future__ import annotations

import gzip
import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from ponder.cli import run
from ponder.encodings.registry import ENCODERS
from tests.commands import here, ponder
from tests.dimacs import formula_of
from tests.processes import left_with

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
IBM = str(INSTANCES / "ibm-2023-04-example-4x4.txt")
IBM24 = str(INSTANCES / "ibm-2023-04-24x24.txt")
COUNT = str(INSTANCES / "cross-6x6-no-order-count.txt")
PLUS = str(INSTANCES / "plus-10x10-order.txt")
PLUS_NO = str(INSTANCES / "plus-10x10-no-order.txt")
HARD = str(INSTANCES / "cross-24x24-no-order.txt")
SEVERAL = str(INSTANCES / "cross-5x5-order.txt")

Capture = pytest.CaptureFixture[str]

ENCODINGS = [
    ("half_factor", ()),
    ("time_indexed", ()),
    ("layered", ("parity=chain",)),
    ("precedence", ("acyclic=labels",)),
    ("precedence", ()),
]
REFUTING = [("half_factor", ()), ("time_indexed", ()), ("layered", ()), ("precedence", ())]


def options(settings: tuple[str, ...]) -> list[str]:
    return [word for setting in settings for word in ("--option", setting)]


# ----------------------------------------------------------------------------------- round trips


@pytest.mark.external
@pytest.mark.parametrize("solver", ["minisat", "cadical"])
@pytest.mark.parametrize(("encoding", "settings"), ENCODINGS, ids=str)
def test_round_trip_of_an_order(
    tmp_path: Path, capsys: Capture, solver: str, encoding: str, settings: tuple[str, ...]
) -> None:
    """export, the solver, decode and verify, by files only."""
    how = ["--encoding", encoding, *options(settings)]
    cnf, answer, result = (tmp_path / name for name in ("f.cnf", "answer.txt", "result.json"))
    board = IBM if encoding == "half_factor" else PLUS
    assert here(capsys, "export", board, *how, "-o", str(cnf))[0] == 0
    command = [solver, str(cnf), str(answer)] if solver == "minisat" else [solver, "-q", str(cnf)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 10
    if solver == "cadical":
        answer.write_text(done.stdout)
    code, out, err = here(
        capsys, "decode", board, str(answer), *how, "--formula", str(cnf), "--json"
    )
    assert (code, err) == (0, "")
    result.write_text(out)
    assert json.loads(out)["optimal"] is True
    assert here(capsys, "verify", board, str(result))[0] == 0


@pytest.mark.external
@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize(("encoding", "settings"), REFUTING, ids=str)
def test_round_trip_of_a_proof(
    tmp_path: Path, capsys: Capture, binary: bool, encoding: str, settings: tuple[str, ...]
) -> None:
    how = ["--encoding", encoding, *options(settings)]
    cnf, proof, answer = (tmp_path / name for name in ("f.cnf", "p.drat", "answer.txt"))
    assert here(capsys, "export", COUNT, *how, "-o", str(cnf))[0] == 0
    words = ["cadical", "-q", *([] if binary else ["--no-binary"]), str(cnf), str(proof)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 20
    answer.write_text(done.stdout)
    given = [COUNT, str(answer), *how, "--json"]
    code, out, _ = here(capsys, "decode", *given)
    assert (code, json.loads(out)["verdict"]) == (3, "unknown")
    code, out, _ = here(capsys, "decode", *given, "--proof", str(proof))
    assert code == 0
    assert (json.loads(out)["verdict"], json.loads(out)["claim"]) == ("impossible", "C2")
    result = tmp_path / "result.json"
    result.write_text(out)
    assert here(capsys, "verify", COUNT, str(result))[0] == 0
    whole = proof.read_bytes()
    proof.write_bytes(whole[: len(whole) // 3])
    code, _, err = here(capsys, "decode", *given, "--proof", str(proof))
    assert (code, err.count("\n")) == (1, 1)


@pytest.mark.external
@pytest.mark.parametrize("solver", ["cadical", "minisat"])
def test_solvers_on_the_path(capsys: Capture, solver: str) -> None:
    assert here(capsys, "order", IBM, "--method", "sat", "--solver", solver)[0] == 0
    code, out, _ = here(capsys, "order", COUNT, "--method", "sat", "--solver", solver, "--json")
    verdict = json.loads(out)["verdict"]
    assert (code, verdict) == ((0, "impossible") if solver == "cadical" else (3, "unknown"))


# ---------------------------------------------------------------------------------------- export


@pytest.mark.parametrize("encoding", [name for name in ENCODERS if not name.startswith("cpsat")])
def test_the_size_is_known_beforehand(tmp_path: Path, capsys: Capture, encoding: str) -> None:
    out = tmp_path / "f.cnf"
    given = ["export", COUNT, "--encoding", encoding]
    for more in ([], ["--names"]):
        code, said, _ = here(capsys, *given, *more, "--dry-run")
        assert code == 0
        assert not out.exists()
        assert here(capsys, *given, *more, "-o", str(out))[0] == 0
        size = dict(line.split() for line in said.splitlines())
        text = out.read_text()
        assert int(size["bytes"]) == len(text)
        assert f"\np cnf {size['variables']} {size['clauses']}\n" in text
        assert text.count("c varname ") == (int(size["variables"]) if more else 0)
        out.unlink()


def test_the_same_bytes_in_every_wrapping(tmp_path: Path, capsys: Capture) -> None:
    given = ["export", COUNT, "--encoding", "half-factor", "--names"]
    plain = subprocess.run(
        [sys.executable, "-m", "ponder", *given], capture_output=True, check=True
    ).stdout
    for ending in (".cnf", ".cnf.gz", ".cnf.bz2", ".cnf.xz"):
        first, again = tmp_path / f"first{ending}", tmp_path / f"again{ending}"
        for path in (first, again):
            assert here(capsys, *given, "-o", str(path))[0] == 0
        assert first.read_bytes() == again.read_bytes()
    assert (tmp_path / "first.cnf").read_bytes() == plain
    assert gzip.decompress((tmp_path / "first.cnf.gz").read_bytes()) == plain
    assert b"c board sha256 26fdf1f3" in plain
    assert b"c encoding half_factor card=sequential\n" in plain


def test_opb(tmp_path: Path, capsys: Capture) -> None:
    how = ["--encoding", "half_factor", "--option", "card=native"]
    out = tmp_path / "f.opb"
    assert here(capsys, "export", IBM, *how, "--format", "opb", "-o", str(out))[0] == 0
    text = out.read_text()
    assert text.startswith("* #variable= 4 #constraint= 6\n")
    right = 0
    for bits in range(16):
        literals = " ".join(f"{'' if bits >> i & 1 else '-'}x{i + 1}" for i in range(4))
        answer = tmp_path / "answer.txt"
        answer.write_text(f"s SATISFIABLE\nv {literals}\n")
        code = here(capsys, "decode", IBM, str(answer), *how, "--formula", str(out))[0]
        assert code in (0, 1)
        right += code == 0
    assert 0 < right < 16
    code, _, err = here(capsys, "export", IBM, *how)
    assert code == 2
    assert "write OPB" in err


def test_which_presses(tmp_path: Path, capsys: Capture) -> None:
    code, _, err = here(capsys, "export", SEVERAL, "--encoding", "precedence", "--dry-run")
    assert code == 0
    assert "one of 2^8 press sets, the lightest: 7 presses" in err
    assert here(capsys, "export", SEVERAL, "--encoding", "precedence", "--dry-run", "-q")[2] == ""
    presses = tmp_path / "presses.json"
    presses.write_text(here(capsys, "order", SEVERAL, "--json")[1])
    given = ["export", SEVERAL, "--encoding", "half_factor", "--press-set", str(presses)]
    code, out, err = here(capsys, *given, "--dry-run")
    assert (code, err) == (0, "")
    assert out.startswith("variables")


# --------------------------------------------------------------------------------------- proofs


def test_proof_files(tmp_path: Path, capsys: Capture) -> None:
    proof, cnf = tmp_path / "p.lrat", tmp_path / "p.lrat.cnf"
    code, out, _ = here(capsys, "order", COUNT, "--method", "sat", "--json", "--lrat", str(proof))
    assert code == 0
    refutation = json.loads(out)["refutation"]
    assert (refutation["proof_file"], refutation["cnf_file"]) == (proof.name, cnf.name)
    assert refutation["proof"] == proof.read_text()
    body = [line for line in cnf.read_bytes().splitlines(True) if not line.startswith(b"c")]
    assert hashlib.sha256(b"".join(body)).hexdigest() == refutation["cnf_sha256"]
    exported = tmp_path / "exported.cnf"
    here(capsys, "export", COUNT, "--encoding", "half_factor", "-o", str(exported))
    assert exported.read_bytes() == cnf.read_bytes()
    other = tmp_path / "other.cnf.xz"
    packed = ["--lrat", str(tmp_path / "p.gz"), "--cnf", str(other)]
    code, out, _ = here(capsys, "order", COUNT, "--method", "sat", "--json", *packed)
    result = tmp_path / "result.json"
    result.write_text(json.dumps(json.loads(out) | {"name": 1}))
    assert gzip.decompress((tmp_path / "p.gz").read_bytes()) == proof.read_bytes()
    assert other.exists()
    code, _, err = here(
        capsys, "order", IBM, "--method", "sat", "--lrat", str(tmp_path / "none"), "--quiet"
    )
    assert (code, err) == (0, "")
    assert not (tmp_path / "none").exists()


# ----------------------------------------------------------------------------------- competition


def test_competition(capsys: Capture) -> None:
    code, out, _ = here(capsys, "order", IBM, "--competition")
    assert code == 10
    lines = out.splitlines()
    assert "s SATISFIABLE" in lines
    words = [word for line in lines if line.startswith("v ") for word in line[2:].split()]
    assert words.pop() == "0"
    presses = "".join(f"{(int(w) - 1) // 4} {(int(w) - 1) % 4}\n" for w in words)
    assert ponder("verify", IBM, "-", stdin=presses).returncode == 0
    for method in ("auto", "sat", "cpsat"):
        code, out, _ = here(capsys, "order", COUNT, "--competition", "--method", method)
        assert (code, "\ns UNSATISFIABLE\n" in out) == (20, True)
    limit = ["--method", "sat", "--timeout", "0.2"]
    code, out, _ = here(capsys, "order", HARD, "--competition", *limit)
    assert (code, "\ns UNKNOWN\n" in out) == (0, True)


# ------------------------------------------------------------------------------------- encodings


def test_encodings_are_listed(capsys: Capture) -> None:
    code, out, _ = here(capsys, "encodings")
    assert code == 0
    for name in ENCODERS:
        assert f"\n{name}\n" in "\n" + out
    code, out, _ = here(capsys, "encodings", PLUS, "--json")
    assert code == 0
    listed = {found["name"]: found for found in json.loads(out)}
    assert set(listed) == set(ENCODERS)
    assert "row/column" in listed["half_factor"]["remark"]
    size = here(capsys, "export", PLUS, "--encoding", "precedence", "--dry-run")[1].split()
    assert listed["precedence"]["clauses"] == int(size[3])
    assert "with 6 layers" in here(capsys, "encodings", PLUS)[1]


# ------------------------------------------------------------------------------- limits, bad input


def test_an_encoding_stands_for_its_method(capsys: Capture) -> None:
    for encoding, method in (("layered", "sat"), ("cpsat_time", "cpsat")):
        code, out, _ = here(capsys, "order", IBM, "--encoding", encoding, "--json")
        assert (code, json.loads(out)["method"]) == (0, method)


@pytest.mark.parametrize("solver", ["cadical195", "cadical -q {cnf} {proof}"])
@pytest.mark.external
def test_the_time_limit(left_over: str, solver: str) -> None:
    chosen = ["--solver-cmd" if "{cnf}" in solver else "--solver", solver]
    done = ponder("order", HARD, "--method", "sat", *chosen, "--timeout", "0.2", "--json")
    assert done.returncode == 3
    assert json.loads(done.stdout)["verdict"] == "unknown"
    assert left_with(left_over) == []  # how soon: tests/bench/bench_limits.py


SAT = ["order", COUNT, "--method", "sat"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*SAT, "--encoding", "none"], "unknown encoding 'none'"),
        ([*SAT, "--encoding", "layered", "--option", "x=1"], "no option 'x'"),
        ([*SAT, "--option", "layers=3"], "--option needs --encoding"),
        ([*SAT, "--encoding", "cpsat_time"], "use it with the method cpsat"),
        ([*SAT, "--solver", "none"], "unknown solver 'none'"),
        ([*SAT, "--solver", "glucose4", "--solver-cmd", "x {cnf}"], "not both"),
        ([*SAT, "--solver-cmd", "true"], "neither a command with {cnf}"),
        ([*SAT, "--solver-cmd", "no-such-program {cnf}"], "not on the PATH"),
        ([*SAT, "--solver-cmd", "false {cnf}"], "false died (exit code 1)"),
        ([*SAT, "--solver-cmd", "true {cnf}"], "no status line"),
        ([*SAT, "--solver", "maplesat", "--lrat", "p"], "it writes no proofs"),
        ([*SAT, "--solver-cmd", "true {cnf}", "--lrat", "p"], "no {proof}"),
        ([*SAT, "--lrat", "no/such/folder/p"], "no such folder"),
        ([*SAT, "--memory", "0"], "--memory"),
        (["order", COUNT, "--method", "lines", "--encoding", "layered"], "only with --method"),
        (["order", COUNT, "--competition", "--json"], "excludes --json and --trace"),
        (["order", PLUS, "--encoding", "half_factor"], "needs a row/column board"),
        (["export", COUNT, "--encoding", "cpsat_time"], "not a formula"),
        (["export", COUNT, "--encoding", "layered", "-o", "no/such/f.cnf"], "cannot be written"),
        (["export", COUNT, "--encoding", "layered", "-o", "/dev/full"], "No space left"),
        (["export", COUNT, "--encoding", "layered", "-o", "tests"], "cannot be written"),
        (["export", str(INSTANCES / "any-5x5-all.txt"), "--encoding", "layered"], "rule 'any'"),
        (
            ["export", str(INSTANCES / "plus-5x5-no-solution.txt"), "--encoding", "layered"],
            "claim C4",
        ),
        (["decode", COUNT, "none.txt", "--encoding", "layered"], "none.txt: cannot be read"),
        (["encodings", "none.txt"], "none.txt: cannot be read"),
    ],
    ids=lambda x: " ".join(x[2:]) if isinstance(x, list) else None,
)
def test_bad_input_is_one_clear_line(capsys: Capture, arguments: list[str], message: str) -> None:
    code, out, err = here(capsys, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.startswith("ponder: ")
    assert err.count("\n") == 1


def test_outputs_of_other_formulas(tmp_path: Path, capsys: Capture) -> None:
    """Another board, encoding or option; a model that leaves variables out; a file cut short."""
    cnf, answer = tmp_path / "f.cnf", tmp_path / "answer.txt"
    how = ["--encoding", "precedence", "--option", "acyclic=labels"]
    assert here(capsys, "export", PLUS, *how, "-o", str(cnf))[0] == 0
    from ponder.find.solvers.clause_arrays import Sat
    from ponder.find.solvers.sat import solve

    found = solve(formula_of(cnf))
    assert isinstance(found, Sat)
    model = found.literals.tolist()

    def decode(board: str, text: str, *more: str) -> tuple[int, str]:
        answer.write_text(text)
        code, out, err = here(capsys, "decode", board, str(answer), *more)
        assert code == 0 or (out, err.count("\n")) == ("", 1)
        return code, err

    text = f"s SATISFIABLE\nv {' '.join(map(str, model))} 0\n"
    assert decode(PLUS, text, *how, "--formula", str(cnf)) == (0, "")
    for board, more in ((COUNT, how), (PLUS_NO, how), (PLUS, how[:2]), (IBM24, how)):
        code, err = decode(board, text, *more)
        assert code in (1, 2)
        assert "formula" in err or "another" in err or "leaves" in err
        code, err = decode(board, text, *more, "--formula", str(cnf))
        assert code == 2
        assert "another formula: its header says" in err
    flipped = [-model[0], *model[1:]]
    assert decode(PLUS, f"s SATISFIABLE\nv {' '.join(map(str, flipped))} 0\n", *how)[0] == 1
    assert "leaves" in decode(PLUS, f"s SATISFIABLE\nv {model[0]} 0\n", *how)[1]
    assert "cut short" in decode(PLUS, text[:-3], *how)[1]
    assert "no status line" in decode(PLUS, "", *how)[1]
    spoiled = cnf.read_text().rsplit("\n", 2)[0]
    cnf.write_text(spoiled)
    assert "not the formula" in decode(PLUS, text, *how, "--formula", str(cnf))[1]


def test_failures_leave_no_files(tmp_path: Path) -> None:
    """A full disk, by a limit on the size of files; a folder that is not there."""
    out = tmp_path / "f.cnf"
    code = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000));"
        "from ponder.cli import main; main(sys.argv[1:])"
    )
    for arguments in (
        ["export", IBM24, "--encoding", "half_factor", "-o", str(out)],
        ["export", IBM24, "--encoding", "half_factor", "-o", f"{out}.xz"],
    ):
        command = [sys.executable, "-c", code, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if not arguments[-1].endswith(".xz"):  # which may fit
            assert done.returncode == 2
            assert done.stderr == f"ponder: {out}: cannot be written: File too large\n"
            assert list(tmp_path.iterdir()) == []
    full = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m ponder export {IBM24} --encoding layered > /dev/full"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert full.returncode == 2
    assert full.stderr == "ponder: standard output: cannot be written: No space left on device\n"
    assert run(["export", COUNT, "--encoding", "layered", "-o", "/dev/null"]) == 0
    assert not Path("/dev/null").is_file(), "a device is written to, never replaced"
