"""Odd-sized row/column boards: press set and half factor, against everything slower."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from functools import cache, partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ponder.check import verification
from ponder.check.evidence.coset import CosetRefuted, LighterRefuted
from ponder.check.evidence.spectral import Spectral
from ponder.check.evidence.switches import Switches
from ponder.check.evidence.switching_blocks import SwitchingBlocks
from ponder.check.evidence.weighted_cuts import LineParities, WeightedCuts
from ponder.check.kinds import Refutation
from ponder.check.switches import IMPOSSIBLE
from ponder.find.search.context import SearchContext
from ponder.find.search.outcome import BoundByWord, Chosen, IntegerModel, SearchOutcome
from ponder.find.switching import choose as choosing
from ponder.find.switching import spectral_bound, weighted_cuts
from ponder.find.switching.choose import choose
from ponder.find.switching.count_bound import Halves
from ponder.find.switching.rectangle import Rectangle
from ponder.model.board import Board
from ponder.model.graph import CrossGraph
from ponder.system.limits import Limits
from ponder.system.types import Bits
from tests import brute
from tests.boards import cross_pressed
from tests.depth import deep

Shape = tuple[int, int]
THIN = [(1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (1, 6), (7, 1), (2, 3), (3, 2)]


def solve(presses: Bits, once: bool, **options: Any) -> SearchOutcome | Refutation:
    context = SearchContext(**options)
    return choose(cross_pressed(presses), presses.reshape(-1), once=once, context=context)


def coset(presses: Bits) -> Iterator[Bits]:
    """All press sets of the same board, one by one, by even row and column switches."""
    rows, columns = presses.shape
    row_switches = itertools.product([False, True], repeat=rows if columns % 2 else 0)
    for u in row_switches:
        for v in itertools.product([False, True], repeat=columns if rows % 2 else 0):
            if sum(u) % 2 == 0 and sum(v) % 2 == 0:
                yield presses ^ np.array(u or [False])[:, None] ^ np.array(v or [False])


def odd_lines(presses: Bits) -> tuple[int, int]:
    return int((presses.sum(axis=1) % 2).sum()), int((presses.sum(axis=0) % 2).sum())


def flow(presses: Bits) -> int:
    """The maximum flow of theory §4.5, by augmenting paths."""
    rows, columns = presses.shape
    used = np.zeros_like(presses)
    value = 0
    while True:
        starts = [i for i in range(rows) if used[i].sum() < presses[i].sum() // 2]
        parent: dict[int, int] = dict.fromkeys(starts, -1)
        queue = list(starts)
        end = None
        for node in queue:
            if node >= rows and used[:, node - rows].sum() < presses[:, node - rows].sum() // 2:
                end = node
                break
            if node < rows:
                near = [rows + j for j in range(columns) if presses[node, j] > used[node, j]]
            else:
                near = [i for i in range(rows) if used[i, node - rows]]
            for other in near:
                if other not in parent:
                    parent[other] = node
                    queue.append(other)
        if end is None:
            return value
        value += 1
        while parent[end] >= 0:
            before = parent[end]
            i, j = (before, end - rows) if before < rows else (end, before - rows)
            used[i, j] ^= True
            end = before


def excess(presses: Bits) -> int:
    """H_R + H_C − 2f."""
    halves = presses.sum(axis=1) // 2, presses.sum(axis=0) // 2
    return int(halves[0].sum() + halves[1].sum()) - 2 * flow(presses)


def least(presses: Bits, once: bool) -> int | None:
    """The answer by going through the whole coset."""
    best = None
    for x in sorted(coset(presses), key=lambda x: int(x.sum())):
        if best is not None and x.sum() >= best:
            break
        deficit = excess(x)
        if not (once and deficit):
            cost = int(x.sum()) + 2 * deficit
            best = cost if best is None else min(best, cost)
    return best


def check(presses: Bits, once: bool, answer: SearchOutcome | Refutation) -> int | None:
    """Check everything that an answer on a small board claims; return the least cost."""
    board = cross_pressed(presses)
    if isinstance(answer, Chosen):
        x = answer.press_set.reshape(presses.shape)
        assert np.array_equal(board.graph.apply(answer.press_set), board.change)
        deficit = excess(x)
        assert answer.cost == x.sum() + 2 * deficit
        assert not (once and deficit)
        assert answer.cost == answer.lower_bound
        check_bound(presses, once, answer.lower_bound, answer.evidence.to_json(board))
        return answer.cost
    assert isinstance(answer, Refutation)
    assert once
    assert answer.sentence(board)
    check_refutation(presses, answer)
    return None


def penalty(presses: Bits, cut: list[int]) -> int:
    """2(H_R + H_C − 2·cut) for the rows X of the cut."""
    outside = [i for i in range(len(presses)) if i not in cut]
    in_row, in_column = presses.sum(axis=1) // 2, presses.sum(axis=0) // 2
    size = in_row[outside].sum() + np.minimum(in_column, presses[cut].sum(axis=0)).sum()
    return int(2 * (in_row.sum() + in_column.sum() - 2 * size))


def check_bound(presses: Bits, once: bool, bound: int, evidence: dict[str, object]) -> None:
    """Check the evidence against every press set of the coset, one by one."""
    match evidence:
        case {"kind": "switches", "side": side, "raised": list(raised)}:
            turned = side == "columns"
            cuts = {tuple(item["odd_lines"]): item for item in raised}
            for x in coset(presses):
                k_r, k_c = odd_lines(x)
                counted = int(x.sum()) + abs(k_r - k_c)
                if (once and k_r != k_c) or counted >= bound:
                    continue
                odd = np.flatnonzero(x.sum(axis=0 if turned else 1) % 2)
                item = cuts[tuple(odd.tolist())]
                weights = [cut["weight"] for cut in item["cuts"]]
                assert min(weights) > 0
                assert once or sum(weights) <= item["divisor"]
                value = item["divisor"] * int(x.sum())
                value += (item["divisor"] - sum(weights)) * abs(k_r - k_c)
                for cut in item["cuts"]:
                    value += cut["weight"] * penalty(x.T if turned else x, cut["lines"])
                assert value > (bound - 2) * item["divisor"]
        case {"kind": "coset", "parts": list(parts)}:
            listed = {tuple(part["press_counts"]): part for part in parts}
            for x in coset(presses):
                k_r, k_c = odd_lines(x)
                if (once and k_r != k_c) or x.sum() + abs(k_r - k_c) >= bound:
                    continue
                cut = listed[tuple("".join(str(int(bit)) for bit in row) for row in x)]
                lines = cut["rows"] if cut["side"] == "rows" else cut["columns"]
                missing = penalty(x if cut["side"] == "rows" else x.T, lines)
                assert cut["need"] > cut["room"]
                assert missing > 0 if once else x.sum() + missing >= bound
        case _:
            pytest.fail(f"a small board has evidence of kind {evidence['kind']}")


def check_refutation(presses: Bits, refutation: Refutation) -> None:
    """Check a refutation against every press set of the coset, one by one."""
    form: dict[str, Any] = refutation.to_json(cross_pressed(presses))
    match form:
        case {"kind": "line-parities", "side": side, "odd_lines": odd, "others": others}:
            assert len(odd) > others
            for x in coset(presses):
                x = x if side == "rows" else x.T
                assert np.flatnonzero(x.sum(axis=1) % 2).tolist() == odd
                assert x.shape[1] == others
        case {"kind": "weighted-cuts", "side": side, "cuts": cuts}:
            for x in coset(presses):
                x = x if side == "rows" else x.T
                k_r, k_c = odd_lines(x)
                if k_r == k_c:
                    assert sum(cut["weight"] * penalty(x, cut["lines"]) for cut in cuts) > 0
        case {"kind": "coset", "press_sets": count, "parts": parts}:
            listed = {tuple(part["press_counts"]): part for part in parts}
            press_sets = list(coset(presses))
            assert len(press_sets) == count
            for x in press_sets:
                k_r, k_c = odd_lines(x)
                if k_r == k_c:
                    cut = listed[tuple("".join(str(int(bit)) for bit in row) for row in x)]
                    lines = cut["rows"] if cut["side"] == "rows" else cut["columns"]
                    assert penalty(x if cut["side"] == "rows" else x.T, lines) > 0
        case other:
            pytest.fail(f"a small board is refuted by {other['kind']}")


@cache
def orderable(shape: Shape, presses: int) -> bool:
    members = [i for i in range(shape[0] * shape[1]) if presses >> i & 1]
    place = {bulb: i for i, bulb in enumerate(members)}
    pairs = [
        (place[a], place[b])
        for a, b in brute.grid_edges(*shape, "cross")
        if a in place and b in place
    ]
    return brute.orderable(len(members), pairs)


def number(presses: Bits) -> int:
    return sum(1 << i for i, bit in enumerate(presses.reshape(-1).tolist()) if bit)


def representatives(shape: Shape) -> Iterator[tuple[Bits, list[int]]]:
    """One press set of every solvable board of a shape, and the numbers of all of them."""
    graph = CrossGraph(shape)
    boards: dict[bytes, list[int]] = {}
    for code in range(1 << graph.size):
        bits = (code >> np.arange(graph.size) & 1).astype(bool)
        boards.setdefault(graph.apply(bits).tobytes(), []).append(code)
    for codes in boards.values():
        yield (codes[-1] >> np.arange(graph.size) & 1).astype(bool).reshape(shape), codes


def check_every_board(shape: Shape) -> None:
    """With repeats and without, every solvable board has what brute force finds."""
    size = shape[0] * shape[1]
    distance = brute.distances(size, brute.grid_edges(*shape, "cross"), (1 << size) - 1)
    for presses, codes in representatives(shape):
        by_size = sorted(codes, key=int.bit_count)
        expected = next((c.bit_count() for c in by_size if orderable(shape, c)), None)
        assert check(presses, True, solve(presses, True)) == expected
        start = number(cross_pressed(presses).lit)
        assert check(presses, False, solve(presses, False)) == distance[start]


@pytest.mark.parametrize("shape", [*THIN, *deep((3, 3), (3, 4), (4, 3))])
def test_every_solvable_board(shape: Shape) -> None:
    check_every_board(shape)


@pytest.mark.deep
@pytest.mark.parametrize("shape", [(2, 5), (5, 2), (1, 9), (3, 5), (5, 3)])
def test_more_solvable_boards(shape: Shape) -> None:
    check_every_board(shape)


@pytest.mark.deep
def test_4x5_against_exhaustive_search() -> None:
    distance = brute.distances(20, brute.grid_edges(4, 5, "cross"), (1 << 20) - 1)
    random = np.random.default_rng(45)
    for _ in range(300):
        presses = random.random((4, 5)) < random.random()
        start = number(cross_pressed(presses).lit)
        assert check(presses, False, solve(presses, False)) == distance[start]


def test_once_5x5_against_subset_search() -> None:
    random = np.random.default_rng(55)
    for _ in range(30):
        presses = random.random((5, 5)) < random.random()
        by_size = sorted(coset(presses), key=lambda x: int(x.sum()))
        expected = next(int(x.sum()) for x in by_size if orderable((5, 5), number(x)))
        assert check(presses, True, solve(presses, True)) == expected


SHAPES = [(3, 3), (3, 5), (5, 3), (5, 5), (3, 6), (4, 5), (5, 4), (2, 7), (7, 4), (5, 8), (1, 8)]


@st.composite
def press_sets(draw: st.DrawFn) -> Bits:
    """Press sets of all densities, some with few kinds of rows."""
    rows, columns = draw(st.sampled_from(SHAPES))
    lines = st.lists(st.booleans(), min_size=columns, max_size=columns)
    kinds = draw(st.lists(lines, min_size=1, max_size=3))
    noise = draw(st.sets(st.tuples(st.integers(0, rows - 1), st.integers(0, columns - 1))))
    presses = np.array([draw(st.sampled_from(kinds)) for _ in range(rows)], dtype=bool)
    for cell in noise:
        presses[cell] ^= True
    return presses


@settings(max_examples=80)
@given(press_sets(), st.booleans())
def test_against_the_whole_coset(presses: Bits, once: bool) -> None:
    assert check(presses, once, solve(presses, once)) == least(presses, once)


def switches_of(grid: Bits, presses: Bits) -> tuple[Bits, Bits]:
    """The even row and column switches (u, v) that turn one press set into the other."""
    change = grid ^ presses
    u, v = change[:, 0] ^ change[0, 0], change[0]
    # (u, v) and its complement are the same; where only one kind may be switched, the other is 0
    return (~u, ~v) if u.sum() % 2 or v.sum() % 2 else (u, v)


@pytest.mark.parametrize("once", [True, False])
@pytest.mark.parametrize("shape", [(9, 9), (11, 15), (15, 16), (10, 7), (3, 40), (31, 5)])
@pytest.mark.parametrize("density", [0.07, 0.5])
def test_midsize_answers_are_consistent(shape: Shape, density: float, once: bool) -> None:
    """The cost is right for the press set, and no better press set is a few switches away."""
    random = np.random.default_rng(7)
    presses = random.random(shape) < density
    answer = solve(presses, once)
    if isinstance(answer, Refutation):
        assert isinstance(answer, LineParities)
        return
    assert isinstance(answer, Chosen)
    assert answer.cost == answer.lower_bound
    x = answer.press_set.reshape(shape)
    u, v = switches_of(presses, x)
    assert np.array_equal(presses ^ u[:, None] ^ v, x)
    assert u.sum() % 2 == v.sum() % 2 == 0
    assert shape[1] % 2 == 1 or not u.any()
    assert shape[0] % 2 == 1 or not v.any()
    assert answer.cost == x.sum() + 2 * excess(x)
    for _ in range(200):
        other = x.copy()
        if shape[1] % 2 and shape[0] > 1:
            other[random.choice(shape[0], 2, replace=False)] ^= True
        if shape[0] % 2 and shape[1] > 1:
            other[:, random.choice(shape[1], 2, replace=False)] ^= True
        k_r, k_c = odd_lines(other)
        if int(other.sum()) + abs(k_r - k_c) < answer.cost:
            assert excess(other) > 0
            assert once or other.sum() + 2 * excess(other) >= answer.cost


NEEDS_CUTS = np.array(
    [
        [0, 0, 0, 0],
        [1, 1, 1, 1],
        [0, 0, 0, 0],
        [0, 0, 1, 0],
        [0, 0, 0, 1],
        [0, 0, 0, 1],
        [0, 0, 0, 1],
    ],
    dtype=bool,
)


RAISED = np.array([[0, 0, 0, 1], [0, 0, 0, 1], [1, 1, 1, 1]], dtype=bool)


@pytest.mark.parametrize("once", [True, False])
def test_cuts_raise_the_bound(once: bool) -> None:
    random = np.random.default_rng(77)
    raised = 0
    for _ in range(6):
        presses = random.random((7, 7)) < 0.12
        answer = solve(presses, once)
        check(presses, once, answer)
        assert isinstance(answer, Chosen)
        assert isinstance(answer.evidence, Switches)
        raised += bool(answer.evidence.raised)
    assert raised


@pytest.mark.parametrize("turned", [False, True])
def test_refuted_by_weighted_cuts(turned: bool) -> None:
    presses = NEEDS_CUTS.T if turned else NEEDS_CUTS
    answer = solve(presses, True)
    assert isinstance(answer, WeightedCuts)
    assert check(presses, True, answer) is None
    assert least(presses, True) is None


@pytest.mark.parametrize("turned", [False, True])
def test_without_weights_the_coset_is_listed(turned: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weighted_cuts, "weigh", lambda *_, **__: None)
    presses = NEEDS_CUTS.T if turned else NEEDS_CUTS
    answer = solve(presses, True)
    assert isinstance(answer, CosetRefuted)
    assert answer.parts
    check(presses, True, answer)
    raised = RAISED.T if turned else RAISED
    found = solve(raised, False)
    assert isinstance(found, Chosen)
    assert isinstance(found.evidence, LighterRefuted)
    assert check(raised, False, found) == least(raised, False)
    monkeypatch.setattr(weighted_cuts, "LOG2_LISTED", 0)
    answer = solve(presses, True)
    assert isinstance(answer, IntegerModel)
    assert answer.to_json(cross_pressed(presses))["log2_press_sets"] == 3
    assert answer.sentence(cross_pressed(presses))
    found = solve(raised, False)
    assert isinstance(found, Chosen)
    assert isinstance(found.evidence, BoundByWord)


def test_refuted_by_line_parities() -> None:
    presses = np.zeros((5, 2), dtype=bool)
    presses[:4, 0] = True
    answer = solve(presses, True)
    assert isinstance(answer, LineParities)
    assert answer.others == 2
    assert answer.odd_lines.tolist() == [0, 1, 2, 3]
    assert "only 2 columns" in answer.sentence(cross_pressed(presses))
    check(presses, True, answer)


@pytest.mark.parametrize("shape", [(3, 3), (5, 9), (9, 9), (11, 13)])
@pytest.mark.parametrize("multiplier", [-2, 0, 1, 5])
def test_two_halves_leave_no_class_out(shape: Shape, multiplier: int) -> None:
    """The pairs that stay are the parity classes of a low priced bound, neither more nor fewer."""
    rows, columns = shape
    rectangle = Rectangle.of(np.random.default_rng(rows * columns).random(shape) < 0.4)
    u = np.array([u for u in itertools.product([False, True], repeat=rows) if sum(u) % 2 == 0])
    extra = rectangle.extra(u)
    k_r = np.count_nonzero(rectangle.parities_under(u), axis=1)
    priced = (columns * (rows + multiplier) - np.abs(extra + multiplier).sum(axis=1)) / 2
    priced -= multiplier * k_r
    halves = Halves(rectangle, multiplier)
    for cost in (int(priced.min()), int(priced.min()) + 4, int(np.median(priced)), IMPOSSIBLE):
        batches = list(halves.scan(lambda cost=cost: cost))  # type: ignore[misc]
        found = {row.tobytes() for _, batch in batches for row in batch}
        assert found == {row.tobytes() for row in u[priced <= cost - 2]}
        looked_at = sum(pairs for pairs, _ in batches)
        assert looked_at >= halves.count(cost) >= np.count_nonzero(priced <= cost - 2)
    assert halves.count(int(priced.min())) < len(u)


def test_a_bound_with_fewer_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are too many pairs for the cost, as many as may be prove a lower bound."""
    presses = np.random.default_rng(1).random((15, 15)) < 0.5
    best = solve(presses, False)
    assert isinstance(best, Chosen)
    proved = []
    for limit in (1, 50, 1000):
        monkeypatch.setattr(choosing, "PAIR_LIMIT", limit)
        answer = solve(presses, False)
        assert isinstance(answer, Chosen)
        assert "pairs of settings are too many for a proof" in str(answer.reason)
        assert answer.lower_bound < answer.cost == best.cost
        assert check_bound_again(presses, answer) is None
        proved.append(answer.lower_bound)
    assert proved == sorted(proved)
    assert proved[0] < proved[-1]


def check_bound_again(presses: Bits, answer: Chosen) -> str | None:
    board = cross_pressed(presses)
    return verification.check_bound(
        board, "solve", answer.lower_bound, answer.evidence.to_json(board)
    )


def test_too_large_for_halves(monkeypatch: pytest.MonkeyPatch) -> None:
    """A local search, and the better of two bounds: blocks prove more than the singular value."""
    monkeypatch.setattr(Halves, "fit", lambda _: False)
    presses = np.random.default_rng(3).random((15, 17)) < 0.2
    answer = solve(presses, False)
    assert isinstance(answer, Chosen)
    assert isinstance(answer.evidence, SwitchingBlocks)
    assert spectral_bound.spectral_bound(presses) < answer.lower_bound <= answer.cost
    assert check_bound_again(presses, answer) is None
    monkeypatch.setattr(choosing, "blocks_bound", lambda *_, **__: None)
    answer = solve(presses, False)
    assert isinstance(answer, Chosen)
    assert isinstance(answer.evidence, Spectral)
    assert answer.lower_bound < answer.cost
    assert check_bound_again(presses, answer) is None


def test_the_spectral_bound_holds() -> None:
    random = np.random.default_rng(5)
    for shape in [(1, 1), (3, 3), (3, 7), (5, 5)]:
        for _ in range(10):
            presses = random.random(shape) < random.random()
            bound = spectral_bound.spectral_bound(presses)
            sizes = [int(x.sum()) for x in coset(presses)]
            assert bound <= min(sizes)
            assert (bound - sizes[0]) % 2 == 0


def test_out_of_time() -> None:
    presses = np.random.default_rng(0).random((41, 41)) < 0.5
    for timeout in (0.0, 0.3):
        answer = solve(presses, False, limits=Limits(timeout))
        assert isinstance(answer, Chosen)
        assert 500 < answer.lower_bound < answer.cost <= presses.sum() + 2 * 41
        assert answer.reason == "the time limit was reached"
        unknown = solve(presses, True, limits=Limits(0.0))
        assert isinstance(unknown, SearchOutcome)
        assert not isinstance(unknown, Chosen)
        assert "time limit" in str(unknown.reason)
        assert unknown.lower_bound == answer.lower_bound
        assert isinstance(unknown.evidence, Spectral)
        assert isinstance(answer.evidence, Spectral)


def test_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: str) -> None:
        raise KeyboardInterrupt

    seconds = partial(next, itertools.count(time.monotonic() + 1))  # it tells twice a second
    monkeypatch.setattr("ponder.find.switching.choose.time", SimpleNamespace(monotonic=seconds))
    presses = np.random.default_rng(0).random((49, 49)) < 0.5  # too large for halves
    answer = solve(presses, False, progress=interrupt)
    assert isinstance(answer, Chosen)
    assert answer.lower_bound < answer.cost
    assert answer.reason == "interrupted"


def test_the_seed_decides() -> None:
    presses = np.random.default_rng(1).random((13, 13)) < 0.5
    one, other = (solve(presses, False, seed=4) for _ in range(2))
    assert isinstance(one, Chosen)
    assert isinstance(other, Chosen)
    assert np.array_equal(one.press_set, other.press_set)
    assert one.statistics == other.statistics


def test_the_lit_rule() -> None:
    presses = np.random.default_rng(2).random((5, 5)) < 0.5
    expected = check(presses, False, solve(presses, False))
    answer = choose(cross_pressed(presses, "lit"), presses.reshape(-1), once=False)
    assert isinstance(answer, Chosen)
    assert answer.cost == expected


def test_what_is_refused() -> None:
    presses = np.eye(3, dtype=bool)
    board = cross_pressed(presses)
    flat = presses.reshape(-1)
    holes = Board.from_rows(["0-0", "000", "000"])
    plus = Board.from_grid(np.zeros((3, 3), dtype=bool), "plus")
    dark = Board(board.graph, board.lit, ~board.goal)
    free = Board(board.graph, board.lit, board.goal, "any")
    even = cross_pressed(np.eye(4, dtype=bool))
    for bad, x, reason in [
        (holes, np.zeros(8, dtype=bool), "full row/column"),
        (plus, flat, "full row/column"),
        (dark, flat, "later neighbours"),
        (free, flat, "later neighbours"),
        (even, np.eye(4, dtype=bool).reshape(-1), "unique"),
        (board, ~flat ^ flat[::-1], "not a press set"),
    ]:
        with pytest.raises(ValueError, match=reason):
            choose(bad, x, once=False)
