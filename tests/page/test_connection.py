"""The page and its server: reloads, tabs, a server that goes away, what is loaded at first."""

from __future__ import annotations

import re
from contextlib import closing
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from ponder.model.formats import board_text
from ponder.studies.generate import OnPattern
from tests.page.browser import EXAMPLE, Visit, serving
from tests.processes import HANG

pytestmark = pytest.mark.browser

LIT = tuple("1" * 4 for _ in range(4))


def test_a_reload_in_the_middle_of_a_search(visit: Visit) -> None:
    """On a board that is hard, too, the answer soon says what is known."""
    visit.use(board_text(OnPattern(30, 30).board(3)))
    known = re.compile(r"\d+ presses")
    expect(visit.answer).to_have_text(re.compile(r"\d+ presses; searching"))
    rows = visit.rows()
    visit.page.reload()
    expect(visit.answer).to_contain_text(known)
    assert visit.rows() == rows


def test_two_tabs_have_answers_of_their_own(visit: Visit) -> None:
    with closing(visit.context.new_page()) as page:
        other = Visit(page, visit.context)
        other.page.goto(visit.page.url)
        visit.use("\n".join(EXAMPLE))
        other.use("pattern: plus\n00\n00\n", "Draw")
        visit.expect_answer("4 presses")
        other.expect_answer("4 presses")
        other.cell(0, 0).click()
        other.expect_answer("1 press")
        visit.expect_answer("4 presses")


def test_a_server_that_comes_back_is_asked_again(browser: Browser) -> None:
    with serving() as (address, process), closing(browser.new_context()) as context:
        visit = Visit(context.new_page(), context)
        visit.page.goto(address)
        visit.use("01\n10\n")
        visit.expect_answer("press")
        process.terminate()
        process.wait(HANG)
        visit.cell(0, 0).click()
        expect(visit.answer).to_contain_text("The server does not answer; trying again")
        with serving("--port", address.rstrip("/").rpartition(":")[2]) as (again, _):
            assert again == address
            visit.expect_answer("press")


def test_the_first_paint_needs_little(visit: Visit) -> None:
    """Everything that the page loads to begin with, in bytes."""
    if urlsplit(visit.page.url).path != "/":
        pytest.skip("the plain host packs nothing; tests/page/test_site.py weighs what is packed")
    loaded = visit.page.evaluate(
        """() => ['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind))
            .filter((entry) => !entry.name.includes('/api/'))
            .reduce((sum, entry) => sum + entry.encodedBodySize, 0)"""
    )
    assert 20_000 < loaded < 150_000
    hosts = visit.page.evaluate(
        "performance.getEntriesByType('resource').map((entry) => new URL(entry.name).host)"
    )
    assert set(hosts) == {visit.page.url.split("/")[2]}
