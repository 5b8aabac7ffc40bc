"""Time limits without time: a clock stops at its k-th look, for k = 1, 2, 3, …

Whatever stage it stops in, the answer is "unknown" or the right one; and every stage looks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from ponder.check.witness import Witness
from ponder.find.linear import frontal, gf2, light_chasing, line_parities
from ponder.find.linear.gf2 import Kernel
from ponder.find.linear.press_sets import PressSets, press_sets, solve_densely
from ponder.find.order import order
from ponder.find.ordering.blocks import Blocks, biconnected_blocks
from ponder.find.row_column.ordering import order_lines
from ponder.find.solve import solve
from ponder.model import formats
from ponder.model.board import Board
from ponder.model.edge_graph import EdgeGraph
from ponder.model.graph import CrossGraph, Graph, grid_graph
from ponder.model.ordering_problem import OrderingProblem
from ponder.studies.families import Family
from ponder.system.limits import NEVER, Limits, NeedsMemory, TimeUp
from ponder.system.types import Bits
from tests.clocks import Looks, stopping

Solver = Callable[[Graph, Bits, Limits], tuple[Bits | None, Kernel]]
HOLES = np.random.default_rng(5).random((9, 8)) < 0.85


def by_chase(graph: Graph, change: Bits, deadline: Limits) -> tuple[Bits | None, Kernel]:
    rows = light_chasing.chase_of(graph)
    assert rows is not None
    return light_chasing.solve(rows, change, deadline)


def by_front(graph: Graph, change: Bits, deadline: Limits) -> tuple[Bits | None, Kernel]:
    return frontal.solve(frontal.Front(graph, deadline), change)


def by_lines(graph: Graph, change: Bits, deadline: Limits) -> tuple[Bits | None, Kernel]:
    assert isinstance(graph, CrossGraph)
    return line_parities.solve(graph, change, deadline)


PATH = EdgeGraph(40, [(v, v + 1) for v in range(39)])
TECHNIQUES: list[tuple[Graph, Solver]] = [
    (grid_graph("cross", (7, 9)), by_lines),
    (grid_graph("cross", (9, 8), HOLES), by_lines),
    (grid_graph("plus", (9, 9)), by_chase),
    (grid_graph("torus-plus", (6, 9)), by_chase),
    (grid_graph("king", (6, 7)), by_front),
    (grid_graph("plus", (9, 8), HOLES), by_front),
    (PATH, by_front),
    (grid_graph("torus-plus", (5, 5)), solve_densely),
]


def numbers(looks: int) -> Iterator[int]:
    """The looks to stop at: all of the first, some of the later ones."""
    yield from range(1, min(looks, 25) + 1)
    yield from range(26, looks + 1, max(1, looks // 25))


@pytest.mark.parametrize(("graph", "technique"), TECHNIQUES)
def test_every_technique_looks_at_the_clock(graph: Graph, technique: Solver) -> None:
    rng = np.random.default_rng(1)
    change = graph.apply(rng.random(graph.size) < 0.5)

    def whole(clock: Limits) -> int:
        """Solve, and make the kernel's members, which are due by then too."""
        solution, quiet = technique(graph, change, clock)
        assert solution is not None
        assert np.array_equal(graph.apply(solution), change)
        return len(quiet.basis())

    looks = Looks(None)
    nullity = whole(looks.clock)
    assert looks.seen > 1
    with pytest.raises(TimeUp):
        technique(graph, change, stopping(1))
    for look in numbers(looks.seen):
        with pytest.raises(TimeUp):
            whole(stopping(look))
    assert whole(stopping(looks.seen + 1)) == nullity == whole(NEVER)


@pytest.mark.parametrize("goal", ["solvable", "unsolvable"])
def test_press_sets_or_no_answer(goal: str) -> None:
    """A witness is made under the clock as well; without a clock nothing changes."""
    graph = grid_graph("king", (8, 11))
    change = np.zeros(graph.size, dtype=np.bool_)
    change[0] = goal == "unsolvable"
    board = Board(graph, ~change, np.ones(graph.size, dtype=np.bool_))
    wanted = PressSets if goal == "solvable" else Witness
    assert isinstance(press_sets(board), wanted)
    looks = Looks(None)
    assert isinstance(press_sets(board, looks.clock), wanted)
    for look in numbers(looks.seen):
        with pytest.raises(TimeUp):
            press_sets(board, stopping(look))
    assert isinstance(press_sets(board, stopping(looks.seen + 1)), wanted)


def test_blocks_look_at_the_clock() -> None:
    """Two wheels of six spokes that share a vertex, and a path that hangs on them."""
    edges = [(0, v) for v in range(1, 13)] + [(v, v + 1) for v in range(1, 6)] + [(1, 6)]
    edges += [(v, v + 1) for v in range(7, 12)] + [(7, 12), (12, 13), (13, 14)]
    problem = OrderingProblem.from_edges(16, edges, [0] if len(edges) % 2 else [0, 3])
    looks = Looks(None)
    layout = biconnected_blocks(problem, looks.clock)
    assert isinstance(layout, Blocks)
    assert [block.size for block in layout.blocks] == [7, 7]
    assert looks.seen > 8
    for look in numbers(looks.seen):
        with pytest.raises(TimeUp):
            biconnected_blocks(
                OrderingProblem.from_edges(16, edges, np.flatnonzero(problem.odd)), stopping(look)
            )


def test_lines_look_at_the_clock() -> None:
    board = Family("balanced").draw((20, 24), 3)
    problem = OrderingProblem.of_board(board, board.graph.apply(board.change))
    looks = Looks(None)
    order_lines(problem, looks.clock)
    assert looks.seen > 8
    for look in numbers(looks.seen):
        with pytest.raises(TimeUp):
            order_lines(problem, stopping(look))


def test_what_needs_too_much_memory_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Millions of pairs on lines with holes: said at once, and with the number."""
    monkeypatch.setattr("ponder.system.machine.MOST_BYTES", 5_000_000)
    mask = np.ones((80, 81), dtype=np.bool_)
    mask[:2, :2] = False
    graph = grid_graph("cross", (80, 81), mask)
    dark = np.zeros(graph.size, dtype=np.bool_)
    board = Board(graph, dark, dark)
    sets = press_sets(board)
    assert isinstance(sets, PressSets)
    assert sets.nullity > 0
    target, goal = graph.apply(graph.set_of([7])), graph.set_of([0])
    result = order(Board(graph, target ^ goal, goal))
    assert result.verdict == "unknown"
    assert result.reason is not None
    assert "GB" in result.reason

    for other, count in ((board, 0), (Board(graph, target, dark, "lit"), 1)):
        result = solve(other)  # there is a sequence all the same
        assert (result.verdict, result.count) == ("solved", count)


def test_a_matrix_without_structure_is_estimated_first() -> None:
    graph = EdgeGraph(200_000, [(0, v) for v in range(1, 200_000)])
    with pytest.raises(NeedsMemory, match=r"10\.0 GB"):
        gf2.closed_adjacency(graph)


def test_reading_looks_at_the_clock() -> None:
    grid = "pattern: plus\n0011\n1100\n"
    graph = '{"nodes": ["a", "b"], "edges": [["a", "b"]], "lit": [0, 1]}'
    for text in (grid, graph):
        looks = Looks(None)
        formats.parse_board(text, limits=looks.clock)
        assert looks.seen > 2
        for look in range(1, looks.seen + 1):
            with pytest.raises(TimeUp):
                formats.parse_board(text, limits=stopping(look))


def test_a_clock_that_stops_sooner() -> None:
    assert NEVER.before(5.0).left() is None
    long = Limits(100.0).before(10.0).left()
    short = Limits(2.0).before(10.0).left()
    assert long is not None
    assert short is not None
    assert 50 < long <= 90
    assert 0.5 < short <= 1
    assert stopping(1).before(1.0).expired
