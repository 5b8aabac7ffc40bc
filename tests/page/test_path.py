"""The path on the page, walked by what it says; and what is kept: levels, games, statistics."""

from __future__ import annotations

import json
import re
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.page.browser import Visit
from tests.page.hands import Finger, Hand, Keys, Mouse

pytestmark = pytest.mark.browser

DESK: Any = {"viewport": {"width": 1280, "height": 800}}
PHONE: Any = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LAST = 30
MOST_HINTS = 60


def status(visit: Visit, name: str) -> Locator:
    return visit.page.get_by_role("status", name=name, exact=True)


def open_level(visit: Visit, level: int) -> None:
    visit.page.evaluate(f"location.hash = '#level={level}'")
    here = visit.page.get_by_role("heading", name=re.compile(f"^Level {level} of {LAST}"))
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
    for _ in range(MOST_HINTS):
        if "solved" in visit.progress.inner_text():
            return
        found = re.search(r"next: row (\d+), column (\d+)", visit.progress.inner_text())
        if found is None:
            hinted(visit, hand, status(visit, "Why").inner_text())
            continue
        count = int(re.findall(r"(\d+) press", visit.progress.inner_text())[0])
        hand.press(visit, int(found[1]) - 1, int(found[2]) - 1)
        expect(visit.progress).to_contain_text(f"{count + 1} press")
    raise AssertionError("hints do not end")


def refute(visit: Visit, hand: Hand) -> None:
    """Say Impossible, and mark what the last hint names."""
    hand.use(visit, visit.button("Impossible"))
    said = status(visit, "Why").inner_text()
    while not said.startswith("Mark these"):
        said = hinted(visit, hand, said)
    for name in said.removeprefix("Mark these, then Check: ").removesuffix(".").split("; "):
        if found := re.fullmatch(r"row (\d+), column (\d+)", name):
            row, column = int(found[1]) - 1, int(found[2]) - 1
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


def walk(visit: Visit, hand: Hand, levels: range) -> None:
    """Do levels one after the other, each from the last by Next."""
    for level in levels:
        here = visit.page.get_by_role("heading", name=re.compile(f"^Level {level} of {LAST}"))
        expect(here).to_be_visible()
        visit.expect_board()
        idea = status(visit, "Idea").inner_text()
        clear(visit, hand)
        expect(status(visit, "Idea")).not_to_have_text(idea)
        link = visit.page.get_by_role("link", name=f"Level {level}", exact=True)
        expect(link).to_have_attribute("aria-description", "solved")
        if level < levels[-1]:
            hand.use(visit, visit.button("Next"))


@pytest.mark.parametrize(
    ("hand", "how", "levels"),
    [
        (Keys(), DESK, range(30, 31)),
        pytest.param(Mouse(), DESK, range(1, 31), marks=pytest.mark.deep),
        pytest.param(Finger(), PHONE, range(1, 31), marks=pytest.mark.deep),
        pytest.param(Keys(), DESK, range(1, 31), marks=pytest.mark.deep),
    ],
    ids=["keyboard", "all", "all-phone", "all-keyboard"],
)
def test_a_bot_walks_the_path(
    browser: Browser, address: str, hand: Hand, how: Any, levels: range
) -> None:
    with closing(browser.new_context(**how)) as context:
        visit = Visit(context.new_page(), context)
        visit.page.on("pageerror", lambda error: visit.wrong.append(str(error)))
        visit.page.goto(address)
        visit.expect_board()
        if levels[0] == 1:
            hand.use(visit, visit.button("Path"))
        else:
            open_level(visit, levels[0])
        walk(visit, hand, levels)
        expect(visit.page.get_by_text(f"{len(levels)} of {LAST} levels, 0 stars")).to_be_visible()
        if levels[-1] == LAST:
            expect(visit.button("Next")).to_be_hidden()
            expect(visit.page.get_by_role("link", name="Why it is true").last).to_be_visible()
        wide = visit.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= how["viewport"]["width"]
        assert visit.wrong == []


def test_the_level_that_is_left_is_not_written_into_the_address(visit: Visit) -> None:
    """Else a reload, soon after a link was followed, would go back to it."""
    visit.page.evaluate("location.hash = '#level=1'")
    visit.button("Show me how").click()
    expect(visit.progress).to_contain_text("solved")
    visit.page.wait_for_timeout(250)  # so that the page may write at once
    visit.page.evaluate(
        """() => {
            const put = history.replaceState.bind(history);
            window.written = [];
            history.replaceState = (kept, ...to) => { written.push(to[1]); put(kept, ...to); };
        }"""
    )
    visit.page.get_by_role("link", name="Level 16", exact=True).click()
    expect(visit.page.get_by_role("heading", name=re.compile("^Level 16 of 30"))).to_be_visible()
    visit.page.wait_for_function("written.length > 0")
    assert set(visit.page.evaluate("written")) == {"/#level=16"}


def test_a_star_is_for_no_hints_and_all_is_kept(visit: Visit, address: str) -> None:
    before = visit.rows()
    visit.button("Path").click()
    visit.cell(1, 1).click()
    expect(status(visit, "Result")).to_contain_text("A star!")
    visit.button("Next").click()
    expect(visit.page).to_have_url(re.compile("#level=2$"))
    visit.button("Show me how").click()
    expect(visit.progress).to_contain_text("solved")
    expect(visit.page.get_by_text("2 of 30 levels, 1 star")).to_be_visible()
    visit.page.get_by_role("link", name="Level 16", exact=True).click()
    expect(visit.page).to_have_url(re.compile("#level=16$"))
    visit.cell(0, 3).click()
    visit.page.reload()
    expect(visit.page.get_by_role("heading", name=re.compile("^Level 16 of 30"))).to_be_visible()
    expect(visit.progress).to_contain_text("1 press")
    visit.page.go_back()
    expect(visit.page.get_by_role("heading", name=re.compile("^Level 2 of 30"))).to_be_visible()
    expect(visit.progress).to_contain_text("2 presses: solved")
    visit.page.go_forward()
    expect(visit.progress).to_contain_text("1 press")
    visit.button("Leave the path").click()
    assert visit.rows() == before
    expect(visit.radio("Rows and columns")).to_be_visible()
    visit.button("Path").click()  # the first that is not done
    expect(visit.page.get_by_role("heading", name=re.compile("^Level 3 of 30"))).to_be_visible()


def test_who_says_impossible_of_a_possible_level_is_led_on(visit: Visit) -> None:
    open_level(visit, 12)
    visit.button("Impossible").click()
    expect(visit.progress).to_contain_text("It can be done")
    hinted(visit, Mouse(), "")
    light(visit, Mouse())
    expect(status(visit, "Result")).to_contain_text("It can be done: solved in 5.")
    visit.button("Again").click()
    visit.cell(0, 0).click()  # which no order presses
    expect(visit.progress).to_contain_text("1 press")
    hinted(visit, Mouse(), "")
    expect(status(visit, "Why")).to_contain_text("No order leads on from here")


def test_a_wrong_level_is_told(visit: Visit) -> None:
    visit.page.evaluate("location.hash = '#level=31'")
    expect(visit.progress).to_contain_text("the path has levels from 1 to 30")


@pytest.mark.deep  # a reload, which is quicker: test_playing.py
def test_a_game_goes_on_in_a_new_tab(browser: Browser, address: str) -> None:
    with closing(browser.new_context(**DESK)) as context:
        visit = Visit(context.new_page(), context)
        visit.page.goto(address)
        visit.expect_board()
        at = next(
            (r, c) for r, row in enumerate(visit.rows()) for c, x in enumerate(row) if x == "0"
        )
        visit.cell(*at).click()
        expect(visit.progress).to_contain_text("1 press")
        rows = visit.rows()
        visit.page.close()
        again = Visit(context.new_page(), context)
        again.page.goto(address)
        expect(again.progress).to_contain_text("1 press")
        assert again.rows() == rows
        again.button("Undo").click()
        expect(again.progress).to_contain_text("0 presses")


def numbers(visit: Visit) -> dict[str, str]:
    terms, values = (
        visit.page.locator(f"#numbers {tag}").all_inner_texts() for tag in ("dt", "dd")
    )
    return dict(zip(terms, values, strict=True))


def test_statistics_are_taken_along_and_erased(visit: Visit, tmp_path: Path) -> None:
    visit.page.reload()  # which keeps things again
    visit.button("Path").click()
    hinted(visit, Mouse(), "")
    visit.cell(1, 1).click()
    visit.button("Statistics").click()
    expect(visit.page.locator("#numbers dd").first).to_have_text("1 of 30")
    counted = numbers(visit)
    assert counted["Levels done"] == "1 of 30"
    assert counted["Stars"] == "0"
    assert counted["Boards solved"] == counted["Hints used"] == "1"
    assert counted["Daily board"] == "not yet"
    with visit.page.expect_download() as coming:
        visit.button("Export").click()
    saved = coming.value.path().read_text()
    assert json.loads(saved)["levels"] == [[1, False]]
    visit.button("Erase").click()
    assert numbers(visit) == counted
    visit.button("Erase all of it?").click()
    assert {*numbers(visit).values()} == {"0 of 30", "0", "not yet"}
    chosen = visit.page.locator("#kept-file")
    file = tmp_path / "statistics.json"
    better = {**json.loads(saved), "levels": [[1, True], [2, False]], "days": ["2026-11-23"]}
    for text in ("{}", "no", saved.replace("1,", "31,"), json.dumps({**better, "days": ["x"]})):
        file.write_text(text)
        chosen.set_input_files(file)
        expect(status(visit, "Done")).to_have_text("This file holds no statistics of ponder's.")
        assert numbers(visit)["Levels done"] == "0 of 30"
    for content, done, stars in ((saved, 1, 0), (json.dumps(better), 2, 1), (saved, 2, 1)):
        file.write_text(content)
        chosen.set_input_files(file)
        expect(status(visit, "Done")).to_contain_text("Taken in")
        expect(visit.page.locator("#numbers dd").first).to_have_text(f"{done} of 30")
        assert numbers(visit)["Stars"] == str(stars)
        file.unlink()
    assert numbers(visit)["Daily board"] == "0 days in a row, 1 at most"
    assert numbers(visit)["Hints used"] == "1"
    visit.button("Close").click()
    expect(visit.page.get_by_role("dialog")).to_be_hidden()


BLOCKED = """() => {
    const fails = () => { throw new DOMException("no", "QuotaExceededError"); };
    Object.assign(Storage.prototype, { setItem: fails, getItem: fails, removeItem: fails });
}"""


def test_where_nothing_can_be_kept_it_is_said_once(browser: Browser, address: str) -> None:
    with closing(browser.new_context(**DESK)) as context:
        visit = Visit(context.new_page(), context)
        visit.page.on("pageerror", lambda error: visit.wrong.append(str(error)))
        visit.page.add_init_script(f"({BLOCKED})()")
        visit.page.goto(f"{address}#level=1")
        expect(status(visit, "Storage")).to_contain_text("keeps nothing")
        visit.cell(1, 1).click()
        expect(status(visit, "Result")).to_contain_text("A star!")
        expect(visit.page.get_by_text("1 of 30 levels, 1 star")).to_be_visible()
        visit.button("Next").click()
        expect(status(visit, "Idea")).to_contain_text("two crosses")
        expect(status(visit, "Storage")).to_be_empty()
        visit.button("Hint").click()
        expect(status(visit, "Why")).not_to_be_empty()
        expect(status(visit, "Storage")).to_be_empty()
        assert visit.wrong == []
