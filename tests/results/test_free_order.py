"""The results about free order: each figure made again, or checked by the checker's arithmetic."""

from __future__ import annotations

import numpy as np
import pytest

from ponder.check.coset import least_weight
from ponder.check.limits import Budget
from ponder.check.linear import press_sets
from ponder.cli.most_moves import Line, unpacked
from ponder.cli.nullity import HEADER, histogram_of
from ponder.lights_out.bulb_types import bulb_types
from ponder.lights_out.most_moves import least_height
from ponder.lights_out.nullities import nullity_of, squares
from ponder.model.board import Board
from ponder.model.graph import grid_graph
from tests.results import RESULTS, most_moves, nullities, read


def rows_to(top: int) -> dict[str, tuple[str, ...]]:
    """The lines of the histogram of all squares to a size, by nullity."""
    lines = [(n, n, found) for n, found in enumerate(squares("plus", top), start=1)]
    return {one.fields()[0]: one.fields() for one in histogram_of(lines)}


def test_the_small_squares_stand_in_the_histogram() -> None:
    """To 2,000: what begins there begins so, and no nullity has fewer sizes or residues."""
    published = {line["nullity"]: line for line in read(nullities.FILE)}
    assert sum(int(line["sizes"]) for line in published.values()) == 100_000
    made = rows_to(2000)
    for nullity, fields in made.items():
        line = published[nullity]
        assert line["first"] == fields[2]
        assert int(line["sizes"]) >= int(fields[1])
        assert set(fields[4].split()) <= set(line["residues_mod_6"].split())
    begun = {k for k, line in published.items() if int(line["first"].split("x")[0]) <= 2000}
    assert begun == set(made)


def test_the_largest_squares_have_the_nullities_that_are_told() -> None:
    for line in read(nullities.FILE)[::60]:
        for size in (line["first"], line["last"]):
            n = int(size.split("x")[0])
            assert nullity_of("plus", (n, n)) == int(line["nullity"])


@pytest.mark.deep
def test_the_whole_histogram() -> None:
    published = [tuple(line[name] for name in HEADER) for line in read(nullities.FILE)]
    assert published == list(rows_to(100_000).values())


def test_the_page_of_nullities_says_what_the_table_says() -> None:
    page = (RESULTS / "nullity.md").read_text(encoding="utf-8")
    lines = read(nullities.FILE)
    sizes = {int(line["nullity"]): int(line["sizes"]) for line in lines}
    assert f"| 100,000 | {sizes[0]:,} | {sizes[2]:,} |" in page
    assert f"{len(lines)} nullities" in page
    assert sum(count for nullity, count in sizes.items() if nullity % 4 == 2) == 16_666
    assert all((line["residues_mod_6"] == "5") == (int(line["nullity"]) % 4 == 2) for line in lines)
    tens = rows_to(10_000)
    assert f"| 10,000 | {int(tens['0'][1]):,} | {tens['2'][1]} |" in page


def check(line: Line) -> None:
    """Both bounds of a line, the upper one where it is by parity."""
    graph = grid_graph("plus", (line.n, line.n))
    dark = np.zeros(graph.size, dtype=np.bool_)
    found = press_sets(Board(graph, dark, dark))
    assert found.basis is not None
    assert found.nullity == line.nullity
    presses = unpacked(line.press_set, graph.size)
    least, _ = least_weight(presses, found.basis, Budget(100))
    assert least == line.lower == np.count_nonzero(presses)
    types = bulb_types(graph)
    by_parity = (graph.size + types.free - least_height(types)) // 2
    assert line.upper == by_parity if line.upper_by == "parity" else line.upper < by_parity
    assert line.lower <= line.upper


def test_most_moves() -> None:
    lines = most_moves.lines()
    assert set(range(1, 50)) <= set(lines)
    for line in lines.values():
        if line.nullity <= 16:
            check(line)


@pytest.mark.deep
def test_most_moves_of_large_nullity() -> None:
    for line in most_moves.lines().values():
        if line.nullity > 16:
            check(line)


def test_the_page_of_most_moves_is_made_from_the_table() -> None:
    page = most_moves.PAGE.read_text(encoding="utf-8")
    assert page == most_moves.written(page), "run `python -m tests.results.most_moves`"
    assert "to be written" not in page
