"""The page as a person uses it: drawing, the answer, playing under the rule."""

from __future__ import annotations

import json
import re
from contextlib import closing
from xml.etree import ElementTree

import numpy as np
import pytest
from playwright.sync_api import Browser, expect

import ponder
from ponder.puzzle.formats import board_text
from ponder.studies.generate import OnPattern
from tests.page.browser import EXAMPLE, ROOT, Visit, serving
from tests.processes import HANG

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
    expect(visit.progress).to_contain_text("solved")
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
    expect(visit.page.locator("#why")).to_contain_text("Odd numbers of presses fall on 13 rows")


@pytest.mark.parametrize("hopeless", ["instances/plus-5x5-no-solution.txt", "rule: lit"])
def test_a_board_without_solution(visit: Visit, hopeless: str) -> None:
    """There is no press set, or the rule allows no last press: a hint says so, in words."""
    rule = hopeless.startswith("rule")
    visit.use("\n".join([hopeless, *EXAMPLE]) if rule else (ROOT / hopeless).read_text())
    visit.expect_answer("no solution")
    visit.button("Hint").click()
    expect(visit.progress).to_contain_text("there is no solution to show")


def test_the_first_board_under_another_rule_has_a_hint_in_words(visit: Visit) -> None:
    visit.select("Rule", "lit")
    visit.button("Hint").click()
    expect(visit.progress).to_contain_text("there is no solution to show")
    assert "." not in visit.progress.inner_text()  # no code


def test_a_saved_result_is_opened(visit: Visit) -> None:
    """With its board, as the page saves it; without one on the board that it is about."""
    visit.use("\n".join(EXAMPLE))
    visit.expect_answer("4 presses")
    with visit.page.expect_download() as coming:
        visit.button("Result").click()
    saved = json.loads(coming.value.path().read_bytes())
    assert ponder.verify(ponder.parse_board(saved["board"]["text"]), saved).statements
    result = json.dumps(ponder.solve(ponder.Board.from_rows(EXAMPLE)).to_json())
    visit.button("Clear").click()
    visit.use(result)
    expect(visit.progress).to_contain_text("this result is of another board")
    visit.use(json.dumps(saved))
    expect(visit.progress).to_contain_text("solved", timeout=15_000)
    visit.mode("Edit")
    visit.use("\n".join(EXAMPLE))
    visit.use(result)
    expect(visit.progress).to_contain_text("solved", timeout=15_000)
    refused = ponder.order(ponder.read(ROOT / "instances/cross-6x6-no-order-cut.txt"))
    visit.use(json.dumps(refused.to_json()))
    expect(visit.progress).to_contain_text("this result has no presses to show")


def test_an_address_is_pasted_like_a_board(visit: Visit) -> None:
    visit.use("\n".join(EXAMPLE))
    address = visit.page.url
    visit.button("Clear").click()
    for text in (address, address.replace("127.0.0.1", "10.0.0.9"), address[address.index("#") :]):
        visit.use(f" {text}\n")
        assert visit.rows() == list(EXAMPLE)
        visit.button("Clear").click()
    visit.use(address[:-1])
    expect(visit.progress).to_contain_text("its bulbs do not fit its size")


def test_an_outline_has_no_holes_in_the_middle_of_four(visit: Visit) -> None:
    """Where four cells meet inside of a group, its fill is as even as elsewhere."""
    visit.use("\n".join(["rule: lit", *EXAMPLE]))
    visit.expect_answer("no solution")
    expect(visit.page.locator("#why")).to_contain_text("8 of these 16 bulbs")
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


@pytest.mark.parametrize(
    "pattern", ["cross", "plus", "king", "torus-plus", "torus-king", "stencil"]
)
def test_each_pattern_and_rule_is_played_as_the_library_plays_it(
    visit: Visit, pattern: str
) -> None:
    rows = ["01100", "10010", "00111", "11000"]
    visit.use("\n".join(rows))
    expect(visit.grid.get_by_role("gridcell")).to_have_count(20)
    visit.select("Pattern", pattern)
    visit.mode("Play")
    words = "stencil 0,1 1,0 0,-1 -1,0" if pattern == "stencil" else pattern
    for rule in ("unlit", "lit", "any"):
        visit.select("Rule", rule)
        board = ponder.Board.from_rows(visit.rows(), words)
        for row, column in [(0, 0), (3, 4), (0, 2)]:
            bulb = board.graph.bulb((row, column))
            if rule == "any" or (rule == "lit") == bool(board.lit[bulb]):
                lit = board.lit ^ board.graph.apply(board.graph.set_of([bulb]))
                board = ponder.Board(board.graph, lit, board.goal)
            visit.cell(row, column).click()
            shown = np.array([list(line) for line in visit.rows()]) == "1"
            assert np.array_equal(shown.reshape(-1), board.lit), (rule, row, column)


def test_the_keyboard_alone(visit: Visit) -> None:
    visit.use("-000\n0-00\n0000")
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
    page.get_by_role("radio", name="Edit").focus()
    keys.press("ArrowRight")
    expect(page.get_by_role("radio", name="Play")).to_be_checked()
    visit.cell(0, 2).focus()
    keys.press("Enter")
    expect(visit.progress).to_contain_text("1 press")
    keys.press("Enter")
    expect(visit.progress).to_contain_text("row 1, column 3 is lit")


def test_only_one_cell_is_in_the_order_of_tabs(visit: Visit) -> None:
    visit.draw(["000", "000"])
    visit.cell(1, 1).click()
    tabbed = visit.grid.locator('[tabindex="0"]')
    expect(tabbed).to_have_count(1)
    expect(tabbed).to_have_accessible_name("row 2, column 2, lit")


def test_a_touch_draws_and_presses(browser: Browser, address: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    visit = Visit(context.new_page(), context)
    visit.page.goto(address)
    visit.select("Rows", 10)
    visit.select("Columns", 10)
    visit.button("Clear").tap()
    visit.cell(9, 9).tap()
    expect(visit.cell(9, 9)).to_have_accessible_name("row 10, column 10, lit")
    visit.page.get_by_role("radio", name="Play").check()
    visit.cell(0, 0).tap()
    expect(visit.progress).to_contain_text("1 press")
    wide = visit.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390, "a phone scrolls in one direction only"
    box = visit.cell(0, 0).bounding_box()
    assert box is not None
    assert box["width"] >= 28
    context.close()


def test_a_right_click_makes_a_hole_and_takes_it_back(visit: Visit) -> None:
    visit.draw(["01", "10"])
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


def test_the_address_is_the_board_in_a_fresh_profile(visit: Visit, browser: Browser) -> None:
    header = "pattern: stencil -1,2 1,-2 0,1 0,-1\nrule: lit\n"
    text = f"{header}01-0\n1101\n0-11\ngoal:\n10-1\n1111\n0-00\n"
    visit.use(text)
    rows = visit.rows()
    expect(visit.page).to_have_url(re.compile(r"#1\.3x4\.stencil"))
    with closing(browser.new_context()) as fresh:
        other = Visit(fresh.new_page(), fresh)
        other.page.goto(visit.page.url)
        expect(other.progress).to_contain_text("lit")
        assert other.rows() == rows
        ours, theirs = ponder.parse_board(text), ponder.parse_board(other.text())
        assert ours.sha256 == theirs.sha256


@pytest.mark.parametrize(
    "hash",
    [
        "#2.4x4.cross.unlit.lit.AAA",
        "#1.4x4.cross.unlit.lit.AA",
        "#1.4x4.cross.unlit.lit.A!A",
        "#1.101x4.cross.unlit.lit.AAA",
        "#1.4x4.<img src=x onerror=alert(1)>.unlit.lit.AAA",
        "#1.4x4.stencil:0,1.unlit.lit.AAA",
        "#1.4x4.cross.unlit.grid:A.AAA",
        "#1.1x1.cross.unlit.lit.A.g",
        "#%",
    ],
)
def test_a_damaged_address_is_told(visit: Visit, hash: str) -> None:
    visit.use("\n".join(EXAMPLE))
    expect(visit.progress).to_contain_text("8 of 16")
    visit.page.evaluate("hash => { location.hash = hash }", hash)
    expect(visit.progress).to_contain_text("this address holds no board")
    assert visit.rows() == list(EXAMPLE)


def test_a_reload_in_the_middle_of_a_search(visit: Visit) -> None:
    """On a board that is hard, too, the answer soon says what is known."""
    visit.use(board_text(OnPattern(30, 30).board(3)))
    known = re.compile(r"\d+ presses")
    expect(visit.answer).to_have_text(re.compile(r"\d+ presses; searching"))
    rows = visit.rows()
    visit.page.reload()
    expect(visit.answer).to_contain_text(known)
    assert visit.rows() == rows


def test_a_hundred_quick_edits_end_in_the_answer_to_the_last(visit: Visit) -> None:
    visit.use("\n".join(EXAMPLE))
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


def test_two_tabs_have_answers_of_their_own(visit: Visit) -> None:
    other = Visit(visit.context.new_page(), visit.context)
    other.page.goto(visit.page.url)
    visit.use("\n".join(EXAMPLE))
    other.use("pattern: plus\n00\n00\n")
    visit.expect_answer("4 presses")
    other.expect_answer("4 presses")
    other.cell(0, 0).click()
    other.expect_answer("1 press")
    visit.expect_answer("4 presses")


def test_a_graph_is_refused_with_a_sentence(visit: Visit) -> None:
    rows = visit.rows()
    visit.page.get_by_text("As text").click()
    text = (ROOT / "instances/graph-house.json").read_text()
    visit.page.get_by_role("textbox", name="Text of the position").fill(text)
    with visit.expects_errors():
        visit.button("Use this text").click()
        expect(visit.progress).to_contain_text("a graph has no grid to draw")
        visit.page.get_by_role("textbox", name="Text of the position").fill("01\n0")
        visit.button("Use this text").click()
        expect(visit.progress).to_contain_text("text:2: this row has 1 cell")
    assert visit.rows() == rows


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
    expect(visit.page.get_by_role("combobox", name="Pattern")).to_have_value("king")


def test_the_examples_are_the_instances(visit: Visit) -> None:
    names = {path.stem for path in (ROOT / "instances").glob("*.txt")}
    example = visit.page.get_by_role("combobox", name="Example")
    expect(example.get_by_role("option")).to_have_count(len(names) + 1)
    example.select_option("goal-heart-6x7")
    visit.expect_answer("8 presses")


def test_the_goal_and_the_stencil_are_drawn(visit: Visit) -> None:
    visit.draw(["000", "000", "000"])
    visit.select("Pattern", "stencil")
    visit.button("1 up").click()  # and with it 1 down
    visit.select("Goal", "grid")
    visit.cell(1, 1).click()
    visit.button("Draw goal").click()
    visit.mode("Play")
    visit.cell(0, 0).click()
    assert visit.rows() == ["110", "000", "000"]
    board = ponder.parse_board(visit.text())
    assert board.goal.reshape(3, 3).tolist() == [[True] * 3, [True, False, True], [True] * 3]
    assert set(board.graph.pattern.split()[1:]) == {"0,-1", "0,1"}


@pytest.mark.parametrize("kind", ["solvable", "ordered", "unordered"])
def test_random_boards_are_what_they_are_called(visit: Visit, kind: str) -> None:
    visit.draw(["000000"] * 6)
    visit.select("Make", kind)
    before = visit.rows()
    visit.button("Random").click()
    expect(visit.progress).not_to_contain_text("looking")
    visit.page.wait_for_function("() => document.getElementById('answer').ariaBusy === 'false'")
    visit.expect_answer(
        {"solvable": "press", "ordered": "at most once", "unordered": "no order"}[kind]
    )
    assert visit.rows() != before
    board = ponder.Board.from_rows(visit.rows())
    verdict = {"solvable": ("solved", "impossible"), "ordered": ("solved",)}
    result = ponder.order(board)
    assert result.verdict in verdict.get(kind, ("impossible",))
    assert result.claim != "C4"


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


def test_what_is_saved_is_sound(visit: Visit) -> None:
    visit.use("\n".join(EXAMPLE))
    visit.expect_answer("4 presses")
    found = {}
    for name in ("Text", "Result", "Picture", "Animation"):
        with visit.page.expect_download() as coming:
            visit.button(name).click()
        found[name] = coming.value.path().read_bytes()
    board = ponder.parse_board(found["Text"])
    assert board.sha256 == ponder.Board.from_rows(EXAMPLE).sha256
    assert ponder.verify(board, json.loads(found["Result"])).statements
    assert len(ElementTree.fromstring(found["Picture"]).findall(".//{*}circle")) == 16
    rings = ElementTree.fromstring(found["Animation"]).findall(".//{*}circle[@class='n']")
    assert len(rings) == 4


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


def test_share_gives_the_address(visit: Visit) -> None:
    visit.draw(["01", "10"])
    visit.button("Share").click()
    expect(visit.progress).to_contain_text("address")
    assert visit.page.url.endswith("#1.2x2.cross.unlit.lit.Y")


def test_play_goes_on_after_a_reload(visit: Visit) -> None:
    visit.use("\n".join(EXAMPLE))
    visit.expect_answer("4 presses")
    visit.mode("Play")
    visit.cell(3, 0).click()
    expect(visit.page).to_have_url(re.compile(r"\.te4$"))
    visit.page.reload()
    expect(visit.progress).to_contain_text("1 press")
    expect(visit.page.get_by_role("radio", name="Play")).to_be_checked()
    visit.button("Reset").click()
    assert visit.rows() == list(EXAMPLE)


def test_presses_are_counted_against_the_fewest(visit: Visit) -> None:
    visit.use("\n".join(EXAMPLE))
    visit.expect_answer("4 presses")
    expect(visit.page.locator("#proof")).to_have_text("proved")
    visit.mode("Play")
    visit.cell(0, 0).click()
    visit.cell(1, 0).click()
    expect(visit.progress).to_contain_text("2 presses")
    expect(visit.page.locator("#time")).to_have_text(re.compile(r"^0:\d\d, fewest 4$"))


def test_the_pairs_are_counted_on_demand(visit: Visit) -> None:
    expect(visit.box("Count the pairs")).to_be_hidden()
    visit.use((ROOT / "instances/plus-10x10-no-order.txt").read_text())
    visit.expect_answer("no order")
    before = visit.page.locator("#frame").screenshot()
    visit.box("Count the pairs").check()
    assert visit.page.locator("#frame").screenshot() != before


def test_a_server_that_comes_back_is_asked_again(browser: Browser) -> None:
    with serving() as (address, process), closing(browser.new_context()) as context:
        visit = Visit(context.new_page(), context)
        visit.page.goto(address)
        visit.draw(["01", "10"])
        visit.expect_answer("press")
        process.terminate()
        process.wait(HANG)
        visit.cell(0, 0).click()
        expect(visit.answer).to_contain_text("The server does not answer; trying again")
        with serving("--port", address.rstrip("/").rpartition(":")[2]) as (again, _):
            assert again == address
            visit.expect_answer("press")


def test_the_first_paint_needs_little(visit: Visit) -> None:
    """Everything that the page loads to begin with, in bytes."""
    loaded = visit.page.evaluate(
        """() => ['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind))
            .filter((entry) => !entry.name.includes('/api/'))
            .reduce((sum, entry) => sum + entry.encodedBodySize, 0)"""
    )
    assert 20_000 < loaded < 150_000
    hosts = visit.page.evaluate(
        "performance.getEntriesByType('resource').map((entry) => new URL(entry.name).host)"
    )
    assert set(hosts) == {visit.page.url.split("/")[2]}


def test_any_board_survives_its_address_and_its_text(visit: Visit) -> None:
    """The modules alone: a thousand boards to an address and back, to a text and back."""
    wrong = visit.page.evaluate(
        """async () => {
            const { Board, PATTERNS, RULES, GOALS, HOLE } = await import('/board.js');
            const { boardOf, hashOf } = await import('/link.js');
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
                    pattern: pick(PATTERNS), rule: pick(RULES), goal: pick(GOALS), target,
                    offsets: [[0, 2], [0, -2], [-3, 1], [3, -1]] });
                if (boardOf(hashOf(board)).text !== board.text) wrong.push(hashOf(board));
                if (Board.fromText(board.text).text !== board.text) wrong.push(board.text);
            }
            return wrong;
        }"""
    )
    assert wrong == []
