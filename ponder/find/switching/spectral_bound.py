"""Odd-sized row/column boards: a lower bound on all press sets from one singular value.

Idea (theory §4.12). For every press set x, |x| ≥ (RC − √(RC)·σ)/2, σ the largest singular value of
the ±1 matrix M of any one press set. It is rounded up to the parity of |x₀|, which all |x| have.

Letters: R ≤ C the sides of the board; M, σ, u, v as above.
Cost: O(R²·C): some two seconds for 2000 × 2000.
"""

from __future__ import annotations

import numpy as np

from ponder.system.limits import Limits
from ponder.system.types import Bits

MOST_ROWS = 2048  # the largest smaller side for which the singular value is computed
SECONDS = 1.5e-10  # what it takes, for R²·(R + C) = 1
SHARE = 0.75  # what it may take of the time that is left


def spectral_bound(grid: Bits, *, computed: bool = True) -> int:
    """Return a lower bound on |x| over all press sets x, given one as an (R, C) array, R ≤ C.

    If σ is too dear, on the largest boards, or not `computed`, the parity alone gives the bound.

    >>> spectral_bound(np.eye(3, dtype=bool)), spectral_bound(np.eye(3, dtype=bool), computed=False)
    (3, 1)
    """
    rows, columns = grid.shape
    bound = 0
    if computed and rows <= MOST_ROWS:
        signs = 1.0 - 2.0 * grid
        square = float(np.linalg.eigvalsh(signs @ signs.T)[-1]) * (1 + 1e-9)
        least = (rows * columns - (rows * columns * square) ** 0.5) / 2
        bound = max(0, int(np.ceil(least - 1e-6)))
    return bound + (bound + int(np.count_nonzero(grid))) % 2


def seconds(shape: tuple[int, int]) -> float:
    """Return about how many seconds the singular value of an (R, C) matrix takes, or its square."""
    rows, columns = sorted(shape)
    return SECONDS * rows**2 * (rows + columns) if rows <= MOST_ROWS else float("inf")


def affordable(shape: tuple[int, int], limits: Limits) -> bool:
    """Tell whether the singular value of an (R, C) matrix takes a fair share of the time left."""
    left = limits.left(SHARE)
    return left is None or seconds(shape) < max(left, 0.05)
