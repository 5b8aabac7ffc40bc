"""Board files, spoiled or not: what is read comes back from `board_text` as the same board.

A small board is asked about too, and the answer compared with brute force and verified as text.
"""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import random
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import ponder
from ponder.find.linear.press_sets import press_sets
from ponder.model.board import Board
from ponder.model.formats import board_text, parse_board, read
from ponder.model.wired_graph import WiringGraph
from ponder.system.errors import PonderError
from tests import brute, corpus
from tests.boards import edges_of, number_of
from tests.fuzz.spoiling import PIECES, json_bytes, spoiled, spoiled_json
from tests.fuzz.terminal import bad_reason

FILES = (
    ("board.txt", b"pattern: cross\n110-1\n-01-0\n"),
    ("board.txt", b"pattern: torus-plus\nrule: lit\n101\n0-1\n11-\ngoal:\n011\n0-0\n01-\n"),
    ("board.txt", b"pattern: stencil 1,2 -1,-2 0,1 0,-1\nrule: any\ngoal: unlit\n0101\n11-0\n"),
    ("board.txt", b"# a remark\ngoal: pressed\npattern: king\n010\n111\n"),
    ("board.json", '{"nodes": ["a", "b 1", "é", 7], "edges": [["a", "é"], [7, "a"], ["b 1", 7]],'
     ' "lit": [0, 1, 0, 0], "rule": "any", "goal": [0, 1, 1, 1]}'.encode()),
    ("board.json", b'{"lights": 3, "buttons": [{"name": "x", "toggles": [0, 1]}, {"toggles": [2],'
     b' "at": 2}], "lit": [1, 0, 0], "goal": "lit"}'),
)  # fmt: skip
"""Holes, stencils, names and wirings; the other boards are of the corpus."""
PACKED = {".gz": partial(gzip.compress, mtime=0), ".bz2": bz2.compress, ".xz": lzma.compress}
LARGEST = 400
"""Bulbs of a board that is looked at more closely than reading it."""


def make(rng: random.Random) -> tuple[str, bytes]:
    """The name and the content of a board file."""
    name, data = plain(rng)
    if rng.random() < 0.15:
        ending = rng.choice(list(PACKED))
        packed: bytes = PACKED[ending](data)  # type: ignore[operator]
        return name + ending, spoiled(rng, packed, rng.choice((0, 0, 1, 2)))
    return name, data


def plain(rng: random.Random) -> tuple[str, bytes]:
    """The name and the content of a board file that is not packed."""
    if rng.random() < 0.15:
        return "board.txt", b"".join(rng.choice(PIECES) for _ in range(rng.randint(0, 12)))
    name, data = rng.choice(FILES)
    if rng.random() < 0.5:
        worlds = rng.choice((corpus.grid_worlds(), corpus.graph_worlds(), corpus.wiring_worlds()))
        world = rng.choice(worlds)
        data = board_text(world.question(rng.randrange(world.states)).board).encode()
        name = "board.json" if data[:1] == b"{" else "board.txt"
    if name == "board.json" and rng.random() < 0.8:
        value = json.loads(data)
        for _ in range(rng.choice((0, 1, 1, 2, 3))):
            value = spoiled_json(rng, value)
        data = json_bytes(rng, value)
    return name, spoiled(rng, data, rng.choice((0, 0, 1, 2, 6)))


def judge(file: tuple[str, bytes]) -> None:
    """Read a board file, write it and read it again; ask about a small board."""
    try:
        board = _read(*file)
        if board.graph.size <= LARGEST:
            again = parse_board(board_text(board), file[0].split(".")[0])
            assert again.sha256 == board.sha256
            assert again == board
            press_sets(board)
    except PonderError as error:
        wrong = bad_reason(str(error))
        assert wrong is None, error  # noqa: PT017
    else:
        if board.graph.size <= 9 and not isinstance(board.graph, WiringGraph):
            _answered(board)


def _answered(board: Board) -> None:
    size, edges = board.graph.size, list(edges_of(board.graph))
    lit, goal = number_of(board.lit.tolist()), number_of(board.goal.tolist())
    fewest = {
        ponder.order: brute.fewest_once(size, edges, lit, goal, board.rule),
        ponder.solve: brute.distances(size, edges, goal, board.rule).get(lit),
    }
    for ask, truth in fewest.items():
        result = ask(board)  # type: ignore[operator]
        assert result.count == truth
        assert result.verdict == ("impossible" if truth is None else "solved")
        ponder.verify(board, json.loads(json.dumps(result.to_json())))
        if truth is not None:
            assert brute.replays(size, edges, lit, goal, result.presses.tolist(), board.rule)


def _read(name: str, data: bytes) -> Board:
    if name.endswith((".txt", ".json")):
        return parse_board(data, name)
    with TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(data)
        return read(path)
