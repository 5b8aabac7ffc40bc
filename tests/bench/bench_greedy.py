"""How often the greedy trials succeed, and how long one takes.

    python -m tests.bench.bench_greedy            success rates, per variant and direction
    python -m tests.bench.bench_greedy --speed    median seconds of a trial

Row/column boards are random press sets with as many odd rows as odd columns (others have no order
at all); of the others, those whose every component has an even number of edges. Whether an order
exists is not asked otherwise: a rate says how often one was found.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Iterator

import numpy as np

from ponder.find.ordering.greedy import DIRECTIONS, VARIANTS, Trials, search
from ponder.model.graph import CrossGraph, grid_graph
from ponder.model.ordering_problem import OrderingProblem
from tests.boards import even_problem, instance


def ibm(size: str) -> OrderingProblem:
    """The press set of an IBM board: both sides are even, so it is A·b."""
    return even_problem(instance(f"ibm-2023-04-{size}"))


def random_problems(
    pattern: str, side: int, count: int, seed: int = 5
) -> Iterator[OrderingProblem]:
    """Random press sets, each bulb with probability 1/2, that pass the counting check."""
    rng = np.random.default_rng(seed)
    graph = grid_graph(pattern, (side, side))
    while count:
        grid = rng.random((side, side)) < 0.5
        bulbs = np.flatnonzero(grid)
        problem = OrderingProblem(graph, bulbs, np.zeros(bulbs.size, dtype=np.bool_))
        if isinstance(graph, CrossGraph):
            possible = (grid.sum(axis=0) % 2).sum() == (grid.sum(axis=1) % 2).sum()
        else:
            possible = even_components(problem)
        if possible:
            count -= 1
            yield problem


def even_components(problem: OrderingProblem) -> bool:
    """Whether every component of H has an even number of edges (plain search)."""
    near = problem.neighbours
    seen = [False] * problem.size
    for start in range(problem.size):
        if seen[start]:
            continue
        seen[start] = True
        stack, degrees = [start], 0
        while stack:
            v = stack.pop()
            degrees += len(near[v])
            for u in near[v]:
                if not seen[u]:
                    seen[u] = True
                    stack.append(u)
        if degrees // 2 % 2:
            return False
    return True


def rates(name: str, problems: list[OrderingProblem], trials: int) -> None:
    """Print successes among single trials, and problems solved by `trials` trials each."""
    for variant in VARIANTS:
        for direction in DIRECTIONS:
            made = won = 0
            mean = []
            for k, problem in enumerate(problems):
                campaign = search(
                    problem, Trials(variant=variant, direction=direction, count=trials, seed=k)
                )
                made += int(str(campaign.statistics["trials"]))
                won += campaign.placed.size == problem.size
                mean.append(float(str(campaign.statistics["mean"])) / max(problem.size, 1))
            print(
                f"{name:14} {variant:7} {direction:9} solved {won:4} of {len(problems):4} "
                f"with at most {trials} trials ({made} made), placed {np.mean(mean):6.1%}",
                flush=True,
            )


def seconds(name: str, problem: OrderingProblem, repetitions: int) -> None:
    """Print the median time of a campaign of one trial, set-up included."""
    for variant in VARIANTS:
        for direction in DIRECTIONS:
            times = []
            for seed in range(repetitions):
                start = time.perf_counter()
                search(problem, Trials(variant=variant, direction=direction, count=1, seed=seed))
                times.append(time.perf_counter() - start)
            print(
                f"{name:14} {variant:7} {direction:9} {statistics.median(times):9.4f} s", flush=True
            )


def main() -> None:
    """Print the tables."""
    if "--speed" in sys.argv:
        seconds("IBM 30x30", ibm("30x30"), 31)
        for pattern in ("cross", "plus"):
            for side in (100, 300, 1000):
                problem = next(random_problems_unchecked(pattern, side))
                if problem.lines is None:
                    _ = problem.neighbours  # H is made once, not by every trial
                seconds(f"{pattern} {side}", problem, 3)
        return
    for size in ("24x24", "30x30"):
        rates(f"IBM {size}", [ibm(size)] * 50, 20)
    for pattern, side in [
        ("cross", 8), ("cross", 24), ("cross", 60),
        ("plus", 5), ("plus", 10), ("plus", 20), ("king", 10),
    ]:  # fmt: skip
        rates(f"{pattern} {side}", list(random_problems(pattern, side, 50)), 20)


def random_problems_unchecked(pattern: str, side: int) -> Iterator[OrderingProblem]:
    """Random press sets, orderable or not: a trial's time hardly depends on that."""
    rng = np.random.default_rng(7)
    graph = grid_graph(pattern, (side, side))
    while True:
        bulbs = np.flatnonzero(rng.random(side * side) < 0.5)
        yield OrderingProblem(graph, bulbs, np.zeros(bulbs.size, dtype=np.bool_))


if __name__ == "__main__":
    main()
