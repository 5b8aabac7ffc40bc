"""`docs/trust.md` speaks of every kind of evidence, of no program's word, and its commands run."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from ponder.check.cutting_planes import check_veripb
from ponder.check.lrat import check_lrat
from ponder.formulas.cardinality import OWN, PYSAT
from ponder.proofs.coq import KINDS
from tests import doors
from tests.commands import here
from tests.dimacs import parse
from tests.kinds import BOUNDS, EVIDENCE, REFUTATIONS

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")


def rows(heading: str) -> dict[str, str]:
    """The rows of a section's table, by the kind that they begin with."""
    section = TEXT.split(f"## {heading}")[1].split("\n## ")[0]
    return dict(re.findall(r"^\| `([\w-]+)` \| (.*)$", section, re.MULTILINE))


def test_every_kind_has_its_row() -> None:
    refutations = set(rows("Verdict `impossible`"))
    assert refutations >= set(REFUTATIONS) - set(EVIDENCE)
    assert set(rows("Lower bounds")) >= {k for kinds in BOUNDS.values() for k in kinds}


def test_every_row_names_code_and_theorem() -> None:
    for heading in ("Verdict `impossible`", "Lower bounds"):
        for kind, row in rows(heading).items():
            assert "`check/" in row, kind
            assert "§" in row, kind


def test_what_has_a_coq_certificate() -> None:
    table = rows("Verdict `impossible`")
    assert {kind for kind, row in table.items() if row.split("|")[-2].startswith(" yes")} == {
        *KINDS
    }
    assert {row.split("|")[-2][:4].strip(" ,") for row in table.values()} == {"yes"}


def test_what_python_sat_makes_is_said_to_be_believed() -> None:
    told = TEXT.split("The option `card`")[1].split("\n\n")[0]
    assert set(re.findall(r"`([a-z]+)`", told)) >= {*OWN, *PYSAT}


def test_the_page_lists_what_the_checker_imports() -> None:
    """All of it, through other files and inside functions as well."""
    imports = doors.imports()
    todo = [name for name in imports if doors.room(name) == "check"]
    reached: set[str] = set()
    while todo:
        new = imports.get(todo.pop(), set()) - reached
        reached |= new
        todo += new
    table = TEXT.split("## In every case")[0]
    rows = re.findall(r"^\| `([\w/]+)/` \| ([^|]*) \|", table, re.MULTILINE)
    listed = {
        ".".join(["ponder", *room.split("/"), file])
        for room, files in rows
        for file in re.findall(r"`(\w+)`", files)
    }
    assert listed == {name for name in reached if doors.room(name) != "check"}


def test_nothing_says_the_solver() -> None:
    tables = "".join(line for line in TEXT.splitlines() if line.startswith("|"))
    assert "solver" not in tables


def test_the_commands_make_files_that_are_proofs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(ROOT / "instances", tmp_path / "instances")
    blocks = "".join(re.findall(r"```console\n(.*?)```", TEXT, re.DOTALL))
    commands = re.findall(r"^\$ ponder (.*)$", blocks, re.MULTILINE)
    assert len(commands) > 10
    monkeypatch.chdir(tmp_path)
    for command in commands:
        words, _, file = command.partition(" > ")
        code, out, said = here(capsys, *shlex.split(words))
        assert code == 0, (command, said)
        if file:
            Path(file).write_text(out, encoding="utf-8")
    for folder in ("counts", "cut", "odd"):
        _, clauses, _ = parse((tmp_path / folder / "formula.cnf").read_bytes())
        check_lrat(clauses, (tmp_path / folder / "proof.lrat").read_bytes())
    _, clauses, _ = parse((tmp_path / "pairs" / "pairs-1.cnf").read_bytes())
    check_lrat(clauses, (tmp_path / "pairs" / "pairs-1.lrat").read_bytes())
    for folder in ("counts", "cut", "weighted"):
        formula = (tmp_path / folder / "formula.opb").read_text()
        check_veripb(formula, (tmp_path / folder / "proof.pbp").read_text())
