"""What to mark on a board, as plain data: a refutation, an order or presses in terms of a picture.

A page, an SVG and a notebook draw the same marks, each in its own way; here it is decided *what*
they draw. The input is the text form of a refutation (`Refutation.to_json`), so that a result from
a file can be drawn as well. A kind that is not known here has its bulbs marked, if it names any,
and is otherwise a sentence; so are those of `IN_WORDS`, always.

A picture of marks, as a JSON object:

    kind       of the refutation
    sentence   the reason, in words
    label      a few words to stand beside the marks: "5 pairs: odd"
    groups     lists of bulbs, each with a `style`:
                   outline   pressed bulbs that are looked at together
                   hatch     bulbs whose parity is the reason
    pairs      neighbouring bulbs to be joined by a stroke
    rows, columns   lines to be marked in the margins, with
    row_number, column_number   what is counted on each side
    presses    the press set that it is about, where it is about one
    lines      the line bits of these presses, of the rows and of the columns (`line_bits`)
    counts     [bulb, how often it is pressed], for those that are
    numbers    [bulb, which presses these are], counted from 1
    next       the bulb to press next
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from ponder.pictures.line_bits import line_bits
from ponder.printable import counted
from ponder.puzzle.board import Board
from ponder.puzzle.graph import Graph
from ponder.types import Bits, Ints, Json

Certificate: TypeAlias = dict[str, Any]

MOST_PAIRS = 400
"""Pairs of neighbours that are drawn at most; more of them would hide the board."""

IN_WORDS = ("sat-proof", "randomised")
"""Kinds that have no marks: a formula has no model, a matrix is singular. There is nothing on the
board to point at but the presses that they are about."""


def press_set_marks(board: Board, press_set: Bits) -> Json:
    """Return the marks of a press set: its bulbs, and its line bits where the board has such.

    >>> board = Board.from_rows(["00", "11"])
    >>> press_set_marks(board, board.graph.set_of([0, 1]))
    {'presses': [(0, 0), (0, 1)], 'lines': [[False, False], [True, True]]}
    """
    marks: Json = {"presses": board.graph.labels(np.flatnonzero(press_set))}
    bits = line_bits(board, press_set)
    if bits is not None:
        marks["lines"] = [bit.tolist() for bit in bits]
    return marks


def count_marks(board: Board, presses: Ints) -> Json:
    """Return how often each bulb is pressed, as marks.

    >>> count_marks(Board.from_rows(["00"], "plus"), np.array([1, 0, 1]))
    {'counts': [[(0, 0), 1], [(0, 1), 2]]}
    """
    bulbs, counts = np.unique(presses, return_counts=True)
    labels = board.graph.labels(bulbs)
    marks: Json = {"counts": list(map(list, zip(labels, counts.tolist(), strict=True)))}
    return {**marks, **_lines_of(board, presses)}


def order_marks(board: Board, presses: Ints) -> Json:
    """Return the place of each press in the order, as marks.

    >>> order_marks(Board.from_rows(["00"], "plus"), np.array([1, 0, 1]))
    {'numbers': [[(0, 1), [1, 3]], [(0, 0), [2]]]}
    """
    places: dict[int, list[int]] = {}
    for k, bulb in enumerate(presses.tolist(), 1):
        places.setdefault(bulb, []).append(k)
    labels = board.graph.labels(list(places))
    marks: Json = {"numbers": list(map(list, zip(labels, places.values(), strict=True)))}
    return {**marks, **_lines_of(board, presses)}


def _lines_of(board: Board, presses: Ints) -> Json:
    odd = np.bincount(presses, minlength=board.graph.size) % 2 == 1
    marks = press_set_marks(board, odd)
    return {"lines": marks["lines"]} if "lines" in marks else {}


def marks_of(board: Board, refutation: Any, sentence: str) -> Json:
    """Return the marks of a refutation.

    >>> board = Board.from_rows(["01", "10"], "plus")
    >>> why = {"kind": "odd-component", "bulbs": [[0, 0], [0, 1]]}
    >>> marks_of(board, why, "They have 1 pair.")["pairs"]
    [[(0, 0), (0, 1)]]
    >>> marks_of(board, {"kind": "of a later version"}, "It is so.")
    {'kind': 'of a later version', 'sentence': 'It is so.'}
    """
    marks: Json = {"kind": str(refutation.get("kind", "")), "sentence": sentence}
    part = _only_part(refutation)
    counts = part.get("press_counts", refutation.get("press_counts"))
    if counts is not None:
        marks |= press_set_marks(board, press_counts_of(board, counts) % 2 == 1)
    mark = _MARKS.get(str(part.get("kind", "")), _bulbs_alone)
    marks |= mark(board, part)
    others = len(refutation["parts"]) - 1 if part is not refutation else 0
    if others and "label" in marks:
        marks["label"] = f"{marks['label']}; {others} more like it"
    return marks


def _only_part(refutation: Certificate) -> Certificate:
    """Return the refutation itself, or of one with parts the first: the one that is drawn."""
    parts = refutation.get("parts")
    if isinstance(parts, list) and parts and isinstance(parts[0], dict):
        first: Certificate = parts[0]
        return first
    return refutation


def press_counts_of(board: Board, counts: list[Any]) -> Ints:
    """Return press counts from their text form: digits row by row, or a number for each bulb.

    >>> press_counts_of(Board.from_rows(["01-", "000"]), ["10-", "021"]).tolist()
    [1, 0, 0, 2, 1]
    """
    if counts and isinstance(counts[0], str):
        counts = list("".join(counts).replace("-", ""))
    return np.array([int(count) for count in counts], dtype=np.int64)


def _bulbs_alone(board: Board, refutation: Certificate) -> Json:
    bulbs = refutation.get("bulbs")
    return {"groups": [{"style": "outline", "bulbs": bulbs}]} if isinstance(bulbs, list) else {}


def _odd_witness(board: Board, refutation: Certificate) -> Json:
    bulbs = refutation["bulbs"]
    numbers = board.graph.bulbs(bulbs)
    change = int(board.change[numbers].sum())
    return {
        "groups": [{"style": "hatch", "bulbs": bulbs}],
        "label": f"{change} of these must change: odd",
    }


def _dead_end(board: Board, refutation: Certificate) -> Json:
    state = "lit" if board.rule == "unlit" else "unlit"
    label = f"all {state}" if refutation.get("end") == "start" else f"none may end {state}"
    return {"groups": [{"style": "outline", "bulbs": refutation["bulbs"]}], "label": label}


def _odd_component(board: Board, refutation: Certificate) -> Json:
    pairs = _pairs(board.graph, refutation["bulbs"])
    parity = "odd" if len(pairs) % 2 else "even"
    return {
        "groups": [{"style": "outline", "bulbs": refutation["bulbs"]}],
        "pairs": pairs if len(pairs) <= MOST_PAIRS else [],
        "label": f"{counted(len(pairs), 'pair')}: {parity}",
    }


def _pairs(graph: Graph, bulbs: list[Any]) -> list[Any]:
    numbers = np.unique(graph.bulbs(bulbs))
    return [graph.labels(numbers[pair]) for pair in graph.edges_within(numbers)]


def _searched(board: Board, refutation: Certificate) -> Json:
    bulbs = refutation["bulbs"]
    pairs = _pairs(board.graph, bulbs)
    return {
        "groups": [{"style": "outline", "bulbs": bulbs}],
        "pairs": pairs if len(pairs) <= MOST_PAIRS else [],
        "label": counted(len(bulbs), "bulb"),
    }


def _line_count(board: Board, refutation: Certificate) -> Json:
    rows, columns = refutation["odd_rows"], refutation["odd_columns"]
    return {
        "rows": rows,
        "columns": columns,
        "row_number": len(rows),
        "column_number": len(columns),
        "label": f"{counted(len(rows), 'odd row')} against {counted(len(columns), 'odd column')}",
    }


def _line_cut(board: Board, refutation: Certificate) -> Json:
    need, room = refutation["need"], refutation["room"]
    by_rows = refutation["side"] == "rows"
    return {
        "rows": refutation["rows"],
        "columns": refutation["columns"],
        "row_number": need if by_rows else room,
        "column_number": room if by_rows else need,
        "label": f"needs {need}, has room for {room}",
    }


def _line_parities(board: Board, refutation: Certificate) -> Json:
    lines, others = refutation["odd_lines"], refutation["others"]
    label = f"{len(lines)} odd, only {others} to match"
    numbers = {"row_number": len(lines), "column_number": others}
    if refutation["side"] == "rows":
        return {"rows": lines, "columns": [], **numbers, "label": label}
    numbers = {"row_number": others, "column_number": len(lines)}
    return {"rows": [], "columns": lines, **numbers, "label": label}


def _weighted_cuts(board: Board, refutation: Certificate) -> Json:
    side, cuts = refutation["side"], refutation["cuts"]
    lines = sorted({line for cut in cuts for line in cut["lines"]})
    label = "too full" if len(cuts) == 1 else f"{len(cuts)} sets of {side}: one is too full"
    if side == "rows":
        return {"rows": lines, "columns": [], "label": label}
    return {"rows": [], "columns": lines, "label": label}


_MARKS: dict[str, Callable[[Board, Certificate], Json]] = {
    "odd-witness": _odd_witness,
    "dead-end": _dead_end,
    "odd-component": _odd_component,
    "no-first-press": _searched,
    "no-last-press": _searched,
    "exhausted": _searched,
    "line-count": _line_count,
    "line-cut": _line_cut,
    "line-parities": _line_parities,
    "weighted-cuts": _weighted_cuts,
}
