"""Who answers, a browser and a tab of it for the room; a fresh page, without errors, for each test.

A tab that stays keeps its process and the scripts that it has compiled: a third of a page's cost.
A test that changes more than a page keeps, as the clock does, opens a tab of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, ViewportSize

from tests.page.browser import Visit, browsing, forgotten, serving
from tests.page.site import built, hosting


@pytest.fixture(scope="package", params=["server", pytest.param("workers", marks=pytest.mark.deep)])
def address(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """Serve the page: with `ponder play`, or as a folder whose engine runs in the browser."""
    if request.param == "workers":
        with hosting(built(tmp_path_factory)) as url:
            yield url
    else:
        with serving() as (url, _):
            yield url


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with browsing() as chromium:
        yield chromium


@pytest.fixture(scope="package")
def tab(browser: Browser) -> Iterator[Page]:
    size: ViewportSize = {"width": 1200, "height": 900}
    with closing(browser.new_context(viewport=size, service_workers="block")) as context:
        yield context.new_page()


@pytest.fixture
def visit(tab: Page, address: str) -> Iterator[Visit]:
    """Open the page with nothing kept; whatever its scripts complain of fails the test."""
    visit = Visit(tab, tab.context)

    def failed(error: Error) -> None:
        visit.wrong.append(str(error))

    def complained(message: ConsoleMessage) -> None:
        if message.type == "error":
            visit.wrong.append(message.text)

    forgotten(tab, address)
    tab.on("pageerror", failed)
    tab.on("console", complained)
    tab.goto(address)
    yield visit
    tab.remove_listener("pageerror", failed)
    tab.remove_listener("console", complained)
    assert visit.wrong == []
