"""The rooms of `ponder/` have doors that lead down only, and the documents say what is there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests import doors

ROOT = doors.ROOT


def test_every_door_leads_down() -> None:
    assert doors.wrong_doors() == []


def test_no_circle() -> None:
    assert doors.circle(doors.imports()) == []


def test_a_wrong_door_is_seen(tmp_path: Path) -> None:
    """The test of doors bites: an import that leads up, inside of a function, and a circle."""
    for name, text in {
        "ponder/model/a.py": "def f():\n    from ponder.find import b\n",
        "ponder/find/b.py": "from ponder.model import a\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert doors.wrong_doors(tmp_path) == ["ponder/model/a.py:2: ponder.model.a → ponder.find.b"]
    assert set(doors.circle(doors.imports(tmp_path))) == {"ponder.model.a", "ponder.find.b"}


def test_the_rooms_are_the_folders() -> None:
    folders = {path.parent.relative_to(ROOT) for path in doors.modules().values()}
    rooms = {folder.as_posix().removeprefix("ponder/") for folder in folders}
    assert rooms - {"ponder", "apps", "check/evidence"} == set(doors.ROOMS)


def test_no_file_lies_beside_the_wings() -> None:
    beside = {path.name for path in (ROOT / "ponder").glob("*.py")}
    assert beside == {"__init__.py", "__main__.py"}


def test_the_plan_in_the_documents_is_the_real_one() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert doors.plan() in text, "print it with `python -m tests.doors`"


def test_the_tables_in_the_documents_list_wings_and_rooms_from_below() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w/]+)/` \|", text, re.MULTILINE)
    assert tuple(row for row in rows if "/" not in row) == doors.WINGS
    assert [row for row in rows if "/" in row] == [room for room in doors.ROOMS if "/" in room]


def test_the_checker_does_not_use_what_it_checks() -> None:
    """Data types, and the encoders that make a formula again; no technique, no solver."""
    used = {
        doors.room(target)
        for name, targets in doors.imports().items()
        if doors.room(name) == "check"
        for target in targets
    }
    assert used == {"system", "model", "formulas", "encodings", "check"}


KNOWN = doors.modules()
DOCUMENTS = [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))]
NAMED = re.compile(
    rf"(?<!ponder\.)(?<!results/)(?<![\w/-])(?:ponder/)?((?:{'|'.join(doors.WINGS)})/[\w/]*\w)\b"
    r"(?:\.(\w+))?"
)
"""A file in a wing, by `wing/room/file.py`, or a function in it, by `wing/room/file.function`.
(The files of `docs/results` lie in no wing, and `ponder.check/1` is a schema.)"""


def named() -> list[tuple[str, str, str]]:
    """Every file that the documents name by its wing: document, file, and what in it."""
    return [
        (path.name, *found)
        for path in DOCUMENTS
        for found in NAMED.findall(path.read_text(encoding="utf-8"))
    ]


def test_names_are_found() -> None:
    assert len(named()) > 50


def test_what_the_documents_name_is_there() -> None:
    for document, place, name in sorted(set(named())):
        path = KNOWN.get(f"ponder.{place.replace('/', '.')}")
        if name not in ("", "py"):
            beside = (ROOT / "ponder" / f"{place}.{name}").exists()
            assert path is not None or beside, f"{document}: there is no {place}.{name}"
        if path is None:
            there = (ROOT / "ponder" / place).is_dir() or name not in ("", "py")
            assert there, f"{document}: there is no {place}"
        elif name not in ("", "py"):
            text = path.read_text(encoding="utf-8")
            assert re.search(rf"^(?:def|class) {name}\b", text, re.MULTILINE), document


CITED = re.compile(r"§(\d+(?:\.\d+)?)")
"""A section of the theory: the sign stands for no other book's."""

HEADING = re.compile(r"^#{2,3} (\d+(?:\.\d+)?)\b", re.MULTILINE)


def cited() -> list[tuple[str, str]]:
    """Every place that cites the theory, with the number of the section."""
    files = [
        *ROOT.glob("ponder/**/*.py"),
        *ROOT.glob("encodings/*.py"),
        *ROOT.glob("tests/**/*.py"),
    ]
    return [
        (f"{path.relative_to(ROOT)}", number)
        for path in [*files, *DOCUMENTS]
        for number in CITED.findall(path.read_text(encoding="utf-8"))
    ]


def test_citations_are_found() -> None:
    assert len({place for place, _ in cited()}) > 30


def test_every_citation_points_at_a_heading() -> None:
    headings = set(HEADING.findall((ROOT / "docs" / "theory.md").read_text(encoding="utf-8")))
    assert {(place, number) for place, number in cited() if number not in headings} == set()


def leaning(text: str) -> list[str]:
    """What a file of tests imports from another, and the calls of one test by another."""
    found: list[str] = []
    if re.search(r"(?<!def )\btest_", text) is None:  # nothing to find; parsing takes its time
        return found
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            found += [name for name in names if re.match(r"tests\..*\btest_", name)]
        elif isinstance(node, ast.Import):
            found += [x.name for x in node.names if re.match(r"tests\..*\btest_", x.name)]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            found += [node.func.id] if node.func.id.startswith("test_") else []
    return found


def test_what_leans_is_seen() -> None:
    assert leaning("from tests.a.test_b import c\nfrom tests.a import test_b") == [
        "tests.a.test_b.c",
        "tests.a.test_b",
    ]
    assert leaning("def test_a():\n    test_b()") == ["test_b"]
    assert leaning("from tests import boards\nboards.necklace(3)") == []


def test_no_test_leans_on_another() -> None:
    files = sorted((ROOT / "tests").rglob("*.py"))
    found = {f"{path.relative_to(ROOT)}": leaning(path.read_text("utf-8")) for path in files}
    assert {path: names for path, names in found.items() if names} == {}
