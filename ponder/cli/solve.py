"""`ponder solve`: the fewest legal presses, repeats allowed, with a proved lower bound."""

from __future__ import annotations

import os
from dataclasses import replace

import click

from ponder.cli import options
from ponder.cli.answer import present
from ponder.cli.terminal import Progress, remark
from ponder.errors import PonderError
from ponder.limits import Limits
from ponder.pipeline.solve import solve


@click.command(
    "solve",
    epilog="""\b
Examples:
  ponder solve board.txt
  ponder solve board.txt --json > answer.json
  ponder solve board.txt --at-most 429               are 429 presses enough?
  ponder solve board.txt --timeout 60                the best sequence and bound by then
  ponder solve board.txt --explain                   what was tried, and what it cost
  ponder solve board.txt --proof-dir proofs/         formulas and LRAT proofs of the bound
  ponder solve board.txt --rule any --all            all lightest press sets, in any order
  ponder solve board.txt --from now.txt --to goal.txt

\b
Exit codes: 0 answered (either way), 2 bad input, 3 unknown, 130 interrupted before any answer.
""",
)
@options.board_argument
@options.header_options
@click.option("--from", "start", metavar="FILE", help="Start from this state: lit, unlit, a file.")
@click.option("--to", "target", metavar="FILE", help="The goal; the same as --goal.")
@click.option(
    "--at-most",
    type=click.IntRange(min=0),
    metavar="K",
    help="Is there a sequence of at most K presses?",
)
@click.option(
    "--proof-dir",
    "folder",
    metavar="DIR",
    help="Where the bound has proofs of a SAT solver, keep them here with their formulas (DIMACS "
    "and LRAT), for an outside checker.",
)
@click.option("--all", "every", is_flag=True, help="Rule any: list all that are as short, if few.")
@options.explain_option
@options.seed_option
@options.clock_option
@options.showing_options
def command(
    file: str,
    header: options.Header,
    start: str | None,
    target: str | None,
    at_most: int | None,
    folder: str | None,
    every: bool,
    explain: bool,
    seed: int,
    clock: Limits,
    showing: options.Showing,
) -> int:
    """Reach the goal of the board in FILE with the fewest presses ("-": standard input).

    Prints a sequence that has been replayed, and the proved bound below which none exists; or the
    proof that no sequence of any length works.
    """
    if target is not None:
        if header.goal is not None:
            raise click.UsageError("--to and --goal are the same option: give one")
        header = replace(header, goal=target)
    if folder is not None:
        _make_folder(folder)
    board = options.read_start(header.read(file, clock), start)
    if every and board.rule != "any":
        raise click.UsageError("--all is about the rule any, where the order does not matter")
    with Progress(showing.quiet) as progress:
        result = solve(
            board,
            at_most=at_most,
            seed=seed,
            timeout=clock.left(),
            progress=progress.say,
            every=every,
        )
    if folder is not None:
        from ponder.cli.proof_files import write_pairs  # loads all of `proofs/`

        written = write_pairs(result, folder)
        for file in written:
            remark(f"wrote {file}", showing.quiet)
        if not written:
            none = "the bound has none of a SAT solver"
            remark(f"no proofs to write ({none}): {folder}", showing.quiet)
    return present(result, showing, explain=explain)


def _make_folder(folder: str) -> None:
    """Make the folder if it is not there; PonderError when it cannot be written to."""
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise PonderError(f"cannot make the folder {folder}: {error.strerror}") from None
    options.check_file(os.path.join(folder, "pairs-1.cnf"))
