"""`ponder compare`: many methods on many boards, and whether they agree."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from ponder.cli.options import MOST, Finite, quiet_option, trials_option
from ponder.cli.report import output_options

if TYPE_CHECKING:
    from ponder.cli.report import Output
    from ponder.studies.compare import Tally, Verify
    from ponder.studies.sampling import Source


MOST_REPEATS = 10_000
"""Each is a job of its own on every board; more boards say more than more seeds."""
A_CORE, A_FEW = 4, 16
"""More worker processes than so many a core, and a few, only get into each other's way."""


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
@click.option(
    "--family",
    "families",
    metavar="FAMILY",
    multiple=True,
    help="Draw boards: a pattern, or a family of `ponder generate` (balanced, unbalanced, cut, "
    "graph); or FAMILY:SIZES:KEY=VALUE:… with keys density, by, degree, edges, balance, boards, "
    "seed. Repeatable.",
)
@click.option(
    "--size",
    "sizes",
    metavar="SIZES",
    multiple=True,
    help="Sizes of families: 24, 3x5, 4..40, 4..40..2, or several with commas. Repeatable.",
)
@click.option(
    "--density",
    type=Finite(0, 1),
    default=0.5,
    show_default=True,
    metavar="D",
    help="Share of the bulbs in the press sets of drawn boards.",
)
@click.option(
    "--balance",
    type=click.Choice(["any", "balanced", "unbalanced"]),
    default="any",
    show_default=True,
    help="cross: only boards that have an order, or only ones with unequal counts of odd lines.",
)
@click.option(
    "--boards",
    "--count",
    type=click.IntRange(1, MOST),
    default=100,
    show_default=True,
    metavar="N",
    help="Boards drawn of each size.",
)
@click.option(
    "--pattern",
    metavar="PATTERN",
    help="Replaces the pattern of board files; without files, a family.",
)
@click.option("--rule", metavar="RULE", help="Replaces the rule of board files.")
@click.option(
    "--method",
    "methods",
    metavar="METHOD",
    multiple=True,
    help="A method or group of --list, or module:function. Repeatable.  "
    "[default: greedy-fewest-backwards, auto]",
)
@click.option("--list", "listing", is_flag=True, help="List the methods, and exit.")
@trials_option
@click.option(
    "--timeout",
    type=Finite(0, MOST, min_open=True),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="Limit of a run; one that ignores it is killed.",
)
@click.option(
    "--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True, metavar="N",
    help="Seed of the methods, and of the first board of every size.",
)  # fmt: skip
@click.option(
    "--repeat",
    type=click.IntRange(1, MOST_REPEATS),
    default=1,
    show_default=True,
    metavar="N",
    help="Runs of each method on each board, with the seeds that follow.",
)
@click.option(
    "--verify",
    type=click.Choice(["all", "sample", "none"]),
    default="all",
    show_default=True,
    help="Put before the independent checker: all results, those of one board in 16, none. "
    "Orders are replayed in any case.",
)
@click.option("--study", metavar="FILE", help="Keep all of it in FILE (SQLite), and go on there.")
@click.option(
    "--retry", is_flag=True, help="Do the runs again that crashed, were killed, lost or rejected."
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    metavar="N",
    help="Processes on this machine.  [default: one a core]",
)
@click.option("--cluster", metavar="ADDRESS", help="Send the runs to a Dask scheduler (tcp://…).")
@output_options
@quiet_option
def command(
    files: tuple[str, ...],
    families: tuple[str, ...],
    sizes: tuple[str, ...],
    density: float,
    balance: str,
    boards: int,
    pattern: str | None,
    rule: str | None,
    methods: tuple[str, ...],
    listing: bool,
    trials: int,
    timeout: float,
    seed: int,
    repeat: int,
    verify: Verify,
    study: str | None,
    retry: bool,
    workers: int | None,
    cluster: str | None,
    output: Output,
    quiet: bool,
) -> int:
    """Ask methods about the boards in files, in folders and of families; check every answer.

    Prints a table by family, size and method, and every contradiction between methods.
    """
    from ponder.cli.report import NAMED, present
    from ponder.cli.terminal import remark
    from ponder.studies.compare import REPEATABLE, Plan, compare
    from ponder.studies.methods import chosen
    from ponder.studies.sampling import find_files, parse_family
    from ponder.studies.study import Study

    if listing:
        return _list()
    if cluster is not None and workers is not None:
        raise click.UsageError("--workers is for this machine, --cluster for others: take one")
    if sizes and not families:
        if files:
            raise click.UsageError("--size is about families, and there is none: add a --family")
        families, pattern = (pattern or "cross",), None
    if study == "":
        raise click.UsageError("--study names no file")
    if seed + repeat > 2**63:
        raise click.UsageError("--seed and --repeat together are too large")
    output.check()
    if not files and not families:
        raise click.UsageError("no boards: name files, folders, or a --family")
    ranges = ",".join(sizes) or None
    sources: list[Source] = [
        parse_family(text, ranges, density=density, balance=balance, boards=boards, seed=seed)
        for text in families
    ]
    if files:
        found = find_files(list(files), pattern, rule)
        if found.others:
            names = ", ".join(map(str, found.others[:NAMED]))
            remark(f"passed over, JSON but no board: {names}", quiet)
        sources.append(found)
    plan = Plan(tuple(sources), tuple(chosen(methods, trials)), seed, repeat, timeout, verify)
    with Study(study or ":memory:", create=True) as opened:
        if retry:
            again = opened.forget_troubles(REPEATABLE)
            remark(f"{again:,} runs are done again", quiet)
        with _crew(workers, cluster, plan.boards) as crew, _progress(quiet) as show:
            tally = compare(opened, plan, crew, show)
        remark(_summary(tally), quiet)
        nothing = bool(tally.unreadable) and not tally.total
        for reason in list(tally.unreadable.values())[:NAMED]:
            remark(f"unreadable: {reason}", quiet and not nothing)
        code = present(opened, output)
    return 2 if nothing else code


def _crew(workers: int | None, cluster: str | None, boards: int) -> Any:
    """Return who does the runs; never more processes than there are boards, or can be of use."""
    if cluster is not None:
        from ponder.studies.dask_cluster import Cluster

        return Cluster(cluster)
    from ponder.studies.processes import Workers

    mine = getattr(os, "sched_getaffinity", None)
    cores = len(mine(0)) if mine is not None else os.cpu_count() or 1
    return Workers(min(workers or cores, max(boards, 1), max(A_CORE * cores, A_FEW)))


def _summary(tally: Tally) -> str:
    known = f" and {tally.stored:,} known before" if tally.stored else ""
    words = f": {tally.words}" if tally.words else ""
    return f"{tally.done:,} runs made{known}{words}"


def _list() -> int:
    """Print the methods, and why some are not available."""
    from ponder.cli.terminal import painter, say
    from ponder.studies.methods import DEFAULT, ENTRIES, GROUPS

    paint = painter()
    for entry in ENTRIES:
        missing = entry.missing
        name = entry.name + ("ENCODING" if entry.name.endswith(":") else "")
        note = "" if missing is None else paint(f"  not available: {missing}", "bad")
        say([f"{name:<24}  {entry.summary}{note}"])
    for group, members in GROUPS.items():
        say([f"{group:<24}  {', '.join(members)}"])
    say(["", f"default: {', '.join(DEFAULT)}"])
    return 0


@contextmanager
def _progress(quiet: bool) -> Iterator[Callable[[Tally], None]]:
    """Progress on standard error: a bar on a terminal, a rare line elsewhere."""
    import sys

    from ponder.cli.terminal import Progress

    if quiet or not sys.stderr.isatty():
        with Progress(quiet) as line:
            yield lambda tally: line.say(f"{tally.at:,} of {tally.total:,} runs; {tally.words}")
        return
    with _rich_bar() as bar:
        job = bar.add_task("", total=None, counts="")
        yield lambda tally: bar.update(
            job, total=tally.total, completed=tally.at, counts=tally.words
        )


def _rich_bar() -> Any:
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

        def render(self, task: Any) -> Text:
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
