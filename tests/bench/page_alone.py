"""The page without a server, timed in a browser: `python -m tests.bench.page_alone [FOLDER]`.

FOLDER is what `ponder site` wrote; without one it is built. Times are of the wall clock, in
milliseconds, so the machine should do nothing else. Cold: a new profile of the browser. Warm: the
same one, opened again; the browser keeps its compiled form of what it has loaded so for the first
time, hence the second. Memory is that of the tab's process, shared pages by their part.
"""

from __future__ import annotations

import statistics
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from playwright.sync_api import BrowserContext, Page, expect, sync_playwright

from ponder.find.order import order
from ponder.model.board import Board
from ponder.model.formats import board_text
from ponder.model.graph import grid_graph
from ponder.page.riddles import own_marking, riddle
from ponder.studies.generate import CannotGenerate, OnPattern
from tests.page.browser import EXAMPLE, SLOW, Visit, chromium
from tests.page.site import hosting

EDITS = 2_000
MARKED = 20
SIZES = (("plus", 10), ("cross", 10), ("cross", 30), ("plus", 100), ("cross", 100))

SEEN = """new MutationObserver((_, watch) => {
    if (!document.querySelector("[role=gridcell]")) return;
    watch.disconnect();
    requestAnimationFrame(() => { window.playable = performance.now(); });
}).observe(document, { childList: true, subtree: true });"""

FIRST = """async (board) => {
    const { ask } = await import("./transport.js");
    await ask("order", { board });
    return performance.now();
}"""

KEPT = "() => navigator.serviceWorker.ready.then(() => undefined)"

EDIT = """async (count) => {
    const told = document.getElementById("answer"), times = [];
    for (let k = 0; k < count; k++) {
        const cells = document.querySelectorAll("[role=gridcell]");
        const cell = cells[(7 * k) % cells.length];
        cell.focus();
        const over = new Promise((resolve) => {
            let begun = false;
            new MutationObserver((_, watch) => {
                const busy = told.ariaBusy === "true";
                begun ||= busy;
                if (busy || !begun) return;
                watch.disconnect();
                resolve();
            }).observe(told, { attributeFilter: ["aria-busy"] });
        });
        const before = performance.now();
        cell.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
        if (told.ariaBusy !== "true") await new Promise(requestAnimationFrame);
        await over;
        times.push(performance.now() - before);
    }
    return times;
}"""  # fmt: skip

MARK = """async (asked) => {
    const { ask } = await import("./transport.js"), times = [];
    for (const marks of asked) {
        const before = performance.now();
        await ask("refute", { ...marks, first: false });
        times.push(performance.now() - before);
    }
    return times;
}"""

STOP = """async ([hard, easy]) => {
    const { ask, messages } = await import("./transport.js");
    const over = new AbortController();
    const searching = async (deep) => {
        const known = messages("answer", { board: hard, timeout: 300 }, over.signal);
        for await (const { stage } of known) if (stage === "press-sets") deep();
    };
    const deep = [0, 1].map(() => new Promise((resolve, lost) => searching(resolve).catch(lost)));
    await Promise.all(deep); // both workers are at it
    const before = performance.now();
    over.abort();
    await ask("order", { board: easy });
    return performance.now() - before;
}"""


def opened(context: BrowserContext, place: str) -> Page:
    """Open the page in a new tab."""
    context.set_default_timeout(SLOW)
    page = context.new_page()
    page.goto(place)
    page.wait_for_function("window.playable")
    return page


def tell(what: str, milliseconds: float, limit: float) -> None:
    """Print a line of the table."""
    print(f"{what:<44}{milliseconds:8,.0f} ms   at most {limit:6,.0f}", flush=True)


def visits(context: BrowserContext, place: str) -> None:
    """Time the first visit, and those that follow."""
    easy = "\n".join(EXAMPLE)
    for visit in ("cold", "warm, first", "warm, second", "warm, third"):
        page = opened(context, place)
        tell(f"playable, {visit}", page.evaluate("playable"), 400)
        tell(
            f"first answer, {visit}", page.evaluate(FIRST, easy), 5000 if visit == "cold" else 3000
        )
        page.evaluate(KEPT)
        page.close()


def edits(context: BrowserContext, place: str) -> None:
    """Time edits on boards of several sizes, and a stop."""
    page = opened(context, place)
    visit = Visit(page, context)
    for pattern, side in SIZES:
        text = board_text(OnPattern(side, side, pattern=pattern).board(3))
        visit.use(text, "Draw")
        visit.expect_answer("")
        times = page.evaluate(EDIT, 20)
        limit = 200 if side == 100 else 60
        tell(f"edit to answer, {side}×{side} {pattern}", statistics.median(times), limit)
    hard = board_text(OnPattern(30, 30).board(3))
    stops = [page.evaluate(STOP, [hard, "\n".join(EXAMPLE)]) for _ in range(5)]
    tell("stop: the answer of another board", statistics.median(stops), 300)


def markings(context: BrowserContext, place: str) -> None:
    """Time what the checker says to markings of 10×10 boards: its own reason, and random ones."""
    page = opened(context, place)
    for pattern in ("cross", "plus", "king"):
        rng = np.random.default_rng(0)
        asked: list[dict[str, object]] = []
        for seed in range(MARKED):
            graph = grid_graph(pattern, (10, 10))
            lit, goal = rng.random(graph.size) < 0.5, np.ones(graph.size, dtype=bool)
            drawn = Board(graph, lit, goal)
            with suppress(CannotGenerate):  # boards that can be done are marked as well
                drawn = riddle(drawn, "expert", seed)
            why = order(drawn).refutation
            own = None if why is None else own_marking(why)
            some = np.flatnonzero(rng.random(graph.size) < rng.random())
            rows, columns = (np.flatnonzero(rng.random(10) < 0.5).tolist() for _ in "ab")
            marks: list[dict[str, object]] = [{"bulbs": graph.labels(some)}]
            marks.append({"rows": rows, "columns": columns})
            if own is not None:
                lines = {"rows": own.rows.tolist(), "columns": own.columns.tolist()}
                marks.append({"bulbs": graph.labels(own.bulbs), **lines})
            asked += [{"board": board_text(drawn), **each} for each in marks]
        first, *times = page.evaluate(MARK, asked)
        tell(f"{pattern}: the first marking", first, 1000)
        tell(f"{pattern}: {len(times)} markings, median", statistics.median(times), 100)
        tell(f"{pattern}: the slowest", max(times), 100)


def memory(context: BrowserContext, place: str) -> None:
    """Weigh the tab after many edits."""
    page = opened(context, place)
    Visit(page, context).use(board_text(OnPattern(30, 30).board(3)), "Draw")
    page.evaluate(EDIT, EDITS)
    browser = context.browser
    assert browser is not None
    told: dict[str, Any] = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
    tabs = [each["id"] for each in told["processInfo"] if each["type"] == "renderer"]
    before = max(map(weight, tabs))
    context.new_cdp_session(page).send("HeapProfiler.collectGarbage")
    after = max(map(weight, tabs))
    held = f"memory after {EDITS:,} edits"
    print(f"{held:<44}{after:8,.0f} MB   at most    400; {before:,.0f} with its garbage")


def weight(process: int) -> float:
    """Return a process's memory in MB."""
    told = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii")
    (line,) = (line for line in told.splitlines() if line.startswith("Pss:"))
    return int(line.split()[1]) / 1000


def main(folder: Path, scratch: Path) -> None:
    """Print all times."""
    path = chromium()
    assert path is not None
    expect.set_options(timeout=SLOW)
    with sync_playwright() as playwright, hosting(folder) as place:
        kept = playwright.chromium.launch_persistent_context(str(scratch), executable_path=path)
        kept.add_init_script(SEEN)
        visits(kept, place)
        edits(kept, place)
        markings(kept, place)
        kept.close()
        browser = playwright.chromium.launch(executable_path=path)
        context = browser.new_context()
        context.add_init_script(SEEN)
        memory(context, place)
        browser.close()


if __name__ == "__main__":
    with TemporaryDirectory() as name:
        target = Path(sys.argv[1] if len(sys.argv) > 1 else f"{name}/play")
        if len(sys.argv) < 2:
            from ponder.cli.site import cache_folder
            from ponder.page.site import build

            build(target, cache_folder())
        main(target.resolve(), Path(name, "profile"))
