"""`ponder report`: the tables and plots of a study."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass

import click

from ponder.cli.options import check_file, check_folder, gathered, json_option, option, shared
from ponder.cli.terminal import painter, remark, say
from ponder.errors import require
from ponder.studies.disagreements import disagreements, failures
from ponder.studies.plots import draw
from ponder.studies.report import Figures, export, table, write_table, writer_for
from ponder.studies.runs import FAILING
from ponder.studies.study import Study

SCHEMA = "ponder.report/1"
NAMED = 10
"""Files that were no boards, and other long lists, are named up to so many."""


@dataclass(frozen=True)
class Output:
    """What becomes of a study's figures."""

    by: str = option(
        "--by",
        type=click.Choice(["size", "family"]),
        default="size",
        show_default=True,
        help="One line of the table for every size, or for a family as a whole.",
    )
    plots: str | None = option(
        "--plots", metavar="FOLDER", help="Draw the plots into FOLDER, as PNG and SVG."
    )
    table: str | None = option("--table", metavar="FILE", help="Write the table to FILE (CSV).")
    export: str | None = option(
        "--export", metavar="FILE", help="Write the runs to FILE (.csv or .parquet)."
    )
    as_json: bool = shared(json_option)

    def check(self) -> None:
        """Refuse files and folders that cannot be written, before the work; PonderError."""
        for file in (self.table, self.export):
            if file is not None:
                check_file(file)
        if self.export is not None:
            writer_for(self.export)
        if self.plots is not None:
            check_folder(self.plots)
            require("matplotlib", "plots", "plots")


output_options = gathered("output", Output)


@click.command(
    "report",
    epilog="""\b
Examples:
  ponder report cross.study
  ponder report cross.study --by family --plots plots/
  ponder report cross.study --export runs.csv          one row a run; or runs.parquet

\b
Exit codes: 0 done; 1 methods contradict each other, or a check failed; 2 bad input.
""",
)
@click.argument("study", metavar="STUDY", type=str)
@output_options
def command(study: str, output: Output) -> int:
    """Print the tables of STUDY, a file that `ponder compare --study` made."""
    output.check()
    with Study(study) as opened:
        return present(opened, output)


def present(study: Study, output: Output) -> int:
    """Print what a study holds, draw and export; return the exit code."""
    figures = Figures.of(study)
    wrong = [*disagreements(study), *failures(study, FAILING)]
    lost = failures(study, ("lost", "late"))
    if output.as_json:
        click.echo(json.dumps(_content(figures, output.by, wrong), indent=1))
    else:
        say(_text(figures, output.by, wrong, lost))
    if output.plots is not None:
        written = draw(figures, output.plots)
        remark(f"{len(written)} plots in {output.plots}")
    if output.table is not None:
        write_table(figures.lines(output.by), output.table)
    if output.export is not None:
        remark(f"{export(study, output.export):,} rows in {output.export}")
    return 1 if wrong else 0


def _text(figures: Figures, by: str, wrong: list[str], lost: list[str]) -> Iterator[str]:
    paint = painter()
    yield from table(figures.lines(by)) if figures.runs.size else ["no runs"]
    if figures.failures:
        yield ""
        yield f"files that are no boards: {len(figures.failures):,}"
        yield from _some(list(figures.failures.values()))
    if lost:
        yield ""
        yield f"runs that were killed or lost their process: {len(lost):,}"
        yield from _some(lost)
    if wrong:
        yield ""
        yield paint(f"answers that are wrong or contradict each other: {len(wrong):,}", "bad")
        yield from _some(wrong)


def _some(entries: list[str]) -> Iterator[str]:
    yield from ("  " + entry for entry in entries[:NAMED])
    if len(entries) > NAMED:
        yield f"  … ({len(entries):,} in all)"


def _content(figures: Figures, by: str, wrong: list[str]) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "lines": [asdict(line) for line in figures.lines(by)],
        "unreadable": figures.failures,
        "errors": wrong,
    }
