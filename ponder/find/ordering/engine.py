"""One ordering problem: an order, a refutation, evidence against one, or none of these.

The methods, in this order (theory §3, §5):

    counting   components and blocks: an odd number of edges, no first or no last press
    subsets    blocks of at most `SMALL` presses, decided by dynamic programming over subsets
    greedy     larger blocks that are dense: random orders, of which one in a few succeeds there
    walks      larger blocks: wrong parities walked together, which may fail
    subsets    where walks fail and presses are at most 24, or of few kinds
    algebra    the determinant test: a "no" is evidence with an error bound, not a proof; a "yes"
               is certain, so walks are tried for longer

Subsets (theory §3.5). The table of the sets of vertices that may be built first, those that are
alike counted, is that of `check.subset_table`, with its letters, reference and cost: a refutation
by it is a computation that the checker repeats. Where all vertices together are reachable, an order
is read from the table, last vertex first.

Blocks are independent. They come by size, and the first without an order ends it: a small block
refutes exactly, and a larger one would only add evidence.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from ponder.check.block import Block
from ponder.check.certificate import Answer, Refutation
from ponder.check.reader import TooLarge
from ponder.check.subset_table import MOST_EXHAUSTED, SubsetTable
from ponder.find.context import SearchContext
from ponder.find.ordering.blocks import biconnected_blocks
from ponder.find.ordering.evidence import evidence_against
from ponder.find.ordering.greedy import Trials, order_greedy
from ponder.find.ordering.parity_walks import order_by_walks
from ponder.model.ordering_problem import MOST_EDGES, Order, OrderingProblem, Unknown
from ponder.system.limits import NEVER, LimitReached, Limits
from ponder.system.printable import pluralise
from ponder.system.types import distinct

SMALL = 18  # presses of a block that is decided by subsets at once
SHARE = 0.2  # of the time left, for a method that another one follows
DENSE = Trials("random", "backwards", 40)  # of blocks with a quarter of all pairs
EXISTS = "the determinant test says that an order exists"
PERSISTENT = 10  # attempts of walks once the algebra says that an order exists


def find_order(
    problem: OrderingProblem, context: SearchContext, *, quick: bool = False
) -> tuple[Answer, str]:
    """Return the answer to an ordering problem, and the name of the method that gave it.

    The answer is an Order, a refutation (exact, or `Randomised`: evidence), or Unknown. `quick`
    leaves the algebra out. Raises TimeUp if the limits of `context` end it between two blocks.

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
    orders, methods = dict[int, Order](), {"blocks"}
    for k in sorted(range(len(blocks)), key=lambda k: blocks[k].size):
        context.limits.check()
        answer, method = _order_block(blocks[k], context, quick)
        if not isinstance(answer, Order):
            return answer, method
        orders[k] = answer
        methods.add(method)
    glued = parts.glue([orders[k] for k in range(len(blocks))], context.limits)
    return glued, "+".join(sorted(methods))


def _order_block(block: OrderingProblem, context: SearchContext, quick: bool) -> tuple[Answer, str]:
    """Order one block by the first of its methods that can; evidence comes last."""
    limits, seed = context.limits, context.seed

    def ask(method: str, run: Callable[[Limits], Answer], share: float = 1) -> Answer:
        context.progress(f"{method} on {pluralise(block.size, 'press')}")
        with context.stage(method) as stage:
            try:
                return stage.said(run(limits.share(share) if share < 1 else limits))
            except LimitReached as stopped:
                return stage.said(Unknown(str(stopped)))

    def algebra(limits: Limits) -> Answer:
        return evidence_against(block, seed, limits) or Unknown(EXISTS)

    if block.size > SMALL:
        if 8 * block.edge_count > block.size**2:
            answer = ask("greedy", partial(order_greedy, block, replace(DENSE, seed=seed)), SHARE)
            if isinstance(answer, Order):
                return answer, "greedy"
        once = partial(order_by_walks, block, seed=seed, attempts=1)
        answer = ask("walks", lambda limits: once(limits=limits), SHARE)
        if isinstance(answer, Order):
            return answer, "walks"
    exact = ask("subsets", partial(order_subsets, block), SHARE if block.size > SMALL else 1)
    if not isinstance(exact, Unknown) or quick:
        return exact, "subsets"
    evidence = ask("algebra", algebra)
    if not isinstance(evidence, Unknown) or evidence.reason != EXISTS:
        return evidence, "algebra"
    longer = partial(order_by_walks, block, seed=seed + 1, attempts=PERSISTENT)
    return ask("walks", lambda limits: longer(limits=limits), SHARE), "walks"


def order_subsets(problem: OrderingProblem, limits: Limits = NEVER) -> Order | Block | Unknown:
    """Order a component or block, or prove that it has no order; Unknown if its table is too large.

    Every further bit doubles time and memory. Raises TimeUp if the time is up, and NeedsMemory.

    >>> square = [(0, 1), (1, 2), (2, 3), (0, 3)]
    >>> order_subsets(OrderingProblem.from_edges(4, square, odd=[0, 2])).vertices.tolist()
    [3, 2, 0, 1]
    >>> order_subsets(OrderingProblem.from_edges(4, square, odd=[0, 1, 2, 3])).rule
    'orders'
    """
    try:
        problem.prepare(limits, MOST_EDGES)
        table = SubsetTable.from_near(problem.neighbours, problem.odd.tolist(), most=MOST_EXHAUSTED)
    except TooLarge as reason:
        return Unknown(str(reason))
    reachable, state = table.reachable(limits), table.full
    if not reachable >> state:
        return Block(distinct(problem.bulbs), "orders")
    reached = reachable.to_bytes((state >> 3) + 1, "little")
    left = [kind.copy() for kind in table.kinds]
    order: list[int] = []
    while state:
        for kind, odd, low, shift in zip(left, table.odd, table.low, table.shifts, strict=True):
            rest = state - (1 << shift)
            fits = kind and (low & rest).bit_count() & 1 == odd
            if fits and reached[rest >> 3] >> (rest & 7) & 1:
                order.append(kind.pop())
                state = rest
                break
    return Order(np.array(order, dtype=np.int64))
