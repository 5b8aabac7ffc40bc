"""`randomised`: the matrix of theory §5 was singular in every trial. Evidence, never proof.

If an order exists, one trial is singular with probability at most (|E| + |V|) / 2^k (§5.3).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, ClassVar

from ponder.check.fields import fail
from ponder.check.kinds import Claim, Refutation
from ponder.check.written import Count, Form, Reading, form_of
from ponder.model.board import Board
from ponder.system.errors import quoted
from ponder.system.printable import pluralise
from ponder.system.types import Json


def _logarithm(of: Reading, value: object, what: str) -> Any:
    known = isinstance(value, int | float) and not isinstance(value, bool)
    return value if known else fail(f"{what} is {quoted(value)}, not a number")


_Bits = Annotated[int, replace(form_of(Count), key="field_bits")]
_Logarithm = Annotated[float, Form(_logarithm, {"type": "number"})]


class Randomised(Refutation):
    """A randomised test found no order: evidence beside the verdict unknown, and no proof.

    `bits`        of the field, `field_bits` in a file
    `log2_error`  the base-2 logarithm of the bound on the error over all trials
    """

    kind = "randomised"
    claim: ClassVar[Claim | None] = None
    theory = "§5.3"
    explained: ClassVar[tuple[str, ...]] = (
        "This is evidence, not a proof: random trials found no order, and the chance that all of "
        "them are wrong is known to be tiny.",
    )
    bits: _Bits
    trials: Count
    log2_error: _Logarithm
    seed: Count

    def to_json(self, board: Board) -> Json:
        """Return the field size, the trials and the error bound."""
        content = super().to_json(board)
        return content | {"error": 2.0**self.log2_error, "seed": content.pop("seed")}

    def sentence(self, board: Board) -> str:
        """Return the evidence."""
        trials = pluralise(self.trials, "trial")
        wrong = f"it errs with probability at most 2^{self.log2_error:.0f}"
        return f"a randomised test found no order in {trials}; {wrong}"

    def argument(self, board: Board) -> str:
        """Return the evidence with its error bound."""
        trials = pluralise(self.trials, "trial")
        return (
            f"a randomised test over GF(2^{self.bits}) found no order in {trials}; it errs with "
            f"probability at most 2^{self.log2_error:.0f}"
        )
