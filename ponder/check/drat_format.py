"""DRAT proofs as text and as bytes: reading the steps; and writing them as LRAT, with hints.

    text      `1 -2 0` adds, `d 1 -2 0` deletes, `c …` is a remark; one step a line
    binary    `a` or `d`, then the literals' codes as unsigned numbers in groups of 7 bits, the
              lowest first, the high bit saying that more follow; then a zero byte

Every binary step ends in a zero byte and no text has one: that tells the two apart. A *code* is a
literal as a natural number: 2v for v, 2v + 1 for ¬v, so that ¬ is `^ 1`. The needed lemmas alone
are written as LRAT, each with the clauses that become unit when it is assumed false (`Hints`).

Reference: `drat-trim` and its binary format. Cost: linear in the proof.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import TextIO, TypeAlias

from ponder.system.errors import CheckFailed

Proof: TypeAlias = "str | bytes | Iterable[str]"

SHOWN = 12  # literals of a clause that a message shows
WIDEST = 63  # bits of a literal in a binary proof


@dataclass(frozen=True, slots=True)
class DratStep:
    """One line of a proof. `literals` as codes, without repetition, in the proof's order."""

    line: int
    deletes: bool
    literals: list[int]

    def __len__(self) -> int:
        return len(self.literals)


def parse_drat(proof: Proof) -> Iterator[DratStep]:
    """Yield the steps of a proof. Raises CheckFailed at the first line that is none."""
    if isinstance(proof, bytes):
        if b"\0" in proof:  # every binary step ends in a zero byte; no text has one
            yield from _parse_binary(proof)
            return
        proof = (line.decode("ascii", errors="replace") for line in BytesIO(proof))
    yield from _parse_text(proof.splitlines() if isinstance(proof, str) else proof)


def drat_text(proof: bytes) -> str:
    """Return a proof as text, whether it is text or binary."""
    if b"\0" not in proof:
        return proof.decode("ascii", errors="replace")
    steps = parse_drat(proof)
    return "".join(f"{'d ' if s.deletes else ''}{clause_text(s.literals)}\n" for s in steps)


def _parse_text(lines: Iterable[str]) -> Iterator[DratStep]:
    for number, line in enumerate(lines, 1):
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
        yield DratStep(number, deletes, distinct_codes(literals))


def _parse_binary(proof: bytes) -> Iterator[DratStep]:
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
        yield DratStep(number, kind == 100, list(dict.fromkeys(literals)))


def distinct_codes(literals: Iterable[int]) -> list[int]:
    """Return distinct codes of literals, in their order."""
    return list(dict.fromkeys([2 * x if x > 0 else 1 - 2 * x for x in literals]))


def codes_of(clause: Sequence[int], nvars: int) -> list[int]:
    """Return a clause's distinct codes. Raises ValueError if a literal is out of range."""
    codes = distinct_codes([int(x) for x in clause])
    if codes and (min(codes) < 2 or max(codes) > 2 * nvars + 1):
        raise ValueError(f"the clause {list(clause)} has a literal that is 0 or beyond {nvars}")
    return codes


def clause_text(codes: Iterable[int]) -> str:
    """Return a clause in DIMACS style."""
    return " ".join([str(-(code >> 1) if code & 1 else code >> 1) for code in codes] + ["0"])


def shown(codes: list[int]) -> str:
    """Return a clause for a message, shortened when it is long."""
    return clause_text(codes) if len(codes) <= SHOWN else f"{clause_text(codes[:SHOWN])[:-2]} … 0"


def is_tautology(codes: list[int]) -> bool:
    """Whether a clause, given by distinct codes, has a literal and its negation."""
    return len({code >> 1 for code in codes}) < len(codes)


EMPTY = -1  # stands for the empty clause where lemmas are named by their numbers


class Hints:
    """What each checked lemma rests on. Clauses are named by their numbers, from 0.

    `unit` lists the unit clauses in order, and last (unless the lemma is RAT) the falsified one;
    `partners` the pairs (D, hints of its own) of a RAT lemma.
    """

    def __init__(self) -> None:
        self.unit: dict[int, list[int]] = {}
        self.partners: dict[int, list[tuple[int, list[int]]]] = {}

    def write(
        self,
        out: TextIO,
        formula: list[list[int]],
        history: Sequence[tuple[int, bool]],
        lemmas: dict[int, list[int]],
    ) -> None:
        """Write the checked lemmas after a `history` of pairs (clause, whether it was added).

        Tautologies of the formula are deleted first: no RAT lemma has hints for them.
        """
        last = len(formula)
        gone = [i for i, clause in enumerate(formula) if is_tautology(clause)]
        final = max([last, *(number + 1 for number, _ in history)]) + 1
        for number, added in [*history, (EMPTY, True)]:
            if not added:
                if number < len(formula) or number in self.unit:
                    gone.append(number)
                continue
            if number not in self.unit:
                continue
            if gone:
                out.write(f"{last} d {' '.join(str(i + 1) for i in gone)} 0\n")
                gone = []
            last, lemma = (final, []) if number == EMPTY else (number + 1, lemmas[number])
            out.write(" ".join([str(last), clause_text(lemma), *self._words(number, formula)]))
            out.write(" 0\n")

    def _words(self, number: int, formula: list[list[int]]) -> list[str]:
        """Return a lemma's hints; partners that are never written need none."""
        words = [str(i + 1) for i in self.unit[number]]
        for partner, own in self.partners.get(number, ()):
            if partner < len(formula) or partner in self.unit:
                words += [str(-partner - 1), *(str(i + 1) for i in own)]
        return words
