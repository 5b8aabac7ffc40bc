"""Light chasing by whole rows, on full grids and tori with a local stencil (theory §1.3).

Idea. Let D be the stencil's reach in rows, and let the cell D rows straight below be the only one
that far down (plus: D = 1; king: no). Then the equation of cell (i,j) determines the press at
(i+D, j) from the rows above it. So the presses p of the first F rows (F = D; on a torus 2D, for
want of an upper edge) determine all others, and the equations of F rows at the end (on a torus:
at both ends) are left over: F·C equations M p = d. The chase is linear in (p, b), so one routine,
for a packed bundle of boards at once, does it all: unit vectors p without b give the columns of M,
b with p = 0 gives d, the p found with b a press set, vectors of ker M without b kernel vectors.

Letters: R, C rows and columns, turned so that the chase is the cheapest; D, F, p, M, d as above.
Cost: O(stencil · R·C·(F·C)/64) for M and O((F·C)³/512) for solving it; memory F·C rows of words
and a window of 2D rows of bundles. All press sets of a random 1000 × 1000 plus board: 0.06 s.
Reference: Anderson, Feil, "Turning lights out with linear algebra", Mathematics Magazine 71, 1998.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from ponder.find.linear import gf2
from ponder.model.graph import Graph, Offset, StencilGraph
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Words


@dataclass(frozen=True)
class Chase:
    """How to chase a grid: its stencil, turned so that rows are chased downwards.

    `turned`: rows and columns are exchanged. `free`: F, the rows whose presses are unknown.
    """

    shape: tuple[int, int]
    offsets: tuple[Offset, ...]
    reach: int
    wraps: bool
    turned: bool

    @property
    def free(self) -> int:
        """The number of rows to begin with, F."""
        return 2 * self.reach if self.wraps else self.reach

    @property
    def unknowns(self) -> int:
        """F·C."""
        return self.free * self.shape[1]

    def _rows(self, start: Words, change: Bits | None, limits: Limits) -> Iterator[Words]:
        """Yield the R rows of presses, then the F rows of what the equations left over lack.

        `start` is (F, C, W): the first rows of a bundle of 64·W boards. `change` is (R, C), the
        same for all of them, or None for 0. Every row is (C, W).
        """
        height = self.shape[0]
        known: dict[int, Words] = {}
        for row in range(height):
            limits.check()
            chased = row >= self.free
            known[row] = self._lacking(known, row - self.reach, change) if chased else start[row]
            yield known[row]
            if not self.wraps:
                known.pop(row - 2 * self.reach, None)
            elif row - 2 * self.reach >= self.free:
                del known[row - 2 * self.reach]
        for row in range(height - self.reach, height + self.reach * self.wraps):
            limits.check()
            yield self._lacking(known, row % height, change)

    def _lacking(self, known: dict[int, Words], row: int, change: Bits | None) -> Words:
        """Return what the known presses leave to be done on a row of cells, (C, W)."""
        height, width = self.shape
        total = known[row].copy()
        if change is not None:
            total ^= -change[row, :, None].astype(np.uint64)  # all ones for all boards
        for down, right in self.offsets:
            near_row = known.get((row + down) % height if self.wraps else row + down)
            if near_row is None:
                continue
            if self.wraps:
                right %= width
                total[: width - right] ^= near_row[right:]
                total[width - right :] ^= near_row[:right]
            elif right >= 0:
                total[: max(0, width - right)] ^= near_row[right:]
            else:
                total[-right:] ^= near_row[: max(0, width + right)]
        return total

    def presses(self, start: Bits, change: Bits | None = None, limits: Limits = NEVER) -> Bits:
        """Return the presses that follow from the first rows: (m, F·C) to (m, n).

        `change`, (R, C) as chased, is the same for all m; None for 0.
        """
        height, width = self.shape
        packed = gf2.pack(np.ascontiguousarray(start.T))
        bundle = packed.reshape(self.free, width, packed.shape[1])
        octets = (len(start) + 7) // 8
        grid = np.empty((height, width, octets), dtype=np.uint8)
        rows = self._rows(bundle, change, limits)
        for row, presses in zip(range(height), rows, strict=False):
            grid[row] = presses.view(np.uint8)[:, :octets]
        if self.turned:
            grid = np.ascontiguousarray(grid.transpose(1, 0, 2))
        cells = grid.reshape(height * width, octets)
        bits = np.unpackbits(cells, axis=1, count=len(start), bitorder="little")
        return np.ascontiguousarray(bits.T).view(np.bool_)

    def lacking(self, start: Words, change: Bits | None, limits: Limits) -> Words:
        """Return what the equations left over lack, (F·C, W), for a bundle of first rows."""
        rows = islice(self._rows(start, change, limits), self.shape[0], None)
        return np.concatenate(list(rows))


def chase_of(graph: Graph) -> Chase | None:
    """Return the cheaper way to chase a graph by rows or by columns, or None: there is none."""
    if not isinstance(graph, StencilGraph) or graph.mask is not None:
        return None
    ways = []
    for turned in (False, True):
        height, width = graph.shape[::-1] if turned else graph.shape
        offsets = tuple(offset[::-1] if turned else offset for offset in graph.offsets)
        if graph.wraps:  # the shortest way round, so that rows above are negative
            half = height // 2
            offsets = tuple(((down + half) % height - half, right) for down, right in offsets)
        reach = max((abs(down) for down, _ in offsets), default=0)
        lowest = [right for down, right in offsets if down == reach]
        if reach and lowest == [0] and height > 2 * reach:  # a row determines a later one
            ways.append(Chase((height, width), offsets, reach, graph.wraps, turned))
    return min(ways, key=lambda way: way.unknowns, default=None)


class _ChasedKernel(gf2.Kernel):
    """Kernel vectors by their first rows, a basis of ker M: (nullity, F·C)."""

    def __init__(self, chase: Chase, starts: Bits, limits: Limits) -> None:
        self.limits = limits
        self.chase, self._starts = chase, starts
        self.nullity, self.size = len(starts), chase.shape[0] * chase.shape[1]

    def combine(self, coefficients: Bits) -> Bits:
        """Return sums of basis vectors: combine the first rows and chase them all at once."""
        starts = gf2.product(coefficients, self._starts, self.limits)
        return self.chase.presses(starts, limits=self.limits)


def solve(chase: Chase, change: Bits, limits: Limits = NEVER) -> tuple[Bits | None, gf2.Kernel]:
    """Return a solution of A s = change, (n,), or None, and the kernel of A.

    `change` is (n,). Raises TimeUp if the deadline passes.

    >>> from ponder.model.graph import grid_graph
    >>> graph = grid_graph("plus", (5, 5))
    >>> presses, kernel = solve(chase_of(graph), np.ones(25, dtype=bool))
    >>> bool(graph.apply(presses).all()), kernel.nullity
    (True, 2)
    """
    height, width = chase.shape
    grid = change.reshape(width, height).T if chase.turned else change.reshape(height, width)
    free, count = chase.free, chase.unknowns
    units = gf2.pack(np.eye(count, dtype=np.bool_)).reshape(free, width, -1)
    system = chase.lacking(units, None, limits)
    nothing = np.zeros((free, width, 1), dtype=np.uint64)
    lacking = chase.lacking(nothing, grid, limits)[:, 0].astype(np.bool_)
    start, echelon = gf2.solve(system, count, lacking, limits)
    kernel = _ChasedKernel(chase, echelon.kernel(), limits)
    if start is None:
        return None, kernel
    return chase.presses(start[None, :], grid, limits)[0], kernel
