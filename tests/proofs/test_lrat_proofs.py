"""LRAT of odd components, no first press, no last press: checked, mutated, and sums of parities."""

from __future__ import annotations

import io
import itertools
import random
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from ponder import generate, order
from ponder.check.lrat import check_lrat
from ponder.encodings.registry import ENCODERS
from ponder.find.prove import drat_of, write_lrat
from ponder.find.solvers.by_encoding import SolverSettings
from ponder.model.board import Board
from ponder.model.graph import grid_graph
from ponder.proofs.parity_sums import Chain, LratWriter, Parity, ParityWriter
from ponder.proofs.write_lrat import BLOCK_OPTIONS, LratProof, Refused
from ponder.system.errors import CheckFailed, PonderError
from tests.boards import all_graphs, all_pressed
from tests.depth import deep

PATTERNS = ("plus", "king", "torus-plus", "cross", "torus-king")


def refuted(count: int, seed: int) -> Iterator[Refused]:
    """Random press sets of every pattern, for several goals, that a local refutation refuses."""
    rng = np.random.default_rng(seed)
    for k in range(count):
        shape = (int(rng.integers(3, 7)), int(rng.integers(3, 7)))
        graph = grid_graph(PATTERNS[k % len(PATTERNS)], shape)
        presses = rng.random(graph.size) < rng.choice([0.3, 0.5, 0.8])
        goal = rng.random(graph.size) < (1, 0.5, 0.05, 0)[k % 4]
        yield from refusal(Board(graph, goal ^ graph.apply(presses), goal, "unlit"), presses)


def refusal(board: Board, presses: np.ndarray) -> list[Refused]:
    refused = Refused.of_result(order(board, press_set=np.flatnonzero(presses)))
    return [refused] if refused is not None and refused.kind in BLOCK_OPTIONS else []


def check_outside(clauses: list[list[int]], lrat: str) -> bool:
    """Have a program that is not ponder check a proof, as DRAT; return if it needs its lemmas."""
    import dratify

    formula = dratify.parse_dimacs("".join(f"{' '.join(map(str, [*c, 0]))}\n" for c in clauses))
    lemmas = drat_of(lrat.encode()).decode()
    assert dratify.check_proof(formula, lemmas, engine="python").ok
    return not dratify.check_proof(formula, "0\n", engine="python").ok


def written(refused: Refused) -> tuple[list[list[int]], str]:
    """The clauses, and the proof."""
    proof, file = LratProof.from_refused(refused), io.BytesIO()
    proof.write_proof(file)
    return list(proof.formula.clauses()), file.getvalue().decode()


@pytest.mark.parametrize("count", deep(24, 240))
def test_random_boards_of_every_pattern(count: int) -> None:
    kinds, needed = Counter[str](), 0
    for refused in refuted(count, seed=3):
        assert check_lrat(*written(refused)) >= 1
        needed += check_outside(*written(refused))
        kinds[refused.kind] += 1
    assert needed
    assert set(kinds) == set(BLOCK_OPTIONS)


@pytest.mark.parametrize("step", deep(7, 1))
def test_all_graphs_of_four_bulbs(step: int) -> None:
    """Every graph and every T: whatever a local refutation says, its proof holds."""
    subsets = [s for k in range(5) for s in itertools.combinations(range(4), k)]
    for edges in itertools.islice(all_graphs(4), 0, None, step):
        for odd in subsets:
            for refused in refusal(all_pressed(4, edges, odd), np.ones(4, dtype=np.bool_)):
                check_lrat(*written(refused))


def test_a_block_on_which_pieces_hang() -> None:
    """A square in which no press can be the last, by the presses that hang on its corners."""
    edges = [(0, 1), (1, 2), (2, 3), (0, 3), (0, 4), (1, 5), (2, 6), (3, 7), (4, 8)]
    count = 0
    for odd in itertools.combinations(range(9), 3):
        for refused in refusal(all_pressed(9, edges, odd), np.ones(9, dtype=np.bool_)):
            check_lrat(*written(refused))
            count += 1
    assert count


@pytest.mark.parametrize("odd", [[], [0, 1, 2, 3]], ids=["last", "first"])
def test_mutations(odd: list[int]) -> None:
    """A number changed anywhere: the proof breaks, or still refutes the formula."""
    pairs = list(itertools.combinations(range(4), 2))
    (refused,) = refusal(all_pressed(4, pairs, odd), np.ones(4, dtype=np.bool_))
    clauses, lrat = written(refused)
    words, rng, rejected = lrat.split(" "), random.Random(1), 0
    for _ in range(200):
        k = rng.randrange(len(words))
        if not words[k].lstrip("-").isdigit():
            continue
        other = str(rng.choice((-int(words[k]), int(words[k]) + 1, 10**6)))
        try:
            check_lrat(clauses, " ".join([*words[:k], other, *words[k + 1 :]]))
        except CheckFailed:
            rejected += 1
    assert rejected > 80


@pytest.mark.parametrize("name", sorted(ENCODERS.keys() - {"cpsat_time"}))
def test_what_solvers_refute(name: str, tmp_path: Path) -> None:
    """A solver's proofs about each encoding, by all checkers that are here."""
    needed = 0
    for family, side in (("unbalanced", 4), ("cut", 6), ("plus", 6)):
        if name == "half_factor" and family == "plus":
            continue
        settings = SolverSettings(name)
        result = order(generate(family, side), method="sat", solver_settings=settings)
        refused = Refused.of_result(result)
        assert refused is not None
        assert refused.kind == "formula"
        check_lrat(*written(refused))
        needed += check_outside(*written(refused))
        for program in filter(shutil.which, ("cake_lpr", "lrat-check")):
            file = str(tmp_path / "proof")
            assert write_lrat(result, file) is None
            said = subprocess.run([program, f"{file}.cnf", file], capture_output=True, check=False)
            assert b"VERIFIED" in said.stdout
    assert needed


def test_what_refutes_nothing_is_refused() -> None:
    square = [(0, 1), (1, 2), (2, 3), (0, 3)]
    everything = np.ones(4, dtype=np.bool_)
    board = all_pressed(4, square, [])
    for kind in BLOCK_OPTIONS:
        with pytest.raises(PonderError):
            written(
                Refused(board, everything, {"kind": "block", "rule": kind, "bulbs": [0, 1, 2, 3]})
            )


def test_random_parities_add_up() -> None:
    """Any parities in which every variable occurs twice: their sum is derived, in any order."""
    rng = random.Random(2)
    for _ in range(40):
        size = rng.randrange(3, 8)
        edges = [(a, b) for a, b in itertools.combinations(range(size), 2) if rng.random() < 0.5]
        members = [[k + 1 for k, edge in enumerate(edges) if v in edge] for v in range(size)]
        members = [edges_at for edges_at in members if len(edges_at) > 0]
        if not members:
            continue
        clauses: list[list[int]] = []
        pieces = []
        for k, edges_at in enumerate(members):
            parity = Parity(tuple(edges_at), k == 0, {})
            names = {}
            for mask in parity.forbidden:
                clauses.append(list(parity.clause(mask)))
                names[mask] = len(clauses)
            pieces.append(Parity(parity.variables, parity.odd, names))
        file = io.BytesIO()
        writer = LratWriter(file, len(edges), len(clauses))
        chain = Chain(ParityWriter(writer, len(clauses)))
        rng.shuffle(pieces)
        for piece in pieces:
            chain.add(piece)
            if chain.contradiction:
                break
        assert chain.contradiction
        check_lrat(clauses, file.getvalue())


def test_a_large_component_takes_moments() -> None:
    """A 40×40 plus board on which everything is pressed, but for a corner: 3,118 edges, odd T."""
    graph = grid_graph("plus", (40, 40))
    goal = np.ones(graph.size, dtype=np.bool_)
    goal[5] = False
    presses = np.ones(graph.size, dtype=np.bool_)
    board = Board(graph, goal ^ graph.apply(presses), goal, "unlit")
    bulbs = [list(graph.label(v)) for v in range(graph.size)]  # type: ignore[arg-type]
    refused = Refused(board, presses, {"kind": "block", "rule": "parity", "bulbs": bulbs})
    assert check_lrat(*written(refused)) < 150_000
