"""`ponder compare`: many methods on many boards, and whether they agree."""

from __future__ import annotations

import os
import re
from dataclasses import asdict
from functools import partial
from pathlib import Path

import click

from ponder.cli import params
from ponder.cli.boards import Header
from ponder.cli.output import Progress, painter, remark, say, say_json
from ponder.studies.compare import Plan, Tally, Workers, compare
from ponder.studies.executors import by_cluster, by_processes
from ponder.studies.methods import DEFAULT, METHODS, chosen
from ponder.studies.plots import draw_plots
from ponder.studies.sampling import BoardFiles, Source, find_files, parse_family
from ponder.studies.study import FAILING, Study, read_studies, write_csv
from ponder.studies.tables import lines, reasons, text
from ponder.system.errors import BoardError, require
from ponder.system.machine import cores
from ponder.system.printable import pluralise, printable

_SECONDS = click.FloatRange(0, params.MOST, min_open=True)
NAMED = 10  # entries at most of a long list, such as the files that were no boards


def _shard(ctx: click.Context, param: click.Parameter, word: str) -> tuple[int, int]:
    """Return (I − 1, N) of the word I/N."""
    numbers = re.fullmatch(r"(\d{1,6})/(\d{1,6})", word, re.ASCII)
    index, count = (0, 0) if numbers is None else map(int, numbers.groups())
    if not 1 <= index <= count:
        raise click.BadParameter("two numbers I/N, I from 1 to N", ctx, param)
    return index - 1, count


@params.command(
    """
Examples:
  ponder compare instances/ --method greedy --method auto
  ponder compare --family cross:4..40..4:boards=200 --study cross.study
  ponder compare --family balanced:24 --family plus:4..20 --seed 1 \\
      --method greedy --method auto --study first.study --plots plots/
  ponder compare --from first.study second.study -o runs.csv
  ponder compare --from part1.study part2.study --study all.study
  ponder compare --family cross:24 --method auto --method my.package:my_function
  ponder compare instances/ --solver 'kissat -q {cnf} {proof}' --encoding precedence \\
      --timeout 60 --check-timeout 600
  ponder compare --family cross:24 --method greedy:rounds:forwards --shard 2/8
  ponder compare --list

A family is a pattern, a shape, or a family of `ponder generate`, with its sizes and keys (density,
by, degree, edges, boards, seed). The same command continues a study where it stopped. What a solver
calls unsatisfiable without a proof that was checked counts as unproved.

Exit codes: 0 done; 1 methods contradict each other, an answer is wrong, or a method or a solver
fails; 2 bad input; 130 interrupted (the finished runs are stored).
"""
)
@click.argument("files", metavar="[FILE|FOLDER]…", nargs=-1)
@click.option(
    "--family",
    "families",
    metavar="FAMILY:SIZES:KEY=VALUE:…",
    multiple=True,
    help="Random boards: a family, its sizes, its keys; see below.",
)
@click.option("--boards", metavar="N", type=params.COUNT, default=100, help="Boards of each size.")
@params.header_option
@click.option("--method", "methods", metavar="METHOD", multiple=True, help="A method of --list.")
@click.option(
    "--solver", "solvers", metavar="SOLVER", multiple=True, help="A solver: a name or a command."
)
@click.option("--encoding", "encodings", metavar="NAME", multiple=True, help="A formula for it.")
@click.option("--list", "listing", is_flag=True, help="List the methods.")
@params.trials_option
@click.option(
    "--timeout",
    metavar="SECONDS",
    type=_SECONDS,
    default=10.0,
    help="Limit of a method or its solver; one that ignores it is killed.",
)
@click.option("--encode-timeout", metavar="SECONDS", type=_SECONDS, help="To make a formula.")
@click.option("--check-timeout", metavar="SECONDS", type=_SECONDS, help="To check an answer.")
@click.option(
    "--verify",
    type=click.Choice(["all", "none"]),
    default="all",
    help="none: no answer is checked, and no solver is asked for proofs.",
)
@params.seed_option
@click.option("--study", metavar="FILE", help="Keep the runs in FILE (SQLite), or continue it.")
@click.option(
    "--from",
    "earlier",
    metavar="STUDY",
    multiple=True,
    help="Print studies that exist; FILEs are studies, too.",
)
@click.option(
    "--shard", metavar="I/N", default="1/1", callback=_shard, help="Part I of N of the boards."
)
@click.option("--retry", is_flag=True, help="Repeat runs that failed, were lost or rejected.")
@click.option("--workers", metavar="N", type=click.IntRange(1, 256), help="Processes at once.")
@click.option("--cluster", metavar="ADDRESS", help="Send the runs to a Dask scheduler (tcp://…).")
@click.option("--plots", metavar="FOLDER", help="Draw the plots into FOLDER.")
@click.option("-o", "--output", metavar="FILE", help="Write the runs to FILE (CSV).")
@params.json_option
@params.quiet_option
def command(
    files: tuple[str, ...],
    families: tuple[str, ...],
    boards: int,
    header: Header,
    methods: tuple[str, ...],
    solvers: tuple[str, ...],
    encodings: tuple[str, ...],
    listing: bool,
    trials: int,
    timeout: float,
    encode_timeout: float | None,
    check_timeout: float | None,
    verify: str,
    seed: int,
    study: str | None,
    earlier: tuple[str, ...],
    shard: tuple[int, int],
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
    if output == "-" and as_json:
        raise click.UsageError("--json and -o - both write to standard output")
    _make_ready(output, plots, study)
    if earlier:
        kept = {"earlier", "files", "study", "plots", "output", "as_json", "quiet"}
        params.refuse_others(kept, "is about runs to be made, and --from tells of those there are")
        with read_studies((*earlier, *files), study or ":memory:") as opened:
            return _present(opened, plots, output, as_json, [])
    if encodings and not solvers:
        raise click.UsageError("--encoding is that of a --solver; --method sat:NAME needs none")
    sources: list[Source] = [parse_family(x, boards=boards, seed=seed) for x in families]
    if files:
        paths, no_boards = find_files(list(files))
        params.refuse_inputs([output], (*paths, *no_boards))
        words = tuple(str(word) for word in header._replace(line=None) if word is not None)
        alone = {Path(x): x for x in files if not Path(x).is_dir()}
        named = {f"{x}{at}": board for x in alone for at, board in header.all_in(alone[x])}
        items = (*map(Path, named), *(path for path in paths if path not in alone))
        sources.append(BoardFiles(items, lambda path: named.get(path) or header.read(path), words))
        if no_boards:
            names = ", ".join(map(str, no_boards[:NAMED]))
            remark(f"skipped, JSON but not a board: {names}", quiet)
    if not sources:
        raise click.UsageError("no boards: name files, folders, or a --family")
    asked = tuple(chosen(methods, trials, solvers, encodings))
    check = 0.0 if verify == "none" else check_timeout or timeout
    limits = encode_timeout or timeout, timeout, check
    plan = Plan(tuple(sources), asked, seed, limits, shard, retry)
    with Study(study or ":memory:", create=True) as opened:
        count = min(workers or cores(), max(plan.total, 1))
        pool: Workers = partial(by_processes, count=count)
        if cluster is not None:
            pool = partial(by_cluster, address=cluster)
        with Progress(quiet) as line:

            def show(tally: Tally) -> None:
                line.say(f"{tally.done + tally.stored:,} of {tally.total:,} runs")

            tally = compare(opened, plan, pool, show)
        remark(f"runs made: {tally.done:,}; known before: {tally.stored:,}", quiet)
        for reason in tally.unreadable[:NAMED] if not tally.total else ():
            remark(f"unreadable: {reason}")
        code = _present(opened, plots, output, as_json, tally.unreadable)
    return 2 if tally.unreadable and not tally.total else code


def _list() -> int:
    say(f"{name:<8}  {summary}" for name, summary in METHODS.items())
    say(["", "module:function  a method of your own", "", f"default: {', '.join(DEFAULT)}"])
    return 0


def _make_ready(output: str | None, plots: str | None, study: str | None) -> None:
    """Make the folder of the plots, and see that FILE can be written. Raises PonderError."""
    if output is not None and output != "-":
        folder = os.path.dirname(os.path.realpath(output))
        device = os.path.exists(output) and not os.path.isfile(output)
        if os.path.isdir(output) or not os.access(output if device else folder, os.W_OK):
            raise BoardError("cannot be written: a folder, or in none that may be written", output)
        is_study = study is not None and os.path.realpath(study) == os.path.realpath(output)
        if not is_study and os.path.isfile(output):
            with open(output, "rb") as file:
                is_study = file.read(15) == b"SQLite format 3"
        if is_study:
            raise BoardError("it is a study: name another file for the runs (CSV)", output)
    if plots is not None:
        require("matplotlib", "plots", "plots")
        Path(plots).mkdir(parents=True, exist_ok=True)


def _present(
    study: Study, plots: str | None, output: str | None, as_json: bool, unreadable: list[str]
) -> int:
    """Print the table of a study, draw and export; return the exit code."""
    table = lines(study.runs())
    if mixed := study.of_several_contents():
        shown = "the earlier left out" if study.current.keys() >= {*mixed} else "all shown"
        remark(f"runs on different contents of a file, {shown}: {', '.join(mixed[:NAMED])}")
    wrong = [*study.contradictions(), *study.troubles(FAILING)]
    if as_json:
        rows = [asdict(line) for line in table]
        say_json({"lines": rows, "unreadable": unreadable, "errors": wrong})
    else:
        aside = partial(click.echo, err=True)
        tell = say if output != "-" else lambda texts: aside("\n".join(map(printable, texts)))
        tell(text(table) if table else ["no runs"])
        paint = painter()
        why, killed = reasons(table), study.troubles(("lost", "late"))
        bad = paint("failures, and answers that are wrong or contradict each other", "bad")
        for entries, title, runs in (
            (list(why), "runs that are unknown, unproved or refused, and why", sum(why.values())),
            (unreadable, "files that are not boards", len(unreadable)),
            (killed, "runs that were killed or lost their process", len(killed)),
            (wrong, bad, len(wrong)),
        ):
            if entries:
                tell(["", f"{title}: {runs:,}", *(f"  {x}" for x in entries[:NAMED])])
    if plots is not None:
        remark(f"{pluralise(len(draw_plots(study, plots)), 'plot')} in {plots}")
    if output is not None:
        remark(f"rows in {output}: {write_csv(study, output):,}", output == "-")
    return 1 if wrong else 0
