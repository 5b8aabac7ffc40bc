"""Order one press set: choose among the methods, from free refutations to search.

The pipeline of `auto`, each stage only where the ones before it left the question open:

    lines      row/column boards with every t(v) = 0: the half factor decides (theory §4)
    counting   components and blocks: an odd number of edges, no first or no last press (§3)
    subsets    blocks of up to about 20 presses: dynamic programming over subsets
    greedy     the larger blocks: fast tries that may fail

Blocks are independent (an orientation is acyclic iff it is acyclic in each block), so the stages
after the split work block by block, small ones first: one refuted block refutes the whole.

The methods `sat` and `cpsat` (`encoded`) take the problem whole: what they refute is a formula that
a checker makes anew from the whole board.

Every stage leaves a `Step` in the log: what was tried, what it cost, why it stopped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from ponder.blocks import Block, split
from ponder.deadline import Deadline
from ponder.errors import PonderError
from ponder.greedy import Direction, Variant, order_greedy
from ponder.lines import order_lines
from ponder.ordering import Answer, Order, OrderingProblem, Unknown
from ponder.refutation import Refutation
from ponder.subsets import order_subsets

if TYPE_CHECKING:
    from ponder.encoded import Family, Recipe

Method: TypeAlias = Literal["auto", "greedy", "lines", "sat", "cpsat"]
METHODS: tuple[Method, ...] = get_args(Method)
Progress: TypeAlias = Callable[[str], None]

TRIALS = 20
"""How often greedy tries by default."""


@dataclass(frozen=True)
class Step:
    """One stage of the pipeline: what it was given, how it ended, and its seconds."""

    method: str
    outcome: str
    seconds: float


@dataclass
class Limits:
    """What bounds a search, how it draws its random choices, and where it reports to.

    `recipe` is for the methods `sat` and `cpsat`: the encoding and the solver.
    """

    method: Method = "auto"
    seed: int = 0
    deadline: Deadline = field(default_factory=lambda: Deadline(None))
    trials: int = TRIALS
    variant: Variant = "fewest"
    direction: Direction = "backwards"
    recipe: Recipe | None = None
    progress: Progress = lambda text: None
    log: list[Step] = field(default_factory=list)

    def timed(self, method: str, ask: Callable[[], Answer]) -> Answer:
        """Ask one method, and log what it answered."""
        clock = Deadline(None)
        answer = ask()
        match answer:
            case Order():
                outcome = f"ordered {answer.vertices.size} presses"
            case Refutation():
                outcome = f"refuted: {answer.kind}"
            case Unknown():
                outcome = answer.reason
        self.log.append(Step(method, outcome, clock.elapsed))
        return answer


def order_problem(problem: OrderingProblem, limits: Limits) -> tuple[Answer, str]:
    """Return the answer to one ordering problem, and the name of the method that gave it.

    PonderError when a method was asked for that does not fit the problem.

    >>> triangle = OrderingProblem.from_edges(3, [(0, 1), (1, 2), (0, 2)])
    >>> answer, method = order_problem(triangle, Limits())
    >>> answer.kind, method
    ('odd-component', 'counting')
    """
    has_half_factors = problem.lines is not None and not problem.odd.any() and not problem.repeats
    match limits.method:
        case "greedy":
            return _greedy(problem, limits), "greedy"
        case "sat" | "cpsat" as family:
            return _encoded(problem, family, limits), family
        case "lines" if not has_half_factors:
            raise PonderError(
                "--method lines needs a row/column board where every press must have an even "
                "number of neighbours after it (goal lit under unlit, unlit under lit)"
            )
    if has_half_factors:
        return limits.timed("lines", lambda: order_lines(problem)), "lines"
    return _by_blocks(problem, limits)


def _greedy(problem: OrderingProblem, limits: Limits) -> Answer:
    limits.progress(f"greedy on {problem.size} presses")
    return limits.timed(
        "greedy",
        lambda: order_greedy(
            problem,
            variant=limits.variant,
            direction=limits.direction,
            trials=limits.trials,
            seed=limits.seed,
            timeout=limits.deadline.left(),
        ),
    )


def _encoded(problem: OrderingProblem, family: Family, limits: Limits) -> Answer:
    from ponder.encoded import order_encoded

    return limits.timed(
        family,
        lambda: order_encoded(
            problem,
            family,
            limits.recipe,
            seed=limits.seed,
            timeout=limits.deadline.left(),
            progress=limits.progress,
        ),
    )


def _by_blocks(problem: OrderingProblem, limits: Limits) -> tuple[Answer, str]:
    limits.progress(f"splitting {problem.size} presses into blocks")
    clock = Deadline(None)
    parts = split(problem)
    if isinstance(parts, Refutation):
        limits.log.append(Step("counting", f"refuted: {parts.kind}", clock.elapsed))
        return parts, "counting"
    sizes = [block.size for block in parts.blocks]
    largest = f", the largest of {max(sizes)} presses" if sizes else ""
    limits.log.append(Step("counting", f"{len(sizes)} blocks{largest}", clock.elapsed))

    orders: dict[int, Order] = {}
    methods = {"blocks"}
    open_block: Unknown | None = None
    for k in sorted(range(len(sizes)), key=sizes.__getitem__):
        answer, method = _order_block(parts.blocks[k], limits)
        methods.add(method)
        match answer:
            case Refutation():
                return answer, method
            case Unknown():
                open_block = open_block or answer
            case Order():
                orders[k] = answer
    if open_block is not None:
        return open_block, "+".join(sorted(methods))
    return parts.glue([orders[k] for k in range(len(sizes))]), "+".join(sorted(methods))


def _order_block(block: Block, limits: Limits) -> tuple[Answer, str]:
    answer: Answer = limits.timed("subsets", lambda: order_subsets(block))
    if not isinstance(answer, Unknown):
        return answer, "subsets"
    return _greedy(block, limits), "greedy"
