"""The library as its users meet it: types, equality, cancellation, every sort of answer checked."""

from __future__ import annotations

import json
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest

import ponder
from ponder import Board
from tests.clocks import Looks
from tests.processes import HANG
from tools.examples import blocks, pages

ROOT = Path(__file__).resolve().parents[2]
INSTANCES = ROOT / "instances"
PROGRAM = Path(__file__).with_name("strict_program.py")
BOARDS = (
    "ibm-2023-04-example-4x4.txt", "plus-10x10-no-order.txt", "cross-6x6-no-order-cut.txt",
    "graph-house.json", "wiring-levers.json", "wiring-one-way-7.json",
)  # fmt: skip
TRIANGLE = [("a", "b"), ("b", "c"), ("a", "c")]


def test_a_strict_program(tmp_path: Path) -> None:
    pytest.importorskip("networkx")
    from tests.book.strict_program import main

    (tmp_path / "graph.edges").write_text("1 2\n2 3\n3 4\n4 1\n4 5\n")
    verdicts = main(tmp_path)
    assert verdicts["dark"] == "2 presses, from 2 to 5"
    assert verdicts["lit-1"] == "certificate.v"
    assert (tmp_path / "lit-1" / "certificate.v").exists()
    assert verdicts["stopped"] == "cancelled" or "2 presses" in verdicts["stopped"], "was faster"
    assert json.loads((tmp_path / "dark.json").read_text())["verdict"] == "solved"
    text = PROGRAM.read_text(encoding="utf-8")
    assert text.count("\n") <= 40
    assert not re.search(r"\bcast\b|\bAny\b|type: ignore", text)


PROBE = """
import ponder
result = ponder.order(ponder.Board.from_rows(["01"]))
reveal_type(result.places)
if result.solved:
    reveal_type(result.places)
reveal_type(ponder.orient((2, [(0, 1)]), odd=[0]))
"""


@pytest.mark.deep
def test_types_that_help(tmp_path: Path) -> None:
    """mypy, strict: places of a grid are pairs, and where it is solved; the documents' code."""
    (tmp_path / "probe.py").write_text(PROBE)
    for page in pages():
        code = [x.body for x in blocks(page.read_text("utf-8")) if x.kind == "python"]
        (tmp_path / f"{page.stem.lower()}_page.py").write_text("\n".join(code))
    words = ["-m", "mypy", "--strict", "--config-file", "pyproject.toml", str(PROGRAM)]
    done = subprocess.run(
        [sys.executable, *words, *map(str, tmp_path.glob("*.py"))],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=HANG,
    )  # fmt: skip
    revealed = re.findall(r'Revealed type is "(.*)"', done.stdout)
    assert done.returncode == 0, done.stdout
    assert revealed[:2] == ["list[tuple[int, int]] | None", "list[tuple[int, int]]"]
    assert "Orientation[int]" in revealed[2]


@pytest.mark.parametrize("name", BOARDS)
def test_answers_are_equal_after_pickling_and_json_and_verified(name: str, tmp_path: Path) -> None:
    board = ponder.read(INSTANCES / name)
    assert ponder.parse_board(board.to_text()) == board
    for result in (ponder.order(board), ponder.solve(board)):
        assert result.solved == isinstance(result, ponder.Solved) == (result.verdict == "solved")
        assert pickle.loads(pickle.dumps(result)) == result
        content = json.loads(json.dumps(result.to_json()))
        again = ponder.Result.from_json(board, content)
        assert (again, hash(again), type(again)) == (result, hash(result), type(result))
        assert ponder.verify(board, result).complete
        if result.solved:
            assert ponder.verify(board, result.places).complete
            assert ponder.verify(board, result.presses).complete
            with pytest.raises(ponder.CheckFailed):
                ponder.verify(board, result.places[1:])
    assert ponder.order(board) != ponder.solve(board)


def test_orientations_are_stored_verified_and_proved(tmp_path: Path) -> None:
    grid = [((0, 0), (0, 1)), ((0, 1), (1, 1)), ((1, 1), (1, 0)), ((1, 0), (0, 0))]
    asked: list[tuple[Any, Any]] = [(TRIANGLE, ["a"]), (TRIANGLE, []), (grid, []), (grid, [(0, 0)])]
    for graph, odd in asked:
        outcome = ponder.orient(graph, odd)
        assert not isinstance(outcome, ponder.Unknown)
        content = json.loads(json.dumps(outcome.to_json()))
        for answer in (outcome, content):
            assert ponder.verify(graph, answer).complete
        picture = ponder.draw(graph, outcome)
        assert (
            ("An acyclic" in picture)
            == ("leads to the right" in picture)
            == hasattr(outcome, "arcs")
        )
        with pytest.raises(ponder.CheckFailed, match="another graph"):
            ponder.draw([*graph, ("x", "y")], outcome)
        assert pickle.loads(pickle.dumps(outcome)) == outcome == ponder.orient(graph, odd)
        assert outcome != ponder.orient(graph, [graph[0][0], graph[0][1]])
        content["odd"] = content["odd"][1:] or [content["graph"]["vertices"] - 1]
        with pytest.raises(ponder.CheckFailed):
            ponder.verify(graph, content)
    refused = ponder.orient(TRIANGLE, [])
    names = [path.name for path in ponder.prove(TRIANGLE, refused, tmp_path / "proof")]
    assert "formula.cnf" in names or "formula.opb" in names
    with pytest.raises(ponder.PonderError, match="forms"):
        ponder.prove(TRIANGLE, refused, tmp_path, forms=["pdf"])  # type: ignore[list-item]


def stopped() -> Event:
    event = Event()
    event.set()
    return event


HARD = Board.from_grid(np.zeros((12, 11)), "plus", goal=np.indices((12, 11)).sum(0) % 3 == 0)
CIRCLE = (40, [(v, (v + 1) % 40) for v in range(40)])


@pytest.mark.parametrize(
    "ask",
    [
        lambda cancel: ponder.order(HARD, cancel=cancel).reason,
        lambda cancel: ponder.order(HARD, cancel=cancel, timeout=ponder.Limits(60)).reason,
        lambda cancel: ponder.solve(HARD, cancel=cancel).reason,
        lambda cancel: list(ponder.search(HARD, cancel=cancel))[-1].reason,
        lambda cancel: getattr(ponder.orient(CIRCLE, [0, 1], cancel=cancel), "reason", None),
        lambda cancel: ponder.count_orientations(CIRCLE, [], cancel=cancel).reason,
        lambda cancel: ponder.count_orders(HARD, cancel=cancel).orders.reason,
    ],
)
def test_a_search_is_cancelled_by_an_event_or_a_function(ask: Callable[[Any], object]) -> None:
    assert ask(stopped()) == ask(lambda: True) == "cancelled"
    assert ask(None) != "cancelled" != ask(Event())
    with pytest.raises(ponder.PonderError, match="cancel: 3 is neither an event"):
        ask(3)


def test_a_cancelled_search_gives_what_it_knows() -> None:
    """At whatever look it is stopped: an answer that is right, or the reason."""
    board = Board.from_grid(np.zeros((6, 6)), "torus-plus")
    for look in range(1, 200, 20):
        result = ponder.solve(board, cancel=Looks(look).stop)
        assert result.optimal or result.reason == "cancelled"
        assert ponder.verify(board, result).statements


def test_boards_are_made_of_graphs_and_buttons() -> None:
    """The same puzzle whatever it is made of, and its text is read back."""
    rng = np.random.default_rng(4)
    for _ in range(20):
        size, lights = (int(n) for n in rng.integers(1, 6, 2))
        upper = np.triu(rng.random((size, size)) < 0.5, 1)
        pairs = [(int(u), int(v)) for u, v in zip(*np.nonzero(upper), strict=True)]
        lit = np.flatnonzero(rng.random(size) < 0.5)
        boards = [Board.from_graph(g, lit) for g in ((size, pairs), (upper | upper.T).astype(int))]
        boards.append(Board.from_graph((size, pairs), boards[0].lit))
        near = upper | upper.T | np.eye(size, dtype=np.bool_)
        boards.append(Board.from_buttons(near, lit=lit, at=range(size)))
        assert len(set(boards)) == 1
        matrix = rng.random((size, lights)) < 0.6
        lists = [np.flatnonzero(row).tolist() for row in matrix]
        wired = Board.from_buttons(lists, lights, rule="any", goal=range(0, lights, 2))
        assert wired == Board.from_buttons(matrix.astype(float), rule="any", goal=wired.goal)
        pressed = rng.random(wired.graph.presses) < 0.5
        assert np.array_equal(wired.graph.apply(pressed), pressed.astype(int) @ matrix % 2 == 1)
        for board in (boards[0], wired):
            assert ponder.parse_board(board.to_text()) == board
    named = Board.from_buttons({"red": ["a"], "blue": ["a", "b"]}, ["a", "b"], lit=["b"])
    assert ponder.solve(named).places == ["blue", "red"] or ponder.solve(named).solved
