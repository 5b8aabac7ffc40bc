"""The folder that `ponder site` writes: whole or not at all, the same twice, and what it says."""

from __future__ import annotations

import gzip
import json
import tarfile
from errno import ENOSPC
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import pytest

from ponder.errors import PonderError
from ponder.page.parts import parts
from ponder.page.site import build
from tests.commands import here
from tests.page.site import built, parts_folder


def test_the_contents_are_told(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = built(tmp_path_factory)
    contents = json.loads((folder / "contents.json").read_bytes())
    found = {path.name for path in folder.iterdir()}
    twins = {name for name in found if name.endswith((".gz", ".br"))}
    assert found - twins - {"contents.json", "sw.js"} == set(contents["files"])
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


def test_the_first_answer_needs_nine_megabytes(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Packed: everything but what comes later."""
    folder = built(tmp_path_factory)
    contents = json.loads((folder / "contents.json").read_bytes())

    def packed(name: str) -> int:
        twin = folder / f"{name}.gz"
        return (twin if twin.exists() else folder / name).stat().st_size

    now = [name for name in contents["files"] if name not in contents["later"].values()]
    assert 5_000_000 < sum(map(packed, now)) <= 9_000_000
    page = [name for name in now if name.endswith((".html", ".css", ".js", ".svg"))]
    assert sum(map(packed, page)) <= 120_000


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


def test_what_is_no_site_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/notes.txt").write_text("mine")
    with pytest.raises(PonderError, match="is there already, and no site of ponder's"):
        build(tmp_path / "mine", tmp_path)
    with pytest.raises(PonderError, match=r"pyodide .*: No such file"):
        build(tmp_path / "new", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_the_folder_of_before_stays_where_the_new_one_cannot_take_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_files = BytesIO()
    tarfile.open(fileobj=no_files, mode="w").close()
    monkeypatch.setattr("ponder.page.site.taken", lambda folder, part: no_files.getvalue())
    monkeypatch.setattr("ponder.page.site.run", lambda *command, told: None)
    rename = Path.rename

    def full(path: Path, target: Path) -> Path:
        if path.name == "made":
            raise OSError(ENOSPC, "no room")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", full)
    (tmp_path / "play").mkdir()
    (tmp_path / "play/contents.json").write_text("{}")
    (tmp_path / "play/ponder.tar.xz").write_text("of before")
    with pytest.raises(PonderError, match="play: cannot be written: no room"):
        build(tmp_path / "play", tmp_path)
    assert (tmp_path / "play/ponder.tar.xz").read_text() == "of before"
    assert [path.name for path in tmp_path.iterdir()] == ["play"]


def test_a_missing_part_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, err = here(capsys, "site", str(tmp_path / "site"), "--parts", str(tmp_path))
    assert (code, out) == (2, "")
    assert err.startswith("ponder: pyodide 314")
    assert err.count("\n") == 1
