"""Odd components, no first press, no last press: proofs in clauses, checked and mutated."""

from __future__ import annotations

import io
import itertools
import json
import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from ponder import order, read
from ponder.check.drat import check_drat
from ponder.check.evidence.coset import CosetRefuted
from ponder.check.lrat import check_lrat
from ponder.cli import run
from ponder.model.board import Board
from ponder.model.graph import grid_graph
from ponder.proofs.clausal import ClausalProof
from ponder.proofs.lemma_templates import ProofWriter
from ponder.proofs.parity_sums import Chain, Parity, ParityWriter
from ponder.proofs.refused import Refused
from ponder.system.errors import CheckFailed, PonderError
from tests.boards import all_graphs, all_pressed
from tests.depth import deep
from tests.dimacs import parse

KINDS = ("no-first-press", "no-last-press", "odd-component")
PATTERNS = ("plus", "king", "torus-plus", "cross", "torus-king")
SETTINGS: tuple[tuple[str, ...], ...] = (
    (),
    ("acyclic=elimination", "order=fill"),
    ("acyclic=closure", "lines=off"),
    ("acyclic=elimination", "xor_cut=3"),
)


def refuted(count: int, seed: int) -> Iterator[Refused]:
    """Random press sets of every pattern, for several goals, that a local refutation refuses."""
    rng = np.random.default_rng(seed)
    for k in range(count):
        shape = (int(rng.integers(3, 7)), int(rng.integers(3, 7)))
        graph = grid_graph(PATTERNS[k % len(PATTERNS)], shape)
        presses = rng.random(graph.size) < rng.choice([0.3, 0.5, 0.8])
        goal = rng.random(graph.size) < (1, 0.5, 0.05, 0)[k % 4]
        board = Board(graph, goal ^ graph.apply(presses), goal, "unlit")
        refused = Refused.of_result(order(board, press_set=np.flatnonzero(presses)))
        if refused is not None and refused.kind in KINDS:
            yield refused


def written(refused: Refused, settings: tuple[str, ...] = ()) -> tuple[list[list[int]], str, str]:
    """The clauses, the proof as LRAT, and as DRAT."""
    proof = ClausalProof.of(refused, "precedence" if settings else None, settings)
    lrat, drat = io.BytesIO(), io.BytesIO()
    proof.write_proof(lrat)
    proof.write_proof(drat, "drat")
    return list(proof.formula.clauses()), lrat.getvalue().decode(), drat.getvalue().decode()


@pytest.mark.parametrize("count", deep(24, 240))
def test_random_boards_of_every_pattern(count: int) -> None:
    kinds = Counter[tuple[str, str]]()
    for k, refused in enumerate(refuted(count, seed=3)):
        clauses, lrat, drat = written(refused, SETTINGS[k % len(SETTINGS)])
        assert check_lrat(clauses, lrat) >= 1
        if len(clauses) < 2000:
            variables = max(abs(x) for clause in clauses for x in clause)
            check_drat(variables, clauses, drat, every=True)
        kinds[refused.kind, refused.board.graph.pattern] += 1
    assert {kind for kind, _ in kinds} == set(KINDS)
    assert {pattern for _, pattern in kinds} == set(PATTERNS)


@pytest.mark.parametrize("step", deep(3, 1))
def test_all_graphs_of_four_bulbs(step: int) -> None:
    """Every graph and every T: whatever a local refutation says, its proof holds."""
    kinds = Counter[str]()
    for edges in itertools.islice(all_graphs(4), 0, None, step):
        for odd in itertools.chain.from_iterable(
            itertools.combinations(range(4), k) for k in range(5)
        ):
            board = all_pressed(4, edges, odd)
            refused = Refused.of_result(order(board, press_set=np.arange(4)))
            if refused is not None and refused.kind in KINDS:
                clauses, lrat, _ = written(refused)
                check_lrat(clauses, lrat)
                kinds[refused.kind] += 1
    assert set(kinds) == set(KINDS)


def test_a_block_on_which_pieces_hang() -> None:
    """A square in which no press can be the last, by the presses that hang on its corners."""
    ring = [(0, 1), (1, 2), (2, 3), (0, 3)]
    edges = [*ring, (0, 4), (1, 5), (2, 6), (3, 7), (4, 8)]
    found = Counter[str]()
    for odd in itertools.combinations(range(9), 3):
        board = all_pressed(9, edges, odd)
        refused = Refused.of_result(order(board, press_set=np.arange(9)))
        if refused is not None and refused.kind in KINDS:
            if refused.kind != "odd-component":
                assert sorted(refused.bulbs.tolist()) != list(range(9))
            clauses, lrat, _ = written(refused)
            check_lrat(clauses, lrat)
            found[refused.kind] += 1
    assert found["odd-component"] or found


@cache
def examples() -> dict[str, Refused]:
    """A small one of every kind: a house with a beam, all pairs of four, all of them in T."""
    house = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (1, 4), (2, 4)]
    pairs = list(itertools.combinations(range(4), 2))
    boards = (
        all_pressed(5, house, []),
        all_pressed(4, pairs, []),
        all_pressed(4, pairs, range(4)),
    )
    found = {}
    for board in boards:
        refused = Refused.of_result(order(board, press_set=np.arange(board.graph.size)))
        assert refused is not None
        found[refused.kind] = refused
    assert set(found) == set(KINDS)
    return found


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_mutations(kind: str) -> None:
    """A literal, a hint, an order of lines, another formula."""
    clauses, lrat, _ = written(examples()[kind])
    lines = lrat.splitlines()
    rng = random.Random(1)
    rejected = 0
    for _ in range(300):
        i = rng.randrange(len(lines))
        words = lines[i].split()
        k = rng.randrange(1, len(words))
        if words[k] in ("d", "0"):
            continue
        other = str(rng.choice((-int(words[k]), int(words[k]) + 1, 10**6)))
        mutant = [*lines[:i], " ".join([*words[:k], other, *words[k + 1 :]]), *lines[i + 1 :]]
        try:
            check_lrat(clauses, mutant)
        except CheckFailed:
            rejected += 1
    assert rejected > 100
    with pytest.raises(CheckFailed):
        check_lrat(clauses, reversed(lines))
    used = {
        int(word)
        for line in lines
        for word in line.split()[1:]
        if word.lstrip("-").isdigit() and 0 < int(word) <= len(clauses)
    }
    needed = 0
    for name in sorted(used):  # a formula without a clause that the proof needs has a model, say
        tautology = [[1, -1] if i == name else clause for i, clause in enumerate(clauses, 1)]
        try:
            check_lrat(tautology, lrat)
        except CheckFailed:
            needed += 1
    assert needed


def test_what_refutes_nothing_is_refused() -> None:
    square = [(0, 1), (1, 2), (2, 3), (0, 3)]
    everything = np.ones(4, dtype=np.bool_)
    for kind in KINDS:
        board = all_pressed(4, square, [])
        refused = Refused(board, everything, {"kind": kind, "bulbs": [0, 1, 2, 3]})
        with pytest.raises(PonderError, match=r"refutes nothing|nothing to prove"):
            written(refused)
    board = all_pressed(4, square, [0, 1, 2, 3])
    with pytest.raises(PonderError, match="a bulb that is not pressed"):
        written(Refused(board, everything & False, {"kind": "odd-component", "bulbs": [0]}))
    refused = Refused(board, everything, {"kind": "no-last-press", "bulbs": [0, 1, 2, 3]})
    with pytest.raises(PonderError, match="needs acyclic=elimination or closure, not labels"):
        written(refused, ("acyclic=labels",))
    with pytest.raises(PonderError, match="native XORs are not clauses"):
        written(refused, ("xor=native",))


def test_random_parities_add_up() -> None:
    """Any parities in which every variable occurs twice: their sum is derived, in any order."""
    rng = random.Random(2)
    for _ in range(60):
        size, variables = rng.randrange(2, 9), rng.randrange(3, 12)
        where = [rng.sample(range(size), 2) for _ in range(variables)]
        members = [[v + 1 for v in range(variables) if k in where[v]] for k in range(size)]
        members = [some for some in members if 0 < len(some) < 7]
        count = Counter(v for some in members for v in some)
        members = [[v for v in some if count[v] == 2] for some in members]
        members = [some for some in members if some]
        clauses: list[list[int]] = []
        pieces = []
        for k, some in enumerate(members):
            parity = Parity(tuple(sorted(some)), k == 0, {})
            names = {}
            for mask in parity.forbidden:
                clauses.append(list(parity.clause(mask)))
                names[mask] = len(clauses)
            pieces.append(Parity(parity.variables, parity.odd, names))
        if not pieces or any(n != 2 for n in Counter(v for s in members for v in s).values()):
            continue
        file = io.BytesIO()
        writer = ProofWriter(file, "lrat", variables, len(clauses))
        chain = Chain(ParityWriter(writer, len(clauses)))
        rng.shuffle(pieces)
        for piece in pieces:
            chain.add(piece)
            if chain.contradiction:
                break
        assert chain.contradiction
        writer.close()
        check_lrat(clauses, file.getvalue())


def test_a_large_component_takes_moments() -> None:
    """A 40×40 plus board on which everything is pressed, but for a corner: 3,118 edges, odd T."""
    graph = grid_graph("plus", (40, 40))
    goal = np.ones(graph.size, dtype=np.bool_)
    goal[5] = False
    presses = np.ones(graph.size, dtype=np.bool_)
    board = Board(graph, goal ^ graph.apply(presses), goal, "unlit")
    bulbs = [list(graph.label(v)) for v in range(graph.size)]  # type: ignore[arg-type]
    refused = Refused(board, presses, {"kind": "odd-component", "bulbs": bulbs})
    clauses, lrat, _ = written(refused)
    assert check_lrat(clauses, lrat) < 150_000


def test_parts_of_a_refutation_of_many_press_sets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board = tmp_path / "board.txt"
    board.write_text("00101 11011 11101 00010 00111".replace(" ", "\n") + "\n")
    answer, folder = tmp_path / "a.json", tmp_path / "proof"
    found = order(read(board, pattern="plus"))
    assert isinstance(found.refutation, CosetRefuted)
    count = len(found.refutation.parts)
    assert count > 1
    answer.write_text(json.dumps(found.to_json()))
    command = ["prove", str(board), "--pattern", "plus", str(answer), "-o", str(folder)]
    assert run(command) == 2
    assert f"the refutation has {count} parts: --part 1 to {count}" in capsys.readouterr().err
    assert run([*command, "--part", str(count + 1)]) == 2
    for part in (1, count):
        assert run([*command, "--part", str(part)]) == 0
        _, clauses, _ = parse((folder / "formula.cnf").read_bytes())
        check_lrat(clauses, (folder / "proof.lrat").read_bytes())
        result = str(folder / "result.json")
        assert run(["verify", str(board), "--pattern", "plus", result]) == 0
    single = ["prove", "instances/plus-10x10-no-order.txt", str(answer), "-o", str(folder)]
    assert run(single) == 1  # about another board
