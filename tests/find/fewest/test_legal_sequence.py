"""A legal sequence, always: against exhaustive search, and on boards of every kind."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ponder.check.replay import replay
from ponder.find.fewest import legal_sequence
from ponder.find.fewest.fewest_presses import fewest
from ponder.find.fewest.legal_sequence import by_theorem, press_equivalent
from ponder.find.fewest.plays import Sketch, neighbour_index, play_of
from ponder.find.linear.press_sets import PressSets, press_sets
from ponder.find.ordering.dead_ends import dead_end
from ponder.find.search.context import SearchContext
from ponder.find.search.outcome import SearchOutcome
from ponder.find.solve import solve
from ponder.model.board import Board, Rule
from ponder.model.graph import EdgeGraph, Graph, grid_graph
from ponder.system.limits import NEVER, Limits, NeedsMemory, TimeUp
from ponder.system.types import Ints
from tests import brute
from tests.boards import all_graphs, edges_of, numbered, random_edges, solved_by
from tests.depth import deep

RULES: tuple[Rule, ...] = ("unlit", "lit")
KNIGHT = "stencil 1,2 -1,-2 2,1 -2,-1 1,-2 -1,2 2,-1 -2,1"
PATTERNS = ("cross", "plus", "king", "torus-plus", "torus-king", "stencil 0,1 0,-1 1,1 -1,-1")


def played(board: Board, seed: int = 0) -> Ints | None:
    """A legal sequence, replayed; None where ponder says that there is none."""
    sets = press_sets(board)
    if not isinstance(sets, PressSets) or dead_end(board) is not None:
        return None
    rng = random.Random(seed)
    found = legal_sequence.legal_sequence(board, sets.particular, neighbour_index(board), rng)
    assert found is not None
    replay(board, found)
    return found


def agrees(graph: Graph, goal: int, rule: Rule, states: Iterable[int] | None = None) -> None:
    """Every state that can reach the goal, and no other, has a legal sequence."""
    known = brute.distances(graph.size, edges_of(graph), goal, rule)
    for state in range(1 << graph.size) if states is None else states:
        found = played(numbered(graph, state, goal, rule), seed=state)
        assert (found is not None) == (state in known), (graph, state, goal, rule)
        assert found is None or found.size >= known[state]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("size", range(1, 4))
def test_every_state_and_goal_of_small_graphs(size: int, rule: Rule) -> None:
    for edges in all_graphs(size):
        for goal in range(1 << size):
            agrees(EdgeGraph(size, edges), goal, rule)


@pytest.mark.deep
@pytest.mark.parametrize("rule", RULES)
def test_every_state_and_goal_of_graphs_of_four(rule: Rule) -> None:
    for edges in all_graphs(4):
        for goal in range(16):
            agrees(EdgeGraph(4, edges), goal, rule)


@pytest.mark.parametrize("count", deep(5, 12))
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("pattern", PATTERNS)
def test_small_boards(pattern: str, rule: Rule, count: int) -> None:
    rng = random.Random(1)
    for shape in [(1, 4), (2, 3), (3, 3), (2, 5)]:
        graph = grid_graph(pattern, shape)
        everything = (1 << graph.size) - 1
        for goal in (0, everything, rng.randrange(everything)):
            states = {0, everything, *(rng.randrange(everything) for _ in range(count))}
            agrees(graph, goal, rule, states)


@pytest.mark.deep
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("pattern", PATTERNS)
def test_every_board_to_4x4(pattern: str, rule: Rule) -> None:
    rng = random.Random(2)
    for rows, columns in itertools.combinations_with_replacement(range(1, 5), 2):
        graph = grid_graph(pattern, (rows, columns))
        everything = (1 << graph.size) - 1
        agrees(graph, everything, rule)
        for goal in (0, rng.randint(0, everything)):
            few = [rng.randint(0, everything) for _ in range(3000)]
            agrees(graph, goal, rule, few if graph.size > 12 else None)


@pytest.mark.parametrize("seed", range(8))
def test_random_graphs(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(10):
        size = rng.randrange(4, 9)
        graph = EdgeGraph(size, random_edges(size, rng.choice([0.2, 0.4, 0.7]), rng))
        states = {0, (1 << size) - 1, *(rng.getrandbits(size) for _ in range(20))}
        agrees(graph, rng.choice([0, (1 << size) - 1, rng.getrandbits(size)]), "unlit", states)


@settings(max_examples=60)
@given(data=st.data())
def test_boards_with_holes(data: st.DataObject) -> None:
    """Any pattern, any holes, any goal: a sequence, an odd witness or a dead end."""
    pattern = data.draw(st.sampled_from([*PATTERNS, KNIGHT]))
    shape = data.draw(st.tuples(st.integers(1, 9), st.integers(1, 9)))
    cells = shape[0] * shape[1]
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    mask = rng.random(shape) < data.draw(st.sampled_from([0.6, 0.9, 1.0]))
    mask[0, 0] = True
    graph = grid_graph(pattern, shape, mask)
    assert graph.size <= cells
    goal = rng.random(graph.size) < data.draw(st.sampled_from([0.0, 0.5, 1.0]))
    rule = data.draw(st.sampled_from(RULES))
    board = solved_by(graph, rng.random(graph.size) < 0.5, goal, rule)
    found = played(board)
    assert (found is None) == (dead_end(board) is not None)


# ------------------------------------------------------------------------------------ the lemma


def connected(size: int, edges: list[tuple[int, int]]) -> bool:
    near, seen = brute.masks(size, edges), 1
    for _ in range(size):
        for v in range(size):
            if seen >> v & 1:
                seen |= near[v]
    return seen == (1 << size) - 1


def led(size: int, edges: list[tuple[int, int]], state: int, bulb: int) -> int:
    """Lead a state (bits: closed) over one press; return the number of presses.

    It must work iff the state is not all closed and the next one not all open.
    """
    near = [[u for u in range(size) if mask >> u & 1] for mask in brute.masks(size, edges)]
    toggled = 1 << bulb | sum(1 << u for u in near[bulb])
    sketch = Sketch(near, bytes(1 - (state >> v & 1) for v in range(size)))
    possible = state != (1 << size) - 1 and state ^ toggled != 0
    assert press_equivalent(sketch, bulb) == possible
    if possible:
        assert brute.replays(size, edges, state, state ^ toggled, sketch.moves)
    return len(sketch.moves)


def test_the_lemma_on_every_state_of_small_graphs() -> None:
    for size in range(1, 5):
        for edges in all_graphs(size):
            if connected(size, edges):
                for state, bulb in itertools.product(range(1 << size), range(size)):
                    assert led(size, edges, state, bulb) <= 15


def test_the_lemma_on_random_graphs_and_along_paths() -> None:
    rng = random.Random(5)
    for _ in range(3000):
        size = rng.randrange(5, 13)
        edges = [(rng.randrange(max(0, v - 2), v), v) for v in range(1, size)]
        edges += random_edges(size, rng.choice([0.0, 0.1, 0.3]), rng)
        bulb = rng.randrange(size)
        closed = brute.masks(size, edges)[bulb] | 1 << bulb
        noise = rng.choice([0, (1 << size) - 1, rng.getrandbits(size)])
        far = 1 << rng.randrange(size)
        led(size, edges, (noise ^ far) | closed, bulb)
        led(size, edges, noise | closed, bulb)


@pytest.mark.parametrize("distance", [3, 4, 5, 6, 401, 5000])
def test_a_bulb_of_the_other_state_is_fetched_from_afar(distance: int) -> None:
    near = [[v - 1, v + 1] for v in range(distance + 1)]
    near[0], near[-1] = [1], [distance - 1]
    openings = bytearray([1]) * (distance + 1)
    openings[0] = openings[1] = openings[distance] = 0
    for flip in (0, 1):  # all between are open, or all are closed
        state = bytes([0, 0, *(bit ^ flip for bit in openings[2:])])
        sketch = Sketch(near, state)
        assert press_equivalent(sketch, 0)
        assert len(sketch.moves) <= 2 * distance + 15
        goal = bytes([1, 1, *state[2:]])
        assert bytes(map(sketch.is_open, range(len(goal)))) == goal
        again = Sketch(near, state)
        for v in sketch.moves:
            assert again.is_open(v)
            again.press(v)


def test_the_theorem_is_needed_and_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small pieces can be all lit on the way; then the theorem plays them, by all its cases."""
    asked: list[int] = []

    def counted(near: object, openings: object, press_set: list[int], *rest: object) -> object:
        asked.append(len(press_set))
        return by_theorem(near, openings, press_set, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(legal_sequence, "by_theorem", counted)
    for edges in all_graphs(4):
        agrees(EdgeGraph(4, edges), 15, "unlit")
        agrees(EdgeGraph(4, edges), 6, "unlit")
    assert {2, 3, 4} <= set(asked)


# ------------------------------------------------------------------------------- time and memory


def sample(pattern: str, side: int, goal: float, seed: int = 1) -> Board:
    rng = np.random.default_rng(seed)
    graph = grid_graph(pattern, (side, side))
    return solved_by(graph, rng.random(graph.size) < 0.5, rng.random(graph.size) < goal)


@pytest.mark.parametrize("goal", [0.5, 1.0])
@pytest.mark.parametrize("pattern", [*PATTERNS, KNIGHT])
def test_there_is_a_sequence_however_short_the_time(pattern: str, goal: float) -> None:
    board = sample(pattern, 30, goal)
    sets = press_sets(board)
    assert isinstance(sets, PressSets)
    if dead_end(board) is None:
        found = fewest(board, sets, SearchContext(limits=Limits(0.0)))
        assert isinstance(found, SearchOutcome)
        assert found.presses is not None
        replay(board, found.presses)


def test_row_column_boards_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the methods for lines leave without a sequence is played."""
    boards = [sample("cross", side, 1.0) for side in (12, 13)]

    def nothing(*_: object, **__: object) -> SearchOutcome:
        raise TimeUp("the time limit was reached")

    monkeypatch.setattr("ponder.find.row_column.fewest.fewest_lines", nothing)
    for board in boards:
        result = solve(board)
        assert result.presses is not None
        assert result.lower_bound
        assert result.steps[-1].method == "play"


def test_a_play_that_is_cut_short_leaves_the_first() -> None:
    board = sample("plus", 40, 1.0)
    sets = press_sets(board)
    assert isinstance(sets, PressSets)

    class Counted(Limits):
        looks = 0
        most: float = float("inf")

        def check(self) -> None:
            self.looks += 1
            if self.looks > self.most:
                raise TimeUp

    near, clock = neighbour_index(board), Counted(None)
    next(legal_sequence.legal_sequences(board, sets.particular, near, random.Random(0), clock))
    clock.looks, clock.most = 0, clock.looks + 5
    found = legal_sequence.legal_sequence(board, sets.particular, near, random.Random(0), clock)
    assert found is not None
    replay(board, found)
    with pytest.raises(TimeUp):
        legal_sequence.legal_sequence(board, sets.particular, near, random.Random(0), Limits(0.0))


@pytest.mark.parametrize("error", [TimeUp, KeyboardInterrupt])
def test_an_end_in_the_second_play_leaves_the_first(
    monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    """Ctrl-C there lost the sequence of the first play."""
    board = sample("plus", 20, 1.0)
    sets, calls, play = press_sets(board), list[object](), play_of
    assert isinstance(sets, PressSets)

    def ended(*given: object, **options: object) -> object:
        calls.append(given)
        if len(calls) > 1:
            raise error
        return play(*given, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(legal_sequence, "play_of", ended)
    found = fewest(board, sets, SearchContext(limits=Limits(None, lambda: len(calls) > 1)))
    assert isinstance(found, SearchOutcome)
    assert found.presses is not None
    replay(board, found.presses)
    assert found.reason == ("interrupted" if error is KeyboardInterrupt else "time is up")


@pytest.mark.parametrize("pattern", ["plus", "king", "torus-plus", "torus-king", KNIGHT])
def test_neighbours_of_large_grids_are_those_of_the_graph(pattern: str) -> None:
    side = 300
    board = Board.from_grid(np.zeros((side, side), dtype=np.bool_), pattern)
    near = neighbour_index(board)
    assert not isinstance(near, list)
    border = [0, 1, 2, side - 1, side, side + 1, 2 * side, side * side - 1, side * (side - 1)]
    inside = random.Random(0).sample(range(side * side), 200)
    for v in [*border, *inside]:
        assert sorted(near[v]) == board.graph.neighbours(v).tolist()


def test_nothing_is_pressed_where_nothing_must_change() -> None:
    """A solved piece that is all lit cannot be touched; its press sets are left alone."""
    graph = EdgeGraph(5, [(0, 1), (2, 3), (3, 4)])
    board = numbered(graph, 0b11111, 0b11111)
    quiet = graph.set_of([0, 1])
    assert not graph.apply(quiet).any()
    found = legal_sequence.legal_sequence(
        board, quiet, neighbour_index(board), random.Random(0), NEVER
    )
    assert found is not None
    assert found.size == 0


def test_a_graph_whose_neighbours_cannot_be_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are looked up one by one: a sequence takes little memory."""
    rng = random.Random(3)
    graph = EdgeGraph(60, random_edges(60, 0.5, rng))
    goal = np.array([rng.random() < 0.5 for _ in range(60)])
    pressed = np.array([rng.random() < 0.5 for _ in range(60)])
    board = solved_by(graph, pressed, goal)

    def refused(board: Board) -> None:
        raise NeedsMemory("too large")

    for module in ("plays", "fewest_presses"):
        monkeypatch.setattr(f"ponder.find.fewest.{module}.refuse_all_neighbours", refused)
    assert not isinstance(neighbour_index(board), list)
    result = solve(board)
    assert result.verdict == "solved"
    assert result.optimal or result.reason == "too large"
