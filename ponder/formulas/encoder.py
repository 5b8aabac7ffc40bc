"""Encoders: the ordering problem as a formula or a CP-SAT model, and what a solution says.

    problem, options ──► encode ──► Cnf     ──► (a SAT solver)  ──► read ──► Reading
                         model  ──► CpModel ──► (CP-SAT)        ──► read ──► Reading

An encoder says what must hold; it never solves. All decide the same question, so all must agree.
Each is one file in `encodings/`. A `Reading` is what the variables mean, without a step of
reasoning; `ponder.find.solvers.decoding` makes an order of it and checks that. Raises `TimeUp` and
`NeedsMemory` as `ponder.formulas.cnf` does.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import ClassVar, TypeAlias
from urllib.parse import quote

import numpy as np

from ponder.formulas.cnf import Cnf, Size
from ponder.model.board import Board
from ponder.model.ordering_problem import Order, OrderingProblem
from ponder.system.errors import PonderError, meant
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints, Label

PressName: TypeAlias = Callable[[int], str]

CONFLICTS = 2000  # a first attempt of a SAT solver ends after these; they take some 50 ms


@dataclass(frozen=True)
class Option:
    """One option: a word out of `choices`, or a whole number from `least` to `most`."""

    name: str
    default: str | int
    help: str
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = 10**9 - 1

    def parse(self, text: str) -> str | int:
        """Return the value of `text`. Raises PonderError that says what is allowed."""
        if self.choices:
            if text in self.choices:
                return text
            known, hint = ", ".join(self.choices), meant(text, self.choices)
            raise PonderError(f"{self.name}={text!r} is not a choice; known: {known}{hint}")
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1
        if not self.least <= number <= self.most:
            raise PonderError(
                f"{self.name}={text[:40]!r} is not a whole number from {self.least} to {self.most}"
            )
        return number


@dataclass(frozen=True)
class Options:
    """The value of every option of one encoder."""

    values: Mapping[str, str | int]
    named: frozenset[str] = frozenset()  # those that were asked for by name
    conflicts: int | None = None  # of a first attempt: then a solver gives up; only an order counts

    def with_usual(self, **usual: str | int) -> Options:
        """Return these options with other values for those that were not asked for."""
        asked = {name: self.values[name] for name in self.named}
        return replace(self, values={**self.values, **usual, **asked})

    def word(self, name: str) -> str:
        """Return an option that is a word."""
        return str(self.values[name])

    def number(self, name: str) -> int:
        """Return an option that is a number."""
        return int(self.values[name])

    def __str__(self) -> str:
        return " ".join(f"{name}={value}" for name, value in self.values.items())


@dataclass(frozen=True, eq=False)
class Directions:
    """Which edges {u, v} of H, u < v, lead from u to v: u is pressed before v. One bit an edge."""

    forward: Bits


@dataclass(frozen=True, eq=False)
class Colours:
    """The presses of colour 1, half of every line of a row/column board. One bit a press."""

    chosen: Bits


Reading: TypeAlias = "Ints | Directions | Colours"  # vertices in play order, or what implies one


class Coder(ABC):
    """What formulas and CP-SAT models have in common: a name, options, what "no" means."""

    name: ClassVar[str]
    summary: ClassVar[str]  # what it is good for
    spec: ClassVar[tuple[Option, ...]] = ()

    def options(self, settings: Iterable[str] = ()) -> Options:
        """Parse `key=value` strings; what is not named has its default."""
        known = {option.name: option for option in self.spec}
        values = {option.name: option.default for option in self.spec}
        named = set()
        for setting in settings:
            key, equals, text = setting.partition("=")
            if not equals:
                raise PonderError(f"{setting!r} is not an option: write key=value")
            if key not in known:
                names, hint = ", ".join(known) or "none", meant(key, known)
                raise PonderError(f"{self.name} has no option {key!r}; known: {names}{hint}")
            values[key] = known[key].parse(text)
            named.add(key)
        return Options(values, frozenset(named))

    @abstractmethod
    def size(self, problem: OrderingProblem, options: Options, limits: Limits = NEVER) -> Size:
        """Return the numbers of variables, constraints, and literals (0 for CP-SAT)."""

    def refutes(self, problem: OrderingProblem, options: Options) -> bool:
        """Whether "unsatisfiable" proves that there is no order."""
        return True

    def schedule(
        self, problem: OrderingProblem, options: Options, limits: Limits = NEVER
    ) -> Iterator[Options]:
        """Yield the options to try, in turn, until there is an order; the last of them refutes."""
        yield options

    def describe(
        self, problem: OrderingProblem, options: Options, board: Board | None = None
    ) -> list[str]:
        """Return the header lines that name the board, the encoding, its options, the presses.

        Equal lines and an equal version of ponder mean the same formula, variable by variable.
        """
        digest = sha256(np.ascontiguousarray(problem.bulbs, dtype="<i8").tobytes())
        digest.update(np.packbits(problem.odd).tobytes())
        for more in (problem.fixed, problem.heard):
            digest.update(b"" if more is None else np.ascontiguousarray(more).tobytes())
        lines = []
        if board is not None:
            puzzle = f"pattern {board.graph.pattern}, rule {board.rule}, goal {board.goal_name}"
            lines.append(f"board sha256 {board.sha256}: {puzzle}")
        lines.append(f"encoding {self.name} {options}".rstrip())
        lines.append(f"presses {problem.size} sha256 {digest.hexdigest()}")
        if not self.refutes(problem, options):
            lines.append("unsatisfiable refutes nothing: the horizon is shorter than it may need")
        return lines


class Encoder(Coder):
    """Makes a `Cnf` and reads a model of it."""

    @abstractmethod
    def encode(self, problem: OrderingProblem, options: Options, limits: Limits = NEVER) -> Cnf:
        """Return the formula. Raises PonderError if the encoder cannot express this problem."""

    def size(self, problem: OrderingProblem, options: Options, limits: Limits = NEVER) -> Size:
        """Return the formula's size."""
        return self.encode(problem, options, limits).size

    @abstractmethod
    def read(self, problem: OrderingProblem, options: Options, formula: Cnf, true: Bits) -> Reading:
        """Return what the true variables of a model say, by their meaning; nothing is checked."""

    def hint(self, problem: OrderingProblem, order: Order) -> Ints:
        """Return what an order, legal or not, makes of variables, as literals: last go first."""
        return np.empty(0, dtype=np.int64)

    def cuts(self, problem: OrderingProblem, cycles: Sequence[Sequence[int]]) -> list[list[int]]:
        """Return the clauses against cycles of presses, each before the next, in a lazy formula."""
        raise NotImplementedError(f"{self.name} leaves out no clauses")

    def is_cut(self, problem: OrderingProblem, options: Options, clause: Sequence[int]) -> bool:
        """Whether a clause (any integers: a stranger's) is one that `cuts` could return."""
        return False

    def lazy(self, options: Options) -> bool:
        """Whether a formula may need cuts."""
        return False


# --------------------------------------------------------------------------- names of presses

# Copies of one bulb are interchangeable (equal closed neighbourhoods, equal parity), so any order
# can be renamed to press them by ascending number. All encoders rely on that.


def press_names(problem: OrderingProblem) -> PressName:
    """Return what names every press: its bulb's label; copies of a bulb get #2, #3, …

    Names are unique; those of graph nodes are escaped to plain ASCII without blanks and brackets.
    """
    ranks, _ = copy_ranks(problem)

    def name(v: int) -> str:
        label, rank = _label_name(problem.graph.label(int(problem.bulbs[v]))), int(ranks[v])
        return f"{label}#{rank + 1}" if rank else label

    return name


def _label_name(label: Label) -> str:
    match label:
        case (row, column):
            return f"{row},{column}"
        case int():
            return str(label)
        case _:
            text = quote(str(label), safe="")
            return text if text and not text.removeprefix("-").isdigit() else f"'{text}'"


def copy_ranks(problem: OrderingProblem) -> tuple[Ints, Ints]:
    """Return, for every press, how many presses of its bulb come before and after it in number."""
    by_bulb = np.argsort(problem.bulbs, kind="stable")
    sorted_bulbs = problem.bulbs[by_bulb]
    places = np.arange(problem.size)
    before, after = np.empty_like(places), np.empty_like(places)
    before[by_bulb] = places - np.searchsorted(sorted_bulbs, sorted_bulbs)
    after[by_bulb] = np.searchsorted(sorted_bulbs, sorted_bulbs, side="right") - 1 - places
    return before, after


def next_copies(problem: OrderingProblem) -> tuple[Ints, Ints]:
    """Return every press that has a copy before it, with the copy next before it first."""
    rank, _ = copy_ranks(problem)
    by_bulb = np.lexsort((rank, problem.bulbs))
    again = rank[by_bulb[1:]] > 0
    return by_bulb[:-1][again], by_bulb[1:][again]
