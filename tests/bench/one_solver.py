"""One solver on one formula, in a process that can be killed: its verdict and its CPU seconds.

    python -m tests.bench.one_solver NAME FILE

A solver of python-sat reads DIMACS; `cp-sat` and `exact` (PyPI, for comparison alone) read OPB.
`asp:count` and `asp:chain`, clingo's models, get the question itself, which FILE names.
What is measured is making the solver's formula and solving it, not Python's start.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ponder.model.ordering_problem import OrderingProblem

Verdict = str
Constraint = tuple[list[tuple[int, int]], str, int]
"""Terms (coefficient, variable), `>=` or `=`, bound."""


def constraints(text: str) -> Iterator[Constraint]:
    """Yield the constraints of an OPB file."""
    for line in text.splitlines():
        if line and not line.startswith("*"):
            *words, relation, bound, _ = line.split()
            terms = [(int(a), int(x[1:])) for a, x in zip(words[::2], words[1::2], strict=True)]
            yield terms, relation, int(bound)


def by_pysat(name: str, file: Path) -> Verdict:
    """Ask a solver of python-sat."""
    from pysat.formula import CNF
    from pysat.solvers import Solver

    with Solver(name=name, bootstrap_with=CNF(from_file=str(file)).clauses) as solver:
        return {True: "SATISFIABLE", False: "UNSATISFIABLE"}.get(solver.solve(), "UNKNOWN")


def by_cpsat(file: Path) -> Verdict:
    """Ask one worker of CP-SAT."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    variables: dict[int, cp_model.IntVar] = {}
    for terms, relation, bound in constraints(file.read_text()):
        for _, x in terms:
            variables.setdefault(x, model.new_bool_var(""))
        total = cp_model.LinearExpr.weighted_sum(
            [variables[x] for _, x in terms], [a for a, _ in terms]
        )
        model.add(total == bound if relation == "=" else total >= bound)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    known = {cp_model.OPTIMAL: "SATISFIABLE", cp_model.INFEASIBLE: "UNSATISFIABLE"}
    return known.get(status, "UNKNOWN")


def by_exact(file: Path) -> Verdict:
    """Ask Exact, a solver that reasons by cutting planes."""
    from exact import Exact  # type: ignore[import-not-found]

    solver, known = Exact([]), set[int]()
    for terms, relation, bound in constraints(file.read_text()):
        for _, x in terms:
            if x not in known:
                known.add(x)
                solver.addVariable(f"x{x}", 0, 1)
        solver.addConstraint([(a, f"x{x}") for a, x in terms], True, bound, relation == "=", bound)
    return {"UNSAT": "UNSATISFIABLE", "SAT": "SATISFIABLE"}.get(
        str(solver.runFull(optimize=False)), "UNKNOWN"
    )


def by_clingo(model: str, problem: OrderingProblem) -> Verdict:
    """Ask clingo, whose orders are replayed."""
    from ponder.find.solvers.asp import CLINGO_SAYS, order_asp
    from ponder.model.ordering_problem import Order
    from ponder.system.limits import NEVER

    answer = order_asp(problem, model, limits=NEVER)
    if isinstance(answer, Order):
        return "SATISFIABLE"
    return "UNSATISFIABLE" if answer.reason == CLINGO_SAYS else "UNKNOWN"


def main(name: str, file: str) -> None:
    """Print the verdict and the seconds."""
    special: dict[str, Callable[[Path], Verdict]] = {"cp-sat": by_cpsat, "exact": by_exact}
    if name.startswith("asp:"):
        import clingo as _grounder  # noqa: F401

        from ponder.studies.formula_set import SET, specimen

        [recipe] = [some for some in SET if some.name == Path(file).stem]
        problem = specimen(recipe).problem
        special[name] = lambda _: by_clingo(name.removeprefix("asp:"), problem)
    elif name == "cp-sat":
        from ortools.sat.python import cp_model as _loaded  # noqa: F401
    elif name == "exact":
        import exact as _also_loaded  # noqa: F401
    else:
        from pysat import formula as _formula  # noqa: F401
        from pysat import solvers as _solvers  # noqa: F401
    start = time.process_time()
    ask = special.get(name)
    verdict = by_pysat(name, Path(file)) if ask is None else ask(Path(file))
    print(verdict, f"{time.process_time() - start:.4f}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
