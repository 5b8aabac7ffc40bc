"""`spectral`: how few presses a press set can have, by a largest singular value.

On a full R×C row/column board |x| ≥ (RC − √(RC)·σ)/2 for every press set x, σ the largest singular
value of the ±1 matrix of any of them (theory §4.12). The bound is rounded up to their parity.

Rounding: a singular value is computed with a relative error of about max(R, C)·2⁻⁵², at most 2⁻⁴⁰
here; σ is taken larger by the factor 1 + 10⁻¹⁰, and the bound less by 10⁻⁷. Nowhere else does the
checker calculate with what is not whole. Cost: O(RC·min(R, C)).
"""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from ponder.check.fields import fail
from ponder.check.kinds import Bound
from ponder.check.limits import Budget, TooLarge
from ponder.check.line_refutations import cross_of
from ponder.check.linear import press_sets
from ponder.model.board import Board
from ponder.system.types import Bits

MOST_SIDE = 1 << 12  # bulbs of a line; more would need a larger margin

_NS_TERM = 1  # nanoseconds for a bulb and a line of the shorter side


class Spectral(Bound):
    """Full row/column rectangles: a bound from the largest singular value of any press set."""

    kind = "spectral"
    theory = "§4.12, own proof; numpy's singular values, with a margin for their rounding"
    of_orders: ClassVar[bool] = False
    exact = False
    says: ClassVar[str] = "a bound from linear algebra holds for every choice of presses"
    argues: ClassVar[str] = (
        "(RC − √(RC)·σ)/2, σ the largest singular value of the ±1 matrix of any press set"
    )

    def proves(self, board: Board, command: str, enough: int, budget: Budget) -> int:
        """Return the bound; where the parity alone proves `enough`, that is all."""
        graph = cross_of(board, "bound: spectral")
        if graph.mask is not None:
            fail("bound: spectral is about full rectangles")
        grid = graph.to_grid(press_sets(board, budget).one)
        return spectral_bound(grid, enough, budget.of_board)


def spectral_bound(grid: Bits, enough: int, budget: Budget | None = None) -> int:
    """Return the bound from a press set of a full row/column board, as an (R, C) array.

    Where the parity alone proves `enough`, it is all that is looked at. Raises TooLarge.

    >>> spectral_bound(np.eye(3, dtype=bool), 1), spectral_bound(np.eye(3, dtype=bool), 2)
    (1, 3)
    """
    parity = int(np.count_nonzero(grid)) % 2
    if enough <= parity:
        return parity
    cells = grid.size
    if max(grid.shape) > MOST_SIDE:
        raise TooLarge("the board is too large for its singular values")
    (budget or Budget()).spend(_NS_TERM * cells * min(grid.shape), "the singular values")
    largest = float(np.linalg.norm(np.where(grid, -1.0, 1.0), ord=2)) * (1 + 1e-10)
    bound = max(0, math.ceil((cells - math.sqrt(cells) * largest) / 2 - 1e-7))
    return bound + (bound + parity) % 2
