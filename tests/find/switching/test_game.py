"""Press sets that differ by patterns of whole lines: the fewest presses, and what proves them.

Every game against all its choices, every board against all its press sets.
"""

from __future__ import annotations

import itertools
import json
from functools import partial
from typing import Any

import numpy as np
import pytest

import ponder
from ponder.check.evidence.switching_blocks import SwitchingBlocks
from ponder.check.limits import TooLarge
from ponder.check.verification import check_bound, verify
from ponder.find.cosets.coset import transform
from ponder.find.linear.press_sets import PressSets
from ponder.find.switching import switching_blocks
from ponder.find.switching.gale_berlekamp import Game, SwitchableLines, play
from ponder.find.switching.meet_in_the_middle import Half, Pair, all_sums
from ponder.find.switching.switching_blocks import _parts, blocks_bound
from ponder.model.graph import EdgeGraph, grid_graph
from ponder.system.errors import CheckFailed
from ponder.system.types import Bits, Json
from tests.bounding import accepted, half_pressed, sets_of, solvable, spent, spoilt
from tests.clocks import stopping

WIDE = "stencil 0,2 0,-2 2,0 -2,0 2,2 -2,-2 2,-2 -2,2"
"""King with steps of two: interleaved boards, whose patterns have no line in common."""
FAR = "stencil " + " ".join(f"{r},{c}" for r in (-2, -1, 0, 1, 2) for c in (-1, 0, 1) if r or c)
"""Five rows up and down: on some boards more than two patterns are linked."""


def weights_of(sets: PressSets) -> Any:
    """All weights, one member after the other."""
    for chosen in itertools.product([False, True], repeat=sets.nullity):
        yield int(np.count_nonzero(sets.member(np.array(chosen, dtype=bool))))


@pytest.mark.parametrize("shape", [(2, 2), (2, 5), (5, 5), (8, 2), (2, 3), (4, 5), (3, 3), (5, 7)])
@pytest.mark.parametrize("pattern", ["king", "cross"])
def test_king_and_cross_boards_are_exact(pattern: str, shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(1)
    for _ in range(5):
        board = solvable(grid_graph(pattern, shape), rng)
        sets = sets_of(board)
        best = blocks_bound(board, sets.particular)
        assert best is not None
        assert best.optimal
        assert best.count == min(weights_of(sets))
        accepted(board, best.lower_bound, best.evidence)


def test_blocks_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A block that is too large for two halves is bounded in parts, which is less but holds."""
    monkeypatch.setattr(switching_blocks, "MOST_PAIRS", 60)
    board = solvable(grid_graph("king", (20, 23)), np.random.default_rng(2))
    best = blocks_bound(board, sets_of(board).particular)
    assert best is not None
    assert isinstance(best.evidence, SwitchingBlocks)
    assert len(best.evidence.blocks) > 4
    accepted(board, best.lower_bound, best.evidence)
    monkeypatch.undo()
    whole = blocks_bound(board, sets_of(board).particular)
    assert whole is not None
    assert whole.optimal
    assert best.lower_bound is not None
    assert whole.lower_bound is not None
    assert 0.8 * whole.lower_bound < best.lower_bound <= whole.lower_bound


def test_a_block_of_thousands_of_lines_has_parts() -> None:
    """The pairs of its halves are no number that a machine has: rule any, row/column 1999×1999."""
    assert _parts(1999, 1999, 1 << 31)[1] == 1
    assert _parts(1999, 1999, 1 << 31)[0] > 90
    assert _parts(51, 51, 1 << 28) == (3, 2)
    assert _parts(1, 100_000, 1 << 31) == (1, 1)


@pytest.mark.parametrize("pattern", ["king", "cross"])
def test_parts_that_overlap(monkeypatch: pytest.MonkeyPatch, pattern: str) -> None:
    """All but one part of the rows, in turn, each counted for a half; against the whole game."""
    monkeypatch.setattr(switching_blocks, "_parts", lambda height, width, pairs: (3, 2))
    proved = 0
    for seed in range(4):
        board = half_pressed(pattern, (11, 11), seed)
        best = blocks_bound(board, sets_of(board).particular)
        assert best is not None
        assert isinstance(best.evidence, SwitchingBlocks)
        assert best.lower_bound is not None
        assert any(block.times == 2 for block in best.evidence.blocks)
        accepted(board, best.lower_bound, best.evidence)
        with monkeypatch.context() as whole:
            whole.setattr(switching_blocks, "_parts", lambda height, width, pairs: (1, 1))
            exact = blocks_bound(board, sets_of(board).particular)
            whole.setattr(
                switching_blocks, "_parts", lambda height, *_: (2, 1) if height > 5 else (1, 1)
            )
            apart = blocks_bound(board, sets_of(board).particular)
        assert exact is not None
        assert exact.optimal
        assert apart is not None
        assert best.lower_bound <= (exact.lower_bound or 0)
        proved += best.lower_bound - (apart.lower_bound or 0)
        evidence: Any = best.evidence.to_json(board)
        of_parts = [block for block in evidence["blocks"] if block.get("times") == 2]
        for k in range(1, len(of_parts)):
            at = evidence["blocks"].index(of_parts[k])

            def put(wrong: Any, at: int = at, times: object = 1) -> None:
                wrong["blocks"][at]["times"] = times

            spoilt(board, best.lower_bound, evidence, put, "in common")
            spoilt(board, best.lower_bound, evidence, lambda x: put(x, at, 0), "is 0")  # noqa: B023
            spoilt(board, best.lower_bound, evidence, lambda x: put(x, at, 9), "1/9")  # noqa: B023
    assert proved > 0


def test_other_boards_have_no_blocks() -> None:
    holes = np.arange(25).reshape(5, 5) != 7
    for graph in (*(grid_graph(p, (5, 5)) for p in ("plus", "torus-plus")), EdgeGraph(3, [(0, 1)])):
        board = solvable(graph, np.random.default_rng(3))
        assert blocks_bound(board, sets_of(board).particular) is None
    for pattern in ("king", "cross"):
        board = solvable(grid_graph(pattern, (5, 5), holes), np.random.default_rng(3))
        assert blocks_bound(board, sets_of(board).particular) is None


TORI = [(3, 3), (3, 6), (6, 3), (6, 6), (3, 9), (3, 4), (5, 6), (4, 12)]


@pytest.mark.parametrize("shape", TORI)
def test_tori_of_king_are_exact(shape: tuple[int, int]) -> None:
    """Two patterns of period 3 and their sum: against the weights of the whole coset."""
    rng = np.random.default_rng(shape[0] + 20 * shape[1])
    for _ in range(5):
        board = solvable(grid_graph("torus-king", shape), rng)
        sets = sets_of(board)
        best = blocks_bound(board, sets.particular)
        assert best is not None
        assert best.optimal
        assert best.count == transform(sets).lightest().weight
        assert best.presses is not None
        assert np.array_equal(board.graph.apply(board.graph.set_of(best.presses)), board.change)
        accepted(board, best.lower_bound, best.evidence)


@pytest.mark.parametrize("shape", [(4, 4), (5, 4), (4, 6), (6, 5)])
@pytest.mark.parametrize("pattern", [WIDE, FAR])
def test_other_products(pattern: str, shape: tuple[int, int]) -> None:
    """Patterns that fall into parts, or of which more are linked than a game takes."""
    rng = np.random.default_rng(3)
    for _ in range(5):
        board = solvable(grid_graph(pattern, shape), rng)
        sets = sets_of(board)
        best = blocks_bound(board, sets.particular)
        assert best is not None
        assert best.lower_bound is not None
        least = transform(sets).lightest().weight
        assert best.lower_bound == least if pattern == WIDE else best.lower_bound <= least
        accepted(board, best.lower_bound, best.evidence)


def test_a_larger_torus_of_king() -> None:
    """Nullity 44: proved for any order, and a bound for legal ones; the checker agrees."""
    board = half_pressed("torus-king", (12, 12))
    result = ponder.solve(board)
    assert result.optimal
    assert result.bound is not None
    assert result.bound["kind"] == "switching-blocks"
    assert verify(board, json.loads(json.dumps(result.to_json()))).complete
    played = ponder.Board(board.graph, board.lit, board.goal)
    for command in (ponder.solve, ponder.order):
        found = command(played, timeout=stopping(2000))
        assert found.lower_bound is not None
        assert found.lower_bound >= (result.count or 0)
        report = verify(played, json.loads(json.dumps(found.to_json())))
        assert not [s for s in report.statements if "fewer than" in s.text and s.unchecked]


def test_a_torus_without_room_for_halves(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is left are blocks of rows and columns that are alike: a bound that holds."""
    board = half_pressed("torus-king", (9, 12))
    whole = blocks_bound(board, sets_of(board).particular)
    monkeypatch.setattr(switching_blocks, "MOST_PAIRS", 60)
    parts = blocks_bound(board, sets_of(board).particular)
    assert whole is not None
    assert parts is not None
    assert isinstance(parts.evidence, SwitchingBlocks)
    assert len(parts.evidence.blocks) == 3  # strips of rows
    assert 0 < (parts.lower_bound or 0) <= (whole.lower_bound or 0)
    accepted(board, parts.lower_bound, parts.evidence)


# -------------------------------------------------------------------------------------- the game


ONE, PERIOD = np.ones((1, 12), dtype=bool), np.array([[1, 1, 0] * 4, [1, 0, 1] * 4], dtype=bool)


def ends(grid: Bits, basis: Bits, across: Bits) -> Any:
    """All grids that patterns of the rows, sums of `basis`, and of the columns lead to."""
    height, width = grid.shape

    def sums(some: Bits) -> list[Bits]:
        made = [np.zeros(some.shape[1], dtype=bool)]
        for one in some:
            made += [other ^ one for other in made]
        return made

    of_rows, of_columns = sums(basis), sums(across)
    for y in itertools.product(of_rows, repeat=height):
        added = grid ^ np.array(y)
        # every column for itself: the best of its patterns
        yield sum(
            min(int(np.count_nonzero(added[:, j] ^ x)) for x in of_columns) for j in range(width)
        )


@pytest.mark.parametrize(
    ("basis", "across"), [(ONE, ONE), (PERIOD, PERIOD), (ONE, PERIOD), (PERIOD, ONE)]
)
@pytest.mark.parametrize("shape", [(3, 3), (4, 3), (3, 5), (5, 6)])
def test_the_switching_game(shape: tuple[int, int], basis: Bits, across: Bits) -> None:
    rng = np.random.default_rng(7)
    basis, across = basis[:, : shape[1]], across[:, : shape[0]]
    for density in (0.1, 0.5, 0.9):
        grid = rng.random(shape) < density
        least = min(ends(grid, basis, across))
        game = Game(grid, SwitchableLines.of(across), SwitchableLines.of(basis))
        played = play(game)
        assert played.ones == played.least == least
        for most_pairs in (0, 1, 5):
            few = play(game, most_pairs=most_pairs)
            assert few.least <= least <= few.ones


def test_games_have_at_most_two_patterns() -> None:
    three = SwitchableLines.of(np.eye(3, dtype=bool))
    with pytest.raises(ValueError, match="the patterns of a game"):
        Game(np.zeros((3, 3), dtype=bool), three, three)


def test_pairs_with_fewer_columns_first() -> None:
    """Every choice of signs with a large sum is found, whatever columns come first."""
    rng = np.random.default_rng(5)
    signs = np.where(rng.random((12, 17)) < 0.5, -1, 1).astype(np.int8)
    options = np.stack([signs, -signs], axis=1)
    halves = [
        Half.of(np.arange(1 << 6), all_sums(part), np.zeros(1 << 6, dtype=np.int32), 12)
        for part in (options[:6], options[6:])
    ]
    pair = Pair(halves[0], halves[1], 12)
    u = 1 - 2 * (np.arange(1 << 12)[:, None] >> np.arange(12) & 1)
    sizes = np.abs(u @ signs).sum(axis=1)
    for needed in (int(sizes.max()), int(sizes.max()) - 10, int(np.median(sizes))):
        codes: list[int] = []
        for _, outer, inner in pair.scan(partial(int, needed)):
            codes += (outer | inner << 6).tolist()
        assert sorted(codes) == np.flatnonzero(sizes >= needed).tolist()
        assert pair.count(needed) >= len(codes)


# ---------------------------------------------------------------------------------- spoilt evidence


def test_spoilt_blocks() -> None:
    board = half_pressed("king", (8, 8))
    best = blocks_bound(board, sets_of(board).particular)
    assert best is not None
    assert best.evidence is not None
    assert best.lower_bound is not None
    bound, evidence = best.lower_bound, best.evidence.to_json(board)

    def put(k: int, key: str, value: object) -> Any:
        def change(wrong: Json) -> None:
            wrong["blocks"][k][key] = value  # type: ignore[index]

        return change

    blocks = evidence["blocks"]
    assert isinstance(blocks, list)
    game = next(
        k for k, block in enumerate(blocks) if len(block["rows"]) * len(block["columns"]) > 30
    )
    for k, block in enumerate(blocks):
        spoilt(board, bound, evidence, put(k, "least", block["least"] + 1), "may have .* presses")
    spoilt(board, bound, evidence, put(game, "rows", [0, 1, 2]), "in common|profiles")
    spoilt(board, bound, evidence, put(game, "rows", [0, 0]), "names a line twice")
    spoilt(board, bound, evidence, put(game, "columns", [8]), "there is no line 8")
    spoilt(board, bound, evidence, put(game, "least", 0), "proves")

    def twice(wrong: Json) -> None:
        wrong["blocks"].append(wrong["blocks"][game])  # type: ignore[attr-defined, index]

    spoilt(board, bound, evidence, twice, "two blocks have a cell in common")
    whole = {"rows": [*range(8)], "columns": [*range(8)], "least": 0}
    spoilt(board, 0, evidence, lambda wrong: wrong.update(blocks=[whole]), "profiles")
    plus = solvable(grid_graph("plus", (8, 8)), np.random.default_rng(1))
    with pytest.raises(CheckFailed, match="not a product of rows and columns"):
        check_bound(plus, "solve", bound, evidence)
    with pytest.raises(TooLarge):
        check_bound(board, "solve", bound, evidence, spent())


@pytest.mark.parametrize("shape", [(6, 6), (6, 9), (9, 3)])
def test_forged_blocks_of_tori(shape: tuple[int, int]) -> None:
    """A claim that is higher by one is refused, and so are lines that do not go together."""
    board = half_pressed("torus-king", shape, 4)
    best = blocks_bound(board, sets_of(board).particular)
    assert best is not None
    assert best.lower_bound is not None
    assert best.evidence is not None
    evidence: Any = best.evidence.to_json(board)
    block = evidence["blocks"][0]

    def rejected(reason: str, bound: int = 0, **fields: object) -> None:
        wrong: Json = {"kind": "switching-blocks", "blocks": [{**block, **fields}]}
        with pytest.raises(CheckFailed, match=reason):
            check_bound(board, "solve", bound, wrong)

    rejected("may have .* presses, fewer", best.lower_bound + 1, least=block["least"] + 1)
    rejected("proves", best.lower_bound, least=block["least"] - 2)
    rejected("proves", best.lower_bound + 2)
    part: Json = {"kind": "switching-blocks", "blocks": [{**block, "rows": [0, 1, 3], "least": 0}]}
    parity = int(np.count_nonzero(sets_of(board).particular)) % 2
    assert check_bound(board, "solve", parity, part) is None
    with pytest.raises(TooLarge):
        check_bound(board, "solve", best.lower_bound, evidence, spent())


def test_blocks_with_too_many_patterns_are_refused() -> None:
    """Three profiles that are independent: no such block is known."""
    rng = np.random.default_rng(1)
    board = solvable(grid_graph(WIDE.replace("2", "3"), (6, 6)), rng)
    whole = {"rows": [*range(6)], "columns": [*range(6)], "least": 0}
    with pytest.raises(CheckFailed, match="three profiles of a block do not sum to 0"):
        check_bound(board, "solve", 0, {"kind": "switching-blocks", "blocks": [whole]})


def test_the_least_of_any_part_of_a_torus() -> None:
    """The checker's minimum is that of all choices: blocks of some rows and columns."""
    rng = np.random.default_rng(8)
    board = half_pressed("torus-king", (9, 9))
    grid = sets_of(board).particular.reshape(9, 9)
    for _ in range(8):
        rows = np.sort(rng.choice(9, rng.integers(1, 5), replace=False))
        columns = np.sort(rng.choice(9, rng.integers(1, 7), replace=False))
        profiles = np.array([[1, 1, 0] * 3, [0, 1, 1] * 3], dtype=bool)
        cells = grid[np.ix_(rows, columns)]
        least = min(ends(cells, profiles[:, columns], profiles[:, rows]))
        block = {"rows": rows.tolist(), "columns": columns.tolist(), "least": least}
        parity = (least + np.count_nonzero(grid)) % 2
        bound: Json = {"kind": "switching-blocks", "blocks": [block]}
        assert check_bound(board, "solve", least + parity, bound) is None
        block["least"] = least + 1
        with pytest.raises(CheckFailed, match="may have"):
            check_bound(board, "solve", least + 1, bound)
