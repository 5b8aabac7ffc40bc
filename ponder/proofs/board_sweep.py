"""Counting the presses of colour 1 twice, along the rows and down the columns.

Every line holds a known number of presses of colour 1, and the two sums over rows and columns
differ modulo M. Letters, all numbers modulo M, for rows r and columns c that have presses:

    x      the press at (r, c) has colour 1
    Q_c    the number of such presses in row r up to column c
    S_c^r  the number in column c down to row r
    P_c^r  = P_{c−1}^r + S_c^r: the number in columns up to c, down to row r

**Lemma.** P_c^{r−1} + Q_c = P_c^r. As M² clauses, ¬(P_c^{r−1} = a) ∨ ¬(Q_c = b) ∨ P_c^r = a + b.

*Proof, by induction on c.* Suppose P_c^{r−1} = a and Q_c = b. For fixed s = S_c^{r−1} and x unit
propagation knows every number: P_{c−1}^{r−1} = a − s, Q_{c−1} = b − x, so P_{c−1}^r = a − s + b − x
by induction, and with S_c^r = s + x it gives P_c^r = a + b. Removing x, then s, takes 2·M lemmas; M
where nothing is pressed at (r, c). ∎

At the end of row r, Q is ⌊d/2⌋ by the formula, so P^r = P^{r−1} + ⌊d(r)/2⌋ and after the last row P
is the sum over the rows. Down the columns every S_c ends at ⌊d(c)/2⌋, which takes P back to minus
what is left over: but P_0 is 0.

Deletions. When the sweep leaves a cell, all its clauses go but those of P_c^r and S_c^r that the
next row needs: a checker holds O(M²·columns) clauses besides the formula.

Cost. A press takes 2·M³ + 2·M² + 9·M + M² lemmas about, another cell M³ + 2·M²; M = 2: 24 + links
and 12.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ponder.limits import NEVER, Limits
from ponder.proofs.counter_links import steps
from ponder.proofs.halved_lines import HalvedLine
from ponder.proofs.lemma_templates import Clause, Format, Piece, Template
from ponder.proofs.modular_numbers import (
    Number,
    exactly_one,
    increment_clauses,
    new_number,
    number,
    sum_down,
    sum_up,
    width,
)
from ponder.proofs.proof_writer import ProofWriter
from ponder.types import Ints

NONE: Ints = np.zeros(0, dtype=np.int64)


def refute(
    writer: ProofWriter,
    rows: Sequence[HalvedLine],
    columns: Sequence[HalvedLine],
    modulus: int,
    limits: Limits = NEVER,
) -> None:
    """Write the proof, to the empty clause; the sums over rows and columns differ modulo M."""
    Sweep(writer, rows, columns, modulus).run(limits)


# ------------------------------------------------------------------------------------ templates


@dataclass(frozen=True, eq=False)
class Named:
    """A template, and the names (from 0) of the clauses that it leaves behind, by use."""

    template: Template
    kept: dict[str, Ints]


def named(piece: Piece, form: Format, gone: Sequence[int], **kept: Sequence[int]) -> Named:
    """Return the template of a piece at whose end some clauses go, but none that is kept."""
    stay = {name for names in kept.values() for name in names}
    template = Template(piece, form, [name for name in gone if name not in stay])
    first = piece.givens + 1
    return Named(template, {k: np.array(v, dtype=np.int64) - first for k, v in kept.items()})


def zero_units(zero: Number) -> list[Clause]:
    """Return the units that say that a number is 0: first "= 0", unless that is all."""
    return list(dict.fromkeys([(zero[0],), *((-x,) for x in zero[1:])]))


@lru_cache(maxsize=64)
def _zero(modulus: int, form: Format, one: bool) -> Named:
    """A new number that is 0; kept: its units (the first says = 0), with `one` exactly one."""
    piece = Piece()
    piece.given()
    zero = new_number(piece, modulus)
    units = [piece.define(clause) for clause in zero_units(zero)]
    only = [piece.lemma(clause) for clause in exactly_one(zero)] if one else []
    return named(piece, form, [], units=units, one=only)


@lru_cache(maxsize=64)
def _zero_sum(modulus: int, form: Format) -> Named:
    """0 = 0 + 0, for three numbers N, B, C given with their units; kept: `sum_down`."""
    piece = Piece()
    three = [new_number(piece, modulus) for _ in range(3)]
    piece.given(*(unit for zero in three for unit in zero_units(zero)))
    return named(piece, form, [], down=[piece.lemma(c) for c in sum_down(*three)])


@lru_cache(maxsize=64)
def _row_start(modulus: int, form: Format) -> Named:
    """The lemma for column 0: P_0 above, Q_0 and P_0 are 0, given with their units.

    Those of P_0 above go, and those of Q_0 but "Q_0 = 0".
    """
    piece = Piece()
    above, row, here = (new_number(piece, modulus) for _ in range(3))
    given = piece.given(*(unit for zero in (above, row, here) for unit in zero_units(zero)))
    sums = [piece.lemma(clause) for clause in sum_up(here, above, row)]
    units = len(zero_units(above))
    gone = [*range(given, given + units), *range(given + units + 1, given + 2 * units)]
    return named(piece, form, gone, sums=sums)


@lru_cache(maxsize=64)
def _increment(modulus: int, form: Format, one: bool) -> Named:
    """N = B + x; with `one` exactly one of N, from that of B, of which "at least one" stays.

    Kept: the definition, by kind and v, with `one` upwards only; "exactly one".
    """
    piece = Piece()
    (x,) = piece.variables(1)
    base = new_number(piece, modulus)
    given = exactly_one(base) if one else []
    first = piece.given(*given)
    made = new_number(piece, modulus)
    definition = [piece.define(c) for c in increment_clauses(made, base, x)]
    gone, only = list(range(first + 1, first + len(given))), []
    for clause in exactly_one(made) if one else []:
        gone.append(piece.lemma((*clause, -x)))
        only.append(piece.lemma(clause))
    if one:
        definition, down = definition[: 2 * modulus], definition[2 * modulus :]
        gone += down
    return named(piece, form, gone, definition=definition, one=only)


@lru_cache(maxsize=64)
def _free_link(modulus: int, form: Format) -> Named:
    """What N = B + x is by x, for B = 0: kept x ∨ N = 0 and ¬x ∨ N = 1; the unit "B = 0" goes."""
    piece = Piece()
    (x,) = piece.variables(1)
    base, made = new_number(piece, modulus), new_number(piece, modulus)
    piece.given(*increment_clauses(made, base, x)[: 2 * modulus])
    unit = piece.given((base[0],))
    links = [piece.lemma((made[0], x)), piece.lemma((made[1], -x))]
    return named(piece, form, [unit], links=links)


@lru_cache(maxsize=64)
def _cell(modulus: int, form: Format, pressed: bool) -> Named:
    """P_c^r and the lemma for a cell.

    Inputs: P_{c−1}^{r−1}, P_c^{r−1}, P_{c−1}^r, S_c^{r−1}, Q_{c−1}, and where there is a press
    S_c^r, Q_c and x. Given: `sum_down` of P_c^{r−1}; the lemma for c − 1; exactly one of S_c^r;
    pressed: at least one of S_c^{r−1}, the definitions of S_c^r upwards and of Q_c.
    Kept: `sum_down` of P_c^r, the lemma for c.
    """
    piece = Piece()
    left_above, above, left, column, row = (new_number(piece, modulus) for _ in range(5))
    column_now, row_now, x = column, row, 0
    if pressed:
        column_now, row_now = (new_number(piece, modulus) for _ in range(2))
        (x,) = piece.variables(1)
    given = [*sum_down(above, left_above, column), *sum_up(left, left_above, row)]
    first = piece.given(*given)
    only = piece.given(*exactly_one(column_now))
    at_least = counted = only
    if pressed:
        at_least = piece.given(*exactly_one(column)[:1])
        counted = piece.given(*increment_clauses(column_now, column, x)[: 2 * modulus])
        piece.given(*increment_clauses(row_now, row, x))
    last = piece.givens + 1
    here = new_number(piece, modulus)
    up = [piece.define(c) for c in sum_up(here, left, column_now)]
    down = [piece.define(c) for c in sum_down(here, left, column_now)]
    names = _CellNames(modulus, first, up, at_least, counted if pressed else 0)
    cases: list[int] = []
    sums = []
    for a in range(modulus):
        for b in range(modulus):
            claim = (here[(a + b) % modulus], -above[a], -row_now[b])
            without: list[int] = []  # by s, that the claim holds if S_c^{r−1} = s
            for s in range(modulus):
                case = claim if s == modulus - 1 else (*claim, -column[s])
                if pressed:
                    hints = names.chain(a, b, s, 1, without)
                    cases.append(piece.by_hints((*case, -x), hints))
                    hints = [cases[-1], *names.chain(a, b, s, 0, without)]
                else:
                    hints = names.chain(a, b, s, None, without)
                without.append(piece.by_hints(case, hints))
            sums.append(without.pop())
            cases += without
    gone = [*range(first, only), *(range(at_least, last) if pressed else ()), *up, *cases]
    return named(piece, form, gone, down=down, sums=sums)


@dataclass(frozen=True)
class _CellNames:
    """Where a cell's clauses are: the givens from `first`, P_c^r's definition, and, where a press
    is, that of S_c^r upwards (`counted`) and of Q_c after it."""

    modulus: int
    first: int
    up: list[int]
    at_least: int
    counted: int

    def chain(self, a: int, b: int, s: int, x: int | None, without: list[int]) -> list[int]:
        """Return the hints if P_c^{r−1} = a, Q_c = b, S_c^{r−1} = s and the press is x, if any.

        The last s is what is left when the claim was proved `without` the others.
        """
        m, first = self.modulus, self.first
        hints = list(without) if s == m - 1 else []
        if hints and m > 2:
            hints.append(self.at_least)
        hints.append(first + a * m + s)  # P_{c−1}^{r−1} = a − s
        added = x or 0
        if x is not None:
            low = self.counted + (0 if x else m)
            hints.append(low + (s + added) % m)  # S_c^r = s + x
            rows = self.counted + 2 * m  # Q_{c−1} = b − x; for M = 2 down is up
            place = (0 if x else m) + ((b + 1) % m if m == 2 else 2 * m + b)
            hints.append(rows + place)
        p, q = (a - s) % m, (b - added) % m
        hints.append(first + m * m + p * m + q)  # P_{c−1}^r = p + q
        hints.append(self.up[(p + q) % m * m + (s + added) % m])
        return hints


# ---------------------------------------------------------------------------------------- sweep


@dataclass(eq=False)
class Column:
    """What is known of a column: S_c with "exactly one" and links, P_c with `sum_down`."""

    line: HalvedLine
    number: int
    one: Ints
    links: Ints
    total: int
    down: Ints
    counted: int = 0


class Sweep:
    """The state of the sweep: what was written, the columns, the row above.

    Numbers are named by their first variables, clauses by their ids.
    """

    def __init__(
        self,
        writer: ProofWriter,
        rows: Sequence[HalvedLine],
        columns: Sequence[HalvedLine],
        modulus: int,
    ) -> None:
        self.writer, self.rows, self.modulus = writer, rows, modulus
        self.start, self.start_units, _ = self._zero()  # P_0 of the last row
        self.columns: list[Column] = []
        before, before_units = self.start, self.start_units
        for line in columns:
            column, column_units, one = self._zero(one=True)
            total, units, _ = self._zero()
            _, kept = self._write(
                _zero_sum(modulus, writer.form),
                self._values(total, before, column),
                [units, before_units, column_units],
            )
            self.columns.append(Column(line, column, one, column_units[:1], total, kept["down"]))
            before, before_units = total, units
        self.value, self.known = 0, int(before_units[0])  # P after the last column, the unit's name
        self.total = before

    def run(self, limits: Limits) -> None:
        """Write everything."""
        for row in self.rows:
            limits.check()
            self._row(row)
        self._end()

    def _row(self, line: HalvedLine) -> None:
        """Count a row, then go along it."""
        modulus = self.modulus
        row, row_units, _ = self._zero()
        left, left_units, _ = self._zero()
        _, kept = self._write(
            _row_start(modulus, self.writer.form),
            self._values(self.start, row, left),
            [self.start_units, row_units, left_units],
        )
        sums, above = kept["sums"], self.start
        self.start, self.start_units = left, left_units
        counts = [row]
        definitions: list[Ints] = []
        links = row_units[:1]
        for k, colour in enumerate(line.colours):
            count, kept = self._increment(colour, counts[-1])
            links = self._link(line, k, counts[-1], count, kept["definition"], links)
            counts.append(count)
            definitions.append(kept["definition"])
        k = 0
        for c, column in enumerate(self.columns):
            colour = line.colours[k] if k < len(line.places) and line.places[k] == c else 0
            inputs = [above, column.total, left, column.number, counts[k]]
            givens = [column.down, sums]
            above = column.total
            if colour:
                at_least, up = column.one[:1], self._count(column, colour)
                inputs += [column.number, counts[k + 1]]
                givens += [column.one, at_least, up, definitions[k]]
                k += 1
            else:
                givens.append(column.one)
            values = self._values(*inputs)
            left, kept = self._write(
                _cell(modulus, self.writer.form, colour != 0),
                np.append(values, colour) if colour else values,
                givens,
            )
            column.total, column.down, sums = left, kept["down"], kept["sums"]
        self.total = left
        self._close(line, counts[-1], links, above, sums)

    def _close(self, line: HalvedLine, count: int, links: Ints, above: int, sums: Ints) -> None:
        """Add a row to P = `value`: from P in the row above, and what the row counts to."""
        modulus = self.modulus
        hints = [self.known, int(links[0]), int(sums[self.value * modulus + line.half % modulus])]
        self.value = (self.value + line.half) % modulus
        self.known = self.writer.lemma((number(self.total, modulus)[self.value],), hints)

    def _end(self) -> None:
        """Take the sums of the columns from P, from the last to the first: not 0 is left."""
        modulus, value, known = self.modulus, self.value, self.known
        totals = [self.start, *(column.total for column in self.columns)]
        for c in reversed(range(len(self.columns))):
            column = self.columns[c]
            half = column.line.half % modulus
            hints = [known, int(column.links[0]), int(column.down[value * modulus + half])]
            value = (value - half) % modulus
            if c:
                known = self.writer.lemma((number(totals[c], modulus)[value],), hints)
            else:  # P_0 = value clashes with a unit
                hints.append(int(self.start_units[value if modulus > 2 else 0]))
                self.writer.lemma((), hints)

    def _count(self, column: Column, colour: int) -> Ints:
        """Count one press more in a column; return the definition upwards."""
        count, kept = self._increment(colour, column.number, column.one)
        links = (column.number, count, kept["definition"], column.links)
        column.links = self._link(column.line, column.counted, *links)
        column.number, column.one = count, kept["one"]
        column.counted += 1
        return kept["definition"]

    # ---------------------------------------------------------------------------------- pieces

    def _zero(self, one: bool = False) -> tuple[int, Ints, Ints]:
        """Write a number that is 0; return it, its units, and "exactly one" of it."""
        made, kept = self._write(_zero(self.modulus, self.writer.form, one), NONE, [])
        return made, kept["units"], kept["one"]

    def _increment(self, x: int, base: int, one: Ints | None = None) -> tuple[int, dict[str, Ints]]:
        """Write N = base + x; return N."""
        template = _increment(self.modulus, self.writer.form, one is not None)
        return self._write(template, np.append(x, self._values(base)), [] if one is None else [one])

    def _link(
        self, line: HalvedLine, k: int, base: int, made: int, definition: Ints, links: Ints
    ) -> Ints:
        """Write the links of the number after k + 1 presses of a line; return them."""
        if line.free:
            template = _free_link(self.modulus, self.writer.form)
            inputs = np.append(line.colours[k], self._values(base, made))
            given = [definition[: 2 * self.modulus], links]
            return self._write(template, inputs, given)[1]["links"]
        step = steps(len(line.colours), self.modulus, self.writer.form)[k]
        values = [
            np.array([line.colours[k]]),
            self._values(base, made),
            line.auxiliaries[step.auxiliaries],
        ]
        givens = [definition[: 2 * self.modulus], line.clauses[step.clauses], links]
        _, name = self.writer.instance(
            step.template, np.concatenate(values), np.concatenate(givens)
        )
        return step.links + name

    def _values(self, *numbers: int) -> Ints:
        """Return the variables of some numbers."""
        firsts = np.array(numbers, dtype=np.int64)
        return (firsts[:, None] + np.arange(width(self.modulus))).reshape(-1)

    def _write(
        self, named: Named, values: Ints, givens: Sequence[Ints]
    ) -> tuple[int, dict[str, Ints]]:
        """Write a template; return its first new variable, and what it leaves behind."""
        given = np.concatenate(givens) if givens else NONE
        variable, name = self.writer.instance(named.template, values, given)
        return variable, {use: names + name for use, names in named.kept.items()}
