"""Cutting-plane proofs: an OPB formula, and sums of its constraints that can not be satisfied.

Idea. Every inequality is Σ a·x ≥ b over the variables, whole numbers throughout. Inequalities may
be added and multiplied by positive numbers, and x ≥ 0 and 1 − x ≥ 0 are inequalities too. One with
Σ max(a, 0) < b has no solution, so neither has the formula. *Saturation*: written with literals
alone, every a > 0, no a need be larger than the bound. Of VeriPB's format this reads what ponder
writes: `f`, `pol` with sums, multiples and saturation, `output NONE`, `conclusion UNSAT : id`.

Cost: linear in the terms of the constraints that are named; each is taken off a `Budget`. No number
has more than a hundred digits, so that a term costs the same wherever it stands.
"""

from __future__ import annotations

import re
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
    >>> head, tail = "pseudo-Boolean proof version 2.0\\nf 2\\n", "output NONE\\n"
    >>> end = "end pseudo-Boolean proof\\n"
    >>> check_veripb(opb, head + "pol 1 2 +\\n" + tail + "conclusion UNSAT : 3\\n" + end)
    1
    """
    rows = parse_opb(formula, budget)
    inequalities = len(rows)
    sums = _Sums(rows, budget)
    lines = StringIO(proof)
    version = lines.readline().strip().removeprefix("pseudo-Boolean proof version ")
    if version not in ("2.0", "3.0"):
        raise CheckFailed("proof line 1: no header of VeriPB's versions 2.0 and 3.0")
    stage = "formula"
    for number, line in enumerate(lines, 2):
        budget.hold(BYTES_WORD * len(line) + sums.held)
        words = line.rstrip().removesuffix(";").split() if version == "3.0" else line.split()
        budget.work(2 + 2 * len(words))
        if not words or words[0] in ("*", "%"):
            continue
        try:
            stage = _step(stage, words, sums, inequalities)
        except CheckFailed as failure:
            raise CheckFailed(f"proof line {number}: {failure}") from None
        except (ValueError, IndexError):
            raise CheckFailed(f"proof line {number}: {words[0][:20]!a}: not understood") from None
    if stage != "ended":
        raise CheckFailed("the proof has no end: it was cut short")
    return len(rows) - inequalities


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


def _step(stage: str, words: list[str], sums: _Sums, inequalities: int) -> str:
    """Take a line; return the next stage. Raises CheckFailed, or ValueError if it is no line."""
    if stage == "formula":
        if words != ["f", str(inequalities)]:
            raise CheckFailed(f"expected f {inequalities}: the formula is another one")
        return "sums"
    if stage == "sums" and words[0] == "pol":
        sums.keep(words[1:])
        return stage
    if stage == "sums" and words == ["output", "NONE"]:
        return "output"
    if stage == "output" and words[:3] == ["conclusion", "UNSAT", ":"] and len(words) == 4:
        number = _number(words[3])
        (row, bound), _ = sums.operand(number)
        if sum(a for a in row.values() if a > 0) >= bound:
            raise CheckFailed(f"the constraint {number} can be satisfied")
        return "concluded"
    if stage == "concluded" and words == ["end", "pseudo-Boolean", "proof"]:
        return "ended"
    raise CheckFailed(f"{words[0][:20]!a}: not a line that may stand here")


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

    def keep(self, words: list[str]) -> None:
        """Work a sum out; it is the next constraint."""
        self.begun = 0
        stack: list[_Scaled | int] = []
        total: dict[int, int] = {}  # the latest sum, which nothing else holds
        for word in words:
            if word == "*":
                times, operand = stack.pop(), stack.pop()
                if not isinstance(times, int) or not times:
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
            elif word[0] == "x":
                stack.append((self.made({_number(word[1:]): 1}, 0), 1))
            elif word[:2] == "~x":
                stack.append((self.made({_number(word[2:]): -1}, -1), 1))
            else:
                stack.append(_number(word))
        if len(stack) != 1:
            raise CheckFailed("a sum with too few or too many operands")
        row = self.multiplied(*self.operand(stack.pop()))
        self.rows.append(row)
        self.held += _BYTES_TERM * (2 + len(row[0]))

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
        if not 0 < item <= len(self.rows):
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


def _number(word: str) -> int:
    if not word.isascii() or not word.isdigit() or len(word) > _DIGITS:
        raise ValueError(word)
    return int(word)
