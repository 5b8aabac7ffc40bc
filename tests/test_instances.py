"""Every board in `instances/` has the verdict that `expected.json` promises, and it verifies.

Neither needs OR-tools: it cannot be imported.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import ponder
from ponder.model.graph import GridGraph

FOLDER = Path(__file__).resolve().parent.parent / "instances"
EXPECTED: dict[str, dict[str, object]] = json.loads((FOLDER / "expected.json").read_text())


@pytest.fixture(autouse=True)
def light(monkeypatch: pytest.MonkeyPatch) -> None:
    """OR-tools cannot be imported."""
    loaded = [name for name in sys.modules if name.split(".")[0] == "ortools"]
    for name in {"ortools", *loaded}:
        monkeypatch.setitem(sys.modules, name, None)


def test_every_board_is_listed_and_there_are_enough() -> None:
    boards = {p.name for p in FOLDER.iterdir() if p.suffix in (".txt", ".json")}
    boards.remove("expected.json")
    assert boards == set(EXPECTED)
    assert len(boards) >= 18
    words = {ponder.read(FOLDER / name).graph.pattern.split()[0] for name in boards}
    assert words == {
        "cross",
        "plus",
        "king",
        "torus-plus",
        "torus-king",
        "stencil",
        "graph",
        "wiring",
    }
    assert {ponder.read(FOLDER / name).rule for name in boards} == {"unlit", "lit", "any"}


@pytest.mark.parametrize("name", EXPECTED)
def test_order(name: str) -> None:
    expected = EXPECTED[name]
    board = ponder.read(FOLDER / name)
    assert board.graph.size == expected["bulbs"]
    result = ponder.order(board)
    content = json.loads(json.dumps(result.to_json()))
    for key in ("verdict", "claim", "count", "optimal"):
        assert content[key] == expected[key], key
    kind = None if result.refutation is None else result.refutation.kind
    assert kind == expected["refutation"]
    report = ponder.verify(board, content)
    assert not report.unchecked_verdict


@pytest.mark.parametrize("name", EXPECTED)
def test_solve(name: str) -> None:
    fewest = EXPECTED[name]["fewest"]
    board = ponder.read(FOLDER / name)
    result = ponder.solve(board)
    if fewest is None:
        assert (result.verdict, result.claim) == ("impossible", "C4")
    else:
        assert (result.verdict, result.claim, result.count) == ("solved", "C3", fewest)
        assert result.optimal
    ponder.verify(board, json.loads(json.dumps(result.to_json())))


@pytest.mark.parametrize("name", EXPECTED)
def test_text_round_trip(name: str) -> None:
    from ponder.model.formats import board_text, parse_board

    board = ponder.read(FOLDER / name)
    again = parse_board(board_text(board), name)
    assert again.sha256 == board.sha256
    assert isinstance(board.graph, GridGraph) == isinstance(again.graph, GridGraph)
