"""How long the fewest presses take on random boards, and how many of them are proved.

`python -m tests.bench.bench_shortest` prints a line for every board and a summary of each kind.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

import numpy as np

from ponder.find.fewest.fewest_presses import fewest
from ponder.find.linear.press_sets import PressSets, press_sets
from ponder.find.search.context import SearchContext
from ponder.find.search.outcome import SearchOutcome
from ponder.model.board import Board
from ponder.model.graph import grid_graph
from ponder.studies.generate import board_solved_by
from ponder.system.limits import Limits
from tests.bench import Case


def random_board(pattern: str, side: int, seed: int) -> Board:
    """Draw the lit bulbs; where such a board cannot be solved, the press set."""
    graph = grid_graph(pattern, (side, side))
    bits = np.random.default_rng(seed).random(graph.size) < 0.5
    board = Board(graph, bits, np.ones(graph.size, dtype=np.bool_), name=f"{pattern}-{side}-{seed}")
    return board if isinstance(press_sets(board), PressSets) else board_solved_by(bits, graph)


def prepared(pattern: str, side: int, seed: int) -> Callable[[], object]:
    """Return the job of one board: press sets and fewest presses."""
    board = random_board(pattern, side, seed)

    def job() -> object:
        sets = press_sets(board)
        if not isinstance(sets, PressSets):
            raise RuntimeError("the board has no press set")
        found = fewest(board, sets, SearchContext(limits=Limits(60.0)))
        if not isinstance(found, SearchOutcome) or found.presses is None:
            return "no sequence"
        proved = "proved" if found.optimal else f"at least {found.lower_bound}"
        return f"{found.presses.size} presses, {proved}"

    return job


CASES = [
    Case(
        f"fewest presses, random {pattern} {side}x{side}, seed {seed}",
        limit,
        lambda pattern=pattern, side=side, seed=seed: prepared(pattern, side, seed),  # type: ignore[misc]
        runs=1,
    )
    for pattern, side, limit in [("plus", 10, 0.5), ("plus", 15, 5.0), ("plus", 20, 60.0)]
    for seed in range(3)
]


def table(boards: int) -> None:
    """Print times and the share proved, kind by kind."""
    print(f"{'boards':20}{'proved':>8}{'median':>10}{'slowest':>10}  asked")
    for pattern, side, limit in [
        ("plus", 10, 0.5),
        ("plus", 15, 5.0),
        ("plus", 20, 60.0),
        ("king", 12, 1.0),
        ("torus-plus", 8, 1.0),
        ("torus-plus", 10, 5.0),
        ("plus", 19, 60.0),
    ]:
        times, proved = [], 0
        for seed in range(boards):
            job = prepared(pattern, side, seed)
            start = time.perf_counter()
            remark = str(job())
            times.append(time.perf_counter() - start)
            proved += remark.endswith("proved")
        print(
            f"{pattern + f' {side}x{side}':20}{proved:>4}/{boards:<3}"
            f"{statistics.median(times):>8.2f} s{max(times):>8.2f} s  {limit} s",
            flush=True,
        )


if __name__ == "__main__":
    table(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
