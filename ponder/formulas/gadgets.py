"""Gadgets: small formulas over inputs and auxiliaries, made once and placed at many sites.

*An odd number of the literals is true* (`xor`) is cut into a chain of pieces. Each piece of at most
`cut` literals hands its parity on in one auxiliary variable. It keeps all its clauses, so unit
propagation inside it is complete, and over the whole chain it derives the last literal once the
others are known. A *guard* stands in the last piece alone ("guard implies XOR"): the others merely
define auxiliaries. Size of n literals: a = ⌈(n − cut)/(cut − 2)⌉ auxiliaries (none for n ≤ cut) and
a + 1 pieces of 2^(w−1) clauses; all have w = cut except the last, with w = n − a·(cut − 2).

*Exactly k of n literals are true* (`exactly`) counts: count(i, j) says that at least j of the first
i are true. Size: k·(n − k) auxiliaries and 4·k·(n − k) clauses.

Reference: Soos, Nohl, Castelluccia, "Extending SAT solvers to cryptographic problems" (SAT 2009);
C. Sinz, "Towards an optimal CNF encoding of Boolean cardinality constraints" (CP 2005).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, product
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ponder.system.types import Ints, distinct

Block: TypeAlias = NDArray[np.int32]
"""Constraints of one length, one a row; entries are literals: ±variable, variables from 1."""


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


def links(count: int, cut: int) -> int:
    """Return how many auxiliaries an XOR of `count` ≥ 1 literals has."""
    return 0 if count <= cut else -((cut - count) // (cut - 2))


@lru_cache(maxsize=4096)
def xor(count: int, cut: int, *, guarded: bool = False) -> Gadget:
    """Return "an odd number of the `count` inputs is true"; flip one literal for "even".

    With `guarded` there is one more input, the last: the constraint holds when that is true. An XOR
    of nothing is false: two contradicting units, as not all tools read an empty clause.

    >>> xor(2, 4).template[0].tolist()
    [[-1, -2], [1, 2]]
    """
    guard = count + 1 if guarded else None
    inputs = count + guarded
    if count == 0:
        if guard is not None:
            return Gadget.of_clauses(1, 0, [[-guard]])
        return Gadget.of_clauses(0, 1, [[1], [-1]])
    auxiliaries = links(count, cut)
    lengths = [cut] * auxiliaries + [count - auxiliaries * (cut - 2)]
    clauses: list[list[int]] = []
    unread, link = iter(range(1, count + 1)), 0
    for k, length in enumerate(lengths, 1):
        last = k == len(lengths)
        scope = [link] if link else []
        scope += islice(unread, length - len(scope) - (not last))
        if not last:  # the link is true when this piece's inputs have odd parity
            link = inputs + k
            scope.append(link)
        for values in product((0, 1), repeat=length):
            if sum(values) % 2 != last:  # a forbidden assignment
                clause = [-v if bit else v for v, bit in zip(scope, values, strict=True)]
                clauses.append([-guard, *clause] if last and guard is not None else clause)
    clauses.sort(key=lambda clause: (len(clause), clause))
    return Gadget.of_clauses(inputs, auxiliaries, clauses)


@lru_cache(maxsize=4096)
def exactly(bound: int, count: int) -> Gadget:
    """Return "exactly `bound` of the `count` inputs are true".

    >>> [block.tolist() for block in exactly(1, 2).template]
    [[[-1, 3], [-3, 1], [3, 2], [-2, -3]]]
    """
    if not 0 <= bound <= count:
        return Gadget.of_clauses(count, 1, [[count + 1], [-count - 1]])
    if bound in (0, count):
        return Gadget.of_clauses(count, 0, [[v if bound else -v] for v in range(1, count + 1)])
    # count(i, j) is open only for 1 ≤ j ≤ k and j ≤ i < j + n − k. For smaller i it is false; for
    # larger i the other n − i ≤ k − j literals can all be true, so it may be taken as true. These
    # constants are literals beyond all variables: a clause with `true` goes, `-true` is dropped.
    spare = count - bound
    true = count + bound * spare + 1
    i, j = np.arange(spare + 1) + np.arange(1, bound + 2)[:, None], np.arange(1, bound + 2)[:, None]
    i, j = i[i <= count], np.broadcast_to(j, i.shape)[i <= count]

    def at_least(i: Ints, j: Ints) -> Ints:
        inside = np.where(i >= j + spare, true, count + (j - 1) * spare + (i - j) + 1)
        return np.where(j <= 0, true, np.where((j > bound) | (j > i), -true, inside))

    here, before, less = at_least(i, j), at_least(i - 1, j), at_least(i - 1, j - 1)
    none = np.full_like(i, -true)
    rules = [(-before, here, none), (-i, -less, here), (-here, before, i), (-here, less, none)]
    table = np.stack([np.stack(rule, axis=1) for rule in rules], axis=1).reshape(-1, 3)
    table = table[~(table == true).any(axis=1)].astype(np.int32)
    kept = table != -true
    lengths = kept.sum(axis=1)
    template = tuple(
        table[lengths == width][kept[lengths == width]].reshape(-1, width)
        for width in distinct(lengths).tolist()
    )
    return Gadget(count, bound * spare, template)
