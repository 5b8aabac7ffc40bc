"""The JSON Schemas fit what is printed; patterns and encodings are named wherever they must be."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import ponder
from ponder.check.verification import BOUNDS, REFUTATIONS
from ponder.encodings.registry import ENCODERS
from ponder.model.graph import NAMED
from tests.commands import here

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "instances"
SCHEMAS = ROOT / "docs" / "schemas"
BOARDS = sorted(json.loads((FOLDER / "expected.json").read_text(encoding="utf-8")))


@cache
def validator(word: str) -> Any:
    content = json.loads((SCHEMAS / f"ponder.{word}.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(content)
    return jsonschema.Draft202012Validator(content)


@pytest.mark.parametrize("name", BOARDS)
def test_every_result_fits_and_none_without_a_key(name: str) -> None:
    board = ponder.read(FOLDER / name)
    for result in (ponder.order(board), ponder.solve(board)):
        content = json.loads(json.dumps(result.to_json()))
        assert [e.message for e in validator("result-2").iter_errors(content)] == []
        for key in ("schema", "command", "board", "verdict", "claim", "presses", "bound"):
            assert not validator("result-2").is_valid({k: content[k] for k in content if k != key})


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("plus-5x5-order.txt", {"verdict": "impossible"}),
        ("plus-5x5-order.txt", {"claim": "C2"}),
        ("plus-5x5-order.txt", {"presses": [[0, -1]]}),
        ("plus-5x5-order.txt", {"bound": {"kind": "cp-sat"}}),
        ("plus-10x10-no-order.txt", {"claim": "C3"}),
        ("plus-10x10-no-order.txt", {"refutation": {"kind": "block"}}),
        ("plus-10x10-no-order.txt", {"refutation": None}),
        ("plus-10x10-no-order.txt", {"presses": [[0, 0]]}),
    ],
)
def test_a_claim_without_its_certificate_does_not_fit(name: str, change: dict[str, Any]) -> None:
    content = ponder.order(ponder.read(FOLDER / name)).to_json()
    assert not validator("result-2").is_valid(content | change)


def test_the_schema_of_results_has_every_kind() -> None:
    defs = validator("result-2").schema["$defs"]
    for key, kinds in (("refutation", REFUTATIONS), ("bound", BOUNDS)):
        assert set(defs[key]["properties"]["kind"]["enum"]) == {kind.kind for kind in kinds}


@pytest.mark.parametrize("odd", ["ada,bob", "ada"])
def test_orientations_fit(odd: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = here(
        capsys, "orient", str(FOLDER / "graph-house.json"), "--odd", odd, "--json"
    )
    assert code == 0, err
    content = json.loads(out)
    assert [e.message for e in validator("orientation-1").iter_errors(content)] == []
    for key in validator("orientation-1").schema["required"]:
        assert not validator("orientation-1").is_valid({k: content[k] for k in content if k != key})


def test_every_pattern_is_named_everywhere() -> None:
    """In the schema, the help, the page and the documents."""
    text = (SCHEMAS / "ponder.result-2.json").read_text("utf-8")
    rule = json.loads(re.findall(r'"pattern": ("\^\(.*")', text)[0])
    for name in (*NAMED, "stencil 0,1 0,-1", "graph", "wiring", "torus-toggles 0,1"):
        assert re.search(rule, name), name
    page = (ROOT / "ponder/page/static/puzzles.js").read_text(encoding="utf-8")
    listed = re.search(r"export const PATTERNS = \{\n(.*?)\n\};", page, re.DOTALL)
    assert listed is not None
    assert re.findall(r'^  "([\w-]+)":', listed[1], re.MULTILINE) == [*NAMED, "stencil"]
    formats = (ROOT / "docs/formats.md").read_text(encoding="utf-8")
    assert f"{', '.join(NAMED)}, stencil <dr,dc>" in formats


def test_the_boards_in_the_document_of_formats_are_read() -> None:
    blocks = re.findall(r"```text\n(.*?)```", (ROOT / "docs/formats.md").read_text("utf-8"), re.S)
    texts = [blocks[0], *blocks[1].splitlines()]
    assert [ponder.parse_board(text).graph.size for text in texts] == [11, 5, 3]


@pytest.mark.parametrize("name", ENCODERS)
def test_every_encoding_has_its_file_its_theorem_and_its_row(name: str) -> None:
    assert ENCODERS[name].__module__ == f"ponder.encodings.{name}"
    assert re.search(r"§\d", (ROOT / "encodings" / f"{name}.py").read_text(encoding="utf-8"))
    assert f"| `{name}` | " in (ROOT / "docs/sat_guide.md").read_text("utf-8")
