"""How a board is named: a SHA-256 of everything that makes it this puzzle, and of nothing else.

Two boards share a name iff they are the same puzzle: what is hashed can be read back in one way
only. It is a row of fields, each with its length before it (8 bytes, little-endian):

    ponder.board/2        what is named, in which way: no other hash of ponder begins with it
    kind                  `grid`, `graph` or `wiring`
    pattern, rule         as the header of a board file has them
    grid: rows, columns   8 bytes each
    grid: holes           empty, or one bit a cell, 1 where there is a bulb
    graph: nodes          8 bytes
    graph: names          empty where they are 0, 1, 2, …; else each one a field in this field
    graph: edges          two numbers of 8 bytes each, i < j, sorted
    wiring: sizes         lights and buttons, 8 bytes each
    wiring: names         of the lights, and of the buttons: a field each, like those of nodes
    wiring: wires         where buttons sit, and where their wires begin (8 bytes each); all wires
    state, goal           one bit a bulb, the first in the highest bit of the first byte

Before ponder 0.2 the fields had no lengths, so that holes could be read as lit bulbs: two boards
could share a name. `name_before_0_2` is that name, for old results to be told apart by.

Cost: O(cells), or O(nodes + edges); a 4000 × 4000 board takes 20 ms.
"""

from __future__ import annotations

import hashlib
import json
from typing import Protocol

import numpy as np

from ponder.puzzle.graph import EdgeGraph, Graph, GridGraph
from ponder.puzzle.wired_graph import WiringGraph
from ponder.types import Bits, Ints

DOMAIN = b"ponder.board/2"


class Puzzle(Protocol):
    """What a name is made of; a `Board`."""

    @property
    def graph(self) -> Graph:
        """The graph, with its pattern."""

    @property
    def rule(self) -> str:
        """The rule."""

    @property
    def lit(self) -> Bits:
        """The bulbs that are lit."""

    @property
    def goal(self) -> Bits:
        """The bulbs that must be lit in the end."""


def sha256_of(board: Puzzle) -> str:
    """Return the name of a board, in hexadecimal digits.

    >>> from ponder import Board
    >>> sha256_of(Board.from_rows(["01"]))[:8]
    '36e2c71b'
    """
    graph = board.graph
    fields: list[bytes | memoryview] = [DOMAIN]
    kind = "wiring" if isinstance(graph, WiringGraph) else "graph"
    fields += [b"grid" if isinstance(graph, GridGraph) else kind.encode()]
    fields += [graph.pattern.encode(), board.rule.encode()]
    if isinstance(graph, GridGraph):
        holes = b"" if graph.mask is None else np.packbits(graph.mask).data
        fields += [_numbers(*graph.shape), holes]
    elif isinstance(graph, WiringGraph):
        fields += [_numbers(graph.size, graph.presses), _called(graph.lights)]
        fields += [_called(graph.names), _words(graph.at, graph.starts), _words(graph.toggled)]
    else:
        assert isinstance(graph, EdgeGraph)
        fields += [_numbers(graph.size), _names(graph), _edges(graph)]
    fields += [np.packbits(board.lit).data, np.packbits(board.goal).data]
    digest = hashlib.sha256()
    for field in fields:
        digest.update(_numbers(len(field)))
        digest.update(field)
    return digest.hexdigest()


def _numbers(*numbers: int) -> bytes:
    return b"".join(number.to_bytes(8, "little") for number in numbers)


def _edges(graph: EdgeGraph) -> memoryview:
    return np.ascontiguousarray(graph.edges, dtype="<i8").reshape(-1).view(np.uint8).data


def _names(graph: EdgeGraph) -> bytes:
    """Return the names of a graph's nodes, with what tells the number 7 from the string "7"."""
    return _called(graph.names) if graph.named else b""


def _words(*numbers: Ints) -> bytes:
    return np.ascontiguousarray(np.concatenate(numbers), dtype="<i8").tobytes()


def _called(labels: list[int | str]) -> bytes:
    names: list[bytes] = []
    for label in labels:
        text = f"s{label}" if isinstance(label, str) else f"i{label:x}"
        data = text.encode("utf-8", "surrogatepass")
        names += [_numbers(len(data)), data]
    return b"".join(names)


def name_before_0_2(board: Puzzle) -> str:
    """Return the name that ponder gave the board before version 0.2."""
    graph, digest = board.graph, hashlib.sha256()
    head: dict[str, object] = {"format": "ponder.board/1", "pattern": graph.pattern}
    head["rule"] = board.rule
    if isinstance(graph, GridGraph):
        head["shape"] = graph.shape
    elif isinstance(graph, EdgeGraph):
        head["names"] = graph.names
        head["edges"] = graph.edges.tolist()
    digest.update(json.dumps(head, sort_keys=True).encode() + b"\n")
    if isinstance(graph, GridGraph) and graph.mask is not None:
        digest.update(np.packbits(graph.mask).tobytes())
    digest.update(np.packbits(board.lit).tobytes())
    digest.update(np.packbits(board.goal).tobytes())
    return digest.hexdigest()
