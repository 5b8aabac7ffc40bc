"""DRAT proofs: does a list of lemmas show that a CNF formula has no model?

Idea. A proof adds clauses (lemmas) and deletes clauses until the empty clause is there. A lemma C
is accepted when it is
    RUP  assuming every literal of C false, unit propagation finds a falsified clause; or
    RAT  on its first literal p: for every present clause D with ¬p, C ∪ (D − ¬p) is RUP.
RUP lemmas are implied; RAT lemmas may remove models but never the last one. So when the empty
clause is RUP, the formula that the proof began with has no model.

Checking goes *backwards*. A forward pass adds and deletes without checking, keeping the top-level
trail (all that unit propagation alone derives), until a clause is falsified. From there the steps
are undone one by one; a lemma is checked when the falsified clause, or a lemma already checked,
made use of it, and its own antecedents are then marked as needed. Propagation prefers the formula
and the needed lemmas over the others ("core first"), so that few lemmas become needed.

Letters
    C, D      clauses; p the first literal of a lemma
    code      a literal as a natural number: 2v for v, 2v + 1 for ¬v, so that ¬ is `^ 1`
    trail     the true literals in the order of their derivation; `place[v]` is v's index on it
    reason    the clause that made a variable's literal true; −1 for an assumption

Reference. N. Wetzler, M. Heule, W. Hunt, "DRAT-trim: efficient checking and trimming using
expressive clausal proofs", SAT 2014; L. Cruz-Filipe, M. Heule, W. Hunt, M. Kaufmann, P.
Schneider-Kamp, "Efficient certified RAT verification", CADE 2017 (LRAT).

Departures. (1) Deletions of unit clauses are ignored, as drat-trim does, but "unit" is defined by
the top-level trail (one literal true, all others false) and not by which clause happened to become
the reason. It changes no verdict: such a clause blocks a RAT lemma only where its reason does too.
Ignoring a deletion is always sound. (2) The formula itself counts as needed from the start; only
lemmas are kept back, because only lemmas cost a check.

Cost. Pure Python, about a million clause visits a second: 40,000 lemmas of CaDiCaL's over 100,000
clauses in 4 s, 48,000 of Glucose's, which forgets little, over 297 in 66 s. Memory O(formula +
proof), as Python lists.

Trust. This module imports nothing but the standard library and `ponder.errors`: it shares no code
with the encoders, with the solvers or with what runs them. What it establishes is that the *given
clauses* have no model; that these clauses say what the board says rests on the encoder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TextIO, TypeAlias, TypeVar

from ponder.errors import CheckFailed

Proof: TypeAlias = "str | bytes | Iterable[str]"
Item = TypeVar("Item")

SHOWN = 12  # literals of a clause that a message shows
WIDEST = 63  # bits of a literal in a binary proof
FRESH = 10_000  # gaps allowed in the numbers of a proof's own variables: tables grow with them
EMPTY = -1  # stands for the empty clause where lemmas are named by their numbers


class Stopped(Exception):
    """The check was given up because its `stop` said so; nothing is known of the proof."""


@dataclass(frozen=True)
class Statistics:
    """What was checked.

    `lemmas`, `deletions`  steps of the proof, up to the first falsified clause
    `ignored`              deletions ignored: unit clauses, and clauses that are not there
    `checked`, `rat`       lemmas that were needed and checked; how many of them as RAT
    `core`                 clauses of the formula that were used
    `propagations`         literals that unit propagation derived
    """

    lemmas: int
    deletions: int
    ignored: int
    checked: int
    rat: int
    core: int
    propagations: int


@dataclass(frozen=True)
class _Step:
    """One line of a proof. `literals` as codes, without repetition, in the proof's order."""

    line: int
    deletes: bool
    literals: list[int]


def check_drat(
    nvars: int,
    clauses: Iterable[Sequence[int]],
    proof: Proof,
    *,
    every: bool = False,
    explicit: bool = False,
    lrat: TextIO | None = None,
    stop: Callable[[], bool] | None = None,
) -> Statistics:
    """Check that `proof` refutes `clauses`; CheckFailed with the line and the reason if not.

    `clauses` are sequences of nonzero integers of absolute value at most `nvars`, DIMACS style.
    `proof` is DRAT: the text, its lines, or bytes (text or binary). Proofs may use variables
    beyond `nvars`, numbered without large gaps. An empty proof is accepted when unit propagation
    refutes the formula.

    every     check all lemmas before the first falsified clause, not only the needed ones
    explicit  demand that the proof adds the empty clause itself (a line `0`), even where unit
              propagation makes that superfluous, so that a file cut at its end is noticed
    lrat      a text file that receives the needed lemmas with hints, in the LRAT format
    stop      asked from time to time; `Stopped` is raised when it says True

    >>> square = [[1, 2], [1, -2], [-1, 2], [-1, -2]]
    >>> check_drat(2, square, "1 0\\n0\\n").lemmas
    1
    >>> check_drat(2, square, "0\\n")
    Traceback (most recent call last):
    ponder.errors.CheckFailed: proof line 1: the empty clause does not follow by unit propagation
    """
    stop = stop or _never
    formula = [_codes_of(clause, nvars) for clause in _until(stop, clauses)]
    steps = list(_until(stop, parse_drat(proof)))
    if explicit and not any(not step.deletes and not step.literals for step in steps):
        raise CheckFailed("the proof never adds the empty clause: it may have been cut short")
    beyond = nvars + sum(len(step.literals) for step in steps) + FRESH
    for step in steps:
        if step.literals and max(step.literals) >> 1 > beyond:
            raise CheckFailed(f"proof line {step.line}: a variable far beyond those in use")
    checker = _Backward(formula, steps, keep_hints=lrat is not None, stop=stop)
    statistics = checker.run(every)
    if lrat is not None:
        checker.write_lrat(lrat)
    return statistics


def _never() -> bool:
    return False


def _until(stop: Callable[[], bool], items: Iterable[Item], every: int = 4096) -> Iterator[Item]:
    """Yield the items; raise `Stopped` when `stop()`, asked before every so many, says True."""
    for count, item in enumerate(items):
        if count % every == 0 and stop():
            raise Stopped
        yield item


# ---------------------------------------------------------------------------------------- reading


def parse_drat(proof: Proof) -> Iterator[_Step]:
    """Yield the steps of a proof; CheckFailed at the first line that is none.

    >>> [(s.line, s.deletes, s.literals) for s in parse_drat("c remark\\n1 -2 0\\nd 1 0")]
    [(2, False, [2, 5]), (3, True, [2])]
    """
    if isinstance(proof, bytes):
        if b"\0" in proof:  # every binary step ends in a zero byte; no text has one
            yield from _parse_binary(proof)
            return
        proof = proof.decode("ascii", errors="replace")
    if isinstance(proof, str):
        proof = proof.splitlines()
    for number, line in enumerate(proof, 1):
        words = line.split()
        if not words or words[0] == "c":
            continue
        deletes = words[0] == "d"
        try:
            literals = [int(word) for word in (words[1:] if deletes else words)]
        except ValueError:
            raise CheckFailed(f"proof line {number}: not a list of integers") from None
        if not literals or literals.pop() != 0:
            raise CheckFailed(f"proof line {number}: does not end in 0: the proof was cut short")
        if 0 in literals:
            raise CheckFailed(f"proof line {number}: 0 in the middle of a clause")
        yield _Step(number, deletes, _codes(literals))


def drat_text(proof: bytes) -> str:
    """Return a proof as text, whether it is text or binary.

    >>> drat_text(b"a\\x02\\x05\\x00d\\x02\\x00")
    '1 -2 0\\nd 1 0\\n'
    """
    if b"\0" not in proof:
        return proof.decode("ascii", errors="replace")
    steps = parse_drat(proof)
    return "".join(f"{'d ' if s.deletes else ''}{_text(s.literals)}\n" for s in steps)


def _parse_binary(proof: bytes) -> Iterator[_Step]:
    """Yield the steps of binary DRAT: `a` or `d`, then codes in 7-bit groups, then 0."""
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
            code |= (byte & 127) << shift
            shift += 7
            if shift > WIDEST:
                raise CheckFailed(f"proof step {number}: a variable far beyond those in use")
            if byte < 128:
                if not code:
                    break
                if code == 1:
                    raise CheckFailed(f"proof step {number}: a literal without a variable")
                literals.append(code)
                code = shift = 0
        yield _Step(number, kind == 100, list(dict.fromkeys(literals)))


def _codes(literals: Iterable[int]) -> list[int]:
    """Return distinct codes of literals, in their order."""
    return list(dict.fromkeys([2 * x if x > 0 else 1 - 2 * x for x in literals]))


def _codes_of(clause: Sequence[int], nvars: int) -> list[int]:
    codes = _codes([int(x) for x in clause])
    if codes and (min(codes) < 2 or max(codes) > 2 * nvars + 1):
        raise ValueError(f"the clause {list(clause)} has a literal that is 0 or beyond {nvars}")
    return codes


def _text(codes: Iterable[int]) -> str:
    """Return a clause in DIMACS style."""
    return " ".join([str(-(code >> 1) if code & 1 else code >> 1) for code in codes] + ["0"])


def _shown(codes: list[int]) -> str:
    """Return a clause for a message, shortened when it is long."""
    return _text(codes) if len(codes) <= SHOWN else f"{_text(codes[:SHOWN])[:-2]} … 0"


def _is_tautology(codes: list[int]) -> bool:
    return len({code >> 1 for code in codes}) < len(codes)


# --------------------------------------------------------------------------------------- checking


class _Backward:
    """The clauses, present and deleted, with two watched literals each, and the trail.

    Clauses are numbered: first the formula, then the lemmas in proof order. `watch[code]` lists
    the present clauses of the formula and the needed lemmas that watch `code`, `spare[code]` the
    other lemmas; both are visited when `code` becomes false. The watched literals of a clause are
    its first two. Clauses of length 0 and 1 and tautologies are never watched.
    """

    def __init__(
        self,
        formula: list[list[int]],
        steps: list[_Step],
        keep_hints: bool,
        stop: Callable[[], bool],
    ) -> None:
        self.stop = stop
        self.formula_size = len(formula)
        self.steps = steps
        top = max((max(c, default=0) for c in formula), default=0)
        top = max(top, max((max(s.literals, default=0) for s in steps), default=0)) | 1
        self.clauses = formula
        self.pivot: dict[int, int] = {}
        self.line: dict[int, int] = {}
        self.history: list[tuple[int, bool]] = []
        self.present = bytearray(b"\1" * len(formula))
        self.needed = bytearray(len(formula))
        self.false = [0] * (top + 1)
        self.watch: list[list[int]] = [[] for _ in range(top + 1)]
        self.spare: list[list[int]] = [[] for _ in range(top + 1)]
        self.trail: list[int] = []
        self.place = [0] * (top // 2 + 1)
        self.reason = [-1] * (top // 2 + 1)
        self.seen = bytearray(top // 2 + 1)
        self.explained = bytearray(top // 2 + 1)
        self.top = 0
        self.keep_hints = keep_hints
        self.hints: dict[int, list[int]] = {}
        self.groups: dict[int, list[tuple[int, list[int]]]] = {}
        self.occurrences: list[list[int]] | None = None
        self.propagations = self.ignored = self.rat = 0

    # ................................................................................ both passes

    def run(self, every: bool) -> Statistics:
        """Do the forward and the backward pass."""
        conflict = self.forward()
        if conflict < 0:
            raise CheckFailed("the proof never derives the empty clause")
        self.top = len(self.trail)
        self.keep(EMPTY, self.antecedents(conflict), conflict)
        checked = 0
        for number, added in _until(self.stop, reversed(self.history), 64):
            if not added:
                self.present[number] = 1
                self.attach(number)
                continue
            self.remove(number)
            if (self.needed[number] or every) and not _is_tautology(self.clauses[number]):
                checked += 1
                self.check(number)
        lemmas = sum(added for _, added in self.history)
        return Statistics(
            lemmas=lemmas,
            deletions=len(self.history) - lemmas + self.ignored,
            ignored=self.ignored,
            checked=checked,
            rat=self.rat,
            core=sum(self.needed[: self.formula_size]),
            propagations=self.propagations,
        )

    def forward(self) -> int:
        """Add and delete as the proof says until a clause is falsified; return it, or −1.

        `history` keeps the steps taken, as pairs (clause, whether it was added).
        """
        for number in _until(self.stop, range(self.formula_size)):
            if self.attach(number):
                return number
        conflict = self.propagate(0)
        if conflict >= 0:
            return conflict
        same: dict[tuple[int, ...], list[int]] = {}
        if any(step.deletes for step in self.steps):
            for number, clause in enumerate(self.clauses):
                same.setdefault(tuple(sorted(clause)), []).append(number)
        for step in _until(self.stop, self.steps, 64):
            key = tuple(sorted(step.literals))
            if step.deletes:
                found = same.get(key)
                if not found or self.is_unit(self.clauses[found[-1]]):
                    self.ignored += 1
                    continue
                number = found.pop()
                self.present[number] = 0
                self.detach(number)
                self.history.append((number, False))
                continue
            if not step.literals:
                raise CheckFailed(
                    f"proof line {step.line}: the empty clause does not follow by unit propagation"
                )
            number = len(self.clauses)
            self.clauses.append(step.literals)
            self.pivot[number] = step.literals[0]
            self.line[number] = step.line
            self.present.append(1)
            self.needed.append(0)
            same.setdefault(key, []).append(number)
            self.history.append((number, True))
            before = len(self.trail)
            if self.attach(number):
                return number
            conflict = self.propagate(before)
            if conflict >= 0:
                return conflict
        return -1

    def remove(self, number: int) -> None:
        """Take back the addition of a lemma, and all that the trail owes to it.

        Nothing else need be done: the forward pass propagated to the end before it added the
        lemma and no unit clause was deleted since, so what stays on the trail is complete.
        """
        self.present[number] = 0
        self.detach(number)
        for code in self.clauses[number][:2]:
            if self.reason[code >> 1] == number and self.false[code ^ 1]:
                self.undo(self.place[code >> 1])

    # .................................................................................. clauses

    def attach(self, number: int) -> bool:
        """Watch a clause; assign its literal if it is unit; tell whether it is falsified."""
        clause = self.clauses[number]
        if _is_tautology(clause):
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
        if len(clause) > 1 and not _is_tautology(clause):
            lists = self.lists_of(number)
            lists[clause[0]].remove(number)
            lists[clause[1]].remove(number)

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

    # .................................................................................... trail

    def assign(self, code: int, reason: int) -> None:
        """Make a literal true."""
        self.false[code ^ 1] = 1
        self.place[code >> 1] = len(self.trail)
        self.reason[code >> 1] = reason
        self.trail.append(code)

    def undo(self, length: int) -> None:
        """Shorten the trail."""
        false, explained = self.false, self.explained
        for code in self.trail[length:]:
            false[code ^ 1] = 0
            explained[code >> 1] = 0
        del self.trail[length:]

    def propagate(self, head: int) -> int:
        """Propagate the literals from `head` on; return a falsified clause, or −1.

        The needed clauses are exhausted before the spare lemmas of one more literal are visited.
        """
        false, place, reason, trail = self.false, self.place, self.reason, self.trail
        clauses, watch, spare = self.clauses, self.watch, self.spare
        begin = spare_head = head
        conflict = -1
        while conflict < 0:
            if head < len(trail):
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
            lists[lit] = kept = []
            rest = iter(visits)
            for number in rest:
                clause = clauses[number]
                other = clause[0]
                if other == lit:
                    other = clause[1]
                    clause[0] = other
                    clause[1] = lit
                if false[other ^ 1]:
                    kept.append(number)
                    continue
                for k in range(2, len(clause)):
                    code = clause[k]
                    if not false[code]:
                        clause[1] = code
                        clause[k] = lit
                        lists[code].append(number)
                        break
                else:
                    kept.append(number)
                    if false[other]:
                        kept.extend(rest)
                        conflict = number
                        break
                    false[other ^ 1] = 1
                    place[other >> 1] = len(trail)
                    reason[other >> 1] = number
                    trail.append(other)
        self.propagations += len(trail) - begin
        return conflict

    # ................................................................................... checks

    def check(self, number: int) -> None:
        """Check the removed lemma against the clauses now present; CheckFailed if it fails."""
        self.top = len(self.trail)
        for code in self.clauses[number]:
            if self.false[code ^ 1]:  # true already: assuming it false falsifies its reason
                known = self.reason[code >> 1]
                self.keep(number, self.antecedents(known, code >> 1), known)
                break
            if not self.false[code]:
                self.assign(code ^ 1, -1)
        else:
            conflict = self.propagate(self.top)
            if conflict >= 0:
                self.keep(number, self.antecedents(conflict), conflict)
            else:
                self.check_rat(number)
        self.undo(self.top)

    def check_rat(self, number: int) -> None:
        """Check the lemma, whose negation has been propagated, as RAT on its first literal."""
        against = self.pivot[number] ^ 1
        level = len(self.trail)
        common: set[int] = set()
        groups: list[tuple[int, list[int]]] = []
        for partner in self.present_with(against):
            own: list[int] = []
            for code in self.clauses[partner]:
                if code == against or self.false[code]:
                    continue
                if self.false[code ^ 1]:  # the partner holds already
                    known = self.reason[code >> 1]
                    if known >= 0:
                        common.update(self.antecedents(known, code >> 1))
                        common.add(self.place[code >> 1])
                    break
                self.assign(code ^ 1, -1)
            else:
                conflict = self.propagate(level)
                if conflict < 0:
                    lemma = self.lemma(number)
                    raise CheckFailed(
                        f"proof line {self.line[number]}: the clause {_shown(lemma)} is neither "
                        f"implied by unit propagation nor RAT on {_text(lemma[:1])[:-2]}"
                    )
                places = self.antecedents(conflict)
                common.update(place for place in places if place < level)
                own = [*self.reasons(place for place in places if place >= level), conflict]
            groups.append((partner, own))
            self.undo(level)
        self.rat += 1
        if self.keep_hints:
            self.hints[number] = self.reasons(sorted(common))
            self.groups[number] = groups

    def present_with(self, code: int) -> list[int]:
        """Return the present clauses with a literal, but no tautologies."""
        if self.occurrences is None:
            self.occurrences = [[] for _ in self.false]
            for number, clause in enumerate(self.clauses):
                if not _is_tautology(clause):
                    for x in clause:
                        self.occurrences[x].append(number)
        return [number for number in self.occurrences[code] if self.present[number]]

    # .............................................................................. antecedents

    def antecedents(self, conflict: int, but: int = 0) -> list[int]:
        """Mark what falsified a clause as needed; return the places of the derived literals used.

        `but` is a variable of the clause whose reason does not matter. The places are ascending.
        When no hints are kept, top-level literals explained before are left out.
        """
        clauses, place, reason, seen = self.clauses, self.place, self.reason, self.seen
        explained = None if self.keep_hints else self.explained
        seen[but] = 1
        touched = [but]
        places: list[int] = []
        todo = [conflict]
        while todo:
            number = todo.pop()
            if not self.needed[number]:
                self.need(number)
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
        for at in places:
            if at < self.top:
                self.explained[self.trail[at] >> 1] = 1
        places.sort()
        return places

    def need(self, number: int) -> None:
        """Mark a present clause as needed; its watches are visited early from now on."""
        if number >= self.formula_size and len(self.clauses[number]) > 1:
            for code in self.clauses[number][:2]:
                self.spare[code].remove(number)
                self.watch[code].append(number)
        self.needed[number] = 1

    def reasons(self, places: Iterable[int]) -> list[int]:
        """Return the reasons of the literals at some places of the trail."""
        return [self.reason[self.trail[place] >> 1] for place in places]

    def keep(self, number: int, places: list[int], conflict: int) -> None:
        """Keep the hints of a RUP lemma: its unit clauses in order, then the falsified one."""
        if self.keep_hints:
            self.hints[number] = [*self.reasons(places), conflict]

    # ..................................................................................... LRAT

    def lemma(self, number: int) -> list[int]:
        """Return a lemma's literals, the first one first."""
        pivot = self.pivot[number]
        return [pivot, *sorted(code for code in self.clauses[number] if code != pivot)]

    def write_lrat(self, out: TextIO) -> None:
        """Write the checked lemmas with their hints; clause i of the formula has the id i + 1."""
        hints = self.hints
        last = self.formula_size
        gone = [i for i in range(self.formula_size) if _is_tautology(self.clauses[i])]
        for number, added in [*self.history, (EMPTY, True)]:
            if not added:
                if number < self.formula_size or number in hints:
                    gone.append(number)
                continue
            if number not in hints:
                continue
            if gone:
                out.write(f"{last} d {' '.join(str(i + 1) for i in gone)} 0\n")
                gone = []
            words = [str(i + 1) for i in hints[number]]
            for partner, own in self.groups.get(number, ()):
                if partner < self.formula_size or partner in hints:
                    words += [str(-partner - 1), *(str(i + 1) for i in own)]
            if number == EMPTY:
                last, lemma = len(self.clauses) + 1, []
            else:
                last, lemma = number + 1, self.lemma(number)
            out.write(" ".join([str(last), _text(lemma), *words, "0\n"]))
