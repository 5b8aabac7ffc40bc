"""No presses at all reach the goal: `witness`, `dead-end`, `states`. A remark: `randomised`.

A *witness* is a set y of bulbs with A·y = 0 and y·b = 1: every press toggles evenly many of them,
while their parity must change. The kernel of A is the orthogonal complement of its image (theory
§1.1). A *dead end* is a whole piece of the board that must change: the rule allows a first press of
lit bulbs alone, or of unlit ones, and after the last press of a bulb it is left in the other state
(§2.5). Cost of both: two sums over all closed neighbourhoods.

*States* (§2.9) of a wiring with m ≤ MOST_LIGHTS lights are searched breadth first: legal presses do
not reach the goal, or fewer of them do not. Cost: 2^m numbers of 32 bits, and 40 ns for each
reached state and each press.

A randomised test (§5.3) may err, so what it says is shown beside the verdict unknown.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import ClassVar, Literal, Self, TypeAlias

import numpy as np

from ponder.check.certificate import Bound, Claim, Refutation, Refuted
from ponder.check.neighbourhoods import closed_sums, press_sums
from ponder.check.reader import TooLarge, enum_value, fail, number, place, some_bulbs
from ponder.model.board import Board
from ponder.model.wired_graph import Wired
from ponder.system.errors import quoted
from ponder.system.limits import NEVER, Limits
from ponder.system.printable import inflect, pluralise
from ponder.system.types import Ints, Json

End: TypeAlias = Literal["start", "goal"]
ENDS: tuple[End, End] = ("start", "goal")
MOST_LIGHTS = 22  # boards of more lights have too many states
_TOGETHER = 1 << 16  # presses in states that are looked at in one go
_NEVER = np.uint32(0xFFFFFFFF)
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
    def read(cls, board: Board, content: Json, limits: Limits = NEVER) -> Self:
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
    def read(cls, board: Board, content: Json, limits: Limits = NEVER) -> Self:
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
class States(Refutation, Bound):
    """All states that legal presses reach on a wiring of few lights, without the goal."""

    kind = "states"
    claim: ClassVar[Claim | None] = "C4"
    of_press_set: ClassVar[bool] = False
    of_orders: ClassVar[bool] = False
    of_wirings: ClassVar[bool] = True

    @classmethod
    def read(cls, board: Board, content: Json, limits: Limits = NEVER) -> Self:
        """Return the certificate, which has no fields."""
        return cls()

    def check(self, board: Board, counts: Ints, limits: Limits = NEVER) -> Refuted:
        """Check that no sequence of legal presses leads to the goal."""
        way = search_states(board, _few_lights(board), limits)
        if not isinstance(way, int):
            reach = inflect(way.size, "reaches", "reach")
            fail(f"states: {pluralise(way.size, 'press')} {reach} the goal")
        return Refuted(counts)

    def proves(self, board: Board, command: str, enough: int, limits: Limits = NEVER) -> int:
        """Return the number of presses of a shortest sequence; 0 if there is none."""
        way = search_states(board, _few_lights(board), limits)
        return 0 if isinstance(way, int) else way.size


def _few_lights(board: Board) -> Wired:
    graph = board.graph
    if not isinstance(graph, Wired):
        fail("states: the board is not a wiring")
    if graph.size > MOST_LIGHTS:
        raise TooLarge(f"2^{graph.size} states are too many to go through")
    return graph


def search_states(board: Board, graph: Wired, limits: Limits = NEVER) -> Ints | int:
    """Return a shortest legal sequence, or how many states are reachable if the goal is not.

    Breadth first: states are numbers of m ≤ MOST_LIGHTS bits, a press is an exclusive or, and a
    table holds when each was reached. Raises TimeUp.
    """
    bit = 1 << np.arange(graph.size, dtype=np.int64)
    flips = np.zeros(graph.presses, dtype=np.int64)
    np.bitwise_xor.at(flips, graph.owners, bit[graph.toggled])
    sits = (graph.at >= 0) & (board.rule != "any")
    asks = np.where(sits, 1 << np.maximum(graph.at, 0), 0)  # the light, and its required state
    wants = asks * (board.rule == "lit")
    when = np.full(1 << graph.size, _NEVER)
    goal = int(bit[board.goal].sum())
    layer = np.array([bit[board.lit].sum()], dtype=np.int64)
    when[layer] = steps = 0
    while layer.size and when[goal] == _NEVER:
        steps += 1
        reached = [layer[:0]]
        width = max(1, _TOGETHER // layer.size)
        for k in range(0, flips.size, width):
            limits.check()
            block = slice(k, k + width)
            fresh = (layer ^ flips[block, None])[layer & asks[block, None] == wants[block, None]]
            fresh = fresh[when[fresh] == _NEVER]
            if width > 1:  # two presses may lead to one state: each once
                when[fresh] = numbers = np.arange(fresh.size, dtype=np.uint32)
                fresh = fresh[when[fresh] == numbers]
            when[fresh] = steps
            reached.append(fresh)
        layer = np.concatenate(reached)
    if when[goal] == _NEVER:
        return int(np.count_nonzero(when != _NEVER))
    presses = np.zeros(steps, dtype=np.int64)
    at = np.int64(goal)
    for step in range(steps - 1, -1, -1):  # backwards, to a state one press earlier
        limits.check()
        before = at ^ flips
        rank = 2 * ((when[before] == step) & (before & asks == wants))
        rank[presses[step + 1 :]] -= 1  # a press again only where no other leads on
        presses[step] = np.argmax(rank)
        at = before[presses[step]]
    return presses


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
        content: Json = {"field_bits": self.field_bits, "trials": self.trials}
        return {**content, "log2_error": self.log2_error, "seed": self.seed}

    @classmethod
    def read(cls, board: Board, content: Json, limits: Limits = NEVER) -> Self:
        """Read the figures."""
        log2 = content.get("log2_error")
        if isinstance(log2, bool) or not isinstance(log2, int | float):
            fail(f"randomised: log2_error is {quoted(log2)}, not a number")
        if not LEAST_LOG2 <= log2 <= 0 or not isfinite(log2):
            fail(f"randomised: log2_error is {quoted(log2)}, not from {LEAST_LOG2:.0f} to 0")
        bits = number(content.get("field_bits"), "randomised: field_bits", 1 << 16, 1)
        trials = number(content.get("trials"), "randomised: trials", 1 << 32, 1)
        return cls(bits, trials, log2, number(content.get("seed"), "randomised: seed"))
