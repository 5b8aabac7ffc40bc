"""Ordering by an encoding: encode, let a solver decide, decode; "no" only with its evidence.

Idea. The encoders say what a legal order is, the solvers decide, and neither is believed. A model
must satisfy the formula and stand for an order that obeys the parities. `ponder.check.drat` checks
a proof that there is none before there is a refutation (`SatProof`). A solver without proofs can
only find orders: so can CP-SAT, whose "no" is `UnprovedUnsat`.

Encodings with a horizon are tried along their `schedule`, short horizons first. Formulas that leave
clauses out ("lazy") are solved again with the clauses that the last model broke (`cuts`), in one
session; a proof is then made for the formula with all the cuts that were needed.

Cost. One child process a formula, and the check of a proof.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import count
from typing import Literal, TypeAlias

import numpy as np

from ponder.check.kinds import Answer
from ponder.encodings.precedence import Precedence, by_lines
from ponder.encodings.registry import encoder
from ponder.find.ordering.greedy import Trials, greedy_prefix
from ponder.find.ordering.small_cuts import PieceLemma, lemmas, whole_lemma
from ponder.find.search.context import Progress, SearchContext, silent
from ponder.find.solvers.clause_arrays import Formula, Outcome, Sat, Unsat
from ponder.find.solvers.decoding import cuts, decode, order_of, proved
from ponder.find.solvers.known_solvers import (
    DEFAULT_SOLVER,
    LRAT_SOLVERS,
    PYSAT_SOLVERS,
    SLICED_SOLVERS,
    proof_support,
)
from ponder.find.solvers.sat import Session, solve
from ponder.formulas.cnf import Cnf
from ponder.formulas.encoder import CONFLICTS, CpSatEncoder, Encoder, Options
from ponder.model.ordering_problem import Order, OrderingProblem, Unknown
from ponder.proofs.lemma_templates import Format, ProofWriter
from ponder.proofs.local_proofs import Source, derive
from ponder.proofs.lrat_trimming import Trimmed, without_hints
from ponder.proofs.parity_sums import Chain
from ponder.system import cpsat
from ponder.system.errors import CheckFailed, PonderError, SolverError, ortools
from ponder.system.limits import NEVER, LimitReached, Limits, NeedsMemory, TimeUp

SolverKind: TypeAlias = Literal["sat", "cpsat"]

MOST_LITERALS = 1 << 27  # formulas of more are not solved: they take 1 GB, and solvers more
MOST_CHECKED = 1 << 25  # literals of a formula whose proof is checked: 100 bytes for each
MOST_PROOF = 1 << 28  # proofs of more bytes are not checked: about ten times as many in memory
MOST_HERE = 1 << 18  # pairs of neighbours of a problem that is first tried in this process
BARE, ROUNDS = 8, 20  # of cuts, in a first attempt: without lemmas about pieces, and with them
_HINT_SECONDS = 1.0  # what greedy may take for a hint


class UnprovedUnsat(Unknown):
    """CP-SAT says that there is no order. It has no proof, so it is no refutation."""


@dataclass(frozen=True)
class SolverSettings:
    """Which encoding, with which options, and by which solver."""

    encoding: str | None = None  # None: one that fits
    settings: tuple[str, ...] = ()  # its options, `key=value`
    solver: str = DEFAULT_SOLVER  # as in `ponder.find.solvers.sat.solve`; nothing to CP-SAT
    memory: int | None = None  # bytes that the solver may occupy
    lrat: bool = False  # whether the proof is wanted with hints too
    drat: bool = False  # whether it is wanted without, from a solver that writes hints by itself

    def coder(self, problem: OrderingProblem, kind: SolverKind) -> Encoder | CpSatEncoder:
        """Return the encoder. Raises PonderError if it does not belong to the kind of solver."""
        made = encoder(self.encoding or fitting(problem, kind))
        formulas = isinstance(made, Encoder)
        method, word = ("sat", "formulas") if formulas else ("cpsat", "CP-SAT models")
        if method != kind:
            raise PonderError(f"{made.name} makes {word}: use it with the method {method}")
        return made


def fitting(problem: OrderingProblem, kind: SolverKind) -> str:
    """Return the name of an encoding that fits a problem."""
    if problem.lines is None:
        return "precedence" if kind == "sat" else "cpsat_positions"
    if problem.odd.any() or problem.repeats:
        return "layered" if kind == "sat" else "cpsat_time"
    return "half_factor" if kind == "sat" else "cpsat_half_factor"


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
    >>> refuted.kind, refuted.encoding, refuted.solver
    ('sat-proof', 'precedence', 'ponder')
    >>> path = OrderingProblem.from_edges(3, [(0, 1), (1, 2)])
    >>> order_encoded(path, solver_settings=SolverSettings("time_indexed")).vertices.tolist()
    [1, 0, 2]
    """
    solver_settings = solver_settings or SolverSettings()
    made = solver_settings.coder(problem, kind)
    context = context or SearchContext()
    seed, limits = context.seed, context.limits
    attempt = _Attempt(problem, solver_settings, seed, limits, context.progress)
    settings = made.options(solver_settings.settings)
    try:
        for options in made.schedule(problem, settings, limits):
            limits.check()
            if isinstance(made, Encoder):
                answer = attempt.by_formula(made, options)
            else:
                answer = attempt.by_model(made, options)
            if answer is not None:
                return answer
    except LimitReached as stopped:
        return Unknown(str(stopped))
    return Unknown(f"{made.name} has no order within the horizon, which is too short to refute")


def refute_by_pieces(
    problem: OrderingProblem, solver_settings: SolverSettings | None = None, limits: Limits = NEVER
) -> Answer:
    """Refute a problem by lemmas about pieces behind small cuts that contradict each other.

    >>> refute_by_pieces(OrderingProblem.from_edges(3, [(0, 1), (1, 2)])).reason
    'the pieces behind small cuts do not contradict each other'
    """
    solver_settings, made = solver_settings or SolverSettings(), Precedence()
    attempt = _Attempt(problem, solver_settings, 0, limits, silent)
    options = made.options(solver_settings.settings).with_usual(order="fill")
    try:
        alone = attempt.about(made, options)[1]
        answer = None if alone is None else attempt.by_formula(made, options)
    except LimitReached as stopped:
        return Unknown(str(stopped))
    return answer or Unknown("the pieces behind small cuts do not contradict each other")


@dataclass(frozen=True)
class _Attempt:
    """One call: the problem, how it is to be solved, and until when."""

    problem: OrderingProblem
    settings: SolverSettings
    seed: int
    limits: Limits
    progress: Progress

    # ..................................................................................... formulas

    def by_formula(self, made: Encoder, options: Options) -> Answer | None:
        """Decide one formula; None when it has no model and that refutes nothing.

        A first attempt is made in this process, where that is sure to be short: None without order.
        """
        here = self.settings.solver in SLICED_SOLVERS and self.settings.memory is None
        brief = here and self.problem.edge_count <= MOST_HERE
        attempt = options.conflicts is not None
        if attempt and not (brief and whole_lemma(self.problem, self.limits) is None):
            return None
        self.progress(f"encoding {self.problem.size} presses: {made.name}")
        cnf = made.encode(self.problem, options, self.limits)
        # lemmas that follow from H alone; `alone` refutes it without a solver
        about, alone = ([], None) if attempt else self.about(made, options)
        source = Source(self.problem, options, cnf, self.limits)
        if alone is not None:
            proof = lrat_with_lemmas(source, about, alone, self.limits)
            return self.refuted(source, made, [], proof, "ponder")
        formula = self.built(cnf).extended([lemma.clause for lemma in about])
        size = f"{formula.nvars:,} variables, {formula.size:,} clauses"
        self.progress(f"{self.settings.solver}: {made.name} {_horizon(options)}{size}")
        refutes, missing = (
            made.refutes(self.problem, options),
            proof_support(self.settings.solver),
        )
        added: list[list[int]] = []
        if made.lazy(options):  # transitivity is added where a model breaks it, until none does
            outcome = self.with_cuts(made, options, cnf, formula, added, BARE if attempt else None)
            if attempt and not isinstance(outcome, Sat):  # the lemmas take longer than that
                about, alone = self.about(made, options)
                if alone is not None:
                    return None
                formula = formula.extended([lemma.clause for lemma in about])
                outcome = self.with_cuts(made, options, cnf, formula, [], ROUNDS)
                if not isinstance(outcome, Sat):
                    return None
            if isinstance(outcome, Unsat) and refutes and missing is None:
                formula = formula.extended(added)  # once more with what was added: now with a proof
                outcome = self.solve(formula, proof=True)
        else:
            focused = isinstance(made, Precedence) and not by_lines(self.problem, options)
            outcome = self.solve(formula, proof=refutes and missing is None, focused=focused)
        match outcome:
            case Sat(literals):
                order = decode(made, self.problem, options, literals.tolist(), cnf)
                used = {"encoding": made.name, "options": str(options)}
                sizes = {"variables": formula.nvars, "clauses": formula.size}
                return replace(order, statistics={**used, "solver": self.settings.solver, **sizes})
            case Unknown() if self.limits.expired:
                return Unknown("the time limit was reached", outcome.statistics)
            case Unknown():
                return outcome
            case Unsat() if not refutes:
                return None
            case Unsat(str(proof)):
                if self.form == "lrat":
                    short = Trimmed.of(proof, formula.size, self.limits)
                    proof = lrat_with_lemmas(source, about, short, self.limits)
                return self.refuted(source, made, added, proof, self.settings.solver)
        return Unknown(
            f"{self.settings.solver} says that there is no order, but it gives no proof: "
            f"{missing or 'it gave none'}"
        )

    @cached_property
    def pieces(self) -> tuple[list[PieceLemma], Trimmed | None]:
        """The lemmas about pieces behind small cuts; a proof if they contradict each other."""
        found = lemmas(self.problem, self.limits)
        if found and not found[0].clause:
            return found, Trimmed((1,), [(2, "", [1], [])])
        clauses = Formula.of(self.problem.edge_count, (lemma.clause for lemma in found))
        with Session(clauses, proof=True, lrat=True, conflicts=CONFLICTS) as session:
            match session.solve(self.limits):
                case Unsat(str(proof)):
                    return found, Trimmed.of(proof, len(found), self.limits)
        return found, None

    def about(self, made: Encoder, options: Options) -> tuple[list[PieceLemma], Trimmed | None]:
        """Return the lemmas that a formula is solved with, as its proof can start from them."""
        if not isinstance(made, Precedence) or "acyclic" in options.named or self.form != "lrat":
            return [], None
        if by_lines(self.problem, options) and self.problem.repeats:
            return [], None  # two presses of a bulb share both lines: the sums of these say less
        derived = options.word("xor") == "chain" and options.word("acyclic") == "elimination"
        return self.pieces if derived or options.conflicts is not None else ([], None)

    @property
    def form(self) -> Format:
        return "lrat" if self.settings.solver in LRAT_SOLVERS else "drat"

    def built(self, cnf: Cnf) -> Formula:
        """Make all clauses. Raises NeedsMemory."""
        if cnf.literals > MOST_LITERALS:
            raise NeedsMemory(
                f"the formula {cnf.title} is too large to be solved here: {cnf.literals:,} "
                f"literals, at most {MOST_LITERALS:,}"
            )
        return Formula.of(cnf.variables, cnf.blocks())

    def solve(self, formula: Formula, *, proof: bool = False, focused: bool = False) -> Outcome:
        """Run the solver on one formula."""
        seed, lrat, solver_settings = self.seed, proof and self.form == "lrat", self.settings
        run = partial(solve, formula, timeout=self.limits, seed=seed, proof=proof, lrat=lrat)
        return run(solver=solver_settings.solver, memory=solver_settings.memory, focused=focused)

    def with_cuts(
        self,
        made: Encoder,
        options: Options,
        cnf: Cnf,
        formula: Formula,
        added: list[list[int]],
        rounds: int | None,
    ) -> Outcome:
        """Solve, cut and solve again until the model breaks no cut; `added` grows."""
        solver, session = PYSAT_SOLVERS.get(self.settings.solver), None
        with ExitStack() as stack:
            if solver is not None and not solver.once:
                new = Session(
                    formula,
                    solver=self.settings.solver,
                    memory=self.settings.memory,
                    seed=self.seed,
                    hint=made.hint(self.problem, options, cnf, self.hint),
                    conflicts=options.conflicts,
                )
                session = stack.enter_context(new)
            for _ in count() if rounds is None else range(rounds):
                if session is not None:
                    outcome = session.solve(self.limits)
                else:
                    outcome = self.solve(formula.extended(added))
                if not isinstance(outcome, Sat):
                    return outcome
                model = outcome.literals.tolist()
                broken = cuts(made, self.problem, options, model, cnf, self.limits)
                if not broken:
                    return outcome
                added += broken
                self.progress(f"{self.settings.solver}: {made.name}, {len(added):,} cuts")
                if session is not None:
                    session.add(broken)
        return Unknown(f"no order in {rounds} rounds")

    def refuted(
        self, source: Source, made: Encoder, added: list[list[int]], proof: str, name: str
    ) -> Answer:
        """Return the refutation once its proof has been checked; `name` is whose it is."""
        cnf, form = source.formula.extended("cuts", added), self.form
        if cnf.literals > MOST_CHECKED or len(proof) > MOST_PROOF:
            return Unknown(
                f"{name} says that there is no order, but its proof of {len(proof):,} bytes, about "
                f"{cnf.literals:,} literals, is too large to be checked here"
            )
        self.progress(f"checking a proof of {proof.count(chr(10)):,} lines")
        if form == "lrat" and self.settings.drat:
            proof, form = without_hints(proof), "drat"
        try:
            check = partial(proved, made, source.options, cnf, proof, name, added=added, form=form)
            return check(lrat=self.settings.lrat, stop=lambda: self.limits.expired)
        except TimeUp:
            return Unknown(
                f"{name} says that there is no order; the time limit was reached while its proof "
                "was checked"
            )
        except CheckFailed as failure:
            raise SolverError(
                f"the proof of {name} is refused, so nothing is proved: {failure}"
            ) from None

    # ....................................................................................... models

    def by_model(self, made: CpSatEncoder, options: Options) -> Answer | None:
        """Decide one CP-SAT model; None when it has no solution and that refutes nothing."""
        cp_model = ortools("sat.python.cp_model", "CP-SAT")
        self.progress(f"encoding {self.problem.size} presses: {made.name}")
        model = made.model(self.problem, options, self.hint, self.limits)
        proto = model.model.proto
        variables, constraints = len(proto.variables), len(proto.constraints)
        size = f"{variables:,} variables, {constraints:,} constraints"
        self.progress(f"CP-SAT: {made.name} {_horizon(options)}{size}")
        memory = self.settings.memory
        solver, status = cpsat.solve(
            model.model,
            self.seed,
            self.limits.left(),
            stop=lambda: self.limits.expired,
            parameters={} if memory is None else {"max_memory_in_mb": max(1, memory >> 20)},
            on_log=self.tell,
        )
        if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            order = order_of(self.problem, model.read(solver.value))
            used = {"encoding": made.name, "options": str(options)}
            sizes = {"variables": variables, "constraints": constraints}
            return replace(order, statistics={**used, **sizes})
        if status != cp_model.INFEASIBLE:
            limit = "time" if self.limits.expired else "memory"
            return Unknown(f"CP-SAT reached the {limit} limit")
        if not made.refutes(self.problem, options):
            return None
        return UnprovedUnsat(
            f"CP-SAT says that there is no order, by the model {made.name} of {size}"
        )

    @cached_property
    def hint(self) -> Order:
        """Return greedy's longest beginning of a build order, and the other presses after it."""
        trials, limits = Trials(count=1, seed=self.seed), self.limits.sooner(_HINT_SECONDS)
        built = greedy_prefix(self.problem, trials, limits)
        left = np.ones(self.problem.size, dtype=np.bool_)
        left[built] = False
        return Order.from_build(np.concatenate([built, np.flatnonzero(left)]))

    def tell(self, line: str) -> None:
        """Pass the lines of CP-SAT's log on that speak of progress."""
        if line.startswith("#"):
            self.progress(f"CP-SAT: {' '.join(line.split())[:80]}")


def _horizon(options: Options) -> str:
    layers = options.values.get("layers")
    return f"with {layers} layers, " if layers else ""


def lrat_with_lemmas(
    source: Source, lemmas: Sequence[PieceLemma], proof: Trimmed, limits: Limits = NEVER
) -> str:
    """Return a proof about the formula, from one about it and clauses of lemmas at its end.

    The given one may be about the lemmas alone. Those that it names are derived from the parities
    and triangles of their pieces (`ponder.proofs.local_proofs`). Raises TimeUp.
    """
    file, size = io.BytesIO(), source.formula.size
    own = range(1, len(proof.given) - len(lemmas) + 1)  # nothing, or the formula's and cuts'
    writer = ProofWriter(file, "lrat", size.variables, max(size.clauses, len(own)))
    needed = {hint for _, _, hints, _ in proof.steps for hint in hints}
    names, sums = [0] * len(lemmas), dict[tuple[int, ...], Chain]()
    for k, (lemma, number) in enumerate(zip(lemmas, proof.given[own.stop - 1 :], strict=True)):
        if number in needed:
            kind, members = lemma.why.kind, lemma.piece[lemma.why.members].tolist()
            ends = lemma.piece.tolist(), lemma.clause
            names[k], clause = derive(writer, source, kind, members, *ends, limits, sums)
            if not clause:
                proof = Trimmed(proof.given, [])
                break
    writer.close()
    return file.getvalue().decode("ascii") + proof.text([*own, *names], writer.name, limits)
