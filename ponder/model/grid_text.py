"""Grid boards as text: a header, one sign for each cell, perhaps a second grid for the goal.

    # a comment
    pattern: cross          cross, plus, king, torus-plus, torus-king, stencil <dr,dc> …, toggles …
    rule: unlit             unlit, lit, any
    puzzle: lights-out      pattern, rule and goal by one name, where their own lines do not say
    goal: lit               lit, unlit, or (after the grid) a line `goal:` and a second grid
    0 0 1 1                 1 lit, 0 unlit, - no bulb; or signs (`cell_signs`)
    1101

A blank line between rows ends a board: what follows it is another one (`boards_in`). A line of `#`
alone is a row where the board has no digits, and a comment where it has.
"""

from __future__ import annotations

import re
from typing import NoReturn, TypeAlias

import numpy as np

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
from ponder.model.cell_signs import (
    BLANKS,
    Cells,
    Row,
    cells_of,
    is_row,
    plain_digits,
    spaced_digits,
)
from ponder.model.graph import GridGraph
from ponder.model.presets import puzzle_named
from ponder.model.wired_graph import board_graph
from ponder.system.errors import bad_argument, fail, quoted, unknown
from ponder.system.limits import Limits
from ponder.system.types import Bits

Header: TypeAlias = dict[str, tuple[str, int]]  # key → (value, number of the line)

_KEYS = ("pattern", "rule", "goal", "puzzle")
_ALSO_KEYS = {"target": "goal", "shape": "pattern", "graph": "pattern"}
HEADER = re.compile(r"\s*([A-Za-z][\w-]*)\s*:(.*)")
_GOAL = re.compile(r"\s*goal\s*:(.*)")


def parse_grid_board(data: bytes, source: str, options: BoardOptions, limits: Limits) -> Board:
    """Return the board of a grid file's content, whose lines end with a line feed each.

    Raises BoardError with the line and the reason if it is none, and TimeUp if the deadline passes.

    >>> from ponder.system.limits import NEVER
    >>> board = parse_grid_board(b"rule: any\\n01\\n-0\\n", "a.txt", BoardOptions(), NEVER)
    >>> board.rule, board.graph.size, board.name
    ('any', 3, 'a')
    """
    header, body, line = _read_header(data, source, limits)
    limits.check()
    cells, wanted, goal_line, remarks = _read_grids(body, line, header, source)
    limits.check()
    if "puzzle" in header:
        name, named_at = header["puzzle"]
        preset = puzzle_named(name, source, named_at)
        for key in ("pattern", "rule", "goal"):
            header.setdefault(key, (getattr(preset, key), named_at))
    if cells.size > MOST_BULBS:
        fail(f"a board of {cells.size:,} cells is too large (at most {MOST_BULBS:,})", source)
    bulbs = cells != ord("-")
    mask = None if bulbs.all() else bulbs
    if mask is not None and not mask.any():
        fail("the board has no bulbs: every cell is a hole", source, line)
    pattern, where, at = _said("pattern", options.pattern, header, source, "cross")
    try:
        graph = board_graph(pattern or " ", (cells.shape[0], cells.shape[1]), mask)
    except (ValueError, IndexError) as error:
        _refuse(str(error), "pattern", where, at)
    graph.remarks = remarks
    lit = graph.from_grid(cells == ord("1"))
    limits.check()
    if options.goal is not None:
        target = options.goal(graph)
    elif wanted is not None:
        target = _goal_of(wanted, graph, source, goal_line)
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


def _line_at(data: bytes, at: int) -> tuple[str, int]:
    """Return the text of the line that begins at a place, and the place after it."""
    end = data.find(b"\n", at)
    end = len(data) if end < 0 else end
    return data[at:end].decode("utf-8", "replace"), end + 1


def _read_header(data: bytes, source: str, limits: Limits) -> tuple[Header, bytes, int]:
    """Return the header, what follows it, and the number of the line there."""
    header: Header = {}
    at, line = 0, 1
    while at < len(data):
        limits.check()
        text, following = _line_at(data, at)
        plain = text if is_row(text) else text.partition("#")[0]
        if plain.strip(BLANKS):
            match = HEADER.fullmatch(plain)
            if match is None:
                break
            _take(header, match[1], match[2].strip(), source, line)
        at, line = following, line + 1
    if header.get("goal", ("lit", 0))[0] == "":
        where = header["goal"][1]
        fail("the goal grid after `goal:` belongs after the board's grid", source, where)
    return header, data[at:], line


def _take(header: Header, key: str, value: str, source: str, line: int) -> None:
    """Take one header line in."""
    if key not in _KEYS:
        fail(unknown("key", key, _KEYS, _ALSO_KEYS), source, line)
    if key in header:
        fail(f"the key {key!r} is repeated (first in line {header[key][1]})", source, line)
    if key == "goal" and value not in (*STATES, ""):
        fail(unknown_state(value, "a grid after the board's"), source, line)
    header[key] = (value, line)


def _read_grids(
    body: bytes, line: int, header: Header, source: str
) -> tuple[Cells, Cells | None, int, tuple[str, ...]]:
    """Return the board's cells, the goal's if there is a grid of it, with its line, and remarks."""
    block = body.rstrip() + b"\n"
    cells = plain_digits(block)
    if cells is None:
        cells = spaced_digits(block)
    if cells is not None:
        return cells, None, 0, ()
    rows = lines_of(body, line)
    goal_at = next((k for k, (_, text) in enumerate(rows) if _GOAL.match(text)), len(rows))
    board_rows, goal_rows = rows[:goal_at], rows[goal_at + 1 :]
    if goal_at < len(rows):
        number, text = rows[goal_at]
        if "goal" in header:
            fail(f"the goal is given twice (first in line {header['goal'][1]})", source, number)
        if word := text.partition(":")[2].strip():
            _fail_too_late(word, source, number)
    for number, text in (*board_rows, *goal_rows):
        if HEADER.fullmatch(text):
            _fail_too_late(text.strip(), source, number)
    boards, goals = groups(board_rows), groups(goal_rows)
    if not boards:
        fail("no grid: the file holds no rows of 0, 1 and -", source, line)
    if len(boards) > 1 or len(goals) > 1:
        many = f"{max(len(boards), len(goals))} grids with blank lines between them"
        number = (boards if len(boards) > 1 else goals)[1][0][0]
        fail(f"{many}: this is no single board; `order`, `solve` answer each", source, number)
    if goal_at < len(rows) and not goals:
        fail("the goal grid after `goal:` is empty", source, rows[goal_at][0])
    wanted = goals[0] if goals else []
    cells, remarks = cells_of(boards[0], wanted, source)
    target = cells_of(wanted, boards[0], source)[0] if wanted else None
    return cells, target, wanted[0][0] if wanted else 0, remarks


def lines_of(body: bytes, line: int) -> list[Row]:
    """Return the lines of a grid's text without comments, numbered; blank lines are there."""
    texts = body.decode("utf-8", "replace").split("\n")
    plain = (text.partition("#")[0] for text in texts if not HEADER.fullmatch(text))
    digits = any("0" in text or "1" in text for text in plain)
    rows: list[Row] = []
    for number, text in enumerate(texts, line):
        kept = text
        if digits:
            kept = text.partition("#")[0]
        elif text.lstrip().startswith("#") and not is_row(text):
            kept = ""
        if kept.strip() or not text.strip():  # a line that is only a comment separates nothing
            rows.append((number, kept if kept.strip(BLANKS) else ""))
    only = [text for _, text in rows if text]
    return [] if len(only) == 1 and set(only[0]) <= {"#", *BLANKS} else rows


def groups(rows: list[Row]) -> list[list[Row]]:
    """Return the rows between blank lines."""
    groups: list[list[Row]] = [[]]
    for number, text in rows:
        if text:
            groups[-1].append((number, text))
        elif groups[-1]:
            groups.append([])
    return [group for group in groups if group]


def boards_in(data: bytes, source: str) -> list[tuple[int, bytes]]:
    r"""Return the boards of a text with blank lines between them: first lines and texts.

    A header above a board is that board's, and so is a goal's grid. Raises BoardError where the
    rows may as well be one board's.

    >>> [(line, text.split()) for line, text in boards_in(b"01\n10\n\n11\n00\n", "two.txt")]
    [(1, [b'01', b'10']), (4, [b'11', b'00'])]
    """
    boards: list[list[Row]] = []
    complete = True  # whether the last board has its rows
    for group in groups(lines_of(data, 1)):
        has_rows = any(not HEADER.fullmatch(text) for _, text in group)
        if boards and (not complete or _GOAL.fullmatch(group[0][1])):
            boards[-1] += group
        else:
            boards.append(list(group))
        complete = has_rows
    headed = [HEADER.fullmatch(board[0][1]) is not None for board in boards]
    if len(boards) > 1 and any(headed) and not all(headed):
        where = boards[headed.index(False)][0][0]
        fail("other boards of this file have a header, and this one has none", source, where)
    if len(boards) > 1 and all(len(board) == 1 for board in boards):
        fail(
            "a blank line after each row: one board, or one in each row? Leave the blank lines out",
            source,
            boards[1][0][0],
        )
    return [
        (rows[0][0], b"\n" * (rows[0][0] - 1) + "".join(f"{t}\n" for t in _filled(rows)).encode())
        for rows in boards
    ]


def _filled(rows: list[Row]) -> list[str]:
    """Return the lines of a board, with blank ones where lines are missing."""
    texts: list[str] = []
    for number, text in rows:
        texts += [""] * (number - rows[0][0] - len(texts))
        texts.append(text)
    return texts


def _goal_of(cells: Cells, graph: GridGraph, source: str, line: int) -> Bits:
    """Return the goal of a second grid. Raises BoardError for another shape or other holes."""
    if cells.shape != graph.shape:
        (rows, columns), (height, width) = cells.shape, graph.shape
        wrong = f"the goal grid is {rows}×{columns}, the board {height}×{width}"
        fail(wrong, source, line)
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


def _fail_too_late(text: str, source: str, line: int) -> NoReturn:
    """Refuse a header line that stands below the grid."""
    words = f"{quoted(text[:40])} comes too late: header lines belong before the grid"
    fail(words, source, line)
