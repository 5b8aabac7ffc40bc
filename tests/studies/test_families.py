"""Generated boards have the property that their family promises; the same seed, the same bytes."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ponder
from ponder.cli import run
from ponder.find.row_column.maximum_flow import HalfFactor, half_factor
from ponder.model.board import Board
from ponder.model.graph import CrossGraph
from ponder.studies.families import (
    DENSITY,
    CannotGenerate,
    Family,
    KnownAnswer,
    _pairs,
    balance,
    known_answer,
    played_backwards,
    random_edges,
    regular_edges,
)
from ponder.system.types import Bits, bincount
from tests import brute
from tests.boards import edges_of

seeds = st.integers(0, 2**32 - 1)
densities = st.sampled_from([0.0, 0.05, 0.2, 0.5, 0.9, 1.0])
evens = st.integers(1, 5).map(lambda k: 2 * k)


def presses_of(board: Board) -> Bits:
    """The press set of an even row/column board, as a grid: A·A = I."""
    assert isinstance(board.graph, CrossGraph)
    return board.graph.to_grid(board.graph.apply(board.change))


def surplus(grid: Bits) -> int:
    """How many more odd rows than odd columns."""
    return int((grid.sum(axis=1) % 2).sum()) - int((grid.sum(axis=0) % 2).sum())


def factor_of(grid: Bits) -> HalfFactor:
    rows, columns = np.nonzero(grid)
    return half_factor(rows, columns, (grid.shape[0], grid.shape[1]))


def agrees_with_brute_force(board: Board, answer: KnownAnswer) -> bool:
    """Whether an answer is what trying everything finds."""
    lit, goal = (sum(1 << int(v) for v in np.flatnonzero(x)) for x in (board.lit, board.goal))
    fewest = brute.fewest_once(board.graph.size, edges_of(board.graph), lit, goal)
    if answer.verdict == "solved":
        return fewest is not None and (not answer.optimal or answer.count == fewest)
    return answer.verdict == "unknown" or fewest is None


# Row/column boards


@given(st.integers(1, 9), st.integers(1, 9), densities, seeds)
def test_balanced_boards_have_an_order(rows: int, columns: int, density: float, seed: int) -> None:
    board = Family("balanced", density).draw((rows, columns), seed)
    answer = known_answer(board)
    assert answer.verdict == "solved"
    if rows * columns <= 9:
        assert agrees_with_brute_force(board, answer)
    if rows % 2 == columns % 2 == 0:
        assert factor_of(presses_of(board)).exists
        assert answer.count == presses_of(board).sum()


def test_sparse_balanced_boards_are_played() -> None:
    """At this density random presses have no half factor; the family has one nevertheless."""
    for seed in range(5):
        grid = presses_of(Family("balanced", 0.01).draw((60, 60), seed))
        assert grid.sum() == 36
        assert factor_of(grid).exists


@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 30), seeds)
def test_played_presses_can_be_ordered(rows: int, columns: int, count: int, seed: int) -> None:
    grid = played_backwards((rows, columns), count, np.random.default_rng(seed))
    assert grid.sum() <= count
    assert factor_of(grid).exists


@given(evens, evens, st.integers(-5, 5), densities, seeds)
def test_unbalanced_boards(rows: int, columns: int, half: int, density: float, seed: int) -> None:
    by, family = 2 * half, Family("unbalanced", density, 2 * half)
    if by == 0 or not -columns <= by <= rows:
        with pytest.raises(CannotGenerate):
            family.draw((rows, columns), seed)
        return
    board = family.draw((rows, columns), seed)
    assert surplus(presses_of(board)) == by
    assert known_answer(board).verdict == family.planted.verdict == "impossible"


@given(evens, evens, st.sampled_from([2, 4, 6]), densities, seeds)
def test_cut_boards(rows: int, columns: int, by: int, density: float, seed: int) -> None:
    family = Family("cut", density, by)
    if min(rows, columns) < by + 2:
        with pytest.raises(CannotGenerate, match=f"needs at least {by + 2} rows"):
            family.draw((rows, columns), seed)
        return
    board = family.draw((rows, columns), seed)
    grid = presses_of(board)
    assert surplus(grid) == 0
    factor = factor_of(grid)
    assert factor.rows_half - factor.value >= by // 2
    assert known_answer(board).verdict == family.planted.verdict == "impossible"


@given(
    st.integers(2, 7), st.integers(2, 7), st.integers(-3, 3), st.booleans(), densities, seeds
)  # fmt: skip
def test_balance(rows: int, columns: int, by: int, part: bool, density: float, seed: int) -> None:
    """Only the chosen crossings change, and no more lines than need be."""
    rng = np.random.default_rng(seed)
    grid = rng.random((rows, columns)) < density
    row_numbers = np.arange(rows // 2 if part else rows)
    column_numbers = np.arange(columns // 2 if part else columns)
    odd = grid.sum(axis=1)[row_numbers] % 2, grid.sum(axis=0)[column_numbers] % 2
    now = int(odd[0].sum()) - int(odd[1].sum())
    if (now - by) % 2 or not -column_numbers.size <= by <= row_numbers.size:
        with pytest.raises(ValueError, match="cannot be unbalanced"):
            balance(grid, rng, by, row_numbers, column_numbers)
        return
    changed = balance(grid, rng, by, row_numbers, column_numbers)
    new = changed.sum(axis=1) % 2, changed.sum(axis=0) % 2
    assert int(new[0][row_numbers].sum()) - int(new[1][column_numbers].sum()) == by
    differs = changed ^ grid
    assert not np.delete(differs, row_numbers, axis=0).any()
    assert not np.delete(differs, column_numbers, axis=1).any()
    lines = (new[0][row_numbers] != odd[0]).sum() + (new[1][column_numbers] != odd[1]).sum()
    assert lines == abs(now - by)


# Other patterns, graphs


@pytest.mark.parametrize("pattern", ["plus", "king", "torus-plus", "cross", "stencil 1,1 -1,-1"])
def test_random_boards_by_brute_force(pattern: str) -> None:
    for seed in range(6):
        board = Family(pattern).draw((3, 3), seed)
        assert board.graph.pattern == pattern or pattern.startswith("stencil")
        assert agrees_with_brute_force(board, known_answer(board))


def test_random_graphs_by_brute_force() -> None:
    kinds = set()
    for seed in range(25):
        for family in (Family("graph", edges=0.4), Family("graph", degree=4)):
            board = family.draw((8, 8), seed)
            answer = known_answer(board)
            assert agrees_with_brute_force(board, answer)
            kinds.add(answer.verdict)
    assert {"solved", "impossible"} <= kinds


def test_regular_graphs_are_regular() -> None:
    for size in range(1, 10):
        for degree in range(size + 2):
            if degree >= size or size * degree % 2:
                with pytest.raises(CannotGenerate, match="regular graph"):
                    Family("graph", degree=degree).check((size, size))
                continue
            edges = regular_edges(size, degree, np.random.default_rng(degree))
            assert len(np.unique(edges, axis=0)) == len(edges) == size * degree // 2
            assert (edges[:, 0] < edges[:, 1]).all()
            assert (bincount(edges.reshape(-1), minlength=size) == degree).all()


def test_pairs_are_numbered_without_gaps_or_rounding() -> None:
    assert [tuple(p) for p in _pairs(np.arange(28)).tolist()] == [
        (i, j) for j in range(8) for i in range(j)
    ]
    for j in (10**6, 94_906_267, 2 * 10**9):  # beyond 2^53 the square root is rounded
        first = j * (j - 1) // 2
        assert _pairs(np.array([first - 1, first, first + j - 1])).tolist() == [
            [j - 2, j - 1],
            [0, j],
            [j - 1, j],
        ]


def test_random_edges() -> None:
    rng = np.random.default_rng(1)
    assert [len(random_edges(size, share, rng)) for size, share in ((6, 0), (6, 1), (1, 1))] == [
        0, 15, 0,
    ]  # fmt: skip
    counts = [len(random_edges(200, 0.1, rng)) for _ in range(5)]
    assert len(set(counts)) > 1
    assert all(1700 < count < 2300 for count in counts)  # 1990 ± 42


@pytest.mark.parametrize(
    ("family", "shape", "message"),
    [
        (Family("balanced"), (0, 3), "at least one row"),
        (Family("balanced"), (10**5, 10**5), "too large"),
        (Family("balanced", float("nan")), (3, 3), "density"),
        (Family("balanced", by=2), (4, 4), "not an option"),
        (Family("unbalanced"), (3, 4), "several press sets"),
        (Family("unbalanced", by=3), (4, 4), "never differ"),
        (Family("unbalanced", by=0), (4, 4), "must differ"),
        (Family("cut", by=-2), (4, 4), "positive"),
        (Family("bishop"), (3, 3), "unknown pattern"),
        (Family(" "), (3, 3), "empty"),
        (Family("graph", edges=1.5), (5, 5), "probability"),
        (Family("graph", edges=0.5), (10**5, 10**5), "too many"),
        (Family("graph", DENSITY, None, 2, 0.1), (9, 9), "either a degree"),
        (Family("graph"), (3, 4), "number of nodes"),
    ],
)
def test_what_cannot_be_generated(family: Family, shape: tuple[int, int], message: str) -> None:
    with pytest.raises(ponder.PonderError, match=message) as caught:
        family.draw(shape, 1)
    assert "\n" not in str(caught.value)


def test_the_library_takes_options_as_they_are() -> None:
    density = 0.123456789
    board = ponder.generate("plus", (30, 40), seed=3, density=density)
    assert board == Family("plus", density).draw((30, 40), 3)
    assert ponder.generate("toggles 0,1", 3).graph.pattern == "toggles 0,1"


@pytest.mark.parametrize(
    ("family", "options", "message"),
    [
        ("plus", {"densty": 0.5}, "option: unknown option 'densty'"),
        ("plus", {"boards": 3}, "option: unknown option 'boards'"),
        ("plus", {"density": "0.5"}, "density: '0.5' is not a number"),
        ("plus", {"density": None}, "density: None is not a number"),
        ("unbalanced", {"by": [2]}, r"by: \[2\] is not a whole number"),
        ("graph", {"degree": 3.5}, "degree: 3.5 is not a whole number"),
        ("graph", {"edges": True}, "edges: True is not a number"),
        ("plus:9x9:density=0.1", {}, "unknown pattern 'plus:9x9"),
        ("a\x1b[31m", {"by": 2}, r"by is not an option of the family a\\x1b\[31m$"),
        ("torus-toggles 0,1 0,0", {}, "a grid of torus-toggles has at most 30,000,000 wires"),
    ],
)
def test_other_options_of_the_library_are_refused(family: str, options: Any, message: str) -> None:
    with pytest.raises(ponder.PonderError, match=f"^{message}"):
        ponder.generate(family, (6000, 6000), **options)


# The command


def here(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Run `ponder generate …` in this process: (exit code, standard output, standard error)."""
    code = run(["generate", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["balanced", "--size", "3x5", "--density", "0.25"],
        ["unbalanced", "--size", "4x6", "--by", "-4"],
        ["plus", "--size", "4x5", "--pattern", "stencil 1,2 -1,-2"],
        ["--difficulty", "hard", "--seed", "4"],
    ],
)
def test_a_board_says_how_it_is_made_and_what_is_known(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    code, text, err = here(capsys, *arguments)
    assert (code, err) == (0, "")
    command, answer = [line for line in text.splitlines() if not line.startswith("# grade")][:2]
    board = ponder.parse_board(text)
    assert answer == f"# answer: {known_answer(board).text}"
    words = shlex.split(command.removeprefix("# "))
    assert words[:2] == ["ponder", "generate"]
    assert here(capsys, *words[2:])[1] == text


def test_a_graded_set(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    arguments = ["cut", "--size", "4..8", "--count", "2", "--seed", "5"]
    folder = tmp_path / "deep" / "cuts"
    assert here(capsys, *arguments, "-o", str(folder))[0] == 0
    entries = json.loads((folder / "manifest.json").read_text())["boards"]
    assert [(entry["size"], entry["seed"]) for entry in entries] == [
        (size, seed) for size in ("4x4", "6x6", "8x8") for seed in (5, 6)
    ]
    for entry in entries:
        path = folder / entry["file"]
        assert entry["sha256"] == ponder.read(path).sha256
        assert (entry["verdict"], entry["claim"]) == ("impossible", "C2")
        assert here(capsys, *shlex.split(entry["command"])[2:])[1] == path.read_text()


@pytest.mark.parametrize(
    "arguments",
    [
        ["balanced"],
        ["chess", "--size", "4"],
        ["balanced", "--size", "4,6"],
        ["graph", "--size", "9", "--degree", "3"],
        ["balanced", "--size", "99999"],
        ["cut", "--size", "7"],
        ["plus", "--size", "4", "--pattern", "stencil 0,1"],
    ],
)
def test_bad_options_are_one_clear_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    code, out, err = here(capsys, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("ponder: ")
