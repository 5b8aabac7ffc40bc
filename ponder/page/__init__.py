"""`ponder play`: a server on the loopback address, and the ES modules of its page.

The page's files and the boards that it offers are read into memory when the server starts. Nothing
that a request says is ever a path: a request names an entry of these tables or nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ponder.model.presets import for_the_page

if TYPE_CHECKING:
    from collections.abc import Iterable
    from importlib.resources.abc import Traversable

    from ponder.system.types import Json

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


def _files(folder: str) -> Iterable[Traversable]:
    from importlib.resources import files  # which a worker does without

    return files("ponder.page").joinpath(folder).iterdir()


def static_files() -> dict[str, tuple[bytes, str]]:
    """Return the files of the page by name, each with its media type."""
    found = {}
    for entry in _files("static"):
        ending = "." + entry.name.rpartition(".")[2]
        if ending in TYPES:
            found[entry.name] = entry.read_bytes(), TYPES[ending]
    return found


def offers(board: str | None = None) -> Json:
    """Return what a page begins with: a board or None, the boards on offer, the puzzles."""
    return {"board": board, "examples": examples(), **for_the_page()}


def examples() -> dict[str, str]:
    """Return the boards of `instances/` by name; `ponder/page/examples` is a link to it.

    >>> "ibm-2023-04-30x30" in examples()
    True
    """
    found = {
        entry.name.rpartition(".")[0]: entry.read_text(encoding="utf-8")
        for entry in _files("examples")
        if entry.name.endswith(".txt") or entry.name.startswith(("graph-", "wiring-"))
    }
    return dict(sorted(found.items()))
