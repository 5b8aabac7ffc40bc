"""Numbers that a stranger chose: every one in every kind of evidence, forged.

The evidence is walked through (`tests.evidence`), so that a new field is forged without being named
here.
"""

from __future__ import annotations

import ast
import copy
import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ponder.check.evidence import spectral
from ponder.check.limits import TooLarge
from ponder.check.most_moves import verify_most_moves
from ponder.check.verification import check_bound
from ponder.cli import run
from ponder.model.board import Board
from ponder.model.formats import board_text
from ponder.model.graph import EdgeGraph, grid_graph
from ponder.system.errors import CheckFailed
from ponder.system.types import Json
from tests import checking, true_results
from tests.boards import cross_pressed
from tests.evidence import FORMS, MOST_MOVES, Evidence, genuine
from tests.fuzz.results import inside, paths
from tests.kinds import BOUNDS, REFUTATIONS

WRONG_TYPES = (True, 1.0, 1e3, "1")
FORGED = (0, -1, 2**15, 2**31, 2**53, 2**62, 2**63, 10**30, *WRONG_TYPES, None)


def numeric(content: Json) -> Iterator[list[object]]:
    """The ways to all numbers of a result."""
    for way in paths(content):
        *above, key = way
        if type(inside(content, above)[key]) is int:
            yield list(way)


def put(content: Json, way: list[object], value: object) -> Json:
    """The result with another value there; what lies beside the way is shared, not copied."""
    forged = copy.copy(content)
    inner: Any = forged
    *above, last = way
    for key in above:
        inner[key] = copy.copy(inner[key])
        inner = inner[key]
    inner[last] = value
    return forged


def test_every_kind_is_walked_through() -> None:
    import_module("ortools")  # it makes the weighted cuts and the sign trees
    kinds = {evidence.kind for evidence in genuine()}
    of_orders_and_sequences = {kind for kinds in BOUNDS.values() for kind in kinds}
    assert kinds >= {*of_orders_and_sequences, *REFUTATIONS, *MOST_MOVES}


@pytest.mark.parametrize("evidence", FORMS, indirect=True)
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


# --------------------------------------------------------------- what was believed, or fell over


def test_weights_that_a_float_rounds() -> None:
    """A star that one press lights: cuts of 2^55 and a little, which differ by that little."""
    star = EdgeGraph(4, [(0, 1), (0, 2), (0, 3)])
    dark = np.zeros(4, dtype=np.bool_)
    board = Board(star, dark, ~dark, "any")
    cuts = [
        {"bulb": v, "without": without, "weight": 36028797018963972 - len(without) // 2}
        for v in (1, 2, 3)
        for without in ([], [0, v])
    ]
    bound: Json = {"kind": "linear-relaxation", "divisor": 1, "cuts": cuts}
    with pytest.raises(CheckFailed, match="linear-relaxation proves 1, not 3"):
        check_bound(board, "solve", 3, bound)
    check_bound(board, "solve", 1, bound)


@pytest.mark.parametrize("height", [17179869200, 2**34, 17])
@pytest.mark.parametrize("weight", [536870912, 2**62])
def test_sign_trees_whose_sums_wrap(height: int, weight: int) -> None:
    """No 4×4 board needs more than 3 presses, they said; 7 it is."""
    dark = np.zeros(16, dtype=np.bool_)
    board = Board(grid_graph("plus", (4, 4)), dark, ~dark)
    tree: Json = {"kind": "sign-tree", "height": height, "basis": [[0, 1]]}
    tree |= {"weights": [[[0, weight]]], "cases": [0] * 8}
    content: Json = {"schema": "ponder.most-moves/1", "rows": 4, "columns": 4, "bulbs": 16}
    content |= {"pattern": "plus", "nullity": 4, "lower_bound": 0, "press_set": []}
    content |= {"upper_bound": 3, "optimal": False, "evidence": tree}
    with pytest.raises(CheckFailed, match=r"evidence.height is .*, not .* from 0 to 16"):
        verify_most_moves(board, content)
    tree["height"] = 15
    with pytest.raises((CheckFailed, TooLarge), match=r"does not refute|too large to add up"):
        verify_most_moves(board, content)


def test_lines_beyond_the_bits_of_a_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Settings of 65 rows are numbered up to 2^64."""
    presses = np.zeros((65, 65), dtype=np.bool_)
    presses[0, :3] = True
    board = cross_pressed(presses)
    raised = [{"odd_lines": [0, 63, 64], "divisor": 1, "cuts": []}]
    bound: Json = {"kind": "switches", "side": "rows", "raised": raised}
    with pytest.raises(TooLarge, match=r"2\^64 settings"):
        check_bound(board, "solve", 3, bound)
    forged = checking.result(board, "solve", verdict="unknown", lower_bound=3, bound=bound)
    (tmp_path / "board").write_text(board_text(board))
    (tmp_path / "a.json").write_text(json.dumps(forged))
    assert run(["verify", str(tmp_path / "board"), str(tmp_path / "a.json")]) == 3
    assert "settings of the switches are too many" in capsys.readouterr().out


@pytest.mark.parametrize(
    "said",
    [
        {"optimal": True},
        {"verdict": "solved", "count": 2},
        {"claim": "C3"},
        {"lower_bound": 2, "bound": {"kind": "unique-press-set"}},
        {"at_most": 2},
        {"upper_bound": 2},
        {"schema": None},
        {"schema": "ponder.result/2"},
    ],
)
def test_a_result_without_its_schema_is_no_press_list(
    said: Json, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "board").write_text("pattern: plus\n000\n")
    words = ["verify", str(tmp_path / "board"), str(tmp_path / "presses.json")]
    presses = {"presses": [[0, 1]]}
    (tmp_path / "presses.json").write_text(json.dumps(presses))
    assert run(words) == 0
    (tmp_path / "presses.json").write_text(json.dumps(presses | said))
    assert run(words) == 2
    assert "no ponder result" in capsys.readouterr().err


@pytest.mark.parametrize("press", [[0, True], [False, 1], [0, 1.0], [0, "1"], [0, None], True])
def test_a_press_of_another_type_is_none(
    press: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "board").write_text("pattern: plus\n000\n")
    (tmp_path / "presses.json").write_text(json.dumps([press]))
    assert run(["verify", str(tmp_path / "board"), str(tmp_path / "presses.json")]) == 2
    assert "there is no bulb" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["[" * 100_000, "9" * 5000, "1e999999", "NaN", "-Infinity"])
def test_json_that_is_hard_to_read(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board, content = true_results.cases()["line-cut"]
    (tmp_path / "board").write_text(board_text(board))
    need = inside(content, ["refutation"])["need"]
    forged = json.dumps(content).replace(f'"need": {need}', f'"need": {text}')
    assert text in forged
    (tmp_path / "a.json").write_text(forged)
    assert run(["verify", str(tmp_path / "board"), str(tmp_path / "a.json")]) in (1, 2)
    out, err = capsys.readouterr()
    assert err.count("\n") == 1
    assert "Traceback" not in out + err


# ------------------------------------------------------------------------------- whole numbers


CHECKERS = sorted(Path(spectral.__file__).parents[1].rglob("*.py"))


@pytest.mark.parametrize("file", CHECKERS, ids=lambda file: file.stem)
def test_the_checker_calculates_with_whole_numbers(file: Path) -> None:
    """No float, no division, no mean, no weighted count: but for the one bound with a margin."""
    if file.stem in ("spectral", "randomised", "result"):  # … and what is not checked
        return
    names = {"float", "float16", "float32", "float64", "mean", "average", "std", "true_divide"}
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        match node:
            case ast.Constant(value=float()) | ast.BinOp(op=ast.Div()) as part:
                raise AssertionError(f"{file.name}:{part.lineno}")
            case ast.keyword(arg="weights") as part:
                raise AssertionError(f"{file.name}:{part.lineno}")
            case ast.Name(id=name) | ast.Attribute(attr=name):
                assert name not in names, f"{file.name}:{node.lineno}: {name}"
                # that of numpy takes weights; that of `ponder.system.types` counts, in 64 bits
                numpys = isinstance(node, ast.Attribute) and name == "bincount"
                assert not numpys, f"{file.name}:{node.lineno}: use ponder.system.types.bincount"
