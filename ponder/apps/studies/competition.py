"""Bundles for the SAT and the pseudo-Boolean competition, and the measurement of their band.

    NAME.cnf, NAME.opb   a formula without comments, or the same question as inequalities
    formulas.csv         its family, seed, size, answer, why that is known, and its SHA-256
    evidence/            boards, formulas with comments, proofs, a manifest (`formula_files`)
    generate.sh          makes the folder again; the same seed and version give the same bytes
    measured.csv         by `check`: who decided what in how many CPU seconds
    description.tex      two pages in IEEE style, made from both tables
    LICENSE

The SAT Competition asks for formulas that MiniSat does not solve within a minute, and a good solver
within 5,000 s (*the band*). What falls outside is said, not left out: easy formulas lead up to it.
Only what was run is in the description. Cost of making: that of `formula_files.make`; of checking:
the proofs (linear in them), and the limits of the solvers.
"""

from __future__ import annotations

import csv
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from io import StringIO
from pathlib import Path
from subprocess import DEVNULL, PIPE
from typing import Final, Literal, NamedTuple, TypeAlias

from ponder.apps.studies.formula_files import make
from ponder.apps.studies.formula_set import FormulaRecipe, graded
from ponder.check.cutting_planes import check_veripb
from ponder.check.lrat import check_lrat
from ponder.find.search.context import Progress, silent
from ponder.model.files import packed_file, whole_file
from ponder.system.errors import BoardError, CheckFailed
from ponder.system.limits import NEVER, Limits, TimeUp
from ponder.system.version import __version__

Kind: TypeAlias = Literal["sat", "pb"]
EASY: Final = 60  # seconds in which MiniSat, or the like, is not to be done
LIMIT: Final = 5_000  # seconds in which a good solver is to be done

BUNDLES: Final[dict[Kind, tuple[FormulaRecipe, ...]]] = {
    "sat": (
        *graded("ring", "precedence", (54, 62, 70, 78, 86, 94)),
        *graded("cubic", "precedence", (320, 400, 560, 720), "order=fill"),
        *graded("count", "half_factor", (10, 12, 14)),
        *graded("cut", "half_factor", (16, 20, 24)),
        *graded("parity", "precedence", (15, 18, 20)),
        *graded("alternating", "precedence", (126, 250)),
        *graded("balanced", "half_factor", (76, 100)),
    ),
    "pb": (
        *graded("ring", "precedence", (46, 54, 62, 70)),
        *graded("cubic", "precedence", (200, 320, 400), "order=fill"),
        *graded("count", "half_factor", (10, 12, 16, 24)),
        *graded("cut", "half_factor", (16, 20, 24)),
        *graded("parity", "precedence", (12, 15, 18, 20)),
        *graded("alternating", "precedence", (126, 250)),
        *graded("balanced", "half_factor", (76, 100)),
    ),
}
SOLVERS: Final[dict[Kind, tuple[tuple[str, ...], ...]]] = {
    "sat": (("minisat", "-verb=0"), ("cadical", "-q"), ("kissat", "-q"), ("glucose", "-verb=0")),
    "pb": (("minisat+",), ("roundingsat",), ("exact",), ("clasp",)),
}
"""By kind, the command of each solver, the one that is not to be fast first."""

LICENSE: Final = """\
SPDX-License-Identifier: MIT
Formulas, boards and proofs were made by ponder {version}, and come under its licence, MIT.
"""


class Run(NamedTuple):
    """What a solver said of a formula, SATISFIABLE, UNSATISFIABLE or LIMIT, in CPU seconds."""

    name: str
    solver: str
    seconds: float
    verdict: str


def bundle(
    kind: Kind,
    folder: Path,
    seed: int = 0,
    progress: Progress = silent,
    limits: Limits = NEVER,
    recipes: Sequence[FormulaRecipe] | None = None,
) -> list[dict[str, str]]:
    """Make a bundle, or one of some `recipes`; return the rows of its list. Raises TimeUp."""
    chosen = [replace(one, seed=seed) for one in recipes or BUNDLES[kind]]
    evidence, ending = folder / "evidence", {"sat": ".cnf", "pb": ".opb"}[kind]
    made = make(chosen, evidence, progress, limits)
    rows: list[dict[str, str]] = []
    for recipe in chosen:
        entry = made.formulas[recipe.name]
        head, *lines = (evidence / f"{recipe.name}{ending}").read_bytes().splitlines(keepends=True)
        kept = [line for line in lines if line[:1] not in (b"c", b"*")]
        text = b"".join([head, *kept] if kind == "pb" else kept)  # in OPB the head has the sizes
        name = f"ponder-{recipe.name.replace('_', '-')}-s{seed}{ending}"
        with packed_file(folder / name) as file:
            file.write(text)
        keys = ("family", "encoding", "seed", "answer", "known", "variables", "clauses")
        told = {"name": name, **{key: str(entry[key]) for key in keys}, "evidence": recipe.name}
        rows.append(told | {"sha256": sha256(text).hexdigest()})
    _write(folder / "formulas.csv", _table([list(rows[0]), *(list(row.values()) for row in rows)]))
    command = f"ponder formulas --competition {kind} --seed {seed} -o"
    _write(folder / "generate.sh", f'#!/bin/sh\n# ponder {__version__}\nexec {command} "$1"\n')
    _write(folder / "LICENSE", LICENSE.format(version=__version__))
    _write(folder / "description.tex", description(rows, []))
    return rows


def check(
    folder: Path,
    seconds: int = LIMIT,
    progress: Progress = silent,
    limits: Limits = NEVER,
    solvers: Sequence[tuple[str, ...]] | None = None,
) -> tuple[list[dict[str, str]], list[Run]]:
    """Check hashes and proofs of a bundle; run the solvers that are there, return what they say.

    Writes `measured.csv` and the description after every run. Raises CheckFailed for a changed
    file, a wrong proof or a wrong verdict, BoardError for a folder that is no bundle.
    """
    try:
        with (folder / "formulas.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        kind: Kind = "pb" if rows[0]["name"].endswith(".opb") else "sat"
        for row in rows:
            progress(row["name"])
            limits.check()
            if sha256((folder / row["name"]).read_bytes()).hexdigest() != row["sha256"]:
                raise CheckFailed(f"{row['name']}: another SHA-256 than formulas.csv says")
            row["proofs"] = " ".join(_proofs(folder / row["name"], folder / "evidence", row))
    except (OSError, KeyError, IndexError, ValueError) as error:
        raise BoardError(f"is not a bundle: {error}", str(folder)) from None
    there = [
        one
        for one in (SOLVERS[kind] if solvers is None else solvers)
        if shutil.which(one[0]) is not None
    ]
    runs: list[Run] = []
    for row in rows:
        for k, command in enumerate(there):
            limits.check()
            progress(f"{command[0]} on {row['name']}")
            most = min(seconds, EASY) if not k and command == SOLVERS[kind][0] else seconds
            runs.append(_run(command, folder / row["name"], most, limits))
            if runs[-1].verdict not in ("LIMIT", row["answer"]):
                raise CheckFailed(f"{row['name']}: {command[0]} says {runs[-1].verdict}")
            _write(folder / "measured.csv", _table([Run._fields, *runs]))
            _write(folder / "description.tex", description(rows, runs))
    return rows, runs


def outside(rows: Sequence[dict[str, str]], runs: Sequence[Run], seconds: int) -> Iterator[str]:
    """Yield, for each formula that was not seen to lie in the band, why.

    >>> easy, hard = Run("a", "minisat", 3.0, "SATISFIABLE"), Run("b", "minisat", 60.0, "LIMIT")
    >>> list(outside([{"name": "a"}, {"name": "b"}], [easy, hard], 5000))
    ['a: minisat took 3.0 s', 'b: no other solver decided it in 60 to 5,000 s']
    """
    for row in rows:
        own = [run for run in runs if run.name == row["name"]]
        first = [run for run in own if run.solver in _FIRST]
        others = [run for run in own if run.solver not in _FIRST and run.verdict != "LIMIT"]
        if not first:
            yield f"{row['name']}: neither {' nor '.join(_FIRST)} is there"
        elif first[0].verdict != "LIMIT":
            yield f"{row['name']}: {first[0].solver} took {first[0].seconds:.1f} s"
        elif fast := [run for run in others if run.seconds < EASY]:
            yield f"{row['name']}: {fast[0].solver} took {fast[0].seconds:.1f} s"
        elif not others:
            yield f"{row['name']}: no other solver decided it in {EASY} to {seconds:,} s"


_FIRST: Final = tuple(commands[0][0] for commands in SOLVERS.values())


def _proofs(file: Path, evidence: Path, row: dict[str, str]) -> Iterator[str]:
    """Check the proofs of a formula, yield their formats. Raises CheckFailed."""
    stem, found = evidence / row["evidence"], False
    for ending in (".lrat", ".pbp"):
        if not (proof := stem.with_name(stem.name + ending)).exists():
            continue
        if ending == ".lrat":
            lines = stem.with_name(stem.name + ".cnf").read_text("ascii").splitlines()
            clauses = [list(map(int, line.split()[:-1])) for line in lines if line[0] not in "cp"]
            check_lrat(clauses, proof.read_bytes())
        else:
            check_veripb(stem.with_name(stem.name + ".opb").read_text("ascii"), proof.read_text())
        found = True
        yield {".lrat": "LRAT", ".pbp": "VeriPB"}[ending]
    if not found and row["answer"] == "UNSATISFIABLE":
        raise CheckFailed(f"{file.name}: no proof of it lies in {evidence}")


def _run(command: tuple[str, ...], file: Path, seconds: int, limits: Limits) -> Run:
    """Run a solver for at most so many CPU seconds. Raises TimeUp."""
    import resource  # not on every system

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    words = [*command, str(file)]
    try:
        done = subprocess.run(
            words, stdout=PIPE, stderr=DEVNULL, text=True, check=False, preexec_fn=limit,
            timeout=limits.left(),
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise TimeUp from None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    said = [line[2:].strip() for line in done.stdout.splitlines() if line.startswith("s ")]
    verdict = {10: "SATISFIABLE", 20: "UNSATISFIABLE"}.get(done.returncode, "LIMIT")
    if verdict == "LIMIT" and said and said[-1] in ("SATISFIABLE", "UNSATISFIABLE"):
        verdict = said[-1]
    return Run(file.name, command[0], round(took, 2), verdict)


def description(rows: Sequence[dict[str, str]], runs: Sequence[Run]) -> str:
    """Return the LaTeX of the description; its numbers are those of the rows and the runs."""
    solvers = list(dict.fromkeys(run.solver for run in runs))
    seconds = {(run.name, run.solver): run for run in runs}

    def cell(name: str, solver: str) -> str:
        run = seconds.get((name, solver))
        if run is None:
            return "---"
        return f"$>${run.seconds:.0f}" if run.verdict == "LIMIT" else f"{run.seconds:.1f}"

    lines = []
    for row in rows:
        answer = "no" if row["answer"] == "UNSATISFIABLE" else "yes"
        cells = [row["evidence"], answer, row["variables"], row["clauses"]]
        lines.append(" & ".join([*cells, *(cell(row["name"], one) for one in solvers)]))
    families = dict.fromkeys(row["family"] for row in rows)
    reasons = [f"\\item[{family}] {FAMILIES[family]}" for family in families]
    measured = (
        f"CPU seconds, one run each: {', '.join(solvers)}." if runs else "No solver was run yet."
    )
    body = TEX.replace("FAMILIES", "\n".join(reasons)).replace("MEASURED", measured)
    body = body.replace("COLUMNS", "lrrr" + "r" * len(solvers))
    heads = ["formula", "model", "variables", "constraints", *solvers]
    body = body.replace("HEADS", " & ".join(heads)).replace("ROWS", " \\\\\n".join(lines))
    refuted = sum(row["answer"] == "UNSATISFIABLE" for row in rows)
    return (
        body.replace("COUNT", str(len(rows))).replace("REFUTED", str(refuted)).replace("_", "\\_")
    )


FAMILIES: Final = {
    "ring": "Two random pieces, all but two vertices of degree 3, and two hubs in a ring. The "
    "parities of a piece make both of its edges lead into it, so two pieces are never neighbours; "
    "to see that, a solver adds up a Tseitin formula on an expander.",
    "cubic": "A random cubic graph with even out-degrees: no vertex can be the first.",
    "count": "Half of every row and of every column, rounded down, is to have colour 1; the rows "
    "add up to another number than the columns.",
    "cut": "The same, where the whole agrees, but some rows need more than some columns and the "
    "presses outside have room for.",
    "parity": "A component with an odd number of edges, whose out-degrees are to be even.",
    "alternating": "Rings as above, in which pieces and hubs alternate: there is an order.",
    "balanced": "Rows and columns as above that have such halves.",
}

TEX: Final = r"""\IfFileExists{IEEEtran.cls}{\documentclass[conference]{IEEEtran}}{%
  \documentclass[twocolumn]{article}\newcommand{\IEEEauthorblockN}[1]{#1}}
\begin{document}
\title{Orders of Light Presses: Acyclic Orientations with Parities}
\author{\IEEEauthorblockN{the authors of ponder}}
\maketitle
\section{The question}
A press toggles a bulb and its neighbours; only an unlit bulb may be pressed, and in the end all are
lit. Which bulbs to press is linear algebra over GF(2). In which order is this question: has the
graph of the presses an acyclic orientation in which every out-degree is even? For boards on which
a press toggles its row and column, an order exists iff half of every row and column, rounded down,
can have colour 1. The answers are known without a solver, by an order that was replayed or a
refutation that was checked.
\section{Encodings}
\emph{half_factor}: a colour for each press, each line counted (sequential counters in CNF, one
equality in OPB). \emph{precedence}: $u$ before $v$ for the edges of a chordal graph made by vertex
elimination, cyclic triangles forbidden, parities of out-degrees cut into short XORs.
\section{Families}
\begin{description}
FAMILIES
\end{description}
\section{The formulas}
The COUNT formulas are made by one command from a seed (\texttt{generate.sh}); REFUTED have no
model, and each of these comes with a checked proof. MEASURED
\begin{table*}
\centering
\begin{tabular}{COLUMNS}
HEADS \\
\hline
ROWS
\end{tabular}
\end{table*}
\end{document}
"""


def _table(rows: Sequence[Sequence[object]]) -> str:
    file = StringIO()
    csv.writer(file, lineterminator="\n").writerows(rows)
    return file.getvalue()


def _write(path: Path, text: str) -> None:
    with whole_file(path) as out:
        out.write(text)
