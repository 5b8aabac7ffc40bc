"""Sizes of all encodings, times to an answer, and the speed of the DIMACS writer.

    python tests/bench/bench_encodings.py [--limit SECONDS] [--solver NAME] [--only WORD]

Prints a Markdown table, encoding × board. Every run has a process of its own that is killed at the
limit; an order is decoded and checked before it counts. Encodings with layers try few layers first;
the size is that of the last attempt. Then the answer ("no": unsatisfiable; "—": the limit), the
time to make the formula and hand it to the solver, and the solver's own.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from typing import TypeAlias

import numpy as np

from ponder.encodings.registry import encoder
from ponder.find.solvers.decoding import cuts, decode, order_of
from ponder.formulas import dimacs
from ponder.formulas.encoder import Coder, CpSatEncoder, Encoder, Options
from ponder.model.board import Board
from ponder.model.graph import grid_graph
from ponder.model.ordering_problem import OrderingProblem
from ponder.system.errors import PonderError
from tests.boards import even_problem, instance

Pipe: TypeAlias = "Connection[object, object]"

ENCODINGS: list[tuple[str, tuple[str, ...]]] = [
    ("half_factor", ()),
    ("time_indexed", ()),
    ("time_indexed", ("colours=off",)),
    ("layered", ()),
    ("layered", ("colours=off",)),
    ("precedence", ()),
    ("precedence", ("order=fill",)),
    ("precedence", ("lines=off",)),
    ("precedence", ("acyclic=closure",)),
    ("precedence", ("acyclic=labels",)),
    ("precedence", ("acyclic=lazy",)),
    ("cpsat_half_factor", ()),
    ("cpsat_time", ()),
    ("cpsat_positions", ()),
]


def ibm(name: str) -> OrderingProblem:
    """The press set of a board with even sides, in closed form: s = A·b."""
    return even_problem(instance(f"ibm-2023-04-{name}"))


def unbalanced(size: int) -> OrderingProblem:
    """A row/column board whose odd rows and odd columns differ in number."""
    rng = np.random.default_rng(size)
    while True:
        board = Board.from_grid(rng.random((size, size)) < 0.5)
        presses = board.graph.apply(board.change)
        grid = presses.reshape(size, size)
        if (grid.sum(axis=0) % 2).sum() != (grid.sum(axis=1) % 2).sum():
            return OrderingProblem.of_board(board, presses)


def plus(size: int, *, orderable: bool) -> OrderingProblem:
    """A random press set of a plus board: any, or one built bulb by bulb while that is legal."""
    rng = np.random.default_rng(size)
    graph = grid_graph("plus", (size, size))
    chosen = rng.random(graph.size) < 0.5
    if orderable:
        chosen[:] = False
        for v in rng.permutation(graph.size).tolist():
            chosen[v] = chosen[graph.neighbours(v)].sum() % 2 == 0
    goal = np.ones(graph.size, dtype=np.bool_)
    board = Board(graph, goal ^ graph.apply(chosen), goal)
    return OrderingProblem.of_board(board, chosen)


def boards() -> Iterator[tuple[str, OrderingProblem]]:
    """The boards of the table."""
    yield "IBM 4×4", ibm("example-4x4")
    yield "IBM 24×24", ibm("24x24")
    yield "IBM 30×30", ibm("30x30")
    for size in (4, 6, 8):
        yield f"unbalanced {size}×{size}", unbalanced(size)
    yield "plus 10×10, random", plus(10, orderable=False)
    yield "plus 10×10, orderable", plus(10, orderable=True)


def attempt(
    name: str,
    settings: tuple[str, ...],
    problem: OrderingProblem,
    solver: str,
    pipe: Pipe,
) -> None:
    """Answer one problem by one encoding; send the last size, then (answer, build, seconds)."""
    made = encoder(name)
    build = seconds = 0.0
    found = False
    for options in made.schedule(problem, made.options(settings)):
        run = _by_cp_sat if isinstance(made, CpSatEncoder) else _by_sat
        found, building, solving = run(made, options, problem, solver, pipe)
        build, seconds = build + building, seconds + solving
        if found:
            break
    pipe.send((found, build, seconds))


def _by_cp_sat(
    made: Coder, options: Options, problem: OrderingProblem, _: str, pipe: Pipe
) -> tuple[bool, float, float]:
    from ortools.sat.python import cp_model

    assert isinstance(made, CpSatEncoder)
    start = time.perf_counter()
    model = made.model(problem, options)
    proto = model.model.proto
    pipe.send(f"{len(proto.variables):,} / {len(proto.constraints):,}")
    built = time.perf_counter()
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    found = solver.solve(model.model) != cp_model.INFEASIBLE
    end = time.perf_counter()
    if found:
        order_of(problem, model.read(solver.value))
    return found, built - start, end - built


def _by_sat(
    made: Coder, options: Options, problem: OrderingProblem, name: str, pipe: Pipe
) -> tuple[bool, float, float]:
    from pysat.solvers import Solver

    assert isinstance(made, Encoder)
    start = time.perf_counter()
    formula = made.encode(problem, options)
    pipe.send(f"{formula.size.variables:,} / {formula.size.clauses:,}")
    with Solver(name=name, bootstrap_with=formula.clauses()) as solver:
        built = time.perf_counter()
        while found := bool(solver.solve()):
            broken = cuts(made, problem, options, solver.get_model())
            solver.append_formula(broken)
            if not broken:
                break
        end = time.perf_counter()
        if found:
            decode(made, problem, options, solver.get_model())
    return found, built - start, end - built


def cell(
    name: str, settings: tuple[str, ...], problem: OrderingProblem, solver: str, limit: float
) -> str:
    """Return "size: answer, build + solve"."""
    here, there = multiprocessing.Pipe(duplex=False)
    try:
        encoder(name).options(settings)
        child = multiprocessing.Process(
            target=attempt, args=(name, settings, problem, solver, there)
        )
        child.start()
        there.close()
        end = time.monotonic() + limit
        size = "?"
        while here.poll(max(0.0, end - time.monotonic())):
            match here.recv():
                case str(size):
                    continue
                case (found, build, seconds):
                    answer = "order" if found else "no"
                    return f"{size}: {answer}, {build:.2f} + {seconds:.2f} s"
        return f"{size}: —"
    except EOFError:
        return "does not apply"
    finally:
        child.kill()
        child.join()


def table(limit: float, solver: str, only: str) -> None:
    """Print the table, one line per encoding and board as they are done."""
    print(
        "| encoding | board | presses | variables / clauses: answer, build + solve |\n"
        "|---|---|---|---|"
    )
    for name, settings in ENCODINGS:
        for board, problem in boards():
            if only and only not in f"{name} {' '.join(settings)} {board}":
                continue
            if "half_factor" in name and problem.lines is None:
                continue
            if problem.lines is None and settings and settings[0] in ("colours=off", "lines=off"):
                continue
            words = " ".join((name, *settings))
            print(
                f"| {words} | {board} | {problem.size} | "
                f"{cell(name, settings, problem, solver, limit)} |",
                flush=True,
            )


def stream() -> None:
    """Print the speed and the peak memory of writing IBM 24×24, one press per step."""
    problem = ibm("24x24")
    for settings in ((), ("parity=light", "normal=off"), ("parity=chain", "normal=off")):
        made = encoder("time_indexed")
        if isinstance(made, CpSatEncoder):
            raise PonderError("time_indexed is a formula")
        start = time.perf_counter()
        formula = made.encode(problem, made.options(settings))
        size = formula.size
        sized = time.perf_counter()
        with open(os.devnull, "wb") as file:
            dimacs.write(formula, file)
        seconds = time.perf_counter() - sized
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"time_indexed {' '.join(settings)}: {size.clauses:,} clauses, "
            f"{size.bytes / 1e6:.0f} MB; "
            f"size in {sized - start:.2f} s; written in {seconds:.1f} s = "
            f"{size.clauses / seconds:,.0f} clauses/s; peak {peak:.0f} MB"
        )


def main() -> None:
    """Run everything."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--solver", default="cadical153")
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    if not arguments.only:
        stream()
    table(arguments.limit, arguments.solver, arguments.only)


if __name__ == "__main__":
    main()
