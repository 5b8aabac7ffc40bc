"""Lines half of whose presses have colour 1: in a formula, and as numbers modulo M (theory §6.6).

Four encodings say so (`half_factor`, and `time_indexed`, `layered` and `precedence` with colours),
here by `card=sequential` (`ponder.formulas.cardinality`), whose variables s(i, j) say that at least
j of the first i presses of a line have colour 1. With N_i the number, modulo M, of the first i,

    link(i, j)    s(i, j) ∧ ¬s(i, j+1)  →  N_i = j          for all j that the formula allows

follows from link(i−1, j−1) and link(i−1, j) by cases on the i-th press: two lemmas each. The
formula takes s(i, j) as false for j > i, and j > h, and as true for i ≥ j + d − h, so that for
i = d the only link is N_d = h.

Letters: d presses in the line, h = ⌊d/2⌋. Cost: 2·h·(d − h) + O(d) lemmas a line.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ponder.formulas.cardinality import cardinality
from ponder.formulas.cnf import Cnf
from ponder.formulas.colours import counter_family, halving, line_colours, lines_of
from ponder.model.ordering_problem import OrderingProblem
from ponder.proofs.lemma_templates import Clause, Format, Piece, Template
from ponder.proofs.sweep_pieces import increment_clauses, new_number
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


@dataclass(frozen=True, eq=False)
class LinkStep:
    """link(i, ·) from link(i−1, ·), for one i; kept as `links`, by j."""

    template: Template  # inputs: the press, N_{i−1}, N_i, then the auxiliaries
    auxiliaries: Ints  # the counter's variables, from 0
    clauses: Ints  # its clauses, from 0: given after N_i's definition upwards, before link(i−1, ·)


@lru_cache(maxsize=512)
def steps(count: int, modulus: int, form: Format) -> list[LinkStep]:
    """Return the steps of a line with `count` presses, i = 1 … count."""
    counter = _Counter(count)
    return [_step(counter, i, modulus, form) for i in range(1, count + 1)]


class _Counter:
    """The variables and clauses of `card=sequential`: inputs 1 … d, auxiliaries above."""

    def __init__(self, count: int) -> None:
        self.count, self.half = count, count // 2
        self.spare = count - self.half
        self.true = count + self.half * self.spare + 1
        gadget = cardinality(count, self.half, "sequential", exactly=True)
        clauses = [row for block in gadget.template for row in block.tolist()]
        self._index = {frozenset(row): k for k, row in enumerate(clauses)}

    def at_least(self, i: int, j: int) -> int:
        """Return s(i, j), ± `true` where it is constant."""
        if j <= 0:
            return self.true
        if j > self.half or j > i:
            return -self.true
        if i >= j + self.spare:
            return self.true
        return self.count + (j - 1) * self.spare + (i - j) + 1

    def clause(self, *literals: int) -> tuple[int, Clause] | None:
        """Return the number and the literals of a clause; None where a constant satisfies it."""
        if self.true in literals:
            return None
        kept = tuple(x for x in literals if x != -self.true)
        return self._index[frozenset(kept)], kept

    def range(self, i: int) -> range:
        """Return every j that i presses may have."""
        return range(max(0, i - self.spare), min(i, self.half) + 1)


class _StepMaker:
    """Collects the variables and clauses of a counter that a step uses."""

    def __init__(self, counter: _Counter, i: int, modulus: int) -> None:
        self.counter, self.i = counter, i
        used = [counter.at_least(i - a, j) for a in (0, 1) for j in range(counter.half + 2)]
        self.auxiliaries = sorted({v for v in used if counter.count < v < counter.true})
        self.piece = Piece()
        (self.x,) = self.piece.variables(1)
        self.before, self.now = new_number(self.piece, modulus), new_number(self.piece, modulus)
        first = self.piece.variables(len(self.auxiliaries)).start
        self.local = {v: first + k for k, v in enumerate(self.auxiliaries)}
        self.local[i] = self.x
        self.clauses: list[int] = []
        self.names: dict[int, int] = {}

    def literal(self, x: int) -> int:
        """Return a literal of the counter as the piece has it."""
        return self.local[x] if x > 0 else -self.local[-x]

    def use(self, *literals: int) -> None:
        """Give the piece a clause of the counter."""
        found = self.counter.clause(*literals)
        if found is not None and found[0] not in self.names:
            self.names[found[0]] = self.piece.given(tuple(map(self.literal, found[1])))
            self.clauses.append(found[0])

    def hint(self, *literals: int) -> list[int]:
        """Return the name of a clause in the piece; none where a constant satisfies it."""
        found = self.counter.clause(*literals)
        return [] if found is None else [self.names[found[0]]]

    def literals(self, i: int, j: int, number: tuple[int, ...]) -> Clause:
        """Return link(i, j)."""
        sides = (-self.counter.at_least(i, j), self.counter.at_least(i, j + 1))
        left = [self.literal(x) for x in sides if abs(x) != self.counter.true]
        return (number[j % len(number)], *left)


def _step(counter: _Counter, i: int, modulus: int, form: Format) -> LinkStep:
    maker = _StepMaker(counter, i, modulus)
    piece, s, x = maker.piece, counter.at_least, maker.x
    ups = piece.given(*increment_clauses(maker.now, maker.before, x)[: 2 * modulus])
    for j in counter.range(i):
        maker.use(-s(i, j), s(i - 1, j - 1))
        maker.use(-i, -s(i - 1, j), s(i, j + 1))
        maker.use(-s(i, j), s(i - 1, j), i)
        maker.use(-s(i - 1, j + 1), s(i, j + 1))
    earlier = {j: piece.given(maker.literals(i - 1, j, maker.before)) for j in counter.range(i - 1)}
    cases, links = [], []
    for j in counter.range(i):
        link, v = maker.literals(i, j, maker.now), j % modulus
        hints = maker.hint(-s(i, j), s(i - 1, j - 1)) if j else []
        hints += maker.hint(-i, -s(i - 1, j), s(i, j + 1))
        if j:  # otherwise that clause is falsified
            hints += [earlier[j - 1], ups + v]
        cases.append(piece.by_hints((link[0], -x, *link[1:]), hints))
        hints = [cases[-1], *maker.hint(-s(i, j), s(i - 1, j), i)]
        if j < i:
            hints += [*maker.hint(-s(i - 1, j + 1), s(i, j + 1)), earlier[j], ups + modulus + v]
        links.append(piece.by_hints(link, hints))
    return LinkStep(
        Template(piece, form, [*cases, *earlier.values()], links=links),
        np.array(maker.auxiliaries, dtype=np.int64) - counter.count - 1,
        np.array(maker.clauses, dtype=np.int64),
    )
