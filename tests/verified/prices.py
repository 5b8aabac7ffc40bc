"""Prices that prove how few pairs of presses do: the dual of a linear program (`verified/prices.v`).

Fix a press set S. Its components X, odd or even, are served by *helpers*, bulbs outside S beside
them. A helper with e > 0 pairs serves as oddly many components, and helpers beside it, as e is odd;
an odd component is served oddly often, own pairs counted in. The program is the sum of the convex
hulls of these choices:

    minimise  Σ (pairs of the configurations chosen)
    a helper's servings, summed over its configurations = the component's, summed over its own.

The duals of the equations are the prices. They are rounded to whole numbers over a small
denominator; what they prove is summed up in integers, by the checker's own formula.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ponder.puzzle.board import Board
from ponder.types import Bits

UNITS = (1, 2, 3, 4, 6, 12, 60)
"""Denominators that are tried, one after the other."""


@dataclass(frozen=True)
class Prices:
    """One unit is worth `unit`; parts of S, (helper, part, price), (helper, helper, price)."""

    unit: int
    parts: list[list[int]]
    servings: list[tuple[int, int, int]]
    links: list[tuple[int, int, int]]

    def coq(self) -> str:
        """Return the term, for `verified/prices.v`."""

        def signed(price: int) -> str:
            return f"({'true' if price < 0 else 'false'}, {abs(price)})"

        def listed(items: list[str]) -> str:
            return f"[:: {'; '.join(items)}]" if items else "[::]"

        parts = listed([listed([str(v) for v in part]) for part in self.parts])
        servings = listed([f"({w}, {x}%nat, {signed(p)})" for w, x, p in self.servings])
        links = listed([f"({w}, {u}, {signed(p)})" for w, u, p in self.links])
        return f"Prices {self.unit}%Z {parts} {servings} {links}"


def prices_of(board: Board, pressed: Bits, needed: int) -> Prices | None:
    """Return prices that prove `needed` pairs for this press set; None if there are none.

    None also where odd components are not needed: a pair, and its parity, need no prices.
    """
    program = _Program(board, pressed)
    if _rounded(int(bool(program.odd)), len(program.odd)) >= needed:
        return None
    duals = program.duals()
    for unit in UNITS:
        prices = program.rounded(duals, unit)
        if prices is not None and program.proves(prices, needed):
            return prices
    return None


def odd_components(board: Board, pressed: Bits) -> list[list[int]]:
    """Return the odd components of a press set, their bulbs ascending."""
    program = _Program(board, pressed)
    return [program.parts[x] for x in program.odd]


def closed_neighbourhood(board: Board, part: list[int]) -> list[int]:
    """Return N[K]."""
    return sorted({w for v in part for w in (v, *board.graph.neighbours(v).tolist())})


def _rounded(least: int, odd: int) -> int:
    return least + (odd - least) % 2


class _Program:
    """The components of S and their helpers."""

    def __init__(self, board: Board, pressed: Bits) -> None:
        size = board.graph.size
        self.near = [board.graph.neighbours(v).tolist() for v in range(size)]
        self.pressed = pressed
        self.owner = [-1] * size
        self.parts: list[list[int]] = []
        assert board.odd_later is not None
        charges = []
        for start in np.flatnonzero(pressed).tolist():
            if self.owner[start] >= 0:
                continue
            part, ends = [start], 0
            self.owner[start] = len(self.parts)
            for v in part:  # grows while it is walked through
                for u in self.near[v]:
                    if pressed[u]:
                        ends += 1
                        if self.owner[u] < 0:
                            self.owner[u] = len(self.parts)
                            part.append(u)
            charges.append((ends // 2 + int(np.count_nonzero(board.odd_later[part]))) % 2)
            self.parts.append(sorted(part))
        self.odd = [x for x, charge in enumerate(charges) if charge]
        self.charges = charges
        self.helpers = [w for w in range(size) if self.owner[w] < 0]
        self.touched = {
            w: sorted({self.owner[u] for u in self.near[w]} - {-1}) for w in self.helpers
        }
        self.beside = {w: [u for u in self.near[w] if self.owner[u] < 0] for w in self.helpers}

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

        def variable(cost: int, terms: list[tuple[pywraplp.Constraint, int]]) -> None:
            column = solver.NumVar(0, infinity, "")
            objective.SetCoefficient(column, cost)
            sums: defaultdict[int, int] = defaultdict(int)
            for term, sign in terms:
                sums[term.index()] += sign
            for term, _ in terms:
                term.SetCoefficient(column, sums[term.index()])

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
            steps = [None, *servers[x]]
            states = [[solver.Constraint(0, 0) for _ in (0, 1)] for _ in range(len(steps) + 1)]
            states[0][0].SetBounds(1, 1)
            states[-1][charge].SetBounds(-1, -1)
            for i, w in enumerate(steps):
                for parity in (0, 1):
                    for taken in (0, 1):
                        terms = [(states[i][parity], 1), (states[i + 1][parity ^ taken], -1)]
                        if taken and w is not None:
                            terms.append((row(("serve", w, x)), -1))
                        variable(taken if w is None else 0, terms)
        if solver.Solve() != pywraplp.Solver.OPTIMAL:
            return {}
        return {key: found.dual_value() for key, found in rows.items()}

    def rounded(self, duals: dict[tuple[str, int, int], float], unit: int) -> Prices | None:
        """Return the prices in whole units, as far as they are not 0."""
        servings, links = [], []
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
        return _rounded(-(-total // prices.unit), len(self.odd)) >= needed


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
