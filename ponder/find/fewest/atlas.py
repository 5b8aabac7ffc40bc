"""Atlas: the fewest presses of *every* board of a shape, by search backwards from the goal.

Idea. The solvable boards are goal + A·s, a copy of the image of A: at rank r there are 2^r, each
a number x (`Coordinates`). To take a press of bulb v back is to add A·e_v, so breadth-first search
from the goal finds the fewest legal presses, repeats allowed, of all of them. A board with a press
set that no legal sequence solves is never reached. Under the rule `unlit` v is lit after its press:
x + c_v is a legal predecessor of x iff x & g_v has parity 1 + goal(v). Under `lit`: goal(v).

A bit set holds 64 boards a word, the first six coordinates within the word. To take v back from a
layer is three sweeps, by chunks small enough for the cache: "and" with the legal boards, move them
by c_v (a permutation of words, exchanges of bits within them), "or" into the next layer. Distances
are *bit planes*: set k holds bit k of every distance.

Cost: O(N · largest · 2^r / 64) time, 2^r · (3 + log₂ largest) / 8 bytes: for the 2^24 solvable
boards of plus 4×6 0.4 s and 20 MB, for 2^27 boards 3 to 5 s and 140 MB.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ponder.check.evidence.odd_witness import OddWitness
from ponder.find.context import Progress, silent
from ponder.find.linear.gf2 import closed_adjacency, eliminate, pack, unpack
from ponder.find.linear.press_sets import press_sets
from ponder.model.board import Board, Rule
from ponder.model.graph import Graph
from ponder.system.errors import PonderError
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints, Words

LARGEST_RANK = 27  # shapes with more than 2^27 solvable boards are refused
MOST_BULBS = 1024  # shapes of more bulbs are refused before their rank is known

_NONE, _ALL = np.uint64(0), np.uint64(2**64 - 1)
_CHUNK = 13  # log2 of the words that are swept together: they stay in the cache
# within a word the boards whose coordinate 0, 1, … 5 is 0: 0x5555…, 0x3333…, 0x0F0F…, …
_LOW_HALVES = [_ALL // np.uint64(2 ** (1 << k) + 1) for k in range(6)]


@dataclass(frozen=True, eq=False)
class Coordinates:
    """The solvable boards of a shape as numbers 0 … 2^rank − 1; the goal is 0.

    `basis`      P, r bulbs whose columns of A are a basis of its image: bit i of x stands for a
                 press of the i-th, and x for the one press set within P that leads to the goal
    `steps`      c_v of every bulb, what its press adds to x: a single bit for v ∈ P
    `parities`   g_v of every bulb, P ∩ N[v] as a mask: v differs from its goal iff x & g_v has an
                 odd number of bits
    """

    basis: Ints
    steps: tuple[int, ...]
    parities: tuple[int, ...]

    @classmethod
    def of_adjacency(cls, toggles: Bits) -> Coordinates:
        """Choose coordinates for A, (N, N). Raises PonderError if rank A > `LARGEST_RANK`."""
        reduced = eliminate(pack(toggles), len(toggles))
        if reduced.rank > LARGEST_RANK:
            raise PonderError(
                f"an atlas of {len(toggles)} bulbs is too large: 2^{reduced.rank} solvable boards, "
                f"at most 2^{LARGEST_RANK} can be searched"
            )
        by_bulb = np.argsort(reduced.pivot_columns)
        basis = reduced.pivot_columns[by_bulb]
        # column v of the reduced form says which columns of the basis add up to column v of A
        sums = unpack(reduced.words[reduced.pivot_rows[by_bulb]], len(toggles))
        value = np.int64(1) << np.arange(basis.size, dtype=np.int64)
        return cls(
            basis,
            tuple((sums * value[:, None]).sum(axis=0).tolist()),
            tuple((toggles[:, basis] * value).sum(axis=1).tolist()),
        )

    @property
    def rank(self) -> int:
        """The number r of coordinates."""
        return int(self.basis.size)

    def of_presses(self, presses: Bits) -> int:
        """Return the number of the board that a press set, (N,) bits, leads to the goal."""
        number = 0
        for v in np.flatnonzero(presses).tolist():
            number ^= self.steps[v]
        return number


@dataclass(frozen=True, eq=False)
class Search:
    """What the search found: all distances, by the boards' coordinates.

    `histogram`   how many boards need 0, 1, 2, … presses
    `reached`     the boards that some legal sequence solves, as a bit set
    `planes`      the bits of their distances, lowest first, as bit sets
    `hardest`     the least number among the boards that need the most presses
    """

    coordinates: Coordinates
    histogram: tuple[int, ...]
    reached: Words
    planes: tuple[Words, ...]
    hardest: int

    def distance(self, number: int) -> int | None:
        """Return the fewest presses of one board, None when no legal sequence solves it."""
        word, bit = number >> 6, number & 63
        if not int(self.reached[word]) >> bit & 1:
            return None
        return sum((int(plane[word]) >> bit & 1) << k for k, plane in enumerate(self.planes))


@dataclass(frozen=True, eq=False)
class Atlas:
    """The fewest presses of all boards with one graph, goal and rule; made by `atlas_of`."""

    graph: Graph
    goal: Bits
    rule: Rule
    search: Search

    @property
    def histogram(self) -> tuple[int, ...]:
        """How many boards need exactly 0, 1, 2, … presses."""
        return self.search.histogram

    @property
    def largest(self) -> int:
        """The largest number of presses that a solvable board needs."""
        return len(self.histogram) - 1

    @property
    def solvable(self) -> int:
        """The number of boards that a legal sequence solves."""
        return sum(self.histogram)

    @property
    def stuck(self) -> int:
        """The number of boards that have a press set but no legal sequence."""
        return (1 << self.search.coordinates.rank) - self.solvable

    @property
    def nullity(self) -> int:
        """N − r: one in 2^nullity of the 2^N boards has a press set."""
        return self.graph.size - self.search.coordinates.rank

    @property
    def hardest(self) -> Board:
        """A board that needs `largest` presses."""
        coordinates, number = self.search.coordinates, self.search.hardest
        pressed = [v for i, v in enumerate(coordinates.basis.tolist()) if number >> i & 1]
        lit = self.goal ^ self.graph.apply(self.graph.set_of(pressed))
        return Board(self.graph, lit, self.goal, self.rule, "hardest")

    def distance(self, board: Board) -> int | None:
        """Return the fewest legal presses, or None. Raises ValueError for another graph."""
        same = board.rule == self.rule and np.array_equal(board.goal, self.goal)
        if not same or (
            board.graph is not self.graph
            and not np.array_equal(_toggles(board.graph), _toggles(self.graph))
        ):
            raise ValueError("the board has another graph, goal or rule than the atlas")
        sets = press_sets(board)
        if isinstance(sets, OddWitness):
            return None
        return self.search.distance(self.search.coordinates.of_presses(sets.particular))


def atlas_of(board: Board, progress: Progress = silent, limits: Limits = NEVER) -> Atlas:
    """Return the atlas of all boards with this board's graph, goal and rule.

    Raises PonderError for more than 2^27 solvable boards, before anything large is made, TimeUp.

    >>> chart = atlas_of(Board.from_rows(["00", "00"]))
    >>> chart.histogram
    (1, 4, 2, 4, 5)
    """
    size = board.graph.size
    if size > MOST_BULBS:
        raise PonderError(f"an atlas of {size:,} bulbs is too large: at most {MOST_BULBS:,}")
    limits.check()
    coordinates = Coordinates.of_adjacency(_toggles(board.graph))
    search = backwards(coordinates, board.goal, board.rule, progress, limits)
    return Atlas(board.graph, board.goal, board.rule, search)


def backwards(
    coordinates: Coordinates,
    goal: Bits,
    rule: Rule,
    progress: Progress = silent,
    limits: Limits = NEVER,
) -> Search:
    """Search back from the goal until a layer is empty, and tell `progress`. Raises TimeUp."""
    words = 1 << max(coordinates.rank - 6, 0)
    width = min(words, 1 << _CHUNK)
    reached = np.zeros((words // width, width), dtype=np.uint64)
    layer, following = np.zeros_like(reached), np.zeros_like(reached)
    sweep = np.empty(width, dtype=np.uint64)
    taken = [
        _TakenBack(step, parity, None if rule == "any" else lit == (rule == "lit"), layer.shape)
        for step, parity, lit in zip(
            coordinates.steps, coordinates.parities, goal.tolist(), strict=True
        )
    ]
    reached[0, 0] = layer[0, 0] = 1
    histogram = [1]
    planes: list[Words] = []
    while True:
        distance, count = len(histogram), 0
        progress(f"{sum(histogram):,} boards within {distance - 1} presses")
        if distance >> len(planes):
            planes.append(np.zeros_like(reached))
        for chunk, (new, old) in enumerate(zip(following, reached, strict=True)):
            limits.check()
            new[:] = 0
            for press in taken:
                press.into(new, layer, chunk, sweep)
            np.invert(old, out=sweep)
            new &= sweep
            old |= new
            for k, plane in enumerate(planes):
                if distance >> k & 1:
                    plane[chunk] |= new
            count += int(np.bitwise_count(new).sum(dtype=np.int64))
        if not count:
            break
        histogram.append(count)
        layer, following = following, layer
    first = int(np.flatnonzero(layer)[0])
    word = int(layer.reshape(-1)[first])
    hardest = first << 6 | ((word & -word).bit_length() - 1)
    bits = [plane.reshape(-1) for plane in planes]
    return Search(coordinates, tuple(histogram), reached.reshape(-1), tuple(bits), hardest)


class _TakenBack:
    """One bulb's press, taken back from all boards of a layer, a chunk at a time.

    A number x is (chunk, word in the chunk, bit in the word), and so is the step c_v. `wanted` is
    the parity of x & g_v that the boards must have after the press, None when any will do.
    """

    def __init__(self, step: int, parity: int, wanted: bool | None, shape: tuple[int, ...]) -> None:
        chunks, width = shape
        self.within = [k for k in range(6) if step >> k & 1]
        self.far, self.near = divmod(step >> 6, width)
        self.order = np.arange(width) ^ self.near
        self.masks: tuple[Words, Words] | None = None
        if wanted is not None:
            bits = pack(_odd(np.arange(64), parity) ^ (not wanted))
            mask = bits ^ np.where(_odd(np.arange(width, dtype=np.int64) << 6, parity), _ALL, _NONE)
            self.masks = mask, ~mask
            self.odd: list[bool] = _odd(
                np.arange(chunks, dtype=np.int64) * (width << 6), parity
            ).tolist()

    def into(self, new: Words, layer: Words, chunk: int, sweep: Words) -> None:
        """Add those predecessors of the layer's boards that lie in one chunk to `new`."""
        origin = chunk ^ self.far
        boards = layer[origin]
        if self.masks is not None:
            boards = np.bitwise_and(boards, self.masks[self.odd[origin]], out=sweep)
        for k in self.within:
            low, shift = _LOW_HALVES[k], np.uint64(1 << k)
            high = boards >> shift
            high &= low
            boards = np.bitwise_and(boards, low, out=sweep)
            boards <<= shift
            boards |= high
        new |= boards[self.order] if self.near else boards


def _odd(numbers: Ints, mask: int) -> Bits:
    """Return whether each number has an odd number of bits in common with the mask."""
    return np.asarray(np.bitwise_count(numbers & mask) & 1, dtype=np.bool_)


def _toggles(graph: Graph) -> Bits:
    """Return A, (N, N)."""
    return unpack(closed_adjacency(graph), graph.size)
