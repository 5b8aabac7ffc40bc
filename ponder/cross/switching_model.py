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
Cost: 2·R·C Booleans, R·C XORs. It is the method of last resort: `ponder.cross.switching` is exact
far beyond what this model proves, and hands over only where the smaller side is too large.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ponder import cpsat
from ponder.limits import Limits, TimeUp
from ponder.types import Bits

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

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

    rows, columns = grid.shape
    limits = Limits.of(timeout)
    if rows * columns > MOST_CELLS:
        return Solution(None, None, at_least, False)
    try:
        model, x = _model(grid, once, hint, at_least, limits)
    except TimeUp:
        return Solution(None, None, at_least, False)
    left = limits.left()
    on_bound = None
    if progress is not None:
        tell = progress

        def on_bound(bound: float) -> None:
            tell(f"integer model: at least {round(bound)} presses")

    solver, status = cpsat.solve(
        model,
        seed,
        None if left is None else max(left, 0.01),
        stop=lambda: limits.expired,
        parameters={"num_workers": WORKERS, "interleave_search": True},
        on_bound=on_bound,
    )
    if status == cp_model.INFEASIBLE:
        return Solution(None, None, at_least, True)
    bound = max(at_least, round(solver.best_objective_bound))
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return Solution(None, None, bound, False)
    found = np.array([[solver.boolean_value(press) for press in row] for row in x], dtype=np.bool_)
    return Solution(found, round(solver.objective_value), bound, False)


def _model(
    grid: Bits, once: bool, hint: tuple[Bits, Bits] | None, at_least: int, limits: Limits
) -> tuple[cp_model.CpModel, list[list[Any]]]:
    """Return the model and the literals of the presses; TimeUp when the time is up."""
    from ortools.sat.python import cp_model

    rows, columns = grid.shape
    model = cp_model.CpModel()
    u = _switches(model, grid, "u") if columns % 2 else None
    v = _switches(model, grid.T, "v") if rows % 2 else None
    x = _presses(model, grid, u, v, limits)
    z = [[model.new_bool_var("") for _ in range(columns)] for _ in limits.over(range(rows), 1)]
    for x_row, z_row in limits.over(zip(x, z, strict=True), 1):
        for press, colour in zip(x_row, z_row, strict=True):
            model.add_implication(colour, press)
    deficits: list[Any] = []
    parities = []
    for switches, presses, colours, base in ((u, x, z, grid), (v, _turn(x), _turn(z), grid.T)):
        for i, odd in limits.over(enumerate(np.bitwise_xor.reduce(base, axis=1).tolist()), 1):
            parity = int(odd) if switches is None else _flipped(switches[i], odd)
            deficit = 0 if once else model.new_int_var(0, base.shape[1] // 2, "")
            model.add(2 * sum(colours[i]) + 2 * deficit + parity == sum(presses[i]))
            deficits.append(deficit)
            parities.append(parity)
    cost = sum(sum(row) for row in x) + 2 * sum(deficits)
    if once:
        model.add(sum(parities[:rows]) == sum(parities[rows:]))
    if at_least:
        model.add(cost >= at_least)
    model.minimize(cost)
    if hint is not None:
        _give_hint(model, grid, hint, (u, v, x, z))
    return model, x


def _switches(model: cp_model.CpModel, grid: Bits, name: str) -> list[Any]:
    """Return one switch per row of `grid`, an even number of them on, alike rows in order."""
    switches = [model.new_bool_var(f"{name}{i}") for i in range(len(grid))]
    model.add(sum(switches) == 2 * model.new_int_var(0, len(grid) // 2, ""))
    for alike in _alike(grid):
        for i, j in pairwise(alike):
            model.add_implication(
                _flipped(switches[i], bool(grid[i, 0])), _flipped(switches[j], bool(grid[j, 0]))
            )
    return switches


def _alike(grid: Bits) -> list[list[int]]:
    """Return the groups of rows that are equal or complementary, each ascending."""
    groups: dict[bytes, list[int]] = {}
    for i, row in enumerate(grid):
        groups.setdefault((row ^ row[0]).tobytes(), []).append(i)
    return list(groups.values())


def _ordered(grid: Bits, switches: Bits) -> list[int]:
    """Return the exchange of alike rows that puts their switches in order (see `_switches`)."""
    place = list(range(len(grid)))
    for alike in _alike(grid):
        by_switch = sorted(alike, key=lambda i: bool(switches[i] ^ grid[i, 0]))
        for i, source in zip(alike, by_switch, strict=True):
            place[i] = source
    return place


def _presses(
    model: cp_model.CpModel,
    grid: Bits,
    u: list[Any] | None,
    v: list[Any] | None,
    limits: Limits,
) -> list[list[Any]]:
    """Return the literals x_ij = grid_ij + u_i + v_j."""
    presses: list[list[Any]] = []
    for i, row in limits.over(enumerate(grid.tolist()), 1):
        line: list[Any] = []
        for j, bit in enumerate(row):
            if u is not None and v is not None:
                press = model.new_bool_var(f"x{i},{j}")
                # the constraint is that an odd number of its literals holds
                model.add_bool_xor([press, u[i], v[j]] if bit else [~press, u[i], v[j]])
                line.append(press)
            elif u is not None:
                line.append(_flipped(u[i], bit))
            elif v is not None:
                line.append(_flipped(v[j], bit))
            else:
                line.append(model.new_constant(int(bit)))
        presses.append(line)
    return presses


def _give_hint(
    model: cp_model.CpModel,
    grid: Bits,
    hint: tuple[Bits, Bits],
    variables: tuple[list[Any] | None, list[Any] | None, list[list[Any]], list[list[Any]]],
) -> None:
    """Hint switches, presses and colours that give the press set `hint[0]`."""
    u, v, x, z = variables
    presses, colours = hint
    u_bits, v_bits = switches_of(grid, presses)
    if u is not None:
        order = _ordered(grid, u_bits)
        presses, colours = presses[order], colours[order]
        u_bits, v_bits = switches_of(grid, presses)
        _hint_all(model, u, u_bits)
    if v is not None:
        order = _ordered(grid.T, v_bits)
        presses, colours = presses[:, order], colours[:, order]
        u_bits, v_bits = switches_of(grid, presses)
        _hint_all(model, v, v_bits)
    if u is not None and v is not None:
        for literals, row in zip(x, presses, strict=True):
            _hint_all(model, literals, row)
    for literals, row in zip(z, colours, strict=True):
        _hint_all(model, literals, row)


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


def _hint_all(model: cp_model.CpModel, literals: list[Any], values: Bits) -> None:
    for literal, value in zip(literals, values.tolist(), strict=True):
        model.add_hint(literal, value)


def _flipped(literal: Any, flip: bool) -> Any:
    return ~literal if flip else literal


def _turn(table: list[list[Any]]) -> list[list[Any]]:
    return [list(column) for column in zip(*table, strict=True)]
