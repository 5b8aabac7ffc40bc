"""Press lists and press sets as text: the bulbs pressed, in the order in which they are.

    [[0, 1], [2, 3]]        JSON, Python or IBM's form [(2, 2), (13, 24)]: places on a grid
    (3,0) (0,1)             as ponder prints them
    0 1                     a place a line, with a blank or a comma; `#` begins a comment
    ["a", "b"], or a name a line, on a graph
    {"presses": …}          an object such as a result of ponder
    0100                    a grid of the board's shape: 1 is pressed

A place is (row, column) from 0 at the top left; with the coordinates `xy` it is IBM's (column from
the left, row from the bottom), from 1, in all lists but those of an object.
"""

from __future__ import annotations

import os
import re

import numpy as np

from ponder.model.board import Board
from ponder.model.cell_signs import WITHOUT_WIDTH, cells_of, without_comment
from ponder.model.files import read_bytes
from ponder.model.formats import normalised
from ponder.model.graph import Graph, GridGraph
from ponder.model.grid_text import groups, lines_of
from ponder.model.json_text import json_object
from ponder.model.render import NUMBERED, Coordinates
from ponder.system.errors import BoardError, fail, quoted
from ponder.system.types import Ints

_NUMBER = r"(-?[0-9]{1,18})"
_PAIR = re.compile(rf"\s*[,;]?\s*([\[(])\s*{_NUMBER}\s*[,;\s]\s*{_NUMBER}\s*([\])])")
_LINE = re.compile(rf"\s*{_NUMBER}\s*[,;\s]\s*{_NUMBER}\s*[,;]?\s*")
_EMPTY = "empty: `[]` says no presses"
_ANSWER = re.compile(
    r"(?:\s*+(?:#|[^\n]*; press )[^\n]*+\n)*+\s*+(\d{1,9}) press(?:es)?\b[^\n(]*+(?:\n|\Z)"
    rf"(?:[ \t]*+\n)*+(?:{NUMBERED}\n)?"
    r"((?:(?!not fewer than |[^\n]+, [\d.]+ m?s\b)[^\n]*\S[^\n]*+(?:\n|\Z))*+)"
)
"""The number of presses in what ponder prints, and the places below it."""


def read_presses(
    path: str | os.PathLike[str], board: Board, coordinates: Coordinates = "rc"
) -> Ints:
    """Read a press list or press set, in any of the forms above: bulbs in file order.

    Raises BoardError (file, line, reason) if the file cannot be read or names what is no bulb.
    """
    data, source = read_bytes(path)
    return parse_presses(data, board, source, coordinates)


def parse_presses(
    data: bytes,
    board: Board,
    source: str = "presses",
    coordinates: Coordinates = "rc",
    *,
    grids: bool = True,
) -> Ints:
    """Parse what `read_presses` reads; without `grids`, only what has an order.

    >>> board = Board.from_rows(["00", "00"])
    >>> parse_presses(b"[(1, 2), (2, 1)]", board, coordinates="xy").tolist()
    [0, 3]
    """
    data = normalised(data, source)
    answer = _ANSWER.match(data.decode("utf-8", "replace"))
    if answer is None:
        return _parsed(data, board, source, coordinates, grids)
    line, below = (answer.string.count("\n", 0, answer.start(k)) for k in (1, 2))
    places = b"\n" * below + (answer[2] or "[]").encode()
    bulbs = _parsed(places, board, source, coordinates, grids)
    if bulbs.size != int(answer[1]):
        fail(f"{answer[1]} presses by this line, but {bulbs.size} follow", source, line + 1)
    return bulbs


def _parsed(data: bytes, board: Board, source: str, coordinates: Coordinates, grids: bool) -> Ints:
    graph, start = board.graph, data.lstrip()[:1]
    text = data.decode("utf-8", "replace").translate(WITHOUT_WIDTH)
    if start == b"{":
        listed = json_object(data, source).get("presses")
        if not isinstance(listed, list):
            fail("no list of presses (a result of `orient`: `ponder draw` takes it)", source, 1)
        return _of_labels(listed, graph, source)
    if not isinstance(graph, GridGraph):
        if start != b"[":
            return _names(text, graph, source)
        content = json_object(b'{"presses":' + data + b"}", source)["presses"]
        return _of_labels(content if isinstance(content, list) else [], graph, source)
    marked = _pressed_on_grid(data, graph, source) if grids else None
    if marked is not None:
        plain = [re.findall(r"[^\s,;]+", line) for line in text.splitlines() if line.strip()]
        pairs = graph.shape[1] == 2 and all(len(line) == 2 for line in plain)
        if pairs and not re.search(r"[\[(]", text):
            fail("a grid, or places a line? Write a grid as 01, a place as (0,1)", source, 1)
        return marked
    bulbs = []
    for a, b, line, where in _places(text, source):
        place = (a, b) if coordinates == "rc" else (graph.shape[0] - b, a - 1)
        try:
            bulbs.append(graph.bulb(place))
        except KeyError:
            fail(f"there is no bulb at ({a},{b}), in column {where}", source, line)
    return np.array(bulbs, dtype=np.int64)


def _places(text: str, source: str) -> list[tuple[int, int, int, int]]:
    """Return pairs of numbers, each with its line and column. Raises BoardError for the rest."""
    texts = [without_comment(line) for line in text.split("\n")]
    plain = "\n".join(texts)
    places: list[tuple[int, int, int, int]] = []
    if "(" not in plain and "[" not in plain:
        for number, row in enumerate(texts, 1):
            match = _LINE.fullmatch(row)
            if match is not None:
                places.append((int(match[1]), int(match[2]), number, 1))
            elif row.strip():
                fail(f"{quoted(row.strip())} is not a press: write `row column`", source, number)
        return places or fail(_EMPTY, source, 1)
    body = plain.strip().removesuffix(",")
    at, end = plain.index(body), plain.index(body) + len(body)
    listed = re.match(r"\[\s*(?:[\[(]|\])", body) is not None
    if listed and body.endswith("]"):
        at, end = at + 1, end - 1
    elif listed:
        fail("the list has no end: `]` is missing", source, len(texts))
    while plain[at:end].strip(" \n\t,"):
        match = _PAIR.match(plain, at, end)
        start = at + len(plain[at:end]) - len(plain[at:end].lstrip(" \n\t,;"))
        line = plain.count("\n", 0, start) + 1
        column = start - (plain.rfind("\n", 0, start) + 1) + 1
        early = not places and start > at + len(plain[at:]) - len(plain[at:].lstrip())
        if early or match is None or (match[1] == "(") != (match[4] == ")"):
            damaged = plain[start:end].split("\n")[0][:20]
            wrong = f"{quoted(damaged)} in column {column} is no place: write (row,column)"
            fail(wrong, source, line)
        places.append((int(match[2]), int(match[3]), line, column))
        at = match.end()
    return places


def _of_labels(listed: list[object], graph: Graph, source: str) -> Ints:
    for label in listed:  # True is 1 to numpy
        if bool in map(type, label if isinstance(label, list) else [label]):
            fail(f"there is no bulb {quoted(label)}", source)
    try:
        return graph.bulbs(listed)
    except (KeyError, TypeError, OverflowError) as error:
        fail(f"there is no bulb {quoted(error.args[0] if error.args else listed)}", source)


def _pressed_on_grid(data: bytes, graph: GridGraph, source: str) -> Ints | None:
    """Return the bulbs that a grid of the board's shape marks; None when the text is none."""
    try:
        blocks = groups(lines_of(data, 1))
        cells = cells_of(blocks, source)[0][0] if len(blocks) == 1 else None
    except BoardError:
        return None
    if cells is None or cells.shape != graph.shape:
        return None
    chosen = cells == ord("1")
    if graph.mask is not None and (chosen & ~graph.mask).any():
        fail("the press set presses a hole", source)
    return np.flatnonzero(graph.from_grid(chosen))


def _names(text: str, graph: Graph, source: str) -> Ints:
    """Return the vertices that are named a line each, or between blanks."""
    named = sorted(enumerate(graph.labels(range(graph.presses))), key=lambda x: str is type(x[1]))
    called = {str(label): v for v, label in named}  # a text before a number written so
    bulbs: list[int] = []
    for number, line in enumerate(text.split("\n"), 1):
        name = without_comment(line).strip()
        for word in [name] if name in called else name.split():
            if word not in called:
                fail(f"there is no bulb {quoted(word)}", source, number)
            bulbs.append(called[word])
    return np.array(bulbs or fail(_EMPTY, source, 1), dtype=np.int64)
