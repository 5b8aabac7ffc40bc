"""The hands of a person on the page: a mouse, a finger, a keyboard alone."""

from __future__ import annotations

import re
from typing import Protocol

from playwright.sync_api import Locator, expect

from tests.page.browser import Visit

MOST_TABS = 80  # stops that a keyboard passes at most
NEXT_KEY = """(control) => {  // on the way to a control from where the focus is; null: it is there
    const at = document.activeElement;
    if (at === control) return null;
    const before = at.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_PRECEDING;
    return before ? "Shift+Tab" : "Tab";
}"""


class Hand(Protocol):
    """A way to press a bulb and to use a control."""

    def press(self, visit: Visit, row: int, column: int) -> None: ...
    def use(self, visit: Visit, control: Locator) -> None: ...


class Mouse:
    """Clicks."""

    def press(self, visit: Visit, row: int, column: int) -> None:
        visit.cell(row, column).click()

    def use(self, visit: Visit, control: Locator) -> None:
        control.click()


class Finger:
    """Taps."""

    def press(self, visit: Visit, row: int, column: int) -> None:
        visit.cell(row, column).tap()

    def use(self, visit: Visit, control: Locator) -> None:
        control.tap()


class Keys:
    """Tab, arrows, Enter and Space, and nothing else."""

    def press(self, visit: Visit, row: int, column: int) -> None:
        """Go to the board, to the bulb, and press it."""
        keys = visit.page.keyboard
        self._tab(visit, visit.grid.locator('[tabindex="0"]'))
        keys.press("Control+Home")
        for _ in range(row):
            keys.press("ArrowDown")
        for _ in range(column):
            keys.press("ArrowRight")
        keys.press("Enter")

    def use(self, visit: Visit, control: Locator) -> None:
        """Go to a control and use it; to a radio by the arrows from its neighbour."""
        kind = control.get_attribute("type")
        if kind == "radio":
            group = control.evaluate("radio => radio.name")
            self._tab(visit, visit.page.locator(f'input[name="{group}"]:checked'))
            for _ in range(MOST_TABS):
                if control.is_checked():
                    return
                visit.page.keyboard.press("ArrowRight")
            raise AssertionError("no arrow leads to this radio")
        self._tab(visit, control)
        visit.page.keyboard.press("Enter")

    def _tab(self, visit: Visit, control: Locator) -> None:
        element = control.element_handle()
        for _ in range(MOST_TABS):
            key = element.evaluate(NEXT_KEY)
            if key is None:
                return
            visit.page.keyboard.press(key)
        raise AssertionError(f"no key leads to {control}")


# ----------------------------------------------------------------------- the path, by its hints


def status(visit: Visit, name: str) -> Locator:
    return visit.page.get_by_role("status", name=name, exact=True)


def open_level(visit: Visit, level: int) -> None:
    visit.page.evaluate(f"location.hash = '#level={level}'")
    here = visit.page.get_by_role("heading", name=re.compile(f"^Level {level} of 30"))
    expect(here).to_be_visible()


def hinted(visit: Visit, hand: Hand, before: str) -> str:
    """Ask for a hint: what it says, which is not what was said before."""
    hand.use(visit, visit.button("Hint"))
    why = status(visit, "Why")
    expect(why).not_to_have_text(before)
    expect(why).not_to_be_empty()
    return why.inner_text()


def light(visit: Visit, hand: Hand) -> None:
    """Press what hints name, until the board is lit."""
    for _ in range(60):
        if "solved" in visit.progress.inner_text():
            return
        match = re.search(r"next: row (\d+), column (\d+)", visit.progress.inner_text())
        if match is None:
            hinted(visit, hand, status(visit, "Why").inner_text())
            continue
        count = int(re.findall(r"(\d+) press", visit.progress.inner_text())[0])
        hand.press(visit, int(match[1]) - 1, int(match[2]) - 1)
        expect(visit.progress).to_contain_text(f"{count + 1} press")
    raise AssertionError("hints do not end")


def refute(visit: Visit, hand: Hand) -> None:
    """Say Impossible, and mark what the last hint names."""
    hand.use(visit, visit.button("Impossible"))
    said = status(visit, "Why").inner_text()
    while not said.startswith("Mark these"):
        said = hinted(visit, hand, said)
    for name in said.removeprefix("Mark these, then Check: ").removesuffix(".").split("; "):
        if match := re.fullmatch(r"row (\d+), column (\d+)", name):
            row, column = int(match[1]) - 1, int(match[2]) - 1
            hand.press(visit, row, column)
            expect(visit.cell(row, column)).to_have_attribute("aria-label", re.compile("marked$"))
        else:
            box = visit.page.get_by_role("checkbox", name=name, exact=True)
            hand.use(visit, box)
            if isinstance(hand, Keys):
                visit.page.keyboard.press("Space")
            expect(box).to_be_checked()
    hand.use(visit, visit.button("Check"))
    expect(status(visit, "Reason")).to_contain_text("proved")


def clear(visit: Visit, hand: Hand) -> None:
    """Do the level that is there, as a player who asks for every hint."""
    first = hinted(visit, hand, "")
    if first.startswith("Nobody can do this board"):
        refute(visit, hand)
    else:
        light(visit, hand)
    expect(status(visit, "Result")).not_to_be_empty()
