"""Time-indexed booleans for CP-SAT: presses at layers, as in `ponder.encodings.layered`.

Letters     n presses; m edges of H; k layers; e(v) the parity of v's earlier neighbours.

Variables   press(b)@s    bulb b is pressed in layer s, s < k;  done(b)@s: there or before
            odd(l)@s      row/column boards: line l has had an odd number of presses before s
            pairs(b)      other graphs: half of b's earlier neighbours, rounded down
Constraints exactly one layer per press; neighbours not in the same layer (one at-most-one per line
            and layer, or one clause per edge and layer).
            Row/column boards: a press needs equal (or different) line bits; a bit changes iff one
            of the line's presses is pressed (its sum is 0 or 1, so it is linear: sum = change).
            Other graphs: press(v)@s ⇒ Σ done(u)@s−1 over neighbours u = e(v) + 2·pairs(v).

`layers=0` means n layers, with which "infeasible" refutes; fewer refute nothing.

Good for    orders, with about one and a half times as many layers as the longest line has presses.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ponder.cnf import copy_ranks, press_names
from ponder.encoders import CpSatEncoder, CpSatModel, Option, Options, Value
from ponder.graph import Ints
from ponder.ordering import Order, OrderingProblem
from ponder.steps import layer_schedule, layers_of, lines_of, needed


class CpSatTime(CpSatEncoder):
    """Presses at layers."""

    name = "cpsat_time"
    summary = "CP-SAT; a boolean per press and layer; any graph"
    spec = (Option("layers", 0, "the number of layers; 0: one for every press"),)

    def refutes(self, problem: OrderingProblem, options: Options) -> bool:
        """Only with as many layers as presses."""
        return layers_of(problem, options) >= problem.size

    def schedule(self, problem: OrderingProblem, options: Options) -> Iterator[Options]:
        """Yield few layers first, and at last one for every press."""
        return layer_schedule(problem, options)

    def model(
        self, problem: OrderingProblem, options: Options, hint: Order | None = None
    ) -> CpSatModel:
        """Return the model; the hint gives the layer of every press."""
        from ortools.sat.python.cp_model import CpModel

        n, names, layers = problem.size, press_names(problem), layers_of(problem, options)
        model = CpModel()
        press = [[model.new_bool_var(f"press({b})@{s}") for b in names] for s in range(layers)]
        for v in range(n):
            model.add_exactly_one(press[s][v] for s in range(layers))
        rank, _ = copy_ranks(problem)
        even = ~needed(problem)
        if problem.lines is not None:
            lines = lines_of(problem)
            differ = ~even ^ (rank & 1).astype(np.bool_)
            before: list[object] = [0] * len(lines.labels)
            groups = [
                (some, line)
                for members, which in lines.members
                for some, line in zip(members.tolist(), which.tolist(), strict=True)
            ]
            odd = [
                [model.new_bool_var(f"odd({word})@{s}") for word in lines.labels]
                for s in range(layers)
            ]
            del before
            for s in range(layers):
                for some, line in groups:
                    pressed = [press[s][v] for v in some]
                    model.add_at_most_one(pressed)
                    if s == 0:
                        model.add_bool_and([~odd[0][line]])
                    if s + 1 < layers:
                        now, then = odd[s][line], odd[s + 1][line]
                        for literal in pressed:
                            model.add_bool_or([~literal, now, then])
                            model.add_bool_or([~literal, ~now, ~then])
                        model.add_bool_or([*pressed, now, ~then])
                        model.add_bool_or([*pressed, ~now, then])
                for v in range(n):
                    row, column = odd[s][lines.rows[v]], odd[s][lines.columns[v]]
                    if differ[v]:
                        column = ~column
                    model.add_bool_or([~press[s][v], ~row, column])
                    model.add_bool_or([~press[s][v], row, ~column])
        return CpSatModel(model, problem, lambda value: np.empty(0, dtype=np.int64))
