"""What `ponder compare` is told: the boards, the runs, where they are kept and who does them."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass

import click

from ponder.cli.options import MOST, Finite, gathered, option, shared, trials_option
from ponder.parallel import cores
from ponder.studies.compare import Plan, WorkerPool
from ponder.studies.dask_cluster import Cluster
from ponder.studies.methods import chosen
from ponder.studies.processes import Workers
from ponder.studies.runs import Verify
from ponder.studies.sampling import BoardFiles, GeneratedBoards, Source, find_files, parse_family

MOST_REPEATS = 10_000
"""Each is a job of its own on every board; more boards say more than more seeds."""
A_CORE, A_FEW = 4, 16
"""More worker processes than so many a core, and a few, only get into each other's way."""


@dataclass(frozen=True)
class BoardOptions:
    """Which boards are compared on: families of boards, and what replaces the headers of files."""

    families: tuple[str, ...] = option(
        "--family",
        metavar="FAMILY",
        multiple=True,
        help="Draw boards: a pattern, or a family of `ponder generate` (balanced, unbalanced, "
        "cut, graph); or FAMILY:SIZES:KEY=VALUE:… with keys density, by, degree, edges, balance, "
        "boards, seed. Repeatable.",
    )
    sizes: tuple[str, ...] = option(
        "--size",
        metavar="SIZES",
        multiple=True,
        help="Sizes of families: 24, 3x5, 4..40, 4..40..2, or several with commas. Repeatable.",
    )
    density: float = option(
        "--density",
        type=Finite(0, 1),
        default=0.5,
        show_default=True,
        metavar="D",
        help="Share of the bulbs in the press sets of drawn boards.",
    )
    balance: str = option(
        "--balance",
        type=click.Choice(["any", "balanced", "unbalanced"]),
        default="any",
        show_default=True,
        help="cross: only boards that have an order, or only ones with unequal counts of odd "
        "lines.",
    )
    boards: int = option(
        "--boards",
        "--count",
        type=click.IntRange(1, MOST),
        default=100,
        show_default=True,
        metavar="N",
        help="Boards drawn of each size.",
    )
    pattern: str | None = option(
        "--pattern",
        metavar="PATTERN",
        help="Replaces the pattern of board files; without files, a family.",
    )
    rule: str | None = option("--rule", metavar="RULE", help="Replaces the rule of board files.")

    def generated(self, seed: int, *, files: bool) -> list[GeneratedBoards]:
        """Return the boards of families; a size without files means row/column boards.

        UsageError for a size that belongs to nothing, PonderError for a family that there is not.
        """
        families = self.families
        if self.sizes and not families:
            if files:
                raise click.UsageError(
                    "--size is about families, and there is none: add a --family"
                )
            families = (self.pattern or "cross",)
        return [
            parse_family(
                text,
                ",".join(self.sizes) or None,
                density=self.density,
                balance=self.balance,
                boards=self.boards,
                seed=seed,
            )
            for text in families
        ]

    def read(self, files: tuple[str, ...]) -> BoardFiles | None:
        """Return the files and those in folders; None when none are named."""
        return find_files(list(files), self.pattern, self.rule) if files else None


board_options = gathered("boards", BoardOptions)


@dataclass(frozen=True)
class RunOptions:
    """What is asked about every board, and how the answers are checked."""

    methods: tuple[str, ...] = option(
        "--method",
        metavar="METHOD",
        multiple=True,
        help="A method or group of --list, or module:function. Repeatable.  "
        "[default: greedy-fewest-backwards, auto]",
    )
    listing: bool = option("--list", is_flag=True, help="List the methods, and exit.")
    trials: int = shared(trials_option)
    timeout: float = option(
        "--timeout",
        type=Finite(0, MOST, min_open=True),
        default=10.0,
        show_default=True,
        metavar="SECONDS",
        help="Limit of a run; one that ignores it is killed.",
    )
    seed: int = option(
        "--seed",
        type=click.IntRange(0, 2**63 - 1),
        default=0,
        show_default=True,
        metavar="N",
        help="Seed of the methods, and of the first board of every size.",
    )
    repeat: int = option(
        "--repeat",
        type=click.IntRange(1, MOST_REPEATS),
        default=1,
        show_default=True,
        metavar="N",
        help="Runs of each method on each board, with the seeds that follow.",
    )
    verify: Verify = option(
        "--verify",
        type=click.Choice(["all", "sample", "none"]),
        default="all",
        show_default=True,
        help="Put before the independent checker: all results, those of one board in 16, none. "
        "Orders are replayed in any case.",
    )

    def plan(self, sources: list[Source]) -> Plan:
        """Return what is to be done."""
        methods = tuple(chosen(self.methods, self.trials))
        return Plan(tuple(sources), methods, self.seed, self.repeat, self.timeout, self.verify)

    def check(self) -> None:
        """UsageError for seeds that no study has room for."""
        if self.seed + self.repeat > 2**63:
            raise click.UsageError("--seed and --repeat together are too large")


run_options = gathered("runs", RunOptions)


@dataclass(frozen=True)
class WorkerOptions:
    """Who does the runs: processes of this machine, or a cluster."""

    workers: int | None = option(
        "--workers",
        type=click.IntRange(min=1),
        metavar="N",
        help="Processes on this machine.  [default: one a core]",
    )
    cluster: str | None = option(
        "--cluster",
        metavar="ADDRESS",
        help="Send the runs to a Dask scheduler (tcp://…).",
    )

    def check(self) -> None:
        """UsageError for both."""
        if self.cluster is not None and self.workers is not None:
            raise click.UsageError("--workers is for this machine, --cluster for others: take one")

    def start(self, boards: int) -> AbstractContextManager[WorkerPool]:
        """Start them; never more processes than there are boards, or can be of use."""
        if self.cluster is not None:
            return Cluster(self.cluster)
        most = max(A_CORE * cores(), A_FEW)
        return Workers(min(self.workers or cores(), max(boards, 1), most))


worker_options = gathered("pool", WorkerOptions)
