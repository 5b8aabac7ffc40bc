"""The page as people use it: ten ways through it, by role and name."""

from __future__ import annotations

import json
import re
from contextlib import closing
from io import BytesIO
from itertools import combinations
from xml.etree import ElementTree

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from PIL import Image
from playwright.sync_api import Browser, expect

import ponder
from tests.depth import deep
from tests.page.browser import EXAMPLE, PHONE, ROOT, Visit, game
from tests.page.hands import Finger, Keys, Mouse, clear, open_level

pytestmark = pytest.mark.browser

LINK = "#1.4x4.cross.unlit.lit.PWE"
SCAN = """async () => (await axe.run({
    runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"],
    resultTypes: ["violations"],
})).violations.map((v) => [v.id, v.nodes.map((node) => node.html.slice(0, 120))])"""


def test_play(visit: Visit) -> None:
    """A wrong press, a press too many, a hint, undo, a win, a reload."""
    visit.page.evaluate(f"location.hash = '{LINK}'")
    expect(visit.progress).to_have_text("8 of 16 lit, 0 presses")
    expect(visit.rules).to_contain_text("Press an unlit bulb: it and its whole row and column")
    assert visit.rows() == list(EXAMPLE)
    expect(
        visit.page.locator("#answer")
    ).to_be_empty()  # it is not in the document before it is asked for
    visit.cell(0, 2).click()
    expect(visit.progress).to_contain_text("row 1, column 3 is lit: press only unlit bulbs")
    visit.cell(0, 0).click()
    expect(visit.progress).to_contain_text("1 press")
    expect(visit.page.locator("#gentle")).to_contain_text("From here it takes")
    visit.button("Undo").click()
    assert visit.rows() == list(EXAMPLE)
    at = visit.hint()
    visit.cell(*at).click()
    after_one = visit.rows()
    visit.page.reload()
    expect(visit.progress).to_contain_text("1 press")
    assert visit.rows() == after_one
    visit.win(ponder.Board.from_rows(after_one))
    result = visit.page.get_by_role("status", name="Result")
    expect(result).to_have_text("Solved in 4, the fewest possible. With 1 hint.")
    visit.button("Again").click()
    assert visit.rows() == list(EXAMPLE)
    visit.button("Reveal").click()
    visit.expect_answer("4 presses")
    for name, words in (("Lights Out", "Press any bulb"), ("King's move", "bulbs around it")):
        visit.radio(name).check()
        visit.expect_board()
        expect(visit.rules).to_contain_text(words)
    visit.radio("Hard").check()
    visit.expect_board()
    assert ponder.order(visit.start()).verdict == "solved"


def test_draw(visit: Visit) -> None:
    """A drag paints, a right click cuts a hole, goal and stencil are drawn, undo takes it back."""
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
    mouse.click(*places[0], button="right")
    assert visit.rows() == ["000", "-10", "000"]
    visit.page.keyboard.press("Control+z")
    visit.select("Pattern", "stencil")
    visit.button("1 up").click()  # and with it 1 down
    visit.select("Rule", "any")
    visit.select("Goal", "grid")
    visit.cell(1, 1).click()
    visit.button("Draw goal").click()
    board = ponder.parse_board(visit.text())
    assert board.goal.reshape(3, 3).tolist() == [[True] * 3, [True, False, True], [True] * 3]
    assert set(board.graph.pattern.split()[1:]) == {"0,-1", "0,1"}
    visit.page.get_by_text("As text").click()
    visit.use("\n".join(["000000"] * 6), "Draw")
    visit.select("Make", "unordered")
    visit.button("Random").click()
    visit.expect_answer("no order")
    assert ponder.order(ponder.Board.from_rows(visit.rows())).verdict == "impossible"


def test_solve(visit: Visit) -> None:
    """The live answer, its presses, the player, the reason, what there is to explore."""
    visit.use("\n".join(EXAMPLE))
    visit.expect_answer("4 presses")
    visit.box("Show presses").check()
    assert visit.pressed() == [(0, 1), (0, 3), (1, 1), (3, 0)]
    visit.cell(3, 0).click()
    visit.expect_answer("3 presses")
    assert visit.pressed() == [(0, 1), (0, 3), (1, 1)]
    visit.button("Show order").click()
    visit.select("Speed", 40)
    expect(visit.progress).to_contain_text("solved")
    visit.button("Undo").click()
    visit.expect_answer("3 presses")
    visit.use((ROOT / "instances/plus-10x10-no-order.txt").read_text())
    visit.expect_answer("no order")
    visit.expect_answer("56 presses")
    visit.button("Why?").click()
    dialog = visit.page.get_by_role("dialog")
    expect(dialog).to_contain_text("no order exists")
    with visit.page.expect_download() as coming:
        visit.button("Save picture").click()
    assert coming.value.path().read_bytes().startswith(b"\x89PNG")
    visit.page.keyboard.press("Escape")
    visit.use((ROOT / "instances/plus-5x5-no-solution.txt").read_text())
    visit.expect_answer("no solution")
    visit.use("pattern: plus\n" + "00000\n" * 5)
    explored = visit.page.locator("#explored")
    visit.button("Quiet patterns").click()
    expect(explored).to_contain_text("Quiet pattern 1 of 2")
    visit.button("Single bulbs").click()
    expect(explored).to_contain_text("5 of 25 bulbs can be toggled alone")


def test_refute(visit: Visit) -> None:
    """Lines are ticked: wrong, then right; the proof is saved, and holds."""
    game(visit, "riddle.rows-and-columns.easy.0")
    reason = visit.page.get_by_role("status", name="Reason")
    visit.button("Impossible").click()
    expect(visit.grid.get_by_role("gridcell", name=", press").first).to_be_attached()
    visit.box("row 2").check()
    visit.button("Check").click()
    expect(reason).to_contain_text("Not yet")
    visit.cell(2, 2).click()
    expect(visit.cell(2, 2)).to_have_attribute("aria-label", re.compile(", marked$"))
    visit.button("Clear marks").click()
    places = visit.pressed()
    for name, axis in (("row", 0), ("column", 1)):
        lines = [place[axis] for place in places]
        for k in {k for k in lines if lines.count(k) % 2}:
            visit.page.get_by_role("checkbox", name=f"{name} {k + 1}", exact=True).check()
    visit.button("Check").click()
    expect(reason).to_contain_text("proved")
    steps = visit.page.get_by_role("list", name="The proof").get_by_role("listitem")
    expect(steps.last).to_contain_text("proved.")
    with visit.page.expect_download() as coming:
        visit.button("Save result").click()
    assert ponder.verify(visit.start(), json.loads(coming.value.path().read_text())).complete
    game(visit, "riddle.rows-and-columns.easy.3")  # which can be done
    visit.button("Impossible").click()
    expect(visit.progress).to_contain_text("It can be done")


def test_path(visit: Visit) -> None:
    """A level is lit, another refuted, by what the hints say; statistics count both."""
    visit.page.reload()  # which keeps things again
    visit.button("Path").click()
    expect(visit.page.get_by_role("heading", name="Level 1 of 30")).to_be_visible()
    visit.cell(1, 1).click()
    expect(visit.page.get_by_role("status", name="Result")).to_contain_text("A star!")
    visit.button("Next").click()
    expect(visit.page.get_by_role("heading", name="Level 2 of 30")).to_be_visible()
    open_level(visit, 10)
    clear(visit, Mouse())
    expect(visit.page.get_by_text("2 of 30 levels, 1 star")).to_be_visible()
    link = visit.page.get_by_role("link", name="Level 10", exact=True)
    expect(link).to_have_attribute("aria-description", "solved")
    visit.button("Statistics").click()
    expect(visit.page.locator("#numbers dd").first).to_have_text("2 of 30")


def test_share(visit: Visit, browser: Browser) -> None:
    """The address holds the board, a friend plays it; what is saved is sound."""
    visit.use("pattern: plus\n01\n10\n", "Draw")
    visit.button("Share").click()
    expect(visit.page.get_by_role("status", name="Shared")).to_contain_text("link to this board")
    expect(visit.page).to_have_url(re.compile(r"#1\.2x2\.plus\.unlit\.lit\.Y$"))
    with closing(browser.new_context()) as context:
        friend = Visit(context.new_page(), context)
        friend.page.goto(visit.page.url)
        expect(friend.progress).to_contain_text("2 of 4 lit")
        expect(friend.radio("Play")).to_be_checked()
        assert friend.rows() == ["01", "10"]
    visit.use("\n".join(EXAMPLE))
    visit.expect_answer("4 presses")
    saved = {}
    for name in ("Text", "Result", "Picture", "Animation", "PNG"):
        with visit.page.expect_download() as coming:
            visit.button(name).click()
        saved[name] = coming.value.path().read_bytes()
    board = ponder.parse_board(saved["Text"])
    assert board == ponder.Board.from_rows(EXAMPLE)
    assert ponder.verify(board, json.loads(saved["Result"])).statements
    assert len(ElementTree.fromstring(saved["Picture"]).findall(".//{*}circle")) >= 16
    assert ElementTree.fromstring(saved["Animation"]).findall(".//{*}animate")
    assert min(Image.open(BytesIO(saved["PNG"])).size) >= 300
    visit.use(saved["Result"].decode())
    visit.select("Speed", 40)
    expect(visit.progress).to_contain_text("solved")
    for damaged in ("#3.4x4.cross.unlit.lit.AAA", "#1.4x4.cross.unlit.lit.AA", "#%", "#level=31"):
        rows = visit.rows()
        visit.page.evaluate("hash => { location.hash = hash }", damaged)
        expect(visit.progress).to_contain_text(re.compile("holds no board|levels from 1"))
        assert visit.rows() == rows


def test_phone(browser: Browser, address: str) -> None:
    """A group of dots is marked with a finger; nothing sticks out, bulbs are large enough."""
    with closing(browser.new_context(**PHONE)) as context:
        visit = Visit(context.new_page(), context)
        visit.page.goto(address)
        game(visit, "riddle.kings-move.medium.2")
        hand = Finger()
        hand.use(visit, visit.button("Impossible"))
        expect(visit.grid.get_by_role("gridcell", name=", press").first).to_be_attached()
        for island in islands(visit.pressed()):
            pairs = sum(near(*pair) for pair in combinations(island, 2))
            if pairs % 2 or all(visit.rows()[r][c] == "1" for r, c in island):
                for place in island:
                    hand.press(visit, *place)
                break
        hand.use(visit, visit.button("Check"))
        expect(visit.page.get_by_role("status", name="Reason")).to_contain_text("proved")
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= 390
        box = visit.cell(0, 0).bounding_box()
        assert box is not None
        assert box["width"] >= 28


SHIFTS = """() => new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
        if (!entry.hadRecentInput) window.shifted = (window.shifted ?? 0) + entry.value;
}).observe({ type: "layout-shift", buffered: true })"""
SCREENS = [
    (320, 568, 180),
    (844, 390, 290),
    (1024, 768, 520),
    (2560, 1440, 800),
    (3840, 2160, 1200),
]


@pytest.mark.deep
def test_screens(browser: Browser, address: str) -> None:
    """A first visit: three pictures, one main button, nothing moves; Hint is seen everywhere."""
    for width, height, least in SCREENS:
        size = {"width": width, "height": height}
        with closing(browser.new_context(viewport=size, service_workers="block")) as context:  # type: ignore[arg-type]
            visit = Visit(context.new_page(), context)
            visit.page.add_init_script(f"({SHIFTS})()")
            visit.page.goto(address)
            expect(visit.progress).to_contain_text("0 presses")
            visit.wait_for_frames()
            assert visit.page.evaluate("window.shifted ?? 0") < 0.05
            expect(visit.page.locator("#intro svg")).to_have_count(3)
            expect(visit.page.locator("button.primary:visible")).to_have_text("Path")
            bottom = "id => document.getElementById(id).getBoundingClientRect()"
            frame, hint = (visit.page.evaluate(bottom, id) for id in ("frame", "hint"))
            bar = visit.page.evaluate(
                "document.querySelector('.actions').getBoundingClientRect().y"
            )
            assert frame["height"] >= least, size
            assert hint["bottom"] <= (bar if bar > height / 2 else height), size
            assert visit.page.evaluate("document.documentElement.scrollWidth") <= width


REFUSED = {
    "01x\n000\n": "line 1: 'x' in column 3 is not a cell.*",
    "ann bob\nbob carl\n": "line 1: this resembles an edge list of a graph .* names in words",
    "01\n10\n\n01\n10\n": "line 4: 2 grids with blank lines between them: .* no single board",
    "\n".join(["0" * 101] * 101): "a board of 101×101 is too large.*",
    "#1.4x4.cross.unlit.lit.AA": "this address holds no board: it is damaged",
}
"""What is pasted, and what is said of it: no file is named, no option of the command line."""


@pytest.mark.deep
def test_boards_of_choice(visit: Visit) -> None:
    """A size, a shape, Back to the board before, one's own; a paste anywhere, and its error."""
    visit.draw(["101", "010", "101"])
    visit.place("Play")
    visit.select("Size or shape", 5)
    expect(visit.progress).to_contain_text("of 25 lit")
    expect(visit.page).to_have_url(re.compile(r";rows-and-columns\.easy\.\w+\.5$"))
    rows = visit.rows()
    visit.select("Size or shape", "petersen")
    expect(visit.progress).to_contain_text("of 10 lit")
    expect(visit.page).to_have_url(re.compile("#2"))
    visit.page.go_back()
    expect(visit.progress).to_contain_text("of 25 lit")
    assert visit.rows() == rows
    visit.radio("Lights Out").check()
    expect(visit.progress).to_contain_text("of 25 unlit")
    visit.radio("Your own").check()
    assert visit.rows() == ["101", "010", "101"]
    paste = """text => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", text);
        document.activeElement.dispatchEvent(
            new ClipboardEvent("paste", { clipboardData, bubbles: true }));
    }"""
    visit.page.evaluate(paste, "pattern: plus\n010\n111\n")
    expect(visit.progress).to_contain_text("of 6 lit")
    with visit.expects_errors():
        for text, told in REFUSED.items():
            visit.page.evaluate(paste, text)
            expect(visit.progress).to_have_text(re.compile(f" — {told}$"))


@pytest.mark.deep
def test_cards(visit: Visit) -> None:
    """Each bulb is pressed once, and is gone: with a hint, to the end, undone, after a reload."""
    visit.page.reload()  # which keeps things again
    visit.radio("Cards").check()
    expect(visit.progress).to_have_text("0 of 6 pressed")
    row, column = visit.hint()
    visit.cell(row, column).click()
    expect(visit.grid.get_by_role("gridcell")).to_have_count(5)
    expect(visit.cell(row, column)).to_have_count(0)
    (line,) = visit.rows()
    visit.win(ponder.Board.from_rows([line.ljust(6, "-")], puzzle="cards"))
    result = visit.page.get_by_role("status", name="Result")
    expect(result).to_have_text("Solved in 6, the fewest possible. With 1 hint.")
    visit.button("Undo").click()
    expect(visit.progress).to_contain_text("5 of 6 pressed")
    visit.page.reload()
    expect(visit.progress).to_contain_text("5 of 6 pressed")
    (last,) = visit.grid.get_by_role("gridcell").all()
    last.focus()
    visit.page.keyboard.press("Enter")
    expect(visit.progress).to_contain_text("6 of 6 pressed: solved")
    expect(visit.button("Undo")).to_be_focused()
    visit.place("Draw")  # all its bulbs are back
    expect(visit.progress).to_have_text("0 of 6 pressed")
    visit.select("Goal", "lit")
    expect(visit.progress).to_contain_text("of 6 lit, 0 presses")
    visit.button("Undo").click()
    visit.use("goal: pressed\npattern: plus\nrule: lit\n0110\n")
    visit.expect_answer("There is no solution.")


def near(first: tuple[int, int], second: tuple[int, int]) -> bool:
    return max(abs(first[0] - second[0]), abs(first[1] - second[1])) == 1


def islands(places: list[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """Return the groups of places that touch, in the king's way."""
    left, groups = {*places}, []
    while left:
        island = [left.pop()]
        for at in island:
            touching = {other for other in left if near(at, other)}
            island += sorted(touching)
            left -= touching
        groups.append(island)
    return groups


def test_keyboard(visit: Visit) -> None:
    """The whole page without a mouse: places, the grid, presses, hints, undo."""
    visit.use("-000\n0-00\n0000", "Draw")
    page, keys = visit.page, visit.page.keyboard
    visit.cell(0, 1).focus()

    def at() -> list[int]:
        data = "document.activeElement.dataset"
        return [int(k) for k in page.evaluate(f"[{data}.row, {data}.col]")]

    for key, place in [
        ("ArrowRight", [0, 2]),
        ("ArrowDown", [1, 2]),
        ("ArrowLeft", [1, 0]),  # over a hole
        ("End", [1, 3]),
        ("Home", [1, 0]),
        ("PageDown", [2, 0]),
        ("Control+End", [2, 3]),
        ("PageUp", [0, 3]),
        ("Control+Home", [0, 1]),
    ]:
        keys.press(key)
        assert at() == place, key
    keys.press("Enter")
    keys.press("ArrowDown")
    keys.press("Space")
    assert visit.rows() == ["-100", "0-00", "0100"]
    expect(visit.cell(2, 1)).to_have_accessible_name("row 3, column 2, lit")
    expect(visit.grid.locator('[tabindex="0"]')).to_have_count(1)
    keys.press("Delete")
    assert visit.rows() == ["-100", "0-00", "0-00"]
    hand = Keys()
    hand.use(visit, visit.radio("Play"))
    hand.press(visit, 0, 1)
    expect(visit.progress).to_contain_text("1 press")
    visit.page.evaluate(f"location.hash = '{LINK}'")
    expect(visit.progress).to_have_text("8 of 16 lit, 0 presses")
    visit.button("Share").focus()
    for told in ("Look at", "presses it"):
        keys.press("h")
        expect(visit.page.get_by_role("status", name="Why")).to_contain_text(told)
    keys.press("h")  # the third presses it
    expect(visit.progress).to_contain_text("1 press")
    keys.press("u")
    assert visit.rows() == list(EXAMPLE)


@pytest.mark.parametrize("looks", deep(1, 2))
def test_accessibility(visit: Visit, looks: int) -> None:
    """No violations in any place, by day on a desk and by night on a phone.

    The usual run looks at each place in one of the two ways.
    """
    page = visit.page
    page.evaluate(AXE_SCRIPT)
    page.emulate_media(reduced_motion="reduce")

    def drawn() -> None:
        visit.use("pattern: plus\n0101\n1-10\n", "Draw")
        visit.select("Goal", "grid")
        visit.expect_answer("press")

    def refused() -> None:
        visit.use((ROOT / "instances/plus-10x10-no-order.txt").read_text())
        visit.expect_answer("no order")
        visit.box("Show presses").check()
        visit.button("Why?").click()

    def marked() -> None:
        game(visit, "riddle.rows-and-columns.easy.0")
        visit.button("Impossible").click()
        visit.box("row 1").check()
        visit.button("Check").click()

    def proved() -> None:
        visit.page.evaluate("location.hash = '#level=22'")
        visit.button("Impossible").click()
        for place in ((1, 1), (1, 2), (2, 1), (2, 2)):
            visit.cell(*place).click()
        visit.button("Check").click()
        expect(visit.page.get_by_role("list", name="The proof")).to_be_visible()

    def wired() -> None:
        visit.use((ROOT / "instances/wiring-one-way-7.json").read_text())
        visit.expect_answer("press")

    try:
        for number, view in enumerate((drawn, refused, marked, proved, wired)):
            view()
            ways = (("light", 1200, 900), ("dark", 390, 844))
            for scheme, width, height in ways if looks == 2 else ways[number % 2 :][:1]:
                page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
                page.set_viewport_size({"width": width, "height": height})
                visit.wait_for_frames()
                assert page.evaluate(SCAN) == [], (view.__name__, scheme)
            page.set_viewport_size({"width": 1200, "height": 900})
            page.keyboard.press("Escape")
    finally:
        page.emulate_media(reduced_motion="no-preference", color_scheme="light")
        page.set_viewport_size({"width": 1200, "height": 900})


def test_offline(visit: Visit) -> None:
    """Where the engine does not answer one plays on, and is told; it is asked again."""
    visit.page.route("**/api/**", lambda route: route.abort())
    with visit.expects_errors():
        visit.page.evaluate(f"location.hash = '{LINK}'")
        visit.cell(3, 0).click()
        expect(visit.progress).to_contain_text("1 press")
        visit.place("Solve")
        expect(visit.answer).to_contain_text("does not answer; trying again")
        visit.page.unroute("**/api/**")
        visit.expect_answer("3 presses")
