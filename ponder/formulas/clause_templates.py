"""Groups of constraints that are not made before they are asked for: templates, streams, gadgets.

A formula about steps says the same thing at every step. So a group is kept as a *template* for step
0 and a number of copies: copy c is the template with every variable moved up by c·stride. Groups
with no one stride are *streamed* by a function, and counted in a pass. A writer or a solver gets
blocks: 2-D arrays of constraints of one length. The smallest formulas, over inputs and auxiliaries
of their own, are *gadgets* (an XOR in pieces, an exactly-k): made once, placed at many sites.

Besides clauses a group may hold exactly-k constraints, for OPB. Memory: O(template).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ponder.system.types import Ints

Block: TypeAlias = NDArray[np.int32]
"""Constraints of one length, one a row; entries are literals: ±variable, variables from 1."""
Kind: TypeAlias = Literal["clause", "exactly"]  # a literal is true; `bound` of them are

_BLOCK = 1 << 17  # literals per streamed block: large enough for numpy, small enough for caches


@dataclass(frozen=True, eq=False)
class Repeated:
    """Template blocks and their copies, moved up by multiples of `stride`.

    Variables up to `fixed` stay where they are in every copy.

    >>> group = Repeated("same", "clause", 0, (np.array([[-1, 2]], dtype=np.int32),), 3, 2)
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


@dataclass(frozen=True, eq=False)
class Streamed:
    """Clauses that a function yields, without one stride."""

    label: str
    source: Callable[[], Iterator[Block]]
    kind: Kind = "clause"
    bound: int = 0

    @cached_property
    def _size(self) -> tuple[int, int]:
        lengths = [(len(block), block.size) for block in self.source()]
        return sum(rows for rows, _ in lengths), sum(entries for _, entries in lengths)

    @property
    def clauses(self) -> int:
        """The number of clauses."""
        return self._size[0]

    @property
    def literals(self) -> int:
        """The number of literals in all clauses."""
        return self._size[1]

    def blocks(self) -> Iterator[Block]:
        """Yield what the function yields."""
        return self.source()


Group: TypeAlias = Repeated | Streamed
"""Constraints of one kind that say one thing, under a label."""


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


def wide(*columns: Ints) -> Block:
    """Return one clause per row from columns and groups of columns."""
    return np.column_stack(columns).astype(np.int32)
