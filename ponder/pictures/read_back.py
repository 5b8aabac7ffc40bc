"""Results from a file, read back as objects: so that they are drawn and told as new ones are.

A result file holds the text form of an answer (`Result.to_json`), and a refutation there is kind
and certificate. Its sentence follows from these: they become an object of their kind again, and
that one speaks. Nothing is checked here: that is for `ponder.check`, before. A bound is left out
with its evidence, so that nothing is told of it; but for one that the verdict itself rests on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from ponder.fewest.dead_ends import DeadEnd
from ponder.pictures.marks import press_counts_of
from ponder.puzzle.board import Board
from ponder.puzzle.line_refutations import LineCount, LineCut, LineParities, WeightedCuts
from ponder.puzzle.local_refutations import Exhausted, NoFirstPress, NoLastPress, OddComponent
from ponder.puzzle.press_set_refutations import CosetRefuted, OddWitness
from ponder.puzzle.refutation import Refutation
from ponder.puzzle.result import Result
from ponder.puzzle.solver_refutations import Randomised, SatProof
from ponder.types import Ints, Json

Certificate: TypeAlias = dict[str, Any]


def sentence_of(board: Board, refutation: Json) -> str:
    """Return the reason in a sentence; of a kind that is not known, its name.

    >>> board = Board.from_rows(["01", "10"], "plus")
    >>> sentence_of(board, {"kind": "no-last-press", "bulbs": [[0, 0]]})[:40]
    'no press of this bulb can be its last: e'
    >>> sentence_of(board, {"kind": "of a later version"})
    'a refutation of the kind “of a later version”'
    """
    made = refutation_of(board, refutation)
    return (
        f"a refutation of the kind “{refutation['kind']}”" if made is None else made.sentence(board)
    )


def result_of(board: Board, content: Json) -> Result:
    """Return a result that was checked: verdict, presses, refutation.

    >>> board = Board.from_rows(["01"], "plus")
    >>> content = {"command": "order", "verdict": "solved", "presses": [[0, 0]]}
    >>> result_of(board, content).presses.tolist()
    [0]
    """
    fields: Certificate = dict(content)
    presses, refutation = fields.get("presses"), fields.get("refutation")
    counts = None if refutation is None else refutation.get("press_counts")
    return Result(
        fields["command"],
        board,
        fields["verdict"],
        str(fields.get("method", "")),
        claim=fields.get("claim"),
        presses=None if presses is None else board.graph.bulbs(presses),
        refutation=None if refutation is None else refutation_of(board, refutation),
        counts=None if counts is None else press_counts_of(board, counts),
        lower_bound=fields.get("lower_bound") if fields["verdict"] == "impossible" else None,
        at_most=fields.get("at_most"),
        reason=fields.get("reason"),
    )


def refutation_of(board: Board, refutation: Certificate) -> Refutation | None:
    """Return a refutation from its text form, as far as its sentence needs it; None if not known.

    >>> board = Board.from_rows(["01", "10"], "plus")
    >>> refutation_of(board, {"kind": "exhausted", "bulbs": [[0, 1]]}).members.tolist()
    [1]
    """
    make = _MADE.get(str(refutation.get("kind")))
    return None if make is None else make(board, refutation)


def _bulbs(board: Board, refutation: Certificate) -> Ints:
    return board.graph.bulbs(refutation["bulbs"])


def _numbers(values: list[int]) -> Ints:
    return np.array(values, dtype=np.int64)


def _odd_component(board: Board, refutation: Certificate) -> Refutation:
    members = _bulbs(board, refutation)
    pairs = len(board.graph.edges_within(np.unique(members)))
    return OddComponent(members, pairs, (pairs + 1) % 2)  # the two differ mod 2


def _line_cut(board: Board, refutation: Certificate) -> Refutation:
    rows, columns = _numbers(refutation["rows"]), _numbers(refutation["columns"])
    return LineCut(refutation["side"], rows, columns, refutation["need"], refutation["room"])


def _weighted_cuts(board: Board, refutation: Certificate) -> Refutation:
    cuts = refutation["cuts"]
    lines = tuple(_numbers(cut["lines"]) for cut in cuts)
    return WeightedCuts(refutation["side"], lines, tuple(cut["weight"] for cut in cuts))


def _coset(board: Board, refutation: Certificate) -> Refutation:
    parts = []
    for part in refutation["parts"]:
        made = refutation_of(board, part)
        if made is not None:
            counts = press_counts_of(board, part["press_counts"])
            parts.append((counts.astype(np.bool_), made))
    return CosetRefuted(refutation["press_sets"], tuple(parts))


def _sat_proof(board: Board, refutation: Certificate) -> Refutation:
    names = ("encoding", "solver", "cnf_sha256", "variables", "clauses", "lemmas")
    return SatProof(**{name: refutation[name] for name in names}, options=(), proof="")


def _randomised(board: Board, refutation: Certificate) -> Refutation:
    names = ("field_bits", "trials", "log2_error", "seed")
    return Randomised(*(refutation[name] for name in names))


_MADE: dict[str, Callable[[Board, Certificate], Refutation]] = {
    "odd-witness": lambda board, why: OddWitness(_bulbs(board, why)),
    "dead-end": lambda board, why: DeadEnd(_bulbs(board, why), why["end"]),
    "coset": _coset,
    "line-count": lambda board, why: LineCount(
        _numbers(why["odd_rows"]), _numbers(why["odd_columns"])
    ),
    "line-cut": _line_cut,
    "line-parities": lambda board, why: LineParities(
        why["side"], _numbers(why["odd_lines"]), why["others"]
    ),
    "weighted-cuts": _weighted_cuts,
    "odd-component": _odd_component,
    "no-first-press": lambda board, why: NoFirstPress(_bulbs(board, why)),
    "no-last-press": lambda board, why: NoLastPress(_bulbs(board, why)),
    "exhausted": lambda board, why: Exhausted(_bulbs(board, why)),
    "sat-proof": _sat_proof,
    "randomised": _randomised,
}
