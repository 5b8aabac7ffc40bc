"""Elimination over GF(2^k), dense and sparse, against products by the definition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ponder.find.linear import gf2k_multifrontal
from ponder.find.linear.gf2k import Field, add_product, field, inverse, nonsingular
from ponder.find.linear.gf2k_multifrontal import condense
from ponder.model.graph import grid_graph

Matrix = NDArray[Any]
SIZES = [0, 1, 2, 3, 7, 16, 17, 40, 64, 65, 80, 81, 130]
RNG = np.random.default_rng(20)


def random_matrix(gf: Field, height: int, width: int, zeros: float = 0.0) -> Matrix:
    matrix = RNG.integers(0, (1 << gf.bits) - 1, (height, width), gf.dtype, endpoint=True)
    return np.where(RNG.random((height, width)) < zeros, gf.dtype.type(0), matrix)


def product(gf: Field, a: Matrix, b: Matrix) -> Matrix:
    total = np.zeros((len(a), b.shape[1]), dtype=gf.dtype)
    for j in range(len(b)):
        total ^= gf.multiply(a[:, j, None], b[j])
    return total


@pytest.mark.parametrize("bits", [3, 4, 8, 11, 16, 32, 64])
def test_products(bits: int) -> None:
    gf = field(bits)
    for height, inner, width in (
        (1, 1, 1),
        (5, 0, 3),
        (0, 2, 2),
        (3, 2, 0),
        (16, 4, 7),
        (17, 3, 2),
        (50, 3, 9),
    ):
        a, b = random_matrix(gf, height, inner), random_matrix(gf, inner, width)
        target = random_matrix(gf, height, width)
        wanted = target ^ product(gf, a, b)
        add_product(gf, target, a, b)
        assert (target == wanted).all()


def test_wide_products() -> None:
    """More rows and columns than are updated at a time, and a target that is a view."""
    gf = field(16)
    a, b = random_matrix(gf, 1100, 2), random_matrix(gf, 2, 1030)
    whole = np.zeros((1102, 1033), dtype=gf.dtype)
    add_product(gf, whole[1:-1, 2:-1], a, b)
    assert (whole[1:-1, 2:-1] == product(gf, a, b)).all()
    assert not whole[0].any()
    assert not whole[:, :2].any()


@pytest.mark.parametrize("bits", [2, 4, 16, 32])
def test_inverses(bits: int) -> None:
    """An inverse is one from both sides; `nonsingular` agrees, pivots hidden behind zeros too."""
    gf = field(bits)
    found = {True: 0, False: 0}
    for size in SIZES:
        for zeros in (0.0, 0.7, 1 - 1 / max(size, 1)):
            matrix = random_matrix(gf, size, size, zeros)
            inverted = inverse(gf, matrix.copy())
            assert nonsingular(gf, matrix.copy()) == (inverted is not None)
            found[inverted is not None] += 1
            if inverted is not None:
                one = np.eye(size, dtype=gf.dtype)
                assert (product(gf, matrix, inverted) == one).all()
                assert (product(gf, inverted, matrix) == one).all()
    assert min(found.values()) >= 3


def test_known_ranks() -> None:
    """Of rank n by construction: inverted. Of rank n − 1: refused."""
    gf = field(16)
    for size in SIZES[1:]:
        lower = np.tril(random_matrix(gf, size, size), -1) ^ np.eye(size, dtype=gf.dtype)
        upper = np.triu(random_matrix(gf, size, size), 1) ^ np.eye(size, dtype=gf.dtype)
        shuffled = product(gf, lower, upper)[RNG.permutation(size)]
        assert nonsingular(gf, shuffled.copy())
        assert inverse(gf, shuffled.copy()) is not None
        upper[-1, -1] = 0
        singular = product(gf, lower, upper)[RNG.permutation(size)]
        assert not nonsingular(gf, singular.copy())
        assert inverse(gf, singular) is None


def random_symmetric(
    gf: Field, pattern: str, side: int, density: float, zeros: float
) -> tuple[NDArray[np.int64], Matrix, Matrix, Matrix]:
    """Edges, weights, diagonal (some 0), and the same as a dense matrix."""
    graph = grid_graph(pattern, (side, side))
    bulbs = np.flatnonzero(RNG.random(graph.size) < density)
    edges = graph.edges_within(bulbs)
    weights = random_matrix(gf, len(edges), 1)[:, 0] | gf.dtype.type(1)
    diagonal = random_matrix(gf, bulbs.size, 1, zeros)[:, 0]
    dense = np.zeros((bulbs.size, bulbs.size), dtype=gf.dtype)
    dense[edges[:, 0], edges[:, 1]] = dense[edges[:, 1], edges[:, 0]] = weights
    np.fill_diagonal(dense, diagonal)
    return edges, weights, diagonal, dense


@pytest.mark.parametrize("bits", [3, 16, 32])
@pytest.mark.parametrize("pattern", ["plus", "king", "cross"])
def test_condense(bits: int, pattern: str) -> None:
    """What is left is singular iff the whole is; its inverse is a part of the whole's."""
    gf = field(bits)
    smaller, seen = 0, set()
    for trial in range(3):
        zeros = (0.1, 0.5, 1.0)[trial % 3]
        edges, weights, diagonal, dense = random_symmetric(gf, pattern, 13, 0.8, zeros)
        whole = inverse(gf, dense)
        keep = RNG.random(diagonal.size) < 0.2
        left, matrix = condense(gf, edges, weights, diagonal, keep)
        assert keep[left].sum() == keep.sum()
        part = inverse(gf, matrix)
        seen.add(whole is None)
        assert (part is None) == (whole is None)
        if part is not None and whole is not None:
            assert (part == whole[np.ix_(left, left)]).all()
        left, matrix = condense(gf, edges, weights, diagonal)
        smaller += left.size < diagonal.size
        assert nonsingular(gf, matrix) == (whole is not None)
    assert smaller or pattern == "cross"
    assert False in seen


def test_condense_to_nothing() -> None:
    """No vertices, and a long path of which little is left."""
    gf = field(16)
    none = np.empty((0, 2), dtype=np.int64)
    left, matrix = condense(gf, none, np.empty(0, gf.dtype), np.empty(0, gf.dtype))
    assert left.size == 0
    assert matrix.shape == (0, 0)
    path = np.stack([np.arange(999), np.arange(1, 1000)], axis=1)
    weights = random_matrix(gf, 999, 1)[:, 0]
    left, matrix = condense(gf, path, weights, random_matrix(gf, 1000, 1)[:, 0])
    assert left.size < 100


def test_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gf2k_multifrontal, "LARGEST", 2 * 10**2)
    gf = field(16)
    edges, weights, diagonal, _ = random_symmetric(gf, "cross", 5, 1.0, 0.0)
    with pytest.raises(MemoryError, match="a dense matrix of 25 rows"):
        condense(gf, edges, weights, diagonal)
