"""clingo: its orders are legal, its "no" is a word, and without it there is one line."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ponder import order
from ponder.cli import run
from ponder.find.solvers.asp import CLINGO_SAYS, MODELS, order_asp
from ponder.model.ordering_problem import Order, OrderingProblem
from ponder.system.limits import Limits
from tests import brute
from tests.boards import all_pressed

BOARD = "instances/plus-10x10-order.txt"
NO_ORDER = "instances/plus-10x10-no-order.txt"


@settings(max_examples=25)
@given(st.data())
def test_against_brute_force(data: st.DataObject) -> None:
    size = data.draw(st.integers(0, 6))
    pairs = [(u, v) for u in range(size) for v in range(u + 1, size)]
    edges = data.draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    odd = data.draw(st.lists(st.integers(0, size - 1), unique=True)) if size else []
    board = all_pressed(size, edges, odd)
    for model in MODELS:
        problem = OrderingProblem.from_edges(size, edges, odd)
        answer = order_asp(problem, model, limits=Limits(None))
        assert isinstance(answer, Order) == brute.orderable(size, edges, odd), model
    result = order(board, method="asp", press_set=np.arange(size))
    assert (result.verdict == "solved") == brute.orderable(size, edges, odd)
    if result.verdict != "solved":
        assert (result.verdict, result.refutation) == ("unknown", None)
        assert result.reason == CLINGO_SAYS


def test_some_neighbours_alone_and_given_directions() -> None:
    hears = [[1, 2], [2], [0], [0, 1]]
    for odd in np.ndindex(2, 2, 2, 2):
        for fixed in ([], [(0, 3)], [(0, 3), (2, 1)]):
            problem = OrderingProblem.one_way(hears, np.array(odd) > 0)
            if fixed:
                problem = OrderingProblem(
                    problem.graph,
                    problem.bulbs,
                    problem.odd,
                    fixed=np.array(fixed),
                    heard=problem.heard,
                )
            possible = odd in brute.parities_of_orders(hears, fixed)
            for model in MODELS:
                answer = order_asp(problem, model, limits=Limits(None))
                assert isinstance(answer, Order) == possible


def test_at_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    for more in ([], ["--encoding", "chain"], ["--seed", "5"]):
        assert run(["order", BOARD, "--method", "asp", "--json", *more]) == 0
        assert json.loads(capsys.readouterr().out)["method"] == "asp"
    assert run(["order", NO_ORDER, "--method", "asp"]) == 3
    assert "not proved" in capsys.readouterr().out
    for words, reason in (
        (["--encoding", "precedence"], "unknown model of clingo 'precedence'; known: count, chain"),
        (["--option", "xor=chain"], "only with --method sat or cpsat"),
        (["--memory", "5"], "only with --method sat or cpsat"),
    ):
        assert run(["order", BOARD, "--method", "asp", *words]) == 2
        assert reason in capsys.readouterr().err


def test_a_stop_is_a_stop() -> None:
    ring = OrderingProblem.from_edges(4, [(0, 1), (1, 2), (2, 3), (0, 3)])
    result = order(
        ring.board, method="asp", press_set=np.arange(4), timeout=Limits(None, lambda: True)
    )
    assert result.verdict == "unknown"
    assert "not proved" not in str(result.reason)


def test_without_clingo(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "clingo", None)
    assert run(["order", BOARD, "--method", "asp"]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err) == (
        "",
        "ponder: the method asp needs clingo: pip install ponder[asp]\n",
    )


def test_compared(capsys: pytest.CaptureFixture[str]) -> None:
    methods = ["--method", "asp:count", "--method", "asp:chain", "--method", "auto"]
    assert run(["compare", BOARD, NO_ORDER, *methods, "--workers", "1", "--quiet"]) == 0
    assert "asp:chain" in capsys.readouterr().out
    assert run(["compare", BOARD, "--method", "asp:other"]) == 2
    assert "unknown model of clingo" in capsys.readouterr().err


def test_a_row_is_the_methods_own_or_says_whose_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    """Row/column boards too are clingo's, where it is asked; what others answer is told."""
    families = ["--family", "cross:6:boards=5", "--family", "plus:4:boards=3"]
    methods = ["asp:count", "asp:chain", "greedy", "lines", "spanning", "sat:precedence"]
    asked = [word for method in methods for word in ("--method", method)]
    assert run(["compare", *families, *asked, "--workers", "1", "--json", "--quiet"]) == 0
    lines = {}
    for line in json.loads(capsys.readouterr().out)["lines"]:
        lines[line["family"], line["method"]] = line
    for (_, method), line in lines.items():
        others = set(line["others"])
        if method.startswith(("asp", "greedy", "sat")):
            assert others <= {"linear"}
            assert method.startswith("sat") or not {*line["impossible"]} - {"odd-witness"}
        if method == "spanning":  # small blocks are counted, or gone through
            assert others <= {"linear", "counting", "blocks", "blocks+subsets"}
    assert lines["cross", "spanning"]["others"]
    assert lines["cross", "asp:count"]["unknown"]


def test_order_says_who_answered(capsys: pytest.CaptureFixture[str]) -> None:
    board = str(Path(BOARD).parent / "plus-5x5-order.txt")
    assert run(["order", board, "--method", "spanning"]) == 0
    assert "--method spanning: answered by" in capsys.readouterr().err
    assert run(["order", board, "--method", "greedy"]) == 0
    assert "answered by" not in capsys.readouterr().err
