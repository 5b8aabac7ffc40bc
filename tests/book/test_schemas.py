"""The published JSON Schemas: what is printed fits them, what is spoilt does not."""

from __future__ import annotations

import copy
import json
import os
import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import ponder
from ponder.check.kinds import BOUNDS, REFUTATIONS, proving
from ponder.check.result import TABLE, Result
from ponder.cli.params import EXAMPLES
from ponder.encodings.registry import ENCODERS
from ponder.formulas.encoder import Encoder
from ponder.model.graph import NAMED, grid_graph
from tests.commands import here
from tests.depth import deep

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "instances"
SCHEMAS = ROOT / "docs" / "schemas"
BOARDS = sorted(json.loads((FOLDER / "expected.json").read_text(encoding="utf-8")))


def schemas() -> dict[str, str]:
    """The schemas as text, by name and version."""
    files = sorted(SCHEMAS.glob("ponder.*.json"))
    words = {x: x.name.removeprefix("ponder.").removesuffix(".json").rpartition("-") for x in files}
    return {
        f"{word}/{version}": file.read_text("utf-8") for file, (word, _, version) in words.items()
    }


@cache
def validator(word: str) -> Draft202012Validator:
    """The checker of a schema, by the word that objects carry; its library takes a second."""
    from jsonschema import Draft202012Validator

    return Draft202012Validator(json.loads(schemas()[word.removeprefix("ponder.")]))


def faults(content: Any, word: str | None = None) -> list[str]:
    """What an object's own schema says against it."""
    found = validator(word or content["schema"]).iter_errors(content)
    return [f"{error.json_path}: {error.message[:200]}" for error in found]


def fits(content: Any, word: str) -> bool:
    """Whether a schema has nothing against an object."""
    return bool(validator(word).is_valid(content))


@cache
def answers(name: str) -> list[Any]:
    """What `order` and `solve` say of a board, as it is printed."""
    board = ponder.read(FOLDER / name)
    found: list[Result] = [ponder.order(board), ponder.solve(board)]
    return [json.loads(json.dumps(result.to_json())) for result in found]


@pytest.mark.parametrize("word", schemas())
def test_a_schema_is_one_and_says_its_name(word: str) -> None:
    content = json.loads(schemas()[word])
    validator(word).check_schema(content)
    name, _, version = word.partition("/")
    assert content["$id"] == f"urn:ponder:{name}:{version}"
    assert content["title"]


def test_every_pattern_is_one_everywhere() -> None:
    """Boards, help, schemas, the page and the documents have the names from one place."""
    rules = []
    for text in schemas().values():
        rules += [json.loads(f'"{rule}"') for rule in re.findall(r'"pattern": "(\^\(.*)"', text)]
    assert len(rules) >= 3
    for name in (*NAMED, "stencil 0,1 0,-1", "graph", "wiring", "torus-toggles 0,1"):
        assert all(re.search(rule, name) for rule in rules), name
        if name in NAMED:
            assert grid_graph(name, (3, 3)).pattern == name
    assert ", ".join([*NAMED, "'stencil 0,1 0,-1 …'"]) == EXAMPLES
    page = (ROOT / "ponder/page/static/puzzles.js").read_text(encoding="utf-8")
    listed = re.search(r"export const PATTERNS = \{\n(.*?)\n\};", page, re.DOTALL)
    assert listed is not None
    assert re.findall(r'^  "([\w-]+)":', listed[1], re.MULTILINE) == [*NAMED, "stencil"]
    formats = (ROOT / "docs/formats.md").read_text(encoding="utf-8")
    assert f"{', '.join(NAMED)}, stencil <dr,dc>" in formats
    assert not any(re.search(rule, "star") for rule in rules)


def places_without(name: str, made: Any) -> list[str]:
    """Where an encoding of the registry is missing: its file, its theorem, its row in the guide."""
    file, guide = ROOT / "encodings" / f"{name}.py", ROOT / "docs" / "sat_guide.md"
    wanted = {
        f"encodings/{name}.py": file.is_file() and made.__module__ == f"ponder.encodings.{name}",
        "the attribute `summary`": bool(getattr(made, "summary", "")),
        "a section of the theory, in the head of the file": file.is_file()
        and re.search(r"§\d", file.read_text(encoding="utf-8")) is not None,
        "a row of the table in docs/sat_guide.md": f"| `{name}` | " in guide.read_text("utf-8"),
        **{f"the method `{method}`": False for method in sorted(made.__abstractmethods__)},
    }
    return [place for place, there in wanted.items() if not there]


def test_every_encoding_is_one_everywhere() -> None:
    """CONTRIBUTING.md has the recipe; what is missing is named."""
    missing = {name: places_without(name, made) for name, made in ENCODERS.items()}
    assert {name: places for name, places in missing.items() if places} == {}

    class Unknown(Encoder):
        name = "unknown"

    assert places_without("unknown", Unknown) == [
        "encodings/unknown.py",
        "the attribute `summary`",
        "a section of the theory, in the head of the file",
        "a row of the table in docs/sat_guide.md",
        "the method `encode`",
        "the method `read`",
    ]


def test_every_word_in_the_code_has_a_schema() -> None:
    used = set()
    for path in [*(ROOT / "ponder").rglob("*.py"), *(ROOT / "encodings").glob("*.py")]:
        used |= set(re.findall(r'"ponder\.([a-z-]+/\d+)"', path.read_text(encoding="utf-8")))
    used -= {"formulas/1", "all-boards/1"}  # lists of files and of numbers
    used -= {"board/1", "board/2"}  # what a hash is taken of, never printed
    used -= {"result/1"}  # which is refused
    assert set(schemas()) - used == {
        "graph-board/1",
        "wiring-board/1",
    }  # these carry no word
    assert used <= set(schemas())


def test_the_result_schema_knows_every_kind() -> None:
    """The table of claims and the kinds of evidence are those of the checker."""
    content = json.loads(schemas()["result/2"])
    defs = content["$defs"]
    assert set(defs["refutation"]["properties"]["kind"]["enum"]) == {
        kind.kind for kind in REFUTATIONS
    }
    bounds = {kind.kind for kind in BOUNDS}
    assert set(defs["bound"]["properties"]["kind"]["enum"]) == bounds
    rows = {}
    for row in content["oneOf"]:
        said = row["properties"]
        key = tuple(said[name]["const"] for name in ("command", "verdict", "claim"))
        refutation = said["refutation"]
        kinds = refutation.get("properties") or refutation.get("anyOf", [{}, {}])[1].get(
            "properties"
        )
        rows[key] = tuple(kinds["kind"]["enum"]) if kinds else ()
        for name in ("presses", "lower_bound", "at_most"):
            need = {None: "maybe", "null": "no"}.get(said.get(name, {}).get("type"), "maybe")
            if "not" in said.get(name, {}):
                need = "yes"
            assert need == getattr(TABLE[key], name), (key, name)
    assert {key: set(kinds) for key, kinds in rows.items()} == {
        key: {kind.kind for kind in proving(*row.proving)} for key, row in TABLE.items()
    }


@pytest.mark.parametrize("name", BOARDS)
def test_every_result_fits(name: str) -> None:
    for content in answers(name):
        assert faults(content) == []


def places(content: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in an object: at keys, and in the first of a list."""
    items = (
        content.items()
        if isinstance(content, dict)
        else enumerate(content[:1])
        if isinstance(content, list)
        else ()
    )
    for key, value in items:
        yield (*path, key)
        yield from places(value, (*path, key))


FREE = {"statistics", "name", "reason", "method", "seed", "version", "outcome", "steps", "seconds"}
"""Keys about which a schema says little."""


def spoilt(content: Any, path: tuple[Any, ...]) -> Any:
    """The object with another value, of a type that is right nowhere, at a place."""
    found = copy.deepcopy(content)
    at = found
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = {"spoilt": [0.5]}
    return found


@pytest.mark.parametrize("most", deep(3, 8))
@pytest.mark.parametrize("name", BOARDS)
def test_a_spoilt_result_does_not_fit(name: str, most: int) -> None:
    rng = random.Random(name)
    for content in answers(name):
        every = [path for path in places(content) if not FREE & set(path)]
        for path in rng.sample(every, min(most, len(every))):
            assert not fits(spoilt(content, path), "result/2"), path
        for key in ("schema", "command", "board", "verdict", "claim", "presses", "bound"):
            without = {k: v for k, v in content.items() if k != key}
            assert not fits(without, "result/2"), key


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("plus-5x5-order.txt", {"verdict": "impossible"}),
        ("plus-5x5-order.txt", {"claim": "C2"}),
        ("plus-5x5-order.txt", {"presses": [[0, -1]]}),
        ("plus-5x5-order.txt", {"presses": [[0, 1, 2]]}),
        ("plus-5x5-order.txt", {"bound": {"kind": "cp-sat"}}),
        ("plus-10x10-no-order.txt", {"claim": "C3"}),
        ("plus-10x10-no-order.txt", {"refutation": {"kind": "witness", "bulbs": [[0, 0]]}}),
        ("plus-10x10-no-order.txt", {"refutation": {"kind": "block"}}),
        ("plus-10x10-no-order.txt", {"refutation": None}),
        ("plus-10x10-no-order.txt", {"presses": [[0, 0]]}),
        ("cross-24x24-no-order.txt", {"verdict": "unknown"}),
    ],
)
def test_a_claim_without_its_evidence_does_not_fit(name: str, change: dict[str, Any]) -> None:
    content = answers(name)[0]
    assert not fits(content | change, "result/2")


GRAPHS = sorted(FOLDER.glob("graph-*.json"))


@pytest.mark.parametrize("path", GRAPHS, ids=lambda path: path.stem)
def test_graph_boards_fit(path: Path) -> None:
    content = json.loads(path.read_text(encoding="utf-8"))
    assert faults(content, "graph-board/1") == []
    for change in ({"nodes": -1}, {"edges": [[0]]}, {"lit": [2]}, {"rule": "all"}, {"more": 1}):
        assert not fits(content | change, "graph-board/1"), change
    assert fits(content | {"positions": [[0, 1.5]]}, "graph-board/1")
    assert not fits(content | {"positions": [[0]]}, "graph-board/1")


def test_wiring_boards_fit() -> None:
    content = json.loads((FOLDER / "wiring-levers.json").read_text(encoding="utf-8"))
    assert faults(content, "wiring-board/1") == []
    changes: list[dict[str, object]] = [
        {"lights": 0},
        {"buttons": [{}]},
        {"lit": [2]},
        {"rule": "all"},
        {"more": 1},
    ]
    for change in changes:
        assert not fits(content | change, "wiring-board/1"), change


BOARD = str(FOLDER / "ibm-2023-04-example-4x4.txt")
HOUSE = str(FOLDER / "graph-house.json")
WIRING = str(FOLDER / "wiring-levers.json")
COMMANDS = [
    ("result/2", ["order", HOUSE, "--json"]),
    ("result/2", ["order", str(FOLDER / "plus-10x10-no-order.txt"), "--method", "sat", "--json"]),
    ("result/2", ["solve", str(FOLDER / "any-5x5-all.txt"), "--all", "--json"]),
    ("result/2", ["solve", BOARD, "--at-most", "3", "--json"]),
    ("result/2", ["solve", WIRING, "--json"]),
    ("result/2", ["order", WIRING, "--json"]),
    ("count/1", ["order", BOARD, "--count", "--json"]),
    ("nullities/1", ["nullity", HOUSE, "--json"]),
    ("nullities/1", ["nullity", "5", "4x6", "--json"]),
    ("orientation/1", ["orient", HOUSE, "--odd", "ada,bob", "--json"]),
    ("most-moves/1", ["most-moves", "5", "--json"]),
    ("family/1", ["generate", "cut", "--size", "4", "--json"]),
]


@pytest.mark.parametrize(("word", "arguments"), COMMANDS, ids=lambda found: " ".join(found)[-40:])
def test_what_commands_print_fits(
    word: str, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = here(capsys, *arguments)
    assert code == 0, err
    content = json.loads(out)
    assert faults(content, word) == []
    assert isinstance(content, list) or content.get("schema") == f"ponder.{word}"
    entries = content if isinstance(content, list) else [content]
    for entry in entries[:1]:
        required = validator(word).schema.get("items", validator(word).schema)["required"]
        for key in required:
            less = {k: v for k, v in entry.items() if k != key}
            assert not fits([less] if isinstance(content, list) else less, word), key


def test_what_the_checker_says_fits(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "presses.txt").write_text("0 0\n", encoding="utf-8")
    code, out, _ = here(capsys, "verify", BOARD, os.fspath(tmp_path / "presses.txt"), "--json")
    content = json.loads(out)
    assert (code, content["holds"], faults(content)) == (1, False, [])
