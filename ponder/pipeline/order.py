"""`ponder.order`: each bulb at most once. A replayed order, a refutation, or an honest unknown.

The linear stage fixes the press sets: none (odd witness, claim C4), one, or a coset. One press set
is ordered or refuted (`one_press_set`). For a coset the question is whether *some* press set can be
ordered, and with the fewest presses; row/column boards choose the press set and the half factor
together (`switches`), every other board goes through its press sets lightest first (`coset`).

The stages that `ponder.solve` has as well, the replay among them, are in `driver`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ponder.cross.ordering import Pressed, order_grid
from ponder.errors import BoardError, NeedsMemory, PonderError
from ponder.limits import Limits, TimeUp
from ponder.linear.press_sets import PressSets
from ponder.ordering.greedy import Direction, Trials, Variant
from ponder.pipeline.driver import UNIQUE, Found, Refuted, Run, has_holes
from ponder.pipeline.one_press_set import order_problem
from ponder.pipeline.search_settings import METHODS, TRIALS, Method, SearchSettings
from ponder.pipeline.switches import choose_press_set
from ponder.printable import counted
from ponder.puzzle.answer import Best, Chosen
from ponder.puzzle.board import EVEN_LINES, Board
from ponder.puzzle.bound_evidence import CosetMinimum, LighterRefuted
from ponder.puzzle.effort import Progress, silent
from ponder.puzzle.evidence import Bound
from ponder.puzzle.graph import CrossGraph
from ponder.puzzle.ordering_problem import Answer, Order, OrderingProblem, Unknown
from ponder.puzzle.press_set_refutations import CosetRefuted
from ponder.puzzle.refutation import Claim, Refutation
from ponder.puzzle.result import Result
from ponder.puzzle.solver_refutations import Randomised
from ponder.types import Bits, Ints

if TYPE_CHECKING:
    from ponder.solvers.by_encoding import Recipe

ENUMERATED = 12
"""A method that was asked for tries all of at most 2^ENUMERATED press sets, of more one."""


def order(
    board: Board,
    *,
    method: Method = "auto",
    press_set: Ints | None = None,
    seed: int = 0,
    timeout: float | Limits | None = None,
    trials: int = TRIALS,
    variant: Variant = "fewest",
    direction: Direction = "backwards",
    recipe: Recipe | None = None,
    progress: Progress | None = None,
) -> Result:
    """Press each bulb at most once: return a replayed legal order, or a proof that none exists.

    `press_set` (bulbs) asks about just these presses (claim C1). `recipe` is the encoding and the
    solver of the methods `sat` and `cpsat`. `timeout` is in seconds, or a clock that runs already;
    when it ends, or when more memory would be needed than is allowed, the verdict is `unknown`.
    The order has the fewest presses unless the result says otherwise (`optimal`).

    >>> board = Board.from_rows(["0011", "1101", "0110", "0001"])
    >>> result = order(board)
    >>> result.verdict, result.count, result.optimal
    ('solved', 4, True)
    """
    if method not in METHODS:  # from untyped callers
        raise PonderError(f"unknown method {method!r}; known: {', '.join(METHODS)}")
    settings = SearchSettings(
        seed,
        Limits.of(timeout),
        progress or silent,
        method=method,
        trials=Trials(variant, direction, trials, seed),
        recipe=recipe,
    )
    run = Run(board, settings)
    if method == "lines" and not board.even_lines:
        raise PonderError(f"the method lines needs {EVEN_LINES}")
    chosen = None if press_set is None else given_set(board, press_set)
    try:
        found = _search(run) if chosen is None else _given(run, chosen)
    except (TimeUp, NeedsMemory) as stopped:
        found = run.stopped(stopped)
    return run.result(found)


def _search(run: Run) -> Found:
    """Find the press sets and choose the method; TimeUp, NeedsMemory."""
    sets = run.press_sets()
    if not isinstance(sets, PressSets):
        return sets
    if sets.nullity == 0:
        return _one_press_set(run, sets.particular, "C2")
    if run.settings.method not in ("auto", "lines"):
        return _one_by_one(run, sets)
    if run.board.even_lines and not has_holes(run.board):
        return _switches(run, sets)
    return _coset(run, sets)


def _given(run: Run, chosen: Bits) -> Found:
    """Order a press set that the user gave; TimeUp, NeedsMemory."""
    run.stage = run.settings.method
    return _one_press_set(run, chosen, "C1")


def given_set(board: Board, bulbs: Ints) -> Bits:
    """Return a press set that the user gave; it must solve the linear system."""
    if np.unique(bulbs).size != bulbs.size:
        raise BoardError("a bulb is listed twice", "press set")
    chosen = board.graph.set_of(bulbs)
    wrong = np.flatnonzero(board.graph.apply(chosen) ^ board.change)
    if wrong.size:
        first = board.graph.label(int(wrong[0]))
        raise BoardError(
            f"pressing {counted(bulbs.size, 'bulb')} leaves "
            f"{counted(wrong.size, 'bulb')} wrong, first {first}",
            "press set",
        )
    return chosen


def _one_press_set(run: Run, chosen: Bits, claim: Claim) -> Found:
    """Order one press set; `claim` is what a refutation of it proves."""
    if run.board.rule == "any":
        return Best("any order", np.flatnonzero(chosen))
    if run.settings.method in ("auto", "lines") and run.board.even_lines:
        return _lines(run, chosen, claim)
    problem = OrderingProblem.of_board(run.board, chosen)
    answer, method = order_problem(problem, run.settings)
    return found_of(problem, answer, method, chosen, claim)


def _lines(run: Run, chosen: Bits, claim: Claim) -> Found:
    """Order one press set of a row/column board by its half factor; it may have millions."""
    graph, settings = run.board.graph, run.settings
    assert isinstance(graph, CrossGraph)

    with settings.stage("lines") as stage:
        answer = order_grid(graph, chosen, settings.limits)
        if isinstance(answer, Refutation):
            return Refuted("lines", stage.said(answer), claim, chosen)
        stage.said(answer, f"ordered {counted(answer.bulbs.size, 'press')}")
    if claim == "C2":
        count = int(answer.bulbs.size)
        return Best("lines", answer.bulbs, count, UNIQUE, statistics=answer.statistics)
    return Best("lines", answer.bulbs, statistics=answer.statistics)


def found_of(
    problem: OrderingProblem, answer: Answer, method: str, chosen: Bits, claim: Claim
) -> Found:
    """Return what an answer to one press set says about the board.

    The claim C2 says that the press set is the only one; then every order is the shortest.
    """
    unique = claim == "C2"
    least, evidence = (int(np.count_nonzero(chosen)), UNIQUE) if unique else (None, None)
    match answer:
        case Order():
            bulbs = answer.bulbs(problem)
            return Best(method, bulbs, least, evidence, statistics=answer.statistics)
        case Refutation():
            return Refuted(method, answer, claim, chosen)
        case Unknown():
            return Best(method, None, least, evidence, answer.reason, answer.statistics)


def _switches(run: Run, sets: PressSets) -> Found:
    """Row/column boards with an odd side: choose the press set together with its half factor."""
    choice = choose_press_set(run, sets, once=True)
    if isinstance(choice, Refutation):
        return Refuted("switches", choice, "C2", sets.particular)
    if not isinstance(choice, Chosen):
        return choice
    graph = run.board.graph
    assert isinstance(graph, CrossGraph)
    answer = order_grid(graph, choice.press_set, run.settings.limits)
    if not isinstance(answer, Pressed):
        raise RuntimeError("internal error: the chosen press set has no half factor")
    return replace(choice, presses=answer.bulbs)


def _coset(run: Run, sets: PressSets) -> Found:
    """Several press sets on any board: lightest first, refused patterns crossed off at once."""
    from ponder.fewest.each_bulb_once import once

    settings = run.settings
    with settings.stage("coset") as stage:
        answer = once(
            run.board,
            sets,
            least=run.known.lower_bound or 0,
            seed=settings.seed,
            timeout=settings.limits,
            progress=settings.progress,
            log=settings.log,
        )
        among = f"2^{sets.nullity} press sets"
        if isinstance(answer, CosetRefuted):
            return Refuted("coset", stage.said(answer, f"refuted: coset, {among}"), "C2")
        return stage.said(answer, f"{'open' if answer.presses is None else 'ordered'}, {among}")


def _one_by_one(run: Run, sets: PressSets) -> Found:
    """A method that was asked for, on several press sets: lightest first, if they are few.

    Of many it is asked for one, and not the lightest: on row/column boards greedy orders whatever
    elimination finds far more often, in a hundredth of the time. TimeUp.
    """
    limits, asked = run.settings.limits, run.settings.method
    every = sets.nullity <= ENUMERATED
    members = sets.lightest_first() if every else sets.particular[None, :]
    least = int(np.count_nonzero(members[0])) if every else None
    refuted: list[tuple[Bits, Refutation]] = []
    undecided: int | None = None  # the presses of the lightest press set that stays open
    reason = ""

    def best(presses: Ints | None, weight: int, reason: str | None, method: str = asked) -> Best:
        if least is None:
            return Best(method, presses, reason=reason)
        bound = weight if undecided is None else undecided
        return Best(method, presses, bound, _lighter(refuted, bound), reason)

    for chosen in members:
        weight = int(np.count_nonzero(chosen))
        problem = OrderingProblem.of_board(run.board, chosen)
        answer, method = order_problem(problem, run.settings)
        if isinstance(answer, Order):
            found = best(answer.bulbs(problem), weight, None, method)
            return replace(found, statistics=answer.statistics)
        if isinstance(answer, Refutation) and not isinstance(answer, Randomised):
            refuted.append((chosen, answer))
        else:
            undecided = weight if undecided is None else undecided
            reason = answer.reason if isinstance(answer, Unknown) else "only evidence"
        if limits.expired:
            undecided = weight if undecided is None else undecided
            reason = "the time limit was reached"
            break
    if undecided is None and every:
        return Refuted(asked, CosetRefuted(len(refuted), tuple(refuted)), "C2")
    why = f"of 2^{sets.nullity} press sets none that was tried has an order; {reason}"
    return best(None, least or 0, why)


def _lighter(refuted: list[tuple[Bits, Refutation]], least: int) -> Bound:
    """Return the evidence that no press set of fewer than `least` presses has an order."""
    parts = [(s, why) for s, why in refuted if int(np.count_nonzero(s)) < least]
    if not parts:
        return CosetMinimum()
    return LighterRefuted(tuple(parts))
