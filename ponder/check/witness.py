"""`witness` and `dead-end`: no presses at all reach the goal, by a count. `randomised`: a remark.

A *witness* is a set y of bulbs with A·y = 0 and y·b = 1: every press toggles evenly many of them,
while their parity must change. The kernel of A is the orthogonal complement of its image (theory
§1.1). A *dead end* is a whole piece of the board that must change: the rule allows a first press of
lit bulbs alone, or of unlit ones, and after the last press of a bulb it is left in the other state
(§2.5). Cost: two sums over all closed neighbourhoods.

A randomised test (§5.3) may err, so what it says is shown beside the verdict unknown.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import ClassVar, Literal, Self, TypeAlias

import numpy as np

from ponder.check.certificate import Claim, Refutation, Refuted
from ponder.check.neighbourhoods import closed_sums, press_sums
from ponder.check.reader import enum_value, fail, number, place, some_bulbs
from ponder.model.board import Board
from ponder.system.errors import quoted
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Ints, Json

End: TypeAlias = Literal["start", "goal"]
ENDS: tuple[End, End] = ("start", "goal")
LEAST_LOG2 = -100_000.0  # of an error bound


@dataclass(frozen=True, eq=False)
class Witness(Refutation):
    """Every press toggles an even number of these bulbs (lights), yet their parity must change."""

    kind = "witness"
    claim: ClassVar[Claim | None] = "C4"
    of_press_set: ClassVar[bool] = False
    of_orders: ClassVar[bool] = False
    of_wirings: ClassVar[bool] = True
    bulbs: Ints

    def fields(self, board: Board) -> Json:
        """Return the bulbs."""
        return {"bulbs": board.graph.of_lights.labels(self.bulbs)}

    @classmethod
    def read(cls, board: Board, content: Json) -> Self:
        """Read the bulbs."""
        return cls(some_bulbs(board.graph.of_lights, content.get("bulbs"), "witness: bulbs"))

    def check(self, board: Board, counts: Ints, limits: Limits = NEVER) -> Refuted:
        """Check that every press toggles evenly many of the bulbs, whose parity has to change."""
        witness = board.graph.of_lights.set_of(self.bulbs)
        odd = press_sums(board.graph, witness) & 1
        if odd.any():
            bulb = place(board.graph.label(int(np.argmax(odd))))
            fail(f"witness: a press of {bulb} toggles an odd number of the bulbs")
        if np.count_nonzero(witness & board.change) % 2 == 0:
            fail("witness: an even number of the bulbs has to change, which presses can do")
        return Refuted(counts)


@dataclass(frozen=True, eq=False)
class DeadEnd(Refutation):
    """A whole piece of the board must change, and the rule allows it no first, or no last, press.

    `end`  "start" where no press can be the first, "goal" where none can be the last
    """

    kind = "dead-end"
    claim: ClassVar[Claim | None] = "C4"
    of_press_set: ClassVar[bool] = False
    bulbs: Ints
    end: End

    def fields(self, board: Board) -> Json:
        """Return the bulbs and the end."""
        return {"end": self.end, "bulbs": board.graph.labels(self.bulbs)}

    @classmethod
    def read(cls, board: Board, content: Json) -> Self:
        """Read the bulbs and the end."""
        members = some_bulbs(board.graph, content.get("bulbs"), "dead-end: bulbs")
        return cls(members, enum_value(content.get("end"), ENDS, "dead-end: end"))

    def check(self, board: Board, counts: Ints, limits: Limits = NEVER) -> Refuted:
        """Check that no bulb of a whole piece of the board is ever pressed."""
        piece = board.graph.set_of(self.bulbs)
        leaving = ~piece & (closed_sums(board.graph, piece) > 0)
        if leaving.any():
            bulb = place(board.graph.label(int(np.argmax(leaving))))
            fail(f"dead-end: {bulb} is beside the bulbs and not one of them")
        if not (piece & board.change).any():
            fail("dead-end: none of the bulbs has to change")
        pressable = board.lit == (board.rule == "lit")
        allowed = pressable if self.end == "start" else board.goal == (board.rule == "unlit")
        if (piece & allowed).any():
            bulb = place(board.graph.label(int(np.argmax(piece & allowed))))
            which = "first" if self.end == "start" else "last"
            fail(f"dead-end: {bulb} can be the {which} of the bulbs to be pressed")
        return Refuted(counts)


@dataclass(frozen=True, eq=False)
class Randomised(Refutation):
    """A matrix of theory §5 was singular in every trial: a remark beside the verdict unknown.

    `field_bits`  k, of the field GF(2^k)
    `log2_error`  the base-2 logarithm of the bound on the error over all trials
    """

    kind = "randomised"
    claim: ClassVar[Claim | None] = None
    of_wirings: ClassVar[bool] = True
    field_bits: int
    trials: int
    log2_error: float
    seed: int = 0

    def fields(self, board: Board) -> Json:
        """Return the field, the trials and the error bound."""
        told: Json = {"field_bits": self.field_bits, "trials": self.trials}
        return {**told, "log2_error": self.log2_error, "seed": self.seed}

    @classmethod
    def read(cls, board: Board, content: Json) -> Self:
        """Read the figures."""
        log2 = content.get("log2_error")
        if isinstance(log2, bool) or not isinstance(log2, int | float):
            fail(f"randomised: log2_error is {quoted(log2)}, not a number")
        if not LEAST_LOG2 <= log2 <= 0 or not isfinite(log2):
            fail(f"randomised: log2_error is {quoted(log2)}, not from {LEAST_LOG2:.0f} to 0")
        bits = number(content.get("field_bits"), "randomised: field_bits", 1 << 16, 1)
        trials = number(content.get("trials"), "randomised: trials", 1 << 32, 1)
        return cls(bits, trials, log2, number(content.get("seed"), "randomised: seed"))
