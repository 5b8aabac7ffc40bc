"""Positions for CP-SAT: an integer per press, a boolean per edge of H, a sum per press.

Letters     n presses; m edges of H; t(v) the parity of v's later neighbours
Variables   position(b) in 0 .. n−1; before(a|b) for every edge; pairs(b), half of b's later
            neighbours, rounded down. With lines=on: colour(b), `later` and `pairs` per line.
Constraints before(a|b) → position(a) < position(b), its negation the other way: 2·m.
            Σ over neighbours u of before(v|u) = t(v) + 2·pairs(v): n. On row/column boards
            (lines=on) line by line, with colours (`ponder.formulas.colours`), all different.

Good for    sparse H, H with a hint, and proofs by sums (odd edges, unequal counts: theory §6.3);
            there is no horizon. Orders of hundreds of presses stay out of reach: bounds on
            positions propagate too little where every line is a clique.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ponder.formulas.cnf import copy_ranks, press_names
from ponder.formulas.colours import lines_of, model_colours
from ponder.formulas.encoder import CpSatEncoder, CpSatModel, Option, Options, Value
from ponder.model.ordering_problem import MOST_EDGES, Order, OrderingProblem
from ponder.system.limits import Limits
from ponder.system.types import Ints

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, LinearExpr

    Earlier = dict[tuple[int, int], LinearExpr]


class CpSatPositions(CpSatEncoder):
    """Integer positions, precedence booleans, parity sums."""

    name = "cpsat_positions"
    summary = "CP-SAT; an integer position per press, a boolean per edge; any graph, no horizon"
    spec = (Option("lines", "on", "on row/column boards, colours along the lines", ("on", "off")),)

    def terms(self, problem: OrderingProblem, options: Options) -> int:
        """Return 8·m + 8·n: two comparisons for every edge, which is in two sums."""
        return 8 * (problem.edge_count + problem.size)

    def build(
        self, problem: OrderingProblem, options: Options, hint: Order | None, limits: Limits
    ) -> CpSatModel:
        """Make the model; the hint gives positions, directions and colours."""
        from ortools.sat.python.cp_model import CpModel

        problem.prepare(limits, MOST_EDGES)
        n, name = problem.size, press_names(problem)
        names = [name(v) for v in limits.over(range(n))]
        model = CpModel()
        position = [model.new_int_var(0, n - 1, f"position({name})") for name in limits.over(names)]
        place = None if hint is None else np.argsort(hint.vertices)
        earlier: Earlier = {}
        rank, _ = copy_ranks(problem)
        for u, v in limits.over(problem.edges.tolist()):
            first = model.new_bool_var(f"before({names[u]}|{names[v]})")
            earlier[u, v], earlier[v, u] = first, ~first
            model.add(position[u] < position[v]).only_enforce_if(first)
            model.add(position[v] < position[u]).only_enforce_if(~first)
            if problem.bulbs[u] == problem.bulbs[v]:
                model.add(first == int(rank[u] < rank[v]))
            if place is not None:
                model.add_hint(first, int(place[u] < place[v]))
        for u, v in () if problem.fixed is None else problem.fixed.tolist():
            model.add(earlier[u, v] == 1)
        if place is not None:
            for variable, step in zip(position, place.tolist(), strict=True):
                model.add_hint(variable, step)
        if problem.lines is not None and options.word("lines") == "on":
            _parity_by_lines(model, problem, earlier, names, hint, limits)
        else:
            for v, near in enumerate(limits.over(problem.heard_lists)):
                pairs = model.new_int_var(0, len(near) // 2, f"pairs({names[v]})")
                later = sum(earlier[v, u] for u in near)
                model.add(later - 2 * pairs == int(problem.odd[v]))

        def read(value: Value) -> Ints:
            places = np.array([value(variable) for variable in position], dtype=np.int64)
            return np.argsort(places, kind="stable")

        return CpSatModel(model, read)


def _parity_by_lines(
    model: CpModel,
    problem: OrderingProblem,
    earlier: Earlier,
    names: Sequence[str],
    hint: Order | None,
    limits: Limits,
) -> None:
    labels = lines_of(problem).labels
    for some, line, own in model_colours(model, problem, hint, limits)[1]:
        d, word, counts = len(some), labels[line], []
        for v, bit in limits.over(zip(some, own, strict=True), 8):
            later = model.new_int_var(0, d - 1, f"later({names[v]},{word})")
            pairs = model.new_int_var(0, d // 2, f"pairs({names[v]},{word})")
            model.add(later == sum(earlier[v, u] for u in some if u != v))
            model.add(later == bit + 2 * pairs)
            counts.append(later)
        model.add_all_different(counts)
