"""Exact splitting into 2-connected blocks, and the refutations that need only counting.

Idea (theory §3.3 to §3.6). A component K of H with |E(K)| ≢ |T ∩ K| has no order. Otherwise K is
cut at its cut vertices, which leaves one independent problem per block, its parities t_B forced. A
block without a first or a last press has no order. A bridge and a cycle that pass have one at once.
The others are returned to be searched. All copies of a bulb lie in one block, none a cut vertex.

Letters. A vertex's *number* is its place in depth-first preorder; a subtree is an interval of them.
The *head* is the first vertex of a block below its *top*, the cut vertex (or root) it hangs on.
Every vertex but a root lies below the top of one block, its *home*; an edge lies in the home of its
end with the larger number. Reference: Hopcroft, Tarjan, "Efficient algorithms for graph
manipulation", CACM 16 (1973). Cost: O(presses + edges), 1 µs for each in the depth-first search.
The edges of a row/column board are never made: a line is a clique, which is searched as a cycle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ponder.check.evidence.no_first_or_last_press import NoFirstPress, NoLastPress
from ponder.check.evidence.odd_component import OddComponent
from ponder.check.local_refutations import LocalRefutation
from ponder.model.components import component_numbers, followed
from ponder.model.ordering_problem import Order, OrderingProblem
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints, bincount, distinct, indices


@dataclass(frozen=True, eq=False)
class Block(OrderingProblem):
    """A 2-connected block of H, a problem of its own: `odd` is t_B, `bulbs` are the board's.

    An `Order` of it, and the members of a refutation of it, mean what they mean for any problem.
    """

    vertices: Ints  # those of the whole problem that it consists of, ascending
    top: int  # the place among them of the vertex that the block hangs on in `Split.up`
    _edges: Ints | None

    @cached_property
    def edges(self) -> Ints:
        """The edges within the block, as in `OrderingProblem.edges`."""
        return super().edges if self._edges is None else self._edges


@dataclass(frozen=True, eq=False)
class Split:
    """An ordering problem cut into independent blocks, and how to put their orders together.

    *Heights* rise along every edge when v is higher than `up[v]` by `step[v]` = rank(v) −
    rank(up[v]), for any ranks of the home block that rise along its edges.
    """

    problem: OrderingProblem
    blocks: list[Block]  # those with at least two cycles; bridges and cycles are oriented already
    up: Ints  # the top of every vertex's home; a root's is the root
    step: Ints  # 0 at the roots, and in the listed blocks until their orders are known

    def glue(self, orders: Sequence[Order], limits: Limits = NEVER) -> Order:
        """Return the order of the whole problem that agrees with an order of every block.

        By pointer doubling, O(presses · log depth). Raises ValueError for fewer or more orders.
        """
        height, up = self.step.copy(), self.up
        for block, order in zip(self.blocks, orders, strict=True):
            _hang(height, block.vertices, block.top, _inverse(order.vertices))
        while True:
            limits.check()
            height += height[up]
            above = up[up]
            if np.array_equal(above, up):
                return Order(np.argsort(height, kind="stable"))
            up = above


def biconnected_blocks(problem: OrderingProblem, limits: Limits = NEVER) -> Split | LocalRefutation:
    """Cut the problem into its blocks, or refute it by counting.

    The problem has an order iff every block of the result has one. Raises TimeUp. Of several
    refutations the most readable: `odd-component`, then the fewest bulbs, then `no-first-press`.

    >>> k4 = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    >>> biconnected_blocks(OrderingProblem.from_edges(4, k4)).kind
    'no-first-press'
    >>> found = biconnected_blocks(OrderingProblem.from_edges(4, k4, [0, 1]))
    >>> [block.vertices.tolist() for block in found.blocks]
    [[0, 1, 2, 3]]
    """
    limits.check()
    number = component_numbers(problem, limits)
    limits.check()
    if (odd := odd_component(problem, number)) is not None:
        return odd
    limits.check()
    layout = BlockLayout.of(problem, limits)
    return layout.refutation() or layout.split(limits)


@dataclass(frozen=True, eq=False)
class _Cliques:
    """Cliques of two or more vertices whose union is H: vertex member[i] is in clique[i].

    Two presses of one bulb share both their lines, so there the copies of each bulb are cliques of
    `sign` −1: with these every edge is counted once.
    """

    member: Ints
    clique: Ints
    sign: int = 1

    @classmethod
    def of(cls, problem: OrderingProblem) -> list[_Cliques]:
        """Return the families of cliques that make up H."""
        if problem.lines is None:
            return [cls(problem.edges.reshape(-1), np.arange(2 * len(problem.edges)) // 2)]
        families = [cls._sharing(line, 1) for line in problem.lines]
        return [*families, cls._sharing(problem.bulbs, -1)] if problem.repeats else families

    @classmethod
    def _sharing(cls, group: Ints, sign: int) -> _Cliques:
        large = bincount(group) > 1
        member = np.flatnonzero(large[group])
        return cls(member, (np.cumsum(large) - 1)[group[member]], sign)

    @cached_property
    def size(self) -> Ints:
        return bincount(self.clique)

    @property
    def pairs(self) -> Ints:
        """What every clique adds to the number of edges."""
        return self.sign * (self.size * (self.size - 1) // 2)

    def numbered(self, number: Ints) -> _Cliques:
        """Return the cliques one after the other with their members' numbers, ascending."""
        member = number[self.member]
        ascending = np.lexsort((member, self.clique))
        return _Cliques(member[ascending], self.clique[ascending], self.sign)

    @property
    def place(self) -> Ints:
        """The place of every member in its clique, counted from 0, after `numbered`."""
        return np.arange(self.member.size) - (np.cumsum(self.size) - self.size)[self.clique]

    @property
    def last(self) -> Ints:
        """The last member of every clique, after `numbered`."""
        return self.member[np.cumsum(self.size) - 1]


def odd_component(problem: OrderingProblem, number: Ints) -> OddComponent | None:
    """Return the refutation of the odd component of the fewest bulbs, None where none is odd."""
    edges = np.zeros(int(number.max(initial=-1)) + 1, dtype=np.int64)  # |E(K)|
    for cliques in _Cliques.of(problem):
        component = np.empty(cliques.size.size, dtype=np.int64)
        component[cliques.clique] = number[cliques.member]
        np.add.at(edges, component, cliques.pairs)
    odd = bincount(number[problem.odd], minlength=edges.size)
    wrong = np.flatnonzero((edges + odd) & 1)
    if not wrong.size:
        return None
    first = _first_copies(problem)
    bulbs = bincount(number[first], minlength=edges.size)
    k = wrong[np.argmin(bulbs[wrong])]
    members = np.sort(problem.bulbs[first & (number == k)])
    return OddComponent(members)


def _first_copies(problem: OrderingProblem) -> Bits:
    first = np.ones(problem.size, dtype=np.bool_)
    if problem.repeats:
        first[:] = False
        first[np.unique(problem.bulbs, return_index=True)[1]] = True
    return first


@dataclass(frozen=True, eq=False)
class BlockLayout:
    """All blocks, bridges included, side by side in flat arrays; a *slot* is a vertex in one."""

    problem: OrderingProblem
    start: Ints  # block b has the slots start[b] … start[b+1]−1, their vertices ascending
    vertex: Ints  # of every slot
    odd: Bits  # t_B of every slot
    degree: Ints  # deg_B of every slot
    pairs: Ints  # |E(B)| of every block
    edges: Ints | None  # (m, 2) slots, block after block; None on a row/column board
    top: Ints  # the slot of every block's top
    up: Ints  # the top of every vertex's home; a root's is the root

    @classmethod
    def of(cls, problem: OrderingProblem, limits: Limits = NEVER) -> BlockLayout:
        """Find the blocks and the forced parities."""
        vertex, parent, low, last = _search(problem, limits)
        n, number = problem.size, _inverse(vertex)
        is_root = parent == np.arange(n)
        is_head = (low == parent) & ~is_root
        below, heads = np.flatnonzero(~is_root), np.flatnonzero(is_head)
        tops = parent[heads]
        # A vertex that is no head lives where its parent does.
        home = followed(np.where(is_head, np.arange(n), parent))
        block = (np.cumsum(is_head) - 1)[home]
        families = [cliques.numbered(number) for cliques in _Cliques.of(problem)]

        # What hangs on a top through a head is an interval of numbers, and its edges are those
        # from there to smaller numbers: as many as a member has predecessors in its cliques.
        limits.check()
        odd = problem.odd[vertex]
        weight = odd.astype(np.int64)
        for cliques in families:
            np.add.at(weight, cliques.member, cliques.sign * cliques.place)
        sums = np.concatenate([[0], np.cumsum(weight)])
        forced = ((sums[last[heads]] - sums[heads]) & 1).astype(np.bool_)
        odd ^= (bincount(tops[forced], minlength=n) & 1).astype(np.bool_)

        limits.check()
        # The slots: every vertex below a top in its home, and every block's top.
        owner = np.concatenate([block[below], np.arange(heads.size)])
        who = vertex[np.concatenate([below, tops])]
        order = np.lexsort((who, owner))
        slot = np.empty(n, dtype=np.int64)
        slot[below], top = np.split(_inverse(order), [below.size])

        limits.check()
        degree = np.zeros(order.size, dtype=np.int64)
        pairs = np.zeros(heads.size, dtype=np.int64)
        edges = None
        for cliques in families:
            within = block[cliques.last]
            at_top = cliques.member == tops[within][cliques.clique]
            slots = np.where(at_top, top[within][cliques.clique], slot[cliques.member])
            np.add.at(degree, slots, cliques.sign * (cliques.size[cliques.clique] - 1))
            np.add.at(pairs, within, cliques.pairs)
            if problem.lines is None:  # the cliques are the edges
                edges = np.sort(slots.reshape(-1, 2), axis=1)[np.argsort(within, kind="stable")]

        up = np.arange(n)
        up[vertex[below]] = vertex[tops[block[below]]]
        start = np.searchsorted(owner[order], np.arange(heads.size + 1))
        parities = np.concatenate([odd[below], forced])[order]
        return cls(problem, start, who[order], parities, degree, pairs, edges, top, up)

    def refutation(self) -> LocalRefutation | None:
        """Return why a block lacks a first or a last press: one of the fewest bulbs; or None."""
        first = self._somewhere((self.degree & 1) == self.odd)
        last = self._somewhere(~self.odd)
        wrong = np.flatnonzero(~first | ~last)
        if not wrong.size:
            return None
        is_first_copy = _first_copies(self.problem)[self.vertex]
        bulbs = np.add.reduceat(is_first_copy.astype(np.int64), indices(self.start[:-1]))
        b = wrong[np.lexsort((first[wrong], bulbs[wrong]))[0]]
        members = distinct(self.problem.bulbs[self.vertex[self.start[b] : self.start[b + 1]]])
        return NoLastPress(members) if first[b] else NoFirstPress(members)

    def _somewhere(self, of_slot: Bits) -> Bits:
        """Whether one of a block's slots has a property."""
        found: Bits = np.logical_or.reduceat(of_slot, indices(self.start[:-1]))
        return found

    def split(self, limits: Limits = NEVER) -> Split:
        """Orient the bridges and cycles, and make problems of the other blocks."""
        step = np.zeros(self.problem.size, dtype=np.int64)
        sizes = np.diff(self.start)
        bridge = np.flatnonzero(sizes == 2)
        lower = 2 * self.start[bridge] + 1 - self.top[bridge]
        step[self.vertex[lower]] = np.where(self.odd[lower], -1, 1)
        bounds = np.concatenate([[0], np.cumsum(self.pairs)])
        blocks = []
        for b in np.flatnonzero(sizes > 2).tolist():
            limits.check()
            start, end = self.start[b], self.start[b + 1]
            edges = None if self.edges is None else self.edges[bounds[b] : bounds[b + 1]] - start
            vertices, top = self.vertex[start:end], int(self.top[b] - start)
            bulbs, odd = self.problem.bulbs[vertices], self.odd[start:end]
            block = Block(self.problem.graph, bulbs, odd, vertices, top, edges)
            if self.pairs[b] == sizes[b]:
                _hang(step, vertices, top, _cycle_ranks(block))
            else:
                blocks.append(block)
        return Split(self.problem, blocks, self.up, step)


def _skeleton(problem: OrderingProblem) -> tuple[Ints, Ints]:
    """Return a graph with the blocks of H, in CSR form: H, or every line as a cycle instead.

    A clique is 2-connected, and so is a cycle through its members. Parallel edges and loops,
    where a line has two presses or one, do no harm in the search.
    """
    if problem.lines is None:
        return problem.adjacency
    froms, tos = [], []
    for line in problem.lines:
        along = np.argsort(line, kind="stable")
        size = bincount(line)
        ends = np.cumsum(size)
        following = np.arange(1, problem.size + 1)
        following[ends[size > 0] - 1] = (ends - size)[size > 0]
        froms += [along, along[following]]
        tos += [along[following], along]
    ends = np.cumsum(bincount(np.concatenate(froms), minlength=problem.size))
    near = np.concatenate(tos)[np.argsort(np.concatenate(froms), kind="stable")]
    return np.concatenate([[0], ends]), near


def _search(problem: OrderingProblem, limits: Limits = NEVER) -> tuple[Ints, Ints, Ints, Ints]:
    """Search H depth first, vertices without neighbours last of all.

    Returns, by number: the vertex; its parent's number (a root's own); its low point, the least
    number that an edge from its subtree reaches; and one past the last number of its subtree.
    """
    starts, near_array = _skeleton(problem)
    limits.check()
    degree = np.diff(starts)
    joined = np.flatnonzero(degree)  # the search, the only Python loop, is over these
    if joined.size < problem.size:
        near_array = (np.cumsum(degree > 0) - 1)[near_array]
    near, at = near_array.tolist(), starts[joined].tolist()
    ends = (starts[joined] + degree[joined]).tolist()
    unseen = joined.size
    number, last = [unseen] * unseen, [0] * unseen
    vertex, parent, low = list[int](), list[int](), list[int]()
    for root in range(joined.size):
        if number[root] < unseen:
            continue
        v, mine = root, len(vertex)
        number[v] = mine
        vertex.append(v)
        parent.append(mine)
        low.append(mine)
        while True:
            if not mine & 1023:
                limits.check()
            for i in range(at[v], ends[v]):
                w = near[i]
                other = number[w]
                if other == unseen:  # a tree edge: go down
                    at[v] = i + 1
                    parent.append(mine)
                    v, mine = w, len(vertex)
                    number[v] = mine
                    vertex.append(v)
                    low.append(mine)
                    break
                if other < low[mine]:  # a back edge
                    low[mine] = other
            else:
                last[mine] = len(vertex)  # all edges are done: go back up
                if v == root:
                    break
                above = parent[mine]
                if low[mine] < low[above]:
                    low[above] = low[mine]
                v, mine = vertex[above], above
    own = np.arange(joined.size, problem.size)
    return (
        np.concatenate([joined[vertex], np.flatnonzero(degree == 0)]),
        np.concatenate([np.array(parent, dtype=np.int64), own]),
        np.concatenate([np.array(low, dtype=np.int64), own]),
        np.concatenate([np.array(last, dtype=np.int64), own + 1]),
    )


def _cycle_ranks(cycle: Block) -> Ints:
    """Return ranks that rise along the edges of a cycle in which some vertex has t_B = 0.

    The vertices with t_B = 0, whose number is even, are sources and sinks by turns; in between
    the direction stays. Sources rank lowest, sinks highest.
    """
    odd = cycle.odd.tolist()
    near: list[list[int]] = [[] for _ in odd]
    for u, v in cycle.edges.tolist():
        near[u].append(v)
        near[v].append(u)
    rank = np.empty(len(odd), dtype=np.int64)
    direction, before, v = -1, -1, odd.index(False)
    for walked in range(len(odd)):
        rank[v] = direction * (walked if odd[v] else len(odd))
        if not odd[v]:
            direction = -direction
        before, v = v, near[v][near[v][0] == before]
    return rank


def _hang(step: Ints, vertices: Ints, top: int, rank: Ints) -> None:
    """Set the steps of a block's vertices; its top's own step belongs to another block."""
    of_top = step[vertices[top]]
    step[vertices] = rank - rank[top]
    step[vertices[top]] = of_top


def _inverse(permutation: Ints) -> Ints:
    inverse = np.empty(permutation.size, dtype=np.int64)
    inverse[permutation] = np.arange(permutation.size)
    return inverse
