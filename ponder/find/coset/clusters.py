"""Clusters: the connected pieces of some press counts, and whether each has a legal order.

Idea (theory §7.1). A component of the blow-up of press counts m is ordered by itself: a *cluster*
is a connected set of bulbs with m > 0, as large as possible, and its counts. Answers (orders,
refutations, Unknown: `ponder.find.ordering.engine`) are kept by the cluster during the search, and
by its shape (the relabelled graph, counts and parities) while the program runs: a pattern refuted
in one corner of a board is known in every other place and on the next board.

Letters: m press counts; K a cluster, N(K) the bulbs beside it, none of which is pressed; parity,
|E(K)| + |T ∩ K| mod 2 in the blow-up of K: a cluster of parity 1 has no order.
Cost. Walking through clusters is a loop over bulbs and their neighbours; the answer of a new
cluster takes 0.1 to 1 ms. All of these may raise TimeUp.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np

from ponder.check.block import Block
from ponder.check.certificate import Answer, Refutation
from ponder.find.context import Log, SearchContext
from ponder.find.ordering.engine import find_order
from ponder.model.board import Board
from ponder.model.edge_graph import EdgeGraph
from ponder.model.graph import Graph
from ponder.model.ordering_problem import Order, OrderingProblem, Unknown
from ponder.system.limits import NEVER, Limits
from ponder.system.machine import refuse_above_limit
from ponder.system.types import Ints, bincount, indices

LARGE = 250  # clusters of more presses are ordered when nothing else is left to do

_REMEMBERED = 1 << 16
_SMALL = 256  # bulbs and edges of a shape that is remembered: some kilobytes, at most 0.1 s of work
_BLOCK = 1 << 12  # bulbs whose neighbours are listed between two looks at the clock

Refusals = list[tuple["Cluster", "Refutation | Unknown"]]


@dataclass(frozen=True)
class Cluster:
    """Connected bulbs, ascending, and how often each of them is pressed."""

    bulbs: tuple[int, ...]
    counts: tuple[int, ...]

    @property
    def presses(self) -> int:
        """The number of presses."""
        return sum(self.counts)


class Clusters:
    """The clusters of press counts on one board, with a memory of their answers.

    Raises ValueError under the rule `any`, where there is nothing to order.

    >>> board = Board.from_rows(["0000", "0000"], "plus")
    >>> clusters = Clusters(board)
    >>> pair, single = clusters.split([1, 1, 0, 0, 0, 0, 0, 1])
    >>> pair.bulbs, clusters.answer(pair).kind, single.bulbs, clusters.answer(single).vertices
    ((0, 1), 'block', (7,), array([0]))
    """

    def __init__(self, board: Board, context: SearchContext | None = None) -> None:
        if board.odd_later is None:
            raise ValueError("under the rule 'any' every order is legal: nothing to order")
        context = context or SearchContext()
        self.board: Board = board
        self.seed: int = context.seed
        self.log: Log = context.log
        self.limits: Limits = context.limits
        self.odd: list[bool] = board.odd_later.tolist()
        self._answers: dict[Cluster, Answer] = {}

    @cached_property
    def near(self) -> list[list[int]]:
        """The neighbours of every bulb, ascending."""
        return neighbour_lists(self.board.graph, self.limits)

    def split(self, counts: Sequence[int]) -> list[Cluster]:
        """Return all clusters, in order of their least bulbs."""
        clusters: list[Cluster] = []
        seen = set[int]()
        for v, m in self.limits.over(enumerate(counts), 1 << 12):
            if m and v not in seen:
                cluster = self.at(counts, v)
                seen.update(cluster.bulbs)
                clusters.append(cluster)
        return clusters

    def at(self, counts: Sequence[int], bulb: int) -> Cluster:
        """Return the cluster of a pressed bulb, at a cost of its size."""
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

    def parity(self, cluster: Cluster) -> int:
        """Return |E| + |T| mod 2 of the cluster's blow-up."""
        count = dict(zip(cluster.bulbs, cluster.counts, strict=True))
        total = 0
        for v, m in self.limits.over(count.items()):
            total += m * (m - 1) // 2 + m * self.odd[v]
            total += sum(m * count[u] for u in self.near[v] if u > v and u in count)
        return total & 1

    def answer(self, cluster: Cluster) -> Answer:
        """Return an order (of the presses, bulb by bulb), a refutation, or Unknown."""
        answer = self._answers.get(cluster)
        if answer is None:
            self.limits.check()
            answer = self._decide(cluster)
            if isinstance(answer, Unknown):
                self.limits.check()  # a time that is too short for an answer is no answer
            self._answers[cluster] = answer
        return answer

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
        if len(odd) + len(edges) <= _SMALL:
            answer, log = _answer_of_shape(*shape)
            self.log.include(log)
        else:
            context = SearchContext(self.seed, self.limits, log=self.log)
            answer, _ = find_order(_problem_of_shape(*shape), context)
        if isinstance(answer, Block):
            members = np.array(cluster.bulbs, dtype=np.int64)[answer.bulbs]
            return replace(answer, bulbs=members)
        return answer

    def refused(self, counts: Sequence[int]) -> Refusals:
        """Return clusters without a known order, and why; large ones where all others have one."""
        wrong: Refusals = []
        for cluster in sorted(self.split(counts), key=lambda cluster: cluster.presses):
            if wrong and cluster.presses > LARGE:
                break
            answer = self.answer(cluster)
            if not isinstance(answer, Order):
                wrong.append((cluster, answer))
        return wrong

    def sequence(self, counts: Sequence[int]) -> Ints:
        """Return the bulbs of legal press counts in play order."""
        parts = [np.empty(0, dtype=np.int64)]
        for cluster in self.split(counts):
            answer = self.answer(cluster)
            assert isinstance(answer, Order)
            pressed = np.repeat(np.array(cluster.bulbs), indices(np.array(cluster.counts)))
            parts.append(pressed[answer.vertices])
        return np.concatenate(parts)


def neighbour_lists(graph: Graph, limits: Limits = NEVER) -> list[list[int]]:
    """Return the neighbours of every bulb, ascending. Raises TimeUp, NeedsMemory."""
    size = 64 * graph.size + 200 * graph.edge_count()
    refuse_above_limit("a list of all bulbs' neighbours", size)
    lists: list[list[int]] = []
    for start in range(0, graph.size, _BLOCK):
        limits.check()
        bulbs = np.arange(start, min(start + _BLOCK, graph.size))
        members, owner = graph.neighbourhoods(bulbs)
        is_neighbour = members != bulbs[owner]
        ends = bincount(owner[is_neighbour], minlength=bulbs.size).cumsum().tolist()
        flat = members[is_neighbour].tolist()
        lists += [flat[a:b] for a, b in pairwise([0, *ends])]
    return lists


def _problem_of_shape(
    counts: tuple[int, ...], odd: tuple[bool, ...], edges: tuple[tuple[int, int], ...]
) -> OrderingProblem:
    graph = EdgeGraph(len(counts), edges)
    bulbs = np.repeat(np.arange(len(counts), dtype=np.int64), indices(np.array(counts)))
    return OrderingProblem(graph, bulbs, np.array(odd, dtype=np.bool_)[bulbs])


@lru_cache(maxsize=_REMEMBERED)
def _answer_of_shape(
    counts: tuple[int, ...], odd: tuple[bool, ...], edges: tuple[tuple[int, int], ...]
) -> tuple[Answer, Log]:
    """Return the answer to a shape, and the methods tried; it is the same for all callers."""
    context = SearchContext()
    answer, _ = find_order(_problem_of_shape(counts, odd, edges), context)
    return answer, context.log
