"""Prices that prove how few pairs of presses do: the dual of a linear program, for Coq.

What prices prove is proved in `verified/prices.v`; this finds them.

Fix a press set S. Its components X, odd or even, are served by *helpers*, bulbs outside S beside
them. A helper with e > 0 pairs serves as oddly many components, and helpers beside it, as e is odd;
an odd component is served oddly often, own pairs counted in (theory §7.3, §7.5). The program is the
sum of the convex hulls of these choices:

    minimise  Σ (pairs of the configurations chosen)
    a helper's servings, summed over its configurations = the component's, summed over its own.

The duals of the equations are the prices. They are rounded to whole numbers over a small
denominator; what they prove is summed up in integers, by the checker's own formula. So a price that
is off costs strength, and nothing else.

Letters: S a press set, X a component of it by its number, w and u helpers.
Cost: a linear program of 2^d columns for a helper that has d components and helpers beside it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from ponder.errors import NoShortProof
from ponder.puzzle.board import Board
from ponder.puzzle.components import components
from ponder.puzzle.ordering_problem import OrderingProblem
from ponder.types import Bits, Ints

UNITS = (1, 2, 3, 4, 6, 12, 60)
"""Denominators that are tried, one after the other."""

MOST_BESIDE = 10
"""Components and helpers beside one helper, at most."""


def terms(items: Iterable[object]) -> str:
    """Return a list as Coq writes it.

    >>> terms([1, 2]), terms([])
    ('[:: 1; 2]', '[::]')
    """
    listed = "; ".join(map(str, items))
    return f"[:: {listed}]" if listed else "[::]"


def with_parity(least: int, odd: int) -> int:
    """Return the least number ≥ `least` that has the parity of `odd`."""
    return least + (odd - least) % 2


def closed_neighbourhood(board: Board, bulbs: Sequence[int]) -> Ints:
    """Return N[K], ascending."""
    return np.unique(board.graph.neighbourhoods(np.array(bulbs, dtype=np.int64))[0])


@dataclass(frozen=True, eq=False)
class Pieces:
    """The components of a press set S: their bulbs, ascending, and the numbers of the odd ones."""

    parts: list[list[int]]
    odd: list[int]

    @classmethod
    def of(cls, board: Board, pressed: Bits) -> Pieces:
        """Return them; NoShortProof under the rule `any`, which knows no order."""
        if board.odd_later is None:
            raise NoShortProof("under the rule any a bound is the lightest press set")
        problem = OrderingProblem.of_board(board, pressed)
        parts, odd = [], []
        for number, vertices in enumerate(components(problem)):
            bulbs = problem.bulbs[vertices]
            edges = board.graph.edges_within(bulbs)
            if (len(edges) + np.count_nonzero(board.odd_later[bulbs])) % 2:
                odd.append(number)
            parts.append(bulbs.tolist())
        return cls(parts, odd)


@dataclass(frozen=True)
class Prices:
    """One unit is worth `unit`; parts of S, (helper, part, price), (helper, helper, price).

    As text: the term of `verified/prices.v`.
    """

    unit: int
    parts: list[list[int]]
    servings: list[tuple[int, int, int]]
    links: list[tuple[int, int, int]]

    def __str__(self) -> str:
        def signed(price: int) -> str:
            return f"({'true' if price < 0 else 'false'}, {abs(price)})"

        servings = terms(f"({w}, {x}%nat, {signed(p)})" for w, x, p in self.servings)
        links = terms(f"({w}, {u}, {signed(p)})" for w, u, p in self.links)
        return f"Prices {self.unit}%Z {terms(map(terms, self.parts))} {servings} {links}"


def prices_of(board: Board, pieces: Pieces, needed: int) -> Prices:
    """Return prices that prove `needed` pairs; NoShortProof where none are found, by OR-tools."""
    program = _Program(board, pieces)
    duals = program.duals()
    for unit in UNITS:
        prices = program.rounded(duals, unit)
        if program.proves(prices, needed):
            return prices
    raise NoShortProof(f"no prices show that {needed} pairs of presses are needed")


class _Program:
    """The components of S and their helpers."""

    def __init__(self, board: Board, pieces: Pieces) -> None:
        size = board.graph.size
        self.parts, self.odd = pieces.parts, pieces.odd
        self.near = [board.graph.neighbours(v).tolist() for v in range(size)]
        self.owner = [-1] * size
        for x, part in enumerate(self.parts):
            for v in part:
                self.owner[v] = x
        self.charges = [x in set(self.odd) for x in range(len(self.parts))]
        self.helpers = [w for w in range(size) if self.owner[w] < 0]
        self.touched = {
            w: sorted({self.owner[u] for u in self.near[w]} - {-1}) for w in self.helpers
        }
        self.beside = {w: [u for u in self.near[w] if self.owner[u] < 0] for w in self.helpers}
        if any(len(self.touched[w]) + len(self.beside[w]) > MOST_BESIDE for w in self.helpers):
            raise NoShortProof(
                f"a bulb has more than {MOST_BESIDE} beside it: no prices are sought"
            )

    def duals(self) -> dict[tuple[str, int, int], float]:
        """Solve the program; return the dual of every serving and every link."""
        from ortools.linear_solver import pywraplp

        solver = pywraplp.Solver.CreateSolver("GLOP")
        infinity = solver.infinity()
        objective = solver.Objective()
        objective.SetMinimization()
        rows: dict[tuple[str, int, int], pywraplp.Constraint] = {}

        def row(key: tuple[str, int, int]) -> pywraplp.Constraint:
            if key not in rows:
                rows[key] = solver.Constraint(0, 0)
            return rows[key]

        def variable(cost: int, entries: list[tuple[pywraplp.Constraint, int]]) -> None:
            column = solver.NumVar(0, infinity, "")
            objective.SetCoefficient(column, cost)
            sums: defaultdict[int, int] = defaultdict(int)
            for entry, sign in entries:
                sums[entry.index()] += sign
            for entry, _ in entries:
                entry.SetCoefficient(column, sums[entry.index()])

        servers: defaultdict[int, list[int]] = defaultdict(list)
        for w in self.helpers:
            around = [(row(("serve", w, x)), 1) for x in self.touched[w]]
            around += [
                (row(("link", min(w, u), max(w, u))), 1 if w < u else -1) for u in self.beside[w]
            ]
            for x in self.touched[w]:
                servers[x].append(w)
            for size in range(1, len(around) + 1):
                for chosen in combinations(around, size):
                    variable(1 if size % 2 else 2, list(chosen))
        for x, charge in enumerate(self.charges):
            # a walk through the servers, by the parity so far; own pairs first
            steps: list[int | None] = [None, *servers[x]]
            states = [[solver.Constraint(0, 0) for _ in (0, 1)] for _ in range(len(steps) + 1)]
            states[0][0].SetBounds(1, 1)
            states[-1][charge].SetBounds(-1, -1)
            for i, server in enumerate(steps):
                for parity, taken in product((0, 1), repeat=2):
                    step = [(states[i][parity], 1), (states[i + 1][parity ^ taken], -1)]
                    if taken and server is not None:
                        step.append((row(("serve", server, x)), -1))
                    variable(taken if server is None else 0, step)
        if solver.Solve() != pywraplp.Solver.OPTIMAL:
            return {}
        return {key: found.dual_value() for key, found in rows.items()}

    def rounded(self, duals: dict[tuple[str, int, int], float], unit: int) -> Prices:
        """Return the prices in whole units, as far as they are not 0."""
        servings: list[tuple[int, int, int]] = []
        links: list[tuple[int, int, int]] = []
        for (kind, a, b), value in duals.items():
            price = round(value * unit)
            if price:
                (servings if kind == "serve" else links).append((a, b, price))
        used = sorted({x for _, x, _ in servings} | set(self.odd))
        place = {x: i for i, x in enumerate(used)}
        return Prices(
            unit,
            [self.parts[x] for x in used],
            [(w, place[x], price) for w, x, price in servings],
            links,
        )

    def proves(self, prices: Prices, needed: int) -> bool:
        """Whether the checker will find that so many pairs are needed."""
        by_helper: defaultdict[int, list[int]] = defaultdict(list)
        by_part: defaultdict[int, list[int]] = defaultdict(list)
        closed_at: defaultdict[int, set[int]] = defaultdict(set)
        servers: defaultdict[int, set[int]] = defaultdict(set)
        for w, x, price in prices.servings:
            by_helper[w].append(price)
            by_part[x].append(price)
            closed_at[w] |= set(prices.parts[x])
            servers[x].add(w)
        for w, u, price in prices.links:
            by_helper[w].append(price)
            by_helper[u].append(-price)
            closed_at[w].add(u)
            closed_at[u].add(w)
        for w, paid in by_helper.items():
            even, odd = _least([-price for price in paid])
            closed = set(self.near[w]) <= closed_at[w]
            if odd is not None and odd < -prices.unit:
                return False
            if even < -(2 * prices.unit if closed else prices.unit):
                return False
        total = 0
        for x, part in enumerate(prices.parts):
            even, odd = _least([prices.unit, *by_part[x]])
            assert odd is not None
            around = {w for v in part for w in self.near[v] if self.owner[w] < 0}
            if around <= servers[x]:
                total += odd if self.charges[self.owner[part[0]]] else even
            else:
                total += min(even, odd)
        return with_parity(-(-total // prices.unit), len(self.odd)) >= needed


def _least(prices: list[int]) -> tuple[int, int | None]:
    """Return the least sum of evenly many, and of oddly many."""
    even: int = 0
    odd: int | None = None
    for price in prices:
        if odd is None:
            odd = price + even
        else:
            even, odd = min(even, price + odd), min(odd, price + even)
    return even, odd
