"""Board files of any format: which one a text is in, and the states that a caller names.

    format     what the text looks like
    json       `{`: a graph with `nodes`, a wiring with `buttons`, a result that the page saved
    machine    `[.##.] (3) (1,3)`
    link       …#1.4x4.cross.unlit.lit.w2g, as the page writes it, on the last line
    list       [[0, 1], [1, 0]], as Python and numpy print it
    gml, graphml, dimacs, graph6
               plain graphs: all bulbs dark, the goal lit
    edges      `1 2`: pairs of whole numbers; of other names by the ending `.edges` or by `--format`
    grid       a header, and rows of signs (`cell_signs`)

A text that is clearly none of these, or fits two, is refused; so are formats that ponder does not
read, by their names. Every error is a `BoardError` with file, line and reason; an accepted board
never crashes later. A text may also hold many questions: see `questions`.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TypeAlias

import numpy as np

from ponder.model.board import STATES, Board, BoardOptions, unknown_state
from ponder.model.cell_signs import evenly_spaced, is_row, without_comment
from ponder.model.edge_graph import EdgeGraph
from ponder.model.files import read_bytes, utf8
from ponder.model.graph import Graph, GridGraph
from ponder.model.graph_files import (
    DIMACS,
    check_size,
    is_edge_list,
    is_graph6,
    parse_by_networkx,
    parse_dimacs,
    parse_edge_list,
    parse_graph6,
)
from ponder.model.graph_json import GraphFile, graph_board_text, parse_graph_board
from ponder.model.grid_text import (
    HEADER,
    grid_board_text,
    has_link,
    linked,
    list_as_rows,
    parse_grid_board,
)
from ponder.model.json_text import json_object
from ponder.model.presets import puzzle_named
from ponder.model.wired_graph import WiringGraph
from ponder.model.wiring_files import MACHINE_LINE, parse_machine, parse_wiring, wiring_text
from ponder.system.errors import BoardError, bad_argument, fail, quoted, unknown
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits

FORMATS = (
    "json", "machine", "link", "list", "gml", "graphml", "dimacs", "graph6", "edges", "grid",
)  # fmt: skip
GRAPHS = ("json", "gml", "graphml", "dimacs", "graph6", "edges")  # what `orient` takes
ENDINGS = {".edges": "edges", ".g6": "graph6", ".s6": "graph6"}

EDGES, SIGNS = "write its edges, two names a line", "write it with . and O"
NOT_READ = (
    (r"\s*(?:strict\s+)?(?:di)?graph\b[^\[\n{]*\{", f"a graph in DOT: {EDGES}"),
    (r"%%MatrixMarket", f"a matrix in MatrixMarket: {EDGES}"),
    (r"(?:c[^\n]*\n)*p\s+tw\b", "a graph in PACE's .gr: write `p edge` and `e u v`, as DIMACS"),
    (r"(?:c[^\n]*\n)*p\s+w?cnf\b", "a formula in DIMACS, and no board"),
    (r"#Life 1\.0[56]", f"a pattern of Life: {SIGNS}"),
    (r"(?:#[^\n]*\n)*x\s*=\s*\d+", f"a pattern in RLE: {SIGNS}"),
    (r">>digraph6<<|&", "a directed graph in digraph6: ponder reads undirected graphs"),
    (r";[?-~]", "incremental sparse6: write graph6"),
    (r"(?i)\*(?:vertices|network)\b|\s*(<\?[^>]*>\s*)?<gexf\b", f"for Pajek or Gephi: {EDGES}"),
    (r"(?i)<(?!\?)[^>]*\bhtml", "a page in HTML, and no board"),
    (r"(?s)<(?!\?)[^>]*\bsvg|<\?xml.{0,200}<svg", "a picture in SVG, and no board"),
    (r"---\s*$|- \[[^.#]|\w+:\s*\n\s+\S", "YAML: write JSON"),
    (r"\s*:[a-z_0-9]+:", "short codes of emoji: paste the signs themselves, or write 0 and 1"),
    (r"[^\n]*\n(?:[^\n#]*\n)*#[ \t]*\n\s*\S+\s+\S+", f"a graph in TGF: {EDGES}"),
    (r"\s*\(\s*-?\d+\s*,\s*-?\d+\s*\)", "a list of places: `verify` takes one beside a board"),
)
"""What a text of a format begins with that is not read, and what to say of it."""

_FENCE = re.compile(rb"(?m)^[ \t>]*(?:`{3,}|~{3,})[ \t]*[\w+-]{0,20}[ \t]*$")  # a line of its own
_QUOTED = re.compile(rb'\s*|"[^",;\t]*"(?:[,;\t]"[^",;\t]*")*+')  # fields of a CSV
_A_WORD = re.compile(r"[A-Za-z][\w -]*")  # what somebody takes for the name of a state

State: TypeAlias = "str | tuple[bytes, str]"
"""A state that a caller names: `lit`, `unlit`, rows of a grid, or (content, source) of a board
file, of which only the state counts."""


def normalised(data: bytes, source: str = "board") -> bytes:
    """Return a text in UTF-8 with line feeds, without byte order mark, fences and quote marks.

    Every line stays where it is. Raises BoardError for what is no text.

    >>> normalised(b"```\\r\\n> 01\\r\\n> 10\\r\\n```\\r\\n")
    b'\\n  01\\n  10\\n\\n'
    """
    data = utf8(data, source).removeprefix(b"\xef\xbb\xbf")
    if b"\0" in data or data.startswith((b"\x1f\x8b", b"\xfd7zXZ", b"BZh91AY", b"PK\3\4")):
        fail("this is no text: name a packed file .gz, .bz2 or .xz; save a sheet as CSV", source)
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if _FENCE.search(data):
        lines, inside = data.split(b"\n"), False
        for k, line in enumerate(lines):
            fence = _FENCE.fullmatch(line) is not None
            inside ^= fence
            if fence or not inside:
                lines[k] = b""
        data = b"\n".join(lines)
    if re.match(rb"\s*>(?!>)", data) and all(
        line.lstrip()[:1] in (b">", b"") for line in data.split(b"\n")
    ):
        data = re.sub(rb"(?m)^([ \t]*)>", rb"\1 ", data)
    if data.lstrip()[:1] == b'"' and all(map(_QUOTED.fullmatch, data.split(b"\n"))):
        data = data.replace(b'"', b"")
    return data


def format_of(data: bytes, source: str, *, graph: bool = False) -> str:
    """Return the format of a normalised text; `graph` where only a plain graph is wanted.

    Raises BoardError for a text that is clearly none, with the formats that it resembles.

    >>> [format_of(text, "file") for text in (b"01\\n10\\n", b"1 2\\n2 3\\n", b"DQc")]
    ['grid', 'edges', 'graph6']
    """
    ending = ENDINGS.get(ending_of(source))
    start = data[:4000].lstrip()
    if ending is not None:
        return ending
    if start[:1] == b"{":
        return "json"
    if not graph and has_link(data):
        return "link"
    digits = not graph and not start.strip(b"01- \n") and start
    if digits and (len(data) > 4000 or evenly_spaced([start.decode()])):
        return "grid"  # most are
    text = data.decode("utf-8", "replace")
    head = text[:4000].lstrip("\n")
    for begins, description in NOT_READ:
        if re.match(begins, head):
            fail(f"this is {description}", source, 1)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    rows = [line if is_row(line) else without_comment(line).strip() for line in lines]
    rows = [line for line in rows if line and not HEADER.fullmatch(line)]
    if rows and MACHINE_LINE.match(rows[0]):
        return "machine"
    if start[:1] == b"[" or re.match(rb"(?:np\.|numpy\.)?array\(", start):
        return "list"
    if start[:1] == b"<":
        return "graphml"
    if re.search(r"^[ \t]*graph\s*\[", text, re.M):
        return "gml"
    if DIMACS.search(text):
        return "dimacs"
    if size := re.fullmatch(r"(\d{1,5})\D+(\d{1,5})", rows[0] if rows[2:] else ""):
        below = [re.sub(r"[\s,;]", "", row) for row in rows[1:]]
        fits = (len(below), {*map(len, below)}) == (int(size[1]), {int(size[2])})
        if fits and {*"".join(below)} <= {*"01-"} and evenly_spaced(rows[1:]):
            fail(f"{quoted(size[0])} is the size of the grid below: leave it out", source, 1)
    drawn = not graph and bool(rows) and all(map(is_row, rows))
    named = bool(rows) and all(map(is_graph6, rows))
    pairs = is_edge_list(text)
    if drawn and named:
        fail("this fits a picture of a board and graph6: say which by --format", source, 1)
    if drawn and pairs and not evenly_spaced(rows):
        return "edges"
    if named or drawn or pairs:
        return "graph6" if named else "grid" if drawn else "edges"
    return _nearest(lines, graph, text, source)


def ending_of(source: str) -> str:
    """Return the ending of a file's name, small, without that of its packing."""
    return Path(re.sub(r"\.(gz|bz2|xz)$", "", source.lower())).suffix


def is_comment(line: str) -> bool:
    """Whether a line of a list is a comment; a `#` without a blank is a mistake perhaps."""
    return re.match(r"#(\s|$)", line) is not None and not is_row(line)


def _nearest(lines: list[str], graph: bool, text: str, source: str) -> str:
    """Return the format whose reader says what is wrong; refuse what resembles two, or none."""
    words = [row for line in lines if (row := line.partition("#")[0].replace(",", " ").split())]
    pairs = [row for row in words if len(row) == 2]
    digits = any(re.fullmatch(r"[01-]+", "".join(row)) for row in words)
    if not graph and (not words or digits or HEADER.fullmatch(lines[0])):
        return "grid"
    names = [word for row in pairs for word in row if re.search(r"[^\W\d]", word)]
    if graph or (2 < len({*names}) < len(names) and 2 * len(pairs) > len(words)):
        if not 0 < len(words) == len(pairs):
            parse_edge_list(text, source)  # which says what line is none
        plain = "of a graph whose vertices have names in words"
        resembles = f"this resembles an edge list {plain}: say --format edges, or write JSON"
        fail(f"{resembles} (cells of a board are 0 and 1)", source, 1)
    return "grid"


# ------------------------------------------------------------------------------- one board


def read(
    path: str | os.PathLike[str],
    *,
    puzzle: str | None = None,
    pattern: str | None = None,
    rule: str | None = None,
    goal: State | None = None,
    format: str | None = None,
    limits: Limits = NEVER,
) -> Board:
    """Read a board file; `-` reads standard input.

    `pattern`, `rule` and `goal` replace what the file says; `puzzle` names all three; `format` is
    one of FORMATS, where the text does not say. Raises BoardError if the file cannot be read or is
    no board, and TimeUp if the deadline passes.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
    ...     print("pattern: plus", "01", "10", sep="\\n", file=file, flush=True)
    ...     board = read(file.name, rule="any")
    >>> board.graph.size, board.rule
    (4, 'any')
    """
    data, name = read_bytes(path)
    stated = {"puzzle": puzzle, "pattern": pattern, "rule": rule, "format": format}
    return parse_board(data, name, **stated, goal=goal, limits=limits)


def parse_board(
    text: str | bytes,
    source: str = "board",
    *,
    puzzle: str | None = None,
    pattern: str | None = None,
    rule: str | None = None,
    goal: State | None = None,
    format: str | None = None,
    limits: Limits = NEVER,
) -> Board:
    """Parse a board file's content; the options replace what it says, as for `read`.

    Raises BoardError with `source`, line and reason if it is no board, TimeUp at the deadline.

    >>> parse_board("pattern: plus\\n010\\n1-1\\n").lit.astype(int).tolist()
    [0, 1, 0, 1, 1]
    """
    Limits.need(limits)
    data = normalised(_bytes_of(text), source)
    shape = pattern  # a graph has no pattern, and takes rule and goal of a puzzle alone
    preset = None if puzzle is None else puzzle_named(puzzle)
    if preset is not None:
        shape = preset.pattern or None if pattern is None else pattern
        rule = preset.rule if rule is None else rule
        goal = preset.goal if goal is None else goal
    state = None if goal is None else lambda graph: parse_state(goal, graph, "goal")
    target = (lambda graph: None) if goal == "pressed" else state
    options = BoardOptions(pattern, rule, target, preset)
    try:
        kind = known_format(format) or format_of(data, source)
        if kind == "json":
            content = json_object(data, source)
            saved = content.get("board")
            if isinstance(saved, dict) and isinstance(inner := saved.get("text"), str):
                # a result that the page saved
                stated = {"puzzle": puzzle, "pattern": pattern, "rule": rule}
                return parse_board(inner, source, **stated, goal=goal, limits=limits)
            if "buttons" in content:
                return parse_wiring(content, data, source, options, limits)
            return parse_graph_board(content, data, source, options, limits)
        if kind == "machine":
            line, at = _only_line(data.decode("utf-8", "replace"), "machines", source)
            return parse_machine(line, source, options, at, limits)
        if kind in GRAPHS:
            graph = parse_graph(data, source, limits, kind)
            return GraphFile({"nodes": graph.size}, data, source, limits).board(graph, options)
        if kind == "link":
            data = linked(data, source)
        elif kind == "list":
            data = list_as_rows(data.decode("utf-8", "replace"), source)
        return parse_grid_board(data, source, BoardOptions(shape, rule, target, preset), limits)
    except MemoryError:
        raise BoardError("the board is too large for this machine's memory", source) from None


def _bytes_of(text: str | bytes) -> bytes:
    if not isinstance(text, str | bytes):
        bad_argument(f"{quoted(text)} is not the text of a board file", "text")
    try:
        return text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    except UnicodeEncodeError as error:
        half = error.object[error.start : error.start + 1]
        bad_argument(f"{quoted(half)} is half of a surrogate pair, no character", "text")


def known_format(format: str | None) -> str | None:
    """Return a format by its name, None for None. Raises BadArgument."""
    if format is not None and format not in FORMATS:
        bad_argument(unknown("format", format, FORMATS), "format")
    return format


def _only_line(text: str, things: str, source: str) -> tuple[str, int]:
    """Return the one line that is not blank, and its number. Raises BoardError for many."""
    lines = [(line.strip(), at) for at, line in enumerate(text.splitlines(), 1)]
    lines = [(line, at) for line, at in lines if line and not is_comment(line)]
    if len(lines) > 1:
        fail(f"{len(lines)} {things} in one file: `order` and `solve` answer each", source)
    return lines[0] if lines else fail(f"there is no {things[:-1]} in it", source)


def parse_graph(
    data: bytes, source: str = "graph", limits: Limits = NEVER, format: str | None = None
) -> EdgeGraph:
    """Return the graph of a file's content; the names of its vertices are the file's.

    Raises BoardError with the line and the reason if it is none, and TimeUp if the deadline passes.

    >>> parse_graph(b"1 2\\n2 3\\n").names, parse_graph(b"Bw").edges.tolist()
    ([1, 2, 3], [[0, 1], [0, 2], [1, 2]])
    """
    data = normalised(data, source)
    kind = known_format(format) or format_of(data, source, graph=True)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        fail("this text is not in UTF-8", source, data.count(b"\n", 0, error.start) + 1)
    if kind == "json":
        content = json_object(data, source)
        if "buttons" in content:
            fail("a wiring has no edges to be directed", source)
        graph = parse_graph_board(content, data, source, BoardOptions(), limits).graph
        assert isinstance(graph, EdgeGraph)
        check_size(graph.size, source)
        return graph
    if kind in ("gml", "graphml"):
        return parse_by_networkx("GML" if kind == "gml" else "GraphML", text, source)
    if kind == "dimacs":
        return parse_dimacs(text, source, limits)
    if kind == "graph6":
        line, at = _only_line(text, "graphs", source)
        return parse_graph6(line, source, at)
    if kind != "edges":
        fail(f"this is a board ({kind}), and no plain graph", source, 1)
    return parse_edge_list(text, source, limits)


def parse_state(state: State, graph: Graph, parameter: str = "state") -> Bits:
    """Return the bulbs that a state lights: `lit`, `unlit`, rows, or a board file's content.

    Raises BoardError with line and reason if it is none; `parameter` is where it was named.
    """
    if isinstance(state, str) and state in STATES:
        return np.full(graph.size, state == "lit")
    if not isinstance(state, str | tuple) or (isinstance(state, str) and _A_WORD.fullmatch(state)):
        role = "goal" if parameter == "goal" else "state"
        bad_argument(unknown_state(state, "a board file", role), parameter)
    if isinstance(state, str):
        state = state.encode(errors="surrogatepass"), parameter
    data, source = state
    if isinstance(graph, WiringGraph):
        fail("the state of a wiring is `lit` or `unlit`, or stands in its file", source)
    if isinstance(graph, EdgeGraph) and data.lstrip()[:1] == b"[":
        data = b'{"nodes": %d, "lit": %s}' % (graph.size, data)
    data = normalised(data, source)
    if (kind := format_of(data, source)) in GRAPHS and kind != "json":
        fail(f"this is a plain graph ({kind}), which says no state of its bulbs", source)
    state_board = parse_board(data, source, format=kind)
    if not isinstance(graph, GridGraph):
        if state_board.lit.size != graph.size:
            fail(f"the state has {state_board.lit.size} bulbs, the board {graph.size}", source)
        return state_board.lit
    if not isinstance(state_board.graph, GridGraph) or state_board.graph.shape != graph.shape:
        fail(f"the state is not a {graph.shape[0]}×{graph.shape[1]} grid like the board", source)
    if not np.array_equal(graph.cells, state_board.graph.cells):
        fail("the state has its holes elsewhere than the board", source)
    return state_board.lit


def board_text(board: Board) -> str:
    """Return the board as a file that `parse_board` reads back."""
    if isinstance(board.graph, WiringGraph):
        return wiring_text(board)
    return (graph_board_text if isinstance(board.graph, EdgeGraph) else grid_board_text)(board)
