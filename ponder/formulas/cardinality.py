"""At most k, or exactly k, of n literals, as clauses.

    pairwise     every k + 1 literals have a false one (for `exactly`, every n − k + 1 a true one):
                 C(n, k+1) (+ C(n, k−1)) clauses, no auxiliaries; only for small constraints
    sequential   count(i, j) says that at least j of the first i literals are true; k·(n − k)
                 auxiliaries, 2·k·(n − k) + n − 2·k clauses for at most k, 4·k·(n − k) for exactly k
    native       no encoding: the constraint is kept for OPB

and python-sat's, by their names in `pysat.card.EncType`.

Reference: C. Sinz, "Towards an optimal CNF encoding of Boolean cardinality constraints", CP 2005.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from math import comb, isqrt

import numpy as np

from ponder.formulas.clause_templates import Block, Gadget
from ponder.system.errors import PonderError
from ponder.system.types import Ints, distinct

OWN = ("sequential", "pairwise")
ONLY_ONE = ("bitwise", "ladder")  # python-sat's that can only say "at most one"
TOTALIZERS = ("totalizer", "mtotalizer", "kmtotalizer")
PYSAT = ("seqcounter", "sortnetwrk", "cardnetwrk", *ONLY_ONE, *TOTALIZERS)
NATIVE = "native"
CARD = (*OWN, *PYSAT, NATIVE)  # the choices of an option `card`
MOST_CLAUSES = 1_000_000  # clauses that one constraint may take, pairwise or by python-sat


@lru_cache(maxsize=4096)
def cardinality(count: int, bound: int, kind: str, *, exactly: bool) -> Gadget:
    """Return "at most (or exactly) `bound` of the `count` inputs are true".

    Raises PonderError if `kind` cannot say it, or only in an absurd number of clauses.

    >>> cardinality(3, 1, "pairwise", exactly=True).template[0].tolist()
    [[-1, -2], [-1, -3], [-2, -3]]
    """
    every = range(1, count + 1)
    if bound > count or bound < 0:
        if bound > count and not exactly:
            return Gadget(count, 0, ())
        return Gadget.of_clauses(count, 1, [[count + 1], [-count - 1]])
    if bound == count:
        return Gadget.of_clauses(count, 0, [[v] for v in every] if exactly else [])
    if bound == 0:
        return Gadget.of_clauses(count, 0, [[-v] for v in every])
    if kind == "pairwise":
        return _pairwise(count, bound, exactly)
    if kind == "sequential":
        return Gadget(count, bound * (count - bound), _sequential(count, bound, exactly))
    return _pysat(count, bound, kind, exactly)


def _pairwise(count: int, bound: int, exactly: bool) -> Gadget:
    number = comb(count, bound + 1) + (comb(count, bound - 1) if exactly else 0)
    if number > MOST_CLAUSES:
        raise PonderError(
            f"card=pairwise needs {number:,} clauses to say {bound} of {count}: use another"
        )
    every = range(1, count + 1)
    clauses = [[-v for v in some] for some in combinations(every, bound + 1)]
    if exactly:
        clauses += [list(some) for some in combinations(every, count - bound + 1)]
    return Gadget.of_clauses(count, 0, clauses)


def _sequential(count: int, bound: int, exactly: bool) -> tuple[Block, ...]:
    # count(i, j) is open only for 1 ≤ j ≤ k and j ≤ i < j + n − k. For smaller i it is false; for
    # larger i the other n − i ≤ k − j literals can all be true, so it may be taken as true. These
    # constants are literals beyond all variables: a clause with `true` goes, `-true` is dropped.
    spare = count - bound
    true = count + bound * spare + 1
    i, j = np.arange(spare + 1) + np.arange(1, bound + 2)[:, None], np.arange(1, bound + 2)[:, None]
    i, j = i[i <= count], np.broadcast_to(j, i.shape)[i <= count]

    def at_least(i: Ints, j: Ints) -> Ints:
        open_ = np.where(i >= j + spare, true, count + (j - 1) * spare + (i - j) + 1)
        return np.where(j <= 0, true, np.where((j > bound) | (j > i), -true, open_))

    here, before, less = at_least(i, j), at_least(i - 1, j), at_least(i - 1, j - 1)
    none = np.full_like(i, -true)
    rules = [(-before, here, none), (-i, -less, here)]
    if exactly:
        rules += [(-here, before, i), (-here, less, none)]
    table = np.stack([np.stack(rule, axis=1) for rule in rules], axis=1).reshape(-1, 3)
    table = table[~(table == true).any(axis=1)].astype(np.int32)
    kept = table != -true
    lengths = kept.sum(axis=1)
    return tuple(
        table[lengths == width][kept[lengths == width]].reshape(-1, width)
        for width in distinct(lengths).tolist()
    )


def _about(count: int, bound: int, kind: str) -> int:
    """Return about how many clauses python-sat makes, as measured for halves of 150 and 300."""
    digits = count.bit_length()
    match kind:
        case "seqcounter":
            return 2 * count * bound
        case "totalizer":
            return count * count
        case "sortnetwrk" | "cardnetwrk":
            return 3 * count * digits**2
        case "mtotalizer" | "kmtotalizer":
            return 4 * count * isqrt(count)
        case _:
            return 2 * count * digits


def _pysat(count: int, bound: int, kind: str, exactly: bool) -> Gadget:
    from pysat.card import CardEnc, EncType

    if kind in ONLY_ONE and bound != 1:
        raise PonderError(f"card={kind} can only say `at most one`, not {bound} of {count}")
    number = _about(count, bound, kind)
    if number > MOST_CLAUSES:  # python-sat would make them all, deaf to any clock
        raise PonderError(
            f"{kind} needs about {number:,} clauses to say {bound} of {count}: use another"
        )
    make, encoding = CardEnc.equals if exactly else CardEnc.atmost, getattr(EncType, kind)
    made = make(lits=[*range(1, count + 1)], bound=bound, top_id=count, encoding=encoding)
    return Gadget.of_clauses(count, max(made.nv, count) - count, made.clauses)
