"""A server and a browser for all tests of a file; a fresh page, without errors, for each."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, ConsoleMessage

from tests.page.browser import Visit, browsing, serving


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving() as (found, _):
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as found:
        yield found


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Visit]:
    """Open the page in a fresh profile; whatever its scripts complain of fails the test."""
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    page = context.new_page()
    visit = Visit(page, context)
    wrong = visit.wrong
    page.on("pageerror", lambda error: wrong.append(str(error)))

    def complained(message: ConsoleMessage) -> None:
        if message.type == "error":
            wrong.append(message.text)

    page.on("console", complained)
    page.goto(address)
    yield visit
    context.close()
    assert wrong == []
