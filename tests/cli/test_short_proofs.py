"""Short proofs on the command line: `order --lrat`, `prove`, `verify`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from ponder.check.lrat import check_lrat
from tests.commands import here
from tests.dimacs import parse
from tests.proofs.pol import refutes

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
COUNT = str(INSTANCES / "cross-6x6-no-order-count.txt")
CUT = str(INSTANCES / "cross-6x6-no-order-cut.txt")
ORDER = str(INSTANCES / "cross-5x5-order.txt")
EMPTY = str(INSTANCES / "plus-5x5-no-solution.txt")
PLUS = str(INSTANCES / "plus-10x10-no-order.txt")

Capture = pytest.CaptureFixture[str]


def answer(capsys: Capture, folder: Path, board: str, *more: str) -> Path:
    """The result of `order`, in a file."""
    code, out, err = here(capsys, "order", board, "--json", "--quiet", *more)
    assert (code, err) == (0, "")
    result = folder / "answer.json"
    result.write_text(out)
    return result


@pytest.mark.parametrize(("board", "more"), [(PLUS, ()), (COUNT, ("--method", "sat"))])
def test_order_writes_lrat(
    tmp_path: Path, capsys: Capture, board: str, more: tuple[str, ...]
) -> None:
    lrat, cnf = tmp_path / "b.lrat.gz", tmp_path / "b.cnf"
    result = answer(capsys, tmp_path, board, *more, "--lrat", str(lrat), "--cnf", str(cnf))
    _, clauses, _ = parse(cnf.read_bytes())
    assert check_lrat(clauses, gzip.decompress(lrat.read_bytes())) > 0
    assert here(capsys, "verify", board, str(result))[0] == 0


@pytest.mark.parametrize(("board", "more"), [(PLUS, ()), (COUNT, ("--method", "sat"))])
def test_prove_in_clauses(
    tmp_path: Path, capsys: Capture, board: str, more: tuple[str, ...]
) -> None:
    result, folder = answer(capsys, tmp_path, board, *more), tmp_path / "deep" / "proof"
    code, out, err = here(capsys, "prove", board, str(result), "-o", str(folder))
    assert (code, err) == (0, "")
    names = [Path(line).name for line in out.splitlines()]
    assert names == ["formula.cnf", "proof.lrat", "result.json", "README"]
    _, clauses, _ = parse((folder / "formula.cnf").read_bytes())
    assert check_lrat(clauses, (folder / "proof.lrat").read_bytes()) > 0
    assert here(capsys, "verify", board, str(folder / "result.json"))[0] == 0
    pack = ("--format", "lrat", "--pack", "-q")
    assert here(capsys, "prove", board, str(result), "-o", str(folder), *pack) == (0, "", "")
    assert (folder / "proof.lrat.gz").exists()


@pytest.mark.parametrize("board", [COUNT, CUT])
def test_prove_by_a_sum(tmp_path: Path, capsys: Capture, board: str) -> None:
    result, folder = answer(capsys, tmp_path, board), tmp_path / "proof"
    assert here(capsys, "prove", board, str(result), "-o", str(folder), "-q") == (0, "", "")
    assert refutes((folder / "formula.opb").read_text(), (folder / "proof.pbp").read_text())
    files = [str(tmp_path / name) for name in ("p.pbp", "p.opb")]
    answer(capsys, tmp_path, board, "--veripb", files[0], "--opb", files[1])
    assert refutes(Path(files[1]).read_text(), Path(files[0]).read_text())


def test_prove_refuses(tmp_path: Path, capsys: Capture) -> None:
    def code_of(board: str, result: Path, *more: str) -> int:
        code, out, err = here(capsys, "prove", board, str(result), "-o", str(tmp_path / "o"), *more)
        assert (out, err.count("\n")) == ("", 1)
        return code

    assert code_of(ORDER, answer(capsys, tmp_path, ORDER)) == 2
    assert code_of(EMPTY, answer(capsys, tmp_path, EMPTY)) == 2
    count = answer(capsys, tmp_path, COUNT)
    assert code_of(COUNT, count, "--format", "lrat") == 2  # a count has a sum alone
    content = json.loads(count.read_text())
    content["refutation"]["odd_rows"] = []
    count.write_text(json.dumps(content))
    assert code_of(COUNT, count) == 1  # a false result
    count.write_text("0 0\n")
    assert code_of(COUNT, count) == 2
    assert not (tmp_path / "o").exists()


def test_a_proof_that_cannot_be_had_is_an_error(tmp_path: Path, capsys: Capture) -> None:
    """The answer is printed; the reason is one line, the code 2; without a refusal a remark."""
    file = tmp_path / "p"
    for board, option in ((EMPTY, "--lrat"), (EMPTY, "--veripb"), (COUNT, "--lrat")):
        code, out, err = here(capsys, "order", board, option, str(file), "--quiet")
        assert (code, err.count("\n")) == (2, 1)
        assert out
    assert here(capsys, "order", ORDER, "--lrat", str(file))[0] == 0
    assert not list(tmp_path.iterdir())


def test_a_proof_that_is_not_held(tmp_path: Path, capsys: Capture) -> None:
    result = answer(capsys, tmp_path, COUNT, "--method", "sat")
    content = json.loads(result.read_text())
    content["refutation"] |= {"proof": None, "packed": None}
    result.write_text(json.dumps(content))
    assert here(capsys, "prove", COUNT, str(result), "-o", str(tmp_path / "o"))[0] == 2
    assert here(capsys, "verify", COUNT, str(result))[0] == 3


def test_a_solvers_proof_about_given_arcs(tmp_path: Path, capsys: Capture) -> None:
    """The formula of `orient --fixed` has the arcs in it, and so has what `prove` writes."""
    graph, file, folder = (tmp_path / name for name in ("g.txt", "a.json", "o"))
    graph.write_text("0 1\n1 2\n2 3\n3 0\n0 2\n")
    asked = ("orient", str(graph), "--odd", "0", "--fixed", "0:1,1:2,3:0", "--json", "-q")
    _, out, _ = here(capsys, *asked)
    assert json.loads(out)["refutation"]["kind"] == "sat-proof"
    file.write_text(out)
    assert here(capsys, "prove", str(graph), str(file), "-o", str(folder), "-q") == (0, "", "")
    _, clauses, _ = parse((folder / "formula.cnf").read_bytes())
    assert check_lrat(clauses, (folder / "proof.lrat").read_bytes()) > 0
