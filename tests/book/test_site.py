"""The documents: links, the pages that are made from the program, and the site."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import HANG
from tools import links
from tools.examples import ROOT, pages


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, made by the command of the README; a warning is an error."""
    command = re.search(
        r"-m sphinx (-W .*) docs build/site", (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    )
    assert command is not None
    folder = tmp_path_factory.mktemp("site")
    options = [*command[1].split(), "-q", "-d", str(folder / "trees")]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *options, "docs", str(folder / "site")],
        cwd=ROOT, env={**os.environ, "PONDER_PARTS": ""},
        capture_output=True, text=True, check=False, timeout=HANG,
    )  # fmt: skip
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    return folder / "site"


@pytest.mark.deep
def test_the_site_loads_nothing_from_elsewhere_and_its_links_lead_somewhere(site: Path) -> None:
    assert list(links.site_faults(site)) == []


@pytest.mark.deep
def test_every_page_is_in_the_site(site: Path) -> None:
    kept = [path for kind in ("*.md", "*.ipynb") for path in (ROOT / "docs").rglob(kind)]
    for page in kept:
        built = site / page.relative_to(ROOT / "docs").with_suffix(".html")
        assert built.exists(), page


@pytest.mark.deep
def test_mathematics_needs_no_script(site: Path) -> None:
    """It is written in plain signs; what TeX there is would be shown as it is typed."""
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert "$$" not in text, page
        assert "mathjax" not in text.lower(), page


@pytest.mark.parametrize("page", pages(), ids=lambda path: path.name)
def test_links_lead_somewhere(page: Path) -> None:
    assert list(links.broken(page)) == []


def test_a_broken_link_is_seen(tmp_path: Path) -> None:
    page = tmp_path / "a.md"
    page.write_text("# One\n[a](b.md) [c](#two) ![d](#one) `[e](f)`\n```\n[g](h)\n```\n", "utf-8")
    assert list(links.broken(page)) == [
        "a.md: b.md: no such file",
        "a.md: #two: no such heading",
    ]


def test_what_is_loaded_from_elsewhere_is_seen(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<link rel="stylesheet" href="https://fonts.example/a.css"><img src="//b.example/c.png">'
        '<script src="d.js"></script><a href="https://e.example">fine</a><a href="#f">g</a>'
        '<link rel="canonical" href="https://fine.example"><p style="background: url(http://h)">',
        encoding="utf-8",
    )
    (tmp_path / "i.css").write_text("@import 'https://j.example/k.css';", encoding="utf-8")
    assert list(links.site_faults(tmp_path)) == [
        "a.html: loads https://fonts.example/a.css",
        "a.html: loads //b.example/c.png",
        "a.html: loads http://h",
        "a.html: d.js: no such file",
        "a.html: #f: no such place",
        "i.css: loads https://j.example/k.css",
    ]


def test_nobody_is_told_to_install_by_name() -> None:
    """There is no release: that name belongs to nobody, or to somebody else. A clone works."""
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("docs/*.ipynb")]
    told = re.compile(r"pip install [^\n&`]*[ '\"]ponder\b")
    for path in [*pages, *ROOT.glob("ponder/**/*.py")]:
        assert not told.search(path.read_text(encoding="utf-8")), path


def test_every_page_is_reached_from_the_start() -> None:
    """By links alone, as one reads Markdown without the site."""
    seen: set[Path] = set()
    todo = [ROOT / "README.md"]
    while todo:
        page = todo.pop()
        if page in seen or page.suffix != ".md":
            continue
        seen.add(page)
        for target in links.INLINE.findall(page.read_text(encoding="utf-8")):
            path = (page.parent / target.partition("#")[0]).resolve()
            if path.is_file():
                todo.append(path)
    assert set(pages()) - seen == set()
