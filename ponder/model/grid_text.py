"""Grid boards as text: a header, one sign for each cell, perhaps a second grid for the goal.

The grid is bytes with one class per character, read by table look-up with numpy: O(bytes), 10,000 ×
10,000 in about two seconds. The header, a handful of lines, is read line by line.

    # a comment
    pattern: cross          cross, plus, king, torus-plus, torus-king, stencil <dr,dc> …, toggles …
    rule: unlit             unlit, lit, any
    puzzle: lights-out      pattern, rule and goal by one name, where their own lines do not say
    goal: lit               lit, unlit, or (after the grid) a line `goal:` and a second grid
    0 0 1 1                 1 lit, 0 unlit, - no bulb; blanks and commas between cells optional
    1101
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import NoReturn, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from ponder.model.board import (
    MOST_BULBS,
    RULES,
    STATES,
    Board,
    BoardOptions,
    board_name,
    unknown_rule,
    unknown_state,
)  # fmt: skip
from ponder.model.graph import GridGraph
from ponder.model.presets import puzzle_named
from ponder.model.wired_graph import board_graph
from ponder.system.errors import BoardError, bad_argument, fail, quoted, unknown
from ponder.system.limits import Limits
from ponder.system.printable import pluralise
from ponder.system.types import Bits, Ints, indices

Cells: TypeAlias = NDArray[np.uint8]
Header: TypeAlias = dict[str, tuple[str, int]]  # key → (value, number of the line)

_KEYS = ("pattern", "rule", "goal", "puzzle")
_ALSO_KEYS = {"target": "goal", "shape": "pattern", "graph": "pattern"}
_BLANKS = re.compile(rb"\s*")
_HEADER = re.compile(rb"\s*([A-Za-z][\w-]*)\s*:(.*)")
_GOAL = re.compile(rb"^[ \t]*goal[ \t]*:", re.MULTILINE)
_CELL, _BLANK, _END, _FOREIGN = 0, 1, 2, 3
_CLASS = np.full(256, _FOREIGN, dtype=np.uint8)
_CLASS[[ord(c) for c in "01-"]] = _CELL
_CLASS[[ord(c) for c in " ,\t"]] = _BLANK
_CLASS[ord("\n")] = _END


def parse_grid_board(data: bytes, source: str, options: BoardOptions, limits: Limits) -> Board:
    """Return the board of a grid file's content, whose lines end with a line feed each.

    Raises BoardError with the line and the reason if it is none, and TimeUp if the deadline passes.

    >>> from ponder.system.limits import NEVER
    >>> board = parse_grid_board(b"rule: any\\n01\\n-0\\n", "a.txt", BoardOptions(), NEVER)
    >>> board.rule, board.graph.size, board.name
    ('any', 3, 'a')
    """
    data = without_comments(data)
    if data[-2:].isspace():  # else a copy of a large board would be made for nothing
        data = data.rstrip()
    header, start, line = _read_header(data, source, limits)
    body, goal_rows = _cut_at_goal(data[start:], source, line, header)
    if "puzzle" in header:
        name, named_at = header["puzzle"]
        preset = puzzle_named(name, source, named_at)
        for key in ("pattern", "rule", "goal"):
            header.setdefault(key, (getattr(preset, key), named_at))
    limits.check()
    cells = parse_cells(body, source, line)
    limits.check()
    if cells is None:
        fail("no grid: the file holds no rows of 0, 1 and -", source, line)
    shape, mask = _shape_and_mask(cells, source, line)
    pattern, where, at = _said("pattern", options.pattern, header, source, "cross")
    try:
        graph = board_graph(pattern or " ", shape, mask)
    except (ValueError, IndexError) as error:
        _refuse(str(error), "pattern", where, at)
    lit = graph.from_grid(cells == ord("1"))
    limits.check()
    if options.goal is not None:
        target = options.goal(graph)
    elif goal_rows is not None:
        target = _goal_grid(goal_rows[0], graph, source, goal_rows[1])
    else:
        target = np.full(graph.size, header.get("goal", ("lit", 0))[0] == "lit")
    rule, where, at = _said("rule", options.rule, header, source, "unlit")
    if rule not in RULES:
        _refuse(unknown_rule(rule), "rule", where, at)
    return Board(graph, lit, target, rule, board_name(source))


def grid_board_text(board: Board) -> str:
    """Return a grid board as a file that `parse_grid_board` reads back."""
    graph = board.graph
    assert isinstance(graph, GridGraph)
    rows = [f"pattern: {graph.pattern}", f"rule: {board.rule}"]
    if board.goal_name != "grid":
        rows.append(f"goal: {board.goal_name}")
    rows += graph.to_digits(board.lit)
    if board.goal_name == "grid":
        rows += ["goal:", *graph.to_digits(board.goal)]
    return "\n".join(rows) + "\n"


def without_comments(data: bytes) -> bytes:
    """Return the data with blanks for its comments: every place stays. O(bytes), by arrays."""
    first = data.find(b"#")
    if first < 0:
        return data
    last = data.find(b"\n", data.rfind(b"#"))
    part = np.frombuffer(data[first : len(data) if last < 0 else last] + b"\n", dtype=np.uint8)
    sign = part == ord("#")
    places = np.flatnonzero(sign | (part == ord("\n")))
    opens = sign[places]
    before = np.concatenate([[False], opens[:-1]])
    steps = np.zeros(part.size, dtype=np.int8)
    steps[places[opens & ~before]] = 1  # the first # of a line
    steps[places[~opens & before]] = -1  # the end of a line that has one
    blanked = np.where(np.cumsum(steps, dtype=np.int8) > 0, np.uint8(ord(" ")), part)[:-1]
    return b"".join((data[:first], blanked.tobytes(), data[first + blanked.size :]))


def _read_header(data: bytes, source: str, limits: Limits) -> tuple[Header, int, int]:
    """Return the header, the place of what follows it, and the number of the line there."""
    header: Header = {}
    at, line = 0, 1
    while (start := cast("re.Match[bytes]", _BLANKS.match(data, at)).end()) < len(data):
        limits.check()
        line += data.count(b"\n", at, start)  # the header: lines that are not blank
        at = max(data.rfind(b"\n", at, start) + 1, at)
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        words = data[start : min(end, start + 100_000)].rstrip()
        if not _read_header_line(words, line, source, header):
            break
        if header.get("goal", ("lit", 0))[0] == "":
            fail("the goal grid after `goal:` belongs after the board's grid", source, line)
        at = end
    return header, at, line


def _read_header_line(words: bytes, line: int, source: str, header: Header) -> bool:
    """Take one header line in; False when the line is no header line."""
    match = _HEADER.fullmatch(words)
    if match is None:
        return False
    key = match[1].decode()
    value = match[2].decode("utf-8", "backslashreplace").strip()
    if key not in _KEYS:
        fail(unknown("key", key, _KEYS, _ALSO_KEYS), source, line)
    if key in header:
        fail(f"the key {key!r} is repeated (first in line {header[key][1]})", source, line)
    if key == "goal" and value not in (*STATES, ""):
        fail(unknown_state(value, "a grid after the board's"), source, line)
    header[key] = (value, line)
    return True


def _cut_at_goal(
    body: bytes, source: str, line: int, header: Header
) -> tuple[bytes, tuple[bytes, int] | None]:
    """Return the rows before a line `goal:`, and those after it with their first line."""
    split = _GOAL.search(body) if b"goal" in body else None
    if split is None:
        return body, None
    line += body.count(b"\n", 0, split.start())
    if "goal" in header:
        fail(f"the goal is given twice (first in line {header['goal'][1]})", source, line)
    first, _, below = body[split.end() :].partition(b"\n")
    word = first.strip()
    if word:
        _fail_too_late(word, source, line)
    return body[: split.start()], (below, line + 1)


def parse_cells(body: bytes, source: str, line: int) -> Cells | None:
    """Return the (R, C) characters of a grid that begins in line `line`; None without any cell."""
    if b"\n\n\n" in body:  # many blank lines: they matter for the place of an error only
        with suppress(BoardError):
            return parse_cells(re.sub(rb"\n\n+", b"\n", body), source, line)
    if not body.endswith(b"\n"):
        body += b"\n"
    flat = np.frombuffer(body, dtype=np.uint8)
    width = body.index(b"\n")
    if width and flat.size % (width + 1) == 0:  # the common case: an exact block of cells
        block = flat.reshape(-1, width + 1)
        inner = block[:, :width]
        if (block[:, width] == ord("\n")).all() and (
            (inner == ord("0")) | (inner == ord("1")) | (inner == ord("-"))
        ).all():
            return inner
    kinds = _CLASS[flat]
    ends = np.flatnonzero(kinds == _END)
    if (kinds == _FOREIGN).any():
        _fail_foreign(body, int(np.argmax(kinds == _FOREIGN)), ends, source, line)
    is_cell = kinds == _CELL
    starts = np.concatenate([np.zeros(1, dtype=np.int64), ends[:-1] + 1])
    lengths = np.add.reduceat(is_cell, indices(starts), dtype=np.int64)
    used = np.flatnonzero(lengths)
    if not used.size:
        return None
    ragged = used[lengths[used] != lengths[used[0]]]
    if ragged.size:
        k, want = int(lengths[ragged[0]]), int(lengths[used[0]])
        fail(
            f"this row has {pluralise(k, 'cell')}, the first row has {want}",
            source,
            line + int(ragged[0]),
        )
    cells: Cells = flat[is_cell].reshape(used.size, -1)
    return cells


def _fail_foreign(body: bytes, at: int, ends: Ints, source: str, line: int) -> NoReturn:
    """Refuse the character at a place of `body`, whose lines end at `ends`."""
    where = line + int(np.searchsorted(ends, at))
    start = int(ends[where - line - 1]) + 1 if where > line else 0
    words = body[start : int(ends[where - line])].strip()
    if _HEADER.fullmatch(words) is not None:
        _fail_too_late(words, source, where)
    bad = body[at : at + 4].decode("utf-8", "replace")[:1]
    fail(
        f"foreign character {quoted(bad)} in column {at - start + 1}; cells are 0, 1 and - "
        "(or one of . _ · ○ ◎ □ ⬛ for unlit and one of # * @ O ● ◉ ■ 🟨 for lit)",
        source,
        where,
    )


def _shape_and_mask(cells: Cells, source: str, line: int) -> tuple[tuple[int, int], Bits | None]:
    """Return the board's shape, and where its bulbs are if it has holes."""
    if cells.size > MOST_BULBS:
        fail(f"a board of {cells.size:,} cells is too large (at most {MOST_BULBS:,})", source)
    bulbs = cells != ord("-")
    mask = None if bulbs.all() else bulbs
    if mask is not None and not mask.any():
        fail("the board has no bulbs: every cell is a hole", source, line)
    return (cells.shape[0], cells.shape[1]), mask


def _goal_grid(text: bytes, graph: GridGraph, source: str, line: int) -> Bits:
    cells = parse_cells(text, source, line)
    if cells is None:
        fail("the goal grid after `goal:` is empty", source, line)
    if cells.shape != graph.shape:
        fail(
            f"the goal grid is {cells.shape[0]}×{cells.shape[1]}, the board "
            f"{graph.shape[0]}×{graph.shape[1]}",
            source,
            line,
        )
    holes = cells == ord("-")
    if (holes if graph.mask is None else holes == graph.mask).any():
        fail("the goal grid has its holes elsewhere than the board", source, line)
    return graph.from_grid(cells == ord("1"))


def _said(
    key: str, option: str | None, header: Header, source: str, default: str
) -> tuple[str, str | None, int | None]:
    """Return what the option or else the header says under a key, and where a file says so."""
    if option is not None:
        return option, None, None
    word, line = header.get(key, (default, None))
    return word, source, line


def _refuse(reason: str, key: str, source: str | None, line: int | None) -> NoReturn:
    """Refuse what the header says under a key, or the parameter of that name."""
    if source is None:
        bad_argument(reason, key)
    fail(reason, source, line)


def _fail_too_late(words: bytes, source: str, line: int) -> NoReturn:
    """Refuse a header line that stands below the grid."""
    text = quoted(words.decode("utf-8", "backslashreplace")[:40])
    fail(f"{text} comes too late: header lines belong before the grid", source, line)
