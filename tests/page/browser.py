"""The page in a real browser: Debian's Chromium, driven by playwright, and a server of its own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect, sync_playwright

import ponder
from tests.conftest import BROWSERS

ROOT = Path(__file__).resolve().parents[2]

EXAMPLE: Final = ("0011", "1101", "0110", "0001")
"""The 4×4 board of April 2023: 4 presses."""


SLOW: Final = 30_000
"""Milliseconds after which what is waited for does not come, on whatever machine."""

TAKEN: Final = """async (text) => {
    const field = document.getElementById("text"), use = document.getElementById("use-text");
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    use.click();
    while (use.ariaBusy !== "false") await new Promise((go) => setTimeout(go, 5));
}"""


PHONE: Final[Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}


def chromium() -> str | None:
    """Return the path of the browser, None where there is none."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


@contextmanager
def serving(
    *arguments: str, errors: Path | None = None, before: Sequence[str] = ()
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Run `ponder play` on a free port: its address, and the process.

    Standard error goes to a file; `before` stands before the command, as `prlimit` does.
    """
    command = [*before, sys.executable, "-m", "ponder", "play", "--no-browser", "--port", "0"]
    with (
        (errors or Path(os.devnull)).open("wb") as said,
        subprocess.Popen(
            [*command, *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=said, text=True
        ) as process,
    ):
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip(), process
        finally:
            with suppress(ProcessLookupError):
                process.terminate()


@contextmanager
def browsing() -> Iterator[Browser]:
    """Start the browser."""
    with sync_playwright() as playwright:
        path = chromium()
        assert path is not None
        expect.set_options(timeout=SLOW)
        browser = playwright.chromium.launch(executable_path=path)
        yield browser
        browser.close()


def forgotten(tab: Page, address: str) -> None:
    """Forget what a tab has kept of the page and where its mouse is: the next visit is the first.

    What the tab still shows can keep nothing meanwhile. A tab that has shown no page yet needs one
    of the page's origin.
    """
    if not tab.url.startswith(address):
        tab.goto(f"{address}icon.svg")
    tab.evaluate("localStorage.clear(); Storage.prototype.setItem = () => {}")
    tab.mouse.move(0, 0)


@dataclass
class Visit:
    """A page that is open, by the roles and names that a person finds."""

    page: Page
    context: BrowserContext
    wrong: list[str] = field(default_factory=list)
    """What the page's scripts have complained of."""

    def __post_init__(self) -> None:
        self.context.set_default_timeout(SLOW)

    @property
    def grid(self) -> Locator:
        return self.page.get_by_role("grid", name="Board")

    @property
    def answer(self) -> Locator:
        return self.page.get_by_role("status", name="Answer")

    @property
    def progress(self) -> Locator:
        return self.page.get_by_role("status", name="Progress")

    def cell(self, row: int, column: int) -> Locator:
        """Return a cell by its place, from 0."""
        place = f'[role=gridcell][data-row="{row}"][data-col="{column}"]'
        return self.grid.locator(place)

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def select(self, name: str, value: str | int) -> None:
        self.page.get_by_role("combobox", name=name, exact=True).select_option(str(value))

    @property
    def rules(self) -> Locator:
        return self.page.get_by_role("status", name="Rules")

    def place(self, name: str) -> None:
        """Go to Play, Solve or Draw."""
        self.page.get_by_role("radio", name=name, exact=True).check()

    def radio(self, name: str) -> Locator:
        return self.page.get_by_role("radio", name=name, exact=True)

    def box(self, name: str) -> Locator:
        return self.page.get_by_role("checkbox", name=name)

    def rows(self) -> list[str]:
        """Return the board as the names of its cells tell it."""
        cells = self.grid.get_by_role("gridcell").evaluate_all(
            "cells => cells.map(x => [x.dataset.row, x.dataset.col, x.ariaLabel])"
        )
        rows: dict[int, dict[int, str]] = {}
        for row, column, name in cells:
            lit = name.split(", ")[2] == "lit"
            assert name.startswith(f"row {int(row) + 1}, column {int(column) + 1}, "), name
            rows.setdefault(int(row), {})[int(column)] = "1" if lit else "0"
        width = max(max(line) for line in rows.values()) + 1
        return ["".join(rows[r].get(c, "-") for c in range(width)) for r in sorted(rows)]

    def expect_board(self) -> None:
        """Wait for the board that was asked for."""
        expect(self.grid).not_to_have_attribute("aria-busy", "true")

    def draw(self, rows: tuple[str, ...] | list[str]) -> None:
        """Draw a board with the mouse, from a dark one of its size."""
        self.place("Draw")
        self.select("Rows", len(rows))
        self.select("Columns", len(rows[0]))
        self.button("Clear").click()
        for r, line in enumerate(rows):
            for c, sign in enumerate(line):
                if sign == "1":
                    self.cell(r, c).click()

    def use(self, text: str, place: str = "Solve") -> None:
        """Take a board from text, by the page's own field, in Solve or in Draw.

        It is filled and used as an assistive technology does; in some tests a mouse does.
        """
        self.place(place)
        self.page.evaluate(TAKEN, text)

    def text(self) -> str:
        """Return the board's text, by the page's own field."""
        self.page.evaluate("document.getElementById('text').value = ''")  # of another board
        self.page.get_by_text("As text").click()
        field = self.page.get_by_role("textbox", name="Text of the position")
        expect(field).not_to_have_value("")
        return field.input_value()

    def start(self) -> ponder.Board:
        """Return the start board, from the address.

        The page writes it a moment after a change, and at once when it is left.
        """
        text = self.page.evaluate(
            """async () => {
                window.dispatchEvent(new Event("pagehide"));
                const { boardOf } = await import(new URL("link.js", document.baseURI));
                return boardOf(location.hash).text;
            }"""
        )
        return ponder.parse_board(text)

    def win(self, board: ponder.Board) -> None:
        """Press what solves the board that is shown, without a hint."""
        for place in ponder.solve(board).places or []:
            self.cell(*place).click()  # type: ignore[misc]
        expect(self.progress).to_contain_text("solved")

    def expect_answer(self, words: str) -> None:
        """Wait for the answer, of the board as it stands, to hold some words."""
        settled = self.page.locator('#answer[aria-busy="false"]')
        expect(settled).to_contain_text(words)

    def wait_for_frames(self) -> None:
        """Wait until the page has had the occasion to paint ten times."""
        self.page.evaluate(
            """async () => {
                for (let k = 0; k < 10; k++) await new Promise(requestAnimationFrame);
            }"""
        )

    @contextmanager
    def expects_errors(self) -> Iterator[None]:
        """Forget what the browser says of replies that are errors."""
        yield
        self.wrong.clear()

    def hint(self) -> tuple[int, int]:
        """Ask for a hint, where to look and which: the cell that it rings."""
        self.button("Hint").click()
        expect(self.page.get_by_role("status", name="Why")).not_to_be_empty()
        self.button("Hint").click()
        expect(self.progress).to_contain_text("next: row")
        cells = self.grid.get_by_role("gridcell", name=re.compile(", press$"))
        row, column = cells.first.evaluate("cell => [cell.dataset.row, cell.dataset.col]")
        return int(row), int(column)

    def pressed(self) -> list[tuple[int, int]]:
        """Return the cells that are marked as presses."""
        cells = self.grid.get_by_role("gridcell", name=", press").evaluate_all(
            "cells => cells.map(x => [Number(x.dataset.row), Number(x.dataset.col)])"
        )
        return [(row, column) for row, column in cells]


def game(visit: Visit, label: str) -> None:
    """Open the board of a label in Play."""
    visit.page.evaluate(
        """async (label) => {
            const module = (name) => import(new URL(name, document.baseURI));
            const { labelOf } = await module("label.js");
            const { madeBy } = await module("made.js");
            const { PUZZLES } = await module("puzzles.js");
            const { Board } = await module("board.js");
            const { hashOf } = await module("link.js");
            const { board } = await madeBy(labelOf(label), Board.dark(1, 1, PUZZLES[0]));
            location.hash = hashOf(board, label);
        }""",
        label,
    )
    expect(visit.radio("Play")).to_be_checked()
    expect(visit.progress).to_contain_text("0 presses")
