"""clingo: its orders are legal, its "no" is no proof, and without it there is one line."""

from __future__ import annotations

import itertools
import random
import sys

import numpy as np
import pytest

from ponder import order
from ponder.find.solvers.asp import CLINGO_SAYS, MODELS, order_asp
from ponder.model.formats import read
from ponder.model.ordering_problem import Order, OrderingProblem, Unknown
from ponder.system.errors import NeedsLibrary, PonderError
from ponder.system.limits import Limits, TimeUp
from tests import brute
from tests.boards import random_edges


@pytest.mark.parametrize("model", MODELS)
def test_against_brute_force(model: str) -> None:
    rng = random.Random(model)
    for _ in range(30):
        size = rng.randint(0, 6)
        edges = random_edges(size, rng.random(), rng)
        odd = [v for v in range(size) if rng.random() < 0.5]
        answer = order_asp(OrderingProblem.from_edges(size, edges, odd), model, limits=Limits(None))
        assert isinstance(answer, Order) == brute.orderable(size, edges, odd)
        assert isinstance(answer, Order) or answer.reason == CLINGO_SAYS


@pytest.mark.parametrize("model", MODELS)
def test_some_neighbours_alone_and_given_directions(model: str) -> None:
    hears = [[1, 2], [2], [0], [0, 1]]
    for odd in itertools.product((0, 1), repeat=4):
        for fixed in ([], [(0, 3)], [(0, 3), (2, 1)]):
            heard = OrderingProblem.one_way(hears, np.array(odd) > 0)
            arcs = np.array(fixed, dtype=np.int64).reshape(-1, 2)
            problem = OrderingProblem(
                heard.graph, heard.bulbs, heard.odd, fixed=arcs, heard=heard.heard
            )
            answer = order_asp(problem, model, limits=Limits(None))
            assert isinstance(answer, Order) == (odd in brute.parities_of_orders(hears, fixed))


def test_limits_and_words(monkeypatch: pytest.MonkeyPatch) -> None:
    ring = OrderingProblem.from_edges(4, [(0, 1), (1, 2), (2, 3), (0, 3)])
    with pytest.raises(TimeUp):
        order_asp(ring, limits=Limits(0.0))
    looks = iter([False] * 10)
    stopped = order_asp(ring, limits=Limits(None, lambda: next(looks, True)))
    assert isinstance(stopped, Order | Unknown)
    with pytest.raises(PonderError, match="unknown model of clingo"):
        order_asp(ring, "precedence", limits=Limits(None))
    result = order(read("instances/plus-10x10-no-order.txt"), method="asp")
    assert (result.verdict, result.refutation) == ("unknown", None)
    monkeypatch.setitem(sys.modules, "clingo", None)
    with pytest.raises(NeedsLibrary, match="asp"):
        order_asp(ring, limits=Limits(None))
