"""JSON in pieces: the same as in one, whatever it holds, and a look at the clock before each."""

from __future__ import annotations

import json
import random
from itertools import chain
from typing import get_args

import numpy as np
import pytest

from ponder import order
from ponder.model import json_text, render
from ponder.model.board import Board
from ponder.model.formats import parse_board
from ponder.model.graph import EdgeGraph
from ponder.model.json_text import json_object
from ponder.system.errors import BoardError, LargeFile
from ponder.system.limits import NEVER, Limits, TimeUp
from tests.depth import deep

AWKWARD = ["a],b", 'x\\"],[', "é", '",', "[1,", "{", ""]
SPOILT = ["", ",", "]", "[", '"', " ", "1", "}", ",]", ",,"]


def a_value(rng: random.Random, depth: int) -> object:
    match rng.randrange(9):
        case 0:
            return rng.choice(AWKWARD)
        case 1 | 2 if depth:
            return [a_value(rng, depth - 1) for _ in range(rng.randrange(6))]
        case 3 if depth:
            return {rng.choice("abc"): a_value(rng, depth - 1)}
    return rng.choice([0, 1, None, True, 2.5, 10**30, -3])


def a_text(rng: random.Random) -> str:
    """An object with lists of anything, mostly spoilt in a place or two."""
    content: dict[str, object] = {}
    for key in rng.sample(["nodes", "edges", "lit", "goal", "x y"], rng.randrange(5)):
        items = [a_value(rng, 1) for _ in range(rng.randrange(20))]
        content[key] = a_value(rng, 2) if rng.random() < 0.4 else items
    text = json.dumps(content, ensure_ascii=rng.random() < 0.5, indent=rng.choice([None, 1]))
    for _ in range(rng.choice([0, 1, 1, 2])):
        i = rng.randrange(len(text))
        text = text[:i] + rng.choice(SPOILT) + text[i + rng.randrange(2) :]
    return text


@pytest.mark.parametrize("texts", deep(2000, 6000))
def test_pieces_make_the_whole(monkeypatch: pytest.MonkeyPatch, texts: int) -> None:
    """The same object or the same complaint, and lists that are packed lack nothing."""
    rng, good = random.Random(1), 0

    def read(text: str, piece: int, packed: bool = False) -> object:
        monkeypatch.setattr(json_text, "PIECE", piece)
        packs = {"edges": lambda items: [repr(item) for item in items]} if packed else {}
        try:
            return json_object(text.encode(), "s", NEVER, packs)
        except BoardError as error:
            return str(error)

    for _ in range(texts):
        text, piece = a_text(rng), rng.choice([3, 7, 12, 40])
        whole = read(text, 1 << 20)
        assert repr(read(text, piece)) == repr(whole), (text, piece)
        packed = read(text, piece, packed=True)
        if isinstance(whole, dict) and isinstance(packed, dict):
            good += 1
            edges = whole.get("edges")
            if isinstance(edges, list):
                assert list(chain.from_iterable(packed["edges"])) == list(map(repr, edges))
    assert good > texts / 3


def test_the_clock_is_asked_before_every_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever it stops, reading ends there."""
    edges = [[v, v + 1] for v in range(999)]
    lit = [v % 2 for v in range(1000)]
    text = json.dumps({"nodes": 1000, "edges": edges, "lit": lit})
    monkeypatch.setattr(json_text, "PIECE", 200)
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked == most

    most = 0
    board = parse_board(text, limits=Limits(None, stop))
    assert isinstance(board.graph, EdgeGraph)
    assert board.graph.edges.tolist() == edges
    assert board.lit.astype(int).tolist() == lit
    every = asked
    assert every > len(text) / 200
    for most in (1, 2, every // 2, every - 1, every):
        asked = 0
        with pytest.raises(TimeUp):
            parse_board(text, limits=Limits(None, stop))
        assert asked == most


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ([0], "edges[900] is [0]: an edge is a pair of nodes"),
        ([0, 0], "edges[900] joins 0 to itself: every bulb toggles itself anyway"),
        ([1, 0], "edges[900] repeats the edge [0, 1]"),
        ([0, 1000], "edges[900] names the node 1000, which is missing from `nodes`"),
        ([0, -1], "edges[900] names the node -1, which is missing from `nodes`"),
        ([0, 10**30], f"edges[900] names the node {10**30}, which is missing from `nodes`"),
        ([0, True], "edges[900] names True, which is not a node"),
        ([0, 1.0], "edges[900] names 1.0, which is not a node"),
        ("ab", "edges[900] is 'ab': an edge is a pair of nodes"),
    ],
)
def test_a_wrong_edge_in_a_late_piece(
    wrong: object, reason: str, named: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    edges: list[object] = [[v, v + 1] for v in range(999)]
    edges[900] = wrong
    content = {"nodes": list(range(1000)) if named else 1000, "edges": edges}
    for piece in (200, 1 << 20):
        monkeypatch.setattr(json_text, "PIECE", piece)
        with pytest.raises(BoardError) as refused:
            parse_board(json.dumps(content))
        assert str(refused.value) == f"board:1: {reason}"


@pytest.mark.parametrize("wrong", [2, -1, "1", None, 1.0, [1], 10**30])
def test_a_wrong_bit_in_a_late_piece(wrong: object, monkeypatch: pytest.MonkeyPatch) -> None:
    lit: list[object] = [0] * 1000
    lit[900] = wrong
    for piece in (200, 1 << 20):
        monkeypatch.setattr(json_text, "PIECE", piece)
        with pytest.raises(BoardError, match=r"lit\[900\] is .*: it must be 0 or 1"):
            parse_board(json.dumps({"nodes": 1000, "lit": lit}))


@pytest.mark.parametrize("indent", [None, 1])
def test_many_presses_make_no_lists(indent: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pairs come as one array, of any layout; what is no pair shows in a list."""
    monkeypatch.setattr(json_text, "PIECE", 200)
    rng = random.Random(5)
    presses: list[object] = [[rng.randrange(10 ** rng.randrange(1, 19)), k] for k in range(300)]

    def read(listed: list[object], most: int | None = None) -> object:
        text = json.dumps({"schema": json_text.RESULT, "presses": listed, "n": 1}, indent=indent)
        content = json_text.parse_result(text.encode(), most=most)
        assert content is not None
        assert content["n"] == 1
        return content["presses"]

    found = read(presses, most=200)
    assert isinstance(found, np.ndarray)
    assert found.dtype == np.int64
    assert found.tolist() == presses
    for wrong in ([1, -1], [1, 10**19], [True, 2], [1.0, 2], [1, 2, 3], [1], 7, "[1, 2]", None):
        for at in (0, 150, 299):
            spoilt = read([*presses[:at], wrong, *presses[at + 1 :]])
            assert isinstance(spoilt, list)
            assert wrong in spoilt
    with pytest.raises(LargeFile):
        read(["ab"] * 300, most=200)
    for spoilt in ("[1, 2],, [3, 4]", "[01, 2], [3, 4]", "[1, 2] [3, 4]", "[1, 2], ", "[1, 2], [3"):
        text = f'{{"schema": "{json_text.RESULT}", "presses": [{spoilt * 20}]}}'
        with pytest.raises(BoardError, match="no valid JSON"):
            json_text.parse_result(text.encode())


@pytest.mark.parametrize("text", ["0011\n1101\n0110\n0001\n", '{"nodes": ["\u00e9"]}'])
def test_the_text_of_a_result_is_that_of_its_object(text: str) -> None:
    result = order(parse_board(text))
    assert result.presses is not None
    assert json.loads("".join(result.json_text())) == json.loads(json.dumps(result.to_json()))


def test_many_presses_are_written_as_few_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """In pieces or at once, in both coordinates, as words that are put into lines one by one."""
    board = Board.from_rows(["0" * 12] * 101, "plus")
    graph = board.graph
    bulbs = np.random.default_rng(3).permutation(graph.size)
    pairs = [list(label) for label in graph.labels(bulbs) if isinstance(label, tuple)]
    for at_once in (1, 7, 1 << 16):
        monkeypatch.setattr(render, "_AT_ONCE", at_once)
        assert json.loads("[" + "".join(render.press_json(board, bulbs)) + "]") == pairs
        for coords in get_args(render.Coordinates):
            words = [render.label_text(board, graph.label(v), coords) for v in bulbs.tolist()]
            lines = "\n".join(render.press_lines(board, bulbs, coords)).split("\n")
            assert lines == list(render.wrapped(words))
    none = np.empty(0, dtype=np.int64)
    assert (
        list(render.press_lines(board, none))
        == []
        == [x for x in render.press_json(board, none) if x]
    )
