"""What a solver's output stands for: a model an order, a proof a refutation, both checked.

    an order          as it stands
    directions        a topological order of H (theory §2.1)
    colours           theorem 2's construction (theory §4.2)
    a proof           that there is no order, once `ponder.check.lrat` has accepted it

Encoders say what their variables mean and no more (`ponder.formulas.encoder.Reading`). Nothing is
accepted on trust: an order that is returned is one by the checker's count. Cost: linear, O(n log n)
on row/column boards; the cycles of a lazy formula's model O(n·m); the check of a proof, in pure
Python, about a million clause visits a second.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from ponder.check.certificate import Answer
from ponder.check.formula import Formula as FormulaProof
from ponder.check.lrat import check_lrat
from ponder.check.replay import check_order
from ponder.find.row_column.ordering import order_from_colours
from ponder.find.solvers.clause_arrays import Sat, parse_solver_output
from ponder.find.solvers.drat_to_lrat import lrat_of
from ponder.formulas.cnf import Cnf, assignment
from ponder.formulas.encoder import Colours, Directions, Encoder, Options, Reading
from ponder.model.ordering_problem import Order, OrderingProblem, Unknown
from ponder.system.errors import CheckFailed, PonderError
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints


def decode(
    encoder: Encoder,
    problem: OrderingProblem,
    options: Options,
    model: Iterable[int],
    formula: Cnf | None = None,
) -> Order:
    """Return the order that a model (literals; only the true ones count) stands for.

    `formula` is that of `encode`, if kept. Raises PonderError if the model is no legal order.

    >>> from ponder.encodings.precedence import Precedence
    >>> path = OrderingProblem.from_edges(3, [(0, 1), (1, 2)])
    >>> decode(Precedence(), path, Precedence().options(), [-1, 2]).vertices.tolist()
    [1, 0, 2]
    """
    formula = formula or encoder.encode(problem, options)
    true = assignment(formula.variables, model)
    return order_of(problem, encoder.read(problem, options, formula, true))


def order_of(problem: OrderingProblem, said: Reading) -> Order:
    """Return the order that a reading stands for. Raises PonderError if it is not legal."""
    match said:
        case Colours(chosen):
            said = order_from_colours(problem, chosen).vertices
        case Directions(forward):
            said = _topological(_later_neighbours(problem, forward))
    try:
        check_order(problem, said)
    except CheckFailed as failure:
        raise PonderError(f"the model is not a legal order: {failure}") from None
    return Order(np.asarray(said, dtype=np.int64))


def cuts(
    encoder: Encoder,
    problem: OrderingProblem,
    options: Options,
    model: Iterable[int],
    formula: Cnf | None = None,
    limits: Limits = NEVER,
) -> list[list[int]]:
    """Return the clauses against a model's cycles: a shortest one through every press, once."""
    if not encoder.lazy(options):
        return []
    formula = formula or encoder.encode(problem, options, limits)
    reading = encoder.read(problem, options, formula, assignment(formula.variables, model))
    if not isinstance(reading, Directions):
        raise TypeError(f"{encoder.name}: a lazy formula must say directions")
    cycles = _shortest_cycles(_later_neighbours(problem, reading.forward), limits)
    return encoder.cuts(problem, list({frozenset(cycle): cycle for cycle in cycles}.values()))


def proved(
    encoder: Encoder,
    options: Options,
    cnf: Cnf,
    proof: str | bytes,
    *,
    added: Sequence[Sequence[int]] = (),
    limits: Limits = NEVER,
) -> FormulaProof:
    """Return the refutation of a proof, which it checks. Raises CheckFailed if the proof is wrong.

    `cnf` is the encoder's formula, the `added` cuts included. The proof is LRAT, or DRAT, which is
    converted. Raises TimeUp.
    """
    text = lrat_of(proof, cnf.variables, cnf.clauses(), limits)
    check_lrat(cnf.clauses(), text, limits)
    cuts_added = tuple(tuple(cut) for cut in added)
    return FormulaProof(encoder.name, tuple(str(options).split()), cuts_added, text)


def answer_of_output(
    problem: OrderingProblem,
    encoder: Encoder,
    options: Options,
    output: str,
    *,
    proof: str | bytes | None = None,
    source: str = "solver output",
) -> Answer:
    """Return what a solver's output about the exported formula stands for.

    This is an order if the model satisfies the formula, a refutation if the output says
    unsatisfiable and `proof` proves it, and else Unknown with the reason.

    Raises SolverError for an output that is no answer or belongs to a formula of another size, and
    CheckFailed for a model that does not satisfy the formula, and for a wrong proof.
    """
    formula = encoder.encode(problem, options)
    outcome = parse_solver_output(output, formula.variables, source, formula.unused)
    match outcome:
        case Sat(literals):
            if (broken := formula.falsified(outcome.values)) is not None:
                raise CheckFailed(
                    f"{source}: the model breaks {' '.join(map(str, broken[1]))} ({broken[0]}): "
                    "it belongs to another board, press set, encoding or option"
                )
            if cuts(encoder, problem, options, literals.tolist(), formula):
                raise PonderError(
                    f"{source}: the model has cycles, which this formula does not forbid; "
                    "only `ponder order` adds the cuts"
                )
            return decode(encoder, problem, options, literals.tolist(), formula)
        case Unknown():
            return outcome
    if not encoder.refutes(problem, options):
        return Unknown("this formula's horizon is too short to refute: another encoding may")
    if proof is None:
        return Unknown(
            "the solver says unsatisfiable, for which no proof was given: --proof FILE brings it"
        )
    if formula.kinds - {"clause"}:
        raise PonderError("proofs are about clauses alone: choose options that are not native")
    return proved(encoder, options, formula, proof)


# --------------------------------------------------------------------------------- orientations


def _later_neighbours(problem: OrderingProblem, forward: Bits) -> list[set[int]]:
    out: list[set[int]] = [set() for _ in range(problem.size)]
    for u, v in np.where(forward[:, None], problem.edges, problem.edges[:, ::-1]).tolist():
        out[u].add(v)
    return out


def _topological(out: list[set[int]]) -> Ints:
    """Return a topological order; too short when there is a cycle."""
    earlier = Counter(v for followers in out for v in followers)
    order = [v for v in range(len(out)) if not earlier[v]]
    for v in order:  # grows while it is read
        for u in out[v]:
            earlier[u] -= 1
            if not earlier[u]:
                order.append(u)
    return np.array(order, dtype=np.int64)


def _shortest_cycles(out: list[set[int]], limits: Limits) -> Iterator[list[int]]:
    """Yield, for every vertex that lies on a cycle, a shortest one; breadth first."""
    into: list[set[int]] = [set() for _ in out]
    for v, followers in enumerate(out):
        for u in followers:
            into[u].add(v)
    for here, there in ((out, into), (into, out)):  # what no cycle comes through goes
        ends = [v for v, neighbours in enumerate(here) if not neighbours]
        for v in ends:  # grows while it is read
            for u in there[v]:
                here[u].discard(v)
                if not here[u]:
                    ends.append(u)
            there[v] = set()
    for start in (v for v, followers in enumerate(out) if followers):
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
