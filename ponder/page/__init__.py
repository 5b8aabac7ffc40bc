"""`ponder play`: a server on the loopback address, and the ES modules of its page.

The page's files and the boards that it offers are read into memory when the server starts. Nothing
that a request says is ever a path: a request names an entry of these tables or nothing.
"""

from __future__ import annotations

from importlib.resources import files

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


def static_files() -> dict[str, tuple[bytes, str]]:
    """Return the files of the page by name, each with its media type.

    >>> static_files()["index.html"][1]
    'text/html; charset=utf-8'
    """
    found = {}
    for entry in files("ponder.page").joinpath("static").iterdir():
        ending = "." + entry.name.rpartition(".")[2]
        if ending in TYPES:
            found[entry.name] = entry.read_bytes(), TYPES[ending]
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
