"""LRAT proofs: clausal proofs with hints, so that checking needs no search.

    ⟨id⟩ ⟨literals⟩ 0 ⟨hints⟩ 0         a lemma
    ⟨id⟩ d ⟨ids⟩ 0                      deletions

The clauses of the formula have the ids 1 … m. A lemma lists the clauses that become unit, in order,
when its literals are assumed false, and last the clause that is then falsified. A RAT lemma
continues: for every present clause D with the negated first literal, −(number of D) and the hints
for C ∪ (D − ¬p). The checker follows in one pass; nothing is propagated, and no line is kept.

Reference. Cruz-Filipe et al., "Efficient certified RAT verification", CADE 2017. Cost. O(literals
in the clauses that hints name): some 7 MB of a proof a second; a RAT lemma looks at more.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import TypeAlias, cast

from ponder.check.reader import demand
from ponder.system.errors import CheckFailed
from ponder.system.limits import NEVER, Limits

Lines: TypeAlias = "str | bytes | Iterable[str] | Iterable[bytes]"
Clause: TypeAlias = tuple[int, ...]

MOST_PRESENT = 20_000_000  # literals of clauses that are there at a time; a clause counts as four
_STEPS = 1 << 12  # clauses and literals between two looks at the clock


def check_lrat(clauses: Iterable[Sequence[int]], proof: Lines, limits: Limits = NEVER) -> int:
    """Check that `proof` refutes `clauses`; return the number of lemmas, the empty one included.

    `proof` is the text, or its lines; the text after the empty clause is not read. Raises
    CheckFailed with the line and the reason, LimitReached.

    >>> square = [[1, 2], [1, -2], [-1, 2], [-1, -2]]
    >>> check_lrat(square, "5 1 0 1 2 0\\n6 0 5 3 4 0\\n")
    2
    """
    present = _Present(clauses, limits)
    if isinstance(proof, str | bytes):
        proof = io.BytesIO(proof.encode() if isinstance(proof, str) else proof)
    lemmas, number = 0, 0
    for number, line in enumerate(cast("Iterable[bytes]", proof), 1):
        words = line.split()
        present.step(2 + len(words))
        try:
            if len(words) > 1 and words[1] in (b"d", "d"):
                present.delete(_numbers(words[:1] + words[2:])[1:])
            elif words and words[0] not in (b"c", "c"):
                lemmas += 1
                if present.lemma(_numbers(words)):
                    return lemmas
        except CheckFailed as failure:
            raise CheckFailed(f"LRAT line {number}: {failure}") from None
        except KeyError as missing:
            raise CheckFailed(f"LRAT line {number}: there is no clause {missing}") from None
    raise CheckFailed(
        f"the proof never derives the empty clause: {number} lines, it may have been cut short"
    )


def _numbers(words: Sequence[str] | Sequence[bytes]) -> list[int]:
    """Return the integers of a line, which must end in a 0, without it."""
    try:
        numbers = list(map(int, words))
    except ValueError:
        raise CheckFailed("not in the LRAT format: a word that is not a number") from None
    if len(numbers) < 2 or numbers.pop():
        raise CheckFailed("not in the LRAT format: no 0 at its end, the line may be cut short")
    return numbers


class _Present:
    """The clauses that are there, by ids; once a RAT lemma asks, `where` literals occur."""

    def __init__(self, clauses: Iterable[Sequence[int]], limits: Limits) -> None:
        self.limits = limits
        self.steps = self.size = 0
        self.clauses: dict[int, Clause] = {}
        for name, clause in enumerate(clauses, 1):
            self.add(name, tuple(dict.fromkeys(map(int, clause))))
        self.last = len(self.clauses)
        self.where: dict[int, list[int]] | None = None

    def step(self, steps: int) -> None:
        """Look at the clock now and then. Raises TimeUp."""
        self.steps += steps
        if self.steps > _STEPS:
            self.steps = 0
            self.limits.check()

    def add(self, name: int, clause: Clause) -> None:
        """Add a clause. Raises LimitReached."""
        self.clauses[name] = clause
        self.size += 4 + len(clause)
        demand(self.size, MOST_PRESENT, "literals of the clauses of a proof")
        self.step(4 + len(clause))

    def delete(self, ids: list[int]) -> None:
        """Delete clauses. Raises KeyError if one is not there."""
        for name in ids:
            self.size -= 4 + len(self.clauses.pop(name))

    def lemma(self, numbers: list[int]) -> bool:
        """Check a lemma and add it; tell whether it is the empty clause."""
        try:
            end = numbers.index(0, 1)
        except ValueError:
            raise CheckFailed("not in the LRAT format: one 0 only, the line is cut short") from None
        name, lemma, hints = numbers[0], tuple(dict.fromkeys(numbers[1:end])), numbers[end + 1 :]
        if 0 in hints:
            raise CheckFailed("not in the LRAT format: a 0 among the hints")
        if name <= self.last:
            raise CheckFailed(f"the id {name} was used before, or is a clause's of the formula")
        false = set(lemma)
        if not self.falsified(false, hints, []) and not any(-x in false for x in lemma):
            self.resolvents(lemma, false, hints)
        self.add(name, lemma)
        self.last = name
        if self.where is not None:
            for x in lemma:
                self.where.setdefault(x, []).append(name)
        return not lemma

    def falsified(self, false: set[int], hints: list[int], fresh: list[int]) -> bool:
        """Follow hints up to a negative one; tell whether a clause is falsified by `false`."""
        for hint in hints:
            if hint < 0:
                break
            clause = self.clauses[hint]
            self.step(1 + len(clause))
            left = [x for x in clause if x not in false]
            if not left:
                return True
            if len(left) > 1:
                raise CheckFailed(f"clause {hint} is neither unit nor falsified")
            if -left[0] not in false:
                fresh.append(-left[0])
                false.add(-left[0])
        return False

    def resolvents(self, lemma: Clause, false: set[int], hints: list[int]) -> None:
        """Check that the lemma is RAT on its first literal: all resolvents are implied."""
        if not lemma:
            raise CheckFailed("the hints do not falsify any clause")
        starts = [i for i, hint in enumerate(hints) if hint < 0]
        ends = [*starts, len(hints)][1:]
        groups = {-hints[i]: hints[i + 1 : j] for i, j in zip(starts, ends, strict=True)}
        against = -lemma[0]
        for partner in self.having(against):
            self.step(4 + len(self.clauses[partner]))
            remaining = [x for x in self.clauses[partner] if x != against]
            if any(-x in false for x in remaining):
                continue  # the resolvent, with what was derived, is satisfied
            if partner not in groups:
                raise CheckFailed(f"no hints for clause {partner}, which has {against}")
            fresh = [x for x in remaining if x not in false]
            false.update(fresh)
            if not self.falsified(false, groups[partner], fresh):
                raise CheckFailed(f"the hints for clause {partner} do not falsify any clause")
            false.difference_update(fresh)
        for partner in groups:
            if against not in self.clauses[partner]:
                raise CheckFailed(f"hints for clause {partner}, which does not have {against}")

    def having(self, literal: int) -> list[int]:
        """Return the present clauses with a literal."""
        if self.where is None:
            self.where = {}
            for name, clause in self.clauses.items():
                self.step(1 + len(clause))
                for x in clause:
                    self.where.setdefault(x, []).append(name)
        names = [name for name in self.where.get(literal, ()) if name in self.clauses]
        self.step(len(names))
        self.where[literal] = names
        return names
