"""One ordering problem: an order, a refutation, evidence against one, or none of these.

The one way through the methods of this room for an ordering problem:

    counting   components and blocks: an odd number of edges, no first or no last press (theory §3)
    greedy     fast tries, which may fail
    subsets    small blocks, and larger ones whose presses are of few kinds: dynamic programming
               over subsets, which decides
    circuits   edges that short circuits need and do not have (§3.9), where nobody is in a hurry
    pieces     lemmas about pieces behind small cuts, where the caller can make a proof of these
    walks      wrong parities walked together, which may fail too
    grown      as circuits, of the pieces that grow from them
    spanning   the determinant test, and the search that it guides (§5): polynomial, finds an order
               wherever there is one; its "no" is evidence with an error bound, not a proof

Blocks are independent. They come by size, and the first without an order ends it: a small block
refutes exactly, and a larger one would only add evidence. Cost where greedy fails, in ms of CPU: at
20 presses 0.3 by walks, 5 by spanning and by subsets; at 256 up to 30 by walks, 100 by spanning.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal, TypeAlias

from ponder.check.evidence.randomised import Randomised
from ponder.check.kinds import Answer, Refutation
from ponder.find.ordering.blocks import Block, biconnected_blocks
from ponder.find.ordering.greedy import Trials, order_greedy
from ponder.find.ordering.parity_walks import ATTEMPTS, order_by_walks
from ponder.find.ordering.piece_counts import count_pieces
from ponder.find.ordering.spanning_tree_search import order_spanning
from ponder.find.ordering.subsets import order_subsets
from ponder.find.search.context import SearchContext
from ponder.model.ordering_problem import Order, OrderingProblem, Unknown
from ponder.system.limits import LimitReached
from ponder.system.printable import pluralise

Method: TypeAlias = Literal["subsets", "greedy", "circuits", "pieces", "walks", "grown", "spanning"]

METHODS: tuple[tuple[float, tuple[Method, ...]], ...] = (
    (12, ("subsets",)),
    (20, ("greedy", "subsets")),
    (24, ("greedy", "walks", "spanning", "subsets")),
    (float("inf"), ("greedy", "subsets", "circuits", "pieces", "walks", "grown", "spanning")),
)  # in turn, of blocks of up to this size; the last of them decides
ALGEBRA_ONLY: frozenset[Method] = frozenset(
    {"greedy", "circuits", "walks", "grown"}
)  # left out: nothing is tried
IN_A_HURRY: frozenset[Method] = frozenset({"spanning"})  # left out: no search may be long
WITH_PIECES: frozenset[Method] = frozenset({"circuits", "pieces", "grown"})  # whole problems only
SHARE = 0.2  # what a method may take of the time that is left, when another one follows
TRIALS = 4  # greedy trials at most: where these fail, walks are faster than further trials


def find_order(
    problem: OrderingProblem,
    context: SearchContext,
    *,
    without: frozenset[Method] = frozenset(),
    trials: Trials | None = None,
    pieces: Callable[[], Answer] | None = None,
) -> tuple[Answer, str]:
    """Return the answer to an ordering problem, and the name of the method that gave it.

    The answer is an Order, a refutation (exact, or `Randomised`: evidence), or Unknown. `trials`
    says how greedy goes about it; `pieces` refutes the whole problem by lemmas about pieces, or
    does not. Raises TimeUp if the limits of `context` end it between two blocks.

    >>> k4 = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    >>> context = SearchContext()
    >>> answer, method = find_order(OrderingProblem.from_edges(4, k4, [0, 1]), context)
    >>> answer.vertices.size, method, [step.method for step in context.log.steps]
    (4, 'blocks+subsets', ['counting', 'subsets'])
    """
    context.progress(f"splitting {pluralise(problem.size, 'press')} into blocks")
    with context.stage("counting") as stage:
        parts = biconnected_blocks(problem, context.limits)
        if isinstance(parts, Refutation):
            return stage.said(parts), "counting"
        blocks = parts.blocks
        left = f"nothing refuted, {pluralise(len(blocks), 'block')} to search"
        largest = pluralise(max((block.size for block in blocks), default=0), "press")
        stage.said(parts, f"{left}, the largest of {largest}" if blocks else left)
    trials = trials or Trials(seed=context.seed)
    trials = replace(trials, count=min(trials.count, TRIALS))
    orders, methods = dict[int, Order](), {"blocks"}
    for k in sorted(range(len(blocks)), key=lambda k: blocks[k].size):
        context.limits.check()
        answer, method = _order_block(blocks[k], context, without, trials, pieces)
        if not isinstance(answer, Order):
            return answer, method
        orders[k] = answer
        methods.add(method)
    glued = parts.glue([orders[k] for k in range(len(blocks))], context.limits)
    return glued, "+".join(sorted(methods))


def _order_block(
    block: Block,
    context: SearchContext,
    without: frozenset[Method],
    trials: Trials,
    pieces: Callable[[], Answer] | None,
) -> tuple[Answer, Method]:
    """Order one block by the first of its methods that can; evidence gives way to what is exact."""
    methods = next(methods for most, methods in METHODS if block.size <= most)
    without = without if pieces else without | WITH_PIECES
    methods = tuple(method for method in methods if method not in without)
    for method in methods:
        context.progress(f"{method} on {pluralise(block.size, 'press')}")
        with context.stage(method) as stage:
            if method == "pieces" and pieces:
                answer = stage.said(pieces())
            else:
                last = method == methods[-1]
                answer = stage.said(_answer(method, last, block, context, trials))
        if not isinstance(answer, Unknown | Randomised):
            break
    return answer, method


def _answer(
    method: Method, last: bool, block: Block, context: SearchContext, trials: Trials
) -> Answer:
    """Ask one method, whether it is the last or not; a limit that ends it leaves the block open."""
    limits = context.limits if last else context.limits.share(SHARE)
    seed = context.seed
    try:
        match method:
            case "subsets":
                return order_subsets(block, limits)
            case "greedy":
                return order_greedy(block, trials, limits)
            case "walks":
                attempts = ATTEMPTS if last else 1
                return order_by_walks(block, seed=seed, limits=limits, attempts=attempts)
            case "circuits" | "grown":
                return count_pieces(block, limits, grown=method == "grown")
            case _:
                return order_spanning(block, seed=seed, limits=limits, progress=context.progress)
    except LimitReached as stopped:
        return Unknown(str(stopped))
