"""Groups of constraints that are not made before they are asked for: templates, streams, gadgets.

A formula about steps says the same thing at every step. So a group of clauses is kept as a
*template* for step 0 and a number of copies: copy c is the template with every variable moved up
by c·stride. Memory is O(template), and so is the time for the size, as digits are counted in closed
form. Groups with no one stride are *streamed* by a function. A writer or a solver gets the clauses
block by block; a block is a 2-D array of clauses of one length.

The smallest formulas, over inputs and auxiliaries of their own, are *gadgets*: an XOR cut in
pieces, an at-most-k. A gadget is made once and placed at many sites at a time.

Besides clauses a group may hold XORs (`x` lines of DIMACS) and at-most-k or exactly-k (OPB).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ponder.system.types import Ints

Block: TypeAlias = NDArray[np.int32]
"""Constraints of one length, one a row; entries are literals: ±variable, variables from 1."""
Kind: TypeAlias = Literal["clause", "xor", "at most", "exactly"]

_BLOCK = 1 << 17  # literals per streamed block: large enough for numpy, small enough for caches


@dataclass(frozen=True, eq=False)
class Group(ABC):
    """Constraints of one kind that say one thing, under a label.

    `xor`: an odd number of the literals is true. `at most`, `exactly`: `bound` of them are.
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

    >>> group = Repeated("same", "clause", 0, (np.array([[-1, 2]], dtype=np.int32),), 3, 2)
    >>> [block.tolist() for block in group.blocks()], group.body_bytes()  # "-1 2 0", …
    ([[[-1, 2], [-3, 4], [-5, 6]]], 21)
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
    """Clauses that a function yields, without one stride; a pass counts them when that is asked."""

    source: Callable[[], Iterator[Block]]

    @cached_property
    def _size(self) -> tuple[int, int, int]:
        """The number of clauses and of literals, and the bytes: digits, signs, separators, ends."""
        clauses = literals = total = 0
        for block in self.source():
            clauses, literals = clauses + len(block), literals + block.size
            digits = _digits(np.abs(block).astype(np.int64), 1, 0)
            total += int(digits.sum()) + int(np.count_nonzero(block < 0))
        return clauses, literals, total + literals + 2 * clauses

    @property
    def clauses(self) -> int:
        """As counted."""
        return self._size[0]

    @property
    def literals(self) -> int:
        """As counted."""
        return self._size[1]

    def body_bytes(self) -> int:
        """Return what was counted."""
        return self._size[2]

    def blocks(self) -> Iterator[Block]:
        """Yield what the function yields."""
        return self.source()


def _digits(start: Ints, copies: int, stride: int) -> Ints:
    """Return Σ over c < copies of the number of digits of start + c·stride, elementwise."""
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
    def literals(self) -> int:
        """The number of literals in all clauses."""
        return sum(block.size for block in self.template)

    def place(self, literals: Ints, first: int) -> list[Block]:
        """Put the gadget on each row of `literals`, (sites, inputs); auxiliaries from `first`."""
        sites = len(literals)
        aux = first + np.arange(sites * self.auxiliaries).reshape(sites, self.auxiliaries)
        inputs = literals.reshape(sites, self.inputs)
        table = np.concatenate([inputs, aux], axis=1).astype(np.int32)
        return [
            (table[:, np.abs(block) - 1] * np.sign(block)).reshape(-1, block.shape[1])
            for block in self.template
        ]


def clauses(*columns: Ints | int) -> Block:
    """Return one clause per row: the columns side by side; a number is a constant column."""
    rows = np.broadcast_arrays(*(np.asarray(column, dtype=np.int32) for column in columns))
    return np.stack([row.reshape(-1) for row in rows], axis=1)
