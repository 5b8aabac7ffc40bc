"""`ponder play`: a server on the loopback address, and the ES modules of its page.

The page's files and the boards that it offers are read into memory when the server starts. Nothing
that a request says is ever a path: a request names an entry of these tables or nothing.
"""

from __future__ import annotations

from importlib.resources import files

from ponder.model.presets import for_the_page
from ponder.system.types import Json

TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


def static_files() -> dict[str, tuple[bytes, str]]:
    """Return the files of the page by name, each with its media type.

    The page names all modules at its head, so that they come at once and not one after the other.
    """
    entries = files("ponder.page").joinpath("static").iterdir()
    named = {entry.name: (entry, TYPES.get(entry.name.rpartition(".")[2])) for entry in entries}
    served = {name: (entry.read_bytes(), kind) for name, (entry, kind) in named.items() if kind}
    modules = sorted(name for name in served if name.endswith(".js"))
    early = "".join(f'<link rel="modulepreload" href="{name}">\n' for name in modules)
    page, kind = served["index.html"]
    served["index.html"] = page.replace(b"</head>", early.encode() + b"</head>"), kind
    return served


def offers(board: str | None = None) -> Json:
    """Return what a page begins with: a board or None, the boards on offer, the puzzles."""
    return {"board": board, "examples": examples(), **for_the_page()}


def examples() -> dict[str, str]:
    """Return the boards of `instances/` by name; `ponder/page/examples` is a link to it.

    >>> "ibm-2023-04-30x30" in examples()
    True
    """
    return {
        entry.name.rpartition(".")[0]: entry.read_text(encoding="utf-8")
        for entry in sorted(files("ponder.page").joinpath("examples").iterdir(), key=str)
        if entry.name.endswith(".txt") or entry.name.startswith(("graph-", "wiring-"))
    }
