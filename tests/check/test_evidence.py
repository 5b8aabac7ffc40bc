"""One kind of evidence, one class, one checker, one sentence, one picture, one text form."""

from __future__ import annotations

import json
from functools import reduce
from importlib import import_module
from typing import Any

import pytest

from ponder.check.kinds import Bound, Refutation, read_kind
from ponder.check.result import Result
from ponder.check.written import Reading
from ponder.model.board import Board
from ponder.pictures.answers import reason
from ponder.system.errors import BoardError
from tests import checking
from tests.evidence import FORMS, MOST_MOVES, Evidence, forms, genuine

IN_WORDS = ("sat-proof", "randomised", "states")
"""A formula has no model, a matrix is singular: there is nothing on the board to point at."""


OF_BOARDS = [form for form in FORMS if not form.startswith("most-moves")]


def test_every_kind_is_met() -> None:
    import_module("ortools")  # it makes the weighted cuts and the sign trees
    assert tuple(forms()) == FORMS
    met = {evidence.kind for evidence in genuine()}
    assert met | {"piece-count", "weighted-cuts", "within-steps"} == {
        *Refutation.kinds(),
        *Bound.kinds(),
        *MOST_MOVES,
    }


def test_a_kind_says_all_of_itself() -> None:
    for kind in (*Refutation.kinds().values(), *Bound.kinds().values()):
        assert "§" in kind.theory
        assert f"`{kind.kind}`" in str(import_module(kind.__module__).__doc__).split("\n")[0]
    for kind in Refutation.kinds().values():
        assert kind.explained
        assert (kind.claim is None) == (kind.check is Refutation.check)


@pytest.mark.parametrize("evidence", FORMS, indirect=True)
def test_its_checker_is_asked(evidence: Evidence, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check of its class is what a result of that kind stands or falls by."""

    class Asked(Exception):
        pass

    def asked(*_: object, **__: object) -> None:
        raise Asked

    kinds = Bound.kinds() if evidence.content.get("bound") else Refutation.kinds()
    if evidence.kind == "randomised":
        assert evidence.said(evidence.content) == "open"
        return
    if evidence.kind in kinds:
        monkeypatch.setattr(kinds[evidence.kind], "check", asked)
    else:
        *path, name = MOST_MOVES[evidence.kind].split(".")
        holder = reduce(getattr, path[1:], import_module(f"ponder.check.{path[0]}"))
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
        why = read_kind(Refutation.kinds(), Reading(board), refutation, "refutation")
        assert why.sentence(board) == reason(Result.from_json(board, content))
        assert bool(why.marks(board)) == (evidence.kind not in IN_WORDS or why.bulbs is not None)


def test_what_cannot_be_read_is_said() -> None:
    board = Board.from_rows(["01", "10"], "plus")

    def read(key: str, evidence: object) -> Result:
        said = {"command": "solve", "verdict": "unknown", key: evidence}
        return Result.from_json(board, said)

    for wrong in (3, [[0, 7]], None, []):
        with pytest.raises(BoardError, match="odd-witness: bulbs"):
            read("refutation", {"kind": "odd-witness", "bulbs": wrong})
    rows: Any = [10**30]
    with pytest.raises(BoardError, match="line-count: odd_rows"):
        read("refutation", {"kind": "line-count", "odd_rows": rows, "odd_columns": []})
    parts = [{"kind": "coset", "parts": [], "press_counts": ["00", "00"]}]
    with pytest.raises(BoardError, match="coset: parts: an entry: kind is 'coset'"):
        read("bound", {"kind": "coset", "parts": parts})
    with pytest.raises(BoardError, match="bound: kind is 'exhausted'"):
        read("bound", {"kind": "exhausted", "bulbs": []})
