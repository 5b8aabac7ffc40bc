"""For everybody: an accessibility scan of every view, zoom, motion, colours."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from tests.page.browser import EXAMPLE, ROOT, Visit, forgotten

pytestmark = pytest.mark.browser

STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OPTIONS: Any = {"runOnly": {"type": "tag", "values": STANDARDS}, "resultTypes": ["violations"]}


def refused(visit: Visit) -> None:
    visit.use((ROOT / "instances/plus-10x10-no-order.txt").read_text())
    visit.expect_answer("no order")


def unsolvable(visit: Visit) -> None:
    visit.use((ROOT / "instances/plus-5x5-no-solution.txt").read_text())
    visit.expect_answer("no solution")


def shown(visit: Visit) -> None:
    visit.use("\n".join(EXAMPLE))
    visit.expect_answer("4 presses")
    visit.box("Show presses").check()
    visit.box("Show legal").check()
    visit.button("Fewest presses").click()
    visit.button("Show order").click()
    visit.button("Pause").click()
    visit.expect_answer("press")


def drawn(visit: Visit) -> None:
    visit.place("Draw")
    visit.select("Pattern", "stencil")
    visit.select("Goal", "grid")
    visit.page.get_by_text("As text").click()
    visit.expect_answer("")


def explored(visit: Visit) -> None:
    visit.use("pattern: plus\n" + "00000\n" * 5)
    visit.button("Quiet patterns").click()
    expect(visit.page.locator("#explored")).to_contain_text("pattern 1 of 2")


def told(visit: Visit) -> None:
    visit.page.evaluate("location.hash = '#9'")
    expect(visit.progress).to_contain_text("no board")


def played(visit: Visit) -> None:
    visit.cell(*visit.hint()).click()
    visit.button("Reveal").click()
    visit.expect_answer("press")
    visit.hint()


def won(visit: Visit) -> None:
    while "solved" not in visit.progress.inner_text():
        visit.cell(*visit.hint()).click()
    visit.button("Share result").click()


def watched(visit: Visit) -> None:
    visit.button("Show me how").click()
    visit.button("Pause").click()


def explained(visit: Visit) -> None:
    refused(visit)
    visit.button("Why?").click()


def large(visit: Visit) -> None:
    visit.place("Draw")
    visit.select("Rows", 60)
    visit.place("Play")


VIEWS = [played, won, watched, explained, large, refused, unsolvable, shown, drawn, explored, told]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_violations(browser: Browser, address: str, scheme: Any) -> None:
    context = browser.new_context(
        viewport={"width": 1200, "height": 900}
        if scheme == "light"
        else {"width": 390, "height": 844},
        color_scheme=scheme,
        reduced_motion="reduce",
        bypass_csp=True,  # the scan is a foreign script
        service_workers="block",
    )
    with closing(context):
        visit = Visit(context.new_page(), context)
        for view in VIEWS:
            forgotten(visit.page, address)
            visit.page.goto(address)
            view(visit)
            found = Axe().run(visit.page, options=OPTIONS)
            wrong = {
                v["id"]: [n["html"][:120] for n in v["nodes"]] for v in found.response["violations"]
            }
            assert wrong == {}, (view.__name__, scheme)


def test_at_400_percent_nothing_is_cut_off(browser: Browser, address: str) -> None:
    with closing(browser.new_context(viewport={"width": 320, "height": 256})) as context:
        visit = Visit(context.new_page(), context)
        visit.page.goto(address)
        refused(visit)
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= 320
        visit.cell(9, 9).click()
        visit.expect_answer("press")


def test_without_motion_nothing_moves(browser: Browser, address: str) -> None:
    with closing(browser.new_context(reduced_motion="reduce")) as context:
        visit = Visit(context.new_page(), context)
        visit.page.goto(address)
        visit.use("\n".join(EXAMPLE))
        visit.expect_answer("4 presses")
        picture: Callable[[], bytes] = visit.page.locator("#frame").screenshot
        visit.cell(0, 0).click()
        visit.expect_answer("press")
        first = picture()
        visit.wait_for_frames()
        assert picture() == first


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_lit_and_unlit_differ_without_colour(browser: Browser, address: str, scheme: Any) -> None:
    """In grey the two differ by much more than a little, in the light and in the dark."""
    with closing(browser.new_context(color_scheme=scheme, reduced_motion="reduce")) as context:
        visit = Visit(context.new_page(), context)
        visit.page.goto(address)
        visit.draw(["01"])
        visit.wait_for_frames()
        unlit, lit = visit.page.evaluate(
            """() => [0, 1].map((column) => {
                const canvas = document.getElementById('bulbs');
                const cell = document.querySelector(`[data-col="${column}"]`);
                const at = cell.getBoundingClientRect(), box = canvas.getBoundingClientRect();
                const scale = canvas.width / box.width;
                const x = (at.x - box.x + at.width / 2) * scale;
                const y = (at.y - box.y + at.height / 2) * scale;
                const [r, g, b] = canvas.getContext('2d').getImageData(x, y, 1, 1).data;
                return 0.2126 * r + 0.7152 * g + 0.0722 * b;
            })"""
        )
        assert abs(lit - unlit) > 8, (scheme, lit, unlit)
