"""The linear stage: all press sets of a board, or the proof that it has none (theory §1.1).

Over GF(2) the order of presses does not matter and two presses of a bulb cancel, so a sequence is
its *press set* s, the bulbs pressed an odd number of times. It leads from the board to its goal iff
A s = b, where A = adjacency(G) + I and b = lit + goal. If s is one press set, all are s + ker A. If
there is none, some kernel vector is odd with b: an odd witness.

Which technique solves it

    row/column boards               `line_parities`   O(cells) + O((R + C)³) with holes
    full plus grids and tori        `light_chasing`   whole rows at a time, from 3 rows on
    any graph with a narrow front   `frontal`         holes, king, sparse graphs, to 128 bulbs
    the rest, and wirings           `gf2`             packed elimination, n = 4096 in 0.2 s

Whatever the technique, what leaves this module has been checked by one multiplication with A.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ponder.check.witness import Witness
from ponder.find.linear import frontal, gf2, light_chasing, line_parities
from ponder.find.linear.gf2 import Kernel, SpannedKernel
from ponder.model.arguments import need_board
from ponder.model.board import Board
from ponder.model.edge_graph import EdgeGraph
from ponder.model.graph import CrossGraph, Graph, GridGraph
from ponder.model.wired_graph import Wired
from ponder.system.errors import BadArgument, PonderError, quoted
from ponder.system.limits import NEVER, Limits
from ponder.system.machine import refuse_above_limit
from ponder.system.printable import pluralise, shown
from ponder.system.types import Bits

_MOST_LISTED = 20  # the largest nullity whose press sets are listed in one array
_ALWAYS_FRONTAL = 128  # graphs up to this size have a front that is cheap however wide


@dataclass(frozen=True, eq=False)
class PressSets:
    """All press sets of a board: `particular` + ker A.

    >>> sets = press_sets(Board.from_rows(["000", "000", "000"]))
    >>> sets.nullity, sets.members().shape
    (4, (16, 9))
    >>> int(sets.lightest_first()[0].sum())  # the three bulbs of a diagonal, say
    3
    """

    particular: Bits
    kernel: Kernel
    board: Board | None = None
    """Whose press sets these are, where that is known."""

    @property
    def nullity(self) -> int:
        """d: there are 2^d press sets."""
        return self.kernel.nullity

    @property
    def kernel_basis(self) -> Bits:
        """The written-out kernel basis, (d, n). Raises PonderError beyond 2 GB."""
        return self.kernel.basis()

    def __repr__(self) -> str:
        """Return one line: how many there are, and the size of one."""
        many = f"one of 2^{self.nullity}" if self.nullity else "the only one"
        bulbs = pluralise(self.particular.size, "bulb")
        pressed = np.count_nonzero(self.particular)
        return f"<PressSets: {many} presses {pressed} of {bulbs}>"

    def _repr_html_(self) -> str | None:
        """Return what a notebook shows: a light press set on its board, and kernel vectors."""
        return shown("press sets", self)

    def member(self, coefficients: Bits) -> Bits:
        """Return the press set with given coordinates: (d,) to (n,) bools. Raises BadArgument.

        >>> sets = press_sets(Board.from_rows(["00000"] * 5, "plus"))
        >>> int(np.count_nonzero(sets.member(np.array([True, True]))))
        15
        """
        if getattr(coefficients, "shape", None) != (self.nullity,) or coefficients.dtype != bool:
            reason = f"{quoted(coefficients)} is no array of bools of shape ({self.nullity},)"
            raise BadArgument(reason, "coefficients")
        return self.particular ^ self.kernel.member(coefficients)

    def members(self) -> Bits:
        """Return all press sets, (2^d, n), in Gray-code order.

        Two that follow each other differ by one vector of `kernel_basis`; the first is
        `particular`. Raises PonderError if d > 20 or they need more than 2 GB.

        >>> sets = press_sets(Board.from_rows(["00000"] * 5, "plus"))
        >>> [int(np.count_nonzero(member)) for member in sets.members()]
        [15, 15, 15, 15]
        """
        if self.nullity > _MOST_LISTED:
            raise PonderError(f"there are 2^{self.nullity} press sets, too many to be listed")
        refuse_above_limit("a list of all press sets", self.particular.size << self.nullity)
        listed = np.empty((1 << self.nullity, self.particular.size), dtype=np.bool_)
        listed[0] = self.particular
        for k, quiet in enumerate(self.kernel_basis):
            np.bitwise_xor(listed[: 1 << k][::-1], quiet, out=listed[1 << k : 2 << k])
        return listed

    def __iter__(self) -> Iterator[Bits]:
        """Yield the press sets one by one, in the order of `members`, whatever their number."""
        current = self.particular.copy()
        yield current.copy()
        basis = self.kernel_basis
        for step in range(1, 1 << self.nullity):
            current ^= basis[(step & -step).bit_length() - 1]  # the bit a Gray code changes
            yield current.copy()

    def lightest_first(self) -> Bits:
        """Return all press sets, (2^d, n), fewest presses first; refuses as `members` does.

        >>> sets = press_sets(Board.from_rows(["111", "111"]))
        >>> np.count_nonzero(sets.lightest_first(), axis=1).tolist()
        [0, 6]
        """
        listed = self.members()
        return listed[np.argsort(np.count_nonzero(listed, axis=1), kind="stable")]


def press_sets(board: Board, timeout: float | Limits | None = None) -> PressSets | Witness:
    """Return all press sets of a board, or the reason why there is none (claim C4).

    Raises NeedsMemory if the board needs more memory than is allowed, and TimeUp if the deadline
    passes, also when members of a large kernel are formed later. With the goal `pressed` the only
    press set is that of all bulbs.

    >>> press_sets(Board.from_rows(["100", "000", "000"], "cross")).bulbs.tolist()
    [0, 1, 2, 3, 4, 5]
    """
    need_board(board)
    limits = Limits.begin(timeout)
    if board.pressed:  # other press sets may lead to the goal, too
        all_bulbs = np.ones(board.graph.presses, dtype=np.bool_)
        return PressSets(all_bulbs, SpannedKernel(all_bulbs[None][:0]), board)
    particular, kernel = _solve(board.graph, board.change, limits)
    if particular is not None:
        if not np.array_equal(board.graph.apply(particular), board.change):
            raise RuntimeError("internal error: a press set does not reach the goal")
        return PressSets(particular, kernel, board)
    if isinstance(board.graph, Wired):
        witness = odd_cover(board.graph, board.change, limits)
    else:
        witness = kernel.odd_member(board.change)
    if witness is None:
        raise RuntimeError("internal error: neither a press set nor an odd witness was found")
    odd = np.count_nonzero(witness & board.change) % 2 == 1
    if not odd or board.graph.meets(witness).any():
        raise RuntimeError("internal error: an odd witness proves nothing")
    return Witness(np.flatnonzero(witness))


def kernel(graph: Graph | Board, timeout: float | Limits | None = None) -> Kernel:
    """Return the kernel vectors of a graph, or of a board's: ker A. Raises TimeUp.

    >>> from ponder.model.graph import grid_graph
    >>> kernel(grid_graph("plus", (5, 5))).basis().shape
    (2, 25)
    """
    limits = Limits.begin(timeout)
    asked = graph.graph if isinstance(graph, Board) else graph
    if not isinstance(asked, Graph):
        need_board(asked)
    return _solve(asked, np.zeros(asked.size, dtype=np.bool_), limits)[1]


def nullity(graph: Graph | Board, timeout: float | Limits | None = None) -> int:
    """Return dim ker A: a solvable board of this graph has 2^nullity press sets.

    >>> from ponder.model.graph import grid_graph
    >>> nullity(grid_graph("plus", (4, 4))), nullity(grid_graph("cross", (3, 4)))
    (4, 3)
    """
    return kernel(graph, timeout).nullity


def _solve(graph: Graph, change: Bits, limits: Limits = NEVER) -> tuple[Bits | None, Kernel]:
    """Solve A s = change by the technique that suits the graph."""
    if isinstance(graph, CrossGraph):
        return line_parities.solve(graph, change, limits)
    if isinstance(graph, Wired):
        return solve_densely(graph, change, limits)
    if isinstance(graph, GridGraph):
        rows = light_chasing.chase_of(graph)
        if rows is not None and rows.unknowns <= min(frontal.grid_widths(graph)):
            return light_chasing.solve(rows, change, limits)
    # with an eighth of all pairs as edges there is no narrow front: do not even look for one
    if not isinstance(graph, EdgeGraph) or 16 * len(graph.edges) < graph.size**2:
        front = frontal.Front(graph, limits)
        if graph.size <= _ALWAYS_FRONTAL or 2 * front.width < graph.size:
            return frontal.solve(front, change)
    return solve_densely(graph, change, limits)


def solve_densely(graph: Graph, change: Bits, limits: Limits = NEVER) -> tuple[Bits | None, Kernel]:
    """Return a solution of A s = change, (n,), or None, and the kernel of A, written down.

    Raises TimeUp, and NeedsMemory if there is too little.
    """
    solution, echelon = gf2.solve(gf2.closed_adjacency(graph), graph.presses, change, limits)
    return solution, SpannedKernel(echelon.kernel(), limits)


def odd_cover(graph: Wired, change: Bits, limits: Limits = NEVER) -> Bits | None:
    """Return lights of which every press toggles evenly many, and oddly many must change.

    The solution y of Bᵀ y = 0, b·y = 1, (m,), or None. Raises TimeUp or NeedsMemory.
    """
    words = gf2.incidences(graph.owners, graph.toggled, (graph.presses + 1, graph.size))
    words[-1] = gf2.pack(change)
    right = np.zeros(graph.presses + 1, dtype=np.bool_)
    right[-1] = True
    return gf2.solve(words, graph.size, right, limits)[0]
