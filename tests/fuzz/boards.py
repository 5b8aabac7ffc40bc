"""Board files: valid ones spoiled, and bytes from scratch; text, JSON and packed.

What is accepted must come back from `board_text` as the same board, and must be solvable in the
linear sense or not, without an error.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from tempfile import TemporaryDirectory

from ponder.find.linear.press_sets import press_sets
from ponder.model.board import Board
from ponder.model.formats import board_text, parse_board, read
from ponder.system.errors import PonderError
from tests.fuzz import Failure
from tests.fuzz.calling import Call, bad_reason, tried
from tests.fuzz.limits import limited
from tests.fuzz.mutations import json_bytes, packed, random_bytes, spoiled, spoiled_json
from tests.fuzz.puzzles import puzzle
from tests.fuzz.shrinking import Patience, shrunk

BATCH = 40
LARGEST = 400
"""Bulbs of a board that is looked at more closely than reading it."""


def attempt(rng: random.Random) -> int:
    """Try one batch."""
    for _ in range(BATCH):
        name, data = made(rng)
        ending = ""
        if rng.random() < 0.15:
            ending, data = packed(rng, data)
            ending = "." + ending
        if rng.random() < 0.3:
            _command_line(rng, name + ending, data)
        else:
            _library(name + ending, data)
    return BATCH


def made(rng: random.Random) -> tuple[str, bytes]:
    """Return the name and the content of a board file."""
    if rng.random() < 0.15:
        return "board.txt", random_bytes(rng)
    found = puzzle(rng, 20)
    data = found.content
    if found.shape is None and rng.random() < 0.8:
        value = json.loads(data)
        for _ in range(rng.choice((0, 1, 1, 1, 2, 3))):
            value = spoiled_json(rng, value)
        data = json_bytes(rng, value)
        if rng.random() < 0.7:
            return found.file, data
    return found.file, spoiled(rng, data, rng.choice((0, 1, 1, 2, 3, 6)))


def _library(name: str, data: bytes) -> None:
    try:
        _judged(name, data)
    except Failure as failure:
        key = failure.key

        def smaller() -> str:
            def fails(less: bytes) -> bool:
                try:
                    _judged(name, less)
                except Failure as other:
                    return other.key == key
                return False

            return _text(name, shrunk(data, fails, Patience()))

        raise Failure(failure.description, smaller, key) from failure.__cause__


def _text(name: str, data: bytes) -> str:
    return f"ponder.parse_board({data!r}, {name!r})"


def _judged(name: str, data: bytes) -> None:
    """Read a board file; Failure when that goes wrong."""
    with limited("reading a board", _text(name, data)):
        try:
            board = _read(name, data)
            if board.graph.size <= LARGEST:
                again = parse_board(board_text(board), name)
                if again.sha256 != board.sha256 or not _same(board, again):
                    raise Failure("board_text makes another board of it", _text(name, data))
                press_sets(board)
        except PonderError as error:
            if (wrong := bad_reason(str(error))) is not None:
                raise Failure(
                    f"{wrong}: {str(error)[:200]!a}", _text(name, data), f"board: {wrong}"
                ) from None
        except Exception as error:
            said = f"{type(error).__name__}: {str(error)[:200]}"
            raise Failure(f"reading a board ends in {said}", _text(name, data)) from error


def _same(board: Board, other: Board) -> bool:
    """Whether two boards are the same, their hashes apart."""
    found = [
        (
            b.graph.pattern,
            b.rule,
            b.lit.tolist(),
            b.goal.tolist(),
            b.graph.labels(range(b.lit.size)),
        )
        for b in (board, other)
    ]
    return found[0] == found[1]


def _read(name: str, data: bytes) -> Board:
    if name.endswith((".txt", ".json")):
        return parse_board(data, name)
    with TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(data)
        return read(path)


def _command_line(rng: random.Random, name: str, data: bytes) -> None:
    lines = (
        "draw", "draw --show presses", "eliminate", "order --timeout 0.2", "nullity",
        "order --json --timeout 0.2", "order --trace --timeout 0.2", "solve --timeout 0.2",
        "solve --json --timeout 0.2", "export --encoding half_factor", "compare --timeout 0.2",
    )  # fmt: skip
    words = tuple(rng.choice(lines).split())
    files, given = {name: data}, b""
    if rng.random() < 0.1 and words[0] != "compare":
        files, given, name = {}, data, "-"
    if rng.random() < 0.1 and words[0] != "compare":
        files, name = {**files, "other.txt": puzzle(rng).content}, "other.txt"
        words = (*words, "--goal", next(iter(files)))
    encoding = rng.choice(("utf-8", "utf-8", "ascii", "latin-1"))
    call = Call((words[0], name, *words[1:]), files, given, encoding)
    tried(call, real=rng.random() < 0.003)
