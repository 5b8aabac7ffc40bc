"""Small boards of every pattern, rule, goal and kind of hole, known here without ponder's help.

What brute force needs (edges, states as bit masks) is worked out from the definition of the
patterns, and the file's content is written by hand, so that a fault of ponder's reader or of its
graphs cannot hide itself.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from ponder.model.board import Board
from tests import brute

Cell: TypeAlias = "tuple[int, int]"
Label: TypeAlias = "tuple[int, int] | int | str"

NAMED = ("cross", "plus", "king", "torus-plus", "torus-king")
STENCILS = (
    *("stencil 0,1 0,-1", "stencil 1,2 -1,-2", "stencil 1,2 2,1 -1,-2 -2,-1 1,-2 2,-1 -1,2 -2,1"),
    *("stencil 0,0", "stencil 1,1 -1,-1 0,2 0,-2", "stencil 9,0 -9,0 1,0 -1,0"),
)
RULES = ("unlit", "unlit", "lit", "any")


@dataclass(frozen=True)
class Puzzle:
    """A board: `labels` are what users call its bulbs, `shape` and `pattern` are None on graphs."""

    labels: tuple[Label, ...]
    edges: tuple[tuple[int, int], ...]
    lit: int
    goal: int
    rule: str
    pattern: str | None = None
    shape: Cell | None = None

    @property
    def size(self) -> int:
        """The number of bulbs."""
        return len(self.labels)

    @property
    def file(self) -> str:
        """A name for its file."""
        return "board.json" if self.shape is None else "board.txt"

    @cached_property
    def content(self) -> bytes:
        """The file."""
        every = (1 << self.size) - 1
        word = {every: "lit", 0: "unlit"}.get(self.goal)
        if self.shape is None:
            numbered = self.labels == tuple(range(self.size))
            return json.dumps(
                {
                    "nodes": self.size if numbered else self.labels,
                    "edges": [[self.labels[u], self.labels[v]] for u, v in self.edges],
                    "lit": self._bits(self.lit),
                    "rule": self.rule,
                    "goal": word or self._bits(self.goal),
                }
            ).encode()
        lines = [f"pattern: {self.pattern}", f"rule: {self.rule}"]
        if word is not None:
            lines.append(f"goal: {word}")
        lines += self._rows(self.lit)
        if word is None:
            lines += ["goal:", *self._rows(self.goal)]
        return "".join(line + "\n" for line in lines).encode()

    @cached_property
    def board(self) -> Board:
        """What ponder makes of it."""
        from ponder.model.formats import parse_board

        return parse_board(self.content, self.file)

    @cached_property
    def fewest(self) -> int | None:
        """The fewest legal presses, repeats allowed, by brute force."""
        return brute.distances(self.size, self.edges, self.goal, self.rule).get(self.lit)

    @cached_property
    def fewest_once(self) -> int | None:
        """The fewest legal presses, each bulb at most once, by brute force."""
        return brute.fewest_once(self.size, self.edges, self.lit, self.goal, self.rule)

    def replays(self, presses: list[int]) -> bool:
        """Whether the presses are legal and reach the goal."""
        return brute.replays(self.size, self.edges, self.lit, self.goal, presses, self.rule)

    def _bits(self, state: int) -> list[int]:
        return [state >> v & 1 for v in range(self.size)]

    def _rows(self, state: int) -> list[str]:
        assert self.shape is not None
        cells = {label: str(state >> v & 1) for v, label in enumerate(self.labels)}
        rows, columns = self.shape
        return ["".join(cells.get((r, c), "-") for c in range(columns)) for r in range(rows)]


def puzzle(rng: random.Random, most: int = 9) -> Puzzle:
    """Return a board of at most so many bulbs."""
    made = _graph(rng, most) if rng.random() < 0.25 else _grid(rng, most)
    every = (1 << made.size) - 1
    goal = rng.choice((every, every, 0, rng.getrandbits(made.size)))
    lit = rng.getrandbits(made.size)
    if rng.random() < 0.5:  # one that can be reached
        lit = goal
        near = brute.masks(made.size, made.edges)
        for v in range(made.size):
            if rng.random() < 0.5:
                lit ^= near[v] | 1 << v
    return replace(made, lit=lit, goal=goal, rule=rng.choice(RULES))


def played(rng: random.Random, puzzle: Puzzle) -> tuple[Puzzle, list[int]]:
    """Return the board with a goal that legal presses reach, and these presses."""
    near, state, presses = brute.masks(puzzle.size, puzzle.edges), puzzle.lit, []
    for _ in range(rng.randint(0, 2 * puzzle.size)):
        v = rng.randrange(puzzle.size)
        if puzzle.rule == "any" or (state >> v & 1) == (puzzle.rule == "lit"):
            state ^= near[v] | 1 << v
            presses.append(v)
    return replace(puzzle, goal=state), presses


def _grid(rng: random.Random, most: int) -> Puzzle:
    rows = rng.randint(1, 4)
    columns = rng.randint(1, max(1, min(6, most // rows)))
    pattern = rng.choice(NAMED if rng.random() < 0.8 else STENCILS)
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    if rng.random() < 0.3:
        cells = [cell for cell in cells if rng.random() < 0.8] or [rng.choice(cells)]
    if pattern in NAMED:
        pairs = {
            (divmod(u, columns), divmod(v, columns))
            for u, v in brute.grid_edges(rows, columns, pattern)
        }
    else:
        offsets = [tuple(map(int, word.split(","))) for word in pattern.split()[1:]]
        pairs = {((r, c), (r + dr, c + dc)) for r, c in cells for dr, dc in offsets}
    number = {cell: v for v, cell in enumerate(cells)}
    ends = ((number.get(a), number.get(b)) for a, b in pairs)
    edges = {(min(u, v), max(u, v)) for u, v in ends if u is not None and v is not None and u != v}
    return Puzzle(tuple(cells), tuple(sorted(edges)), 0, 0, "unlit", pattern, (rows, columns))


def _graph(rng: random.Random, most: int) -> Puzzle:
    size, density = rng.randint(1, most), rng.random()
    edges = [(u, v) for v in range(size) for u in range(v) if rng.random() < density]
    labels: list[Label] = list(range(size))
    if rng.random() < 0.4:
        names: list[Label] = ["a", "b 1", "2", 7, "é", "-1", "(0,1)", "中", "x,y", "00", 3, "#"]
        labels = rng.sample(names, min(size, len(names)))
        edges = [edge for edge in edges if max(edge) < len(labels)]
    return Puzzle(tuple(labels), tuple(sorted(edges)), 0, 0, "unlit")
