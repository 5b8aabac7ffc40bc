"""Exactly k of n literals, as clauses.

    sequential   count(i, j) says that at least j of the first i literals are true: k·(n − k)
                 auxiliaries, 4·k·(n − k) clauses
    totalizer    python-sat's tree of unary sums: O(n·log n) auxiliaries, O(n²) clauses
    native       no encoding: the constraint is kept for OPB

Reference: C. Sinz, "Towards an optimal CNF encoding of Boolean cardinality constraints", CP 2005;
O. Bailleux, Y. Boufkhad, "Efficient CNF encoding of Boolean cardinality constraints", CP 2003.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ponder.formulas.clause_templates import Block, Gadget
from ponder.system.errors import PonderError
from ponder.system.types import Ints, distinct

NATIVE = "native"
CARD = ("sequential", "totalizer", NATIVE)  # the choices of an option `card`
MOST_TOTALIZED = 1000  # python-sat makes all clauses, some n², deaf to any clock


@lru_cache(maxsize=4096)
def cardinality(count: int, bound: int, kind: str) -> Gadget:
    """Return "exactly `bound` of the `count` inputs are true".

    Raises PonderError if `kind` can say it only in an absurd number of clauses.

    >>> [block.tolist() for block in cardinality(2, 1, "sequential").template]
    [[[-1, 3], [-3, 1], [3, 2], [-2, -3]]]
    """
    if not 0 <= bound <= count:
        return Gadget.of_clauses(count, 1, [[count + 1], [-count - 1]])
    if bound in (0, count):
        return Gadget.of_clauses(count, 0, [[v if bound else -v] for v in range(1, count + 1)])
    if kind == "sequential":
        return Gadget(count, bound * (count - bound), _sequential(count, bound))
    if count > MOST_TOTALIZED:
        raise PonderError(f"card={kind} says {bound} of {count} in too many clauses: use another")
    from pysat.card import CardEnc, EncType

    literals = [*range(1, count + 1)]
    tree = CardEnc.equals(literals, bound=bound, top_id=count, encoding=EncType.totalizer)
    return Gadget.of_clauses(count, max(tree.nv, count) - count, tree.clauses)


def _sequential(count: int, bound: int) -> tuple[Block, ...]:
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
    return tuple(
        table[lengths == width][kept[lengths == width]].reshape(-1, width)
        for width in distinct(lengths).tolist()
    )
