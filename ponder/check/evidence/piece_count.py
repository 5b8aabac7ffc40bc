"""`piece-count`: groups of B need more neighbours outside them to be earlier, or later, than exist.

A *piece* P is a group of presses of B. Let d(v) edges of v ∈ P leave P. In an order of B the edges
that lead out of P at v are in number congruent to t_B(v) and the later neighbours in P. So at least
as many edges lead out of P as vertices of P have, in the best order of P, a wrong number of later
neighbours in P; vertices with d(v) = 0 may have none. The same of the edges that lead into P, with
t_B(v) + d(v) (theory §3.9). Every edge leads out of one piece at most, and into one: the sum over
all pieces may not exceed the edges that leave a piece. How many are wrong is congruent to |E(P)| +
Σ t(v), and none is wrong only if some vertex can be the first of P, and some the last: that shows a
need of 1 or 2 in pieces of any size.
Cost: O(E(B)), and where a piece needs more than is seen so the table of `subset_table`, once for
each edge that it needs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

import numpy as np

from ponder.check.fields import fail
from ponder.check.kinds import Refuted
from ponder.check.limits import Budget
from ponder.check.local_refutations import MOST_PAIRS, Block, BlockRefutation
from ponder.check.neighbourhoods import spend_sums
from ponder.check.subset_table import SubsetTable
from ponder.check.written import Bulbs, Count, Counts
from ponder.model.board import Board
from ponder.model.ordering_problem import OrderingProblem
from ponder.system.printable import inflect, pluralise
from ponder.system.types import Bits, Ints, Json, bincount, distinct, indices

_NS_EDGE, _BYTES_EDGE = 400, 200  # of an edge of B
_NS_PIECE = 20_000  # nanoseconds for a piece, and for a press of it that enters a table


_WHEN = {"in": "earlier", "out": "later"}


class PieceCount(BlockRefutation):
    """Pieces of B need more edges of one direction than there are edges that leave a piece.

    `way`     "in": each needs neighbours outside it that are pressed before its own, "out": after
    `pieces`  disjoint groups of bulbs of B
    `least`   of every piece the least number of such edges
    `border`  the number of edges that leave a piece
    """

    kind = "piece-count"
    theory = "§3.9, own proof"
    explained: ClassVar[tuple[str, ...]] = (
        "Each outlined group of bulbs can be ordered by itself in some ways only. Whatever the "
        "order in it, the rule asks for neighbours outside it that are pressed before, or after, "
        "the bulb of the group: at least so many.",
        "A pair of neighbours in two groups can serve one of them alone, because one of the two is "
        "pressed first. All groups together need more pairs than there are between groups.",
    )
    way: Literal["in", "out"]
    pieces: tuple[Bulbs, ...]
    least: Counts
    border: Count

    def renamed(self, name: Callable[[Ints], Ints]) -> Self:
        """Return the same about bulbs that are called otherwise."""
        return replace(super().renamed(name), pieces=tuple(map(name, self.pieces)))

    def check(self, board: Board, counts: Ints, budget: Budget) -> Refuted:
        """Check that the pieces are some of B, and what they need."""
        budget.spend(_NS_PIECE * len(self.pieces), "reading the pieces")
        owner = _owners(board.graph.size, self.pieces)
        if np.count_nonzero(owner >= 0) < sum(piece.size for piece in self.pieces):
            fail("piece-count: a bulb is in two pieces")
        if np.count_nonzero(owner[self.members] >= 0) < np.count_nonzero(owner >= 0):
            fail("piece-count: a piece has a bulb that is not one of the bulbs")
        if len(self.least) != len(self.pieces):
            fail(f"piece-count: {len(self.pieces)} pieces need {len(self.least)} numbers")
        if sum(self.least) <= self.border:
            fail(f"piece-count: {self.border} pairs are enough for {sum(self.least)}")
        return super().check(board, counts, budget)

    def check_block(self, block: Block, budget: Budget) -> None:
        """Count the edges that leave a piece, and go through the orders of each piece."""
        edges, what = int((block.counts * block.degrees).sum()) // 2, "the pairs of the pieces"
        budget.hold(_BYTES_EDGE * edges, what)
        budget.spend(_NS_EDGE * (edges + int(block.counts.sum())), what)
        spend_sums(block.graph, budget, what)
        presses = np.repeat(block.members, indices(block.counts))
        odd = np.repeat(block.odd, indices(block.counts))
        problem = OrderingProblem(block.graph, presses, odd)
        cut = Cut.of(problem, _owners(block.graph.size, self.pieces)[presses], self.way)
        if cut.border != self.border:
            fail(f"piece-count: {cut.border} pairs of neighbours leave a piece, not {self.border}")
        for k, least in enumerate(self.least):
            size = int(cut.starts[k + 1] - cut.starts[k])
            if least > size:
                fail(f"piece-count: piece {k + 1} of {size} presses cannot need {least} pairs")
            found = int(cut.quick[k])
            if found < least:
                budget.spend(_NS_PIECE * size, "the orders of the pieces")
                table = cut.table(k)
                table.spend(budget, least)
                found = table.fewest_wrong(least)
            if found < least:
                fail(f"piece-count: piece {k + 1} needs {found} pairs, not {least}")

    def sentence(self, board: Board) -> str:
        """Return the two numbers."""
        groups, when = pluralise(len(self.pieces), "group"), _WHEN[self.way]
        return (
            f"{groups} of bulbs {inflect(len(self.pieces), 'needs', 'need')} at least "
            f"{sum(self.least):,} {when} presses beside them, but only "
            f"{pluralise(self.border, 'pair')} of neighbours {inflect(self.border, 'is', 'are')} "
            "between groups or lead out of them"
        )

    def argument(self, board: Board) -> str:
        """Return the two numbers, of edges."""
        lead = "into" if self.way == "in" else "out of"
        return (
            f"at least {sum(self.least):,} edges must lead {lead} "
            f"{pluralise(len(self.pieces), 'piece')}, and only {self.border:,} leave a piece"
        )

    def marks(self, board: Board) -> Json:
        """Return the pieces, outlined, and the pairs that leave one."""
        graph, among = board.graph, distinct(self.members)
        edges = among[graph.edges_within(among)]
        ends = _owners(graph.size, self.pieces)[edges]
        leaving = edges[ends[:, 0] != ends[:, 1]]
        pairs = [graph.labels(pair) for pair in leaving] if len(leaving) <= MOST_PAIRS else []
        every = [{"style": "outline", "bulbs": graph.labels(piece)} for piece in self.pieces]
        return {"groups": every, "pairs": pairs, "label": f"{sum(self.least)} of {self.border}"}


def _owners(size: int, pieces: tuple[Ints, ...]) -> Ints:
    """Return the number of every bulb's piece, or −1."""
    owner = np.full(size, -1, dtype=np.int64)
    for k, piece in enumerate(pieces):
        owner[piece] = k
    return owner


@dataclass(frozen=True, eq=False)
class Cut:
    """A problem cut into pieces: what each needs of the edges that lead into it, or out of it.

    >>> k4 = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    >>> cut = Cut.of(OrderingProblem.from_edges(4, k4), np.array([0, 0, 0, 1]), "in")
    >>> cut.border, cut.quick.tolist(), cut.table(0).fewest_wrong(3)
    (3, [2, 1], 2)
    """

    border: int  # the number of edges that leave a piece
    quick: Ints  # what each piece needs at least, by its parity and by its ends
    starts: Ints  # piece k has the vertices order[starts[k]:starts[k + 1]]
    order: Ints
    near: list[list[int]]  # of every vertex, its neighbours in its piece
    odd: Bits
    free: Bits  # whether a vertex has an edge that leaves its piece

    @classmethod
    def of(cls, problem: OrderingProblem, piece: Ints, way: Literal["in", "out"]) -> Cut:
        """Cut a problem, given the number of every vertex's piece, or −1."""
        ends = piece[problem.edges]
        leaves, within = ends[:, 0] != ends[:, 1], (ends[:, 0] == ends[:, 1]) & (ends[:, 0] >= 0)
        degree = bincount(problem.edges[leaves].reshape(-1), minlength=problem.size)
        odd = problem.odd ^ ((degree & 1).astype(np.bool_) if way == "in" else False)
        count, inside = int(piece.max(initial=-1)) + 1, piece >= 0
        first = odd == (bincount(problem.edges[within].reshape(-1), minlength=problem.size) & 1)
        of = [bincount(piece[some & inside], minlength=count) for some in (odd, first, ~odd)]
        parity = (bincount(ends[within, 0], minlength=count) + of[0]) & 1
        quick = np.where((of[1] > 0) & (of[2] > 0), parity, 2 - parity)
        near: list[list[int]] = [[] for _ in range(problem.size)]
        for u, v in problem.edges[within].tolist():
            near[u].append(v)
            near[v].append(u)
        order = np.argsort(piece, kind="stable")
        starts = np.searchsorted(piece[order], np.arange(count + 1))
        return cls(int(leaves.sum()), quick, starts, order, near, odd, degree > 0)

    def table(self, k: int) -> SubsetTable:
        """Return the table of a piece, in which those that are free may be wrong."""
        members = self.order[self.starts[k] : self.starts[k + 1]]
        place = {v: i for i, v in enumerate(members.tolist())}
        hears = [[place[u] for u in self.near[v]] for v in place]
        odd, free = self.odd[members].tolist(), self.free[members].tolist()
        return SubsetTable.of(hears, odd, free=free)
