"""The arithmetic of the checker against brute force: press sets, weights, components, settings."""

from __future__ import annotations

import itertools
import random
import time

import numpy as np
import pytest

from ponder.check import coset as cosets
from ponder.check import odd_components
from ponder.check.block import RULES, broken_one_way
from ponder.check.coset import Coset, least_weight, weight_blocks
from ponder.check.line_patterns import light_press_sets
from ponder.check.linear import press_sets
from ponder.check.neighbourhoods import all_neighbours, closed_sums, press_sums, reaches_goal
from ponder.check.odd_components import (
    Pieces,
    _parts,
    members_left,
    saved_at_most,
    without_small,
)
from ponder.check.reader import TooLarge
from ponder.check.settings import IMPOSSIBLE, Rectangle, SwitchSettings
from ponder.check.small_components import SmallComponents, bits_of, planes_of
from ponder.check.subset_table import SubsetTable
from ponder.model.graph import StencilGraph, grid_graph
from ponder.model.wired_graph import Wired
from ponder.system.errors import CheckFailed
from ponder.system.limits import Limits, TimeUp
from ponder.system.types import Ints
from tests import brute, corpus
from tests.boards import cross_pressed, random_edges, solved_by
from tests.depth import deep

WIDE = "stencil 0,2 0,-2 2,0 -2,0 2,2 -2,-2 2,-2 -2,2"
FAR = "stencil " + " ".join(f"{r},{c}" for r in (-2, -1, 0, 1, 2) for c in (-1, 0, 1) if r or c)


def weights_of(coset: Coset) -> Ints:
    """The numbers of presses of all members, by number."""
    return np.concatenate([block for _, block in weight_blocks(coset.base, coset.basis)])


@pytest.mark.parametrize("count", deep(300, 5000))
def test_press_sets(count: int) -> None:
    """All of them, and no others; on boards without any, none."""
    worlds = (*corpus.grid_worlds(), *corpus.graph_worlds(), *corpus.wiring_worlds())
    worlds += corpus.holed_worlds()
    for question in [*corpus.questions(worlds, count), *corpus.larger_questions(count // 10)]:
        truth = question.world.press_sets(question.state)
        sets, size = press_sets(question.board), len(question.world.flips)
        assert (sets.base is not None) == bool(truth)
        if sets.base is None:
            continue
        coset = Coset.from_press_sets(question.board, sets)
        members = [coset.member(number) for number in range(coset.size)]
        assert sorted(sum(1 << int(v) for v in np.flatnonzero(s)) for s in members) == truth
        assert [coset.index(s) for s in members] == list(range(coset.size))
        assert weights_of(coset).tolist() == [int(s.sum()) for s in members]
        weights = sorted(int(s.sum()) for s in members)
        least = least_weight(coset.base, coset.basis)
        assert least == (weights[0], weights.count(weights[0]))
        bound = weights[len(weights) // 2]
        assert sorted(coset.lighter(bound)[1].tolist()) == [w for w in weights if w < bound]
        assert all(reaches_goal(question.board, s) for s in members)
        flipped = members[0].copy()
        flipped[0] ^= True
        assert reaches_goal(question.board, flipped) == any((flipped == s).all() for s in members)
        assert size == members[0].size


@pytest.mark.parametrize("count", deep(100, 2000))
def test_sums(count: int) -> None:
    worlds = (*corpus.grid_worlds(), *corpus.wiring_worlds(), *corpus.holed_worlds())
    for question in corpus.questions(worlds, count):
        graph, rng = question.board.graph, np.random.default_rng(question.state)
        values, lights = rng.integers(-5, 9, graph.presses), rng.integers(0, 9, graph.size)
        flips = question.world.flips
        expected = [
            sum(int(values[v]) for v, flip in enumerate(flips) if flip >> k & 1)
            for k in range(graph.size)
        ]
        assert closed_sums(graph, values).tolist() == expected
        back = [sum(int(lights[k]) for k in range(graph.size) if flip >> k & 1) for flip in flips]
        assert press_sums(graph, lights).tolist() == back


@pytest.mark.parametrize("count", deep(2, 40))
@pytest.mark.parametrize(
    ("pattern", "shape"),
    [
        ("king", (5, 5)),
        ("king", (2, 8)),
        ("king", (8, 3)),
        ("torus-king", (3, 3)),
        ("torus-king", (6, 3)),
        ("torus-king", (4, 6)),
        ("torus-king", (6, 6)),
        (WIDE, (5, 4)),
        (WIDE, (3, 4)),
        (FAR, (5, 5)),
    ],
)
def test_light_press_sets_by_lines(pattern: str, shape: tuple[int, int], count: int) -> None:
    rng = np.random.default_rng(shape[0])
    graph = grid_graph(pattern, shape)
    for _ in range(count):
        board = solved_by(graph, rng.random(graph.size) < 0.5)
        coset = Coset.from_press_sets(board, press_sets(board))
        weights = weights_of(coset)
        for bound in (0, int(weights.min()), int(weights.min()) + 3, graph.size + 1):
            if coset.size > 1 << 14 and bound > graph.size:
                continue
            lighter = light_press_sets(board, coset.base, bound)
            assert lighter is not None
            listed = {s.tobytes() for s in lighter}
            light = np.flatnonzero(weights < bound).tolist()
            assert len(listed) == len(lighter) == len(light)
            assert listed == {coset.member(index).tobytes() for index in light}


@pytest.mark.parametrize(("pattern", "shape"), [("king", (5, 5)), ("torus-king", (3, 3))])
def test_the_lightest_by_lines(
    pattern: str, shape: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The least weight and how many have it: those of a list of all press sets, and no others."""
    monkeypatch.setattr(cosets, "BY_LINES", -1)
    rng = np.random.default_rng(7)
    graph = grid_graph(pattern, shape)
    for _ in range(20):
        board = solved_by(graph, rng.random(graph.size) < 0.5)
        weights = weights_of(Coset.from_press_sets(board, press_sets(board)))
        least, number = int(weights.min()), int((weights == weights.min()).sum())
        assert cosets.Lightest(number).proves(board, "solve", least) == least
        with pytest.raises(CheckFailed):
            cosets.Lightest(number + 1).proves(board, "solve", least)
        assert cosets.Lightest(number).proves(board, "solve", least + 2) == least
        with pytest.raises(CheckFailed):
            cosets.Lightest(number).proves(board, "solve", least - 1)


def test_other_boards_have_no_such_patterns_and_large_ones_too_many() -> None:
    rng = np.random.default_rng(0)
    for pattern in ("plus", "torus-plus", "stencil 1,1 -1,-1"):
        board = solved_by(grid_graph(pattern, (6, 6)), rng.random(36) < 0.5)
        assert isinstance(board.graph, StencilGraph)
        assert light_press_sets(board, press_sets(board).one, 9) is None
    board = solved_by(grid_graph("king", (80, 80)), rng.random(6400) < 0.5)
    with pytest.raises(TooLarge):
        light_press_sets(board, press_sets(board).one, 50)


@pytest.mark.parametrize("count", deep(60, 1000))
def test_components(count: int) -> None:
    """Odd components of one bulb or two by planes, all by a walk, and double presses apart."""
    for seed in range(count):
        rng = random.Random(seed)
        size = rng.randint(2, 12)
        edges = list(random_edges(size, rng.uniform(0.1, 0.5), rng))
        near = [[u for e in edges if v in e for u in e if u != v] for v in range(size)]
        odd = np.array([rng.random() < 0.4 for _ in range(size)])
        sets = np.array([[rng.random() < 0.5 for _ in range(size)] for _ in range(70)])
        small, planes = SmallComponents(near, odd), planes_of(sets)
        anywhere, apart = bits_of(small.anywhere(planes), 70), small.apart(planes, 70)
        for k, chosen in enumerate(sets):
            pieces = Pieces.split(chosen, near, odd)
            members = [pieces.members[x] for x in pieces.odd]
            for x, bulbs in enumerate(pieces.members):
                inside = sum(u in bulbs and v in bulbs for u, v in edges)
                assert ((inside + int(odd[bulbs].sum())) % 2 == 1) == (x in pieces.odd)
            assert anywhere[k] == any(len(bulbs) < 3 for bulbs in members)
            assert apart[k] <= len([bulbs for bulbs in members if len(bulbs) < 3])
            around = [{w for v in bulbs for w in (v, *near[v])} for bulbs in members]
            most = max(
                len(subset)
                for n in range(len(around) + 1)
                for subset in itertools.combinations(around, n)
                if sum(map(len, subset)) == len(set().union(*subset))
            )
            assert apart[k] <= most


@pytest.mark.parametrize("count", deep(150, 2000))
def test_many_helpers_save_no_less(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A group that is too large to be tried out is given at least what it saves."""
    saved = 0
    for seed in range(count):
        rng = random.Random(seed)
        size, alone = rng.randint(6, 14), rng.randint(3, 8)  # so many hardly touch each other
        edges = [
            (u, v)
            for u, v in random_edges(size, rng.uniform(0.2, 0.6), rng)
            if v >= alone or rng.random() < 0.1
        ]
        near = [[u for e in edges if v in e for u in e if u != v] for v in range(size)]
        pressed, odd = (
            np.array([rng.random() < (0.9 if v < alone else 0.1) for v in range(size)])
            for _ in range(2)
        )
        pieces = Pieces.split(pressed, near, odd)
        given = pieces._saving_trees(Limits(None)), near, pieces.owner, set(pieces.odd)
        monkeypatch.setattr(odd_components, "TRIED", size)
        exact = saved_at_most(*given)
        monkeypatch.setattr(odd_components, "TRIED", 0)
        assert saved_at_most(*given) >= exact
        saved += exact > 0
    assert saved > count / 20


def test_parts_of_many_helpers() -> None:
    """Helpers hang together by edges and by components; ten thousand are no work."""
    touched = {0: {7}, 1: {7}, 2: {8}, 3: {9}, 4: set[int]()}
    beside = {0: set[int](), 1: {2}, 2: {1}, 3: set[int](), 4: set[int]()}
    assert sorted(map(sorted, _parts({*range(5)}, touched, beside))) == [[0, 1, 2], [3], [4]]
    assert sorted(map(sorted, _parts({0, 2}, touched, beside))) == [[0], [2]]
    size, start = 10_000, time.process_time()
    assert len(
        _parts({*range(size)}, {w: {w} for w in range(size)}, {w: set() for w in range(size)})
    )
    assert time.process_time() - start < 2


@pytest.mark.parametrize("count", deep(40, 600))
def test_members_that_nothing_refutes(count: int) -> None:
    """Members with neither unequal lines nor an odd component are left, and no others."""
    for seed in range(count):
        question = next(iter(corpus.larger_questions(1, seed)))
        board = question.board
        sets = press_sets(board)
        if board.odd_later is None or sets.base is None or isinstance(board.graph, Wired):
            continue
        coset, near = Coset.from_press_sets(board, sets), all_neighbours(board.graph)
        left = set(members_left(coset, []))
        for number in range(coset.size):
            ordered = question.world.orders[
                sum(1 << int(v) for v in np.flatnonzero(coset.member(number)))
            ]
            odd = Pieces.split(coset.member(number), near, board.odd_later).odd
            assert number in left or not ordered
            assert not (odd and number in left)
        assert left <= set(without_small(coset, near, board.odd_later).tolist())


@pytest.mark.parametrize("count", deep(30, 500))
def test_count_bounds_of_settings(count: int) -> None:
    """The least count bound of all settings, against all press sets of small rectangles."""
    for seed in range(count):
        rng = np.random.default_rng(seed)
        shape = [(3, 3), (3, 4), (4, 3), (5, 3), (3, 5), (1, 4), (5, 2)][seed % 7]
        board = cross_pressed(rng.random(shape) < 0.5)
        coset = Coset.from_press_sets(board, press_sets(board))
        grids = [coset.member(k).reshape(shape) for k in range(coset.size)]
        for side in ("rows", "columns"):
            if shape[side == "columns"] % 2 == 0:
                continue
            costs = {"order": [IMPOSSIBLE], "solve": [IMPOSSIBLE]}
            for grid in grids:
                odd = [int(np.count_nonzero(grid.sum(axis=axis) % 2)) for axis in (0, 1)]
                costs["solve"].append(int(grid.sum()) + abs(odd[0] - odd[1]))
                costs["order"] += [int(grid.sum())] if odd[0] == odd[1] else []
            rectangle = Rectangle.turned(board, coset.base, side)
            for command, cost in costs.items():
                settings = SwitchSettings(rectangle, command)
                least = [c.min(initial=IMPOSSIBLE) for _, c in settings.cheap(4 * board.graph.size)]
                assert min(least, default=IMPOSSIBLE) == min(cost), (seed, side, command)


@pytest.mark.parametrize("count", deep(150, 2000))
def test_subset_tables(count: int) -> None:
    for seed in range(count):
        rng = random.Random(seed)
        size = rng.randint(0, 8)
        edges = list(random_edges(size, rng.uniform(0.2, 1), rng))
        odd = [v for v in range(size) if rng.random() < 0.5]
        near = [[u for e in edges if v in e for u in e if u != v] for v in range(size)]
        table = SubsetTable.from_near(near, [v in odd for v in range(size)])
        assert table.has_order() == (brute.build_order(size, edges, odd) is not None)
    everyone = [[u for u in range(300) if u != v] for v in range(300)]
    assert not SubsetTable.from_near(everyone, [True] * 300).has_order()
    with pytest.raises(TooLarge):
        SubsetTable.from_near([[]] * 2000, [False] * 2000)


@pytest.mark.parametrize("count", deep(150, 2000))
def test_rules_of_presses_that_hear_one_way(count: int) -> None:
    """What a rule refuses has no order; counting refuses each odd sum, all orders the rest."""
    refused = 0
    for seed in range(count):
        rng = random.Random(seed)
        size, share = rng.randint(1, 5), rng.choice((0.4, 0.8, 1))
        hears: list[list[int]] = [[] for _ in range(size)]
        for u, v in itertools.combinations(range(size), 2):
            if rng.random() < share:
                hears[u].append(v)
            if v in hears[u] if seed % 2 else rng.random() < share:
                hears[v].append(u)
        odd = [rng.random() < 0.5 for _ in range(size)]
        none = tuple(map(int, odd)) not in brute.parities_of_orders(hears)
        for rule in RULES:
            broken = broken_one_way(rule, range(size), hears, odd)
            assert not broken or none, (seed, rule)
            assert broken or not none or rule != "orders"
            if rule == "parity" and seed % 2:
                assert broken == ((sum(map(len, hears)) // 2 + sum(odd)) % 2 == 1)
            refused += broken
    assert refused > count / 2


def test_the_clock_is_looked_at() -> None:
    """A check that would take long ends soon after its time."""
    board = solved_by(grid_graph("plus", (30, 30)), np.random.default_rng(1).random(900) < 0.5)
    coset = Coset.from_press_sets(board, press_sets(board))
    assert len(coset.basis) == 20
    crossed = cross_pressed(np.zeros((3, 3), dtype=np.bool_))
    switches = SwitchSettings(Rectangle.turned(crossed, press_sets(crossed).one, "rows"), "solve")
    lines = Coset.from_press_sets(crossed, press_sets(crossed))
    for work in (
        lambda limits: least_weight(coset.base, coset.basis, limits),
        lambda limits: coset.lighter(400, limits),
        lambda limits: members_left(coset, [], limits),
        lambda limits: lines.extra([], np.arange(2), limits),
        lambda limits: press_sets(board, limits),
        lambda limits: list(switches.cheap(9, limits)),
    ):
        with pytest.raises(TimeUp):
            work(Limits(0.0))
    with pytest.raises(TooLarge):
        least_weight(coset.base, np.zeros((33, 900), dtype=np.bool_))
