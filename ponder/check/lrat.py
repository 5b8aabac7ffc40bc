"""LRAT proofs: DRAT proofs with hints, so that checking needs no search.

Idea. Every lemma lists the clauses that become unit, in order, when its literals are assumed
false, and last the clause that is then falsified. A RAT lemma continues: for every present clause
D with the negated first literal, −(number of D) and the hints for C ∪ (D − ¬p). The checker only
follows; nothing is watched, nothing is propagated.

    ⟨id⟩ ⟨literals⟩ 0 ⟨hints⟩ 0         a lemma
    ⟨id⟩ d ⟨ids⟩ 0                      deletions

The clauses of the formula have the ids 1 … m. Formally verified checkers read the same files
(`cake_lpr`, the ACL2 and Coq checkers); this one is meant to be so short that it can be read.

Reference. L. Cruz-Filipe, M. Heule, W. Hunt, M. Kaufmann, P. Schneider-Kamp, "Efficient certified
RAT verification", CADE 2017.

Cost. O(literals in the clauses that hints name); for a RAT lemma a pass over all clauses as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ponder.errors import CheckFailed


def check_lrat(clauses: Iterable[Sequence[int]], proof: str | Iterable[str]) -> int:
    """Check that `proof` refutes `clauses`; return the number of lemmas, the empty one included.

    CheckFailed with the line and the reason if it does not.

    >>> square = [[1, 2], [1, -2], [-1, 2], [-1, -2]]
    >>> check_lrat(square, "5 1 0 1 2 0\\n6 0 5 3 4 0\\n")
    2
    >>> check_lrat(square, "5 1 0 1 3 0\\n")
    Traceback (most recent call last):
    ponder.errors.CheckFailed: LRAT line 1: clause 3 is neither unit nor falsified
    """
    present = {i: frozenset(int(x) for x in clause) for i, clause in enumerate(clauses, 1)}
    lemmas = last = 0
    for number, line in enumerate(proof.splitlines() if isinstance(proof, str) else proof, 1):
        words = line.split()
        if not words or words[0] == "c":
            continue
        deletes = words[1:2] == ["d"]
        try:
            name = int(words[0])
            end = 1 if deletes else words.index("0", 1)
            lemma = [int(x) for x in words[1:end]]
            hints = _numbers(words[end + 1 :])
        except ValueError:
            raise CheckFailed(f"LRAT line {number}: not in the LRAT format") from None
        try:
            if deletes:
                for clause_id in hints:
                    del present[clause_id]
                continue
            if name in present or name <= last:
                raise CheckFailed(f"the id {name} was used before")
            _check_lemma(present, lemma, hints)
        except CheckFailed as failure:
            raise CheckFailed(f"LRAT line {number}: {failure}") from None
        except KeyError as missing:
            raise CheckFailed(f"LRAT line {number}: there is no clause {missing}") from None
        lemmas += 1
        if not lemma:
            return lemmas
        present[name], last = frozenset(lemma), name
    raise CheckFailed("the proof never derives the empty clause")


def _numbers(words: list[str]) -> list[int]:
    """Return the integers before the 0 that must end a line."""
    numbers = [int(word) for word in words]
    if not numbers or numbers.pop() != 0 or 0 in numbers:
        raise ValueError("no 0 at the end, or one before it")
    return numbers


def _check_lemma(present: dict[int, frozenset[int]], lemma: list[int], hints: list[int]) -> None:
    """Follow the hints; CheckFailed where they do not lead to a falsified clause."""
    starts = [i for i, hint in enumerate(hints) if hint < 0]
    true = {-x for x in lemma}
    if any(x in true for x in lemma):
        return  # a tautology
    if _follow(present, true, hints[: starts[0]] if starts else hints):
        return
    if not lemma:
        raise CheckFailed("the hints do not falsify any clause")
    pivot = lemma[0]
    ends = [*starts, len(hints)][1:]
    groups = {-hints[i]: hints[i + 1 : j] for i, j in zip(starts, ends, strict=True)}
    for partner, clause in present.items():
        if -pivot not in clause:
            continue
        assumed = true | {-x for x in clause if x != -pivot}
        if any(-x in assumed for x in assumed):
            continue  # the resolvent, with what was derived, is satisfied
        if partner not in groups:
            raise CheckFailed(f"no hints for clause {partner}, which has {-pivot}")
        if not _follow(present, assumed, groups[partner]):
            raise CheckFailed(f"the hints for clause {partner} do not falsify any clause")


def _follow(present: dict[int, frozenset[int]], true: set[int], hints: list[int]) -> bool:
    """Make the unit clauses' literals true, in order; tell whether a clause was falsified."""
    for hint in hints:
        left = [x for x in present[hint] if -x not in true]
        if not left:
            return True
        if len(left) > 1:
            raise CheckFailed(f"clause {hint} is neither unit nor falsified")
        true.add(left[0])
    return False
