"""Cutting planes: the formulas against brute force, the proofs against the checker, mutations."""

from __future__ import annotations

import gzip
import io
import itertools
import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from ponder import order
from ponder.check.cutting_planes import check_veripb, parse_opb
from ponder.cli import run
from ponder.encodings.half_factor import HalfFactor
from ponder.formulas import opb
from ponder.formulas.press_sets import SwitchedHalfFactor
from ponder.model.board import Board
from ponder.model.graph import CrossGraph
from ponder.proofs.cutting_planes import NATIVE, WRITERS, veripb_proof
from ponder.proofs.refused import Refused
from ponder.proofs.veripb import Version
from ponder.system.errors import CheckFailed, PonderError
from ponder.system.types import Bits
from tests.boards import bits_of, cross_pressed, instance
from tests.brute import grid_edges, orderable

SIZES = [(4, 4), (3, 4), (5, 4), (7, 4), (7, 2), (4, 5), (2, 7), (6, 6), (8, 8), (9, 6), (3, 2)]


def texts(refused: Refused, version: Version = "3.0") -> tuple[str, str]:
    """The formula and the proof, as they stand in files."""
    made, formula, proof = veripb_proof(refused), io.BytesIO(), io.BytesIO()
    made.write_formula(formula)
    made.write_proof(proof, version)
    return formula.getvalue().decode(), proof.getvalue().decode()


def refuted(count: int, seed: int) -> Iterator[Refused]:
    """Random boards that rows and columns refuse, of even and of odd sizes, some with holes."""
    rng = np.random.default_rng(seed)
    for k in range(count):
        shape = SIZES[k % len(SIZES)]
        mask = rng.random(shape) < 0.9 if k % 5 == 0 else None
        graph = CrossGraph(shape, mask)
        presses = rng.random(graph.size) < rng.choice([0.3, 0.5, 0.8])
        board = pressed(graph, presses)
        asked = None if mask is None else np.flatnonzero(presses)
        refused = Refused.of_result(order(board, press_set=asked))
        if refused is not None and refused.kind in WRITERS:
            yield refused


def pressed(graph: CrossGraph, presses: Bits) -> Board:
    goal = np.ones(graph.size, dtype=np.bool_)
    return Board(graph, goal ^ graph.apply(presses), goal, "unlit")


@cache
def examples() -> dict[str, Refused]:
    """One refutation of every kind, small."""
    found: dict[str, Refused] = {}
    for name in ("cross-6x6-no-order-count", "cross-6x6-no-order-cut", "cross-3x4-no-order"):
        refused = Refused.of_result(order(instance(name)))
        assert refused is not None
        found[refused.kind] = refused
    presses = np.zeros((5, 4), dtype=np.bool_)
    presses[:, 0] = True
    refused = Refused.of_result(order(cross_pressed(presses)))
    assert refused is not None
    found[refused.kind] = refused
    assert set(found) == set(WRITERS)
    return found


def test_random_boards_are_refuted() -> None:
    kinds = Counter[str]()
    for refused in refuted(400, seed=1):
        assert check_veripb(*texts(refused)) in (1, 2)
        kinds[refused.kind] += 1
    assert {"line-count", "line-cut", "line-parities"} <= set(kinds)
    assert kinds.total() > 100


def test_weighted_cuts_however_the_board_is_turned() -> None:
    refused = examples()["weighted-cuts"]
    grid = refused.presses.reshape(3, 4)
    rng = np.random.default_rng(4)
    for turned in (False, True) * 10:
        moved = grid[rng.permutation(3)][:, rng.permutation(4)]
        moved = moved ^ np.array([1, 1, 0, 0], dtype=np.bool_) if rng.random() < 0.5 else moved
        board = cross_pressed(moved.T if turned else moved)
        found = Refused.of_result(order(board))
        assert found is not None
        assert found.kind == "weighted-cuts"
        assert check_veripb(*texts(found)) == 2


def test_every_unbalanced_press_set_of_small_boards() -> None:
    for shape in ((2, 2), (2, 3), (3, 3), (2, 4)):
        size = shape[0] * shape[1]
        for number in range(1 << size):
            presses = bits_of(number, size)
            grid = presses.reshape(shape)
            if np.count_nonzero(grid.sum(axis=0) % 2) == np.count_nonzero(grid.sum(axis=1) % 2):
                continue
            board = cross_pressed(grid)
            assert check_veripb(*texts(Refused(board, presses, {"kind": "line-count"}))) == 1


def satisfiable(formula: str) -> bool:
    """Whether an OPB formula has a solution, by trying all."""
    rows = parse_opb(formula)
    size = int(formula.split()[2])
    values = (np.arange(1 << size)[:, None] >> np.arange(size)) & 1
    holds = np.ones(len(values), dtype=np.bool_)
    for row, bound in rows:
        coefficients = np.array([row.get(v, 0) for v in range(1, size + 1)])
        holds &= values @ coefficients >= bound
    return bool(holds.any())


def test_the_formula_of_all_press_sets_says_what_the_board_says() -> None:
    """Solvable iff some press set has an order: theorem 2, by brute force over the orders."""
    shape, edges = (3, 4), grid_edges(3, 4, "cross")
    answers = Counter[bool]()
    rng = random.Random(5)
    refuted = examples()["weighted-cuts"].presses
    for presses in [refuted, *(bits_of(rng.getrandbits(12), 12) for _ in range(8))]:
        board = cross_pressed(presses.reshape(shape))
        file = io.BytesIO()
        SwitchedHalfFactor.of(board, presses, "rows").write(file)
        formula = file.getvalue().decode()
        found = False
        for columns in itertools.product((False, True), repeat=4):
            if sum(columns) % 2 == 0:
                grid = presses.reshape(shape) ^ np.array(columns)
                members = np.flatnonzero(grid.ravel()).tolist()
                inside = [
                    (members.index(u), members.index(v))
                    for u, v in edges
                    if u in members and v in members
                ]
                found = found or orderable(len(members), inside)
        assert satisfiable(formula) == found
        answers[found] += 1
    assert len(answers) == 2


def mutants(proof: str) -> Iterator[str]:
    """Every word of a proof changed, every line left out, doubled, or exchanged with the next."""
    lines = [line for line in proof.splitlines() if line[0] != "%"]
    for i, line in enumerate(lines):
        words = line.split()
        for k, word in enumerate(words):
            for other in ("1", "2", "7", "+", "*", "x1", "~x2", "0", "-1", "pol", word + "0", ""):
                if other != word:
                    yield "\n".join([*lines[:i], " ".join([*words[:k], other, *words[k + 1 :]]),
                                     *lines[i + 1 :]])  # fmt: skip
        yield "\n".join([*lines[:i], *lines[i + 1 :]])
        yield "\n".join([*lines[:i], line, *lines[i:]])
        yield "\n".join([*lines[:i], *lines[i + 1 : i + 2], line, *lines[i + 2 :]])


@pytest.mark.parametrize("kind", sorted(WRITERS))
def test_mutated_proofs_refute_no_formula_that_has_a_solution(kind: str) -> None:
    """And most of them do not refute their own: those that do are proofs still."""
    formula, proof = texts(examples()[kind])
    loose = re.sub(r"= -?\d+ ;", "= 0 ;", formula)  # all variables 0 solve this one
    accepted = rejected = 0
    for mutant in mutants(proof):
        with pytest.raises(CheckFailed):
            check_veripb(loose, mutant)
        try:
            check_veripb(formula, mutant)
        except CheckFailed:
            rejected += 1
        else:
            accepted += 1
    assert rejected > 5 * accepted


@pytest.mark.parametrize("kind", sorted(WRITERS))
def test_another_formula_is_not_refuted(kind: str) -> None:
    """Every number of the formula changed, in a direction that makes the sum come out otherwise."""
    formula, proof = texts(examples()[kind])
    numbers = list(re.finditer(r"(?<= )\d+(?= ;)", formula))
    rejected = 0
    for match in numbers:
        for number in ("0", "1", "50"):
            changed = formula[: match.start()] + number + formula[match.end() :]
            try:
                check_veripb(changed, proof)
            except CheckFailed:
                rejected += 1
    assert rejected
    other = texts(examples()["line-cut" if kind != "line-cut" else "line-count"])[0]
    with pytest.raises(CheckFailed):
        check_veripb(other, proof)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("version 3.0", "version 1.1", "proof line 1: no header of VeriPB's versions 2.0 and 3.0"),
        ("f 24", "f 25", "expected f 24: the formula is another one"),
        ("+", "", "a sum with too few or too many operands"),
        ("pol ", "pol 999 ", "too many operands"),
        ("pol ", "pol 999 + ", "there is no constraint 999"),
        ("pol ", "pol + ", "not understood"),
        ("pol ", "pol 2 0 * ", "a factor that is not a number from 1 up"),
        ("pol ", "pol 2 x1 * ", "a factor that is not a number from 1 up"),
        ("pol ", "p\0ol ", "'p\\x00ol': not a line that may stand here"),
        ("pol ", "rup ", "'rup': not understood"),
        ("UNSAT : 25", "UNSAT : 1", "the constraint 1 can be satisfied"),
        ("UNSAT : 25", "UNSAT : 26", "there is no constraint 26"),
        ("UNSAT : 25", "NONE", "'conclusion': not a line that may stand here"),
        ("output NONE;\n", "", "'conclusion': not a line that may stand here"),
        ("end pseudo-Boolean proof;\n", "", "the proof has no end: it was cut short"),
        ("pol ", "pol y1 ", "not understood"),
        ("pol ", "pol ~~x1 ", "not understood"),
        ("pol ", "pol x ", "not understood"),
        ("pol ", "pol " + "1" * 5000 + " ", "not understood"),
    ],
)
def test_what_is_wrong_is_named(old: str, new: str, reason: str) -> None:
    formula, proof = texts(examples()["line-cut"])
    assert old in proof
    with pytest.raises(CheckFailed) as caught:
        check_veripb(formula, proof.replace(old, new))
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("* #variable=", "* variable=", "formula line 1: no"),
        ("#constraint= 1", "#constraint= 2", "constraints and has"),
        ("+1 x1 ", "+1 x999 ", "x999 is beyond"),
        ("+1 x1 ", "+1 x1 x2 ", "not a linear constraint"),
        (" ;", "", "not a linear constraint"),
        ("+1 x1 ", "+" + "1" * 5000 + " x1 ", "not a linear constraint"),
        ("+1 x1 ", "+\u0661 x1 ", "not a linear constraint"),
    ],
)
def test_what_is_wrong_with_a_formula_is_named(old: str, new: str, reason: str) -> None:
    formula, proof = texts(examples()["line-cut"])
    assert old in formula
    with pytest.raises(CheckFailed) as caught:
        check_veripb(formula.replace(old, new), proof)
    assert reason in str(caught.value)


def test_the_formula_is_the_encoders() -> None:
    refused = examples()["line-count"]
    made, file = HalfFactor(), io.BytesIO()
    options = made.options(NATIVE)
    comments = made.describe(refused.problem, options, refused.board)
    opb.write(made.encode(refused.problem, options), file, comments)
    assert texts(refused)[0] == file.getvalue().decode()


@pytest.mark.parametrize("kind", sorted(WRITERS))
def test_both_frames_are_read(kind: str) -> None:
    refused = examples()[kind]
    formula, three = texts(refused)
    two = texts(refused, "2.0")[1]
    assert check_veripb(formula, three) == check_veripb(formula, two) > 0
    for text, other in ((three, "2.0"), (two, "3.0")):
        with pytest.raises(CheckFailed):
            check_veripb(formula, re.sub(r"version \d.0", f"version {other}", text))


def test_refutations_without_such_a_proof_are_refused() -> None:
    refused = examples()["line-count"]
    other: dict[str, object] = {"kind": "odd-component", "bulbs": []}
    with pytest.raises(PonderError, match="has no cutting-plane proof; these have: line-count"):
        veripb_proof(Refused(refused.board, refused.presses, other))
    nothing = np.zeros(16, dtype=np.bool_)
    balanced = cross_pressed(nothing.reshape(4, 4))
    with pytest.raises(PonderError, match="refutes nothing"):
        veripb_proof(Refused(balanced, nothing, {"kind": "line-count"}))


def test_a_large_board_is_a_matter_of_moments() -> None:
    rng = np.random.default_rng(3)
    while True:
        refused = Refused.of_result(order(cross_pressed(rng.random((100, 100)) < 0.5)))
        if refused is not None:
            break
    formula, proof = texts(refused)
    assert check_veripb(formula, proof) == 1
    assert len(proof) < 5_000


def test_files_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = "instances/cross-24x24-no-order.txt"
    proof, formula = tmp_path / "a.pbp", tmp_path / "a.opb.gz"
    assert run(["order", board, "--veripb", str(proof), "--opb", str(formula)]) == 0
    assert check_veripb(gzip.decompress(formula.read_bytes()).decode(), proof.read_text()) == 1
    assert run(["order", board, "--veripb", str(tmp_path / "b")]) == 0
    assert check_veripb((tmp_path / "b.opb").read_text(), (tmp_path / "b").read_text()) == 1
    capsys.readouterr()
    assert run(["order", board, "--veripb", str(tmp_path / "no" / "c")]) == 2
