"""`ponder order`: each bulb at most once: a legal order, or a proof that there is none."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import click

from ponder.cli import counting, options
from ponder.cli.each import Ask, answer_each, jobs_option, questions_of
from ponder.cli.options import gathered, option
from ponder.cli.terminal import Progress, remark
from ponder.system.errors import NoShortProof, PonderError
from ponder.system.limits import Limits

if TYPE_CHECKING:
    from ponder.find.ordering.greedy import Direction, Variant
    from ponder.find.session import Method
    from ponder.find.solvers.by_encoding import SolverSettings


@dataclass(frozen=True)
class SolverOptions:
    """What was said about formulas, solvers and proofs, all loaded when asked for."""

    encoding: str | None = option(
        "--encoding NAME", "The encoding (`ponder encodings` lists them); by default one that fits."
    )
    settings: tuple[str, ...] = options.settings_option
    solver: str | None = option(
        "--solver NAME",
        "A solver of python-sat (cadical195, glucose4, …), or cadical, kissat, minisat, "
        "cryptominisat5 on the path.  [default: cadical195]",
    )
    solver_cmd: str | None = option(
        "--solver-cmd COMMAND",
        "Any solver: a command with {cnf}, and {proof}, {model}, {seed} if it has them.",
    )
    memory: int | None = option("--memory MB", "The solver's memory limit.", type=options.COUNT)
    cnf: str | None = option(
        "--cnf FILE", "Where the formula of a proof goes; by default beside it, its name with .cnf."
    )
    lrat: str | None = option(
        "--lrat FILE",
        "Write an LRAT proof that there is no order, and the formula: a solver's, or a short one "
        "where the refutation has one.",
    )
    veripb: str | None = option(
        "--veripb FILE",
        "Write a proof that there is no order in cutting planes, for VeriPB, and its formula.",
    )
    opb: str | None = option(
        "--opb FILE", "Where that formula goes; by default beside the proof, its name with .opb."
    )

    def method(self, method: Method) -> Method:
        """Return the method, that of a named encoding. Raises UsageError for unused options."""
        if method == "auto" and self.encoding is not None:
            from ponder.encodings.registry import encoder
            from ponder.formulas.encoder import Encoder

            method = "sat" if isinstance(encoder(self.encoding), Encoder) else "cpsat"
        for given, words, methods in (
            ((self.encoding,), "--encoding", ("sat", "cpsat", "asp")),
            (self.settings, "--option", ("sat", "cpsat")),
            ((self.memory,), "--memory", ("sat", "cpsat")),
            ((self.solver, self.solver_cmd), "--solver and --solver-cmd", ("sat",)),
        ):
            if any(value is not None for value in given) and method not in methods:
                raise click.UsageError(f"{words}: only with --method {' or '.join(methods)}")
        return method

    @property
    def files(self) -> tuple[options.ProofFiles, options.VeriPbFiles]:
        """The files that proofs go to, each formula beside its proof. Raises PonderError."""
        cnf = self.cnf or (None if self.lrat is None else f"{self.lrat}.cnf")
        opb = self.opb or (None if self.veripb is None else f"{self.veripb}.opb")
        clausal = options.ProofFiles(cnf, self.lrat)
        files = clausal, options.VeriPbFiles(opb, self.veripb)
        for file in filter(None, (*files[0], *files[1])):
            options.check_file(file)
        return files

    def settings_for(self, method: Method, files: options.ProofFiles) -> SolverSettings:
        """Return the encoding and the solver as `ponder.order` takes them. Raises PonderError."""
        from ponder.encodings.registry import encoder
        from ponder.find.solvers.by_encoding import SolverSettings
        from ponder.find.solvers.known_solvers import (
            DEFAULT_SOLVER,
            check_solver,
            proof_support,
        )

        if self.solver is not None and self.solver_cmd is not None:
            raise click.UsageError("give --solver or --solver-cmd, not both")
        if self.settings and self.encoding is None:
            raise click.UsageError("--option needs --encoding")
        if method == "asp":
            from ponder.find.solvers.asp import demand_model

            return SolverSettings(encoding=demand_model(self.encoding))
        if self.encoding is not None:
            encoder(self.encoding).options(self.settings)
        name = self.solver_cmd or self.solver or DEFAULT_SOLVER
        reason = proof_support(name)
        if any(files) and reason is not None:
            raise PonderError(f"there is no proof from {name}: {reason}")
        check_solver(name)
        return SolverSettings(
            encoding=self.encoding,
            settings=self.settings,
            solver=name,
            memory=None if self.memory is None else self.memory << 20,
        )


@dataclass(frozen=True)
class Greedy:
    """How greedy tries; the names are those of `ponder.order`."""

    trials: int = options.trials_option
    variant: Variant = option(
        "--variant",
        "Greedy: a random legal press at a time, rounds of independent presses, or the press with "
        "the fewest neighbours left.",
        choices=["random", "rounds", "fewest"],
        default="fewest",
    )
    direction: Direction = option(
        "--direction",
        "Greedy: forwards from the board, or backwards from the goal.",
        choices=["forwards", "backwards"],
        default="backwards",
    )


@options.command(
    """
Examples:
  ponder order board.txt
  ponder order board.txt --json > answer.json
  ponder order - --pattern plus < board.txt
  ponder order board.txt --trace                     the board after each press
  ponder order graphs.g6 --jobs 0                    a line for each of many, on all cores
  ponder order board.txt --animate --speed 4         played in place
  ponder order board.txt --timeout 60 --progress     count and bound as they move
  ponder order board.txt --explain                   what was tried, and what it cost
  ponder order board.txt --method greedy --trials 100 --seed 7
  ponder order board.txt --press-set presses.txt     only these presses
  ponder order board.txt --count                     how many legal orders; --all lists them
  ponder order board.txt --lrat board.lrat --cnf board.cnf    a proof for LRAT checkers
  ponder order board.txt --veripb board.pbp --opb board.opb   a proof for VeriPB
  ponder order board.txt --method sat --encoding layered --timeout 60
  ponder order board.txt --method sat --lrat board.lrat --json > answer.json
  ponder order board.txt --method sat --solver-cmd 'kissat -q {cnf} {proof}'
  ponder order board.txt --method cpsat --encoding cpsat_time --seed 3

Exit codes: 0 answered (either way), 2 bad input, or a refutation without the proof that was asked
for, 3 unknown, 130 interrupted.
With --competition: 10 an order, 20 proved that there is none, 0 unknown.
"""
)
def command(
    file: str = options.board_argument,
    header: options.Header = gathered(options.Header),
    method: Method = option(
        "--method",
        "auto: whatever answers; greedy: fast tries that may fail; lines: the half factor of "
        "row/column boards; sat, "
        "cpsat: a formula or a CP-SAT model; asp: clingo, whose no proves nothing.",
        choices=["auto", "greedy", "lines", "sat", "cpsat", "asp"],
        default="auto",
    ),
    press_set: str | None = options.press_set_option,
    solver: SolverOptions = gathered(SolverOptions),
    greedy: Greedy = gathered(Greedy),
    explain: bool = options.explain_option,
    competition: bool = option(
        "--competition",
        "Print `s` and `v` lines (bulbs numbered row by row from 1) and exit with 10, 20 or 0.",
    ),
    animate: bool = option("--animate", "Play the order in place, on a terminal; Ctrl-C ends it."),
    speed: float | None = options.speed_option("With --animate: presses a second."),
    count: bool = counting.count_option,
    every: bool = counting.all_option,
    moves: bool = options.progress_option,
    seed: int = options.seed_option,
    jobs: int = jobs_option,
    clock: Limits = options.clock_option,
    showing: options.Showing = gathered(options.Showing),
) -> int:
    """Order the presses on the board in FILE ("-": standard input), each bulb at most once.

    Prints a legal order with the fewest presses, replayed; or the reason why none exists.
    """
    from ponder.cli.answer import animate as play
    from ponder.cli.answer import check_terminal, compete, present
    from ponder.find.order import order
    from ponder.find.session import is_own
    from ponder.model.press_lists import read_presses

    if competition and (showing.as_json or showing.trace or showing.trace_to is not None):
        raise click.UsageError("--competition excludes --json and --trace")
    if animate:
        if competition or showing.as_json:
            raise click.UsageError("--animate excludes --json and --competition")
        check_terminal()
    method = solver.method(method)
    files, veripb = solver.files
    asks_solver = method in ("sat", "cpsat", "asp") or (method == "auto" and any(files))
    settings = solver.settings_for(method, files) if asks_solver else None
    named = [*filter(None, (*files, *veripb))]
    counted = counting.asked(count, every)
    first, many = questions_of(file)
    if many is not None:
        if (
            every
            or named
            or press_set
            or explain
            or competition
            or animate
            or showing.trace
            or settings
        ):
            raise click.UsageError("of many questions only the orders are told, by all methods")
        ask = Ask("order", header, showing.as_json, seed, clock.left(), count=count)
        return answer_each(ask, many, jobs, quiet=showing.quiet)
    board = header.board(first, clock)
    if counted:
        chosen = None if press_set is None else read_presses(press_set, board, showing.coords)
        if every:
            return counting.list_of_board(board, chosen, clock, showing)
        found = partial(counting.count_of_board, board, chosen, clock)
        return counting.present(found, showing.as_json)
    chosen = None if press_set is None else read_presses(press_set, board, showing.coords)
    with Progress(showing.quiet, every=moves) as progress:
        result = order(
            board,
            method=method,
            press_set=chosen,
            seed=seed,
            timeout=clock.left(),
            solver_settings=settings,
            progress=progress.say,
            **asdict(greedy),
        )
        lacking = []
        for proofs in (files, veripb) if named else ():
            from ponder.cli.prove import write  # loads all of `proofs/`

            try:
                result = write(result, proofs)
            except NoShortProof as reason:
                lacking.append(f"{', '.join(filter(None, proofs))}: not written: {reason}")
    if animate:
        play(result, speed)
    if lacking and showing.trace_to is not None:  # one line says all that is missing
        lacking.append(f"no presses to trace ({result.verdict}): {showing.trace_to}")
        showing = replace(showing, trace_to=None)
    code = compete(result) if competition else present(result, showing, explain=explain)
    if lacking:
        raise PonderError("; ".join(lacking))
    if result.verdict != "unknown" and not is_own(method, result.method):
        remark(f"--method {method}: answered by {result.method}", showing.quiet)
    if named and result.verdict != "impossible":
        remark(f"no proof to write ({result.verdict}): {', '.join(named)}", showing.quiet)
    return code
