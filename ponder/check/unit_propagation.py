"""Unit propagation with two watched literals, over clauses that come and go.

Idea. A clause can become unit or falsified only when one of two literals of it that are not false
becomes false. So every clause is listed under its first two literals only (its *watched* ones);
when one becomes false and the other is not true, it looks for another literal to watch. The
formula and the lemmas known to be needed are exhausted first; the *spare* lemmas are visited one
literal at a time when nothing else follows, so that what is derived rests on few of them.

Letters: a *code* is a literal as in `drat_format`; the *trail* has the true literals in the order
of their derivation, `place[v]` is v's index on it; a *reason* is the clause that made a variable's
literal true, −1 for an assumption. Reference. Moskewicz et al., "Chaff", DAC 2001. Cost. About a
million clause visits a second; memory O(literals), as lists.
"""

from __future__ import annotations

from ponder.check.drat_format import is_tautology
from ponder.check.limits import FREE, Budget

_BYTES_CODE = 160  # of a literal that may occur
_SOUGHT = 16  # entries of a list that are sought through in the time of a step


class Clauses:
    """The clauses, present and deleted, with two watched literals each, and the trail.

    Numbered: first the formula, then the lemmas as they are added. `watch[code]` lists the present
    clauses of the formula and the needed lemmas that watch `code`, `spare[code]` the other lemmas.
    Clauses of length 0 and 1 and tautologies are never watched. `marked[v]` is a caller's mark on a
    true literal, which it loses when it leaves the trail.
    """

    def __init__(self, formula: list[list[int]], top: int, budget: Budget = FREE) -> None:
        self.steps: int = 0
        self.budget = budget
        budget.hold(_BYTES_CODE * top)
        self.formula_size: int = len(formula)
        self.clauses = formula
        self.present: bytearray = bytearray(b"\1" * len(formula))
        self.needed: bytearray = bytearray(len(formula))
        self.false: list[int] = [0] * (top + 1)
        self.watch: list[list[int]] = [[] for _ in range(top + 1)]
        self.spare: list[list[int]] = [[] for _ in range(top + 1)]
        self.trail: list[int] = []
        self.place: list[int] = [0] * (top // 2 + 1)
        self.reason: list[int] = [-1] * (top // 2 + 1)
        self.marked: bytearray = bytearray(top // 2 + 1)
        self.occurrences: list[list[int]] | None = None

    def paid(self, least: int = 1 << 12) -> None:
        """Take the steps since off the budget, if there are at least `least`."""
        if self.steps >= least:
            self.budget.work(self.steps)
            self.steps = 0

    def add(self, literals: list[int]) -> int:
        """Add a lemma, which is not watched yet; return its number."""
        self.clauses.append(literals)
        self.present.append(1)
        self.needed.append(0)
        return len(self.clauses) - 1

    def delete(self, number: int) -> None:
        """Take a clause away."""
        self.present[number] = 0
        self.detach(number)

    def restore(self, number: int) -> None:
        """Bring a deleted clause back."""
        self.present[number] = 1
        self.attach(number)

    def need(self, number: int) -> None:
        """Mark a present clause as needed; its watches are visited early from now on."""
        if number >= self.formula_size and len(self.clauses[number]) > 1:
            for code in self.clauses[number][:2]:
                self.steps += len(self.spare[code]) // _SOUGHT
                self.spare[code].remove(number)
                self.watch[code].append(number)
        self.needed[number] = 1

    def attach(self, number: int) -> bool:
        """Watch a clause; assign its literal if it is unit; tell whether it is falsified."""
        clause = self.clauses[number]
        self.steps += 2 + len(clause)
        if is_tautology(clause):
            return False
        false, place = self.false, self.place
        open_ones = [code for code in clause if not false[code]]
        if len(clause) > 1:
            # Two literals that are not false, or else those that became false last, go first.
            if len(open_ones) < 2:
                rest = [code for code in clause if false[code]]
                rest.sort(key=lambda code: -place[code >> 1])
                self.clauses[number] = clause = open_ones + rest
            elif false[clause[0]] or false[clause[1]]:
                a, b = open_ones[:2]
                self.clauses[number] = clause = [a, b, *(x for x in clause if x not in (a, b))]
            lists = self.lists_of(number)
            lists[clause[0]].append(number)
            lists[clause[1]].append(number)
        if not open_ones:
            return True
        if len(open_ones) == 1 and not false[open_ones[0] ^ 1]:
            self.assign(open_ones[0], number)
        return False

    def detach(self, number: int) -> None:
        """Watch a clause no longer."""
        clause = self.clauses[number]
        self.steps += 2 + len(clause)
        if len(clause) > 1 and not is_tautology(clause):
            lists = self.lists_of(number)
            for code in clause[:2]:
                self.steps += len(lists[code]) // _SOUGHT
                lists[code].remove(number)

    def lists_of(self, number: int) -> list[list[int]]:
        """Return the lists that a clause is watched in."""
        return self.watch if number < self.formula_size or self.needed[number] else self.spare

    def is_unit(self, clause: list[int]) -> bool:
        """Whether one literal is true and all others are false."""
        false = self.false
        true = 0
        for code in clause:
            if not false[code]:
                if not false[code ^ 1]:
                    return False
                true += 1
        return true == 1

    def present_with(self, code: int) -> list[int]:
        """Return the present clauses with a literal, no tautologies; later none may be added."""
        if self.occurrences is None:
            self.occurrences = [[] for _ in self.false]
            for number, clause in enumerate(self.clauses):
                self.steps += 2 + len(clause)
                if not is_tautology(clause):
                    for x in clause:
                        self.occurrences[x].append(number)
        self.steps += len(self.occurrences[code])
        return [number for number in self.occurrences[code] if self.present[number]]

    def assign(self, code: int, reason: int) -> None:
        """Make a literal true."""
        self.false[code ^ 1] = 1
        self.place[code >> 1] = len(self.trail)
        self.reason[code >> 1] = reason
        self.trail.append(code)

    def undo(self, length: int) -> None:
        """Shorten the trail."""
        false, marked = self.false, self.marked
        for code in self.trail[length:]:
            false[code ^ 1] = 0
            marked[code >> 1] = 0
        del self.trail[length:]

    def propagate(self, head: int) -> int:
        """Propagate the literals from `head` on; return a falsified clause, or −1."""
        false, place, reason, trail = self.false, self.place, self.reason, self.trail
        clauses, watch, spare = self.clauses, self.watch, self.spare
        begin = spare_head = head
        conflict = -1
        steps = 0
        while conflict < 0:
            if head < len(trail):  # core clauses first: a conflict there needs no further clause
                lit = trail[head] ^ 1
                head += 1
                lists = watch
            elif spare_head < len(trail):
                lit = trail[spare_head] ^ 1
                spare_head += 1
                lists = spare
            else:
                break
            visits = lists[lit]
            if not visits:
                continue
            steps += 4 * len(visits)
            lists[lit] = kept = []
            rest = iter(visits)
            for number in rest:
                clause = clauses[number]
                other = clause[0]
                if other == lit:  # the false literal stands second
                    other = clause[1]
                    clause[0] = other
                    clause[1] = lit
                if false[other ^ 1]:  # the clause is satisfied
                    kept.append(number)
                    continue
                for k in range(2, len(clause)):  # look for another literal to watch
                    code = clause[k]
                    if not false[code]:
                        clause[1] = code
                        clause[k] = lit
                        lists[code].append(number)
                        steps += k
                        break
                else:
                    steps += len(clause)
                    kept.append(number)
                    if false[other]:  # all are false
                        kept.extend(rest)
                        conflict = number
                        break
                    false[other ^ 1] = 1  # unit: the other one must hold
                    place[other >> 1] = len(trail)
                    reason[other >> 1] = number
                    trail.append(other)
        self.steps += steps + 2 * (len(trail) - begin)
        self.paid()
        return conflict
