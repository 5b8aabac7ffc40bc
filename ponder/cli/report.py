"""`ponder report`: the tables and plots of a study."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import click

from ponder.cli import options
from ponder.cli.options import argument, gathered, option
from ponder.cli.terminal import painter, remark, say
from ponder.system.errors import require

if TYPE_CHECKING:
    from ponder.studies.report import Figures
    from ponder.studies.study import Study
    from ponder.system.types import Json

NAMED = 10  # entries at most of a long list, such as the files that were no boards


@dataclass(frozen=True)
class Output:
    """What becomes of a study's figures."""

    by: str = option(
        "--by",
        "One line of the table for every size, or for a family as a whole.",
        choices=["size", "family"],
        default="size",
    )
    plots: str | None = option("--plots FOLDER", "Draw the plots into FOLDER, as PNG and SVG.")
    table: str | None = option("--table FILE", "Write the table to FILE (CSV).")
    export: str | None = option("--export FILE", "Write the runs to FILE (.csv or .parquet).")
    as_json: bool = options.json_option

    def check(self) -> None:
        """Refuse files and folders that cannot be written, before the work. Raises PonderError."""
        from ponder.studies.report import writer_for

        for file in (self.table, self.export):
            if file is not None:
                options.check_file(file)
        if self.export is not None:
            writer_for(self.export)
        if self.plots is not None:
            options.check_folder(self.plots)
            require("matplotlib", "plots", "plots")


@options.command(
    """
Examples:
  ponder report cross.study
  ponder report cross.study --by family --plots plots/
  ponder report cross.study --export runs.csv          one row a run; or runs.parquet

Exit codes: 0 done; 1 methods contradict each other, or a check failed; 2 bad input.
"""
)
def command(study: str = argument("STUDY"), output: Output = gathered(Output)) -> int:
    """Print the tables of STUDY, a file that `ponder compare --study` made."""
    from ponder.studies.study import Study

    output.check()
    with Study(study) as opened:
        return present(opened, output)


def present(study: Study, output: Output) -> int:
    """Print what a study holds, draw and export; return the exit code."""
    from ponder.studies.plots import draw
    from ponder.studies.report import Figures, disagreements, export, failures, write_table
    from ponder.studies.runs import FAILING

    figures = Figures.of(study)
    wrong = [*disagreements(study), *failures(study, FAILING)]
    lost = failures(study, ("lost", "late"))
    if output.as_json:
        lines = [asdict(line) for line in figures.lines(output.by)]
        content: Json = {"schema": "ponder.report/1", "lines": lines}
        content |= {"unreadable": figures.failures, "errors": wrong}
        click.echo(json.dumps(content, indent=1))
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
    from ponder.studies.report import legend, table

    paint = painter()
    rows = table(figures.lines(by)) if figures.runs.size else []
    yield from rows or ["no runs"]
    if rows:
        yield from ("", *legend(rows))
    for entries, words in (
        ([*figures.failures.values()], "files that are not boards"),
        (lost, "runs that were killed or lost their process"),
        (wrong, "answers that are wrong or contradict each other"),
    ):
        if entries:
            title = f"{words}: {len(entries):,}"
            yield from ("", paint(title, "bad") if entries is wrong else title)
            yield from ("  " + entry for entry in entries[:NAMED])
        if len(entries) > NAMED:
            yield f"  … ({len(entries):,} in all)"
