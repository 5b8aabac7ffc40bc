"""Plain graphs from files: edge lists, graph6, DIMACS `.col`, and the graph of a board in JSON.

Which one it is, the content says: `{` begins JSON, a line `p edge 5 4` stands in DIMACS files, and
one line whose length is that of its number of vertices is graph6. Anything else is an edge list:
two names a line, one where a vertex has no edge, `#` before a comment. Where all names are whole
numbers the vertices are numbers.

Reference. graph6: B. D. McKay, "Description of graph6, sparse6 and digraph6 encodings".
"""

from __future__ import annotations

import re

import numpy as np

from ponder.limits import NEVER, Limits
from ponder.puzzle.board import BoardOptions
from ponder.puzzle.graph import EdgeGraph
from ponder.puzzle.graph_json import parse_graph_board
from ponder.puzzle.input_errors import fail, quoted

MOST_VERTICES = 10_000_000

_NUMBER = re.compile(r"-?\d{1,18}", re.ASCII)
_PROBLEM = re.compile(r"^p[ \t]+(?:edges?|col)[ \t]+(\d{1,9})[ \t]+\d+[ \t]*$", re.ASCII | re.M)
_HEADER = ">>graph6<<"


def parse_graph(data: bytes, source: str = "graph", limits: Limits = NEVER) -> EdgeGraph:
    """Return the graph of a file's content; the names of its vertices are the file's.

    BoardError with the line and the reason when it is none, TimeUp when the deadline passes.

    >>> parse_graph(b"1 2\\n2 3\\n").names, parse_graph(b"Bw").edges.tolist()
    ([1, 2, 3], [[0, 1], [0, 2], [1, 2]])
    >>> parse_graph(b"c a path\\np edge 3 2\\ne 1 2\\ne 2 3\\n").names
    [1, 2, 3]
    """
    data = data.removeprefix(b"\xef\xbb\xbf")
    if data.lstrip()[:1] == b"{":
        graph = parse_graph_board(data, source, BoardOptions(), limits).graph
        assert isinstance(graph, EdgeGraph)
        return graph
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        fail("this is no text in UTF-8", source, data.count(b"\n", 0, error.start) + 1)
    if (found := _PROBLEM.search(text)) is not None:
        return _dimacs(text, int(found[1]), source, limits)
    lines = text.split()
    if len(lines) == 1 and (lines[0].startswith(_HEADER) or _is_graph6(lines[0])):
        return _graph6(lines[0].removeprefix(_HEADER), source)
    if lines and lines[0].startswith((":", ">>sparse6<<", "&", ">>digraph6<<")):
        fail("sparse6 and digraph6 are not read: write graph6 or an edge list", source, 1)
    return _edge_list(text, source, limits)


def _edge_list(text: str, source: str, limits: Limits) -> EdgeGraph:
    """Read two names a line."""
    ends: list[tuple[str, str]] = []
    first: dict[tuple[str, str], int] = {}
    names: dict[str, None] = {}
    for at, line in enumerate(text.splitlines(), 1):
        limits.check()
        words = line.partition("#")[0].replace(",", " ").split()
        if len(words) > 2 and words[2].startswith("{"):  # as networkx writes data of an edge
            words = words[:2]
        if len(words) > 2:
            fail(f"{quoted(line.strip())} is no edge: write two names", source, at)
        names.update(dict.fromkeys(words))
        if len(words) == 2:
            u, v = words
            if u == v:
                fail(f"this edge joins {quoted(u)} to itself", source, at)
            if (before := first.setdefault((min(u, v), max(u, v)), at)) != at:
                fail(f"this edge is that of line {before} again", source, at)
            ends.append((u, v))
    if not names:
        fail("there is no graph in it", source)
    labels: list[int | str] = list(names)
    if all(map(_NUMBER.fullmatch, names)):
        names = dict.fromkeys(sorted(names, key=int))
        labels = [int(name) for name in names]
        if len(set(labels)) < len(labels):
            fail("one number is written in two ways", source)
    place = {name: k for k, name in enumerate(names)}
    pairs = np.array([(place[u], place[v]) for u, v in ends], dtype=np.int64)
    return EdgeGraph(len(labels), pairs, labels, limits)


def _dimacs(text: str, size: int, source: str, limits: Limits) -> EdgeGraph:
    """Read lines `e u v`; an edge may stand there both ways."""
    if not 0 < size <= MOST_VERTICES:
        fail(f"{size} vertices: there must be from 1 to {MOST_VERTICES:,}", source)
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
                fail(f"{quoted(line.strip())} is no line of DIMACS: write e <u> <v>", source, at)
    return EdgeGraph(size, np.array(pairs, dtype=np.int64), range(1, size + 1), limits)


def _size_of(word: str) -> tuple[int, str]:
    """Return the number of vertices of a graph6 word, and the rest of it."""
    width = 1 if word[:1] != "~" else 4 if word[:2] != "~~" else 8
    head = word[width // 4 : width]
    return sum((ord(x) - 63) << 6 * k for k, x in enumerate(reversed(head))), word[width:]


def _is_graph6(word: str) -> bool:
    """Whether a word's length is that of its number of vertices."""
    if not word or not all("?" <= x <= "~" for x in word):
        return False
    size, rest = _size_of(word)
    return len(rest) == (size * (size - 1) // 2 + 5) // 6


def _graph6(word: str, source: str) -> EdgeGraph:
    """Read the upper triangle of an adjacency matrix, column by column, six bits a sign."""
    if not _is_graph6(word):
        fail("this graph6 line has the wrong length, or signs that are none of it", source, 1)
    size, rest = _size_of(word)
    if not size:
        fail("there is no graph in it", source)
    sextets = np.frombuffer(rest.encode("ascii"), dtype=np.uint8) - np.uint8(63)
    bits = np.unpackbits(sextets[:, None], axis=1)[:, 2:].reshape(-1)
    k = np.flatnonzero(bits[: size * (size - 1) // 2])
    v = ((1 + np.sqrt(1 + 8 * k.astype(np.float64))) / 2).astype(np.int64)
    v += v * (v + 1) // 2 <= k  # where the root was rounded the wrong way
    v -= v * (v - 1) // 2 > k
    return EdgeGraph(size, np.stack([k - v * (v - 1) // 2, v], axis=1))
