"""Vertices and arcs of a graph, as the options --odd and --fixed name them."""

from __future__ import annotations

from collections.abc import Mapping

from ponder.model.graph import EdgeGraph
from ponder.system.errors import BoardError
from ponder.system.printable import shortened


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
        raise BoardError(f"there is no vertex {shortened(word, 40)!r}", where)
    return called[word]


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]
