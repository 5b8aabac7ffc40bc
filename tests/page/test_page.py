"""The page as a person uses it: drawing, the answer, playing under the rule."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.page.browser import EXAMPLE, ROOT, Visit

pytestmark = pytest.mark.browser

LIT = tuple("1" * 4 for _ in range(4))


def test_the_board_of_april_2023_is_drawn_answered_and_played(visit: Visit) -> None:
    visit.select("Pattern", "cross")
    visit.draw(EXAMPLE)
    assert visit.rows() == list(EXAMPLE)
    visit.expect_answer("4 presses")
    expect(visit.progress).to_have_text("8 of 16 lit, 0 presses")
    visit.mode("Play")
    for count in range(1, 5):
        visit.button("Hint").click()
        expect(visit.progress).to_contain_text("next: row")
        ((row, column),) = visit.pressed()
        visit.cell(row, column).click()
        expect(visit.progress).to_contain_text(f"{count} press")
    expect(visit.progress).to_contain_text("solved")
    expect(visit.progress).to_contain_text("16 of 16 lit, 4 presses")
    assert visit.rows() == list(LIT)


def test_the_order_is_shown_to_its_end(visit: Visit) -> None:
    visit.use("\n".join(EXAMPLE))
    visit.expect_answer("4 presses")
    visit.button("Show order").click()
    expect(visit.progress).to_contain_text("solved", timeout=15_000)
    expect(visit.page.get_by_role("radio", name="Play")).to_be_checked()
    visit.button("Undo").click()
    assert visit.rows() == list(EXAMPLE)


def test_an_illegal_press_changes_nothing_and_is_explained(visit: Visit) -> None:
    visit.use("\n".join(EXAMPLE))
    visit.expect_answer("4 presses")
    visit.mode("Play")
    visit.cell(0, 2).click()
    expect(visit.progress).to_contain_text("row 1, column 3 is lit")
    expect(visit.progress).to_contain_text("8 of 16 lit, 0 presses")
    assert visit.rows() == list(EXAMPLE)


def test_undo_redo_reset(visit: Visit) -> None:
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
    visit.mode("Play")
    visit.cell(0, 1).click()
    assert visit.rows() == ["01", "00"]
    visit.button("Undo").click()
    expect(visit.progress).to_have_text("2 of 4 lit, 0 presses")
    visit.button("Redo").click()
    expect(visit.progress).to_have_text("1 of 4 lit, 1 press")
    visit.button("Reset").click()
    assert visit.rows() == ["10", "01"]


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


def test_the_odd_lines_of_a_board_without_order(visit: Visit) -> None:
    visit.use((ROOT / "instances/cross-24x24-no-order.txt").read_text())
    visit.expect_answer("no order")
    visit.expect_answer("285 presses")
    expect(visit.page.locator("#why")).to_contain_text("13 rows but 11 columns hold an odd number")


def test_a_board_without_solution(visit: Visit) -> None:
    visit.use((ROOT / "instances/plus-5x5-no-solution.txt").read_text())
    visit.expect_answer("no solution")
    visit.button("Hint").click()
    expect(visit.progress).to_contain_text("no solution")


def test_the_presses_are_marked_live(visit: Visit) -> None:
    visit.use("\n".join(EXAMPLE))
    visit.expect_answer("4 presses")
    visit.box("Show presses").check()
    expect(visit.grid.get_by_role("gridcell", name=", press")).to_have_count(4)
    assert visit.pressed() == [(0, 1), (0, 3), (1, 1), (3, 0)]
    visit.mode("Play")
    visit.cell(3, 0).click()
    visit.expect_answer("3 presses")
    assert visit.pressed() == [(0, 1), (0, 3), (1, 1)]
    visit.box("Show presses").uncheck()
    assert visit.pressed() == []


def test_the_fewest_presses_are_counted_on_the_board(visit: Visit) -> None:
    visit.use((ROOT / "instances/plus-10x10-no-order.txt").read_text())
    visit.expect_answer("56 presses")
    visit.button("Fewest presses").click()
    expect(visit.grid.get_by_role("gridcell", name=", pressed twice").first).to_be_attached()


@pytest.mark.parametrize("pattern", ["cross", "plus", "king", "torus-plus", "torus-king", "stencil"])
@pytest.mark.parametrize("rule", ["unlit", "lit", "any"])
def test_each_pattern_and_rule_is_played_as_the_library_plays_it(
    visit: Visit, pattern: str, rule: str
) -> None:
    import numpy as np

    import ponder

    rows = ["01100", "10010", "00111", "11000"]
    visit.draw(rows)
    visit.select("Pattern", pattern)
    visit.select("Rule", rule)
    visit.mode("Play")
    words = "stencil 0,1 1,0 0,-1 -1,0" if pattern == "stencil" else pattern
    board = ponder.Board.from_rows(rows, words)
    for row, column in [(0, 0), (3, 4), (0, 2)]:
        bulb = board.graph.bulb((row, column))
        legal = rule == "any" or (rule == "lit") == bool(board.lit[bulb])
        visit.cell(row, column).click()
        if legal:
            lit = board.lit ^ board.graph.apply(board.graph.set_of([bulb]))
            board = ponder.Board(board.graph, lit, board.goal)
        shown = np.array([list(line) for line in visit.rows()]) == "1"
        assert np.array_equal(shown.reshape(-1), board.lit), (row, column)
