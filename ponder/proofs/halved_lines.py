"""The rows and columns of a formula, where every line's presses have half of them colour 1.

Four encodings say so (`half_factor`, and `time_indexed`, `layered` and `precedence` with colours).
The links (`ponder.proofs.counter_links`) read the counter of `card=sequential`; formulas that say
"h of d are true" in another way are refused.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ponder.formulas.cardinality import cardinality
from ponder.formulas.cnf import Cnf
from ponder.formulas.colours import counter_family, halving, line_colours, lines_of
from ponder.model.ordering_problem import OrderingProblem
from ponder.system.errors import NoShortProof, PonderError
from ponder.system.types import Ints

SEQUENTIAL = "sequential"


@dataclass(frozen=True, eq=False)
class HalvedLine:
    """A line: its presses' places in the lines across (from 0) and colours; its constraint.

    Places count lines with presses only, and ascend. `auxiliaries` are variables, `clauses` ids;
    a *free* line has no constraint.
    """

    places: list[int]
    colours: list[int]
    auxiliaries: Ints
    clauses: Ints

    @property
    def free(self) -> bool:
        """Whether nothing is known of how many have colour 1."""
        return not self.clauses.size

    @property
    def half(self) -> int:
        """How many presses have colour 1."""
        return len(self.colours) // 2


def halved_lines(
    problem: OrderingProblem, formula: Cnf, card: str
) -> tuple[list[HalvedLine], list[HalvedLine]]:
    """Return the rows and the columns that have presses.

    Raises PonderError if the formula says nothing about colours, or not by sequential counters.

    >>> from ponder.encodings.half_factor import HalfFactor
    >>> from ponder.model.board import Board
    >>> board = Board.from_rows(["00", "00"])
    >>> problem = OrderingProblem.of_board(board, np.array([1, 1, 0, 1]))
    >>> formula = HalfFactor().encode(problem, HalfFactor().options())
    >>> rows, columns = halved_lines(problem, formula, SEQUENTIAL)
    >>> [(line.places, line.colours, line.clauses.tolist()) for line in rows]
    [([0, 1], [1, 2], [3, 4, 5, 6]), ([1], [3], [1])]
    """
    if formula.kinds - {"clause"}:
        raise PonderError(f"{formula.title}: a proof in clauses is about formulas in clauses")
    if card != SEQUENTIAL:
        raise NoShortProof(f"card={card} has no short proof: use card={SEQUENTIAL}")
    lines = lines_of(problem)
    starts, first = {}, 1  # where each group of clauses begins
    for group in formula.groups:
        starts[group.label] = first
        first += group.clauses
    families = {family.name: family for family in formula.families}
    if "colour" not in families:
        raise PonderError(f"{formula.title}: this encoding, with these options, has no colours")
    literals = line_colours(problem, lines, families["colour"].now)
    height = int(lines.rows.max(initial=-1)) + 1
    found: dict[int, HalvedLine] = {}
    for (members, which), own in zip(lines.members, literals, strict=True):
        count = members.shape[1]
        gadget = cardinality(count, count // 2, card, exactly=True)
        aux = families[counter_family(count)].first + np.arange(gadget.auxiliaries)
        # the clauses of a gadget lie in blocks, line by line within a block
        ids = [np.zeros(0, dtype=np.int64)]
        start = starts[halving(count)]
        for block in gadget.template:
            ids.append(start + np.arange(len(block)))
            start += len(block) * len(which)
        sizes = np.concatenate([np.full(len(b), len(b)) for b in gadget.template])
        for k, line in enumerate(which.tolist()):
            across = lines.columns[members[k]] - height if line < height else lines.rows[members[k]]
            auxiliaries, clauses = aux + k * gadget.auxiliaries, np.concatenate(ids) + k * sizes
            found[line] = HalvedLine(across.tolist(), own[k].tolist(), auxiliaries, clauses)
    return [found[i] for i in range(height)], [found[i] for i in range(height, len(found))]
