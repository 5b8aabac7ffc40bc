"""The engine of ordering problems: true answers by every choice of methods, and one log."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from ponder.check.evidence.randomised import Randomised
from ponder.check.kinds import Refutation
from ponder.check.replay import check_order
from ponder.find.ordering import engine
from ponder.find.ordering.engine import (
    ALGEBRA_ONLY,
    IN_A_HURRY,
    METHODS,
    WITH_PIECES,
    Method,
    find_order,
)
from ponder.find.search.context import SearchContext
from ponder.model.ordering_problem import Order, OrderingProblem, Unknown
from ponder.system.limits import Limits, TimeUp
from tests import brute
from tests.clocks import Looks, stopping

Edges = list[tuple[int, int]]
CHOICES: list[frozenset[Method]] = [frozenset(), ALGEBRA_ONLY, IN_A_HURRY]


def random_problem(rng: np.random.Generator, most: int) -> tuple[int, Edges, list[int]]:
    size = int(rng.integers(1, most))
    density = rng.uniform(0.2, 0.9)
    edges = [pair for pair in itertools.combinations(range(size), 2) if rng.random() < density]
    return size, edges, np.flatnonzero(rng.random(size) < 0.3).tolist()


def no_order() -> OrderingProblem:
    """The complete graph on 9 vertices and a path of 39 between two of them pass every count."""
    size = 48
    path = [0, *range(9, size), 1]
    edges = [*itertools.combinations(range(9), 2), *itertools.pairwise(path)]
    return OrderingProblem.from_edges(size, edges)


@pytest.mark.parametrize("tier", range(len(METHODS)))
@pytest.mark.parametrize("without", CHOICES, ids=["all", "algebra", "hurry"])
def test_no_method_refuses_what_has_an_order(
    monkeypatch: pytest.MonkeyPatch, tier: int, without: frozenset[Method]
) -> None:
    """Small problems, treated as if they were of any size."""
    monkeypatch.setattr(engine, "METHODS", ((float("inf"), METHODS[tier][1]),))
    rng = np.random.default_rng(tier)
    seen = set()
    for _ in range(150):
        size, edges, odd = random_problem(rng, 9)
        problem = OrderingProblem.from_edges(size, edges, odd)
        answer, _ = find_order(problem, SearchContext(), without=without)
        if isinstance(answer, Order):
            check_order(problem, answer.vertices)
        if isinstance(answer, Unknown):
            assert without == IN_A_HURRY
            assert tier == len(METHODS) - 1
        else:
            assert isinstance(answer, Order) == brute.orderable(size, edges, odd)
        seen.add(type(answer))
    assert Order in seen


def test_the_largest_blocks_have_evidence_against_them() -> None:
    problem = no_order()
    for without in CHOICES:
        context = SearchContext()
        answer, method = find_order(problem, context, without=without)
        assert type(answer) is (Unknown if without == IN_A_HURRY else Randomised)
        tried = [m for m in METHODS[-1][1] if m not in without | WITH_PIECES]  # nobody gave these
        assert [step.method for step in context.log.steps] == ["counting", *tried]
        assert method == tried[-1]


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
    counting, subsets = context.log.steps
    assert counting.outcome == "nothing refuted, 10 blocks to search, the largest of 4 presses"
    assert subsets.outcome == "10 ordered"


def test_a_limit_at_any_look_leaves_a_true_answer() -> None:
    """Whichever look it is, nothing is refuted that was not searched to its end."""
    rng = np.random.default_rng(1)
    looks = Looks(None)
    problem = no_order()
    whole, _ = find_order(problem, SearchContext(limits=looks.clock))
    assert isinstance(whole, Randomised)
    for look in sorted({*range(1, 30), *rng.integers(1, looks.seen, 20).tolist()}):
        fresh = OrderingProblem(problem.graph, problem.bulbs, problem.odd)
        context = SearchContext(limits=stopping(look))
        try:
            answer, _ = find_order(fresh, context)
        except TimeUp:
            pass
        else:
            assert isinstance(answer, Unknown | Randomised)
        assert context.log.steps


def test_no_time_is_no_refusal() -> None:
    with pytest.raises(TimeUp):
        find_order(OrderingProblem.from_edges(2, [(0, 1)]), SearchContext(limits=Limits(0.0)))


def test_a_log_within_a_log_counts_its_seconds_once() -> None:
    part, whole = SearchContext(), SearchContext()
    answer, _ = find_order(OrderingProblem.from_edges(2, [(0, 1)], [0]), part)
    assert isinstance(answer, Order | Refutation)
    seconds = part.log.steps[0].seconds
    assert seconds > 0
    whole.log.include(part.log)
    whole.log.include(part.log)
    (step,) = whole.log.steps
    assert (step.seconds, step.outcome[:2]) == (seconds, "2 ")
