"""What to mark on a board, as a JSON object that a page, an SVG and a notebook draw alike.

Here, and by the class of a refutation (`Refutation.marks`), it is decided *what* they draw:

    kind       of the refutation
    sentence   the reason, in words
    label      a few words to stand beside the marks: "5 pairs: odd"
    groups     lists of bulbs, each with a `style`: `outline`, one shape around pressed bulbs that
               are looked at together; `hatch`, slanting lines behind those whose parity counts
    pairs      neighbouring bulbs to be joined by a stroke
    rows, columns   lines to be marked in the margins, with
    row_number, column_number   what is counted on each side
    presses    the press set that it is about, each bulb with a dot
    lines      its line bits (`line_bits`): a square for every line, filled where its bit is 1
    counts     [bulb, how often it is pressed]: a dot, or a numeral from two on
    numbers    [bulb, which presses these are], counted from 1: numerals
    next       the bulb to press next, with a ring around it
"""

from __future__ import annotations

import numpy as np

from ponder.check.certificate import Refutation
from ponder.check.members import Members
from ponder.model.board import Board
from ponder.model.graph import CrossGraph, line_parities
from ponder.pictures import explain
from ponder.system.types import Bits, Ints, Json, bincount


def line_bits(board: Board, press_set: Bits) -> tuple[Bits, Bits] | None:
    """Return one bit for every row and for every column; None on boards that have none.

    They are the parities r_i, c_j of a press set s along its lines (theory §4). The bulb (i, j) has
    the state goal + r_i + c_j + s(i, j), and where every t(v) = 0 a press is legal iff the bulb
    differs from its goal: a bulb of s may be pressed iff its two bits are alike, any other iff they
    differ. A press of (i, j) flips r_i and c_j.
    """
    graph = board.graph
    if not isinstance(graph, CrossGraph) or not board.even_lines:
        return None
    return line_parities(graph.to_grid(press_set))


def press_set_marks(board: Board, press_set: Bits) -> Json:
    """Return the marks of a press set: its bulbs, and its line bits where the board has such."""
    return {"presses": board.graph.labels(np.flatnonzero(press_set)), **_lines(board, press_set)}


def _lines(board: Board, press_set: Bits) -> Json:
    bits = line_bits(board, press_set)
    return {} if bits is None else {"lines": [bit.tolist() for bit in bits]}


def count_marks(board: Board, presses: Ints) -> Json:
    """Return how often each bulb is pressed, as marks."""
    bulbs, counts = np.unique(presses, return_counts=True)
    labels = board.graph.labels(bulbs)
    pairs = list(map(list, zip(labels, counts.tolist(), strict=True)))
    return {"counts": pairs, **_lines(board, odd_presses(board, presses))}


def order_marks(board: Board, presses: Ints) -> Json:
    """Return the place of each press in the order, as marks."""
    places: dict[int, list[int]] = {}
    for k, bulb in enumerate(presses.tolist(), 1):
        places.setdefault(bulb, []).append(k)
    labels = board.graph.labels(list(places))
    pairs = list(map(list, zip(labels, places.values(), strict=True)))
    return {"numbers": pairs, **_lines(board, odd_presses(board, presses))}


def odd_presses(board: Board, presses: Ints) -> Bits:
    """Return the bulbs that are pressed an odd number of times."""
    return np.asarray(bincount(presses, minlength=board.graph.size) % 2 == 1)


def marks_of(board: Board, why: Refutation, counts: Bits | Ints | None = None) -> Json:
    """Return the marks of a refutation, about the press counts where there are some.

    >>> from ponder.check.block import Block
    >>> board = Board.from_rows(["01", "10"], "plus")
    >>> marks_of(board, Block(np.array([0, 1]), "last"))["pairs"]
    [[(0, 0), (0, 1)]]
    """
    marks: Json = {"kind": why.kind, "sentence": explain.sentence(board, why, counts)}
    if isinstance(why, Members) and why.parts:
        counts = why.parts[0][0]  # its marks are those of the first part
    if counts is not None:
        marks |= press_set_marks(board, counts % 2 == 1)
    return marks | explain.marks(board, why, counts)
