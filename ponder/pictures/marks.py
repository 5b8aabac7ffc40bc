"""What to mark on a board, as plain data: a refutation in the terms of a picture.

A page, an SVG and a notebook draw the same marks, each in its own way; here it is decided *what*
they draw. The input is the text form of a refutation (`Refutation.to_json`), so that a result from
a file can be drawn as well. A kind that is not known here has its bulbs marked, if it names any,
and is otherwise a sentence.

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
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from ponder.puzzle.board import Board
from ponder.puzzle.graph import Graph
from ponder.puzzle.refutation import plural
from ponder.types import Json

Certificate: TypeAlias = dict[str, Any]

MOST_PAIRS = 400
"""Pairs of neighbours that are drawn at most; more of them would hide the board."""


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
        marks["presses"] = _pressed(board, counts)
    mark = _MARKS.get(str(part.get("kind", "")), _bulbs_alone)
    return {**marks, **mark(board, part)}


def _only_part(refutation: Certificate) -> Certificate:
    """Return the refutation itself, or of one with parts the first: the one that is drawn."""
    parts = refutation.get("parts")
    if isinstance(parts, list) and parts and isinstance(parts[0], dict):
        first: Certificate = parts[0]
        return first
    return refutation


def _pressed(board: Board, counts: list[Any]) -> list[Any]:
    """Return the bulbs that press counts press an odd number of times."""
    if counts and isinstance(counts[0], str):
        cells = "".join(counts).replace("-", "")
        odd = [k for k, sign in enumerate(cells) if int(sign) % 2]
    else:
        odd = [k for k, count in enumerate(counts) if int(count) % 2]
    return list(board.graph.labels(odd))


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


def _odd_component(board: Board, refutation: Certificate) -> Json:
    pairs = _pairs(board.graph, refutation["bulbs"])
    parity = "odd" if len(pairs) % 2 else "even"
    return {
        "groups": [{"style": "outline", "bulbs": refutation["bulbs"]}],
        "pairs": pairs if len(pairs) <= MOST_PAIRS else [],
        "label": f"{len(pairs)} pair{plural(len(pairs))}: {parity}",
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
        "label": f"{len(bulbs)} bulb{plural(len(bulbs))}",
    }


def _line_count(board: Board, refutation: Certificate) -> Json:
    rows, columns = refutation["odd_rows"], refutation["odd_columns"]
    return {
        "rows": rows,
        "columns": columns,
        "row_number": len(rows),
        "column_number": len(columns),
        "label": f"{len(rows)} odd rows against {len(columns)} odd columns",
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
    "odd-component": _odd_component,
    "no-first-press": _searched,
    "no-last-press": _searched,
    "exhausted": _searched,
    "line-count": _line_count,
    "line-cut": _line_cut,
    "line-parities": _line_parities,
    "weighted-cuts": _weighted_cuts,
}
