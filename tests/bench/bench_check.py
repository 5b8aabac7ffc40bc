"""What the checker costs: replay, uniqueness of the press set, cosets, bounds.

    python tests/bench/bench_check.py

prints one line for each case: the median of several runs.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial

import numpy as np

from ponder.check.bounds import check_bound
from ponder.check.coset import Coset
from ponder.check.linear import press_sets
from ponder.check.refutations import Refuted
from ponder.check.replay import replay
from ponder.puzzle.board import Board
from ponder.puzzle.graph import Graph, grid_graph
from ponder.types import Ints
from tests.boards import solved_by


def median(run: Callable[[], object], runs: int = 5) -> float:
    """Return the median time of some runs in seconds."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def solvable(graph: Graph, seed: int = 0) -> Board:
    """A board that a random press set solves."""
    return solved_by(graph, np.random.default_rng(seed).random(graph.size) < 0.5)


def legal_order(shape: tuple[int, int], presses: int) -> tuple[Board, Ints]:
    """A row/column board on which a random order of random bulbs is legal.

    The start state of each bulb is chosen so that the earlier presses leave it unlit.
    """
    graph = grid_graph("cross", shape)
    order = np.random.default_rng(1).permutation(graph.size)[:presses]
    lit = np.zeros(graph.size, dtype=np.bool_)
    rows = np.zeros(shape[0], dtype=np.int64)
    columns = np.zeros(shape[1], dtype=np.int64)
    for v, r, c in zip(
        order.tolist(), graph.rows[order].tolist(), graph.columns[order].tolist(), strict=True
    ):
        lit[v] = (rows[r] + columns[c]) % 2
        rows[r] += 1
        columns[c] += 1
    return Board(graph, lit, lit ^ graph.apply(graph.set_of(order))), order


def coset_of_parts(parts: int) -> Callable[[], object]:
    """Cover a coset of 2^16 members (19×19 plus) with parts of middling scopes."""
    board = solvable(grid_graph("plus", (19, 19)))
    coset = Coset.of(board, press_sets(board))
    rng = np.random.default_rng(0)
    counts = [
        coset.base ^ np.bitwise_xor.reduce(coset.basis[rng.random(16) < 0.5], axis=0)
        for _ in range(parts)
    ]
    some = []
    for k in range(parts):
        scope = np.zeros(board.graph.size, dtype=np.bool_)
        scope[rng.permutation(board.graph.size)[:8]] = True
        some.append(Refuted(counts[k].astype(np.int64), scope))
    return partial(coset.covered, some)


def main() -> None:
    """Print the table."""
    for shape, presses in (((30, 30), 429), ((1000, 1000), 500_000), ((4000, 4000), 8_000_000)):
        board, order = legal_order(shape, presses)
        seconds = median(partial(replay, board, order), 5 if presses > 10**6 else 21)
        print(f"replay {presses} presses, {shape[0]}×{shape[1]} row/column: {1e3 * seconds:.2f} ms")
    for pattern, shape in (
        ("plus", (300, 300)),
        ("king", (100, 100)),
        ("torus-plus", (100, 100)),
        ("cross", (1001, 1000)),
    ):
        board = solvable(grid_graph(pattern, shape))
        seconds = median(partial(press_sets, board), 3)
        print(f"press sets, {shape[0]}×{shape[1]} {pattern}: {1e3 * seconds:.0f} ms")
    print(f"300 parts over 2^16 press sets: {1e3 * median(coset_of_parts(300)):.0f} ms")
    for side in (11, 15, 21):
        board = solvable(grid_graph("cross", (side, side)))
        bound = {"kind": "switches"}
        seconds = median(partial(check_bound, board, "solve", 0, bound), 3)
        print(f"switches, {side}×{side}: {1e3 * seconds:.0f} ms")


if __name__ == "__main__":
    main()
