"""Board files, press lists, results: what is accepted, and the one clear line for what is not."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ponder
from ponder.model.board import RULES, Board
from ponder.model.edge_graph import EdgeGraph
from ponder.model.files import packed_file, whole_file
from ponder.model.formats import (
    FORMATS,
    board_text,
    format_of,
    normalised,
    parse_board,
    parse_graph,
    read,
)
from ponder.model.graph import GridGraph
from ponder.model.presets import PUZZLES, unwinnable
from ponder.model.press_lists import parse_presses
from ponder.model.questions import questions
from ponder.model.render import draw
from ponder.system.errors import BoardError


def rows_of(board: Board) -> list[list[int]]:
    assert isinstance(board.graph, GridGraph)
    return [[int(bit) for bit in row] for row in board.graph.to_grid(board.lit)]


@pytest.mark.parametrize(
    "text",
    [
        "0011\n1101\n",
        "0 0 1 1\n1 1 0 1",
        "0,0,1,1\n1,1,0,1\n\n\n",
        "\ufeff0011\r\n1101\r\n",
        "# a comment\n\n0011 # the top\n1101\n# the end",
        "pattern: cross\nrule:unlit\n  goal :  lit \n0011\n1101",
        "0011\r1101\r",
        "0\t0\t1\t1\n1\t1\t0\t1",
        "\t0011\n\t1101\n",
        "0,0,1,1,\n1,1,0,1,\n",
        "0;0; 1;1\n1 ;1;0;1\n",
        "0\u00a00\u00a01 \u200b1\n1 1\u20020 1\n".replace("\u2002", " "),
        "[[0, 0, 1, 1], [1, 1, 0, 1]]",
        "array([[False, False, True, True],\n       [True, True, False, True]])",
        "[[0 0 1 1]\n [1 1 0 1]]",
        "```\n0011\n1101\n```\n",
        "> 0011\n> 1101\n",
        '"0","0","1","1"\n"1","1","0","1"\n',
        "..XX\nXX.X\n",
        "oOXX".replace("O", "o") + "\nXXoX\n",
        "--xx\nxx-x\n",
        ". . # #\n# # . #\n",
        ",,#,#\n#,#,,#\n",
    ],
)
def test_the_same_board_in_many_dresses(text: str) -> None:
    board = parse_board(text)
    assert rows_of(board) == [[0, 0, 1, 1], [1, 1, 0, 1]]
    assert parse_board(text.encode("utf-16")).sha256 == board.sha256
    assert board.sha256 == Board.from_rows(["0011", "1101"]).sha256
    assert parse_board(text.encode()).sha256 == board.sha256


def test_headers_holes_and_goals() -> None:
    board = parse_board("pattern: king\nrule: lit\ngoal: unlit\n01-0\n1-11\n")
    assert (board.graph.pattern, board.rule, board.goal_name) == ("king", "lit", "unlit")
    assert board.graph.size == 6
    assert board.graph.labels(range(6)) == [(0, 0), (0, 1), (0, 3), (1, 0), (1, 2), (1, 3)]
    board = parse_board("0-1\n111\ngoal:\n1-0\n000\n")
    assert (board.goal_name, board.goal.astype(int).tolist()) == ("grid", [1, 0, 0, 0, 0])
    board = parse_board("pattern: stencil 0,1 0,-1\n000\n")
    assert board.graph.neighbours(1).tolist() == [0, 2]


def test_options_replace_headers() -> None:
    board = parse_board("pattern: king\n00\n00", pattern="plus", rule="any", goal="unlit")
    assert (board.graph.pattern, board.rule, board.goal_name) == ("plus", "any", "unlit")
    assert parse_board("00\n00", goal="01\n10").goal.astype(int).tolist() == [0, 1, 1, 0]


PASTED = [
    ("#.#\n.#.\n", "101\n010"),
    ("###\n#.#\n", "111\n101"),
    ("# . -\n. # #\n", "10-\n011"),
    ("○●\n●○\n", "01\n10"),
    ("0 1 # one\n1 0\n", "01\n10"),
    ("0,1 # one\n1,0\n", "01\n10"),
    ("01 10\n11 00\n", "0110\n1100"),
    ("pattern: stencil 0,0\n01\n", board_text(parse_board("pattern: stencil 0,0\n01\n"))),
    ("  ◎ ◉ ●\n  ◉ ○ ◎\n", "011\n100"),
    ("🟨⬛\n⬛🟨", "10\n01"),
    ("⬛️⬛️\n⬜️⬛️\n", "00\n10"),
    ("⬜🟨\n⬜⬜", "01\n00"),
    ("⬛🟡\n⚪⚪", "-1\n00"),
    ("⚫🟢🔴\n🔵⚫⚫", "011\n100"),
    ("💡🌑\r\n🌑💡\r\n", "10\n01"),
    ("# a title\npuzzle: lights-out\n\n.#\n##\n", "puzzle: lights-out\n01\n11"),
    ("rule: lit\n●○\ngoal:\n○○\n", "rule: lit\n10\ngoal:\n00"),
    ("#1.2x3.cross.unlit.lit.w\n", "110\n000"),
    (
        "ponder daily 22 Nov, 9 presses\n🟡⚪\nhttp://127.0.0.1:1/#1.2x2.stencil:0,1:0,-1.any."
        "grid:g.4.I;daily-2026",
        "pattern: stencil 0,1 0,-1\nrule: any\n11\n-0\ngoal:\n10\n-0",
    ),
    (
        json.dumps({"schema": "ponder.result/1", "board": {"text": "pattern: plus\n01\n"}}),
        "pattern: plus\n01",
    ),
    (
        json.dumps({"board": {"text": '{"nodes": 2, "edges": [[0, 1]]}'}}),
        '{"nodes": 2, "edges": [[0, 1]]}',
    ),
]


@pytest.mark.parametrize(("pasted", "text"), PASTED)
def test_what_people_paste_is_read_as_the_board_that_it_shows(pasted: str, text: str) -> None:
    assert parse_board(pasted).sha256 == parse_board(text).sha256


def test_a_puzzle_stands_for_pattern_rule_and_goal() -> None:
    for puzzle in PUZZLES:
        for name in (puzzle.key, *puzzle.also):
            rows = "01\n10\n" if puzzle.shape(2) == (2, 2) else "01\n"
            board = parse_board(f"puzzle: {name}\n{rows}")
            assert (board.graph.pattern, board.rule) == (puzzle.pattern, puzzle.rule)
            assert board.goal_name == puzzle.goal
            assert parse_board(f"rule: lit\n{rows}", puzzle=name).sha256 == board.sha256
    graph = parse_board('{"nodes": 2, "edges": [[0, 1]]}', puzzle="lights-out")
    assert (graph.rule, graph.goal_name) == ("any", "unlit")
    board = parse_board("rule: lit\npuzzle: lights-out\n01\n10\ngoal:\n11\n10\n", pattern="king")
    assert (board.graph.pattern, board.rule, board.goal_name) == ("king", "lit", "grid")


def test_a_rule_that_never_reaches_its_goal_is_one_that_no_board_wins() -> None:
    """`unwinnable` against brute force: every start of a small board, but the goal itself."""
    for rule in RULES:
        for goal in ("lit", "unlit", "10\n01"):
            board = parse_board("00\n00\n", pattern="plus", rule=rule, goal=goal)
            bits = 1 << np.arange(4)
            near = [int(board.graph.apply(bulb) @ bits) for bulb in np.eye(4, dtype=bool)]
            won = {int(board.goal @ bits)}
            while (
                fresh := {
                    state ^ near[v]
                    for state in won
                    for v in range(4)
                    if rule == "any" or (state >> v & 1) == (rule == "unlit")
                }
                - won
            ):
                won |= fresh
            assert (len(won) == 1) == (unwinnable(rule, board.goal_name) is not None)


def test_graph_boards() -> None:
    board = parse_board('{"nodes": ["a", "b", "c"], "edges": [["a","c"]], "lit": [1,0,1]}')
    assert isinstance(board.graph, EdgeGraph)
    assert board.graph.neighbours(0).tolist() == [2]
    assert board.lit.tolist() == [True, False, True]
    board = parse_board('{"nodes": 2, "edges": [[1,0]], "goal": [0,1], "rule": "lit"}')
    assert (board.goal_name, board.rule, board.lit.tolist()) == ("grid", "lit", [False, False])


def test_a_node_may_be_called_buttons() -> None:
    """A wiring has the key `buttons`, not only the word."""
    text = '{"nodes": ["buttons", "b"], "edges": [["buttons", "b"]]}'
    assert parse_board(text).graph.labels([0]) == ["buttons"]
    assert parse_graph(text.encode()).names == ["buttons", "b"]


def test_a_graph_whose_names_are_no_text_is_not_written() -> None:
    board = Board(EdgeGraph(1, [], ["\ud800"]), np.zeros(1, bool), np.ones(1, bool))
    with pytest.raises(BoardError, match="not UTF-8 text"):
        board_text(board)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "board:1: no grid"),
        ("\n\n# only a comment\n", "no grid"),
        ("01\n0\n", "board:2: this row has 1 cell, the first row has 2"),
        ("01\n\n011\n", "board:3: 2 grids with blank lines"),
        ("01\n0x\n", "board:2: 'x' in column 2 is not a cell"),
        ("pattern: star\n01\n", "board:1: unknown pattern 'star'"),
        ("pattern:\n01\n", "board:1: the pattern is empty"),
        ("# c\nrule: on\n01\n", "board:2: unknown rule 'on'"),
        ("goal: dark\n01\n", "board:1: unknown goal 'dark'"),
        ("colour: red\n01\n", "board:1: unknown key 'colour'; known: pattern, rule, goal"),
        ("puzzle: Lights Out\n01\n", "board:1: unknown puzzle 'Lights Out'; known: rows-and-"),
        ("puzzle: Lights Out\n01\n", "did you mean `lights-out`?"),
        ("Pattern: plus\n01\n", "did you mean `pattern`?"),
        ("patern: plus\n01\n", "did you mean `pattern`?"),
        ("target: lit\n01\n", "did you mean `goal`?"),
        ("pattern: Plus\n01\n", "did you mean `plus`?"),
        ("pattern: +\n01\n", "did you mean `plus`?"),
        ("pattern: torus\n01\n", "did you mean `torus-plus`?"),
        ("rule: lits\n01\n", "did you mean `lit`?"),
        ("rule: none\n01\n", "did you mean `any`?"),
        (
            "goal: off\n01\n",
            "board:1: unknown goal 'off'; known: lit, unlit, pressed, a grid after the "
            "board's; did you mean `unlit`?",
        ),
        ("#..\n.#.\n.#\n", "board:3: this row has 2 cells, the first row has 3"),
        ("🟨⬛\n⬛z\n", "board:2: 'z' in column 2 is not a cell"),
        ("X . # .\n. X . #\n", "may both mean lit"),
        ("._\n#.\n", "may both mean dark"),
        ("012\n210\n", "two states"),
        ("#,,#\n##,#,#\n", "stand together"),
        ("0,0,1\n0,1\t1\n", "board:2: tabs and ',': only one of them"),
        ("#  #\n#  #\n", "a column of blanks"),
        ("###\n", "no grid"),
        ("#1.2x2.plus.any.lit.gg", "the link to a board is damaged"),
        ("#1.2x2.plus.any.lit.ü", "the link to a board is damaged"),
        ("#1.0x2.plus.any.lit.", "the link to a board is damaged"),
        ("#1.2x2.plus.many.lit.g", "unknown rule 'many'"),
        ('{"schema": "ponder.result/1", "board": {"sha256": "00"}}', "a result, not a board"),
        ("#####\n# title\n#####\n01.\n", "board:4: '.' in column 3 is not a cell"),
        ('{"nodes": 2, "goal": "off"}', "did you mean `unlit`?"),
        ('{"nodes": 2, "Rule": "lit"}', "did you mean `rule`?"),
        ("pattern: plus\npattern: king\n01", "board:2: the key 'pattern' is repeated"),
        ("01\npattern: plus\n", "board:2: 'pattern: plus' comes too late"),
        ("01\ngoal: unlit\n", "board:2: 'unlit' comes too late"),
        ("goal:\n01\n", "board:1: the goal grid after `goal:` belongs after"),
        ("goal: lit\n01\ngoal:\n11\n", "board:3: the goal is given twice"),
        ("01\ngoal:\n1\n", "board:3: the goal grid is 1×1, the board 1×2"),
        ("01\ngoal:\n", "the goal grid after `goal:` is empty"),
        ("0-\ngoal:\n00\n", "holes elsewhere"),
        ("00\ngoal:\n0-\n", "holes elsewhere"),
        ("01\ngoal:\n1\n11\n", "board:4: this row has 2 cells"),
        ("--\n--\n", "no bulbs"),
        ("pattern: stencil 0,1\n01\n", "board:1: the stencil is not symmetric"),
        ("{", "board:1: no valid JSON"),
        ("{}", "`nodes` is missing"),
        ('{"nodes": 0}', "at least one node"),
        ('{"nodes": []}', "at least one node"),
        ('{"nodes": true}', "must be a number or a list"),
        ('{"nodes": 999999999999}', "too many"),
        ('{"nodes": 3,\n"edges": [[0,0]]}', "board:2: edges[0] joins 0 to itself"),
        ('{"nodes": 3, "edges": [[0,1],[1,0]]}', "edges[1] repeats the edge"),
        ('{"nodes": 3, "edges": [[0,3]]}', "the node 3, which is missing"),
        ('{"nodes": ["a","a"]}', "the node 'a' is repeated"),
        ('{"nodes": ["a", 1.5]}', "nodes[1] is 1.5"),
        ('{"nodes": ["a"], "edges": [["a","b"]]}', "the node 'b', which is missing"),
        ('{"nodes": 3, "edges": [[0,1,2]]}', "an edge is a pair"),
        ('{"nodes": 3, "edges": 5}', "must be a list of pairs"),
        ('{"nodes": 2, "lit": [0]}', "`lit` must be a list of 2"),
        ('{"nodes": 2, "lit": [0,2]}', "lit[1] is 2"),
        ('{"nodes": 2, "goal": "dark"}', "unknown goal 'dark'"),
        ('{"nodes": 2, "rule": ["x"]}', "unknown rule"),
        ('{"nodes": 2, "nodes": 3}', "the key 'nodes' is repeated"),
        ('{"nodes": 2, "colour": 1}', "unknown key 'colour'"),
        ('{"nodes": 1} extra', "no valid JSON"),
        ("10#1\n01#0\n", "1: '#' in column 3 is not a cell"),  # and no comment
        ("🟥🟦\n🟦🟥\n", "1: 🟥 and 🟦 may both mean lit"),
        ("🟥-🟦\n", "1: 🟥 and 🟦 may both mean lit"),
        ("OO\nOO\n", "1: 'O' alone may mean lit or dark"),
        ("⬜⬜\n", "'⬜' alone may mean lit or dark"),
        ("1 0 -1\n-1 0 1\n", "1: '-1' is no cell"),
        ("00 1\n0 01\n", "1: '1' is no cell, or 1 cell: put a blank between all cells"),
        ("0,0,10\n0,1,1\n", "1: '10' is no cell"),
        ("010\n---\n101\n", "2: --- may be a row of holes, or a rule"),
        ("01\n10\nGoal:\n10\n01\n", "3: 'Goal:' comes too late"),
        ("u v\nv w\n", "--format edges"),
        ("0,1\n1,0\n,\n1,1\n", "3: an empty cell"),
        (",0,1\n0,0,1\n1,1,0\n", "1: an empty cell"),
        ("\t.\t#\n\t#\t.\n", "1: an empty cell"),
        ("0,1,,\n1,0,,\n", "1: an empty cell"),
        ("  1 0\n0   1\n0 1\n", "1: blanks of different widths"),
        ("# a\n. #   #\n#   . #\n", "2: blanks of different widths"),
        ("● -\n● ●\n", "1: '-' may be dark or no bulb"),
        ("[#.#]\n", "is not a machine"),
        ("0.0,1.0\n1.0,0.0\n", "cells are 0, 1 and -"),
        *(
            (text, "cells are 0, 1 and -")
            for text in (
                "TRUE,FALSE\nFALSE,TRUE\n",
                "on off\noff on\n",
                "1. 01\n2. 10\n",
                "* 01\n* 10\n",
                "1: 0011\n2: 0101\n",
            )
        ),
        ("4 4\n0011\n1101\n0110\n0001\n", "1: '4 4' is the size of the grid below"),
        ("2 2\n0 1\n1 0\n", "1: '2 2' is the size of the grid below"),
        *((text, "board: this is no text") for text in ("0\x001\x00\n", "PK\3\4 a\n", "BZh91AY")),
        ("<!DOCTYPE html>\n<svg/>", "this is a page in HTML"),
        ("*Vertices 2\n1 a\n", "this is for Pajek or Gephi"),
        ("<?xml version='1.0'?>\n<gexf xmlns='a'>", "this is for Pajek or Gephi"),
    ],
)
def test_bad_boards(text: str, message: str) -> None:
    with pytest.raises(BoardError) as caught:
        parse_board(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("board")


EXAMPLES = {
    "json": ['{"nodes": 2, "edges": [[0, 1]]}', '{"lights": 1, "buttons": [{"toggles": [0]}]}'],
    "machine": ["[.##.] (1) (2)", "1. [.##.] (1) (2)\n2. [##] (0,1)\n", "- [##] (0,1) {3,5}"],
    "link": ["see https://a.b/#1.2x3.cross.unlit.lit.w"],
    "list": ["[[0, 1], [1, 0]]", "array([[0, 1]])", "[[false, true]]"],
    "gml": ['graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]'],
    "graphml": [
        "<?xml version='1.0'?><graphml xmlns='http://graphml.graphdrawing.org/xmlns'>"
        "<graph edgedefault='undirected'><node id='a'/></graph></graphml>",
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="undirected">'
        """<node id="O'B"/><node id="R&amp;D&lt;&quot;"/><!-- <edge source="1"/> -->"""
        """<edge source="O'B" target="R&amp;D&lt;&quot;"/></graph></graphml>""",
    ],
    "dimacs": ["c a comment\np edge 3 1\ne 1 2\n"],
    "graph6": ["DQc", ">>graph6<<Bw"],
    "edges": ["1 2\n2 3\n", "source,target\n1,2\n", "3 2\n1 2\n2 3\n", "0 1 {'w': 3}\n1 2 {}\n"],
    "grid": ["01\n10\n", "#.\n.#\n", "pattern: plus\n01\n10\n", ",1,\n1,,\n,,1\n", "X O\nO X\n",
             ";1;\n1;;\n", "0\u20031\n1\u20030\n"],
}  # fmt: skip
LOOKALIKES = {
    "json": ['{"nodes": [{"id": 1}], "links": []}', '{"directed": false, "nodes": 1}',
             '{"schema": "ponder.result/2"}', "{a: 1}"],
    "machine": ["[.##] x", "[a] (1)", "[.#] (9)"],
    "link": ["#1.2x2.plus.any.lit.gg", "#1.0x2.plus.any.lit.", "#1.2x2.plus.many.lit.g"],
    "list": ["[0, 1, 1]", "[[0, 2], [1, 0]]", "[[0, 1], [1, 0]"],
    "gml": ["graph { a -- b }", "digraph g {\n a -> b }", "graph [ node [ id 1 ]"],
    "graphml": ["<html>", "<graphml>", "<?xml version='1.0'?>"],
    "dimacs": ["p cnf 3 2\n1 2 0\n", "p tw 3 2\n1 2\n", "p edge 3 2\ne 1 2\n"],
    "graph6": [">>digraph6<<&B", ";Bw", "DQcc"],
    "edges": ["one two\ntwo three\n", "(0, 1)\n(1, 2)\n", "1 2\n2 1\n",
              "1 first\n2 second\n#\n1 2\n", "%%MatrixMarket matrix\n1 2\n",
              "1 2\n2 3 // note\n", "a: 1\n b: 2\n"],
    "grid": ["01\n\n10\n", "#Life 1.06\n0 0\n", "x = 3, y = 3\nbo$2bo$3o!\n", ":black:\n:white:\n",
             "0 1 2\n", "two words\nare prose\n"],
}  # fmt: skip


@pytest.mark.parametrize("name", FORMATS)
def test_each_format_is_told_by_its_text(name: str) -> None:
    """Its examples are read, as that format; what looks like it is refused in one line."""
    for text in EXAMPLES[name]:
        assert format_of(normalised(text.encode()), "file") == name
        if "\n2. [" not in text:
            assert parse_board(text).graph.size
    for text in LOOKALIKES[name]:
        with pytest.raises(BoardError) as caught:
            parse_board(text)
        assert "\n" not in str(caught.value)


def test_names_in_words_are_edges_where_it_is_said(tmp_path: Path) -> None:
    text = "one two\ntwo three\n"
    for empty in ("", "# a\n"):
        with pytest.raises(BoardError, match="there is no graph in it"):
            parse_graph(empty.encode(), format="graph6")
    (tmp_path / "words.edges").write_text(text)
    assert read(tmp_path / "words.edges").sha256 == parse_board(text, format="edges").sha256
    assert parse_graph(text.encode(), format="edges").names == ["one", "two", "three"]
    with pytest.raises(BoardError, match="format"):
        parse_board(text, format="words")


def test_headers_directions_and_repeats_of_edge_lists() -> None:
    graph = parse_graph(b"4 3\n1 2\n2 3\n3 1\n")
    assert (graph.names, len(graph.edges), len(graph.remarks)) == ([1, 2, 3, 4], 3, 1)
    assert len(parse_graph(b"4 3\n1 2\n2 3\n5 1\n").edges) == 4  # 5 is too large a name
    both = b"p edge 3 4\ne 1 2\ne 2 1\ne 2 3\ne 3 2\n"
    assert parse_graph(both).edges.tolist() == [[0, 1], [1, 2]]
    assert parse_graph(both.replace(b"\n", b"\r\n")).edges.tolist() == [[0, 1], [1, 2]]
    for spoilt in (both.replace(b"e 3 2\n", b""), both.replace(b"3 4", b"3 3"), both + b"e 1 2\n"):
        with pytest.raises(BoardError):
            parse_graph(spoilt)
    node, edge = "node [ id {0} {1} ]", "edge [ source {} target {} ]"
    for labels in ("", 'label "x"'):
        nodes = " ".join(node.format(k, labels) for k in (1, 2, 3))
        text = f"graph [ {nodes} {edge.format(1, 2)} {edge.format(3, 2)} ]"
        assert parse_graph(text.encode()).edges.tolist() == [[0, 1], [1, 2]]
    for change in (("graph [", "graph [ directed 1"), (edge.format(3, 2), edge.format(1, 2))):
        with pytest.raises(BoardError):
            parse_graph(text.replace(*change).encode())


def test_boards_with_blank_lines_between_them(tmp_path: Path) -> None:
    (tmp_path / "two.txt").write_text(
        "# first\n01\n10\n\n\n#.\n.#\n".replace("#.", "10").replace(".#", "01")
    )
    asked = list(questions(tmp_path / "two.txt"))
    assert [each.line for each in asked] == [2, 6]
    assert [rows_of(parse_board(each.data)) for each in asked] == [
        [[0, 1], [1, 0]],
        [[1, 0], [0, 1]],
    ]
    (tmp_path / "machines.txt").write_text("> [.#] (1)\n> [##] (0,1)\n")
    assert [each.line for each in questions(tmp_path / "machines.txt")] == [1, 2]
    (tmp_path / "blanks.txt").write_text("01\n10\n \t \n10\n01\n")
    assert [each.line for each in questions(tmp_path / "blanks.txt")] == [1, 4]
    (tmp_path / "rows.txt").write_text("01\n\n10\n")
    with pytest.raises(BoardError, match="one board"):
        list(questions(tmp_path / "rows.txt"))
    (tmp_path / "heads.txt").write_text("rule: any\n\n01\n\ngoal:\n10\n\nrule: lit\n1\n0\n")
    assert [parse_board(each.data).rule for each in questions(tmp_path / "heads.txt")] == [
        "any",
        "lit",
    ]


def test_a_drawing_is_read_as_the_board_that_it_shows() -> None:
    for text in ("-10\n0-1\n01-\n", "0-1\n1-0\n", "-00\n", "-1\n"):
        for ascii_only in (False, True):
            board = parse_board(text)
            drawn = "\n".join(draw(board, ascii_only=ascii_only))
            if "●" in drawn and "○" not in drawn:
                with pytest.raises(BoardError):
                    parse_board(drawn)
            else:
                assert parse_board(drawn).sha256 == board.sha256


def test_remarks_say_what_was_not_clear() -> None:
    assert parse_board("XO\nOX").remarks
    assert parse_board("-x\nx-").remarks
    assert parse_board("[.#] (0) {3}").remarks
    assert not parse_board("X.\n.X").remarks


@given(st.binary())
def test_any_bytes_give_a_board_or_a_clean_error(data: bytes) -> None:
    message = ""
    try:
        board = parse_board(data)
        assert parse_board(board_text(board)).sha256 == board.sha256
    except BoardError as error:
        message = str(error)
    assert "\n" not in message


ALPHABET = st.sampled_from([*b'01-01-01- ,\n\n\r#:{}[]"gp', 0xEF, 0xBB, 0xBF])
WORDS = st.sampled_from(
    [b"goal:", b"pattern: plus\n", b"rule: lit\n", b'{"nodes": 2', b"\n01\n10\n"]
)


@given(st.lists(st.one_of(ALPHABET.map(lambda c: bytes([c])), WORDS)).map(b"".join))
def test_nearly_boards_give_a_board_or_a_clean_error(data: bytes) -> None:
    test_any_bytes_give_a_board_or_a_clean_error.hypothesis.inner_test(data)  # type: ignore[attr-defined]


@given(st.data())
def test_text_round_trip(data: st.DataObject) -> None:
    rows, columns = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 5))
    cell = st.sampled_from("01-")
    grid = ["".join(data.draw(cell) for _ in range(columns)) for _ in range(rows)]
    if not any(set(row) & set("01") for row in grid):
        return
    board = Board.from_rows(
        grid,
        pattern=data.draw(st.sampled_from(["cross", "plus", "torus-king", "stencil 1,2 -1,-2"])),
        rule=data.draw(st.sampled_from(["unlit", "lit", "any"])),
        goal=data.draw(st.sampled_from(["lit", "unlit"])),
    )
    again = parse_board(board_text(board))
    assert again.sha256 == board.sha256
    assert np.array_equal(again.lit, board.lit)


def test_different_puzzles_have_different_names() -> None:
    texts = [
        "00\n00",
        "0000",
        "0\n0\n0\n0",
        "00\n01",
        "0-\n00",
        "rule: lit\n00\n00",
        "goal: unlit\n00\n00",
        "pattern: plus\n00\n00",
        '{"nodes": 4}',
        '{"nodes": 4, "edges": [[0,1]]}',
        '{"nodes": ["a","b","c","d"]}',
    ]
    assert len({parse_board(text).sha256 for text in texts}) == len(texts)
    # results are about a board by its name, so a name stays what it is
    kept = [parse_board(text).sha256[:8] for text in ("01\n10\n", texts[9], "[.#] (0) (1)")]
    assert kept == ["165764dd", "d6859d9f", "b07349bc"]


def test_large_board_has_no_loop_over_cells() -> None:
    # A Python loop over nine million cells would make this the slowest test by far.
    rng = np.random.default_rng(0)
    grid = rng.integers(0, 2, (3000, 3000), dtype=np.uint8)
    lines = np.concatenate([grid + 48, np.full((3000, 1), 10, np.uint8)], axis=1).tobytes()
    assert np.array_equal(parse_board(lines).lit, grid.reshape(-1) == 1)
    spaced = lines.replace(b"1", b"1 ").replace(b"0", b"0 ")
    assert np.array_equal(parse_board(spaced).lit, grid.reshape(-1) == 1)


def test_reading_files(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("01\n10\n")
    with gzip.open(tmp_path / "a.txt.gz", "wb") as file:
        file.write(b"01\n10\n")
    assert read(tmp_path / "a.txt").sha256 == read(tmp_path / "a.txt.gz").sha256
    assert read(tmp_path / "a.txt").name == "a"
    (tmp_path / "bad.gz").write_bytes(b"no gzip")
    for bad in (tmp_path / "none.txt", tmp_path, tmp_path / "bad.gz", "a\0b"):
        with pytest.raises(BoardError, match="cannot be read"):
            read(bad)


@pytest.mark.parametrize(
    ("text", "bulbs"),
    [
        ("0 1\n1 1\n", [1, 3]),
        ("(0,1) # first\n\n[1, 1]\n", [1, 3]),
        ("[[1,1],[0,0]]", [3, 0]),
        ('{"presses": [[1,0]], "other": 1}', [2]),
        ("010\n011", [1, 4, 5]),
        ("[(0, 1), (1, 1)]", [1, 3]),
        ("2 presses, each bulb at most once\n\n  (0,1) (1,1)\n", [1, 3]),
        ("a: 2×2 plus; press any bulbs\n\n1 press\n  (0,1)\n\nnot fewer: no\n\nlines, 4 ms", [1]),
        ("0 presses; replayed\n\nlines, 4.4 ms\n", []),
        ("0, 1\n1;1\n1 0\n", [1, 3, 2]),
        ("[(\u200b0,\u00a01), (1, 1)]", [1, 3]),
        ("[]", []),
    ],
)
def test_press_lists(text: str, bulbs: list[int]) -> None:
    board = Board.from_rows(["000", "000"] if "010" in text else ["00", "00"])
    if "0 1\n" in text:  # two rows of two cells are a grid as well
        with pytest.raises(BoardError):
            parse_presses(text.encode(), board)
        board = Board.from_rows(["00", "00", "00"])
    assert parse_presses(text.encode(), board).tolist() == bulbs


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0 9", "presses:1: there is no bulb at (0,9)"),
        ("hello", "is not a press"),
        ("[[0,1],\n[0,9]]", "presses:2: there is no bulb at (0,9)"),
        ("[[0]]", "is no place"),
        ("[[0,0.5]]", "is no place"),
        ("[(0, 1), (O, 1)]", "'(O, 1)' in column 10"),
        ("[(0, 1), (1, 1", "no end"),
        ("(0, 1]", "is no place"),
        ('{"a": 1}', "no list of presses"),
        ("[", "is no place"),
        (" \n", "empty: `[]` says no presses"),
        ("# nothing\n", "empty: `[]` says no presses"),
        ("2 presses: (0,0) (0,1)\n", "presses:1: '2 presses: (0,0) (0,' in column 1 is no place"),
        ("(0,0)\n2 presses left: (0,1) (1,1)\n", "presses:2: '2 presses left"),
        ("# a\n3 presses\n (0,0)\n(0,1)\n\n(1,1)", "2: 3 presses by this line, but 2 follow"),
        ("0 presses\n(0,0)\n", "0 presses by this line, but 1 follow"),
    ],
)
def test_bad_press_lists(text: str, message: str) -> None:
    with pytest.raises(BoardError) as caught:
        parse_presses(text.encode(), Board.from_rows(["00", "00", "00"]))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_places_in_the_coordinates_of_the_puzzle_page() -> None:
    board = Board.from_rows(["0011", "1101", "0110", "0001"])
    presses = ponder.order(board).presses
    assert presses is not None
    xy = [(int(v) % 4 + 1, 4 - int(v) // 4) for v in presses]
    for text in (
        str(xy),
        json.dumps(xy),
        "\n".join(f"{x} {y}" for x, y in xy),
        repr(tuple(xy))[1:-1],
    ):
        answer = parse_presses(text.encode(), board, coordinates="xy")
        assert answer.tolist() == presses.tolist()


def test_presses_of_a_graph() -> None:
    board = parse_board('{"nodes": ["a", "b", 7]}')
    assert parse_presses(b"b\n7\n", board).tolist() == [1, 2]
    assert parse_presses(b'["a", 7]', board).tolist() == [0, 2]
    assert parse_presses(b"2 presses\n\n  b a\n\nnot fewer than 2: no\n", board).tolist() == [1, 0]
    both = parse_board('{"nodes": [1, "1", "a b"]}')
    assert parse_presses(b"1\na b\n1 1\n", both).tolist() == [1, 2, 1, 1]
    with pytest.raises(BoardError, match="presses:1: there is no bulb '00'"):
        parse_presses(b"00\n", parse_board('{"nodes": 2}'))  # a row of a grid, perhaps


def test_files_are_written_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    with whole_file(target) as file:
        json.dump({"a": 1}, file)
    assert json.loads(target.read_text()) == {"a": 1}

    def spoil() -> None:
        with whole_file(target) as file:
            file.write("half")
            raise RuntimeError("interrupted")

    with pytest.raises(RuntimeError):
        spoil()
    assert json.loads(target.read_text()) == {"a": 1}
    assert [p.name for p in tmp_path.iterdir()] == ["out.json"]
    with pytest.raises(BoardError, match="cannot be written"), whole_file(tmp_path / "no" / "x"):
        pass


@pytest.mark.parametrize(
    ("name", "text", "format", "parts"),
    [
        ("a.txt", "Bw\nDQc\n", "graph6", {1: "Bw", 2: "DQc"}),
        ("a.g6", "@\n@\n", None, {1: "@", 2: "@"}),
        ("a.G6.gz", "@\n@\n", None, {1: "@", 2: "@"}),
        ("a.txt", "# machines\n[.#] (1)\n# one\n[#.] (0)\n", None, {2: "[.#] (1)", 4: "[#.] (0)"}),
        ("a.txt", "01\n\n10\n11\n", "grid", {1: "01", 3: "10\n11"}),
        ("a.txt", "goal: unlit\n01\n\ngoal: unlit\n10\n", None, {1: None, 4: None}),
        ("a.txt", "011\n\n0110\n", None, {1: "011", 3: "0110"}),
        ("a.txt", "K~~~~~~~~~~~\nBw\n", None, {1: "K~~~~~~~~~~~", 2: "Bw"}),  # no fence
        ("a.edges.xz", "0 1\n", None, {None: "0 1"}),
    ],
)
def test_the_questions_of_a_file(
    tmp_path: Path, name: str, text: str, format: str | None, parts: dict[int | None, str | None]
) -> None:
    """By its lines, its ending, packed or not, in UTF-8 and UTF-16."""
    for encoding in ("utf-8", "utf-16"):
        with packed_file(tmp_path / name) as file:
            file.write(text.encode(encoding))
        asked = list(questions(tmp_path / name, format))
        assert [each.line for each in asked] == list(parts)
        for each in asked:
            part = parts[each.line]
            assert part is None or each.data.decode().strip() == part
            parse_board(each.data, each.source, format=each.format)


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("XOX\nOXO\n\nOOO\nOOX\n\nO.O\n", "'O' means lit here, and dark in the board of line 1"),
        ("⬛⬜🟩\n⬛⬛⬛\n\n⬛⬜⬜\n", "'⬛' means dark here, and no bulb in the board of line 1"),
        (".#-\n#..\n\n#-#\n-##\n", "'-' means dark here, and no bulb in the board of line 1"),
    ],
)
def test_boards_of_a_text_use_their_signs_alike(tmp_path: Path, text: str, sign: str) -> None:
    (tmp_path / "a.txt").write_text(text)
    with pytest.raises(BoardError, match=sign):
        list(questions(tmp_path / "a.txt"))


def test_an_edge_may_be_called_like_columns(tmp_path: Path) -> None:
    with pytest.raises(BoardError, match="1: 'u v': the names of the columns, or an edge"):
        parse_graph(b"u v\nv w\nw u\n", "a.edges")
    for text in ("id_1,id_2\n1,2\n2,3\n", "Source Vertex\n1 2\n"):
        with pytest.raises(BoardError, match=r"1: '.*': the names of the columns, or an edge"):
            parse_graph(text.encode())
    for line in ("(0, 1)", "('a', 'b')", "(a, b)", '"Smith, A","Bob"', "a,b c,d", "[x y]"):
        with pytest.raises(BoardError, match=r"1: .*: write two names, `a,b`, without quotes"):
            parse_graph(line.encode(), "a.edges")
    assert parse_graph(b"O'Brien,x(1)\n", format="edges").names == ["O'Brien", "x(1)"]
    graph = parse_graph(b"source,target\na,b\n", "a.edges")
    assert (graph.names, len(graph.remarks)) == (["a", "b"], 1)
    assert parse_graph(b"from to\n1 2\n").remarks == ()
    with pytest.raises(BoardError, match="a plain graph"):
        parse_board("0 1\n1 2\n", "a.edges", goal="1 2")
