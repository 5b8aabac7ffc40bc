"""Work that a stranger asks for is counted before it is done: judged by what is counted and asked.

Nothing here looks at a clock. What would be too much is replaced by what fails when it is called,
or counts how often it is.
"""

from __future__ import annotations

import base64
import copy
import gzip
import json
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest

from ponder.check import limits
from ponder.check.fields import unpacked
from ponder.check.limits import Budget, TooLarge
from ponder.check.linear import press_sets
from ponder.check.lrat import check_lrat
from ponder.check.most_moves import verify_most_moves
from ponder.check.neighbourhoods import beside, ordering_problem
from ponder.check.proofs import FormulaProof
from ponder.check.replay import replay, spend_replay
from ponder.check.verification import check_bound, verify_within
from ponder.check.written import Reading, press_counts_json
from ponder.cli import run
from ponder.model.board import Board
from ponder.model.formats import board_text
from ponder.model.graph import CrossGraph, EdgeGraph, grid_graph, line_parities
from ponder.model.ordering_problem import OrderingProblem
from ponder.model.wired_graph import WiringGraph
from ponder.system.errors import CheckFailed
from ponder.system.types import Ints, Json
from tests import checking, true_results
from tests.boards import instance, solved_by
from tests.evidence import FORMS, MOST_MOVES, Evidence, genuine
from tests.kinds import check_refutation

SQUARE = [[1, 2], [1, -2], [-1, 2], [-1, -2]]


def left(nanoseconds: int) -> Budget:
    """A budget of which so much is left."""
    budget = Budget()
    budget.left = nanoseconds
    return budget


def half_pressed(pattern: str, shape: tuple[int, int]) -> Board:
    graph = grid_graph(pattern, shape)
    return solved_by(graph, np.random.default_rng(0).random(graph.size) < 0.5)


class Counting(Budget):
    """Counts steps and bytes; gives up beyond `most` steps."""

    def __init__(self, most: int = 1 << 62) -> None:
        super().__init__()
        self.most, self.steps, self.held = most, 0, 0

    def work(self, steps: int) -> None:
        self.steps += steps
        if self.steps > self.most:
            raise TooLarge("enough")

    def hold(self, size: int, what: str = "") -> None:
        self.held = max(self.held, size)


@pytest.mark.parametrize("evidence", FORMS, indirect=True)
def test_every_check_draws_from_the_budget(evidence: Evidence) -> None:
    """With nothing left nothing is checked, whatever the kind; and nothing is called false."""
    if evidence.kind in MOST_MOVES:
        with pytest.raises(TooLarge, match=r"too much work \(about [0-9]+ s\): "):
            verify_most_moves(evidence.board, evidence.content, left(0))
        return
    about_board, *others = verify_within(evidence.board, evidence.content, left(0)).statements
    assert about_board.unchecked is None
    for statement in others:
        assert statement.unchecked is not None, statement
        if evidence.kind != "randomised":
            assert "not checked: too much work (about 275 s)" in str(statement)
            assert statement.raisable


def test_the_command_says_so_and_a_limit_raises_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    board, content = true_results.cases()["line-cut"]
    (tmp_path / "board").write_text(board_text(board))
    (tmp_path / "a.json").write_text(json.dumps(content))
    words = ["verify", str(tmp_path / "board"), str(tmp_path / "a.json")]
    assert run(words) == 0
    capsys.readouterr()
    monkeypatch.setattr(limits, "MOST_WORK", 100_000)
    assert run(words) == 3
    out, err = capsys.readouterr()
    assert "not checked: too much work (about 1 s)" in out
    assert "a higher --limit" in err
    assert run([*words, "--limit", "1000"]) == 0


# ------------------------------------------------------------------------------------- proofs


def rat_lemmas(count: int) -> str:
    """¬p∨¬q so many times, then p∨q as often, each RAT on p: a square of partners."""
    lemmas = ["-3 -4 0 0"] * count + ["3 4 0 0"] * count
    lines = [f"{5 + k} {lemma}" for k, lemma in enumerate(lemmas)]
    end = 5 + 2 * count
    return "\n".join([*lines, f"{end} 1 0 1 2 0", f"{end + 1} 0 {end} 3 4 0"])


def test_rat_lemmas_are_counted_by_their_partners() -> None:
    whole = Counting()
    assert check_lrat(SQUARE, rat_lemmas(100), budget=whole) == 202
    assert whole.steps > 100 * 100
    twice = Counting()
    check_lrat(SQUARE, rat_lemmas(200), budget=twice)
    assert 3 < twice.steps / whole.steps < 5
    enough = Counting(1000)
    with pytest.raises(TooLarge):
        check_lrat(SQUARE, rat_lemmas(100), budget=enough)
    assert enough.steps < 1100


def test_a_proof_that_keeps_all_its_lemmas_is_counted_in_bytes() -> None:
    kept, deleted = Counting(), Counting()
    lemmas = [f"{5 + k} {5 + k} 0 0" for k in range(1000)]
    end = ["2000 1 0 1 2 0", "2001 0 2000 3 4 0"]
    check_lrat(SQUARE, "\n".join([*lemmas, *end]), budget=kept)
    assert kept.held > 1000 * 150
    short = [line for k, lemma in enumerate(lemmas) for line in (lemma, f"{5 + k} d {5 + k} 0")]
    check_lrat(SQUARE, "\n".join([*short, *end]), budget=deleted)
    assert deleted.held < 2000


def test_hints_that_name_a_long_clause_again_and_again_are_counted() -> None:
    long = " ".join(str(x) for x in range(3, 1003))
    proof = f"5 {long} 0 0\n6 {' '.join(str(x) for x in range(3, 1002))} 0 {'5 ' * 1000}0\n"
    counted = Counting(100_000)
    with pytest.raises(TooLarge):
        check_lrat(SQUARE, proof, budget=counted)
    assert counted.steps < 110_000


def test_no_more_is_unpacked_than_there_is_room_for() -> None:
    bomb = base64.b64encode(zlib.compress(b" " * 1_000_000)).decode()
    assert len(bomb) < 2000
    with pytest.raises(TooLarge, match="too much work"):
        unpacked(bomb, left(1000), 10**9)
    assert len(unpacked(bomb, Budget(), 10**9)) == 1_000_000


def test_a_line_is_counted_before_it_is_cut_into_words() -> None:
    """A line of nothing but numbers, two hundred megabytes long, fits a small file."""

    class Line(bytes):
        def split(self, *_: Any) -> NoReturn:
            raise AssertionError("the work is begun")

    held = Counting()
    held.hold = lambda size, what="": held.work(size)  # type: ignore[method-assign]
    held.most = 10_000
    with pytest.raises(TooLarge):
        check_lrat(SQUARE, [Line(b"11 " * 1000)], budget=held)


def test_the_words_of_a_small_file_ask_for_little(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the board alone calls for is of the whole budget; a longer file may ask for more."""
    whole = Budget()
    whole.given = 1000
    words = whole.for_words()
    assert words.of_board is whole
    with pytest.raises(TooLarge, match=r"too much work \(about 20 s\)"):
        words.spend(20 * 10**9, "a proof")
    words.of_board.spend(20 * 10**9, "all press sets")
    words.spend(10**9, "a proof")
    assert limits.MOST_WORK - whole.left == 21 * 10**9
    whole.given = 10**7
    whole.for_words().spend(20 * 10**9, "a long proof")

    evidence = next(one for one in genuine() if one.kind == "decomposition")
    (tmp_path / "board").write_text(board_text(evidence.board))
    (tmp_path / "a.json").write_text(json.dumps(evidence.content))
    command = ["verify", str(tmp_path / "board"), str(tmp_path / "a.json")]
    assert run(command) == 0
    monkeypatch.setattr(limits, "MOST_ASKED", 10**5)
    monkeypatch.setattr(limits, "_NS_GIVEN", 0)
    assert run(command) == 3
    assert "not checked: too much work" in capsys.readouterr().out
    assert run([*command, "--limit", "10000"]) == 0


def test_files_of_proofs_are_held_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that is named a thousand times is not read a thousand times."""
    board, content = true_results.cases()["line-count"]
    read: list[str] = []

    def read_bytes(file: str, most: int | None = None) -> tuple[bytes, str]:
        read.append(file)
        return Path(file).read_bytes(), file

    monkeypatch.setattr("ponder.cli.verify.read_bytes", read_bytes)
    monkeypatch.setattr(limits, "MOST_HELD", 5000)
    (tmp_path / "board").write_text(board_text(board))
    (tmp_path / "p.lrat").write_text("c" * 1000)
    entries = [{"format": "lrat", "proof_file": "p.lrat"}] * 1000
    (tmp_path / "a.json").write_text(json.dumps(content | {"proofs": entries}))
    read.clear()
    assert run(["verify", str(tmp_path / "board"), str(tmp_path / "a.json")]) == 3
    assert "not checked: too much memory" in capsys.readouterr().out
    assert len([file for file in read if file.endswith("lrat")]) == 6


@pytest.mark.parametrize("packed", [False, True])
def test_of_a_long_result_only_presses_are_read(
    packed: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    board, content = true_results.cases()["line-cut"]
    text = json.dumps(content | {"statistics": {"more": [0] * 33_000}}).encode()
    result = tmp_path / f"a.json{'.gz' if packed else ''}"
    result.write_bytes(gzip.compress(text) if packed else text)
    (tmp_path / "board").write_text(board_text(board))
    monkeypatch.setattr("ponder.model.files._PIECE", 1000)
    monkeypatch.setattr("ponder.cli.verify.MOST_RESULT", 10_000)
    words = ["verify", str(tmp_path / "board"), str(result)]
    assert run(words) == 3
    out, err = capsys.readouterr()
    assert f"not checked: {len(text):,} bytes of a result are more than 10,000" in out
    assert "a higher --limit" in err
    assert run([*words, "--limit", "20"]) == 0


# ------------------------------------------------------------------- arrays, lists and loops


def never(*_: object, **__: object) -> NoReturn:
    raise AssertionError("the work is begun")


def test_a_cut_of_the_relaxation_looks_at_no_edge() -> None:
    """One cut of thousands must not go through a dense graph."""
    graph = EdgeGraph(50, [(u, v) for v in range(50) for u in range(v)])
    del graph.edges
    assert beside(graph, 7, np.array([0, 7, 49])).all()


def test_settings_without_cuts_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    board = half_pressed("cross", (9, 9))
    monkeypatch.setattr("ponder.check.evidence.switches.weighted", never)
    raised = [{"odd_lines": [], "divisor": 1, "cuts": []}] * 1000
    with pytest.raises(TooLarge, match=r"too much work .* (1000 settings|switches: raised)"):
        check_bound(board, "solve", 9, {**SWITCHES, "raised": raised}, left(20_000_000))


SWITCHES: Json = {"kind": "switches", "side": "rows"}


def test_neighbours_are_counted_before_they_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CrossGraph, "neighbours", never)
    for shape, reason in (((250, 250), "too much work"), ((600, 600), "too much memory")):
        board = half_pressed("cross", shape)
        with pytest.raises(TooLarge, match=f"{reason} .*the neighbours of all bulbs"):
            check_bound(board, "solve", 9, {"kind": "odd-components", "parts": []}, left(2 * 10**9))


def test_press_sets_are_counted_as_they_are_found() -> None:
    board = half_pressed("plus", (100, 100))
    whole = Budget()
    press_sets(board, whole)
    spent = limits.MOST_WORK - whole.left
    for share in (0, spent // 10, spent // 2, spent - 1):
        with pytest.raises(TooLarge, match=r"too much work .*: the press sets"):
            press_sets(board, left(share))


def test_press_sets_that_are_listed_again_and_again_are_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ponder.check.evidence.coset_minimum.reaches_goal", never)
    board = solved_by(grid_graph("plus", (3, 3)), np.arange(9) == 4)
    listed: Json = {"kind": "coset-minimum", "listed": [[[1, 1]]] * 10_000}
    with pytest.raises(TooLarge, match="listed"):
        check_bound(board, "solve", 1, listed, left(10_000_000))


def test_blocks_of_nothing_are_counted() -> None:
    board = half_pressed("cross", (6, 6))
    empty = {"rows": [], "columns": [], "least": 0}
    bound: Json = {"kind": "switching-blocks", "blocks": [empty] * 1000}
    with pytest.raises(TooLarge, match="1000 blocks"):
        check_bound(board, "solve", 1, bound, left(20_000_000))


def test_a_press_of_a_hub_costs_its_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the neighbours of thousands of such presses are never held together."""
    star = EdgeGraph(5_001, [(0, v) for v in range(1, 5_001)])
    dark = np.zeros(star.size, dtype=np.bool_)
    board = Board(star, dark, dark, "any")
    presses = np.zeros(2000, dtype=np.int64)
    budget = Budget()
    spend_replay(board, presses, budget)
    assert limits.MOST_WORK - budget.left > 2000 * 5_000 * 10
    with pytest.raises(TooLarge, match="playing the presses"):
        spend_replay(board, presses, left(10**7))
    asked: list[int] = []
    neighbourhoods = EdgeGraph.neighbourhoods

    def counted(graph: EdgeGraph, bulbs: Ints) -> tuple[Ints, Ints]:
        members, owner = neighbourhoods(graph, bulbs)
        asked.append(members.size)
        return members, owner

    monkeypatch.setattr(EdgeGraph, "neighbourhoods", counted)
    replay(board, presses)
    assert sum(asked) == 2000 * 5_001
    assert max(asked) <= (1 << 19) + 5_001


def test_helpers_are_counted_before_they_are_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    """One helper that touches thousands of odd components has millions of branches."""
    size = 3000
    star = EdgeGraph(size + 1, [(0, v) for v in range(1, size + 1)])
    lit = np.zeros(size + 1, dtype=np.bool_)
    goal = lit.copy()
    goal[0] = True
    board = solved_by(star, np.arange(size + 1) > 0, goal)
    monkeypatch.setattr("ponder.check.odd_components.replace", never)
    with pytest.raises(TooLarge, match="branches of saving trees are more than"):
        check_bound(board, "solve", 10**6, {"kind": "odd-components", "parts": []})


def test_a_proof_that_names_a_cut_again_and_again_is_counted() -> None:
    """Walking around the block of a cut is paid for each time."""
    evidence = next(one for one in genuine() if one.kind == "decomposition")
    bound: Any = copy.deepcopy(evidence.content["bound"])
    lower_bound: Any = evidence.content["lower_bound"]

    def spent(times: int) -> int:
        forged = copy.deepcopy(bound)
        for proof in forged["proofs"]:
            proof["cuts"] = proof["cuts"] * times
        budget = Budget()
        with pytest.raises(CheckFailed):  # clauses are counted in proofs
            check_bound(evidence.board, "solve", lower_bound, forged, budget)
        return limits.MOST_WORK - budget.left

    assert spent(2000) > 10 * spent(2)


# -------------------------------------------------------------------- entries, parts, and files


def refused_with_proofs(board: Board, entries: int) -> Json:
    """A refutation by counting, with so many entries under `proofs`, each of which is false."""
    chosen = press_sets(board, Budget()).one
    assert isinstance(board.graph, CrossGraph)
    odd = [np.flatnonzero(lines).tolist() for lines in line_parities(board.graph.to_grid(chosen))]
    refutation: Json = {"kind": "line-count", "odd_rows": odd[0], "odd_columns": odd[1]}
    refutation["press_counts"] = press_counts_json(board, chosen)
    entry: Json = {"format": "lrat", "encoding": "half_factor", "options": []}
    entry |= {"variables": 1, "clauses": 1, "lemmas": 1, "cnf_sha256": "0" * 64, "proof": ""}
    content = checking.impossible(board, "C2", refutation)
    return content | {"proofs": [entry] * entries}


def test_one_problem_serves_all_proofs_and_none_is_begun_without_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    board = instance("cross-6x6-no-order-count")
    made = 0
    problem_of = OrderingProblem.of_board

    def counted(*given: Any) -> OrderingProblem:
        nonlocal made
        made += 1
        return problem_of(*given)

    monkeypatch.setattr(OrderingProblem, "of_board", counted)
    content = refused_with_proofs(board, 100)
    with pytest.raises(CheckFailed, match="variables stated"):
        verify_within(board, content, Budget())
    assert made == 1
    budget = Budget()
    budget.left = 2_000_000  # enough for the refutation, and not for a formula
    said = [s.said for s in verify_within(board, content, budget).statements]
    assert made == 2
    assert len([text for text in said if "has no model" in text]) == 1
    assert said[-1].startswith("99 other proofs of the same")
    assert "not checked: too much work" in said[-1]


def test_parts_on_a_wiring_are_paid_for_before_they_are_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Who hears whom is counted by the wires, before any pair is listed."""
    size = 300  # buttons, each of which sits at a light that all of them toggle
    graph = WiringGraph(1, [[0]] * size, [0] * size)
    state = np.zeros(1, dtype=np.bool_)
    board = Board(graph, state, state if size % 2 == 0 else ~state)
    listed = 0
    hears = WiringGraph.hears

    def counted(self: WiringGraph, chosen: Ints) -> list[list[int]]:
        nonlocal listed
        listed += 1
        return hears(self, chosen)

    monkeypatch.setattr(WiringGraph, "hears", counted)
    counts = np.ones(size, dtype=np.int64)
    refutation: Json = {"kind": "no-first-press", "bulbs": list(range(size))}
    refutation["press_counts"] = counts.tolist()
    budget = Budget()
    for _ in range(3):
        before = budget.left
        with suppress(CheckFailed):
            check_refutation(board, refutation, budget)
        assert before - budget.left > 1000 * size**2
    assert listed == 3
    with pytest.raises(TooLarge, match="the ordering problem of some presses"):
        check_refutation(board, refutation, left(1000 * size**2))
    assert listed == 3


def test_an_entry_about_a_large_board_costs_what_the_board_costs() -> None:
    """However short it is: 90 bytes ask for a look at all bulbs."""
    board = half_pressed("cross", (100, 100))
    entry = refused_with_proofs(board, 1)["proofs"][0]  # type: ignore[index]
    budget = Budget()
    with suppress(CheckFailed, TooLarge):
        problem = ordering_problem(board, np.ones(10_000, dtype=np.int64), budget)
        proof = FormulaProof.read(Reading(board, budget), entry, "a proof")
        proof.check_problem(problem, budget)
    assert Budget().left - budget.left > 4 * 3 * 10_000
