"""`presses-modulo-four`: all legal sequences have as many presses modulo 4, which raises a bound.

Let Q(s) = Σ_v s(v)·(A s)(v) + 2·|T ∩ s|, in whole numbers. A legal sequence whose odd presses are s
has Q(s) presses modulo 4, and Q(s + y) = Q(s) + Q(y) for a quiet pattern y (theory §1.7). So where
Q is 0 modulo 4 on a basis of the quiet patterns, every legal sequence has the same number of
presses modulo 4: no bound lies strictly between two such numbers.

Cost: a basis of the quiet patterns, and a sum over closed neighbourhoods for each of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import numpy as np

from ponder.check.fields import fail, later_parities
from ponder.check.kinds import Because, Bound
from ponder.check.limits import Budget
from ponder.check.linear import press_sets
from ponder.check.neighbourhoods import closed_sums, spend_sums
from ponder.check.written import Count
from ponder.model.board import Board
from ponder.model.graph import Graph
from ponder.system.errors import quoted
from ponder.system.types import Bits, Ints

MOST_NULLITY = 1024  # quiet patterns of a basis that is written down


class PressesModuloFour(Bound):
    """No legal sequence has fewer than `least` presses, and all have the same number modulo 4."""

    kind = "presses-modulo-four"
    theory = "§1.7, own proof, and that of `because`"
    raises: ClassVar[bool] = True
    least: Count
    because: Because

    def check(self, board: Board, command: str, bound: int, budget: Budget) -> str | None:
        """Check the bound that is raised, and what it is raised to."""
        if command not in self.because.commands:
            fail(f"{self.kind}: {self.because.kind} says nothing of what `{command}` asks")
        odd_later = later_parities(board, self.kind)
        found = press_sets(board, budget, MOST_NULLITY)
        spend_sums(board.graph, budget, self.kind, found.nullity + 1)
        remainder = presses_modulo_four(board.graph, odd_later, found.one, found.quiet)
        if remainder is None:
            fail(f"{self.kind}: the press sets of the board differ in their presses modulo 4")
        left_open = self.because.check(board, command, self.least, budget)
        proved = raised(self.least, remainder)  # once what it is raised from holds
        if left_open is None and bound != proved:
            fail(f"bound: {self.kind} proves {proved}, not {quoted(bound)}")
        return left_open

    def sentence(self, presses: Ints | None, least: int) -> str | None:
        """Return what is known of all numbers of presses, and why they are not fewer."""
        why = self.because.sentence(presses, self.least)
        return "; ".join(filter(None, (why, _every(least))))

    def argument(self, presses: Ints | None, least: int) -> str | None:
        """Return the same for a mathematician."""
        why = self.because.argument(presses, self.least)
        return "; ".join(filter(None, (why, _every(least))))


def _every(least: int) -> str:
    return f"every sequence has {least} presses, or 4, 8, 12, … more or fewer"


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
