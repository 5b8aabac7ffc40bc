"""Graphs and wirings on the page: played, solved, drawn and shared, by mouse, finger and keys."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any, TypeAlias

import numpy as np
import pytest
from playwright.sync_api import Browser, ViewportSize, expect

import ponder
from ponder.model.formats import board_text
from ponder.model.graph import EdgeGraph
from ponder.model.shapes import shape
from ponder.page.tasks import answered
from ponder.pictures import graph_layout
from ponder.pictures.graph_layout import SIDE, crossings, fitted, layout, room
from ponder.system.limits import Limits
from tests.page.browser import ROOT, Visit

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

DESK: ViewportSize = {"width": 1200, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
NARROW: ViewportSize = {"width": 320, "height": 640}


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
def opened(browser: Browser, address: str, size: ViewportSize, finger: bool) -> Iterator[Visit]:
    with closing(browser.new_context(viewport=size, has_touch=finger)) as context:
        visit = Visit(context.new_page(), context)
        visit.page.on("pageerror", lambda error: visit.wrong.append(str(error)))
        visit.page.goto(address)
        yield visit
        assert visit.wrong == []


def states(visit: Visit) -> list[str]:
    """Return what is said of each bulb and button, in the order of their numbers."""
    names = visit.grid.get_by_role("gridcell").evaluate_all("cells => cells.map(x => x.ariaLabel)")
    return [name.split(", ")[1] for name in names]


def hinted(visit: Visit) -> int:
    visit.button("Hint").click()
    if not visit.grid.get_by_role(
        "gridcell", name="button"
    ).count():  # a graph's has a reason first
        expect(visit.page.get_by_role("status", name="Why")).not_to_be_empty()
        visit.button("Hint").click()
    expect(visit.progress).to_contain_text("next: b")
    marked = visit.grid.get_by_role("gridcell", name=re.compile(", press$"))
    return int(marked.evaluate("cell => cell.dataset.col"))


PLAYERS = {
    "phone-cube": ("cube", PHONE, by_finger),
    "keys-wiring": ("wiring", DESK, by_keys),
    "narrow-petersen": ("petersen", NARROW, by_finger),
    "narrow-wiring": ("wiring", NARROW, by_finger),
    "desk-cube": ("cube", DESK, by_mouse),
    "keys-petersen": ("petersen", DESK, by_keys),
}
DEFAULT = 1  # of them; the others on demand


@pytest.mark.browser
@pytest.mark.parametrize(
    ("name", "size", "press"),
    [
        pytest.param(*player, id=name, marks=[pytest.mark.deep] * (k >= DEFAULT))
        for k, (name, player) in enumerate(PLAYERS.items())
    ],
)
def test_it_is_played_to_its_end_and_shared(
    browser: Browser, address: str, name: str, size: ViewportSize, press: Press
) -> None:
    board = ponder.parse_board(BOARDS[name])
    lit = ["lit" if x else "unlit" for x in board.lit]
    with opened(browser, address, size, press is by_finger) as visit:
        visit.place("Draw")  # where no answer is awaited
        visit.page.get_by_text("As text").click()
        visit.page.get_by_role("textbox", name="Text of the position").fill(BOARDS[name])
        visit.button("Use this text").click()
        expect(visit.progress).to_contain_text(f"{board.lit.sum()} of {board.graph.size} lit")
        expect(visit.page).to_have_url(re.compile("#2"))  # which follows the board at leisure
        start = visit.page.url
    with opened(browser, start, size, press is by_finger) as visit:
        expect(visit.progress).to_contain_text(f"of {board.graph.size} lit, 0 presses")
        assert states(visit)[: board.graph.size] == lit
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        boxes = [visit.cell(0, k).bounding_box() for k in range(len(states(visit)))]
        assert all(box is not None and box["width"] >= 24 for box in boxes)
        for count in range(1, 40):
            at = hinted(visit)
            visit.cell(0, at).focus()
            press(visit, at)
            expect(visit.progress).to_contain_text(f"{count} press")
            if "solved" in visit.progress.inner_text():
                break
        won = visit.page.get_by_role("status", name="Result")
        expect(won).to_contain_text(f"Solved in {ponder.solve(board).count}, the fewest possible.")
        assert set(states(visit)[: board.graph.size]) == {"lit"}
        visit.button("Undo").click()
        expect(visit.progress).not_to_contain_text("solved")
        visit.page.reload()
        expect(visit.progress).to_contain_text(f"{count - 1} press")
        assert visit.page.url == start


def text_of(visit: Visit) -> str:
    visit.place("Solve")
    return visit.text()


@pytest.mark.browser
def test_a_press_that_the_rule_forbids_is_told(visit: Visit) -> None:
    visit.use(WIRING)
    expect(visit.cell(0, 7)).to_have_accessible_name("button 0, blocked: bulb 0 is lit")
    expect(visit.cell(0, 7)).to_have_attribute("aria-description", "wired to 2, 5")
    visit.cell(0, 7).click()
    expect(visit.progress).to_contain_text("button 0 works only while it is unlit")
    visit.cell(0, 0).click()
    expect(visit.progress).to_contain_text("bulb 0 has no button of its own")
    visit.use(CUBE)
    visit.cell(0, 0).click()
    expect(visit.progress).to_contain_text("bulb 0 is lit: press only unlit bulbs")


@pytest.mark.browser
def test_the_answer_of_a_graph_and_what_refuses_it(visit: Visit) -> None:
    visit.use(PETERSEN)
    visit.expect_answer("4 presses, each bulb at most once.")
    visit.box("Show presses").check()
    assert visit.pressed()
    visit.button("Show order").click()
    visit.select("Speed", 40)
    expect(visit.progress).to_contain_text("solved")
    visit.box("Show presses").uncheck()
    visit.use((ROOT / "instances/wiring-levers.json").read_text())
    visit.expect_answer("no solution")
    visit.button("Why?").click()
    expect(visit.page.get_by_role("dialog")).to_contain_text("even number of these 3 bulbs")
    visit.page.keyboard.press("Escape")
    for name in ("Picture", "PNG", "Text"):
        with visit.page.expect_download() as coming:
            visit.button(name).click()
        assert coming.value.path().stat().st_size > 300
    visit.use('{"nodes": 2, "edges": [[0, 1]]}')
    visit.expect_answer("1 press")
    visit.use('{"nodes": 3, "edges": [[0, 1], [1, 2], [0, 2]], "rule": "any"}')
    visit.button("Quiet patterns").click()
    expect(visit.page.locator("#explored")).to_contain_text("pattern 1 of 2")
    visit.button("Single bulbs").click()
    expect(visit.page.locator("#explored")).to_contain_text("0 of 3 bulbs")


@pytest.mark.browser
def test_no_wire_is_hidden_behind_other_bulbs(visit: Visit) -> None:
    """Bent are those whose straight way runs through another bulb, and then they pass it."""
    around = {"L1 B3", "L4 B6", "L7 B9", "U1 B3", "D7 B9"}  # the last two cut U6 and D6
    row = {"nodes": 3, "edges": [[0, 1], [0, 2]], "positions": [[0, 9], [5, 9], [10, 9]]}
    line = ponder.parse_board(json.dumps(row))
    for board, hidden in ((shape("cube", 3), around), (line, {"0 2"})):
        placed: Any = answered("board", {"board": board_text(board)}, Limits(5), print)
        bent = visit.page.evaluate(
            """async (text) => {
                const { boardFrom } = await import(new URL("graph.js", document.baseURI));
                const board = boardFrom(text), { wires, names } = board.plan, found = {};
                for (const [a, b] of wires) {
                    const [x, y] = board.middle(a), [u, v] = board.middle(b), bow = board.bow(a, b);
                    if (bow !== -board.bow(b, a)) throw new Error("not the same way back");
                    if (!bow) continue;
                    const near = [];
                    for (let t = 0; t < 1; t += 0.01) {
                        const out = 4 * t * (1 - t) * bow;
                        const p = x + (u - x) * t + (v - y) * out;
                        const q = y + (v - y) * t - (u - x) * out;
                        board.plan.spots.forEach((_, k) => {
                            const [r, s] = board.middle(k);
                            if (k !== a && k !== b) near.push(Math.hypot(r - p, s - q));
                        });
                    }
                    found[`${names[a]} ${names[b]}`] = Math.min(...near);
                }
                return found;
            }""",
            placed["end"]["board"],
        )
        assert bent.keys() == hidden
        assert min(bent.values()) > 0.15, bent


def edges(visit: Visit) -> set[tuple[int, int]]:
    graph = ponder.parse_board(visit.text()).graph
    assert isinstance(graph, EdgeGraph)
    visit.page.get_by_text("As text").click()
    return {(u, v) for u, v in graph.edges.tolist()}


@pytest.mark.browser
def test_a_graph_is_drawn_with_the_mouse(visit: Visit) -> None:
    visit.use('{"nodes": 2, "positions": [[0, 0], [10, 10]]}', "Draw")
    middle = [visit.cell(0, k).bounding_box() for k in range(2)]
    (x, y), (u, v) = [(b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for b in middle if b]
    mouse = visit.page.mouse
    mouse.click(u, y)  # an empty place: a bulb
    expect(visit.grid.get_by_role("gridcell")).to_have_count(3)
    visit.cell(0, 2).drag_to(visit.cell(0, 0))
    visit.cell(0, 1).drag_to(visit.cell(0, 2))
    assert edges(visit) == {(0, 2), (1, 2)}
    visit.cell(0, 2).click()
    assert states(visit) == ["unlit", "unlit", "lit"]
    visit.cell(0, 2).drag_to(visit.cell(0, 0))
    assert edges(visit) == {(1, 2)}
    box = visit.cell(0, 2).bounding_box()
    assert box is not None
    mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    mouse.down()
    mouse.move(x, v, steps=4)
    mouse.up()
    moved = ponder.parse_board(visit.text()).graph.positions
    assert moved is not None
    assert (moved[2] > [-1, 50]).all()
    visit.page.get_by_text("As text").click()
    visit.cell(0, 2).click(button="right")
    expect(visit.grid.get_by_role("gridcell")).to_have_count(2)
    for _ in range(7):
        visit.button("Undo").click()
    expect(visit.grid.get_by_role("gridcell")).to_have_count(2)
    visit.expect_answer("2 presses")


@pytest.mark.browser
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


@pytest.mark.browser
def test_a_grid_becomes_bulbs_and_wires(visit: Visit) -> None:
    visit.use("pattern: plus\n01\n1-\n", "Draw")
    visit.select("Pattern", "wires")
    assert edges(visit) == {(0, 1), (0, 2)}
    assert states(visit) == ["unlit", "lit", "lit"]
    visit.button("Random").click()
    visit.select("Pattern", "king")
    expect(visit.grid.get_by_role("gridcell")).to_have_count(16)


@pytest.mark.browser
def test_another_board_on_the_same_graph_and_the_daily_after_it(visit: Visit) -> None:
    visit.use(CUBE, "Draw")
    visit.place("Play")
    visit.radio("Hard").check()
    visit.expect_board()
    expect(visit.page).to_have_url(re.compile(r"#2\.8\.unlit\.lit\..*;your-own\.hard\."))
    address = visit.page.url
    before = states(visit)
    visit.button("Daily").click()
    visit.expect_board()
    expect(visit.page).to_have_url(re.compile(r"#1\..*;daily\."))
    visit.page.goto("about:blank")
    visit.page.goto(address)
    expect(visit.progress).to_contain_text("of 8 lit, 0 presses")
    assert states(visit) == before


@pytest.mark.browser
def test_arrows_lead_to_what_is_nearest_there(visit: Visit) -> None:
    places = [[0, 0], [9, 0], [0, 9], [9, 9]]
    visit.use(json.dumps({"nodes": ["a", "b", "c", "d"], "positions": places}), "Draw")
    visit.cell(0, 0).focus()
    for key, name in [
        ("ArrowRight", "b"),
        ("ArrowRight", "b"),
        ("ArrowDown", "d"),
        ("ArrowLeft", "c"),
        ("ArrowUp", "a"),
        ("End", "d"),
        ("PageUp", "c"),
        ("Home", "a"),
    ]:
        visit.page.keyboard.press(key)
        found = visit.page.evaluate("document.activeElement.ariaLabel")
        assert found == f"bulb {name}, unlit", key


DAMAGED = {
    "#2.0.unlit.lit.A.AAA.A.": "it has not from 1 to 100 bulbs",
    "#2.2.unlit.lit.A.AAAAAA.A.": "two of its bulbs have one place",
    "#2.2.unlit.lit.A.AAAAA.A.": "its places do not fit its size",
    "#2.2.no.lit.A.AAAAAB.A.": "its rule is unknown",
    "#2.2.unlit.lit.A.AAAAAB.A..a,a": "its names do not fit",
    "#2.1x1.any.lit.A.AAAAAB.A.AC": "it holds a foreign sign",
}


@pytest.mark.browser
def test_addresses_of_graphs_keep_names_and_are_checked(visit: Visit) -> None:
    text = json.dumps(
        {"nodes": ["a.b;c", 7, "7", "it's ~ 100 %", "é,"], "edges": [["7", 7], [7, "é,"]]}
    )
    visit.use(text)
    expect(visit.page).to_have_url(re.compile(r"#2\.5\."))
    visit.page.reload()
    expect(visit.progress).to_contain_text("of 5 lit")
    assert ponder.parse_board(text_of(visit)) == ponder.parse_board(text)
    for hash, reason in DAMAGED.items():
        visit.page.evaluate("hash => { location.hash = hash }", hash)
        expect(visit.progress).to_contain_text(f"this address holds no board: {reason}")


def graph_of(size: int, pairs: list[tuple[int, int]]) -> tuple[int, np.ndarray]:
    return size, np.array(pairs, dtype=np.int64).reshape(-1, 2)


def test_layouts_are_the_same_each_time_and_read_well() -> None:
    cube = ponder.parse_board(CUBE).graph
    petersen = ponder.parse_board(PETERSEN).graph
    assert isinstance(cube, EdgeGraph)
    assert isinstance(petersen, EdgeGraph)
    for graph, crossed, apart in ((cube, 0, 0.2), (petersen, 5, 0.2)):
        places = layout(graph.size, graph.edges)
        assert (places == layout(graph.size, graph.edges)).all()
        points = fitted(places.astype(np.float64))
        assert crossings(points, graph.edges) == crossed
        assert room(points, graph.edges) > apart
    rng = np.random.default_rng(5)
    for size in (1, 2, 3, 7, 30):
        pairs = [(u, v) for v in range(size) for u in range(v) if rng.random() < 2 / size]
        places = layout(*graph_of(size, pairs))
        assert len({*map(tuple, places.tolist())}) == size
        assert 0 <= places.min() <= places.max() < SIDE


@pytest.mark.parametrize("name", ["complete:100", "bipartite:50x50", "wheel:99"])
def test_dense_graphs_are_drawn_without_a_walk_for_each_pair(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Outer faces are looked for where they are few: a request may name any graph."""
    walks: list[int] = []
    monkeypatch.setattr(graph_layout, "_path", lambda *_: walks.append(1))
    graph = ponder.shape(name).graph
    places = layout(100, graph.edges_within(np.arange(graph.size)))
    assert walks == []
    assert len({*map(tuple, places.tolist())}) == 100
