"""Numbers that a stranger chose: every one in every kind of evidence, forged.

The evidence is walked through (`tests.evidence`), so that a new field is forged without being named
here.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator

import pytest

from ponder.check.claims import BOUNDS, REFUTATIONS
from ponder.types import Json
from tests.evidence import MOST_MOVES, Evidence, genuine
from tests.fuzz.results import inside, paths

WRONG_TYPES = (True, 1.0, 1e3, "1")
FORGED = (0, -1, 2**15, 2**31, 2**53, 2**62, 2**63, 10**30, *WRONG_TYPES, None)
NUMBERED = [f"{k} {evidence.kind}" for k, evidence in enumerate(genuine())]


def numeric(content: Json) -> Iterator[list[object]]:
    """The ways to all numbers of a result."""
    for way in paths(content):
        *above, key = way
        if type(inside(content, above)[key]) is int:
            yield list(way)


def put(content: Json, way: list[object], value: object) -> Json:
    *above, key = way
    forged = copy.deepcopy(content)
    inside(forged, above)[key] = value
    return forged


def test_every_kind_is_walked_through() -> None:
    kinds = {evidence.kind for evidence in genuine()}
    kinds |= {"proofs" for evidence in genuine() if evidence.content.get("proofs")}
    of_orders_and_sequences = {kind for kinds in BOUNDS.values() for kind in kinds}
    assert kinds >= {*of_orders_and_sequences, *REFUTATIONS, *MOST_MOVES, "proofs"}


@pytest.mark.parametrize("evidence", genuine(), ids=NUMBERED)
def test_every_number_is_forged(evidence: Evidence) -> None:
    """Refused, or open, or true; nothing else is raised. What is no number is refused at once."""
    taken = evidence.said(evidence.content)
    assert taken == ("open" if evidence.kind == "randomised" else "accepted")
    forged = 0
    for way in numeric(evidence.content):
        read = evidence.said(put(evidence.content, way, {})) == "refused"
        for value in FORGED:
            said = evidence.said(put(evidence.content, way, value))
            if not read:
                assert said == taken, (way, value)
            elif value in WRONG_TYPES and type(value) is not int:
                assert said == "refused", (way, value)
            forged += 1
    assert forged >= len(FORGED) or evidence.kind == "spectral"
