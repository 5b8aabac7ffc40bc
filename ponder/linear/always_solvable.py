"""Why all bulbs can always be toggled, seen on a board's own quiet patterns (theory §8.2).

A s = (1, …, 1) has a solution unless some quiet pattern z has an odd number of bulbs. Count the
ones of A that lie in rows and columns of z in two ways: row by row they are even in number, as
pressing z changes nothing; by symmetry they are |z| + 2·edges. So |z| is even; a basis is enough.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ponder.puzzle.graph import Graph
from ponder.types import Bits, Ints


@dataclass(frozen=True, eq=False)
class EvenPattern:
    """A quiet pattern z, and the ones of A in its rows and columns."""

    bulbs: Ints
    in_row: Ints
    """For each bulb of z, by how many presses of z it is toggled: even."""

    edges: int
    """The pairs of neighbours within z: in_row adds up to |z| + 2·edges."""


def even_patterns(graph: Graph, quiet: Bits) -> list[EvenPattern]:
    """Return the two counts for quiet patterns, (m, n).

    >>> from ponder.linear.press_sets import kernel
    >>> from ponder.puzzle.graph import grid_graph
    >>> graph = grid_graph("plus", (4, 4))
    >>> for z in even_patterns(graph, kernel(graph).basis()[:1]):
    ...     z.bulbs.size, z.edges, z.in_row.tolist()
    (8, 6, [2, 4, 2, 2, 2, 2, 4, 2])
    """
    return [_counted(graph, np.flatnonzero(pattern)) for pattern in quiet]


def _counted(graph: Graph, bulbs: Ints) -> EvenPattern:
    edges = graph.edges_within(bulbs)
    in_row = 1 + np.bincount(edges.ravel(), minlength=bulbs.size)
    if (in_row & 1).any() or in_row.sum() != bulbs.size + 2 * len(edges):
        raise ValueError("this pattern is not quiet")
    return EvenPattern(bulbs, in_row, len(edges))
