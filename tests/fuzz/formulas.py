"""Formulas, solvers' outputs and proofs (DRAT, LRAT) on tiny formulas.

Whatever is read ends in an answer or an error of ponder's. A proof may be accepted only when the
formula has no model, by brute force; a proof that is made right must be accepted, and so must the
LRAT proof that the checker makes of it.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

from ponder.check.lrat import check_lrat
from ponder.find.solvers.clause_arrays import Sat, Unsat, parse_solver_output
from ponder.find.solvers.drat_to_lrat import lrat_of
from ponder.system.errors import CheckFailed, PonderError
from tests.fuzz import Failure
from tests.fuzz.calling import bad_reason
from tests.fuzz.limits import limited
from tests.fuzz.mutations import spoiled

BATCH = 60

Clauses = list[list[int]]


def attempt(rng: random.Random) -> int:
    """Try one batch."""
    for _ in range(BATCH):
        rng.choice((_drat, _drat, _lrat, _lrat, _output))(rng)
    return BATCH


def satisfiable(variables: int, clauses: Clauses) -> bool:
    """Whether a formula has a model, by trying all assignments."""
    return any(
        all(any((x > 0) == values[abs(x) - 1] for x in clause) for clause in clauses)
        for values in itertools.product((False, True), repeat=variables)
    )


def formula(rng: random.Random) -> tuple[int, Clauses]:
    """Return a formula that is about as often satisfiable as not."""
    variables = rng.randint(1, 4)
    width = rng.choice((2, 2, 3))
    size = rng.randint(0, (3 if width == 2 else 8) * variables)
    clauses = [
        [rng.choice((-1, 1)) * rng.randint(1, variables) for _ in range(rng.randint(1, width))]
        for _ in range(size)
    ]
    return variables, clauses


def refutation(rng: random.Random, variables: int) -> Clauses:
    """Return lemmas that refute any formula without a model: a search tree, leaves first."""
    order = rng.sample(range(1, variables + 1), variables)
    lemmas = []
    for depth in range(variables, -1, -1):
        for signs in itertools.product((-1, 1), repeat=depth):
            lemmas.append([sign * v for sign, v in zip(signs, order[:depth], strict=True)])
    return lemmas


# ----------------------------------------------------------------------------------- proofs


def _drat(rng: random.Random) -> None:
    variables, clauses = formula(rng)
    steps = [(False, lemma) for lemma in refutation(rng, variables)]
    sound = rng.random() < 0.3
    if not sound:
        for _ in range(rng.randint(1, 4)):
            _spoil(rng, variables, clauses, steps)
    proof: str | bytes = "".join(
        f"{'d ' if deletes else ''}{' '.join(map(str, [*lemma, 0]))}\n" for deletes, lemma in steps
    )
    if rng.random() < 0.2:
        proof = _binary(steps)
    if not sound and rng.random() < 0.3:
        data = proof.encode() if isinstance(proof, str) else proof
        proof = spoiled(rng, data, rng.randint(1, 3))
    call = f"lrat_of({proof!r}, {variables}, {clauses})"
    written: list[str] = []
    accepted = _checked(call, lambda: written.append(lrat_of(proof, variables, clauses)))
    model = satisfiable(variables, clauses)
    if accepted and model and _checked(call, lambda: check_lrat(clauses, written[0])):
        raise Failure("check_lrat accepts a refutation of a formula with a model", call)
    if sound and not model and not accepted:
        raise Failure("lrat_of refuses a sound refutation", call)
    if sound and accepted and not _checked(call, lambda: check_lrat(clauses, written[0])):
        raise Failure("check_lrat refuses what lrat_of wrote", call)


def _spoil(
    rng: random.Random, variables: int, clauses: Clauses, steps: list[tuple[bool, list[int]]]
) -> None:
    """Change a list of steps: the changes that might fool a checker."""
    at = rng.randint(0, len(steps))
    anything = [
        rng.choice((-1, 1)) * rng.randint(1, variables + 2) for _ in range(rng.randint(0, 3))
    ]
    match rng.randrange(7):
        case 0:
            del steps[at : at + rng.choice((1, 1, 4))]
        case 1:
            steps.insert(at, (False, anything))
        case 2:
            steps.insert(at, (True, anything))
        case 3 if clauses:
            steps.insert(at, (True, list(rng.choice(clauses))))
        case 4 if steps:
            steps.insert(at, (True, list(rng.choice(steps)[1])))
        case 5 if steps:
            deletes, lemma = rng.choice(steps)
            steps.insert(at, (deletes, lemma[::-1] + anything))
        case _:
            rng.shuffle(steps)


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


def _lrat(rng: random.Random) -> None:
    variables, clauses = formula(rng)
    while satisfiable(variables, clauses):
        clauses += formula(rng)[1]
        variables = max((abs(x) for clause in clauses for x in clause), default=1)
    lemmas = refutation(rng, variables)
    text = "".join(" ".join(map(str, [*lemma, 0])) + "\n" for lemma in lemmas)
    hinted = lrat_of(text, variables, clauses)
    # Another formula, with the same proof: one clause less, or a literal more in one.
    other = [list(clause) for clause in clauses]
    for _ in range(rng.randint(0, 2)):
        at = rng.randrange(len(other))
        change = rng.randrange(3)
        if change == 0:
            other[at] = [rng.randint(1, variables), -rng.randint(1, variables), *other[at]]
        elif change == 1:
            other[at] = [-x for x in other[at]]
        else:
            other[at] = [*other[at], rng.choice((-1, 1)) * rng.randint(1, variables)]
    proof = hinted
    if rng.random() < 0.7:
        words = proof.split(" ")
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(words))
            if words[at].lstrip("-").isdigit():
                words[at] = str(int(words[at]) * rng.choice((1, -1)) + rng.choice((0, 0, 1, -1)))
        proof = " ".join(words)
    if rng.random() < 0.3:
        proof = spoiled(rng, proof.encode(), 1).decode("latin-1")
    call = f"check_lrat({other}, {proof!r})"
    accepted = _checked(call, lambda: check_lrat(other, proof))
    if accepted and satisfiable(variables, other):
        raise Failure("check_lrat accepts a refutation of a formula with a model", call)
    if not accepted and other == clauses and proof == hinted:
        raise Failure("check_lrat refuses a sound refutation", call)


def _checked(call: str, check: Callable[[], Any]) -> bool:
    """Whether a check accepts; Failure when it ends in anything but an answer."""
    with limited(call.split("(")[0], call):
        try:
            check()
        except CheckFailed as error:
            _reason(error, call)
            return False
        except Exception as error:
            raise _escaped(error, call) from error
    return True


# -------------------------------------------------------------------------------------- files


def _output(rng: random.Random) -> None:
    variables = rng.randint(0, 5)
    model = [rng.choice((-1, 1)) * v for v in range(1, variables + 1)]
    says = rng.choice(("SATISFIABLE", "SATISFIABLE", "UNSATISFIABLE", "UNKNOWN"))
    text = f"c solver\ns {says}\n"
    if says == "SATISFIABLE":
        cut = rng.randint(0, variables)
        parts = (model[:cut], [*model[cut:], 0])
        text += "".join(f"v {' '.join(map(str, part))}\n" for part in parts)
        if rng.random() < 0.3:
            text = f"SAT\n{' '.join(map(str, [*model, 0]))}\n"
    times = rng.choice((0, 1, 1, 2, 3))
    given = spoiled(rng, text.encode(), times).decode("ascii", "replace")
    call = f"parse_solver_output({given!r}, {variables})"
    with limited("parse_solver_output", call):
        try:
            found = parse_solver_output(given, variables)
        except PonderError as error:
            _reason(error, call)
            if not times:
                raise Failure("parse_solver_output refuses an answer", call) from error
            return
        except Exception as error:
            raise _escaped(error, call) from error
    if not times and (
        isinstance(found, Sat) != (says == "SATISFIABLE")
        or isinstance(found, Unsat) != (says == "UNSATISFIABLE")
        or (isinstance(found, Sat) and found.literals.tolist() != model)
    ):
        raise Failure("parse_solver_output reads something else", call)


def _reason(error: PonderError, call: str) -> None:
    if (wrong := bad_reason(str(error))) is not None:
        title = f"{call.split('(')[0]}: {wrong}"
        raise Failure(f"{title}: {str(error)[:200]!a}", call, title) from None


def _escaped(error: Exception, call: str) -> Failure:
    name = call.split("(")[0]
    return Failure(f"{name} ends in {type(error).__name__}: {str(error)[:200]}", call)
