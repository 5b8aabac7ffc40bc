"""One way to run CP-SAT: reproducible (one worker), with a time limit, and open to Ctrl-C.

CP-SAT's own handler of Ctrl-C writes to a log, which asks for memory; when the signal comes during
an allocation, the process deadlocks. So the handler is off, and the search runs in a thread of its
own. The thread that asked waits in Python: an exception that a signal raises reaches it; it stops
the search, waits for its end, and passes the exception on.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from ponder.system.machine import deferred_signals

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

TICK: Final = 0.05  # seconds between two looks at `stop`


def solve(
    model: cp_model.CpModel,
    seed: int,
    seconds: float | None,
    *,
    stop: Callable[[], bool] | None = None,
    parameters: Mapping[str, int | float | bool] | None = None,
    on_log: Callable[[str], None] | None = None,
) -> tuple[cp_model.CpSolver, cp_model.CpSolverStatus]:
    """Solve a model; return the solver, which holds the values and the bound, and its status.

    The search ends after `seconds`, or soon after `stop()` has said True; then the status is
    FEASIBLE or UNKNOWN. `parameters` are CP-SAT's. `on_log` is called in another thread.

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
        solver.parameters.max_time_in_seconds = max(seconds, 0.0)
    for name, value in (parameters or {}).items():
        setattr(solver.parameters, name, value)
    solver.parameters.catch_sigint_signal = False
    if on_log is not None:
        solver.parameters.log_search_progress = True
        solver.parameters.log_to_stdout = False
        solver.log_callback = on_log
    return solver, _searched(solver, model, stop)


def _searched(
    solver: cp_model.CpSolver, model: cp_model.CpModel, stop: Callable[[], bool] | None
) -> cp_model.CpSolverStatus:
    """Search in a thread, and wait for its end here."""
    statuses: list[cp_model.CpSolverStatus] = []
    failures: list[BaseException] = []
    # A bare lock: an Event or a join that a signal interrupts can keep locks of its own.
    running = threading.Lock()
    running.acquire()

    def work() -> None:
        try:
            statuses.append(solver.solve(model))
        except BaseException as error:
            failures.append(error)
        finally:
            running.release()

    thread = threading.Thread(target=work, name="CP-SAT", daemon=True)
    try:
        with deferred_signals():  # else an unknown search might run
            thread.start()
        while not running.acquire(timeout=TICK):
            if stop is not None and stop():
                solver.stop_search()  # and again: one that has not begun cannot be stopped yet
    except BaseException:
        while thread.is_alive():
            solver.stop_search()
            if running.acquire(timeout=TICK):
                thread.join()
        raise
    thread.join()  # it has nothing left to do
    if failures:
        raise failures[0]
    return statuses[0]
