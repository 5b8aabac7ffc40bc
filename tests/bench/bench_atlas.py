"""Exhaustive tables: the fewest presses of every board of a shape."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ponder.find.fewest.atlas import atlas_of
from ponder.model.board import Board, Rule
from ponder.model.graph import grid_graph
from tests.bench import Case


def search(
    pattern: str, shape: tuple[int, int], rule: Rule = "unlit"
) -> Callable[[], Callable[[], object]]:
    """All boards of a shape, goal all lit; none is so small that its search is remembered."""

    def prepare() -> Callable[[], object]:
        graph = grid_graph(pattern, shape)
        dark = np.zeros(graph.size, dtype=np.bool_)

        def job() -> str:
            chart = atlas_of(Board(graph, dark, ~dark, rule))
            return f"{chart.solvable:,} boards, at most {chart.largest} presses"

        return job

    return prepare


CASES = [
    Case("atlas, plus 5x5", 10.0, search("plus", (5, 5)), 5, memory=1.0),
    Case("atlas, row/column 5x5", 10.0, search("cross", (5, 5)), 5, memory=1.0),
    Case("atlas, plus 5x5, rule any", 10.0, search("plus", (5, 5), "any"), 5, memory=1.0),
    Case("atlas, plus 4x6", 15.0, search("plus", (4, 6)), 5, memory=1.0),
    Case("atlas, row/column 4x6", 15.0, search("cross", (4, 6)), 5, memory=1.0),
    Case("atlas, plus 2x13", 15.0, search("plus", (2, 13)), 3, memory=1.0),
    Case("atlas, plus 3x9", 60.0, search("plus", (3, 9)), 1, memory=1.0),
]
