"""`ponder compare`: many methods on many boards, and whether they agree."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from ponder.cli.compare_options import (
    BoardOptions,
    RunOptions,
    WorkerOptions,
    board_options,
    run_options,
    worker_options,
)
from ponder.cli.options import quiet_option
from ponder.cli.report import NAMED, Output, output_options, present
from ponder.cli.terminal import Progress, remark, say
from ponder.studies.compare import Plan, Tally, compare
from ponder.studies.methods import DEFAULT, ENTRIES, GROUPS
from ponder.studies.runs import REPEATABLE
from ponder.studies.sampling import Source
from ponder.studies.study import Study

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import Task

    from ponder.cli.compare_options import BoardOptions, RunOptions, WorkerOptions
    from ponder.cli.report import Output
    from ponder.studies.compare import Plan, Tally
    from ponder.studies.sampling import Source


@click.command(
    "compare",
    epilog="""\b
Examples:
  ponder compare instances/ --method greedy --method auto
  ponder compare --family cross:4..40..4 --boards 200 --study cross.study
  ponder compare --family balanced:24 --family plus:4..20 --seed 1 \\
      --method greedy --method auto --study first.study --plots plots/
  ponder compare --pattern king --size 4..8 --density 0.3 --count 50 --seed 1
  ponder compare --family cross:24 --method auto --method my.package:my_function
  ponder compare --list

\b
The same command again goes on where the study stopped, and repeats nothing.

\b
Exit codes: 0 done; 1 methods contradict each other, or an answer is wrong; 2 bad input;
130 interrupted (what was finished is stored).
""",
)
@click.argument("files", metavar="[FILE|FOLDER]…", nargs=-1, type=str)
@board_options
@run_options
@click.option("--study", metavar="FILE", help="Keep all of it in FILE (SQLite), and go on there.")
@click.option(
    "--retry", is_flag=True, help="Do the runs again that crashed, were killed, lost or rejected."
)
@worker_options
@output_options
@quiet_option
def command(
    files: tuple[str, ...],
    boards: BoardOptions,
    runs: RunOptions,
    study: str | None,
    retry: bool,
    pool: WorkerOptions,
    output: Output,
    quiet: bool,
) -> int:
    """Ask methods about the boards in files, in folders and of families; check every answer.

    Prints a table by family, size and method, and every contradiction between methods.
    """
    if runs.listing:
        return _list()
    pool.check()
    runs.check()
    output.check()
    plan = _plan(files, boards, runs, quiet)
    with Study(study or ":memory:", create=True) as opened:
        if retry:
            again = opened.forget_troubles(REPEATABLE)
            remark(f"{again:,} runs are done again", quiet)
        with pool.start(plan.boards) as workers, _progress(quiet) as show:
            tally = compare(opened, plan, workers, show)
        nothing = bool(tally.unreadable) and not tally.total
        remark(_summary(tally), quiet)
        for reason in list(tally.unreadable.values())[:NAMED]:
            remark(f"unreadable: {reason}", quiet and not nothing)
        code = present(opened, output)
    return 2 if nothing else code


def _plan(files: tuple[str, ...], boards: BoardOptions, runs: RunOptions, quiet: bool) -> Plan:
    """Return what is to be done; a remark names what lies beside the boards and is none."""
    sources: list[Source] = [*boards.generated(runs.seed, files=bool(files))]
    if not files and not sources:
        raise click.UsageError("no boards: name files, folders, or a --family")
    if (read := boards.read(files)) is not None:
        if read.others:
            names = ", ".join(map(str, read.others[:NAMED]))
            remark(f"passed over, JSON but no board: {names}", quiet)
        sources.append(read)
    return runs.plan(sources)


def _summary(tally: Tally) -> str:
    known = f" and {tally.stored:,} known before" if tally.stored else ""
    words = f": {tally.words}" if tally.words else ""
    return f"{tally.done:,} runs made{known}{words}"


def _list() -> int:
    """Print the methods."""
    for entry in ENTRIES:
        name = entry.name + ("ENCODING" if entry.name.endswith(":") else "")
        say([f"{name:<24}  {entry.summary}"])
    for group, members in GROUPS.items():
        say([f"{group:<24}  {', '.join(members)}"])
    say(["", f"default: {', '.join(DEFAULT)}"])
    return 0


@contextmanager
def _progress(quiet: bool) -> Iterator[Callable[[Tally], None]]:
    """Show progress on standard error; what is yielded is told the tally now and then."""
    if quiet or not sys.stderr.isatty():
        with Progress(quiet) as line:
            yield lambda tally: line.say(f"{tally.at:,} of {tally.total:,} runs; {tally.words}")
        return
    with _rich_bar() as bar:
        job = bar.add_task("", total=None, counts="")
        yield lambda tally: bar.update(
            job, total=tally.total, completed=tally.at, counts=tally.words
        )


def _rich_bar() -> Bar:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Rate(ProgressColumn):
        """Runs a second."""

        def render(self, task: Task) -> Text:
            speed = task.finished_speed or task.speed
            return Text("" if speed is None else f"{speed:,.0f}/s")

    return Progress(
        BarColumn(),
        MofNCompleteColumn(),
        Rate(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[counts]}"),
        console=Console(stderr=True),
        transient=True,
    )
