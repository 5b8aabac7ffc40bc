"""Odd-sized row/column boards: the count bound of a setting, by sorting its columns.

Idea (theory §4.10). A press set x costs at least |x| + |k_r − k_c|, and has an order only if
k_r = k_c. In a setting (see `ponder.cross.switching_rectangle`) k_r is fixed, and |x| is a sum over
columns that are even or odd independently. So the least such bound is found exactly: sort the
columns by D_j, what it costs to make them odd; the k_c cheapest become odd; compare all
k_c ≡ k_r mod 2, or take k_c = k_r if every bulb is pressed at most once.

Letters: as in `ponder.cross.switching_rectangle`; N settings at a time.
Cost: O(N·C·(R + log C)).
"""

from __future__ import annotations

import numpy as np

from ponder.cross.switching_rectangle import IMPOSSIBLE, Rectangle
from ponder.types import Bits, Ints


def count_bounds(rectangle: Rectangle, u: Bits, once: bool) -> Ints:
    """Return the count bounds of many settings, (N, R) -> (N,).

    If `once`, IMPOSSIBLE where k_r > C: no press set has as many odd columns.

    >>> eye = Rectangle.of(np.eye(3, dtype=bool))
    >>> count_bounds(eye, np.array([[0, 0, 0], [1, 1, 0]], dtype=bool), False).tolist()
    [3, 3]
    """
    rows, columns = rectangle.shape
    extra = rectangle.extra(u)
    k_r = np.count_nonzero(rectangle.parities_under(u), axis=1)
    least = np.empty((len(u), columns + 1), dtype=np.int64)
    least[:, 0] = (rows * columns - extra.sum(axis=1)) // 2
    np.cumsum(np.sort(extra, axis=1), axis=1, out=least[:, 1:])
    least[:, 1:] += least[:, :1]
    if once:
        possible = k_r <= columns
        at = np.take_along_axis(least, np.where(possible, k_r, 0)[:, None], axis=1)[:, 0]
        return np.asarray(np.where(possible, at, IMPOSSIBLE))
    apart = np.abs(np.arange(columns + 1) - k_r[:, None])
    return np.asarray(np.where(apart % 2, IMPOSSIBLE, least + apart).min(axis=1))


def cheapest(rectangle: Rectangle, u: Bits, once: bool) -> Bits:
    """Return the x of least count bound in one setting, with k_r ≤ C if once, (R, C)."""
    columns = rectangle.shape[1]
    extra = rectangle.extra(u[None])[0]
    k_r = int(np.count_nonzero(rectangle.parities_under(u)))
    by_extra = np.argsort(extra, kind="stable")
    k_c = k_r
    if not once:
        apart = np.abs(np.arange(columns + 1) - k_r)
        bounds = np.concatenate([[0], np.cumsum(extra[by_extra])]) + apart
        k_c = int(np.where(apart % 2, IMPOSSIBLE, bounds).argmin())
    odd = np.zeros(columns, dtype=np.bool_)
    odd[by_extra[:k_c]] = True
    return np.asarray(rectangle.even ^ u[:, None] ^ odd)
