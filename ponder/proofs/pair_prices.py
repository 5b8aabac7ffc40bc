"""Prices that prove how few pairs of presses do: the dual of a linear program, for Coq.

What prices prove is proved in `verified/prices.v`; this finds them. The components of a press set,
odd or even, are served by *helpers*, bulbs outside beside them. A helper with e > 0 pairs serves as
oddly many components, and helpers beside it, as e is odd; an odd component is served oddly often,
own pairs counted in (theory §7.3, §7.5). The program is the sum of the convex hulls of these:

    minimise Σ (pairs of the configurations chosen), where for each helper and component
    its servings, summed over its configurations = the component's, summed over its own.

The duals of the equations, rounded to whole numbers over a small denominator, are the prices: one
that is off costs strength alone. Cost: 2^d columns for a helper with d components and helpers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations, product
from typing import Any, TypeAlias

from ponder.check.odd_components import Pieces
from ponder.system.errors import NoShortProof, ortools

UNITS = (1, 2, 3, 4, 6, 12, 60)  # denominators that are tried, one after the other

MOST_BESIDE = 10  # components and helpers beside one helper, at most

Tie: TypeAlias = tuple[str, int, int]
"""("serve", helper, component) or ("link", helper, later helper): what has a price."""


def terms(items: Iterable[object]) -> str:
    """Return a list as Coq writes it."""
    listed = "; ".join(map(str, items))
    return f"[:: {listed}]" if listed else "[::]"


def prices_of(pieces: Pieces, needed: int) -> str:
    """Return prices that prove `needed` pairs, as a term of `verified/prices.v`.

    Raises NoShortProof if none are found, and NeedsLibrary without OR-tools.
    """
    program = _Program(pieces)
    duals = program.duals()
    for unit in UNITS:
        prices = {tie: round(value * unit) for tie, value in duals.items()}
        if pieces.rounded(program.proved(prices, unit)) >= needed:
            return program.term(prices, unit)
    raise NoShortProof(f"no prices show that {needed} pairs of presses are needed")


class _Program:
    """The ties of every helper, with the signs that they have there, and of every component."""

    def __init__(self, pieces: Pieces) -> None:
        self.pieces = pieces
        self.of_helper: dict[int, list[tuple[Tie, int]]] = {}
        self.of_part: list[list[Tie]] = [[] for _ in pieces.members]
        for w, owner in enumerate(pieces.owner):
            if owner >= 0:
                continue
            ties = self.of_helper[w] = []
            for x in sorted({pieces.owner[u] for u in pieces.near[w]} - {-1}):
                ties.append((("serve", w, x), 1))
                self.of_part[x].append(("serve", w, x))
            for u in pieces.near[w]:
                if pieces.owner[u] < 0:
                    ties.append((("link", min(w, u), max(w, u)), 1 if w < u else -1))
            if len(ties) > MOST_BESIDE:
                raise NoShortProof(
                    f"a bulb has more than {MOST_BESIDE} beside it: no prices are sought"
                )

    def duals(self) -> dict[Tie, float]:
        """Solve the program; return the dual of every tie."""
        pywraplp = ortools("linear_solver.pywraplp", "a linear program")
        solver = pywraplp.Solver.CreateSolver("GLOP")
        costs: list[Any] = []
        balance: defaultdict[tuple[str | int, int, int], list[Any]] = defaultdict(list)

        for around in self.of_helper.values():
            for size in range(1, len(around) + 1):
                for chosen in combinations(around, size):
                    configuration = solver.NumVar(0, solver.infinity(), "")
                    costs.append((1 if size % 2 else 2) * configuration)
                    for tie, sign in chosen:
                        balance[tie].append(sign * configuration)
        for x, servers in enumerate(self.of_part):
            # a walk through the servers, by the parity so far; own pairs first
            balance[x, 0, 0].append(-1)
            balance[x, len(servers) + 1, int(x in self.pieces.odd)].append(1)
            for i, server in enumerate([None, *servers]):
                for parity, taken in product((0, 1), repeat=2):
                    step = solver.NumVar(0, solver.infinity(), "")
                    balance[x, i, parity].append(step)
                    balance[x, i + 1, parity ^ taken].append(-step)
                    if taken and server is None:
                        costs.append(step)
                    if taken and server is not None:
                        balance[server].append(-step)
        solver.Minimize(solver.Sum(costs))
        rows = {key: solver.Add(solver.Sum(found) == 0) for key, found in balance.items()}
        if solver.Solve() != pywraplp.Solver.OPTIMAL:
            raise NoShortProof("the linear program of the prices was not solved")
        return {tie: rows[tie].dual_value() for ties in self.of_helper.values() for tie, _ in ties}

    def proved(self, prices: dict[Tie, int], unit: int) -> int:
        """Return how many pairs the checker will find to be needed; 0 if a helper is overpaid."""
        for around in self.of_helper.values():
            paid = [-sign * prices[tie] for tie, sign in around if prices[tie]]
            closed = len(paid) == len(around)
            even = -(2 * unit if closed else unit)
            if paid and (_least(paid, 1) < -unit or _least(paid, 0) < even):
                return 0
        total = 0
        for x, servers in enumerate(self.of_part):
            paid = [unit, *(prices[tie] for tie in servers if prices[tie])]
            closed = len(paid) == 1 + len(servers)
            charges = [int(x in self.pieces.odd)] if closed else [0, 1]
            total += min(_least(paid, parity) for parity in charges)
        return -(-total // unit)

    def term(self, prices: dict[Tie, int], unit: int) -> str:
        """Return `Prices`: the unit, components, those of the prices that are not 0."""
        priced = {tie: price for tie, price in prices.items() if price}
        used = sorted({x for kind, _, x in priced if kind == "serve"} | set(self.pieces.odd))
        parts = terms(terms(sorted(self.pieces.members[x])) for x in used)
        listed: dict[str, list[str]] = {"serve": [], "link": []}
        for (kind, w, other), price in priced.items():
            end = f"{used.index(other)}%nat" if kind == "serve" else other
            signed = f"({'true' if price < 0 else 'false'}, {abs(price)})"
            listed[kind].append(f"({w}, {end}, {signed})")
        return f"Prices {unit}%Z {parts} {terms(listed['serve'])} {terms(listed['link'])}"


def _least(prices: list[int], parity: int) -> int:
    """Return the least sum of evenly or oddly many of some prices."""
    below = [price for price in prices if price < 0]
    mended = min(map(abs, prices)) if len(below) % 2 != parity else 0
    return sum(below) + mended
