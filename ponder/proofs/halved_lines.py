"""The rows and columns of a formula, where every line's presses have half of them colour 1.

Four encodings say so (`half_factor`, and `time_indexed`, `layered` and `precedence` with colours).
The links (`ponder.proofs.counter_links`) read the counter of `card=sequential`. For any other way
to say "h of d are true" such a counter is added by definition, and what the formula says is carried
over to it, s(i, j) ↔ s(i−1, j) ∨ (x_i ∧ s(i−1, j−1)) (theory §6.6):

    ¬s(i, j) ∨ ¬Y    for sets Y of the inputs after i, j + |Y| = h + 1: s(i, j) and Y are too many
     s(i, j) ∨ Y     the same for too few: i − j + 1 + |Y| = d − h + 1

Cost. About 2^d lemmas a line, whatever the sorting network or totalizer is; refused above `MOST`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations

import numpy as np

from ponder.formulas.cardinality import cardinality
from ponder.formulas.cnf import Cnf
from ponder.formulas.colours import counter_family, halving, line_colours, lines_of
from ponder.model.ordering_problem import OrderingProblem
from ponder.proofs.lemma_templates import Clause, Format, NotImplied, Piece, ProofWriter, Template
from ponder.system.errors import NoShortProof, PonderError
from ponder.system.types import Ints

MOST = 10  # presses of a line


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

    Raises PonderError if the formula says nothing about colours, or not by clauses.

    >>> from ponder.encodings.half_factor import HalfFactor
    >>> from ponder.model.board import Board
    >>> board = Board.from_rows(["00", "00"])
    >>> problem = OrderingProblem.of_board(board, np.array([1, 1, 0, 1]))
    >>> formula = HalfFactor().encode(problem, HalfFactor().options())
    >>> rows, columns = halved_lines(problem, formula, "sequential")
    >>> [(line.places, line.colours, line.clauses.tolist()) for line in rows]
    [([0, 1], [1, 2], [3, 4, 5, 6]), ([1], [3], [1])]
    """
    if formula.kinds - {"clause"}:
        raise PonderError(f"{formula.title}: a proof in clauses is about formulas in clauses")
    lines = lines_of(problem)
    starts, first = {}, 1
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


def counted_lines(
    writer: ProofWriter, problem: OrderingProblem, formula: Cnf, card: str
) -> tuple[list[HalvedLine], list[HalvedLine]]:
    """Return rows and columns with sequential counters, adding those that the formula has not."""
    rows, columns = halved_lines(problem, formula, card)
    if card == "sequential":
        return rows, columns
    longest = max((len(line.places) for line in rows + columns), default=0)
    if longest > MOST:
        raise NoShortProof(
            f"card={card} has a short proof for lines of up to {MOST} presses, here are {longest}: "
            "use card=sequential"
        )
    found = [[_recounted(writer, line, card) for line in lines] for lines in (rows, columns)]
    return found[0], found[1]


def _recounted(writer: ProofWriter, line: HalvedLine, card: str) -> HalvedLine:
    """Write the counter of a line."""
    count = len(line.colours)
    if count == 1:
        return line
    template, auxiliaries = _recount(count, card, writer.form)
    inputs = np.concatenate([np.array(line.colours), line.auxiliaries])
    variable, kept = writer.instance(template, inputs, line.clauses)
    return replace(line, auxiliaries=variable + auxiliaries, clauses=kept["clauses"])


@lru_cache(maxsize=64)
def _recount(count: int, card: str, form: Format) -> tuple[Template, Ints]:
    """Return the template from a line's own clauses, and which new ones the counter's are, from 0.

    Kept: `clauses` of the counter in the order of `card=sequential`.
    """
    half = count // 2
    gadget = cardinality(count, half, card, exactly=True)
    piece = Piece()
    piece.variables(count + gadget.auxiliaries)
    piece.given(*(tuple(row) for block in gadget.template for row in block.tolist()))
    try:
        counter = _Counter(piece, count)
    except NotImplied:
        raise NoShortProof(
            f"card={card} has no short proof, since unit propagation does not see that {half + 1} "
            f"of {count} presses are too many: use card=sequential"
        ) from None
    wanted = cardinality(count, half, "sequential", exactly=True)
    spare = count - half
    places = [(k % spare + k // spare + 1, k // spare + 1) for k in range(wanted.auxiliaries)]
    variables = [counter.s[place] for place in places]
    literal = [0, *range(1, count + 1), *variables]
    rows = (row for block in wanted.template for row in block.tolist())
    kept = [piece.lemma(tuple(literal[x] if x > 0 else -literal[-x] for x in row)) for row in rows]
    gone = [lemma.name for lemma in piece.lemmas]
    numbers = np.array(variables, dtype=np.int64) - piece.inputs - 1
    return Template(piece, form, gone, clauses=kept), numbers


class _Counter:
    """s(i, j) for 1 ≤ j ≤ min(i, h + 1), its definition, and all that the line says of it."""

    def __init__(self, piece: Piece, count: int) -> None:
        self.piece, self.count, self.half = piece, count, count // 2
        self.s: dict[tuple[int, int], int] = {}
        every = range(1, count + 1)
        self.known: dict[tuple[bool, int, frozenset[int]], int] = {}
        for too_many, size in ((True, self.half + 1), (False, count - self.half + 1)):
            for some in combinations(every, size):
                clause = tuple(-x for x in some) if too_many else some
                self.known[too_many, 0, frozenset(some)] = piece.lemma(clause)
        self.rules: dict[tuple[int, int], list[int]] = {}
        for i in every:
            for j in range(1, min(i, self.half + 1) + 1):
                self._define(i, j)
        self._carry(True, count, ())
        self._carry(False, count, ())
        for i in reversed(range(self.half + 1, count)):
            piece.lemma((-self.s[i, self.half + 1],))
        for i in every:  # s(i, j) → s(i, j − 1)
            for j in range(2, min(i, self.half) + 1):
                piece.lemma((-self.s[i, j], self.s[i, j - 1]))
        for j in reversed(range(1, self.half + 1)):
            for i in range(j + count - self.half, count + 1):
                piece.lemma((self.s[i, j],))

    def _define(self, i: int, j: int) -> None:
        """Define s(i, j); its rules: from s(i−1, j), with x, to s(i−1, j) or x, or s(i−1, j−1)."""
        before = [self.s[i - 1, j]] if (i - 1, j) in self.s else []  # otherwise false
        less = [self.s[i - 1, j - 1]] if j > 1 else []  # otherwise true
        (here,) = self.piece.variables(1)
        self.s[i, j] = here
        up = self.piece.define((here, -before[0])) if before else 0
        add = self.piece.define((here, -i, *(-x for x in less)))
        new = self.piece.define((-here, *before, i))
        old = self.piece.define((-here, *before, *less)) if less else 0
        self.rules[i, j] = [up, add, new, old]

    def _carry(self, too_many: bool, i: int, some: Clause) -> int:
        """Return the name of the lemma for s(i, j) and the set Y = `some`."""
        if too_many:
            j = self.half + 1 - len(some)
            alone = j == 0
        else:
            j = i - (self.count - self.half - len(some))
            alone = j > i
        key = too_many, 0 if alone else i, frozenset(some)
        if key in self.known:
            return self.known[key]
        up, add, new, old = self.rules[i, j]
        hints: list[int] = []
        if too_many:
            if (i - 1, j) in self.s:
                hints.append(self._carry(True, i - 1, some))
            hints += [new, old] if old else [new]
            hints.append(self._carry(True, i - 1, (*some, i)))
            clause = (-self.s[i, j], *(-y for y in some))
        else:
            if j > 1:
                hints.append(self._carry(False, i - 1, some))
            hints += [add, up] if up else [add]
            hints.append(self._carry(False, i - 1, (*some, i)))
            clause = (self.s[i, j], *some)
        self.known[key] = self.piece.by_hints(clause, hints)
        return self.known[key]
