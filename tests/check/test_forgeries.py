"""True results are accepted, and everything that differs from one in a place is refused or true."""

from __future__ import annotations

import random

import pytest

from ponder.check.verification import KINDS, verify
from tests import forgeries

NAMES = [*forgeries.BOARDS, *forgeries._HAND_MADE]


def named(name: str) -> forgeries.Genuine:
    return next(true for true in forgeries.genuine() if true.name == name)


@pytest.mark.parametrize("name", NAMES)
def test_true_results_are_accepted(name: str) -> None:
    true = named(name)
    report = verify(true.board, true.content)
    assert report.complete or true.content["verdict"] == "unknown", report
    for statement in report.statements:
        assert (statement.status == "open") == ("not checked" in statement.said)


def test_every_kind_has_a_true_result() -> None:
    text = str([true.content for true in forgeries.genuine()])
    for kind in KINDS:
        assert f"'kind': '{kind}'" in text, kind


@pytest.mark.parametrize("name", NAMES)
def test_forgeries_are_refused_or_true(name: str) -> None:
    forged = list(forgeries.forged(named(name), random.Random(name)))
    chosen = random.Random(0).sample(forged, min(len(forged), 250))
    for said, question, content in chosen:
        assert forgeries.falsehood(question, content) is None, said


@pytest.mark.deep
@pytest.mark.parametrize("name", NAMES)
def test_all_forgeries_are_refused_or_true(name: str) -> None:
    for said, question, content in forgeries.forged(named(name), random.Random(name)):
        assert forgeries.falsehood(question, content) is None, said


@pytest.mark.deep
def test_certificates_of_other_results_prove_nothing_false() -> None:
    results = forgeries.genuine()
    for into in results:
        for source in results:
            for said, question, content in forgeries.transplanted(into, source):
                assert forgeries.falsehood(question, content) is None, (into.name, said)
