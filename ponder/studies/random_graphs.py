"""Random graphs, and presses on them, from a seed. Cost: O(nodes + edges)."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field

import numpy as np

from ponder.model.board import Board
from ponder.model.graph import EdgeGraph
from ponder.studies.generate import (
    CannotGenerate,
    SizedFamily,
    board_solved_by,
    random_presses,
    refuse_bad,
)
from ponder.system.types import Ints

MOST_EDGES = 2_000_000  # random graphs with more edges than this are refused


@dataclass(frozen=True)
class GraphFamily(SizedFamily):
    """Base of the random graphs: which edges, and which bulbs are pressed."""

    size: int
    density: float = field(default=0.5, kw_only=True)

    def __post_init__(self) -> None:
        refuse_bad(self.size, 1, self.density)

    @abstractmethod
    def edges(self, rng: np.random.Generator) -> Ints:
        """Return the edges, (m, 2)."""

    def board(self, seed: int) -> Board:
        """Return the board that the presses of this seed solve."""
        rng = np.random.default_rng(seed)
        graph = EdgeGraph(self.size, self.edges(rng))
        return board_solved_by(
            random_presses((self.size,), self.density, rng), graph, f"graph-{self.size}-{seed}"
        )


@dataclass(frozen=True)
class Gnp(GraphFamily):
    """Random graphs G(n, p): every pair of nodes is an edge with the probability p.

    By default p gives an average degree of 8, or is 1. Raises CannotGenerate if p is no probability
    or the graph too large.

    >>> Gnp(5).board(seed=0).graph.edges_within(np.arange(5)).shape
    (10, 2)
    """

    probability: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.p <= 1:
            raise CannotGenerate("the probability of an edge is a number from 0 to 1")
        _refuse_many_edges(self.p * self.pairs)

    @property
    def p(self) -> float:
        """The probability of an edge."""
        return 8 / max(self.size - 1, 8) if self.probability is None else self.probability

    @property
    def pairs(self) -> int:
        """The number of pairs of nodes."""
        return self.size * (self.size - 1) // 2

    def edges(self, rng: np.random.Generator) -> Ints:
        """Draw how many edges, then which. O(edges)."""
        count = int(rng.binomial(self.pairs, self.p))
        return _pairs(np.sort(rng.choice(self.pairs, count, replace=False)))


@dataclass(frozen=True)
class Regular(GraphFamily):
    """Random d-regular graphs: a circulant graph, shuffled by edge switches.

    Two random edges exchange an end each where that leaves the graph simple. The switches connect
    all d-regular graphs (Taylor 1981) and mix fast (Cooper, Dyer, Greenhill 2007); twenty are tried
    per edge. Raises CannotGenerate if no such graph exists (n·d odd, d ≥ n) or it is too large.
    """

    degree: int = 3

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.degree < self.size or self.size * self.degree % 2:
            raise CannotGenerate(f"there is no {self.degree}-regular graph of {self.size} nodes")
        _refuse_many_edges(self.size * self.degree / 2)

    def edges(self, rng: np.random.Generator) -> Ints:
        """Shuffle the circulant graph. O(edges)."""
        edges = _circulant(self.size, self.degree)
        present = set(edges)
        tries = rng.integers(max(len(edges), 1), size=(20 * len(edges), 2)).tolist()
        turned = (rng.random(len(tries)) < 0.5).tolist()
        for (i, j), turn in zip(tries, turned, strict=True):
            (a, b), (c, d) = edges[i], edges[j][::-1] if turn else edges[j]
            first, second = (min(a, d), max(a, d)), (min(b, c), max(b, c))
            if a == d or b == c or first in present or second in present:
                continue
            present -= {edges[i], edges[j]}
            present |= {first, second}
            edges[i], edges[j] = first, second
        return np.array(edges, dtype=np.int64).reshape(-1, 2)


def _circulant(size: int, degree: int) -> list[tuple[int, int]]:
    """Return a d-regular graph: every node is joined to the next ⌊d/2⌋, and to its opposite."""
    steps = list(range(1, degree // 2 + 1))
    edges = [(v, (v + step) % size) for step in steps for v in range(size)]
    if degree % 2:
        edges += [(v, v + size // 2) for v in range(size // 2)]
    return [(min(edge), max(edge)) for edge in edges]


def _pairs(numbers: Ints) -> Ints:
    """Return the pairs i < j with the given numbers j(j−1)/2 + i, as an (m, 2) array."""
    j = ((1 + np.sqrt(1.0 + 8.0 * numbers)) / 2).astype(np.int64)
    j -= j * (j - 1) // 2 > numbers  # the root was rounded up
    j += j * (j + 1) // 2 <= numbers  # or down
    return np.stack([numbers - j * (j - 1) // 2, j], axis=1)


def _refuse_many_edges(count: float) -> None:
    if count > MOST_EDGES:
        raise CannotGenerate(f"a graph of {count:,.0f} edges is too large (at most {MOST_EDGES:,})")
