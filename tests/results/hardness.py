"""What makes a formula hard: a solver's time against size, degree, pieces, T and nullity.

    python -m tests.results.hardness -o docs/results/formulas

Every series has one parameter that grows; all else is fixed. A point is the median of three seeds,
CPU seconds of CaDiCaL 1.9.5 (python-sat) with a limit for each run. After a size at which the
median is the limit no larger one is asked. The slopes are least squares through the medians from
`FROM` seconds to the limit: p in time ~ x^p, and how much x has to grow for twice the time. What
stands in the table is not run again.

Cost. Four minutes of one core.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median

import numpy as np

from ponder.encodings.registry import encoder
from ponder.formulas.encoder import Encoder
from ponder.model.board import Board
from ponder.model.components import component_numbers
from ponder.model.graph import grid_graph
from ponder.model.ordering_problem import OrderingProblem
from ponder.studies.formula_set import GIANT, FormulaRecipe, specimen
from ponder.studies.random_graphs import Regular, random_piece
from tests.bench.solver_scaling import GAVE_UP
from tests.results import Table, picture

COMMAND = "python -m tests.results.hardness -o docs/results/formulas"
COLUMNS = (
    "family", "encoding", "x", "seed", "presses", "variables", "clauses", "verdict", "seconds",
)  # fmt: skip
Clauses = list[list[int]]

SOLVER = "cadical195"
LIMIT = 3
SEEDS = 3
FROM = 0.02
"""Seconds: what is quicker says nothing about growth."""


@dataclass(frozen=True)
class Series:
    """A family and an encoding, its panel of the picture, and the values of what grows."""

    panel: str
    family: str
    encoding: str
    values: tuple[int, ...]

    @property
    def settings(self) -> tuple[str, list[str]]:
        """The name of the encoder, and its options."""
        name, *settings = self.encoding.split()
        return name, settings

    def problem(self, x: int, seed: int) -> OrderingProblem:
        """The presses of a point: those of the benchmark set, or of a study here."""
        if self.family in MADE:
            return MADE[self.family](x, np.random.default_rng([x, seed]))
        name, settings = self.settings
        return specimen(FormulaRecipe(self.family, x, name, tuple(settings), seed)).problem


def regular(
    size: int, degree: int, rng: np.random.Generator, odd: Sequence[int]
) -> OrderingProblem:
    """A random regular graph with T = `odd`."""
    return OrderingProblem.from_edges(size, Regular(size, degree=degree).edges(rng), odd)


def no_first(degree: int, rng: np.random.Generator) -> OrderingProblem:
    """60 vertices of a degree, none of which can be the first: T is empty, or all."""
    return regular(60, degree, rng, range(60) if degree % 2 == 0 else ())


def even_degree(degree: int, rng: np.random.Generator) -> OrderingProblem:
    """200 vertices of an even degree, T = ∅."""
    return regular(200, degree, rng, ())


def few_first(first: int, rng: np.random.Generator) -> OrderingProblem:
    """A cubic graph of 80 vertices of which so many may be the first: those of T."""
    problem = regular(80, 3, rng, ())
    return OrderingProblem.from_edges(80, problem.edges, rng.permutation(80)[:first].tolist())


def many_pieces(pieces: int, rng: np.random.Generator, size: int = 38) -> OrderingProblem:
    """A ring of pieces and as many hubs; two pieces are neighbours, as two hubs are."""
    hubs = [pieces * size + k for k in range(pieces)]
    ends = [(k * size, (k + 1) * size - 1) for k in range(pieces)]  # where edges leave a piece
    around = [ends[0], ends[1], (hubs[0], hubs[0]), (hubs[1], hubs[1])]
    for k in range(2, pieces):
        around += [ends[k], (hubs[k], hubs[k])]
    edges = [random_piece(size, rng) + k * size for k in range(pieces)]
    joined = [(a[1], b[0]) for a, b in zip(around, [*around[1:], around[0]], strict=True)]
    return OrderingProblem.from_edges(
        pieces * (size + 1), np.concatenate([*edges, np.array(joined)]).astype(np.int64)
    )


def odd_component(size: int, rng: np.random.Generator) -> OrderingProblem:
    """Presses of a plus board most of which are a component with an odd number of edges."""
    graph = grid_graph("plus", (size, size))
    goal = np.ones(graph.size, dtype=np.bool_)
    while True:
        board = Board(graph, goal, goal)
        problem = OrderingProblem.of_board(board, rng.random(graph.size) < GIANT)
        number = component_numbers(problem)
        giant = int(np.bincount(number).argmax())
        within = int((number[problem.edges[:, 0]] == giant).sum())
        if within % 2 and 2 * int((number == giant).sum()) > problem.size:
            return problem


MADE = {
    "no press can be first": no_first,
    "T = ∅": even_degree,
    "T of x vertices": few_first,
    "x pieces of 38": many_pieces,
    "one press set": odd_component,
}
"""What else than the families of the benchmark set is asked."""

RINGS, BOARDS, GRAPHS = "rings: bulbs of a piece", "boards: rows", "regular graphs: bulbs"
NULLITY = "nullity: rows of a plus board"
SERIES = (
    Series(RINGS, "ring", "precedence", (30, 38, 46, 54)),
    Series(RINGS, "ring", "precedence acyclic=labels", (14, 18, 22, 26)),
    Series(RINGS, "alternating", "precedence", (30, 62, 126, 254)),
    Series(RINGS, "alternating", "precedence acyclic=labels", (30, 62, 126, 254)),
    Series(GRAPHS, "cubic", "precedence order=fill", (40, 80, 120, 160, 240)),
    Series(GRAPHS, "cubic", "precedence acyclic=labels", (20, 40, 60, 80, 100, 120)),
    Series(GRAPHS, "quintic", "precedence order=fill", (40, 60, 80, 120, 160)),
    Series(GRAPHS, "quintic", "precedence acyclic=labels", (12, 16, 20, 24, 28, 32)),
    Series(GRAPHS, "octic", "precedence order=fill", (40, 80, 120, 160)),
    Series(GRAPHS, "octic", "precedence acyclic=labels", (50, 100, 200, 400)),
    Series(BOARDS, "count", "half_factor", (4, 6, 8, 10, 12)),
    Series(BOARDS, "cut", "half_factor", (8, 12, 16, 20, 24)),
    Series(BOARDS, "parity", "precedence", (6, 8, 10, 12, 15)),
    Series(BOARDS, "balanced", "precedence acyclic=labels", (8, 12, 16, 20)),
    Series(BOARDS, "balanced", "time_indexed colours=off", (6, 8, 10, 12)),
    Series("degree x", "no press can be first", "precedence order=fill", (3, 4, 5, 6, 7)),
    Series("degree x", "T = ∅", "precedence acyclic=labels", (4, 8, 16, 32)),
    Series("|T| = x", "T of x vertices", "precedence order=fill", (80, 60, 40, 20, 8, 4, 2, 0)),
    Series("pieces", "x pieces of 38", "precedence", (2, 4, 8, 16)),
    Series(NULLITY, "one press set", "precedence", (10, 11, 12, 13, 14, 15, 16)),
)


def asked(clauses: Clauses) -> tuple[str, float]:
    """Return the verdict of the solver, in a process of its own, and its CPU seconds."""
    context = multiprocessing.get_context("fork")
    receive, send = context.Pipe(duplex=False)
    child = context.Process(target=_solve, args=(clauses, send))
    child.start()
    send.close()
    try:
        verdict, spent = receive.recv()
    except EOFError:  # the system ended it
        verdict, spent = GAVE_UP, float(LIMIT)
    child.join()
    return verdict, spent


def _solve(clauses: Clauses, send: Connection) -> None:
    from pysat.solvers import Solver

    start = time.process_time()
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
    with Solver(SOLVER, bootstrap_with=clauses) as solver:
        answer = "SATISFIABLE" if solver.solve() else "UNSATISFIABLE"
    send.send((answer, time.process_time() - start))


def line(family: str, encoding: str, x: int, seed: int) -> Sequence[object]:
    """Make a formula and ask the solver."""
    series = Series("", family, encoding, ())
    name, settings = series.settings
    made, problem = encoder(name), series.problem(x, seed)
    assert isinstance(made, Encoder)
    formula = made.encode(problem, made.options(settings))
    verdict, spent = asked(list(formula.clauses()))
    size = formula.size
    return problem.size, size.variables, size.clauses, verdict, f"{spent:.3f}"


def points(made: Table, series: Series) -> Iterator[tuple[int, float]]:
    """Yield the medians of a series."""
    for x in series.values:
        own = [
            LIMIT if one["verdict"] == GAVE_UP else float(one["seconds"])
            for one in made.lines
            if (one["family"], one["encoding"], one["x"])
            == (series.family, series.encoding, str(x))
        ]
        if own:
            yield x, median(own)


def table(every: Sequence[Series] = SERIES, file: Path | None = None, seeds: int = SEEDS) -> Table:
    """Return the table of these series."""
    made = Table(COMMAND, COLUMNS, 4, file)
    asked: list[tuple[object, ...]] = []
    for series in every:
        for x in series.values:
            asked += [(series.family, series.encoding, x, seed) for seed in range(seeds)]
            made.fill(asked, line)
            if dict(points(made, series))[x] >= LIMIT:
                break
    return made


def slopes(found: Sequence[tuple[int, float]]) -> tuple[float, float] | None:
    """Return p of time ~ x^p, and the step of x that doubles the time; None below three points.

    >>> slopes([(10, 0.1), (20, 0.4), (40, 1.6)])
    (2.0, 7.8)
    """
    kept = np.array([(x, t) for x, t in found if x > 0 and FROM <= t < LIMIT])
    if len(kept) < 3:
        return None
    log = np.log2(kept[:, 1])
    power = float(np.polyfit(np.log2(kept[:, 0]), log, 1)[0])
    rate = float(np.polyfit(kept[:, 0], log, 1)[0])
    return round(power, 1), round(1 / rate, 1)


def summary(made: Table, every: Sequence[Series] = SERIES) -> str:
    """Return the medians and slopes, as Markdown."""
    rows = [
        "| family | encoding | x: median seconds | p | twice the time |",
        "|---|---|---|---|---|",
    ]
    for series in every:
        found = list(points(made, series))
        words = ", ".join(f"{x}: > {LIMIT:g}" if t >= LIMIT else f"{x}: {t:.2f}" for x, t in found)
        power, step = ("—", "—") if (s := slopes(found)) is None else (s[0], f"x + {s[1]}")
        rows.append(f"| {series.family} | `{series.encoding}` | {words} | {power} | {step} |")
    return "\n".join(rows)


def draw(made: Table, file: Path) -> None:
    """Draw a panel for each kind of parameter, a curve for each series."""
    from matplotlib.ticker import NullLocator

    from ponder.studies.plots import DASHES, MARKERS, OKABE_ITO

    names = list(dict.fromkeys(series.panel for series in SERIES))
    with picture(file, (13.0, 7.5)) as figure:
        every = figure.subplots(2, 4, sharey=True).reshape(-1)
        panels = dict(zip(names, every, strict=False))
        every[-1].set_axis_off()
        for k, series in enumerate(SERIES):
            found = [(x, max(t, 1e-3)) for x, t in points(made, series)]
            if not found:
                continue
            s = slopes(found)
            power = "" if s is None else f", p = {s[0]}"
            panels[series.panel].plot(
                *zip(*found, strict=True), color=OKABE_ITO[k % len(OKABE_ITO)],
                linestyle=DASHES[k % len(DASHES)], marker=MARKERS[k % len(MARKERS)], markersize=3,
                linewidth=1, label=f"{series.family}, {series.encoding}{power}",
            )  # fmt: skip
        for name, panel in panels.items():
            panel.set(title=name, yscale="log", xscale="linear" if name == "|T| = x" else "log")
            values = {x for series in SERIES if series.panel == name for x in series.values}
            shown = sorted(values)[:: len(values) // 7 + 1]
            panel.set_xticks(shown, [str(x) for x in shown])
            panel.xaxis.set_minor_locator(NullLocator())
            panel.set_ylim(5e-4, 80)  # room for the legend
            panel.axhline(LIMIT, color="0.6", linewidth=0.8, linestyle=":")
            panel.grid(alpha=0.3)
            panel.legend(fontsize=5.5, loc="upper left", frameon=False)
        for row in every[::4]:
            row.set_ylabel("CPU seconds")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", type=Path, required=True, help="the folder")
    folder = parser.parse_args().o
    done = table(file=folder / "hardness.csv")
    draw(done, folder / "hardness.svg")
    print(summary(done))
