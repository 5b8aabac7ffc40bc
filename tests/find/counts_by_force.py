"""Counts against brute force: all graphs to six vertices, random ones of seven and eight; plays.

    python -m tests.find.counts_by_force      prints what was compared, in a minute or two

Nothing here knows the ordering problem. Orientations are read off all orders of the vertices; their
number over all T is |χ(−1)| by deletion and contraction (Stanley 1973). Orders of a board are its
legal plays, bulb by bulb.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from functools import cache
from itertools import combinations, permutations

import numpy as np

import ponder
from ponder.model.board import RULES, Board
from ponder.model.graph import EdgeGraph, Graph, grid_graph
from tests.boards import all_pressed

Edges = tuple[tuple[int, int], ...]


@cache
def places(size: int) -> np.ndarray:
    """Return where each vertex stands in every order, (n!, n)."""
    return np.argsort(np.array(list(permutations(range(size))), dtype=np.int8), axis=1)


def by_orders(size: int, edges: Edges) -> dict[int, tuple[int, int]]:
    """Return by T, as bits, how many orders and how many acyclic orientations there are."""
    place = places(size)
    odd = np.zeros(len(place), dtype=np.int64)
    ways = np.zeros(len(place), dtype=np.int64)
    for k, (u, v) in enumerate(edges):
        first = place[:, u] < place[:, v]
        odd ^= np.where(first, 1 << u, 1 << v)
        ways |= first.astype(np.int64) << k
    orders = Counter(odd.tolist())
    oriented = Counter(t for t, _ in set(zip(odd.tolist(), ways.tolist(), strict=True)))
    return {t: (orders[t], oriented[t]) for t in orders}


@cache
def at_minus_one(size: int, edges: frozenset[tuple[int, int]]) -> int:
    """Return |χ(−1)|, by deletion and contraction."""
    if not edges:
        return 1
    (u, v), *rest = sorted(edges)
    joined = {(min(a, b), max(a, b)) for a, b in ((u if x == v else x, u if y == v else y)
                                                  for x, y in rest)}  # fmt: skip
    return at_minus_one(size, frozenset(rest)) + at_minus_one(size - 1, frozenset(joined))


def compare_graph(size: int, edges: Edges) -> int:
    """Compare every T of a graph; return the number of its acyclic orientations."""
    known, total = by_orders(size, edges), 0
    for t in range(1 << size):
        odd = [v for v in range(size) if t >> v & 1]
        orders, orientations = known.get(t, (0, 0))
        assert ponder.count_orientations((size, edges), odd).number == orientations, (edges, odd)
        total += orientations
        if size < 6 or t % 8 == 0:  # pressing everything is one of its press sets
            board = all_pressed(size, edges, odd)
            assert ponder.count_orders(board, list(range(size))).orders.number == orders
    assert total == at_minus_one(size, frozenset(edges)), edges
    return total


def plays(board: Board) -> int:
    """Return how many legal plays, each bulb at most once, end in the goal."""
    graph = board.graph
    toggles = [sum(1 << int(u) for u in (*graph.neighbours(v), v)) for v in range(graph.size)]
    start, goal = (sum(1 << v for v in np.flatnonzero(x).tolist()) for x in (board.lit, board.goal))

    def from_state(state: int, pressed: int) -> int:
        found = int(state == goal)
        for v, toggled in enumerate(toggles):
            lit = state >> v & 1
            if pressed >> v & 1 or (board.rule != "any" and lit == (board.rule == "unlit")):
                continue
            found += from_state(state ^ toggled, pressed | 1 << v)
        return found

    return from_state(start, 0)


def random_board(rng: random.Random, most: int) -> Board:
    """Return a grid or a graph of at most that many bulbs, its rule, start and goal drawn."""
    rows, columns = rng.choice([(1, 5), (2, 2), (2, 3), (2, 4), (3, 2), (1, 7)])
    pattern = rng.choice(["cross", "plus", "king", "torus-plus", "graph"])
    if pattern == "graph":
        size = rng.randint(1, most)
        pairs = [pair for pair in combinations(range(size), 2) if rng.random() < 0.5]
        graph: Graph = EdgeGraph(size, pairs)
    else:
        graph = grid_graph(pattern, (rows, columns))
    size = graph.size
    lit, goal = (np.array([rng.random() < 0.5 for _ in range(size)]) for _ in range(2))
    goal |= rng.random() < 0.5
    return Board(graph, lit, goal, rng.choice(RULES))


def main(most: int = 8, graphs: int = 20, boards: int = 400) -> str:
    """Compare everything; return what was compared."""
    from networkx.generators.atlas import graph_atlas_g

    rng = random.Random(37)
    done, total, orders = 0, 0, 0
    for found in graph_atlas_g():
        if 0 < found.number_of_nodes() <= 6:
            edges = tuple(sorted((min(e), max(e)) for e in found.edges))
            total += compare_graph(found.number_of_nodes(), edges)
            done += 1
    for size in range(7, most + 1):
        for _ in range(graphs):
            share = rng.choice([0.3, 0.5, 0.8])
            pairs = tuple(pair for pair in combinations(range(size), 2) if rng.random() < share)
            total += compare_graph(size, pairs)
            done += 1
    for _ in range(boards):
        board = random_board(rng, most)
        known = plays(board)
        assert ponder.count_orders(board).orders.number == known, (board, known)
        orders += known
    return (
        f"{done} graphs, every T: {total:,} acyclic orientations, |χ(−1)| of each\n"
        f"{boards} boards to {most} bulbs: {orders:,} legal plays"
    )


if __name__ == "__main__":
    sys.stdout.write(main() + "\n")
