"""`ponder.order`: each bulb at most once. A replayed order, a refutation, or an honest unknown.

The linear stage fixes the press sets: none (odd witness, claim C4), one, or a coset. One press set
is ordered or refuted, by the method that was asked for or by whatever answers:

    lines      row/column boards with every t(v) = 0: the half factor decides (theory §4)
    engine     counting, and the methods for blocks (`ponder.find.ordering.engine`); among them
               lemmas about pieces behind small cuts, whose contradiction becomes a proof in clauses
    sat        where the evidence says no: a SAT refutation with a checked proof
    one way    where edges are fixed or not all neighbours are heard
               (`ponder.find.ordering.one_way`)

For a coset the question is whether *some* press set can be ordered, and with the fewest presses:
`ponder.find.switching` chooses it on row/column boards, `ponder.find.fewest.each_bulb_once` on all
others.

The methods `sat`, `cpsat` and `asp` take the problem whole. Where CP-SAT says no, the stages of
`auto` and a SAT solver look for a proof; what clingo (`asp`) says no to stays unknown.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ponder.check.evidence.bound_evidence import CosetMinimum, LighterRefuted
from ponder.check.evidence.press_set_refutations import CosetRefuted
from ponder.check.evidence.refutation import Answer, Claim, Refutation
from ponder.check.evidence.solver_refutations import Randomised
from ponder.check.evidence.written import Bound
from ponder.check.result import CP_SAT_SAYS, Result
from ponder.find.driver import (
    METHODS,
    TRIALS,
    UNIQUE,
    Found,
    Method,
    Refuted,
    SearchSettings,
    SolveSession,
    has_holes,
)
from ponder.find.linear.press_sets import PressSets
from ponder.find.ordering.greedy import Direction, Trials, Variant, order_greedy
from ponder.find.row_column.ordering import Pressed, order_grid, order_lines
from ponder.find.search.context import Progress, silent
from ponder.find.search.outcome import Chosen, SearchOutcome
from ponder.model.arguments import (
    MOST_SEED,
    need_board,
    one_of,
    press_set_of,
    whole_number,
)
from ponder.model.board import EVEN_LINES, Board
from ponder.model.graph import CrossGraph
from ponder.model.ordering_problem import Order, OrderingProblem, Unknown
from ponder.model.wired_graph import Wired
from ponder.system.errors import BoardError, PonderError, SolverError
from ponder.system.limits import LimitReached, Limits
from ponder.system.printable import pluralise
from ponder.system.types import Bits, Label, distinct

if TYPE_CHECKING:
    from ponder.find.solvers.by_encoding import SolverKind, SolverSettings, UnprovedUnsat

ENUMERATED = 12  # a method asked for tries all of at most 2^ENUMERATED press sets, or one
PROVING_SHARE = 0.9  # of the time left, to look for a proof once evidence says "no"
PROVING_SECONDS = 60.0  # the same when there is no time limit


def order(
    board: Board,
    *,
    method: Method = "auto",
    press_set: Iterable[int] | Iterable[Label] | Bits | None = None,
    seed: int = 0,
    timeout: float | Limits | None = None,
    trials: int = TRIALS,
    variant: Variant = "fewest",
    direction: Direction = "backwards",
    solver_settings: SolverSettings | None = None,
    progress: Progress | None = None,
) -> Result:
    """Press each bulb at most once: return a replayed legal order, or a proof that none exists.

    `press_set` asks about just these presses (claim C1): numbers of bulbs, their labels, or bits.
    `solver_settings` is the encoding and the solver of the methods `sat` and `cpsat`, or clingo's
    model. `timeout` is in seconds, or a clock that runs already; when it ends, or when too much
    memory would be needed, the verdict is `unknown`. The order has the fewest presses unless the
    result says otherwise (`optimal`). Raises BadArgument for a value that a parameter cannot have.

    >>> board = Board.from_rows(["0011", "1101", "0110", "0001"])
    >>> result = order(board)
    >>> result.verdict, result.count, result.optimal
    ('solved', 4, True)
    """
    need_board(board)
    one_of(method, METHODS, "method")
    settings = SearchSettings(
        whole_number(seed, "seed", MOST_SEED),
        Limits.of(timeout),
        progress or silent,
        method=method,
        trials=Trials(variant, direction, trials, seed),
        solver_settings=solver_settings,
    )
    run = SolveSession(board, settings)
    if method == "lines" and not board.even_lines:
        raise PonderError(f"the method lines needs {EVEN_LINES}")
    chosen = None if press_set is None else given_set(board, press_set)
    try:
        if chosen is None:
            found = _search(run)
        else:
            run.stage = method
            found = _one_press_set(run, chosen, "C1")
    except LimitReached as stopped:
        found = run.stopped(stopped)
    return run.result(found)


def _search(run: SolveSession) -> Found:
    sets = run.press_sets()
    if not isinstance(sets, PressSets):
        return sets
    asked = run.settings.method not in ("auto", "lines")
    if sets.nullity == 0 or asked or isinstance(run.board.graph, Wired):
        return each_once(run, sets)
    if run.board.even_lines and not has_holes(run.board):
        return _switches(run, sets)
    return _coset(run, sets)


def each_once(run: SolveSession, sets: PressSets) -> Found:
    """Order the only press set, or one press set after the other, on any board. Raises TimeUp."""
    if sets.nullity == 0:
        return _one_press_set(run, sets.particular, "C2")
    return _one_by_one(run, sets)


def given_set(board: Board, given: Any) -> Bits:
    """Return a press set that the caller gave; it must solve the linear system.

    Raises BoardError for anything else.
    """
    bulbs = press_set_of(board.graph, given)
    if distinct(bulbs).size != bulbs.size:
        raise BoardError("a bulb is listed twice", "press set")
    chosen = board.graph.set_of(bulbs)
    wrong = np.flatnonzero(board.graph.apply(chosen) ^ board.change)
    if wrong.size:
        first = board.graph.label(int(wrong[0]))
        raise BoardError(
            f"pressing {pluralise(bulbs.size, 'bulb')} leaves "
            f"{pluralise(wrong.size, 'bulb')} wrong, first {first}",
            "press set",
        )
    return chosen


def _one_press_set(run: SolveSession, chosen: Bits, claim: Claim) -> Found:
    """Order one press set; `claim` is what a refutation of it proves."""
    if run.board.rule == "any":
        return SearchOutcome("any order", np.flatnonzero(chosen))
    if run.settings.method in ("auto", "lines") and run.board.even_lines:
        return _lines(run, chosen, claim)
    problem = OrderingProblem.of_board(run.board, chosen)
    answer, method = order_problem(problem, run.settings)
    return found_of(problem, answer, method, chosen, claim)


def order_problem(problem: OrderingProblem, settings: SearchSettings) -> tuple[Answer, str]:
    """Return the answer to one ordering problem, and the name of the method that gave it."""
    if not problem.plain:
        return _one_way(problem, settings)
    if problem.even_lines and settings.method in ("auto", "lines"):
        with settings.stage("lines") as stage:
            return stage.said(order_lines(problem, settings.limits)), "lines"
    from ponder.find.ordering.engine import ALGEBRA_ONLY, find_order

    match settings.method:
        case "greedy":
            settings.progress(f"greedy on {problem.size} presses")
            with settings.stage("greedy") as stage:
                greedy = order_greedy(problem, settings.trials, settings.limits)
                return stage.said(greedy), "greedy"
        case "sat" | "cpsat" as kind:
            return _encoded(problem, kind, settings)
        case "asp":
            return _asp(problem, settings), "asp"
        case "spanning":
            return find_order(problem, settings, without=ALGEBRA_ONLY)
    pieces = cache(lambda: _by_pieces(problem, settings))  # several blocks may ask
    answer, method = find_order(problem, settings, trials=settings.trials, pieces=pieces)
    if not isinstance(answer, Randomised):
        return answer, method
    proved = _proved(problem, settings)
    return (answer, method) if proved is None else (proved, "sat")


def _asp(problem: OrderingProblem, settings: SearchSettings) -> Answer:
    from ponder.find.solvers.asp import order_asp

    model = None if settings.solver_settings is None else settings.solver_settings.encoding
    with settings.stage("asp") as stage:
        return stage.said(order_asp(problem, model, seed=settings.seed, limits=settings.limits))


def _by_pieces(problem: OrderingProblem, settings: SearchSettings) -> Answer:
    from ponder.find.solvers.by_encoding import refute_by_pieces

    return refute_by_pieces(problem, settings.solver_settings, settings.limits)


def _one_way(problem: OrderingProblem, settings: SearchSettings) -> tuple[Answer, str]:
    """Answer a problem with fixed edges, or in which not all neighbours are heard."""
    from ponder.find.ordering.one_way import order_one_way, refute_one_way

    if settings.method in ("sat", "cpsat"):
        return _encoded(problem, "sat" if settings.method == "sat" else "cpsat", settings)
    if settings.method == "asp":
        return _asp(problem, settings), "asp"
    with settings.stage("counting") as stage:
        refuted = None if problem.fixed is not None else refute_one_way(problem, settings.limits)
        stage.said(refuted or Unknown("nothing refuted"))
    if refuted is not None and settings.method == "auto":
        return refuted, "counting"
    with settings.stage("greedy") as stage:
        trials, limits = settings.trials.count, settings.limits
        found = stage.said(order_one_way(problem, trials=trials, seed=settings.seed, limits=limits))
    if isinstance(found, Order) or settings.method == "greedy":
        return found, "greedy"
    from ponder.find.solvers.by_encoding import SolverSettings

    # of the ways to forbid cycles the one that is soonest done here, hundreds of vertices or few
    solver_settings = settings.solver_settings or SolverSettings("precedence", ("acyclic=lazy",))
    return _encoded(problem, "sat", replace(settings, solver_settings=solver_settings))


def _proved(problem: OrderingProblem, settings: SearchSettings) -> Order | Refutation | None:
    """Look for a proof of the evidence's claim; None if there is none in time."""
    left = settings.limits.left(PROVING_SHARE)
    shorter = settings.limits.sooner(PROVING_SECONDS if left is None else left)
    settings.progress("the algebraic test says no: looking for a proof")
    answer, _ = _encoded(problem, "sat", replace(settings, limits=shorter))
    return None if isinstance(answer, Unknown) else answer


def _encoded(
    problem: OrderingProblem, kind: SolverKind, settings: SearchSettings
) -> tuple[Answer, str]:
    """Ask a solver; what CP-SAT refutes is proved by another method, which is named as well."""
    from ponder.find.solvers.by_encoding import UnprovedUnsat, order_encoded

    with settings.stage(kind) as stage:
        answer = order_encoded(
            problem,
            kind,
            settings.solver_settings,
            seed=settings.seed,
            timeout=settings.limits,
            progress=settings.progress,
        )
        stage.said(answer)
    if not isinstance(answer, UnprovedUnsat):
        return answer, kind
    answer, prover = _confirmed(problem, answer, settings)
    return answer, f"{kind}+{prover}" if isinstance(answer, Refutation) else kind


def _confirmed(
    problem: OrderingProblem, claim: UnprovedUnsat, settings: SearchSettings
) -> tuple[Answer, str]:
    """Prove what CP-SAT says, or leave it open. Raises SolverError if there is an order."""
    settings.progress("CP-SAT says no: looking for a proof")
    answer, prover = order_problem(problem, replace(settings, method="auto", solver_settings=None))
    if not isinstance(answer, Order | Refutation) or isinstance(answer, Randomised):
        answer, prover = _encoded(
            problem, "sat", replace(settings, method="sat", solver_settings=None)
        )
    if isinstance(answer, Order):
        raise SolverError(f"CP-SAT lies: {claim.reason}, and there is one")
    if isinstance(answer, Refutation):
        return answer, prover
    return Unknown(f"{claim.reason}; that is not proved", {CP_SAT_SAYS: "no order"}), prover


def _lines(run: SolveSession, chosen: Bits, claim: Claim) -> Found:
    """Order one press set of a row/column board by its half factor; it may have millions."""
    graph, settings = run.board.graph, run.settings
    assert isinstance(graph, CrossGraph)

    with settings.stage("lines") as stage:
        answer = order_grid(graph, chosen, settings.limits)
        if isinstance(answer, Refutation):
            return Refuted("lines", stage.said(answer), claim, chosen)
        stage.said(answer, f"ordered {pluralise(answer.bulbs.size, 'press')}")
    if claim == "C2":
        count = int(answer.bulbs.size)
        return SearchOutcome("lines", answer.bulbs, count, UNIQUE, statistics=answer.statistics)
    return SearchOutcome("lines", answer.bulbs, statistics=answer.statistics)


def found_of(
    problem: OrderingProblem, answer: Answer, method: str, chosen: Bits, claim: Claim
) -> Found:
    """Return what an answer says about the board; C2 says that this is the only press set."""
    unique = claim == "C2"
    least, evidence = (int(np.count_nonzero(chosen)), UNIQUE) if unique else (None, None)
    match answer:
        case Order():
            bulbs = answer.bulbs(problem)
            return SearchOutcome(method, bulbs, least, evidence, statistics=answer.statistics)
        case Refutation():
            return Refuted(method, answer, claim, chosen)
        case Unknown():
            return SearchOutcome(method, None, least, evidence, answer.reason, answer.statistics)


def _switches(run: SolveSession, sets: PressSets) -> Found:
    """Row/column boards with an odd side: choose the press set together with its half factor."""
    choice = run.choose_press_set(sets, once=True)
    if isinstance(choice, Refutation):
        return Refuted("switches", choice, "C2", sets.particular)
    if run.rather_listed(sets, choice):
        return _coset(run, sets)
    if not isinstance(choice, Chosen):
        return choice
    graph = run.board.graph
    assert isinstance(graph, CrossGraph)
    answer = order_grid(graph, choice.press_set, run.settings.limits)
    if not isinstance(answer, Pressed):
        raise RuntimeError("internal error: the chosen press set has no half factor")
    return replace(choice, presses=answer.bulbs)


def _coset(run: SolveSession, sets: PressSets) -> Found:
    """Several press sets on any board: lightest first, refused patterns crossed off at once."""
    from ponder.find.fewest.each_bulb_once import order_over_coset

    settings = run.settings
    with settings.stage("coset") as stage:
        answer = order_over_coset(run.board, sets, settings, least=run.known.lower_bound or 0)
        among = f"2^{sets.nullity} press sets"
        if isinstance(answer, CosetRefuted):
            return Refuted("coset", stage.said(answer, f"refuted: coset, {among}"), "C2")
        return stage.said(answer, f"{'open' if answer.presses is None else 'ordered'}, {among}")


def _one_by_one(run: SolveSession, sets: PressSets) -> Found:
    """A method that was asked for, on several press sets, lightest first if few. Raises TimeUp.

    Of many press sets it picks one, which greedy orders far more often than the lightest, and
    sooner.
    """
    limits, asked = run.settings.limits, run.settings.method
    every = sets.nullity <= ENUMERATED
    found = SearchOutcome(asked, None)
    refuted: list[tuple[Bits, Refutation]] = []
    undecided: int | None = None  # the presses of the lightest press set that stays open
    reason = ""
    for chosen in sets.lightest_first() if every else sets.particular[None, :]:
        weight = int(np.count_nonzero(chosen))
        problem = OrderingProblem.of_board(run.board, chosen)
        answer, method = order_problem(problem, run.settings)
        if isinstance(answer, Order):
            found = SearchOutcome(method, answer.bulbs(problem), statistics=answer.statistics)
            break
        if isinstance(answer, Refutation) and not isinstance(answer, Randomised):
            refuted.append((chosen, answer))
        else:
            undecided = weight if undecided is None else undecided
            reason = answer.reason if isinstance(answer, Unknown) else "only evidence"
        if limits.expired:
            undecided = weight if undecided is None else undecided
            reason = "the time limit was reached"
            break
    if found.presses is None:
        if undecided is None and every:
            return Refuted(asked, CosetRefuted(len(refuted), tuple(refuted)), "C2")
        why = f"of 2^{sets.nullity} press sets none that was tried has an order; {reason}"
        found = replace(found, reason=why)
    bound = found.count if undecided is None else undecided
    if bound is None or not every:
        return found
    return replace(found, lower_bound=bound, evidence=_lighter(refuted, bound))


def _lighter(refuted: list[tuple[Bits, Refutation]], least: int) -> Bound:
    parts = [(s, why) for s, why in refuted if int(np.count_nonzero(s)) < least]
    if not parts:
        return CosetMinimum()
    return LighterRefuted(tuple(parts))
