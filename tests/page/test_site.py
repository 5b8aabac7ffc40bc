"""The folder that `ponder site` writes: whole or not at all, the same twice, and what it says."""

from __future__ import annotations

import gzip
import json
import os
from hashlib import sha256
from pathlib import Path

import pytest

from ponder import order, parse_board
from ponder.page.parts import parts
from ponder.page.site import LIST, build, install, ready_boards
from ponder.system.errors import PonderError
from tests.commands import here
from tests.page.site import built, parts_folder


@pytest.mark.offline
def test_the_contents_are_told(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = built(tmp_path_factory)
    contents = json.loads((folder / "contents.json").read_bytes())
    names = {path.name for path in folder.iterdir()}
    twins = {name for name in names if name.endswith((".gz", ".br"))}
    assert names - twins - {"contents.json", "sw.js", LIST} == set(contents["files"])
    for name, said in contents["files"].items():
        content = (folder / name).read_bytes()
        assert [len(content), sha256(content).hexdigest()] == [said["bytes"], said["sha256"]]
    assert {said["part"] for said in contents["files"].values()} == {
        "ponder",
        *(part["name"] for part in contents["parts"]),
    }
    assert [part["licence"] for part in contents["parts"]] == [part.licence for part in parts()]
    for name in twins:
        if name.endswith(".gz"):
            packed = (folder / name).read_bytes()
            assert gzip.decompress(packed) == (folder / name.removesuffix(".gz")).read_bytes()
    version = sha256((folder / "contents.json").read_bytes()).hexdigest()
    assert f'VERSION = "{version}"' in (folder / "sw.js").read_text()


def a_build(folder: Path, **files: str) -> Path:
    """A folder such as the script makes it, of files with these contents."""
    folder.mkdir()
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text)
    return folder


def test_only_what_it_wrote_is_replaced(tmp_path: Path) -> None:
    site = tmp_path / "site"
    install(a_build(tmp_path / "first", index_html="one", old_js="old"), site)
    (site / "CNAME").write_text("example.org")
    (site / ".git").mkdir()
    (site / ".git" / "HEAD").write_text("ref")
    install(a_build(tmp_path / "second", index_html="two", new_js="new"), site)
    names = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    assert names == {"CNAME", ".git/HEAD", "index.html", "new.js", LIST}
    assert (site / "index.html").read_text() == "two"
    (site / "index.html").write_text("mine")
    before = {path: path.read_bytes() for path in site.rglob("*") if path.is_file()}
    third = {"index_html": "three", "CNAME": "elsewhere"}
    with pytest.raises(PonderError, match=r"CNAME: not written by `ponder site`, or changed"):
        install(a_build(tmp_path / "third", **third), site)
    (site / "CNAME").unlink()
    with pytest.raises(PonderError, match=r"index.html: not written by `ponder site`, or changed"):
        install(tmp_path / "third", site)
    (site / "CNAME").write_text("example.org")
    assert before == {path: path.read_bytes() for path in site.rglob("*") if path.is_file()}


@pytest.mark.parametrize("kind", ["up", "absolute", "below", "link", "changed", "folder"])
def test_nothing_else_is_deleted_or_written(tmp_path: Path, kind: str) -> None:
    """Whatever a list in the folder says: it may be a stranger's."""
    site, victim = tmp_path / "site", tmp_path / "victim.txt"
    victim.write_text("mine")
    install(a_build(tmp_path / "first", index_html="one"), site)
    below = {"up": "../victim.txt", "absolute": str(victim), "below": "below/victim.txt"}
    listed = json.loads((site / LIST).read_bytes())
    listed[below.get(kind, "victim.txt")] = sha256(b"mine").hexdigest()
    (site / LIST).write_text(json.dumps(listed))
    inside = site / ("below/victim.txt" if kind == "below" else "victim.txt")
    if kind == "below":
        inside.parent.mkdir()
        inside.write_text("mine")
    elif kind == "link":
        inside.symlink_to(victim)
    elif kind == "changed":
        inside.write_text("changed since")
    elif kind == "folder":
        inside.mkdir()
    install(a_build(tmp_path / "second", index_html="two"), site)
    assert (site / "index.html").read_text() == "two"
    assert victim.read_text() == "mine"
    if kind not in ("up", "absolute"):
        assert os.path.lexists(inside)
    if kind in ("link", "changed", "folder"):
        with pytest.raises(PonderError, match="move it away"):
            install(a_build(tmp_path / "third", victim_txt="three"), site)
    assert victim.read_text() == "mine"


def test_what_is_no_site_is_left_alone(tmp_path: Path) -> None:
    """Another's folder, a list of another form, a link to a site."""
    new = a_build(tmp_path / "new", index_html="two")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/notes.txt").write_text("mine")
    install(a_build(tmp_path / "first", index_html="one"), tmp_path / "site")
    (tmp_path / "link").symlink_to(tmp_path / "site")
    for name in ("mine", "link"):
        with pytest.raises(PonderError, match=r"no site of ponder.s|a link"):
            install(new, tmp_path / name)
    (tmp_path / "mine" / LIST).write_text("[1]")
    with pytest.raises(PonderError, match="no site of ponder's"):
        install(new, tmp_path / "mine")
    assert (tmp_path / "site/index.html").read_text() == "one"
    with pytest.raises(PonderError, match=r"pyodide .*: No such file"):
        build(tmp_path / "other", tmp_path)


@pytest.mark.deep
def test_the_same_parts_give_the_same_bytes(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    first = built(tmp_path_factory)
    build(tmp_path / "again", parts_folder())
    assert [path.name for path in sorted(first.iterdir())] == sorted(
        path.name for path in (tmp_path / "again").iterdir()
    )
    for path in first.iterdir():
        assert path.read_bytes() == (tmp_path / "again" / path.name).read_bytes(), path.name


def test_ready_boards_are_those_that_the_engine_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the day that is named; the answer of a riddle is there as a digest alone."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1800000000")
    ready = ready_boards(days=1, seeds=1)
    assert {"daily.2027-01-15", "riddle.daily.2027-01-15", "in-order.hard"} <= ready.keys()
    for name, (text, *more) in ready.items():
        assert not more
        board, _, answer = text.partition("#")
        verdict = order(parse_board(board)).verdict
        if name.startswith("riddle"):
            assert answer == sha256((board + verdict).encode()).hexdigest()
        else:
            assert (answer, verdict) == ("", "solved")


def test_a_missing_part_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, err = here(capsys, "site", str(tmp_path / "site"), "--parts", str(tmp_path))
    assert (code, out) == (2, "")
    assert err.startswith("ponder: pyodide 314")
    assert err.count("\n") == 1
