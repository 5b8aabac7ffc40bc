"""Everything that answers, asked about the corpus and judged by brute force.

Whatever finds orders, fewest presses, press sets, counts or orientations is registered in one of
the tables below, once. The default run asks each about a slice of the corpus; `-m deep` asks about
all grids of at most nine cells and all graphs to four vertices, and about more larger boards. A
second test stops each finder's clock at some look: then an answer may be missing, never wrong.
"""

from __future__ import annotations

import itertools
import json
import os
import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import pytest
from pysat.solvers import Solver

import ponder
from ponder.check.result import Result
from ponder.find.linear.press_sets import PressSets
from ponder.model.wired_graph import Wired
from ponder.system.errors import BoardError, PonderError
from ponder.system.limits import Limits
from tests import brute, corpus
from tests.boards import bits_of
from tests.clocks import Looks
from tests.corpus import Question
from tests.depth import deep

Clock = Limits | None
Finder = Callable[[Question, Clock], None]
"""Ask about a question under a clock, and judge the answer."""


def judge(question: Question, result: Result, fewest: int | None, clock: Clock) -> None:
    """Compare a result with the truth, replay its presses, and have it verified as text."""
    if clock is not None and result.verdict == "unknown":
        assert result.claim is None
    elif fewest is None:
        assert (result.verdict, result.claim in {"C1", "C2", "C4"}) == ("impossible", True)
    else:
        assert result.verdict == "solved"
    if result.lower_bound is not None and fewest is not None:
        assert result.lower_bound <= fewest
    if result.presses is not None:
        assert question.replays(result.presses.tolist())
        if result.optimal:
            assert result.count == fewest
    ponder.verify(question.board, json.loads(json.dumps(result.to_json())))


def by_order(question: Question, clock: Clock) -> None:
    result = ponder.order(question.board, timeout=clock)
    judge(question, result, question.once, clock)
    if result.presses is not None:
        assert len(set(result.presses.tolist())) == result.count
        assert clock is not None or result.optimal


def by_solve(question: Question, clock: Clock) -> None:
    result = ponder.solve(question.board, timeout=clock)
    judge(question, result, question.fewest, clock)
    assert clock is not None or result.verdict == "impossible" or result.optimal


def by_search(question: Question, clock: Clock) -> None:
    """Results that get better; the last is what `solve` returns."""
    results = list(ponder.search(question.board, timeout=clock))
    for before, after in itertools.pairwise(results):
        if after.verdict == "impossible":
            break
        assert (before.lower_bound or 0) <= (after.lower_bound or 0)
        assert before.count is None or (after.count is not None and after.count <= before.count)
    judge(question, results[-1], question.fewest, clock)


def at_most(question: Question, clock: Clock) -> None:
    """Whether one press fewer than the fewest would do."""
    if question.fewest:
        result = ponder.solve(question.board, at_most=question.fewest - 1, timeout=clock)
        assert result.verdict in ("impossible", *(() if clock is None else ("unknown",)))
        ponder.verify(question.board, json.loads(json.dumps(result.to_json())))


def by_method(method: str, question: Question, clock: Clock) -> None:
    """A method asked by name; greedy may find no order, and clingo proves nothing."""
    try:
        result = ponder.order(question.board, method=method, timeout=clock)  # type: ignore[arg-type]
    except PonderError:
        assert method == "lines"  # for row/column boards alone
        return
    if result.verdict != "unknown" or clock is not None:
        judge(question, result, question.once, clock)
    else:
        assert method in {"greedy", "lines", "asp", "cpsat"}


def of_a_press_set(question: Question, clock: Clock) -> None:
    """Whether one press set has an order (claim C1)."""
    for chosen in question.world.press_sets(question.state)[:2]:
        bits = bits_of(chosen, len(question.world.flips))
        result = ponder.order(question.board, press_set=bits, timeout=clock)
        ordered = bool(question.world.orders[chosen])
        judge(question, result, int(bits.sum()) if ordered else None, clock)


def by_press_sets(question: Question, clock: Clock) -> None:
    sets = ponder.press_sets(question.board)
    truth = question.world.press_sets(question.state)
    assert isinstance(sets, PressSets) == bool(truth)
    if isinstance(sets, PressSets):
        basis = sets.kernel.basis()
        values = [int(row @ (1 << np.arange(row.size))) for row in basis.astype(np.int64)]
        spanned = {int(sets.particular.astype(np.int64) @ (1 << np.arange(sets.particular.size)))}
        for value in values:
            spanned |= {value ^ other for other in spanned}
        assert spanned == set(truth)


def by_counts(question: Question, clock: Clock) -> None:
    try:
        count = ponder.count_orders(question.board, timeout=clock)
    except PonderError:
        assert isinstance(question.board.graph, Wired)  # which have no counts
        return
    counts_hold(count.orders, question.orders, clock)
    if count.orders.exact and 0 < question.orders <= 500 and question.board.rule != "any":
        orders = [tuple(map(str, order)) for order in ponder.all_orders(question.board)]
        assert len(orders) == len(set(orders)) == question.orders


def counts_hold(count: ponder.Count, truth: int, clock: Clock) -> None:
    """A count is the truth; one that is cut short is a bound, with the reason."""
    assert count.number == truth if count.exact else count.number <= truth
    assert count.exact == (count.reason is None)
    assert count.exact or (clock is not None and count.reason == "cancelled")


def by_orient(question: Question, clock: Clock) -> None:
    """The question read as a graph with odd out-degrees where the goal is unlit, and some arcs."""
    world, rng = question.world, random.Random(question.state)
    size, edges = world.lights, graph_edges(question)
    odd = [v for v in range(size) if not world.goal >> v & 1]
    places = rng.sample(range(size), size)
    arcs = [(u, v) if places[u] < places[v] else (v, u) for u, v in edges]
    for fixed in ([], rng.sample(arcs, len(arcs) // 3), rng.sample(edges, len(edges) // 2)):
        try:
            answer = ponder.orient((size, edges), odd, fixed=fixed, timeout=clock)
        except BoardError:
            assert clock is None
            continue
        if isinstance(answer, ponder.Unknown):
            assert clock is not None
            continue
        answer.verify()
        before = [(v, u) for u, v in fixed]  # the brute force builds backwards
        truth = brute.build_order(size, edges, odd, before)
        assert isinstance(answer, ponder.Orientation) == (truth is not None)
        if isinstance(answer, ponder.Orientation):
            assert sorted(map(sorted, answer.arcs)) == sorted(map(sorted, edges))
            assert set(fixed) <= set(answer.arcs)
            out = Counter(tail for tail, _ in answer.arcs)
            assert [v for v in range(size) if out[v] % 2] == odd
            rank = {v: k for k, v in enumerate(answer.order)}
            assert all(rank[u] < rank[v] for u, v in answer.arcs)


def by_orientation_counts(question: Question, clock: Clock) -> None:
    size, edges = question.world.lights, graph_edges(question)
    if size > 6:
        return
    odd = [v for v in range(size) if not question.world.goal >> v & 1]
    ways = set()
    for order in itertools.permutations(range(size)):
        arcs = tuple((u, v) if order[u] < order[v] else (v, u) for u, v in edges)
        out = Counter(tail for tail, _ in arcs)
        if [v for v in range(size) if out[v] % 2] == odd:
            ways.add(arcs)
    counts_hold(ponder.count_orientations((size, edges), odd, timeout=clock), len(ways), clock)
    assert len(list(ponder.all_orientations((size, edges), odd))) == len(ways)


def graph_edges(question: Question) -> list[tuple[int, int]]:
    """The pairs of bulbs that change each other."""
    flips = question.world.flips
    pairs = itertools.combinations(range(question.world.lights), 2)
    return [(u, v) for u, v in pairs if flips[u] >> v & 1]


def by_encoding(name: str, question: Question, clock: Clock) -> None:
    """The formula has a model exactly where the press set has an order."""
    for chosen in question.world.press_sets(question.state)[:3]:
        bits = bits_of(chosen, len(question.world.flips))
        try:
            formula = ponder.export(question.board, name, press_set=bits)
        except PonderError:  # a row/column encoding, or the rule `any`
            even = question.board.even_lines
            assert question.board.rule == "any" or (name == "half_factor" and not even)
            return
        with Solver("minisat22") as solver:
            for line in formula.splitlines():
                if line[:1] not in ("c", "p"):
                    solver.add_clause([int(word) for word in line.split()[:-1]])
            assert solver.solve() == bool(question.world.orders[chosen])


ENCODINGS = ("time_indexed", "layered", "precedence", "half_factor")

FINDERS: dict[str, Finder] = {
    "order": by_order,
    "solve": by_solve,
    "search": by_search,
    "at most": at_most,
    "one press set": of_a_press_set,
    "press sets": by_press_sets,
    "counts": by_counts,
    "greedy": partial(by_method, "greedy"),
    "lines": partial(by_method, "lines"),
    "sat": partial(by_method, "sat"),
    "orient": by_orient,
    "orientation counts": by_orientation_counts,
    **{name: partial(by_encoding, name) for name in ENCODINGS},
}

SHARE = {"order": 6, "solve": 6, "one press set": 3, "press sets": 4, "counts": 3}
"""How many times as many questions a finder is asked."""


NEEDS_A_GRAPH = {"orient", "orientation counts", *ENCODINGS}


def slice_of_the_corpus(name: str, times: int, seed: int) -> Iterator[Question]:
    times *= SHARE.get(name, 1)
    if name in ("lines", "half_factor"):
        yield from corpus.questions(corpus.even_line_worlds(), 100 * times, seed)
    yield from corpus.questions(corpus.grid_worlds(), 80 * times, seed)
    yield from corpus.questions(corpus.graph_worlds(), 30 * times, seed)
    yield from corpus.questions(corpus.holed_worlds(), 20 * times, seed)
    if name not in NEEDS_A_GRAPH:
        yield from corpus.questions(corpus.wiring_worlds(), 20 * times, seed)
    yield from corpus.larger_questions(10 * times, 1000 * seed)


@pytest.mark.parametrize("times", deep(1, 6))
@pytest.mark.parametrize("name", FINDERS)
def test_every_finder_on_the_corpus(name: str, times: int) -> None:
    for question in slice_of_the_corpus(name, times, seed=list(FINDERS).index(name)):
        try:
            FINDERS[name](question, None)
        except Exception as error:
            error.add_note(f"asked about {question}")
            raise


@pytest.mark.deep
@pytest.mark.parametrize("part", range(24))
@pytest.mark.parametrize("name", ["order", "solve"])
def test_every_small_board(name: str, part: int) -> None:
    """A fifth of all start states; `PONDER_EVERY_BOARD` in the environment asks about all."""
    worlds = [*corpus.grid_worlds(), *corpus.graph_worlds()][part::24]
    step = 1 if os.environ.get("PONDER_EVERY_BOARD") else 5
    for question in itertools.islice(corpus.all_questions(worlds), part % step, None, step):
        FINDERS[name](question, None)


@pytest.mark.parametrize("times", deep(1, 6))
@pytest.mark.parametrize("name", FINDERS)
def test_a_finder_that_is_stopped_is_never_wrong(name: str, times: int) -> None:
    """The clock runs out at some look at it; the judge accepts `unknown`, and nothing false."""
    for number, question in enumerate(slice_of_the_corpus(name, times, seed=50)):
        if number % 5 == 0:
            for look in (1, 2, 3 + number % 7, 10 + number % 41):
                FINDERS[name](question, Looks(look).clock)
