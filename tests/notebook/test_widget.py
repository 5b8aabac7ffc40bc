"""The widget: its module, its board in Python, and the whole in a real JupyterLab."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

import ponder
from ponder.model.graph import EdgeGraph
from ponder.notebook import play
from ponder.notebook.widget import InTurn, Searches, module, searches
from ponder.system.errors import BoardError
from tests.notebook.extras import need
from tests.page.browser import Visit, browsing
from tests.processes import HANG, until

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


@pytest.mark.parametrize("searching", [searches, InTurn])
def test_questions_are_answered_as_on_the_page(searching: Callable[[], Searches | InTurn]) -> None:
    def asked(task: str, content: Any) -> list[dict[str, Any]]:
        said: list[dict[str, Any]] = []
        searching().ask(task, content, said.append).result(HANG)
        return said

    said = asked("answer", {"board": "\n".join(EXAMPLE), "timeout": 20, "session": "one"})
    assert said[-1]["end"]["count"] == 4
    assert [x["stage"] for x in said if x.get("stage", "found") != "found"] == [
        "solvable",
        "press-sets",
        "order",
    ]
    assert {"examples", "puzzles"} <= set(asked("start", {})[-1]["end"])
    assert asked("nothing", {})[-1] == {"error": "there is no such question"}
    assert asked("order", {"board": 3})[-1]["error"].startswith("`board` is missing")


def shared_files() -> Path:
    """Where JupyterLab's own files lie: beside its package, whatever the environment."""
    import jupyterlab

    return next(
        folder / "share" / "jupyter"
        for folder in Path(jupyterlab.__file__).parents
        if (folder / "share" / "jupyter" / "lab").is_dir()
    )


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/api/status", timeout=HANG) as reply:
            return bool(reply.read())
    except OSError:
        return False


@contextmanager
def jupyterlab(folder: Path) -> Iterator[str]:
    """Run JupyterLab on a folder: its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    home = folder.parent / "home"
    shared = shared_files()
    settings = [
        "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}",
        "--ServerApp.port_retries=0", "--IdentityProvider.token=", f"--ServerApp.root_dir={folder}",
        "--LabApp.news_url=None", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]  # fmt: skip
    environment = {
        **os.environ,
        "HOME": str(home),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTER_PATH": str(shared),
        "JUPYTERLAB_DIR": str(shared / "lab"),
        "IPYTHONDIR": str(home / "ipython"),
    }
    for name in ("config", "data", "runtime"):
        (home / name).mkdir(parents=True)
    address = f"http://127.0.0.1:{port}"
    with (
        (folder.parent / "log").open("wb") as log,
        subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *settings],
            stdout=log,
            stderr=log,
            env=environment,
            cwd=folder,
        ) as process,
    ):
        try:
            assert until(lambda: answers(address) or process.poll() is not None)
            assert process.poll() is None, (folder.parent / "log").read_text()
            yield address
        finally:
            process.terminate()
            process.wait(HANG)


def notebook_of(*cells: str) -> str:
    """Return a notebook file."""
    return json.dumps(
        {
            "cells": [
                {
                    "cell_type": "code",
                    "id": f"cell-{k}",
                    "metadata": {},
                    "execution_count": None,
                    "outputs": [],
                    "source": source,
                }
                for k, source in enumerate(cells)
            ],
            "metadata": {
                "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}
            },
            "nbformat": 4,
            "nbformat_minor": 5,
        }
    )


FIRST = f"""import ponder
from ponder import notebook
w = notebook.play(ponder.Board.from_rows({list(EXAMPLE)}))
w"""
SAYS = "print('says', w.board.graph.to_grid(w.board.lit).astype(int).tolist(), w.pressed)"
CONNECTED = """() => {
    const status = document.querySelector(".jp-Notebook-ExecutionIndicator")?.dataset.status;
    window.begun ||= status && status !== "idle";
    return window.begun && status === "idle";
}"""
"""Whether the kernel listens: before, JupyterLab forgets what it is told to run. It also calls a
notebook idle that has no kernel yet."""
SETS = "w.board = ponder.Board.from_rows(['010', '111', '010'], 'plus')"


@pytest.mark.lab
@pytest.mark.browser
def test_in_jupyterlab(tmp_path: Path) -> None:
    """Draw, play by hints, read the board in Python, set it from Python."""
    need("jupyterlab", "lab")
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "play.ipynb").write_text(notebook_of(FIRST, SAYS, SETS, SAYS))
    with jupyterlab(folder) as address, browsing() as browser:
        page = browser.new_page(viewport={"width": 1400, "height": 1000})
        page.goto(f"{address}/lab/tree/play.ipynb?reset")
        visit = Visit(page, page.context)
        cells = page.locator(".jp-Notebook .jp-CodeCell")
        expect(cells).to_have_count(4)
        page.wait_for_function(CONNECTED)
        cells.first.locator(".cm-content").click()
        page.keyboard.press("Shift+Enter")
        visit.expect_answer("4 presses")
        assert visit.rows() == list(EXAMPLE)

        def python(number: int) -> str:
            cells.nth(number).locator(".cm-content").click()
            page.keyboard.press("Shift+Enter")
            output = cells.nth(number).locator(".jp-OutputArea-output")
            output.filter(has_text="says").wait_for()
            return output.inner_text().strip()

        visit.cell(0, 0).click()  # draw
        visit.expect_answer("presses")
        visit.cell(0, 0).focus()
        page.keyboard.press("Enter")  # and take it back by a key, which JupyterLab leaves alone
        assert visit.rows() == list(EXAMPLE)
        visit.expect_answer("4 presses")
        visit.place("Play")
        made = []
        for count in range(1, 3):
            visit.button("Hint").click()
            visit.page.get_by_role("status", name="Why").filter(has_text="Look").wait_for()
            visit.button("Hint").click()
            visit.progress.filter(has_text="next: row").wait_for()
            ((row, column),) = visit.pressed()
            visit.cell(row, column).click()
            visit.progress.filter(has_text=f"{count} press").wait_for()
            made.append((row, column))
        shown = [[int(sign) for sign in line] for line in visit.rows()]
        assert python(1) == f"says {shown} {made}"
        cells.nth(2).locator(".cm-content").click()
        page.keyboard.press("Shift+Enter")
        expect(visit.grid.get_by_role("gridcell")).to_have_count(9)
        assert visit.rows() == ["010", "111", "010"]
        assert python(3) == "says [[0, 1, 0], [1, 1, 1], [0, 1, 0]] []"
