"""Solve: the answer, its reason, the presses marked, the order played, what is to be explored."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import expect

import ponder
from tests.page.browser import EXAMPLE, ROOT, Visit

pytestmark = pytest.mark.browser

LIT = tuple("1" * 4 for _ in range(4))


def test_the_board_of_april_2023_is_drawn_answered_and_played(visit: Visit) -> None:
    visit.place("Draw")
    visit.select("Pattern", "cross")
    visit.draw(EXAMPLE)
    assert visit.rows() == list(EXAMPLE)
    visit.expect_answer("4 presses")
    expect(visit.progress).to_have_text("8 of 16 lit, 0 presses")
    visit.place("Solve")
    visit.cell(*visit.hint()).click()
    expect(visit.progress).to_contain_text("1 press")
    visit.win(ponder.Board.from_rows(visit.rows()))
    expect(visit.progress).to_contain_text("16 of 16 lit, 4 presses")
    assert visit.rows() == list(LIT)


def test_the_order_is_shown_to_its_end(visit: Visit) -> None:
    visit.use("\n".join(EXAMPLE))
    visit.expect_answer("4 presses")
    visit.button("Show order").click()
    visit.select("Speed", 40)
    expect(visit.progress).to_contain_text("solved")
    visit.button("Undo").click()
    assert visit.rows() == list(EXAMPLE)


def test_the_odd_lines_of_a_board_without_order(visit: Visit) -> None:
    visit.use((ROOT / "instances/cross-24x24-no-order.txt").read_text())
    visit.expect_answer("no order")
    visit.expect_answer("285 presses")
    expect(visit.page.locator("#why")).to_contain_text("Odd numbers of presses fall on 13 rows")


def test_a_board_without_solution(visit: Visit) -> None:
    """There is no press set, or the rule allows no last press: a hint says so, in words."""
    silent = (ROOT / "instances/plus-5x5-no-solution.txt").read_text()
    for hopeless in (silent, "\n".join(["rule: lit", *EXAMPLE])):
        visit.use(hopeless)
        expect(visit.progress).to_contain_text("lit, 0 presses")
        visit.expect_answer("no solution")
        visit.button("Hint").click()
        expect(visit.progress).to_contain_text("there is no solution to show")


def test_the_first_board_under_another_rule_has_a_hint_in_words(visit: Visit) -> None:
    visit.use("\n".join(["rule: lit", *EXAMPLE]))
    visit.button("Hint").click()
    expect(visit.progress).to_contain_text("there is no solution to show")
    assert "." not in visit.progress.inner_text()  # no code


def test_an_outline_has_no_holes_in_the_middle_of_four(visit: Visit) -> None:
    """Where four cells meet inside of a group, its fill is as even as elsewhere."""
    visit.use("\n".join(["rule: lit", *EXAMPLE]))
    visit.expect_answer("no solution")
    expect(visit.page.locator("#why")).to_contain_text("Nobody can win this")
    colours = visit.page.evaluate(
        """() => {
          const canvas = document.getElementById("under"), side = canvas.width / 4;
          const pen = canvas.getContext("2d");
          return [[1, 1], [2, 2], [3, 1], [2, 1.5], [0.5, 2]].map(([x, y]) =>
            [...pen.getImageData(Math.round(x * side), Math.round(y * side), 1, 1).data].join());
        }"""
    )
    assert len(set(colours)) == 1, colours


def test_the_presses_are_marked_live(visit: Visit) -> None:
    visit.use("\n".join(EXAMPLE))
    visit.expect_answer("4 presses")
    visit.box("Show presses").check()
    expect(visit.grid.get_by_role("gridcell", name=", press")).to_have_count(4)
    assert visit.pressed() == [(0, 1), (0, 3), (1, 1), (3, 0)]
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


def test_the_pairs_are_counted_on_demand(visit: Visit) -> None:
    expect(visit.box("Count the pairs")).to_be_hidden()
    visit.use((ROOT / "instances/plus-10x10-no-order.txt").read_text())
    visit.expect_answer("no order")
    before = visit.page.locator("#frame").screenshot()
    visit.box("Count the pairs").check()
    assert visit.page.locator("#frame").screenshot() != before


def test_the_player(visit: Visit) -> None:
    visit.use("\n".join(EXAMPLE))
    visit.expect_answer("4 presses")
    visit.button("Show order").click()
    visit.button("Pause").click()
    place = visit.page.get_by_role("slider", name="Position")
    place.fill("0")
    assert visit.rows() == list(EXAMPLE)
    visit.button("Step forward").click()
    expect(visit.progress).to_contain_text("1 press")
    visit.expect_answer("3 presses")
    place.fill("4")
    expect(visit.progress).to_contain_text("solved")
    visit.button("Step back").click()
    visit.expect_answer("1 press")


def test_exploring(visit: Visit) -> None:
    visit.use("pattern: plus\n" + "00000\n" * 5)
    explored = visit.page.locator("#explored")
    visit.button("Quiet patterns").click()
    expect(explored).to_contain_text("Quiet pattern 1 of 2")
    visit.button("Next").click()
    expect(explored).to_contain_text("Quiet pattern 2 of 2")
    visit.button("Single bulbs").click()
    expect(explored).to_contain_text("5 of 25 bulbs can be toggled alone")
    visit.cell(2, 2).focus()
    expect(explored).to_contain_text("Row 3, column 3 alone")
    visit.button("Single bulbs").click()
    visit.use("\n".join(EXAMPLE))
    visit.expect_answer("4 presses")
    visit.button("Solution of the solution").click()
    assert visit.rows() == ["1010", "1011", "1111", "0111"]  # unlit where it was to be pressed


def test_the_examples_are_the_instances(visit: Visit) -> None:
    names = {path.stem for path in (ROOT / "instances").iterdir()} - {"expected"}
    visit.place("Solve")
    example = visit.page.get_by_role("combobox", name="Example")
    expect(example.get_by_role("option")).to_have_count(len(names) + 1)
    example.select_option("goal-heart-6x7")
    visit.expect_answer("8 presses")


PLAYED = """([pattern, rule, presses]) => {
    const at = (id) => document.getElementById(id);
    const choose = (id, value) => {
        at(id).value = value;
        at(id).dispatchEvent(new Event('change', {bubbles: true}));
    };
    const cells = [...document.querySelectorAll('[role=gridcell]')];
    const lit = () => cells.map((cell) => cell.ariaLabel.split(', ')[2] === 'lit');
    at('draw').click();
    choose('pattern', pattern);
    choose('rule', rule);
    at('solve').click();
    const found = [lit()];
    for (const k of presses) {
        cells[k].click();
        found.push(lit());
    }
    return found;
}"""


def test_each_pattern_and_rule_is_played_as_the_library_plays_it(visit: Visit) -> None:
    """Chosen and pressed as an assistive technology does; in other tests a mouse does."""
    visit.use("01100\n10010\n00111\n11000", "Draw")
    expect(visit.grid.get_by_role("gridcell")).to_have_count(20)
    for pattern in ("cross", "plus", "king", "torus-plus", "torus-king", "stencil"):
        words = "stencil 0,1 1,0 0,-1 -1,0" if pattern == "stencil" else pattern
        graph, presses = ponder.Board.from_rows(["00000"] * 4, words).graph, [0, 19, 2]
        for rule in ("unlit", "lit", "any"):
            lit, *shown = np.array(visit.page.evaluate(PLAYED, [pattern, rule, presses]))
            for bulb, then in zip(presses, shown, strict=True):
                if rule == "any" or (rule == "lit") == bool(lit[bulb]):
                    lit = lit ^ graph.apply(graph.set_of([bulb]))
                assert np.array_equal(then, lit), (pattern, rule, bulb)


def test_an_illegal_press_changes_nothing_and_is_explained(visit: Visit) -> None:
    visit.use("\n".join(EXAMPLE))
    visit.expect_answer("4 presses")
    visit.cell(0, 2).click()
    expect(visit.progress).to_contain_text("row 1, column 3 is lit")
    expect(visit.progress).to_contain_text("8 of 16 lit, 0 presses")
    assert visit.rows() == list(EXAMPLE)
