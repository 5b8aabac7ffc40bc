"""Many questions in one text: machines, graphs in graph6 and JSON objects a line each, grids with
blank lines between them. Each line is handed on as soon as it is there, whatever comes after it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import IO

from ponder.model.cell_signs import is_row
from ponder.model.files import LONGEST_LINE, opened, rest_of
from ponder.model.formats import format_of, normalised
from ponder.model.graph_files import is_graph6
from ponder.model.grid_text import boards_in
from ponder.model.wiring_files import MACHINE_LINE
from ponder.system.errors import BoardError, LargeFile


@dataclass(frozen=True)
class Question:
    """The text of one question and where it came from; `line` is None where it is a whole file.

    `pattern` is that of a shape named in its place, which no option replaces; `format` is that of
    the first question of the file.
    """

    data: bytes
    source: str
    line: int | None = None
    pattern: str | None = None
    format: str | None = None


def questions(path: str | os.PathLike[str]) -> Iterator[Question]:
    """Yield the questions of a file (`-`: standard input), one by one as they are read.

    Where the first two lines are questions by themselves (a machine, a graph in graph6, a JSON
    object), every line is one, handed on as soon as it is there. Grids with blank lines between
    them are questions too. Any other text is one question. Raises BoardError if it cannot be read.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".g6") as file:
    ...     print("Bw", "", "DQc", sep="\\n", file=file, flush=True)
    ...     [(each.line, each.data) for each in questions(file.name)]
    [(1, b'Bw'), (3, b'DQc')]
    """
    with opened(path) as (file, source):
        lines, taken = _lines(file, source), list[tuple[int, bytes]]()
        for at, line in lines:
            taken.append((at, line))
            kind = _format_of_line(taken[0][1])
            if kind is None:
                break
            if len(taken) == 2:
                if kind == "graph6" and all(_drawn(text) for _, text in taken):
                    break  # a picture
                for where, text in chain(taken, lines):
                    yield Question(normalised(text).strip(), source, where, format=kind)
                return
        data = b""
        for k, (at, line) in enumerate(taken):
            data += b"\n" * (at - (taken[k - 1][0] if k else 0) - 1) + line
        data = rest_of(file, source, data)
        text = normalised(data, source)
        if b"\n\n" in text.strip() and text.lstrip()[:1] != b"{" and _is_grid(text, source):
            boards = boards_in(text, source)
            if len(boards) > 1:
                yield from (Question(part, source, at) for at, part in boards)
                return
        yield Question(data, source)


def _is_grid(text: bytes, source: str) -> bool:
    try:
        return format_of(text, source) == "grid"
    except BoardError:
        return False


def _lines(file: IO[bytes], source: str) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank, by number from 1; the first may be a part of a line."""
    at = 0
    while line := file.readline(LONGEST_LINE):
        at += 1
        if at > 1 and len(line) == LONGEST_LINE:
            raise LargeFile(f"a line is longer than {LONGEST_LINE:,} bytes", source, at)
        if line.removeprefix(b"\xef\xbb\xbf").strip():
            yield at, line


def _drawn(line: bytes) -> bool:
    return is_row(line.strip().decode("utf-8", "replace"))


def _format_of_line(line: bytes) -> str | None:
    """Return the format of a line that is a question by itself, or None."""
    text = line.removeprefix(b"\xef\xbb\xbf").strip().decode("utf-8", "replace")
    if text[:1] == "{":
        return "json" if text[-1:] == "}" else None
    if len(line) == LONGEST_LINE or not text:
        return None
    if MACHINE_LINE.match(text) is not None:
        return "machine"
    return "graph6" if is_graph6(text) else None
