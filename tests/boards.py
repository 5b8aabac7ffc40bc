"""Boards, graphs and ordering problems for tests and benchmarks, and what judges an order."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np

from ponder.model.board import Board, Rule
from ponder.model.edge_graph import EdgeGraph
from ponder.model.formats import read
from ponder.model.graph import CrossGraph, Graph, grid_graph
from ponder.model.ordering_problem import Order, OrderingProblem
from ponder.system.types import Bits

INSTANCES = Path(__file__).resolve().parents[1] / "instances"

Edges: TypeAlias = list[tuple[int, int]]

"""A graph that greedy mostly fails on, even with the fewest neighbours first."""


def bits_of(number: int, size: int) -> Bits:
    """The binary digits of a number, the least first."""
    return np.array([number >> v & 1 for v in range(size)], dtype=np.bool_)


def number_of(bits: Iterable[bool]) -> int:
    """The number with these binary digits, the least first."""
    return sum(1 << k for k, bit in enumerate(bits) if bit)


# -------------------------------------------------------------------------------------- graphs


def edges_of(graph: Graph) -> Edges:
    """The edges u < v, from the neighbours of every bulb."""
    return [(u, v) for u in range(graph.size) for v in graph.neighbours(u).tolist() if u < v]


def all_graphs(size: int) -> Iterator[Edges]:
    """The edges of every labelled graph."""
    pairs = list(itertools.combinations(range(size), 2))
    for chosen in range(1 << len(pairs)):
        yield [pair for i, pair in enumerate(pairs) if chosen >> i & 1]


def random_edges(size: int, density: float, rng: random.Random) -> Edges:
    """The edges of a random graph in which every pair is joined with the same probability."""
    return [pair for pair in itertools.combinations(range(size), 2) if rng.random() < density]


# -------------------------------------------------------------------------------------- boards


def instance(name: str) -> Board:
    """A board of `instances/`, by its name."""
    return read(INSTANCES / f"{name}.txt")


def solved_by(graph: Graph, presses: Bits, goal: Bits | None = None, rule: Rule = "unlit") -> Board:
    """The board that a press set turns into its goal; all lit where none is given."""
    target = np.ones(graph.size, dtype=np.bool_) if goal is None else goal
    return Board(graph, target ^ graph.apply(presses), target, rule)


def all_pressed(size: int, edges: Iterable[tuple[int, int]], odd: Sequence[int]) -> Board:
    """The graph board whose press set is everything, with the goal unlit on T = `odd`."""
    graph = EdgeGraph(size, edges)
    return solved_by(graph, np.ones(size, dtype=np.bool_), ~graph.set_of(odd))


def cross_pressed(presses: Bits, rule: Rule = "unlit") -> Board:
    """The row/column board with T = ∅ that a press set, an (R, C) array, turns into its goal."""
    graph = CrossGraph((presses.shape[0], presses.shape[1]))
    return solved_by(graph, presses.reshape(-1), np.full(graph.size, rule == "unlit"), rule)


def random_coset_board(rng: np.random.Generator, most: int, rules: Sequence[Rule]) -> Board:
    """A random solvable board of at most `most` bulbs: bulbs doubled, or a grid; any goal.

    Many have a nullity of 3 or more.
    """
    graph: Graph
    if rng.random() < 0.3:
        pattern = ["plus", "king", "torus-plus", "torus-king", "cross"][rng.integers(5)]
        rows = int(rng.integers(2, 5))
        graph = grid_graph(pattern, (rows, int(rng.integers(2, most // rows + 1))))
    else:
        size = int(rng.integers(4, most + 1))
        like = rng.integers(max(1, size - int(rng.integers(3, 7))), size=size)
        joined = np.triu(rng.random((size, size)) < rng.random(), 1)
        near = joined | joined.T
        pairs = [
            (u, v)
            for v in range(size)
            for u in range(v)
            if like[u] == like[v] or near[like[u], like[v]]
        ]
        graph = EdgeGraph(size, pairs)
    goal = rng.random(graph.size) < rng.choice([0.5, 1.0])
    return solved_by(
        graph, rng.random(graph.size) < 0.5, goal, rules[int(rng.integers(len(rules)))]
    )


def numbered(graph: Graph, state: int, goal: int, rule: Rule = "unlit") -> Board:
    """The board whose state and goal are the binary digits of two numbers."""
    return Board(graph, bits_of(state, graph.size), bits_of(goal, graph.size), rule)


# ----------------------------------------------------------------------------------- ordering


def even_problem(board: Board) -> OrderingProblem:
    """The presses of a row/column board with even sides: its only press set is A·b."""
    return OrderingProblem.of_board(board, board.graph.apply(board.change))


def is_order(problem: OrderingProblem, answer: object) -> bool:
    """Every vertex once, with t(v) later neighbours mod 2: counted edge by edge."""
    if not isinstance(answer, Order):
        return False
    play = answer.vertices.tolist()
    if sorted(play) != list(range(problem.size)):
        return False
    when = {v: k for k, v in enumerate(play)}
    later = [0] * problem.size
    for v, near in enumerate(problem.heard_lists):
        later[v] = sum(when[u] > when[v] for u in near)
    for u, v in () if problem.fixed is None else problem.fixed.tolist():
        if when[u] > when[v]:
            return False
    return all(later[v] % 2 == problem.odd[v] for v in range(problem.size))


NEED_A_MASTER = (368, 371, 430, 826, 856, 873, 1984, 2102, 2199, 2331, 2588, 2859, 3625, 3730)
"""Seeds of small graphs whose bound needs cuts: about one solvable board in 250 is like that."""


def needs_the_oracle(number: int) -> Board:
    """Return a small board whose lower bound is proved by decomposition, and by nothing less."""
    rng = random.Random(NEED_A_MASTER[number % len(NEED_A_MASTER)])
    size = rng.randint(5, 11)
    rng.random()
    graph = EdgeGraph(size, random_edges(size, rng.uniform(0.25, 0.6), rng))
    presses = np.array([rng.random() < 0.5 for _ in range(size)])
    all_lit = rng.random() < 0.6
    goal = np.array([all_lit or rng.random() < 0.6 for _ in range(size)])
    return solved_by(graph, presses, goal)
