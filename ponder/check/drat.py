"""DRAT proofs: does a list of lemmas show that a CNF formula has no model?

Idea. A proof adds clauses (lemmas) and deletes clauses until the empty clause is there. A lemma C
is accepted when it is
    RUP  assuming every literal of C false, unit propagation finds a falsified clause; or
    RAT  on its first literal p: for every present clause D with ¬p, C ∪ (D − ¬p) is RUP.
Checking goes *backwards* from the first falsified clause, and only lemmas that something rests on
are checked. What is needed is propagated first (`unit_propagation`, whose letters these are).
Deletions of unit clauses are ignored, as drat-trim does: that is always sound.

Reference. Wetzler, Heule, Hunt, "DRAT-trim", SAT 2014. Cost. Pure Python, about a million clause
visits a second: 40,000 lemmas over 100,000 clauses in 4 s. Memory O(formula + proof).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TextIO

from ponder.check.drat_format import (
    EMPTY,
    DratStep,
    Hints,
    Proof,
    clause_text,
    codes_of,
    is_tautology,
    parse_drat,
    shown,
)
from ponder.check.limits import FREE, Budget
from ponder.check.unit_propagation import Clauses
from ponder.system.errors import CheckFailed

FRESH = 10_000  # gaps allowed in the numbers of a proof's own variables: tables grow with them


@dataclass(frozen=True)
class Statistics:
    """Numbers of lemmas: up to the first empty clause (`written`), up to the first falsified one
    (`lemmas`), needed and `checked`, and of these as RAT (`rat`).
    """

    written: int
    lemmas: int
    checked: int
    rat: int


def check_drat(
    nvars: int,
    clauses: Iterable[Sequence[int]],
    proof: Proof,
    *,
    every: bool = False,
    explicit: bool = False,
    lrat: TextIO | None = None,
    budget: Budget = FREE,
) -> Statistics:
    """Check that `proof` refutes `clauses`. Raises CheckFailed with the line and the reason if not.

    `clauses` have literals of 1 … `nvars`, DIMACS style. `proof` is DRAT: the text, its lines, or
    bytes (text or binary); its own variables are numbered without large gaps.

    every     check all lemmas before the first falsified clause, not only the needed ones
    explicit  demand the empty clause itself (a line `0`), so that a file cut short is noticed
    lrat      a text file that receives the needed lemmas with hints, in the LRAT format
    budget    every step is taken off it

    >>> square = [[1, 2], [1, -2], [-1, 2], [-1, -2]]
    >>> check_drat(2, square, "1 0\\n0\\n").lemmas
    1
    """
    formula = list(budget.clauses(codes_of(clause, nvars) for clause in clauses))
    steps = list(budget.clauses(parse_drat(proof)))
    lemmas = [not step.literals for step in steps if not step.deletes]
    if explicit and not any(lemmas):
        raise CheckFailed("the proof never adds the empty clause: it may have been cut short")
    present = Clauses(formula, _top(nvars, formula, steps), budget)
    check = _Check(present, None if lrat is None else Hints())
    checked = check.backward(check.forward(steps), every)
    present.paid(1)
    if lrat is not None:
        check.write_hints(lrat)
    return Statistics(
        written=1 + lemmas.index(True) if any(lemmas) else len(lemmas),
        lemmas=len(check.lemmas),
        checked=checked,
        rat=check.rat,
    )


def _top(nvars: int, formula: list[list[int]], steps: list[DratStep]) -> int:
    """Return the largest code there is. Raises CheckFailed if a lemma's numbers have large gaps."""
    beyond = nvars + len({code >> 1 for step in steps for code in step.literals}) + FRESH
    for step in steps:
        if step.literals and max(step.literals) >> 1 > beyond:
            raise CheckFailed(f"proof line {step.line}: a variable far beyond those in use")
    clauses = chain(formula, (step.literals for step in steps))
    return max((max(clause, default=0) for clause in clauses), default=0) | 1


class _Check:
    """The steps of a proof, taken until a clause is falsified, then undone one by one.

    `history` are pairs (clause, whether it was added), `lemmas` the first literal of each and its
    line. Beyond `top` the trail has what was derived for the lemma that is being checked.
    """

    def __init__(self, present: Clauses, hints: Hints | None) -> None:
        self.present, self.hints = present, hints
        self.history: list[tuple[int, bool]] = []
        self.lemmas: dict[int, tuple[int, int]] = {}
        self.seen = bytearray(len(present.reason))
        self.top = self.rat = 0

    def forward(self, steps: list[DratStep]) -> int:
        """Add and delete until a clause is falsified; return it. Raises CheckFailed if none is."""
        present = self.present
        for number in range(present.formula_size):  # the formula itself
            present.paid()
            if present.attach(number):
                return number
        conflict = present.propagate(0)
        if conflict >= 0:
            return conflict
        same: dict[tuple[int, ...], list[int]] = {}  # deletions name clauses by their literals
        if any(step.deletes for step in steps):
            for number, clause in enumerate(present.clauses):
                same.setdefault(tuple(sorted(clause)), []).append(number)
        for step in steps:  # the proof, until a clause is falsified
            present.paid()
            key = tuple(sorted(step.literals))
            if step.deletes:
                found = same.get(key)
                if found and not present.is_unit(present.clauses[found[-1]]):
                    present.delete(found[-1])
                    self.history.append((found.pop(), False))
                continue
            if not step.literals:
                raise CheckFailed(
                    f"proof line {step.line}: the empty clause does not follow by unit propagation"
                )
            number = present.add(step.literals)
            self.lemmas[number] = step.literals[0], step.line
            same.setdefault(key, []).append(number)
            self.history.append((number, True))
            before = len(present.trail)
            conflict = number if present.attach(number) else present.propagate(before)
            if conflict >= 0:
                return conflict
        raise CheckFailed("the proof never derives the empty clause")

    def backward(self, conflict: int, every: bool) -> int:
        """Undo all steps and check the needed lemmas; return how many there were."""
        present, self.top = self.present, len(self.present.trail)
        self.keep(EMPTY, self.antecedents(conflict), conflict)
        checked = 0
        for number, added in reversed(self.history):
            present.paid()
            if not added:
                present.restore(number)
                continue
            self.remove(number)
            if (present.needed[number] or every) and not is_tautology(present.clauses[number]):
                checked += 1
                self.check(number)
        return checked

    def remove(self, number: int) -> None:
        """Take back a lemma, and what the trail owes to it: all else on it stays complete."""
        present = self.present
        present.delete(number)
        for code in present.clauses[number][:2]:
            if present.reason[code >> 1] == number and present.false[code ^ 1]:
                present.undo(present.place[code >> 1])

    def check(self, number: int) -> None:
        """Check the removed lemma against the clauses now present. Raises CheckFailed."""
        present = self.present
        self.top = len(present.trail)
        for code in present.clauses[number]:
            if present.false[code ^ 1]:  # true already: assuming it false falsifies its reason
                known = present.reason[code >> 1]
                self.keep(number, self.antecedents(known, code >> 1), known)
                break
            if not present.false[code]:
                present.assign(code ^ 1, -1)
        else:
            conflict = present.propagate(self.top)
            if conflict >= 0:
                self.keep(number, self.antecedents(conflict), conflict)
            else:
                self.check_rat(number)
        present.undo(self.top)

    def check_rat(self, number: int) -> None:
        """Check the lemma, whose negation has been propagated, as RAT on its first literal."""
        present = self.present
        against = self.lemmas[number][0] ^ 1
        level = len(present.trail)
        common: set[int] = set()
        groups: list[tuple[int, list[int]]] = []
        for partner in present.present_with(against):  # every clause with the negated literal
            present.steps += 4 + 2 * len(present.clauses[partner])
            present.paid()
            own: list[int] = []
            for code in present.clauses[partner]:
                if code == against or present.false[code]:
                    continue
                if present.false[code ^ 1]:  # the partner holds already
                    known = present.reason[code >> 1]
                    if known >= 0:
                        common.update(self.antecedents(known, code >> 1))
                        common.add(present.place[code >> 1])
                    break
                present.assign(code ^ 1, -1)
            else:
                conflict = present.propagate(level)  # the resolvent is falsified: is it implied?
                if conflict < 0:
                    lemma, (_, line) = self.lemma(number), self.lemmas[number]
                    raise CheckFailed(
                        f"proof line {line}: the clause {shown(lemma)} is neither implied by "
                        f"unit propagation nor RAT on {clause_text(lemma[:1])[:-2]}"
                    )
                places = self.antecedents(conflict)
                common.update(place for place in places if place < level)
                own = [*self.reasons(place for place in places if place >= level), conflict]
            groups.append((partner, own))
            present.undo(level)
        self.rat += 1
        if self.hints is not None:
            self.hints.unit[number] = self.reasons(sorted(common))
            self.hints.partners[number] = groups

    def antecedents(self, conflict: int, but: int = 0) -> list[int]:
        """Mark what falsified a clause as needed; return the places of derived literals, ascending.

        The reason of variable `but` does not matter. Without hints, what is explained is left out.
        """
        present, seen = self.present, self.seen
        clauses, needed = present.clauses, present.needed
        place, reason = present.place, present.reason
        explained = present.marked if self.hints is None else None
        seen[but] = 1
        touched = [but]
        places: list[int] = []
        todo = [conflict]  # walk back from the conflict through the reasons
        while todo:
            number = todo.pop()
            if not needed[number]:
                present.need(number)
            present.steps += 2 + 2 * len(clauses[number])
            for code in clauses[number]:
                var = code >> 1
                if seen[var]:
                    continue
                seen[var] = 1
                touched.append(var)
                why = reason[var]
                if why >= 0 and not (explained and explained[var]):
                    places.append(place[var])
                    todo.append(why)
        for var in touched:
            seen[var] = 0
        for at in places:  # what lies below the top is marked for later
            if at < self.top:
                present.marked[present.trail[at] >> 1] = 1
        places.sort()
        return places

    def reasons(self, places: Iterable[int]) -> list[int]:
        """Return the reasons of the literals at some places of the trail."""
        return [self.present.reason[self.present.trail[place] >> 1] for place in places]

    def keep(self, number: int, places: list[int], conflict: int) -> None:
        """Keep the hints of a RUP lemma: its unit clauses in order, then the falsified one."""
        if self.hints is not None:
            self.hints.unit[number] = [*self.reasons(places), conflict]

    def lemma(self, number: int) -> list[int]:
        """Return a lemma's literals, the first one first."""
        pivot, _ = self.lemmas[number]
        return [pivot, *sorted(code for code in self.present.clauses[number] if code != pivot)]

    def write_hints(self, out: TextIO) -> None:
        """Write the needed lemmas in the LRAT format."""
        if self.hints is not None:
            formula = self.present.clauses[: self.present.formula_size]
            lemmas = {number: self.lemma(number) for number in self.lemmas}
            self.hints.write(out, formula, self.history, lemmas)
