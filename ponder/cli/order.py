"""`ponder order`: each bulb at most once: a legal order, or a proof that there is none."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from ponder.cli import params
from ponder.cli.boards import Header
from ponder.cli.many import (
    Ask,
    all_option,
    answer_each,
    count_of_board,
    count_option,
    jobs_option,
    present_all,
    present_count,
    questions_of,
)
from ponder.cli.output import Progress, Showing, present, remark, say
from ponder.cli.params import Function, with_options
from ponder.find.context import METHODS, Method, is_own
from ponder.find.order import order
from ponder.find.ordering.greedy import Direction, Variant
from ponder.model.files import read_bytes
from ponder.model.press_lists import read_presses
from ponder.model.render import label_text
from ponder.system.errors import PonderError
from ponder.system.limits import Limits

if TYPE_CHECKING:
    from ponder.find.solvers.by_encoding import SolverSettings


def _method_named(
    ctx: click.Context, param: click.Parameter, value: str
) -> tuple[Method, Variant, Direction]:
    """Return a method by name; greedy's may say how it tries: `greedy:rounds:backwards`."""
    word, *more = value.split(":")
    variant: Variant = "fewest"
    direction: Direction = "backwards"
    known: dict[str, Method] = {name: name for name in METHODS}
    if word not in known or (more and word != "greedy"):
        raise click.BadParameter(f"{value!r} is not one of {', '.join(known)}", ctx, param)
    variants: dict[str, Variant] = {name: name for name in get_args(Variant)}
    directions: dict[str, Direction] = {name: name for name in get_args(Direction)}
    for each in more:
        if each not in variants and each not in directions:
            ways = ", ".join([*variants, *directions])
            raise click.BadParameter(f"greedy has no way {each!r}: {ways}", ctx, param)
        variant, direction = variants.get(each, variant), directions.get(each, direction)
    return known[word], variant, direction


solver_options: Function = with_options(
    click.option(
        "--solver",
        metavar="NAME",
        help="A solver of python-sat, or one on the path.  [default: cadical195]",
    ),
    click.option(
        "--solver-cmd",
        metavar="COMMAND",
        help="Any solver: a command with {cnf}, and {proof}, {model}, {seed} if it has them.",
    ),
    click.option("--memory", metavar="MB", type=params.COUNT, help="The solver's memory limit."),
    click.option(
        "--lrat",
        metavar="FILE",
        help="Write a proof that there is no order, for LRAT checkers; the formula as FILE.cnf.",
    ),
)


@params.command(
    """
Examples:
  ponder order board.txt
  ponder order board.txt --json > answer.json
  ponder order - --pattern plus < board.txt
  ponder order board.txt --trace                     the board after each press
  ponder order graphs.g6 --jobs 0                    a line for each of many, on all cores
  ponder order board.txt --timeout 60 --progress     count and bound as they move
  ponder order board.txt --explain                   what was tried, and what it cost
  ponder order board.txt --method greedy:rounds:forwards --trials 100 --seed 7
  ponder order board.txt --press-set presses.txt     only these presses
  ponder order board.txt --count                     how many legal orders; --all lists them
  ponder order board.txt --lrat board.lrat           a proof for LRAT checkers
  ponder order board.txt --method sat --encoding layered --timeout 60
  ponder order board.txt --method sat --solver-cmd 'kissat -q {cnf} {proof}'
  ponder order board.txt --method cpsat --encoding cpsat_time --seed 3

Exit codes: 0 answered (either way), 2 bad input, or a refutation without the proof that was asked
for, 3 unknown, 130 interrupted.
"""
)
@params.file_argument
@params.header_option
@click.option(
    "--method",
    "asked",
    metavar="METHOD",
    callback=_method_named,
    default="auto",
    show_default=True,
    help="auto: all that may answer; greedy: fast tries that may fail, as greedy:VARIANT:DIRECTION "
    "(random, rounds or fewest; forwards or backwards); lines: the half factor of row/column "
    "boards; sat, cpsat: a formula or a CP-SAT model; asp: clingo, whose no proves nothing.",
)
@params.press_set_option
@with_options(*params.encoding_options)
@solver_options
@params.trials_option
@click.option("--explain", is_flag=True, help="Print the reason in full, and what was tried.")
@click.option("--progress", "moves", is_flag=True, help="Tell every step as it comes.")
@count_option
@all_option
@jobs_option
@click.option("--list", "listing", is_flag=True, help="Print the presses alone: [(1, 2), …].")
@params.seed_option
@params.clock_option
@params.showing_option
def command(
    file: str,
    header: Header,
    asked: tuple[Method, Variant, Direction],
    press_set: str | None,
    encoding: str | None,
    settings: tuple[str, ...],
    solver: str | None,
    solver_cmd: str | None,
    memory: int | None,
    lrat: str | None,
    trials: int,
    explain: bool,
    moves: bool,
    count: bool,
    every: bool,
    jobs: int,
    listing: bool,
    seed: int,
    clock: Limits,
    showing: Showing,
) -> int:
    """Order the presses on the board in FILE ("-": standard input), each bulb at most once.

    Prints a legal order with the fewest presses, replayed; or the reason why none exists.
    """
    first, many = questions_of(file)
    if many is not None:
        ask = Ask("order", showing.as_json, seed, clock.left(), header, counting=count)
        return answer_each(ask, many, jobs, showing.quiet)
    if lrat is not None:
        _make_way(lrat)
    board = header.board(first, clock)
    chosen = None if press_set is None else read_presses(press_set, board, showing.coords)
    if every:
        from ponder.find.counting import all_orders

        orders = all_orders(board, chosen, timeout=clock)
        if showing.as_json:
            return present_all((json.dumps({"presses": x}) for x in orders), showing.quiet)
        lines = (" ".join(label_text(board, x, showing.coords) for x in each) for each in orders)
        return present_all(lines, showing.quiet)
    if count:
        return present_count(count_of_board(board, chosen, clock), showing.as_json)
    method, variant, direction = asked
    if method == "auto" and encoding is not None:
        method = "cpsat" if encoding.startswith("cpsat") else "sat"
    solving = None
    if method in ("sat", "cpsat", "asp") or lrat is not None:
        solving = _settings(method, encoding, settings, solver_cmd or solver, memory, lrat)
    with Progress(showing.quiet, every=moves) as progress:
        result = order(
            board,
            method=method,
            press_set=chosen,
            seed=seed,
            timeout=clock,
            trials=trials,
            variant=variant,
            direction=direction,
            solver_settings=solving,
            progress=progress.say,
        )
        lacking: str | None = result.verdict
        if lrat is not None and result.verdict == "impossible":
            from ponder.cli.prove import write_lrat

            result, lacking = write_lrat(result, lrat)
    if listing and result.presses is not None:
        places = (label_text(board, each, showing.coords) for each in result.places or ())
        say([f"[{', '.join(place.replace(',', ', ') for place in places)}]"])
        return 0
    code = present(result, showing, explain=explain)
    if result.verdict != "unknown" and not is_own(method, result.method):
        remark(f"--method {method}: answered by {result.method}", showing.quiet)
    if lrat is not None and lacking is not None:
        if result.verdict == "impossible":
            raise PonderError(f"{lrat}: not written: {lacking}")
        remark(f"{lrat}: not written: there is no proof, the answer is {lacking}")
    return code


def _make_way(file: str) -> None:
    """Remove an older proof, so that none is taken for this answer's. Raises PonderError.

    A proof is ponder's if the formula beside it names its SHA-256; nothing else is removed.
    """
    proof, formula = Path(file), Path(f"{file}.cnf")
    there = [path for path in (proof, formula) if path.is_file()]
    if not there:
        return
    head = read_bytes(formula)[0][:1000] if formula in there else b""
    named = re.search(rb"^c proof sha256 ([0-9a-f]{64})$", head, re.MULTILINE)
    digest = hashlib.sha256(read_bytes(proof)[0]).hexdigest() if proof in there else ""
    if named is None or (digest and digest.encode() != named[1]):
        raise PonderError(f"{there[0]}: is there, and not written by ponder: name another file")
    for path in there:
        path.unlink()


def _settings(
    method: Method,
    encoding: str | None,
    settings: tuple[str, ...],
    solver: str | None,
    memory: int | None,
    lrat: str | None,
) -> SolverSettings:
    """Return the encoding and the solver as `ponder.order` takes them. Raises PonderError."""
    from ponder.encodings.registry import encoder
    from ponder.find.solvers import sat
    from ponder.find.solvers.asp import demand_model
    from ponder.find.solvers.by_encoding import SolverSettings

    if method == "asp":
        return SolverSettings(encoding=demand_model(encoding))
    if encoding is not None:
        encoder(encoding).options(settings)
    elif settings:
        raise click.UsageError("--option needs --encoding")
    name = solver or sat.DEFAULT_SOLVER
    reason = sat.proof_support(name)
    if lrat is not None and reason is not None:
        raise PonderError(f"there is no proof from {name}: {reason}")
    sat.check_solver(name)
    return SolverSettings(encoding, settings, name, None if memory is None else memory << 20)
