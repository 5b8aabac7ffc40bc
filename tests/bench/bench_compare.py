"""Comparisons: boards decided and stored, what a run costs beyond its method, a large report.

python -m tests.bench compare
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from ponder.check.result import Result
from ponder.model.board import Board
from ponder.studies.compare import Plan, compare
from ponder.studies.methods import Method, chosen
from ponder.studies.processes import Workers
from ponder.studies.runs import Chunk, Job, Task, run_chunk
from ponder.studies.sampling import Family, Generated, parse_family
from ponder.studies.study import BoardRow, Outcome, Run, Sample, Study
from ponder.system.types import Json
from tests.bench import Case

WORKERS = 2


def decide(boards: int) -> Callable[[], object]:
    """Random 24×24 boards: drawn, decided, verified, stored, by two processes."""

    def job() -> str:
        plan = Plan(
            (parse_family(f"cross:24:boards={boards}"),),
            tuple(chosen(("auto",))),
            timeout=10,
        )
        with (
            tempfile.TemporaryDirectory() as folder,
            Study(Path(folder) / "s", create=True) as study,
            Workers(WORKERS) as workers,
        ):
            tally = compare(study, plan, workers)
            ((method,),) = study.rows("SELECT sum(seconds) FROM runs").fetchall()
        return f"{tally.words}; {method:.1f} s in the method"

    return job


def nothing(board: Board, options: Json, timeout: float | None, seed: int) -> Result:
    """Answer at once: what is left is what a comparison costs."""
    return Result("order", board, "unknown", "nothing", reason="not asked")


def overhead(runs: int, boards: int) -> Callable[[], object]:
    """Runs of a method that does nothing, in one process that is measured and stored by another.

    The processor time of both together, a run.
    """

    def job() -> str:
        family = Family("cross")
        per_board = tuple(range(runs // boards))
        method = Method("nothing", "tests.bench.bench_compare:nothing")
        with (
            tempfile.TemporaryDirectory() as folder,
            Study(Path(folder) / "s", create=True) as study,
        ):
            number = study.method(method.name, {})
            jobs = tuple(Job(method, number, seed) for seed in per_board)
            tasks = tuple(Task(Generated(family, (24, 24), k), per_board) for k in range(boards))
            start = time.process_time()
            records = list(run_chunk(Chunk(tasks, jobs, None, "all")))
            study.add(
                [r.board for r in records if r.board is not None],
                [r.sample for r in records if r.sample is not None],
                [r.run for r in records],
            )
            seconds = time.process_time() - start
        return f"{seconds / runs * 1e6:.0f} µs a run of processor time"

    return job


def million() -> Callable[[], object]:
    """`ponder report` on ten families of ten sizes, 1000 boards each, ten methods."""
    folder = tempfile.TemporaryDirectory()
    path = Path(folder.name) / "million.study"
    rng = np.random.default_rng(1)
    outcomes = [
        Outcome("order", "solved", "", "", "lines", True),
        Outcome("order", "impossible", "C2", "line-count", "lines", True),
        Outcome("order", "unknown", "", "", "greedy", True),
    ]
    with Study(path, create=True) as study:
        methods = [study.method(f"method-{k}", {}) for k in range(10)]
        for stratum in range(100):
            family, side = f"family-{stratum // 10}", 4 + stratum % 10
            boards, samples, runs = [], [], []
            seconds = rng.exponential(0.01, (1000, 10))
            fate = rng.integers(3, size=1000)
            for k in range(1000):
                sha256 = hashlib.sha256(f"{stratum} {k}".encode()).digest()
                boards.append(BoardRow(sha256, "cross", "unlit", "lit", side**2, 0, 8, bytes(60)))
                samples.append(Sample(family, f"{side}×{side}", side**2, f"{k:06d}", sha256))
                for m, method in enumerate(methods):
                    outcome = outcomes[fate[k] if m else min(fate[k], 1)]
                    solved = outcome.verdict == "solved"
                    runs.append(
                        Run(
                            sha256, method, 0, outcome, 10 if solved else None,
                            10 if solved else None, 3, float(seconds[k, m]), 1, None, None,
                        )
                    )  # fmt: skip
            study.add(boards, samples, runs)

    def job() -> str:
        command = [sys.executable, "-m", "ponder", "report", str(path)]
        start = time.perf_counter()
        with (Path(folder.name) / "out").open("w+") as out:
            process = subprocess.Popen(
                [*command, "--plots", f"{folder.name}/plots"], stdout=out, stderr=out
            )
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            seconds = time.perf_counter() - start
            out.seek(0)
            lines = out.read().splitlines()
        if process.returncode:
            raise RuntimeError("\n".join(lines[-5:]))
        return f"{len(lines)} lines, {seconds:.1f} s, {used.ru_maxrss / 1024**2:.2f} GB"

    return job


CASES = (
    Case("compare 10,000 random 24x24, two processes", 60, lambda: decide(10_000), runs=3),
    Case("compare overhead, 2,000 boards of one run", 2, lambda: overhead(2_000, 2_000), runs=3),
    Case("compare overhead, 200 boards of ten runs", 2, lambda: overhead(2_000, 200), runs=3),
    Case("report on a million runs, with plots", 20, million, runs=3, memory=1.0),
)
