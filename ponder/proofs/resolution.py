"""LRAT as cutting planes: every lemma is a chain of resolutions, and each of these is a sum.

Idea. A lemma comes with the clauses that become unit when it is assumed false, and last the one
that is then falsified. Start with that one and go back through the hints: a hint became unit
because of one literal; where the clause so far has its negation, resolve. What is left is the
lemma, or part of it. In cutting planes a clause is Σ literals ≥ 1. To resolve is to add the two,
which turns x + ¬x into 1, and to *saturate*: no coefficient need be larger than the bound, so that
a literal that stands in both counts once again.

    pol 7 3 + s 12 + s              clause 7 resolved with clause 3, then with clause 12

Only proofs by unit propagation are sums: a lemma that is RAT (a new variable, say) is refused.

Reference. W. Cook, C. Coullard, G. Turán, "On the complexity of cutting-plane proofs", 1987.
Cost. Linear in the literals of the clauses that hints name. Memory: the lemmas.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ponder.errors import PonderError
from ponder.limits import NEVER, Limits
from ponder.proofs.veripb import Sum


def resolution_sums(
    clauses: Iterable[Sequence[int]], proof: str, limits: Limits = NEVER
) -> list[Sum]:
    """Return the sums of an LRAT proof about these clauses, the last one 0 ≥ 1.

    PonderError for a proof that is no chain of unit propagations to the empty clause.

    >>> square = [[1, 2], [1, -2], [-1, 2], [-1, -2]]
    >>> print(*resolution_sums(square, "5 1 0 1 2 0\\n6 0 5 3 4 0\\n"), sep="; ")
    pol 2 1 + s; pol 4 3 + s 5 + s
    """
    known = {number: frozenset(clause) for number, clause in enumerate(clauses, 1)}
    names = {number: number for number in known}
    inequalities, sums = len(known), list[Sum]()
    for line in limits.over(proof.splitlines()):
        words = line.split()
        if len(words) > 1 and words[1] == "d":
            continue
        try:
            number, *rest = map(int, words)
            end = rest.index(0)
            lemma, hints = frozenset(rest[:end]), rest[end + 1 : -1]
            total, left = _chain(lemma, hints, known, names)
        except (ValueError, KeyError, IndexError):
            raise PonderError(f"no sum follows from the lemma {line[:60]!r}") from None
        sums.append(total)
        known[number] = left
        names[number] = inequalities + len(sums)
        if not left:
            return sums
    raise PonderError("the proof ends without the empty clause")


def _chain(
    lemma: frozenset[int],
    hints: list[int],
    known: dict[int, frozenset[int]],
    names: dict[int, int],
) -> tuple[Sum, frozenset[int]]:
    """Return the resolutions of a lemma and what is left: the lemma, or part of it.

    KeyError, IndexError or ValueError where the hints do not lead there.
    """
    units = _units(lemma, hints, known)
    total, left = Sum(), known[hints[-1]]
    total.add(names[hints[-1]])
    for hint, unit in zip(reversed(hints[:-1]), reversed(units), strict=True):
        if -unit in left:
            left = (left - {-unit}) | (known[hint] - {unit})
            total.add(names[hint])
            total.saturate()
    if not left <= lemma:
        raise ValueError
    return total, left


def _units(lemma: frozenset[int], hints: list[int], known: dict[int, frozenset[int]]) -> list[int]:
    """Return the literal that each hint but the last makes true; ValueError if it makes none."""
    false, units = set(lemma), []
    for hint in hints[:-1]:
        (unit,) = known[hint] - false
        units.append(unit)
        false.add(-unit)
    return units
