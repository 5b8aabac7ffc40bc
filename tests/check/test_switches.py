"""The checker against all evidence for odd-sized row/column boards, true and spoilt."""

from __future__ import annotations

import copy
import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest

from ponder.check.evidence import spectral
from ponder.check.evidence.coset import CosetRefuted
from ponder.check.kinds import Refutation
from ponder.check.limits import TooLarge
from ponder.check.result import Result
from ponder.check.verification import Report, check_bound, verify
from ponder.find.order import order
from ponder.find.search.context import SearchContext
from ponder.find.search.outcome import Chosen, IntegerModel
from ponder.find.switching import spectral_bound, weighted_cuts
from ponder.find.switching.choose import choose
from ponder.find.switching.weighted_cuts import Master
from ponder.model.board import Board, Rule
from ponder.model.graph import CrossGraph
from ponder.system.errors import CheckFailed
from ponder.system.limits import Limits, TimeUp
from ponder.system.types import Bits, Json
from tests import brute, checking
from tests.boards import cross_pressed
from tests.depth import deep

Shape = tuple[int, int]
SHAPES = [(3, 3), (3, 4), (4, 3), (5, 5), (4, 5), (5, 4), (7, 7), (3, 9), (9, 3)]
SHAPES += [(1, 1), (1, 2), (1, 3), (1, 6), (1, 7), (6, 1), (7, 1)]


def claimed(presses: Bits, once: bool, rule: Rule = "unlit") -> tuple[Board, dict[str, Any]]:
    """What the search says of a board, in text form, without the sequence that it leads to."""
    board = cross_pressed(presses, rule)
    answer = choose(board, presses.reshape(-1), once=once)
    command = "order" if once else "solve"
    if isinstance(answer, Chosen):
        fields = {"lower_bound": answer.lower_bound, "bound": answer.evidence.to_json(board)}
        return board, checking.result(board, command, verdict="unknown", **fields)
    assert isinstance(answer, Refutation)
    found = Result(
        command,
        board,
        "impossible",
        "switches",
        "C2",
        refutation=answer,
        counts=presses.reshape(-1).astype(np.int64),
    )
    return board, checking.loads(found.to_json())


def random_presses(shape: Shape, rng: np.random.Generator) -> Bits:
    return np.asarray(rng.random(shape) < rng.choice([0.1, 0.2, 0.35, 0.5]))


def unchecked(report: Report) -> list[str]:
    return [str(s) for s in report.statements if s.unchecked] + ["?"] * report.unchecked_verdict


def halved(presses: Bits) -> int:
    """H_R + H_C − 2f, with the best of all cuts for f."""
    row, column = presses.sum(axis=1) // 2, presses.sum(axis=0) // 2
    masks = np.array(list(itertools.product([False, True], repeat=len(row))))
    inside = masks.astype(np.int64) @ presses
    f = (~masks @ row + np.minimum(inside, column).sum(axis=1)).min()
    return int(row.sum() + column.sum() - 2 * f)


def least(board: Board, once: bool) -> int | None:
    """The least cost of a board's press sets, one by one, by theorems 2 and 3."""
    shape = board.graph.shape  # type: ignore[attr-defined]
    costs = []
    base = np.array(claimed_base(board)).reshape(shape)
    for u in itertools.product([False, True], repeat=shape[0] if shape[1] % 2 else 0):
        for v in itertools.product([False, True], repeat=shape[1] if shape[0] % 2 else 0):
            if sum(u) % 2 == 0 and sum(v) % 2 == 0:
                x = base ^ np.array(u or [False])[:, None] ^ np.array(v or [False])
                missing = halved(x)
                if not (once and missing):
                    costs.append(int(x.sum()) + 2 * missing)
    return min(costs, default=None)


def claimed_base(board: Board) -> Bits:
    from ponder.find.linear.press_sets import PressSets, press_sets

    found = press_sets(board)
    assert isinstance(found, PressSets)
    return found.particular


@pytest.mark.parametrize("count", deep(8, 24))
@pytest.mark.parametrize("once", [True, False])
@pytest.mark.parametrize("shape", SHAPES)
def test_everything_is_accepted(count: int, shape: Shape, once: bool) -> None:
    """Every statement is checked, from any press set of the coset that the search started at."""
    rng = np.random.default_rng(shape[0] * 10 + shape[1])
    for _ in range(count):
        board, found = claimed(random_presses(shape, rng), once, rng.choice(["unlit", "lit"]))
        assert not unchecked(verify(board, found))


@pytest.mark.parametrize("step", deep(3, 1))
@pytest.mark.parametrize("once", [True, False])
def test_all_3x4_boards(once: bool, step: int) -> None:
    """The largest bound that is accepted is the least cost, or cannot exceed it."""
    kinds: Counter[str] = Counter()
    seen = set()
    for chosen in range(1 << 12):
        presses = np.array([chosen >> v & 1 for v in range(12)], dtype=bool).reshape(3, 4)
        board = cross_pressed(presses)
        if (key := board.change.tobytes()) in seen:
            continue
        seen.add(key)
        if len(seen) % step:
            continue
        board, found = claimed(presses, once)
        verify(board, found)
        cost = least(board, once)
        assert found["lower_bound"] == cost
        kinds["raised" if found["bound"] and found["bound"]["raised"] else found["verdict"]] += 1
        if cost is not None:
            higher = copy.deepcopy(found)
            for more in (1, 2):
                higher["lower_bound"] = cost + more
                with pytest.raises(CheckFailed, match=f"proves {cost}, not {cost + more}"):
                    verify(board, higher)
    assert len(seen) == 2**9
    assert kinds["raised"]
    if step == 1:
        assert kinds["impossible"] == (3 if once else 0)


def test_against_brute_force() -> None:
    """Bounds of `solve` hold for the shortest sequences of all solvable 3x3 boards."""
    steps = brute.distances(9, brute.grid_edges(3, 3, "cross"), (1 << 9) - 1)
    graph = CrossGraph((3, 3))
    for state, fewest in steps.items():
        lit = np.array([state >> v & 1 for v in range(9)], dtype=bool)
        board = Board(graph, lit, np.ones(9, dtype=bool))
        base = claimed_base(board).reshape(3, 3)
        _, found = claimed(base, once=False)
        verify(board, found)
        assert found["lower_bound"] == fewest


# ------------------------------------------------------------------------------------- spoilt


NEEDS_CUTS = np.array(
    [[0, 0, 0, 0], [1, 1, 1, 1], [0, 0, 0, 0], [0, 0, 1, 0]] + [[0, 0, 0, 1]] * 3, dtype=bool
)


def raised_cases() -> list[tuple[Board, dict[str, Any]]]:
    """Results whose bounds need weighted cuts."""
    rng = np.random.default_rng(77)
    found = []
    for shape in [(3, 4), (4, 3), (5, 5), (5, 6), (7, 7)] * 20:
        for once in (True, False):
            board, value = claimed(np.asarray(rng.random(shape) < 0.15), once)
            if value["bound"] and value["bound"].get("raised"):
                found.append((board, value))
    return found


def rejected(board: Board, value: Json) -> bool:
    try:
        verify(board, value)
    except CheckFailed:
        return True
    return False


@pytest.mark.parametrize("step", deep(6, 3))
def test_spoilt_raised_settings(step: int) -> None:
    """Whatever is changed in the weighted cuts, no bound above the least cost is accepted; and
    without an entry, or with its weights gone, the bound itself is not."""
    cases = raised_cases()
    assert len(cases) > 8
    count: Counter[str] = Counter()
    for board, value in cases[::step]:
        command, cost = value["command"], value["lower_bound"]
        assert least(board, command == "order") == cost or board.graph.size > 30
        for i, entry in enumerate(value["bound"]["raised"]):
            without = copy.deepcopy(value)
            del without["bound"]["raised"][i]
            assert rejected(board, without)
            for j, cut in enumerate(entry["cuts"]):
                for name, change in {
                    "no weight": {"weight": 0},
                    "more weight": {"weight": cut["weight"] + entry["divisor"]},
                    "a line less": {"lines": cut["lines"][1:]},
                    "no lines": {"lines": []},
                }.items():
                    spoilt = copy.deepcopy(value)
                    spoilt["bound"]["raised"][i]["cuts"][j] |= change
                    count[name] += rejected(board, spoilt)
                    for more in (1, 2):
                        spoilt["lower_bound"] = cost + more
                        assert rejected(board, spoilt)
            elsewhere = copy.deepcopy(value)
            odd = set(entry["odd_lines"]) ^ {0, 1}
            elsewhere["bound"]["raised"][i]["odd_lines"] = sorted(odd)
            assert rejected(board, elsewhere)
    assert min(count.values()) > 0
    assert set(count) == {"no weight", "more weight", "a line less", "no lines"}


def test_sides() -> None:
    """The side is the one with an odd number of lines; if both are odd either will do."""
    rng = np.random.default_rng(4)
    for shape, right in [
        ((3, 4), "rows"),
        ((4, 3), "columns"),
        ((1, 6), "rows"),
        ((6, 1), "columns"),
    ]:
        for once in (True, False):
            board, value = claimed(random_presses(shape, rng), once)
            if value["bound"] is None:
                continue
            assert value["bound"]["side"] == right
            value["bound"]["side"] = "columns" if right == "rows" else "rows"
            with pytest.raises(CheckFailed, match="not a full rectangle with an odd number of"):
                verify(board, value)
    for _ in range(20):
        board, value = claimed(random_presses((3, 7), rng), once=False)
        if not value["bound"]["raised"]:
            value["bound"]["side"] = "columns"
            verify(board, value)
            value["lower_bound"] += 1
            assert rejected(board, value)


def mended(**fields: object) -> Json:
    return {"kind": "switches", "side": "rows", "raised": [], **fields}


@pytest.mark.parametrize(
    ("bound", "reason"),
    [
        (mended(side=None), "side is None"),
        (mended(raised=None), "raised is None, not a list"),
        (mended(raised=[3]), "an entry is 3, not an object"),
        (mended(raised=[{"odd_lines": [3], "divisor": 1, "cuts": []}]), "no line 3"),
        (
            mended(raised=[{"odd_lines": [0], "divisor": 1, "cuts": []}]),
            "in no press set these rows are odd",
        ),
        (mended(raised=[{"odd_lines": [0, 1], "divisor": 0, "cuts": []}]), "the divisor is 0"),
        (mended(raised=[{"odd_lines": [0, 1], "divisor": 1.5}]), "divisor is 1.5, not a whole"),
        (mended(raised=[{"odd_lines": [], "divisor": 1, "cuts": {}}]), "cuts is {}, not a list"),
        (
            mended(
                raised=[{"odd_lines": [], "divisor": 1, "cuts": [{"lines": [0], "weight": -1}]}]
            ),
            "weight is -1, not a whole number",
        ),
        (
            mended(raised=[{"odd_lines": [], "divisor": 1, "cuts": [{"lines": [9], "weight": 1}]}]),
            "no line 9",
        ),
        (
            mended(raised=[{"odd_lines": [], "divisor": 1, "cuts": [{"lines": [0], "weight": 2}]}]),
            "the weights are more than the divisor 1",
        ),
        (mended(raised=[{"odd_lines": [], "divisor": 1, "cuts": []}] * 2), "same odd lines twice"),
    ],
)
def test_malformed(bound: Json, reason: str) -> None:
    board = cross_pressed(np.zeros((3, 3), dtype=bool))
    with pytest.raises(CheckFailed, match=reason):
        check_bound(board, "solve", 0, bound)


def test_too_large_is_not_checked() -> None:
    board = cross_pressed(np.zeros((3, 3), dtype=bool))
    cut = {"lines": [0], "weight": 1 << 61}
    bound = mended(raised=[{"odd_lines": [], "divisor": 1 << 61, "cuts": [cut]}])
    with pytest.raises(TooLarge, match="the weights of the cuts are too large to add up"):
        check_bound(board, "solve", 0, bound)
    assert check_bound(cross_pressed(np.eye(33, dtype=bool)), "solve", 1, mended()) is None
    wide = cross_pressed(np.eye(41, dtype=bool))
    with pytest.raises(TooLarge, match=r"too much work .* pairs of settings of the switches"):
        check_bound(wide, "solve", 839, mended())
    wider = cross_pressed(np.eye(63, dtype=bool))
    with pytest.raises(TooLarge, match="sums of half the switches are more than 536,870,912"):
        check_bound(wider, "solve", 1, mended())


@pytest.mark.parametrize("shape", [(15, 3), (17, 17)])
def test_many_chunks(shape: Shape) -> None:
    """Scans of several chunks, from either side, agree with the search."""
    rng = np.random.default_rng(6)
    presses = random_presses(shape, rng)
    for once in (True, False):
        board, value = claimed(presses, once)
        for side in ("rows", "columns"):
            bound = (
                value["bound"] | {"side": side} if not value["bound"]["raised"] else value["bound"]
            )
            assert check_bound(board, value["command"], value["lower_bound"], bound) is None
            with pytest.raises(CheckFailed, match=f"proves {value['lower_bound']}, not"):
                check_bound(board, value["command"], value["lower_bound"] + 2, bound)


# ------------------------------------------------------------------------- the other kinds


@pytest.mark.parametrize("turned", [False, True])
def test_weighted_cuts(turned: bool) -> None:
    presses = NEEDS_CUTS.T if turned else NEEDS_CUTS
    board, value = claimed(presses, once=True)
    assert value["refutation"]["kind"] == "weighted-cuts"
    assert not unchecked(verify(board, value))

    def spoilt(change: dict[str, object]) -> Json:
        other = copy.deepcopy(value)
        other["refutation"] |= change
        return other

    cuts = value["refutation"]["cuts"]
    with pytest.raises(CheckFailed, match="which refutes nothing"):
        verify(board, spoilt({"cuts": []}))
    for i, cut in enumerate(cuts):
        for lines in (cut["lines"][1:], [], list(range(7))):
            others = [*cuts[:i], cut | {"lines": lines}, *cuts[i + 1 :]]
            with pytest.raises(CheckFailed, match="which refutes nothing"):
                verify(board, spoilt({"cuts": others}))
    with pytest.raises(CheckFailed, match="not a full rectangle with an odd number"):
        verify(board, spoilt({"side": "rows" if turned else "columns"}))
    with pytest.raises(CheckFailed, match="do not lead to the goal"):
        verify(board, spoilt({"press_counts": [0] * 28}))
    with pytest.raises(CheckFailed, match="does not go with the claim C2"):
        verify(board, value | {"command": "solve"})


def test_weighted_cuts_refute_nothing_orderable() -> None:
    """Any cuts on small boards: what is accepted has no order, by trying all press sets."""
    rng = np.random.default_rng(2)
    accepted = 0
    for trial in range(300):
        height, width = [(3, 4), (5, 2), (5, 4)][trial % 3]
        presses = np.asarray(rng.random((height, width)) < 0.3)
        board = cross_pressed(presses)
        cuts = [
            {
                "lines": np.flatnonzero(rng.random(height) < 0.4).tolist(),
                "weight": int(rng.integers(4)),
            }
            for _ in range(2)
        ]
        value = checking.refutation(
            board, "weighted-cuts", presses.reshape(-1).astype(np.int64), side="rows", cuts=cuts
        )
        if not rejected(board, checking.impossible(board, "C2", value)):
            accepted += int((presses.sum(axis=1) % 2).sum()) <= width
            assert least(board, once=True) is None
    assert accepted


@pytest.mark.parametrize("often", deep(10, 30))
@pytest.mark.parametrize("turned", [False, True])
def test_listed_cosets(turned: bool, monkeypatch: pytest.MonkeyPatch, often: int) -> None:
    """Where no weights are found press sets are listed; nothing is taken for less than it needs."""
    monkeypatch.setattr(weighted_cuts, "weigh", lambda *_, **__: None)
    board, value = claimed(NEEDS_CUTS.T if turned else NEEDS_CUTS, once=True)
    assert value["refutation"]["kind"] == CosetRefuted.kind
    assert not unchecked(verify(board, value))
    with pytest.raises(CheckFailed, match="there are 8 press sets"):
        verify(board, value | {"refutation": value["refutation"] | {"press_sets": 7}})
    del value["refutation"]["parts"][0]
    with pytest.raises(CheckFailed, match="are not refuted"):
        verify(board, value)
    rng = np.random.default_rng(8)
    listed = 0
    for shape in [(3, 4), (4, 3), (5, 5), (4, 5)] * often:
        for once in (True, False):
            board, value = claimed(np.asarray(rng.random(shape) < 0.15), once)
            assert not unchecked(verify(board, value))
            if value["bound"] and value["bound"]["kind"] == "coset":
                listed += 1
                cost = least(board, once)
                assert value["lower_bound"] == cost
                for k in range(len(value["bound"]["parts"])):
                    without = copy.deepcopy(value)
                    del without["bound"]["parts"][k]
                    with pytest.raises(CheckFailed, match="may need fewer"):
                        verify(board, without)
                with pytest.raises(CheckFailed, match="may need fewer"):
                    verify(board, value | {"lower_bound": value["lower_bound"] + 2})
    assert listed > often / 6


def test_integer_models_are_no_evidence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weighted_cuts, "weigh", lambda *_, **__: None)
    monkeypatch.setattr(weighted_cuts, "LOG2_LISTED", 0)
    board, value = claimed(NEEDS_CUTS, once=True)
    assert value["refutation"]["kind"] == IntegerModel.kind
    with pytest.raises(CheckFailed, match="kind is 'integer-model'"):
        verify(board, value)
    raised = np.array([[0, 0, 0, 1], [0, 0, 0, 1], [1, 1, 1, 1]], dtype=bool)
    board, value = claimed(raised, once=False)
    assert value["bound"] == {"kind": "integer-model"}
    with pytest.raises(CheckFailed, match="is 'integer-model'"):
        verify(board, value)


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (3, 3), (3, 5), (5, 5), (4, 5), (4, 4), (9, 9)])
def test_spectral(shape: Shape) -> None:
    """The search's bound is accepted; no bound above the lightest press set is."""
    rng = np.random.default_rng(9)
    for _ in range(15):
        presses = random_presses(shape, rng)
        board = cross_pressed(presses)
        bound = spectral_bound.spectral_bound(presses if shape[0] <= shape[1] else presses.T)
        for command in ("order", "solve"):
            assert check_bound(board, command, bound, {"kind": "spectral"}) is None
        proved = spectral.spectral_bound(presses, 1 << 20)
        assert proved >= bound
        if presses.size < 30:
            lightest = min(int(s.sum()) for s in lighter(presses))
            assert proved <= lightest
            with pytest.raises(CheckFailed, match=f"spectral proves {proved}, not"):
                check_bound(board, "solve", proved + 1, {"kind": "spectral"})


def lighter(presses: Bits) -> list[Bits]:
    """Press sets that differ by even numbers of switched rows and columns."""
    rows, columns = presses.shape
    found = []
    for u in itertools.product([False, True], repeat=rows if columns % 2 else 0):
        for v in itertools.product([False, True], repeat=columns if rows % 2 else 0):
            if sum(u) % 2 == 0 and sum(v) % 2 == 0:
                found.append(presses ^ np.array(u or [False])[:, None] ^ np.array(v or [False]))
    return found


def test_an_interrupted_search_claims_what_holds() -> None:
    """Without time the evidence is spectral, and accepted."""
    presses = np.random.default_rng(1).random((33, 33)) < 0.5
    board = cross_pressed(presses)
    answer = choose(
        board, presses.reshape(-1), once=False, context=SearchContext(limits=Limits(0.0))
    )
    assert isinstance(answer, Chosen)
    bound = answer.evidence.to_json(board)
    assert bound == {"kind": "spectral"}
    assert answer.lower_bound < answer.cost
    assert check_bound(board, "solve", answer.lower_bound, bound) is None
    with pytest.raises(CheckFailed, match="spectral proves"):
        check_bound(board, "solve", answer.lower_bound + 4, bound)


def test_an_order_not_found_in_time_keeps_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was proved of all press sets is in the result, with evidence that is accepted."""

    def stop(*_: object, **__: object) -> None:
        raise TimeUp("the time limit was reached")

    monkeypatch.setattr(Master, "solve", stop)
    board = cross_pressed(NEEDS_CUTS)
    result = order(board)
    assert result.verdict == "unknown"
    assert result.lower_bound
    assert result.bound == {"kind": "switches", "side": "rows", "raised": []}
    assert not unchecked(verify(board, checking.loads(result.to_json())))
