"""`order` over cosets: every start state of small boards, against the table of orderable sets."""

from __future__ import annotations

import json

import numpy as np
import pytest

import ponder
from ponder.pipeline.order import order
from ponder.puzzle.board import Board, Rule
from ponder.puzzle.graph import grid_graph
from ponder.types import Bits
from tests import brute

Shape = tuple[int, int]


def fewest_by_state(pattern: str, shape: Shape, odd: list[int]) -> dict[int, int]:
    """The fewest single presses from every start state to the goal that lights all outside odd."""
    size = shape[0] * shape[1]
    graph, edges = grid_graph(pattern, shape), brute.grid_edges(*shape, pattern)
    goal = ~graph.set_of(odd)
    toggles = [number(graph.apply(graph.set_of([v]))) for v in range(size)]
    reached = [0] * (1 << size)
    for s in range(1, 1 << size):  # what the press set s toggles
        low = (s & -s).bit_length() - 1
        reached[s] = reached[s & (s - 1)] ^ toggles[low]
    fewest: dict[int, int] = {}
    for s in np.flatnonzero(brute.orderable_sets(size, edges, odd)).tolist():
        state = number(goal) ^ reached[s]
        fewest[state] = min(fewest.get(state, size), s.bit_count())
    return fewest


def number(bits: Bits) -> int:
    return sum(1 << v for v in np.flatnonzero(bits).tolist())


@pytest.mark.parametrize(
    ("pattern", "shape"),
    [("plus", (4, 4)), ("torus-plus", (3, 4)), ("torus-plus", (4, 4)), ("king", (3, 3))],
)
@pytest.mark.parametrize("step", [41, pytest.param(1, marks=pytest.mark.deep)])
def test_every_start_state(pattern: str, shape: Shape, step: int) -> None:
    size = shape[0] * shape[1]
    graph, goal = grid_graph(pattern, shape), np.ones(size, dtype=np.bool_)
    fewest = fewest_by_state(pattern, shape, [])
    for state in range(0, 1 << size, step if size > 12 else 1):
        lit = np.array([state >> v & 1 for v in range(size)], dtype=np.bool_)
        result = order(Board(graph, lit, goal))
        assert result.count == fewest.get(state)
        if result.count is None:
            assert (result.verdict, result.claim) in {("impossible", "C2"), ("impossible", "C4")}
        else:
            assert result.optimal
        if state % 11 == 0:
            report = ponder.verify(result.board, json.loads(json.dumps(result.to_json())))
            assert not report.unchecked_verdict


@pytest.mark.parametrize("rule", ["unlit", "lit"])
def test_other_goals_and_rules(rule: Rule) -> None:
    rng = np.random.default_rng(3)
    for pattern, shape in [("plus", (3, 3)), ("king", (2, 4)), ("torus-plus", (3, 3))]:
        graph = grid_graph(pattern, shape)
        for _ in range(3):
            goal = rng.random(graph.size) < 0.5
            odd = np.flatnonzero(~goal if rule == "unlit" else goal).tolist()
            table = fewest_by_state(pattern, shape, odd)
            base = number(~graph.set_of(odd))
            for state in range(0, 1 << graph.size, 5):
                # The table speaks of the goal ~odd; another goal shifts every state with it.
                lit = state ^ base ^ number(goal)
                start = np.array([lit >> v & 1 for v in range(graph.size)], dtype=np.bool_)
                assert order(Board(graph, start, goal, rule)).count == table.get(state)
