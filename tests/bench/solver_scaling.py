"""How the solvers scale on the benchmark set: CPU seconds of every one against the size.

    ponder formulas -o FOLDER
    python -m tests.bench.solver_scaling FOLDER --seconds 5 -o docs/results/formulas

Every solver of python-sat, the programs of Debian that are on the path (SAT: minisat, cadical,
cryptominisat5, picosat, clasp, z3; pseudo-Boolean: clasp, minisat+), one worker of CP-SAT, clingo
with two models of the question itself, and Exact where it is installed (PyPI, for comparison).
Where a solver gives up on a size it is asked about no larger one of that series. The limit is on
CPU time: a busy machine does no harm.

`scaling.csv` is read at the start, and what stands there is not run again: stop it at any moment.
An answer that is not the known one ends it.
"""

from __future__ import annotations

import argparse
import csv
import importlib.util
import io
import json
import os
import resource
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ponder.find.solvers.known_solvers import PYSAT_SOLVERS
from ponder.model.files import whole_file

HEADER = ("solver", "reads", "formula", "family", "encoding", "size", "verdict", "seconds")
COMMAND = "python -m tests.bench.solver_scaling FOLDER --seconds {:g} -o docs/results/formulas"
GAVE_UP = "LIMIT"
MEMORY = 3 << 30
"""Bytes that a solver may have."""

PROGRAMS = {
    "cadical (Debian)": ("cnf", "cadical -q {}"),
    "cryptominisat5": ("cnf", "cryptominisat5 --verb=0 {}"),
    "minisat (Debian)": ("cnf", "minisat -verb=0 {}"),
    "picosat": ("cnf", "picosat {}"),
    "clasp": ("cnf", "clasp -q {}"),
    "z3": ("cnf", "z3 -dimacs {}"),
    "clasp, OPB": ("opb", "clasp -q {}"),
    "minisat+": ("opb", "minisat+ {}"),
}
"""What each program reads, and its command."""
MODULES = {
    "cp-sat": ("opb", "ortools"),
    "exact": ("opb", "exact"),
    "asp:count": ("board", "clingo"),
    "asp:chain": ("board", "clingo"),
}
"""Solvers in Python, what they read, and the package that has them."""
FIRST = ("cadical195", "kissat404", "glucose42", "lingeling", "maplecm", "minisat22", "minicard")
"""Solvers of python-sat that are asked before the others."""
PANELS = (
    ("balanced", "half_factor", "rows and columns, an order"),
    ("count", "half_factor", "a count of rows and columns"),
    ("cut", "half_factor", "a cut"),
    ("alternating", "precedence", "alternating rings, an order"),
    ("parity", "precedence", "an odd number of edges"),
    ("ring", "precedence", "rings: search"),
)
"""What is drawn: family, encoding, title."""

Line = dict[str, str]


@dataclass(frozen=True)
class Solver:
    """A solver: its name, what it reads, and its command with {} for the file."""

    name: str
    reads: str
    words: tuple[str, ...]

    def run(self, file: Path, seconds: float) -> tuple[str, float]:
        """Return the verdict and the CPU seconds."""

        def limit() -> None:
            whole = int(seconds) + 3  # Python's start is not counted
            resource.setrlimit(resource.RLIMIT_CPU, (whole, whole))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [word.replace("{}", str(file)) for word in self.words],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            preexec_fn=limit,
            timeout=60 * seconds + 60,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if self.words[0] == sys.executable and done.returncode == 0:
            verdict, own = done.stdout.split()
            spent = float(own)
        else:
            lines = [line.removeprefix("s ").strip() for line in done.stdout.splitlines()]
            answers = [line for line in lines if line in ("SATISFIABLE", "UNSATISFIABLE")]
            verdict = answers[0] if answers else GAVE_UP
        if spent > seconds or verdict == "UNKNOWN":
            verdict = GAVE_UP
        return verdict, min(spent, seconds)


def solvers() -> Iterator[Solver]:
    """Yield the solvers that are here."""
    own = (sys.executable, "-m", "tests.bench.one_solver")
    for name, (reads, package) in MODULES.items():
        if importlib.util.find_spec(package) is not None:
            yield Solver(name, reads, (*own, name, "{}"))
    for name, (reads, command) in PROGRAMS.items():
        words = command.split()
        if shutil.which(words[0]) is not None:
            yield Solver(name, reads, tuple(words))
    for name in dict.fromkeys([*FIRST, *PYSAT_SOLVERS]):
        yield Solver(name, "cnf", (*own, name, "{}"))


def series(folder: Path) -> dict[tuple[str, str, str], list[dict[str, Any]]]:
    """Return the formulas of the manifest by family, encoding and options, the small ones first."""
    found: dict[tuple[str, str, str], list[dict[str, Any]]] = defaultdict(list)
    listed = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["formulas"]
    for entry in sorted(listed, key=lambda entry: int(entry["size"])):
        words = str(entry["name"]).split("-")
        found[words[0], words[2], "-".join(words[3:])].append(entry)
    return found


def read(file: Path) -> list[Line]:
    """Return the lines that are known."""
    if not file.exists():
        return []
    lines = [x for x in file.read_text(encoding="utf-8").splitlines() if not x.startswith("#")]
    return list(csv.DictReader(lines))


def table(lines: list[Line], seconds: float) -> str:
    """Return the file: sorted, with the command that makes it."""
    out = io.StringIO()
    out.write(f"# {COMMAND.format(seconds)}\n")
    out.write("# CPU seconds of one run each; LIMIT: not in time, and no larger size was asked\n")
    writer = csv.DictWriter(out, HEADER, lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    return out.getvalue()


def measure(folder: Path, seconds: float, file: Path, names: Sequence[str] = ()) -> list[Line]:
    """Run what is not known yet, of these solvers or all; the file grows with every run."""
    lines = read(file)
    known = {(line["solver"], line["formula"]): line for line in lines}
    for solver in (solver for solver in solvers() if not names or solver.name in names):
        for entries in series(folder).values():
            for entry in entries:
                line = known.get((solver.name, entry["name"]))
                if line is None:
                    verdict, spent = solver.run(folder / f"{entry['name']}.{solver.reads}", seconds)
                    if verdict not in (GAVE_UP, entry["answer"]):
                        raise SystemExit(f"{solver.name} says {verdict} of {entry['name']}")
                    values = (
                        solver.name, solver.reads, entry["name"], entry["family"],
                        entry["encoding"], str(entry["size"]), verdict, f"{spent:.3f}",
                    )  # fmt: skip
                    line = dict(zip(HEADER, values, strict=True))
                    lines.append(line)
                    with whole_file(file) as out:
                        out.write(table(lines, seconds))
                    print(*values, flush=True)
                if line["verdict"] == GAVE_UP:
                    break
    return lines


def largest(lines: list[Line]) -> str:
    """Return a table of the largest size of each series that each solver decided, as Markdown."""
    rows = [
        "| solver | reads | " + " | ".join(f"`{family}`" for family, _, _ in PANELS) + " |",
        "|---" * (len(PANELS) + 2) + "|",
    ]
    for reads, name in sorted({(line["reads"], line["solver"]) for line in lines}, reverse=True):
        words = []
        for family, encoding, _ in PANELS:
            own = [
                line
                for line in lines
                if (line["solver"], line["family"], line["encoding"]) == (name, family, encoding)
                and line["formula"].count("-") == 2
            ]
            solved = [(int(x["size"]), x["seconds"]) for x in own if x["verdict"] != GAVE_UP]
            size, seconds = max(solved, default=(0, ""))
            words.append(f"{size}, {float(seconds):.2f} s" if solved else "—")
        rows.append(f"| {name} | {reads.upper()} | " + " | ".join(words) + " |")
    return "\n".join(rows)


def draw(lines: list[Line], seconds: float, file: Path) -> None:
    """Draw a panel for each family, a curve for each solver."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure
    from matplotlib.ticker import NullLocator

    from ponder.studies.plots import DASHES, MARKERS, OKABE_ITO

    names = sorted({(line["reads"], line["solver"]) for line in lines})
    with rc_context({"svg.hashsalt": "ponder", "svg.fonttype": "path", "font.size": 8}):
        figure = Figure(figsize=(9.5, 7.6), layout="constrained")
        panels = figure.subplots(2, 3, sharey=True)
        for panel, (family, encoding, title) in zip(panels.reshape(-1), PANELS, strict=True):
            ticks: set[int] = set()
            for k, (reads, name) in enumerate(names):
                points = sorted(
                    (int(line["size"]), max(float(line["seconds"]), 1e-3))
                    for line in lines
                    if (line["solver"], line["family"], line["encoding"])
                    == (name, family, encoding)
                    and line["formula"].count("-") == 2
                )
                if not points:
                    continue
                ticks |= {size for size, _ in points}
                panel.loglog(
                    *zip(*points, strict=True),
                    color=OKABE_ITO[k % len(OKABE_ITO)],
                    linestyle=DASHES[k % len(DASHES)],
                    marker=MARKERS[k % len(MARKERS)],
                    markersize=2.5 if reads == "cnf" else 4,
                    linewidth=0.8 if reads == "cnf" else 2.2,
                    label=name if reads == "cnf" else f"{name} ({reads.upper()})",
                )
            panel.axhline(seconds, color="0.6", linewidth=0.8, linestyle=":")
            shown = [size for size in sorted(ticks) if size not in (38,)]
            panel.set_xticks(shown, [str(size) for size in shown])
            panel.xaxis.set_minor_locator(NullLocator())
            word = "bulbs in a piece" if family in ("ring", "alternating") else "rows and columns"
            panel.set(title=title, xlabel=word)
            panel.grid(alpha=0.3)
        for row in panels:
            row[0].set_ylabel("CPU seconds")
        handles: dict[str, Any] = {}
        for panel in panels.reshape(-1):
            for handle, label in zip(*panel.get_legend_handles_labels(), strict=True):
                handles.setdefault(label, handle)
        figure.legend(
            handles=list(handles.values()),
            labels=list(handles),
            loc="outside lower center",
            ncols=6,
            frameon=False,
        )
        with whole_file(file) as out:
            figure.savefig(out, format="svg", metadata={"Date": None})


def main() -> None:
    """Measure and draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="what `ponder formulas -o` made")
    parser.add_argument("--seconds", type=float, default=5.0, help="CPU time for each run")
    parser.add_argument("--solvers", nargs="+", default=(), help="only these")
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args()
    os.environ["PYTHONHASHSEED"] = "0"
    file = given.output / "scaling.csv"
    lines = measure(given.folder, given.seconds, file, given.solvers)
    draw(lines, given.seconds, given.output / "scaling.svg")
    print(largest(lines))


if __name__ == "__main__":
    main()
