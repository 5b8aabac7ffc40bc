"""Take the screenshots of `docs/`: `python -m tests.page.screenshots`."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import closing
from io import BytesIO
from typing import Literal

from playwright.sync_api import Browser, expect

from tests.page.browser import ROOT, Visit, browsing, serving

FOLDER = ROOT / "docs" / "screenshots"
MOST_BYTES = 150_000
COLOURS = 256
"""Of a picture: enough for the glow of the bulbs, and half the bytes."""

Size = tuple[int, int]
WIDE: Size = (1180, 780)
PHONE: Size = (390, 844)


def instance(name: str) -> Callable[[Visit], None]:
    def open_it(visit: Visit) -> None:
        visit.page.get_by_role("combobox", name="Example").select_option(name)
        visit.expect_answer(".")

    return open_it


def fewest(visit: Visit) -> None:
    instance("plus-10x10-no-order")(visit)
    visit.button("Fewest presses").click()
    visit.button("Hint").click()


def playing(visit: Visit) -> None:
    instance("cross-5x5-order")(visit)
    visit.mode("Play")
    visit.box("Show presses").check()
    for _ in range(2):
        visit.expect_answer("press")
        visit.button("Hint").click()
        expect(visit.progress).to_contain_text("next: row")
        found = re.search(r"row (\d+), column (\d+)", visit.progress.inner_text())
        assert found is not None
        visit.cell(int(found[1]) - 1, int(found[2]) - 1).click()
    visit.expect_answer("press")
    visit.button("Hint").click()


def order(visit: Visit) -> None:
    instance("ibm-2023-04-24x24")(visit)
    visit.box("Show presses").check()
    visit.button("Show order").click()
    visit.button("Pause").click()
    visit.page.get_by_role("slider", name="Position").fill("120")
    visit.expect_answer("160 presses")


VIEWS: dict[str, tuple[Callable[[Visit], None], Size, Literal["light", "dark"]]] = {
    "refusal": (fewest, WIDE, "light"),
    "order": (order, WIDE, "dark"),
    "odd-lines": (instance("cross-24x24-no-order"), WIDE, "light"),
    "witness": (instance("plus-5x5-no-solution"), WIDE, "dark"),
    "playing": (playing, PHONE, "light"),
    "phone": (instance("plus-10x10-no-order"), PHONE, "dark"),
}


def take(browser: Browser, address: str, name: str) -> bytes:
    """Return the picture of a view, as a small PNG."""
    from PIL import Image

    view, (width, height), scheme = VIEWS[name]
    with closing(
        browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            reduced_motion="reduce",
            has_touch=width < 500,
        )
    ) as context:
        visit = Visit(context.new_page(), context)
        visit.page.goto(address)
        view(visit)
        visit.page.evaluate("scrollTo(0, 0)")
        visit.page.wait_for_timeout(400)
        full = Image.open(BytesIO(visit.page.screenshot()))
    small = BytesIO()
    full.convert("RGB").quantize(
        COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE
    ).save(small, "PNG", optimize=True)
    return small.getvalue()


def main() -> None:
    """Take all pictures."""
    FOLDER.mkdir(exist_ok=True)
    with serving() as (address, _), browsing() as browser:
        for name in VIEWS:
            picture = take(browser, address, name)
            assert len(picture) < MOST_BYTES, (name, len(picture))
            (FOLDER / f"{name}.png").write_bytes(picture)
            print(f"{name}.png  {len(picture):,} bytes")


if __name__ == "__main__":
    main()
