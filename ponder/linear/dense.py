"""The linear stage of a graph without structure: write A down and eliminate.

Cost: O(n³/512) word operations, n²/8 bytes (see `gf2`): n = 4096 in 0.2 s.
"""

from __future__ import annotations

import numpy as np

from ponder.limits import NEVER, Limits
from ponder.linear import gf2
from ponder.linear.quiet_patterns import Kernel, SpannedKernel
from ponder.memory import refuse_above_limit
from ponder.puzzle.graph import Graph
from ponder.puzzle.wired_graph import Wired
from ponder.types import Bits, Words


def matrix(graph: Graph) -> Words:
    """Return A = adjacency(G) + I, or B of a wiring, (lights, ⌈presses/64⌉) words.

    NeedsMemory when that is too large to be eliminated in memory.

    >>> from ponder.puzzle.graph import EdgeGraph
    >>> matrix(EdgeGraph(3, [(0, 1)])).tolist()
    [[3], [3], [4]]
    """
    n = graph.presses
    # the elimination works on a second one, with the right-hand side
    refuse_above_limit("the matrix of a graph without structure", 2 * graph.size * (n + 7) // 8)
    if isinstance(graph, Wired):
        words = np.zeros((graph.size, (n + 63) >> 6), dtype=np.uint64)
        wires = [(graph.toggled, graph.owners)]
    else:
        words = gf2.identity(n)
        edges = graph.edges_within(np.arange(n, dtype=np.int64)).T
        wires = [(edges[0], edges[1]), (edges[1], edges[0])]
    for row, column in wires:
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
    solution, echelon = gf2.solve(matrix(graph), graph.presses, change, limits)
    return solution, SpannedKernel(echelon.kernel(), limits)


def odd_cover(graph: Wired, change: Bits, limits: Limits = NEVER) -> Bits | None:
    """Return lights of which every press toggles evenly many, and oddly many must change.

    The solution y of Bᵀ y = 0, b·y = 1, (m,); None where there is none. TimeUp, NeedsMemory.

    >>> from ponder.puzzle.wired_graph import WiringGraph
    >>> odd_cover(WiringGraph(2, [[0, 1]]), np.array([True, False])).tolist()
    [True, True]
    """
    refuse_above_limit("the matrix of a wiring", 2 * graph.presses * (graph.size + 7) // 8)
    words = np.zeros((graph.presses + 1, (graph.size + 63) >> 6), dtype=np.uint64)
    bits = np.uint64(1) << (graph.toggled & 63).astype(np.uint64)
    np.bitwise_or.at(words, (graph.owners, graph.toggled >> 6), bits)
    words[-1] = gf2.pack(change)
    right = np.zeros(graph.presses + 1, dtype=np.bool_)
    right[-1] = True
    return gf2.solve(words, graph.size, right, limits)[0]
