"""The tables of `docs/results`: a part of each made again, by brute force where that reaches."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import ponder
from ponder.find.linear.press_sets import PressSets
from ponder.lights_out.nullities import nullity_of, squares
from ponder.model.board import Board, Rule
from ponder.model.formats import parse_graph
from ponder.model.graph import grid_graph
from ponder.studies.families import Family
from ponder.system.types import Bits
from tests import brute
from tests.depth import deep
from tests.oracles import PLUS_ALL_ONES_FEWEST

RESULTS = Path(__file__).resolve().parents[2] / "docs" / "results"
SMALL = 10  # bulbs of the shapes that are gone through by force

Line = dict[str, str]


def read(name: str) -> list[Line]:
    """Return the lines of a table."""
    lines = (RESULTS / name).read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def unpacked(digits: str, bulbs: int) -> Bits:
    """Return a set of bulbs that stands as hexadecimal digits, the first bulb the highest bit."""
    return np.array([bit == "1" for bit in f"{int(digits, 16):0{bulbs}b}"], dtype=np.bool_)


def number_of(digits: str, bulbs: int) -> int:
    """Return it as brute force counts, the first bulb the lowest bit."""
    return int(f"{int(digits, 16):0{bulbs}b}"[::-1], 2)


def dark(pattern: str, side: int, rule: Rule = "unlit") -> Board:
    """The board with all bulbs off, all to be lit."""
    graph = grid_graph(pattern, (side, side))
    off = np.zeros(graph.size, dtype=np.bool_)
    return Board(graph, off, ~off, rule)


def least_weight(pressed: Bits) -> int:
    """Return the least weight of the coset of a press set of a square plus board, by listing it."""
    side = int(np.sqrt(pressed.size))
    graph = grid_graph("plus", (side, side))
    target = np.ones(graph.size, dtype=np.bool_)
    sets = ponder.press_sets(Board(graph, target ^ graph.apply(pressed), target, "any"))
    assert isinstance(sets, PressSets)
    words = np.packbits(np.vstack([sets.particular, *ponder.kernel(graph).basis()]), axis=1)
    members = words[:1]
    for vector in words[1:]:
        members = np.concatenate([members, members ^ vector])
    return int(np.bitwise_count(members).sum(axis=1, dtype=np.int64).min())


# --------------------------------------------------------------------------- to ten bulbs, by force


def small(name: str) -> list[tuple[Line, int, list[tuple[int, int]]]]:
    """Return the lines of small shapes, with the number of bulbs and the edges."""
    cases = []
    for line in read(name):
        rows, columns = int(line["rows"]), int(line["columns"])
        if rows * columns <= SMALL:
            cases.append((line, rows * columns, brute.grid_edges(rows, columns, line["pattern"])))
    return cases


def test_the_hardest_boards() -> None:
    for line, bulbs, edges in small("atlas/atlas.csv"):
        fewest = brute.distances(bulbs, edges, (1 << bulbs) - 1, line["rule"])
        largest = max(fewest.values())
        assert (int(line["solvable"]), int(line["largest"])) == (len(fewest), largest)
        assert int(line["needing"]) == sum(count == largest for count in fewest.values())
        assert fewest[number_of(line["hardest"], bulbs)] == largest


def test_boards_with_an_order() -> None:
    for line, bulbs, edges in small("orders/orders.csv"):
        sets = np.flatnonzero(brute.orderable_sets(bulbs, edges))
        assert int(line["sets_with_order"]) == sets.size
        changed = np.zeros_like(sets)
        for v, near in enumerate(brute.masks(bulbs, edges)):
            changed ^= (sets >> v & 1) * (near | 1 << v)
        assert int(line["with_order"]) == np.unique(changed).size


def test_dark_boards() -> None:
    lines = read("dark-boards/dark-boards.csv")
    for line in lines:
        side = int(line["side"])
        if line["pattern"] == "plus":
            wanted = str(PLUS_ALL_ONES_FEWEST[side - 1])
            assert (line["free"], line["legal"], line["once"]) == (wanted,) * 3
        if side <= 5:
            board = dark(line["pattern"], side)
            free = ponder.solve(dark(line["pattern"], side, "any"))
            assert (line["free"], line["legal"]) == (
                str(free.count),
                str(ponder.solve(board).count),
            )
            once = ponder.order(board)
            assert line["once"] == ("none" if once.verdict == "impossible" else str(once.count))


def test_obstructions() -> None:
    """The first graph of each size with one: a source, a sink, the right parity, and no order."""
    for line in read("obstructions/obstructions.csv"):
        oriented, explained, obstructed = (
            int(line[key]) for key in ("oriented", "explained", "obstructed")
        )
        assert oriented + explained + obstructed == int(line["parities"])
        if line["first"] and int(line["vertices"]) <= 6:
            graph = parse_graph(line["first"].encode())
            near = [graph.neighbours(v).tolist() for v in range(graph.size)]
            able = brute.parities_of_orders(near)
            sources = tuple(len(neighbours) % 2 for neighbours in near)
            fair = [
                t
                for t in np.ndindex((2,) * graph.size)
                if (sum(t) - len(graph.edges)) % 2 == 0
                and any(a == b for a, b in zip(t, sources, strict=True))
                and 0 in t
            ]
            assert set(fair) - able


# ------------------------------------------------------------------------------------- free order


@pytest.mark.parametrize("step", deep(200, 20))
def test_the_histogram_of_nullities(step: int) -> None:
    published = {int(line["nullity"]): line for line in read("nullities.csv")}
    assert sum(int(line["sizes"]) for line in published.values()) == 100_000
    begun: dict[int, int] = {}
    for n, nullity in enumerate(squares("plus", 2000), start=1):
        begun.setdefault(nullity, n)
        assert str(n % 6) in published[nullity]["residues_mod_6"].split()
    assert begun == {k: first_of(x) for k, x in published.items() if first_of(x) <= 2000}
    for line in list(published.values())[::step]:
        for size in (line["first"], line["last"]):
            n = int(size.split("x")[0])
            assert nullity_of("plus", (n, n)) == int(line["nullity"])


def first_of(line: Line) -> int:
    """Return the first side of a nullity."""
    return int(line["first"].split("x")[0])


def test_most_moves() -> None:
    """Lower bounds by the least weight of their cosets; W. Boyles' exact values, but for 19."""
    published = {4: 7, 5: 15, 9: 37, 11: 65, 14: 123, 16: 124, 17: 199, 24: 375, 29: 443, 34: 763}
    lines = {int(line["n"]): line for line in read("most_moves.csv")}
    assert set(lines) >= set(range(1, 61))
    for n, line in lines.items():
        lower, upper, nullity = (int(line[key]) for key in ("lower", "upper", "nullity"))
        assert nullity_of("plus", (n, n)) == nullity
        assert lower <= upper <= n * n
        pressed = unpacked(line["press_set"], n * n)
        assert np.count_nonzero(pressed) == lower
        if nullity <= 14:
            assert least_weight(pressed) == lower
        if n in published or not nullity:
            assert lower == upper == published.get(n, n * n)


ALL_OFF = {int(line["n"]): line for line in read("all_off/all_off.csv")}


def test_all_off() -> None:
    assert [*ALL_OFF] == [*range(1, 80)]
    for n, line in ALL_OFF.items():
        board = dark("plus", n)
        pressed = unpacked(line["press_set"], n * n)
        assert (board.graph.apply(pressed) == board.change).all()
        assert np.count_nonzero(pressed) == int(line["presses"])
        if n <= len(PLUS_ALL_ONES_FEWEST):
            assert int(line["presses"]) == PLUS_ALL_ONES_FEWEST[n - 1]


@pytest.mark.parametrize("n", [4, 9, 13, 19])
def test_small_lines_of_all_off_are_made_again(n: int) -> None:
    result = ponder.solve(dark("plus", n))
    assert (result.optimal, result.count) == (True, int(ALL_OFF[n]["presses"]))
    assert ponder.verify(result.board, result).complete


# -------------------------------------------------------------------------------- the first study


@pytest.mark.parametrize(("pattern", "side"), [("cross", 4), ("plus", 6)])
def test_the_first_study_is_made_again(pattern: str, side: int) -> None:
    """How many of its 200 boards have an order."""
    (line,) = (
        line
        for line in read("first-study/table.csv")
        if (line["family"], line["size"], line["method"]) == (pattern, f"{side}×{side}", "auto")
    )
    boards = (Family(pattern).draw((side, side), seed) for seed in range(200))
    solved = sum(ponder.order(board).verdict == "solved" for board in boards)
    assert line["solved"] == str(solved)
