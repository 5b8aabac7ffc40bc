"""Wirings from files: buttons and lights in JSON, and machines in one line.

    {"lights": 3, "buttons": [{"toggles": [0, 2], "at": 2}, {"name": "lever", "toggles": [1]}],
     "lit": [0, 1, 0], "rule": "unlit", "goal": "lit"}

`lights` is a number or a list of names. A button is called by its name or number. All other keys
may be missing: none is lit then, and all shall be. A machine `[.##.] (3) (1,3) (2)` has all lights
off, the goal as drawn, the rule `any`; what stands in braces at its end is no part of it.
"""

from __future__ import annotations

import json
import re

import numpy as np

from ponder.limits import NEVER, Limits
from ponder.puzzle.board import Board, BoardOptions, board_name
from ponder.puzzle.graph import EdgeGraph
from ponder.puzzle.graph_json import GraphFile, bits
from ponder.puzzle.input_errors import fail, quoted, unknown
from ponder.puzzle.json_text import json_object
from ponder.puzzle.wired_graph import WiringGraph
from ponder.types import Json

_KEYS = ("lights", "buttons", "lit", "rule", "goal")
_BUTTON = ("toggles", "at", "name")
_MACHINE = re.compile(rb"\[([.#]+)\]((?:\s*\([\d,\s]*\))*)\s*(\{[^{}]*\})?\s*")


def is_wiring(data: bytes) -> bool:
    """Whether a board file's content is one of a wiring: machines, or JSON with buttons."""
    start = data.lstrip()[:2]
    return start in (b"[.", b"[#") or (
        start[:1] == b"{" and re.search(rb'"buttons"\s*:', data) is not None
    )


def parse_wiring(data: bytes, source: str, options: BoardOptions, limits: Limits) -> Board:
    """Return the board of a wiring's file; BoardError with the line and the reason, TimeUp."""
    if options.pattern is not None:
        fail("a wiring has no pattern: its buttons say what they toggle", "--pattern")
    if data.lstrip()[:1] == b"[":
        lines = machine_lines(data)
        if len(lines) > 1:
            fail(f"{len(lines)} machines in one file: `solve --each` answers each", source)
        return parse_machine(lines[0][1], source, lines[0][0], options)
    content = json_object(data, source, limits, {"lit": bits, "goal": bits})
    file = GraphFile(content, data, source, limits, _KEYS)
    file.check_keys()
    size, number = file.nodes
    buttons = content.get("buttons")
    if not isinstance(buttons, list):
        file.fail("`buttons` must be a list of objects", "buttons")
    toggles: list[list[int]] = []
    seats: list[int] = []
    names: dict[int | str, int] = {}
    for k, button in enumerate(buttons):
        limits.check()
        what = f"buttons[{k}]"
        if not isinstance(button, dict) or not isinstance(button.get("toggles"), list):
            file.fail(f"{what} is {quoted(button)}: it needs a list `toggles`", "buttons")
        for key in button:
            if key not in _BUTTON:
                file.fail(f"{what}: {unknown('key', key, _BUTTON)}", "buttons")
        toggled = [file.node(x, what) for x in button["toggles"]]
        if len(set(toggled)) < len(toggled):
            file.fail(f"{what} names a light twice", "buttons")
        name = button.get("name", k)
        if not isinstance(name, str | int) or isinstance(name, bool):
            file.fail(f"{what}: the name {quoted(name)} is no string or whole number", "buttons")
        if name in names:
            file.fail(f"{what}: the name {quoted(name)} is repeated", "buttons")
        names[name] = k
        toggles.append(toggled)
        seat = button.get("at")
        seats.append(-1 if seat is None else file.node(seat, what))
    lights = None if number is None else list(number)
    graph = WiringGraph(size, toggles, seats, list(names), lights)
    lit = file.bits("lit") if "lit" in file.content else np.zeros(size, dtype=np.bool_)
    goal = file.goal() if options.goal is None else options.goal(graph)
    board = Board(graph, lit, goal, file.rule(options.rule), board_name(source))
    return as_graph(board, graph) or board


def as_graph(board: Board, graph: WiringGraph) -> Board | None:
    """Return a wiring as the graph board that it is; None where it is none.

    Every light has one button, which toggles it; who toggles another light is toggled by its own.
    """
    seats = graph.at
    if not np.array_equal(np.sort(seats), np.arange(graph.size)):
        return None
    ends = np.stack([seats[graph.owners], graph.toggled], axis=1)
    keys, back = (a * graph.size + b for a, b in (ends.T, ends.T[::-1]))
    loops = np.count_nonzero(ends[:, 0] == ends[:, 1])
    if loops < graph.size or not np.array_equal(np.sort(keys), np.sort(back)):
        return None
    names = [graph.names[v] for v in np.argsort(seats).tolist()]
    edges = ends[ends[:, 0] < ends[:, 1]]
    return Board(EdgeGraph(graph.size, edges, names), board.lit, board.goal, board.rule, board.name)


def machine_lines(data: bytes) -> list[tuple[int, bytes]]:
    """Return the lines that are not empty, each with its number, from 1."""
    lines = enumerate(data.splitlines(), 1)
    return [(at, line) for at, line in lines if line.strip()]


def parse_machine(line: bytes, source: str, at: int, options: BoardOptions) -> Board:
    """Return the board of a machine's line; BoardError with its number and the reason."""
    match = _MACHINE.fullmatch(line.strip())
    if match is None:
        example = "[.##.] (3) (1,3) (2)"
        text = quoted(line.decode("utf-8", "backslashreplace").strip())
        fail(f"{text} is no machine: write {example}", source, at)
    size, buttons = len(match[1]), []
    for text in re.findall(rb"\(([^)]*)\)", match[2]):
        words = [word.strip() for word in text.split(b",")] if text.strip() else []
        if not all(word.isdigit() and len(word) < 10 and int(word) < size for word in words):
            fail(f"({text.decode()}) names no lights 0 to {size - 1}", source, at)
        if len({int(word) for word in words}) < len(words):
            fail(f"({text.decode()}) names a light twice", source, at)
        buttons.append([int(word) for word in words])
    remark = None if match[3] is None else match[3].decode("utf-8", "backslashreplace")
    graph = WiringGraph(size, buttons, remark=remark)
    drawn = np.frombuffer(match[1], dtype=np.uint8) == ord("#")
    goal = drawn if options.goal is None else options.goal(graph)
    rule = GraphFile({}, line, source, NEVER).rule(options.rule or "any")
    return Board(graph, np.zeros(size, dtype=np.bool_), goal, rule, board_name(source))


def wiring_text(board: Board) -> str:
    """Return a wiring as a file that `parse_wiring` reads back."""
    graph, goal = board.graph, board.goal_name
    assert isinstance(graph, WiringGraph)
    lights = graph.of_lights
    buttons: list[Json] = []
    for k, some in enumerate(np.split(graph.toggled, graph.starts[1:-1])):
        button: Json = {"toggles": lights.labels(some)}
        if graph.at[k] >= 0:
            button["at"] = lights.label(int(graph.at[k]))
        buttons.append(button if graph.names[k] == k else {"name": graph.names[k], **button})
    content: Json = {
        "lights": lights.names if lights.named else lights.size,
        "buttons": buttons,
        "lit": board.lit.astype(int).tolist(),
        "rule": board.rule,
        "goal": goal if goal != "grid" else board.goal.astype(int).tolist(),
    }
    return json.dumps(content) + "\n"
