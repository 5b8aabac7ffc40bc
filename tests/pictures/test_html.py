"""What notebooks show: boards, results and press sets by themselves."""

from __future__ import annotations

import base64
import re
from xml.etree import ElementTree

import numpy as np

import ponder
from ponder.find.linear.press_sets import PressSets
from ponder.system.limits import Limits
from ponder.system.printable import shown
from tests.boards import INSTANCES
from tests.pictures import reading


def images(html: str | None) -> list[ElementTree.Element]:
    """Return the pictures in a piece of HTML."""
    assert html is not None
    assert "<script" not in html
    encoded = re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', html)
    assert encoded
    return [ElementTree.fromstring(base64.b64decode(data)) for data in encoded]


def test_a_board_shows_itself() -> None:
    board = ponder.read(INSTANCES / "ibm-2023-04-30x30.txt")
    text = board._repr_svg_()
    assert text is not None
    root = ElementTree.fromstring(text)
    assert len(list(root.iter(f"{reading.SVG}use"))) == 900
    assert int(root.attrib["width"]) <= 480


def test_a_result_shows_its_presses_played_and_what_is_proved() -> None:
    result = ponder.order(ponder.read(INSTANCES / "plus-5x5-order.txt"))
    html = result._repr_html_()
    (picture,) = images(html)
    assert list(picture.iter(f"{reading.SVG}animate"))
    assert html is not None
    assert "<strong>10 presses</strong>: each bulb at most once; proved: no order has fewer" in html


def test_a_refusal_shows_its_reason() -> None:
    result = ponder.order(ponder.read(INSTANCES / "plus-10x10-no-order.txt"))
    html = result._repr_html_()
    (picture,) = images(html)
    assert list(picture.iter(f"{reading.SVG}path"))
    assert html is not None
    assert "<strong>no order</strong>: these 6 pressed bulbs have 5 neighbouring pairs" in html


def test_an_unknown_answer_and_one_without_presses_show_themselves() -> None:
    board = ponder.read(INSTANCES / "plus-10x10-no-order.txt")
    assert "not known" in str(ponder.solve(board, timeout=Limits(0))._repr_html_())
    done = ponder.Board.from_rows(["11", "11"])
    assert "0 presses" in str(ponder.order(done)._repr_html_())


def test_press_sets_show_a_lightest_one_and_quiet_patterns() -> None:
    sets = ponder.press_sets(ponder.read(INSTANCES / "plus-5x5-order.txt"))
    assert isinstance(sets, PressSets)
    html = sets._repr_html_()
    assert len(images(html)) == 3
    assert html is not None
    assert "2^2 press sets" in html
    assert "a press set of 10 bulbs, none has fewer; nullity 2" in html
    only = ponder.press_sets(ponder.read(INSTANCES / "plus-10x10-order.txt"))
    assert "the only one" in str(only._repr_html_())  # type: ignore[union-attr]
    unnamed = PressSets(sets.particular, sets.kernel)
    assert unnamed._repr_html_() is None


def test_what_is_too_large_is_printed_instead() -> None:
    board = ponder.Board.from_grid(np.zeros((300, 300), dtype=np.bool_))
    assert board._repr_svg_() is None
    assert ponder.order(board)._repr_html_() is None
    sets = ponder.press_sets(board)
    assert sets._repr_html_() is None  # type: ignore[union-attr]
    assert shown("a kind that nobody shows", 1) is None
