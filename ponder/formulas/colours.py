"""Row/column boards: the colours of theorem 2 as variables, shared by several encodings.

Press b's *colour* is the parity of the presses of b's row after b. Along a line that parity
alternates, whatever the order: exactly ⌊d/2⌋ of the d presses of a row have colour 1. In its column
b finds the parity colour(b) + t(b) + (later copies of b, which count in both lines but are
neighbours only once), and the same holds there: a half factor (theory §4.1, §4.2), signed where
t(b) + copies is odd (§4.8). Where there is an order anyway these constraints are *implied*; a
solver settles the colours with them before it looks for an order (§6.3).

Letters     d presses in a line;   size with card=sequential: ⌊d/2⌋·⌈d/2⌉ auxiliaries and
            4·⌊d/2⌋·⌈d/2⌉ clauses a line, but one clause and no auxiliary where d = 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ponder.formulas.cnf import Cnf, Family
from ponder.formulas.encoder import Option, copy_ranks, press_names
from ponder.formulas.gadgets import exactly
from ponder.model.ordering_problem import OrderingProblem
from ponder.system.errors import PonderError
from ponder.system.types import Bits, Ints

CARDINALITY = Option("card", "sequential", "how to say `half of a line`", ("sequential", "native"))
"""`native` is no encoding: the constraint is kept for OPB."""


@dataclass(frozen=True, eq=False)
class HalvedLines:
    """The lines that have presses, rows first, numbered 0 …; every press's row and column.

    `members` has one entry (vertices, lines) for every number d of presses that a line has:
    an array (lines, d) of vertices and the numbers of those lines.
    """

    labels: list[str]
    rows: Ints
    columns: Ints
    members: list[tuple[Ints, Ints]]


def lines_of(problem: OrderingProblem) -> HalvedLines:
    """Return the lines of a row/column board's presses. Raises PonderError on another board."""
    if problem.lines is None:
        raise PonderError(
            "tracking lines needs a row/column board (pattern cross), "
            f"but the pattern is {problem.graph.pattern}"
        )
    labels: list[str] = []
    placed: list[Ints] = []
    by_length: dict[int, list[tuple[Ints, int]]] = {}
    for word, line in zip(("row", "column"), problem.lines, strict=True):
        used, place, count = np.unique(line, return_inverse=True, return_counts=True)
        together = np.split(np.argsort(place, kind="stable"), np.cumsum(count)[:-1])
        for i in range(used.size):
            by_length.setdefault(int(count[i]), []).append((together[i], len(labels) + i))
        placed.append(np.asarray(place + len(labels), dtype=np.int64))
        labels += [f"{word}{x}" for x in used.tolist()]
    members = [
        (np.stack([vertices for vertices, _ in alike]), np.array([line for _, line in alike]))
        for _, alike in sorted(by_length.items())
    ]
    return HalvedLines(labels, placed[0], placed[1], members)


def allot_colours(formula: Cnf, problem: OrderingProblem) -> Family:
    """Number one colour per press."""
    name = press_names(problem)
    meaning = "colour(b): an odd number of presses of b's row come after b"
    spec = Family("colour", meaning, problem.size, lambda i, _: f"colour({name(i)})")
    return formula.allot(1, spec)[0]


def column_flips(problem: OrderingProblem) -> Bits:
    """Return which presses find, in their column, the opposite of their colour."""
    _, after = copy_ranks(problem)
    return np.asarray(problem.odd ^ (after & 1).astype(np.bool_))


def line_colours(problem: OrderingProblem, lines: HalvedLines, colour: Ints) -> list[Ints]:
    """Return, per entry of `lines.members`, the literals "an odd number after it in this line".

    `colour` are the colours' variables, (n,); the arrays have the shape of the vertices.
    """
    flips = column_flips(problem)
    literals = []
    for members, which in lines.members:
        in_column = lines.columns[members[:, 0]] == which
        literals.append(np.where(in_column[:, None] & flips[members], -1, 1) * colour[members])
    return literals


def halve_lines(formula: Cnf, problem: OrderingProblem, colour: Ints, card: str) -> None:
    """Say that exactly half of the colours of every line are true, rounded down."""
    lines = lines_of(problem)
    literals = line_colours(problem, lines, colour)
    for (members, which), rows in zip(lines.members, literals, strict=True):
        d = members.shape[1]
        label = f"colour 1 on exactly {d // 2} of the {d} presses of a line"
        if card == "native":
            formula.add(label, rows.astype(np.int32), kind="exactly", bound=d // 2)
            continue
        formula.make_room(4 * (d // 2) * which.size)
        gadget = exactly(d // 2, d)
        meaning = f"half{d}(l,i): auxiliaries of `exactly {d // 2} of {d}` in line l"
        sites = [lines.labels[k] for k in which]
        formula.place(label, gadget, rows, f"half{d}", meaning, sites)
