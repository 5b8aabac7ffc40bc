"""VeriPB proofs that are sums: constraints of a formula times whole numbers, or LRAT's resolutions.

    pseudo-Boolean proof version 2.0
    f 8                                 the formula's inequalities; an equality counts as two
    pol 1 3 + 6 2 * +                   the first one, and the third, and twice the sixth
    pol 9 x4 + ~x5 2 * +                x4 ≥ 0 and ¬x5 ≥ 0 may be added at any time
    pol 2 4 + s                         no coefficient need be larger than the bound
    output NONE
    conclusion UNSAT : 10               the tenth constraint can not be satisfied: 0 ≥ 1, say
    end pseudo-Boolean proof

Reference. W. Cook, C. Coullard, G. Turán, "On the complexity of cutting-plane proofs", 1987;
S. Gocht, J. Nordström, "Certifying parity reasoning efficiently using pseudo-Boolean proofs", 2021.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO

from ponder.system.errors import PonderError
from ponder.system.limits import NEVER, Limits


class Sum:
    """A sum of constraints and of literals that are at least 0, each taken some number of times."""

    def __init__(self) -> None:
        self._words: list[str] = []

    def add(self, constraint: int, times: int = 1) -> None:
        """Add a constraint, by its number; nothing when it is taken 0 times."""
        self._put(str(constraint), times)

    def literal(self, literal: int, times: int = 1) -> None:
        """Add "this literal is at least 0", signed as in DIMACS."""
        self._put(f"x{literal}" if literal > 0 else f"~x{-literal}", times)

    def literals(self, literals: Iterable[int]) -> None:
        """Add "this literal is at least 0" for many of them."""
        for literal in literals:
            self.literal(literal)

    def saturate(self) -> None:
        """Make no coefficient of the sum so far larger than its bound, all literals positive."""
        self._words.append("s")

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


def proof_lines(
    inequalities: int, sums: Sequence[Sum], remarks: Sequence[str] = ()
) -> Iterator[bytes]:
    """Yield the lines of the proof whose last sum can not be satisfied."""
    yield b"pseudo-Boolean proof version 2.0\n"
    end = f"conclusion UNSAT : {inequalities + len(sums)}"
    yield from (f"* {remark}\n".encode() for remark in remarks)
    for text in (f"f {inequalities}", *sums, "output NONE", end, "end pseudo-Boolean proof"):
        yield f"{text}\n".encode()


@dataclass(frozen=True, eq=False)
class VeriPbProof:
    """A pseudo-Boolean formula and its refutation by sums of its constraints."""

    write_formula: Callable[[IO[bytes]], None]  # as OPB
    inequalities: int  # how many it has; an equality counts as two
    sums: tuple[Sum, ...]  # the last of them can not be satisfied
    remarks: tuple[str, ...] = ()

    def write_proof(self, file: IO[bytes]) -> None:
        """Write the proof, in the format of VeriPB."""
        file.writelines(proof_lines(self.inequalities, self.sums, self.remarks))


def resolution_sums(
    clauses: Iterable[Sequence[int]], proof: str, limits: Limits = NEVER
) -> list[Sum]:
    """Return the sums of an LRAT proof about these clauses, the last one 0 ≥ 1. Linear.

    A lemma comes with the clauses that become unit when it is assumed false, and last the one that
    is then falsified. Start with that one and go back through the hints: where the clause so far
    has the negation of what made a hint unit, resolve. That is to add the two, which turns x + ¬x
    into 1, and to *saturate*, so that a literal that stands in both counts once again.
    Raises PonderError for a proof that is no chain of unit propagations to the empty clause.
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
    lemma: frozenset[int], hints: list[int], known: dict[int, frozenset[int]], names: dict[int, int]
) -> tuple[Sum, frozenset[int]]:
    """Return a lemma's resolutions and what is left of it. Raises KeyError, … for wrong hints."""
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
    """Return the literal that each hint but the last makes true. Raises ValueError without one."""
    false, units = set(lemma), []
    for hint in hints[:-1]:
        (unit,) = known[hint] - false
        units.append(unit)
        false.add(-unit)
    return units
