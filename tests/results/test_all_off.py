"""From all off to all on: the small lines made again, the others held against the board."""

from __future__ import annotations

import re

import numpy as np
import pytest

from ponder.check.verification import check_bound
from ponder.cli.most_moves import unpacked
from ponder.system.errors import CheckFailed
from tests.results import RESULTS, all_off, read
from tests.results.dark_boards import dark

LINES = {int(line["n"]): line for line in read(RESULTS / "all_off.csv")}

# OEIS A075464, n = 1 to 54
PUBLISHED = (
    1, 4, 5, 4, 15, 28, 33, 40, 25, 44, 55, 72, 105, 56, 117, 104, 147, 188, 141, 224, 245, 276,
    231, 270, 353, 356, 405, 416, 345, 376, 553, 428, 469, 520, 563, 600, 761, 772, 561, 696, 891,
    940, 953, 772, 1069, 1188, 971, 1096, 1165, 1220, 1317, 1256, 1487, 1400,
)  # fmt: skip


def test_the_published_numbers() -> None:
    assert [*LINES] == [*all_off.SIDES]
    assert tuple(int(LINES[n]["presses"]) for n in range(1, 55)) == PUBLISHED


def test_every_line_has_a_press_set() -> None:
    for n, line in LINES.items():
        board = dark("plus", n)
        pressed = unpacked(line["press_set"], n * n)
        assert (board.graph.apply(pressed) == board.change).all()
        assert np.count_nonzero(pressed) == int(line["presses"])


@pytest.mark.parametrize("n", [4, 9, 13, 19])
def test_small_lines_are_made_again(n: int) -> None:
    assert [str(n), *map(str, all_off.line(n))][:5] == [*LINES[n].values()][:5]


@pytest.mark.parametrize(
    "n", [33, 39, *(pytest.param(n, marks=pytest.mark.deep) for n in (47, 59, 61, 65, 67, 71))]
)
def test_large_lines_are_verified(n: int) -> None:
    """No press set has fewer presses, and as many have as few as the line says."""
    least, many = (int(LINES[n][key]) for key in ("presses", "press_sets"))
    evidence = {"kind": "coset-minimum", "press_sets": many}
    check_bound(dark("plus", n), "solve", least, evidence)
    for other in (least + 2, least - 2):
        with pytest.raises(CheckFailed, match="coset-minimum"):
            check_bound(dark("plus", n), "solve", other, evidence)


def test_the_page_says_what_the_table_says() -> None:
    page = (RESULTS / "all_off.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| (\d+) \| 2\^(\d+) \| ([\d,]+) \| (\d+) press", page, re.M)
    assert len(rows) == 4
    for n, nullity, power, presses, many in rows:
        line = LINES[int(n)]
        assert (line["nullity"], line["nullity"]) == (nullity, power)
        assert (line["presses"], line["press_sets"]) == (presses.replace(",", ""), many)
