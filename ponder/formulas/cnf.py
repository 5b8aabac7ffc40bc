"""Formulas with names: variable families, labelled groups of constraints, sizes known in advance.

Idea. A formula about steps says the same thing at every step. So a group of clauses is kept as a
*template* for step 0 and a number of copies: copy c is the template with every variable moved up
by c·stride. The variables are numbered to match, step by step. Nothing is built until a writer or
a solver asks for the clauses, block by block; a block is a 2-D array of clauses of one length.

    formula            memory O(template), time O(clauses) when streamed
    size               O(template · digits), without building: the number of decimal digits of
                       a, a + stride, a + 2·stride, … is counted in closed form
    names              made on demand by the family, from the position and the copy

The smallest formulas, over inputs and auxiliaries of their own, are *gadgets* (`Gadget`): an XOR
cut in pieces, an at-most-k. A gadget is made once and placed at many sites at a time.

Making and streaming a formula looks at the clock that the formula carries, between two groups and
between two blocks: whoever reads it, a writer, a solver or a hash, is ended by it (`TimeUp`). What
would need more memory than is allowed is refused before it is made (`NeedsMemory`).

Besides clauses a group may hold constraints for solvers that know more than clauses: XORs
(`x` lines of DIMACS) and at-most-k or exactly-k (OPB). This module knows no solver and no file.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias, cast, overload
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from ponder.errors import NeedsMemory, PonderError
from ponder.limits import NEVER, Limits
from ponder.puzzle.ordering_problem import OrderingProblem
from ponder.types import Bits, Ints, Label

Block: TypeAlias = NDArray[np.int32]
"""Constraints of one length, one a row; entries are literals: ±variable, variables from 1."""
Kind: TypeAlias = Literal["clause", "xor", "at most", "exactly"]
Naming: TypeAlias = Callable[[int, int], str]

MOST_VARIABLES = 2**31 - 1
MOST_TEMPLATE = 1 << 26
"""So many literals a formula may hold in its templates, some 0.5 GB; copies cost nothing."""
_BLOCK = 1 << 17  # literals per streamed block: large enough for numpy, small enough for caches
_NAMES = 1 << 12  # names between two looks at the clock


@dataclass(frozen=True)
class Size:
    """What a formula will be: variables, constraints, and bytes of its DIMACS body.

    For a CP-SAT model, which has no such body, the bytes are 0.
    """

    variables: int
    clauses: int
    bytes: int


# ---------------------------------------------------------------------------------- variables


@dataclass(frozen=True)
class Spec:
    """A family of variables to be allotted: `width` of them in every copy.

    `naming(i, copy)` is the name of the i-th; it must be unique in the formula. `meaning` says
    in words what a true variable stands for.
    """

    name: str
    meaning: str
    width: int
    naming: Naming


@dataclass(frozen=True)
class Family:
    """Variables first + i + copy·stride, for i < width and copy < copies."""

    name: str
    meaning: str
    width: int
    naming: Naming
    first: int
    copies: int
    stride: int

    def at(self, copy: int = 0) -> Ints:
        """Return the variables of one copy, (width,)."""
        return np.arange(self.width, dtype=np.int64) + (self.first + copy * self.stride)

    @property
    def now(self) -> Ints:
        """The variables of copy 0: the template's own step."""
        return self.at(0)

    @property
    def next(self) -> Ints:
        """The variables of copy 1: in a template, the step after."""
        return self.at(1)

    def true(self, true: Bits) -> Bits:
        """Read the family off an assignment `true[variable]`: (copies, width) bits."""
        firsts = self.first + self.stride * np.arange(self.copies)
        found: Bits = true[firsts[:, None] + np.arange(self.width)]
        return found

    def names(self) -> Iterator[tuple[int, str]]:
        """Yield every variable with its name, ascending."""
        for copy in range(self.copies):
            start = self.first + copy * self.stride
            for i in range(self.width):
                yield start + i, self.naming(i, copy)


# --------------------------------------------------------------------------------- constraints


@dataclass(frozen=True, eq=False)
class Group(ABC):
    """Constraints of one kind that say one thing, under a label.

    `xor`: an odd number of the literals is true. `at most`, `exactly`: that many (`bound`) are.
    """

    label: str
    kind: Kind
    bound: int

    @property
    @abstractmethod
    def clauses(self) -> int:
        """The number of constraints."""

    @property
    @abstractmethod
    def literals(self) -> int:
        """The number of literals in all constraints."""

    @abstractmethod
    def body_bytes(self) -> int:
        """Return the number of bytes of the group's DIMACS lines, without making them."""

    @abstractmethod
    def blocks(self) -> Iterator[Block]:
        """Yield the constraints in blocks."""


@dataclass(frozen=True, eq=False)
class Repeated(Group):
    """Template blocks and their copies, moved up by multiples of `stride`.

    Variables up to `fixed` stay where they are in every copy.
    """

    template: tuple[Block, ...]
    copies: int
    stride: int
    fixed: int = 0

    @property
    def clauses(self) -> int:
        """Rows of the template times copies."""
        return self.copies * sum(len(block) for block in self.template)

    @property
    def literals(self) -> int:
        """Entries of the template times copies."""
        return self.copies * sum(block.size for block in self.template)

    def body_bytes(self) -> int:
        """Count digits, signs, separators and the closing `0` of every line, in closed form."""
        total = (3 if self.kind == "xor" else 2) * self.clauses
        for block in self.template:
            literals = block.reshape(-1).astype(np.int64)
            total += self.copies * int(literals.size + np.count_nonzero(literals < 0))
            variables = np.abs(literals)
            stays = variables <= self.fixed
            total += int(_digits(variables[~stays], self.copies, self.stride).sum())
            total += self.copies * int(_digits(variables[stays], 1, 0).sum())
        return total

    def blocks(self) -> Iterator[Block]:
        """Yield the copies, as many at a time as fill a block."""
        for block in self.template:
            width = block.shape[1]
            rows = max(1, _BLOCK // max(1, width))
            at_once = max(1, _BLOCK // max(1, block.size))
            for copy in range(0, self.copies, at_once):
                several = np.arange(copy, min(copy + at_once, self.copies), dtype=np.int32)
                for start in range(0, len(block), rows):  # one slice, unless the block is large
                    part = block[start : start + rows]
                    moves = np.sign(part) * (np.abs(part) > self.fixed)
                    moved = part + several[:, None, None] * (moves * self.stride).astype(np.int32)
                    yield moved.reshape(several.size * len(part), width)


@dataclass(frozen=True, eq=False)
class Streamed(Group):
    """Clauses that a function yields, for groups too large to hold and with no one stride.

    The size is stated beforehand: the number of clauses, how often each variable occurs, and
    the number of negative literals.
    """

    count: int
    variables: Ints
    occurrences: Ints
    negative: int
    source: Callable[[], Iterator[Block]]

    @property
    def clauses(self) -> int:
        """The stated number."""
        return self.count

    @property
    def literals(self) -> int:
        """How often all variables occur."""
        return int(self.occurrences.sum())

    def body_bytes(self) -> int:
        """Return digits and separators by variable, plus signs, plus line ends."""
        digits = _digits(self.variables, 1, 0)
        return int(((digits + 1) * self.occurrences).sum()) + self.negative + 2 * self.count

    def blocks(self) -> Iterator[Block]:
        """Yield what the function yields."""
        return self.source()


def _digits(start: Ints, copies: int, stride: int) -> Ints:
    """Return Σ over c < copies of the number of digits of start + c·stride, elementwise.

    >>> _digits(np.array([7, 99]), 3, 4).tolist()  # 7 11 15; 99 103 107
    [5, 8]
    """
    total = np.full(start.shape, copies, dtype=np.int64)
    top = int(start.max(initial=0)) + max(copies - 1, 0) * stride
    power = 10
    while power <= top:
        if stride:
            reached = np.maximum(0, -((start - power) // stride))  # the first copy that has it
            total += np.maximum(0, copies - reached)
        else:
            total += copies * (start >= power)
        power *= 10
    return total


# -------------------------------------------------------------------------------------- gadgets


@dataclass(frozen=True, eq=False)
class Gadget:
    """A small formula over inputs 1 … inputs and auxiliaries inputs+1 … inputs+auxiliaries."""

    inputs: int
    auxiliaries: int
    template: tuple[Block, ...]

    @classmethod
    def of_clauses(cls, inputs: int, auxiliaries: int, clauses: Iterable[Sequence[int]]) -> Gadget:
        """Make a gadget from clauses as lists, grouped by length."""
        by_length: dict[int, list[Sequence[int]]] = {}
        for clause in clauses:
            by_length.setdefault(len(clause), []).append(clause)
        blocks = (np.array(by_length[w], dtype=np.int32).reshape(-1, w) for w in sorted(by_length))
        return cls(inputs, auxiliaries, tuple(blocks))

    @property
    def clauses(self) -> int:
        """The number of clauses."""
        return sum(len(block) for block in self.template)

    @property
    def literals(self) -> int:
        """The number of literals in all clauses."""
        return sum(block.size for block in self.template)

    def place(self, literals: Ints, first: int) -> list[Block]:
        """Put the gadget on every row of `literals`, (sites, inputs).

        Site k's auxiliaries are first + k·auxiliaries and up.
        """
        sites = len(literals)
        inputs = literals.reshape(sites, self.inputs)
        aux = first + np.arange(sites * self.auxiliaries).reshape(sites, self.auxiliaries)
        table = np.concatenate([inputs, aux], axis=1).astype(np.int32)
        return [
            (table[:, np.abs(block) - 1] * np.sign(block)).reshape(-1, block.shape[1])
            for block in self.template
        ]


# ------------------------------------------------------------------------------------- formulas


@dataclass
class Cnf:
    """A formula under construction, then to be streamed: families, groups, sizes.

    >>> formula = Cnf("toy")
    >>> x, = formula.allot(3, Spec("x", "x@t: true at step t", 2, lambda i, t: f"x{i}@{t}"))
    >>> formula.add("once on, always on", clauses(-x.now, x.next), copies=2, stride=x.stride)
    >>> formula.size
    Size(variables=6, clauses=4, bytes=28)
    >>> list(formula.clauses())
    [[-1, 3], [-2, 4], [-3, 5], [-4, 6]]
    >>> formula.name(5)
    'x0@2'
    """

    title: str
    families: list[Family] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    variables: int = 0
    limits: Limits = NEVER

    def allot(self, copies: int, *specs: Spec) -> list[Family]:
        """Number new families, copy by copy: all of copy 0, then all of copy 1, …"""
        self.limits.check()
        stride = sum(spec.width for spec in specs)
        first = self.variables + 1
        self.variables += copies * stride
        if self.variables > MOST_VARIABLES:
            raise NeedsMemory(
                f"the formula {self.title} needs {self.variables:,} variables; "
                f"DIMACS solvers count to {MOST_VARIABLES:,}"
            )
        made = []
        for spec in specs:
            made.append(
                Family(spec.name, spec.meaning, spec.width, spec.naming, first, copies, stride)
            )
            first += spec.width
        self.families += made
        return made

    def add(
        self,
        label: str,
        *template: Block,
        kind: Kind = "clause",
        bound: int = 0,
        copies: int = 1,
        stride: int = 0,
        fixed: int = 0,
    ) -> None:
        """Add a group: template blocks, repeated `copies` times. Empty groups are left out.

        Copy c has every variable above `fixed` moved up by c·stride.
        """
        self.limits.check()
        blocks = tuple(block for block in template if len(block))
        if blocks and copies > 0:
            self.groups.append(Repeated(label, kind, bound, blocks, copies, stride, fixed))

    def place(self, label: str, gadget: Gadget, sites: Ints, first: int) -> None:
        """Add a group: a gadget at every row of `sites`, with auxiliaries from `first` up."""
        self.make_room(len(sites) * gadget.literals)
        self.add(label, *gadget.place(sites, first))

    def make_room(self, literals: int) -> None:
        """Raise NeedsMemory when so many literals more in templates would be too many.

        TimeUp when the time is up.
        """
        self.limits.check()
        held = (group for group in self.groups if isinstance(group, Repeated))
        needed = literals + sum(group.literals // group.copies for group in held)
        if needed > MOST_TEMPLATE:
            raise NeedsMemory(
                f"the formula {self.title} is too large: {needed:,} literals or more at a time, "
                f"at most {MOST_TEMPLATE:,}"
            )

    def stream(
        self,
        label: str,
        count: int,
        variables: Ints,
        occurrences: Ints,
        negative: int,
        source: Callable[[], Iterator[Block]],
    ) -> None:
        """Add a group of clauses that `source` yields, with its size stated (`Streamed`)."""
        if count:
            self.groups.append(
                Streamed(label, "clause", 0, count, variables, occurrences, negative, source)
            )

    def extended(self, label: str, clauses: Iterable[Sequence[int]]) -> Cnf:
        """Return this formula with some more clauses in a group at its end."""
        longer = replace(self, groups=list(self.groups))
        longer.add(label, *(np.array([clause], dtype=np.int32) for clause in clauses))
        return longer

    @property
    def size(self) -> Size:
        """Variables, constraints and bytes of the DIMACS body, without building anything."""
        return Size(
            self.variables,
            sum(group.clauses for group in self.groups),
            sum(group.body_bytes() for group in self.groups),
        )

    @property
    def literals(self) -> int:
        """The number of literals in all constraints, without building anything."""
        return sum(group.literals for group in self.groups)

    @property
    def unused(self) -> Bits:
        """Whether variable v is in no constraint, at index v. Streams the formula."""
        unused = np.ones(self.variables + 1, dtype=np.bool_)
        for _, block in self.streamed():
            unused[np.abs(block)] = False
        return unused

    def streamed(self) -> Iterator[tuple[Group, Block]]:
        """Yield all constraints in blocks, each with its group; TimeUp when the time is up."""
        for group in self.groups:
            for block in group.blocks():
                self.limits.check()
                yield group, block

    @property
    def kinds(self) -> set[Kind]:
        """The kinds of constraint that occur."""
        return {group.kind for group in self.groups}

    def clauses(self) -> Iterator[list[int]]:
        """Yield every clause as a list of literals; PonderError when not all are clauses."""
        for block in self.blocks():
            yield from block.tolist()

    def blocks(self) -> Iterator[Block]:
        """Yield the clauses in blocks, as `Formula.of` takes them; as `clauses` otherwise."""
        if self.kinds - {"clause"}:
            raise PonderError(
                f"the formula {self.title} holds constraints that are no clauses: "
                + ", ".join(sorted(self.kinds - {"clause"}))
            )
        for _, block in self.streamed():
            yield block

    def names(self) -> Iterator[tuple[int, str]]:
        """Yield every variable with its name, family by family."""
        for family in self.families:
            for count, named in enumerate(family.names()):
                if count % _NAMES == 0:
                    self.limits.check()
                yield named

    def family(self, name: str) -> Family:
        """Return the family of that name; KeyError when there is none."""
        for family in self.families:
            if family.name == name:
                return family
        raise KeyError(name)

    def name(self, variable: int) -> str:
        """Return one variable's name; KeyError when there is no such variable."""
        for family in self.families:
            last = family.first + (family.copies - 1) * family.stride + family.width
            if family.first <= variable < last:
                copy, i = divmod(variable - family.first, family.stride)
                if i < family.width:
                    return family.naming(i, copy)
        raise KeyError(variable)

    def falsified(self, true: Bits) -> tuple[str, list[int]] | None:
        """Return the first constraint that an assignment breaks, with its group's label.

        `true[variable]` for every variable (index 0 unused). None when it is a model.
        """
        for group, block in self.streamed():
            count = (true[np.abs(block)] == (block > 0)).sum(axis=1)
            match group.kind:
                case "clause":
                    broken = count == 0
                case "xor":
                    broken = count % 2 == 0
                case "at most":
                    broken = count > group.bound
                case _:
                    broken = count != group.bound
            if broken.any():
                row = block[int(np.argmax(broken))]
                return group.label, cast("list[int]", row.tolist())
        return None


def clauses(*columns: Ints | int) -> Block:
    """Return one clause per row: the columns side by side; a number stands for a constant column.

    >>> clauses(np.array([1, 2]), -7).tolist()
    [[1, -7], [2, -7]]
    """
    rows = np.broadcast_arrays(*(np.asarray(column, dtype=np.int32) for column in columns))
    return np.stack([row.reshape(-1) for row in rows], axis=1)


def assignment(variables: int, literals: Iterable[int]) -> Bits:
    """Return `true[variable]` (index 0 unused) from a model's literals, as solvers give them.

    PonderError when a literal is beyond the formula.
    """
    chosen = np.fromiter(literals, dtype=np.int64)
    true = np.zeros(variables + 1, dtype=np.bool_)
    if chosen.size and int(np.abs(chosen).max()) > variables:
        raise PonderError(
            f"the model names variable {int(np.abs(chosen).max())}, but the formula has "
            f"{variables}: it belongs to another board, encoding or option"
        )
    true[chosen[chosen > 0]] = True
    return true


# ---------------------------------------------------------------------------------------- names


class PressNames(Sequence[str]):
    """A unique name for every press, made when it is asked for."""

    def __init__(self, problem: OrderingProblem) -> None:
        self.problem = problem
        self.ranks, _ = copy_ranks(problem)

    def __len__(self) -> int:
        return self.problem.size

    @overload
    def __getitem__(self, v: int) -> str: ...
    @overload
    def __getitem__(self, v: slice) -> list[str]: ...
    def __getitem__(self, v: int | slice) -> str | list[str]:
        if isinstance(v, slice):
            return [self[u] for u in range(*v.indices(len(self)))]
        name = _label_name(self.problem.graph.label(int(self.problem.bulbs[v])))
        rank = int(self.ranks[v])
        return f"{name}#{rank + 1}" if rank else name


def press_names(problem: OrderingProblem) -> Sequence[str]:
    """Return a unique name for every press: its bulb's label; copies of a bulb get #2, #3, …

    Names of graph nodes are escaped to plain ASCII without blanks and brackets.

    >>> list(press_names(OrderingProblem.from_edges(2, [(0, 1)])))
    ['0', '1']
    """
    return PressNames(problem)


def copy_ranks(problem: OrderingProblem) -> tuple[Ints, Ints]:
    """Return, for every press, how many presses of its bulb come before and after it in number.

    Copies of one bulb are interchangeable (equal closed neighbourhoods, equal parity), so any
    order can be renamed to press them by ascending number. All encoders may rely on that.
    """
    by_bulb = np.argsort(problem.bulbs, kind="stable")
    sorted_bulbs = problem.bulbs[by_bulb]
    places = np.arange(problem.size)
    before, after = np.empty_like(places), np.empty_like(places)
    before[by_bulb] = places - np.searchsorted(sorted_bulbs, sorted_bulbs)
    after[by_bulb] = np.searchsorted(sorted_bulbs, sorted_bulbs, side="right") - 1 - places
    return before, after


def _label_name(label: Label) -> str:
    match label:
        case (row, column):
            return f"{row},{column}"
        case int():
            return str(label)
        case _:
            text = quote(str(label), safe="")
            return text if text and not text.removeprefix("-").isdigit() else f"'{text}'"
