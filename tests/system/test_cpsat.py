"""The one way to run CP-SAT: limits, stops, Ctrl-C, from any thread."""

from __future__ import annotations

import itertools
import os
import random
import signal
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import ponder
from ponder.system import cpsat
from tests.depth import deep

if TYPE_CHECKING:
    from ortools.sat.python import cp_model
else:
    cp_model = pytest.importorskip("ortools.sat.python.cp_model", reason="needs OR-tools")

ANY_LIMIT = (cp_model.FEASIBLE, cp_model.UNKNOWN)


def hard(seed: int = 1) -> cp_model.CpModel:
    """Return a model that takes CP-SAT for ever."""
    rng = random.Random(seed)
    model = cp_model.CpModel()
    literals = [model.new_bool_var("") for _ in range(400)]
    for _ in range(300):
        model.add_bool_xor(rng.sample(literals, 7))
    model.minimize(sum(literals))
    return model


def searching() -> list[str]:
    """Return the searches that are under way."""
    return [thread.name for thread in threading.enumerate() if thread.name == "CP-SAT"]


@pytest.mark.parametrize("often", deep(5, 12))
@pytest.mark.parametrize("seconds", [60.0, None])
def test_an_interrupt_is_heard(seconds: float | None, often: int) -> None:
    """At any moment, before the search has begun as well; and nothing goes on searching."""
    model, rng = hard(), random.Random(2)
    for k in range(often):
        wait = rng.random() * (0.01 if k % 2 else 0.2)
        timer = threading.Timer(wait, lambda: os.kill(os.getpid(), signal.SIGINT))
        with pytest.raises(KeyboardInterrupt):  # noqa: PT012 - it may come at once
            timer.start()
            cpsat.solve(model, 0, seconds)
        timer.join()
        assert searching() == []


def test_a_stop_is_heard() -> None:
    assert cpsat.solve(hard(), 0, None, stop=lambda: True)[1] in ANY_LIMIT
    asked = itertools.count()
    assert cpsat.solve(hard(), 0, None, stop=lambda: next(asked) > 5)[1] in ANY_LIMIT
    assert searching() == []


def test_a_search_that_ends_early_was_not_interrupted() -> None:
    """It used to be guessed from the clock."""
    early = {"max_deterministic_time": 0.001}
    assert cpsat.solve(hard(), 0, 60.0, parameters=early)[1] in ANY_LIMIT
    assert cpsat.solve(hard(), 0, None, parameters=early)[1] in ANY_LIMIT


def test_a_time_limit_and_the_log() -> None:
    lines: list[str] = []
    _, status = cpsat.solve(hard(), 0, None, stop=lambda: bool(lines), on_log=lines.append)
    assert status in ANY_LIMIT
    assert any("CpSolver" in line for line in lines)
    for seconds in (0.0, 0.2):
        assert cpsat.solve(hard(), 0, seconds)[1] in ANY_LIMIT


def test_from_another_thread() -> None:
    """Nothing can interrupt it there; limits and stops do hold."""
    statuses: list[object] = []

    def ask() -> None:
        statuses.append(cpsat.solve(hard(), 0, 0.2)[1])
        statuses.append(cpsat.solve(hard(), 0, None, stop=lambda: True)[1])

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(statuses) == 4
    assert all(status in ANY_LIMIT for status in statuses)


def test_an_error_in_the_search_is_raised_here() -> None:
    with pytest.raises(AttributeError):
        cpsat.solve(hard(), 0, 1.0, parameters={"no_such_parameter": 1})
    broken: object = None
    with pytest.raises(AttributeError):
        cpsat.solve(broken, 0, 1.0)  # type: ignore[arg-type]


def test_one_worker_is_reproducible() -> None:
    def once() -> list[float]:
        model = hard()
        limit = {"max_deterministic_time": 0.1}
        solver, _ = cpsat.solve(model, 7, None, parameters=limit)
        return [solver.best_objective_bound, solver.num_branches, solver.num_conflicts]

    assert once() == once()


def test_nobody_else_runs_cp_sat() -> None:
    folder = Path(ponder.__file__).parent
    users = [path.name for path in folder.rglob("*.py") if "CpSolver(" in path.read_text("utf-8")]
    assert users == ["cpsat.py"]
