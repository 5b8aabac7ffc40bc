"""Proofs in clauses: pieces that are worked out once and written many times, LRAT or DRAT.

Idea. A proof says the same thing at every cell of a board, about other variables and clauses. So a
piece is built once, about variables 1, 2, … and clauses 1, 2, … of its own. These are clauses that
are *given*, extension clauses that *define* a new variable, their first literal (RAT), and *lemmas*
by unit propagation (RUP), which also finds the hints. `Template` is the piece as one format string
and the places of its numbers: writing it for others is one `%`, 0.1 µs a number.

    ⟨id⟩ ⟨literals⟩ 0 ⟨hints⟩ 0         a lemma; DRAT: ⟨literals⟩ 0
    ⟨id⟩ d ⟨ids⟩ 0                      deletions; DRAT: d ⟨literals⟩ 0, one clause a line

Reference. L. Cruz-Filipe, M. Heule, W. Hunt, M. Kaufmann, P. Schneider-Kamp, "Efficient certified
RAT verification", CADE 2017; theory §6.6. Cost. Linear, after O(lemmas · clauses) a piece.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import IO, Literal, TypeAlias

import numpy as np

from ponder.system.types import Ints

Format: TypeAlias = Literal["lrat", "drat"]
Clause: TypeAlias = tuple[int, ...]

_LINES = 1 << 18  # characters between two writes


@dataclass(frozen=True)
class LemmaStep:
    """A lemma of a piece: its id, its literals, its hints as LRAT has them."""

    name: int
    literals: Clause
    hints: tuple[int, ...]


class Piece:
    """A piece under construction. Variables and clauses are numbered from 1, given ones first.

    >>> piece = Piece()
    >>> x, y = piece.variables(2)
    >>> either = piece.given((x, y))
    >>> (z,) = piece.variables(1)
    >>> piece.define((z, -x)), piece.define((z, -y)), piece.define((-z, x, y))
    (2, 3, 4)
    >>> piece.lemma((z,)), piece.lemmas[-1].hints
    (5, (2, 3, 1))
    """

    def __init__(self) -> None:
        self.inputs: int = 0
        self.news: int = 0
        self.clauses: dict[int, Clause] = {}
        self.givens: int = 0
        self._closed = False
        self.lemmas: list[LemmaStep] = []
        self._names: dict[frozenset[int], int] = {}
        self._with: dict[int, list[int]] = {}
        self._units: list[int] = []

    def variables(self, count: int) -> range:
        """Number some variables: inputs before the first call of `given`, then new ones."""
        first = self.inputs + self.news + 1
        if self._closed:
            self.news += count
        else:
            self.inputs += count
        return range(first, first + count)

    def given(self, *clauses: Clause) -> int:
        """Add clauses that stand already, before all others; return the name of the first."""
        first = len(self.clauses) + 1
        self._closed = True
        for clause in clauses:
            self._add(clause)
        self.givens = len(self.clauses)
        return first

    def define(self, clause: Clause) -> int:
        """Add a clause that is RAT on its first literal, unless it stands there already."""
        known = self._names.get(frozenset(clause))
        if known is not None:
            return known
        # for every clause with the negated first literal LRAT wants its id, negated, and then the
        # hints for the union of both; as the variable is new, those clauses are in the piece
        hints: list[int] = []
        for partner in self._with.get(-clause[0], ()):
            rest = [-x for x in self.clauses[partner] if x != -clause[0]]
            assumed = [-x for x in clause] + rest
            hints.append(-partner)
            if not any(-x in rest for x in (-x for x in clause[1:])):
                hints += self._propagate(assumed)
        return self.by_hints(clause, hints)

    def lemma(self, clause: Clause) -> int:
        """Add a clause that is RUP, unless it stands there already."""
        known = self._names.get(frozenset(clause))
        if known is not None:
            return known
        return self.by_hints(clause, self._propagate([-x for x in clause]))

    def by_cases(self, clauses: Iterable[Clause], x: int, cases: list[int]) -> list[int]:
        """Add clauses that are RUP once they are shown with ¬x; the names of those to `cases`."""
        found = []
        for clause in clauses:
            cases.append(self.lemma((*clause, -x)))
            found.append(self.lemma(clause))
        return found

    def by_hints(self, clause: Clause, hints: Iterable[int]) -> int:
        """Add a clause whose hints are known."""
        name = self._add(clause)
        self.lemmas.append(LemmaStep(name, clause, tuple(hints)))
        return name

    def _add(self, clause: Clause) -> int:
        name = len(self.clauses) + 1
        self.clauses[name] = clause
        self._names.setdefault(frozenset(clause), name)
        if len(clause) == 1:
            self._units.append(name)
        for literal in clause:
            self._with.setdefault(literal, []).append(name)
        return name

    def _propagate(self, assumed: Sequence[int]) -> list[int]:
        """Return the clauses that become unit, and last the falsified one; no others."""
        reason: dict[int, int] = {}
        trail: list[int] = []

        def settle(literal: int, why: int) -> None:
            if literal not in reason:
                reason[literal] = why
                trail.append(literal)

        def look(name: int) -> bool:
            left = [x for x in self.clauses[name] if -x not in reason]
            if not left:
                return True
            if len(left) == 1:
                settle(left[0], name)
            return False

        for literal in assumed:
            settle(literal, 0)
        falsified = next((n for n in self._units if look(n)), 0)
        for literal in trail:  # grows while it is read
            if falsified:
                break
            falsified = next((n for n in self._with.get(-literal, ()) if look(n)), 0)
        if not falsified:
            raise RuntimeError("internal error: a lemma that unit propagation does not prove")
        needed = {falsified}
        for literal in reversed(trail):
            why = reason[literal]
            if why and any(-literal in self.clauses[name] for name in needed):
                needed.add(why)
        return [reason[x] for x in trail if reason[x] in needed] + [falsified]


class Template:
    """A piece as a format string, at whose end the clauses `gone` are deleted, but none `kept`.

    `news` variables and `lemmas` clauses are new; `kept` are names of new clauses, from 0, by use.
    """

    def __init__(
        self, piece: Piece, form: Format, gone: Iterable[int] = (), **kept: Sequence[int]
    ) -> None:
        self.news: int = piece.news
        self.lemmas: int = len(piece.lemmas)
        first = piece.givens + 1
        self.kept: dict[str, Ints] = {
            use: np.array(names, dtype=np.int64) - first for use, names in kept.items()
        }
        values, last = piece.inputs + piece.news, len(piece.clauses) + 1
        lines: list[str] = []
        places: list[int] = []  # in the pool: values, their negations, names

        def literal(x: int) -> int:
            return x - 1 if x > 0 else values - x - 1

        def name(i: int) -> int:
            return 2 * values + i - 1

        for lemma in piece.lemmas:
            body = "%d " * len(lemma.literals) + "0"
            if form == "lrat":
                signs = "".join("%d " if hint > 0 else "-%d " for hint in lemma.hints)
                lines.append(f"%d {body} {signs}0\n")
                places.append(name(lemma.name))
                places += map(literal, lemma.literals)
                places += [name(abs(hint)) for hint in lemma.hints]
            else:
                lines.append(f"{body}\n")
                places += map(literal, lemma.literals)
        gone = sorted(set(gone).difference(*kept.values()))
        if gone and form == "lrat":
            lines.append(f"%d d {'%d ' * len(gone)}0\n")
            places += [name(last), *map(name, gone)]
        elif gone:
            for i in gone:
                lines.append(f"d {'%d ' * len(piece.clauses[i])}0\n")
                places += map(literal, piece.clauses[i])
        self._text = "".join(lines)
        self._places = np.array(places, dtype=np.int64)

    def write(self, inputs: Ints, first_new: int, givens: Ints, first_name: int) -> str:
        """Return the lines for these inputs (literals), new variables, given and new clauses."""
        values = np.concatenate([inputs, np.arange(first_new, first_new + self.news)])
        names = np.arange(first_name, first_name + self.lemmas)
        last = [first_name + self.lemmas - 1]
        pool = np.concatenate([values, -values, givens, names, last])
        return self._text % tuple(pool[self._places].tolist())


class ProofWriter:
    """Numbers lemmas and new variables, and writes them."""

    def __init__(self, file: IO[bytes], form: Format, variables: int, clauses: int) -> None:
        self.form = form
        self.variable: int = variables + 1  # the next one
        self.name: int = clauses + 1  # the next one
        self.lemmas: int = 0
        self._file = file
        self._lines: list[str] = []
        self._held = 0

    def instance(
        self, template: Template, inputs: Ints, *givens: Ints
    ) -> tuple[int, dict[str, Ints]]:
        """Write a template; return its first new variable, and the clauses that it keeps."""
        variable, name = self.variable, self.name
        given = np.concatenate([*givens, np.zeros(0, dtype=np.int64)])
        self._put(template.write(inputs, variable, given, name))
        self.variable += template.news
        self.name += template.lemmas
        self.lemmas += template.lemmas
        return variable, {use: names + name for use, names in template.kept.items()}

    def lemma(self, clause: Clause, hints: Iterable[int]) -> int:
        """Write one lemma."""
        words = " ".join(map(str, (*clause, 0)))
        if self.form == "lrat":
            words = f"{self.name} {words} {' '.join(map(str, (*hints, 0)))}"
        self._put(words + "\n")
        self.name += 1
        self.lemmas += 1
        return self.name - 1

    def new_variable(self) -> int:
        """Return a variable that nothing has used."""
        self.variable += 1
        return self.variable - 1

    def delete(self, clauses: Iterable[tuple[int, Clause]]) -> None:
        """Delete clauses, given by their names and literals."""
        gone = list(clauses)
        if self.form == "drat":
            self._put("".join(f"d {' '.join(map(str, (*clause, 0)))}\n" for _, clause in gone))
        elif gone:
            self._put(f"{self.name - 1} d {' '.join(str(name) for name, _ in gone)} 0\n")

    def close(self) -> None:
        """Hand over what is held; the file stays open."""
        self._file.write("".join(self._lines).encode("ascii"))
        self._lines, self._held = [], 0

    def _put(self, text: str) -> None:
        self._lines.append(text)
        self._held += len(text)
        if self._held > _LINES:
            self.close()
