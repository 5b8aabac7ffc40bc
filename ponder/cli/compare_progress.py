"""How far a comparison is: a bar on a terminal, a rare line elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import Task

    from ponder.studies.compare import Tally


@contextmanager
def progress(quiet: bool) -> Iterator[Callable[[Tally], None]]:
    """Show progress on standard error; what is yielded is told the tally now and then."""
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
