"""What callers of the library hand over: used as it is meant, or refused by its name in a line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ponder
from ponder import Board
from ponder.cli import run
from ponder.system.errors import BadArgument, BoardError

BOARD = Board.from_rows(["0011", "1101", "0110", "0001"])
HOLED = Board.from_rows(["00", "0-"], "plus")
ORDER = ponder.order(BOARD)
NAN = float("nan")


make: Any = Board  # whose parameters have types
solve: Any = ponder.solve
sets: Any = ponder.press_sets(BOARD)
from_json: Any = ponder.Result.from_json


def asked(**given: Any) -> object:
    return ponder.order(BOARD, **given)


def said(**changes: Any) -> dict[str, Any]:
    return ORDER.to_json() | changes


@pytest.mark.parametrize(
    ("given", "presses"),
    [
        ([12, 1, 3, 5], [12, 1, 3, 5]),
        (np.array([12, 1, 3, 5], dtype=np.uint8), [12, 1, 3, 5]),
        ({12, 1, 3, 5}, [12, 1, 3, 5]),
        ([(3, 0), (0, 1), (0, 3), (1, 1)], [12, 1, 3, 5]),
        (np.array([[3, 0], [0, 1], [0, 3], [1, 1]]), [12, 1, 3, 5]),
        (BOARD.graph.set_of([12, 1, 3, 5]), [12, 1, 3, 5]),
        (BOARD.graph.set_of([12, 1, 3, 5]).reshape(4, 4), [12, 1, 3, 5]),
        (BOARD.graph.set_of([12, 1, 3, 5]).astype(np.uint8), [12, 1, 3, 5]),
        (BOARD.graph.set_of([12, 1, 3, 5]).reshape(4, 4).astype(float), [12, 1, 3, 5]),
    ],
)
def test_a_press_set_is_given_in_any_way(given: Any, presses: list[int]) -> None:
    answer = ponder.order(BOARD, press_set=given)
    assert answer.presses is not None
    assert sorted(answer.presses.tolist()) == sorted(presses)


def test_a_press_set_of_a_graph_is_given_by_names() -> None:
    board = ponder.parse_board('{"nodes": ["x", "y"], "edges": [["x", "y"]], "lit": [0, 0]}')
    answer = ponder.order(board)
    assert answer.presses is not None
    names = board.graph.labels(answer.presses)
    assert set(names) < {"x", "y"}
    assert ponder.order(board, press_set=names).count == 1


def test_whole_numbers_in_a_list_are_labels_and_in_an_array_they_count_bulbs() -> None:
    board = Board.from_graph([(1, 2), (2, 3), (3, 4), (4, 1), (1, 3)])
    answer = ponder.order(board)
    assert (answer.places, answer.presses.tolist()) == ([1], [0])  # type: ignore[union-attr]
    for given in (answer.places, answer.presses):
        assert ponder.order(board, press_set=given).places == [1]
        assert ponder.count_orders(board, given).orders.number == 1


def test_a_wiring_that_is_a_graph_says_where_its_numbers_are_not_the_buttons() -> None:
    toggles = [[1, 0, 2], [0, 1], [2, 1]]
    for at in ([0, 1, 2], [1, 0, 2]):
        board = Board.from_buttons([toggles[1 - v if v < 2 else v] for v in at], 3, at=at)
        same = board.graph.labels(range(3)) == [0, 1, 2]
        assert same == (not board.remarks) == (at == [0, 1, 2])


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (lambda: make.from_grid(np.array([[0, 2]])), "lit: 2 is neither 0 nor 1"),
        (lambda: make.from_grid(np.array([[0, NAN]])), "lit: nan is neither 0 nor 1"),
        (lambda: make.from_grid([[0, "1"]]), "lit: '0' is neither 0 nor 1"),
        (lambda: make.from_grid(np.array([0, 1])), "lit: a grid has rows and columns"),
        (lambda: make.from_grid(np.zeros((0, 3))), "lit: a grid has rows and columns"),
        (lambda: make.from_grid([[0, 1], [1]]), "lit: its rows differ in length"),
        (lambda: make.from_grid(None), "lit: a grid has rows and columns"),
        (lambda: make.from_grid(np.zeros((2, 2)), "knight"), "pattern: unknown pattern 'knight'"),
        (lambda: make.from_grid(np.zeros((2, 2)), rule="on"), "rule: unknown rule 'on'; known"),
        (lambda: make.from_grid(np.zeros((2, 2)), mask=np.ones((3, 2))), "mask: it has the"),
        (lambda: make.from_grid(np.zeros((2, 2)), mask=np.zeros((2, 2))), "mask: it has the"),
        (lambda: make.from_grid(np.zeros((2, 2)), mask=[[1, 2], [0, 1]]), "mask: 2 is neither"),
        (lambda: make.from_rows(["01"], "stencil 0,1"), ".* not symmetric: .*; `toggles` takes"),
        (lambda: make(np.zeros((2, 2))), r"board: Board\(graph, lit, goal\) .*`Board.from_grid`"),
        (lambda: make(["01"]), ".*: `Board.from_rows` takes rows"),
        (lambda: make("01"), ".*: `ponder.read` takes the name of a file"),
        (lambda: make((2, [(0, 1)])), ".*: `Board.from_graph` takes a graph"),
        (lambda: make(BOARD.graph, np.zeros(3), np.zeros(3)), "board: a board of 16 bulbs needs"),
        (lambda: make(BOARD.graph, BOARD.lit, BOARD.goal, "on"), "rule: unknown rule 'on'"),
        (lambda: make.from_graph([(0, 1), (1, 0)]), "graph: an edge is repeated"),
        (lambda: make.from_graph([((0, 0), "a")]), "graph: a vertex is called neither by a string"),
        (
            lambda: make.from_graph((3, [(0, 1)]), lit=[0, 0, 1]),
            "lit: a bulb is listed twice; bits",
        ),
        (lambda: make.from_graph((3, []), lit=np.zeros(2) > 0), "lit: there must be 3 bits"),
        (lambda: make.from_graph((3, []), goal="on"), "goal: unknown goal 'on'"),
        (lambda: make.from_graph((3, []), goal=[3]), "goal: there is no bulb 3"),
        (lambda: make.from_buttons([[0, 3]], 3), r"buttons: buttons\[0\] names the light 3"),
        (lambda: make.from_buttons([[0]]), "lights: say how many there are"),
        (lambda: make.from_buttons([0], 1), r"buttons: buttons\[0\] is .*: it needs a list"),
        (lambda: make.from_buttons(3, 1), "buttons: 3 is not a list of buttons"),
        (lambda: make.from_buttons([[0]], 2.5), "lights: `lights` is 2.5: it must be a number"),
        (lambda: make.from_buttons([[0]], 1, at=[0, 0]), "at: places: 2, buttons: 1;"),
        (lambda: make.from_buttons(np.eye(2), 3), "lights: 3 lights, but an array with 2"),
        (lambda: make.from_buttons(np.eye(2), 2.5), "lights: 2.5 lights, but an array with 2"),
        (lambda: make.from_buttons([[0]], 1, at=5), "at: 5 is not a list of places"),
        (lambda: make.from_graph([([1], 2)]), "graph: a vertex is a list"),
        (lambda: ponder.prove(BOARD, {}, ".", forms="coq"), "forms: 'coq' is not a list of forms"),  # type: ignore[arg-type]
        (lambda: make.from_rows([1, 2]), "rows: a grid needs rows"),
        (lambda: make.from_rows(["01"], ""), "pattern: the pattern is empty"),
        (lambda: make.from_rows(["01"], 0), "pattern: 0 is not the name"),
        (lambda: make.from_rows(["01"], puzzle=[]), r"puzzle: unknown puzzle \[\]"),
        (lambda: make.from_rows(["01"], rule=np.zeros(0)), "rule: unknown rule array"),
        (lambda: make.from_rows(["01"], goal="x"), "goal: unknown goal 'x'"),
        (lambda: make.from_rows(["01"], goal=["0"]), "goal: the goal and the board differ"),
        (lambda: asked(press_set=np.array([99])), "press_set: there is no bulb 99"),
        (lambda: asked(press_set=[-1]), "press_set: there is no bulb -1"),
        (lambda: asked(press_set=[0.5]), "press_set: there is no bulb 0.5"),
        (lambda: asked(press_set=[(4, 0)]), r"press_set: there is no bulb \[4, 0\]"),
        (lambda: asked(press_set=["a"]), "press_set: there is no bulb 'a'"),
        (lambda: asked(press_set=[True]), "press_set: there is no bulb True"),
        (lambda: asked(press_set=[2**70]), "press_set: there is no bulb"),
        (lambda: asked(press_set="12"), "press_set: '12' is not a list of bulbs"),
        (lambda: asked(press_set=3), "press_set: 3 is not a list of bulbs"),
        (lambda: asked(press_set=np.zeros(9, np.bool_)), "press_set: there must be 16 bits"),
        (lambda: asked(press_set=np.zeros(9, np.int32)), r"press_set: .* 16 bits, .* shape \(9,\)"),
        (
            lambda: asked(press_set=np.eye(3)),
            r"press_set: .* 16 bits, .* shape \(4, 4\): .* \(3, 3\)",
        ),
        (lambda: asked(press_set=np.array(3)), "press_set: it must be a list of bulbs"),
        (
            lambda: asked(seed=np.eye(2)),
            r"seed: array\(\[\[.*\]\]\) is not a whole number",
        ),
        (lambda: make.from_graph([("a", "b")], lit="pressed"), "lit: unknown state .* of bulbs$"),
        (lambda: make.from_buttons(np.array(3), 3), r"buttons: array\(3\) is not a list"),
        (lambda: make.from_buttons([np.array(3)], 3), r"buttons: buttons\[0\] is .* a list"),
        (lambda: make.from_buttons([[0]], np.array(2.5)), "lights: `lights` is 2.5"),
        (lambda: make(BOARD.graph, BOARD.lit, BOARD.goal, pressed=np.zeros(2)), "pressed: array"),
        (lambda: ponder.press_sets(BOARD, 5), "limits: 5 is not of the class Limits"),  # type: ignore[arg-type]
        (lambda: ponder.kernel(BOARD, None), "limits: None is not"),  # type: ignore[arg-type]
        (lambda: ponder.parse_board("01", limits=5), "limits: 5 is not"),  # type: ignore[arg-type]
        (lambda: ponder.Limits("x"), "seconds: 'x' is not a number"),  # type: ignore[arg-type]
        (lambda: sets.member([1]), r"coefficients: \[1\] is no array of bools"),
        (lambda: ponder.prove(BOARD, ORDER, None), "folder: None is not the name"),  # type: ignore[arg-type]
        (lambda: from_json(None, ORDER.to_json()), "board: this is of type NoneType"),
        (lambda: from_json(BOARD, None), "board: the result is None"),
        (lambda: from_json(BOARD, {}), "board: command is None"),
        (lambda: from_json(BOARD, said(presses=[[5, 5]])), r"board: presses: .* bulb \[5, 5\]"),
        (lambda: from_json(BOARD, said(refutation=3)), "board: .* refutation does not go with it"),
        (lambda: from_json(BOARD, said(lower_bound="4")), "board: lower_bound is '4'"),
        (lambda: asked(cancel=0), "cancel: 0 is neither an event"),
        (lambda: ponder.verify(BOARD, [99]), "presses: there is no bulb 99"),
        (lambda: ponder.verify(BOARD, [(0, 0), 3]), "presses: it must be a list of bulbs"),
        (lambda: asked(timeout=-1), "timeout: -1 is not a number of seconds from 0 on"),
        (lambda: asked(timeout="5"), "timeout: '5' is not a number of seconds"),
        (lambda: asked(timeout=True), "timeout: True is not a number of seconds"),
        (lambda: asked(press_set=[0, 0]), "press_set: a bulb is listed twice"),
        (lambda: asked(press_set=[0]), "press_set: pressing 1 bulb leaves"),
        (lambda: asked(timeout=NAN), "timeout: nan is not a number of seconds"),
        (lambda: asked(timeout=-(10**5000)), "timeout: a number of thousands of digits is not"),
        (lambda: asked(progress="x"), "progress: 'x' is not a function"),
        (lambda: asked(progress=0), "progress: 0 is not a function"),
        (lambda: solve(BOARD, progress=[]), r"progress: \[\] is not a function"),
        (
            lambda: asked(method="sat", solver_settings="x"),
            "solver_settings: 'x' is not of the class",
        ),
        (lambda: asked(seed=-1), "seed: -1 is not a whole number from 0 on"),
        (lambda: asked(seed=1.5), "seed: 1.5 is not a whole number"),
        (lambda: asked(seed=2**63), "seed: 9223372036854775808 is more than"),
        (lambda: asked(method="gredy"), "method: unknown method 'gredy'; .* did you mean `greedy`"),
        (lambda: asked(trials="x"), "trials: 'x' is not a whole number"),
        (lambda: asked(variant="most"), "variant: unknown variant 'most'"),
        (lambda: asked(direction="up"), "direction: unknown direction 'up'"),
        (lambda: solve(BOARD, at_most=-1), "at_most: -1 is not a whole number"),
        (lambda: solve(BOARD, seed="x"), "seed: 'x' is not a whole number"),
        (lambda: solve(BOARD, timeout=-0.5), "timeout: -0.5 is not"),
        (lambda: ponder.orient((2, [(0, 1)]), [0], seed=-1), "seed: -1 is not"),
        (lambda: ponder.orient((2, [(0, 1)]), [0], timeout=-1), "timeout: -1 is not"),
        (lambda: ponder.orient((2, [(0, 1)]), [True]), "odd: there is no vertex True"),
        (lambda: ponder.orient((2, [(0, 1)]), np.array([0, 1]) > 0), "odd: there is no vertex F"),
        (lambda: ponder.orient((2, [(0, 1)]), [0], fixed=[(0, True)]), "fixed: there is no vertex"),
        (lambda: ponder.orient([[0, 1], [1]], []), r"graph: write \(n, edges\)"),
        (lambda: ponder.export(BOARD, []), r"unknown encoding \[\]"),  # type: ignore[arg-type]
        (lambda: ponder.verify(BOARD, {}, timeout=-1), "timeout: -1 is not"),
        (lambda: ponder.read(3), "path: 3 is not the name of a file"),  # type: ignore[arg-type]
        (lambda: ponder.parse_board(3), "text: 3 is not the text of a board"),  # type: ignore[arg-type]
        (lambda: ponder.parse_board("\ud800"), r"text: '\\ud800' is half of a surrogate pair"),
        (lambda: ponder.parse_board("01", pattern="", puzzle="king"), "pattern: the pattern is"),
        (lambda: ponder.parse_board("01", rule="", puzzle="king"), "rule: unknown rule"),
        (lambda: ponder.parse_board("01", pattern="knight"), "pattern: unknown pattern"),
        (lambda: ponder.parse_board("01", rule="x"), "rule: unknown rule"),
        (lambda: ponder.parse_board("01", goal="x"), "goal: unknown goal"),
        (lambda: ponder.parse_board("01", goal=3), "goal: unknown goal"),  # type: ignore[arg-type]
        (lambda: ponder.export(BOARD, options=[5]), "options: 5 is not a word"),  # type: ignore[list-item]
        (lambda: ponder.export(BOARD, options="layers=5"), "options: .* is not a list of words"),
        (lambda: ponder.parse_board("01", puzzle="x"), "puzzle: unknown puzzle"),
    ],
)
def test_what_cannot_be_is_refused_by_the_name_of_its_parameter(
    call: Callable[[], object], reason: str
) -> None:
    with pytest.raises(ponder.PonderError, match=f"^{reason}"):
        call()


def test_a_time_limit_may_be_of_any_size_and_kind_of_number() -> None:
    for limit in (10**400, float("inf"), np.int64(60), np.float32(60)):
        assert ponder.order(BOARD, timeout=limit).optimal  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "call",
    [ponder.order, ponder.solve, ponder.press_sets, ponder.kernel, ponder.nullity],
)
def test_what_is_no_board_is_refused(call: Callable[[Any], object]) -> None:
    for given in ("01", None, 3, np.zeros((2, 2))):
        with pytest.raises(BoardError, match=r"board: this is of type \w+, not a Board"):
            call(given)


def test_a_board_stands_for_its_graph() -> None:
    assert ponder.nullity(HOLED) == ponder.nullity(HOLED.graph)


def test_the_command_line_names_the_option(
    capsys: pytest.CaptureFixture[str], tmp_path: Any
) -> None:
    (tmp_path / "board.txt").write_text("01\n10\n")
    for words, reason in (
        (["--pattern", "knight"], "--pattern: unknown pattern"),
        (["--rule", "x"], "--rule: unknown rule"),
        (["--goal", "x"], "--goal: unknown goal"),
        (["--puzzle", "x"], "--puzzle: unknown puzzle"),
    ):
        assert run(["order", str(tmp_path / "board.txt"), *words]) == 2
        assert capsys.readouterr().err.startswith(f"ponder: {reason}")
    assert BadArgument("x", "press_set").option == "--press-set: x"
