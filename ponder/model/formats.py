"""Board files of any format: which one a text is in, and the states that a caller names.

A file whose first character is `{` is a graph in JSON (`graph_json`), or with buttons a wiring, as
are machines in one line (`graph_files`). Any other is a grid (`grid_text`), or one in other signs,
a link, a saved result (`plain`), or a plain graph in any format of `graph_files`: all its bulbs
dark, the goal lit. Every error is a `BoardError` with file, line and reason; an accepted board
never crashes later. A text may also hold many questions, a line each (`questions`).
"""

from __future__ import annotations

import os
import re
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from typing import IO, TypeAlias
from urllib.parse import unquote

import numpy as np

from ponder.model.board import STATES, Board, BoardOptions, unknown_state
from ponder.model.files import LONGEST_LINE, opened, read_bytes, rest_of
from ponder.model.graph import EdgeGraph, Graph, GridGraph
from ponder.model.graph_files import (
    board_of_graph,
    is_graph_word,
    is_plain_graph,
    is_wiring,
    parse_wiring,
    wiring_text,
)
from ponder.model.graph_json import graph_board_text, parse_graph_board
from ponder.model.grid_text import grid_board_text, parse_grid_board
from ponder.model.json_text import json_object
from ponder.model.presets import puzzle_named
from ponder.model.wired_graph import WiringGraph
from ponder.system.errors import BoardError, LargeFile, bad_argument, fail, quoted
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits

# ------------------------------------------------------------------- boards as people paste them

#     drawn     rows of #. or ○● or ⬛🟨 (dark and lit) below a header, if there is
#               one; lit: any coloured sign, ⬛ and ⬜ are dark beside one, and ⬜ is lit beside ⬛
#               alone. `-` is no bulb, and so is ⬛ beside dark ⬜
#     link      https://…/#1.4x4.cross.unlit.lit.w2g (see `page/static/link.js`), on the last line
#     result    a result that the page saved, which has the text of its board in `board.text`

MOST = 4_000_000  # bytes of what is pasted; files beyond have the usual form
LONGEST_LINK = 40_000

LIT = "#*@O●◉■💡⭐🌕☀🔆🟨🟡🟧🟠🟩🟢🟦🔵🟥🔴🟪🟣🟫🟤"
DARK = "._·○◎□🌑"
WHITE, BLACK = "⬜⚪◻", "⬛⚫◼"
_BLANKS = dict.fromkeys(map(ord, " ,\t\ufe0e\ufe0f"))  # the last two choose how a sign is drawn
_HEADER = re.compile(r"\s*[A-Za-z][\w-]*\s*:")
_LINK = re.compile(rb"(?:\A|\s)[^\s#]*#1\.(\d{1,4})x(\d{1,4})\.([^\s;]+)(?:;\S*)?\s*\Z")


def plain(data: bytes, source: str) -> bytes | None:
    """Return what is pasted as a board file; None where it is none of these.

    Raises BoardError for a damaged link.

    >>> plain("🟨⬛\\n⬛🟨\\n".encode(), "board"), plain(b"#1.1x2.plus.any.lit.g", "link")
    (b'10\\n01\\n', b'pattern: plus\\nrule: any\\ngoal: lit\\n10\\n')
    """
    if len(data) > MOST:
        return None
    if data.lstrip()[:1] == b"{":
        with suppress(BoardError):
            board = json_object(data, source).get("board")
            if isinstance(board, dict) and isinstance(board.get("text"), str):
                return str(board["text"]).encode()
        return None
    if (link := _LINK.search(data[-LONGEST_LINK:])) is not None:
        return _linked((int(link[1]), int(link[2])), link[3].decode("utf-8", "replace"), source)
    return _drawn(data.decode("utf-8", "replace"))


def _drawn(text: str) -> bytes | None:
    """Return rows of signs as rows of 0, 1 and -; each stays on its line."""
    lines = text.split("\n")
    signs = [line.translate(_BLANKS) for line in lines]
    known = {*LIT, *DARK, *WHITE, *BLACK, "-"}
    rows = [k for k, row in enumerate(signs) if row and known.issuperset(row)]
    used = {sign for k in rows for sign in signs[k]}
    if not rows or used == {"-"} or (used == {"#"} and len(rows) == 1):
        return None
    coloured, white, black = (not used.isdisjoint(some) for some in (LIT, WHITE, BLACK))
    meaning = {
        **dict.fromkeys(LIT, "1"),
        **dict.fromkeys(DARK, "0"),
        **dict.fromkeys(WHITE, "1" if black and not coloured else "0"),
        **dict.fromkeys(BLACK, "-" if white and coloured else "0"),
    }
    table = str.maketrans(meaning)
    for k, row in enumerate(signs):
        if k in rows:
            lines[k] = row.translate(table)
        elif row and not lines[k].lstrip().startswith("#") and not _HEADER.match(lines[k]):
            return None
    return "\n".join(lines).encode()


def _linked(shape: tuple[int, int], rest: str, source: str) -> bytes:
    pattern, rule, goal, *bits = [*unquote(rest).split("."), "", "", ""][:5]
    lit = _bits(bits[0], shape, source)
    holes = _bits(bits[1], shape, source) if bits[1] else None
    head = [f"pattern: {pattern.replace(':', ' ')}", f"rule: {rule}"]
    word, _, target = goal.partition(":")
    if word != "grid":
        return "\n".join([*head, f"goal: {word}", *_rows(lit, holes)]).encode() + b"\n"
    wanted = _rows(_bits(target, shape, source), holes)
    return "\n".join([*head, *_rows(lit, holes), "goal:", *wanted]).encode() + b"\n"


def _bits(text: str, shape: tuple[int, int], source: str) -> Bits:
    """Return a bit for every cell: six in a sign, as base64 for addresses. Raises BoardError."""
    size = shape[0] * shape[1]
    if re.fullmatch(r"[\w-]*", text, re.ASCII) is None or len(text) != -(-size // 6) or not size:
        fail("the link to a board is damaged: its bulbs do not fit its size", source)
    octets = np.frombuffer(urlsafe_b64decode(text + "A" * (-len(text) % 4)), dtype=np.uint8)
    return np.asarray(np.unpackbits(octets)[:size].reshape(shape), dtype=np.bool_)


def _rows(lit: Bits, holes: Bits | None) -> list[str]:
    cells = np.where(lit, "1", "0")
    if holes is not None:
        cells[holes] = "-"
    return ["".join(row) for row in cells]


# ------------------------------------------------------------------------------- any format

_A_WORD = re.compile(r"[A-Za-z][\w -]*")  # what somebody takes for the name of a state

State: TypeAlias = "str | tuple[bytes, str]"
"""A state that a caller names: `lit`, `unlit`, rows of a grid, or (content, source) of a board
file, of which only the state counts."""


def read(
    path: str | os.PathLike[str],
    *,
    puzzle: str | None = None,
    pattern: str | None = None,
    rule: str | None = None,
    goal: State | None = None,
    limits: Limits = NEVER,
) -> Board:
    """Read a board file; `-` reads standard input.

    `pattern`, `rule` and `goal` replace what the file says; `puzzle` names all three. Raises
    BoardError if the file cannot be read or is no board, and TimeUp if the deadline passes.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
    ...     print("pattern: plus", "01", "10", sep="\\n", file=file, flush=True)
    ...     board = read(file.name, rule="any")
    >>> board.graph.size, board.rule
    (4, 'any')
    """
    data, name = read_bytes(path)
    limits.check()
    said = {"puzzle": puzzle, "pattern": pattern, "rule": rule}
    return parse_board(data, name, **said, goal=goal, limits=limits)


def parse_board(
    text: str | bytes,
    source: str = "board",
    *,
    puzzle: str | None = None,
    pattern: str | None = None,
    rule: str | None = None,
    goal: State | None = None,
    limits: Limits = NEVER,
) -> Board:
    """Parse a board file's content; the options replace what it says, as for `read`.

    Raises BoardError with `source`, line and reason if it is no board, TimeUp at the deadline.

    >>> parse_board("pattern: plus\\n010\\n1-1\\n").lit.astype(int).tolist()
    [0, 1, 0, 1, 1]
    >>> parse_board("01\\n0")
    Traceback (most recent call last):
    ponder.system.errors.BoardError: board:2: this row has 1 cell, the first row has 2
    """
    if not isinstance(text, str | bytes):
        bad_argument(f"{quoted(text)} is not the text of a board file", "text")
    try:
        data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    except UnicodeEncodeError as error:
        half = error.object[error.start : error.start + 1]
        bad_argument(f"{quoted(half)} is half of a surrogate pair, no character", "text")
    data = data.removeprefix(b"\xef\xbb\xbf")
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    shape = pattern  # a graph has no pattern, and takes rule and goal of a puzzle alone
    if puzzle is not None:
        preset = puzzle_named(puzzle)
        shape = preset.pattern if pattern is None else pattern
        rule = preset.rule if rule is None else rule
        goal = preset.goal if goal is None else goal
    target = None if goal is None else lambda graph: parse_state(goal, graph, "goal")

    def parsed(data: bytes) -> Board:
        if not (wiring := is_wiring(data)) and data.lstrip()[:1] != b"{":
            return parse_grid_board(data, source, BoardOptions(shape, rule, target), limits)
        parse = parse_wiring if wiring else parse_graph_board
        return parse(data, source, BoardOptions(pattern, rule, target), limits)

    try:
        try:
            return parsed(data)
        except BoardError:
            if (pasted := plain(data, source)) is not None:
                return parsed(pasted)
            if is_wiring(data) or data.lstrip()[:1] == b"{" or not is_plain_graph(data):
                raise
            return board_of_graph(data, source, BoardOptions(pattern, rule, target), limits)
    except MemoryError:
        raise BoardError("the board is too large for this machine's memory", source) from None


def parse_state(state: State, graph: Graph, parameter: str = "state") -> Bits:
    """Return the bulbs that a state lights: `lit`, `unlit`, rows, or a board file's content.

    Raises BoardError with line and reason if it is none; `parameter` is where it was named.
    """
    if isinstance(state, str) and state in STATES:
        return np.full(graph.size, state == "lit")
    if not isinstance(state, str | tuple) or (isinstance(state, str) and _A_WORD.fullmatch(state)):
        bad_argument(unknown_state(state, "a board file", "state"), parameter)
    if isinstance(state, str):
        state = state.encode(errors="surrogatepass"), "state"
    data, source = state
    if isinstance(graph, WiringGraph):
        fail("a state of a wiring stands in its file: `lit` and `goal`, or the words", source)
    if isinstance(graph, EdgeGraph):
        if data.lstrip()[:1] == b"[":
            data = b'{"nodes": %d, "lit": %s}' % (graph.size, data)
        lit = parse_board(data, source).lit
        if lit.size != graph.size:
            fail(f"the state has {lit.size} bulbs, the board {graph.size}", source)
        return lit
    other = parse_board(data, source)
    assert isinstance(graph, GridGraph)
    if not isinstance(other.graph, GridGraph) or other.graph.shape != graph.shape:
        fail(f"the state is not a {graph.shape[0]}×{graph.shape[1]} grid like the board", source)
    if not np.array_equal(graph.cells, other.graph.cells):
        fail("the state has its holes elsewhere than the board", source)
    return other.lit


def board_text(board: Board) -> str:
    """Return the board as a file that `parse_board` reads back."""
    if isinstance(board.graph, WiringGraph):
        return wiring_text(board)
    return (graph_board_text if isinstance(board.graph, EdgeGraph) else grid_board_text)(board)


# -------------------------------------------------------------------------- many in one text

# Graphs in graph6 or sparse6, machines, JSON objects. The first line tells: if it is a question by
# itself and another line follows, then every line is one, and each is handed on as soon as it is
# there, whatever comes after it. Any other text is one question, and read to its end.

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
