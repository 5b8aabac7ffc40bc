"""The transform of a coset in blocks against one that is written down whole; the search by it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ponder.find.cosets import walsh_hadamard
from ponder.find.cosets.coset import listed_in_time, transform
from ponder.find.cosets.minimum_weight import SEARCHING, _for_a_search, lightest
from ponder.find.cosets.random_subspaces import CosetWalk
from ponder.find.cosets.walsh_hadamard import CosetTransform, estimated
from ponder.find.linear.press_sets import PressSets, press_sets
from ponder.model.board import Board
from ponder.model.graph import grid_graph
from ponder.system.limits import Limits, TimeUp
from ponder.system.types import Bits, Ints
from tests.boards import solved_by
from tests.clocks import stopping
from tests.oracles import PLUS_ALL_ONES_FEWEST

Small = tuple[Ints, Bits, int]


@st.composite
def small_cosets(draw: st.DrawFn, most: int = 9) -> Small:
    """The type of each bulb, a press set, and the nullity."""
    nullity = draw(st.integers(0, most))
    size = draw(st.integers(0, 40))
    rng = np.random.default_rng(draw(st.integers(0, 1 << 30)))
    return rng.integers(0, 1 << nullity, size), rng.random(size) < 0.5, nullity


def naive(types: Ints, pressed: Bits, nullity: int) -> Ints:
    """The weight of every member, one by one."""
    members = np.arange(1 << nullity)[:, None]
    on = np.bitwise_count(members & types) & 1 == 1
    return np.asarray(np.count_nonzero(pressed ^ on, axis=1))


def weights(coset: CosetTransform) -> Ints:
    """The same by the transform."""
    found = coset.lighter(coset.size + 1, 1 << coset.nullity)
    return np.asarray(found.weights[np.argsort(found.members)])


def cut(monkeypatch: pytest.MonkeyPatch, rows: int, columns: int, threads: int) -> None:
    """Cut the coordinates so that there are blocks in cosets that can be written down."""
    monkeypatch.setattr(walsh_hadamard, "_ROWS", rows)
    monkeypatch.setattr(walsh_hadamard, "_COLUMNS", columns)
    monkeypatch.setattr(walsh_hadamard, "cores", lambda: threads)


@pytest.mark.parametrize(
    ("rows", "columns", "threads"), [(12, 11, 1), (3, 2, 1), (1, 1, 2), (4, 0, 3), (0, 2, 2)]
)
def test_blocks_against_all_weights(rows: int, columns: int, threads: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        cut(patch, rows, columns, threads)

        @settings(max_examples=25)
        @given(small_cosets(), st.integers(0, 41), st.integers(1, 600))
        def agree(coset: Small, bound: int, most: int) -> None:
            listed = naive(*coset)
            transformed = CosetTransform.of(*coset)
            assert weights(transformed).tolist() == listed.tolist()
            best = transformed.lightest(keep=1 << 20)
            least = int(listed.min())
            assert (best.weight, best.complete) == (least, True)
            assert best.members.tolist() == np.flatnonzero(listed == least).tolist()
            assert best.count == best.members.size
            one = transformed.lightest()
            assert one.count == best.count
            assert listed[one.members].tolist() == [least]
            found = transformed.lighter(bound, most)
            assert found.bound <= bound
            assert found.members.size <= most
            order = np.argsort(listed, kind="stable")
            below = order[listed[order] < found.bound]
            assert found.members.tolist() == below.tolist()
            assert found.weights.tolist() == listed[below].tolist()
            if np.count_nonzero(listed < bound) <= most:
                assert found.bound == min(bound, coset[0].size + 1)

        agree()


@pytest.mark.parametrize("guessed", [-1, 62])
def test_windows_of_weights(monkeypatch: pytest.MonkeyPatch, guessed: int) -> None:
    """One after the other they hold every member once, whatever bound they begin with."""
    monkeypatch.setattr(walsh_hadamard, "_GUESSED", guessed)
    rng = np.random.default_rng(3)
    for size, digits in ((40, 9), (90, 11), (12, 6)):
        types, pressed = rng.integers(0, 1 << digits, size), rng.random(size) < 0.5
        listed = naive(types, pressed, digits)
        transformed = CosetTransform.of(types, pressed, digits)
        least, seen = 0, np.empty(0, dtype=np.int64)
        while least <= size:
            found = transformed.lighter(size + 1, 1 << digits - 1, least=least)
            assert found.weights.tolist() == listed[found.members].tolist()
            assert (
                np.count_nonzero((listed >= least) & (listed < found.bound)) == found.members.size
            )
            assert found.bound > least
            least, seen = found.bound, np.concatenate([seen, found.members])
        assert np.sort(seen).tolist() == list(range(1 << digits))


def test_sums_beyond_16_bits() -> None:
    """Forty thousand bulbs of one type."""
    types = np.repeat([1, 2, 3], [40_000, 5, 70_000])
    pressed = np.arange(types.size) % 3 == 0
    coset = CosetTransform.of(types, pressed, 2)
    assert weights(coset).tolist() == naive(types, pressed, 2).tolist()


def test_small_sums_of_many_bulbs() -> None:
    """Half of forty thousand bulbs are pressed: the sums have 16 bits, the weights have not."""
    types = np.repeat([1, 2, 3], [40_000, 6, 20_000])
    pressed = np.arange(types.size) % 2 == 0
    coset, listed = CosetTransform.of(types, pressed, 2), naive(types, pressed, 2)
    assert sorted(coset.lighter(types.size, 4).weights.tolist()) == sorted(listed.tolist())
    assert coset.lightest().weight == listed.min()
    assert weights(coset).tolist() == listed.tolist()


def test_a_limit_ends_it_and_keeps_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    cut(monkeypatch, 3, 2, 1)
    rng = np.random.default_rng(3)
    coset = CosetTransform.of(rng.integers(0, 1 << 40, 300), rng.random(300) < 0.5, 40)
    cut_short = coset.lightest(limits=stopping(9))
    assert not cut_short.complete
    assert cut_short.members.size == 1
    assert cut_short.weight < 300
    with pytest.raises(TimeUp):
        coset.lighter(100, 1000, stopping(9))


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interruption_ends_it(monkeypatch: pytest.MonkeyPatch, threads: int) -> None:
    cut(monkeypatch, 3, 2, threads)
    rng = np.random.default_rng(3)
    coset = CosetTransform.of(rng.integers(0, 1 << 20, 300), rng.random(300) < 0.5, 20)

    def interrupt(text: str) -> None:
        raise KeyboardInterrupt

    assert not coset.lightest(progress=interrupt).complete
    with pytest.raises(KeyboardInterrupt):
        coset.lighter(100, 1000, progress=interrupt)


def all_off(size: int) -> Board:
    return Board.from_rows(["0" * size] * size, "plus", rule="any")


def agrees_with_published(size: int) -> None:
    board = all_off(size)
    sets = press_sets(board)
    assert isinstance(sets, PressSets)
    found = lightest(board, sets)
    assert found.lower_bound == found.count == PLUS_ALL_ONES_FEWEST[size - 1]
    if sets.nullity:
        assert found.evidence is not None
        assert found.evidence.kind == "coset-minimum"


@pytest.mark.parametrize("size", [n for n in range(1, 51) if n not in (39, 47)])
def test_all_off_against_published(size: int) -> None:
    agrees_with_published(size)


@pytest.mark.deep
@pytest.mark.parametrize("size", [39, 47])
def test_all_off_against_published_of_large_nullity(size: int) -> None:
    agrees_with_published(size)


def test_the_number_of_lightest_press_sets() -> None:
    """On every board that has so few press sets that they can be listed."""
    for pattern, shape in (("plus", (5, 5)), ("plus", (4, 4)), ("king", (3, 3)), ("cross", (3, 5))):
        graph, rng = grid_graph(pattern, shape), np.random.default_rng(5)
        for _ in range(10):
            board = solved_by(graph, rng.random(graph.size) < 0.5)
            sets = press_sets(board)
            assert isinstance(sets, PressSets)
            listed = np.count_nonzero(sets.members(), axis=1)
            found = transform(sets).lightest(keep=1 << 20)
            assert found.weight == listed.min()
            assert found.count == np.count_nonzero(listed == listed.min())
            assert sorted(weights(transform(sets)).tolist()) == sorted(listed.tolist())


@pytest.mark.parametrize(
    ("nullity", "seconds", "listed"), [(20, 0.0, True), (32, 60.0, True), (32, 1.0, False)]
)
def test_what_is_listed_fits_the_time(nullity: int, seconds: float, listed: bool) -> None:
    assert listed_in_time(nullity, Limits(seconds)) == listed
    assert not listed_in_time(33, Limits(None))


# ------------------------------------------------------------------------- search by transform


def test_the_search_keeps_its_count() -> None:
    """The weight that it says is that of the press set that it is at, which leads to the goal."""
    graph, rng = grid_graph("torus-king", (9, 9)), np.random.default_rng(1)
    board = solved_by(graph, rng.random(graph.size) < 0.5)
    sets = press_sets(board)
    assert isinstance(sets, PressSets)
    walk = CosetWalk(board, sets, seed=1)
    press_set = walk.light(stopping(5))
    for _ in range(20):
        near, weight = walk.nearest(walk.subspace(press_set), 3)
        assert np.count_nonzero(near, axis=1).tolist() == weight.tolist() == sorted(weight)
        assert weight[0] <= np.count_nonzero(press_set)
        press_set = near[0]
        assert np.array_equal(graph.apply(press_set), board.change)


def test_the_search_reaches_what_is_proved() -> None:
    for size in (16, 19, 23, 29, 33):
        board = all_off(size)
        sets = press_sets(board)
        assert isinstance(sets, PressSets)
        found = int(np.count_nonzero(CosetWalk(board, sets, seed=1).light()))
        assert found == PLUS_ALL_ONES_FEWEST[size - 1]


def test_the_search_takes_little_where_all_are_weighed() -> None:
    """Looking for a light press set is in vain then; and a nullity of thousands is no problem."""
    weighing = estimated(30)
    assert 0 < (_for_a_search(30, Limits(None)).left() or 0) <= SEARCHING * weighing
    short = _for_a_search(36, Limits(1e-3 * estimated(36))).left()
    assert short is not None
    assert short <= SEARCHING * 1e-3 * estimated(36)
    assert _for_a_search(100_000, Limits(None)).left() is None


def test_the_search_hears_its_limits() -> None:
    board = all_off(39)
    sets = press_sets(board)
    assert isinstance(sets, PressSets)
    press_set = CosetWalk(board, sets, seed=1).light(Limits(0.0))
    assert np.array_equal(board.graph.apply(press_set), board.change)


def test_the_nearest_are_some_even_where_more_are_equally_light() -> None:
    """All four press sets of the dark 5×5 board have 15 presses (as on the torus of kings 12×12,
    where `solve` met more equal ones than it keeps).
    """
    sets = press_sets(all_off(5))
    assert isinstance(sets, PressSets)
    walk = CosetWalk(all_off(5), sets)
    for most in (3, 4):
        found, weights = walk.nearest(walk.subspace(sets.particular), most)
        assert (len(found), set(weights.tolist())) == (most, {15})
        assert np.count_nonzero(found, axis=1).tolist() == weights.tolist()
