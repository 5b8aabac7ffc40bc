"""Soundness: what the checker accepts is true, by brute force, in every small case."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ponder.board import Board
from ponder.check.local_refutations import KINDS, check_local
from ponder.check.refutations import check_press_set
from ponder.errors import CheckFailed
from ponder.graph import Bits, EdgeGraph, Ints
from tests import brute, checking

Edges = tuple[tuple[int, int], ...]


def accepts(board: Board, counts: Ints, kind: str, bulbs: list[int]) -> Bits | None:
    """The scope when the checker accepts the refutation, else None."""
    labels: list[object] = list(board.graph.labels(bulbs))
    try:
        return check_local(board, counts, {"kind": kind, "bulbs": labels})
    except CheckFailed:
        return None


def graphs(size: int) -> list[Edges]:
    """One graph of each isomorphism class, found by relabelling."""
    pairs, seen, found = list(itertools.combinations(range(size), 2)), set(), []
    for chosen in range(1 << len(pairs)):
        if chosen in seen:
            continue
        edges = tuple(p for i, p in enumerate(pairs) if chosen >> i & 1)
        found.append(edges)
        for order in itertools.permutations(range(size)):
            image = [tuple(sorted((order[u], order[v]))) for u, v in edges]
            seen.add(sum(1 << pairs.index((u, v)) for u, v in image))
    return found


def board_of(size: int, edges: Edges | list[tuple[int, int]], odd: list[int]) -> Board:
    """A board on which T = `odd` (rule unlit: the goal is unlit there)."""
    goal = np.ones(size, dtype=bool)
    goal[odd] = False
    return Board(EdgeGraph(size, edges), goal, goal)


def sweep(size: int, all_graphs: list[Edges]) -> Counter[str]:
    """Every T, every B and every kind on the graphs; how many were accepted."""
    accepted: Counter[str] = Counter()
    counts = np.ones(size, dtype=np.int64)
    subsets = [[v for v in range(size) if b >> v & 1] for b in range(1, 1 << size)]
    for edges in all_graphs:
        for odd in [[], *subsets]:
            board = board_of(size, edges, odd)
            orderable = brute.orderable(size, edges, odd)
            for kind, bulbs in itertools.product(KINDS, subsets):
                if accepts(board, counts, kind, bulbs) is not None:
                    assert not orderable, (edges, odd, kind, bulbs)
                    accepted[kind] += 1
            whole = accepts(board, counts, "exhausted", subsets[-1])
            assert (whole is None) == orderable
    return accepted


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_every_small_graph(size: int) -> None:
    """All graphs, all T, all B: what is accepted is true, and `exhausted` on all is complete."""
    accepted = sweep(size, graphs(size))
    assert set(accepted) == (set(KINDS) if size > 1 else {"odd-component", "exhausted", *accepted})


@pytest.mark.parametrize("part", range(4))
def test_every_graph_of_five(part: int) -> None:
    assert set(sweep(5, graphs(5)[part::4])) == set(KINDS)


@pytest.mark.deep
@pytest.mark.parametrize("part", range(8))
def test_graphs_of_six(part: int) -> None:
    assert set(sweep(6, graphs(6)[part::8])) == set(KINDS)


@given(st.data())
def test_blow_ups(data: st.DataObject) -> None:
    """Bulbs pressed several times, or not at all: what is accepted is true."""
    size = data.draw(st.integers(1, 5))
    pairs = list(itertools.combinations(range(size), 2))
    edges = sorted(data.draw(st.sets(st.sampled_from(pairs)))) if pairs else []
    odd = [v for v in range(size) if data.draw(st.booleans())]
    counts = np.array(data.draw(st.lists(st.integers(0, 3), min_size=size, max_size=size)))
    board = board_of(size, edges, odd)
    orderable = checking.play_order(board, counts) is not None
    for b in range(1, 1 << size):
        bulbs = [v for v in range(size) if b >> v & 1]
        for kind in KINDS:
            if accepts(board, counts, kind, bulbs) is not None:
                assert not orderable, (edges, odd, counts, kind, bulbs)
    pressed = np.flatnonzero(counts).tolist()
    if pressed:
        assert (accepts(board, counts, "exhausted", pressed) is None) == orderable


@given(st.data())
def test_scope(data: st.DataObject) -> None:
    """What agrees with a refuted press set on the scope has no order either."""
    size = data.draw(st.integers(2, 6))
    pairs = list(itertools.combinations(range(size), 2))
    edges = sorted(data.draw(st.sets(st.sampled_from(pairs), max_size=7)))
    odd = [v for v in range(size) if data.draw(st.booleans())]
    counts = np.array(data.draw(st.lists(st.integers(0, 1), min_size=size, max_size=size)))
    board = board_of(size, edges, odd)
    for group in checking.components(board, counts):
        scope = accepts(board, counts, "exhausted", group)
        if scope is None:
            continue
        for other in itertools.product([0, 1], repeat=size):
            if np.array_equal(np.array(other)[scope], counts[scope]):
                assert checking.play_order(board, other) is None


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 2), (2, 4)])
def test_row_column_refutations(shape: tuple[int, int], mixed: bool) -> None:
    """Every press set: its line count, all its line cuts; theorem 2 says that one is accepted."""
    n = shape[0] * shape[1]
    graph = Board.from_grid(np.zeros(shape, dtype=bool)).graph
    goal = np.ones(n, dtype=bool)
    goal[0] = not mixed
    for chosen in range(1 << n):
        counts = np.array([chosen >> v & 1 for v in range(n)])
        board = Board(graph, goal ^ graph.apply(counts > 0), goal)
        grid = counts.reshape(shape)
        tries = [checking.line_count(board, counts)]
        for side, layout in (("rows", grid), ("columns", grid.T)):
            for x, y, need, room, _ in checking.cuts(layout):
                lines = (x, y) if side == "rows" else (y, x)
                cut = {"side": side, "rows": lines[0], "columns": lines[1]}
                tries.append(
                    checking.refutation(board, "line-cut", counts, **cut, need=need, room=room)
                )
        accepted = 0
        for refutation in tries:
            try:
                check_press_set(board, refutation)
                accepted += 1
            except CheckFailed:
                pass
        orderable = checking.play_order(board, counts) is not None
        if not mixed or not counts[0]:
            assert (accepted > 0) == (not orderable)
        else:
            assert not accepted


@pytest.mark.parametrize("shape", [(3, 2), (5, 2), (2, 3), (1, 2), (3, 4)])
def test_line_parities(shape: tuple[int, int]) -> None:
    """Accepted for any press set of a board exactly when the odd lines are too many; then no
    press set has an order."""
    height, width = shape
    n, graph = height * width, Board.from_grid(np.zeros(shape, dtype=bool)).graph
    fixed, axis = ("rows", 1) if height % 2 else ("columns", 0)
    other = width if fixed == "rows" else height
    accepted = 0
    for chosen in range(0, 1 << n, 1 if n < 12 else 37):
        counts = np.array([chosen >> v & 1 for v in range(n)])
        board = Board(graph, ~graph.apply(counts > 0), np.ones(n, dtype=bool))
        odd = np.flatnonzero(counts.reshape(shape).sum(axis=axis) % 2).tolist()
        refutation = checking.refutation(
            board, "line-parities", counts, fixed=fixed, odd_lines=odd, other_lines=other
        )
        try:
            check_press_set(board, refutation)
            accepted += 1
        except CheckFailed:
            assert len(odd) <= other
            continue
        assert len(odd) > other
        for s in checking.press_sets(board):
            assert checking.play_order(board, s) is None
    assert (accepted > 0) == (
        max(shape) > other and (height % 2, width % 2) != (1, 1) and shape != (3, 4)
    )
