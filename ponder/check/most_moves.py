"""Checks "the hardest board of this graph needs k presses, in any order" (theory §8.5).

From below: a board, named by a press set. No member of press_set + ker A may be lighter than the
bound (`coset_parts.least_weight`). From above: no board needs more than (n + n₀ − δ)/2 where δ is
below the maximum of every admissible σ̂. Parities give a first δ. A `sign-tree` shows more: every
case (M, ℓ) has a tree, whose leaves name a λ that refutes their box and whose inner vertices split
one σ_τ. `last-patterns` names bulbs in an order, and so quiet patterns, of which those count that
are the last for an odd number of bulbs. Where only 2^(n − d) boards differ, `syndromes` says that
all were gone through; so they are.

Letters: σ, σ̂, τ, M, ℓ, λ as there, n bulbs, n₀ in no quiet pattern, d nullity, r rank, D height.
Sums: |σ̂|, the ceilings and D are at most n + 8, so all of a weight's are below 8·(n + 8)·Σ λ, held
against MOST_NUMBER. Cost: O(n + d·2^d), and O(2^r·leaves) or O(n·2^(n − d)·presses).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ponder.check.coset import kernel_columns
from ponder.check.coset_parts import least_weight
from ponder.check.fields import (
    bulbs,
    count,
    enum_value,
    fail,
    integer,
    mapping,
    number,
    sequence,
    truth,
)
from ponder.check.limits import Budget, TooLarge, fits
from ponder.check.linear import press_sets, reduced
from ponder.check.naming import states_named
from ponder.model.board import Board
from ponder.system.errors import quoted
from ponder.system.printable import pluralise
from ponder.system.types import Bits, Ints, Json, distinct

SCHEMA = "ponder.most-moves/1"

_KINDS = ("parity", "last-patterns", "sign-tree", "syndromes")
_MOST_RANK = 14
_MOST_BOARDS = 20

_NS_POINT = 3  # nanoseconds for a point of a tree and a type
_NS_VERTEX = 20_000  # … for a vertex of a tree
_NS_BOARD = 8  # … for a board and a bulb


def verify_most_moves(board: Board, content: Json, budget: Budget | None = None) -> tuple[int, int]:
    """Check both bounds for a board's graph, and return them. Raises CheckFailed or TooLarge.

    >>> content = {"schema": SCHEMA, "bulbs": 4, "nullity": 0, "pattern": "plus", "rows": 2,
    ...     "columns": 2, "lower_bound": 4, "upper_bound": 4, "optimal": True,
    ...     "press_set": [[0, 0], [0, 1], [1, 0], [1, 1]], "evidence": {"kind": "parity"}}
    >>> verify_most_moves(Board.from_rows(["00", "00"], "plus"), content)
    (4, 4)
    """
    budget = budget or Budget()
    enum_value(content.get("schema"), (SCHEMA,), "schema")
    lower = count(content.get("lower_bound"), "lower_bound")
    upper = count(content.get("upper_bound"), "upper_bound")
    _names(board, content)
    if truth(content.get("optimal"), "optimal") != (lower == upper):
        fail(f"optimal does not fit the bounds {lower} and {upper}")
    state = np.zeros(board.graph.size, dtype=np.bool_)
    found = press_sets(Board(board.graph, state, state), budget)
    if number(content.get("nullity"), "nullity") != found.nullity:
        fail(f"the nullity is {found.nullity}, not {content['nullity']}")
    _check_board(board, content, found.quiet, lower, budget)
    evidence = mapping(content.get("evidence"), "evidence")
    kind = enum_value(evidence.get("kind"), _KINDS, "evidence.kind")
    if kind == "syndromes":
        most = _searched(found.quiet, budget)
        if upper < most:
            fail(f"a board needs {most} presses, more than {upper}")
        return lower, upper
    groups = _Groups.of(found.quiet)
    least = groups.least
    if kind == "sign-tree":
        least = max(least, _Tree(board, groups, evidence, budget).refuted() + 1)
    if kind == "last-patterns":
        least = max(least, _last_patterns(board, groups, evidence, budget))
    least += (groups.bulbs - groups.free - least) % 2
    most = (groups.bulbs + groups.free - least) // 2
    if upper < most:
        fail(f"the evidence shows at most {most} presses, not {upper}")
    return lower, upper


def bounds_named(board: Board, lower: int, upper: int) -> tuple[str, str]:
    """Return what both bounds say, and of which boards: shape, pattern, rule and goal are named."""
    states, least = states_named(board), pluralise(lower, "press")
    return (
        f"no solvable board needs more than {pluralise(upper, 'press')} ({states})",
        f"the board that press_set solves needs {least} or more ({states})",
    )


def _names(board: Board, content: Json) -> None:
    graph = board.graph
    if number(content.get("bulbs"), "bulbs") != graph.size:
        fail(f"the result has {content['bulbs']} bulbs, the board {graph.size}")
    if content.get("pattern") != graph.pattern:
        theirs, own = quoted(content.get("pattern")), quoted(graph.pattern)
        fail(f"the result is about the pattern {theirs}, the board's is {own}")
    for key, here in zip(("rows", "columns"), getattr(graph, "shape", (None, None)), strict=True):
        said = content.get(key)
        if (None if said is None else number(said, key)) != here:
            fail(f"the board has {here} {key}, the result {said}")


def _check_board(board: Board, content: Json, basis: Bits, lower: int, budget: Budget) -> None:
    """Check that no press set of the named board has fewer than `lower` presses."""
    named = bulbs(board, content.get("press_set"), "press_set")
    if distinct(named).size != named.size:
        fail("press_set names a bulb twice")
    chosen = board.graph.set_of(named)
    least, _ = least_weight(board.graph, chosen, basis, budget)
    if least < lower:
        fail(f"the board of press_set is solved by {least} presses, fewer than {lower}")


def _searched(basis: Bits, budget: Budget) -> int:
    """Return how many presses the hardest board needs, by a search through all boards."""
    size = basis.shape[1]
    boards = size - len(basis)
    if boards > _MOST_BOARDS:
        raise TooLarge(f"2^{boards} boards are too many to go through")
    budget.spend(_NS_BOARD * size << boards, "a search through all boards")
    rows, pivots = reduced(basis)
    weights = np.zeros(size, dtype=np.int64)
    weights[np.delete(np.arange(size), pivots)] = 1 << np.arange(boards, dtype=np.int64)
    effects = weights.copy()  # a press at a pivot is one of all else in its basis vector
    effects[pivots] = rows @ weights
    reached = np.zeros(1 << boards, dtype=np.bool_)
    reached[0] = True
    latest, most = np.array([0], dtype=np.int64), 0
    while True:
        fresh = np.zeros_like(reached)
        for effect in effects.tolist():
            fresh[latest ^ effect] = True
        fresh &= ~reached
        if not fresh.any():
            return most
        reached |= fresh
        latest = np.flatnonzero(fresh)
        most += 1


@dataclass(frozen=True, eq=False)
class _Groups:
    """The bulbs by type: how many are in no quiet pattern, and how many of each type there are."""

    types: Ints
    bulbs: int
    free: int
    counts: dict[int, int]

    @classmethod
    def of(cls, basis: Bits) -> _Groups:
        types = kernel_columns(basis)
        values, counts = np.unique(types[types > 0], return_counts=True)
        known = dict(zip(values.tolist(), counts.tolist(), strict=True))
        return cls(types, types.size, int((types == 0).sum()), known)

    @property
    def least(self) -> int:
        """What every admissible σ̂ reaches at least."""
        if not any(count % 2 for count in self.counts.values()):
            return 0
        return 1 if (self.bulbs - self.free) % 2 else 2


def _last_patterns(board: Board, groups: _Groups, evidence: Json, budget: Budget) -> int:
    """Return how many patterns named by bulbs are the last one for an odd number of bulbs."""
    named = bulbs(board, evidence.get("bulbs"), "evidence.bulbs")
    budget.spend(_NS_BOARD * named.size * groups.bulbs, "the last pattern of each bulb")
    left, odd = groups.types, 0
    for bulb in named:
        own = int(left[bulb])
        if not own:
            fail("evidence.bulbs are not independent")
        odd += int(np.count_nonzero(left == own)) % 2
        left = np.where(left >> (own.bit_length() - 1) & 1, left ^ own, left)
    return odd


class _Tree:
    def __init__(self, board: Board, groups: _Groups, evidence: Json, budget: Budget) -> None:
        self.height = number(evidence.get("height"), "evidence.height", groups.bulbs)
        named = bulbs(board, evidence.get("basis"), "evidence.basis")
        self.rank = named.size
        if not 0 < self.rank <= _MOST_RANK:
            fail(f"evidence.basis names {self.rank} bulbs, not 1 to {_MOST_RANK}")
        basis = groups.types[named].tolist()
        for name in basis:
            if groups.counts.get(name, 0) % 2 == 0:
                fail("evidence.basis names a bulb whose type has an even number of bulbs")
        spanned = {0: 0}  # coordinates of every type in the basis, by all its sums
        for place, name in enumerate(basis):
            if name in spanned:
                fail("evidence.basis is not independent")
            spanned |= {old ^ name: at | 1 << place for old, at in spanned.items()}
        budget.hold(4 * 8 * min(len(groups.counts), len(spanned)) << self.rank, "a sign tree")
        inside = sorted((spanned[name], n) for name, n in groups.counts.items() if name in spanned)
        self.places = np.array([place for place, _ in inside], dtype=np.int64)
        sizes = np.array([size for _, size in inside], dtype=np.int64)
        points = np.arange(1 << self.rank, dtype=np.int64)
        self.signs = 1 - 2 * (np.bitwise_count(points[:, None] & self.places) & 1).astype(np.int64)
        self.shift = self.signs @ (sizes % 2)
        # the box of each σ_τ: the parity of its size, σ ≥ 1 on the basis
        self.high = np.minimum(sizes, self.height)
        self.high -= (self.high - sizes) % 2
        self.low = -self.high
        self.low[[int(np.flatnonzero(self.places == 1 << i)[0]) for i in range(self.rank)]] = 1
        listed = sequence(evidence.get("weights"), "evidence.weights")
        budget.spend(_NS_POINT * (1 + len(listed)) * self.signs.size, "the weights of a sign tree")
        budget.hold(16 * len(listed) << self.rank, "the weights of a sign tree")
        self.weights = [self._weight(one, groups.bulbs) for one in listed]
        self.pulls = [weight @ self.signs for weight in self.weights]
        self.cases = sequence(evidence.get("cases"), "evidence.cases")
        self.budget = budget

    def _weight(self, value: object, bulbs: int) -> Ints:
        found, total = np.zeros(1 << self.rank, dtype=np.int64), 0
        for item in sequence(value, "a weight"):
            pair = sequence(item, "a pair of a weight")
            if len(pair) != 2:
                fail("a weight is not a list of pairs")
            point = number(pair[0], "a weight: a point", found.size - 1)
            weight = number(pair[1], "a weight: λ")
            total += weight
            fits(8 * (bulbs + 8) * total, "the numbers of a weight")
            found[point] += weight
        return found

    def refuted(self) -> int:
        """Return the height that is refuted: every case is."""
        points = 1 << self.rank
        if len(self.cases) != 4 * points:
            fail(f"evidence.cases has {len(self.cases)} trees, not {4 * points}")
        every = np.arange(points, dtype=np.int64)
        for case, tree in enumerate(self.cases):
            bits = (np.bitwise_count(every & (case % points)) & 1).astype(np.int64)
            residue = self.shift - 2 * (case // points) + 4 * bits
            ceiling = self.height - (self.height - residue) % 8
            self._walk(tree, ceiling, self.low, self.high)
        return self.height

    def _walk(self, tree: object, ceiling: Ints, low: Ints, high: Ints) -> None:
        """Check one tree, without recursion: a stranger's may be deep."""
        waiting = [(tree, low, high)]
        while waiting:
            at, low, high = waiting.pop()
            work = _NS_VERTEX + _NS_POINT * sum(self.signs.shape)
            self.budget.spend(work, "a sign tree")
            if not isinstance(at, list | tuple):
                self._leaf(number(at, "a leaf"), ceiling, low, high)
                continue
            if len(at) != 4:
                fail("an inner vertex of a sign tree has a type, a value and two trees")
            split, value = integer(at[0], "a type"), integer(at[1], "a value")
            if not 0 <= split < low.size or abs(value) > self.height:
                fail(f"a sign tree splits the type {quoted(split)} at {quoted(value)}")
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
            fail(f"a leaf names the weight {name}, and there are {len(self.weights)}")
        pull = self.pulls[name]
        least = int(np.where(pull > 0, pull * low, pull * high).sum(dtype=np.int64))
        if least <= int(self.weights[name] @ ceiling):
            fail(f"weight {name} does not refute its case")
