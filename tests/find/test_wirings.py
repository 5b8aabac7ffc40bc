"""Wirings: presses and lights are two things. Every small one against brute force."""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import combinations_with_replacement
from typing import Any, TypeAlias

import numpy as np
import pytest

import ponder
from ponder.check.block import RULES
from ponder.find import order
from ponder.find.ordering.evidence import Elements, inverse, nonsingular
from ponder.find.wirings import order_one_way, refute_one_way
from ponder.model import wired_graph
from ponder.model.board import Board
from ponder.model.edge_graph import EdgeGraph
from ponder.model.formats import board_text
from ponder.model.graph import StencilGraph
from ponder.model.ordering_problem import Order, OrderingProblem
from ponder.model.wired_graph import ToggleGraph, WiringGraph
from ponder.system.errors import BoardError, CheckFailed
from tests.boards import is_order
from tests.brute import on_a_wiring, parities_of_orders
from tests.depth import deep

Capture = pytest.CaptureFixture[str]

MACHINE = "[.##.] (3) (1,3) (2) (2,3) (0,2) (0,1) {3,5,4,7}"
LEVERS = {
    "lights": 7,
    "buttons": [
        {"name": "red", "toggles": [0, 1, 2]},
        {"name": "green", "toggles": [2, 3, 4]},
        {"name": "blue", "toggles": [4, 5, 6]},
        {"name": "white", "toggles": [1, 3, 5, 6]},
    ],
}
CENTRELESS = "pattern: toggles 0,1 0,-1 1,0 -1,0\nrule: any\n" + "00000\n" * 5


Case: TypeAlias = tuple[int, list[int], list[int], int, int, str]
"""Lights, what each button flips (bits), where it sits or −1, the start, the goal, the rule."""


def board_of(
    lights: int, flips: list[int], at: list[int], start: int, goal: int, rule: Any
) -> Board:
    def bits(number: int) -> np.ndarray[Any, Any]:
        return np.array([number >> k & 1 for k in range(lights)], dtype=np.bool_)

    toggles = [np.flatnonzero(bits(flip)).tolist() for flip in flips]
    return Board(WiringGraph(lights, toggles, at), bits(start), bits(goal), rule)


def result_of(ask: Any, board: Board, **more: Any) -> Any:
    """The answer as JSON, verified."""
    content = json.loads(json.dumps(ask(board, **more).to_json()))
    assert ponder.verify(board, content).complete
    return content


def agrees(case: Case) -> None:
    """Hold both answers against brute force."""
    board = board_of(*case)
    fewest, once = on_a_wiring(*case[1:])
    for ask, truth in ((ponder.solve, fewest), (ponder.order, once)):
        content = result_of(ask, board)
        said = content["verdict"], content["count"], content["optimal"]
        assert said == (
            ("impossible", None, False) if truth is None else ("solved", truth, True)
        ), case


def small_cases(lights: int, buttons: int) -> list[Case]:
    kinds = [(flip, seat) for flip in range(1 << lights) for seat in range(-1, lights)]
    states = range(1 << lights)
    return [
        (lights, [flip for flip, _ in chosen], [seat for _, seat in chosen], start, goal, "unlit")
        for chosen in combinations_with_replacement(kinds, buttons)
        for start in states
        for goal in states
    ]


@pytest.mark.parametrize("sparse", deep(3, 1))
def test_every_wiring_of_two_lights_and_two_buttons(sparse: int) -> None:
    for lights in (1, 2):
        for buttons in (0, 1, 2):
            for case in small_cases(lights, buttons)[:: 1 + sparse * (lights * buttons // 2)]:
                agrees(case)


@pytest.mark.deep
def test_wirings_of_three_lights_and_three_buttons() -> None:
    for case in small_cases(3, 3)[::41]:
        agrees(case)


@pytest.mark.parametrize("count", deep(150, 4000))
def test_orders_among_many_press_sets(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """All states decide `order` too, save where a shortest sequence repeats a press."""
    monkeypatch.setattr(order, "ENUMERATED", 0)
    rng, kinds = random.Random(1), Counter[Any]()
    cases: list[Case] = [(3, [6, 7, 1, 7, 3], [-1, 0, 1, 0, 0], 4, 1, "lit")]  # 6 presses of 5
    for _ in range(count):
        lights, buttons = rng.randint(2, 3), rng.randint(5, 7)
        flips, at = ([rng.randrange(low, high) for _ in range(buttons)]
                     for low, high in ((1, 1 << lights), (-1, lights)))  # fmt: skip
        start, goal = rng.randrange(1 << lights), rng.randrange(1 << lights)
        cases.append((lights, flips, at, start, goal, rng.choice(["unlit", "lit"])))
    for case in cases:
        fewest, once = on_a_wiring(*case[1:])
        for share in (0.5, 0.0):  # without time for all states, press sets
            monkeypatch.setattr(order, "STATES_SHARE", share)
            content = result_of(ponder.order, board_of(*case), timeout=100)
            verdict, claim, optimal = (content[key] for key in ("verdict", "claim", "optimal"))
            assert (once is not None) if verdict == "solved" else (once is None or claim is None)
            assert (fewest is None) if claim == "C4" else not optimal or content["count"] == once
            helps = "order: a smaller question" if share else "reached: more time"
            assert verdict != "unknown" or f"{helps} may decide it" in content["reason"]
            if share:
                assert content["lower_bound"] in (None, min(fewest or 0, len(case[1])))
                kinds[verdict if once == fewest else "longer"] += 1
    assert kinds["solved"] > count / 2
    assert kinds["unknown"] < count / 50 < kinds["impossible"]


# ------------------------------------------------------------------------------- public examples


MANY_WAYS = (4, [9, 1, 8, 9, 5, 4, 1, 5, 4, 5, 12, 2, 8, 5, 3, 10, 6, 3, 5],
             [0, 0, 3, 2, 3, 2, 1, 1, 0, 3, 1, 3, 2, 1, 2, 3, 2, 1, 2], 13, 0, "unlit")  # fmt: skip


def test_order_decides_small_wirings_of_many_buttons_as_solve_does() -> None:
    content = result_of(ponder.order, board_of(*MANY_WAYS))
    assert (content["count"], content["bound"]) == (2, {"kind": "states"})
    stuck = Board.from_rows(["1-1-1", "-0111", "1--1-", "11111", "1-11-"], "toggles -2,-2")
    content = result_of(ponder.order, stuck)
    assert (content["claim"], content["refutation"]) == ("C4", {"kind": "states"})


@pytest.mark.parametrize("rule", ["unlit", "lit", "any"])
def test_a_button_without_any_light(rule: Any) -> None:
    """No file may say so, but a board can be made like that."""
    board = board_of(0, [0], [-1], 0, 0, rule)
    for ask in (ponder.order, ponder.solve):
        content = result_of(ask, board)
        assert (content["count"], content["lower_bound"], content["optimal"]) == (0, 0, True)
    content = result_of(ponder.solve, board) | {"verdict": "impossible", "claim": "C4"}
    content |= {"presses": None, "count": None, "lower_bound": None, "bound": None}
    content |= {"optimal": False, "refutation": {"kind": "states", "reached": 1}}
    with pytest.raises(CheckFailed, match="0 presses reach the goal"):
        ponder.verify(board, content)


def test_a_machine_needs_two_presses() -> None:
    board = ponder.parse_board(MACHINE)
    assert board.rule == "any"
    content = result_of(ponder.solve, board)
    assert (content["count"], content["optimal"], content["board"]["bulbs"]) == (2, True, 4)
    assert content["bound"] == {"kind": "lightest", "press_sets": 2}


def test_levers_with_an_odd_witness() -> None:
    board = ponder.parse_board(json.dumps(LEVERS))
    content = result_of(ponder.order, board)
    assert (content["verdict"], content["claim"]) == ("impossible", "C4")
    witness = set(content["refutation"]["bulbs"])
    assert len(witness) % 2 == 1, "all must change"
    assert all(len(witness & set(b["toggles"])) % 2 == 0 for b in LEVERS["buttons"])  # type: ignore[attr-defined]


def test_a_centreless_board() -> None:
    board = ponder.parse_board(CENTRELESS)
    assert isinstance(board.graph, ToggleGraph)
    assert result_of(ponder.solve, board)["refutation"]["kind"] == "witness"
    fair = Board(board.graph, board.graph.apply(np.arange(25) % 3 == 0), ~board.goal, "unlit")
    content = result_of(ponder.order, fair)
    assert content["verdict"] in ("solved", "impossible")


def test_a_symmetric_wiring_is_the_graph_that_it_is() -> None:
    buttons = [
        {"toggles": [k, (k + 1) % 5, (k - 1) % 5], "at": k, "name": f"b{k}"} for k in range(5)
    ]
    board = ponder.parse_board(json.dumps({"lights": 5, "buttons": buttons[::-1]}))
    assert isinstance(board.graph, EdgeGraph)
    assert board.graph.names == ["b0", "b1", "b2", "b3", "b4"]
    grid = Board.from_rows(["010", "000"], "toggles 0,0 1,0 -1,0 0,1 0,-1")
    assert isinstance(grid.graph, StencilGraph)
    plus = Board.from_rows(["010", "000"], "plus")
    assert ponder.solve(grid).count == ponder.solve(plus).count


# ------------------------------------------------------------------------------------- ordering


def one_way_matrix(hears: list[list[int]], odd: np.ndarray, rng: Any) -> Elements:
    """K of theory §5.5, at random p; the root z is the last of them."""
    size = len(hears)
    p = (rng.choice(65535, size + 1, replace=False) + 1).astype(np.uint16)
    matrix = np.zeros((size, size + 1), dtype=p.dtype)
    for v, near in enumerate(hears):
        ends = near if odd[v] else [*near, size]
        matrix[v, ends] = inverse(p[[v]] ^ p[ends]) if ends else 0
        matrix[v, v] = np.bitwise_xor.reduce(matrix[v, ends])
    return np.ascontiguousarray(matrix[:, :size])


def test_refutations_and_orders_of_one_way_problems() -> None:
    rng, kinds = np.random.default_rng(4), set()
    for _ in range(300):
        size = int(rng.integers(1, 7))
        hears = [np.flatnonzero(rng.random(size) < 0.4).tolist() for _ in range(size)]
        hears = [[u for u in near if u != v] for v, near in enumerate(hears)]
        odd = rng.random(size) < 0.5
        able = tuple(odd.tolist()) in parities_of_orders(hears)
        problem = OrderingProblem.one_way(hears, odd)
        why = refute_one_way(problem)
        assert (why is None) == able, "small ones are decided"
        trials = (nonsingular(one_way_matrix(hears, odd, rng)) for _ in range(3))
        assert any(trials) == able, "theorem 4, one way"
        answer = order_one_way(problem, seed=1)
        assert not isinstance(answer, Order) or (able and is_order(problem, answer))
        kinds.add(getattr(why, "rule", None))
    assert kinds == {None, *RULES}


def planted(size: int, seed: int) -> Board:
    """Buttons at lights of their own, each of which four others toggle; all can be pressed once."""
    rng = random.Random(seed)
    hears = [rng.sample([u for u in range(size) if u != v], 4) for v in range(size)]
    buttons = [[v, *(w for w in range(size) if v in hears[w])] for v in range(size)]
    place = list(range(size))
    rng.shuffle(place)
    lit = [sum(place[u] < place[v] for u in near) % 2 == 1 for v, near in enumerate(hears)]
    graph, start = WiringGraph(size, buttons, range(size)), np.array(lit)
    return Board(graph, start, start ^ graph.apply(np.ones(size, dtype=np.bool_)))


def test_two_hundred_one_way_buttons_are_ordered() -> None:
    board = planted(200, 1)
    content = result_of(ponder.order, board, press_set=np.arange(200))
    assert (content["verdict"], content["count"]) == ("solved", 200)


@pytest.mark.parametrize("method", ["sat", "cpsat", "greedy"])
def test_methods_that_are_asked_for(method: Any) -> None:
    board = planted(12, 3)
    all_bulbs = np.arange(12)
    assert ponder.order(board, press_set=all_bulbs, method=method).verdict == "solved"
    around = [{"toggles": [k, (k + 1) % 3], "at": k} for k in range(3)]
    text = json.dumps({"lights": 3, "buttons": around, "lit": [1, 1, 1], "goal": [1, 1, 1]})
    waiting = ponder.parse_board(text)
    result = ponder.order(waiting, press_set=np.arange(3), method=method)
    if method == "sat":
        content = json.loads(json.dumps(result.to_json()))
        assert content["refutation"]["kind"] == "formula"
        assert ponder.verify(waiting, content).complete
        content["refutation"]["lrat"] = "9999 1 0 0\n"
        with pytest.raises(CheckFailed):
            ponder.verify(waiting, content)
    elif method == "greedy":
        assert result.verdict == "unknown"
    else:
        assert result.verdict == "impossible"


def test_too_many_wires_are_told_and_nothing_is_claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wired_graph, "MOST_HEARD", 5)
    graph = WiringGraph(2, [[0], [0], [0], [1]], [0, 0, 0, 1])
    lit = np.zeros(2, dtype=np.bool_)
    board = Board(graph, lit, np.array([True, True]))
    result = ponder.order(board, press_set=np.arange(4))
    assert (result.verdict, "pairs of presses" in str(result.reason)) == ("unknown", True)
    why = {"kind": "block", "rule": "last", "bulbs": [0], "press_counts": [1, 1, 1, 1]}
    forged = {**json.loads(json.dumps(result.to_json())), "verdict": "impossible", "claim": "C1"}
    report = ponder.verify(board, {**forged, "refutation": why, "lower_bound": None})
    assert report.unchecked_verdict
    monkeypatch.setattr(wired_graph, "MOST_WIRES", 5)
    with pytest.raises(BoardError, match="at most 5 wires"):
        ponder.parse_board("pattern: toggles 0,1\n000\n000\n")


WAITING = {
    "lights": ["a", "b", "c"],
    "buttons": [{"toggles": [x, y], "at": x} for x, y in ("ab", "bc", "ca")],
    "lit": [1, 1, 1],
    "goal": [0, 0, 1],
}


def test_a_goal_that_can_be_reached_is_no_dead_one() -> None:
    board = Board.from_rows(["00"], "toggles 0,1 0,0")
    fine = result_of(ponder.solve, board)
    assert fine["bound"] == {"kind": "states"}
    forged = {**fine, "verdict": "impossible", "claim": "C4", "presses": None, "count": None}
    forged |= {
        "lower_bound": None,
        "bound": None,
        "optimal": False,
        "refutation": {"kind": "states"},
    }
    with pytest.raises(CheckFailed, match="1 press reaches the goal"):
        ponder.verify(board, forged)
    grid = Board.from_rows(["00"], "plus")
    content = json.loads(json.dumps(ponder.solve(grid).to_json()))
    with pytest.raises(CheckFailed, match="not a wiring"):
        ponder.verify(grid, {**content, "bound": {"kind": "states"}})
    large = Board.from_rows(["0" * 30], "toggles 0,1 0,0")
    content = {**json.loads(json.dumps(ponder.solve(large).to_json())), "bound": {"kind": "states"}}
    assert not ponder.verify(large, content).complete


# ------------------------------------------------------------------------------------------ files


@pytest.mark.parametrize("text", [MACHINE, json.dumps(LEVERS), json.dumps(WAITING), CENTRELESS])
def test_a_wiring_is_written_as_it_is_read(text: str) -> None:
    board = ponder.parse_board(text)
    again = ponder.parse_board(board_text(board))
    assert again.sha256 == board.sha256
    assert len({ponder.parse_board(t).sha256 for t in (MACHINE, CENTRELESS, text)}) >= 2


@pytest.mark.parametrize(
    "text",
    [
        '{"buttons": []}',
        '{"lights": 0, "buttons": []}',
        '{"lights": 99999999999999999999, "buttons": []}',
        '{"lights": 2, "buttons": 3}',
        '{"lights": 2, "buttons": [3]}',
        '{"lights": 2, "buttons": [{"toggles": [2]}]}',
        '{"lights": 2, "buttons": [{"toggles": [true]}]}',
        '{"lights": 2, "buttons": [{"toggles": [1, 1]}]}',
        '{"lights": 2, "buttons": [{"toggles": [1], "at": 5}]}',
        '{"lights": 2, "buttons": [{"toggles": [1], "seat": 1}]}',
        '{"lights": 2, "buttons": [{"toggles": [], "name": 1.5}]}',
        '{"lights": 2, "buttons": [{"toggles": [], "name": 1}, {"toggles": []}]}',
        '{"lights": 2, "buttons": [], "lit": [1]}',
        '{"lights": 2, "buttons": [], "rule": "on"}',
        '{"lights": 2, "buttons": [], "nodes": 2}',
        "[.#",
        "[.#] (2)",
        "[.#] (99999999999999999999999)",
        "[.#] (1,1)",
        "[.#] (1)\n[.#] (0)",
        "pattern: toggles\n00",
        "pattern: toggles 0;1\n00",
        "pattern: toggles 0,1 0,1\n00",
    ],
)
def test_a_file_that_is_no_wiring_is_refused(text: str) -> None:
    with pytest.raises(BoardError) as told:
        ponder.parse_board(text, "file")
    assert "\n" not in str(told.value)
    assert str(told.value).startswith("file:")
