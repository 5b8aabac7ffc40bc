"""Puzzles by name: each stands for a pattern, a rule and a goal, and says its rule in plain words.

The one source of these names and words, for board files (`puzzle: lights-out`), the command line
and the page, whose static module `puzzles.js` is made of this one. It loads no arrays: the server
of the page and `--help` do without. A press under the rule `unlit` leaves its own bulb lit, the
last one of a game for good. So a goal with no bulb lit is never reached, but from itself; likewise
a goal with every bulb lit under the rule `lit`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from ponder.system.errors import BadArgument, BoardError, unknown

if TYPE_CHECKING:
    from ponder.model.graph import Graph
    from ponder.system.types import Json

GRADES = ("easy", "medium", "hard", "expert")
SIDES = range(3, 13)  # of a puzzle's squares, where they are chosen

PRESSED = {"unlit": "an unlit bulb", "lit": "a lit bulb", "any": "any bulb"}
CHANGED = {
    "cross": "it and its whole row and column change",
    "plus": "it and the bulbs above, below, left and right change",
    "king": "it and the bulbs around it change",
    "torus-plus": "it and its four neighbours change, across the edges too",
    "torus-king": "it and the eight bulbs around it change, across the edges too",
    "stencil": "it and the bulbs of the stencil change",
    "graph": "it and the bulbs that wires join to it change",
}
WIRED = {
    "any": "Press a button: the bulbs to which its wires lead change.",
    "unlit": "Press a button while its dotted line leads to an unlit bulb: its wires change bulbs.",
    "lit": "Press a button while its dotted line leads to a lit bulb: its wires change bulbs.",
}
WANTED = {
    "lit": "Light them all.",
    "unlit": "Put them all out.",
    "grid": "Make the picture.",
    "pressed": "Press each once: then it is gone.",
}


@dataclass(frozen=True)
class Puzzle:
    """A puzzle by name; `sizes` are the usual sides of its boards, one for each of GRADES.

    Boards are squares; cards lie in a row. Where `pattern` is empty, the board says it.
    """

    key: str
    title: str
    pattern: str
    rule: Literal["unlit", "lit", "any"]
    goal: str
    sizes: tuple[int, ...] = (4, 5, 6, 7)
    also: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The rule in a line: "Press an unlit bulb: it and its whole row and column change. …"."""
        return f"Press {PRESSED[self.rule]}: {CHANGED[self.pattern]}. {WANTED[self.goal]}"

    def misfit(self, graph: Graph) -> str | None:
        """Return why the puzzle is not played on a graph, if so."""
        shape = getattr(graph, "shape", None)
        if self.key == "cards" and (shape is None or shape[0] > 1):
            return "the puzzle `cards` is a row of cards, and this board is no grid of one row"
        if self.key == "peel" and graph.pattern != "graph":
            return "the puzzle `peel` removes vertices of a graph, and this board is no graph"
        return None

    def shape(self, side: int) -> tuple[int, int]:
        """Return the rows and columns of a board of a side."""
        return (1 if self.key == "cards" else side, side)

    @property
    def sets_lights(self) -> bool:
        """Whether the lights follow from the graph, lit where a degree is odd."""
        return self.key == "peel"


PUZZLES = (
    Puzzle(
        *("rows-and-columns", "Rows and columns", "cross", "unlit", "lit"),
        sizes=(4, 6, 6, 8),
        also=("ibm-2023-04",),
    ),
    Puzzle("in-order", "In order", "plus", "unlit", "lit"),
    Puzzle("lights-out", "Lights Out", "plus", "any", "unlit"),
    Puzzle(
        *("kings-move", "King's move", "king", "unlit", "lit"),
        sizes=(4, 6, 6, 7),
        also=("king",),
    ),
    Puzzle(
        *("round-the-world", "Round the world", "torus-plus", "unlit", "lit"),
        sizes=(4, 4, 7, 7),
        also=("torus",),
    ),
    Puzzle("cards", "Cards", "plus", "lit", "pressed", sizes=(6, 8, 10, 12)),
)

UNOFFERED = (
    Puzzle("peel", "Peel", "", "unlit", "pressed"),
    Puzzle("lit-only", "Lit only", "", "lit", "unlit"),
)
"""Puzzles by name for which no boards are made."""

YOUR_OWN = ("your-own", "Your own")  # of every other pattern, rule and goal on the page

_BY_NAME = {name: puzzle for puzzle in PUZZLES + UNOFFERED for name in (puzzle.key, *puzzle.also)}
OFFERED = tuple(puzzle.key for puzzle in PUZZLES)
NAMES = (*OFFERED, *(puzzle.key for puzzle in UNOFFERED))
_MEANT = {**{name: name for name in _BY_NAME}, "ibm": NAMES[0], "lights out": NAMES[2]}


def puzzle_named(
    name: str, source: str | None = None, line: int | None = None, *, offered: bool = False
) -> Puzzle:
    """Return the puzzle of a name. Raises BoardError, with suggestions, if there is none.

    `source` and `line` say where a file names it; else it is the parameter `puzzle`. `offered`:
    it is one that boards are made for.

    >>> puzzle_named("lights-out").rule
    'any'
    """
    if not isinstance(name, str) or name not in _BY_NAME:
        reason = unknown("puzzle", name, OFFERED if offered else NAMES, _MEANT)
        raise BadArgument(reason, "puzzle") if source is None else BoardError(reason, source, line)
    if offered and _BY_NAME[name] in UNOFFERED:
        raise BadArgument(f"no boards are made for `{name}`; for {', '.join(OFFERED)}", "puzzle")
    return _BY_NAME[name]


def refuse_lights(name: str | None) -> None:
    """Raise BadArgument where the puzzle of a name sets the lights, which are given."""
    if name is not None and puzzle_named(name).sets_lights:
        raise BadArgument(f"the puzzle `{name}` sets the lights by the degrees", "lit")


class Unwinnable(NamedTuple):
    """A rule, a goal that it never reaches, why in a sentence, and the nearest goal that it may."""

    rule: str
    goal: str
    sentence: str
    nearest: str


def unwinnable(rule: str, goal: str) -> Unwinnable | None:
    """Return why a rule never reaches a goal (`lit`, `unlit`, `grid`); None where it may. O(1).

    >>> unwinnable("lit", "lit").nearest, unwinnable("any", "lit")
    ('unlit', None)
    """
    if rule != goal:
        return None
    after = "unlit" if rule == "lit" else "lit"
    sentence = (
        f"Nobody can win this: {PRESSED[rule]} is {after} once it is pressed, so the last press "
        f"leaves a bulb {after}, and all must end {goal}. With the goal all {after} it can be won."
    )
    return Unwinnable(rule, goal, sentence, after)


def for_the_page() -> Json:
    """Return what the page offers and says: `puzzles`, `words`, `unwinnable`."""
    your_own: Json = dict(zip(("key", "title"), YOUR_OWN, strict=True))
    never = [unwinnable(rule, goal) for rule in PRESSED for goal in WANTED]
    return {
        "puzzles": [*({**asdict(puzzle), "words": puzzle.words} for puzzle in PUZZLES), your_own],
        "words": {"pressed": PRESSED, "changed": CHANGED, "wanted": WANTED, "wired": WIRED},
        "unwinnable": [entry._asdict() for entry in never if entry is not None],
    }
