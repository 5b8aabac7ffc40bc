"""Checks "the hardest board of this graph needs k presses, in any order" (theory §8.5).

From below: a board, named by a press set. No member of press_set + ker A may be lighter than the
bound. From above: no board needs more than (n + n₀ − δ)/2 where δ is below the maximum of every
admissible σ̂. Parities give a first δ. A `sign-tree` shows more: every case (M, ℓ) has a tree, whose
leaves name a λ that refutes their box and whose inner vertices split one σ_τ. `last-patterns` names
bulbs in an order, and so quiet patterns, of which those count that are the last for an odd number
of bulbs. Where only 2^(n − d) boards differ, `syndromes` says that all were gone through; so they
are.

Letters: σ, σ̂, τ, M, ℓ, λ as there, n bulbs, n₀ in no quiet pattern, d nullity, r rank, D height.
Sums: |σ̂|, the ceilings and D are at most n + 8, so all of a weight's are below 8·(n + 8)·Σ λ, held
below 2^60. Cost: O(n + d·2^d), and O(2^r·leaves) or O(n·2^(n − d)·presses). No finder is asked.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ponder.check.coset import kernel_columns, least_weight
from ponder.check.linear import press_sets, reduced
from ponder.check.naming import digits, shape_named
from ponder.check.reader import TooLarge, bulbs, each_once, enum_value, mapping, number, sequence
from ponder.model.board import Board
from ponder.model.graph import GridGraph
from ponder.system.errors import CheckFailed
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints, Json

SCHEMA = "ponder.most-moves/1"
KINDS = ("parity", "last-patterns", "sign-tree", "syndromes")

MOST_RANK = 14
MOST_BOARDS = 24  # digits of the boards that are gone through
MOST_NULLITY = 32
MOST_VERTICES = 1 << 22  # of all trees together
MOST_CELLS = 1 << 26  # numbers in the tables of a tree
MOST_NUMBER = 1 << 60


def verify_most_moves(board: Board, content: Json, limits: Limits = NEVER) -> tuple[int, int]:
    """Check both bounds for a board's graph, and return them.

    Raises CheckFailed where one is false, TooLarge or TimeUp where that is not known.

    >>> content = {"schema": SCHEMA, "bulbs": 4, "nullity": 0, "pattern": "plus", "rows": 2,
    ...     "columns": 2, "lower_bound": 4, "upper_bound": 4, "optimal": True,
    ...     "press_set": [[0, 0], [0, 1], [1, 0], [1, 1]], "evidence": {"kind": "parity"}}
    >>> verify_most_moves(Board.from_rows(["00", "00"], "plus"), content)
    (4, 4)
    """
    graph = board.graph
    _same(content.get("schema"), SCHEMA, "schema")
    lower = number(content.get("lower_bound"), "lower_bound", MOST_NUMBER)
    upper = number(content.get("upper_bound"), "upper_bound", MOST_NUMBER)
    _same(content.get("bulbs"), graph.size, "bulbs")
    _same(content.get("pattern"), graph.pattern, "pattern")
    for key, here in zip(("rows", "columns"), getattr(graph, "shape", (None, None)), strict=True):
        _same(content.get(key), here, key)
    _same(content.get("optimal"), lower == upper, "optimal")
    off = np.zeros(graph.size, dtype=np.bool_)
    quiet = press_sets(Board(graph, off, off), limits)
    _same(content.get("nullity"), quiet.nullity, "nullity")
    if quiet.nullity > MOST_NULLITY or quiet.basis is None:
        raise TooLarge(f"2^{quiet.nullity} press sets are too many to go through")
    basis = quiet.basis
    named = each_once(bulbs(graph, content.get("press_set"), "press_set"), "press_set")
    least, _ = least_weight(graph.set_of(named), basis, limits)
    if least < lower:
        raise CheckFailed(f"the board of press_set is solved by {least} presses, not {lower}")
    evidence = mapping(content.get("evidence"), "evidence")
    kind = enum_value(evidence.get("kind"), KINDS, "evidence.kind")
    if kind == "syndromes":
        most = _hardest_of_all(basis, limits)
    else:
        types = kernel_columns(basis)
        free = int(np.count_nonzero(types == 0))
        height = _height_by_parity(types)
        if kind == "last-patterns":
            height = max(height, _last_patterns(board, types, evidence, limits))
        elif kind == "sign-tree":
            height = max(height, _SignTree(board, types, evidence, limits).refuted() + 1)
        height += (graph.size - free - height) % 2
        most = (graph.size + free - height) // 2
    if upper < most:
        raise CheckFailed(f"the evidence shows at most {most} presses, not {upper}")
    return lower, upper


def states_named(board: Board) -> str:
    """Return all states of an unlit board's graph, in any order; a SHA-256 where words are short.

    >>> states_named(Board.from_rows(["00", "00"], "plus"))
    '2×2 plus, rule any, whatever the goal'
    """
    shape, graph = shape_named(board.graph), board.graph
    if not isinstance(graph, GridGraph) or not shape.endswith(f" {graph.pattern}"):
        shape += f", {digits(replace(board, rule='any').sha256)}"
    return f"{shape}, rule any, whatever the goal"


def _same(value: object, wanted: object, name: str) -> None:
    if value != wanted or type(value) is not type(wanted):
        raise CheckFailed(f"{name} is not {wanted}")


def _hardest_of_all(basis: Bits, limits: Limits) -> int:
    """Return how many presses the hardest board needs, by a search through all boards."""
    size = basis.shape[1]
    boards = size - len(basis)
    if boards > MOST_BOARDS:
        raise TooLarge(f"2^{boards} boards are too many to go through")
    rows, pivots = reduced(basis)
    effects = np.zeros(size, dtype=np.int64)
    effects[np.delete(np.arange(size), pivots)] = 1 << np.arange(boards, dtype=np.int64)
    effects[pivots] = rows @ effects  # a press at a pivot is one of all else in its basis vector
    reached = np.zeros(1 << boards, dtype=np.bool_)
    reached[0] = True
    latest, most = np.array([0], dtype=np.int64), 0
    while True:
        fresh = np.zeros_like(reached)
        for effect in effects.tolist():
            limits.check()
            fresh[latest ^ effect] = True
        fresh &= ~reached
        if not fresh.any():
            return most
        reached |= fresh
        latest = np.flatnonzero(fresh)
        most += 1


def _height_by_parity(types: Ints) -> int:
    """Return what every admissible σ̂ reaches at least."""
    _, counts = np.unique(types[types > 0], return_counts=True)
    if not (counts % 2).any():
        return 0
    return 1 if np.count_nonzero(types) % 2 else 2


def _last_patterns(board: Board, types: Ints, evidence: Json, limits: Limits) -> int:
    """Return how many patterns named by bulbs are the last one for an odd number of bulbs."""
    left, odd = types, 0
    for bulb in bulbs(board.graph, evidence.get("bulbs"), "evidence.bulbs").tolist():
        limits.check()
        pattern = int(left[bulb])
        if not pattern:
            raise CheckFailed("evidence.bulbs are not independent")
        odd += int(np.count_nonzero(left == pattern)) % 2
        left = np.where(left >> (pattern.bit_length() - 1) & 1, left ^ pattern, left)
    return odd


class _SignTree:
    def __init__(self, board: Board, types: Ints, evidence: Json, limits: Limits) -> None:
        self.limits, self.vertices = limits, 0
        self.height = number(evidence.get("height"), "evidence.height", types.size)
        named = bulbs(board.graph, evidence.get("basis"), "evidence.basis")
        self.rank = named.size
        if not 0 < self.rank <= MOST_RANK:
            raise CheckFailed(f"evidence.basis names {self.rank} bulbs, not 1 to {MOST_RANK}")
        values, sizes = np.unique(types[types > 0], return_counts=True)
        counts = dict(zip(values.tolist(), sizes.tolist(), strict=True))
        spanned = {0: 0}  # coordinates of every type in the basis, by all its sums
        for place, name in enumerate(types[named].tolist()):
            if counts.get(name, 0) % 2 == 0:
                raise CheckFailed("evidence.basis: the type of a bulb has an even number of bulbs")
            if name in spanned:
                raise CheckFailed("evidence.basis is not independent")
            spanned |= {old ^ name: at | 1 << place for old, at in spanned.items()}
        inside = sorted((spanned[name], n) for name, n in counts.items() if name in spanned)
        places = np.array([place for place, _ in inside], dtype=np.int64)
        size = np.array([n for _, n in inside], dtype=np.int64)
        listed = sequence(evidence.get("weights"), "evidence.weights")
        if places.size + len(listed) > MOST_CELLS >> self.rank:
            raise TooLarge("the sign tree has too many types and weights")
        points = np.arange(1 << self.rank, dtype=np.int64)
        self.signs = 1 - 2 * (np.bitwise_count(points[:, None] & places) & 1).astype(np.int64)
        self.shift = self.signs @ (size % 2)
        # the box of each σ_τ: the parity of its size, σ ≥ 1 on the basis
        self.high = np.minimum(size, self.height)
        self.high -= (self.high - size) % 2
        self.low = -self.high
        self.low[np.searchsorted(places, 1 << np.arange(self.rank, dtype=np.int64))] = 1
        self.weights, self.pulls = [], []
        for weight in listed:
            limits.check()
            self.weights.append(self._weight(weight, types.size))
            self.pulls.append(self.weights[-1] @ self.signs)
        self.cases = sequence(evidence.get("cases"), "evidence.cases")

    def _weight(self, value: object, bulbs: int) -> Ints:
        weight, total = np.zeros(1 << self.rank, dtype=np.int64), 0
        for item in sequence(value, "a weight"):
            pair = sequence(item, "a pair of a weight")
            if len(pair) != 2:
                raise CheckFailed("a weight is not a list of pairs")
            point = number(pair[0], "a point of a weight", weight.size - 1)
            added = number(pair[1], "a λ", MOST_NUMBER)
            total += added
            if 8 * (bulbs + 8) * total > MOST_NUMBER:
                raise CheckFailed("the numbers of a weight are too large")
            weight[point] += added
        return weight

    def refuted(self) -> int:
        """Return the height that is refuted: every case is."""
        points = 1 << self.rank
        if len(self.cases) != 4 * points:
            raise CheckFailed(f"evidence.cases has {len(self.cases)} trees, not {4 * points}")
        numbers = np.arange(points, dtype=np.int64)
        for case, tree in enumerate(self.cases):
            bits = (np.bitwise_count(numbers & (case % points)) & 1).astype(np.int64)
            residue = self.shift - 2 * (case // points) + 4 * bits
            self._walk(tree, self.height - (self.height - residue) % 8)
        return self.height

    def _walk(self, tree: object, ceiling: Ints) -> None:
        """Check one tree, without recursion: a stranger's may be deep."""
        waiting = [(tree, self.low, self.high)]
        while waiting:
            self.limits.check()
            self.vertices += 1
            if self.vertices > MOST_VERTICES:
                raise TooLarge("the sign tree has too many vertices")
            at, low, high = waiting.pop()
            if not isinstance(at, list | tuple):
                self._leaf(number(at, "a leaf"), ceiling, low, high)
                continue
            if len(at) != 4:
                raise CheckFailed("an inner vertex of a sign tree is [type, value, tree, tree]")
            split = number(at[0], "the type of a vertex", low.size - 1)
            value = number(at[1], "the value of a vertex", self.height, -self.height)
            # σ has the parity of n_τ, so the intervals end at numbers of that parity
            odd = (value - int(self.high[split])) % 2
            below, above = high.copy(), low.copy()
            below[split] = min(value - odd, int(high[split]))
            above[split] = max(value - odd + 2, int(low[split]))
            waiting += [(at[2], low, below), (at[3], above, high)]

    def _leaf(self, name: int, ceiling: Ints, low: Ints, high: Ints) -> None:
        if (low > high).any():
            return  # no σ at all
        if name >= len(self.weights):
            raise CheckFailed(f"a leaf names the weight {name}; there are {len(self.weights)}")
        pull = self.pulls[name]
        least = int(np.where(pull > 0, pull * low, pull * high).sum(dtype=np.int64))
        if least <= int(self.weights[name] @ ceiling):
            raise CheckFailed(f"weight {name} does not refute its case")
