"""`ponder compare`: many methods on many boards, and whether they agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ponder.cli.compare_options import board_options, run_options, worker_options
from ponder.cli.options import quiet_option
from ponder.cli.report import output_options

if TYPE_CHECKING:
    from ponder.cli.compare_options import BoardOptions, RunOptions, WorkerOptions
    from ponder.cli.report import Output
    from ponder.studies.compare import Plan, Tally
    from ponder.studies.sampling import Source


@click.command(
    "compare",
    short_help="Compare methods on many boards: who solves what, how fast, and do they agree?",
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
    from ponder.cli.compare_progress import progress
    from ponder.cli.report import present
    from ponder.cli.terminal import remark
    from ponder.studies.compare import compare
    from ponder.studies.runs import REPEATABLE
    from ponder.studies.study import Study

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
        with pool.start(plan.boards) as workers, progress(quiet) as show:
            tally = compare(opened, plan, workers, show)
        nothing = bool(tally.unreadable) and not tally.total
        remark(_summary(tally), quiet)
        _name_unreadable(tally, quiet and not nothing)
        code = present(opened, output)
    return 2 if nothing else code


def _plan(files: tuple[str, ...], boards: BoardOptions, runs: RunOptions, quiet: bool) -> Plan:
    """Return what is to be done; a remark names what lies beside the boards and is none."""
    from ponder.cli.report import NAMED
    from ponder.cli.terminal import remark

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


def _name_unreadable(tally: Tally, quiet: bool) -> None:
    """Say why files were no boards."""
    from ponder.cli.report import NAMED
    from ponder.cli.terminal import remark

    for reason in list(tally.unreadable.values())[:NAMED]:
        remark(f"unreadable: {reason}", quiet)


def _list() -> int:
    """Print the methods."""
    from ponder.cli.terminal import say
    from ponder.studies.methods import DEFAULT, ENTRIES, GROUPS

    for entry in ENTRIES:
        name = entry.name + ("ENCODING" if entry.name.endswith(":") else "")
        say([f"{name:<24}  {entry.summary}"])
    for group, members in GROUPS.items():
        say([f"{group:<24}  {', '.join(members)}"])
    say(["", f"default: {', '.join(DEFAULT)}"])
    return 0
