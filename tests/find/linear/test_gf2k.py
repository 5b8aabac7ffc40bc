"""GF(2^k): the arithmetic against plain polynomials, one bit at a time."""

from __future__ import annotations

import itertools
from functools import reduce
from operator import xor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ponder.find.linear.gf2k import PRIMITIVE, Field, QuadraticExtension, TableField, field

ALL = [*PRIMITIVE, 32, 64]


def carry_less(a: int, b: int) -> int:
    """The product of two polynomials over GF(2)."""
    return reduce(xor, (a << i for i in range(b.bit_length()) if b >> i & 1), 0)


def remainder(a: int, modulus: int) -> int:
    while a.bit_length() >= modulus.bit_length():
        a ^= modulus << a.bit_length() - modulus.bit_length()
    return a


def product(gf: Field, a: int, b: int) -> int:
    """a·b by the definition: polynomials modulo the primitive one; pairs with y² = y + c."""
    if isinstance(gf, QuadraticExtension):
        half, base = gf.base.bits, gf.base
        low = (1 << half) - 1
        (a1, a0), (b1, b0) = divmod(a, low + 1), divmod(b, low + 1)
        square = product(base, a1, b1)
        high = square ^ product(base, a1, b0) ^ product(base, a0, b1)
        return high << half | product(base, a0, b0) ^ product(base, square, gf.constant)
    return remainder(carry_less(a, b), PRIMITIVE[gf.bits])


def array(gf: Field, *values: int) -> np.ndarray:
    return np.array(values, dtype=gf.dtype)


@pytest.mark.parametrize("bits", ALL)
@settings(max_examples=10)
@given(data=st.data())
def test_arithmetic(bits: int, data: st.DataObject) -> None:
    """Products, inverses and multiples are those of the definition; the axioms hold."""
    check_arithmetic(field(bits), data)


@settings(max_examples=10)
@given(data=st.data())
def test_arithmetic_of_a_high_tower(data: st.DataObject) -> None:
    """Three quadratic extensions of GF(4)."""
    tower = QuadraticExtension(QuadraticExtension(QuadraticExtension(TableField(2))))
    check_arithmetic(tower, data)


def check_arithmetic(gf: Field, data: st.DataObject) -> None:
    bits = gf.bits
    element = st.integers(0, (1 << bits) - 1)
    a, b, c = (data.draw(element) for _ in range(3))
    x, y, z = (array(gf, value) for value in (a, b, c))
    assert int(gf.multiply(x, y)[0]) == product(gf, a, b)
    assert gf.multiply(x, gf.multiply(y, z)) == gf.multiply(gf.multiply(x, y), z)
    assert gf.multiply(x, y ^ z) == gf.multiply(x, y) ^ gf.multiply(x, z)
    assert gf.multiply(x, y) == gf.multiply(y, x)
    assert gf.multiply(x, array(gf, 1)) == x
    assert not gf.multiply(x, array(gf, 0))
    assert [int(m[0]) for m in gf.multiples(x)] == [product(gf, a, 1 << i) for i in range(bits)]
    if a:
        assert int(gf.multiply(x, gf.inverse(x))[0]) == 1
    assert gf.trace(a) in (0, 1)
    assert gf.trace(a ^ b) == gf.trace(a) ^ gf.trace(b)


@pytest.mark.parametrize("bits", PRIMITIVE)
def test_generator(bits: int) -> None:
    """x generates all nonzero elements: the polynomial is primitive."""
    power, seen = 1, set()
    while power not in seen:
        seen.add(power)
        power = remainder(power << 1, PRIMITIVE[bits])
    assert len(seen) == (1 << bits) - 1


@pytest.mark.parametrize(
    "gf", [TableField(2), TableField(4), QuadraticExtension(TableField(2)),
           QuadraticExtension(TableField(3))]
)  # fmt: skip
def test_whole_tables(gf: Field) -> None:
    """The whole multiplication table; there are no zero divisors; every inverse."""
    elements = np.arange(1 << gf.bits).astype(gf.dtype)
    table = gf.multiply(elements[:, None], elements[None, :])
    for a, b in itertools.product(range(1 << gf.bits), repeat=2):
        assert table[a, b] == product(gf, a, b)
        assert bool(table[a, b]) == bool(a and b)
    assert (gf.multiply(elements[1:], gf.inverse(elements[1:])) == 1).all()


def test_irreducible() -> None:
    """y² + y + c has no root in the base field."""
    for bits in (2, 3, 5, 8, 16):
        base = TableField(bits)
        elements = np.arange(1 << bits).astype(base.dtype)
        values = base.multiply(elements, elements) ^ elements
        assert not (values == QuadraticExtension(base).constant).any()


@pytest.mark.parametrize("bits", [4, 16, 32, 64])
def test_no_inverse_of_zero(bits: int) -> None:
    gf = field(bits)
    with pytest.raises(ZeroDivisionError):
        gf.inverse(array(gf, 1, 0))


def test_distinct() -> None:
    rng = np.random.default_rng(1)
    for bits, count in ((3, 7), (3, 0), (16, 60_000), (32, 1000), (64, 1000)):
        drawn = field(bits).distinct(count, rng)
        assert drawn.dtype == field(bits).dtype
        assert np.unique(drawn).size == count
        assert drawn.all()
    seen = np.zeros((4, 4), dtype=np.int64)  # every ordered pair about equally often
    for _ in range(1200):
        seen[tuple(field(2).distinct(2, rng))] += 1
    pairs = seen[1:, 1:][~np.eye(3, dtype=np.bool_)]
    assert pairs.sum() == 1200
    assert 130 < pairs.min() <= pairs.max() < 270
    with pytest.raises(ValueError, match="only 7 nonzero elements, not 8"):
        field(3).distinct(8, rng)


@pytest.mark.parametrize("bits", [0, 1, 17, 63, 128])
def test_no_such_field(bits: int) -> None:
    with pytest.raises(ValueError, match=f"not of {bits}"):
        field(bits)
