"""Take the screenshots of `docs/`: `python -m tests.page.screenshots`."""

from __future__ import annotations

import json
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


def instance(name: str, place: str = "Solve") -> Callable[[Visit], None]:
    """Open a board of `instances/` in Solve or Draw."""

    def open_it(visit: Visit) -> None:
        visit.place("Draw")  # where no answer is awaited that is not of this board
        visit.page.get_by_role("combobox", name="Example").select_option(name)
        visit.place(place)
        visit.expect_answer(".")

    return open_it


def game(visit: Visit, label: str) -> None:
    """Open the board of a label in Play."""
    visit.page.evaluate(
        """async (label) => {
            const { labelOf } = await import(new URL('label.js', document.baseURI));
            const { madeBy } = await import('/made.js');
            const { PUZZLES } = await import('/puzzles.js');
            const { Board } = await import('/board.js');
            const { hashOf } = await import('/link.js');
            const board = await madeBy(labelOf(label), Board.dark(1, 1, PUZZLES[0]));
            location.hash = hashOf(board, label);
        }""",
        label,
    )
    expect(visit.radio("Play")).to_be_checked()
    expect(visit.progress).to_contain_text("0 presses")


def press_hints(visit: Visit, count: int) -> None:
    """Press what hints ring."""
    for k in range(1, count + 1):
        visit.cell(*visit.hint()).click()
        expect(visit.progress).to_contain_text(f"{k} press")


def play(visit: Visit) -> None:
    game(visit, "rows-and-columns.hard.9")
    visit.cell(2, 3).hover()


def hint(visit: Visit) -> None:
    game(visit, "kings-move.medium.4")
    press_hints(visit, 1)
    visit.hint()


def lost(visit: Visit) -> None:
    game(visit, "in-order.easy.5")
    for k in range(16):
        cell = visit.cell(k // 4, k % 4)
        if "unlit" in (cell.get_attribute("aria-label") or ""):
            cell.click()
            visit.wait_for_frames()
        if visit.page.get_by_text("more can still do it").is_visible():
            break
    expect(visit.page.get_by_text("more can still do it")).to_be_visible()


def won(visit: Visit) -> None:
    game(visit, "rows-and-columns.medium.3")
    while "solved" not in visit.progress.inner_text():
        visit.cell(*visit.hint()).click()
    expect(visit.page.get_by_role("status", name="Result")).to_contain_text("Solved")


def impossible(visit: Visit, label: str) -> None:
    """Say of the board of a label that it cannot be done."""
    game(visit, label)
    visit.button("Impossible").click()
    found = visit.grid.get_by_role("gridcell", name=", press")
    expect(found.first).to_be_visible()


def marked(visit: Visit) -> None:
    impossible(visit, "riddle.rows-and-columns.medium.0")
    visit.box("row 1").check()


def proved(visit: Visit) -> None:
    impossible(visit, "riddle.kings-move.easy.6")
    for place in ((1, 0), (1, 1), (2, 2), (3, 1)):
        visit.cell(*place).click()
    visit.button("Check").click()
    expect(visit.page.get_by_role("status", name="Reason")).to_contain_text("proved")


def level(visit: Visit) -> None:
    """Play a level of the path, after the first has its star and the second is done."""
    visit.button("Path").click()
    visit.cell(1, 1).click()
    visit.button("Next").click()
    visit.button("Show me how").click()
    expect(visit.progress).to_contain_text("solved")
    visit.page.evaluate("location.hash = '#level=20'")
    expect(visit.grid.get_by_role("gridcell", name=", press").first).to_be_visible()


def refuted_level(visit: Visit) -> None:
    visit.page.evaluate("location.hash = '#level=10'")
    visit.button("Impossible").click()
    for name in ("row 1", "column 1", "column 2", "column 4"):
        visit.page.get_by_role("checkbox", name=name).check()
    visit.button("Check").click()
    expect(visit.page.get_by_role("status", name="Reason")).to_contain_text("proved")


def playing(visit: Visit) -> None:
    game(visit, "rows-and-columns.hard.9")
    press_hints(visit, 2)


def fewest(visit: Visit) -> None:
    instance("plus-10x10-no-order")(visit)
    visit.button("Fewest presses").click()
    visit.hint()
    visit.expect_answer("56 presses")


def why(visit: Visit) -> None:
    instance("plus-10x10-no-order")(visit)
    visit.expect_answer("56 presses")
    visit.button("Why?").click()


def order(visit: Visit) -> None:
    instance("ibm-2023-04-24x24")(visit)
    visit.box("Show presses").check()
    visit.button("Show order").click()
    visit.button("Pause").click()
    visit.page.get_by_role("slider", name="Position").fill("120")
    visit.expect_answer("160 presses")


def draw(visit: Visit) -> None:
    instance("goal-heart-6x7", "Draw")(visit)
    visit.expect_answer("8 presses")


def zoomed(visit: Visit) -> None:
    instance("ibm-2023-04-30x30")(visit)
    visit.place("Play")
    for _ in range(2):
        visit.button("Zoom in").click()


def graph(visit: Visit) -> None:
    cube = [[u, v] for u in range(8) for v in range(u) if (u ^ v).bit_count() == 1]
    visit.use(json.dumps({"nodes": 8, "edges": cube, "lit": [1, 0, 0, 1, 1, 0, 0, 1]}), "Draw")
    visit.place("Play")
    visit.cell(0, 5).hover()


def wiring(visit: Visit) -> None:
    visit.use((ROOT / "instances/wiring-one-way-7.json").read_text(), "Draw")
    visit.place("Play")
    visit.button("Hint").click()
    expect(visit.progress).to_contain_text("next: button")


VIEWS: dict[str, tuple[Callable[[Visit], None], Size, Literal["light", "dark"]]] = {
    "play": (play, WIDE, "light"),
    "hint": (hint, WIDE, "dark"),
    "lost": (lost, WIDE, "light"),
    "won": (won, WIDE, "dark"),
    "playing": (playing, PHONE, "light"),
    "phone": (won, PHONE, "dark"),
    "graph": (graph, WIDE, "light"),
    "wiring": (wiring, PHONE, "dark"),
    "zoomed": (zoomed, PHONE, "light"),
    "level": (level, WIDE, "light"),
    "level_phone": (refuted_level, PHONE, "dark"),
    "marked": (marked, WIDE, "light"),
    "proved": (proved, (1180, 1120), "dark"),
    "draw": (draw, WIDE, "light"),
    "refusal": (fewest, WIDE, "light"),
    "why": (why, WIDE, "light"),
    "order": (order, WIDE, "dark"),
    "witness": (instance("plus-5x5-no-solution"), WIDE, "dark"),
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
