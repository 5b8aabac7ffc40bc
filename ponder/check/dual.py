"""`packing` and `modulo-four`: bounds from numbers that no choice of presses changes.

*Packing* (theory §1.6). Bulbs that must change and whose closed neighbourhoods do not meet: each
holds a press of its own. All press sets have one parity, to which the bound is rounded up where a
single press set tells it.

*Modulo four* (§1.7). Let Q(s) = Σ_v s(v)·(A s)(v) + 2·|T ∩ s|, in whole numbers. A legal sequence
whose odd presses are s has Q(s) presses modulo 4, and Q(s + y) = Q(s) + Q(y) for a quiet pattern y.
So where Q is 0 modulo 4 on a basis of the quiet patterns, every legal sequence has the same number
of presses modulo 4: no bound lies strictly between two such numbers.

Cost: a press set; a basis of the quiet patterns, and a sum over neighbourhoods for each of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from ponder.check.certificate import Bound, read_as
from ponder.check.linear import press_sets
from ponder.check.neighbourhoods import closed_sums
from ponder.check.reader import count, fail, later_parities, place, some_bulbs
from ponder.model.board import Board
from ponder.model.graph import Graph
from ponder.system.errors import quoted
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints, Json

MOST_NULLITY = 1024  # quiet patterns of a basis that is written down


@dataclass(frozen=True, eq=False)
class Packing(Bound):
    """These bulbs must change, and no press reaches two of them."""

    kind = "packing"
    of_orders: ClassVar[bool] = False
    bulbs: Ints

    def fields(self, board: Board) -> Json:
        """Return the bulbs."""
        return {"bulbs": board.graph.labels(self.bulbs)}

    @classmethod
    def read(cls, board: Board, content: Json, limits: Limits = NEVER) -> Self:
        """Read the bulbs."""
        return cls(some_bulbs(board.graph, content.get("bulbs"), "packing: bulbs"))

    def proves(self, board: Board, command: str, enough: int, limits: Limits = NEVER) -> int:
        """Return how many bulbs there are, rounded up to the parity of press sets if asked for."""
        chosen = board.graph.set_of(self.bulbs)
        if (chosen & ~board.change).any():
            bulb = place(board.graph.label(int(np.argmax(chosen & ~board.change))))
            fail(f"packing: {bulb} need not change")
        around = closed_sums(board.graph, chosen)
        if (around > 1).any():
            bulb = place(board.graph.label(int(np.argmax(around > 1))))
            fail(f"packing: a press of {bulb} reaches two of the bulbs")
        proved = int(self.bulbs.size)
        if enough <= proved:
            return proved
        return proved + (proved + int(np.count_nonzero(press_sets(board, limits).one))) % 2


@dataclass(frozen=True, eq=False)
class ModuloFour(Bound):
    """No legal sequence has fewer than `least` presses, and all have the same number modulo 4."""

    kind = "modulo-four"
    least: int
    because: Bound

    def fields(self, board: Board) -> Json:
        """Return the bound that is raised, and its certificate."""
        return {"least": self.least, "because": self.because.to_json(board)}

    @classmethod
    def read(cls, board: Board, content: Json, limits: Limits = NEVER) -> Self:
        """Read the bound that is raised; its certificate raises none itself."""
        from ponder.check.verification import BOUNDS  # which lists this class

        kinds = [kind for kind in BOUNDS if kind is not cls]
        because = read_as(kinds, board, content.get("because"), "modulo-four: because", limits)
        return cls(count(content.get("least"), "modulo-four: least"), because)

    def check_bound(
        self, board: Board, command: str, bound: int, limits: Limits = NEVER
    ) -> str | None:
        """Check the bound that is raised, and what it is raised to."""
        odd_later = later_parities(board, self.kind)
        sets = press_sets(board, limits, MOST_NULLITY)
        quiet = limits.over(sets.quiet, 1)
        remainder = presses_modulo_four(board.graph, odd_later, sets.one, quiet)
        if remainder is None:
            fail(f"{self.kind}: the press sets of the board differ in their presses modulo 4")
        if bound != (proved := raised(self.least, remainder)):
            fail(f"bound: {self.kind} proves {proved}, not {quoted(bound)}")
        return self.because.check_bound(board, command, self.least, limits)


def raised(bound: int, remainder: int) -> int:
    """Return the least number from `bound` on that has a remainder modulo 4.

    >>> raised(53, 3), raised(55, 3)
    (55, 55)
    """
    return bound + (remainder - bound) % 4


def presses_modulo_four(
    graph: Graph, odd_later: Bits, press_set: Bits, quiet: Iterable[Bits]
) -> int | None:
    """Return the presses of every legal sequence modulo 4; None where press sets differ in that.

    `quiet` is a basis of the quiet patterns.

    >>> from ponder.model.graph import grid_graph
    >>> path, none = grid_graph("plus", (1, 2)), np.zeros(2, dtype=np.bool_)
    >>> presses_modulo_four(path, none, np.array([True, False]), [np.array([True, True])])
    1
    """

    def remainder(s: Bits) -> int:
        return int(closed_sums(graph, s)[s].sum() + 2 * np.count_nonzero(s & odd_later)) % 4

    return None if any(remainder(y) for y in quiet) else remainder(press_set)
