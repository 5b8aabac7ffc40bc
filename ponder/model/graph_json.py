"""Graph boards as JSON: the nodes, the edges, one bit per node for what is lit.

    {"nodes": ["a", "b", "c"], "edges": [["a", "b"], ["b", "c"]], "lit": [0, 1, 0],
     "rule": "unlit", "goal": "lit"}

`nodes` is a number n (then the nodes are called 0 … n−1) or a list of names, strings or whole
numbers; all other keys may be missing. `goal` is `lit`, `unlit`, `pressed`, or a list of bits.
`positions`, a pair [x, y] for each node, says where it is drawn, in widths of a cell and y
downwards; it is no part of the puzzle.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import NoReturn

import numpy as np

from ponder.model.board import (
    GOALS,
    MOST_BULBS,
    RULES,
    Board,
    BoardOptions,
    board_name,
    unknown_rule,
    unknown_state,
)  # fmt: skip
from ponder.model.edge_graph import EdgeGraph
from ponder.model.graph import Graph
from ponder.system.errors import BoardError, bad_argument, fail, quoted, unknown
from ponder.system.limits import Limits
from ponder.system.types import Bits, Json, Positions

FARTHEST = 1e6  # cells from the middle that a node may be drawn
_KEYS = ("nodes", "edges", "lit", "rule", "goal", "positions")


def parse_graph_board(
    content: Json, data: bytes, source: str, options: BoardOptions, limits: Limits
) -> Board:
    """Return the board of a graph file's content; `data` is its text, for the lines of errors.

    Raises BoardError with the line and the reason if it is none, and TimeUp if the deadline passes.

    >>> from ponder.system.limits import NEVER
    >>> content = {"nodes": ["a", "b"], "edges": [["a", "b"]], "lit": [0, 1]}
    >>> parse_graph_board(content, b"", "pair.json", BoardOptions(), NEVER).lit.tolist()
    [False, True]
    """
    file = GraphFile(content, data, source, limits)
    file.check_keys()
    size, number = file.nodes
    graph = EdgeGraph(size, file.edges(), number, limits, file.positions(size))
    return file.board(graph, options)


def graph_board_text(board: Board) -> str:
    """Return what `parse_graph_board` reads. Raises BoardError if a name is no UTF-8 text."""
    graph = board.graph
    assert isinstance(graph, EdgeGraph)
    content: Json = {
        "nodes": graph.names if graph.named else graph.size,
        "edges": [graph.labels(edge) for edge in graph.edges],
        **states_json(board),
        **positions_json(graph),
    }
    try:
        json.dumps(graph.names if graph.named else [], ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise BoardError("the name of a node is not UTF-8 text", board.name) from None
    return json.dumps(content) + "\n"


def states_json(board: Board) -> Json:
    """Return what is said of a board's lights: at the start, the rule, the goal."""
    goal = board.goal_name
    return {
        "lit": board.lit.astype(int).tolist(),
        "rule": board.rule,
        "goal": goal if goal != "grid" else board.goal.astype(int).tolist(),
    }


def positions_json(graph: Graph) -> Json:
    """Return what is said of positions, where something is; whole numbers as such."""
    if graph.positions is None:
        return {}
    rounded = graph.positions.round(3).tolist()
    return {"positions": [[int(x) if x % 1 == 0 else x for x in at] for at in rounded]}


@dataclass(frozen=True)
class GraphFile:
    """What a graph file says, key by key; `data` is its text, in which errors find their line.

    `keys` are those that it may have: first what there is, nodes or lights, then what links them.
    """

    content: Json
    data: bytes
    source: str
    limits: Limits
    keys: tuple[str, ...] = _KEYS

    @property
    def thing(self) -> str:
        """What there is, in the singular."""
        return self.keys[0][:-1]

    def fail(self, reason: str, key: str) -> NoReturn:
        """Refuse the file for what it says under a key; without a text, the argument so called."""
        if not self.data:
            bad_argument(reason, key)
        place = re.search(rb'"%s"\s*:' % re.escape(key.encode()), self.data)
        line = 1 if place is None else self.data.count(b"\n", 0, place.start()) + 1
        fail(reason, self.source, line)

    def check_keys(self) -> None:
        """Refuse unknown keys, and a file without nodes."""
        if str(self.content.get("schema")).startswith("ponder."):
            self.fail("this is a result, not a board: name the board's FILE first", "schema")
        for key in self.content:
            if key in ("links", "adjacency", "directed", "multigraph"):
                reason = (
                    'this is JSON of networkx: write {"nodes": …, "edges": [[u, v], …]}, or GML'
                )
                fail(reason, self.source, 1)
            if key not in self.keys:
                self.fail(unknown("key", key, self.keys), key)
        if (many := self.keys[0]) not in self.content:
            fail(f"the key `{many}` is missing: a number, or a list of names", self.source, 1)

    def board(self, graph: Graph, options: BoardOptions) -> Board:
        """Return the board of a graph: dark, to be lit by `unlit`, unless the file says otherwise.

        The options replace what it says; a pattern makes no sense, and is refused.
        """
        if options.pattern is not None:
            links = self.keys[1]
            bad_argument(f"this board has no pattern: its {links} say what toggles what", "pattern")
        puzzle = options.puzzle
        if puzzle is not None and (misfit := puzzle.misfit(graph)) is not None:
            bad_argument(misfit, "puzzle")
        if puzzle is not None and puzzle.sets_lights:
            if "lit" in self.content:
                self.fail(f"the puzzle `{puzzle.key}` sets the lights by the degrees", "lit")
            lit = ~graph.apply(np.ones(graph.size, dtype=np.bool_))
        elif "lit" in self.content:
            lit = self.bits("lit")
        else:
            lit = np.zeros(graph.size, dtype=np.bool_)
        goal: Bits | None
        word = self.content.get("goal", "lit")
        if options.goal is not None:
            goal = options.goal(graph)
        elif isinstance(word, list):
            goal = self.bits("goal")
        elif word in GOALS:
            goal = None if word == "pressed" else np.full(graph.size, word == "lit")
        else:
            self.fail(unknown_state(word, "a list of 0 and 1"), "goal")
        rule = self.content.get("rule", "unlit") if options.rule is None else options.rule
        if rule not in RULES:
            self.fail(unknown_rule(rule), "rule")
        state, name = lit if goal is None else goal, board_name(self.source)
        return Board(graph, lit, state, rule, name, pressed=goal is None)

    @cached_property
    def nodes(self) -> tuple[int, dict[int | str, int] | None]:
        """How many nodes there are, and the number of each where they have names."""
        key = self.keys[0]
        nodes = self.content[key]
        size = len(nodes) if isinstance(nodes, list) else nodes
        if not isinstance(size, int) or isinstance(size, bool):
            self.fail(f"`{key}` is {quoted(size)}: it must be a number or a list of names", key)
        if size < 1:
            self.fail(f"a board needs at least one {self.thing}", key)
        if size > MOST_BULBS // 10:
            self.fail(f"{quoted(size)} {key} are too many for this machine's memory", key)
        if not isinstance(nodes, list):
            return size, None
        return size, self.numbered(nodes, key)

    def numbered(self, names: list[object], key: str) -> dict[int | str, int]:
        """Return the number of each of the names under a key."""
        number: dict[int | str, int] = {}
        for k, name in enumerate(self.limits.over(names)):
            if not isinstance(name, str | int) or isinstance(name, bool):
                wrong = f"{key}[{k}] is {quoted(name)}: a name is a string or a whole number"
                self.fail(wrong, key)
            if name in number:
                self.fail(f"the {key[:-1]} {quoted(name)} is repeated", key)
            number[name] = k
        return number

    def edges(self) -> list[tuple[int, int]]:
        """Return the edges as pairs of nodes i < j."""
        edges = self.content.get("edges", [])
        if not isinstance(edges, list):
            self.fail("`edges` must be a list of pairs", "edges")
        pairs: dict[tuple[int, int], None] = {}
        for k, edge in enumerate(self.limits.over(edges)):
            if not isinstance(edge, list) or len(edge) != 2:
                self.fail(f"edges[{k}] is {quoted(edge)}: an edge is a pair of nodes", "edges")
            u, v = sorted(self.node(end, f"edges[{k}]") for end in edge)
            if u == v:
                loop = f"edges[{k}] joins {quoted(edge[0])} to itself"
                self.fail(f"{loop}: every bulb toggles itself anyway", "edges")
            if (u, v) in pairs:
                self.fail(f"edges[{k}] repeats the edge {quoted(edge)}", "edges")
            pairs[u, v] = None
        return list(pairs)

    def positions(self, count: int) -> Positions | None:
        """Return where so many things are drawn, (count, 2); None where nothing is said."""
        listed = self.content.get("positions")
        if listed is None:
            return None
        places: Positions = np.empty(0)
        with suppress(TypeError, ValueError, OverflowError):
            places = np.array(listed)
        numbers = places.shape == (count, 2) and places.dtype.kind in "if"
        if not numbers or not np.abs(places).max(initial=0) < FARTHEST:
            wrong = f"`positions` must be a list of {count} pairs of numbers [x, y]"
            self.fail(wrong, "positions")
        return places.astype(np.float64)

    def node(self, end: object, where: str) -> int:
        """Return the node that is named somewhere, `edges[3]` say."""
        many, among = self.keys[:2]
        if isinstance(end, bool) or not isinstance(end, str | int):
            self.fail(f"{where} names {quoted(end)}, which is not a {self.thing}", among)
        size, number = self.nodes
        v = number.get(end, -1) if number is not None else end
        if not isinstance(v, int) or not 0 <= v < size:
            wrong = f"{where} names the {self.thing} {quoted(end)}, which is missing from `{many}`"
            self.fail(wrong, among)
        return v

    def bits(self, key: str) -> Bits:
        """Return the zeros and ones under a key, one for each node."""
        (size, _), values = self.nodes, self.content[key]
        if not isinstance(values, list) or len(values) != size:
            wrong = f"`{key}` must be a list of {size} zeros and ones, one for each {self.thing}"
            self.fail(wrong, key)
        for k, value in enumerate(values):
            if not isinstance(value, int) or value not in (0, 1):
                self.fail(f"{key}[{k}] is {quoted(value)}: it must be 0 or 1", key)
        return np.array(values, dtype=np.bool_)
