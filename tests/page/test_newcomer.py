"""A newcomer's way: open, read, play, get lost, ask, win, go on, share; and a friend's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from math import isqrt
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pytest
from playwright.sync_api import Browser, expect

import ponder
from tests.depth import deep
from tests.page.browser import MOST_LOOKS, Visit, forgotten
from tests.page.hands import Finger, Hand, Keys, Mouse

pytestmark = pytest.mark.browser

DESK: Any = {"viewport": {"width": 1200, "height": 900}}
PHONE: Any = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
RULE = "Press an unlit bulb: it and its whole row and column change. Light them all."

RULES = {
    "In order": "above, below, left and right",
    "Lights Out": "Press any bulb",
    "King's move": "the bulbs around it",
    "Round the world": "across the edges too",
}

GRADES = ("Hard", "Expert")


@contextmanager
def opened(browser: Browser, address: str, how: Any) -> Iterator[Visit]:
    """Open an address in a fresh profile."""
    with closing(browser.new_context(**how)) as context:
        visit = Visit(context.new_page(), context)
        visit.page.on("pageerror", lambda error: visit.wrong.append(str(error)))
        visit.page.goto(address)
        expect(visit.progress).to_contain_text("0 presses")
        yield visit
        assert visit.wrong == []


def board_of(visit: Visit) -> ponder.Board:
    """Return the board that is seen, in the puzzle of rows and columns."""
    return ponder.Board.from_rows(visit.rows())


def place_of(board: ponder.Board, bulb: int) -> tuple[int, int]:
    """Return the row and the column of a bulb of a square board."""
    return divmod(bulb, isqrt(board.graph.size))


def wasteful(board: ponder.Board) -> tuple[int, int] | None:
    """Return an unlit bulb whose press is no step of a shortest solution; some boards have none."""
    fewest = ponder.solve(board).count
    for bulb in np.flatnonzero(~board.lit).tolist():
        lit = board.lit ^ board.graph.apply(board.graph.set_of([bulb]))
        after = ponder.solve(ponder.Board(board.graph, lit, board.goal)).count
        if fewest is not None and after is not None and after >= fewest:
            return place_of(board, bulb)
    return None


@pytest.mark.parametrize(
    ("hand", "how"),
    [
        pytest.param(Mouse(), DESK, id="mouse", marks=pytest.mark.deep),
        pytest.param(Finger(), PHONE, id="touch", marks=pytest.mark.deep),
        pytest.param(Keys(), DESK, id="keyboard"),
    ],
)
def test_the_way_of_a_newcomer(browser: Browser, address: str, hand: Hand, how: Any) -> None:
    with opened(browser, address, how) as visit:
        visit.context.grant_permissions(["clipboard-read", "clipboard-write"])
        expect(visit.radio("Play")).to_be_checked()
        expect(visit.rules).to_have_text(RULE)
        hand.use(visit, visit.radio("Medium"))
        visit.expect_board()
        while (too_many := wasteful(start := board_of(visit))) is None:
            hand.use(visit, visit.button("New board"))
            expect(visit.progress).to_contain_text("0 presses")
            visit.expect_board()
        fewest = ponder.solve(start).count
        assert fewest is not None
        assert ponder.order(start).verdict == "solved"
        # a press too many, and the way back
        hand.press(visit, *too_many)
        expect(visit.progress).to_contain_text("1 press")
        expect(visit.page.get_by_text("more can still do it")).to_be_visible()
        hand.use(visit, visit.button("Undo"))
        expect(visit.progress).to_contain_text("0 presses")
        # won by hints
        for count in range(1, fewest + 1):
            hand.use(visit, visit.button("Hint"))
            why = visit.page.get_by_role("status", name="Why")
            expect(why).to_contain_text("Look")
            assert visit.pressed() == []
            hand.use(visit, visit.button("Hint"))
            expect(why).to_contain_text("every solution presses it")
            expect(visit.progress).to_contain_text("next: row")
            (at,) = visit.pressed()
            hand.press(visit, *at)
            expect(visit.progress).to_contain_text(f"{count} press")
        expect(visit.progress).to_contain_text("solved")
        won = visit.page.get_by_role("status", name="Result")
        expect(won).to_contain_text(f"Solved in {fewest}, the fewest possible.")
        hand.use(visit, visit.button("Share result"))
        expect(visit.page.get_by_role("status", name="Shared")).to_contain_text("Copied")
        told = visit.page.evaluate("navigator.clipboard.readText()")
        count = fewest
        assert told.startswith(f"ponder Rows and columns, medium, {count} presses, best {count}\n")
        assert sum(told.count(sign) for sign in "🟡⚪") == start.graph.size
        # on to the next board, which goes to a friend
        hand.use(visit, visit.button("Next"))
        visit.expect_board()
        expect(visit.progress).to_contain_text("0 presses")
        shared = visit.rows()
        assert ponder.Board.from_rows(shared).sha256 != start.sha256
        hand.press(visit, *place_of(board_of(visit), int(np.flatnonzero(~board_of(visit).lit)[0])))
        expect(visit.progress).to_contain_text("1 press")
        hand.use(visit, visit.button("Share"))
        expect(visit.page.get_by_role("status", name="Shared")).to_contain_text("Copied")
        link = visit.page.evaluate("navigator.clipboard.readText()")
        # who has never been here
        forgotten(visit.page, address)
        visit.page.goto("about:blank")  # else the link changes the page that is open
        visit.page.goto(link)
        expect(visit.progress).to_contain_text("0 presses")
        expect(visit.radio("Play")).to_be_checked()
        expect(visit.radio("Medium")).to_be_checked()
        assert visit.rows() == shared
        expect(visit.button("Reveal")).to_be_visible()


def test_the_answer_is_not_there_before_it_is_asked_for(browser: Browser, address: str) -> None:
    with opened(browser, address, DESK) as visit:
        nothing_is_told(visit)


def nothing_is_told(visit: Visit) -> None:
    if urlsplit(visit.page.url).path != "/":
        pytest.skip("workers are asked without a request that one could wait for")
    answered: list[str] = []
    for end in ("requestfinished", "requestfailed"):  # or dropped once all of it was read
        visit.page.on(end, lambda request: answered.append(request.post_data or ""))
    visit.button("New board").click()
    visit.expect_board()
    rows = "\\n".join(visit.rows())  # as JSON writes lines
    for _ in range(MOST_LOOKS):
        visit.wait_for_frames()
        if any(rows in body for body in answered):
            break
    assert any(rows in body for body in answered)
    count = ponder.order(board_of(visit)).count
    told = visit.page.evaluate("document.body.textContent")
    assert f"{count} press" not in told
    assert "at most once" not in told
    assert visit.pressed() == []
    visit.button("Reveal").click()
    visit.expect_answer(f"{count} presses, each bulb at most once.")
    assert len(visit.pressed()) == count


@pytest.mark.parametrize("grades", deep(1, 2))
def test_each_puzzle_has_its_rule_and_a_board_of_its_own(visit: Visit, grades: int) -> None:
    for k, (name, words) in enumerate(RULES.items()):
        visit.radio(name).check()
        visit.expect_board()
        expect(visit.rules).to_contain_text(words)
        before = visit.rows()
        for grade in GRADES if grades == 2 else [GRADES[k % 2]]:  # another than the last
            visit.radio(grade).check()
            visit.expect_board()
            expect(visit.radio(name)).to_be_checked()
            assert visit.rows() != before, name
        visit.place("Solve")
        board = ponder.parse_board(visit.text())
        assert ponder.order(board).verdict == "solved", name
        assert board.lit.tolist() != board.goal.tolist(), name
        visit.page.get_by_text("As text").click()
        visit.place("Play")


@pytest.mark.parametrize("first", deep(24, 18))
def test_a_daily_board_is_the_same_for_everybody(
    browser: Browser, address: str, first: int
) -> None:
    boards = []
    for zone in ("Pacific/Auckland", "America/Los_Angeles"):
        with opened(browser, address, {**DESK, "timezone_id": zone}) as visit:
            made = {}
            for day in range(first, 25):
                visit.page.clock.set_fixed_time(f"2026-11-{day}T23:30:00Z")
                visit.button("Daily").click()
                expect(visit.page.get_by_text(f"the board of {day} Nov")).to_be_visible()
                made[day] = visit.rows()
            expect(visit.page).to_have_url(re.compile(r";daily\.2026-11-24$"))
            boards.append(made)
    assert boards[0] == boards[1]


def test_a_streak_is_of_this_browser(browser: Browser, address: str) -> None:
    with opened(browser, address, DESK) as visit:
        for day in (23, 24):  # Monday and Tuesday, when boards are easy
            visit.page.clock.set_fixed_time(f"2026-11-{day}T12:00:00Z")
            visit.button("Daily").click()
            expect(visit.page).to_have_url(re.compile(rf";daily\.2026-11-{day}$"))
            visit.win(visit.start())
        told = visit.page.get_by_text(
            "2 days in a row on the daily board, counted in this browser only"
        )
        expect(told).to_be_visible()
