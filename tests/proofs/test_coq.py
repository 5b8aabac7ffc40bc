"""What a Coq certificate says of components, without Coq."""

from __future__ import annotations

import random

import numpy as np
import pytest

from ponder.check.neighbourhoods import closed_sums
from ponder.model.components import component_numbers
from ponder.model.edge_graph import EdgeGraph
from ponder.model.ordering_problem import OrderingProblem
from ponder.proofs.coq import Component
from ponder.proofs.coq_formula import steps
from ponder.system.types import Bits
from tests.boards import random_edges
from tests.depth import deep


def components(graph: EdgeGraph, presses: Bits) -> list[list[int]]:
    bulbs = np.flatnonzero(presses)
    number = component_numbers(OrderingProblem(graph, bulbs, np.zeros(bulbs.size, dtype=np.bool_)))
    return [bulbs[number == k].tolist() for k in range(int(number.max(initial=-1)) + 1)]


@pytest.mark.parametrize("count", deep(300, 5000))
def test_a_component_applies_where_it_is_one(count: int) -> None:
    """The presses in N[K] are K itself exactly where K is a component of them."""
    applied = 0
    for seed in range(count):
        rng = random.Random(seed)
        size = rng.randint(1, 7)
        graph = EdgeGraph(size, random_edges(size, 0.3, rng))
        first, second = (np.array([rng.random() < 0.5 for _ in range(size)]) for _ in range(2))
        second = np.where([rng.random() < 0.7 for _ in range(size)], first, second)

        for members in components(graph, first):
            inside = graph.set_of(members)
            component = Component(inside, closed_sums(graph, inside) > 0, "OddEdges")
            assert component.applies(first)
            assert component.applies(second) == (members in components(graph, second))
            applied += component.applies(second)
    assert applied > count / 4


def test_hints_are_grouped_by_the_clauses_that_they_resolve() -> None:
    """A clause, its own hints, then those after each negative hint, counted back from the lemma."""
    for seed in range(200):
        rng = random.Random(seed)
        number = rng.randint(10, 99)
        hints = [
            rng.randint(1, number - 1) * rng.choice((1, 1, -1)) for _ in range(rng.randrange(9))
        ]
        clause = rng.sample(range(1, 9), rng.randrange(4))
        line = " ".join(map(str, [number, *clause, 0, *hints, 0]))
        groups = [[3]]
        for hint in hints:
            groups += [[4]] if hint < 0 else []
            groups[-1].append(number + 1 - abs(hint))
        head, *rest = steps(line)
        assert (head[0], len(head), rest) == (2, 1 + len(clause), groups)
