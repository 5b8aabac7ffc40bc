"""Texts with many questions, a line each: graphs in graph6 or sparse6, machines, JSON objects.

The first line tells: if it is a question by itself and another line follows, then every line is
one, and each is handed on as soon as it is there, whatever comes after it. Any other text is one
question, and read to its end.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import IO

from ponder.model.files import LONGEST_LINE, opened, rest_of
from ponder.model.graph_files import is_graph_word
from ponder.model.pasted import plain
from ponder.system.errors import BoardError, LargeFile

SIGNS = "signs"
BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Question:
    """The text of one question and where it came from; `line` is None where it is a whole file.

    `pattern` is that of a shape named in its place, which no option replaces.
    """

    data: bytes
    source: str
    line: int | None = None
    pattern: str | None = None


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
        lines, taken = _lines(file, source), list[tuple[int, bytes]]()
        for at, line in lines:
            taken.append((at, line))
            kind = _kind(taken[0][1])
            if kind is None or (len(taken) == 2 and kind == SIGNS and _kind(line) != "graph"):
                break
            if len(taken) == 2:
                for where, text in chain(taken, lines):
                    yield Question(text.removeprefix(BOM).strip(), source, where)
                return
        data = b""
        for k, (at, line) in enumerate(taken):
            data += b"\n" * (at - (taken[k - 1][0] if k else 0) - 1) + line
        yield Question(rest_of(file, source, data), source)


def _lines(file: IO[bytes], source: str) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank, by number from 1; the first may be a part of a line."""
    at = 0
    while line := file.readline(LONGEST_LINE):
        at += 1
        if at > 1 and len(line) == LONGEST_LINE:
            raise LargeFile(f"a line is longer than {LONGEST_LINE:,} bytes", source, at)
        if line.removeprefix(BOM).strip():
            yield at, line


def _kind(line: bytes) -> str | None:
    """Return what a line is that is a question by itself, or None.

    SIGNS may be a graph, and a row of a picture as people paste it.
    """
    text = line.removeprefix(BOM).strip()
    if text[:1] == b"{":
        return "JSON" if text[-1:] == b"}" else None
    if text[:2] in (b"[.", b"[#"):
        return "machine"
    if len(line) == LONGEST_LINE or not is_graph_word(text.decode("ascii", "replace")):
        return None
    try:
        return "graph" if plain(text, "line") is None else SIGNS
    except BoardError:
        return "graph"
