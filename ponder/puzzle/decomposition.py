"""A bound by decomposition: cuts about blocks, and proofs that pairs are too few.

Letters: s press set, e pairs of presses more, B block, π as in theory §7.6. The pairs that a press
set needs are bounded by a formula (theory §7.13) in which every cut is a clause.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from ponder.printable import counted
from ponder.puzzle.board import Board
from ponder.puzzle.evidence import Bound, Form, Written, every, form
from ponder.puzzle.press_set_refutations import PARTS
from ponder.puzzle.refutation import (
    Parts,
    parts_json,
    press_counts_from,
    press_counts_json,
)
from ponder.types import Ints, Json


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
    """A block B that has no order, whatever is pressed elsewhere.

    Proof. Theory §7.6: an order would give one of B with the parities t + π, which is refuted.

    `kind`    which rule refutes B, as in `local_refutations`
    `bulbs`   B
    `counts`  how often each bulb of B is pressed
    `forced`  the bulbs c of B with π(c) = 1, each pressed once: an odd number of (press of c, later
              press outside B)
    """

    kind: str
    bulbs: tuple[int, ...] = field(metadata=_bulbs(tuple))
    counts: tuple[int, ...] = field(metadata=every(form()))
    forced: frozenset[int] = field(metadata=_bulbs(frozenset, sorted))


@dataclass(frozen=True, eq=False)
class PairProof:
    """Of one press set: so many pairs are not enough, by cuts and a proof about a formula.

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


def _proofs(board: Board, content: Json) -> tuple[PairProof, ...]:
    """Return the proofs of a text form, each with the cuts that it names by number."""
    texts: Any = content["cuts"]
    proofs: Any = content["proofs"]
    cuts = [BlockCut.from_json(board, text) for text in texts]
    return tuple(
        PairProof(
            tuple(press_counts_from(board, text["press_counts"]).tolist()),
            text["pairs"],
            text["cap"],
            tuple(cuts[number] for number in text["cuts"]),
            text["lrat"],
        )
        for text in proofs
    )


@dataclass(frozen=True, eq=False)
class Decomposition(Bound):
    """What the odd components of every press set cost (`OddComponents`), and of some press sets a
    proof, by cuts, that so many pairs are too few (theory §7.6, §7.13).

    `parts` are press sets with a refusal that says more than their odd components.
    """

    kind = "decomposition"
    parts: Parts = field(metadata=PARTS)
    proofs: tuple[PairProof, ...] = field(metadata=form(read=_proofs))

    @property
    def cuts(self) -> tuple[BlockCut, ...]:
        """The cuts of all proofs, each once."""
        return tuple(dict.fromkeys(cut for proof in self.proofs for cut in proof.cuts))

    def to_json(self, board: Board) -> Json:
        """Return parts and proofs, and the cuts that these name by number."""
        numbers = {cut: i for i, cut in enumerate(self.cuts)}
        return {
            "kind": self.kind,
            "parts": parts_json(board, self.parts),
            "cuts": [cut.to_json(board) for cut in numbers],
            "proofs": [proof.to_json(board, numbers) for proof in self.proofs],
        }

    @classmethod
    def from_json(cls, board: Board, content: Json) -> Self:
        """Return the object of a text form; BoardError if a field cannot be read."""
        return super().from_json(board, {**content, "proofs": content})  # which name the cuts

    def sentence(self, presses: Ints | None, least: int) -> str | None:
        """Return how many cuts and proofs there are."""
        cuts, proofs = counted(len(self.cuts), "such block"), counted(len(self.proofs), "proof")
        return (
            f"fewer presses always leave some block of bulbs without an order, by {cuts} and "
            f"{proofs} of a SAT solver, checked"
        )
