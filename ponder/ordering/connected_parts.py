"""The connected parts of an ordering problem, and what remains of it when a prefix is built.

Parts do not touch each other: a problem has an order iff each of its parts has one, and orders of
the parts can be put one after the other. Building v flips t at its neighbours, so what remains of a
problem after a prefix of a build order is again a problem.

Cost. O(vertices + edges).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ponder.linear.gf2k_dense import Poll
from ponder.puzzle.components import component_numbers, components
from ponder.puzzle.graph import EdgeGraph
from ponder.puzzle.ordering_problem import OrderingProblem
from ponder.types import Ints


@dataclass(frozen=True, eq=False)
class Part:
    """A connected part of what remains: a problem of its own, and its vertices in the whole."""

    problem: OrderingProblem
    vertices: Ints


def connected_parts(problem: OrderingProblem, poll: Poll) -> list[Part]:
    """Return the connected parts of a problem, by their least vertices; `poll` is called often.

    >>> problem = OrderingProblem.from_edges(4, [(0, 2), (1, 3)])
    >>> [part.vertices.tolist() for part in connected_parts(problem, lambda: None)]
    [[0, 2], [1, 3]]
    """
    if not problem.size:
        return []
    poll()
    number = component_numbers(problem)
    poll()
    groups = components(problem, number)
    if len(groups) == 1:
        return [Part(problem, groups[0])]
    place = np.empty(problem.size, dtype=np.int64)
    for group in groups:
        place[group] = np.arange(group.size)
    of_edge = number[problem.edges[:, 0]]
    edges = place[problem.edges[np.argsort(of_edge, kind="stable")]]
    cuts = np.cumsum(np.bincount(of_edge, minlength=len(groups)))[:-1]
    found = []
    for group, own in zip(groups, np.split(edges, cuts), strict=True):
        poll()
        graph = EdgeGraph(group.size, own)
        part = OrderingProblem(graph, np.arange(group.size), problem.odd[group])
        found.append(Part(part, group))
    return found


def remainder(problem: OrderingProblem, placed: Ints, poll: Poll) -> list[Part]:
    """Return the connected parts of what remains when a prefix of a build order is placed.

    >>> path = OrderingProblem.from_edges(3, [(0, 1), (1, 2)])
    >>> rest = remainder(path, np.array([1]), lambda: None)
    >>> [(part.vertices.tolist(), part.problem.odd.tolist()) for part in rest]
    [([0], [True]), ([2], [True])]
    """
    gone = np.zeros(problem.size, dtype=np.bool_)
    gone[placed] = True
    u, v = problem.edges[:, 0], problem.edges[:, 1]
    before = np.bincount(u[gone[v]], minlength=problem.size)
    before += np.bincount(v[gone[u]], minlength=problem.size)
    left = np.flatnonzero(~gone)
    rest = problem.restricted(left, (problem.odd ^ (before % 2 == 1))[left])
    return [Part(part.problem, left[part.vertices]) for part in connected_parts(rest, poll)]
