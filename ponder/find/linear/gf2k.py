"""Arithmetic of the fields GF(2^k), a whole numpy array at a time.

Idea. An element is an unsigned integer whose bits are its coordinates, so addition is XOR. A field
of up to 2^16 elements multiplies by logarithms: with g = x a root of a primitive polynomial, a·b =
g^(log a + log b), two look-ups and one addition. Larger fields are towers of quadratic extensions:
with c of trace 1 the polynomial y² + y + c is irreducible, so the pairs a₁y + a₀ form the field of
twice as many bits, and a product costs three products of the halves (Karatsuba) and one with c.

Letters: k the bits of an element; y, c, g as above; Tr the trace.
Reference: Lidl, Niederreiter, Finite Fields, section 2.1 and corollary 3.79.
Cost of a product, per element: some 10 ns in GF(2^16) (3 ns in an outer product, where the
logarithms are looked up once), 30 ns in GF(2^32), 200 ns in GF(2^64). Products of matrices do
better: `ponder.find.linear.gf2k_dense`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ponder.system.types import distinct, indices

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
