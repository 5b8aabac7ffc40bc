"""Sparse symmetric elimination over GF(2^k): the Schur complement of the cheap vertices.

Idea. Eliminating a vertex v of a weighted graph joins its neighbours to a clique: the Schur
complement K_uw + K_uv·K_vw/K_vv. The vertex of the fewest neighbours goes first (minimum degree). A
clique stays one *element*, its vertices with a dense matrix (multifrontal method on the quotient
graph). A vertex whose pivot is 0 waits until that changes, or is left for the dense end.

References: George, Liu, "The evolution of the minimum degree ordering algorithm", 1989; Duff, Reid,
"The multifrontal solution of indefinite sparse symmetric linear equations", 1983.
Letters: K the symmetric matrix, weights of the edges and a diagonal; d the vertices of v's front.
Cost per vertex: some 40 μs, 1.5 μs for each of the d vertices, and 8 ns for each of the d² entries.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush

import numpy as np

from ponder.find.linear.gf2k import Elements, Field, Poll
from ponder.system.types import Bits, Ints

LARGEST = 1 << 29  # the most bytes of a dense matrix that may be left
_CHUNK = 1 << 16  # edges between two looks at the clock


def condense(
    field: Field,
    edges: Ints,
    weights: Elements,
    diagonal: Elements,
    keep: Bits | None = None,
    poll: Poll = lambda: None,
) -> tuple[Ints, Elements]:
    """Eliminate vertices as long as that is cheap; return those left and their Schur complement.

    `edges` (m, 2) with `weights` (m,) and `diagonal` (n,) are K; vertices in `keep` are not
    eliminated. K is singular iff the returned matrix is, and the inverse of the matrix is the part
    of K's inverse that belongs to the vertices returned (ascending). Raises MemoryError if what is
    left is larger than `LARGEST`.

    >>> from ponder.find.linear.gf2k import field
    >>> path = np.stack([np.arange(999), np.arange(1, 1000)], axis=1)
    >>> one = np.ones(1000, dtype=np.uint16)
    >>> left, matrix = condense(field(16), path, one[:999], one)
    >>> left.size < 100, matrix.shape == (left.size, left.size)
    (True, True)
    """
    elimination = _Elimination(field, edges, weights, diagonal, poll)
    elimination.run(keep, poll)
    return elimination.rest()


class _Elimination:
    """The quotient graph: original edges that no front has taken up yet, and the elements."""

    def __init__(
        self, field: Field, edges: Ints, weights: Elements, diagonal: Elements, poll: Poll
    ) -> None:
        self.field, self.size = field, diagonal.size
        self.diagonal = diagonal.copy()
        self.near: list[dict[int, int]] = [{} for _ in range(self.size)]
        for start in range(0, len(edges), _CHUNK):
            poll()
            chunk = slice(start, start + _CHUNK)
            for (u, v), weight in zip(edges[chunk].tolist(), weights[chunk].tolist(), strict=True):
                self.near[u][v] = self.near[v][u] = weight
        self.alive = np.ones(self.size, dtype=np.bool_)
        self.elements: dict[int, tuple[Ints, Elements]] = {}  # named for the vertex eliminated
        self.held: list[set[int]] = [set() for _ in range(self.size)]  # elements at a vertex
        self.place = np.zeros(self.size, dtype=np.int64)  # scratch: where a vertex is in a front

    def degree(self, v: int) -> int:
        """Return a bound on the size of v's front."""
        return len(self.near[v]) + sum(self.elements[e][0].size - 1 for e in self.held[v])

    def run(self, keep: Bits | None, poll: Poll) -> None:
        """Eliminate vertices in order of degree until the rest is better done densely."""
        degrees = [len(near) for near in self.near]
        queue = [(d, v) for v, d in enumerate(degrees) if keep is None or not keep[v]]
        heapify(queue)
        left = self.size
        while queue:
            degree, v = heappop(queue)
            if degree != degrees[v] or not self.alive[v]:
                continue  # an entry that is out of date
            if 1500 * degree + 8 * degree * degree > 0.4 * left * left:  # ns, measured
                return
            if not self.diagonal[v]:
                continue  # it is put into the queue again when its diagonal changes
            poll()
            for u in self.eliminate(v):
                degrees[u] = self.degree(u)
                if keep is None or not keep[u]:
                    heappush(queue, (degrees[u], u))
            left -= 1

    def eliminate(self, v: int) -> set[int]:
        """Replace v, and the elements at it, by one element; return its vertices."""
        field, near, held = self.field, self.near, self.held
        joined = set(near[v])  # the vertices of the front: neighbours by edges and by elements
        dead = held[v]
        for e in dead:
            joined.update(self.elements[e][0].tolist())
        joined.discard(v)
        self.alive[v] = False
        size = len(joined)
        members = np.fromiter(joined, dtype=np.int64, count=size)
        self.place[members] = np.arange(size)
        self.place[v] = size
        # assemble: all elements at v, and its edges
        front = np.zeros((size + 1, size + 1), dtype=field.dtype)
        for e in dead:
            vertices, matrix = self.elements.pop(e)
            places = self.place[vertices]
            front[places[:, None], places] ^= matrix
        row = front[size, :size]
        for u, weight in near[v].items():
            row[self.place[u]] ^= field.dtype.type(weight)
            del near[u][v]
        # the Schur complement of v is one element
        scaled = field.multiply(row, field.inverse(self.diagonal[v]))
        element = front[:size, :size] ^ field.multiply(row[:, None], scaled[None, :])
        for u in joined:  # edges within it go into the element
            held[u] -= dead
            if size > 1:
                held[u].add(v)
            within = [w for w in near[u] if w in joined]
            for w in within:  # the other direction comes with w
                element[self.place[u], self.place[w]] ^= field.dtype.type(near[u].pop(w))
        self.diagonal[members] ^= element.diagonal()
        np.fill_diagonal(element, 0)
        if size > 1:
            self.elements[v] = (members, element)
        near[v], held[v] = {}, set()
        return joined

    def rest(self) -> tuple[Ints, Elements]:
        """Return the vertices that are left, and their matrix."""
        left = np.flatnonzero(self.alive)
        if left.size**2 * self.field.dtype.itemsize > LARGEST:
            raise MemoryError(f"a dense matrix of {left.size} rows is left")
        self.place[left] = np.arange(left.size)
        matrix = np.zeros((left.size, left.size), dtype=self.field.dtype)
        for vertices, element in self.elements.values():
            places = self.place[vertices]
            matrix[places[:, None], places] ^= element
        # Original edges and elements may meet in an entry; no two original edges do.
        near = [self.near[v] for v in left.tolist()]
        ends = np.array([u for row in near for u in row], dtype=np.int64)
        weights = [weight for row in near for weight in row.values()]
        rows = np.repeat(np.arange(left.size), [len(row) for row in near])
        matrix[rows, self.place[ends]] ^= np.array(weights, dtype=self.field.dtype)
        np.fill_diagonal(matrix, self.diagonal[left])
        return left, matrix
