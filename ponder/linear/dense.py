"""The linear stage of a graph without structure: write A down and eliminate.

Cost: O(n³/512) word operations, n²/8 bytes (see `gf2`): n = 4096 in 0.2 s.
"""

from __future__ import annotations

import numpy as np

from ponder.limits import NEVER, Limits
from ponder.linear import gf2
from ponder.linear.quiet_patterns import Kernel, SpannedKernel
from ponder.puzzle.graph import Graph
from ponder.system import refuse_above_limit
from ponder.types import Bits, Words


def matrix(graph: Graph) -> Words:
    """Return A = adjacency(G) + I, (n, ⌈n/64⌉) words.

    NeedsMemory when that is too large to be eliminated in memory.

    >>> from ponder.puzzle.graph import EdgeGraph
    >>> matrix(EdgeGraph(3, [(0, 1)])).tolist()
    [[3], [3], [4]]
    """
    n = graph.size
    # the elimination works on a second one, with the right-hand side
    refuse_above_limit("the matrix of a graph without structure", 2 * n * (n + 7) // 8)
    words = gf2.identity(n)
    edges = graph.edges_within(np.arange(n, dtype=np.int64))
    for row, column in (edges.T, edges.T[::-1]):
        bits = np.uint64(1) << (column & 63).astype(np.uint64)
        np.bitwise_or.at(words, (row, column >> 6), bits)
    return words


def solve(graph: Graph, change: Bits, limits: Limits = NEVER) -> tuple[Bits | None, Kernel]:
    """Return a solution of A s = change, (n,), or None, and the kernel of A.

    `change` is (n,). TimeUp when the deadline passes, NeedsMemory where there is too little.

    >>> from ponder.puzzle.graph import EdgeGraph
    >>> graph = EdgeGraph(3, [(0, 1), (1, 2)])
    >>> presses, kernel = solve(graph, np.array([True, False, True]))
    >>> presses.tolist(), kernel.nullity
    ([True, False, True], 0)
    """
    solution, echelon = gf2.solve(matrix(graph), graph.size, change, limits)
    return solution, SpannedKernel(echelon.kernel(), limits)
