"""The folder that `ponder site` writes: whole or not at all, the same twice, and what it says."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
import tarfile
from errno import ENOSPC
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, expect

from ponder.model.formats import board_text, parse_board
from ponder.page.parts import OFFLINE, parts
from ponder.page.site import LIST, build, draw_icons, install
from ponder.system.errors import PonderError
from tests.commands import here
from tests.page.browser import ROOT, Visit
from tests.page.site import PARTS, built, hosting, parts_folder
from tests.pictures.gallery import fragments
from tests.processes import HANG


@pytest.mark.offline
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


@pytest.mark.offline
def test_the_first_answer_needs_nine_megabytes(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Packed, in English: everything but what comes later."""
    folder = built(tmp_path_factory)
    contents = json.loads((folder / "contents.json").read_bytes())

    def packed(name: str) -> int:
        twin = folder / f"{name}.gz"
        return (twin if twin.exists() else folder / name).stat().st_size

    later = {*contents["later"].values()}
    now = [name for name in contents["files"] if name not in later]
    assert 5_000_000 < sum(map(packed, now)) <= 9_000_000
    page = [name for name in now if name.endswith((".html", ".css", ".js", ".svg"))]
    assert sum(map(packed, page)) <= 120_000


def test_the_icons_are_what_the_manifest_says(tmp_path: Path) -> None:
    draw_icons(tmp_path)
    told = json.loads((OFFLINE / "site.webmanifest").read_bytes())["icons"]
    kinds = {(icon["sizes"], icon["type"], icon.get("purpose", "any")) for icon in told}
    wanted = {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}
    assert kinds == {("any", "image/svg+xml", "any")} | {(a, "image/png", b) for a, b in wanted}
    for icon in told:
        if icon["type"] == "image/png":
            with Image.open(tmp_path / icon["src"]) as image:
                assert (image.format, "{}x{}".format(*image.size)) == ("PNG", icon["sizes"])
                pixels = np.asarray(image.convert("RGB"), dtype=np.int64)
            marked = np.abs(pixels - pixels[0, 0]).max(axis=2) > 48  # neither paper nor a glow
            away = np.abs(np.argwhere(marked) + 0.5 - len(pixels) / 2)
            assert away.max() > 0.3 * len(pixels)
            if icon.get("purpose") == "maskable":  # the circle that is never cut off
                assert np.hypot(*away.T).max() <= 0.4 * len(pixels)


def a_build(folder: Path, **files: str) -> Path:
    """A folder such as the script makes it, of files with these contents."""
    folder.mkdir()
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text)
    digests = {name.replace("_", "."): sha256(files[name].encode()).hexdigest() for name in files}
    listed = {name: {"sha256": digest} for name, digest in digests.items()}
    (folder / LIST).write_text(json.dumps({"files": listed}))
    (folder / "sw.js").write_text("worker")
    return folder


def test_only_what_it_wrote_is_replaced(tmp_path: Path) -> None:
    site = tmp_path / "site"
    first = a_build(tmp_path / "first", index_html="one", old_js="old")
    (first / "old.js.gz").write_text("packed")
    install(first, site)
    (site / "CNAME").write_text("example.org")
    (site / ".git").mkdir()
    (site / ".git" / "HEAD").write_text("ref")
    install(a_build(tmp_path / "second", index_html="two", new_js="new"), site)
    found = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    assert found == {"CNAME", ".git/HEAD", "index.html", "new.js", "sw.js", LIST}
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


def test_an_interrupted_installation_is_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site, replace, moved = tmp_path / "site", Path.replace, 0
    install(a_build(tmp_path / "first", a_js="1", b_js="1", c_js="1"), site)
    new = {"a_js": "2", "b_js": "2", "d_js": "2"}

    def stopped(path: Path, target: Path) -> Path:
        nonlocal moved
        moved += 1
        if moved == 2:
            raise KeyboardInterrupt
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", stopped)
    with pytest.raises(KeyboardInterrupt):
        install(a_build(tmp_path / "second", **new), site)
    install(a_build(tmp_path / "again", **new), site)
    assert {path.name for path in site.iterdir()} == {"a.js", "b.js", "d.js", "sw.js", LIST}
    assert (site / "b.js").read_text() == "2"


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


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documents with the page among them."""
    target, trees = (tmp_path_factory.mktemp("documents") / name for name in ("site", "trees"))
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "-d", f"{trees}", "docs", f"{target}"]
    subprocess.run(
        command, cwd=ROOT, env={**os.environ, PARTS: str(parts_folder())}, check=True, timeout=HANG
    )
    return target


@pytest.mark.deep
@pytest.mark.browser
def test_a_picture_of_the_gallery_opens_the_page(documents: Path, browser: Browser) -> None:
    """From a path below the host's own: the picture's board is there, and is answered."""
    asked = list[str]()
    with hosting(documents) as place, browser.new_context() as context:
        context.on("request", lambda request: asked.append(request.url))
        page = Visit(context.new_page(), context)
        page.page.goto(f"{place}index.html")
        play = page.page.get_by_role("link", name="Play", exact=True)
        expect(play).to_have_attribute("href", re.compile("^play/"))
        page.page.goto(f"{place}gallery.html")
        pictures = page.page.get_by_title("Play this board")
        expect(pictures).to_have_count(len(fragments()))
        page.page.locator(f'a[href="play/{fragments()["goal.svg"]}"]').click()
        board = parse_board((ROOT / "instances/goal-heart-6x7.txt").read_bytes())
        page.place("Solve")
        page.expect_answer("press")
        assert page.text() == board_text(board)
    assert [url for url in asked if not url.startswith(place)] == []


def test_what_is_no_site_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/notes.txt").write_text("mine")
    with pytest.raises(PonderError, match="is there already, and no site of ponder's"):
        build(tmp_path / "mine", tmp_path)
    with pytest.raises(PonderError, match=r"pyodide .*: No such file"):
        build(tmp_path / "new", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_the_files_of_before_stay_where_the_new_ones_cannot_take_their_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_files = BytesIO()
    tarfile.open(fileobj=no_files, mode="w").close()
    install(a_build(tmp_path / "first", a_js="1"), tmp_path / "play")

    def full(path: Path, target: Path) -> Path:
        raise OSError(ENOSPC, "no room")

    def made(*command: str, told: str) -> None:
        (Path(json.loads(told)["out"]) / "a.js").write_text("2")

    monkeypatch.setattr("ponder.page.site.taken", lambda folder, part: no_files.getvalue())
    monkeypatch.setattr("ponder.page.site.run", made)
    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(PonderError, match="play: cannot be written: no room"):
        build(tmp_path / "play", tmp_path)
    assert (tmp_path / "play/a.js").read_text() == "1"


def test_a_missing_part_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, err = here(capsys, "site", str(tmp_path / "site"), "--parts", str(tmp_path))
    assert (code, out) == (2, "")
    assert err.startswith("ponder: pyodide 314")
    assert err.count("\n") == 1
