"""A legal sequence, always: against exhaustive search, and on boards of every kind."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable

import numpy as np
import pytest

import ponder
from ponder.check.replay import replay
from ponder.find.coset import plays
from ponder.find.coset.plays import Play, by_theorem, neighbours_of, press_equivalent
from ponder.find.linear.press_sets import PressSets, press_sets
from ponder.find.ordering.blocks import dead_end
from ponder.model.board import Board, Rule
from ponder.model.edge_graph import EdgeGraph
from ponder.model.graph import Graph, grid_graph
from ponder.system.limits import Limits, NeedsMemory, TimeUp
from ponder.system.types import Ints
from tests import brute
from tests.boards import all_graphs, edges_of, numbered, random_edges, solved_by
from tests.depth import deep

RULES: tuple[Rule, ...] = ("unlit", "lit")
KNIGHT = "stencil 1,2 -1,-2 2,1 -2,-1 1,-2 -1,2 2,-1 -2,1"
PATTERNS = ("cross", "plus", "king", "torus-plus", "torus-king", KNIGHT)


def played(board: Board, seed: int = 0) -> Ints | None:
    """The shortest of some legal sequences, each replayed; None where there is none."""
    sets = press_sets(board)
    if not isinstance(sets, PressSets) or dead_end(board) is not None:
        return None
    near, rng = neighbours_of(board), random.Random(seed)
    sequences = list(plays.legal_sequences(board, sets.particular, near, rng))
    for presses in sequences:
        replay(board, presses)
    return min(sequences, key=lambda presses: presses.size)


def agrees(graph: Graph, goal: int, rule: Rule, states: Iterable[int] | None = None) -> None:
    """Every state that can reach the goal, and no other, has a legal sequence."""
    known = brute.distances(graph.size, edges_of(graph), goal, rule)
    for state in range(1 << graph.size) if states is None else states:
        presses = played(numbered(graph, state, goal, rule), seed=state)
        assert (presses is not None) == (state in known), (graph, state, goal, rule)
        assert presses is None or presses.size >= known[state]


def test_the_theorem_is_needed_and_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every state of small graphs: small pieces, all lit on the way, are played by the theorem."""
    asked: list[int] = []

    def counted(near: object, openings: object, press_set: list[int], *rest: object) -> object:
        asked.append(len(press_set))
        return by_theorem(near, openings, press_set, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(plays, "by_theorem", counted)
    for size, rule in itertools.product(range(1, 4), RULES):
        for edges in all_graphs(size):
            for goal in range(1 << size):
                agrees(EdgeGraph(size, edges), goal, rule)
    for edges in all_graphs(4):
        agrees(EdgeGraph(4, edges), 15, "unlit")
    assert {2, 3, 4} <= set(asked)


@pytest.mark.parametrize("count", deep(6, 60))
def test_random_graphs(count: int) -> None:
    rng = random.Random(4)
    for _ in range(10 * count):
        size = rng.randrange(4, 9)
        graph = EdgeGraph(size, random_edges(size, rng.choice([0.2, 0.4, 0.7]), rng))
        states = {0, (1 << size) - 1, *(rng.getrandbits(size) for _ in range(12))}
        goal = rng.choice([0, (1 << size) - 1, rng.getrandbits(size)])
        agrees(graph, goal, rng.choice(RULES), states)


@pytest.mark.parametrize("seed", range(40))
def test_boards_with_holes(seed: int) -> None:
    """Any pattern, any holes, any goal: a sequence, or a dead end."""
    rng = np.random.default_rng(seed)
    shape = int(rng.integers(1, 10)), int(rng.integers(1, 10))
    mask = rng.random(shape) < rng.choice([0.6, 0.9, 1.0])
    mask[0, 0] = True
    graph = grid_graph(PATTERNS[seed % len(PATTERNS)], shape, mask)
    goal = rng.random(graph.size) < rng.choice([0.0, 0.5, 1.0])
    board = solved_by(graph, rng.random(graph.size) < 0.5, goal, RULES[int(rng.integers(2))])
    assert (played(board) is None) == (dead_end(board) is not None)


def led(size: int, edges: list[tuple[int, int]], state: int, bulb: int) -> None:
    """Lead a state (bits: closed) over one press, unless it is all closed or the next all open."""
    near = [[u for u in range(size) if mask >> u & 1] for mask in brute.masks(size, edges)]
    toggled = 1 << bulb | sum(1 << u for u in near[bulb])
    play = Play(near, bytes(1 - (state >> v & 1) for v in range(size)))
    possible = state != (1 << size) - 1 and state ^ toggled != 0
    assert press_equivalent(play, bulb) == possible
    if possible:
        assert brute.replays(size, edges, state, state ^ toggled, play.moves)


def test_the_lemma_on_random_graphs_and_along_paths() -> None:
    rng = random.Random(5)
    for _ in range(2000):
        size = rng.randrange(5, 13)
        edges = [(rng.randrange(max(0, v - 2), v), v) for v in range(1, size)]
        edges += random_edges(size, rng.choice([0.0, 0.1, 0.3]), rng)
        bulb = rng.randrange(size)
        closed = brute.masks(size, edges)[bulb] | 1 << bulb
        noise = rng.choice([0, (1 << size) - 1, rng.getrandbits(size)])
        led(size, edges, (noise ^ 1 << rng.randrange(size)) | closed, bulb)
        led(size, edges, noise | closed, bulb)


@pytest.mark.parametrize("distance", [3, 4, 401, 5000])
def test_a_bulb_of_the_other_state_is_fetched_from_afar(distance: int) -> None:
    near = [[v - 1, v + 1] for v in range(distance + 1)]
    near[0], near[-1] = [1], [distance - 1]
    openings = bytearray([1]) * (distance + 1)
    openings[0] = openings[1] = openings[distance] = 0
    for flip in (0, 1):  # all between are open, or all are closed
        state = bytes([0, 0, *(bit ^ flip for bit in openings[2:])])
        play, again = Play(near, state), Play(near, state)
        assert press_equivalent(play, 0)
        assert len(play.moves) <= 2 * distance + 15
        assert bytes(play.opened) == bytes([1, 1, *state[2:]])
        for v in play.moves:
            assert again.opened[v]
            again.press(v)


@pytest.mark.parametrize("goal", [0.5, 1.0])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_there_is_a_sequence_after_few_looks_at_the_clock(pattern: str, goal: float) -> None:
    graph, rng = grid_graph(pattern, (30, 30)), np.random.default_rng(1)
    board = solved_by(graph, rng.random(900) < 0.5, rng.random(900) < goal)
    if dead_end(board) is None:
        looks = itertools.count()
        result = ponder.solve(board, timeout=Limits(None, lambda: next(looks) > 500))
        assert result.presses is not None


def test_a_play_that_is_cut_short_leaves_the_first() -> None:
    graph = grid_graph("plus", (40, 40))
    board = solved_by(graph, np.random.default_rng(1).random(1600) < 0.5)
    sets, near = press_sets(board), neighbours_of(board)
    assert isinstance(sets, PressSets)
    whole = plays.legal_sequences(board, sets.particular, near, random.Random(0))
    first, over = next(whole), [False]
    limits = Limits(None, lambda: over[0])
    again = plays.legal_sequences(board, sets.particular, near, random.Random(0), limits)
    assert np.array_equal(next(again), first)
    over[0] = True
    assert list(again) == []
    with pytest.raises(TimeUp):
        list(plays.legal_sequences(board, sets.particular, near, random.Random(0), Limits(0.0)))


def test_a_graph_whose_neighbours_cannot_be_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are looked up one by one: a sequence takes little memory."""
    rng = random.Random(3)
    graph = EdgeGraph(60, random_edges(60, 0.5, rng))
    goal, pressed = (np.array([rng.random() < 0.5 for _ in range(60)]) for _ in range(2))
    board = solved_by(graph, pressed, goal)

    def refused(subject: str, size: int) -> None:
        raise NeedsMemory("too large")

    monkeypatch.setattr("ponder.find.coset.clusters.refuse_above_limit", refused)
    result = ponder.solve(board)
    assert result.verdict == "solved"
    assert result.optimal or result.reason == "too large"
