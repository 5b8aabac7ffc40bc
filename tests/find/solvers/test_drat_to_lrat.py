"""DRAT made into LRAT: what comes out is checked, and comes out exactly when the proof is right."""

from __future__ import annotations

import itertools
import random

import pytest

from ponder.check.lrat import check_lrat
from ponder.find.solvers.drat_to_lrat import lrat_of
from ponder.system.errors import CheckFailed
from ponder.system.limits import Limits, TimeUp

Clauses = list[list[int]]
Step = tuple[bool, list[int]]

SQUARE = [[1, 2], [1, -2], [-1, 2], [-1, -2]]


def propagated(clauses: Clauses, assumed: set[int]) -> set[int] | None:
    """All that unit propagation derives from some literals, or None for a falsified clause."""
    true = set(assumed)
    if any(-x in true for x in true):
        return None
    while True:
        before = len(true)
        for clause in clauses:
            left = {x for x in clause if -x not in true}
            if not left & true and len(left) < 2:
                if not left:
                    return None
                true |= left
        if len(true) == before:
            return true


def is_right(formula: Clauses, steps: list[Step]) -> bool:
    """Whether every step up to the first conflict is RUP or RAT, by the definition."""
    present = [sorted(set(clause)) for clause in formula]
    for deletes, lemma in steps:
        derived = propagated(present, set())
        if derived is None:
            return True
        if deletes:
            unit = len({*lemma} & derived) == 1 and all(
                x in derived or -x in derived for x in lemma
            )
            if sorted(set(lemma)) in present and not unit:
                present.remove(sorted(set(lemma)))
            continue
        if not lemma:
            return False
        against = [{-x for x in lemma} | {-x for x in c if x != -lemma[0]}
                   for c in present if -lemma[0] in c]  # fmt: skip
        if propagated(present, {-x for x in lemma}) is not None and any(
            propagated(present, assumed) is not None for assumed in against
        ):
            return False
        present.append(sorted(set(lemma)))
    return propagated(present, set()) is None


def as_text(steps: list[Step]) -> str:
    return "".join(
        f"{'d ' * deletes}{' '.join(map(str, [*lemma, 0]))}\n" for deletes, lemma in steps
    )


def as_binary(steps: list[Step]) -> bytes:
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


def search_tree(rng: random.Random, variables: int) -> list[Step]:
    """Lemmas that refute any formula without a model, leaves first."""
    order = rng.sample(range(1, variables + 1), variables)
    return [
        (False, [sign * v for sign, v in zip(signs, order[:depth], strict=True)])
        for depth in range(variables, -1, -1)
        for signs in itertools.product((-1, 1), repeat=depth)
    ]


def test_random_proofs() -> None:
    """Search trees, spoiled or not, over random formulas and with new variables."""
    rng = random.Random(1)
    count = {True: 0, False: 0}
    for _ in range(1500):
        variables = rng.randint(1, 4)
        width = rng.choice((2, 3))
        formula = [
            [rng.choice((-1, 1)) * rng.randint(1, variables) for _ in range(rng.randint(1, width))]
            for _ in range(rng.randint(0, 8 * variables))
        ]
        steps = search_tree(rng, variables)
        for _ in range(rng.randint(0, 3)):
            at, top = rng.randint(0, len(steps)), variables + 2
            lemma = [rng.choice((-1, 1)) * rng.randint(1, top) for _ in range(rng.randint(0, 3))]
            match rng.randrange(5):
                case 0:
                    del steps[at : at + 1]
                case 1:
                    steps.insert(at, (False, lemma))
                case 2 if formula:
                    steps.insert(at, (True, rng.choice(formula)))
                case 3 if steps:
                    steps.insert(at, (True, rng.choice(steps)[1]))
                case 4:
                    rng.shuffle(steps)
        try:
            lrat = lrat_of(as_text(steps), variables, formula)
        except CheckFailed:
            with pytest.raises(CheckFailed):
                lrat_of(as_binary(steps), variables, formula)
            # only the lemmas that are needed are looked at, so what is refused is wrong
            assert not is_right(formula, steps)
            count[False] += 1
        else:
            assert check_lrat(formula, lrat) > 0
            assert lrat_of(as_binary(steps) or b"0", variables, formula) == lrat
            assert lrat_of(lrat, variables, formula) == lrat
            count[True] += 1
    assert min(count.values()) > 100


def test_definitions() -> None:
    """A new variable for x1, which is RAT, and its use."""
    proof = "3 -1 0\n-3 1 0\n3 0\n0\n"
    assert check_lrat(SQUARE, lrat_of(proof, 2, SQUARE)) == 4
    tautologies = [*SQUARE, [3, -3, 2], [-3, 1, 3]]  # which no RAT lemma has hints for
    lrat = lrat_of(proof, 3, tautologies)
    assert lrat.splitlines()[0].endswith(" d 5 6 0")
    assert check_lrat(tautologies, lrat) == 4


@pytest.mark.parametrize(
    "proof",
    [
        "", "1", "1 x 0", "1 0 2", "0\n", "9999999 0\n0\n", b"a" + b"\xff" * 1000 + b"\x01\x00",
        b"b\x02\x00", b"a\x02", b"a\x01\x00", b"\x00",
    ],
)  # fmt: skip
def test_what_is_no_proof(proof: str | bytes) -> None:
    with pytest.raises(CheckFailed):
        lrat_of(proof, 2, SQUARE)


def test_the_clock() -> None:
    with pytest.raises(TimeUp):
        lrat_of("1 0\n0\n", 2, SQUARE, Limits(0))


def test_a_step_ends_at_its_0_wherever_that_is() -> None:
    square = [[1, 2], [1, -2], [-1, 2], [-1, -2]]
    whole = lrat_of("1 0\nd 1 2 0\n0\n", 2, square)
    assert lrat_of("c a remark\n1\n\n0 d 1\n2 0 0\n", 2, square) == whole
    assert lrat_of("\ufeff1 0\n0\n".encode(), 2, square)
    for spoilt in ("1 0\n2", "1 x 0\n0\n"):
        with pytest.raises(CheckFailed):
            lrat_of(spoilt, 2, square)
