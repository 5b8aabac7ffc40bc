"""The static module of the puzzles, from Python: `python -m tools.page_puzzles` writes it."""

from __future__ import annotations

import json
from pathlib import Path

from ponder.model.board import GOALS, RULES
from ponder.model.formats import board_text
from ponder.model.graph import STENCILS
from ponder.model.presets import GRADES, PUZZLES, SIDES, for_the_page
from ponder.model.shapes import shape
from ponder.page.board_data import page_text
from ponder.studies.boards_to_play import WEEK, PuzzleFamily

SHAPES = {
    "hexagon": "hexagon:3",
    "cube": "cube:2",
    "petersen": "petersen",
    "dodecahedron": "dodecahedron",
    "torus": "torus:5",
}
BAKED = 10  # boards that the page has before the engine is there
MODULE = Path(__file__).resolve().parents[1] / "ponder/page/static/puzzles.js"

HEAD = """\
// Puzzles by name, patterns, rules and goals; boards to begin with, each with its label. Made from
// Python by `python -m tools.page_puzzles`; a test compares. `GET /api/start` has puzzles too.

"""

TAIL = """
// Return why no board of a rule and a goal can be won, `{ sentence, nearest }`, where `nearest` is
// the goal under which the rule can be won; undefined where some can.
export function unwinnable(rule, goal) {
  return UNWINNABLE.find((one) => one.rule === rule && one.goal === goal);
}

// Return what to do, in a line; `goal` is one of GOALS.
export function ruleInWords(pattern, rule, goal) {
  const { wired, wanted } = WORDS;
  if (pattern === "wiring") return `${wired[rule]} ${wanted[goal]}`;
  const change = WORDS.changed[pattern] ?? "the bulbs that the pattern names change";
  return `Press ${WORDS.pressed[rule]}: ${change}. ${wanted[goal]}`;
}
"""


def module() -> str:
    """The text of the module."""
    offered = for_the_page()
    side = PUZZLES[0].sizes[0]
    first = PuzzleFamily(PUZZLES[0], side, side, GRADES[0])
    values = {
        "PUZZLES": offered["puzzles"],
        "WORDS": offered["words"],
        "UNWINNABLE": offered["unwinnable"],
        "PATTERNS": {
            "cross": None,
            **{name: {"offsets": at, "wraps": wraps} for name, (at, wraps) in STENCILS.items()},
            "stencil": None,
        },
        "RULES": RULES,
        "GOALS": (*GOALS, "grid"),
        "GRADES": GRADES,
        "WEEK": WEEK,
        "SIDES": tuple(SIDES),
        "SHAPES": {name: page_text(shape(word)) for name, word in SHAPES.items()},
        "FIRST": [
            [f"{first.puzzle.key}.{first.grade}.{seed}", board_text(first.board(seed))]
            for seed in range(BAKED)
        ],
    }
    return HEAD + "".join(map(_constant, values.items())) + TAIL


def _constant(named: tuple[str, object]) -> str:
    name, value = named
    lines = []
    if isinstance(value, dict):
        entries = [f"  {json.dumps(key)}: {json.dumps(item)},\n" for key, item in value.items()]
        lines = ["{\n", *entries, "}"]
    elif isinstance(value, list):
        lines = ["[\n", *(f"  {json.dumps(item)},\n" for item in value), "]"]
    else:
        lines = [json.dumps(value)]
    return f"export const {name} = {''.join(lines)};\n"


if __name__ == "__main__":
    MODULE.write_text(module(), encoding="utf-8")
