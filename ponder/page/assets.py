"""The files of the page and the boards that it offers, read into memory when the server starts.

Nothing that a request says is ever a path: a request names an entry of these tables or nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


@dataclass(frozen=True)
class Asset:
    """A file as it is sent."""

    content: bytes
    media_type: str


def static_files() -> dict[str, Asset]:
    """Return the files of the page by name.

    >>> static_files()["index.html"].media_type
    'text/html; charset=utf-8'
    """
    found = {}
    for entry in files("ponder.page").joinpath("static").iterdir():
        ending = "." + entry.name.rpartition(".")[2]
        if ending in TYPES:
            found[entry.name] = Asset(entry.read_bytes(), TYPES[ending])
    return found


def examples() -> dict[str, str]:
    """Return the grid boards of `instances/` by name; `ponder/page/examples` is a link to it.

    >>> "ibm-2023-04-30x30" in examples()
    True
    """
    found = {
        entry.name.removesuffix(".txt"): entry.read_text(encoding="utf-8")
        for entry in files("ponder.page").joinpath("examples").iterdir()
        if entry.name.endswith(".txt")
    }
    return dict(sorted(found.items()))
