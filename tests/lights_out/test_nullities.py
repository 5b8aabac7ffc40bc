"""Nullities by polynomials against elimination and the published tables."""

from __future__ import annotations

import json
from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ponder.find.linear import gf2
from ponder.find.linear.press_sets import kernel
from ponder.lights_out import nullities as polynomials
from ponder.lights_out.nullities import nullity_of, squares
from ponder.model.graph import grid_graph
from ponder.system.errors import PonderError
from ponder.system.limits import Limits, TimeUp
from tests.commands import here
from tests.oracles import PLUS_NULLITY, TORUS_PLUS_NULLITY

NAMED = ("plus", "torus-plus", "king", "torus-king", "cross")
POLYNOMIALS = st.integers(0, 2**70 - 1)
KNIGHT = "stencil 1,2 -1,-2 2,1 -2,-1 1,-2 -1,2 2,-1 -2,1"


def naive_product(a: int, b: int) -> int:
    product = 0
    for place in range(a.bit_length()):
        if a >> place & 1:
            product ^= b << place
    return product


def naive_remainder(a: int, b: int) -> int:
    while a.bit_length() >= b.bit_length():
        a ^= b << (a.bit_length() - b.bit_length())
    return a


@given(POLYNOMIALS, POLYNOMIALS, POLYNOMIALS)
def test_gcd_divides_both_and_contains_what_they_share(a: int, b: int, shared: int) -> None:
    left, right = naive_product(a, shared), naive_product(b, shared)
    divisor = polynomials.gcd(left, right)
    if not left and not right:
        assert divisor == 0
        return
    assert naive_remainder(left, divisor) == naive_remainder(right, divisor) == 0
    if shared:
        assert naive_remainder(divisor, shared) == 0


@given(POLYNOMIALS)
def test_x_plus_1_in_place_of_x(a: int) -> None:
    by_horner = 0
    for place in reversed(range(a.bit_length())):
        by_horner = by_horner << 1 ^ by_horner ^ (a >> place & 1)
    assert polynomials.shifted(a) == by_horner
    assert polynomials.spread(a, 2) == naive_product(*[naive_product(a, a)] * 2)


def test_paths_by_doubling_follow_their_recurrence() -> None:
    before, now = 0, 1
    for bulbs in range(2049):
        assert bulbs not in (*range(200), 1000, 2047, 2048) or polynomials.paths(bulbs) == now
        before, now = now, now << 1 ^ before


def test_halves_are_the_polynomial_of_a_path() -> None:
    z = 0b110
    for c, (p, q) in enumerate(islice(polynomials.halves(), 40)):
        g = polynomials.paths(c) ^ (polynomials.paths(c - 1) if c else 0)
        assert naive_product(g, g) == polynomials.paths(2 * c)
        built, power = 0, 1
        for place in range(c + 1):
            built ^= power * (p >> place & 1) ^ (power << 1) * (q >> place & 1)
            power = naive_product(power, z)
        assert built == g


@pytest.mark.parametrize("bulbs", range(1, 40))
def test_invariant_factors_of_a_ring(bulbs: int) -> None:
    """Their product is the characteristic polynomial: at x = 0 and 1 this gives the two ranks."""
    factors = polynomials.ring(bulbs)
    assert sum(map(polynomials.degree, factors)) == bulbs
    assert naive_remainder(*factors) == 0 or factors[1] == 1
    adjacency = np.zeros((bulbs, bulbs), dtype=np.bool_)
    places = np.arange(bulbs)
    if bulbs > 1:
        adjacency[places, (places + 1) % bulbs] = adjacency[(places + 1) % bulbs, places] = True
    for value, root in ((0, 0b10), (1, 0b11)):
        matrix = adjacency ^ (np.eye(bulbs, dtype=np.bool_) & bool(value))
        dependent = bulbs - gf2.eliminate(gf2.pack(matrix), bulbs).rank
        assert dependent == sum(naive_remainder(factor, root) == 0 for factor in factors)


@pytest.mark.parametrize("pattern", [*NAMED, KNIGHT])
def test_every_size_to_10_by_elimination(pattern: str) -> None:
    for rows in range(1, 11):
        for columns in range(1, 11):
            expected = kernel(grid_graph(pattern, (rows, columns))).nullity
            assert nullity_of(pattern, (rows, columns)) == expected, (rows, columns)


def test_published_tables() -> None:
    assert list(squares("plus", len(PLUS_NULLITY))) == PLUS_NULLITY
    assert list(squares("torus-plus", len(TORUS_PLUS_NULLITY))) == TORUS_PLUS_NULLITY


def test_squares_agree_with_single_sizes() -> None:
    for pattern in (*NAMED, KNIGHT):
        top = 12 if pattern == KNIGHT else 90
        assert list(squares(pattern, top)) == [
            nullity_of(pattern, (n, n)) for n in range(1, top + 1)
        ]


def test_there_are_497_squares_of_nullity_2_to_10000() -> None:
    """Boyles 2021 by search; here by one gcd for each odd number."""
    sides = [n for n, nullity in enumerate(squares("plus", 10_000), start=1) if nullity == 2]
    assert len(sides) == 497
    assert {n % 12 for n in sides} == {5}


def test_large_sizes() -> None:
    assert nullity_of("plus", (2**14 - 1, 2**14 - 1)) == 0  # b = 1
    assert nullity_of("plus", (3 * 2**12 - 1,) * 2) == 2 * (2**12 - 1)  # b = 3
    assert nullity_of("plus", (10_000, 10_001)) == nullity_of("plus", (10_001, 10_000))
    assert nullity_of("king", (10**7, 10**7 - 2)) == 10**7  # the columns' factor is singular


def test_bounds_and_limits() -> None:
    for size in ((0, 4), (4, 0), (10**8, 1)):
        with pytest.raises(PonderError):
            nullity_of("plus", size)
    with pytest.raises(PonderError, match="unknown pattern"):
        nullity_of("bishop", (3, 3))
    with pytest.raises(PonderError, match="too many"):
        nullity_of("stencil 0,1 0,-1", (10**6, 10**6))
    with pytest.raises(TimeUp):
        list(squares("plus", 5000, Limits(0.0)))


def test_what_is_known_at_the_time_limit_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = here(capsys, "nullity", "--upto", "100000", "--timeout", "0", "--json")
    assert code == 3
    answer = json.loads(out)
    assert not answer["complete"]
    assert len(answer["sizes"]) == len(answer["nullities"])
