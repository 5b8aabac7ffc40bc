"""How long are proofs that rows and columns disagree: those of SAT solvers, and ours.

    python -m tests.bench.proof_sizes --seconds 60 -o docs/results/proof-sizes

One random board for each size and seed, on which the halves of rows and columns differ by an odd
number, so that ours counts modulo 2. Every solver of python-sat that writes proofs gets
`half_factor` until it fails on all boards of a size; ours is written for all of them. `sizes.csv`
has a line for each board and solver, the picture the shortest proof for each size.
"""

from __future__ import annotations

import argparse
import csv
import io
import shlex
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from ponder.find.solvers.clause_arrays import Formula, Unsat
from ponder.find.solvers.known_solvers import PYSAT_SOLVERS
from ponder.find.solvers.sat import solve
from ponder.proofs.clausal import ClausalProof
from ponder.proofs.refused import Refused
from ponder.system.limits import Limits
from tests.boards import cross_pressed

OURS = "ponder"
LATER = (12, 16, 20, 24, 30, 40, 50, 70, 100)
"""Sizes for ours alone."""

Row = tuple[str, int, int, str, int, int, float]
"""Solver, size, seed, verdict, lemmas, bytes of DRAT, seconds."""


def board(size: int, seed: int) -> Refused:
    """A random board with half of the bulbs pressed; the counts differ by an odd number."""
    rng = np.random.default_rng([size, seed])
    while True:
        presses = rng.random((size, size)) < 0.5
        if ((presses.sum(axis=0) // 2).sum() - (presses.sum(axis=1) // 2).sum()) % 2:
            return Refused(cross_pressed(presses), presses.reshape(-1), {"kind": "line-count"})


def ours(case: Refused, size: int, seed: int) -> Row:
    """Write our proof."""
    file, start = io.BytesIO(), time.process_time()
    lemmas = ClausalProof.of(case).write_proof(file, "drat")
    seconds = time.process_time() - start
    return OURS, size, seed, "proved", lemmas, len(file.getvalue()), seconds


def theirs(case: Refused, solver: str, size: int, seed: int, seconds: float) -> Row:
    """Let a solver look for one."""
    made = ClausalProof.of(case).formula
    formula = Formula.of(made.variables, made.blocks())
    clock = Limits(seconds)
    outcome = solve(formula, solver=solver, timeout=clock, proof=True)
    taken = clock.elapsed
    if not isinstance(outcome, Unsat) or outcome.proof is None:
        return solver, size, seed, "not in time", 0, 0, seconds
    lines = outcome.proof.splitlines()
    lemmas = sum(not line.startswith("d") for line in lines)
    return solver, size, seed, "proved", lemmas, len(outcome.proof), taken


def measured(solvers: Iterable[str], seconds: float, seeds: int, most: int) -> Iterable[Row]:
    """Yield every run."""
    for size in (*range(3, most + 1), *LATER):
        for seed in range(seeds):
            yield ours(board(size, seed), size, seed)
    for solver in solvers:
        for size in range(3, most + 1):
            rows = [theirs(board(size, k), solver, size, k, seconds) for k in range(seeds)]
            yield from rows
            if all(row[3] != "proved" for row in rows):
                break


def draw(rows: list[Row], folder: Path) -> None:
    """Draw the shortest proof of every solver against the size."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    from ponder.studies.plots import DASHES, MARKERS, OKABE_ITO

    with rc_context({"svg.hashsalt": "ponder", "svg.fonttype": "path", "font.size": 9}):
        figure = Figure(figsize=(6.4, 4.2), layout="constrained")
        axes = figure.add_subplot()
        names = list(dict.fromkeys(row[0] for row in rows))
        for k, name in enumerate(names):
            least: dict[int, int] = {}
            for solver, size, _, verdict, _, length, _ in rows:
                if solver == name and verdict == "proved":
                    least[size] = min(length, least.get(size, length))
            axes.loglog(
                list(least),
                list(least.values()),
                color=OKABE_ITO[k % len(OKABE_ITO)],
                linestyle=DASHES[k % len(DASHES)],
                marker=MARKERS[k % len(MARKERS)],
                markersize=4,
                linewidth=2.2 if name == OURS else 1.2,
                label=name,
            )
        axes.set_xlabel("rows and columns of the board")
        axes.set_ylabel("bytes of the shortest DRAT proof")
        sizes = (3, 4, 6, 8, 10, 16, 24, 40, 100)
        axes.set_xticks(sizes, [str(size) for size in sizes])
        axes.minorticks_off()
        axes.grid(alpha=0.3)
        axes.legend(frameon=False)
        for ending in ("svg", "png"):
            stamp = {"Date": None} if ending == "svg" else {"Software": None}
            figure.savefig(folder / f"sizes.{ending}", dpi=150, metadata=stamp)


def main() -> None:
    """Measure, write, draw."""
    known = [name for name, solver in PYSAT_SOLVERS.items() if solver.no_proof is None]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=60.0, help="for each formula")
    parser.add_argument("--seeds", type=int, default=3, help="boards for each size")
    parser.add_argument("--most", type=int, default=12, help="the largest size for solvers")
    parser.add_argument("--solvers", nargs="+", default=known, choices=known)
    given = parser.parse_args()
    given.output.mkdir(parents=True, exist_ok=True)
    rows: list[Row] = []
    with (given.output / "sizes.csv").open("w", newline="") as file:
        file.write(f"# python -m tests.bench.proof_sizes {shlex.join(sys.argv[1:])}\n")
        out = csv.writer(file, lineterminator="\n")
        out.writerow(("solver", "size", "seed", "verdict", "lemmas", "bytes", "seconds"))
        for row in measured(given.solvers, given.seconds, given.seeds, given.most):
            rows.append(row)
            out.writerow((*row[:6], f"{row[6]:.3f}"))
            file.flush()
    draw(rows, given.output)


if __name__ == "__main__":
    main()
