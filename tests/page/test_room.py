"""The board in the room that there is: every size, zoom and pan, a finger that swipes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Page, Route, expect

from tests.depth import deep
from tests.page.browser import EXAMPLE, Visit, forgotten
from tests.page.screenshots import game

pytestmark = pytest.mark.browser

ROOMS: dict[str, Any] = {
    "desk": {"viewport": {"width": 1200, "height": 800}},
    "phone": {
        "viewport": {"width": 390, "height": 844},
        "device_scale_factor": 3,
        "has_touch": True,
        "is_mobile": True,
    },
    "double": {"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2},
    "wall": {"viewport": {"width": 3840, "height": 2160}},
}


@pytest.fixture(scope="module", params=["desk", "phone"])
def device(request: Any, browser: Browser) -> Iterator[Page]:
    """Open a tab of a size, which the tests of a room share."""
    with closing(browser.new_context(**ROOMS[request.param], service_workers="block")) as context:
        yield context.new_page()


@pytest.fixture
def room(device: Page, address: str) -> Visit:
    forgotten(device, address)
    device.goto(address)
    return Visit(device, device.context)


def side(visit: Visit, row: int = 0, column: int = 0) -> float:
    """Return the width of a bulb's cell in pixels."""
    box = visit.cell(row, column).bounding_box()
    assert box is not None
    return box["width"]


@pytest.mark.parametrize("sizes", deep([10, 30], [3, 18, 100]))
def test_the_board_fills_its_room(room: Visit, sizes: list[int]) -> None:
    """The whole board is seen at first, with all that is needed to play it, on one screen."""
    for size in sizes:
        fills_its_room(room, size)


def fills_its_room(room: Visit, size: int) -> None:
    opened(room, size)
    width, height = room.page.evaluate("[innerWidth, innerHeight]")
    box = room.grid.bounding_box()
    tools = room.button("Hint").bounding_box()
    assert box is not None
    assert tools is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert box["y"] + box["height"] <= tools["y"]
    assert tools["y"] + tools["height"] <= height
    assert room.page.evaluate("document.documentElement.scrollWidth") <= width
    more = size / room.page.evaluate("devicePixelRatio")  # one pixel more for each cell
    full = (box["width"] + more) / (0.9 * width), (box["height"] + more) / (0.55 * height)
    assert max(full) >= 1 or size == 3
    zoom = room.page.get_by_role("group", name="Zoom")
    handy = 22 if room.page.evaluate("matchMedia('(pointer: coarse)').matches") else 16
    if side(room) >= handy:
        expect(zoom).to_be_hidden()
        return
    before = side(room)
    for _ in range(2):
        room.button("Zoom in").click()
    assert side(room) > 1.5 * before
    pane = room.page.locator("#pane")
    assert pane.evaluate("pane => pane.scrollWidth > pane.clientWidth")
    assert room.page.evaluate("document.documentElement.scrollWidth") <= width
    room.button("Fit").click()
    assert abs(side(room) - before) < 0.01


@pytest.mark.parametrize("device", deep("phone", "desk"), indirect=True)
def test_nothing_moves_where_something_is_told(room: Visit) -> None:
    """Neither a hint, nor a refusal, nor the end of a game moves the board or its tools."""
    places = [room.cell(0, 0).bounding_box(), room.button("Undo").bounding_box()]
    refused = next(
        (r, c) for r, line in enumerate(room.rows()) for c, sign in enumerate(line) if sign == "1"
    )
    room.cell(*refused).click()
    expect(room.progress).to_contain_text("press only unlit bulbs")
    assert [room.cell(0, 0).bounding_box(), room.button("Undo").bounding_box()] == places
    while "solved" not in room.progress.inner_text():
        at = room.hint()
        assert [room.cell(0, 0).bounding_box(), room.button("Undo").bounding_box()] == places
        room.cell(*at).click()
    expect(room.page.get_by_role("status", name="Result")).to_contain_text("Solved")
    assert room.cell(0, 0).bounding_box() == places[0]


@pytest.mark.parametrize("device", deep("desk", "phone"), indirect=True)
def test_nothing_moves_while_one_marks(room: Visit) -> None:
    """A refused check moves neither the boxes nor *Check*; however long it is, not the board."""
    game(room, "riddle.rows-and-columns.easy.0")
    room.button("Impossible").click()
    reason = room.page.get_by_role("status", name="Reason")
    expect(reason).to_contain_text(", then Check")
    box = room.page.get_by_role("checkbox", name="row 3")
    places = [box.bounding_box(), room.button("Check").bounding_box()]
    for name in ("row 1", "row 2"):
        room.page.get_by_role("checkbox", name=name).check()
        room.button("Check").click()
        expect(reason).to_contain_text("Not yet")
        assert [box.bounding_box(), room.button("Check").bounding_box()] == places
    tick = "box => getComputedStyle(box, '::after').borderBottomStyle"
    assert room.page.get_by_role("checkbox", name="row 2").evaluate(tick) == "solid"
    assert box.evaluate(tick) == "none"
    room.page.evaluate(
        "document.getElementById('reason').textContent = 'why '.repeat(200);"
        "window.dispatchEvent(new Event('resize'))"  # which lays the board out
    )
    assert box.bounding_box() == places[0]


def opened(visit: Visit, size: int) -> None:
    """Open an unlit square board by its address."""
    cells = "A" * -(-size * size // 6)
    visit.page.evaluate(f"location.hash = '#1.{size}x{size}.plus.unlit.lit.{cells}'")
    expect(visit.grid.get_by_role("gridcell")).to_have_count(size * size)


@pytest.mark.parametrize("device", ["double"], indirect=True)
def test_impossible_leaves_the_board_in_sight(room: Visit) -> None:
    """What comes beside the board does not scroll it away."""
    game(room, "riddle.rows-and-columns.easy.0")
    room.button("Impossible").click()
    expect(room.button("Check")).to_be_in_viewport()


@pytest.mark.parametrize("device", ["wall"], indirect=True)
def test_a_large_screen_has_a_large_board(room: Visit) -> None:
    assert side(room) > 200


@pytest.mark.parametrize("device", ["desk"], indirect=True)
def test_a_hint_that_takes_its_time_says_so(room: Visit) -> None:
    held: list[Route] = []  # no answer comes
    room.page.route("**/api/stream/*", lambda route: held.append(route))
    opened(room, 100)
    room.button("Hint").click()
    expect(room.progress).to_contain_text("thinking …")
    room.page.unroute_all(behavior="ignoreErrors")


def touch(session: CDPSession, kind: str, *places: tuple[float, float]) -> None:
    points = [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(places)]
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


@pytest.mark.parametrize("device", ["phone"], indirect=True)
def test_a_swipe_presses_nothing(room: Visit) -> None:
    room.use("\n".join(EXAMPLE))
    room.place("Play")
    session = room.context.new_cdp_session(room.page)
    box = room.cell(2, 1).bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch(session, "touchStart", (x, y))
    for step in range(1, 9):
        touch(session, "touchMove", (x, y - 20 * step))
    touch(session, "touchEnd")
    room.wait_for_frames()
    assert room.rows() == list(EXAMPLE)
    expect(room.progress).to_contain_text("0 presses")
    room.cell(0, 0).tap()
    expect(room.progress).to_contain_text("1 press")


DRAWN_AT_AN_END = """async (end) => {  // whether the first and the last bulb seen there are drawn
    const pane = document.getElementById("pane"), canvas = document.getElementById("bulbs");
    pane.scrollTo(end * pane.scrollWidth, end * pane.scrollHeight);
    for (let k = 0; k < 2; k++) await new Promise(requestAnimationFrame);
    const room = pane.getBoundingClientRect(), box = canvas.getBoundingClientRect();
    const cells = [...document.querySelectorAll("[role=gridcell]")];
    const seen = cells.map((cell) => cell.getBoundingClientRect()).filter((at) =>
        at.left >= room.left && at.right <= room.right &&
        at.top >= room.top && at.bottom <= room.bottom);
    const scale = canvas.width / box.width, context = canvas.getContext("2d");
    return [seen[0], seen.at(-1)].map((at) => {
        const [x, y] = [at.left + at.width / 2 - box.left, at.top + at.height / 2 - box.top];
        return context.getImageData(x * scale, y * scale, 1, 1).data[3] > 0;
    });
}"""


@pytest.mark.parametrize("device", ["phone"], indirect=True)
def test_two_fingers_zoom(room: Visit) -> None:
    opened(room, 60)
    before = side(room)
    box = room.grid.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = room.context.new_cdp_session(room.page)
    touch(session, "touchStart", (x - 20, y), (x + 20, y))
    for step in range(1, 9):
        touch(session, "touchMove", (x - 20 - 10 * step, y), (x + 20 + 10 * step, y))
    touch(session, "touchEnd")
    room.wait_for_frames()
    assert side(room) > 2 * before
    expect(room.progress).to_contain_text("0 presses")
    canvas, seen = room.page.evaluate(
        """() => {
            const pane = document.getElementById("pane"), canvas = document.getElementById("bulbs");
            return [canvas.width * canvas.height,
                    pane.clientWidth * pane.clientHeight * devicePixelRatio ** 2];
        }"""
    )
    assert canvas < 4 * seen  # not the whole board: no phone draws that many pixels
    for end in (1, 0):
        assert room.page.evaluate(DRAWN_AT_AN_END, end) == [True, True], end


def test_the_wheel_zooms_about_the_bulb_under_it(visit: Visit) -> None:
    opened(visit, 80)
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


STICKING_OUT = """() => {
    const said = [];
    for (const one of document.querySelectorAll("main fieldset label, main .card select")) {
        const card = one.closest(".card, .puzzles"), own = one.getBoundingClientRect();
        const edge = Math.min(card.getBoundingClientRect().right, innerWidth);
        if (own.width && own.right > edge + 1) said.push(one.textContent.slice(0, 20));
    }
    return said;
}"""


@pytest.mark.parametrize("widths", deep([768, 1024], [900, 1100, 1200]))
def test_nothing_sticks_out_on_a_tablet(browser: Browser, address: str, widths: list[int]) -> None:
    """Every puzzle is seen without scrolling, and every select lies within its card."""
    with closing(browser.new_context(service_workers="block")) as context:
        page = context.new_page()
        page.goto(address)
        visit = Visit(page, context)
        for width in widths:
            page.set_viewport_size({"width": width, "height": 768})
            for place in ("Play", "Solve", "Draw"):
                visit.place(place)
                assert page.evaluate(STICKING_OUT) == [], (width, place)
