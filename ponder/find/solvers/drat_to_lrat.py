"""DRAT proofs, in which nothing is said of why a clause follows, made into LRAT proofs.

Idea. A DRAT proof adds clauses (lemmas) and deletes clauses until the empty clause is there. Going
*backwards* from the first falsified clause, each lemma that is needed is assumed false, and unit
propagation finds the clauses that falsify it: its hints. A lemma C without such a conflict may be
RAT on its first literal p: for every present clause D with ¬p, C ∪ (D − ¬p) follows by propagation.
Clauses known to be needed are propagated before all others, so that few lemmas are needed.
Deletions of unit clauses are ignored, as drat-trim does. Nobody trusts the outcome: `check.lrat`
reads it against the formula.

A *code* is a literal as a natural number: 2v for v, 2v + 1 for ¬v. The *trail* has the true codes
in the order of their derivation, `place[v]` is v's index on it, `reason[v]` the clause that made
v's literal true, −1 for an assumption. Each clause is watched by its first two literals.

Reference. N. Wetzler, M. Heule, W. Hunt, "DRAT-trim", SAT 2014. Cost. About a million clause visits
a second: 40,000 lemmas over 100,000 clauses in 4 s.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from ponder.system.errors import CheckFailed
from ponder.system.limits import NEVER, Limits

FRESH = 10_000  # gaps allowed in the numbers of a proof's own variables: tables grow with them
EMPTY = -1  # the number of the empty clause
_WIDEST = 63  # bits of a literal in a binary proof

Step = tuple[bool, list[int]]  # whether it deletes; distinct codes, in the proof's order


def lrat_of(
    proof: str | bytes, nvars: int, clauses: Iterable[Sequence[int]], limits: Limits = NEVER
) -> str:
    """Return an LRAT proof, given one in LRAT or in DRAT (text or binary), of a CNF formula.

    What looks like LRAT is returned as it is. Raises CheckFailed if a DRAT proof is malformed or
    does not refute the formula, and TimeUp.

    >>> lrat_of("1 0\\n0\\n", 2, [[1, 2], [1, -2], [-1, 2], [-1, -2]])
    '5 1 0 1 2 0\\n6 0 5 3 4 0\\n'
    """
    if isinstance(proof, bytes) and b"\0" in proof:  # as every binary step ends; no text has one
        steps = list(limits.over(_binary_steps(proof)))
    else:
        text = proof if isinstance(proof, str) else proof.decode("utf-8-sig", errors="replace")
        if _has_hints(text):
            return text
        steps = list(limits.over(_text_steps(text)))
    formula = [_codes(clause) for clause in limits.over(clauses)]
    highest = max((max(literals, default=0) for _, literals in steps), default=0)
    if highest >> 1 > nvars + len(steps) + FRESH:
        raise CheckFailed("the proof has a variable far beyond those in use")
    conversion = _Conversion(formula, max(highest, 2 * nvars) | 1, limits)
    conversion.forward(steps)
    conversion.backward()
    return "".join(conversion.lines())


def _has_hints(text: str) -> bool:
    """Whether a proof is LRAT: its first step names clauses, or has a second 0."""
    for line in islice(text.splitlines(), 1000):
        words = line.split()
        if words and words[0] != "c":
            return words[1:2] == ["d"] or words.count("0") > 1
    return False


def _codes(literals: Iterable[int]) -> list[int]:
    return list(dict.fromkeys([2 * x if x > 0 else 1 - 2 * x for x in map(int, literals)]))


def _text_of(codes: Iterable[int]) -> str:
    return "".join([f"-{code >> 1} " if code & 1 else f"{code >> 1} " for code in codes]) + "0"


def _is_tautology(codes: list[int]) -> bool:
    return len({code >> 1 for code in codes}) < len(codes)


def _text_steps(text: str) -> Iterator[Step]:
    """Yield the steps of a text: `1 -2 0` adds, `d 1 -2 0` deletes, `c` begins a remark.

    A step ends at its 0, perhaps some lines below.
    """
    deletes, literals, begun = False, list[int](), False
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if words[:1] == ["c"]:
            continue
        for word in words:
            if word == "d" and not begun:
                deletes = begun = True
            elif word == "0":
                yield deletes, _codes(literals)
                deletes, literals, begun = False, [], False
            elif re.fullmatch(r"-?[1-9]\d{0,9}", word, re.ASCII):
                literals.append(int(word))
                begun = True
            else:
                raise CheckFailed(f"proof line {number}: {word[:20]!r} is no literal")
    if begun:
        raise CheckFailed("the last step of the proof has no 0: the proof was cut short")


def _binary_steps(proof: bytes) -> Iterator[Step]:
    """Yield the steps of binary DRAT: `a` or `d`, then codes in groups of 7 bits, then 0."""
    at, number, end = 0, 0, len(proof)
    while at < end:
        number += 1
        kind = proof[at]
        if kind not in b"ad":
            raise CheckFailed(f"proof step {number}: begins with neither 'a' nor 'd'")
        at += 1
        literals: list[int] = []
        code = shift = 0
        while True:
            if at == end:
                raise CheckFailed(f"proof step {number}: unfinished: the proof was cut short")
            byte = proof[at]
            at += 1
            code |= (byte & 127) << shift  # lowest group first; the high bit: more follow
            shift += 7
            if shift > _WIDEST:
                raise CheckFailed(f"proof step {number}: a variable far beyond those in use")
            if byte < 128:
                if not code:
                    break
                if code == 1:
                    raise CheckFailed(f"proof step {number}: a literal without a variable")
                literals.append(code)
                code = shift = 0
        yield kind == ord("d"), list(dict.fromkeys(literals))


class _Conversion:
    """The clauses of formula and proof, numbered from 0, and the trail.

    `watch[code]` lists the present clauses of the formula and needed lemmas that watch `code`,
    `spare[code]` the other lemmas. Clauses of length 0 and 1 and tautologies are never watched.
    `hints` has, for a needed lemma, its unit clauses in order, then (unless it is RAT) the
    falsified one; `partners` the clauses D of a RAT lemma, each with hints.
    """

    def __init__(self, formula: list[list[int]], top: int, limits: Limits) -> None:
        self.limits = limits
        self.size = len(formula)
        self.clauses = formula
        self.present = bytearray(b"\1" * self.size)
        self.needed = bytearray(self.size)
        self.false = [0] * (top + 1)
        self.watch: list[list[int]] = [[] for _ in range(top + 1)]
        self.spare: list[list[int]] = [[] for _ in range(top + 1)]
        self.trail: list[int] = []
        self.place = [0] * (top // 2 + 1)
        self.reason = [-1] * (top // 2 + 1)
        self.seen = bytearray(top // 2 + 1)
        self.occurrences: list[list[int]] | None = None
        self.history: list[tuple[int, bool]] = []  # a clause, and whether it was added
        self.pivot: dict[int, int] = {}  # the first literal of each lemma
        self.hints: dict[int, list[int]] = {}
        self.partners: dict[int, list[tuple[int, list[int]]]] = {}

    # ........................................................................ from clause to clause

    def forward(self, steps: list[Step]) -> None:
        """Add and delete until a clause is falsified, which gets the hints of the empty clause."""
        conflict = self._formula_conflict()
        if conflict < 0:
            conflict = self._steps_conflict(steps)
        self._keep(EMPTY, conflict)

    def _formula_conflict(self) -> int:
        for number in self.limits.over(range(self.size)):
            if self._attach(number):
                return number
        return self._propagate(0)

    def _steps_conflict(self, steps: list[Step]) -> int:
        numbers: dict[tuple[int, ...], list[int]] = {}  # deletions name clauses by their literals
        if any(deletes for deletes, _ in steps):
            for number, clause in enumerate(self.clauses):
                numbers.setdefault(tuple(sorted(clause)), []).append(number)
        for deletes, literals in steps:
            equal = numbers.setdefault(tuple(sorted(literals)), [])
            if deletes:
                if equal and not self._is_unit(equal[-1]):
                    number = equal.pop()
                    self._detach(number)
                    self.history.append((number, False))
                continue
            if not literals:
                raise CheckFailed("the empty clause does not follow by unit propagation")
            number, before = len(self.clauses), len(self.trail)
            self.clauses.append(literals)
            self.present.append(1)
            self.needed.append(0)
            self.pivot[number] = literals[0]
            equal.append(number)
            self.history.append((number, True))
            conflict = number if self._attach(number) else self._propagate(before)
            if conflict >= 0:
                return conflict
        raise CheckFailed("the proof never derives the empty clause")

    def backward(self) -> None:
        """Undo all steps, and give hints to every lemma that a later one needs."""
        for number, added in reversed(self.history):
            if not added:
                self.present[number] = 1
                self._attach(number)
                continue
            self._detach(number)
            clause = self.clauses[number]
            for code in clause[:2]:  # the trail loses what it owes to the lemma
                if self.reason[code >> 1] == number and self.false[code ^ 1]:
                    self._undo(self.place[code >> 1])
            if self.needed[number] and not _is_tautology(clause):
                self._explain(number)

    def _explain(self, number: int) -> None:
        """Find the hints of a lemma against the clauses now present. Raises CheckFailed."""
        length = len(self.trail)
        for code in self.clauses[number]:
            if self.false[code ^ 1]:  # true already: assuming it false falsifies its reason
                self._keep(number, self.reason[code >> 1], code >> 1)
                break
            if not self.false[code]:
                self._assign(code ^ 1, -1)
        else:
            conflict = self._propagate(length)
            if conflict >= 0:
                self._keep(number, conflict)
            else:
                self._resolve(number)
        self._undo(length)

    def _resolve(self, number: int) -> None:
        """Find the hints of a lemma, assumed false, as RAT on its first literal."""
        against = self.pivot[number] ^ 1
        level = len(self.trail)
        common: set[int] = set()  # places on the trail
        groups: list[tuple[int, list[int]]] = []
        for partner in self._present_with(against):
            hints: list[int] = []
            for code in self.clauses[partner]:
                if code == against or self.false[code]:
                    continue
                if self.false[code ^ 1]:  # the partner holds already
                    known = self.reason[code >> 1]
                    if known >= 0:
                        common.update(self._antecedents(known, code >> 1))
                        common.add(self.place[code >> 1])
                    break
                self._assign(code ^ 1, -1)
            else:
                conflict = self._propagate(level)
                if conflict < 0:
                    lemma = _text_of(islice(self._lemma(number), 12))
                    raise CheckFailed(
                        f"the lemma {lemma} (its first literals) follows neither by unit "
                        "propagation nor as RAT on the first"
                    )
                places = self._antecedents(conflict)
                common.update(place for place in places if place < level)
                hints = [*self._reasons(place for place in places if place >= level), conflict]
            groups.append((partner, hints))
            self._undo(level)
        self.hints[number] = self._reasons(sorted(common))
        self.partners[number] = groups

    def _keep(self, number: int, conflict: int, but: int = 0) -> None:
        self.hints[number] = [*self._reasons(self._antecedents(conflict, but)), conflict]

    def _antecedents(self, conflict: int, but: int = 0) -> list[int]:
        """Mark what falsified a clause as needed; return the places of derived literals, ascending.

        The reason of variable `but` does not matter.
        """
        seen, clauses, reason = self.seen, self.clauses, self.reason
        seen[but] = 1
        touched, places, stack = [but], list[int](), [conflict]
        while stack:
            number = stack.pop()
            if not self.needed[number]:
                self._need(number)
            for code in clauses[number]:
                variable = code >> 1
                if not seen[variable]:
                    seen[variable] = 1
                    touched.append(variable)
                    if reason[variable] >= 0:
                        places.append(self.place[variable])
                        stack.append(reason[variable])
        for variable in touched:
            seen[variable] = 0
        return sorted(places)

    def _reasons(self, places: Iterable[int]) -> list[int]:
        return [self.reason[self.trail[place] >> 1] for place in places]

    def _present_with(self, code: int) -> list[int]:
        """Return the present clauses with a literal, no tautologies."""
        if self.occurrences is None:
            self.occurrences = [[] for _ in self.false]
            for number, clause in enumerate(self.clauses):
                if not _is_tautology(clause):
                    for x in clause:
                        self.occurrences[x].append(number)
        return [number for number in self.occurrences[code] if self.present[number]]

    # ............................................................................. unit propagation

    def _watched(self, number: int) -> list[list[int]]:
        return self.watch if number < self.size or self.needed[number] else self.spare

    def _need(self, number: int) -> None:
        """Mark a present clause as needed; its watches are visited early from now on."""
        if number >= self.size and len(self.clauses[number]) > 1:
            for code in self.clauses[number][:2]:
                self.spare[code].remove(number)
                self.watch[code].append(number)
        self.needed[number] = 1

    def _attach(self, number: int) -> bool:
        """Watch a clause; assign its literal if it is unit; tell whether it is falsified."""
        clause = self.clauses[number]
        if _is_tautology(clause):
            return False
        false, place = self.false, self.place
        open_codes = [code for code in clause if not false[code]]
        if len(clause) > 1:
            # Two literals that are not false, or else those that became false last, go first.
            closed = [code for code in clause if false[code]]
            closed.sort(key=lambda code: -place[code >> 1])
            self.clauses[number] = clause = open_codes + closed
            lists = self._watched(number)
            lists[clause[0]].append(number)
            lists[clause[1]].append(number)
        if len(open_codes) == 1 and not false[open_codes[0] ^ 1]:
            self._assign(open_codes[0], number)
        return not open_codes

    def _detach(self, number: int) -> None:
        self.present[number] = 0
        clause = self.clauses[number]
        if len(clause) > 1 and not _is_tautology(clause):
            for code in clause[:2]:
                self._watched(number)[code].remove(number)

    def _is_unit(self, number: int) -> bool:
        """Whether one literal is true and all others are false."""
        left = [code for code in self.clauses[number] if not self.false[code]]
        return len(left) == 1 and bool(self.false[left[0] ^ 1])

    def _assign(self, code: int, reason: int) -> None:
        self.false[code ^ 1] = 1
        self.place[code >> 1] = len(self.trail)
        self.reason[code >> 1] = reason
        self.trail.append(code)

    def _undo(self, length: int) -> None:
        for code in self.trail[length:]:
            self.false[code ^ 1] = 0
        del self.trail[length:]

    def _propagate(self, head: int) -> int:
        """Propagate the literals from `head` on; return a falsified clause, or −1."""
        self.limits.check()
        false, place, reason, trail = self.false, self.place, self.reason, self.trail
        clauses, watch, spare = self.clauses, self.watch, self.spare
        spare_head = head
        while True:
            if head < len(trail):  # what is needed anyway comes first
                literal, lists = trail[head] ^ 1, watch
                head += 1
            elif spare_head < len(trail):
                literal, lists = trail[spare_head] ^ 1, spare
                spare_head += 1
            else:
                return -1
            visits = lists[literal]
            if not visits:
                continue
            lists[literal] = kept = []
            rest = iter(visits)
            for number in rest:
                clause = clauses[number]
                other = clause[0]
                if other == literal:  # the false literal stands second
                    other = clause[1]
                    clause[0] = other
                    clause[1] = literal
                if false[other ^ 1]:  # the clause is satisfied
                    kept.append(number)
                    continue
                for k in range(2, len(clause)):  # look for another literal to watch
                    code = clause[k]
                    if not false[code]:
                        clause[1] = code
                        clause[k] = literal
                        lists[code].append(number)
                        break
                else:
                    kept.append(number)
                    if false[other]:  # all are false
                        kept.extend(rest)
                        return number
                    false[other ^ 1] = 1  # unit: the other one must hold
                    place[other >> 1] = len(trail)
                    reason[other >> 1] = number
                    trail.append(other)

    # ...................................................................................... writing

    def _lemma(self, number: int) -> list[int]:
        """Return a lemma's literals, the first one first."""
        pivot = self.pivot[number]
        return [pivot, *sorted(code for code in self.clauses[number] if code != pivot)]

    def lines(self) -> Iterator[str]:
        """Yield the needed lemmas as lines of LRAT, and deletions.

        Tautologies of the formula are deleted first: no RAT lemma has hints for them.
        """
        last, gone = self.size, [i for i in range(self.size) if _is_tautology(self.clauses[i])]
        for number, added in self.limits.over([*self.history, (EMPTY, True)]):
            if not added and (number < self.size or number in self.hints):
                gone.append(number)
            if not added or number not in self.hints:
                continue
            if gone:
                yield f"{last} d {' '.join(str(i + 1) for i in gone)} 0\n"
                gone = []
            last = len(self.clauses) + 1 if number == EMPTY else number + 1
            words = [str(i + 1) for i in self.hints[number]]
            for partner, hints in self.partners.get(number, ()):
                if partner < self.size or partner in self.hints:  # others are never written
                    words += [str(-partner - 1), *(str(i + 1) for i in hints)]
            yield f"{last} {_text_of([] if number == EMPTY else self._lemma(number))} "
            yield "".join(f"{word} " for word in words) + "0\n"
