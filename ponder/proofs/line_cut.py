"""A proof in clauses that some lines need more presses of colour 1 than there is room for.

Let X be the lines of one side (say rows) and Y those across, W the presses of Y outside X and of X
outside Y, D and B how many of these have colour 1, and gap = need − room > 0. The sweep
(`ponder.proofs.double_counting`) goes over the rows of X and the columns of Y, modulo the least M ≥
2 such that no v in 0 … W has v + gap ≡ 0 (theory §6.6, line cuts). A press outside is a *free* line
of its own, of whose count nothing is known. D and B grow by one such press each:

    after the rows      D = a → P = Σ_X ⌊d/2⌋ + a
    down to column c    D = a ∧ B = b → P_c = … + a − b,  and P_0 is 0.

Cost. O(M³) lemmas a cell and two a variable of the formula's counters; M is mostly 2 or 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from ponder.formulas.cnf import Cnf
from ponder.model.ordering_problem import OrderingProblem
from ponder.proofs.double_counting import NONE, Sweep
from ponder.proofs.halved_lines import HalvedLine, halved_lines
from ponder.proofs.lemma_templates import Clause, Format, Piece, ProofWriter, Template
from ponder.proofs.sweep_pieces import (
    Number,
    increment_clauses,
    new_number,
    number,
    sum_down,
    sum_up,
)
from ponder.system.errors import NoShortProof, PonderError
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints

MOST_MODULUS = 32
MOST_LEMMAS = 3_000_000  # A proof that may need more is not written: some 300 MB


def write_line_cut(
    writer: ProofWriter,
    problem: OrderingProblem,
    formula: Cnf,
    card: str,
    chosen: tuple[Bits, Bits],
    side: str,
    limits: Limits = NEVER,
) -> None:
    """Write the proof for the rows and columns that are `chosen` among those with presses.

    `side` is the one that needs too much. Raises PonderError if it does not.
    """
    lines = halved_lines(problem, formula, card)
    if side == "columns":
        lines, chosen = lines[::-1], chosen[::-1]
    rows, columns, outside = cut_out(*lines, *chosen)
    need, most = (sum(line.half for line in some if not line.free) for some in (rows, columns))
    gap = need - most - sum(line.free for line in columns)
    if gap == 0 or (gap < 0 and outside):  # without presses outside both count the same ones
        raise PonderError("there is room for what the lines need, which refutes nothing")
    modulus = 2
    while any((v + gap) % modulus == 0 for v in range(outside + 1)):
        modulus += 1
    if not outside:
        return Sweep(writer, rows, columns, modulus).run(limits)
    if modulus > MOST_MODULUS or len(rows) * len(columns) * modulus**3 > MOST_LEMMAS:
        raise NoShortProof(
            f"line-cut: with {outside} presses outside the cut a proof in clauses would be too "
            "long; cutting planes have a short one"
        )
    return CutSweep(writer, rows, columns, modulus).run(limits)


def cut_out(
    rows: Sequence[HalvedLine], columns: Sequence[HalvedLine], x: Bits, y: Bits
) -> tuple[list[HalvedLine], list[HalvedLine], int]:
    """Return the rows X and the columns Y with free lines for the presses outside; their number.

    Places are numbered anew. Lines stay in the order of the board, free ones after those that they
    lie in, so that every line still counts its presses in the order of its counter.
    """
    sides = ((rows, x, y), (columns, y, x))
    kept: list[list[tuple[int, Sequence[int]]]] = []  # lines by their numbers, and their presses
    for lines, own, others in sides:
        found: list[tuple[int, Sequence[int]]] = []
        for k, line in enumerate(lines):
            every = range(len(line.places))
            found += [(k, every)] if own[k] else [(k, [j]) for j in every if others[line.places[j]]]
        kept.append(found)
    # a press is where its line and the line across keep it: number those by (line, place)
    numbers = [
        {(k, lines[k].places[j]): i for i, (k, some) in enumerate(found) for j in some}
        for (lines, _, _), found in zip(sides, kept, strict=True)
    ]
    made: list[list[HalvedLine]] = []
    for (lines, own, _), found, across in zip(sides, kept, numbers[::-1], strict=True):
        made.append([])
        for k, some in found:
            line = lines[k]
            places = [across[line.places[j], k] for j in some]
            free = HalvedLine(places, [line.colours[j] for j in some], NONE, NONE)
            made[-1].append(replace(line, places=places) if own[k] else free)
    return made[0], made[1], sum(line.free for lines in made for line in lines)


def _bounds(made: Number, most: int) -> list[Clause]:
    """Return "N is at most …": ¬N_v for the larger v."""
    return [(-made[v],) for v in range(most + 1, len(made))]


def _grow(piece: Piece, base: Number, x: int, most: int) -> tuple[Number, list[int], list[int]]:
    """Define N = B + x for B ≤ `most`; return N, its definition, "at least one" and its bounds."""
    made = new_number(piece, len(base))
    gone = [piece.define(c) for c in increment_clauses(made, base, x)]
    some = piece.by_cases([made], x, gone)
    some += [piece.lemma(clause) for clause in _bounds(made, most + 1)]
    return made, gone, some


@lru_cache(maxsize=256)
def _free_row(modulus: int, form: Format, value: int, most: int) -> Template:
    """D + x for the press x of a free row, and D = a → P = value + a, from the row above."""
    # given: D is at least one, and its bounds; links of Q; the row's lemma; what is known above
    piece = Piece()
    (x,) = piece.variables(1)
    base, row, above, here = (new_number(piece, modulus) for _ in range(4))
    given = [base, *_bounds(base, most), (row[0], x), (row[1], -x)]
    first = piece.given(*given)
    piece.given(*sum_up(here, above, row))
    known = [(above[(value + a) % modulus], -base[a]) for a in range(most + 1)]
    last = piece.given(*known)
    made, gone, some = _grow(piece, base, x, most)
    claims = [(here[(value + a) % modulus], -made[a]) for a in range(most + 2)]
    lemmas = piece.by_cases(claims, x, gone)
    gone += [*range(first, first + len(given)), *range(last, last + len(known))]
    return Template(piece, form, gone, some=some, known=lemmas)


@lru_cache(maxsize=256)
def _free_column(modulus: int, form: Format, value: int, rows: int, most: int) -> Template:
    """B + x for the press x of a free column, and D = a ∧ B = b → P_{c−1} = value + a − b."""
    # given: B is at least one, and its bounds; links of S_c; `sum_down` of P_c, what is known of it
    piece = Piece()
    (x,) = piece.variables(1)
    base, free, column, here, left = (new_number(piece, modulus) for _ in range(5))
    given = [base, *_bounds(base, most), (column[0], x), (column[1], -x)]
    given += sum_down(here, left, column)
    pairs = [(a, b) for a in range(rows + 1) for b in range(most + 1)]
    given += [(here[(value + a - b) % modulus], -free[a], -base[b]) for a, b in pairs]
    first = piece.given(*given)
    made, gone, some = _grow(piece, base, x, most)
    pairs = [(a, b) for a in range(rows + 1) for b in range(most + 2)]
    claims = [(left[(value + a - b) % modulus], -free[a], -made[b]) for a, b in pairs]
    lemmas = piece.by_cases(claims, x, gone)
    gone += range(first, first + len(given))
    return Template(piece, form, gone, some=some, known=lemmas)


class CutSweep(Sweep):
    """A sweep with free lines: what is known of P depends on D, and then on B."""

    value: int
    free_rows: int  # so far
    d: int
    d_some: list[int]
    known_by: list[int]

    def run(self, limits: Limits) -> None:
        """Write everything."""
        self.free_rows = 0
        self.d, self.d_some = self._free_zero()
        claim = (number(self.total, self.modulus)[0], -number(self.d, self.modulus)[0])
        self.known_by = [self.writer.lemma(claim, [self.known])]
        super().run(limits)

    def _free_zero(self) -> tuple[int, list[int]]:
        """Return a number that is 0: "at least one" of it, and that it is not more."""
        zero, units, one = self._zero(one=True)
        return zero, [int(one[0]), *units[1:].tolist()]

    def _close(self, line: HalvedLine, count: int, links: Ints, above: int, sums: Ints) -> None:
        modulus, writer = self.modulus, self.writer
        here, free = number(self.total, modulus), number(self.d, modulus)
        if line.free:
            template = _free_row(modulus, writer.form, self.value, self.free_rows)
            values = self._values(self.d, count, above, self.total)
            givens = np.array(self.d_some), links, sums, np.array(self.known_by)
            self.d, kept = writer.instance(template, np.append(line.colours[0], values), *givens)
            self.d_some, self.known_by = kept["some"].tolist(), kept["known"].tolist()
            self.free_rows += 1
            return
        half = line.half % modulus
        for a, known in enumerate(self.known_by):
            hint = int(sums[(self.value + a) % modulus * modulus + half])
            claim = (here[(self.value + half + a) % modulus], -free[a])
            self.known_by[a] = writer.lemma(claim, [known, int(links[0]), hint])
        self.value = (self.value + half) % modulus

    def _end(self) -> None:
        modulus, writer, rows, value = self.modulus, self.writer, self.free_rows, self.value
        totals = [self.start, *(column.total for column in self.columns)]
        b, b_some = self._free_zero()
        free, most = number(self.d, modulus), 0
        zero = number(b, modulus)[0]
        known = []
        for a, name in enumerate(self.known_by):
            claim = (number(totals[-1], modulus)[(value + a) % modulus], -free[a], -zero)
            known.append(writer.lemma(claim, [name]))
        # take the columns off the total again, last one first
        for c in reversed(range(len(self.columns))):
            column, line = self.columns[c], self.columns[c].line
            if line.free:
                template = _free_column(modulus, writer.form, value, rows, most)
                values = self._values(b, self.d, column.number, totals[c + 1], totals[c])
                givens = np.array(b_some), column.links, column.down, np.array(known)
                b, kept = writer.instance(template, np.append(line.colours[0], values), *givens)
                b_some, known = kept["some"].tolist(), kept["known"].tolist()
                most += 1
                continue
            half = line.half % modulus  # half of the presses of a column that is cut have colour 1
            left, counted = number(totals[c], modulus), number(b, modulus)
            for i, name in enumerate(known):
                a, k = divmod(i, most + 1)
                now = (value + a - k) % modulus
                claim = (left[(now - half) % modulus], -free[a], -counted[k])
                hints = [name, int(column.links[0]), int(column.down[now * modulus + half])]
                known[i] = writer.lemma(claim, hints)
            value = (value - half) % modulus
        self._clash(value, known, b, b_some, most)

    def _clash(self, value: int, known: list[int], b: int, b_some: list[int], most: int) -> None:
        """P_0 is 0, and would be something else whatever D and B are."""
        modulus, writer = self.modulus, self.writer
        free, counted = number(self.d, modulus), number(b, modulus)
        excluded = []
        for a in range(self.free_rows + 1):
            names = []
            for k in range(most + 1):
                unit = int(self.start_units[(value + a - k) % modulus])
                hints = [known[a * (most + 1) + k], unit]
                names.append(writer.lemma((-counted[k], -free[a]), hints))
            excluded.append(writer.lemma((-free[a],), [*names, *b_some[1:], b_some[0]]))
        writer.lemma((), [*excluded, *self.d_some[1:], self.d_some[0]])
