"""`ponder order`: each bulb at most once: a legal order, or a proof that there is none."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ponder.cli.encoding import press_set_option, remark, settings_option
from ponder.cli.options import board_argument, board_options, read_board, run_options

if TYPE_CHECKING:
    from ponder.cli.proof_files import ProofFiles
    from ponder.encoded import Recipe
    from ponder.exact import Method
    from ponder.greedy import Direction, Variant

Command = TypeVar("Command", bound=Callable[..., Any])


def formula_options(command: Command) -> Command:
    """Add the options of the methods sat and cpsat."""
    for option in (
        click.option(
            "--lrat", metavar="FILE", help="Write the proof with hints, for LRAT checkers."
        ),
        click.option(
            "--cnf",
            metavar="FILE",
            help="Where the formula of a proof goes; by default beside it, its name with .cnf.",
        ),
        click.option(
            "--proof",
            metavar="FILE",
            help="Write the DRAT proof that there is no order, and the formula.",
        ),
        click.option(
            "--memory",
            type=click.IntRange(min=1),
            metavar="MB",
            help="What the solver may occupy.",
        ),
        click.option(
            "--solver-cmd",
            metavar="COMMAND",
            help="Any solver: a command with {cnf}, and {proof}, {model}, {seed} if it has them.",
        ),
        click.option(
            "--solver",
            metavar="NAME",
            help="A solver of python-sat (cadical195, glucose4, …), or cadical, kissat, minisat, "
            "cryptominisat5 on the path.  [default: cadical195]",
        ),
        settings_option,
        click.option(
            "--encoding",
            metavar="NAME",
            help="The encoding (`ponder encodings` lists them); by default one that fits.",
        ),
    ):
        command = option(command)
    return command


@click.command(
    "order",
    short_help="Find a legal order that presses each bulb at most once, or prove there is none.",
    epilog="""\b
Examples:
  ponder order board.txt
  ponder order board.txt --json > answer.json
  ponder order - --pattern plus < board.txt
  ponder order board.txt --trace                     the board after each press
  ponder order board.txt --explain                   what was tried, and what it cost
  ponder order board.txt --method greedy --trials 100 --seed 7
  ponder order board.txt --press-set presses.txt     only these presses
  ponder order board.txt --method sat --encoding layered --timeout 60
  ponder order board.txt --method sat --proof board.drat --json > answer.json
  ponder order board.txt --method sat --solver-cmd 'kissat -q {cnf} {proof}'
  ponder order board.txt --method cpsat --encoding cpsat_time --seed 3

\b
Exit codes: 0 answered (either way), 2 bad input, 3 unknown, 130 interrupted.
With --competition: 10 an order, 20 proved that there is none, 0 unknown.
""",
)
@board_argument
@board_options
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
@formula_options
@click.option(
    "--trials",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    metavar="N",
    help="How often greedy tries.",
)
@click.option(
    "--variant",
    type=click.Choice(["random", "rounds", "fewest"]),
    default="fewest",
    show_default=True,
    help="Greedy: a random legal press at a time, rounds of independent presses, or the press "
    "with the fewest neighbours left.",
)
@click.option(
    "--direction",
    type=click.Choice(["forwards", "backwards"]),
    default="backwards",
    show_default=True,
    help="Greedy: forwards from the board, or backwards from the goal.",
)
@click.option("--explain", is_flag=True, help="Print what was tried, what it cost, how it ended.")
@click.option(
    "--competition",
    is_flag=True,
    help="Print `s` and `v` lines (bulbs numbered row by row from 1) and exit with 10, 20 or 0.",
)
@run_options
def command(
    file: str,
    pattern: str | None,
    rule: str | None,
    goal: str | None,
    method: Method,
    press_set: str | None,
    encoding: str | None,
    settings: tuple[str, ...],
    solver: str | None,
    solver_cmd: str | None,
    memory: int | None,
    proof: str | None,
    cnf: str | None,
    lrat: str | None,
    trials: int,
    variant: Variant,
    direction: Direction,
    explain: bool,
    competition: bool,
    as_json: bool,
    seed: int,
    timeout: float | None,
    quiet: bool,
    trace: bool,
    trace_to: str | None,
    coords: str,
) -> int:
    """Order the presses on the board in FILE ("-": standard input), each bulb at most once.

    Prints a legal order with the fewest presses, replayed; or the reason why none exists.
    """
    from ponder.cli.answer import compete, present
    from ponder.cli.proof_files import ProofFiles
    from ponder.cli.terminal import Progress
    from ponder.formats import read_presses
    from ponder.once import order
    from ponder.refutation import SatProof

    if trace and as_json and trace_to is None:
        raise click.UsageError("--trace with --json needs --trace-to FILE")
    if competition and (as_json or trace or trace_to is not None):
        raise click.UsageError("--competition goes with neither --json nor --trace")
    method = _method(method, encoding)
    for given, needs, methods in (
        ((encoding, *settings), "--encoding and --option", ("sat", "cpsat")),
        ((memory,), "--memory", ("sat", "cpsat")),
        ((solver, solver_cmd), "--solver and --solver-cmd", ("sat",)),
        ((proof, cnf, lrat), "--proof, --cnf and --lrat", ("sat",)),
    ):
        if any(x is not None for x in given) and method not in methods:
            raise click.UsageError(f"{needs}: only with --method {' or '.join(methods)}")
    recipe, files = None, ProofFiles.of_options(proof, lrat, cnf)
    if method in ("sat", "cpsat"):
        recipe = _recipe(encoding, settings, solver, solver_cmd, memory, files)
    board = read_board(file, pattern, rule, goal)
    chosen = None
    if press_set is not None:
        chosen = read_presses(press_set, board, "xy" if coords == "xy" else "rc")
    with Progress(quiet) as progress:
        result = order(
            board,
            method=method,
            press_set=chosen,
            seed=seed,
            timeout=timeout,
            trials=trials,
            variant=variant,
            direction=direction,
            recipe=recipe,
            progress=progress.say,
        )
        result = files.write(result)
    if files.named and not isinstance(result.refutation, SatProof):
        remark(f"no proof to write ({result.verdict}): {', '.join(files.named)}", quiet)
    if competition:
        return compete(result)
    return present(
        result,
        as_json=as_json,
        coords=coords,
        quiet=quiet,
        trace=trace,
        trace_to=trace_to,
        explain=explain,
    )


def _method(method: Method, encoding: str | None) -> Method:
    """Return the method; an encoding stands for the one that it belongs to."""
    if method != "auto" or encoding is None:
        return method
    from ponder.encoders import Encoder, encoder

    return "sat" if isinstance(encoder(encoding), Encoder) else "cpsat"


def _recipe(
    encoding: str | None,
    settings: tuple[str, ...],
    solver: str | None,
    solver_cmd: str | None,
    memory: int | None,
    files: ProofFiles,
) -> Recipe:
    """Return the encoding and the solver; PonderError where a proof cannot be had."""
    from ponder.encoded import Recipe
    from ponder.encoders import encoder
    from ponder.errors import PonderError
    from ponder.sat import DEFAULT_SOLVER, PYSAT_SOLVERS, command_words, proof_support

    if solver is not None and solver_cmd is not None:
        raise click.UsageError("either --solver or --solver-cmd")
    if settings and encoding is None:
        raise click.UsageError("--option needs --encoding")
    if encoding is not None:
        encoder(encoding).options(settings)
    name = solver_cmd or solver or DEFAULT_SOLVER
    reason = proof_support(name)
    if files.named and reason is not None:
        raise PonderError(f"no proof can be had from {name}: {reason}")
    if name not in PYSAT_SOLVERS:
        command_words(name, proof=reason is None)
    return Recipe(
        encoding=encoding,
        settings=settings,
        solver=name,
        memory=None if memory is None else memory << 20,
        lrat=files.lrat is not None,
    )
