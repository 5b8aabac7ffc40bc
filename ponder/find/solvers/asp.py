"""Ordering by answer-set programming: clingo, which knows acyclic orientations by itself.

Idea. An edge is chosen one way or the other, and clingo's `#edge` forbids circles by a propagator,
without a clause; `#count` of the later neighbours of v is no number of the wrong parity.

An order is checked like any other. A "no" of clingo has no proof: `Unknown`. It works in a thread
of this process; a limit ends it except while it grounds.

Cost. O(edges) to ground. Reference: Gebser, Janhunen, Rintanen, "Answer set programming as SAT
modulo acyclicity" (2014).
"""

from __future__ import annotations

from importlib import import_module

import numpy as np

from ponder.check.result import SOLVER_SAYS
from ponder.find.solvers.decoding import order_of
from ponder.formulas.encoder import Directions
from ponder.model.ordering_problem import Order, OrderingProblem, Unknown
from ponder.system.errors import NeedsLibrary, PonderError, unknown
from ponder.system.limits import Limits

MODELS = ("count",)
MOST_EDGES = 1 << 18  # of a problem that is grounded
CLINGO_SAYS = "clingo says that there is no order; that is not proved"
_TICK = 0.02  # seconds between two looks at the limits
_PROGRAM = """
{b(U,V)} :- e(U,V).  a(U,V) :- b(U,V).  a(V,U) :- e(U,V), not b(U,V).
#edge (U,V) : a(U,V).  #show b/2.
:- t(V,T,D), K = 0..D, K\\2 != T, #count{W : a(V,W), h(V,W)} = K.
"""


def demand_model(model: str | None) -> str:
    """Return the name of a model, `count` for None. Raises PonderError for one that is unknown."""
    if model is not None and model not in MODELS:
        raise PonderError(unknown("model of clingo", model, MODELS))
    return model or "count"


def order_asp(
    problem: OrderingProblem, model: str | None = None, *, seed: int = 0, limits: Limits
) -> Order | Unknown:
    """Order a problem with clingo, or return what it says. Raises NeedsLibrary without it.

    Raises TimeUp, and NeedsMemory for more than `MOST_EDGES` edges.

    >>> path = OrderingProblem.from_edges(3, [(0, 1), (1, 2)])
    >>> order_asp(path, limits=Limits(None)).vertices.tolist()[0]
    1
    """
    demand_model(model)
    try:
        clingo = import_module("clingo")
    except ImportError as error:
        broken = "" if isinstance(error, ModuleNotFoundError) else f" ({error})"
        needs = f"the method asp needs clingo{broken}: pip install ponder[asp]"
        raise NeedsLibrary(needs) from None
    problem.prepare(limits, MOST_EDGES)
    facts = [f"e({u},{v})." for u, v in problem.edges.tolist()]
    if problem.fixed is not None:
        facts += [f":- not a({u},{v})." for u, v in problem.fixed.tolist()]
    for v, (near, odd) in enumerate(zip(problem.heard_lists, problem.odd.tolist(), strict=True)):
        facts += [f"t({v},{int(odd)},{len(near)}).", *(f"h({v},{u})." for u in near)]
    control = clingo.Control([f"--seed={seed}"], logger=lambda *_: None)
    control.add("base", [], _PROGRAM + "\n".join(facts))
    control.ground([("base", [])])
    limits.check()
    models: list[list[tuple[int, int]]] = []

    def keep(answer: object) -> None:
        shown = answer.symbols(shown=True)  # type: ignore[attr-defined]
        models.append([(s.arguments[0].number, s.arguments[1].number) for s in shown])

    with control.solve(on_model=keep, async_=True) as solving:
        while not solving.wait(_TICK):
            if limits.expired:
                solving.cancel()
                return Unknown(limits.reason)
        if not solving.get().satisfiable:
            return Unknown(CLINGO_SAYS, {SOLVER_SAYS: "no order"})
    forwards = np.array(models[-1], dtype=np.int64).reshape(-1, 2) @ [problem.size, 1]
    order = order_of(problem, Directions(np.isin(problem.edges @ [problem.size, 1], forwards)))
    return Order(order.vertices, {"solver": f"clingo {clingo.__version__}"})
