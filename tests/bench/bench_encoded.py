"""Formulas as a user meets them: exporting, ordering by SAT and by CP-SAT, checking a proof.

The table encoding × board is printed by `bench_encodings`.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from ponder.encodings.registry import encoder
from ponder.find.search.context import SearchContext
from ponder.find.solvers.asp import order_asp
from ponder.find.solvers.by_encoding import SolverKind, SolverSettings, order_encoded
from ponder.formulas import dimacs
from ponder.formulas.encoder import Encoder
from ponder.system.limits import Limits
from tests.bench import Case
from tests.bench.acyclicity import problem
from tests.boards import even_problem, instance


def export(*settings: str) -> Callable[[], Callable[[], object]]:
    """Write IBM 24×24, one press per step."""

    def prepare() -> Callable[[], object]:
        problem, made = even_problem(instance("ibm-2023-04-24x24")), encoder("time_indexed")
        if not isinstance(made, Encoder):
            raise TypeError("time_indexed makes formulas")

        def job() -> str:
            start = time.perf_counter()
            formula = made.encode(problem, made.options(settings))
            with open(os.devnull, "wb") as file:
                dimacs.write(formula, file)
            seconds = time.perf_counter() - start
            return f"{formula.size.clauses / seconds:,.0f} clauses/s"

        return job

    return prepare


def answer(
    name: str, kind: SolverKind, encoding: str, timeout: float | None = None
) -> Callable[[], Callable[[], object]]:
    """Order or refute one board."""

    def prepare() -> Callable[[], object]:
        problem = even_problem(instance(name))
        small = even_problem(instance("ibm-2023-04-example-4x4"))
        order_encoded(small, kind)  # load the libraries

        def job() -> str:
            context = SearchContext(limits=Limits.of(timeout))
            found = order_encoded(problem, kind, SolverSettings(encoding), context)
            return getattr(found, "kind", type(found).__name__)

        return job

    return prepare


def core(family: str, size: int, model: str | None = None) -> Callable[[], Callable[[], object]]:
    """Order or refute one graph, by clingo with a model or by `sat`."""

    def prepare() -> Callable[[], object]:
        given = problem(family, size, 1)
        given.prepare()

        def job() -> str:
            clock = Limits(60)
            found = order_asp(given, model, limits=clock) if model else order_encoded(given)
            return getattr(found, "kind", type(found).__name__)

        return job

    return prepare


IBM24, IBM30, UNEQUAL = "ibm-2023-04-24x24", "ibm-2023-04-30x30", "cross-24x24-no-order"

CASES = [
    # 1,286,316 and 4,346,000 clauses, at 300,000 a second
    Case("export time_indexed, IBM 24x24", 4.3, export(), 3, memory=1.0),
    Case(
        "export time_indexed parity=light, IBM 24x24",
        14.4,
        export("parity=light", "normal=off"),
        runs=1,
        memory=1.0,
    ),
    Case("sat half_factor, IBM 30x30", 1.0, answer(IBM30, "sat", "half_factor")),
    Case("sat layered, IBM 24x24", 60.0, answer(IBM24, "sat", "layered"), 3),
    Case("sat time_indexed, IBM 24x24", 60.0, answer(IBM24, "sat", "time_indexed"), 3),
    Case("sat precedence, IBM 24x24", 60.0, answer(IBM24, "sat", "precedence", 60.0), 1),
    Case("cpsat half factor, IBM 30x30", 1.0, answer(IBM30, "cpsat", "cpsat_half_factor")),
    Case("cpsat half factor, unequal 24x24", 1.0, answer(UNEQUAL, "cpsat", "cpsat_half_factor")),
    *(
        Case(f"{f'asp:{model}' if model else 'sat'}, {title}", 10.0, core(family, size, model), 3)
        for family, size, title in [("regular-8", 1000, "8-regular 1000"), ("ring", 30, "ring 30")]
        for model in (None, "count", "chain")
    ),
    Case("time limit of 0.5 s, sat", 1.5, answer(UNEQUAL, "sat", "half_factor", 0.5), 3),
]
