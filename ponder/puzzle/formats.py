"""Board files, press lists and result files: text in, data out, and one clear line when it fails.

A grid file is bytes with one class per character, so that it is read by table look-up with numpy:
O(bytes), no Python loop over cells (10,000×10,000 in about two seconds). The header, a handful of
lines, is read line by line. A file whose first character is `{` is a graph in JSON.

    # a comment
    pattern: cross          cross, plus, king, torus-plus, torus-king, stencil <dr,dc> …
    rule: unlit             unlit, lit, any
    goal: lit               lit, unlit, or (after the grid) a line `goal:` and a second grid
    0 0 1 1                 1 lit, 0 unlit, - no bulb; blanks and commas between cells optional
    1101

Every error is a `BoardError` with file, line and reason; what is accepted never crashes later.
"""

from __future__ import annotations

import bz2
import gzip
import io
import itertools
import json
import lzma
import os
import re
import reprlib
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import IO, Literal, NoReturn, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from ponder.errors import BoardError
from ponder.limits import NEVER, Limits
from ponder.printable import printable, shortened
from ponder.puzzle.board import RULES, Board, Rule
from ponder.puzzle.graph import EdgeGraph, Graph, GridGraph, grid_graph
from ponder.signals import held
from ponder.types import Bits, Ints, Json

MOST_BULBS = 400_000_000
"""Boards above this are refused before anything is built; about 2 GB of working arrays."""

MOST_BYTES = 1 << 30
"""Files above this, unpacked, are refused; a board of MOST_BULBS has room for blanks in it."""

State: TypeAlias = "str | tuple[bytes, str]"
"""A state named on the command line: `lit`, `unlit`, rows of a grid, or (content, source) of a
board file, of which only the state counts."""

_PIECE = 1 << 22
_KEYS = ("pattern", "rule", "goal")
_BLANKS = re.compile(rb"\s*")
_LINE = re.compile(rb"\S[^\n]*")  # what is left of a line that is not blank
_PRESS = re.compile(r"[\[(]?\s*(-?[0-9]{1,18})[\s,]+(-?[0-9]{1,18})\s*[\])]?")
_HEADER = re.compile(rb"\s*([A-Za-z][\w-]*)\s*:(.*)")
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
_CELL, _BLANK, _END, _FOREIGN = 0, 1, 2, 3
_CLASS = np.full(256, _FOREIGN, dtype=np.uint8)
_CLASS[[ord(c) for c in "01-"]] = _CELL
_CLASS[[ord(c) for c in " ,\t"]] = _BLANK
_CLASS[ord("\n")] = _END


def read(
    path: str | os.PathLike[str],
    *,
    pattern: str | None = None,
    rule: str | None = None,
    goal: State | None = None,
    limits: Limits = NEVER,
) -> Board:
    """Read a board file; `-` reads standard input.

    `pattern`, `rule` and `goal` replace what the file says.
    BoardError when the file cannot be read or is no board, TimeUp when the deadline passes.
    """
    data, name = read_bytes(path)
    limits.check()
    return parse_board(data, name, pattern=pattern, rule=rule, goal=goal, limits=limits)


def read_bytes(path: str | os.PathLike[str]) -> tuple[bytes, str]:
    """Return a file's content (`-`: standard input; gz, bz2, xz unpacked) and its name.

    BoardError when it cannot be read, or is larger than MOST_BYTES; a packed file that would be
    is given up on the way, whatever it says of its size.
    """
    name = os.fspath(path)
    try:
        if name == "-" and sys.stdin is None:
            raise BoardError("cannot be read: it is closed", "standard input")
        if name == "-":
            return _content(sys.stdin.buffer, "standard input"), "standard input"
        with _opener(name)(name, "rb") as file:
            return _content(file, name), name
    except OSError as error:
        source = "standard input" if name == "-" else name
        raise BoardError(f"cannot be read: {error.strerror or error}", source) from None
    except (EOFError, lzma.LZMAError, zlib.error) as error:
        raise BoardError(f"cannot be read: {error}", name) from None
    except ValueError as error:  # a null byte in the name
        raise BoardError(f"cannot be read: {error}", name) from None
    except MemoryError:
        raise BoardError("is too large for this machine's memory", name) from None


def _content(file: IO[bytes], source: str) -> bytes:
    """Return what is left of an open file, piece by piece, so that its size need not be known."""
    content = io.BytesIO()
    while piece := file.read(_PIECE):
        content.write(piece)
        if content.tell() > MOST_BYTES:
            raise BoardError(f"is larger than {MOST_BYTES / 1e9:.1f} GB", source)
    return content.getvalue()  # no copy: the buffer itself is handed over


def _opener(name: str) -> Callable[..., IO[bytes]]:
    """Return the `open` for a file's ending."""
    packed = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
    return cast("Callable[..., IO[bytes]]", packed.get(Path(name).suffix, open))


def parse_board(
    text: str | bytes,
    source: str = "board",
    *,
    pattern: str | None = None,
    rule: str | None = None,
    goal: State | None = None,
    limits: Limits = NEVER,
) -> Board:
    """Parse a board file's content.

    >>> board = parse_board("pattern: plus\\n010\\n1-1\\n")
    >>> board.graph.size, board.lit.astype(int).tolist()
    (5, [0, 1, 0, 1, 1])
    >>> parse_board("01\\n0")
    Traceback (most recent call last):
    ...
    ponder.errors.BoardError: board:2: this row has 1 cell, the first row has 2
    """
    data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    data = data.removeprefix(b"\xef\xbb\xbf")
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    try:
        if data.lstrip()[:1] == b"{":
            return _parse_graph(data, source, pattern, rule, goal, limits)
        return _parse_grid_file(data, source, pattern, rule, goal, limits)
    except MemoryError:
        raise BoardError("the board is too large for this machine's memory", source) from None


# ------------------------------------------------------------------------------------- grids


def _parse_grid_file(
    data: bytes,
    source: str,
    pattern: str | None,
    rule: str | None,
    goal: State | None,
    limits: Limits,
) -> Board:
    header: dict[str, tuple[str, int]] = {}
    at, line, second_grid = 0, 1, None
    data = _without_comments(data)
    if data[-2:].isspace():  # else a copy of a large board would be made for nothing
        data = data.rstrip()
    while (start := cast("re.Match[bytes]", _BLANKS.match(data, at)).end()) < len(data):
        limits.check()
        line += data.count(b"\n", at, start)  # the header: lines that are not blank
        at = max(data.rfind(b"\n", at, start) + 1, at)
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        if not _read_header_line(
            data[start : min(end, start + 100_000)].rstrip(), line, source, header
        ):
            break
        if header.get("goal", ("lit", 0))[0] == "":
            _fail("the goal grid after `goal:` belongs after the board's grid", source, line)
        at = end
    body_line = line
    body = data[at:]
    split = re.search(rb"^[ \t]*goal[ \t]*:", body, re.MULTILINE) if b"goal" in body else None
    if split is not None:
        if "goal" in header:
            where = header["goal"][1]
            _fail(
                f"the goal is given twice (first in line {where})",
                source,
                line + body.count(b"\n", 0, split.start()),
            )
        line += body.count(b"\n", 0, split.start())
        rest = body[split.end() :]
        first, _, below = rest.partition(b"\n")
        word = first.strip()
        if word:
            text = word.decode("utf-8", "backslashreplace")
            _fail(f"{_after(text)} header lines belong before the grid", source, line)
        second_grid, body = (below, line + 1), body[: split.start()]
    limits.check()
    cells = _parse_cells(body, source, body_line)
    limits.check()
    if cells is None:
        _fail("no grid: the file holds no rows of 0, 1 and -", source, body_line)
    shape = (cells.shape[0], cells.shape[1])
    if cells.size > MOST_BULBS:
        _fail(f"a board of {cells.size:,} cells is too large (at most {MOST_BULBS:,})", source)
    bulbs = cells != ord("-")
    mask = None if bulbs.all() else bulbs
    if mask is not None and not mask.any():
        _fail("the board has no bulbs: every cell is a hole", source, body_line)

    graph = _grid_graph(pattern, header.get("pattern"), shape, mask, source)
    lit = graph.from_grid(cells == ord("1"))
    limits.check()
    ones = np.ones(graph.size, dtype=np.bool_)
    if goal is not None:
        target = parse_state(goal, graph)
    elif second_grid is not None:
        target = _goal_grid(second_grid[0], graph, source, second_grid[1])
    else:
        target = ones if header.get("goal", ("lit", 0))[0] == "lit" else ~ones
    return Board(graph, lit, target, _rule(rule, header.get("rule"), source), _stem(source))


def _without_comments(data: bytes) -> bytes:
    """Return the data with blanks for its comments, so that every place stays where it is.

    O(bytes), by arrays over the part that has comments: millions of them are no more work.
    """
    first = data.find(b"#")
    if first < 0:
        return data
    last = data.find(b"\n", data.rfind(b"#"))
    part = np.frombuffer(data[first : len(data) if last < 0 else last] + b"\n", dtype=np.uint8)
    sign = part == ord("#")
    places = np.flatnonzero(sign | (part == ord("\n")))
    opens = sign[places]
    before = np.concatenate([[False], opens[:-1]])
    steps = np.zeros(part.size, dtype=np.int8)
    steps[places[opens & ~before]] = 1  # the first # of a line
    steps[places[~opens & before]] = -1  # the end of a line that has one
    blanked = np.where(np.cumsum(steps, dtype=np.int8) > 0, np.uint8(ord(" ")), part)[:-1]
    return b"".join((data[:first], blanked.tobytes(), data[first + blanked.size :]))


def _read_header_line(
    words: bytes, line: int, source: str, header: dict[str, tuple[str, int]]
) -> bool:
    """Take one header line in; False when the line is no header line."""
    match = _HEADER.fullmatch(words)
    if match is None:
        return False
    key = match[1].decode()
    value = match[2].decode("utf-8", "backslashreplace").strip()
    if key not in _KEYS:
        hint = f"; did you mean `{key.lower()}`?" if key.lower() in _KEYS else ""
        _fail(f"unknown key {_quote(key)}; known: {', '.join(_KEYS)}{hint}", source, line)
    if key in header:
        _fail(f"the key {key!r} is repeated (first in line {header[key][1]})", source, line)
    if key == "goal" and value not in ("lit", "unlit", ""):
        _fail(
            f"unknown goal {_quote(value)}; known: lit, unlit, or a grid after the board's",
            source,
            line,
        )
    header[key] = (value, line)
    return True


def _parse_cells(body: bytes, source: str, line: int) -> NDArray[np.uint8] | None:
    """Return the grid in `body` as an (R, C) array of the characters 0, 1 and -.

    None when there is no cell at all. `line` is the number of body's first line.
    """
    if b"\n\n\n" in body:  # many blank lines: they matter for the place of an error only
        with suppress(BoardError):
            return _parse_cells(re.sub(rb"\n\n+", b"\n", body), source, line)
    if not body.endswith(b"\n"):
        body += b"\n"
    flat = np.frombuffer(body, dtype=np.uint8)
    width = body.index(b"\n")
    if width and flat.size % (width + 1) == 0:  # the common case: an exact block of cells
        block = flat.reshape(-1, width + 1)
        inner = block[:, :width]
        if (block[:, width] == ord("\n")).all() and (
            (inner == ord("0")) | (inner == ord("1")) | (inner == ord("-"))
        ).all():
            return inner
    kinds = _CLASS[flat]
    ends = np.flatnonzero(kinds == _END)
    if (kinds == _FOREIGN).any():
        at = int(np.argmax(kinds == _FOREIGN))
        where = line + int(np.searchsorted(ends, at))
        start = int(ends[where - line - 1]) + 1 if where > line else 0
        text = body[start : int(ends[where - line])]
        match = _HEADER.fullmatch(text.strip())
        if match is not None:
            _fail(
                f"{_after(text.decode('utf-8', 'backslashreplace').strip())} "
                "header lines belong before the grid",
                source,
                where,
            )
        bad = body[at : at + 4].decode("utf-8", "replace")[:1]
        _fail(
            f"foreign character {_quote(bad)} in column {at - start + 1}; cells are 0, 1 and -",
            source,
            where,
        )
    is_cell = kinds == _CELL
    starts = np.concatenate([np.zeros(1, dtype=np.int64), ends[:-1] + 1])
    lengths = np.add.reduceat(is_cell, starts, dtype=np.int64)
    used = np.flatnonzero(lengths)
    if not used.size:
        return None
    ragged = used[lengths[used] != lengths[used[0]]]
    if ragged.size:
        k, want = int(lengths[ragged[0]]), int(lengths[used[0]])
        _fail(
            f"this row has {k} cell{'' if k == 1 else 's'}, the first row has {want}",
            source,
            line + int(ragged[0]),
        )
    cells: NDArray[np.uint8] = flat[is_cell].reshape(used.size, -1)
    return cells


def _goal_grid(text: bytes, graph: GridGraph, source: str, line: int) -> Bits:
    cells = _parse_cells(text, source, line)
    if cells is None:
        _fail("the goal grid after `goal:` is empty", source, line)
    if cells.shape != graph.shape:
        _fail(
            f"the goal grid is {cells.shape[0]}×{cells.shape[1]}, the board "
            f"{graph.shape[0]}×{graph.shape[1]}",
            source,
            line,
        )
    holes = cells == ord("-")
    if (holes if graph.mask is None else holes == graph.mask).any():
        _fail("the goal grid has its holes elsewhere than the board", source, line)
    return graph.from_grid(cells == ord("1"))


def parse_state(state: State, graph: Graph) -> Bits:
    """Return the bulbs that a state lights: `lit`, `unlit`, rows, or a board file's content.

    >>> graph = parse_board("00").graph
    >>> parse_state("lit", graph).tolist(), parse_state("01", graph).tolist()
    ([True, True], [False, True])
    """
    if state in ("lit", "unlit"):
        return np.full(graph.size, state == "lit")
    data, source = (state.encode(), "state") if isinstance(state, str) else state
    if isinstance(graph, EdgeGraph):
        if data.lstrip()[:1] == b"[":
            data = b'{"nodes": %d, "lit": %s}' % (graph.size, data)
        lit = parse_board(data, source).lit
        if lit.size != graph.size:
            _fail(f"the state has {lit.size} bulbs, the board {graph.size}", source)
        return lit
    other = parse_board(data, source)
    assert isinstance(graph, GridGraph)
    if not isinstance(other.graph, GridGraph) or other.graph.shape != graph.shape:
        _fail(f"the state is no {graph.shape[0]}×{graph.shape[1]} grid as the board is", source)
    if not np.array_equal(graph.cells, other.graph.cells):
        _fail("the state has its holes elsewhere than the board", source)
    return other.lit


def _grid_graph(
    option: str | None,
    header: tuple[str, int] | None,
    shape: tuple[int, int],
    mask: Bits | None,
    source: str,
) -> GridGraph:
    text, line = (option, None) if option is not None else header or ("cross", None)
    try:
        return grid_graph(text or " ", shape, mask)
    except (ValueError, IndexError) as error:
        reason = str(error) if text.strip() else "the pattern is empty"
        _fail(reason, "--pattern" if option is not None else source, line)


def _rule(option: str | None, header: tuple[str, int] | None, source: str) -> Rule:
    text, line = (option, None) if option is not None else header or ("unlit", None)
    if text not in RULES:
        _fail(
            f"unknown rule {_quote(text)}; known: {', '.join(RULES)}",
            "--rule" if option is not None else source,
            line,
        )
    return text


# ------------------------------------------------------------------------------------ graphs


def _parse_graph(
    data: bytes,
    source: str,
    pattern: str | None,
    rule: str | None,
    goal: State | None,
    limits: Limits,
) -> Board:
    content = _json_object(data, source)

    def fail(reason: str, key: str) -> NoReturn:
        found = re.search(rb'"%s"\s*:' % re.escape(key.encode()), data)
        _fail(reason, source, 1 if found is None else data.count(b"\n", 0, found.start()) + 1)

    if pattern is not None:
        _fail("a graph board has no pattern: its edges say what a press toggles", "--pattern")
    known = ("nodes", "edges", "lit", "rule", "goal")
    for key in content:
        if key not in known:
            fail(f"unknown key {_quote(key)}; known: {', '.join(known)}", key)
    if "nodes" not in content:
        _fail("the key `nodes` is missing: a number, or a list of names", source, 1)
    nodes = content["nodes"]
    names: list[int | str] | None = None
    if isinstance(nodes, int) and not isinstance(nodes, bool):
        if nodes < 1:
            fail("a board needs at least one node", "nodes")
        if nodes > MOST_BULBS // 10:
            fail(f"{_quote(nodes)} nodes are too many for this machine's memory", "nodes")
        size = nodes
    elif isinstance(nodes, list):
        names, size = nodes, len(nodes)
        if not size:
            fail("a board needs at least one node", "nodes")
        seen: set[int | str] = set()
        for k, name in enumerate(nodes):
            limits.check()
            if not isinstance(name, str | int) or isinstance(name, bool):
                fail(f"nodes[{k}] is {_quote(name)}: a name is a string or a whole number", "nodes")
            if name in seen:
                fail(f"the node {_quote(name)} is repeated", "nodes")
            seen.add(name)
    else:
        fail(f"`nodes` is {_quote(nodes)}: it must be a number or a list of names", "nodes")

    number = {name: v for v, name in enumerate(names)} if names is not None else None
    edges = content.get("edges", [])
    if not isinstance(edges, list):
        fail("`edges` must be a list of pairs", "edges")
    pairs: set[tuple[int, int]] = set()
    for k, edge in enumerate(edges):
        limits.check()
        if not isinstance(edge, list) or len(edge) != 2:
            fail(f"edges[{k}] is {_quote(edge)}: an edge is a pair of nodes", "edges")
        ends = []
        for end in edge:
            if isinstance(end, bool) or not isinstance(end, str | int):
                fail(f"edges[{k}] names {_quote(end)}, which is no node", "edges")
            v = number.get(end, -1) if number is not None else end
            if not isinstance(v, int) or not 0 <= v < size:
                fail(
                    f"edges[{k}] names the node {_quote(end)}, which is missing from `nodes`",
                    "edges",
                )
            ends.append(v)
        low, high = min(ends), max(ends)
        if low == high:
            fail(
                f"edges[{k}] joins {_quote(edge[0])} to itself: every bulb toggles itself anyway",
                "edges",
            )
        if (low, high) in pairs:
            fail(f"edges[{k}] repeats the edge {_quote(edge)}", "edges")
        pairs.add((low, high))

    def bits(key: str) -> Bits:
        values = content[key]
        if not isinstance(values, list) or len(values) != size:
            fail(f"`{key}` must be a list of {size} zeros and ones, one for each node", key)
        for k, value in enumerate(values):
            limits.check()
            if not isinstance(value, int) or value not in (0, 1):
                fail(f"{key}[{k}] is {_quote(value)}: it must be 0 or 1", key)
        return np.array(values, dtype=np.bool_)

    ones = np.ones(size, dtype=np.bool_)
    lit = bits("lit") if "lit" in content else ~ones
    graph = EdgeGraph(size, np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2), names)
    wanted = content.get("goal", "lit")
    if goal is not None:
        target = parse_state(goal, graph)
    elif isinstance(wanted, list):
        target = bits("goal")
    elif wanted in ("lit", "unlit"):
        target = ones if wanted == "lit" else ~ones
    else:
        fail(f"unknown goal {_quote(wanted)}; known: lit, unlit, or a list of 0 and 1", "goal")
    word = content.get("rule", "unlit") if rule is None else rule
    if word not in RULES:
        fail(f"unknown rule {_quote(word)}; known: {', '.join(RULES)}", "rule")
    return Board(graph, lit, target, word, _stem(source))


def _json_object(data: bytes, source: str) -> Json:
    def no_repeats(items: list[tuple[str, object]]) -> Json:
        content: Json = {}
        for key, value in items:
            if key in content:
                raise BoardError(f"the key {_quote(key)} is repeated", source)
            content[key] = value
        return content

    try:
        content = json.loads(data.decode("utf-8"), object_pairs_hook=no_repeats)
        if _SURROGATE.search(data) is not None:
            json.dumps(content, ensure_ascii=False).encode("utf-8")
    except json.JSONDecodeError as error:
        _fail(f"no valid JSON: {error.msg} (column {error.colno})", source, error.lineno)
    except UnicodeDecodeError as error:
        _fail("no valid JSON: it is not in UTF-8", source, data.count(b"\n", 0, error.start) + 1)
    except UnicodeEncodeError as error:
        bad = error.object[error.start : error.start + 1]
        _fail(f"no valid JSON: {_quote(bad)} is half of a surrogate pair, no character", source)
    except RecursionError:
        _fail("no valid JSON: it is nested too deeply", source)
    except ValueError:  # Python refuses to read integers of thousands of digits
        _fail("no valid JSON: a number of thousands of digits", source)
    if not isinstance(content, dict):
        _fail("the JSON must be one object", source, 1)
    return content


# ------------------------------------------------------------------- press lists and results


def read_presses(
    path: str | os.PathLike[str], board: Board, coordinates: Literal["rc", "xy"] = "rc"
) -> Ints:
    """Read a press list or press set: bulbs in file order.

    Three forms: a result of ponder or any JSON object with `presses`; a JSON list of
    `[row, column]` or names; text with one `row column` (or name) per line; for grid boards also
    a grid of 0 and 1 of the board's shape (1: pressed). `coordinates` is the meaning of the
    numbers in a text list; JSON is always `[row, column]`.
    """
    data, source = read_bytes(path)
    return parse_presses(data, board, source, coordinates)


def parse_presses(
    data: bytes,
    board: Board,
    source: str = "presses",
    coordinates: Literal["rc", "xy"] = "rc",
    *,
    grids: bool = True,
) -> Ints:
    """Parse what `read_presses` reads; without `grids`, only what has an order.

    >>> board = Board.from_rows(["00", "00"])
    >>> parse_presses(b"[[0, 1], [1, 1]]", board).tolist()
    [1, 3]
    >>> parse_presses(b"01\\n01", board).tolist()
    [1, 3]
    >>> parse_presses(b"0 0\\n1 1", board, grids=False).tolist()
    [0, 3]
    """
    data = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    graph = board.graph
    head = data.lstrip()[:1]
    if head in (b"{", b"["):
        if head == b"{":
            listed = _json_object(data, source).get("presses")
        else:
            listed = _json_object(b'{"presses":' + data + b"}", source)["presses"]
        if not isinstance(listed, list):
            _fail("no list of presses", source, 1)
        return presses_of(listed, board, source)
    plain = _without_comments(data)
    lines = [match[0].rstrip() for match in _LINE.finditer(plain)]
    if grids and isinstance(graph, GridGraph):
        rows = [re.sub(rb"[\s,]", b"", line) for line in lines]
        if len(rows) == graph.shape[0] and all(
            len(row) == graph.shape[1] and set(row) <= set(b"01-") for row in rows
        ):
            chosen = np.frombuffer(b"".join(rows), dtype=np.uint8).reshape(graph.shape) == ord("1")
            if graph.mask is not None and (chosen & ~graph.mask).any():
                _fail("the press set presses a hole", source)
            return np.flatnonzero(graph.from_grid(chosen))
    found: list[int] = []
    for k, text in enumerate(lines):
        word = text.decode("utf-8", "backslashreplace")
        try:
            if isinstance(graph, GridGraph):
                match = _PRESS.fullmatch(word)
                if match is None:
                    raise ValueError(f"{_quote(word)} is no press: write `row column`")
                a, b = int(match[1]), int(match[2])
                label = (a, b) if coordinates == "rc" else (graph.shape[0] - b, a - 1)
                found.append(graph.bulb(label))
            else:
                found.append(_node(graph, word))
        except (KeyError, ValueError) as error:
            reason = (
                f"there is no bulb {_quote(word)}" if isinstance(error, KeyError) else str(error)
            )
            place = next(itertools.islice(_LINE.finditer(plain), k, None)).start()
            _fail(reason, source, plain.count(b"\n", 0, place) + 1)
    return np.array(found, dtype=np.int64)


def _node(graph: Graph, word: str) -> int:
    """Return the vertex of a name, or of a number that is written out; KeyError when none is."""
    try:
        return graph.bulb(word)
    except KeyError:
        if re.fullmatch(r"-?[0-9]{1,4000}", word) is None:
            raise
        return graph.bulb(int(word))


def presses_of(labels: list[object], board: Board, source: str) -> Ints:
    """Return the bulbs of a JSON list of labels."""
    try:
        return board.graph.bulbs(labels)
    except (KeyError, TypeError, OverflowError) as error:
        _fail(f"there is no bulb {_quote(error.args[0] if error.args else labels)}", source)


def parse_result(data: bytes, source: str = "result") -> Json | None:
    """Return a result of schema `ponder.result/1` as a plain dictionary.

    None when the content is no JSON object with a schema: a press list, perhaps.
    """
    if data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] != b"{":
        return None
    content = _json_object(data, source)
    if "schema" not in content:
        return None
    if content["schema"] != "ponder.result/1":
        _fail(
            f"no ponder result: schema is {_quote(content['schema'])}, expected 'ponder.result/1'",
            source,
        )
    return content


# ------------------------------------------------------------------------------------ output


def board_text(board: Board) -> str:
    """Return the board as a file that `parse_board` reads back.

    >>> print(board_text(Board.from_rows(["01", "1-"], pattern="plus")), end="")
    pattern: plus
    rule: unlit
    goal: lit
    01
    1-
    """
    graph = board.graph
    if isinstance(graph, EdgeGraph):
        content: Json = {
            "nodes": graph.names if graph.named else graph.size,
            "edges": [graph.labels(edge) for edge in graph.edges],
            "lit": board.lit.astype(int).tolist(),
            "rule": board.rule,
            "goal": board.goal_name
            if board.goal_name != "grid"
            else board.goal.astype(int).tolist(),
        }
        return json.dumps(content) + "\n"
    head = [f"pattern: {graph.pattern}", f"rule: {board.rule}"]
    if board.goal_name != "grid":
        head.append(f"goal: {board.goal_name}")
    rows = head + grid_rows(board, board.lit)
    if board.goal_name == "grid":
        rows += ["goal:", *grid_rows(board, board.goal)]
    return "\n".join(rows) + "\n"


def grid_rows(board: Board, bits: Bits) -> list[str]:
    """Return one bit per bulb of a grid board as rows of `0`, `1` and `-`."""
    graph = board.graph
    assert isinstance(graph, GridGraph)
    cells = np.full(graph.shape[0] * graph.shape[1], ord("-"), dtype=np.uint8)
    cells[graph.cells] = bits + np.uint8(ord("0"))
    text = cells.tobytes().decode("ascii")
    return [text[i : i + graph.shape[1]] for i in range(0, len(text), graph.shape[1])]


@contextmanager
def whole_file(path: str | os.PathLike[str], mode: str = "w") -> Iterator[IO[str]]:
    """Write a file whole or not at all: into a temporary file beside it, then rename.

    BoardError (file and reason) when that fails; then nothing is left under either name. What is
    there already and no file (a device, a pipe) is written to, never replaced.
    """
    name = os.fspath(path)
    target = os.path.realpath(name)  # a link stays a link
    folder = os.path.dirname(target)
    encoding = None if "b" in mode else "utf-8"
    temporary = ""
    try:
        if os.path.exists(target) and not os.path.isfile(target):
            with open(target, mode, encoding=encoding) as device:
                yield cast("IO[str]", device)
            return
        with held():
            handle, temporary = tempfile.mkstemp(prefix=".ponder-", dir=folder)
        with open(handle, mode, encoding=encoding) as file:
            yield cast("IO[str]", file)
            file.flush()
            os.fsync(file.fileno())
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, target)
        temporary = ""
    except OSError as error:
        raise BoardError(f"cannot be written: {error.strerror or error}", name) from None
    finally:
        if temporary:
            Path(temporary).unlink(missing_ok=True)


@contextmanager
def packed_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Write bytes whole or not at all, packed by the file's ending (gz, bz2, xz); `-`: stdout.

    The same content gives the same bytes: no time and no name is stored. BoardError as in
    `whole_file`; a closed pipe on standard output is the caller's to handle.
    """
    name = os.fspath(path)
    if name == "-":
        try:
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise BoardError(f"cannot be written: {error.strerror}", "standard output") from None
        return
    with whole_file(name, "wb") as text_or_bytes:
        file = cast("IO[bytes]", text_or_bytes)
        with _packer(name, file) as packed:
            yield packed


def _packer(name: str, file: IO[bytes]) -> AbstractContextManager[IO[bytes]]:
    """Return what packs into `file`, by the ending of `name`; closing it leaves `file` open."""
    packers: dict[str, Callable[[], object]] = {
        ".gz": lambda: gzip.GzipFile("", "wb", 6, file, mtime=0),
        ".bz2": lambda: bz2.BZ2File(file, "wb"),
        ".xz": lambda: lzma.LZMAFile(file, "wb"),  # noqa: SIM115 - the caller closes it
    }
    made = packers.get(Path(name).suffix, lambda: nullcontext(file))()
    return cast("AbstractContextManager[IO[bytes]]", made)


def _stem(source: str) -> str:
    """Return the name of a board that was read from a file."""
    if source in ("board", "standard input"):
        return source
    return printable(Path(source).name.split(".")[0])


def _after(text: str) -> str:
    return f"{_quote(text[:40])} comes too late:"


def _quote(value: object) -> str:
    """Return a value for an error message: printable, short, on one line.

    >>> _quote(list(range(99))), _quote("\\n")
    ('[0, 1, 2, 3, 4, 5, …]', "'\\\\n'")
    """
    if isinstance(value, str):
        return shortened(repr(value[:60]), 60)
    try:
        return shortened(reprlib.repr(value).replace("...", "…"), 60)
    except ValueError:  # Python refuses to print integers of thousands of digits
        return "a number of thousands of digits"


def _fail(reason: str, source: str, line: int | None = None) -> NoReturn:
    raise BoardError(reason, source, line)
