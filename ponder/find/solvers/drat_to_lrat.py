"""DRAT proofs, in which nothing is said of why a clause follows, made into LRAT proofs.

Idea. A DRAT proof adds clauses (lemmas) and deletes clauses until the empty clause is there. Each
lemma in turn is assumed false, and unit propagation finds the clauses that falsify it: its hints. A
lemma C without such a conflict may be RAT on its first literal p: for every present clause D with
¬p, C ∪ (D − ¬p) follows by propagation. Only lemmas that the empty clause depends on are written,
and only they must follow. Deletions of unit clauses are ignored, as drat-trim does. The outcome
need not be trusted: `check.lrat` checks it against the formula.

A *code* is a literal as a natural number: 2v for v, 2v + 1 for ¬v. The *trail* has the true codes
in the order of their derivation, `place[v]` is v's index on it, `reason[v]` the clause that made
v's literal true, −1 for an assumption. Each clause is watched by its first two literals.

Reference. N. Wetzler, M. Heule, W. Hunt, "DRAT-trim", SAT 2014. Cost. About a million clause visits
a second: a proof of 12,000 lemmas takes 2 s.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from ponder.system.errors import CheckFailed
from ponder.system.limits import NEVER, Limits

FRESH = 10_000  # gaps allowed in the numbers of a proof's own variables: tables grow with them
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
    conversion = _Conversion(max(highest, 2 * nvars) | 1, limits)
    last = conversion.run(formula, steps)
    return "".join(conversion.lines(last))


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
    kind, literals, code, shift = 0, list[int](), 0, 0
    for byte in proof:
        if not kind:
            kind = byte
            if kind not in b"ad":
                hint = "binary LRAT is not read: write it as text"
                raise CheckFailed(f"no step of binary DRAT begins with the byte {kind} ({hint})")
            continue
        code |= (byte & 127) << shift  # lowest group first; the high bit: more follow
        shift += 7
        if shift > _WIDEST:
            raise CheckFailed("the binary proof has a variable far beyond those in use")
        if byte < 128:
            if code == 1:
                raise CheckFailed("the binary proof has a literal without a variable")
            if code:
                literals.append(code)
            else:
                yield kind == ord("d"), list(dict.fromkeys(literals))
                kind, literals = 0, []
            code = shift = 0
    if kind:
        raise CheckFailed("the last step of the proof is unfinished: the proof was cut short")


class _Conversion:
    """The clauses of formula and proof, numbered from 1, and the trail.

    `watch[code]` lists the present clauses of at least two literals that watch `code`; tautologies
    are never present. `hints` has, for a lemma that follows, its unit clauses in order, then,
    unless it is RAT, the falsified one; `partners` the clauses D of a RAT lemma, each with hints.
    `first` has the first literal of each lemma, 0 for the empty clause.
    """

    def __init__(self, top: int, limits: Limits) -> None:
        self.limits = limits
        self.clauses: list[list[int]] = [[]]
        self.present = bytearray(1)
        self.false = [0] * (top + 1)
        self.watch: list[list[int]] = [[] for _ in range(top + 1)]
        self.trail: list[int] = []
        self.place = [0] * (top // 2 + 1)
        self.reason = [-1] * (top // 2 + 1)
        self.seen = bytearray(top // 2 + 1)
        self.occurrences: list[list[int]] | None = None  # made for the first RAT lemma
        self.history: list[tuple[int, bool]] = []  # a clause, and whether it was added
        self.first: dict[int, int] = {}
        self.hints: dict[int, list[int]] = {}
        self.partners: dict[int, list[tuple[int, list[int]]]] = {}

    # ........................................................................ from clause to clause

    def run(self, formula: list[list[int]], steps: list[Step]) -> int:
        """Add and delete until a clause is falsified; return the number of the empty clause."""
        conflict = 0
        for clause in self.limits.over(formula):
            falsified = self._add(clause)
            conflict = conflict or falsified
        conflict = conflict or self._propagate(0)
        numbers: dict[tuple[int, ...], list[int]] = {}  # deletions name clauses by their literals
        if any(deletes for deletes, _ in steps):
            for number, clause in enumerate(self.clauses):
                if self.present[number]:
                    numbers.setdefault(tuple(sorted(clause)), []).append(number)
        for deletes, literals in steps:
            if conflict:
                break
            if not deletes and not literals:
                raise CheckFailed("the empty clause does not follow by unit propagation")
            if _is_tautology(literals):
                continue
            equal = numbers.setdefault(tuple(sorted(literals)), [])
            if not deletes:
                number, length = len(self.clauses), len(self.trail)
                self._explain(number, literals)
                self.first[number] = literals[0]
                self.history.append((number, True))
                equal.append(number)
                conflict = self._add(literals) or self._propagate(length)
            elif equal and not self._is_unit(equal[-1]):
                self.history.append((equal[-1], False))
                self._remove(equal.pop())
        if not conflict:
            raise CheckFailed("the proof never derives the empty clause")
        last = len(self.clauses)
        self.first[last] = 0
        self.history.append((last, True))
        self._keep(last, conflict)
        return last

    def _explain(self, number: int, lemma: list[int]) -> None:
        """Find the hints of a lemma against the clauses now present, if it follows."""
        length = len(self.trail)
        for code in lemma:
            if self.false[code ^ 1]:  # true already: assuming it false falsifies its reason
                self._keep(number, self.reason[code >> 1], code >> 1)
                break
            if not self.false[code]:
                self._assign(code ^ 1, -1)
        else:
            conflict = self._propagate(length)
            if conflict:
                self._keep(number, conflict)
            else:
                self._resolve(number, lemma[0] ^ 1)
        self._undo(length)

    def _resolve(self, number: int, against: int) -> None:
        """Find the hints of a lemma, assumed false, as RAT on its first literal, if it is."""
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
                if not conflict:
                    return
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
        """Return the places of the derived literals that falsified a clause, ascending.

        The reason of variable `but` does not matter.
        """
        seen, clauses, reason = self.seen, self.clauses, self.reason
        seen[but] = 1
        touched, places, stack = [but], list[int](), [conflict]
        while stack:
            for code in clauses[stack.pop()]:
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
        """Return the present clauses with a literal."""
        if self.occurrences is None:
            self.occurrences = [[] for _ in self.false]
            for number, clause in enumerate(self.clauses):
                for x in clause:
                    self.occurrences[x].append(number)
        return [number for number in self.occurrences[code] if self.present[number]]

    # ............................................................................. unit propagation

    def _add(self, clause: list[int]) -> int:
        """Watch a clause, assign its literal if it is unit; return its number if falsified."""
        number = len(self.clauses)
        self.clauses.append(clause)
        self.present.append(not _is_tautology(clause))
        if not self.present[number]:
            return 0
        if self.occurrences is not None:
            for code in clause:
                self.occurrences[code].append(number)
        open_codes = [code for code in clause if not self.false[code]]
        if len(clause) > 1:
            # Two literals that are not false, or else those that became false last, go first.
            closed = [code for code in clause if self.false[code]]
            closed.sort(key=lambda code: -self.place[code >> 1])
            self.clauses[number] = clause = open_codes + closed
            self.watch[clause[0]].append(number)
            self.watch[clause[1]].append(number)
        if len(open_codes) == 1 and not self.false[open_codes[0] ^ 1]:
            self._assign(open_codes[0], number)
        return 0 if open_codes else number

    def _remove(self, number: int) -> None:
        self.present[number] = 0
        clause = self.clauses[number]
        if len(clause) > 1:
            for code in clause[:2]:
                self.watch[code].remove(number)

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
        """Propagate the literals from `head` on; return a falsified clause, or 0."""
        self.limits.check()
        false, place, reason, trail = self.false, self.place, self.reason, self.trail
        clauses, watch = self.clauses, self.watch
        while head < len(trail):
            literal = trail[head] ^ 1
            head += 1
            visits = watch[literal]
            watch[literal] = kept = []
            rest = iter(visits)
            for number in rest:
                clause = clauses[number]
                partner = clause[0]
                if partner == literal:  # the false literal stands second
                    partner = clause[1]
                    clause[0] = partner
                    clause[1] = literal
                if false[partner ^ 1]:  # the clause is satisfied
                    kept.append(number)
                    continue
                for k in range(2, len(clause)):  # look for another literal to watch
                    code = clause[k]
                    if not false[code]:
                        clause[1] = code
                        clause[k] = literal
                        watch[code].append(number)
                        break
                else:
                    kept.append(number)
                    if false[partner]:  # all are false
                        kept.extend(rest)
                        return number
                    false[partner ^ 1] = 1  # unit: the other one must hold
                    place[partner >> 1] = len(trail)
                    reason[partner >> 1] = number
                    trail.append(partner)
        return 0

    # ...................................................................................... writing

    def lines(self, last: int) -> Iterator[str]:
        """Yield the lemmas on which the `last`, the empty clause, rests, and deletions.

        Tautologies of the formula are deleted first: no RAT lemma has hints for them.
        """
        needed = {last}
        for number in sorted(self.first, reverse=True):
            if number in needed:
                if number not in self.hints:
                    lemma = _text_of(self._literals(number)[:12])
                    raise CheckFailed(
                        f"the lemma {lemma} (its first literals) follows neither by unit "
                        "propagation nor as RAT on the first"
                    )
                needed.update(self.hints[number])
                for _, hints in self.partners.get(number, ()):
                    needed.update(hints)
        kept = needed | (set(range(last)) - set(self.first))  # the formula is there anyway
        gone = [k for k in range(1, last) if k in kept and _is_tautology(self.clauses[k])]
        name = last - len(self.first)
        for number, added in self.limits.over(self.history):
            if number not in kept:
                continue
            if not added:
                gone.append(number)
                continue
            if gone:
                yield f"{name} d {' '.join(map(str, gone))} 0\n"
                gone = []
            name = number
            words = list(map(str, self.hints[number]))
            for partner, hints in self.partners.get(number, ()):
                if partner in kept:  # others are never written
                    words += [str(-partner), *map(str, hints)]
            yield f"{number} {_text_of(self._literals(number))} {' '.join(words)} 0\n"

    def _literals(self, number: int) -> list[int]:
        """Return a lemma's literals, the first one first."""
        first = self.first[number]
        return [first, *sorted({*self.clauses[number]} - {first})] if first else []
