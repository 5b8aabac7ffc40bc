"""Boards, press lists and answers as text for people.

A grid is drawn with one mark and one blank per cell; a graph with positions as rows of marks and
names, any other as a list of its nodes. A wiring shows its lights, then its buttons, but for those
that are placed on their lights. What is emphasised is passed to `paint(text, role)`, so that this
module knows roles and no colours.

    ● lit    ○ unlit    ◉ lit and marked    ◎ unlit and marked    - no bulb
    □ a button    ■ marked
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, pairwise
from typing import Literal, TypeAlias

import numpy as np

from ponder.model.board import Board
from ponder.model.graph import Graph, GridGraph
from ponder.model.wired_graph import WiringGraph
from ponder.system.printable import inflect, pluralise, printable
from ponder.system.types import Bits, Ints, Label, Positions

Role: TypeAlias = Literal["lit", "unlit", "marked", "good", "bad", "dim", "plain"]
Paint: TypeAlias = Callable[[str, Role], str]
Coordinates: TypeAlias = Literal["rc", "xy"]
"""What two numbers mean: row and column from 0 at the top left, or x and y from 1 at the bottom
left."""

_FARTHEST = 120  # half cells of a picture in text, at most: others are lists
MARKS = {(True, False): "●", (False, False): "○", (True, True): "◉", (False, True): "◎"}
ASCII_MARKS = {(True, False): "1", (False, False): "0", (True, True): "#", (False, True): "x"}
NUMBERED = "buttons, numbered from 0:"  # above those of a wiring that have no names
BUTTONS, ASCII_BUTTONS = "□■", "+*"  # a button, and one that is marked


def no_paint(text: str, role: Role) -> str:
    """Return the text as it is."""
    return text


def draw(
    board: Board,
    lit: Bits | None = None,
    marked: Bits | None = None,
    *,
    lights: Bits | None = None,
    paint: Paint = no_paint,
    ascii_only: bool = False,
) -> list[str]:
    """Return the lines of a picture of the board, perhaps in another state, with presses marked.

    `marked` are presses, (n,), `lights` further lights that are marked, (m,).

    >>> board = Board.from_rows(["01", "1-"])
    >>> for line in draw(board, marked=board.graph.set_of([0])): print(line)
    ◎ ●
    ● -
    """
    state = board.lit if lit is None else lit
    graph = board.graph
    chosen = np.zeros_like(state) if lights is None else lights
    if marked is not None:
        chosen = chosen | graph.seats(marked)
    marks = ASCII_MARKS if ascii_only else MARKS
    painted = {
        (on, here): paint(mark, "marked" if here else ("unlit", "lit")[on])
        for (on, here), mark in marks.items()
    }
    cells = [painted[key] for key in zip(state.tolist(), chosen.tolist(), strict=True)]
    if not isinstance(graph, GridGraph):
        names = [printable(str(name)) for name in graph.of_lights.labels(range(graph.size))]
        places = graph.positions
        ends = [""] * len(names)
        if isinstance(graph, WiringGraph):
            signs = ASCII_BUTTONS if ascii_only else BUTTONS
            apart = np.flatnonzero(graph.apart).tolist()
            cells += [
                paint(signs[1], "marked") if marked is not None and marked[k] else signs[0]
                for k in apart
            ]
            for k in apart:
                seat = f" at {names[graph.at[k]]}" if graph.at[k] >= 0 else ""
                ends.append(f"{seat}: {' '.join(names[v] for v in graph.lights_of(k).tolist())}")
            names += [printable(str(graph.label(k))) for k in apart]
            if places is not None:
                places = np.concatenate([places[: graph.size], places[graph.size :][apart]])
        if rows := _placed(places):
            return _placed_lines(rows, cells, names, ":" if ascii_only else "")
        return [
            f"{sign} {name}{end}".rstrip()
            for sign, name, end in zip(cells, names, ends, strict=True)
        ]
    width = graph.shape[1]
    grid = [paint("-", "dim")] * (graph.shape[0] * width)
    for cell, text in zip(graph.cells.tolist(), cells, strict=True):
        grid[cell] = text
    return [" ".join(grid[i : i + width]) for i in range(0, len(grid), width)]


def _placed(positions: Positions | None) -> dict[int, dict[int, int]]:
    """Return what stands in which row and column of half cells; nothing where two meet."""
    if positions is None:
        return {}
    for finer in (2, 3, 4):
        places = np.rint((positions - positions.min(axis=0)) * finer).astype(np.int64)
        if places.max() > _FARTHEST:
            break
        rows: dict[int, dict[int, int]] = {}
        for v, (column, row) in enumerate(places.tolist()):
            rows.setdefault(row, {})[column] = v
        apart = all(b - a > 1 for row in rows.values() for a, b in pairwise(sorted(row)))
        if apart and sum(map(len, rows.values())) == len(positions):
            return rows
    return {}


def _placed_lines(
    rows: dict[int, dict[int, int]], cells: list[str], names: list[str], colon: str
) -> list[str]:
    """Return the rows of a picture, each name beside its mark."""
    names = [colon + name for name in names]
    half = (max(map(len, names)) + 3) // 2
    lines = []
    for _, row in sorted(rows.items()):
        line, end = "", 0
        for column, v in sorted(row.items()):
            line += " " * (column * half - end) + cells[v] + names[v]
            end = column * half + 1 + len(names[v])
        lines.append(line)
    return lines


def legend(meaning: str, graph: Graph | None = None, *, ascii_only: bool = False) -> list[str]:
    """Return a line that says what `draw` marks; of a `graph` with buttons, that these are."""
    marks = ASCII_MARKS if ascii_only else MARKS
    text = f"{marks[True, True]} {marks[False, True]}: {meaning}, lit and unlit"
    if isinstance(graph, WiringGraph):
        seats = f"; {marks[True, True]} {marks[False, True]}: their lights"
        text = (ASCII_BUTTONS if ascii_only else BUTTONS)[1] + ": marked buttons"
        text += seats if (graph.at >= 0).any() else ""
    return ["", text]


def shape_text(graph: Graph) -> str:
    """Return size and pattern: `5×5 plus, 25 bulbs`, `wiring of 3 lights and 2 buttons`."""
    if isinstance(graph, WiringGraph):
        lights, buttons = pluralise(graph.size, "light"), pluralise(graph.presses, "button")
        called = {"lights": graph.of_lights.named, "buttons": graph.named}
        unnamed = " and ".join(things for things, named in called.items() if not named)
        count = f", {unnamed} numbered from 0" if unnamed else ""
        return f"wiring of {lights} and {buttons}{count}"
    shape = f"{graph.shape[0]}×{graph.shape[1]} " if isinstance(graph, GridGraph) else ""
    return f"{shape}{graph.pattern}, {pluralise(graph.size, 'bulb')}"


def title(board: Board) -> str:
    """Return one line that says what the board is and what is asked."""
    wanted = int(board.goal.sum())
    verb = inflect(wanted, "is", "are")
    rule = {"unlit": "press unlit bulbs", "lit": "press lit bulbs", "any": "press any bulbs"}
    goal = {
        "lit": "until all are lit",
        "unlit": "until none is lit",
        "grid": f"until the {pluralise(wanted, 'bulb')} of the goal {verb} lit",
        "pressed": "until each was pressed once",
    }
    which = rule[board.rule]
    if isinstance(board.graph, WiringGraph):
        which = (
            "press any buttons" if board.rule == "any" else f"press buttons at {board.rule} lights"
        )
    asked = f"{which} {goal[board.goal_name]}"
    return f"{shape_text(board.graph)}, {int(board.lit.sum())} lit; {asked}"


def described(board: Board) -> str:
    """Return what `ponder draw` prints: the line that says what it is, and the picture."""
    return "\n".join([f"{board.name}: {title(board)}", "", *draw(board)])


def pressed_thing(graph: Graph) -> str:
    """Return what is pressed, in the singular: a bulb, or a button of a wiring."""
    return "button" if isinstance(graph, WiringGraph) else "bulb"


def label_text(board: Board, label: Label, coordinates: Coordinates = "rc") -> str:
    """Return what the bulb is called: `(row,column)`, `(x,y)` in IBM's way, or its name."""
    if not isinstance(label, tuple):
        return printable(str(label))
    row, column = label
    if coordinates == "xy" and isinstance(board.graph, GridGraph):
        return f"({column + 1},{board.graph.shape[0] - row})"
    return f"({row},{column})"


def press_lines(board: Board, bulbs: Ints, coordinates: Coordinates = "rc") -> Iterator[str]:
    """Return lines with the names of many bulbs; fast on grids, where they may be millions."""
    graph = board.graph
    if not isinstance(graph, GridGraph):
        lines = wrapped(label_text(board, graph.label(v), coordinates) for v in bulbs.tolist())
        unnamed = isinstance(graph, WiringGraph) and not graph.named
        return chain([NUMBERED] if unnamed else [], lines)
    first, second = graph.places(bulbs)
    if coordinates == "xy":
        first, second = second + 1, graph.shape[0] - first
    return wrapped(map("({},{})".format, first.tolist(), second.tolist()))


def wrapped(words: Iterable[str], width: int = 78, indent: str = "  ") -> Iterator[str]:
    """Yield words as indented lines of at most `width` characters."""
    line, room = list[str](), width - len(indent)
    left = room
    for word in words:
        left -= len(word) + 1
        if left < -1 and line:
            yield indent + " ".join(line)
            line, left = [], room - len(word) - 1
        line.append(word)
    if line:
        yield indent + " ".join(line)


def seconds_text(seconds: float) -> str:
    """Return a duration for people."""
    if seconds < 0.9995:
        return f"{seconds * 1000:.1f} ms"
    return f"{seconds:.1f} s" if seconds < 100 else f"{seconds:.0f} s"
