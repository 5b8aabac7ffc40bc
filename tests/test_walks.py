"""The count of files and hops counts what is ours, and `order` stays a walk to be followed."""

from __future__ import annotations

import pytest

from tests import walks


def test_a_walk_is_the_files_and_who_calls_whom() -> None:
    board = walks.board_of("plus:4x4")
    walk = walks.watched(lambda: board.graph.apply(board.change))
    assert walk.files == {"model/graph.py", "model/board.py"}
    assert walk.hops == set()  # nobody of ours calls them
    nothing = walks.watched(lambda: sorted([2, 1]))
    assert (nothing.files, nothing.hops) == (set(), set())


def test_order_calls_few_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ponder.find.fewest.each_bulb_once.SOON", 60.0)  # however slow the machine
    walks.load()
    for name in ("plus:9x9", "king:11x11"):
        found = walks.walks(walks.board_of(name))
        assert ("find/order.py", "find/driver.py") in found["order"].hops
        assert len(found["order"].files) <= 36
        assert len(found["verify"].files) <= 21


def test_a_board_turns_three_times_within_the_driver() -> None:
    """From reading to result: no going back and forth between the driver's files."""
    walks.load()
    found = walks.walks(walks.board_of("cross:9x12"))
    assert 0 < found["order"].turns <= 3
