"""A board's SHA-256: one for each puzzle."""

from __future__ import annotations

import itertools

import numpy as np

from ponder.model.board import RULES, Board
from ponder.model.edge_graph import EdgeGraph
from ponder.model.formats import parse_board
from ponder.model.graph import grid_graph


def test_no_two_small_boards_share_a_name() -> None:
    """Every shape of up to 4 cells, every mask, state and goal, two patterns and rules."""
    names: set[str] = set()
    count = 0
    for rows, columns in ((1, 1), (1, 2), (2, 1), (1, 3), (2, 2), (1, 4)):
        for pattern, rule in itertools.product(("cross", "plus"), RULES[:2]):
            for mask in itertools.product((False, True), repeat=rows * columns):
                if not any(mask):
                    continue
                holes = np.array(mask).reshape(rows, columns)
                graph = grid_graph(pattern, (rows, columns), holes)
                for bits in itertools.product((False, True), repeat=2 * graph.size):
                    lit, goal = np.array(bits[: graph.size]), np.array(bits[graph.size :])
                    names.add(Board(graph, lit, goal, rule).sha256)
                    count += 1
    assert len(names) == count > 4000


def test_names_of_nodes_matter_and_are_kept_apart() -> None:
    texts = [
        '{"nodes": 2}',
        '{"nodes": [1, 0]}',
        '{"nodes": ["0", "1"]}',
        '{"nodes": ["i0", "1"]}',
        '{"nodes": ["", "01"]}',
        '{"nodes": ["01", ""]}',
        '{"nodes": ["0", 1]}',
        '{"nodes": ["0\\u0000", 1]}',
        '{"nodes": 2, "edges": [[0, 1]]}',
    ]
    assert len({parse_board(text).sha256 for text in texts}) == len(texts)
    assert parse_board('{"nodes": [0, 1]}').sha256 == parse_board('{"nodes": 2}').sha256
    lone = Board(EdgeGraph(1, [], ["\ud800\udc00"]), np.zeros(1, bool), np.ones(1, bool))
    pair = Board(EdgeGraph(1, [], ["\U00010000"]), np.zeros(1, bool), np.ones(1, bool))
    assert lone.sha256 != pair.sha256
