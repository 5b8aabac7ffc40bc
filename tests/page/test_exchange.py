"""Boards that come in and go out: addresses, files, pasted texts, results, pictures."""

from __future__ import annotations

import json
import re
from contextlib import closing
from io import BytesIO
from xml.etree import ElementTree

import pytest
from PIL import Image
from playwright.sync_api import Browser, Route, expect

import ponder
from tests.page.browser import EXAMPLE, ROOT, Visit

pytestmark = pytest.mark.browser

LIT = tuple("1" * 4 for _ in range(4))


def test_a_saved_result_is_opened(visit: Visit) -> None:
    """With its board, as the page saves it; without one on the board that it is about."""
    visit.use("\n".join(EXAMPLE))
    visit.expect_answer("4 presses")
    with visit.page.expect_download() as coming:
        visit.button("Result").click()
    saved = json.loads(coming.value.path().read_bytes())
    assert ponder.verify(ponder.parse_board(saved["board"]["text"]), saved).statements
    result = json.dumps(ponder.solve(ponder.Board.from_rows(EXAMPLE)).to_json())
    visit.place("Draw")
    visit.button("Clear").click()
    visit.use(result)
    expect(visit.progress).to_contain_text("this result is of another board")
    visit.use(json.dumps(saved))
    visit.select("Speed", 40)
    expect(visit.progress).to_contain_text("solved")
    visit.use("\n".join(EXAMPLE))
    expect(visit.progress).to_contain_text("8 of 16 lit, 0 presses")
    visit.use(result)
    expect(visit.progress).to_contain_text("solved")
    refused = ponder.order(ponder.read(ROOT / "instances/cross-6x6-no-order-cut.txt"))
    visit.use(json.dumps(refused.to_json()))
    expect(visit.progress).to_contain_text("this result has no presses to show")


def test_an_address_is_pasted_like_a_board(visit: Visit) -> None:
    visit.use("\n".join(EXAMPLE), "Draw")
    expect(visit.page).to_have_url(re.compile(r"#1\.4x4\.cross\.unlit\.lit\.PWE$"))
    address = visit.page.url
    visit.button("Clear").click()
    for text in (address, address.replace("127.0.0.1", "10.0.0.9"), address[address.index("#") :]):
        visit.use(f" {text}\n", "Draw")
        assert visit.rows() == list(EXAMPLE)
        visit.button("Clear").click()
    visit.use(address[:-1])
    expect(visit.progress).to_contain_text("its bulbs do not fit its size")


def test_the_address_is_the_board_in_a_browser_that_keeps_nothing(
    visit: Visit, browser: Browser
) -> None:
    header = "pattern: stencil -1,2 1,-2 0,1 0,-1\nrule: lit\n"
    text = f"{header}01-0\n1101\n0-11\ngoal:\n10-1\n1111\n0-00\n"
    visit.use(text)
    expect(visit.page).to_have_url(re.compile(r"#1\.3x4\.stencil"))
    rows = visit.rows()
    with closing(browser.new_context()) as context:
        other = Visit(context.new_page(), context)
        other.page.goto(visit.page.url)
        expect(other.progress).to_contain_text("lit")
        expect(other.radio("Play")).to_be_checked()
        assert other.rows() == rows
        other.place("Draw")
        ours, theirs = ponder.parse_board(text), ponder.parse_board(other.text())
        assert ours.sha256 == theirs.sha256


def test_what_is_typed_stays_until_it_is_used(visit: Visit) -> None:
    """Whatever is told of the board meanwhile."""
    visit.place("Solve")
    visit.page.get_by_text("As text").click()
    field = visit.page.get_by_role("textbox", name="Text of the position")
    expect(field).not_to_have_value("")
    field.fill("\n".join(EXAMPLE))
    visit.button("Hint").click()
    visit.expect_answer("press")
    visit.wait_for_frames()
    expect(field).to_have_value("\n".join(EXAMPLE))
    visit.button("Use this text").click()
    expect(visit.progress).to_contain_text("8 of 16")
    expect(field).to_have_value(re.compile("pattern: cross"))


DAMAGED = {
    "#3.4x4.cross.unlit.lit.AAA": "it is of another version",
    "#1.4x4.cross.unlit.lit.AA": "its bulbs do not fit its size",
    "#1.4x4.cross.unlit.lit.A!A": "it holds a foreign sign",
    "#1.101x4.cross.unlit.lit.AAA": "its size is none from 1×1 to 100×100",
    "#1.4x4.<img src=x onerror=alert(1)>.unlit.lit.AAA": "its pattern is unknown",
    "#1.4x4.stencil:0,1.unlit.lit.AAA": "its stencil is not symmetric",
    "#1.4x4.cross.unlit.grid:A.AAA": "its bulbs do not fit its size",
    "#1.1x1.cross.unlit.lit.A.g": "it has no bulbs",
    "#%": "it is damaged",
}


def test_a_damaged_address_is_told(visit: Visit, address: str) -> None:
    """In a page that has a board already, and in one that is opened by it."""
    visit.use("\n".join(EXAMPLE))
    expect(visit.progress).to_contain_text("8 of 16")
    for hash, reason in DAMAGED.items():  # no two that follow each other have the same
        visit.page.evaluate("hash => { location.hash = hash }", hash)
        expect(visit.progress).to_contain_text(f"this address holds no board: {reason}")
        assert visit.rows() == list(EXAMPLE), hash
    visit.page.goto("about:blank")
    visit.page.goto(f"{address}{hash}")
    expect(visit.progress).to_contain_text(f"this address holds no board: {reason}")
    assert visit.rows() == list(EXAMPLE)  # the game as it was left


def test_a_text_that_is_no_board_changes_nothing(visit: Visit) -> None:
    visit.place("Draw")
    rows = visit.rows()
    visit.page.get_by_text("As text").click()
    large = '{"nodes": 101}'
    with visit.expects_errors():
        visit.page.get_by_role("textbox", name="Text of the position").fill(large)
        visit.button("Use this text").click()
        expect(visit.progress).to_contain_text("a graph of 101 bulbs is too large for the page")
        visit.page.get_by_role("textbox", name="Text of the position").fill("01\n0")
        visit.button("Use this text").click()
        expect(visit.progress).to_contain_text("text:2: this row has 1 cell")
    visit.page.get_by_text("As text").click()  # a browser takes seconds to show as much as this
    visit.use("01\n" * 200_000, "Draw")
    expect(visit.progress).to_contain_text("this is too large to be a board")
    assert visit.rows() == rows


def test_a_browser_that_takes_no_address_plays_on(visit: Visit) -> None:
    """As in a frame of nowhere, or after too many changes."""
    visit.page.evaluate("history.replaceState = () => { throw new DOMException('no') }; 0")
    visit.use("\n".join(EXAMPLE))
    visit.expect_answer("4 presses")


def test_what_stays_unloaded_is_told(browser: Browser, address: str) -> None:
    with closing(browser.new_context(service_workers="block")) as context:
        context.route("**/words.js", lambda route: route.abort())
        page = context.new_page()
        page.goto(address)
        late = page.locator("[role=alert]")  # which nobody hears before it is seen
        late.evaluate("late => late.getAnimations()[0].finish()")
        expect(late).to_have_text("The page is still loading. If this stays, load it again.")


def test_a_place_chosen_while_the_page_loads_is_kept(browser: Browser, address: str) -> None:
    with closing(browser.new_context(service_workers="block")) as context:
        held = list[Route]()
        context.route("**/words.js", lambda route: held.append(route))
        visit = Visit(context.new_page(), context)
        with visit.page.expect_request("**/words.js"):
            visit.page.goto(f"{address}#1.4x4.cross.unlit.lit.w2g", wait_until="commit")
        visit.place("Solve")
        expect(visit.grid.get_by_role("gridcell")).to_have_count(0)
        held[0].continue_()
        visit.expect_answer("press")
        expect(visit.radio("Solve")).to_be_checked()


def test_a_board_is_pasted_and_dropped(visit: Visit) -> None:
    give = """([name, type, text]) => {
        const data = new DataTransfer();
        if (type === 'file') data.items.add(new File([text], 'board.txt'));
        else data.setData('text/plain', text);
        const key = name === 'paste' ? 'clipboardData' : 'dataTransfer';
        const event = name === 'paste' ? ClipboardEvent : DragEvent;
        const how = {[key]: data, bubbles: true, cancelable: true};
        document.body.dispatchEvent(new event(name, how));
    }"""
    visit.page.evaluate(give, ["paste", "text", "010\n1 0 1"])
    expect(visit.progress).to_contain_text("3 of 6 lit")
    visit.page.evaluate(give, ["drop", "file", "pattern: king\n01\n10\n11"])
    expect(visit.progress).to_contain_text("4 of 6 lit")
    visit.place("Draw")
    expect(visit.page.get_by_role("combobox", name="Pattern")).to_have_value("king")


def test_what_is_saved_is_sound(visit: Visit) -> None:
    visit.use("\n".join(EXAMPLE))
    visit.expect_answer("4 presses")
    found = {}
    for name in ("Text", "Result", "Picture", "Animation", "PNG"):
        with visit.page.expect_download() as coming:
            visit.button(name).click()
        found[name] = coming.value.path().read_bytes()
    board = ponder.parse_board(found["Text"])
    assert board.sha256 == ponder.Board.from_rows(EXAMPLE).sha256
    assert ponder.verify(board, json.loads(found["Result"])).statements
    assert len(ElementTree.fromstring(found["Picture"]).findall(".//{*}circle")) == 16
    assert ElementTree.fromstring(found["Animation"]).findall(".//{*}animateTransform")
    still = Image.open(BytesIO(found["PNG"]))
    assert min(still.size) >= 300


def test_share_gives_the_address(visit: Visit) -> None:
    visit.draw(["01", "10"])
    visit.button("Share").click()
    shared = visit.page.get_by_role("status", name="Shared")
    expect(shared).to_contain_text("the link to this board")
    assert visit.page.url.endswith("#1.2x2.cross.unlit.lit.Y")


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
