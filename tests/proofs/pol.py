"""An evaluator of the VeriPB proofs that ponder writes: one sum of an OPB file's constraints.

A constraint is ({literal: coefficient ≥ 0}, bound); ¬x is −x. Nothing but `pol` with `+` is known.
"""

from __future__ import annotations

import re

Constraint = tuple[dict[int, int], int]


def normal(terms: dict[int, int], bound: int) -> Constraint:
    """The constraint with coefficients ≥ 0, by a·x = a − a·¬x, and no variable with both signs."""
    left: dict[int, int] = {}
    for literal, factor in terms.items():
        variable = abs(literal)
        if literal < 0:
            bound -= factor
            factor = -factor
        left[variable] = left.get(variable, 0) + factor
    bound -= sum(factor for factor in left.values() if factor < 0)
    return {v if a > 0 else -v: abs(a) for v, a in left.items() if a}, bound


def inequalities(opb: str) -> list[Constraint]:
    """The inequalities of an OPB file, an equality as two."""
    constraints = []
    for line in opb.splitlines():
        if line.startswith("*") or not line.strip():
            continue
        match = re.fullmatch(r"((?:[+-]\d+ x\d+ )*)(>=|=) (-?\d+) ;", line)
        assert match, line
        words = match[1].split()
        terms = {int(x[1:]): int(a) for a, x in zip(words[::2], words[1::2], strict=True)}
        bound = int(match[3])
        constraints.append(normal(terms, bound))
        if match[2] == "=":
            constraints.append(normal({x: -a for x, a in terms.items()}, -bound))
    return constraints


def refutes(opb: str, pbp: str) -> bool:
    """Whether a proof's sum of the formula's constraints can not be satisfied."""
    lines = [line for line in pbp.splitlines() if not line.startswith("%")]
    constraints = inequalities(opb)
    count = len(constraints)
    if lines[0] != "pseudo-Boolean proof version 3.0" or lines[1] != f"f {count};":
        return False
    if lines[3:] != [
        "output NONE;",
        f"conclusion UNSAT : {count + 1};",
        "end pseudo-Boolean proof;",
    ]:
        return False
    match = re.fullmatch(r"pol (\S+)((?: \S+ \+)*);", lines[2])
    if match is None:
        return False
    total: dict[int, int] = {}
    bound = 0
    for word in [match[1], *match[2].split()[::2]]:
        if re.fullmatch(r"~?x[1-9]\d*", word):
            literal = int(word.lstrip("~x")) * (-1 if word[0] == "~" else 1)
            terms, least = {literal: 1}, 0
        elif word.isdecimal() and 1 <= int(word) <= count:
            terms, least = constraints[int(word) - 1]
        else:
            return False
        for literal, factor in terms.items():
            total[literal] = total.get(literal, 0) + factor
        total, bound = normal(total, bound + least)
    return sum(total.values()) < bound
