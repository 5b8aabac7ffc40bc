"""Numbers modulo M as literals, and what proofs need to know of them.

Idea. A number N is M literals N_0 … N_{M−1} of which exactly one is true; "N = v" is N_v, and v is
taken modulo M. For M = 2 one variable is enough: N_1 is its positive literal and N_0 its negative,
so "exactly one" holds by itself, and the same clause is never written twice (`Piece`).

    increment  N = B + x       N_v ↔ (x ? B_{v−1} : B_v)                      4·M clauses
    sum        N = B + C       N_{a+c} ∨ ¬B_a ∨ ¬C_c,   ¬N_v ∨ ¬C_c ∨ B_{v−c}    2·M² clauses

Both are extensions (RAT on the literal of N). Of the sum, the first half has nothing to be resolved
with; a clause of the second meets N_{b+d} ∨ ¬B_b ∨ ¬C_d with v = b + d: for d = c the resolvent is
a tautology, and for d ≠ c it holds ¬C_c ∨ ¬C_d. So C must have at most one value; B need not.

*Exactly one* of an increment N = B + x follows from that of B by cases on x: M(M−1)/2 + 1 clauses
in two lemmas each.

Reference. S. Cook, "A short proof of the pigeon hole principle using extended resolution" (1976),
for counting by extension; theory §6.6.
"""

from __future__ import annotations

from itertools import combinations

from ponder.proofs.lemma_templates import Clause, Piece

Number = tuple[int, ...]
"""N_0 … N_{M−1}."""


def width(modulus: int) -> int:
    """Return how many variables a number takes."""
    return 1 if modulus == 2 else modulus


def number(first: int, modulus: int) -> Number:
    """Return the literals of the number whose variables begin at `first`.

    >>> number(5, 2), number(5, 3)
    ((-5, 5), (5, 6, 7))
    """
    return (-first, first) if modulus == 2 else tuple(range(first, first + modulus))


def new_number(piece: Piece, modulus: int) -> Number:
    """Return a number of variables of a piece."""
    return number(piece.variables(width(modulus))[0], modulus)


def exactly_one(one: Number) -> list[Clause]:
    """Return the clauses "exactly one": at least one first, then the pairs; none for M = 2."""
    if len(one) == 2:
        return []
    return [one, *((-a, -b) for a, b in combinations(one, 2))]


def increment_clauses(made: Number, base: Number, x: int) -> list[Clause]:
    """Return the definition of N = B + x: up if x, up if not x, down if x, down if not x.

    M of each kind, by v; for M = 2 downwards is the same as upwards, and left out.
    """
    values = range(len(made))
    up: list[Clause] = [
        *((made[v], -x, -base[v - 1]) for v in values),
        *((made[v], x, -base[v]) for v in values),
    ]
    down: list[Clause] = [
        *((-made[v], -x, base[v - 1]) for v in values),
        *((-made[v], x, base[v]) for v in values),
    ]
    return up if len(made) == 2 else up + down


def sum_down(made: Number, base: Number, added: Number) -> list[Clause]:
    """Return ¬N_v ∨ ¬C_c ∨ B_{v−c} for N = B + C, by v and then c."""
    modulus = len(made)
    return [
        (-made[v], -added[c], base[(v - c) % modulus])
        for v in range(modulus)
        for c in range(modulus)
    ]


def sum_up(made: Number, base: Number, added: Number) -> list[Clause]:
    """Return N_{b+c} ∨ ¬B_b ∨ ¬C_c for N = B + C, by b and then c."""
    modulus = len(made)
    return [
        (made[(b + c) % modulus], -base[b], -added[c])
        for b in range(modulus)
        for c in range(modulus)
    ]
