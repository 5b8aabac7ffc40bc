"""The pipeline on any graph: verdicts equal brute force, orders replayed, refutations verified.

A problem (graph, T) becomes a board on which every bulb is pressed once: the goal lights the bulbs
outside T, and the start is what the presses then lead there from.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter

import numpy as np
import pytest

import ponder
from ponder.check.block import RULES
from ponder.check.replay import check_order
from ponder.find.order import order
from ponder.model.board import Board
from ponder.model.ordering_problem import OrderingProblem, Unknown
from tests import brute
from tests.boards import all_pressed
from tests.depth import deep

Edges = list[tuple[int, int]]


def judge(size: int, edges: Edges, odd: list[int]) -> str:
    """The kind of answer, after brute force and the checker have agreed with it."""
    result = order(all_pressed(size, edges, odd), press_set=np.arange(size))
    ponder.verify(result.board, json.loads(json.dumps(result.to_json())))
    if brute.orderable(size, edges, odd):
        assert result.verdict == "solved", (edges, odd)
        assert result.presses is not None
        problem = OrderingProblem.from_edges(size, edges, odd)
        check_order(problem, result.presses)
        return "order"
    assert (result.verdict, result.claim) == ("impossible", "C1"), (edges, odd)
    assert result.refutation is not None
    return str(getattr(result.refutation, "rule", result.refutation.kind))


@pytest.mark.parametrize("count", deep(150, 5000))
def test_random_graphs_and_parities(count: int) -> None:
    rng = np.random.default_rng(count)
    kinds: Counter[str] = Counter()
    for _ in range(count):
        size = int(rng.integers(6, 12))
        density = rng.uniform(0.1, 0.8)
        edges = [e for e in itertools.combinations(range(size), 2) if rng.random() < density]
        odd = np.flatnonzero(rng.random(size) < rng.choice([0.0, 0.5])).tolist()
        kinds[judge(size, edges, odd)] += 1
    print("answers:", dict(kinds.most_common()))
    assert kinds["order"]
    assert kinds["parity"]
    assert not set(kinds) - {"order", *RULES}


def test_lit_rule_is_the_complement() -> None:
    """`lit` with the goal all unlit is `unlit` with the goal all lit on the complement."""
    rng = np.random.default_rng(4)
    for pattern in ("plus", "cross", "king", "torus-plus"):
        for _ in range(25):
            shape = (int(rng.integers(1, 6)), int(rng.integers(1, 6)))
            board = Board.from_grid(rng.random(shape) < 0.5, pattern)
            turned = Board(board.graph, ~board.lit, ~board.goal, "lit")
            unlit, lit = order(board), order(turned)
            assert (unlit.verdict, unlit.claim, unlit.count) == (lit.verdict, lit.claim, lit.count)
            ponder.verify(turned, json.loads(json.dumps(lit.to_json())))


def test_the_log_tells_what_was_tried() -> None:
    board = ponder.read("instances/torus-king-5x7.txt")
    steps = order(board).to_json()["steps"]
    assert isinstance(steps, list)
    assert [step["method"] for step in steps][:2] == ["linear", "counting"]


def test_evidence_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """The complete graph on 9 vertices and a path of 39 between two, without a SAT solver."""
    path = [0, *range(9, 48), 1]
    edges = [*itertools.combinations(range(9), 2), *itertools.pairwise(path)]
    board = all_pressed(48, edges, [])
    result = order(board, press_set=np.arange(48))
    assert (result.verdict, result.claim) == ("impossible", "C1")
    ponder.verify(board, json.loads(json.dumps(result.to_json())))
    monkeypatch.setattr("ponder.find.order._encoded", lambda *_: (Unknown("no solver"), "sat"))
    result = order(board, press_set=np.arange(48))
    assert (result.verdict, result.claim) == ("unknown", None)
    assert result.refutation is not None
    assert result.refutation.kind == "randomised"
    content = json.loads(json.dumps(result.to_json()))
    ponder.verify(board, content)
    content |= {"verdict": "impossible", "claim": "C1"}
    with pytest.raises(ponder.CheckFailed, match="does not prove"):
        ponder.verify(board, content)
