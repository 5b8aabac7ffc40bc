"""One kind of evidence, one class, one checker, one sentence, one picture, one text form."""

from __future__ import annotations

import importlib
import json
from functools import reduce
from importlib import import_module
from typing import Any

import pytest

from ponder.apps.pictures.answers import reason
from ponder.check import claims
from ponder.check.result import BOUNDS, REFUTATIONS, Result, evidence_of
from ponder.model.board import Board
from ponder.system.errors import BoardError
from tests import checking
from tests.evidence import FORMS, MOST_MOVES, Evidence, forms, genuine

ROOM = "ponder.check"
IN_WORDS = ("sat-proof", "randomised", "states")
"""A formula has no model, a matrix is singular: there is nothing on the board to point at."""


OF_BOARDS = [form for form in FORMS if not form.startswith("most-moves")]


def test_the_kinds_are_those_of_the_checker() -> None:
    assert {kind.kind for kind in REFUTATIONS} == set(claims.REFUTATIONS)
    assert {kind.kind for kind in BOUNDS} == {x for kinds in claims.BOUNDS.values() for x in kinds}
    assert {k.kind for k, checker in REFUTATIONS.items() if checker is None} == set(claims.EVIDENCE)
    import_module("ortools")  # it makes the weighted cuts and the sign trees
    assert tuple(forms()) == FORMS
    met = {evidence.kind for evidence in genuine()}
    assert met == {kind.kind for kind in [*REFUTATIONS, *BOUNDS]} | set(MOST_MOVES)


@pytest.mark.parametrize("evidence", FORMS, indirect=True)
def test_its_checker_is_asked(evidence: Evidence, monkeypatch: pytest.MonkeyPatch) -> None:
    """The function that `kinds` names is what a result of that kind stands or falls by."""

    class Asked(Exception):
        pass

    def asked(*_: object, **__: object) -> None:
        raise Asked

    kinds = BOUNDS if evidence.content.get("bound") else REFUTATIONS
    checker = {**MOST_MOVES, **{kind.kind: name for kind, name in kinds.items()}}[evidence.kind]
    if checker is None:
        assert evidence.said(evidence.content) == "open"
        return
    file, *path, name = checker.split(".")
    holder: Any = reduce(getattr, path, importlib.import_module(f"{ROOM}.{file}"))
    function = getattr(holder, name)
    for room in ("verification", "bounds", "wirings", "refutations", "odd_components", file):
        module = importlib.import_module(f"{ROOM}.{room}")
        if getattr(module, name, None) is function:
            monkeypatch.setattr(module, name, asked)
    monkeypatch.setattr(holder, name, asked)
    with pytest.raises(Asked):
        evidence.said(evidence.content)


@pytest.mark.parametrize("evidence", OF_BOARDS, indirect=True)
def test_a_result_is_read_back(evidence: Evidence) -> None:
    """The object from a file has the same text form."""
    board, content = evidence.board, checking.loads(evidence.content)
    written: Any = json.loads(json.dumps(Result.from_json(board, content).to_json()))
    for key in ("verdict", "claim", "presses", "lower_bound", "optimal", "at_most", "bound"):
        assert written[key] == content.get(key)
    if evidence.kind != "sat-proof":  # whose proof is left out
        of_old: Any = content["refutation"] or {}
        of_new: Any = written["refutation"] or {}
        assert {key: of_new[key] for key in of_old} == of_old
    again = Result.from_json(board, written).to_json()
    assert json.dumps(again) == json.dumps(written)


@pytest.mark.parametrize("evidence", OF_BOARDS, indirect=True)
def test_it_has_a_sentence_and_a_refutation_has_marks(evidence: Evidence) -> None:
    board, content = evidence.board, evidence.content
    bound, refutation = content["bound"], content["refutation"]
    if isinstance(bound, dict):
        found = Result.from_json(board, content)
        assert found.lower_bound is not None
        assert found.evidence is not None
        assert found.evidence.sentence(found.presses, found.lower_bound) or not found.optimal
    if isinstance(refutation, dict):
        why = evidence_of(REFUTATIONS, board, refutation)
        assert why.sentence(board) == reason(Result.from_json(board, content))
        assert bool(why.marks(board)) == (evidence.kind not in IN_WORDS or why.bulbs is not None)


def test_what_cannot_be_read_is_said() -> None:
    board = Board.from_rows(["01", "10"], "plus")
    for wrong in ({}, {"bulbs": 3}, {"bulbs": [[0, 7]]}, {"bulbs": None}):
        with pytest.raises(BoardError, match="no readable bulbs"):
            evidence_of(REFUTATIONS, board, {"kind": "odd-witness", **wrong})
    rows: Any = [10**30]
    with pytest.raises(BoardError, match="no readable odd_rows"):
        evidence_of(REFUTATIONS, board, {"kind": "line-count", "odd_rows": rows, "odd_columns": []})
    parts = [{"kind": "coset", "parts": [], "press_counts": ["00", "00"]}]
    with pytest.raises(BoardError, match="no readable parts"):
        evidence_of(BOUNDS, board, {"kind": "coset", "parts": parts})
    with pytest.raises(BoardError, match="of an unknown kind"):
        evidence_of(BOUNDS, board, {"kind": "exhausted", "bulbs": []})
