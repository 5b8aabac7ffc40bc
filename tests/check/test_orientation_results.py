"""Results of `orient`: true ones are accepted, and what differs in a place is refused or true."""

from __future__ import annotations

import json
import random
from itertools import combinations
from typing import Any, TypeAlias

import pytest

import ponder
from ponder.check.orientation import verify_orientation
from ponder.find.orient import Asked, outcome_json
from ponder.model.edge_graph import EdgeGraph
from ponder.system.errors import CheckFailed
from tests.brute import Edges, parities_of_orders
from tests.depth import deep
from tests.forgeries import others, places, put

CIRCLE = [(0, 1), (1, 2), (2, 0)]
Asking: TypeAlias = tuple[int, list[tuple[int, int]], list[int], list[tuple[int, int]]]
SPECIAL: list[Asking] = [
    (4, [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)], [0], []),
    (4, [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)], [0], [(1, 0), (1, 2), (2, 3), (3, 0)]),
    (3, [(0, 1), (1, 2), (0, 2)], [], []),
    (3, [(0, 1), (1, 2), (0, 2)], [0], CIRCLE),
]
"""Oriented; refused by a formula's proof, by counting, by a circle of given arcs."""


def able(size: int, edges: Edges, odd: list[int], fixed: Edges) -> bool:
    """Whether there is such an orientation, by all orders."""
    hears = [[u + w - v for u, w in edges if v in (u, w)] for v in range(size)]
    return tuple(int(v in odd) for v in range(size)) in parities_of_orders(hears, fixed)


def asked(seed: int) -> Asking:
    """A small question by seed, the first ones as above."""
    if seed < len(SPECIAL):
        return SPECIAL[seed]
    rng = random.Random(seed)
    size = rng.randint(2, 5)
    edges = [pair for pair in combinations(range(size), 2) if rng.random() < 0.7] or [(0, 1)]
    given = rng.sample(edges, rng.choice((0, 0, 1, min(3, len(edges)))))
    fixed = [arc if rng.random() < 0.5 else arc[::-1] for arc in given]
    return size, edges, [v for v in range(size) if rng.random() < 0.5], fixed


@pytest.mark.parametrize("count", deep(24, 400))
def test_results_and_forgeries(count: int) -> None:
    kinds = set()
    for seed in range(count):
        size, edges, odd, fixed = asked(seed)
        graph, rng = EdgeGraph(size, edges), random.Random(seed)
        outcome = ponder.orient(graph, odd, fixed=fixed)
        content: Any = json.loads(
            json.dumps(outcome_json(Asked.read(graph, odd, fixed), outcome, 0, 0.0))
        )
        assert verify_orientation(graph, content, odd=odd, fixed=fixed).complete
        assert (content["verdict"] == "oriented") == able(size, edges, odd, fixed)
        kinds.add(
            (content["refutation"] or content)["kind" if content["refutation"] else "verdict"]
        )
        other = [v for v in range(size) if (v in odd) != (v == seed % size)]
        with pytest.raises(CheckFailed):
            verify_orientation(graph, content, odd=other)
        forgeries: list[Any] = [
            put(content, path, value)
            for path, old in places(content)
            for value in (others(old, rng) if path else ())
        ]
        for forged in rng.sample(forgeries, min(60, len(forgeries))):
            try:
                complete = verify_orientation(graph, forged).complete
            except CheckFailed:
                continue
            said = forged["verdict"]
            assert complete or said in ("unknown", "impossible")
            if complete and said != "unknown":
                truth = able(size, edges, forged["odd"], list(map(tuple, forged["fixed"])))
                assert (said == "oriented") == truth, forged
            if said == "oriented":
                arcs = sorted(tuple(sorted(arc)) for arc in forged["arcs"])
                assert arcs == sorted(edges)
    assert kinds == {"oriented", "formula", "block", "fixed-circle"}
