"""Plain graphs as text: edge lists, graph6 and DIMACS by hand; GML, GraphML, sparse6 by networkx.

An edge list has two names a line, `name:` for a vertex without an edge, `#` before a comment, and
may begin with a header (`n m`, or `source,target`). Where all names are whole numbers the vertices
are numbers. A graph is simple and undirected: an edge that is repeated, has a direction or joins a
vertex to itself is refused by name. A DIMACS file may list each edge in both directions.

Reference. graph6: B. D. McKay, "Description of graph6, sparse6 and digraph6 encodings".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from ponder.model.cell_signs import without_comment
from ponder.model.edge_graph import MOST_VERTICES, EdgeGraph
from ponder.system.errors import BoardError, fail, quoted, require
from ponder.system.limits import NEVER, Limits
from ponder.system.printable import shortened
from ponder.system.types import Bits

DIMACS = re.compile(r"^p[ \t]+(?:edges?|col)[ \t]+(\d{1,9})[ \t]+(\d{1,9})[ \t]*$", re.A | re.M)
COLUMN_NAMES = ({"source", "target"}, {"from", "to"}, {"node1", "node2"}, {"u", "v"})
"""What the columns of an edge list are called by their first line."""
_DRESSED = re.compile(r"""[(\[{"']|.*[",;]""")  # more than a name

_MARKS = r"\b(graph|node)\s*\[|\b(source|target)\s|\b(?!edge)(\w+)\s*\[\s*id\b|label\s*(])"
"""What begins the graph and a node of GML, the ends of an edge, and what else has a number."""

_NUMBER = re.compile(r"0|-?[1-9]\d{0,17}", re.ASCII)
_DATA = re.compile(r"\s*\{[^{}]*\}\s*$")  # of an edge, as networkx writes it


def check_size(size: int, source: str) -> None:
    """Raise BoardError for a graph without vertices, and for one that is too large."""
    if not 0 < size <= MOST_VERTICES:
        fail(f"{size} vertices: there must be from 1 to {MOST_VERTICES:,}", source)


class _Edges:
    """Edges as they are read: each joins two vertices, once."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.line: dict[tuple[Any, Any], int | None] = {}

    def add(self, u: Any, v: Any, line: int | None = None) -> None:
        """Take in an edge. Raises BoardError for a loop, and for one that is there."""
        if u == v:
            fail(f"this edge joins {quoted(u)} to itself", self.source, line)
        if (v, u) in self.line or (u, v) in self.line:
            before = self.line.get((u, v), self.line.get((v, u)))
            where = "is listed twice" if before is None else f"repeats line {before}"
            fail(f"the edge {quoted(u)}, {quoted(v)} {where}", self.source, line)
        self.line[u, v] = line


# ---------------------------------------------------------------------------------- edge lists


def edge_words(line: str) -> list[str]:
    """Return the names in a line of an edge list, without comment and data."""
    plain = _DATA.sub("", without_comment(line))
    if plain.count(",") + plain.count(";") + plain.count("\t") == 1:
        return [part.strip() for part in re.split("[,;\t]", plain)]
    return plain.split()


def whole_number(word: str) -> bool:
    """Whether a word is a whole number as a vertex is called: no leading zeros."""
    return _NUMBER.fullmatch(word) is not None


def is_edge_list(text: str) -> bool:
    """Whether a text is clearly an edge list: pairs of whole numbers, perhaps below two words.

    >>> [is_edge_list(text) for text in ("1 2\\n2 3\\n", "source,target\\n1,2\\n", "one two\\n")]
    [True, True, False]
    """
    first, pairs = True, 0
    for line in text.splitlines():
        words = edge_words(line)
        if not words:
            continue
        numbers = all(map(whole_number, words)) and len(words) == 2
        alone = len(words) == 1 and words[0].endswith(":") and whole_number(words[0][:-1])
        header = first and len(words) == 2 and not any(map(whole_number, words)) and ":" not in line
        if not (numbers or alone or header):
            return False
        first, pairs = False, pairs + numbers
    return pairs > 0


def parse_edge_list(text: str, source: str, limits: Limits = NEVER) -> EdgeGraph:
    """Return the graph of an edge list, whose names may be any words.

    Raises BoardError with the line and the reason.

    >>> graph = parse_edge_list("3 2\\n1 2\\n2 3\\n", "a.edges")
    >>> graph.names, graph.edges.tolist(), graph.remarks
    ([1, 2, 3], [[0, 1], [1, 2]], ('the first line is read as 3 vertices and 2 edges',))
    """
    lines = [(at, edge_words(line), line.strip()) for at, line in enumerate(text.splitlines(), 1)]
    lines = [(at, words, line) for at, words, line in lines if words]
    remarks: tuple[str, ...] = ()
    named_columns = lines and {word.lower() for word in lines[0][1]} in COLUMN_NAMES
    size = None if named_columns else _header_size([words for _, words, _ in lines])
    if size is not None:
        remarks = (f"the first line is read as {size} vertices and {len(lines) - 1} edges",)
    below = [word.rstrip(":") for _, words, _ in lines[1:] for word in words]
    header, numbered = lines[0][1] if below else [], all(map(whole_number, below))
    unclear = ["Leave the line out"] if len(header) == 2 and numbered and not named_columns else []
    if named_columns and not numbered:
        remarks = ("the first line is read as the names of the columns",)
        unclear = [f"Line {x[0]} has one of them again" for x in lines[1:] if {*header} & {*x[1]}]
    if unclear and not any(map(whole_number, header)):
        where = f"the names of the columns, or an edge? {unclear[0]}"
        fail(f"{quoted(lines[0][2])}: {where}", source, lines[0][0])
    if named_columns or size is not None:
        lines = lines[1:]
    edges, names = _Edges(source), dict[str, None]()
    for at, words, line in limits.over(lines):
        if any(map(_DRESSED.match, words)):
            fail(f"{quoted(line)}: write two names, `a,b`, without quotes, brackets", source, at)
        if len(words) == 2 and all(words):
            edges.add(words[0], words[1], at)
            names.update(dict.fromkeys(words))
        elif len(words) == 1 and words[0][1:].endswith(":"):
            names[words[0][:-1]] = None
        else:
            alone = ", or one and a colon for a vertex alone" if len(words) == 1 else ""
            fail(f"{quoted(line)} is not an edge: write two names{alone}", source, at)
    if not names:
        fail("there is no graph in it", source)
    labels: list[int | str] = list(names)
    if all(map(whole_number, names)):
        if size is not None:
            first = 0 if "0" in names else 1
            names = dict.fromkeys(map(str, range(first, first + size)))
        names = dict.fromkeys(sorted(names, key=int))
        labels = [int(name) for name in names]
    place = {name: k for k, name in enumerate(names)}
    pairs = [(place[u], place[v]) for u, v in edges.line]
    graph = EdgeGraph(len(labels), pairs, labels, limits)
    graph.remarks = remarks
    return graph


def _header_size(lines: list[list[str]]) -> int | None:
    """Return n where the first line is a header `n m`: m edges follow, and no name exceeds n."""
    if not lines or not all(len(line) == 2 and all(map(whole_number, line)) for line in lines):
        return None
    (size, edges), *rest = [(int(first), int(second)) for first, second in lines]
    if edges != len(rest) or not 0 < size <= MOST_VERTICES:
        return None
    names = {name for pair in rest for name in pair}
    inside = not names or (min(names) >= 0 and max(names) <= size and not {0, size} <= names)
    return size if inside else None


# --------------------------------------------------------------------------------------- DIMACS


def parse_dimacs(text: str, source: str, limits: Limits = NEVER) -> EdgeGraph:
    """Return the graph of a DIMACS file. Raises BoardError with the line and the reason.

    >>> parse_dimacs("p edge 3 2\\ne 1 2\\ne 2 3\\n", "a.col").edges.tolist()
    [[0, 1], [1, 2]]
    """
    header = DIMACS.search(text)
    if header is None:
        fail("a DIMACS graph needs a line `p edge VERTICES EDGES`", source)
    size, promised = int(header[1]), int(header[2])
    where = text.count("\n", 0, header.start()) + 1
    check_size(size, source)
    arcs: dict[tuple[int, int], int] = {}
    for at, line in enumerate(limits.over(text.split("\n")), 1):
        match line.split():
            case ["p", *_] if at != where:
                fail(f"a second header: the first is in line {where}", source, at)
            case [] | ["c" | "p" | "n" | "d" | "v" | "x", *_]:
                continue
            case ["e", u, v] if whole_number(u) and whole_number(v):
                arc = int(u), int(v)
                if not 1 <= min(arc) <= max(arc) <= size:
                    fail(f"{quoted(line.strip())}: vertices are 1 to {size}", source, at)
                if u == v:
                    fail(f"this edge joins {u} to itself", source, at)
                if arc in arcs:
                    fail(f"this edge repeats line {arcs[arc]}", source, at)
                arcs[arc] = at
            case _:
                fail(f"{quoted(line.strip())} is not a line of DIMACS: write e <u> <v>", source, at)
    twice = [(u, v) for u, v in arcs if (v, u) in arcs]
    if twice and len(twice) < len(arcs):
        tail, head = twice[0]
        at = max(arcs[tail, head], arcs[head, tail])
        fail(f"the edge {tail}, {head} is listed twice, others once", source, at)
    edges = [(u, v) for u, v in arcs if not twice or u < v]
    if promised not in {len(edges), len(arcs)}:
        fail(f"the header promises {promised} edges, and {len(edges)} follow", source, where)
    pairs = np.array(edges, dtype=np.int64).reshape(-1, 2) - 1
    return EdgeGraph(size, pairs, range(1, size + 1), limits)


# --------------------------------------------------------------------------------------- graph6


def is_graph6(word: str) -> bool:
    """Whether a line is a graph in graph6 or sparse6, or begins with the header of one."""
    if word.startswith((">>graph6<<", ">>sparse6<<")):
        return True
    if word[:1] == ":":
        return len(word) > 1 and all("?" <= x <= "~" for x in word[1:])
    return _graph6_parts(word) is not None


def parse_graph6(line: str, source: str, at: int = 1) -> EdgeGraph:
    """Return the graph of a line in graph6 or sparse6. Raises BoardError with the line.

    >>> parse_graph6("Bw", "list").edges.tolist()
    [[0, 1], [0, 2], [1, 2]]
    """
    word = line.removeprefix(">>graph6<<")
    if word.startswith((":", ">>sparse6<<")):
        return parse_by_networkx("sparse6", line, source)
    if (parts := _graph6_parts(word)) is None:
        fail("this graph6 line has the wrong length, or signs that do not belong in it", source, at)
    size, rest = parts
    check_size(size, source)
    k = np.flatnonzero(_bits_of(rest)[: size * (size - 1) // 2])
    vertices = np.arange(size, dtype=np.int64)
    starts = vertices * (vertices - 1) // 2
    v = np.searchsorted(starts, k, side="right") - 1
    return EdgeGraph(size, np.stack([k - starts[v], v], axis=1))


def _graph6_parts(word: str) -> tuple[int, str] | None:
    """Return the number of vertices and the rest of a graph6 word; None for any other word."""
    if not word or not all("?" <= x <= "~" for x in word):
        return None
    width = 8 if word.startswith("~~") else 4 if word.startswith("~") else 1
    head, rest = word[width // 4 : width], word[width:]
    size = sum((ord(x) - 63) << 6 * k for k, x in enumerate(reversed(head)))
    return (size, rest) if len(rest) == (size * (size - 1) // 2 + 5) // 6 else None


def _bits_of(text: str) -> Bits:
    """Return six bits for every sign, the highest first."""
    sextets = np.frombuffer(text.encode("ascii"), dtype=np.uint8) - np.uint8(63)
    return np.unpackbits(sextets[:, None], axis=1)[:, 2:].reshape(-1).view(np.bool_)


# ---------------------------------------------------------------------------------- networkx


def parse_by_networkx(form: str, text: str, source: str) -> EdgeGraph:
    """Return the graph of a text in GML, by labels where all differ, or in GraphML or sparse6.

    Raises BoardError with the reason, and NeedsExtra without networkx.
    """
    require("networkx", form, "graphs")
    from xml.etree import ElementTree

    import networkx

    try:
        if form == "GML":
            labels = re.findall(r'(?<![A-Za-z])label\s*("[^"]*"|\S+)', text)
            nodes = len(re.findall(r"\bnode\s*\[", text))
            by_label = len(set(labels)) == len(labels) >= nodes
            read = networkx.parse_gml(text, label="label" if by_label else "id")
        elif form == "GraphML":
            read = networkx.parse_graphml(text)
        else:
            read = networkx.from_sparse6_bytes(text.encode("ascii", "replace"))
    except Exception as error:  # of XML, of numbers, of the reader itself
        fail(f"no {form}: {str(error) or type(error).__name__}", source)
    if read.is_directed():
        arc = next(((u, v) for u, v in read.edges()), None)
        edge = "" if arc is None else f": {quoted(arc[0])} to {quoted(arc[1])}"
        fail(f"its edges have directions{edge}; ponder reads undirected graphs", source)
    names = list(read.nodes)
    check_size(len(names), source)
    if form != "sparse6":  # networkx leaves out what it does not know, and adds what edges name
        marks, ids, m = Counter[str](), {*names} if form == "GML" else set(), len(read.edges)
        if form == "GML":
            marks.update(map("".join, re.findall(_MARKS, re.sub(r'"[^"]*"', '""', text))))
        else:
            for part in ElementTree.fromstring(text).iter():
                tag = part.tag.rpartition("}")[2]
                ids |= {part.get("id")} if tag == "node" else set()
                marks.update({"source", "target"} & part.attrib.keys())
                named = "id" in part.attrib and tag not in ("edge", "key", "port", "data")
                marks[tag] += part.get("edgedefault") == "undirected" if tag == "graph" else named
        if marks != Counter(graph=1, node=len(names), source=m, target=m) or {*names} - ids:
            fail(f"no {form}: a part of it is no node, and no edge between nodes", source)
    edges = _Edges(source)
    for u, v in read.edges():
        edges.add(u, v)
    place = {name: k for k, name in enumerate(names)}
    pairs = [(place[u], place[v]) for u, v in edges.line]
    if all(isinstance(name, str) and whole_number(name) for name in names):
        names = [int(name) for name in names]
    return EdgeGraph(len(names), pairs, names)


# ------------------------------------------------------------------------ options of the command


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
