"""The widget: its module, its board in Python, its questions."""

from __future__ import annotations

import re
import threading
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

import ponder
from ponder.model.edge_graph import EdgeGraph
from ponder.notebook import play
from ponder.notebook.widget import messages, module
from ponder.system.errors import BoardError
from tests.page.browser import browsing

EXAMPLE = ("0011", "1101", "0110", "0001")


SHOWN = """async ([text, board]) => {
    const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    const { default: widget } = await import(url);
    const said = new Map([["text", board], ["presses", []], ["playing", false]]);
    const model = {
        get: (name) => said.get(name), set: (name, value) => said.set(name, value),
        on() {}, off() {}, send() {}, save_changes() {},
    };
    return Promise.all([0, 1].map(() => {
        const el = document.body.appendChild(document.createElement("div"));
        return widget.render({ model, el });
    })).then(() => 0);
}"""


@pytest.mark.browser
def test_every_view_has_a_board_of_its_own() -> None:
    text = "pattern: cross\nrule: unlit\ngoal: lit\n" + "\n".join(EXAMPLE) + "\n"
    with browsing() as browser:
        page = browser.new_page()
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.set_content("<!doctype html><title>Views</title>")
        page.evaluate(SHOWN, [module(), text])
        grids = page.get_by_role("grid", name="Board")
        expect(grids).to_have_count(2)
        grids.first.get_by_role("gridcell").first.click()  # drawn in one of them alone
        for grid, state in zip(grids.all(), ("lit", "unlit"), strict=True):
            name = re.compile(f"^row 1, column 1, {state}")
            expect(grid.get_by_role("gridcell", name=name)).to_have_count(1)
        assert wrong == []


def test_a_board_goes_in_and_comes_out() -> None:
    board = ponder.Board.from_rows(["01-", "110"], "king", "lit", ["11-", "001"])
    widget = play(board)
    assert widget.board is board
    widget.text = "pattern: plus\nrule: unlit\ngoal: lit\n00\n01\n"  # as the browser says it
    assert widget.board.lit.tolist() == [False, False, False, True]
    widget.presses = [[0, 1]]
    assert widget.pressed == [(0, 1)]
    widget.board = board
    assert (widget.pressed, widget.board.sha256) == ([], board.sha256)


def test_boards_that_the_page_does_not_draw() -> None:
    bits = np.zeros(3, dtype=np.bool_)
    with pytest.raises(BoardError, match="a graph has no grid"):
        play(ponder.Board(EdgeGraph(3, [(0, 1)]), bits, ~bits))
    with pytest.raises(BoardError, match="at most 100"):
        play(ponder.Board.from_rows(["0" * 101]))


def test_questions_are_answered_as_on_the_page() -> None:
    def asked(task: str, content: object) -> list[dict[str, Any]]:
        return list(messages(task, content, threading.Event()))

    said = asked("answer", {"board": "\n".join(EXAMPLE), "timeout": 20})
    assert said[-1]["end"]["count"] == 4
    assert {"examples", "puzzles"} <= set(asked("start", {})[-1]["end"])
    assert asked("nothing", {})[-1] == {"error": "there is no such question"}
    assert asked("order", {"board": 3})[-1]["error"].startswith("`board` is missing")
