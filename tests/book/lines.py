"""Lines of prose in the documents have at most 100 characters; `python -m tests.book.lines` breaks.

Tables, fenced blocks, displayed formulas (indented by four), headings and lines that are one link
or one word are left as they are.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from itertools import groupby

from tests.book.examples import ROOT

LONGEST = 100
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md")),
    *sorted(ROOT.glob("docs/*.md")),
    *sorted(ROOT.glob("docs/results/*.md")),
]
ITEM = re.compile(r"\s*(?:[*+-]|\d+[.)])\s+|\s*")
OTHER = re.compile(r"\||#|<|:::|\[[^\]]+\]: |!\[|\$\$")
BEGINS = re.compile(r"[*+>|#=-]|\d+[.)]\s|```|:")
"""How no line may begin that was broken: it would be a list, a quotation or a heading."""


def prose(text: str) -> Iterator[tuple[bool, list[str]]]:
    """Yield the lines of a page in groups, and whether a group is prose: a paragraph or an item."""
    fenced = False
    number = 0

    def kind(line: str) -> int:
        nonlocal fenced, number
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
            return -1
        formula = line.startswith("    ") and not previous_item
        if fenced or not line.strip() or formula or OTHER.match(line.strip()):
            return -1
        number += bool(re.match(r"\s*(?:[*+-]|\d+[.)])\s", line))
        return number

    previous_item = False
    keys = []
    for line in text.split("\n"):
        key = kind(line)
        if key < 0:
            number += 1
        if line.strip():
            indented = line.startswith(" ")
            previous_item = bool(re.match(r"\s*(?:[*+-]|\d+[.)])\s", line)) or (
                previous_item and indented
            )
        keys.append((key, line))
    for key, group in groupby(keys, lambda pair: pair[0]):
        yield key >= 0, [line for _, line in group]


def long_lines(text: str) -> list[str]:
    """Return the lines of prose that are too long and could be broken.

    >>> long_lines("a " * 51 + "\\n\\n| " + "b " * 60 + "\\n") == ["a " * 51]
    True
    """
    return [
        line
        for is_prose, lines in prose(text)
        if is_prose
        for line in lines
        if len(line) > LONGEST and " " in line.strip()[2:]
    ]


def broken(text: str) -> str:
    """Return a page whose long paragraphs are filled anew; all others stay as they are.

    >>> len(broken("a " * 51).split("\\n"))
    2
    """
    done: list[str] = []
    for is_prose, lines in prose(text):
        if not is_prose or not any(len(line) > LONGEST for line in lines):
            done += lines
            continue
        first = ITEM.match(lines[0])
        assert first is not None
        indent = " " * len(first[0])
        words = " ".join(line.strip() for line in lines)
        for width in range(LONGEST, LONGEST - 25, -1):
            filled = textwrap.wrap(
                words, width, initial_indent=first[0][: len(first[0]) - len(first[0].lstrip())],
                subsequent_indent=indent, break_long_words=False, break_on_hyphens=False,
            )  # fmt: skip
            if not any(BEGINS.match(line.strip()) for line in filled[1:]):
                break
        done += filled
    return "\n".join(done)


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(broken(page.read_text(encoding="utf-8")), encoding="utf-8")
