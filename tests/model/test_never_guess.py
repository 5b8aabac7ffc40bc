"""Texts with random mistakes: what is answered is what a strict reader sees, or it is refused.

Never another board or graph, never a traceback, never two lines. 10,000 mistakes a sample in the
deep tests.
"""

from __future__ import annotations

import random
import re
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ponder.find.solvers.clause_arrays import Sat, Unsat, parse_solver_output
from ponder.model.board import Board
from ponder.model.edge_graph import EdgeGraph
from ponder.model.formats import parse_board, parse_graph
from ponder.model.graph import GridGraph
from ponder.model.press_lists import parse_presses
from ponder.model.questions import questions
from ponder.model.wired_graph import WiringGraph
from ponder.system.errors import PonderError
from tests.depth import deep
from tests.model import strict

SAMPLES = {
    "digits": "0011\n1101\n0100\n",
    "digits apart": "0 0 1 1\n1 1 0 1\n",
    "digits with commas": "0, 1, 1\n1, 0, 1\n",
    "digits with holes": "# a comment\n01-0\n1-11 # the end\n",
    "header": "pattern: king\nrule: lit\ngoal: unlit\n010\n111\n",
    "goal": "rule: any\n0-1\n110\ngoal:\n1-0\n001\n",
    "puzzle": "# a title\npuzzle: lights-out\n\n.#.\n##.\n",
    "empty cells": ",1,\n1,,\n,,1\n",
    "tabs": "1\t\t1\n\t1\t\n",
    "semicolons": "0;1;\n1;0;\n",
    "picture": "#.#.\n.#.#\n##..\n",
    "picture apart": ". . # #\n# # . #\n",
    "picture with holes": "# . -\n. # #\n",
    "blanks are dark": "# #\n ##\n#  \n",
    "noughts and crosses": "XOX\nOXO\n",
    "crosses and dashes": "-x-\nxx-\n",
    "circles": "○●●\n●○●\n",
    "squares": "🟨⬛🟨\n⬛🟨🟨\n",
    "fence": "```\n0011\n1101\n```\n",
    "quote": "> 0011\n> 1101\n",
    "returns": "\ufeff0011\r\n1101\r\n",
    "list": "[[0, 1, 1], [1, 0, 0]]",
    "numpy": "[[0 1 1]\n [1 0 0]]",
    "array": "array([[False, True],\n       [True, True]])",
    "link": "see https://a.b/#1.2x3.cross.unlit.lit.w",
    "graph": '{"nodes": 4, "edges": [[0, 1], [1, 2], [2, 3]], "lit": [0, 1, 0, 1]}',
    "named graph": '{"nodes": ["a", "b", 7],\n"edges": [["a", "b"], [7, "a"]], "goal": [0, 1, 1]}',
    "wiring": '{"lights": 3, "buttons": [{"toggles": [0, 2], "at": 2}, {"toggles": [1]}]}',
    "machine": "[.##.] (3) (1,3) (2) (2,3) {3,5,4,7}",
    "numbered machine": "1. [.##.] (0) (1, 3)\n",
    "edges": "1 2\n2 3\n3 4\n4 1\n",
    "edges with commas": "source,target\n1,2\n2,3\n",
    "edges with a header": "4 3\n1 2\n2 3\n3 1\n",
    "edges with data": "0 1 {'w': 3}\n1 2 {}\n5:\n",
    "dimacs": "c a comment\np edge 4 3\ne 1 2\ne 2 3\ne 3 4\n",
    "dimacs twice": "p edge 3 4\ne 1 2\ne 2 1\ne 2 3\ne 3 2\n",
    "graph6": "DQc",
    "sparse6": ":Fa@x^",
    "headed graph6": ">>graph6<<Bw",
    "gml": 'graph [\n node [ id 1 label "a" ]\n node [ id 2 label "b" ]\n node [ id 3 label "c" ]\n'
    " edge [ source 1 target 2 ]\n edge [ source 3 target 2 ]\n]\n",
    "gml without labels": "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]",
    "graphml": "<?xml version='1.0'?>\n<graphml xmlns='http://graphml.graphdrawing.org/xmlns'>\n"
    "<graph edgedefault='undirected'>\n<node id='1'/><node id='2'/>\n"
    "<edge source='1' target='2'/>\n</graph></graphml>",
}  # fmt: skip
MANY = {
    "machines": "[.##.] (3) (1,3)\n[.#] (0) (1)\n\n- [##] (0,1) {3,5}\n",
    "graphs": "Bw\nDQc\nCr\n",
    "lines of JSON": '{"nodes": 2, "edges": [[0, 1]]}\n{"nodes": 3, "edges": [[0, 2]]}\n',
    "tabs below a dark row": "\t\t\n1\t\t1\n\t1\t\n",
    "boards": "# first\n01\n10\n\n\n110\n011\n",
    "boards with headers": "rule: any\n01\n10\n\nrule: lit\n10\n11\n",
}
PRESSES = {
    "ponder's": "4 presses, each bulb at most once\n\n  (3,0) (0,1) (0,3) (1,1)\n",
    "IBM's": "[(2, 2), (1, 3), (0, 0)]",
    "JSON": "[[1, 1], [0, 2],\n [3, 3]]",
    "an object": '{"presses": [[1, 0], [2, 1]], "other": 1}',
    "lines": "0 1\n1 1 # second\n\n3 2\n",
    "lines with commas": "0, 1\n1, 1\n3, 2\n",
    "a grid": "0100\n0110\n0000\n1000\n",
}
OUTPUTS = {
    "competition": "c a solver\ns SATISFIABLE\nv 1 -2 3\nv -4 5 0\nc done\n",
    "minisat": "SAT\n1 -2 3 -4 5 0\n",
    "python-sat": "[1, -2, 3, -4, 5]",
    "refused": "c a solver\ns UNSATISFIABLE\n",
    "refused by minisat": "UNSAT\n",
    "given up": "c s UNKNOWN\nc UNKNOWN\n",
}
ANYTHING = [*"0123456789012-,;:.#X()[]{}\"'xo \n\t\r", "\n\n", "e ", "goal:\n", "\u00a0", "²", "☃"]


def mutated(text: str, rng: random.Random) -> str:
    """One to three mistakes: signs, words and lines changed, lost, doubled or moved."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        unit = rng.choice(("sign", "sign", "word", "line"))
        parts = {"word": text.split(" "), "line": text.split("\n"), "sign": [*text]}[unit]
        if not parts:
            return text
        k, other = rng.randrange(len(parts)), rng.randrange(len(parts))
        kind = rng.choice(("lose", "double", "swap", "insert", "change", "cut"))
        if kind == "lose":
            del parts[k]
        elif kind == "double":
            parts.insert(other, parts[k])
        elif kind == "swap":
            parts[k], parts[other] = parts[other], parts[k]
        elif kind == "cut":
            parts = parts[:k] if rng.random() < 0.3 else parts
        else:
            sign = rng.choice(parts if rng.random() < 0.3 else ANYTHING)
            parts[k : k + (kind == "change")] = [sign]
        text = {"word": " ", "line": "\n", "sign": ""}[unit].join(parts)
    return text


def seen(board: Board) -> Any:
    """What a board says, in the form of the strict readers."""
    graph = board.graph
    if isinstance(graph, GridGraph):
        rows = [tuple(graph.to_digits(bits)) for bits in (board.lit, board.goal)]
        return graph.pattern, board.rule, *rows
    if isinstance(graph, EdgeGraph):
        near = {v: {v, *graph.neighbours(v).tolist()} for v in range(graph.size)}
        presses = {graph.label(v): (frozenset(near[v]), v) for v in range(graph.size)}
    else:
        assert isinstance(graph, WiringGraph)
        presses = {
            graph.names[k]: (frozenset(graph.toggled[graph.owners == k].tolist()), int(graph.at[k]))
            for k in range(graph.presses)
        }
    lit, goal = (bits.astype(int).tolist() for bits in (board.lit, board.goal))
    return presses, lit, goal, board.rule


def mutations(text: str, number: int) -> list[str]:
    rng = random.Random(text)
    return [text, *(mutated(text, rng) for _ in range(number))]


def refused(error: PonderError, number: int = 1) -> None:
    """A text with mistakes, the first is none, is refused in a line."""
    assert number, error
    assert "\n" not in str(error)


@pytest.mark.parametrize("number", deep(100, 10_000))
@pytest.mark.parametrize("name", SAMPLES)
def test_boards_and_graphs(name: str, number: int) -> None:
    for k, text in enumerate(mutations(SAMPLES[name], number)):
        try:
            board = parse_board(text)
        except PonderError as error:
            refused(error, k)
        else:
            assert seen(board) in strict.readings(text), repr(text)
        graphs = {key: read for key, read in strict.READERS.items() if key not in strict.DRAWINGS}
        try:
            graph = parse_graph(text.encode())
        except PonderError as error:
            refused(error)
        else:
            dark = np.zeros(graph.size, dtype=bool)
            presses = [said[0] for said in strict.readings(text, graphs)]
            assert seen(Board(graph, dark, dark, "any"))[0] in presses, repr(text)


@pytest.mark.parametrize("number", deep(100, 10_000))
def test_edges_between_names_in_words(number: int) -> None:
    for k, text in enumerate(mutations("one two\ntwo,three # the end\nfour:\n", number)):
        try:
            graph = parse_graph(text.encode(), format="edges")
        except PonderError as error:
            refused(error, k)
        else:
            dark = np.zeros(graph.size, dtype=bool)
            said = strict.readings(text, {"edges": partial(strict.edge_list, words=True)})
            assert seen(Board(graph, dark, dark, "any"))[0] in [each[0] for each in said], repr(
                text
            )


@pytest.mark.parametrize("number", deep(100, 10_000))
@pytest.mark.parametrize("name", MANY)
def test_many_questions_in_a_file(name: str, number: int, tmp_path: Path) -> None:
    for k, text in enumerate(mutations(MANY[name], number)):
        (tmp_path / "many").write_text(text)
        try:
            asked = list(questions(tmp_path / "many"))
            boards = [seen(parse_board(each.data, format=each.format)) for each in asked]
        except PonderError as error:
            refused(error, k)
            continue
        apart = [line for line in strict.remarked(text).split("\n") if line.strip()]
        ways = [[text], apart]
        for blank in (r"(?m)^[ \u00a0]+$", r"(?m)^[ \t\u00a0]+$"):
            joined = re.sub(blank, "", strict.plain(text))
            joined = re.sub(r"(?m)^([a-z]+:[^\n]+\n)\n+", r"\1", joined)  # a header and its board
            parts = joined.split("\n\n")
            ways.append([part for part in parts if re.sub(r"(?m)#.*", "", part).strip()])
        said = [[strict.readings(part) for part in way] for way in ways if len(way) == len(boards)]
        fits = [all(b in r for b, r in zip(boards, each, strict=True)) for each in said]
        assert any(fits), repr(text)


@pytest.mark.parametrize("number", deep(100, 10_000))
@pytest.mark.parametrize("name", PRESSES)
def test_press_lists(name: str, number: int) -> None:
    board = Board.from_rows(["0000"] * 4)
    for k, text in enumerate(mutations(PRESSES[name], number)):
        try:
            pressed = parse_presses(text.encode(), board).tolist()
        except PonderError as error:
            refused(error, k)
        else:
            assert pressed in strict.presses(text, 4, 4), repr(text)


@pytest.mark.parametrize("number", deep(100, 10_000))
@pytest.mark.parametrize("name", OUTPUTS)
def test_solver_outputs(name: str, number: int) -> None:
    for k, text in enumerate(mutations(OUTPUTS[name], number)):
        try:
            outcome = parse_solver_output(text, 5)
        except PonderError as error:
            refused(error, k)
            continue
        said = outcome.literals.tolist() if isinstance(outcome, Sat) else "UNKNOWN"
        said = "UNSAT" if isinstance(outcome, Unsat) else said
        assert said in strict.model(text, 5), repr(text)
