"""Notebooks as pages: text as Markdown, code, and of each output the form that needs no script.

Nothing is run: a page shows the outputs that the notebook keeps. Of an output that has several
forms the first of these is taken: SVG, PNG, plain text. HTML may hold scripts (a widget's does)
and is left out.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator

from docutils import nodes
from myst_parser.parsers.sphinx_ import MystParser
from sphinx.application import Sphinx

FENCE = "`" * 6


def markdown(text: str) -> str:
    """Return a notebook, which is JSON, as one Markdown text."""
    parts: list[str] = []
    for cell in json.loads(text)["cells"]:
        source = "".join(cell["source"]).strip()
        if cell["cell_type"] == "markdown":
            parts.append(source)
        elif cell["cell_type"] == "code" and source:
            parts.append(f"{FENCE}python\n{source}\n{FENCE}")
            for output in cell.get("outputs", []):
                parts += _output(output)
    return "\n\n".join(parts) + "\n"


def _output(output: dict[str, object]) -> Iterator[str]:
    data = output.get("data", {})
    assert isinstance(data, dict)
    if "text" in output:  # a stream
        yield _fenced("text", output["text"])
    elif "image/svg+xml" in data:
        picture = b64encode(_joined(data["image/svg+xml"]).encode("utf-8")).decode("ascii")
        yield _image(f"data:image/svg+xml;base64,{picture}")
    elif "image/png" in data:
        yield _image(f"data:image/png;base64,{_joined(data['image/png']).strip()}")
    elif "text/plain" in data:
        yield _fenced("text", data["text/plain"])


def _image(address: str) -> str:
    return f'{FENCE}{{raw}} html\n<img alt="output" src="{address}">\n{FENCE}'


def _fenced(kind: str, text: object) -> str:
    return f"{FENCE}{kind}\n{_joined(text).rstrip()}\n{FENCE}"


def _joined(text: object) -> str:
    return text if isinstance(text, str) else "".join(text)  # type: ignore[arg-type]


class NotebookParser(MystParser):
    """Reads a notebook as the Markdown that it holds."""

    supported = ("notebook",)

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Parse the notebook's text."""
        super().parse(markdown(inputstring), document)


def setup(app: Sphinx) -> dict[str, bool]:
    """Make notebooks pages."""
    app.add_source_suffix(".ipynb", "notebook")
    app.add_source_parser(NotebookParser)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
