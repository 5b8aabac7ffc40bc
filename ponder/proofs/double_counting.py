"""Counting the presses of colour 1 twice, along the rows and down the columns (theory §6.6).

Every line holds a known number of presses of colour 1, and the two sums over rows and columns
differ modulo M. Letters, all numbers modulo M, for rows r and columns c that have presses: x, the
press at (r, c) has colour 1; Q_c, the number of such presses in row r up to column c; S_c^r, that
in column c down to row r; P_c^r = P_{c−1}^r + S_c^r, that in columns up to c, down to row r.

At every cell stand the M² clauses P_c^{r−1} = a ∧ Q_c = b → P_c^r = a + b, which go when the sweep
leaves it; those of P_c^r and S_c^r stay for the next row. The columns lead to the empty clause.

Cost. A press takes 2·M³ + 2·M² + 9·M + M² lemmas about, another cell M³ + 2·M²; M = 2: 24 + links
and 12. A checker holds O(M²·columns) clauses besides the formula.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ponder.proofs import sweep_pieces as pieces
from ponder.proofs.halved_lines import HalvedLine, steps
from ponder.proofs.lemma_templates import ProofWriter
from ponder.system.limits import Limits
from ponder.system.types import Ints

Lines: TypeAlias = Sequence[HalvedLine]

NONE: Ints = np.zeros(0, dtype=np.int64)


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

    def __init__(self, writer: ProofWriter, rows: Lines, columns: Lines, modulus: int) -> None:
        self.writer = writer
        self.rows = rows
        self.modulus = modulus
        self.start, self.start_units, _ = self._zero()  # P_0 of the last row
        self.columns: list[Column] = []
        before, before_units = self.start, self.start_units
        for line in columns:
            column, column_units, one = self._zero(one=True)
            total, units, _ = self._zero()
            template = pieces.zero_sum(modulus, writer.form)
            values = self._values(total, before, column)
            _, kept = writer.instance(template, values, units, before_units, column_units)
            self.columns.append(Column(line, column, one, column_units[:1], total, kept["down"]))
            before, before_units = total, units
        self.value: int = 0  # P after the last column
        self.known: int = int(before_units[0])  # the unit's name
        self.total: int = before

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
        template = pieces.row_start(modulus, self.writer.form)
        values = self._values(self.start, row, left)
        _, kept = self.writer.instance(template, values, self.start_units, row_units, left_units)
        sums, above = kept["sums"], self.start
        self.start, self.start_units = left, left_units
        # count the presses of colour 1 along the row, and link that with its counter
        counts = [row]
        definitions: list[Ints] = []
        links = row_units[:1]
        for k, colour in enumerate(line.colours):
            count, kept = self._increment(colour, counts[-1])
            links = self._link(line, k, counts[-1], count, kept["definition"], links)
            counts.append(count)
            definitions.append(kept["definition"])
        k = 0  # sweep along the row: the total so far, cell by cell
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
            values = np.append(self._values(*inputs), [colour] if colour else NONE)
            template = pieces.cell(modulus, self.writer.form, colour != 0)
            left, kept = self.writer.instance(template, values, *givens)
            column.total, column.down, sums = left, kept["down"], kept["sums"]
        self.total = left
        self._close(line, counts[-1], links, above, sums)

    def _close(self, line: HalvedLine, count: int, links: Ints, above: int, sums: Ints) -> None:
        """Add a row to P = `value`: from P in the row above, and what the row counts to."""
        modulus = self.modulus
        hints = [self.known, int(links[0]), int(sums[self.value * modulus + line.half % modulus])]
        self.value = (self.value + line.half) % modulus
        self.known = self.writer.lemma((pieces.number(self.total, modulus)[self.value],), hints)

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
                known = self.writer.lemma((pieces.number(totals[c], modulus)[value],), hints)
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

    def _zero(self, one: bool = False) -> tuple[int, Ints, Ints]:
        """Write a number that is 0; return it, its units, and "exactly one" of it."""
        template = pieces.zero_number(self.modulus, self.writer.form, one)
        made, kept = self.writer.instance(template, NONE)
        return made, kept["units"], kept["one"]

    def _increment(self, x: int, base: int, one: Ints | None = None) -> tuple[int, dict[str, Ints]]:
        """Write N = base + x; return N."""
        template = pieces.increment(self.modulus, self.writer.form, one is not None)
        inputs = np.append(x, self._values(base))
        return self.writer.instance(template, inputs, NONE if one is None else one)

    def _link(
        self, line: HalvedLine, k: int, base: int, made: int, definition: Ints, links: Ints
    ) -> Ints:
        """Write the links of the number after k + 1 presses of a line; return them."""
        up, form = definition[: 2 * self.modulus], self.writer.form
        inputs = np.append(line.colours[k], self._values(base, made))
        if line.free:
            template = pieces.free_link(self.modulus, form)
            return self.writer.instance(template, inputs, up, links)[1]["links"]
        step = steps(len(line.colours), self.modulus, form)[k]
        inputs = np.concatenate([inputs, line.auxiliaries[step.auxiliaries]])
        own = line.clauses[step.clauses]
        return self.writer.instance(step.template, inputs, up, own, links)[1]["links"]

    def _values(self, *numbers: int) -> Ints:
        firsts = np.array(numbers, dtype=np.int64)
        return (firsts[:, None] + np.arange(pieces.width(self.modulus))).reshape(-1)
