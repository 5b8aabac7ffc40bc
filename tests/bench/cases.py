"""The jobs: each function prepares its input and returns what is to be timed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import ponder
from ponder.model.board import Board
from ponder.model.edge_graph import EdgeGraph
from ponder.model.graph import grid_graph
from ponder.studies.families import Family
from tests.boards import instance, solved_by

Job = Callable[[], object]


def random_board(pattern: str, side: int, seed: int = 0) -> Board:
    """A board that a random press set solves."""
    graph = grid_graph(pattern, (side, side))
    return solved_by(graph, np.random.default_rng(seed).random(graph.size) < 0.5)


def order(board: Board) -> Job:
    """Order a board; it has an order, or a proof that there is none."""

    def job() -> None:
        if ponder.order(board).verdict == "unknown":
            raise RuntimeError("no answer")

    return job


def solve(board: Board) -> Job:
    """Find the fewest presses, and prove them."""

    def job() -> None:
        if not ponder.solve(board).optimal:
            raise RuntimeError("not proved")

    return job


def verify(board: Board) -> Job:
    """Check a result of `order`."""
    result = ponder.order(board)
    return lambda: ponder.verify(board, result)


def press_sets(pattern: str, side: int, holes: float = 0) -> Job:
    """The linear stage alone."""
    rng = np.random.default_rng(1)
    mask = rng.random((side, side)) >= holes if holes else None
    graph = grid_graph(pattern, (side, side), mask)
    board = solved_by(graph, rng.random(graph.size) < 0.5)
    return lambda: ponder.press_sets(board)


def export(board: Board) -> Job:
    """Write a formula."""
    return lambda: ponder.export(board)


def eight_regular() -> Board:
    """A graph of 1,000 nodes with eight neighbours each, all pressed."""
    board = Family("graph", degree=8).draw((1000, 1000), 3)
    graph = board.graph
    assert isinstance(graph, EdgeGraph)
    return solved_by(graph, np.ones(graph.size, dtype=np.bool_))


CASES: dict[str, Callable[[], Job]] = {
    "order, IBM 30×30": lambda: order(instance("ibm-2023-04-30x30")),
    "order, balanced 1000×1000": lambda: order(Family("balanced").draw((1000, 1000), 1)),
    "order, plus 50×50": lambda: order(random_board("plus", 50)),
    "order, king 12×12": lambda: order(random_board("king", 12)),
    "order, 8-regular 1000": lambda: order(eight_regular()),
    "solve, row/column 1000×1000": lambda: solve(random_board("cross", 1000)),
    "solve, plus 15×15": lambda: solve(random_board("plus", 15)),
    "solve, king 12×12": lambda: solve(random_board("king", 12)),
    "press sets, plus 1000×1000": lambda: press_sets("plus", 1000),
    "press sets, plus 300×300, 10 % holes": lambda: press_sets("plus", 300, 0.1),
    "verify, plus 30×30": lambda: verify(random_board("plus", 30, 3)),
    "export precedence, plus 30×30": lambda: export(random_board("plus", 30)),
}
