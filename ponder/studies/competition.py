"""Bundles for the SAT and the pseudo-Boolean competition, and the measurement of their band.

    NAME.cnf, NAME.opb   a formula without comments, or the same question as inequalities
    formulas.csv         its family, seed, size, answer, why that is known, and its SHA-256
    evidence/            boards, formulas with comments, proofs, a manifest (`formula_files`)
    generate.sh          makes the folder again; the same seed and version give the same bytes
    measured.csv         by `check`: who decided what in how many CPU seconds
    description.tex      two pages in IEEE style, made from both tables
    LICENSE

The SAT Competition asks for formulas that MiniSat does not solve within a minute, and a good solver
within 5,000 s. *The band*, here: MiniSat needs more than 60 s, CaDiCaL 60 s to 5,000 s (pseudo-
Boolean: minisat+ and clasp). What falls outside is said, not left out: easy formulas lead up to it.
Only what was run is in the description. Cost of making: that of `formula_files.make`; of checking:
the proofs (linear in them), and the limits of the solvers.
"""

from __future__ import annotations

import csv
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from io import StringIO
from pathlib import Path
from subprocess import DEVNULL, PIPE
from typing import Final, Literal, NamedTuple, TypeAlias

from ponder.check.cutting_planes import check_veripb
from ponder.check.lrat import check_lrat
from ponder.find.search.context import Progress, silent
from ponder.model.files import packed_file, whole_file
from ponder.studies.formula_files import make
from ponder.studies.formula_set import FormulaRecipe, graded
from ponder.system.errors import BoardError, CheckFailed
from ponder.system.limits import NEVER, Limits, TimeUp
from ponder.system.version import __version__

Kind: TypeAlias = Literal["sat", "pb"]
EASY: Final = 60  # seconds in which MiniSat, or the like, is not to be done
LIMIT: Final = 5_000  # seconds in which a good solver is to be done

BUNDLES: Final[dict[Kind, tuple[FormulaRecipe, ...]]] = {
    "sat": (
        *graded("ring", "precedence", (54, 62, 66, 78)),
        *graded("cubic", "precedence", (400, 480, 520, 560, 600), "order=fill"),
        *graded("quintic", "precedence", (300, 400), "order=fill"),
        *graded("count", "half_factor", (10, 12)),
        *graded("cut", "half_factor", (20, 24)),
        *graded("parity", "precedence", (15, 18, 20)),
        *graded("balanced", "precedence", (24, 28, 36), "acyclic=labels"),
        *graded("balanced", "time_indexed", (20, 24), "colours=off"),
        *graded("balanced", "layered", (20, 24), "colours=off"),
        *graded("alternating", "precedence", (254, 510), "acyclic=labels"),
        *graded("octic", "precedence", (1000, 1600, 2000), "acyclic=labels"),
    ),
    "pb": (
        *graded("ring", "precedence", (46, 54, 62, 66, 70)),
        *graded("cubic", "precedence", (200, 320, 400, 600), "order=fill"),
        *graded("count", "half_factor", (10, 12, 16, 24)),
        *graded("cut", "half_factor", (16, 20, 24)),
        *graded("parity", "precedence", (12, 15, 18, 20, 22)),
        *graded("alternating", "precedence", (126, 250)),
        *graded("balanced", "half_factor", (76, 100)),
    ),
}
PYSAT: Final = """\
import sys
from pysat.formula import CNF
from pysat.solvers import Solver
with Solver(sys.argv[1], bootstrap_with=CNF(from_file=sys.argv[2]).clauses) as solver:
    sys.exit(20 - 10 * solver.solve())
"""
"""A solver of python-sat as a program: it ends with 10 or 20."""
SOLVERS: Final[dict[Kind, tuple[tuple[str, ...], ...]]] = {
    "sat": (
        ("minisat", "-verb=0"),
        ("cadical", "-q"),
        (sys.executable, "-c", PYSAT, "glucose42"),
        ("kissat", "-q"),
    ),
    "pb": (("minisat+",), ("clasp",), ("roundingsat",), ("exact",)),
}
"""By kind, the command of each solver, the one that is not to be fast first."""

LICENSE: Final = """\
SPDX-License-Identifier: MIT
Formulas, boards and proofs were made by ponder {version}, and come under its licence, MIT.
"""


class Run(NamedTuple):
    """What a solver said of a formula, SATISFIABLE, UNSATISFIABLE or LIMIT, in CPU seconds.

    `limit` is how many it had, `sha256` is of the formula.
    """

    name: str
    solver: str
    seconds: float
    verdict: str
    limit: int = 0
    sha256: str = ""


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
    solvers: Mapping[str, Sequence[str]] | None = None,
) -> tuple[list[dict[str, str]], list[Run]]:
    """Check hashes and proofs of a bundle; run the solvers that are there, return what they say.

    Writes `measured.csv` and the description after every run. A run that stands in `measured.csv`
    about the same bytes, and had as much time, is not repeated. Raises CheckFailed for a changed
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
        known = _known(folder / "measured.csv")
    except (OSError, KeyError, IndexError, ValueError, TypeError) as error:
        raise BoardError(f"is not a bundle: {error}", str(folder)) from None
    commands = {_name(one): one for one in SOLVERS[kind] if shutil.which(one[0]) is not None}
    for row in rows:
        for solver, command in commands.items() if solvers is None else solvers.items():
            limits.check()
            most = min(seconds, EASY) if solver in BAND[0] else seconds
            key, digest = (row["name"], solver), row["sha256"]
            run = known.get(key)
            if run is None or run.sha256 != digest or (run.verdict == "LIMIT" and run.limit < most):
                progress(f"{solver} on {row['name']}")
                verdict, took = _run(command, folder / row["name"], most, limits)
                known[key] = Run(row["name"], solver, took, verdict, most, digest)
            if known[key].verdict not in ("LIMIT", row["answer"]):
                raise CheckFailed(f"{row['name']}: {solver} says {known[key].verdict}")
            runs = [run for one in rows for run in known.values() if run.name == one["name"]]
            _write(folder / "measured.csv", _table([Run._fields, *runs]))
            _write(folder / "description.tex", description(rows, runs))
    return rows, [run for one in rows for run in known.values() if run.name == one["name"]]


def _known(file: Path) -> dict[tuple[str, str], Run]:
    """Read what was measured before. Raises what a spoilt table raises."""
    if not file.exists():
        return {}
    with file.open(encoding="utf-8", newline="") as lines:
        found = [
            Run(
                one["name"], one["solver"], float(one["seconds"]), one["verdict"],
                int(one["limit"]), one["sha256"],
            )
            for one in csv.DictReader(lines)
        ]  # fmt: skip
    return {(run.name, run.solver): run for run in found}


def _name(command: Sequence[str]) -> str:
    return command[-1] if command[0] == sys.executable else command[0]


def outside(rows: Sequence[dict[str, str]], runs: Sequence[Run]) -> Iterator[str]:
    """Yield, for each formula that was not seen to lie in the band, why.

    >>> easy, hard = Run("a", "minisat", 3.0, "SATISFIABLE"), Run("b", "minisat", 60.0, "LIMIT")
    >>> long = Run("b", "cadical", 300.0, "LIMIT", 300)
    >>> list(outside([{"name": "a"}, {"name": "b"}], [easy, hard, long]))
    ['a: minisat took 3.0 s', 'b: cadical did not decide it in 300 s']
    """
    for row in rows:
        own = {run.solver: run for run in runs if run.name == row["name"]}
        first, second = (next((own[k] for k in names if k in own), None) for names in BAND)
        if first is not None and first.verdict != "LIMIT":
            yield f"{row['name']}: {first.solver} took {first.seconds:.1f} s"
        elif first is None or second is None:
            missing = BAND[first is not None]
            yield f"{row['name']}: neither {' nor '.join(missing)} is there"
        elif second.verdict == "LIMIT":
            yield f"{row['name']}: {second.solver} did not decide it in {second.limit:,} s"
        elif second.seconds < EASY:
            yield f"{row['name']}: {second.solver} took {second.seconds:.1f} s"


BAND: Final = [tuple(_name(each[k]) for each in SOLVERS.values()) for k in (0, 1)]
"""The solvers, of each kind, that are not to be done in a minute, and those that are to be done."""


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


def _run(command: Sequence[str], file: Path, seconds: int, limits: Limits) -> tuple[str, float]:
    """Return a solver's verdict and CPU seconds, at most so many. Raises TimeUp."""
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
    return verdict, round(took, 2)


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
    reasons = [f"\\emph{{{family}}}: {FAMILIES[family]}" for family in families]
    words = {
        "FAMILIES": "\n\n".join(reasons),
        "MEASURED": _measured(rows, runs),
        "COLUMNS": "lrrr" + "r" * len(solvers),
        "HEADS": " & ".join(["formula", "model", "variables", "constraints", *solvers]),
        "ROWS": " \\\\\n".join(lines),
        "COUNT": str(len(rows)),
        "REFUTED": str(sum(row["answer"] == "UNSATISFIABLE" for row in rows)),
    }
    body = TEX
    for key, value in words.items():
        body = body.replace(key, value)
    return body.replace("_", "\\_")


def _measured(rows: Sequence[dict[str, str]], runs: Sequence[Run]) -> str:
    if not runs:
        return "No solver was run yet."
    limits = {
        run.solver: max(one.limit for one in runs if one.solver == run.solver) for run in runs
    }
    told = ", ".join(f"{solver} ({limit} s)" for solver, limit in limits.items())
    inside = len(rows) - sum(1 for _ in outside(rows, runs))
    return (
        f"The table has CPU seconds of one run each, with their longest limit: {told}. Where a "
        f"number stands behind $>$ the run was stopped there, and what lies beyond was not "
        f"measured. {inside} formulas are not solved by {runs[0].solver} in {EASY} s and take "
        f"{' or '.join(one for one in BAND[1] if one in limits)} {EASY} s or more, within its "
        "limit. The others are easier, harder, or were not measured, as the table says."
    )


FAMILIES: Final = {
    "ring": "Two random pieces, all but two vertices of degree 3, and two hubs in a ring. The "
    "parities of a piece make both of its edges lead into it, so two pieces are never neighbours; "
    "to see that, a solver adds up a Tseitin formula on an expander.",
    "cubic": "A random cubic graph with even out-degrees: no vertex can be the first.",
    "quintic": "The same with five neighbours each.",
    "octic": "A random graph with eight neighbours each; an order is known.",
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
\title{Orders of Light Presses:\\ Acyclic Orientations with Parities}
\author{\IEEEauthorblockN{the authors of ponder}}
\maketitle
\section{The question}
A press toggles a bulb and its neighbours; only an unlit bulb may be pressed, and in the end all are
lit. Which bulbs to press is linear algebra over GF(2). In which order is this question:

\emph{Has the graph of the presses an acyclic orientation in which every out-degree is even?}

The start drops out: a press is legal iff the number of its neighbours that are pressed later is
even. It is open whether the question is polynomial on all graphs; it has a randomised polynomial
test. For boards on which a press toggles its row and column, an order exists iff half of every row
and column, rounded down, can have colour 1, which is a maximum flow.
\section{Encodings}
\emph{half_factor}: a colour for each press, each line counted (sequential counters in CNF, one
equality in OPB). \emph{precedence}: $u$ before $v$ for the edges of a chordal graph made by vertex
elimination~\cite{rankooh}, cyclic triangles forbidden, parities of out-degrees cut into short
XORs; with \emph{acyclic_labels} no such edges, but a binary number for each vertex that grows
along each edge. \emph{layered}, \emph{time_indexed}: a layer or a step for each press, as many as
a known order needs; with \emph{colours_off} without the implied constraint that half of each line
has colour 1.
\section{Families}
FAMILIES
\section{How the answers are known}
No answer rests on a solver. Where there is a model, an order of the presses was found and replayed.
Where there is none, a checker that shares no code with what finds answers accepted a refutation
of the board, and an LRAT proof of the formula was written from it, or from lemmas about parts of
the graph, and checked: counting modulo a small number, or sums of parities. All lie in
\texttt{evidence}, with the boards and a manifest. So the formulas have short proofs; they are hard
for what solvers do. Sums of parities over a random cubic graph are exponential for
resolution~\cite{urquhart}, as are counts~\cite{buss}.
\section{The formulas}
The COUNT formulas are made by one command from a seed (\texttt{generate.sh}), with the same bytes
each time; REFUTED have no model. Another seed makes another set of the same sizes. The names have
family, size, encoding, options and seed. MEASURED
\begin{thebibliography}{9}
\bibitem{buss} S. Buss, Gy. Tur\'an, ``Resolution proofs of generalized pigeonhole principles'',
\emph{Theoretical Computer Science}, 1988.
\bibitem{rankooh} M. Rankooh, J. Rintanen, ``Propositional encodings of acyclicity and reachability
by using vertex elimination'', \emph{AAAI}, 2022.
\bibitem{urquhart} A. Urquhart, ``Hard examples for resolution'', \emph{Journal of the ACM}, 1987.
\end{thebibliography}
\begin{table*}
\caption{The formulas}
\centering
\footnotesize
\begin{tabular}{COLUMNS}
HEADS \\
\hline\noalign{\smallskip}
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
