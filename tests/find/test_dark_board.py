"""The dark board (theory §2.7): the fewest legal presses are the fewest presses in any order."""

from __future__ import annotations

import pytest

from ponder.find.solve import solve
from ponder.model.board import Board
from tests.oracles import PLUS_ALL_ONES_FEWEST


def needs_the_published_number(size: int) -> None:
    result = solve(Board.from_rows(["0" * size] * size, "plus"))
    assert result.optimal
    assert result.count == PLUS_ALL_ONES_FEWEST[size - 1]


@pytest.mark.parametrize("size", [*range(1, 18), 19, 23, 24, 29])
def test_the_legal_minimum_is_the_free_one(size: int) -> None:
    needs_the_published_number(size)


@pytest.mark.deep
@pytest.mark.parametrize("size", [18, *range(20, 23), *range(25, 29), *range(30, 51)])
def test_the_legal_minimum_of_large_boards(size: int) -> None:
    needs_the_published_number(size)
