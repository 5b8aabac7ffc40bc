"""The table of `docs/verified.md`: what the theory marks as checked, and where Coq proves it.

python -m tests.verified.table
"""

from __future__ import annotations

import re
from pathlib import Path

from tests.verified.building import theorems

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE, BEGIN, END = DOCS / "verified.md", "<!-- theorems -->\n", "<!-- end -->"


def marks() -> list[tuple[str, str]]:
    """Every mark of `docs/theory.md`: its section, and the name of the Coq theorem."""
    found, section = [], ""
    text = (DOCS / "theory.md").read_text(encoding="utf-8").split("## Letters")[1]
    for match in re.finditer(r"^### ([\d.]+)|✓\s`(\w+)`", text, re.MULTILINE):
        section = match[1] or section
        if match[2]:
            found.append((section, match[2]))
    return found


def table() -> str:
    """The table; KeyError for a mark that names no theorem."""
    stated = {theorem.name: theorem for theorem in theorems()}
    lines = ["| theory | theorem | file | lines |", "|---|---|---|---|"]
    for section, name in marks():
        at = stated[name]
        lines.append(
            f"| §{section} | `{name}` | `verified/{at.file}.v` | {at.first} to {at.last} |"
        )
    return "\n".join(lines) + "\n"


def page() -> str:
    """The page with the table of today."""
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    return before + BEGIN + table() + END + rest.split(END)[1]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
