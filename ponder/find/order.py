"""`ponder.order`: each bulb at most once. A replayed order, a refutation, or an honest unknown.

The linear stage fixes the press sets: none (odd witness, claim C4), one, or a coset. One press set
is ordered or refuted, by the method that was asked for or by whatever answers:

    lines      row/column boards with every t(v) = 0: the half factor decides (theory §4)
    engine     counting, and the methods for blocks (`ponder.find.ordering.engine`)
    sat        where these leave a block open: an order, or a refutation with a checked proof
    one way    where edges are fixed or not all neighbours are heard
               (`ponder.find.wirings`)

For a coset the question is whether *some* press set can be ordered, and with the fewest presses:
`ponder.find.row_column.odd_sides` chooses it on full row/column boards, `search_all_states` on
wirings of few lights, on all others `ponder.find.coset.search`.

The methods `sat`, `cpsat` and `asp` take the problem whole. Where CP-SAT says no, the stages of
`auto` and a SAT solver look for a proof; what clingo (`asp`) says no to stays unknown.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ponder.check.certificate import Answer, Bound, Claim, Refutation
from ponder.check.coset import Lightest
from ponder.check.members import Members
from ponder.check.reader import place
from ponder.check.result import NOT_MET, SOLVER_SAYS, Solved, Unsolved
from ponder.check.witness import MOST_LIGHTS, Randomised, States, search_states
from ponder.find.context import (
    METHODS,
    TRIALS,
    Known,
    Method,
    Progress,
    SearchOutcome,
    SolveSession,
    told_to,
)
from ponder.find.linear.gf2 import SpannedKernel
from ponder.find.linear.press_sets import PressSets
from ponder.find.ordering.engine import find_order
from ponder.find.ordering.greedy import Direction, Trials, Variant, order_greedy
from ponder.find.row_column.ordering import Pressed, order_grid, order_lines
from ponder.find.stages import SHARED, UNIQUE, run, search_coset
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
from ponder.system.errors import BadArgument, PonderError, SolverError, quoted
from ponder.system.limits import Cancel, Limits, TimeUp
from ponder.system.printable import pluralise
from ponder.system.types import Bits, Label, Place, distinct

if TYPE_CHECKING:
    from ponder.find.solvers.by_encoding import SolverKind, SolverSettings, UnprovedUnsat

ENUMERATED = 12  # a method asked for tries all of at most 2^ENUMERATED press sets, or one
STATES_SHARE = 0.5  # of the time, for all states of a wiring with more press sets than that
PROVING_SHARE = 0.9  # of the time left, to look for a proof once evidence says "no"
PROVING_SECONDS = 60.0  # the same when there is no time limit


def order(
    board: Board[Place],
    *,
    method: Method = "auto",
    press_set: Iterable[int] | Iterable[Label] | Bits | None = None,
    seed: int = 0,
    timeout: float | Limits | None = None,
    cancel: Cancel | None = None,
    trials: int = TRIALS,
    variant: Variant = "fewest",
    direction: Direction = "backwards",
    solver_settings: SolverSettings | None = None,
    progress: Progress | None = None,
) -> Solved[Place] | Unsolved[Place]:
    """Press each bulb at most once: return a replayed legal order, or a proof that none exists.

    Parameters
    ----------
    method
        `auto`, or the one method that is asked.
    press_set
        Ask about just these presses (claim C1): labels, an array of numbers of bulbs, or bits.
    seed
        Of every random choice: the same seed gives the same answer, time limits aside.
    timeout
        Seconds, or a clock that runs already. When it ends, or when too much memory would be
        needed, the verdict is `unknown`.
    cancel
        An event, or a function without arguments: once it is set, or returns True, the search
        stops, and the reason is "cancelled".
    trials, variant, direction
        Of the greedy method, which is the first to try.
    solver_settings
        A `ponder.SolverSettings`: encoding and solver of the methods `sat`, `cpsat` and `asp`.
    progress
        Called with a line now and then.

    Returns
    -------
    Solved or Unsolved
        Its order has the fewest presses where `optimal` says so.

    Raises
    ------
    BadArgument
        For a value that a parameter cannot have, as a press set that does not reach the goal.

    >>> board = Board.from_rows(["0011", "1101", "0110", "0001"])
    >>> result = order(board)
    >>> result.verdict, result.count, result.optimal
    ('solved', 4, True)
    """
    need_board(board)
    one_of(method, METHODS, "method")
    if solver_settings is not None:
        from ponder.find.solvers.by_encoding import SolverSettings

        if not isinstance(solver_settings, SolverSettings):
            reason = f"{quoted(solver_settings)} is not of the class SolverSettings"
            raise BadArgument(reason, "solver_settings")
    session = SolveSession(
        seed=whole_number(seed, "seed", MOST_SEED),
        limits=Limits.begin(timeout, cancel),
        progress=told_to(progress),
        method=method,
        trials=Trials(variant, direction, trials, seed),
        solver_settings=solver_settings,
    )
    if method == "lines" and not board.even_lines:
        raise PonderError(f"the method lines needs {EVEN_LINES}")
    if board.pressed and press_set is None:
        press_set = np.ones(board.graph.presses, dtype=np.bool_)
    if press_set is None:
        stages = (*SHARED, search_all_states, press_once, press_choice, search_coset)
        result = run(session, Known(board), stages)
    else:
        given = given_set(board, press_set)
        only = PressSets(given, SpannedKernel(given[None][:0]))
        known = Known(board, solved=only, claim="C1")
        if board.pressed:
            least = SearchOutcome("linear", None, board.graph.presses, UNIQUE)
            known = replace(known, bound=least)
        result = run(session, known, (press_once,))
    return cast("Solved[Place] | Unsolved[Place]", result)


def given_set(board: Board, given: Any) -> Bits:
    """Return a press set that the caller gave; it must solve the linear system.

    Raises BadArgument for anything else.
    """
    bulbs = press_set_of(board.graph, given)
    if distinct(bulbs).size != bulbs.size:
        raise BadArgument("a bulb is listed twice", "press_set")
    chosen = board.graph.set_of(bulbs)
    if board.pressed and not chosen.all():
        first = place(board.graph.label(int(np.argmin(chosen))))
        raise BadArgument(f"the goal is to press every bulb, and {first} is missing", "press_set")
    wrong = np.flatnonzero(board.graph.apply(chosen) ^ board.change)
    if wrong.size:
        first = place(board.graph.label(int(wrong[0])))
        raise BadArgument(
            f"pressing {pluralise(bulbs.size, 'bulb')} leaves "
            f"{pluralise(wrong.size, 'bulb')} wrong, first {first}",
            "press_set",
        )
    return chosen


def search_all_states(session: SolveSession, known: Known) -> Known:
    """Search all states of a wiring with few lights: a shortest sequence, or none of any length.

    `order` does so where press sets are many, and goes on if the sequence repeats a press.
    """
    board, graph, limits = known.board, known.board.graph, session.limits
    once = session.command == "order"
    asked = session.method != "auto" or session.solver_settings is not None
    if not isinstance(graph, Wired) or graph.size > MOST_LIGHTS or asked:
        return known
    if once:
        if known.sets.nullity <= ENUMERATED:
            return known
        limits = limits.share(STATES_SHARE)
    session.progress(f"searching through 2^{graph.size} states")
    try:
        with session.stage("states") as stage:
            way = search_states(board, graph, limits)
            if isinstance(way, int):
                return known.refuted("states", stage.said(States()), "C4")
            outcome = stage.said(SearchOutcome("states", way, way.size, States()))
    except TimeUp as stopped:
        if session.limits.expired:
            raise
        return replace(known, bound=replace(known.bound, reason=str(stopped)))
    if once and distinct(way).size < way.size:
        least = min(way.size, graph.presses)  # an order has no more
        return replace(known, bound=SearchOutcome("states", None, least, States()))
    return known.answered(outcome)


def press_once(session: SolveSession, known: Known) -> Known:
    """Order the only press set; of several, one after the other where a method was asked for."""
    board, sets, claim = known.board, known.sets, known.claim
    asked = session.method not in ("auto", "lines")
    if sets.nullity:
        in_turn = asked or isinstance(board.graph, Wired)
        return known.answered(_one_by_one(session, known)) if in_turn else known
    if board.rule == "any":
        return known.answered(SearchOutcome("any order", np.flatnonzero(sets.particular)))
    if board.even_lines and not asked:
        return known.answered(_by_lines(session, board, sets.particular, claim))
    problem = OrderingProblem.of_board(board, sets.particular)
    answer, method = order_problem(problem, session)
    return known.answered(outcome_of(problem, answer, method, sets.particular, claim))


def order_problem(problem: OrderingProblem, session: SolveSession) -> tuple[Answer, str]:
    """Return the answer to one ordering problem, and the name of the method that gave it."""
    method, settings = session.method, session.solver_settings
    if method == "sat" or method == "cpsat":
        return _encoded(problem, method, session)
    if method == "asp":
        from ponder.find.solvers.asp import order_asp

        model = None if settings is None else settings.encoding
        with session.stage("asp") as stage:
            seed, limits = session.seed, session.limits
            return stage.said(order_asp(problem, model, seed=seed, limits=limits)), "asp"
    if not problem.plain:
        return _one_way(problem, session)
    if method in ("auto", "lines") and problem.even_lines:
        with session.stage("lines") as stage:
            return stage.said(order_lines(problem, session.limits)), "lines"
    if method == "greedy":
        session.progress(f"greedy on {problem.size} presses")
        with session.stage("greedy") as stage:
            return stage.said(order_greedy(problem, session.trials, session.limits)), "greedy"
    answer, by = find_order(problem, session)
    if not isinstance(answer, Unknown | Randomised) or session.limits.expired:
        return answer, by
    session.progress("looking for a proof")
    shorter = replace(session, limits=session.limits.share(PROVING_SHARE, PROVING_SECONDS))
    proved, _ = _encoded(problem, "sat", shorter)
    return (answer, by) if isinstance(proved, Unknown) else (proved, "sat")


def _one_way(problem: OrderingProblem, session: SolveSession) -> tuple[Answer, str]:
    """Answer a problem with fixed edges, or in which not all neighbours are heard."""
    from ponder.find.wirings import order_one_way, refute_one_way

    with session.stage("counting") as stage:
        refuted = None if problem.fixed is not None else refute_one_way(problem, session.limits)
        stage.said(refuted or Unknown("nothing refuted"))
    if refuted is not None and session.method == "auto":
        return refuted, "counting"
    with session.stage("greedy") as stage:
        trials, limits = session.trials.count, session.limits
        answer = stage.said(order_one_way(problem, trials=trials, seed=session.seed, limits=limits))
    if isinstance(answer, Order) or session.method == "greedy":
        return answer, "greedy"
    from ponder.find.solvers.by_encoding import SolverSettings

    # of the ways to forbid cycles the one that is soonest done here, hundreds of vertices or few
    settings = session.solver_settings or SolverSettings("precedence", ("acyclic=lazy",))
    return _encoded(problem, "sat", replace(session, solver_settings=settings))


def _encoded(
    problem: OrderingProblem, kind: SolverKind, session: SolveSession
) -> tuple[Answer, str]:
    """Ask a solver; what CP-SAT refutes is proved by another method, which is named as well."""
    from ponder.find.solvers.by_encoding import UnprovedUnsat, order_encoded

    with session.stage(kind) as stage:
        answer = order_encoded(problem, kind, session.solver_settings, session)
        stage.said(answer)
    if not isinstance(answer, UnprovedUnsat):
        return answer, kind
    answer, prover = _confirmed(problem, answer, session)
    return answer, f"{kind}+{prover}" if isinstance(answer, Refutation) else kind


def _confirmed(
    problem: OrderingProblem, claim: UnprovedUnsat, session: SolveSession
) -> tuple[Answer, str]:
    """Prove what CP-SAT says, or leave it open. Raises SolverError if there is an order."""
    settings, limits = session.solver_settings, session.limits
    if settings is not None and (most := settings.limits[-1]) is not None:
        limits = limits.sooner(most)
    unproved = Unknown(f"{claim.reason}; that is not proved", {SOLVER_SAYS: "no order"})
    if limits.expired:
        return unproved, "cpsat"
    session.progress("CP-SAT says no: looking for a proof")
    prover = replace(session, method="auto", solver_settings=None, limits=limits)
    try:
        with session.stage("cpsat checking") as stage:
            answer, by = order_problem(problem, prover)
            stage.said(answer)
    except TimeUp:
        return unproved, "cpsat"
    if isinstance(answer, Order):
        raise SolverError(f"CP-SAT is wrong: {claim.reason}, and there is one")
    if isinstance(answer, Refutation) and not isinstance(answer, Randomised):
        return answer, by
    return unproved, by


def _by_lines(session: SolveSession, board: Board, chosen: Bits, claim: Claim) -> SearchOutcome:
    """Order one press set of a row/column board by its half factor; it may have millions."""
    assert isinstance(board.graph, CrossGraph)
    with session.stage("lines") as stage:
        answer = order_grid(board.graph, chosen, session.limits)
        if isinstance(answer, Refutation):
            stage.said(answer)
            return SearchOutcome("lines", refutation=answer, claim=claim, counts=chosen)
        stage.said(answer, f"ordered {pluralise(answer.bulbs.size, 'press')}")
    least, evidence = (int(answer.bulbs.size), UNIQUE) if claim == "C2" else (None, None)
    return SearchOutcome("lines", answer.bulbs, least, evidence, statistics=answer.statistics)


def outcome_of(
    problem: OrderingProblem, answer: Answer, method: str, chosen: Bits, claim: Claim
) -> SearchOutcome:
    """Return what an answer says about the board; C2 says that this is the only press set."""
    least, evidence = (int(np.count_nonzero(chosen)), UNIQUE) if claim == "C2" else (None, None)
    match answer:
        case Order():
            bulbs = answer.bulbs(problem)
            return SearchOutcome(method, bulbs, least, evidence, statistics=answer.statistics)
        case Randomised():
            reason = "the evidence says that there is no order, but nothing proves it"
            return SearchOutcome(method, reason=reason, refutation=answer, counts=chosen)
        case Refutation():
            return SearchOutcome(method, refutation=answer, claim=claim, counts=chosen)
        case Unknown():
            return SearchOutcome(method, None, least, evidence, answer.reason, answer.statistics)


def press_choice(session: SolveSession, known: Known) -> Known:
    """Order the press set that was chosen for its half factor, where one was."""
    choice, graph = known.choice, known.board.graph
    if choice is None or not isinstance(graph, CrossGraph):
        return known
    answer = order_grid(graph, choice.press_set, session.limits)
    assert isinstance(answer, Pressed)  # it was chosen with its half factor
    return known.answered(replace(choice, presses=answer.bulbs, reason=choice.reason or NOT_MET))


def _one_by_one(session: SolveSession, known: Known) -> SearchOutcome:
    """Try the named method on several press sets, lightest first if few. Raises TimeUp.

    Of many press sets it picks one, which greedy orders far more often than the lightest, and
    sooner.
    """
    board, sets, limits = known.board, known.sets, session.limits
    asked, settings = session.method, session.solver_settings
    all_listed = sets.nullity <= ENUMERATED
    outcome = SearchOutcome(asked, None)
    refuted: list[tuple[Bits, Refutation]] = []
    undecided: int | None = None  # the presses of the lightest press set that stays open
    reason = known.bound.reason  # where the time for all states is up
    solver_says_no = all_listed  # whether a solver says no to each press set that stays open
    for chosen in sets.lightest_first() if all_listed else sets.particular[None, :]:
        problem = OrderingProblem.of_board(board, chosen)
        answer, method = order_problem(problem, session)
        if isinstance(answer, Order):
            outcome = SearchOutcome(method, answer.bulbs(problem), statistics=answer.statistics)
            break
        if isinstance(answer, Refutation) and not isinstance(answer, Randomised):
            refuted.append((chosen, answer))
            continue
        undecided = int(np.count_nonzero(chosen)) if undecided is None else undecided
        reason = answer.reason if isinstance(answer, Unknown) else "only evidence"
        solver_says_no &= isinstance(answer, Unknown) and SOLVER_SAYS in answer.statistics
        if limits.expired or (settings is not None and settings.spent(asked, session.log)):
            solver_says_no = False
            break
    if outcome.presses is None:  # no order: all refuted, or some open
        if undecided is None and all_listed:
            all_refuted = Members(tuple(refuted))
            return SearchOutcome(asked, refutation=all_refuted, claim="C2")
        why = f"of 2^{sets.nullity} press sets none that was tried has an order"
        why += f"; {reason}" if reason else ""
        outcome = replace(
            outcome, reason=why, statistics={SOLVER_SAYS: "no order"} if solver_says_no else {}
        )
    bound = outcome.count if undecided is None else undecided
    if bound is None or not all_listed:
        return outcome
    parts = tuple((s, why) for s, why in refuted if int(np.count_nonzero(s)) < bound)
    evidence: Bound = Members(parts) if parts else Lightest()
    return replace(outcome, lower_bound=bound, evidence=evidence)
