"""What a result may say: only what the table has; exit code 0 says that all of it was checked."""

from __future__ import annotations

import copy
import itertools
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ponder
from ponder.check import result as results
from ponder.check import switches
from ponder.check.limits import MOST_WORK, Budget, TooLarge
from ponder.check.verification import verify
from ponder.cli import run
from ponder.model.board import Board
from ponder.model.formats import board_text
from ponder.model.graph import EdgeGraph, grid_graph
from ponder.system.errors import CheckFailed, PonderError, quoted
from ponder.system.types import Json
from tests import checking
from tests.checking import result
from tests.depth import deep
from tests.fuzz import results as fuzz
from tests.kinds import check_local

COUNT = Path(__file__).resolve().parents[2] / "instances" / "cross-6x6-no-order-count.txt"


def loads(found: ponder.Result) -> Json:
    return checking.loads(found.to_json())


def rejected(board: Board, found: Json, reason: str) -> None:
    with pytest.raises(CheckFailed, match=reason):
        verify(board, found)


def lit_but_one(rule: str = "any") -> Board:
    """One bulb, lit already: nothing is to be done, and under `any` two presses do nothing."""
    return Board(EdgeGraph(1, []), np.array([True]), np.array([True]), rule)  # type: ignore[arg-type]


# ------------------------------------------------------------------- an order is no sequence


def test_a_bound_on_orders_is_none_on_sequences() -> None:
    """No order at all, and yet 19 presses do: a refutation must not become a bound for them."""
    board = ponder.read(COUNT)
    true = loads(ponder.order(board))
    assert loads(ponder.solve(board))["count"] == 19
    forged = true | {"claim": "C3", "refutation": None, "lower_bound": 10**18}
    forged |= {"at_most": 10**18 - 1, "bound": {"kind": "coset", "parts": [true["refutation"]]}}
    rejected(board, forged, "`order`: the verdict impossible does not go with the claim C3")
    rejected(board, forged | {"command": "solve"}, "1 press sets may need fewer than 10")
    unknown = forged | {"verdict": "unknown", "claim": None, "at_most": None}
    rejected(board, unknown, "lower_bound is 10*, and an order has at most 36 presses")


@pytest.mark.parametrize("evidence", ["coset", "switches"])
def test_an_order_is_not_called_a_shortest_sequence(evidence: str) -> None:
    """A 5×2 row/column board where an order needs 8 presses and a sequence 4."""
    board = Board.from_rows(["11", "10", "11", "10", "11"])
    case = fuzz.Case(board)
    assert (case.once, case.fewest) == (8, 4)
    true = loads(ponder.order(board))
    assert (true["count"], true["optimal"]) == (8, True)
    if evidence == "switches":
        bound: Json = {"kind": "switches", "side": "rows", "raised": []}
    else:
        lighter = [s for s in case.press_sets if s.sum() < 8]
        parts = [part for s in lighter for part in checking.without_order(board, s)]
        bound = {"kind": "coset", "parts": parts}
    assert verify(board, true | {"bound": bound}).complete
    forged = true | {"claim": "C3", "bound": bound}
    rejected(board, forged, "`order`: the verdict solved does not go with the claim C3")
    rejected(board, forged | {"command": "solve"}, "proves 4, not 8|may need fewer than 8")


def test_whatever_is_not_in_the_table_is_rejected() -> None:
    """All commands, verdicts and claims; and each row with each of its fields out of place."""
    board = ponder.read(COUNT)
    words = itertools.product(
        ["order", "solve"], ["solved", "impossible", "unknown"], [None, "C1", "C2", "C3", "C4"]
    )
    for command, verdict, claim in words:
        fields = {"command": command, "verdict": verdict, "claim": claim}
        row = results.TABLE.get((command, verdict, claim))
        if row is None:
            rejected(board, result(board) | fields, "does not go with the claim")
            continue
        filled: Json = {"presses": [], "lower_bound": 0, "at_most": 0, "refutation": {}}
        for key, value in filled.items():
            need = getattr(row, key)
            if need == "maybe":
                continue
            right = {k: v for k, v in filled.items() if getattr(row, k) == "yes"}
            wrong = right | {key: None if need == "yes" else value}
            with pytest.raises(CheckFailed, match=r"and there (is|are) (no |a |presses)"):
                results.row_of(command, verdict, claim, wrong)
            assert results.row_of(command, verdict, claim, right) is row


@pytest.mark.parametrize("kind", ["coset", "switches", "line-flow", "odd-components"])
def test_no_bound_by_orders_where_the_rule_allows_all(kind: str) -> None:
    board = lit_but_one()
    found = result(board, "solve", presses=[], lower_bound=0, bound={"kind": kind})
    rejected(board, found, f"{kind} is about an order")


def test_press_counts_of_a_refutation_are_a_press_set() -> None:
    """Three presses of one bulb have no order; that says nothing about one press of it."""
    board = Board(EdgeGraph(1, []), np.array([False]), np.array([True]))
    thrice: Json = {"kind": "odd-component", "bulbs": [0], "press_counts": [3]}
    check_local(board, np.array([3]), thrice)  # true as far as it goes
    forged = result(board, verdict="impossible", claim="C1", refutation=thrice)
    rejected(board, forged, "presses a bulb twice: it is not a press set")


# ------------------------------------------------------------------------ exit code 0 or 3


def exit_codes(
    board: Board, found: Json, folder: Path, capsys: pytest.CaptureFixture[str], *more: str
) -> int:
    """The exit code of `ponder verify`, in text and JSON alike; what JSON says goes with it."""
    (folder / "board").write_text(board_text(board))
    (folder / "result").write_text(json.dumps(found))
    words = ["verify", str(folder / "board"), str(folder / "result"), *more]
    code = run(words)
    capsys.readouterr()
    assert run([*words, "--json"]) == code
    said = json.loads(capsys.readouterr().out)
    unchecked = [s for s in said["statements"] if s["status"] != "checked"]
    assert said["holds"] == (code == 0)
    assert (said["failure"] is not None) == (code == 1)
    assert code == 1 or bool(unchecked) == (code == 3)
    assert ('"open"' in json.dumps(said)) == bool(unchecked)
    return code


@pytest.mark.parametrize(
    "bound",
    [
        None,
        {"kind": "integer-model"},  # a solver's word, as versions before 0.3 gave it
        {"kind": "decomposition", "cuts": [], "proofs": []},
    ],
)
def test_optimal_without_proof_is_not_checked(
    bound: Json | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One bulb, lit already, pressed twice: "the fewest presses"."""
    board = lit_but_one()
    found = result(board, "solve", claim="C3", presses=[0, 0], lower_bound=2, bound=bound)
    code = 1 if bound else 3
    assert exit_codes(board, found, tmp_path, capsys) == code
    unknown = found | {"verdict": "unknown", "claim": None, "presses": None, "count": None}
    assert exit_codes(board, unknown | {"optimal": False}, tmp_path, capsys) == code
    none = {"lower_bound": 0, "bound": None, "optimal": False}
    assert exit_codes(board, found | none, tmp_path, capsys) == 0
    board = lit_but_one("lit")
    found = result(board, "solve", claim="C3", presses=[0] * 2, lower_bound=2, bound=bound)
    assert exit_codes(board, found, tmp_path, capsys) == 1  # the second press is not legal


def test_true_results_are_complete(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = ponder.read(COUNT)
    for found in (ponder.order(board), ponder.solve(board), ponder.solve(board, at_most=18)):
        assert exit_codes(board, loads(found), tmp_path, capsys) == 0


@pytest.mark.parametrize("count", deep(20, 60))
def test_true_results_pass(count: int) -> None:
    """Whatever the solver says about small boards is accepted, and most of it is checked."""
    rng = random.Random(3)
    complete, seen = 0, set()
    for _ in range(count):
        case = fuzz.Case(fuzz.a_board(rng))
        for found in fuzz.true_results(rng, case):
            report = verify(case.board, found)
            assert fuzz.falsehood(case, found, report) is None
            complete += report.complete
            seen.add((found["command"], found["verdict"], found["claim"]))
    assert complete > 4 * count
    assert seen >= set(results.TABLE) - {("solve", "solved", None)}


# -------------------------------------------------------------------------- numbers and types


def two() -> tuple[Board, Json]:
    """A 2×2 board and its shortest sequence."""
    board = Board.from_rows(["10", "01"], pattern="plus")
    return board, loads(ponder.solve(board, at_most=10))


@pytest.mark.parametrize(
    ("at_most", "reason"),
    [
        (1, "the verdict is solved, at_most is 1"),
        (-1, "less than no presses"),
        (2.0, "at_most is 2.0, not a whole number"),
        (10.0, "not a whole number"),
        (True, "not a whole number"),
        ("10", "not a whole number"),
        ([10], "not a whole number"),
    ],
)
def test_at_most(at_most: object, reason: str) -> None:
    board, found = two()
    assert verify(board, found).complete
    assert verify(board, found | {"at_most": 10**5000}).complete
    assert found["count"] == 2
    rejected(board, found | {"at_most": at_most}, reason)


def test_unknown_must_not_hide_an_answer() -> None:
    board, found = two()
    for change in ({"at_most": 10}, {"at_most": 1}):
        rejected(board, found | change | {"verdict": "unknown", "claim": None}, "though at_most")


@pytest.mark.parametrize(
    "label", [[0, False], [False, 0], [0.0, 0], ["0", 0], [0], [0, 0, 0], 0, None, [0, 10**30]]
)
def test_labels_of_cells(label: object) -> None:
    board = Board.from_rows(["00", "00"], pattern="king")
    found = result(board, "solve", presses=[0])
    assert verify(board, found).complete
    rejected(board, found | {"presses": [label]}, "presses: there is no bulb")
    witness = {"kind": "odd-witness", "bulbs": [label, [0, 1]]}
    forged = result(board, "solve", verdict="impossible", claim="C4", refutation=witness)
    rejected(board, forged, "odd-witness: bulbs: there is no bulb")


@pytest.mark.parametrize("label", [True, 1.0, [1], None, "1", -1, 10**30])
def test_labels_of_nodes(label: object) -> None:
    board = Board(EdgeGraph(2, []), np.array([True, False]), np.array([True, True]))
    found = result(board, "solve", presses=[1])
    assert verify(board, found).complete
    rejected(board, found | {"presses": [label]}, "presses: there is no bulb")


@pytest.mark.parametrize("value", [4.0, True, "4", None, 10**5000], ids=quoted)
def test_the_number_of_bulbs(value: object) -> None:
    board, found = two()
    rejected(board, found | {"board": found["board"] | {"bulbs": value}}, "board: bulbs is")  # type: ignore[operator]
    one = result(lit_but_one(), "solve", presses=[])
    assert verify(lit_but_one(), one).complete
    rejected(lit_but_one(), one | {"board": one["board"] | {"bulbs": True}}, "bulbs is True")  # type: ignore[operator]


@pytest.mark.parametrize("boards", deep(10, 50))
def test_numbers_of_any_size_anywhere(boards: int) -> None:
    """Every number of every kind of evidence, blown up: refused, never an overflow."""
    rng = random.Random(5)
    tried = 0
    for _ in range(boards):
        case = fuzz.Case(fuzz.a_board(rng))
        for found in fuzz.true_results(rng, case):
            for key, make in (("bound", fuzz.bound_at_random), ("refutation", fuzz.part_at_random)):
                more = found if found[key] is None else found | {key: make(rng, case)}
                ways = list(fuzz.paths(more))  # many, where a coset has many parts
                for *way, last in rng.sample(ways, min(len(ways), 200)):
                    spoilt = copy.deepcopy(more)
                    at = fuzz.inside(spoilt, way)
                    if type(at[last]) is int:
                        at[last] = rng.choice(fuzz.ODD_NUMBERS)
                        tried += 1
                        assert fuzz.trouble(case, spoilt) is None
    assert tried > 40 * boards


# ----------------------------------------------------------------------------------- limits


def test_work_that_a_result_asks_for_is_limited() -> None:
    """Many parts, each cheap enough by itself."""
    budget = Budget()
    board = Board(grid_graph("king", (5, 5)), np.zeros(25, dtype=bool), np.ones(25, dtype=bool))
    counts = np.ones(25, dtype=np.int64)
    few: Json = {"kind": "exhausted", "bulbs": board.graph.labels(range(25))}
    with pytest.raises(TooLarge, match="subsets of 25 presses are more than 16,777,216"):
        check_local(board, counts, few, budget)
    counts[24] = 0
    few["bulbs"] = board.graph.labels(range(24))
    budget.left = 24 << 24
    with pytest.raises(TooLarge, match=r"too much work \(about .* s\): going through all orders"):
        check_local(board, counts, few, budget)
    with pytest.raises(TooLarge, match="too many subsets"):
        check_local(board, counts * 2, few, Budget(10**6))


def test_a_limit_raises_what_may_be_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A true result beyond the limits is not checked, and the command says how to check it."""
    board = ponder.read(COUNT)
    true = loads(ponder.order(board, method="sat"))
    monkeypatch.setattr("ponder.check.proofs.MOST_LITERALS", 300)
    assert exit_codes(board, true, tmp_path, capsys) == 3
    words = ["verify", str(tmp_path / "board"), str(tmp_path / "result")]
    assert run(words) == 3
    said = capsys.readouterr()
    assert "literals in the formula, by estimate, are more than 300" in said.out
    assert "--limit" not in said.out
    assert said.err == "ponder: a higher --limit lets a result ask for more time and memory\n"
    assert exit_codes(board, true, tmp_path, capsys, "--limit", "100") == 0
    for wrong in ("0", "-1", "x", "1e9", str(10**30)):
        assert run([*words, "--limit", wrong]) == 2
    assert Budget(3).left == 3 * MOST_WORK
    with pytest.raises(PonderError, match="limit: 0 is less than 1"):
        verify(board, true, limit=0)


# ----------------------------------------------------------------------------------- the fuzzer


@pytest.mark.parametrize("seeds", deep(5, 50))
def test_the_fuzzer_finds_nothing(seeds: int) -> None:
    assert sum(fuzz.attempt(random.Random(seed)) for seed in range(seeds)) > seeds * fuzz.BATCH


def weak_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ponder.check.verification.check_bound", lambda *_: None)


def weak_table(monkeypatch: pytest.MonkeyPatch) -> None:
    row = results.Row("yes", "yes", "maybe")
    monkeypatch.setattr(results, "TABLE", {**results.TABLE, ("order", "solved", "C3"): row})


def weak_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ponder.check.fields._are_pairs", lambda labels: True)


def weak_cover(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ponder.check.coset.Coset.covered", lambda c, *_: np.ones(c.size) > 0)


def weak_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ponder.check.local_refutations.hanging_pieces", lambda *_: iter(()))


def weak_proofs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ponder.check.evidence.decomposition.check_lrat", lambda *_, budget: 1)


def weak_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    """Weighted cuts are taken for two more than they prove."""
    weighted = switches.weighted

    def more(*given: Any) -> int:
        return int(weighted(*given)) + 2 * int(given[3])

    monkeypatch.setattr("ponder.check.evidence.switches.weighted", more)


@pytest.mark.parametrize(
    ("weak", "start"),
    [
        (weak_bound, 5000),
        (weak_table, 5026),
        (weak_labels, 5172),
        (weak_cover, 5000),
        (weak_pieces, 5034),
        (weak_proofs, 5125),
        (weak_weights, 5034),
    ],
)
def test_the_fuzzer_bites(
    weak: Callable[[pytest.MonkeyPatch], None], start: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A checker with a hole is found out, and the forged result is printed.

    By one seed in some hundred at most; `start` is a little before the first that finds it.
    """
    weak(monkeypatch)
    with pytest.raises(AssertionError, match=r"accepted, and false: ") as caught:
        sum(fuzz.attempt(random.Random(seed)) for seed in range(start, start + 200))
    _, board, found = str(caught.value).split("\n\n")
    assert json.loads(found)["schema"] == "ponder.result/1"
    assert ponder.parse_board(board.encode()).sha256 == json.loads(found)["board"]["sha256"]
