"""Pictures that stand still: what they consist of, and that others can open them."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import ponder
from ponder.model.graph import EdgeGraph, GridGraph
from ponder.pictures.answers import answer_scene, press_set_scene
from ponder.pictures.marks import marks_of
from ponder.pictures.pixels import in_font, scene_image
from ponder.pictures.scene import Scene, cell_size
from ponder.pictures.shapes import (
    THEME_NAMES,
    THEMES,
    Box,
    Circle,
    Strokes,
    Words,
    text_width,
    wrapped,
)
from ponder.pictures.svg import number, scene_svg
from ponder.system.errors import BoardError
from tests.boards import INSTANCES
from tests.kinds import REFUTATIONS
from tests.pictures import reading

BOARDS: dict[str, str] = {
    "coset": "pattern: plus\n11111\n11001\n00000\n10100\n10010\n",
    "dead-end": "pattern: plus\ngoal: unlit\n111-000\n111-010\n111-000\n",
    "exhausted": "pattern: king\n1000\n0111\n1001\n1011\n0101\n1100\n",
    "line-count": "1011\n1101\n0110\n0001\n",
    "line-parities": "1001010\n1001100\n0100110\n1011110\n",
    "no-first-press": "pattern: king\n1010\n0100\n0111\n1101\n",
    "no-last-press": "pattern: king\n1011\n0111\n0011\n0010\ngoal:\n1111\n0001\n0100\n0001\n",
    "piece-count": (
        "pattern: plus\n11111111\n11011011\n10100101\n11011011\n11011011\n10100101\n11011001\n"
        "11111110\ngoal:\n01011010\n10100101\n01111110\n10111101\n10111101\n01111110\n10100111\n"
        "01011011\n"
    ),
}


NAMES = sorted(
    path.name
    for path in INSTANCES.iterdir()
    if path.suffix in (".txt", ".json") and not path.stem.startswith("wiring-")
    if path.name != "expected.json"
)  # fmt: skip


def refused(text: str) -> ponder.Result:
    result = ponder.order(ponder.parse_board(text))
    assert result.refutation is not None
    return result


@cache
def kinds() -> dict[str, ponder.Result]:
    """A result of every kind of refutation that boards show."""
    found = [refused(text) for text in BOARDS.values()]
    for name in (
        "plus-10x10-no-order", "cross-6x6-no-order-count", "cross-6x6-no-order-cut",
        "cross-3x4-no-order", "cross-5x5-no-solution",
    ):  # fmt: skip
        found.append(ponder.order(ponder.read(INSTANCES / f"{name}.txt")))
    board = ponder.read(INSTANCES / "plus-12x12-pairs.txt")
    found.append(ponder.order(board, method="sat"))
    return {result.to_json()["refutation"]["kind"]: result for result in found[::-1]}  # type: ignore[index]


def of_kind(kind: str) -> ponder.Result:
    """Return a result with a refutation of a kind."""
    if kind not in kinds():  # weighted cuts come from a linear program
        pytest.importorskip("ortools")
    return kinds()[kind]


KINDS = sorted(set(REFUTATIONS) - {"randomised", "states"})


def elements(text: str) -> dict[str, list[ElementTree.Element]]:
    """Return the elements of an SVG by their names, what is in its definitions apart."""
    root = ElementTree.fromstring(text)
    definitions = root.find(f"{reading.SVG}defs")
    assert definitions is not None
    root.remove(definitions)
    found: dict[str, list[ElementTree.Element]] = {}
    for element in root.iter():
        found.setdefault(element.tag.removeprefix(reading.SVG), []).append(element)
    return found


@pytest.mark.parametrize("theme", THEME_NAMES)
@pytest.mark.parametrize("name", NAMES)
def test_every_board_opens_elsewhere(name: str, theme: Any) -> None:
    """As SVG by an XML parser, as pixels by colour: both show the board's state."""
    board = ponder.read(INSTANCES / name)
    cell = min(20, cell_size(board, 400))
    scene = Scene(board, cell=cell)
    found = elements(scene_svg(scene, theme))
    lit = ["-lit-" in use.attrib["href"] for use in found["use"]]
    assert lit == board.lit.tolist()
    assert found["title"][0].text == scene.title
    assert "script" not in found
    assert "style" not in found
    image = scene_image(scene, theme)
    if isinstance(board.graph, GridGraph):
        assert image.width == round((board.graph.shape[1] + 0.8) * cell)
        places = reading.centres(board, image.size, cell, 0.4)
        assert np.array_equal(reading.state_of(image, places, cell, theme), board.lit)


def test_a_hole_is_nothing_and_a_goal_is_dashed() -> None:
    board = ponder.Board.from_rows(["1-0", "011"], "plus", goal=["0-1", "110"])
    found = elements(scene_svg(Scene(board)))
    assert len(found["use"]) == 5
    rings = [circle for circle in found["circle"] if circle.get("stroke-dasharray")]
    assert len(rings) == 3


def test_a_press_set_is_dotted_and_its_line_bits_are_squares() -> None:
    board = ponder.Board.from_rows(["0011", "1101", "0110", "0001"])
    sets = ponder.press_sets(board)
    assert isinstance(sets, ponder.PressSets)
    scene = press_set_scene(board, sets.particular, "the only one")
    shapes = list(scene.shapes())
    dots = [shape for shape in shapes if isinstance(shape, Circle) and shape.fill == "dot"]
    assert len(dots) == 4
    filled = [isinstance(x, Box) and x.fill is not None for x in shapes if isinstance(x, Box)]
    assert filled == [False, True, False, True, True, False, False, True]
    without = press_set_scene(board, sets.particular, lines=False)
    assert not any(isinstance(shape, Box) for shape in without.shapes())
    texts = [text.text for text in elements(scene_svg(scene))["text"]]
    assert texts == ["Press set of 4 bulbs", "The only one."]


def test_an_order_is_numbers_and_repeats_are_counts() -> None:
    board = ponder.read(INSTANCES / "plus-5x5-order.txt")
    result = ponder.order(board)
    assert result.presses is not None
    scene = answer_scene(result)
    by_place = {
        (round(x.y - 0.9), round(x.x - 0.9)): x.text
        for x in scene.over() if isinstance(x, Words)
    }  # fmt: skip
    order = [scene.board.graph.label(int(v)) for v in result.presses]
    middle = scene.left
    assert middle > 0  # the words need more room than the board
    numbers = sorted((int(text), place) for place, text in by_place.items())
    assert [number for number, _ in numbers] == list(range(1, 11))
    shift = numbers[0][1][1] - order[0][1]  # type: ignore[operator,index]
    assert [(row, column - shift) for _, (row, column) in numbers] == order
    again = ponder.solve(ponder.read(INSTANCES / "plus-10x10-no-order.txt"))
    texts = [x.text for x in answer_scene(again).over() if isinstance(x, Words)]
    assert sorted(texts) == ["2", "3"]
    lines = [x.text for x in answer_scene(again, "numbers").over() if isinstance(x, Words)]
    assert lines.count("…") == 1
    with pytest.raises(BoardError, match="no refusal"):
        answer_scene(again, "refusal")


@pytest.mark.parametrize("kind", KINDS)
def test_a_refusal_is_drawn_and_told(kind: str) -> None:
    result = of_kind(kind)
    scene = answer_scene(result)
    refutation: Any = json.loads(json.dumps(result.to_json()))["refutation"]
    shapes = list(scene.shapes())
    marked = [x for x in shapes if isinstance(x, Strokes | Box) and "mark" in str(x)]
    assert bool(marked) == (kind != "sat-proof")
    if "bulbs" in refutation:
        hatched = [x for x in shapes if isinstance(x, Box) and x.hatched]
        outlined = {
            x[:2] for shape in shapes
            if isinstance(shape, Strokes) and shape.width == 0.94
            for x in shape.segments if x[:2] == x[2:]
        }  # fmt: skip
        told = [v for piece in refutation.get("pieces", []) for v in piece] or refutation["bulbs"]
        assert max(len(hatched), len(outlined)) == len(told)
    texts = " ".join(x.text or "" for x in elements(scene_svg(scene))["text"])
    sentence = result.refutation.sentence(result.board)  # type: ignore[union-attr]
    assert sentence[1:] in texts
    assert sentence[1:] in scene.description
    assert str(scene.marks.get("label", "")) in texts


def test_evidence_is_told_as_such() -> None:
    board = ponder.Board.from_rows(["01"], "plus")
    randomised = {"kind": "randomised", "field_bits": 64, "trials": 2, "log2_error": -70.0}
    content: Any = {
        "command": "order", "verdict": "unknown", "reason": "not proved",
        "refutation": {**randomised, "seed": 0, "press_counts": ["10"]},
    }  # fmt: skip
    scene = answer_scene(ponder.Result.from_json(board, content))
    assert scene.heading == "Not known"
    assert "errs with probability at most 2^-70" in scene.text
    assert scene.marks["presses"] == [(0, 0)]


@pytest.mark.parametrize("theme", THEME_NAMES)
@pytest.mark.parametrize("kind", KINDS)
def test_no_words_overlap(kind: str, theme: Any) -> None:
    """Lines of words lie below the board and each other, inside of the picture."""
    scene = answer_scene(of_kind(kind))
    lowest, label = scene.places.height - 0.5, scene.marks.get("label")
    lines = [words for words in scene.words() if isinstance(words, Words) and words.text != label]
    for words in lines:
        assert words.y - words.size / 2 >= lowest - 1e-9
        assert words.x + text_width(words.text, words.size) <= scene.width + 0.3
        lowest = words.y + words.size / 2
    assert lowest <= scene.height
    strips = [box for box in scene.words() if isinstance(box, Box)]
    assert len(strips) == (label is not None)
    for strip in strips:
        assert strip.x + strip.width <= scene.width
        for words in lines:
            beside = words.x + text_width(words.text, words.size) <= strip.x
            above = words.y + words.size / 2 <= strip.y
            below = words.y - words.size / 2 >= strip.y + strip.height - 0.05
            assert beside or above or below, words.text
    assert scene_svg(scene, theme).startswith("<svg")
    assert scene_image(scene, theme).size[0] > 0


def test_paper_has_no_colours() -> None:
    for kind in ("odd-component", "odd-witness", "line-count"):
        scene = answer_scene(of_kind(kind))
        text = scene_svg(scene, "print")
        for colour in re.findall(r'"#([0-9a-f]{6})"', text):
            assert colour[:2] == colour[2:4] == colour[4:]
        pixels = np.asarray(scene_image(scene, "print"), dtype=np.int64)
        assert np.ptp(pixels, axis=2).max() == 0
    assert all(len(THEMES[name]["lit"]) == 7 for name in THEME_NAMES)


def test_a_graph_has_wires_and_names() -> None:
    board = ponder.read(INSTANCES / "graph-petersen.json")
    assert isinstance(board.graph, EdgeGraph)
    found = elements(scene_svg(Scene(board)))
    assert found["path"][0].attrib["d"].count("M") == len(board.graph.edges)
    assert [text.text for text in found["text"]] == [str(k) for k in range(10)]


def test_odd_names_are_text_and_no_markup() -> None:
    board = ponder.read(INSTANCES / "graph-house.json")
    named = ponder.Board(
        EdgeGraph(5, board.graph.edges, ["<a>", "b&c", "\x1b[31m", "日本", "e" * 40]),  # type: ignore[attr-defined]
        board.lit, board.goal, board.rule, 'n"<&\x00\ud800',
    )  # fmt: skip
    found = elements(scene_svg(Scene(named)))
    assert found["text"][0].text == "<a>"
    assert found["title"][0].text is not None
    assert '"<&' in found["title"][0].text
    scene_image(Scene(named))
    assert in_font("日×") == "?x"


def test_what_is_too_large_is_refused() -> None:
    dark = np.zeros((300, 300), dtype=np.bool_)
    with pytest.raises(BoardError, match="300×300 is too large for a picture"):
        Scene(ponder.Board.from_grid(dark), cell=4).width.hex()
    many = np.zeros(400, dtype=np.bool_)
    ring = EdgeGraph(400, [(k, (k + 1) % 400) for k in range(400)])
    with pytest.raises(BoardError, match="400 nodes is too large"):
        scene_svg(Scene(ponder.Board(ring, many, ~many)))
    with pytest.raises(BoardError, match="pixels is too large"):
        scene_image(Scene(ponder.Board.from_grid(dark[:150, :150]), cell=200))


def test_more_parts_are_counted() -> None:
    result = kinds()["coset"]
    assert result.refutation is not None
    marks = marks_of(result.board, result.refutation)
    assert str(marks["label"]).endswith("; 3 more like it")


def test_words_are_wrapped_and_lengths_are_short() -> None:
    assert wrapped("one two three four", 1.0, 6.0) == ["one two", "three four"]
    assert [number(cells) for cells in (0.36, 1.0, 1 / 3)] == ["14.4", "40", "13.33"]
