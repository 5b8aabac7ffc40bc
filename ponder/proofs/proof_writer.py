"""The proof as it goes to its file: LRAT with hints, or DRAT without.

    ⟨id⟩ ⟨literals⟩ 0 ⟨hints⟩ 0         a lemma; DRAT: ⟨literals⟩ 0
    ⟨id⟩ d ⟨ids⟩ 0                      deletions; DRAT: d ⟨literals⟩ 0, one clause a line

Ids continue those of the formula's clauses, which DIMACS numbers from 1 in the order of the file;
new variables continue those of the formula. Nothing is held but some lines.

>>> import io
>>> file = io.BytesIO()
>>> writer = ProofWriter(file, "lrat", variables=2, clauses=4)
>>> one = writer.lemma((1,), (1, 2))
>>> writer.lemma((), (one, 3, 4))
6
>>> writer.close()
>>> file.getvalue()
b'5 1 0 1 2 0\\n6 0 5 3 4 0\\n'
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import IO

import numpy as np

from ponder.proofs.lemma_templates import Clause, Format, Template
from ponder.types import Ints

_LINES = 1 << 18  # characters between two writes


class ProofWriter:
    """Numbers lemmas and new variables, and writes them."""

    def __init__(self, file: IO[bytes], form: Format, variables: int, clauses: int) -> None:
        self.form = form
        self.variable, self.name = variables + 1, clauses + 1  # the next ones
        self.lemmas = 0
        self._file = file
        self._lines: list[str] = []
        self._held = 0

    def instance(
        self, template: Template, inputs: Sequence[int] | Ints, givens: Iterable[int] | Ints
    ) -> tuple[int, int]:
        """Write a template; return its first new variable and its first new clause."""
        variable, name = self.variable, self.name
        given = np.fromiter(givens, dtype=np.int64)
        self._put(template.write(np.asarray(inputs, dtype=np.int64), variable, given, name))
        self.variable += template.news
        self.name += template.lemmas
        self.lemmas += template.lemmas
        return variable, name

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
