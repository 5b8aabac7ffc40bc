"""The hands of a person on the page: a mouse, a finger, a keyboard alone."""

from __future__ import annotations

from typing import Protocol

from playwright.sync_api import Locator

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
        found = control.element_handle()
        for _ in range(MOST_TABS):
            key = found.evaluate(NEXT_KEY)
            if key is None:
                return
            visit.page.keyboard.press(key)
        raise AssertionError(f"no key leads to {control}")
