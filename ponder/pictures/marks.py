"""What to mark on a board, as a JSON object that a page, an SVG and a notebook draw alike.

kind       of the refutation
sentence   the reason, in words
label      a few words to stand beside the marks: "5 pairs: odd"
rule       of a block: which of its four reasons
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

from ponder.check.block import Block
from ponder.check.certificate import Refutation
from ponder.check.cut import Cut, cross_of
from ponder.check.linear import press_sets
from ponder.check.members import Members
from ponder.check.settings import Settings
from ponder.check.witness import DeadEnd, Witness
from ponder.model.board import Board
from ponder.model.graph import CrossGraph, line_parities
from ponder.model.render import pressed_thing
from ponder.model.wired_graph import Wired
from ponder.pictures import explain
from ponder.system.printable import pluralise
from ponder.system.types import Bits, Ints, Json, Label, bincount, distinct

MOST_PAIRS = 400  # pairs of neighbours that are marked at most; more of them would hide the board


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
    pairs = [[*pair] for pair in zip(board.graph.labels(bulbs), counts.tolist(), strict=True)]
    return {"counts": pairs, **_lines(board, odd_presses(board, presses))}


def order_marks(board: Board, presses: Ints) -> Json:
    """Return the place of each press in the order, as marks."""
    places: dict[int, list[int]] = {}
    for k, bulb in enumerate(presses.tolist(), 1):
        places.setdefault(bulb, []).append(k)
    labels = board.graph.labels(list(places))
    pairs = [[*pair] for pair in zip(labels, places.values(), strict=True)]
    return {"numbers": pairs, **_lines(board, odd_presses(board, presses))}


def odd_presses(board: Board, presses: Ints) -> Bits:
    """Return the bulbs that are pressed an odd number of times."""
    return np.asarray(bincount(presses, minlength=board.graph.presses) % 2 == 1)


def marks_of(board: Board, why: Refutation, counts: Bits | Ints | None = None) -> Json:
    """Return the marks of a refutation, about the press counts where there are some.

    >>> board = Board.from_rows(["01", "10"], "plus")
    >>> marks_of(board, Block(np.array([0, 1]), "last"))["pairs"]
    [[(0, 0), (0, 1)]]
    """
    marks: Json = {"kind": why.kind, "sentence": explain.sentence(board, why, counts)}
    if isinstance(why, Members) and why.parts:
        counts = why.parts[0][0]  # its marks are those of the first part
    if counts is not None:
        marks |= press_set_marks(board, counts % 2 == 1)
    return marks | reason_marks(board, why, counts)


def reason_marks(board: Board, why: Refutation, counts: Bits | Ints | None = None) -> Json:
    """Return what a refutation is about: bulbs, pairs or lines; {} for words alone."""
    match why:
        case Witness():
            change = int(board.change[why.bulbs].sum())
            bulbs = board.graph.of_lights.labels(why.bulbs)
            label = f"{change} of these must change: odd"
            return {"groups": [{"style": "hatch", "bulbs": bulbs}], "label": label}
        case DeadEnd():
            state = "lit" if board.rule == "unlit" else "unlit"
            label = f"all {state}" if why.end == "start" else f"none may end {state}"
            return {"groups": _outline(board, why.bulbs), "label": label}
        case Block():
            return _block(board, why)
        case Cut(all_lines=True):
            rows, columns = explain.odd_lines(board, counts)
            odd_rows = pluralise(rows.size, "odd row")
            label = f"{odd_rows} against {pluralise(columns.size, 'odd column')}"
            return _line_marks(rows, columns, (rows.size, columns.size), label)
        case Cut():
            need, room, _ = explain.cut_sizes(board, why, counts)
            numbers = (need, room) if why.side == "rows" else (room, need)
            label = f"needs {need}, has room for {room}"
            return _line_marks(why.rows, why.columns, numbers, label)
        case Settings():
            return _settings(board, why)
        case Members(parts=((press_set, part), *remaining)):
            marks = reason_marks(board, part, press_set)
            if remaining and "label" in marks:
                marks["label"] = f"{marks['label']}; {len(remaining)} more like it"
            return marks
    return {}


def _outline(board: Board, bulbs: Ints) -> list[Json]:
    return [{"style": "outline", "bulbs": board.graph.labels(bulbs)}]


def _block(board: Board, why: Block) -> Json:
    """Return B, outlined, and its pairs of neighbours."""
    pairs = pairs_within(board, why.bulbs)
    label = pluralise(why.bulbs.size, pressed_thing(board.graph))
    if why.rule == "parity":
        _, need, have = explain.block_parities(board, why)
        label = f"{pluralise(len(pairs), 'pair')}: {'odd' if len(pairs) % 2 else 'even'}"
        if why.bulbs.size == 1 and not pairs:
            label = f"needs an {need} number, gets an {have} one"
    return {
        "rule": why.rule,
        "groups": _outline(board, why.bulbs),
        "pairs": pairs if len(pairs) <= MOST_PAIRS else [],
        "label": label,
    }


def pairs_within(board: Board, bulbs: Ints) -> list[list[Label]]:
    """Return the pairs of neighbours among some bulbs; on a wiring, those one of which hears."""
    graph, among = board.graph, distinct(bulbs)
    if isinstance(graph, Wired):
        hears = enumerate(graph.hears(among))
        pairs = sorted({(min(v, u), max(v, u)) for v, near in hears for u in near})
        return [graph.labels(among[[*pair]]) for pair in pairs]
    return [graph.labels(among[pair]) for pair in graph.edges_within(among)]


def _settings(board: Board, why: Settings) -> Json:
    """Return the lines that are odd in all press sets."""
    rows, columns = explain.odd_lines(board, press_sets(board).one)
    across = cross_of(board, why.kind).shape[why.side == "rows"]
    odd, numbers = rows.size, (rows.size, across)
    if why.side == "columns":
        odd, numbers = columns.size, (across, columns.size)
    rows, columns = (rows, columns[:0]) if why.side == "rows" else (rows[:0], columns)
    return _line_marks(rows, columns, numbers, f"{odd} odd {why.side}, {across} lines across")


def _line_marks(rows: Ints, columns: Ints, numbers: tuple[int, int], label: str) -> Json:
    """Return rows and columns to be marked, and what is counted of each."""
    lines = {"rows": rows.tolist(), "columns": columns.tolist(), "label": label}
    return {**lines, "row_number": numbers[0], "column_number": numbers[1]}
