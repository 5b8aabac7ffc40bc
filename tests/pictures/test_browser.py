"""SVG in a real browser: it plays by itself, and what it shows at a moment replays the order."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page

import ponder
from ponder.pictures.answers import answer_scene
from ponder.pictures.frames import Film, frames_of
from ponder.pictures.svg import order_animation, scene_svg
from tests.boards import INSTANCES
from tests.depth import deep
from tests.page.browser import SLOW, browsing
from tests.pictures import reading

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as found:
        yield found


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 600, "height": 600})
    context.set_default_timeout(SLOW)
    yield context.new_page()
    context.close()


def shot(page: Page) -> Image.Image:
    return Image.open(io.BytesIO(page.screenshot()))


@pytest.mark.parametrize("name", deep("plus-5x5-order.txt", "cross-6x7-holes.txt"))
def test_it_plays(name: str, page: Page, tmp_path: Path) -> None:
    """The clock of the document is set to the middle of each frame; pixels say what is lit."""
    board = ponder.read(INSTANCES / name)
    presses = ponder.order(board).presses
    assert presses is not None
    path = tmp_path / "order.svg"
    text = order_animation(Film.of(board, presses, cell=30, label=False))
    path.write_text(text)
    page.goto(path.as_uri())
    page.evaluate("document.documentElement.pauseAnimations()")
    size = page.evaluate(
        "[document.documentElement.width.baseVal.value,"
        " document.documentElement.height.baseVal.value]"
    )
    margin = 0.9 if board.even_lines else 0.4
    places = reading.centres(board, (round(size[0]), round(size[1])), 30, margin)
    states, start = [], 0.0
    for frame in frames_of(board, presses):
        moment = start + frame.seconds / 2
        start += frame.seconds
        page.evaluate(f"document.documentElement.setCurrentTime({moment})")
        states.append(reading.state_of(shot(page), places, 30, "light"))
        assert np.array_equal(states[-1], frame.lit)
    assert reading.presses_between(board, states) == presses.tolist()


def test_words_stay_inside_and_apart(page: Page, tmp_path: Path) -> None:
    """With the browser's own fonts: no line of text leaves the picture or meets another."""
    for name in ("plus-10x10-no-order", "cross-6x6-no-order-cut", "plus-5x5-no-solution"):
        scene = answer_scene(ponder.order(ponder.read(INSTANCES / f"{name}.txt")))
        path = tmp_path / "refusal.svg"
        path.write_text(scene_svg(scene))
        page.goto(path.as_uri())
        boxes = page.evaluate(
            "[...document.querySelectorAll('text')].map(x => { const b = x.getBoundingClientRect();"
            " return [b.left, b.top + b.height / 5, b.right, b.bottom - b.height / 5]; })"
        )
        width = page.evaluate("document.documentElement.getBoundingClientRect().width")
        for k, (left, top, right, bottom) in enumerate(boxes):
            assert left >= 0
            assert right <= width
            for other in boxes[:k]:
                apart = (
                    other[2] <= left or right <= other[0] or other[3] <= top or bottom <= other[1]
                )
                assert apart, name
