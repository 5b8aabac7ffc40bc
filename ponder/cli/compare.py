"""`ponder compare`: many methods on many boards, and whether they agree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

import click

from ponder.cli import params
from ponder.cli.output import Progress, painter, remark, say
from ponder.cli.params import Header
from ponder.studies.compare import Plan, WorkerPool, compare
from ponder.studies.dask_cluster import Cluster
from ponder.studies.methods import DEFAULT, ENTRIES, GROUPS, chosen
from ponder.studies.plots import draw
from ponder.studies.processes import Workers
from ponder.studies.report import Figures, disagreements, export, failures, legend, table
from ponder.studies.runs import FAILING, REPEATABLE, Verify
from ponder.studies.sampling import Source, find_files, parse_family
from ponder.studies.study import Study
from ponder.system.machine import cores

NAMED = 10  # entries at most of a long list, such as the files that were no boards


@params.command(
    """
Examples:
  ponder compare instances/ --method greedy --method auto
  ponder compare --family cross:4..40..4:boards=200 --study cross.study
  ponder compare --family balanced:24 --family plus:4..20 --seed 1 \\
      --method greedy --method auto --study first.study --plots plots/
  ponder compare --from first.study -o runs.csv
  ponder compare --family cross:24 --method auto --method my.package:my_function
  ponder compare instances/ --solver 'kissat -q {cnf} {proof}' --encoding precedence
  ponder compare graph.g6 petersen --odd 1,5 --method auto --method asp:count
  ponder compare --list

A family is a pattern, a shape, or a family of `ponder generate`, with its sizes and keys (density,
by, degree, edges, balance, boards, seed). The same command continues a study where it stopped.

Exit codes: 0 done; 1 methods contradict each other, or an answer is wrong; 2 bad input;
130 interrupted (the finished runs are stored).
"""
)
@click.argument("files", metavar="[FILE|FOLDER]…", nargs=-1)
@click.option("--family", "families", metavar="FAMILY:SIZES:KEY=VALUE:…", multiple=True)
@click.option("--boards", metavar="N", type=params.COUNT, default=100, help="Of each size.")
@params.header_option
@params.odd_option
@params.fixed_option
@click.option("--method", "methods", metavar="METHOD", multiple=True, help="As --list names them.")
@click.option("--solver", "solvers", metavar="SOLVER", multiple=True, help="As order has it.")
@click.option("--encoding", "encodings", metavar="NAME", multiple=True, help="Of the --solver.")
@click.option("--list", "listing", is_flag=True, help="List the methods.")
@params.trials_option
@click.option(
    "--timeout",
    metavar="SECONDS",
    type=click.FloatRange(0, params.MOST, min_open=True),
    default=10.0,
    help="Limit of a run; one that ignores it is killed.",
)
@params.seed_option
@click.option("--repeat", metavar="N", type=click.IntRange(1, 10_000), default=1, help="Seeds.")
@click.option("--verify", type=click.Choice(["all", "sample", "none"]), default="all")
@click.option("--study", metavar="FILE", help="Keep the runs in FILE (SQLite), or continue it.")
@click.option("--from", "earlier", metavar="STUDY", help="Tell of a study; make no run.")
@click.option("--retry", is_flag=True, help="Repeat runs that crashed, were lost or rejected.")
@click.option("--workers", metavar="N", type=click.IntRange(1, 256), help="Processes.")
@click.option("--cluster", metavar="ADDRESS", help="Send the runs to a Dask scheduler (tcp://…).")
@click.option("--plots", metavar="FOLDER", help="Draw the plots into FOLDER.")
@click.option("-o", "--output", metavar="FILE", help="Write the runs to FILE (.csv).")
@params.json_option
@params.quiet_option
def command(
    files: tuple[str, ...],
    families: tuple[str, ...],
    boards: int,
    header: Header,
    odd: str | None,
    fixed: str | None,
    methods: tuple[str, ...],
    solvers: tuple[str, ...],
    encodings: tuple[str, ...],
    listing: bool,
    trials: int,
    timeout: float,
    seed: int,
    repeat: int,
    verify: Verify,
    study: str | None,
    earlier: str | None,
    retry: bool,
    workers: int | None,
    cluster: str | None,
    plots: str | None,
    output: str | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Run methods on boards of files, folders and families, and check every answer.

    Prints a table by family, size and method, and every contradiction between methods.
    """
    if listing:
        return _list()
    if earlier is not None:
        with Study(earlier) as opened:
            return _present(opened, plots, output, as_json)
    sources: list[Source] = [parse_family(x, boards=boards, seed=seed) for x in families]
    if files:
        words = {key: value for key, value in header._asdict().items() if key != "lit"}
        read = find_files(list(files), **words, odd=odd, fixed=fixed)
        sources.append(read)
        if read.others:
            names = ", ".join(map(str, read.others[:NAMED]))
            remark(f"skipped, JSON but not a board: {names}", quiet)
    if not sources:
        raise click.UsageError("no boards: name files, folders, or a --family")
    if seed + repeat > 2**63:
        raise click.UsageError("--seed and --repeat together are too large")
    asked = tuple(chosen(methods, trials, solvers, encodings))
    plan = Plan(tuple(sources), asked, seed, repeat, timeout, verify)
    with Study(study or ":memory:", create=True) as opened:
        if retry:
            remark(f"{opened.forget_troubles(REPEATABLE):,} runs are repeated", quiet)
        processes = min(workers or cores(), max(plan.boards, 1))
        pool: WorkerPool
        started = Workers(processes) if cluster is None else Cluster(cluster)
        with started as pool, Progress(quiet) as line:
            tally = compare(
                opened, plan, pool, lambda x: line.say(f"{x.at:,} of {x.total:,} runs; {x.words}")
            )
        remark(f"{tally.done:,} runs made and {tally.stored:,} known before", quiet)
        for reason in list(tally.unreadable.values())[:NAMED]:
            remark(f"unreadable: {reason}", quiet and bool(tally.total))
        code = _present(opened, plots, output, as_json)
    return 2 if tally.unreadable and not tally.total else code


def _list() -> int:
    for entry in ENTRIES:
        name = entry.name + ("ENCODING" if entry.name.endswith(":") else "")
        say([f"{name:<24}  {entry.summary}"])
    for group, members in GROUPS.items():
        say([f"{group:<24}  {', '.join(members)}"])
    say(["", f"default: {', '.join(DEFAULT)}"])
    return 0


def _present(study: Study, plots: str | None, output: str | None, as_json: bool) -> int:
    """Print the table of a study, draw and export; return the exit code."""
    from ponder.cli.output import say_json

    figures = Figures.of(study)
    wrong = [*disagreements(study), *failures(study, FAILING)]
    if as_json:
        lines = [asdict(line) for line in figures.lines("size")]
        say_json({"lines": lines, "unreadable": figures.failures, "errors": wrong})
    else:
        say(_text(figures, wrong, failures(study, ("lost", "late"))))
    if plots is not None:
        remark(f"{len(draw(figures, plots))} plots in {plots}")
    if output is not None:
        remark(f"{export(study, output):,} rows in {output}")
    return 1 if wrong else 0


def _text(figures: Figures, wrong: list[str], lost: list[str]) -> Iterator[str]:
    paint = painter()
    rows = table(figures.lines("size")) if figures.runs.size else []
    yield from ([*rows, "", *legend(rows)] if rows else ["no runs"])
    for entries, words in (
        ([*figures.failures.values()], "files that are not boards"),
        (lost, "runs that were killed or lost their process"),
        (wrong, "answers that are wrong or contradict each other"),
    ):
        if entries:
            title = f"{words}: {len(entries):,}"
            yield from ("", paint(title, "bad") if entries is wrong else title)
            yield from ("  " + entry for entry in entries[:NAMED])
