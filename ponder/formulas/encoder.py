"""Encoders: the ordering problem as a formula or a CP-SAT model, and a solution back as an order.

An encoder says what must hold; it never solves. All of them decide the same question, so all must
agree. Each is one file in `encodings/`, loaded when it is asked for.

    problem, options ──► encode ──► Cnf     ──► (a SAT solver)  ──► decode ──► Order
                         model  ──► CpModel ──► (CP-SAT)        ──► decode ──► Order

`decode` accepts nothing on trust: an order that it returns obeys the problem's parities, checked
here without the encoder's help.

    >>> from pysat.solvers import Solver
    >>> triangle_and_tail = OrderingProblem.from_edges(4, [(0, 1), (1, 2), (0, 2), (2, 3)])
    >>> from ponder.encodings.registry import encoder
    >>> made = encoder("precedence")
    >>> options = made.options(["acyclic=labels"])
    >>> with Solver(bootstrap_with=made.encode(triangle_and_tail, options).clauses()) as solver:
    ...     solver.solve()
    ...     order = made.decode(triangle_and_tail, options, solver.get_model())
    True
    >>> later_counts(triangle_and_tail, np.argsort(order.vertices)).tolist().count(0)
    2

Making a formula or a model looks at a clock (`TimeUp`); one that would need more memory than is
allowed is refused before it is made (`NeedsMemory`).

Options come as `key=value`, with a default for each; an unknown key or value is one clear line.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, ClassVar, TypeAlias

import numpy as np

from ponder.errors import NeedsMemory, PonderError
from ponder.formulas.clause_templates import Block
from ponder.formulas.cnf import Cnf, Size, assignment
from ponder.formulas.variables import press_names
from ponder.limits import NEVER, Limits
from ponder.puzzle.board import Board
from ponder.puzzle.input_errors import meant
from ponder.puzzle.ordering_problem import Order, OrderingProblem
from ponder.types import Bits, Ints

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, IntVar


MOST_TERMS = 20_000_000
"""CP-SAT models with more terms are refused: some 100 bytes each, once CP-SAT has copied them."""


# ------------------------------------------------------------------------------------- options


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
        """Return the value that `text` stands for; PonderError says what is allowed."""
        if self.choices:
            if text not in self.choices:
                known, hint = ", ".join(self.choices), meant(text, self.choices)
                raise PonderError(f"{self.name}={text!r} is no choice; known: {known}{hint}")
            return text
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1
        if not self.least <= number <= self.most:
            raise PonderError(
                f"{self.name}={text[:40]!r} is no whole number from {self.least} to {self.most}"
            )
        return number


@dataclass(frozen=True)
class Options:
    """The value of every option of one encoder."""

    values: Mapping[str, str | int]

    def word(self, name: str) -> str:
        """Return an option that is a word."""
        return str(self.values[name])

    def number(self, name: str) -> int:
        """Return an option that is a number."""
        return int(self.values[name])

    def __str__(self) -> str:
        return " ".join(f"{name}={value}" for name, value in self.values.items())


# ------------------------------------------------------------------------------------ encoders


class Coder(ABC):
    """What formulas and CP-SAT models have in common: a name, options, what "no" means."""

    name: ClassVar[str]
    summary: ClassVar[str]
    """One line on what it is good for."""
    spec: ClassVar[tuple[Option, ...]] = ()

    def options(self, settings: Iterable[str] = ()) -> Options:
        """Parse `key=value` strings; what is not named has its default."""
        known = {option.name: option for option in self.spec}
        values = {option.name: option.default for option in self.spec}
        for setting in settings:
            key, equals, text = setting.partition("=")
            if not equals:
                raise PonderError(f"{setting!r} is no option: write key=value")
            if key not in known:
                names = ", ".join(known) or "none"
                hint = meant(key, known)
                raise PonderError(f"{self.name} has no option {key!r}; known: {names}{hint}")
            values[key] = known[key].parse(text)
        return Options(values)

    @abstractmethod
    def size(self, problem: OrderingProblem, options: Options, limits: Limits = NEVER) -> Size:
        """Return the numbers of variables and constraints."""

    def refutes(self, problem: OrderingProblem, options: Options) -> bool:
        """Whether "unsatisfiable" proves that there is no order."""
        return True

    def schedule(
        self, problem: OrderingProblem, options: Options, limits: Limits = NEVER
    ) -> Iterator[Options]:
        """Yield the options to try one after the other until there is an order.

        Only encoders with a horizon yield more than one; the last of them refutes.
        """
        yield options

    def describe(
        self, problem: OrderingProblem, options: Options, board: Board | None = None
    ) -> list[str]:
        """Return the header lines that name the board, the encoding, its options, the presses.

        Equal lines and an equal version of ponder mean the same formula, variable by variable.
        """
        digest = sha256(np.ascontiguousarray(problem.bulbs, dtype="<i8").tobytes())
        digest.update(np.packbits(problem.odd).tobytes())
        lines = []
        if board is not None:
            puzzle = f"pattern {board.graph.pattern}, rule {board.rule}, goal {board.goal_name}"
            lines.append(f"board sha256 {board.sha256}: {puzzle}")
        lines += [
            " ".join(f"encoding {self.name} {options}".split()),
            f"presses {problem.size} sha256 {digest.hexdigest()}",
        ]
        if not self.refutes(problem, options):
            lines.append("unsatisfiable refutes nothing: the horizon is shorter than it may need")
        return lines


class Encoder(Coder):
    """Makes a `Cnf` and reads a model of it."""

    @abstractmethod
    def encode(self, problem: OrderingProblem, options: Options, limits: Limits = NEVER) -> Cnf:
        """Return the formula; its clauses are made when they are streamed, by the same clock.

        PonderError when the encoder cannot express this problem.
        """

    def size(self, problem: OrderingProblem, options: Options, limits: Limits = NEVER) -> Size:
        """Return the formula's size without building it."""
        return self.encode(problem, options, limits).size

    def decode(
        self,
        problem: OrderingProblem,
        options: Options,
        model: Iterable[int],
        formula: Cnf | None = None,
    ) -> Order:
        """Return the order that a model (literals; only the true ones count) stands for.

        `formula` is what `encode` returned, where it is still there. PonderError when the model
        stands for no legal order.
        """
        formula = formula or self.encode(problem, options)
        true = assignment(formula.variables, model)
        return checked(problem, self.read(problem, options, formula, true))

    @abstractmethod
    def read(self, problem: OrderingProblem, options: Options, formula: Cnf, true: Bits) -> Ints:
        """Return the vertices in play order, as the true variables say; need not be checked."""

    def cuts(
        self,
        problem: OrderingProblem,
        options: Options,
        model: Iterable[int],
        limits: Limits = NEVER,
    ) -> list[Block]:
        """Return clauses that the model breaks although the formula leaves them out.

        None for a complete formula. Where an option makes the formula lazy, solve, add the cuts
        and solve again, until there are none: then the model can be decoded.
        """
        return []

    def is_cut(self, problem: OrderingProblem, options: Options, clause: Sequence[int]) -> bool:
        """Whether every order satisfies a clause because it is one that `cuts` could return.

        `clause` may be any integers: a stranger's.
        """
        return False

    def lazy(self, options: Options) -> bool:
        """Whether models may need `cuts`."""
        return False


Value: TypeAlias = "Callable[[IntVar], int]"


@dataclass(frozen=True, eq=False)
class CpSatModel:
    """A CP-SAT model and how to read a solution; `value` is a solver's `Value` or `value`."""

    model: CpModel
    problem: OrderingProblem
    read: Callable[[Value], Ints]

    def decode(self, value: Value) -> Order:
        """Return the order that a solution stands for; PonderError when it is not legal."""
        return checked(self.problem, self.read(value))


class CpSatEncoder(Coder):
    """Makes a CP-SAT model."""

    def size(self, problem: OrderingProblem, options: Options, limits: Limits = NEVER) -> Size:
        """Return the model's numbers of variables and constraints; it is built for that."""
        proto = self.model(problem, options, limits=limits).model.proto
        return Size(len(proto.variables), len(proto.constraints), 0)

    def model(
        self,
        problem: OrderingProblem,
        options: Options,
        hint: Order | None = None,
        limits: Limits = NEVER,
    ) -> CpSatModel:
        """Return the model; `hint` is an order, legal or not, to start the search from.

        PonderError when the encoder cannot express this problem.
        """
        limits.check()
        terms = self.terms(problem, options)
        if terms > MOST_TERMS:
            raise NeedsMemory(
                f"the model {self.name} is too large: about {terms:,} terms, at most {MOST_TERMS:,}"
            )
        return self.build(problem, options, hint, limits)

    @abstractmethod
    def terms(self, problem: OrderingProblem, options: Options) -> int:
        """Return about how many variables all constraints have together, without making any."""

    @abstractmethod
    def build(
        self,
        problem: OrderingProblem,
        options: Options,
        hint: Order | None,
        limits: Limits,
    ) -> CpSatModel:
        """Make the model, for `model`; TimeUp when the time is up."""


# -------------------------------------------------------------------------------------- orders


def checked(problem: OrderingProblem, vertices: Ints) -> Order:
    """Return the order if every vertex occurs once with the right parity after it.

    PonderError otherwise, naming a press. O(n log n) on row/column boards, else O(n + edges).

    >>> path = OrderingProblem.from_edges(3, [(0, 1), (1, 2)])
    >>> checked(path, np.array([1, 0, 2])).vertices.tolist()
    [1, 0, 2]
    """
    if vertices.size != problem.size or not np.array_equal(
        np.sort(vertices), np.arange(problem.size)
    ):
        raise PonderError("the model is no order: it does not press every bulb as often as asked")
    place = np.empty(problem.size, dtype=np.int64)
    place[vertices] = np.arange(problem.size)
    wrong = np.flatnonzero((later_counts(problem, place) & 1) != problem.odd)
    if wrong.size:
        first = vertices[place[wrong].min()]
        raise PonderError(
            f"the model is no legal order: the press of {press_names(problem)[first]} "
            f"at step {int(place[first])} breaks the rule"
        )
    return Order(np.asarray(vertices, dtype=np.int64))


def later_counts(problem: OrderingProblem, place: Ints) -> Ints:
    """Return how many neighbours of every vertex come after it; `place[v]` is v's position.

    >>> path = OrderingProblem.from_edges(3, [(0, 1), (1, 2)])
    >>> later_counts(path, np.array([1, 0, 2])).tolist()  # pressed as 1, 0, 2
    [0, 2, 0]
    """
    if problem.lines is not None:
        rows, columns = problem.lines
        return (
            _later_alike(rows, place)
            + _later_alike(columns, place)
            - _later_alike(problem.bulbs, place)
        )
    u, v = problem.edges[:, 0], problem.edges[:, 1]
    first = np.where(place[u] < place[v], u, v)
    return np.bincount(first, minlength=problem.size)


def later_in_row(problem: OrderingProblem, order: Order) -> Ints:
    """Return, on a row/column board, how many presses of its row an order has after every press.

    Its parity is the press's colour (`ponder.formulas.colours`).

    >>> from ponder.puzzle.graph import grid_graph
    >>> row = OrderingProblem(grid_graph("cross", (1, 3)), np.arange(3), np.zeros(3, np.bool_))
    >>> later_in_row(row, Order(np.array([2, 0, 1]))).tolist()
    [1, 0, 2]
    """
    if problem.lines is None:
        raise ValueError("only row/column boards have rows")
    place = np.empty(problem.size, dtype=np.int64)
    place[order.vertices] = np.arange(problem.size)
    return _later_alike(problem.lines[0], place)


def _later_alike(kind: Ints, place: Ints) -> Ints:
    """Return for every vertex how many of its kind have a larger place."""
    ranked = np.lexsort((place, kind))
    ordered = kind[ranked]
    count = np.empty_like(place)
    count[ranked] = np.searchsorted(ordered, ordered, side="right") - 1 - np.arange(kind.size)
    return count
