"""For Coq: a formula about who comes first, why each clause holds in every order, and a proof.

`verified/before.v` knows two reasons for a clause: were all its literals false, presses would be
in a cycle, each before the next, perhaps with a given arc; or their sum modulo 2, with the
equations of presses added, would be wrong. So a variable is a pair of presses or a sum of pairs,
which the formula's parities tell: a clause with one unknown variable defines it. Only clauses that
the proof names are written.

Letters. A form is a sum of unknowns, bit x for the pair of variable x, bit 0 the constant 1.
Reference. `verified/packed.v` for the lines and how they are packed into bytes.
Cost. Linear in the formula, but for forms of as many bits as the pairs have; O(proof).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from ponder.check.formula import Formula as FormulaProof
from ponder.check.reader import TooLarge
from ponder.encodings.precedence import Precedence
from ponder.model.ordering_problem import OrderingProblem
from ponder.proofs.lrat_trimming import Trimmed
from ponder.system.errors import NoShortProof
from ponder.system.limits import NEVER, Limits

MOST_NUMBERS = 10_000_000  # literals and hints: Coq takes 25 to 35 s and 0.6 GB for a million
_NUMBERS = 1_000  # of the machine, in a definition: Coq reads many short terms, no very long one
_AT_ONCE = 7  # bytes in such a number


ProveAgain: TypeAlias = Callable[[OrderingProblem], FormulaProof | None]
"""Proves with `precedence` that a problem has no order; None where that is not done."""


def formula_definitions(
    name: str,
    problem: OrderingProblem,
    proof: FormulaProof | None,
    again: ProveAgain | None = None,
    limits: Limits = NEVER,
) -> str:
    """Return the definitions of `name`, the items that refute a problem by a formula.

    Where there is no proof, or Coq does not know its encoding or a clause, it is proved `again`.
    Raises NoShortProof where that does not help, TooLarge, and TimeUp.
    """
    if problem.repeats:
        raise NoShortProof("a Coq certificate of a formula is about each bulb once")
    try:
        return _definitions(name, problem, proof, limits)
    except NoShortProof:
        proof = None if again is None else again(problem)
        if proof is None:
            raise
        return _definitions(name, problem, proof, limits)


def _definitions(
    name: str, problem: OrderingProblem, proof: FormulaProof | None, limits: Limits
) -> str:
    precedence = Precedence()
    if proof is None or proof.lrat is None:
        raise NoShortProof("the proof is not in the result")
    if proof.encoding != precedence.name:
        raise NoShortProof(f"Coq does not know the encoding {proof.encoding}")
    options = precedence.options(proof.options)
    formula = precedence.encode(problem, options, limits).extended("cuts", proof.cuts)
    clauses = [tuple(map(int, clause)) for clause in formula.clauses()]
    pairs, _ = precedence.pairs(problem, options, limits)
    known = {x: (u, v) for x, (u, v) in enumerate(pairs.tolist(), 1)}
    return definitions(name, _Lines(problem, clauses, known, limits).of_proof(proof.lrat))


def circle_definitions(name: str, vertices: Sequence[int]) -> str:
    """Return the definitions of `name`: the arcs around a circle, all given, are a contradiction.

    >>> print(circle_definitions("two", [0, 1]).splitlines()[-1])
    Definition two := unpacked [:: two_0].
    """
    arcs = zip(vertices, [*vertices[1:], vertices[0]], strict=True)
    return definitions(name, [[6], *([12, 2 + u, 2 + v] for u, v in arcs), [2], [3, 2]])


def definitions(name: str, lines: Iterable[list[int]]) -> str:
    """Return the definitions of `name`, lines packed into bytes.

    >>> print(definitions("two", [[5, 8], [5, 300]]), end="")
    Definition two_0 := Eval vm_compute in keep [| 1416175363959809 | 0 |]%int63.
    Definition two := unpacked [:: two_0].
    """
    data = bytearray()
    for line in lines:
        for word in (*line, 1):
            for shift in range((word.bit_length() - 1) // 7 * 7, 0, -7):
                data.append(word >> shift & 127 | 128)
            data.append(word & 127)
    text, step = list[str](), _NUMBERS * _AT_ONCE
    data.extend(bytes(-len(data) % _AT_ONCE))
    for start in range(0, len(data), step):
        numbers = "; ".join(
            str(int.from_bytes(data[k : k + _AT_ONCE]))
            for k in range(start, min(start + step, len(data)), _AT_ONCE)
        )
        packed = f"keep [| {numbers} | 0 |]%int63"
        text.append(f"Definition {name}_{len(text)} := Eval vm_compute in {packed}.\n")
    parts = "; ".join(f"{name}_{k}" for k in range(len(text)))
    return f"{''.join(text)}Definition {name} := unpacked [:: {parts}].\n"


def clause_line(clause: Iterable[int], head: int = 7) -> list[int]:
    """Return the line of a clause: 6 by a cycle, 7 by a parity."""
    return [head, *(2 * x if x > 0 else 1 - 2 * x for x in clause)]


@dataclass(frozen=True, eq=False)
class _Lines:
    """Writes the lines of a formula and its proof. `pairs`: those of the first variables."""

    problem: OrderingProblem
    clauses: list[tuple[int, ...]]
    pairs: dict[int, tuple[int, int]]
    limits: Limits

    def of_proof(self, proof: str) -> Iterator[list[int]]:
        """Yield what variables say, equations, clauses with their reasons, and the steps.

        Raises TooLarge for a proof that is too long.
        """
        trimmed = Trimmed.read(proof, len(self.clauses), self.limits)
        numbers = sum(text.count(" ") + len(hints) for _, text, hints, _ in trimmed.steps)
        if numbers > MOST_NUMBERS:
            raise TooLarge(
                f"the proof has {len(trimmed.steps):,} lemmas of {numbers:,} literals and hints, "
                f"at most {MOST_NUMBERS:,}"
            )
        kept, proof = trimmed.alone(len(self.clauses), self.limits)
        lines = [*steps(proof, self.limits)]
        sums = self.sums()
        equations = self.equations()
        reasons = [self.reason(self.clauses[k], sums, equations) for k in kept]
        presses_added = {v for kind, presses in reasons if kind == 7 for v in presses}
        stated = Counter(abs(x) for k in kept for x in self.clauses[k])
        counts = stated + Counter(w >> 1 for head, *words in lines if head == 2 for w in words)
        mentioned = {*stated}
        for v in presses_added:
            mentioned.update(abs(x) for x in self.later[v])
        for x in mentioned - {*self.pairs}:
            mentioned |= {i for i in range(1, sums[x].bit_length()) if sums[x] >> i & 1}
        # short numbers for what is named often; above them those that lemmas define
        often = sorted({*counts, *mentioned}, key=lambda x: (x not in stated, -counts[x], x))
        short = {0: 0} | {x: i for i, x in enumerate(often, 1)}

        def named(line: list[int]) -> list[int]:
            return [line[0], *(2 * short[word >> 1] + word % 2 for word in line[1:])]

        for x in sorted(mentioned):
            if x in self.pairs:
                yield [9, short[x] + 1, *(2 + self.bulb(v) for v in self.pairs[x])]
            else:
                unknowns = (i for i in range(sums[x].bit_length()) if sums[x] >> i & 1)
                yield [10, short[x] + 1, *(2 + short[i] for i in unknowns)]
        for v in sorted(presses_added):
            yield [11, 2 + self.bulb(v), *named(clause_line(self.later[v]))[1:]]
        for k, (kind, presses) in zip(kept, reasons, strict=True):
            yield named(clause_line(self.clauses[k], kind))
            if presses:
                yield [{6: 12, 7: 8}[kind], *(2 + self.bulb(v) for v in presses)]
        yield from (named(line) if line[0] == 2 else line for line in lines)

    @cached_property
    def arcs(self) -> set[tuple[int, int]]:
        """The arcs that are given."""
        fixed = self.problem.fixed
        return set() if fixed is None else set(map(tuple, fixed.tolist()))

    def bulb(self, v: int) -> int:
        return int(self.problem.bulbs[v])

    @cached_property
    def later(self) -> list[list[int]]:
        """The literals "v before w" of the neighbours w, ascending, for every v."""
        number = {pair: x for x, pair in self.pairs.items()}
        number |= {(v, u): -x for (u, v), x in number.items()}
        return [
            [number[v, w] for w in sorted(map(int, near))]
            for v, near in enumerate(self.problem.heard_lists)
        ]

    def sums(self) -> dict[int, int]:
        """Return the forms of all variables that the parities define."""
        forms = {x: 1 << x for x in self.pairs}
        groups = defaultdict[tuple[int, ...], list[tuple[int, ...]]](list)
        for clause in self.limits.over(self.clauses):
            groups[tuple(sorted(map(abs, clause)))].append(clause)
        waiting = {
            variables: alike[0]
            for variables, alike in groups.items()
            if len(alike) >= 1 << len(variables) - 1 and any(x not in forms for x in variables)
        }
        while True:
            before = len(waiting)
            for variables, clause in [*waiting.items()]:
                unknown = [x for x in variables if x not in forms]
                if len(unknown) <= 1:
                    del waiting[variables]
                    for x in unknown:
                        forms[x] = 0
                        forms[x] = 1 ^ self.form(clause, forms)
            if len(waiting) in (0, before):
                return forms

    def form(self, literals: Iterable[int], forms: dict[int, int]) -> int:
        total = 0
        for x in literals:
            total ^= forms[abs(x)] ^ (x < 0)
        return total

    def equations(self) -> dict[int, int]:
        """Return the presses by their forms that are 0 in every order."""
        plain = {x: 1 << x for x in self.pairs}
        return {
            self.form(self.later[v], plain) ^ int(self.problem.odd[v]): v
            for v in range(self.problem.size)
        }

    def reason(
        self, clause: tuple[int, ...], forms: dict[int, int], equations: dict[int, int]
    ) -> tuple[int, tuple[int, ...]]:
        """Return the head of a clause's line, and presses: a given arc, or equations to add."""
        if all(abs(x) in self.pairs for x in clause):
            after = dict(self.pairs[-x] if x < 0 else self.pairs[x][::-1] for x in clause)
            start = place = next(iter(after), -1)
            for _ in clause:
                place = after.get(place, -1)
                if place == start:
                    return 6, ()
            if (place, start) in self.arcs:
                return 6, (place, start)
        if all(abs(x) in forms for x in clause):
            left = self.form(clause, forms) ^ 1
            if not left:
                return 7, ()
            if left in equations:
                return 7, (equations[left],)
        raise NoShortProof(
            "the proof uses a clause for which Coq has no reason yet: neither a cycle nor a parity "
            "(on row/column boards --encoding precedence --option lines=off makes one of these)"
        )


def steps(proof: str, limits: Limits = NEVER) -> Iterator[list[int]]:
    """Yield the lines of an LRAT proof, RAT steps included, its lemmas numbered without a gap."""
    for line in limits.over(proof.splitlines()):
        first, *words = line.split()
        number = int(first)  # of the lemma, or the last one
        if words[0] == "d":
            yield [5, *(number + 2 - int(gone) for gone in words[1:-1])]
            continue
        numbers = [*map(int, words)]
        end = numbers.index(0)
        yield clause_line(numbers[:end], 2)
        group = [3]
        for hint in numbers[end + 1 : -1]:
            if hint < 0:
                yield group
                group = [4]
            group.append(number + 1 - abs(hint))
        yield group
