"""Many questions in one text: a line each, or grids with blank lines between them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import IO

from ponder.model.cell_signs import is_row
from ponder.model.files import LONGEST_LINE, opened, rest_of
from ponder.model.formats import (
    ENDINGS,
    ending_of,
    format_of,
    is_comment,
    known_format,
    normalised,
)
from ponder.model.graph_files import is_graph6
from ponder.model.grid_text import boards_in
from ponder.model.wiring_files import MACHINE_LINE
from ponder.system.errors import BoardError, LargeFile


@dataclass(frozen=True)
class Question:
    """The text of one question and where it came from; `line` is None where it is a whole file.

    `pattern` is that of a shape named in its place, which no option replaces.
    """

    data: bytes
    source: str
    line: int | None = None
    pattern: str | None = None
    format: str | None = None


def questions(path: str | os.PathLike[str], format: str | None = None) -> Iterator[Question]:
    """Yield the questions of a file (`-`: standard input), one by one as they are read.

    Where the first of several lines is a machine, a graph in graph6 or a JSON object, every line
    that is no comment is a question, handed on as soon as it is there. Grids with blank lines
    between them are questions too. Any other text is one question. `format` and the file's ending
    say what it is. Raises BoardError if it cannot be read.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".g6") as file:
    ...     print("Bw", "", "DQc", sep="\\n", file=file, flush=True)
    ...     [(each.line, each.data) for each in questions(file.name)]
    [(1, b'Bw'), (3, b'DQc')]
    """
    with opened(path) as (file, source):
        lines, taken = _lines(file, source), list[tuple[int, bytes]]()
        lone = list[tuple[int, bytes]]()  # those of them that are no comments
        stated = known_format(format) or ENDINGS.get(ending_of(source))
        kind: str | None = None
        for at, line in lines:
            taken.append((at, line))
            lone += _uncommented([(at, line)], source)
            if len(lone) == 1 and kind is None:
                kind = _format_of_line(line) if stated in (None, "json") else stated
                if kind not in ("json", "machine", "graph6"):
                    break
            if len(lone) == 2:
                drawn = all(is_row(part.decode("utf-8", "replace")) for _, part in lone)
                if kind == "graph6" and stated is None and drawn:
                    break  # a picture
                for where, part in chain(lone, _uncommented(lines, source)):
                    yield Question(part, source, where, format=kind)
                return
        numbers = [0, *(at for at, _ in taken)]
        blanks = (b"\n" * (at - before - 1) for before, at in pairwise(numbers))
        begun = b"".join(chain.from_iterable(zip(blanks, (line for _, line in taken), strict=True)))
        data = rest_of(file, source, begun)
        text = normalised(data, source)
        if re.search(rb"\n[ \t]*\n", text.strip()) and text.lstrip()[:1] != b"{":
            with suppress(BoardError):
                kind = stated or format_of(text, source)
        boards = boards_in(text, source) if kind == "grid" else []
        if len(boards) > 1:
            yield from (Question(part, source, at, format=format) for at, part in boards)
        else:
            yield Question(data, source, format=format)


def _uncommented(lines: Iterable[tuple[int, bytes]], source: str) -> Iterator[tuple[int, bytes]]:
    """Yield what stands in lines that are no comments, with their numbers."""
    for at, line in lines:
        part = normalised(line, source).strip()
        if part and not is_comment(part[:100].decode("utf-8", "replace")):
            yield at, part


def _lines(file: IO[bytes], source: str) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank, by number from 1; the first may be a part of a line."""
    for at, line in enumerate(iter(lambda: file.readline(LONGEST_LINE), b""), 1):
        if at > 1 and len(line) == LONGEST_LINE:
            raise LargeFile(f"a line is longer than {LONGEST_LINE:,} bytes", source, at)
        if line.removeprefix(b"\xef\xbb\xbf").strip(b" \r\n"):  # tabs may be a row of dark cells
            yield at, line


def _format_of_line(line: bytes) -> str | None:
    """Return the format of a line that is a question by itself, or None."""
    text = normalised(line).strip().decode("utf-8", "replace")
    if text[:1] == "{":
        return "json" if text[-1:] == "}" else None
    if len(line) == LONGEST_LINE or not text:
        return None
    if MACHINE_LINE.match(text) is not None:
        return "machine"
    return "graph6" if is_graph6(text) else None
