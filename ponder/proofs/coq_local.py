"""For Coq: some presses have no order, whatever is pressed away from them.

A component K of presses, pieces that hang on single bulbs of it, and a reason (`verified/local.v`).
Cost: that of walking around K.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ponder.check.block import hanging_pieces
from ponder.check.neighbourhoods import closed_sums
from ponder.check.reader import later_parities, press_counts
from ponder.model.board import Board
from ponder.model.ordering_problem import OrderingProblem
from ponder.proofs.coq_formula import ProveAgain, formula_definitions
from ponder.proofs.coq_text import terms
from ponder.system.errors import NoShortProof
from ponder.system.limits import Limits
from ponder.system.types import Bits

MOST_MADE = 64  # proofs that a SAT solver is asked for
MOST_EXHAUSTED = 24  # presses all of whose orders are gone through, one by one

# how a component is refuted, by the rule of its block, or by a formula
REASONS = {
    "parity": "OddEdges",
    "first": "NoFirstPress",
    "last": "NoLastPress",
    "orders": "Exhausted",
    "formula": "Formula",
}


def word_of(refutation: Any) -> str:
    """Return the kind of a refutation, of a block its rule."""
    return str(refutation.get("rule") or refutation["kind"])


@dataclass(frozen=True, eq=False)
class Prover:
    """What the writers of certificates about a board share: formulas with proofs."""

    board: Board
    again: ProveAgain | None
    limits: Limits
    items: list[str] = field(default_factory=list, kw_only=True)
    """Definitions of these formulas."""

    def formula(self, pressed: Bits, part: Any = None) -> str:
        """Return why presses have no order: by their `formula`, or by one that is made.

        Raises NoShortProof and TimeUp.
        """
        if part is None and len(self.items) >= MOST_MADE:
            raise NoShortProof(f"more than {MOST_MADE} press sets need a SAT solver's proof")
        problem = OrderingProblem.of_board(self.board, pressed)
        name = f"the_items{len(self.items) or ''}"
        told = part or {"encoding": None, "lrat": None}
        self.items.append(formula_definitions(name, problem, told, self.again, self.limits))
        return f"(Formula {name})"


@dataclass(frozen=True, eq=False)
class Local:
    """A component K of presses without an order: pieces that hang on single bulbs, a reason."""

    component: Bits
    scope: Bits  # N[K]
    because: str
    hanging: tuple[tuple[int, list[int]], ...] = ()

    @classmethod
    def of_part(cls, board: Board, part: Any) -> Local:
        """Return K around a refutation's bulbs. Raises NoShortProof for one of another kind."""
        if (word := word_of(part)) not in REASONS:
            raise NoShortProof.of_kind(word, "Coq certificate", [*REASONS])
        counts = press_counts(board, part["press_counts"])
        inside = board.graph.set_of(board.graph.bulbs(part["bulbs"]))
        if word == "orders" and counts[inside].sum() > MOST_EXHAUSTED:
            raise NoShortProof(f"all orders of more than {MOST_EXHAUSTED} presses are too many")
        component, hanging = inside.copy(), []
        later = later_parities(board, word)
        for piece, contacts, _ in hanging_pieces(board.graph, counts, inside, later):
            if len(contacts) > 1:
                raise NoShortProof("a refutation that is not about a block has no Coq certificate")
            component[piece] = True
            hanging.append((contacts.pop(), sorted(piece)))
        scope = closed_sums(board.graph, component) > 0
        return cls(component, scope, REASONS[word], tuple(hanging))

    def applies(self, member: Bits) -> bool:
        """Whether K is a component of these presses."""
        return bool((member == self.component)[self.scope].all())

    def __str__(self) -> str:
        hanging = terms(f"({contact}, {terms(piece)})" for contact, piece in self.hanging)
        component = terms(np.flatnonzero(self.component))
        return f"Refutation {component}%num {hanging}%num {self.because}"
