"""Gauss–Jordan elimination over GF(2^k): is a matrix nonsingular, and what is its inverse?

Idea. Eliminate a panel of `PANEL` columns by itself; the row operations made there are then one
matrix G, and all other columns take part by one product G·P with the panel's pivot rows P, by the
*method of the four Russians*: c·P_j is linear in the bits of c, so the products of one row with all
c are copied from tables of the 256 sums of P_j·β₀, …, P_j·β₇ (β the basis over GF(2)).

Reference: Albrecht, Bard, Hart, "Algorithm 898", 2010, for GF(2); here tables go by elements' bits.
Letters: A the n×n matrix, overwritten; P, G as above; k bits of a field element.
Cost: n³/3 (nonsingular) or n³ (inverse) steps C_ij += G_il·P_lj. For n = 1000 a step takes 0.6 ns
in GF(2^16) and 2.5 ns in GF(2^32). Small matrices cost some 50 μs a column.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from ponder.find.linear.gf2k import Elements, Field
from ponder.system.types import Ints, indices

Poll: TypeAlias = Callable[[], None]  # called now and then; it may raise to break off
PANEL = 16  # columns of a panel. Within a panel products are by logarithms
_SMALL = 64  # a matrix of at most this many columns is one panel
_LOW = 16  # products of at most this many rows are made by logarithms
_BLOCK = 1024  # rows and columns that are updated at a time: the tables stay in the cache


def nonsingular(field: Field, matrix: Elements, poll: Poll = lambda: None) -> bool:
    """Return whether the determinant of a square matrix is not 0; the matrix is overwritten."""
    size = len(matrix)
    step = size if size <= _SMALL else PANEL
    for start in range(0, size, step or 1):
        poll()
        end = min(start + step, size)
        pivots = _panel(field, matrix, start, end, top=start)
        if pivots is None:
            return False
        add_product(
            field, matrix[end:, end:], matrix[end:, start:end], matrix[start:end, end:], poll
        )
    return True


def inverse(field: Field, matrix: Elements, poll: Poll = lambda: None) -> Elements | None:
    """Return the inverse of a square matrix, None if there is none; the matrix is overwritten.

    >>> from ponder.find.linear.gf2k import field
    >>> inverse(field(4), np.array([[0, 2], [1, 0]], dtype=np.uint16)).tolist()
    [[0, 1], [9, 0]]
    """
    size = len(matrix)
    step = size if size <= _SMALL else PANEL
    rows = np.arange(size)
    for start in range(0, size, step or 1):
        poll()
        end = min(start + step, size)
        pivots = _panel(field, matrix, start, end, top=0)
        if pivots is None:
            return None
        for row, pivot in pivots:
            rows[[row, pivot]] = rows[[pivot, row]]
        for columns in (slice(0, start), slice(end, size)):
            pivot_rows = matrix[start:end, columns].copy()
            matrix[start:end, columns] = 0
            add_product(field, matrix[:, columns], matrix[:, start:end], pivot_rows, poll)
    # What stands there inverts the matrix with its rows exchanged.
    inverted = np.empty_like(matrix)
    inverted[:, rows] = matrix
    return inverted


def _panel(
    field: Field, matrix: Elements, start: int, end: int, top: int
) -> list[tuple[int, int]] | None:
    """Eliminate the columns start … end−1 in the rows from `top` on; None when they depend.

    Rows below `start` that are pivots are exchanged with the rows start … end−1, as whole rows;
    the exchanges are returned. In place: afterwards the columns hold G, that is the rows are G·P
    in the panel's pivot rows, and in the others what G·P must be added to.
    """
    pivots = []
    panel = matrix[top:, start:end]
    for i in range(start, end):
        below = matrix[i:, i]
        pivot = i + int(np.argmax(below != 0))
        if not matrix[pivot, i]:
            return None
        if pivot != i:
            pivots.append((i, pivot))
            matrix[[i, pivot]] = matrix[[pivot, i]]
        scale = field.inverse(matrix[i, i])
        column = matrix[top:, i].copy()
        column[i - top] = 0
        matrix[top:, i] = 0
        matrix[i, i] = 1
        row = field.multiply(matrix[i, start:end], scale)
        panel ^= field.multiply(column[:, None], row[None, :])
        matrix[i, start:end] = row
    return pivots


def add_product(
    field: Field, target: Elements, left: Elements, right: Elements, poll: Poll = lambda: None
) -> None:
    """Add left·right to the target in place: (n, m) += (n, r)·(r, m)."""
    height, width = target.shape
    if height <= _LOW:  # tables of 256 rows would not pay
        for j in range(len(right)):
            target ^= field.multiply(left[:, j, None], right[j])
        return
    octets = -(-field.bits // 8)
    digits = _digits(left, octets)
    for first in range(0, width, _BLOCK):
        poll()
        block = target[:, first : first + _BLOCK]
        multiples = list(field.multiples(right[:, first : first + _BLOCK]))
        sums = np.zeros((256, block.shape[1]), dtype=field.dtype)
        copied = np.empty((min(height, _BLOCK), block.shape[1]), dtype=field.dtype)
        for j in range(len(right)):
            for octet in range(octets):
                for i, multiple in enumerate(multiples[8 * octet : 8 * octet + 8]):
                    np.bitwise_xor(sums[: 1 << i], multiple[j], out=sums[1 << i : 2 << i])
                for top in range(0, height, _BLOCK):
                    digit = digits[octet, j, top : top + _BLOCK]
                    np.take(sums, indices(digit), axis=0, out=copied[: digit.size], mode="clip")
                    block[top : top + _BLOCK] ^= copied[: digit.size]


def _digits(matrix: Elements, octets: int) -> Ints:
    """Return the octets of the elements, lowest first: (n, r) -> (octets, r, n)."""
    shifts = np.arange(octets, dtype=matrix.dtype)[:, None, None] * matrix.dtype.type(8)
    digits: Ints = ((matrix.T[None] >> shifts) & matrix.dtype.type(255)).astype(np.int64)
    return digits
