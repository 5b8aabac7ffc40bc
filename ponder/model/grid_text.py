"""Grid boards as text: a header, one sign for each cell, perhaps a second grid for the goal.

    # a comment
    pattern: cross          cross, plus, king, torus-plus, torus-king, stencil <dr,dc> …, toggles …
    rule: unlit             unlit, lit, any
    puzzle: lights-out      pattern, rule and goal by one name, where their own lines do not say
    goal: lit               lit, unlit, pressed, or (after the grid) `goal:` and a second grid
    0 0 1 1                 1 lit, 0 unlit, - no bulb; or signs (`cell_signs`)
    1101

A blank line between rows ends a board: what follows it is another one (`boards_in`). A line of `#`
alone is a row where the board has no digits, and a comment where it has.

Two texts that are no rows of signs are turned into such a file first:

    [[0, 1], [1, 0]]                        a list of rows, also of numpy, also of True and False
    https://…/#1.4x4.cross.unlit.lit.w2g    size, pattern, rule, goal, and the lit bulbs, six in a
                                            sign, as base64 for addresses; holes may follow
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode
from contextlib import suppress
from typing import TypeAlias
from urllib.parse import unquote

import numpy as np

from ponder.model.board import (
    GOALS,
    MOST_BULBS,
    RULES,
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
    states_of,
    without_comment,
)
from ponder.model.graph import GridGraph
from ponder.model.presets import puzzle_named
from ponder.model.wired_graph import board_graph
from ponder.system.errors import BadArgument, BoardError, fail, quoted, unknown
from ponder.system.limits import Limits
from ponder.system.types import Bits

Header: TypeAlias = dict[str, tuple[str, int]]  # key → (value, number of the line)

_KEYS = ("pattern", "rule", "goal", "puzzle")
_ALSO_KEYS = {"target": "goal", "shape": "pattern", "graph": "pattern"}
HEADER = re.compile(r"\s*([A-Za-z][\w-]*)\s*:(.*)")
_GOAL = re.compile(r"\s*goal\s*:(.*)")
_LINK = re.compile(rb"(?:\A|\s)[^\s#]*#1\.(\d{1,4})x(\d{1,4})\.([^\s;]+)(?:;\S*)?\s*\Z")
_LONGEST_LINK = 40_000
_LISTED_ROW = re.compile(r"\[([^\[\]]*)\]")


def parse_grid_board(data: bytes, source: str, options: BoardOptions, limits: Limits) -> Board:
    """Return the board of a grid file's content, whose lines end with a line feed each.

    Raises BoardError with the line and the reason if it is none, and TimeUp if the deadline passes.

    >>> from ponder.system.limits import NEVER
    >>> board = parse_grid_board(b"rule: any\\n01\\n-0\\n", "a.txt", BoardOptions(), NEVER)
    >>> board.rule, board.graph.size, board.name
    ('any', 3, 'a')
    """
    header, body, line = _read_header(data, source, limits)
    cells, wanted, goal_line, remarks = _read_grids(body, line, header, source)
    limits.check()
    puzzle = options.puzzle
    if "puzzle" in header:
        name, named_at = header["puzzle"]
        preset = puzzle_named(name, source, named_at)
        puzzle = puzzle or preset
        for key in ("pattern", "rule", "goal"):
            if value := getattr(preset, key):
                header.setdefault(key, (value, named_at))
    if cells.size > MOST_BULBS:
        fail(f"a board of {cells.size:,} cells is too large (at most {MOST_BULBS:,})", source)
    mask = cells != ord("-")
    if not mask.any():
        fail("the board has no bulbs: every cell is a hole", source, line)

    def refused(reason: str, key: str) -> BoardError:  # a parameter, or what the header says
        asked = getattr(options, key) is not None
        at = header[key][1] if key in header else None
        return BadArgument(reason, key) if asked else BoardError(reason, source, at)

    pattern = header.get("pattern", ("cross", 0))[0] if options.pattern is None else options.pattern
    try:
        graph = board_graph(pattern or " ", (cells.shape[0], cells.shape[1]), mask)
    except (ValueError, IndexError) as error:
        raise refused(str(error), "pattern") from None
    if puzzle is not None and (misfit := puzzle.misfit(graph)) is not None:
        raise refused(misfit, "puzzle")
    graph.remarks = remarks
    limits.check()
    word = header.get("goal", ("lit", 0))[0]
    target: Bits | None
    if options.goal is not None:
        target = options.goal(graph)
    elif wanted is None:
        target = None if word == "pressed" else np.full(graph.size, word == "lit")
    else:
        if wanted.shape != graph.shape:
            (rows, columns), (height, width) = wanted.shape, graph.shape
            wrong = f"the goal grid is {rows}×{columns}, the board {height}×{width}"
            fail(wrong, source, goal_line)
        if ((wanted == ord("-")) == mask).any():
            fail("the goal grid has its holes elsewhere than the board", source, goal_line)
        target = graph.from_grid(wanted == ord("1"))
    rule = header.get("rule", ("unlit", 0))[0] if options.rule is None else options.rule
    if rule not in RULES:
        raise refused(unknown_rule(rule), "rule")
    lit, pressed = graph.from_grid(cells == ord("1")), target is None
    return Board(graph, lit, lit if target is None else target, rule, board_name(source), pressed)


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


def _read_header(data: bytes, source: str, limits: Limits) -> tuple[Header, bytes, int]:
    """Return the header, what follows it, and the number of the line there."""
    header: Header = {}
    at, line = 0, 1
    while at < len(data):
        limits.check()
        end = data.find(b"\n", at) % (len(data) + 1)
        text = data[at:end].decode("utf-8", "replace")
        plain = text if is_row(text) else without_comment(text)
        if plain.strip(BLANKS):
            match = HEADER.fullmatch(plain)
            if match is None:
                break
            key, value = match[1], match[2].strip()
            if key not in _KEYS:
                fail(unknown("key", key, _KEYS, _ALSO_KEYS), source, line)
            if key in header:
                first = header[key][1]
                fail(f"the key {key!r} is repeated (first in line {first})", source, line)
            if key == "goal" and value not in (*GOALS, ""):
                fail(unknown_state(value, "a grid after the board's"), source, line)
            header[key] = (value, line)
        at, line = end + 1, line + 1
    if header.get("goal", ("lit", 0))[0] == "":
        where = header["goal"][1]
        fail("the goal grid after `goal:` belongs after the board's grid", source, where)
    return header, data[at:], line


def _read_grids(
    body: bytes, line: int, header: Header, source: str
) -> tuple[Cells, Cells | None, int, tuple[str, ...]]:
    """Return the board's cells, the goal's if there is a grid of it, with its line, and remarks."""
    cells = plain_digits(body.rstrip(b" \n"))
    if cells is not None:
        holes = cells == ord("-")
        ruled = holes.all(axis=1)
        if not header and ruled.any() and not (ruled.all() or holes[~ruled].any()):
            where, lone = line + int(ruled.argmax()), "-" * cells.shape[1]
            fail(f"{lone} may be a row of holes, or a rule: write a header", source, where)
        return cells, None, 0, ()
    rows = lines_of(body, line)
    goal_at = next((k for k, (_, text) in enumerate(rows) if _GOAL.match(text)), len(rows))
    for k, (number, text) in enumerate(rows):
        if k == goal_at and "goal" in header:
            fail(f"the goal is given twice (first in line {header['goal'][1]})", source, number)
        late = text.partition(":")[2].strip() if k == goal_at else text.strip()
        if HEADER.fullmatch(text) and late:
            words = f"{quoted(late[:40])} comes too late: header lines belong before the grid"
            words += ", and a grid of the goal follows a line `goal:`"
            fail(words, source, number)
    boards, goals = groups(rows[:goal_at]), groups(rows[goal_at + 1 :])
    if not boards:
        fail("no grid: the file holds no rows of 0, 1 and -", source, line)
    if len(boards) > 1 or len(goals) > 1:
        many = f"{max(len(boards), len(goals))} grids with blank lines between them"
        number = (boards if len(boards) > 1 else goals)[1][0][0]
        fail(f"{many}: this is no single board; `order`, `solve` answer each", source, number)
    if goal_at < len(rows) and not goals:
        fail("the goal grid after `goal:` is empty", source, rows[goal_at][0])
    grids, remarks = cells_of(boards + goals, source)
    if not goals:
        return grids[0], None, 0, remarks
    return grids[0], grids[1], goals[0][0][0], remarks


def lines_of(body: bytes, line: int) -> list[Row]:
    """Return the lines of a grid's text without comments, numbered; blank lines are there."""
    texts = body.decode("utf-8", "replace").split("\n")
    plain = (without_comment(text) for text in texts if not HEADER.fullmatch(text))
    digits = any("0" in text or "1" in text for text in plain)
    rows: list[Row] = []
    for number, text in enumerate(texts, line):
        kept = text
        if digits:
            kept = without_comment(text)
        elif text.lstrip().startswith("#") and not is_row(text):
            kept = ""
        if kept.strip() or not text.strip():  # a line that is only a comment separates nothing
            rows.append((number, kept))
    tabbed = any("\t" in text and text.strip() for _, text in rows)  # a tab may be dark cells
    rows = [(at, text if text.strip(BLANKS + "\t" * (not tabbed)) else "") for at, text in rows]
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
        goal = _GOAL.fullmatch(group[0][1])
        if boards and (not complete or (goal and not goal[1].strip())):
            boards[-1] += group
        else:
            boards.append(list(group))
        complete = has_rows
    headed = [HEADER.fullmatch(board[0][1]) is not None for board in boards]
    if len(boards) > 1 and any(headed) and not all(headed):
        where = boards[headed.index(False)][0][0]
        how = "repeat it, or give --puzzle in its place"
        fail(f"other boards of this file have a header, this one has none: {how}", source, where)
    widths = {len(text.strip(BLANKS)) for board in boards for _, text in board}
    if len(boards) > 1 == len(widths) and all(len(board) == 1 for board in boards):
        how = "leave the blank lines out, or write a header above each row"
        question = "a blank line after each row: one board, or one in each row?"
        fail(f"{question} Say which: {how}", source, boards[1][0][0])
    states: dict[str, tuple[str, int]] = {}
    for board in boards:
        signs = [row for row in board if not HEADER.fullmatch(row[1])]
        meant = dict[str, str]()
        with suppress(BoardError):  # told when this board is read
            meant = states_of(signs, source) if signs else {}
        for sign, state in meant.items():
            before, at = states.setdefault(sign, (state, signs[0][0]))
            if state != before:
                words = {"1": "lit", "0": "dark", "-": "no bulb"}
                here = f"{quoted(sign)} means {words[state]} here, and {words[before]} in the board"
                fail(f"{here} of line {at}: write 1, 0 and -", source, signs[0][0])
    parts: list[tuple[int, bytes]] = []
    for board in boards:
        text, last = "\n" * (board[0][0] - 1), board[0][0]
        for number, row in board:
            text += "\n" * (number - last) + row
            last = number
        parts.append((board[0][0], f"{text}\n".encode()))
    return parts


# ------------------------------------------------------------------------- lists, and links


def has_link(data: bytes) -> bool:
    """Whether a text ends with a link to a board."""
    return _LINK.search(data[-_LONGEST_LINK:]) is not None


def list_as_rows(text: str, source: str) -> bytes:
    """Return the grid of a list of rows, as Python and numpy print it."""
    body = re.sub(
        r"^\s*(?:np\.|numpy\.)?array\((.*?)(?:,\s*dtype=[\w.]+)?\)\s*$", r"\1", text, flags=re.S
    )
    body = body.replace("false", "False").replace("true", "True")  # of JSON
    rows = _LISTED_ROW.findall(body)
    between, last = (r"\s*,\s*", ",?") if "," in body else (r"\s+", "")
    outside = rf"\s*\[\s*R(?:(?:{between})R)*\s*{last}\s*\]\s*"
    if re.fullmatch(outside, _LISTED_ROW.sub("R", body)) is None:
        fail("this list is no grid: write a list of rows, [[0, 1], [1, 0]]", source, 1)
    states = {"0": "0", "1": "1", "False": "0", "True": "1", "0.": "0", "1.": "1"}
    cells = [re.split(between, row.strip().removesuffix(",").rstrip()) for row in rows]
    strange = next((word for row in cells for word in row if word not in states), None)
    if strange is not None:
        reason = f"{quoted(strange)} is no cell of a grid: cells are 0 and 1"
        edges = all(len(row) == 2 for row in cells)
        more = '; write a graph as {"nodes": N, "edges": …}' if edges else ""
        fail(reason + more, source, 1)
    lines = text.count("\n", 0, text.index("[")) * "\n"
    return (lines + "\n".join("".join(states[word] for word in row) for row in cells)).encode()


def linked(data: bytes, source: str) -> bytes:
    """Return the board file that a link stands for. Raises BoardError for a damaged one."""
    match = _LINK.search(data[-_LONGEST_LINK:])
    if match is None:
        fail("there is no link to a board in it", source)
    shape, rest = (int(match[1]), int(match[2])), match[3].decode("utf-8", "replace")
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
