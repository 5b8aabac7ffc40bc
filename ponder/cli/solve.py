"""`ponder solve`: the fewest legal presses, repeats allowed, with a proved lower bound."""

from __future__ import annotations

import os
from dataclasses import replace

import click

from ponder.cli import options
from ponder.cli.each import Ask, answer_each, jobs_option, questions_of
from ponder.cli.options import gathered, option
from ponder.cli.terminal import Progress, remark
from ponder.system.errors import PonderError
from ponder.system.limits import Limits


@options.command(
    """
Examples:
  ponder solve board.txt
  ponder solve board.txt --json > answer.json
  ponder solve board.txt --at-most 429               are 429 presses enough?
  ponder solve board.txt --timeout 60                the best sequence and bound by then
  ponder solve board.txt --timeout 60 --progress     count and bound as they move
  ponder solve board.txt --explain                   what was tried, and what it cost
  ponder solve board.txt --proof-dir proofs/         formulas and LRAT proofs of the bound
  ponder solve board.txt --rule any --all            all lightest press sets, in any order
  ponder solve board.txt --from now.txt --to goal.txt
  ponder solve machines.txt                          a line for each of many, and the sum

Exit codes: 0 answered (either way), 2 bad input, 3 unknown, 130 interrupted before any answer.
"""
)
def command(
    file: str = options.board_argument,
    header: options.Header = gathered(options.Header),
    start: str | None = option("--from FILE", "The state at the start; the same as --lit."),
    target: str | None = option("--to FILE", "The goal; the same as --goal."),
    at_most: int | None = option(
        "--at-most K", "Is there a sequence of at most K presses?", type=options.Whole(min=0)
    ),
    folder: str | None = option(
        "--proof-dir DIR",
        "Keep the SAT solver's proofs of the bound here, with their formulas (DIMACS and LRAT), "
        "for an outside checker.",
    ),
    each: bool = option("--each", "Of many questions: in JSON all counts and the sum at once."),
    jobs: int = jobs_option,
    every: bool = option("--all", "Under the rule any: list all shortest solutions, if few."),
    explain: bool = options.explain_option,
    moves: bool = options.progress_option,
    seed: int = options.seed_option,
    clock: Limits = options.clock_option,
    showing: options.Showing = gathered(options.Showing),
) -> int:
    """Reach the goal of the board in FILE with the fewest presses ("-": standard input).

    Prints a sequence that has been replayed, and the proved bound below which none exists; or the
    proof that no sequence of any length works.
    """
    from ponder.cli.answer import present
    from ponder.find.solve import solve

    if target is not None:
        if header.goal is not None:
            raise click.UsageError("--to and --goal are the same option: give one")
        header = replace(header, goal=target)
    if start is not None:
        if header.lit is not None:
            raise click.UsageError("--from and --lit are the same option: give one")
        header = replace(header, lit=start)
    first, many = questions_of(file)
    if many is not None or each:
        if start or at_most is not None or folder or every or explain or showing.trace:
            raise click.UsageError("of many questions only the fewest presses are told")
        ask = Ask("solve", header, showing.as_json, seed, clock.left())
        asked = many or [replace(first, line=1)]
        return answer_each(ask, asked, jobs, quiet=showing.quiet, summary=each)
    if folder is not None:
        _make_folder(folder)
    board = header.board(first, clock)
    if every and board.rule != "any":
        raise click.UsageError("--all needs the rule any, where the order does not matter")
    if (ignored := getattr(board.graph, "remark", None)) is not None:
        remark(f"what stands in braces is not part of the board: {ignored}", showing.quiet)
    with Progress(showing.quiet, every=moves) as progress:
        result = solve(
            board,
            at_most=at_most,
            seed=seed,
            timeout=clock.left(),
            progress=progress.say,
            every=every,
        )
    written = []
    if folder is not None:
        from ponder.cli.prove import write_pairs  # loads all of `proofs/`

        written = [f"wrote {file}" for file in write_pairs(result, folder)]
        none = "the bound rests on no SAT solver"
        written = written or [f"no proofs to write ({none}): {folder}"]
    code = present(result, showing, explain=explain)
    for text in written:
        remark(text, showing.quiet)
    return code


def _make_folder(folder: str) -> None:
    """Make the folder if it is not there. Raises PonderError when it cannot be written to."""
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise PonderError(f"cannot make the folder {folder}: {error.strerror}") from None
    options.check_file(os.path.join(folder, "pairs-1.cnf"))
