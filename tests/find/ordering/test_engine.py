"""The engine of ordering problems, and each of its methods: true answers, and one log."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from ponder.check.certificate import Answer, Refutation
from ponder.check.replay import check_order
from ponder.check.witness import Randomised
from ponder.find.context import SearchContext, SolveSession
from ponder.find.order import order_problem
from ponder.find.ordering import engine, evidence
from ponder.find.ordering.engine import find_order, order_subsets
from ponder.find.ordering.evidence import evidence_against
from ponder.find.ordering.parity_walks import order_by_walks
from ponder.model.ordering_problem import Order, OrderingProblem, Unknown
from ponder.studies.families import regular_edges
from ponder.system.limits import Limits, NeedsMemory, TimeUp
from tests import brute
from tests.boards import all_graphs, random_edges
from tests.clocks import Looks, stopping
from tests.depth import deep

Edges = list[tuple[int, int]]


def problems(count: int, seed: int = 0) -> Iterator[tuple[int, Edges, list[int]]]:
    """All graphs to three vertices with all T, and larger ones at random."""
    for size in range(4):
        for edges in all_graphs(size):
            for bits in itertools.product((False, True), repeat=size):
                yield size, list(edges), [v for v in range(size) if bits[v]]
    rng = random.Random(seed)
    for _ in range(count):
        size = rng.randint(4, 9)
        edges = random_edges(size, rng.uniform(0.2, 0.9), rng)
        odd = [v for v in range(size) if rng.random() < 0.3]
        if (len(edges) + len(odd)) % 2 and rng.random() < 0.8:
            odd = sorted({*odd} ^ {0})
        yield size, edges, odd


def no_order() -> OrderingProblem:
    """The complete graph on 9 vertices and a path of 39 between two of them pass every count.

    In an order of the 9, four have odd out-degrees; the path can turn the parity of two at most.
    """
    path = [0, *range(9, 48), 1]
    edges = [*itertools.combinations(range(9), 2), *itertools.pairwise(path)]
    return OrderingProblem.from_edges(48, edges)


ASKED: dict[str, Callable[[OrderingProblem], Answer | None]] = {
    "engine": lambda problem: find_order(problem, SearchContext())[0],
    "quick": lambda problem: find_order(problem, SearchContext(), quick=True)[0],
    "subsets": order_subsets,
    "walks": order_by_walks,
    "algebra": evidence_against,
    "order": lambda problem: order_problem(problem, SolveSession())[0],
}


@pytest.mark.parametrize("count", deep(80, 3000))
@pytest.mark.parametrize("small", [18, 0])
@pytest.mark.parametrize("method", ASKED)
def test_every_method_against_brute_force(
    monkeypatch: pytest.MonkeyPatch, method: str, small: int, count: int
) -> None:
    """With all blocks small, and with all blocks treated as large ones."""
    monkeypatch.setattr(engine, "SMALL", small)
    missed = 0
    for size, edges, odd in problems(count, seed=small):
        problem = OrderingProblem.from_edges(size, edges, odd)
        answer = ASKED[method](problem)
        able = brute.orderable(size, edges, odd)
        if isinstance(answer, Order):
            assert able
            check_order(problem, answer.vertices)
        elif isinstance(answer, Refutation):
            assert not able
        else:
            missed += able and method != "algebra"
            assert method in ("walks", "algebra") or not able
            assert method == "walks" or able
    assert missed <= count // 30, "walks nearly always find an order"


def test_what_only_algebra_and_solvers_refuse() -> None:
    context = SearchContext()
    problem = no_order()
    answer, method = find_order(problem, context)
    assert isinstance(answer, Randomised)
    assert answer.log2_error <= -evidence.ERROR_BITS
    methods = [step.method for step in context.log.steps]
    assert (methods, method) == (["counting", "walks", "subsets", "algebra"], "algebra")
    assert isinstance(find_order(problem, SearchContext(), quick=True)[0], Unknown)
    proof, method = order_problem(problem, SolveSession())
    assert isinstance(proof, Refutation)
    assert (proof.claim, method) == ("C1", "sat")


@pytest.mark.parametrize("size", [60, 200, 1000])
def test_regular_graphs(size: int) -> None:
    edges = regular_edges(size, 8, np.random.default_rng(size))
    problem = OrderingProblem.from_edges(size, edges, range(len(edges) % 2))
    answer, _ = order_problem(problem, SolveSession())
    assert isinstance(answer, Order)
    check_order(problem, answer.vertices)
    odd = OrderingProblem.from_edges(size, edges, range(1 - len(edges) % 2))
    why, method = order_problem(odd, SolveSession())
    assert isinstance(why, Refutation)
    assert method == "counting"
    if size <= 200:
        assert evidence_against(problem) is None
        assert isinstance(evidence_against(odd), Randomised)


def test_algebra_knows_its_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = no_order()
    for name in ("MOST_VERTICES", "MOST_WEIGHT"):
        with monkeypatch.context() as patch:
            patch.setattr(evidence, name, 20)
            with pytest.raises(NeedsMemory):
                evidence_against(problem)
            assert isinstance(find_order(problem, SearchContext())[0], Unknown)
    with pytest.raises(TimeUp):
        evidence_against(problem, limits=Limits(0.0))


def test_the_log_has_a_line_a_method() -> None:
    """Many blocks in a row, each of them a complete graph on four vertices."""
    edges: Edges = []
    for k in range(0, 30, 3):
        edges += itertools.combinations(range(k, k + 4), 2)
    odd = [v for k in range(0, 30, 3) for v in (k + 1, k + 2)]
    context = SearchContext()
    answer, method = find_order(OrderingProblem.from_edges(31, edges, odd), context)
    assert isinstance(answer, Order)
    assert method == "blocks+subsets"
    assert [step.method for step in context.log.steps] == ["counting", "subsets"]


def test_a_limit_at_any_look_leaves_a_true_answer() -> None:
    """Whichever look it is, nothing is refuted that was not searched to its end."""
    looks = Looks(None)
    problem = no_order()
    find_order(problem, SearchContext(limits=looks.clock))
    rng = np.random.default_rng(1)
    for look in sorted({*range(1, 30), *rng.integers(1, looks.seen, 20).tolist()}):
        fresh = OrderingProblem(problem.graph, problem.bulbs, problem.odd)
        try:
            answer, _ = find_order(fresh, SearchContext(limits=stopping(look)))
        except TimeUp:
            continue
        assert isinstance(answer, Unknown | Randomised)
