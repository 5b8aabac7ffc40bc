"""Time-indexed booleans for CP-SAT: presses in layers of independent sets.

The question of `ponder.encodings.layered` (theory §6.1): as there, too few layers refute nothing.

Letters     n presses; k layers; m edges of H; ℓ lines; e(v) the parity of v's earlier neighbours
Variables   press(b)@s, b is pressed in layer s: n·k. On row/column boards odd(l)@s, line l has had
            an odd number of presses before layer s, ℓ·k, and colour(b), n; on other graphs
            done(b)@s, pressed before layer s, n·k, and pairs(b), half of the earlier neighbours, n.
Constraints one layer per press; copies of a bulb ascend; neighbours in different layers. Lines as
            in `ponder.formulas.time_steps` with parity=lines and colours; on other graphs
            press(v)@s → Σ done(u)@s over neighbours u = e(v) + 2·pairs(v).

Good for    orders of hundreds of presses; line bits and colours make the difference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypeAlias

import numpy as np

from ponder.formulas.cnf import Size
from ponder.formulas.colours import column_flips, lines_of
from ponder.formulas.encoder import Option, Options, copy_ranks, next_copies, press_names
from ponder.formulas.time_steps import LAYERS, InLayers, needed
from ponder.model.ordering_problem import MOST_EDGES, OrderingProblem
from ponder.system.errors import ortools
from ponder.system.limits import NEVER, Limits, NeedsMemory
from ponder.system.types import Ints, bincount

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, IntVar

    Presses = list[list[IntVar]]


Value: TypeAlias = "Callable[[IntVar], int]"

MOST_TERMS = 20_000_000  # of a model: some 100 bytes each, once CP-SAT has copied them


@dataclass(frozen=True, eq=False)
class CpSatModel:
    """A CP-SAT model and how to read a solution; `value` is a solver's `Value` or `value`."""

    model: CpModel
    read: Callable[[Value], Ints]


class CpSatTime(InLayers):
    """Booleans for presses in layers."""

    name = "cpsat_time"
    summary = "CP-SAT; a boolean per press and layer; any graph"
    spec: ClassVar[tuple[Option, ...]] = (LAYERS,)

    def size(self, problem: OrderingProblem, options: Options, limits: Limits = NEVER) -> Size:
        """Return the model's numbers of variables and constraints; it is built for that."""
        proto = self.model(problem, options, limits).model.proto
        return Size(len(proto.variables), len(proto.constraints), 0)

    def model(
        self, problem: OrderingProblem, options: Options, limits: Limits = NEVER
    ) -> CpSatModel:
        """Return the model. Raises NeedsLibrary without OR-tools, NeedsMemory, and TimeUp."""
        per_layer = 4 * problem.edge_count + 8 * problem.size  # variables in a layer's constraints
        per_layer = per_layer if problem.lines is None else 32 * problem.size
        if (terms := per_layer * self.layers(problem, options)) > MOST_TERMS:
            raise NeedsMemory(
                f"the model {self.name} is too large: about {terms:,} terms, at most {MOST_TERMS:,}"
            )
        ortools("sat.python.cp_model", f"the encoding {self.name}")
        from ortools.sat.python.cp_model import CpModel

        name, layers = press_names(problem), self.layers(problem, options)
        names = [name(v) for v in limits.over(range(problem.size))]
        model = CpModel()
        press = _bits(model, "press", names, layers, limits)
        for v in limits.over(range(problem.size)):
            model.add_exactly_one(layer[v] for layer in press)
        fixed = [] if problem.fixed is None else problem.fixed.tolist()
        for u, v in limits.over([*np.transpose(next_copies(problem)).tolist(), *fixed], 1):
            model.add(sum(s * (layer[v] - layer[u]) for s, layer in enumerate(press)) >= 1)
        if problem.lines is not None:
            _parity_by_lines(model, problem, press, names, limits)
        else:
            problem.prepare(limits, MOST_EDGES)
            _parity_by_neighbours(model, problem, press, names, limits)

        def read(value: Value) -> Ints:
            chosen = np.array([[value(x) for x in layer] for layer in press], dtype=np.int64)
            return np.nonzero(chosen.reshape(layers, problem.size))[1]

        return CpSatModel(model, read)


def _bits(model: CpModel, word: str, names: Sequence[str], layers: int, limits: Limits) -> Presses:
    """Return a boolean for every layer and name."""
    return [
        [model.new_bool_var(f"{word}({name})@{s}") for name in limits.over(names)]
        for s in range(layers)
    ]


def _parity_by_lines(
    model: CpModel, problem: OrderingProblem, press: Presses, names: Sequence[str], limits: Limits
) -> None:
    lines, flips = lines_of(problem), column_flips(problem)
    rank, _ = copy_ranks(problem)
    differ = needed(problem) ^ (rank & 1).astype(np.bool_)
    colour = [model.new_bool_var(f"colour({name})") for name in limits.over(names)]
    groups: list[tuple[list[int], int]] = []
    for vertices, which in lines.members:
        groups += zip(vertices.tolist(), which.tolist(), strict=True)
    for members, line in limits.over(groups, 1):  # half of every line
        in_column = lines.columns[members[0]] == line
        literals = [~colour[v] if in_column and flips[v] else colour[v] for v in members]
        model.add(sum(literals) == len(members) // 2)
    row_odd = bincount(lines.rows)[lines.rows] % 2 == 1 if problem.size else differ
    odd = _bits(model, "odd", lines.labels, len(press), limits)
    for s, layer in enumerate(press):
        for members, line in limits.over(groups, 1):
            pressed = [layer[v] for v in members]
            model.add_at_most_one(pressed)
            if s == 0:
                model.add(odd[0][line] == 0)
            if s + 1 < len(press):
                now, then = odd[s][line], odd[s + 1][line]
                for literal in pressed:
                    model.add_bool_or(~literal, now, then)
                    model.add_bool_or(~literal, ~now, ~then)
                model.add_bool_or(*pressed, now, ~then)
                model.add_bool_or(*pressed, ~now, then)
        for v, literal in enumerate(limits.over(layer)):
            row, column = odd[s][lines.rows[v]], odd[s][lines.columns[v]]
            expected = ~column if differ[v] else column
            shown = row if row_odd[v] else ~row  # its row's parity after v
            for first, second in ((row, expected), (shown, colour[v])):
                model.add_bool_or(~literal, ~first, second)
                model.add_bool_or(~literal, first, ~second)


def _parity_by_neighbours(
    model: CpModel, problem: OrderingProblem, press: Presses, names: Sequence[str], limits: Limits
) -> None:
    done = _bits(model, "done", names, len(press), limits)
    pairs = [
        model.new_int_var(0, len(near) // 2, f"pairs({b})")
        for b, near in zip(names, problem.heard_lists, strict=True)
    ]
    parity = needed(problem).astype(int).tolist()
    for s, layer in enumerate(press):
        for u, v in limits.over(problem.edges.tolist()):
            model.add_bool_or(~layer[u], ~layer[v])
        for v, near in enumerate(limits.over(problem.heard_lists)):
            if s == 0:
                model.add(done[0][v] == 0)
            else:
                model.add(done[s][v] == done[s - 1][v] + press[s - 1][v])
            before = sum(done[s][u] for u in near)
            model.add(before - 2 * pairs[v] == parity[v]).only_enforce_if(layer[v])
