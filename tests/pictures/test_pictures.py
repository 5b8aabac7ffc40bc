"""Pictures that stand still: what they consist of, and that others can open them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import ponder
from ponder.model.edge_graph import EdgeGraph
from ponder.model.formats import parse_board
from ponder.model.graph import GridGraph
from ponder.model.render import draw
from ponder.model.wired_graph import WiringGraph
from ponder.pictures.answers import answer_scene, press_set_scene
from ponder.pictures.frames import order_film
from ponder.pictures.graph_layout import SIDE, layout
from ponder.pictures.pixels import in_font, scene_image
from ponder.pictures.scene import Scene, cell_size
from ponder.pictures.svg import number, scene_svg
from ponder.pictures.vocabulary import (
    THEME_NAMES,
    Box,
    Bulb,
    Circle,
    Strokes,
    Words,
    text_width,
    wrapped,
)
from ponder.system.errors import BoardError
from tests.boards import INSTANCES
from tests.pictures import reading

NAMES = sorted(
    path.name
    for path in INSTANCES.iterdir()
    if path.suffix in (".txt", ".json") and path.name != "expected.json"
)

REFUSED = (
    "pattern: plus\n11111\n11001\n00000\n10100\n10010\n",
    "pattern: plus\ngoal: unlit\n111-000\n111-010\n111-000\n",
    "pattern: king\n1000\n0111\n1001\n1011\n0101\n1100\n",
    "1011\n1101\n0110\n0001\n",
    "1001010\n1001100\n0100110\n1011110\n",
    "pattern: king\n1010\n0100\n0111\n1101\n",
    "pattern: king\n1011\n0111\n0011\n0010\ngoal:\n1111\n0001\n0100\n0001\n",
    *(
        (INSTANCES / f"{name}.txt").read_text()
        for name in ("plus-10x10-no-order", "cross-6x6-no-order-cut", "cross-5x5-no-solution")
    ),
    *((INSTANCES / f"wiring-{name}.json").read_text() for name in ("levers", "one-way-7")),
)
"""Boards without an order, for one reason after the other."""


def elements(text: str) -> dict[str, list[ElementTree.Element]]:
    """Return the elements of an SVG by their names, what is in its definitions apart."""
    root = ElementTree.fromstring(text)
    definitions = root.find(f"{reading.SVG}defs")
    assert definitions is not None
    root.remove(definitions)
    by_name: dict[str, list[ElementTree.Element]] = {}
    for element in root.iter():
        by_name.setdefault(element.tag.removeprefix(reading.SVG), []).append(element)
    return by_name


@pytest.mark.parametrize("theme", THEME_NAMES)
def test_every_board_opens_elsewhere(theme: Any) -> None:
    """As SVG by an XML parser, as pixels by colour: both show the board's state."""
    for name in NAMES:
        board = ponder.read(INSTANCES / name)
        cell = min(20, cell_size(board, 400))
        scene = Scene(board, cell=cell)
        shown = elements(scene_svg(scene, theme))
        assert ["-lit-" in use.attrib["href"] for use in shown["use"]] == board.lit.tolist()
        assert shown["title"][0].text == scene.title
        assert not {"script", "style"} & set(shown)
        if isinstance(board.graph, GridGraph):
            image = scene_image(scene, theme)
            places = reading.centres(board, image.size, cell, 0.4)
            assert np.array_equal(reading.state_of(image, places, cell, theme), board.lit)


def test_a_hole_is_nothing_and_a_goal_is_dashed() -> None:
    board = ponder.Board.from_rows(["1-0", "011"], "plus", goal=["0-1", "110"])
    shown = elements(scene_svg(Scene(board)))
    assert len(shown["use"]) == 5
    assert sum("stroke-dasharray" in circle.attrib for circle in shown["circle"]) == 3


def test_a_press_set_is_dotted_and_its_line_bits_are_squares() -> None:
    board = ponder.Board.from_rows(["0011", "1101", "0110", "0001"])
    sets = ponder.press_sets(board)
    assert isinstance(sets, ponder.PressSets)
    shapes = list(press_set_scene(board, sets.particular).shapes())
    assert sum(isinstance(shape, Circle) and shape.fill == "dot" for shape in shapes) == 4
    filled = [shape.fill is not None for shape in shapes if isinstance(shape, Box)]
    assert filled == [False, True, False, True, True, False, False, True]


def test_an_order_is_numbers_and_repeats_are_counts() -> None:
    result = ponder.order(ponder.read(INSTANCES / "plus-5x5-order.txt"))
    assert result.presses is not None
    scene = answer_scene(result)
    places = [scene.middle(bulb) for bulb in result.presses.tolist()]
    written = sorted((int(x.text), x.x) for x in scene.over() if isinstance(x, Words))
    assert written == [(k, x) for k, (x, _) in enumerate(places, 1)]
    again = ponder.solve(ponder.read(INSTANCES / "plus-10x10-no-order.txt"))
    assert {x.text for x in answer_scene(again).over() if isinstance(x, Words)} == {"2", "3"}
    with pytest.raises(BoardError, match="no refusal"):
        answer_scene(again, "refusal")


@pytest.mark.parametrize("text", REFUSED)
def test_a_refusal_is_drawn_and_told(text: str) -> None:
    """Its words lie below the board and each other, inside of the picture; paper has no colours."""
    scene = answer_scene(ponder.order(parse_board(text)))
    marked = any("mark" in str(shape) for shape in scene.shapes())
    assert marked or set(scene.marks) <= {"kind", "sentence", "presses", "lines"}
    shown = elements(scene_svg(scene, "print"))
    told = " ".join(x.text or "" for x in shown["text"])
    assert scene.heading in told
    assert scene.text[-20:] in told
    assert scene.text in scene.description
    lowest = scene.places.height
    for words in scene.words():
        assert words.y - words.size / 2 >= lowest - 1e-9
        assert words.x + text_width(words.text, words.size) <= scene.width + 0.3
        lowest = words.y + words.size / 2
    assert lowest <= scene.height
    for colour in re.findall(r'"#([0-9a-f]{6})"', scene_svg(scene, "print")):
        assert colour[:2] == colour[2:4] == colour[4:]
    assert np.ptp(np.asarray(scene_image(scene, "print"), dtype=np.int64), axis=2).max() == 0


def test_a_wiring_has_buttons_and_a_press_is_marked_on_its_button() -> None:
    """Wires lead from the middle of a button to those of its lights; names are the file's."""
    board = ponder.read(INSTANCES / "wiring-one-way-7.json")
    graph = board.graph
    assert isinstance(graph, WiringGraph)
    result = ponder.solve(board)
    scene = answer_scene(result, "numbers")
    shapes = list(scene.shapes())
    buttons = [(x.x + x.width / 2, x.y + x.height / 2) for x in shapes if isinstance(x, Box)]
    assert np.allclose(buttons, [scene.spot(k) for k in range(graph.presses)])
    wires = next(x.segments for x in shapes if isinstance(x, Strokes))
    ends = [(*scene.spot(k), *scene.middle(v)) for k in range(7) for v in graph.lights_of(k)]
    assert np.allclose(wires, ends)
    names = [x.text for x in shapes if isinstance(x, Words) and x.halo]
    assert names == [*map(str, graph.of_lights.names), *map(str, graph.names)]
    assert result.presses is not None
    first = next(x for x in scene.over() if isinstance(x, Words) and x.text == "1")
    assert np.isclose(first.x, scene.spot(int(result.presses[0]))[0])
    film = order_film(board, result.presses)
    rings = {(x.x, x.y) for x, _ in film.shapes if isinstance(x, Circle) and x.stroke == "dot"}
    seen = Scene(board, heading="press", cell=film.cell)
    assert rings == {seen.spot(k) for k in result.presses.tolist()}


def test_buttons_on_their_lights_are_one_with_them() -> None:
    """Then an arrow says which wires go one way: on Merlin's square to and from its middle."""
    board = ponder.read(INSTANCES / "wiring-merlin.json")
    shapes = list(Scene(board).under())
    assert not [x for x in shapes if isinstance(x, Box)]
    heads = next(x for x in shapes if isinstance(x, Strokes) and x.stroke == "soft")
    assert len(heads.segments) == 2 * 8
    graph = WiringGraph(2, [[1], [0]], [0, 1])
    graph.positions = np.array([[0.0, 0.0], [1.0, 0.0]] * 2)
    crossed = ponder.Board(graph, board.lit[:2], board.goal[:2], "any")
    rings = [x for x in Scene(crossed).under() if isinstance(x, Circle)]
    assert [x.dashed for x in rings] == [True, True]  # neither toggles its own light
    assert [line.split() for line in draw(board, marked=board.graph.set_of([4]))] == [
        ["○0", "●1", "○2"], ["○3", "◉4", "●5"], ["○6", "○7", "●8"],
    ]  # fmt: skip


def test_a_graph_has_wires_and_names() -> None:
    board = ponder.read(INSTANCES / "graph-petersen.json")
    assert isinstance(board.graph, EdgeGraph)
    named = ponder.Board(
        EdgeGraph(10, board.graph.edges, ["<a>", "b&c", "\x1b[31m", "日本", "e" * 40, *range(5)]),
        board.lit, board.goal, board.rule, 'n"<&\x00\ud800',
    )  # fmt: skip
    shown = elements(scene_svg(Scene(named)))
    assert shown["path"][0].attrib["d"].count("M") == len(board.graph.edges)
    assert shown["text"][0].text == "<a>"
    assert '"<&' in (shown["title"][0].text or "")
    scene_image(Scene(named))
    assert in_font("日×") == "?x"


@pytest.mark.parametrize("size", [1, 2, 5, 30])
def test_a_layout_has_a_place_for_each_vertex(size: int) -> None:
    ring = np.array([[k, (k + 1) % size] for k in range(size) if size > 2]).reshape(-1, 2)
    for edges in (ring, np.zeros((0, 2), dtype=np.int64)):
        places = layout(size, edges)
        assert len({tuple(at) for at in places.tolist()}) == size
        assert places.min() >= 0
        assert places.max() < SIDE
        assert np.array_equal(places, layout(size, edges))


def test_what_is_too_large_is_refused() -> None:
    dark = np.zeros((300, 300), dtype=np.bool_)
    with pytest.raises(BoardError, match="too large for a picture"):
        scene_svg(Scene(ponder.Board.from_grid(dark), cell=4))
    many = np.zeros(400, dtype=np.bool_)
    ring = EdgeGraph(400, [(k, (k + 1) % 400) for k in range(400)])
    with pytest.raises(BoardError, match="too large for a picture"):
        scene_svg(Scene(ponder.Board(ring, many, ~many)))
    with pytest.raises(BoardError, match="pixels is too large"):
        scene_image(Scene(ponder.Board.from_grid(dark[:150, :150]), cell=200))


def test_words_are_wrapped_and_lengths_are_short() -> None:
    assert wrapped("one two three four", 1.0, 6.0) == ["one two", "three four"]
    assert [number(cells) for cells in (0.36, 1.0, 1 / 3)] == ["14.4", "40", "13.33"]


def test_an_orientation_has_neither_lights_nor_a_goal() -> None:
    """Nodes with equal positions are laid out anew, and an outline on a graph is discs alone."""
    text = '{"nodes": 3, "edges": [[0, 1], [1, 2]], "positions": [[0, 0], [0, 0], [1, 0]]}'
    board = replace(parse_board(text), lit=np.ones(3, bool), goal=np.arange(3) < 2)
    outline = {"groups": [{"style": "outline", "bulbs": [0, 1]}], "pairs": [[0, 1]]}
    scene = Scene(board, {"arcs": [[0, 1], [1, 2]], **outline})
    shapes = list(scene.shapes())
    assert not any(x.lit for x in shapes if isinstance(x, Bulb))
    assert not any(x.dashed for x in shapes if isinstance(x, Circle))
    assert scene.title.endswith("graph, 3 vertices, 2 edges")
    assert len({scene.middle(v) for v in range(3)}) == 3
    strokes = next(x for x in shapes if isinstance(x, Strokes) and x.stroke == "mark")
    assert len(strokes.segments) == 2
