"""Board files of any format: which one a text is in, and the states that a caller names.

A file whose first character is `{` is a graph in JSON (`graph_json`), or with buttons a wiring, as
are machines in one line (`graph_files`). Any other is a grid (`grid_text`), or one in other signs,
a link, a saved result (`pasted`), or a plain graph in any format of `graph_files`: all its bulbs
dark, the goal lit. Every error is a `BoardError` with file, line and reason; an accepted board
never crashes later.
"""

from __future__ import annotations

import os
import re
from typing import TypeAlias

import numpy as np

from ponder.model.board import STATES, Board, BoardOptions, unknown_state
from ponder.model.files import read_bytes
from ponder.model.graph import EdgeGraph, Graph, GridGraph
from ponder.model.graph_files import (
    board_of_graph,
    is_plain_graph,
    is_wiring,
    parse_wiring,
    wiring_text,
)
from ponder.model.graph_json import graph_board_text, parse_graph_board
from ponder.model.grid_text import grid_board_text, parse_grid_board
from ponder.model.input_errors import bad_argument, fail, quoted
from ponder.model.pasted import plain
from ponder.model.presets import puzzle_named
from ponder.model.wired_graph import WiringGraph
from ponder.system.errors import BoardError
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits

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
    data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    data = data.removeprefix(b"\xef\xbb\xbf")
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    shape = pattern  # a graph has no pattern, and takes rule and goal of a puzzle alone
    if puzzle is not None:
        preset = puzzle_named(puzzle)
        shape, rule = pattern or preset.pattern, rule or preset.rule
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
