"""The DRAT checker against a naive one, the solvers' proofs and their mutations, LRAT and back."""

from __future__ import annotations

import ast
import io
import itertools
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ponder.check.drat import check_drat
from ponder.check.drat_format import drat_text
from ponder.check.lrat import check_lrat
from ponder.find.solvers.clause_arrays import Formula, Unsat
from ponder.find.solvers.sat import solve
from ponder.system.errors import CheckFailed
from tests.depth import deep

Clause = list[int]
GOOD = ["glucose4"]

SQUARE = [[1, 2], [1, -2], [-1, 2], [-1, -2]]


def pigeonhole(holes: int) -> list[Clause]:
    """holes + 1 pigeons do not fit; pigeon p sits in hole h: variable p·holes + h + 1."""
    var = [[p * holes + h + 1 for h in range(holes)] for p in range(holes + 1)]
    pairs = [
        [-var[p][h], -var[q][h]]
        for h in range(holes)
        for p, q in itertools.combinations(range(holes + 1), 2)
    ]
    return [*var, *pairs]


def random_3sat(nvars: int, size: int, rng: random.Random) -> list[Clause]:
    return [
        [x * rng.choice((1, -1)) for x in rng.sample(range(1, nvars + 1), 3)] for _ in range(size)
    ]


def nvars_of(clauses: list[Clause]) -> int:
    return max((abs(x) for clause in clauses for x in clause), default=0)


def satisfiable(clauses: list[Clause]) -> bool:
    return any(
        all(any((x > 0) == bits[abs(x) - 1] for x in clause) for clause in clauses)
        for bits in itertools.product((False, True), repeat=nvars_of(clauses))
    )


# ------------------------------------------------------------------ a naive checker, by definition


def closure(clauses: list[frozenset[int]], assumed: set[int]) -> set[int] | None:
    """All that unit propagation derives from some literals, or None for a falsified clause."""
    true = set(assumed)
    if any(-x in true for x in true):
        return None
    changed = True
    while changed:
        changed = False
        for clause in clauses:
            if clause & true:
                continue
            left = [x for x in clause if -x not in true]
            if not left:
                return None
            if len(left) == 1:
                true.add(left[0])
                changed = True
    return true


def is_rup(clauses: list[frozenset[int]], lemma: set[int]) -> bool:
    return closure(clauses, {-x for x in lemma}) is None


def naive_verdict(formula: list[Clause], proof: str) -> bool:
    """Whether every step up to the first conflict is right, and there is a conflict."""
    present = [frozenset(c) for c in formula]
    for line in proof.splitlines():
        derived = closure(present, set())
        if derived is None:
            return True
        words = line.split()
        if words[0] == "d":
            gone = frozenset(int(x) for x in words[1:-1])
            unit = len(gone & derived) == 1 and all(x in derived or -x in derived for x in gone)
            if gone in present and not unit:
                present.remove(gone)
            continue
        lemma = [int(x) for x in words[:-1]]
        if not lemma:
            return False
        partners = [c for c in present if -lemma[0] in c]
        if not is_rup(present, set(lemma)) and not all(
            is_rup(present, set(lemma) | (c - {-lemma[0]})) for c in partners
        ):
            return False
        present.append(frozenset(lemma))
    return closure(present, set()) is None


def verdict(formula: list[Clause], proof: str, every: bool) -> bool:
    """The checker's verdict. What it accepts must come with hints that stand on their own."""
    out = io.StringIO()
    try:
        check_drat(nvars_of(formula), formula, proof, every=every, lrat=out)
    except CheckFailed:
        assert out.getvalue() == ""
        return False
    check_lrat(formula, out.getvalue())
    assert check_drat(nvars_of(formula), formula, proof, every=every).lemmas >= 0
    return True


def agrees(formula: list[Clause], proof: str) -> bool:
    """Compare with the naive checker; returns its verdict.

    By default only needed lemmas are checked, so that more may be accepted: never a proof of what
    is false, and the hints, checked above, stand for a proof without the superfluous lemmas.
    """
    expected = naive_verdict(formula, proof)
    assert verdict(formula, proof, every=True) == expected
    if verdict(formula, proof, every=False) != expected:
        assert not expected
        assert not satisfiable(formula)
    return expected


# ----------------------------------------------------------------------------------------- verdicts


literals = st.integers(-4, 4).filter(bool)
lines = st.tuples(
    st.sampled_from(["", "", "d "]), st.lists(literals, min_size=0, max_size=3, unique=True)
).map(lambda x: x[0] + " ".join(map(str, [*x[1], 0])))


@settings(max_examples=100)
@given(
    st.lists(st.lists(literals, min_size=1, max_size=3, unique=True), min_size=4, max_size=14),
    st.lists(lines, max_size=8),
)
def test_any_proof_of_any_formula(formula: list[Clause], steps: list[str]) -> None:
    agrees(formula, "\n".join([*steps, ""]))


@settings(max_examples=200)
@given(st.integers(0, 10**9))
def test_deletions_of_clauses_that_are_there(seed: int) -> None:
    """Mixed lemmas, right and wrong, and deletions that hit: where the trail matters most."""
    rng = random.Random(seed)
    formula = [
        rng.sample([x, -y, z, -w], rng.choice((1, 2, 2, 3, 3)))
        for x, y, z, w in (
            [v * rng.choice((1, -1)) for v in rng.sample(range(1, 6), 4)]
            for _ in range(rng.randint(8, 24))
        )
    ]
    present = [list(c) for c in formula]
    steps = []
    for _ in range(rng.randint(0, 12)):
        if rng.random() < 0.45:
            gone = rng.choice(present)
            present.remove(gone)
            steps.append("d " + " ".join(map(str, [*rng.sample(gone, len(gone)), 0])))
        else:
            lemma = rng.sample(range(1, 7), rng.choice((1, 2, 2, 3)))
            lemma = [x * rng.choice((1, -1)) for x in lemma]
            present.append(lemma)
            steps.append(" ".join(map(str, [*lemma, 0])))
        if not present:
            break
    agrees(formula, "\n".join([*steps, "0", ""]))


@pytest.mark.parametrize("most", deep(3, 8))
@pytest.mark.parametrize("solver", GOOD)
def test_proofs_of_every_solver_and_their_mutations(solver: str, most: int) -> None:
    rng = random.Random(7)
    formulas = [SQUARE, pigeonhole(2), pigeonhole(3), random_3sat(9, 70, rng), pigeonhole(5)]
    formulas += [random_3sat(40, 220, rng)]
    rejected = 0
    for formula in formulas:
        outcome = solve(Formula.of(nvars_of(formula), formula), solver=solver, proof=True)
        assert isinstance(outcome, Unsat)
        assert outcome.proof is not None
        assert verdict(formula, outcome.proof, every=False)
        assert verdict(formula, outcome.proof, every=True)
        steps = outcome.proof.splitlines()
        if nvars_of(formula) > 12:
            continue
        for i in rng.sample(range(len(steps)), min(len(steps), most)):
            before, step, after = steps[:i], steps[i], steps[i + 1 :]
            mutations = [[*before, *after], before]
            if len(step.split()) > 1 and not step.startswith("d"):
                mutations.append([*before, step.removeprefix("-"), *after])
                if not step.startswith("-"):
                    mutations[-1][i] = "-" + step
            for mutation in mutations:
                rejected += not agrees(formula, "\n".join(mutation))
    assert rejected >= 5


@pytest.mark.deep
@pytest.mark.parametrize("solver", GOOD)
def test_longer_proofs(solver: str) -> None:
    rng = random.Random(11)
    formulas = [pigeonhole(6), random_3sat(120, 600, rng), random_3sat(150, 700, rng)]
    for formula in formulas:
        outcome = solve(Formula.of(nvars_of(formula), formula), solver=solver, proof=True)
        assert isinstance(outcome, Unsat)
        assert outcome.proof is not None
        assert verdict(formula, outcome.proof, every=False)
        assert not verdict(formula, "\n".join(outcome.proof.splitlines()[:5]), every=False)


def cook(holes: int) -> Iterator[str]:
    """Cook's short proof for the pigeonholes, whose definitions are RAT and not RUP."""
    var = {(p, h): p * holes + h + 1 for p in range(holes + 1) for h in range(holes)}
    fresh = itertools.count(len(var) + 1)
    for last in range(holes - 1, 0, -1):  # pigeons 0 … last into holes 0 … last − 1
        old = var
        var = {(p, h): next(fresh) for p in range(last + 1) for h in range(last)}
        for (p, h), new in var.items():
            a, b, c = old[p, h], old[p, last], old[last + 1, h]
            yield f"{new} {-a} 0"
            yield f"{new} {-b} {-c} 0"
            yield f"{-new} {a} {b} 0"
            yield f"{-new} {a} {c} 0"
        for p in range(last + 1):
            yield " ".join([*(str(var[p, h]) for h in range(last)), "0"])
        for h in range(last):
            for p, q in itertools.combinations(range(last + 1), 2):
                yield f"{-var[p, h]} {-var[q, h]} {old[p, h]} 0"
                yield f"{-var[p, h]} {-var[q, h]} 0"
    yield "0"


@pytest.mark.parametrize("holes", [2, 3, 4, 8])
def test_rat_lemmas(holes: int) -> None:
    formula, proof = pigeonhole(holes), list(cook(holes))
    assert verdict(formula, "\n".join(proof), every=False)
    statistics = check_drat(nvars_of(formula), formula, proof)
    assert (statistics.rat > 0) == (holes > 2)
    if holes == 3:
        accepted = 0
        for i in range(len(proof)):
            accepted += agrees(formula, "\n".join([*proof[:i], *proof[i + 1 :]]))
        assert accepted < len(proof)
    if holes == 2:
        return
    # The first literal matters: with another one first the definition is no definition.
    words = proof[0].split()
    turned = " ".join([words[1], words[0], "0"])
    with pytest.raises(CheckFailed, match=r"^proof line 1: .* nor RAT on -1$"):
        check_drat(nvars_of(formula), formula, [turned, *proof[1:]])


# -------------------------------------------------------------------------------------- edge cases


def test_refuted_by_unit_propagation_alone() -> None:
    formulas: list[list[Clause]] = [
        [[]],
        [[1], [-1]],
        [[1], [-1, 2], [-2, -1]],
        [[1, 1], [-1, -1, -1], []],
    ]
    for formula in formulas:
        for proof in ("", "0\n", "c nothing\n\n0\n", "5 0\n"):
            assert verdict(formula, proof, every=False)
    with pytest.raises(CheckFailed, match="never adds the empty clause"):
        check_drat(1, [[1], [-1]], "", explicit=True)
    assert check_drat(1, [[1], [-1]], "0\n", explicit=True).written == 1


def test_tautologies_repetitions_and_new_variables() -> None:
    formula = [*SQUARE, [3, -3], [1, 1, 2], [3, -1, 1]]
    proof = "4 -4 0\n-3 -3 0\nd 3 -3 0\nd 2 1 1 0\nd 2 1 9 0\n1 1 0\n9 0\n0\n"
    assert verdict(formula, proof, every=True)
    assert not verdict([[1, -1], [2, 1, -1]], "3 -3 0\n0\n", every=False)


@pytest.mark.parametrize(
    ("proof", "reason"),
    [
        ("", "the proof never derives the empty clause"),
        ("c 1 0\n", "the proof never derives the empty clause"),
        ("0\n", "proof line 1: the empty clause does not follow by unit propagation"),
        ("1 2 0\n\n1 0", None),
        ("1", "proof line 1: does not end in 0: the proof was cut short"),
        ("1 0\nd", "proof line 2: does not end in 0: the proof was cut short"),
        ("1 0\nd 1 2\n", "proof line 2: does not end in 0: the proof was cut short"),
        ("1 0 2 0\n", "proof line 1: 0 in the middle of a clause"),
        ("1 x 0\n", "proof line 1: not a list of integers"),
        ("1 0\n99999999999 0\n", "proof line 2: a variable far beyond those in use"),
        ("s UNSATISFIABLE\n", "proof line 1: not a list of integers"),
    ],
)
def test_what_is_wrong_is_named(proof: str, reason: str | None) -> None:
    if reason is None:
        assert check_drat(2, SQUARE, proof).lemmas == 2
        return
    with pytest.raises(CheckFailed) as caught:
        check_drat(2, SQUARE, proof)
    assert str(caught.value) == reason


def test_a_wrong_lemma_is_named_by_its_line() -> None:
    with pytest.raises(CheckFailed) as caught:
        check_drat(4, [[1, 2], [3, 4]], "c\n1 2 0\n-1 0\n\n-2 0\n")
    assert str(caught.value) == (
        "proof line 5: the clause -2 0 is neither implied by unit propagation nor RAT on -2"
    )


OWN = (
    "cutting_planes",
    "drat",
    "drat_format",
    "limits",
    "lrat",
    "unit_propagation",
)


@pytest.mark.parametrize("name", OWN)
def test_the_checker_imports_nothing_that_solves(name: str) -> None:
    source = Path(__file__).parents[2] / "ponder" / "check" / f"{name}.py"
    imported: set[str] = set()
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(str(node.module))
    foreign = {module for module in imported if module.split(".")[0] not in sys.stdlib_module_names}
    known = {"ponder.system.errors", "ponder.system.limits"}
    assert foreign <= known | {f"ponder.check.{own}" for own in OWN}


def test_formulas_are_validated() -> None:
    for clause in ([0], [3], [-3]):
        with pytest.raises(ValueError, match="0 or beyond 2"):
            check_drat(2, [clause], "")


def test_binary_proofs() -> None:
    def code(x: int) -> bytes:
        n, out = 2 * abs(x) + (x < 0), b""
        while n > 127:
            out, n = out + bytes([n & 127 | 128]), n >> 7
        return out + bytes([n])

    def step(kind: bytes, *clause: int) -> bytes:
        return kind + b"".join(code(x) for x in clause) + b"\0"

    formula = [[1, 200], [1, -200], [-1, 200], [-1, -200]]
    proof = step(b"a", 1) + step(b"d", 1, 200) + step(b"a")
    assert drat_text(proof) == "1 0\nd 1 200 0\n0\n"
    assert check_drat(200, formula, proof) == check_drat(200, formula, drat_text(proof))
    for bad, reason in [
        (proof[:-1], "step 3: unfinished"),
        (proof[:-3], "step 2: unfinished"),
        (b"b\0", "neither 'a' nor 'd'"),
        (b"a\1\0", "without a variable"),
    ]:
        with pytest.raises(CheckFailed, match=reason):
            check_drat(200, formula, bad)


# --------------------------------------------------------------------------------------------- LRAT


def test_every_mutation_of_an_lrat_proof_is_rejected_or_harmless() -> None:
    formula = pigeonhole(3)
    out = io.StringIO()
    check_drat(nvars_of(formula), formula, cook(3), lrat=out)
    proof = out.getvalue().splitlines()
    assert check_lrat(formula, proof) == sum(" d " not in line for line in proof)
    rejected = 0
    for i, line in enumerate(proof):
        words = line.split()
        for k in range(1, len(words)):
            changed = [*words[:k], str(-int(words[k]) or 7), *words[k + 1 :]]
            mutated = [*proof[:i], " ".join(changed), *proof[i + 1 :]]
            try:
                check_lrat(formula, mutated)
            except CheckFailed as failure:
                assert "LRAT line " in str(failure)  # noqa: PT017
                rejected += 1
    assert rejected > len(proof)
    satisfied = [c for c in formula if c != formula[0]]
    with pytest.raises(CheckFailed):
        check_lrat(satisfied, proof)


@pytest.mark.parametrize(
    ("proof", "reason"),
    [
        ("", "the proof never derives the empty clause: 0 lines, it may have been cut short"),
        (
            "5 1 0 1 2\n",
            "LRAT line 1: not in the LRAT format: no 0 at its end, the line may be cut short",
        ),
        (
            "5 1 0\n",
            "LRAT line 1: not in the LRAT format: one 0 only, the line is cut short",
        ),
        ("5 1 0 1 x 0\n", "LRAT line 1: not in the LRAT format: a word that is not a number"),
        ("5 1 0 1 0 2 0\n", "LRAT line 1: not in the LRAT format: a 0 among the hints"),
        ("5 d 9 0\n", "LRAT line 1: there is no clause 9"),
        ("5 1 0 -9 0\n", "LRAT line 1: no hints for clause 3, which has -1"),
        ("5 1 0 1 9 0\n", "LRAT line 1: there is no clause 9"),
        (
            "4 1 0 1 2 0\n",
            "LRAT line 1: the id 4 was used before, or is a clause's of the formula",
        ),
        ("5 1 0 1 0\n", "LRAT line 1: no hints for clause 4, which has -1"),
        ("5 5 0 -9 0\n", "LRAT line 1: there is no clause 9"),
        ("5 5 0 -1 0\n", "LRAT line 1: hints for clause 1, which does not have -5"),
        ("5 1 0 1 -4 0\n", "LRAT line 1: the hints for clause 4 do not falsify any clause"),
        ("5 0 1 0\n", "LRAT line 1: clause 1 is neither unit nor falsified"),
        ("5 0 0\n", "LRAT line 1: the hints do not falsify any clause"),
        ("5 1 0 1 2 0\n5 d 3 0\n6 0 5 3 4 0\n", "LRAT line 3: there is no clause 3"),
    ],
)
def test_what_is_wrong_with_lrat_is_named(proof: str, reason: str) -> None:
    with pytest.raises(CheckFailed) as caught:
        check_lrat(SQUARE, proof)
    assert str(caught.value) == reason
