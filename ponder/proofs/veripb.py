"""VeriPB proofs: sums of constraints, and of new variables; LRAT's resolutions as such sums.

    pseudo-Boolean proof version 3.0
    f 8;                                the formula's inequalities; an equality counts as two
    pol 1 3 + 6 2 * +;                  the first one, and the third, and twice the sixth
    pol 9 x4 + ~x5 2 * +;               x4 ≥ 0 and ¬x5 ≥ 0 may be added at any time
    pol 2 4 + s;                        no coefficient need be larger than the bound
    pol 7 2 d;                          even coefficients: halved, and the bound rounded up
    red +1 ~x9 +1 x4 >= 1 : x9 -> 0;    x9 is new, and false makes this true (LRAT: RAT)
    del id 11;                          the eleventh is needed no more
    output NONE;
    conclusion UNSAT : 10;              the tenth constraint can not be satisfied: 0 ≥ 1, say
    end pseudo-Boolean proof;

Version 2.0 has no semicolons at the ends of lines, one before what `red` makes of x9, and `*`, not
`%`, before a remark.

Reference. W. Cook, C. Coullard, G. Turán, "On the complexity of cutting-plane proofs", 1987;
S. Gocht, J. Nordström, "Certifying parity reasoning efficiently using pseudo-Boolean proofs", 2021.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Literal, TypeAlias

from ponder.system.errors import PonderError
from ponder.system.limits import NEVER, Limits

Version: TypeAlias = Literal["3.0", "2.0"]
VERSION: Version = "3.0"
"""The frame in which proofs are written where nothing is said."""


class Sum:
    """A sum of constraints and of literals that are at least 0, each taken some number of times."""

    def __init__(self) -> None:
        self._words: list[str] = []

    def add(self, constraint: int, times: int = 1) -> None:
        """Add a constraint, by its number; nothing when it is taken 0 times."""
        self._put(str(constraint), times)

    def literal(self, literal: int, times: int = 1) -> None:
        """Add "this literal is at least 0", signed as in DIMACS."""
        self._put(_literal(literal), times)

    def literals(self, literals: Iterable[int]) -> None:
        """Add "this literal is at least 0" for many of them."""
        for literal in literals:
            self.literal(literal)

    def saturate(self) -> None:
        """Make no coefficient of the sum so far larger than its bound, all literals positive."""
        self._words.append("s")

    def round_half(self) -> None:
        """Round the bound of the sum so far up to an even number; all coefficients are even."""
        self._words += ["2", "d", "2", "*"]

    def _put(self, word: str, times: int) -> None:
        if times < 0:
            raise ValueError("an inequality may not be turned round")
        if not times:
            return
        first = not self._words
        self._words += [word] if times == 1 else [word, str(times), "*"]
        if not first:
            self._words.append("+")

    def __str__(self) -> str:
        return f"pol {' '.join(self._words)}"


@dataclass(frozen=True)
class Definition:
    """A clause that holds where its first literal, of a new variable, is chosen to be true."""

    clause: tuple[int, ...]

    def text(self, version: Version) -> str:
        """Return the line, without the semicolon at its end."""
        terms = " ".join(f"+1 {_literal(x)}" for x in self.clause)
        first = self.clause[0]
        sign = ":" if version == "3.0" else ";"
        return f"red {terms} >= 1 {sign} x{abs(first)} -> {int(first > 0)}"


@dataclass(frozen=True)
class Deletion:
    """Constraints that nothing after this rests on."""

    constraints: tuple[int, ...]

    def __str__(self) -> str:
        return f"del id {' '.join(map(str, self.constraints))}"


Step: TypeAlias = Sum | Definition | Deletion


def _literal(literal: int) -> str:
    return f"x{literal}" if literal > 0 else f"~x{-literal}"


def proof_lines(
    inequalities: int,
    steps: Iterable[Step],
    remarks: Sequence[str] = (),
    version: Version = VERSION,
) -> Iterator[bytes]:
    """Yield the lines of the proof whose last constraint can not be satisfied."""
    mark, end, last = ("%", ";", inequalities) if version == "3.0" else ("*", "", inequalities)
    yield f"pseudo-Boolean proof version {version}\n".encode()
    yield from (f"{mark} {remark}\n".encode() for remark in remarks)
    yield f"f {inequalities}{end}\n".encode()
    for step in steps:
        last += not isinstance(step, Deletion)
        text = step.text(version) if isinstance(step, Definition) else str(step)
        yield f"{text}{end}\n".encode()
    for text in ("output NONE", f"conclusion UNSAT : {last}", "end pseudo-Boolean proof"):
        yield f"{text}{end}\n".encode()


@dataclass(frozen=True, eq=False)
class VeriPbProof:
    """A pseudo-Boolean formula and its refutation by sums of its constraints."""

    write_formula: Callable[[IO[bytes]], None]  # as OPB
    inequalities: int  # how many it has; an equality counts as two
    steps: Sequence[Step]  # the last of them can not be satisfied
    remarks: tuple[str, ...] = ()

    @property
    def derived(self) -> int:
        """The number of constraints that are derived."""
        return sum(not isinstance(step, Deletion) for step in self.steps)

    def write_proof(self, file: IO[bytes], version: Version = VERSION) -> None:
        """Write the proof, in the format of VeriPB."""
        file.writelines(proof_lines(self.inequalities, self.steps, self.remarks, version))


def resolution_steps(
    clauses: Iterable[Sequence[int]], proof: str, limits: Limits = NEVER
) -> list[Step]:
    """Return the sums of an LRAT proof about these clauses, the last one 0 ≥ 1. Linear.

    A lemma comes with the clauses that become unit when it is assumed false, and last the one that
    is then falsified. Start with that one and go back through the hints: where the clause so far
    has the negation of what made a hint unit, resolve. That is to add the two, which turns x + ¬x
    into 1, and to *saturate*, so that a literal that stands in both counts once again. A RAT lemma
    must define a variable that the formula has not, by clauses that hold at once.
    Raises PonderError for any other proof, or one without the empty clause.

    >>> square = [[1, 2], [1, -2], [-1, 2], [-1, -2]]
    >>> print(*resolution_steps(square, "5 1 0 1 2 0\\n6 0 5 3 4 0\\n"), sep="; ")
    pol 2 1 + s; pol 4 3 + s 5 + s
    """
    known = _Known(clauses)
    for line in limits.over(proof.splitlines()):
        words = line.split()
        try:
            if len(words) > 1 and words[1] == "d":
                known.delete(list(map(int, words[2:-1])))
                continue
            number, *rest = map(int, words)
            end = rest.index(0)
            if known.add(number, tuple(rest[:end]), rest[end + 1 : -1]):
                return known.steps
        except (ValueError, KeyError, IndexError):
            raise PonderError(f"no sum follows from the lemma {line[:60]!r}") from None
    raise PonderError("the proof ends without the empty clause")


class _Known:
    """The clauses that are there, by LRAT's numbers; `names` are VeriPB's of the same.

    `defining` are clauses with new variables, by literal: all of those, and not sums alone.
    """

    def __init__(self, clauses: Iterable[Sequence[int]]) -> None:
        self.clauses = {number: frozenset(clause) for number, clause in enumerate(clauses, 1)}
        self.names = {number: number for number in self.clauses}
        self.own = max((abs(x) for clause in self.clauses.values() for x in clause), default=0)
        self.formula = self.last = len(self.clauses)
        self.defining: dict[int, dict[int, frozenset[int]]] = {}
        self.steps: list[Step] = []

    def delete(self, numbers: list[int]) -> None:
        """Delete lemmas; the formula's clauses stay."""
        gone = []
        for number in numbers:
            if number > self.formula:
                for x in self.clauses.pop(number):
                    self.defining.get(x, {}).pop(number, None)
                gone.append(self.names.pop(number))
        if gone:
            self.steps.append(Deletion(tuple(gone)))

    def add(self, number: int, lemma: tuple[int, ...], hints: list[int]) -> bool:
        """Add a lemma; tell whether it is empty. Raises KeyError, … for what does not follow."""
        if lemma and all(hint < 0 for hint in hints):
            left = frozenset(lemma)
            self._define(lemma[0], left)
            self.steps.append(Definition(lemma))
        else:
            total, left = self._chain(frozenset(lemma), hints)
            self.steps.append(total)
        self.last += 1
        self.clauses[number], self.names[number] = left, self.last
        for x in left:
            if abs(x) > self.own:
                self.defining.setdefault(x, {})[number] = left
        return not left

    def _define(self, first: int, lemma: frozenset[int]) -> None:
        """Check that a clause follows where its first literal is made true. Raises ValueError."""
        if abs(first) <= self.own:
            raise ValueError
        for other in self.defining.get(-first, {}).values():
            if not any(-x in other for x in lemma if x != first):
                raise ValueError

    def _chain(self, lemma: frozenset[int], hints: list[int]) -> tuple[Sum, frozenset[int]]:
        """Return a lemma's resolutions and what is left of it."""
        false, units = set(lemma), list[tuple[int, int]]()
        for hint in hints:
            free = self.clauses[hint] - false
            if not free:  # what was left of a lemma may be falsified sooner than the lemma
                break
            (unit,) = free
            units.append((hint, unit))
            false.add(-unit)
        else:
            raise ValueError
        total, left = Sum(), self.clauses[hint]
        total.add(self.names[hint])
        for hint, unit in reversed(units):
            if -unit in left:
                left = (left - {-unit}) | (self.clauses[hint] - {unit})
                total.add(self.names[hint])
                total.saturate()
        if not left <= lemma:
            raise ValueError
        return total, left
