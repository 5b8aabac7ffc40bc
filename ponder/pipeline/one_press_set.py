"""Order one press set: by the method that was asked for, or by whatever answers.

The pipeline of `auto`, each stage only where the ones before it left the question open:

    lines      row/column boards with every t(v) = 0: the half factor decides (theory §4)
    engine     counting, and the methods for blocks (`ponder.ordering.engine`)
    sat        where the evidence says no: a SAT refutation with a checked proof

The methods `sat` and `cpsat` take the problem whole: what they refute is a formula that a checker
makes anew from the whole board. So does the last stage of `auto`. Of CP-SAT there is no proof:
where it says no, the stages of `auto` and a SAT solver look for one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ponder.cross.ordering import order_lines
from ponder.errors import SolverError
from ponder.ordering.engine import ALGEBRA_ONLY, find_order
from ponder.ordering.greedy import order_greedy
from ponder.pipeline.search_settings import SearchSettings
from ponder.puzzle.answer import CP_SAT_SAYS
from ponder.puzzle.ordering_problem import Answer, Order, OrderingProblem, Unknown
from ponder.puzzle.refutation import Refutation
from ponder.puzzle.solver_refutations import Randomised

if TYPE_CHECKING:
    from ponder.solvers.by_encoding import SolverKind, UnprovedUnsat

PROVING_SHARE = 0.9
"""What the search for a proof may take of the time left once the evidence says "no"."""

PROVING_SECONDS = 60.0
"""The same when there is no time limit."""


def order_problem(problem: OrderingProblem, settings: SearchSettings) -> tuple[Answer, str]:
    """Return the answer to one ordering problem, and the name of the method that gave it.

    >>> triangle = OrderingProblem.from_edges(3, [(0, 1), (1, 2), (0, 2)])
    >>> answer, method = order_problem(triangle, SearchSettings())
    >>> answer.kind, method
    ('odd-component', 'counting')
    """
    match settings.method:
        case "greedy":
            settings.progress(f"greedy on {problem.size} presses")
            with settings.stage("greedy") as stage:
                greedy = order_greedy(problem, settings.trials, settings.limits)
                return stage.said(greedy), "greedy"
        case "sat" | "cpsat" as kind:
            return _encoded(problem, kind, settings), kind
        case "spanning":
            return find_order(problem, settings, without=ALGEBRA_ONLY)
    if problem.even_lines:
        with settings.stage("lines") as stage:
            return stage.said(order_lines(problem, settings.limits)), "lines"
    answer, method = find_order(problem, settings, trials=settings.trials)
    if not isinstance(answer, Randomised):
        return answer, method
    proved = _proved(problem, settings)
    return (answer, method) if proved is None else (proved, "sat")


def _proved(problem: OrderingProblem, settings: SearchSettings) -> Order | Refutation | None:
    """Look for a proof of what the evidence says; None where there is none in time."""
    left = settings.limits.left(PROVING_SHARE)
    shorter = settings.limits.sooner(PROVING_SECONDS if left is None else left)
    settings.progress("the algebraic test says no: looking for a proof")
    answer = _encoded(problem, "sat", replace(settings, limits=shorter))
    return None if isinstance(answer, Unknown) else answer


def _encoded(problem: OrderingProblem, kind: SolverKind, settings: SearchSettings) -> Answer:
    from ponder.solvers.by_encoding import UnprovedUnsat, order_encoded

    with settings.stage(kind) as stage:
        answer = order_encoded(
            problem,
            kind,
            settings.recipe,
            seed=settings.seed,
            timeout=settings.limits,
            progress=settings.progress,
        )
        stage.said(answer)
    return _confirmed(problem, answer, settings) if isinstance(answer, UnprovedUnsat) else answer


def _confirmed(problem: OrderingProblem, claim: UnprovedUnsat, settings: SearchSettings) -> Answer:
    """Prove what CP-SAT says, by a certificate or by a SAT solver's proof; or nothing is proved.

    SolverError where there is an order after all.
    """
    settings.progress("CP-SAT says no: looking for a proof")
    answer, _ = order_problem(problem, replace(settings, method="auto", recipe=None))
    if not isinstance(answer, Order | Refutation) or isinstance(answer, Randomised):
        answer = _encoded(problem, "sat", replace(settings, method="sat", recipe=None))
    if isinstance(answer, Order):
        raise SolverError(f"CP-SAT lies: {claim.reason}, and there is one")
    if isinstance(answer, Refutation):
        return answer
    return Unknown(f"{claim.reason}; that is not proved", {CP_SAT_SAYS: "no order"})
