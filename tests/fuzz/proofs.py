"""Proofs (DRAT, LRAT) for tiny formulas: accepted only where there is no model, by brute force.

A proof that is made right must be accepted, and so must the LRAT that is made of it.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import NamedTuple

from ponder.check.lrat import check_lrat
from ponder.find.solvers.drat_to_lrat import lrat_of
from ponder.system.errors import CheckFailed
from tests.fuzz.spoiling import spoiled
from tests.fuzz.terminal import bad_reason

Clauses = list[list[int]]


class Proof(NamedTuple):
    """A formula and a proof: steps in DRAT, and how the LRAT made of it is spoiled."""

    variables: int
    clauses: Clauses
    text: str | bytes
    sound: bool
    other: Clauses
    words: tuple[tuple[int, int], ...]
    """Places in the LRAT, and what is added to the numbers there."""


def make(rng: random.Random) -> Proof:
    """A formula, with and without a model, and steps that are sound or spoiled."""
    variables, width = rng.randint(1, 4), rng.choice((2, 2, 3))

    def clause(longest: int, beyond: int = 0, least: int = 1) -> list[int]:
        size = rng.randint(least, longest)
        return [rng.choice((-1, 1)) * rng.randint(1, variables + beyond) for _ in range(size)]

    most = (3 if width == 2 else 8) * variables
    clauses = [clause(width) for _ in range(rng.randint(0, most))]
    order = rng.sample(range(1, variables + 1), variables)
    steps = [  # a search tree, leaves first
        (False, [sign * v for sign, v in zip(signs, order[:depth], strict=True)])
        for depth in range(variables, -1, -1)
        for signs in itertools.product((-1, 1), repeat=depth)
    ]
    sound = rng.random() < 0.5
    for _ in range(0 if sound else rng.randint(1, 4)):
        at, old = rng.randint(0, len(steps)), rng.choice([*clauses, *(s[1] for s in steps), []])
        steps[at : at + rng.choice((0, 0, 1, 4))] = rng.choice(
            ([], [(False, clause(3, 2, 0))], [(True, old)], [(False, old[::-1] + clause(2))])
        )
    text: str | bytes = "".join(
        f"{'d ' if deletes else ''}{' '.join(map(str, [*lemma, 0]))}\n" for deletes, lemma in steps
    )
    if rng.random() < 0.2:
        text = _binary(steps)
    elif not sound and rng.random() < 0.3:
        assert isinstance(text, str)
        text = spoiled(rng, text.encode(), rng.randint(1, 3))
    other = [list(c) for c in clauses]
    if other and rng.random() < 0.5:
        at = rng.randrange(len(other))
        other[at] = rng.choice(([-x for x in other[at]], [*other[at], *clause(2)]))
    words = [(rng.randrange(200), rng.choice((-1, 1))) for _ in range(rng.choice((0, 1, 3)))]
    return Proof(variables, clauses, text, sound, other, tuple(words))


def _binary(steps: list[tuple[bool, list[int]]]) -> bytes:
    data = bytearray()
    for deletes, lemma in steps:
        data += b"d" if deletes else b"a"
        for code in (2 * abs(x) + (x < 0) for x in lemma):
            while code > 127:
                data.append(code & 127 | 128)
                code >>= 7
            data.append(code)
        data.append(0)
    return bytes(data)


def judge(proof: Proof) -> None:
    """What is accepted is true, and what is sound is accepted."""
    model = satisfiable(proof.variables, proof.clauses)
    written: list[str] = []
    refuted = _accepts(
        lambda: written.append(lrat_of(proof.text, proof.variables, proof.clauses))
    ) and _accepts(lambda: check_lrat(proof.clauses, written[0]))
    assert not (refuted and model), "a refutation of a formula with a model is accepted"
    assert refuted or model or not proof.sound, "a sound refutation is refused"
    if written:
        words = written[0].split(" ")
        for place, more in proof.words:
            at = place % len(words)
            if words[at].lstrip("-").isdigit():
                words[at] = str(int(words[at]) + more)
        largest = max((abs(x) for c in proof.other for x in c), default=0)
        if _accepts(lambda: check_lrat(proof.other, " ".join(words))):
            assert not satisfiable(largest, proof.other), "a formula with a model is refuted"


def _accepts(check: Callable[[], object]) -> bool:
    try:
        check()
    except CheckFailed as error:
        wrong = bad_reason(str(error))
        assert wrong is None, error  # noqa: PT017
        return False
    return True


def satisfiable(variables: int, clauses: Clauses) -> bool:
    """Whether a formula has a model, by trying all assignments."""
    return any(
        all(any((x > 0) == values[abs(x) - 1] for x in clause) for clause in clauses)
        for values in itertools.product((False, True), repeat=variables)
    )
