"""Packed linear algebra over GF(2) against plain integers and exhaustive search."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ponder.find.linear import gf2
from ponder.system.types import Bits

SIZES = st.integers(0, 150)


def matrix(seed: int, shape: tuple[int, int], rank: int | None = None) -> Bits:
    """A random matrix; of rank at most `rank` when given."""
    rng = np.random.default_rng(seed)
    if rank is None:
        return np.asarray(rng.random(shape) < rng.choice([0.03, 0.5]))
    left, right = rng.random((shape[0], rank)) < 0.5, rng.random((rank, shape[1])) < 0.5
    return times(left, right)


def times(left: Bits, right: Bits) -> Bits:
    return (left.astype(np.int64) @ right.astype(np.int64) % 2).astype(np.bool_)


def plain_rank(bits: Bits) -> int:
    """Rank by the school method on Python integers."""
    rows = [sum(1 << j for j in np.flatnonzero(row).tolist()) for row in bits]
    rank = 0
    while rows:
        row = rows.pop()
        if row:
            rank += 1
            low = row & -row
            rows = [other ^ row if other & low else other for other in rows]
    return rank


@given(SIZES, SIZES, st.integers(0, 2**32))
def test_packing(m: int, n: int, seed: int) -> None:
    bits = matrix(seed, (m, n))
    words = gf2.pack(bits)
    assert words.shape == (m, -(-n // 64))
    assert words.dtype == np.uint64
    assert np.array_equal(gf2.unpack(words, n), bits)
    for i, j in np.argwhere(bits)[:5].tolist():
        assert int(words[i, j // 64]) >> (j % 64) & 1


def test_packing_keeps_other_axes() -> None:
    bits = np.random.default_rng(0).random((2, 3, 70)) < 0.5
    assert gf2.pack(bits).shape == (2, 3, 2)
    assert np.array_equal(gf2.unpack(gf2.pack(bits), 70), bits)


@given(SIZES, SIZES, SIZES, st.integers(0, 2**32))
def test_products(m: int, k: int, n: int, seed: int) -> None:
    left, right = matrix(seed, (m, k)), matrix(seed + 1, (k, n))
    assert np.array_equal(gf2.product(left, right), times(left, right))


@given(SIZES, SIZES, st.none() | st.integers(0, 80), st.integers(0, 2**32))
def test_elimination(m: int, n: int, rank: int | None, seed: int) -> None:
    bits = matrix(seed, (m, n), rank)
    done = gf2.eliminate(gf2.pack(bits), n)
    assert done.rank == plain_rank(bits)
    reduced = gf2.unpack(done.words, n)
    assert np.array_equal(
        reduced[np.ix_(done.pivot_rows, done.pivot_columns)], np.eye(done.rank, dtype=np.bool_)
    )
    others = np.setdiff1d(np.arange(m), done.pivot_rows)
    assert not reduced[others].any()
    assert plain_rank(np.concatenate([bits, reduced])) == done.rank  # the same row space

    kernel = done.kernel()
    assert kernel.shape == (n - done.rank, n)
    assert plain_rank(kernel) == done.nullity
    assert not times(bits, kernel.T).any()


@given(SIZES, SIZES, st.none() | st.integers(0, 40), st.booleans(), st.integers(0, 2**32))
def test_solution_if_any(m: int, n: int, rank: int | None, luck: bool, seed: int) -> None:
    bits = matrix(seed, (m, n), rank)
    rng = np.random.default_rng(seed)
    right = times(bits, rng.random((n, 1)) < 0.5)[:, 0] if luck else rng.random(m) < 0.5
    words = gf2.pack(bits)
    solution, _ = gf2.solve(words, n, right)
    with_right = np.column_stack([bits, right])
    assert (solution is None) == (plain_rank(with_right) > plain_rank(bits))
    if solution is not None:
        assert np.array_equal(times(bits, solution[:, None])[:, 0], right)
    if luck:
        assert solution is not None


@pytest.mark.parametrize("shape", [(1, 1), (2, 3), (3, 2), (3, 3)])
def test_every_tiny_system(shape: tuple[int, int]) -> None:
    m, n = shape
    vectors = np.array(list(itertools.product([False, True], repeat=n)))
    for entries in itertools.product([False, True], repeat=m * n):
        bits = np.array(entries).reshape(shape)
        images = times(bits, vectors.T).T.tolist()
        for right in itertools.product([False, True], repeat=m):
            solutions = vectors[[image == list(right) for image in images]]
            solution, echelon = gf2.solve(gf2.pack(bits), n, np.array(right))
            assert (solution is None) == (len(solutions) == 0)
            if solution is not None:
                assert solution.tolist() in solutions.tolist()
                assert len(solutions) == 2**echelon.nullity


def test_thousands_of_rows_in_pieces() -> None:
    """More rows than are fetched at once, and several words."""
    bits = matrix(5, (2500, 200), 120)
    done = gf2.eliminate(gf2.pack(bits), 200)
    assert done.rank == plain_rank(bits.T)
    assert not times(bits, done.kernel().T).any()
