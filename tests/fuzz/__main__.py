"""The runner: batches of inputs, each in a process of its own, which may hang, crash or be killed.

What a batch tries depends on (seed, kind, number of the batch) alone. An input that computes for
`SECONDS` ends the batch, and so does a batch that needs more memory than `ADDRESSES`.
"""

from __future__ import annotations

import random
import resource
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from types import FrameType
from typing import Any

import click
import hypothesis
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from tests.fuzz import boards, commands, proofs, results

KINDS: dict[str, tuple[Callable[[random.Random], Any], Callable[[Any], None]]] = {
    "boards": (boards.make, boards.judge),
    "commands": (commands.make, commands.judge),
    "proofs": (proofs.make, proofs.judge),
    "results": (results.make, results.judge),
}
BATCH = 50
SECONDS = 20.0
"""Of processor time, for one input that takes a few milliseconds."""
SILENCE = 400.0
"""Seconds after which a batch is killed: shrinking may take five minutes."""
ADDRESSES = 6 << 30


class Hung(BaseException):
    """An input took too long. No `Exception`: nothing on its way may take it for an error."""


def do(seed: int, kind: str, number: int, inputs: int = BATCH) -> str | None:
    """Try a batch of inputs; return None, or what fails with the smallest input."""
    make, judge = KINDS[kind]
    last: list[Any] = []

    def attempt(made: Any) -> None:
        last[:] = [made]
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            judge(made)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)

    def ring(number: int, frame: FrameType | None) -> None:
        raise Hung

    how = settings(
        max_examples=inputs,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink),
    )
    tried = hypothesis.given(st.randoms(use_true_random=False).map(make))(attempt)
    before = signal.signal(signal.SIGPROF, ring)
    try:
        hypothesis.seed(hash((seed, list(KINDS).index(kind), number)))(how(tried))()
    except (Exception, Hung) as error:
        return f"{''.join(traceback.format_exception(error)[-12:])}last input: {last!r:.5000}"
    finally:
        signal.signal(signal.SIGPROF, before)
    return None


def _work(pipe: Connection, seed: int, kind: str, number: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, resource.getrlimit(resource.RLIMIT_AS)[1]))
    pipe.send(do(seed, kind, number))


def apart(seed: int, kind: str, number: int) -> str | None:
    """Do a batch in another process; its silence and its death are failures too."""
    context = get_context("fork")
    mine, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs, seed, kind, number))
    process.start()
    theirs.close()
    try:
        if mine.poll(SILENCE):
            answer: str | None = mine.recv()
            return answer
        return "silent, and killed"
    except EOFError:
        process.join(5.0)
        return f"the process died (exit code {process.exitcode})"
    finally:
        process.kill()
        process.join()


def run(kinds: Sequence[str], seconds: float, seed: int) -> tuple[Counter[str], list[str]]:
    """Do batches of the kinds in turn for so long; return the batches done and what failed."""
    counts, failures = Counter[str](), []
    end = time.monotonic() + seconds
    with suppress(KeyboardInterrupt):
        while time.monotonic() < end:
            kind = min(kinds, key=counts.__getitem__)
            counts[kind] += 1
            failure = apart(seed, kind, counts[kind])
            if failure is not None:
                again = f"python -m tests.fuzz --kind {kind} --batch {counts[kind]} --seed {seed}"
                failures.append(f"{failure}\nmade again by: {again}")
                click.echo(f"FAILURE {failures[-1]}\n")
    return counts, failures


@click.command()
@click.option("--minutes", type=click.FloatRange(min=0), default=2.0, show_default=True)
@click.option("--seed", type=int, default=None, help="[default: the time]")
@click.option("--kind", "kinds", type=click.Choice(list(KINDS)), multiple=True)
@click.option("--batch", type=int, help="Do this one batch of one --kind.")
def main(minutes: float, seed: int | None, kinds: tuple[str, ...], batch: int | None) -> None:
    """Fuzz ponder: make inputs at random and judge what becomes of them.

    Exit code 1 when anything failed.
    """
    seed = int(time.time()) if seed is None else seed
    if batch is not None:
        failure = do(seed, (kinds or tuple(KINDS))[0], batch)
        sys.exit(failure)
    click.echo(f"seed {seed}, {minutes:g} minutes: {', '.join(kinds or KINDS)}")
    counts, failures = run(kinds or tuple(KINDS), 60 * minutes, seed)
    click.echo(", ".join(f"{kind} {count * BATCH:,}" for kind, count in counts.items()))
    click.echo(f"{len(failures)} failures" if failures else "no failure")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
