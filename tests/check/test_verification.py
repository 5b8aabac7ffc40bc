"""What a result may say, which statements are left open, and what hostile ones cost."""

from __future__ import annotations

import copy
import json
import re
import resource
import time
from typing import Any

import numpy as np
import pytest

import ponder
from ponder.check.members import Members
from ponder.check.reader import packed
from ponder.check.verification import Report, verify, verify_within
from ponder.find.linear.press_sets import PressSets, press_sets
from ponder.model.board import Board
from ponder.model.graph import grid_graph
from ponder.system.errors import CheckFailed
from ponder.system.limits import Limits, TimeUp
from tests.boards import INSTANCES, solved_by
from tests.clocks import Looks, stopping

SECONDS, BYTES = 4.0, 2 << 30


def as_json(result: ponder.Result) -> Any:
    return json.loads(json.dumps(result.to_json()))


REFUSED = ponder.read(INSTANCES / "plus-10x10-no-order.txt")
ODD = as_json(ponder.order(REFUSED))
ORDERED = ponder.read(INSTANCES / "cross-5x5-order.txt")
ORDER = as_json(ponder.order(ORDERED))


@pytest.mark.parametrize(
    ("board", "true", "change", "why"),
    [
        (REFUSED, ODD, {"schema": "ponder.result/1"}, "ponder.result/1.: make it again"),
        (REFUSED, ODD, {"schema": "ponder.result/3"}, "schema"),
        (REFUSED, ODD, {"claim": "C4"}, "block does not prove the claim C4"),
        (REFUSED, ODD, {"claim": "C3"}, ""),
        (REFUSED, ODD, {"claim": None}, ""),
        (REFUSED, ODD, {"command": "solve"}, ""),
        (REFUSED, ODD, {"verdict": "unknown"}, ""),
        (REFUSED, ODD, {"verdict": "solved"}, ""),
        (REFUSED, ODD, {"refutation": None}, ""),
        (REFUSED, ODD, {"presses": [[0, 0]], "count": 1}, ""),
        (ORDERED, ODD, {}, "about another board"),
        (ORDERED, ORDER, {"count": ORDER["count"] + 1}, "count is"),
        (ORDERED, ORDER, {"presses": ORDER["presses"][:-1]}, "count is"),
        (ORDERED, ORDER, {"presses": None}, "presses is missing"),
        (ORDERED, ORDER, {"optimal": False}, "optimal is false"),
        (ORDERED, ORDER, {"optimal": 1}, "optimal"),
        (ORDERED, ORDER, {"lower_bound": ORDER["count"] + 1}, "more than the presses"),
        (ORDERED, ORDER, {"lower_bound": True}, "lower_bound"),
        (ORDERED, ORDER, {"lower_bound": None}, "without a lower bound"),
        (ORDERED, ORDER, {"lower_bound": -1}, "lower_bound"),
        (ORDERED, ORDER, {"at_most": ORDER["count"]}, ""),
        (ORDERED, ORDER, {"verdict": "impossible", "claim": "C2"}, ""),
        (ORDERED, ORDER, {"board": {**ORDER["board"], "bulbs": True}}, "board: bulbs"),
    ],
)
def test_what_disagrees_is_refused(board: Board, true: Any, change: Any, why: str) -> None:
    verify(ORDERED, ORDER)
    with pytest.raises(CheckFailed, match=why or None):
        verify(board, {**copy.deepcopy(true), **change})


def test_a_press_set_that_is_asked_about_is_the_one() -> None:
    presses = ORDERED.graph.bulbs([tuple(place) for place in ORDER["presses"]])
    assert verify_within(ORDERED, ORDER, press_set=presses).complete
    with pytest.raises(CheckFailed, match="not the one asked about"):
        verify_within(ORDERED, ORDER, press_set=presses[1:])


def test_without_time_or_proof_statements_stay_open() -> None:
    report = verify(REFUSED, ODD, timeout=0.0)
    assert report.unchecked_verdict
    assert "time limit" in str(report)
    assert not verify(ORDERED, {**ORDER, "bound": None}).complete
    sat = as_json(ponder.order(REFUSED, method="sat"))
    assert verify(REFUSED, sat).complete
    sat["refutation"]["lrat"] = None
    assert verify(REFUSED, sat).unchecked_verdict


def test_many_parts_are_read_by_the_clock() -> None:
    """Each look of the clock is followed by one part at most, so reading stops where it does."""
    board = Board.from_rows(["00"], "plus")
    part = {"kind": "block", "rule": "parity", "bulbs": [[0, 0]], "press_counts": ["10"]}
    for key in ("parts", "cuts", "proofs"):
        with pytest.raises(TimeUp):
            Members.read(board, {"parts": [], key: [part] * 9}, stopping(1))
    looks = Looks(None)
    assert len(Members.read(board, {"parts": [part] * 9}, looks.clock).parts) == 9
    assert looks.seen >= 9


@pytest.mark.parametrize("content", [{}, {"schema": None}, {"schema": "ponder.orientation/2"}])
def test_a_schema_is_asked_for_before_the_board(content: Any) -> None:
    with pytest.raises(CheckFailed, match="schema"):
        ponder.verify((3, [(0, 1), (1, 2)]), content)


def test_memory_that_is_not_there_leaves_a_statement_open(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("ponder.check.block.check_rule", full)
    report = verify(REFUSED, ODD)
    assert report.unchecked_verdict
    assert "needs more memory than" in str(report)


# -------------------------------------------------------------------- what hostile ones cost


def bounded(board: Board, least: int, bound: Any, command: str = "solve") -> Any:
    """A result that says no more than a lower bound."""
    content = as_json((ponder.solve if command == "solve" else ponder.order)(board, timeout=0.0))
    content |= {"verdict": "unknown", "claim": None, "presses": None, "count": None}
    return content | {"lower_bound": least, "optimal": False, "bound": bound, "refutation": None}


def checked(board: Board, content: Any) -> Report | str:
    """The report, or why the result is refused; neither takes long, nor much memory."""
    start = time.process_time()
    try:
        clock = Limits(None, lambda: time.process_time() - start > SECONDS / 5)
        said: Report | str = verify(board, content, timeout=clock)
    except CheckFailed as failure:
        said = str(failure)
    assert time.process_time() - start < SECONDS
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 < BYTES
    return said


FIVE = Board.from_rows(["00000"])
WHOLE = [[0, k] for k in range(5)]
DARK = Board.from_grid(np.zeros((17, 17), dtype=np.bool_), "king")
KING = Board(DARK.graph, ~DARK.graph.apply(np.arange(289) % 3 == 0), DARK.goal, "any")
LARGE = Board.from_grid(np.zeros((37, 37), dtype=np.bool_), "cross", "any")
WIDE = Board.from_grid(np.zeros((31, 1001), dtype=np.bool_), "cross")
PLUS = Board.from_rows(["00", "00"], "plus")


def cut(rule: str, times: int, bulbs: Any = WHOLE) -> Any:
    """A cut that says that presses of some bulbs have no order."""
    counts = [times] * len(bulbs)
    entry = {"rule": rule, "bulbs": bulbs, "counts": counts, "forced": []}
    return {"kind": "members", "parts": [], "cuts": [entry], "proofs": []}


@pytest.mark.parametrize(
    ("board", "least", "bound", "why"),
    [
        (FIVE, 1, cut("orders", 1000), ""),
        (FIVE, 1, cut("parity", 1000), ""),
        (WIDE, 1, cut("orders", 1000, [[r, c] for r in range(31) for c in range(1000)]), ""),
        (FIVE, 1, cut("first", 10**30), "counts"),
        (FIVE, 1, cut("orders", -1), "counts"),
        (FIVE, 1, cut("orders", True), ""),
        (PLUS, 4, {"kind": "lightest", "press_sets": 12345}, "1 press sets? ha.* not 12345"),
        (PLUS, 4, {"kind": "lightest", "press_sets": 1, "listed": [[[0, 0]]]}, "does not have 4"),
        (PLUS, 4, {"kind": "lightest", "press_sets": 10**400}, "press_sets"),
        (KING, 7, {"kind": "lightest", "press_sets": 0}, "lightest"),
        (LARGE, 529, {"kind": "settings", "side": "rows"}, ""),
        (WIDE, 10**18, {"kind": "settings", "side": "rows"}, ""),
        (LARGE, 529, {"kind": "lightest"}, ""),
        (LARGE, 529, {"kind": "members", "parts": []}, ""),
        (PLUS, 1, {"kind": "packing", "bulbs": [[0, 0], [0, 0]]}, "twice"),
        (PLUS, 9, {"kind": "modulo-four", "least": 10**400, "because": {}}, ""),
    ],
)  # fmt: skip
def test_bounds_of_strangers_cost_little(board: Board, least: int, bound: Any, why: str) -> None:
    said = checked(board, bounded(board, least, bound))
    if isinstance(said, str):
        assert re.search(why, said), said
    else:
        assert not why, said
        assert not said.complete


@pytest.mark.parametrize("least", [1, (1 << 31) - 1, 1 << 31, 1 << 59, 1 << 60])
@pytest.mark.parametrize("kind", ["lightest", "members", "settings", "packing", "modulo-four"])
@pytest.mark.parametrize("rule", ["any", "unlit"])
def test_bounds_of_any_size_are_held_against_the_board(rule: Any, kind: str, least: int) -> None:
    board = Board(KING.graph, KING.lit, KING.goal, rule)
    inner = {"kind": "lightest"}
    fields = {"parts": [], "side": "rows", "bulbs": [[0, 0]], "least": least, "because": inner}
    said = checked(board, bounded(board, least, {**fields, "kind": kind}))
    assert isinstance(said, str) or not said.complete or least == 1


def test_a_bulb_with_many_neighbours_costs_little() -> None:
    """A star: the neighbours of all bulbs are few, a table as wide as the most is not."""
    edges = [[14_999, leaf] for leaf in range(14_999)]
    text = json.dumps({"nodes": 15_000, "edges": edges, "lit": [0] * 15_000})
    board = ponder.parse_board(text)
    content = as_json(ponder.order(board, timeout=0.0))
    content |= {"verdict": "impossible", "claim": "C2", "presses": None, "count": None}
    content |= {"lower_bound": None, "optimal": False, "bound": None}
    content["refutation"] = {"kind": "members", "parts": []}
    assert "2 press sets are not refuted" in str(checked(board, content))


def test_proofs_are_not_unpacked_beyond_a_cap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some kB of a result may hold GB of proofs."""
    monkeypatch.setattr("ponder.check.members.MOST_LETTERS", 30_000_000)
    proof = {"pairs": 0, "cap": 1, "cuts": [], "lrat": packed("0" * 20_000_000)}
    proofs = [{"press_counts": ["11", "11"], **proof}] * 1000
    said = checked(PLUS, bounded(PLUS, 1, {"kind": "members", "parts": [], "proofs": proofs}))
    assert "characters of all proofs are more than" in str(said)
    part = {"kind": "formula", "encoding": "layered", "options": [], "lrat": proof["lrat"]}
    parts = [{"press_counts": ["11", "11"], **part}] * 1000
    said = checked(PLUS, bounded(PLUS, 1, {"kind": "members", "parts": parts}))
    assert "characters of all proofs are more than" in str(said)


def test_a_cut_is_not_repeated_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proof may name a cut of all bulbs a million times: its formula would have 10^9 literals."""
    monkeypatch.setattr("ponder.check.t_join_formula.MOST_WALKED", 1 << 14)
    board = solved_by(grid_graph("plus", (40, 41)), np.ones(1640, dtype=np.bool_))
    places = [[r, c] for r in range(40) for c in range(41)]
    proof = {"press_counts": ["1" * 41] * 40, "pairs": 1, "cap": 1, "lrat": packed("1 0\n")}
    certificate = cut("parity", 1, places)
    certificate["proofs"] = [{**proof, "cuts": [0] * 10_000}]
    assert "neighbours of the cuts" in str(checked(board, bounded(board, 1641, certificate)))


def remark(**fields: object) -> Any:
    """A remark that proves nothing."""
    content = as_json(ponder.order(PLUS))
    content |= {"verdict": "unknown", "claim": None, "presses": None, "count": None}
    content |= {"lower_bound": None, "optimal": False, "bound": None}
    why = {"kind": "randomised", "field_bits": 8, "trials": 1, "log2_error": -1.0, "seed": 0}
    return content | {"refutation": {**why, **fields}}


@pytest.mark.parametrize(
    "fields",
    [{"log2_error": 10**400}, {"log2_error": float("nan")}, {"trials": True}, {"field_bits": -1},
     {"seed": 1.5}],
)  # fmt: skip
def test_numbers_out_of_all_range_are_refused(fields: Any) -> None:
    checked(PLUS, remark())
    assert isinstance(checked(PLUS, remark(**fields)), str)


@pytest.mark.parametrize(
    "lrat",
    ["d 1 0\n", "1 0\n0\n", "9999999999999999999999 1 0 0\n", "x", "\x00", "5 0 -1 0\n" * 10_000,
     "f 1 1 1 ;\n"],
)  # fmt: skip
def test_what_is_no_lrat_is_refused(lrat: str) -> None:
    content = as_json(ponder.order(REFUSED, method="sat"))
    content["refutation"]["lrat"] = lrat
    assert isinstance(checked(REFUSED, content), str)


def test_a_block_of_what_has_no_such_button_is_refused() -> None:
    buttons = [([0, 1], 0), ([0], 1), ([1], 0)]
    listed = [{"toggles": toggles, "at": at} for toggles, at in buttons]
    board = ponder.parse_board(json.dumps({"lights": 2, "buttons": listed, "lit": [0, 0]}))
    content = as_json(ponder.order(board))
    content |= {"verdict": "impossible", "claim": "C1", "presses": None, "count": None}
    content |= {"lower_bound": None, "optimal": False, "bound": None}
    for rule in ("parity", "first", "last", "orders"):
        for bulb in (0, 2, 7):
            why = {"kind": "block", "rule": rule, "bulbs": [bulb], "press_counts": [1, 0, 0]}
            assert isinstance(checked(board, content | {"refutation": why}), str)


# ---------------------------------------------------------------------- what no walk makes


def test_a_refutation_of_one_press_set_is_none_of_all() -> None:
    """A press set refuted, of a board with others: C1 holds, and C2 does not."""
    board, refuted = Board.from_rows(["0101", "1001", "1001", "0011"], "plus"), 0
    assert ponder.order(board).verdict == "solved"
    sets = press_sets(board)
    assert isinstance(sets, PressSets)
    for press_set in sets.members():
        result = ponder.order(board, press_set=press_set)
        if result.verdict == "impossible":
            refuted += 1
            assert verify(board, as_json(result)).complete
            with pytest.raises(CheckFailed):
                verify(board, {**as_json(result), "claim": "C2"})
    assert refuted
