"""Bundles for competitions: the same bytes twice, proofs checked, what falls outside is said."""

from __future__ import annotations

import csv
import hashlib
from pathlib import Path

import pytest

from ponder.studies import competition
from ponder.studies.competition import BUNDLES, Kind, bundle, check, outside
from ponder.studies.formula_set import graded
from ponder.system.errors import BoardError, CheckFailed
from tests.commands import here

FEW = (
    *graded("ring", "precedence", (6,)),
    *graded("count", "half_factor", (6,)),
    *graded("balanced", "half_factor", (6,)),
)


@pytest.mark.parametrize("kind", ["sat", "pb"])
def test_enough_formulas_of_enough_families(kind: Kind) -> None:
    recipes = BUNDLES[kind]
    assert len({recipe.name for recipe in recipes}) == len(recipes) >= 20
    assert len({recipe.family for recipe in recipes}) >= 5
    assert {recipe.satisfiable for recipe in recipes} == {True, False}
    assert {recipe.family for recipe in recipes} <= set(competition.FAMILIES)


@pytest.mark.parametrize("kind", ["sat", "pb"])
def test_the_same_seed_gives_the_same_bytes(kind: Kind, tmp_path: Path) -> None:
    for name in ("a", "b"):
        rows = bundle(kind, tmp_path / name, 3, recipes=FEW)
    for file in sorted(path for path in (tmp_path / "a").rglob("*") if path.is_file()):
        twin = tmp_path / "b" / file.relative_to(tmp_path / "a")
        assert file.read_bytes() == twin.read_bytes(), file
    for row in rows:
        data = (tmp_path / "a" / row["name"]).read_bytes()
        assert hashlib.sha256(data).hexdigest() == row["sha256"]
        assert data[:1] == (b"p" if kind == "sat" else b"*")
        assert data.count(b"ponder") == 0
    assert "seed 3" in (tmp_path / "a" / "generate.sh").read_text()


def test_what_is_measured_is_described(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By solvers that answer one formula, and are too slow for the others."""
    solver, asked = tmp_path / "minisat", tmp_path / "asked"
    answer = f'echo "$1" >> {asked}\ncase "$1" in *count*) exit 20;; *) exit 0;; esac\n'
    for path in (solver, tmp_path / "cadical"):
        path.write_text(f"#!/bin/sh\n{answer}")
        path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    both = {name: (name,) for name in ("minisat", "cadical")}
    folder = tmp_path / "set"
    bundle("sat", folder, recipes=FEW)
    assert "No solver was run yet." in (folder / "description.tex").read_text()
    rows, runs = check(folder, 10, solvers=both)
    assert [row["proofs"] for row in rows] == ["LRAT", "LRAT VeriPB", ""]
    assert [run.verdict for run in runs] == [
        verdict for verdict in ("LIMIT", "UNSATISFIABLE", "LIMIT") for _ in both
    ]
    with (folder / "measured.csv").open(encoding="utf-8", newline="") as file:
        assert [row["verdict"] for row in csv.DictReader(file)] == [run.verdict for run in runs]
    text = (folder / "description.tex").read_text()
    assert "limit: minisat (10 s), cadical (10 s)." in text
    assert "0 formulas are not solved by minisat in 60 s" in text
    assert text.count("$>$") == 1 + 4
    said = [*outside(rows, runs)]
    assert [line.split(": ")[1] for line in said] == [
        "cadical did not decide it in 10 s",
        f"minisat took {runs[2].seconds:.1f} s",
        "cadical did not decide it in 10 s",
    ]
    only = [*outside(rows, [run for run in runs if run.solver == "minisat"])]
    assert [line.split(": ")[1] for line in only if "took" not in line] == [
        "neither cadical nor clasp is there"
    ] * 2
    assert len(asked.read_text().splitlines()) == 6
    assert check(folder, 10, solvers=both) == (rows, runs)
    assert len(asked.read_text().splitlines()) == 6, "nothing is measured twice"
    check(folder, 20, solvers=both)
    assert len(asked.read_text().splitlines()) == 6 + 4, "but with more time"
    solver.write_text("#!/bin/sh\nexit 10\n")
    with pytest.raises(CheckFailed, match="minisat says SATISFIABLE"):
        check(folder, 30, solvers=both)
    table = folder / "measured.csv"
    table.write_text(table.read_text().replace("UNSATISFIABLE", "SATISFIABLE"))
    with pytest.raises(CheckFailed, match="says SATISFIABLE"):
        check(folder, 30, solvers=both)
    table.write_text("name,solver\na,b\n")
    with pytest.raises(BoardError, match="is not a bundle"):
        check(folder, 30, solvers=both)
    table.unlink()
    proof = folder / "evidence" / "count-6-half_factor.lrat"
    proof.write_bytes(proof.read_bytes()[:-40])
    with pytest.raises(CheckFailed, match="LRAT"):
        check(folder, 10, solvers={})
    (folder / rows[0]["name"]).write_bytes(b"p cnf 0 0\n")
    with pytest.raises(CheckFailed, match="another SHA-256"):
        check(folder, 10, solvers={})
    with pytest.raises(BoardError, match="is not a bundle"):
        check(tmp_path)


def test_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(competition, "BUNDLES", {"sat": FEW, "pb": FEW})
    monkeypatch.setattr(competition, "SOLVERS", {"sat": (("nobody",),), "pb": (("nobody",),)})
    folder = str(tmp_path / "set")
    code, out, err = here(capsys, "formulas", "--competition", "pb", "-o", folder)
    assert (code, out.count(".opb")) == (0, 3)
    code, out, err = here(capsys, "formulas", "--check", folder)
    assert code == 0, err
    assert "0 of 3 lie in the band; outside:" in out
    assert here(capsys, "formulas", "--competition", "pb")[0] == 2
    assert here(capsys, "formulas", "--check", str(tmp_path))[0] == 2
