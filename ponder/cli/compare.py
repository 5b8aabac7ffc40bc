"""`ponder compare`: many methods on many boards, and whether they agree."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import click

from ponder.cli import options
from ponder.cli.options import argument, gathered, option
from ponder.cli.report import NAMED, Output, present
from ponder.cli.terminal import Progress, remark, say
from ponder.model.presets import NAMES
from ponder.system.machine import cores

if TYPE_CHECKING:
    from ponder.studies.compare import Plan, Tally, WorkerPool
    from ponder.studies.runs import Verify
    from ponder.studies.sampling import GeneratedBoards, Source

MOST_REPEATS = 10_000  # each is a job on every board; more boards say more than more seeds
A_CORE, A_FEW = 4, 16  # workers a core, and beyond; more would be in each other's way


@dataclass(frozen=True)
class BoardOptions:
    """Which boards are compared on: families of boards, and what replaces the headers of files."""

    families: tuple[str, ...] = option(
        "--family FAMILY",
        "Draw boards: a pattern, or a family of `ponder generate` (balanced, unbalanced, cut, "
        "graph); or FAMILY:SIZES:KEY=VALUE:… with keys density, by, degree, edges, balance, "
        "boards, seed. Repeatable.",
        multiple=True,
    )
    sizes: tuple[str, ...] = option(
        "--size SIZES",
        "Sizes of families: 24, 3x5, 4..40, 4..40..2, or several with commas. Repeatable.",
        multiple=True,
    )
    density: float = option(
        "--density D",
        "Share of the bulbs in the press sets of drawn boards.",
        type=options.SHARE,
        default=0.5,
    )
    balance: str = option(
        "--balance",
        "cross: only boards that have an order, or only ones with unequal counts of odd lines.",
        choices=["any", "balanced", "unbalanced"],
        default="any",
    )
    boards: int = option(
        "--boards, --count N", "Boards drawn of each size.", type=options.COUNT, default=100
    )
    pattern: str | None = option(
        "--pattern PATTERN", "Replaces the pattern of board files; without files, a family."
    )
    rule: str | None = option("--rule RULE", "Replaces the rule of board files.")
    goal: str | None = option("--goal GOAL", "Replaces the goal of board files: lit, unlit.")
    puzzle: str | None = option(
        "--puzzle NAME", f"Pattern, rule and goal by one name: {', '.join(NAMES)}."
    )

    odd: str | None = options.odd_option
    fixed: str | None = options.fixed_option

    def generated(self, seed: int, *, files: bool) -> list[GeneratedBoards]:
        """Return the boards of families, cross for a size alone. Raises UsageError."""
        from ponder.studies.sampling import parse_family

        families, sizes = self.families, ",".join(self.sizes) or None
        if sizes and not families:
            if files:
                reason = "--size is about families, and there is none: add a --family"
                raise click.UsageError(reason)
            if self.rule or self.goal or self.puzzle:
                raise click.UsageError("--rule, --goal and --puzzle are about board files")
            families = (self.pattern or "cross",)
        drawn = partial(parse_family, sizes=sizes, density=self.density, balance=self.balance)
        return [drawn(text, boards=self.boards, seed=seed) for text in families]


@dataclass(frozen=True)
class RunOptions:
    """What is asked about every board, and how the answers are checked."""

    methods: tuple[str, ...] = option(
        "--method METHOD",
        "A method or group of --list, or module:function. Repeatable.  [default: "
        "greedy-fewest-backwards, auto]",
        multiple=True,
    )
    solvers: tuple[str, ...] = option(
        "--solver SOLVER",
        "A SAT solver of your own: a command with {cnf}, and with {proof} if its no is to count; "
        "or a name that `ponder order --solver` knows. Repeatable.",
        multiple=True,
    )
    encodings: tuple[str, ...] = option(
        "--encoding NAME",
        "The formulas that solvers get; `ponder encodings` lists them. Repeatable.  [default: "
        "precedence]",
        multiple=True,
    )
    listing: bool = option("--list", "List the methods, and exit.")
    trials: int = options.trials_option
    timeout: float = option(
        "--timeout SECONDS",
        "Limit of a run; one that ignores it is killed.",
        type=options.Finite(0, options.MOST, min_open=True),
        default=10.0,
    )
    seed: int = option(
        "--seed N",
        "Seed of the methods, and of the first board of every size.",
        type=options.SEED,
        default=0,
    )
    repeat: int = option(
        "--repeat N",
        "Runs of each method on each board, with the seeds that follow.",
        type=options.Whole(1, MOST_REPEATS),
        default=1,
    )
    verify: Verify = option(
        "--verify",
        "What the independent checker checks: all results, those of one board in 16, or none. "
        "Orders are always replayed.",
        choices=["all", "sample", "none"],
        default="all",
    )

    def plan(self, sources: list[Source]) -> Plan:
        """Return what is to be done."""
        from ponder.studies.compare import Plan
        from ponder.studies.methods import chosen

        if self.encodings and not self.solvers:
            raise click.UsageError("--encoding is for a --solver: --method sat:ENCODING names both")
        methods = tuple(chosen(self.methods, self.trials, self.solvers, self.encodings))
        return Plan(tuple(sources), methods, self.seed, self.repeat, self.timeout, self.verify)

    def check(self) -> None:
        """Raise UsageError for seeds that no study has room for."""
        if self.seed + self.repeat > 2**63:
            raise click.UsageError("--seed and --repeat together are too large")


@dataclass(frozen=True)
class WorkerOptions:
    """Who does the runs: processes of this machine, or a cluster."""

    workers: int | None = option(
        "--workers N",
        "Processes on this machine.  [default: one a core]",
        type=options.Whole(min=1),
    )
    cluster: str | None = option(
        "--cluster ADDRESS", "Send the runs to a Dask scheduler (tcp://…)."
    )

    def check(self) -> None:
        """Raise UsageError if both are asked for."""
        if self.cluster is not None and self.workers is not None:
            raise click.UsageError("--workers is for this machine, --cluster for others: give one")

    def start(self, boards: int) -> AbstractContextManager[WorkerPool]:
        """Start them; never more processes than there are boards, or can be of use."""
        from ponder.studies.dask_cluster import Cluster
        from ponder.studies.processes import Workers

        if self.cluster is not None:
            return Cluster(self.cluster)
        most = max(A_CORE * cores(), A_FEW)
        return Workers(min(self.workers or cores(), max(boards, 1), most))


@options.command(
    """
Examples:
  ponder compare instances/ --method greedy --method auto
  ponder compare --family cross:4..40..4 --boards 200 --study cross.study
  ponder compare --family balanced:24 --family plus:4..20 --seed 1 \\
      --method greedy --method auto --study first.study --plots plots/
  ponder compare --pattern king --size 4..8 --density 0.3 --count 50 --seed 1
  ponder compare --family cross:24 --method auto --method my.package:my_function
  ponder compare instances/ --solver 'kissat -q {cnf} {proof}' --encoding precedence
  ponder compare graph.g6 petersen --odd 1,5 --method auto --method asp:count
  ponder compare --list

The same command continues a study where it stopped, and repeats nothing.

Exit codes: 0 done; 1 methods contradict each other, or an answer is wrong; 2 bad input;
130 interrupted (what was finished is stored).
"""
)
def command(
    files: tuple[str, ...] = argument("[FILE|FOLDER]…", nargs=-1),
    boards: BoardOptions = gathered(BoardOptions),
    runs: RunOptions = gathered(RunOptions),
    study: str | None = option("--study FILE", "Keep everything in FILE (SQLite), or continue it."),
    retry: bool = option("--retry", "Repeat runs that crashed, or were killed, lost or rejected."),
    pool: WorkerOptions = gathered(WorkerOptions),
    output: Output = gathered(Output),
    quiet: bool = options.quiet_option,
) -> int:
    """Run methods on boards of files, folders and families, and check every answer.

    Prints a table by family, size and method, and every contradiction between methods.
    """
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
            remark(f"{again:,} runs are repeated", quiet)
        with pool.start(plan.boards) as workers, _progress(quiet) as show:
            tally = compare(opened, plan, workers, show)
        nothing = bool(tally.unreadable) and not tally.total
        known = f" and {tally.stored:,} known before" if tally.stored else ""
        words = f": {tally.words}" if tally.words else ""
        remark(f"{tally.done:,} runs made{known}{words}", quiet or nothing)
        for reason in list(tally.unreadable.values())[:NAMED]:
            remark(f"unreadable: {reason}", quiet and not nothing)
        if nothing and not output.as_json:
            return 2
        code = present(opened, output)
    return 2 if nothing else code


def _plan(files: tuple[str, ...], boards: BoardOptions, runs: RunOptions, quiet: bool) -> Plan:
    """Return the plan; a remark names files beside the boards that are not boards."""
    from ponder.studies.sampling import find_files

    sources: list[Source] = [*boards.generated(runs.seed, files=bool(files))]
    if sources and (boards.odd is not None or boards.fixed is not None):
        raise click.UsageError("--odd and --fixed are about graphs in files")
    if not files and not sources:
        raise click.UsageError("no boards: name files, folders, or a --family")
    if files:
        keys = ("pattern", "rule", "goal", "puzzle", "odd", "fixed")
        said = {key: getattr(boards, key) for key in keys}
        if (boards.odd or boards.fixed) and any(said[key] for key in keys[:4]):
            raise click.UsageError("--odd and --fixed are about graphs, which have no pattern")
        read = find_files(list(files), **said)
        if read.others:
            names = ", ".join(map(str, read.others[:NAMED]))
            remark(f"skipped, JSON but not a board: {names}", quiet)
        sources.append(read)
    return runs.plan(sources)


def _list() -> int:
    from ponder.studies.methods import DEFAULT, ENTRIES, GROUPS

    for entry in ENTRIES:
        name = entry.name + ("ENCODING" if entry.name.endswith(":") else "")
        say([f"{name:<24}  {entry.summary}"])
    for group, members in GROUPS.items():
        say([f"{group:<24}  {', '.join(members)}"])
    say(["", f"default: {', '.join(DEFAULT)}"])
    return 0


@contextmanager
def _progress(quiet: bool) -> Iterator[Callable[[Tally], None]]:
    """Show progress on standard error; yields a function that takes the tally."""
    from ponder.model.render import seconds_text

    begun = time.perf_counter()
    with Progress(quiet) as line:

        def show(tally: Tally) -> None:
            text = f"{tally.at:,} of {tally.total:,} runs"
            if tally.done:
                rate = tally.done / (time.perf_counter() - begun)
                text += f", {rate:,.0f}/s, {seconds_text((tally.total - tally.at) / rate)} left"
            line.say("; ".join(filter(None, (text, tally.words))))

        yield show
