"""Positions for CP-SAT: an integer per press, a boolean per edge of H, a sum per press.

Letters     n presses; m edges of H; t(v) the parity of v's later neighbours; d(l) presses in l.

Variables   position(b) in 0 … n−1                 when b is pressed; neighbours differ
            before(a|b) per edge                   a is pressed before b, by their positions
            pairs(b)                               half of b's later neighbours, rounded down
Constraints before(a|b) ⇒ position(a) < position(b), and its negation the other way: 2·m.
            Σ over neighbours u of before(v|u) = t(v) + 2·pairs(v): n.
            Row/column boards (lines=on): the sum is split at the colour, in the row
            Σ = colour + 2·pairs, in the column likewise with the colour corrected by t; a line's
            later-counts are all different (it is a clique: they are 0 … d−1); and half of every
            line has colour 1.

Acyclicity costs nothing: positions grow along every edge.

Good for    sparse H; H with a hint; proofs through the linear sums (odd edges, unequal counts).
What made the difference: the colours and their implied sums (theorem 2), as in `precedence`;
without them a row/column board of 280 presses is out of reach.
"""

from __future__ import annotations

import numpy as np

from ponder.cnf import copy_ranks, press_names
from ponder.encoders import CpSatEncoder, CpSatModel, Option, Options, Value
from ponder.graph import Ints
from ponder.ordering import Order, OrderingProblem
from ponder.steps import lines_of


class CpSatPositions(CpSatEncoder):
    """Integer positions, precedence booleans, parity sums."""

    name = "cpsat_positions"
    summary = "CP-SAT; an integer position per press and a boolean per edge; any graph"
    spec = (Option("lines", "on", "on row/column boards, colours along the lines", ("on", "off")),)

    def model(
        self, problem: OrderingProblem, options: Options, hint: Order | None = None
    ) -> CpSatModel:
        """Return the model; the hint gives all positions."""
        from ortools.sat.python.cp_model import CpModel

        n, names = problem.size, press_names(problem)
        model = CpModel()
        position = [model.new_int_var(0, max(n - 1, 0), f"position({name})") for name in names]
        rank, after = copy_ranks(problem)
        earlier: dict[tuple[int, int], object] = {}
        for u, v in problem.edges.tolist():
            first = model.new_bool_var(f"before({names[u]}|{names[v]})")
            earlier[u, v], earlier[v, u] = first, ~first
            model.add(position[u] < position[v]).only_enforce_if(first)
            model.add(position[v] < position[u]).only_enforce_if(~first)
            if problem.bulbs[u] == problem.bulbs[v]:
                model.add_bool_and([first if rank[u] < rank[v] else ~first])
        if problem.lines is None or options.word("lines") == "off":
            for v, near in enumerate(problem.neighbours):
                pairs = model.new_int_var(0, len(near) // 2, f"pairs({names[v]})")
                later = sum(earlier[v, u] for u in near)
                model.add(later == int(problem.odd[v]) + 2 * pairs)
        else:
            colour = [model.new_bool_var(f"colour({name})") for name in names]
            odd = problem.odd ^ (after & 1).astype(np.bool_)
            lines = lines_of(problem)
            for members, which in lines.members:
                for some, line in zip(members.tolist(), which.tolist(), strict=True):
                    in_row = lines.rows[some[0]] == line
                    word, d = lines.labels[line], len(some)
                    own = [~colour[v] if odd[v] and not in_row else colour[v] for v in some]
                    model.add(sum(own) == d // 2)
                    later_counts = []
                    for v, bit in zip(some, own, strict=True):
                        later = model.new_int_var(0, d - 1, f"later({names[v]},{word})")
                        pairs = model.new_int_var(0, d // 2, f"pairs({names[v]},{word})")
                        model.add(later == sum(earlier[v, u] for u in some if u != v))
                        model.add(later == bit + 2 * pairs)
                        later_counts.append(later)
                    model.add_all_different(later_counts)
        if hint is not None:
            for place, v in enumerate(hint.vertices.tolist()):
                model.add_hint(position[v], place)

        def read(value: Value) -> Ints:
            places = np.array([value(variable) for variable in position], dtype=np.int64)
            return np.argsort(places, kind="stable")

        return CpSatModel(model, problem, read)
