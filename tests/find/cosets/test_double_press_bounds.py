"""Bounds of many press sets at a time against those of one, and against all packings; the list."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest

from ponder.check import coset_parts
from ponder.check.coset import Coset
from ponder.check.limits import Budget
from ponder.check.linear import press_sets as checked
from ponder.check.odd_components import Pieces
from ponder.check.small_components import (
    SmallComponents,
    bits_of,
    planes_of,
    planes_of_members,
)
from ponder.find.cosets import best_first, coset
from ponder.find.cosets.best_first import ByNeed
from ponder.find.cosets.coset import ByWeight
from ponder.find.cosets.double_press_bounds import DoublePressBounds
from ponder.find.fewest.clusters import Clusters
from ponder.find.fewest.fewest_presses import fewest
from ponder.find.fewest.odd_components import savings
from ponder.find.linear.press_sets import PressSets, press_sets
from ponder.find.search.context import silent
from ponder.find.search.outcome import SearchOutcome
from ponder.model.board import Board
from ponder.model.graph import EdgeGraph, Graph, grid_graph
from ponder.system.limits import NEVER, Limits, TimeUp
from ponder.system.types import Bits, Ints
from tests.boards import solved_by

SHAPES = [
    ("plus", (5, 6)),
    ("plus", (12, 12)),
    ("king", (7, 7)),
    ("torus-plus", (5, 6)),
    ("torus-king", (6, 7)),
    ("cross", (4, 5)),
    ("plus", (1, 9)),
]


def graphs() -> list[Graph]:
    """Grids, and graphs with few and many edges, bulbs without neighbours among them."""
    found: list[Graph] = [grid_graph(pattern, shape) for pattern, shape in SHAPES]
    rng = np.random.default_rng(4)
    for size, density in ((1, 0.0), (9, 0.0), (12, 0.15), (14, 0.3), (10, 0.8)):
        pairs = [p for p in itertools.combinations(range(size), 2) if rng.random() < density]
        found.append(EdgeGraph(size, pairs))
    return found


def parities(graph: Graph) -> list[Bits]:
    rng = np.random.default_rng(graph.size)
    return [np.zeros(graph.size, dtype=bool), rng.random(graph.size) < 0.5]


def board_of(graph: Graph, odd_later: Bits) -> Board:
    board = Board(graph, np.zeros(graph.size, dtype=bool), ~odd_later)
    assert board.odd_later is not None
    assert np.array_equal(board.odd_later, odd_later)
    return board


def most_apart(clusters: Clusters, press_set: Bits) -> int:
    """The largest number of odd components whose N[X] do not meet, by trying all families."""
    found = savings(clusters, clusters.of(press_set.astype(int).tolist()))
    around = []
    for k in found.odd:
        bulbs = found.components[k].bulbs
        around.append({*bulbs, *clusters.beside(bulbs)})
    for size in range(len(around), 0, -1):
        for family in itertools.combinations(around, size):
            if len(set().union(*family)) == sum(map(len, family)):
                return size
    return 0


def test_apart_is_what_one_at_a_time_finds() -> None:
    rng = np.random.default_rng(1)
    for graph in graphs():
        for odd_later in parities(graph):
            clusters = Clusters(board_of(graph, odd_later))
            bounds = DoublePressBounds(graph, odd_later)
            press_sets = rng.random((60, graph.size)) < rng.uniform(0.2, 0.7, (60, 1))
            pairs, odd = bounds.apart(press_sets)
            for press_set, found, components in zip(press_sets, pairs, odd, strict=True):
                one = savings(clusters, clusters.of(press_set.astype(int).tolist()))
                assert (found, components) == (one.quick, len(one.odd))


def small_odd(board: Board, press_set: Bits) -> list[list[int]]:
    """The odd components of one bulb or two."""
    near = [board.graph.neighbours(v).tolist() for v in range(board.graph.size)]
    assert board.odd_later is not None
    pieces = Pieces.of(press_set, near, board.odd_later)
    return [pieces.members[k] for k in pieces.odd if len(pieces.members[k]) <= 2]


def test_small_components_are_seen_and_kept_apart() -> None:
    """Where they are, and no more than can be; by press sets and by numbers, in parts or not."""
    rng = np.random.default_rng(2)
    seen = 0
    for graph in graphs():
        near = [graph.neighbours(v).tolist() for v in range(graph.size)]
        for odd_later in parities(graph):
            board = board_of(graph, odd_later)
            clusters, small = Clusters(board), SmallComponents(near, odd_later)
            press_sets = rng.random((70, graph.size)) < rng.uniform(0.2, 0.6, (70, 1))
            planes = planes_of(press_sets)
            found = small.apart(planes, 70)
            anywhere = bits_of(small.anywhere(planes), 70)
            for press_set, any_, doubles in zip(press_sets, anywhere, found, strict=True):
                components = small_odd(board, press_set)
                assert any_ == bool(components)
                touched = Counter(w for x in components for v in x for w in near[v])
                further = sum(touched[w] - 1 for w in touched if not press_set[w])
                if all(len(bulbs) == 1 for bulbs in components):
                    assert doubles >= len(components) - further
                if graph.size <= 60:
                    assert doubles <= most_apart(clusters, press_set)
                seen += doubles
    assert seen > 100


def test_planes_of_members() -> None:
    rng = np.random.default_rng(7)
    for digits, count in ((0, 5), (3, 64), (9, 100), (21, 1000)):
        columns, base = rng.integers(0, 1 << digits, 30), rng.random(30) < 0.5
        numbers = rng.integers(0, 1 << digits, count)
        expected = base ^ (np.bitwise_count(numbers[:, None] & columns) & 1).astype(bool)
        planes = planes_of_members(base, columns, numbers)
        for v in range(30):
            assert bits_of(planes[v], count).tolist() == expected[:, v].tolist()


def test_pieces_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = grid_graph("plus", (8, 8))
    rng = np.random.default_rng(3)
    press_sets = rng.random((50, 64)) < 0.4
    bounds = DoublePressBounds(graph, np.zeros(64, dtype=bool))
    whole = bounds.apart(press_sets)
    monkeypatch.setattr("ponder.find.cosets.double_press_bounds.PIECE", 1)
    for before, after in zip(whole, bounds.apart(press_sets), strict=True):
        assert before.tolist() == after.tolist()


def test_graphs_that_it_does_not_suit() -> None:
    star = EdgeGraph(100, [(0, v) for v in range(1, 100)])
    assert not DoublePressBounds.suits(star)
    assert not DoublePressBounds.suits(grid_graph("cross", (80, 80)))
    assert DoublePressBounds.suits(EdgeGraph(3, []))
    assert DoublePressBounds.suits(grid_graph("torus-king", (9, 9)))


def test_time_limit() -> None:
    graph = grid_graph("plus", (8, 8))
    bounds = DoublePressBounds(graph, np.zeros(64, dtype=bool), Limits(0.0))
    with pytest.raises(TimeUp):
        bounds.apart(np.ones((5, 64), dtype=bool))


# ------------------------------------------------------------------------------- the whole coset


def some_boards(pattern: str, shape: tuple[int, int], count: int) -> list[Board]:
    graph, rng = grid_graph(pattern, shape), np.random.default_rng(6)
    return [solved_by(graph, rng.random(graph.size) < 0.5) for _ in range(count)]


def sets_of(board: Board) -> PressSets:
    sets = press_sets(board)
    assert isinstance(sets, PressSets)
    return sets


@pytest.mark.parametrize(
    ("pattern", "shape"), [("plus", (9, 9)), ("plus", (5, 14)), ("torus-plus", (6, 6))]
)
def test_the_list_names_every_press_set(
    monkeypatch: pytest.MonkeyPatch, pattern: str, shape: tuple[int, int]
) -> None:
    """Each once, by bounds that never sink, and none that needs less than the floor says."""
    monkeypatch.setattr(best_first, "BOUNDED", 1)
    for board in some_boards(pattern, shape, 2):
        sets = sets_of(board)
        clusters = Clusters(board)
        source = ByNeed(board, sets)
        assert list(source.promising())
        seen: set[bytes] = set()
        floors = []
        while (floor := source.floor) is not None:
            following = source.take()
            assert following is not None
            press_set = following[1]
            assert np.array_equal(board.graph.apply(press_set), board.change)
            found = savings(clusters, clusters.of(press_set.astype(int).tolist()))
            assert floor <= np.count_nonzero(press_set) + 2 * found.quick
            seen.add(press_set.tobytes())
            floors.append(floor)
        assert len(seen) == len(floors) == 1 << sets.nullity
        assert floors == sorted(floors)
        assert source.take() is None


def test_what_suffices_is_passed_over() -> None:
    board = some_boards("plus", (9, 9), 1)[0]
    sets = sets_of(board)
    clusters = Clusters(board)
    enough = 40
    source = ByNeed(board, sets, lambda: enough)
    count = 0
    while (floor := source.floor) is not None and floor < enough:
        assert source.take() is not None
        count += 1
    listed = ByNeed(board, sets)
    needed = []
    while (floor := listed.floor) is not None:
        following = listed.take()
        assert following is not None
        found = savings(clusters, clusters.of(following[1].astype(int).tolist()))
        needed.append(np.count_nonzero(following[1]) + 2 * found.quick)
    assert count >= np.count_nonzero(np.array(needed) < enough)
    assert count < len(needed)


def test_a_list_by_parts_is_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """And one that is made longer, by parts or by all weights, is that of all at once."""
    monkeypatch.setattr(coset, "MOST_LISTED", 40)
    monkeypatch.setattr(coset, "SPARED", 30)
    asked = []

    def counted(members: Coset, bound: int, budget: Budget) -> tuple[Ints, Ints] | None:
        asked.append(coset_parts.lighter_in_parts(members, bound, budget))
        return asked[-1]

    monkeypatch.setattr(coset, "lighter_in_parts", counted)
    for board in [*some_boards("plus", (9, 9), 3), *some_boards("torus-plus", (6, 6), 3)]:
        sets = sets_of(board)
        weights = np.sort(Coset.of(board, checked(board)).weights())
        for chosen in (None, board):
            with monkeypatch.context() as patch:
                for name, value in (("MOST_WEIGHED_SOON", 0), ("_WORTH", -20)):
                    patch.setattr(coset_parts, name, value)
                patch.setattr(coset, "MOST_WEIGHED_SOON", 0)
                patch.setattr(coset, "IN_PARTS", 20)
                source = ByWeight(sets, board=chosen)
                while source.extend(NEVER, silent):
                    listed = source.weights
                    assert listed.tolist() == weights[: listed.size].tolist()
                    assert source.beyond is None or source.beyond <= weights[listed.size]
                    made = source.press_sets(slice(None))
                    assert np.count_nonzero(made, axis=1).tolist() == listed.tolist()
                    assert all(np.array_equal(board.graph.apply(s), board.change) for s in made)
                    assert np.unique(source.numbers).size == listed.size
                assert source.weights.size == weights.size
    assert sum(found is not None for found in asked) > 8


@pytest.mark.parametrize("most", [1, 5, 1 << 20])
def test_answers_do_not_depend_on_the_list(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """In batches or not, all press sets or the lightest alone: one optimum, or a true bound."""
    for pattern, shape in (("plus", (4, 4)), ("plus", (5, 5)), ("king", (3, 3)), ("plus", (9, 9))):
        for board in some_boards(pattern, shape, 2):
            plain = fewest(board, sets_of(board))
            assert isinstance(plain, SearchOutcome)
            assert plain.optimal
            with monkeypatch.context() as patch:
                patch.setattr(best_first, "BOUNDED", 0)
                patch.setattr(coset, "MOST_LISTED", most)
                found = fewest(board, sets_of(board))
            assert isinstance(found, SearchOutcome)
            assert found.lower_bound is not None
            assert plain.count is not None
            assert found.count is not None
            assert found.lower_bound <= plain.count <= found.count
            if most > 1:
                assert found.optimal
