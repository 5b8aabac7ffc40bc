"""Play: the game as a newcomer meets it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.page.browser import EXAMPLE, Visit

pytestmark = pytest.mark.browser

LIT = tuple("1" * 4 for _ in range(4))


def test_play_goes_on_after_a_reload(visit: Visit) -> None:
    visit.use("\n".join(EXAMPLE))
    visit.expect_answer("4 presses")
    visit.place("Play")
    visit.cell(3, 0).click()
    expect(visit.page).to_have_url(re.compile(r"#1\.4x4\.cross\.unlit\.lit\.PWE$"))
    visit.page.reload()
    expect(visit.progress).to_contain_text("1 press")
    expect(visit.page.get_by_role("radio", name="Play")).to_be_checked()
    visit.button("Start again").click()
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
