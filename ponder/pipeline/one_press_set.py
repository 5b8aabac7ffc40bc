"""Order one press set: choose among the methods, from free refutations to search.

The pipeline of `auto`, each stage only where the ones before it left the question open:

    lines      row/column boards with every t(v) = 0: the half factor decides (theory §4)
    counting   components and blocks: an odd number of edges, no first or no last press (§3)
    subsets    blocks of up to about 20 presses: dynamic programming over subsets
    greedy     the larger blocks: fast tries that may fail
    walks      where greedy gets stuck: wrong parities walked together, which may fail too
    spanning   the algebraic test, and the search that it guides (§5): polynomial, finds an order
               wherever there is one; its "no" is evidence with an error bound, not a proof
    sat        where the evidence says no: a SAT refutation with a checked proof

Blocks are independent (an orientation is acyclic iff it is acyclic in each block), so the stages
after the split work block by block, small ones first: one refuted block refutes the whole.

The methods `sat` and `cpsat` (`encoded`) take the problem whole: what they refute is a formula that
a checker makes anew from the whole board. So does the last stage of `auto`. Of CP-SAT there is no
proof: where it says no, the stages of `auto` and a SAT solver look for one.

Every stage leaves a `Step` in the log: what was tried, what it cost, why it stopped. Each has a
share of the time that is left, so that no stage can starve those after it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar, get_args

from ponder.cross.ordering import order_lines
from ponder.errors import NeedsMemory, SolverError
from ponder.limits import Limits, TimeUp
from ponder.ordering.blocks import Block, split
from ponder.ordering.greedy import Direction, Trials, Variant, order_greedy
from ponder.ordering.parity_walks import order_by_walks
from ponder.ordering.spanning_tree_search import order_spanning
from ponder.ordering.subsets import order_subsets
from ponder.printable import counted
from ponder.puzzle.answer import CP_SAT_SAYS, Best
from ponder.puzzle.ordering_problem import Answer, Order, OrderingProblem, Unknown
from ponder.puzzle.refutation import Refutation
from ponder.puzzle.result import Step
from ponder.puzzle.solver_refutations import Randomised

if TYPE_CHECKING:
    from ponder.solvers.by_encoding import Family, Recipe, Word

Method: TypeAlias = Literal["auto", "greedy", "lines", "spanning", "sat", "cpsat"]
METHODS: tuple[Method, ...] = get_args(Method)
Progress: TypeAlias = Callable[[str], None]
Said = TypeVar("Said")


def silent(text: str) -> None:
    """Take a report of progress, and say nothing."""


TRIALS = 20
"""How often greedy tries by default."""

GREEDY_SHARE = 0.2
"""What greedy, and walks, may take of the time that is left, when better methods follow."""

GREEDY_SECONDS = 1.0
"""What each may take when there is no time limit and better methods follow."""

PROVING_SHARE = 0.9
"""What the search for a proof may take of the time left once the evidence says "no"."""

PROVING_SECONDS = 60.0
"""The same when there is no time limit."""


def told(answer: object) -> str:
    """Return in a few words what a method answered, for the log.

    >>> import numpy as np
    >>> told(Best("clusters", np.array([4, 0, 4]), 1)), told(Best("clusters", None, 7))
    ('3 presses, at least 1', 'nothing found, at least 7 presses')
    """
    match answer:
        case Order():
            return f"ordered {counted(answer.vertices.size, 'press')}"
        case Refutation():
            return f"refuted: {answer.kind}"
        case Unknown():
            return answer.reason
        case Best(presses=None):
            return f"nothing found, at least {counted(answer.lower_bound or 0, 'press')}"
        case Best():
            return f"{counted(answer.count or 0, 'press')}, at least {answer.lower_bound or 0}"
    raise TypeError(f"no answer of a method: {answer!r}")


@dataclass
class Settings:
    """How one call goes about it: what bounds it, how it draws, and where it reports to.

    `method`     the method that was asked for; `auto` takes whatever answers
    `seed`       of every random choice: the same seed, the same answer, limits aside
    `limits`     the clock of the whole call, which every stage looks at
    `trials`, `variant`, `direction`
                 how often greedy tries, what it presses next, and from which end
    `recipe`     the encoding and the solver of the methods `sat` and `cpsat`
    `every`      name all lightest press sets under the rule `any`, if they are few
    `progress`   is told in a line what is under way
    `log`        the stages that have ended, in order; it becomes `Result.steps`

    One object goes from stage to stage; a stage with a shorter time gets a copy, with the same log.
    """

    method: Method = "auto"
    seed: int = 0
    limits: Limits = field(default_factory=lambda: Limits(None))
    trials: int = TRIALS
    variant: Variant = "fewest"
    direction: Direction = "backwards"
    recipe: Recipe | None = None
    every: bool = False
    progress: Progress = silent
    log: list[Step] = field(default_factory=list)

    def timed(
        self, method: str, ask: Callable[[], Said], outcome: Callable[[Said], str] = told
    ) -> Said:
        """Ask one method, and log what it answered (`outcome`) and what it took."""
        clock = Limits(None)
        try:
            answer = ask()
        except TimeUp as stopped:
            self.log.append(Step(method, str(stopped), clock.elapsed))
            raise
        self.log.append(Step(method, outcome(answer), clock.elapsed))
        return answer


def order_problem(problem: OrderingProblem, settings: Settings) -> tuple[Answer, str]:
    """Return the answer to one ordering problem, and the name of the method that gave it.

    >>> triangle = OrderingProblem.from_edges(3, [(0, 1), (1, 2), (0, 2)])
    >>> answer, method = order_problem(triangle, Settings())
    >>> answer.kind, method
    ('odd-component', 'counting')
    """
    match settings.method:
        case "greedy":
            return _greedy(problem, settings, settings.limits), "greedy"
        case "sat" | "cpsat" as family:
            return _encoded(problem, family, settings), family
    if problem.even_lines and settings.method != "spanning":
        return settings.timed("lines", lambda: order_lines(problem, settings.limits)), "lines"
    return _by_blocks(problem, settings)


def _greedy(problem: OrderingProblem, settings: Settings, limits: Limits) -> Answer:
    settings.progress(f"greedy on {problem.size} presses")
    return settings.timed(
        "greedy",
        lambda: order_greedy(
            problem,
            Trials(settings.variant, settings.direction, count=settings.trials, seed=settings.seed),
            timeout=limits,
        ),
    )


def _shorter(settings: Settings) -> Limits:
    """Return the limits of a method that better ones follow."""
    left = settings.limits.left(GREEDY_SHARE)
    return settings.limits.sooner(GREEDY_SECONDS if left is None else left)


def _walks(block: Block, settings: Settings, limits: Limits) -> Answer:
    settings.progress(f"walks on {block.size} presses")

    def walk() -> Answer:
        try:
            return order_by_walks(block, seed=settings.seed, timeout=limits)
        except (TimeUp, NeedsMemory) as stopped:
            return Unknown(str(stopped))

    return settings.timed("walks", walk)


def _encoded(problem: OrderingProblem, family: Family, settings: Settings) -> Answer:
    from ponder.solvers.by_encoding import Word, order_encoded

    answer = settings.timed(
        family,
        lambda: order_encoded(
            problem,
            family,
            settings.recipe,
            seed=settings.seed,
            timeout=settings.limits,
            progress=settings.progress,
        ),
    )
    return _confirmed(problem, answer, settings) if isinstance(answer, Word) else answer


def _confirmed(problem: OrderingProblem, word: Word, settings: Settings) -> Answer:
    """Prove what CP-SAT says, by a certificate or by a SAT solver's proof; or nothing is proved.

    SolverError where there is an order after all.
    """
    settings.progress("CP-SAT says no: looking for a proof")
    answer, _ = order_problem(problem, replace(settings, method="auto", recipe=None))
    if not isinstance(answer, Order | Refutation) or isinstance(answer, Randomised):
        answer = _encoded(problem, "sat", replace(settings, method="sat", recipe=None))
    if isinstance(answer, Order):
        raise SolverError(f"CP-SAT lies: {word.reason}, and there is one")
    if isinstance(answer, Refutation):
        return answer
    return Unknown(f"{word.reason}; that is not proved", {CP_SAT_SAYS: "no order"})


def _by_blocks(problem: OrderingProblem, settings: Settings) -> tuple[Answer, str]:
    settings.progress(f"splitting {problem.size} presses into blocks")
    clock = Limits(None)
    parts = split(problem, settings.limits)
    if isinstance(parts, Refutation):
        settings.log.append(Step("counting", f"refuted: {parts.kind}", clock.elapsed))
        return parts, "counting"
    sizes = [block.size for block in parts.blocks]
    largest = (
        f" to search, the largest of {counted(max(sizes), 'press')}" if sizes else " to search"
    )
    blocks = counted(len(sizes), "block")
    settings.log.append(Step("counting", f"nothing refuted, {blocks}{largest}", clock.elapsed))

    orders: dict[int, Order] = {}
    methods = {"blocks"}
    open_block: Unknown | None = None
    evidence: tuple[Randomised, str] | None = None
    for k in sorted(range(len(sizes)), key=sizes.__getitem__):
        settings.limits.check()
        answer, method = _order_block(parts.blocks[k], settings)
        methods.add(method)
        match answer:
            case Randomised():
                evidence = evidence or (answer, method)
            case Refutation():
                return answer, method
            case Unknown():
                open_block = open_block or answer
            case Order():
                orders[k] = answer
    if evidence is not None:
        return _proved(problem, evidence, settings) if settings.method == "auto" else evidence
    if open_block is not None:
        return open_block, "+".join(sorted(methods))
    glued = parts.glue([orders[k] for k in range(len(sizes))], settings.limits)
    return glued, "+".join(sorted(methods))


def _proved(
    problem: OrderingProblem, evidence: tuple[Randomised, str], settings: Settings
) -> tuple[Answer, str]:
    """Look for a proof of what the evidence says; the evidence, where there is none in time."""
    left = settings.limits.left(PROVING_SHARE)
    shorter = settings.limits.sooner(PROVING_SECONDS if left is None else left)
    settings.progress("the algebraic test says no: looking for a proof")
    answer = _encoded(problem, "sat", replace(settings, limits=shorter))
    if isinstance(answer, Order | Refutation):
        return answer, "sat"
    return evidence


def _order_block(block: Block, settings: Settings) -> tuple[Answer, str]:
    answer: Answer = settings.timed("subsets", lambda: order_subsets(block, limits=settings.limits))
    if not isinstance(answer, Unknown):
        return answer, "subsets"
    if settings.method == "auto":
        answer = _greedy(block, settings, _shorter(settings))
        if isinstance(answer, Order):
            return answer, "greedy"
        answer = _walks(block, settings, _shorter(settings))
        if isinstance(answer, Order):
            return answer, "walks"
    settings.progress(f"algebraic search on {block.size} presses")
    answer = settings.timed(
        "spanning",
        lambda: order_spanning(
            block, seed=settings.seed, timeout=settings.limits, progress=settings.progress
        ),
    )
    return answer, "spanning"
