"""What the checker costs: replay, uniqueness of the press set, cosets, bounds; and what it says.

    python -m tests.bench.bench_check

prints one line for each case: the median of several runs. Then the work that is taken off the
budget beside the processor's time that it takes, which should be alike within a small factor.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

import numpy as np

from ponder.check.coset import Coset
from ponder.check.drat import check_drat
from ponder.check.kinds import Refuted
from ponder.check.limits import MOST_WORK, Budget
from ponder.check.linear import press_sets
from ponder.check.lrat import check_lrat
from ponder.check.replay import replay, spend_replay
from ponder.check.verification import check_bound
from ponder.model.board import Board
from ponder.model.graph import EdgeGraph, Graph, GridGraph, grid_graph
from ponder.system.errors import CheckFailed
from ponder.system.types import Ints, Json
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


def relaxation(cuts: int) -> Json:
    cut = {"bulb": 0, "without": [], "weight": 1}
    return {"kind": "linear-relaxation", "divisor": 1, "cuts": [cut] * cuts}


def raised(board: Board, settings: int) -> Json:
    """Settings without cuts: of an even number of rows more, in all ways."""
    graph = board.graph
    assert isinstance(graph, GridGraph)
    base = press_sets(board).one.reshape(graph.shape)
    odd, entries = np.bitwise_xor.reduce(base, axis=1), []
    for k in range(settings):
        switched = np.array([k >> i & 1 == 1 for i in range(graph.shape[0])])
        switched[-1] ^= np.count_nonzero(switched) % 2
        odd_lines = np.flatnonzero(odd ^ switched).tolist()
        entries.append({"odd_lines": odd_lines, "divisor": 1, "cuts": []})
    return {"kind": "switches", "side": "rows", "raised": entries}


def pigeons(holes: int) -> tuple[list[list[int]], str]:
    """One pigeon too many, and a proof of it by Glucose."""
    from pysat.solvers import Solver

    def sits(p: int, h: int) -> int:
        return p * holes + h + 1

    clauses = [[sits(p, h) for h in range(holes)] for p in range(holes + 1)]
    clauses += [
        [-sits(p, h), -sits(q, h)] for h in range(holes) for p in range(holes + 1) for q in range(p)
    ]
    with Solver("glucose4", bootstrap_with=clauses, with_proof=True) as solver:
        solver.solve()
        return clauses, "\n".join([*solver.get_proof(), "0"])


def played(board: Board, presses: Ints, budget: Budget) -> None:
    spend_replay(board, presses, budget)
    replay(board, presses)


def estimates() -> Iterator[tuple[str, Callable[[Budget], object]]]:
    """What is checked, by a budget."""

    def bound(board: Board, least: int, evidence: Json) -> Callable[[Budget], object]:
        return lambda budget: check_bound(board, "solve", least, evidence, budget)

    dense = EdgeGraph(2000, [(u, v) for v in range(2000) for u in range(v)])
    dark = np.zeros(2000, dtype=np.bool_)
    yield (
        "relaxation, complete graph",
        bound(Board(dense, dark, ~dark, "any"), 0, relaxation(10_000)),
    )
    board = solvable(grid_graph("cross", (21, 101)))
    yield "10,000 settings without cuts", bound(board, 9, raised(board, 10_000))
    components: Json = {"kind": "odd-components"}
    yield (
        "odd components, 250×250 cross",
        bound(solvable(grid_graph("cross", (250, 250))), 9, components),
    )
    yield (
        "odd components, 15×15 plus",
        bound(solvable(grid_graph("plus", (15, 15))), 130, components),
    )
    yield (
        "folded torus, 192×192",
        bound(
            solvable(grid_graph("torus-plus", (192, 192))), 0, {"kind": "folded-torus", "times": 5}
        ),
    )
    for pattern, shape in (("plus", (500, 500)), ("king", (200, 200))):
        board = solvable(grid_graph(pattern, shape))
        yield f"press sets, {shape[0]}×{shape[1]} {pattern}", partial(press_sets, board)
    hub = EdgeGraph(100_001, [(0, v) for v in range(1, 100_001)])
    nothing = np.zeros(hub.size, dtype=np.bool_)
    for presses in (900, 3000):
        zeros = np.zeros(presses, dtype=np.int64)
        yield (
            f"{presses} presses of a hub",
            partial(played, Board(hub, nothing, nothing, "any"), zeros),
        )
    square = [[1, 2], [1, -2], [-1, 2], [-1, -2]]
    lemmas = ["-3 -4 0 0"] * 2000 + ["3 4 0 0"] * 2000
    rat = "".join(f"{5 + k} {lemma}\n" for k, lemma in enumerate(lemmas)) + "9000 1 0 1 2 0\n"
    rat += "9001 0 9000 3 4 0\n"
    yield "LRAT, 2000 RAT lemmas", lambda budget: check_lrat(square, rat, budget=budget)
    clauses, proof = pigeons(7)
    yield "DRAT, 8 pigeons", lambda budget: check_drat(56, clauses, proof, budget=budget)


def main() -> None:
    """Print the tables."""
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
        bound = {"kind": "switches", "side": "rows", "raised": []}
        seconds = median(partial(check_bound, board, "solve", 0, bound), 3)
        print(f"switches, {side}×{side}: {1e3 * seconds:.0f} ms")
    for what, check in estimates():
        budget, start = Budget(), time.process_time()
        with suppress(CheckFailed):
            check(budget)
        took = time.process_time() - start
        print(f"{what}: {took:.2f} s, {(MOST_WORK - budget.left) / 1e9:.2f} s by estimate")


if __name__ == "__main__":
    main()
