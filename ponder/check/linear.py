"""The checker's own linear algebra: all press sets of a board, and whether there is only one.

Idea. The press sets are the solutions of A·s = b over GF(2), base + span(basis). Every bulb is
written as a sum of a few *parameters*; what remains is a small dense system among these.

* Row/column boards: the parities r_i, c_j of the presses in each line, s(i,j) = b(i,j) + r_i + c_j,
  one equation a line. If R and C are even on a full rectangle, s = A·b is the only press set.
* Wirings: the presses, and every light is an equation.
* All others: chasing. Of each equation Σ_{u ∈ N[v]} s(u) = b(v) in turn, all but the last s(u)
  without an expression become parameters, and the last is expressed by it.

Letters: k parameters, d nullity. An expression is a Python integer: bit 0 is the constant 1,
bit i the i-th parameter. Cost: O(edges · k/64) for chasing, O(k³/64) for the small system; more
than MOST_PARAMETERS are refused (`TooLarge`), never guessed at.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ponder.check.fields import fail
from ponder.check.limits import Budget, TooLarge
from ponder.check.neighbourhoods import spend_sums
from ponder.model.board import Board
from ponder.model.graph import CrossGraph, GridGraph
from ponder.model.wired_graph import Wired
from ponder.system.types import Bits

WHAT = "the press sets"
MOST_PARAMETERS = 4096
MOST_NULLITY = 62  # above, a member has no number of 64 bits, and the kernel is not written down
_NS_XOR = 130  # nanoseconds for two expressions that are added, however short these are
_NS_WORD = 3  # … and for 64 bits of them
_NS_VALUE = 10  # … for the value of a bulb, by lines
_BYTES_BULB = 100  # of a bulb in lists, beside the bits of its expression
_AT_A_TIME = 1 << 12  # bulbs


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


def press_sets(
    board: Board, budget: Budget | None = None, written: int = MOST_NULLITY
) -> PressSets:
    """Return all press sets of a board. Raises TooLarge if that would take too long.

    A basis of at most `written` vectors is written down.

    >>> found = press_sets(Board.from_rows(["000", "000", "000"], pattern="plus"))
    >>> found.nullity, found.base.astype(int).reshape(3, 3).tolist()
    (0, [[1, 0, 1], [0, 1, 0], [1, 0, 1]])
    """
    graph, budget = board.graph, (budget or Budget()).of_board
    if isinstance(graph, CrossGraph):
        spend_sums(graph, budget, WHAT)
        if graph.mask is None and graph.shape[0] % 2 == 0 and graph.shape[1] % 2 == 0:
            s = graph.to_grid(board.change)
            rows, columns = (np.count_nonzero(s, axis=axis) % 2 == 1 for axis in (1, 0))
            s = s ^ rows[:, None]
            s ^= columns
            return PressSets(s.reshape(-1), 0, np.empty((0, graph.size), dtype=np.bool_))
        return _solved(*_by_lines(graph, board.change), budget, written)
    if isinstance(graph, Wired):
        return _solved(*_by_wires(graph, board.change, budget), budget, written)
    return _solved(*_by_chasing(board, budget), budget, written)


def unique_press_set(board: Board, budget: Budget) -> Bits:
    """Return the board's only press set. Raises CheckFailed if it is not the only one."""
    found = press_sets(board, budget)
    if found.base is not None and found.nullity:
        fail(f"there are 2^{found.nullity} press sets, not one")
    return found.one


Expand = Callable[[int], Bits]  # makes bulbs of the parameters' values (bit 0: b counts)
System = tuple[int, list[int], Expand, int]
"""The parameters, the equations among them, how to expand them, and the nanoseconds of that."""


def _by_lines(graph: CrossGraph, change: Bits) -> System:
    height, width = graph.shape
    k = height + width
    if k > MOST_PARAMETERS:
        raise TooLarge(f"{k} lines are too many to eliminate, at most {MOST_PARAMETERS}")
    exists = graph.to_grid(np.ones(graph.size, dtype=np.bool_))
    b = graph.to_grid(change)
    equations = []
    for own, other, cells, wanted in ((1, 1 + height, exists, b), (1 + height, 1, exists.T, b.T)):
        for i in range(cells.shape[0]):
            # own parity + Σ over the line's bulbs of (b + own parity + crossing parity) = 0
            bits = np.packbits(cells[i], bitorder="little").tobytes()
            equation = int.from_bytes(bits, "little") << other
            equation ^= ((1 + int(cells[i].sum())) & 1) << (own + i)
            equations.append(equation ^ (int(wanted[i].sum()) & 1))

    def expand(values: int) -> Bits:
        bits = np.frombuffer(values.to_bytes(k // 8 + 1, "little"), dtype=np.uint8)
        parities = np.unpackbits(bits, bitorder="little").astype(np.bool_)
        s = parities[1 + graph.rows] ^ parities[1 + height + graph.columns]
        return s ^ change if values & 1 else s

    return k, equations, expand, _NS_VALUE * graph.size


def _by_wires(graph: Wired, change: Bits, budget: Budget) -> System:
    n = graph.presses
    if n > MOST_PARAMETERS:
        raise TooLarge(f"{n} buttons are too many to eliminate, at most {MOST_PARAMETERS}")
    budget.spend(_NS_XOR * graph.edge_count(), WHAT)
    equations = change.astype(int).tolist()
    for light, press in zip(graph.toggled.tolist(), graph.owners.tolist(), strict=True):
        equations[light] ^= 2 << press

    def expand(values: int) -> Bits:
        return np.array([values >> 1 + v & 1 for v in range(n)], dtype=np.bool_)

    return n, equations, expand, n * _added(n)


def _by_chasing(board: Board, budget: Budget) -> System:
    graph, n = board.graph, board.graph.size
    entries = n + 2 * graph.edge_count()
    budget.hold(_BYTES_BULB * entries, WHAT)
    budget.spend(_NS_XOR * entries, WHAT)
    reading = np.arange(n, dtype=np.int64)
    if isinstance(graph, GridGraph) and graph.shape[1] > graph.shape[0]:
        reading = np.lexsort((graph.rows, graph.columns))  # along the longer side
    edges = graph.edges_within(reading)  # ends are places in the reading order
    ends = np.concatenate([edges, edges[:, ::-1], np.repeat(np.arange(n)[:, None], 2, axis=1)])
    ends = ends[np.lexsort((ends[:, 1], ends[:, 0]))]
    starts = np.searchsorted(ends[:, 0], np.arange(n + 1)).tolist()
    near, change = ends[:, 1].tolist(), board.change[reading].tolist()

    k = 0
    expression: list[int | None] = [None] * n
    equations: list[int] = []
    for v in range(n):
        if v % _AT_A_TIME == 0:
            budget.hold(_BYTES_BULB * entries + n * k // 8, WHAT)
            budget.spend((starts[min(v + _AT_A_TIME, n)] - starts[v]) * _added(k), WHAT)
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
        if k > MOST_PARAMETERS:
            raise TooLarge(f"more than {MOST_PARAMETERS} unknowns are left to eliminate")
        if unknown:
            expression[unknown[-1]] = total
        else:
            equations.append(total)
    written = [e if e is not None else 0 for e in expression]  # none is left: v ∈ N[v]

    def expand(values: int) -> Bits:
        s = np.empty(n, dtype=np.bool_)
        s[reading] = [(e & values).bit_count() & 1 for e in written]
        return s

    return k, equations, expand, n * _added(k)


def _added(k: int) -> int:
    """Return the nanoseconds for two expressions of k parameters that are added, or compared."""
    return _NS_XOR + _NS_WORD * (k // 64)


def _solved(
    k: int, equations: list[int], expand: Expand, cost: int, budget: Budget, most: int
) -> PressSets:
    """Solve the equations (each a sum that must be 0) among the parameters 1 … k."""
    budget.spend(len(equations) * k * _added(k), WHAT)
    pivots = echelon(equations)
    solvable = pivots.pop(0, None) is None  # a row that is only the constant says 1 = 0
    free = [f for f in range(1, k + 1) if f not in pivots]
    written = len(free) if len(free) <= most else 0
    budget.spend((1 + written) * (cost + k * _added(k)), WHAT)
    basis: Bits | None = None
    if len(free) <= most:
        budget.hold(len(free) * expand(0).size, WHAT)
        vectors = [expand(completed(1 << f, pivots)) for f in free]
        width = expand(0).size
        basis = np.array(vectors, dtype=np.bool_).reshape(len(free), width)
    return PressSets(expand(completed(1, pivots)) if solvable else None, len(free), basis)


def echelon(rows: list[int]) -> dict[int, int]:
    """Return independent rows that span the same space, each by its highest bit."""
    pivots: dict[int, int] = {}
    for row in rows:
        while row:
            lead = row.bit_length() - 1
            if lead not in pivots:
                pivots[lead] = row
                break
            row ^= pivots[lead]
    return pivots


def reduced(basis: Bits) -> tuple[Bits, list[int]]:
    """Return the basis, (d, n), with vector i alone at bulb pivots[i], and these pivots."""
    found, pivots = basis.copy(), []
    for i, vector in enumerate(found):
        pivots.append(int(np.argmax(vector)))
        others = found[:, pivots[i]].copy()
        others[i] = False
        found[others] ^= vector
    return found, pivots


def completed(values: int, pivots: dict[int, int]) -> int:
    """Set the bits that rows determine, their highest, from low to high: all sums become 0."""
    for lead in sorted(pivots):
        if (pivots[lead] & values).bit_count() & 1:
            values |= 1 << lead
    return values
