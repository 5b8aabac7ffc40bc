"""Orientations at every door: formula out, order back, proof for outsiders, picture, check."""

from __future__ import annotations

import io
import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from pysat.formula import CNF
from pysat.solvers import Cadical195

from ponder.cli import run

Capture = pytest.CaptureFixture[str]

SQUARE, TRIANGLE = "a b\nb c\nc d\nd a\n", "Bw\n"


def here(capsys: Capture, *words: object) -> tuple[int, str, str]:
    """Run a command: its exit code, and what it prints."""
    code = run([*map(str, words)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.parametrize("encoding", ["precedence", "time_indexed", "layered"])
def test_a_formula_out_and_an_orientation_back(
    encoding: str, tmp_path: Path, capsys: Capture
) -> None:
    graph, cnf, answer = (tmp_path / name for name in ("graph.txt", "f.cnf", "answer"))
    graph.write_text(SQUARE)
    asked = ["--odd", "a,c", "--fixed", "b:a", "--encoding", encoding]
    assert here(capsys, "export", graph, *asked, "-o", cnf, "-q")[0] == 0
    told = "c orientation odd out-degrees at 2 vertices: a, c; 1 arc given: b->a\nc here vertices"
    assert told in cnf.read_text()
    with Cadical195(bootstrap_with=CNF(from_file=str(cnf))) as solver:
        assert solver.solve()
        answer.write_text(f"s SATISFIABLE\nv {' '.join(map(str, solver.get_model()))} 0\n")
    code, out, _ = here(capsys, "decode", graph, *asked, answer, "--json", "--formula", cnf)
    content = json.loads(out)
    assert (code, content["verdict"], content["schema"]) == (
        0, "oriented", "ponder.orientation/1",
    )  # fmt: skip
    assert ["b", "a"] in content["arcs"]
    result = tmp_path / "result.json"
    result.write_text(out)
    code, out, _ = here(capsys, "verify", graph, result, "--odd", "c,a", "--fixed", "b:a")
    assert (code, out.count("checked")) == (0, 2)
    for picture in ("order.svg", "order.gif", "numbers.png"):
        assert here(capsys, "draw", graph, result, "-o", tmp_path / picture)[0] == 0
    picture = (tmp_path / "order.svg").read_text()
    assert ("An acyclic orientation" in picture, "presses" in picture) == (True, False)
    refused = here(capsys, "prove", graph, result, "-o", tmp_path / "proof")
    assert refused[0] == 2
    assert "the verdict is 'oriented'" in refused[2]
    again = here(capsys, "prove", graph, result, "-o", tmp_path / "proof", "--format", "coq")
    assert again == refused  # one sentence, whatever is asked for
    spoilt = out if out == "" else json.dumps({**content, "order": content["order"][::-1]})
    result.write_text(spoilt)
    assert here(capsys, "draw", graph, result, "-o", tmp_path / "order.svg")[0] == 2


def test_a_refusal_becomes_a_proof_for_outsiders(tmp_path: Path, capsys: Capture) -> None:
    graph, result, proof = (tmp_path / name for name in ("k3.g6", "result.json", "proof"))
    graph.write_text(TRIANGLE)
    code, out, _ = here(capsys, "orient", graph, "--odd", "none", "--json")
    assert code == 0
    result.write_text(out)
    assert here(capsys, "prove", graph, result, "-o", proof)[0] == 0
    clauses = CNF(from_file=str(proof / "formula.cnf")).clauses
    with Cadical195(bootstrap_with=clauses) as solver:
        assert not solver.solve()
    assert (proof / "proof.lrat").read_text()
    words = (proof / "README").read_text()
    assert ("verify GRAPH result.json" in words, "each bulb" in words) == (True, False)
    assert here(capsys, "verify", graph, proof / "result.json")[0] == 0
    assert here(capsys, "draw", graph, result, "-o", tmp_path / "why.svg")[0] == 0
    picture = (tmp_path / "why.svg").read_text()
    assert ("No such orientation" in picture, "presses" in picture) == (True, False)


def test_where_a_question_does_not_belong(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line, with the command that takes it."""
    graph = tmp_path / "graph.txt"
    graph.write_text(SQUARE)
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"01\n10\n")))
    for words, says in (
        (["orient", "-", "--odd", "none"], "`order` and `solve` take boards"),
        (["export", graph, "--odd", "a", "--fixed", "b:a", "--encoding", "tseitin"], ""),
    ):
        code, out, err = here(capsys, *words)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert says in err
