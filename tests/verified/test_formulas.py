"""LRAT proofs in Coq: accepted as they are, refused about another formula, RAT steps included."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from ponder.check.formula import Formula as FormulaProof
from ponder.check.orientation import Question
from ponder.check.reader import TooLarge
from ponder.find.solvers.by_encoding import SolverSettings, order_encoded
from ponder.model.edge_graph import EdgeGraph
from ponder.model.ordering_problem import OrderingProblem
from ponder.proofs import coq_formula
from ponder.proofs.coq import Certificate
from ponder.proofs.coq_formula import clause_line, definitions, formula_definitions, steps
from ponder.proofs.coq_text import terms
from ponder.system.types import Json
from tests.verified.building import build, compiled

SQUARE = [[1, 2], [1, -2], [-1, 2], [-1, -2]]
DEFINED = (  # variable 3 is "1 or 2"
    "5 3 -1 0 0\n6 3 -2 0 0\n7 -3 1 2 0 -5 -6 0\n8 1 0 1 2 0\n9 3 0 8 5 0\n10 -1 0 3 4 0\n"
    "10 d 6 0\n11 2 0 9 10 7 0\n12 0 11 10 2 0\n"
)
LINES = [*map(clause_line, SQUARE), *steps(DEFINED)]
HEAD = """\
From Coq Require Import PArith.
From mathcomp Require Import ssreflect ssrbool ssrnat seq.
From Ponder Require Import lrat before packed.
Definition refuses its := refuted (clauses_of its) (steps_of its).
"""

# a proof with one byte changed, about the question asked and about one that has an answer
SPOILING = """
From Coq Require Import NArith Init.Byte.
Fixpoint changed (k : nat) (x : byte) (s : bytes) : bytes :=
  if s is Seven a b c d e f g r then
    match k with
    | 0 => Seven x b c d e f g r | 1 => Seven a x c d e f g r | 2 => Seven a b x d e f g r
    | 3 => Seven a b c x e f g r | 4 => Seven a b c d x f g r | 5 => Seven a b c d e x g r
    | 6 => Seven a b c d e f x r | k.+4.+3 => Seven a b c d e f g (changed k x r)
    end
  else s.
Definition accepted (odd : seq N) (s : bytes) :=
  check_orientation {size}%num the_edges odd [::]
    (Refutation [::] [::] (Formula (unpacked [:: s]))).
Definition spoilt := map (fun c => changed (N.to_nat (fst c)) (snd c) the_items_0) [:: {changes}].
Eval vm_compute in accepted the_odd the_items_0.
Eval vm_compute in count (accepted the_odd) spoilt.
Eval vm_compute in count (accepted {easy}%num) (the_items_0 :: spoilt).
"""


def spoilt(count: int) -> Iterator[list[list[int]]]:
    """Yield the lines with one number changed; a 1 ends a line."""
    rng = random.Random(1)
    for _ in range(count):
        words = [word for line in LINES for word in (*line, 1)]
        k = rng.randrange(len(words))
        words[k] = rng.choice([x for x in range(1, 14) if x != words[k]])
        lines = [list[int]()]
        for word in words:
            if word == 1:
                lines.append([])
            else:
                lines[-1].append(word)
        yield lines[:-1]


def satisfiable(lines: list[list[int]]) -> bool:
    """Whether the formula, as Coq reads it, has a model."""
    formula = [line[1:] for line in lines if line[:1] in ([6], [7])]
    return any(
        all(any((x % 2 == 0) == values[x // 2] for x in clause) for clause in formula)
        for values in product((False, True), repeat=7)
    )


@pytest.mark.coq
def test_a_proof_is_accepted_and_spoilt_ones_are_refused(tmp_path: Path) -> None:
    """Few changes do no harm; no formula with a model is refused."""
    build()
    given = [LINES, *spoilt(1000)]
    text = HEAD + "".join(definitions(f"items{k}", lines) for k, lines in enumerate(given))
    text += f"Eval vm_compute in map refuses [:: {'; '.join(f'items{k}' for k in range(1001))}].\n"
    text += (
        "Theorem none : unsatisfiable (clauses_of items0).\n"
        "Proof. exact: (refuted_sound (p := steps_of items0)). Qed.\nPrint Assumptions none.\n"
    )
    done = compiled(tmp_path, text)
    assert done.returncode == 0, done.stderr
    assert "Closed under the global context" in done.stdout
    answers = re.findall(r"\b(true|false)\b", done.stdout)
    assert len(answers) == len(given)
    assert answers[0] == "true"
    accepted = [lines for lines, answer in zip(given, answers, strict=True) if answer == "true"]
    assert len(accepted) < 300  # they change what is not needed: spare hints, what is forgotten
    for lines in accepted:
        assert not satisfiable(lines), lines


def asked(size: int) -> tuple[OrderingProblem, Json]:
    """A cubic graph without an orientation with even out-degrees, by a solver's proof."""
    graph = nx.random_regular_graph(3, size, 1)
    problem = OrderingProblem.from_edges(size, sorted(graph.edges))
    answer = order_encoded(
        problem, solver_settings=SolverSettings(settings=("acyclic=elimination",))
    )
    assert isinstance(answer, FormulaProof)
    return problem, answer.to_json(problem.board)


def certificate(problem: OrderingProblem, refutation: Json) -> str:
    assert isinstance(problem.graph, EdgeGraph)
    question = Question(problem.graph, problem.odd, np.zeros((0, 2), np.int64))
    told: Json = {"verdict": "impossible", "refutation": refutation}
    return Certificate.of_orientation(question, told, "asked").text


@pytest.mark.coq
def test_a_proof_in_many_definitions_is_accepted(tmp_path: Path) -> None:
    build()
    text = certificate(*asked(24))
    assert "the_items_1" in text
    done = compiled(tmp_path, text)
    assert (done.returncode, done.stdout.strip()) == (0, "Closed under the global context")


@pytest.mark.coq
def test_spoilt_proofs_of_a_solver_are_refused(tmp_path: Path) -> None:
    """Few bytes do no harm; no proof refutes a question that has an answer."""
    build()
    rng, (problem, refutation) = random.Random(1), asked(12)
    text = certificate(problem, refutation)
    packed = [int(x) for x in re.findall(r"\d+(?=;| \| 0 \|)", text.split("keep [|")[1])]
    proof = b"".join(number.to_bytes(7) for number in packed)
    changes = list[str]()
    for _ in range(1000):
        k = rng.randrange(len(proof))
        changes.append(f"({k}%num, x{proof[k] ^ rng.randrange(1, 256):02x})")
    later = [sum(w > v for w in near) for v, near in enumerate(problem.neighbours)]
    easy = [v for v, count in enumerate(later) if count % 2]  # the order 0, 1, 2 … answers it
    text += SPOILING.format(size=12, changes="; ".join(changes), easy=terms(easy))
    done = compiled(tmp_path, text)
    assert done.returncode == 0, done.stderr
    sound, spoilt, wrong = re.findall(r"= (\w+)", done.stdout)
    assert sound == "true"
    assert 0 < int(spoilt) < 200  # hints that are not needed, clauses that are kept too long
    assert wrong == "0"


def test_a_proof_that_is_too_large_is_refused_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, refutation = asked(12)
    monkeypatch.setattr(coq_formula, "MOST_NUMBERS", 300)
    with pytest.raises(TooLarge, match=r"41 lemmas of \d+ literals and hints, at most 300$"):
        formula_definitions("items", problem, FormulaProof.read(problem.board, refutation))


def lines_of(text: str) -> Iterator[list[int]]:
    """Yield the lines that a text of definitions packs."""
    parts = [re.findall(r"\d+(?=;| \| 0 \|)", part) for part in text.split("keep [|")[1:]]
    line, word = list[int](), 0
    for byte in b"".join(int(x).to_bytes(7) for part in parts for x in part):
        word = word << 7 | byte & 127
        if byte < 128:
            if word == 1:
                yield line
            line = [] if word == 1 else [*line, word]
            word = 0


def test_what_no_clause_needs_is_not_defined() -> None:
    """A path hangs on a complete graph without an order: the proof says nothing of its edges."""
    graph = nx.path_graph(6)
    graph.add_edges_from([(0, 2), *combinations(range(5, 11), 2)])
    problem = OrderingProblem.from_edges(11, sorted(graph.edges), [10])
    refutation = order_encoded(problem)
    assert isinstance(refutation, FormulaProof)
    lines = list(lines_of(formula_definitions("items", problem, refutation)))
    assert lines
    pairs = [tuple(bulb - 2 for bulb in line[2:]) for line in lines if line[0] == 9]
    assert pairs
    assert {bulb for pair in pairs for bulb in pair} == {*range(5, 11)}
    sums = [word - 2 for line in lines if line[0] == 10 for word in line[2:]]
    assert {*sums} <= {0, *(line[1] - 1 for line in lines if line[0] == 9)}  # 0: the constant 1
