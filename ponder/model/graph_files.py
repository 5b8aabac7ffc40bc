"""Files of plain graphs (edge lists, graph6, DIMACS, JSON, GML), and of wirings (JSON, machines).

Which graph file it is, the content says: `{` or `[` begins JSON, `<` GraphML and `graph [` GML
(both read by networkx), a line `p edge 5 4` stands in DIMACS files, `:` begins sparse6, and one
line whose length is that of its number of vertices is graph6. Anything else is an edge list: two
names a line, `name:` for a vertex without an edge, `#` before a comment. Where all names are whole
numbers the vertices are numbers. A wiring says which lights its buttons toggle:

    {"lights": 3, "buttons": [{"toggles": [0, 2], "at": 2}, {"name": "lever", "toggles": [1]}],
     "lit": [0, 1, 0], "rule": "unlit", "goal": "lit"}

`lights` is a number or a list of names; all keys but the first two may be missing; `positions` has
those of the lights, then of the buttons. A machine
`[.##.] (3) (1,3) (2)` has all lights off, the goal as drawn, the rule `any`.
Reference. graph6, sparse6: B. D. McKay, "Description of graph6, sparse6 and digraph6 encodings".
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Mapping

import numpy as np

from ponder.model.board import Board, BoardOptions
from ponder.model.graph import EdgeGraph
from ponder.model.graph_json import GraphFile, parse_graph_board, positions_json, states_json
from ponder.model.json_text import json_object
from ponder.model.wired_graph import WiringGraph
from ponder.system.errors import BoardError, bad_argument, fail, quoted, unknown
from ponder.system.limits import NEVER, Limits
from ponder.system.printable import shortened
from ponder.system.types import Bits, Json

MOST_VERTICES = 1_000_000  # of a graph to be oriented: some 200 MB with their names

_NUMBER = re.compile(r"-?\d{1,18}", re.ASCII)
_PROBLEM = re.compile(r"^p[ \t]+(?:edges?|col)[ \t]+(\d{1,9})[ \t]+\d+[ \t]*$", re.ASCII | re.M)
_HEADERS = re.compile(r">>(?:graph6|sparse6)<<")
_XML, _GML = re.compile(r"\s*<"), re.compile(r"^[ \t]*graph\s*\[", re.M)
_OTHER = (">>digraph6<<", "&", ";")  # digraph6, and sparse6 that only says what changes

_KEYS = ("lights", "buttons", "lit", "rule", "goal", "positions")
_BUTTON = ("toggles", "at", "name")
# possessive, for blanks may stand in several places: nothing is tried again
_MACHINE = re.compile(rb"\[([.#]++)\]((?:\s*+\([\d,\s]*+\))*+)\s*+(\{[^{}]*+\})?+\s*+")


def parse_graph(data: bytes, source: str = "graph", limits: Limits = NEVER) -> EdgeGraph:
    """Return the graph of a file's content; the names of its vertices are the file's.

    Raises BoardError with the line and the reason if it is none, and TimeUp if the deadline passes.

    >>> parse_graph(b"1 2\\n2 3\\n").names, parse_graph(b"Bw").edges.tolist()
    ([1, 2, 3], [[0, 1], [0, 2], [1, 2]])
    """
    data = data.removeprefix(b"\xef\xbb\xbf")
    if data.lstrip()[:1] == b"{":
        graph = parse_graph_board(data, source, BoardOptions(), limits).graph
        assert isinstance(graph, EdgeGraph)
        _check_size(graph.size, source)
        return graph
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        fail("this is not UTF-8 text", source, data.count(b"\n", 0, error.start) + 1)
    if (found := _PROBLEM.search(text)) is not None:
        return _dimacs(text, int(found[1]), source, limits)
    if _XML.match(text) or _GML.search(text):
        return _by_networkx(data, source, xml=_XML.match(text) is not None)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if lines and all(map(is_graph_word, lines)):
        if len(lines) > 1:
            fail(f"{len(lines)} graphs in one file: `orient`, `order`, `solve` answer each", source)
        return _of_word(lines[0], source, limits)
    if lines and lines[0].startswith(_OTHER):
        fail("digraph6 and incremental sparse6 are not read: write graph6", source, 1)
    if lines and lines[0].startswith("["):  # no names of vertices: a list, whole or cut off
        json_object(data, source)
    return _edge_list(text, source, limits)


def is_plain_graph(data: bytes) -> bool:
    """Whether a text that is no grid means to be a plain graph: each of its lines says so.

    >>> [is_plain_graph(text) for text in (b"1 2\\n2 3\\n", b"Bw", b"0120\\n", b"rule: any\\n")]
    [True, True, False, False]
    """
    text = data.decode("utf-8", "replace")
    if _PROBLEM.search(text) or _XML.match(text) or _GML.search(text):
        return True
    found = False
    for line in io.StringIO(text):  # the first that is nothing of a graph is the last looked at
        words = line.partition("#")[0].replace(",", " ").split()
        if words:
            found = True
            if not (len(words) == 1 and is_graph_word(words[0])) and not _joins(words):
                return False
    return found


def _joins(words: list[str]) -> bool:
    """Whether words are an edge or a vertex alone, and neither a header line nor half a grid."""
    if len(words) == 1:
        return words[0].endswith(":") and words != [":"]
    data = len(words) > 2 and words[2].startswith("{")
    plain = not any(word.endswith(":") or re.match(r"0\d", word) for word in words[:2])
    return plain and (len(words) == 2 or data)


def board_of_graph(data: bytes, source: str, options: BoardOptions, limits: Limits) -> Board:
    """Return the board of a plain graph, dark and to be lit unless told otherwise."""
    if options.pattern is not None:
        bad_argument("a graph board has no pattern: its edges say what a press toggles", "pattern")
    graph = parse_graph(data, source, limits)
    return GraphFile({"nodes": graph.size}, data, source, limits).board(graph, options)


def _by_networkx(data: bytes, source: str, *, xml: bool) -> EdgeGraph:
    try:
        import networkx
    except ImportError:
        fail("GML and GraphML need networkx: pip install networkx", source)
    try:
        if xml:
            found = networkx.parse_graphml(data.decode())
        else:
            found = networkx.parse_gml(data.decode())
    except Exception as error:  # of XML, of numbers, of the reader itself
        fail(f"no {'GraphML' if xml else 'GML'}: {str(error) or type(error).__name__}", source)
    labels = list(found.nodes)
    _check_size(len(labels), source)
    if all(isinstance(label, str) and _NUMBER.fullmatch(label) for label in labels):
        labels = [int(label) for label in labels]
    place = {name: k for k, name in enumerate(found.nodes)}
    ends = {(min(x), max(x)) for x in ((place[u], place[v]) for u, v in found.edges())}
    if any(u == v for u, v in ends):
        fail("an edge joins a vertex to itself", source)
    pairs = np.array(sorted(ends), dtype=np.int64).reshape(-1, 2)
    return EdgeGraph(len(labels), pairs, labels)


def _check_size(size: int, source: str) -> None:
    if not 0 < size <= MOST_VERTICES:
        fail(f"{size} vertices: there must be from 1 to {MOST_VERTICES:,}", source)


def _edge_list(text: str, source: str, limits: Limits) -> EdgeGraph:
    first: dict[tuple[str, str], int] = {}
    names: dict[str, None] = {}
    for at, line in enumerate(text.splitlines(), 1):
        limits.check()
        words = line.partition("#")[0].replace(",", " ").split()
        if len(words) > 2 and words[2].startswith("{"):  # as networkx writes data of an edge
            words = words[:2]
        if len(words) > 2:
            fail(f"{quoted(line.strip())} is not an edge: write two names", source, at)
        if len(words) == 1:
            if not words[0].endswith(":") or words == [":"]:
                said = "is not an edge: write two names, or one and a colon for a vertex alone"
                fail(f"{quoted(line.strip())} {said}", source, at)
            words = [words[0][:-1]]
        names.update(dict.fromkeys(words))
        if len(words) == 2:
            u, v = words
            if u == v:
                fail(f"this edge joins {quoted(u)} to itself", source, at)
            if (before := first.setdefault((min(u, v), max(u, v)), at)) != at:
                fail(f"this edge is that of line {before} again", source, at)
    if not names:
        fail("there is no graph in it", source)
    labels: list[int | str] = list(names)
    if all(map(_NUMBER.fullmatch, names)):
        names = dict.fromkeys(sorted(names, key=int))
        labels = [int(name) for name in names]
        if len(set(labels)) < len(labels):
            fail("one number is written in two ways", source)
    place = {name: k for k, name in enumerate(names)}
    pairs = np.array([(place[u], place[v]) for u, v in first], dtype=np.int64)
    return EdgeGraph(len(labels), pairs, labels, limits)


def _dimacs(text: str, size: int, source: str, limits: Limits) -> EdgeGraph:
    _check_size(size, source)
    pairs = []
    for at, line in enumerate(text.splitlines(), 1):
        limits.check()
        match line.split():
            case [] | ["c" | "p" | "n" | "d" | "v" | "x", *_]:
                continue
            case ["e", u, v] if all(map(_NUMBER.fullmatch, (u, v))):
                if not (1 <= int(u) <= size and 1 <= int(v) <= size):
                    fail(f"{quoted(line.strip())}: vertices are 1 to {size}", source, at)
                if u == v:
                    fail(f"this edge joins {u} to itself", source, at)
                pairs.append((int(u) - 1, int(v) - 1))
            case _:
                fail(f"{quoted(line.strip())} is not a line of DIMACS: write e <u> <v>", source, at)
    return EdgeGraph(size, np.array(pairs, dtype=np.int64), range(1, size + 1), limits)


def is_graph_word(word: str) -> bool:
    """Whether a line is a graph in graph6 or sparse6, or begins with the header of one."""
    if _HEADERS.match(word):
        return True
    if word[:1] == ":":
        return len(word) > 1 and all("?" <= x <= "~" for x in word[1:])
    return _graph6_parts(word) is not None


def _size_of(word: str) -> tuple[int, str]:
    """Return the number that a word begins with, in one, three or six sextets, and the rest."""
    width = 8 if word.startswith("~~") else 4 if word.startswith("~") else 1
    head, rest = word[width // 4 : width], word[width:]
    return sum((ord(x) - 63) << 6 * k for k, x in enumerate(reversed(head))), rest


def _graph6_parts(word: str) -> tuple[int, str] | None:
    """Return the number of vertices and the rest of a graph6 word; None for any other word."""
    if not word or not all("?" <= x <= "~" for x in word):
        return None
    size, rest = _size_of(word)
    return (size, rest) if len(rest) == (size * (size - 1) // 2 + 5) // 6 else None


def _bits_of(text: str) -> Bits:
    """Return six bits for every sign, the highest first."""
    sextets = np.frombuffer(text.encode("ascii"), dtype=np.uint8) - np.uint8(63)
    return np.unpackbits(sextets[:, None], axis=1)[:, 2:].reshape(-1).view(np.bool_)


def _of_word(line: str, source: str, limits: Limits) -> EdgeGraph:
    word = _HEADERS.sub("", line, count=1)
    if word[:1] == ":":
        return _sparse6(word[1:], source, limits)
    if (parts := _graph6_parts(word)) is None:
        fail("this graph6 line has the wrong length, or signs that do not belong in it", source, 1)
    size, rest = parts
    if not size:
        fail("there is no graph in it", source)
    k = np.flatnonzero(_bits_of(rest)[: size * (size - 1) // 2])
    every = np.arange(size, dtype=np.int64)
    starts = every * (every - 1) // 2
    v = np.searchsorted(starts, k, side="right") - 1
    return EdgeGraph(size, np.stack([k - starts[v], v], axis=1))


def _sparse6(word: str, source: str, limits: Limits) -> EdgeGraph:
    """Return the graph of a sparse6 word: by bit and number, the next vertex, a jump or an edge."""
    size, rest = _size_of(word)
    _check_size(size, source)
    width = (size - 1).bit_length()
    bits, v, pairs = _bits_of(rest), 0, set[tuple[int, int]]()
    for at in limits.over(range(0, bits.size - width, width + 1)):
        v += int(bits[at])
        x = int("".join("01"[int(bit)] for bit in bits[at + 1 : at + 1 + width]) or "0", 2)
        if x >= size or v >= size:  # what fills the last sextet
            break
        if x > v:
            v = x
        elif x == v or (x, v) in pairs:
            fail("a simple graph is wanted: an edge is a loop, or is repeated", source, 1)
        else:
            pairs.add((x, v))
    return EdgeGraph(size, np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2))


def is_wiring(data: bytes) -> bool:
    """Whether a board file's content is one of a wiring: machines, or JSON with buttons."""
    start = data.lstrip()[:2]
    return start in (b"[.", b"[#") or (
        start[:1] == b"{" and re.search(rb'"buttons"\s*:', data) is not None
    )


def parse_wiring(data: bytes, source: str, options: BoardOptions, limits: Limits) -> Board:
    """Return the board of a wiring's file. Raises BoardError with line and reason, TimeUp."""
    if options.pattern is not None:
        bad_argument("a wiring has no pattern: its buttons say what they toggle", "pattern")
    if data.lstrip()[:1] == b"[":
        boards = [*parse_machines(data, source, options, limits).values()]
        if len(boards) > 1:
            fail(f"{len(boards)} machines in one file: `order`, `solve` answer each", source)
        return boards[0]
    content = json_object(data, source)
    file = GraphFile(content, data, source, limits, _KEYS)
    file.check_keys()
    size, number = file.nodes
    buttons = content.get("buttons")
    if not isinstance(buttons, list):
        file.fail("`buttons` must be a list of objects", "buttons")
    toggles, seats = [], []
    names: dict[int | str, None] = {}
    for k, button in enumerate(buttons):
        limits.check()
        what = f"buttons[{k}]"
        if not isinstance(button, dict) or not isinstance(button.get("toggles"), list):
            file.fail(f"{what} is {quoted(button)}: it needs a list `toggles`", "buttons")
        for key in button:
            if key not in _BUTTON:
                file.fail(f"{what}: {unknown('key', key, _BUTTON)}", "buttons")
        toggles.append([file.node(x, what) for x in button["toggles"]])
        if len(set(toggles[-1])) < len(toggles[-1]):
            file.fail(f"{what} names a light twice", "buttons")
        name, seat = button.get("name", k), button.get("at")
        if not isinstance(name, str | int) or isinstance(name, bool):
            file.fail(f"{what}: the name {quoted(name)} is not a string or whole number", "buttons")
        if name in names:
            file.fail(f"{what}: the name {quoted(name)} is repeated", "buttons")
        names[name] = None
        seats.append(-1 if seat is None else file.node(seat, what))
    lights = None if number is None else list(number)
    graph = WiringGraph(size, toggles, seats, list(names), lights)
    graph.positions = file.positions(size + len(buttons))
    board = file.board(graph, options)
    return as_graph(board, graph) or board


def as_graph(board: Board, graph: WiringGraph) -> Board | None:
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
    edges = ends[ends[:, 0] < ends[:, 1]]
    found = EdgeGraph(graph.size, edges, names)
    found.positions = None if graph.positions is None else graph.positions[: graph.size]
    return Board(found, board.lit, board.goal, board.rule, board.name)


def parse_machines(
    data: bytes, source: str, options: BoardOptions, limits: Limits = NEVER
) -> dict[int, Board]:
    """Return every line's board, by its number from 1. Raises BoardError with both, TimeUp."""
    lines = enumerate(map(bytes.strip, limits.over(data.splitlines())), 1)
    boards = {at: _parse_machine(line, source, at, options) for at, line in lines if line}
    if not boards:
        fail("there is no machine in it", source)
    return boards


def _parse_machine(line: bytes, source: str, at: int, options: BoardOptions) -> Board:
    match = _MACHINE.fullmatch(line)
    if match is None:
        text = quoted(line.decode("utf-8", "backslashreplace"))
        fail(f"{text} is not a machine: write [.##.] (3) (1,3) (2)", source, at)
    size, buttons = len(match[1]), []
    for text in re.findall(rb"\(([^)]*)\)", match[2]):
        words = [word.strip() for word in text.split(b",")] if text.strip() else []
        if not all(word.isdigit() and len(word) < 10 and int(word) < size for word in words):
            fail(f"({text.decode()}) names no lights 0 to {size - 1}", source, at)
        buttons.append([int(word) for word in words])
        if len(set(buttons[-1])) < len(words):
            fail(f"({text.decode()}) names a light twice", source, at)
    remark = None if match[3] is None else match[3].decode("utf-8", "backslashreplace")
    graph = WiringGraph(size, buttons, remark=remark)
    drawn = np.frombuffer(match[1], dtype=np.uint8) == ord("#")
    said: Json = {"lights": size, "rule": "any", "goal": drawn.astype(int).tolist()}
    return GraphFile(said, line, source, NEVER, _KEYS).board(graph, options)


def wiring_text(board: Board) -> str:
    """Return a wiring as a file that `parse_wiring` reads back."""
    graph = board.graph
    assert isinstance(graph, WiringGraph)
    lights = graph.of_lights
    buttons: list[Json] = []
    for k in range(graph.presses):
        first, after = graph.starts[k : k + 2].tolist()
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


def vertices_named(graph: EdgeGraph, text: str) -> list[int | str]:
    """Return the vertices that the value of --odd lists; `all` and `none` may be names of some."""
    called = _called(graph)
    if text in ("all", "none") and text not in called:
        return graph.names if text == "all" else []
    return [_vertex(called, word, "--odd") for word in _words(text)]


def arcs_named(graph: EdgeGraph, text: str) -> list[tuple[int | str, int | str]]:
    """Return the arcs that the value of --fixed lists, as from:to; of `none` there are none."""
    arcs, called = [], _called(graph)
    for word in _words(text) if text != "none" else ():
        start, colon, end = (part.strip() for part in word.partition(":"))
        if not colon:
            raise BoardError(f"{shortened(word, 40)!r} is not an arc: write from:to", "--fixed")
        arcs.append((_vertex(called, start, "--fixed"), _vertex(called, end, "--fixed")))
    return arcs


def _called(graph: EdgeGraph) -> dict[str, int | str]:
    return {str(name): name for name in graph.names}


def _vertex(called: Mapping[str, int | str], word: str, where: str) -> int | str:
    if word not in called:
        known = shortened(f"{next(iter(called))} … {[*called][-1]}", 40)
        raise BoardError(f"there is no vertex {shortened(word, 40)!r} (vertices {known})", where)
    return called[word]


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]
