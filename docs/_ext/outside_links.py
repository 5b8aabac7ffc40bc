"""Links to files of the project that are no page: the site holds a copy of each.

A page links to `../README.md`, to a board of `../instances/` or to a JSON Schema by a relative
path, which is right where the Markdown is read as files. Sphinx knows downloads for that, but calls
every such link that is not a page a missing cross-reference if it is a folder; here a link to a
folder, or to a Markdown file outside of `docs/`, becomes the file's name without a link, and the
rest is left to Sphinx.
"""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

LINK = re.compile(r"(?<!!)\[([^\]\n]+)\]\((\.\./[^)\s#]+)(#[^)\s]*)?\)")


def on_read(app: Sphinx, name: str, source: list[str]) -> None:
    """Take links out of a page that lead to where the site has nothing."""
    docs = Path(app.srcdir)
    path = docs / f"{name}.md"

    def replace(match: re.Match[str]) -> str:
        target = (path.parent / match[2]).resolve()
        inside = target.is_relative_to(docs)
        return match[1] if not inside and (target.is_dir() or target.suffix == ".md") else match[0]

    source[0] = LINK.sub(replace, source[0])


def setup(app: Sphinx) -> dict[str, bool]:
    """Hear every page as it is read."""
    app.connect("source-read", on_read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
