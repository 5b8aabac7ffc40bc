"""How fast solvers start, are fed and are stopped, and how fast proofs are checked.

Run as `python -m tests.bench.bench_sat`; prints one line per measurement, the best of three for
the short ones. About five minutes.
"""

from __future__ import annotations

import io
import itertools
import random
import time
from collections.abc import Callable

import numpy as np

from ponder.check.drat import check_drat
from ponder.check.lrat import check_lrat
from ponder.find.solvers.clause_arrays import Formula, Unsat
from ponder.find.solvers.sat import Session, solve
from ponder.model.ordering_problem import Unknown


def pigeonhole(holes: int) -> Formula:
    """Return holes + 1 pigeons that do not fit into the holes."""
    var = [[p * holes + h + 1 for h in range(holes)] for p in range(holes + 1)]
    pairs = [
        [-var[p][h], -var[q][h]]
        for h in range(holes)
        for p, q in itertools.combinations(range(holes + 1), 2)
    ]
    return Formula.of(holes * (holes + 1), [*var, *pairs])


def random_3sat(nvars: int, size: int, seed: int) -> Formula:
    """Return random clauses of three distinct variables."""
    rng = random.Random(seed)
    return Formula.of(
        nvars,
        [
            [x * rng.choice((1, -1)) for x in rng.sample(range(1, nvars + 1), 3)]
            for _ in range(size)
        ],
    )


def haystack(seed: int) -> Formula:
    """Return 100,000 easy clauses around 1,000 that have no model."""
    hard, easy = random_3sat(210, 1000, seed), random_3sat(33_000, 99_000, seed + 1)
    return Formula(33_000, np.concatenate([easy.literals, hard.literals]))


def best(run: Callable[[], object], times: int = 3) -> float:
    """Return the shortest wall time of some runs."""
    seconds = []
    for _ in range(times):
        begin = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - begin)
    return min(seconds)


def processes() -> None:
    """Measure starting, asking, feeding and stopping."""
    tiny = Formula.of(2, [[1, 2], [-1]])
    print(f"one tiny formula, a child of its own   {1000 * best(lambda: solve(tiny)):8.1f} ms")
    with Session(tiny) as session:

        def ask() -> None:
            for _ in range(100):
                session.new(tiny)
                session.solve()

        print(f"one tiny formula, in a session         {10 * best(ask):8.1f} ms")
    block = np.random.default_rng(1).integers(1, 10**6, (10**6, 3)).astype(np.int32)
    clauses = block.tolist()
    print(
        f"10^6 clauses, lists to a formula       {best(lambda: Formula.of(10**6, clauses)):8.2f} s"
    )
    print(
        f"10^6 clauses, block to a formula       {best(lambda: Formula.of(10**6, [block])):8.2f} s"
    )
    formula = Formula.of(10**6, [block])
    print(f"10^6 clauses, solved by cadical195     {best(lambda: solve(formula)):8.2f} s")
    hard = pigeonhole(12)
    for solver in ("cadical195", "kissat404", "minisat22"):
        late = []
        for _ in range(3):
            begin = time.perf_counter()
            outcome = solve(hard, solver=solver, timeout=1.0)
            late.append(time.perf_counter() - begin - 1.0)
            if not isinstance(outcome, Unknown):
                raise RuntimeError("the formula is not hard enough")
        print(f"lateness of a time limit, {solver:<12} {1000 * max(late):8.1f} ms (worst of 3)")


def proofs() -> None:
    """Measure the checker on proofs of several shapes."""
    print("formula        solver      clauses   lemmas  needed  solve/s check/s  lrat/s recheck/s")
    for name, formula in [
        ("pigeons 7", pigeonhole(7)),
        ("pigeons 8", pigeonhole(8)),
        ("3-SAT 200", random_3sat(200, 920, 1)),
        ("3-SAT 250", random_3sat(250, 1150, 2)),
        ("haystack", haystack(1)),
    ]:
        for solver in ("cadical195", "glucose4", "lingeling"):
            start = time.perf_counter()
            outcome = solve(formula, solver=solver, proof=True, timeout=120)
            if not isinstance(outcome, Unsat) or outcome.proof is None:
                print(f"{name:<14} {solver:<10} {outcome}")
                continue
            proof = outcome.proof
            begin = time.perf_counter()
            statistics = check_drat(formula.nvars, formula, proof)
            checked = time.perf_counter()
            hints = io.StringIO()
            check_drat(formula.nvars, formula, proof, lrat=hints)
            hinted = time.perf_counter()
            check_lrat(formula, hints.getvalue())
            end = time.perf_counter()
            print(
                f"{name:<14} {solver:<10} {formula.size:8} {statistics.lemmas:8} "
                f"{statistics.checked:7} {begin - start:8.2f} {checked - begin:7.2f} "
                f"{hinted - checked:7.2f} {end - hinted:9.2f}",
                flush=True,
            )


if __name__ == "__main__":
    processes()
    proofs()
