"""Parities added up in clauses: lemmas with hints, few of them, whatever the number of variables.

A parity of w variables is 2^(w−1) clauses, so a sum of many parities is kept as a *chain*: its
variables b_1 … b_w in some order, new variables y for the parities of its beginnings, and a parity
of three for each step, y_i = y_{i−1} + b_i (+ 1), with y_0 = y_w = 0. How a parity is added, by
swapping neighbours and replacing steps, and how a sum of a few parities is derived: theory §6.7.

Letters: y, b as above. Cost: some 12 lemmas a swap, and 4·2^k lemmas at most for a parity of k
variables. On a board with short range the chain is a front that moves over it, and its variables
need hardly be swapped. Replaced steps are deleted: a checker holds no more than the chain.
Reference: T. Philipp, A. Rebola-Pardo, "DRAT proofs for XOR reasoning", JELIA 2016.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import IO

from ponder.system.errors import PonderError


class LratWriter:
    """Writes the lines of an LRAT proof: lemmas and new variables get their numbers."""

    def __init__(self, file: IO[bytes], variables: int, clauses: int) -> None:
        self.variable: int = variables + 1  # the next one
        self.name: int = clauses + 1  # the next one
        self._file = file

    def lemma(self, clause: tuple[int, ...], hints: Iterable[int]) -> int:
        """Write one lemma; return its number."""
        self._file.write(b"%d %s\n" % (self.name, _numbers(*clause, 0, *hints, 0)))
        self.name += 1
        return self.name - 1

    def new_variable(self) -> int:
        """Return a variable that nothing has used."""
        self.variable += 1
        return self.variable - 1

    def delete(self, names: Iterable[int]) -> None:
        """Delete clauses."""
        if text := _numbers(*names):
            self._file.write(b"%d d %s 0\n" % (self.name - 1, text))


def _numbers(*numbers: int) -> bytes:
    return " ".join(map(str, numbers)).encode()


@dataclass(frozen=True, eq=False)
class Parity:
    """An odd, or even, number of some variables (ascending) is true.

    `names` are the clauses, by what they forbid: bit i stands for the i-th variable, true.
    """

    variables: tuple[int, ...]
    odd: bool
    names: Mapping[int, int]

    def clause(self, mask: int) -> tuple[int, ...]:
        """Return the clause that forbids an assignment."""
        return tuple(-v if mask >> i & 1 else v for i, v in enumerate(self.variables))

    @property
    def forbidden(self) -> list[int]:
        """The assignments that have the wrong number of true variables."""
        return [
            mask for mask in range(1 << len(self.variables)) if mask.bit_count() & 1 != self.odd
        ]


class ParityWriter:
    """Writes new variables, sums of parities, and what follows from them."""

    def __init__(self, writer: LratWriter, formula_clauses: int) -> None:
        self.writer: LratWriter = writer
        self._first = formula_clauses + 1

    def define(self, *members: int) -> tuple[int, Parity]:
        """Return a new variable that is the parity of some, and the parity that says so."""
        defined = self.writer.new_variable()
        names: dict[int, int] = {}
        parity = Parity((*sorted(members), defined), odd=False, names=names)
        top = 1 << len(members)
        for mask in sorted(parity.forbidden):  # those with the new variable false come first
            clause = parity.clause(mask)
            against = [-names[earlier] for earlier in names if mask & top and not earlier & top]
            names[mask] = self.writer.lemma((clause[-1], *clause[:-1]), against)
        return defined, parity

    def total(self, parts: Sequence[Parity]) -> Parity:
        """Derive the sum of some parities; the variables that occur twice vanish."""
        left = set[int]()
        for part in parts:
            left ^= set(part.variables)
        names: dict[int, int] = {}
        parity = Parity(tuple(sorted(left)), sum(part.odd for part in parts) % 2 == 1, names)
        for mask in parity.forbidden:
            names[mask] = self.refute(parity.clause(mask), parts)
        return parity

    def refute(self, literals: Sequence[int], parts: Sequence[Parity]) -> int:
        """Derive the clause of some literals, whose falsehood breaks one of some parities.

        Return the clause's name. Raises PonderError if it does not follow.
        """
        names: list[int] = []
        self._refute({abs(x): x < 0 for x in literals}, parts, names)
        self.writer.delete(names[:-1])
        return names[-1]

    def _refute(
        self, assumed: Mapping[int, bool], parts: Sequence[Parity], names: list[int]
    ) -> int:
        """Write lemmas, the last one that an assignment breaks a parity; add their names."""
        values, hints = dict(assumed), list[int]()
        while True:
            known, least = len(values), list[int]()
            for part in parts:
                unset = [v for v in part.variables if v not in values]
                if len(unset) > 1:
                    least = unset if not least or len(unset) < len(least) else least
                    continue
                mask = sum([1 << i for i, v in enumerate(part.variables) if values.get(v)])
                wrong = mask.bit_count() & 1 != part.odd
                if unset:  # the value that is forbidden, and then the other one
                    mask |= (not wrong) << part.variables.index(unset[0])
                    values[unset[0]] = wrong
                elif not wrong:
                    continue
                hints.append(part.names[mask])
                if not unset:
                    clause = tuple([-v if true else v for v, true in assumed.items()])
                    names.append(self.writer.lemma(clause, hints))
                    return names[-1]
            if len(values) > known:
                continue
            if not least:
                raise PonderError("the parities do not contradict each other: nothing to prove")
            # nothing propagates: show that an open variable is true
            hints.append(self._refute({**assumed, least[0]: False}, parts, names))
            values[least[0]] = True

    def forget(self, parts: Iterable[Parity]) -> None:
        """Delete the clauses of parities, but not the formula's and not units."""
        self.writer.delete(
            name
            for part in parts
            for name in part.names.values()
            if name >= self._first and len(part.variables) > 1
        )


class Chain:
    """A sum of parities: `members` are b_1 … b_w, `ends` y_0 … y_w (None: 0), `steps` the parities
    that join them. `contradiction`: the empty clause was derived.
    """

    def __init__(self, parities: ParityWriter) -> None:
        self.parities: ParityWriter = parities
        self.members: list[int] = []
        self.ends: list[int | None] = [None]
        self.steps: list[Parity] = []
        self.contradiction: bool = False

    def add_all(self, pieces: Iterable[Parity]) -> None:
        """Add parities, one that shares a variable with the chain first where there is one."""
        left = list(pieces)
        while left:
            there = set(self.members)
            shared = [sum(v in there for v in piece.variables) for piece in left]
            self.add(left.pop(shared.index(max(shared))))

    def add(self, piece: Parity) -> None:
        """Add a parity; when nothing is left and it is odd, the empty clause is written."""
        at, count = self._gather(piece)
        new = [v for v in piece.variables if v not in set(self.members[at : at + count])]
        defined: list[Parity] = []
        ends: list[int | None] = []
        left = self.ends[at]
        for v in new[:-1]:
            left, step = self.parities.define(*(y for y in (left, v) if y is not None))
            defined.append(step)
            ends.append(left)
        if not new:  # a neighbouring step takes the sum up, or nothing is left
            if at + count < len(self.members):
                count += 1
            elif at:
                at, count = at - 1, count + 1
            new = [v for v in self.members[at : at + count] if v not in piece.variables]
        old = self.steps[at : at + count]
        last = self.parities.total([*old, piece, *defined])
        if not last.variables:
            self.contradiction = last.odd
        self.parities.forget(old)
        self.members[at : at + count] = new
        self.steps[at : at + count] = [*defined, last] if new else []
        right = self.ends[at + count]
        self.ends[at + 1 : at + count + 1] = [*ends, right] if new else []

    def _gather(self, piece: Parity) -> tuple[int, int]:
        """Bring the piece's variables together; return where, and how many; else the end."""
        wanted = set(piece.variables)
        places = [i for i, v in enumerate(self.members) if v in wanted]
        if not places:
            return len(self.members), 0
        middle = len(places) // 2
        for k in range(middle - 1, -1, -1):  # from the left
            for i in range(places[k], places[middle] - middle + k):
                self._swap(i)
        for k in range(middle + 1, len(places)):
            for i in range(places[k] - 1, places[middle] + k - middle - 1, -1):
                self._swap(i)
        return places[middle] - middle, len(places)

    def _swap(self, i: int) -> None:
        first, second = self.members[i], self.members[i + 1]
        ending, step = self.parities.define(*(y for y in (self.ends[i], second) if y is not None))
        old = self.steps[i : i + 2]
        self.steps[i : i + 2] = [step, self.parities.total([*old, step])]
        self.ends[i + 1] = ending
        self.members[i : i + 2] = [second, first]
        self.parities.forget(old)
