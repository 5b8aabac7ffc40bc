"""Play: what is kept, what help costs, and what a win is worth."""

from __future__ import annotations

import re
from contextlib import closing

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

import ponder
from tests.page.browser import EXAMPLE, ROOT, Visit

pytestmark = pytest.mark.browser


def example(visit: Visit) -> None:
    """Play the board of April 2023, from its link."""
    visit.page.evaluate("location.hash = '#1.4x4.cross.unlit.lit.PWE'")
    expect(visit.progress).to_have_text("8 of 16 lit, 0 presses")
    assert visit.rows() == list(EXAMPLE)


def test_undo_takes_presses_back_and_no_choice_of_a_board(visit: Visit) -> None:
    example(visit)
    undo = visit.button("Undo")
    for name in ("Possible or not?", "Always possible"):
        visit.radio(name).check()
        visit.expect_board()
        expect(visit.progress).to_contain_text("0 presses")
        expect(undo).to_be_disabled()
    board = visit.rows()
    visit.page.keyboard.press("u")
    assert visit.rows() == board
    at = next((r, c) for r, row in enumerate(board) for c, x in enumerate(row) if x == "0")
    visit.cell(*at).click()
    pressed = visit.rows()
    visit.button("Start again").click()
    assert visit.rows() == board
    undo.click()
    assert visit.rows() == pressed
    visit.button("New board").click()  # by mistake, perhaps: the game that was left comes back
    visit.expect_board()
    undo.click()
    assert visit.rows() == pressed
    undo.click()
    assert visit.rows() == board
    expect(undo).to_be_disabled()


def time(visit: Visit) -> Locator:
    return visit.page.locator("#time")


def test_a_reload_keeps_the_game_and_its_undo(visit: Visit) -> None:
    example(visit)
    visit.cell(3, 0).click()
    after_one = visit.rows()
    visit.cell(*visit.hint()).click()
    expect(visit.page).to_have_url(re.compile(r"#1\.4x4\.cross\.unlit\.lit\.PWE$"))
    visit.page.reload()
    expect(visit.progress).to_contain_text("2 presses")
    expect(visit.radio("Play")).to_be_checked()
    visit.button("Undo").click()
    assert visit.rows() == after_one
    visit.page.reload()
    expect(visit.progress).to_contain_text("1 press")
    visit.button("Redo").click()
    expect(visit.progress).to_contain_text("2 presses")
    visit.button("Start again").click()
    assert visit.rows() == list(EXAMPLE)


def test_the_best_game_on_a_board_is_kept(visit: Visit) -> None:
    """A detour of two presses first, then the shortest way."""
    won = visit.page.get_by_role("status", name="Result")
    example(visit)
    visit.cell(0, 0).click()
    expect(visit.progress).to_contain_text("1 press")
    visit.win(ponder.Board.from_rows(visit.rows()))
    expect(won).to_contain_text("At least 4 are needed.")
    count = int(re.findall(r"Solved in (\d+)", won.inner_text())[0])
    assert count > 4
    expect(time(visit)).to_contain_text(f"your best {count}")
    visit.button("Again").click()
    assert visit.rows() == list(EXAMPLE)
    visit.win(ponder.Board.from_rows(EXAMPLE))
    expect(won).to_contain_text("Solved in 4, the fewest possible.")
    expect(time(visit)).to_contain_text("your best 4")


def test_what_a_press_changes_is_marked_where_one_points(visit: Visit) -> None:
    """Behind each bulb that a press would change there is a mark, and behind no other."""
    patterns = {"Rows and columns": "cross", "King's move": "king", "Round the world": "torus-plus"}
    for name, pattern in patterns.items():
        visit.radio(name).check()
        visit.radio("Easy").check()
        visit.expect_board()
        before = visit.rows()
        visit.cell(0, 1).hover()
        marked = visit.page.evaluate(
            """() => [...document.querySelectorAll('[role=gridcell]')].filter((cell) => {
                const canvas = document.getElementById('under');
                const box = canvas.getBoundingClientRect(), at = cell.getBoundingClientRect();
                const scale = canvas.width / box.width;
                const x = (at.x - box.x + at.width / 2) * scale;
                const y = (at.y - box.y + at.height / 2) * scale;
                return canvas.getContext('2d').getImageData(x, y, 1, 1).data[3] > 0;
            }).map((cell) => [Number(cell.dataset.row), Number(cell.dataset.col)])"""
        )
        graph = ponder.Board.from_rows(before, pattern).graph
        changed = np.flatnonzero(graph.apply(graph.set_of([graph.bulb((0, 1))])))
        assert {tuple(place) for place in marked} == set(graph.labels(changed)), name
        assert visit.rows() == before


def test_a_game_is_not_the_best_if_its_answer_was_seen(visit: Visit) -> None:
    visit.use("\n".join(EXAMPLE))
    visit.place("Play")
    visit.win(ponder.Board.from_rows(EXAMPLE))
    won = visit.page.get_by_role("status", name="Result")
    expect(won).to_have_text("Solved in 4, the fewest possible. The answer was open.")
    expect(time(visit)).not_to_contain_text("best")


def test_to_be_shown_the_way_is_no_win(visit: Visit) -> None:
    example(visit)
    visit.button("Show me how").click()
    visit.select("Speed", 40)
    # A minute goes by.
    visit.page.evaluate(
        """() => {
            const now = performance.now.bind(performance);
            performance.now = () => now() + 60_000;
        }"""
    )
    expect(visit.progress).to_contain_text("solved")
    won = visit.page.get_by_role("status", name="Result")
    expect(won).to_have_text("That is how it goes, in 4 presses.")
    expect(time(visit)).not_to_contain_text("best")
    assert time(visit).text_content() == ""  # it did not run meanwhile


def test_the_press_that_is_shown_is_ringed(visit: Visit) -> None:
    """Slowly enough to be followed: the pace is chosen, one press in two seconds at the slowest."""
    example(visit)
    visit.button("Show me how").click()
    visit.button("Pause").click()
    visit.select("Speed", 2000)
    position = visit.page.get_by_role("slider", name="Position")
    position.fill("1")
    one = visit.page.locator("#over").screenshot()
    position.fill("2")
    assert visit.page.locator("#over").screenshot() != one


def test_a_goal_that_the_rule_never_reaches_is_told_at_once(visit: Visit) -> None:
    visit.use("\n".join(["rule: lit", *EXAMPLE]), "Draw")
    visit.expect_answer("no solution")
    visit.place("Play")
    expect(visit.page.locator("#gentle")).to_contain_text("Nobody can win this")
    visit.button("Make the goal all unlit").click()
    expect(visit.rules).to_contain_text("Put them all out.")
    expect(visit.button("Make the goal all unlit")).to_be_hidden()


def test_a_board_of_ones_own_is_played_and_more_of_its_kind(visit: Visit) -> None:
    visit.use("pattern: plus\n-0101\n00000\n0000-\n", "Draw")
    visit.cell(1, 1).click()
    drawn = visit.rows()
    visit.place("Play")
    expect(visit.radio("Your own")).to_be_checked()
    assert visit.rows() == drawn
    visit.radio("Hard").check()
    visit.expect_board()
    expect(visit.radio("Your own")).to_be_checked()
    made = visit.rows()
    assert made != drawn
    assert [line.count("-") for line in made] == [1, 0, 1]
    expect(visit.page).to_have_url(re.compile(r";your-own\.hard\.\w+$"))


def test_what_belongs_to_one_place_does_not_show_in_another(visit: Visit) -> None:
    only = {
        "Play": ["New board", "Daily", "Reveal", "Show me how"],
        "Solve": ["Show order", "Fewest presses", "Quiet patterns"],
        "Draw": ["Clear", "Random", "Cut holes"],
    }
    for place in only:
        visit.place(place)
        for other, names in only.items():
            for name in names:
                expect(visit.button(name)).to_be_visible(visible=place == other)


def test_keys_act_wherever_the_focus_is(visit: Visit) -> None:
    example(visit)
    keys = visit.page.keyboard
    visit.button("Share").focus()
    for told in ("Look at", "every solution presses it"):
        keys.press("h")
        expect(visit.page.get_by_role("status", name="Why")).to_contain_text(told)
    assert len(visit.pressed()) == 1
    keys.press("h")  # the third presses it
    expect(visit.progress).to_contain_text("1 press")
    expect(visit.page.get_by_role("status", name="Why")).to_be_empty()
    keys.press("u")
    assert visit.rows() == list(EXAMPLE)
    keys.press("r")
    expect(visit.progress).to_contain_text("1 press")
    keys.press("n")
    expect(visit.progress).to_contain_text("0 presses")
    assert visit.rows() != list(EXAMPLE)


def test_the_focus_goes_on_where_a_button_hides(visit: Visit) -> None:
    example(visit)
    visit.button("Reveal").focus()
    visit.page.keyboard.press("Enter")
    expect(visit.answer).to_be_focused()
    visit.button("Show me how").click()
    visit.select("Speed", 40)
    expect(visit.progress).to_contain_text("solved")
    visit.button("Again").focus()
    visit.page.keyboard.press("Enter")
    expect(visit.grid.locator('[tabindex="0"]')).to_be_focused()


def test_an_answer_that_is_revealed_before_it_is_known_has_words(visit: Visit) -> None:
    example(visit)
    told = visit.page.evaluate("""() => {
        document.getElementById("new").click();
        document.getElementById("reveal").click();
        return [document.getElementById("answer").textContent, document.activeElement.id];
    }""")
    assert told == ["Thinking …", "answer"]


def test_why_has_a_page_with_a_picture_to_share(visit: Visit) -> None:
    visit.use((ROOT / "instances/plus-10x10-no-order.txt").read_text())
    visit.expect_answer("no order")
    visit.button("Why?").click()
    page = visit.page.get_by_role("dialog")
    expect(page).to_contain_text("every order needs an even number")
    expect(page).to_contain_text("no order exists")
    with visit.page.expect_download() as coming:
        visit.button("Save picture").click()
    assert coming.value.path().read_bytes().startswith(b"\x89PNG")
    visit.page.keyboard.press("Escape")
    expect(page).to_be_hidden()


@pytest.mark.deep  # one that refuses to keep: test_path.py
def test_a_browser_that_keeps_nothing_is_played_on(tab: Page, address: str) -> None:
    with closing(tab.context.new_page()) as page:
        page.add_init_script("delete window.localStorage; Storage.prototype.getItem = null")
        visit = Visit(page, tab.context)
        visit.page.on("pageerror", lambda error: visit.wrong.append(str(error)))
        visit.page.goto(address)
        expect(visit.progress).to_contain_text("0 presses")
        visit.win(ponder.Board.from_rows(visit.rows()))
        expect(visit.page.get_by_role("status", name="Result")).to_contain_text("Solved")
        assert visit.wrong == []
