"""Proofs in clauses of unequal line counts: accepted, and of the size that theory says."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator

import numpy as np
import pytest

from ponder.check.drat import check_drat
from ponder.check.lrat import check_lrat
from ponder.model.board import Board
from ponder.proofs.clausal import ClausalProof
from ponder.proofs.lemma_templates import Format
from ponder.proofs.refused import Refused
from ponder.system.errors import CheckFailed, PonderError
from ponder.system.types import Bits, Json
from tests.boards import bits_of, cross_pressed, solved_by
from tests.depth import deep

COUNT: Json = {"kind": "line-count"}


def halves(presses: Bits) -> tuple[int, int]:
    """The sums of ⌊d/2⌋ over the rows and over the columns of an (R, C) array."""
    return int((presses.sum(axis=1) // 2).sum()), int((presses.sum(axis=0) // 2).sum())


def refused(presses: Bits) -> Refused:
    """What a line count refutes: an (R, C) array of presses."""
    return Refused(cross_pressed(presses), presses.reshape(-1), COUNT)


def with_holes(presses: Bits, cells: Bits) -> Refused:
    """The same on a board that has these cells only."""
    rows = ["".join("0" if cell else "-" for cell in row) for row in cells]
    graph = Board.from_rows(rows).graph
    return Refused(solved_by(graph, presses[cells]), presses[cells], COUNT)


def drawn(
    rng: np.random.Generator, shape: tuple[int, int], difference: int, cells: Bits | None = None
) -> Bits:
    """Presses whose rows and columns differ by so many halves: random ones, changed until so."""
    free = np.ones(shape, dtype=np.bool_) if cells is None else cells
    presses: Bits = (rng.random(shape) < rng.choice([0.3, 0.5, 0.7])) & free
    off = abs(abs(np.subtract(*halves(presses))) - difference)
    for _ in range(10_000):
        if not off:
            return presses
        cell = tuple(rng.choice(np.argwhere(free)).tolist())
        presses[cell] ^= True
        now = abs(abs(np.subtract(*halves(presses))) - difference)
        presses[cell] ^= now > off
        off = min(off, now)
    raise AssertionError(f"no presses of {shape} with a difference of {difference}")


def written(proof: ClausalProof, form: Format = "lrat") -> tuple[list[str], int]:
    """The lines of a proof, and its number of lemmas."""
    file = io.BytesIO()
    lemmas = proof.write_proof(file, form)
    return file.getvalue().decode("ascii").splitlines(keepends=True), lemmas


def accept(case: Refused, encoding: str | None = None, settings: tuple[str, ...] = ()) -> int:
    """Write the proof and check it; return the number of lemmas."""
    proof = ClausalProof.of(case, encoding, settings)
    lines, lemmas = written(proof)
    assert check_lrat(proof.formula.clauses(), "".join(lines)) == lemmas
    return lemmas


def unbalanced() -> Iterator[Bits]:
    """Every press set of 4×4 that a line count refutes."""
    for number in range(1 << 16):
        presses = bits_of(number, 16).reshape(4, 4)
        rows, columns = halves(presses)
        if rows != columns:
            yield presses


@pytest.mark.parametrize("count", deep(20, 60))
def test_press_sets_of_4x4(count: int) -> None:
    chosen = random.Random(0).sample(list(unbalanced()), count)
    assert len({int(presses.sum()) for presses in chosen}) > 6
    for presses in chosen:
        accept(refused(presses))


@pytest.mark.deep
def test_every_press_set_of_4x4() -> None:
    for presses in unbalanced():
        accept(refused(presses))


@pytest.mark.parametrize("difference", [1, 6, *deep(2, 3, 4, 5)])
def test_differences(difference: int) -> None:
    rng = np.random.default_rng(difference)
    for shape in ((12, 13), (15, 5)):
        accept(refused(drawn(rng, shape, difference)))


def test_boards_with_holes() -> None:
    rng = np.random.default_rng(5)
    for difference in (1, 2, 3):
        cells = rng.random((8, 9)) < 0.8
        accept(with_holes(drawn(rng, (8, 9), difference, cells), cells))


@pytest.mark.deep
def test_random_boards() -> None:
    rng = np.random.default_rng(6)
    for k in range(300):
        shape = (int(rng.integers(4, 41)), int(rng.integers(4, 41)))
        cells = rng.random(shape) < (0.85 if k % 3 == 0 else 1.1)
        difference = min(k % 6 + 1, max(shape) // 3)
        accept(with_holes(drawn(rng, shape, difference, cells), cells))


@pytest.mark.parametrize(
    ("encoding", "settings"),
    [
        ("half_factor", ()),
        ("time_indexed", ()),
        ("time_indexed", ("one=pairwise",)),
        ("layered", ()),
        ("precedence", ()),
        ("precedence", ("acyclic=labels",)),
        ("precedence", ("acyclic=lazy",)),
    ],
)
def test_every_encoding_that_halves_the_lines(encoding: str, settings: tuple[str, ...]) -> None:
    rng = np.random.default_rng(8)
    for difference in (1, 2):
        accept(refused(drawn(rng, (4, 5), difference)), encoding, settings)


@pytest.mark.parametrize(
    ("encoding", "settings", "why"),
    [
        ("time_indexed", ("colours=off",), "no colours"),
        ("precedence", ("lines=off",), "no colours"),
        ("layered", ("parity=chain",), "no colours"),
        ("layered", ("layers=2",), "horizon"),
        ("half_factor", ("card=native",), "in clauses"),
        ("half_factor", ("card=totalizer",), "use card=sequential"),
        ("precedence", ("card=pairwise",), "use card=sequential"),
        ("cpsat_time", (), "not cpsat_time"),
        ("half_factor", ("card=none",), "not a choice"),
    ],
)
def test_formulas_without_a_proof(encoding: str, settings: tuple[str, ...], why: str) -> None:
    case = refused(drawn(np.random.default_rng(9), (4, 5), 1))
    with pytest.raises(PonderError, match=why):
        written(ClausalProof.of(case, encoding, settings))


def test_what_a_count_does_not_refute() -> None:
    balanced = refused(np.eye(3, dtype=np.bool_))
    with pytest.raises(PonderError, match="refutes nothing"):
        written(ClausalProof.of(balanced))
    other = Refused(balanced.board, balanced.presses, {"kind": "exhausted"})
    with pytest.raises(PonderError, match="exhausted has no short proof"):
        ClausalProof.of(other)


def test_the_number_of_lemmas() -> None:
    """Per press and other cell, per variable of the counters, per line: nothing grows faster."""
    rng = np.random.default_rng(3)
    for difference, shape in ((1, (10, 13)), (2, (11, 9)), (6, (14, 14))):
        presses = drawn(rng, shape, difference)
        m = next(m for m in range(2, 9) if difference % m)
        rows, columns = (d[d > 0] for d in (presses.sum(axis=1), presses.sum(axis=0)))
        links = sum(
            2 * ((d // 2 + 1) * (d - d // 2 + 1) - 1) for d in (*rows.tolist(), *columns.tolist())
        )
        if m == 2:
            press, other, row, column, once = 28, 12, 2 + 4 + 1, 2 + 4 + 1, 1
        else:
            one = m * (m - 1) // 2 + 1
            press = 4 * m + 4 * m + 2 * one + 2 * m**2 + 2 * m**3
            other, row = 2 * m**2 + m**3, 2 * m + m**2 + 1
            column, once = 2 * m + one + m**2 + 1, m
        cells = rows.size * columns.size - int(presses.sum())
        expected = press * int(presses.sum()) + other * cells + links
        expected += row * rows.size + column * columns.size + once
        assert accept(refused(presses)) == expected


def test_checkers_hold_few_lemmas() -> None:
    """What a row leaves behind goes with the next one."""
    proof = ClausalProof.of(refused(drawn(np.random.default_rng(4), (20, 20), 1)))
    lines, lemmas = written(proof)
    present = most = 0
    for line in lines:
        words = line.split()
        present += -len(words) + 3 if words[1] == "d" else 1
        most = max(most, present)
    assert lemmas > 10_000
    assert most < 2_000


def test_drat() -> None:
    rng = np.random.default_rng(2)
    for difference in (1, 2):
        proof = ClausalProof.of(refused(drawn(rng, (5, 6), difference)))
        lines, lemmas = written(proof, "drat")
        clauses = list(proof.formula.clauses())
        found = check_drat(proof.formula.variables, clauses, "".join(lines), explicit=True)
        assert 0 < found.lemmas <= lemmas
        assert [line for line in lines if line.startswith("d ")]


# ------------------------------------------------------------------------------------- mutations

SMALL = refused(drawn(np.random.default_rng(1), (4, 4), 2))


def spoiled(lines: list[str], what: str, k: int) -> list[str]:
    """One thing of a proof made wrong, at the k-th line."""
    words = lines[k].split()
    changed = list(lines)
    match what:
        case "literal":
            words[1] = str(-int(words[1]))
        case "left out":
            del words[words.index("0", 1) + 1]
        case "hint":
            words[-2] = str(int(words[-2]) - 1)
        case "order":
            changed[k - 1 : k + 1] = [lines[k], lines[k - 1]]
            return changed
    changed[k] = " ".join(words) + "\n"
    return changed


def by_unit_propagation(clauses: list[list[int]], lines: list[str]) -> Iterator[int]:
    """The lines with lemmas that can not be RAT, which needs no hints, by themselves."""
    present = {i: set(clause) for i, clause in enumerate(clauses, 1)}
    for k, line in enumerate(lines):
        words = line.split()
        if words[1] == "d":
            for word in words[2:-1]:
                del present[int(word)]
            continue
        end = words.index("0", 1)
        lemma = list(map(int, words[1:end]))
        if (
            lemma
            and any(-lemma[0] in clause for clause in present.values())
            and "-" not in "".join(words[end:])
        ):
            yield k
        present[int(words[0])] = set(lemma)


@pytest.mark.parametrize("count", deep(15, 40))
@pytest.mark.parametrize("what", ["literal", "left out", "hint", "order"])
def test_spoiled_proofs_are_rejected(what: str, count: int) -> None:
    """Lemmas by unit propagation, whose hints each make the next one unit."""
    proof = ClausalProof.of(SMALL)
    clauses = list(proof.formula.clauses())
    lines, _ = written(proof)
    plain = list(by_unit_propagation(clauses, lines))
    if what == "order":  # a lemma before one that it rests on
        plain = [k for k in plain if f" {lines[k - 1].split()[0]} " in lines[k]]
        plain = [k for k in plain if " d " not in lines[k - 1]]
    if what == "left out":  # not where "exactly one" is RAT without it
        plain = [k for k in plain if len(lines[k].split(" 0 ")[1].split()) > 5]
    assert len(plain) > 40
    for k in random.Random(what).sample(plain, count):
        with pytest.raises(CheckFailed, match="LRAT line"):
            check_lrat(clauses, "".join(spoiled(lines, what, k)))


def test_a_proof_belongs_to_its_formula() -> None:
    proof = ClausalProof.of(SMALL)
    lines, _ = written(proof)
    clauses = list(proof.formula.clauses())
    for k in range(len(clauses)):
        weaker = [*clauses[:k], [*clauses[k], 99_999], *clauses[k + 1 :]]
        used = f" {k + 1} "
        if any(used in line.split(" 0 ", 1)[1] for line in lines if " d " not in line):
            with pytest.raises(CheckFailed):
                check_lrat(weaker, "".join(lines))
    with pytest.raises(CheckFailed):
        check_lrat(ClausalProof.of(refused(SMALL.presses.reshape(4, 4).T)).formula.clauses(), lines)
