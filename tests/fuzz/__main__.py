"""`python -m tests.fuzz`: see the package."""

from __future__ import annotations

import sys
import time

import click

from tests.fuzz import KINDS
from tests.fuzz.running import Found, describe, do, run, summary


@click.command()
@click.option("--minutes", type=click.FloatRange(min=0), default=2.0, show_default=True)
@click.option("--seed", type=int, default=None, help="[default: the time]")
@click.option("--kind", "kinds", type=click.Choice(KINDS), multiple=True, help="[default: all]")
@click.option("--batch", type=int, help="Do this one batch of one --kind, in this process.")
def main(minutes: float, seed: int | None, kinds: tuple[str, ...], batch: int | None) -> None:
    """Fuzz ponder: make inputs at random, judge what becomes of them, shrink what fails.

    Exit code 1 when anything failed.
    """
    seed = int(time.time()) if seed is None else seed
    if batch is not None:
        if len(kinds) != 1 or seed is None:
            raise click.UsageError("--batch needs one --kind")
        answer = do(seed, kinds[0], batch)
        if isinstance(answer, Found):
            click.echo(describe(answer, seed))
            sys.exit(1)
        click.echo(f"{answer} inputs, no failure")
        return
    click.echo(f"seed {seed}, {minutes:g} minutes: {', '.join(kinds or KINDS)}")
    tally = run(kinds or KINDS, 60 * minutes, seed)
    for line in summary(tally):
        click.echo(line)
    sys.exit(1 if tally.found else 0)


if __name__ == "__main__":
    main()
