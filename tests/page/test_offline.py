"""The page without a server: its engine in workers of the browser, from a folder under a path."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Route, expect

import ponder
from ponder.model.formats import board_text, parse_board
from ponder.studies.families import Family
from tests.page.browser import EXAMPLE, ROOT, Visit
from tests.page.site import Host, built, hosting

pytestmark = [pytest.mark.browser, pytest.mark.offline]

HARD = board_text(Family("plus").draw((30, 30), 3))

ASK = """async ([task, content]) => {
    const { ask } = await import("./transport.js");
    return ask(task, content);
}"""

KEPT = "() => navigator.serviceWorker.ready.then(() => true)"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory)


@pytest.fixture(scope="module")
def place(folder: Path) -> Iterator[str]:
    with hosting(folder) as url:
        yield url


@pytest.fixture
def fresh(browser: Browser) -> Iterator[BrowserContext]:
    """A profile in which nothing is kept from before its first visit."""
    with closing(browser.new_context(service_workers="block")) as context:
        yield context


@pytest.fixture
def keeping(browser: Browser) -> Iterator[BrowserContext]:
    """A profile that keeps the page for later visits."""
    with closing(browser.new_context()) as context:
        yield context


def visit(context: BrowserContext, place: str) -> Visit:
    opened = Visit(context.new_page(), context)
    opened.page.on("pageerror", lambda error: opened.wrong.append(str(error)))
    opened.page.goto(place)
    return opened


def test_one_plays_before_the_engine_is_there(fresh: BrowserContext, place: str) -> None:
    held: list[Route] = []  # an import: a fetch that waits so long is given up
    fresh.route("**/pyodide.mjs", lambda route: held.append(route))
    page = visit(fresh, f"{place}#")
    page.page.evaluate("location.hash = '#1.4x4.cross.unlit.lit.PWE'")
    page.place("Solve")
    expect(page.answer).to_contain_text("The engine is loading")
    page.place("Play")
    lit = page.progress.inner_text()
    page.cell(0, 0).click()
    expect(page.progress).not_to_have_text(lit)
    page.button("Undo").click()
    expect(page.progress).to_have_text(lit)
    page.cell(0, 2).click()
    expect(page.progress).to_contain_text("row 1, column 3 is lit")
    page.button("Hint").click()
    expect(page.progress).to_contain_text("the engine is loading")
    (route,) = held
    route.continue_()
    page.place("Solve")
    page.expect_answer("4 presses")
    assert page.wrong == []


def test_nothing_is_asked_outside_the_folder(keeping: BrowserContext, place: str) -> None:
    asked: list[str] = []
    keeping.on("request", lambda request: asked.append(request.url))
    page = visit(keeping, place)
    page.use((ROOT / "instances/plus-5x5-order.txt").read_text())
    page.expect_answer("press")
    page.page.evaluate(KEPT)
    assert [url for url in asked if not url.startswith(place)] == []
    names = {url.removeprefix(place) for url in asked}
    assert {"", "engine.js", "pyodide.asm.wasm", "contents.json", "ponder.tar.xz"} <= names
    with pytest.raises(Exception, match="violates"):
        page.page.evaluate(
            "fetch('http://127.0.0.1:9/').catch((e) => { throw new Error('violates') })"
        )


def grids() -> list[str]:
    return sorted(path.stem for path in (ROOT / "instances").glob("*.txt"))


def test_every_grid_is_answered_as_by_the_library(fresh: BrowserContext, place: str) -> None:
    page = visit(fresh, place)
    for name in grids():
        text = (ROOT / f"instances/{name}.txt").read_text(encoding="utf-8")
        board = parse_board(text)
        for task, ask in (("order", ponder.order), ("solve", ponder.solve)):
            answer = page.page.evaluate(ASK, [task, {"board": text, "timeout": 60}])
            result = ask(board, timeout=60)
            agree(answer, result.to_json(), f"{task} {name}")


def agree(answer: dict[str, Any], known: dict[str, Any], name: str) -> None:
    """Two answers to one question: the same, or bounds that hold of each other."""
    keys = ("verdict", "count", "optimal", "lower_bound")
    if answer["optimal"] == known["optimal"] and "unknown" not in (
        answer["verdict"],
        known["verdict"],
    ):
        assert [answer[key] for key in keys] == [known[key] for key in keys], name
        return
    assert {answer["verdict"], known["verdict"]} != {"solved", "impossible"}, name
    for bounded, played in ((answer, known), (known, answer)):
        assert (bounded["lower_bound"] or 0) <= (played["count"] or 10**9), name


OVERTAKEN = """async ([hard, easy]) => {
    const { ask, messages } = await import("./transport.js");
    const known = messages("answer", { board: hard, timeout: 300 });
    for await (const { stage } of known) if (stage === "press-sets") break;
    return ask("order", { board: easy });
}"""


def test_a_new_board_need_not_wait_for_an_old_search(fresh: BrowserContext, place: str) -> None:
    page = visit(fresh, place)
    answer = page.page.evaluate(OVERTAKEN, [HARD, "\n".join(EXAMPLE)])
    assert answer["count"] == 4
    first = page.page.workers[0]
    assert first.evaluate("'Suspending' in WebAssembly")
    page.page.evaluate(OVERTAKEN, [HARD, "\n".join(EXAMPLE)])
    assert first in page.page.workers  # it has heard, and lives on


@pytest.mark.parametrize(
    ("name", "told"),
    [("numpy.tar.xz", "numpy.tar.xz is missing"), ("pyodide.asm.wasm", "asm.wasm was cut off")],
)
def test_what_does_not_come_is_told_and_asked_for_again(
    fresh: BrowserContext, place: str, folder: Path, name: str, told: str
) -> None:
    half = (folder / name).read_bytes()[: 10**6]
    short = {"status": 200, "body": half, "content_type": "application/wasm"}
    gone: Any = short if "cut" in told else {"status": 404}
    fresh.route(f"**/{name}", lambda route: route.fulfill(**gone))
    page = visit(fresh, place)
    page.place("Solve")
    expect(page.answer).to_contain_text("The engine cannot be loaded: ")
    expect(page.page.get_by_role("status", name="Engine")).to_contain_text(told)
    fresh.unroute(f"**/{name}")
    page.button("Try again").click()
    page.use("\n".join(EXAMPLE))
    page.expect_answer("4 presses")
    expect(page.button("Try again")).to_be_hidden()


def test_nothing_large_is_fetched_twice(keeping: BrowserContext, place: str, folder: Path) -> None:
    Host.asked.clear()
    page = visit(keeping, place)
    page.page.evaluate(KEPT)
    twice = {name for name, times in Host.asked.items() if times > 1}
    assert {name for name in twice if (folder / name).stat().st_size > 10**5} == set()


def test_boards_are_there_before_the_engine(fresh: BrowserContext, place: str) -> None:
    """Of a puzzle, a grade, the day, and of Possible or not?, whose verdict is known as well."""
    held: list[Route] = []  # an import: a fetch that waits so long is given up
    fresh.route("**/pyodide.mjs", lambda route: held.append(route))
    page = visit(fresh, place)
    for control in (
        page.radio("Hard"),
        page.radio("King's move"),
        page.button("Daily"),
        page.button("New board"),
    ):
        before = page.page.url
        control.click()
        expect(page.page).not_to_have_url(before)
        assert ponder.order(page.start()).verdict == "solved"
    page.radio("Possible or not?").check()
    page.expect_board()
    for _ in range(20):
        verdict = ponder.order(page.start()).verdict
        page.button("Impossible").click()
        if verdict == "solved":
            expect(page.progress).to_contain_text("It can be done.")
            break
        expect(page.button("Check")).to_be_visible()
        page.button("New board").click()
        page.expect_board()
    assert verdict == "solved"
    assert len(held) == 1


def test_the_second_visit_needs_no_network(keeping: BrowserContext, folder: Path) -> None:
    with hosting(folder) as place:
        page = visit(keeping, place)
        page.page.evaluate(KEPT)
    page = visit(keeping, place)  # nobody serves it any more
    page.use("\n".join(EXAMPLE))
    page.expect_answer("4 presses")
    assert page.wrong == []
