"""Boards worth playing: the same in Python and in JavaScript, in order, of their grade."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import numpy as np
import pytest

import ponder
from ponder.apps.studies import boards_to_play
from ponder.apps.studies.boards_to_play import PuzzleFamily, board_to_play, daily
from ponder.apps.studies.generate import CannotGenerate
from ponder.model.board import Board
from ponder.model.formats import board_text
from ponder.model.graph import GridGraph
from ponder.model.presets import GRADES, PUZZLES
from tests.apps.page import puzzles
from tests.processes import HANG

STATIC = puzzles.MODULE.parent

ASKED = """
import { readFileSync } from "node:fs";
import { Board } from "./board.js";
import { boardToPlay, daily } from "./generator.js";
import { hashOf } from "./link.js";
const { made, days } = JSON.parse(readFileSync(0, "utf8"));
const found = made.map(([text, grade, seed]) => {
  try {
    const found = boardToPlay(Board.fromText(text), grade, seed);
    const { board, presses, measure, percent, grade: got } = found;
    return { text: board.text, link: hashOf(board), presses, measure, percent, grade: got };
  } catch (error) { return { error: error.message }; }
});
const dates = days.map((day) => {
  const { puzzle, rows, columns, grade, seed } = daily(day);
  return [puzzle.key, rows, columns, grade, seed];
});
console.log(JSON.stringify({ found, dates }));
"""


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Asks the page's own modules in node for boards and for dates."""
    program = shutil.which("node")
    if program is None:
        pytest.skip("node is not installed: JavaScript cannot be compared")
    folder = tmp_path_factory.mktemp("modules")
    for file in STATIC.glob("*.js"):
        shutil.copy(file, folder)
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "asked.js").write_text(ASKED)

    def ask(made: list[Any], days: list[str]) -> Any:
        done = subprocess.run(
            [program, str(folder / "asked.js")],
            input=json.dumps({"made": made, "days": days}),
            capture_output=True,
            text=True,
            check=False,
            timeout=HANG,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return ask


def in_python(text: str, grade: str, seed: int) -> dict[str, Any]:
    template = ponder.parse_board(text)
    assert isinstance(template.graph, GridGraph)
    try:
        found = board_to_play(template, grade, seed)
    except CannotGenerate as error:
        return {"error": str(error)}
    cells = template.graph.cells[found.presses].tolist()
    return {
        "text": board_text(found.board),
        "presses": cells,
        "measure": found.measure,
        "percent": found.percent,
        "grade": found.grade,
    }


def header(pattern: str, rule: str = "unlit", goal: str = "lit") -> str:
    return f"pattern: {pattern}\nrule: {rule}\ngoal: {goal}\n"


def asked_for() -> list[tuple[str, str, int]]:
    """A thousand boards: puzzles, sizes, grades and seeds, and boards of one's own."""
    made = []
    for puzzle in PUZZLES:
        head = header(puzzle.pattern, puzzle.rule, puzzle.goal)
        for rows, columns in [(3, 3), (4, 4), (5, 5), (4, 7), (6, 6), (8, 8), (10, 10)]:
            text = head + ("0" * columns + "\n") * rows
            for grade in GRADES:
                seeds = [*range(6), 20261122, 2**32 + 5, 2**53 - 1]
                made += [(text, grade, seed) for seed in seeds[: 9 if rows < 8 else 3]]
    dark = ("0" * 6 + "\n") * 5
    own = [
        header("stencil 1,2 -1,-2 0,1 0,-1") + dark,
        header("torus-king", "lit", "unlit") + dark,
        header("cross") + "00-0\n0000\n-000\n0000\n",
        header("plus", "any") + "0-00\n0000\n00-0\n",
        "pattern: plus\nrule: unlit\n0000\n0000\n0000\ngoal:\n1010\n0101\n1111\n",
        header("torus-plus", "any") + ("0" * 20 + "\n") * 20,  # too many quiet patterns to list
        header("cross") + ("0" * 21 + "\n") * 20,  # too large to be played
        header("plus", "lit") + dark,  # cannot be won
        header("plus", "any") + "0\n",
    ]
    return made + [(text, grade, seed) for text in own for grade in GRADES for seed in range(3)]


def named(found: dict[str, Any]) -> dict[str, Any]:
    """An answer with its board's name for its text, which may list a stencil in another order."""
    if "text" in found:
        found["text"] = ponder.parse_board(found["text"]).sha256
    return found


def test_a_thousand_boards_are_the_same_in_both_languages(node: Any) -> None:
    made = asked_for()
    assert len(made) >= 1000
    found = node(made, [])["found"]
    for asked, theirs in zip(made, found, strict=True):
        link = theirs.pop("link", None)
        assert named(theirs) == named(in_python(*asked)), asked
        assert link is None or ponder.parse_board(link).sha256 == theirs["text"]  # its board's name


def test_the_board_of_a_day_is_the_same_in_both_languages(node: Any) -> None:
    days = [date(2026, 11, 1) + timedelta(days=37 * k) for k in range(60)]
    ours = []
    for day in days:
        made, seed = daily(day)
        ours.append([made.puzzle.key, made.rows, made.columns, made.grade, seed])
    assert node([], [str(day) for day in days])["dates"] == ours


def test_the_page_has_the_puzzles_of_python() -> None:
    assert puzzles.MODULE.read_text(encoding="utf-8") == puzzles.module()


@pytest.mark.parametrize("grade", GRADES)
@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.key)
def test_boards_have_an_order_and_are_not_solved(puzzle: Any, grade: str) -> None:
    side = puzzle.sizes[GRADES.index(grade)]
    family, graded = PuzzleFamily(puzzle, side, side, grade), 0
    names = set()
    for seed in range(50):
        found = family.played(seed)
        board = found.board
        assert not (board.lit == board.goal).all()
        assert ponder.order(board).verdict == "solved"
        pressed = board.graph.set_of(found.presses)
        assert (board.graph.apply(pressed) == board.change).all()
        graded += found.grade == grade
        names.add(board.sha256)
    assert graded >= 40  # else the usual size is the wrong one for this grade
    assert len(names) >= 45


def test_a_grade_is_what_plays_and_press_sets_say() -> None:
    """`stuck` again, by playing with another source of chance; `fewest` by the solver."""
    rng = np.random.default_rng(7)
    for grade, low, high in [("easy", 0.0, 0.35), ("expert", 0.45, 1.0)]:
        family = PuzzleFamily(PUZZLES[1], 6, 6, grade)
        for seed in range(5):
            found = family.played(seed)
            halts = sum(_halts(found.board, found.presses.tolist(), rng) for _ in range(300))
            assert low <= halts / 300 <= high, (grade, seed)
    for seed in range(10):
        found = PuzzleFamily(PUZZLES[2], 5, 5, "hard").played(seed)
        fewest = ponder.solve(replace(found.board, rule="any"))
        assert (fewest.optimal, fewest.count) == (True, found.presses.size)


def _halts(board: Board, presses: list[int], rng: np.random.Generator) -> bool:
    """Whether a random legal play of some presses comes to a halt before it is through."""
    lit, left = board.lit.copy(), list(presses)
    while left:
        legal = [v for v in left if not lit[v]]
        if not legal:
            return True
        pressed = legal[int(rng.integers(len(legal)))]
        left.remove(pressed)
        lit ^= board.graph.apply(board.graph.set_of([pressed]))
    return False


def test_what_cannot_be_played_is_refused_in_a_sentence() -> None:
    wanted = ponder.parse_board("rule: lit\ngoal: lit\n0000\n0000\n")
    with pytest.raises(CannotGenerate, match=r"Nobody can win this: .* all unlit it can be won"):
        board_to_play(wanted, "easy")
    with pytest.raises(CannotGenerate, match="from 1 to 10,000 bulbs"):
        PuzzleFamily(PUZZLES[0], 10**6, 10**6, "easy").played(1)
    with pytest.raises(ValueError, match="no grade"):
        board_to_play(wanted, "simple")


def test_the_random_numbers_are_the_same_on_machines_that_count_with_32_bits() -> None:
    narrow, wide = (
        boards_to_play._draws(7, np.arange(9, dtype=kind)) for kind in (np.int32, np.int64)
    )
    assert narrow.tolist() == wide.tolist()
    assert len(set(narrow.tolist())) == 9
