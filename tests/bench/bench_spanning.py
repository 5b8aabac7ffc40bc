"""The algebraic test and the guided search: `python -m tests.bench spanning`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from unittest.mock import patch

import numpy as np

from ponder.find.linear.gf2k import field, inverse, nonsingular
from ponder.find.ordering import spanning_tree_search
from ponder.find.ordering.determinant_test import evidence_against
from ponder.find.ordering.spanning_tree_search import order_spanning
from ponder.model.graph import grid_graph
from ponder.model.ordering_problem import Order, OrderingProblem
from ponder.system.types import Ints
from tests.bench import Case
from tests.boards import even_problem, instance, necklace

Make = Callable[[], OrderingProblem]
Job = Callable[[], object]


def ibm() -> OrderingProblem:
    """The 429 presses of the 30×30 board, as any graph: the row/column theorem is not used."""
    return even_problem(instance("ibm-2023-04-30x30"))


def regular(size: int, degree: int, seed: int = 0) -> Ints:
    """The edges of a random regular graph: random pairs of stubs, the bad ones drawn again.

    Pairs that would repeat an edge or join a vertex with itself go back, with some good ones.
    """
    rng = np.random.default_rng(seed)
    good = np.empty((0, 2), dtype=np.int64)
    stubs = np.repeat(np.arange(size), degree)
    while stubs.size:
        pairs = np.concatenate([good, np.sort(rng.permutation(stubs).reshape(-1, 2), axis=1)])
        _, first = np.unique(pairs, axis=0, return_index=True)
        fine = np.zeros(len(pairs), dtype=np.bool_)
        fine[first] = True
        fine &= pairs[:, 0] != pairs[:, 1]
        if not fine.all():
            fine[rng.choice(len(pairs), size=min(len(pairs), 10), replace=False)] = False
        good, stubs = pairs[fine], pairs[~fine].reshape(-1)
    return good


def eight_regular(odd: tuple[int, ...] = ()) -> OrderingProblem:
    """1000 vertices, 4000 edges; with an odd T there is no order."""
    return OrderingProblem.from_edges(1000, regular(1000, 8), odd)


def king(side: int, odd: tuple[int, ...] = ()) -> OrderingProblem:
    """Six bulbs in ten of a king board, with the T of a hidden order (changed at `odd`)."""
    graph = grid_graph("king", (side, side))
    bulbs = np.flatnonzero(np.random.default_rng(1).random(graph.size) < 0.6)
    later = graph.edges_within(bulbs)[:, 1]
    t = np.bincount(later, minlength=bulbs.size) % 2 == 1
    t[list(odd)] ^= True
    return OrderingProblem(graph, bulbs, t)


def order(make: Make, greedy: bool = True) -> Job:
    """Order a problem afresh; without greedy the algebra places every press."""
    nothing = np.empty(0, dtype=np.int64)

    def job() -> object:
        with (
            nullcontext()
            if greedy
            else patch.object(spanning_tree_search, "greedy_prefix", return_value=nothing)
        ):
            answer = order_spanning(make(), seed=0)
        if not isinstance(answer, Order):
            return type(answer).__name__
        figures = answer.statistics
        return f"order, {figures['guided']} guided, {figures['tests']} tests"

    return job


def test(make: Make) -> Job:
    """The test alone."""

    def job() -> object:
        no = evidence_against(make(), np.random.default_rng(0), 0)
        return "yes" if no is None else f"no, {no.trials} trials in GF(2^{no.bits})"

    return job


def dense(bits: int, method: Callable[..., object]) -> Job:
    """One elimination of a random dense 1000×1000 matrix."""
    gf = field(bits)
    matrix = np.random.default_rng(2).integers(0, 1 << bits, (1000, 1000), gf.dtype)
    return lambda: method(gf, matrix.copy()) is not None


CASES = [
    Case("spanning: order IBM 30x30", 2.0, lambda: order(ibm), memory=2),
    Case("spanning: order IBM 30x30, no greedy", 2.0, lambda: order(ibm, greedy=False), memory=2),
    Case("spanning: test IBM 30x30", 2.0, lambda: test(ibm), memory=2),
    Case("spanning: order 8-regular 1000", 30.0, lambda: order(eight_regular), memory=2),
    Case("spanning: order 8-regular 1000, no greedy", 30.0,
         lambda: order(eight_regular, greedy=False), runs=3, memory=2),
    Case("spanning: test 8-regular 1000, yes", 10.0, lambda: test(eight_regular), memory=2),
    Case("spanning: test 8-regular 1000, no", 10.0,
         lambda: test(lambda: eight_regular((3,))), runs=3, memory=2),
    Case("spanning: order necklace of 1200", 30.0,
         lambda: order(lambda: necklace(200)), runs=3, memory=2),
    Case("spanning: order king 100x100", 30.0, lambda: order(lambda: king(100)), memory=2),
    Case("spanning: test king 100x100, yes", 10.0, lambda: test(lambda: king(100)), memory=2),
    Case("spanning: test king 100x100, no", 10.0,
         lambda: test(lambda: king(100, (50,))), runs=3, memory=2),
    Case("spanning: test a dense 1000x1000, GF(2^16)", 1.0, lambda: dense(16, nonsingular)),
    Case("spanning: test a dense 1000x1000, GF(2^32)", 3.0, lambda: dense(32, nonsingular)),
    Case("spanning: invert a dense 1000x1000, GF(2^16)", 3.0, lambda: dense(16, inverse)),
]  # fmt: skip
