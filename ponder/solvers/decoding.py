"""A model back as an order: what its variables say, made into a sequence of presses and checked.

    an order          as it stands
    directions        a topological order of H (theory §2.1)
    colours           theorem 2's construction (theory §4.2)

Encoders say what their variables mean and no more (`ponder.formulas.encoder.Reading`), so that
whoever makes a formula again loads none of what finds orders. Nothing is accepted on trust: an
order that is returned is one by the checker's count (`ponder.check.replay.check_order`).

Cost. Linear, and O(n log n) on row/column boards; the cycles of a lazy formula's model O(n·m).
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator

import numpy as np

from ponder.check.replay import check_order
from ponder.cross.ordering import order_from_colours
from ponder.errors import CheckFailed, PonderError
from ponder.formulas.cnf import Cnf, assignment
from ponder.formulas.encoder import (
    Colours,
    CpSatModel,
    Directions,
    Encoder,
    Options,
    Reading,
    Value,
)
from ponder.limits import NEVER, Limits
from ponder.puzzle.ordering_problem import Order, OrderingProblem
from ponder.types import Bits, Ints


def decode(
    made: Encoder,
    problem: OrderingProblem,
    options: Options,
    model: Iterable[int],
    formula: Cnf | None = None,
) -> Order:
    """Return the order that a model (literals; only the true ones count) stands for.

    `formula` is what `encode` returned, where it is still there. PonderError when the model stands
    for no legal order.

    >>> from pysat.solvers import Solver
    >>> from ponder.encodings.registry import encoder
    >>> triangle_and_tail = OrderingProblem.from_edges(4, [(0, 1), (1, 2), (0, 2), (2, 3)])
    >>> made = encoder("precedence")
    >>> options = made.options(["acyclic=labels"])
    >>> with Solver(bootstrap_with=made.encode(triangle_and_tail, options).clauses()) as solver:
    ...     solver.solve()
    ...     order = decode(made, triangle_and_tail, options, solver.get_model())
    True
    >>> sorted(order.vertices.tolist())
    [0, 1, 2, 3]
    """
    formula = formula or made.encode(problem, options)
    true = assignment(formula.variables, model)
    return order_of(problem, made.read(problem, options, formula, true))


def decode_values(model: CpSatModel, value: Value) -> Order:
    """Return the order that a solution of CP-SAT stands for; PonderError when it is not legal."""
    return order_of(model.problem, model.read(value))


def order_of(problem: OrderingProblem, said: Reading) -> Order:
    """Return the order that a reading stands for; PonderError when it is not legal."""
    match said:
        case Colours(chosen):
            said = order_from_colours(problem, chosen).vertices
        case Directions(forward):
            said = _topological(_later_neighbours(problem, forward))
    try:
        check_order(problem, said)
    except CheckFailed as failure:
        raise PonderError(f"the model is no legal order: {failure}") from None
    return Order(np.asarray(said, dtype=np.int64))


def cuts(
    made: Encoder,
    problem: OrderingProblem,
    options: Options,
    model: Iterable[int],
    formula: Cnf | None = None,
    limits: Limits = NEVER,
) -> list[list[int]]:
    """Return the clauses that a lazy formula leaves out and that the model breaks; else none.

    One against a shortest cycle through every press that lies on one, each cycle once.
    """
    if not made.lazy(options):
        return []
    formula = formula or made.encode(problem, options, limits)
    said = made.read(problem, options, formula, assignment(formula.variables, model))
    if not isinstance(said, Directions):
        raise TypeError(f"{made.name}: a lazy formula must say directions")
    found: dict[frozenset[int], list[int]] = {}
    for cycle in _shortest_cycles(_later_neighbours(problem, said.forward), limits):
        if frozenset(cycle) not in found:
            found[frozenset(cycle)] = made.cut(problem, cycle)
    return list(found.values())


# --------------------------------------------------------------------------------- orientations


def _later_neighbours(problem: OrderingProblem, forward: Bits) -> list[set[int]]:
    """Return every vertex's later neighbours."""
    out: list[set[int]] = [set() for _ in range(problem.size)]
    for (u, v), earlier in zip(problem.edges.tolist(), forward.tolist(), strict=True):
        if earlier:
            out[u].add(v)
        else:
            out[v].add(u)
    return out


def _topological(out: list[set[int]]) -> Ints:
    """Return a topological order; too short when there is a cycle."""
    earlier = Counter(v for some in out for v in some)
    order = [v for v in range(len(out)) if not earlier[v]]
    for v in order:  # grows while it is read
        for u in out[v]:
            earlier[u] -= 1
            if not earlier[u]:
                order.append(u)
    return np.array(order, dtype=np.int64)


def _shortest_cycles(out: list[set[int]], limits: Limits) -> Iterator[list[int]]:
    """Yield, for every vertex that lies on a cycle, a shortest one; breadth first."""
    for start in range(len(out)):
        limits.check()
        parent = {start: -1}
        queue = deque([start])
        while queue:
            v = queue.popleft()
            if start in out[v]:
                cycle = [v]
                while parent[cycle[-1]] >= 0:
                    cycle.append(parent[cycle[-1]])
                yield cycle[::-1]
                break
            for u in out[v]:
                if u not in parent:
                    parent[u] = v
                    queue.append(u)
