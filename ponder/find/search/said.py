"""What a solver says and nothing proves: it never leaves the program as a claim (`find.driver`)."""

from __future__ import annotations

from ponder.check.kinds import Bound, Refutation
from ponder.check.written import Count
from ponder.model.board import Board


class IntegerModel(Refutation):
    """Full row/column boards, every t(v) = 0: CP-SAT says that no press set has a half factor."""

    kind = "integer-model"
    log2_press_sets: Count

    def sentence(self, board: Board) -> str:
        """Return what is said."""
        return f"none of the 2^{self.log2_press_sets} choices of presses has an order"


class BoundByWord(Bound):
    """A bound that is CP-SAT's word: no evidence, and no result holds it."""

    kind = "integer-model"
