"""Pieces of a problem that need more edges into them than there are edges between them.

Idea (theory §3.9). A piece P of at most `MOST_SIZE` vertices is ordered in all ways by the table of
its subsets, which tells how many edges lead into P at least: need(P). It is worth something when
that is 2 or more; below, its parity tells it, as for any set of vertices. So pieces are short
circuits, and what grows from them by the vertices with most neighbours in them. Disjoint pieces are
taken, best first, and the components of what they leave become pieces by their parity and ends.

Letters: d(P) edges leave P; the *gain* of P is 2·need(P) − d(P). The sum of the gains of all pieces
of a partition is twice what the needs exceed the edges by.
A chordless circuit needs two where all its parities are odd, and no more than one elsewhere (§3.5).
Cost: 30 µs a vertex for the circuits; 1 ms for each that grows, of which there are `MOST_GROWN`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Literal, TypeAlias

import numpy as np

from ponder.check.evidence.piece_count import Cut, PieceCount
from ponder.check.subset_table import SubsetTable
from ponder.model.components import component_numbers
from ponder.model.ordering_problem import OrderingProblem, Unknown
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Ints, distinct

MOST_SIZE = 12  # vertices of a piece
MOST_GROWN = 300  # circuits that grow
DEPTH = 3  # circuits have at most 2·DEPTH + 1 vertices
DENSE = 2  # nothing is looked for where there are more edges a vertex: too many leave a piece

Way: TypeAlias = Literal["in", "out"]
Piece: TypeAlias = tuple[int, ...]


def count_pieces(
    problem: OrderingProblem, limits: Limits = NEVER, *, grown: bool = False
) -> PieceCount | Unknown:
    """Refute a problem by the edges that its pieces need; Unknown where none were found.

    Pieces are short circuits, and what is `grown` from them. Raises TimeUp.

    >>> triangles = [(3 * i + a, 3 * i + b) for i in range(4) for a, b in ((0, 1), (0, 2), (1, 2))]
    >>> between = [(0, 3), (1, 6), (2, 9), (4, 7), (5, 10), (8, 11)]
    >>> found = count_pieces(OrderingProblem.from_edges(12, triangles + between))
    >>> found.way, found.least, found.border
    ('in', (2, 2, 2, 2), 6)
    """
    if not problem.plain or problem.repeats or problem.edge_count > DENSE * problem.size:
        return Unknown("too many neighbours for a count of pieces")
    problem.prepare(limits)
    circuits = list(_circuits(problem, limits))
    counts = [_Needs(problem, way, {}) for way in ("in", "out")]
    larger = _grown(problem, circuits) if grown else ()
    for piece in limits.over(chain(circuits, larger), 1):
        for needs in counts:
            needs.look(piece)
    for needs in counts:
        if (found := needs.refutation()) is not None:
            return found
    return Unknown("no pieces need more edges than there are")


def _circuits(problem: OrderingProblem, limits: Limits) -> Iterator[Piece]:
    """Yield a shortest circuit through each vertex that has a short one, each set once."""
    seen: set[Piece] = set()
    for root in limits.over(range(problem.size)):
        up, reached, closed = {root: root}, [(root, 0)], None
        for v, depth in reached:  # grows while it is read
            for u in problem.neighbours[v]:
                if u == up[v]:
                    continue
                if u in up:
                    closed = closed or (u, v)
                elif depth < DEPTH and closed is None:
                    up[u] = v
                    reached.append((u, depth + 1))
            if closed:
                break
        if closed is None:
            continue
        members = {root}
        for v in closed:
            while v != root:
                members.add(v)
                v = up[v]
        piece = tuple(sorted(members))
        if piece not in seen:
            seen.add(piece)
            yield piece


def _grown(problem: OrderingProblem, circuits: list[Piece]) -> Iterator[Piece]:
    """Yield what grows from circuits, whenever a vertex has closed another circuit."""
    seen = set(circuits)
    for circuit in circuits[:MOST_GROWN]:
        inside, beside = set(circuit), dict[int, int]()
        for v in circuit:
            for u in problem.neighbours[v]:
                beside[u] = beside.get(u, 0) + 1
        while len(inside) < MOST_SIZE:
            outside = [v for v in beside if v not in inside]
            if not outside:
                break
            best = max(outside, key=lambda v: (beside[v], -len(problem.neighbours[v]), -v))
            inside.add(best)
            for u in problem.neighbours[best]:
                beside[u] = beside.get(u, 0) + 1
            piece = tuple(sorted(inside))
            if beside[best] > 1 and piece not in seen:
                seen.add(piece)
                yield piece


@dataclass(frozen=True, eq=False)
class _Needs:
    """The pieces that need two edges or more in one direction, and how many each needs."""

    problem: OrderingProblem
    way: Way
    needs: dict[Piece, tuple[int, int]]  # and the gain

    def look(self, piece: Piece) -> None:
        """Go through all orders of a piece."""
        problem, place = self.problem, {v: i for i, v in enumerate(piece)}
        hears = [[place[u] for u in problem.neighbours[v] if u in place] for v in piece]
        leaving = [
            len(problem.neighbours[v]) - len(near) for v, near in zip(piece, hears, strict=True)
        ]
        odd = [bool(problem.odd[v]) for v in piece]
        if self.way == "in":
            odd = [t != (d % 2 == 1) for t, d in zip(odd, leaving, strict=True)]
        if all(len(near) == 2 for near in hears) and not all(odd):
            return
        free = [d > 0 for d in leaving]
        need = SubsetTable.of(hears, odd, free=free).fewest_wrong(sum(free) + 1)
        if need > 1:
            self.needs[piece] = need, 2 * need - sum(leaving)

    def refutation(self) -> PieceCount | None:
        """Return a refutation by disjoint pieces of the best gain, one gain after the other."""
        owner = np.full(self.problem.size, -1, dtype=np.int64)
        taken: list[Piece] = []
        ranked = sorted(self.needs, key=lambda piece: (-self.needs[piece][1], len(piece), piece))
        gains = [self.needs[piece][1] for piece in ranked]
        for k, piece in enumerate(ranked):
            if (owner[list(piece)] < 0).all():
                owner[list(piece)] = len(taken)
                taken.append(piece)
            last = k + 1 == len(ranked) or gains[k + 1] < gains[k]
            if last and (found := self._counted(owner, taken)) is not None:
                return found
        return None

    def _counted(self, owner: Ints, taken: list[Piece]) -> PieceCount | None:
        """Return a refutation by pieces and by the components of what they leave; or None."""
        problem, piece = self.problem, owner.copy()
        rest = np.flatnonzero(owner < 0)
        if rest.size:
            piece[rest] = len(taken) + component_numbers(problem.restricted(rest), NEVER)
        cut = Cut.of(problem, piece, self.way)
        needy = [k for k in range(len(taken), len(cut.quick)) if cut.quick[k]]
        least = (*(self.needs[one][0] for one in taken), *cut.quick[needy].tolist())
        if sum(least) <= cut.border:
            return None
        every = [np.array(one, dtype=np.int64) for one in taken]
        every += [np.flatnonzero(piece == k) for k in needy]
        pieces = tuple(problem.bulbs[vertices] for vertices in every)
        return PieceCount(distinct(problem.bulbs), self.way, pieces, least, cut.border)
