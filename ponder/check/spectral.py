"""The spectral bound: how few presses a press set can have, by a largest singular value.

On a full R×C row/column board a press set that changes nothing is r_i + c_j (every bulb is the
parity of its row's presses plus that of its column's), so any two press sets differ by whole rows
and columns. With M the ±1 matrix of one of them and sign vectors u, v for the switches,

    |x| = (RC − uᵀMv)/2 ≥ (RC − |u|·σ·|v|)/2 = (RC − √(RC)·σ)/2,

σ the largest singular value of M. Every sequence presses each bulb of some press set (theory
§4.12).

|x| has the parity of |x₀|, so the bound is rounded up to it. Proof. Let y = r_i + c_j change
nothing. If R is odd, summing (A·y = 0) over a column of the board gives |y| = 0 mod 2, likewise if
C is odd over a row; if both are even y = 0. ∎

Rounding: a singular value is computed with a relative error of about max(R, C)·2⁻⁵², at most 2⁻⁴⁰
here; σ is taken larger by the factor 1 + 10⁻¹⁰, and the bound less by 10⁻⁷. Nowhere else does the
checker calculate with what is not whole.
Cost: O(RC·min(R, C)).
"""

from __future__ import annotations

import math

import numpy as np

from ponder.check.limits import Budget, TooLarge
from ponder.types import Bits

MOST_SIDE = 1 << 12
"""Bulbs of a line; more would need a larger margin."""

_NS_TERM = 1  # nanoseconds for a bulb and a line of the shorter side


def spectral_bound(grid: Bits, enough: int, budget: Budget | None = None) -> int:
    """Return the bound from a press set of a full row/column board, as an (R, C) array.

    Where the parity alone proves `enough`, it is all that is looked at. TooLarge.

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
