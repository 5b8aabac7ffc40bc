"""Soundness: what the checker accepts is true, by brute force, in every small case."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ponder.check.evidence.odd_component import OddComponent
from ponder.model.board import Board
from ponder.model.graph import EdgeGraph
from ponder.system.errors import CheckFailed
from ponder.system.types import Bits, Ints
from tests import brute, checking
from tests.depth import deep
from tests.kinds import LOCAL as KINDS
from tests.kinds import check_local, check_refutation

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


def sweep(size: int, all_graphs: list[Edges], every: bool) -> Counter[str]:
    """Every T, every B and every kind on the graphs; how many were accepted.

    Unless `every`, problems without an order, where nothing can be wrongly accepted, are tried
    with B = all bulbs alone.
    """
    accepted: Counter[str] = Counter()
    counts = np.ones(size, dtype=np.int64)
    subsets = [[v for v in range(size) if b >> v & 1] for b in range(1, 1 << size)]
    for edges in all_graphs:
        for odd in [[], *subsets]:
            board = board_of(size, edges, odd)
            orderable = brute.orderable(size, edges, odd)
            tried = subsets if every or orderable else subsets[-1:]
            for kind, bulbs in itertools.product(KINDS, tried):
                if accepts(board, counts, kind, bulbs) is not None:
                    assert not orderable, (edges, odd, kind, bulbs)
                    accepted[kind] += 1
                    accepted["pieces"] += any((u in bulbs) != (v in bulbs) for u, v in edges)
            whole = accepts(board, counts, "exhausted", subsets[-1])
            assert (whole is None) == orderable
    return accepted


@pytest.mark.parametrize("step", deep(3, 1))
@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_every_small_graph(size: int, step: int) -> None:
    """All graphs, all T, all B: what is accepted is true, and `exhausted` on all is complete."""
    accepted = sweep(size, graphs(size)[:: step if size > 3 else 1], every=True)
    assert all(accepted[kind] for kind in KINDS)
    assert (accepted["pieces"] > 0) == (size > 1)


def test_the_sentence_of_an_odd_component_is_true() -> None:
    """By all orders that are right for the presses outside B, of all B of all small graphs."""
    said: Counter[bool] = Counter()
    for size in (1, 2, 3, 4):
        counts, orders = np.ones(size, dtype=np.int64), [*itertools.permutations(range(size))]
        for edges, chosen in itertools.product(graphs(size), range(1 << size)):
            odd = [v for v in range(size) if chosen >> v & 1]
            board = board_of(size, edges, odd)
            near = [{u for pair in edges if v in pair for u in pair if u != v} for v in range(size)]
            later = [
                [len(near[v] & {*order[order.index(v) :]}) for v in range(size)] for order in orders
            ]
            for bits in range(1, 1 << size):
                some = [v for v in range(size) if bits >> v & 1]
                if accepts(board, counts, "odd-component", some) is None:
                    continue
                why = OddComponent(members=np.array(some))
                pairs = sum(u in some and v in some for u, v in edges)
                right = [
                    x for x in later
                    if all(x[v] % 2 == (v in odd) for v in range(size) if v not in some)
                ]  # fmt: skip
                words, said[len(some) == 1 and bool(near[some[0]])] = why.sentence(board), True
                if len(some) == 1:
                    have, need = "an odd" in words, some[0] in odd
                    end = ("unlit, not lit", "lit, not unlit")[not board.goal[some[0]]]
                    assert words.endswith(f"; so it ends {end}")
                    assert all(x[some[0]] % 2 == have for x in right)
                    assert need != have
                    assert str(why.marks(board)["label"]).startswith(
                        f"needs an {['even', 'odd'][need]}"
                    )
                else:
                    need = "needs an odd" in words
                    assert f" {pairs} neighbouring" in words
                    assert need != pairs % 2
                    inside = [near[v] & {*some} for v in some]
                    assert sum(map(len, inside)) == 2 * pairs
                    for x in right:  # what B needs, less what those outside leave to it
                        outside = sum(x[v] for v in some) - pairs
                        assert (sum(v in odd for v in some) - outside) % 2 == need
    assert said[True]
    assert said[False]


@pytest.mark.parametrize("step", deep(7, 1))
@pytest.mark.parametrize("part", range(4))
def test_every_graph_of_five(step: int, part: int) -> None:
    accepted = sweep(5, graphs(5)[part :: 4 * step], every=False)
    assert all(accepted[kind] for kind in KINDS)


@pytest.mark.deep
@pytest.mark.parametrize("part", range(8))
def test_graphs_of_six(part: int) -> None:
    accepted = sweep(6, graphs(6)[part::8], every=False)
    assert all(accepted[kind] for kind in KINDS)


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


def test_every_small_blow_up() -> None:
    """All graphs of three bulbs, all T, all B, each bulb pressed up to three times."""
    subsets = [[v for v in range(3) if b >> v & 1] for b in range(1, 8)]
    for edges in graphs(3):
        for odd in [[], *subsets]:
            board = board_of(3, edges, odd)
            for times in itertools.product([1, 2, 3], repeat=3):
                counts = np.array(times)
                if checking.play_order(board, counts) is not None:
                    for kind, bulbs in itertools.product(KINDS, subsets):
                        assert accepts(board, counts, kind, bulbs) is None, (edges, odd, times)
                else:
                    assert accepts(board, counts, "exhausted", [0, 1, 2]) is not None


def test_scope_reaches_around_the_pieces() -> None:
    """A refuted block with a tail: what happens at the tail's far end matters too."""
    edges = [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (4, 5)]
    counts = np.array([1, 1, 1, 1, 0, 0])
    for odd in ([0], [1], [0, 1, 2]):
        board = board_of(6, edges, odd)
        scope = accepts(board, counts, "odd-component", [0, 1, 2])
        if scope is not None:
            assert scope.tolist() == [True] * 5 + [False]
            return
    raise AssertionError("none of the parities is refuted")


@given(st.data())
def test_scope(data: st.DataObject) -> None:
    """What agrees with a refuted press set on the scope has no order either."""
    size = data.draw(st.integers(2, 6))
    pairs = list(itertools.combinations(range(size), 2))
    edges = sorted(data.draw(st.sets(st.sampled_from(pairs), max_size=7)))
    odd = [v for v in range(size) if data.draw(st.booleans())]
    counts = np.array(data.draw(st.lists(st.integers(0, 1), min_size=size, max_size=size)))
    board = board_of(size, edges, odd)
    for b in range(1, 1 << size):
        bulbs = [v for v in range(size) if b >> v & 1]
        scope = accepts(board, counts, "exhausted", bulbs)
        if scope is None:
            continue
        for other in itertools.product([0, 1], repeat=size):
            if np.array_equal(np.array(other)[scope], counts[scope]):
                assert checking.play_order(board, other) is None


@pytest.mark.parametrize("step", deep(15, 1))
@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 2), (2, 4)])
def test_row_column_refutations(step: int, shape: tuple[int, int], mixed: bool) -> None:
    """Press sets, many of them: the line count and all line cuts; by theorem 2 one is accepted."""
    n = shape[0] * shape[1]
    graph = Board.from_grid(np.zeros(shape, dtype=bool)).graph
    goal = np.ones(n, dtype=bool)
    goal[0] = not mixed
    for chosen in range(0, 1 << n, 1 if n < 6 else min(step, 3) if n < 8 else step):
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
                check_refutation(board, refutation)
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
    side, axis = ("rows", 1) if height % 2 else ("columns", 0)
    other = width if side == "rows" else height
    accepted = 0
    for chosen in range(0, 1 << n, 1 if n < 12 else 37):
        counts = np.array([chosen >> v & 1 for v in range(n)])
        board = Board(graph, ~graph.apply(counts > 0), np.ones(n, dtype=bool))
        odd = np.flatnonzero(counts.reshape(shape).sum(axis=axis) % 2).tolist()
        refutation = checking.refutation(
            board, "line-parities", counts, side=side, odd_lines=odd, others=other
        )
        try:
            check_refutation(board, refutation)
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
