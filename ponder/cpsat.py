"""One way to run CP-SAT: reproducible, with a time limit, and open to Ctrl-C.

A single worker makes the same model and seed give the same answer. CP-SAT takes Ctrl-C for itself:
it stops early and returns what it has, so that Python never hears of it. A search that ended
without an answer well before its limit is therefore raised again as KeyboardInterrupt.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ortools.sat.python import cp_model


def solve(
    model: cp_model.CpModel, seed: int, seconds: float | None
) -> tuple[cp_model.CpSolver, cp_model.CpSolverStatus]:
    """Solve a model; return the solver, which holds the values and the bound, and its status.

    KeyboardInterrupt when the search was interrupted.

    >>> from ortools.sat.python import cp_model
    >>> model = cp_model.CpModel()
    >>> x = model.new_int_var(0, 9, "x")
    >>> model.minimize(x)
    >>> solver, status = solve(model, seed=0, seconds=None)
    >>> status == cp_model.OPTIMAL, solver.value(x)
    (True, 0)
    """
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = seed % (1 << 31)
    if seconds is not None:
        solver.parameters.max_time_in_seconds = seconds
    start = time.perf_counter()
    status = solver.solve(model)
    if status in (cp_model.FEASIBLE, cp_model.UNKNOWN):
        elapsed = time.perf_counter() - start
        if seconds is None or elapsed < 0.9 * seconds - 0.01:
            raise KeyboardInterrupt
    return solver, status
