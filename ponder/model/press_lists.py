"""Press lists and press sets as text: what was pressed, in the order in which it was.

[[0, 1], [2, 3]]        JSON: [row, column] on a grid, names on a graph; or an object
                        whose `presses` are such a list, as a result of ponder is
0 1                     one `row column`, or one name, per line; `#` begins a comment
0100                    a grid of the board's shape: 1 is pressed
"""

from __future__ import annotations

import os
import re

import numpy as np

from ponder.model.board import Board
from ponder.model.files import read_bytes
from ponder.model.graph import Graph, GridGraph
from ponder.model.grid_text import parse_cells, without_comments
from ponder.model.json_text import json_object
from ponder.model.render import Coordinates
from ponder.system.errors import BoardError, fail, quoted
from ponder.system.types import Bits, Ints

_LINE = re.compile(rb"\S[^\n]*")  # what is left of a line that is not blank
_PRESS = re.compile(r"[\[(]?\s*(-?[0-9]{1,18})[\s,]+(-?[0-9]{1,18})\s*[\])]?")


def read_presses(
    path: str | os.PathLike[str], board: Board, coordinates: Coordinates = "rc"
) -> Ints:
    """Read a press list or press set, in any of the forms above: bulbs in file order.

    `coordinates` is the meaning of the numbers in a text list; JSON is always `[row, column]`.
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
    >>> parse_presses(b"[[0, 1], [1, 1]]", board).tolist()
    [1, 3]
    """
    data = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    if data.lstrip()[:1] in (b"{", b"["):
        return _presses_in_json(data, board, source)
    plain = without_comments(data)
    graph = board.graph
    if grids and isinstance(graph, GridGraph):
        pressed = _pressed_on_grid(plain, graph, source)
        if pressed is not None:
            return pressed
    found: list[int] = []
    for line in _LINE.finditer(plain):
        word = line[0].rstrip().decode("utf-8", "backslashreplace")
        try:
            if isinstance(graph, GridGraph):
                found.append(_bulb_at(graph, word, coordinates))
            else:
                found.append(_node(graph, word))
        except (KeyError, ValueError) as error:
            none = f"there is no bulb {quoted(word)}"
            where = plain.count(b"\n", 0, line.start()) + 1
            fail(none if isinstance(error, KeyError) else str(error), source, where)
    return np.array(found, dtype=np.int64)


def _presses_in_json(data: bytes, board: Board, source: str) -> Ints:
    if data.lstrip()[:1] == b"{":
        listed = json_object(data, source).get("presses")
    else:
        listed = json_object(b'{"presses":' + data + b"}", source)["presses"]
    if not isinstance(listed, list):
        fail("no list of presses (a result of `orient`: `ponder draw` takes it)", source, 1)
    for label in listed:  # True is 1 to numpy
        if bool in map(type, label if isinstance(label, list) else [label]):
            fail(f"there is no bulb {quoted(label)}", source)
    try:
        return board.graph.bulbs(listed)
    except (KeyError, TypeError, OverflowError) as error:
        fail(f"there is no bulb {quoted(error.args[0] if error.args else listed)}", source)


def _pressed_on_grid(text: bytes, graph: GridGraph, source: str) -> Ints | None:
    """Return the bulbs that a grid of the board's shape marks; None when the text is none."""
    try:
        cells = parse_cells(text, source, 1)
    except BoardError:
        return None
    if cells is None or cells.shape != graph.shape:
        return None
    chosen: Bits = cells == ord("1")
    if graph.mask is not None and (chosen & ~graph.mask).any():
        fail("the press set presses a hole", source)
    return np.flatnonzero(graph.from_grid(chosen))


def _bulb_at(graph: GridGraph, word: str, coordinates: Coordinates) -> int:
    """Return the bulb at two numbers. Raises ValueError if they are none, KeyError if no bulb."""
    match = _PRESS.fullmatch(word)
    if match is None:
        raise ValueError(f"{quoted(word)} is not a press: write `row column`")
    a, b = int(match[1]), int(match[2])
    return graph.bulb((a, b) if coordinates == "rc" else (graph.shape[0] - b, a - 1))


def _node(graph: Graph, word: str) -> int:
    """Return the vertex of a name or of a number written out. Raises KeyError for another."""
    try:
        return graph.bulb(word)
    except KeyError:
        if re.fullmatch(r"-?[0-9]{1,4000}", word) is None:
            raise
        return graph.bulb(int(word))
