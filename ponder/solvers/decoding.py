"""A model back as an order: what its variables say, made into a sequence of presses and checked.

    an order          as it stands
    directions        a topological order of H (theory §2.1)
    colours           theorem 2's construction (theory §4.2)

Encoders say what their variables mean and no more (`ponder.formulas.encoder.Reading`), so that
whoever makes a formula again loads none of what finds orders. Nothing is accepted on trust: an
order that is returned obeys the problem's parities, counted here without the encoder's help.

Cost. Linear, and O(n log n) on row/column boards; the cycles of a lazy formula's model O(n·m).
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator

import numpy as np

from ponder.cross.ordering import order_from_colours
from ponder.errors import PonderError
from ponder.formulas.cnf import Cnf, assignment
from ponder.formulas.encoder import (
    Colours,
    CpSatModel,
    Directions,
    Encoder,
    Options,
    Reading,
    Value,
    later_alike,
)
from ponder.formulas.variables import press_names
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
    >>> later_counts(triangle_and_tail, np.argsort(order.vertices)).tolist().count(0)
    2
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
    return checked(problem, said)


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


# -------------------------------------------------------------------------------------- orders


def checked(problem: OrderingProblem, vertices: Ints) -> Order:
    """Return the order if every vertex occurs once with the right parity after it.

    PonderError otherwise, naming a press.

    >>> path = OrderingProblem.from_edges(3, [(0, 1), (1, 2)])
    >>> checked(path, np.array([1, 0, 2])).vertices.tolist()
    [1, 0, 2]
    """
    if vertices.size != problem.size or not np.array_equal(
        np.sort(vertices), np.arange(problem.size)
    ):
        raise PonderError("the model is no order: it does not press every bulb as often as asked")
    place = np.empty(problem.size, dtype=np.int64)
    place[vertices] = np.arange(problem.size)
    wrong = np.flatnonzero((later_counts(problem, place) & 1) != problem.odd)
    if wrong.size:
        first = vertices[place[wrong].min()]
        raise PonderError(
            f"the model is no legal order: the press of {press_names(problem)[first]} "
            f"at step {int(place[first])} breaks the rule"
        )
    return Order(np.asarray(vertices, dtype=np.int64))


def later_counts(problem: OrderingProblem, place: Ints) -> Ints:
    """Return how many neighbours of every vertex come after it; `place[v]` is v's position.

    >>> path = OrderingProblem.from_edges(3, [(0, 1), (1, 2)])
    >>> later_counts(path, np.array([1, 0, 2])).tolist()  # pressed as 1, 0, 2
    [0, 2, 0]
    """
    if problem.lines is not None:
        rows, columns = problem.lines
        alike = later_alike(problem.bulbs, place)
        return later_alike(rows, place) + later_alike(columns, place) - alike
    u, v = problem.edges[:, 0], problem.edges[:, 1]
    first = np.where(place[u] < place[v], u, v)
    return np.bincount(first, minlength=problem.size)
