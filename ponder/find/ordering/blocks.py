"""Exact splitting into 2-connected blocks, and the refutations that need only counting.

Idea (theory §3.3 to §3.6). A component K of H with |E(K)| ≢ |T ∩ K| has no order. Otherwise K is
cut at its cut vertices, which leaves one independent problem per block, its parities t_B forced. A
block without a first or a last press has no order. A bridge and a cycle that pass have one at once.
The others are returned to be searched. All copies of a bulb lie in one block, none a cut vertex.

A *dead end* (theory §2.5) needs no press set: the rule allows no first press in a piece of the
board where all bulbs are blocked at the start, and no last one where all would be wrong after it.
Where there is a press set, nothing else stands in the way of a sequence with repeats (theory §2.6).

Letters. A vertex's *number* is its place in depth-first preorder; a subtree is an interval of them.
The *head* is the first vertex of a block below its *top*, the cut vertex (or root) it hangs on.
Every vertex but a root lies below the top of one block, its *home*; an edge lies in the home of its
end with the larger number. A *slot* is a vertex in one block. Cost: O(presses + edges), 1 µs each.
Reference: Hopcroft, Tarjan, "Efficient algorithms for graph manipulation", CACM 16 (1973).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from ponder.check.block import Block as RefusedBlock
from ponder.check.witness import DeadEnd
from ponder.model.board import Board
from ponder.model.components import component_numbers, followed, pieces
from ponder.model.ordering_problem import MOST_EDGES, Order, OrderingProblem
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints, bincount, distinct, indices


@dataclass(frozen=True, eq=False)
class Block(OrderingProblem):
    """A 2-connected block of H, a problem of its own: `odd` is t_B, `bulbs` are the board's."""

    vertices: Ints  # those of the whole problem that it consists of, ascending
    _edges: Ints

    @cached_property
    def edges(self) -> Ints:
        """The edges within the block, as in `OrderingProblem.edges`."""
        return self._edges


def biconnected_blocks(problem: OrderingProblem, limits: Limits = NEVER) -> Blocks | RefusedBlock:
    """Cut the problem into its blocks, or refute it by counting.

    The problem has an order iff every block of the result has one. Of several refutations the most
    readable: an odd component, then the fewest bulbs, then no first press. Raises TimeUp, and
    NeedsMemory for more than `MOST_EDGES` edges.

    >>> k4 = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    >>> biconnected_blocks(OrderingProblem.from_edges(4, k4)).rule
    'first'
    >>> found = biconnected_blocks(OrderingProblem.from_edges(4, k4, [0, 1]))
    >>> [block.vertices.tolist() for block in found.blocks]
    [[0, 1, 2, 3]]
    """
    limits.check()
    odd = odd_component(problem, component_numbers(problem, limits))
    if odd is not None:
        return odd
    layout = Blocks.from_problem(problem, limits)
    return layout.refutation() or layout


def odd_component(problem: OrderingProblem, number: Ints) -> RefusedBlock | None:
    """Return the refutation of the odd component of the fewest bulbs, None where none is odd.

    `number` are those of `component_numbers`. On a row/column board no edges are made: two presses
    of one bulb share both their lines, so their pairs are taken off once.
    """
    size = int(number.max(initial=-1)) + 1
    if problem.lines is None:
        edges = bincount(number[problem.edges[:, 0]], minlength=size)
    else:
        edges = np.zeros(size, dtype=np.int64)
        for group, sign in (*((line, 1) for line in problem.lines), (problem.bulbs, -1)):
            members = bincount(group)
            component = np.zeros(members.size, dtype=np.int64)
            component[group] = number
            np.add.at(edges, component, sign * (members * (members - 1) // 2))
    odd = bincount(number[problem.odd], minlength=size)
    wrong = np.flatnonzero((edges + odd) & 1)
    if not wrong.size:
        return None
    first = _first_copies(problem)
    k = wrong[np.argmin(bincount(number[first], minlength=size)[wrong])]
    return RefusedBlock(np.sort(problem.bulbs[first & (number == k)]), "parity")


def _first_copies(problem: OrderingProblem) -> Bits:
    first = np.zeros(problem.size, dtype=np.bool_)
    order = np.argsort(problem.bulbs, kind="stable")
    first[order[np.diff(problem.bulbs[order], prepend=-1) > 0]] = True
    return first


@dataclass(frozen=True, eq=False)
class Blocks:
    """All blocks, bridges included, side by side in flat arrays, and how their orders are glued."""

    problem: OrderingProblem
    start: Ints  # block b has the slots start[b] … start[b+1]−1, their vertices ascending
    vertex: Ints  # of every slot
    odd: Bits  # t_B of every slot
    edges: Ints  # (m, 2) slots, block after block
    bounds: Ints  # block b has the edges bounds[b] … bounds[b+1]−1
    top: Ints  # the slot of every block's top
    home: Ints  # the slot of every vertex below a top, in its home; −1 of a root

    @classmethod
    def from_problem(cls, problem: OrderingProblem, limits: Limits = NEVER) -> Blocks:
        """Find the blocks and the forced parities. Raises TimeUp and NeedsMemory."""
        problem.prepare(limits, MOST_EDGES)
        vertex, parent, low, last = _search(problem, limits)
        n, number = problem.size, _inverse(vertex)
        is_root = parent == np.arange(n)
        is_head = (low == parent) & ~is_root
        below, heads = np.flatnonzero(~is_root), np.flatnonzero(is_head)
        tops = parent[heads]
        # A vertex that is no head lives where its parent does.
        block = (np.cumsum(is_head) - 1)[followed(np.where(is_head, np.arange(n), parent))]
        ends = np.sort(number[problem.edges], axis=1)

        # What hangs on a top through a head is an interval of numbers, and its edges are those
        # from there to smaller numbers.
        odd = problem.odd[vertex]
        sums = np.cumsum(np.append(0, odd + bincount(ends[:, 1], minlength=n)))
        forced = ((sums[last[heads]] - sums[heads]) & 1).astype(np.bool_)
        odd ^= (bincount(tops[forced], minlength=n) & 1).astype(np.bool_)

        # The slots: every vertex below a top in its home, and every block's top.
        limits.check()
        owner = np.concatenate([block[below], np.arange(heads.size)])
        members = vertex[np.concatenate([below, tops])]
        order = np.lexsort((members, owner))
        slot = np.full(n, -1)
        slot[below], top = np.split(_inverse(order), [below.size])
        home = np.full(n, -1)
        home[vertex] = slot
        within = block[ends[:, 1]]
        first = np.where(ends[:, 0] == tops[within], top[within], slot[ends[:, 0]])
        pairs = np.sort(np.stack([first, slot[ends[:, 1]]], axis=1), axis=1)
        return cls(
            problem,
            np.searchsorted(owner[order], np.arange(heads.size + 1)),
            members[order],
            np.concatenate([odd[below], forced])[order],
            pairs[np.argsort(within, kind="stable")],
            np.cumsum(np.append(0, bincount(within, minlength=heads.size))),
            top,
            home,
        )

    def refutation(self) -> RefusedBlock | None:
        """Return why a block lacks a first or a last press: one of the fewest bulbs; or None."""
        if not self.top.size:
            return None
        at, degree = indices(self.start[:-1]), bincount(self.edges.reshape(-1))
        first = np.logical_or.reduceat((degree & 1) == self.odd, indices(at))
        last = np.logical_or.reduceat(~self.odd, indices(at))
        wrong = np.flatnonzero(~first | ~last)
        if not wrong.size:
            return None
        bulbs = np.add.reduceat(
            _first_copies(self.problem)[self.vertex].astype(np.int64), indices(at)
        )
        b = wrong[np.lexsort((first[wrong], bulbs[wrong]))[0]]
        members = distinct(self.problem.bulbs[self.vertex[self.start[b] : self.start[b + 1]]])
        return RefusedBlock(members, "last" if first[b] else "first")

    @cached_property
    def searched(self) -> list[int]:
        """The numbers of the blocks with at least two cycles; bridges and cycles have orders."""
        return np.flatnonzero(np.diff(self.bounds) > np.diff(self.start)).tolist()

    @cached_property
    def blocks(self) -> list[Block]:
        """The blocks with at least two cycles."""
        return [self.block(b) for b in self.searched]

    def block(self, b: int) -> Block:
        """Return one block as a problem."""
        start, end = self.start[b], self.start[b + 1]
        edges = self.edges[self.bounds[b] : self.bounds[b + 1]] - start
        edges = edges[np.lexsort((edges[:, 1], edges[:, 0]))]
        vertices, odd = self.vertex[start:end], self.odd[start:end]
        return Block(self.problem.graph, self.problem.bulbs[vertices], odd, vertices, edges)

    def glue(self, orders: Sequence[Order], limits: Limits = NEVER) -> Order:
        """Return the order of the whole problem that agrees with an order of every block.

        A vertex stands as high above the top of its home as its rank there says; heights are added
        up along the tops by pointer doubling, O(presses · log depth).
        """
        sizes = np.diff(self.start)
        rank = np.zeros(self.vertex.size, dtype=np.int64)
        for b, order in zip(self.searched, orders, strict=True):
            rank[self.start[b] : self.start[b + 1]] = _inverse(order.vertices)
        bridges = np.repeat(sizes == 2, indices(sizes))
        rank[bridges & self.odd] = -1  # one end of each is odd, and comes first
        for b in np.flatnonzero((sizes > 2) & (np.diff(self.bounds) == sizes)).tolist():
            rank[self.start[b] : self.start[b + 1]] = _cycle_ranks(self.block(b))

        tops = np.repeat(self.top, indices(sizes))
        below = self.home >= 0
        height, up = np.zeros(self.problem.size, dtype=np.int64), np.arange(self.problem.size)
        height[below] = (rank - rank[tops])[self.home[below]]
        up[below] = self.vertex[tops][self.home[below]]
        while True:
            limits.check()
            height += height[up]
            above = up[up]
            if np.array_equal(above, up):
                return Order(np.argsort(height, kind="stable"))
            up = above


def _search(problem: OrderingProblem, limits: Limits = NEVER) -> tuple[Ints, Ints, Ints, Ints]:
    """Search H depth first, vertices without neighbours last of all.

    Returns, by number: the vertex; its parent's number (a root's own); its low point, the least
    number that an edge from its subtree reaches; and one past the last number of its subtree.
    """
    near, size = problem.neighbours, problem.size
    number, last = [size] * size, [0] * size
    vertex, parent, low = list[int](), list[int](), list[int]()
    for root in range(size):
        if number[root] < size:
            continue
        v, mine = root, len(vertex)
        number[v] = mine
        vertex.append(v)
        parent.append(mine)
        low.append(mine)
        ways = [iter(near[v])]
        while True:
            if not mine & 1023:
                limits.check()
            for w in ways[-1]:
                reached = number[w]
                if reached == size:  # a tree edge: go down
                    parent.append(mine)
                    v, mine = w, len(vertex)
                    number[v] = mine
                    vertex.append(v)
                    low.append(mine)
                    ways.append(iter(near[v]))
                    break
                if reached < low[mine]:  # a back edge
                    low[mine] = reached
            else:
                last[mine] = len(vertex)  # all edges are done: go back up
                ways.pop()
                if not ways:
                    break
                above = parent[mine]
                if low[mine] < low[above]:
                    low[above] = low[mine]
                mine = above
    return (
        np.array(vertex, dtype=np.int64),
        np.array(parent, dtype=np.int64),
        np.array(low, dtype=np.int64),
        np.array(last, dtype=np.int64),
    )


def _cycle_ranks(cycle: Block) -> Ints:
    """Return ranks that rise along the edges of a cycle in which some vertex has t_B = 0.

    The vertices with t_B = 0, whose number is even, are sources and sinks by turns; in between
    the direction stays. Sources rank lowest, sinks highest.
    """
    odd, near = cycle.odd.tolist(), cycle.neighbours
    rank = np.empty(len(odd), dtype=np.int64)
    direction, before, v = -1, -1, odd.index(False)
    for walked in range(len(odd)):
        rank[v] = direction * (walked if odd[v] else len(odd))
        if not odd[v]:
            direction = -direction
        before, v = v, near[v][near[v][0] == before]
    return rank


def _inverse(permutation: Ints) -> Ints:
    inverse = np.empty(permutation.size, dtype=np.int64)
    inverse[permutation] = np.arange(permutation.size)
    return inverse


def dead_end(board: Board, limits: Limits = NEVER) -> DeadEnd | None:
    """Return a piece of the board that no legal sequence can change although it must (theory §2.5).

    There the rule allows no first press, or no last one. O(bulbs + edges). Raises TimeUp.
    """
    odd_later = board.odd_later
    if odd_later is None or not (board.change & odd_later).any():
        return None  # at either end all bulbs of the piece are so, and one of them must change
    limits.check()
    piece = pieces(board, limits)
    limits.check()
    sizes = bincount(piece)
    must_change = bincount(piece[board.change], minlength=sizes.size) > 0
    blocked = board.lit if board.rule == "unlit" else ~board.lit
    ends: tuple[tuple[Literal["start", "goal"], Bits], ...] = (
        ("start", blocked),
        ("goal", odd_later),
    )
    for end, stuck in ends:
        all_stuck = bincount(piece[stuck], minlength=sizes.size) == sizes
        dead = np.flatnonzero(must_change & all_stuck)
        if dead.size:
            return DeadEnd(np.flatnonzero(piece == dead[0]), end)
    return None
