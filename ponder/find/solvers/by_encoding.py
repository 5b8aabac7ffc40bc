"""Ordering by an encoding: encode, let a solver decide, decode; "no" only with a checked proof.

Idea. The encoders say what a legal order is, the solvers decide, and neither is believed. A model
must satisfy the formula and stand for an order that obeys the parities. A proof that there is none
is checked before there is a refutation (`decoding.proved`). A solver without proofs can only find
orders: so can CP-SAT, whose "no" is `UnprovedUnsat`.

Encodings with a horizon are tried along their `schedule`, short horizons first. Formulas that leave
clauses out ("lazy") are solved again with the clauses that the last model broke (`cuts`), in one
session; a proof is then made for the formula with all the cuts that were needed.

Encoding, solving and checking are timed apart (`Result.steps`), each under a limit of its own where
the settings have one: the check of a proof may take a hundred times as long as the solver.

Cost. One child process a formula, and the check of a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from random import Random
from typing import Literal, TypeAlias

import numpy as np

from ponder.check.certificate import Answer
from ponder.check.result import SOLVER_SAYS
from ponder.encodings.cpsat_time import CpSatTime
from ponder.encodings.precedence import Precedence, by_lines
from ponder.encodings.registry import encoder
from ponder.find.context import Log, SearchContext, Stage
from ponder.find.ordering.greedy import MOST_LISTED, fewest_first
from ponder.find.solvers.clause_arrays import Formula, Outcome, Sat, Unsat
from ponder.find.solvers.decoding import cuts, decode, order_of, proved
from ponder.find.solvers.drat_to_lrat import lrat_of
from ponder.find.solvers.sat import DEFAULT_SOLVER, PYSAT_SOLVERS, Session, proof_support, solve
from ponder.formulas.cnf import Cnf
from ponder.formulas.encoder import Coder, Encoder, Options
from ponder.model.arguments import whole_number
from ponder.model.ordering_problem import Order, OrderingProblem, Unknown
from ponder.proofs.lrat_trimming import trimmed
from ponder.system import cpsat
from ponder.system.errors import BadArgument, CheckFailed, PonderError, SolverError, ortools, quoted
from ponder.system.limits import LimitReached, Limits, NeedsMemory, TimeUp

SolverKind: TypeAlias = Literal["sat", "cpsat"]

MOST_LITERALS = 1 << 27  # formulas of more are not solved: they take 1 GB, and solvers more
MOST_CHECKED = 1 << 25  # literals of a formula whose proof is checked: 100 bytes for each
MOST_PROOF = 1 << 28  # proofs of more bytes are not checked: about ten times as many in memory
MOST_HERE = 1 << 18  # pairs of neighbours of a problem that is first tried in this process
ROUNDS = 12  # of cuts, in that first attempt
SAYS_NO = "says that there is no order"
PARTS = ("encoding", "solving", "checking")


class UnprovedUnsat(Unknown):
    """CP-SAT says that there is no order. It has no proof, so it is no refutation."""


@dataclass(frozen=True)
class SolverSettings:
    """Which encoding, with which options, and by which solver.

    >>> from ponder import Board, order
    >>> settings = SolverSettings("layered", ("layers=9",), solver="glucose4")
    >>> order(Board.from_rows(["0"]), method="sat", solver_settings=settings).count
    1
    """

    encoding: str | None = None  # None: one that fits
    settings: tuple[str, ...] = ()  # its options, `key=value`
    solver: str = DEFAULT_SOLVER  # as in `ponder.find.solvers.sat.solve`; nothing to CP-SAT
    memory: int | None = None  # bytes that the solver may take
    limits: tuple[float | None, ...] = (None,) * 3  # seconds of PARTS; checking 0: no proofs

    def __post_init__(self) -> None:
        if not isinstance(self.solver, str):
            raise BadArgument(f"{quoted(self.solver)} is not the name of a solver", "solver")
        whole_number(self.memory or 0, "memory")

    def spent(self, kind: str, log: Log) -> bool:
        """Whether the limits leave no time to encode, or to solve, another formula."""
        most = zip(PARTS[:2], self.limits, strict=False)
        return any(x is not None and log.seconds(f"{kind} {part}") >= x for part, x in most)


def fitting(problem: OrderingProblem, kind: SolverKind) -> str:
    """Return the name of an encoding that fits a problem."""
    if kind == "cpsat":
        return "cpsat_time"
    if problem.lines is None:
        return "precedence"
    return "layered" if problem.odd.any() or problem.repeats else "half_factor"


def encoder_for(name: str, kind: SolverKind) -> Encoder | CpSatTime:
    """Return the encoder of that name. Raises PonderError if it is made for the other kind."""
    coder = encoder(name)
    method, word = ("sat", "formulas") if isinstance(coder, Encoder) else ("cpsat", "CP-SAT models")
    if method != kind:
        raise PonderError(f"{coder.name} makes {word}: use it with the method {method}")
    return coder


def order_encoded(
    problem: OrderingProblem,
    kind: SolverKind = "sat",
    solver_settings: SolverSettings | None = None,
    context: SearchContext | None = None,
) -> Answer:
    """Order one problem, or refute it, by a formula (`sat`) or a CP-SAT model (`cpsat`).

    `statistics` of an order: the encoding, its options, the solver, and the size of what it solved.
    Unknown when time is up, or when more memory would be needed than is allowed. Raises PonderError
    for an encoding that does not fit, and SolverError for a solver that lies or dies.

    >>> triangle = OrderingProblem.from_edges(3, [(0, 1), (1, 2), (0, 2)])
    >>> refuted = order_encoded(triangle)
    >>> refuted.kind, refuted.encoding
    ('formula', 'precedence')
    >>> path = OrderingProblem.from_edges(3, [(0, 1), (1, 2)])
    >>> order_encoded(path, solver_settings=SolverSettings("time_indexed")).vertices.tolist()
    [1, 0, 2]
    """
    solver_settings = solver_settings or SolverSettings()
    context = context or SearchContext()
    coder = encoder_for(solver_settings.encoding or fitting(problem, kind), kind)
    attempt = _Attempt(problem, kind, solver_settings, context)
    try:
        options = coder.options(solver_settings.settings)
        for tried in coder.schedule(problem, options, attempt.limits("encoding")):
            context.limits.check()
            context.progress(f"encoding {problem.size} presses: {coder.name}")
            if isinstance(coder, Encoder):
                answer = attempt.by_formula(coder, tried)
            else:
                answer = attempt.by_model(coder, tried)
            if answer is not None:
                return answer
    except LimitReached as stopped:
        return Unknown(str(stopped))
    return Unknown(f"{coder.name} has no order within the horizon, which is too short to refute")


@dataclass(frozen=True)
class _Attempt:
    """One call: the problem, how it is to be solved, and until when."""

    problem: OrderingProblem
    kind: SolverKind
    settings: SolverSettings
    context: SearchContext

    def by_formula(self, coder: Encoder, options: Options) -> Answer | None:
        """Decide one formula; None when it has no model and that refutes nothing.

        With `options.conflicts` it is a first attempt in this process, to find an order alone.
        """
        problem, solver, context = self.problem, self.settings.solver, self.context
        first = options.conflicts is not None
        here = solver == DEFAULT_SOLVER and self.settings.memory is None
        if first and not (here and problem.edge_count <= MOST_HERE):
            return None
        with self.part("encoding") as (stage, limits):
            cnf = coder.encode(problem, options, limits)
            if cnf.literals > MOST_LITERALS:
                raise NeedsMemory(
                    f"the formula {cnf.title} is too large to be solved here: {cnf.literals:,} "
                    f"literals, at most {MOST_LITERALS:,}"
                )
            formula, added = Formula.from_clauses(cnf.variables, cnf.blocks()), list[list[int]]()
            size = f"{formula.nvars:,} variables, {formula.size:,} clauses"
            stage.said(formula, size)
        context.progress(f"{solver}: {coder.name} {_horizon(options)}{size}")
        missing = proof_support(solver)
        if self.settings.limits[-1] == 0:
            missing = "no check was asked for"
        proves = missing is None and coder.refutes(problem, options)
        if coder.lazy(options):  # transitivity is added where a model breaks it, until none does
            outcome = self.with_cuts(coder, options, cnf, formula, added)
            if first and not isinstance(outcome, Sat):
                return None
            if isinstance(outcome, Unsat) and proves:  # once more, with a proof
                formula = formula.extended(added)
                outcome = self.solve(formula, proof=True)
        else:
            focused = isinstance(coder, Precedence) and not by_lines(problem, options)
            outcome = self.solve(formula, proof=proves, focused=focused)
        match outcome:
            case Sat(literals):
                order = decode(coder, problem, options, literals.tolist(), cnf)
                sizes = {"variables": formula.nvars, "clauses": formula.size}
                return _with_statistics(order, coder, options, {"solver": solver, **sizes})
            case Unknown():
                return Unknown(context.limits.reason) if context.limits.expired else outcome
            case Unsat() if not coder.refutes(problem, options):
                return None
            case Unsat(bytes(proof)):
                return self.refuted(coder, options, cnf.extended("cuts", added), added, proof)
        return self.said_no(f", but there is no proof: {missing or 'it gave none'}")

    def solve(self, formula: Formula, *, proof: bool = False, focused: bool = False) -> Outcome:
        """Run the solver on one formula."""
        return self.ask(
            lambda limits: solve(
                formula,
                solver=self.settings.solver,
                timeout=limits,
                memory=self.settings.memory,
                seed=self.context.seed,
                proof=proof,
                focused=focused,
            )
        )

    def ask(self, solver: Callable[[Limits], Outcome]) -> Outcome:
        """Run a solver within the limit of solving."""
        with self.part("solving") as (stage, limits):
            outcome = solver(limits)
            verdict = "satisfiable" if isinstance(outcome, Sat) else "unsatisfiable"
            return stage.said(outcome, getattr(outcome, "reason", verdict))

    def limits(self, part: str) -> Limits:
        """Return the clock of one of PARTS; its limit is shared by all formulas of the call."""
        most, limits = self.settings.limits[PARTS.index(part)], self.context.limits
        if most is None:
            return limits
        return limits.sooner(max(0.0, most - self.context.log.seconds(f"{self.kind} {part}")))

    @contextmanager
    def part(self, name: str) -> Iterator[tuple[Stage, Limits]]:
        """Time one of PARTS; yield its stage and its clock."""
        limits = self.limits(name)
        with self.context.stage(f"{self.kind} {name}") as stage:
            try:
                limits.check()
                yield stage, limits
            except TimeUp as stopped:
                raise TimeUp(f"{stopped} in {name}") from None

    def said_no(self, why: str) -> Unknown:
        """Return that the solver says no, and why that is no refutation."""
        return Unknown(f"{self.settings.solver} {SAYS_NO}{why}", {SOLVER_SAYS: "no order"})

    def with_cuts(
        self, coder: Encoder, options: Options, cnf: Cnf, formula: Formula, added: list[list[int]]
    ) -> Outcome:
        """Solve, cut and solve again until the model breaks no cut; `added` grows."""
        settings, context = self.settings, self.context
        with ExitStack() as stack:
            session = None
            if settings.solver in PYSAT_SOLVERS:
                hint = coder.hint(self.problem, self.hint)
                session = stack.enter_context(
                    Session(
                        formula,
                        settings.solver,
                        settings.memory,
                        context.seed,
                        hint=hint,
                        conflicts=options.conflicts,
                    )
                )
            for _ in count() if options.conflicts is None else range(ROUNDS):
                if session is not None:
                    outcome = self.ask(session.solve)
                else:
                    outcome = self.solve(formula.extended(added))
                if not isinstance(outcome, Sat):
                    return outcome
                model = outcome.literals.tolist()
                with self.part("encoding") as (stage, limits):
                    broken = cuts(coder, self.problem, options, model, cnf, limits)
                    stage.said(broken, f"{len(broken):,} cuts")
                if not broken:
                    return outcome
                added += broken
                context.progress(f"{settings.solver}: {coder.name}, {len(added):,} cuts")
                if session is not None:
                    session.add(broken)
        return Unknown(f"no order in {ROUNDS} rounds")

    def refuted(
        self, coder: Encoder, options: Options, cnf: Cnf, added: list[list[int]], proof: bytes
    ) -> Answer:
        """Return the refutation once its proof has been checked."""
        if cnf.literals > MOST_CHECKED or len(proof) > MOST_PROOF:
            return self.said_no(
                f", but its proof of {len(proof):,} bytes, about {cnf.literals:,} literals, is too "
                "large to be checked here"
            )
        self.context.progress(f"checking a proof of {len(proof):,} bytes")
        try:
            with self.part("checking") as (stage, limits):
                text = lrat_of(proof, cnf.variables, cnf.clauses(), limits)
                text = trimmed(text, cnf.size.clauses, limits)
                why = proved(coder, options, cnf, text, added=added, limits=limits)
                return stage.said(why, f"a proof of {len(proof):,} bytes holds")
        except TimeUp:
            return self.said_no("; the time limit was reached while its proof was checked")
        except CheckFailed as failure:
            refused = f"the proof of {self.settings.solver} is refused, so nothing is proved"
            raise SolverError(f"{refused}: {failure}") from None

    def by_model(self, coder: CpSatTime, options: Options) -> Answer | None:
        """Decide one CP-SAT model; None when it has no solution and that refutes nothing."""
        cp_model = ortools("sat.python.cp_model", "CP-SAT")
        problem, memory = self.problem, self.settings.memory
        with self.part("encoding") as (stage, limits):
            model = coder.model(problem, options, limits)
            proto = model.model.proto
            sizes = {"variables": len(proto.variables), "constraints": len(proto.constraints)}
            size = ", ".join(f"{number:,} {name}" for name, number in sizes.items())
            stage.said(model, size)
        self.context.progress(f"CP-SAT: {coder.name} {_horizon(options)}{size}")
        with self.part("solving") as (stage, limits):
            solver, status = cpsat.solve(
                model.model,
                self.context.seed,
                limits.left(),
                stop=lambda: limits.expired,
                parameters={} if memory is None else {"max_memory_in_mb": max(1, memory >> 20)},
            )
            stage.said(status, solver.status_name(status))
        if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            order = order_of(problem, model.read(solver.value))
            return _with_statistics(order, coder, options, sizes)
        if status != cp_model.INFEASIBLE:
            return Unknown(f"CP-SAT reached the {'time' if limits.expired else 'memory'} limit")
        if not coder.refutes(problem, options):
            return None
        return UnprovedUnsat(f"CP-SAT {SAYS_NO}, by the model {coder.name} of {size}")

    @cached_property
    def hint(self) -> Order:
        """A greedy order, wrong parities accepted where it gets stuck."""
        if self.problem.edge_count > MOST_LISTED:
            return Order(np.arange(self.problem.size))
        wrong = self.problem.odd.astype(np.int8).tolist()
        random, limits = Random(self.context.seed), self.context.limits
        near = self.problem.neighbours
        return Order.from_build(fewest_first(near, wrong, random, limits, forced=True)[0])


def _with_statistics(
    order: Order, coder: Coder, options: Options, more: Mapping[str, object]
) -> Order:
    used = {"encoding": coder.name, "options": str(options), **more}
    return replace(order, statistics=used)


def _horizon(options: Options) -> str:
    layers = options.values.get("layers")
    return f"with {layers} layers, " if layers else ""
