"""Replay against brute force, and its implementations against play by definition."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ponder.check.replay import (
    _compare,
    _counting,
    _one_by_one,
    _pairing,
    _refuse,
    check_order,
    play,
    replay,
)
from ponder.model.board import Board, Rule
from ponder.model.edge_graph import EdgeGraph
from ponder.model.graph import CrossGraph
from ponder.model.ordering_problem import OrderingProblem
from ponder.system.errors import CheckFailed
from ponder.system.limits import NEVER
from ponder.system.types import Ints, bincount
from tests import brute
from tests.boards import edges_of, number_of
from tests.depth import deep


def _each(board: Board, presses: Ints) -> None:
    _one_by_one(board, presses, NEVER)


def _plain(board: Board, presses: Ints) -> None:
    """Press one bulb after the other, by definition."""
    state = board.lit
    for k, (bulb, after) in enumerate(zip(presses.tolist(), play(board, presses), strict=True)):
        if board.rule != "any" and state[bulb] != (board.rule == "lit"):
            _refuse(board, k, bulb)
        state = after
    _compare(board, state)


def verdict(board: Board, presses: list[int], way: str = "replay") -> str:
    """The reason for rejecting the presses, or an empty string."""
    array = np.array(presses, dtype=np.int64)
    try:
        if way == "counting":
            assert isinstance(board.graph, CrossGraph)
            _counting(board, board.graph, array)
        else:
            ways = {
                "replay": replay,
                "plain": _plain,
                "pairing": _pairing,
                "one by one": _each,
            }
            ways[way](board, array)
    except CheckFailed as error:
        return str(error)
    return ""


def agrees(board: Board, presses: list[int]) -> None:
    """All implementations say the same, in the same words, and what brute force says."""
    said = verdict(board, presses)
    assert said == verdict(board, presses, "plain")
    assert said == verdict(board, presses, "one by one")
    if len({*presses}) == len(presses):
        assert said == verdict(board, presses, "pairing")
    if isinstance(board.graph, CrossGraph):
        assert said == verdict(board, presses, "counting")
    lit, goal = number_of(board.lit.tolist()), number_of(board.goal.tolist())
    legal = brute.replays(board.graph.size, edges_of(board.graph), lit, goal, presses, board.rule)
    assert legal == (said == "")


@pytest.mark.parametrize("often", deep(20, 60))
@pytest.mark.parametrize("piece", [1, 2, 5, 64])
@pytest.mark.parametrize("rule", ["unlit", "lit", "any"])
def test_pieces_make_no_difference(
    monkeypatch: pytest.MonkeyPatch, rule: Rule, piece: int, often: int
) -> None:
    """Presses are counted a piece at a time: what came before must be remembered."""
    rng = np.random.default_rng(piece)
    monkeypatch.setattr("ponder.check.replay.PIECE", piece)
    legal = 0
    for rows in (["0000"] * 3, ["00-0", "0000", "-000"]):
        graph = Board.from_rows(rows).graph
        for length in rng.integers(1, 9, size=often).tolist():
            presses = rng.integers(graph.size, size=length)
            goal = np.full(graph.size, rule != "lit")
            board = Board(graph, rng.random(graph.size) < 0.5, goal, rule)
            if rng.random() < 0.5:  # one that is solved by these presses, if they are legal
                counts = bincount(presses, minlength=graph.size) % 2 == 1
                board = Board(graph, board.goal ^ graph.apply(counts), board.goal, rule)
            agrees(board, presses.tolist())
            legal += verdict(board, presses.astype(np.int32).tolist()) == ""
    assert legal


@pytest.mark.parametrize("step", deep(3, 1))
@pytest.mark.parametrize("rule", ["unlit", "lit", "any"])
@pytest.mark.parametrize("rows", [["0"], ["00"], ["00", "00"], ["0-", "00"]])
def test_every_short_sequence(rows: list[str], rule: Rule, step: int) -> None:
    """All sequences of up to four presses, repeats included, from all states, to all lit."""
    graph = Board.from_rows(rows).graph
    n = graph.size
    states = itertools.product([False, True], repeat=n)
    for bits in itertools.islice(states, 0, None, step if n > 2 else 1):
        board = Board(graph, np.array(bits), np.ones(n, dtype=bool), rule)
        for length in range(4):
            for presses in itertools.product(range(n), repeat=length):
                agrees(board, list(presses))


def a_board(data: st.DataObject, patterns: list[str], most: int = 4) -> Board:
    height, width = data.draw(st.integers(1, most)), data.draw(st.integers(1, most))
    cells = st.lists(st.booleans(), min_size=height * width, max_size=height * width)
    mask = np.array(data.draw(cells)).reshape(height, width)
    mask[data.draw(st.integers(0, height - 1)), data.draw(st.integers(0, width - 1))] = True
    board = Board.from_grid(mask, data.draw(st.sampled_from(patterns)), "unlit", mask)
    n = board.graph.size
    states = st.lists(st.booleans(), min_size=n, max_size=n).map(np.array)
    rule: Rule = data.draw(st.sampled_from(["unlit", "lit", "any"]))
    return Board(board.graph, data.draw(states), data.draw(states), rule)


@given(st.data())
def test_random_sequences(data: st.DataObject) -> None:
    """Sequences of legal presses, spoilt or not, to their own end or to another goal."""
    board = a_board(data, ["cross", "plus", "king", "torus-plus"])
    near = brute.masks(board.graph.size, edges_of(board.graph))
    state, presses = number_of(board.lit.tolist()), []
    for _ in range(data.draw(st.integers(0, 12))):
        able = [
            v
            for v in range(board.graph.size)
            if board.rule == "any" or bool(state >> v & 1) == (board.rule == "lit")
        ]
        if not able:
            break
        presses.append(data.draw(st.sampled_from(able)))
        state ^= near[presses[-1]] | 1 << presses[-1]
    end = np.array([bool(state >> v & 1) for v in range(board.graph.size)])
    reached = Board(board.graph, board.lit, end, board.rule)
    assert verdict(reached, presses) == ""
    agrees(reached, presses)
    agrees(board, presses)
    if presses:
        agrees(reached, data.draw(st.permutations(presses)))
        k = data.draw(st.integers(0, len(presses) - 1))
        changed = [*presses]
        changed[k] = data.draw(st.integers(0, board.graph.size - 1))
        agrees(reached, changed)
    states = list(play(reached, np.array(presses, dtype=np.int64)))
    assert len(states) == len(presses)
    assert not states or np.array_equal(states[-1], end)


def test_words() -> None:
    board = Board.from_rows(["0011", "1101", "0110", "0001"])
    assert (
        verdict(board, [0, 0]) == "press 2 at (0,0): the bulb is lit, the rule says only unlit ones"
    )
    lit = Board.from_rows(["0011", "1101", "0110", "0001"], rule="lit")
    assert verdict(lit, [0]).startswith(
        "press 1 at (0,0): the bulb is unlit, the rule says only lit"
    )
    assert verdict(board, []) == "after the last press 8 bulbs differ from the goal, first (0,0)"
    small = Board.from_rows(["01"], pattern="king", goal=["11"])
    assert verdict(small, []) == "after the last press 1 bulb differs from the goal, first (0,0)"
    assert "outside" in verdict(board, [16])
    assert "outside" in verdict(board, [-1])


def test_long_lines() -> None:
    """Lines numbered beyond 16 bits: the other kind of key."""
    board = Board.from_grid(np.zeros((1, 70_000), dtype=bool), "cross", "any")
    goal = np.zeros(70_000, dtype=bool)
    board = Board(board.graph, board.lit, goal, "unlit")
    assert verdict(board, [69_999, 3]).startswith("press 2 at (0,3)")
    assert verdict(board, [69_999]).startswith("after the last press 70000")
    assert verdict(Board(board.graph, ~goal, goal, "lit"), [69_999]) == ""


@given(st.data())
def test_check_order_by_definition(data: st.DataObject) -> None:
    """The order check against counting later neighbours, on blow-ups and row/column boards."""
    board = a_board(data, ["cross", "plus"], most=3)
    if board.rule == "any":
        return
    most = 2 if board.graph.size < 6 else 1
    counts = np.array([data.draw(st.integers(0, most)) for _ in range(board.graph.size)])
    problem = OrderingProblem.of_board(board, counts)
    order: list[int] = data.draw(st.permutations(range(problem.size)))
    near = brute.masks(problem.size, problem.edges.tolist())
    later = [sum(near[v] >> u & 1 for u in order[k + 1 :]) % 2 == 1 for k, v in enumerate(order)]
    parities = np.empty(problem.size, dtype=bool)
    parities[order] = later
    vertices = np.array(order, dtype=np.int64)
    fitting = OrderingProblem(problem.graph, problem.bulbs, parities)
    check_order(fitting, vertices)
    if problem.size:
        wrong = parities.copy()
        wrong[data.draw(st.integers(0, problem.size - 1))] ^= True
        with pytest.raises(CheckFailed, match="neighbours after it and needs"):
            check_order(OrderingProblem(problem.graph, problem.bulbs, wrong), vertices)
        with pytest.raises(CheckFailed, match="permutation"):
            check_order(fitting, vertices[:-1])


def test_check_order_counts_vertices_once() -> None:
    problem = OrderingProblem(EdgeGraph(2, []), np.arange(2), np.zeros(2, dtype=bool))
    for vertices in ([0, 0], [0, 2], [0, 1, 1], [-1, 0]):
        with pytest.raises(CheckFailed, match="permutation"):
            check_order(problem, np.array(vertices))


def test_order_and_replay_agree_on_every_order() -> None:
    """Theorem 1: the parities hold iff the presses are legal, for all orders of all press sets."""
    graph = EdgeGraph(4, [(0, 1), (1, 2), (2, 3), (0, 2)])
    for chosen in range(1, 16):
        bulbs: Ints = np.array([v for v in range(4) if chosen >> v & 1])
        goal = np.array([True, False, True, True])
        lit = goal ^ graph.apply(graph.set_of(bulbs))
        for rule in ("unlit", "lit"):
            board = Board(graph, lit, goal, rule)
            problem = OrderingProblem.of_board(board, graph.set_of(bulbs))
            for order in itertools.permutations(range(bulbs.size)):
                try:
                    check_order(problem, np.array(order))
                    legal = True
                except CheckFailed:
                    legal = False
                assert legal == (verdict(board, bulbs[list(order)].tolist()) == "")
