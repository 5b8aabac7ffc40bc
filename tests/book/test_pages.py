"""The pages as text: lines that fit a window, a version that is one, a page for every reader."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ponder
from tests.book.lines import PAGES, broken, long_lines
from tests.book.references import ROOT


@pytest.mark.parametrize(
    "page",
    PAGES,
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_lines_of_prose_fit(page: Path) -> None:
    """`python -m tests.book.lines` breaks them."""
    assert long_lines(page.read_text(encoding="utf-8")) == []


def test_breaking_lines_changes_nothing_else() -> None:
    text = "# A title\n\n" + "- a " * 40 + "\n  and so on\n\n| table | " + "x " * 80 + "|\n"
    assert long_lines(broken(text)) == []
    assert broken(text).split() == text.split()
    assert broken(text).split("\n")[-2] == text.split("\n")[-2]
    assert not any(line.startswith("- ") for line in broken(text).split("\n")[3:])


def test_the_version_is_that_of_the_changelog() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    top = re.search(r"^## \[([^\]]+)\] - (Unreleased|\d{4}-\d\d-\d\d)$", text, re.MULTILINE)
    assert top is not None
    assert top[1] == ponder.__version__


def test_every_reader_has_a_page_that_opens_with_a_question() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    asked = re.findall(
        r"^\* \*\*You [^*]+\*\*\s\*[^*]+\?\*\s+\[[^\]]+\]\(([^)]+)\)", index, re.MULTILINE
    )
    assert len(asked) == 6
    for target in asked:
        opening = (ROOT / "docs" / target).read_text(encoding="utf-8").partition("\n## ")[0]
        assert "?" in opening, target
