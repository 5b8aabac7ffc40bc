"""What Sphinx lacks for these documents: notebooks as pages, and links that leave `docs/`.

A notebook is read as one Markdown text, without its outputs. `CONTRIBUTING.md` and `CHANGELOG.md`
beside `docs/` take the place of their stand-ins there, and links to them lead to these. A link to a
folder or to another Markdown file outside of `docs/` becomes its words; Sphinx makes downloads of
all other files. `commands.md` is written from the help of the commands.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from docutils import nodes
from myst_parser.parsers.sphinx_ import MystParser
from sphinx.application import Sphinx

LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((\.\./[^)\s#]+)(#[^)\s]*)?\)")
FROM_THE_TOP = re.compile(r"(\]\()(?![a-z]+:|#)(docs/)?")
HEAD = """\
# Commands

This page is what `ponder COMMAND --help` prints. All commands share these exit codes:
0 answered (either way), 1 a check failed, 2 bad usage or bad input (one line says which),
3 unknown, 130 interrupted (143 by SIGTERM, 129 by SIGHUP).
"""
STAND_INS = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}


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
    """Mend the links of a page."""
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


def commands_page() -> str:
    """Return the page of commands: what `ponder COMMAND --help` prints."""
    from click import Context

    from ponder.cli import COMMANDS, cli

    top = Context(cli, info_name="ponder", max_content_width=100, terminal_width=100)
    listed = (f"* [`ponder {name}`](#ponder-{name}): {text}" for name, text in COMMANDS.items())
    parts = [HEAD, *listed]
    for name in COMMANDS:
        command = cli.get_command(top, name)
        assert command is not None
        context = Context(command, parent=top, info_name=name, terminal_width=100)
        parts += ["", f"## ponder {name}", "", "```text", command.get_help(context), "```"]
    return "\n".join(parts) + "\n"


def on_begin(app: Sphinx) -> None:
    """Write the page of commands, if it is another one."""
    page, text = Path(app.srcdir) / "commands.md", commands_page()
    if not page.exists() or page.read_text("utf-8") != text:
        page.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect them."""
    app.add_source_suffix(".ipynb", "notebook")
    app.add_source_parser(NotebookParser)
    app.connect("source-read", on_read)
    app.connect("builder-inited", on_begin)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
