"""Formulas as solvers take them, flat arrays of literals, and what solvers put out.

The output of a solver is one of three forms:

    competition   `s SATISFIABLE`, `s UNSATISFIABLE` or `s UNKNOWN`; the model in `v` lines, as
                  many as the solver likes, with a 0 after the last literal; `c` lines are remarks
    minisat       the result file: `SAT`, `UNSAT` or `INDET`, then the model and a 0, without `v`
    OPB           as the first, with `x1 -x2` in the `v` lines and no 0: that all variables occur
                  shows that none was cut off

Nothing is guessed: an output that is cut short, contradicts itself, or leaves a variable out is a
`SolverError`, never an answer. Cost: linear; text takes about 0.2 µs a literal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import IO, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ponder.model.ordering_problem import Unknown
from ponder.system.errors import SolverError
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, indices

Literals: TypeAlias = NDArray[np.int32]
Clauses: TypeAlias = "Iterable[Sequence[int] | NDArray[np.integer]]"

_CHUNK = 1 << 16  # clauses written as Python objects at a time


@dataclass(frozen=True, eq=False)
class Formula:
    """A CNF formula. `literals` holds the clauses, a 0 after each.

    >>> formula = Formula.from_clauses(3, [[1, -2], [3]])
    >>> formula.literals.tolist(), formula.size, list(formula)
    ([1, -2, 0, 3, 0], 2, [[1, -2], [3]])
    """

    nvars: int
    literals: Literals

    @classmethod
    def from_clauses(cls, nvars: int, clauses: Clauses) -> Formula:
        """Make a formula of clauses or arrays. Raises ValueError for a literal 0 or > `nvars`."""
        pieces: list[Literals] = []
        loose: list[int] = []
        for item in clauses:
            if isinstance(item, np.ndarray) and item.ndim == 2:
                closed = np.zeros((item.shape[0], item.shape[1] + 1), dtype=np.int32)
                closed[:, :-1] = item
                pieces += [np.array(loose, dtype=np.int32), closed.ravel()]
                loose, zeros = [], item.size - int(np.count_nonzero(item))
            else:
                clause = [int(x) for x in item]
                loose += [*clause, 0]
                zeros = clause.count(0)
            if zeros:
                raise ValueError("a clause has a literal 0")
        literals = np.concatenate([*pieces, np.array(loose, dtype=np.int32)])
        if literals.size and max(int(literals.max()), -int(literals.min())) > nvars:
            raise ValueError(f"a literal is beyond the {nvars} variables of the formula")
        return cls(nvars, literals)

    def extended(self, clauses: Clauses) -> Formula:
        """Return this formula with some more clauses at its end."""
        more = Formula.from_clauses(self.nvars, clauses)
        return Formula(self.nvars, np.concatenate([self.literals, more.literals]))

    def write(self, file: IO[bytes], limits: Limits = NEVER) -> None:
        """Write the formula as DIMACS CNF. Raises TimeUp if the time is up."""
        file.write(b"p cnf %d %d\n" % (self.nvars, self.size))
        for part in limits.over(np.split(self.literals, self.ends[_CHUNK - 1 :: _CHUNK] + 1), 1):
            text = " ".join([str(x) if x else "0\n" for x in part.tolist()])
            file.write(text.replace("\n ", "\n").encode("ascii"))

    @cached_property
    def ends(self) -> NDArray[np.int64]:
        """Where each clause's 0 stands in `literals`."""
        return np.flatnonzero(self.literals == 0)

    @property
    def size(self) -> int:
        """The number of clauses."""
        return int(self.ends.size)

    def __iter__(self) -> Iterator[list[int]]:
        start = 0
        for end in self.ends.tolist():
            yield self.literals[start:end].tolist()
            start = end + 1

    @cached_property
    def unused(self) -> Bits:
        """Whether variable v is in no clause, at index v."""
        unused = np.ones(self.nvars + 1, dtype=np.bool_)
        unused[np.abs(self.literals)] = False
        return unused

    def falsified(self, model: Literals) -> int | None:
        """Return the first clause without a true literal, or None. `model`: v or −v for each v."""
        if not self.size:
            return None
        value = np.zeros(self.nvars + 1, dtype=np.bool_)
        value[1:] = model > 0
        true = (value[np.abs(self.literals)] == (self.literals > 0)) & (self.literals != 0)
        starts = np.concatenate([[0], self.ends[:-1] + 1])
        holds = np.logical_or.reduceat(true, indices(starts))
        return None if holds.all() else int(np.argmin(holds))


@dataclass(frozen=True, eq=False)
class Sat:
    """The formula has a model: `literals[v - 1]` is v or −v."""

    literals: Literals

    @cached_property
    def values(self) -> Bits:
        """Whether variable v is true, at index v; index 0 is unused."""
        return np.concatenate([[False], self.literals > 0])


@dataclass(frozen=True, eq=False)
class Unsat:
    """The solver says that there is no model. `proof`: its LRAT or DRAT, or None."""

    proof: bytes | None = None


Outcome: TypeAlias = "Sat | Unsat | Unknown"

_STATUS = {
    **dict.fromkeys(("SATISFIABLE", "SAT", "OPTIMUM FOUND"), "SAT"),
    **dict.fromkeys(("UNSATISFIABLE", "UNSAT"), "UNSAT"),
    **dict.fromkeys(("UNKNOWN", "INDETERMINATE", "INDET"), "UNKNOWN"),
}


def parse_solver_output(
    text: str, nvars: int, source: str = "solver output", unused: Bits | None = None
) -> Outcome:
    """Read a solver's output about a formula of `nvars` variables.

    `unused` tells for each variable, at index v, whether it is in no clause (`Formula.unused`):
    minisat leaves such variables out; they are made false. No other may be left out. Whether the
    model satisfies the formula is for the caller to check. A solver that prints nothing, or
    `c UNKNOWN` alone, gave up. A list of integers is a model, as python-sat returns it.

    Raises SolverError, in one line that begins with `source`, when it is no answer: no or
    contradictory status, a model that is missing, unfinished, contradictory, incomplete or of
    another formula.
    """
    try:
        return _parsed(text.removeprefix("\ufeff").strip(), nvars, unused)
    except ValueError as error:
        raise SolverError(f"{source}: {error}") from None


def _parsed(text: str, nvars: int, unused: Bits | None) -> Outcome:
    if re.fullmatch(r"\[[-\d\s,]*\]", text):
        text = f"s SATISFIABLE\nv {' '.join(text[1:-1].replace(',', ' ').split())} 0"
    statuses: set[str] = set()
    words: list[str] = []  # of the model
    bare = False  # minisat's result file: the model's lines have no `v`
    for line in map(str.split, text.splitlines()):
        status = " ".join(line[1:]) if line[:1] == ["s"] else " ".join(line)
        if line[:1] == ["v"]:
            words += line[1:]
        elif status in _STATUS:
            statuses.add(_STATUS[status])
            bare |= line[0] != "s"
        elif line[:1] == ["s"]:
            raise ValueError(f"unknown status {status[:40]!r}")
        elif bare and line and line[0].lstrip("-").isdigit():
            words += line
        # Anything else is chatter: minisat and others print statistics without a `c`.
    remarks = [line for line in text.splitlines() if line[:2] == "c "]
    if not statuses and (not text or any("UNKNOWN" in line.split() for line in remarks)):
        return Unknown("the solver gave up" if text else "the solver printed nothing")
    if not statuses:
        raise ValueError("no status line ('s SATISFIABLE', 's UNSATISFIABLE', …)")
    if len(statuses) > 1:
        raise ValueError(f"contradictory status lines: {' and '.join(sorted(statuses))}")
    if statuses == {"SAT"}:
        if any("x" in word for word in words):  # of a pseudo-Boolean solver
            words = [*(word.replace("x", "", 1) for word in words), "0"]
        return Sat(_model(words, nvars, unused))
    if words:
        raise ValueError(f"contradictory: a model, but the status is {statuses.pop()}")
    return Unsat() if statuses == {"UNSAT"} else Unknown("the solver gave up")


def _model(words: list[str], nvars: int, unused: Bits | None) -> Literals:
    """Return the literals of a model in the order of the variables. Raises ValueError."""
    if not words:
        raise ValueError("satisfiable, but there is no model")
    try:
        numbers = np.array([int(word) for word in words], dtype=np.int64)
    except (ValueError, OverflowError):
        raise ValueError("the model has a word that is not a literal") from None
    literals = numbers[:-1]
    if numbers[-1] or not literals.all():
        raise ValueError("the model is not ended by a 0: it was cut short, or goes on after it")
    largest = max(int(literals.max(initial=0)), -int(literals.min(initial=0)))
    if largest > nvars:  # before abs, which leaves −2^63 as it is
        raise ValueError(
            f"a model with variable {largest}, but the formula has {nvars}: "
            "does it belong to another formula?"
        )
    variables = np.abs(literals)  # a literal and its negation must not both occur
    value = np.zeros(nvars + 1, dtype=np.int32)
    value[variables] = literals
    clash = literals != value[variables]
    if clash.any():
        raise ValueError(f"the model has both {variables[clash][0]} and its negation")
    if unused is not None:
        value = np.where(unused & (value == 0), -np.arange(nvars + 1, dtype=np.int32), value)
    missing = np.flatnonzero(value[1:] == 0)
    if missing.size:
        first = f"variable {missing[0] + 1} first"
        raise ValueError(f"the model leaves {missing.size} of {nvars} variables out, {first}")
    return value[1:]
