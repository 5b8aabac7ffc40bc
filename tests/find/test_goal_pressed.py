"""The goal `pressed`: each bulb exactly once, against brute force on every small graph and board.

Every state of a graph under both rules: whether there is an order, and in how many ways; the
checker accepts what is found. `cards` and `peel` are played by the words of their own rules.
"""

from __future__ import annotations

import json
from itertools import chain, product

import networkx as nx
import numpy as np
import pytest

import ponder
from ponder.check.replay import replay
from ponder.find.counting import all_orders, count_orders
from ponder.model.board import RULES, Board
from ponder.model.edge_graph import EdgeGraph
from ponder.model.formats import board_text, parse_board
from ponder.model.graph import grid_graph
from ponder.model.wired_graph import WiringGraph
from ponder.system.errors import BoardError, CheckFailed, PonderError
from tests import brute
from tests.depth import deep, deeper

SHAPES = [(r, c) for r in range(1, 4) for c in range(r, 5)]


def judge(board: Board, ways: int, counted: bool) -> None:
    """Hold `order` and `solve` against the number of legal orders."""
    result, solved = ponder.order(board), ponder.solve(board)
    assert json.loads(json.dumps(result.to_json()))["board"]["goal"] == "pressed"
    ponder.verify(board, json.loads(json.dumps(result.to_json())))
    assert (result.verdict, solved.verdict) == (("solved" if ways else "impossible"),) * 2
    assert result.claim == (None if ways else "C1")
    if result.presses is not None:
        assert solved.presses is not None
        assert result.optimal
        assert np.array_equal(np.sort(result.presses), np.arange(board.graph.presses))
        assert np.array_equal(result.presses, solved.presses)
    if counted:
        assert count_orders(board).orders.number == ways


@pytest.mark.parametrize("most", deep(4, 6))
def test_every_state_of_every_small_graph(most: int) -> None:
    for drawn in nx.graph_atlas_g()[1:]:
        size, edges = len(drawn), list(drawn.edges)
        if size > most:
            break
        graph = EdgeGraph(size, edges)
        for rule in RULES[:2]:
            ways = brute.orders_of_all(size, edges, rule)
            for state in range(1 << size):
                lit = np.array([state >> v & 1 for v in range(size)], dtype=np.bool_)
                judge(Board(graph, lit, lit, rule, pressed=True), int(ways[state]), most == 4)


@pytest.mark.parametrize(
    ("shape", "step"), [((2, 3), 5), ((3, 3), 97), *(deeper(shape, 1) for shape in SHAPES)]
)
def test_every_state_of_small_boards(shape: tuple[int, int], step: int) -> None:
    size = shape[0] * shape[1]
    for pattern, rule in product(("cross", "plus", "king"), RULES[:2]):
        ways = brute.orders_of_all(size, brute.grid_edges(*shape, pattern), rule)
        graph = grid_graph(pattern, shape)
        for state in range(0, 1 << size, step):
            lit = np.array([state >> v & 1 for v in range(size)], dtype=np.bool_)
            board = Board(graph, lit, lit, rule, pressed=True)
            judge(board, int(ways[state]), counted=step > 1)


def test_cards_are_a_row_and_peel_removes_vertices() -> None:
    for signs in product("01-", repeat=4):
        if (cards := "".join(signs)) != "----":
            board = parse_board(f"puzzle: cards\n{cards}\n")
            assert {tuple(order) for order in all_orders(board)} == {
                tuple((0, column) for column in order) for order in brute.takings(cards)
            }
    for drawn in nx.graph_atlas_g()[1:53]:  # to five vertices
        edges = list(drawn.edges)
        text = json.dumps({"nodes": len(drawn), "edges": edges})
        board = parse_board(text, puzzle="peel")
        assert set(map(tuple, all_orders(board))) == brute.peelings(len(drawn), edges)
        oriented = ponder.orient((len(drawn), edges), odd=[])  # the same theorem
        assert isinstance(oriented, ponder.Orientation) == (ponder.order(board).verdict == "solved")


def test_published_answers() -> None:
    """Trees: an odd number is face up. Cubes: an even number, and not all are alike."""
    for tree in chain.from_iterable(map(nx.nonisomorphic_trees, range(2, 7))):
        for up in range(1, 1 << len(tree), 7):
            bits = [up >> v & 1 for v in range(len(tree))]
            text = json.dumps({"nodes": len(tree), "edges": list(tree.edges), "lit": bits})
            board = parse_board(text, rule="lit", goal="pressed")
            assert (ponder.order(board).verdict == "solved") == (sum(bits) % 2 == 1)
    cube = nx.convert_node_labels_to_integers(nx.hypercube_graph(3))
    for up in range(0, 256, 3):
        bits = [up >> v & 1 for v in range(8)]
        text = json.dumps({"nodes": 8, "edges": list(cube.edges), "lit": bits})
        solved = ponder.order(parse_board(text, rule="lit", goal="pressed")).verdict == "solved"
        assert solved == (sum(bits) % 2 == 0 and 0 < sum(bits) < 8)


def test_a_sequence_is_accepted_where_it_presses_each_bulb_once() -> None:
    """Every sequence of at most four presses on boards of three bulbs."""
    edges = [(0, 1), (1, 2)]
    for rule, lit in product(("unlit", "lit", "any"), range(8)):
        row = "".join(str(lit >> v & 1) for v in range(3))
        board = parse_board(f"pattern: plus\nrule: {rule}\ngoal: pressed\n{row}\n")
        goal = int(board.goal @ (1, 2, 4))
        for presses in chain.from_iterable(product(range(3), repeat=k) for k in range(5)):
            once = sorted(presses) == [0, 1, 2]
            legal = once and brute.replays(3, edges, lit, goal, presses, rule)
            try:
                replay(board, np.array(presses, dtype=np.int64))
                accepted = True
            except CheckFailed:
                accepted = False
            assert accepted == legal, (rule, row, presses)


def test_an_answer_about_fewer_bulbs_is_none() -> None:
    """A triangle: to press one bulb leads where all three lead, and is another question."""
    for lit in ([0, 0, 0], [1, 0, 0]):
        text = json.dumps({"nodes": 3, "edges": [[0, 1], [1, 2], [0, 2]], "lit": lit})
        board = parse_board(text, goal="pressed")
        alone = ponder.order(Board(board.graph, board.lit, board.goal), press_set=[0])
        said = alone.to_json() | {"board": ponder.order(board).to_json()["board"]}
        assert (alone.verdict == "impossible") == (ponder.order(board).verdict == "solved")
        with pytest.raises(CheckFailed, match=r"pressed 0 times|do not lead to the goal"):
            ponder.verify(board, said)


def test_the_goal_follows_the_lights_and_belongs_to_the_name_of_the_board() -> None:
    board = Board.from_rows(["0110"], "plus", goal="pressed")
    assert board.goal_name == "pressed"
    assert (
        parse_board(board_text(board))
        == board
        == parse_board("0110", pattern="plus", goal="pressed")
    )
    same_state = Board(board.graph, board.lit, board.goal)
    assert board != same_state
    with pytest.raises(CheckFailed, match="about another board"):
        ponder.verify(same_state, ponder.order(board).to_json())
    graph = parse_board('{"nodes": 3, "edges": [[0, 1]], "goal": "pressed"}')
    assert parse_board(board_text(graph)) == graph
    assert [answer.verdict for answer in ponder.search(board)] == [ponder.order(board).verdict]
    lever = Board(WiringGraph(1, [[0], [0]], [0, -1]), np.array([False]), np.array([True]))
    both = parse_board(board_text(lever), goal="pressed")
    assert both.graph.presses == ponder.order(both).count == 2  # the other one would be enough
    assert ponder.solve(lever).count == 1
    ponder.verify(both, ponder.order(both))


@pytest.mark.parametrize(
    ("text", "named", "reason"),
    [
        ("puzzle: cards\n01\n10\n", {}, "board:1: the puzzle `cards` is a row of cards"),
        ("01\n", {"puzzle": "peel"}, "puzzle: the puzzle `peel` removes vertices of a graph"),
        ('{"nodes": 2, "lit": [0, 1]}', {"puzzle": "peel"}, "`peel` sets the lights"),
        ('{"nodes": 2}', {"puzzle": "cards"}, "`cards` is a row of cards"),
        ("goal: presed\n01\n", {}, "did you mean `pressed`"),
    ],
)
def test_what_does_not_fit_is_refused(text: str, named: dict[str, str], reason: str) -> None:
    with pytest.raises(BoardError, match=reason):
        parse_board(text, **named)  # type: ignore[arg-type]


def test_what_does_not_apply_says_so() -> None:
    board = Board.from_rows(["0110"], "plus", goal="pressed")
    with pytest.raises(PonderError, match="every bulb exactly once"):
        ponder.solve(board, at_most=3)
    with pytest.raises(PonderError, match=r"\(0,1\) is missing"):
        ponder.order(board, press_set=[0])
