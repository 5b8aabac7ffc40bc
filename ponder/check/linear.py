"""The checker's own linear algebra: all press sets of a board, and how many there are.

Idea. The press sets are the solutions of A·s = b over GF(2), base + span(basis). Every bulb is
written as a sum of a few *parameters*; what remains is a small dense system among these.

* Row/column boards: the parities r_i, c_j of the presses in each line, s(i,j) = b(i,j) + r_i + c_j,
  one equation a line. If R and C are even on a full rectangle, s = A·b is the only press set.
* Wirings: the presses, and every light is an equation.
* With the goal `pressed`: every bulb, and no other.
* All others: chasing. Of each equation Σ_{u ∈ N[v]} s(u) = b(v) in turn, all but the last s(u)
  without an expression become parameters, and the last is expressed by it.

Letters: k parameters, d nullity. An expression is a Python integer: bit 0 is the constant 1,
bit i the i-th parameter. Cost: O(edges · k/64) for chasing, O(k³/64) for the small system; more
than MOST_PARAMETERS are refused (`TooLarge`), never guessed at.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ponder.check.reader import MOST_NEIGHBOURS, TooLarge, demand, fail
from ponder.model.board import Board
from ponder.model.graph import CrossGraph, GridGraph
from ponder.model.wired_graph import Wired
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits

MOST_PARAMETERS = 4096
MOST_NULLITY = 62  # above, a member has no number of 64 bits, and the kernel is not written down
MOST_BITS = 1 << 32  # of all expressions together


@dataclass(frozen=True)
class PressSets:
    """All solutions of A·s = b: `base` or None, `basis` (nullity, n) or None if that is large."""

    base: Bits | None
    nullity: int
    basis: Bits | None

    @property
    def one(self) -> Bits:
        """A press set. Raises CheckFailed if there is none."""
        if self.base is None:
            fail("the goal cannot be reached by any presses")
        return self.base

    @property
    def quiet(self) -> Bits:
        """The basis. Raises TooLarge if it is not written down."""
        if self.basis is None:
            raise TooLarge(f"2^{self.nullity} press sets are too many to go through")
        return self.basis


def press_sets(board: Board, limits: Limits = NEVER, written: int = MOST_NULLITY) -> PressSets:
    """Return all press sets of a board; a basis of at most `written` vectors is written down.

    Raises LimitReached.

    >>> sets = press_sets(Board.from_rows(["000", "000", "000"], pattern="plus"))
    >>> sets.nullity, sets.base.astype(int).reshape(3, 3).tolist()
    (0, [[1, 0, 1], [0, 1, 0], [1, 0, 1]])
    """
    graph = board.graph
    limits.check()
    if board.pressed:
        all_bulbs = np.ones(graph.presses, dtype=np.bool_)
        return PressSets(all_bulbs, 0, all_bulbs[None][:0])
    if isinstance(graph, CrossGraph):
        if graph.mask is None and graph.shape[0] % 2 == 0 and graph.shape[1] % 2 == 0:
            s = graph.to_grid(board.change)
            rows, columns = (np.count_nonzero(s, axis=axis) % 2 == 1 for axis in (1, 0))
            s = s ^ rows[:, None]
            s ^= columns
            return PressSets(s.reshape(-1), 0, np.empty((0, graph.size), dtype=np.bool_))
        system = _by_lines(graph, board.change)
    elif isinstance(graph, Wired):
        system = _by_wires(graph, board.change)
    else:
        system = _by_chasing(board, limits)
    return _solved(*system, limits, written)


Expand: TypeAlias = Callable[[int], Bits]  # bulbs from the parameters' values (bit 0: b counts)
System: TypeAlias = tuple[int, list[int], Expand]
"""The number of parameters, the equations among them, and how to expand their values."""


def _by_lines(graph: CrossGraph, change: Bits) -> System:
    height, width = graph.shape
    k = height + width
    demand(k, MOST_PARAMETERS, "lines")
    exists = graph.to_grid(np.ones(graph.size, dtype=np.bool_))
    b = graph.to_grid(change)
    equations = []
    for at, across, cells, wanted in ((1, 1 + height, exists, b), (1 + height, 1, exists.T, b.T)):
        for i in range(cells.shape[0]):
            # own parity + Σ over the line's bulbs of (b + own parity + crossing parity) = 0
            bits = np.packbits(cells[i], bitorder="little").tobytes()
            equation = int.from_bytes(bits, "little") << across
            equation ^= ((1 + int(cells[i].sum())) & 1) << (at + i)
            equations.append(equation ^ (int(wanted[i].sum()) & 1))

    def expand(values: int) -> Bits:
        bits = np.frombuffer(values.to_bytes(k // 8 + 1, "little"), dtype=np.uint8)
        parities = np.unpackbits(bits, bitorder="little").astype(np.bool_)
        s = parities[1 + graph.rows] ^ parities[1 + height + graph.columns]
        return s ^ change if values & 1 else s

    return k, equations, expand


def _by_wires(graph: Wired, change: Bits) -> System:
    n = graph.presses
    demand(n, MOST_PARAMETERS, "buttons")
    equations = change.astype(int).tolist()
    for light, press in zip(graph.toggled.tolist(), graph.owners.tolist(), strict=True):
        equations[light] ^= 2 << press

    def expand(values: int) -> Bits:
        return np.array([values >> 1 + v & 1 for v in range(n)], dtype=np.bool_)

    return n, equations, expand


def _by_chasing(board: Board, limits: Limits) -> System:
    graph, n = board.graph, board.graph.size
    demand(n + 2 * graph.edge_count(), 8 * MOST_NEIGHBOURS, "neighbours of all bulbs")
    reading = np.arange(n, dtype=np.int64)
    if isinstance(graph, GridGraph) and graph.shape[1] > graph.shape[0]:
        reading = np.lexsort((graph.rows, graph.columns))  # along the longer side
    edges = graph.edges_within(reading)  # ends are places in the reading order
    ends = np.concatenate([edges, edges[:, ::-1], np.repeat(np.arange(n)[:, None], 2, axis=1)])
    ends = ends[np.lexsort((ends[:, 1], ends[:, 0]))]
    starts = np.searchsorted(ends[:, 0], np.arange(n + 1)).tolist()
    near, change = ends[:, 1].tolist(), board.change[reading].tolist()

    k, most = 0, min(MOST_PARAMETERS, MOST_BITS // max(1, n))
    expression: list[int | None] = [None] * n
    equations: list[int] = []
    for v in limits.over(range(n)):
        total, unknown = int(change[v]), []
        for u in near[starts[v] : starts[v + 1]]:
            known = expression[u]
            if known is None:
                unknown.append(u)
            else:
                total ^= known
        for u in unknown[:-1]:
            k += 1
            expression[u] = 1 << k
            total ^= 1 << k
        if k > most:
            raise TooLarge(f"more than {most} unknowns are left to eliminate")
        if unknown:
            expression[unknown[-1]] = total
        else:
            equations.append(total)

    def expand(values: int) -> Bits:
        s = np.empty(n, dtype=np.bool_)  # each bulb has an expression by now: v ∈ N[v]
        s[reading] = [((e or 0) & values).bit_count() & 1 for e in expression]
        return s

    return k, equations, expand


def _solved(
    k: int, equations: list[int], expand: Expand, limits: Limits, written: int
) -> PressSets:
    """Solve the equations (each a sum that must be 0) among the parameters 1 … k."""
    pivots = echelon(equations, limits)
    solvable = pivots.pop(0, None) is None  # a row that is only the constant says 1 = 0
    free = [f for f in range(1, k + 1) if f not in pivots]
    base = expand(completed(1, pivots))
    basis: Bits | None = None
    if len(free) <= written:
        demand(len(free) * base.size, MOST_BITS // 4, "bulbs of quiet patterns")
        vectors = [expand(completed(1 << f, pivots)) for f in limits.over(free, 1)]
        basis = np.array(vectors, dtype=np.bool_).reshape(len(free), base.size)
    return PressSets(base if solvable else None, len(free), basis)


def echelon(rows: list[int], limits: Limits = NEVER) -> dict[int, int]:
    """Return independent rows that span the same space, each by its highest bit."""
    pivots: dict[int, int] = {}
    for row in limits.over(rows):
        while row:
            lead = row.bit_length() - 1
            if lead not in pivots:
                pivots[lead] = row
                break
            row ^= pivots[lead]
    return pivots


def reduced(basis: Bits) -> tuple[Bits, list[int]]:
    """Return the basis, (d, n), with vector i alone at bulb pivots[i], and these pivots."""
    rows, pivots = basis.copy(), []
    for i, vector in enumerate(rows):
        pivots.append(int(np.argmax(vector)))
        to_clear = rows[:, pivots[i]].copy()
        to_clear[i] = False
        rows[to_clear] ^= vector
    return rows, pivots


def completed(values: int, pivots: dict[int, int]) -> int:
    """Set the bits that rows determine, their highest, from low to high: all sums become 0."""
    for lead in sorted(pivots):
        if (pivots[lead] & values).bit_count() & 1:
            values |= 1 << lead
    return values
