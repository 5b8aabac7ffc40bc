"""`ponder.order`: each bulb at most once. A replayed order, a refutation, or an honest unknown.

The linear stage fixes the press sets: none (odd witness, claim C4), one, or a coset. One press set
is ordered or refuted (`exact`). For a coset the question is whether *some* press set can be
ordered, and with the fewest presses; row/column boards choose the press set and the half factor
together (`switches`), every other board goes through its press sets lightest first (`coset`).

Nothing leaves this module unchecked: orders are replayed on the board by `ponder.check`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ponder.check.replay import replay
from ponder.cross.ordering import order_lines
from ponder.errors import BoardError, NeedsMemory, PonderError
from ponder.limits import Limits, TimeUp
from ponder.linear.press_sets import PressSets, press_sets
from ponder.memory import refuse_above_limit
from ponder.ordering.greedy import Direction, Variant
from ponder.pipeline.one_press_set import METHODS, TRIALS, Method, Progress, Settings, order_problem
from ponder.puzzle.board import Board
from ponder.puzzle.graph import CrossGraph
from ponder.puzzle.ordering_problem import Answer, Order, OrderingProblem, Unknown
from ponder.puzzle.refutation import (
    Claim,
    CosetRefuted,
    OddWitness,
    Randomised,
    Refutation,
    parts_json,
)
from ponder.puzzle.result import Result, Step
from ponder.types import Bits, Ints, Json

if TYPE_CHECKING:
    from ponder.solvers.by_encoding import Recipe

ENUMERATED = 12
"""A method that was asked for tries all of at most 2^ENUMERATED press sets, of more one."""


BUILDING_SECONDS = 8e-7
"""What a press set that `switches` chose takes to be ordered, replayed and printed, per bulb."""


@dataclass
class Run:
    """One call: the board, what settings it, and what is known should a limit end it."""

    board: Board
    settings: Settings
    known: dict[str, object] = field(default_factory=dict)

    def linear(self) -> PressSets | OddWitness:
        """Return the press sets, or why there is none."""
        clock = Limits(None)
        sets = press_sets(self.board, self.settings.limits)
        if isinstance(sets, OddWitness):
            outcome = "no press set: odd witness"
        else:
            presses = int(np.count_nonzero(sets.particular))
            which = "the only press set" if sets.nullity == 0 else f"one of 2^{sets.nullity}"
            outcome = f"{which}, {presses} presses"
        self.settings.log.append(Step("linear", outcome, clock.elapsed))
        return sets

    def result(self, verdict: str, method: str, **fields: object) -> Result:
        """Return the result of this call; presses are replayed first."""
        presses = fields.get("presses")
        if isinstance(presses, np.ndarray):
            replay(self.board, presses, self.settings.limits)
        return Result(
            command="order",
            board=self.board,
            verdict=verdict,  # type: ignore[arg-type]
            method=method,
            seed=self.settings.seed,
            seconds=self.settings.limits.elapsed,
            steps=tuple(self.settings.log),
            **fields,  # type: ignore[arg-type]
        )


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
    settings = Settings(
        method=method,
        seed=seed,
        limits=Limits.of(timeout),
        trials=trials,
        variant=variant,
        direction=direction,
        recipe=recipe,
    )
    if progress is not None:
        settings.progress = progress
    run = Run(board, settings)
    if method == "lines" and not has_half_factors(board):
        raise PonderError(
            "--method lines needs a row/column board where every press must have an even number "
            "of neighbours after it (goal lit under unlit, unlit under lit)"
        )
    chosen = None if press_set is None else given_set(board, press_set)
    try:
        return _ordered(run, chosen)
    except (TimeUp, NeedsMemory) as stopped:
        stage = settings.method if settings.log else "linear"
        return run.result("unknown", stage, reason=str(stopped), **run.known)


def _ordered(run: Run, given: Bits | None) -> Result:
    """Choose the method, for the press set that is given or for all; TimeUp, NeedsMemory."""
    board, method = run.board, run.settings.method
    if given is not None:
        return _one_press_set(run, given, "C1")
    run.settings.progress("solving the linear system")
    sets = run.linear()
    if isinstance(sets, OddWitness):
        return run.result("impossible", "linear", claim="C4", refutation=sets)
    if board.rule == "any":
        return _any_order(run, sets)
    if sets.nullity == 0:
        return _one_press_set(run, sets.particular, "C2")
    if method not in ("auto", "lines"):
        return _one_by_one(run, sets)
    if not has_half_factors(board):
        return _coset(run, sets)
    full = isinstance(board.graph, CrossGraph) and board.graph.mask is None
    return _switches(run, sets) if full else _coset(run, sets)


def has_half_factors(board: Board) -> bool:
    """Whether theory §4 applies: a row/column board where every t(v) = 0."""
    even = board.odd_later is not None and not board.odd_later.any()
    return even and isinstance(board.graph, CrossGraph)


def given_set(board: Board, bulbs: Ints) -> Bits:
    """Return a press set that the user gave; it must solve the linear system."""
    if np.unique(bulbs).size != bulbs.size:
        raise BoardError("a bulb is listed twice", "press set")
    chosen = board.graph.set_of(bulbs)
    wrong = np.flatnonzero(board.graph.apply(chosen) ^ board.change)
    if wrong.size:
        first = board.graph.label(int(wrong[0]))
        raise BoardError(
            f"pressing these {bulbs.size} bulbs leaves {wrong.size} bulbs wrong, first {first}",
            "press set",
        )
    return chosen


def _one_press_set(run: Run, chosen: Bits, claim: Claim) -> Result:
    """Order one press set; `claim` is what a refutation of it proves."""
    board = run.board
    if board.rule == "any":
        return _solved(
            run, np.flatnonzero(chosen), "any order", unique=claim == "C2", statistics={}
        )
    if claim == "C2":
        run.known = {"lower_bound": int(chosen.sum()), "bound": UNIQUE}
    problem = OrderingProblem.of_board(board, chosen)
    answer, method = order_problem(problem, run.settings)
    return result_of(run, problem, answer, method, chosen, claim)


def result_of(
    run: Run, problem: OrderingProblem, answer: Answer, method: str, chosen: Bits, claim: Claim
) -> Result:
    """Return the result that an answer to one press set stands for; an order is replayed.

    The claim C2 says that the press set is the only one.
    """
    match answer:
        case Order():
            return _solved(
                run,
                answer.bulbs(problem),
                method,
                unique=claim == "C2",
                statistics=answer.statistics,
            )
        case Randomised():
            return run.result(
                "unknown",
                method,
                reason="the evidence says that there is no order, but nothing proves it",
                refutation=answer,
                counts=chosen,
            )
        case Refutation():
            return run.result("impossible", method, claim=claim, refutation=answer, counts=chosen)
        case Unknown():
            return run.result(
                "unknown",
                method,
                reason=answer.reason,
                statistics=answer.statistics,
                lower_bound=int(chosen.sum()) if claim == "C2" else None,
                bound=UNIQUE if claim == "C2" else None,
            )


UNIQUE: Json = {"kind": "unique-press-set"}


def _solved(
    run: Run, presses: Ints, method: str, *, unique: bool, statistics: dict[str, object]
) -> Result:
    """Return an order of the only press set (then it is the shortest), or of a given one."""
    return run.result(
        "solved",
        method,
        presses=presses,
        lower_bound=int(presses.size) if unique else None,
        bound=UNIQUE if unique else None,
        statistics=statistics,
    )


def _switches(run: Run, sets: PressSets) -> Result:
    """Row/column boards with an odd side: choose the press set together with its half factor."""
    from ponder.cross.switching import Choice, choose

    board = run.board
    run.settings.progress(f"choosing among 2^{sets.nullity} press sets")
    clock = Limits(None)
    choice = choose(
        board,
        sets.particular,
        once=True,
        timeout=run.settings.limits.before(BUILDING_SECONDS * board.graph.size),
        seed=run.settings.seed,
        progress=run.settings.progress,
    )
    match choice:
        case Choice():
            outcome = f"{choice.cost} presses, at least {choice.lower_bound}"
        case Refutation():
            outcome = f"refuted: {choice.kind}"
        case Unknown():
            outcome = choice.reason
    run.settings.log.append(Step("switches", outcome, clock.elapsed))
    match choice:
        case Choice():
            problem = OrderingProblem.of_board(board, choice.press_set)
            answer = order_lines(problem, run.settings.limits)
            if not isinstance(answer, Order):
                raise RuntimeError("internal error: the chosen press set has no half factor")
            return run.result(
                "solved",
                choice.method,
                presses=answer.bulbs(problem),
                lower_bound=choice.lower_bound,
                bound=choice.bound,
                statistics=choice.statistics,
            )
        case Refutation():
            return run.result(
                "impossible", "switches", claim="C2", refutation=choice, counts=sets.particular
            )
        case Unknown():
            return run.result(
                "unknown",
                "switches",
                reason=choice.reason,
                lower_bound=choice.lower_bound or None,
                bound=choice.bound,
                statistics=choice.statistics,
            )


def refuse_all_neighbours(board: Board) -> None:
    """Raise NeedsMemory where the search by clusters could not list the neighbours of all bulbs."""
    edges = board.graph.edge_count()
    refuse_above_limit("a list of all bulbs' neighbours", 64 * board.graph.size + 200 * edges)


def _coset(run: Run, sets: PressSets) -> Result:
    """Several press sets on any board: lightest first, refused patterns crossed off at once."""
    from ponder.fewest.each_bulb_once import Once, once

    clock = Limits(None)
    refuse_all_neighbours(run.board)
    answer = once(
        run.board,
        sets,
        seed=run.settings.seed,
        timeout=run.settings.limits,
        progress=run.settings.progress,
    )
    outcome = {Once: "ordered", CosetRefuted: "refuted: coset"}.get(type(answer), "open")
    run.settings.log.append(Step("coset", f"{outcome}, 2^{sets.nullity} press sets", clock.elapsed))
    match answer:
        case Once():
            return run.result(
                "solved",
                "coset",
                presses=answer.presses,
                lower_bound=answer.lower_bound,
                bound=answer.evidence,
                statistics=answer.statistics,
            )
        case Refutation():
            return run.result("impossible", "coset", claim="C2", refutation=answer)
        case Unknown():
            return run.result(
                "unknown", "coset", reason=answer.reason, statistics=answer.statistics
            )


def _one_by_one(run: Run, sets: PressSets) -> Result:
    """A method that was asked for, on several press sets: lightest first, as many as are listed."""
    listed = sets.nullity <= ENUMERATED
    members = sets.lightest_first() if listed else sets.particular[None, :]
    refuted: list[tuple[Bits, Refutation]] = []
    undecided: int | None = None if listed else 0
    reason = ""
    for chosen in members:
        weight = int(np.count_nonzero(chosen))
        problem = OrderingProblem.of_board(run.board, chosen)
        answer, method = order_problem(problem, run.settings)
        match answer:
            case Order():
                least = weight if undecided is None else undecided
                return run.result(
                    "solved",
                    method,
                    presses=answer.bulbs(problem),
                    lower_bound=least if listed else None,
                    bound=_lighter(run.board, refuted, least) if listed else None,
                    statistics=answer.statistics,
                )
            case Refutation() if not isinstance(answer, Randomised):
                refuted.append((chosen, answer))
            case _:
                undecided = weight if undecided is None else undecided
                reason = answer.reason if isinstance(answer, Unknown) else "only evidence"
        if run.settings.limits.expired:
            undecided = weight if undecided is None else undecided
            reason = "the time limit was reached"
            break
    if undecided is None:
        why = CosetRefuted(len(members), tuple(refuted))
        return run.result("impossible", run.settings.method, claim="C2", refutation=why)
    return run.result(
        "unknown",
        run.settings.method,
        reason=f"of 2^{sets.nullity} press sets none that was tried has an order; {reason}",
        lower_bound=undecided if listed else None,
        bound=_lighter(run.board, refuted, undecided) if listed else None,
    )


def _lighter(board: Board, refuted: list[tuple[Bits, Refutation]], least: int) -> Json:
    """Return the evidence that no press set of fewer than `least` presses has an order."""
    parts = [(s, why) for s, why in refuted if int(np.count_nonzero(s)) < least]
    if not parts:
        return {"kind": "coset-minimum"}
    return {"kind": "coset", "parts": parts_json(board, parts)}


def _any_order(run: Run, sets: PressSets) -> Result:
    """The rule `any`: every order is legal, so the lightest press set wins."""
    from ponder.linear.minimum_weight import lightest

    light = lightest(
        run.board,
        sets,
        seed=run.settings.seed,
        timeout=run.settings.limits,
        progress=run.settings.progress,
    )
    return run.result(
        "solved",
        "lightest",
        presses=light.presses,
        lower_bound=light.lower_bound,
        bound=light.evidence,
        statistics=light.statistics,
    )
