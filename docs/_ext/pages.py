"""What Sphinx lacks for these documents: notebooks as pages, and links that leave `docs/`.

A notebook is read as one Markdown text, without its outputs. `CONTRIBUTING.md` and `CHANGELOG.md`
beside `docs/` take the place of their stand-ins there, and links to them lead to these. A link to a
folder or to another Markdown file outside of `docs/` becomes its words; Sphinx makes downloads of
all other files. The pages of commands and of the library go on with what the program says.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from docutils import nodes
from myst_parser.parsers.sphinx_ import MystParser
from sphinx.application import Sphinx

from tools import pages

LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((\.\./[^)\s#]+)(#[^)\s]*)?\)")
FROM_THE_TOP = re.compile(r"(\]\()(?![a-z]+:|#)(docs/)?")
STAND_INS = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
WRITTEN = {"commands": pages.commands, "library": pages.library}


class NotebookParser(MystParser):
    """Reads a notebook, which is JSON, as the Markdown that it holds."""

    supported = ("notebook",)

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Parse text and code; outputs are left out."""
        parts = []
        for cell in json.loads(inputstring)["cells"]:
            source = "".join(cell["source"]).strip()
            fence = "`" * 6
            code = cell["cell_type"] == "code"
            parts.append(f"{fence}python\n{source}\n{fence}" if code else source)
        super().parse("\n\n".join(parts) + "\n", document)


def on_read(app: Sphinx, name: str, source: list[str]) -> None:
    """Mend the links of a page, and complete those that the program writes."""
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

    source[0] = LINK.sub(replace, source[0]) + "".join(WRITTEN.get(name, tuple)())


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect both."""
    app.add_source_suffix(".ipynb", "notebook")
    app.add_source_parser(NotebookParser)
    app.connect("source-read", on_read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
