"""Cuts, clusters, the oracle and the repair: each by its definition."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ponder.check.kinds import Refutation
from ponder.find.cosets.coset import agreeing, kernel_columns
from ponder.find.fewest.clusters import Clusters, neighbour_lists
from ponder.find.fewest.odd_components import savings
from ponder.find.fewest.repair import repair
from ponder.find.fewest.sat_oracle import PairQuestion, SatOracle
from ponder.model.board import Board
from ponder.model.graph import EdgeGraph
from ponder.model.ordering_problem import Order, OrderingProblem, Unknown
from ponder.system.errors import CheckFailed
from ponder.system.limits import Limits
from ponder.system.types import bincount
from tests import brute
from tests.boards import random_edges
from tests.deciding import InThisProcess, formula_of


def a_board(seed: int, size: int = 7) -> tuple[Board, list[tuple[int, int]]]:
    rng = random.Random(seed)
    edges = random_edges(size, 0.4, rng)
    goal = np.array([rng.random() < 0.7 for _ in range(size)])
    return Board(EdgeGraph(size, edges), np.zeros(size, dtype=np.bool_), goal), edges


@given(st.integers(0, 6), st.data())
def test_agreeing_members_by_definition(nullity: int, data: st.DataObject) -> None:
    member = data.draw(st.integers(0, (1 << nullity) - 1))
    scope = data.draw(st.lists(st.integers(0, (1 << nullity) - 1), max_size=6))
    expected = [
        x
        for x in range(1 << nullity)
        if all(((x ^ member) & tau).bit_count() % 2 == 0 for tau in scope)
    ]
    assert sorted(agreeing(member, scope, nullity).tolist()) == expected


def test_types_of_no_basis() -> None:
    assert kernel_columns(np.zeros((0, 3), dtype=np.bool_)).tolist() == [0, 0, 0]


@pytest.mark.parametrize("seed", range(40))
def test_answers_of_clusters_equal_brute_force(seed: int) -> None:
    board, edges = a_board(seed)
    rng = random.Random(seed)
    counts = [rng.choice([0, 0, 1, 1, 2, 3]) for _ in range(board.graph.size)]
    clusters = Clusters(board)
    covered: list[int] = []
    for cluster in clusters.of(counts):
        covered += cluster.bulbs
        assert cluster == clusters.at(counts, cluster.bulbs[-1])
        assert all(counts[v] == 0 for v in clusters.beside(cluster.bulbs))
        whole = np.zeros(board.graph.size, dtype=np.int64)
        whole[list(cluster.bulbs)] = cluster.counts
        problem = OrderingProblem.of_board(board, whole)
        pairs = [(u, v) for u, v in problem.edges.tolist()]
        odd = np.flatnonzero(problem.odd).tolist()
        assert clusters.parity(cluster) == (len(pairs) + len(odd)) % 2
        answer = clusters.answer(cluster)
        assert not isinstance(answer, Unknown)
        assert isinstance(answer, Order) == brute.orderable(problem.size, pairs, odd)
        if isinstance(answer, Refutation):
            assert set(answer.bulbs.tolist()) <= set(cluster.bulbs)  # type: ignore[union-attr]
    covered += [v for v in clusters.free if counts[v] == 1]
    assert sorted(covered) == [v for v, m in enumerate(counts) if m]
    sequence = clusters.sequence(counts)
    assert (sequence is None) == bool(clusters.refused(counts))
    if sequence is not None:
        assert bincount(sequence, minlength=len(counts)).tolist() == counts
    near = neighbour_lists(board)
    assert [(u, v) for u in range(len(near)) for v in near[u] if u < v] == edges


def test_the_same_shape_elsewhere_is_refuted_by_its_own_bulbs() -> None:
    board = Board.from_rows(["00000", "00000"], "plus")
    clusters = Clusters(board)
    counts = [1, 1, 0, 0, 0, 0, 0, 0, 1, 1]
    members = [why.bulbs.tolist() for _, why in clusters.refused(counts)]  # type: ignore[union-attr]
    assert members == [[0, 1], [8, 9]]


@pytest.mark.parametrize("seed", range(40))
def test_the_oracle_finds_the_fewest_pairs(seed: int) -> None:
    """Ask, refuse, ask again: the optimum over all choices of few pairs, and never above it."""
    board, _ = a_board(seed, size=6)
    rng = random.Random(seed)
    press_set = [rng.randrange(2) for _ in range(6)]
    clusters = Clusters(board)
    most, expected = 3, None
    for pairs in range(most + 1):
        for extra in itertools.combinations_with_replacement(range(6), pairs):
            counts = [m + 2 * extra.count(v) for v, m in enumerate(press_set)]
            if not clusters.refused(counts):
                expected = pairs
                break
        if expected is not None:
            break
    found = savings(clusters, clusters.of(press_set))
    oracle = SatOracle(clusters, press_set, found.least, InThisProcess(clusters.near, clusters.odd))
    while oracle.bound <= most:
        assert expected is None or oracle.bound <= expected
        proposed = oracle.propose(Limits(None))
        if proposed is None:
            assert oracle.proof is not None
            assert oracle.proof.pairs == oracle.bound - 2
            continue
        refused = clusters.refused(proposed)
        if not refused:
            assert (sum(proposed) - sum(press_set)) // 2 == expected == oracle.bound
            return
        for cluster, why in refused:
            oracle.refuse(cluster, why)
    assert expected is None


@pytest.mark.parametrize(
    "seed", [*range(8), *(pytest.param(k, marks=pytest.mark.deep) for k in range(8, 60))]
)
def test_no_cut_of_the_oracle_excludes_a_legal_choice(seed: int) -> None:
    """All choices of few pairs: after many cuts the legal ones are left, the refused ones gone."""
    rng = random.Random(seed)
    size = 9
    pairs = list(itertools.combinations(range(size), 2))
    edges = sorted(rng.sample(pairs, rng.randint(size - 1, size + 2)))  # blocks with pieces on them
    goal = np.array([rng.random() < 0.7 for _ in range(size)])
    board = Board(EdgeGraph(size, edges), np.zeros(size, dtype=np.bool_), goal)
    clusters = Clusters(board)
    press_set = [int(rng.random() < 0.7) for _ in range(size)]
    most = 3
    oracle = SatOracle(clusters, press_set, most, InThisProcess(clusters.near, clusters.odd))
    legal: list[list[int]] = []
    refused: list[list[int]] = []
    for number in range(most + 1):
        for extra in itertools.combinations_with_replacement(range(size), number):
            counts = [m + 2 * extra.count(v) for v, m in enumerate(press_set)]
            wrong = clusters.refused(counts)
            if not wrong:
                legal.append(counts)
            elif rng.random() < 0.2:
                refused.append(counts)
                for cluster, why in wrong:
                    oracle.refuse(cluster, why)
    allows = _allowing(oracle)
    assert not any(allows(counts) for counts in refused)
    for counts in legal:
        assert allows(counts), f"{edges} {press_set} {counts}"


def _allowing(oracle: SatOracle) -> Callable[[list[int]], bool]:
    """Return what says whether the oracle would accept press counts."""
    from pysat.solvers import Cadical195

    most = 3
    cap = max(oracle.cap, most + 1)
    question = PairQuestion(tuple(oracle.press_set), most, cap, (*oracle.cuts,))
    try:
        formula = formula_of(oracle.clusters.near, oracle.clusters.odd, question)
    except CheckFailed:  # the odd components alone need more
        return lambda counts: False
    solver = Cadical195(bootstrap_with=formula.clauses)

    def allows(counts: list[int]) -> bool:
        units = []
        for levels, m, s in zip(formula.at_least, counts, oracle.press_set, strict=True):
            units += [x if k < (m - s) // 2 else -x for k, x in enumerate(levels)]
        return bool(solver.solve(units))

    return allows


def test_an_undecided_cluster_is_cut_off() -> None:
    board = Board.from_rows(["0000"], "plus")
    clusters = Clusters(board)
    press_set = [1, 0, 0, 0]
    oracle = SatOracle(clusters, press_set, 0, InThisProcess(clusters.near, clusters.odd))
    assert oracle.propose(Limits(None)) == press_set
    oracle.refuse(clusters.at(press_set, 0), Unknown("time is up"))
    assert oracle.propose(Limits(None)) is None
    counts = oracle.propose(Limits(None))
    assert counts is not None
    assert sum(counts) == 5


@pytest.mark.parametrize("seed", range(20))
def test_repair_adds_pairs_only_and_ends_legal(seed: int) -> None:
    board, _ = a_board(seed, size=9)
    rng = random.Random(seed)
    counts = [rng.randrange(2) for _ in range(9)]
    clusters = Clusters(board)
    refused = len(clusters.refused(counts))
    mended = repair(clusters, counts, most=6, rng=rng, limits=Limits(None))
    if mended is not None:
        assert not clusters.refused(mended)
        assert all(b >= a and (b - a) % 2 == 0 for a, b in zip(counts, mended, strict=True))
        assert sum(mended) - sum(counts) <= 12
    if refused:
        none = repair(clusters, counts, most=0, rng=rng, limits=Limits(None))
        assert none is None
        late = repair(clusters, counts, most=6, rng=rng, limits=Limits(0.0))
        assert late is None
