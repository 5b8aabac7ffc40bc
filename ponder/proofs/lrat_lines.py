"""Lines of an LRAT proof that is being written: lemmas and new variables get their numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO, TypeAlias

Clause: TypeAlias = tuple[int, ...]

_HELD = 1 << 18  # characters between two writes


class LratWriter:
    """Numbers lemmas and new variables, and writes them."""

    def __init__(self, file: IO[bytes], variables: int, clauses: int) -> None:
        self.variable: int = variables + 1  # the next one
        self.name: int = clauses + 1  # the next one
        self.lemmas: int = 0
        self._file = file
        self._lines: list[str] = []
        self._held = 0

    def lemma(self, clause: Clause, hints: Iterable[int]) -> int:
        """Write one lemma; return its number."""
        self._put(f"{self.name} {' '.join(map(str, (*clause, 0, *hints, 0)))}\n")
        self.name += 1
        self.lemmas += 1
        return self.name - 1

    def new_variable(self) -> int:
        """Return a variable that nothing has used."""
        self.variable += 1
        return self.variable - 1

    def delete(self, names: Iterable[int]) -> None:
        """Delete clauses."""
        if text := " ".join(map(str, names)):
            self._put(f"{self.name - 1} d {text} 0\n")

    def close(self) -> None:
        """Hand over what is held; the file stays open."""
        self._file.write("".join(self._lines).encode("ascii"))
        self._lines, self._held = [], 0

    def _put(self, text: str) -> None:
        self._lines.append(text)
        self._held += len(text)
        if self._held > _HELD:
            self.close()
