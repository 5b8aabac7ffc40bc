"""Whole results: true ones are accepted, false ones are rejected, each by its reason."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ponder
from ponder.check.proofs import FormulaProof
from ponder.check.verification import Report, verify
from ponder.model.board import Board
from ponder.system.errors import CheckFailed
from ponder.system.types import Json
from tests import brute, checking
from tests.boards import edges_of
from tests.checking import impossible
from tests.true_results import blank, cases, first, no_order

NAMES = [
    "order cross", "order cross odd", "order plus", "order king any", "order torus", "order graph",
    "no order cross mixed", "no order plus", "no order coset", "no order king", "no order torus",
    "odd-witness", "line-count", "line-cut", "line-parities", "line-flow", "switches solve odd",
    "switches solve", "switches order odd", "switches order", "one set", "pieces", "any", "solve",
    "unknown", "empty", "at most",
]  # fmt: skip


FLOW = {"kind": "line-flow", "flow": 0, "side": "rows", "rows": [], "columns": []}


def test_names() -> None:
    assert list(cases()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_true_results(name: str) -> None:
    board, found = cases()[name]
    report = verify(board, found)
    assert not report.unchecked_verdict
    assert report.complete == (name != "solve")
    unchecked = [s.text for s in report.statements if s.status != "checked"]
    about = f"2×2 plus, rule any, goal lit, board {board.sha256[:8]}…"
    open_ = f"no legal sequence has fewer than 4 presses ({about})"
    assert unchecked == ([open_] if name == "solve" else [])
    assert name != "no order coset" or found["refutation"]["kind"] == "coset"  # type: ignore[index]


# --------------------------------------------------------------------------------- false results


def put(*path: object) -> Callable[[Json], None]:
    """Set the field at a path; the last word is the value."""
    *way, key, value = path

    def change(found: Json) -> None:
        at: object = found
        for word in way:
            at = at[word]  # type: ignore[index]
        at[key] = value  # type: ignore[index]

    return change


def drop(*path: object) -> Callable[[Json], None]:
    *way, key = path

    def change(found: Json) -> None:
        at: object = found
        for word in way:
            at = at[word]  # type: ignore[index]
        del at[key]  # type: ignore[attr-defined]

    return change


def fewer_counts(found: Json) -> None:
    rows = found["refutation"]["press_counts"]  # type: ignore[index]
    rows[0] = rows[0].translate(str.maketrans("01", "10"))


SWITCHES = {"kind": "switches", "side": "rows", "raised": []}


FALSE: list[tuple[str, Callable[[Json], None], str]] = [
    ("order cross", put("schema", "ponder.result/2"), "schema is"),
    ("order cross", drop("schema"), "schema is None"),
    ("order cross", put("command", "compare"), "command is 'compare'"),
    ("order cross", put("board", "sha256", "0" * 64), "another board"),
    ("order cross", put("board", "bulbs", 9), "bulbs is 9, the board's is 8"),
    ("order cross", put("board", "rule", "any"), "rule is 'any'"),
    ("order cross", put("board", "goal", "unlit"), "goal is 'unlit'"),
    ("order cross", put("board", "pattern", "plus"), "pattern is 'plus'"),
    ("order cross", put("board", None), "board is None, not an object"),
    ("order cross", put("verdict", "impossible"), "not a whole number|does not go|no refutation"),
    ("order cross", put("verdict", "maybe"), "verdict is 'maybe'"),
    ("order cross", put("claim", "C2"), "the verdict solved does not go with the claim C2"),
    ("order cross", put("claim", "C5"), "claim is 'C5'"),
    ("order cross", put("count", 77), "count is 77 and there are"),
    ("order cross", put("count", True), "count is True, not a whole number"),
    ("order cross", put("presses", None), "solved, and there are no presses"),
    ("order cross", put("presses", 0, [9, 9]), r"presses: there is no bulb \[9, 9\]"),
    ("order cross", put("optimal", False), "optimal is false"),
    ("order cross", put("optimal", 1), "optimal is 1, not true or false"),
    ("order cross", put("lower_bound", None), "optimal is true without"),
    ("order cross", put("lower_bound", 99), "lower_bound is 99 and there are"),
    ("order cross", put("refutation", {"kind": "odd-witness"}), "and there is a refutation"),
    ("order cross", put("bound", {"kind": "luck"}), "for `order`: kind is 'luck'"),
    ("order cross odd", put("bound", {"kind": "unique-press-set"}), r"2\^4 press sets, not one"),
    ("order cross", put("bound", SWITCHES), "full rectangle with an odd number of rows"),
    ("order plus", put("bound", SWITCHES), "about row/column boards"),
    ("order graph", put("presses", 0, "z"), "there is no bulb 'z'"),
    ("no order plus", put("refutation", None), "C2, and there is no refutation"),
    ("no order plus", put("refutation", "kind", "randomised"), "evidence and not a proof"),
    ("no order plus", put("claim", "C4"), "not prove the claim C4: dead-end, odd-witness, states"),
    ("no order plus", put("claim", None), "does not go with the claim null"),
    ("no order plus", put("command", "solve"), "does not go with the claim C2"),
    ("no order plus", put("verdict", "solved"), "does not go with"),
    ("no order plus", fewer_counts, "do not lead to the goal"),
    ("no order plus", drop("refutation", "press_counts"), "press_counts is None, not a list"),
    ("no order plus", put("refutation", "press_counts", 0, "01x"), "is 'x', not a digit"),
    ("no order plus", put("refutation", "press_counts", 0, "01"), "not 3 characters"),
    ("no order plus", put("refutation", "press_counts", [1] * 8), "8 entries, the board has 9"),
    ("no order plus", put("refutation", "press_counts", [-1] * 9), "is -1, not a whole number"),
    ("no order plus", put("refutation", "press_counts", [1001] * 9), "more than 1000 presses"),
    ("no order plus", put("refutation", "bulbs", []), "is an empty list"),
    ("no order plus", put("refutation", "bulbs", [[0, 0], [0, 0]]), "names a bulb twice"),
    ("no order coset", put("refutation", "parts", []), "4 of the board's 4 press sets are not"),
    ("no order coset", drop("refutation", "parts", 0), "not refuted, one of them with"),
    ("no order coset", put("refutation", "parts", 0, {"kind": "coset"}), "kind is 'coset'"),
    ("odd-witness", drop("refutation", "bulbs", 0), "toggles an odd number of the bulbs"),
    ("odd-witness", put("refutation", "bulbs", [[0, 0], [1, 0]]), "an even number of the bulbs"),
    ("odd-witness", put("claim", "C1"), "`solve`: the verdict impossible does not go with"),
    ("line-count", drop("refutation", "odd_rows", 0), "odd_rows is wrong at line 0"),
    ("line-count", put("refutation", "odd_columns", [0]), "has an even number of presses"),
    ("line-count", put("refutation", "odd_rows", [0, 4]), "no line 4, only 0 to 3"),
    ("line-count", put("refutation", "odd_rows", [0, 0]), "names a line twice"),
    ("line-cut", drop("refutation", "rows", 0), "by the press set, not"),
    ("line-cut", drop("refutation", "columns", 0), "room is . by the press set"),
    ("line-cut", put("refutation", "need", 0), "need is . by the press set, not 0"),
    ("line-cut", put("refutation", "side", "columns"), "by the press set, not|no contradiction"),
    ("line-cut", put("refutation", "side", "left"), "side is 'left'"),
    ("line-parities", put("refutation", "side", "columns"), "an odd number of columns"),
    ("line-parities", put("refutation", "others", 1), "there are 2 columns"),
    ("line-parities", drop("refutation", "odd_lines", 0), "odd_lines is wrong at line 0"),
    ("line-flow", put("bound", "flow", 9), "the cut has the capacity ., not 9"),
    ("line-flow", drop("bound", "columns", 0), "the cut has the capacity"),
    ("line-flow", put("bound", "side", "left"), "side is 'left'"),
    ("line-flow", put("bound", "rows", [5]), "no line 5"),
    ("line-flow", put("command", "order"), "does not go with the claim C3"),
    ("switches solve odd", put("bound", FLOW), r"2\^4 press sets, not one"),
    ("one set", put("claim", "C2"), "press sets are not|is about one press set|not one"),
    ("one set", put("refutation", "bulbs", ["a"]), "the bulb a is not pressed"),
    ("one set", put("refutation", "kind", "no-last-press"), "can be the last of them"),
    ("one set", put("refutation", "press_counts", [0, 0, 1, 0, 3, 1]), "presses a bulb twice"),
    ("pieces", put("refutation", "bulbs", ["a", "b"]), "not closed: presses outside"),
    ("any", put("refutation", {"kind": "exhausted"}), "and there is a refutation"),
    ("unknown", put("claim", "C2"), "the verdict unknown does not go with the claim C2"),
    ("unknown", drop("presses", 0), "count is 4 and there are 3"),
    ("at most", put("at_most", 4), "at most 4 presses are not excluded"),
    ("at most", drop("at_most"), "the claim C3, and there is no number at_most"),
    ("at most", put("lower_bound", 5), "unique-press-set proves 4, not 5"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "change", "reason"), FALSE)
def test_false_results(name: str, change: Callable[[Json], None], reason: str) -> None:
    board, found = copy.deepcopy(cases()[name])
    change(found)
    with pytest.raises(CheckFailed, match=reason):
        verify(board, found)


SOLVED = [name for name in NAMES if name.startswith(("order", "line-flow", "switches", "any"))]


@pytest.mark.parametrize("name", SOLVED)
def test_spoilt_presses(name: str) -> None:
    """Each press changed, dropped or doubled, each pair swapped: accepted only when it plays."""
    board, found = cases()[name]
    presses = board.graph.bulbs(found["presses"]).tolist()  # type: ignore[arg-type]
    size, edges = board.graph.size, edges_of(board.graph)
    lit, goal = checking.number(board.lit.tolist()), checking.number(board.goal.tolist())
    spoilt = [presses[:k] + presses[k + 1 :] for k in range(len(presses))]
    spoilt += [[*presses, v] for v in range(size)] + [[v, *presses] for v in range(size)]
    spoilt += [
        [*presses[:k], v, *presses[k + 1 :]] for k in range(len(presses)) for v in range(size)
    ]
    for i in range(len(presses)):
        for j in range(i):
            swapped = presses.copy()
            swapped[i], swapped[j] = swapped[j], swapped[i]
            spoilt.append(swapped)
    rejected = 0
    for order in spoilt:
        fields: Json = {"presses": board.graph.labels(order), "count": len(order)}
        fields["optimal"] = len(order) == found["lower_bound"]
        once = found["command"] == "solve" or len(set(order)) == len(order)
        plays = brute.replays(size, edges, lit, goal, order, board.rule) and once
        try:
            verify(board, checking.loads(found | fields))
            accepted = True
        except CheckFailed:
            accepted = False
        assert accepted == plays
        rejected += not accepted
    assert rejected


@pytest.mark.parametrize("name", SOLVED)
@pytest.mark.parametrize("by", [1, 2])
def test_bound_too_high(name: str, by: int) -> None:
    """A bound above what the evidence proves, with the presses out of its way."""
    board, found = copy.deepcopy(cases()[name])
    fields = {"presses": None, "count": None, "optimal": False, "verdict": "unknown", "claim": None}
    found |= fields
    verify(board, found)
    found["lower_bound"] += by  # type: ignore[operator]
    with pytest.raises(CheckFailed, match=r"bound: .* proves|may need fewer"):
        verify(board, found)


def test_one_press_is_said_in_the_singular() -> None:
    board = Board.from_rows(["0"])
    content = json.loads(json.dumps(ponder.order(board).to_json()))
    said = [statement.text for statement in verify(board, content).statements]
    about = "1×1 cross, rule unlit, goal lit"
    assert said == [
        f"this is the board {about}, SHA-256 {board.sha256[:16]}…",
        f"1 press, each bulb at most once, leads to the goal ({about}, board {board.sha256[:8]}…)",
        f"no order of single presses has fewer than 1 press ({about}, board {board.sha256[:8]}…)",
    ]
    with pytest.raises(CheckFailed, match=r"count is 2 and there is 1 press$"):
        verify(board, {**content, "count": 2})
    few = Board.from_rows(["0000"], "plus", rule="any")
    refused = ponder.solve(few, at_most=1).to_json()
    text = verify(few, json.loads(json.dumps(refused))).statements[-1].text
    assert text.startswith("at most 1 press does not suffice (1×4 plus, rule any, goal lit, ")


def test_other_board() -> None:
    """Every result against every other board."""
    for name, (_, found) in cases().items():
        for other, (board, _) in cases().items():
            if cases()[name][0].sha256 != board.sha256:
                with pytest.raises(CheckFailed, match="another board"):
                    verify(board, found)
            elif name == other:
                verify(board, found)
    one = Board.from_rows(["01", "10"], "plus")
    two = Board.from_rows(["01", "10"], "plus", rule="any", goal="unlit")
    differ = "it is of rule 'any', goal 'unlit'; this board is of rule 'unlit', goal 'lit'$"
    with pytest.raises(CheckFailed, match=differ):
        verify(one, ponder.solve(two))


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("no order plus", "integer-model"),
        ("no order plus", "cp-sat"),
        ("line-count", "cp-sat"),
    ],
)
def test_a_solvers_word_is_no_evidence(name: str, kind: str) -> None:
    board, found = copy.deepcopy(cases()[name])
    put("refutation", "kind", kind)(found)
    with pytest.raises(CheckFailed, match=f"kind is '{kind}'; known: "):
        verify(board, found)


@pytest.mark.parametrize("reason", [None, "the proof is too long", "wrong"])
def test_checker_of_proofs(monkeypatch: pytest.MonkeyPatch, reason: str | None) -> None:
    """The checker of proofs has the say."""

    def check(self: FormulaProof, problem: object, budget: object) -> str | None:
        if reason == "wrong":
            raise CheckFailed("step 3 does not follow")
        return reason

    monkeypatch.setattr(FormulaProof, "check_problem", check)
    board, found = copy.deepcopy(cases()["no order plus"])
    sizes = dict.fromkeys(("variables", "clauses", "lemmas"), 0)
    words = {"format": "lrat", "encoding": "x", "options": [], "solver": "x", "cnf_sha256": ""}
    found["refutation"] |= {"kind": "sat-proof"} | sizes | words  # type: ignore[operator]
    if reason == "wrong":
        with pytest.raises(CheckFailed, match="step 3 does not follow"):
            verify(board, found)
    else:
        assert verify(board, found).statements[-1].unchecked == reason


def test_numbers_too_large_to_print() -> None:
    board, found = copy.deepcopy(cases()["any"])
    for key in ("count", "lower_bound", "claim", "presses", "schema"):
        with pytest.raises(CheckFailed, match="thousands of digits"):
            verify(board, found | {key: 10**5000})
    with pytest.raises(CheckFailed, match="not a whole number from 0 to"):
        verify(board, found | {"lower_bound": 10**30})


def test_evidence_beside_unknown() -> None:
    """Evidence is reported as not checked; a proof has no place there, nor has `solve`."""
    board, found = copy.deepcopy(cases()["no order plus"])
    found |= {"verdict": "unknown", "claim": None}
    with pytest.raises(CheckFailed, match="of what is unknown, is"):
        verify(board, found)
    found["refutation"] = {"kind": "randomised", "log2_error": -70}
    report = verify(board, found)
    assert report.statements[-1].unchecked == "it is offered as no proof"
    assert not report.unchecked_verdict
    assert not report.complete
    with pytest.raises(CheckFailed, match="unknown, and there is a refutation"):
        verify(board, found | {"command": "solve"})


def test_claim_upgraded() -> None:
    """C1 where other press sets have an order: true as C1, refused as C2 and as C4."""
    board = first(
        blank("plus", (2, 3)),
        lambda b: (
            not no_order(b) and any(checking.without_order(b, s) for s in checking.press_sets(b))
        ),
    )
    for s in checking.press_sets(board):
        for part in checking.without_order(board, s):
            verify(board, impossible(board, "C1", part))
            for claim, reason in (("C2", "are not refuted"), ("C4", "does not prove the claim C4")):
                with pytest.raises(CheckFailed, match=reason):
                    verify(board, impossible(board, claim, part))


def test_too_many_press_sets() -> None:
    """15×15 row/column: one refuted press set is no evidence; a list of them is not checked."""
    board = blank("cross", (15, 15))
    counts = np.zeros(225, dtype=int)
    counts[:2] = 1
    board = Board(board.graph, ~board.graph.apply(counts > 0), board.goal)
    part = checking.line_count(board, counts)
    verify(board, impossible(board, "C1", part))
    with pytest.raises(CheckFailed, match=r"the board has 2\^28 of them"):
        verify(board, impossible(board, "C2", part))
    report = verify(board, impossible(board, "C2", {"kind": "coset", "parts": [part]}))
    assert report.unchecked_verdict
    assert "too much work" in str(report.statements[-1])


# -------------------------------------------------------------------------------------- any input


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 6)
    | st.integers()
    | st.just(10**400)
    | st.floats()
    | st.sampled_from(["", "rows", "C2", "impossible", "0101", "odd-witness", "exhausted", "\n"])
    | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)


def places(value: object, way: tuple[object, ...] = ()) -> Iterator[tuple[object, ...]]:
    """The paths to all parts of a JSON value."""
    keys: list[object] = []
    if isinstance(value, dict):
        keys = list(value)
    elif isinstance(value, list):
        keys = list(range(len(value)))
    for key in keys:
        yield (*way, key)
        yield from places(value[key], (*way, key))  # type: ignore[index]


@cache
def fewest_presses(name: str) -> tuple[int | None, int | None]:
    """The fewest presses on the board of a case: each bulb at most once, and with repeats."""
    board = cases()[name][0]
    size, edges = board.graph.size, edges_of(board.graph)
    lit, goal = checking.number(board.lit.tolist()), checking.number(board.goal.tolist())
    once = brute.fewest_once(size, edges, lit, goal, board.rule)
    return once, brute.distances(size, edges, goal, board.rule).get(lit)


def true_as_far_as_checked(name: str, found: Json, report: Report) -> None:
    """What an accepted result claims, by brute force."""
    once, fewest = fewest_presses(name)
    if found["verdict"] == "impossible" and not report.unchecked_verdict:
        assert found["claim"] != "C2" or once is None
        assert found["claim"] != "C4" or fewest is None
    for statement in report.statements:
        if "has fewer than" in statement.text and statement.status == "checked":
            least = once if found["command"] == "order" else fewest
            bound = found["lower_bound"]
            assert isinstance(bound, int)
            assert least is None or least >= bound


@settings(max_examples=60)
@given(st.data())
def test_arbitrary_changes(data: st.DataObject) -> None:
    """Any field replaced, dropped, doubled or taken from elsewhere: a report, which then is true,
    or CheckFailed in one line; never another error."""
    name = data.draw(st.sampled_from(NAMES))
    board, original = cases()[name]
    found: object = copy.deepcopy(original)
    for _ in range(data.draw(st.integers(1, 3))):
        *way, key = data.draw(st.sampled_from(list(places(found))))
        at = found
        for word in way:
            at = at[word]  # type: ignore[index]
        kind = data.draw(st.sampled_from(["replace", "drop", "swap", "double", "number"]))
        if kind == "drop":
            del at[key]  # type: ignore[attr-defined]
        elif kind == "double" and isinstance(at, list):
            at.append(copy.deepcopy(at[key]))  # type: ignore[call-overload]
        elif kind == "swap" and isinstance(at, list):
            other = data.draw(st.integers(0, len(at) - 1))
            at[key], at[other] = at[other], at[key]  # type: ignore[call-overload]
        elif kind == "number" and isinstance(at[key], int):  # type: ignore[index]
            at[key] += data.draw(st.sampled_from([-1, 1]))  # type: ignore[index]
        else:
            at[key] = data.draw(JSON)  # type: ignore[index]
    try:
        report = verify(board, found)
    except CheckFailed as error:
        said = [str(error)]
    else:
        said = [str(s) for s in report.statements]
        assert isinstance(found, dict)
        true_as_far_as_checked(name, found, report)
    assert all(line and line.isprintable() for line in said)


@given(JSON)
def test_arbitrary_json(found: object) -> None:
    with pytest.raises(CheckFailed):
        verify(cases()["order cross"][0], found)
