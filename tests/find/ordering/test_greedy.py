"""Greedy orders: always legal, never where brute force finds none, and reproducible."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ponder.find.ordering.greedy import (
    DIRECTIONS,
    VARIANTS,
    Direction,
    Trials,
    Variant,
    greedy_prefix,
    order_greedy,
    search,
)
from ponder.find.ordering.greedy_lines import _matching, _random_matching
from ponder.model.board import Board
from ponder.model.formats import read
from ponder.model.graph import grid_graph
from ponder.model.ordering_problem import Order, OrderingProblem, Unknown
from ponder.system.errors import BadArgument
from ponder.system.limits import Limits
from ponder.system.types import indices
from tests import brute
from tests.depth import deep

WAYS = [(variant, direction) for variant in VARIANTS for direction in DIRECTIONS]
INSTANCES = Path(__file__).parents[3] / "instances"


def edges_of(problem: OrderingProblem) -> list[tuple[int, int]]:
    return [(u, v) for u, v in problem.edges.tolist()]


def is_build_prefix(problem: OrderingProblem, placed: list[int]) -> bool:
    """Every vertex once, with t(v) mod 2 neighbours before it."""
    near = brute.masks(problem.size, edges_of(problem))
    done = 0
    for v in placed:
        if done >> v & 1 or (done & near[v]).bit_count() % 2 != problem.odd[v]:
            return False
        done |= 1 << v
    return True


def is_play_prefix(problem: OrderingProblem, placed: list[int]) -> bool:
    """Every vertex once, with t(v) mod 2 neighbours outside the part up to it."""
    near = brute.masks(problem.size, edges_of(problem))
    ahead = (1 << problem.size) - 1
    for v in placed:
        if not ahead >> v & 1 or (ahead & near[v]).bit_count() % 2 != problem.odd[v]:
            return False
        ahead ^= 1 << v
    return True


def is_stuck(problem: OrderingProblem, placed: list[int], direction: Direction) -> bool:
    """Whether no vertex can follow."""
    near = brute.masks(problem.size, edges_of(problem))
    everything = (1 << problem.size) - 1
    done = sum(1 << v for v in placed)
    there = done if direction == "backwards" else everything ^ done
    return all(
        done >> v & 1 or (there & near[v]).bit_count() % 2 != problem.odd[v]
        for v in range(problem.size)
    )


def check_trial(problem: OrderingProblem, variant: Variant, direction: Direction, seed: int) -> int:
    """One trial is legal and goes on until it is stuck; return how far it got."""
    campaign = search(problem, Trials(variant=variant, direction=direction, count=1, seed=seed))
    placed = campaign.placed.tolist()
    check = is_build_prefix if direction == "backwards" else is_play_prefix
    assert check(problem, placed)
    assert is_stuck(problem, placed, direction)
    assert not campaign.halted
    return len(placed)


def small_problems(most: int) -> Iterator[OrderingProblem]:
    """Every labelled graph with up to `most` vertices, with every T."""
    for size in range(most + 1):
        pairs = list(itertools.combinations(range(size), 2))
        for chosen in itertools.product((False, True), repeat=len(pairs)):
            edges = list(itertools.compress(pairs, chosen))
            for odd in itertools.product((False, True), repeat=size):
                yield OrderingProblem.from_edges(size, edges, itertools.compress(range(size), odd))


@pytest.mark.parametrize("step", deep(3, 1))
@pytest.mark.parametrize(("variant", "direction"), WAYS)
def test_all_small_graphs(variant: Variant, direction: Direction, step: int) -> None:
    """Up to 4 vertices: an order exactly where there is one, given enough trials."""
    for problem in itertools.islice(small_problems(4), 0, None, step):
        answer = order_greedy(problem, Trials(variant=variant, direction=direction, count=40))
        exists = brute.orderable(problem.size, edges_of(problem), np.flatnonzero(problem.odd))
        assert isinstance(answer, Order) <= exists
        if isinstance(answer, Order):
            assert is_build_prefix(problem, answer.vertices[::-1].tolist())
        elif variant == "random":  # reaches every order with positive probability
            assert not exists


@pytest.mark.deep
def test_all_graphs_of_five() -> None:
    """Never an order where there is none; nearly always one where there is."""
    found, possible = dict.fromkeys(WAYS, 0), 0
    for problem in small_problems(5):
        exists = brute.orderable(problem.size, edges_of(problem), np.flatnonzero(problem.odd))
        possible += exists
        for variant, direction in WAYS:
            answer = order_greedy(
                problem, Trials(variant=variant, direction=direction, count=30 if exists else 3)
            )
            if isinstance(answer, Order):
                assert exists
                assert is_build_prefix(problem, answer.vertices[::-1].tolist())
                found[variant, direction] += 1
    assert min(found.values()) >= 0.9 * possible


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (2, 2), (2, 4), (3, 3)])
@pytest.mark.parametrize("rule", ["unlit", "lit"])
def test_replay_on_boards(shape: tuple[int, int], rule: str) -> None:
    """Boards of every pattern, with random goals, replayed bulb by bulb."""
    rng = np.random.default_rng(3)
    found = 0
    for pattern in ("cross", "plus", "king", "torus-plus"):
        graph = grid_graph(pattern, shape)
        edges = brute.grid_edges(*shape, pattern)
        for seed in range(6):
            presses, goal = rng.random((2, graph.size)) < 0.5
            lit = goal ^ graph.apply(presses)
            board = Board(graph, lit, goal, "lit" if rule == "lit" else "unlit")
            problem = OrderingProblem.of_board(board, presses)
            start, end = (sum(1 << int(v) for v in np.flatnonzero(x)) for x in (lit, goal))
            for variant, direction in WAYS:
                answer = order_greedy(
                    problem, Trials(variant=variant, direction=direction, count=5, seed=seed)
                )
                if isinstance(answer, Order):
                    found += 1
                    sequence = answer.bulbs(problem).tolist()
                    assert sorted(sequence) == np.flatnonzero(presses).tolist()
                    assert brute.replays(graph.size, edges, start, end, sequence, rule)
    assert found


@given(st.data())
@settings(max_examples=150)
def test_row_column_trials(data: st.DataObject) -> None:
    """Lines with holes, any T, with and without repeated bulbs, against the plain rule."""
    rows, columns = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 6))
    rng = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    mask = rng.random((rows, columns)) < 0.9
    if not mask.any():
        return
    graph = grid_graph("cross", (rows, columns), mask)
    if data.draw(st.booleans()):
        bulbs = np.flatnonzero(rng.random(graph.size) < rng.random())
    else:
        bulbs = np.repeat(np.arange(graph.size), indices(rng.integers(0, 3, graph.size)))
    odd = rng.random(bulbs.size) < data.draw(st.sampled_from([0, 0.3, 1]))
    for variant, direction in WAYS:
        check_trial(OrderingProblem(graph, bulbs, odd), variant, direction, 1)


@given(st.data())
@settings(max_examples=100)
def test_graph_trials(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 14))
    rng = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    pairs = [p for p in itertools.combinations(range(size), 2) if rng.random() < 0.4]
    problem = OrderingProblem.from_edges(size, pairs, np.flatnonzero(rng.random(size) < 0.3))
    for variant, direction in WAYS:
        check_trial(problem, variant, direction, 1)


@pytest.mark.parametrize(("variant", "direction"), WAYS)
def test_larger_row_column_board(variant: Variant, direction: Direction) -> None:
    """Large enough for every way of drawing: long lines, rare legal presses, many rounds."""
    rng = np.random.default_rng(11)
    bulbs = np.flatnonzero(rng.random(900) < 0.7)
    problem = OrderingProblem(grid_graph("cross", (15, 60)), bulbs, np.zeros(bulbs.size, np.bool_))
    for seed in range(1):
        assert check_trial(problem, variant, direction, seed)


@pytest.mark.parametrize(("variant", "direction"), WAYS)
def test_lines_need_no_edges(variant: Variant, direction: Direction) -> None:
    bulbs = np.arange(0, 400, 3)
    problem = OrderingProblem(grid_graph("cross", (20, 20)), bulbs, np.zeros(bulbs.size, np.bool_))
    order_greedy(problem, Trials(variant=variant, direction=direction, count=3))
    assert not {"edges", "adjacency", "neighbours"} & set(vars(problem))


@pytest.mark.parametrize(("variant", "direction"), WAYS)
def test_rounds_are_maximal_independent_sets(variant: Variant, direction: Direction) -> None:
    """`rounds` takes far fewer steps than presses; the others one step a press."""
    rng = np.random.default_rng(2)
    for pattern in ("cross", "plus"):
        graph = grid_graph(pattern, (12, 12))
        bulbs = np.flatnonzero(rng.random(graph.size) < 0.5)
        problem = OrderingProblem(graph, bulbs, np.zeros(bulbs.size, np.bool_))
        best = search(problem, Trials(variant=variant, direction=direction, count=1))
        if variant == "rounds":
            assert 0 < best.rounds < best.placed.size / 2
        else:
            assert best.rounds == best.placed.size


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), unique=True))
def test_matching_is_the_sequential_one(presses: list[tuple[int, int]]) -> None:
    taken: list[int] = []
    busy: set[int] = set()
    for k, (r, c) in enumerate(presses):
        if not {r, 8 + c} & busy:
            taken.append(k)
            busy |= {r, 8 + c}
    pairs = np.array(presses, dtype=np.int64).reshape(-1, 2)
    assert sorted(_matching(pairs[:, 0], 8 + pairs[:, 1], 16).tolist()) == taken


@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 10**6))
def test_random_matching_is_maximal(rows: int, columns: int, seed: int) -> None:
    generator = np.random.default_rng(seed)
    presses = np.argwhere(generator.random((rows, columns)) < 0.8)
    row, column = presses[:, 0], rows + presses[:, 1]
    taken = _random_matching(row, column, rows + columns, generator)
    busy = [*row[taken].tolist(), *column[taken].tolist()]
    assert len(set(busy)) == len(busy)
    assert all(r in busy or c in busy for r, c in zip(row, column, strict=True))


@pytest.mark.parametrize("size", [4, 24, 30])
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_ibm_boards(size: int, direction: Direction) -> None:
    """The default variant solves all three, from either end."""
    name = "example-4x4" if size == 4 else f"{size}x{size}"
    board = read(INSTANCES / f"ibm-2023-04-{name}.txt")
    problem = OrderingProblem.of_board(board, board.graph.apply(board.change))
    answer = order_greedy(problem, Trials(direction=direction))
    assert isinstance(answer, Order)
    sequence = answer.bulbs(problem).tolist()
    assert len(sequence) == {4: 4, 24: 280, 30: 429}[size]
    start = sum(1 << int(v) for v in np.flatnonzero(board.lit))
    edges = brute.grid_edges(size, size, "cross") if size < 10 else None
    if edges is None:
        whole = board.graph.edges_within(np.arange(board.graph.size))
        edges = [(u, v) for u, v in whole.tolist()]
    assert brute.replays(size * size, edges, start, (1 << size * size) - 1, sequence)


@pytest.mark.parametrize(("variant", "direction"), WAYS)
def test_same_seed_same_answer(variant: Variant, direction: Direction) -> None:
    rng = np.random.default_rng(4)
    bulbs = np.flatnonzero(rng.random(144) < 0.5)
    for pattern in ("cross", "king"):
        problem = OrderingProblem(
            grid_graph(pattern, (12, 12)), bulbs, np.zeros(bulbs.size, np.bool_)
        )
        first, again, other = (
            search(problem, Trials(variant=variant, direction=direction, count=3, seed=seed))
            for seed in (6, 6, 7)
        )
        assert first.placed.tolist() == again.placed.tolist()
        assert first.statistics == again.statistics
        assert first.placed.tolist() != other.placed.tolist()


def test_same_answer_in_every_process() -> None:
    code = (
        "import numpy as np\n"
        "from ponder.model.graph import grid_graph\n"
        "from ponder.find.ordering.greedy import VARIANTS, Trials, search\n"
        "from ponder.model.ordering_problem import OrderingProblem\n"
        "for pattern in ('cross', 'plus'):\n"
        "    p = OrderingProblem(grid_graph(pattern, (6, 6)), np.arange(36), np.zeros(36, bool))\n"
        "    for v in VARIANTS: print(search(p, Trials(variant=v, count=2)).placed.tolist())\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(INSTANCES.parent)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


@pytest.mark.parametrize(("variant", "direction"), WAYS)
def test_empty_problem(variant: Variant, direction: Direction) -> None:
    for problem in (
        OrderingProblem.from_edges(0, []),
        OrderingProblem(grid_graph("cross", (3, 3)), np.arange(0), np.zeros(0, np.bool_)),
    ):
        answer = order_greedy(problem, Trials(variant=variant, direction=direction), Limits(0.0))
        assert isinstance(answer, Order)
        assert answer.vertices.size == 0
    assert greedy_prefix(problem, Trials(variant=variant)).size == 0


def test_limits() -> None:
    problem = OrderingProblem.from_edges(3, [(0, 1), (1, 2)])
    for answer in (
        order_greedy(problem, limits=Limits(0.0)),
        order_greedy(problem, limits=Limits(None, stop=lambda: True)),
        order_greedy(problem, Trials(count=0)),
    ):
        assert isinstance(answer, Unknown)
        assert answer.statistics["trials"] == 0
    assert isinstance(order_greedy(problem, limits=Limits(60, stop=lambda: False)), Order)


@pytest.mark.parametrize(("variant", "direction"), WAYS)
@pytest.mark.parametrize("pattern", ["cross", "plus"])
def test_stops_within_a_trial(pattern: str, variant: Variant, direction: Direction) -> None:
    """A stop that says yes when asked within the first trial ends it early, legally."""
    before = 1 if pattern == "cross" else 5  # four times while the neighbours are listed
    asked = itertools.count()
    problem = OrderingProblem(
        grid_graph(pattern, (40, 40)), np.arange(1600), np.zeros(1600, np.bool_)
    )
    whole = search(problem, Trials(variant=variant, direction=direction, count=1))
    limits = Limits(None, stop=lambda: next(asked) >= before)
    part = search(problem, Trials(variant=variant, direction=direction), limits)
    assert part.halted
    assert part.statistics["trials"] == 1
    assert 0 < part.placed.size < whole.placed.size
    assert part.placed.tolist() == whole.placed[: part.placed.size].tolist()


def test_statistics() -> None:
    """A triangle has no order (three edges): every trial counts, and none is said to refute."""
    triangle = OrderingProblem.from_edges(3, [(0, 1), (1, 2), (0, 2)])
    answer = order_greedy(triangle, Trials(count=130, seed=9))
    assert isinstance(answer, Unknown)
    assert answer.statistics["trials"] == 130
    assert answer.statistics["placed"] == [1] * 100
    assert answer.statistics["best"] == 1
    assert answer.statistics["seed"] == 9
    assert "1 of 3 presses" in answer.reason


@pytest.mark.parametrize("variant", VARIANTS)
def test_prefix_is_the_longest_of_its_trials(variant: Variant) -> None:
    rng = np.random.default_rng(8)
    bulbs = np.flatnonzero(rng.random(100) < 0.6)
    problem = OrderingProblem(grid_graph("plus", (10, 10)), bulbs, np.zeros(bulbs.size, np.bool_))
    campaign = search(problem, Trials(variant=variant, count=8, seed=1))
    prefix = greedy_prefix(problem, Trials(variant=variant, count=8, seed=1)).tolist()
    assert is_build_prefix(problem, prefix)
    placed = campaign.statistics["placed"]
    assert isinstance(placed, list)
    assert len(prefix) == max(placed)


def test_refused_arguments() -> None:
    problem = OrderingProblem.from_edges(1, [])
    with pytest.raises(BadArgument, match="unknown variant 'best'"):
        order_greedy(problem, Trials(variant="best"))  # type: ignore[arg-type]
    with pytest.raises(BadArgument, match="unknown direction 'up'"):
        order_greedy(problem, Trials(direction="up"))  # type: ignore[arg-type]
    with pytest.raises(BadArgument, match="trials: -1 is not a whole number"):
        order_greedy(problem, Trials(count=-1))
