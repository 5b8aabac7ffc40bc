"""Formulas with names: families of variables, labelled groups of constraints.

A formula about steps has the same variables and says the same thing at every step. So a *family* is
a run of variables in every copy of a block of numbers, `stride` long: the i-th of copy c is
first + i + c·stride. A *group* is a template for step 0 and a number of copies: copy c is the
template with every variable moved up by c·stride. Names and copies are made on demand. A writer or
a solver gets blocks: 2-D arrays of constraints of one length. Besides clauses a group may hold
exactly-k constraints, for OPB.

Literals are counted while the formula is made: one whose templates would need more memory than is
allowed ends in `NeedsMemory`. Making and streaming looks at the clock that it carries (`TimeUp`).
Cost: memory O(templates); when it is streamed, time O(clauses).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias, cast

import numpy as np

from ponder.formulas.gadgets import Block, Gadget
from ponder.system.errors import PonderError
from ponder.system.limits import NEVER, Limits, NeedsMemory
from ponder.system.types import Bits, Ints

Kind: TypeAlias = Literal["clause", "exactly"]  # a literal is true; `bound` of them are

MOST_VARIABLES = 2**31 - 1  # solvers that read DIMACS count no further
MOST_TEMPLATE = 1 << 26  # literals in a formula's templates, 0.5 GB; copies cost nothing
_BLOCK = 1 << 17  # literals per block of copies: large enough for numpy, small enough for caches


@dataclass(frozen=True, eq=False)
class Group:
    """Constraints that say one thing: template blocks, and copies moved up by `stride` each.

    Variables up to `fixed` stay where they are in every copy.

    >>> group = Group("same", "clause", 0, (np.array([[-1, 2]], dtype=np.int32),), 3, 2)
    >>> [block.tolist() for block in group.blocks()]
    [[[-1, 2], [-3, 4], [-5, 6]]]
    """

    label: str
    kind: Kind
    bound: int
    template: tuple[Block, ...]
    copies: int
    stride: int
    fixed: int = 0

    @property
    def clauses(self) -> int:
        """The number of constraints."""
        return self.copies * sum(len(block) for block in self.template)

    @property
    def literals(self) -> int:
        """The number of literals in all constraints."""
        return self.copies * sum(block.size for block in self.template)

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


def clauses(*columns: Ints) -> Block:
    """Return one clause per row from columns of literals and groups of columns."""
    return np.column_stack(columns).astype(np.int32)


@dataclass(frozen=True)
class Family:
    """Variables first + i + copy·stride, for i < width and copy < copies.

    `naming(i, copy)` names the i-th, uniquely in the formula. `meaning` says what true stands for.
    The numbers are given by `Cnf.allot`.

    >>> family = Family("x", "x@t: on", 2, lambda i, t: f"x{i}@{t}", 1, copies=3, stride=5)
    >>> family.now.tolist(), family.next.tolist()
    ([1, 2], [6, 7])
    >>> list(family.names())[2:4]
    [(6, 'x0@1'), (7, 'x1@1')]
    """

    name: str
    meaning: str
    width: int
    naming: Callable[[int, int], str]
    first: int = 0
    copies: int = 0
    stride: int = 0

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
        firsts = self.first + self.stride * np.arange(self.copies, dtype=np.int64)
        values: Bits = true[firsts[:, None] + np.arange(self.width)]
        return values

    def names(self) -> Iterator[tuple[int, str]]:
        """Yield every variable with its name, ascending."""
        for copy in range(self.copies):
            start = self.first + copy * self.stride
            for i in range(self.width):
                yield start + i, self.naming(i, copy)


@dataclass(frozen=True)
class Size:
    """Numbers of variables, constraints, and literals in all of these (CP-SAT: 0)."""

    variables: int
    clauses: int
    literals: int


@dataclass
class Cnf:
    """A formula under construction, then to be streamed.

    >>> formula = Cnf("toy")
    >>> x, = formula.allot(3, Family("x", "x@t: true at step t", 2, lambda i, t: f"x{i}@{t}"))
    >>> formula.add("once on, always on", clauses(-x.now, x.next), copies=2, stride=x.stride)
    >>> formula.size
    Size(variables=6, clauses=4, literals=8)
    >>> list(formula.clauses())
    [[-1, 3], [-2, 4], [-3, 5], [-4, 6]]
    >>> dict(formula.names())[5]
    'x0@2'
    """

    title: str
    families: list[Family] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    variables: int = 0
    limits: Limits = NEVER

    def allot(self, copies: int, *families: Family) -> list[Family]:
        """Number families, copy by copy: all of copy 0, then all of copy 1, … Return them."""
        self.limits.check()
        stride = sum(family.width for family in families)
        first = self.variables + 1
        self.variables += copies * stride
        if self.variables > MOST_VARIABLES:
            raise NeedsMemory(
                f"the formula {self.title} needs {self.variables:,} variables; "
                f"DIMACS solvers count to {MOST_VARIABLES:,}"
            )
        numbered = []
        for family in families:
            numbered.append(replace(family, first=first, copies=copies, stride=stride))
            first += family.width
        self.families += numbered
        return numbered

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
            self.groups.append(Group(label, kind, bound, blocks, copies, stride, fixed))

    def place(
        self, label: str, gadget: Gadget, literals: Ints, word: str, meaning: str, sites: list[str]
    ) -> None:
        """Add a group: a gadget at every row of `literals`; its auxiliaries are word(site,i)."""
        self.make_room(len(literals) * gadget.literals)
        aux = gadget.auxiliaries
        spec = Family(
            word, meaning, aux * len(sites), lambda i, _: f"{word}({sites[i // aux]},{i % aux})"
        )
        (auxiliaries,) = self.allot(1, spec)
        self.add(label, *gadget.place(literals, auxiliaries.first))

    def make_room(self, literals: int) -> None:
        """Raise NeedsMemory if templates would have too many literals with these, or TimeUp."""
        self.limits.check()
        needed = literals + sum(group.literals // group.copies for group in self.groups)
        if needed > MOST_TEMPLATE:
            raise NeedsMemory(
                f"the formula {self.title} is too large: {needed:,} literals or more at a time, "
                f"at most {MOST_TEMPLATE:,}"
            )

    def extended(self, label: str, clauses: Iterable[Sequence[int]]) -> Cnf:
        """Return this formula with some more clauses in a group at its end."""
        longer = replace(self, groups=list(self.groups))
        longer.add(label, *(np.array([clause], dtype=np.int32) for clause in clauses))
        return longer

    @property
    def size(self) -> Size:
        """Numbers of variables, constraints and literals."""
        clauses = sum(group.clauses for group in self.groups)
        return Size(self.variables, clauses, self.literals)

    @property
    def literals(self) -> int:
        """The number of literals in all constraints."""
        return sum(group.literals for group in self.groups)

    @property
    def unused(self) -> Bits:
        """Whether variable v is in no constraint, at index v. Streams the formula."""
        unused = np.ones(self.variables + 1, dtype=np.bool_)
        for _, block in self.streamed():
            unused[np.abs(block)] = False
        return unused

    def streamed(self) -> Iterator[tuple[Group, Block]]:
        """Yield all constraints in blocks, each with its group. Raises TimeUp if the time is up."""
        for group in self.groups:
            for block in group.blocks():
                self.limits.check()
                yield group, block

    @property
    def kinds(self) -> set[Kind]:
        """The kinds of constraint that occur."""
        return {group.kind for group in self.groups}

    def clauses(self) -> Iterator[list[int]]:
        """Yield every clause as a list of literals. Raises PonderError if not all are clauses."""
        for block in self.blocks():
            yield from block.tolist()

    def blocks(self) -> Iterator[Block]:
        """Yield the clauses in blocks that `Formula.from_clauses` takes; as `clauses` otherwise."""
        if "exactly" in self.kinds:
            raise PonderError(f"the formula {self.title} holds constraints that are not clauses")
        for _, block in self.streamed():
            yield block

    def names(self) -> Iterator[tuple[int, str]]:
        """Yield every variable with its name, family by family."""
        for family in self.families:
            yield from self.limits.over(family.names(), 1 << 12)

    def family(self, name: str) -> Family:
        """Return the family of that name. Raises KeyError if there is none."""
        return {family.name: family for family in self.families}[name]

    def falsified(self, true: Bits) -> tuple[str, list[int]] | None:
        """Return the label and the literals of the first constraint that `true` breaks, or None."""
        for group, block in self.streamed():
            count = (true[np.abs(block)] == (block > 0)).sum(axis=1)
            broken = count == 0 if group.kind == "clause" else count != group.bound
            if broken.any():
                row = block[int(np.argmax(broken))]
                return group.label, cast("list[int]", row.tolist())
        return None


def assignment(variables: int, literals: Iterable[int]) -> Bits:
    """Return a model's `true[variable]`, 0 unused. Raises PonderError for foreign literals."""
    chosen = np.fromiter(literals, dtype=np.int64)
    true = np.zeros(variables + 1, dtype=np.bool_)
    if (largest := int(np.abs(chosen).max(initial=0))) > variables:
        raise PonderError(
            f"the model names variable {largest}, but the formula has {variables}: "
            "it belongs to another board, encoding or option"
        )
    true[chosen[chosen > 0]] = True
    return true
