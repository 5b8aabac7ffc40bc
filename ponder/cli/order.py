"""`ponder order`: each bulb at most once: a legal order, or a proof that there is none."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ponder.cli import params
from ponder.cli.boards import Header, questions_of
from ponder.cli.many import (
    Ask,
    answer_each,
    count_of_board,
    jobs_option,
    listing_options,
    present_all,
    present_count,
)
from ponder.cli.output import Progress, Showing, present, remark, say
from ponder.find.context import METHODS, Method, is_own
from ponder.find.order import order
from ponder.model.files import read_bytes
from ponder.model.press_lists import read_presses
from ponder.model.render import label_text
from ponder.system.errors import PonderError
from ponder.system.limits import Limits

if TYPE_CHECKING:
    from ponder.find.solvers.by_encoding import SolverSettings


def _method_named(
    ctx: click.Context, param: click.Parameter, value: str
) -> tuple[Method, dict[str, Any]]:
    """Return a method by name, and how greedy tries: `greedy:rounds:backwards`."""
    word, _, ways = value.partition(":")
    if word not in METHODS or (ways and word != "greedy"):
        raise click.BadParameter(f"{value!r} is not one of {', '.join(METHODS)}", ctx, param)
    if not ways:
        return word, {}
    from ponder.studies.methods import greedy_ways

    return word, greedy_ways(ways)


@params.command(
    """
Examples:
  ponder order board.txt
  ponder order board.txt --json > answer.json
  ponder order - --pattern plus < board.txt
  ponder order board.txt --trace                     the board after each press
  ponder order graphs.g6 --jobs 0                    a line for each of many, on all cores
  ponder order board.txt --explain                   what was tried, and what it cost
  ponder order board.txt --method greedy:rounds:forwards --trials 100 --seed 7
  ponder order board.txt --press-set presses.txt     only these presses
  ponder order board.txt --count                     how many legal orders; --all lists them
  ponder order row.txt --puzzle cards                each bulb exactly once, as --goal pressed asks
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
    help="auto: all that may answer; greedy: fast tries that may fail, as greedy:VARIANT:DIRECTION "
    "(random, rounds or fewest; forwards or backwards); lines: the half factor of row/column "
    "boards; sat, cpsat: a formula or a CP-SAT model; asp: clingo, whose no proves nothing.",
)
@params.press_set_option
@params.stack(
    "solving",
    dict,
    params.encoding_option,
    params.settings_option,
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
)
@click.option(
    "--lrat",
    metavar="FILE",
    help="Write a proof that there is no order, for LRAT checkers; the formula as FILE.cnf.",
)
@params.trials_option
@click.option("--explain", is_flag=True, help="Print what was tried, and what it cost.")
@listing_options("legal orders")
@jobs_option
@click.option("--list", "listing", is_flag=True, help="Print the presses alone: [(1, 2), …].")
@params.seed_option
@params.clock_option
@params.showing_option
def command(
    file: str,
    header: Header,
    asked: tuple[Method, dict[str, Any]],
    press_set: str | None,
    solving: dict[str, Any],
    lrat: str | None,
    trials: int,
    explain: bool,
    count: bool,
    list_all: bool,
    jobs: int,
    listing: bool,
    seed: int,
    clock: Limits,
    showing: Showing,
) -> int:
    """Order the presses on the board in FILE ("-": standard input), each bulb at most once.

    Prints a legal order with the fewest presses, replayed; or the reason why none exists.
    """
    first, many = questions_of(file, header.format, header.line)
    if many is not None:
        ask = Ask("order", showing.as_json, seed, clock.left(), header, counting=count)
        return answer_each(ask, many, jobs, showing.quiet)
    if lrat is not None:
        _make_way(lrat)
    board = header.board(first, clock)
    chosen = None if press_set is None else read_presses(press_set, board, showing.coords)
    if list_all:
        from ponder.find.counting import all_orders

        orders = all_orders(board, chosen, timeout=clock)
        if showing.as_json:
            return present_all((json.dumps({"presses": x}) for x in orders), showing.quiet)
        lines = (" ".join(label_text(board, x, showing.coords) for x in seq) for seq in orders)
        return present_all(lines, showing.quiet)
    if count:
        with Progress(showing.quiet) as progress:
            counted = count_of_board(board, chosen, clock, progress.say)
        return present_count(counted, showing.as_json)
    method, ways = asked
    if method == "auto" and (solving["solver"] or solving["solver_cmd"]):
        method = "sat"
    elif method == "auto" and solving["encoding"] is not None:
        method = "cpsat" if solving["encoding"].startswith("cpsat") else "sat"
    settings = None
    known = {"asp": ["encoding"], "cpsat": ["encoding", "settings", "memory"], "sat": [*solving]}
    if lrat is None:
        unread = solving.keys() - known.get(method, ())
        params.refuse(unread, f"is not read by --method {asked[0]}")
    if method in known or lrat is not None:
        settings = _settings(method, lrat, **solving)
    with Progress(showing.quiet) as progress:
        result = order(
            board,
            method=method,
            press_set=chosen,
            seed=seed,
            timeout=clock,
            trials=trials,
            solver_settings=settings,
            progress=progress.say,
            **ways,
        )
        reasons = {"solved": "there is an order, and nothing to refute"}
        lacking: str | None = reasons.get(result.verdict, "the answer is unknown")
        if lrat is not None and result.verdict == "impossible":
            from ponder.find.prove import write_lrat

            lacking = write_lrat(result, lrat)
    if listing and result.presses is not None:
        places = (label_text(board, press, showing.coords) for press in result.places or ())
        say([f"[{', '.join(place.replace(',', ', ') for place in places)}]"])
        return 0
    code = present(result, showing, explain=explain)
    if result.verdict != "unknown" and not is_own(method, result.method):
        remark(f"--method {method}: answered by {result.method}", showing.quiet)
    if lrat is not None and lacking is not None:
        if result.verdict == "impossible":
            raise PonderError(f"{lrat}: not written: {lacking}")
        remark(f"{lrat}: not written: {lacking}")
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
    lrat: str | None,
    encoding: str | None,
    settings: tuple[str, ...],
    solver: str | None,
    solver_cmd: str | None,
    memory: int | None,
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
    name = solver_cmd or solver or sat.DEFAULT_SOLVER
    reason = sat.proof_support(name)
    if lrat is not None and reason is not None:
        raise PonderError(f"there is no proof from {name}: {reason}")
    sat.check_solver(name)
    return SolverSettings(encoding, settings, name, None if memory is None else memory << 20)
