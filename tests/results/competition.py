"""The lists of the bundles for competitions: each formula, its answer, seconds of every solver.

    ponder formulas --competition sat --seed 1 -o FOLDER
    ponder formulas --check FOLDER --seconds 300
    python -m tests.results.competition FOLDER -o docs/results/formulas/competition-sat.csv

A line for each formula: what `formulas.csv` says, and CPU seconds from `measured.csv`; `>60` where
the run was stopped there, nothing where none was made.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Sequence
from pathlib import Path

from ponder.model.files import whole_file
from ponder.studies.competition import BUNDLES, EASY, Kind
from tests.results import Line, Table

KEPT = ("name", "family", "encoding", "answer", "variables", "clauses", "sha256")
COMMAND = "python -m tests.results.competition FOLDER -o docs/results/formulas/{}"


def table(folder: Path, name: str) -> Table:
    """Return the list of a folder that was made and measured."""
    with (folder / "formulas.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    with (folder / "measured.csv").open(encoding="utf-8", newline="") as file:
        runs = list(csv.DictReader(file))
    solvers = list(dict.fromkeys(run["solver"] for run in runs))
    made = Table(COMMAND.format(name), (*KEPT, *solvers), 1)
    for row in rows:
        told = {run["solver"]: run for run in runs if run["name"] == row["name"]}
        assert all(run["sha256"] == row["sha256"] for run in told.values())
        seconds = [
            "" if (run := told.get(solver)) is None
            else f">{float(run['seconds']):.0f}" if run["verdict"] == "LIMIT"
            else f"{float(run['seconds']):.1f}"
            for solver in solvers
        ]  # fmt: skip
        values = (*(row[key] for key in KEPT), *seconds)
        made.lines.append(dict(zip(made.columns, values, strict=True)))
    return made


def solvers_of(lines: Sequence[Line]) -> list[str]:
    """Return who was asked: the columns behind those of the formula; who is first, first."""
    return [key for key in lines[0] if key not in KEPT]


def in_band(line: Line) -> bool:
    """Whether the first solver was not done in a minute, and the second was, but not before."""
    first, second, *_ = solvers_of([line])
    slow = line[first].startswith(">") and float(line[first][1:]) >= 0.9 * EASY
    return slow and line[second][:1] not in ("", ">") and float(line[second]) >= EASY


def markdown(lines: Sequence[Line]) -> str:
    """Return the list as Markdown; what lies in the band has a name in bold."""
    solvers = solvers_of(lines)
    rows = [
        f"| formula | model | variables | clauses | {' | '.join(solvers)} | SHA-256 |",
        "|---" * (5 + len(solvers)) + "|",
    ]
    for line in lines:
        name = Path(line["name"]).stem.removeprefix("ponder-")
        cells = [
            f"**{name}**" if in_band(line) else name,
            "no" if line["answer"] == "UNSATISFIABLE" else "yes",
            f"{int(line['variables']):,}", f"{int(line['clauses']):,}",
            *(line[solver].replace(">", "> ") or "—" for solver in solvers),
            f"`{line['sha256'][:12]}`",
        ]  # fmt: skip
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def names(kind: Kind, seed: int) -> list[str]:
    """Return the names of the files of a bundle."""
    ending = {"sat": "cnf", "pb": "opb"}[kind]
    stems = (recipe.name.replace("_", "-") for recipe in BUNDLES[kind])
    return [f"ponder-{stem}-s{seed}.{ending}" for stem in stems]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("-o", type=Path, required=True, help="the file")
    asked = parser.parse_args()
    done = table(asked.folder, asked.o.name)
    with whole_file(asked.o) as out:
        out.write(done.text)
    print(markdown(done.lines))
