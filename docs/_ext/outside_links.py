"""Links to files of the project that are no page: the site holds a copy of each.

A page links to a board of `../instances/` or to a JSON Schema by a relative path, which is right
where the Markdown is read as files. Sphinx knows downloads for that, but calls every such link that
is not a page a missing cross-reference if it is a folder. Here a link to a folder becomes the
folder's name without a link.

Markdown files beside `docs/` are pages of the site where `docs/` has a stand-in for them: the site
puts the file's text in its place, and links to the file lead there. A link to any other Markdown
file outside of `docs/` becomes its words. The rest is left to Sphinx.
"""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((\.\./[^)\s#]+)(#[^)\s]*)?\)")
FROM_THE_TOP = re.compile(r"(\]\()(?![a-z]+:|#)(docs/)?")
STAND_INS = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}


def on_read(app: Sphinx, name: str, source: list[str]) -> None:
    """Take links out of a page that lead to where the site has nothing."""
    docs = Path(app.srcdir)
    path = docs / f"{name}.md"
    for original, stand_in in STAND_INS.items():
        if path == docs / stand_in:
            text = (docs.parent / original).read_text("utf-8")
            source[0] = FROM_THE_TOP.sub(lambda m: m[1] + ("" if m[2] else "../"), text)
            app.env.note_dependency(str(docs.parent / original))

    def replace(match: re.Match[str]) -> str:
        target = (path.parent / match[2]).resolve()
        if target.parent == docs.parent and target.name in STAND_INS:
            up = "../" * len(path.parent.relative_to(docs).parts)
            return f"[{match[1]}]({up}{STAND_INS[target.name]}{match[3] or ''})"
        inside = target.is_relative_to(docs)
        return match[1] if not inside and (target.is_dir() or target.suffix == ".md") else match[0]

    source[0] = LINK.sub(replace, source[0])


def setup(app: Sphinx) -> dict[str, bool]:
    """Hear every page as it is read."""
    app.connect("source-read", on_read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
