"""Draw: with the mouse, the keyboard and a finger; shape, rule and goal; random boards."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

import ponder
from tests.page.browser import EXAMPLE, Visit

pytestmark = pytest.mark.browser

LIT = tuple("1" * 4 for _ in range(4))


def test_a_drag_paints_with_the_state_of_the_first_cell(visit: Visit) -> None:
    visit.draw(["000", "010", "000"])
    boxes = [visit.cell(1, column).bounding_box() for column in range(3)]
    places = [(b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for b in boxes if b is not None]
    mouse = visit.page.mouse
    mouse.move(*places[0])
    mouse.down()
    mouse.move(*places[2])  # in one leap: what lies between is painted as well
    mouse.up()
    assert visit.rows() == ["000", "111", "000"]
    visit.button("Undo").click()
    assert visit.rows() == ["000", "010", "000"]


def test_undo_redo_start_again(visit: Visit) -> None:
    visit.draw(["00", "00"])
    visit.cell(0, 0).click()
    visit.cell(1, 1).click()
    assert visit.rows() == ["10", "01"]
    visit.button("Undo").click()
    assert visit.rows() == ["10", "00"]
    visit.page.keyboard.press("Control+z")
    assert visit.rows() == ["00", "00"]
    visit.button("Redo").click()
    visit.page.keyboard.press("Control+y")
    assert visit.rows() == ["10", "01"]
    visit.place("Solve")
    visit.cell(0, 1).click()
    assert visit.rows() == ["01", "00"]
    visit.button("Undo").click()
    expect(visit.progress).to_have_text("2 of 4 lit, 0 presses")
    visit.button("Redo").click()
    expect(visit.progress).to_have_text("1 of 4 lit, 1 press")
    visit.button("Start again").click()
    assert visit.rows() == ["10", "01"]


def test_a_right_click_makes_a_hole_and_takes_it_back(visit: Visit) -> None:
    visit.use("01\n10", "Draw")
    box = visit.cell(0, 1).bounding_box()
    assert box is not None
    place = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    visit.page.mouse.click(*place, button="right")
    expect(visit.grid.get_by_role("gridcell")).to_have_count(3)
    expect(visit.progress).to_contain_text("1 of 3 lit")
    visit.expect_answer("press")
    visit.page.mouse.click(*place, button="right")
    expect(visit.grid.get_by_role("gridcell")).to_have_count(4)
    visit.button("Cut holes").click()
    visit.cell(0, 0).click()
    assert visit.rows() == ["-0", "10"]


def test_the_goal_and_the_stencil_are_drawn(visit: Visit) -> None:
    visit.use("000\n000\n000", "Draw")
    visit.select("Pattern", "stencil")
    visit.button("1 up").click()  # and with it 1 down
    visit.select("Rule", "any")
    visit.select("Goal", "grid")
    visit.cell(1, 1).click()
    visit.button("Draw goal").click()
    visit.place("Play")
    visit.cell(0, 0).click()
    assert visit.rows() == ["110", "000", "000"]
    visit.place("Draw")
    board = ponder.parse_board(visit.text())
    assert board.goal.reshape(3, 3).tolist() == [[True] * 3, [True, False, True], [True] * 3]
    assert set(board.graph.pattern.split()[1:]) == {"0,-1", "0,1"}
    assert board.rule == "any"


def test_random_boards_are_what_they_are_called(visit: Visit) -> None:
    visit.use("\n".join(["000000"] * 6), "Draw")
    for kind, words, verdicts in [
        ("solvable", "press", {"solved", "impossible"}),
        ("ordered", "at most once", {"solved"}),
        ("unordered", "no order", {"impossible"}),
    ]:
        visit.select("Make", kind)
        before = visit.rows()
        visit.button("Random").click()
        expect(visit.progress).not_to_contain_text("looking")
        visit.expect_answer(words)
        assert visit.rows() != before, kind
        result = ponder.order(ponder.Board.from_rows(visit.rows()))
        assert result.verdict in verdicts, kind
        assert result.claim != "C4", kind


def test_the_keyboard_alone(visit: Visit) -> None:
    visit.use("-000\n0-00\n0000", "Draw")
    page, keys = visit.page, visit.page.keyboard
    visit.cell(0, 1).focus()

    def at() -> list[int]:
        found = page.evaluate(
            "[document.activeElement.dataset.row, document.activeElement.dataset.col]"
        )
        return [int(x) for x in found]

    for key, place in [
        ("ArrowRight", [0, 2]),
        ("ArrowDown", [1, 2]),
        ("ArrowLeft", [1, 0]),  # over a hole
        ("ArrowUp", [1, 0]),  # there is none
        ("End", [1, 3]),
        ("Home", [1, 0]),
        ("PageDown", [2, 0]),
        ("End", [2, 3]),
        ("PageUp", [0, 3]),
        ("Control+End", [2, 3]),
        ("Control+Home", [0, 1]),
        ("ArrowLeft", [0, 1]),
    ]:
        keys.press(key)
        assert at() == place, key
    keys.press("Enter")
    keys.press("ArrowDown")
    assert at() == [2, 1]
    keys.press("Space")
    assert visit.rows() == ["-100", "0-00", "0100"]
    expect(visit.cell(2, 1)).to_have_accessible_name("row 3, column 2, lit")
    keys.press("Delete")
    assert visit.rows() == ["-100", "0-00", "0-00"]
    keys.press("Control+z")
    visit.radio("Draw").focus()
    keys.press("ArrowRight")
    expect(visit.radio("Play")).to_be_checked()
    visit.cell(0, 2).focus()
    keys.press("Enter")
    expect(visit.progress).to_contain_text("1 press")
    keys.press("Enter")
    expect(visit.progress).to_contain_text("row 1, column 3 is lit")


def test_only_one_cell_is_in_the_order_of_tabs(visit: Visit) -> None:
    visit.use("000\n000", "Draw")
    visit.cell(1, 1).click()
    tabbed = visit.grid.locator('[tabindex="0"]')
    expect(tabbed).to_have_count(1)
    expect(tabbed).to_have_accessible_name("row 2, column 2, lit")


def test_a_touch_draws_and_presses(browser: Browser, address: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    visit = Visit(context.new_page(), context)
    visit.page.goto(address)
    visit.place("Draw")
    visit.select("Rows", 10)
    visit.select("Columns", 10)
    visit.button("Clear").tap()
    visit.cell(9, 9).tap()
    expect(visit.cell(9, 9)).to_have_accessible_name("row 10, column 10, lit")
    visit.place("Play")
    visit.cell(0, 0).tap()
    expect(visit.progress).to_contain_text("1 press")
    wide = visit.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390, "a phone scrolls in one direction only"
    box = visit.cell(0, 0).bounding_box()
    assert box is not None
    assert box["width"] >= 28
    context.close()


def test_a_hundred_quick_edits_end_in_the_answer_to_the_last(visit: Visit) -> None:
    visit.use("\n".join(EXAMPLE), "Draw")
    visit.page.evaluate(
        """async () => {
            const cell = document.querySelector('[data-row="0"][data-col="0"]');
            for (let k = 0; k < 100; k++) {
                cell.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}));
                await new Promise((go) => setTimeout(go, 8));
            }
        }"""
    )
    assert visit.rows() == list(EXAMPLE)
    visit.expect_answer("4 presses")
    expect(visit.page).to_have_url(re.compile(r"#1\.4x4\.cross\.unlit\.lit\.PWE$"))
