"""Pieces behind small cuts of H, and the boundaries that they cannot have.

Idea (theory §3.8). Two or three edges that cut H leave a *piece* X on each side. Each way to direct
them, a *boundary*, makes an ordering problem of X. Where counting refutes it (`blocks.split`), no
order of H has the boundary: a *lemma*, a clause about two or three edges. The lemmas of two pieces
may contradict each other where counting about H finds nothing.

Cuts are found by sampling the cycle space: every edge gets a word of 64 random bits such that the
words around each vertex, hence those of every cut, add up to 0. Every find is tested by cutting.

Letters: edge i is {u, v} = `problem.edges[i]`, u < v; its literal i + 1 says "u before v".
Reference: D. Pritchard, R. Thurimella, "Fast computation of small cuts via cycle space sampling",
ACM Transactions on Algorithms 7 (2011).
Cost: O(n + m) for the words, O(m²) for cuts of three; O(n + m) and up to 16 counts a cut, `MOST`
cuts. A ring of 2,000 vertices takes 0.1 s.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, islice, product
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ponder.check.evidence.odd_component import OddComponent
from ponder.check.local_refutations import LocalRefutation
from ponder.find.ordering.blocks import biconnected_blocks
from ponder.model.ordering_problem import OrderingProblem
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints

Clause: TypeAlias = tuple[int, ...]
Words: TypeAlias = NDArray[np.uint64]

MOST = 32  # cuts that are looked at
MOST_TRIPLES = 1000  # cuts of three edges are looked for among at most these
DENSE = 2  # nothing is looked for where there are more edges a vertex: small cuts are rare


@dataclass(frozen=True, eq=False)
class PieceLemma:
    """No order has a boundary: one of the clause's literals is true."""

    clause: Clause
    piece: Ints  # its vertices, ascending
    why: LocalRefutation  # refutes the piece with that boundary; its members are places in it


def lemmas(problem: OrderingProblem, limits: Limits = NEVER) -> list[PieceLemma]:
    """Return the lemmas about pieces behind small cuts, small pieces first. Raises TimeUp.

    None where edges are fixed, or where vertices hear some of their neighbours only. Where counting
    refutes H itself, the piece behind no edge, that lemma alone: its clause is empty.

    >>> triangle = OrderingProblem.from_edges(3, [(0, 1), (0, 2), (1, 2)], [0])
    >>> found = lemmas(triangle)
    >>> [(lemma.clause, lemma.piece.tolist(), lemma.why.kind) for lemma in found[:2]]
    [((-1, -2), [0], 'odd-component'), ((1, 2), [0], 'odd-component')]
    """
    if (counted := whole_lemma(problem, limits)) is not None:
        return [counted]
    if not problem.plain or problem.edge_count > DENSE * problem.size:
        return []
    found: dict[Clause, PieceLemma] = {}
    cuts = limits.over(islice(_candidates(problem), MOST), 1)
    sides = ((cut, inside) for cut in cuts for inside in _sides(problem, cut))
    for cut, inside in sorted(sides, key=lambda one: int(one[1].sum())):
        limits.check()
        piece = np.flatnonzero(inside)
        pairs = int(inside[problem.edges].all(axis=1).sum())
        u, v = problem.edges[cut].T
        for forwards in product((True, False), repeat=len(cut)):
            clause = tuple(-i - 1 if way else i + 1 for i, way in zip(cut, forwards, strict=True))
            if clause in found:
                continue
            odd = problem.odd.copy()
            np.logical_xor.at(odd, np.where(forwards, u, v), True)  # the cut's edges that lead out
            why: object = OddComponent(np.arange(piece.size, dtype=np.int64))
            if (pairs + int(odd[piece].sum())) % 2 == 0:
                why = biconnected_blocks(problem.restricted(piece, odd[piece]), limits)
            if isinstance(why, LocalRefutation):
                found[clause] = PieceLemma(clause, piece, why)
    return list(found.values())


def whole_lemma(problem: OrderingProblem, limits: Limits = NEVER) -> PieceLemma | None:
    """Return the lemma without a boundary where counting refutes H itself. Raises TimeUp."""
    if not problem.plain:
        return None
    problem.prepare(limits)
    whole = np.arange(problem.size)
    why = biconnected_blocks(problem.restricted(whole), limits)
    return PieceLemma((), whole, why) if isinstance(why, LocalRefutation) else None


# ------------------------------------------------------------------------------------------ cuts


def _candidates(problem: OrderingProblem) -> Iterator[list[int]]:
    """Yield cuts of two edges, then of three that are not all the edges of a vertex."""
    words = _words(problem)
    alike: dict[int, list[int]] = {}
    for i, word in enumerate(words.tolist()):
        alike.setdefault(word, []).append(i)
    alike.pop(0, None)  # bridges
    for some in alike.values():
        yield from (list(pair) for pair in combinations(some, 2))
    if len(problem.edges) > MOST_TRIPLES:
        return
    second = np.array(sorted(alike), dtype=np.uint64)
    starts, _ = problem.adjacency
    first = second[:, None]
    third = first ^ second
    likely = np.zeros(1 << 16, dtype=np.bool_)  # whether a word ends so: few others do
    likely[second % likely.size] = True
    sums = likely[third % likely.size] & (first < second) & (second < third)
    for a, b in np.argwhere(sums).tolist():
        if int(third[a, b]) not in alike:
            continue
        each = (alike[int(word)] for word in (second[a], second[b], third[a, b]))
        for cut in map(list, product(*each)):
            ends, times = np.unique(problem.edges[cut], return_counts=True)
            if not ((times == 3) & (np.diff(starts)[ends] == 3)).any():
                yield cut


def _words(problem: OrderingProblem) -> Words:
    """Return the word of every edge, from a fixed seed: of a forest's edges by what is above."""
    up, order = [-1] * problem.size, list[int]()
    for root in range(problem.size):
        if up[root] < 0:
            up[root] = root
            reached = [root]
            for v in reached:  # grows while it is read
                for u in problem.neighbours[v]:
                    if up[u] < 0:
                        up[u] = v
                        reached.append(u)
            order += reached
    parent, (u, v) = np.array(up, dtype=np.int64), problem.edges.T
    high = np.where(parent[u] == v, u, v)  # of a forest's edge, the end farther from the root
    on_forest = parent[high] == u + v - high
    words: Words = np.random.default_rng(0).integers(1, 1 << 64, u.size, dtype=np.uint64)
    words[on_forest] = 0
    sums = np.zeros(problem.size, dtype=np.uint64)
    np.bitwise_xor.at(sums, problem.edges.T, words)
    missing = sums.tolist()
    for vertex in reversed(order):
        if up[vertex] != vertex:
            missing[up[vertex]] ^= missing[vertex]
    words[on_forest] = np.array(missing, dtype=np.uint64)[high[on_forest]]
    return words


def _sides(problem: OrderingProblem, cut: list[int]) -> list[Bits]:
    """Return both sides of a cut; nothing when it is none."""
    ends = problem.edges[cut].tolist()
    closed = {(u, v) for u, v in (*ends, *(end[::-1] for end in ends))}
    sides = []
    for start in ends[0]:
        inside = np.zeros(problem.size, dtype=np.bool_)
        seen, reached = {start}, [start]
        for v in reached:  # grows while it is read
            for u in problem.neighbours[v]:
                if u not in seen and (v, u) not in closed:
                    seen.add(u)
                    reached.append(u)
        inside[reached] = True
        if any((u in seen) == (v in seen) for u, v in ends):
            return []
        sides.append(inside)
    return sides
