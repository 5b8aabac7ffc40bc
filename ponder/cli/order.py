"""`ponder order`: each bulb at most once: a legal order, or a proof that there is none."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import click

from ponder.cli import options
from ponder.cli.answer import animate as play
from ponder.cli.answer import check_terminal, compete, present
from ponder.cli.options import gathered, option, shared
from ponder.cli.solver_options import (
    SolverOptions,
    press_set_option,
    solver_options,
)
from ponder.cli.terminal import Progress, remark
from ponder.errors import NoShortProof, PonderError
from ponder.limits import Limits
from ponder.ordering.greedy import Direction, Variant
from ponder.pipeline.order import order
from ponder.pipeline.search_settings import Method
from ponder.puzzle.board import EVEN_LINES
from ponder.puzzle.press_lists import read_presses


@dataclass(frozen=True)
class Greedy:
    """How greedy tries; the names are those of `ponder.order`."""

    trials: int = shared(options.trials_option)
    variant: Variant = option(
        "--variant",
        type=click.Choice(["random", "rounds", "fewest"]),
        default="fewest",
        show_default=True,
        help="Greedy: a random legal press at a time, rounds of independent presses, or the press "
        "with the fewest neighbours left.",
    )
    direction: Direction = option(
        "--direction",
        type=click.Choice(["forwards", "backwards"]),
        default="backwards",
        show_default=True,
        help="Greedy: forwards from the board, or backwards from the goal.",
    )


@click.command(
    "order",
    epilog="""\b
Examples:
  ponder order board.txt
  ponder order board.txt --json > answer.json
  ponder order - --pattern plus < board.txt
  ponder order board.txt --trace                     the board after each press
  ponder order board.txt --animate --speed 4         played in place
  ponder order board.txt --explain                   what was tried, and what it cost
  ponder order board.txt --method greedy --trials 100 --seed 7
  ponder order board.txt --press-set presses.txt     only these presses
  ponder order board.txt --lrat board.lrat --cnf board.cnf    a proof for LRAT checkers
  ponder order board.txt --veripb board.pbp --opb board.opb   a proof for VeriPB
  ponder order board.txt --method sat --encoding layered --timeout 60
  ponder order board.txt --method sat --proof board.drat --json > answer.json
  ponder order board.txt --method sat --solver-cmd 'kissat -q {cnf} {proof}'
  ponder order board.txt --method cpsat --encoding cpsat_time --seed 3

\b
Exit codes: 0 answered (either way), 2 bad input, or a refutation without the proof that was asked
for, 3 unknown, 130 interrupted.
With --competition: 10 an order, 20 proved that there is none, 0 unknown.
""",
)
@options.board_argument
@options.header_options
@click.option(
    "--method",
    type=click.Choice(["auto", "greedy", "lines", "spanning", "sat", "cpsat"]),
    default="auto",
    show_default=True,
    help="auto: whatever answers; greedy: fast tries that may fail; lines: the half factor of "
    "row/column boards; spanning: the algebraic test and the search that it guides; sat, cpsat: "
    "a formula or a CP-SAT model.",
)
@press_set_option
@solver_options
@gathered("greedy", Greedy)
@options.explain_option
@click.option(
    "--competition",
    is_flag=True,
    help="Print `s` and `v` lines (bulbs numbered row by row from 1) and exit with 10, 20 or 0.",
)
@click.option(
    "--animate", is_flag=True, help="Play the order in place, on a terminal; Ctrl-C ends it."
)
@options.speed_option("With --animate: presses a second.")
@options.seed_option
@options.clock_option
@options.showing_options
def command(
    file: str,
    header: options.Header,
    method: Method,
    press_set: str | None,
    solver: SolverOptions,
    greedy: Greedy,
    explain: bool,
    competition: bool,
    animate: bool,
    speed: float | None,
    seed: int,
    clock: Limits,
    showing: options.Showing,
) -> int:
    """Order the presses on the board in FILE ("-": standard input), each bulb at most once.

    Prints a legal order with the fewest presses, replayed; or the reason why none exists.
    """
    if competition and (showing.as_json or showing.trace or showing.trace_to is not None):
        raise click.UsageError("--competition goes with neither --json nor --trace")
    if animate:
        if competition or showing.as_json:
            raise click.UsageError("--animate goes with neither --json nor --competition")
        check_terminal()
    method = solver.method(method)
    files, veripb = solver.files
    asks_solver = method in ("sat", "cpsat") or (method == "auto" and files.named)
    settings = solver.settings_for(files) if asks_solver else None
    named = [*files.named, *veripb.named]
    board = header.read(file, clock)
    if veripb.named and not board.even_lines:
        raise PonderError(f"{', '.join(veripb.named)}: a cutting-plane proof needs {EVEN_LINES}")
    chosen = None if press_set is None else read_presses(press_set, board, showing.coords)
    with Progress(showing.quiet) as progress:
        result = order(
            board,
            method=method,
            press_set=chosen,
            seed=seed,
            timeout=clock.left(),
            recipe=settings,
            progress=progress.say,
            **asdict(greedy),
        )
        lacking = []
        for proofs in (files, veripb) if named else ():
            from ponder.cli.proof_files import write  # loads all of `proofs/`

            try:
                result = write(result, proofs)
            except NoShortProof as reason:
                lacking.append(f"{', '.join(proofs.named)}: not written: {reason}")
    if animate:
        play(result, speed)
    code = compete(result) if competition else present(result, showing, explain=explain)
    if lacking:
        raise PonderError("; ".join(lacking))
    if named and result.verdict != "impossible":
        remark(f"no proof to write ({result.verdict}): {', '.join(named)}", showing.quiet)
    return code
