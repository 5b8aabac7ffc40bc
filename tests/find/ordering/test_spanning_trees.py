"""The algebraic test against brute force, its one-sided error, and the search it guides."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ponder.check.evidence.randomised import Randomised
from ponder.find.linear.gf2k import Elements, Field, field
from ponder.find.ordering import spanning_tree_search
from ponder.find.ordering.determinant_test import (
    cheapest_bits,
    evidence_against,
    is_nonsingular,
    spanning_matrix,
)
from ponder.find.ordering.greedy import DIRECTIONS, VARIANTS, Trials, search
from ponder.find.ordering.spanning_tree_search import Guide, order_spanning
from ponder.model.formats import read
from ponder.model.graph import CrossGraph, grid_graph
from ponder.model.ordering_problem import Order, OrderingProblem, Unknown
from ponder.studies.generate import Balanced
from ponder.system.limits import Limits
from ponder.system.types import bincount, indices
from tests import brute
from tests.boards import all_graphs, is_order, necklace
from tests.depth import deep

INSTANCES = Path(__file__).parents[3] / "instances"
Edges = list[tuple[int, int]]
Item = TypeVar("Item")


def subsets(items: Sequence[Item]) -> Iterator[list[Item]]:
    for chosen in itertools.product((False, True), repeat=len(items)):
        yield list(itertools.compress(items, chosen))


def random_problem(rng: np.random.Generator, most: int) -> tuple[OrderingProblem, bool]:
    """A random (graph, T); of random parities two in three pass the count of edges."""
    size = int(rng.integers(1, most + 1))
    pairs = np.array(list(itertools.combinations(range(size), 2))).reshape(-1, 2)
    edges = pairs[rng.random(len(pairs)) < rng.choice([0.2, 0.4, 0.6, 0.9])]
    odd = np.flatnonzero(rng.random(size) < rng.choice([0, 0.3, 0.6]))
    if (len(edges) + odd.size) % 2 and odd.size and rng.random() < 0.7:
        odd = odd[1:]
    chosen: Edges = [(u, v) for u, v in edges.tolist()]
    return OrderingProblem.from_edges(size, chosen, odd), brute.orderable(size, chosen, odd)


def guided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take greedy away: the algebra has to place every press."""
    monkeypatch.setattr(
        spanning_tree_search, "greedy_prefix", lambda *_, **__: np.empty(0, dtype=np.int64)
    )


# --- The test ---


def evidence(problem: OrderingProblem, seed: int = 0) -> Randomised | None:
    return evidence_against(problem, np.random.default_rng(seed), seed) if problem.size else None


def trial(problem: OrderingProblem, bits: int, rng: np.random.Generator) -> bool:
    return is_nonsingular(problem, field(bits), rng, lambda: None)


def check_test(problem: OrderingProblem, exists: bool, seed: int = 0) -> None:
    verdict = evidence(problem, seed)
    assert (verdict is None) == exists
    if verdict is not None:
        assert verdict.log2_error <= -64
        assert verdict.trials * verdict.bits >= 64


@pytest.mark.parametrize("size", range(5))
def test_all_small_graphs(size: int) -> None:
    """All labelled graphs with up to four vertices and every T: the verdict is brute force's."""
    found = 0
    for edges, odd in itertools.product(all_graphs(size), subsets(range(size))):
        exists = brute.orderable(size, edges, odd)
        found += exists
        check_test(OrderingProblem.from_edges(size, edges, odd), exists)
    assert found == [1, 1, 3, 22, 360][size]


@pytest.mark.deep
def test_all_graphs_of_five() -> None:
    """All labelled graphs with five vertices and every T."""
    for edges, odd in itertools.product(all_graphs(5), subsets(range(5))):
        exists = brute.orderable(5, edges, odd)
        check_test(OrderingProblem.from_edges(5, edges, odd), exists)


@pytest.mark.deep
def test_all_graphs_of_six() -> None:
    """All labelled graphs with six vertices, T = ∅."""
    for edges in all_graphs(6):
        check_test(OrderingProblem.from_edges(6, edges), brute.orderable(6, edges))


def check_random(count: int, seed: int) -> None:
    """Test and search against brute force on graphs with up to 11 vertices."""
    rng = np.random.default_rng(seed)
    found = 0
    for k in range(count):
        problem, exists = random_problem(rng, 11)
        found += exists
        check_test(problem, exists, seed=k)
        answer = order_spanning(problem, seed=k)
        assert is_order(problem, answer) == exists
        assert isinstance(answer, Order | Randomised)
    assert count / 4 < found < 3 * count / 4


def test_random_graphs() -> None:
    check_random(300, seed=4)


@pytest.mark.deep
def test_many_random_graphs() -> None:
    check_random(30_000, seed=5)


@settings(max_examples=60)
@given(size=st.integers(1, 7), data=st.data())
def test_any_problem(size: int, data: st.DataObject) -> None:
    pairs = list(itertools.combinations(range(size), 2))
    edges = data.draw(st.sets(st.sampled_from(pairs))) if pairs else set()
    odd = data.draw(st.sets(st.integers(0, size - 1)))
    problem = OrderingProblem.from_edges(size, edges, odd)
    exists = brute.orderable(size, edges, odd)
    check_test(problem, exists)
    assert is_order(problem, order_spanning(problem, seed=size)) == exists


def test_errs_in_a_tiny_field() -> None:
    """One trial in a tiny field misses orders, at most as often as the bound; it invents none."""
    missing = {(0, 1), (2, 3), (4, 5), (0, 5)}
    edges = [pair for pair in itertools.combinations(range(6), 2) if pair not in missing]
    built = np.bincount([v for _, v in edges], minlength=6) % 2  # T of the order 0, 1, 2, …
    orderable = OrderingProblem.from_edges(6, edges, np.flatnonzero(built))
    other = np.flatnonzero(built ^ (np.arange(6) < 1))
    impossible = OrderingProblem.from_edges(6, edges, other)
    assert brute.orderable(6, edges, np.flatnonzero(built))
    trials = 300
    missed: dict[int, int] = dict.fromkeys((3, 4, 5, 8), 0)
    for bits, seed in itertools.product(missed, range(trials)):
        rng = np.random.default_rng(seed)
        missed[bits] += not trial(orderable, bits, rng)
        assert not trial(impossible, bits, rng)
    for bits, count in missed.items():
        assert count / trials <= len(edges) / (2**bits - 6)
    assert missed[3] > 15
    assert missed[4] > 5
    assert missed[8] < missed[5] < missed[3]
    # Independent trials mend it.
    for seed in range(100):
        rng = np.random.default_rng(seed)
        assert any(trial(orderable, 3, rng) for _ in range(40))


@pytest.mark.parametrize("step", deep(3, 1))
def test_the_bound_on_one_trial(step: int) -> None:
    """Over all choices of distinct p in GF(16): never more than |E| / (16 − |V|); often some."""
    gf = field(4)
    erring = 0
    for size in (2, 3, 4):
        choices = np.array(list(itertools.permutations(range(1, 16), size)), dtype=np.uint16)
        for edges, odd in itertools.islice(
            itertools.product(all_graphs(size), subsets(range(size))), 0, None, step
        ):
            if len(edges) < 2 * size - 3 or not brute.orderable(size, edges, odd):
                continue
            missed = int((determinants(gf, edges, set(odd), choices) == 0).sum())
            assert missed / len(choices) <= len(edges) / (16 - size)
            erring += missed > 0
    assert erring > 10 / step


def determinants(gf: Field, edges: Edges, odd: set[int], p: Elements) -> Elements:
    """det K for many p at once, (choices, n) -> (choices,), by the sum over permutations."""
    size = p.shape[1]
    matrix = np.zeros((size, size, len(p)), dtype=np.uint16)
    for v in range(size):
        if v not in odd:
            matrix[v, v] ^= gf.inverse(p[:, v])
    for u, v in edges:
        weight = gf.inverse(p[:, u] ^ p[:, v])
        for row, column in ((u, u), (v, v), (u, v), (v, u)):
            matrix[row, column] ^= weight
    total = np.zeros(len(p), dtype=np.uint16)
    for columns in itertools.permutations(range(size)):
        term = np.ones(len(p), dtype=np.uint16)
        for row, column in enumerate(columns):
            term = gf.multiply(term, matrix[row, column])
        total ^= term
    return total


def test_matrix_by_hand() -> None:
    """A path 0–1 with t = (0, 1) and p = (1, 2) in GF(4), where 1 + 2 = 3 and 1/3 = 2."""
    problem = OrderingProblem.from_edges(2, [(0, 1)], [1])
    weights, diagonal = spanning_matrix(field(2), problem, np.array([1, 2], dtype=np.uint16))
    assert weights.tolist() == [2]
    assert diagonal.tolist() == [2 ^ 1, 2]


def test_chosen_fields() -> None:
    """As many trials as the bound needs; a larger field where the problem is large."""
    for size in (2, 11, 100, 301):
        path = [(v, v + 1) for v in range(size - 1)]
        verdict = evidence(OrderingProblem.from_edges(size, path, [0] if size % 2 else []))
        assert isinstance(verdict, Randomised)
        exponent = math.log2(2 * size - 1) - verdict.bits
        assert verdict.log2_error == pytest.approx(verdict.trials * exponent)
        assert verdict.log2_error <= -64 < verdict.log2_error - exponent
    for weight, bits in ((1, 16), (1000, 16), (10_000, 32), (2**20, 32), (2**40, 64)):
        assert cheapest_bits(weight) == bits


def test_bad_arguments() -> None:
    path = OrderingProblem.from_edges(9, [(v, v + 1) for v in range(8)])
    for bits, match in ((3, "only 7 nonzero elements"), (17, "not of 17")):
        with pytest.raises(ValueError, match=match):
            trial(path, bits, np.random.default_rng(0))


# --- The search ---


def test_trivial_problems() -> None:
    for size, odd, exists in ((0, [], True), (1, [], True), (1, [0], False), (3, [], True),
                              (3, [1], False)):  # fmt: skip
        problem = OrderingProblem.from_edges(size, [], odd)
        check_test(problem, exists)
        assert is_order(problem, order_spanning(problem)) == exists


def test_disconnected() -> None:
    """One part without order is enough."""
    square, triangle = [(0, 1), (1, 2), (2, 3), (0, 3)], [(4, 5), (5, 6), (4, 6)]
    even = [*triangle, (6, 7)]
    problem = OrderingProblem.from_edges(8, square + even)
    assert is_order(problem, order_spanning(problem))
    problem = OrderingProblem.from_edges(8, square + triangle)
    assert isinstance(order_spanning(problem), Randomised)
    problem = OrderingProblem.from_edges(8, square + triangle, [4, 7])
    assert isinstance(order_spanning(problem), Randomised)  # 7 stands alone with t = 1


def test_repeats() -> None:
    """Blow-ups of small boards: test and search are brute force's."""
    rng = np.random.default_rng(8)
    found = 0
    for k in range(80):
        graph = grid_graph(("plus", "king", "cross")[k % 3], (2, 3))
        counts = rng.integers(0, 4, graph.size)
        if counts.sum() > 10:
            continue
        bulbs = np.repeat(np.arange(graph.size), indices(counts))
        problem = OrderingProblem(graph, bulbs, rng.random(graph.size)[bulbs] < 0.3)
        edges = [(u, v) for u, v in problem.edges.tolist()]
        exists = brute.orderable(problem.size, edges, np.flatnonzero(problem.odd))
        found += exists
        check_test(problem, exists)
        assert is_order(problem, order_spanning(problem, seed=k)) == exists
    assert found > 10


@pytest.mark.parametrize("region", [3, spanning_tree_search.REGION])
def test_guided_to_the_end(region: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without greedy, and with regions of a few vertices, every order is found all the same."""
    guided(monkeypatch)
    monkeypatch.setattr(spanning_tree_search, "REGION", region)
    monkeypatch.setattr(spanning_tree_search, "_WHOLE", 4)
    rng = np.random.default_rng(9)
    regions = 0
    for k in range(150):
        problem, exists = random_problem(rng, 10)
        answer = order_spanning(problem, seed=k)
        assert is_order(problem, answer) == exists
        if isinstance(answer, Order):
            assert answer.statistics["guided"] == problem.size
            regions += int(str(answer.statistics["regions"]))
    assert regions > 150 / 3


def test_building_a_vertex() -> None:
    """`contract` allows what the matrix of the remaining problem allows, and inverts that."""
    rng = np.random.default_rng(10)
    allowed = refused = 0
    gf = field(16)
    for _ in range(150):
        problem, _ = random_problem(rng, 9)
        p = gf.distinct(problem.size, rng)
        everything = np.ones(problem.size, dtype=np.bool_)
        for v in np.flatnonzero(~problem.odd).tolist():
            guide = Guide.enter(gf, problem, p, everything, lambda: None)
            if guide is None:
                break
            others = np.flatnonzero(np.arange(problem.size) != v)
            odd = problem.odd.copy()
            odd[problem.neighbours[v]] ^= True
            rest = problem.restricted(others, odd[others])
            fresh = Guide.enter(gf, rest, p[others], everything[others], lambda: None)
            assert guide.contract(v) == (fresh is not None)
            if fresh is None:
                refused += 1
            else:
                allowed += 1
                assert (guide.m[np.ix_(others, others)] == fresh.m).all()
                assert not guide.m[v, others].any()
    assert allowed > 60
    assert refused > 10


def test_independent_of_luck() -> None:
    """What 300 greedy trials of every variant do not order, the search does."""
    problem = necklace(80)
    for variant, direction in itertools.product(VARIANTS, DIRECTIONS):
        campaign = search(problem, Trials(variant, direction, 300, 3))
        assert campaign.placed.size < problem.size
    answer = order_spanning(problem, seed=2)
    assert is_order(problem, answer)
    assert isinstance(answer, Order)
    assert int(str(answer.statistics["guided"])) > 0


def test_planted_orders() -> None:
    """Larger random graphs with the T of a random build order, of every density."""
    rng = np.random.default_rng(11)
    for size, degree in ((60, 3), (200, 4), (300, 10), (120, 60)):
        pairs = np.unique(np.sort(rng.integers(0, size, (size * degree // 2, 2)), axis=1), axis=0)
        pairs = pairs[pairs[:, 0] != pairs[:, 1]]
        later = pairs.max(axis=1)  # built in the order of the numbers
        odd = bincount(later, minlength=size) % 2 == 1
        problem = OrderingProblem.from_edges(size, pairs, np.flatnonzero(odd).tolist())
        assert evidence(problem) is None
        assert is_order(problem, order_spanning(problem, seed=size))
        wrong = odd ^ (np.arange(size) == int(later[0]))
        problem = OrderingProblem.from_edges(size, pairs, np.flatnonzero(wrong).tolist())
        assert isinstance(order_spanning(problem), Randomised)


def test_regions_of_a_large_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """A king board with a planted order, region by region."""
    guided(monkeypatch)
    monkeypatch.setattr(spanning_tree_search, "REGION", 60)
    rng = np.random.default_rng(12)
    graph = grid_graph("king", (24, 24))
    bulbs = np.flatnonzero(rng.random(graph.size) < 0.6)
    edges = graph.edges_within(bulbs)
    odd = bincount(edges[:, 1], minlength=bulbs.size) % 2 == 1
    problem = OrderingProblem(graph, bulbs, odd)
    answer = order_spanning(problem, seed=1)
    assert is_order(problem, answer)
    assert isinstance(answer, Order)
    assert int(str(answer.statistics["regions"])) > 5


@pytest.mark.parametrize("name", ["24x24", "30x30"])
def test_ibm_boards(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As any graph, without the row/column theorem; once with and once without greedy's luck."""
    board = read(INSTANCES / f"ibm-2023-04-{name}.txt")
    problem = OrderingProblem.of_board(board, board.graph.apply(board.change))
    assert is_order(problem, order_spanning(problem))
    if name == "24x24":
        guided(monkeypatch)
        assert is_order(problem, order_spanning(problem))


def test_row_column_boards_without_order() -> None:
    """A line count that passes or fails decides most random boards; the test agrees."""
    board = Balanced(10, 12).board(3)
    assert isinstance(board.graph, CrossGraph)
    presses = board.graph.apply(board.change)
    problem = OrderingProblem.of_board(board, presses)
    assert evidence(problem) is None
    rows = board.graph.to_grid(presses).sum(axis=1) % 2
    places = board.graph.to_grid(presses).sum(axis=0) % 2
    presses[int(np.argmax(rows)) * 12 + int(np.argmin(places))] ^= True  # one less, one more
    grid = board.graph.to_grid(presses)
    assert (grid.sum(axis=1) % 2).sum() != (grid.sum(axis=0) % 2).sum()
    assert evidence(OrderingProblem.of_board(board, presses)) is not None


# --- Limits ---


def test_limits() -> None:
    problem = necklace(40)
    for answer in (
        order_spanning(problem, limits=Limits(0.0)),
        order_spanning(problem, limits=Limits(None, stop=lambda: True)),
    ):
        assert isinstance(answer, Unknown)
        assert "limit" in answer.reason


def test_stops_within_the_algebra(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stop at any moment gives Unknown; the same search undisturbed gives the order."""
    guided(monkeypatch)
    problem = necklace(10)
    for calls in (1, 2, 5, 20, 60):
        left = iter(range(calls))
        limits = Limits(None, stop=lambda left=left: next(left, None) is None)  # type: ignore[misc]
        answer = order_spanning(problem, limits=limits)
        assert isinstance(answer, Unknown)
    said: list[str] = []
    assert is_order(problem, order_spanning(problem, progress=said.append))
    assert said


def test_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unknown, before the edges are made, or when a dense matrix would be too large."""
    graph = CrossGraph((3000, 3000))
    everything = np.arange(graph.size)
    problem = OrderingProblem(graph, everything, np.zeros(graph.size, dtype=np.bool_))
    assert isinstance(order_spanning(problem), Unknown)
    guided(monkeypatch)
    monkeypatch.setattr("ponder.find.linear.gf2k_multifrontal.LARGEST", 1000)
    assert isinstance(order_spanning(necklace(40)), Unknown)


def test_reproducible() -> None:
    problem = necklace(12)
    first, second = (order_spanning(problem, seed=6) for _ in range(2))
    assert isinstance(first, Order)
    assert isinstance(second, Order)
    assert (first.vertices == second.vertices).all()
    assert first.statistics == second.statistics
