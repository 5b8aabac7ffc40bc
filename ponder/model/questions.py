"""Texts with many questions, a line each: graphs in graph6 or sparse6, machines, JSON objects.

The first line tells: if it is a question by itself and another line follows, then every line is
one, and each is handed on as soon as it is there, whatever comes after it. Any other text is one
question, and read to its end.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

from ponder.model.files import LONGEST_LINE, opened, rest_of
from ponder.model.graph_files import is_graph_word
from ponder.model.pasted import plain
from ponder.system.errors import BoardError, LargeFile


@dataclass(frozen=True)
class Question:
    """The text of one question and where it came from; `line` is None where it is a whole file."""

    data: bytes
    source: str
    line: int | None = None

    @property
    def named(self) -> str:
        """The source, with the line of one among many."""
        return self.source if self.line is None else f"{self.source}:{self.line}"


def questions(path: str | os.PathLike[str]) -> Iterator[Question]:
    """Yield the questions of a file (`-`: standard input), one by one as they are read.

    Raises BoardError if it cannot be read.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".g6") as file:
    ...     print("Bw", "", "DQc", sep="\\n", file=file, flush=True)
    ...     [(each.line, each.data) for each in questions(file.name)]
    [(1, b'Bw'), (3, b'DQc')]
    """
    with opened(path) as (file, source):
        lines = _lines(file, source)
        first = next(lines, None)
        if first is None or not _is_alone(first[1]):
            data = b"" if first is None else b"\n" * (first[0] - 1) + first[1]
            yield Question(rest_of(file, source, data), source)
            return
        second = next(lines, None)
        if second is None:
            yield Question(b"\n" * (first[0] - 1) + first[1], source)
            return
        for at, line in (first, second):
            yield Question(line.strip(), source, at)
        for at, line in lines:
            yield Question(line.strip(), source, at)


def _lines(file: IO[bytes], source: str) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank, by number from 1; the first may be a part of a line."""
    at = 0
    while line := file.readline(LONGEST_LINE):
        at += 1
        if at > 1 and len(line) == LONGEST_LINE:
            raise LargeFile(f"a line is longer than {LONGEST_LINE:,} bytes", source, at)
        if line.strip(b" \t\r\n\xef\xbb\xbf"):
            yield at, line


def _is_alone(line: bytes) -> bool:
    """Whether a line is a question by itself."""
    text = line.removeprefix(b"\xef\xbb\xbf").strip()
    if text[:1] == b"{":
        return text[-1:] == b"}"
    if text[:2] in (b"[.", b"[#"):
        return True
    if len(line) == LONGEST_LINE or not is_graph_word(text.decode("ascii", "replace")):
        return False
    try:
        return plain(text, "line") is None  # a row of signs, as people paste them, is no graph
    except BoardError:
        return False
