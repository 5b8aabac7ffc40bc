"""Who answers, and a browser, for all tests of a file; a fresh page, without errors, for each."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, ConsoleMessage, ViewportSize

from tests.page.browser import Visit, browsing, serving
from tests.page.site import built, hosting


@pytest.fixture(scope="module", params=["server", pytest.param("workers", marks=pytest.mark.deep)])
def address(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """Serve the page: with `ponder play`, or as a folder whose engine runs in the browser."""
    if request.param == "workers":
        with hosting(built(tmp_path_factory)) as found:
            yield found
    else:
        with serving() as (found, _):
            yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as found:
        yield found


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Visit]:
    """Open the page in a fresh profile; whatever its scripts complain of fails the test."""
    size: ViewportSize = {"width": 1200, "height": 900}
    context = browser.new_context(viewport=size, service_workers="block")
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
