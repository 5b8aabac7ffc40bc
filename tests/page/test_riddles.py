"""*Possible or not?* on the page: a board is played, or its impossibility marked and proved."""

from __future__ import annotations

import json
import re
from contextlib import closing
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, expect

import ponder
from ponder.page.riddles import own_marking
from tests.depth import deep
from tests.page.browser import Visit, forgotten
from tests.page.hands import Finger, Hand, Keys, Mouse
from tests.page.screenshots import game

pytestmark = pytest.mark.browser

SMALL: Any = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}
PHONE: Any = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESK: Any = {"viewport": {"width": 1200, "height": 900}}
MOST_BOARDS = 40
LINES = "riddle.rows-and-columns.easy.0"  # three odd columns and one odd row
CUT = "riddle.rows-and-columns.easy.6"  # as many odd rows as columns
GROUP = "riddle.kings-move.medium.2"
WITNESS = "riddle.lights-out.easy.1"
POSSIBLE = "riddle.rows-and-columns.easy.3"


def reason(visit: Visit) -> Locator:
    return visit.page.get_by_role("status", name="Reason")


def line(visit: Visit, name: str) -> Locator:
    return visit.page.get_by_role("checkbox", name=name, exact=True)


def say_impossible(visit: Visit, hand: Hand) -> bool:
    """Say it; whether it was right. The dots are there once it is known."""
    hand.use(visit, visit.button("Impossible"))
    settled = re.compile("It can be done|, then Check")
    told = visit.page.locator(".below")
    expect(told).to_contain_text(settled)
    found = visit.grid.get_by_role("gridcell", name=", press").or_(
        visit.page.get_by_text("No presses reach the goal")
    )
    expect(found.first).to_be_visible()
    visit.wait_for_frames()
    return "It can be done" not in told.inner_text()


def mark_own(visit: Visit) -> None:
    """Mark the reason that the solver finds."""
    board = visit.start()
    found = ponder.order(board).refutation
    assert found is not None
    marking = own_marking(found)
    assert marking is not None
    for name, listed in (("row", marking.rows), ("column", marking.columns)):
        for k in listed.tolist():
            line(visit, f"{name} {k + 1}").check()
    for place in board.graph.labels(marking.bulbs):
        visit.cell(*place).click()  # type: ignore[misc]


def check(visit: Visit, label: str) -> None:
    """Have the solver's reason for the board of a label accepted."""
    game(visit, label)
    assert say_impossible(visit, Mouse())
    mark_own(visit)
    visit.button("Check").click()
    expect(reason(visit)).to_contain_text("proved")


# ------------------------------------------------------------------------------- a bot, by roles


def new_riddles(visit: Visit, hand: Hand, puzzle: str) -> None:
    hand.use(visit, visit.radio(puzzle))
    visit.expect_board()
    hand.use(visit, visit.radio("Possible or not?"))
    visit.expect_board()


def test_what_checks_is_loaded_while_one_marks(visit: Visit) -> None:
    """By a first question that marks nothing: Python takes a while to load all of it."""
    if "/play/" in visit.page.url:
        pytest.skip("questions to workers are no requests")
    game(visit, LINES)
    with visit.page.expect_request("**/api/refute") as asked:
        visit.button("Impossible").click()
    content = json.loads(asked.value.post_data or "")
    assert content["bulbs"] == content["rows"] == []


def bot(visit: Visit, hand: Hand, puzzle: str) -> None:
    """Find what proves it from the dots, the lights and the words: on some board it does."""
    new_riddles(visit, hand, puzzle)
    for _ in range(MOST_BOARDS):
        if say_impossible(visit, hand):
            marked = lines(visit, hand) if puzzle == "Rows and columns" else group(visit, hand)
            if marked:
                hand.use(visit, visit.button("Check"))
                expect(reason(visit)).not_to_contain_text(", then Check")
                if "proved" in reason(visit).inner_text():
                    return
        hand.use(visit, visit.button("New board"))
        expect(visit.button("Impossible")).to_be_visible()
        visit.expect_board()
    raise AssertionError("no board was refuted")


def lines(visit: Visit, hand: Hand) -> bool:
    """Tick the lines with an odd number of dots."""
    pressed = visit.pressed()
    for name, at in (("row", 0), ("column", 1)):
        places = [place[at] for place in pressed]
        for k in sorted({*places}):
            if places.count(k) % 2:
                box = line(visit, f"{name} {k + 1}")
                if isinstance(hand, Keys):
                    hand.use(visit, box)  # the focus is there; Enter does nothing to a box
                    visit.page.keyboard.press("Space")
                else:
                    hand.use(visit, box)
                expect(box).to_be_checked()
    return True


def group(visit: Visit, hand: Hand) -> bool:
    """Mark an island of dots whose pairs of neighbours, in the king's way, are odd in number."""
    left, rows = {*visit.pressed()}, visit.rows()

    def near(one: tuple[int, int], other: tuple[int, int]) -> bool:
        return max(abs(one[0] - other[0]), abs(one[1] - other[1])) == 1

    while left:
        island = [left.pop()]
        for at in island:
            found = {other for other in left if near(at, other)}
            island += sorted(found)
            left -= found
        pairs = sum(near(*pair) for pair in combinations(island, 2))
        if pairs % 2 or all(rows[r][c] == "1" for r, c in island):
            for place in island:
                hand.press(visit, *place)
                marked = re.compile(", marked$")
                expect(visit.cell(*place)).to_have_attribute("aria-label", marked)
            return True
    return False


@pytest.mark.parametrize(
    ("hand", "how", "puzzle"),
    [
        pytest.param(Mouse(), DESK, "Rows and columns", marks=pytest.mark.deep),
        (Finger(), PHONE, "King's move"),
        pytest.param(Keys(), DESK, "Rows and columns", marks=pytest.mark.deep),
        pytest.param(Finger(), SMALL, "Rows and columns", marks=pytest.mark.deep),
    ],
    ids=["mouse", "phone", "keyboard", "small"],
)
def test_a_bot_refutes_by_what_the_page_says(
    browser: Browser, address: str, hand: Hand, how: Any, puzzle: str
) -> None:
    with closing(browser.new_context(**how)) as context:
        visit = Visit(context.new_page(), context)
        visit.page.on("pageerror", lambda error: visit.wrong.append(str(error)))
        visit.page.goto(address)
        bot(visit, hand, puzzle)
        steps = visit.page.get_by_role("list", name="The proof").get_by_role("listitem")
        assert 3 <= steps.count() <= 5
        expect(steps.last).to_contain_text("proved.")
        wide = visit.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= how["viewport"]["width"]
        assert visit.wrong == []


# ------------------------------------------------------------------------------- what is answered


def test_wrong_marks_are_answered(visit: Visit) -> None:
    game(visit, LINES)
    visit.grid.get_by_role("gridcell", name=re.compile(", unlit")).first.click()
    visit.grid.get_by_role("gridcell", name=re.compile(", lit")).last.click()
    expect(visit.progress).to_contain_text("press only unlit bulbs")
    assert say_impossible(visit, Mouse())
    expect(visit.progress).not_to_contain_text("press only")  # that was about a press
    visit.button("Play on").click()
    expect(visit.progress).to_contain_text("1 press")
    assert say_impossible(visit, Mouse())
    visit.button("Check").click()
    expect(reason(visit)).to_have_text("Not yet: mark what shows why.")
    line(visit, "row 2").check()
    expect(reason(visit)).to_contain_text(", then Check")
    visit.button("Check").click()
    expect(reason(visit)).to_have_text("Not yet: row 2 is marked and has an even number of dots.")
    visit.cell(2, 2).click()
    visit.button("Check").click()
    expect(reason(visit)).to_contain_text("one or the other")
    visit.page.keyboard.press("u")
    visit.page.keyboard.press("u")
    expect(line(visit, "row 2")).not_to_be_checked()
    visit.cell(2, 2).click()
    visit.button("Check").click()
    expect(reason(visit)).to_contain_text("row 3, column 3 does not have to be pressed")
    visit.button("Clear marks").click()
    mark_own(visit)
    visit.button("Check").click()
    expect(reason(visit)).to_contain_text("proved")
    won = visit.page.get_by_role("status", name="Result")
    visit.button("Reveal").click()  # which helps no more
    expect(visit.button("Reveal")).to_be_hidden()
    expect(won).to_have_text("Impossible, and proved. After 4 refused checks.")


def test_impossible_said_of_a_possible_board_shows_the_first_press(visit: Visit) -> None:
    game(visit, POSSIBLE)
    assert not say_impossible(visit, Mouse())
    board = visit.start()
    told = visit.progress.inner_text()
    first = re.findall(r"row (\d+), column (\d+) is the first", told)
    expect(reason(visit)).to_be_empty()  # on with the game: nothing is left to mark
    for gone in (line(visit, "row 1"), visit.button("Check"), visit.page.locator("#marking")):
        expect(gone).to_be_hidden()
    expect(visit.button("Impossible")).to_be_visible()
    row, column = (int(k) - 1 for k in first[0])
    visit.cell(row, column).click()
    expect(visit.progress).to_contain_text("1 press")
    bulb = board.graph.bulb((row, column))
    lit = board.lit ^ board.graph.apply(board.graph.set_of([bulb]))
    rest = ponder.order(ponder.Board(board.graph, lit, board.goal, board.rule))
    assert rest.places is not None
    assert (row, column) not in rest.places
    for place in rest.places:
        visit.cell(*place).click()  # type: ignore[misc]
    expect(visit.page.get_by_role("status", name="Result")).to_have_text(
        f"It can be done: solved in {len(rest.places) + 1}. After 1 wrong claim."
    )


def test_each_bulb_is_pressed_at_most_once(visit: Visit) -> None:
    game(visit, "riddle.lights-out.easy.3")
    visit.cell(0, 0).click()
    visit.cell(0, 0).click()
    expect(visit.progress).to_contain_text("row 1, column 1 was pressed: each bulb at most once")
    expect(visit.progress).to_contain_text("1 press")
    expect(visit.button("Hint")).to_be_hidden()
    visit.page.keyboard.press("h")
    expect(visit.progress).not_to_contain_text("next")
    visit.button("Impossible").click()  # from where one is: the start is what it is about
    expect(visit.progress).to_contain_text("0 presses")


@pytest.mark.parametrize("label", deep(CUT, WITNESS, LINES, GROUP))
def test_an_accepted_reason_is_shared_saved_and_certified(
    visit: Visit, address: str, label: str, tmp_path: Path
) -> None:
    visit.context.grant_permissions(["clipboard-read", "clipboard-write"])
    check(visit, label)
    board = visit.start()
    with visit.page.expect_download() as coming:
        visit.button("Save result").click()
    saved = coming.value.path().read_text()
    (tmp_path / "board.txt").write_text(json.loads(saved)["board"]["text"])
    assert ponder.read(tmp_path / "board.txt").sha256 == board.sha256
    assert ponder.verify(board, json.loads(saved)).complete
    with visit.page.expect_download() as coming:
        visit.button("Coq certificate").click()
    assert "\nTheorem no" in coming.value.path().read_text()
    visit.button("Share result").click()
    shared = visit.page.get_by_role("status", name="Shared")
    expect(shared).to_contain_text("Copied: the result")
    told, link = visit.page.evaluate("navigator.clipboard.readText()").split("\n")
    settled = r"ponder, Possible or not\? .+, (easy|medium)\. Settled in \d+ seconds?, "
    settled += r"at the first attempt\."
    assert re.fullmatch(settled, told)
    assert "mpossible" not in told
    assert "proved" not in told
    assert ";why." not in link
    visit.button("Share reason").click()
    expect(shared).to_contain_text("the reason")
    link = visit.page.evaluate("navigator.clipboard.readText()")
    said = reason(visit).inner_text()
    forgotten(visit.page, address)
    visit.page.goto("about:blank")
    visit.page.goto(link)
    expect(reason(visit)).to_have_text(said)
    assert visit.start().sha256 == board.sha256
    visit.page.goto(link[:-1])  # cut short
    expect(visit.progress).to_contain_text("do not fit its size")


def test_a_reload_keeps_the_marks(visit: Visit) -> None:
    game(visit, GROUP)
    assert say_impossible(visit, Mouse())
    visit.cell(0, 0).click()
    marked = visit.grid.get_by_role("gridcell", name=re.compile(", marked$"))
    expect(marked).to_have_count(1)
    visit.page.reload()
    expect(marked).to_have_count(1)
    visit.cell(0, 0).click()
    mark_own(visit)
    visit.button("Check").click()
    expect(reason(visit)).to_contain_text("proved")
    visit.page.reload()
    expect(reason(visit)).to_contain_text("proved")
    visit.button("Again").click()
    expect(reason(visit)).to_be_empty()
    expect(marked).to_have_count(0)


def test_a_drawn_board_may_be_impossible(visit: Visit) -> None:
    visit.use("pattern: plus\n110\n001\n111\n", "Draw")
    visit.expect_answer("no order")
    visit.place("Play")
    drawn = visit.rows()
    visit.radio("Possible or not?").check()
    assert visit.rows() == drawn
    assert say_impossible(visit, Mouse())
    mark_own(visit)
    visit.button("Check").click()
    expect(reason(visit)).to_contain_text("proved")
    visit.radio("Always possible").check()
    expect(reason(visit)).to_be_empty()


def test_a_day_has_its_own_riddle_and_streak(browser: Browser, address: str) -> None:
    with closing(browser.new_context(**DESK)) as context:
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        visit = Visit(context.new_page(), context)
        visit.page.goto(address)
        visit.radio("Possible or not?").check()
        visit.expect_board()
        for day in (23, 24):
            visit.page.clock.set_fixed_time(f"2026-11-{day}T12:00:00Z")
            visit.button("Daily").click()
            expect(visit.page).to_have_url(re.compile(rf";riddle\.daily\.2026-11-{day}$"))
            board = visit.start()
            found = ponder.order(board)
            if found.places is None:
                assert say_impossible(visit, Mouse())
                mark_own(visit)
                visit.button("Check").click()
                expect(reason(visit)).to_contain_text("proved")
            for place in found.places or []:
                visit.cell(*place).click()  # type: ignore[misc]
            expect(visit.button("Next")).to_be_visible()
            visit.button("Share result").click()
            shared = visit.page.get_by_role("status", name="Shared")
            expect(shared).to_contain_text("Copied: the result")
            line, link = visit.page.evaluate("navigator.clipboard.readText()").split("\n")
            aloud = rf"ponder, Possible or not\? Daily, {day} November\. Settled in \d+ seconds?, "
            assert re.fullmatch(f"{aloud}at the first attempt\\.", line)  # the same of both kinds
            assert link.endswith(f";riddle.daily.2026-11-{day}")
        told = visit.page.get_by_text("2 days in a row on the daily Possible or not?")
        expect(told).to_be_visible()
        visit.radio("Always possible").check()
        expect(told).to_be_hidden()


def test_without_motion_the_proof_is_there_at_once(visit: Visit) -> None:
    visit.page.emulate_media(reduced_motion="reduce")
    check(visit, WITNESS)
    steps = visit.page.get_by_role("list", name="The proof").get_by_role("listitem")
    seen = steps.evaluate_all("steps => steps.map((x) => getComputedStyle(x).opacity)")
    assert seen == ["1"] * len(seen)
    visit.page.emulate_media(reduced_motion="no-preference")


def test_dots_can_be_hidden(visit: Visit) -> None:
    game(visit, GROUP)
    assert say_impossible(visit, Mouse())
    board = visit.start()
    (press_set,) = ponder.press_sets(board)  # type: ignore[misc]
    assert {*visit.pressed()} == {*board.graph.labels(np.flatnonzero(press_set))}
    ways = visit.page.locator("#ways li")  # they speak of dots after saying what a dot is
    expect(ways.first).to_have_text("A red dot: this bulb must be pressed, in every solution.")
    visit.box("Show what must be pressed").uncheck()
    assert visit.pressed() == []
