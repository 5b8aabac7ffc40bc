"""Atlases against brute force, published tables and the binomial theorem; every path replayed."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ponder.cli import run
from ponder.find.fewest import atlas
from ponder.find.fewest.atlas import Atlas, atlas_of, backwards
from ponder.model.board import RULES, Board, Rule
from ponder.model.graph import EdgeGraph, Graph, grid_graph
from ponder.system.errors import PonderError
from ponder.system.types import Bits
from tests import brute
from tests.boards import bits_of, edges_of, path_of
from tests.depth import deep

# The largest number of presses that a solvable board with the goal all lit needs (own)
LARGEST: dict[tuple[str, Rule], dict[tuple[int, int], int]] = {
    ("plus", "unlit"): {(3, 3): 10, (3, 4): 14, (4, 4): 8, (4, 5): 22, (5, 5): 20},
    ("cross", "unlit"): {(4, 4): 16, (5, 5): 10},
    ("plus", "any"): {(1, 1): 1, (2, 2): 4, (3, 3): 9, (4, 4): 7, (5, 5): 15},
    ("cross", "any"): {(3, 3): 3, (4, 4): 16, (5, 5): 8},
}

# How many boards need 0, 1, 2, … presses in any order
ANY_ORDER = {
    # A079873 as computed here: at 7 the entry's text has two digits exchanged (476104), and does
    # not add up to 2^23
    ("plus", 5): [
        *(1, 25, 300, 2300, 12650, 53130, 176176, 467104, 982335, 1596279, 1935294, 1684446),
        *(1004934, 383670, 82614, 7350),
    ],
    ("plus", 4): [1, 16, 120, 560, 1387, 1440, 540, 32],  # own
    ("cross", 3): [1, 9, 15, 7],  # own
    ("cross", 5): [1, 25, 300, 2300, 11775, 36571, 51540, 26640, 1920],  # own
}


def empty(graph: Graph, rule: Rule = "unlit", goal: Bits | None = None) -> Board:
    dark = np.zeros(graph.size, dtype=np.bool_)
    return Board(graph, dark, ~dark if goal is None else goal, rule)


def mask(bits: Bits) -> int:
    return sum(1 << int(v) for v in np.flatnonzero(bits))


def oracle(chart: Atlas) -> dict[int, int]:
    """What brute force finds, as distances by state."""
    return brute.distances(chart.graph.size, edges_of(chart.graph), mask(chart.goal), chart.rule)


def check_everything(chart: Atlas, states: range | list[int]) -> None:
    """Compare totals with brute force, and these states one by one, with their paths."""
    size, edges = chart.graph.size, edges_of(chart.graph)
    expected = oracle(chart)
    assert chart.histogram == tuple(np.bincount(list(expected.values())).tolist())
    assert chart.solvable == len(expected)
    assert expected[mask(chart.hardest.lit)] == chart.largest == max(expected.values())
    for state in states:
        board = Board(chart.graph, bits_of(state, size), chart.goal, chart.rule)
        assert chart.distance(board) == expected.get(state)
        path = path_of(chart, board)
        if path is None:
            assert state not in expected
        else:
            assert path.size == expected[state]
            assert brute.replays(size, edges, state, mask(chart.goal), path.tolist(), chart.rule)


@pytest.mark.parametrize("step", deep(11, 1))
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    ("pattern", "shape"),
    [
        ("cross", (1, 1)),
        ("plus", (1, 5)),
        ("cross", (2, 3)),
        ("cross", (2, 4)),
        ("plus", (3, 3)),
        ("king", (3, 3)),
        ("torus-plus", (2, 4)),
        ("stencil 1,2 -1,-2", (3, 3)),
    ],
)
def test_every_board_of_small_shapes(
    step: int, pattern: str, shape: tuple[int, int], rule: Rule
) -> None:
    graph = grid_graph(pattern, shape)
    rng = np.random.default_rng(1)
    for goal in (None, np.zeros(graph.size, dtype=np.bool_), rng.random(graph.size) < 0.5):
        states = range(0, 1 << graph.size, step if graph.size < 9 else 7 * step)
        check_everything(atlas_of(empty(graph, rule, goal)), states)


@pytest.mark.parametrize(
    ("pattern", "shape"), [("plus", (3, 4)), ("cross", (3, 4)), ("plus", (4, 4)), ("king", (3, 4))]
)
def test_larger_shapes(pattern: str, shape: tuple[int, int]) -> None:
    graph = grid_graph(pattern, shape)
    states = np.random.default_rng(0).integers(1 << graph.size, size=40).tolist()
    check_everything(atlas_of(empty(graph)), states)


def test_holes() -> None:
    for pattern in ("cross", "plus"):
        board = Board.from_rows(["0-00", "000-", "0-00"], pattern)
        check_everything(atlas_of(board), range(0, 1 << board.graph.size, 7))


@settings(max_examples=60)
@given(st.integers(1, 7), st.floats(0, 1), st.sampled_from(RULES), st.integers(0, 2**32 - 1))
def test_random_graphs(size: int, density: float, rule: Rule, seed: int) -> None:
    rng = np.random.default_rng(seed)
    pairs = np.argwhere(np.triu(rng.random((size, size)) < density, 1))
    board = empty(EdgeGraph(size, pairs), rule, rng.random(size) < 0.5)
    check_everything(atlas_of(board), rng.integers(1 << size, size=12).tolist())


@pytest.mark.parametrize("chunk", range(7))
def test_chunks_of_every_size(monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    """However the bit sets are cut up, the search finds the same."""
    for pattern, shape, rule in [
        ("plus", (3, 4), "unlit"),
        ("cross", (3, 4), "any"),
        ("cross", (3, 5), "lit"),
        ("plus", (4, 4), "unlit"),
    ]:
        graph = grid_graph(pattern, shape)
        goal = np.random.default_rng(2).random(graph.size) < 0.5
        coordinates = atlas_of(empty(graph)).search.coordinates
        expected = atlas_of(empty(graph, rule, goal)).search  # type: ignore[arg-type]
        monkeypatch.setattr(atlas, "_CHUNK", chunk)
        found = backwards(coordinates, goal, rule)  # type: ignore[arg-type]
        monkeypatch.undo()
        assert found.histogram == expected.histogram
        assert found.hardest == expected.hardest
        assert np.array_equal(found.reached, expected.reached)
        assert len(found.planes) == len(expected.planes)
        for mine, theirs in zip(found.planes, expected.planes, strict=True):
            assert np.array_equal(mine, theirs)


@pytest.mark.parametrize(("kind", "shapes"), LARGEST.items())
def test_largest_numbers_of_presses(
    kind: tuple[str, Rule], shapes: dict[tuple[int, int], int]
) -> None:
    pattern, rule = kind
    for shape, largest in shapes.items():
        chart = atlas_of(empty(grid_graph(pattern, shape), rule))
        assert chart.largest == largest, shape
        assert chart.solvable == 1 << (chart.graph.size - chart.nullity)
        path = path_of(chart, chart.hardest)
        assert path is not None
        assert path.size == largest


@pytest.mark.parametrize(("shape", "histogram"), ANY_ORDER.items())
def test_published_histograms(shape: tuple[str, int], histogram: list[int]) -> None:
    pattern, size = shape
    chart = atlas_of(empty(grid_graph(pattern, (size, size)), "any"))
    assert list(chart.histogram) == histogram


def test_without_quiet_patterns_any_order_is_binomial() -> None:
    for shape in ((3, 3), (2, 5), (3, 4), (4, 5)):
        chart = atlas_of(empty(grid_graph("plus", shape), "any"))
        if chart.nullity == 0:
            n = chart.graph.size
            assert chart.histogram == tuple(math.comb(n, k) for k in range(n + 1))
    assert atlas_of(empty(grid_graph("plus", (3, 3)), "any")).nullity == 0


def test_a_board_that_linear_algebra_solves_and_no_legal_sequence() -> None:
    board = Board.from_rows(["1"], goal="unlit")
    chart = atlas_of(board)
    assert (chart.solvable, chart.stuck, chart.largest) == (1, 1, 0)
    assert chart.distance(board) is None
    assert path_of(chart, board) is None
    assert mask(chart.hardest.lit) == 0


def test_a_board_without_a_press_set() -> None:
    board = Board.from_rows(["100", "000", "000"])
    chart = atlas_of(board)
    assert chart.nullity == 4
    assert chart.distance(board) is None
    assert path_of(chart, board) is None


def test_many_bulbs_of_small_rank() -> None:
    """All 300 bulbs of a complete graph toggle everything."""
    graph = EdgeGraph(300, np.argwhere(np.triu(np.ones((300, 300), dtype=bool), 1)))
    chart = atlas_of(empty(graph))
    assert (chart.histogram, chart.nullity) == ((1, 1), 299)
    assert chart.distance(empty(graph)) == 1


@pytest.mark.parametrize("rows", [6, 100])
def test_large_shapes_are_refused(rows: int) -> None:
    with pytest.raises(PonderError, match="too large") as caught:
        atlas_of(empty(grid_graph("plus", (rows, rows))))
    assert "\n" not in str(caught.value)


def test_boards_of_another_shape_are_refused() -> None:
    board = Board.from_rows(["000", "000"], "plus")
    chart = atlas_of(board)
    for other in (
        Board.from_rows(["000", "000"], "king"),
        Board.from_rows(["000", "000"], "plus", rule="any"),
        Board.from_rows(["000", "000"], "plus", goal="unlit"),
        Board.from_rows(["0000"], "plus"),
    ):
        with pytest.raises(ValueError, match="another"):
            chart.distance(other)
    same = Board.from_rows(["111", "111"], "plus")
    assert chart.distance(same) == 0


# The command


def here(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Run `ponder atlas …` in this process: (exit code, standard output, standard error)."""
    code = run(["atlas", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.deep
@pytest.mark.parametrize("rule", RULES)
def test_every_board_by_brute_force_deep(rule: Rule) -> None:
    for pattern, shape in [("cross", (4, 4)), ("torus-plus", (4, 4)), ("king", (3, 5))]:
        graph = grid_graph(pattern, shape)
        states = np.random.default_rng(3).integers(1 << graph.size, size=1000).tolist()
        check_everything(atlas_of(empty(graph, rule)), states)


@pytest.mark.deep
def test_the_largest_atlas_deep() -> None:
    chart = atlas_of(empty(grid_graph("plus", (3, 9))))
    assert chart.solvable == 2**27
    path = path_of(chart, chart.hardest)
    assert path is not None
    assert path.size == chart.largest
