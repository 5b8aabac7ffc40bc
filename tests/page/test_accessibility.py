"""For everybody: an accessibility scan of every view, zoom, motion, colours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import ViewportSize, expect

from tests.depth import deep
from tests.page.browser import EXAMPLE, ROOT, Visit
from tests.page.screenshots import game

pytestmark = pytest.mark.browser

DESK: ViewportSize = {"width": 1200, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
FOUR_TIMES: ViewportSize = {"width": 320, "height": 256}
LOOKS = (("light", DESK), ("dark", PHONE))

STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
NEXT_FRAME = """async () => {  // the page has heard of another size or scheme, and is painted
    for (let k = 0; k < 2; k++) await new Promise(requestAnimationFrame);
}"""
SCAN = "async (options) => (await axe.run(options)).violations"
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


def sketched(visit: Visit) -> None:
    visit.use((ROOT / "instances/graph-house.json").read_text(), "Draw")
    visit.expect_answer("5 presses")


def wired(visit: Visit) -> None:
    visit.use((ROOT / "instances/wiring-one-way-7.json").read_text(), "Draw")
    visit.place("Play")
    visit.button("Hint").click()
    expect(visit.progress).to_contain_text("next: button")


def told(visit: Visit) -> None:
    visit.page.evaluate("location.hash = '#9'")
    expect(visit.progress).to_contain_text("no board")


def played(visit: Visit) -> None:
    fresh(visit)
    visit.cell(*visit.hint()).click()
    visit.button("Reveal").click()
    visit.expect_answer("press")
    visit.hint()


def won(visit: Visit) -> None:
    fresh(visit)
    while "solved" not in visit.progress.inner_text():
        visit.cell(*visit.hint()).click()
    visit.button("Share result").click()


def watched(visit: Visit) -> None:
    fresh(visit)
    visit.button("Show me how").click()
    visit.button("Pause").click()


def explained(visit: Visit) -> None:
    visit.button("Why?").click()
    expect(visit.page.get_by_role("dialog")).to_be_visible()


def large(visit: Visit) -> None:
    """The least board, in tens of rows, whose bulbs are too small to press: it can be zoomed."""
    visit.place("Draw")
    visit.select("Columns", 4)
    visit.select("Rows", 40)
    visit.place("Play")
    expect(visit.page.get_by_role("group", name="Zoom")).to_be_visible()


def fresh(visit: Visit) -> None:
    visit.place("Play")
    visit.radio("Rows and columns").check()
    visit.radio("Easy").check()
    visit.button("New board").click()
    visit.expect_board()
    expect(visit.progress).to_contain_text("0 presses")


def marked(visit: Visit) -> None:
    game(visit, "riddle.rows-and-columns.easy.0")
    visit.button("Impossible").click()
    visit.box("row 1").check()
    visit.cell(2, 2).click()
    visit.button("Check").click()
    expect(visit.page.get_by_role("status", name="Reason")).to_contain_text("Not yet")


def proved(visit: Visit) -> None:
    visit.cell(2, 2).click()
    for name in ("column 1", "column 2", "column 4"):
        visit.page.get_by_role("checkbox", name=name).check()
    visit.button("Check").click()
    expect(visit.page.get_by_role("status", name="Reason")).to_contain_text("proved")


def levelled(visit: Visit) -> None:
    visit.page.evaluate("location.hash = '#level=1'")
    expect(visit.page.get_by_role("heading", name="Level 1 of 30")).to_be_visible()
    visit.cell(1, 1).click()
    expect(visit.page.get_by_role("status", name="Result")).to_contain_text("star")


def hinted(visit: Visit) -> None:
    """Mark a level with the last hint open."""
    visit.page.evaluate("location.hash = '#level=10'")
    visit.button("Impossible").click()
    for words in ("rows and columns", "every order", "Mark these"):
        visit.button("Hint").click()
        expect(visit.page.get_by_role("status", name="Why")).to_contain_text(words)


def counted(visit: Visit) -> None:
    visit.button("Statistics").click()
    expect(visit.page.get_by_role("dialog", name="Statistics")).to_be_visible()


VIEWS = [
    told,
    played,
    won,
    watched,
    marked,
    proved,
    levelled,
    hinted,
    counted,
    refused,
    explained,
    unsolvable,
    shown,
    explored,
    large,
    sketched,
    wired,
    drawn,
]
"""One after the other on one page: each begins a board of its own, or goes on from the last."""


@pytest.fixture
def still(visit: Visit) -> Iterator[Visit]:
    """Open the page for somebody who wants no motion."""
    page = visit.page
    page.emulate_media(reduced_motion="reduce")
    yield visit
    page.emulate_media(reduced_motion="no-preference", color_scheme="light")
    page.set_viewport_size(DESK)


@pytest.mark.parametrize("scans", deep(1, 2))
def test_no_violations(still: Visit, scans: int) -> None:
    """Each view is set up once, and scanned in the light on a desk or in the dark on a phone.

    They take turns; deep runs scan all views both ways.
    """
    page = still.page
    page.evaluate(AXE_SCRIPT)
    for k, view in enumerate(VIEWS):
        page.set_viewport_size(DESK)
        view(still)
        for scheme, size in (LOOKS[k % 2], LOOKS[1 - k % 2])[:scans]:
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            page.set_viewport_size(size)
            page.evaluate(NEXT_FRAME)
            found: Any = page.evaluate(SCAN, OPTIONS)
            wrong = {v["id"]: [n["html"][:120] for n in v["nodes"]] for v in found}
            assert wrong == {}, (view.__name__, scheme)
        page.keyboard.press("Escape")  # a dialog ends


def test_the_page_of_the_ideas_has_no_violations(visit: Visit, address: str) -> None:
    visit.page.goto(f"{address}ideas.html")
    visit.page.evaluate(AXE_SCRIPT)
    assert visit.page.evaluate(SCAN, OPTIONS) == []
    visit.page.get_by_role("link", name="ponder").click()
    visit.expect_board()


def test_at_400_percent_nothing_is_cut_off(still: Visit) -> None:
    still.page.set_viewport_size(FOUR_TIMES)
    refused(still)
    assert still.page.evaluate("document.documentElement.scrollWidth") <= FOUR_TIMES["width"]
    still.cell(9, 9).click()
    still.expect_answer("press")


def test_without_motion_nothing_moves(still: Visit) -> None:
    still.use("\n".join(EXAMPLE))
    still.expect_answer("4 presses")
    picture: Callable[[], bytes] = still.page.locator("#frame").screenshot
    still.cell(0, 0).click()
    still.expect_answer("press")
    first = picture()
    still.wait_for_frames()
    assert picture() == first


def test_lit_and_unlit_differ_without_colour(still: Visit) -> None:
    """In grey the two differ by much more than a little, in the light and in the dark."""
    still.draw(["01"])
    shades = []
    for scheme in ("light", "dark"):
        still.page.emulate_media(color_scheme=scheme)
        still.page.evaluate(NEXT_FRAME)
        unlit, lit = still.page.evaluate(
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
        shades.append((unlit, lit))
    assert shades[0] != shades[1]
