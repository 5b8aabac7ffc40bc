"""Of random questions of every kind, how many refusals and bounds Coq accepts."""

from __future__ import annotations

import random

import pytest

from tests.verified import building, coverage


def found(seed: int, questions: int) -> list[coverage.Answer]:
    return [
        answer
        for number in range(questions)
        for answer in coverage.answers(random.Random(f"{seed} {number}"))
    ]


def test_an_answer_has_a_certificate_or_a_reason() -> None:
    some = found(0, 8)
    assert {answer.certificate is None for answer in some if answer.reason is None} == {False}
    assert any("wiring" in answer.asked for answer in some)


@pytest.mark.coq
@pytest.mark.deep
def test_coq_accepts_what_has_a_certificate_and_nearly_all_has_one() -> None:
    building.build()
    some = found(1, 300)
    assert len(some) > 450
    whole = [answer for answer in some if answer.reason is None]
    assert len(whole) > 0.98 * len(some)
    assert coverage.refused_by_coq(whole) == []
