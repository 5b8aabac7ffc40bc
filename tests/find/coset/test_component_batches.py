"""Odd components counted in batches, against the definition, one press set at a time."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ponder.find.coset.component_batches as batches
from ponder.check.odd_components import Pieces
from ponder.find.coset.component_batches import ComponentBatches
from ponder.model.edge_graph import EdgeGraph
from ponder.model.graph import CrossGraph, Graph, grid_graph
from ponder.system.limits import Limits, TimeUp
from ponder.system.types import Bits
from tests.boards import random_edges

PATTERNS = (
    "cross", "plus", "king", "torus-plus", "torus-king", "stencil 0,2 0,-2 1,1 -1,-1",
)  # fmt: skip


def by_definition(graph: Graph, odd_later: Bits, chosen: Bits) -> int:
    """Odd components of one press set, by walking through its components."""
    left = set(np.flatnonzero(chosen).tolist())
    near = {v: set(graph.neighbours(v).tolist()) & left for v in left}
    odd = 0
    while left:
        piece = [left.pop()]
        for v in piece:
            piece += near[v] & left
            left -= near[v]
        within = sum(len(near[v]) for v in piece) // 2
        odd += (within + sum(bool(odd_later[v]) for v in piece)) % 2
    return odd


def most_apart(pieces: Pieces, near: list[list[int]]) -> int:
    """The most odd components of which no two touch a bulb together."""
    around = [{w for v in pieces.members[k] for w in (v, *near[v])} for k in pieces.odd]
    best = 0
    for size in range(1, min(len(around), 5) + 1):
        if any(
            all(first.isdisjoint(second) for first, second in combinations(chosen, 2))
            for chosen in combinations(around, size)
        ):
            best = size
    return len(around) if best == 5 else best


def compare(graph: Graph, seed: int, sets: int) -> None:
    rng = np.random.default_rng(seed)
    odd_later = rng.random(graph.size) < rng.choice([0.0, 0.3])
    chosen = rng.random((sets, graph.size)) < rng.random()
    components = ComponentBatches(graph, odd_later)
    odd = components.count(chosen)
    expected = [by_definition(graph, odd_later, press_set) for press_set in chosen]
    assert odd.tolist() == expected
    doubles, again = components.apart(chosen)
    assert np.array_equal(again, odd)
    near = [graph.neighbours(v).tolist() for v in range(graph.size)]
    for press_set, bound, few in zip(chosen, doubles.tolist(), odd.tolist(), strict=True):
        assert (bound - few) % 2 == 0
        pieces = Pieces.split(press_set, near, odd_later)
        assert (bound > 0) == (few > 0)
        assert bound <= most_apart(pieces, near) + (few - most_apart(pieces, near)) % 2


@given(
    pattern=st.sampled_from(PATTERNS),
    shape=st.tuples(st.integers(1, 7), st.integers(1, 7)),
    holes=st.booleans(),
    seed=st.integers(0, 1 << 32),
    sets=st.integers(0, 9),
)
def test_grids(pattern: str, shape: tuple[int, int], holes: bool, seed: int, sets: int) -> None:
    mask = None
    if holes and not pattern.startswith("torus"):
        mask = np.random.default_rng(seed).random(shape) < 0.8
        mask[0, 0] = True
    compare(grid_graph(pattern, shape, mask), seed, sets)


@given(size=st.integers(1, 20), density=st.floats(0, 1), seed=st.integers(0, 1 << 32))
def test_graphs(size: int, density: float, seed: int) -> None:
    compare(EdgeGraph(size, random_edges(size, density, random.Random(seed))), seed, 5)


@pytest.mark.parametrize("pattern", ["king", "cross"])
@pytest.mark.parametrize("piece", [1, 100, 700])
def test_pieces_make_no_difference(
    monkeypatch: pytest.MonkeyPatch, pattern: str, piece: int
) -> None:
    graph = grid_graph(pattern, (9, 7))
    rng = np.random.default_rng(4)
    chosen, none = rng.random((40, 63)) < 0.4, np.zeros(63, dtype=np.bool_)
    whole = ComponentBatches(graph, none)
    odd = whole.count(chosen)
    monkeypatch.setattr(batches, "PIECE", piece)
    parts = ComponentBatches(graph, none)
    assert np.array_equal(parts.count(chosen), odd)


def test_the_clock_is_heard() -> None:
    graph = CrossGraph((3, 3))
    with pytest.raises(TimeUp):
        ComponentBatches(graph, np.zeros(9, dtype=np.bool_), Limits(0.0)).count(
            np.ones((2, 9), dtype=np.bool_)
        )
