"""What a bound by decomposition rests on: cuts about blocks, and proofs that pairs are too few.

Letters: s press set, e pairs of presses more, B block, π as in theory §7.6. The pairs that a press
set needs are bounded by a formula (theory §7.13) in which every cut is a clause.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ponder.check.evidence.refutation import press_counts_json
from ponder.check.evidence.written import Form, Written, every, form
from ponder.model.board import Board
from ponder.system.types import Json


def _bulbs(
    of: Callable[[list[int]], object], ordered: Callable[[Any], list[int]] = list
) -> Mapping[str, Form]:
    """Return the form of bulbs that are held as Python's numbers, written in an order."""
    return form(
        lambda board, bulbs: board.graph.labels(ordered(bulbs)),
        lambda board, labels: of(board.graph.bulbs(labels).tolist()),
    )


@dataclass(frozen=True)
class BlockCut(Written):
    """A block B that has no order, whatever is pressed elsewhere (theory §7.6).

    `kind`    which rule refutes B, by the kind of its refutation
    `bulbs`   B
    `counts`  how often each bulb of B is pressed
    `forced`  the bulbs c of B with π(c) = 1, each pressed once
    """

    kind: str
    bulbs: tuple[int, ...] = field(metadata=_bulbs(tuple))
    counts: tuple[int, ...] = field(metadata=every(form()))
    forced: frozenset[int] = field(metadata=_bulbs(frozenset, sorted))


@dataclass(frozen=True, eq=False)
class PairProof:
    """Of one press set: a number of pairs is too small, by cuts and a proof about a formula.

    `cap`   pairs of one bulb that the formula tells apart
    `cuts`  in the order of the formula's clauses
    `lrat`  the proof, compressed
    """

    press_set: tuple[int, ...]
    pairs: int
    cap: int
    cuts: tuple[BlockCut, ...]
    lrat: str

    def to_json(self, board: Board, numbers: dict[BlockCut, int]) -> Json:
        """Return the statement and its proof; the cuts by their numbers."""
        return {
            "press_counts": press_counts_json(board, np.array(self.press_set)),
            "pairs": self.pairs,
            "cap": self.cap,
            "cuts": [numbers[cut] for cut in self.cuts],
            "lrat": self.lrat,
        }
