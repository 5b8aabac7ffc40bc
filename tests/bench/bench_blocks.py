"""How long splitting and the search over subsets take, and what each of them decides.

`python -m tests.bench.bench_blocks`
"""

from __future__ import annotations

import itertools
import random
import time
from collections import Counter
from collections.abc import Callable

import numpy as np

from ponder.check.kinds import Refutation
from ponder.find.ordering.blocks import Split, biconnected_blocks
from ponder.find.ordering.subsets import order_subsets
from ponder.model.graph import Graph, grid_graph
from ponder.model.ordering_problem import OrderingProblem

MOST = 22
"""Blocks of at most so many presses are searched."""


def pressed(graph: Graph, share: float, seed: int) -> OrderingProblem:
    """Press a random part of the bulbs; goal all lit under the rule `unlit`."""
    chosen = np.flatnonzero(np.random.default_rng(seed).random(graph.size) < share)
    return OrderingProblem(graph, chosen, np.zeros(chosen.size, dtype=np.bool_))


def orderable(graph: Graph, share: float, seed: int) -> OrderingProblem:
    """Play backwards from the goal in random order, so that an order exists."""
    offer = np.random.default_rng(seed).permutation(graph.size)[: int(share * graph.size)]
    built = [False] * graph.size
    for v in offer.tolist():
        built[v] = sum(built[u] for u in graph.neighbours(v).tolist()) % 2 == 0
    chosen = np.flatnonzero(built)
    return OrderingProblem(graph, chosen, np.zeros(chosen.size, dtype=np.bool_))


def best_of(rounds: int, make: Callable[[], object]) -> tuple[float, object]:
    """Return the shortest time of several runs, and the result."""
    times = []
    result: object = None
    for _ in range(rounds):
        start = time.perf_counter()
        result = make()
        times.append(time.perf_counter() - start)
    return min(times), result


def fresh(problem: OrderingProblem) -> OrderingProblem:
    """Return the same problem with nothing computed yet."""
    return OrderingProblem(problem.graph, problem.bulbs, problem.odd)


def splitting() -> None:
    """Time `biconnected_blocks` from nothing on boards of every kind."""
    print(f"{'board':26}{'presses':>9}  {'split':>9}  outcome")
    cases: list[tuple[str, OrderingProblem]] = []
    for pattern, side, share in [
        ("plus", 10, 0.5),
        ("plus", 50, 0.5),
        ("plus", 300, 0.5),
        ("plus", 300, 0.7),
        ("king", 12, 0.5),
        ("king", 300, 0.5),
        ("torus-plus", 20, 0.5),
        ("cross", 30, 0.5),
        ("cross", 1000, 0.5),
    ]:
        problem = pressed(grid_graph(pattern, (side, side)), share, seed=1)
        cases.append((f"random {pattern} {side}x{side}", problem))
    for pattern, side, share in [
        ("plus", 50, 0.5),
        ("plus", 300, 0.5),
        ("plus", 300, 1.0),
        ("king", 300, 0.5),
        ("cross", 30, 0.5),
    ]:
        problem = orderable(grid_graph(pattern, (side, side)), share, seed=1)
        cases.append((f"orderable {pattern} {side}x{side}", problem))
    whole = grid_graph("cross", (1000, 1000))
    mixed = pressed(whole, 0.5, seed=1)
    odd = np.zeros(mixed.size, dtype=np.bool_)
    odd[0] = True
    cases.append(("mixed goal cross 1000x1000", OrderingProblem(whole, mixed.bulbs, odd)))
    ring = grid_graph("torus-plus", (1, 100_000))
    cases.append(("ring 1x100000", pressed(ring, 1.0, seed=1)))
    for name, problem in cases:
        seconds, found = best_of(3, lambda p=problem: biconnected_blocks(fresh(p)))  # type: ignore[misc]
        if isinstance(found, Split):
            sizes = sorted((block.size for block in found.blocks), reverse=True)
            start = time.perf_counter()
            small = [block for block in found.blocks if block.size <= MOST]
            orders = [order_subsets(block) for block in small]
            searched = time.perf_counter() - start
            left = len(found.blocks) - len(small)
            outcome = f"{len(sizes)} blocks, largest {sizes[:3]}; subsets {searched:.3f} s"
            outcome += f", {left} too large"
            if not left:
                glued, _ = best_of(3, lambda f=found, o=orders: f.glue(o))  # type: ignore[misc]
                outcome += f"; glue {glued:.3f} s"
        elif isinstance(found, Refutation):
            outcome = f"{found.kind}, {found.bulbs.size if found.bulbs is not None else 0} bulbs"
        print(f"{name:26}{problem.size:>9}  {seconds:>7.4f} s  {outcome}")


def random_edges(n: int, density: float, rng: random.Random) -> list[tuple[int, int]]:
    """Return a random graph's edges."""
    return [pair for pair in itertools.combinations(range(n), 2) if rng.random() < density]


def subsets() -> None:
    """Time the search over subsets on problems with and without an order."""
    print(f"\n{'vertices':>8}  {'an order':>12}  {'no order':>12}")
    rng = random.Random(1)
    for n in (4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24):
        times: dict[str, list[float]] = {"order": [], "none": []}
        for _ in range(5):
            edges = random_edges(n, 0.4, rng)
            place = rng.sample(range(n), n)
            first = Counter(u if place[u] < place[v] else v for u, v in edges)
            odd = {v for v in range(n) if first[v] % 2}
            for verdict, parities in (("order", odd), ("none", odd ^ {0})):
                problem = OrderingProblem.from_edges(n, edges, parities)
                problem.edges  # noqa: B018  (not to be timed)
                seconds, _ = best_of(3, lambda p=problem: order_subsets(p))  # type: ignore[misc]
                times[verdict].append(seconds)
        row = [f"{max(spent) * 1000:>9.3f} ms" for spent in times.values()]
        print(f"{n:>8}  {row[0]}  {row[1]}")


def kinds(count: int = 20_000) -> None:
    """Count what decides random graphs with 6 to 11 vertices."""
    for name, share in (("T empty", 0.0), ("T random", 0.5)):
        rng = random.Random(3)
        found: Counter[str] = Counter()
        largest = 0
        start = time.perf_counter()
        for _ in range(count):
            n = rng.randint(6, 11)
            edges = random_edges(n, rng.uniform(0.1, 0.8), rng)
            odd = [v for v in range(n) if rng.random() < share]
            outcome = biconnected_blocks(OrderingProblem.from_edges(n, edges, odd))
            kind = "order"
            if isinstance(outcome, Refutation):
                kind = outcome.kind
            else:
                for block in outcome.blocks:
                    answer = order_subsets(block)
                    if isinstance(answer, Refutation):
                        kind, largest = answer.kind, max(largest, block.size)
            found[kind] += 1
        none = count - found.pop("order")
        seconds = time.perf_counter() - start
        shares = ", ".join(f"{kind} {100 * k / none:.2f} %" for kind, k in found.most_common())
        print(f"\n{name}: {count} graphs in {seconds:.1f} s, {none} without an order: {shares}")
        print(f"largest block searched in vain: {largest} vertices")


if __name__ == "__main__":
    splitting()
    subsets()
    kinds()
