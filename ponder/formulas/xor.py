"""XOR constraints as clauses, cut into a chain of pieces.

Each piece of at most `cut` literals hands its parity on in one auxiliary variable. It keeps all its
clauses, so unit propagation inside it is complete, and over the whole chain it derives the last
literal once the others are known. A *guard* stands in the last piece alone ("guard implies XOR"):
the others merely define auxiliaries.

Size of n literals: a = ⌈(n − cut)/(cut − 2)⌉ auxiliaries (none for n ≤ cut) and a + 1 pieces of
2^(w−1) clauses; all have w = cut except the last, with w = n − a·(cut − 2).

Reference: Soos, Nohl, Castelluccia, "Extending SAT solvers to cryptographic problems" (SAT 2009).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice, product

from ponder.formulas.clause_templates import Gadget


def pieces(count: int, cut: int) -> list[int]:
    """Return the lengths of the pieces of an XOR of `count` ≥ 1 literals."""
    links = 0 if count <= cut else -((cut - count) // (cut - 2))
    return [cut] * links + [count - links * (cut - 2)]


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
    lengths = pieces(count, cut)
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
    return Gadget.of_clauses(inputs, len(lengths) - 1, clauses)
