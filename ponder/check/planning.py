"""Wirings: that so many presses are too few, by a SAT solver's proof (theory §7.15).

The formula (`ponder.formulas.planning`) is made anew, and LRAT proves that it has no model. Where
all press sets have an even or all an odd number of presses, so have all sequences, and one more is
needed where that is so. Who looks for a proof takes the same `Presses`.

Cost. The press sets, the formula, and a pass over the proof.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ponder.check.fields import fail, number, unpacked
from ponder.check.limits import Budget, ProofMeter, TooLarge
from ponder.check.linear import press_sets
from ponder.check.lrat import check_lrat
from ponder.errors import CheckFailed, NeedsMemory
from ponder.limits import NEVER, Limits
from ponder.puzzle.board import Board
from ponder.puzzle.wired_graph import Wired
from ponder.types import Bits, Json

if TYPE_CHECKING:
    from ponder.formulas.cnf import Cnf

MOST_LITERALS = 30_000_000  # literals of one formula, by estimate
MOST_PROOF = 200_000_000  # bytes of a proof
_NS_LITERAL = 200


@dataclass(frozen=True, eq=False)
class Presses:
    """What is known of all sequences of a wiring: presses that all `shared`, the number's parity.

    `parity` is None where press sets have even and odd numbers, or are too many to be listed.
    """

    board: Board
    graph: Wired
    shared: Bits
    parity: int | None

    @classmethod
    def of(cls, board: Board, graph: Wired, budget: Budget) -> Presses:
        """Look at the press sets; CheckFailed where there are none, TooLarge."""
        sets = press_sets(board, budget)
        if sets.basis is None:
            return cls(board, graph, np.zeros(graph.presses, dtype=np.bool_), None)
        alike = not (np.count_nonzero(sets.basis, axis=1) % 2).any()
        parity = int(np.count_nonzero(sets.one)) % 2 if alike else None
        return cls(board, graph, sets.one & ~sets.basis.any(axis=0), parity)

    def formula(self, steps: int, limits: Limits = NEVER) -> Cnf:
        """Return the formula that at most `steps` presses are enough. NeedsMemory."""
        from ponder.formulas.planning import literals_within, within_steps

        if (needed := literals_within(self.graph, steps)) > MOST_LITERALS:
            raise NeedsMemory(f"the formula of {steps} presses would have {needed:,} literals")
        return within_steps(self.board, self.graph, steps, self.shared, limits)

    def beyond(self, steps: int) -> int:
        """Return the least number of presses where so many are too few."""
        return steps + 1 + (self.parity is not None and (steps + 1 - self.parity) % 2)


def least_beyond(board: Board, bound: Json, budget: Budget) -> int:
    """Return what a proof says that is needed at least; CheckFailed, TooLarge."""
    steps = number(bound.get("steps"), "within-steps: steps")
    if not isinstance(board.graph, Wired):
        fail("within-steps: the board is no wiring")
    from ponder.formulas.planning import literals_within

    presses = Presses.of(board, board.graph, budget)
    budget.spend(_NS_LITERAL * literals_within(board.graph, steps), "making the formula")
    try:
        formula = presses.formula(steps)
        lrat = unpacked(bound.get("lrat"), MOST_PROOF, budget)
        check_lrat(formula.clauses(), lrat, meter=ProofMeter(budget))
    except NeedsMemory as reason:
        raise TooLarge(str(reason)) from None
    except CheckFailed as failure:
        fail(f"within-steps: that {steps} presses are too few: {failure}")
    return presses.beyond(steps)
