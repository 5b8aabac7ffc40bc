"""Piece counts: what pieces need is what orders have, and no spoilt count is accepted."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations, permutations
from typing import Any, Final, Literal

import numpy as np
import pytest

import ponder
from ponder.check.evidence.piece_count import Cut, PieceCount
from ponder.check.kinds import read_kind
from ponder.check.limits import Budget, TooLarge
from ponder.check.local_refutations import BlockRefutation
from ponder.check.written import Reading
from ponder.find.ordering.piece_counts import count_pieces
from ponder.model.ordering_problem import OrderingProblem
from ponder.system.errors import CheckFailed
from tests import checking
from tests.depth import deep

WAYS: Final[tuple[Literal["in", "out"], ...]] = ("in", "out")


def tetrahedron(odd: tuple[int, ...] = ()) -> OrderingProblem:
    """K4, every vertex of which became a triangle."""
    triangles = [(3 * i + a, 3 * i + b) for i in range(4) for a, b in ((0, 1), (0, 2), (1, 2))]
    between = [(0, 3), (1, 6), (2, 9), (4, 7), (5, 10), (8, 11)]
    return OrderingProblem.from_edges(12, triangles + between, odd)


def counted() -> PieceCount:
    found = count_pieces(tetrahedron())
    assert isinstance(found, PieceCount)
    return found


def check(problem: OrderingProblem, why: PieceCount, budget: Budget | None = None) -> None:
    """Check a count as a result has it, through its text form."""
    board = problem.board
    content = checking.loads(why.to_json(board))
    read = read_kind(BlockRefutation.kinds(), Reading(board), content, "refutation")
    read.check(board, np.ones(problem.size, dtype=np.int64), budget or Budget())


def at_random(rng: random.Random, most: int) -> OrderingProblem:
    size = rng.randint(2, most)
    edges = [pair for pair in combinations(range(size), 2) if rng.random() < 0.55]
    return OrderingProblem.from_edges(size, edges, [v for v in range(size) if rng.random() < 0.5])


def legal(problem: OrderingProblem, order: tuple[int, ...]) -> bool:
    place = {v: i for i, v in enumerate(order)}
    near = problem.neighbours
    return all(
        sum(place[u] > place[v] for u in near[v]) % 2 == problem.odd[v] for v in range(problem.size)
    )


@pytest.mark.parametrize("cases", deep(60, 2000))
def test_every_order_has_what_the_pieces_need(cases: int) -> None:
    """Of both ways; and what is seen without the table is no more than the table has."""
    for seed in range(cases):
        rng = random.Random(seed)
        needs_are_met(at_random(rng, 6), rng)


def needs_are_met(problem: OrderingProblem, rng: random.Random) -> None:
    piece = np.array([rng.randint(-1, 2) for _ in range(problem.size)])
    orders = [x for x in permutations(range(problem.size)) if legal(problem, x)]
    for way in WAYS:
        cut = Cut.of(problem, piece, way)
        for k in range(len(cut.quick)):
            size = int((piece == k).sum())
            if not size:
                continue
            need = cut.table(k).fewest_wrong(size + 1)
            assert need >= cut.quick[k]
            assert need == size + 1 or need % 2 == cut.quick[k] % 2
            for order in orders:
                first = {v: i for i, v in enumerate(order)}
                leading = 0
                for u, v in problem.edges.tolist():
                    a, b = (u, v) if first[u] < first[v] else (v, u)
                    enters = piece[b] == k != piece[a]
                    leaves = piece[a] == k != piece[b]
                    leading += enters if way == "in" else leaves
                assert leading >= need, (problem.edges.tolist(), piece, order)


@pytest.mark.parametrize("cases", deep(60, 5000))
def test_what_is_accepted_is_true(cases: int) -> None:
    """Random pieces with needs too high and too low, on presses that may be pressed twice."""
    accepted = [accepted_are_true(random.Random(seed)) for seed in range(cases)]
    assert sum(accepted) > cases // 3


def accepted_are_true(rng: random.Random) -> int:
    problem, accepted = at_random(rng, 5), 0
    board, size = problem.board, problem.size
    counts = np.array([rng.choice([1, 1, 1, 2]) for _ in range(size)])
    piece = np.array([rng.randint(-1, 1) for _ in range(size)])
    pieces = tuple(np.flatnonzero(piece == k) for k in (0, 1) if (piece == k).any())
    everyone = np.arange(size)
    orderable = checking.play_order(board, counts) is not None
    for border in range(6):
        for least in ((2, 2), (3, 1), (4, 4), (1, 0)):
            for way in WAYS:
                why = PieceCount(everyone, way, pieces, least[: len(pieces)], border)
                try:
                    why.check(board, counts, Budget())
                except CheckFailed:
                    continue
                assert not orderable, why
                accepted += 1
    return accepted


SPOILT: tuple[tuple[str, dict[str, Any]], ...] = (
    ("leave a piece, not 5", {"border": 5}),
    ("leave a piece, not 7", {"border": 7}),
    ("needs 2 pairs, not 3", {"least": (3, 2, 2, 2)}),
    ("cannot need 9 pairs", {"least": (9, 2, 2, 2)}),
    ("6 pairs are enough for 6", {"least": (0, 2, 2, 2)}),
    ("4 pieces need 3 numbers", {"least": (3, 3, 3)}),
    ("needs 1 pairs, not 2", {"way": "out"}),
    ("in two pieces", {"pieces": (np.arange(3), *(np.array([3, 4, k]) for k in (5, 8, 11)))}),
    ("not one of the bulbs", {"members": np.arange(11)}),
)


@pytest.mark.parametrize(("reason", "spoilt"), SPOILT)
def test_a_spoilt_count_is_refused(reason: str, spoilt: dict[str, Any]) -> None:
    check(tetrahedron(), counted())
    with pytest.raises(CheckFailed, match=reason):
        check(tetrahedron(), replace(counted(), **spoilt))


def test_the_parities_matter() -> None:
    with pytest.raises(CheckFailed, match="piece 1 needs 0 pairs, not 2"):
        check(tetrahedron((0, 1)), counted())


def test_tables_are_paid_for() -> None:
    """A piece of all vertices of a large graph has no table that can be made."""
    rng = random.Random(1)
    size = 40
    edges = {(min(u, v), max(u, v)) for u in range(size) for v in (u + 1, rng.randrange(size))}
    problem = OrderingProblem.from_edges(size, [(u, v) for u, v in edges if u != v < size])
    every = np.arange(size)
    cut = Cut.of(problem, np.where(every < size - 1, 0, -1), "in")
    why = PieceCount(every, "in", (every[:-1],), (cut.border + 1,), cut.border)
    with pytest.raises(TooLarge):
        check(problem, why)
    budget = Budget()
    budget.left = 1000
    with pytest.raises(TooLarge, match="too much work"):
        check(tetrahedron(), counted(), budget)


def test_names_of_vertices() -> None:
    """An orientation is refused in the caller's names, which its check reads again."""
    networkx = pytest.importorskip("networkx")
    cubic = networkx.random_regular_graph(3, 20, seed=1)
    graph, ends = networkx.Graph(), {v: iter("abc") for v in cubic}
    for v in cubic:
        graph.add_edges_from([((v, "a"), (v, "b")), ((v, "a"), (v, "c")), ((v, "b"), (v, "c"))])
    graph.add_edges_from(((u, next(ends[u])), (v, next(ends[v]))) for u, v in cubic.edges)
    found = ponder.orient(graph, [(0, "a"), (1, "a")])
    assert isinstance(found, ponder.Refusal)
    assert found.method == "circuits"
    assert found.certificate["kind"] == "piece-count"
    found.verify()
    found.certificate["border"] = 31
    with pytest.raises(CheckFailed, match="leave a piece, not 31"):
        found.verify()
