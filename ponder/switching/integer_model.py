"""Row/column boards: press set and half factor together, as one integer program for CP-SAT.

Idea (theory §4.13). A press set is x = x₀ + u_i + v_j (mod 2): x₀ is one press set, u
and v switch whole rows and columns, each an even number of them, and u (v) is there only if C (R)
is odd. Which lines are odd is linear in the switches, so the half factor is too: with z ≤ x
marking the presses of colour 1 and D the deficit of a line,

    Σ_line z + D = (Σ_line x − p)/2,  p the parity of the line,

minimise Σx + 2·ΣD; where every bulb may be pressed at most once, all D are 0.

Letters
    R, C    the numbers of rows and columns
    x, u, v as above; bits
    p       a line's parity: row i has p_i = p₀_i + u_i, column j has q_j = q₀_j + v_j
    z, D    colour 1, deficits

Symmetry. Even sums make (u, v) unique. Two rows of x₀ that are equal, or complementary, may be
exchanged in x without any change of cost; so their switches are put in order. Columns likewise.

Reference: the model is the project's; the problem without half factors is the Gale–Berlekamp
switching game (Roth, Viswanathan, "On the hardness of decoding the Gale–Berlekamp code", 2008).
Cost: 2·R·C Booleans, R·C XORs. It is the method of last resort: `choose` is exact
far beyond what this model proves, and hands over only where the smaller side is too large.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ponder import cpsat
from ponder.limits import Limits, TimeUp
from ponder.types import Bits

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

Literals: TypeAlias = list[Any]
"""The literals of a line: CP-SAT variables, negated or not, or constants."""

MOST_CELLS = 1_000_000
"""Larger boards are not modelled."""

WORKERS = 2
"""Search threads, interleaved: the same seed gives the same search on any number of cores."""


@dataclass(frozen=True, eq=False)
class Solution:
    """What CP-SAT found: a press set as an (R, C) grid, its cost, and the proved bound.

    `grid` is None when nothing was found; then `infeasible` says whether that is proved.
    `lower_bound` holds for every press set of the coset.
    """

    grid: Bits | None
    cost: int | None
    lower_bound: int
    infeasible: bool


def minimise(
    grid: Bits,
    *,
    once: bool,
    timeout: float | Limits | None = None,
    seed: int = 0,
    hint: tuple[Bits, Bits] | None = None,
    at_least: int = 0,
    progress: Callable[[str], None] | None = None,
) -> Solution:
    """Return the cheapest press set in the coset of `grid`, an (R, C) press set of a full board.

    The cost is the number of presses of the shortest legal sequence whose odd presses are the set
    (theorem 3); with `once`, only sets that have a half factor count. `hint` is a known press set
    with its colour-1 presses, `at_least` a bound proved elsewhere, `timeout` is in seconds.
    Nothing is found when the time is up before the model is made, or with more than `MOST_CELLS`.

    >>> minimise(np.eye(3, dtype=bool), once=False).cost
    3
    """
    from ortools.sat.python import cp_model

    limits = Limits.of(timeout)
    if grid.size > MOST_CELLS:
        return Solution(None, None, at_least, False)
    try:
        model = _Model(grid, once, limits)
    except TimeUp:
        return Solution(None, None, at_least, False)
    model.minimise(at_least)
    if hint is not None:
        model.hint(*hint)
    left = limits.left()
    solver, status = cpsat.solve(
        model.model,
        seed,
        None if left is None else max(left, 0.01),
        stop=lambda: limits.expired,
        parameters={"num_workers": WORKERS, "interleave_search": True},
        on_bound=None if progress is None else _telling(progress),
    )
    if status == cp_model.INFEASIBLE:
        return Solution(None, None, at_least, True)
    bound = max(at_least, round(solver.best_objective_bound))
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return Solution(None, None, bound, False)
    return Solution(model.press_set(solver), round(solver.objective_value), bound, False)


def _telling(progress: Callable[[str], None]) -> Callable[[float], None]:
    """Return what reports the bounds that the search proves."""

    def tell(bound: float) -> None:
        progress(f"integer model: at least {round(bound)} presses")

    return tell


class _Model:
    """The integer program. TimeUp when the time is up while it is made.

    `u`, `v`   switches of rows, of columns; None where lines of that kind may not be switched
    `x`        presses
    `z`        presses of colour 1
    `cost`     Σx + 2·ΣD
    """

    def __init__(self, grid: Bits, once: bool, limits: Limits) -> None:
        from ortools.sat.python import cp_model

        rows, columns = grid.shape
        self.grid, self.once, self.limits = grid, once, limits
        self.model = cp_model.CpModel()
        self.u = self._switches(grid, "u") if columns % 2 else None
        self.v = self._switches(grid.T, "v") if rows % 2 else None
        self.x = self._presses()
        self.z = self._colours()
        row_parities, row_deficits = self._halve(grid, self.u, self.x, self.z)
        of_columns = self._halve(grid.T, self.v, _transposed(self.x), _transposed(self.z))
        column_parities, column_deficits = of_columns
        deficits = row_deficits + column_deficits
        self.cost: Any = sum(sum(row) for row in self.x) + 2 * sum(deficits)
        if once:
            self.model.add(sum(row_parities) == sum(column_parities))

    def _switches(self, grid: Bits, name: str) -> Literals:
        """Return one switch per row of `grid`, an even number of them on, alike rows in order."""
        switches = [self.model.new_bool_var(f"{name}{i}") for i in range(len(grid))]
        self.model.add(sum(switches) == 2 * self.model.new_int_var(0, len(grid) // 2, ""))
        for alike in _alike(grid):
            for i, j in pairwise(alike):
                self.model.add_implication(
                    _flipped(switches[i], bool(grid[i, 0])), _flipped(switches[j], bool(grid[j, 0]))
                )
        return switches

    def _presses(self) -> list[Literals]:
        """Return the literals x_ij = grid_ij + u_i + v_j."""
        rows = self.limits.over(enumerate(self.grid.tolist()), 1)
        return [[self._press(i, j, bit) for j, bit in enumerate(row)] for i, row in rows]

    def _press(self, i: int, j: int, bit: bool) -> Any:
        """Return the literal bit + u_i + v_j."""
        if self.u is not None and self.v is not None:
            press = self.model.new_bool_var(f"x{i},{j}")
            # the constraint is that an odd number of its literals holds
            self.model.add_bool_xor([press if bit else ~press, self.u[i], self.v[j]])
            return press
        if self.u is not None:
            return _flipped(self.u[i], bit)
        if self.v is not None:
            return _flipped(self.v[j], bit)
        return self.model.new_constant(int(bit))

    def _colours(self) -> list[Literals]:
        """Return literals z ≤ x."""
        rows, columns = self.grid.shape
        z = [
            [self.model.new_bool_var("") for _ in range(columns)]
            for _ in self.limits.over(range(rows), 1)
        ]
        for x_row, z_row in self.limits.over(zip(self.x, z, strict=True), 1):
            for press, colour in zip(x_row, z_row, strict=True):
                self.model.add_implication(colour, press)
        return z

    def _halve(
        self,
        grid: Bits,
        switches: Literals | None,
        presses: list[Literals],
        colours: list[Literals],
    ) -> tuple[list[Any], list[Any]]:
        """Demand Σz + D = (Σx − p)/2 of every row of `grid`; return the p and the D."""
        parities: list[Any] = []
        deficits: list[Any] = []
        odd_rows = np.bitwise_xor.reduce(grid, axis=1).tolist()
        for i, odd in self.limits.over(enumerate(odd_rows), 1):
            parity = int(odd) if switches is None else _flipped(switches[i], odd)
            deficit = 0 if self.once else self.model.new_int_var(0, grid.shape[1] // 2, "")
            self.model.add(2 * sum(colours[i]) + 2 * deficit + parity == sum(presses[i]))
            parities.append(parity)
            deficits.append(deficit)
        return parities, deficits

    def minimise(self, at_least: int) -> None:
        """Ask for the least cost, which is known to be at least so much."""
        if at_least:
            self.model.add(self.cost >= at_least)
        self.model.minimize(self.cost)

    def hint(self, presses: Bits, colours: Bits) -> None:
        """Hint switches, presses and colours that give a known press set, alike lines in order."""
        u, v = switches_of(self.grid, presses)
        if self.u is not None:
            order = _ordered(self.grid, u)
            presses, colours = presses[order], colours[order]
            u, v = switches_of(self.grid, presses)
            self._hint(self.u, u)
        if self.v is not None:
            order = _ordered(self.grid.T, v)
            presses, colours = presses[:, order], colours[:, order]
            u, v = switches_of(self.grid, presses)
            self._hint(self.v, v)
        if self.u is not None and self.v is not None:
            for literals, row in zip(self.x, presses, strict=True):
                self._hint(literals, row)
        for literals, row in zip(self.z, colours, strict=True):
            self._hint(literals, row)

    def _hint(self, literals: Literals, values: Bits) -> None:
        for literal, value in zip(literals, values.tolist(), strict=True):
            self.model.add_hint(literal, value)

    def press_set(self, solver: cp_model.CpSolver) -> Bits:
        """Return the press set that was found."""
        found = [[solver.boolean_value(press) for press in row] for row in self.x]
        return np.array(found, dtype=np.bool_)


def _alike(grid: Bits) -> list[list[int]]:
    """Return the groups of rows that are equal or complementary, each ascending."""
    groups: dict[bytes, list[int]] = {}
    for i, row in enumerate(grid):
        groups.setdefault((row ^ row[0]).tobytes(), []).append(i)
    return list(groups.values())


def _ordered(grid: Bits, switches: Bits) -> list[int]:
    """Return the exchange of alike rows that puts their switches in order."""
    place = list(range(len(grid)))
    for alike in _alike(grid):
        by_switch = sorted(alike, key=lambda i: bool(switches[i] ^ grid[i, 0]))
        for i, source in zip(alike, by_switch, strict=True):
            place[i] = source
    return place


def switches_of(grid: Bits, presses: Bits) -> tuple[Bits, Bits]:
    """Return the even row and column switches (u, v) that turn `grid` into `presses`.

    >>> presses = np.array([[0, 0, 1], [0, 0, 1], [1, 1, 0]], dtype=bool)
    >>> u, v = switches_of(np.zeros((3, 3), dtype=bool), presses)
    >>> u.astype(int).tolist(), v.astype(int).tolist()
    ([1, 1, 0], [1, 1, 0])
    """
    change = grid ^ presses
    u, v = change[:, 0] ^ change[0, 0], change[0]
    # (u, v) and its complement are the same; where only one kind may be switched, the other is 0
    if u.sum() % 2 or v.sum() % 2:
        u, v = ~u, ~v
    return u, v


def _flipped(literal: Any, flip: bool) -> Any:
    return ~literal if flip else literal


def _transposed(table: list[Literals]) -> list[Literals]:
    return [list(column) for column in zip(*table, strict=True)]
