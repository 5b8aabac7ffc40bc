"""Arithmetic of the fields GF(2^k), a whole numpy array at a time; dense matrices over them.

Idea. An element is an unsigned integer whose bits are its coordinates, so addition is XOR. A field
of up to 2^16 elements multiplies by logarithms: with g = x a root of a primitive polynomial, a·b =
g^(log a + log b), two look-ups and one addition. Larger fields are towers of quadratic extensions:
with c of trace 1 the polynomial y² + y + c is irreducible, so the pairs a₁y + a₀ form the field of
twice as many bits, and a product costs three products of the halves (Karatsuba) and one with c.

Letters: k the bits of an element; y, c, g as above; Tr the trace.
Reference: Lidl, Niederreiter, Finite Fields, section 2.1 and corollary 3.79.
Cost of a product, per element: some 10 ns in GF(2^16) (3 ns in an outer product, where the
logarithms are looked up once), 30 ns in GF(2^32), 200 ns in GF(2^64).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ponder.system.types import Ints, distinct, indices

Elements: TypeAlias = NDArray[Any]
"""Field elements: unsigned integers of the field's dtype."""

PRIMITIVE = {
    2: 0x7, 3: 0xB, 4: 0x13, 5: 0x25, 6: 0x43, 7: 0x83, 8: 0x11D, 9: 0x211, 10: 0x409, 11: 0x805,
    12: 0x1053, 13: 0x201B, 14: 0x4443, 15: 0x8003, 16: 0x1100B,
}  # fmt: skip
"""A primitive polynomial over GF(2) of every degree; bit i is the coefficient of x^i."""


@cache
def field(bits: int) -> Field:
    """Return GF(2^bits): 2 to 16, 32 or 64 bits. Raises ValueError for others.

    >>> f = field(4)  # x⁴ = x + 1
    >>> int(f.multiply(np.uint16(0b1000), np.uint16(0b0010)))
    3
    """
    if bits in PRIMITIVE:
        return TableField(bits)
    if bits in (32, 64):
        return QuadraticExtension(field(bits // 2))
    raise ValueError(f"there are fields of 2 to 16, of 32 and of 64 bits here, not of {bits}")


class Field(ABC):
    """GF(2^k). Elements are numpy arrays of `dtype`; a + b is a ^ b. Arguments broadcast."""

    bits: int
    dtype: np.dtype[Any]

    @abstractmethod
    def multiply(self, a: Elements, b: Elements) -> Elements:
        """Return a·b."""

    @abstractmethod
    def inverse(self, a: Elements) -> Elements:
        """Return 1/a. Raises ZeroDivisionError if an element is 0."""

    @abstractmethod
    def multiples(self, a: Elements) -> Iterator[Elements]:
        """Yield a·β for the basis β₀, …, β_(k−1), where βᵢ is the element with bit i alone."""

    def distinct(self, count: int, rng: np.random.Generator) -> Elements:
        """Return `count` nonzero elements, no two equal; every choice is equally likely.

        Raises ValueError if the field has fewer.
        """
        units = (1 << self.bits) - 1
        if count > units:
            raise ValueError(f"GF(2^{self.bits}) has only {units} nonzero elements, not {count}")
        if self.bits <= 16:
            return (rng.choice(units, size=count, replace=False) + 1).astype(self.dtype)
        while True:  # redraw all until they differ: that is uniform, and rarely needed
            drawn = rng.integers(1, units, size=count, dtype=self.dtype, endpoint=True)
            if distinct(drawn).size == count:
                return drawn

    def trace(self, a: int) -> int:
        """Return Tr(a) = a + a² + a⁴ + … + a^(2^(k−1)), which is 0 or 1."""
        power = np.array([a], dtype=self.dtype)
        total = power
        for _ in range(self.bits - 1):
            power = self.multiply(power, power)
            total = total ^ power
        return int(total[0])


class TableField(Field):
    """GF(2)[x] modulo a primitive polynomial, by tables of logarithms. At most 16 bits."""

    def __init__(self, bits: int) -> None:
        self.bits: int = bits
        self.dtype: np.dtype[Any] = np.dtype(np.uint16)
        self.polynomial: int = PRIMITIVE[bits]
        order = (1 << bits) - 1
        powers = [1]
        for _ in range(order - 1):
            power = powers[-1] << 1
            powers.append(power ^ self.polynomial if power >> bits else power)
        # log 0 is so large that every sum with it lands in the zeros behind the two periods.
        self._exp = np.zeros(4 * order + 1, dtype=self.dtype)
        self._exp[: 2 * order] = powers * 2
        self._log = np.full(order + 1, 2 * order, dtype=np.intp)
        self._log[powers] = np.arange(order)

    def multiply(self, a: Elements, b: Elements) -> Elements:
        """Return a·b: logarithms first, so that an outer product looks each of them up once."""
        # No index is out of range; "clip" spares numpy the check.
        return self._exp.take(indices(self._log[a] + self._log[b]), mode="clip")

    def inverse(self, a: Elements) -> Elements:
        """Return 1/a = g^(2^k − 1 − log a)."""
        if not a.all():
            raise ZeroDivisionError("0 has no inverse")
        inverses: Elements = self._exp[(1 << self.bits) - 1 - self._log[a]]
        return inverses

    def multiples(self, a: Elements) -> Iterator[Elements]:
        """Yield a, a·x, a·x², …: a shift, and the polynomial where a bit falls off."""
        one, top = self.dtype.type(1), self.dtype.type(self.bits - 1)
        low = self.dtype.type(self.polynomial ^ (1 << self.bits))
        mask = self.dtype.type((1 << self.bits) - 1)
        for i in range(self.bits):
            if i:
                a = ((a << one) & mask) ^ (a >> top) * low
            yield a


class QuadraticExtension(Field):
    """The pairs a₁y + a₀ over a base field, y² = y + c. The upper half of the bits is a₁."""

    def __init__(self, base: Field) -> None:
        self.base = base
        self.bits: int = 2 * base.bits
        self.dtype: np.dtype[Any] = np.dtype(f"u{max(2, self.bits // 8)}")
        self._half = self.dtype.type(base.bits)
        self._low = self.dtype.type((1 << base.bits) - 1)
        self.constant: int = next(1 << i for i in range(base.bits) if base.trace(1 << i))
        self._c = base.dtype.type(self.constant)

    def multiply(self, a: Elements, b: Elements) -> Elements:
        """Return a·b = (a₁b₁ + a₁b₀ + a₀b₁)·y + (a₀b₀ + c·a₁b₁)."""
        product = self.base.multiply
        (a1, a0), (b1, b0) = self._split(a), self._split(b)
        low, high = product(a0, b0), product(a1, b1)
        return self._join(product(a1 ^ a0, b1 ^ b0) ^ low, low ^ product(high, self._c))

    def inverse(self, a: Elements) -> Elements:
        """Return the conjugate a₁y + (a₀ + a₁) divided by the norm a₀² + a₀a₁ + c·a₁²."""
        product = self.base.multiply
        a1, a0 = self._split(a)
        norm = product(a0, a0 ^ a1) ^ product(self._c, product(a1, a1))
        scale = self.base.inverse(norm)
        return self._join(product(a1, scale), product(a0 ^ a1, scale))

    def multiples(self, a: Elements) -> Iterator[Elements]:
        """Yield the base's multiples of both halves, then those of a·y = (a₁ + a₀)·y + c·a₁."""
        a1, a0 = self._split(a)
        for high, low in ((a1, a0), (a1 ^ a0, self.base.multiply(a1, self._c))):
            pairs = zip(self.base.multiples(high), self.base.multiples(low), strict=True)
            yield from (self._join(upper, lower) for upper, lower in pairs)

    def _split(self, a: Elements) -> tuple[Elements, Elements]:
        kind = self.base.dtype
        return (a >> self._half).astype(kind), (a & self._low).astype(kind)

    def _join(self, high: Elements, low: Elements) -> Elements:
        joined: Elements = (high.astype(self.dtype) << self._half) | low.astype(self.dtype)
        return joined


Poll: TypeAlias = Callable[[], None]  # called now and then; it may raise to break off
# ------------------------------------------------------------------------- dense elimination

# Gauss–Jordan. Eliminate a panel of `PANEL` columns by itself; the row operations made there are
# one matrix G, and all other columns take part by one product G·P with the panel's pivot rows P, by
# the *method of the four Russians*: c·P_j is linear in the bits of c, so the products of one row
# with all c are copied from tables of the 256 sums of P_j·β₀, …, P_j·β₇ (β the basis over GF(2)).
# Reference: Albrecht, Bard, Hart, "Algorithm 898", 2010, for GF(2); here tables go by elements'
# bits. Cost: n³/3 (nonsingular) or n³ (inverse) steps C_ij += G_il·P_lj. For n = 1000 a step takes
# 0.6 ns in GF(2^16) and 2.5 ns in GF(2^32). Small matrices cost some 50 μs a column.

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
