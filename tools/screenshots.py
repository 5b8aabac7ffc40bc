"""Take the screenshots of `docs/page.md`: `python -m tools.screenshots [FOLDER]`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, expect

from tests.page.browser import ROOT, Visit, browsing, game, serving

Size = tuple[int, int]
WIDE: Size = (1180, 780)
PHONE: Size = (390, 844)


def play(visit: Visit) -> None:
    """Show what a press would change."""
    game(visit, "rows-and-columns.hard.9")
    visit.cell(2, 3).hover()


def proved(visit: Visit) -> None:
    """Mark why a board cannot be done."""
    game(visit, "riddle.kings-move.easy.6")
    visit.button("Impossible").click()
    expect(visit.grid.get_by_role("gridcell", name=", press").first).to_be_attached()
    for place in ((1, 0), (1, 1), (2, 2), (3, 1)):
        visit.cell(*place).click()
    visit.button("Check").click()
    expect(visit.page.get_by_role("status", name="Reason")).to_contain_text("proved")


def phone(visit: Visit) -> None:
    """Win a game by its hints."""
    game(visit, "rows-and-columns.medium.3")
    while "solved" not in visit.progress.inner_text():
        visit.cell(*visit.hint()).click()


def refusal(visit: Visit) -> None:
    """Count the fewest presses of a board without an order."""
    visit.use((ROOT / "instances/plus-10x10-no-order.txt").read_text())
    visit.expect_answer("56 presses")
    visit.button("Fewest presses").click()
    expect(visit.grid.get_by_role("gridcell", name=", pressed twice").first).to_be_attached()


VIEWS: dict[str, tuple[Callable[[Visit], None], Size, Literal["light", "dark"]]] = {
    "play": (play, WIDE, "light"),
    "proved": (proved, (1180, 1700), "dark"),
    "phone": (phone, PHONE, "dark"),
    "refusal": (refusal, WIDE, "light"),
}


def take(
    browser: Browser, address: str, view: Callable[[Visit], None], size: Size, scheme: str
) -> bytes:
    """Return the picture of a view, as a small PNG."""
    with closing(
        browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme=scheme,  # type: ignore[arg-type]
            reduced_motion="reduce",
            has_touch=size[0] < 500,
        )
    ) as context:
        visit = Visit(context.new_page(), context)
        visit.page.goto(address)
        view(visit)
        visit.page.evaluate("scrollTo(0, 0)")
        visit.page.wait_for_timeout(400)
        full = Image.open(BytesIO(visit.page.screenshot())).convert("RGB")
    small = BytesIO()
    packed = full.quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    packed.save(small, "PNG", optimize=True)
    return small.getvalue()


def main(folder: Path) -> None:
    """Take all pictures."""
    with serving() as (address, _), browsing() as browser:
        for name, (view, size, scheme) in VIEWS.items():
            (folder / f"{name}.png").write_bytes(take(browser, address, view, size, scheme))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "screenshots")
