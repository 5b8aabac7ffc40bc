"""Wirings as text: JSON with buttons, and machines, a line each.

    {"lights": 3, "buttons": [{"toggles": [0, 2], "at": 2}, {"name": "lever", "toggles": [1]}],
     "lit": [0, 1, 0], "rule": "unlit", "goal": "lit"}

`lights` is a number or a list of names; all keys but the first two may be missing; `positions` has
those of the lights, then of the buttons. A machine `[.##.] (3) (1,3) (2)` has all lights off, the
goal as drawn, the rule `any`; a number or a bullet before it, and `{…}` behind it, say nothing of
the lights.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from ponder.model.arguments import grid_of_bits
from ponder.model.board import Board, BoardOptions
from ponder.model.edge_graph import EdgeGraph
from ponder.model.graph import Graph
from ponder.model.graph_json import GraphFile, positions_json, states_json
from ponder.model.wired_graph import WiringGraph
from ponder.system.errors import bad_argument, fail, quoted, unknown
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Json

COUNTERS = "the numbers in {…} are counters, which are another puzzle: only the lights are solved"

_KEYS = ("lights", "buttons", "lit", "rule", "goal", "positions")
_BUTTON = ("toggles", "at", "name")
_BULLET = r"\s*(?:\(?\d{1,6}[.):]\s+|[-*+•]\s+)?"
# possessive, for blanks may stand in several places: nothing is tried again
_MACHINE = re.compile(_BULLET + r"\[([.#]++)\]((?:\s*+\([\d,\s]*+\))++)\s*+(\{[^{}]*+\})?+\s*+")
MACHINE_LINE = re.compile(_BULLET + r"\[[.#]")


def parse_wiring(
    content: Json, data: bytes, source: str, options: BoardOptions, limits: Limits = NEVER
) -> Board:
    """Return the board of a JSON file with buttons; `data` is its text, for the lines of errors.

    Raises BoardError with line and reason.
    """
    file = GraphFile(content, data, source, limits, _KEYS)
    file.check_keys()
    size, number = file.nodes
    buttons = content.get("buttons")
    if not isinstance(buttons, list):
        file.fail("`buttons` must be a list of objects", "buttons")
    toggles, seats, names = [], [], []
    for k, button in enumerate(limits.over(buttons)):
        where = f"buttons[{k}]"
        if not isinstance(button, dict) or not isinstance(button.get("toggles"), list):
            file.fail(f"{where} is {quoted(button)}: it needs a list `toggles`", "buttons")
        for key in button:
            if key not in _BUTTON:
                file.fail(f"{where}: {unknown('key', key, _BUTTON)}", "buttons")
        toggles.append([file.node(x, where) for x in button["toggles"]])
        if len(set(toggles[-1])) < len(toggles[-1]):
            file.fail(f"{where} names a light twice", "buttons")
        names.append(button.get("name", k))
        seats.append(-1 if button.get("at") is None else file.node(button["at"], where))
    lights = None if number is None else list(number)
    graph = WiringGraph(size, toggles, seats, list(file.numbered(names, "buttons")), lights)
    graph.positions = file.positions(size + len(buttons))
    board = file.board(graph, options)
    return _as_graph(board, graph) or board


def wiring_given(buttons: Any, lights: Any, at: Any) -> tuple[Graph, EdgeGraph]:
    """Return the graph and the lights of `Board.from_buttons`. Raises BadArgument."""
    if not _is_list(buttons):
        bad_argument(f"{quoted(buttons)} is not a list of buttons", "buttons")
    if at is not None and not _is_list(at):
        bad_argument(f"{quoted(at)} is not a list of places", "at")
    if getattr(lights, "ndim", None) == 0:  # a number of numpy
        lights = lights.item()
    elif isinstance(lights, Iterable):
        lights = list(lights)
    names: list[Any] | None = list(buttons) if isinstance(buttons, Mapping) else None
    toggled: list[Any] = list(buttons.values() if isinstance(buttons, Mapping) else buttons)
    if isinstance(buttons, np.ndarray):
        matrix = grid_of_bits(buttons, "buttons")
        lights = matrix.shape[1] if lights is None else lights
        names_of_lights = lights if isinstance(lights, list) else range(matrix.shape[1])
        count = len(lights) if isinstance(lights, list) else lights
        if count != matrix.shape[1]:
            reason = f"{quoted(count)} lights, but an array with {matrix.shape[1]} columns"
            bad_argument(reason, "lights")
        toggled = [[names_of_lights[k] for k in np.flatnonzero(row).tolist()] for row in matrix]
    if lights is None:
        bad_argument("say how many there are, or their names", "lights")
    seats = [None] * len(toggled) if at is None else list(at)
    if len(seats) != len(toggled):
        bad_argument(f"places: {len(seats)}, buttons: {len(toggled)}; write None for none", "at")
    listed = [
        {
            "toggles": [*map(_plain, ends)] if _is_list(ends) or isinstance(ends, str) else ends,
            "at": _plain(seat),
        }
        for ends, seat in zip(toggled, seats, strict=True)
    ]
    for button, name in zip(listed, names or (), strict=names is not None):
        button["name"] = name
    board = parse_wiring({"lights": lights, "buttons": listed}, b"", "buttons", BoardOptions())
    return board.graph, EdgeGraph(
        board.graph.size, [], lights if isinstance(lights, list) else None
    )


def _is_list(given: Any) -> bool:
    listed = isinstance(given, Iterable) and not isinstance(given, str)
    return listed and getattr(given, "ndim", 1) > 0  # that of a single number is 0


def _plain(label: Any) -> Any:
    return label.item() if isinstance(label, np.integer) else label


def _as_graph(board: Board, graph: WiringGraph) -> Board | None:
    """Return the graph board that a wiring is; None where it is none."""
    seats = graph.at  # every light has one button, which toggles it, and all go both ways
    if not np.array_equal(np.sort(seats), np.arange(graph.size)):
        return None
    ends = np.stack([seats[graph.owners], graph.toggled], axis=1)
    keys, back = (a * graph.size + b for a, b in (ends.T, ends.T[::-1]))
    loops = np.count_nonzero(ends[:, 0] == ends[:, 1])
    if loops < graph.size or not np.array_equal(np.sort(keys), np.sort(back)):
        return None
    names = [graph.names[v] for v in np.argsort(seats).tolist()]
    same = EdgeGraph(graph.size, ends[ends[:, 0] < ends[:, 1]], names)
    same.positions = None if graph.positions is None else graph.positions[: graph.size]
    if (np.diff(seats) < 0).any():
        same.remarks = ("this is a graph: arrays number its bulbs as lights, not as buttons",)
    return replace(board, graph=same)


def parse_machine(
    text: str, source: str, options: BoardOptions, line: int = 1, limits: Limits = NEVER
) -> Board:
    """Return the board of a line. Raises BoardError with the line and the reason.

    >>> parse_machine("2) [.##.] (3) (1,3)", "list", BoardOptions()).goal.tolist()
    [False, True, True, False]
    """
    limits.check()
    match = _MACHINE.fullmatch(text)
    if match is None:
        fail(f"{quoted(text)} is not a machine: write [.##.] (3) (1,3) (2)", source, line)
    size, buttons = len(match[1]), []
    for listed in re.findall(r"\(([^)]*)\)", match[2]):
        words = [word.strip() for word in listed.split(",")] if listed.strip() else []
        digits = all(re.fullmatch(r"[0-9]{1,9}", word) for word in words)
        if not digits or not all(int(word) < size for word in words):
            fail(f"({listed}) names a light that is not among 0 to {size - 1}", source, line)
        buttons.append([int(word) for word in words])
        if len(set(buttons[-1])) < len(words):
            fail(f"({listed}) names a light twice", source, line)
    graph = WiringGraph(size, buttons)
    graph.remarks = () if match[3] is None else (COUNTERS,)
    goal = [int(sign == "#") for sign in match[1]]
    content: Json = {"lights": size, "rule": "any", "goal": goal}
    return GraphFile(content, text.encode(), source, NEVER, _KEYS).board(graph, options)


def wiring_text(board: Board) -> str:
    """Return a wiring as a file that `parse_wiring` reads back."""
    graph = board.graph
    assert isinstance(graph, WiringGraph)
    lights = graph.of_lights
    buttons: list[Json] = []
    for k, (first, after) in enumerate(pairwise(graph.starts)):  # none, where there is no button
        button: Json = {"toggles": lights.labels(graph.toggled[first:after])}
        if graph.at[k] >= 0:
            button["at"] = lights.label(int(graph.at[k]))
        buttons.append(button if graph.names[k] == k else {"name": graph.names[k], **button})
    content: Json = {
        "lights": lights.names if lights.named else lights.size,
        "buttons": buttons,
        **states_json(board),
        **positions_json(graph),
    }
    return json.dumps(content) + "\n"
