"""Clusters: the connected pieces of some press counts, and whether each has a legal order.

Idea. Press counts m have a legal order iff each component of their blow-up has one, and a
component's answer depends on nothing but its own bulbs, counts and parities. So the unit of all
searching is the *cluster*: a connected set of bulbs with m > 0, as large as possible, and its
counts. Answers are kept twice: by the cluster, for as long as the search lasts, and by its shape
(the relabelled graph, counts and parities) for as long as the program runs, so that a pattern
refuted in one corner of a board is known in every other place and on the next board.

An answer is an order, a refutation, or Unknown. A cluster is split into blocks, small blocks are
searched over all subsets, large ones are left to greedy tries, to walks of wrong parities, and then
to the randomised test (over spanning trees), whose "no" is evidence and no refutation.

Letters
    m       press counts, one for each bulb
    K       a cluster; N(K) the bulbs beside it, none of which is pressed
    charge  |E(K)| + |T ∩ K| mod 2 in the blow-up of K: a cluster of charge 1 has no order

The time limit ends all this wherever it is (`TimeUp`): answers that are known stay known.

Cost. Walking through clusters is a loop over bulbs and their neighbours. Answers of clusters seen
before cost a look-up; a new one 0.1 to 1 ms.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TypeGuard

import numpy as np

from ponder.limits import NEVER, Limits
from ponder.memory import refuse_above_limit
from ponder.ordering.blocks import Block, split
from ponder.ordering.subsets import order_subsets
from ponder.puzzle.board import Board
from ponder.puzzle.graph import EdgeGraph
from ponder.puzzle.ordering_problem import Answer, Order, OrderingProblem, Unknown
from ponder.puzzle.refutation import LocalRefutation, Refutation
from ponder.types import Ints

TINY = 12
"""Blocks of up to this many presses are searched over all subsets before greedy is tried."""

SEARCHED = 20
"""Blocks of up to this many presses are searched over all subsets when greedy has failed once."""

EXHAUSTED = 24
"""Blocks of up to this many presses are searched over all subsets when greedy has failed."""

WALKED = 256
"""Blocks of more presses are ordered by walks before a determinant is asked."""

_WALKING = 0.1  # of the time that is left, for that

LARGE = 250
"""Clusters of more presses are ordered when nothing else is left to do."""

_REMEMBERED = 1 << 16
_SMALL = 256  # bulbs and edges of a shape that is remembered, so that the memory stays bounded
_BLOCK = 1 << 12  # bulbs whose neighbours are listed between two looks at the clock
_NONE: list[int] = []  # the neighbours of every bulb that has none
_FIRST_TRIALS = 4
_GREEDY_TRIALS = 20


@dataclass(frozen=True)
class Cluster:
    """Connected bulbs, ascending, and how often each of them is pressed."""

    bulbs: tuple[int, ...]
    counts: tuple[int, ...]

    @property
    def presses(self) -> int:
        """The number of presses."""
        return sum(self.counts)

    def problem(self, board: Board) -> OrderingProblem:
        """Return the ordering problem of the cluster."""
        odd_later = board.odd_later
        if odd_later is None:
            raise ValueError("under the rule 'any' every order is legal: nothing to order")
        bulbs = np.repeat(np.array(self.bulbs, dtype=np.int64), self.counts)
        return OrderingProblem(board.graph, bulbs, odd_later[bulbs])


class Clusters:
    """The clusters of press counts on one board, with a memory of their answers.

    ValueError under the rule `any`, where there is nothing to order.

    >>> board = Board.from_rows(["0000", "0000"], "plus")
    >>> clusters = Clusters(board)
    >>> pair, single = clusters.of([1, 1, 0, 0, 0, 0, 0, 1])
    >>> pair.bulbs, clusters.answer(pair).kind, single.bulbs, clusters.answer(single).vertices
    ((0, 1), 'odd-component', (7,), array([0]))
    """

    def __init__(self, board: Board, *, seed: int = 0, limits: Limits | None = None) -> None:
        if board.odd_later is None:
            raise ValueError("under the rule 'any' every order is legal: nothing to order")
        self.board, self.seed = board, seed
        self.limits = Limits(None) if limits is None else limits
        self.odd: list[bool] = board.odd_later.tolist()
        self._answers: dict[Cluster, Answer] = {}

    @cached_property
    def near(self) -> list[list[int]]:
        """The neighbours of every bulb, ascending."""
        return neighbour_lists(self.board, self.limits)

    @cached_property
    def free(self) -> set[int]:
        """The bulbs without neighbours that may be pressed once whenever one likes."""
        return {v for v, near in enumerate(self.near) if not near and not self.odd[v]}

    def of(self, counts: Sequence[int]) -> list[Cluster]:
        """Return all clusters, in order of their least bulbs, but for free bulbs pressed once."""
        found: list[Cluster] = []
        seen = {v for v in self.free if counts[v] == 1}
        for v, m in self.limits.over(enumerate(counts), 1 << 12):
            if m and v not in seen:
                cluster = self.at(counts, v)
                seen.update(cluster.bulbs)
                found.append(cluster)
        return found

    def at(self, counts: Sequence[int], bulb: int) -> Cluster:
        """Return the cluster of a pressed bulb; it costs what the cluster is large."""
        bulbs, seen = [bulb], {bulb}
        for v in self.limits.over(bulbs):  # grows while it is walked through
            for u in self.near[v]:
                if counts[u] and u not in seen:
                    seen.add(u)
                    bulbs.append(u)
        bulbs.sort()
        return Cluster(tuple(bulbs), tuple(int(counts[v]) for v in bulbs))

    def beside(self, bulbs: Iterable[int]) -> set[int]:
        """Return N(K): the bulbs next to some bulbs, without those."""
        inside = set(bulbs)
        return {u for v in inside for u in self.near[v]} - inside

    def charge(self, cluster: Cluster) -> int:
        """Return |E| + |T| mod 2 of the cluster's blow-up."""
        count = dict(zip(cluster.bulbs, cluster.counts, strict=True))
        total = 0
        for v, m in self.limits.over(count.items()):
            total += m * (m - 1) // 2 + m * self.odd[v]
            total += sum(m * count[u] for u in self.near[v] if u > v and u in count)
        return total & 1

    def answer(self, cluster: Cluster) -> Answer:
        """Return an order (of the presses in `cluster.problem`), a refutation, or Unknown."""
        found = self._answers.get(cluster)
        if found is None:
            self.limits.check()
            found = self._decide(cluster)
            if isinstance(found, Unknown):
                self.limits.check()  # it is no answer that the time was too short for one
            self._answers[cluster] = found
        return found

    def _decide(self, cluster: Cluster) -> Answer:
        place = {v: i for i, v in enumerate(cluster.bulbs)}
        edges = tuple(
            (i, place[u])
            for v, i in self.limits.over(place.items())
            for u in self.near[v]
            if u > v and u in place
        )
        odd = tuple(self.odd[v] for v in cluster.bulbs)
        shape = (cluster.counts, odd, edges)
        answer: Answer | None = None
        if len(odd) + len(edges) <= _SMALL:
            answer = _answer_of_shape(*shape)
        if answer is None:
            answer = _order_blocks(_problem_of_shape(*shape), self.seed, self.limits)
        if isinstance(answer, LocalRefutation):
            members = np.array(cluster.bulbs, dtype=np.int64)[answer.members]
            return replace(answer, members=members)
        return answer

    def learn(self, presses: Ints) -> list[int]:
        """Keep the orders that a legal sequence has for its clusters; return its press counts.

        >>> clusters = Clusters(Board.from_rows(["0000"], "plus"))
        >>> clusters.learn(np.array([2, 1, 0, 2]))
        [1, 1, 2, 0]
        >>> clusters.sequence([1, 1, 2, 0]).tolist()
        [2, 1, 0, 2]
        """
        counts: list[int] = np.bincount(presses, minlength=self.board.graph.size).tolist()
        found = self.of(counts)
        owner = {v: k for k, cluster in enumerate(found) for v in cluster.bulbs}
        played: list[list[int]] = [[] for _ in found]
        for v in self.limits.over(presses.tolist(), 1 << 12):
            if v in owner:  # all but free bulbs
                played[owner[v]].append(v)
        for cluster, bulbs in zip(found, played, strict=True):
            vertices = np.empty(len(bulbs), dtype=np.int64)
            vertices[np.argsort(bulbs, kind="stable")] = np.arange(len(bulbs))
            self._answers[cluster] = Order(vertices)
        return counts

    def refused(self, counts: Sequence[int]) -> list[tuple[Cluster, Refutation | Unknown]]:
        """Return every cluster without a known order, and why; smallest clusters first.

        A large one, which takes seconds, is only looked at where all smaller ones have orders.
        """
        wrong: list[tuple[Cluster, Refutation | Unknown]] = []
        for cluster in sorted(self.of(counts), key=lambda cluster: cluster.presses):
            if wrong and cluster.presses > LARGE:
                break
            answer = self.answer(cluster)
            if not isinstance(answer, Order):
                wrong.append((cluster, answer))
        return wrong

    def sequence(self, counts: Sequence[int]) -> Ints | None:
        """Return the bulbs in a legal play order, or None when some cluster has no known order."""
        parts = [np.array([v for v in sorted(self.free) if counts[v] == 1], dtype=np.int64)]
        for cluster in self.of(counts):
            answer = self.answer(cluster)
            if not isinstance(answer, Order):
                return None
            pressed = np.repeat(np.array(cluster.bulbs, dtype=np.int64), cluster.counts)
            parts.append(pressed[answer.vertices])
        return np.concatenate(parts)


def proves(why: Answer) -> TypeGuard[LocalRefutation]:
    """Whether a refusal is a proof, which evidence and failure are not."""
    return isinstance(why, LocalRefutation)


def refuse_all_neighbours(board: Board) -> None:
    """Raise NeedsMemory where the search by clusters could not list the neighbours of all bulbs."""
    edges = board.graph.edge_count()
    refuse_above_limit("a list of all bulbs' neighbours", 64 * board.graph.size + 200 * edges)


def neighbour_lists(board: Board, limits: Limits = NEVER) -> list[list[int]]:
    """Return the neighbours of every bulb, ascending; TimeUp when the deadline passes."""
    graph, found = board.graph, []
    for start in range(0, graph.size, _BLOCK):
        limits.check()
        bulbs = np.arange(start, min(start + _BLOCK, graph.size))
        members, owner = graph.neighbourhoods(bulbs)
        others = members != bulbs[owner]
        ends = np.bincount(owner[others], minlength=bulbs.size).cumsum().tolist()
        flat = members[others].tolist()
        found += [flat[a:b] if a < b else _NONE for a, b in pairwise([0, *ends])]
    return found


def _problem_of_shape(
    counts: tuple[int, ...], odd: tuple[bool, ...], edges: tuple[tuple[int, int], ...]
) -> OrderingProblem:
    graph = EdgeGraph(len(counts), edges)
    bulbs = np.repeat(np.arange(len(counts), dtype=np.int64), counts)
    return OrderingProblem(graph, bulbs, np.array(odd, dtype=np.bool_)[bulbs])


@lru_cache(maxsize=_REMEMBERED)
def _answer_of_shape(
    counts: tuple[int, ...], odd: tuple[bool, ...], edges: tuple[tuple[int, int], ...]
) -> Order | LocalRefutation | None:
    """Return what splitting and the search of small blocks find; None leaves large blocks."""
    found = split(_problem_of_shape(counts, odd, edges))
    if isinstance(found, LocalRefutation):
        return found
    orders = []
    for block in sorted(found.blocks, key=lambda b: b.size):
        if block.size > SEARCHED:
            return None
        answer = _order_small_block(block)
        if not isinstance(answer, Order):
            return answer if isinstance(answer, LocalRefutation) else None
        orders.append((block, answer))
    by_block = {id(block): answer for block, answer in orders}
    return found.glue([by_block[id(block)] for block in found.blocks])


def _order_blocks(problem: OrderingProblem, seed: int, limits: Limits) -> Answer:
    """Order a problem with large blocks: those last, for a small one may refuse it at once."""
    found = split(problem, limits)
    if isinstance(found, LocalRefutation):
        return found
    orders: dict[int, Order] = {}
    for block in sorted(found.blocks, key=lambda block: block.size):
        limits.check()
        answer = _order_block(block, seed, limits)
        if not isinstance(answer, Order):
            return answer
        orders[id(block)] = answer
    return found.glue([orders[id(block)] for block in found.blocks], limits)


def _order_small_block(block: Block) -> Answer:
    """Order a block by a greedy try, which takes 1 ms, or by its subsets, which may take 50 ms."""
    from ponder.ordering.greedy import Trials, order_greedy

    if block.size > TINY:
        answer = order_greedy(block, Trials(count=_FIRST_TRIALS))
        if isinstance(answer, Order):
            return answer
    return order_subsets(block)


def _order_block(block: Block, seed: int, limits: Limits) -> Answer:
    """Order one block by the first of several methods that can."""
    from ponder.ordering.greedy import Trials, order_greedy
    from ponder.ordering.parity_walks import order_by_walks
    from ponder.ordering.spanning_tree_search import order_spanning

    if block.size <= SEARCHED:
        return _order_small_block(block)
    half = limits.sooner(limits.left(0.5))
    answer: Answer = order_greedy(block, Trials(count=_GREEDY_TRIALS, seed=seed), timeout=half)
    if isinstance(answer, Unknown) and block.size <= EXHAUSTED:
        return order_subsets(block, EXHAUSTED, limits)
    if isinstance(answer, Unknown) and block.size > WALKED:
        # sooner than a determinant where there is an order; where there is none, it never ends
        clock = limits.sooner(limits.left(_WALKING))
        answer = order_by_walks(block, seed=seed, timeout=clock, attempts=1)
    if isinstance(answer, Unknown):
        answer = order_spanning(block, seed=seed, timeout=limits)
    return answer
