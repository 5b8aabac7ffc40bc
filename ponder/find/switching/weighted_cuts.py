"""Odd-sized row/column boards: the least cost in one parity class, by cuts, and its proof.

Idea (theory §4.11). A flow misses the largest penalty_X(x) over cuts at sets X of rows. In a parity
class that is a constant and a sum over columns. *Benders' decomposition*: where the flow of the x
of least count bound does not meet that bound, its minimum cut X is a constraint that x violates. A
master problem (CP-SAT) takes one for each cut and proposes the next x, until the flow meets the
master's bound. *Weighted cuts* say why in numbers that anyone can add up; the weights are dual
values of the master's linear relaxation, rounded and checked in integers. Where they fall short,
and the coset is small, the press sets whose count bound is too small are listed, each with the cut
of its own flow; else it rests on CP-SAT alone.

Letters: as in `rectangle`, and theory §4.11. Cost: mostly a few cuts. Reference: J. F. Benders,
"Partitioning procedures for solving mixed-variables programming problems", 1962.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ponder.check.evidence.coset import CosetRefuted, LighterRefuted
from ponder.check.evidence.line_cut import LineCut
from ponder.check.evidence.switches import RaisedParities, Switches
from ponder.check.evidence.weighted_cuts import LineParities, WeightedCuts
from ponder.check.kinds import Bound, Refutation
from ponder.check.switches import IMPOSSIBLE, WeightedCut
from ponder.find.row_column.half_factor import checked_cut, half_factor_of
from ponder.find.search.outcome import BoundByWord, IntegerModel
from ponder.find.switching.rectangle import Rectangle
from ponder.system import cpsat
from ponder.system.errors import ortools
from ponder.system.limits import Limits, TimeUp
from ponder.system.types import Bits, Ints

DIVISOR = 2**10  # the denominator of the weights of cuts
LOG2_LISTED = 16  # the largest nullity of a coset that is listed as evidence


@dataclass(frozen=True, eq=False)
class ColumnSum:
    """A constant and a sum over columns, each of which is even or odd.

    `even`   (C,) what a column adds where it is even
    `more`   (C,) how much more where it is odd
    """

    even: Ints
    more: Ints
    constant: int = 0

    @property
    def all_even(self) -> int:
        """The sum if no column is odd."""
        return int(self.even.sum()) + self.constant

    def least(self) -> Ints:
        """Return the least sums with 0, 1, …, C odd columns, (C + 1,)."""
        return np.concatenate([[0], np.cumsum(np.sort(self.more))]) + self.all_even


class ClassColumns:
    """The columns of one parity class: what they hold and add to the penalties."""

    def __init__(self, rectangle: Rectangle, u: Bits) -> None:
        self.grid: Bits = rectangle.even ^ u[:, None]
        self.parities: Bits = rectangle.parities_under(u)
        self.k_r: int = int(np.count_nonzero(self.parities))
        self.even: Ints = self.grid.sum(axis=0, dtype=np.int64)
        self.odd: Ints = len(u) - self.even
        self.presses: ColumnSum = ColumnSum(self.even, self.odd - self.even)

    def penalty(self, cut: Bits) -> ColumnSum:
        """Return penalty_X for the rows X = `cut`."""
        inside = self.grid[cut].sum(axis=0, dtype=np.int64)
        even = 2 * inside - 4 * np.minimum(self.even // 2, inside)
        inside = int(cut.sum()) - inside
        odd = 2 * inside - 1 - 4 * np.minimum(self.odd // 2, inside)
        constant = int(self.parities[~cut].sum()) - int(self.parities[cut].sum())
        return ColumnSum(even, odd - even, constant)


@dataclass(frozen=True, eq=False)
class RaisedClass:
    """A parity class whose count bound is not met, and the cuts (R,) that raise it."""

    u: Bits
    bound: int
    cuts: list[Bits]


class Master:
    """Benders' master problem for one parity class: odd columns, and the cuts found so far."""

    def __init__(self, rectangle: Rectangle, u: Bits, once: bool, seed: int) -> None:
        cp_model = ortools("sat.python.cp_model", "a bound by cuts")
        rows, columns = rectangle.shape
        self.columns: ClassColumns = ClassColumns(rectangle, u)
        self.seed = seed
        self.cuts: list[Bits] = []
        self.model: Any = cp_model.CpModel()
        self.odd: list[Any] = [self.model.new_bool_var(f"odd{j}") for j in range(columns)]
        # k_c ≡ k_r is the evenness of the switches; ±(k_r − k_c) are the cuts ∅ and "all rows"
        apart: Any = 0 if once else 2 * self.model.new_int_var(-rows, columns, "half apart")
        self.penalty: Any = 0 if once else self.model.new_int_var(0, rows * columns, "penalty")
        self.model.add(sum(self.odd) == self.columns.k_r + apart)
        if not once:
            self.model.add(self.penalty >= apart)
            self.model.add(self.penalty >= -apart)
        self.cost: Any = self._expression(self.columns.presses) + self.penalty
        self.model.minimize(self.cost)

    def _expression(self, terms: ColumnSum) -> Any:
        from ortools.sat.python import cp_model

        return cp_model.LinearExpr.weighted_sum(self.odd, terms.more.tolist()) + terms.all_even

    def cut(self, rows: Bits) -> None:
        """Demand penalty ≥ penalty_X for X = `rows`."""
        self.cuts.append(rows)
        self.model.add(self._expression(self.columns.penalty(rows)) <= self.penalty)

    def solve(self, most: int, timeout: float | None) -> tuple[Bits, int] | None:
        """Return x of least bound and that bound, or None above `most`. Raises TimeUp."""
        from ortools.sat.python import cp_model

        self.model.add(self.cost <= most)
        solver, status = cpsat.solve(self.model, self.seed, timeout)
        if status == cp_model.INFEASIBLE:
            return None
        if status != cp_model.OPTIMAL:
            raise TimeUp("the time limit was reached")
        odd = np.array([solver.boolean_value(x) for x in self.odd], dtype=np.bool_)
        return self.columns.grid ^ odd, round(solver.objective_value)


@dataclass(frozen=True, eq=False)
class WeightedSum:
    """Cuts with integer weights, and the least value of divisor·|x| + Σ weight·penalty."""

    cuts: tuple[WeightedCut, ...]
    divisor: int
    value: int


def weigh(
    rectangle: Rectangle, raised: RaisedClass, once: bool, *, presses_count: bool = True
) -> WeightedSum | None:
    """Return weights for the cuts whose sum is the best bound on the class's cost, or None.

    With `presses_count` false |x| does not count: a positive value then refutes a half factor.
    """
    columns = ClassColumns(rectangle, raised.u)
    penalties = [columns.penalty(cut) for cut in raised.cuts]
    duals = _relaxation_duals(columns, penalties, once, presses_count)
    if duals is None:
        return None
    weights, divisor = _rounded(duals, presses_count)
    terms = [(divisor, columns.presses), *zip(weights.tolist(), penalties, strict=True)]
    least = ColumnSum(
        np.sum([weight * term.even for weight, term in terms], axis=0),
        np.sum([weight * term.more for weight, term in terms], axis=0),
        sum(weight * term.constant for weight, term in terms),
    ).least()
    if once:
        value = int(least[columns.k_r])
    else:
        unused = divisor - int(weights.sum())  # the weight that is left for |k_r − k_c|
        if unused < 0:
            return None
        apart = np.arange(len(least)) - columns.k_r
        value = int((least + unused * np.abs(apart))[apart % 2 == 0].min())
    cuts = (
        WeightedCut(np.flatnonzero(raised.cuts[i]), int(weights[i]))
        for i in np.flatnonzero(weights)
    )
    return WeightedSum(tuple(cuts), divisor, value)


def _relaxation_duals(
    columns: ClassColumns, penalties: list[ColumnSum], once: bool, presses_count: bool
) -> NDArray[np.float64] | None:
    """Return the cuts' dual values in the linear relaxation of the master problem."""
    from ortools.linear_solver import pywraplp

    solver = pywraplp.Solver.CreateSolver("GLOP")
    odd = [solver.NumVar(0, 1, "") for _ in columns.even]
    penalty = solver.NumVar(0, solver.infinity(), "")
    rows = []
    for term in penalties:
        row = solver.Constraint(float(term.all_even), solver.infinity())
        row.SetCoefficient(penalty, 1)
        for j in np.flatnonzero(term.more).tolist():
            row.SetCoefficient(odd[j], -float(term.more[j]))
        rows.append(row)
    k_c = solver.Sum(odd)
    if once:
        solver.Add(k_c == columns.k_r)
    else:
        solver.Add(penalty >= k_c - columns.k_r)
        solver.Add(penalty >= columns.k_r - k_c)
    # once: no penalty is allowed, so it may be as dear as helps
    dear = columns.grid.size if once and presses_count else 1
    cost = dear * penalty
    if presses_count:
        more = columns.presses.more
        cost += solver.Sum([float(m) * x for m, x in zip(more, odd, strict=True)])
    solver.Minimize(cost)
    if solver.Solve() != pywraplp.Solver.OPTIMAL:
        return None
    return np.array([row.dual_value() for row in rows])


def _rounded(duals: NDArray[np.float64], presses_count: bool) -> tuple[Ints, int]:
    """Return coprime weights ≥ 0 and their divisor, which is 0 where |x| does not count."""
    weights = np.floor(np.maximum(duals, 0) * DIVISOR + 1e-6).astype(np.int64)
    divisor = DIVISOR if presses_count else 0
    shared = int(np.gcd.reduce(np.append(weights, divisor))) or 1
    return weights // shared, divisor // shared


Raised = Mapping[bytes, RaisedClass]  # the parity classes that were raised, by the bytes of u


def bound_evidence(
    rectangle: Rectangle, once: bool, below: int, raised: Raised, limits: Limits
) -> Bound:
    """Return the strongest evidence that no press set costs less than `below`, as is proved."""
    lifts = []
    for one in raised.values():
        if one.bound < below:
            if limits.expired:
                return BoundByWord()
            weighted = weigh(rectangle, one, once)
            if weighted is None or weighted.value <= (below - 2) * weighted.divisor:
                break
            odd_lines = np.flatnonzero(rectangle.parities_under(one.u))
            lifts.append(RaisedParities(odd_lines, weighted.divisor, weighted.cuts))
    else:
        return Switches(rectangle.side, tuple(lifts))
    if rectangle.log2_size > LOG2_LISTED:
        return BoundByWord()
    try:
        return LighterRefuted(tuple(_listed(rectangle, once, below, limits)))
    except TimeUp:
        return BoundByWord()


def refutation(rectangle: Rectangle, raised: Raised, limits: Limits) -> Refutation:
    """Return the shortest evidence that no press set has a half factor, which has been proved."""
    if not rectangle.row_switches:
        odd_rows = np.flatnonzero(rectangle.parities)
        if odd_rows.size > rectangle.shape[1]:
            return LineParities(rectangle.side, odd_rows, rectangle.shape[1])
        one = next(iter(raised.values()))
        weighted = weigh(rectangle, one, once=True, presses_count=False)
        if weighted is not None and weighted.value > 0:
            return WeightedCuts(rectangle.side, weighted.cuts)
    if rectangle.log2_size <= LOG2_LISTED:
        with suppress(TimeUp):
            parts = tuple(_listed(rectangle, True, IMPOSSIBLE, limits))
            return CosetRefuted(2**rectangle.log2_size, parts)
    return IntegerModel(rectangle.log2_size)


def _listed(
    rectangle: Rectangle, once: bool, below: int, limits: Limits
) -> Iterator[tuple[Bits, LineCut]]:
    """Yield press sets of a count bound under `below`, and their cuts. Raises TimeUp."""
    rows = rectangle.shape[0]
    if rectangle.row_switches:
        classes = _vectors(rows, 0)
    else:
        classes = np.zeros((1, rows), dtype=np.bool_)
    for u in classes:
        columns = ClassColumns(rectangle, u)
        presses = columns.presses
        chosen = _vectors(presses.even.size, columns.k_r % 2)
        size = presses.all_even + chosen @ presses.more
        apart = np.abs(np.count_nonzero(chosen, axis=1) - columns.k_r)
        listed = (apart == 0) & (size < below) if once else size + apart < below
        for odd in chosen[listed]:
            limits.check()
            grid = columns.grid ^ odd
            factor, (own, other) = half_factor_of(grid), np.nonzero(grid)
            cut = checked_cut(rectangle.side, own, other, factor.cut_rows, factor.cut_columns)
            yield rectangle.to_board(grid), cut


def _vectors(length: int, parity: int) -> Bits:
    """Return all 0/1 vectors whose sum has the parity, (2^(length−1), length)."""
    free = (np.arange(2 ** (length - 1))[:, None] >> np.arange(length - 1) & 1).astype(np.bool_)
    last = np.bitwise_xor.reduce(free, axis=1)[:, None] ^ bool(parity)
    return np.concatenate([free, last], axis=1)
