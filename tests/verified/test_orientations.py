"""`ponder orient` refuses, and Coq accepts that; other questions it does not refuse."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest

import ponder
from ponder.check.orientation import Question
from ponder.find.orient import Refusal
from ponder.model.edge_graph import EdgeGraph
from ponder.proofs.coq import Certificate
from ponder.system.types import Json
from tests.verified.building import build, compiled

CIRCLE = [(0, 1), (1, 2), (0, 2)]

Edges: TypeAlias = list[tuple[int, int]]

ASKED: tuple[tuple[str, Edges, list[int], Edges], ...] = (
    ("block", CIRCLE, [], []),
    ("block", CIRCLE, [0, 1, 2], []),
    ("fixed-circle", CIRCLE, [0], [(0, 1), (1, 2), (2, 0)]),
    ("formula", CIRCLE, [0], [(0, 1), (0, 2)]),
)


def certificate(
    edges: list[tuple[int, int]], odd: list[int], fixed: list[tuple[int, int]]
) -> tuple[str, str]:
    """The kind of the refutation, and the text of its certificate."""
    size = 1 + max(map(max, edges))
    answer = ponder.orient((size, edges), odd, fixed=fixed)
    assert isinstance(answer, Refusal)
    graph = EdgeGraph(size, np.array(edges))
    arcs = np.array(sorted(fixed), dtype=np.int64).reshape(-1, 2)
    question = Question(graph, graph.set_of(odd), arcs)
    result: Json = {"verdict": "impossible", "refutation": answer.certificate}
    return str(answer.certificate["kind"]), Certificate.of_orientation(
        question, result, "asked"
    ).text


def test_the_question_stands_in_the_theorem() -> None:
    kind, text = certificate(CIRCLE, [0], [(0, 1), (1, 2), (2, 0)])
    assert kind == "fixed-circle"
    assert "the_edges : seq (N * N) := [:: (0, 1); (0, 2); (1, 2)]%num" in text
    assert "the_given : seq (N * N) := [:: (0, 1); (1, 2); (2, 0)]%num" in text
    assert "no_orientation 3%num the_edges the_odd the_given" in text


@pytest.mark.coq
def test_refusals_are_accepted_and_no_other_question_is_refused(tmp_path: Path) -> None:
    build()
    for kind, edges, odd, fixed in ASKED:
        answer, text = certificate(edges, odd, fixed)
        assert answer == kind
        done = compiled(tmp_path, text)
        assert (done.returncode, done.stdout.strip()) == (0, "Closed under the global context")
        other = re.sub(r"(the_odd : seq N) := [^%]*%", r"\1 := [:: 1]%", text)
        other = re.sub(r"(the_given : seq \(N \* N\)) := [^%]*%", r"\1 := [::]%", other)
        done = compiled(
            tmp_path, other.replace("Qed.", "Fail Qed.\nAbort.").split("\nDefinition claims")[0]
        )
        assert done.returncode == 0, (kind, done.stderr)
