"""Further ways through the page, by all hands and on all screens: `pytest -m deep`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import product
from typing import Any, TypeAlias

import numpy as np
import pytest
from playwright.sync_api import Browser, CDPSession, Route, expect

import ponder
from ponder.check.replay import replay
from ponder.page.board_data import page_text
from tests.page.browser import PHONE, ROOT, Visit, game, serving
from tests.page.hands import Finger, Hand, Keys, Mouse, clear, open_level, status
from tests.processes import HANG

pytestmark = [pytest.mark.browser, pytest.mark.deep]

DESK: Any = {"viewport": {"width": 1280, "height": 800}}
LAST = 30


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
        (Mouse(), DESK, range(1, 31)),
        (Finger(), PHONE, range(1, 31)),
        (Keys(), DESK, range(1, 31)),
    ],
    ids=["mouse", "phone", "keyboard"],
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


def test_a_star_is_not_washed(visit: Visit) -> None:
    """A refused check, a wrong claim, an answer: nothing that follows gives the star back."""
    visit.page.reload()  # which keeps things again
    star, result = visit.page.locator("#star"), status(visit, "Result")
    open_level(visit, 10)
    expect(star).to_contain_text("it gives a star")
    visit.button("Impossible").click()
    visit.button("Check").click()
    expect(status(visit, "Reason")).to_contain_text("Not yet. Mark what shows why")
    expect(star).to_contain_text("it gives a star")
    visit.box("row 2").check()
    visit.button("Check").click()
    expect(status(visit, "Reason")).to_have_text("Not yet. This line holds an even number of dots.")
    expect(star).to_contain_text("Its star is lost")
    open_level(visit, 1)
    visit.page.reload()
    open_level(visit, 10)
    expect(star).to_contain_text("Its star is lost")
    clear(visit, Mouse())
    expect(star).to_contain_text("Its star was lost")
    open_level(visit, 1)
    visit.button("Show me how").click()
    expect(result).to_contain_text("That is how it goes")
    visit.button("Again").click()
    visit.cell(1, 1).click()
    expect(result).to_have_text("Solved in 1, the fewest possible. The answer was open.")
    expect(star).to_contain_text("Its star was lost")
    open_level(visit, 12)  # which can be done
    visit.button("Impossible").click()
    expect(star).to_contain_text("Its star is lost")


LINK = "#1.4x4.cross.unlit.lit.PWE"
NEVER = "#1.4x4.plus.unlit.lit.gAA"


def kept(visit: Visit, name: str) -> Any:
    return json.loads(visit.page.evaluate(f"localStorage.getItem('ponder.{name}')") or "[]")


COUNTED = """async () => {
    while (!localStorage.getItem("ponder.days")) await new Promise((go) => setTimeout(go, 20));
}"""


def test_a_win_counts_once_and_for_its_own_day(visit: Visit) -> None:
    """What was shown does not count, what is seen again counts no more, nor another day's board."""
    page, about, day = visit.page, visit.page.locator("#about"), "2026-11-23"
    page.reload()  # which keeps things again
    visit.button("Daily").click()
    expect(about).to_contain_text("the same for everybody")
    expect(page).to_have_url(re.compile(";daily"))
    visit.button("Start again").click()
    expect(about).to_contain_text("the same for everybody")
    visit.button("Show me how").click()
    visit.select("Speed", 40)
    expect(visit.progress).to_contain_text("solved")
    page.reload()
    expect(visit.progress).to_contain_text("solved")
    expect(page).to_have_url(re.compile(";daily"))
    assert kept(visit, "counts") == kept(visit, "days") == []
    page.evaluate(f"location.hash = '{LINK};daily.2026-11-24'")
    expect(visit.progress).to_have_text("8 of 16 lit, 0 presses")
    visit.win(visit.start())
    page.reload()
    expect(status(visit, "Result")).to_contain_text("the fewest possible")
    assert kept(visit, "counts") == [["solved", 1]]
    game(visit, f"daily.{day}")
    visit.win(visit.start())
    page.evaluate(COUNTED)
    assert kept(visit, "days") == [day]
    assert kept(visit, "counts") == [["solved", 2]]
    visit.button("Statistics").focus()
    for _ in range(4):
        page.keyboard.down("Enter")  # held
    page.keyboard.up("Enter")
    expect(page.locator("#kept-erase")).to_have_text("Erase")
    assert kept(visit, "days") == [day]


def test_what_is_kept_may_be_damaged(visit: Visit, address: str) -> None:
    """A damaged entry is none; a damaged game is not gone on with."""
    entries = {
        "days": ["garbage", None, "2026-13-01", ["2026-01-01"]],
        "levels": [1, None, "3", {}, [3, True]],
        "best": [None, [None], ["a", "b"]],
        "counts": [1, ["solved", 2]],
        "helped": [None, {}],
        "riddles": {},
    }
    start = {"start": LINK, "label": None}
    games = [
        ({"game": {**start, "presses": [0]}}, "1 press"),
        ({"game": {**start, "presses": [0]}, "place": "nowhere", "grade": "none"}, "1 press"),
        ({"game": {**start, "presses": [0, 0]}, "place": "play"}, "0 presses"),
        ({"game": {**start, "presses": [0], "label": 5}, "place": "play"}, "0 presses"),
        ({"game": 5}, "0 presses"),
    ]
    for content, progress in games:
        visit.page.goto(f"{address}icon.svg")
        for name, value in {**entries, "game": content}.items():
            text = json.dumps(value)
            visit.page.evaluate(f"text => localStorage.setItem('ponder.{name}', text)", text)
        visit.page.goto(address)
        expect(visit.progress).to_contain_text(progress)
        expect(visit.radio("Play")).to_be_checked()
        visit.button("Statistics").click()
        numbers = visit.page.locator("#numbers dd").all_inner_texts()
        assert numbers == ["1 of 30", "1", "2", "0", "0", "0", "not yet", "not yet"]
        visit.button("Close").click()
        if progress == "1 press":
            visit.button("Undo").click()
            expect(visit.progress).to_have_text("8 of 16 lit, 0 presses")


def test_an_address_is_not_believed(visit: Visit) -> None:
    """What a label says of another board; on one without a solution nothing is advised."""
    about, gentle = visit.page.locator("#about"), visit.page.locator("#gentle")
    for label in ("level.3", "riddle.level.3", "daily.2026-02-31", "in-order.expert.zz"):
        visit.page.evaluate(f"location.hash = '{NEVER};{label}'")
        expect(about).to_have_text("4 × 4 · 16 bulbs")
        expect(gentle).to_have_text("This board cannot be solved.")
        visit.page.evaluate(f"location.hash = '{LINK}'")
        expect(visit.progress).to_have_text("8 of 16 lit, 0 presses")
    visit.page.evaluate(f"location.hash = '{NEVER}'")
    expect(visit.progress).to_have_text("1 of 16 lit, 0 presses")
    visit.cell(3, 3).click()
    expect(gentle).to_have_text("This board cannot be solved.")
    visit.button("Hint").click()
    expect(visit.progress).to_contain_text("1 press — This board cannot be solved.")


STILL = """async (known) => {
    const { stillWords } = await import("./words.js");
    const { Known } = await import("./live.js");
    const live = { fresh: true, known: Object.assign(new Known(), known) };
    const game = { presses: [1, 2] }, round = { fewest: { count: 3 } };
    return stillWords({ board: { solved: false }, game, round, warns: true, live });
}"""


def test_a_press_is_called_wasted_where_that_is_proved(visit: Visit) -> None:
    """Two presses are made on a board that takes three."""
    wasted = "A press was wasted. From here it takes"
    for known, told in [
        ({"order": {"presses": [1, 2, 3]}}, ""),
        ({"found": {"presses": [1, 2, 3], "lower_bound": 1}}, ""),
        ({"fewest": {"presses": [1, 2, 3], "lower_bound": 1}}, ""),
        ({"fewest": {"presses": [1], "lower_bound": 1, "optimal": True}}, ""),
        ({"fewest": {"presses": [1, 2], "lower_bound": 2, "optimal": True}}, f"{wasted} 2 more."),
        ({"fewest": {"presses": None, "lower_bound": 2}}, f"{wasted} at least 2 more."),
    ]:
        assert visit.page.evaluate(STILL, known) == told


def test_undo_brings_back_what_has_helped(visit: Visit) -> None:
    visit.page.evaluate("location.hash = '#1.4x4.cross.unlit.lit.PWE'")
    at = visit.hint()
    visit.cell(*at).click()
    visit.button("Reveal").click()
    visit.page.wait_for_timeout(2500)
    visit.button("New board").click()
    visit.expect_board()
    expect(visit.button("Reveal")).to_be_visible()
    visit.button("Undo").click()
    expect(visit.progress).to_contain_text("1 press")
    expect(visit.button("Reveal")).to_be_hidden()
    expect(visit.page.locator("#time")).to_have_text(re.compile("0:0[2-9]"))
    visit.win(ponder.Board.from_rows(visit.rows()))
    expect(status(visit, "Result")).to_contain_text("The answer was open.")


def test_a_board_that_is_played_is_not_replaced(visit: Visit) -> None:
    """A request for another board dies with the first press, however late its answer."""
    held: list[Route] = []
    visit.page.evaluate("location.hash = '#1.4x4.cross.unlit.lit.PWE'")
    expect(visit.progress).to_have_text("8 of 16 lit, 0 presses")
    visit.page.route("**/api/stream/new", lambda route: held.append(route))
    visit.radio("Hard").check()
    expect(visit.grid).to_have_attribute("aria-busy", "true")
    visit.cell(3, 0).click()
    visit.expect_board()
    for route in held:
        route.continue_()
    visit.page.unroute("**/api/stream/new")
    expect(visit.progress).to_contain_text("1 press")
    visit.place("Solve")
    visit.expect_answer("3 presses")
    expect(visit.progress).to_contain_text("of 16 lit, 1 press")


CUBE = json.dumps(
    {
        "nodes": 8,
        "edges": [[u, v] for u in range(8) for v in range(u) if (u ^ v).bit_count() == 1],
        "lit": [1, 0, 0, 1, 1, 0, 0, 1],
    }
)


PETERSEN = (ROOT / "instances/graph-petersen.json").read_text()


WIRING = (ROOT / "instances/wiring-one-way-7.json").read_text()


BOARDS = {"cube": CUBE, "petersen": PETERSEN, "wiring": WIRING}


Press: TypeAlias = "Callable[[Visit, int], None]"


def by_mouse(visit: Visit, k: int) -> None:
    visit.cell(0, k).click()


def by_finger(visit: Visit, k: int) -> None:
    visit.cell(0, k).tap()


def by_keys(visit: Visit, k: int) -> None:
    """Go through the numbers, which reach every bulb and button."""
    visit.page.keyboard.press("Home")
    for _ in range(k):
        visit.page.keyboard.press("PageDown")
    visit.page.keyboard.press("Enter")


@contextmanager
def opened(browser: Browser, address: str, how: Any) -> Iterator[Visit]:
    with closing(browser.new_context(**how)) as context:
        visit = Visit(context.new_page(), context)
        visit.page.on("pageerror", lambda error: visit.wrong.append(str(error)))
        visit.page.goto(address)
        yield visit
        assert visit.wrong == []


def states(visit: Visit) -> list[str]:
    """Return what is said of each bulb and button, in the order of their numbers."""
    names = visit.grid.get_by_role("gridcell").evaluate_all("cells => cells.map(x => x.ariaLabel)")
    return [name.split(", ")[1] for name in names]


@pytest.mark.parametrize(
    ("name", "press"),
    [("cube", by_finger), ("petersen", by_mouse), ("wiring", by_keys)],
)
def test_a_graph_is_played_to_its_end_and_shared(
    browser: Browser, address: str, name: str, press: Press
) -> None:
    board = ponder.parse_board(BOARDS[name])
    how = {"viewport": {"width": 320, "height": 640}, "has_touch": press is by_finger}
    with opened(browser, address, how) as visit:
        visit.use(BOARDS[name], "Draw")
        expect(visit.page).to_have_url(re.compile("#2"))
        start = visit.page.url
    with opened(browser, start, how) as visit:
        expect(visit.progress).to_contain_text(f"of {board.graph.size} lit, 0 presses")
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= 320
        for count, place in enumerate(ponder.solve(board).places or [], 1):
            at = board.graph.bulb(place) + (board.graph.size if name == "wiring" else 0)
            visit.cell(0, at).focus()
            press(visit, at)
            expect(visit.progress).to_contain_text(f"{count} press")
        won = visit.page.get_by_role("status", name="Result")
        expect(won).to_contain_text("the fewest possible.")
        visit.page.reload()
        expect(visit.progress).to_contain_text("solved")


def test_a_wiring_is_drawn_by_keys_alone(visit: Visit) -> None:
    keys = visit.page.keyboard
    visit.use('{"lights": 1, "buttons": [{"toggles": [0]}], "rule": "any"}', "Draw")
    for name in ("Add bulb", "Add button", "Join"):
        visit.button(name).focus()
        keys.press("Enter")
    assert states(visit) == ["unlit", "unlit", "ready", "ready"]
    visit.cell(0, 3).focus()
    keys.press("Enter")
    expect(visit.progress).to_contain_text("a wire from button 1 to …")
    keys.press("Home")
    keys.press("PageDown")
    keys.press("Enter")
    visit.expect_answer("2 presses, in any order.")
    keys.press("Enter")
    keys.press("Home")
    keys.press("Enter")
    expect(visit.progress).to_contain_text("a wire joins a button and a bulb")
    visit.button("Join").click()
    visit.cell(0, 1).focus()
    keys.press("Enter")
    assert states(visit)[1] == "lit"
    keys.press("Shift+ArrowDown")
    keys.press("Delete")
    expect(visit.grid.get_by_role("gridcell")).to_have_count(3)
    visit.button("Undo").click()
    visit.button("Tidy up").click()
    expect(visit.grid.get_by_role("gridcell")).to_have_count(4)
    visit.place("Play")
    visit.cell(0, 2).focus()
    keys.press("Enter")
    expect(visit.page.get_by_role("status", name="Result")).to_contain_text("Solved in 1")


DAMAGED = (
    "#2.0.unlit.lit.A.AAA.A.",
    "#2.2.unlit.lit.A.AAAAAA.A.",
    "#2.2.unlit.lit.A.AAAAA.A.",
    "#2.2.no.lit.A.AAAAAB.A.",
    "#2.2.unlit.lit.A.AAAAAB.A..a,a",
    "#2.1x1.any.lit.A.AAAAAB.A.AC",
)


def test_addresses_of_graphs_keep_names_and_are_checked(visit: Visit) -> None:
    text = json.dumps(
        {"nodes": ["a.b;c", 7, "7", "it's ~ 100 %", "é,"], "edges": [["7", 7], [7, "é,"]]}
    )
    visit.use(text)
    expect(visit.page).to_have_url(re.compile(r"#2\.5\."))
    visit.page.reload()
    expect(visit.progress).to_contain_text("of 5 lit")
    assert ponder.parse_board(visit.text()) == ponder.parse_board(text)
    for hash in DAMAGED:
        visit.page.evaluate("hash => { location.hash = hash }", hash)
        expect(visit.progress).to_contain_text("this address holds no board")


def test_any_board_survives_its_address_and_its_text(visit: Visit) -> None:
    """The modules alone: a thousand boards to an address and back, to a text and back."""
    wrong = visit.page.evaluate(
        """async () => {
            const { Board, HOLE } = await import('./board.js');
            const { PATTERNS, RULES, GOALS } = await import('./puzzles.js');
            const { boardOf, hashOf } = await import('./link.js');
            const { random, floor } = Math, wrong = [];
            const pick = (list) => list[floor(random() * list.length)];
            for (let n = 0; n < 1000; n++) {
                const rows = 1 + floor(random() * 9), columns = 1 + floor(random() * 9);
                const holes = pick([0, 0, 0.3]);
                const cells = Int8Array.from({ length: rows * columns }, () =>
                    random() < holes ? HOLE : Number(random() < 0.5));
                cells[0] = Math.max(0, cells[0]);
                const target = cells.map((x) => x === HOLE ? x : Number(random() < 0.5));
                const board = new Board(rows, columns, cells, {
                    pattern: pick(Object.keys(PATTERNS)),
                    rule: pick(RULES), goal: pick(GOALS), target,
                    offsets: [[0, 2], [0, -2], [-3, 1], [3, -1]] });
                if (boardOf(hashOf(board)).text !== board.text) wrong.push(hashOf(board));
                if (Board.fromText(board.text).text !== board.text) wrong.push(board.text);
            }
            return wrong;
        }"""
    )
    assert wrong == []


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
        cells[k].dispatchEvent(new MouseEvent("click", { bubbles: true }));
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


TAKEN = """([text, presses]) => import('./graph.js').then(({ boardFrom }) => {
    let board = boardFrom(text);
    const start = board, cells = presses.map((label) => board.cellOf(label));
    return cells.map((k, n) => {
        const isLegal = board.isLegal(k);
        board = board.pressed(k);
        const back = board.before(cells.slice(0, n + 1)).text;
        return [isLegal && !board.isLegal(k), board.solved, board.text, back];
    });
})"""

ORDERED = """async (text) => {
    const { boardFrom } = await import('./graph.js');
    const { randomOrderedBoard } = await import('./board.js');
    return randomOrderedBoard(boardFrom(text)).text;
}"""


def test_what_is_pressed_once_is_gone(visit: Visit) -> None:
    """Random boards have an order; what it leaves after each press has the rest as an order."""
    petersen = replace(ponder.parse_board(BOARDS["petersen"]), pressed=True)
    grids = [f"pattern: {p}\ngoal: pressed\n0000\n00-0\n0000\n" for p in ("cross", "plus", "king")]
    for text, rule in product([*grids, page_text(petersen)], ("unlit", "lit", "any")):
        empty = page_text(ponder.parse_board(text, rule=rule))
        start = visit.page.evaluate(ORDERED, empty)
        board = ponder.parse_board(start)
        assert (board.rule, board.pressed) == (rule, True)
        places = ponder.order(board).places
        assert places is not None
        steps = visit.page.evaluate(TAKEN, [start, places])
        for k, (is_legal, is_solved, left, back) in enumerate(steps, 1):
            assert is_legal
            assert back == start or rule == "any"
            assert is_solved == (k == len(places))
            if not is_solved:
                rest = ponder.parse_board(left)
                replay(rest, np.array([rest.graph.bulb(at) for at in places[k:]]))


def side(visit: Visit, row: int = 0, column: int = 0) -> float:
    """Return the width of a bulb's cell in pixels."""
    box = visit.cell(row, column).bounding_box()
    assert box is not None
    return box["width"]


def touch(session: CDPSession, kind: str, *places: tuple[float, float]) -> None:
    points = [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(places)]
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_fingers_swipe_and_zoom_and_press_nothing(browser: Browser, address: str) -> None:
    with opened(browser, f"{address}#1.60x60.plus.unlit.lit.{'A' * 600}", PHONE) as visit:
        expect(visit.grid.get_by_role("gridcell")).to_have_count(3600)
        before, box = side(visit), visit.grid.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        session = visit.context.new_cdp_session(visit.page)
        touch(session, "touchStart", (x, y))
        for step in range(1, 9):
            touch(session, "touchMove", (x, y - 5 * step))
        touch(session, "touchEnd")
        touch(session, "touchStart", (x - 20, y), (x + 20, y))
        for step in range(1, 9):
            touch(session, "touchMove", (x - 20 - 10 * step, y), (x + 20 + 10 * step, y))
        touch(session, "touchEnd")
        visit.wait_for_frames()
        assert side(visit) > 2 * before
        expect(visit.progress).to_contain_text("0 presses")


def test_the_wheel_zooms_about_the_bulb_under_it(visit: Visit) -> None:
    visit.page.evaluate(f"location.hash = '#1.80x80.plus.unlit.lit.{'A' * 1067}'")
    expect(visit.grid.get_by_role("gridcell")).to_have_count(6400)
    before = visit.cell(60, 60).bounding_box()
    assert before is not None
    at = before["x"] + before["width"] / 2, before["y"] + before["height"] / 2
    visit.page.mouse.move(*at)
    visit.page.mouse.wheel(0, -500)
    expect(visit.page.locator("#pane.scrolls")).to_be_attached()
    after = visit.cell(60, 60).bounding_box()
    assert after is not None
    assert after["width"] > 2 * before["width"]
    middle = after["x"] + after["width"] / 2, after["y"] + after["height"] / 2
    assert abs(middle[0] - at[0]) < after["width"] + 2
    assert abs(middle[1] - at[1]) < after["height"] + 2
    visit.page.mouse.down()
    visit.page.mouse.move(at[0] - 90, at[1] - 60, steps=4)
    visit.page.mouse.up()
    panned = visit.cell(60, 60).bounding_box()
    assert panned is not None
    assert abs(panned["x"] - after["x"] + 90) < 2
    expect(visit.progress).to_contain_text("0 presses")


def test_a_server_that_comes_back_is_asked_again(browser: Browser) -> None:
    with serving() as (address, process), closing(browser.new_context()) as context:
        visit = Visit(context.new_page(), context)
        visit.page.goto(address)
        visit.use("01\n10\n")
        visit.expect_answer("press")
        process.terminate()
        process.wait(HANG)
        visit.cell(0, 0).click()
        expect(visit.answer).to_contain_text("The server does not answer; trying again")
        with serving("--port", address.rstrip("/").rpartition(":")[2]) as (again, _):
            assert again == address
            visit.expect_answer("press")
