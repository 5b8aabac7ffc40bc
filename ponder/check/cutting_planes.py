"""Cutting-plane proofs: an OPB formula, and sums of its constraints that can not be satisfied.

Idea. Every inequality is Σ a·x ≥ b over the variables, whole numbers throughout. Inequalities may
be added and multiplied by positive numbers, and x ≥ 0 and 1 − x ≥ 0 are inequalities too. One with
Σ max(a, 0) < b has no solution, so neither has the formula. *Saturation*: written with literals
alone, every a > 0, no a need be larger than the bound. *Division*: so written, every a and the
bound are divided and rounded up. *Unit propagation*: if Σ a·x < b makes the others force variables
until one can not be satisfied, Σ a·x ≥ b follows (`rup`; with hints, from those alone).
*Redundance*: a constraint C may be added if an assignment x → 0 or 1 turns every solution of the
others that is none of C into one of all (`red`): so are new variables defined.

Of VeriPB's frames 2.0 and 3.0 this reads `f`, `pol`, `rup`, `red` with one variable, `del id`,
`output NONE`, `conclusion UNSAT : id`.

Cost: linear in the terms of the constraints that are named, in rounds where there are no hints;
each is taken off a `Budget`. No number has more than a hundred digits, so that a term costs the
same wherever it stands.
References. Cook, Coullard, Turán 1987; B. Bogaerts, S. Gocht, C. McCreesh, J. Nordström, "Certified
symmetry and dominance breaking for combinatorial optimisation", JAIR 2023 (redundance).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import StringIO
from typing import TypeAlias

from ponder.check.limits import BYTES_WORD, FREE, Budget
from ponder.system.errors import CheckFailed

Row: TypeAlias = tuple[dict[int, int], int]  # coefficients by variable, and the bound: Σ a·x ≥ b

_Scaled: TypeAlias = tuple[Row, int]

_DIGITS = 100  # of a number; far more than a sum of constraints comes to
_LARGEST = 10**_DIGITS - 1
_BYTES_TERM = 120  # of a constraint that is kept
_N = f"[0-9]{{1,{_DIGITS}}}"
_TERM = re.compile(f"([+-]?{_N}) x({_N})")
_LINE = re.compile(f"((?:[+-]?{_N} x{_N} )*)(>=|=) ([+-]?{_N}) ;")
_HEADER = re.compile(rf"\* #variable= ({_N}) #constraint= ({_N})")


def check_veripb(formula: str, proof: str, *, budget: Budget = FREE) -> int:
    """Return the number of sums of a `proof` of `formula`. Raises CheckFailed if it is none.

    Every step is taken off the `budget`.

    >>> opb = "* #variable= 1 #constraint= 2\\n+1 x1 >= 1 ;\\n-1 x1 >= 0 ;\\n"
    >>> head, tail = "pseudo-Boolean proof version 3.0\\nf 2;\\n", "output NONE;\\n"
    >>> end = "conclusion UNSAT : 3;\\nend pseudo-Boolean proof;\\n"
    >>> check_veripb(opb, head + "pol 1 2 +;\\n" + tail + end)
    1
    """
    rows = parse_opb(formula, budget)
    inequalities = len(rows)
    sums = _Sums(rows, budget)
    version, statements = _statements(proof)
    stage = "formula"
    for number, text in statements:
        budget.hold(BYTES_WORD * len(text) + sums.held)
        words = text.split()
        budget.work(2 + 2 * len(words))
        try:
            stage = _step(stage, words, version, sums, inequalities)
        except CheckFailed as failure:
            raise CheckFailed(f"proof line {number}: {failure}") from None
        except (ValueError, IndexError):
            raise CheckFailed(f"proof line {number}: {words[0][:20]!a}: not understood") from None
    if stage != "ended":
        raise CheckFailed("the proof has no end: it was cut short")
    return len(rows) - inequalities


def _statements(proof: str) -> tuple[str, Iterator[tuple[int, str]]]:
    """Return the version, and the statements without their semicolons, each with its line."""
    lines = StringIO(proof)
    version = lines.readline().strip().removeprefix("pseudo-Boolean proof version ")
    if version not in ("2.0", "3.0"):
        raise CheckFailed("proof line 1: no header of VeriPB's versions 2.0 and 3.0")

    def each() -> Iterator[tuple[int, str]]:
        begun = list[str]()
        for number, line in enumerate(lines, 2):
            text = line.partition("%")[0]
            if version == "2.0" or text.lstrip().startswith("*"):
                if text.strip() and not text.lstrip().startswith("*"):
                    yield number, text
                continue
            first, *others = text.split(";")
            begun.append(first)
            if others:
                *whole, rest = "".join(begun), *others
                yield from ((number, one) for one in whole if one.strip())
                begun = [rest]
        if any(map(str.strip, begun)):
            raise CheckFailed("the proof has no end: its last line has no semicolon")

    return version, each()


def parse_opb(text: str, budget: Budget = FREE) -> list[Row]:
    """Return a formula's inequalities; an equality gives two, "at least" first."""
    lines = iter(text.split("\n"))
    head = _HEADER.fullmatch(next(lines))
    if head is None:
        raise CheckFailed("formula line 1: no `* #variable= N #constraint= M`")
    variables, stated, found = int(head[1]), int(head[2]), 0
    rows: list[Row] = []
    for number, line in enumerate(lines, 2):
        budget.work(2 + len(line))
        if not line or line.startswith("*"):
            continue
        parts = _LINE.fullmatch(line)
        if parts is None:
            raise CheckFailed(f"formula line {number}: not a linear constraint")
        row: dict[int, int] = {}
        for coefficient, variable in _TERM.findall(parts[1]):
            name = int(variable)
            if not 0 < name <= variables:
                raise CheckFailed(f"formula line {number}: x{name} is beyond x{variables}")
            row[name] = row.get(name, 0) + int(coefficient)
        bound = int(parts[3])
        rows.append((row, bound))
        if parts[2] == "=":
            rows.append(({name: -a for name, a in row.items()}, -bound))
        found += 1
    if found != stated:
        raise CheckFailed(f"the formula states {stated} constraints and has {found}")
    return rows


def _step(stage: str, words: list[str], version: str, sums: _Sums, inequalities: int) -> str:
    """Take a statement; return the next stage. Raises CheckFailed, or ValueError if it is none."""
    if stage == "formula":
        if words != ["f", str(inequalities)]:
            raise CheckFailed(f"expected f {inequalities}: the formula is another one")
        return "sums"
    if stage == "sums" and words[0] in ("pol", "rup", "red", "del"):
        if words[0] == "pol":
            sums.keep(words[1:])
        elif words[:2] == ["del", "id"]:
            sums.delete(words[2:])
        else:
            mark = ":" if version == "3.0" else ";"
            at = words.index(mark) if mark in words else len(words)
            add = sums.propagated if words[0] == "rup" else sums.redundant
            add(_constraint(words[1:at]), words[at + 1 :])
        return stage
    if stage == "sums" and words == ["output", "NONE"]:
        return "output"
    if stage == "output" and words[:3] == ["conclusion", "UNSAT", ":"] and len(words) == 4:
        (row, bound), _ = sums.operand(sums.number(words[3]))
        if sum(a for a in row.values() if a > 0) >= bound:
            raise CheckFailed(f"the constraint {words[3]} can be satisfied")
        return "concluded"
    if stage == "concluded" and words == ["end", "pseudo-Boolean", "proof"]:
        return "ended"
    raise CheckFailed(f"{words[0][:20]!a}: not a line that may stand here")


def _constraint(words: list[str]) -> Row:
    """Return Σ a·l ≥ b, of words a l … >= b. Raises ValueError."""
    *terms, relation, last = words
    if relation != ">=" or len(terms) % 2:
        raise ValueError(words)
    row, bound = dict[int, int](), _signed(last)
    for word, literal in zip(terms[::2], terms[1::2], strict=True):
        a, negated = _signed(word), literal.startswith("~")
        name = _variable(literal.removeprefix("~"))
        row[name] = row.get(name, 0) + (-a if negated else a)
        bound -= a if negated else 0
    return row, bound


class _Sums:
    """The constraints, those of the formula first, and sums of them in reverse Polish notation.

    Constraints are only read, never changed. On the stack lie numbers, which name constraints or
    are factors, and pairs (row, times). `held` are the bytes of all constraints, `begun` those of
    what the line in hand has made so far, roughly.
    """

    def __init__(self, rows: list[Row], budget: Budget) -> None:
        self.rows, self.budget = rows, budget
        self.held = _BYTES_TERM * sum(2 + len(row) for row, _ in rows)
        self.begun = 0
        self.gone: set[int] = set()  # the numbers of deleted constraints, from 0
        self.where: dict[int, list[int]] | None = None  # by variable, once `red` asks

    def keep(self, words: list[str]) -> None:
        """Work a sum out; it is the next constraint."""
        self.begun = 0
        stack: list[_Scaled | int] = []
        total: dict[int, int] = {}  # the latest sum, which nothing else holds
        for word in words:
            if word == "*":
                times, operand = stack.pop(), stack.pop()
                if not isinstance(times, int) or times < 1:  # `-k` may name none
                    raise CheckFailed("a factor that is not a number from 1 up")
                row, factor = self.operand(operand)
                stack.append((row, _small(factor * times)))
            elif word == "+":
                (added, more), factor = self.operand(stack.pop())
                (begun, bound), times = self.operand(stack.pop())
                self.budget.work(1 + len(added))
                if begun is not total or times != 1:  # copy what another constraint holds
                    total, bound = self.multiplied((begun, bound), times)
                for name, a in added.items():
                    total[name] = total.get(name, 0) + a * factor
                stack.append(((total, bound + more * factor), 1))
            elif word == "s":
                row, times = self.operand(stack.pop())
                total, bound = self.multiplied(row, times)
                stack.append((_saturated(total, bound), 1))
            elif word == "d":
                divisor, operand = stack.pop(), stack.pop()
                if not isinstance(divisor, int) or divisor < 1:
                    raise CheckFailed("a divisor that is not a number from 1 up")
                total, bound = self.multiplied(*self.operand(operand))
                stack.append((_divided(total, bound, divisor), 1))
            elif word[0] == "x":
                stack.append((self.made({_variable(word): 1}, 0), 1))
            elif word[:2] == "~x":
                stack.append((self.made({_variable(word[1:]): -1}, -1), 1))
            else:
                stack.append(self.number(word))
        if len(stack) != 1:
            raise CheckFailed("a sum with too few or too many operands")
        self.append(self.multiplied(*self.operand(stack.pop())))

    def number(self, word: str) -> int:
        """Return a number, or that of a constraint counted from the last, which is -1."""
        return len(self.rows) + 1 - _number(word[1:]) if word[:1] == "-" else _number(word)

    def append(self, row: Row) -> None:
        """Add a constraint that follows, or that is redundant."""
        self.held += _BYTES_TERM * (2 + len(row[0]))
        self.budget.hold(self.held)
        if self.where is not None:
            for name in row[0]:
                self.where.setdefault(name, []).append(len(self.rows))
        self.rows.append(row)

    def delete(self, words: list[str]) -> None:
        """Delete constraints, by their numbers."""
        for word in words:
            number = self.number(word)
            (row, _), _ = self.operand(number)
            self.held -= _BYTES_TERM * (2 + len(row))
            self.rows[number - 1] = {}, 0
            self.gone.add(number - 1)

    def propagated(self, row: Row, hints: list[str]) -> None:
        """Add what follows by unit propagation, from the hints alone where there are any."""
        named = [self.operand(self.number(word))[0] for word in hints if word != "~"]
        if not self.clash([_negated(row), *(named if hints else self.rows)]):
            raise CheckFailed("the constraint does not follow by unit propagation")
        self.append(row)

    def redundant(self, row: Row, witness: list[str]) -> None:
        """Add a constraint that one variable, set to 0 or 1, makes true, and breaks no other."""
        if len(witness) == 2:
            witness.insert(1, "->")
        variable, arrow, value = witness
        if arrow != "->" or value not in ("0", "1"):
            raise ValueError(witness)
        name, opposed = _variable(variable), _negated(row)
        if self.where is None:
            self.where = {}
            self.budget.work(sum(len(one) for one, _ in self.rows))
            for number, (one, _) in enumerate(self.rows):
                for each in one:
                    self.where.setdefault(each, []).append(number)
        for one, bound in [row, *(self.rows[number] for number in self.where.get(name, ()))]:
            self.budget.work(1 + 2 * len(one))
            a, kept = one.get(name, 0), {each: b for each, b in one.items() if each != name}
            if a * int(value) == max(a, 0) and one is not row[0]:
                continue  # what stood there says as much
            goal = _negated((kept, bound - a * int(value)))
            if not self.clash([opposed, goal]) and not self.clash([opposed, goal, *self.rows]):
                raise CheckFailed("the constraint is not redundant: it breaks another one")
        self.append(row)

    def clash(self, rows: list[Row]) -> bool:
        """Tell whether unit propagation leads to a constraint that can not be satisfied."""
        values = dict[int, int]()
        known = -1
        while known < len(values):
            known = len(values)
            for row, bound in rows:
                self.budget.work(1 + 2 * len(row))
                slack = -bound  # by how much it can be exceeded
                for name, a in row.items():
                    slack += a * values[name] if name in values else max(a, 0)
                if slack < 0:
                    return True
                for name, a in row.items():
                    if abs(a) > slack and name not in values:
                        values[name] = int(a > 0)
        return False

    def multiplied(self, row: Row, times: int) -> Row:
        """Return a row of its own. Raises CheckFailed if a number becomes too large."""
        found = self.made({name: a * times for name, a in row[0].items() if a}, row[1] * times)
        _small(max(abs(found[1]), max(map(abs, found[0].values()), default=0)))
        return found

    def made(self, row: dict[int, int], bound: int) -> Row:
        """Return a row that was made, taken off the budget."""
        self.budget.work(1 + 2 * len(row))
        self.begun += _BYTES_TERM * (2 + len(row))
        self.budget.hold(self.held + self.begun)
        return row, bound

    def operand(self, item: _Scaled | int) -> _Scaled:
        """Return a row and how many times it is taken; a number names a constraint."""
        if not isinstance(item, int):
            return item
        if not 0 < item <= len(self.rows) or item - 1 in self.gone:
            raise CheckFailed(f"there is no constraint {item}")
        return self.rows[item - 1], 1


def _small(number: int) -> int:
    if number > _LARGEST:
        raise CheckFailed(f"a number of more than {_DIGITS} digits")
    return number


def _saturated(row: dict[int, int], bound: int) -> Row:
    """Return an inequality, from a `row` that changes, with no coefficient above its bound."""
    bound -= sum(a for a in row.values() if a < 0)
    if bound <= 0:
        return {}, 0
    for name, a in row.items():
        row[name] = max(-bound, min(a, bound))
    return row, bound + sum(a for a in row.values() if a < 0)


def _divided(row: dict[int, int], bound: int, divisor: int) -> Row:
    """Return an inequality divided: with literals alone, all of it is rounded up."""
    bound -= sum(a for a in row.values() if a < 0)
    for name, a in row.items():
        row[name] = -(-abs(a) // divisor) * (1 if a > 0 else -1)
    return row, -(-bound // divisor) + sum(a for a in row.values() if a < 0)


def _negated(row: Row) -> Row:
    """Return Σ −a·x ≥ 1 − b."""
    return {name: -a for name, a in row[0].items()}, 1 - row[1]


def _variable(word: str) -> int:
    if word[:1] != "x":
        raise ValueError(word)
    return _number(word[1:])


def _signed(word: str) -> int:
    return -_number(word[1:]) if word[:1] == "-" else _number(word.removeprefix("+"))


def _number(word: str) -> int:
    if not word.isascii() or not word.isdigit() or len(word) > _DIGITS:
        raise ValueError(word)
    return int(word)
