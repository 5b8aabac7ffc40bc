"""Lemmas about pieces behind small cuts: true of every order, derived from the formula, checked."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from ponder.check.evidence.sat_proof import SatProof
from ponder.check.lrat import check_lrat
from ponder.cli import run
from ponder.encodings.precedence import Precedence
from ponder.find.ordering.small_cuts import PieceLemma, lemmas
from ponder.find.solvers.by_encoding import (
    SolverSettings,
    lrat_with_lemmas,
    order_encoded,
    refute_by_pieces,
)
from ponder.model.formats import board_text
from ponder.model.graph import grid_graph
from ponder.model.ordering_problem import OrderingProblem, Unknown
from ponder.proofs.local_proofs import Source
from ponder.proofs.lrat_trimming import Trimmed
from ponder.studies.random_graphs import Regular, Ring
from ponder.system.errors import CheckFailed, PonderError
from tests import brute
from tests.depth import deep

KINDS = {"odd-component", "no-first-press", "no-last-press"}


def small_problems(count: int, seed: int) -> Iterator[OrderingProblem]:
    """Pieces joined by two edges or not, presses with repeats, presses on rows and columns."""
    rng = random.Random(seed)
    for k in range(count):
        if k % 4 == 2:  # some bulbs of a grid twice
            graph = grid_graph("plus", (2, 3))
            bulbs = sorted(rng.sample(range(6), 4) + rng.sample(range(6), rng.randint(1, 2)))
            odd = np.array([rng.random() < 0.6 for _ in bulbs])
            yield OrderingProblem(graph, np.array(bulbs), odd)
        elif k % 4 == 3:
            graph = grid_graph("cross", (3, 3))
            bulbs = sorted(rng.choices(range(9), k=rng.randint(4, 7)))
            odd = np.array([rng.random() < 0.6 for _ in bulbs])
            yield OrderingProblem(graph, np.array(bulbs), odd)
        else:
            half, n = rng.randint(3, 5), rng.randint(6, 8)
            high = rng.choice((0.5, 0.9, 1.0, 1.0))
            inner = [
                e for e in itertools.combinations(range(n), 2) if (e[0] < half) == (e[1] < half)
            ]
            edges = {e for e in inner if rng.random() < 0.7}
            if k % 4 == 0 or rng.random() < 0.2:  # one component, behind a cut of two edges
                edges |= {(rng.randrange(half), rng.randrange(half, n)) for _ in range(2)}
            else:
                edges |= {(v, (v + 1) % half) for v in range(half)}
            kept = {(min(e), max(e)) for e in edges}
            some = [v for v in range(n) if rng.random() < high]
            yield OrderingProblem.from_edges(n, sorted(kept), some)


def ordered(problem: OrderingProblem, lemma: PieceLemma | None = None) -> bool:
    """Whether there is an order, with the boundary that a lemma forbids."""
    first = []
    for x in () if lemma is None else lemma.clause:
        u, v = problem.edges[abs(x) - 1].tolist()
        first.append((v, u) if x < 0 else (u, v))  # u is pressed first, so built last
    edges, odd = problem.edges.tolist(), np.flatnonzero(problem.odd).tolist()
    return brute.build_order(problem.size, edges, odd, first) is not None


def derived(source: Source, lemma: PieceLemma) -> None:
    """Check the proof that the formula has no model with the boundary, given as unit clauses."""
    clauses, units = list(source.formula.clauses()), [[-x] for x in lemma.clause]
    formula = source.formula.extended("boundary", units)
    first, last = len(clauses) + 1, len(clauses) + 1 + len(units)
    line = f"{last + 1} 0 {' '.join(map(str, range(first, last + 1)))} 0"
    source = Source(source.problem, source.options, formula)
    proof = lrat_with_lemmas(source, [lemma], Trimmed.of(line, last))
    check_lrat([*clauses, *units], proof)
    if units:
        with pytest.raises(CheckFailed):  # it rests on the boundary
            check_lrat([*clauses, *([1, -1] for _ in units)], proof)


@pytest.mark.parametrize("count", deep(30, 5000))
def test_lemmas_against_brute_force(count: int) -> None:
    """Every order obeys every lemma; the derivation of each is a proof about the formula.

    Derived: with the opposite literals as clauses added, the formula has no model.
    """
    made, kinds, seen = Precedence(), Counter[str](), Counter[str]()
    for k, problem in enumerate(small_problems(count, seed=count)):
        found = lemmas(problem)
        words = ("order=fill",) if k % 2 else ("acyclic=closure", "xor_cut=3")
        if problem.lines is not None and (problem.repeats or k % 8 == 7):
            words = (*words, "lines=off")
        formula = made.encode(problem, options := made.options(words))
        source = Source(problem, options, formula)
        seen["repeats"] += problem.repeats
        seen["lines"] += problem.lines is not None
        for lemma in found:
            assert not ordered(problem, lemma)
            derived(source, lemma)
            kinds[lemma.why.kind] += 1
        if isinstance(refute_by_pieces(problem), SatProof):
            assert not ordered(problem)
            seen["contradictions"] += 1
    assert kinds.keys() == KINDS
    assert seen["repeats"]
    assert seen["lines"]
    if count >= 5000:
        assert kinds["no-last-press"] >= 200
        assert seen["contradictions"] >= 20


def ring(piece: int, *, alternating: bool = False) -> OrderingProblem:
    """A ring of two pieces, T = ∅."""
    board = Ring(piece, alternating=alternating).board(1)
    return OrderingProblem.of_board(board, np.ones(board.graph.size, dtype=np.bool_))


def test_rings_are_refuted_by_their_lemmas_alone() -> None:
    """No solver: twenty-two presses or two hundred and fifty-four."""
    for piece in (10, 126):
        problem = ring(piece)
        answer = order_encoded(problem, solver_settings=SolverSettings("precedence"))
        assert isinstance(answer, SatProof)
        assert (answer.solver, answer.format) == ("ponder", "lrat")
    assert isinstance(refute_by_pieces(ring(10, alternating=True)), Unknown)


def test_lemmas_about_the_same_presses_share_their_sum() -> None:
    """Four boundaries of a piece are refuted for little more than one."""
    problem = ring(62)
    found = [lemma for lemma in lemmas(problem) if lemma.why.kind == "odd-component"]
    large = max(found, key=lambda lemma: lemma.piece.size).piece
    alike = [lemma for lemma in found if np.array_equal(lemma.piece, large)]
    made = Precedence()
    source = Source(problem, options := made.options([]), made.encode(problem, options))
    lengths = []
    for some in (alike[:1], alike):
        last = len(some) + 1
        hints = " ".join(map(str, range(1, last)))
        proof = lrat_with_lemmas(source, some, Trimmed.of(f"{last} 0 {hints} 0", last - 1))
        lengths.append(sum(" d " not in line for line in proof.splitlines()))
    assert len(alike) > 1
    assert lengths[1] <= lengths[0] + 10 * len(alike)


def test_counting_about_the_whole_graph_is_asked_first() -> None:
    """No solver: cubic graphs with T = ∅ have no first press, a graph with an odd edge no sum."""
    rng = np.random.default_rng(1)
    cubic = OrderingProblem.from_edges(80, Regular(80, degree=3).edges(rng))
    clique = OrderingProblem.from_edges(7, list(itertools.combinations(range(7), 2)))
    for problem, kind in ((cubic, "no-first-press"), (clique, "odd-component")):
        [whole] = lemmas(problem)
        assert (whole.clause, whole.why.kind) == ((), kind)
        answer = order_encoded(problem)
        assert isinstance(answer, SatProof)
        assert (answer.solver, answer.format) == ("ponder", "lrat")
    searched = order_encoded(
        clique, solver_settings=SolverSettings(settings=("acyclic=elimination",))
    )
    assert isinstance(searched, SatProof)
    assert searched.solver == "cadical195"


def test_forged_lemmas_are_refused() -> None:
    """What is said of a boundary that a piece can have is not derived, or not accepted."""
    problem = ring(6, alternating=True)
    found, made = lemmas(problem), Precedence()
    formula = made.encode(problem, options := made.options(["order=fill"]))
    source, true = Source(problem, options, formula), {lemma.clause for lemma in found}
    derived(source, found[-1])
    refused = 0
    for lemma in found:
        for signs in itertools.product((-1, 1), repeat=len(lemma.clause)):
            clause = tuple(x * sign for x, sign in zip(lemma.clause, signs, strict=True))
            if clause not in true:
                with pytest.raises((CheckFailed, PonderError)):
                    derived(source, PieceLemma(clause, lemma.piece, lemma.why))
                refused += 1
    assert refused > 50
    answer = refute_by_pieces(ring(6))
    assert isinstance(answer, SatProof)
    clauses = list(made.encode(ring(6), options).clauses())
    check_lrat(clauses, answer.text)
    lines = answer.text.splitlines()
    steps = [k for k, line in enumerate(lines) if line.split()[1] != "d"]
    for k in (steps[-1], steps[len(steps) // 2], steps[0]):
        with pytest.raises(CheckFailed):
            check_lrat(clauses, [*lines[:k], *lines[k + 1 :]])


def test_order_asks_the_pieces_and_verify_checks_what_they_say(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board = Ring(30).board(2)  # which has one press set
    file, answer = tmp_path / "ring.json", tmp_path / "answer.json"
    file.write_text(board_text(board))
    words = [str(file), "--quiet"]
    assert run(["order", *words, "--json"]) == 0
    text = capsys.readouterr().out
    content = json.loads(text)
    assert (content["verdict"], content["method"]) == ("impossible", "pieces")
    assert content["refutation"]["format"] == "lrat"
    answer.write_text(text)
    assert run(["verify", str(file), str(answer)]) == 0
    answer.write_text(text.replace('"lrat"', '"drat"', 1))  # hints are no clauses
    assert run(["verify", str(file), str(answer)]) != 0
    for option, checked in (("--lrat", "lrat"), ("--proof", "drat")):
        proof = tmp_path / f"ring.{checked}"
        capsys.readouterr()
        assert run(["order", *words, option, str(proof), "--json"]) == 0
        answer.write_text(capsys.readouterr().out)
        assert run(["verify", str(file), str(answer), "--proof", str(proof)]) == 0
